/** Where a tip stands: beside the thing it is about, never over it while there is another place. */

import type { Box, Size } from "./camera";
import type { Spot } from "./types";

/** Pixels between a tip and its thing, and between it and the edge of the screen. */
const GAP = 10;
const EDGE = 4;

/** The upper left corner of a tip of some size, for a thing that fills a box of the screen. */
export function placeTip(thing: Box, tip: Size, screen: Size): Spot {
  const [middleX, middleY] = [(thing.left + thing.right) / 2, (thing.top + thing.bottom) / 2];
  const along = (at: number, length: number, room: number): number =>
    Math.max(EDGE, Math.min(at - length / 2, room - length - EDGE));
  const x = along(middleX, tip.width, screen.width);
  const y = along(middleY, tip.height, screen.height);
  // above, below, right, left: how much room each leaves, and where the tip would stand
  const places = [
    { room: thing.top - GAP - tip.height, at: { x, y: thing.top - GAP - tip.height } },
    { room: screen.height - thing.bottom - GAP - tip.height, at: { x, y: thing.bottom + GAP } },
    { room: screen.width - thing.right - GAP - tip.width, at: { x: thing.right + GAP, y } },
    { room: thing.left - GAP - tip.width, at: { x: thing.left - GAP - tip.width, y } },
  ];
  const found = places.find(({ room }) => room >= EDGE) ?? [...places].sort((a, b) => b.room - a.room)[0]!;
  return {
    x: Math.max(EDGE, Math.min(found.at.x, screen.width - tip.width - EDGE)),
    y: Math.max(EDGE, Math.min(found.at.y, screen.height - tip.height - EDGE)),
  };
}
