/** Which theme is on the screen now, for pictures that the server draws. */

import { MediaQuery } from "svelte/reactivity";
import type { THEMES } from "../facts";
import { settings } from "./settings.svelte";

const dark = new MediaQuery("(prefers-color-scheme: dark)");

export function shownTheme(): (typeof THEMES)[number] {
  return settings.theme === "auto" ? (dark.current ? "dark" : "light") : settings.theme;
}
