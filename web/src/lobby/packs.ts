/** Ticket packs: a file of extra tickets, as JSON or in the TOML form of our map files. */

import { LONGEST_CITY, LONGEST_NAME, MOST_PACK_TICKETS, TICKET_KINDS, TICKET_POINTS } from "../facts";
import type { Pack, PackFault, PackTicket } from "../messages";

type PackTrouble =
  | PackFault["fault"]
  | "unknown_place_near"
  | "syntax"
  | "unreadable"
  | "too_large"
  | "no_tickets"
  | "ticket"
  | "cities"
  | "points"
  | "kind";

/** What is wrong with a file, and in which line; `key` names a text under packs. */
export class PackError extends Error {
  constructor(
    readonly key: PackTrouble,
    readonly words: Record<string, string | number> = {},
    /** From 1; none where the whole file is meant. */
    readonly line: number | null = null,
    /** What stands in that line. */
    readonly source = "",
  ) {
    super(key);
  }
}

/** A pack with the file it came from, so that what is wrong with a ticket can be shown where it stands. */
export interface PackFile {
  file: string;
  pack: Pack;
  error: (key: PackTrouble, words: Record<string, string | number>, ticket?: number, part?: string) => PackError;
}

/** What the server says of one of some packs, as an error of its file. */
export function faultOf(fault: PackFault, packs: PackFile[]): { file: string; error: PackError } | null {
  const { pack, fault: key, ticket, key: part, ...rest } = fault;
  const found = packs[pack];
  if (!found) return null;
  const words = Object.fromEntries(Object.entries({ ...rest, part }).filter(([, word]) => word != null));
  const near = key === "unknown_place" && rest.other != null;
  const error = found.error(
    near ? "unknown_place_near" : key,
    words as Record<string, string | number>,
    ticket ?? undefined,
    part ?? undefined,
  );
  return { file: found.file, error };
}

type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

/**
 * JSON, and the part of TOML that a pack needs: keys, texts, numbers, arrays, inline tables and [[tables]]. No dates.
 * Both at once, so that of both we know in which line everything stands.
 */
class Reader {
  private at = 0;
  /** Lines of every table's parts; the table's own is that of "". */
  readonly lines = new WeakMap<object, Map<string, number>>();

  constructor(
    private readonly text: string,
    private readonly json: boolean,
  ) {}

  private get line(): number {
    return this.text.slice(0, this.at).split("\n").length;
  }

  private fail(): never {
    throw this.errorAt("syntax", {}, this.line);
  }

  errorAt(key: PackTrouble, words: Record<string, string | number>, line: number | null): PackError {
    return new PackError(key, words, line, line === null ? "" : (this.text.split("\n")[line - 1]?.trim() ?? ""));
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

  private pair(into: Map<string, Value>, lines: Map<string, number>): void {
    const key = this.key();
    lines.set(key, this.line);
    if (!this.eat(this.json ? ":" : "=") || into.has(key)) this.fail();
    if (!this.json && !this.skip(/[ \t]*(?=[^\s#])/y) && !/[^\s#]/.test(this.text[this.at] ?? "")) this.fail();
    into.set(key, this.value());
  }

  /** A table as data, whose lines are remembered. */
  private table(parts: Map<string, Value>, lines: Map<string, number>): { [key: string]: Value } {
    const table = Object.fromEntries(parts);
    this.lines.set(table, lines);
    return table;
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
      const lines = new Map([["", this.line]]);
      while (!this.eat("}")) {
        this.pair(table, lines);
        if (!this.eat(",") && !this.ahead("}")) this.fail();
      }
      return this.table(table, lines);
    }
    const word = this.skip(/[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b/y);
    if (!word) this.fail();
    return word === "true" ? true : word === "false" ? false : word === "null" ? null : Number(word);
  }

  read(): Value {
    if (!this.json) return this.tables();
    const value = this.value();
    this.blank();
    if (this.at < this.text.length) this.fail();
    return value;
  }

  private tables(): Value {
    const root = new Map<string, Value>();
    const found = new Map<string, [Map<string, Value>, Map<string, number>][]>();
    let [into, lines] = [root, new Map<string, number>()];
    for (this.blank(); this.at < this.text.length; this.blank()) {
      if (this.eat("[[")) {
        const at = this.line;
        const key = this.key();
        if (!this.eat("]]") || root.has(key)) this.fail();
        [into, lines] = [new Map(), new Map([["", at]])];
        found.set(key, [...(found.get(key) ?? []), [into, lines]]);
      } else this.pair(into, lines);
    }
    for (const [key, list] of found)
      root.set(
        key,
        list.map((table) => this.table(...table)),
      );
    return Object.fromEntries(root);
  }
}

/** A part of a ticket that is wrong. */
type Complain = (key: PackTrouble, words: Record<string, string | number>, part?: string) => PackError;

function ticket(raw: Value, number: number, complain: Complain): PackTicket {
  if (raw === null || typeof raw !== "object" || Array.isArray(raw)) throw complain("ticket", { number });
  const { from, to, points, kind = TICKET_KINDS[0] } = raw;
  const known = TICKET_KINDS.find((one) => one === kind);
  const [least, most] = TICKET_POINTS;
  for (const [end, part] of [
    [from, "from"],
    [to, "to"],
  ] as const)
    if (typeof end !== "string" || end.length > LONGEST_CITY) throw complain("cities", { number }, part);
  if (typeof points !== "number" || !Number.isInteger(points) || points < least || points > most)
    throw complain("points", { number, least, most }, "points");
  if (!known) throw complain("kind", { number }, "kind");
  return { from: from as string, to: to as string, points, kind: known };
}

/** The pack in a file's text. Whether its cities exist is for the server to say. */
export function readPack(text: string, file = ""): PackFile {
  const reader = new Reader(text.replaceAll("\r\n", "\n"), text.trimStart().startsWith("{"));
  const raw = reader.read();
  const tickets = raw !== null && typeof raw === "object" && !Array.isArray(raw) ? raw.tickets : null;
  if (!Array.isArray(tickets) || tickets.length === 0) throw new PackError("no_tickets");
  const error: PackFile["error"] = (key, words, number, part = "") => {
    const row = number === undefined ? null : tickets[number - 1];
    const lines = row !== null && typeof row === "object" ? reader.lines.get(row) : undefined;
    return reader.errorAt(key, { number: number ?? 0, ...words }, lines?.get(part) ?? lines?.get("") ?? null);
  };
  const many = { most: MOST_PACK_TICKETS, found: tickets.length };
  if (tickets.length > MOST_PACK_TICKETS) throw error("too_many", many, MOST_PACK_TICKETS + 1);
  const read = tickets.map((one, at) => ticket(one, at + 1, (key, words, part) => error(key, words, at + 1, part)));
  const { name } = raw as { [key: string]: Value };
  const called = typeof name === "string" && name.trim() ? name.trim() : file.replace(/\.\w+$/, "");
  return { file, pack: { name: called.slice(0, LONGEST_NAME) || "Pack", tickets: read as Pack["tickets"] }, error };
}
