import { describe, expect, it } from "vitest";
import type { MoveData } from "../messages";
import { lingering, nextHolder } from "./curtain";

describe("the curtain", () => {
  it("never falls for one person alone", () => {
    expect(nextHolder([1], [1], null)).toBeNull();
    expect(nextHolder([], [0], null)).toBeNull();
  });
  it("asks who looks when the page was just opened", () => {
    expect(nextHolder([0, 2], [2], null)).toBe(2);
    expect(nextHolder([0, 2], [1], null)).toBe(0);
  });
  it("stays up while the holder goes on, or nobody here is to move", () => {
    expect(nextHolder([0, 2], [0], 0)).toBeNull();
    expect(nextHolder([0, 2], [1], 0)).toBeNull();
    expect(nextHolder([0, 2], [0, 1, 2], 2)).toBeNull();
  });
  it("falls for another seat of this device", () => {
    expect(nextHolder([0, 2], [2], 0)).toBe(2);
    expect(nextHolder([0, 1, 2], [0, 2], 1)).toBe(2);
    expect(nextHolder([0, 1, 2], [0, 1], 2)).toBe(0);
  });
  it("lets the holder see what was drawn", () => {
    const move = (kind: MoveData["kind"], more: Partial<MoveData> = {}): MoveData => ({
      n: 1,
      seat: 0,
      kind,
      at: 0,
      ...more,
    });
    expect(lingering(null)).toBe(0);
    expect(lingering(move("draw_blind"))).toBeGreaterThan(lingering(move("keep")));
    expect(lingering(move("claim", { turned_up: ["red", "red", "blue"] }))).toBeGreaterThan(3 * 650);
  });
});
