import { describe as suite, expect, it } from "vitest";
import type { BoardData, MoveData } from "../messages";
import { LANGUAGES } from "../texts/languages";
import { describe } from "./describe";
import { settings } from "./settings.svelte";

const board = { tracks: [{ track: 4, from: "Paris", to: "Zürich", length: 3 }] } as unknown as BoardData;
const table = { names: ["Anna", "Bert"], board, me: 0 };
const move = (kind: MoveData["kind"], more: Partial<MoveData> = {}): MoveData => ({
  n: 1,
  seat: 1,
  kind,
  at: 0,
  ...more,
});

suite("what happened", () => {
  it("is told in full sentences", () => {
    expect(
      describe(move("claim", { track: 4, claimed: 4, cards: { red: 2, locomotive: 1 }, points: 4 }), table).text,
    ).toBe("Bert claimed Paris–Zürich for 2 red, 1 locomotive. That is 4 points.");
    expect(describe(move("draw_blind"), table).text).toBe("Bert drew from the deck.");
    expect(describe(move("draw_blind", { seat: 0, card: "red" }), table).text).toBe("You drew 1 red from the deck.");
    expect(describe(move("draw_tickets", { mix: { short: 2, long: 2 } }), table).text).toBe(
      "Bert drew 2 short and 2 long tickets.",
    );
    expect(describe(move("announce", { mix: { long: 3, short: 1 } }), table).text).toBe(
      "Bert asked for 1 short and 3 long tickets.",
    );
    expect(describe(move("draw_tickets", { mix: { "": 3 } }), table).text).toBe("Bert drew 3 tickets.");
    expect(describe(move("keep", { kept: 1 }), table).text).toBe("Bert kept 1 ticket.");
    expect(describe(move("keep"), table).text).toBe("Bert has chosen tickets.");
    expect(describe(move("take_passenger", { passenger: null, place: "Kiel" }), table).text).toBe(
      "Bert took nobody along in Kiel.",
    );
  });
  it("tells of tunnels", () => {
    const turned_up = ["red", "blue", "locomotive"];
    expect(describe(move("claim", { track: 4, cards: { red: 3 }, turned_up, extra: 2 }), table).text).toBe(
      "Bert began the tunnel Paris–Zürich with 3 red. It turned up red, blue, locomotive: 2 cards more.",
    );
    expect(
      describe(
        move("claim", { track: 4, claimed: 4, cards: { green: 3 }, turned_up: ["red", "blue", "red"], extra: 0 }),
        table,
      ).text,
    ).toContain("nothing extra");
  });
  it("has names and cards as parts, and no full stop that could begin a line", () => {
    expect(describe(move("draw_face_up", { card: "red" }), table).parts).toEqual([
      { name: "Bert", seat: 1 },
      { text: " took " },
      { cards: ["red"], after: "" },
    ]);
    const parts = describe(
      move("claim", { track: 4, cards: { red: 1 }, turned_up: ["blue"], extra: 0, points: 4 }),
      table,
    ).parts;
    expect(parts[4]).toEqual({ cards: ["blue"], after: ":" });
    expect(parts.at(-1)).toEqual({ points: 4 });
  });
  it("has words for everything in every language", () => {
    const kinds = [
      "announce",
      "keep",
      "draw_blind",
      "draw_face_up",
      "draw_tickets",
      "claim",
      "station",
      "pay_extra",
      "give_up",
      "take_passenger",
      "pass",
    ] as const;
    for (const language of LANGUAGES) {
      settings.language = language;
      for (const kind of kinds)
        for (const seat of [0, 1])
          expect(describe(move(kind, { seat, card: "red" }), table).text).not.toMatch(/game\.|\{/);
    }
    settings.language = "en";
  });
});
