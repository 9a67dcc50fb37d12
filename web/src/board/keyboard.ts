/** Keys on a board: zoom and pan, or walk over its tracks and cities with the focus. */

import { toScreen } from "./camera";
import { onTools } from "./gestures";
import type { Pointing } from "./pointing.svelte";
import type { Position, What } from "./types";
import type { Viewport } from "./viewport.svelte";
import { ARROWS, firstStop, intoSight, stopsOf, walk, type Stop } from "./walk";
import { elementOf, spotOf, whatOf } from "./what";

const PAN = 120;
const ZOOM = 1.5;

/** What keys need to know and may do. */
export interface KeyTarget {
  position: () => Position;
  choose: (what: What) => void;
}

export class Keyboard {
  constructor(
    private frame: () => HTMLElement,
    private viewport: Viewport,
    private pointing: Pointing,
    private target: KeyTarget,
  ) {}

  readonly listeners = {
    keydown: (event: KeyboardEvent) => this.key(event),
    focusin: (event: FocusEvent) => this.focusIn(event),
    focusout: (event: FocusEvent) => this.focusOut(event),
  };

  private key(event: KeyboardEvent): void {
    this.pointing.pressed = false;
    if (event.ctrlKey || event.metaKey || onTools(event) || !this.handled(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Do what a key means; false if it means nothing here. */
  private handled({ key, altKey }: KeyboardEvent): boolean {
    const { focused, tip } = this.pointing;
    const { claimable } = this.target.position();
    const step = ARROWS[key];
    if (step) {
      if (focused || altKey) this.focus(walk(this.stops(), claimable, focused, step));
      else this.viewport.flyBy(-step.x * PAN, -step.y * PAN);
    } else if (key === "+" || key === "=") this.viewport.zoom(ZOOM);
    else if (key === "-") this.viewport.zoom(1 / ZOOM);
    else if (key === "0") this.viewport.reset();
    else if (key === "Enter" || key === " ") {
      if (focused) this.target.choose(focused);
      else this.focus(firstStop(this.stops(), claimable));
    } else if (key === "Escape" && (focused || tip)) {
      if (focused) this.frame().focus({ preventScroll: true });
      this.pointing.point(null);
    } else return false;
    return true;
  }

  private stops(): Stop[] {
    return stopsOf(this.target.position());
  }

  private focus(stop: Stop | null): void {
    if (stop) elementOf(stop.what, this.frame())?.focus({ preventScroll: true });
  }

  private focusIn(event: FocusEvent): void {
    const before = this.pointing.focused;
    const now = (this.pointing.focused = whatOf(event.target as Element));
    if (!now) {
      if (before) this.pointing.leave();
      return;
    }
    this.pointing.point(now, 0);
    const { camera, screen } = this.viewport;
    const seen = toScreen(camera, spotOf(this.target.position().board, now));
    const [dx, dy] = [intoSight(seen.x, screen.width), intoSight(seen.y, screen.height)];
    if (dx || dy) this.viewport.flyBy(dx, dy);
  }

  private focusOut(event: FocusEvent): void {
    if (this.frame().contains(event.relatedTarget as Node | null)) return;
    queueMicrotask(() => (this.pointing.pressed = false));
    if (!this.pointing.focused) return;
    // browsers send this in the middle of a change of the page as well, when state must not change
    queueMicrotask(() => {
      this.pointing.focused = null;
      this.pointing.leave();
    });
  }
}
