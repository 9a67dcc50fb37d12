"""A playtest as one page: HTML with heat maps and plots inside, no script, nothing from elsewhere.

Two playtests, of two boards or of two versions of one, stand side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

import numpy as np

from whistlestop.arena.playtest.measures import Playtest, TableMeasures, TrackMeasures
from whistlestop.arena.playtest.playtest_tables import (
    changes,
    choke_table,
    city_table,
    colour_table,
    ticket_table,
    track_table,
)
from whistlestop.arena.playtest.verdicts import choke_points, dead_tracks, unneeded_cities, verdicts
from whistlestop.arena.plots import Estimate, distribution_plot, seat_plot, source_plot
from whistlestop.arena.report_style import BOT_COLOURS, SOURCE_COLOURS, command_words, whole_page
from whistlestop.draw.heat import HEAT_STEPS, Heat, HeatBoard, heat_key, heat_variables
from whistlestop.results import SOURCES, source_name
from whistlestop.spelling import many

MOST_PLAYTESTS = 2
_HARDLY_EVER = 0.02
"""Tracks that are claimed in fewer games are outlined in a heat map."""
_LIFTS = (0.7, 1.3)
"""Win rates of owners, in multiples of an even chance, from the first to the last step of a heat."""
_ENOUGH_OWNERS = 30
_ORDINALS = ("first", "second", "third", "fourth", "fifth")


def playtest_page(playtests: Sequence[Playtest], source: str) -> str:
    """The page of one playtest or of two side by side; `source` says when and by which command they were made."""
    if not 1 <= len(playtests) <= MOST_PLAYTESTS:
        raise ValueError(f"a page shows one or two playtests, not {len(playtests)}")
    titles = _titles(playtests)
    sections = (
        ("What stands out", "", _standing_out),
        ("Balance of the table", "", _balance),
        ("On the board", "Colour and width of a track say how much. Point at a track for its numbers.", _heats),
        ("Tickets", _TICKETS, ticket_table),
        ("Tracks", _TRACKS, _tracks),
        ("Cities", _CITIES, _cities),
        ("Colours", _COLOURS, colour_table),
    )
    body = [_top(playtests, titles, source)]
    for title, words, draw in sections:
        body.append(_section(title, words, playtests, titles, draw))
    if len(playtests) == MOST_PLAYTESTS:
        first, second = playtests
        body.insert(1, changes(first, second, titles))
    body.append(_reading(playtests))
    shared = "".join(HeatBoard(one.edition.board, f"b{n}").shared() for n, one in enumerate(playtests))
    return whole_page(
        f"Whistlestop playtest: {' and '.join(titles)}",
        "Playtest",
        shared + "".join(body),
        heat_variables(),
        ("report.css", "playtest/playtest.css"),
    )


def _titles(playtests: Sequence[Playtest]) -> list[str]:
    names = [one.edition.name for one in playtests]
    if len(set(names)) == len(names):
        return names
    ids = [f"{one.edition.name} ({one.edition.board.path.name})" if one.edition.board.path else one.edition.name
           for one in playtests]  # fmt: skip
    return ids if len(set(ids)) == len(ids) else [f"{name}, {'AB'[n]}" for n, name in enumerate(names)]


def _top(playtests: Sequence[Playtest], titles: Sequence[str], source: str) -> str:
    games = sum(one.all_games for one in playtests)
    tables = "–".join(str(one.players) for one in (playtests[0].tables[0], playtests[0].tables[-1]))
    bots = " and ".join(playtests[0].bots)
    facts = f"{games:,} games · {tables} players · {bots} · seed {playtests[0].seed}"
    title = f"{titles[0]}, played {games:,} times" if len(titles) == 1 else f"{titles[0]} beside {titles[1]}"
    return (
        f'<header><p class="eyebrow">{escape(facts)}</p><h1>{escape(title)}</h1>'
        f'<p class="lead">{command_words(source)}</p></header>'
    )


def _section(
    title: str,
    words: str,
    playtests: Sequence[Playtest],
    titles: Sequence[str],
    draw: Callable[[Playtest, int], str],
) -> str:
    """A part of the page: once for each playtest, in columns with their names if there are two."""
    if len(playtests) == 1:
        inside = draw(playtests[0], 0)
    else:
        columns = "".join(
            f'<div><p class="whose">{escape(name)}</p>{draw(one, n)}</div>'
            for n, (one, name) in enumerate(zip(playtests, titles, strict=True))
        )
        inside = f'<div class="pair">{columns}</div>'
    caption = f'<p class="faint">{words}</p>' if words else ""
    return f"<section><h2>{title}</h2>{caption}{inside}</section>"


# --- verdicts and the table ------------------------------------------------------------------------------------------
def _standing_out(found: Playtest, _number: int) -> str:
    items = "".join(
        f'<li class="{one.kind}"><b>{escape(one.title)}</b> {escape(one.words)}</li>' for one in verdicts(found)
    )
    return f'<ul class="verdicts panel">{items}</ul>'


def _balance(found: Playtest, _number: int) -> str:
    colours = dict(zip((table.players for table in found.tables), BOT_COLOURS, strict=False))
    named = [(f"{table.players} players", colours[table.players], table) for table in found.tables]
    used = [name for name in SOURCES if any(round(table.sources[name], 1) for table in found.tables)]
    legend = "".join(
        f'<span class="key"><i style="background:var({SOURCE_COLOURS[name]})"></i>{source_name(name)}</span>'
        for name in used
    )
    turns = [(label, colour, np.rint(table.turn_counts / table.players).astype(int)) for label, colour, table in named]
    panels = [
        *(_order_panel(table) for table in found.tables),
        ("Points of a player", "How often which score; the mark and the number are the median.",
         distribution_plot([(label, colour, table.totals) for label, colour, table in named], "Points of a player")),
        ("Where points come from", legend, source_plot([(label, _sources(table)) for label, _, table in named])),
        ("Length of games", "Turns that each player has; the number is the median.",
         distribution_plot(turns, "Turns of a player")),
        ("In numbers", "Means with 95% intervals.", _numbers(found)),
    ]  # fmt: skip
    inside = "".join(
        f'<article class="panel"><h3>{name}</h3><p class="faint">{caption}</p>{plot}</article>'
        for name, caption, plot in panels
    )
    return f'<div class="grid">{inside}</div>'


def _order_panel(table: TableMeasures) -> tuple[str, str, str]:
    even = 1 / table.players
    seats = [
        Estimate(_ORDINALS[place], "--seat", wins.value or 0.0, wins.low or 0.0, wins.high or 0.0)
        for place, wins in enumerate(table.wins)
    ]
    caption = f"By turn order, {table.games:,} games; the dashed line is even, {even:.0%}."
    return f"Who wins with {table.players}", caption, seat_plot(seats, even)


def _sources(table: TableMeasures) -> list[tuple[str, str, float]]:
    return [(source_name(name), SOURCE_COLOURS[name], points) for name, points in table.sources.items()]


def _numbers(found: Playtest) -> str:
    rows = (
        ("points", lambda table: table.points),
        ("the winner’s", lambda table: table.winning),
        ("ahead of the next", lambda table: table.lead),
        ("tickets completed", lambda table: table.tickets_completed),
        ("turns", lambda table: table.turns),
    )
    heads = "".join(f'<th scope="col">{table.players} players</th>' for table in found.tables)
    lines = ""
    for name, measure in rows:
        cells = "".join(
            f"<td>{one.value or 0:.1f}<small>±{one.half or 0:.2f}</small></td>" for one in map(measure, found.tables)
        )
        lines += f'<tr><th scope="row">{name}</th>{cells}</tr>'
    shared = "".join(f"<td>{table.shared_wins:,}</td>" for table in found.tables)
    lines += f'<tr><th scope="row">shared wins</th>{shared}</tr>'
    return (
        f'<div class="scroll"><table class="numbers"><thead><tr><th></th>{heads}</tr></thead>'
        f"<tbody>{lines}</tbody></table></div>"
    )


# --- heat maps -------------------------------------------------------------------------------------------------------
def _heats(found: Playtest, number: int) -> str:
    """Heat maps behind tabs: how often, when, by whom, and how often with each number of players."""
    board = HeatBoard(found.edition.board, f"b{number}")
    views: list[tuple[str, str, str, Callable[[TrackMeasures], int | None]]] = [
        ("How often", "in no game", "in every game", lambda one: _step(one.claimed.value)),
        ("When", "late", "at once", lambda one: None if one.when is None else _step(1 - one.when[1])),
        ("Winners", "owners lose", "owners win", _lift_step),
        *(
            (f"{count} players", "in no game", "in every game", _of_count(count))
            for count in found.tracks[0].by_players
            if len(found.tables) > 1
        ),
    ]
    tabs, figures = "", ""
    for n, (name, low, high, step) in enumerate(views):
        tab = f"heat{number}-{n}"
        checked = " checked" if n == 0 else ""
        tabs += f'<input type="radio" name="heat{number}" id="{tab}"{checked}><label for="{tab}">{name}</label>'
        heats = {one.track: Heat(step(one), _track_words(one)) for one in found.tracks}
        key = f"<figcaption><span>{low}</span>{heat_key()}<span>{high}</span></figcaption>"
        figures += f'<figure><div class="scroll">{board.picture(heats, _summary(name, found))}</div>{key}</figure>'
    return f'<div class="heats panel">{tabs}<div class="views">{figures}</div></div>'


def _step(share: float | None) -> int | None:
    if share is None or share < _HARDLY_EVER:
        return None
    return min(HEAT_STEPS - 1, int(share * HEAT_STEPS))


def _lift_step(one: TrackMeasures) -> int | None:
    if one.winners.value is None or one.winners.n < _ENOUGH_OWNERS:
        return None
    low, high = _LIFTS
    return min(HEAT_STEPS - 1, max(0, int((one.winners.value - low) / (high - low) * HEAT_STEPS)))


def _of_count(count: int) -> Callable[[TrackMeasures], int | None]:
    return lambda one: _step(one.by_players[count].value)


def _track_words(one: TrackMeasures) -> str:
    words = f"{one.name}, {one.length} {one.colour}: claimed in {one.claimed.value or 0:.0%} of games"
    if one.when is not None:
        words += f", half of the time before {one.when[1]:.0%} of the game"
    if one.winners.value is not None:
        words += f"; its owner wins {one.winners.value:.2f} times an even chance"
    return words


def _summary(name: str, found: Playtest) -> str:
    often = sorted(found.tracks, key=lambda one: -(one.claimed.value or 0.0))
    told = ", ".join(f"{one.name} {one.claimed.value or 0:.0%}" for one in often[:3])
    return f"Heat map of {found.edition.board.name}, {name.lower()}. Claimed most often: {told}."


# --- tracks and cities -----------------------------------------------------------------------------------------------
def _tracks(found: Playtest, _number: int) -> str:
    order = sorted(found.tracks, key=lambda one: -(one.claimed.value or 0.0))
    dead = dead_tracks(found)
    least = dead or order[::-1][:8]
    title = "Dead tracks" if dead else "Least wanted"
    tight = choke_points(found)
    panels = [
        ("Most wanted", "Claimed in the most games.", track_table(order[:8], short=True)),
        (title, "Claimed in the fewest games.", track_table(least[:8], short=True)),
        ("Choke points", "Full early and in most games, and dear to go around.", choke_table(tight[:8])),
    ]
    inside = "".join(
        f'<article class="panel"><h3>{name}</h3><p class="faint">{caption}</p>{body}</article>'
        for name, caption, body in panels
    )
    return (
        f'<div class="grid">{inside}</div><details><summary>All {many(len(order), "track")} in numbers</summary>'
        f'<div class="panel">{track_table(order)}</div></details>'
    )


def _cities(found: Playtest, _number: int) -> str:
    idle = {one.name for one in unneeded_cities(found)}
    return (
        f"<details><summary>All {len(found.cities)} cities in numbers</summary>"
        f'<div class="panel">{city_table(found.cities, idle, bool(found.edition.stations))}</div></details>'
    )


# --- words -----------------------------------------------------------------------------------------------------------
_TICKETS = (
    "Kept: of all offers of the ticket. Margin: points ahead of the others of whoever kept it in the first choice. "
    "Wins: how often they win, where 1.00 is an even chance; without: how often all others do. Try: the points with "
    "which holding it would be worth as much as holding the other tickets of its deck, by a third at most in one step, "
    "and the interval of the whole estimate; bold where the printed points do not fit."
)
_TRACKS = (
    "When: the middle half of the claims, along the game from its first to its last turn; the mark is the median. "
    "Winners: how often the owner wins, where 1.00 is an even chance."
)
_CITIES = "Tickets that end there, and in how many games somebody has a track, or a station, there."
_COLOURS = (
    "Demand: a colour’s share of all cards paid, against its share of the deck. Above 1 it is wanted more than the "
    "deck has it; spaces on the board and gray tracks both count, since gray ones are paid with some colour."
)


def _reading(playtests: Sequence[Playtest]) -> str:
    games = playtests[0].games
    return (
        '<section class="reading"><h2>How to read this</h2><p>Bots played '
        f"{games:,} games with each number of players; numbers over all games weigh each number of players alike. "
        "Intervals hold the true value 95 times of 100: Wilson’s for shares, the normal one for means. Of a hundred "
        "intervals some five miss, so look at what is far from even, and at what stays when you play again with "
        "another seed. Bots choose tickets that fit together, so what a ticket brings its holder also comes from the "
        "company it is chosen in. The suggested points hold for one ticket at a time, as these bots play: change a "
        "few, and play again. People draw, block and gamble in other ways than bots do; dead tracks and "
        "unfair seats show first with bots, the charm of a board does not.</p></section>"
    )
