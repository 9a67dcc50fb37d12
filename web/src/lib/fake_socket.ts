/** A socket for tests: it remembers what was sent, and says what a test wants the server to say. */

import { vi } from "vitest";
import type { Frame, FromServer, MoveData, PlayerData, SeatData, TableData, ViewData, Welcome } from "../messages";

type Sent = { t: string; ref?: number; [key: string]: unknown };

export class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }

  readyState = 0;
  sent: Sent[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly address: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    if (this.readyState !== FakeSocket.OPEN) throw new Error("sent on a socket that is not open");
    this.sent.push(JSON.parse(text) as Sent);
  }

  close(): void {
    this.drop(1005);
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  hear(...messages: FromServer[]): void {
    for (const message of messages) this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** The connection ends with a code. */
  drop(code = 1006): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.({ code });
  }

  /** What was sent of a kind. */
  wishes(t: string): Sent[] {
    return this.sent.filter((wish) => wish.t === t);
  }
}

/** Put the fake in the browser's place, and stop the clock. */
export function useFakeSocket(): void {
  FakeSocket.all = [];
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", { origin: "http://rails.example" });
}

const seat = (number: number, name: string): SeatData => ({
  seat: number,
  name,
  kind: "person",
  colour: number,
  bot: null,
  stands_in: false,
  for_one_turn: false,
  missed: 0,
  connected: true,
  shared: false,
  votes: [],
});

export const table = (more: Partial<TableData> = {}): TableData => ({
  t: "table",
  id: "abcdef",
  edition: "usa",
  edition_name: "USA",
  status: "playing",
  seats: ["Anna", "Bert", "Cleo"].map((name, at) => seat(at, name)),
  first: null,
  packs: [],
  turn_seconds: null,
  pace: "brisk",
  created: 0,
  n: 0,
  to_move: [0],
  spectators: 0,
  seed_hash: "",
  rematch: null,
  listed: false,
  board_hash: null,
  lesson: null,
  ...more,
});

export const welcome = (more: Partial<Welcome> = {}): Welcome => ({
  t: "welcome",
  seats: [0],
  seat: 0,
  host: true,
  watch: null,
  table: table(),
  chat: [],
  now: Date.now() / 1000,
  ...more,
});

export const move = (n: number, seat = 1, more: Partial<MoveData> = {}): MoveData => ({
  n,
  seat,
  kind: "pass",
  at: 0,
  ...more,
});

export const player = (name: string, more: Partial<PlayerData> = {}): PlayerData => ({
  name,
  points: 0,
  trains: 45,
  stations_left: 0,
  stations: [],
  cards: 4,
  known: {},
  tickets: 2,
  tickets_by_deck: null,
  announced: null,
  offered: 0,
  passengers: {},
  chosen: false,
  revealed: null,
  ...more,
});

export const view = (more: Partial<ViewData> = {}): ViewData => ({
  edition: "usa",
  player: 0,
  phase: "turn",
  to_move: [0],
  last_round: null,
  hand: {},
  tickets: [],
  offer: [],
  face_up: [],
  deck: 90,
  discard: {},
  ticket_decks: { "": 20 },
  owners: {},
  closed: [],
  tunnel: null,
  waiting: {},
  players: ["Anna", "Bert", "Cleo"].map((name) => player(name)),
  ...more,
});

/** A frame after action n; with no moves given, the whole story of passes. */
export function frame(n: number, more: Partial<Omit<Frame, "view">> & { view?: Partial<ViewData> } = {}): Frame {
  const seat = more.seat === undefined ? 0 : more.seat;
  return {
    t: "frame",
    n,
    seat,
    options: null,
    deadline: null,
    moves: Array.from({ length: n }, (_, k) => move(k + 1)),
    ...more,
    view: view({ player: seat, ...more.view }),
  };
}
