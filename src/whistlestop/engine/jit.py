"""How kernels are compiled and cached.

Numba's cache does not notice a change in a called function of another file, and does not know whether it was
compiled with bounds checks. So the cache folder is keyed by a digest of all engine sources and of those switches.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config

F = TypeVar("F", bound=Callable[..., Any])

COMPILED = not config.DISABLE_JIT


def source_digest() -> str:
    """Digest of everything that decides what a kernel compiles to, except the machine, which Numba checks itself."""
    digest = hashlib.sha256(numba.__version__.encode())
    here = Path(__file__).parent
    limits = here.parent / "mapfile" / "model.py"  # kernels freeze these numbers
    for path in (*sorted(here.glob("*.py")), limits):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    digest.update(b"bounds" if config.BOUNDSCHECK else b"fast")
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Folder for compiled kernels: $WHISTLESTOP_CACHE, or the user's cache folder."""
    if named := os.environ.get("WHISTLESTOP_CACHE"):
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("whistlestop") / "kernels"


def _writable_cache() -> Path | None:
    """The cache folder for these sources, made if need be; None where nothing can be written."""
    folder = cache_root() / source_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        return None
    return folder


CACHE = _writable_cache() if COMPILED else None
if CACHE is not None:
    config.CACHE_DIR = str(CACHE)


_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def kernel(function: F) -> F:
    """Compile a function of records, arrays and numbers that other kernels call.

    It may not allocate records, recurse or raise.
    Without the wrappers that Python would need, it compiles in half the time. What Python calls is a `door`.
    """
    return cast(F, numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)(function))


def door(function: F) -> F:
    """Compile a kernel that Python calls; it releases the GIL."""
    return cast(F, numba.njit(cache=CACHE is not None, no_cfunc_wrapper=True, **_OPTIONS)(function))


def is_warm() -> bool:
    """Whether the kernels were compiled before, so that a start takes a moment and not half a minute."""
    return not COMPILED or (CACHE is not None and (CACHE / "warm").exists())
