import { expect, it } from "vitest";
import { move, view } from "../lib/fake_socket";
import { flightsOf } from "./flights";

it("cards fly from where they were to where they are", () => {
  const before = view({ face_up: ["red", "blue"] });
  const after = view({ face_up: ["red", "green"] });
  const flown = (one: Parameters<typeof move>[2], seat = 1) => flightsOf([move(4, seat, one)], before, after, 0);
  expect(flown({ kind: "draw_face_up", card: "blue" })).toEqual([
    { from: "face-1", to: "player-1", card: "blue", back: "cards" },
  ]);
  expect(flown({ kind: "draw_blind", card: "red" }, 0)).toEqual([
    { from: "deck", to: "hand-red", card: "red", back: "cards" },
  ]);
  expect(flown({ kind: "claim", claimed: 5, cards: { red: 2 } }, 0)).toEqual(
    Array(2).fill({ from: "hand-red", to: "track-5", card: "red", back: "cards" }),
  );
  expect(flown({ kind: "claim", track: 5, cards: { red: 2 } })).toEqual([]); // a tunnel that is not claimed yet
});
