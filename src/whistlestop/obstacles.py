"""Why something cannot be had: the reason as data, for messages in any language. The engine decides what is legal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.hidden import SPECTATOR
from whistlestop.engine.tables import tables_of
from whistlestop.mapfile import CARDS, GRAY, Edition
from whistlestop.notation import notation_of
from whistlestop.views import StateReader, View, bits, closed, copied, owners, snapshot, stations


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What stands in the way of a track or a station; `code` names the kind, the other fields are its details."""

    code: str
    """yours, owned, closed, parallel, trains, cards, no_station, station_taken, border, not_now, or none."""
    owner: int | None = None
    needs: int | None = None
    have: int | None = None
    colour: str | None = None
    """The colour that counts; for a gray track the one held most."""
    gray: bool = False
    locomotives: int = 0
    """Held."""
    ferry: int = 0

    def json(self) -> dict[str, Any]:
        """The obstacle as plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


def barrier(edition: Edition, state: StateReader, track: int, player: int) -> Obstacle | None:
    """What keeps a player from a track whatever cards are paid, or None."""
    now = snapshot(state.states)
    owner = owners(now).get(track)
    if owner is not None:
        return Obstacle("yours" if owner == player else "owned", owner)
    if track in closed(now, len(edition.board.tracks)):
        return Obstacle("closed")
    if track in bits(state.barred[player]):
        return Obstacle("parallel")
    length, trains = edition.board.tracks[track].length, int(state.trains[player])
    return Obstacle("trains", needs=length, have=trains) if length > trains else None


def station_barrier(edition: Edition, state: StateReader, city: int, player: int) -> Obstacle | None:
    """What keeps a player from a station in a city whatever cards are paid, or None."""
    if int(state.stations_left[player]) == 0:
        return Obstacle("no_station")
    if edition.board.cities[city].country:
        return Obstacle("border")
    owner = stations(notation_of(edition), snapshot(state.states)).get(edition.board.cities[city].name)
    return None if owner is None else Obstacle("station_taken", owner)


def track_obstacle(view: View, track: int) -> Obstacle:
    """Why the viewer cannot claim a track now."""
    if view.player == SPECTATOR:
        return Obstacle("not_now")
    state = StateReader(view.states)
    found = barrier(view.edition, state, track, view.player)
    return found or _unpaid(view, list(notation_of(view.edition).claims(track)), _price(view, track))


def station_obstacle(view: View, city: str) -> Obstacle:
    """Why the viewer cannot build a station in a city now."""
    if view.player == SPECTATOR:
        return Obstacle("not_now")
    notation = notation_of(view.edition)
    state, index = StateReader(view.states), notation.cities.index(city)
    if found := station_barrier(view.edition, state, index, view.player):
        return found
    first = notation.station_first + index * lay.STATION_PAYMENTS
    cost = doors.station_cost(view.states, 0, view.player)
    return _unpaid(
        view, list(range(first, first + lay.STATION_PAYMENTS)), _short_of(view, _most_held(view), cost, gray=True)
    )


def _unpaid(view: View, ways: list[int], short: Obstacle) -> Obstacle:
    """The cards that are short if none of some actions would be legal in the viewer's turn; else whether it is one."""
    turn = copied(view.states)
    turn["phase"], turn["player"] = lay.TURN, view.player
    tables = tables_of(view.edition)
    if not any(doors.is_legal(turn, 0, tables, way) for way in ways):
        return short
    now = view.phase == lay.PHASES[lay.TURN] and view.player in view.to_move
    return Obstacle("none" if now else "not_now")


def _price(view: View, track: int) -> Obstacle:
    line = view.edition.board.tracks[track]
    gray = line.colour == GRAY
    return _short_of(view, _most_held(view) if gray else line.colour, line.length, gray=gray, ferry=line.ferry)


def _short_of(view: View, colour: str, needs: int, *, gray: bool, ferry: int = 0) -> Obstacle:
    hand = view.hand
    return Obstacle("cards", None, needs, hand.get(colour, 0), colour, gray, hand.get(CARDS[lay.LOCO], 0), ferry)


def _most_held(view: View) -> str:
    """The plain colour that the viewer holds most of."""
    hand = view.hand
    return max(CARDS[: lay.LOCO], key=lambda card: hand.get(card, 0))
