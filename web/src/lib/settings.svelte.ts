/** Choices of this browser, kept in its storage. */

import { THEMES } from "../facts";
import { LANGUAGES, type Language } from "../texts/languages";

/** Looks to choose from; "auto" follows the system. */
export const LOOKS = ["auto", ...THEMES] as const;
export type Look = (typeof LOOKS)[number];

/** Sounds, each of which can be switched off. */
export const SOUNDS = ["turn", "draw", "claim", "tunnel", "complete", "last_round", "victory"] as const;
export type SoundName = (typeof SOUNDS)[number];

interface Kept {
  theme: Look;
  language: Language;
  sound: boolean;
  /** Sounds that were switched off. */
  muted: SoundName[];
  notify: boolean;
  confirm: boolean;
  motion: "auto" | "less";
  name: string;
  colour: number;
}

const STORE = "whistlestop.settings";
const spoken = LANGUAGES.find((language) => navigator.language.startsWith(language)) ?? "en";
const usual: Kept = {
  theme: "auto",
  language: spoken,
  sound: true,
  muted: [],
  notify: false,
  confirm: true,
  motion: "auto",
  name: "",
  colour: 0,
};

function kept(): Kept {
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(STORE) ?? "{}") };
  } catch {
    return usual; // a browser that keeps nothing, or something else under our name
  }
}

export const settings: Kept = $state(kept());

/** Keep what was chosen, and show it on the page; call once, in a component. */
export function applySettings(): void {
  $effect(() => {
    const plain = $state.snapshot(settings);
    try {
      localStorage.setItem(STORE, JSON.stringify(plain));
    } catch {
      // private windows may refuse: the choice then holds until the page is closed
    }
    document.documentElement.dataset.theme = plain.theme;
    document.documentElement.dataset.motion = plain.motion;
    document.documentElement.lang = plain.language;
  });
}

/** Whether things should move little: by choice here or in the system. */
export function still(): boolean {
  return settings.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
