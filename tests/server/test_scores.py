"""Real tables over HTTP: the engine's count, odd tables with their reason, and nothing that can do harm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from support.clients import ServerThread, refusal
from whistlestop import editions, read_real_table
from whistlestop.notation import notation_of
from whistlestop.real_table import score
from whistlestop.server.messages import TicketData
from whistlestop.server.score_messages import CountData

TABLES = Path(__file__).parents[2] / "examples" / "tables"


def post(server: ServerThread, body: Any, path: str = "") -> httpx.Response:
    return httpx.post(f"{server.url}/api/score{path}", json=body, trust_env=False, verify=False)


def body_of(edition: str) -> dict[str, Any]:
    """An example as a request."""
    table = read_real_table(TABLES / f"{edition}.toml").table
    players = [
        {"name": name, "colour": 4 - seat, "tracks": held.tracks, "stations": held.stations, "tickets": held.tickets,
         "passengers": held.passengers}
        for seat, (name, held) in enumerate(zip(table.names, table.holdings, strict=True))
    ]  # fmt: skip
    return {"edition": edition, "players": players}


@pytest.mark.parametrize("edition", [edition.id for edition in editions()])
def test_the_count_is_the_one_of_the_engine(server: ServerThread, edition: str) -> None:
    found = CountData.model_validate(post(server, body_of(edition)).json())
    truth = read_real_table(TABLES / f"{edition}.toml").table.count()
    assert found.result.model_dump(by_alias=True) == truth.result.json()
    assert [gap.code for gap in found.gaps] == ["cards"]
    assert min(found.trains) <= 2
    drawn = post(server, body_of(edition), "/picture.svg?theme=dark")
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert f"Ada {truth.result.players[0].total}" in drawn.text


def test_an_odd_table_says_why_and_can_be_forced(server: ServerThread) -> None:
    body = {
        "edition": "usa",
        "players": [{"name": "Ada", "colour": 0, "tracks": [3]}, {"name": "Ben", "colour": 1, "tracks": [3]}],
    }
    refused = post(server, body)
    assert refusal(refused) == (422, "odd_table")
    assert "is Ben's and Ada's" in refused.json()["message"]
    forced = CountData.model_validate(post(server, {**body, "force": True}).json())
    assert [(odd.code, odd.player, odd.other, odd.track) for odd in forced.odd] == [("owned", 1, 0, 3)]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"edition": "../../etc/passwd.toml"}, "no_such_edition"),
        ({"players": [{"name": "A", "colour": 0}, {"name": "B", "colour": 0}]}, "colour_taken"),
        ({"players": [{"name": "A", "colour": 0, "tracks": ["x–y"]}, {"name": "B", "colour": 1}]}, "bad_table"),
        ({"players": [{"name": "A", "colour": 0, "tracks": [255]}, {"name": "B", "colour": 1}]}, "bad_table"),
        ({"players": [{"name": "A", "colour": 0, "stations": ["Denver"]}, {"name": "B", "colour": 1}]}, "bad_table"),
        ({"players": [{"name": "A", "colour": 0, "tracks": list(range(99))}, {"name": "B", "colour": 1}]}, "bad_table"),
        ({"players": [{"name": "A", "colour": 0, "tracks": [0] * 129}, {"name": "B", "colour": 1}]}, "malformed"),
        ({"players": [{"name": "A", "colour": 0}]}, "malformed"),
    ],
)
def test_what_cannot_be_counted_is_refused(server: ServerThread, change: dict[str, Any], code: str) -> None:
    body = {"edition": "usa", "players": [{"name": "A", "colour": 0}, {"name": "B", "colour": 1}], "force": True}
    assert refusal(post(server, {**body, **change}))[1] == code


def test_names_are_text_in_a_picture(server: ServerThread) -> None:
    body = {"edition": "usa", "players": [{"name": "<script>", "colour": 0}, {"name": "B", "colour": 1}], "force": True}
    drawn = post(server, body, "/picture.svg")
    assert drawn.status_code == 200
    assert "<script" not in drawn.text


def test_tickets_have_the_numbers_that_the_count_takes(server: ServerThread) -> None:
    for edition in editions():
        answer = httpx.get(f"{server.url}/api/editions/{edition.id}/tickets", trust_env=False, verify=False)
        found = [TicketData.model_validate(ticket) for ticket in answer.json()]
        assert len(found) == len(notation_of(edition).tickets)
        last = len(found) - 1
        held = score(edition, {"A": {"tickets": [last]}, "B": {}}).result.players[0].failed[0]
        assert (held.a, held.b, held.points) == (found[last].from_, found[last].to, found[last].points)
