/** My plan on the board: the ways that my open tickets still need, and which ticket is lit. */

import type { BoardData, TicketData, ViewData, WayData } from "../messages";

export const ticketKey = ({ from, to }: TicketData): string => `${from}|${to}`;

/** What the ways of a player depend on: while this stays the same, they do. */
export function planKey(view: ViewData): string {
  const stations = view.players.map((player) => player.stations.join());
  const trains = view.player === null ? 0 : view.players[view.player]!.trains;
  return JSON.stringify([view.player, view.owners, stations, trains]);
}

/** Tracks that some ways still need, and those beside them that are as good. */
export function wantedTracks(board: BoardData, ways: Iterable<WayData>): ReadonlySet<number> {
  const wanted = new Set<number>();
  for (const { missing } of ways)
    for (const track of missing) for (const one of board.tracks[track]?.parallel ?? []) wanted.add(one);
  return wanted;
}

export class Lights {
  /** The ticket that is pointed at, and the one kept lit by a click. */
  pointed = $state.raw<TicketData | null>(null);
  pinned = $state.raw<TicketData | null>(null);
  way = $state.raw<WayData | null>(null);
  ticket = $derived.by(() => this.pointed ?? this.pinned);
  /** What is known of the ways of my open tickets, by `ticketKey`. */
  plan = $state.raw<Record<string, WayData>>({});

  private ways = new Map<string, Promise<WayData>>();
  private moment = "";

  /** `ask` finds a way; `blind` says that nobody here may ask for one. */
  constructor(
    private ask: (from: string, to: string) => Promise<WayData>,
    private blind: () => boolean,
  ) {}

  point(ticket: TicketData | null): void {
    this.pointed = ticket;
    this.way = null;
    this.light();
  }

  pin(ticket: TicketData | null): void {
    this.pinned = ticket;
    this.way = null;
    this.light();
  }

  clear(): void {
    this.pinned = this.pointed = this.way = null;
    this.plan = {};
    this.moment = "";
  }

  /** The game went on: where the board changed, ways are asked for anew. */
  follow(view: ViewData): void {
    const moment = planKey(view);
    if (moment !== this.moment) {
      this.moment = moment;
      this.ways.clear();
      this.light();
    }
    const open = this.blind() ? [] : view.tickets.filter((ticket) => !ticket.completed);
    const keys = new Set(open.map(ticketKey));
    this.plan = Object.fromEntries(Object.entries(this.plan).filter(([key]) => keys.has(key)));
    for (const ticket of open)
      this.wayOf(ticket).then(
        (way) => {
          if (this.moment === moment) this.plan = { ...this.plan, [ticketKey(ticket)]: way };
        },
        () => {}, // only a help: the game goes on without it
      );
  }

  /** My cheapest way between two places, asked for once while the board stays as it is. */
  wayOf(ticket: TicketData): Promise<WayData> {
    const key = ticketKey(ticket);
    let way = this.ways.get(key);
    if (!way) {
      way = this.ask(ticket.from, ticket.to);
      way.catch(() => this.ways.delete(key));
      this.ways.set(key, way);
    }
    return way;
  }

  private light(): void {
    const ticket = this.ticket;
    if (!ticket || this.blind()) {
      this.way = null;
      return;
    }
    this.wayOf(ticket).then(
      (way) => {
        if (this.ticket === ticket) this.way = way;
      },
      () => {}, // only a help: the ticket's cities are lit without it
    );
  }
}
