"""What stands out in a playtest, as lists and in sentences: each rests on an interval, not on a number alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from whistlestop.arena.playtest.estimates import Measured
from whistlestop.arena.playtest.measures import (
    CityMeasures,
    ColourMeasures,
    Playtest,
    RouteMeasures,
    TicketMeasures,
    TrackMeasures,
)
from whistlestop.mapfile import LOCOMOTIVE
from whistlestop.spelling import many

DEAD = 0.05
"""A track that is claimed in fewer games than this, with every number of players, is dead."""
OFTEN_FULL = 0.6
"""A choke point is a route that is closed to others in more games, earlier than half of the routes, …"""
LONG_DETOUR = 3
"""… and that costs so many spaces to go around."""
PASSED_BY = 0.5
"""A city where no ticket ends and that is reached in fewer games is needed by nobody."""
SELDOM_KEPT, SELDOM_COMPLETED = 0.15, 0.6
UNEVEN = 0.12
"""How far a colour's demand may be from 1."""
SURE = 1.5
"""Half intervals that a place in the turn order must be away from even: there are up to 14 places, and one in 20 would
be one half interval away by chance."""
_MOST_NAMES = 6


@dataclass(frozen=True, slots=True)
class Verdict:
    """One thing that stands out."""

    kind: str
    """good, tell, or mend for what a maker of boards may want to change."""
    title: str
    words: str


def dead_tracks(found: Playtest) -> list[TrackMeasures]:
    """Tracks that nearly nobody claims, the least wanted first."""
    dead = [one for one in found.tracks if all(rate.is_below(DEAD) for rate in one.by_players.values())]
    return sorted(dead, key=lambda one: one.claimed.value or 0.0)


def choke_points(found: Playtest) -> list[RouteMeasures]:
    """Routes that are fought for early and dear to go around, the tightest first."""
    early = median(1.0 if one.when is None else one.when for one in found.routes)
    tight = [
        one
        for one in found.routes
        if one.full.is_above(OFTEN_FULL)
        and one.when is not None
        and one.when < early
        and (one.detour is None or one.detour >= LONG_DETOUR)
    ]
    return sorted(tight, key=_tightness, reverse=True)


def _tightness(route: RouteMeasures) -> float:
    around = 8 if route.detour is None else min(route.detour, 8)
    return (route.full.value or 0.0) * (1 - (route.when or 0.0)) * around


def unneeded_cities(found: Playtest) -> list[CityMeasures]:
    """Cities where no ticket ends and that most games leave aside."""
    return [one for one in found.cities if one.tickets == 0 and one.reached.is_below(PASSED_BY)]


def revalued_tickets(found: Playtest) -> list[TicketMeasures]:
    """Tickets whose points do not fit, the largest change first."""
    odd = [one for one in found.tickets if one.suggested != one.points]
    return sorted(odd, key=lambda one: -abs(one.suggested - one.points))


def uneven_colours(found: Playtest) -> list[ColourMeasures]:
    """Colours that are wanted more or less than the deck has them; locomotives are wanted by all."""
    return [one for one in found.colours if one.name != LOCOMOTIVE and abs(one.demand - 1) > UNEVEN]


def verdicts(found: Playtest) -> list[Verdict]:
    """Everything that stands out."""
    return [*_seats(found), *_tracks(found), *_tickets(found), *_cities(found), *_colours(found)]


def percent(value: Measured) -> str:
    """A share with its interval, in words."""
    if value.value is None or value.low is None or value.high is None:
        return "never seen"
    return f"{value.value:.1%} ({value.low:.1%} to {value.high:.1%})"


def _seats(found: Playtest) -> Iterator[Verdict]:
    unfair = []
    for table in found.tables:
        even = 1 / table.players
        for place, wins in enumerate(table.wins):
            gap = abs((wins.value or 0.0) - even)
            if gap > SURE * (wins.half or 0.0):
                words = f"with {table.players} players turn {place + 1} wins {percent(wins)}; even is {even:.0%}"
                unfair.append((gap / even, words))
    if unfair:
        told = [words for _, words in sorted(unfair, reverse=True)[:3]]
        yield Verdict("tell", "Turn order matters", f"{_sentence('; '.join(told))}.")
    else:
        widest = SURE * max((wins.half or 0.0) for table in found.tables for wins in table.wins)
        words = f"No place in the turn order has an edge that these games show; one of {widest:.1%} would."
        yield Verdict("good", "Turn order is fair", words)


def _tracks(found: Playtest) -> Iterator[Verdict]:
    if dead := dead_tracks(found):
        names = [f"{one.name} ({one.colour}, {one.claimed.value or 0:.1%})" for one in dead]
        yield Verdict("mend", f"{many(len(dead), 'dead track')}", f"Nearly nobody claims {listed(names)}.")
    else:
        least = min(found.tracks, key=lambda one: one.claimed.value or 0.0)
        words = f"Every track is used; the least wanted is {least.name}, claimed in {percent(least.claimed)} of games."
        yield Verdict("good", "No dead tracks", words)
    if tight := choke_points(found):
        yield Verdict("tell", many(len(tight), "choke point"), f"{_sentence(listed([_choke(one) for one in tight]))}.")


def _choke(route: RouteMeasures) -> str:
    around = "no way around" if route.detour is None else f"{many(route.detour, 'space')} more to go around"
    return f"{route.name} (full in {route.full.value or 0:.0%} of games, {around})"


def _tickets(found: Playtest) -> Iterator[Verdict]:
    for title, odd in (
        ("with too many points", [one for one in revalued_tickets(found) if one.suggested < one.points]),
        ("with too few points", [one for one in revalued_tickets(found) if one.suggested > one.points]),
    ):
        if odd:
            names = [f"{one.name} ({one.points} points, try {one.suggested})" for one in odd]
            count = many(len(odd), "ticket")
            yield Verdict("mend", f"{count} {title}", f"{_sentence(listed(names))}.")
    hard = [one for one in found.tickets if one.completed.is_below(SELDOM_COMPLETED)]
    if hard:
        names = [f"{one.name} ({one.completed.value or 0:.0%})" for one in hard]
        yield Verdict("tell", f"{many(len(hard), 'ticket')} seldom completed", f"{_sentence(listed(names))}.")
    unloved = [one for one in found.tickets if one.kept.is_below(SELDOM_KEPT)]
    if unloved:
        names = [f"{one.name} ({one.kept.value or 0:.0%})" for one in unloved]
        yield Verdict("tell", f"{many(len(unloved), 'ticket')} seldom kept", f"{_sentence(listed(names))}.")


def _cities(found: Playtest) -> Iterator[Verdict]:
    if idle := unneeded_cities(found):
        names = [f"{one.name} (reached in {one.reached.value or 0:.0%})" for one in idle]
        noun = "city" if len(idle) == 1 else "cities"
        yield Verdict("mend", f"{len(idle)} {noun} nobody needs", f"No ticket ends at {listed(names)}.")


def _colours(found: Playtest) -> Iterator[Verdict]:
    if odd := uneven_colours(found):
        names = [f"{one.name} ({one.demand:.2f})" for one in sorted(odd, key=lambda one: -one.demand)]
        words = f"Demand against the deck, where 1 is even: {listed(names)}."
        yield Verdict("tell", "Uneven colours", words)
    else:
        words = "All eight are paid about as often as the deck has them."
        yield Verdict("good", "Colours are even", words)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence, the first ones if there are many."""
    shown = list(names[:_MOST_NAMES])
    rest = len(names) - len(shown)
    if rest:
        return f"{', '.join(shown)} and {rest} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
