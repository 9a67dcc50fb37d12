"""Games in words: making them, playing by text, reasons why not, undo, copies, results."""

from __future__ import annotations

import copy
import pickle
import re
import time
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from support.games import ALL, EDITIONS, GOOD_NAMES, PACK, PLAYERS, VALLEY, check_result, played, wander
from support.positions import position
from whistlestop import (
    Game,
    IllegalAction,
    InvalidNotation,
    MapError,
    RecordError,
    Result,
    View,
    WhistlestopError,
    load_edition,
)
from whistlestop.game import Draft, ImpossibleOutcome, Move, StaleDraft
from whistlestop.mapfile import CARDS, parse_board
from whistlestop.notation import notation_of


def refusal(game: Game, action: Any, player: int | None = None, error: type[Exception] = IllegalAction) -> str:
    """Why an action is refused, after making sure that nothing has changed."""
    before, n = game.state_bytes(), len(game.history)
    with pytest.raises(error) as caught:
        game.play(action, player)
    assert type(caught.value) is error
    assert (game.state_bytes(), len(game.history)) == (before, n)
    return str(caught.value)


def hint(game: Game, action: str) -> str:
    """What an error about a text suggests."""
    with pytest.raises((IllegalAction, InvalidNotation)) as caught:
        game.play(action)
    return caught.value.hint or ""


# ---- making games ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("SETUP-1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_two_to_five_play(edition: str) -> None:
    for players in PLAYERS:
        assert Game(edition, players, seed=1).players == players
    wrong: Any
    for wrong in (-1, 0, 1, 6, 100, True, 2.0, "3", None):
        with pytest.raises(ValueError, match="is for 2 to 5 players"):
            Game(edition, wrong)


@pytest.mark.rule("SETUP-15")
def test_first_player_is_drawn_from_the_seed_or_set() -> None:
    assert {Game("usa", 5, seed).first for seed in range(60)} == set(range(5))
    for first in range(4):
        game = Game("usa", 4, seed=3, first=first)
        for player in range(4):
            game.play(game.legal(player)[0], player)
        assert (game.first, game.to_move, game.phase) == (first, (first,), "turn")


@pytest.mark.parametrize(("edition", "players"), ALL)
def test_same_arguments_same_game(edition: str, players: int) -> None:
    one, two, other = (Game(edition, players, seed) for seed in (5, 5, 6))
    assert one.state_bytes() == two.state_bytes() != other.state_bytes()
    assert one.setup == two.setup
    for player in wander(one):
        assert not one.status()
        assert [a.text for a in one.legal(player)] == [a.text for a in copy.copy(one).legal(player)]
    for move in one.history:
        assert two.play(move.action.text, move.player) == move
    assert one.state_bytes() == two.state_bytes()


def test_a_game_without_a_seed_can_be_made_again() -> None:
    one, two = Game("usa"), Game("usa")
    assert one.seed != two.seed
    assert Game("usa", seed=one.seed).state_bytes() == one.state_bytes()


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1, 2**64, 2**128 - 1, np.int64(7), np.uint64(2**64 - 1)])
def test_seeds_that_can_be(seed: Any) -> None:
    game = Game("usa", seed=seed)
    assert game.seed == int(seed)
    assert type(game.seed) is int


@pytest.mark.parametrize("seed", [-1, 2**128, 1.0, "1", True, pytest.param(10**5000, id="huge")])
def test_seeds_that_cannot_be(seed: Any) -> None:
    with pytest.raises(ValueError, match="a seed is a whole number"):
        Game("usa", seed=seed)


@pytest.mark.parametrize("first", [-1, 3, 1.0, "1", True])
def test_first_players_that_cannot_be(first: Any) -> None:
    with pytest.raises(ValueError, match="the first player is one of 0 to 2"):
        Game("usa", 3, first=first)


@pytest.mark.parametrize("name", GOOD_NAMES)
def test_names_may_be_odd(name: str) -> None:
    assert Game("usa", names=[name, "Bob"]).names == (name, "Bob")


@pytest.mark.parametrize(
    "names", ["ab", ["Ann"], ["Ann", "Bob", "Cem"], ["Ann", ""], ["Ann", "  "], ["Ann", "a\nb"], ["Ann", "\ud800"]]
)
@pytest.mark.parametrize("more", [[], ["\u2028"], ["a\u202eb"], ["x" * 81]])
def test_names_that_cannot_be(names: Any, more: list[str]) -> None:
    with pytest.raises(ValueError, match="name"):
        Game("usa", names=["Ann", *more] if more else names)


def test_things_that_are_no_edition() -> None:
    with pytest.raises(MapError, match="did you mean `europe`"):
        Game("eurpe")
    with pytest.raises(MapError, match="cannot be read"):
        Game("nowhere.toml")
    wrong: Any = 5
    with pytest.raises(TypeError, match="an edition is an id"):
        Game(wrong)
    with pytest.raises(TypeError, match="name is text, not int"):
        Game("usa", names=[wrong, "Bob"])
    with pytest.raises(ValueError, match="packs are added when an edition is loaded"):
        Game(load_edition("europe"), packs=["x.toml"])


# ---- playing by text ------------------------------------------------------------------------------------------------
def test_the_example_of_the_front_page() -> None:
    game = position("europe", 3, hands={0: "3 purple"}).game
    move = game.play("claim Paris–Zürich with 3 purple")
    assert isinstance(move, Move)
    assert move.action.json() == {
        "id": move.action.id, "kind": "claim", "text": "claim Paris–Zürich with 3 purple",
        "track": move.action.track, "from": "Paris", "to": "Zürich", "cards": {"purple": 3},
    }  # fmt: skip


SPELLINGS = (
    "claim Paris–Zürich with 3 purple",
    "claim Paris-Zurich with 3 purple",
    "CLAIM PARIS - ZÜRICH WITH 3 PURPLE",
    "  claim   zurich—paris   with  3   purple ",
    "claim Zürich to Paris with purple purple purple",
    "claim paris zurich with 3x purple",
    "claim Paris-Zuerich with 3 purple cards",
    "claim Paris–Zürich with 2 purple and 1 purple",
    "claim Paris−Zürich with 3 pink",
    "claim Paris–Zürich (gray) with 3 purple",
    "claim Zu\u0308rich–Paris with 3 purple",
    "claim Paris–Zürich",
)


@pytest.mark.parametrize("text", SPELLINGS)
def test_many_spellings_are_one_action(text: str) -> None:
    game = position("europe", 3, hands={0: "3 purple, 1 red"}).game
    assert game.play(text).action.text == "claim Paris–Zürich with 3 purple"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("claim Munich-Vienna with 3 orange", "claim München–Wien with 3 orange"),
        ("claim vienna-munich with 3 orange", "claim München–Wien with 3 orange"),
        ("claim Istanbul–Sofia with 3 blue", "claim Constantinople–Sofia with 3 blue"),
        ("claim bucharest-istanbul with 3 yellow", "claim Bucuresti–Constantinople with 3 yellow"),
        ("build station in Vienna with 1 red", "build station in Wien with 1 red"),
        ("build a station in wien with red", "build station in Wien with 1 red"),
        ("station in WIEN with 1 red card", "build station in Wien with 1 red"),
        ("station Wien with red", "build station in Wien with 1 red"),
        ("build station Wien with red", "build station in Wien with 1 red"),
        ("build station at Zurich with 1 loco", "build station in Zürich with 1 locomotive"),
        ("draw loco", "draw locomotive"),
        ("draw a locomotive", "draw locomotive"),
        ("Draw red card", "draw red"),
        ("draw BLIND", "draw blind"),
        ("draw from the deck", "draw blind"),
        ("draw destination tickets", "draw tickets"),
        ("draw ticket", "draw tickets"),
        ("draw tickets 3", "draw tickets"),
    ],
)
def test_aliases_and_short_forms(text: str, meant: str) -> None:
    hand = "3 orange, 3 blue, 3 yellow, 1 red, 1 locomotive"
    table = position("europe", 3, hands={0: hand}, face_up="red red locomotive blue white")
    move = table.game.play(text)
    assert move.action.text.replace("Constantinople–Sofia", "Sofia–Constantinople") == meant.replace(
        "Constantinople–Sofia", "Sofia–Constantinople"
    )


def test_of_parallel_tracks_the_first_open_one_is_taken() -> None:
    table = position("usa", 4, hands={0: "2 locomotive, 2 red", 1: "2 locomotive", 2: "2 locomotive"})
    assert (
        table.game.play("claim New York–Boston with 2 locomotives").action.text
        == "claim Boston–New York (red) with 2 locomotives"
    )
    assert (
        table.game.play("claim Boston–New York with 2 locomotives").action.text
        == "claim Boston–New York (yellow) with 2 locomotives"
    )
    assert refusal(table.game, "claim Boston–New York with 2 locomotives").endswith("has claimed that track")
    red = position("usa", 4, hands={0: "2 red"}).game
    assert red.play("claim boston-new york with 2 red").action.text == "claim Boston–New York (red) with 2 red"
    gray = position("usa", 4, hands={0: "2 red"}).game
    assert gray.play("claim Dallas–Houston").action.text == "claim Dallas–Houston (1st) with 1 red"
    second = position("usa", 4, hands={0: "2 red"}).game
    assert second.play("claim dallas-houston 2nd with red").action.text == "claim Dallas–Houston (2nd) with 1 red"


def test_what_can_be_done_in_several_ways_is_asked_back() -> None:
    game = position("europe", 3, hands={0: "3 purple, 1 locomotive"}).game
    assert refusal(game, "claim Paris–Zürich", error=InvalidNotation) == "'claim Paris–Zürich' can be done in 2 ways"
    assert hint(game, "claim Paris–Zürich") == (
        "say which, as in: claim Paris–Zürich with 3 purple; claim Paris–Zürich with 2 purple, 1 locomotive"
    )
    assert "can be done in 2 ways" in refusal(game, "build station in Wien", error=InvalidNotation)
    germany = position("germany", 3).game
    assert "can be done in 5 ways" in refusal(germany, "draw tickets", error=InvalidNotation)


def test_tickets_by_number_and_by_name() -> None:
    game = Game("usa", 2, seed=3)
    names = [ticket.text.partition(" (")[0] for ticket in game.view(0).offer]
    a, b, c = names
    swapped = "–".join(reversed(c.split("–")))
    for text in (
        "keep 1 3",
        "keep 3,1",
        "KEEP 1 and 3",
        f"keep {c}, {a}",
        f"keep {a}, {c}",
        f"keep {swapped} and {a}",
        "keep 3 1 3",
    ):
        assert game.find(text, 0).text == f"keep {a}, {c}", text
    assert game.find("keep all", 0).text == f"keep {a}, {b}, {c}"
    assert refusal(game, "keep 1") == f"cannot keep {a}: keep at least 2 of the 3"
    assert refusal(game, "keep none") == "cannot keep none: keep at least 2 of the 3"
    assert refusal(game, "keep 1 4") == "cannot keep ticket 4: there are 3"
    assert refusal(game, "keep 0") == "cannot keep ticket 0: there are 3"
    assert "that ticket is not in front of you" in refusal(game, "keep Nowhere–Boston, 1")
    assert "1 " + a in hint(game, "keep 9")


def test_mega_europe_keeps_one_long_ticket_or_none() -> None:
    game = Game("mega-europe", 2, seed=3)
    assert refusal(game, "keep 1 2").endswith("keep 0 to 1 of the 2")
    assert game.play("keep none", 0).action.text == "keep none"


def test_germany_announces_draws_and_picks() -> None:
    game = Game("germany", 2, seed=3)
    assert refusal(game, "announce 3 long, 3 short") == "cannot draw 6 tickets: it must be 4 in all"
    assert refusal(game, "announce 3 tall, 1 short", error=InvalidNotation) == "'tall' is no ticket deck"
    assert refusal(game, "announce", error=InvalidNotation) == "'announce' can be done in 5 ways"
    assert refusal(game, "draw blind").startswith("cannot draw blind: the first tickets are being announced")
    assert game.play("announce 1 short and 3 long").action.text == "announce 3 long, 1 short"
    assert game.play("Announce 4 short", 1).action.text == "announce 4 short"
    for player in (0, 1):
        game.play("keep 1 2", player)
    table = position("germany", 2, hands={0: "4 red"}, waiting={"Köln": "red, green", "Düsseldorf": "blue"})
    table.play("claim Düsseldorf–Köln (1st) with 1 red")
    assert (
        refusal(table.game, "take green passenger at Köln")
        == "cannot take a passenger at 'Köln': they are being picked at Düsseldorf"
    )
    assert (
        refusal(table.game, "take green passenger")
        == "cannot take green passenger at Düsseldorf: no such passenger waits there"
    )
    assert refusal(table.game, "take pink passenger", error=InvalidNotation) == "'take pink passenger' is no action"
    assert refusal(table.game, "draw blind") == "cannot draw blind: a passenger is being picked"
    assert table.game.play("take a blue passenger from dusseldorf").action.text == "take blue passenger at Düsseldorf"
    assert table.game.play("take none").action.text == "take no passenger at Köln"


# ---- why not --------------------------------------------------------------------------------------------------------
def test_reasons_against_a_claim() -> None:
    europe = position("europe", 3, hands={0: "2 orange, 1 red"}).game
    assert refusal(europe, "claim München–Wien with 3 orange") == (
        "cannot claim München–Wien with 3 orange: needs 3 orange, you hold 2 (+0 locomotives)"
    )
    assert refusal(europe, "claim München–Wien with 2 orange, 1 locomotive") == (
        "cannot claim München–Wien with 2 orange, 1 locomotive: "
        "needs 2 orange, 1 locomotive, you hold 2 orange, 0 locomotives"
    )
    assert refusal(europe, "claim München–Wien with 3 locomotives") == (
        "cannot claim München–Wien with 3 locomotives: needs 3 locomotives, you hold 0"
    )
    assert refusal(europe, "claim München–Wien with 3 red") == (
        "cannot claim München–Wien with 3 red: it takes 3 orange cards (locomotives stand in for any)"
    )
    assert refusal(europe, "claim München–Wien with 4 orange") == (
        "cannot claim München–Wien with 4 orange: it takes 3 orange cards (locomotives stand in for any)"
    )
    assert refusal(europe, "claim München–Wien") == (
        "cannot claim München–Wien: it takes 3 orange cards (locomotives stand in for any), you hold 2 orange, 1 red"
    )
    assert refusal(europe, "claim München–Wien with 1 red, 2 orange").startswith(
        "cannot claim München–Wien with 2 orange, 1 red: it takes"
    )
    gray = position("europe", 3, hands={0: "2 orange, 1 red"}).game
    assert refusal(gray, "claim Paris–Zürich with 2 orange, 1 red").endswith(
        "it takes 3 cards of one colour (locomotives stand in for any)"
    )
    one = position("europe", 3, hands={0: "2 orange, 1 locomotive"}).game
    assert refusal(one, "claim München–Wien with 3 orange").endswith("you hold 2 (+1 locomotive)")
    assert refusal(one, "claim Essen–Kobenhavn (1st) with 3 red") == (
        "cannot claim Essen–Kobenhavn (1st) with 3 red: "
        "it takes 3 cards of one colour, at least 1 locomotive among them "
        "(locomotives stand in for any)"
    )


def test_reasons_against_a_track_that_cannot_be_had() -> None:
    hand = {0: "6 red, 6 yellow, 4 orange", 1: "3 locomotive"}
    taken = position("usa", 3, hands=hand, owned={1: ["Boston–New York (red)"]}).game
    assert refusal(taken, "claim Boston–New York (red) with 2 red").endswith(": Player 2 has claimed that track")
    assert refusal(taken, "claim Boston–New York (yellow) with 2 yellow").endswith(
        ": with 3 players only one track of this route can be used, and it is taken"
    )
    own = position("usa", 4, hands=hand, owned={0: ["Boston–New York (red)"]}).game
    assert refusal(own, "claim Boston–New York (red) with 2 red").endswith(": you have claimed that track")
    assert refusal(own, "claim Boston–New York (yellow) with 2 yellow").endswith(
        ": you own a parallel track of this route"
    )
    assert "you own a parallel track" in refusal(own, "claim Boston–New York with 2 yellow")
    few = position(replace(load_edition("usa"), trains=5, last_round_trains=1), 2, hands={0: "6 blue"}).game
    assert refusal(few, "claim Helena–Seattle with 6 yellow").endswith(": needs 6 trains, you have 5")


def test_reasons_against_a_station() -> None:
    game = position("europe", 3, hands={0: "1 red"}, stations={1: ["Wien"], 0: ["Roma"]}).game
    assert (
        refusal(game, "build station in Wien with 2 red")
        == "cannot build station in Wien with 2 red: Player 2 has a station there"
    )
    assert (
        refusal(game, "build station in Rome with 2 red")
        == "cannot build station in Roma with 2 red: you have a station there"
    )
    assert refusal(game, "build station in Paris with 2 red").endswith("needs 2 red, you hold 1 (+0 locomotives)")
    assert refusal(game, "build station in Paris with 1 red").endswith(
        "your 2nd station costs 2 cards of one colour (locomotives stand in for any)"
    )
    assert refusal(game, "build station in Wein", error=InvalidNotation) == "there is no city 'Wein' on this board"
    assert hint(game, "build station in Wein") == "did you mean Wien?"
    spent = position("europe", 3, hands={0: "4 red"}, stations={0: ["Roma", "Wien", "Paris"]}).game
    assert refusal(spent, "build station in London with 4 red").endswith("you have no station left")
    assert refusal(position("usa").game, "build station in Boston with 1 red") == "cannot build a station: USA has none"


def test_reasons_against_drawing() -> None:
    table = position("usa", hands={0: "red"}, face_up="red red blue locomotive white")
    assert (
        refusal(table.game, "draw green")
        == "cannot draw green: no green lies face up, there are red, red, blue, locomotive, white"
    )
    assert refusal(table.game, "pass") == "cannot pass: there is something else you can do"
    assert refusal(table.game, "keep 1") == "cannot keep tickets: none are in front of you to choose from"
    assert refusal(table.game, "give up").startswith("cannot give up: nothing asks for it now")
    assert refusal(table.game, "pay 1 red") == "cannot pay: no tunnel asks for more cards"
    assert refusal(table.game, "take red passenger") == "cannot take a passenger: USA has none"
    assert refusal(table.game, "announce 4 short").startswith("cannot announce tickets")
    table.play("draw blue", "green")
    assert (
        refusal(table.game, "draw locomotive")
        == "cannot draw locomotive: a face-up locomotive cannot be the second card"
    )
    assert refusal(table.game, "draw tickets") == "cannot draw tickets: one card is drawn, a second must follow"
    assert refusal(table.game, "claim Boston–New York with 2 red").endswith(": one card is drawn, a second must follow")
    assert hint(table.game, "draw tickets") == "you can draw blind; draw white; draw green; draw red"
    empty = position("usa", deck="", face_up="red").game
    assert refusal(empty, "draw blind") == "cannot draw blind: no card is left in the deck or the discards"
    assert (
        refusal(position("usa", ticket_decks={0: []}).game, "draw tickets")
        == "cannot draw tickets: no tickets are left"
    )
    few = position("germany", ticket_decks={0: ["Berlin–Leipzig"], 1: ["Berlin–Köln", "Berlin–Mainz"]})
    assert few.game.find("draw tickets: 2 long, 1 short").text == "draw tickets: 2 long, 1 short"
    assert refusal(few.game, "draw tickets: 1 long, 2 short").endswith(
        "the decks do not hold that mix: 1 short, 2 long"
    )
    assert refusal(few.game, "draw tickets: 2 long, 2 short") == "cannot draw 4 tickets: it must be 3 in all"
    assert few.game.play("draw tickets").action.text == "draw tickets: 2 long, 1 short"


def test_reasons_against_a_tunnel_answer() -> None:
    table = position("europe", 3, hands={0: "3 purple, 1 locomotive"})
    table.play("claim Marseille–Zürich with 2 purple", "purple red locomotive")
    assert table.phase == "tunnel"
    assert (
        refusal(table.game, "pay 1 purple") == "cannot pay 1 purple: the tunnel asks for 2 more, purple or locomotives"
    )
    assert refusal(table.game, "pay 2 red") == "cannot pay 2 red: the tunnel asks for 2 more, purple or locomotives"
    assert refusal(table.game, "pay 2 purple") == "cannot pay 2 purple: needs 2 purple, you hold 1 (+1 locomotive)"
    assert refusal(table.game, "pay 2 locos") == "cannot pay 2 locomotives: needs 2 locomotives, you hold 1"
    assert refusal(table.game, "draw blind") == "cannot draw blind: the tunnel wants an answer"
    assert refusal(table.game, "give in", error=InvalidNotation) == "'give in' is no action"
    assert copy.copy(table.game).play("Give Up").action.kind == "give_up"
    assert table.game.play("pay 1 loco + 1 purple").action.text == "pay 1 purple, 1 locomotive"


def test_texts_that_are_no_action_get_a_hint() -> None:
    game = position("europe", 3, hands={0: "3 purple"}).game
    cases = {
        "clam Paris–Zürich with 3 purple": "did you mean claim?",
        "claim Paris–Zurch with 3 purple": "did you mean Paris–Zürich?",
        "claim Paris–Zürich with 3 purpel": "did you mean purple?",
        "claim Paris–Zürich with 3": "cards are written like: 2 purple, 1 locomotive",
        "claim Paris–Zürich with 3 3 purple": "cards are written like: 2 purple, 1 locomotive",
        "claim Paris–Zürich (red) with 3 red": "there is Paris–Zürich",
        "claim Lisboa–Moskva": "there is Cadiz–Lisboa, Lisboa–Madrid",
        "claim": "write for example: claim",
        "draw": "write draw blind, draw tickets, or a face-up card as in draw red",
        "draw gren": "did you mean green?",
        "draw qqq": "the cards are purple",
        "build": "write for example: build station in",
        "draw tickets from the long deck": "write: draw tickets",
        "pass please": "write: pass",
        "castle kingside": "an action begins with claim",
        "": "an action begins with claim",
        "\ud800": "an action begins with claim",
    }
    for text, expected in cases.items():
        refusal(game, text, error=InvalidNotation)
        assert hint(game, text).startswith(expected), (text, hint(game, text))


def test_ids_and_actions_are_checked_too() -> None:
    game = position("europe", 3, hands={0: "2 purple"}).game
    last = game.legal()[-1].id
    assert refusal(game, -1).startswith("there is no action -1: this edition's are 0 to ")
    assert refusal(game, 10**6).startswith("there is no action 1000000")
    assert refusal(game, 10**5000).startswith("there is no action of so many digits")
    assert refusal(game, -(10**5000)).startswith("there is no action of so many digits")
    wrong: Any
    for wrong in (None, 1.0, True, np.True_, b"pass", ["pass"], Move(1, 0, game.legal()[0])):
        assert refusal(game, wrong, error=TypeError).startswith("an action is an Action, an id or a text, not ")
    stranger = next(
        a
        for a in position("europe", 3, hands={0: "3 purple"}).game.legal()
        if a.text == "claim Paris–Zürich with 3 purple"
    )
    assert refusal(game, stranger).endswith("needs 3 purple, you hold 2 (+0 locomotives)")
    assert refusal(game, replace(game.legal()[-1], text="draw everything")).startswith(
        "cannot draw everything: it comes from another moment"
    )
    number: Any = np.int64(last)
    assert game.play(number).action.id == last


def test_every_illegal_id_is_refused_with_a_reason() -> None:
    for edition, moves in (
        ("europe", 40),
        ("germany", 60),
        ("usa", 30),
        ("mega-europe", 1),
        ("germany", 1),
        ("germany", 6),
    ):
        game = played(edition, 3, seed=moves, moves=moves)
        legal = {action.id for action in game.legal()}
        for number in range(notation_of(game.edition).actions):
            if number not in legal:
                assert refusal(game, number).startswith("cannot ")
            else:
                assert game.find(number).id == number


def test_who_may_act() -> None:
    game = Game("usa", 3, seed=1, names=["Ann", "Bob", "Cem"])
    assert list(game.to_move) == [0, 1, 2]
    game.play("keep 1 2", 1)
    assert list(game.to_move) == [0, 2]
    assert refusal(game, "keep 1 2", 1) == "cannot play 'keep 1 2': Bob has chosen already; Ann, Cem still to choose"
    assert game.legal(1) == []
    game.play("keep 1 2", 2)
    game.play("keep 1 2")
    mover = game.to_move[0]
    other = (mover + 1) % 3
    assert refusal(game, "draw blind", other).startswith("cannot play 'draw blind': it is the turn of ")
    assert refusal(game, game.legal()[0], other).startswith("cannot draw blind: it is the turn of ")
    assert refusal(game, 1, other).startswith("cannot play action 1: it is the turn of ")
    assert game.legal(other) == []
    for bad in (-1, 3, 10**5000):
        assert refusal(game, "draw blind", bad, WhistlestopError).startswith("there is no player ")
        for ask in (game.legal, game.view):
            with pytest.raises(ValueError, match="there is no player"):
                ask(bad)
    wrong: Any = "0"
    assert refusal(game, "draw blind", wrong, TypeError) == "a player is a number from 0 to 2, not str"
    index: Any = np.int8(mover)
    assert game.play("draw blind", index).player == mover


def test_after_the_end_nothing_can_be_played() -> None:
    game = played("europe", 3)
    assert game.over
    assert game.to_move == ()
    assert game.legal() == game.legal(0) == []
    for action in ("draw blind", "nonsense", 3, game.history[-1].action):
        assert refusal(game, action).endswith(": the game is over")
    with pytest.raises(IllegalAction, match=r"there is no result: the game is not over, .* to move"):
        Game("usa").result()


WORDS = (
    *(
        "claim",
        "build",
        "station",
        "in",
        "at",
        "with",
        "draw",
        "keep",
        "announce",
        "pay",
        "give",
        "up",
        "take",
        "pass",
        "passenger",
    ),
    *(
        "tickets",
        "ticket",
        "blind",
        "no",
        "none",
        "and",
        "to",
        "1",
        "2",
        "3",
        "1st",
        "2nd",
        "red",
        "blue",
        "locomotive",
        "locomotives",
    ),
    *(
        "gray",
        "short",
        "long",
        "Paris",
        "Zürich",
        "Wien",
        "München",
        "–",
        "-",
        "(",
        ")",
        ",",
        ":",
        ";",
        "->",
        "99999999999999999999",
    ),
)


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    text=st.one_of(
        st.text(max_size=60),
        st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join),
    ),
    which=st.integers(0, 6),
)
@example(text="keep " + "9" * 900, which=0)
@example(text="claim " + "(" * 900 + " red" * 200, which=1)
def test_any_text_is_an_action_or_a_clear_error(text: str, which: int) -> None:
    game = states()[which]
    before = game.state_bytes()
    message = ""
    try:
        assert game.find(text) in game.legal()
    except (InvalidNotation, IllegalAction) as error:
        message = str(error)
    assert "\n" not in message
    assert game.state_bytes() == before


@cache
def states() -> list[Game]:
    """A game in every kind of phase."""
    tunnel = position("europe", 3, hands={0: "3 purple, 1 locomotive"}).play(
        "claim Marseille–Zürich with 2 purple", "purple red locomotive"
    )
    turn = position("europe", 3, hands={0: "3 purple, 3 red, 2 locomotive"})
    second = position("usa").play("draw blind", "red")
    passenger = position("germany", hands={0: "4 red"}).play("claim Düsseldorf–Köln (1st) with 1 red")
    offer = position("usa").play("draw tickets")
    return [Game("usa", 2, 1), turn.game, tunnel.game, Game("germany", 2, 1), second.game, passenger.game, offer.game]


@pytest.mark.parametrize("piece", ["a", " ", "- ", "claim é", "keep 1 ", "\n", "é"])
def test_very_long_texts_are_refused_at_once(piece: str) -> None:
    game, text = states()[1], piece * 10**6
    start = time.perf_counter()
    refusal(game, text, error=InvalidNotation)
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize("piece", ["claim ", "- ", "( ", "paris-", " with 1 red", "keep 1 and ", "é"])
def test_long_texts_are_quick(piece: str) -> None:
    text = (piece * 1000)[:999]
    start = time.perf_counter()
    for verb in ("", "claim ", "keep ", "draw ", "build station in ", "draw tickets: ", "take ", "pay ", "announce "):
        for game in states():
            refusal(game, (verb + text)[:1000], error=_error_of(game, (verb + text)[:1000]))
    assert time.perf_counter() - start < 60


def _error_of(game: Game, text: str) -> type[Exception]:
    with pytest.raises((InvalidNotation, IllegalAction)) as caught:
        game.find(text)
    return type(caught.value)


# ---- drafts ---------------------------------------------------------------------------------------------------------
def everything(game: Game) -> tuple[Any, ...]:
    """All that can be asked of a game."""
    views = [game.view(player).json() for player in (None, *range(game.players))]
    legal = [game.legal(player) for player in range(game.players)]
    return game.state_bytes(), game.history.copy(), game.generator, views, legal, str(game)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_draft_of_any_kind_of_action_changes_nothing(edition: str) -> None:
    game = Game(edition, 3, seed=4)
    kinds: set[str] = set()
    for player in wander(game, seed=4):
        new = {action.kind: action for action in game.legal(player) if action.kind not in kinds}
        before = everything(game) if new else ()
        for action in new.values():
            draft = game.draft(action, player)
            assert everything(game) == before
            assert (draft.move.number, draft.move.player, draft.move.action) == (len(game.history) + 1, player, action)
            twin = copy.copy(game)
            assert twin.play(action, player) == draft.move
            assert twin.state_bytes() == draft.state != draft.before == game.state_bytes()
        kinds |= set(new)
    features = {"station": game.edition.stations, "take_passenger": game.edition.board.passenger_colours}
    assert kinds >= {"keep", "claim", "draw_face_up", "draw_blind", "draw_tickets"}
    assert all(kind in kinds for kind, there in features.items() if there)


def test_a_game_of_drafts_is_the_game_played() -> None:
    one, two = Game("europe", 3, seed=6), Game("europe", 3, seed=6)
    for player in wander(one, seed=6):
        if one.history:
            last = one.history[-1]
            assert two.commit(two.draft(last.action, last.player)) == last
            assert everything(two) == everything(one)
        assert player in one.to_move


def test_of_two_drafts_of_a_position_one_is_committed() -> None:
    game = played("usa", moves=20)
    first, second = game.draft(game.legal()[0]), game.draft(game.legal()[-1])
    game.commit(second)
    before = everything(game)
    for draft in (first, second):
        with pytest.raises(
            StaleDraft, match=f"cannot {re.escape(draft.move.action.text)}: the game is no longer where"
        ):
            game.commit(draft)
        assert everything(game) == before
    game.undo()
    assert game.commit(first) == first.move


def test_drafts_of_other_games_are_refused() -> None:
    game = Game("usa", 2, seed=1)
    for other in (Game("usa", 2, seed=2), Game("europe", 2, seed=1), Game("usa", 3, seed=1)):
        with pytest.raises(StaleDraft):
            game.commit(other.draft("keep all"))
    easier = replace(game.edition, longest_path=99)
    with pytest.raises(StaleDraft, match="drafted in another game"):
        game.commit(Game(easier, 2, seed=1).draft("keep all"))
    wrong: Any = "keep all"
    with pytest.raises(TypeError, match="only a draft can be committed, not str"):
        game.commit(wrong)
    assert not game.history
    assert game.commit(Game("usa", 2, seed=1).draft("keep all")).number == 1


def test_drafts_on_written_outcomes() -> None:
    game = position("usa", 2, face_up="red blue white green black").game
    before = everything(game)
    draft = game.draft("draw red", outcome=[CARDS.index("yellow")])
    assert everything(game) == before
    assert draft.move.words == ("yellow",)
    assert draft.written
    with pytest.raises(ImpossibleOutcome):
        game.draft("draw red", outcome=[])
    assert everything(game) == before
    game.commit(draft)
    assert (game.generator, game.view(None).face_up[0]) == ("written", "yellow")
    assert isinstance(draft, Draft)


def test_the_generator_comes_back_when_all_written_moves_are_undone() -> None:
    game = Game("usa", 2, seed=3)
    for player in (0, 1):
        game.play("keep all", player)
    own = game.generator
    game.play("draw blind", outcome=[0])
    game.play("draw blind")
    assert (game.generator, game.at(3).generator, game.at(2).generator) == ("written", "written", own)
    game.undo()
    assert game.generator == "written"
    game.undo()
    assert game.generator == own
    assert eval(repr(game)).state_bytes() == game.state_bytes()


# ---- undo, copies, repr ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("edition", "players"), ALL)
def test_undo_walks_back_byte_for_byte(edition: str, players: int) -> None:
    game = Game(edition, players, seed=8)
    before = [game.state_bytes() for _ in wander(game, 8)]
    moves = list(game.history)
    for move, state in zip(reversed(moves), reversed(before), strict=True):
        assert game.undo() == move
        assert game.state_bytes() == state
        assert not game.status()
    assert game.history == []
    with pytest.raises(IllegalAction, match="nothing has been played"):
        game.undo()
    for move in moves:
        game.play(move.action, move.player)
    assert game.history == moves


def test_after_an_undo_other_play_is_possible() -> None:
    game = played("europe", 3, seed=5, moves=30)
    while game.phase != "turn":
        game.undo()
    n = len(game.history)
    results = set()
    for action in game.legal()[:20]:
        game.play(action)
        results.add(game.state_bytes())
        game.undo()
    assert len(results) == min(20, len(game.legal()))
    game.play("draw blind")
    assert len(game.history) == n + 1


def clones(game: Game) -> list[Game]:
    return [copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game)), Game.from_record(game.record())]


@pytest.mark.parametrize("moves", [0, 1, 2, 31, 10_000])
@pytest.mark.parametrize("edition", ["europe", "germany"])
def test_copies_are_equal_and_independent(edition: str, moves: int) -> None:
    game = played(edition, 3, seed=2, moves=moves, names=GOOD_NAMES[:3])
    before, text = game.state_bytes(), game.record()
    for clone in clones(game):
        assert (clone.state_bytes(), clone.record(), repr(clone)) == (before, text, repr(game))
        for _ in wander(clone, 9):
            pass
        while clone.history:
            clone.undo()
        assert (game.state_bytes(), game.record()) == (before, text)


def test_views_can_be_pickled() -> None:
    view = played("europe", 3, moves=30).view(1)
    again = pickle.loads(pickle.dumps(view))
    assert isinstance(again, View)
    assert again.json() == view.json()
    assert again.legal() == view.legal()
    assert copy.deepcopy(view).states.tobytes() == view.states.tobytes()


@pytest.mark.parametrize("moves", [0, 1, 3, 40, 10_000])
@pytest.mark.parametrize(("edition", "players"), [("usa", 2), ("europe", 5), ("mega-europe", 3), ("germany", 4)])
def test_repr_rebuilds_the_game(edition: str, players: int, moves: int) -> None:
    for more in ({}, {"first": 1, "names": GOOD_NAMES[-players:]}):
        game = played(edition, players, 4, moves, **more)
        again = eval(repr(game))
        assert (again.state_bytes(), again.record(), repr(again)) == (game.state_bytes(), game.record(), repr(game))


def test_repr_rebuilds_games_with_packs_and_map_files(tmp_path: Path) -> None:
    pack = tmp_path / "pack.toml"
    pack.write_text(PACK, "utf-8")
    games = [
        played("europe", 2, 3, 20, packs=[str(pack)]),
        played("europe", 2, 3, 20, packs=[pack]),
        played(load_edition("europe", [pack]), 2, 3, 20),
        Game.from_record(played("europe", 2, 3, 20, packs=[pack]).record()),
        played(VALLEY, 2, 3, 6),
        played(f"{VALLEY}:mixed", 3, 3, 6),
        played(load_edition(f"{VALLEY}:mixed"), 3, 3, 6),
        played(load_edition("usa"), 3, 3, 6),
    ]
    for game in games:
        again = eval(repr(game))
        assert (again.state_bytes(), again.record()) == (game.state_bytes(), game.record())
        assert again.edition == game.edition
        assert [t.text for t in again.view(0).offer] == [t.text for t in game.view(0).offer]


def test_a_game_that_cannot_be_rebuilt_says_so() -> None:
    board = parse_board(VALLEY.read_text("utf-8"))
    game = played(board.editions[0], 2, 3, 3)
    assert repr(game) == "<Game of The Valley: 2 players, seed 3, 3 actions played>"
    changed = Game(replace(load_edition("usa"), trains=20), 2, 3)
    assert repr(changed) == "<Game of USA: 2 players, seed 3, 0 actions played>"


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ("P1: fly", "record move 1: 'fly' is no action"),
        ("P1: keep 1 2; P2: keep 9", "record move 2: cannot keep ticket 9"),
        ("keep 1 2", "record move 1: 'keep 1 2' is no move"),
        ("P9: keep 1 2", "record move 1: there is no player 8"),
        ("P1: keep 1 2; P1: keep 1 2", "record move 2: cannot play 'keep 1 2': Player 1 has chosen already"),
    ],
)
def test_a_list_of_moves_that_cannot_be_played_is_refused(record: str, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        Game("usa", 2, 1, record=record)
    assert str(caught.value).startswith(reason)


def test_print_shows_how_things_stand() -> None:
    game = played("germany", 3, 1, 60, names=["Ann", "Bob", "Ümit K."])
    lines = str(game).splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("Germany, 3 players, 60 actions played: ")
    assert lines[3].startswith("  Ümit K.  ")
    assert "to move (" in lines[0]
    assert "the game is over" in str(played("usa", 2))
    game = Game("usa", 2, seed=1)
    game.play("keep 1 2", 0)
    assert str(game).startswith("USA, 2 players, 1 action played: Player 2 to move (choosing the first tickets)\n")


# ---- errors speak of what was typed ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("station Pari", "there is no city 'Pari' on this board"),
        ("Build Station in Pari with 1 Red", "there is no city 'Pari' on this board"),
        ("build station in Paris with 1 Rde", "'Rde' is no card"),
        ("CLAIM Paris - Pari", "there is no route 'Paris - Pari' on this board"),
        ("Give In", "'Give In' is no action"),
        ("Pass Now", "'Now': nothing can stand after pass"),
        ("station", "build a station where?"),
        ("Draw Rde", "'Rde' is no card"),
    ],
)
def test_errors_speak_of_what_was_typed(text: str, message: str) -> None:
    assert refusal(position("europe").game, text, error=InvalidNotation) == message


def test_players_are_a_number() -> None:
    wrong: Any
    for wrong, said in (("2", "as a number, not the text '2'"), (2.0, "as a number, not 2.0"), (7, "not 7")):
        with pytest.raises(WhistlestopError) as caught:
            Game("usa", wrong)
        assert str(caught.value) == f"USA is for 2 to 5 players, {said}"


# ---- written outcomes -----------------------------------------------------------------------------------------------
def test_outcomes_are_written_in_words_or_numbers() -> None:
    written: list[Any] = [["white"], ["White"], [3], [np.int64(3)], ("white",)]
    for outcome in written:
        assert position("usa").game.play("draw blind", outcome=outcome).words == ("white",)
    assert position("usa").game.play("draw blind", outcome=["loco"]).words == ("locomotive",)
    wrong: Any
    for wrong, said in (
        ("white", "outcomes are a list, such as ['purple'], not 'white'"),
        (3, "outcomes are a list, such as ['purple'], not 3"),
        ([None], "outcome 1 is a card by name or a number, not None"),
        (["red", 1.5], "outcome 2 is a card by name or a number, not 1.5"),
    ):
        with pytest.raises(TypeError) as caught:
            position("usa").game.play("draw blind", outcome=wrong)
        assert str(caught.value) == said
    with pytest.raises(InvalidNotation, match="'rde' is no card"):
        position("usa").game.play("draw blind", outcome=["rde"])


@pytest.mark.parametrize(
    ("action", "outcome", "message", "hint"),
    [
        ("draw blind", ["black"], "outcome 1, black, is impossible here", "outcome 1 can be red, locomotive"),
        ("draw blind", [9], "outcome 1, 9, is impossible here", "outcome 1 can be red, locomotive"),
        (
            "draw blind",
            [10**30],
            "outcome 1, 10000000000000000000, is impossible here",
            "outcome 1 can be red, locomotive",
        ),
        ("draw blind", [], "0 outcomes given, more are needed", "outcome 1 can be red, locomotive"),
        ("draw blind", ["red", "red"], "2 outcomes given, 1 needed", None),
        ("draw tickets", ["red"], "1 outcome given, none needed", None),
        (
            "claim Paris–Zürich with 3 purple",
            ["red", "red"],
            "2 outcomes given, more are needed",
            "outcome 3 can be red, locomotive",
        ),
        (
            "claim Paris–Zürich with 3 purple",
            ["red", "blue", "red"],
            "outcome 2, blue, is impossible here",
            "outcome 2 can be red, locomotive",
        ),
    ],
)
def test_impossible_outcomes_say_which_and_what_is_possible(
    action: str, outcome: list[int | str], message: str, hint: str | None
) -> None:
    game = position("europe", hands={0: "3 purple"}, deck="3 red, 1 locomotive").game
    before = game.state_bytes()
    with pytest.raises(ImpossibleOutcome) as caught:
        game.play(action, outcome=outcome)
    assert (caught.value.message, caught.value.hint) == (message, hint)
    assert game.state_bytes() == before


def test_an_impossible_setup_says_where() -> None:
    game = Game("usa", 2, seed=1)
    with pytest.raises(ImpossibleOutcome) as caught:
        game.set_up((2, *game.setup[1:]))
    assert (caught.value.message, caught.value.hint) == ("outcome 1, 2, is impossible here", "outcome 1 can be 0 to 1")


def test_outcomes_can_be_written_down() -> None:
    game = position("usa", hands={0: "red"}).game
    move = game.play("draw blind", outcome=[7])
    assert move.text == "draw blind -> red"
    assert game.view(0).hand == {"red": 2}
    assert game.generator == "written"
    for impossible in ([], [0, 1], [9], [-1], [10**6], [10**30]):
        before = game.state_bytes()
        with pytest.raises(ImpossibleOutcome):
            game.play("draw blind", outcome=impossible)
        assert game.state_bytes() == before
        assert len(game.history) == 1


def test_impossible_outcomes_of_simultaneous_choices_change_nothing() -> None:
    game = Game("big-cities", 3, seed=1)
    game.play("keep 1 2", 0)
    game.play("keep 1 2", 1)
    before = game.state_bytes()
    with pytest.raises(ImpossibleOutcome):
        game.play("keep 1 2", 2, outcome=[99])
    assert game.state_bytes() == before
    game = Game("usa", 3, seed=1)
    before = game.state_bytes()
    wrong: Any = ["red"]
    for outcome, error in (([99], ImpossibleOutcome), (wrong, TypeError)):
        with pytest.raises(error):
            game.play("keep 1 2", 2, outcome=outcome)
        assert game.state_bytes() == before


def test_a_setup_can_be_written_down() -> None:
    one, two = Game("usa", 2, seed=1), Game("usa", 2, seed=2)
    two.set_up(one.setup, "table")
    assert (two.generator, two.setup) == ("table", one.setup)
    assert two.view(0).json() == one.view(0).json()
    with pytest.raises(ImpossibleOutcome):
        two.set_up(one.setup[:-1])
    assert two.view(0).json() == one.view(0).json()
    two.play("keep 1 2")
    with pytest.raises(IllegalAction, match="the game is under way"):
        two.set_up(one.setup)


# ---- results --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("RULING-6")
@pytest.mark.parametrize(("edition", "players"), ALL)
def test_results_add_up(edition: str, players: int) -> None:
    for seed in range(3):
        game = played(edition, players, seed)
        result = check_result(game)
        assert result == game.result()
        assert check_text(result)


def check_text(result: Result) -> str:
    """The printed result says everything that matters."""
    text = str(result)
    for player in result.players:
        assert player.name in text
        assert str(player.total) in text
        for ticket in (*player.completed, *player.failed):
            assert ticket.text in text
        for use in player.borrowed:
            assert f"station in {use.city}: {use.route or 'not needed'}" in text
        if player.path_tracks:
            assert "–".join(player.path_cities) in text
    assert text.endswith(f"{result.verdict}.")
    assert max(len(line) for line in text.splitlines()[: len(result.players) + 1]) < 80
    assert text == "\n".join(line.rstrip() for line in text.splitlines())
    return text


def test_stations_borrow_and_the_result_shows_it() -> None:
    where: dict[str, Any] = {"owned": {0: ["Paris–Zürich"], 1: ["München–Zürich"]}, "stations": {0: ["Zürich", "Roma"]}}
    idle = check_result(position("europe", over=True, **where).game).players[0]
    assert [use.text for use in idle.borrowed] == ["Roma: not needed", "Zürich: not needed"]
    where["owned"] = {0: ["Budapest–Wien (red)", "München–Wien"], 1: ["München–Zürich"]}
    where["stations"] = {0: ["München", "Roma"]}
    used = check_result(position("europe", over=True, tickets={0: ["Zürich–Budapest"]}, **where).game)
    assert [use.text for use in used.players[0].borrowed] == ["München: München–Zürich", "Roma: not needed"]
    assert [ticket.text for ticket in used.players[0].completed] == ["Zürich–Budapest (6)"]
    assert "  station in München: München–Zürich" in str(used)


def test_a_shared_victory_and_a_tie_break_are_named() -> None:
    shared = position("usa", over=True).result()
    assert (shared.winners, shared.decided_by, shared.verdict) == (
        (0, 1),
        "shared",
        "Player 1 and Player 2 win together",
    )
    kinds = Counter(played(edition, 2, seed).result().ended_by for edition, seed in (("usa", 1), ("europe", 1)))
    assert kinds == {"trains ran out": 2}


def test_result_is_plain_data() -> None:
    import json

    for edition in EDITIONS:
        data = played(edition, 3).result().json()
        assert json.loads(json.dumps(data)) == data
        assert set(data) == {"players", "winners", "decided_by", "ended_by"}


# ---- positions set up by hand ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(("edition", "players"), ALL)
def test_an_empty_position_is_sound_and_can_be_played(edition: str, players: int) -> None:
    game = Game.position(edition, players)
    assert (game.phase, game.to_move, game.history, game.status()) == ("turn", (0,), [], [])
    for _ in wander(game, seed=3, moves=30):
        assert not game.status()
    assert game.view(0).json()["phase"]
    while game.history:
        game.undo()
    assert game.state_bytes() == Game.position(edition, players).state_bytes()
    with pytest.raises(IllegalAction, match="nothing has been played"):
        game.undo()


def test_a_position_has_what_it_is_given() -> None:
    game = Game.position(
        "europe",
        3,
        names=["Ann", "Bob", "Cem"],
        hands={0: "3 Purple, 1 loco", 1: "2 red"},
        face_up="red red blue white green",
        discard="4 black",
        tracks={1: ["zurich-paris"], 2: ["Frankfurt–Paris (orange)"]},
        stations={0: ["Wien"]},
        tickets={0: ["Palermo–Constantinople"], 2: ["Athina to Edinburgh (21)"]},
        to_move=1,
        last_round=2,
    )
    view = game.view(0)
    assert view.hand == {"purple": 3, "locomotive": 1}
    assert view.face_up == ("red", "red", "blue", "white", "green")
    assert (view.discard, game.to_move, view.last_round) == ({"black": 4}, (1,), 2)
    assert game.owners() == {track: owner for track, owner in game.owners().items() if owner in (1, 2)}
    assert sorted(game.owners().values()) == [1, 2]
    assert game.stations() == {"Wien": 0}
    assert [ticket.text for ticket in view.tickets] == ["Palermo–Constantinople (8)"]
    assert (view.players[1].trains, view.players[1].points) == (42, 4)
    assert game.names == ("Ann", "Bob", "Cem")
    assert repr(game) == "<Game of Europe, set up by hand: 3 players, 0 actions played>"
    with pytest.raises(WhistlestopError, match="set up by hand cannot be recorded"):
        game.record()
    with pytest.raises(IllegalAction, match="set up by hand"):
        game.set_up(game.setup)
    twin = pickle.loads(pickle.dumps(copy.copy(game)))
    assert (twin.state_bytes(), repr(twin)) == (game.state_bytes(), repr(game))


@pytest.mark.parametrize(
    ("what", "message", "hint"),
    [
        ({"hands": {0: "13 red"}}, "13 red cards in the position, the game has 12", None),
        ({"hands": {0: "rde"}}, "'rde' is no card", "did you mean red?"),
        ({"hands": {2: "red"}}, "there is no player 2: the players are 0 to 1", None),
        ({"to_move": 5}, "there is no player 5: the players are 0 to 1", None),
        ({"tracks": {0: ["Paris–Pari"]}}, "there is no route 'Paris–Pari' on this board", None),
        ({"tracks": {0: ["Paris–Zürich"], 1: ["Paris–Zürich"]}}, "Paris–Zürich is given twice", None),
        (
            {"tickets": {0: ["Athina–Edinburg"]}},
            "there is no ticket 'Athina–Edinburg'",
            "did you mean `Athina–Edinburgh`?",
        ),
        ({"tickets": {0: ["Edinburgh–Athina"] * 2}}, "the ticket 'Edinburgh–Athina' is given twice", None),
        ({"stations": {0: ["Wein"]}}, "there is no city 'Wein'", "did you mean Wien?"),
        (
            {"stations": {0: ["Wien"], 1: ["Wien"]}},
            "this position cannot be: stations: wrong number, or two in one city",
            None,
        ),
        (
            {"face_up": "red red"},
            "this position cannot be: cards: the deck is empty beside discards, or a face-up gap",
            None,
        ),
        ({"face_up": "6 red"}, "6 face-up cards: there is room for 5", None),
        ({"passengers": {"Wien": "red"}}, "Europe has no passengers", None),
    ],
)
def test_positions_that_cannot_be(what: dict[str, Any], message: str, hint: str | None) -> None:
    with pytest.raises(WhistlestopError) as caught:
        Game.position("europe", 2, **what)
    assert str(caught.value).startswith(message)
    assert hint is None or caught.value.hint == hint


def test_a_position_has_no_other_fields() -> None:
    with pytest.raises(TypeError, match="a position has no cards; it has hands, known, face_up"):
        Game.position("usa", cards="red")
