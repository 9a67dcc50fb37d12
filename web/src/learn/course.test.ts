import { beforeEach, expect, test, vi } from "vitest";
import { board } from "../board/sample";
import { desk, hear, sit } from "../game/fake_desk";
import { frame, move, player, table } from "../lib/fake_socket";
import { explainAgain, isUnderstood } from "../lib/understood.svelte";
import { Course } from "./course.svelte";
import { LESSONS } from "./lessons";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  explainAgain(true);
});

/** Tracks of the lesson, on the sample board. */
const [GREEN, GRAY] = [90, 91];
board.tracks.push(
  { ...board.tracks[0]!, track: GREEN, from: "Chicago", to: "Saint Louis", length: 2 },
  { ...board.tracks[0]!, track: 92, from: "Little Rock", to: "New Orleans", length: 3 },
  { ...board.tracks[0]!, track: GRAY, from: "Little Rock", to: "Saint Louis", length: 2 },
);

const at = (course: Course): string => course.step!.text.split(".").at(-1)!;
const seats = table().seats.slice(0, 2);
const options = { draw_blind: 0, draw_face_up: { red: 1 }, draw_tickets: [{ id: 2, mix: null }], claims: {} };
const turn = (n: number, more: object = {}) =>
  frame(n, { moves: Array.from({ length: n }, (_, k) => move(k + 1)), view: { to_move: [0], ...more } });

function begin(): Course {
  sit(turn(0), { table: table({ lesson: "usa", seats }) });
  const course = new Course("usa", desk);
  course.follow();
  return course;
}
/** The guide has been read up to a step. */
function reach(course: Course, name: string): void {
  course.at = LESSONS.usa.findIndex(({ text }) => text.endsWith(`.${name}`));
  course.follow();
}

test("what is read goes on by the button, and is kept", () => {
  const course = begin();
  expect(at(course)).toBe("welcome");
  course.next();
  course.next();
  course.next();
  expect(at(course)).toBe("claim");
  expect(isUnderstood("turn")).toBe(true);
  course.next(); // this one is done, not read
  expect(at(course)).toBe("claim");
  expect(at(new Course("usa", desk))).toBe("claim");
});

test("cards are waited for when it is my turn, and any turn of mine goes on", () => {
  const course = begin();
  reach(course, "draw");
  expect(course.shown).toBe(true);
  hear(turn(1, { to_move: [1] }));
  course.follow();
  expect(course.shown).toBe(false); // somebody else plays
  expect(at(course)).toBe("draw");
  hear(frame(2, { moves: [move(2, 0, { kind: "claim" })], view: { to_move: [1] } }));
  course.follow();
  expect(at(course)).toBe("gray"); // the second card is passed by: there is none to take
});

test("a step about an open card is passed by when none is there", () => {
  const course = begin();
  hear(turn(1, { face_up: ["red", "red", "blue", "blue", "white"] }));
  reach(course, "locomotive");
  expect(at(course)).toBe("joker");
});

test("a step about a complete ticket is passed by when it is not", () => {
  const course = begin();
  reach(course, "complete");
  expect(at(course)).toBe("more_tickets");
});

test("the last round and the end come whatever was done before", () => {
  const course = begin();
  reach(course, "draw");
  hear(turn(1, { last_round: 2 }));
  course.follow();
  expect(at(course)).toBe("last_round");
  hear(frame(2, { moves: [move(2)], view: { phase: "over", to_move: [] } }));
  course.follow();
  expect(at(course)).toBe("over");
  expect(course.shown).toBe(true);
});

test("a track for which there are no trains left is passed by", () => {
  const course = begin();
  hear(turn(1, { players: [player("Anna", { trains: 0 }), player("Bert")] }));
  reach(course, "gray");
  expect(at(course)).not.toBe("gray");
});

test("a track that somebody has is passed by; one that can't be paid yet waits for cards", () => {
  const course = begin();
  reach(course, "claim");
  hear(frame(1, { moves: [move(1)], options: { ...options } as never, view: { to_move: [0] } }));
  course.follow();
  expect(at(course)).toBe("claim");
  expect(course.said?.text).toBe("learn.ask.collect");
  hear(frame(2, { moves: [move(2)], options: { ...options, claims: { [GREEN]: [{ id: 9, cards: {} }] } } as never }));
  expect(course.said?.text).toBe("learn.step.usa.claim");
  hear(frame(3, { moves: [move(3, 1, { kind: "claim", claimed: GREEN })], view: { owners: { [GREEN]: 1 } } }));
  course.follow();
  expect(at(course)).toBe("double");
});

test("while something is chosen, the guide says how to go on with it", () => {
  const course = begin();
  hear(frame(0, { options: { ...options } as never, view: { to_move: [0] } }));
  reach(course, "more_tickets");
  desk.stage = { kind: "mix" };
  expect(course.said?.text).toBe("learn.ask.tickets");
  desk.cancel();
  expect(course.said?.text).toBe("learn.step.usa.more_tickets");
});
