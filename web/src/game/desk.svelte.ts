/** The state of the screen on which a game is played: what is shown, what is being chosen, what is said. */

import { cardName } from "../lib/cards";
import type { BoardData, Frame, MoveData, Payment, TicketData, TrackData, WayData } from "../messages";
import { Refused } from "../lib/api";
import type { Live } from "../lib/live.svelte";
import { settings } from "../lib/settings.svelte";
import { play } from "../lib/sound";
import { t, textOr } from "../lib/texts.svelte";
import { complain, note } from "../ui/toasts.svelte";
import { lingering, nextHolder } from "./curtain";
import { describe, type Table } from "../lib/describe";
import { Lights, ticketKey, wantedTracks } from "./lights.svelte";
import { newsOf, newsPlaces, placesOf } from "./news";
import { claimable, paymentWith } from "./options";

export type Stage =
  | { kind: "idle" }
  | { kind: "claim"; track: number; payment: number }
  /** Looking for a city for a station. */
  | { kind: "place" }
  | { kind: "station"; city: string; payment: number }
  /** Asked before tickets are drawn: from which decks, or whether at all. */
  | { kind: "mix" };

/** Cards that a tunnel turned up, to be shown one after the other. */
export interface Reveal {
  move: MoveData;
  mine: boolean;
  /** How many of them are seen. */
  up: number;
}

/** A great moment, to be celebrated. */
export type Fanfare =
  | { kind: "complete"; n: number; ticket: TicketData; way: WayData | null }
  | { kind: "last_round"; n: number; turns: number };

const IDLE: Stage = { kind: "idle" };
const NO_MOVES: MoveData[] = [];

export class Desk {
  /** The newest frame of the seat whose eyes we use; kept while another seat's is on its way. */
  frame = $state.raw<Frame | null>(null);
  /** The frame before it, of the same seat, and what happened between them. */
  before = $state.raw<Frame | null>(null);
  fresh = $state.raw<MoveData[]>(NO_MOVES);
  stage = $state.raw<Stage>(IDLE);
  /** A card of the hand that was picked first: only tracks it can pay for are offered. */
  filter = $state<string | null>(null);
  reveal = $state.raw<Reveal | null>(null);
  fanfare = $state.raw<Fanfare | null>(null);
  /** The line of the log that is pointed at. */
  pointed = $state.raw<MoveData | null>(null);
  /** The seat that should take the device; the curtain is down. */
  curtain = $state<number | null>(null);
  /** The seat that takes the device next, while the one before still looks at what the last action brought. */
  handing = $state<number | null>(null);
  holder = $state<number | null>(null);
  /** What the screen reader says, politely and at once. */
  said = $state("");
  urgent = $state("");

  readonly lights = new Lights(
    (from, to) => this.live.way(from, to),
    () => this.me === null || this.over,
  );

  /** The number of the frame on which we acted, until the next one comes. */
  private acted = $state<number | null>(null);
  private handover: ReturnType<typeof setTimeout> | undefined;

  view = $derived.by(() => this.frame?.view ?? null);
  busy = $derived.by(() => this.acted !== null && this.acted === this.frame?.n);
  options = $derived.by(() => (this.busy || this.standsIn ? null : (this.frame?.options ?? null)));
  seats = $derived.by(() => this.live.table?.seats ?? []);
  names = $derived.by(() => this.seats.map(({ name }) => name));
  colours = $derived.by(() => this.seats.map(({ colour }) => colour));
  mine = $derived.by(() => this.live.me?.seats ?? []);
  /** The seat we play, null for spectators. */
  me = $derived.by(() => this.frame?.seat ?? null);
  shared = $derived.by(() => this.mine.length > 1);
  standsIn = $derived.by(() => this.me !== null && (this.seats[this.me]?.stands_in ?? false));
  /** A bot ends my turn, whose time is up; the next one is mine. */
  timeUp = $derived.by(() => this.me !== null && (this.seats[this.me]?.for_one_turn ?? false));
  /** The time of my last turn ran out. */
  missed = $derived.by(() => this.me !== null && (this.seats[this.me]?.missed ?? 0) > 0);
  over = $derived.by(
    () => this.view?.phase === "over" || (this.live.table?.status === "over" && this.frame?.n === this.live.frame?.n),
  );
  myTurn = $derived.by(
    () =>
      this.me !== null &&
      !this.over &&
      !this.standsIn &&
      this.handing === null &&
      (this.view?.to_move.includes(this.me) ?? false),
  );
  /** I choose tickets now. */
  offered = $derived.by(
    () => this.myTurn && (this.view?.offer.length ?? 0) > 0 && (this.frame?.options?.keep?.length ?? 0) > 0,
  );
  claims = $derived.by(() => claimable(this.options, this.filter));
  /** Who is told "you" in the account of the game. */
  table = $derived.by<Table>(() => ({ names: this.names, board: this.board, me: this.shared ? null : this.me }));
  /** The story as far as it has been shown. */
  moves = $derived.by(() => this.live.moves.slice(0, this.frame?.n ?? 0));
  /** What happened since my last action. */
  news = $derived.by(() => newsOf(this.moves, this.me));
  /** What is pointed out on the board: an action of the log, or the news. */
  places = $derived.by(() => (this.pointed ? placesOf(this.pointed) : null) ?? newsPlaces(this.news));
  /** Tracks that my open tickets still need. */
  wanted = $derived.by(() => wantedTracks(this.board, Object.values(this.lights.plan)));

  constructor(
    readonly live: Live,
    readonly board: BoardData,
  ) {
    if (live.frame) this.take(live.frame);
  }

  close(): void {
    clearTimeout(this.handover);
  }

  track(number: number): TrackData | undefined {
    return this.board.tracks.find(({ track }) => track === number);
  }

  /** A new frame has come. */
  take(frame: Frame): void {
    const last = this.frame;
    const same = last?.seat === frame.seat;
    this.before = same ? last : null;
    this.fresh = same && last ? this.live.moves.filter(({ n }) => n > last.n && n <= frame.n) : NO_MOVES;
    this.frame = frame;
    if (last?.n !== frame.n || !same) {
      this.stage = IDLE;
      this.pointed = null;
    }
    this.lights.follow(frame.view);
    if (this.filter && !frame.view.hand[this.filter]) this.filter = null;
    this.account(frame);
    this.draw(frame);
  }

  /** Tell and sound what happened. */
  private account(frame: Frame): void {
    if (!this.fresh.length) return;
    // The last announcement makes all of them public: then each is told, with its mix.
    const told = this.fresh.some(({ kind }) => kind === "announce") && frame.view.phase !== "announce";
    const news = told
      ? this.live.moves.filter(({ n, kind }) => kind === "announce" || n >= this.fresh[0]!.n)
      : this.fresh;
    this.said = news.map((move) => describe(move, this.table).text).join(" ");
    const tunnel = this.fresh.findLast((move) => move.turned_up?.length);
    // My own tunnel is shown to its end; those of others make way for what happens next.
    if (tunnel) this.reveal = { move: tunnel, mine: tunnel.seat === frame.seat, up: tunnel.turned_up!.length };
    else if (!this.reveal?.mine || this.fresh.some(({ seat }) => seat === frame.seat)) this.reveal = null;
    if (this.fresh.some((move) => move.claimed != null || move.kind === "station")) play("claim");
    else if (this.fresh.some((move) => move.card !== undefined || move.kind.startsWith("draw"))) play("draw");
    this.celebrate(frame);
  }

  /** A ticket of mine is complete, or the last round begins. */
  private celebrate(frame: Frame): void {
    const before = this.before?.view;
    if (frame.view.phase === "over" && this.fanfare?.kind === "last_round") this.fanfare = null; // it is over, too
    if (!before || frame.view.phase === "over") return;
    const { n, view } = frame;
    if (before.last_round === null && view.last_round !== null) {
      this.fanfare = { kind: "last_round", n, turns: view.last_round };
      this.urgent = t("game.last_round_begins");
      play("last_round");
    }
    const open = new Set(before.tickets.filter(({ completed }) => !completed).map(ticketKey));
    const ticket = view.tickets.findLast((one) => one.completed && open.has(ticketKey(one)));
    if (!ticket) return;
    this.said += ` ${t("game.ticket_complete", { from: ticket.from, to: ticket.to, n: ticket.points })}`;
    this.fanfare = { kind: "complete", n, ticket, way: null };
    play("complete");
    this.lights.wayOf(ticket).then(
      (way) => {
        const now = this.fanfare;
        if (now?.kind === "complete" && now.n === n) this.fanfare = { ...now, way };
      },
      () => {}, // its cities are lit without it
    );
  }

  /** A tunnel that needs no answer was looked at long enough. */
  endReveal(): void {
    if (!this.view?.tunnel || !this.reveal?.mine) this.reveal = null;
  }

  /** Several people, one device: draw the curtain when another of them is to look. */
  private draw(frame: Frame): void {
    clearTimeout(this.handover);
    if (this.over || !this.shared) {
      this.curtain = this.handing = null;
      return;
    }
    // who asked, sees
    if (this.curtain !== null && this.holder === this.curtain && frame.seat === this.holder) this.curtain = null;
    const next = nextHolder(this.mine, frame.view.to_move, this.holder);
    if (next === null || next === this.curtain) {
      this.handing = null;
      return;
    }
    const own = this.fresh.findLast(({ seat }) => seat === frame.seat) ?? null;
    this.handing = next;
    if (this.holder === null) this.handOver();
    else this.handover = setTimeout(() => this.handOver(), lingering(own));
  }

  /** Let the curtain fall for the one who is next. */
  handOver(): void {
    clearTimeout(this.handover);
    this.curtain = this.handing;
    this.handing = null;
    this.lights.clear();
    this.reveal = this.fanfare = this.pointed = this.filter = null;
    this.said = "";
  }

  /** "It is me": show this seat's cards. */
  async lift(): Promise<void> {
    const seat = this.curtain;
    if (seat === null) return;
    this.holder = seat;
    if (this.frame?.seat === seat) {
      this.curtain = null;
      return;
    }
    try {
      await this.live.sit(seat);
    } catch (reason) {
      this.holder = null; // nothing was shown: ask again
      this.refused(reason);
    }
  }

  async act(action: number): Promise<void> {
    if (this.busy || !this.frame) return;
    const n = this.frame.n;
    this.acted = n;
    try {
      await this.live.act(action);
    } catch (reason) {
      if (this.acted === n) this.acted = null;
      this.refused(reason);
    }
  }

  /** Ask the server for something that is no action of the game. */
  async wish(wish: { t: string; [key: string]: unknown }): Promise<boolean> {
    try {
      await this.live.ask(wish);
      return true;
    } catch (reason) {
      this.refused(reason);
      return false;
    }
  }

  /** What went wrong, in our words for the game where we have some. */
  private refused(reason: unknown): void {
    const known = reason instanceof Refused ? textOr(`game.refused.${reason.code}`, "") : "";
    complain(known ? new Refused("game", known) : reason);
  }

  // ---- choosing ---------------------------------------------------------------------------------------------------
  cancel(): void {
    this.stage = IDLE;
    this.filter = null;
  }

  payments(): Payment[] {
    if (this.stage.kind === "claim") return this.options?.claims?.[this.stage.track] ?? [];
    if (this.stage.kind === "station") return this.options?.stations?.payments ?? [];
    return [];
  }

  choosePayment(payment: number): void {
    if (this.stage.kind === "claim" || this.stage.kind === "station") this.stage = { ...this.stage, payment };
  }

  /** A track was chosen on the board or in a list, perhaps with a card to pay with. */
  async chooseTrack(track: number, card: string | null = null): Promise<void> {
    const payments = this.options?.claims?.[track];
    if (!payments?.length) return; // the board's tip says why
    const wanted = card ?? this.filter;
    const suggested = wanted ? paymentWith(payments, wanted) : 0;
    if (wanted && suggested < 0) {
      note(t("game.not_with", { card: cardName(wanted) }));
      if (card) return;
    }
    if (payments.length === 1 && !settings.confirm) await this.act(payments[0]!.id);
    else this.stage = { kind: "claim", track, payment: Math.max(0, suggested) };
  }

  chooseCity(city: string): void {
    if (this.stage.kind !== "place" && this.stage.kind !== "station") return;
    if (this.options?.stations?.cities[city] != null) this.stage = { kind: "station", city, payment: 0 };
  }

  /** Do what was chosen. */
  async confirm(): Promise<void> {
    const stage = this.stage;
    if (stage.kind !== "claim" && stage.kind !== "station") return;
    const payment = this.payments()[stage.payment];
    if (!payment) return;
    await this.act(stage.kind === "claim" ? payment.id : this.options!.stations!.cities[stage.city]! + payment.id);
  }

  /** Ask where a station shall stand, or no longer. */
  placeStation(): void {
    if (this.options?.stations) this.stage = this.stage.kind === "place" ? IDLE : { kind: "place" };
  }

  async drawFaceUp(place: number): Promise<void> {
    const card = this.view?.face_up[place];
    const action = card ? this.options?.draw_face_up?.[card] : undefined;
    if (action != null) await this.act(action);
    else if (card && this.options && this.view?.phase === "second_card") note(t("game.not_second"));
  }

  async drawBlind(): Promise<void> {
    if (this.options?.draw_blind != null) await this.act(this.options.draw_blind);
  }

  async drawTickets(): Promise<void> {
    const mixes = this.options?.draw_tickets ?? [];
    if (mixes.length === 1 && !settings.confirm) await this.act(mixes[0]!.id);
    else if (mixes.length) this.stage = { kind: "mix" };
  }
}
