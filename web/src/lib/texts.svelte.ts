/** Texts in the chosen language: one file per language, keys by dots. */

import de from "../texts/de.json";
import en from "../texts/en.json";
import { settings } from "./settings.svelte";

type Tree = { [key: string]: string | Tree };
export const languages: Record<string, Tree> = { en, de };

const plurals: Record<string, Intl.PluralRules> = {};
const pluralOf = (language: string, n: number) => (plurals[language] ??= new Intl.PluralRules(language)).select(n);

function find(tree: Tree, key: string): string | undefined {
  const found = key.split(".").reduce<string | Tree | undefined>((at, part) => (typeof at === "object" ? at[part] : undefined), tree);
  return typeof found === "string" ? found : undefined;
}

/** The text of a key, with {words} filled in. With `n`, `key_one` or `key_other` by the language's rule where they exist. */
export function t(key: string, words: Record<string, string | number> = {}): string {
  const text = textOf(key, words);
  if (text === undefined) console.error(`there is no text ${key}`);
  return text ?? key;
}

/** The text of a key, or another text where there is none: for things that have words of their own, such as editions. */
export function textOr(key: string, otherwise: string): string {
  return textOf(key, {}) ?? otherwise;
}

function textOf(key: string, words: Record<string, string | number>): string | undefined {
  const tree = languages[settings.language] ?? en;
  const form = typeof words.n === "number" ? `${key}_${pluralOf(settings.language, words.n)}` : key;
  const text = find(tree, form) ?? find(tree, key) ?? find(en, form) ?? find(en, key);
  return text?.replace(/\{(\w+)\}/g, (_, name: string) => String(words[name] ?? ""));
}
