/** Where a screen looks on a board: zoom and pan as plain numbers. */

import type { Spot } from "./types";

/** A board's point p lies on the screen at p * scale + (x, y). */
export interface Camera extends Spot {
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Sharpest look: so many pixels for a unit of the board. */
const NEAREST = 2.6;

/** The whole board, in the middle of the screen, with a margin in pixels around it. */
export function fit(board: Size, screen: Size, margin = 0): Camera {
  const scale = Math.max(
    Math.min((screen.width - 2 * margin) / board.width, (screen.height - 2 * margin) / board.height),
    0.02,
  );
  return { scale, x: (screen.width - board.width * scale) / 2, y: (screen.height - board.height * scale) / 2 };
}

/** As near as fills the screen, and where a board and a screen differ most, no nearer than `most` whole boards. */
export function cover(board: Size, screen: Size, margin: number, middle: Spot, most = 2): Camera {
  const least = fit(board, screen, margin).scale;
  const scale = Math.min(Math.max(screen.width / board.width, screen.height / board.height), most * least);
  return { scale, x: screen.width / 2 - middle.x * scale, y: screen.height / 2 - middle.y * scale };
}

/** A scale within its limits. */
export function within(scale: number, board: Size, screen: Size, margin = 0): number {
  const least = fit(board, screen, margin).scale;
  return Math.min(Math.max(scale, least), Math.max(NEAREST, least * 2));
}

/** Keep a camera within its limits: never smaller than the whole board, never beyond its edges. */
export function held(camera: Camera, board: Size, screen: Size, margin = 0): Camera {
  const scale = within(camera.scale, board, screen, margin);
  return {
    scale,
    x: along(camera.x, board.width * scale, screen.width, margin),
    y: along(camera.y, board.height * scale, screen.height, margin),
  };
}

function along(at: number, length: number, room: number, margin: number): number {
  if (length + 2 * margin <= room + 0.01) return (room - length) / 2;
  return Math.min(Math.max(at, room - length - margin), margin);
}

/** Zoom to a scale around a point of the screen, which keeps its place. */
export function zoomed(camera: Camera, scale: number, at: Spot): Camera {
  const factor = scale / camera.scale;
  return { scale, x: at.x - (at.x - camera.x) * factor, y: at.y - (at.y - camera.y) * factor };
}

export function panned(camera: Camera, dx: number, dy: number): Camera {
  return { scale: camera.scale, x: camera.x + dx, y: camera.y + dy };
}

/** How two fingers moved: by what factor they went apart, and where the point between them was and is. */
export function pinch(before: [Spot, Spot], now: [Spot, Spot]): { factor: number; from: Spot; to: Spot } {
  const apart = (two: [Spot, Spot]) => Math.max(Math.hypot(two[0].x - two[1].x, two[0].y - two[1].y), 1);
  const middle = (two: [Spot, Spot]) => ({ x: (two[0].x + two[1].x) / 2, y: (two[0].y + two[1].y) / 2 });
  return { factor: apart(now) / apart(before), from: middle(before), to: middle(now) };
}

export const toBoard = (camera: Camera, at: Spot): Spot => ({
  x: (at.x - camera.x) / camera.scale,
  y: (at.y - camera.y) / camera.scale,
});
export const toScreen = (camera: Camera, at: Spot): Spot => ({
  x: at.x * camera.scale + camera.x,
  y: at.y * camera.scale + camera.y,
});

/** Look at a part of the board; not nearer than needed to read it. */
export function lookingAt(box: Box, screen: Size, margin: number, most = 1.6): Camera {
  const [width, height] = [Math.max(box.right - box.left, 1), Math.max(box.bottom - box.top, 1)];
  const scale = Math.min((screen.width - 2 * margin) / width, (screen.height - 2 * margin) / height, most);
  return {
    scale,
    x: screen.width / 2 - ((box.left + box.right) / 2) * scale,
    y: screen.height / 2 - ((box.top + box.bottom) / 2) * scale,
  };
}

export function around(points: Spot[]): Box {
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** Between two cameras, part of the way; scales grow by factors, so that it looks even. */
export function between(from: Camera, to: Camera, part: number, screen: Size): Camera {
  const scale = from.scale * (to.scale / from.scale) ** part;
  // the point in the middle of the screen moves straight, seen on the board
  const middle = { x: screen.width / 2, y: screen.height / 2 };
  const [a, b] = [toBoard(from, middle), toBoard(to, middle)];
  // while zooming, most of the way is covered where the scale is small
  const share =
    Math.abs(to.scale - from.scale) < 1e-6 ? part : (1 / from.scale - 1 / scale) / (1 / from.scale - 1 / to.scale);
  return {
    scale,
    x: middle.x - (a.x + (b.x - a.x) * share) * scale,
    y: middle.y - (a.y + (b.y - a.y) * share) * scale,
  };
}
