/** Tickets as arcs on a small map. */

import { apart } from "./near";
import type { BoardData, CityData } from "../messages";
import type { Spot } from "./types";

export interface ArcData {
  from: CityData;
  to: CityData;
  path: string;
  badge: Spot;
}

/** The two cities to draw a ticket between: of a country the gate that is nearest to the other end. */
export function endsOfTicket(board: BoardData, from: string, to: string): [CityData, CityData] | null {
  const at = (place: string) => board.cities.filter((city) => city.name === place || city.country === place);
  let found: [CityData, CityData] | null = null;
  for (const a of at(from)) for (const b of at(to)) if (!found || apart(a, b) < apart(...found)) found = [a, b];
  return found;
}

/**
 * Arcs between the ends of tickets, bent upwards, their badges out of each other's way. `unit` is a pixel in the
 * board's units.
 */
export function arcsOf(board: BoardData, tickets: { from: string; to: string }[], unit: number): (ArcData | null)[] {
  const badges: Spot[] = [];
  return tickets.map((ticket) => {
    const ends = endsOfTicket(board, ticket.from, ticket.to);
    if (!ends) return null;
    const [from, to] = ends[0].x <= ends[1].x ? ends : [ends[1], ends[0]];
    const control = {
      x: (from.x + to.x) / 2 + (to.y - from.y) * 0.22,
      y: (from.y + to.y) / 2 - (to.x - from.x) * 0.22,
    };
    const along = (part: number): Spot => ({
      x: (1 - part) ** 2 * from.x + 2 * part * (1 - part) * control.x + part ** 2 * to.x,
      y: (1 - part) ** 2 * from.y + 2 * part * (1 - part) * control.y + part ** 2 * to.y,
    });
    const free = (spot: Spot) => Math.min(...badges.map((other) => apart(spot, other)), 22 * unit);
    const badge = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8]
      .map(along)
      .reduce((best, spot) => (free(spot) > free(best) + unit ? spot : best));
    badges.push(badge);
    return { from, to, path: `M${from.x} ${from.y}Q${control.x} ${control.y} ${to.x} ${to.y}`, badge };
  });
}
