/** Texts in the chosen language: one file per language, keys by dots. */

import { languages, type Language, type TextKey, type Texts } from "../texts/languages";
import { settings } from "./settings.svelte";

const plurals: Record<string, Intl.PluralRules> = {};
const pluralOf = (language: string, n: number) => (plurals[language] ??= new Intl.PluralRules(language)).select(n);

function find(texts: Texts, key: string): string | undefined {
  const found = key
    .split(".")
    .reduce<string | Texts | undefined>((at, part) => (typeof at === "object" ? at[part] : undefined), texts);
  return typeof found === "string" ? found : undefined;
}

/**
 * The text of a key, with {words} filled in. With `n`, `key_one` or `key_other` by the language's rule where they
 * exist.
 */
export function t(key: TextKey, words: Record<string, string | number> = {}): string {
  return textOf(key, words) ?? key;
}

/**
 * The text of a key, or another text where there is none: for things that have words of their own, such as editions.
 */
export function textOr(key: string, otherwise: string): string {
  return textOf(key, {}) ?? otherwise;
}

/** What a language calls itself. */
export const languageName = (language: Language): string => find(languages[language], "app.language") ?? language;

function textOf(key: string, words: Record<string, string | number>): string | undefined {
  const texts = languages[settings.language] ?? languages.en;
  const form = typeof words.n === "number" ? `${key}_${pluralOf(settings.language, words.n)}` : key;
  const text = find(texts, form) ?? find(texts, key) ?? find(languages.en, form) ?? find(languages.en, key);
  return text?.replace(/\{(\w+)\}/g, (_, name: string) => String(words[name] ?? ""));
}
