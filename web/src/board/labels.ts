/** Names on a board: as large as can be read, and where there is no room for all of them, mine first. */

import type { BoardData, CityData } from "../messages";
import type { Box } from "./camera";

/** Pixels of the smallest letters that can be read. */
const READABLE = 10;
/** Pixels that a name may reach beyond the board. */
const BEYOND = 8;
/** Widths of a letter and of a line, in sizes of the font. */
const LETTER = 0.46;
const LINE = 1;

const fontOf = (board: BoardData, { country }: CityData): number => (country ? board.gate_font_size : board.font_size);

/** By how much the name of a city must grow to be read at a scale of the board. */
export function labelZoom(board: BoardData, city: CityData, scale: number): number {
  return scale ? Math.max(READABLE / (fontOf(board, city) * scale), 1) : 1;
}

/** Where the name of a city stands when it has grown: every line of it, away from the city's middle. */
export function labelBox(city: CityData, font: number, zoom: number): Box {
  const boxes = city.label.lines.map(([x, y, text]): Box => {
    const width = text.length * font * LETTER;
    const left = city.label.anchor === "start" ? x : city.label.anchor === "end" ? x - width : x - width / 2;
    return { left, right: left + width, top: y - font * LINE * 0.75, bottom: y + font * LINE * 0.2 };
  });
  const grown = (at: number, from: number): number => from + (at - from) * zoom;
  return {
    left: grown(Math.min(...boxes.map(({ left }) => left)), city.x),
    right: grown(Math.max(...boxes.map(({ right }) => right)), city.x),
    top: grown(Math.min(...boxes.map(({ top }) => top)), city.y),
    bottom: grown(Math.max(...boxes.map(({ bottom }) => bottom)), city.y),
  };
}

const meet = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Cities whose names there is room for: those that come first, and others that do not lie over them. */
export function namedCities(board: BoardData, scale: number, first: (city: CityData) => boolean): ReadonlySet<string> {
  if (board.font_size * scale >= READABLE || !scale) return new Set(board.cities.map(({ name }) => name)); // the board was laid out for this
  const slack = BEYOND / scale;
  const placed: Box[] = [];
  const named = new Set<string>();
  const order = [...board.cities].sort((a, b) => Number(first(b)) - Number(first(a)));
  for (const city of order) {
    if (!city.label.lines.length) continue;
    const box = labelBox(city, fontOf(board, city), labelZoom(board, city, scale));
    const outside = box.left < -slack || box.right > board.width + slack;
    if (placed.some((other) => meet(box, other)) || (outside && !first(city))) continue;
    placed.push(box);
    named.add(city.name);
  }
  return named;
}
