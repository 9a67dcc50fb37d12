/** Every language of the page. A new one is a JSON file with the keys of en.json, and its line here. */

import de from "./de.json";
import en from "./en.json";

export const languages = { en: complete(en), de: complete(de) };

export type Language = keyof typeof languages;

export interface Texts {
  [key: string]: string | Texts;
}

/** Keys of the texts in a tree, with dots. */
type Leaves<Tree, Before extends string = ""> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? `${Before}${Key}` : Leaves<Tree[Key], `${Before}${Key}.`>;
}[keyof Tree & string];

/** Forms of a text by number are one key: `turns_one` and `turns_other` are asked for as `turns`. */
type Folded<Key extends string> = Key extends `${infer Text}_one` | `${infer Text}_other` ? Text : Key;

type KeysOf<Tree> = Folded<Leaves<Tree>>;

/** What `t` accepts: every key of en.json. */
export type TextKey = KeysOf<typeof en>;

/** Names the keys that a language lacks, so that the check complains of each. */
type Lacks<Tree> = { [Key in Exclude<TextKey, KeysOf<Tree>>]: "is missing" };

function complete<Tree extends Texts>(texts: Tree & Lacks<Tree>): Texts {
  return texts;
}

export const LANGUAGES = Object.keys(languages) as Language[];
