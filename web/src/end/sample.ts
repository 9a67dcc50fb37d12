/** Small boards and results for the tests of this folder. */

import type { BoardData, PlayerEnd, ResultData } from "../messages";

export function boardOf(lines: [string, string, number][], countries: Record<string, string> = {}): BoardData {
  const names = [...new Set(lines.flatMap(([from, to]) => [from, to]))];
  return {
    cities: names.map((name) => ({ name, country: countries[name] ?? null })),
    tracks: lines.map(([from, to, length], track) => ({ track, from, to, length })),
  } as unknown as BoardData;
}

export function player(parts: Partial<PlayerEnd>): PlayerEnd {
  return {
    name: "",
    routes: 0,
    tickets: 0,
    stations: 0,
    path: 0,
    passengers: 0,
    globetrotter: 0,
    total: 0,
    completed: [],
    failed: [],
    path_length: 0,
    path_tracks: [],
    path_cities: [],
    borrowed: [],
    collected: {},
    passenger_points: {},
    ...parts,
  };
}

export function result(players: PlayerEnd[]): ResultData {
  const best = Math.max(...players.map(({ total }) => total));
  return {
    players,
    winners: players.flatMap(({ total }, seat) => (total === best ? [seat] : [])),
    decided_by: "points",
    ended_by: "trains ran out",
  };
}
