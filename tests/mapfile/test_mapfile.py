"""The reader of map files: what it understands, what it refuses and how it says so, packs, paths and digests."""

from __future__ import annotations

import json
import pickle
import random
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest

from whistlestop import mapfile
from whistlestop.mapfile import (
    Edition,
    MapError,
    Ticket,
    check_board,
    digest,
    editions,
    facts,
    load_board,
    load_edition,
    model,
    parse_board,
    tomltable,
)

VALLEY = Path(__file__).parents[1] / "support" / "mapfiles" / "valley.toml"
TEXT = VALLEY.read_text(encoding="utf-8")
README = (mapfile.MAPS / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)


def changed(*swaps: tuple[str, str]) -> str:
    """The valley with the first occurrence of each old text replaced by the new one."""
    text = TEXT
    for old, new in swaps:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def in_full(error: MapError) -> str:
    """Message and hint as the command line prints them."""
    return f"{error.message}\nhint: {error.hint}" if error.hint else error.message


def refusal(text: str) -> str:
    with pytest.raises(MapError) as caught:
        parse_board(text, "x.toml")
    return in_full(caught.value)


# --- what it understands --------------------------------------------------------------------------------------------


def test_the_valley_is_read_whole() -> None:
    board = load_board(VALLEY)
    assert (board.id, board.name, board.path) == ("valley", "The Valley", VALLEY)
    assert board.cities[1].nudge == (3.0, -2.5)
    assert board.cities[1].label == "nw"
    assert board.tracks[3].bend == 0.2
    assert board.drawing == {"projection": "flat"}
    valley, mixed = board.editions
    assert valley.board is board
    assert (valley.players, valley.trains, valley.stations, valley.longest_path) == ((2, 2), 10, 1, 5)
    assert [(t.a, t.b) for t in mixed.decks[0].tickets] == [("Alm", "Chur"), ("Alm", "Bach"), ("Überland", "Dorf")]
    assert {t.set for t in mixed.decks[1].tickets} == {"two"}


def test_an_alias_stands_for_its_city() -> None:
    assert load_board(VALLEY).tickets[3] == Ticket("Alm", "Dorf", 3, "short", "two")


def test_letters_typed_in_two_parts_are_the_same_letters() -> None:
    assert parse_board(changed(('to = "Überland (Alm)"', 'to = "U\u0308berland (Alm)"'))) == parse_board(TEXT)


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert load_board(file) == load_board(VALLEY)


def test_boards_and_editions_are_values() -> None:
    board, again = load_board(VALLEY), load_board(VALLEY)
    assert board == again
    assert hash(board) == hash(again)
    assert len({*board.editions, *again.editions}) == 2
    assert board.editions[0] != replace(board.editions[0], trains=11)
    assert "Edition" not in repr(board)
    assert "Board" not in repr(board.editions[0])
    copy = pickle.loads(pickle.dumps(board.editions[1]))
    assert copy == board.editions[1]
    assert copy.board.editions[1] is copy


def test_import_is_standard_library_only() -> None:
    heavy = ("numpy", "numba", "rich", "typer", "tomllib", "difflib")
    code = f"import sys, whistlestop.mapfile; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- the page that teaches the format -------------------------------------------------------------------------------


def test_the_example_in_the_readme_loads_and_takes_its_pack(tmp_path: Path) -> None:
    board, pack = tmp_path / "islands.toml", tmp_path / "pack.toml"
    board.write_text(BLOCKS[0], encoding="utf-8")
    pack.write_text(BLOCKS[1], encoding="utf-8")
    edition = load_edition(board, [pack])
    assert (len(edition.board.cities), len(edition.board.tracks), len(edition.board.tickets)) == (5, 8, 7)
    assert len(edition.decks[0].tickets) == 9
    assert edition.packs == ("Lighthouse tickets",)
    assert len(BLOCKS) == 2


def test_the_error_in_the_readme_is_a_real_one() -> None:
    with pytest.raises(MapError) as caught:
        parse_board(
            BLOCKS[0]
            .replace('to = "Sandwick", ', 'to = "Sandwik", ', 1)
            .replace('to = "Sandwick",    l', 'to = "Sandwik",    l', 1),
            "islands.toml",
        )
    assert f"```text\n{in_full(caught.value)}\n```" in README


@pytest.mark.parametrize("keys", ["BOARD", "CITY", "COUNTRY", "TRACK", "TICKET", "EDITION", "DECK", "DEAL", "PACK"])
def test_every_key_is_in_the_readme(keys: str) -> None:
    rows = " ".join(line.split("|")[1] for line in README.splitlines() if line.startswith("| `"))
    for key in getattr(tomltable, f"{keys}_KEYS"):
        assert re.search(rf"`\[*{key}\]*`", rows), key


@pytest.mark.parametrize(
    ("key", "limit"),
    [
        ("points", f"Lengths 1 to {mapfile.MAX_LENGTH}, points 1 to {mapfile.MAX_POINTS} |"),
        ("cities", f"2 to {mapfile.MAX_CITIES}, border spaces included |"),
        ("tracks", f"1 to {mapfile.MAX_TRACKS} |"),
        ("passenger_colours", f"at most {mapfile.MAX_PASSENGER_COLOURS} of the eight card colours"),
        ("passenger_colours", f"at most {mapfile.MAX_PASSENGERS} passengers"),
        ("length", f"1 to {mapfile.MAX_LENGTH} |"),
        ("points", f"1 to {mapfile.MAX_POINTS}."),
        ("draw_count", f"1 to {mapfile.MAX_OFFER} |"),
        (
            "players",
            f"| `{list(model.DEFAULT_PLAYERS)}` | fewest and most players, 2 to {mapfile.MAX_PLAYERS} |",
        ),
        ("trains", f"1 to {mapfile.MAX_TRAINS} |"),
        ("hand", f"0 to {model.MAX_HAND} |"),
        ("locomotives", f"at most {mapfile.MAX_CARDS}, and enough for all hands and {mapfile.FACE_UP} face up |"),
        ("stations", f"0 to {mapfile.MAX_STATIONS} |"),
        ("deal", f"At most {mapfile.MAX_OFFER} in a step"),
    ],
)
def test_the_limits_in_the_readme_are_the_real_ones(key: str, limit: str) -> None:
    rows = [line for line in README.splitlines() if line.startswith(f"| `{key}` |")]
    assert any(limit in row for row in rows), rows
    assert f"together have at most {mapfile.MAX_TICKETS}." in README


@pytest.mark.parametrize("key", tomltable.RULE_RANGES)
def test_the_defaults_in_the_readme_are_the_real_ones(key: str) -> None:
    default = next(field.default for field in fields(Edition) if field.name == key)
    assert f"| `{key}` | whole number | {default} |" in README


# --- what it refuses: one line per case -----------------------------------------------------------------------------

CITY_2 = '{ name = "Bach",'
DECK_2 = '{ name = "long",  kind = "long", leaves = true },'
TRACK_5 = '{ from = "Alm",  to = "Dorf",            length = 3, colour = "green" },'
MANY = '{ from = "Alm", to = "Dorf", length = 3, colour = "gray" },'

REFUSALS: dict[str, tuple[list[tuple[str, str]], str]] = {
    # names
    "unknown city": (
        [('to = "Chur",            l', 'to = "Chor",            l')],
        "track 3: unknown city `Chor`\nhint: did you mean `Chur`?",
    ),
    "city in capitals": (
        [('to = "Chur",            l', 'to = "CHUR",            l')],
        "track 3: unknown city `CHUR`\nhint: did you mean `Chur`?",
    ),
    "unknown colour": ([('"green"', '"gren"')], "track 5: unknown colour `gren`\nhint: did you mean `green`?"),
    "unlikely colour": (
        [('"green"', '"pink"')],
        "track 5: unknown colour `pink`\nhint: known here: purple, blue, orange, white",
    ),
    "unknown country": (
        [('country = "Überland"', 'country = "Uberland"')],
        "city 5: unknown country `Uberland`\nhint: did you mean `Überland`?",
    ),
    "unknown ticket end": (
        [('to = "Chur", p', 'to = "Char", p')],
        "ticket 1: unknown city or country `Char`\nhint: did you mean `Chur`?",
    ),
    "ticket to a border space": (
        [('from = "Überland", to', 'from = "Überland (Alm)", to')],
        "ticket 5: `Überland (Alm)` is a border space; a ticket leads to the whole country\nhint: write `Überland`",
    ),
    "unknown ticket kind": (
        [('kind = "short"', 'kind = "shrt"')],
        "ticket 1: unknown ticket kind `shrt`\nhint: did you mean `short`?",
    ),
    "unknown kind of a deck": (
        [(DECK_2, DECK_2.replace('"long",', '"lnog",'))],
        "unknown ticket kind `lnog`\nhint: did you mean `long`?",
    ),
    "unknown set of a deck": (
        [('set = ["two"]', 'set = ["tow"]')],
        "edition `mixed`: deck 2: unknown ticket set `tow`\nhint: did you mean `two`?",
    ),
    "unknown deck": (
        [("{ short = 2 }", "{ shot = 2 }")],
        "edition `valley`: first_tickets 2: unknown deck `shot`\nhint: did you mean `short`?",
    ),
    "duplicate city": ([(CITY_2, CITY_2.replace("Bach", "ALM"))], "city 2: the name `ALM` is taken already"),
    "city named as a country": (
        [(CITY_2, CITY_2.replace("Bach", "Überland"))],
        "city 2: the name `Überland` is taken already",
    ),
    "ambiguous alias": ([('["Alpe"]', '["Alpe", "chur"]')], "city 1: the alias `chur` of `Alm` also means `Chur`"),
    "alias twice": (
        [('["Alpe"]', '["A"]'), ("nudge = [3, -2.5]", 'aliases = "a"')],
        "city 2: the alias `a` of `Bach` also means `Alm`",
    ),
    "unknown label": ([('"nw"', '"north"')], "city 2: unknown side `north`"),
    # keys and types
    "unknown key": (
        [("length = 3, colour", "lenght = 3, colour")],
        "track 3: unknown key `lenght`\nhint: did you mean `length`?",
    ),
    "unknown board key": ([("points = {", "point = {")], "x.toml: unknown key `point`\nhint: did you mean `points`?"),
    "unknown edition key": ([("trains  ", "trans  ")], "unknown key `trans`\nhint: did you mean `trains`?"),
    "unprintable key": ([('projection = "flat"', ""), ("trains  ", '"a\\nb"')], "unknown key 'a\\nb'"),
    "missing key": ([('colour = "green" ', "bend = 1")], "track 5: missing key `colour`"),
    "missing points": ([("points = { 1 = 1, 2 = 2, 3 = 4 }", "")], "x.toml: missing key `points`"),
    "missing id": ([('id     = "valley"', "")], "x.toml: missing key `id`"),
    "bool for a number": (
        [("length = 3, c", "length = true, c")],
        "track 3: `length` must be a whole number, found true",
    ),
    "float for a whole number": (
        [("length = 3, c", "length = 3.0, c")],
        "track 3: `length` must be a whole number, found 3.0",
    ),
    "text for a number": ([("lat = 47.0", 'lat = "47"')], 'city 1: `lat` must be a number, found "47"'),
    "number for a flag": ([("tunnel = true", "tunnel = 1")], "track 4: `tunnel` must be true or false, found 1"),
    "number for a text": ([('"The Valley"', "7")], "x.toml: `name` must be a text, found 7"),
    "date for a text": ([('"The Valley"', "2020-01-01")], "x.toml: `name` must be a text, found a date"),
    "table for a text": ([('"The Valley"', "{}")], "x.toml: `name` must be a text, found a table"),
    "text for a table": (
        [("{ red = 3, blue = 2 }", '"red"')],
        'x.toml: `passenger_colours` must be a table, found "red"',
    ),
    "text for an entry": (
        [(TRACK_5, '"Alm",')],
        'track 5: must be a table, found "Alm"\nhint: write { from = …, to = … }',
    ),
    "table for an array": (
        [('countries = [\n  { name = "Überland", passengers = 1 },\n]', "countries = {}")],
        "`countries` must be an array of tables",
    ),
    "empty name": ([('"The Valley"', '""')], "x.toml: `name` must be a printable text of 1 to 60 characters"),
    "line break in a name": ([('"The Valley"', '"The\\nValley"')], "x.toml: `name` must be a printable text"),
    "long name": ([('"The Valley"', f'"{"x" * 61}"')], "found a text of 61 characters"),
    "bad id": (
        [('id     = "valley"', 'id     = "The Valley"')],
        "x.toml: `id` must be lower-case letters, digits and single hyphens",
    ),
    "three numbers for two": (
        [("nudge = [3, -2.5]", "nudge = [3, 4, 5]")],
        "city 2: `nudge` must be an array of two numbers, found an array of 3",
    ),
    # numbers out of range
    "length": ([("length = 3, c", "length = 9, c")], "track 3: `length` must be between 1 and 8, found 9"),
    "huge length": (
        [("length = 3, c", f"length = 0x{'f' * 9000}, c")],
        "track 3: `length` must be between 1 and 8, found a huge number",
    ),
    "lat": ([("lat = 47.0", "lat = 91")], "city 1: `lat` must be between -90 and 90, found 91"),
    "nan": ([("lat = 47.0", "lat = nan")], "city 1: `lat` must be between -90 and 90, found nan"),
    "ticket points": ([("points = 4, k", "points = 0, k")], "ticket 1: `points` must be between 1 and 99, found 0"),
    "points of a length": ([("3 = 4 }", "3 = 100 }")], "points: `3` must be between 1 and 99, found 100"),
    "a length beyond the layout": ([("3 = 4 }", "3 = 4, 9 = 30 }")], "points: unknown key `9`"),
    "trains": (
        [("trains           = 10", "trains = 61")],
        "edition `valley`: `trains` must be between 1 and 60, found 61",
    ),
    "stations": (
        [("stations         = 1", "stations = 4")],
        "edition `valley`: `stations` must be between 0 and 3, found 4",
    ),
    "players reversed": ([("= [2, 3]", "= [3, 2]")], "edition `mixed`: `players` goes from 3 down to 2"),
    "too many cards": (
        [("trains           = 10", "cards_each = 14")],
        "edition `valley`: 126 cards (8 × 14 and 14 locomotives), it must be between 13",
    ),
    "too few cards": (
        [("trains           = 10", "cards_each = 1\nlocomotives = 4")],
        "edition `valley`: 12 cards (8 × 1 and 4 locomotives)",
    ),
    "last round": (
        [("trains           = 10", "trains = 2")],
        "edition `valley`: `last_round_trains` is 2, it must be less than the 2 trains",
    ),
    # tracks and routes
    "length without points": ([(", 3 = 4 }", " }")], "track 3: length 3 has no points\nhint: add `3 = …` to `points`"),
    "track to itself": ([(TRACK_5, TRACK_5.replace("Dorf", "Alm"))], "track 5: leads from `Alm` to itself"),
    "parallel tracks differ": (
        [('"Alm",             length = 2', '"Alm",             length = 3')],
        "track 2: length 3, but its parallel track 1 has 2",
    ),
    "four parallel tracks": (
        [(TRACK_5, MANY * 4)],
        "x.toml: 4 tracks between `Alm` and `Dorf`, at most 3 may be parallel",
    ),
    "too many ferry symbols": ([("ferry = 2", "ferry = 4")], "track 3: `ferry` asks for 4 locomotives on 3 spaces"),
    "coloured ferry": (
        [('colour = "gray", ferry', 'colour = "red", ferry')],
        'track 3: a ferry is gray, found `red`\nhint: write colour = "gray"',
    ),
    "ferry and tunnel": (
        [("ferry = 2", "ferry = 2, tunnel = true")],
        "track 3: a track is a tunnel or a ferry, not both",
    ),
    "unconnected": (
        [
            ('{ from = "Bach", to = "Chur", ', '{ from = "Dorf", to = "Chur", '),
            ('length = 1, colour = "blue"', 'length = 3, colour = "blue"'),
            (TRACK_5, ""),
        ],
        "x.toml: cut off from the rest of the board: Chur, Dorf\nhint:",
    ),
    "no tracks": (
        [(TEXT[TEXT.index("tracks = [") : TEXT.index("tickets = [")], "tracks = []\n")],
        "x.toml: `tracks` must have 1 to 128 entries, found 0",
    ),
    "too many tracks": ([(TRACK_5, MANY * 123)], "x.toml: `tracks` must have 1 to 128 entries, found 129"),
    "too many cities": (
        [("cities = [", "cities = [" + '{ name = "A", lat = 1, lon = 1 },' * 60)],
        "x.toml: `cities` must have 2 to 64 entries, found 66",
    ),
    "through a border space": (
        [(TRACK_5, TRACK_5 + '{ from = "Überland (Alm)", to = "Dorf", length = 1, colour = "gray" },')],
        "city 5: the border space `Überland (Alm)` has 2 routes, it must have exactly one",
    ),
    "country out of reach": (
        [("countries = [", 'countries = [\n{ name = "Nirgendwo" },')],
        "country 1: `Nirgendwo` has no border space",
    ),
    # passengers
    "bag and places": (
        [("{ red = 3, blue = 2 }", "{ red = 3, blue = 3 }")],
        "x.toml: 6 passengers in the bag (`passenger_colours`), but places for 5 on the board",
    ),
    "too many colours": (
        [("{ red = 3, blue = 2 }", "{ red = 3, blue = 2, green = 1, black = 1, white = 1, orange = 1, purple = 1 }")],
        "passenger_colours: 7 colours, at most 6 fit",
    ),
    "passenger colour": (
        [("{ red = 3, blue = 2 }", "{ rde = 3, blue = 2 }")],
        "passenger_colours: unknown colour `rde`\nhint: did you mean `red`?",
    ),
    "passengers on a border space": (
        [('country = "Überland" }', 'country = "Überland", passengers = 1 }')],
        "city 5: a border space has no passengers of its own\nhint: give them to the country `Überland`",
    ),
    # tickets and decks
    "ticket to itself": (
        [('to = "Chur", points = 4', 'to = "Alpe", points = 4')],
        "ticket 1: leads from `Alm` to itself",
    ),
    "duplicate ticket": (
        [('to = "Chur", points = 4', 'to = "Dorf", points = 4')],
        "edition `valley`: the ticket `Alm`–`Dorf` is in the decks twice",
    ),
    "ticket in both decks": (
        [(DECK_2, '{ name = "long", leaves = true },')],
        "edition `valley`: the ticket `Alm`–`Chur` is in the decks twice",
    ),
    "empty deck": (
        [(DECK_2, '{ name = "long", kind = "short", set = "one", big_city = true },')],
        "edition `valley`: deck 2: no ticket of the board fits",
    ),
    "three decks": ([(DECK_2, DECK_2 * 2)], "edition `valley`: `decks` must have 1 to 2 entries, found 3"),
    "decks of one name": (
        [(DECK_2, DECK_2.replace('name = "long"', 'name = "short"'))],
        "edition `valley`: both decks are called `short`",
    ),
    "first deck leaves": (
        [('kind = "short" },\n  { name = "long"', 'kind = "short", leaves = true },\n  { name = "long"')],
        "the first deck, `short`, can't leave the game",
    ),
    "backs of one deck": (
        [("  " + DECK_2, ""), ("long = 1", "short = 1"), ("trains  ", "ticket_backs_differ = true\ntrains")],
        "`ticket_backs_differ` needs two decks",
    ),
    # deals
    "deal too large": (
        [("= [2, 2]", "= [2, 3]")],
        "edition `valley`: deck `short` has 4 tickets, 3 players are dealt 2 each\nhint: deal fewer",
    ),
    "announced deal too large": (
        [("deal = 1,", "deal = 2,")],
        "edition `mixed`: deck `short` has 3 tickets, 3 players are dealt 2 each",
    ),
    "deal of nothing": ([("{ short = 2 }", "{ short = 0 }")], "first_tickets 2: deals 0 tickets, it must be 1 to 6"),
    "offer too large": (
        [("{ short = 2 }", "{ short = 4, long = 3 }")],
        "first_tickets 2: deals 7 tickets, it must be 1 to 6",
    ),
    "keep more than dealt": (
        [("{ short = 2 }, keep_least = 1", "{ short = 2 }, keep_least = 3")],
        "first_tickets 2: `keep_least` is 3, but at most 2 can be kept",
    ),
    "keep most more than dealt": (
        [("keep_least = 0", "keep_least = 0, keep_most = 2")],
        "first_tickets 1: `keep_most` must be between 0 and 1, found 2",
    ),
    "otherwise more than dealt": (
        [("keep_least_otherwise = 2", "keep_least_otherwise = 3")],
        "`keep_least_otherwise` is 3, but at most 2 can be kept",
    ),
    "otherwise in the first step": (
        [("keep_least = 0", "keep_least = 0, keep_least_otherwise = 1")],
        "first_tickets 1: `keep_least_otherwise` looks back",
    ),
    "unknown place for returned tickets": (
        [('"bottom"', '"botom"')],
        "unknown place for returned tickets `botom`\nhint: did you mean `bottom`?",
    ),
    "announce with a deck that leaves": (
        [("{ long = 1 },", "1, announce = true,")],
        "first_tickets 1: `announce` needs two decks that stay in the game",
    ),
    "announce with one deck": (
        [('  { name = "long",  set = ["two"] },\n', "")],
        "edition `mixed`: first_tickets 1: `announce` needs two decks that stay in the game",
    ),
    "announce a fixed mix": (
        [("deal = 1,", "deal = { short = 1 },")],
        "edition `mixed`: first_tickets 1: with `announce` the player chooses the mix",
    ),
    "draw less than kept": (
        [("trains           = 10", "draw_keep_least = 4")],
        "edition `valley`: `draw_keep_least` is 4, but only 3 tickets are drawn",
    ),
    # editions
    "no editions": (
        [(TEXT[TEXT.index("[[edition]]") :], "")],
        "x.toml: has no edition, so it can't be played\nhint: add an [[edition]] table",
    ),
    "duplicate edition": ([('id      = "mixed"', 'id      = "valley"')], "edition 2: the id `valley` is taken already"),
    "unknown tie-break": (
        [('"stations", "path"', '"station", "path"')],
        "edition `valley`: unknown tie-break `station`\nhint: did you mean `stations`?",
    ),
    "tie-break twice": (
        [('"stations", "path"', '"path", "path"')],
        "edition `valley`: tie-break `path` is listed twice",
    ),
    "tie-break without a bonus": (
        [("longest_path     = 5", "")],
        "edition `valley`: tie-break `path` can decide nothing here: `longest_path` is not set",
    ),
    "tie-break without stations": (
        [("stations         = 1", "")],
        "tie-break `stations` can decide nothing here: `stations` is not set",
    ),
    # TOML itself
    "broken TOML": ([("cities = [", "cities = (")], "x.toml: not valid TOML: Invalid value (at line 9, column 10)"),
    "key given twice": (
        [('name   = "The Valley"', 'id = "x"')],
        "x.toml: not valid TOML: Cannot overwrite a value (at line 4, ",
    ),
    "endless number": ([("length = 3, c", f"length = {'9' * 5000}, c")], "x.toml: not valid TOML: "),
    "bottomless nesting": ([('projection = "flat"', f"a = {'[' * 5000}")], "x.toml: not valid TOML: "),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusal(case: str) -> None:
    swaps, expected = REFUSALS[case]
    message = refusal(changed(*swaps))
    assert message.startswith("x.toml: ")
    assert expected in message


def test_whatever_is_done_to_a_file_it_is_read_or_refused() -> None:
    dice = random.Random(1)
    words = re.split(r"(\W)", TEXT)
    outcomes = []
    for _ in range(400):
        broken = list(words)
        for _ in range(dice.randint(1, 3)):
            broken[dice.randrange(len(words))] = dice.choice([*words, "", "true", "-1", "[]", "{}", "1e400", "\x00"])
        try:
            outcomes.append(parse_board("".join(broken)).id)
        except MapError as error:
            outcomes.append(str(error))
    assert 20 < len(set(outcomes)) < 400


@pytest.mark.rule("SETUP-1")
@pytest.mark.parametrize("players", ["[1, 2]", f"[2, {mapfile.MAX_PLAYERS + 1}]", "[0, 0]"])
def test_no_edition_has_fewer_players_than_two_or_more_than_there_are_seats(players: str) -> None:
    assert f"`players` must be between 2 and {mapfile.MAX_PLAYERS}" in refusal(changed(("= [2, 2]", f"= {players}")))


def test_passengers_that_do_not_fit() -> None:
    message = refusal(
        changed(("{ red = 3, blue = 2 }", "{ red = 60, blue = 6 }"), ("passengers = 2", "passengers = 63"))
    )
    assert message == "x.toml: 66 passengers, at most 64 fit"


def test_rules_about_passengers_need_passengers() -> None:
    points = refusal(BLOCKS[0] + "passenger_points = [4, 2]\n")
    assert points == (
        "x.toml: edition `islands`: `passenger_points` without passengers on the board\n"
        "hint: add `passenger_colours` to the board"
    )
    ties = refusal(BLOCKS[0].replace('"tickets", "path"', '"passengers"'))
    assert (
        ties
        == "x.toml: edition `islands`: tie-break `passengers` can decide nothing here: `passenger_colours` is not set"
    )


def test_tickets_that_do_not_fit() -> None:
    names = [f"C{n}" for n in range(17)]
    cities = "\n".join(f'{{ name = "{name}", lat = 1, lon = {n} }},' for n, name in enumerate(names))
    tracks = "\n".join(f'{{ from = "C0", to = "{name}", length = 1, colour = "gray" }},' for name in names[1:])
    pairs = [(a, b) for n, a in enumerate(names) for b in names[:n]][:129]
    text = f'id = "b"\nname = "B"\npoints = {{ 1 = 1 }}\ncities = [{cities}]\ntracks = [{tracks}]\ntickets = ['
    edition = '[[edition]]\nid = "e"\nname = "E"\nsummary = "S"\ndecks = [{ name = "d" }]\n'
    edition += 'first_tickets = [{ deal = 3, keep_least = 2, returned = "bottom" }]'
    rows = [f'{{ from = "{a}", to = "{b}", points = 1 }},\n' for a, b in pairs]
    assert len(parse_board("".join([text, *rows[:128], "]\n", edition])).editions[0].decks[0].tickets) == 128
    assert "129 tickets in the decks, at most 128 fit" in refusal("".join([text, *rows, "]\n", edition]))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(MapError, match=r"nowhere\.toml: cannot be read: No such file"):
        load_board(tmp_path / "nowhere.toml")
    with pytest.raises(MapError, match="cannot be read: Is a directory"):
        load_board(tmp_path)
    with pytest.raises(MapError, match="cannot be read"):
        load_board("a\0b.toml")
    latin, large = tmp_path / "latin.toml", tmp_path / "large.toml"
    latin.write_bytes('id = "x"\nname = "Zürich"\n'.encode("latin-1"))
    large.write_bytes(b"#" * 1_000_001)
    with pytest.raises(
        MapError, match=r"latin\.toml: not UTF-8 text: byte 0xfc in line 2\nhint: save the file as UTF-8"
    ):
        load_board(latin)
    with pytest.raises(MapError, match="larger than 1,000,000 bytes"):
        load_board(large)


# --- finding editions -----------------------------------------------------------------------------------------------


def test_editions_by_path() -> None:
    assert load_edition(VALLEY).id == "valley"
    assert load_edition(str(VALLEY)).id == "valley"
    assert load_edition(f"{VALLEY}:mixed").id == "mixed"
    with pytest.raises(MapError, match=r"valley\.toml: unknown edition `mixd`\nhint: did you mean `mixed`\?"):
        load_edition(f"{VALLEY}:mixd")


def test_a_relative_file_name_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my.toml").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_edition("my.toml").id == "valley"
    assert load_edition("my.toml:mixed").id == "mixed"
    with pytest.raises(MapError, match=r"^your\.toml: cannot be read"):
        load_edition("your.toml")


def test_unknown_editions_are_listed() -> None:
    with pytest.raises(MapError) as caught:
        load_edition("europe1912")
    assert in_full(caught.value) == (
        "unknown edition `europe1912`\nhint: did you mean `europe-1912`? the editions are "
        "usa, europe, europe-1912, mega-europe, big-cities, germany; a map file is given by its path, ending in .toml"
    )
    with pytest.raises(MapError, match="unknown edition `moon`\nhint: the editions are usa,"):
        load_edition("moon")


# --- ticket packs ---------------------------------------------------------------------------------------------------

Pack = Callable[[str], Path]


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    def write(text: str) -> Path:
        file = tmp_path / f"pack{len(list(tmp_path.iterdir()))}.toml"
        file.write_text(text, encoding="utf-8")
        return file

    return write


def extra(*rows: str, name: str = "Extra", head: str = "") -> str:
    return f'name = "{name}"\n{head}\ntickets = [{", ".join(f"{{ {row} }}" for row in rows)}]\n'


@pytest.mark.rule("SETUP-11", "RULING-15")
@pytest.mark.parametrize("edition_id", ["europe", "europe-1912", "mega-europe", "big-cities"])
def test_packs_can_be_added_to_every_europe_edition_each_on_its_own(edition_id: str, pack: Pack) -> None:
    first = pack(
        extra(
            'from = "Edinburgh", to = "Athens", points = 98', 'from = "Cádiz", to = "Sochi", points = 99', name="One"
        ).replace("Athens", "Zürich")
    )
    second = pack(extra('from = "Dieppe", to = "Riga", points = 97', name="Two", head='board = "europe"'))
    plain, one, both = (
        load_edition(edition_id),
        load_edition(edition_id, [first]),
        load_edition(edition_id, [first, str(second)]),
    )
    assert one.packs == ("One",)
    assert one.decks[0].tickets[-2:] == (
        Ticket("Edinburgh", "Zürich", 98, set="One"),
        Ticket("Cadiz", "Sochi", 99, set="One"),
    )
    assert one.decks[0].tickets[:-2] == plain.decks[0].tickets
    assert one.decks[1:] == plain.decks[1:]
    assert both.packs == ("One", "Two")
    assert len(both.decks[0].tickets) == len(plain.decks[0].tickets) + 3
    assert load_edition(edition_id).packs == ()
    assert len({digest(plain), digest(one), digest(both)}) == 3


def test_long_pack_tickets_go_to_the_second_deck(pack: Pack) -> None:
    long = pack(extra('from = "Lisboa", to = "Sochi", points = 99, kind = "long"'))
    assert load_edition("europe", [long]).decks[1].tickets[-1] == Ticket("Lisboa", "Sochi", 99, "long", "Extra")
    with pytest.raises(
        MapError, match=r"pack0\.toml: ticket 1: the edition `big-cities` has no deck of long tickets\nhint: "
    ):
        load_edition("big-cities", [long])


def test_one_pack_needs_no_list(pack: Pack) -> None:
    assert load_edition("usa", str(pack(extra('from = "Omaha", to = "Boston", points = 9')))).packs == ("Extra",)


PACK_REFUSALS = {
    extra(
        'from = "Boston", to = "Omaha", points = 9', 'from = "Miami", to = "Boston", points = 1'
    ): "ticket 2: the ticket `Miami`–`Boston` is in the edition `usa` already",
    extra(
        'from = "Boston", to = "Omaha", points = 9', 'from = "Omaha", to = "Boston", points = 1'
    ): "ticket 2: the ticket `Omaha`–`Boston` is in the edition",
    extra(
        'from = "Boston", to = "Omaha", points = 9', head='board = "europe"'
    ): "this pack is for the board `europe`, not for `usa`",
    extra(
        'from = "Bostn", to = "Omaha", points = 9'
    ): "ticket 1: unknown city or country `Bostn`\nhint: did you mean `Boston`?",
    extra('from = "Boston", to = "Omaha", points = 100'): "ticket 1: `points` must be between 1 and 99, found 100",
    extra('from = "Boston", to = "Omaha", points = 9, set = "x"'): "ticket 1: unknown key `set`",
    extra('from = "Boston", to = "Boston", points = 9'): "ticket 1: leads from `Boston` to itself",
    extra(): "`tickets` must have 1 to 128 entries, found 0",
    "tickets = []": "missing key `name`",
    "name = ": "not valid TOML: Invalid value (at end of document)",
}


@pytest.mark.parametrize("text", PACK_REFUSALS, ids=list(PACK_REFUSALS.values()))
def test_pack_refusal(text: str, pack: Pack) -> None:
    with pytest.raises(MapError) as caught:
        load_edition("usa", [pack(text)])
    assert f"pack0.toml: {PACK_REFUSALS[text]}" in in_full(caught.value)


@pytest.mark.parametrize(
    ("edition", "second", "fault", "words"),
    [
        ("usa", 'from = "Bostn", to = "Omaha"', "unknown_place", {"key": "from", "word": "Bostn", "other": "Boston"}),
        ("usa", 'from = "Boston", to = "Qqqq"', "unknown_place", {"key": "to", "word": "Qqqq"}),
        ("usa", 'from = "Boston", to = "Boston"', "same_ends", {"key": "to", "word": "Boston"}),
        ("usa", 'from = "Miami", to = "Boston"', "ticket_twice", {"word": "Miami", "other": "Boston"}),
        ("usa", 'from = "Omaha", to = "Denver", kind = "long"', "no_long_deck", {"key": "kind"}),
        ("usa", 'from = "", to = "Denver"', "bad_value", {"key": "from"}),
    ],
)
def test_what_is_wrong_with_a_pack_can_be_said_in_any_language(
    edition: str, second: str, fault: str, words: dict[str, str], pack: Pack
) -> None:
    with pytest.raises(MapError) as caught:
        load_edition(edition, [pack(extra('from = "Boston", to = "Omaha", points = 9', f"{second}, points = 9"))])
    assert (caught.value.fault, caught.value.words) == (fault, {**words, "ticket": 2})


def test_a_border_space_is_no_end_of_a_pack_ticket(pack: Pack) -> None:
    border = next(city for city in load_edition("germany").board.cities if city.country is not None)
    with pytest.raises(MapError) as caught:
        load_edition("germany", [pack(extra(f'from = "Berlin", to = "{border.name}", points = 9'))])
    assert caught.value.fault == "border_space"
    assert caught.value.words == {"key": "to", "word": border.name, "other": border.country, "ticket": 1}


def test_a_pack_is_added_once_and_must_fit(pack: Pack) -> None:
    file = pack(extra('from = "Boston", to = "Omaha", points = 9'))
    with pytest.raises(MapError, match="the pack `Extra` is added already"):
        load_edition("usa", [file, file])
    names = [city.name for city in load_edition("usa").board.cities]
    taken = {frozenset((t.a, t.b)) for t in load_edition("usa").decks[0].tickets}
    pairs = [(a, b) for n, a in enumerate(names) for b in names[:n] if {a, b} not in taken]
    rows = [f'from = "{a}", to = "{b}", points = 1' for a, b in pairs]
    assert len(load_edition("usa", [pack(extra(*rows[:98]))]).decks[0].tickets) == 128
    with pytest.raises(MapError, match="with this pack the decks have 129 tickets, at most 128 fit"):
        load_edition("usa", [pack(extra(*rows[:99]))])


# --- digests, facts, remarks ----------------------------------------------------------------------------------------

PLAY = {
    "a city's name": ('"Chur"', '"Cher"'),
    "a track's length": ('length = 3, colour = "green"', 'length = 2, colour = "green"'),
    "a track's colour": ('"green"', '"black"'),
    "a tunnel": (", tunnel = true", ""),
    "a ferry": ("ferry = 2", "ferry = 1"),
    "points": ("3 = 4 }", "3 = 5 }"),
    "a ticket": ('to = "Bach", points = 2', 'to = "Bach", points = 3'),
    "the bag": ("{ red = 3, blue = 2 }", "{ red = 2, blue = 3 }"),
    "passengers": ("passengers = 2", 'passengers = 1, label = "n"'),
    "a deck": ("leaves = true", "leaves = false"),
    "a deal": ("keep_least_otherwise = 2", "keep_least_otherwise = 1"),
    "a rule": ("trains           = 10", "trains           = 11"),
    "another rule": ('"stations", "path"', '"path", "stations"'),
}
LOOKS = {
    "lat": ("lat = 47.0", "lat = 47.1"),
    "nudge": ("nudge = [3, -2.5]", "nudge = [1, 1]"),
    "label": ('"nw"', '"se"'),
    "bend": ("bend = 0.2", "bend = 0.3"),
    "drawing": ('"flat"', '"round"'),
    "summary": ("Up one side", "Down one side"),
    "name": ('"The Valley"', '"A Valley"'),
    "alias": ('["Alpe"]', '["Alpe", "Alp"]'),
}


@pytest.mark.parametrize("what", PLAY)
def test_the_digest_changes_with_play(what: str) -> None:
    text = TEXT.replace(*PLAY[what])
    if what == "passengers":
        text = text.replace("{ red = 3", "{ red = 2")
    assert text != TEXT
    assert digest(parse_board(text).editions[0]) != digest(load_edition(VALLEY))


@pytest.mark.parametrize("what", LOOKS)
def test_the_digest_ignores_looks(what: str) -> None:
    text = TEXT.replace(*LOOKS[what])
    assert text != TEXT
    assert digest(parse_board(text).editions[0]) == digest(load_edition(VALLEY))


def test_the_digest_is_short_hex_and_the_same_in_every_process() -> None:
    code = f"from whistlestop.mapfile import *; print(digest(load_edition({str(VALLEY)!r})))"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert other == digest(load_edition(VALLEY))
    assert re.fullmatch("[0-9a-f]{16}", other)


def test_facts_are_json() -> None:
    counted = facts(load_board(VALLEY))
    assert json.loads(json.dumps(counted)) == counted
    assert (counted["routes"], counted["doubles"], counted["spaces"], counted["passengers"]) == (6, 1, 13, 5)
    assert counted["editions"] == {"valley": {"short": 4, "long": 4}, "mixed": {"short": 3, "long": 4}}


def test_remarks() -> None:
    assert check_board(load_board(VALLEY)) == [
        "edition mixed: 3 players have 135 trains for 11 spaces, routes will run out"
    ]
    text = changed(
        ('"Bach", points = 2', '"Bach", points = 9'),
        ('"Alm",             length = 2, colour = "gray"', '"Alm",             length = 2, colour = "red"'),
        ('{ from = "Chur", to = "Dorf",            length = 1, colour = "blue", tunnel = true, bend = 0.2 },', ""),
        ("trains           = 10", "trains           = 10\nlocomotives = 1\ncards_each = 2\nhand = 1"),
        ("trains           = 10", "trains           = 2\nlast_round_trains = 1"),
    )
    assert check_board(parse_board(text)) == [
        "Chur has one route only, from Bach: it is easily cut off",
        "Dorf has one route only, from Alm: it is easily cut off",
        "Alm–Bach has 2 red tracks: parallel tracks usually differ in colour, or are gray",
        "ticket Alm–Bach is worth 9, its shortest path has 2 spaces",
        "ticket Chur–Dorf is worth 1, its shortest path has 8 spaces",
        "edition valley: nobody can ever claim a track of 3 spaces",
        "edition valley: a ferry asks for 2 locomotives, the deck has 1",
        "edition mixed: 3 players have 135 trains for 10 spaces, routes will run out",
    ]


def test_remarks_on_uneven_colours_and_forgotten_cities() -> None:
    text = "".join(
        line
        for line in BLOCKS[0].splitlines(keepends=True)
        if "Stonebridge" not in line or "name" in line or "length" in line
    )
    remarks = check_board(parse_board(text.replace("deal = 2", "deal = 1")))
    assert "no ticket leads to Stonebridge" in remarks
    heavy = BLOCKS[0].replace('"blue"', '"red"').replace('"green"', '"red"').replace('"black"', '"red"')
    assert "red has 10 spaces, a colour has 2 on average: even colours make even games" in check_board(
        parse_board(heavy)
    )


def test_every_shipped_edition_fits_the_layout() -> None:
    for edition in editions():
        assert len(edition.board.cities) <= mapfile.MAX_CITIES
        assert len(edition.board.tracks) <= mapfile.MAX_TRACKS
        assert sum(len(deck.tickets) for deck in edition.decks) <= mapfile.MAX_TICKETS
