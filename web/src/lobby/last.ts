/** What this browser chose for its last table, to offer it again. */

import { PLAYER_COLOURS } from "../facts";
import { DEFAULT_BOT } from "../lib/bots.svelte";
import type { NewTable } from "../messages";

export interface SeatChoice {
  kind: "me" | "open" | "bot" | "device";
  name: string;
  colour: number;
  bot: string;
}

export interface Choice {
  edition: string;
  count: number;
  /** As many as a table can have; the first `count` of them are used. */
  seats: SeatChoice[];
  first: number | null;
  turnSeconds: number | null;
  pace: NonNullable<NewTable["pace"]>;
  /** The bots that `Play now` is against. */
  level: string;
}

const STORE = "whistlestop.new";

function usual(): Choice {
  const seats = PLAYER_COLOURS.map((seat): SeatChoice => ({
    kind: seat === 0 ? "me" : "bot",
    name: "",
    colour: seat,
    bot: DEFAULT_BOT,
  }));
  return { edition: "usa", count: 3, seats, first: null, turnSeconds: null, pace: "brisk", level: DEFAULT_BOT };
}

export function lastChoice(): Choice {
  try {
    const kept = JSON.parse(localStorage.getItem(STORE) ?? "null") as Choice | null;
    return kept && Array.isArray(kept.seats) && kept.seats.length === PLAYER_COLOURS.length
      ? { ...usual(), ...kept }
      : usual();
  } catch {
    return usual();
  }
}

export function keepChoice(choice: Choice): void {
  try {
    localStorage.setItem(STORE, JSON.stringify(choice));
  } catch {
    // nothing can be kept: the usual choice is offered next time
  }
}
