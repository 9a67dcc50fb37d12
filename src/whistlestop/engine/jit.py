"""How kernels are compiled and cached.

Numba's cache does not notice a change in a called function of another file, and does not know whether it was
compiled with bounds checks. So the cache folder is keyed by a digest of all engine sources and of those switches,
and of what Numba itself keeps apart, the processor and the place of the sources: a file in the folder that says that
all is compiled is then true for whoever finds it.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from llvmlite.binding import get_host_cpu_name
from numba.core import config

F = TypeVar("F", bound=Callable[..., Any])

COMPILED = not config.DISABLE_JIT


def source_digest(*folders: Path) -> str:
    """Digest of everything that decides what a kernel compiles to and where Numba looks for it: the engine's sources,
    those of other folders with kernels, their place, the processor.
    """
    engine = Path(__file__).parent
    digest = hashlib.sha256("\0".join((numba.__version__, get_host_cpu_name(), str(engine.absolute()))).encode())
    limits = engine.parent / "mapfile" / "model.py"  # kernels freeze these numbers
    for path in (*(path for folder in (engine, *folders) for path in sorted(folder.glob("*.py"))), limits):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    digest.update(b"bounds" if config.BOUNDSCHECK else b"fast")
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Folder for compiled kernels: $WHISTLESTOP_CACHE, or the user's cache folder."""
    if named := os.environ.get("WHISTLESTOP_CACHE"):
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("whistlestop") / "kernels"


def writable_cache(*folders: Path) -> Path | None:
    """The cache folder for the engine's sources and those of other folders, made if need be; None without a compiler,
    and where nothing can be written.
    """
    if not COMPILED:
        return None
    cache = cache_root() / source_digest(*folders)
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=cache):
            pass
    except OSError:
        return None
    return cache


CACHE = writable_cache()
"""Where the engine's own kernels are kept."""


_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def kernel(function: F) -> F:
    """Compile a function of records, arrays and numbers that other kernels call.

    It may not allocate records, recurse or raise.
    Without the wrappers that Python would need, it compiles in half the time. What Python calls is a `door`.
    """
    return cast(F, numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)(function))


def doors_of(*folders: Path) -> Callable[[F], F]:
    """A decorator for kernels that Python calls, outside the engine: they are cached by the sources of these folders
    and the engine's, so that a change in a bot leaves the engine's own kernels as they are.
    """
    return partial(_door, writable_cache(*folders))


def _door(cache: Path | None, function: F) -> F:
    if cache is not None:
        config.CACHE_DIR = str(cache)  # Numba reads it here and now
    return cast(F, numba.njit(cache=cache is not None, no_cfunc_wrapper=True, **_OPTIONS)(function))


def door(function: F) -> F:
    """Compile a kernel that Python calls; it releases the GIL."""
    return _door(CACHE, function)


def is_warm() -> bool:
    """Whether the kernels were compiled before, so that a start takes a moment and not half a minute."""
    return not COMPILED or (CACHE is not None and (CACHE / "warm").exists())
