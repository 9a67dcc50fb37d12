"""Compiling the engine when a server or a worker starts, beside everything else."""

from __future__ import annotations

import asyncio
import sys

from whistlestop.engine import warmup
from whistlestop.engine.jit import is_warm


class WarmUpProgress:
    """How far the engine is compiled."""

    def __init__(self) -> None:
        self.done, self.total, self.what = 0, 1, "starting"
        self.ready = False


async def warm_up(progress: WarmUpProgress) -> None:
    """Compile the engine, once for this machine, in a process of its own; then load it."""
    if not is_warm():
        code = "from whistlestop.engine.warmup import warm_up; warm_up(lambda d, t, w: print(d, t, w, flush=True))"
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
        assert process.stdout is not None
        try:
            async for line in process.stdout:
                done, total, what = line.decode().strip().split(" ", 2)
                progress.done, progress.total, progress.what = int(done), int(total), what
            await process.wait()  # where it failed, the next line compiles here
        finally:
            if process.returncode is None:  # the server is stopped meanwhile
                process.kill()
    await asyncio.to_thread(warmup.warm_up)
    progress.done = progress.total
    progress.ready = True
