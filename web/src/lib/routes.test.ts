import { expect, test } from "vitest";
import { addressOf, isKey, routeOf } from "./routes";

test("addresses lead to pages", () => {
  expect(routeOf("/")).toEqual({ page: "home" });
  expect(routeOf("/new")).toEqual({ page: "new" });
  expect(routeOf("/history")).toEqual({ page: "history" });
  expect(routeOf("/learn")).toEqual({ page: "learn" });
  expect(routeOf("/t/abc_D-1")).toEqual({ page: "table", table: "abc_D-1" });
  expect(routeOf("/watch/abcd/")).toEqual({ page: "watch", table: "abcd" });
  expect(routeOf("/replay/abcd")).toEqual({ page: "replay", table: "abcd" });
  expect(routeOf("/score")).toEqual({ page: "score", table: null });
  expect(routeOf("/score/abc_D")).toEqual({ page: "score", table: "abc_D" });
  for (const path of ["/score/a/b", "/t", "/t/a/b", "/nowhere", "/new/x", "/t/%3Cscript", "/constructor/x"])
    expect(routeOf(path)).toEqual({ page: "missing" });
});

test("keys are told from other fragments", () => {
  expect(isKey("abcdEFGH_-12")).toBe(true);
  for (const text of ["", "main", "abc def ghi", "x".repeat(65)]) expect(isKey(text)).toBe(false);
});

test("what people paste leads to a table", () => {
  expect(addressOf(" https://rails.example/t/abcd ")).toBe("/t/abcd");
  expect(addressOf("rails.example/t/abcd#secret_1")).toBe("/t/abcd#secret_1");
  expect(addressOf("http://127.0.0.1:8000/watch/abcd#w")).toBe("/watch/abcd#w");
  expect(addressOf("abcd")).toBe("/t/abcd");
  for (const text of ["", "no way", "https://rails.example/"]) expect(addressOf(text)).toBe(null);
});
