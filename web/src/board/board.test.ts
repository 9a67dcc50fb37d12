import { describe, expect, test } from "vitest";
import { arcsOf, endsOfTicket } from "./arcs";
import { between, fit, held, lookingAt, pinch, toBoard, toScreen, within, zoomed } from "./camera";
import { backwards, lineOf, middleOf, nearestCity, nearestTrack, towards, upright } from "./near";
import { board } from "./sample";

const screen = { width: 800, height: 600 };

describe("camera", () => {
  test("fits the whole board into the middle", () => {
    expect(fit(board, screen)).toEqual({ scale: 2, x: 0, y: 100 });
  });

  test("zooms around a point that keeps its place, also at the limits", () => {
    const whole = fit(board, screen);
    const at = { x: 300, y: 250 };
    const near = zoomed(whole, within(whole.scale * 100, board, screen), at);
    expect(toScreen(near, toBoard(whole, at))).toEqual(at);
    expect(near.scale).toBeLessThan(5);
  });

  test("is held at the board's edges, and in the middle where the board is smaller", () => {
    expect(held({ scale: 4, x: 500, y: -5000 }, board, screen)).toEqual({ scale: 4, x: 0, y: -200 });
    expect(held({ scale: 0.1, x: 9, y: 9 }, board, screen)).toEqual(fit(board, screen));
  });

  test("two fingers: factor and the point between them", () => {
    const moved = pinch(
      [
        { x: 0, y: 0 },
        { x: 10, y: 0 },
      ],
      [
        { x: 0, y: 0 },
        { x: 20, y: 0 },
      ],
    );
    expect(moved).toEqual({ factor: 2, from: { x: 5, y: 0 }, to: { x: 10, y: 0 } });
  });

  test("flies from one look to another and arrives", () => {
    const [from, to] = [fit(board, screen), lookingAt({ left: 100, top: 80, right: 200, bottom: 120 }, screen, 40, 3)];
    for (const key of ["scale", "x", "y"] as const) {
      expect(between(from, to, 0, screen)[key]).toBeCloseTo(from[key]);
      expect(between(from, to, 1, screen)[key]).toBeCloseTo(to[key]);
    }
    expect(between(from, { ...from, x: 50 }, 0.5, screen).x).toBeCloseTo((from.x + 50) / 2);
  });
});

describe("what is near", () => {
  test("the nearest track within reach", () => {
    expect(nearestTrack(board, { x: 110, y: 98 }, 12)).toBe(0);
    expect(nearestTrack(board, { x: 110, y: 116 }, 12)).toBe(2);
    expect(nearestTrack(board, { x: 110, y: 160 }, 12)).toBe(null);
  });

  test("a wanted track wins where a finger covers two", () => {
    expect(nearestTrack(board, { x: 110, y: 105 }, 24)).toBe(0);
    expect(nearestTrack(board, { x: 110, y: 105 }, 24, new Set([2]))).toBe(2);
    expect(nearestTrack(board, { x: 110, y: 96 }, 24, new Set([2]))).toBe(0);
  });

  test("the nearest city, among all or some", () => {
    expect(nearestCity(board, { x: 60, y: 105 }, 5)).toBe("A");
    expect(nearestCity(board, { x: 60, y: 105 }, 5, new Set(["B"]))).toBe(null);
  });

  test("arrow keys go to the next spot that way", () => {
    const spots = board.tracks.map(middleOf);
    expect(towards(spots, 0, { x: 1, y: 0 })).toBe(1);
    expect(towards(spots, 0, { x: 0, y: 1 })).toBe(2);
    expect(towards(spots, 0, { x: -1, y: 0 })).toBe(null);
  });

  test("nothing stands on its head", () => {
    expect([0, 90, 180, 270, -135].map(upright)).toEqual([0, 90, 0, 90, 45]);
  });

  test("a path is drawn along its order", () => {
    expect(backwards(board, [0, 1])).toEqual([false, false]);
    expect(backwards(board, [1, 0])).toEqual([true, true]);
    expect(lineOf(board.tracks[1]!)[0]).toEqual({ x: 180, y: 100 });
  });
});

describe("tickets as arcs", () => {
  test("of a country the nearest gate counts", () => {
    expect(endsOfTicket(board, "A", "Land")!.map((end) => end.name)).toEqual(["A", "North"]);
    expect(endsOfTicket(board, "Land", "C")!.map((end) => end.name)).toEqual(["South", "C"]);
    expect(endsOfTicket(board, "A", "Nowhere")).toBe(null);
  });

  test("badges keep clear of each other", () => {
    const [first, second] = arcsOf(
      board,
      [
        { from: "A", to: "C" },
        { from: "A", to: "C" },
      ],
      1,
    );
    expect(Math.hypot(first!.badge.x - second!.badge.x, first!.badge.y - second!.badge.y)).toBeGreaterThan(20);
  });
});
