import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, Refused } from "../lib/api";
import type { ChangeHoldings, OddityData, RealPlayerData, RealTableData, TicketData } from "../messages";
import { fileOf, textOf } from "./file";
import { changedBy, difference, holdingsOf, ownersOf, withPassengers, withTicket, withTrack } from "./holdings";
import { forgetTable, keepTable, keptTable, keptTables } from "./kept";
import { RealTable } from "./real_table.svelte";
import { found } from "./search";

const player = (name: string, more: Partial<RealPlayerData> = {}): RealPlayerData => ({
  name,
  colour: 0,
  version: 0,
  mine: true,
  elsewhere: false,
  tracks: [],
  stations: [],
  passengers: {},
  ticket_count: 0,
  tickets: [],
  ...more,
});
const table = (version: number, ...players: RealPlayerData[]): RealTableData =>
  ({ id: "abcdef", edition: "usa", version, revision: 0, players }) as unknown as RealTableData;

test("changes can be made again to a newer version", () => {
  const changes = [withTrack(3, true), withTrack(1, false), withPassengers("red", -1), withTicket(5, true)];
  const before = holdingsOf(player("Ada", { tracks: [1, 2], passengers: { red: 0 } }));
  const after = changedBy(before, changes);
  expect(after).toMatchObject({ tracks: [2, 3], passengers: { red: 0 }, tickets: [5] });
  expect(changedBy(after, changes)).toEqual(after);
  expect(difference(before, after)).toEqual({ tracks: [2, 3], tickets: [5] });
});

test("a track of two players is drawn for the later one", () => {
  const both = [holdingsOf(player("Ada", { tracks: [1, 2] })), holdingsOf(player("Ben", { tracks: [2] }))];
  expect(ownersOf(both)).toEqual({ 1: 0, 2: 1 });
});

test("a table becomes a file and comes back, without what is hidden", () => {
  const text = textOf(table(4, player("Ada", { tracks: [7], tickets: [1] }), player("Ben", { tickets: null })));
  expect(fileOf(text)).toEqual({
    edition: "usa",
    players: [
      { name: "Ada", colour: 0, tracks: [7], stations: [], tickets: [1], passengers: {} },
      { name: "Ben", colour: 0, tracks: [], stations: [], tickets: [], passengers: {} },
    ],
  });
  for (const other of [undefined, "", "[]", "null", '{"edition": 1, "players": []}', '{"edition": "usa"}'])
    expect(fileOf(other)).toBe(null);
});

test("tickets are found by letters of a city, first those that begin with them", () => {
  const named = ["Zürich–Budapest", "Berlin–Roma", "Paris–Sevilla", "El Paso–Bern"].map((way, number) => {
    const [from, to] = way.split("–");
    return { number, ticket: { from, to } as TicketData };
  });
  const numbers = (wish: string): number[] => found(named, wish).map(({ number }) => number);
  expect(numbers("be")).toEqual([1, 3]);
  expect(numbers("ZU")).toEqual([0]);
  expect(numbers("pa")).toEqual([2, 3]);
  expect(numbers("ill")).toEqual([2]);
  expect(numbers("")).toHaveLength(4);
  expect(numbers("xy")).toEqual([]);
});

test("tables are kept in this browser, the newest first", () => {
  for (let at = 0; at < 25; at++) keepTable({ table: `t${at}`, key: null, edition: "usa", players: [] });
  keepTable({ table: "t20", key: "secret", edition: "usa", players: [] });
  expect(keptTables().map((one) => one.table)).toHaveLength(20);
  expect(keptTables()[0]!.table).toBe("t20");
  expect(keptTable("t20")?.key).toBe("secret");
  forgetTable("t20");
  expect(keptTable("t20")).toBeUndefined();
  localStorage.setItem("whistlestop.real_tables", "{broken");
  expect(keptTables()).toEqual([]);
});

// ---- what was tapped goes to the server -----------------------------------------------------------------------------
type Sent = [seat: number, wish: ChangeHoldings];
const odd = { code: "owned", track: 2 } as OddityData;

beforeEach(() => {
  vi.useFakeTimers();
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A table of two players whose server answers as told; what it was sent. */
function opened(answer: (sent: Sent, nth: number) => OddityData[] | Refused): { real: RealTable; sent: Sent[] } {
  const real = new RealTable("abcdef", "a-key-of-mine");
  let now = table(1, player("Ada"), player("Ben"));
  real.data = now;
  const sent: Sent[] = [];
  vi.spyOn(api, "changeRealPlayer").mockImplementation(async (_, seat, wish) => {
    sent.push([seat, wish]);
    const said = answer([seat, wish], sent.length);
    if (said instanceof Refused) throw said;
    if (!said.length || wish.force) {
      const players = now.players.map((one, at) =>
        at === seat ? { ...one, tracks: wish.tracks ?? one.tracks, version: one.version + 1 } : one,
      );
      now = table(now.version + 1, ...players);
    }
    return { refused: wish.force ? [] : said, table: now };
  });
  vi.spyOn(api, "realTable").mockImplementation(async () => {
    now = table(now.version + 1, { ...now.players[0]!, version: 9, tracks: [8] }, now.players[1]!);
    return now;
  });
  return { real, sent };
}

test("taps are seen at once and sent together", async () => {
  const { real, sent } = opened(() => []);
  real.change(0, withTrack(1, true));
  real.change(0, withTrack(2, true));
  real.change(1, withTrack(3, true));
  expect(real.players.map(({ tracks }) => tracks)).toEqual([[1, 2], [3]]);
  await vi.runAllTimersAsync();
  expect(sent.map(([seat, { tracks, version }]) => [seat, tracks, version])).toEqual([
    [0, [1, 2], 0],
    [1, [3], 0],
  ]);
  expect(real.settled).toBe(true);
  expect(real.players.map(({ tracks }) => tracks)).toEqual([[1, 2], [3]]);
});

test("what another phone changed meanwhile is not overwritten", async () => {
  const { real, sent } = opened((_, nth) => (nth === 1 ? new Refused("outdated", "") : []));
  real.change(0, withTrack(1, true));
  await vi.runAllTimersAsync();
  expect(sent.map(([, { tracks, version }]) => [tracks, version])).toEqual([
    [[1], 0],
    [[8, 1], 9],
  ]);
  expect(real.players[0]!.tracks).toEqual([8, 1]);
});

test("one odd tap does not take the others with it, and can be forced", async () => {
  const { real, sent } = opened(([, { tracks, force }]) => (!force && tracks?.includes(2) ? [odd] : []));
  for (const track of [1, 2, 3]) real.change(0, withTrack(track, true));
  await vi.runAllTimersAsync();
  expect(real.players[0]!.tracks).toEqual([1, 3]);
  expect(real.refusal?.odd).toEqual([odd]);
  real.decide(true);
  await vi.runAllTimersAsync();
  expect(sent.at(-1)![1]).toMatchObject({ tracks: [1, 3, 2], force: true });
  expect(real.refusal).toBe(null);
});

test("the table is counted only after every tap is stored", async () => {
  const { real, sent } = opened(() => []);
  const order: string[] = [];
  vi.spyOn(api, "changeRealTable").mockImplementation(async () => {
    order.push(`counted after ${sent.length}`);
    return table(99, player("Ada", { tracks: [1, 2] }), player("Ben"));
  });
  real.change(0, withTrack(1, true));
  await vi.advanceTimersByTimeAsync(120);
  real.change(0, withTrack(2, true));
  expect(await real.set({ counted: true })).toBe(true);
  expect(order).toEqual(["counted after 2"]);
  expect(real.settled).toBe(true);
});

test("an answer that was asked for before a player was taken is not shown", async () => {
  const { real } = opened(() => []);
  let answer: (data: RealTableData) => void = () => {};
  const asked = new Promise<RealTableData>((resolve) => (answer = resolve));
  vi.spyOn(api, "realTable").mockImplementation((_, key, known) =>
    known === undefined
      ? Promise.resolve(table(5, player("Ada", { mine: key === "new-key" }), player("Ben")))
      : key === "new-key"
        ? new Promise(() => {})
        : asked,
  );
  vi.spyOn(api, "takeRealPlayer").mockResolvedValue({ table: "abcdef", key: "new-key" });
  void real.follow();
  await real.hold(0);
  answer(table(5, player("Ada", { mine: false }), player("Ben")));
  await vi.advanceTimersByTimeAsync(10);
  expect(real.data!.players[0]!.mine).toBe(true);
  expect(keptTable("abcdef")?.key).toBe("new-key");
});

test("a refusal takes a tap back, and a server that is away keeps it", async () => {
  const { real } = opened((_, nth) => (nth < 3 ? new Refused("offline", "") : new Refused("bad_table", "no")));
  real.change(0, withTrack(1, true));
  await vi.advanceTimersByTimeAsync(1500);
  expect([real.away, real.settled, real.players[0]!.tracks]).toEqual([true, false, [1]]);
  await vi.runAllTimersAsync();
  expect([real.away, real.settled, real.players[0]!.tracks]).toEqual([false, true, []]);
});
