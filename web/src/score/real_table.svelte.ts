/** A real table as this phone sees it: what the server knows, what was tapped since, and what it refused. */

import { api, Refused } from "../lib/api";
import type { ChangeRealTable, OddityData, RealTableData } from "../messages";
import { complain } from "../ui/toasts.svelte";
import { changedBy, copyOf, difference, holdingsOf, type Change, type Holdings } from "./holdings";
import { keepTable } from "./kept";

/** Milliseconds in which taps gather before they are sent. */
const GATHER = 120;
/** Milliseconds before the next try where the server does not answer. */
const PAUSE = 2000;
/** Codes of refusals after which asking again is of no use. */
const GONE = ["no_such_table", "unreadable", "malformed"];

interface Pending {
  seat: number;
  change: Change;
}

/** What was refused because it would be odd. */
export interface Refusal {
  seat: number;
  change: Change;
  odd: OddityData[];
}

export class RealTable {
  data = $state.raw<RealTableData | null>(null);
  /** The server does not answer; what was tapped waits. */
  away = $state(false);
  /** Why there is nothing to see: the code of the server's refusal. */
  missing = $state<string | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  private pending = $state.raw<Pending[]>([]);

  /** Everybody's holdings, with what was tapped here and is on its way. */
  players = $derived.by<Holdings[]>(
    () => this.data?.players.map((player, seat) => this.after(seat, holdingsOf(player))) ?? [],
  );
  /** What was tapped is stored. */
  settled = $derived.by(() => this.pending.length === 0);

  private sending: Promise<void> | null = null;
  private closed = false;
  private oneByOne = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asking = new AbortController();

  constructor(
    readonly id: string,
    public key: string | undefined,
  ) {}

  private after(seat: number, held: Holdings): Holdings {
    return changedBy(
      held,
      this.pending.filter((one) => one.seat === seat).map((one) => one.change),
    );
  }

  /** Follow the table until it is closed. */
  async follow(): Promise<void> {
    while (!this.closed && this.missing === null) {
      try {
        const { key } = this;
        const found = await api.realTable(this.id, key, this.data?.version, this.asking.signal);
        if (key === this.key) this.take(found); // else it was asked before this phone held what it holds now
        this.away = false;
      } catch (reason) {
        if (this.closed) return;
        if (reason instanceof Refused && GONE.includes(reason.code)) this.missing = reason.code;
        this.away = true;
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    }
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.asking.abort();
    if (!this.settled) void this.send();
  }

  /** What the server said, unless something newer is known. */
  private take(data: RealTableData, again = false): void {
    if (!again && this.data && data.version < this.data.version) return;
    this.data = data;
    keepTable({ table: this.id, key: this.key ?? null, ...copyOf(data) });
  }

  /** Change what a player has: seen at once, sent soon. */
  change(seat: number, change: Change): void {
    this.pending = [...this.pending, { seat, change }];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.send(), GATHER);
  }

  /** Do what was refused all the same, or leave it. */
  decide(force: boolean): void {
    const refusal = this.refusal;
    this.refusal = null;
    if (force && refusal) void this.force(refusal);
  }

  private async force({ seat, change }: Refusal): Promise<void> {
    try {
      await this.tell(seat, change, true);
    } catch (reason) {
      complain(reason);
    }
  }

  /** Send what waits: the changes of one player together, and one after the other where one of them is refused. */
  private send(): Promise<void> {
    this.sending ??= this.sendAll().finally(() => (this.sending = null));
    return this.sending;
  }

  private async sendAll(): Promise<void> {
    while (this.pending.length) {
      const { seat } = this.pending[0]!;
      const all = this.pending.filter((one) => one.seat === seat);
      const sent = this.oneByOne ? all.slice(0, 1) : all;
      const change: Change = (held) =>
        changedBy(
          held,
          sent.map((one) => one.change),
        );
      try {
        const odd = await this.tell(seat, change, false, sent);
        if (odd.length && sent.length > 1) this.oneByOne = true;
        else {
          this.pending = this.pending.filter((one) => !sent.includes(one));
          if (odd.length) this.refusal = { seat, change, odd };
        }
      } catch (reason) {
        const away = reason instanceof Refused && reason.code === "offline";
        this.away = away;
        if (away && !this.closed) await new Promise((resolve) => setTimeout(resolve, PAUSE));
        else {
          this.pending = this.pending.filter((one) => !sent.includes(one));
          complain(reason);
        }
      }
    }
    this.oneByOne = false;
  }

  /** Tell the server of a change, made anew where another phone was faster; why it was refused. */
  private async tell(seat: number, change: Change, force: boolean, sent: Pending[] = []): Promise<OddityData[]> {
    for (;;) {
      const player = this.data!.players[seat]!;
      const before = holdingsOf(player);
      const wish = { version: player.version, ...difference(before, change(before)), force };
      try {
        const { table, refused } = await api.changeRealPlayer(this.id, seat, wish, this.key);
        if (!refused.length) this.pending = this.pending.filter((one) => !sent.includes(one));
        this.take(table);
        return refused;
      } catch (reason) {
        if (!(reason instanceof Refused) || reason.code !== "outdated") throw reason;
        this.take(await api.realTable(this.id, this.key));
      }
    }
  }

  /** Change the table itself, once what was tapped is stored. */
  async set(wish: Omit<ChangeRealTable, "revision">): Promise<boolean> {
    try {
      clearTimeout(this.timer);
      await this.send();
      this.take(await api.changeRealTable(this.id, { revision: this.data!.revision, ...wish }, this.key));
      return true;
    } catch (reason) {
      complain(reason);
      return false;
    }
  }

  /** Enter a player on this phone from now on. */
  async hold(seat: number): Promise<void> {
    try {
      this.key = (await api.takeRealPlayer(this.id, seat, this.key)).key;
      this.take(await api.realTable(this.id, this.key), true);
    } catch (reason) {
      complain(reason);
    }
  }
}
