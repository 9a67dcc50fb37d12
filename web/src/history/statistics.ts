/** What a history adds up to. */

import type { HistoryGame } from "../lib/history";

export interface Sum {
  games: number;
  /** Games of one seat of mine: where a device was passed around nobody knows who I was. */
  counted: number;
  wins: number;
  best: number | null;
}

/** My place at the end, where one seat was mine. */
export function placeOf(game: HistoryGame): number | null {
  const [seat] = game.mine;
  if (game.mine.length !== 1 || seat === undefined) return null;
  return standings(game).find(({ seats }) => seats.includes(seat))!.place;
}

/** Seats from the first place to the last; seats that share a place stand together, and places after them are skipped. */
export function standings({ players, winners }: HistoryGame): { place: number; seats: number[] }[] {
  const rank = (seat: number): number => (winners.includes(seat) ? Infinity : players[seat]!.points);
  const ranks = [...new Set(players.map((_, seat) => rank(seat)))].sort((one, other) => other - one);
  const groups = ranks.map((value) => players.map((_, seat) => seat).filter((seat) => rank(seat) === value));
  return groups.map((seats, at) => ({ place: 1 + groups.slice(0, at).flat().length, seats }));
}

export function sumOf(games: HistoryGame[]): Sum {
  const counted = games.filter((game) => game.mine.length === 1);
  const points = counted.map((game) => game.players[game.mine[0]!]!.points);
  return {
    games: games.length,
    counted: counted.length,
    wins: counted.filter((game) => game.winners.includes(game.mine[0]!)).length,
    best: points.length ? Math.max(...points) : null,
  };
}

/** The same for each edition, the most played first. */
export function byEdition(games: HistoryGame[]): { edition: string; called: string; sum: Sum }[] {
  const found = new Map<string, HistoryGame[]>();
  for (const game of games) found.set(game.edition, [...(found.get(game.edition) ?? []), game]);
  return [...found]
    .map(([edition, played]) => ({ edition, called: played[0]!.called, sum: sumOf(played) }))
    .sort((one, other) => other.sum.games - one.sum.games);
}
