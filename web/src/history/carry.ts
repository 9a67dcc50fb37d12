/** A history on its way to another device: as a link whose fragment holds all of it, which no server is ever sent. */

import { BASE } from "../lib/base";
import { fromText, HistoryError, toText, type HistoryGame } from "../lib/history";

const MARK = "games=";
/** Characters of a link that messengers and browsers still take; larger histories go by a file. */
export const LONGEST_LINK = 12_000;
/** Bytes of a history's text, packed or not: far more than anybody has played. */
export const LARGEST = 2_000_000;

/** Text in few letters that an address may have. */
export async function packed(text: string): Promise<string> {
  const bytes = await read(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** The text again; an error for anything else, and for what would grow without end. */
export async function unpacked(letters: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    const raw = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    bytes = await read(new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
  } catch (reason) {
    if (reason instanceof HistoryError) throw reason;
    throw new HistoryError("link");
  }
  return new TextDecoder().decode(bytes);
}

async function read(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > LARGEST) {
      await reader.cancel();
      throw new HistoryError("too_large");
    }
    parts.push(part.value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The link that carries games, or null where it would be too long. It holds results, and no key of any seat. */
export async function linkOf(games: HistoryGame[]): Promise<string | null> {
  const link = `${location.origin}${BASE}/history#${MARK}${await packed(toText(games))}`;
  return link.length <= LONGEST_LINK ? link : null;
}

export const isCarried = (fragment: string): boolean => fragment.startsWith(MARK);

/** The games that a link's fragment carries. */
export async function gamesIn(fragment: string): Promise<HistoryGame[]> {
  return fromText(await unpacked(fragment.slice(MARK.length)));
}

/** The games in a file. */
export async function gamesOf(file: Blob): Promise<HistoryGame[]> {
  if (file.size > LARGEST) throw new HistoryError("too_large");
  return fromText(await file.text());
}
