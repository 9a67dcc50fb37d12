import { afterEach, beforeEach, vi } from "vitest";
import { board } from "../board/sample";
import { FakeSocket, useFakeSocket, welcome } from "../lib/fake_socket";
import { Live } from "../lib/live.svelte";
import type { Frame, Welcome } from "../messages";
import { toasts } from "../ui/toasts.svelte";
import { Desk } from "./desk.svelte";

/* For tests: somebody at a table, as the server tells it. */

export let live: Live;
export let desk: Desk;
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
export function sit(first: Frame, who: Partial<Welcome> = {}): void {
  live = new Live("abcdef", "secret-key");
  FakeSocket.last.open();
  FakeSocket.last.hear(welcome(who), first);
  desk = new Desk(live, board);
}

/** The server sends frames; the screen takes each as the page does. */
export function hear(...frames: Frame[]): void {
  for (const one of frames) {
    FakeSocket.last.hear(one);
    if (live.frame && live.frame !== desk.frame) desk.take(live.frame);
  }
}
