"""The tables of a playtest's page."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from typing import TypeVar

from whistlestop.arena.playtest.estimates import Measured, differ
from whistlestop.arena.playtest.measures import (
    CityMeasures,
    Playtest,
    RouteMeasures,
    TicketMeasures,
    TrackMeasures,
)
from whistlestop.draw.themes import CARD_FILLS
from whistlestop.mapfile import LOCOMOTIVE
from whistlestop.spelling import whole

_MARGIN_RANGE = 16.0
"""Points to either side in the little plot of a margin."""
_MOST_CHANGES = 12

_Named = TypeVar("_Named", TicketMeasures, TrackMeasures)


def _table(heads: Sequence[str], rows: Iterable[str], kind: str = "") -> str:
    """A table; a head that begins with a space is that of words."""
    cells = "".join(
        f'<th scope="col"{" class=words" if head.startswith(" ") else ""}>{head.strip()}</th>' for head in heads
    )
    return (
        f'<div class="scroll"><table class="measures {kind}"><thead><tr>{cells}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _row(name: str, cells: Sequence[str], kind: str = "") -> str:
    marked = f' class="{kind}"' if kind else ""
    return f'<tr{marked}><th scope="row">{name}</th>{"".join(cells)}</tr>'


def _bar(share: Measured) -> str:
    """A share as a bar, with its interval for who points at it."""
    if share.value is None or share.low is None or share.high is None:
        return "<td>–</td>"
    told = f"{share.low:.1%} to {share.high:.1%} of {share.n:,}"
    return f'<td class="bar" style="--v:{share.value * 100:.0f}%" title="{told}">{share.value:.0%}</td>'


def _times(value: Measured) -> str:
    """Multiples of an even chance: bold if the interval leaves out 1."""
    if value.value is None or value.low is None or value.high is None:
        return "<td>–</td>"
    sure = value.is_above(1) or value.is_below(1)
    words = f"<b>{value.value:.2f}</b>" if sure else f"{value.value:.2f}"
    return f'<td title="{value.low:.2f} to {value.high:.2f}, {value.n:,} times">{words}</td>'


def chip(colour: str) -> str:
    """A card colour with its name."""
    fill = CARD_FILLS.get(colour, "var(--loco)")
    return f'<span class="chip"><i style="background:{fill}"></i>{escape(colour)}</span>'


# --- tracks ----------------------------------------------------------------------------------------------------------
def track_table(tracks: Sequence[TrackMeasures], short: bool = False) -> str:
    """Tracks with how often, when and by whom they are claimed; short ones leave out the numbers of players."""
    if not tracks:
        return '<p class="faint">None.</p>'
    counts = [] if short else list(tracks[0].by_players)
    heads = ["", "claimed", *(f"{count}p" for count in counts), "when", "winners"]
    rows = [
        _row(
            f"{escape(one.name)}<small>{one.length} {chip(one.colour)}</small>",
            [
                _bar(one.claimed),
                *(f"<td>{one.by_players[count].value or 0:.0%}</td>" for count in counts),
                f"<td>{_span(one.when)}</td>",
                _times(one.winners),
            ],
        )
        for one in tracks
    ]
    return _table(heads, rows)


def _span(when: tuple[float, float, float] | None) -> str:
    """The middle half of some shares on a line from 0 to 1, with the median marked."""
    if when is None:
        return "–"
    low, middle, high = (round(1 + share * 68, 1) for share in when)
    told = f"half of the claims between {when[0]:.0%} and {when[2]:.0%} of the game, median {when[1]:.0%}"
    return (
        f'<svg viewBox="0 0 70 14" class="span"><title>{told}</title><path class="gridline" d="M1 7H69"/>'
        f'<path class="part" d="M{low} 7H{high}"/><path class="median" d="M{middle} 2V12"/></svg>'
    )


def choke_table(routes: Sequence[RouteMeasures]) -> str:
    """Routes that are tight."""
    if not routes:
        return '<p class="faint">None: whoever comes late finds another way.</p>'
    rows = [
        _row(
            escape(one.name),
            [
                _bar(one.taken),
                _bar(one.full),
                f"<td>{'–' if one.when is None else f'{one.when:.0%}'}</td>",
                f"<td>{'none' if one.detour is None else f'+{one.detour}'}</td>",
            ],
        )
        for one in routes
    ]
    return _table(["", "taken", "full", "when", "way around"], rows)


# --- tickets ---------------------------------------------------------------------------------------------------------
def ticket_table(found: Playtest, _number: int) -> str:
    """All tickets, deck after deck, the dearest first."""
    parts = []
    for deck in dict.fromkeys(one.deck for one in found.tickets):
        tickets = sorted((one for one in found.tickets if one.deck == deck), key=lambda one: -one.points)
        title = f"<h3>{escape(deck)}</h3>" if len(found.edition.decks) > 1 else ""
        heads = ["", "points", "way", "kept", "completed", "margin", "", "wins", "without", "try"]
        parts.append(title + _table(heads, [_ticket_row(one) for one in tickets], "tickets"))
    return f'<div class="panel">{"".join(parts)}</div>'


def _ticket_row(one: TicketMeasures) -> str:
    return _row(
        escape(one.name),
        [
            f"<td>{one.points}</td><td>{one.spaces}</td>",
            _bar(one.kept),
            _bar(one.completed),
            f"<td>{_signed(one.margin)}</td><td>{_interval(one.margin)}</td>",
            _times(one.wins),
            f"<td>{one.wins_without:.2f}</td>",
            _fair(one),
        ],
        "odd" if one.suggested != one.points else "",
    )


def _signed(value: Measured) -> str:
    if value.value is None:
        return "–"
    return f"+{value.value:.1f}" if value.value >= 0 else f"−{-value.value:.1f}"


def _interval(value: Measured) -> str:
    """An interval of points on a line around 0."""
    if value.value is None or value.low is None or value.high is None:
        return ""

    def at(points: float) -> float:
        return round(45 + max(-_MARGIN_RANGE, min(_MARGIN_RANGE, points)) / _MARGIN_RANGE * 43, 1)

    told = f"{value.low:+.1f} to {value.high:+.1f} points, {value.n:,} holders"
    return (
        f'<svg viewBox="0 0 90 14" class="span"><title>{told}</title><path class="zero" d="M45 0V14"/>'
        f'<path class="whisker" d="M{at(value.low)} 7H{at(value.high)}"/>'
        f'<circle class="dot" cx="{at(value.value)}" cy="7" r="3.5"/></svg>'
    )


def _fair(one: TicketMeasures) -> str:
    if one.suggested_range is None:
        return "<td>–</td>"
    low, high = one.suggested_range
    words = f"<b>{one.suggested}</b>" if one.suggested != one.points else f"{one.suggested}"
    return f"<td>{words}<small>{whole(max(1, low))} to {whole(max(1, high))}</small></td>"


# --- cities and colours ----------------------------------------------------------------------------------------------
def city_table(cities: Sequence[CityMeasures], idle: Collection[str], stations: bool) -> str:
    """All cities, the least visited first."""
    heads = ["", "tickets", "reached", *(["station"] * stations), " "]
    rows = [
        _row(
            escape(one.name),
            [
                f"<td>{one.tickets}</td>",
                _bar(one.reached),
                *([_bar(one.stations)] * stations),
                f'<td class="words">{"nobody needs it" if one.name in idle else ""}</td>',
            ],
            "odd" if one.name in idle else "",
        )
        for one in sorted(cities, key=lambda one: one.reached.value or 0.0)
    ]
    return _table(heads, rows)


def colour_table(found: Playtest, _number: int) -> str:
    """All kinds of cards with their demand."""
    rows = []
    for one in found.colours:
        spent = one.spent
        off = max(-1.0, min(1.0, (one.demand - 1) / 0.5))
        start, width = (50 + 50 * min(off, 0.0), abs(off) * 50)
        told = f"±{spent.half or 0:.2f}"
        rows.append(
            _row(
                chip(one.name),
                [
                    f"<td>{one.deck}</td><td>{'–' if one.name == LOCOMOTIVE else one.spaces}</td>",
                    f"<td>{spent.value or 0:.2f}<small>{told}</small></td><td>{one.demand:.2f}</td>",
                    f'<td class="swing"><i style="--from:{start:.0f}%;--width:{width:.0f}%"></i></td>',
                ],
            )
        )
    gray = sum(track.length for track in found.edition.board.tracks if track.colour == "gray")
    note = f'<p class="faint">{gray} more spaces are gray.</p>' if gray else ""
    return (
        '<div class="panel">'
        + _table(["", "in the deck", "spaces", "paid by a player", "demand", ""], rows, "colours")
        + f"{note}</div>"
    )


# --- two playtests ---------------------------------------------------------------------------------------------------
def changes(first: Playtest, second: Playtest, titles: Sequence[str]) -> str:
    """What differs between two playtests where both have it: tables, tickets and tracks of one name."""
    parts = [
        ("Tables", _table_changes(first, second, titles)),
        ("Tickets", _changes(_by_name(first.tickets), _by_name(second.tickets), "completed", titles)),
        ("Tickets kept", _changes(_by_name(first.tickets), _by_name(second.tickets), "kept", titles)),
        ("Tracks claimed", _changes(_by_name(first.tracks), _by_name(second.tracks), "claimed", titles)),
    ]
    inside = "".join(
        f'<article class="panel"><h3>{name}</h3><p class="faint"></p>{body}</article>' for name, body in parts if body
    )
    return (
        '<section><h2>What differs</h2><p class="faint">Bold where the difference is more than chance; at most '
        f'{_MOST_CHANGES} lines, the largest first.</p><div class="grid">{inside}</div></section>'
    )


def _by_name(measures: Sequence[_Named]) -> dict[str, _Named]:
    """Measures by their names; parallel tracks of one route are numbered."""
    found: dict[str, _Named] = {}
    for one in measures:
        name = one.name if isinstance(one, TicketMeasures) else f"{one.name}, {one.colour}"
        number = 2
        while name in found:
            name, number = f"{name.removesuffix(f' {number - 1}')} {number}", number + 1
        found[name] = one
    return found


def _changes(first: Mapping[str, _Named], second: Mapping[str, _Named], measure: str, titles: Sequence[str]) -> str:
    both = [name for name in first if name in second]
    pairs = [(name, getattr(first[name], measure), getattr(second[name], measure)) for name in both]
    told = [(name, one, other) for name, one, other in pairs if one.value is not None and other.value is not None]
    told.sort(key=lambda row: -abs(row[1].value - row[2].value))
    rows = [_change_row(name, one, other, percent=True) for name, one, other in told[:_MOST_CHANGES]]
    return _table(["", *(escape(title) for title in titles), "difference"], rows) if rows else ""


def _table_changes(first: Playtest, second: Playtest, titles: Sequence[str]) -> str:
    others = {table.players: table for table in second.tables}
    rows = []
    for table in first.tables:
        if other := others.get(table.players):
            named = (("points", "points"), ("turns", "turns"), ("tickets", "tickets_completed"), ("lead", "lead"))
            for name, measure in named:
                label = f"{table.players} players, {name}"
                rows.append(_change_row(label, getattr(table, measure), getattr(other, measure), percent=False))
            label = f"{table.players} players, first to move wins"
            rows.append(_change_row(label, table.wins[0], other.wins[0], percent=True))
    return _table(["", *(escape(title) for title in titles), "difference"], rows) if rows else ""


def _change_row(name: str, one: Measured, other: Measured, *, percent: bool) -> str:
    a, b = one.value or 0.0, other.value or 0.0
    cells = [f"<td>{a:.0%}</td><td>{b:.0%}</td>" if percent else f"<td>{a:.1f}</td><td>{b:.1f}</td>"]
    gap = f"{(b - a) * 100:+.0f}%" if percent else f"{b - a:+.1f}"
    gap = gap.replace("-", "−")
    cells.append(f"<td>{f'<b>{gap}</b>' if differ(one, other) else gap}</td>")
    return _row(escape(name), cells)
