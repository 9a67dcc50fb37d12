import { expect, it } from "vitest";
import type { Frame, Moment } from "../messages";
import { Frames } from "./frames";
import { lastStop, nextStop, readSpot, turnsDone, turnStops, writeSpot } from "./stops";

const timeline = [0, 3, 5, 6].map((n) => ({ n, seat: 0 })) as Moment[];

it("stops after turns and at both ends", () => {
  const stops = turnStops(timeline, 8);
  expect(stops).toEqual([0, 3, 5, 6, 8]);
  expect([nextStop(stops, 3), nextStop(stops, 4), nextStop(stops, 8)]).toEqual([5, 5, 8]);
  expect([lastStop(stops, 5), lastStop(stops, 4), lastStop(stops, 0)]).toEqual([3, 3, 0]);
  expect([0, 4, 5, 8].map((n) => turnsDone(timeline, n))).toEqual([0, 0, 1, 2]);
});

it("keeps its place in the address, and takes no nonsense from it", () => {
  expect(writeSpot("/replay/x", { n: 57, eyes: 1 })).toBe("/replay/x?n=57&eyes=1");
  expect(writeSpot("/replay/x", { n: 0, eyes: null })).toBe("/replay/x?n=0");
  expect(readSpot(new URLSearchParams("n=57&eyes=1"), 100, 2)).toEqual({ n: 57, eyes: 1 });
  expect(readSpot(new URLSearchParams("n=570&eyes=7"), 100, 2)).toEqual({ n: 100, eyes: null });
  expect(readSpot(new URLSearchParams("n=x&eyes=-1"), 100, 2)).toEqual({ n: 0, eyes: null });
});

it("fetches every frame once, neighbours ahead, and a failed one again", async () => {
  const asked: string[] = [];
  let fails = true;
  const frames = new Frames((n, eyes) => {
    asked.push(`${eyes}:${n}`);
    return n === 2 && fails ? Promise.reject(new Error("away")) : Promise.resolve({ n, seat: eyes } as Frame);
  }, 3);
  await frames.get(1, null);
  await frames.get(1, null);
  expect(frames.ready(1, null)?.n).toBe(1);
  expect(frames.ready(1, 0)).toBeUndefined();
  await frames.prefetch(1, null);
  expect(asked).toEqual(["null:1", "null:2", "null:3", "null:0"]);
  fails = false;
  expect((await frames.get(2, null)).n).toBe(2);
});
