/** How the board stands on the screen of a game. */

import { positionOf } from "../board/position";
import type { Position } from "../board/types";
import type { Desk } from "./desk.svelte";

const NONE: ReadonlySet<number> = new Set();

/** Null before the first view; `target` is the track under a card that a finger drags. */
export function boardPosition(desk: Desk, target: number | null): Position | null {
  const { view, stage, options } = desk;
  if (!view) return null;
  const placing =
    stage.kind === "place" || stage.kind === "station" ? new Set(Object.keys(options?.stations?.cities ?? {})) : null;
  return positionOf(desk.board, view, desk, {
    claimable: placing || stage.kind === "claim" ? NONE : desk.claims,
    placing,
    wanted: desk.wanted,
    marked: view.tickets.flatMap(({ from, to, completed }) => (completed ? [] : [from, to])),
    last: desk.places.tracks,
    lastCity: desk.places.city,
    way: wayOf(desk),
    beacons: beaconsOf(desk),
    selected: stage.kind === "claim" ? stage.track : target,
    mine: desk.me,
  });
}

/** The way that is lit: of the ticket that is pointed at, or of the one that has just been completed. */
function wayOf({ lights, fanfare }: Desk): Position["way"] {
  const way = lights.ticket ? lights.way : fanfare?.kind === "complete" ? fanfare.way : null;
  return way?.tracks ? { tracks: way.tracks, missing: way.missing } : null;
}

/** Places that a question is about, the ends of the ticket that is lit, or of all that are on offer. */
function beaconsOf({ stage, options, lights, fanfare, pointed, view }: Desk): string[] {
  if (stage.kind === "station") return [stage.city];
  const pick = options?.passengers?.[0];
  if (pick) return [pick.at];
  if (view?.offer.length) return view.offer.flatMap(({ from, to }) => [from, to]);
  const lit = lights.ticket ?? (fanfare?.kind === "complete" ? fanfare.ticket : null);
  if (lit) return [lit.from, lit.to];
  return pointed?.place ? [pointed.place] : [];
}
