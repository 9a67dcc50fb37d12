/** Which cards flew from where to where between two views. */

import type { MoveData, ViewData } from "../messages";
import { placeOf } from "./options";

/** Places are names of `data-fly`. */
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
    } else if (move.kind === "draw_tickets" && move.seat !== me) {
      flights.push({ from: "tickets", to, card: null, back: "tickets" });
    }
  }
  return flights;
}
