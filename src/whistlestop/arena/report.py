"""The standings of the arena as one page: HTML with plots inside, no script, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from whistlestop.arena.plots import (
    Estimate,
    distribution_plot,
    length_plot,
    rating_plot,
    seat_plot,
    source_plot,
)
from whistlestop.arena.ratings import Rating, WinRate
from whistlestop.arena.report_style import BOT_COLOURS, REST_COLOUR, SOURCE_COLOURS, command_words, whole_page
from whistlestop.arena.standings import BotStanding, CellStanding, Standings
from whistlestop.mapfile import digest, editions
from whistlestop.results import SOURCES, source_name
from whistlestop.spelling import many, whole


def report(standings: Standings, source: str) -> str:
    """The page; `source` says when, where and by which command the games were played."""
    bots = dict.fromkeys(bot.bot for cell in standings.cells for bot in cell.bots)
    order = [rating.bot for rating in standings.overall] or list(bots)
    colours = {bot: BOT_COLOURS[n] if n < len(BOT_COLOURS) else REST_COLOUR for n, bot in enumerate(order)}
    names = {digest(edition): edition.name for edition in editions()}
    titles = [_title(cell, names) for cell in standings.cells]
    body = [
        _top(standings, source),
        _overview(standings, titles) if len(standings.cells) > 1 else "",
        *(
            _section(number, title, cell, standings.labels, colours)
            for number, (title, cell) in enumerate(zip(titles, standings.cells, strict=True))
        ),
        _failures(standings),
        _reading(),
    ]
    return whole_page(f"Whistlestop arena: {_leader(standings)}", "Arena", "".join(body))


# --- the beginning ---------------------------------------------------------------------------------------------------
def _title(standing: CellStanding, names: dict[str, str]) -> str:
    return f"{names.get(standing.cell.digest, standing.cell.edition)}, {standing.cell.players} players"


def _leader(standings: Standings) -> str:
    """Who is ahead, as a sentence."""
    ratings = standings.overall or tuple(bot.rating for bot in standings.cells[0].bots)
    known = [rating for rating in ratings if rating.elo is not None]
    first = standings.labels[known[0].bot]
    if len(known) == 1:
        return f"{first} alone"
    lead = (known[0].elo or 0.0) - (known[1].elo or 0.0)
    return (
        f"{first} leads by {whole(lead)} Elo" if round(lead) else f"{first} and {standings.labels[known[1].bot]} lead"
    )


def _top(standings: Standings, source: str) -> str:
    bots = {bot.bot for cell in standings.cells for bot in cell.bots}
    facts = f"{many(len(bots), 'bot')} · {standings.games:,} games"
    notes = "".join(f"<p class='note'>{escape(note)}</p>" for note in standings.notes)
    return (
        f'<header><p class="eyebrow">{facts}</p><h1>{escape(_leader(standings))}</h1>'
        f'<p class="lead">{command_words(source)}</p>{notes}</header>'
    )


def _overview(standings: Standings, titles: Sequence[str]) -> str:
    """Ratings of all bots on all editions and numbers of players."""
    columns = [{bot.bot: bot.rating for bot in cell.bots} for cell in standings.cells]
    heads = "".join(f'<th scope="col"><a href="#cell{n}">{escape(title)}</a></th>' for n, title in enumerate(titles))
    lines = []
    for rating in standings.overall:
        cells = "".join(f"<td>{_rating_cell(column.get(rating.bot))}</td>" for column in columns)
        label = escape(standings.labels[rating.bot])
        lines.append(f'<tr><th scope="row">{label}</th><td class="all">{_rating_cell(rating)}</td>{cells}</tr>')
    return (
        '<section class="panel wide"><h2>Ratings everywhere</h2><p class="faint">Elo with 95% intervals.</p>'
        '<div class="scroll"><table class="ratings"><thead><tr><th></th><th scope="col">All together</th>'
        f"{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table></div></section>"
    )


def _rating_cell(rating: Rating | None) -> str:
    if rating is None or rating.elo is None or rating.low is None or rating.high is None:
        return "–"
    interval = f"{whole(rating.low)} to {whole(rating.high)}" if rating.low < rating.high else ""
    return f"<b>{whole(rating.elo)}</b><small>{interval}</small>"


# --- one edition with one number of players --------------------------------------------------------------------------
def _section(number: int, title: str, cell: CellStanding, labels: dict[str, str], colours: dict[str, str]) -> str:
    rated = [bot for bot in cell.bots if bot.rating.elo is not None]
    panels = [
        (
            "Ratings",
            f"Elo with 95% intervals; {escape(cell.anchor)} is 0.",
            rating_plot([_estimate(bot, colours) for bot in rated]) + _leads(rated),
        ),
        ("Head to head", _matrix_caption(cell.cell.players), _matrix(cell, labels)),
        (
            "Points of a game",
            "How often which score; the mark and the number are the median.",
            distribution_plot([(bot.label, colours[bot.bot], cell.rows_of(bot.bot)["total"]) for bot in cell.bots]),
        ),
        ("Where points come from", _legend(cell), source_plot([(bot.label, _sources(bot)) for bot in cell.bots])),
        (
            "Length of games",
            "Actions of all players together.",
            length_plot(cell.rows["steps"][:: cell.cell.players], "--steps"),
        ),
        (
            "Win rate by seat",
            f"Whoever sits there; the dashed line is even, {1 / cell.cell.players:.0%}.",
            seat_plot([_seat(n, wins) for n, wins in enumerate(cell.seat_wins, 1)], 1 / cell.cell.players),
        ),
    ]
    facts = f"{cell.games:,} games, {many(cell.blocks, 'seed')}, {cell.actions.mean:.0f} actions a game"
    inside = "".join(
        f'<article class="panel"><h3>{name}</h3><p class="faint">{caption}</p>{plot}</article>'
        for name, caption, plot in panels
    )
    return (
        f'<section id="cell{number}"><h2>{escape(title)}</h2><p class="faint">{facts}</p>'
        f"<div class='grid'>{inside}</div>{_line_ups(cell, labels)}</section>"
    )


def _leads(bots: Sequence[BotStanding]) -> str:
    """How sure it is that each bot is stronger than the next."""
    lines = []
    for bot, weaker in pairwise(bots):
        if bot.rating.lead:
            ahead, low, high = bot.rating.lead
            sure = "sure" if low > 0 else "unsure"
            lines.append(
                f"<tr><th scope='row'>{escape(bot.label)} over {escape(weaker.label)}</th><td>+{whole(ahead)}</td>"
                f"<td class='{sure}'>{whole(low)} to {whole(high)}</td></tr>"
            )
    return f"<table class='leads'><tbody>{''.join(lines)}</tbody></table>"


def _estimate(bot: BotStanding, colours: dict[str, str]) -> Estimate:
    rating = bot.rating
    elo, low, high = rating.elo or 0.0, rating.low or 0.0, rating.high or 0.0
    return Estimate(bot.label, colours[bot.bot], elo, low, high)


def _seat(number: int, wins: WinRate) -> Estimate:
    return Estimate(f"seat {number}", "--seat", wins.rate, wins.low, wins.high)


def _used(cell: CellStanding) -> list[str]:
    """Sources that brought or cost anybody points."""
    return [source for source in SOURCES if any(round(bot.statistics.sources[source], 1) for bot in cell.bots)]


def _sources(bot: BotStanding) -> list[tuple[str, str, float]]:
    return [(source_name(name), SOURCE_COLOURS[name], points) for name, points in bot.statistics.sources.items()]


def _legend(cell: CellStanding) -> str:
    return "".join(
        f'<span class="key"><i style="background:var({SOURCE_COLOURS[name]})"></i>{source_name(name)}</span>'
        for name in _used(cell)
    )


def _matrix_caption(players: int) -> str:
    if players == 2:
        return "How often the bot of the line beats that of the column."
    return f"How often the bot of the line wins alone at a table of the column’s; even is {1 / players:.0%}."


def _matrix(cell: CellStanding, labels: dict[str, str]) -> str:
    """Win rates of every bot against every other one."""
    found = {(one.bot, one.alone_against): one.wins for one in cell.line_ups if one.alone_against}
    bots = [bot.bot for bot in cell.bots]
    heads = "".join(f'<th scope="col"><span>{escape(labels[bot])}</span></th>' for bot in bots)
    lines = []
    for bot in bots:
        cells = "".join(_matrix_cell(found.get((bot, other)), 1 / cell.cell.players, bot == other) for other in bots)
        lines.append(f'<tr><th scope="row">{escape(labels[bot])}</th>{cells}</tr>')
    return (
        f'<div class="scroll"><table class="matrix" style="--n:{len(bots)}"><thead><tr><th></th>{heads}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _matrix_cell(wins: WinRate | None, even: float, own: bool) -> str:
    if wins is None:
        return '<td class="own"></td>' if own else "<td>–</td>"
    ahead = wins.rate >= even
    share = (wins.rate - even) / (1 - even) if ahead else (even - wins.rate) / even
    told = f"{wins.low:.1%} to {wins.high:.1%}"
    kind = "ahead" if ahead else "behind"
    return f'<td class="{kind}" style="--by:{share * 70:.0f}%" title="{told}">{wins.rate:.0%}</td>'


def _line_ups(cell: CellStanding, labels: dict[str, str]) -> str:
    """Every line-up with its numbers; shown at once where no bot is alone against another."""
    lines = [
        f"<tr><th scope='row'>{escape(labels[one.bot])}</th>"
        f"<td class='words'>{escape(one.others_text(labels))}</td>"
        f"<td>{one.games:,}</td><td>{one.wins.rate:.1%}</td><td>{one.wins.low:.1%} to {one.wins.high:.1%}</td>"
        f"<td>{one.even:.0%}</td><td>{one.points:.1f}</td></tr>"
        for one in cell.line_ups
    ]
    unfolded = "" if any(one.alone_against for one in cell.line_ups) else " open"
    return (
        f"<details{unfolded}><summary>All line-ups in numbers</summary><div class='panel scroll'><table><thead><tr>"
        "<th>bot</th><th class='words'>with</th><th>games</th><th>wins of a seat</th><th>95% interval</th><th>even</th>"
        f"<th>points</th></tr></thead><tbody>{''.join(lines)}</tbody></table></div></details>"
    )


# --- the end ---------------------------------------------------------------------------------------------------------
def _failures(standings: Standings) -> str:
    if not standings.failures:
        return ""
    lines = "".join(
        f'<tr><th scope="row">{escape(standings.labels.get(one.bot, one.bot))}</th><td class="words">{one.reason}</td>'
        f'<td>{one.count:,}</td><td>{one.games:,}</td><td class="words">{escape(one.edition)}, seed {one.seed}, action '
        f"{one.action}: {escape(one.detail)}</td></tr>"
        for one in standings.failures
    )
    return (
        '<section><h2>Bots that failed</h2><p class="faint">A random action was played in their place.</p>'
        "<div class='panel scroll'><table><thead><tr><th>bot</th><th class='words'>reason</th><th>times</th>"
        f"<th>games</th><th class='words'>the first</th></tr></thead><tbody>{lines}</tbody></table></div></section>"
    )


def _reading() -> str:
    return (
        '<section class="reading"><h2>How to read this</h2><p>Every line-up played the same seeds in every seating, so '
        "neither cards nor seats favour anybody. Ratings are Bradley–Terry strengths on the Elo scale: 100 points more "
        "win 64% of games between two, 200 win 76%, 400 win 91%. Who wins a game with several players beats each "
        "of the others once. Intervals hold the true value 95 times of 100; they come from a bootstrap that weighs all "
        "games of one seed together. An interval of a lead that is above 0 means that the two bots differ. Points are "
        "no measure of strength, but people ask.</p></section>"
    )
