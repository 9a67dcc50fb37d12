"""Games of the arena in one SQLite file: a row for each game, one for each player in it, one for each failure.

A game is identified by the edition's digest, the rules version, the seed and the bots by seat; it is stored once, so
tournaments can stop, go on and be added to. One process writes, in transactions, so whatever kills it leaves whole
games. Games of another rules version stay in the file and are left out of everything that is read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from whistlestop import __version__
from whistlestop.arena.matches import Match, PlayedMatch, Rows, known_entrant, shares_of
from whistlestop.bots.bot_file import names_file
from whistlestop.engine.layout import SHEET_NAMES
from whistlestop.engine.rules import RULES_VERSION
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import Edition

STORE_FORMAT = "1"
"""Of the file; another number is refused."""
STORED_ROW = np.dtype(
    [(name, np.int64) for name in ("game", "seed", "player", "bot", *SHEET_NAMES, "steps", "failures")]
    + [("seconds", np.float64), ("share", np.float64)]
)
"""What one player got in one stored game; `bot` is an index of the bots of the same cell, `share` what it had of the
win."""
_SHEET = ", ".join(SHEET_NAMES)
_SCHEMA = f"""
CREATE TABLE arena (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE games (
  id INTEGER PRIMARY KEY,
  edition TEXT NOT NULL,  -- its id, for people
  digest TEXT NOT NULL,   -- of everything in the edition that matters for play
  players INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  seating TEXT NOT NULL,  -- the bots by seat, with commas
  rules INTEGER NOT NULL, -- version of the rules
  version TEXT NOT NULL,  -- of the package
  steps INTEGER NOT NULL, -- actions of all players
  seconds REAL NOT NULL,
  played TEXT NOT NULL,
  UNIQUE (digest, rules, players, seating, seed)
);
CREATE TABLE seats (
  game INTEGER NOT NULL REFERENCES games,
  seat INTEGER NOT NULL,  -- from 1
  bot TEXT NOT NULL,
  limit_seconds REAL,
  limit_steps INTEGER,
  {", ".join(f"{name} INTEGER NOT NULL" for name in SHEET_NAMES)},
  failures INTEGER NOT NULL,  -- actions that the bot failed to give
  PRIMARY KEY (game, seat)
) WITHOUT ROWID;
CREATE TABLE failures (
  game INTEGER NOT NULL REFERENCES games,
  seat INTEGER NOT NULL,
  action INTEGER NOT NULL,  -- its number in the game, from 1
  reason TEXT NOT NULL,
  detail TEXT NOT NULL
);
CREATE VIEW results AS
  SELECT id AS game, edition, digest, players, seed, seating, seat, bot, limit_seconds, limit_steps, {_SHEET},
    failures, steps, seconds, rules, version, played
  FROM games JOIN seats ON seats.game = games.id ORDER BY id, seat;
INSERT INTO arena VALUES ('format', '{STORE_FORMAT}');
"""

GameKey = tuple[str, tuple[str, ...], int]
"""Digest of the edition, bots by seat, seed."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What is rated together: an edition with a number of players."""

    edition: str
    digest: str
    players: int


@dataclass(frozen=True, slots=True)
class StoredFailure:
    """A bot's failures of one kind in the games of a store, with the first of them."""

    bot: str
    reason: str
    count: int
    games: int
    edition: str
    seed: int
    action: int
    detail: str


@lru_cache(maxsize=256)
def bot_id(text: str) -> str:
    """What a bot is called in a store: its text; a bot in a file has a digest of the file too, since files change."""
    name = known_entrant(text).name
    if not names_file(name):
        return text
    path = name.rpartition(":")[0]
    return f"{text}@{sha256(Path(path).read_bytes()).hexdigest()[:8]}"


class GameStore:
    """The games in a file; without a path they are kept in memory and lost."""

    def __init__(self, path: str | Path | None = None, read_only: bool = False) -> None:
        self._path = None if path is None else Path(path)
        if read_only and (self._path is None or not self._path.is_file()):
            raise WhistlestopError(f"there is no file `{path}`", "`whistlestop arena --out FILE` makes one")
        try:
            self._database = sqlite3.connect(self._path or ":memory:", timeout=30)
            self._open(read_only)
        except sqlite3.DatabaseError as error:
            raise WhistlestopError(
                f"`{path}` cannot be used as a store of games: {error}", "give another file; arena makes a new one"
            ) from error

    def _open(self, read_only: bool) -> None:
        known = self._database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if known:
            tables = {name for (name,) in self._database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not {"arena", "games", "seats", "failures"} <= tables:
                raise sqlite3.DatabaseError("it is a database of something else")
            (found,) = self._database.execute("SELECT value FROM arena WHERE key = 'format'").fetchone()
            if found != STORE_FORMAT:
                raise sqlite3.DatabaseError(f"its format is {found}, this version reads {STORE_FORMAT}")
        elif read_only:
            raise sqlite3.DatabaseError("it is empty")
        if read_only:
            self._database.execute("PRAGMA query_only = 1")
            return
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = NORMAL")
        if not known:
            self._database.executescript(f"BEGIN IMMEDIATE;{_SCHEMA}COMMIT;")

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    # --- writing -----------------------------------------------------------------------------------------------------
    def add(self, played: Iterable[PlayedMatch], editions: dict[str, Edition]) -> None:
        """Store games in one transaction; one that is there already is not stored again."""
        with self._database:
            for one in played:
                self._add_game(one, editions[one.match.edition])

    def _add_game(self, played: PlayedMatch, edition: Edition) -> None:
        match = played.match
        bots = [bot_id(text) for text in match.seating]
        game = (
            edition.id, match.edition, len(bots), match.seed, ",".join(bots), RULES_VERSION, __version__,
            int(played.rows["steps"][0]), round(played.seconds, 6), datetime.now(UTC).isoformat(timespec="seconds"),
        )  # fmt: skip
        done = self._database.execute(
            "INSERT OR IGNORE INTO games (edition, digest, players, seed, seating, rules, version, steps, seconds, "
            "played) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            game,
        )
        if not done.rowcount:
            return
        columns = (*SHEET_NAMES, "failures")
        limits = [known_entrant(text).limit for text in match.seating]
        self._database.executemany(
            f"INSERT INTO seats VALUES ({', '.join('?' * (5 + len(columns)))})",
            [
                (done.lastrowid, seat + 1, bot, limit.seconds, limit.steps, *(int(row[name]) for name in columns))
                for seat, (bot, limit, row) in enumerate(zip(bots, limits, played.rows, strict=True))
            ],
        )
        self._database.executemany(
            "INSERT INTO failures VALUES (?, ?, ?, ?, ?)",
            [(done.lastrowid, f.seat + 1, f.action, f.reason, f.detail) for f in played.failures],
        )

    # --- reading -----------------------------------------------------------------------------------------------------
    def shares(self) -> dict[GameKey, tuple[float, ...]]:
        """Every game that is there, with each seat's share of the win."""
        found: dict[GameKey, tuple[float, ...]] = {}
        query = (
            "SELECT id, digest, seating, seed, won FROM games JOIN seats ON game = id WHERE rules = ? ORDER BY id, seat"
        )
        rows = self._database.execute(query, (RULES_VERSION,))
        for (_, digest, seating, seed), seats in groupby(rows, key=lambda row: row[:4]):
            won = np.array([row[4] for row in seats])
            found[digest, tuple(seating.split(",")), seed] = tuple(shares_of(won).tolist())
        return found

    def cells(self) -> list[Cell]:
        """Editions and numbers of players that games are there for, in the order in which they came."""
        query = (
            "SELECT edition, digest, players FROM games WHERE rules = ? GROUP BY edition, digest, players "
            "ORDER BY min(id)"
        )
        return [Cell(*row) for row in self._database.execute(query, (RULES_VERSION,))]

    def rows(self, cell: Cell) -> tuple[tuple[str, ...], Rows]:
        """The bots of a cell, and a row for each of its games and players; game by game and seat by seat."""
        query = (
            f"SELECT id, seed, seat, bot, {_SHEET}, steps, failures, seconds FROM games JOIN seats ON game = id "
            "WHERE rules = ? AND edition = ? AND digest = ? AND players = ? ORDER BY id, seat"
        )
        numbers: dict[str, int] = {}
        found = [
            (game, seed, seat - 1, numbers.setdefault(bot, len(numbers)), *rest, 0.0)
            for game, seed, seat, bot, *rest in self._database.execute(
                query, (RULES_VERSION, cell.edition, cell.digest, cell.players)
            )
        ]
        rows = np.array(found, STORED_ROW)
        rows["share"] = shares_of(rows["won"].reshape(-1, cell.players)).reshape(-1)
        return tuple(numbers), rows

    def failures(self) -> list[StoredFailure]:
        """What went wrong with bots, by bot and reason."""
        query = (
            "SELECT bot, reason, count(*), count(DISTINCT id), edition, seed, action, detail, min(failures.rowid) "
            "FROM failures JOIN games ON id = failures.game "
            "JOIN seats ON seats.game = id AND seats.seat = failures.seat "
            "WHERE rules = ? GROUP BY bot, reason ORDER BY bot, reason"
        )
        return [StoredFailure(*row[:-1]) for row in self._database.execute(query, (RULES_VERSION,))]

    def notes(self) -> list[str]:
        """What somebody who reads these games should know about them."""
        (others,) = self._database.execute("SELECT count(*) FROM games WHERE rules <> ?", (RULES_VERSION,)).fetchone()
        found = [f"{others:,} games by another version of the rules are left out"] if others else []
        query = "SELECT DISTINCT version FROM games WHERE rules = ? ORDER BY version"
        versions = [name for (name,) in self._database.execute(query, (RULES_VERSION,))]
        if len(versions) > 1:
            found.append(f"games of versions {', '.join(versions)} are together: bots may have changed between them")
        return found

    def seconds(self) -> float:
        """How long all games took, one after another."""
        query = "SELECT coalesce(sum(seconds), 0) FROM games WHERE rules = ?"
        return float(self._database.execute(query, (RULES_VERSION,)).fetchone()[0])

    def results(self) -> tuple[list[str], Iterator[Sequence[Any]]]:
        """Names of columns, and a line for each game and player: what exports are made of."""
        found = self._database.execute("SELECT * FROM results WHERE rules = ?", (RULES_VERSION,))
        return [column[0] for column in found.description], found


def key_of(match: Match) -> GameKey:
    """What identifies a match in a store."""
    return match.edition, tuple(bot_id(text) for text in match.seating), match.seed
