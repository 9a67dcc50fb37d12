import { describe, expect, it, vi } from "vitest";
import { FakeSocket, frame, move, table, welcome } from "../lib/fake_socket";
import { settings } from "../lib/settings.svelte";
import type { Frame, Options, TicketData, WayData } from "../messages";
import { toasts } from "../ui/toasts.svelte";
import { desk, hear, sit } from "./fake_desk";
import { tipText } from "./tips";

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
    expect(toasts.list.map(({ text }) => text)).toEqual([
      "An open locomotive counts as two cards: it can only be your first one.",
    ]);
    await desk.drawFaceUp(2);
    expect(FakeSocket.last.wishes("act")).toEqual([]);
    void desk.drawFaceUp(0);
    expect(FakeSocket.last.wishes("act")).toMatchObject([{ action: 2 }]);
  });
});

describe("a turn whose time is up", () => {
  it("is played by a bot, and the next one is mine again", () => {
    sit(frame(3, { options }));
    const [mine, ...others] = table().seats;
    FakeSocket.last.hear(table({ seats: [{ ...mine!, stands_in: true, for_one_turn: true, missed: 1 }, ...others] }));
    expect([desk.timeUp, desk.standsIn, desk.myTurn, desk.options]).toEqual([true, true, false, null]);
    FakeSocket.last.hear(table({ seats: [{ ...mine!, missed: 1 }, ...others] }));
    expect([desk.timeUp, desk.missed, desk.myTurn]).toEqual([false, true, true]);
    FakeSocket.last.hear(table());
    expect(desk.missed).toBe(false);
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

  it("asks for a way once while the board stays as it is", async () => {
    sit(frame(3, { options }));
    desk.lights.point(paris);
    desk.lights.point(null);
    desk.lights.point(paris);
    expect(FakeSocket.last.wishes("way")).toHaveLength(1);
    hear(frame(4, { moves: [move(4)] }));
    expect(FakeSocket.last.wishes("way")).toHaveLength(1);
    hear(frame(5, { moves: [move(5, 1, { claimed: 1 })], view: { owners: { 1: 1 } } }));
    expect(FakeSocket.last.wishes("way")).toHaveLength(2);
  });

  it("explains what can be had by the options, and the rest by the server", async () => {
    sit(frame(3, { options }));
    expect(await tipText(desk, { track: 1 })).toBe("You can claim it for 2 red, or another way");
    expect(await tipText(desk, { city: "A" })).toBe("You can build here for 1 red, or another way");
    expect(FakeSocket.last.wishes("why")).toEqual([]);
    const asked = tipText(desk, { track: 2 });
    FakeSocket.last.hear({ t: "why", ref: 1, track: 2, city: null, obstacle: { code: "owned", owner: 1 } });
    expect(await asked).toBe("Bert has this track.");
    const lost = tipText(desk, { track: 2 });
    FakeSocket.last.drop();
    expect(await lost).toBe("");
  });
});
