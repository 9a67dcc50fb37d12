"""Levels at the tables of a server: what is offered, how their bots play, and what happens until they are ready."""

from __future__ import annotations

import logging
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from support.clients import Client, Data, ServerThread, open_table, refusal, seats, wait_until
from whistlestop.bots import bot_names
from whistlestop.bots.levels import CHARACTERS, LEVELS
from whistlestop.game import Action, Game, Move
from whistlestop.server import bot_preparation, messages
from whistlestop.server.bot_pace import QUICK, SLOW, TRAIN_SECONDS, TUNNEL_SECONDS, USUAL, natural_pause

NAMES = [level.name for level in LEVELS]
COMPILED = ("planner", "expert")
"""Bots that are not ready on a fresh machine."""
PREPARING = 120.0
"""Seconds in which they are made ready, with the lowest priority, on a machine that is busy otherwise."""


def bots_of(server: ServerThread) -> dict[str, Data]:
    """What a server tells of its bots, by name and in order."""
    answer = httpx.get(f"{server.url}/api/bots", trust_env=False, timeout=60)
    return {found["name"]: messages.BotData.model_validate(found, strict=True).model_dump() for found in answer.json()}


def ask_for(server: ServerThread, bot: str) -> httpx.Response:
    """The answer to whoever wants to play against a bot."""
    body = {"edition": "usa", "seats": seats("me", bot), "start": True, "pace": "instant"}
    return httpx.post(f"{server.url}/api/tables", json=body, trust_env=False, timeout=60)


def said(caplog: pytest.LogCaptureFixture, event: str) -> list[dict[str, Any]]:
    """The facts of the log's lines about something."""
    return [record.facts for record in caplog.records if record.getMessage() == event]  # type: ignore[attr-defined]


# ---- what is offered ------------------------------------------------------------------------------------------------
def test_levels_are_listed_from_weak_to_strong(server: ServerThread) -> None:
    listed = bots_of(server)
    assert [name for name, found in listed.items() if found["kind"] == "level"] == NAMES
    assert list(listed)[: len(NAMES)] == NAMES, "other bots come after them"
    assert NAMES == ["beginner", "casual", "club", "master", "grandmaster"]
    for level in LEVELS:
        found = listed[level.name]
        assert (found["title"], found["summary"]) == (level.title, level.summary)
        assert found["readiness"] == "ready"
        known = [f"{level.name}-{one.name}" for one in CHARACTERS if f"{level.bot}-{one.name}" in bot_names()]
        assert [one["bot"] for one in found["characters"]] == (known if level.has_characters else [])
    assert listed["random"]["kind"] == "fallback"
    assert not {"planner", "expert"} & set(listed), "what a level stands for is not offered twice"


@pytest.mark.parametrize("level", NAMES)
def test_a_bot_of_each_level_plays_within_its_limit(
    server: ServerThread, caplog: pytest.LogCaptureFixture, level: str
) -> None:
    with caplog.at_level(logging.INFO, "whistlestop.server"):
        client = open_table(server.url, "usa", level, "casual", first=0)
        moves = 3 if level == "grandmaster" else 12
        wait_until(lambda: client.data()["n"] >= moves)
    assert client.data()["seats"][0]["bot"] == level
    assert [facts for facts in said(caplog, "bot failed") if facts["table"] == client.table] == []


def test_seats_can_be_given_a_level_later(server: ServerThread) -> None:
    client = open_table(server.url, "usa", "me", "open", "open")
    found = client.good(messages.TableData, "PATCH", "/seats/1", json={"kind": "bot", "bot": "club"})
    assert found["seats"][1]["bot"] == "club"
    assert client.refused("PATCH", "/seats/1", json={"kind": "bot", "bot": "clubb"}) == (422, "no_such_bot")
    started = client.good(messages.TableData, "POST", "/start", json={"fill": "beginner"})
    assert [seat["bot"] for seat in started["seats"]] == [None, "club", "beginner"]


def test_tables_with_bots_of_before_go_on(tmp_path: Path) -> None:
    """What is stored is a bot's name: casual is a level now, random is none."""
    with ServerThread(tmp_path) as first:
        opened = open_table(first.url, "usa", "me", "casual", "random", start=False)
    with ServerThread(tmp_path) as second:
        client = Client(second.url, opened.table, opened.key, opened.seats)
        client.good(messages.TableData, "POST", "/start", json={})
        wait_until(lambda: client.data()["n"] == 2)
        assert [seat["bot"] for seat in client.data()["seats"]] == [None, "casual", "random"]


# ---- until they are ready -------------------------------------------------------------------------------------------
def forget_compiled(patch: pytest.MonkeyPatch) -> None:
    """From now on servers think that the stronger bots were never compiled on this machine."""
    patch.setattr(bot_preparation, "is_ready", lambda name: not name.startswith(COMPILED))


def test_stronger_levels_get_ready_while_others_play(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_compiled(monkeypatch)
    with caplog.at_level(logging.INFO, "whistlestop.server"), ServerThread(tmp_path, prepare_bots=True) as server:
        listed = bots_of(server)
        assert {name: listed[name]["readiness"] for name in NAMES} == {
            "beginner": "ready", "casual": "ready", "club": "preparing", "master": "preparing",
            "grandmaster": "preparing",
        }  # fmt: skip
        answer = ask_for(server, "master")
        assert refusal(answer) == (503, "bot_not_ready")
        assert "casual" in answer.json()["hint"]
        assert ask_for(server, "casual").status_code == 201
        wait_until(lambda: all(found["readiness"] == "ready" for found in bots_of(server).values()), PREPARING)
        assert ask_for(server, "master").status_code == 201
    assert [facts["bot"] for facts in said(caplog, "bot ready")][:2] == list(COMPILED), "the planner comes first"


def test_a_seat_waits_for_its_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an upgrade a game goes on with bots that are compiled anew."""
    with ServerThread(tmp_path) as first:
        opened = open_table(first.url, "usa", "me", "club", start=False)
    forget_compiled(monkeypatch)
    with ServerThread(tmp_path, prepare_bots=True) as second:
        client = Client(second.url, opened.table, opened.key, opened.seats)
        client.good(messages.TableData, "POST", "/start", json={})
        assert client.data()["n"] == 0
        assert bots_of(second)["club"]["readiness"] == "preparing"
        wait_until(lambda: client.data()["n"] == 1, PREPARING)
        assert bots_of(second)["club"]["readiness"] == "ready"


def test_bots_that_cannot_be_made_ready_take_no_seat(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seats that have one already are played by the stand-in."""
    with ServerThread(tmp_path) as first:
        opened = open_table(first.url, "usa", "me", "club", start=False)
    forget_compiled(monkeypatch)
    with caplog.at_level(logging.INFO, "whistlestop.server"), ServerThread(tmp_path, prepare_bots=False) as second:
        wait_until(lambda: bots_of(second)["club"]["readiness"] == "failed")
        answer = ask_for(second, "club")
        assert refusal(answer) == (503, "bot_not_ready")
        assert "log" in answer.json()["hint"]
        client = Client(second.url, opened.table, opened.key, opened.seats)
        client.good(messages.TableData, "POST", "/start", json={})
        wait_until(lambda: client.data()["n"] == 1)
    assert [facts["bot"] for facts in said(caplog, "bot no longer offered")] == ["club"]


# ---- how long they take ---------------------------------------------------------------------------------------------
def pauses(phase: str, text: str, pace: float = 1.0) -> tuple[float, float]:
    """Shortest and longest pause before an action, of many."""
    game = Game("usa", 2, seed=1)
    for player in (0, 1):
        game.play("keep 1 2", player)
    action = next(legal for legal in game.legal() if legal.text == text)
    found = [natural_pause(phase, action, pace, Random(seed)) for seed in range(500)]
    return min(found), max(found)


def test_pauses_are_natural() -> None:
    for (shortest, longest), (least, most) in (
        (pauses("turn", "draw blind"), USUAL),
        (pauses("second_card", "draw blind"), QUICK),
        (pauses("turn", "draw tickets"), SLOW),
    ):
        assert least <= shortest < longest <= most
        assert longest - shortest > 0.9 * (most - least), "they vary"
    assert pauses("turn", "draw blind", 0.0) == (0.0, 0.0)
    assert pauses("turn", "draw tickets", 1.8)[1] > SLOW[1]


def test_bots_wait_until_a_claim_has_been_shown() -> None:
    game = Game("europe", 2, seed=1)
    for player in (0, 1):
        game.play("keep 1 2", player)
    draw = next(legal for legal in game.legal() if legal.text == "draw blind")
    claim = Action(0, "claim", "claim A-B with 3 red", cards=(("red", 3),))
    plain, dug = Move(3, 0, claim), Move(3, 0, claim, (1, 2, 3))
    usual, after_claim, after_tunnel, instant = (
        natural_pause("turn", draw, pace, Random(1), last)
        for pace, last in ((1.0, Move(3, 0, draw)), (1.0, plain), (1.0, dug), (0.0, dug))
    )
    assert after_claim == pytest.approx(usual + 3 * TRAIN_SECONDS)
    assert after_tunnel == pytest.approx(after_claim + TUNNEL_SECONDS)
    assert instant == 0.0


def gaps(server: ServerThread, pace: str) -> list[float]:
    """Seconds between the actions of two bots that somebody watches."""
    host = open_table(server.url, "usa", "casual", "casual", pace=pace, start=False)
    with host.spectator().connect() as line:
        host.good(messages.TableData, "POST", "/start", json={})
        line.frame(9)
    moves = [move for message in line.got if message["t"] == "frame" for move in message["moves"]]
    at = [move["at"] for move in moves if move["n"] >= 2]
    return [later - earlier for earlier, later in pairwise(at)]


def test_bots_take_their_time_only_where_they_are_asked_to(server: ServerThread) -> None:
    natural, instant = gaps(server, "brisk"), gaps(server, "instant")
    assert len(natural) >= 6
    assert min(natural) >= QUICK[0]
    assert sum(instant) < 0.35 * len(instant)
