import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { BotData } from "../messages";
import { api } from "./api";
import { BotList, botOf, canSit, ratingOf, seatTitle } from "./bots.svelte";
import { settings } from "./settings.svelte";

const bot = (name: string, more: Partial<BotData> = {}): BotData => ({
  name,
  title: name,
  summary: "",
  kind: "level",
  readiness: "ready",
  characters: [],
  ratings: {},
  ...more,
});
const builder = { name: "builder", title: "Builder", summary: "", bot: "master-builder" };
const master = bot("master", { characters: [builder], ratings: { "usa/2": 1800 } });

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("a seat's name means a level, with or without a character", () => {
  const bots = [bot("casual"), master];
  expect(botOf(bots, "master")).toBe(master);
  expect(botOf(bots, "master-builder")).toBe(master);
  expect(botOf(bots, "casual-builder")).toBeUndefined();
});

test("a bot sits down when it is ready", () => {
  expect(canSit([master], "master-builder")).toBe(true);
  expect(canSit([{ ...master, readiness: "preparing" }], "master-builder")).toBe(false);
  expect(canSit([], "master")).toBe(false);
});

test("ratings are those of the edition and the number of players", () => {
  expect(ratingOf(master, "usa", 2)).toBe(1800);
  expect(ratingOf(master, "usa", 3)).toBeUndefined();
});

test("titles name level and character in the chosen language", () => {
  settings.language = "de";
  expect(seatTitle("master-builder")).toBe("Meister · Erbauer");
  settings.language = "en";
  expect(seatTitle("grandmaster")).toBe("Grandmaster");
  expect(seatTitle("master-builder")).toBe("Master · Builder");
  expect(seatTitle("long-route")).toBe("Long route");
  expect(seatTitle("their-own")).toBe("their-own");
  expect(seatTitle("Mine", "My own")).toBe("My own");
});

test("the server is asked again until every bot is ready", async () => {
  const answers = [[bot("club", { readiness: "preparing" })], [bot("club", { readiness: "preparing" })], [bot("club")]];
  const asked = vi.spyOn(api, "bots").mockImplementation(() => Promise.resolve(answers.shift()!));
  const list = new BotList();
  await list.load();
  expect(canSit(list.all, "club")).toBe(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(canSit(list.all, "club")).toBe(true);
  expect(asked).toHaveBeenCalledTimes(3);
});

test("nobody is asked once nobody looks", async () => {
  const asked = vi
    .spyOn(api, "bots")
    .mockClear()
    .mockResolvedValue([bot("club", { readiness: "preparing" })]);
  const list = new BotList();
  await list.load();
  list.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveBeenCalledTimes(1);
});
