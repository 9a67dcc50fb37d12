/** What to say about a track or a city that is pointed at. */

import { cardWords } from "../lib/describe";
import { t } from "../lib/texts.svelte";
import type { Payment } from "../messages";
import type { Desk } from "./desk.svelte";
import { obstacleText } from "./explain";

/** A price as people say it: the sensible way to pay, and how many others there are. */
export function priceWords(payments: Payment[]): string {
  const first = cardWords(payments[0]?.cards ?? {});
  return payments.length > 1 ? t("game.or_others", { cards: first, n: payments.length - 1 }) : first;
}

export async function tipText(desk: Desk, what: { track: number } | { city: string }): Promise<string> {
  const { options, view, names } = desk;
  const payments = "track" in what ? (options?.claims?.[what.track] ?? []) : [];
  if (payments.length) return t("game.can_claim", { cards: priceWords(payments) });
  if ("city" in what && options?.stations?.cities[what.city] != null)
    return t("game.can_build", { cards: priceWords(options.stations.payments) });
  const owner = "track" in what ? view?.owners[what.track] : undefined;
  if (desk.me === null || desk.over) return owner == null ? "" : t("game.why.owned", { owner: names[owner] ?? "" });
  try {
    const obstacle = await desk.live.why(what);
    // it could be paid: then only the moment is wrong
    if (obstacle.code === "not_now") return t(desk.myTurn ? "game.why.one_thing" : "game.why.not_now");
    return obstacleText(obstacle, names);
  } catch {
    return ""; // only a hint: the connection bar tells what is wrong
  }
}
