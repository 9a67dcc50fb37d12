/** Where a bubble goes: never over what it points at, if possible not over what is needed to do it. */

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Pixels to the edges of the screen, and to what is pointed at. */
const EDGE = 8;
const GAP = 16;

const overlap = (a: Rect, b: Rect): number =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

const middle = ({ x, y, width, height }: Rect): [number, number] => [x + width / 2, y + height / 2];
const clamp = (n: number, most: number): number => Math.max(EDGE, Math.min(n, most - EDGE));

/** The best place for a bubble of a size on a screen; without a target it stands in the middle. */
export function placeFor(
  size: { width: number; height: number },
  target: Rect | null,
  avoid: readonly Rect[],
  screen: { width: number; height: number },
): Rect {
  const { width, height } = size;
  const at = (x: number, y: number): Rect => ({
    x: clamp(x, screen.width - width),
    y: clamp(y, screen.height - height),
    width,
    height,
  });
  const [cx, cy] = target ? middle(target) : [screen.width / 2, screen.height / 2];
  if (!target && !avoid.length) return at(cx - width / 2, cy - height / 2);
  const near = target ?? { x: cx, y: cy, width: 0, height: 0 };
  const xs = [cx - width / 2, near.x - width - GAP, near.x + near.width + GAP, EDGE, screen.width - width - EDGE];
  const ys = [cy - height / 2, near.y - height - GAP, near.y + near.height + GAP, EDGE, screen.height - height - EDGE];
  const places = xs.flatMap((x) => ys.map((y) => at(x, y)));
  const padded = target && {
    x: target.x - 6,
    y: target.y - 6,
    width: target.width + 12,
    height: target.height + 12,
  };
  const cost = (place: Rect): number => {
    const [px, py] = middle(place);
    const covered = avoid.reduce((sum, one) => sum + overlap(place, one), 0);
    return (padded ? overlap(place, padded) * 1000 : 0) + covered * 10 + Math.hypot(px - cx, py - cy);
  };
  return places.reduce((best, place) => (cost(place) < cost(best) ? place : best));
}

/** The line from a bubble to what it points at: from edge to edge, or null where they touch. */
export function leader(bubble: Rect, target: Rect): { x1: number; y1: number; x2: number; y2: number } | null {
  const between = (n: number, from: number, length: number, inset: number): number =>
    Math.max(from + Math.min(inset, length / 2), Math.min(n, from + length - Math.min(inset, length / 2)));
  const [tx, ty] = middle(target);
  const x1 = between(tx, bubble.x, bubble.width, 18);
  const y1 = between(ty, bubble.y, bubble.height, 18);
  const x2 = between(x1, target.x, target.width, 0);
  const y2 = between(y1, target.y, target.height, 0);
  // begin at the bubble's edge, not inside it
  const sx = x2 < bubble.x ? bubble.x : x2 > bubble.x + bubble.width ? bubble.x + bubble.width : x1;
  const sy = y2 < bubble.y ? bubble.y : y2 > bubble.y + bubble.height ? bubble.y + bubble.height : y1;
  return Math.hypot(x2 - sx, y2 - sy) < 6 ? null : { x1: sx, y1: sy, x2, y2 };
}
