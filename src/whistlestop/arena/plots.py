"""Plots of the arena's report as SVG: plain text, no script. Colours are names of CSS variables of the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

import numpy as np
import numpy.typing as npt

from whistlestop.draw.typeface import text_width
from whistlestop.spelling import whole

PLOT_WIDTH = 380.0
"""Of every plot, in its own units: about the pixels of a column on a desk and of a phone."""
LABEL_SIZE = 14.0
ROW = 34.0
"""Height of one bot's row."""
AXIS = 26.0
"""Height of the numbers under a plot."""
_MOST_LABEL = 118.0


@dataclass(frozen=True, slots=True)
class NumberLine:
    """Where numbers stand from left to right."""

    low: float
    high: float
    left: float
    right: float

    def at(self, value: float) -> float:
        """The place of a number."""
        return self.left + (value - self.low) / (self.high - self.low) * (self.right - self.left)

    def ticks(self, most: int = 6) -> list[float]:
        """Round numbers along the line."""
        step = round_step((self.high - self.low) / most)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [n * step for n in range(first, last + 1)]


def round_step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, … (or 0.5, 0.2, …) that is not below a number."""
    scale = 10.0 ** floor(log10(least)) if least > 0 else 1.0
    return next(step * scale for step in (1, 2, 5, 10) if step * scale >= least * (1 - 1e-9))


def line_over(values: Sequence[float], left: float, right: float) -> NumberLine:
    """A line that holds all values, with round numbers near its ends."""
    low, high = min(values), max(values)
    step = round_step(max(high - low, 1.0) / 6)
    return NumberLine(floor(low / step) * step, max(ceil(high / step), floor(low / step) + 1) * step, left, right)


# --- parts -----------------------------------------------------------------------------------------------------------
def number(value: float) -> str:
    """A coordinate, as short as it can be."""
    return f"{value:.1f}".removesuffix(".0")


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    """A word in a plot."""
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{number(x)}" y="{number(y)}"{where} class="{kind}">{escape(words)}</text>'


def box(x: float, y: float, width: float, height: float, colour: str, title: str = "", round_by: float = 2) -> str:
    """A filled box; its title is shown by a pointer that rests on it."""
    inside = f"<title>{escape(title)}</title>" if title else ""
    size = f'width="{number(max(width, 0))}" height="{number(max(height, 0))}" rx="{number(round_by)}"'
    return f'<rect x="{number(x)}" y="{number(y)}" {size} fill="var({colour})">{inside}</rect>'


def stroke(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A straight line."""
    return f'<path class="{kind}" d="M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"/>'


def picture(height: float, summary: str, parts: Sequence[str]) -> str:
    """A whole plot; the summary is for those who cannot see it."""
    size = f'viewBox="0 0 {number(PLOT_WIDTH)} {number(height)}"'
    return f'<svg {size} role="img" aria-label="{escape(summary)}">{"".join(parts)}</svg>'


def fitted(label: str) -> str:
    """A label that fits into the column of labels."""
    while len(label) > 4 and text_width(label, LABEL_SIZE) > _MOST_LABEL:
        label = label.removesuffix("…")[:-1] + "…"
    return label


def label_room(labels: Sequence[str]) -> float:
    """Width of the column of labels."""
    return max(text_width(fitted(label), LABEL_SIZE) for label in labels) + 12


def axis(line: NumberLine, top: float, bottom: float, percent: bool = False) -> list[str]:
    """Round numbers under a plot, with fine lines through it."""
    parts = []
    for tick in line.ticks():
        words = f"{tick:.0%}" if percent else whole(tick)
        parts.append(
            stroke(line.at(tick), top, line.at(tick), bottom, "zero" if tick == 0 and line.low < 0 else "gridline")
        )
        parts.append(text(line.at(tick), bottom + 17, words, "tick", "middle"))
    return parts


def row_labels(labels: Sequence[str], top: float, height: float = ROW) -> list[str]:
    """The labels of rows, at their middle."""
    return [text(0, top + (n + 0.5) * height + 5, fitted(label), "label") for n, label in enumerate(labels)]


# --- plots -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval."""

    label: str
    colour: str
    value: float
    low: float
    high: float


def rating_plot(estimates: Sequence[Estimate]) -> str:
    """Ratings as stations on a line, each on the interval it lies in."""
    labels = [one.label for one in estimates]
    line = line_over([end for one in estimates for end in (one.low, one.high)], label_room(labels) + 6, PLOT_WIDTH - 44)
    bottom = 6 + ROW * len(estimates)
    parts = axis(line, 6, bottom)
    for n, one in enumerate(estimates):
        y = 6 + (n + 0.5) * ROW
        told = f"{one.label}: {whole(one.value)}, {whole(one.low)} to {whole(one.high)}"
        parts.append(stroke(line.left, y, line.right, y, "rail"))
        parts.append(stroke(line.left, y, line.right, y, "sleepers"))
        if one.high > one.low:
            parts.append(box(line.at(one.low), y - 5, line.at(one.high) - line.at(one.low), 10, one.colour, told, 5))
        parts.append(f'<circle class="city" cx="{number(line.at(one.value))}" cy="{number(y)}" r="6.5"/>')
        parts.append(f'<circle class="middle" cx="{number(line.at(one.value))}" cy="{number(y)}" r="2.8"/>')
        parts.append(text(PLOT_WIDTH, y + 5, whole(one.value), "value", "end"))
    parts += row_labels(labels, 6)
    summary = "Ratings with 95% intervals: " + "; ".join(
        f"{one.label} {whole(one.value)}, {whole(one.low)} to {whole(one.high)}" for one in estimates
    )
    return picture(bottom + AXIS, summary, parts)


def density(values: npt.NDArray[np.float64], points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """How close together values are around some points: a smooth histogram (Gaussian kernel, Silverman's width)."""
    width = max(0.9 * float(values.std()) * len(values) ** -0.2, 1.0)
    found, counts = np.unique(values, return_counts=True)
    kernel = np.exp(-0.5 * ((points[:, None] - found[None, :]) / width) ** 2)
    return np.asarray(kernel @ counts / (len(values) * width * (2 * np.pi) ** 0.5))


def distribution_plot(scores: Sequence[tuple[str, str, npt.NDArray[np.int64]]], what: str = "Points of a game") -> str:
    """Scores of each bot (label, colour, values) as hills above a common line, with the median marked.

    `what` says what else it is that they are.
    """
    labels = [label for label, _, _ in scores]
    ends = [float(end) for _, _, values in scores for end in np.quantile(values, [0.002, 0.998])]
    line = line_over(ends, label_room(labels) + 6, PLOT_WIDTH - 44)
    height, top = 46.0, 10.0
    bottom = top + height * len(scores)
    points = np.linspace(line.low, line.high, 120)
    hills = [density(values.astype(np.float64), points) for _, _, values in scores]
    highest = max(float(hill.max()) for hill in hills)
    parts = axis(line, top, bottom)
    for n, ((label, colour, values), hill) in enumerate(zip(scores, hills, strict=True)):
        base = top + (n + 1) * height - 4
        # Hills of one height each would hide which scores are spread; the root lets wide ones still be seen.
        tops = base - (height - 8) * (hill / highest) ** 0.7
        path = "L".join(f"{number(line.at(x))} {number(y)}" for x, y in zip(points, tops, strict=True))
        median = float(np.median(values))
        told = f"{label}: median {whole(median)}, from {values.min()} to {values.max()}"
        parts.append(
            f'<path class="hill" style="--own:var({colour})" d="M{number(line.left)} {number(base)}L{path}'
            f'L{number(line.right)} {number(base)}Z"><title>{escape(told)}</title></path>'
        )
        parts.append(stroke(line.at(median), base, line.at(median), float(np.interp(median, points, tops)), "median"))
        parts.append(text(0, base - 8, fitted(label), "label"))
        parts.append(text(PLOT_WIDTH, base - 8, whole(median), "value", "end"))
    summary = f"{what}, median: " + "; ".join(
        f"{label} {whole(float(np.median(values)))}" for label, _, values in scores
    )
    return picture(bottom + AXIS, summary, parts)


def source_plot(rows: Sequence[tuple[str, Sequence[tuple[str, str, float]]]]) -> str:
    """Mean points of each bot by source (name, colour, points) as bars; what costs points goes to the left."""
    labels = [label for label, _ in rows]
    ends = [
        sum(points for _, _, points in sources if (points < 0) == lost) for _, sources in rows for lost in (True, False)
    ]
    line = line_over([0.0, *ends], label_room(labels) + 6, PLOT_WIDTH - 44)
    bottom = 6 + ROW * len(rows)
    parts = axis(line, 6, bottom)
    for n, (_, sources) in enumerate(rows):
        y, ahead, behind = 6 + n * ROW + 7, 0.0, 0.0
        for name, colour, points in sources:
            start, end = (behind, behind + points) if points < 0 else (ahead, ahead + points)
            ahead, behind = (ahead, end) if points < 0 else (end, behind)
            left, right = sorted((line.at(start), line.at(end)))
            parts.append(box(left, y, right - left - 1, ROW - 14, colour, f"{name}: {points:.1f}"))
            if right - left > 26:
                parts.append(text((left + right) / 2, y + 15, whole(points), "inside", "middle"))
        parts.append(text(PLOT_WIDTH, y + 15, whole(ahead + behind), "value", "end"))
    parts += row_labels(labels, 6)
    summary = "Mean points by source: " + "; ".join(
        f"{label}: {', '.join(f'{name} {points:.0f}' for name, _, points in sources if round(points))}"
        for label, sources in rows
    )
    return picture(bottom + AXIS, summary, parts)


def length_plot(steps: npt.NDArray[np.int64], colour: str) -> str:
    """How many actions games have, as a histogram."""
    line = line_over([float(steps.min()), float(steps.max() + 1)], 6.0, PLOT_WIDTH - 6)
    step = max(round_step((line.high - line.low) / 30), 1.0)
    edges = np.arange(line.low, line.high + step / 2, step)
    counts, _ = np.histogram(steps, edges)
    top, bottom = 26.0, 190.0
    parts = axis(line, top, bottom)
    for start, count in zip(edges[:-1], counts, strict=True):
        high = (bottom - top) * count / counts.max()
        told = f"{whole(start)} to {whole(start + step - 1)} actions: {count:,} games"
        width = line.at(start + step) - line.at(start) - 1.5
        parts.append(box(line.at(start) + 0.75, bottom - high, width, high, colour, told))
    mean = float(steps.mean())
    parts.append(stroke(line.at(mean), top - 6, line.at(mean), bottom, "median"))
    parts.append(text(min(max(line.at(mean), 60), PLOT_WIDTH - 60), top - 11, f"mean {mean:.0f}", "value", "middle"))
    summary = f"Actions in a game: mean {mean:.0f}, from {steps.min()} to {steps.max()}"
    return picture(bottom + AXIS, summary, parts)


def seat_plot(seats: Sequence[Estimate], even: float) -> str:
    """Win rates of seats as bars with their intervals, and a line where all would be equal."""
    top, bottom, left = 12.0, 190.0, 40.0
    highest = max(0.1, *(one.high for one in seats), even)
    line = NumberLine(0, highest * 1.08, bottom, top)
    parts = []
    for tick in line.ticks(5):
        parts.append(stroke(left, line.at(tick), PLOT_WIDTH, line.at(tick), "gridline"))
        parts.append(text(left - 8, line.at(tick) + 4, f"{tick:.0%}", "tick", "end"))
    room = (PLOT_WIDTH - left) / len(seats)
    for n, one in enumerate(seats):
        x, width = left + (n + 0.5) * room, min(room * 0.7, 60.0)
        told = f"{one.label}: {one.value:.1%}, {one.low:.1%} to {one.high:.1%}"
        parts.append(box(x - width / 2, line.at(one.value), width, bottom - line.at(one.value), one.colour, told, 3))
        parts.append(stroke(x, line.at(one.low), x, line.at(one.high), "whisker"))
        parts.append(text(x, bottom - 14, f"{one.value:.1%}", "onbar", "middle"))
        parts.append(text(x, bottom + 17, one.label, "tick", "middle"))
    parts.append(stroke(left, line.at(even), PLOT_WIDTH, line.at(even), "even"))
    summary = f"Win rate by seat, even would be {even:.0%}: " + "; ".join(
        f"{one.label} {one.value:.1%}, {one.low:.1%} to {one.high:.1%}" for one in seats
    )
    return picture(bottom + AXIS, summary, parts)
