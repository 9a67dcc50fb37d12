/** The state of the screen on which a game is played: what is shown, what is being chosen, what is said. */

import { cardName } from "../lib/cards";
import type { BoardData, Frame, MoveData, Payment, TrackData } from "../messages";
import { Refused } from "../lib/api";
import type { Live } from "../lib/live.svelte";
import { settings } from "../lib/settings.svelte";
import { t, textOr } from "../lib/texts.svelte";
import { complain, note } from "../ui/toasts.svelte";
import { lingering, nextHolder } from "./curtain";
import { cardWords, describe, type Table } from "../lib/describe";
import { obstacleText } from "./explain";
import { Lights } from "./lights.svelte";
import { claimable, paymentWith } from "./options";
import { play } from "./sound";

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
}

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
  over = $derived.by(() => this.view?.phase === "over" || this.live.table?.status === "over");
  myTurn = $derived.by(
    () =>
      this.me !== null &&
      !this.over &&
      !this.standsIn &&
      this.handing === null &&
      (this.view?.to_move.includes(this.me) ?? false),
  );
  claims = $derived.by(() => claimable(this.options, this.filter));
  /** Who is told "you" in the account of the game. */
  table = $derived.by<Table>(() => ({ names: this.names, board: this.board, me: this.shared ? null : this.me }));
  /** Claims and stations of the others since my last action: they stay marked on the board until I act. */
  news = $derived.by(() => {
    const tracks: number[] = [];
    let city: string | null = null;
    const moves = this.live.moves;
    for (let i = moves.length - 1; i >= 0 && tracks.length < 8; i--) {
      const move = moves[i]!;
      if (move.seat === this.me && tracks.length + Number(city !== null) + (moves.length - 1 - i) > 0) break;
      if (move.claimed != null) tracks.push(move.claimed);
      if (move.city != null) city ??= move.city;
      if (move.seat === this.me || this.me === null) break;
    }
    return { tracks, city };
  });

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
    this.fresh = same && last ? frame.moves.filter(({ n }) => n > last.n) : NO_MOVES;
    this.frame = frame;
    if (last?.n !== frame.n || !same) {
      this.stage = IDLE;
      this.lights.refresh();
    }
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
    if (tunnel) this.reveal = { move: tunnel, mine: tunnel.seat === frame.seat };
    else if (!this.reveal?.mine || this.fresh.some(({ seat }) => seat === frame.seat)) this.reveal = null;
    if (this.fresh.some((move) => move.claimed != null || move.kind === "station")) play("train");
    else if (this.fresh.some((move) => move.card !== undefined || move.kind.startsWith("draw"))) play("card");
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
    this.reveal = this.filter = null;
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
    else if (card && this.options && this.view?.phase === "second_card")
      note(t("game.not_second", { card: cardName(card) }));
  }

  async drawBlind(): Promise<void> {
    if (this.options?.draw_blind != null) await this.act(this.options.draw_blind);
  }

  async drawTickets(): Promise<void> {
    const mixes = this.options?.draw_tickets ?? [];
    if (mixes.length === 1 && !settings.confirm) await this.act(mixes[0]!.id);
    else if (mixes.length) this.stage = { kind: "mix" };
  }

  // ---- asking -----------------------------------------------------------------------------------------------------
  /** What to say about a track or a city that is pointed at. */
  explain = async (what: { track: number } | { city: string }): Promise<string> => {
    const first = "track" in what ? this.options?.claims?.[what.track]?.[0] : undefined;
    if (first) return t("game.can_claim", { cards: cardWords(first.cards) });
    if ("city" in what && this.options?.stations?.cities[what.city] != null) {
      return t("game.can_build", { cards: cardWords(this.options.stations.payments[0]?.cards ?? {}) });
    }
    const owner = "track" in what ? this.view?.owners[what.track] : undefined;
    if (this.me === null || this.over)
      return owner == null ? "" : t("game.why.owned", { owner: this.names[owner] ?? "" });
    try {
      const obstacle = await this.live.why(what);
      return obstacleText(obstacle, this.names);
    } catch {
      return ""; // only a hint: the connection bar tells what is wrong
    }
  };
}
