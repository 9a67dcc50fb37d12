/**
 * Where somebody is in a lesson. The lesson follows the game: a step that came about by itself, or that can no longer be
 * done, is passed by, so that nobody gets stuck who plays otherwise than the guide says.
 */

import { untrack } from "svelte";
import type { Desk } from "../game/desk.svelte";
import { learn } from "../lib/understood.svelte";
import type { MoveData } from "../messages";
import { ASKS, LESSONS, type LessonName, type Said, type Step } from "./lessons";
import { keepProgress, progressOf } from "./progress";

/** Why a step can't be done yet, though it is one's turn. */
type Snag = "cards" | null;
const COLLECT: Said = { text: "learn.ask.collect", at: [{ part: "market" }] };

const same = (a: readonly [string, string], from: string, to: string): boolean =>
  (a[0] === from && a[1] === to) || (a[0] === to && a[1] === from);

export class Course {
  /** The number of the step, and the action after which it began. */
  at = $state(0);
  private since = $state(0);
  paused = $state(false);

  readonly steps: readonly Step[];
  step = $derived.by<Step | null>(() => this.steps[this.at] ?? null);
  /** Whether it can be seen now: what others do comes between. */
  shown = $derived.by(() => this.step !== null && this.fits(this.step));
  /** A track that I can't pay yet: cards come first. */
  snag = $derived.by<Snag>(() => {
    const go = this.step?.go;
    if (typeof go !== "object" || !this.desk.options || this.desk.view?.phase !== "turn") return null;
    return this.tracks(go.claim).some((track) => this.desk.options?.claims?.[track]?.length) ? null : "cards";
  });
  /** What is said now: the step, or how to go on with what was begun. */
  said = $derived.by<Said | null>(() => {
    const { step, desk } = this;
    if (!step || !this.shown) return null;
    if (desk.stage.kind !== "idle") return step.asks?.[desk.stage.kind] ?? ASKS[desk.stage.kind];
    return this.snag ? COLLECT : step;
  });

  constructor(
    readonly lesson: LessonName,
    private desk: Desk,
  ) {
    this.steps = LESSONS[lesson];
    const kept = progressOf(lesson);
    if (kept?.table === desk.live.id) {
      this.at = Math.min(kept.step, this.steps.length - 1);
      this.since = kept.since;
    } else this.keep();
  }

  /** Follow the game: go on as far as it has come. Call it whenever something has happened. */
  follow(): void {
    const { frame } = this.desk;
    if (!frame) return;
    untrack(() => {
      for (let step = this.step; step && this.passed(step); step = this.step) this.forward();
    });
  }

  /** The learner has read it. */
  next(): void {
    if (this.step?.go === "next" || this.step?.go === "last_round") this.forward();
    this.follow();
  }

  private forward(): void {
    if (this.at >= this.steps.length - 1) return;
    if (this.step?.teaches) learn(this.step.teaches);
    this.at += 1;
    this.since = this.desk.frame?.n ?? 0;
    this.keep();
  }

  private keep(): void {
    keepProgress(this.lesson, { table: this.desk.live.id, step: this.at, since: this.since, ended: this.isLast });
  }

  private get isLast(): boolean {
    return this.at === this.steps.length - 1;
  }

  /** What I did since the step began. */
  private get moves(): MoveData[] {
    return this.desk.live.moves.filter(({ n, seat }) => n > this.since && seat === this.desk.me);
  }

  private tracks(route: readonly [string, string]): number[] {
    return this.desk.board.tracks.filter(({ from, to }) => same(route, from, to)).map(({ track }) => track);
  }

  private complete(ticket: readonly [string, string]): boolean {
    return this.desk.view?.tickets.some(({ from, to, completed }) => completed && same(ticket, from, to)) ?? false;
  }

  /** Whether a step is behind us. */
  private passed(step: Step): boolean {
    const view = this.desk.view!;
    if (step.go === "over") return false;
    if (this.desk.over) return true;
    if (this.isBeforeLastRound && view.last_round !== null) return true;
    if (step.if && "complete" in step.if && !this.complete(step.if.complete)) return true;
    // what lies open is looked at when it is my turn: until then it may change
    if (step.if && "open" in step.if && this.fits(step) && !view.face_up.includes(step.if.open)) return true;
    const kinds = this.moves.map(({ kind }) => kind);
    switch (step.go) {
      case "next":
      case "last_round":
        return false;
      case "draw":
        return kinds.length > 0;
      case "turn":
        return kinds.length > 0 && view.phase !== "second_card";
      case "second":
        return view.phase !== "second_card";
      case "tickets":
        return kinds.includes("draw_tickets");
      case "keep":
        return view.phase !== "tickets";
      case "tunnel":
        return view.phase !== "tunnel";
      case "passenger":
        return view.phase !== "passenger";
      case "station":
        return kinds.includes("station") || this.desk.view!.players[this.desk.me ?? 0]?.stations_left === 0;
      default:
        return this.isClaimed(step.go.claim);
    }
  }

  /** Steps before the one about the last round make way for it; those that come in it stay. */
  private get isBeforeLastRound(): boolean {
    return this.steps.findIndex(({ go }) => go === "last_round") > this.at;
  }

  /** A route that somebody has, or whose tunnel I am in, or for which my trains no longer suffice. */
  private isClaimed(route: readonly [string, string]): boolean {
    const view = this.desk.view!;
    const tracks = this.tracks(route);
    const trains = view.players[this.desk.me ?? 0]?.trains ?? 0;
    return (
      tracks.some((track) => view.owners[track] !== undefined || view.tunnel?.track === track) ||
      tracks.every((track) => (this.desk.track(track)?.length ?? 0) > trains) ||
      this.moves.some(({ kind }) => kind === "give_up")
    );
  }

  /** Whether this is the moment for a step. */
  private fits(step: Step): boolean {
    const { view, myTurn, over } = this.desk;
    if (!view) return false;
    switch (step.go) {
      case "next":
        return true;
      case "over":
        return over;
      case "last_round":
        return view.last_round !== null;
      case "second":
        return myTurn && view.phase === "second_card";
      case "turn":
        return myTurn && (view.phase === "turn" || view.phase === "second_card");
      case "keep":
        return myTurn && view.phase === "tickets";
      case "tunnel":
        return myTurn && view.phase === "tunnel";
      case "passenger":
        return myTurn && view.phase === "passenger";
      default:
        return myTurn && view.phase === "turn";
    }
  }
}
