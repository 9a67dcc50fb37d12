"""A host offers bots of their own: they play at the tables of that server, and guests can name nothing else."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.clients import Client, ServerThread, open_table, wait_until
from whistlestop import WhistlestopError
from whistlestop.server import messages
from whistlestop.server.bot_roster import BotRoster

BOTS = """
import time


class Mine:
    '''Takes the first action that it sees.'''

    title = "My own"

    def act(self, view, limit):
        assert (limit.seconds, limit.steps) == (0.7, 5), limit
        return view.legal()[0]


class Sleeps:
    def act(self, view, limit):
        time.sleep(60)
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bots") / "own_bots.py"
    path.write_text(BOTS)
    return path


@pytest.fixture(scope="module")
def host(file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A server whose host offers two bots of their own."""
    own = (f"{file}:Mine:700ms:5steps", f"{file}:Sleeps:200ms")
    with ServerThread(tmp_path_factory.mktemp("host"), bots=own) as running:
        yield running


def told(caplog: pytest.LogCaptureFixture, table: str) -> list[dict[str, Any]]:
    """What the log says about failures at a table."""
    facts = [record.facts for record in caplog.records if record.getMessage() == "bot failed"]  # type: ignore[attr-defined]
    return [fact for fact in facts if fact["table"] == table]


def test_a_bot_of_the_host_stands_beside_the_others_and_plays(
    host: ServerThread, caplog: pytest.LogCaptureFixture
) -> None:
    listed = {bot["name"]: bot for bot in httpx.get(f"{host.url}/api/bots", trust_env=False).json()}
    assert {"random", "casual"} < set(listed)
    assert listed["Mine:700ms:5steps"]["title"] == "My own"
    assert listed["Mine:700ms:5steps"]["summary"] == "Takes the first action that it sees."
    with caplog.at_level(logging.INFO, "whistlestop.server"):
        client = open_table(host.url, "usa", "Mine:700ms:5steps", "casual")
        wait_until(lambda: client.data()["status"] == "over")
    assert told(caplog, client.table) == [], "it was given its own limit"


def test_a_bot_of_the_host_is_cut_off_at_its_own_limit(host: ServerThread, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "whistlestop.server"):
        client = open_table(host.url, "usa", "Sleeps:200ms", "casual")
        wait_until(lambda: client.data()["status"] == "over")
    found = told(caplog, client.table)
    assert [fact["reason"] for fact in found] == ["overrun"] * 3
    assert "no answer within 0.2 s" in found[0]["error"]


def test_guests_can_name_no_file(host: ServerThread, server: ServerThread, file: Path) -> None:
    for url in (host.url, server.url):
        client = open_table(url, "usa", "me", "open")
        for name in (
            f"{file}:Mine",
            "own_bots.py:Mine",
            "casual:1s",
            "os:system",
            "whistlestop.bots.random_bot:RandomBot",
        ):
            seat = {"kind": "bot", "bot": name[-40:]}
            body = {"edition": "usa", "seats": [{"kind": "me"}, seat]}
            answers = (
                httpx.post(f"{url}/api/tables", json=body, trust_env=False),
                client.ask("PATCH", "/seats/1", json=seat),
                client.ask("POST", "/start", json={"fill": name[-40:]}),
            )
            assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(422, "no_such_bot")] * 3


def test_a_seat_whose_bot_is_offered_no_more_goes_on(
    file: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with ServerThread(tmp_path, bots=(f"{file}:Mine:700ms:5steps",)) as first:
        opened = open_table(first.url, "usa", "me", "Mine:700ms:5steps", start=False)
    with caplog.at_level(logging.INFO, "whistlestop.server"), ServerThread(tmp_path) as second:
        client = Client(second.url, opened.table, opened.key, opened.seats)
        client.good(messages.TableData, "POST", "/start", json={})
        wait_until(lambda: client.data()["n"] > 0)
        assert client.data()["seats"][1]["bot"] == "Mine:700ms:5steps"
    assert "bot no longer offered" in [record.getMessage() for record in caplog.records]


def test_a_roster_refuses_what_it_cannot_offer(file: Path) -> None:
    assert BotRoster([f"{file}:Mine"]).names[-1] == "Mine"
    with pytest.raises(WhistlestopError, match="cannot be offered as `Mine`"):
        BotRoster([f"{file}:Mine"] * 2)
    with pytest.raises(WhistlestopError, match="cannot be offered as `casual`"):
        BotRoster(["casual"])
    long = file.with_name("long_name.py")
    long.write_text(f"class {'L' * 41}:\n    def act(self, view, limit): ...\n")
    with pytest.raises(WhistlestopError, match="cannot be offered"):
        BotRoster([f"{long}:{'L' * 41}"])
    with pytest.raises(WhistlestopError, match="has no class"):
        BotRoster([f"{file}:Yours"])
