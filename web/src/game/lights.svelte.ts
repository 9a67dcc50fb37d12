/** Which ticket is lit on the board, with the best way between its cities. */

import type { TicketData, WayData } from "../messages";

export class Lights {
  /** The ticket that is pointed at, and the one kept lit by a click. */
  pointed = $state.raw<TicketData | null>(null);
  pinned = $state.raw<TicketData | null>(null);
  way = $state.raw<WayData | null>(null);
  ticket = $derived.by(() => this.pointed ?? this.pinned);

  private ways = new Map<string, Promise<WayData>>();

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
  }

  /** The game went on: ways are asked for anew. */
  refresh(): void {
    this.ways.clear();
    this.light();
  }

  /** My cheapest way between two places, asked for once a frame. */
  wayOf(ticket: TicketData): Promise<WayData> {
    const key = `${ticket.from}|${ticket.to}`;
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
