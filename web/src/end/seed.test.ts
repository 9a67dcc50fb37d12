import { expect, it } from "vitest";
import { byHand, hashOf, holds } from "./seed";

it("checks the promise about the shuffle", () => {
  // printf '%s' '5:0123456789abcdef' | sha256sum
  const hash = "ba20d727618adf16e419504173406bd1609b9e29668d3d6c0c7a2e43a28c5dff";
  expect(hashOf("5", "0123456789abcdef")).toBe(hash);
  expect(holds("5", "0123456789abcdef", hash)).toBe(true);
  expect(holds("6", "0123456789abcdef", hash)).toBe(false);
  expect(byHand("5", "ab")).toBe("printf '%s' '5:ab' | sha256sum");
});
