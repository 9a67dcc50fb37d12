/** Cards and colours by name and number. */

import { CARDS, PLAYER_COLOURS } from "../facts";
import { t } from "./texts.svelte";

export type Card = (typeof CARDS)[number];
export type Cards = Record<string, number>;

/** The colour of tracks that take any. */
export const GRAY = "gray" as const;

/** A card's name, or that of a colour of the board, where gray stands for any. */
export function cardName(card: string): string {
  const known = [...CARDS, GRAY].find((one) => one === card);
  return known ? t(`cards.${known}`) : card;
}

/** The name of a player's colour. */
export function playerColourName(colour: number): string {
  const known = PLAYER_COLOURS.find((one) => one === colour);
  return known === undefined ? String(colour) : t(`players.${known}`);
}

/** Kinds that are there, in the usual order. */
export function kinds(cards: Cards): [Card, number][] {
  return CARDS.filter((card) => (cards[card] ?? 0) > 0).map((card) => [card, cards[card]!]);
}

export function total(cards: Cards): number {
  return Object.values(cards).reduce((sum, n) => sum + n, 0);
}

/** A list of cards as numbers by kind. */
export function counted(list: (string | null)[]): Cards {
  const cards: Cards = {};
  for (const card of list) if (card) cards[card] = (cards[card] ?? 0) + 1;
  return cards;
}
