/** What the options of a seat mean for the screen: pure answers, no drawing. */

import type { Keep, Mix, Options, Payment } from "../messages";
import { total } from "../lib/cards";

/** The way to pay that a card suggests: most cards of that kind; -1 if none of them uses it. */
export function paymentWith(payments: Payment[], card: string): number {
  let best = -1;
  payments.forEach((payment, i) => {
    if ((payment.cards[card] ?? 0) > (best < 0 ? 0 : (payments[best]!.cards[card] ?? 0))) best = i;
  });
  return best;
}

/** Tracks that can be claimed, with a certain card if one is asked for. */
export function claimable(options: Options | null, card: string | null = null): Set<number> {
  const tracks = new Set<number>();
  for (const [track, payments] of Object.entries(options?.claims ?? {})) {
    if (!card || paymentWith(payments, card) >= 0) tracks.add(Number(track));
  }
  return tracks;
}

/** The allowed choice of exactly these tickets. */
export function keepOf(keep: Keep[], chosen: number[]): Keep | undefined {
  return keep.find(({ kept }) => kept.length === chosen.length && kept.every((i) => chosen.includes(i)));
}

/** Why these tickets can't be kept: too few, too many, or not together. */
export function keepProblem(keep: Keep[], chosen: number[]): { why: "few" | "many" | "together"; n: number } | null {
  if (keepOf(keep, chosen)) return null;
  const sizes = keep.map(({ kept }) => kept.length);
  // What else would have to be taken along: the smallest allowed choice around this one.
  const around = keep.filter(({ kept }) => chosen.every((i) => kept.includes(i))).map(({ kept }) => kept.length);
  if (around.length) return { why: "few", n: Math.min(...around) };
  if (chosen.length > Math.max(...sizes)) return { why: "many", n: Math.max(...sizes) };
  return { why: "together", n: Math.max(...sizes) };
}

/** What a turn can be used for, in the order we name it. */
export function possible(options: Options | null): ("draw" | "claim" | "tickets" | "station")[] {
  if (!options) return [];
  const can: ("draw" | "claim" | "tickets" | "station")[] = [];
  if (options.draw_blind != null || Object.keys(options.draw_face_up ?? {}).length) can.push("draw");
  if (Object.keys(options.claims ?? {}).length) can.push("claim");
  if (options.draw_tickets?.length) can.push("tickets");
  if (options.stations) can.push("station");
  return can;
}

/** Whether passing is all that can be done. */
export function onlyPass(options: Options | null): boolean {
  return options?.pass != null && possible(options).length === 0;
}

/** Decks that a list of mixes draws from, in a steady order. */
export function decksOf(mixes: Mix[]): string[] {
  return [...new Set(mixes.flatMap(({ mix }) => Object.keys(mix)))].sort((a, b) => rank(a) - rank(b));
}

const rank = (deck: string): number => ["short", "regular", "long"].indexOf(deck);

/** The mix nearest to an even one: what we offer first. */
export function evenMix(mixes: Mix[]): Mix | undefined {
  const spread = ({ mix }: Mix): number =>
    Math.max(...Object.values(mix)) - Math.min(...decksOf(mixes).map((deck) => mix[deck] ?? 0));
  return [...mixes].sort((a, b) => total(b.mix) - total(a.mix) || spread(a) - spread(b))[0];
}

/**
 * Where a card lay face up that has been taken: the first of its kind that is no longer there, or the first of its
 * kind.
 */
export function placeOf(before: (string | null)[], after: (string | null)[], card: string): number {
  const changed = before.findIndex((face, i) => face === card && after[i] !== card);
  return changed >= 0 ? changed : before.indexOf(card);
}
