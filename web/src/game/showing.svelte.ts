/**
 * Moves are shown one after another: what happened waits until what came before it has been seen. Whoever has seen
 * enough skips ahead.
 */

import { play } from "../lib/sound";
import type { Frame, MoveData } from "../messages";
import type { Desk } from "./desk.svelte";

/** Milliseconds from one card of a tunnel to the next, and from the last one to what it meant. */
const FLIP = 650;
const LAST_FLIP = 450;
/** More than this is no game to watch, but news from a lost connection. */
const MOST_WAITING = 6;
const MOST_MOVES = 3;

/** Milliseconds that a move is looked at before the next one is shown; `spaces` of the track that was claimed. */
export function timeFor(move: MoveData, spaces: number): number {
  if (move.claimed != null) return 650 + 110 * spaces;
  if (move.kind === "station" || move.kind === "take_passenger") return 750;
  return move.kind.startsWith("draw") ? 560 : 250;
}

export class Showing {
  /** Something is being shown, and can be skipped. */
  active = $state(false);
  private waiting: Frame[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `atOnce` says that nobody wants to watch now. */
  constructor(
    private desk: Desk,
    private atOnce: () => boolean,
  ) {}

  /** A frame has come. */
  add(frame: Frame): void {
    this.waiting.push(frame);
    if (this.hurries(frame)) this.skip();
    else if (!this.active) this.next();
  }

  /** Show how things stand now. */
  skip(): void {
    clearTimeout(this.timer);
    this.active = false;
    const newest = this.waiting.at(-1);
    this.waiting = [];
    if (newest) this.desk.take(newest);
    else this.desk.endReveal();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private hurries(frame: Frame): boolean {
    const shown = this.desk.frame;
    if (!shown || shown.seat !== frame.seat || this.desk.curtain !== null || this.atOnce()) return true;
    return this.waiting.length > MOST_WAITING || frame.moves.filter(({ n }) => n > shown.n).length > MOST_MOVES;
  }

  private next(): void {
    const frame = this.waiting[0];
    this.active = frame !== undefined;
    if (!frame) return;
    const tunnel = frame.moves.findLast(({ n, turned_up }) => n > (this.desk.frame?.n ?? 0) && turned_up?.length);
    if (tunnel) this.turn(tunnel, 0);
    else this.take();
  }

  /** Turn up a tunnel's cards, before anything tells how it ended. */
  private turn(move: MoveData, up: number): void {
    this.desk.reveal = { move, mine: move.seat === this.desk.me, up };
    if (up) play("tunnel");
    const left = (move.turned_up?.length ?? 0) - up;
    this.timer = setTimeout(() => (left ? this.turn(move, up + 1) : this.take()), left ? FLIP : LAST_FLIP);
  }

  private take(): void {
    const frame = this.waiting.shift()!;
    this.desk.take(frame);
    const times = this.desk.fresh.map((move) => timeFor(move, this.desk.track(move.claimed ?? -1)?.length ?? 0));
    this.timer = setTimeout(() => this.next(), Math.max(0, ...times));
  }
}
