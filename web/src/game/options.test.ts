import { describe, expect, it } from "vitest";
import type { Options, Payment } from "../messages";
import { counted, kinds, total } from "../lib/cards";
import { claimable, decksOf, evenMix, keepOf, keepProblem, onlyPass, paymentWith, placeOf, possible } from "./options";

const payments: Payment[] = [
  { id: 1, cards: { red: 2 } },
  { id: 2, cards: { red: 1, locomotive: 1 } },
  { id: 3, cards: { locomotive: 2 } },
  { id: 4, cards: { blue: 2 } },
];

describe("payments", () => {
  it("follow the card that was picked", () => {
    expect(paymentWith(payments, "red")).toBe(0);
    expect(paymentWith(payments, "blue")).toBe(3);
    expect(paymentWith(payments, "locomotive")).toBe(2);
    expect(paymentWith(payments, "green")).toBe(-1);
  });
  it("decide which tracks a card can have", () => {
    const options: Options = { claims: { 5: payments, 7: [{ id: 9, cards: { green: 1 } }] } };
    expect([...claimable(options)]).toEqual([5, 7]);
    expect([...claimable(options, "green")]).toEqual([7]);
    expect(claimable(null).size).toBe(0);
  });
});

describe("tickets to keep", () => {
  const two = [
    [0, 1],
    [0, 2],
    [1, 2],
    [0, 1, 2],
  ].map((kept, id) => ({ id, kept }));
  const atMostOne = [[], [0], [1]].map((kept, id) => ({ id, kept }));
  it("are found whatever the order", () => expect(keepOf(two, [2, 0])?.id).toBe(1));
  it("are too few", () => {
    expect(keepProblem(two, [])).toEqual({ why: "few", n: 2 });
    expect(keepProblem(two, [1])).toEqual({ why: "few", n: 2 });
    expect(keepProblem(two, [1, 2])).toBeNull();
  });
  it("are too many", () => {
    expect(keepProblem(atMostOne, [0, 1])).toEqual({ why: "many", n: 1 });
    expect(keepProblem(atMostOne, [])).toBeNull();
  });
  it("do not go together", () =>
    expect(keepProblem([...two.slice(1), { id: 8, kept: [3, 1] }], [0, 1, 3])).toEqual({ why: "together", n: 3 }));
});

describe("a turn", () => {
  it("names what can be done", () => {
    expect(possible({ draw_blind: 1, draw_tickets: [{ id: 1, mix: {} }] })).toEqual(["draw", "tickets"]);
    expect(possible({ draw_face_up: { red: 1 }, claims: { 1: payments }, stations: { cities: {}, payments } })).toEqual(
      ["draw", "claim", "station"],
    );
    expect(possible(null)).toEqual([]);
  });
  it("is passed only if nothing else is left", () => {
    expect(onlyPass({ pass: 0 })).toBe(true);
    expect(onlyPass({ pass: 0, draw_blind: 1 })).toBe(false);
    expect(onlyPass(null)).toBe(false);
  });
});

describe("mixes", () => {
  const mixes = [0, 1, 2, 3, 4].map((long) => ({ id: long, mix: { long, short: 4 - long } }));
  it("have decks in a steady order", () => expect(decksOf(mixes)).toEqual(["short", "long"]));
  it("offer an even one first", () => expect(evenMix(mixes)?.id).toBe(2));
});

describe("cards", () => {
  it("are counted and put in order", () => {
    expect(kinds(counted(["red", null, "purple", "red"]))).toEqual([
      ["purple", 1],
      ["red", 2],
    ]);
    expect(total({ red: 2, blue: 1 })).toBe(3);
  });
  it("are taken from the place that changed", () => {
    expect(placeOf(["red", "blue", "red"], ["red", "blue", "green"], "red")).toBe(2);
    expect(placeOf(["red", "blue", "red"], ["red", "blue", "red"], "red")).toBe(0);
  });
});
