/** Begin a lesson, or go on with it. */

import { api } from "../lib/api";
import { keepKey, keyOf } from "../lib/keys";
import { router } from "../lib/router.svelte";
import { settings } from "../lib/settings.svelte";
import { t } from "../lib/texts.svelte";
import type { LessonName } from "./lessons";
import { keepProgress, progressOf } from "./progress";

/** The table of a lesson that was begun and not ended, if this browser has its key. */
export function begun(lesson: LessonName): string | null {
  const kept = progressOf(lesson);
  return kept && !kept.ended && keyOf(kept.table) !== undefined ? kept.table : null;
}

export async function openLesson(lesson: LessonName): Promise<void> {
  const seat = await api.lesson(lesson, { name: settings.name || t("lobby.guest"), colour: settings.colour });
  keepKey(seat.table, seat.key);
  keepProgress(lesson, { table: seat.table, step: 0, since: 0, ended: false });
  router.go(`/t/${seat.table}`);
}
