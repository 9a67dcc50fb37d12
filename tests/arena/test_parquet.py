"""Parquet files; needs the extra `parquet`, without which this file is not collected (see conftest.py)."""

from __future__ import annotations

from pathlib import Path

from pyarrow import parquet

from support.tournaments import HerePlayers, small
from whistlestop.arena import export
from whistlestop.arena.export import REAL_COLUMNS, TEXT_COLUMNS, write_parquet
from whistlestop.arena.game_store import GameStore
from whistlestop.arena.tournament import run


def test_parquet_gives_back_what_was_stored(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(export, "_LINES", 7)  # several groups
    schedule = small("random,casual:7steps", 3)
    store = GameStore()
    run(schedule, store, HerePlayers(schedule))
    path = tmp_path / "games.parquet"
    assert write_parquet(store, path) == 72
    found = parquet.read_table(path)
    names, lines = store.results()
    assert found.column_names == names
    assert [tuple(row[name] for name in names) for row in found.to_pylist()] == [tuple(line) for line in lines]
    for field in found.schema:
        kind = "string" if field.name in TEXT_COLUMNS else "double" if field.name in REAL_COLUMNS else "int64"
        assert str(field.type) == kind
