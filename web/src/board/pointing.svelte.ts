/** What is pointed at on a board, by mouse, finger or keys, and for what the tip is shown. */

import type { What } from "./types";
import { same } from "./what";

/** Milliseconds that a mouse rests before the first tip. */
const TIP_AFTER = 150;

export class Pointing {
  hover = $state.raw<What | null>(null);
  focused = $state.raw<What | null>(null);
  tip = $state.raw<What | null>(null);
  /** The track that a dragged card is over. */
  dropping = $state<number | null>(null);
  /** What is lit on the board. */
  lit = $derived.by(() => this.focused ?? (this.dropping === null ? this.hover : { track: this.dropping }));

  /** A press of the mouse put the focus on the board: no ring, until a key is pressed. */
  pressed = $state(false);

  /** A tip that was tapped stays until something else is tapped, or its moment is over. */
  private pinned = false;
  /** How the thing stood that was tapped. */
  private moment: string | null = null;
  private waiting: ReturnType<typeof setTimeout> | undefined;

  /** Point at something, or at nothing; its tip follows after a moment, or at once beside another tip. */
  point(what: What | null, after = TIP_AFTER): void {
    if (!same(what, this.hover)) this.hover = what;
    if (same(what, this.tip)) return;
    clearTimeout(this.waiting);
    this.pinned = false;
    if (what === null) this.tip = null;
    else if (this.tip || after === 0) this.tip = what;
    else this.waiting = setTimeout(() => (this.tip = what), after);
  }

  /** Point by a tap. */
  pin(what: What | null): void {
    this.point(what, 0);
    this.pinned = what !== null;
    this.moment = null;
  }

  /** How the thing with a tip stands now: a tip that was tapped goes when that changes. */
  stands(moment: string): void {
    if (!this.pinned) return;
    if (this.moment !== null && this.moment !== moment) this.point(null);
    else this.moment = moment;
  }

  /** Nothing is pointed at any more; a tip that was tapped stays. */
  leave(): void {
    if (!this.pinned) this.point(null);
  }

  close(): void {
    clearTimeout(this.waiting);
  }
}
