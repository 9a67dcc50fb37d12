"""The client's types are those of the server."""

from __future__ import annotations

import shutil
import subprocess

import write_facts
import write_messages


def test_the_types_of_the_client_are_up_to_date() -> None:
    tool = write_messages.WEB / "node_modules" / ".bin" / "json2ts"
    if not tool.exists():
        npm = shutil.which("npm")
        assert npm, "the client's tools are missing: install Node, then run `npm install` in web/"
        subprocess.run(
            [npm, "install", "--no-audit", "--no-fund"], cwd=write_messages.WEB, check=True, capture_output=True
        )
    assert write_messages.TARGET.read_text("utf-8") == write_messages.typescript(), (
        "run `uv run python scripts/write_messages.py`"
    )


def test_the_facts_of_the_client_are_up_to_date() -> None:
    assert write_facts.TARGET.read_text("utf-8") == write_facts.typescript(), (
        "run `uv run python scripts/write_facts.py`"
    )
