/** Tracks in words, for labels, cards and lists. */

import { cardName, GRAY } from "../lib/cards";
import { t } from "../lib/texts.svelte";
import type { TrackData } from "../messages";
import type { Position } from "./types";

type Standings = Pick<Position, "owners" | "names" | "closed" | "claimable" | "mine">;

export interface Standing {
  /** The owner's name, if there is one. */
  owner: string | null;
  mine: boolean;
  closed: boolean;
  claimable: boolean;
}

/** How a track stands. */
export function standingIn({ owners, names, closed, claimable, mine }: Standings, track: number): Standing {
  const owner = owners[track];
  return {
    owner: owner === undefined ? null : (names[owner] ?? String(owner + 1)),
    mine: owner !== undefined && owner === mine,
    closed: closed.includes(track),
    claimable: claimable.has(track),
  };
}

export const endsOf = (track: TrackData): string => `${track.from}–${track.to}`;

/** What it costs, as people say it: "3 red", "3 of one colour". */
export function spacesOf({ length, colour }: TrackData): string {
  return colour === GRAY
    ? t("board.spaces_gray", { n: length })
    : t("board.spaces", { length, colour: cardName(colour) });
}

/** What a track is, apart from who has it: "3 gray, tunnel". */
export function kindOf(track: TrackData): string {
  const parts = [spacesOf(track)];
  if (track.tunnel) parts.push(t("board.tunnel"));
  if (track.ferry) parts.push(t("board.ferry", { n: track.ferry }));
  return parts.join(", ");
}

export function standingOf({ owner, mine, closed, claimable }: Standing): string {
  if (mine) return t("board.yours");
  if (owner !== null) return t("board.owned", { name: owner });
  if (closed) return t("board.closed");
  return claimable ? t("board.claimable") : t("board.free");
}

/** Everything about a track in one line: "Paris–Zürich, 3 gray, tunnel, free, claimable". */
export function trackWords(track: TrackData, standing: Standing): string {
  return `${endsOf(track)}, ${kindOf(track)}, ${standingOf(standing)}`;
}
