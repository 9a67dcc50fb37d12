/** Where a replay can stop: after every action, and after every turn. Its place is kept in the address, to share it. */

import type { Moment } from "../messages";

export interface Spot {
  n: number;
  eyes: number | null;
}

/** Numbers of the actions that end a turn; the start and the end are stops as well. */
export function turnStops(timeline: Moment[], last: number): number[] {
  return [...new Set([0, ...timeline.map((moment) => moment.n), last])]
    .filter((n) => n >= 0 && n <= last)
    .sort((a, b) => a - b);
}

export const nextStop = (stops: number[], n: number): number => stops.find((stop) => stop > n) ?? stops.at(-1) ?? n;
export const lastStop = (stops: number[], n: number): number => stops.findLast((stop) => stop < n) ?? stops[0] ?? n;

/** Standings by turn: the first is the one before the first turn, when all have their tickets. */
export const byTurn = (timeline: Moment[]): Moment[] => timeline.slice(1);

/** How many turns are over after action n. */
export const turnsDone = (timeline: Moment[], n: number): number =>
  Math.max(0, byTurn(timeline).filter((moment) => moment.n <= n).length - 1);

export function readSpot(query: URLSearchParams, last: number, seats: number): Spot {
  const n = Number.parseInt(query.get("n") ?? "", 10);
  const eyes = Number.parseInt(query.get("eyes") ?? "", 10);
  return {
    n: Number.isNaN(n) ? 0 : Math.min(last, Math.max(0, n)),
    eyes: eyes >= 0 && eyes < seats ? eyes : null,
  };
}

export function writeSpot(path: string, { n, eyes }: Spot): string {
  return `${path}?n=${n}${eyes === null ? "" : `&eyes=${eyes}`}`;
}
