/** Real tables of this browser: the key of each, and a copy of what was seen last, should the server lose it. */

import type { NewRealPlayer } from "../messages";

export interface KeptTable {
  table: string;
  key: string | null;
  at: number;
  edition: string;
  players: NewRealPlayer[];
}

const STORE = "whistlestop.real_tables";
const MOST = 20;

export function keptTables(): KeptTable[] {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "[]") as KeptTable[];
  } catch {
    return []; // a browser that keeps nothing, or something else under our name
  }
}

function write(tables: KeptTable[]): void {
  try {
    localStorage.setItem(STORE, JSON.stringify(tables.slice(0, MOST)));
  } catch {
    // nothing can be kept: the table's link still works
  }
}

export const keptTable = (table: string): KeptTable | undefined => keptTables().find((one) => one.table === table);

/** Keep a table, before all others. */
export function keepTable(kept: Omit<KeptTable, "at">): void {
  write([{ ...kept, at: Date.now() }, ...keptTables().filter(({ table }) => table !== kept.table)]);
}

export const forgetTable = (table: string): void => write(keptTables().filter((one) => one.table !== table));
