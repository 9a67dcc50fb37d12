/**
 * The promise about the shuffle: its hash was given before the first card, so the seed revealed at the end can be
 * checked here and by hand.
 */

import { sha256 } from "@noble/hashes/sha2.js";

export function hashOf(seed: string, salt: string): string {
  const bytes = sha256(new TextEncoder().encode(`${seed}:${salt}`));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const holds = (seed: string, salt: string, promised: string): boolean =>
  hashOf(seed, salt) === promised.toLowerCase();

/** What anybody can type into a terminal to see the same. */
export const byHand = (seed: string, salt: string): string => `printf '%s' '${seed}:${salt}' | sha256sum`;
