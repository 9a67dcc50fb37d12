import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeSocket, frame, move } from "../lib/fake_socket";
import type { Frame, TicketData, WayData } from "../messages";
import { desk, live, sit } from "./fake_desk";
import { newsOf, newsPlaces, placesOf } from "./news";
import { Showing, timeFor } from "./showing.svelte";

let showing: Showing;
let hurry: boolean;

function watch(first: Frame): void {
  sit(first);
  hurry = false;
  showing = new Showing(desk, () => hurry);
}

/** The server sends a frame; the page shows it when its time has come. */
function hear(one: Frame): void {
  FakeSocket.last.hear(one);
  showing.add(live.frame!);
}

const claim = (n: number, claimed: number) => move(n, 1, { kind: "claim", track: claimed, claimed, points: 2 });
const ticket: TicketData = { from: "A", to: "B", points: 7, kind: "regular", completed: false };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => showing.close());

describe("moves", () => {
  it("are shown one after another", () => {
    watch(frame(3));
    hear(frame(4, { moves: [claim(4, 0)] }));
    hear(frame(5, { moves: [claim(5, 1)] }));
    expect([desk.frame?.n, showing.active, desk.moves.length]).toEqual([4, true, 4]);
    vi.advanceTimersByTime(timeFor(claim(4, 0), 2) - 1);
    expect(desk.frame?.n).toBe(4);
    vi.advanceTimersByTime(1);
    expect([desk.frame?.n, desk.fresh.map(({ n }) => n)]).toEqual([5, [5]]);
    vi.advanceTimersByTime(5000);
    expect(showing.active).toBe(false);
  });

  it("can be skipped, and none is lost", () => {
    watch(frame(3));
    for (const n of [4, 5, 6]) hear(frame(n, { moves: [claim(n, 0)] }));
    showing.skip();
    expect([desk.frame?.n, desk.fresh.map(({ n }) => n), showing.active]).toEqual([6, [5, 6], false]);
  });

  it("come at once where nobody wants to watch, and where many wait", () => {
    watch(frame(3));
    hurry = true;
    for (const n of [4, 5]) hear(frame(n, { moves: [claim(n, 0)] }));
    expect(desk.frame?.n).toBe(5);
    hurry = false;
    for (let n = 6; n < 14; n++) hear(frame(n, { moves: [claim(n, 0)] }));
    expect(desk.frame?.n).toBe(13);
  });
});

describe("a tunnel", () => {
  const dug = move(4, 1, {
    kind: "claim",
    track: 1,
    claimed: 1,
    points: 2,
    turned_up: ["red", "blue", "green"],
    extra: 0,
  });

  it("turns its cards before anything tells how it ended", () => {
    watch(frame(3));
    hear(frame(4, { moves: [dug], view: { owners: { 1: 1 } } }));
    const seen: number[] = [];
    for (let i = 0; i < 4; i++) {
      expect([desk.view?.owners, desk.moves.length]).toEqual([{}, 3]);
      seen.push(desk.reveal!.up);
      vi.advanceTimersByTime(650);
    }
    expect(seen).toEqual([0, 1, 2, 3]);
    expect([desk.view?.owners, desk.moves.length]).toEqual([{ 1: 1 }, 4]);
  });

  it("is skipped to its end", () => {
    watch(frame(3));
    hear(frame(4, { moves: [dug], view: { owners: { 1: 1 } } }));
    showing.skip();
    expect([desk.frame?.n, desk.reveal?.up]).toEqual([4, 3]);
  });
});

describe("great moments", () => {
  it("a completed ticket is celebrated with its way", async () => {
    watch(frame(3, { view: { tickets: [ticket] } }));
    hear(frame(4, { moves: [move(4, 0)], view: { tickets: [{ ...ticket, completed: true }], owners: { 0: 0 } } }));
    expect(desk.fanfare).toMatchObject({ kind: "complete", ticket: { to: "B" }, way: null });
    expect(desk.said).toContain("Your ticket A to B is complete: 7 points.");
    const asked = FakeSocket.last.wishes("way").at(-1)!;
    const way: WayData = { t: "way", ref: asked.ref!, from: "A", to: "B", tracks: [0], missing: [], trains: 0 };
    FakeSocket.last.hear(way);
    await vi.advanceTimersByTimeAsync(0);
    expect(desk.fanfare).toMatchObject({ way: { tracks: [0] } });
  });

  it("the last round is announced once", () => {
    watch(frame(3));
    hear(frame(4, { moves: [move(4)], view: { last_round: 3 } }));
    expect(desk.fanfare).toMatchObject({ kind: "last_round", turns: 3 });
    desk.fanfare = null;
    hear(frame(5, { moves: [move(5)], view: { last_round: 2 } }));
    vi.advanceTimersByTime(1000);
    expect([desk.frame?.n, desk.fanfare]).toEqual([5, null]);
  });

  it("a game that is over announces no last round any more", () => {
    watch(frame(3));
    hear(frame(4, { moves: [move(4)], view: { last_round: 1 } }));
    expect(desk.fanfare).toMatchObject({ kind: "last_round" });
    hear(frame(5, { moves: [move(5)], view: { last_round: 0, phase: "over" } }));
    vi.advanceTimersByTime(1000);
    expect([desk.frame?.n, desk.fanfare]).toEqual([5, null]);
  });
});

describe("the plan", () => {
  const way = (ref: number, missing: number[]): WayData => ({
    t: "way",
    ref,
    from: "A",
    to: "B",
    tracks: missing,
    missing,
    trains: 2,
  });

  it("knows what open tickets need, and forgets those that are done", async () => {
    watch(frame(3, { view: { tickets: [ticket] } }));
    FakeSocket.last.hear(way(FakeSocket.last.wishes("way")[0]!.ref!, [0]));
    await vi.advanceTimersByTimeAsync(0);
    expect([...desk.wanted]).toEqual([0]);
    hurry = true;
    hear(frame(4, { moves: [move(4)], view: { tickets: [{ ...ticket, completed: true }] } }));
    expect([...desk.wanted]).toEqual([]);
  });
});

describe("news", () => {
  it("are what the others did since my last action", () => {
    const moves = [claim(1, 0), move(2, 0), claim(3, 1), move(4, 2, { kind: "station", city: "C" })];
    expect(newsOf(moves, 0).map(({ n }) => n)).toEqual([3, 4]);
    expect(newsPlaces(newsOf(moves, 0))).toEqual({ tracks: [1], city: "C" });
    expect(newsOf(moves, 2).map(({ n }) => n)).toEqual([4]); // just done: what I did is seen
    expect(newsOf(moves, null).map(({ n }) => n)).toEqual([4]);
    expect(newsOf([], 0)).toEqual([]);
  });

  it("know where an action was", () => {
    expect(placesOf(claim(1, 5))).toEqual({ tracks: [5], city: null });
    expect(placesOf(move(1, 1, { kind: "give_up", track: 3 }))).toEqual({ tracks: [3], city: null });
    expect(placesOf(move(1, 1, { kind: "draw_blind" }))).toBeNull();
  });
});
