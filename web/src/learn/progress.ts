/** How far somebody is in each lesson, kept in the browser. */

import type { LessonName } from "./lessons";

export interface Progress {
  /** The table at which the lesson is given. */
  table: string;
  step: number;
  /** The action after which the step began. */
  since: number;
  /** Whether its game is over. */
  ended: boolean;
}
/** A lesson that was done once stays so, however often it is begun again. */
type Kept = Progress & { done: boolean };

const STORE = "whistlestop.lessons";

function all(): Partial<Record<LessonName, Kept>> {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "{}");
  } catch {
    return {}; // a browser that keeps nothing, or something else under our name
  }
}

export const progressOf = (lesson: LessonName): Kept | undefined => all()[lesson];

export function keepProgress(lesson: LessonName, progress: Progress): void {
  const kept = all();
  const done = progress.ended || (kept[lesson]?.done ?? false);
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...kept, [lesson]: { ...progress, done } }));
  } catch {
    // private windows may refuse: the lesson then begins anew with the page
  }
}
