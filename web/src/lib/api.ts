/** Plain HTTP: opening tables, joining, and what is asked once. */

import type {
  BoardData,
  BoardLimits,
  BotData,
  ChangeSeat,
  EditionData,
  EndData,
  Frame,
  Health,
  Join,
  ListedTables,
  Mine,
  NewTable,
  OpenLesson,
  OwnBoardData,
  PackFault,
  RulesData,
  Refusal,
  SeatKey,
  TableData,
} from "../messages";
import { BASE } from "./base";

/** What the server refused, in words fit to show. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly hint: string | null = null,
    /** What is wrong with a ticket pack. */
    readonly pack: PackFault | null = null,
    /** Where in a map file it is. */
    readonly line: number | null = null,
  ) {
    super(message);
  }
}

async function ask<T>(
  path: string,
  { method = "GET", body, key }: { method?: string; body?: unknown; key?: string } = {},
  file?: File,
): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (file !== undefined) headers["content-type"] = "application/toml";
  if (key) headers.authorization = `Bearer ${key}`;
  let answer: Response;
  try {
    const sent = file ?? (body === undefined ? undefined : JSON.stringify(body));
    answer = await fetch(BASE + path, { method, headers, body: sent });
  } catch {
    throw new Refused("offline", "the server does not answer");
  }
  if (!answer.ok) {
    const refusal = (await answer.json().catch(() => ({}))) as Partial<Refusal>;
    throw new Refused(
      refusal.code ?? `http_${answer.status}`,
      refusal.message ?? answer.statusText,
      refusal.hint ?? null,
      refusal.pack ?? null,
      refusal.line ?? null,
    );
  }
  return (await answer.json()) as T;
}

const boards = new Map<string, Promise<BoardData>>();
const rules = new Map<string, Promise<RulesData>>();

export const api = {
  health: () => ask<Health>("/health"),
  editions: () => ask<EditionData[]>("/api/editions"),
  edition: (edition: string) => ask<EditionData>(`/api/editions/${encodeURIComponent(edition)}`),
  boardLimits: () => ask<BoardLimits>("/api/boards"),
  /** A map file, to open tables on its board. */
  bringBoard: (file: File) => ask<OwnBoardData>("/api/boards", { method: "POST" }, file),
  mapFileAddress: (edition: string) => `${BASE}/api/editions/${encodeURIComponent(edition)}/map.toml`,
  bots: () => ask<BotData[]>("/api/bots"),
  /** Everything to draw an edition's board; fetched once. */
  board(edition: string): Promise<BoardData> {
    let board = boards.get(edition);
    if (!board) {
      board = ask<BoardData>(`/api/editions/${encodeURIComponent(edition)}/board`);
      board.catch(() => boards.delete(edition));
      boards.set(edition, board);
    }
    return board;
  },
  /** Tables that anybody on this server may join or watch: a page of each. */
  listed: (open = 0, watch = 0) => ask<ListedTables>(`/api/tables?open=${open}&watch=${watch}`),
  list: (table: string, listed: boolean, key: string) =>
    ask<TableData>(`/api/tables/${table}`, { method: "PATCH", body: { listed }, key }),
  /** The rules of an edition in a language; fetched once. */
  rules(edition: string, language: string): Promise<RulesData> {
    const address = `/api/editions/${encodeURIComponent(edition)}/rules?language=${language}`;
    let found = rules.get(address);
    if (!found) {
      found = ask<RulesData>(address);
      found.catch(() => rules.delete(address));
      rules.set(address, found);
    }
    return found;
  },
  lesson: (lesson: string, wish: OpenLesson) => ask<SeatKey>(`/api/lessons/${lesson}`, { method: "POST", body: wish }),
  open: (wish: NewTable) => ask<SeatKey>("/api/tables", { method: "POST", body: wish }),
  table: (table: string) => ask<TableData>(`/api/tables/${table}`),
  join: (table: string, wish: Join, key?: string) =>
    ask<SeatKey>(`/api/tables/${table}/join`, { method: "POST", body: wish, key }),
  change: (table: string, seat: number, wish: ChangeSeat, key: string) =>
    ask<TableData>(`/api/tables/${table}/seats/${seat}`, { method: "PATCH", body: wish, key }),
  start: (table: string, fill: string | null, key: string) =>
    ask<TableData>(`/api/tables/${table}/start`, { method: "POST", body: { fill }, key }),
  rematch: (table: string, key: string) => ask<SeatKey>(`/api/tables/${table}/rematch`, { method: "POST", key }),
  mine: (keys: string[]) => ask<Mine[]>("/api/mine", { method: "POST", body: { keys } }),
  end: (table: string) => ask<EndData>(`/api/tables/${table}/end`),
  /** The game after action n as a seat (or, without eyes, a spectator) saw it; only once it is over. */
  replay: (table: string, n: number, eyes: number | null) =>
    ask<Frame>(`/api/tables/${table}/replay/${n}${eyes === null ? "" : `?eyes=${eyes}`}`),
  recordAddress: (table: string) => `${BASE}/api/tables/${table}/record`,
};
