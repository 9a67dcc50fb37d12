/** What a player of a real table has, and changes of it that can be made again to a newer version. */

import type { ChangeHoldings, NewRealPlayer, RealPlayerData, RealTableData } from "../messages";

/** A player as this phone knows it; tickets are empty where they are hidden. */
export interface Holdings {
  name: string;
  colour: number;
  tracks: number[];
  stations: string[];
  tickets: number[];
  passengers: Record<string, number>;
}

export type Change = (held: Holdings) => Holdings;

export const holdingsOf = ({ name, colour, tracks, stations, tickets, passengers }: RealPlayerData): Holdings => ({
  name,
  colour,
  tracks,
  stations,
  tickets: tickets ?? [],
  passengers,
});

const without = <T>(list: T[], one: T): T[] => list.filter((other) => other !== one);
const put = <T>(list: T[], one: T, there: boolean): T[] => (there ? [...without(list, one), one] : without(list, one));

export const withTrack =
  (track: number, there: boolean): Change =>
  (held) => ({ ...held, tracks: put(held.tracks, track, there) });
export const withStation =
  (city: string, there: boolean): Change =>
  (held) => ({ ...held, stations: put(held.stations, city, there) });
export const withTicket =
  (ticket: number, there: boolean): Change =>
  (held) => ({ ...held, tickets: put(held.tickets, ticket, there) });
export const withPassengers =
  (colour: string, more: number): Change =>
  (held) => ({
    ...held,
    passengers: { ...held.passengers, [colour]: Math.max(0, (held.passengers[colour] ?? 0) + more) },
  });
export const named =
  (name: string): Change =>
  (held) => ({ ...held, name });
export const coloured =
  (colour: number): Change =>
  (held) => ({ ...held, colour });

export const changedBy = (held: Holdings, changes: Change[]): Holdings =>
  changes.reduce((before, change) => change(before), held);

/** What differs between two holdings, as the server is told. */
export function difference(before: Holdings, after: Holdings): Omit<ChangeHoldings, "version"> {
  const same = (name: keyof Holdings): boolean => JSON.stringify(before[name]) === JSON.stringify(after[name]);
  const names = (Object.keys(after) as (keyof Holdings)[]).filter((name) => !same(name));
  return Object.fromEntries(names.map((name) => [name, after[name]]));
}

/** The table as a file that can be opened again; what is hidden from this phone is not in it. */
export const copyOf = ({ edition, players }: RealTableData): { edition: string; players: NewRealPlayer[] } => ({
  edition,
  players: players.map((player) => holdingsOf(player) as NewRealPlayer),
});

/** Who has which track; of two that have it, the later one is drawn. */
export const ownersOf = (players: Holdings[]): Record<string, number> =>
  Object.fromEntries(players.flatMap(({ tracks }, seat) => tracks.map((track) => [track, seat])));
