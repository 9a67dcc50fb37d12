import { beforeEach, expect, test } from "vitest";
import "../game/fake_desk";
import { board } from "../board/sample";
import { desk, hear, sit } from "../game/fake_desk";
import { frame, move, player, table, welcome } from "../lib/fake_socket";
import { explainAgain, isUnderstood } from "../lib/understood.svelte";
import { Course } from "./course.svelte";
import { LESSONS } from "./lessons";

beforeEach(() => {
  localStorage.clear();
  explainAgain(true);
});

const at = (course: Course): string => course.step!.text.split(".").at(-1)!;
const seats = table().seats.slice(0, 2);
const options = { draw_blind: 0, draw_face_up: { red: 1 }, draw_tickets: [{ id: 2, mix: null }], claims: {} };
const turn = (n: number, more: object = {}) =>
  frame(n, { moves: Array.from({ length: n }, (_, k) => move(k + 1)), view: { to_move: [0], ...more } });

function begin(): Course {
  sit(turn(0), { table: welcome().table && table({ lesson: "usa", seats }) });
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

test("the sample board has none of the lesson's tracks, so that steps about them pass", () => {
  expect(board.tracks.some(({ from }) => from === "Chicago")).toBe(false);
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
