/** Short messages at the edge of the page: what went wrong, or that something worked. */

import { Refused } from "../lib/api";
import { t, textOr } from "../lib/texts.svelte";

export interface Toast {
  id: number;
  kind: "error" | "note";
  text: string;
  hint: string | null;
}

const LASTS = 6000;
let next = 0;

export const toasts = $state<{ list: Toast[] }>({ list: [] });

function show(kind: Toast["kind"], text: string, hint: string | null): void {
  const id = ++next;
  // the same trouble again replaces its message instead of piling up
  toasts.list = [...toasts.list.filter((toast) => toast.text !== text).slice(-2), { id, kind, text, hint }];
  setTimeout(() => dismiss(id), kind === "error" ? LASTS * 1.5 : LASTS);
}

export function dismiss(id: number): void {
  toasts.list = toasts.list.filter((toast) => toast.id !== id);
}

export const note = (text: string): void => show("note", text, null);

/** What went wrong in the reader's language where we know the reason, else in the server's words. */
export function words(reason: unknown): { text: string; hint: string | null } {
  if (!(reason instanceof Refused)) return { text: t("app.errors.unknown"), hint: null };
  const known = textOr(`app.errors.${reason.code}`, "");
  return known ? { text: known, hint: null } : { text: reason.message, hint: reason.hint };
}

export function complain(reason: unknown): void {
  const { text, hint } = words(reason);
  show("error", text, hint);
}
