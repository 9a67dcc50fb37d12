/** Where arrow keys go on a board: from track to track, or while a station is placed from city to city. */

import { middleOf, towards } from "./near";
import type { Position, Spot, What } from "./types";
import { same } from "./what";

export interface Stop {
  what: What;
  at: Spot;
}

export const ARROWS: Record<string, Spot> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Everything that the keys can reach. */
export function stopsOf({ board, placing }: Pick<Position, "board" | "placing">): Stop[] {
  return placing
    ? board.cities.filter((city) => placing.has(city.name)).map((city) => ({ what: { city: city.name }, at: city }))
    : board.tracks.map((track) => ({ what: { track: track.track }, at: middleOf(track) }));
}

/** Where the keys begin: at something that can be had. */
export function firstStop(stops: Stop[], claimable: ReadonlySet<number>): Stop | null {
  return stops.find(({ what }) => "track" in what && claimable.has(what.track)) ?? stops[0] ?? null;
}

/** The next stop in a direction; null at the edge. From something that is no stop, the first one. */
export function walk(stops: Stop[], claimable: ReadonlySet<number>, from: What | null, step: Spot): Stop | null {
  const at = stops.findIndex((stop) => same(stop.what, from));
  if (at < 0) return firstStop(stops, claimable);
  const next = towards(
    stops.map((stop) => stop.at),
    at,
    step,
  );
  return next === null ? null : stops[next]!;
}

/** How far a spot of the screen must move to be seen well: 0 if it is. */
export function intoSight(at: number, room: number, margin = 40): number {
  return at < margin ? margin - at : at > room - margin ? room - margin - at : 0;
}
