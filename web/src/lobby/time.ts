/** Time for a turn, in words. */

import { t } from "../lib/texts.svelte";

/** What a new table may choose, in seconds. */
export const times: (number | null)[] = [null, 30, 60, 120, 300, 86_400, 3 * 86_400];

export function timeWords(seconds: number | null): string {
  if (seconds === null) return t("lobby.times.none");
  if (seconds < 60) return t("lobby.times.seconds", { n: seconds });
  if (seconds < 3600) return t("lobby.times.minutes", { n: Math.round(seconds / 60) });
  if (seconds < 86_400) return t("lobby.times.hours", { n: Math.round(seconds / 3600) });
  return t("lobby.times.days", { n: Math.round(seconds / 86_400) });
}
