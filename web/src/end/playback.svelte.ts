/** A replay: at which action it is, through whose eyes, and the frames for it as they come. */

import type { EndData, Frame, MoveData } from "../messages";
import { Frames } from "./frames";
import { lastStop, nextStop, turnStops, type Spot } from "./stops";

/** Milliseconds for an action at the usual speed. */
const STEP = 1500;

export class Playback {
  n = $state(0);
  eyes = $state<number | null>(null);
  playing = $state(false);
  speed = $state(1);
  /** The newest frame that has come; the one before stays until then, so that nothing flickers. */
  frame = $state.raw<Frame | null>(null);
  /** The whole story as these eyes saw it. */
  moves = $state.raw<MoveData[]>([]);
  readonly last: number;

  private stops: number[];
  private frames: Frames;
  private chasing = false;

  /** `fetch` asks for the game after an action through somebody's eyes; `failed` hears that it did not come. */
  constructor(
    end: EndData,
    fetch: (n: number, eyes: number | null) => Promise<Frame>,
    private failed: (reason: unknown) => void,
  ) {
    this.last = end.n;
    this.stops = turnStops(end.timeline, end.n);
    this.frames = new Frames(fetch, end.n);
  }

  /** Where the turn before ended, and where the next one will. */
  before = $derived.by(() => lastStop(this.stops, this.n));
  after = $derived.by(() => nextStop(this.stops, this.n));

  place({ n, eyes }: Spot): void {
    [this.n, this.eyes] = [n, eyes];
  }

  go(to: number): void {
    this.playing = false;
    this.n = Math.max(0, Math.min(this.last, to));
  }

  toggle(): void {
    if (!this.playing && this.n >= this.last) this.n = 0;
    this.playing = !this.playing;
  }

  /** Fetch what is to be seen. One frame is on its way at a time. */
  async chase(): Promise<void> {
    this.frame = this.frames.ready(this.n, this.eyes) ?? this.frame;
    if (this.chasing) return;
    this.chasing = true;
    try {
      while (this.frame?.n !== this.n || this.frame.seat !== this.eyes) {
        const eyes = this.eyes;
        const come = await this.frames.get(this.n, eyes);
        if (eyes === this.eyes) this.frame = come;
      }
      void this.frames.prefetch(this.n, this.eyes);
    } catch (reason) {
      this.playing = false;
      this.failed(reason);
    } finally {
      this.chasing = false;
    }
  }

  /** Fetch the whole story through these eyes. */
  async read(): Promise<void> {
    const eyes = this.eyes;
    try {
      const whole = await this.frames.get(this.last, eyes);
      if (eyes === this.eyes) this.moves = whole.moves;
    } catch (reason) {
      this.failed(reason);
    }
  }

  /** Go on by itself after a moment, once the frame is there; returns how to stop that. */
  tick(): (() => void) | undefined {
    if (!this.playing) return;
    if (this.n >= this.last) {
      this.playing = false;
      return;
    }
    if (this.frame?.n !== this.n) return;
    const timer = setTimeout(() => (this.n += 1), STEP / this.speed);
    return () => clearTimeout(timer);
  }

  /** Do what a key means; false if it means nothing here. */
  press(key: string, byTurn: boolean): boolean {
    if (key === "ArrowRight") this.go(byTurn ? this.after : this.n + 1);
    else if (key === "ArrowLeft") this.go(byTurn ? this.before : this.n - 1);
    else if (key === "Home") this.go(0);
    else if (key === "End") this.go(this.last);
    else if (key === " ") this.toggle();
    else return false;
    return true;
  }
}
