import { beforeEach, expect, test, vi } from "vitest";
import { LANGUAGES, languages, type Texts } from "../texts/languages";
import { ASKS, LESSON_NAMES, LESSONS } from "./lessons";
import { leader, placeFor, type Rect } from "./place";
import { keepProgress, progressOf } from "./progress";
import { SITUATIONS } from "./situations";

const textOf = (language: keyof typeof languages, key: string): unknown =>
  key.split(".").reduce<unknown>((texts, part) => (texts as Texts | undefined)?.[part], languages[language]);

const keys = [
  ...LESSON_NAMES.flatMap((lesson) => LESSONS[lesson].flatMap((step) => [step, ...Object.values(step.asks ?? {})])).map(
    ({ text }) => text,
  ),
  ...Object.values(ASKS).map(({ text }) => text),
  ...SITUATIONS.map(({ name }) => `learn.situation.${name}`),
];

test.each(LANGUAGES)("every step and every situation has its text in %s", (language) => {
  expect(keys.length).toBeGreaterThan(40);
  for (const key of keys) expect(textOf(language, key), key).toBeTypeOf("string");
});

test("every text of a step is said by one", () => {
  const written = LESSON_NAMES.flatMap((lesson) =>
    Object.keys(textOf("en", `learn.step.${lesson}`) as object).map((name) => `learn.step.${lesson}.${name}`),
  );
  expect(LESSON_NAMES.flatMap((lesson) => LESSONS[lesson].map(({ text }) => text))).toEqual(written);
});

test("a lesson ends with its game, and every situation is taught at most once in it", () => {
  for (const lesson of LESSON_NAMES) {
    const steps = LESSONS[lesson];
    expect(steps.at(-1)?.go).toBe("over");
    expect(steps.slice(0, -1).every(({ go }) => go !== "over")).toBe(true);
    const taught = steps.flatMap(({ teaches }) => teaches ?? []);
    expect(new Set(taught).size).toBe(taught.length);
  }
});

test("a step that asks for cards points at them, so that its bubble does not lie over them", () => {
  const cards = LESSON_NAMES.flatMap((lesson) => LESSONS[lesson]).filter(({ go }) =>
    (["draw", "second", "turn"] as unknown[]).includes(go),
  );
  expect(cards.length).toBeGreaterThan(3);
  for (const { text, at } of cards)
    expect(
      at.some((one) => "card" in one || ("part" in one && one.part === "market") || "act" in one),
      text,
    ).toBe(true);
});

const SCREENS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
];
const covers = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test.each(SCREENS)("a bubble stays on the screen and off what it points at: $width × $height", (screen) => {
  const size = { width: Math.min(340, screen.width - 16), height: 170 };
  for (let x = 0; x < screen.width; x += 30)
    for (let y = 0; y < screen.height; y += 30) {
      const target = { x, y, width: Math.min(80, screen.width - x), height: Math.min(50, screen.height - y) };
      const place = placeFor(size, target, [], screen);
      expect(place.x >= 0 && place.y >= 0 && place.x + place.width <= screen.width).toBe(true);
      expect(place.y + place.height <= screen.height).toBe(true);
      expect(covers(place, target), JSON.stringify({ target, place })).toBe(false);
      const line = leader(place, target);
      if (line) expect(covers({ x: line.x2 - 1, y: line.y2 - 1, width: 2, height: 2 }, target)).toBe(true);
    }
});

test("a bubble keeps off what is needed to do what it says", () => {
  const screen = { width: 1440, height: 900 };
  const tray = { x: 300, y: 500, width: 600, height: 250 };
  const place = placeFor({ width: 340, height: 170 }, { x: 560, y: 430, width: 60, height: 40 }, [tray], screen);
  expect(covers(place, tray)).toBe(false);
});

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

test("a lesson that was done stays done when it is begun again", () => {
  expect(progressOf("usa")).toBeUndefined();
  keepProgress("usa", { table: "one", step: 3, since: 7, ended: false });
  expect(progressOf("usa")).toMatchObject({ table: "one", step: 3, since: 7, done: false });
  keepProgress("usa", { table: "one", step: 19, since: 40, ended: true });
  keepProgress("usa", { table: "two", step: 0, since: 0, ended: false });
  expect(progressOf("usa")).toMatchObject({ table: "two", ended: false, done: true });
  expect(progressOf("europe")).toBeUndefined();
});
