"""Actions in words: every id has one text, every text its id, in every state."""

from __future__ import annotations

import json
import random
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.games import ALL, EDITIONS, VALLEY, played, wander
from support.positions import position
from whistlestop import Action, Game, InvalidNotation, load_edition
from whistlestop.engine import layout as lay
from whistlestop.mapfile import CARDS, Deal, parse_board
from whistlestop.notation import Notation, Situation, cards_text, notation_of, parse_cards
from whistlestop.spelling import fold, loose, many, spellings
from whistlestop.views import legal_actions, situation_of

KINDS = {
    "pass": set(),
    "draw_blind": set(),
    "draw_face_up": {"card"},
    "draw_tickets": {"mix"},
    "announce": {"mix"},
    "keep": {"kept", "tickets"},
    "pay_extra": {"cards"},
    "give_up": set(),
    "take_passenger": {"at", "passenger"},
    "claim": {"track", "from", "to", "cards"},
    "station": {"city", "cards"},
}
"""Kinds of action and the parts each has."""


def check_actions(words: Notation, legal: list[Action], situation: Situation) -> None:
    """Texts are unique, each is read back as its own id, and the JSON is whole."""
    assert len({action.text for action in legal}) == len({fold(action.text) for action in legal}) == len(legal)
    assert len(set(legal)) == len(legal)  # they can be hashed
    for action in legal:
        check_action(words, action, situation)


def check_action(words: Notation, action: Action, situation: Situation) -> None:
    assert words.action(action.id, situation) == action
    assert words.meant(action.text, situation) == [action.id]
    data = action.json()
    assert json.loads(json.dumps(data)) == data
    assert (data["id"], data["kind"], data["text"]) == (action.id, action.kind, str(action))
    parts = set(data) - {"id", "kind", "text"}
    assert parts == KINDS[action.kind] or (action.kind == "draw_tickets" and not parts)
    assert {type(value) for value in data.values()} <= {int, str, dict, list, type(None)}
    fields = data | {"place": data.get("at"), "ends": (data["from"], data["to"]) if "from" in data else None}
    for name in ("track", "city", "card", "place", "passenger", "ends"):
        assert getattr(action, name) == fields.get(name)
    for name in ("cards", "mix"):
        assert dict(getattr(action, name)) == fields.get(name, {})
    for name in ("kept", "tickets"):
        assert list(getattr(action, name)) == fields.get(name, [])


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "players"), ALL)
def test_texts_and_ids_in_whole_games(edition: str, players: int) -> None:
    words = notation_of(load_edition(edition))
    kinds = set()
    for seed in range(2):
        game = Game(edition, players, seed)
        for player in wander(game, seed):
            legal = legal_actions(game.edition, game._states, player)
            situation = situation_of(game.edition, game._states, player)
            kinds |= {action.kind for action in legal}
            if len(legal) < 40 or len(game.history) % 20 == 0:
                check_actions(words, legal, situation)
            assert [action.id for action in legal] == sorted(action.id for action in legal)
            for action in legal[:: max(1, len(legal) // 4)]:
                assert (
                    game.find(action.text, player)
                    == game.find(action.id, player)
                    == game.find(action, player)
                    == action
                )
    assert kinds >= {"claim", "keep", "draw_blind", "draw_face_up", "draw_tickets"}
    assert ("station" in kinds) == ("give_up" in kinds) == bool(game.edition.stations)
    assert ("announce" in kinds) == ("take_passenger" in kinds) == (edition == "germany")


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_claim_and_station_has_its_own_text(edition: str) -> None:
    words = notation_of(load_edition(edition))
    for cost in (1, 2, 3):
        situation = Situation(station_cost=cost)
        claims = words.in_words(range(lay.CLAIM, words.station_first), situation)
        check_actions(words, claims, situation)
        ways = [n for n in range(words.station_first, words.actions) if _is_way(words, n, cost)]
        assert len(ways) == (len(words.cities) * (8 * cost + 1) if words.edition.stations else 0)
        check_actions(words, words.in_words(ways, situation), situation)
    assert claims is not None
    assert {a.track for a in claims} == set(range(len(words.edition.board.tracks)))


def _is_way(words: Notation, action: int, cost: int) -> bool:
    way = (action - words.station_first) % lay.STATION_PAYMENTS
    return way == lay.ALL_LOCO_STATION or way % lay.MAX_STATIONS < cost


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_same_action_is_the_same_object(edition: str) -> None:
    words = notation_of(load_edition(edition))
    for number in range(lay.CLAIM, words.actions):
        assert words.action(number, Situation()) is words.action(number, Situation())


def spoilt(text: str, rng: random.Random) -> str:
    """The text as a hurried person may type it."""
    if rng.random() < 0.5:
        text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    text = rng.choice((str, str.upper, str.lower, str.title, str.swapcase))(text)
    text = text.replace("–", rng.choice("-–—‐") if rng.random() < 0.7 else " - ")
    text = "".join(c + " " * rng.randrange(3) if c == " " else c for c in text)
    return rng.choice(("", " ", "\t")) + text + rng.choice(("", " ", "\n"))


@pytest.mark.parametrize(("edition", "players"), [("usa", 2), ("europe", 3), ("mega-europe", 4), ("germany", 5)])
def test_hurried_spelling_is_understood(edition: str, players: int) -> None:
    rng = random.Random(5)
    game = Game(edition, players, 5)
    for player in wander(game, 5):
        action = rng.choice(game.legal(player))
        assert game.find(spoilt(action.text, rng), player) == action


@pytest.mark.parametrize("edition", EDITIONS)
def test_cities_go_by_all_their_names_and_either_way_round(edition: str) -> None:
    board = load_edition(edition).board
    words = notation_of(load_edition(edition))
    for i, track in enumerate(board.tracks):
        for a in (board.cities[track.a].name, *board.cities[track.a].aliases):
            for b in (board.cities[track.b].name, *board.cities[track.b].aliases):
                for text in (f"{a}–{b}", f"{b}-{a}", f"{a} to {b}", f"{b} {a}"):
                    meant = words.meant(f"claim {text}", Situation())
                    assert set(words.claims(i)) <= set(meant), text
                    assert {words.route_of(words.claim(n)[0]) for n in meant} == {words.route_of(i)}


def test_places_with_odd_names_keep_their_texts() -> None:
    text = VALLEY.read_text("utf-8")
    odd = {"Bach": "Ba; P2: pass", "Chur": "x -> red", "Dorf": "A, B with 3 red", "Alm": "keep none"}
    for name, strange in odd.items():
        text = text.replace(f'"{name}"', f'"{strange}"')
    edition = parse_board(text).editions[0]
    for seed in range(6):
        game = Game(edition, 2, seed)
        for player in wander(game, seed):
            legal = game.legal(player)
            assert len({action.text for action in legal}) == len(legal)
            for action in legal:
                assert game.find(action.text, player) == action
        assert Game.from_record(game.record(), edition).state_bytes() == game.state_bytes()


def test_cities_that_differ_by_an_accent_only() -> None:
    text = VALLEY.read_text("utf-8").replace('"Chur"', '"Älm"')
    edition = parse_board(text).editions[0]
    words = notation_of(edition)
    with pytest.raises(InvalidNotation, match="Alm or Älm"):
        words.meant("build station in alm with 1 red", Situation())
    for seed in range(4):
        game = Game(edition, 2, seed)
        for player in wander(game, seed):
            for action in game.legal(player):
                assert game.find(action.text, player) == action


def test_routes_that_differ_by_an_accent_only_are_asked_back() -> None:
    text = (
        VALLEY.read_text("utf-8")
        .replace('"Chur"', '"Älm"')
        .replace('length = 3, colour = "gray"', 'length = 2, colour = "gray"')
    )
    game = position(parse_board(text).editions[0], hands={0: "2 locomotive"}).game
    with pytest.raises(InvalidNotation, match="can be done in 2 ways"):
        game.find("claim alm-bach with 2 locomotives")
    assert game.find("claim Bach–Älm with 2 locomotives").text == "claim Bach–Älm with 2 locomotives"


def test_the_second_deal_may_be_the_announced_one() -> None:
    deals = (Deal((1, 0), 0, 1, 0, "bottom"), Deal((2, 0), 1, 2, 1, "reshuffle", announce=True))
    edition = replace(load_edition("germany"), first_tickets=deals)
    game = Game(edition, 2, 1)
    for player in (0, 1):
        game.play("keep 1", player)
    assert game.phase == "announce"
    assert [action.text for action in game.legal(0)] == [
        "announce 2 short",
        "announce 1 long, 1 short",
        "announce 2 long",
    ]


# ---- cards and spelling ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("2 purple, 1 locomotive", {"purple": 2, "locomotive": 1}),
        ("locomotive purple purple", {"purple": 2, "locomotive": 1}),
        ("1 loco and 2 purple cards", {"purple": 2, "locomotive": 1}),
        ("2x red + 2 LOCOS", {"red": 2, "locomotive": 2}),
        ("3Red", {"red": 3}),
        ("0 red, 1 blue", {"blue": 1}),
    ],
)
def test_cards_are_read(text: str, cards: dict[str, int]) -> None:
    assert parse_cards(text) == cards


@pytest.mark.parametrize("text", ["", "3", "red 3", "3 3 red", "3 rde", "-3 red", "3 red!", "mauve", "1 2", "½ red"])
def test_cards_that_are_none(text: str) -> None:
    with pytest.raises(InvalidNotation, match="hint: "):
        parse_cards(text)


@given(st.dictionaries(st.sampled_from(CARDS), st.integers(1, 12), min_size=1))
def test_cards_go_there_and_back(cards: dict[str, int]) -> None:
    assert parse_cards(cards_text(cards.items())) == cards


@given(st.text(max_size=80))
@settings(max_examples=300)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert loose(loose(text)) == loose(text)


def test_spellings() -> None:
    assert spellings(["München", "Munich"]) == ["munchen", "muenchen", "munich"]
    assert fold(" Kobenhavn —\tSt.  Gallen ") == "kobenhavn-st. gallen"
    assert fold("København") == "kobenhavn"
    assert loose("Sault St. Marie–Montréal") == "sault st marie montreal"
    assert (many(1, "train"), many(0, "train"), many(2, "train")) == ("1 train", "0 trains", "2 trains")


def test_history_reads_as_text() -> None:
    game = played("europe", 3, 2, 30)
    assert [str(move.action) for move in game.history] == [move.action.text for move in game.history]
    assert all(move.text.startswith(move.action.text) for move in game.history)
    assert all((" -> " in move.text) == bool(move.outcome) for move in game.history)
