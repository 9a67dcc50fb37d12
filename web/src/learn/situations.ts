/** What is explained once in any game: when it comes up for the first time, and what is then pointed at. */

import type { Desk } from "../game/desk.svelte";
import type { Target } from "./target";

const mine = (desk: Desk, phase: string): boolean => desk.myTurn && desk.view?.phase === phase;
const claimed = (desk: Desk) => (desk.stage.kind === "claim" ? desk.track(desk.stage.track) : undefined);
const TRAY: Target[] = [{ part: "tray" }];

/** In the order in which one gives way to another. */
export const SITUATIONS = [
  { name: "announce", now: (desk) => mine(desk, "announce"), at: TRAY },
  { name: "first_tickets", now: (desk) => mine(desk, "first_tickets"), at: TRAY },
  { name: "dearer", now: (desk) => mine(desk, "tunnel"), at: TRAY },
  { name: "passenger", now: (desk) => mine(desk, "passenger"), at: TRAY },
  { name: "tunnel", now: (desk) => claimed(desk)?.tunnel === true, at: TRAY },
  { name: "ferry", now: (desk) => (claimed(desk)?.ferry ?? 0) > 0, at: TRAY },
  { name: "gray", now: (desk) => claimed(desk)?.colour === "gray" && desk.payments().length > 1, at: TRAY },
  { name: "station", now: (desk) => desk.stage.kind === "place", at: TRAY },
  {
    name: "mix",
    now: (desk) => desk.stage.kind === "mix" && (desk.options?.draw_tickets?.length ?? 0) > 1,
    at: TRAY,
  },
  { name: "tickets", now: (desk) => mine(desk, "tickets"), at: TRAY },
  { name: "second_card", now: (desk) => mine(desk, "second_card"), at: [{ part: "market" }] },
  { name: "last_round", now: (desk) => mine(desk, "turn") && desk.view?.last_round != null, at: [{ part: "banner" }] },
  { name: "turn", now: (desk) => mine(desk, "turn") && desk.stage.kind === "idle", at: [{ part: "banner" }] },
] as const satisfies readonly { name: string; now: (desk: Desk) => boolean; at: readonly Target[] }[];

export type Situation = (typeof SITUATIONS)[number]["name"];
