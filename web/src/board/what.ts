/** Things on a board that can be pointed at: which one an element is, where it lies, what a point hits. */

import type { BoardData } from "../messages";
import { around, type Box } from "./camera";
import { apart, middleOf, nearestCity, nearestTrack, toTrack } from "./near";
import type { Position, Spot, What } from "./types";

/** Pixels beside a track that still count as on it. */
const REACH = { mouse: 12, touch: 24 };
/** Pixels beside a city's disc. */
const CITY_REACH = { mouse: 2, touch: 6 };

export type Pointer = keyof typeof REACH;

export function same(a: What | null, b: What | null): boolean {
  if (a === null || b === null) return a === b;
  return "track" in a ? "track" in b && a.track === b.track : "city" in b && a.city === b.city;
}

/** The thing that an element of the picture belongs to. */
export function whatOf(element: Element | null): What | null {
  const found = element?.closest<SVGGElement>("[data-track], [data-city]");
  if (!found) return null;
  return found.dataset.track ? { track: Number(found.dataset.track) } : { city: found.dataset.city! };
}

/** Its element in the picture. */
export function elementOf(what: What, inside: Element): SVGGElement | null {
  return inside.querySelector(
    "track" in what ? `[data-track="${what.track}"]` : `[data-city="${CSS.escape(what.city)}"]`,
  );
}

export function spotOf(board: BoardData, what: What): Spot {
  return "track" in what ? middleOf(board.tracks[what.track]!) : board.cities.find((city) => city.name === what.city)!;
}

/** All that it covers: the cars of a track, the disc of a city. */
export function boxOf(board: BoardData, what: What): Box {
  const half = "track" in what ? board.car_length / 2 : board.cities.find((city) => city.name === what.city)!.radius;
  const { left, top, right, bottom } = around("track" in what ? board.tracks[what.track]!.cars : [spotOf(board, what)]);
  return { left: left - half, top: top - half, right: right + half, bottom: bottom + half };
}

/** Whether a click on it does something now. */
export function isReady({ claimable, placing }: Pick<Position, "claimable" | "placing">, what: What): boolean {
  return "track" in what ? claimable.has(what.track) : !!placing?.has(what.city);
}

/** How a thing stands: while this stays the same, what was said about it holds. */
export function momentOf({ owners, stations, closed, claimable, placing, selected }: Position, what: What): string {
  if ("city" in what) return `${stations[what.city]} ${!!placing?.has(what.city)}`;
  const ready = claimable.has(what.track) || selected === what.track;
  return `${owners[what.track]} ${closed.includes(what.track)} ${ready}`;
}

/** The track at a point of the board for a dragged card. */
export function trackAt({ board, claimable }: Position, at: Spot, scale: number): number | null {
  return nearestTrack(board, at, REACH.touch / scale, claimable);
}

/** What lies at a point of the board: while a station is placed, first the cities open to it. */
export function hitAt({ board, claimable, placing }: Position, at: Spot, scale: number, pointer: Pointer): What | null {
  const reach = REACH[pointer] / scale;
  if (placing) {
    const city = nearestCity(board, at, reach, placing);
    if (city !== null) return { city };
  }
  const track = nearestTrack(board, at, reach, claimable);
  const city = nearestCity(board, at, CITY_REACH[pointer] / scale);
  if (city !== null) {
    const disc = spotOf(board, { city });
    if (track === null || apart(at, disc) <= toTrack(at, board.tracks[track]!)) return { city };
  }
  return track === null ? null : { track };
}
