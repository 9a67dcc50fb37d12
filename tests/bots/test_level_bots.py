"""Levels and what they mean: their bots, their ratings, whether they are ready; and the beginner."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from whistlestop.bots import Limit, bot_names, levels
from whistlestop.bots.levels import LEVELS, level_entrants, ratings_of
from whistlestop.bots.lineup import Entrant
from whistlestop.bots.readiness import MARKER, is_ready, kernel_folders, make_ready
from whistlestop.bots.referee import play
from whistlestop.engine import jit

GAMES = 100


# ---- levels ---------------------------------------------------------------------------------------------------------
def test_levels_name_bots_and_limits() -> None:
    found = level_entrants()
    plain = {level.name: str(found[level.name]) for level in LEVELS}
    assert plain == {
        "beginner": "beginner", "casual": "casual", "club": "planner", "master": "expert:200ms",
        "grandmaster": "expert:2s",
    }  # fmt: skip
    assert {entrant.name for entrant in found.values()} <= set(bot_names())


def test_characters_are_those_of_which_there_are_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "bot_names", lambda: ("planner-builder", "expert-blocker", "expert"))
    found = level_entrants()
    assert found["master-blocker"] == Entrant("expert-blocker", Limit(seconds=0.2))
    assert found["grandmaster-blocker"] == Entrant("expert-blocker", Limit(seconds=2))
    assert [name for name in found if "-" in name] == ["master-blocker", "grandmaster-blocker"]


def test_ratings_are_read_by_level_or_by_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"usa/2": {"club": 1400.4, "expert:200ms": 1700}, "europe/3": {"planner": 1300}}
    monkeypatch.setattr(levels, "_ratings", lambda: {"date": "2026-11-16", "command": "arena", "ratings": told})
    club, master, beginner = LEVELS[2], LEVELS[3], LEVELS[0]
    assert ratings_of(club.name, club.entrant) == {"usa/2": 1400, "europe/3": 1300}
    assert ratings_of(master.name, master.entrant) == {"usa/2": 1700}
    assert ratings_of(beginner.name, beginner.entrant) == {}


def test_the_file_of_ratings_is_valid() -> None:
    found = json.loads((Path(levels.__file__).parent / "ratings.json").read_bytes())
    assert set(found) == {"date", "command", "ratings"}
    for where, ratings in found["ratings"].items():
        edition, _, players = where.partition("/")
        assert edition
        assert 2 <= int(players) <= 5
        assert all(isinstance(rating, int | float) for rating in ratings.values())


# ---- readiness ------------------------------------------------------------------------------------------------------
TINY = """
from pathlib import Path


class Tiny:
    kernels = (Path(__file__).parent,)

    def act(self, view, limit):
        return view.legal()[0]
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for compiled code, as on a fresh machine."""
    monkeypatch.setenv("WHISTLESTOP_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    """A bot that says it has kernels."""
    (tmp_path / "tiny").mkdir()
    file = tmp_path / "tiny" / "tiny_bot.py"
    file.write_text(TINY)
    return f"{file}:Tiny"


def test_bots_without_kernels_are_always_ready(cache: Path) -> None:
    assert is_ready("casual")
    assert is_ready("beginner")
    assert not cache.exists()


@pytest.mark.usefixtures("cache")
def test_compiled_bots_are_not_ready_on_a_fresh_machine() -> None:
    assert is_ready("planner") is is_ready("expert") is not jit.COMPILED


def test_a_bot_is_ready_once_it_was_made_so(cache: Path, tiny: str) -> None:
    assert is_ready(tiny) is not jit.COMPILED
    make_ready(tiny)
    assert is_ready(tiny)
    assert len(list(cache.rglob(MARKER))) == jit.COMPILED
    path = Path(tiny.rpartition(":")[0])
    path.write_text(TINY + "\n# another version\n")
    assert is_ready(tiny) is not jit.COMPILED, "another version is compiled anew"


def test_the_program_says_which_are_ready(cache: Path, tiny: str) -> None:
    if jit.CACHE is not None:  # the engine is compiled already: what is new is the bot
        shutil.copytree(jit.CACHE, cache / jit.CACHE.name)
    assert is_ready(tiny) is not jit.COMPILED
    command = [sys.executable, "-m", "whistlestop.bots.readiness", tiny]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [tiny]
    assert is_ready(tiny)
    assert len(list(cache.rglob(MARKER))) == jit.COMPILED


def test_strong_bots_name_their_kernels() -> None:
    for name, parts in (("planner", ["planner"]), ("expert", ["planner", "expert"])):
        found = kernel_folders(Entrant(name).make(0))
        assert [folder.name for folder in found] == parts
        assert all((folder / "__init__.py").exists() for folder in found)


# ---- the beginner ---------------------------------------------------------------------------------------------------
def score_of_beginner(other: str, edition: str = "usa", games: int = GAMES) -> float:
    """Share of the games that the beginner wins, half of them from each seat."""
    won = 0.0
    for game in range(games):
        seat = game % 2
        lineup = ["beginner", other] if seat == 0 else [other, "beginner"]
        points = [player.total for player in play(edition, lineup, game // 2).result().players]
        won += 1.0 if points[seat] > points[1 - seat] else 0.5 if points[0] == points[1] else 0.0
    return won / games


def test_the_beginner_loses_to_casual() -> None:
    assert score_of_beginner("casual") <= 0.25


@pytest.mark.parametrize(("edition", "games"), [("usa", GAMES), ("europe", 20), ("germany", 20)])
def test_the_beginner_is_no_noise(edition: str, games: int) -> None:
    assert score_of_beginner("random", edition, games) >= 0.95
