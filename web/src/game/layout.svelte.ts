/** How the screen of a game is laid out: panels beside the board, below it, or on a phone that lies on its side. */

import { MediaQuery } from "svelte/reactivity";

export type Layout = "wide" | "narrow" | "low";

export class Layouts {
  private low = new MediaQuery("(max-height: 520px) and (orientation: landscape)");
  private narrow = new MediaQuery("(max-width: 820px), ((max-width: 1100px) and (orientation: portrait))");
  private tall = new MediaQuery("(max-aspect-ratio: 7/5)");

  current = $derived.by<Layout>(() => (this.low.current ? "low" : this.narrow.current ? "narrow" : "wide"));
  /** The board leaves room below it rather than beside it. */
  roomBelow = $derived.by(() => this.tall.current);
}
