import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeSocket, frame, move, player, table, useFakeSocket, welcome } from "./fake_socket";
import { Live } from "./live.svelte";

let live: Live;
beforeEach(() => {
  useFakeSocket();
  live = new Live("abcdef", "secret-key");
});
afterEach(() => {
  live.close();
  vi.useRealTimers();
});

/** The server greets, and sends the game. */
function greeted(n = 3): FakeSocket {
  FakeSocket.last.open();
  FakeSocket.last.hear(welcome(), frame(n));
  return FakeSocket.last;
}

describe("coming back", () => {
  it("says hello first, and after a loss how much is known", () => {
    const first = FakeSocket.last;
    expect(first.address).toBe("ws://rails.example/api/tables/abcdef/live");
    first.open();
    expect(first.sent).toEqual([{ t: "hello", key: "secret-key" }]);
    first.hear(welcome(), frame(3));
    expect(live.state).toBe("open");
    first.drop();
    expect(live.state).toBe("away");
    vi.advanceTimersByTime(300);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.open();
    expect(FakeSocket.last.sent).toEqual([{ t: "hello", key: "secret-key", seat: 0, n: 3 }]);
  });

  it("waits longer after every try, at most ten seconds, and not long again once it was greeted", () => {
    for (const wait of [300, 700, 1500, 3000, 6000, 10_000, 10_000]) {
      const tries = FakeSocket.all.length;
      FakeSocket.last.drop();
      vi.advanceTimersByTime(wait - 1);
      expect(FakeSocket.all).toHaveLength(tries);
      vi.advanceTimersByTime(1);
      expect(FakeSocket.all).toHaveLength(tries + 1);
    }
    greeted().drop();
    const tries = FakeSocket.all.length;
    vi.advanceTimersByTime(300);
    expect(FakeSocket.all).toHaveLength(tries + 1);
  });

  it("keeps what was shown while it is away", () => {
    greeted().drop();
    expect(live.frame?.n).toBe(3);
    expect(live.moves).toHaveLength(3);
  });

  it.each([4404, 4403, 1008])("gives up when the server closes with %i", (code) => {
    FakeSocket.last.open();
    FakeSocket.last.hear({ t: "error", code: "wrong_key", message: "no" });
    FakeSocket.last.drop(code);
    expect(live.state).toBe("refused");
    expect(live.refusal?.code).toBe("wrong_key");
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it.each([1006, 1012, 1013])("comes back when the server closes with %i", (code) => {
    greeted().drop(code);
    vi.advanceTimersByTime(300);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it("stops for good when it is closed", () => {
    const socket = greeted();
    live.close();
    expect(socket.readyState).toBe(3);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(120_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it("begins anew with another key", () => {
    greeted();
    live.use("other-key");
    vi.advanceTimersByTime(300);
    FakeSocket.last.open();
    expect(FakeSocket.last.sent).toEqual([{ t: "hello", key: "other-key" }]);
  });
});

describe("the story", () => {
  it("grows by what is new, once, however often it is sent", () => {
    const socket = greeted(3);
    socket.hear(
      frame(4, { moves: [move(4)] }),
      frame(4, { moves: [move(4)] }),
      frame(6, { moves: [move(4), move(5), move(6)] }),
    );
    expect(live.moves.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(live.frame?.n).toBe(6);
    expect(live.before?.n).toBe(4);
  });

  it("has a gap: everything is asked for again", () => {
    const socket = greeted(3);
    socket.hear(frame(6, { moves: [move(6)] }));
    expect(live.frame).toBeNull(); // nothing is shown that may not hold
    expect(socket.readyState).toBe(3);
    vi.advanceTimersByTime(300);
    FakeSocket.last.open();
    expect(FakeSocket.last.sent[0]).toEqual({ t: "hello", key: "secret-key", seat: 0 }); // no n: the whole story
    FakeSocket.last.hear(welcome(), frame(6));
    expect(live.moves.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("gets the announced mixes when they become public", () => {
    const announce = (n: number, seat: number) => move(n, seat, { kind: "announce" });
    const [anna, bert] = [
      { short: 4, long: 0 },
      { short: 1, long: 3 },
    ];
    FakeSocket.last.open();
    FakeSocket.last.hear(
      welcome(),
      frame(1, { moves: [announce(1, 1)], view: { phase: "announce" } }),
      frame(2, {
        moves: [{ ...announce(2, 0), mix: anna }],
        view: {
          phase: "first_tickets",
          players: [player("Anna", { announced: anna }), player("Bert", { announced: bert })],
        },
      }),
      frame(3, { moves: [move(3, 0, { kind: "keep" })] }),
    );
    expect(live.moves.map(({ kind, mix }) => [kind, mix])).toEqual([
      ["announce", bert],
      ["announce", anna],
      ["keep", undefined],
    ]);
  });

  it("is asked for from the beginning by who comes back from the announcements", () => {
    FakeSocket.last.open();
    FakeSocket.last.hear(welcome(), frame(1, { view: { phase: "announce" } }));
    FakeSocket.last.drop();
    vi.advanceTimersByTime(300);
    FakeSocket.last.open();
    expect(FakeSocket.last.sent[0]).toEqual({ t: "hello", key: "secret-key", seat: 0 });
  });

  it("stays when a frame brings no move", () => {
    const socket = greeted(3);
    socket.hear(frame(3, { moves: [], deadline: 99 }));
    expect(live.moves).toHaveLength(3);
    expect(live.frame?.deadline).toBe(99);
  });

  it("is another one through other eyes", () => {
    const socket = greeted(3);
    void live.sit(1).catch(() => {});
    expect(live.frame).toBeNull();
    expect(live.moves).toEqual([]);
    expect(socket.wishes("sit")).toEqual([{ t: "sit", seat: 1, ref: 1 }]);
    socket.hear(frame(3, { seat: 1 }));
    expect(live.frame?.seat).toBe(1);
    expect(live.before).toBeNull(); // cards of the one must not fly to the other
    socket.hear(frame(3, { seat: 2 }));
    expect(live.before).toBeNull();
    socket.drop();
    vi.advanceTimersByTime(300);
    FakeSocket.last.open();
    expect(FakeSocket.last.sent[0]).toMatchObject({ seat: 1, n: 3 });
  });
});

describe("wishes", () => {
  it("get their own answer", async () => {
    const socket = greeted();
    const [way, why] = [live.way("Paris", "Roma"), live.why({ track: 4 })];
    const [first, second] = [socket.wishes("way")[0]!, socket.wishes("why")[0]!];
    expect(first.ref).not.toBe(second.ref);
    socket.hear(
      { t: "why", ref: second.ref!, track: 4, city: null, obstacle: { code: "closed" } },
      { t: "way", ref: first.ref!, from: "Paris", to: "Roma", tracks: [1], missing: [], trains: 0 },
    );
    expect((await why).code).toBe("closed");
    expect((await way).tracks).toEqual([1]);
  });

  it("are refused with the server's reason", async () => {
    const socket = greeted();
    const acting = live.act(17);
    expect(socket.wishes("act")).toEqual([{ t: "act", n: 3, action: 17, seat: 0, ref: 1 }]);
    socket.hear({ t: "error", ref: 1, code: "stale", message: "too late", hint: "look again" });
    await expect(acting).rejects.toMatchObject({ code: "stale", message: "too late", hint: "look again" });
    expect(live.refusal).toBeNull(); // it was about the wish, not about us
  });

  it("are lost with the connection, and can be sent again with the same number", async () => {
    const socket = greeted();
    const acting = live.act(17);
    socket.drop();
    await expect(acting).rejects.toMatchObject({ code: "offline" });
    // nothing is kept to be sent behind one's back
    await expect(live.act(17)).rejects.toMatchObject({ code: "offline" });
    vi.advanceTimersByTime(300);
    FakeSocket.last.open();
    FakeSocket.last.hear(welcome(), frame(3, { moves: [] }));
    const again = live.act(17);
    expect(FakeSocket.last.wishes("act")).toMatchObject([{ n: 3, action: 17 }]);
    // an answer to a wish of the old connection is nobody's
    FakeSocket.last.hear({ t: "ok", ref: 1, n: 4 }, { t: "ok", ref: FakeSocket.last.wishes("act")[0]!.ref!, n: 4 });
    expect(await again).toMatchObject({ n: 4 });
  });
});

it("pings once it was greeted, so that proxies keep the line", () => {
  FakeSocket.last.open();
  vi.advanceTimersByTime(25_000);
  expect(FakeSocket.last.wishes("ping")).toEqual([]);
  FakeSocket.last.drop();
  vi.advanceTimersByTime(300);
  const socket = greeted();
  vi.advanceTimersByTime(50_000);
  expect(socket.wishes("ping")).toHaveLength(2);
  socket.drop();
  vi.advanceTimersByTime(300 + 25_000);
  expect(FakeSocket.last.sent).toEqual([]);
});

it("hears chat once, and keeps only the newest reactions", () => {
  const socket = greeted();
  const line = { t: "chat", n: 1, seat: 1, name: "Bert", text: "hi", at: 0 } as const;
  socket.hear(line, line, table({ spectators: 4 }));
  expect(live.chat).toHaveLength(1);
  expect(live.table?.spectators).toBe(4);
  for (let k = 0; k < 15; k++) socket.hear({ t: "reaction", seat: 1, reaction: "clap" });
  expect(live.reactions).toHaveLength(10);
});
