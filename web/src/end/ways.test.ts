import { expect, it } from "vitest";
import { boardOf } from "./sample";
import { wayOf } from "./ways";

const board = boardOf(
  [
    ["A", "B", 1],
    ["B", "C", 1],
    ["A", "C", 5],
    ["C", "X1", 2],
    ["X2", "D", 2],
  ],
  { X1: "X", X2: "X" },
);

it("takes the way with the fewest trains", () => {
  expect(wayOf(board, [0, 1, 2], "A", "C")).toEqual([0, 1]);
  expect(wayOf(board, [0, 2], "C", "B")).toEqual([2, 0]);
});

it("finds none over tracks of others", () => expect(wayOf(board, [0], "A", "C")).toEqual([]));

it("ends in a country, and does not cross it", () => {
  expect(wayOf(board, [2, 3, 4], "A", "X")).toEqual([2, 3]);
  expect(wayOf(board, [2, 3, 4], "X", "D")).toEqual([4]);
  expect(wayOf(board, [2, 3, 4], "A", "D")).toEqual([]);
});
