/** One's own finished games. They are kept in this browser and nowhere else. */

import type { EndData, Mine } from "../messages";
import { api } from "./api";
import { BASE } from "./base";

export interface HistoryPlayer {
  name: string;
  /** The level of a bot. */
  bot: string | null;
  points: number;
}

export interface HistoryGame {
  /** Where it was played: a table's id is known to its own server alone. */
  site: string;
  table: string;
  edition: string;
  /** What the server called the edition. */
  called: string;
  /** In seconds since 1970. */
  ended: number;
  players: HistoryPlayer[];
  /** Seats of those who won. */
  winners: number[];
  /** Seats of this browser; several where a device was passed around. */
  mine: number[];
}

/** What is wrong with a history; `key` names a text under history.errors. */
export class HistoryError extends Error {
  constructor(
    readonly key: "unreadable" | "other_file" | "newer" | "too_large" | "game" | "link",
    readonly words: Record<string, string | number> = {},
  ) {
    super(key);
  }
}

const STORE = "whistlestop.history";
const VERSION = 1;
/** Games that are kept, the latest. */
export const MOST_GAMES = 2000;

export const thisSite = (): string => location.origin + BASE;

// ---- as text --------------------------------------------------------------------------------------------------------
export const toText = (games: HistoryGame[], space?: number): string =>
  JSON.stringify({ whistlestop: "history", version: VERSION, games }, null, space);

/** Games out of a text that may be anything: all of them, or an error that says what is wrong. */
export function fromText(text: string): HistoryGame[] {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    throw new HistoryError("unreadable");
  }
  const { whistlestop, version, games } = (raw ?? {}) as Record<string, unknown>;
  if (whistlestop !== "history" || !Array.isArray(games)) throw new HistoryError("other_file");
  if (version !== VERSION) throw new HistoryError("newer");
  return games.map((one, at) => {
    const game = checked(one);
    if (!game) throw new HistoryError("game", { number: at + 1 });
    return game;
  });
}

const isText = (value: unknown): value is string => typeof value === "string" && value.length <= 200;
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

/** A game with nothing in it but what belongs there, or null. */
function checked(raw: unknown): HistoryGame | null {
  const { site, table, edition, called, ended, players, winners, mine } = (raw ?? {}) as Record<string, unknown>;
  if (![site, table, edition, called].every(isText) || typeof ended !== "number" || !(ended > 0 && ended < 1e11))
    return null;
  if (!/^[\w-]{1,40}$/.test(table as string) || !Array.isArray(players) || players.length < 1 || players.length > 9)
    return null;
  const people = players.map(checkedPlayer);
  const areSeats = (value: unknown): value is number[] =>
    Array.isArray(value) && value.length > 0 && value.every((seat) => isWhole(seat) && seat >= 0 && seat in people);
  if (people.includes(null) || !areSeats(winners) || !areSeats(mine)) return null;
  return {
    site: site as string,
    table: table as string,
    edition: edition as string,
    called: called as string,
    ended,
    players: people as HistoryPlayer[],
    winners,
    mine,
  };
}

function checkedPlayer(raw: unknown): HistoryPlayer | null {
  const { name, bot, points } = (raw ?? {}) as Record<string, unknown>;
  return isText(name) && (bot === null || isText(bot)) && isWhole(points) ? { name, bot, points } : null;
}

// ---- as kept --------------------------------------------------------------------------------------------------------
/** All games, the latest first. */
export function keptGames(): HistoryGame[] {
  let text: string | null = null;
  try {
    text = localStorage.getItem(STORE);
    return text === null ? [] : fromText(text);
  } catch {
    // something else under our name, or of a later version: it is put aside, never overwritten
    if (text !== null) localStorage.setItem(`${STORE}.unread`, text);
    return [];
  }
}

const idOf = (game: { site: string; table: string }): string => `${game.site} ${game.table}`;

/** Those of some games that are not among others. */
export function newGames(games: HistoryGame[], known: HistoryGame[]): HistoryGame[] {
  const ids = new Set(known.map(idOf));
  return games.filter((game) => !ids.has(idOf(game)) && ids.add(idOf(game)));
}

/** Add games that are not there yet; how many those are. What cannot be kept is an error of the browser's. */
export function addGames(games: HistoryGame[]): number {
  const known = keptGames();
  const fresh = newGames(games, known);
  if (fresh.length) {
    const all = [...fresh, ...known].sort((one, other) => other.ended - one.ended);
    localStorage.setItem(STORE, toText(all.slice(0, MOST_GAMES)));
  }
  return fresh.length;
}

// ---- from a server --------------------------------------------------------------------------------------------------
export function gameOf({ table, result, ended }: EndData, mine: number[]): HistoryGame {
  return {
    site: thisSite(),
    table: table.id,
    edition: table.edition,
    called: table.edition_name,
    ended,
    players: result.players.map((player, seat) => {
      const { kind, bot } = table.seats[seat]!;
      return { name: player.name, bot: kind === "bot" ? bot : null, points: player.total };
    }),
    winners: result.winners,
    mine,
  };
}

/** Keep the results of my tables that are over, so that they outlive the table and the key; lessons do not count. */
export async function keepResults(tables: Mine[]): Promise<void> {
  const over = tables.filter(({ table, seats }) => table.status === "over" && !table.lesson && seats.length > 0);
  if (over.length === 0) return;
  const known = new Set(keptGames().map(idOf));
  for (const { table, seats } of over) {
    if (known.has(idOf({ site: thisSite(), table: table.id }))) continue;
    try {
      addGames([gameOf(await api.end(table.id), seats)]);
    } catch {
      return; // the server is away, or nothing can be kept: the next look makes up for it
    }
  }
}
