"""Maps of the public map editor: what is carried over, what is told, and files that are none."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from whistlestop.draw import draw_board
from whistlestop.mapfile import MAX_CITIES, MapError, check_board, parse_board
from whistlestop.mapfile.editor_import import import_editor_map


def stop(name: str, x: float, y: float, **more: object) -> dict[str, Any]:
    return {"id": f"id-{name}", "name": name, "type": "city", "x": x, "y": y, **more}


def route(a: str, b: str, length: int, color: str = "neutral", kind: str = "city", **more: object) -> dict[str, Any]:
    ends = {"a": f"id-{a}", "b": f"id-{b}"}
    return {"id": f"{a}{b}{color}", **ends, "length": length, "type": kind, "color": color, **more}


def ticket(a: str, b: str, points: int, **more: object) -> dict[str, Any]:
    return {"id": f"t-{a}{b}", "a": f"id-{a}", "b": f"id-{b}", "points": points, **more}


TYPES = [
    {"id": "city", "label": "Railway", "infrastructure": False, "shape": "plain"},
    {"id": "tunnel", "label": "Tunnel", "infrastructure": False, "shape": "serrated"},
    {"id": "boat", "label": "Boat", "infrastructure": False, "shape": "oval"},
    {"id": "odd", "label": "Toll road", "infrastructure": False, "shape": "plain", "glyph": "T"},
    {"id": "trail", "label": "Trail", "infrastructure": True},
]
COMPLETE: dict[str, Any] = {
    "format": "ticket-to-ride-map",
    "version": 3,
    "kind": "map",
    "board": {"width": 1100, "height": 731},
    "payload": {
        "name": "Ö Island",
        "stops": [
            stop("West", 100, 300, labelAngle=180),
            stop("North", 500, 100, labelAngle=270),
            stop("East", 900, 300),
            stop("South", 500, 600, type="junction"),
            stop("Mid", 500, 320, labelAngle=45),
        ],
        "routes": [
            route("West", "North", 4, "red", points=[{"x": 250, "y": 120}]),
            route("West", "North", 4, "blue"),
            route("North", "East", 3, locomotiveSlots=[0, 2]),
            route("East", "South", 5, "green", kind="tunnel"),
            route("South", "West", 2, "yellow"),
            route("Mid", "West", 2, "black"),
            route("Mid", "East", 2, "white"),
        ],
        "tickets": [
            ticket("West", "East", 4),
            ticket("North", "South", 6),
            ticket("Mid", "North", 5),
            ticket("Mid", "South", 4),
            ticket("West", "South", 2),
            ticket("East", "North", 3),
            ticket("West", "Mid", 2, set="other"),
            ticket("East", "Mid", 2, set="other"),
            ticket("North", "West", 4, set="other"),
            ticket("East", "South", 5, set="other"),
        ],
        "ticketSets": [{"id": "main", "label": "Main deck"}, {"id": "other", "label": "Short trips"}],
        "routeTypeStyles": TYPES,
        "stopTypeStyles": [{"id": "city"}, {"id": "junction", "junction": True}],
        "wagonsPerPlayer": 20,
        "startingTickets": 2,
        "keptTickets": 1,
        "players": {"min": 2, "max": 3},
        "lanesUsableByPlayers": {"2": 1, "3+": "all"},
    },
}


def changed(**payload: object) -> str:
    data = copy.deepcopy(COMPLETE)
    data["payload"] |= payload
    return json.dumps(data)


def notes_of(text: str) -> str:
    return "\n".join(import_editor_map(text).notes)


def test_a_complete_map_can_be_played_as_it_was_drawn() -> None:
    found = import_editor_map(json.dumps(COMPLETE), "island.json")
    board = parse_board(found.toml)
    assert (board.name, board.id) == ("Ö Island", "o-island")
    names = {city.name: city for city in board.cities}
    west, north, east = names["West"], names["North"], names["East"]
    assert west.lon < north.lon < east.lon
    assert north.lat > west.lat == east.lat
    assert (west.label, north.label, east.label, names["Mid"].label) == ("w", "n", None, "se")
    first, second, ferry, tunnel = board.tracks[:4]
    assert (first.colour, second.colour, first.length) == ("red", "blue", 4)
    assert first.bend > 0  # its bend lies to the left of the way from west to north
    assert (ferry.ferry, ferry.colour, tunnel.tunnel, tunnel.colour) == (2, "gray", True, "green")
    main, other = board.editions
    assert [len(edition.decks[0].tickets) for edition in board.editions] == [6, 4]
    assert (main.trains, main.players, main.parallel_from, main.longest_path) == (20, (2, 3), 3, 10)
    assert (main.first_tickets[0].counts, main.first_tickets[0].keep_least) == ((2, 0), 1)
    assert other.first_tickets[0].counts == (1, 0)  # four tickets are too few to deal two to three players
    assert other.name == "Ö Island, Short trips"
    assert "1 first tickets of deck Short trips" in "\n".join(found.notes)
    assert all(f"# - {note}" in found.toml.splitlines() for note in found.notes)
    check_board(board)
    assert "Mid" in draw_board(board)


def test_a_file_of_the_first_version_has_no_frame() -> None:
    data: dict[str, Any] = copy.deepcopy(COMPLETE["payload"]) | {"kind": "map", "format": "board-2x3"}
    data["routes"][3] |= {"tunnel": True, "type": "city"}
    board = parse_board(import_editor_map(json.dumps(data)).toml)
    assert board.tracks[3].tunnel


def test_what_is_missing_is_made_up_and_told() -> None:
    stops = [stop(f"City {n}", 100 * (n % 6), 90 * (n // 6)) for n in range(18)]
    routes = [route(f"City {n}", f"City {n + 1}", 2) for n in range(17)]
    routes += [route(f"City {n}", f"City {n + 6}", 3, "red") for n in range(12)]
    found = import_editor_map(json.dumps({"kind": "network", "stops": stops, "routes": routes}))
    edition = parse_board(found.toml).editions[0]
    assert (edition.trains, edition.players) == (45, (2, 5))
    tickets = edition.decks[0].tickets
    assert len(tickets) == 24
    ends = [end for one in tickets for end in (one.a, one.b)]
    assert {ends.count(f"City {n}") for n in range(18)} <= {2, 3}  # nobody is left out, nobody is everywhere
    told = "\n".join(found.notes)
    assert "24 tickets, worth their shortest paths" in told
    assert "45 trains" in told


def test_long_tickets_have_a_deck_of_their_own() -> None:
    long = [ticket(*ends, 20, long=True) for ends in (("Mid", "West"), ("Mid", "East"), ("North", "West"))]
    tickets = [*COMPLETE["payload"]["tickets"][:6], *long]
    board = parse_board(import_editor_map(changed(tickets=tickets)).toml)
    assert [(deck.name, len(deck.tickets), deck.leaves) for deck in board.editions[0].decks] == [
        ("regular", 6, False),
        ("long", 3, True),
    ]
    assert "one deck with the others" in notes_of(changed(tickets=tickets[:-1]))


def test_what_cannot_be_carried_over_is_told() -> None:
    routes = [
        *COMPLETE["payload"]["routes"],
        route("Mid", "North", 3, kind="trail"),
        route("Mid", "South", 11, "pink"),
        route("Mid", "North", 2, "red", kind="odd", locomotiveSlots=[1]),
        route("West", "North", 3, "green"),
        route("West", "North", 4, "black"),
        route("Mid", "Mid", 2),
        route("North", "South", 3, kind="boat"),
    ]
    told = notes_of(
        changed(
            routes=routes,
            rules="# My rules",
            background=[{"id": "lake"}],
            players={"min": 1, "max": 8},
            wagonsPerPlayer=80,
            lanesUsableByPlayers={"2": 1, "3": 2, "4+": "all"},
        )
    )
    for words in (
        "routes of type Trail, which are built already",
        "8 spaces, the most a track can have, not 11",
        "there is no colour pink",
        "routes of type Toll road, marked T",
        "locomotives of Mid–North, which is red",
        "a track of West–North has 4 spaces, not 3",
        "more than 3 parallel tracks of West–North",
        "the route from Mid to itself",
        "boats that ask for no locomotive",
        "the map's own rules text",
        "areas and lines of the background",
        "for 2 to 5 players, not 1 to 8",
        "60 trains each",
        "parallel tracks open all at once from 3 players on",
    ):
        assert words in told
    parse_board(import_editor_map(changed(routes=routes)).toml)


def test_names_are_plain_text_whatever_they_hold() -> None:
    nasty = 'A"]\nid = "x" \\ <script>\x00 # \ud800' + "y" * 200
    stops = [*COMPLETE["payload"]["stops"], stop("Twin", 0, 0), {**stop("Twin2", 9, 9), "name": "TWIN"}]
    stops[0] = {**stops[0], "name": nasty}
    routes = [*COMPLETE["payload"]["routes"], route("Twin", "Twin2", 1), route("Twin", "West", 2)]
    found = import_editor_map(changed(stops=stops, routes=routes, name=nasty), 'in\n"]\nid = 1.json')
    board = parse_board(found.toml)
    assert board.cities[0].name.startswith('A"] id = "x" \\ <script>')
    assert [city.name for city in board.cities[-2:]] == ["Twin", "TWIN 2"]
    found.toml.encode()


BROKEN = {
    "no JSON": ("{", "not valid JSON"),
    "a list": ("[1]", "must be a map of the editor"),
    "deep": ("[" * 100_000, "not valid JSON"),
    "a newer version": (json.dumps(COMPLETE | {"version": 5}), "newer editor, version 5"),
    "no version": (json.dumps(COMPLETE | {"version": "x"}), "`version` must be a whole number"),
    "a background": (json.dumps(COMPLETE | {"kind": "background"}), "has no stops and routes"),
    "no stops": (changed(stops=[]), "the map has 0 stops"),
    "too many stops": (changed(stops=[stop(str(n), n, n) for n in range(MAX_CITIES + 1)]), "the map has 65 stops"),
    "no position": (changed(stops=[{"id": "a"}, {"id": "b"}]), "stop 1: `x` and `y` must be numbers"),
    "twice one id": (changed(stops=[stop("A", 0, 0), stop("A", 1, 1)]), "stop 2: `id`"),
    "no list": (changed(routes={"a": 1}), "`routes` must be a list"),
    "no routes": (changed(routes=[]), "0 routes that can be claimed"),
    "an unknown stop": (changed(routes=[route("West", "Nowhere", 2)]), "route 1: `a` and `b` must be ids of stops"),
    "half a space": (changed(routes=[route("West", "East", 2) | {"length": 2.5}]), "route 1: `length`"),
    "one ticket": (changed(tickets=[ticket("West", "East", 4)]), "too few for 2 players"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_other_files_are_refused_with_the_reason(case: str) -> None:
    text, reason = BROKEN[case]
    with pytest.raises(MapError, match=reason.replace("(", r"\(")):
        import_editor_map(text, "map.json")
