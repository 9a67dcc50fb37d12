import { expect, test, vi } from "vitest";
import type { ViewData } from "../messages";

import { Pointing } from "./pointing.svelte";
import { positionOf } from "./position";
import { board } from "./sample";
import { DoubleTap, wheelStep } from "./taps";
import type { Position } from "./types";
import { ARROWS, firstStop, intoSight, stopsOf, walk } from "./walk";
import { hitAt, isReady, momentOf, same, spotOf, trackAt } from "./what";

const view = {
  owners: { 0: 1 },
  waiting: {},
  closed: [2],
  players: [{ stations: [] }, { stations: ["B"] }],
} as unknown as ViewData;
const at = (more: Partial<Position> = {}): Position =>
  positionOf(board, view, { names: ["Anna", "Bert"], colours: [3, 0] }, more);

test("a position says who owns what, and what the screen points out", () => {
  expect(at({ beacons: ["A"] })).toMatchObject({
    owners: { 0: 1 },
    stations: { B: 1 },
    closed: [2],
    beacons: ["A"],
    placing: null,
    selected: null,
  });
});

test("a point hits the nearest thing, with more reach for fingers", () => {
  expect(hitAt(at(), { x: 110, y: 100 }, 1, "mouse")).toEqual({ track: 0 });
  expect(hitAt(at(), { x: 50, y: 102 }, 1, "mouse")).toEqual({ city: "A" });
  expect(hitAt(at(), { x: 110, y: 75 }, 1, "mouse")).toBeNull();
  expect(hitAt(at(), { x: 110, y: 75 }, 1, "touch")).toEqual({ track: 0 });
  expect(hitAt(at(), { x: 110, y: 75 }, 4, "touch")).toBeNull();
  expect(trackAt(at(), { x: 110, y: 75 }, 1)).toBe(0);
});

test("while a station is placed, cities open to it come first", () => {
  const placing = at({ placing: new Set(["B"]) });
  expect(hitAt(placing, { x: 155, y: 100 }, 1, "mouse")).toEqual({ city: "B" });
  expect(hitAt(at(), { x: 152, y: 100 }, 1, "mouse")).toEqual({ track: 0 });
  expect(isReady(placing, { city: "B" })).toBe(true);
  expect(isReady(placing, { city: "A" })).toBe(false);
  expect(isReady(at({ claimable: new Set([1]) }), { track: 1 })).toBe(true);
});

test("things are the same by their name", () => {
  expect(same({ track: 1 }, { track: 1 })).toBe(true);
  expect(same({ track: 1 }, { track: 2 })).toBe(false);
  expect(same({ city: "A" }, { track: 1 })).toBe(false);
  expect(same(null, { track: 1 })).toBe(false);
  expect(same(null, null)).toBe(true);
  expect(spotOf(board, { city: "B" })).toMatchObject({ x: 170, y: 100 });
});

test("arrow keys walk over tracks, or over cities for a station", () => {
  const stops = stopsOf(at());
  expect(stops).toHaveLength(3);
  expect(walk(stops, new Set(), { track: 0 }, ARROWS.ArrowRight!)?.what).toEqual({ track: 1 });
  expect(walk(stops, new Set(), { track: 1 }, ARROWS.ArrowRight!)).toBeNull();
  expect(walk(stops, new Set([2]), null, ARROWS.ArrowRight!)?.what).toEqual({ track: 2 });
  expect(firstStop(stops, new Set())?.what).toEqual({ track: 0 });
  const cities = stopsOf(at({ placing: new Set(["A", "C"]) }));
  expect(walk(cities, new Set(), { city: "A" }, ARROWS.ArrowRight!)?.what).toEqual({ city: "C" });
  expect(firstStop([], new Set())).toBeNull();
});

test("what the keys reach comes into sight", () => {
  expect([intoSight(10, 500), intoSight(250, 500), intoSight(490, 500)]).toEqual([30, 0, -30]);
});

test("two taps at one place within a moment are a double tap", () => {
  const taps = new DoubleTap();
  const here = { x: 10, y: 10 };
  expect(taps.tap(0, here)).toBe(false);
  expect(taps.tap(200, { x: 12, y: 10 })).toBe(true);
  expect(taps.tap(300, here)).toBe(false); // a third tap begins anew
  expect(taps.tap(700, here)).toBe(false);
  expect(taps.tap(800, { x: 100, y: 10 })).toBe(false);
  taps.forget();
  expect(taps.tap(900, { x: 100, y: 10 })).toBe(false);
});

test("a wheel zooms, with shift it pans", () => {
  const wheel = { deltaX: 0, deltaY: 100, deltaMode: 0, ctrlKey: false, shiftKey: false };
  expect(wheelStep({ ...wheel, shiftKey: true })).toEqual({ pan: -100 });
  expect(wheelStep({ ...wheel, shiftKey: true, deltaMode: 1 })).toEqual({ pan: -1600 });
  expect(wheelStep(wheel)).toEqual({ zoom: Math.exp(-0.16) });
  expect(wheelStep({ ...wheel, ctrlKey: true, shiftKey: true, deltaY: -10 })).toEqual({ zoom: Math.exp(0.1) });
});

test("the first tip waits, the next comes at once, a tapped one stays", () => {
  vi.useFakeTimers();
  const pointing = new Pointing();
  pointing.point({ track: 0 });
  expect(pointing.tip).toBeNull();
  vi.advanceTimersByTime(200);
  expect(pointing.tip).toEqual({ track: 0 });
  pointing.point({ track: 1 });
  expect(pointing.tip).toEqual({ track: 1 });
  pointing.leave();
  expect(pointing.tip).toBeNull();
  pointing.pin({ city: "A" });
  pointing.leave();
  expect(pointing.tip).toEqual({ city: "A" });
  pointing.point(null);
  expect(pointing.tip).toBeNull();
  pointing.dropping = 2;
  expect(pointing.lit).toEqual({ track: 2 });
  pointing.focused = { track: 1 };
  expect(pointing.lit).toEqual({ track: 1 });
  vi.useRealTimers();
});

test("a tip that was tapped goes when its thing stands otherwise", () => {
  const pointing = new Pointing();
  const free = at({ claimable: new Set([1]) });
  pointing.pin({ track: 1 });
  pointing.stands(momentOf(free, { track: 1 }));
  pointing.stands(momentOf(at({ selected: 1 }), { track: 1 })); // about to be claimed
  expect(pointing.tip).toEqual({ track: 1 });
  pointing.stands(momentOf(at({ owners: { 0: 1, 1: 0 } }), { track: 1 }));
  expect(pointing.tip).toBeNull();

  pointing.point({ track: 0 }, 0); // a mouse that rests on a track still wants to know
  pointing.stands("before");
  pointing.stands("after");
  expect(pointing.tip).toEqual({ track: 0 });
});
