/**
 * What only the client says about a board: how it stands, what can be pointed at. The board's own data is a message.
 */

import type { BoardData } from "../messages";

export interface Spot {
  x: number;
  y: number;
}

/** Something on the board that one can point at. */
export type What = { track: number } | { city: string };

/** A board and how it stands, as one viewer sees it. */
export interface Position {
  board: BoardData;
  /** Track → seat. */
  owners: Record<string, number>;
  /** Seat → colour. */
  colours: number[];
  names: string[];
  /** City → seat. */
  stations: Record<string, number>;
  /** Who waits, by place. */
  passengers: Record<string, string[]>;
  /** Free tracks that nobody may claim any more. */
  closed: number[];
  /** Tracks that I can claim right now. */
  claimable: ReadonlySet<number>;
  /** Tracks that my open tickets still need, with those beside them. */
  wanted: ReadonlySet<number>;
  /** Cities or countries of my open tickets: marked as long as they are open. */
  marked: string[];
  /** Cities where I can build, while I am choosing one. */
  placing: ReadonlySet<string> | null;
  /** Tracks and the city of the last actions, or of the one that is pointed at in the log. */
  last: number[];
  lastCity: string | null;
  /** The longest path, in its order. */
  path: number[];
  /** The best way for a ticket. */
  way: { tracks: number[]; missing: number[] } | null;
  /** Cities or countries that are pointed out. */
  beacons: string[];
  /** The track that I am about to claim. */
  selected: number | null;
  /** My seat. */
  mine: number | null;
}
