/** Pure parts of gestures: double taps, and how far a wheel zooms. */

import { apart } from "./near";
import type { Spot } from "./types";

const TWICE_WITHIN = 350;
const TWICE_NEAR = 30;

/** Notices two taps at one place within a moment. */
export class DoubleTap {
  private last: { time: number; at: Spot } | null = null;

  /** Whether this tap is the second of two. */
  tap(time: number, at: Spot): boolean {
    const twice = this.last !== null && time - this.last.time < TWICE_WITHIN && apart(this.last.at, at) < TWICE_NEAR;
    this.last = twice ? null : { time, at };
    return twice;
  }

  forget(): void {
    this.last = null;
  }
}

type Wheel = Pick<WheelEvent, "deltaX" | "deltaY" | "deltaMode" | "ctrlKey" | "shiftKey">;

/** What a turn of the wheel does: pan sideways, or zoom by a factor. */
export function wheelStep({ deltaX, deltaY, deltaMode, ctrlKey, shiftKey }: Wheel): { pan: number } | { zoom: number } {
  const lines = deltaMode === 1 ? 16 : 1;
  if (shiftKey && !ctrlKey) return { pan: -(deltaX || deltaY) * lines };
  // fingers on a touchpad send many small steps, with the control key where they pinch
  return { zoom: Math.exp(-deltaY * lines * (ctrlKey ? 0.01 : 0.0016)) };
}
