import { expect, it } from "vitest";
import { linePath, scaleOf, spread, turnTicks } from "./chart";

it("has round steps and holds every value", () => {
  expect(scaleOf([3, 97])).toEqual({ low: 0, high: 100, ticks: [0, 50, 100] });
  expect(scaleOf([-12, 30])).toEqual({ low: -20, high: 40, ticks: [-20, 0, 20, 40] });
  expect(scaleOf([0, 0]).ticks).toEqual([0, 1]);
});

it("names the last turn without crowding it", () => {
  expect(turnTicks(52, 5)).toEqual([0, 20, 40, 51]);
  expect(turnTicks(42, 5)).toEqual([0, 10, 20, 30, 41]);
  expect(turnTicks(1)).toEqual([0]);
});

it("draws steps", () =>
  expect(
    linePath(
      [1, 4],
      (at) => at * 10,
      (value) => 100 - value,
    ),
  ).toBe("M0 99H10V96"));

it("pushes labels apart within bounds", () => {
  expect(spread([50, 50, 10], 20, 0, 100)).toEqual([50, 70, 10]);
  expect(spread([95, 98], 20, 0, 100)).toEqual([80, 100]);
});
