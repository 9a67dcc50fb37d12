"""Lessons: who does as the guide says meets the same game every time, and it ends well."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import httpx
import pytest

from support.clients import Client, ServerThread, checked
from whistlestop.bots import Limit, bot
from whistlestop.game import Game
from whistlestop.rulebook import LANGUAGES, known_editions, rules
from whistlestop.server.end_messages import EndData
from whistlestop.server.lessons import BOT_SEED, LESSONS, OPPONENT, lesson_game
from whistlestop.server.messages import LessonName, RulesData, SeatKey

NAMES = ("Ada", "Ben")
FOLLOWED: dict[LessonName, tuple[str, ...]] = {
    "usa": (
        "claim Chicago–Saint Louis (green) with 2 green",
        "draw purple",
        "draw blind",
        "claim Little Rock–Saint Louis with 2 purple",
        "draw locomotive",
        "claim Little Rock–New Orleans with 2 green 1 locomotive",
        "draw tickets",
        "keep 1",
        "claim Kansas City–Saint Louis (blue) with 2 blue",
    ),
    "europe": (
        "claim Dieppe–London (1st) with 1 red 1 locomotive",
        "claim München–Zürich with 2 yellow",
        "pay 1 yellow",
        "station München with 1 red",
    ),
    "germany": (
        "draw tickets 3 short 1 long",
        "keep 1",
        "claim Hamburg–Hannover (red) with 4 red",
        "take red",
        "take red",
        "claim Hannover–Kassel (1st) with 3 blue",
    ),
}
"""What the guide of each lesson asks for, in order."""


SCRIPT = Path(__file__).parents[2] / "web" / "src" / "learn" / "lessons.ts"
"""What the guide points at and waits for."""


@pytest.mark.parametrize("lesson", LESSONS)
def test_everything_that_the_guide_speaks_of_is_on_the_board(lesson: LessonName) -> None:
    script = SCRIPT.read_text("utf-8")
    steps = script.partition(f"const {lesson}: Step[] = [")[2].partition("\n];")[0]
    consts = dict(re.findall(r"const (\w+_TICKET) = (\[.*?\]) as const", script))
    game = lesson_game(lesson, NAMES)
    tracks = {frozenset(track_name(game, i).split("–")) for i in range(len(game.edition.board.tracks))}
    tickets = {frozenset((ticket.a, ticket.b)) for deck in game.edition.decks for ticket in deck.tickets}
    claimed = [frozenset(pair) for pair in re.findall(r'(?:track|claim): \["([^"]+)", "([^"]+)"\]', steps)]
    assert len(claimed) > 2
    assert set(claimed) <= tracks
    wanted = {frozenset(re.findall(r'"([^"]+)"', consts[name])) for name in re.findall(r"\w+_TICKET", steps)}
    assert wanted
    assert wanted <= tickets
    cities = {city.name for city in game.edition.board.cities}
    assert set(re.findall(r'city: "([^"]+)"', steps)) <= cities


def opponent_plays(game: Game) -> None:
    gentle = bot(OPPONENT, BOT_SEED)
    while not game.over and 1 in game.to_move:
        game.play(gentle.act(game.view(1), Limit()).id, 1)


def followed(lesson: LessonName) -> Game:
    """A lesson in which somebody did what the guide says."""
    game = lesson_game(lesson, NAMES)
    for wanted in FOLLOWED[lesson]:
        assert 0 in game.to_move, f"the game was over before: {wanted}"
        game.play(wanted, 0)
        opponent_plays(game)
    return game


def test_every_lesson_has_a_name_that_messages_know() -> None:
    assert tuple(LESSONS) == get_args(LessonName)


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_is_a_sound_game_of_its_edition_with_fewer_trains(lesson: LessonName) -> None:
    game = lesson_game(lesson, NAMES)
    assert game.status() == []
    assert game.edition.id == LESSONS[lesson].edition
    assert game.to_move == (0,)
    assert game.edition.trains == LESSONS[lesson].trains < 20
    held = [len(game.view(player).tickets) for player in (0, 1)]
    decks = sum(game.view(None).json()["ticket_decks"].values())
    gone = sum(len(deck.tickets) for deck in game.edition.decks if deck.leaves)
    assert sum(held) + decks + gone == sum(len(deck.tickets) for deck in game.edition.decks)


def test_the_first_game_goes_as_the_guide_says() -> None:
    game = followed("usa")
    done = [ticket for ticket in game.view(0).tickets if ticket.completed]
    assert [(ticket.a, ticket.b) for ticket in done] == [("Chicago", "New Orleans")]
    assert game.view(0).players[0].trains == 4
    houston = next(
        i for i, track in enumerate(game.edition.board.tracks) if track_name(game, i) == "Houston–New Orleans"
    )
    assert houston not in game.owners()


def track_name(game: Game, track: int) -> str:
    found = game.edition.board.tracks[track]
    cities = game.edition.board.cities
    return f"{cities[found.a].name}–{cities[found.b].name}"


def test_europe_shows_ferry_tunnel_and_station_and_is_over() -> None:
    game = followed("europe")
    assert game.over
    mine = game.result().players[0]
    assert [(ticket.a, ticket.b) for ticket in mine.completed] == [("London", "Wien")]
    assert [borrowed.city for borrowed in mine.borrowed] == ["München"]


def test_germany_shows_decks_and_passengers_and_comes_to_its_last_round() -> None:
    game = followed("germany")
    assert game.view(0).last_round is not None or game.phase == "passenger"
    assert sum(game.view(0).players[0].passengers.values()) >= 2


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_that_is_played_otherwise_ends_all_the_same(lesson: LessonName) -> None:
    game, other = lesson_game(lesson, NAMES), bot("random", 5)
    while not game.over:
        if 0 in game.to_move:
            game.play(other.act(game.view(0), Limit()).id, 0)
        opponent_plays(game)
    assert game.result().players[0].total is not None


def test_a_lesson_is_a_table_like_any_other(server: ServerThread) -> None:
    answer = httpx.post(f"{server.url}/api/lessons/europe", json={"name": "Ada", "colour": 2})
    opened = checked(answer.content, SeatKey)
    learner = Client(server.url, opened["table"], opened["key"], opened["seats"])
    table = learner.data()
    assert (table["lesson"], table["edition"], table["status"]) == ("europe", "europe", "playing")
    assert [(seat["kind"], seat["bot"], seat["colour"]) for seat in table["seats"]] == [
        ("person", None, 2), ("bot", OPPONENT, 0),
    ]  # fmt: skip
    for wanted in FOLLOWED["europe"]:
        frame = learner.view(wait=20, known=100_000)
        learner.act(frame["n"], wanted)
    end = learner.good(EndData, "GET", "/end")
    assert [row["from"] for row in end["result"]["players"][0]["completed"]] == ["London"]
    assert end["timeline"][0]["trains"] == [6, 7]
    assert learner.refused("GET", "/record") == (404, "no_record")
    server.run(lambda: forget(server, opened["table"]))
    assert learner.good(EndData, "GET", "/end")["result"] == end["result"]


async def forget(server: ServerThread, table: str) -> None:
    server.hall.forget(await server.hall.get(table))


def test_there_is_no_other_lesson(server: ServerThread) -> None:
    assert httpx.post(f"{server.url}/api/lessons/moon", json={}).status_code == 422


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_of_every_edition_in_every_language(server: ServerThread, language: str) -> None:
    for edition in known_editions():
        answer = httpx.get(f"{server.url}/api/editions/{edition}/rules", params={"language": language})
        found = checked(answer.content, RulesData)
        told = [(rule["id"], rule["text"]) for chapter in found["chapters"] for rule in chapter["rules"]]
        assert told == [(rule.id, rule.text) for rule in rules(edition, language)]
        assert all(chapter["intro"] for chapter in found["chapters"])
