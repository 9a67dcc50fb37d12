import { describe, expect, it } from "vitest";
import type { CityData } from "../messages";
import { cover } from "./camera";
import { labelBox, labelZoom, namedCities } from "./labels";
import { board } from "./sample";
import { placeTip } from "./tip_place";

const apart = (at: { x: number; y: number }, tip: { width: number; height: number }, thing: typeof THING): boolean =>
  at.x + tip.width <= thing.left || at.x >= thing.right || at.y + tip.height <= thing.top || at.y >= thing.bottom;
const THING = { left: 150, right: 250, top: 140, bottom: 160 };
const SCREEN = { width: 400, height: 300 };

describe("a tip", () => {
  it("stands above its thing, or below where there is no room", () => {
    expect(placeTip(THING, { width: 100, height: 80 }, SCREEN)).toEqual({ x: 150, y: 50 });
    const high = { ...THING, top: 20, bottom: 40 };
    expect(placeTip(high, { width: 100, height: 80 }, SCREEN)).toEqual({ x: 150, y: 50 });
  });

  it("goes beside a thing that is as high as the screen", () => {
    const pillar = { left: 150, right: 170, top: 10, bottom: 290 };
    const tip = { width: 120, height: 80 };
    const at = placeTip(pillar, tip, SCREEN);
    expect(at.x).toBeGreaterThanOrEqual(pillar.right);
    expect(apart(at, tip, pillar)).toBe(true);
  });

  it("never covers what it is about while there is another place, and stays on the screen", () => {
    const tip = { width: 140, height: 90 };
    for (let left = 0; left <= 380; left += 20)
      for (let top = 0; top <= 280; top += 20) {
        const thing = { left, right: left + 60, top, bottom: top + 20 };
        const at = placeTip(thing, tip, SCREEN);
        expect(apart(at, tip, thing)).toBe(true);
        expect(Math.min(at.x, at.y)).toBeGreaterThanOrEqual(0);
        expect(at.x + tip.width).toBeLessThanOrEqual(SCREEN.width);
        expect(at.y + tip.height).toBeLessThanOrEqual(SCREEN.height);
      }
  });
});

describe("names", () => {
  const named = (name: string, x: number): CityData => ({
    ...board.cities[0]!,
    name,
    x,
    label: { ...board.cities[0]!.label, anchor: "start", lines: [[x + 12, 104, name]] },
  });
  const crowded = { ...board, cities: [named("Aachen", 50), named("Bonn", 90), named("Cottbus", 250)] };

  it("grow until they can be read", () => {
    const [city] = crowded.cities;
    expect(labelZoom(board, city!, 1)).toBe(1);
    expect(labelZoom(board, city!, 0.25) * board.font_size * 0.25).toBe(10);
  });

  it("grow away from their city", () => {
    const [city] = crowded.cities;
    const [small, large] = [labelBox(city!, 16, 1), labelBox(city!, 16, 2)];
    expect(large.left - city!.x).toBe(2 * (small.left - city!.x));
    expect(large.right - large.left).toBe(2 * (small.right - small.left));
  });

  it("are all there where the board was laid out for it", () => {
    expect(namedCities(crowded, 1, () => false).size).toBe(3);
  });

  it("make room for mine where there is none for all", () => {
    expect([...namedCities(crowded, 0.4, () => false)]).toEqual(["Aachen", "Cottbus"]);
    expect([...namedCities(crowded, 0.4, ({ name }) => name === "Bonn")]).toEqual(["Bonn", "Cottbus"]);
  });
});

it("a screen that stands on its end begins filled, at most twice as near as the whole board", () => {
  const screen = { width: 200, height: 200 };
  const middle = { x: 300, y: 100 };
  expect(cover(board, screen, 0, middle)).toEqual({ scale: 1, x: -200, y: 0 });
  expect(cover(board, { width: 100, height: 800 }, 0, middle).scale).toBe(0.5);
});
