import { describe, expect, it, vi } from "vitest";
import { FakeSocket, frame, move, table, welcome } from "../lib/fake_socket";
import type { Welcome } from "../messages";
import { toasts } from "../ui/toasts.svelte";
import { desk, hear, live, sit } from "./fake_desk";

describe("several people on one device", () => {
  const both: Partial<Welcome> = { seats: [0, 2], seat: 0 };
  const hand0 = { red: 4 };
  const hand2 = { blue: 4 };
  const seat0 = (n: number, toMove: number[], more = {}) =>
    frame(n, { seat: 0, view: { to_move: toMove, hand: hand0 }, ...more });
  const seat2 = (n: number, toMove: number[], more = {}) =>
    frame(n, { seat: 2, view: { to_move: toMove, hand: hand2 }, ...more });

  /** Seat 0 has said "it is me". */
  async function seated(): Promise<void> {
    sit(seat0(3, [0]), both);
    expect(desk.curtain).toBe(0);
    await desk.lift();
  }

  it("shows nothing at first: nobody has said who looks", async () => {
    await seated();
    expect(desk.curtain).toBeNull();
    expect(desk.holder).toBe(0);
    expect(FakeSocket.last.wishes("sit")).toEqual([]); // these eyes were open already
  });

  it("lets the holder look, then falls, and asks for the other hand only when it is lifted", async () => {
    await seated();
    desk.lights.pin({ from: "A", to: "B", points: 3, kind: "regular" });
    hear(seat0(4, [2], { moves: [move(4, 0, { kind: "draw_blind", card: "red" })] }));
    expect([desk.handing, desk.curtain]).toEqual([2, null]);
    expect(desk.myTurn).toBe(false);
    vi.advanceTimersByTime(1799);
    expect(desk.curtain).toBeNull();
    vi.advanceTimersByTime(1);
    expect([desk.handing, desk.curtain]).toEqual([null, 2]);
    expect([desk.said, desk.lights.ticket, desk.reveal, desk.filter]).toEqual(["", null, null, null]);
    expect(FakeSocket.last.wishes("sit")).toEqual([]);
    expect(desk.view?.hand).toEqual(hand0); // the other hand is not even here yet

    void desk.lift();
    expect(FakeSocket.last.wishes("sit")).toMatchObject([{ seat: 2 }]);
    expect(desk.curtain).toBe(2); // down until the new hand replaces the old one
    hear(seat2(4, [2]));
    expect(desk.curtain).toBeNull();
    expect(desk.view?.hand).toEqual(hand2);
    expect(desk.before).toBeNull();
    expect(desk.fresh).toEqual([]);
    expect(desk.myTurn).toBe(true);
  });

  it("stays down while frames for the old eyes still come", async () => {
    await seated();
    hear(seat0(4, [2], { moves: [move(4, 0)] }));
    desk.handOver();
    void desk.lift();
    hear(seat0(4, [2], { moves: [] }));
    expect(desk.curtain).toBe(2);
    hear(seat2(6, [2]));
    expect(desk.curtain).toBeNull();
    expect(desk.fresh).toEqual([]); // the story through other eyes is not news
  });

  it("stays down until it is lifted, whatever comes", async () => {
    await seated();
    hear(seat0(4, [2], { moves: [move(4, 0)] }));
    desk.handOver();
    hear(seat2(4, [2]));
    expect(desk.curtain).toBe(2);
  });

  it("stays down when the server refuses the other seat", async () => {
    await seated();
    hear(seat0(4, [2], { moves: [move(4, 0)] }));
    desk.handOver();
    const lifting = desk.lift();
    FakeSocket.last.hear({
      t: "error",
      ref: FakeSocket.last.wishes("sit")[0]!.ref!,
      code: "not_your_seat",
      message: "no",
    });
    await lifting;
    expect(desk.curtain).toBe(2);
    expect(toasts.list).toHaveLength(1);
  });

  it("stays down over a lost connection, and opens with the right hand after it", async () => {
    await seated();
    hear(seat0(4, [2], { moves: [move(4, 0)] }));
    desk.handOver();
    FakeSocket.last.drop();
    await desk.lift();
    expect(desk.curtain).toBe(2);
    vi.advanceTimersByTime(10_000);
    FakeSocket.last.open();
    FakeSocket.last.hear(welcome({ ...both, seat: 2 }));
    hear(seat2(4, [2]));
    expect(desk.curtain).toBe(2); // nobody has said "it is me" since
    await desk.lift();
    expect(desk.curtain).toBeNull();
    expect(desk.view?.hand).toEqual(hand2);
  });

  it("stays up while others play, and for whoever goes on", async () => {
    await seated();
    hear(seat0(4, [1], { moves: [move(4, 0)] }), seat0(5, [0], { moves: [move(5, 1)] }));
    vi.advanceTimersByTime(10_000);
    expect([desk.handing, desk.curtain]).toEqual([null, null]);
  });

  it("opens for everybody when the game is over", async () => {
    await seated();
    hear(seat0(4, [2], { moves: [move(4, 0)] }));
    desk.handOver();
    FakeSocket.last.hear(table({ status: "over" }));
    hear(seat0(5, [], { moves: [move(5, 1)], view: { phase: "over", to_move: [], hand: hand0 } }));
    expect(desk.curtain).toBeNull();
  });

  it("never falls for one person alone, nor for spectators", () => {
    sit(frame(3, { view: { to_move: [0] } }));
    expect(desk.curtain).toBeNull();
    desk.close();
    live.close();
    sit(frame(3, { seat: null }), { seats: [], seat: null });
    expect([desk.curtain, desk.me, desk.myTurn]).toEqual([null, null, false]);
  });
});
