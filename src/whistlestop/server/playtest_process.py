"""The process that lets bots play a board of strangers and measures the games; the server kills it when it takes long.

The server starts it as `python -m whistlestop.server.playtest_process`. A request is a `PlaytestRequest` as a line of
JSON and then the text of the map file. The answers are lines of JSON: `{"status": "getting_ready"}` where something has
to be compiled, `{"done": 50, "all": 800}` again and again, and at the end `{"fault": "…"}`, or `{"page": 70000}` with
so many bytes of HTML behind it.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, BinaryIO

import orjson

from whistlestop.arena.playtest.measures import playtest
from whistlestop.arena.playtest.playtest_page import playtest_page
from whistlestop.arena.playtest.traced_play import are_kernels_ready, make_kernels_ready
from whistlestop.bots.own_process import STDERR, end_after, take_pipes
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import Edition
from whistlestop.server.strange_boards import LARGEST_BOARD, BoardFault, ReadBoard, read_strange_board

READY_WITHIN = 600.0
"""Seconds to start, to compile what was never compiled on this machine, and to read the board."""
LEFT_ALONE = 10.0
"""More seconds, after which the process ends by itself: no server is left to kill it."""


@dataclass(frozen=True, slots=True)
class PlaytestRequest:
    """What is to be played."""

    edition: str
    """Its name on the server, with the board's hash."""
    games: int
    """With each number of players."""
    bot: str
    seconds: float
    """To play."""
    size: int
    """Bytes of the map file."""

    def line(self) -> bytes:
        """The request as it is sent, without the map file."""
        return orjson.dumps(asdict(self)) + b"\n"


def main() -> None:
    """Answer one request."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which ends this process in good order
    end_after(READY_WITHIN + LEFT_ALONE)
    with suppress(AttributeError, OSError):
        os.nice(10)  # those who play come first, and those who wait for a board to be read
    requests, answers = take_pipes(prints_to=STDERR)
    asked = PlaytestRequest(**orjson.loads(requests.readline()))
    try:
        _answer(asked, requests.read(min(asked.size, LARGEST_BOARD)), answers)
    except WhistlestopError as error:
        _tell(answers, fault=error.message)
    except BrokenPipeError:  # the server is gone
        sys.exit(1)


def _answer(asked: PlaytestRequest, text: bytes, answers: BinaryIO) -> None:
    read = read_strange_board(text)
    if isinstance(read, BoardFault):
        _tell(answers, fault=read.message)
        return
    edition = next(one for one in read.editions if one.id == asked.edition)
    if not are_kernels_ready():
        _tell(answers, status="getting_ready")
    make_kernels_ready()  # loads them where they are: that is no time of this board's
    end_after(asked.seconds + LEFT_ALONE)
    games = asked.games * (edition.players[1] - edition.players[0] + 1)

    def told(done: int) -> None:
        _tell(answers, done=done, all=games)

    told(0)
    found = playtest(edition, asked.games, None, (asked.bot,), jobs=1, progress=told)
    page = playtest_page([found], _source(edition, read, asked.games)).encode()
    _tell(answers, page=len(page))
    answers.write(page)
    answers.flush()


def _source(edition: Edition, read: ReadBoard, games: int) -> str:
    """When it was measured, and how its maker gets the same numbers at home."""
    name = edition.id.partition("@")[0]
    file = f"{name}.toml" if edition is read.editions[0] else f"{name}.toml:{name}"
    date = datetime.now(UTC).date().isoformat()
    return f"Measured on a server, {date}; the same at home: `whistlestop playtest {file} --games {games}`"


def _tell(answers: BinaryIO, **what: Any) -> None:
    answers.write(orjson.dumps(what) + b"\n")
    answers.flush()


if __name__ == "__main__":
    main()
