import { beforeEach, expect, test, vi } from "vitest";
import type { EndData, Mine } from "../messages";
import { api } from "./api";
import { table } from "./fake_socket";
import {
  addGames,
  fromText,
  gameOf,
  HistoryError,
  keepResults,
  keptGames,
  MOST_GAMES,
  toText,
  type HistoryGame,
} from "./history";

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal("location", { origin: "https://rails.example" });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  });
});

const game = (id: string, more: Partial<HistoryGame> = {}): HistoryGame => ({
  site: "https://rails.example",
  table: id,
  edition: "usa",
  called: "USA",
  ended: 1_700_000_000,
  players: [
    { name: "Ada", bot: null, points: 101 },
    { name: "Brunel", bot: "casual", points: -3 },
  ],
  winners: [0],
  mine: [0],
  ...more,
});

const wrong = (text: string): HistoryError => {
  try {
    fromText(text);
  } catch (reason) {
    if (reason instanceof HistoryError) return reason;
  }
  throw new Error("was read");
};

test("games are kept, the latest first, and each once", () => {
  expect(addGames([game("one"), game("two", { ended: 1_800_000_000 })])).toBe(2);
  expect(addGames([game("one", { called: "another" }), game("three", { ended: 1 }), game("three")])).toBe(1);
  expect(keptGames().map((one) => one.table)).toEqual(["two", "one", "three"]);
  expect(keptGames()[1]!.called).toBe("USA");
  expect(addGames([game("one", { site: "https://other.example" })])).toBe(1);
});

test("a long history loses its oldest games", () => {
  addGames(Array.from({ length: MOST_GAMES + 5 }, (_, at) => game(`t${at}`, { ended: at + 1 })));
  expect(keptGames().length).toBe(MOST_GAMES);
  expect(keptGames().at(-1)!.table).toBe("t5");
});

test("what can't be read is put aside, never overwritten", () => {
  kept.set("whistlestop.history", '{"whistlestop": "history", "version": 7, "games": [1]}');
  expect(keptGames()).toEqual([]);
  addGames([game("one")]);
  expect(keptGames().length).toBe(1);
  expect(kept.get("whistlestop.history.unread")).toContain('"version": 7');
});

test("text and games are the same thing twice", () => {
  const games = [game("one"), game("two", { mine: [0, 1], winners: [0, 1] })];
  expect(fromText(toText(games))).toEqual(games);
  expect(fromText(toText(games, 1))).toEqual(games);
});

test("anything else is refused with its reason, and keeps nothing", () => {
  expect(wrong("{").key).toBe("unreadable");
  for (const text of ["null", "[]", '"x"', "{}", '{"whistlestop": "history", "version": 1}'])
    expect(wrong(text).key).toBe("other_file");
  expect(wrong('{"whistlestop": "history", "version": 2, "games": []}').key).toBe("newer");
  const broken: Partial<Record<keyof HistoryGame, unknown>>[] = [
    { site: 3 },
    { table: "../evil" },
    { edition: null },
    { called: "x".repeat(201) },
    { ended: "yesterday" },
    { ended: -1 },
    { ended: 1e12 },
    { players: [] },
    { players: [{ name: "Ada", bot: null, points: 1.5 }] },
    { players: Array(10).fill({ name: "Ada", bot: null, points: 1 }) },
    { winners: [2] },
    { winners: [] },
    { mine: [-1] },
    { mine: ["length"] },
    { mine: [] },
  ];
  for (const part of broken) {
    const found = wrong(toText([game("one"), { ...game("two"), ...part } as HistoryGame]));
    expect([found.key, found.words.number], JSON.stringify(part)).toEqual(["game", 2]);
  }
});

test("a game takes nothing along that does not belong to it", () => {
  const raw = { ...game("one"), key: "secret", players: [{ ...game("one").players[0]!, key: "secret" }], winners: [0] };
  expect(toText(fromText(toText([raw as HistoryGame])))).not.toContain("secret");
});

const end = {
  table: table({ id: "abcdef", status: "over" }),
  result: {
    players: [
      { name: "Anna", total: 12 },
      { name: "Bert", total: 40 },
      { name: "Cleo", total: 7 },
    ],
    winners: [1],
  },
  ended: 99,
} as unknown as EndData;
const mine = (more: Partial<Mine> = {}): Mine => ({
  key: "k",
  seats: [2],
  host: false,
  table: end.table,
  my_turn: false,
  ...more,
});

test("a result becomes a game of mine", () => {
  const found = gameOf(end, [2]);
  expect(found).toMatchObject({ site: "https://rails.example", table: "abcdef", winners: [1], mine: [2], ended: 99 });
  expect(found.players).toEqual([
    { name: "Anna", bot: null, points: 12 },
    { name: "Bert", bot: null, points: 40 },
    { name: "Cleo", bot: null, points: 7 },
  ]);
  expect(fromText(toText([found]))).toEqual([found]);
});

test("results of my tables are asked for once", async () => {
  const asked = vi.spyOn(api, "end").mockResolvedValue(end);
  await keepResults([
    mine(),
    mine({ seats: [] }),
    mine({ table: table({ id: "going", status: "playing" }) }),
    mine({ table: table({ id: "lesson", status: "over", lesson: "usa" }) }),
  ]);
  await keepResults([mine()]);
  expect(asked.mock.calls).toEqual([["abcdef"]]);
  expect(keptGames().map((one) => one.mine)).toEqual([[2]]);
  asked.mockRejectedValue(new Error("away"));
  await keepResults([mine({ table: table({ id: "other", status: "over" }) })]);
  expect(keptGames().length).toBe(1);
});
