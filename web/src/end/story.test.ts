import { describe, expect, it } from "vitest";
import { secondsOf, spanOf, storyOf } from "./story";
import { boardOf, player, result } from "./sample";

const board = boardOf([
  ["A", "B", 3],
  ["B", "C", 2],
  ["C", "D", 4],
]);

describe("the story of a final count", () => {
  it("ends with the totals of the score sheet", () => {
    const end = result([
      player({
        routes: 20,
        tickets: -3,
        stations: 8,
        path: 10,
        total: 35,
        path_length: 5,
        path_tracks: [0, 1],
        path_cities: ["A", "B", "C"],
        completed: [{ from: "A", to: "C", points: 5, kind: "regular" }],
        failed: [{ from: "A", to: "D", points: 8, kind: "regular" }],
      }),
      player({
        routes: 12,
        tickets: 6,
        stations: 4,
        total: 22,
        completed: [{ from: "B", to: "D", points: 6, kind: "regular" }],
        borrowed: [
          { city: "C", track: 1, route: "B–C" },
          { city: "A", track: null, route: null },
        ],
      }),
    ]);
    const story = storyOf(end, board, { 0: 0, 1: 0, 2: 1 });
    expect(story.map((step) => step.kind)).toEqual([
      "routes",
      "ticket",
      "ticket",
      "ticket",
      "station",
      "station",
      "saved",
      "path",
      "verdict",
    ]);
    expect(story.at(-1)!.totals).toEqual([35, 22]);
    const [, failed, completed, borrowed] = story;
    expect(failed).toMatchObject({
      seat: 0,
      completed: false,
      gains: [-8, 0],
      tracks: [],
      cities: ["A", "D"],
      place: 1,
      of: 2,
    });
    expect(completed).toMatchObject({ seat: 0, completed: true, gains: [5, 0], tracks: [0, 1], borrowed: [] });
    expect(borrowed).toMatchObject({ seat: 1, tracks: [1, 2], borrowed: ["C"] });
    expect(story[7]).toMatchObject({ kind: "path", tracks: [0, 1], cities: ["A", "C"], gains: [10, 0] });
  });

  it("tells passengers colour by colour", () => {
    const anna = player({
      passengers: 27,
      total: 27,
      collected: { red: 3, blue: 1 },
      passenger_points: { red: 20, blue: 7 },
    });
    const bert = player({
      passengers: 7,
      total: 7,
      collected: { red: 1, blue: 1 },
      passenger_points: { red: 0, blue: 7 },
    });
    const story = storyOf(result([anna, bert]), board, {});
    expect(story.map((step) => step.gains)).toEqual([
      [0, 0],
      [20, 0],
      [7, 7],
      [0, 0],
    ]);
    expect(story[1]).toMatchObject({ kind: "passengers", colour: "red", counts: [3, 1] });
  });

  it("knows the globetrotters", () => {
    const story = storyOf(result([player({ globetrotter: 15, total: 15 }), player({})]), board, {});
    expect(story.map((step) => step.kind)).toEqual(["routes", "globetrotter", "verdict"]);
  });
});

it("holds every score on the way, below zero too", () => {
  const end = result([
    player({ routes: 5, tickets: -20, total: -15, failed: [{ from: "A", to: "D", points: 20, kind: "regular" }] }),
    player({ routes: 30, total: 30 }),
  ]);
  expect(spanOf(storyOf(end, board, {}))).toEqual({ low: -15, high: 30 });
});

it("hurries through many tickets", () => {
  const tickets = (n: number) =>
    Array.from({ length: n }, () => ({ from: "A", to: "D", points: 1, kind: "regular" as const }));
  const few = storyOf(result([player({ failed: tickets(4) })]), board, {});
  const many = storyOf(result([player({ failed: tickets(80) })]), board, {});
  expect(secondsOf(few[1]!, few)).toBe(2.5);
  expect(secondsOf(many[1]!, many)).toBeLessThan(1);
});
