/** Why a track or a station can't be had, in friendly words. */

import type { TrackData } from "../board/types";
import { t } from "../lib/texts.svelte";
import type { ObstacleData } from "../messages";

/** `names` by seat; `players` is how many play, which decides about parallel tracks. */
export function obstacleText(obstacle: ObstacleData, names: string[], players: number, track?: TrackData): string {
  const owner = obstacle.owner == null ? "" : (names[obstacle.owner] ?? "");
  const words = { owner, n: obstacle.needs ?? 0, needs: obstacle.needs ?? 0, have: obstacle.have ?? 0, players };
  switch (obstacle.code) {
    case "cards": {
      const colour = obstacle.colour ? t(`cards.${obstacle.colour}`) : "";
      const needs = obstacle.needs ?? track?.length ?? 0;
      if ((obstacle.ferry ?? 0) > (obstacle.locomotives ?? 0))
        return t("game.why.ferry", { n: obstacle.ferry ?? 0, have: obstacle.locomotives ?? 0 });
      const missing = t(obstacle.gray ? "game.why.cards_gray" : "game.why.cards", { ...words, needs, colour });
      return obstacle.locomotives ? `${missing} ${t("game.why.locomotives", { n: obstacle.locomotives })}` : missing;
    }
    case "none":
      return "";
    default:
      return t(`game.why.${obstacle.code}`, words);
  }
}
