/** Going through the story of a final count: where it is, and whether it goes on by itself. */

import type { Step } from "./story";

export class Telling {
  at = $state(0);
  playing = $state(false);
  step = $derived.by<Step | undefined>(() => this.steps()[this.at]);
  done = $derived.by(() => this.steps().length > 0 && this.at === this.steps().length - 1);

  constructor(private steps: () => Step[]) {}

  /** Tell it from the start, or show its end. */
  begin(told: boolean): void {
    this.at = told ? Math.max(0, this.steps().length - 1) : 0;
    this.playing = !this.done;
  }

  /** Somebody goes to a step: it no longer goes on by itself. */
  go(to: number): void {
    this.at = Math.max(0, Math.min(this.steps().length - 1, to));
    this.playing = false;
  }

  /** By itself to the next step. */
  next(): void {
    if (!this.done) this.at += 1;
  }

  /** Do what a key means; false if it means nothing here. */
  press(key: string): boolean {
    if (key === "ArrowRight" && !this.done) this.go(this.at + 1);
    else if (key === "ArrowLeft") this.go(this.at - 1);
    else if (key === " " && !this.done) this.playing = !this.playing;
    else if (key === "Escape" && !this.done) this.go(this.steps().length - 1);
    else return false;
    return true;
  }
}
