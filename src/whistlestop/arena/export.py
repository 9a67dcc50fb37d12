"""The games of a store as CSV or Parquet: a line for each game and player."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from whistlestop.arena.game_store import GameStore
from whistlestop.errors import WhistlestopError

TEXT_COLUMNS = frozenset(("edition", "digest", "seating", "bot", "version", "played"))
REAL_COLUMNS = frozenset(("limit_seconds", "seconds"))
_LINES = 50_000
"""Lines of one group of a Parquet file."""


def write_csv(store: GameStore, path: str | Path) -> int:
    """Write all games as CSV with a line of names; how many lines."""
    names, lines = store.results()
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        count = 0
        for line in lines:
            writer.writerow(line)
            count += 1
    return count


def write_parquet(store: GameStore, path: str | Path) -> int:
    """Write all games as Parquet; how many lines. Needs pyarrow, which is an extra."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise WhistlestopError(
            "Parquet files need the package pyarrow", "install it: pip install 'whistlestop[parquet]'"
        ) from None
    names, lines = store.results()
    schema = pa.schema([(name, _arrow_type(pa, name)) for name in names])
    count = 0
    with parquet.ParquetWriter(path, schema) as writer:
        for group in _groups(lines):
            columns = [
                pa.array(column, field.type) for column, field in zip(zip(*group, strict=True), schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))
            count += len(group)
    return count


def _arrow_type(pa: Any, name: str) -> Any:
    return pa.string() if name in TEXT_COLUMNS else pa.float64() if name in REAL_COLUMNS else pa.int64()


def _groups(lines: Iterator[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    while group := list(islice(lines, _LINES)):
        yield group
