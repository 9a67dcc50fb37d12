"""The shipped maps against the facts: every city, track, ticket and passenger, every count, every edition's rules."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from whistlestop import mapfile
from whistlestop.mapfile import CARD_COLOURS, Board, Deal, Edition, Ticket, editions, facts, load_edition

FACTS = Path(__file__).parents[1] / "support" / "facts"
BOARDS = ("usa", "europe", "germany")
EUROPE_EDITIONS = ("europe", "europe-1912", "mega-europe", "big-cities")
SET_NAMES = {"base": "europe", "1912": "1912", None: ""}


@cache
def known(board_id: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((FACTS / f"{board_id}.json").read_text(encoding="utf-8"))
    return data


def board(board_id: str) -> Board:
    return load_edition(board_id).board


def ends(tickets: tuple[Ticket, ...]) -> list[tuple[str, str, int]]:
    return [(t.a, t.b, t.points) for t in tickets]


# --- the boards, entry by entry -------------------------------------------------------------------------------------


@pytest.mark.parametrize("board_id", BOARDS)
def test_cities_are_those_of_the_facts_in_order(board_id: str) -> None:
    expected = [
        (
            c["name"],
            c["lat"],
            c["lon"],
            c.get("country") or None,
            c.get("passengers", 0),
            {c[k] for k in ("card_name", "modern") if k in c},
        )
        for c in known(board_id)["cities"]
    ]
    assert [(c.name, c.lat, c.lon, c.country, c.passengers, set(c.aliases)) for c in board(board_id).cities] == expected


@pytest.mark.parametrize("board_id", BOARDS)
def test_tracks_are_those_of_the_facts_in_order(board_id: str) -> None:
    expected = [
        (t["a"], t["b"], t["length"], t["color"], t.get("tunnel", False), t.get("ferry", 0))
        for t in known(board_id)["routes"]
    ]
    names = [city.name for city in board(board_id).cities]
    assert [(names[t.a], names[t.b], t.length, t.colour, t.tunnel, t.ferry) for t in board(board_id).tracks] == expected


@pytest.mark.parametrize("board_id", BOARDS)
def test_tickets_are_those_of_the_facts_in_order(board_id: str) -> None:
    expected = [
        Ticket(t["a"], t["b"], t["points"], t.get("kind", "regular"), SET_NAMES[t.get("set")], t.get("big_city", False))
        for t in known(board_id)["tickets"]
    ]
    assert list(board(board_id).tickets) == expected


@pytest.mark.parametrize("board_id", BOARDS)
def test_points_are_those_of_the_facts(board_id: str) -> None:
    assert board(board_id).points == {int(length): points for length, points in known(board_id)["route_points"].items()}


@pytest.mark.rule("SETUP-13")
def test_passengers_and_countries_are_those_of_the_facts() -> None:
    germany, data = board("germany"), known("germany")
    assert germany.passenger_colours == data["passenger_colors"]
    assert [(c.name, c.passengers) for c in germany.countries] == [
        (c["name"], c["passengers"]) for c in data["countries"]
    ]
    for country in data["countries"]:
        assert [c.name for c in germany.cities if c.country == country["name"]] == country["endpoints"]
    assert not board("usa").passenger_colours
    assert not board("europe").passenger_colours


# --- counts, as literal numbers -------------------------------------------------------------------------------------

COUNTS = {
    "usa": {
        "cities": 36,
        "border_spaces": 0,
        "countries": 0,
        "tracks": 100,
        "routes": 78,
        "doubles": 22,
        "triples": 0,
        "spaces": 309,
    }
    | {"tunnels": 0, "ferries": 0, "ferry_symbols": 0, "tickets": 30, "big_city_tickets": 0, "passengers": 0},
    "europe": {
        "cities": 47,
        "border_spaces": 0,
        "countries": 0,
        "tracks": 101,
        "routes": 90,
        "doubles": 11,
        "triples": 0,
        "spaces": 300,
    }
    | {"tunnels": 18, "ferries": 13, "ferry_symbols": 17, "tickets": 101, "big_city_tickets": 45, "passengers": 0},
    "germany": {
        "cities": 49,
        "border_spaces": 14,
        "countries": 5,
        "tracks": 110,
        "routes": 85,
        "doubles": 21,
        "triples": 2,
        "spaces": 313,
    }
    | {"tunnels": 0, "ferries": 0, "ferry_symbols": 0, "tickets": 89, "big_city_tickets": 0, "passengers": 60},
}
SPACES = {
    "usa": dict.fromkeys(CARD_COLOURS, 27) | {"gray": 93},
    "europe": dict.fromkeys(CARD_COLOURS, 22) | {"blue": 23, "green": 23, "gray": 122},
    "germany": dict.fromkeys(CARD_COLOURS, 28) | {"orange": 27, "white": 27, "yellow": 27, "gray": 92},
}
LENGTHS = {
    "usa": {"1": 9, "2": 36, "3": 20, "4": 16, "5": 10, "6": 9},
    "europe": {"1": 4, "2": 35, "3": 30, "4": 29, "6": 2, "8": 1},
    "germany": {"1": 23, "2": 30, "3": 25, "4": 17, "5": 8, "6": 2, "7": 5},
}
SETS = {
    "usa": {"": {"regular": 30}},
    "europe": {"europe": {"long": 6, "regular": 40}, "1912": {"long": 6, "regular": 49}},
    "germany": {"": {"short": 55, "long": 34}},
}


@pytest.mark.parametrize("board_id", BOARDS)
def test_counts(board_id: str) -> None:
    counted = facts(board(board_id))
    assert {key: counted[key] for key in COUNTS[board_id]} == COUNTS[board_id]
    assert counted["spaces_by_colour"] == SPACES[board_id]
    assert counted["tracks_by_length"] == LENGTHS[board_id]
    assert counted["tickets_by_set"] == SETS[board_id]
    assert json.loads(json.dumps(counted)) == counted


@pytest.mark.parametrize(("board_id", "total"), [("usa", 349), ("europe", 1087), ("germany", 941)])
def test_ticket_points_add_up(board_id: str, total: int) -> None:
    assert sum(ticket.points for ticket in board(board_id).tickets) == total


@pytest.mark.rule("SETUP-13")
def test_sixty_passengers_ten_of_each_colour() -> None:
    germany = board("germany")
    assert list(germany.passenger_colours.values()) == [10] * 6
    assert sum(c.passengers for c in germany.cities) == 55
    assert [c.passengers for c in germany.countries] == [1] * 5
    by_city = {c.name: c.passengers for c in germany.cities if c.passengers > 1}
    assert by_city == {"Berlin": 5, "Frankfurt": 4, "Hamburg": 4, "Köln": 4, "München": 4, "Leipzig": 3, "Stuttgart": 3}


@pytest.mark.rule("TICKET-9")
def test_border_spaces_are_dead_ends() -> None:
    germany = board("germany")
    for index, city in enumerate(germany.cities):
        neighbours = {t.a + t.b - index for t in germany.tracks if index in (t.a, t.b)}
        if city.country is not None:
            assert len(neighbours) == 1, city.name
            assert germany.cities[neighbours.pop()].country is None


@pytest.mark.rule("SETUP-9")
def test_big_city_tickets_are_the_regular_ones_with_a_big_city() -> None:
    big = {"London", "Berlin", "Moskva", "Paris", "Wien", "Madrid", "Roma", "Athina", "Angora"}
    for ticket in board("europe").tickets:
        assert ticket.big_city == (ticket.kind == "regular" and bool(big & {ticket.a, ticket.b})), ticket


@pytest.mark.rule("FERRY-1")
def test_every_ferry_is_gray() -> None:
    assert {track.colour for track in board("europe").tracks if track.ferry} == {"gray"}


# --- points by length -----------------------------------------------------------------------------------------------


@pytest.mark.rule("CLAIM-11")
def test_points_by_length_usa() -> None:
    assert board("usa").points == {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}


@pytest.mark.rule("CLAIM-12")
def test_points_by_length_europe() -> None:
    assert board("europe").points == {1: 1, 2: 2, 3: 4, 4: 7, 6: 15, 8: 21}


@pytest.mark.rule("CLAIM-13")
def test_points_by_length_germany() -> None:
    assert board("germany").points == {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18}


# --- editions -------------------------------------------------------------------------------------------------------


def sizes(edition: Edition) -> dict[str, int]:
    return {deck.name: len(deck.tickets) for deck in edition.decks}


def test_editions_in_menu_order() -> None:
    assert [e.id for e in editions()] == ["usa", "europe", "europe-1912", "mega-europe", "big-cities", "germany"]
    assert editions() is editions()
    for edition in editions():
        assert edition in edition.board.editions
        assert load_edition(edition.id) is edition
        assert len(edition.summary) > 20


@pytest.mark.rule("SETUP-1", "SETUP-2", "SETUP-3")
@pytest.mark.parametrize("edition", editions(), ids=lambda e: e.id)
def test_players_trains_and_cards(edition: Edition) -> None:
    assert edition.players == (2, 5)
    assert edition.trains == 45
    assert (edition.cards_each, edition.locomotives, edition.hand) == (12, 14, 4)
    assert set(CARD_COLOURS) == {"purple", "blue", "orange", "white", "green", "yellow", "black", "red"}
    assert len(CARD_COLOURS) * edition.cards_each + edition.locomotives == 110


@pytest.mark.rule("CLAIM-9", "END-1")
@pytest.mark.parametrize("edition", editions(), ids=lambda e: e.id)
def test_parallel_tracks_open_from_four_players_and_two_trains_end_the_game(edition: Edition) -> None:
    assert edition.parallel_from == 4
    assert edition.last_round_trains == 2


@pytest.mark.rule("SETUP-5")
def test_first_tickets_usa() -> None:
    usa = load_edition("usa")
    assert sizes(usa) == {"tickets": 30}
    assert usa.first_tickets == (Deal((3, 0), 2, 3, 2, "bottom"),)


@pytest.mark.rule("SETUP-6", "SETUP-7")
@pytest.mark.parametrize(("edition_id", "ticket_set", "regular"), [("europe", "base", 40), ("europe-1912", "1912", 49)])
def test_first_tickets_europe(edition_id: str, ticket_set: str, regular: int) -> None:
    edition = load_edition(edition_id)
    assert sizes(edition) == {"regular": regular, "long": 6}
    assert [deck.leaves for deck in edition.decks] == [False, True]
    assert edition.first_tickets == (Deal((3, 1), 2, 4, 2, "box"),)
    for deck in edition.decks:
        of_set = [t for t in known("europe")["tickets"] if t["set"] == ticket_set and t["kind"] == deck.name]
        assert ends(deck.tickets) == [(t["a"], t["b"], t["points"]) for t in of_set]


@pytest.mark.rule("SETUP-8")
def test_first_tickets_mega_europe() -> None:
    mega = load_edition("mega-europe")
    assert sizes(mega) == {"regular": 89, "long": 12}
    assert [deck.leaves for deck in mega.decks] == [False, True]
    assert mega.first_tickets == (Deal((0, 2), 0, 1, 0, "box"), Deal((5, 0), 2, 5, 3, "shuffled-bottom"))


@pytest.mark.rule("SETUP-9")
def test_first_tickets_big_cities() -> None:
    big = load_edition("big-cities")
    assert sizes(big) == {"big-cities": 45}
    marked = [(t["a"], t["b"], t["points"]) for t in known("europe")["tickets"] if t["big_city"]]
    assert ends(big.decks[0].tickets) == marked
    assert big.first_tickets == (Deal((5, 0), 2, 5, 2, "shuffled-bottom"),)


@pytest.mark.rule("SETUP-12")
def test_first_tickets_germany() -> None:
    germany = load_edition("germany")
    assert sizes(germany) == {"short": 55, "long": 34}
    assert [deck.leaves for deck in germany.decks] == [False, False]
    assert germany.first_tickets == (Deal((4, 0), 2, 4, 2, "reshuffle", announce=True),)
    assert [e.id for e in editions() if e.ticket_backs_differ] == ["germany"]


@pytest.mark.rule("TICKET-1", "TICKET-2", "TICKET-3")
def test_drawing_tickets() -> None:
    assert {e.id: e.draw_count for e in editions()} == dict.fromkeys((e.id for e in editions()), 3) | {
        "big-cities": 4,
        "germany": 4,
    }
    assert {e.draw_keep_least for e in editions()} == {1}


@pytest.mark.rule("SETUP-10", "STATION-6")
def test_stations_on_europe_boards_only() -> None:
    assert {e.id: (e.stations, e.station_points) for e in editions()} == {
        "usa": (0, 0),
        "germany": (0, 0),
    } | dict.fromkeys(EUROPE_EDITIONS, (3, 4))


@pytest.mark.rule("END-3", "END-4", "PASSENGER-3")
def test_bonuses() -> None:
    assert {e.id: (e.longest_path, e.globetrotter, e.passenger_points) for e in editions()} == {
        **dict.fromkeys(("usa", *EUROPE_EDITIONS), (10, 0, (0, 0))),
        "germany": (0, 15, (20, 10)),
    }


@pytest.mark.rule("END-5", "END-6", "END-7")
def test_tie_breaks() -> None:
    assert {e.id: e.tie_breaks for e in editions()} == {
        "usa": ("tickets", "path"),
        **dict.fromkeys(EUROPE_EDITIONS, ("tickets", "stations", "path")),
        "germany": ("tickets", "passengers"),
    }


def test_features_of_the_shipped_editions() -> None:
    europe = ("tunnels", "ferries", "stations", "longest_path")
    assert {e.id: e.features for e in editions()} == {
        "usa": ("longest_path",),
        "europe": (*europe, "long_tickets"),
        "europe-1912": (*europe, "long_tickets"),
        "mega-europe": (*europe, "long_tickets"),
        "big-cities": europe,
        "germany": ("passengers", "globetrotter", "long_tickets", "countries"),
    }


def test_all_editions_have_different_digests() -> None:
    assert len({mapfile.digest(e) for e in editions()}) == 6


def test_shipped_boards_get_few_remarks() -> None:
    remarks = {board_id: mapfile.check_board(board(board_id)) for board_id in BOARDS}
    assert remarks["germany"] == []
    assert remarks["europe"] == ["Edinburgh has one route only, from London: it is easily cut off"]
    assert all(remark.startswith("no ticket leads to") for remark in remarks["usa"])


@pytest.mark.parametrize("name", [*(f"{b}.toml" for b in BOARDS), "README.md"])
def test_files_are_neat(name: str) -> None:
    text = (mapfile.MAPS / name).read_text(encoding="utf-8")
    assert text.endswith("\n")
    assert not [line for line in text.splitlines() if line != line.rstrip() or "\t" in line]
