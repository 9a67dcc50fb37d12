"""Playtests of people's own boards: bots play them in a process of its own, one after the other; pages are kept for a
time, in memory alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import orjson

from whistlestop.server import log
from whistlestop.server.playtest_process import READY_WITHIN, PlaytestRequest
from whistlestop.server.refusals import RequestError
from whistlestop.server.settings import Settings
from whistlestop.server.store import new_key

PROGRAM = (sys.executable, "-m", "whistlestop.server.playtest_process")
"""What plays: see there for what is said."""
BOT = "club"
"""The level that plays."""
MOST_WAITING = 5
"""Playtests beside the one that runs."""
KEPT_PAGES = 20
"""Playtests that are over, the last ones."""
KEPT_SECONDS = 3600.0
"""For which they are kept."""
LARGEST_PAGE = 1 << 24
"""Bytes; those of the boards of the package have half a million."""
UNFINISHED = ("waiting", "getting_ready", "running")


@dataclass(slots=True)
class BoardPlaytest:
    """A playtest that somebody asked for."""

    edition: str
    client: str
    id: str = field(default_factory=new_key)
    status: str = "waiting"
    done: int = 0
    all: int = 0
    fault: RequestError | None = None
    page: bytes = field(default=b"", repr=False)
    ended: float = 0.0
    """By the clock that only runs forward."""
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def is_over(self) -> bool:
        """Whether it is done, or has failed."""
        return self.status not in UNFINISHED

    def data(self) -> dict[str, Any]:
        """How far it is."""
        return {
            "id": self.id,
            "edition": self.edition,
            "status": self.status,
            "done": self.done,
            "all": self.all,
            "code": self.fault and self.fault.code,
            "message": self.fault and self.fault.message,
        }


class Playtests:
    """Those of this process."""

    def __init__(self, settings: Settings) -> None:
        self._games, self._seconds = settings.playtest_games, settings.playtest_seconds
        self._kept: dict[str, BoardPlaytest] = {}
        self._turn = asyncio.Lock()

    def check_enabled(self) -> None:
        """Refuse playtests where the server's host wants none."""
        if not self._games:
            hint = "`whistlestop playtest` does it on your own machine"
            raise RequestError("playtests_off", "this server measures no boards", hint, 403)

    def known(self, edition: str, client: str) -> BoardPlaytest | None:
        """The playtest of an edition that is done, for the same games say the same, or that the client waits for."""
        self._forget_old()
        of_edition = [one for one in self._kept.values() if one.edition == edition]
        mine = (one for one in of_edition if one.client == client and not one.is_over)
        return next((one for one in of_edition if one.status == "done"), next(mine, None))

    def start(self, edition: str, text: bytes, client: str) -> BoardPlaytest:
        """Let bots play an edition of a map file as soon as it is its turn."""
        unfinished = [one for one in self._kept.values() if not one.is_over]
        if any(one.client == client for one in unfinished):
            raise RequestError("one_playtest", "bots measure another board for you just now", "wait, or cancel it", 409)
        if len(unfinished) > MOST_WAITING:
            raise RequestError("playtests_busy", "many boards are waiting to be measured", "try again later", 503)
        playtest = BoardPlaytest(edition, client)
        self._kept[playtest.id] = playtest
        playtest.task = asyncio.create_task(self._run(playtest, text))
        return playtest

    def get(self, playtest_id: str) -> BoardPlaytest:
        """A playtest by its id."""
        self._forget_old()
        if (found := self._kept.get(playtest_id)) is None:
            raise RequestError("no_such_playtest", "this playtest is not kept any more", "measure the board again", 404)
        return found

    def page(self, playtest_id: str) -> bytes:
        """What came of a playtest, as HTML."""
        found = self.get(playtest_id)
        if found.status != "done":
            raise RequestError("playtest_not_done", "this playtest has no page yet", "ask how far it is", 409)
        return found.page

    async def cancel(self, playtest_id: str) -> None:
        """End a playtest, with its process, and forget it."""
        playtest = self.get(playtest_id)
        del self._kept[playtest.id]
        await _ended(playtest)

    async def close(self) -> None:
        """End all of them."""
        kept, self._kept = self._kept, {}
        for playtest in kept.values():
            await _ended(playtest)

    def _forget_old(self) -> None:
        over = sorted((one for one in self._kept.values() if one.is_over), key=lambda one: one.ended)
        oldest = time.monotonic() - KEPT_SECONDS
        for place, playtest in enumerate(over):
            if playtest.ended < oldest or place < len(over) - KEPT_PAGES:
                del self._kept[playtest.id]

    # -- the process -----------------------------------------------------------------------------------------------
    async def _run(self, playtest: BoardPlaytest, text: bytes) -> None:
        async with self._turn:
            began = time.monotonic()
            try:
                playtest.page = await self._played(playtest, text)
                playtest.status = "done"
            except TimeoutError:
                said = f"the games on this board take longer than the {self._seconds:g} seconds that this server allows"
                playtest.fault = RequestError("playtest_slow", said)
            except RequestError as fault:
                playtest.fault = fault
            except Exception:  # the process has died, or says what nobody understands
                log.logger.exception("playtest without an answer", extra={"facts": {"bytes": len(text)}})
                playtest.fault = RequestError("playtest_failed", "the bots could not play this board to the end")
            playtest.ended = time.monotonic()
            if playtest.fault is not None:
                playtest.status = "failed"
            seconds = round(playtest.ended - began, 1)
            log.event("playtest", outcome=playtest.fault.code if playtest.fault else "done", seconds=seconds)

    async def _played(self, playtest: BoardPlaytest, text: bytes) -> bytes:
        """The page; whatever happens, the process is gone then."""
        process = await asyncio.create_subprocess_exec(
            *PROGRAM, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        try:
            return await self._exchange(process, playtest, text)
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            if process.stdin is not None:
                process.stdin.close()
            await process.wait()

    async def _exchange(self, process: asyncio.subprocess.Process, playtest: BoardPlaytest, text: bytes) -> bytes:
        assert process.stdin is not None
        assert process.stdout is not None
        request = PlaytestRequest(playtest.edition, self._games, BOT, self._seconds, len(text))
        process.stdin.write(request.line() + text)
        async with asyncio.timeout(READY_WITHIN) as limit:
            while True:
                told = orjson.loads(await process.stdout.readline())
                if "fault" in told:
                    raise RequestError("playtest_failed", told["fault"])
                if "page" in told:
                    return await process.stdout.readexactly(_checked_size(told["page"]))
                if playtest.status != "running" and "done" in told:  # what comes before is not the board's fault
                    limit.reschedule(asyncio.get_running_loop().time() + self._seconds)
                playtest.status = told.get("status", "running")
                playtest.done, playtest.all = told.get("done", 0), told.get("all", 0)


def _checked_size(size: int) -> int:
    if size > LARGEST_PAGE:
        raise ValueError(f"a page of {size} bytes")
    return size


async def _ended(playtest: BoardPlaytest) -> None:
    if playtest.task is not None:
        playtest.task.cancel()
        await asyncio.wait([playtest.task])
