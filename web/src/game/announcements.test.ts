import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { board } from "../board/sample";
import { FakeSocket, frame, move, player, useFakeSocket, welcome } from "../lib/fake_socket";
import { Live } from "../lib/live.svelte";
import { Desk } from "./desk.svelte";

let live: Live;
let desk: Desk;
beforeEach(() => {
  useFakeSocket();
  live = new Live("abcdef", "secret-key");
  FakeSocket.last.open();
});
afterEach(() => {
  desk.close();
  live.close();
  vi.useRealTimers();
});

it("tells all announcements with their mixes when the last one is made", () => {
  const hear = (...args: Parameters<typeof frame>): void => {
    FakeSocket.last.hear(frame(...args));
    desk.take(live.frame!);
  };
  FakeSocket.last.hear(welcome(), frame(0, { view: { phase: "announce" } }));
  desk = new Desk(live, board);
  hear(1, { moves: [move(1, 1, { kind: "announce" })], view: { phase: "announce" } });
  expect(desk.said).toBe("Bert asked for new tickets.");
  const mixes = [
    { short: 4, long: 0 },
    { short: 1, long: 3 },
  ];
  hear(2, {
    moves: [move(2, 0, { kind: "announce", mix: mixes[0]! })],
    view: { phase: "first_tickets", players: mixes.map((announced) => player("", { announced, offered: 4 })) },
  });
  expect(desk.said).toBe("Bert asked for 1 short and 3 long tickets. You asked for 4 short tickets.");
  hear(3, { moves: [move(3, 1, { kind: "keep" })] });
  expect(desk.said).toBe("Bert has chosen tickets.");
});
