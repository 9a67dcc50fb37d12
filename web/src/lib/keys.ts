/** Seats of this browser: the secret keys of its tables. */

import { BASE } from "./base";
import { MOST_KEYS } from "../facts";

export interface KeptKey {
  table: string;
  key: string;
  at: number;
}

const STORE = "whistlestop.keys";

export function keptKeys(): KeptKey[] {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "[]");
  } catch {
    return [];
  }
}

function write(keys: KeptKey[]): void {
  try {
    localStorage.setItem(STORE, JSON.stringify(keys.slice(0, MOST_KEYS)));
  } catch {
    // nothing can be kept: the seat's link still works
  }
}

export const keyOf = (table: string): string | undefined => keptKeys().find((kept) => kept.table === table)?.key;

export function keepKey(table: string, key: string): void {
  write([{ table, key, at: Date.now() }, ...keptKeys().filter((kept) => kept.table !== table)]);
}

export const forgetKey = (table: string): void => write(keptKeys().filter((kept) => kept.table !== table));

/** The secret link of a seat; the key stands in the fragment, which browsers never send. */
export const seatLink = (table: string, key: string): string => `${location.origin}${BASE}/t/${table}#${key}`;
export const joinLink = (table: string): string => `${location.origin}${BASE}/t/${table}`;
export const watchLink = (table: string, watch: string): string => `${location.origin}${BASE}/watch/${table}#${watch}`;
