/** Cards by name and number: the order in which we show them, and how many there are. */

export type Cards = Record<string, number>;

export const ORDER = ["purple", "blue", "orange", "white", "green", "yellow", "black", "red", "locomotive"];

/** Kinds that are there, in the usual order. */
export function kinds(cards: Cards): [string, number][] {
  return ORDER.filter((card) => (cards[card] ?? 0) > 0).map((card) => [card, cards[card]!]);
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
