import { describe, expect, test } from "vitest";
import { LANGUAGES, languages, type Texts } from "./languages";

function flat(texts: Texts, before = ""): Map<string, string> {
  const all = new Map<string, string>();
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === "string") all.set(before + key, value);
    else for (const [inner, text] of flat(value, `${before}${key}.`)) all.set(inner, text);
  }
  return all;
}

const english = flat(languages.en);
/** Texts that come in forms by number. */
const counted = [...english.keys()].filter((key) => key.endsWith("_one")).map((key) => key.slice(0, -4));
const words = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

/** The keys that a language needs: the English ones, with its own forms by number. */
function needed(language: string): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const plain = [...english.keys()].filter(
    (key) => !counted.some((text) => key === `${text}_one` || key === `${text}_other`),
  );
  return [...plain, ...counted.flatMap((text) => forms.map((form) => `${text}_${form}`))];
}

describe.each(LANGUAGES)("%s", (language) => {
  const texts = flat(languages[language]);

  test("has every key and no other", () => {
    expect([...texts.keys()].sort()).toEqual(needed(language).sort());
  });

  test("has the {words} of the English texts", () => {
    for (const [key, text] of texts) {
      const original = english.get(key) ?? english.get(key.replace(/_[a-z]+$/, "_other"))!;
      // a form for one may spell its number out
      const free = key.endsWith("_one") ? ["{n}"] : [];
      const plain = (all: string): string[] => words(all).filter((word) => !free.includes(word));
      expect(plain(text), key).toEqual(plain(original));
    }
  });

  test("has no empty text", () => {
    for (const [key, text] of texts) expect(text.trim(), key).not.toBe("");
  });
});
