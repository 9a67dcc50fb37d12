"""The HTTP API does what its own description says, whatever is sent to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import CheckFunction, not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from support.cardboard import Phone
from support.clients import Client, ServerThread, open_table, people, refusal, seats, wait_until
from support.islands import ISLANDS
from support.playtests import COMPILES_WITHIN, compile_playtests
from support.scale import SCALE
from whistlestop import editions
from whistlestop.mapfile import MAPS
from whistlestop.server import messages

CHECKS: list[CheckFunction] = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
    response_schema_conformance,
]  # fmt: skip
EXAMPLES = 12 * SCALE
"""Requests of each kind."""


STATUSES = ("waiting", "playing", "over")
REAL = "real"
"""A real table that is counted."""
OWN_BOARD = "own board"
"""No table, but a board of somebody's own."""


def table_that_is(status: str, server: ServerThread) -> Client:
    """A new table that waits, is played or is over, or a real one; the first seat is the caller's."""
    if status == REAL:
        phone = Phone.opening(server.url, "usa", "Ada", "Ben")
        phone.change(counted=True)
        return Client(server.url, phone.table, phone.key)
    if status == "waiting":
        return open_table(server.url, "usa", "me", "open", start=False)
    if status == "playing":
        return people(server.url, "europe", 2)[0]
    over = open_table(server.url, "usa", "me", "casual")
    over.good(messages.TableData, "POST", "/seats/0/leave")
    wait_until(lambda: over.data()["status"] == "over")
    return over


@pytest.fixture(scope="module")
def tables(server: ServerThread) -> Iterator[dict[str, Client]]:
    """A table of each status."""
    opened = {status: table_that_is(status, server) for status in STATUSES}
    yield opened
    for client in opened.values():
        client.close()


PLAYTEST = "{playtest}"


def path_on_own_board(server: ServerThread, path: str) -> dict[str, str]:
    """A board of somebody's own, and a playtest of it that is done, for paths that are about these."""
    brought = httpx.post(f"{server.url}/api/boards", content=ISLANDS.encode(), timeout=120, trust_env=False)
    edition = brought.json()["editions"][0]["id"]
    if PLAYTEST not in path:
        return {"edition": edition}
    compile_playtests()

    def playtest() -> Any:
        return httpx.post(f"{server.url}/api/editions/{edition}/playtest", timeout=120, trust_env=False).json()

    wait_until(lambda: playtest()["status"] == "done")
    return {"playtest": playtest()["id"]}


def described(server: ServerThread) -> Any:
    """The API as it describes itself."""
    return schemathesis.openapi.from_url(f"{server.url}/openapi.json")


def operations(*, with_body: bool = False) -> list[str]:
    """Every operation of the API, or every one that takes JSON, without starting a server."""
    from whistlestop.server.app import create_app
    from whistlestop.server.settings import Settings

    paths = create_app(Settings(data_dir=Path("/nowhere"))).openapi()["paths"]
    found = [(f"{method.upper()} {path}", what) for path, methods in paths.items() for method, what in methods.items()]
    return [operation for operation, what in found if not with_body or _takes_json(what)]


def _takes_json(operation: dict[str, Any]) -> bool:
    return "application/json" in operation.get("requestBody", {}).get("content", {})


def situations() -> list[tuple[str, str | None]]:
    """Every operation with the tables it can be tried on: none, one of each status where it names one."""
    statuses: dict[bool, list[str | None]] = {True: [*STATUSES, None], False: [None]}
    return [
        (operation, status)
        for operation in operations()
        for status in ([REAL, None] if "/real-tables/{table}" in operation else statuses["{table}" in operation])
    ]


@pytest.mark.parametrize(("operation", "status"), situations())
def test_answers_are_as_described(
    server: ServerThread, tables: dict[str, Client], operation: str, status: str | None
) -> None:
    """With a table and its key in the request, and with nothing but what chance makes up."""
    method, path = operation.split()
    # a real table is new for each: one of the operations deletes it
    client = table_that_is(REAL, server) if status == REAL else tables[status] if status else None
    seen: Counter[int] = Counter()
    found = described(server)[path][method]

    @seed(1)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=found.as_strategy(), keyed=st.booleans())
    def check(case: Any, keyed: bool) -> None:
        if client is not None and "table" in (case.path_parameters or {}):
            case.path_parameters["table"] = client.table
        case.headers.pop("authorization", None)
        if client is not None and keyed:
            case.headers["authorization"] = f"Bearer {client.key}"
        if "edition" in (case.path_parameters or {}) and keyed:
            case.path_parameters["edition"] = "usa"
        if "wait" in (case.query or {}):
            case.query["wait"] = 0
        answer = case.call(timeout=60)
        case.validate_response(answer, checks=CHECKS)
        seen[answer.status_code] += 1

    check()
    if status is not None:
        assert set(seen) - {404, 422}, f"{operation} found nothing of a table that is {status}: {dict(seen)}"


@dataclass(frozen=True)
class Request:
    """A request that must succeed: the status of its table, and what it carries."""

    status: str | None = None
    path: dict[str, Any] = field(default_factory=dict)
    query: dict[str, Any] = field(default_factory=dict)
    body: Any = None


TABLE = "/api/tables/{table}"
SEAT = TABLE + "/seats/{seat}"
REAL_TABLE: dict[str, Any] = {
    "edition": "europe",
    "players": [
        {"name": "Ada", "colour": 1, "tracks": ["Paris–Zürich", 3], "stations": ["Roma"], "tickets": [0]},
        {"name": "Ben", "colour": 4, "tickets": ["Paris–Wien"]},
    ],
    "force": True,
}
REAL_TABLES = "/api/real-tables"
REAL_PLAYER = REAL_TABLES + "/{table}/players/{seat}"
SUCCEED: dict[str, Request] = {
    f"POST {REAL_TABLES}": Request(
        body={"edition": "usa", "players": [{"name": "Ada", "colour": 1, "tracks": [3]}, {"name": "Ben", "colour": 4}]}
    ),
    f"GET {REAL_TABLES}/{{table}}": Request(REAL, query={"known": 0, "wait": 1}),
    f"PATCH {REAL_TABLES}/{{table}}": Request(REAL, body={"revision": 1, "counted": False}),
    f"DELETE {REAL_TABLES}/{{table}}": Request(REAL),
    f"GET {REAL_TABLES}/{{table}}/picture.svg": Request(REAL, query={"theme": "dark"}),
    f"PATCH {REAL_PLAYER}": Request(REAL, {"seat": 1}, body={"version": 0, "tracks": [5], "tickets": [2]}),
    f"POST {REAL_PLAYER}/take": Request(REAL, {"seat": 1}),
    "GET /health": Request(),
    "GET /metrics": Request(),
    "GET /api/bots": Request(),
    "GET /api/editions": Request(),
    "GET /api/editions/{edition}": Request(path={"edition": "europe"}),
    "GET /api/editions/{edition}/map.toml": Request(path={"edition": "europe-1912"}),
    "GET /api/boards": Request(),
    "POST /api/boards": Request(body=(MAPS / "germany.toml").read_text("utf-8")),
    "GET /api/editions/{edition}/board": Request(path={"edition": "germany"}),
    "POST /api/editions/{edition}/playtest": Request(OWN_BOARD),
    "GET /api/playtests/{playtest}": Request(OWN_BOARD),
    "GET /api/playtests/{playtest}/page": Request(OWN_BOARD),
    "DELETE /api/playtests/{playtest}": Request(OWN_BOARD),
    "GET /api/editions/{edition}/picture.svg": Request(path={"edition": "usa"}, query={"theme": "dark"}),
    "GET /api/editions/{edition}/rules": Request(path={"edition": "mega-europe"}, query={"language": "de"}),
    "GET /api/editions/{edition}/tickets": Request(path={"edition": "germany"}),
    "POST /api/score": Request(body=REAL_TABLE),
    "POST /api/score/picture.svg": Request(query={"theme": "dark"}, body=REAL_TABLE),
    "POST /api/lessons/{lesson}": Request(path={"lesson": "europe"}, body={"name": "Ada"}),
    "GET /api/tables": Request(query={"open": 0, "watch": 1}),
    "POST /api/tables": Request(body={"edition": "usa", "seats": seats("me", "casual")}),
    "POST /api/mine": Request("playing", body={"keys": ["OWN-KEY"]}),
    f"GET {TABLE}": Request("waiting"),
    f"PATCH {TABLE}": Request("waiting", body={"listed": True}),
    f"POST {TABLE}/join": Request("waiting", body={"name": "Bo"}),
    f"PATCH {SEAT}": Request("waiting", {"seat": 0}, body={"name": "Ann"}),
    f"POST {TABLE}/start": Request("waiting", body={"fill": "casual"}),
    f"POST {TABLE}/rematch": Request("over"),
    f"GET {TABLE}/view": Request("playing", query={"seat": 0, "known": 0}),
    f"POST {TABLE}/actions": Request("playing", body={"n": 0, "action": "keep all"}),
    f"GET {TABLE}/why": Request("playing", query={"track": 3}),
    f"GET {TABLE}/way": Request("playing", query={"from": "Paris", "to": "Berlin"}),
    f"POST {TABLE}/chat": Request("playing", body={"text": "hi"}),
    f"GET {TABLE}/chat": Request("playing"),
    f"POST {SEAT}/leave": Request("playing", {"seat": 0}),
    f"POST {SEAT}/back": Request("playing", {"seat": 0}),
    f"POST {SEAT}/vote": Request("playing", {"seat": 1}),
    f"GET {TABLE}/end": Request("over"),
    f"GET {TABLE}/replay/{{n}}": Request("over", {"n": 3}, {"eyes": 1}),
    f"GET {TABLE}/record": Request("over"),
}
"""Every operation with a request that it must grant."""


@pytest.mark.timeout(COMPILES_WITHIN)
@pytest.mark.parametrize("operation", operations())
def test_every_operation_can_succeed(server: ServerThread, operation: str) -> None:
    method, path = operation.split()
    request = SUCCEED[operation]
    own = request.status == OWN_BOARD
    client = table_that_is(request.status, server) if request.status and not own else None
    case = described(server)[path][method].Case(
        path_parameters=request.path
        | ({"table": client.table} if client and "{table}" in path else {})
        | (path_on_own_board(server, path) if own else {}),
        query=request.query,
        headers={"authorization": f"Bearer {client.key}"} if client else {},
        **({} if request.body is None else {"body": with_key(request.body, client)}),
        **({"media_type": "text/plain"} if isinstance(request.body, str) else {}),
    )
    answer = case.call(timeout=60)
    assert 200 <= answer.status_code < 300, answer.text
    case.validate_response(answer, checks=CHECKS)
    if client is not None and client.key is not None:
        assert operation != "POST /api/mine" or client.key in answer.text


def with_key(body: Any, client: Client | None) -> Any:
    """A body with the key of its table."""
    return {"keys": [client.key]} if client is not None and "keys" in body else body


@pytest.mark.parametrize("operation", operations(with_body=True))
def test_a_good_request_with_one_thing_wrong_is_malformed(server: ServerThread, operation: str) -> None:
    """The key and everything else are right, so that nothing but the fault can be what is refused."""
    method, path = operation.split()
    request = SUCCEED[operation]
    client = table_that_is(request.status, server) if request.status else open_table(server.url)
    body = with_key(request.body, client)
    address = path.format(table=client.table, **request.path)
    wrong = [body | {"unknown": 1}, *({**body, name: {"no": "such thing"}} for name in body), [body], None]
    for sent in wrong:
        headers = {"authorization": f"Bearer {client.key}"}
        answer = httpx.request(
            method, f"{server.url}{address}", json=sent, headers=headers, trust_env=False, verify=False
        )
        assert refusal(answer) == (422, "malformed"), sent


@pytest.mark.parametrize("operation", operations(with_body=True))
def test_what_the_description_forbids_is_refused(
    server: ServerThread, tables: dict[str, Client], operation: str
) -> None:
    method, path = operation.split()
    found = described(server)[path][method]

    @seed(2)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        phases=[Phase.generate],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=found.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE))
    def check(case: Any) -> None:
        if "table" in (case.path_parameters or {}):
            case.path_parameters["table"] = tables["waiting"].table
        answer = case.call(timeout=60)
        case.validate_response(answer, checks=[*CHECKS, negative_data_rejection])

    check()


def test_the_description_names_every_refusal(server: ServerThread) -> None:
    paths = httpx.get(f"{server.url}/openapi.json", trust_env=False, verify=False).json()["paths"]
    assert any(path.startswith("/api") for path in paths)
    for path, methods in paths.items():
        for method, described_as in methods.items():
            if path.startswith("/api"):
                assert {"422", "429", "503"} <= described_as["responses"].keys(), (method, path)
            assert described_as.get("summary") or described_as.get("description")


def test_the_page_for_readers_of_the_description(server: ServerThread) -> None:
    page = httpx.get(f"{server.url}/docs", trust_env=False, verify=False)
    assert page.status_code == 200
    for part in ("/swagger/swagger-ui-bundle.js", "/swagger/swagger-ui.css"):
        assert part in page.text
        assert httpx.get(f"{server.url}{part}", trust_env=False, verify=False).status_code == 200
    assert "cdn" not in page.text, "nothing comes from elsewhere"


def test_boards_and_pictures(server: ServerThread) -> None:
    found = httpx.get(f"{server.url}/api/editions", trust_env=False, verify=False).json()
    assert {edition["id"] for edition in found} == {edition.id for edition in editions()}
    for edition in found:
        board = httpx.get(f"{server.url}/api/editions/{edition['id']}/board", trust_env=False, verify=False)
        assert len(board.json()["tracks"]) == edition["tracks"]
        picture = httpx.get(
            f"{server.url}/api/editions/{edition['id']}/picture.svg?theme=dark", trust_env=False, verify=False
        )
        assert picture.headers["content-type"].startswith("image/svg+xml")
        assert "<svg" in picture.text
    assert httpx.get(f"{server.url}/api/editions/..%2f..%2fx/board", trust_env=False, verify=False).status_code == 404
