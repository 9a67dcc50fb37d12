import { expect, test } from "vitest";
import de from "./de.json";
import en from "./en.json";

type Tree = { [key: string]: string | Tree };

function flat(tree: Tree, before = ""): Map<string, string> {
  const all = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === "string") all.set(before + key, value);
    else for (const [inner, text] of flat(value, `${before}${key}.`)) all.set(inner, text);
  }
  return all;
}

const english = flat(en);
const german = flat(de);
const words = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

test("both languages have the same keys", () => {
  expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
});

test.each([...english.keys()])("%s has the same {words} in both languages", (key) => {
  expect(words(german.get(key) ?? "")).toEqual(words(english.get(key)!));
});

test("no text is empty", () => {
  for (const [key, text] of [...english, ...german]) expect(text.trim(), key).not.toBe("");
});
