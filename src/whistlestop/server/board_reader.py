"""Has map files read in a process of their own, one after the other; a file that takes too long ends the process."""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import sys

from whistlestop.server import log
from whistlestop.server.board_process import SIZE
from whistlestop.server.refusals import RequestError
from whistlestop.server.strange_boards import DRAW_SECONDS, READ_SECONDS, BoardFault, ReadBoard

READ_WITHIN = 4 * (READ_SECONDS + DRAW_SECONDS)
"""Seconds after which the process is killed: on a busy machine it may wait for the processor, whose time it counts."""
STARTED_WITHIN = 60.0
"""Seconds beside these for a process that was not there yet."""
IDLE_AFTER = 120.0
"""Seconds without work after which the process ends; the next map file starts another one."""
FILES_WAITING = 20
"""Map files that wait."""


class BoardReader:
    """One process at most."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._ends: asyncio.TimerHandle | None = None

    async def read(self, text: bytes) -> ReadBoard:
        """A map file as a board that can be played; a refusal with the line where it cannot."""
        if self._waiting >= FILES_WAITING:
            raise RequestError("busy", "many boards are being read just now", "try again in a moment", 503)
        self._waiting += 1
        try:
            async with self._turn:
                answer = await self._ask(text)
        finally:
            self._waiting -= 1
        if isinstance(answer, BoardFault):
            raise RequestError("bad_board", answer.message, answer.hint, 422, line=answer.line)
        return answer

    async def _ask(self, text: bytes) -> ReadBoard | BoardFault:
        if self._ends is not None:
            self._ends.cancel()
        fresh = self._process is None
        try:
            async with asyncio.timeout(READ_WITHIN + (STARTED_WITHIN if fresh else 0.0)):
                answer = await self._exchange(text)
        except (TimeoutError, OSError, EOFError) as error:
            await self._kill()
            log.event("board not read", "error", reason=type(error).__name__, bytes=len(text))
            return BoardFault("this file can't be read within the time that a server has for it")
        except BaseException:  # whoever asked has gone: the answer must not be taken for the next one's
            await self._kill()
            raise
        self._ends = asyncio.get_running_loop().call_later(IDLE_AFTER, self._end)
        return answer

    async def _exchange(self, text: bytes) -> ReadBoard | BoardFault:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "whistlestop.server.board_process",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            )  # fmt: skip
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(SIZE.pack(len(text)) + text)
        length = SIZE.unpack(await process.stdout.readexactly(SIZE.size))[0]
        answer: ReadBoard | BoardFault = pickle.loads(await process.stdout.readexactly(length))
        return answer

    def _end(self) -> None:
        """Let an idle process go: its input ends, and so does it."""
        if self._process is not None and self._process.stdin is not None and not self._turn.locked():
            self._process.stdin.close()
            self._process = None

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            if process.stdin is not None:
                process.stdin.close()
            await process.wait()

    async def close(self) -> None:
        """End the process."""
        if self._ends is not None:
            self._ends.cancel()
        await self._kill()
