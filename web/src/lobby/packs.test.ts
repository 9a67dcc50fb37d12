import { expect, test } from "vitest";
import { PackError, readPack } from "./packs";

const toml = `
# for the board of the map files' README
name    = "Lighthouse tickets"   # a remark
board   = "islands"
tickets = [
  { from = "Mill Town",   to = "Stonebridge", points = 2 },
  { from = 'Stonebridge', to = "Northport", points = 3, kind = "long" }, # the last comma may stand
]
`;

const broken = (text: string): PackError => {
  try {
    readPack(text);
  } catch (reason) {
    if (reason instanceof PackError) return reason;
  }
  throw new Error("was read");
};

test("reads the TOML form of the map files", () => {
  const pack = readPack(toml);
  expect(pack.name).toBe("Lighthouse tickets");
  expect(pack.tickets).toEqual([
    { from: "Mill Town", to: "Stonebridge", points: 2, kind: "regular" },
    { from: "Stonebridge", to: "Northport", points: 3, kind: "long" },
  ]);
});

test("reads tables of tickets and Windows' line ends", () => {
  const pack = readPack('name = "A"\r\n[[tickets]]\r\nfrom = "X\\u00e9"\r\nto = "Y"\r\npoints = 4\r\n');
  expect(pack.tickets).toEqual([{ from: "Xé", to: "Y", points: 4, kind: "regular" }]);
});

test("reads JSON, and takes the file's name where there is none", () => {
  const pack = readPack('{"tickets": [{"from": "Paris", "to": "Roma", "points": 9}]}', "southern.json");
  expect(pack).toEqual({ name: "southern", tickets: [{ from: "Paris", to: "Roma", points: 9, kind: "regular" }] });
});

test("says what is wrong, and where", () => {
  expect(broken('name = "A"\ntickets = [\n  { from = "X" to = "Y" },\n]')).toMatchObject({
    key: "syntax",
    words: { line: 3 },
  });
  expect(broken("{")).toMatchObject({ key: "json" });
  expect(broken('name = "A"')).toMatchObject({ key: "no_tickets" });
  expect(broken('tickets = [{ from = "X", points = 3 }]')).toMatchObject({ key: "cities", words: { number: 1 } });
  expect(broken('tickets = [{ from = "X", to = "Y", points = 0 }]')).toMatchObject({ key: "points" });
  expect(broken('tickets = [{ from = "X", to = "Y", points = 3, kind = "odd" }]')).toMatchObject({ key: "kind" });
  expect(broken("name = ")).toMatchObject({ key: "syntax" });
});

test("names of things in a file change nothing else", () => {
  readPack('{"__proto__": {"name": "evil"}, "tickets": [{"from": "A", "to": "B", "points": 1}]}');
  expect(({} as { name?: string }).name).toBeUndefined();
});
