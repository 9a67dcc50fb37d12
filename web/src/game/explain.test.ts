import { expect, it } from "vitest";
import { obstacleText } from "./explain";

it("says plainly why something can't be had", () => {
  const why = (obstacle: Parameters<typeof obstacleText>[0]): string => obstacleText(obstacle, ["Anna", "Bert"]);
  expect(why({ code: "cards", needs: 3, have: 2, colour: "purple", locomotives: 1 })).toBe(
    "You have 2 of 3 purple. (And 1 locomotive.)",
  );
  expect(why({ code: "cards", needs: 3, have: 2, colour: "red", locomotives: 0, ferry: 1, gray: true })).toBe(
    "This ferry needs a locomotive.",
  );
  expect(why({ code: "trains", needs: 6, have: 4 })).toBe("You need 6 trains, you have 4.");
  expect(why({ code: "owned", owner: 1 })).toBe("Bert has this track.");
  expect(why({ code: "closed" })).toBe(
    "The parallel track was taken: with so few players only one of them may be used.",
  );
  expect(why({ code: "none" })).toBe("");
});
