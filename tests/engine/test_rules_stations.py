"""STATION: building them, and the routes they borrow at the end."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from support.positions import EUROPE_BOARDS, final, pile, position
from whistlestop.game import PlayerResult
from whistlestop.mapfile import Edition, parse_board

STAR = """
id     = "star"
name   = "Star"
points = { 1 = 1 }
cities = [
  { name = "Hub",  lat = 0, lon = 0 },
  { name = "East", lat = 0, lon = 1 },
  { name = "Elm",  lat = 0, lon = 2 },
  { name = "West", lat = 0, lon = -1 },
  { name = "Wood", lat = 0, lon = -2 },
]
tracks = [
  { from = "Hub",  to = "FIRST",  length = 1, colour = "red" },
  { from = "Hub",  to = "SECOND", length = 1, colour = "blue" },
  { from = "East", to = "Elm",    length = 1, colour = "green" },
  { from = "West", to = "Wood",   length = 1, colour = "white" },
]
tickets = [
  { from = "Hub", to = "Elm",  points = 6 },
  { from = "Hub", to = "West", points = 3 },
  { from = "Hub", to = "Wood", points = 3 },
  { from = "Elm", to = "Wood", points = 9 },
]
[[edition]]
id             = "star"
name           = "Star"
summary        = "Four arms."
decks          = [{ name = "tickets" }]
first_tickets  = [{ deal = 1, keep_least = 1, returned = "bottom" }]
players        = [2, 3]
stations       = 3
station_points = 4
"""


def star(first: str, second: str) -> Edition:
    """A hub with two arms; tickets to the east one are worth as much as those to the west one, but fewer."""
    return parse_board(STAR.replace("FIRST", first).replace("SECOND", second)).editions[0]


def borrowed(row: PlayerResult) -> dict[str, str | None]:
    """Each station of a player and the route it was used for."""
    return {use.city: use.route for use in row.borrowed}


def completed(row: PlayerResult) -> set[str]:
    """Names of a player's completed tickets."""
    return {ticket.text.rpartition(" ")[0] for ticket in row.completed}


# ---- building --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("STATION-1")
@pytest.mark.parametrize("edition", EUROPE_BOARDS)
def test_a_station_may_stand_in_any_city_that_has_none(edition: str) -> None:
    table = position(edition, 3, hands={0: "2 red"}, stations={0: ("Paris",), 1: ("Wien", "Roma")})
    sites = {action.city for action in table.game.legal() if action.kind == "station"}
    assert sites == {city.name for city in table.game.edition.board.cities} - {"Paris", "Wien", "Roma"}
    assert table.refuses("build station in Wien with 2 red")
    assert table.refuses("build station in Paris with 2 red")


@pytest.mark.rule("STATION-1")
def test_a_station_needs_no_route_and_may_stand_among_those_of_others() -> None:
    table = position("europe", hands={0: "1 red"}, owned={1: ("Brest–Paris",)}).play(
        "build station in Paris with 1 red"
    )
    assert table.game.stations() == {"Paris": 0}
    assert table.view(None).players[0].stations == ("Paris",)


@pytest.mark.rule("STATION-2")
@pytest.mark.parametrize(
    ("built", "hand", "payments"),
    [
        ((), "1 red, 2 blue, 1 locomotive", {"1 red", "1 blue", "1 locomotive"}),
        ((), "", set()),
        (("Paris",), "2 red, 1 blue", {"2 red"}),
        (("Paris",), "1 red, 1 blue", set()),
        (("Paris",), "1 red, 1 blue, 1 locomotive", {"1 red, 1 locomotive", "1 blue, 1 locomotive"}),
        (("Paris",), "2 locomotive", {"2 locomotives"}),
        (("Paris", "Roma"), "3 red, 2 blue", {"3 red"}),
        (("Paris", "Roma"), "2 red, 2 blue, 1 green", set()),
        (("Paris", "Roma"), "2 red, 1 blue, 1 locomotive", {"2 red, 1 locomotive"}),
        (("Paris", "Roma"), "1 red, 3 locomotive", {"1 red, 2 locomotives", "3 locomotives"}),
    ],
)
def test_stations_cost_one_two_and_three_cards_of_one_colour(
    built: tuple[str, ...], hand: str, payments: set[str]
) -> None:
    assert position("europe", hands={0: hand}, stations={0: built}).station_payments("Wien") == payments


@pytest.mark.rule("STATION-2", "STATION-3")
def test_the_cards_are_discarded_and_the_turn_is_over() -> None:
    table = position("europe", hands={0: "4 red, 2 locomotive"}, stations={0: ("Paris", "Roma")})
    table.play("build station in Wien with 1 red, 2 locomotives")
    assert (table.hand(0), table.discard) == (pile("3 red"), pile("1 red, 2 locomotive"))
    assert (table.trains(0), table.points(0), table.due) == (45, 0, ("turn", 1))
    assert table.view(None).players[0].stations_left == 0


@pytest.mark.rule("STATION-3")
def test_nobody_builds_a_fourth_station() -> None:
    table = position("europe", hands={0: "11 red, 10 locomotive"}, stations={0: ("Paris", "Roma", "Wien")})
    assert table.legal("station") == set()
    assert position("europe", hands={0: "3 red"}, stations={0: ("Paris", "Roma")}).legal("station") != set()


# ---- borrowing -------------------------------------------------------------------------------------------------------
NORTH = ("Frankfurt–Kobenhavn",)


@pytest.mark.rule("STATION-4")
@pytest.mark.parametrize(
    ("stations", "theirs", "done"),
    [
        ((), ("Essen–Frankfurt",), False),
        (("Essen",), ("Essen–Frankfurt",), True),
        (("Frankfurt",), ("Essen–Frankfurt",), True),
        (("Kobenhavn",), ("Essen–Frankfurt",), False),
        (("Essen",), (), False),
        (("Essen",), ("Berlin–Essen", "Berlin–Frankfurt (red)"), False),
        (("Essen", "Berlin"), ("Berlin–Essen", "Berlin–Frankfurt (red)"), True),
    ],
)
def test_a_station_borrows_one_claimed_route_of_an_opponent_into_its_city(
    stations: Sequence[str], theirs: Sequence[str], done: bool
) -> None:
    row = final(
        "europe", tickets={0: NORTH}, stations={0: stations}, owned={0: ("Essen–Kobenhavn (1st)",), 1: theirs}
    ).players[0]
    assert (len(row.completed), row.tickets) == ((1, 5) if done else (0, -5))


BOTH = {0: ("Paris–Zagrab", "Paris–Wien")}
MINE = ("Venezia–Zürich", "Venezia–Zagrab", "Frankfurt–München", "München–Wien")
THEIRS = ("Paris–Zürich", "Frankfurt–Paris (white)")


@pytest.mark.rule("STATION-4", "RULING-6")
def test_a_station_borrows_the_same_route_for_all_tickets_and_the_dearest_way_is_chosen() -> None:
    row = final("europe", tickets=BOTH, stations={0: ("Paris",)}, owned={0: MINE, 1: THEIRS}).players[0]
    assert (completed(row), row.tickets) == ({"Paris–Wien"}, 8 - 7)
    assert borrowed(row) == {"Paris": "Frankfurt–Paris (white)"}


@pytest.mark.rule("STATION-4", "RULING-6")
def test_every_station_makes_its_own_choice_with_the_others_in_mind() -> None:
    row = final("europe", tickets=BOTH, stations={0: ("Paris", "Zürich")}, owned={0: MINE, 1: THEIRS}).players[0]
    assert (completed(row), row.tickets) == ({"Paris–Wien", "Paris–Zagrab"}, 8 + 7)
    assert borrowed(row) == {"Paris": "Frankfurt–Paris (white)", "Zürich": "Paris–Zürich"}


@pytest.mark.rule("STATION-4", "RULING-6")
@pytest.mark.parametrize(
    "built", [("Paris", "Zürich", "Venezia"), ("Zürich", "Venezia", "Zagrab"), ("Paris", "Zürich", "Zagrab")]
)
def test_stations_may_chain_borrowed_routes_of_several_opponents(built: tuple[str, ...]) -> None:
    owned = {1: ("Paris–Zürich", "Venezia–Zagrab"), 2: ("Venezia–Zürich",)}
    row = final("europe", 3, tickets={0: ("Paris–Zagrab",)}, stations={0: built}, owned=owned).players[0]
    assert (completed(row), len({use.route for use in row.borrowed})) == ({"Paris–Zagrab"}, 3)
    for two in (built[:2], built[1:]):
        assert (
            not final("europe", 3, tickets={0: ("Paris–Zagrab",)}, stations={0: two}, owned=owned).players[0].completed
        )


@pytest.mark.rule("RULING-6", "STATION-4")
@pytest.mark.parametrize("arms", [("East", "West"), ("West", "East")])
def test_of_equally_dear_choices_the_one_with_more_tickets_is_taken(arms: tuple[str, str]) -> None:
    edition = star(*arms)
    owned = {0: ("East–Elm", "West–Wood"), 1: ("Hub–East", "Hub–West")}
    row = final(edition, tickets={0: ("Hub–Elm", "Hub–West", "Hub–Wood")}, stations={0: ("Hub",)}, owned=owned).players[
        0
    ]
    assert (row.tickets, completed(row)) == (3 + 3 - 6, {"Hub–West", "Hub–Wood"})
    assert borrowed(row) == {"Hub": "Hub–West"}


@pytest.mark.rule("RULING-6")
def test_the_choice_weighs_all_tickets_together() -> None:
    owned = {0: ("East–Elm", "West–Wood"), 1: ("Hub–East", "Hub–West")}
    tickets = {0: ("Hub–Elm", "Hub–West", "Hub–Wood", "Elm–Wood")}
    row = final(star("East", "West"), tickets=tickets, stations={0: ("Hub", "East")}, owned=owned).players[0]
    assert (row.tickets, len(row.completed)) == (6 + 3 + 3 + 9, 4)
    assert borrowed(row) == {"Hub": "Hub–West", "East": "Hub–East"}


@pytest.mark.rule("STATION-4", "RULING-6")
def test_a_station_that_helps_no_ticket_borrows_nothing() -> None:
    row = final("europe", tickets={0: NORTH}, stations={0: ("Roma",)}, owned={0: MINE, 1: ("Roma–Venezia",)}).players[0]
    assert borrowed(row) == {"Roma": None}


@pytest.mark.rule("STATION-5")
def test_two_players_may_borrow_the_same_route() -> None:
    result = final(
        "europe",
        3,
        tickets={0: NORTH, 1: ("Marseille–Essen",)},
        stations={0: ("Essen",), 1: ("Frankfurt",)},
        owned={
            0: ("Essen–Kobenhavn (1st)",),
            1: ("Frankfurt–Paris (white)", "Marseille–Paris"),
            2: ("Essen–Frankfurt",),
        },
    )
    assert [borrowed(row) for row in result.players] == [
        {"Essen": "Essen–Frankfurt"},
        {"Frankfurt": "Essen–Frankfurt"},
        {},
    ]
    assert [row.tickets for row in result.players] == [5, 8, 0]


@pytest.mark.rule("STATION-5", "END-3")
def test_borrowed_routes_do_not_count_for_the_longest_path() -> None:
    owned = {0: ("Essen–Kobenhavn (1st)", "Frankfurt–München"), 1: ("Essen–Frankfurt", "Berlin–Essen")}
    result = final("europe", tickets={0: NORTH}, stations={0: ("Essen",)}, owned=owned)
    assert [(len(row.completed), row.path_length, row.path) for row in result.players] == [(1, 3, 0), (0, 4, 10)]


@pytest.mark.rule("STATION-6")
@pytest.mark.parametrize("edition", EUROPE_BOARDS)
def test_each_station_not_built_is_worth_four_points(edition: str) -> None:
    result = final(edition, 4, stations={1: ("Paris",), 2: ("Roma", "Wien"), 3: ("Berlin", "Riga", "Sofia")})
    assert [(row.stations, row.total) for row in result.players] == [(12, 12), (8, 8), (4, 4), (0, 0)]
