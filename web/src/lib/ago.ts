/** How long ago a moment was, in words. */

import { settings } from "./settings.svelte";

const STEPS: [number, Intl.RelativeTimeFormatUnit][] = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [Infinity, "day"],
];

/** `at` in seconds since 1970, as the server counts. */
export function ago(at: number): string {
  let span = Math.min(0, at - Date.now() / 1000);
  for (const [size, unit] of STEPS) {
    if (Math.abs(span) < size)
      return new Intl.RelativeTimeFormat(settings.language, { numeric: "auto" }).format(Math.ceil(span), unit);
    span /= size;
  }
  return "";
}
