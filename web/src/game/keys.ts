/** Keys for the whole screen of a game; those of an open window, a field or the board come first. */

import type { Desk } from "./desk.svelte";
import type { Showing } from "./showing.svelte";
import type { Windows } from "./windows.svelte";

/** Do what a key means; what is nobody's stays with the browser. */
export function pressKey(
  event: KeyboardEvent,
  desk: Desk,
  windows: Windows,
  showing: Pick<Showing, "active" | "skip">,
  resetBoard: () => void,
): void {
  const at = event.target as HTMLElement;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || desk.curtain !== null) return;
  if (at.closest("dialog") || at.matches("textarea, select, input:not([type=radio], [type=checkbox])")) {
    if (event.key === "Escape" && !at.closest("dialog")) desk.cancel();
    return;
  }
  if (event.key === " " && showing.active) {
    showing.skip();
    event.preventDefault();
    return;
  }
  const act = /^[1-9]$/.test(event.key)
    ? digitKey(Number(event.key) - 1, desk)
    : event.key === "Enter" && at.closest("button, a, form, [role=application]")
      ? null
      : letterKeys(desk, windows, resetBoard)[event.key.toLowerCase()];
  if (!act) return;
  act();
  event.preventDefault();
}

/** Digits choose a payment while one is asked for, else a card that lies open. */
function digitKey(digit: number, desk: Desk): (() => void) | null {
  const payments = desk.payments();
  if (payments.length) return () => digit < payments.length && desk.choosePayment(digit);
  return digit < (desk.view?.face_up.length ?? 0) ? () => void desk.drawFaceUp(digit) : null;
}

const letterKeys = (desk: Desk, windows: Windows, resetBoard: () => void): Record<string, () => void> => ({
  escape: () => desk.cancel(),
  enter: () => void desk.confirm(),
  "?": () => (windows.shortcuts = true),
  d: () => void desk.drawBlind(),
  t: () => void desk.drawTickets(),
  c: () => (windows.tracks = true),
  s: () => desk.placeStation(),
  l: () => windows.showLog(),
  m: () => windows.showChat(),
  p: () => windows.showTickets(),
  r: resetBoard,
});
