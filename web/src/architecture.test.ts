/**
 * Folders depend on each other in one direction only, files never in a circle, and no file grows too long to read at a
 * go.
 */

import { expect, test } from "vitest";

/**
 * From the bottom up: a folder may import from itself and from those before it. Folders of one line do not know each
 * other.
 */
const LAYERS = [
  ["messages.ts", "facts.ts", "styles", "texts"],
  ["lib"],
  ["ui"],
  ["board"],
  ["lobby", "game", "end", "history"],
  ["learn", "score"],
  ["app"],
  ["main.ts"],
];
const LONGEST = 350;
const GENERATED = ["messages.ts", "facts.ts", "ui/shapes.ts"];

const sources = Object.fromEntries(
  Object.entries(import.meta.glob<string>("./**/*.{ts,svelte}", { query: "?raw", import: "default", eager: true }))
    .map(([path, text]): [string, string] => [path.slice(2), text])
    .filter(([path]) => path !== "architecture.test.ts" && !path.endsWith(".d.ts")),
);
const others = Object.keys(import.meta.glob("./**/*.{css,json}", { query: "?url" })).map((path) => path.slice(2));

/** The file that a relative import in another file means. */
function resolve(from: string, target: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  const path = parts.join("/");
  const found = [path, `${path}.ts`].find((name) => name in sources || others.includes(name));
  if (!found) throw new Error(`${from} imports ${target}, which is not there`);
  return found;
}

/** What a file imports from this folder, and whether it is only types. */
function importsOf(path: string): { path: string; types: boolean }[] {
  const pattern = /\b(?:(import|export)\s+(type\s)?(?:[\w*{][^"';]*?\sfrom\s+)?|import\(\s*)"(\.[^"]+)"/g;
  return [...sources[path]!.matchAll(pattern)].map(([, , types, target]) => ({
    path: resolve(path, target!),
    types: !!types,
  }));
}

const layerOf = (path: string): number => LAYERS.findIndex((names) => names.includes(path.split("/")[0]!));
const folderOf = (path: string): string => path.split("/")[0]!;

test("there are imports to look at", () => {
  expect(importsOf("main.ts").map(({ path }) => path)).toContain("game/Play.svelte");
  expect(importsOf("app/TablePage.svelte").map(({ path }) => path)).toContain("end/End.svelte");
  expect(Object.keys(sources).length).toBeGreaterThan(100);
});

test.each(Object.keys(sources))("%s imports nothing from above or beside its folder", (path) => {
  expect(layerOf(path), `${path} is in no layer`).toBeGreaterThanOrEqual(0);
  const wrong = importsOf(path).filter(
    (one) => folderOf(one.path) !== folderOf(path) && (layerOf(one.path) < 0 || layerOf(one.path) >= layerOf(path)),
  );
  expect(wrong.map((one) => one.path)).toEqual([]);
});

test("no files import each other in a circle", () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (path: string, way: string[]): void => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(" → "));
    if (done.has(path) || way.includes(path) || !(path in sources)) return;
    for (const one of importsOf(path)) walk(one.path, [...way, path]);
    done.add(path);
  };
  for (const path of Object.keys(sources)) walk(path, []);
  expect(circles).toEqual([]);
});

test.each(Object.keys(sources).filter((path) => !GENERATED.includes(path)))("%s is short enough to read", (path) => {
  expect(sources[path]!.split("\n").length).toBeLessThanOrEqual(LONGEST);
});
