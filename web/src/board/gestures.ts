/** Mouse, fingers and dragged cards on a board: pan, zoom, pinch, hover, tap, drop. */

import { pinch, toBoard } from "./camera";
import { apart } from "./near";
import type { Pointing } from "./pointing.svelte";
import { DoubleTap, wheelStep } from "./taps";
import type { Position, Spot, What } from "./types";
import type { Viewport } from "./viewport.svelte";
import { hitAt, isReady, trackAt, whatOf } from "./what";

/** The type of data under which a card is dragged. */
export const CARD_TYPE = "text/x-whistlestop-card";
/** Pixels that a pressed pointer may tremble before it drags. */
const TREMBLE = { mouse: 5, touch: 10 };

/** What gestures need to know and may do. */
export interface GestureTarget {
  position: () => Position;
  choose: (what: What) => void;
  /** Whether two taps in a row on tracks or cities are two taps there, and never a zoom. */
  quick: () => boolean;
  /** Null where no cards can be dropped. */
  drop: () => ((track: number, card: string) => void) | null;
}

/** Buttons over the board are not the board. */
export const onTools = (event: Event): boolean => !!(event.target as Element).closest(".tools");

export class Gestures {
  private pointers = new Map<number, Spot>();
  private dragged = false;
  private pressedAt: Spot = { x: 0, y: 0 };
  private taps = new DoubleTap();

  constructor(
    private frame: () => HTMLElement,
    private viewport: Viewport,
    private pointing: Pointing,
    private target: GestureTarget,
  ) {}

  readonly listeners = {
    pointerdown: (event: PointerEvent) => this.press(event),
    mousedown: (event: MouseEvent) => this.keepFocus(event),
    pointermove: (event: PointerEvent) => this.move(event),
    pointerup: (event: PointerEvent) => this.pointers.delete(event.pointerId),
    pointercancel: (event: PointerEvent) => this.pointers.delete(event.pointerId),
    pointerleave: (event: PointerEvent) => event.pointerType === "mouse" && this.pointing.leave(),
    click: (event: MouseEvent) => this.click(event),
    wheel: (event: WheelEvent) => this.wheel(event),
    dragover: (event: DragEvent) => this.dragOver(event),
    dragleave: () => (this.pointing.dropping = null),
    drop: (event: DragEvent) => this.drop(event),
  };

  /** The track at a place of the window, for cards that are dragged by finger. */
  trackAt(clientX: number, clientY: number): number | null {
    const box = this.frame().getBoundingClientRect();
    if (clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom) return null;
    return this.trackUnder({ clientX, clientY });
  }

  private spot(event: { clientX: number; clientY: number }): Spot {
    const frame = this.frame();
    const box = frame.getBoundingClientRect();
    return { x: event.clientX - box.left - frame.clientLeft, y: event.clientY - box.top - frame.clientTop };
  }

  private trackUnder(event: { clientX: number; clientY: number }): number | null {
    const { camera } = this.viewport;
    return trackAt(this.target.position(), toBoard(camera, this.spot(event)), camera.scale);
  }

  private hit(at: Spot, touch: boolean): What | null {
    const { camera } = this.viewport;
    return hitAt(this.target.position(), toBoard(camera, at), camera.scale, touch ? "touch" : "mouse");
  }

  private press(event: PointerEvent): void {
    if (onTools(event) || (event.pointerType === "mouse" && event.button > 1)) return;
    this.viewport.stop();
    this.pointers.set(event.pointerId, this.spot(event));
    this.dragged = this.pointers.size > 1;
    if (this.pointers.size === 1) this.pressedAt = this.spot(event);
  }

  /** A mouse must not leave the focus on a track: the ring is for keys. */
  private keepFocus(event: MouseEvent): void {
    if (onTools(event)) return;
    event.preventDefault();
    this.pointing.pressed = true;
    this.frame().focus({ preventScroll: true });
  }

  private move(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    const now = this.spot(event);
    if (!before) {
      if (event.pointerType === "mouse") this.pointing.point(onTools(event) ? null : this.hit(now, false));
      return;
    }
    if (this.pointers.size === 1) {
      if (!this.dragged && apart(now, this.pressedAt) < TREMBLE[event.pointerType === "mouse" ? "mouse" : "touch"])
        return;
      if (!this.dragged) {
        this.dragged = true;
        this.frame().setPointerCapture(event.pointerId);
        this.pointing.leave();
      }
      this.viewport.pan(now.x - before.x, now.y - before.y);
    } else if (this.pointers.size === 2) {
      const other = [...this.pointers].find(([pointer]) => pointer !== event.pointerId)![1];
      const { factor, from, to } = pinch([before, other], [now, other]);
      this.viewport.scale(factor, from, to);
    }
    this.pointers.set(event.pointerId, now);
  }

  private click(event: MouseEvent): void {
    if (onTools(event)) return;
    if (event.detail === 0) {
      // pressed by a screen reader or a script: there is no place, only the element
      const what = whatOf(event.target as Element);
      if (what) this.target.choose(what);
      return;
    }
    if (this.dragged) return;
    const touch = (event as PointerEvent).pointerType === "touch";
    const at = this.spot(event);
    const what = this.hit(at, touch);
    if (what && (this.target.quick() || isReady(this.target.position(), what))) this.taps.forget();
    else if (this.taps.tap(event.timeStamp, at)) {
      this.pointing.point(null);
      this.viewport.zoom(event.shiftKey ? 0.5 : 2, at);
      return;
    }
    if (touch && !(what && this.target.quick())) this.pointing.pin(what);
    if (what) this.target.choose(what);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const step = wheelStep(event);
    if ("pan" in step) this.viewport.pan(step.pan, 0);
    else {
      this.viewport.stop();
      this.viewport.scale(step.zoom, this.spot(event));
    }
  }

  private dragOver(event: DragEvent): void {
    if (!this.target.drop() || !event.dataTransfer?.types.includes(CARD_TYPE)) return;
    this.pointing.dropping = this.trackUnder(event);
    if (this.pointing.dropping !== null) event.preventDefault();
  }

  private drop(event: DragEvent): void {
    const card = event.dataTransfer?.getData(CARD_TYPE);
    const track = this.pointing.dropping;
    this.pointing.dropping = null;
    if (!card || track === null) return;
    event.preventDefault();
    this.target.drop()?.(track, card);
  }
}
