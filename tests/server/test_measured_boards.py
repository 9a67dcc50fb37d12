"""Boards of people's own that bots measure: within limits, with progress, one at a time, and no process is left."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from support.clients import UNLIMITED, Data, ServerThread, checked, refusal, wait_until
from support.islands import ISLANDS
from support.playtests import COMPILES_WITHIN, compile_playtests
from whistlestop.server import playtests
from whistlestop.server.board_messages import BoardLimits, OwnBoardData, PlaytestData
from whistlestop.server.playtest_process import PlaytestRequest
from whistlestop.server.playtests import MOST_WAITING, PROGRAM
from whistlestop.server.strange_boards import edition_name, hash_of_board

pytestmark = pytest.mark.timeout(COMPILES_WITHIN)

RUNNING = '{"done":3,"all":8}'
STUCK = """
import os, sys, time
sys.stdin.buffer.readline()
with open(sys.argv[1], "w") as file:
    file.write(str(os.getpid()))
for line in sys.argv[2:]:
    print(line, flush=True)
time.sleep(600)
"""
"""A program that notes its process, says something and then nothing more."""

StuckProgram = Callable[..., Path]


@pytest.fixture(scope="module")
def ready() -> None:
    """Bots can play at once."""
    compile_playtests()


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> StuckProgram:
    """Puts a program in the place of the bots that says some lines and never ends; the file has its process."""

    def put(*lines: str) -> Path:
        file = tmp_path / "process"
        monkeypatch.setattr(playtests, "PROGRAM", (sys.executable, "-c", STUCK, str(file), *lines))
        return file

    return put


def brought(url: str, text: str = ISLANDS) -> str:
    """The first edition of a board that is brought."""
    answer = httpx.post(f"{url}/api/boards", content=text.encode(), timeout=120)
    edition: str = checked(answer.content, OwnBoardData)["editions"][0]["id"]
    return edition


def ask(url: str, edition: str, client: str = "10.0.0.1") -> httpx.Response:
    """Ask for a playtest, as a client behind a proxy."""
    address = f"{url}/api/editions/{edition}/playtest"
    return httpx.post(address, headers={"x-forwarded-for": client}, timeout=120)


def started(url: str, edition: str, client: str = "10.0.0.1") -> str:
    """The id of a playtest that is asked for."""
    answer = ask(url, edition, client)
    assert answer.status_code == 202, answer.text
    playtest: str = checked(answer.content, PlaytestData)["id"]
    return playtest


def status(url: str, playtest: str) -> Data:
    """How far a playtest is."""
    data: Data = checked(httpx.get(f"{url}/api/playtests/{playtest}", timeout=120).content, PlaytestData)
    return data


def wait_for(url: str, playtest: str, *wanted: str) -> Data:
    """Wait until a playtest is so far."""
    wait_until(lambda: status(url, playtest)["status"] in wanted)
    return status(url, playtest)


def cancel(url: str, playtest: str) -> int:
    return httpx.delete(f"{url}/api/playtests/{playtest}", timeout=120).status_code


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


class Elements(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


# ---- measuring ------------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("ready")
def test_bots_measure_a_board_and_there_is_a_page(folder: Path) -> None:
    with ServerThread(folder, playtest_games=4) as server:
        edition = brought(server.url)
        playtest = started(server.url, edition)
        done = wait_for(server.url, playtest, "done", "failed")
        assert (done["status"], done["edition"], done["code"], done["message"]) == ("done", edition, None, None)
        assert done["done"] == done["all"] > 0
        assert done["all"] % 4 == 0
        page = httpx.get(f"{server.url}/api/playtests/{playtest}/page", timeout=120)
        assert page.headers["content-type"].startswith("text/html")
        assert page.headers["x-content-type-options"] == "nosniff"
        [policy] = page.headers.get_list("content-security-policy")
        assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")
        assert policy.endswith("sandbox")
        assert "<h1>The Islands, played" in page.text
        assert "whistlestop playtest islands.toml --games 4" in " ".join(Elements(page.text).text.split())
        again = checked(ask(server.url, edition, "10.0.0.2").content, PlaytestData)
        assert (again["id"], again["status"]) == (playtest, "done"), "the same games say the same to everybody"


@pytest.mark.usefixtures("ready")
def test_names_of_strangers_are_text_on_the_page(folder: Path) -> None:
    name = "<script>hit()</script><img src=x onerror=hit()>"
    text = ISLANDS.replace('"The Islands"', f"'{name}'").replace("Milltown", name).replace("A quick", name)
    with ServerThread(folder, playtest_games=2) as server:
        playtest = started(server.url, brought(server.url, text))
        assert wait_for(server.url, playtest, "done", "failed")["status"] == "done"
        page = Elements(httpx.get(f"{server.url}/api/playtests/{playtest}/page", timeout=120).text)
    assert name in page.text
    assert not page.tags & {"script", "img", "iframe", "object", "link"}
    assert not {name for name in page.attributes if name.startswith("on")}


def answers_of(request: PlaytestRequest, text: bytes) -> list[Data]:
    """What the process says to a request; the page is left out."""
    done = subprocess.run(PROGRAM, input=request.line() + text, capture_output=True, check=True)
    lines = done.stdout.split(b"\n<!doctype", 1)[0].splitlines()
    return [orjson.loads(line) for line in lines]


@pytest.mark.usefixtures("ready")
def test_progress_is_told_while_bots_play() -> None:
    text = ISLANDS.encode()
    edition = edition_name("islands", hash_of_board(text))
    *told, end = answers_of(PlaytestRequest(edition, 120, "club", 100, len(text)), text)
    games = [one["done"] for one in told]
    assert games[0] == 0
    assert all(before < after for before, after in pairwise(games))
    assert games[-1] == told[0]["all"]
    assert len(games) > 4
    assert set(end) == {"page"}


def test_a_board_that_cannot_be_read_is_no_board_to_play_on() -> None:
    text = ISLANDS.replace('to = "Eastness"', 'to = "Eastnes"').encode()
    [end] = answers_of(PlaytestRequest("islands", 2, "club", 100, len(text)), text)
    assert "unknown city `Eastnes`" in end["fault"]


@pytest.mark.usefixtures("ready")
def test_the_process_ends_when_the_server_is_gone() -> None:
    text = ISLANDS.encode()
    request = PlaytestRequest(edition_name("islands", hash_of_board(text)), 10**6, "club", 600, len(text))
    process = subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(request.line() + text)
    process.stdin.close()
    assert orjson.loads(process.stdout.readline())["done"] == 0
    process.stdout.close()
    assert process.wait(120) == 1


# ---- limits ---------------------------------------------------------------------------------------------------------
def test_progress_is_shown_and_cancelling_kills_the_process(folder: Path, stuck: StuckProgram) -> None:
    file = stuck('{"status":"getting_ready"}', RUNNING)
    with ServerThread(folder) as server:
        playtest = started(server.url, brought(server.url))
        found = wait_for(server.url, playtest, "running")
        assert (found["done"], found["all"]) == (3, 8)
        process = int(file.read_text())
        assert is_alive(process)
        page = httpx.get(f"{server.url}/api/playtests/{playtest}/page", timeout=120)
        assert refusal(page) == (409, "playtest_not_done")
        assert cancel(server.url, playtest) == 204
        assert not is_alive(process)
        assert cancel(server.url, playtest) == 404
        gone = httpx.get(f"{server.url}/api/playtests/{playtest}", timeout=120)
        assert refusal(gone) == (404, "no_such_playtest")
        started(server.url, brought(server.url))


def test_it_says_when_it_is_still_getting_ready(folder: Path, stuck: StuckProgram) -> None:
    stuck('{"status":"getting_ready"}')
    with ServerThread(folder, playtest_seconds=0.01) as server:
        playtest = started(server.url, brought(server.url))
        assert wait_for(server.url, playtest, "getting_ready", "failed")["status"] == "getting_ready"


def test_a_client_has_one_at_a_time(folder: Path, stuck: StuckProgram) -> None:
    stuck(RUNNING)
    with ServerThread(folder, trusted_proxies=("127.0.0.1",)) as server:
        first, other = brought(server.url), brought(server.url, ISLANDS + "# other\n")
        playtest = started(server.url, first)
        assert started(server.url, first) == playtest, "whoever comes back finds it again"
        assert refusal(ask(server.url, other)) == (409, "one_playtest")
        waiting = started(server.url, first, "10.0.0.2")
        assert waiting != playtest
        wait_for(server.url, playtest, "running")
        assert status(server.url, waiting)["status"] == "waiting", "only one runs at a time"
        cancel(server.url, playtest)
        wait_for(server.url, waiting, "running")


def test_few_wait(folder: Path, stuck: StuckProgram) -> None:
    stuck(RUNNING)
    with ServerThread(folder, trusted_proxies=("127.0.0.1",)) as server:
        edition = brought(server.url)
        asked = [started(server.url, edition, f"10.0.1.{n}") for n in range(1 + MOST_WAITING)]
        assert refusal(ask(server.url, edition, "10.0.2.1")) == (503, "playtests_busy")
        assert cancel(server.url, asked[-1]) == 204
        started(server.url, edition, "10.0.2.1")


def test_one_address_asks_so_often_and_no_more(folder: Path, stuck: StuckProgram) -> None:
    stuck('{"fault":"no"}')
    with ServerThread(folder, limits=replace(UNLIMITED, playtests_an_hour=1)) as server:
        edition = brought(server.url)
        for _ in range(5):
            wait_for(server.url, started(server.url, edition), "failed")
        assert refusal(ask(server.url, edition)) == (429, "rate")


def test_what_takes_too_long_is_killed(folder: Path, stuck: StuckProgram) -> None:
    file = stuck(RUNNING)
    with ServerThread(folder, playtest_seconds=0.5) as server:
        failed = wait_for(server.url, started(server.url, brought(server.url)), "failed")
        assert failed["code"] == "playtest_slow"
        assert "0.5 seconds" in failed["message"]
        assert not is_alive(int(file.read_text()))


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("raise SystemExit(1)", "could not play this board"),
        ("print('nonsense', flush=True)", "could not play this board"),
        ("print('[]', flush=True)", "could not play this board"),
        ("print('{\"page\": 99999999999}', flush=True)", "could not play this board"),
        ("print('{\"page\": 99}', flush=True)", "could not play this board"),
        ('print(\'{"fault": "round in circles"}\', flush=True)', "round in circles"),
    ],
)
def test_a_program_that_fails_is_told_and_the_next_one_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch, program: str, said: str
) -> None:
    monkeypatch.setattr(playtests, "PROGRAM", (sys.executable, "-c", program))
    with ServerThread(folder) as server:
        edition = brought(server.url)
        for _ in range(2):
            failed = wait_for(server.url, started(server.url, edition), "failed", "done")
            assert (failed["status"], failed["code"]) == ("failed", "playtest_failed")
            assert said in failed["message"]


def test_a_server_that_stops_leaves_no_process(folder: Path, stuck: StuckProgram) -> None:
    file = stuck(RUNNING)
    with ServerThread(folder, trusted_proxies=("127.0.0.1",)) as server:
        edition = brought(server.url)
        wait_for(server.url, started(server.url, edition), "running")
        started(server.url, edition, "10.0.0.2")
        process = int(file.read_text())
        assert is_alive(process)
    assert not is_alive(process)


# ---- what is kept, and what the host wants ---------------------------------------------------------------------------
@pytest.mark.parametrize(("limit", "number"), [("KEPT_SECONDS", -1.0), ("KEPT_PAGES", 0)])
def test_what_is_over_is_kept_for_a_time_and_not_all_of_it(
    folder: Path, stuck: StuckProgram, monkeypatch: pytest.MonkeyPatch, limit: str, number: float
) -> None:
    stuck('{"fault":"no"}')
    with ServerThread(folder) as server:
        playtest = started(server.url, brought(server.url))
        wait_for(server.url, playtest, "failed")
        monkeypatch.setattr(playtests, limit, number)
        gone = httpx.get(f"{server.url}/api/playtests/{playtest}", timeout=120)
        assert refusal(gone) == (404, "no_such_playtest")


def test_boards_of_the_package_are_not_measured(server: ServerThread) -> None:
    assert refusal(ask(server.url, "usa")) == (422, "not_own_board")
    assert refusal(ask(server.url, f"islands@{'0' * 32}")) == (404, "no_such_edition")
    assert refusal(httpx.get(f"{server.url}/api/playtests/{'x' * 24}")) == (404, "no_such_playtest")


@pytest.mark.parametrize(
    ("settings", "code"), [({"playtest_games": 0}, "playtests_off"), ({"boards": False}, "boards_off")]
)
def test_a_host_can_want_no_playtests(folder: Path, settings: dict[str, Any], code: str) -> None:
    with ServerThread(folder) as server:
        edition = brought(server.url)
        limits = checked(httpx.get(f"{server.url}/api/boards").content, BoardLimits)
        assert limits["playtest_games"] == 200
    with ServerThread(folder, **settings) as server:
        assert refusal(ask(server.url, edition)) == (403, code)
        assert httpx.get(f"{server.url}/api/boards").json()["playtest_games"] == 0
