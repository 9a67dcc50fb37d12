/** Where the screen looks on a board: zoom, pan, and flights from one look to another. */

import { still } from "../lib/settings.svelte";
import type { BoardData } from "../messages";
import {
  around,
  cover,
  between,
  fit,
  held,
  lookingAt,
  panned,
  toBoard,
  within,
  zoomed,
  type Camera,
  type Size,
} from "./camera";
import type { Spot } from "./types";

const MARGIN = 10;
/** Milliseconds without movement after which the picture is drawn sharp again. */
const SETTLES = 160;
/** A screen so much higher than wide stands on its end. */
const STANDS = 0.92;
/** A tall board is too small on a screen that is no higher than this; there it begins so much nearer. */
const LOW = 420;
const NEAR_LOW = 1.6;

export class Viewport {
  screen = $state.raw<Size>({ width: 0, height: 0 });
  camera = $state.raw<Camera>({ scale: 1, x: 0, y: 0 });
  /** Scale after the last movement; what depends on it is drawn anew only then. */
  settled = $state(0);
  whole = $derived.by(() => fit(this.board(), this.screen, MARGIN));

  private world: HTMLElement | null = null;
  /** Somebody looked elsewhere: from then on the screen stays where they look. */
  private moved = false;
  private home: Spot | null = null;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private flight = 0;

  constructor(private board: () => BoardData) {}

  /** Follow the size of the frame, and move the world in it; returns how to stop. */
  attach(frame: HTMLElement, world: HTMLElement): () => void {
    this.world = world;
    const observer = new ResizeObserver(() => this.resize({ width: frame.clientWidth, height: frame.clientHeight }));
    observer.observe(frame);
    return () => {
      observer.disconnect();
      clearTimeout(this.settling);
      this.stop();
    };
  }

  /** The middle of the screen keeps its place, unless the whole board was seen. */
  private resize(screen: Size): void {
    const before = this.screen;
    const atRest = !before.width || !this.moved || this.camera.scale <= this.whole.scale * 1.01;
    const centre = toBoard(this.camera, { x: before.width / 2, y: before.height / 2 });
    this.screen = screen;
    this.stop();
    const { scale } = this.camera;
    if (atRest) this.move(this.first());
    else this.move({ scale, x: screen.width / 2 - centre.x * scale, y: screen.height / 2 - centre.y * scale });
    this.settle();
  }

  /** The whole board; where a screen stands and the board lies, or the other way round, the part of it where I am. */
  private first(): Camera {
    const { width, height } = this.board();
    const tall = width < height;
    const stands = this.screen.height >= this.screen.width * STANDS;
    if (this.moved || tall === stands || (tall && this.screen.height > LOW)) return this.whole;
    const middle = this.home ?? { x: width / 2, y: height / 2 };
    return cover(this.board(), this.screen, MARGIN, middle, tall ? NEAR_LOW : undefined);
  }

  /** Begin where these spots are. */
  beginAt(spots: Spot[]): void {
    const { left, top, right, bottom } = around(spots.length ? spots : [{ x: 0, y: 0 }]);
    this.home = spots.length ? { x: (left + right) / 2, y: (top + bottom) / 2 } : null;
    if (!this.moved && this.screen.width) this.move(this.first());
  }

  /** Show what the camera sees. Only the style of one element changes, so that the picture moves as a whole. */
  move(next: Camera): void {
    const { x, y, scale } = (this.camera = held(next, this.board(), this.screen, MARGIN));
    if (!this.world) return;
    this.world.style.willChange = "transform"; // moved by the compositor meanwhile; drawn sharp again when it rests
    this.world.style.transform = `translate(${x}px, ${y}px) scale(${scale / this.whole.scale})`;
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), SETTLES);
  }

  private settle(): void {
    if (this.world) this.world.style.willChange = "auto";
    this.settled = this.camera.scale;
  }

  pan(dx: number, dy: number): void {
    this.moved = true;
    this.move(panned(this.camera, dx, dy));
  }

  /** Zoom by a factor around a point of the screen, at once; with fingers the point may move meanwhile. */
  scale(factor: number, at: Spot, to: Spot = at): void {
    this.moved = true;
    this.move(panned(this.nearer(factor, at), to.x - at.x, to.y - at.y));
  }

  private nearer(factor: number, at: Spot): Camera {
    return zoomed(this.camera, within(this.camera.scale * factor, this.board(), this.screen, MARGIN), at);
  }

  /** End a flight where it is. */
  stop(): void {
    cancelAnimationFrame(this.flight);
  }

  fly(to: Camera, time = 380): void {
    this.moved = true;
    this.stop();
    const target = held(to, this.board(), this.screen, MARGIN);
    if (still() || !this.screen.width) {
      this.move(target);
      return;
    }
    const [from, start] = [this.camera, performance.now()];
    const step = (now: number) => {
      const part = Math.min((now - start) / time, 1);
      this.move(part === 1 ? target : between(from, target, 1 - (1 - part) ** 3, this.screen));
      if (part < 1) this.flight = requestAnimationFrame(step);
    };
    this.flight = requestAnimationFrame(step);
  }

  flyBy(dx: number, dy: number): void {
    this.fly(panned(this.camera, dx, dy), 200);
  }

  zoom(factor: number, at: Spot = { x: this.screen.width / 2, y: this.screen.height / 2 }): void {
    this.fly(this.nearer(factor, at));
  }

  reset(): void {
    this.fly(this.whole);
  }

  /** Move so that all of these spots are seen. */
  lookAt(spots: Spot[]): void {
    if (!spots.length) return;
    this.fly(
      lookingAt(around(spots), this.screen, Math.min(90, this.screen.width / 6), Math.max(1.2, this.whole.scale)),
      600,
    );
  }
}
