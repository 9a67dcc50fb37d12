/** The score sheet: players in the order of their places, and only the sources that brought somebody points. */

import { SOURCES } from "../facts";
import type { PlayerEnd, ResultData, SeatStats } from "../messages";

export type Source = (typeof SOURCES)[number];

export interface Standing {
  seat: number;
  player: PlayerEnd;
  place: number;
  won: boolean;
}

/** Winners first, then by points; equal points share a place unless a tie-break put one ahead. */
export function standingsOf(result: ResultData): Standing[] {
  const won = (seat: number): boolean => result.winners.includes(seat);
  const order = result.players
    .map((player, seat) => ({ seat, player, won: won(seat) }))
    .sort((a, b) => Number(b.won) - Number(a.won) || b.player.total - a.player.total || a.seat - b.seat);
  let place = 0;
  return order.map((standing, at) => {
    const before = order[at - 1];
    if (!before || before.won !== standing.won || before.player.total !== standing.player.total) place = at + 1;
    return { ...standing, place };
  });
}

export function sourcesOf(result: ResultData): Source[] {
  return SOURCES.filter(
    (source) => source === "routes" || source === "tickets" || result.players.some((player) => player[source] !== 0),
  );
}

export interface Highlight {
  key:
    | "blind"
    | "face_up"
    | "locomotives"
    | "longest_track"
    | "mean_length"
    | "ticket_draws"
    | "tunnels_dear"
    | "tunnels_lost"
    | "stations"
    | "claims"
    | "quick"
    | "thinker"
    | "best_ticket"
    | "worst_ticket"
    | "perfect";
  seat: number;
  value: number;
  /** How far ahead of the next: what stands out most is told first. */
  edge: number;
}

const MOST: (keyof SeatStats & Highlight["key"])[] = [
  "blind",
  "face_up",
  "locomotives",
  "longest_track",
  "mean_length",
  "ticket_draws",
  "tunnels_dear",
  "tunnels_lost",
  "stations",
  "claims",
];

/** What to smile about: feats that one player alone holds, at most `most`, every player once before anybody twice. */
export function highlightsOf(stats: SeatStats[], result: ResultData, persons: boolean[], most = 6): Highlight[] {
  const found: Highlight[] = [];
  const take = (key: Highlight["key"], values: number[], least: number): void => {
    const value = Math.max(...values);
    const second = Math.max(...values.filter((_, seat) => seat !== values.indexOf(value)));
    if (value < least || value === second) return;
    found.push({ key, seat: values.indexOf(value), value, edge: (value - Math.max(0, second)) / value });
  };
  for (const key of MOST)
    take(
      key,
      stats.map((seat) => seat[key]),
      key === "blind" || key === "face_up" || key === "claims" ? 4 : 2,
    );
  const points = (tickets: { points: number }[]): number => Math.max(0, ...tickets.map((ticket) => ticket.points));
  take(
    "best_ticket",
    result.players.map((player) => points(player.completed)),
    1,
  );
  take(
    "worst_ticket",
    result.players.map((player) => points(player.failed)),
    1,
  );
  take(
    "perfect",
    result.players.map((player) => (player.failed.length === 0 ? player.completed.length : 0)),
    3,
  );
  // Only people think: a bot's seconds are the pace of the table.
  const pace = stats.map((seat, at) => (persons[at] && seat.turns > 0 ? seat.seconds / seat.turns : 0));
  if (pace.filter(Boolean).length > 1) {
    take("thinker", pace, 5);
    const quick = Math.min(...pace.filter(Boolean));
    found.push({ key: "quick", seat: pace.indexOf(quick), value: quick, edge: 0.1 });
  }
  const chosen: Highlight[] = [];
  const rest = found.sort((a, b) => b.edge - a.edge);
  while (chosen.length < most && rest.length) {
    const had = (seat: number): number => chosen.filter((other) => other.seat === seat).length;
    const fewest = Math.min(...rest.map((highlight) => had(highlight.seat)));
    chosen.push(
      ...rest.splice(
        rest.findIndex((highlight) => had(highlight.seat) === fewest),
        1,
      ),
    );
  }
  return chosen;
}
