/** Choices of this browser, kept in its storage. */

export type Theme = "auto" | "light" | "dark" | "contrast";
export type Language = "en" | "de";

interface Kept {
  theme: Theme;
  language: Language;
  sound: boolean;
  notify: boolean;
  confirm: boolean;
  motion: "auto" | "less";
  name: string;
  colour: number;
}

const STORE = "whistlestop.settings";
const spoken: Language = navigator.language.startsWith("de") ? "de" : "en";
const usual: Kept = { theme: "auto", language: spoken, sound: true, notify: false, confirm: true, motion: "auto", name: "", colour: 0 };

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
