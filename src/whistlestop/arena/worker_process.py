"""The process in which matches are played: it reads batches from its input and answers on its output.

The pool starts it as `python -m whistlestop.arena.worker_process FILE`. The file tells the pool which bot is thinking
and since when, however the process ends. Messages are pickled: first the editions by their digest, then lists of
matches; the answer to a list comes in parts, in order, as the matches are done.
"""

from __future__ import annotations

import mmap
import os
import pickle
import signal
import struct
import sys
import time
from pathlib import Path
from typing import BinaryIO, NamedTuple

from whistlestop.arena.matches import Match, PlayedMatch, play_match
from whistlestop.arena.rehearsal import own_bots, rehearse
from whistlestop.bots import Limit
from whistlestop.bots.own_process import end_after, take_pipes
from whistlestop.mapfile import Edition

ANSWER_SECONDS = 0.25
"""How long matches that are done wait for others before they are sent: messages cost time."""
ALONE_SECONDS = 10.0
"""How much longer than the pool a process waits for a bot before it ends itself, should the pool be gone."""
_MARK = struct.Struct("<qddqqqq")
"""A mark between two equal numbers above 0: where they are not, it is being written at this moment."""


class Mark(NamedTuple):
    """What a process is doing."""

    since: float
    """When it began, by the machine's clock that never goes back."""
    seconds: float
    """How long it may think; 0 without a limit."""
    match: int
    """Number in the batch; -1 where there is none."""
    turn: int
    seat: int
    """Whose bot is thinking; -1 for none."""


IDLE = Mark(0.0, 0.0, -1, 0, -1)
"""Nothing is done."""


class MarkFile:
    """A mark that two processes see: written by one, read by the other."""

    def __init__(self, path: Path) -> None:
        self._number = 0
        if not path.exists():
            path.write_bytes(_MARK.pack(0, *IDLE, 0))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _MARK.size)

    def read(self) -> Mark:
        """What is written there now; while it is being written, nothing is done."""
        first, *mark, last = _MARK.unpack(self._memory[:])
        return Mark(*mark) if first == last != 0 else IDLE

    def write(self, mark: Mark) -> None:
        """Write it for the other process."""
        self._number += 1
        self._memory[:] = _MARK.pack(self._number, *mark, self._number)

    def close(self) -> None:
        """Let the memory go."""
        self._memory.close()


class ProcessWatch:
    """Marks which bot is thinking, and has the system end this process if it never comes back and nobody else does."""

    def __init__(self, marks: MarkFile, patience: float) -> None:
        self._marks, self._patience, self.match = marks, patience, -1

    def begin(self, seat: int, turn: int, limit: Limit) -> None:
        """A bot is made or asked."""
        seconds = limit.seconds or 0.0
        self._marks.write(Mark(time.monotonic(), seconds, self.match, turn, seat))
        end_after(seconds + self._patience + ALONE_SECONDS)

    def end(self) -> None:
        """It came back."""
        self._marks.write(Mark(time.monotonic(), 0.0, self.match, 0, -1))
        end_after(0)


def answer_batches(requests: BinaryIO, answers: BinaryIO, marks: MarkFile) -> None:
    """Play batches until the input ends."""
    editions: dict[str, Edition]
    editions, patience = pickle.load(requests)
    watch = ProcessWatch(marks, patience)
    while True:
        batch: list[Match] = pickle.load(requests)
        done: list[PlayedMatch] = []
        sent = time.monotonic()
        for name in own_bots(text for match in batch for text in match.seating):
            rehearse(name)
        for watch.match, match in enumerate(batch):
            watch.end()
            done.append(play_match(match, editions[match.edition], watch))
            if time.monotonic() - sent > ANSWER_SECONDS:
                _send(answers, done)
                done, sent = [], time.monotonic()
        watch.match = -1
        watch.end()
        _send(answers, done)


def _send(answers: BinaryIO, done: list[PlayedMatch]) -> None:
    if done:
        pickle.dump(done, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()


def main() -> None:
    """Play what the pool asks for until it closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the pool, which ends this process in good order
    requests, answers = take_pipes()
    try:
        answer_batches(requests, answers, MarkFile(Path(sys.argv[1])))
    except (BrokenPipeError, EOFError):  # the pool is gone
        os._exit(0)


if __name__ == "__main__":
    main()
