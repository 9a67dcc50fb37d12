/** Which cards flew from where to where between two views. */

import type { MoveData, ViewData } from "../messages";
import { kinds } from "../lib/cards";
import { placeOf } from "./options";

/** Places are names of `data-fly`, or `track-` and a number. */
export interface Flight {
  from: string;
  to: string;
  /** Null: its back is seen. */
  card: string | null;
  back: "cards" | "tickets";
}

export function flightsOf(moves: MoveData[], before: ViewData, after: ViewData, me: number | null): Flight[] {
  const flights: Flight[] = [];
  for (const move of moves) {
    const to = move.seat === me ? (move.card ? `hand-${move.card}` : "hand") : `player-${move.seat}`;
    if (move.kind === "draw_face_up" && move.card) {
      flights.push({
        from: `face-${Math.max(0, placeOf(before.face_up, after.face_up, move.card))}`,
        to,
        card: move.card,
        back: "cards",
      });
    } else if (move.kind === "draw_blind") {
      flights.push({ from: "deck", to, card: move.card ?? null, back: "cards" });
    } else if (move.claimed != null) {
      // what was paid goes to the board, and becomes trains there
      for (const [card, n] of kinds(move.cards ?? {}))
        for (let i = 0; i < n; i++)
          flights.push({
            from: move.seat === me ? `hand-${card}` : `player-${move.seat}`,
            to: `track-${move.claimed}`,
            card,
            back: "cards",
          });
    } else if (move.kind === "draw_tickets" && move.seat !== me) {
      flights.push({ from: "tickets", to, card: null, back: "tickets" });
    }
  }
  return flights;
}
