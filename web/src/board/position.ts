/** The position of a board from a view of the game. */

import type { BoardData, PlayerData, ViewData } from "../messages";
import type { Position } from "./types";

/** Who sits at the table, by seat. */
export interface Seats {
  names: string[];
  colours: number[];
}

/** What lies on a board, of a view or of a real table. */
export interface Lying extends Pick<ViewData, "owners" | "waiting" | "closed"> {
  players: Pick<PlayerData, "stations">[];
}

const NONE: ReadonlySet<number> = new Set();

/** A board on which nothing stands. */
export const emptyPosition = (board: BoardData): Position => ({
  board,
  owners: {},
  names: [],
  colours: [],
  stations: {},
  passengers: {},
  closed: [],
  claimable: NONE,
  wanted: NONE,
  marked: [],
  placing: null,
  last: [],
  lastCity: null,
  path: [],
  way: null,
  beacons: [],
  selected: null,
  mine: null,
});

/** How a board stands in a view; `more` is what the screen points out on it. */
export function positionOf(
  board: BoardData,
  view: Lying,
  { names, colours }: Seats,
  more: Partial<Omit<Position, "board">> = {},
): Position {
  return {
    ...emptyPosition(board),
    owners: view.owners,
    names,
    colours,
    stations: Object.fromEntries(view.players.flatMap(({ stations }, seat) => stations.map((city) => [city, seat]))),
    passengers: view.waiting,
    closed: view.closed,
    ...more,
  };
}
