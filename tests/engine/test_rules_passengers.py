"""PASSENGER: taking them after a claim, and the prizes for most and second most."""

from __future__ import annotations

import pytest

from support.positions import Table, final, position


def claim(waiting: dict[str, str], route: str = "Berlin–Magdeburg", cards: str = "3 red", players: int = 2) -> Table:
    """A table where player 0 has just claimed a route."""
    return position("germany", players, hands={0: cards}, waiting=waiting).play(f"claim {route} with {cards}")


# ---- taking ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("PASSENGER-1", "RULING-14")
def test_after_a_claim_one_passenger_of_ones_choice_may_be_taken_at_each_end() -> None:
    table = claim({"Berlin": "red blue blue", "Magdeburg": "green"})
    assert (table.phase, table.player) == ("passenger", 0)
    assert table.legal() == {
        "take red passenger at Berlin",
        "take blue passenger at Berlin",
        "take no passenger at Berlin",
    }
    table.play("take blue passenger at Berlin")
    assert table.legal() == {"take green passenger at Magdeburg", "take no passenger at Magdeburg"}
    table.play("take green passenger at Magdeburg")
    assert table.collected(0) == {"blue": 1, "green": 1}
    assert sorted(table.game.passengers()["Berlin"]) == ["blue", "red"]
    assert "Magdeburg" not in table.game.passengers()
    assert table.due == ("turn", 1)


@pytest.mark.rule("PASSENGER-1")
@pytest.mark.parametrize(
    ("waiting", "asked"),
    [
        ({"Berlin": "", "Magdeburg": "green"}, ["Magdeburg"]),
        ({"Berlin": "red", "Magdeburg": ""}, ["Berlin"]),
        ({"Berlin": "", "Magdeburg": ""}, []),
    ],
)
def test_where_nobody_stands_nothing_is_asked(waiting: dict[str, str], asked: list[str]) -> None:
    table = claim(waiting)
    for place in asked:
        assert table.phase == "passenger"
        assert f"take no passenger at {place}" in table.legal()
        table.play(f"take {waiting[place]} passenger at {place}")
    assert table.due == ("turn", 1)
    assert sum(table.collected(0).values()) == len(asked)


@pytest.mark.rule("PASSENGER-1", "RULING-14")
def test_taking_passengers_is_optional_at_each_end_on_its_own() -> None:
    waiting = {"Berlin": "red blue", "Magdeburg": "green"}
    table = claim(waiting).play("take no passenger at Berlin").play("take green passenger at Magdeburg")
    assert (table.collected(0), table.game.passengers()["Berlin"]) == ({"green": 1}, ("red", "blue"))
    table = claim(waiting).play("take red passenger at Berlin").play("take no passenger at Magdeburg")
    assert (table.collected(0), table.game.passengers()["Magdeburg"]) == ({"red": 1}, ("green",))
    assert table.due == ("turn", 1)


@pytest.mark.rule("PASSENGER-1", "CLAIM-7")
def test_a_claim_takes_no_more_than_one_passenger_from_a_city() -> None:
    table = claim({"Berlin": "5 red", "Magdeburg": ""}).play("take red passenger at Berlin")
    assert table.game.passengers()["Berlin"] == ("red",) * 4
    assert table.due == ("turn", 1)


@pytest.mark.rule("RULING-14", "PASSENGER-1")
def test_a_country_has_one_passenger_whichever_border_space_is_entered() -> None:
    where = {"Freiburg": "", "Karlsruhe": "", "Frankreich": "white"}
    for route in ("Freiburg–Frankreich (Freiburg)", "Karlsruhe–Frankreich (Karlsruhe)"):
        cards = "2 yellow" if "Freiburg" in route else "2 black"
        table = claim(where, route, cards)
        assert table.legal() == {"take white passenger at Frankreich", "take no passenger at Frankreich"}
        table.play("take white passenger at Frankreich")
        assert "Frankreich" not in table.game.passengers()
    table = claim({**where, "Frankreich": ""}, "Karlsruhe–Frankreich (Karlsruhe)", "2 black")
    assert table.due == ("turn", 1)


@pytest.mark.rule("PASSENGER-2", "RULING-10")
def test_collected_passengers_are_public() -> None:
    table = position("germany", 3, collected={0: "2 red, 1 blue", 2: "3 green"})
    for viewer in (0, 1, 2, None):
        assert [player.passengers for player in table.view(viewer).players] == [{"red": 2, "blue": 1}, {}, {"green": 3}]
        assert table.view(viewer).passengers == table.game.passengers()


# ---- prizes ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("PASSENGER-3", "RULING-7")
@pytest.mark.parametrize(
    ("numbers", "points"),
    [
        ((2, 1), (20, 10)),
        ((1, 0), (20, 0)),
        ((2, 2), (20, 20)),
        ((3, 2, 1), (20, 10, 0)),
        ((1, 2, 3), (0, 10, 20)),
        ((3, 3, 2), (20, 20, 0)),
        ((2, 3, 3), (0, 20, 20)),
        ((3, 2, 2), (20, 10, 10)),
        ((2, 2, 3), (10, 10, 20)),
        ((3, 3, 3), (20, 20, 20)),
        ((1, 0, 0), (20, 0, 0)),
        ((1, 1, 0, 0), (20, 20, 0, 0)),
        ((2, 1, 1, 0), (20, 10, 10, 0)),
        ((3, 1, 2, 2, 0), (20, 0, 10, 10, 0)),
        ((0, 0, 0, 0, 0), (0, 0, 0, 0, 0)),
    ],
)
def test_most_of_a_colour_earns_twenty_and_second_most_ten(numbers: tuple[int, ...], points: tuple[int, ...]) -> None:
    result = final("germany", len(numbers), collected={p: f"{n} red" for p, n in enumerate(numbers) if n})
    assert tuple(row.passengers for row in result.players) == points
    assert tuple(row.total for row in result.players) == points


@pytest.mark.rule("PASSENGER-3")
def test_each_colour_has_its_own_prizes() -> None:
    result = final("germany", 3, collected={0: "3 red, 1 blue, 2 white", 1: "1 red, 2 blue, 2 white", 2: "4 black"})
    assert [row.passengers for row in result.players] == [20 + 10 + 20, 10 + 20 + 20, 20]
    assert [row.passenger_points for row in result.players] == [
        {"red": 20, "blue": 10, "white": 20},
        {"red": 10, "blue": 20, "white": 20},
        {"black": 20},
    ]
