"""The examples run as they stand, without a warning."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
ELSEWHERE = {"play_over_http.py", "learn_by_self_play.py", "learn_with_maskable_ppo.py"}
"""The first needs a server: tests/server runs it. The others need PyTorch: test_learners.py runs them."""
SHORT = {"analyse.py": ["--games", "50"]}
"""Arguments that make an example quick."""


def run(name: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / name, *SHORT.get(name, [])],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


@pytest.mark.parametrize("name", sorted({path.name for path in EXAMPLES.glob("*.py")} - ELSEWHERE))
def test_example_runs(name: str) -> None:
    assert run(name).strip()


def test_the_first_example_prints_a_result_in_ten_lines_of_code() -> None:
    tree = ast.parse((EXAMPLES / "play_a_game.py").read_text("utf-8"))
    code = (EXAMPLES / "play_a_game.py").read_text("utf-8").splitlines()[tree.body[0].end_lineno or 0 :]
    assert len([line for line in code if line.strip()]) <= 10
    assert run("play_a_game.py").rstrip().endswith(" wins.")


def test_analysis_has_a_line_for_every_edition() -> None:
    from whistlestop import editions

    lines = run("analyse.py").splitlines()
    assert [line.split()[0] for line in lines[1:]] == [edition.id for edition in editions()]


def test_own_board_is_played_to_the_end() -> None:
    out = run("own_board.py")
    assert "Ann" in out
    assert out.rstrip().endswith(".")
    assert "longest path" in out
