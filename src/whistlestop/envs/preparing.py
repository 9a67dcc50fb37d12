"""Compiling the environments before they are needed: once for each version of their sources.

`python -m whistlestop.envs.preparing` does it; so do the tests, before their processes start.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import whistlestop.bots.planner
import whistlestop.envs.kernels
from whistlestop.engine.jit import COMPILED, writable_cache
from whistlestop.envs.batched import BatchedEnv
from whistlestop.envs.encoding import Encoding
from whistlestop.envs.recording import record

_FOLDERS = tuple(Path(str(part.__file__)).parent for part in (whistlestop.envs.kernels, whistlestop.bots.planner))
_MARKER = "environments"
"""A file in the cache of these kernels that says that all of them are there."""


def are_prepared() -> bool:
    """Whether environments can play at once, planners as opponents too."""
    cache = writable_cache(*_FOLDERS)
    return not COMPILED or (cache is not None and (cache / _MARKER).exists())


def prepare() -> None:
    """Compile every door of the environments into the cache, or load it from there."""
    cache = writable_cache(*_FOLDERS)  # before compiling: sources may change meanwhile
    for opponents in ((), ("planner",)):
        env = BatchedEnv("usa", 1, opponents=opponents)
        env.step(env.masks.argmax(1))
        env.determinize(1)
    env.observe(0, 1)
    view, encoding = env.view(0), Encoding(env.edition)
    encoding.observation(view)
    encoding.action(view, int(np.argmax(encoding.mask(view))))
    record(env.edition, ["random", "random"], range(1))
    if cache is not None:
        (cache / _MARKER).touch()


if __name__ == "__main__":
    prepare()
