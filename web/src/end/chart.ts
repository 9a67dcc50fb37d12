/** Scales and lines of the small charts. */

export interface Scale {
  low: number;
  high: number;
  ticks: number[];
}

/** A scale that holds all values, zero included, with round steps. */
export function scaleOf(values: number[], wanted = 4): Scale {
  const least = Math.min(0, ...values);
  const most = Math.max(1, ...values);
  const rough = (most - least) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power);
  const low = Math.floor(least / step) * step;
  const high = Math.ceil(most / step) * step;
  return { low, high, ticks: Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => low + at * step) };
}

/** Round positions along `count` turns for the lower axis, the last turn always among them. */
export function turnTicks(count: number, wanted = 6): number[] {
  if (count < 2) return [0];
  const { ticks } = scaleOf([count - 1], wanted);
  const step = ticks[1]! - ticks[0]!;
  return [...ticks.filter((tick) => tick < count - 1 - step / 2), count - 1];
}

/** An SVG path through values, as steps: a score holds until it changes. */
export function linePath(values: number[], x: (at: number) => number, y: (value: number) => number): string {
  return values
    .map((value, at) => (at === 0 ? `M${round(x(0))} ${round(y(value))}` : `H${round(x(at))}V${round(y(value))}`))
    .join("");
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Heights of labels at the end of lines, pushed apart to at least `room`, within bounds, in the same order. */
export function spread(heights: number[], room: number, top: number, bottom: number): number[] {
  const order = heights.map((_, at) => at).sort((a, b) => heights[a]! - heights[b]! || a - b);
  const placed = [...heights];
  order.forEach((at, rank) => {
    const above = rank ? placed[order[rank - 1]!]! + room : top;
    placed[at] = Math.max(heights[at]!, above);
  });
  let limit = bottom;
  for (const at of order.reverse()) {
    placed[at] = Math.min(placed[at]!, limit);
    limit = placed[at]! - room;
  }
  return placed;
}
