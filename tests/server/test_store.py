"""The database: groups, numbers that can be taken once, and migrations that make the schema that the code expects."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.exc import OperationalError

from support.truth import row
from whistlestop.server.schema import schema
from whistlestop.server.settings import Settings
from whistlestop.server.store import (
    DatabaseUnusable,
    KeyHolder,
    Outdated,
    Store,
    StoredAction,
    check_database,
    hash_of,
    migrate,
    new_key,
)


def in_store(tmp_path: Path, job: Callable[[Store], Coroutine[Any, Any, None]]) -> None:
    """Run something with a store of its own."""

    async def run() -> None:
        store = await Store.open(Settings(data_dir=tmp_path).database_url)
        try:
            await job(store)
        finally:
            await store.close()

    asyncio.run(run())


def test_many_appends_at_once_need_few_transactions(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        for i in range(20):
            await store.add_table(row(f"t{i}"), [])
        before = store.writer.groups
        await asyncio.gather(
            *(store.append(f"t{i}", n, StoredAction(0, 7, False, float(n))) for n in range(1, 51) for i in range(20))
        )
        assert store.writer.writes >= 1000
        assert store.writer.groups - before <= 10
        assert len((await store.load("t3") or pytest.fail("lost")).actions) == 50

    in_store(tmp_path, job)


def test_what_was_appended_is_there_when_the_answer_comes(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        await store.add_table(row("t"), [])
        for n in range(1, 6):
            await store.append("t", n, StoredAction(0, n, n % 2 == 0, float(n)))
            with closing(sqlite3.connect(tmp_path / "whistlestop.db")) as other:
                assert other.execute("select max(number) from actions").fetchone() == (n,)

    in_store(tmp_path, job)


def test_a_number_can_be_taken_once_and_only_the_loser_hears_of_it(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        for table in ("a", "b"):
            await store.add_table(row(table), [])
        await store.append("a", 1, StoredAction(0, 5, False, 1.0))
        jobs: list[Awaitable[None]] = [
            store.append("b", 1, StoredAction(0, 1, False, 1.0)),
            store.append("a", 1, StoredAction(1, 6, False, 2.0)),
            store.append("b", 2, StoredAction(0, 2, False, 2.0)),
            store.append("a", 2, StoredAction(1, 7, False, 2.0)),
            store.append("a", 2, StoredAction(0, 8, False, 2.0)),
        ]
        results = await asyncio.gather(*jobs, return_exceptions=True)
        assert [type(result) for result in results] == [
            type(None),
            Outdated,
            type(None),
            type(None),
            Outdated,
        ]
        loaded = await store.load("a")
        assert loaded is not None
        assert [stored.action for stored in loaded.actions] == [5, 7]

    in_store(tmp_path, job)


@contextmanager
def locked(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Another program keeps the database for itself."""
    with closing(sqlite3.connect(tmp_path / "whistlestop.db", isolation_level=None)) as other:
        other.execute("begin exclusive")
        yield other


def appends(store: Store, n: int) -> Awaitable[list[BaseException | None]]:
    """Actions of many tables at once: what becomes of them."""
    jobs = [store.append(f"t{i}", 1, StoredAction(0, 7, False, 1.0)) for i in range(n)]
    return asyncio.gather(*jobs, return_exceptions=True)


def test_writers_wait_for_a_lock_side_by_side(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        for i in range(50):
            await store.add_table(row(f"t{i}"), [])
        with locked(tmp_path) as other:
            began = time.monotonic()
            waiting = asyncio.ensure_future(appends(store, 50))
            await asyncio.sleep(1.0)
            other.execute("rollback")
            assert await waiting == [None] * 50
        assert 0.9 < time.monotonic() - began < 2.5

    in_store(tmp_path, job)


def test_writers_give_a_lock_up_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whistlestop.server.store.LOCK_SECONDS", 0.5)

    async def job(store: Store) -> None:
        for i in range(50):
            await store.add_table(row(f"t{i}"), [])
        began = time.monotonic()
        with locked(tmp_path):
            assert {type(result) for result in await appends(store, 50)} == {OperationalError}
        assert 0.4 < time.monotonic() - began < 2.0
        assert await appends(store, 50) == [None] * 50, "afterwards the same can be stored"

    in_store(tmp_path, job)


def test_actions_of_no_table_are_refused(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        with pytest.raises(Exception, match=r"FOREIGN KEY|already"):
            await store.append("nowhere", 1, StoredAction(0, 5, False, 1.0))

    in_store(tmp_path, job)


def test_closing_commits_what_waits(tmp_path: Path) -> None:
    async def run() -> None:
        store = await Store.open(Settings(data_dir=tmp_path).database_url)
        await store.add_table(row("t"), [])
        waiting = [asyncio.create_task(store.append("t", n, StoredAction(0, n, False, 1.0))) for n in range(1, 301)]
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*waiting)

    asyncio.run(run())
    with closing(sqlite3.connect(tmp_path / "whistlestop.db")) as other:
        assert other.execute("select count(*) from actions").fetchone() == (300,)


def test_only_hashes_of_keys_are_kept(tmp_path: Path) -> None:
    key = new_key()

    async def job(store: Store) -> None:
        await store.add_table(row("t"), [KeyHolder(hash_of(key), "t", (0,), True)])
        await store.change("t", 0, [KeyHolder(hash_of(key), "t", (0, 2), True)], seats=[])
        assert [(holder.seats, holder.host) for holder in await store.holders([hash_of(key)])] == [((0, 2), True)]
        assert await store.holders([hash_of("other")]) == []

    in_store(tmp_path, job)
    assert len(key) >= 24
    assert all(key.encode() not in path.read_bytes() for path in tmp_path.iterdir())


def test_commits_outlive_the_machine(tmp_path: Path) -> None:
    async def job(store: Store) -> None:
        async with store.engine.connect() as connection:
            found = {
                name: (await connection.execute(sa.text(f"PRAGMA {name}"))).scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys")
            }
        assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}

    in_store(tmp_path, job)


def test_migrations_make_the_schema_of_the_code(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'm.db'}")
    try:
        with engine.begin() as connection:
            migrate(connection)
            migrate(connection)
        with engine.connect() as connection:
            differences = compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), schema)
    finally:
        engine.dispose()
    assert differences == []


def test_other_databases_are_named_by_their_address() -> None:
    assert Settings(database="postgresql://u@h/d").database_url == "postgresql+asyncpg://u@h/d"
    assert Settings(database="postgres://u@h/d").database_url == "postgresql+asyncpg://u@h/d"
    assert Settings(database="sqlite:////tmp/x.db").database_url == "sqlite+aiosqlite:////tmp/x.db"
    assert Settings(database="mysql+x://h").database_url == "mysql+x://h"


# ---- a database that cannot be used ---------------------------------------------------------------------------------
def unusable(url: str) -> str:
    """Why a database cannot be opened."""
    with pytest.raises(DatabaseUnusable) as found:
        asyncio.run(check_database(url))
    assert found.value.hint
    assert "\n" not in found.value.message
    return found.value.message


def test_a_database_that_cannot_be_opened_is_told_in_a_sentence_without_its_password(tmp_path: Path) -> None:
    (tmp_path / "whistlestop.db").write_text("no database " * 100)
    assert "file is not a database" in unusable(Settings(data_dir=tmp_path).database_url)
    assert "can't be used" in unusable(Settings(data_dir=tmp_path / "nowhere").database_url)
    assert "can't be used" in unusable("nonsense")
    told = unusable(Settings(database="postgresql://me:hush@127.0.0.1:1/games").database_url)
    assert "me:***@127.0.0.1:1/games" in told
    assert "hush" not in told


def test_a_database_of_a_later_version_is_not_touched(tmp_path: Path) -> None:
    url = Settings(data_dir=tmp_path).database_url
    asyncio.run(check_database(url))
    with closing(sqlite3.connect(tmp_path / "whistlestop.db")) as database, database:
        database.execute("update alembic_version set version_num = '9999'")
    assert "9999" in unusable(url)


def test_a_second_server_on_the_same_file_is_refused_until_the_first_has_gone(tmp_path: Path) -> None:
    url = Settings(data_dir=tmp_path).database_url
    code = f"import asyncio; from whistlestop.server.store import check_database; asyncio.run(check_database({url!r}))"

    async def job(_store: Store) -> None:
        other = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", code], capture_output=True, text=True)
        assert "another server uses" in other.stderr

    in_store(tmp_path, job)
    asyncio.run(check_database(url))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")
def test_only_its_owner_may_read_a_database(tmp_path: Path) -> None:
    (tmp_path / "whistlestop.db").touch(0o644)

    async def job(store: Store) -> None:
        await store.add_table(row("t"), [])
        files = [path for path in tmp_path.iterdir() if path.name.startswith("whistlestop.db")]
        assert len(files) >= 3
        assert {path.stat().st_mode & 0o777 for path in files} == {0o600}

    in_store(tmp_path, job)
