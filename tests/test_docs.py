"""What the pages say is true: their Python runs, their commands exist, their links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "src/whistlestop/maps/README.md",
]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.M | re.S)


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "docs/engine.md",
        "docs/boards/playtest.md",
        "docs/bots.md",
        "docs/envs/batched.md",
        "docs/envs/gymnasium.md",
        "docs/envs/openspiel.md",
        "docs/envs/pettingzoo.md",
    ],
)
def test_python_on_the_pages_runs(page: str) -> None:
    for code in blocks(ROOT / page, "python"):
        done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr


def test_the_readme_plays_a_whole_game_in_ten_lines() -> None:
    code = blocks(ROOT / "README.md", "python")[0]
    assert len(code.strip().splitlines()) <= 10
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert "whistlestop record 1" in done.stdout
    assert "Player 3" in done.stdout


def test_commands_on_the_pages_exist() -> None:
    shell = "\n".join(block for page in PAGES for block in blocks(page, "(?:sh|console)"))
    named = set(re.findall(r"whistlestop ([a-z][a-z-]+)\b", shell))
    help_text = subprocess.run(
        [sys.executable, "-m", "whistlestop", "--help"], capture_output=True, text=True, check=True
    ).stdout
    offered = set(re.findall(r"^  ([a-z-]+)  ", help_text, re.M))
    assert named
    assert named <= offered, named - offered


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), target


def test_the_rules_page_is_what_the_product_says() -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    from write_rules_page import PAGE, page

    assert PAGE.read_text() == page(), "run: uv run python scripts/write_rules_page.py"
