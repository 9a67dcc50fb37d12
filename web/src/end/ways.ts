/**
 * Ways over tracks, to show how a completed ticket was travelled. What counts as completed the server has said
 * already.
 */

import type { BoardData, ResultData, TicketData } from "../messages";

export function tracksOf(owners: Record<string, number>, seat: number): number[] {
  return Object.keys(owners)
    .filter((track) => owners[track] === seat)
    .map(Number);
}

/** How a player travelled a ticket, over own and borrowed tracks; nothing if it was not completed. */
export function ticketWay(
  board: BoardData,
  owners: Record<string, number>,
  result: ResultData,
  seat: number,
  ticket: TicketData,
): number[] {
  const player = result.players[seat]!;
  if (!player.completed.includes(ticket)) return [];
  const borrowed = player.borrowed.flatMap(({ track }) => track ?? []);
  return wayOf(board, [...tracksOf(owners, seat), ...borrowed], ticket.from, ticket.to);
}

/**
 * Tracks of a way with the fewest trains between two places over these tracks; empty if there is none. A country is
 * reached by any of its border spaces, where a line ends.
 */
export function wayOf(board: BoardData, tracks: number[], from: string, to: string): number[] {
  const country = new Map(board.cities.map((city) => [city.name, city.country]));
  const stands = (city: string, place: string): boolean => city === place || country.get(city) === place;
  const usable = new Set(tracks);
  const lines = board.tracks.filter((track) => usable.has(track.track));
  const best = new Map<string, { trains: number; by: number | null; before: string | null }>();
  const open = new Set<string>();
  for (const { name } of board.cities) {
    if (stands(name, from)) {
      best.set(name, { trains: 0, by: null, before: null });
      open.add(name);
    }
  }
  while (open.size) {
    const at = [...open].reduce((a, b) => (best.get(b)!.trains < best.get(a)!.trains ? b : a));
    open.delete(at);
    const here = best.get(at)!;
    if (stands(at, to)) return back(best, at);
    if (country.get(at) && here.before !== null) continue; // a border space is the end of the line
    for (const line of lines) {
      const next = line.from === at ? line.to : line.to === at ? line.from : null;
      if (next === null) continue;
      const trains = here.trains + line.length;
      if (trains < (best.get(next)?.trains ?? Infinity)) {
        best.set(next, { trains, by: line.track, before: at });
        open.add(next);
      }
    }
  }
  return [];
}

function back(best: Map<string, { by: number | null; before: string | null }>, end: string): number[] {
  const way: number[] = [];
  for (let at = best.get(end)!; at.by !== null; at = best.get(at.before!)!) way.unshift(at.by);
  return way;
}
