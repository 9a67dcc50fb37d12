/** Frames of a replay, fetched once each. */

import type { Frame } from "../messages";

const AHEAD = [1, 2, -1, 3];

export class Frames {
  private kept = new Map<string, Promise<Frame>>();
  private here = new Map<string, Frame>();

  constructor(
    private fetch: (n: number, eyes: number | null) => Promise<Frame>,
    readonly last: number,
  ) {}

  /** The frame if it has come already. */
  ready(n: number, eyes: number | null): Frame | undefined {
    return this.here.get(`${eyes}:${n}`);
  }

  get(n: number, eyes: number | null): Promise<Frame> {
    const name = `${eyes}:${n}`;
    let frame = this.kept.get(name);
    if (!frame) {
      frame = this.fetch(n, eyes);
      this.kept.set(name, frame);
      frame.then(
        (come) => this.here.set(name, come),
        () => this.kept.delete(name), // may be asked for again
      );
    }
    return frame;
  }

  /** Fetch what will be wanted next, one after the other. */
  async prefetch(n: number, eyes: number | null): Promise<void> {
    for (const step of AHEAD) {
      if (n + step >= 0 && n + step <= this.last) await this.get(n + step, eyes).catch(() => undefined);
    }
  }
}
