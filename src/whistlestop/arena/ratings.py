"""Bradley–Terry ratings on the Elo scale, with intervals by a bootstrap over blocks.

A game with several players is reduced to pairs: who wins beats each of the others once, and between two who both lost
nothing is decided. A win that k players share counts 1/k for each of them, so two who share a two-player game have half
a win each. By Luce's choice axiom, that a player wins with a chance in proportion to its strength, these pairs have
the odds that Bradley and Terry assume, whatever the number of players; so ratings tell who wins, not who comes second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from whistlestop.arena.matches import shares_of

Floats = npt.NDArray[np.float64]
ELO = 400 / np.log(10)
"""Elo points of one unit of log-odds."""
PRIOR_WINS = 0.5
"""What is added to both sides of every pair that met, one drawn game: without it a bot that always wins would have no
finite rating."""
RESAMPLES = 1000
LEVEL = 0.95
"""Of all intervals."""
_MOST_ITERATIONS = 200
_LONGEST_STEP = 1.0
"""In log-odds: full Newton steps overshoot where one side nearly always wins."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A bot's rating, relative to the anchor's 0."""

    bot: str
    elo: float | None
    """None where no chain of games connects the bot with the anchor."""
    low: float | None
    high: float | None
    """The ends of the 95% interval."""
    lead: tuple[float, float, float] | None = None
    """How much it is ahead of the next weaker bot, with the ends of that interval: whether two bots differ is often
    known far better than how far they both are from the anchor."""


def wins_by_block(block: npt.ArrayLike, bot: npt.ArrayLike, won: npt.ArrayLike) -> Floats:
    """How often bot i beat bot j in each block, as an array [block, i, j].

    `block` has the block of each game; `bot` and `won` have a line for each game and a column for each seat. Games
    between two bots of one name say nothing about strength and are left out.
    """
    blocks, bots, share = np.asarray(block, np.int64), np.asarray(bot, np.int64), shares_of(np.asarray(won))
    found = np.zeros((int(blocks.max()) + 1, *[int(bots.max()) + 1] * 2))
    seats = range(bots.shape[1])
    for i, j in ((i, j) for i in seats for j in seats if i != j):
        np.add.at(found, (blocks, bots[:, i], bots[:, j]), share[:, i])
    diagonal = np.arange(found.shape[1])
    found[:, diagonal, diagonal] = 0
    return found


def fit(wins: Floats) -> Floats:
    """Strengths in Elo with mean 0 from wins[..., i, j], by Newton's method on all leading axes at once.

    Every pair must be connected by a chain of bots that beat each other; the prior sees to that.
    """
    bots = wins.shape[-1]
    games = wins + np.swapaxes(wins, -1, -2)
    strength = np.zeros(wins.shape[:-1])
    level = np.full((bots, bots), 1 / bots)  # only differences count: this direction would leave the matrix singular
    for _ in range(_MOST_ITERATIONS):
        chance = 1 / (1 + np.exp(strength[..., None, :] - strength[..., :, None]))
        slope = (wins - games * chance).sum(axis=-1)
        weight = games * chance * (1 - chance)
        curve = np.eye(bots) * weight.sum(axis=-1)[..., None] - weight + level
        step = np.linalg.solve(curve, slope[..., None])[..., 0]
        longest = np.abs(step).max(axis=-1, keepdims=True)
        strength += step * np.minimum(1, _LONGEST_STEP / np.maximum(longest, 1e-300))
        if longest.max() < 1e-9:
            break
    return np.asarray(ELO * (strength - strength.mean(axis=-1, keepdims=True)), np.float64)


def rate(wins: Floats, bots: Sequence[str], anchor: str, seed: int = 1, resamples: int = RESAMPLES) -> list[Rating]:
    """Ratings of all bots from wins[block, i, j], relative to the anchor, with their 95% intervals.

    The intervals are a Bayesian bootstrap over blocks: in each resample every block has a random weight (exponential
    with mean 1), and so has the drawn game of the prior for each pair. The games of a block share their seed and are
    not independent, so they share their weight as well. Where one side won all games the blocks do not differ, and
    the weight of the prior alone gives the interval its width.
    """
    met = _connected(wins.sum(axis=0), bots.index(anchor))
    chosen = [number for number, there in enumerate(met) if there]
    part = wins[:, chosen][:, :, chosen]
    base = chosen.index(bots.index(anchor))
    centre = fit(part.sum(axis=0) + _prior(part))
    spread = _resampled(part, seed, resamples)
    ratings = [Rating(name, None, None, None) for name in bots]
    order = np.argsort(-centre, kind="stable").tolist()
    for place, own in enumerate(order):
        elo, low, high = _difference(centre, spread, own, base)
        lead = _difference(centre, spread, own, order[place + 1]) if place + 1 < len(order) else None
        ratings[chosen[own]] = Rating(bots[chosen[own]], elo, low, high, lead)
    return ratings


def _difference(centre: Floats, spread: Floats, one: int, other: int) -> tuple[float, float, float]:
    """How much one bot is ahead of another, with the ends of the interval."""
    low, high = np.quantile(spread[:, one] - spread[:, other], [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(centre[one] - centre[other]), float(low), float(high)


def standing_elo(wins: Floats, anchor: int) -> list[float | None]:
    """Ratings from wins[i, j] alone, without intervals: quick enough to show while games are played."""
    met = _connected(wins, anchor)
    chosen = np.flatnonzero(met)
    found: list[float | None] = [None] * len(wins)
    if len(chosen) > 1:
        part = wins[np.ix_(chosen, chosen)]
        for number, elo in zip(chosen, fit(part + _prior(part[None])), strict=True):
            found[number] = float(elo)
    base = found[anchor] or 0.0
    found[anchor] = base
    return [None if elo is None else elo - base for elo in found]


def _prior(wins: Floats) -> Floats:
    """The drawn game of every pair that met."""
    total = wins.sum(axis=0)
    return np.where(total + total.T > 0, PRIOR_WINS, 0.0)


def _resampled(wins: Floats, seed: int, resamples: int) -> Floats:
    """Strengths in Elo of each resample."""
    chance = np.random.default_rng(seed)
    blocks, bots = wins.shape[0], wins.shape[1]
    flat, prior = wins.reshape(blocks, -1), _prior(wins)
    found = np.empty((resamples, bots))
    for start in range(0, resamples, 100):  # weights of all resamples at once would not fit into memory
        part = slice(start, min(start + 100, resamples))
        n = part.stop - start
        weighted = (chance.exponential(size=(n, blocks)) @ flat).reshape(n, bots, bots)
        drawn = np.triu(chance.exponential(size=(n, bots, bots)), 1)
        found[part] = fit(weighted + prior * (drawn + np.swapaxes(drawn, -1, -2)))
    return found


def _connected(wins: Floats, start: int) -> npt.NDArray[np.bool_]:
    """Which bots a chain of games connects with one of them."""
    met = (wins + wins.T) > 0
    found = np.zeros(len(met), np.bool_)
    found[start] = True
    while True:
        wider = found | met[found].any(axis=0)
        if (wider == found).all():
            return found
        found = wider


# --- win rates -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class WinRate:
    """Share of wins with its 95% interval; a win that k players share counts 1/k for each."""

    rate: float
    low: float
    high: float

    @classmethod
    def of(cls, rates: npt.ArrayLike) -> WinRate:
        """Measure the win rates of blocks: Wilson's interval for as many independent games as their spread is worth."""
        values = np.asarray(rates, np.float64)
        mean, blocks = float(values.mean()), len(values)
        error = float(values.std(ddof=1)) / blocks**0.5 if blocks > 1 else 0.0
        # Blocks that are all alike, as those of somebody who always wins, tell no spread: each is taken as one game.
        worth = mean * (1 - mean) / error**2 if error > 0 else float(blocks)
        z2 = 1.96**2
        middle = (mean + z2 / (2 * worth)) / (1 + z2 / worth)
        half = (z2 * (mean * (1 - mean) / worth + z2 / (4 * worth**2))) ** 0.5 / (1 + z2 / worth)
        return cls(mean, max(0.0, middle - half), min(1.0, middle + half))
