/** What lies nearest to a point of the board, so that small things can be hit by large fingers. */

import type { BoardData, CityData, TrackData } from "../messages";
import type { Spot } from "./types";

/** A track as a line of points: its cars, and its ends at the discs' edges. */
export function lineOf(track: TrackData): Spot[] {
  const numbers = (track.path.match(/-?\d+\.?\d*/g) ?? []).map(Number);
  const first = { x: numbers[0]!, y: numbers[1]! };
  const last = { x: numbers.at(-2)!, y: numbers.at(-1)! };
  const cars: Spot[] = track.cars;
  const forward = apart(first, cars[0]!) <= apart(first, cars.at(-1)!);
  return [first, ...(forward ? cars : cars.toReversed()), last];
}

export const apart = (a: Spot, b: Spot): number => Math.hypot(a.x - b.x, a.y - b.y);

/** Distance from a point to a piece of a line. */
export function beside(at: Spot, a: Spot, b: Spot): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const part = Math.min(Math.max(((at.x - a.x) * dx + (at.y - a.y) * dy) / (dx * dx + dy * dy || 1), 0), 1);
  return Math.hypot(at.x - a.x - dx * part, at.y - a.y - dy * part);
}

/** Distance from a point to the cars of a track. */
export function toTrack(at: Spot, track: TrackData): number {
  const cars = track.cars;
  if (cars.length === 1) return apart(at, cars[0]!);
  let least = Infinity;
  for (let k = 1; k < cars.length; k++) least = Math.min(least, beside(at, cars[k - 1]!, cars[k]!));
  return least;
}

/**
 * The track nearest to a point, within a reach. Wanted ones win over others that are only a little nearer:
 * a finger covers both.
 */
export function nearestTrack(board: BoardData, at: Spot, reach: number, wanted?: ReadonlySet<number>): number | null {
  let found: number | null = null;
  let least = reach + board.car_width / 2;
  for (const track of board.tracks) {
    const far = toTrack(at, track) - (wanted?.has(track.track) ? reach * 0.25 : 0);
    if (far < least) [found, least] = [track.track, far];
  }
  return found;
}

/** The city whose disc is nearest to a point, within a reach beyond its edge. */
export function nearestCity(
  board: BoardData,
  at: Spot,
  reach: number,
  among?: ReadonlySet<string> | null,
): string | null {
  let found: CityData | null = null;
  let least = reach;
  for (const city of board.cities) {
    if (among && !among.has(city.name)) continue;
    const far = apart(at, city) - city.radius;
    if (far < least) [found, least] = [city, far];
  }
  return found?.name ?? null;
}

/** The next of some spots in a direction (a unit step), for arrow keys: near, and not far off to the side. */
export function towards(spots: Spot[], from: number, step: Spot): number | null {
  const start = spots[from]!;
  let found: number | null = null;
  let least = Infinity;
  spots.forEach((to, k) => {
    const ahead = (to.x - start.x) * step.x + (to.y - start.y) * step.y;
    const aside = Math.abs((to.x - start.x) * step.y - (to.y - start.y) * step.x);
    if (k !== from && ahead > 0 && aside < ahead * 2.5 && ahead + aside * 2 < least)
      [found, least] = [k, ahead + aside * 2];
  });
  return found;
}

/** The middle of a track: a car, or the gap between two. */
export function middleOf(track: TrackData): Spot {
  const half = (track.cars.length - 1) / 2;
  const [a, b] = [track.cars[Math.floor(half)]!, track.cars[Math.ceil(half)]!];
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

/** Turn a direction by half a turn if things in it would stand on their head. */
export function upright(angle: number): number {
  const turned = ((((angle + 90) % 180) + 180) % 180) - 90;
  return turned === -90 ? 90 : turned;
}

/** Which tracks of a path in order are drawn against their own direction. */
export function backwards(board: BoardData, path: number[]): boolean[] {
  const ends = path.map((index) => {
    const track = board.tracks[index]!;
    const line = lineOf(track);
    const city = board.cities.find((one) => one.name === track.from)!;
    // a track's path may start at either of its cities
    return apart(line[0]!, city) <= apart(line.at(-1)!, city) ? [track.from, track.to] : [track.to, track.from];
  });
  let at: string | null = null;
  return ends.map(([start, stop], k) => {
    if (at === null) {
      const next = ends[k + 1];
      at = next && next.includes(start!) && !next.includes(stop!) ? stop! : start!;
    }
    const back: boolean = at !== start;
    at = back ? start! : stop!;
    return back;
  });
}
