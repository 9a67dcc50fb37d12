"""What the documentation says about the server is so."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from support.clients import House
from whistlestop.server import live
from whistlestop.server.settings import Limits

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "play_over_http.py"
PAGE = ROOT / "docs" / "server.md"
MESSAGES = """hello sit act say react why way vote leave back ping
    welcome table frame chat reaction ok error pong"""


def test_the_example_plays_a_whole_game(house: House) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLE, house.url], capture_output=True, text=True, check=False
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
    for name in MESSAGES.split():
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
        assert f"{number:g}" in text, number
