"""What the documentation says about the server is so."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

from support.clients import ServerThread
from whistlestop.server import live
from whistlestop.server.settings import Limits
from write_messages import models

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "play_over_http.py"
PAGE = ROOT / "docs" / "server.md"


def test_the_example_plays_a_whole_game(server: ServerThread) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLE, server.url], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert re.fullmatch(r"Script: -?\d+ points\n[\w ]+: -?\d+ points\n", done.stdout)


def test_the_page_shows_the_example_as_it_is() -> None:
    shown = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert shown
    code = EXAMPLE.read_text("utf-8").partition('"""\n\n')[2]
    assert shown[1].strip() == code.strip()


def test_the_page_names_every_message_limit_and_code() -> None:
    text = PAGE.read_text("utf-8")
    kinds = [model.model_fields.get("t") for model in models()]
    names = {name for kind in kinds if kind is not None for name in get_args(kind.annotation)}
    assert {"hello", "act", "welcome", "frame"} <= names
    for name in names:
        assert f"`{name}`" in text, name
    limits = Limits()
    for number in (
        limits.tables_an_hour,
        limits.sockets,
        limits.messages_a_second,
        limits.requests_a_second,
        live.CLOSED_SLOW,
        live.CLOSED_BUSY,
    ):
        assert re.search(rf"\b{number:g}\b", text), number
