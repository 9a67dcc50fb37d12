import { beforeEach, expect, test, vi } from "vitest";
import { HistoryError, toText, type HistoryGame } from "../lib/history";
import { gamesIn, gamesOf, isCarried, LARGEST, linkOf, LONGEST_LINK, packed, unpacked } from "./carry";

beforeEach(() => vi.stubGlobal("location", { origin: "https://rails.example" }));

const games = (count: number): HistoryGame[] =>
  Array.from({ length: count }, (_, at) => ({
    site: "https://rails.example",
    table: `t${(at * 7919 + 104729).toString(36)}${(at * 15485863).toString(36)}`,
    edition: "europe",
    called: "Europe",
    ended: 1_790_000_000 + at * 4321,
    players: [
      { name: "Zoë", bot: null, points: 80 + (at % 70) },
      { name: "Brunel", bot: "club", points: 60 + (at % 90) },
    ],
    winners: [at % 2],
    mine: [0],
  }));

const key = async (read: Promise<unknown>): Promise<string> =>
  read.then(
    () => "was read",
    (reason) => (reason instanceof HistoryError ? reason.key : String(reason)),
  );

test("a link carries games, and they come out as they went in", async () => {
  const link = (await linkOf(games(40)))!;
  expect(link).toMatch(/^https:\/\/rails\.example\/history#games=[\w-]+$/);
  const fragment = link.split("#")[1]!;
  expect(isCarried(fragment)).toBe(true);
  expect(await gamesIn(fragment)).toEqual(games(40));
});

test("a hundred games fit into a link, two thousand do not", async () => {
  expect((await linkOf(games(100)))!.length).toBeLessThanOrEqual(LONGEST_LINK);
  expect(await linkOf(games(2000))).toBe(null);
});

test("a link that was cut or made up is refused", async () => {
  const fragment = (await linkOf(games(40)))!.split("#")[1]!;
  expect(await key(gamesIn(fragment.slice(0, 200)))).toBe("link");
  expect(await key(gamesIn("games="))).toBe("link");
  expect(await key(gamesIn("games=%%%"))).toBe("link");
  expect(await key(gamesIn(`games=${await packed("no json")}`))).toBe("unreadable");
  expect(await key(gamesIn(`games=${await packed('{"games": []}')}`))).toBe("other_file");
  expect(isCarried("abcdEFGH_-12")).toBe(false);
});

test("a few letters do not grow without end", async () => {
  const bomb = await packed("0".repeat(LARGEST));
  expect(bomb.length).toBeLessThan(10_000);
  expect((await unpacked(bomb)).length).toBe(LARGEST);
  expect(await key(unpacked(await packed("0".repeat(LARGEST - 1) + "é")))).toBe("too_large");
});

test("a file is read as a whole or not at all", async () => {
  expect(await gamesOf(new Blob([toText(games(2000), 1)]))).toEqual(games(2000));
  expect(await key(gamesOf(new Blob(["x".repeat(LARGEST + 1)])))).toBe("too_large");
  expect(await key(gamesOf(new Blob(["PNG"])))).toBe("unreadable");
});
