/** Calling somebody back to the table: the title of a hidden page, and a notification if that was wished for. */

import { settings } from "../lib/settings.svelte";
import { t } from "../lib/texts.svelte";

/** While `mine()` holds and nobody looks, the title says so. Call in a component. */
export function callBack(mine: () => boolean, what: () => string): void {
  let hidden = $state(document.hidden);
  $effect(() => {
    const changed = (): void => {
      hidden = document.hidden;
    };
    document.addEventListener("visibilitychange", changed);
    return () => document.removeEventListener("visibilitychange", changed);
  });
  $effect(() => {
    if (!mine() || !hidden) return;
    const usual = document.title;
    const calling = t("game.title_turn");
    document.title = calling;
    const blink = setInterval(() => {
      document.title = document.title === calling ? usual : calling;
    }, 1200);
    const note = notify(what());
    return () => {
      clearInterval(blink);
      document.title = usual;
      note?.close();
    };
  });
}

function notify(text: string): Notification | null {
  if (!settings.notify || !("Notification" in window) || Notification.permission !== "granted") return null;
  try {
    const note = new Notification(t("game.notify_title"), { body: text, icon: "/icon.svg", tag: "whistlestop-turn" });
    note.onclick = () => {
      focus();
      note.close();
    };
    return note;
  } catch {
    return null; // some phones only allow notifications from a service worker
  }
}
