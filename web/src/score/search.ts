/** Tickets by the letters of a city: those that begin with them first. */

import type { TicketData } from "../messages";

export interface Numbered {
  /** The ticket's number in its edition. */
  number: number;
  ticket: TicketData;
}

/** Letters without case and accents. */
export const folded = (text: string): string =>
  text.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ß", "ss").toLowerCase().trim();

/** Tickets whose cities have the letters, sorted by city; all of them for no letters. */
export function found(tickets: Numbered[], wish: string): Numbered[] {
  const letters = folded(wish);
  const rank = ({ ticket }: Numbered): number => {
    const ends = [folded(ticket.from), folded(ticket.to)];
    if (ends.some((city) => city.startsWith(letters))) return 0;
    if (ends.some((city) => city.split(/[\s-]/).some((part) => part.startsWith(letters)))) return 1;
    return ends.some((city) => city.includes(letters)) ? 2 : 3;
  };
  return tickets
    .map((one) => ({ one, rank: rank(one) }))
    .filter(({ rank }) => rank < 3)
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        a.one.ticket.from.localeCompare(b.one.ticket.from) ||
        a.one.ticket.to.localeCompare(b.one.ticket.to),
    )
    .map(({ one }) => one);
}
