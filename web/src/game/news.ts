/** What happened since my last action, and what an action has to do with the board. */

import type { MoveData } from "../messages";

/** Tracks and a city that are pointed out together. */
export interface Places {
  tracks: number[];
  city: string | null;
}

const MOST = 8;

/** Where an action happened; null if it was nowhere on the board. */
export function placesOf(move: MoveData): Places | null {
  const track = move.claimed ?? move.track;
  const city = move.city ?? move.place ?? null;
  return track == null && city === null ? null : { tracks: track == null ? [] : [track], city };
}

/** The actions of others since my last one, oldest first; after it, or for spectators, the last one alone. */
export function newsOf(moves: MoveData[], me: number | null): MoveData[] {
  const mine = me === null ? moves.length - 2 : moves.findLastIndex(({ seat }) => seat === me);
  return moves.slice(mine === moves.length - 1 ? mine : mine + 1);
}

/** Claims and stations among the news: they stay marked on the board until I act. */
export function newsPlaces(news: MoveData[]): Places {
  const tracks = news.flatMap(({ claimed }) => (claimed == null ? [] : [claimed]));
  return { tracks: tracks.slice(-MOST), city: news.findLast(({ city }) => city != null)?.city ?? null };
}
