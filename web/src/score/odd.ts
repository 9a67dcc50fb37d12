/** What no game comes to, and what was not said, in the reader's words. */

import { endsOf } from "../board/words";
import { cardName } from "../lib/cards";
import { t } from "../lib/texts.svelte";
import type { BoardData, GapData, OddityData, TicketData } from "../messages";

export function oddText(odd: OddityData, board: BoardData, tickets: TicketData[], names: string[]): string {
  const track = odd.track === null ? undefined : board.tracks[odd.track];
  const ticket = odd.ticket === null ? undefined : tickets[odd.ticket];
  return t(`score.odd.${odd.code}`, {
    name: odd.player === null ? "" : names[odd.player]!,
    other: odd.other === null ? "" : names[odd.other]!,
    track: track ? `${endsOf(track)} (${cardName(track.colour)})` : "",
    ticket: ticket ? `${ticket.from}–${ticket.to}` : "",
    city: odd.city ?? "",
    colour: odd.colour === null ? "" : cardName(odd.colour),
    have: odd.have ?? 0,
    most: odd.most ?? 0,
    players: names.length,
  });
}

/** Gaps that are worth saying: nobody's count needs the cards. */
export const gapTexts = (gaps: GapData[], names: string[]): string[] =>
  gaps.flatMap(({ code, player }) =>
    code === "cards" ? [] : [t(`score.gap.${code}`, { name: player === null ? "" : names[player]! })],
  );
