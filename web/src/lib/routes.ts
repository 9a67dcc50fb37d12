/** Which page an address shows. */

import { KEY_LENGTHS } from "../facts";

export type Route =
  | { page: "home" | "new" | "history" | "about" | "learn" | "missing" }
  | { page: "table" | "watch" | "replay"; table: string }
  | { page: "score"; table: string | null };

const TABLE_PAGES = { t: "table", watch: "watch", replay: "replay" } as const;

export function routeOf(path: string): Route {
  const [first, second, ...rest] = path.split("/").filter(Boolean);
  if (first === undefined) return { page: "home" };
  if (second === undefined && (first === "new" || first === "history" || first === "about" || first === "learn"))
    return { page: first };
  if (second !== undefined && rest.length === 0 && Object.hasOwn(TABLE_PAGES, first) && /^[\w-]+$/.test(second))
    return { page: TABLE_PAGES[first as keyof typeof TABLE_PAGES], table: second };
  if (first === "score" && (second === undefined || (rest.length === 0 && /^[\w-]+$/.test(second))))
    return { page: "score", table: second ?? null };
  return { page: "missing" };
}

/** Whether a text can be a key at all; the server refuses to even look at others. */
export const isKey = (text: string): boolean =>
  /^[\w-]+$/.test(text) && text.length >= KEY_LENGTHS[0] && text.length <= KEY_LENGTHS[1];

/** The address meant by something pasted: a link to a table, or only its code. */
export function addressOf(pasted: string): string | null {
  const text = pasted.trim();
  const found = /(?:^|\/)(t|watch)\/([\w-]+)(#[\w-]+)?$/.exec(text.replace(/\?[^#]*/, ""));
  if (found) return `/${found[1]}/${found[2]}${found[3] ?? ""}`;
  return /^[\w-]{4,40}$/.test(text) ? `/t/${text}` : null;
}
