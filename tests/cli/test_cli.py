"""The command line: every command's real output, clear errors for bad input, and a quick start."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from whistlestop.cli import run
from whistlestop.cli.inputs import resolve_players
from whistlestop.cli.main import COMMANDS
from whistlestop.cli.terminal import CommandError, chips
from whistlestop.engine.warmup import warm_up
from whistlestop.game import Game
from whistlestop.mapfile import editions, load_edition
from whistlestop.results import SOURCES
from whistlestop.spelling import did_you_mean

MAPS = Path(__file__).parents[2] / "src" / "whistlestop" / "maps"
EDITIONS = ("usa", "europe", "europe-1912", "mega-europe", "big-cities", "germany")


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Cli = Callable[..., Outcome]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command line in this process, output captured as in a pipe."""

    def call(*args: str) -> Outcome:
        capsys.readouterr()
        code = run(args)
        out, err = capsys.readouterr()
        return Outcome(code, out, err)

    return call


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """Compile the engine before the first command, so that no test sees the message about it."""
    warm_up()


def shell(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command as a process of its own."""
    program = Path(sys.executable).with_name("whistlestop")
    return subprocess.run([program, *args], capture_output=True, text=True, env={**os.environ, **env}, check=False)


def terminal(*args: str, keys: str = "", **env: str) -> str:
    """Run the installed command on a terminal of its own, 100 columns wide; types the keys when it asks for them."""
    pty = pytest.importorskip("pty")
    program = Path(sys.executable).with_name("whistlestop")
    outer, inner = pty.openpty()
    variables = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    variables |= {"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40", **env}
    with subprocess.Popen(
        [program, *args], stdin=inner, stdout=inner, stderr=inner, env=variables, close_fds=True
    ) as process:
        os.close(inner)
        screen = _watched(outer, list(keys))
        process.kill()
    os.close(outer)
    return screen.replace("\r\n", "\n")


def _watched(outer: int, keys: list[str]) -> str:
    """Everything that a program prints on a terminal within a minute; types a key whenever it waits for one."""
    screen, answered = b"", 0
    end = time.monotonic() + 60
    while time.monotonic() < end:
        ready, _, _ = select.select([outer], [], [], 0.05)
        if not ready and keys and len(screen) > answered and _waits_for_a_key(outer):
            os.write(outer, keys.pop(0).encode())
            answered = len(screen)
        try:
            part = os.read(outer, 65536) if ready else b"."
        except OSError:  # the terminal closes with the program
            part = b""
        if not part:
            return screen.decode()
        screen += part if ready else b""
    raise AssertionError(f"still running after a minute: {screen.decode()[-500:]}")


def _waits_for_a_key(terminal: int) -> bool:
    """A program that reads single keys asks the terminal not to wait for whole lines."""
    termios = pytest.importorskip("termios")
    return not termios.tcgetattr(terminal)[3] & termios.ICANON


def finished_game(edition: str, players: int, seed: int) -> Game:
    """A whole game in which everybody takes legal actions by a fixed rule, never for long the same."""
    game = Game(edition, players=players, seed=seed)
    step = seed
    while not game.over:
        legal = game.legal()
        step = (step * 7919 + 13) % 104729
        game.play(legal[step % len(legal)])
    return game


@pytest.fixture(scope="session")
def games() -> dict[str, Game]:
    return {
        "usa": finished_game("usa", 2, 3),
        "europe": finished_game("europe", 3, 5),
        "germany": finished_game("germany", 4, 7),
    }


@pytest.fixture
def records(games: dict[str, Game], tmp_path: Path) -> dict[str, Path]:
    """Record files of one finished game on each board."""
    paths = {name: tmp_path / f"{name}-game.txt" for name in games}
    for name, path in paths.items():
        path.write_text(games[name].record(), "utf-8")
    return paths


def refused(outcome: Outcome, error: str, hint: str, code: int = 2) -> None:
    """A clear refusal: nothing on stdout, `error:` and `hint:` lines on stderr, no traceback."""
    assert outcome.code == code
    assert outcome.out == ""
    assert "Traceback" not in outcome.err
    first, *rest = outcome.err.splitlines()
    assert first.startswith("error: ")
    assert error in first
    assert any(line.startswith("hint: ") for line in rest)
    assert hint in "\n".join(rest)


# --- start and welcome -----------------------------------------------------------------------------------------------


def test_help_prints_examples(cli: Cli) -> None:
    code, out, err = cli("help")
    assert (code, err) == (0, "")
    assert out.startswith("Whistlestop: railway board games")
    for command in ("editions", "rules", "show", "simulate", "arena", "replay", "check-map", "bench"):
        assert f"whistlestop {command}" in out
    assert "from whistlestop import Game" in out
    assert "\033" not in out


def test_every_example_of_the_help_is_a_valid_command() -> None:
    from whistlestop.cli.welcome import EXAMPLES

    assert {line.split()[1] for line, _ in EXAMPLES if " " in line} <= set(COMMANDS)


def test_the_installed_command_runs() -> None:
    done = shell("--version")
    assert done.returncode == 0
    assert re.fullmatch(r"whistlestop \d+\.\d+\.\d+\S*\n", done.stdout)
    assert done.stderr == ""


@pytest.mark.parametrize(
    "args", [["--help"], ["simulate", "--help"], ["arena", "--help"], ["help"], ["serve", "--help"], ["rules", "usa"]]
)
def test_quick_commands_import_nothing_heavy(args: list[str]) -> None:
    code = f"import sys; from whistlestop.cli import run; run({args!r}); sys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert not loaded & {
        "numpy",
        "numba",
        "llvmlite",
        "rich",
        "rich.console",
        "pydantic",
        "whistlestop.engine",
        "whistlestop.game",
    }


def test_editions_need_no_engine() -> None:
    code = "import sys; from whistlestop.cli import run; run(['editions']); sys.stderr.write(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(done.stderr.split()) & {"numpy", "numba", "pydantic"}


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_has_examples(cli: Cli, command: str) -> None:
    code, out, _ = cli(command, "--help")
    assert code == 0
    examples = out.partition("Example")[2].splitlines()[1:]
    lines = [line.strip() for line in examples if line.strip().startswith(f"whistlestop {command}")]
    assert len(lines) >= (1 if command in ("help", "warmup") else 2)


def test_help_lists_every_command(cli: Cli) -> None:
    out = cli("-h").out
    assert COMMANDS == [
        "serve",
        "worker",
        "editions",
        "rules",
        "simulate",
        "dataset",
        "arena",
        "ratings",
        "show",
        "score",
        "replay",
        "check-map",
        "import-map",
        "playtest",
        "bench",
        "warmup",
        "help",
        "admin",
    ]
    assert all(re.search(rf"^  {command} ", out, re.MULTILINE) for command in COMMANDS)
    assert "..." not in out.partition("Commands:")[2]
    assert "--install-completion" in out


@pytest.mark.parametrize(
    ("args", "error", "hint"),
    [
        (["simulat"], "no such command `simulat`", "did you mean `simulate`?"),
        (["admin", "stat"], "no such command `stat`", "did you mean `stats`?"),
        (["admin", "stats"], "say which server: --socket PATH", "whistlestop admin --socket"),
        (["xyzzy"], "no such command `xyzzy`", "--help"),
        (["--verson"], "no such option: --verson", "did you mean `--version`?"),
        (["simulate"], "EDITION is missing", "whistlestop simulate --help"),
        (["simulate", "usa", "--gmes", "3"], "no such option: --gmes", "did you mean `--games`"),
        (["simulate", "usa", "--games", "many"], "--games takes a whole number, not `many`", "--help"),
        (["simulate", "usa", "--games"], "--games", "--help"),
        (["simulate", "usa", "europe"], "unexpected extra argument", "--help"),
        (["bench", "--seconds", "soon"], "--seconds takes a number, not `soon`", "--help"),
    ],
)
def test_wrong_usage(cli: Cli, args: list[str], error: str, hint: str) -> None:
    refused(cli(*args), error, hint)


def test_completion_knows_commands_and_editions() -> None:
    words = {"_WHISTLESTOP_COMPLETE": "complete_bash", "COMP_CWORD": "2"}
    assert shell(**words, COMP_WORDS="whistlestop simulate eu").stdout.split() == ["europe", "europe-1912"]
    assert shell(**words, COMP_WORDS="whistlestop rules ger").stdout.split() == ["germany"]


def test_a_closed_pipe_is_no_error() -> None:
    program = Path(sys.executable).with_name("whistlestop")
    done = subprocess.run(f"'{program}' rules | head -n 1", shell=True, capture_output=True, text=True, check=True)
    assert done.stdout == "Setting up\n"
    assert done.stderr == ""


def test_a_terminal_without_unicode_gets_question_marks() -> None:
    done = shell("editions", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert "2?5" in done.stdout


def test_on_a_terminal_the_help_is_coloured() -> None:
    screen = terminal("help")
    assert "\033[" in screen
    assert "╭" in screen
    assert "Whistlestop" in screen


def test_no_color_is_respected() -> None:
    for args in (["help"], ["rules", "--id", "DRAW-7"], ["editions"], ["simulat"]):
        assert not re.search(r"\033\[(\d+;)*(3[0-8]|4[0-8]|9\d|10\d)[;m]", terminal(*args, NO_COLOR="1"))


def test_errors_are_coloured_on_a_terminal_only() -> None:
    assert "\033[1;31merror:\033[0m no such command" in terminal("simulat")
    assert shell("simulat").stderr.startswith("error: no such command")


def test_progress_bars_show_on_a_terminal_only() -> None:
    assert "Playing USA" in terminal("simulate", "usa", "--games", "5000")
    assert shell("simulate", "usa", "--games", "20").stderr == ""


# --- editions --------------------------------------------------------------------------------------------------------


def test_editions_table(cli: Cli) -> None:
    code, out, _ = cli("editions")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split()[:6] == ["edition", "name", "players", "cities", "tracks", "tickets"]
    assert [line.split()[0] for line in lines[1:]] == list(EDITIONS)
    assert re.match(r"usa +USA +2–5 +36 +100 +30 +\w", lines[1])


def test_editions_json(cli: Cli) -> None:
    data = json.loads(cli("editions", "--json").out)
    assert [row["id"] for row in data] == list(EDITIONS)
    assert data[2] == {
        "id": "europe-1912",
        "name": "Europe 1912",
        "players": [2, 5],
        "cities": 47,
        "tracks": 101,
        "tickets": 55,
        "board": "europe",
        "special": editions()[2].summary,
    }


# --- rules -----------------------------------------------------------------------------------------------------------


def test_rules_of_an_edition_in_chapters(cli: Cli) -> None:
    code, out, _ = cli("rules", "germany")
    assert code == 0
    assert "Passengers\n==========" in out
    assert re.search(r"^PASSENGER-1  ", out, re.MULTILINE)
    assert "STATION-1" not in out
    assert re.search(r"^RULING-14 .*\[Our ruling\]$", out, re.MULTILINE)
    assert max(len(line) for line in out.splitlines()) <= 90


def test_all_rules_name_their_editions(cli: Cli) -> None:
    out = cli("rules").out
    assert re.search(r"^END-4 .*\(germany\)$", out, re.MULTILINE)
    assert re.search(r"^DRAW-7  [^(]+$", out, re.MULTILINE)


def test_one_rule_and_one_group(cli: Cli) -> None:
    assert re.findall(r"^[A-Z]+-\d+", cli("rules", "--id", "draw-7").out, re.MULTILINE) == ["DRAW-7"]
    assert len(re.findall(r"^TUNNEL-\d+", cli("rules", "--id", "TUNNEL").out, re.MULTILINE)) == 6


def test_rules_json(cli: Cli) -> None:
    data = json.loads(cli("rules", "usa", "--json").out)
    assert set(data[0]) == {"id", "chapter", "title", "text", "editions", "ours"}
    assert all("usa" in rule["editions"] for rule in data)


def test_rules_of_a_map_file(cli: Cli, tmp_path: Path) -> None:
    island = tmp_path / "island.toml"
    island.write_text((MAPS / "europe.toml").read_text("utf-8"), "utf-8")
    out = cli("rules", f"{island}:big-cities").out
    assert "STATION-1" in out
    assert "PASSENGER-1" not in out
    assert "You look at 4 and choose at least 1." in out


@pytest.mark.parametrize(
    ("args", "error", "hint"),
    [
        (["usaa"], "there is no edition `usaa`", "did you mean `usa`?"),
        (["atlantis"], "there is no edition `atlantis`", "the editions are usa, europe"),
        (["--id", "DRAW-77"], "there is no rule `DRAW-77`", "`DRAW-7`"),
        (["--id", "BOGUS"], "there is no rule `BOGUS`", "ids start with SETUP, TURN"),
        (["usa", "--id", "STATION-1"], "STATION-1 isn't a rule of usa", "whistlestop rules --id STATION-1"),
        (["nowhere.toml"], "there is no file `nowhere.toml`", "map file"),
    ],
)
def test_rules_refuse(cli: Cli, args: list[str], error: str, hint: str) -> None:
    refused(cli("rules", *args), error, hint)


# --- simulate --------------------------------------------------------------------------------------------------------


def test_simulate_prints_statistics(cli: Cli) -> None:
    code, out, err = cli("simulate", "europe", "--players", "3", "--games", "50", "--seed", "4")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Europe: 50 games with 3 players, seed 4"
    assert lines[1].split() == ["seat", "player", "wins", "±", "points", "median", "sd", "min", "max"]
    assert [line.split()[0] for line in lines[2:6]] == ["1", "2", "3", "all"]
    assert "stations" in out
    assert "passengers" not in out
    assert "games a second" in lines[-1] or "games a second" in lines[-2]


def test_simulate_json(cli: Cli) -> None:
    data = json.loads(cli("simulate", "germany", "-p", "4", "-g", "40", "--json").out)
    assert (data["edition"], data["players"], data["games"], data["seed"], data["names"]) == (
        "germany",
        4,
        40,
        1,
        ["random"] * 4,
    )
    assert data["games_per_second"] > 0
    assert [seat["seat"] for seat in data["seats"]] == [1, 2, 3, 4]
    for seat in (*data["seats"], data["all"]):
        assert set(seat["points"]) == {"mean", "median", "sd", "min", "max"}
        assert set(seat["sources"]) == set(SOURCES)
        assert seat["points"]["mean"] == pytest.approx(sum(seat["sources"].values()), abs=0.05)
        assert 0 <= seat["win_rate"] <= 1
    assert sum(seat["win_rate"] for seat in data["seats"]) >= 1


def test_the_same_seed_gives_the_same_games(cli: Cli) -> None:
    def numbers(seed: str) -> Any:
        data = json.loads(cli("simulate", "usa", "--games", "30", "--seed", seed, "--json").out)
        return data["seats"]

    assert numbers("5") == numbers("5")
    assert numbers("5") != numbers("6")


def test_simulate_with_bots(cli: Cli) -> None:
    data = json.loads(cli("simulate", "germany", "--names", "casual,random", "--games", "3", "--json").out)
    again = json.loads(cli("simulate", "germany", "--names", "casual,random", "--games", "3", "--json").out)
    assert data["seats"] == again["seats"]
    assert (data["games"], data["names"]) == (3, ["casual", "random"])
    assert [seat["win_rate"] for seat in data["seats"]] == [1.0, 0.0]
    for seat in data["seats"]:
        assert seat["points"]["mean"] == pytest.approx(sum(seat["sources"].values()), abs=0.05)
    out = cli("simulate", "usa", "--names", "casual", "--games", "2").out
    assert out.startswith("USA: 2 games with 2 players, seed 1\n")
    assert "games a second" in out


def test_runs_of_neighbouring_seeds_share_no_game() -> None:
    from whistlestop.arena.simulation import simulate
    from whistlestop.cli.simulate import MAX_GAMES

    first, second = (simulate("usa", 2, 40, seed * MAX_GAMES) for seed in (1, 2))
    games = [{(*rows["total"][2 * n : 2 * n + 2], rows["steps"][2 * n]) for n in range(40)} for rows in (first, second)]
    assert len(games[0] & games[1]) <= 2


def test_simulate_a_map_file(cli: Cli, tmp_path: Path) -> None:
    island = tmp_path / "island.toml"
    island.write_text((MAPS / "usa.toml").read_text("utf-8"), "utf-8")
    code, out, _ = cli("simulate", str(island), "--games", "5", "--names", "random,random,random")
    assert code == 0
    assert "5 games with 3 players" in out


def test_a_lineup_names_the_seats() -> None:
    usa = load_edition("usa")
    assert resolve_players(None, None, usa) == ["random"] * 2
    assert resolve_players("random", 4, usa) == ["random"] * 4
    assert resolve_players("random, random,random", None, usa) == ["random"] * 3
    with pytest.raises(CommandError, match="--names has 2 names, but --players is 3"):
        resolve_players("random,random", 3, usa)


@pytest.mark.parametrize(
    ("args", "error", "hint"),
    [
        (["usaa"], "unknown edition `usaa`", "did you mean `usa`?"),
        (["usa", "--players", "6"], "USA is for 2 to 5 players, not 6", "between 2 and 5"),
        (["usa", "--players", "1"], "USA is for 2 to 5 players, not 1", "between 2 and 5"),
        (["usa", "--names", "randm"], "there is no bot 'randm'", "did you mean random?"),
        (["usa", "--names", "zed"], "there is no bot 'zed'", "the bots are random"),
        (["island.toml"], "there is no file `island.toml`", "map file"),
        (["europe", "--pack", "bonus.txt"], "there is no file `bonus.txt`", "ticket pack"),
        (["usa", "--games", "0"], "--games must be between 1 and 2,000,000, not 0", "--games"),
        (["usa", "--seed", "-1"], "--seed must be 0 or more, not -1", "--seed"),
    ],
)
def test_simulate_refuses(cli: Cli, args: list[str], error: str, hint: str) -> None:
    refused(cli("simulate", *args), error, hint)


OWN_BOTS = """
class First:
    def act(self, view, limit):
        return view.legal()[0]


class Fails(First):
    def act(self, view, limit):
        assert view.phase == "first_tickets", "out of ideas"
        return view.legal()[0]


class Idle:
    pass
"""


@pytest.fixture
def own_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with bots in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(OWN_BOTS)
    return tmp_path / "own.py"


@pytest.mark.usefixtures("own_bots")
def test_simulate_with_a_bot_from_a_file(cli: Cli) -> None:
    out = cli("simulate", "usa", "--names", "own.py:First,casual:500ms", "--games", "1").out
    assert re.search(r"^1 +own.py:First ", out, re.MULTILINE)
    assert re.search(r"^2 +casual:500ms ", out, re.MULTILINE)
    assert "failed " not in out.rpartition("actions a game")[2]


@pytest.mark.usefixtures("own_bots")
def test_simulate_names_bots_that_fail(cli: Cli) -> None:
    run = ("simulate", "usa", "--names", "random,own.py:Fails", "--games", "2")
    lines = [line for line in cli(*run).out.splitlines() if " failed " in line and "seat 2" in line]
    data = json.loads(cli(*run, "--json").out)
    count = data["seats"][1]["failures"]
    assert data["seats"][0]["failures"] == 0
    assert count == len(data["failures"]) > 20
    first = data["failures"][0]
    where = f"failed {count} times, first in game 1, action {first['action']}: error: AssertionError: out of ideas"
    assert lines == [f"own.py:Fails on seat 2 {where}"]
    assert first == {
        "game": 0, "seat": 1, "action": first["action"], "reason": "error", "detail": "AssertionError: out of ideas"
    }  # fmt: skip


@pytest.mark.usefixtures("own_bots")
@pytest.mark.parametrize(
    ("bot", "error", "hint"),
    [
        ("mine.py:First", "there is no file `mine.py`", "give the path of a Python file"),
        ("own.py:Frist", "`own.py` has no class `Frist`", "did you mean First?"),
        ("own.py:Idle", "`Idle` of `own.py` has no method `act`", "def act(self, view, limit)"),
        ("own.py:First:soon", "'soon' is no limit", "500ms"),
    ],
)
def test_a_bot_of_ones_own_is_refused(cli: Cli, bot: str, error: str, hint: str) -> None:
    refused(cli("simulate", "usa", "--names", bot), error, hint)
    refused(cli("serve", "--bot", bot), error, hint)


def test_a_bot_that_is_there_already_cannot_be_offered(cli: Cli) -> None:
    refused(cli("serve", "--bot", "casual"), "a bot cannot be offered as `casual`", "rename the class")


# --- check-map -------------------------------------------------------------------------------------------------------


def test_check_map_prints_facts_and_plays(cli: Cli) -> None:
    code, out, _ = cli("check-map", str(MAPS / "europe.toml"), "--games", "20")
    assert code == 0
    assert out.startswith("Europe: ")
    assert re.search(r"^tunnels +18$", out, re.MULTILINE)
    for edition in ("europe", "europe-1912", "mega-europe", "big-cities"):
        assert re.search(rf"^{edition} .* 20 +20 ", out, re.MULTILINE)


def test_check_map_json(cli: Cli) -> None:
    data = json.loads(cli("check-map", str(MAPS / "usa.toml"), "--games", "8", "--json").out)
    assert set(data) == {"file", "ok", "facts", "remarks", "editions"}
    assert data["ok"] is True
    assert data["facts"]["spaces"] == 309
    assert data["editions"][0]["games"] == data["editions"][0]["ended"] == 8


def test_check_map_prints_remarks(cli: Cli, tmp_path: Path) -> None:
    odd = tmp_path / "odd.toml"
    text = (MAPS / "usa.toml").read_text("utf-8")
    odd.write_text(re.sub(r"points = \d+", "points = 40", text, count=1), "utf-8")
    code, out, _ = cli("check-map", str(odd), "--games", "4")
    assert code == 0
    assert re.search(r"^- ticket .* is worth 40", out, re.MULTILINE)


@pytest.mark.parametrize("as_json", [False, True])
def test_check_map_says_what_is_wrong(cli: Cli, tmp_path: Path, as_json: bool) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text((MAPS / "usa.toml").read_text("utf-8").replace('to = "Miami"', 'to = "Miamy"', 1), "utf-8")
    code, out, err = cli("check-map", str(broken), *(["--json"] if as_json else []))
    assert code == 1
    assert err.startswith(f"error: {broken}: track 2: unknown city `Miamy`\nhint: did you mean `Miami`?")
    if as_json:
        data = json.loads(out)
        assert data["ok"] is False
        assert "Miamy" in data["error"]
    else:
        assert out == ""


def test_check_map_missing_file(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "island.toml").touch()
    refused(cli("check-map", str(tmp_path / "iland.toml")), "there is no file", "island.toml`?")
    refused(cli("check-map", str(tmp_path)), "is a folder", "map file")


# --- bench and warmup ------------------------------------------------------------------------------------------------


def test_bench_json_has_exactly_these_keys(cli: Cli) -> None:
    data = json.loads(cli("bench", "--editions", "usa,germany", "--players", "2,3", "--seconds", "0.05", "--json").out)
    assert [(row["edition"], row["players"]) for row in data] == [
        ("usa", 2),
        ("usa", 3),
        ("germany", 2),
        ("germany", 3),
    ]
    for row in data:
        assert set(row) == {"edition", "players", "games_per_second", "steps_per_second"}
        assert row["steps_per_second"] > row["games_per_second"] > 0


def test_bench_table(cli: Cli) -> None:
    out = cli("bench", "--editions", "usa", "--seconds", "0.05").out
    assert re.match(r"edition +players +games/s +steps/s +ns/step +time per step, usa = 1\nusa +2 .* 1\.00\n", out)


@pytest.mark.parametrize(
    ("args", "error", "hint"),
    [
        (["--editions", "usa,eurpe"], "unknown edition `eurpe`", "did you mean `europe`?"),
        (["--players", "two"], "--players takes whole numbers by commas, not `two`", "--players 2,5"),
        (["--players", "9"], "2 to 5 players, not 9", "between 2 and 5"),
        (["--seconds", "0"], "--seconds must be above 0, not 0", "--seconds"),
    ],
)
def test_bench_refuses(cli: Cli, args: list[str], error: str, hint: str) -> None:
    refused(cli("bench", *args), error, hint)


def test_warmup_compiles_or_says_that_it_is_done(cli: Cli) -> None:
    cli("warmup")
    code, out, err = cli("warmup")
    assert (code, out) == (0, "")
    assert err == "The engine is already compiled\n"


# --- words -----------------------------------------------------------------------------------------------------------


def test_chips_mark_cards_and_nothing_else() -> None:
    text = chips("claim Paris–Zürich with 2 purple, 1 locomotive")
    assert text.plain == "claim Paris–Zürich with 2 purple, 1 locomotive"
    assert [text.plain[span.start : span.end] for span in text.spans] == ["2 purple", "1 locomotive"]


def test_did_you_mean() -> None:
    assert did_you_mean("germny", EDITIONS) == "did you mean `germany`?"
    assert did_you_mean("zzz", EDITIONS) is None


# --- show ------------------------------------------------------------------------------------------------------------


def test_show_in_a_pipe_is_svg(cli: Cli) -> None:
    code, out, err = cli("show", "usa")
    assert (code, err) == (0, "")
    assert out.startswith("<svg ")
    assert out.endswith("</svg>\n")
    assert "Kansas City" in out


def test_show_writes_what_the_suffix_says(cli: Cli, tmp_path: Path) -> None:
    svg, png = tmp_path / "board.svg", tmp_path / "board.PNG"
    code, out, err = cli("show", "germany", "--out", str(svg), "--theme", "dark")
    assert (code, out, err) == (0, "", f"Wrote {svg}\n")
    assert svg.read_text("utf-8").startswith("<svg ")
    assert cli("show", "germany", "--out", str(png), "--width", "320").code == 0
    data = png.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20]) == 320


def test_show_a_record_at_the_end_and_at_a_turn(cli: Cli, records: dict[str, Path], games: dict[str, Game]) -> None:
    end = cli("show", str(records["europe"])).out
    result = games["europe"].result()
    assert all(f"{seat.name} {seat.total}" in end for seat in result.players)
    assert "Final score" in end
    early = cli("show", str(records["europe"]), "--turn", "10").out
    assert "After turn 10: " in early
    start = cli("show", str(records["europe"]), "--turn", "0").out
    assert "After turn 0: Player 1 0 · Player 2 0 · Player 3 0" in start
    claimed = [int(match[1]) for svg in (early, end) if (match := re.search(r"(\d+) of them claimed", svg))]
    assert claimed == [sum(len(v) for v in [_claims_until(games["europe"], 10)]), len(games["europe"].owners())]
    assert "of them claimed" not in start


def _claims_until(game: Game, turn: int) -> list[int]:
    """Tracks owned after a turn, found without the code under test: a turn ends where another player moves."""
    copy = Game.from_record(game.record())
    moves = [
        move for move in copy.history if move.action.kind not in ("keep", "announce") or move.number > copy.players
    ]
    seen, last = 0, None
    for move in moves:
        if move.player != last:
            seen, last = seen + 1, move.player
        if seen > turn:
            while len(copy.history) >= move.number:
                copy.undo()
            break
    return list(copy.owners())


@pytest.mark.parametrize(
    ("args", "error", "hint"),
    [
        (["usaa"], "`usaa` is neither an edition nor a file", "did you mean `usa`?"),
        (["gone.txt"], "`gone.txt` is neither an edition nor a file", "the editions are usa, europe"),
        (["gone.toml"], "there is no file `gone.toml`", "map file"),
        (["usa", "--theme", "drak"], "there is no theme `drak`", "did you mean `dark`?"),
        (["usa", "--out", "board.jpg"], "can't tell the kind of picture from `board.jpg`", ".svg or .png"),
        (["usa", "--out", "no/such/folder/board.svg"], "there is no folder `no/such/folder`", "make it first"),
        (["usa", "--width", "7"], "--width must be between 100 and 10000, not 7", "--width 1600"),
        (["usa", "--turn", "3"], "--turn is for records", "empty board"),
    ],
)
def test_show_refuses(cli: Cli, args: list[str], error: str, hint: str) -> None:
    refused(cli("show", *args), error, hint)


def test_show_refuses_a_turn_beyond_the_record(cli: Cli, records: dict[str, Path]) -> None:
    refused(cli("show", str(records["usa"]), "--turn", "9999"), "the record has turns 0 to ", "turn 0 is")
    refused(cli("show", str(records["usa"]), "--turn", "-1"), "the record has turns 0 to ", "turn 0 is")


# --- replay ----------------------------------------------------------------------------------------------------------


def test_replay_prints_every_move(cli: Cli, records: dict[str, Path], games: dict[str, Game]) -> None:
    code, out, err = cli("replay", str(records["germany"]))
    assert (code, err) == (0, "")
    game = games["germany"]
    assert out.startswith("Germany, 4 players: Player 1, Player 2, Player 3, Player 4\n")
    claims = [move.action.text.removeprefix("claim ") for move in game.history if move.action.kind == "claim"]
    assert re.findall(r"^  claims (.+ with [^;\n]+)", out, re.MULTILINE) == claims
    assert out.count("from the deck") == sum(move.action.kind == "draw_blind" for move in game.history)
    result = game.result()
    for seat in result.players:
        assert re.search(rf"^{seat.name} .* {seat.total}$", out, re.MULTILINE)
    winners = " and ".join(game.names[seat] for seat in result.winners)
    assert out.splitlines()[-1].startswith(winners)


def test_replay_numbers_turns_one_by_one(cli: Cli, records: dict[str, Path]) -> None:
    out = cli("replay", str(records["europe"])).out
    numbers = [int(n) for n in re.findall(r"^Turn (\d+) ", out, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert out.count("First tickets  ") == 3
    late = cli("replay", str(records["europe"]), "--from", str(numbers[-1]), "--delay", "0").out
    assert re.findall(r"^Turn (\d+) ", late, re.MULTILINE) == [str(numbers[-1])]


def test_replay_as_one_player_hides_the_others(cli: Cli, records: dict[str, Path], games: dict[str, Game]) -> None:
    out = cli("replay", str(records["europe"]), "--player", "2", "--all").out
    before_the_end = out.partition("Final score")[0]
    assert "As Player 2 saw it" in out
    blocks = before_the_end.strip().split("\n\n")
    for block in blocks[1:]:
        mine = block.splitlines()[0].endswith("  Player 2")
        assert mine or "draws a card from the deck" in block or "from the deck" not in block
        assert mine or not re.search(r"keeps \D", block)
        assert mine or block.startswith("First tickets") or "hand of Player 2: " in block
    for move in games["europe"].history:
        if move.action.kind == "keep" and move.player == 1:
            assert move.action.text.replace("keep", "keeps", 1) in before_the_end


def test_replay_waits_for_keys_on_a_terminal(records: dict[str, Path]) -> None:
    screen = terminal("replay", str(records["usa"]), "--from", "1", keys="  q")
    assert "any key: next turn" in screen
    assert [n in screen for n in ("Turn 1", "Turn 2", "Turn 3", "Turn 4")] == [True, True, True, False]
    assert "Final score" not in screen
    assert "Final score" in terminal("replay", str(records["usa"]), keys="a")


def test_replay_of_an_unfinished_game_says_who_is_next(cli: Cli, tmp_path: Path, games: dict[str, Game]) -> None:
    game = Game.from_record(games["usa"].record())
    while len(game.history) > 20:
        game.undo()
    path = tmp_path / "half.txt"
    path.write_text(game.record(), "utf-8")
    out = cli("replay", str(path)).out
    assert out.splitlines()[-1] == f"The record ends here; to move: {game.names[game.to_move[0]]}"
    assert cli("show", str(path)).code == 0


def test_replay_of_a_game_that_has_not_begun(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    path.write_text(Game("usa", players=2, seed=1).record(), "utf-8")
    code, out, _ = cli("replay", str(path))
    assert code == 0
    assert "to move: Player 1, Player 2" in out


def test_a_damaged_record_names_the_line(cli: Cli, records: dict[str, Path], tmp_path: Path) -> None:
    lines = records["usa"].read_text("utf-8").splitlines()
    lines[30] = lines[30].split(": ")[0] + ": fly to the moon"
    bad = tmp_path / "bad.txt"
    bad.write_text("\n".join(lines), "utf-8")
    for command in ("replay", "show"):
        refused(cli(command, str(bad)), f"{bad}: record line 31: ", "")


@pytest.mark.parametrize(
    ("args", "error", "hint"),
    [
        (["--player", "Zed"], "there is no player `Zed`", "the players are Player 1, Player 2"),
        (["--player", "3"], "there is no player `3`", "Player 1"),
        (["--from", "9999"], "the record has turns 0 to ", "turn 0 is"),
        (["--delay", "-1"], "--delay must be 0 or more, not -1", "--delay 0.5"),
    ],
)
def test_replay_refuses(cli: Cli, records: dict[str, Path], args: list[str], error: str, hint: str) -> None:
    refused(cli("replay", str(records["usa"]), *args), error, hint)


@pytest.mark.parametrize(("text", "error"), [("hello\n", "record line 1"), ("", "record line 1")])
def test_files_that_are_no_records_are_refused(cli: Cli, tmp_path: Path, text: str, error: str) -> None:
    path = tmp_path / "letter.txt"
    path.write_text(text, "utf-8")
    refused(cli("replay", str(path)), error, "game.record()")


def test_replay_missing_and_binary_files(cli: Cli, records: dict[str, Path], tmp_path: Path) -> None:
    refused(cli("replay", str(records["usa"]).replace("usa-game", "us-game")), "there is no file", "usa-game.txt`?")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\xff\xfe")
    refused(cli("replay", str(tmp_path / "picture.png")), "isn't a text file", "record")


# ---- score ----------------------------------------------------------------------------------------------------------
TABLES = Path(__file__).parents[2] / "examples" / "tables"


def test_score_counts_a_real_table(tmp_path: Path, cli: Cli) -> None:
    said = cli("score", str(TABLES / "europe.toml"))
    assert said.code == 0
    assert "Cem wins." in said.out
    assert "station in Athina: " in said.out
    said = cli("score", str(TABLES / "europe.toml"), "--json", "--out", str(tmp_path / "board.svg"))
    assert said.code == 0
    data = json.loads(said.out)
    assert [player["total"] for player in data["result"]["players"]] == [89, 113, 117]
    assert "Cem 117" in (tmp_path / "board.svg").read_text("utf-8")


def test_score_says_why_a_table_cannot_be(tmp_path: Path, cli: Cli) -> None:
    odd = tmp_path / "odd.toml"
    odd.write_text((TABLES / "europe.toml").read_text("utf-8").replace("Angora–Smyrna", "Athina–Sofia"), "utf-8")
    refused = cli("score", str(odd))
    assert refused.code == 2
    assert "error: Athina–Sofia is Ben's and Ada's" in refused.err
    assert "--force" in refused.err
    forced = cli("score", str(odd), "--force")
    assert forced.code == 0
    assert "odd: Athina–Sofia is Ben's and Ada's" in forced.out
    odd.write_text(odd.read_text("utf-8").replace('colour = "red"', 'colour = "rde"'), "utf-8")
    assert "hint: did you mean `red`?" in cli("score", str(odd), "--force").err
