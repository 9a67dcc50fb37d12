/** Ticket packs: a file of extra tickets, as JSON or in the TOML form of our map files. */

import { LONGEST_NAME, MOST_PACK_TICKETS, TICKET_KINDS, TICKET_POINTS } from "../facts";
import type { Pack, PackTicket } from "../messages";

type PackTrouble =
  "syntax" | "json" | "too_large" | "no_tickets" | "too_many" | "ticket" | "cities" | "points" | "kind";

/** What is wrong with a file; `key` names a text under lobby.packs. */
export class PackError extends Error {
  constructor(
    readonly key: PackTrouble,
    readonly words: Record<string, string | number> = {},
  ) {
    super(key);
  }
}

type Value = string | number | boolean | Value[] | { [key: string]: Value };

/**
 * The part of TOML that a pack needs: keys, texts, whole numbers, arrays, inline tables and [[tables]]. No number of
 * dots, no dates.
 */
class Reader {
  private at = 0;
  constructor(private readonly text: string) {}

  private fail(): never {
    throw new PackError("syntax", { line: this.text.slice(0, this.at).split("\n").length });
  }

  private skip(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  private blank = (): string => this.skip(/(?:\s|#[^\n]*)*/y);

  private ahead(mark: string): boolean {
    this.blank();
    return this.text.startsWith(mark, this.at);
  }

  private eat(mark: string): boolean {
    const found = this.ahead(mark);
    if (found) this.at += mark.length;
    return found;
  }

  private key(): string {
    this.blank();
    const quoted = this.quoted();
    return quoted ?? (this.skip(/[A-Za-z0-9_-]+/y) || this.fail());
  }

  private quoted(): string | null {
    const raw = this.skip(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y);
    if (!raw) return null;
    if (raw.startsWith("'")) return raw.slice(1, -1);
    try {
      return JSON.parse(raw) as string;
    } catch {
      this.fail();
    }
  }

  private pair(into: Map<string, Value>): void {
    const key = this.key();
    if (!this.eat("=") || into.has(key)) this.fail();
    into.set(key, this.value());
  }

  private value(): Value {
    this.blank();
    const text = this.quoted();
    if (text !== null) return text;
    if (this.eat("[")) {
      const list: Value[] = [];
      while (!this.eat("]")) {
        list.push(this.value());
        if (!this.eat(",") && !this.ahead("]")) this.fail();
      }
      return list;
    }
    if (this.eat("{")) {
      const table = new Map<string, Value>();
      while (!this.eat("}")) {
        this.pair(table);
        if (!this.eat(",") && !this.ahead("}")) this.fail();
      }
      return Object.fromEntries(table);
    }
    const word = this.skip(/[+-]?\d+\b|true\b|false\b/y);
    if (!word) this.fail();
    return word === "true" ? true : word === "false" ? false : Number(word);
  }

  read(): { [key: string]: Value } {
    const root = new Map<string, Value>();
    const tables = new Map<string, Map<string, Value>[]>();
    let into = root;
    for (this.blank(); this.at < this.text.length; this.blank()) {
      if (this.eat("[[")) {
        const key = this.key();
        if (!this.eat("]]") || root.has(key)) this.fail();
        into = new Map();
        tables.set(key, [...(tables.get(key) ?? []), into]);
      } else this.pair(into);
    }
    for (const [key, list] of tables)
      root.set(
        key,
        list.map((table) => Object.fromEntries(table)),
      );
    return Object.fromEntries(root);
  }
}

function ticket(raw: Value, number: number): PackTicket {
  if (typeof raw !== "object" || Array.isArray(raw)) throw new PackError("ticket", { number });
  const { from, to, points, kind = TICKET_KINDS[0] } = raw;
  const known = TICKET_KINDS.find((one) => one === kind);
  const [least, most] = TICKET_POINTS;
  if (typeof from !== "string" || typeof to !== "string") throw new PackError("cities", { number });
  if (typeof points !== "number" || !Number.isInteger(points) || points < least || points > most)
    throw new PackError("points", { number, least, most });
  if (!known) throw new PackError("kind", { number });
  return { from, to, points, kind: known };
}

/** The pack in a file's text. Whether its cities exist is for the server to say. */
export function readPack(text: string, fileName = ""): Pack {
  let raw: Value;
  if (text.trimStart().startsWith("{")) {
    try {
      raw = JSON.parse(text) as Value;
    } catch {
      throw new PackError("json");
    }
  } else raw = new Reader(text.replaceAll("\r\n", "\n")).read();
  if (typeof raw !== "object" || Array.isArray(raw) || !Array.isArray(raw.tickets)) throw new PackError("no_tickets");
  const tickets = raw.tickets.map((one, at) => ticket(one, at + 1));
  if (tickets.length === 0) throw new PackError("no_tickets");
  if (tickets.length > MOST_PACK_TICKETS) throw new PackError("too_many", { most: MOST_PACK_TICKETS });
  const name = typeof raw.name === "string" && raw.name.trim() ? raw.name.trim() : fileName.replace(/\.\w+$/, "");
  return { name: name.slice(0, LONGEST_NAME) || "Pack", tickets: tickets as Pack["tickets"] };
}
