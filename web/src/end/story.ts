/**
 * The final count as a story: one step after the other, each with what it brings, what it makes of the score, and what
 * lights up on the board.
 */

import type { BoardData, PlayerEnd, ResultData, TicketData } from "../messages";
import { ticketWay } from "./ways";

interface Scene {
  /** Points each seat gains by this step, and has after it. */
  gains: number[];
  totals: number[];
  /** What lights up: the way of a ticket or of the longest path, and places. */
  tracks: number[];
  cities: string[];
}

type Told =
  | { kind: "routes" }
  | {
      kind: "ticket";
      seat: number;
      ticket: TicketData;
      completed: boolean;
      place: number;
      of: number;
      borrowed: string[];
    }
  | { kind: "station"; seat: number; city: string; route: string | null }
  | { kind: "saved" }
  | { kind: "path"; seat: number; length: number }
  | { kind: "passengers"; colour: string; counts: number[] }
  | { kind: "globetrotter"; counts: number[] }
  | { kind: "verdict" };

export type Step = Told & Scene;

/** Passengers colour by colour. */
function passengerSteps(players: PlayerEnd[]): (Told & { gains: number[] })[] {
  if (players.every((player) => player.passengers === 0)) return [];
  const colours = [...new Set(players.flatMap((player) => Object.keys(player.collected)))];
  return colours.map((colour) => {
    const counts = players.map((player) => player.collected[colour] ?? 0);
    return { kind: "passengers", colour, counts, gains: players.map((player) => player.passenger_points[colour] ?? 0) };
  });
}

/** The whole story, from the points of the routes to the verdict. The last step's totals are the final ones. */
export function storyOf(result: ResultData, board: BoardData, owners: Record<string, number>): Step[] {
  const players = result.players;
  const steps: Step[] = [];
  const totals = players.map(() => 0);
  const nobody = players.map(() => 0);
  const only = (seat: number, points: number): number[] => nobody.map((_, at) => (at === seat ? points : 0));
  const tell = (told: Told, gains: number[], tracks: number[] = [], cities: string[] = []): void => {
    gains.forEach((points, seat) => (totals[seat]! += points));
    steps.push({ ...told, gains, totals: [...totals], tracks, cities });
  };

  tell(
    { kind: "routes" },
    players.map((player) => player.routes),
  );
  players.forEach((player, seat) => {
    const all = [
      ...player.failed.map((ticket) => ({ ticket, completed: false })),
      ...player.completed.map((ticket) => ({ ticket, completed: true })),
    ];
    all.forEach(({ ticket, completed }, place) => {
      const way = ticketWay(board, owners, result, seat, ticket);
      const borrowed = player.borrowed
        .filter(({ track }) => track !== null && way.includes(track))
        .map(({ city }) => city);
      const told: Told = { kind: "ticket", seat, ticket, completed, place: place + 1, of: all.length, borrowed };
      tell(told, only(seat, completed ? ticket.points : -ticket.points), way, [ticket.from, ticket.to]);
    });
  });
  players.forEach((player, seat) => {
    for (const { city, track, route } of player.borrowed) {
      tell({ kind: "station", seat, city, route }, nobody, track === null ? [] : [track], [city]);
    }
  });
  if (players.some((player) => player.stations !== 0))
    tell(
      { kind: "saved" },
      players.map((player) => player.stations),
    );
  players.forEach((player, seat) => {
    if (player.path > 0) {
      const ends = [player.path_cities[0], player.path_cities.at(-1)].filter((city) => city !== undefined);
      tell({ kind: "path", seat, length: player.path_length }, only(seat, player.path), player.path_tracks, ends);
    }
  });
  for (const { gains, ...told } of passengerSteps(players)) tell(told, gains);
  if (players.some((player) => player.globetrotter > 0)) {
    const counts = players.map((player) => player.completed.length);
    tell(
      { kind: "globetrotter", counts },
      players.map((player) => player.globetrotter),
    );
  }
  tell({ kind: "verdict" }, nobody);
  return steps;
}

/** Seconds a step stays: a long row of tickets goes faster, so that five players do not wait for minutes. */
export function secondsOf(step: Step, steps: Step[]): number {
  if (step.kind !== "ticket") return 2.8;
  const tickets = steps.filter((other) => other.kind === "ticket").length;
  return Math.max(0.45, Math.min(2.5, 34 / tickets));
}

/** The lowest and highest score on the way, so that a score bar never leaves its rail. */
export function spanOf(steps: Step[]): { low: number; high: number } {
  const all = steps.flatMap((step) => step.totals);
  return { low: Math.min(0, ...all), high: Math.max(1, ...all) };
}
