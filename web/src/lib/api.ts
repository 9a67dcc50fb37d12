/** Plain HTTP: opening tables, joining, and what is asked once. */

import type {
  BoardData,
  BoardLimits,
  BotData,
  ChangedHoldings,
  ChangeHoldings,
  ChangeRealTable,
  ChangeSeat,
  EditionData,
  EndData,
  Frame,
  Health,
  Join,
  ListedTables,
  Mine,
  NewRealTable,
  NewTable,
  OpenLesson,
  OwnBoardData,
  PackFault,
  PlaytestData,
  RealTableData,
  RealTableKey,
  RulesData,
  Refusal,
  SeatKey,
  TableData,
  TicketData,
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
  { method = "GET", body, key, signal }: { method?: string; body?: unknown; key?: string; signal?: AbortSignal } = {},
  file?: File,
): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (file !== undefined) headers["content-type"] = "application/toml";
  if (key) headers.authorization = `Bearer ${key}`;
  let answer: Response;
  try {
    const sent = file ?? (body === undefined ? undefined : JSON.stringify(body));
    answer = await fetch(BASE + path, { method, headers, body: sent, signal });
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
  return answer.status === 204 ? (undefined as T) : ((await answer.json()) as T);
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
  /** Lets bots play a board of one's own; asked again, it is the same playtest. */
  measure: (edition: string) =>
    ask<PlaytestData>(`/api/editions/${encodeURIComponent(edition)}/playtest`, { method: "POST" }),
  playtest: (id: string) => ask<PlaytestData>(`/api/playtests/${id}`),
  cancelPlaytest: (id: string) => ask<void>(`/api/playtests/${id}`, { method: "DELETE" }),
  playtestAddress: (id: string) => `${BASE}/api/playtests/${id}/page`,
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
  /** All tickets of an edition; a ticket's number is its place. */
  tickets: (edition: string) => ask<TicketData[]>(`/api/editions/${encodeURIComponent(edition)}/tickets`),
  openRealTable: (wish: NewRealTable) => ask<RealTableKey>("/api/real-tables", { method: "POST", body: wish }),
  /** A real table; with a version that is known already, once it has another one or some seconds are over. */
  realTable: (table: string, key?: string, known?: number, signal?: AbortSignal) =>
    ask<RealTableData>(`/api/real-tables/${table}${known === undefined ? "" : `?known=${known}&wait=25`}`, {
      key,
      signal,
    }),
  changeRealTable: (table: string, wish: ChangeRealTable, key?: string) =>
    ask<RealTableData>(`/api/real-tables/${table}`, { method: "PATCH", body: wish, key }),
  changeRealPlayer: (table: string, seat: number, wish: ChangeHoldings, key?: string) =>
    ask<ChangedHoldings>(`/api/real-tables/${table}/players/${seat}`, { method: "PATCH", body: wish, key }),
  takeRealPlayer: (table: string, seat: number, key?: string) =>
    ask<RealTableKey>(`/api/real-tables/${table}/players/${seat}/take`, { method: "POST", key }),
  deleteRealTable: (table: string, key?: string) => ask<void>(`/api/real-tables/${table}`, { method: "DELETE", key }),
  realPictureAddress: (table: string, version: number) =>
    `${BASE}/api/real-tables/${table}/picture.svg?version=${version}`,
  recordAddress: (table: string) => `${BASE}/api/tables/${table}/record`,
};
