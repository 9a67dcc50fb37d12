import { expect, test } from "vitest";
import type { HistoryGame } from "../lib/history";
import { byEdition, placeOf, standings, sumOf } from "./statistics";

const game = (points: number[], winners: number[], mine: number[], edition = "usa"): HistoryGame => ({
  site: "",
  table: "t",
  edition,
  called: edition,
  ended: 1,
  players: points.map((one, at) => ({ name: `P${at}`, bot: null, points: one })),
  winners,
  mine,
});

test("places: who won comes first, whoever has as many points shares a place", () => {
  expect(standings(game([50, 80, 80, 50], [2], [0]))).toEqual([
    { place: 1, seats: [2] },
    { place: 2, seats: [1] },
    { place: 3, seats: [0, 3] },
  ]);
  expect(placeOf(game([50, 80, 80, 50], [2], [3]))).toBe(3);
  expect(placeOf(game([80, 80], [0, 1], [1]))).toBe(1);
  expect(placeOf(game([80, 70], [0], [0, 1]))).toBe(null);
});

test("sums count games of one seat only", () => {
  const games = [
    game([120, 80], [0], [0]),
    game([60, 80], [1], [0], "europe"),
    game([150, 80], [0], [0, 1]),
    game([-4, 80], [1], [0], "europe"),
    game([1, 2], [1], [0], "europe"),
  ];
  expect(sumOf(games)).toEqual({ games: 5, counted: 4, wins: 1, best: 120 });
  expect(byEdition(games).map(({ edition, sum }) => [edition, sum.games, sum.wins, sum.best])).toEqual([
    ["europe", 3, 0, 60],
    ["usa", 2, 1, 120],
  ]);
  expect(sumOf([]).best).toBe(null);
});
