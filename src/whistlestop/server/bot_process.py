"""The process in which bots think: it reads requests from its input, answers on its output, and ends with its input.

The server starts it as `python -m whistlestop.server.bot_process` and kills it when a bot does not answer in time.
Requests are pickled, answers are JSON; each has its length in front. A request has two answers, one when the bot is
made and one with its action, so that what a bot imports and loads does not count as thinking.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import struct
import sys
from collections import OrderedDict
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from whistlestop.bots import Bot, Limit, bot
from whistlestop.bots.levels import level_entrants
from whistlestop.bots.own_process import STDERR, end_after, take_pipes
from whistlestop.bots.readiness import is_ready, kernel_folders, load_kernels
from whistlestop.bots.referee import play
from whistlestop.engine import layout as lay
from whistlestop.errors import described
from whistlestop.mapfile import Edition
from whistlestop.notation import Action
from whistlestop.views import View

LENGTH = struct.Struct(">I")
"""What stands in front of every message."""
MOST_BOTS = 1000
"""Bots that a process remembers; one that was forgotten is made anew."""
MAKE_SECONDS = 60.0
"""Seconds in which a bot must be made: what it imports may take longer than an action."""
ORPHANED = 2.0
"""Seconds after its limit in which a bot ends together with its process, should the server be gone."""


class BotRequest(NamedTuple):
    """What a bot is asked: the view of its seat, in parts that are quick to send."""

    bot: str
    """A bot's name, or a class in a file of the host's; guests cannot choose this text."""
    seed: int
    """Also tells the bots of one name apart."""
    seconds: float
    edition: bytes
    """Pickled; the same bytes for every request of an edition."""
    state: bytes
    """One redacted STATE record."""
    player: int
    names: tuple[str, ...]
    steps: int | None = None
    """Simulated games or search nodes at most."""
    cores: int = 1


@lru_cache(maxsize=64)
def _edition(pickled: bytes) -> Edition:
    edition: Edition = pickle.loads(pickled)
    return edition


class BotProcess:
    """Answers requests with the bots that it remembers."""

    def __init__(self) -> None:
        self._bots: OrderedDict[tuple[str, int], Bot] = OrderedDict()
        self._loaded: set[tuple[Path, ...]] = {()}
        """Folders of kernels that this process has."""

    def preload(self) -> None:
        """Load what the levels need and is compiled, so that nobody waits for it."""
        for name in dict.fromkeys(entrant.name for entrant in level_entrants().values()):
            if is_ready(name):
                self._load(name, kernel_folders(bot(name)))

    def make(self, request: BotRequest) -> str | None:
        """Make the bot of a request, if it is not there; what went wrong, if anything."""
        try:
            self._bot(request.bot, request.seed)
        except BaseException as error:
            return described(error)
        return None

    def answer(self, request: BotRequest) -> dict[str, object]:
        """The id of the action that a bot chose, or what went wrong."""
        try:
            states = np.frombuffer(request.state, lay.STATE).copy()
            view = View(_edition(request.edition), states, request.player, request.names)
            chosen = self._bot(request.bot, request.seed).act(
                view, Limit(request.seconds, request.steps, request.cores)
            )
            if not isinstance(chosen, Action):
                return {"error": f"an answer of type {type(chosen).__name__}, not an Action"}
            return {"action": int(chosen.id)}
        except BaseException as error:  # also SystemExit: whatever a bot does, the process goes on
            self._bots.pop((request.bot, request.seed), None)
            return {"error": described(error)}

    def _bot(self, name: str, seed: int) -> Bot:
        key = (name, seed)
        if key not in self._bots:
            self._bots[key] = made = bot(name, seed)
            self._load(name, kernel_folders(made))
            if len(self._bots) > MOST_BOTS:
                self._bots.popitem(last=False)
        self._bots.move_to_end(key)
        return self._bots[key]

    def _load(self, name: str, folders: tuple[Path, ...]) -> None:
        if folders not in self._loaded:
            load_kernels(name)
            self._loaded.add(folders)


def _send(answers: BinaryIO, message: dict[str, object]) -> None:
    data = json.dumps(message).encode()
    answers.write(LENGTH.pack(len(data)) + data)
    answers.flush()


def main() -> None:
    """Answer requests until the server closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the server, which ends this process in good order
    requests, answers = take_pipes(prints_to=STDERR)
    play("usa", ["casual", "random"], 0)  # compiled code is loaded before the first request
    bots = BotProcess()
    bots.preload()
    try:
        _send(answers, {"ready": os.getpid()})
        while header := requests.read(LENGTH.size):
            request = BotRequest(*pickle.loads(requests.read(LENGTH.unpack(header)[0])))
            end_after(MAKE_SECONDS + ORPHANED)
            if error := bots.make(request):
                _send(answers, {"error": error})
            else:
                _send(answers, {"made": request.bot})
                end_after(request.seconds + ORPHANED)
                _send(answers, bots.answer(request))
            end_after(0)
    except (BrokenPipeError, struct.error, EOFError):  # the server is gone
        sys.exit(1)


if __name__ == "__main__":
    main()
