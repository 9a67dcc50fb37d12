import { describe, expect, it } from "vitest";
import { passengerPoints, secondsOf, spanOf, storyOf } from "./story";
import { boardOf, player, result } from "./sample";

const board = boardOf([
  ["A", "B", 3],
  ["B", "C", 2],
  ["C", "D", 4],
]);

describe("the story of a final count", () => {
  it("ends with the totals of the score sheet", () => {
    const end = result([
      player({ routes: 20, tickets: -3, stations: 8, path: 10, total: 35, path_length: 5, path_tracks: [0, 1], path_cities: ["A", "B", "C"],
        completed: [{ from: "A", to: "C", points: 5 }], failed: [{ from: "A", to: "D", points: 8 }] }), // prettier-ignore
      player({ routes: 12, tickets: 6, stations: 4, total: 22, completed: [{ from: "B", to: "D", points: 6 }],
        borrowed: [{ city: "C", track: 1, route: "B–C" }, { city: "A", track: null, route: null }] }), // prettier-ignore
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
    expect(failed).toMatchObject({ seat: 0, completed: false, gains: [-8, 0], tracks: [], cities: ["A", "D"], place: 1, of: 2 });
    expect(completed).toMatchObject({ seat: 0, completed: true, gains: [5, 0], tracks: [0, 1], borrowed: [] });
    expect(borrowed).toMatchObject({ seat: 1, tracks: [1, 2], borrowed: ["C"] });
    expect(story[7]).toMatchObject({ kind: "path", tracks: [0, 1], cities: ["A", "C"], gains: [10, 0] });
  });

  it("tells passengers colour by colour, and in one step where other prizes were paid", () => {
    const collected = [
      { red: 3, blue: 1 },
      { red: 1, blue: 1 },
    ];
    const told = (points: number[]) =>
      storyOf(
        result(
          points.map((passengers, seat) =>
            player({ passengers, total: passengers, collected: collected[seat]! as Record<string, number> }),
          ),
        ),
        board,
        {},
      );
    expect(told([40, 30]).map((step) => step.gains)).toEqual([[0, 0], [20, 10], [20, 20], [0, 0]]); // prettier-ignore
    expect(told([7, 5]).map((step) => step.kind)).toEqual(["routes", "all_passengers", "verdict"]);
  });

  it("knows the globetrotters", () => {
    const story = storyOf(result([player({ globetrotter: 15, total: 15 }), player({})]), board, {});
    expect(story.map((step) => step.kind)).toEqual(["routes", "globetrotter", "verdict"]);
  });
});

describe("points for passengers", () => {
  it.each([
    [[3, 2, 1], [20, 10, 0]],
    [[3, 3, 1], [20, 20, 0]],
    [[3, 2, 2], [20, 10, 10]],
    [[1, 0, 0], [20, 0, 0]],
    [[0, 0], [0, 0]],
  ])("%j brings %j", (counts, points) => expect(passengerPoints(counts)).toEqual(points)); // prettier-ignore
});

it("holds every score on the way, below zero too", () => {
  const end = result([
    player({ routes: 5, tickets: -20, total: -15, failed: [{ from: "A", to: "D", points: 20 }] }),
    player({ routes: 30, total: 30 }),
  ]);
  expect(spanOf(storyOf(end, board, {}))).toEqual({ low: -15, high: 30 });
});

it("hurries through many tickets", () => {
  const tickets = (n: number) => Array.from({ length: n }, () => ({ from: "A", to: "D", points: 1 }));
  const few = storyOf(result([player({ failed: tickets(4) })]), board, {});
  const many = storyOf(result([player({ failed: tickets(80) })]), board, {});
  expect(secondsOf(few[1]!, few)).toBe(2.5);
  expect(secondsOf(many[1]!, many)).toBeLessThan(1);
});
