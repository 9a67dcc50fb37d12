"""Options as JSON: what a viewer may do now. What an edition decides is written once, and what comes often is kept."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

import orjson

from whistlestop import views
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.game import Action, View
from whistlestop.mapfile import CARDS
from whistlestop.notation import Cards, Notation, notation_of
from whistlestop.server.narration import JsonObject
from whistlestop.views import Snapshot

_TRACK_OF = attrgetter("track")


class Priced(NamedTuple):
    """A way to pay as it is written, and what it is sorted by."""

    written: bytes
    colour: int
    """The kind of card that is not a locomotive; NONE if there is none."""
    locomotives: int
    track: int = lay.NONE


def write_options(view: View) -> bytes:
    """What a viewer who has to act may do now, grouped for a screen."""
    numbers, notation, state = view.legal_numbers(), notation_of(view.edition), view.snapshot
    claims, sites = numbers.searchsorted((lay.CLAIM, notation.station_first)).tolist()
    hand = state[views.HAND[view.player]]
    before, after = _simple(view, state, numbers[:claims].tolist())
    return b'%b%b,"stations":%b%b' % (
        before,
        _write_claims(notation, numbers[claims:sites].tolist(), hand) if claims < sites else b"{}",
        _write_sites(notation, view, numbers[sites:], hand) if sites < len(numbers) else b"null",
        after,
    )


def _simple(view: View, state: Snapshot, numbers: Sequence[int]) -> tuple[bytes, bytes]:
    """Options that are neither claims nor stations: what stands before those, and what after them."""
    phase = state[views.PHASE]
    if phase not in (lay.TURN, lay.SECOND_CARD):  # others depend on more than what is open, and come seldom
        return _write_simple(view, numbers)
    kept, key = notation_of(view.edition).kept, (phase, *state[views.TICKET_COUNT], *numbers)
    found: tuple[bytes, bytes] | None = kept.get(key)
    if found is None:
        found = kept[key] = _write_simple(view, numbers)
    return found


def _write_simple(view: View, numbers: Sequence[int]) -> tuple[bytes, bytes]:
    situation = views.situation_of(view.edition, view.states, view.player)
    before: JsonObject = {"draw_blind": None, "draw_face_up": {}, "draw_tickets": [], "announce": []}
    after: JsonObject = {"keep": [], "pay_extra": [], "give_up": None, "passengers": [], "pass": None}
    paid: list[Priced] = []
    for action in notation_of(view.edition).in_words(numbers, situation):
        if action.kind == "pay_extra":
            paid.append(_priced(action.id, action.cards))
        else:
            _add_simple(before if action.kind in before else after, action)
    after["pay_extra"] = orjson.Fragment(b"[%b]" % _joined(paid, view.snapshot[views.HAND[view.player]]))
    return orjson.dumps(before)[:-1] + b',"claims":', b"," + orjson.dumps(after)[1:]


def _add_simple(found: JsonObject, action: Action) -> None:
    """Add an action that costs no cards."""
    kind = action.kind
    if kind in ("draw_blind", "give_up", "pass"):
        found[kind] = action.id
    elif kind == "draw_face_up":
        found[kind][action.card] = action.id
    elif kind in ("draw_tickets", "announce"):
        found[kind].append({"id": action.id, "mix": dict(action.mix)})
    elif kind == "keep":
        found[kind].append({"id": action.id, "kept": list(action.kept)})
    else:
        found["passengers"].append({"id": action.id, "passenger": action.passenger, "at": action.place})


def _joined(ways: list[Priced], hand: tuple[int, ...]) -> bytes:
    """Ways to pay, the sensible one first: few locomotives, then the colour of which most is held."""
    if len(ways) > 1:
        ways.sort(key=lambda way: (way.locomotives, 0 if way.colour == lay.NONE else -hand[way.colour]))
    return b",".join([way.written for way in ways])


def _priced(number: int, cards: Cards, track: int = lay.NONE) -> Priced:
    plain = [CARDS.index(card) for card, _ in cards if card != CARDS[lay.LOCO]]
    data = {"id": number, "cards": dict(cards)}
    return Priced(orjson.dumps(data), plain[0] if plain else lay.NONE, dict(cards).get(CARDS[lay.LOCO], 0), track)


def _write_claims(notation: Notation, numbers: Sequence[int], hand: tuple[int, ...]) -> bytes:
    """Claims by track."""
    priced, parts = _claims_priced(notation), []
    for track, ways in groupby([priced[number - lay.CLAIM] for number in numbers], _TRACK_OF):
        parts.append(b'"%d":[%b]' % (track, _joined(list(ways), hand)))
    return b"{%b}" % b",".join(parts)


def _claims_priced(notation: Notation) -> list[Priced]:
    """All claims of an edition, made once."""
    found: list[Priced] | None = notation.made.get(_claims_priced)
    if found is None:
        found = [
            _priced(number, notation.claim_cards(number), notation.claim(number)[0])
            for number in range(lay.CLAIM, notation.station_first)
        ]
        notation.made[_claims_priced] = found
    return found


def _write_sites(notation: Notation, view: View, numbers: doors.Array, hand: tuple[int, ...]) -> bytes:
    """Stations as cities × payments: every free city takes the same payments, so each is sent once."""
    origin, ways = notation.station_first, lay.STATION_PAYMENTS
    lowest, cost = int(numbers[0]), doors.station_cost(view.states, 0, view.player)
    first = lowest - (lowest - origin) % ways
    here = numbers[: int(numbers.searchsorted(first + ways))].tolist()
    payments = [_station_payment(notation, number - first, cost) for number in here]
    free = numbers[:: len(here)] - (lowest - first)
    key = free.tobytes()
    cities: bytes | None = notation.kept.get(key)
    if cities is None:
        named = {notation.cities[(number - origin) // ways]: number for number in free.tolist()}
        cities = notation.kept[key] = orjson.dumps(named)
    return b'{"cities":%b,"payments":[%b]}' % (cities, _joined(payments, hand))


def _station_payment(notation: Notation, way: int, cost: int) -> Priced:
    """A way to pay for a station of a cost; made once."""
    found: Priced | None = notation.made.get((_station_payment, way, cost))
    if found is None:
        found = _priced(way, notation.station(notation.station_first + way, cost)[1])
        notation.made[_station_payment, way, cost] = found
    return found
