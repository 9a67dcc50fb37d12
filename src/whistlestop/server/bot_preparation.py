"""Getting the stronger bots ready in the background: their kernels are compiled once for a machine.

It happens in a process of its own with low priority, one bot after another, so that a newcomer plays meanwhile.
"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Literal

from whistlestop.bots.levels import level_entrants
from whistlestop.bots.readiness import is_ready
from whistlestop.server import log

Readiness = Literal["ready", "preparing", "failed"]


class BotPreparation:
    """Which of the levels' bots can play at once; other bots need no preparation."""

    def __init__(self) -> None:
        names = dict.fromkeys(entrant.name for entrant in level_entrants().values())
        self._states: dict[str, Readiness] = dict.fromkeys(names, "preparing")
        self._changed = asyncio.Condition()

    def readiness(self, bot: str) -> Readiness:
        """How far a bot is."""
        return self._states.get(bot, "ready")

    async def wait_for(self, bot: str) -> bool:
        """Wait until a bot is ready; False if it will not be."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.readiness(bot) != "preparing")
        return self.readiness(bot) == "ready"

    async def look(self) -> None:
        """Find out which bots were compiled before."""
        await self._set("ready", *await asyncio.to_thread(_compiled, tuple(self._states)))

    async def run(self) -> None:
        """Compile the others; if that fails they take no seat until the server starts again."""
        if not (waiting := self._waiting()):
            return
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "whistlestop.bots.readiness", *waiting, stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        began = time.monotonic()
        try:
            async for line in process.stdout:
                await self._set("ready", name := line.decode().strip())
                log.event("bot ready", bot=name, seconds=round(time.monotonic() - began))
            await process.wait()
        finally:
            if process.returncode is None:  # the server is stopped meanwhile
                process.kill()
                await process.wait()
        if left := self._waiting():
            log.event("bots could not be compiled", "error", bots=left, code=process.returncode)
        await self.give_up()

    async def leave_to_others(self) -> None:
        """Workers elsewhere compile what they need: all bots can be chosen."""
        await self._set("ready", *self._waiting())

    async def give_up(self) -> None:
        """What is not ready will not be."""
        await self._set("failed", *self._waiting())

    def _waiting(self) -> list[str]:
        return [name for name, state in self._states.items() if state == "preparing"]

    async def _set(self, state: Readiness, *bots: str) -> None:
        async with self._changed:
            self._states.update(dict.fromkeys(bots, state))
            self._changed.notify_all()


def _compiled(names: tuple[str, ...]) -> list[str]:
    return [name for name in names if is_ready(name)]
