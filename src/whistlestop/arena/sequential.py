"""A sequential test that stops a match as soon as the games say which of two strengths is the better guess.

It is the generalised sequential probability ratio test of chess engines ("pentanomial" there, where a block has two
games): the log-likelihood ratio of two rating differences is taken from mean and variance of whole blocks, so that the
games of one seed, which are alike, are not counted as independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from whistlestop.errors import WhistlestopError

LEAST_BLOCKS = 10
"""No decision before: the variance of fewer blocks is a bad guess."""
BETTER, WORSE, OPEN = "better", "worse", "open"


def expected_share(elo: float, line_ups: Sequence[tuple[int, int]]) -> float:
    """Mean share of wins that a bot of this rating difference has in line-ups, each given as (its seats, all seats).

    Everybody else counts as equally strong; a player wins with a chance in proportion to its strength (Luce).
    """
    strength = 10 ** (elo / 400)
    shares = [own * strength / (own * strength + seats - own) for own, seats in line_ups]
    return sum(shares) / len(shares)


@dataclass(frozen=True, slots=True)
class SequentialState:
    """What the test says after some blocks."""

    blocks: int
    ratio: float
    """The log-likelihood ratio of elo1 to elo0."""
    low: float
    high: float
    """Where it decides."""
    verdict: str
    """"better": elo1 fits; "worse": elo0 fits; "open": more games are needed."""


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Whether a bot's rating difference is rather elo1 than elo0; each error has the chance `error`."""

    elo0: float
    elo1: float
    error: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise WhistlestopError(
                f"a sequential test needs two rating differences, the lower first, not {self.elo0:g},{self.elo1:g}",
                "for example 0,20: is the bot 20 Elo stronger rather than equal?",
            )

    def state(self, shares: Sequence[float], line_ups: Sequence[tuple[int, int]]) -> SequentialState:
        """What is known after blocks in which the bot had these mean shares of wins, in games of these line-ups."""
        low, high = log(self.error / (1 - self.error)), log((1 - self.error) / self.error)
        blocks = len(shares)
        if blocks < LEAST_BLOCKS:
            return SequentialState(blocks, 0.0, low, high, OPEN)
        zero, one = expected_share(self.elo0, line_ups), expected_share(self.elo1, line_ups)
        values = np.asarray(shares, np.float64)
        ratio = blocks * (one - zero) * (2 * float(values.mean()) - zero - one) / (2 * _variance(values))
        verdict = BETTER if ratio >= high else WORSE if ratio <= low else OPEN
        return SequentialState(blocks, ratio, low, high, verdict)


class SequentialRun:
    """A test that is told one block after another; the first one that decides it is the last one that counts."""

    def __init__(self, test: SequentialTest, line_ups: Sequence[tuple[int, int]]) -> None:
        self._test, self._line_ups = test, line_ups
        self._shares: list[float] = []
        self.state = test.state((), line_ups)

    def add(self, share: float) -> None:
        """Count a block in which the bot had this mean share of wins."""
        if self.state.verdict == OPEN:
            self._shares.append(share)
            self.state = self._test.state(self._shares, self._line_ups)


def _variance(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """Variance of blocks, with half a block at either end: blocks that are all alike would have none."""
    weights = np.append(np.ones(len(values)), [0.5, 0.5])
    everything = np.append(values, [0.0, 1.0])
    mean = np.average(everything, weights=weights)
    return float(np.average((everything - mean) ** 2, weights=weights))
