"""Numbers with their 95% intervals."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

import numpy as np
import numpy.typing as npt

Z = 1.959964
"""Standard deviations on either side of a 95% interval."""


@dataclass(frozen=True, slots=True)
class Measured:
    """An estimate with the ends of its 95% interval; from no observation it is nothing."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    """Observations it comes from."""

    def json(self) -> dict[str, float | int | None]:
        """The estimate as plain data."""
        rounded = (None if one is None else round(one, 4) for one in (self.value, self.low, self.high))
        return dict(zip(("value", "low", "high"), rounded, strict=True)) | {"n": self.n}

    @property
    def half(self) -> float | None:
        """Half of its interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    def is_above(self, limit: float) -> bool:
        """Whether the whole interval lies above."""
        return self.low is not None and self.low > limit

    def is_below(self, limit: float) -> bool:
        """Whether the whole interval lies below."""
        return self.high is not None and self.high < limit


NOTHING = Measured(None, None, None, 0)


def share_of(hits: int, n: int) -> Measured:
    """A share of n observations, with Wilson's interval: it holds for shares near 0 and 1 too."""
    if n == 0:
        return NOTHING
    share = hits / n
    middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * (share * (1 - share) / n + Z * Z / (4 * n * n)) ** 0.5
    return Measured(share, max(0.0, middle - half), min(1.0, middle + half), n)


def mean_of(values: npt.NDArray[np.generic]) -> Measured:
    """A mean with the interval of a normal distribution; one value alone has no interval."""
    n = len(values)
    if n == 0:
        return NOTHING
    mean = float(values.mean())
    if n == 1:
        return Measured(mean, None, None, 1)
    half = Z * float(values.std(ddof=1)) / n**0.5
    return Measured(mean, mean - half, mean + half, n)


def differ(one: Measured, other: Measured) -> bool:
    """Whether two independent estimates differ: the interval of their difference leaves out 0."""
    if one.value is None or other.value is None or one.half is None or other.half is None:
        return False
    return abs(one.value - other.value) > hypot(one.half, other.half)
