import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { board } from "../board/sample";
import { FakeSocket, frame, move, table, useFakeSocket, welcome } from "../lib/fake_socket";
import { Live } from "../lib/live.svelte";
import { settings } from "../lib/settings.svelte";
import type { Frame, Options, TicketData, WayData, Welcome } from "../messages";
import { toasts } from "../ui/toasts.svelte";
import { Desk } from "./desk.svelte";

let live: Live;
let desk: Desk;
beforeEach(() => {
  useFakeSocket();
  toasts.list = [];
});
afterEach(() => {
  desk.close();
  live.close();
  vi.useRealTimers();
});

/** A table on this device, and what the server says. */
function sit(first: Frame, who: Partial<Welcome> = {}): void {
  live = new Live("abcdef", "secret-key");
  FakeSocket.last.open();
  FakeSocket.last.hear(welcome(who), first);
  desk = new Desk(live, board);
}

/** The server sends frames; the screen takes each as the page does. */
function hear(...frames: Frame[]): void {
  for (const one of frames) {
    FakeSocket.last.hear(one);
    if (live.frame && live.frame !== desk.frame) desk.take(live.frame);
  }
}

/** Connected again after a loss, with what the server says then. */
function comeBack(...frames: Frame[]): void {
  vi.advanceTimersByTime(10_000);
  FakeSocket.last.open();
  FakeSocket.last.hear(welcome());
  hear(...frames);
}

const settled = () => vi.advanceTimersByTimeAsync(0);
const options: Options = {
  draw_blind: 1,
  draw_face_up: { red: 2 },
  claims: {
    1: [
      { id: 30, cards: { red: 2 } },
      { id: 31, cards: { locomotive: 2 } },
    ],
  },
  stations: {
    cities: { A: 100, B: 110 },
    payments: [
      { id: 0, cards: { red: 1 } },
      { id: 3, cards: { locomotive: 1 } },
    ],
  },
};

describe("acting", () => {
  it("waits for the next frame before anything else can be done", async () => {
    sit(frame(3, { options }));
    void desk.drawBlind();
    void desk.act(2);
    expect(desk.busy).toBe(true);
    expect(desk.options).toBeNull();
    expect(FakeSocket.last.wishes("act")).toEqual([{ t: "act", n: 3, action: 1, seat: 0, ref: 1 }]);
    FakeSocket.last.hear({ t: "ok", ref: 1, n: 4 });
    await settled();
    expect(desk.busy).toBe(true); // stored, but not yet seen
    hear(frame(4, { options, moves: [move(4, 0, { kind: "draw_blind", card: "red" })] }));
    expect(desk.busy).toBe(false);
    expect(desk.said).toBe("You drew 1 red from the deck.");
  });

  it("tells when it was too late, and lets choose again", async () => {
    sit(frame(3, { options }));
    void desk.drawBlind();
    FakeSocket.last.hear({ t: "error", ref: 1, code: "stale", message: "the game went on" });
    await settled();
    expect(desk.busy).toBe(false);
    expect(toasts.list.map(({ text }) => text)).toEqual(["Something happened in between. Look again, then decide."]);
  });

  it("can be done again after the connection was lost, with the same number", async () => {
    sit(frame(3, { options }));
    void desk.drawBlind();
    FakeSocket.last.drop();
    await settled();
    expect(desk.busy).toBe(false);
    expect(toasts.list[0]?.text).toContain("Not connected");
    comeBack(frame(3, { options, moves: [] }));
    void desk.drawBlind();
    expect(FakeSocket.last.wishes("act")).toMatchObject([{ n: 3, action: 1, seat: 0 }]);
  });

  it("is not done twice if the server had stored it before the connection was lost", async () => {
    sit(frame(3, { options }));
    void desk.drawBlind();
    FakeSocket.last.drop();
    await settled();
    comeBack(
      frame(4, { options: null, moves: [move(4, 0, { kind: "draw_blind", card: "red" })], view: { to_move: [1] } }),
    );
    void desk.drawBlind();
    expect(FakeSocket.last.wishes("act")).toEqual([]);
    expect(desk.myTurn).toBe(false);
  });

  it("says why an open card is no second card, as far as the server refuses it", async () => {
    sit(frame(3, { options, view: { phase: "second_card", face_up: ["red", "locomotive", null] } }));
    await desk.drawFaceUp(1);
    expect(toasts.list.map(({ text }) => text)).toEqual(["An open locomotive can’t be the second card."]);
    await desk.drawFaceUp(2);
    expect(FakeSocket.last.wishes("act")).toEqual([]);
    void desk.drawFaceUp(0);
    expect(FakeSocket.last.wishes("act")).toMatchObject([{ action: 2 }]);
  });
});

describe("choosing", () => {
  it("offers the payments of a track, the picked card first", async () => {
    sit(frame(3, { options, view: { hand: { locomotive: 2, red: 2 } } }));
    await desk.chooseTrack(0);
    expect(desk.stage.kind).toBe("idle"); // the board's tip says why not
    desk.filter = "locomotive";
    await desk.chooseTrack(1);
    expect(desk.stage).toEqual({ kind: "claim", track: 1, payment: 1 });
    void desk.confirm();
    expect(FakeSocket.last.wishes("act")).toMatchObject([{ action: 31 }]);
  });

  it("claims at once where there is one way to pay and nobody wants to be asked", async () => {
    sit(frame(3, { options: { claims: { 1: [{ id: 30, cards: { red: 2 } }] } } }));
    await desk.chooseTrack(1);
    expect(desk.stage).toEqual({ kind: "claim", track: 1, payment: 0 });
    settings.confirm = false;
    void desk.chooseTrack(1);
    expect(FakeSocket.last.wishes("act")).toMatchObject([{ action: 30 }]);
    settings.confirm = true;
  });

  it("builds a station by city and payment", () => {
    sit(frame(3, { options }));
    desk.chooseCity("A");
    expect(desk.stage.kind).toBe("idle");
    desk.placeStation();
    desk.chooseCity("C"); // not open to a station
    expect(desk.stage.kind).toBe("place");
    desk.chooseCity("B");
    desk.choosePayment(1);
    void desk.confirm();
    expect(FakeSocket.last.wishes("act")).toMatchObject([{ action: 113 }]);
  });

  it("ends when the game goes on", async () => {
    sit(frame(3, { options }));
    await desk.chooseTrack(1);
    hear(frame(4, { options, moves: [move(4)] }));
    expect(desk.stage.kind).toBe("idle");
  });
});

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

describe("asking", () => {
  const paris: TicketData = { from: "A", to: "B", points: 3, kind: "regular" };
  const roma: TicketData = { from: "B", to: "C", points: 5, kind: "long" };
  const way = (ref: number, ticket: TicketData, tracks: number[]): WayData => ({
    t: "way",
    ref,
    from: ticket.from,
    to: ticket.to,
    tracks,
    missing: [],
    trains: 0,
  });

  it("lights the way of the ticket that is pointed at, not of the one before", async () => {
    sit(frame(3, { options }));
    desk.lights.point(paris);
    desk.lights.point(roma);
    const [first, second] = FakeSocket.last.wishes("way");
    FakeSocket.last.hear(way(second!.ref!, roma, [1]), way(first!.ref!, paris, [0]));
    await settled();
    expect(desk.lights.way?.tracks).toEqual([1]);
  });

  it("asks for a way once a frame", async () => {
    sit(frame(3, { options }));
    desk.lights.point(paris);
    desk.lights.point(null);
    desk.lights.point(paris);
    expect(FakeSocket.last.wishes("way")).toHaveLength(1);
    hear(frame(4, { moves: [move(4)] }));
    expect(FakeSocket.last.wishes("way")).toHaveLength(2);
  });

  it("explains what can be had by the options, and the rest by the server", async () => {
    sit(frame(3, { options }));
    expect(await desk.explain({ track: 1 })).toBe("You can claim it for 2 red");
    expect(await desk.explain({ city: "A" })).toBe("You can build here for 1 red");
    expect(FakeSocket.last.wishes("why")).toEqual([]);
    const asked = desk.explain({ track: 2 });
    FakeSocket.last.hear({ t: "why", ref: 1, track: 2, city: null, obstacle: { code: "owned", owner: 1 } });
    expect(await asked).toBe("Bert has this track.");
    const lost = desk.explain({ track: 2 });
    FakeSocket.last.drop();
    expect(await lost).toBe("");
  });
});
