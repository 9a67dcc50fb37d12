"""Real tables: entered by what lies on the board, they give the engine's result; what is odd says why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import whistlestop
from support.cardboard import entered, finished
from support.scale import SCALE
from whistlestop import Game, OddTable, RealTable, TableFileError, WhistlestopError, read_real_table, score
from whistlestop.mapfile import MAX_TRAINS, editions, load_edition
from whistlestop.real_table_file import parse_real_table
from whistlestop.results import ALL_PASSED, AS_IT_LIES, count

GAMES = min(50 * SCALE, 500)
"""Finished games of each edition; the long run enters 500."""
EXAMPLES = Path(__file__).parents[2] / "examples" / "tables"
EDITIONS = [edition.id for edition in editions()]


@pytest.mark.parametrize("name", EDITIONS)
def test_finished_games_entered_by_hand_give_the_result_of_the_engine(name: str) -> None:
    edition = load_edition(name)
    for number, (states, players) in enumerate(finished(edition, GAMES)):
        names = tuple("ABCDE"[:players])
        truth = count(edition, states, names).json()
        in_words = number % 25 == 24  # finding tickets by their names takes a while
        table = RealTable(edition, names, tuple(entered(edition, states, p, in_words) for p in range(players)))
        found = table.count()
        assert not found.odd
        if truth["ended_by"] == ALL_PASSED:  # nobody's trains tell that, and nothing else is asked for
            truth["ended_by"] = found.result.ended_by
        assert found.result.json() == truth


def test_a_small_table() -> None:
    found = score(
        "europe",
        {
            "Ada": {
                "tracks": ["Paris–Zürich", "zurich-venezia"],
                "tickets": ["Zürich–Brindisi"],
                "stations": ["Venezia"],
            },
            "Ben": {"tracks": ["Venezia–Roma", "Roma–Brindisi"], "tickets": ["Roma–Smyrna"]},
        },
    )
    ada, ben = found.result.players
    assert (ada.routes, ada.stations, ada.path_length) == (6, 8, 5)
    assert [station.text for station in ada.borrowed] == ["Venezia: not needed"]
    assert ben.failed[0].text == "Roma–Smyrna (8)"
    assert found.result.ended_by == AS_IT_LIES
    assert [gap.code for gap in found.gaps] == ["cards", "unfinished"]
    assert "nobody is down to 2 trains or fewer" in str(found)
    assert isinstance(found.game, Game)
    assert not found.game.status()


LONG_TRACKS = [i for i, track in enumerate(load_edition("usa").board.tracks) if track.length == 6][:8]
ODD: dict[str, tuple[str, dict[str, Any], str]] = {
    "owned": (
        "europe",
        {"Ada": {"tracks": ["Paris–Zürich"]}, "Ben": {"tracks": ["Paris–Zürich"]}},
        "Paris–Zürich is Ben's and Ada's",
    ),
    "closed": (
        "europe",
        {"Ada": {"tracks": ["Frankfurt–Paris (white)"]}, "Ben": {"tracks": ["Frankfurt–Paris (orange)"]}, "Cem": {}},
        "Ben has Frankfurt–Paris (orange), but with 3 players only one track of this route is used",
    ),
    "parallel": (
        "usa",
        {"Ada": {"tracks": ["Denver–Kansas City (black)", "Denver–Kansas City (orange)"]}, "B": {}, "C": {}, "D": {}},
        "Ada has Denver–Kansas City (orange) and a parallel track of the same route",
    ),
    "trains": ("usa", {"Ada": {"tracks": LONG_TRACKS}, "Ben": {}}, "Ada has 48 trains on the board, a player has 45"),
    "station_taken": (
        "europe",
        {"Ada": {"stations": ["Roma"]}, "Ben": {"stations": ["Rome"]}},
        "Roma has stations of Ada and Ben",
    ),
    "ticket_taken": (
        "usa",
        {"Ada": {"tickets": ["Denver–El Paso"]}, "Ben": {"tickets": ["El Paso–Denver"]}},
        "the ticket Denver–El Paso is Ada's and Ben's",
    ),
    "passengers": (
        "germany",
        {"Ada": {"passengers": {"red": 9}}, "Ben": {"passengers": {"red": 9}}},
        "18 red passengers were collected, the game has",
    ),
}


@pytest.mark.parametrize("code", ODD)
def test_what_no_game_comes_to_says_why_and_can_be_forced(code: str) -> None:
    edition, players, text = ODD[code]
    with pytest.raises(OddTable) as caught:
        score(edition, players)
    assert text in caught.value.message
    assert "force=True" in str(caught.value.hint)
    found = score(edition, players, force=True)
    assert code in [odd.code for odd in found.odd]
    assert any(line.startswith(f"odd: {text}") for line in str(found).splitlines())
    assert found.json()["odd"][0]["text"]
    with pytest.raises(WhistlestopError, match="over"):
        found.game.play("draw blind")


def test_both_owners_of_one_track_are_counted() -> None:
    found = score("europe", ODD["owned"][1], force=True)
    assert [player.routes for player in found.result.players] == [4, 4]


def test_an_odd_position_cannot_be_played_on() -> None:
    with pytest.raises(WhistlestopError, match="can be counted, not played"):
        Game.position("usa", odd=True)


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ({"Ada": {"tracks": ["Paris–Pari"]}, "Ben": {}}, "Ada: tracks: there is no route 'Paris–Pari'"),
        ({"Ada": {"stations": ["Wein"]}, "Ben": {}}, "Ada: stations: there is no city 'Wein'"),
        ({"Ada": {"tickets": ["Wien–Wien"]}, "Ben": {}}, "Ada: tickets: there is no ticket 'Wien–Wien'"),
        ({"Ada": {"tickets": [999]}, "Ben": {}}, "Ada: tickets: there is no ticket 999"),
        ({"Ada": {"tracks": [-1]}, "Ben": {}}, "there is no track -1"),
        ({"Ada": {"passengers": {"red": 1}}, "Ben": {}}, "Ada: passengers: Europe has no passengers"),
        ({"Ada": {"track": []}, "Ben": {}}, "Ada: unknown key `track`"),
        ({"Ada": {"tracks": ["Paris–Zürich"] * 2}, "Ben": {}}, "Paris–Zürich is given twice"),
        ({"Ada": {"tickets": ["Paris–Wien"] * 2}, "Ben": {}}, "the ticket 'Paris–Wien' is given twice"),
        ({"Ada": {"stations": ["Roma"] * 2}, "Ben": {}}, "Ada cannot have a station in Roma"),
        ({"Ada": {"stations": ["Roma", "Wien", "Sofia", "Kyiv"]}, "Ben": {}}, "Ada has 3 stations, the position 4"),
        ({"Ada": {"tracks": list(range(90))}, "Ben": {}}, f"Ada has more than {MAX_TRAINS} trains on the board"),
        ({"Ada": {}}, "Europe is for 2 to 5 players, not 1"),
        ({"Ada": {}, " ": {}}, "a player's name is 1 to 80 characters"),
    ],
)
def test_what_cannot_be_held_is_refused_even_by_force(players: dict[str, Any], message: str) -> None:
    with pytest.raises(WhistlestopError) as caught:
        score("europe", players, force=True)
    assert caught.value.message.startswith(message)
    assert not isinstance(caught.value, OddTable)


# ---- files ----------------------------------------------------------------------------------------------------------
FILE = """\
edition = "europe"

[[players]]
name = "Ada"
colour = "red"
tracks = [
    "Paris–Zürich",
    "Zürich–Venezia",
]
stations = ["Roma"]
tickets = ["Paris–Wien"]

[[players]]
name = "Ben"
"""


def test_a_file_is_read() -> None:
    found = parse_real_table(FILE)
    assert (found.table.names, found.colours) == (("Ada", "Ben"), ("red", None))
    assert found.table.holdings[0].tracks == ("Paris–Zürich", "Zürich–Venezia")


@pytest.mark.parametrize(
    ("change", "message", "hint"),
    [
        (("Zürich–Venezia", "Zürich–Venice Beach"), "t:8: there is no route 'Zürich–Venice Beach'", "did you mean"),
        (('["Roma"]', '["Rma"]'), "t:10: there is no city 'Rma'", "did you mean Roma?"),
        (("Paris–Wien", "Paris–Wen"), "t:11: there is no ticket 'Paris–Wen'", "did you mean `Paris–Wien`?"),
        (("stations", "station"), "t:10: unknown key `station`", "did you mean `stations`?"),
        (('"europe"', '"europa"'), "t:1: unknown edition `europa`", "did you mean `europe`?"),
        (('"Ben"', '"Ada"'), "t:14: there are two players called Ada", "name them apart"),
        (('name = "Ben"', ""), "t:13: missing key `name`", None),
        (('"Ben"', "7"), "t:14: `name` must be a text, found 7", None),
        (("[[players]]\nname = \"Ben\"", ""), "t: Europe is for 2 to 5 players, not 1", "each [[players]]"),
        (('"Ben"', '"Ben"\npassengers = {red = 1}'), "t:15: Europe has no passengers", None),
        (('"Ben"', '"Ben"\npassengers = {red = "x"}'), "t:15: `red` must be a whole number, found \"x\"", None),
        (('"Ben"', '"Ben'), "t:14: not valid TOML", None),
        (("edition =", "edtion ="), "t: unknown key `edtion`", "did you mean `edition`?"),
    ],
)  # fmt: skip
def test_errors_in_a_file_have_line_and_remedy(change: tuple[str, str], message: str, hint: str | None) -> None:
    text = FILE.replace(*change, 1)
    assert text != FILE
    with pytest.raises(TableFileError) as caught:
        parse_real_table(text, "t")
    assert caught.value.message.startswith(message), caught.value.message
    assert hint is None or hint in str(caught.value.hint)


def test_the_public_names() -> None:
    assert whistlestop.score is score


@pytest.mark.parametrize("name", EDITIONS)
def test_there_is_an_example_of_every_edition(name: str) -> None:
    found = read_real_table(EXAMPLES / f"{name}.toml")
    counted = found.table.count()
    assert found.table.edition.id == name
    assert not counted.odd
    assert [gap.code for gap in counted.gaps] == ["cards"]
