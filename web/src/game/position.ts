/** How the board stands on the screen of a game. */

import { positionOf } from "../board/position";
import type { Position } from "../board/types";
import type { Desk } from "./desk.svelte";

const NONE: ReadonlySet<number> = new Set();

/** Null before the first view; `target` is the track under a card that a finger drags. */
export function boardPosition(desk: Desk, target: number | null): Position | null {
  const { view, stage, options, lights } = desk;
  if (!view) return null;
  const placing =
    stage.kind === "place" || stage.kind === "station" ? new Set(Object.keys(options?.stations?.cities ?? {})) : null;
  const { ticket, way } = lights;
  return positionOf(desk.board, view, desk, {
    claimable: placing || stage.kind === "claim" ? NONE : desk.claims,
    placing,
    last: desk.news.tracks,
    lastCity: desk.news.city,
    way: ticket && way?.tracks ? { tracks: way.tracks, missing: way.missing } : null,
    beacons: beaconsOf(desk),
    selected: stage.kind === "claim" ? stage.track : target,
    mine: desk.me,
  });
}

/** Places that a question is about, or the ends of the ticket that is lit. */
function beaconsOf({ stage, options, lights }: Desk): string[] {
  if (stage.kind === "station") return [stage.city];
  const pick = options?.passengers?.[0];
  if (pick) return [pick.at];
  return lights.ticket ? [lights.ticket.from, lights.ticket.to] : [];
}
