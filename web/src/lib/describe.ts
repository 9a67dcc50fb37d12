/**
 * An action in a full sentence: as plain text for the screen reader, and in parts for the log, where cards are drawn.
 */

import type { BoardData, MoveData, TicketData, TrackData } from "../messages";
import { TICKET_KINDS } from "../facts";
import type { TextKey } from "../texts/languages";
import { t } from "./texts.svelte";
import { cardName, kinds, type Cards } from "./cards";

export type Part =
  { text: string } | { name: string; seat: number } | { cards: string[]; after: string } | { points: number };

export interface Account {
  text: string;
  parts: Part[];
}

export interface Table {
  names: string[];
  board: BoardData | null;
  /** The seat that is told "you"; nobody where several people share a screen. */
  me: number | null;
}

/** Cards in words: "3 red, 1 locomotive". */
export function cardWords(cards: Cards): string {
  return kinds(cards)
    .map(([card, n]) => t("game.cards", { n, card: cardName(card) }))
    .join(", ");
}

export function routeName(track: TrackData | undefined): string {
  return track ? `${track.from}–${track.to}` : t("game.a_track");
}

export function ticketName(ticket: TicketData): string {
  return `${ticket.from}–${ticket.to} (${ticket.points})`;
}

/** What a ticket deck is called. */
export function deckName(deck: string): string {
  const known = TICKET_KINDS.find((kind) => kind === deck);
  return known ? t(`game.deck.${known}`) : deck;
}

/** How many tickets of each deck, in words and always in the same order: "2 short", "2 long". */
export function mixParts(mix: Cards): string[] {
  const place = (deck: string): number => TICKET_KINDS.findIndex((kind) => kind === deck);
  const decks = Object.entries(mix)
    .filter(([, n]) => n > 0)
    .sort(([a], [b]) => place(a) - place(b));
  return decks.map(([deck, n]) => t("game.mix_part", { n, deck: deckName(deck) }));
}

/** Tickets of several decks in words: "2 short and 2 long tickets". */
export function mixWords(mix: Cards): string {
  const parts = mixParts(mix);
  if (parts.length === 0) return t("game.new_tickets");
  if (mix[""]) return t("game.tickets", { n: mix[""] }); // a single deck has no name
  return `${parts.join(t("game.and"))} ${t("game.tickets_word")}`;
}

const list = (cards: Cards): string[] => kinds(cards).flatMap(([card, n]) => Array<string>(n).fill(card));

/** Sentences about actions: the texts have each of them about others and about you. */
type Sentence = TextKey extends infer Key ? (Key extends `game.move.${infer Name}` ? Name : never) : never;

/** The sentence's key, and what stands in it. */
function sentence(
  move: MoveData,
  table: Table,
): { key: Sentence; words: Record<string, string | number>; cards: Cards; turned: string[] } {
  const track = table.board?.tracks.find(({ track }) => track === (move.claimed ?? move.track));
  const words: Record<string, string | number> = { route: routeName(track) };
  let key: Sentence = move.kind;
  let cards = move.cards ?? {};
  const turned = move.turned_up ?? [];
  switch (move.kind) {
    case "announce":
    case "draw_tickets":
      words.tickets = mixWords(move.mix ?? {});
      break;
    case "keep":
      if (move.kept == null) key = "keep_secret";
      else words.tickets = t("game.tickets", { n: move.kept });
      break;
    case "draw_blind":
      if (move.card) {
        key = "draw_blind_seen";
        cards = { [move.card]: 1 };
      }
      break;
    case "draw_face_up":
      cards = { [move.card ?? ""]: 1 };
      break;
    case "claim":
      if (turned.length) key = move.extra ? "claim_dear" : "claim_through";
      words.n = move.extra ?? 0;
      break;
    case "station":
      words.city = move.city ?? "";
      break;
    case "take_passenger":
      words.place = move.place ?? "";
      if (move.passenger) words.colour = cardName(move.passenger);
      else key = "leave_passenger";
      break;
  }
  return { key, words, cards, turned };
}

// Characters that no text contains, to find the places of what is drawn.
const NAME = "\u0001";
const PAID = "\u0002";
const TURNED = "\u0003";

/** What happened, told to everybody at the table. */
export function describe(move: MoveData, table: Table): Account {
  const { key, words, cards, turned } = sentence(move, table);
  const mine = move.seat === table.me;
  const path = `game.${mine ? "you" : "move"}.${key}` as const;
  const name = table.names[move.seat] ?? String(move.seat + 1);
  const points = move.points ?? 0;
  const turnedWords = turned.map((card) => cardName(card)).join(", ");
  let text = t(path, { ...words, name, cards: cardWords(cards), turned: turnedWords });
  if (points) text += " " + t("game.gained", { n: points });
  const parts: Part[] = [];
  for (const piece of t(path, { ...words, name: NAME, cards: PAID, turned: TURNED }).split(/([\u0001-\u0003])/)) {
    const last = parts.at(-1);
    if (piece === NAME) parts.push({ name, seat: move.seat });
    else if (piece === PAID) parts.push({ cards: list(cards), after: "" });
    else if (piece === TURNED) parts.push({ cards: turned, after: "" });
    else if (last && "cards" in last) {
      // A full stop must not begin a line, and drawn cards at the end need none.
      const [, stop, rest] = /^([.:,]?)([^]*)$/.exec(piece)!;
      if (rest) {
        last.after = stop!;
        parts.push({ text: rest });
      }
    } else if (piece) parts.push({ text: piece });
  }
  if (points) parts.push({ points });
  return { text, parts };
}
