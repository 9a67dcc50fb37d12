/** Why a track or a station can't be had, in friendly words. */

import { cardName } from "../lib/cards";
import { t } from "../lib/texts.svelte";
import type { ObstacleData } from "../messages";

/** `names` by seat. */
export function obstacleText(obstacle: ObstacleData, names: string[]): string {
  const { needs = 0, have = 0, locomotives = 0, ferry = 0 } = obstacle;
  const owner = obstacle.owner == null ? "" : (names[obstacle.owner] ?? "");
  const words = { owner, needs: needs ?? 0, have: have ?? 0 };
  switch (obstacle.code) {
    case "cards": {
      if (ferry > locomotives) return t("game.why.ferry", { n: ferry, have: locomotives });
      const colour = obstacle.colour ? cardName(obstacle.colour) : "";
      const missing = t(obstacle.gray ? "game.why.cards_gray" : "game.why.cards", { ...words, colour });
      return locomotives ? `${missing} ${t("game.why.locomotives", { n: locomotives })}` : missing;
    }
    case "none":
      return "";
    default:
      return t(`game.why.${obstacle.code}`, words);
  }
}
