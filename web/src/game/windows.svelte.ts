/** Windows and tabs beside the board: which of them are open. */

import { tick } from "svelte";

export type Sheet = "tickets" | "log" | "chat";

export class Windows {
  /** On narrow screens log, chat and tickets come up from the bottom edge. */
  sheet = $state<Sheet | null>(null);
  /** On wide ones log and chat are tabs. */
  tab = $state<"log" | "chat">("log");
  menu = $state(false);
  shortcuts = $state(false);
  tracks = $state(false);
  /** Whether somebody sees the chat now. */
  chatting = $derived.by(() => (this.narrow() ? this.sheet === "chat" : this.tab === "chat"));

  constructor(private narrow: () => boolean) {}

  showLog(): void {
    if (this.narrow()) this.sheet = "log";
    else this.tab = "log";
  }

  showChat(): void {
    if (this.narrow()) this.sheet = "chat";
    else this.tab = "chat";
    void tick().then(() => document.querySelector<HTMLElement>("[data-chat]")?.focus());
  }

  showTickets(): void {
    if (this.narrow()) this.sheet = "tickets";
    else document.querySelector<HTMLElement>(".tickets-box .ticket")?.focus();
  }

  closeAll(): void {
    this.sheet = null;
    this.menu = this.shortcuts = this.tracks = false;
  }
}
