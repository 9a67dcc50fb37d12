/**
 * What the guide says in each lesson, in order: data alone. The server lays the game (`server/lessons.py`), the engine
 * decides it, and `course` finds out which step it is at.
 */

import type { Stage } from "../game/desk.svelte";
import type { TableData } from "../messages";
import type { TextKey } from "../texts/languages";
import type { Situation } from "./situations";
import type { Route, Target } from "./target";

export type LessonName = NonNullable<TableData["lesson"]>;
export const LESSON_NAMES: readonly LessonName[] = ["usa", "europe", "germany"];

/** What leads on to the next step: a button, or something that happens in the game. */
export type Go =
  | "next"
  /** Any card was taken. */
  | "draw"
  | "second"
  /** Tickets were drawn; some were kept. */
  | "tickets"
  | "keep"
  /** A tunnel that turned dearer was paid, or given up. */
  | "tunnel"
  /** Somebody was taken along at one end of a track, or left there. */
  | "passenger"
  | "station"
  | "last_round"
  /** My turn is over, whatever I did. */
  | "turn"
  | "over"
  | { claim: Route };

/** What is being chosen after something was pressed. */
type Asking = Exclude<Stage["kind"], "idle">;
export interface Said {
  text: StepText | AskText;
  /** The first of these that can be seen is pointed at. */
  at: readonly Target[];
}
type AskText = Extract<TextKey, `learn.ask.${string}`>;
type StepText = Extract<TextKey, `learn.step.${string}`>;

export interface Step {
  text: StepText;
  at: readonly Target[];
  go: Go;
  /** What is said instead while something is chosen, where it is not the usual. */
  asks?: Partial<Record<Asking, Said>>;
  /** A ticket that is lit while the step is shown. */
  light?: Route;
  /** A step that makes no sense unless this ticket is complete. */
  if?: { complete: Route } | { open: string };
  /** A key that does it. */
  key?: string;
  /** What need not be explained again in other games. */
  teaches?: Situation;
}

const CHICAGO_TICKET = ["Chicago", "New Orleans"] as const;
const HOUSTON_TICKET = ["Kansas City", "Houston"] as const;
const WIEN_TICKET = ["London", "Wien"] as const;
const KASSEL_TICKET = ["Hamburg", "Kassel"] as const;

/** On narrow screens a tall board leaves no room for tickets: they are behind a button. */
const ticketAt = (ticket: Route): Target[] => [{ ticket }, { act: "sheet-tickets" }];

const TRAY = [{ part: "tray" }] as const;
/** What is said while something is chosen. */
export const ASKS: Record<Asking, Said> = {
  claim: { text: "learn.ask.pay", at: TRAY },
  station: { text: "learn.ask.pay", at: TRAY },
  place: { text: "learn.ask.place", at: TRAY },
  mix: { text: "learn.ask.tickets", at: TRAY },
};

const usa: Step[] = [
  { text: "learn.step.usa.welcome", at: [], go: "next" },
  {
    text: "learn.step.usa.ticket",
    at: ticketAt(CHICAGO_TICKET),
    go: "next",
    light: CHICAGO_TICKET,
    teaches: "first_tickets",
  },
  { text: "learn.step.usa.hand", at: [{ part: "hand" }], go: "next", teaches: "turn" },
  {
    text: "learn.step.usa.claim",
    at: [{ track: ["Chicago", "Saint Louis"], colour: "green" }],
    go: { claim: ["Chicago", "Saint Louis"] },
    key: "C",
  },
  { text: "learn.step.usa.double", at: [{ track: ["Chicago", "Saint Louis"], colour: "white" }], go: "next" },
  { text: "learn.step.usa.points", at: [{ part: "me" }], go: "next" },
  { text: "learn.step.usa.draw", at: [{ card: "purple" }, { part: "market" }], go: "draw", key: "1 – 5" },
  { text: "learn.step.usa.second", at: [{ act: "draw-blind" }], go: "second", key: "D", teaches: "second_card" },
  {
    text: "learn.step.usa.gray",
    at: [{ track: ["Little Rock", "Saint Louis"] }],
    go: { claim: ["Little Rock", "Saint Louis"] },
    key: "C",
    teaches: "gray",
  },
  {
    text: "learn.step.usa.locomotive",
    at: [{ card: "locomotive" }],
    go: "draw",
    if: { open: "locomotive" },
    key: "1 – 5",
  },
  {
    text: "learn.step.usa.joker",
    at: [{ track: ["Little Rock", "New Orleans"] }],
    go: { claim: ["Little Rock", "New Orleans"] },
    key: "C",
  },
  {
    text: "learn.step.usa.complete",
    at: ticketAt(CHICAGO_TICKET),
    go: "next",
    if: { complete: CHICAGO_TICKET },
  },
  { text: "learn.step.usa.more_tickets", at: [{ act: "draw-tickets" }], go: "tickets", key: "T" },
  { text: "learn.step.usa.keep", at: TRAY, go: "keep", teaches: "tickets" },
  { text: "learn.step.usa.plan", at: ticketAt(HOUSTON_TICKET), go: "next", light: HOUSTON_TICKET },
  {
    text: "learn.step.usa.blue",
    at: [{ track: ["Kansas City", "Saint Louis"], colour: "blue" }],
    go: { claim: ["Kansas City", "Saint Louis"] },
    key: "C",
  },
  {
    text: "learn.step.usa.alone",
    at: [{ track: ["Houston", "New Orleans"] }],
    go: { claim: ["Houston", "New Orleans"] },
    key: "C",
  },
  { text: "learn.step.usa.last_round", at: [{ part: "banner" }], go: "last_round", teaches: "last_round" },
  { text: "learn.step.usa.last_turn", at: [{ part: "market" }], go: "turn" },
  { text: "learn.step.usa.over", at: [{ act: "result" }], go: "over" },
];

const europe: Step[] = [
  { text: "learn.step.europe.welcome", at: ticketAt(WIEN_TICKET), go: "next", light: WIEN_TICKET },
  {
    text: "learn.step.europe.ferry",
    at: [{ track: ["Dieppe", "London"] }],
    go: { claim: ["Dieppe", "London"] },
    key: "C",
    teaches: "ferry",
  },
  {
    text: "learn.step.europe.tunnel",
    at: [{ track: ["München", "Zürich"] }],
    go: { claim: ["München", "Zürich"] },
    key: "C",
    teaches: "tunnel",
  },
  { text: "learn.step.europe.dearer", at: TRAY, go: "tunnel", teaches: "dearer" },
  {
    text: "learn.step.europe.blocked",
    at: [{ track: ["München", "Wien"] }],
    go: "next",
    light: WIEN_TICKET,
    teaches: "last_round",
  },
  {
    text: "learn.step.europe.station",
    at: [{ act: "station" }],
    go: "station",
    asks: { place: { text: "learn.ask.place", at: [{ city: "München" }] } },
    key: "S",
    teaches: "station",
  },
  { text: "learn.step.europe.over", at: [{ act: "result" }], go: "over" },
];

const germany: Step[] = [
  {
    text: "learn.step.germany.welcome",
    at: [{ act: "draw-tickets" }],
    go: "tickets",
    asks: { mix: { text: "learn.ask.mix", at: TRAY } },
    key: "T",
    teaches: "mix",
  },
  { text: "learn.step.germany.keep", at: TRAY, go: "keep", teaches: "tickets" },
  {
    text: "learn.step.germany.claim",
    at: [{ track: ["Hamburg", "Hannover"], colour: "red" }],
    go: { claim: ["Hamburg", "Hannover"] },
    light: KASSEL_TICKET,
    key: "C",
  },
  { text: "learn.step.germany.passenger", at: TRAY, go: "passenger", teaches: "passenger" },
  { text: "learn.step.germany.colours", at: [{ part: "me" }], go: "next" },
  {
    text: "learn.step.germany.second",
    at: [{ track: ["Hannover", "Kassel"] }],
    go: { claim: ["Hannover", "Kassel"] },
    key: "C",
  },
  { text: "learn.step.germany.company", at: TRAY, go: "passenger" },
  { text: "learn.step.germany.last_round", at: [{ part: "banner" }], go: "last_round", teaches: "last_round" },
  { text: "learn.step.germany.last_turn", at: [{ part: "market" }], go: "turn" },
  { text: "learn.step.germany.over", at: [{ act: "result" }], go: "over" },
];

export const LESSONS: Record<LessonName, Step[]> = { usa, europe, germany };
