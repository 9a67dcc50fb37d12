/** The bots of this server: what they are called, how strong they are, and which are still getting ready. */

import type { BotData } from "../messages";
import { api } from "./api";
import { textOr } from "./texts.svelte";

/** The level of a seat for which nobody chose one; it is always ready. */
export const DEFAULT_BOT = "casual";
/** Milliseconds after which a server is asked again while some of its bots are getting ready. */
const ASK_AGAIN = 3000;

export const isLevel = (bot: BotData): boolean => bot.kind === "level";
export const isReady = (bot: BotData): boolean => bot.readiness === "ready";

/** The bot that a seat's name means, with or without a character. */
export const botOf = (bots: BotData[], name: string): BotData | undefined =>
  bots.find((bot) => bot.name === name || bot.characters.some((one) => one.bot === name));

/** Whether a name can take a seat now, as far as the page knows. */
export function canSit(bots: BotData[], name: string): boolean {
  const bot = botOf(bots, name);
  return bot !== undefined && isReady(bot);
}

/** The rating of a bot on an edition with so many players; undefined where it was not measured. */
export const ratingOf = (bot: BotData, edition: string, players: number): number | undefined =>
  bot.ratings[`${edition}/${players}`];

export const titleOf = (bot: BotData): string => textOr(`bots.${bot.name}.title`, bot.title);
export const summaryOf = (bot: BotData): string => textOr(`bots.${bot.name}.summary`, bot.summary);

/** A sentence about a seat's bot: about its character where it has one. */
export function seatSummary(bots: BotData[], name: string): string {
  const bot = botOf(bots, name);
  const character = bot?.characters.find((one) => one.bot === name);
  if (character) return textOr(`characters.${character.name}.summary`, character.summary);
  return bot ? summaryOf(bot) : "";
}

/** What a seat's bot is called: `master-builder` is a level and a character. */
export function seatTitle(name: string, otherwise = name): string {
  const known = textOr(`bots.${name}.title`, "");
  if (known) return known;
  const [level = "", character = ""] = name.split("-");
  const both = [textOr(`bots.${level}.title`, ""), textOr(`characters.${character}.title`, "")];
  return both.every(Boolean) ? both.join(" · ") : otherwise;
}

/** The bots as the server tells them, asked again until all are ready; `stop` when nobody looks any more. */
export class BotList {
  all = $state.raw<BotData[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  async load(): Promise<void> {
    this.all = await api.bots();
    this.#askAgain();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #askAgain(): void {
    if (this.#stopped || this.all.every((bot) => bot.readiness !== "preparing")) return;
    this.#timer = setTimeout(() => this.load().catch(() => this.#askAgain()), ASK_AGAIN);
  }
}
