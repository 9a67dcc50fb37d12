/** Sentences of the end: steps of the story, the verdict, feats. */

import { cardName } from "../lib/cards";
import { t } from "../lib/texts.svelte";
import type { ResultData } from "../messages";
import type { Step } from "./story";

/** "+12", "−7", "0": with a true minus sign. */
export const signed = (points: number): string => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

/** A number with a true minus sign. */
export const plain = (points: number): string => (points < 0 ? `−${-points}` : String(points));

export function listOf(words: string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} ${t("end.and")} ${words.at(-1)}`;
}

/** Heading and sentence of a step. */
export function wordsOf(step: Step, names: string[], result: ResultData): { title: string; text: string } {
  switch (step.kind) {
    case "routes":
      return { title: t("end.step.routes"), text: t("end.step.routes_text") };
    case "ticket": {
      const key = !step.completed ? "failed_text" : step.borrowed.length ? "borrowed_text" : "completed_text";
      return {
        title: t("end.step.tickets", { name: names[step.seat]!, place: step.place, of: step.of }),
        text: t(`end.step.${key}`, {
          from: step.ticket.from,
          to: step.ticket.to,
          points: signed(step.gains[step.seat]!),
          city: listOf(step.borrowed),
        }),
      };
    }
    case "station":
      return {
        title: t("end.step.station", { name: names[step.seat]!, city: step.city }),
        text: step.route ? t("end.step.station_text", { route: step.route }) : t("end.step.station_idle"),
      };
    case "saved":
      return { title: t("end.step.saved"), text: t("end.step.saved_text") };
    case "path":
      return {
        title: t("end.step.path", { name: names[step.seat]! }),
        text: t("end.step.path_text", {
          n: step.length,
          points: signed(step.gains[step.seat]!),
          from: step.cities[0] ?? "",
          to: step.cities[1] ?? "",
        }),
      };
    case "passengers": {
      const most = Math.max(...step.counts);
      const first = names.filter((_, seat) => step.counts[seat] === most);
      const second = names.filter((_, seat) => step.gains[seat]! > 0 && step.counts[seat] !== most);
      const text = t(first.length > 1 ? "end.step.passengers_shared" : "end.step.passengers_text", {
        n: most,
        names: listOf(first),
      });
      return {
        title: t("end.step.passengers", { colour: cardName(step.colour) }),
        text: second.length ? `${text} ${t("end.step.passengers_second", { names: listOf(second) })}` : text,
      };
    }
    case "globetrotter": {
      const most = Math.max(...step.counts);
      const holders = names.filter((_, seat) => step.gains[seat]! > 0);
      const gain = Math.max(...step.gains);
      return {
        title: t("end.step.globetrotter", { names: listOf(holders) }),
        text: t("end.step.globetrotter_text", { n: most, points: signed(gain) }),
      };
    }
    case "verdict":
      return { title: verdictOf(result, names), text: whyOf(result) };
  }
}

/** Who won. */
export function verdictOf(result: ResultData, names: string[]): string {
  const winners = listOf(result.winners.map((seat) => names[seat]!));
  return t(result.winners.length > 1 ? "end.verdict.together" : "end.verdict.wins", { names: winners });
}

const ENDINGS = { "trains ran out": "trains", "all passed": "all_passed", "counted as it lies": "as_it_lies" } as const;

/** What decided it, and what ended the game. */
export function whyOf(result: ResultData): string {
  const totals = result.players.map((player) => player.total);
  const best = Math.max(...totals);
  const others = totals.filter((_, seat) => !result.winners.includes(seat));
  const margin = others.length ? best - Math.max(...others) : 0;
  const decided =
    result.decided_by === "points"
      ? t("end.verdict.points", { best: plain(best), n: margin })
      : t(`end.verdict.${result.decided_by}`, { best: plain(best) });
  return `${decided} ${t(`end.verdict.${ENDINGS[result.ended_by]}`)}`;
}

/** Seconds as a person says them. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return t("end.time.seconds", { n: whole });
  const minutes = Math.round(whole / 60);
  return minutes < 60
    ? t("end.time.minutes", { n: minutes })
    : t("end.time.hours", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
