"""`whistlestop arena` and `whistlestop ratings`: tables, data, files, Ctrl+C, and errors that help."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from support.positions import TINY
from whistlestop.arena.game_store import GameStore
from whistlestop.arena.ray_cluster import check_reachable
from whistlestop.cli import run
from whistlestop.engine.warmup import warm_up
from whistlestop.errors import WhistlestopError

PROGRAM = str(Path(sys.executable).with_name("whistlestop"))


class Printed(NamedTuple):
    code: int
    out: str
    err: str


Arena = Callable[..., Printed]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Arena:
    """Run a command line in this process, output captured as in a pipe."""

    def call(*args: str) -> Printed:
        capsys.readouterr()
        code = run(args)
        return Printed(code, *capsys.readouterr())

    return call


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    warm_up()


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A map file whose games take milliseconds."""
    path = tmp_path_factory.mktemp("boards") / "tiny.toml"
    path.write_text(TINY, encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def games(board: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file with the games of a tournament for two and three players."""
    path = tmp_path_factory.mktemp("games") / "arena.sqlite"
    options = ("--players", "2,3", "--seeds", "12", "--out", str(path), "--jobs", "2", "--json")
    assert run(("arena", "--bots", "random,casual", "--editions", board, *options)) == 0
    return str(path)


def test_a_tournament_prints_ratings_and_line_ups(cli: Arena, board: str) -> None:
    code, out, err = cli("arena", "--bots", "random,casual", "-e", board, "-n", "12", "--jobs", "1")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert re.match(r"\S+, 2 players: 24 games, 12 seeds, random = 0$", lines[0])
    assert lines[1].split()[:3] == ["bot", "rating", "95%"]
    assert {lines[2].split()[0], lines[3].split()[0]} == {"random", "casual"}
    assert re.match(r"casual +random +\d+\.\d% +\d+\.\d% to \d+\.\d% +50% +\d+\.\d", lines[5])
    assert lines[-1] == "24 games; ratings are Elo, intervals 95% by a bootstrap over seeds"


def test_one_line_up_in_every_seating(cli: Arena, board: str) -> None:
    code, out, _ = cli("arena", "--lineup", "casual,random,random", "-e", board, "-n", "3", "--jobs", "1", "--json")
    assert code == 0
    (cell,) = json.loads(out)["cells"]
    assert (cell["players"], cell["games"], cell["seeds"]) == (3, 9, 3)
    assert {one["bot"]: one["others"] for one in cell["line_ups"]} == {
        "casual": ["random", "random"],
        "random": ["casual", "random"],
    }


def test_games_that_are_there_are_not_played_again(cli: Arena, board: str, games: str) -> None:
    began = time.monotonic()
    code, out, _ = cli(
        "arena", "--bots", "random,casual", "-e", board, "-p", "2,3", "-n", "12", "--out", games, "--json"
    )
    assert code == 0
    assert json.loads(out)["games"] == 12 * (2 + 6)
    assert time.monotonic() - began < 60
    assert len(GameStore(games, read_only=True).shares()) == 96


def test_a_sequential_test_stops_early_and_says_so(cli: Arena, board: str) -> None:
    args = ("arena", "--bots", "casual,random", "-e", board, "-n", "3000", "--sprt", "0,60", "--jobs", "1")
    code, out, err = cli(*args)
    assert code == 0
    assert re.search(r"sequential test after \d+ seeds: casual is stronger", err)
    assert int(re.search(r"(\d+) games; ratings", out)[1]) < 3000  # type: ignore[index]
    data = json.loads(cli(*args, "--json").out)
    assert data["test"]["verdict"] == "better"


def test_ratings_look_at_a_file(cli: Arena, games: str) -> None:
    code, out, err = cli("ratings", games)
    assert (code, err) == (0, "")
    assert "2 players: 24 games" in out
    assert "3 players: 72 games" in out
    assert "All of these together" in out
    only = cli("ratings", games, "--players", "3", "--anchor", "casual", "--json")
    (cell,) = json.loads(only.out)["cells"]
    assert (cell["players"], cell["anchor"]) == (3, "casual")
    assert next(bot for bot in cell["bots"] if bot["bot"] == "casual")["rating"] == 0


def test_ratings_as_markdown_say_when_where_and_how(cli: Arena, games: str) -> None:
    out = cli("ratings", games, "--markdown").out
    first, _, head, line, *rest = out.splitlines()
    assert re.search(r"`random` = 0, with 95% intervals; 96 games \(20\d\d-\d\d-\d\d, .*Python 3\.\d+\.\d+; `", first)
    assert head.startswith("| bot | ")
    assert head.endswith("| all |")
    assert line == "|---|---|---|---|"
    assert rest[0].startswith(("| `casual` |", "| `random` |"))
    assert any(re.match(r"\| \S+ \| 3 \| `casual` \| `random ×2` \| \d+\.\d% \|", row) for row in rest)


def test_files_are_written(cli: Arena, games: str, tmp_path: Path) -> None:
    page, table = tmp_path / "arena.html", tmp_path / "games.csv"
    code, _, err = cli("ratings", games, "--report", str(page), "--csv", str(table))
    assert code == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert len(table.read_text(encoding="utf-8").splitlines()) == 1 + 24 * 2 + 72 * 3
    assert f"{table}: 264 lines" in err


@pytest.mark.parametrize(
    ("args", "error", "hint"),
    [
        (["arena"], "say who plays", "--bots random,casual"),
        (["arena", "--bots", "random,casual", "--lineup", "random,casual"], "say who plays", "--bots"),
        (["arena", "--bots", "random"], "a round robin needs at least 2 bots", "random,casual"),
        (["arena", "--bots", "random,casul"], "there is no bot 'casul'", "did you mean casual?"),
        (["arena", "--bots", "random,casual:fast"], "'fast' is no limit", "500ms"),
        (["arena", "--bots", "random,casual", "-e", "usaa"], "unknown edition `usaa`", "did you mean `usa`?"),
        (["arena", "--bots", "random,casual", "-p", "2,6"], "USA is for 2 to 5 players, not 6", "between 2 and 5"),
        (["arena", "--bots", "random,casual", "-p", "two"], "--players takes whole numbers", "--players 2,4"),
        (["arena", "--lineup", "random,casual", "-p", "3"], "--lineup has 2 bots, but --players is 3", "leave out"),
        (["arena", "--bots", "random,casual", "-n", "0"], "--seeds must be between 1", "--seeds 100"),
        (["arena", "--bots", "random,casual", "-s", "-1"], "--seed must be 0 or more", "--seed 1"),
        (["arena", "--bots", "random,casual", "-j", "0"], "--jobs must be 1 or more", "all cores"),
        (["arena", "--bots", "random,casual", "--sprt", "5"], "--sprt takes two rating differences", "0,20"),
        (["arena", "--bots", "random,casual", "--sprt", "9,1"], "the lower first, not 9,1", "0,20"),
        (["arena", "--bots", "random,casual", "--out", "no/such/folder/a.sqlite"], "cannot be used", "another file"),
        (["ratings", "nothing.sqlite"], "there is no file `nothing.sqlite`", "whistlestop arena --out"),
        (["ratings"], "FILE is missing", "--help"),
        (["ratings", __file__], "file is not a database", "another file"),
    ],
)
def test_wrong_usage(cli: Arena, args: list[str], error: str, hint: str) -> None:
    code, out, err = cli(*args)
    assert (code, out) == (2, "")
    first, *rest = err.splitlines()
    assert first.startswith("error: ")
    assert error in first
    assert any(line.startswith("hint: ") and hint in line for line in rest)


def test_ray_without_its_package_says_what_to_install(cli: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    code, _, err = cli("arena", "--bots", "random,casual", "-n", "1", "--ray", "auto")
    assert code == 2
    assert "a Ray cluster needs the package ray" in err
    assert "pip install 'whistlestop[ray]'" in err


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:1", "there is no Ray cluster at `127.0.0.1:1`"),
        ("ray://127.0.0.1:1", "there is no Ray cluster at `ray://127.0.0.1:1`"),
        ("somewhere", "`somewhere` is no address of a Ray cluster"),
    ],
)
def test_an_address_without_a_cluster_is_refused_at_once(address: str, message: str) -> None:
    with pytest.raises(WhistlestopError, match=re.escape(message)):
        check_reachable(address)
    check_reachable("auto")
    check_reachable("local")


@pytest.mark.parametrize(
    ("option", "value", "error"),
    [
        ("--editions", "europe", "there are no games of the edition `europe`"),
        ("--players", "5", "there are no games for this number of players: `5`"),
        ("--anchor", "planner", "no games of `planner` are there"),
    ],
)
def test_what_is_not_in_a_file_is_refused(cli: Arena, games: str, option: str, value: str, error: str) -> None:
    code, _, err = cli("ratings", games, option, value)
    assert code == 2
    assert error in err
    assert "hint: " in err


@pytest.mark.slow
def test_ctrl_c_shows_what_is_known_and_the_same_command_goes_on(board: str, tmp_path: Path) -> None:
    out = tmp_path / "arena.sqlite"
    command = [PROGRAM, "arena", "--bots", "random,casual", "-e", board, "--seeds", "20000", "--out", str(out)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (out.exists() and _stored(out) > 30):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    text, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in told
    assert re.search(r"error: stopped after [\d,]+ of 40,000 games\nhint: the same command goes on", told)
    assert "random = 0" in text
    assert _stored(out) > 30


def _stored(path: Path) -> int:
    try:
        return len(GameStore(path, read_only=True).shares())
    except WhistlestopError:  # it has not been set up yet
        return 0


@pytest.mark.slow
def test_a_terminal_shows_a_bar_and_live_standings(board: str) -> None:
    master, slave = pty.openpty()
    command = [PROGRAM, "arena", "--bots", "random,casual", "-e", board, "--seeds", "150", "--jobs", "1"]
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=slave, stdin=slave, env=environment) as process:
        os.close(slave)
        seen = b""
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            seen += part
        assert process.wait() == 0
    os.close(master)
    screen = seen.decode(errors="replace")
    assert "Playing 150 seeds of 2 games each" in screen
    assert "300/300" in screen
    assert re.search(r"casual.*\d+\.\d%", screen)
