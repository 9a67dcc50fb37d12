import { describe, expect, it } from "vitest";
import type { SeatStats } from "../messages";
import { player, result } from "./sample";
import { highlightsOf, sourcesOf, standingsOf } from "./standings";

const stats = (parts: Partial<SeatStats>): SeatStats => ({
  turns: 10,
  blind: 0,
  face_up: 0,
  locomotives: 0,
  claims: 0,
  mean_length: 0,
  longest_track: 0,
  ticket_draws: 0,
  tickets_kept: 0,
  tunnels: 0,
  tunnels_dear: 0,
  tunnels_lost: 0,
  stations: 0,
  seconds: 0,
  ...parts,
});

describe("standings", () => {
  it("put winners first and let equals share a place", () => {
    const tied = {
      ...result([player({ total: 50 }), player({ total: 80 }), player({ total: 80 }), player({ total: 50 })]),
      winners: [2],
    };
    expect(standingsOf(tied).map(({ seat, place }) => [seat, place])).toEqual([
      [2, 1],
      [1, 2],
      [0, 3],
      [3, 3],
    ]);
  });
  it("leave out sources that brought nothing", () => {
    expect(sourcesOf(result([player({ path: 10 }), player({})]))).toEqual(["routes", "tickets", "path"]);
  });
});

describe("highlights", () => {
  it("name only feats that one player holds", () => {
    const found = highlightsOf(
      [stats({ blind: 20, claims: 9 }), stats({ blind: 8, claims: 9 })],
      result([player({}), player({})]),
      [false, false],
    );
    expect(found.map(({ key, seat, value }) => [key, seat, value])).toEqual([["blind", 0, 20]]);
  });
  it("give everybody one before anybody two", () => {
    const found = highlightsOf(
      [stats({ blind: 20, face_up: 30, locomotives: 5, ticket_draws: 4 }), stats({ claims: 9 })],
      result([player({}), player({})]),
      [false, false],
      2,
    );
    expect(new Set(found.map(({ seat }) => seat)).size).toBe(2);
  });
  it("time people only", () => {
    const both = [stats({ seconds: 900 }), stats({ seconds: 60 })];
    const end = result([player({}), player({})]);
    expect(highlightsOf(both, end, [true, true]).map(({ key }) => key)).toEqual(["thinker", "quick"]);
    expect(highlightsOf(both, end, [true, false])).toEqual([]);
  });
});
