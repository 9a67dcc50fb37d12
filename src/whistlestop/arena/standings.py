"""What the games of a store say: ratings, win rates of line-ups and seats, points; by edition and number of players."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from whistlestop.arena.game_store import Cell, GameStore, StoredFailure
from whistlestop.arena.matches import Rows
from whistlestop.arena.ratings import Floats, Rating, WinRate, rate, wins_by_block
from whistlestop.arena.simulation import Distribution, PlayerStatistics
from whistlestop.bots import RANDOM
from whistlestop.errors import WhistlestopError

_FILE_DIGEST = re.compile(r"@[0-9a-f]{8}$")


def labels_of(bots: Sequence[str]) -> dict[str, str]:
    """Short names to show: `my_bot.py:MyBot@1a2b3c4d` is MyBot, as long as no other bot is called so."""

    def short(bot: str) -> str:
        text = _FILE_DIGEST.sub("", bot)
        _, found, name = text.rpartition(".py:")
        return name if found else text

    counts = Counter(short(bot) for bot in bots)
    return {
        bot: short(bot) if counts[short(bot)] == 1 else f"{short(bot)}@{bot.rpartition('@')[2][:4]}" for bot in bots
    }


def anchor_of(bots: Sequence[str], wanted: str | None = None) -> str:
    """The bot whose rating is 0: the wanted one, else `random`, else the first."""
    if wanted is None:
        return RANDOM if RANDOM in bots else bots[0]
    names = {name: bot for bot, label in labels_of(bots).items() for name in (label, _FILE_DIGEST.sub("", bot), bot)}
    if wanted not in names:
        raise WhistlestopError(
            f"no games of `{wanted}` are there", f"the bots are {', '.join(labels_of(bots).values())}"
        )
    return names[wanted]


@dataclass(frozen=True, slots=True)
class BotStanding:
    """How one bot did in a cell."""

    bot: str
    label: str
    rating: Rating
    games: int
    seats: int
    """Seats taken in those games."""
    wins: WinRate
    """Of its seats; a shared win counts in part."""
    statistics: PlayerStatistics


@dataclass(frozen=True, slots=True)
class LineUpStanding:
    """How a bot did in a line-up: `alone` against a table of others, or as one of several."""

    bot: str
    others: tuple[str, ...]
    """The rest of the table."""
    games: int
    wins: WinRate
    """Of each of its seats."""
    points: float
    """Mean of its points."""
    block_wins: Floats
    """Its win rate in each block, for rates over several cells."""

    @property
    def even(self) -> float:
        """What it would be if all were equally strong."""
        return 1 / (len(self.others) + 1)

    def others_text(self, labels: dict[str, str]) -> str:
        """The rest of the table in words: `planner ×2, casual`."""
        counts = Counter(self.others)
        return ", ".join(labels[bot] + (f" ×{n}" if n > 1 else "") for bot, n in counts.items())

    @property
    def alone_against(self) -> str | None:
        """The one bot that has all other seats, if there is one."""
        return self.others[0] if set(self.others) == {self.others[0]} != {self.bot} else None


@dataclass(frozen=True, slots=True)
class CellStanding:
    """An edition with a number of players."""

    cell: Cell
    games: int
    blocks: int
    anchor: str
    """Label of the bot whose rating is 0."""
    bots: tuple[BotStanding, ...]
    """The strongest first."""
    line_ups: tuple[LineUpStanding, ...]
    """Those of the strongest bots first."""
    seat_wins: tuple[WinRate, ...]
    """Of each seat, whoever sat there."""
    actions: Distribution
    rows: Rows
    """A row for each game and player; `bot` is an index of `names`."""
    names: tuple[str, ...]

    def rows_of(self, bot: str) -> Rows:
        """The rows of one bot."""
        found: Rows = self.rows[self.rows["bot"] == self.names.index(bot)]
        return found


@dataclass(frozen=True, slots=True)
class Standings:
    """Everything that the games of a store say."""

    cells: tuple[CellStanding, ...]
    overall: tuple[Rating, ...]
    """Ratings over all cells together, the strongest first; empty where there is one cell only."""
    labels: dict[str, str]
    failures: tuple[StoredFailure, ...]
    notes: tuple[str, ...]
    seconds: float
    """How long all games took, one after another."""

    @property
    def games(self) -> int:
        """Of all cells."""
        return sum(cell.games for cell in self.cells)

    def json(self) -> dict[str, object]:
        """The standings as plain data; numbers are rounded."""
        return {
            "games": self.games,
            "seconds": round(self.seconds, 3),
            "cells": [_cell_json(cell, self.labels) for cell in self.cells],
            "overall": [_rating_json(rating, self.labels) for rating in self.overall],
            "failures": [asdict(failure) for failure in self.failures],
            "notes": list(self.notes),
        }

    @classmethod
    def of(cls, store: GameStore, anchor: str | None = None, wanted: Sequence[Cell] | None = None) -> Standings:
        """Read the games of a store, of all its cells or of those wanted."""
        cells = [cell for cell in store.cells() if wanted is None or cell in wanted]
        if not cells:
            raise WhistlestopError("there are no games to rate", "`whistlestop arena --out FILE` plays some")
        read = [(cell, *store.rows(cell)) for cell in cells]
        bots = tuple(dict.fromkeys(bot for _, names, _ in read for bot in names))
        labels, base = labels_of(bots), anchor_of(bots, anchor)
        return cls(
            cells=tuple(_cell_standing(cell, names, rows, labels, base) for cell, names, rows in read),
            overall=_overall(read, bots, base) if len(read) > 1 else (),
            labels=labels,
            failures=tuple(store.failures()),
            notes=tuple(store.notes()),
            seconds=store.seconds(),
        )


def _cell_standing(cell: Cell, names: tuple[str, ...], rows: Rows, labels: dict[str, str], anchor: str) -> CellStanding:
    base = anchor if anchor in names else anchor_of(names)
    block = _blocks(rows, cell.players)
    ratings = {rating.bot: rating for rating in rate(_wins(rows, cell.players), names, base)}
    bots = [_bot_standing(bot, labels[bot], ratings[bot], rows[rows["bot"] == n]) for n, bot in enumerate(names)]
    bots.sort(key=lambda bot: (*_strongest(bot.rating), bot.label))
    order = {bot.bot: place for place, bot in enumerate(bots)}
    line_ups = _line_ups(rows, names, cell.players)
    line_ups.sort(key=lambda one: (order[one.bot], *(order[other] for other in one.others)))
    return CellStanding(
        cell=cell,
        games=len(block),
        blocks=int(block.max()) + 1,
        anchor=labels[base],
        bots=tuple(bots),
        line_ups=tuple(line_ups),
        seat_wins=tuple(_win_rate(rows[seat :: cell.players]) for seat in range(cell.players)),
        actions=Distribution.of(rows["steps"][:: cell.players]),
        rows=rows,
        names=names,
    )


def _strongest(rating: Rating) -> tuple[bool, float]:
    """The key of an order from strong to weak, with bots that have no rating last."""
    return rating.elo is None, -(rating.elo or 0.0)


def _bot_standing(bot: str, label: str, rating: Rating, rows: Rows) -> BotStanding:
    return BotStanding(
        bot=bot,
        label=label,
        rating=rating,
        games=len(np.unique(rows["game"])),
        seats=len(rows),
        wins=_win_rate(rows),
        statistics=PlayerStatistics.of(rows),
    )


def _line_ups(rows: Rows, names: Sequence[str], players: int) -> list[LineUpStanding]:
    """Every bot of every line-up that was played; a bot that has a table to itself is left out."""
    table = rows["bot"].reshape(-1, players)
    kinds, kind = np.unique(np.sort(table, axis=1), axis=0, return_inverse=True)
    found = []
    for number, bots in enumerate(kinds):
        of_kind = np.repeat(kind.reshape(-1) == number, players)
        for bot in dict.fromkeys(bots.tolist()):
            others = list(bots)
            others.remove(bot)
            own = rows[of_kind & (rows["bot"] == bot)]
            if set(others) != {bot}:
                seats = tuple(names[other] for other in others)
                games, points, rates = len(np.unique(own["game"])), float(own["total"].mean()), _block_wins(own)
                found.append(LineUpStanding(names[bot], seats, games, WinRate.of(rates), points, rates))
    return found


def _blocks(rows: Rows, players: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The block of each game."""
    return np.unique(rows["seed"][::players], return_inverse=True)[1].reshape(-1)


def _wins(rows: Rows, players: int) -> Floats:
    return wins_by_block(_blocks(rows, players), rows["bot"].reshape(-1, players), rows["share"].reshape(-1, players))


def _win_rate(rows: Rows) -> WinRate:
    """The win rate of some seats, from the means of their blocks."""
    return WinRate.of(_block_wins(rows))


def _block_wins(rows: Rows) -> Floats:
    """The win rate of some seats in each block."""
    block = _blocks(rows, 1)
    return np.asarray(np.bincount(block, rows["share"]) / np.bincount(block), np.float64)


def _overall(read: list[tuple[Cell, tuple[str, ...], Rows]], bots: tuple[str, ...], anchor: str) -> tuple[Rating, ...]:
    """Ratings over all cells: a block has the games of its seed on all of them."""
    seeds = np.unique(np.concatenate([rows["seed"] for _, _, rows in read]))
    wins = np.zeros((len(seeds), len(bots), len(bots)))
    for cell, names, rows in read:
        places = np.array([bots.index(name) for name in names])
        number = np.searchsorted(seeds, np.unique(rows["seed"]))
        wins[np.ix_(number, places, places)] += _wins(rows, cell.players)
    ratings = rate(wins, bots, anchor)
    return tuple(sorted(ratings, key=_strongest))


# --- as data ---------------------------------------------------------------------------------------------------------
def _rating_json(rating: Rating, labels: dict[str, str]) -> dict[str, object]:
    lead, lead_low, lead_high = rating.lead or (None, None, None)
    numbers = {"rating": rating.elo, "low": rating.low, "high": rating.high}
    numbers |= {"lead": lead, "lead_low": lead_low, "lead_high": lead_high}
    return {"bot": rating.bot, "label": labels[rating.bot]} | {
        name: None if value is None else round(value, 1) for name, value in numbers.items()
    }


def _wins_json(wins: WinRate) -> dict[str, float]:
    return {"win_rate": round(wins.rate, 4), "win_low": round(wins.low, 4), "win_high": round(wins.high, 4)}


def _cell_json(standing: CellStanding, labels: dict[str, str]) -> dict[str, object]:
    return {
        "edition": standing.cell.edition,
        "digest": standing.cell.digest,
        "players": standing.cell.players,
        "games": standing.games,
        "seeds": standing.blocks,
        "anchor": standing.anchor,
        "bots": [
            _rating_json(bot.rating, labels)
            | {"games": bot.games, **_wins_json(bot.wins), "points": round(bot.statistics.points.mean, 2)}
            | {"sources": {name: round(mean, 2) for name, mean in bot.statistics.sources.items()}}
            for bot in standing.bots
        ],
        "line_ups": [
            {
                "bot": line_up.bot,
                "others": list(line_up.others),
                "games": line_up.games,
                **_wins_json(line_up.wins),
                "even": round(line_up.even, 4),
                "points": round(line_up.points, 2),
            }
            for line_up in standing.line_ups
        ],
        "seats": [{"seat": seat, **_wins_json(wins)} for seat, wins in enumerate(standing.seat_wins, 1)],
        "actions": {"mean": round(standing.actions.mean, 2), "min": standing.actions.min, "max": standing.actions.max},
    }
