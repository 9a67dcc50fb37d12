"""The end of a game in words: points by source, what they came from, who wins and what decided it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.tables import tables_of
from whistlestop.mapfile import Edition
from whistlestop.notation import notation_of
from whistlestop.spelling import many
from whistlestop.views import StateReader, TicketView, bits, copied, tickets_held

TRAINS_RAN_OUT = "trains ran out"
ALL_PASSED = "all passed"
AS_IT_LIES = "counted as it lies"
"""A position that was set up by hand and has not come to an end by itself."""
SOURCES = lay.SHEET_NAMES[: lay.SHEET_NAMES.index("total")]
"""Where points come from, in the order of the score sheet."""
_SOURCE_NAMES = {"path": "longest path", "globetrotter": "Globetrotter"}
"""Sources that are not called by their field."""
_TIE_BREAKS = {
    "tickets": "more completed tickets", "stations": "fewer stations", "path": "the longest path",
    "passengers": "more passengers",
}  # fmt: skip


def source_name(source: str) -> str:
    """What people call a source of points."""
    return _SOURCE_NAMES.get(source, source)


@dataclass(frozen=True, slots=True)
class Borrowed:
    """What a station was used for at the end."""

    city: str
    track: int | None
    route: str | None

    @property
    def text(self) -> str:
        """The station and its use in words."""
        return f"{self.city}: {self.route or 'not needed'}"


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """A player's points by source, and what they came from."""

    name: str
    routes: int
    tickets: int
    stations: int
    path: int
    passengers: int
    globetrotter: int
    total: int
    completed: tuple[TicketView, ...]
    failed: tuple[TicketView, ...]
    path_length: int
    path_tracks: tuple[int, ...]
    """The tracks of a longest path, in walking order."""
    path_cities: tuple[str, ...]
    """The cities of that path, one more than its tracks."""
    borrowed: tuple[Borrowed, ...]
    collected: dict[str, int]
    passenger_points: dict[str, int]
    """What the collected passengers of each colour brought; they add up to `passengers`."""

    def json(self) -> dict[str, Any]:
        """The result as plain data."""
        plain = {name: getattr(self, name) for name in self.__slots__}
        plain["completed"] = [ticket.json() for ticket in self.completed]
        plain["failed"] = [ticket.json() for ticket in self.failed]
        plain["path_tracks"], plain["path_cities"] = list(self.path_tracks), list(self.path_cities)
        plain["borrowed"] = [{"city": b.city, "track": b.track, "route": b.route} for b in self.borrowed]
        return plain


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a game; `print` it for a table."""

    players: tuple[PlayerResult, ...]
    winners: tuple[int, ...]
    decided_by: str
    """"points", the tie-break that decided, or "shared"."""
    ended_by: str
    """"trains ran out" or "all passed"; "counted as it lies" for a position set up by hand that could go on."""

    def json(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "players": [player.json() for player in self.players],
            "winners": list(self.winners),
            "decided_by": self.decided_by,
            "ended_by": self.ended_by,
        }

    @property
    def verdict(self) -> str:
        """Who wins, and what decided a tie, in one sentence."""
        names = " and ".join(self.players[p].name for p in self.winners)
        if len(self.winners) > 1:
            return f"{names} win together"
        return f"{names} wins" + (
            "" if self.decided_by == "points" else f", tied on points, by {_TIE_BREAKS[self.decided_by]}"
        )

    def __str__(self) -> str:
        used = [
            source
            for source in SOURCES
            if source in ("routes", "tickets") or any(getattr(p, source) for p in self.players)
        ]
        head = ["", *used, "total"]
        rows = [[p.name, *(str(getattr(p, source)) for source in used), str(p.total)] for p in self.players]
        widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
        lines = [
            "  ".join(
                cell.ljust(width) if i == 0 else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in (head, *rows)
        ]
        return "\n".join(
            [*lines, "", *(line for player in self.players for line in _details(player)), "", f"{self.verdict}."]
        )


def _details(player: PlayerResult) -> Iterator[str]:
    yield player.name
    for title, tickets in (("completed", player.completed), ("not completed", player.failed)):
        if tickets:
            yield f"  {title}: {', '.join(ticket.text for ticket in tickets)}"
    if player.path_tracks:
        yield f"  longest path, {many(player.path_length, 'train')}: {'–'.join(player.path_cities)}"
    for station in player.borrowed:
        yield f"  station in {station.text}"
    if player.collected:
        yield f"  passengers: {', '.join(f'{n} {colour}' for colour, n in player.collected.items())}"


# ---- counting -------------------------------------------------------------------------------------------------------
def count(edition: Edition, states: doors.Array, names: Sequence[str]) -> Result:
    """The final count of a game that is over."""
    tables = tables_of(edition)
    _, nets, borrowed = doors.scratch()
    sheet = np.zeros((lay.MAX_PLAYERS, lay.SHEET), np.int64)
    needed = doors.score(states, 0, tables, nets, sheet, borrowed)
    state = StateReader(states)
    prizes = _passenger_points(edition, states)
    players = tuple(
        _player_result(
            edition,
            state,
            nets,
            p,
            name,
            dict(zip(lay.SHEET_NAMES, sheet[p].tolist(), strict=True)),
            borrowed[p].tolist(),
            prizes[p],
        )
        for p, name in enumerate(names)
    )
    return Result(
        players=players,
        winners=tuple(p for p in range(len(names)) if sheet[p, lay.WON]),
        decided_by="shared" if needed == lay.NONE else ("points", *edition.tie_breaks)[needed],
        ended_by=_ended_by(edition, state),
    )


def _ended_by(edition: Edition, state: StateReader) -> str:
    """Why there are no more turns (END-1, RULING-1)."""
    players = int(state.players)
    if int(state.passes) == players:
        return ALL_PASSED
    return TRAINS_RAN_OUT if min(state.trains[:players]) <= edition.last_round_trains else AS_IT_LIES


def _passenger_points(edition: Edition, states: doors.Array) -> list[dict[str, int]]:
    """What each player's passengers of each colour brought: the engine counts as if there were no other colours."""
    found: list[dict[str, int]] = [{} for _ in range(lay.MAX_PLAYERS)]
    for colour, word in enumerate(notation_of(edition).passengers):
        alone = copied(states)
        kept = alone["collected"][0, :, colour].copy()
        if not kept.any():
            continue
        alone["collected"][0] = 0
        alone["collected"][0, :, colour] = kept
        _, nets, borrowed = doors.scratch()
        sheet = np.zeros((lay.MAX_PLAYERS, lay.SHEET), np.int64)
        doors.score(alone, 0, tables_of(edition), nets, sheet, borrowed)
        for player, points in enumerate(sheet[:, lay.SHEET_NAMES.index("passengers")].tolist()):
            if kept[player]:
                found[player][word] = points
    return found


def _player_result(
    edition: Edition,
    state: StateReader,
    nets: doors.Array,
    player: int,
    name: str,
    points: dict[str, int],
    borrowed: list[int],
    prizes: dict[str, int],
) -> PlayerResult:
    notation = notation_of(edition)
    cities = [notation.cities[c] for c in bits([state.stations[player]])]
    uses = tuple(
        Borrowed(city, None, None) if track == lay.NONE else Borrowed(city, track, notation.track_name(track))
        for city, track in zip(cities, borrowed, strict=False)
    )
    tickets = tickets_held(notation, state.states, player, [use.track for use in uses if use.track is not None])
    tracks, walked = _longest_path(edition, state.tracks[player], nets, points["path_length"])
    return PlayerResult(
        name=name,
        **{source: points[source] for source in (*SOURCES, "total")},
        completed=tuple(ticket for ticket in tickets if ticket.completed),
        failed=tuple(ticket for ticket in tickets if not ticket.completed),
        path_length=points["path_length"],
        path_tracks=tracks,
        path_cities=tuple(notation.cities[c] for c in walked),
        borrowed=uses,
        collected={c: int(n) for c, n in zip(notation.passengers, state.collected[player], strict=False) if n},
        passenger_points=prizes,
    )


def _longest_path(
    edition: Edition, tracks: doors.Array, nets: doors.Array, length: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Tracks and cities of a longest path in walking order: drop every track it can do without, walk what is left."""
    if length == 0:
        return (), ()
    tables = tables_of(edition)
    left = tracks.copy()
    for track in bits(tracks):
        tried = left.copy()
        tried[track >> 6] &= ~np.uint64(1 << (track & 63))
        if doors.longest_path(tables, nets, tried) == length:
            left = tried
    return walk(edition, bits(left))


def walk(edition: Edition, tracks: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Connected tracks with at most two odd cities in walking order, and the cities on the way (Hierholzer)."""
    at: dict[int, list[int]] = {}
    for i in tracks:
        for city in (edition.board.tracks[i].a, edition.board.tracks[i].b):
            at.setdefault(city, []).append(i)
    start = min((c for c in at if len(at[c]) % 2), default=min(at))
    stack: list[tuple[int, int]] = [(start, lay.NONE)]
    used: set[int] = set()
    walked: list[tuple[int, int]] = []
    while stack:
        city, _came_by = stack[-1]
        free = next((i for i in at[city] if i not in used), None)
        if free is None:
            walked.append(stack.pop())
        else:
            used.add(free)
            track = edition.board.tracks[free]
            stack.append((track.b if city == track.a else track.a, free))
    walked.reverse()
    return tuple(i for _, i in walked if i != lay.NONE), tuple(city for city, _ in walked)
