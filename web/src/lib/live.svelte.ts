/** A live table: one socket that comes back by itself, and what the server said, ready to draw. */

import { FINAL_CLOSES } from "../facts";
import type {
  ChatData,
  Frame,
  FromServer,
  MoveData,
  ObstacleData,
  ReactionData,
  TableData,
  WayData,
  Welcome,
  WhyData,
} from "../messages";
import { Refused } from "./api";
import { BASE } from "./base";

type Wish = { t: string; [key: string]: unknown };
type Answer = { resolve: (message: FromServer) => void; reject: (reason: Refused) => void };

/** Coming back after these is of no use. */
const FINAL: ReadonlySet<number> = new Set(FINAL_CLOSES);
/** Milliseconds before each try to come back; the last one again and again. */
const WAITS = [300, 700, 1500, 3000, 6000, 10000];

/** An announcement with its mix, which the frame after the last one makes public. */
function withMix(move: MoveData, { view }: Frame): MoveData {
  const mix = move.kind === "announce" && !move.mix ? view.players[move.seat]?.announced : null;
  return mix ? { ...move, mix } : move;
}

export class Live {
  state = $state<"connecting" | "open" | "away" | "refused">("connecting");
  refusal = $state<Refused | null>(null);
  me = $state.raw<Welcome | null>(null);
  table = $state.raw<TableData | null>(null);
  frame = $state.raw<Frame | null>(null);
  /** The frame before, to show what changed. */
  before = $state.raw<Frame | null>(null);
  /** The whole story so far, as this viewer saw it. */
  moves = $state.raw<MoveData[]>([]);
  chat = $state.raw<ChatData[]>([]);
  reactions = $state.raw<(ReactionData & { at: number })[]>([]);
  /** The server's clock minus ours, in seconds. */
  skew = 0;

  private socket: WebSocket | null = null;
  private tries = 0;
  private closed = false;
  private ref = 0;
  private answers = new Map<number, Answer>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private heart: ReturnType<typeof setInterval> | undefined;
  private seat: number | null = null;

  constructor(
    readonly id: string,
    private key: string | undefined,
  ) {
    this.connect();
    this.heart = setInterval(() => this.state === "open" && this.ask({ t: "ping" }).catch(() => {}), 25_000);
  }

  /** Stop for good. */
  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.heart);
    this.socket?.close();
  }

  /** Come back with another key, as after sitting down. */
  use(key: string): void {
    this.key = key;
    this.seat = null;
    this.forget();
    this.tries = 0;
    this.socket?.close();
  }

  private forget(): void {
    this.frame = this.before = null;
    this.moves = [];
  }

  private connect(): void {
    if (this.closed) return;
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${BASE}/api/tables/${this.id}/live`);
    this.socket = socket;
    socket.onopen = () => {
      const hello: Wish = { t: "hello" };
      if (this.key) hello.key = this.key;
      if (this.seat !== null) hello.seat = this.seat;
      // While mixes are announced, moves lack those of the others: then all moves are asked for again.
      if (this.frame && this.frame.view.phase !== "announce") hello.n = this.frame.n;
      socket.send(JSON.stringify(hello));
    };
    socket.onmessage = (event) => this.hear(JSON.parse(event.data as string) as FromServer);
    socket.onclose = (event) => this.lost(event);
  }

  private lost(event: CloseEvent): void {
    for (const answer of this.answers.values()) answer.reject(new Refused("offline", "the connection was lost"));
    this.answers.clear();
    if (this.closed || this.state === "refused") return;
    if (FINAL.has(event.code)) {
      this.state = "refused";
      return;
    }
    this.state = "away";
    this.timer = setTimeout(() => this.connect(), WAITS[Math.min(this.tries++, WAITS.length - 1)]);
  }

  private hear(message: FromServer): void {
    if ("ref" in message && message.ref != null) {
      const answer = this.answers.get(message.ref);
      this.answers.delete(message.ref);
      if (message.t === "error") answer?.reject(new Refused(message.code, message.message, message.hint ?? null));
      else answer?.resolve(message);
    }
    switch (message.t) {
      case "welcome":
        this.me = message;
        this.seat = message.seat;
        this.table = message.table;
        this.chat = message.chat;
        this.skew = message.now - Date.now() / 1000;
        this.tries = 0;
        this.refusal = null;
        this.state = "open";
        break;
      case "table":
        this.table = message;
        break;
      case "frame":
        this.take(message);
        break;
      case "chat":
        if (!this.chat.some((line) => line.n === message.n)) this.chat = [...this.chat, message];
        break;
      case "reaction":
        this.reactions = [...this.reactions.slice(-9), { ...message, at: Date.now() }];
        break;
      case "error":
        if (message.ref == null) this.refusal = new Refused(message.code, message.message, message.hint ?? null);
        break;
    }
  }

  private take(frame: Frame): void {
    const known = this.frame && this.frame.seat === frame.seat ? this.frame.n : 0;
    if (frame.moves.length && frame.moves[0]!.n === 1) this.moves = frame.moves;
    else if (frame.moves.length === 0 || frame.moves[0]!.n <= known + 1) {
      this.moves = [...this.moves.slice(0, (frame.moves[0]?.n ?? frame.n + 1) - 1), ...frame.moves];
    } else {
      this.forget(); // a gap: ask for everything
      this.socket?.close();
      return;
    }
    this.moves = this.moves.map((move) => withMix(move, frame));
    this.before = this.frame?.seat === frame.seat ? this.frame : null;
    this.frame = frame;
  }

  /** Send a wish; its answer, or a refusal. */
  ask<T extends FromServer = FromServer>(wish: Wish): Promise<T> {
    const socket = this.socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) return Promise.reject(new Refused("offline", "not connected"));
    const ref = ++this.ref;
    return new Promise<T>((resolve, reject) => {
      this.answers.set(ref, { resolve: resolve as (message: FromServer) => void, reject });
      socket.send(JSON.stringify({ ...wish, ref }));
    });
  }

  /** Play an action by its id. */
  act(action: number): Promise<FromServer> {
    return this.ask({ t: "act", n: this.frame!.n, action, seat: this.frame!.seat });
  }

  /** Look through the eyes of another seat of mine. */
  sit(seat: number): Promise<FromServer> {
    this.forget();
    this.seat = seat;
    return this.ask({ t: "sit", seat });
  }

  async why(what: { track: number } | { city: string }): Promise<ObstacleData> {
    const answer = await this.ask<WhyData>({ t: "why", ...what });
    return answer.obstacle;
  }

  way(from: string, to: string): Promise<WayData> {
    return this.ask<WayData>({ t: "way", from, to });
  }
}
