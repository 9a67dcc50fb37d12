"""Datasets: games of bots in a folder of Parquet files, a row for each decision.

A folder has `dataset.json`, which says what is in it, and files of GAMES_A_FILE games each. A file is written under
another name and renamed when it is whole, and what is in it follows from its name and `dataset.json` alone: so writing
can be interrupted and taken up again at any time, and no game is there twice.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from filelock import FileLock, Timeout

from whistlestop.bots.referee import Failure
from whistlestop.envs.choices import action_set
from whistlestop.envs.extras import needed
from whistlestop.envs.gymnasium_ids import VERSION
from whistlestop.envs.parts import ObservationLayout, layout_of
from whistlestop.envs.recording import Recording, record
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import Edition, digest

with needed("parquet"):
    import pyarrow as pa
    from pyarrow import parquet

GAMES_A_FILE = 256
ABOUT = "dataset.json"
_NUMBERS = ("game", "step", "player", "action", "full_action", "points", "margin", "won", "reward")
"""Columns of single numbers, by their names in `Recording`."""


@dataclass(frozen=True)
class DatasetRequest:
    """What a dataset consists of; the same request gives the same games unless a bot has a limit in seconds."""

    edition: Edition
    bots: tuple[str, ...]
    games: int
    seed: int
    """Of the first game; each one after it has the next."""
    small: bool = True
    """The set of actions."""

    def about(self) -> dict[str, Any]:
        """`dataset.json`: all that a reader needs to know."""
        layout, actions = layout_of(self.edition), action_set(self.edition, self.small)
        return {
            "version": VERSION,
            "edition": self.edition.id,
            "digest": digest(self.edition),
            "bots": list(self.bots),
            "games": self.games,
            "seed": self.seed,
            "actions": "small" if self.small else "full",
            "action_count": actions.count,
            "parts": {part.name: list(part.shape) for part in layout.parts},
        }

    def files(self) -> dict[str, range]:
        """Names of the files and the seeds of their games."""
        first, found = self.seed, {}
        for start in range(0, self.games, GAMES_A_FILE):
            end = min(start + GAMES_A_FILE, self.games)
            found[f"games-{start:08}-{end - 1:08}.parquet"] = range(first + start, first + end)
        return found


@dataclass(frozen=True)
class Written:
    """What came of writing a dataset."""

    games: int
    """In the folder, those of earlier runs too."""
    decisions: int
    """Written in this run."""
    failures: tuple[tuple[int, Failure], ...]
    """Of bots in this run, with the seeds of the games."""


# ---- writing --------------------------------------------------------------------------------------------------------
def write_dataset(
    wanted: DatasetRequest,
    folder: str | Path,
    *,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Written:
    """Write what is not there yet. `progress` is called with the number of games that are there."""
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(home / ".lock", timeout=0):
            _check_request(wanted, home)
            return _write_files(wanted, home, jobs or os.cpu_count() or 1, progress or (lambda _done: None))
    except Timeout:
        raise WhistlestopError(
            f"another program is writing to {home}", "wait for it, or choose another folder"
        ) from None


def _check_request(wanted: DatasetRequest, home: Path) -> None:
    """Make the folder that of this request, or see that it is."""
    about, path = wanted.about(), home / ABOUT
    if path.exists():
        there = json.loads(path.read_text("utf-8"))
        if there != about:
            other = ", ".join(name for name in about if there.get(name) != about[name])
            raise WhistlestopError(f"{home} has another dataset: it differs in {other}", "choose another folder")
        return
    if any(home.glob("*.parquet")):
        raise WhistlestopError(f"{home} has Parquet files that are no dataset", "choose another folder")
    _renamed(path, lambda partial: partial.write_text(json.dumps(about, indent=1) + "\n", "utf-8"))


def _write_files(wanted: DatasetRequest, home: Path, jobs: int, progress: Callable[[int], None]) -> Written:
    files = wanted.files()
    missing = {name: seeds for name, seeds in files.items() if not (home / name).exists()}
    done = wanted.games - sum(map(len, missing.values()))
    progress(done)
    decisions, failures = 0, list[tuple[int, Failure]]()

    def write(name: str, seeds: range) -> Recording:
        recording = record(wanted.edition, wanted.bots, seeds, small=wanted.small)
        table = table_of(recording, layout_of(wanted.edition), wanted.about())
        _renamed(home / name, lambda partial: _write_table(table, partial))
        return recording

    pool = ThreadPoolExecutor(jobs)
    try:
        for one in as_completed([pool.submit(write, *file) for file in missing.items()]):
            recording = one.result()
            done += int(recording.game[-1] - recording.game[0]) + 1
            decisions += len(recording.game)
            failures += recording.failures
            progress(done)
    finally:
        pool.shutdown(cancel_futures=True)
    return Written(done, decisions, tuple(sorted(failures, key=lambda found: found[0])))


def _renamed(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file under another name; it gets its own when it is whole and on the disk."""
    partial = path.with_name(path.name + ".partial")
    write(partial)
    with partial.open("rb+") as file:
        os.fsync(file.fileno())
    partial.replace(path)


def _write_table(table: Any, path: Path) -> None:
    # Rows are mostly zeros, which the quickest level of zstd is good at; dictionaries and statistics are of no use.
    parquet.write_table(
        table, path, compression="zstd", compression_level=1, use_dictionary=False, write_statistics=False
    )


def table_of(recording: Recording, layout: ObservationLayout, about: Mapping[str, Any]) -> Any:
    """A recording as a table of Arrow: parts and masks are rows of bytes, the rest are numbers."""
    columns = {name: pa.array(getattr(recording, name)) for name in _NUMBERS}
    at = 0
    for part in layout.parts:
        columns[part.name] = _bytes_column(recording.observation[:, at : at + part.size])
        at += part.size
    columns["mask"] = _bytes_column(recording.mask)
    return pa.table(columns).replace_schema_metadata({"whistlestop": json.dumps(about)})


def _bytes_column(rows: npt.NDArray[np.uint8]) -> Any:
    data = pa.py_buffer(np.ascontiguousarray(rows))
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(rows.shape[1]), len(rows), [None, data])


# ---- reading --------------------------------------------------------------------------------------------------------
class Dataset:
    """A dataset to read: `for batch in Dataset("games").batches(4096): batch["observation"], batch["mask"], …`."""

    def __init__(self, folder: str | Path) -> None:
        self.home = Path(folder)
        try:
            self.about: dict[str, Any] = json.loads((self.home / ABOUT).read_text("utf-8"))
        except OSError:
            raise WhistlestopError(f"there is no dataset in {self.home}", f"it would have a file {ABOUT}") from None
        self.files = sorted(self.home.glob("games-*.parquet"))

    def __len__(self) -> int:
        """Decisions."""
        return sum(parquet.read_metadata(file).num_rows for file in self.files)

    def batches(self, size: int, columns: Sequence[str] | None = None) -> Iterator[dict[str, npt.NDArray[Any]]]:
        """Decisions in order, at most `size` at a time: numbers by column, parts in their shapes, masks unpacked.

        `observation` is the flat one, unless `columns` are named without it.
        """
        parts = list(self.about["parts"])
        wanted = [*_NUMBERS, "observation", "mask"] if columns is None else list(columns)
        read = [name for name in wanted if name != "observation"] + (parts if "observation" in wanted else [])
        for file in self.files:
            for batch in parquet.ParquetFile(file).iter_batches(size, columns=list(dict.fromkeys(read))):
                yield {name: self._column(batch, name) for name in wanted}

    def _column(self, batch: Any, name: str) -> npt.NDArray[Any]:
        if name == "observation":
            return np.concatenate([_bytes_of(batch.column(part)) for part in self.about["parts"]], axis=1)
        column = batch.column(name)
        if name == "mask":
            bits = np.unpackbits(_bytes_of(column), axis=1, count=self.about["action_count"], bitorder="little")
            return bits.view(np.bool_)
        if name in self.about["parts"]:
            return _bytes_of(column).reshape(len(column), *self.about["parts"][name])
        return np.asarray(column.to_numpy(zero_copy_only=False))


def _bytes_of(column: Any) -> npt.NDArray[np.uint8]:
    """A column of bytes as an array with a row for each, without copying."""
    width = column.type.byte_width
    start = column.offset * width
    data = np.frombuffer(column.buffers()[1], np.uint8)[start : start + len(column) * width]
    return data.reshape(len(column), width)
