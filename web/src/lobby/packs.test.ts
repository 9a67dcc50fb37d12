import { expect, test } from "vitest";
import { faultOf, PackError, readPack } from "./packs";

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
  const { pack } = readPack(toml);
  expect(pack.name).toBe("Lighthouse tickets");
  expect(pack.tickets).toEqual([
    { from: "Mill Town", to: "Stonebridge", points: 2, kind: "regular" },
    { from: "Stonebridge", to: "Northport", points: 3, kind: "long" },
  ]);
});

test("reads tables of tickets and Windows' line ends", () => {
  const { pack } = readPack('name = "A"\r\n[[tickets]]\r\nfrom = "X\\u00e9"\r\nto = "Y"\r\npoints = 4\r\n');
  expect(pack.tickets).toEqual([{ from: "Xé", to: "Y", points: 4, kind: "regular" }]);
});

test("reads JSON, and takes the file's name where there is none", () => {
  const { pack } = readPack('{"tickets": [{"from": "Paris", "to": "Roma", "points": 9}]}', "southern.json");
  expect(pack).toEqual({ name: "southern", tickets: [{ from: "Paris", to: "Roma", points: 9, kind: "regular" }] });
});

test("says what is wrong, in which line, and shows the line", () => {
  expect(broken('name = "A"\ntickets = [\n  { from = "X" to = "Y" },\n]')).toMatchObject({
    key: "syntax",
    line: 3,
    source: '{ from = "X" to = "Y" },',
  });
  expect(broken("name =\ntickets = []")).toMatchObject({ key: "syntax", line: 1 });
  expect(broken("name = ")).toMatchObject({ key: "syntax", line: 1 });
  expect(broken("{")).toMatchObject({ key: "syntax", line: 1 });
  expect(broken('{"tickets": []} x')).toMatchObject({ key: "syntax", line: 1 });
  expect(broken('{\n "tickets": [\n  {"from": "X"; "to": "Y"}\n ]\n}')).toMatchObject({
    key: "syntax",
    line: 3,
    source: '{"from": "X"; "to": "Y"}',
  });
  expect(broken('name = "A"')).toMatchObject({ key: "no_tickets", line: null });
  expect(broken("tickets = []")).toMatchObject({ key: "no_tickets", line: null });
  expect(broken("tickets = [\n  3,\n]")).toMatchObject({ key: "ticket", words: { number: 1 } });
});

const tickets = (second: string): string => `tickets = [\n  { from = "A", to = "B", points = 3 },\n  ${second},\n]`;

test("every part of a ticket is checked where it stands", () => {
  for (const [second, key] of [
    ['{ from = "X", points = 3 }', "cities"],
    ['{ from = "X", to = 3, points = 3 }', "cities"],
    [`{ from = "${"X".repeat(81)}", to = "Y", points = 3 }`, "cities"],
    ['{ from = "X", to = "Y", points = 0 }', "points"],
    ['{ from = "X", to = "Y", points = 2.5 }', "points"],
    ['{ from = "X", to = "Y", points = 3, kind = "odd" }', "kind"],
  ] as const)
    expect(broken(tickets(second))).toMatchObject({ key, line: 3, words: { number: 2 } });
  const json = '{"tickets": [\n  {\n    "from": "X",\n    "to": "Y",\n    "points": null\n  }\n]}';
  expect(broken(json)).toMatchObject({ key: "points", line: 5, source: '"points": null' });
  const many = Array(61).fill('[[tickets]]\nfrom = "A"\nto = "B"\npoints = 1').join("\n");
  expect(broken(many)).toMatchObject({ key: "too_many", line: 241, words: { most: 60, found: 61 } });
});

test("what the server finds wrong is shown in its file and line", () => {
  const files = [
    readPack('{"tickets": [{"from": "A", "to": "B", "points": 1}]}', "one.json"),
    readPack(`name = "Two"\n[[tickets]]\nfrom = "Pairs"\nto = "Roma"\npoints = 4 # four`, "two.toml"),
  ];
  const fault = { pack: 1, fault: "unknown_place", ticket: 1, key: "from", word: "Pairs", other: "Paris" } as const;
  expect(faultOf(fault, files)).toMatchObject({
    file: "two.toml",
    error: { key: "unknown_place_near", line: 3, source: 'from = "Pairs"', words: { word: "Pairs", other: "Paris" } },
  });
  expect(faultOf({ ...fault, other: null }, files)!.error.key).toBe("unknown_place");
  expect(faultOf({ pack: 0, fault: "pack_twice", word: "Two" }, files)).toMatchObject({
    file: "one.json",
    error: { key: "pack_twice", line: null },
  });
  expect(faultOf({ pack: 1, fault: "no_long_deck", ticket: 1, key: "kind" }, files)!.error.line).toBe(2);
  expect(faultOf({ pack: 7, fault: "other" }, files)).toBe(null);
});

test("names of things in a file change nothing else", () => {
  readPack('{"__proto__": {"name": "evil"}, "tickets": [{"from": "A", "to": "B", "points": 1}]}');
  expect(({} as { name?: string }).name).toBeUndefined();
});
