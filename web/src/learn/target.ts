/** What a step points at, on the screen. */

import type { BoardData } from "../messages";

/** Something on the screen to point at. */
export type Target =
  | { act: string }
  /** An open card. */
  | { card: string }
  | { track: Route; colour?: string }
  | { city: string }
  | { ticket: Route }
  | { part: Part };
export type Route = readonly [string, string];
type Part = "hand" | "market" | "me" | "banner" | "tray" | "ticket_list";

const PARTS = {
  hand: '[data-fly="hand"]',
  market: ".market",
  banner: ".banner",
  tray: ".choice, .tray > *", // tickets are chosen beside the board where there is room
  ticket_list: ".tickets",
} as const;

/** The number of a track, by its ends and perhaps its colour. */
export function trackOf(board: BoardData, target: Extract<Target, { track: unknown }>): number | undefined {
  const [a, b] = target.track;
  return board.tracks.find(
    ({ from, to, colour }) =>
      ((from === a && to === b) || (from === b && to === a)) && (!target.colour || colour === target.colour),
  )?.track;
}

/** How to find a target on the page of a seat. */
export function selectorOf(target: Target, board: BoardData, me: number): string {
  if ("act" in target) return `[data-act="${target.act}"]`;
  if ("card" in target) return `[data-fly^="face-"][data-card="${target.card}"]`;
  if ("track" in target) return `.board [data-track="${trackOf(board, target)}"]`;
  if ("city" in target) return `.board [data-city="${target.city}"]`;
  if ("ticket" in target) {
    const [a, b] = target.ticket;
    return `[data-ticket="${a}|${b}"], [data-ticket="${b}|${a}"]`;
  }
  return target.part === "me" ? `[data-seat="${me}"]` : PARTS[target.part];
}

const isSeen = (element: Element): boolean => {
  const { width, height, right, bottom, left, top } = element.getBoundingClientRect();
  return width > 0 && height > 0 && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
};

/** The first target that can be seen. */
export function findTarget(targets: readonly Target[], board: BoardData, me: number): Element | null {
  for (const target of targets) {
    const found = [...document.querySelectorAll(selectorOf(target, board, me))].find(isSeen);
    if (found) return found;
  }
  return null;
}
