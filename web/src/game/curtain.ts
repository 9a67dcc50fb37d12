/** Several people on one device: whose eyes the screen may show. */

import type { MoveData } from "../messages";

/**
 * The seat that should take the device, or null if whoever holds it may go on.
 * `mine` are the seats of this device, `holder` the one who said "it is me" last.
 */
export function nextHolder(mine: number[], toMove: number[], holder: number | null): number | null {
  if (mine.length < 2) return null;
  const due = mine.filter((seat) => toMove.includes(seat));
  if (holder === null) return due[0] ?? mine[0]!; // just opened: we don't know who looks
  if (!due.length || due.includes(holder)) return null;
  // Round the table from the holder, so that the device goes from neighbour to neighbour.
  return due.find((seat) => seat > holder) ?? due[0]!;
}

/** How long the holder may still look at what the own action brought before the curtain falls, in milliseconds. */
export function lingering(move: MoveData | null): number {
  if (move === null) return 0;
  if (move.turned_up?.length) return 2600; // its cards have been turned up: time to read them
  return move.kind === "draw_blind" || move.kind === "draw_face_up" || move.kind === "claim" ? 1800 : 900;
}
