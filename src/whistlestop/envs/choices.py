"""The actions of a learner: masks, and the small set beside the full one.

The small set leaves out how many locomotives a payment has: of all ways to pay a track, a station or a tunnel's extra
cards with one colour, it has the one with the fewest locomotives that the hand allows. Locomotives alone are a colour
of their own. Actions that an edition never has are left out as well. Every full action belongs to one small action;
which full action a small one means depends on the hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from whistlestop.engine import layout as lay
from whistlestop.engine.tables import tables_of
from whistlestop.engine.types import Tables
from whistlestop.envs.kernels.choosing import CHOICES, GRAY_KINDS, NOT_THERE, ChoiceTables
from whistlestop.envs.parts import layout_of
from whistlestop.mapfile import EDITIONS_KEPT, Edition

Ints32 = npt.NDArray[np.int32]


@dataclass(frozen=True)
class ActionSet:
    """The actions that an environment offers: `small` or `full`, with the mapping both ways."""

    edition: Edition
    small: bool
    count: int
    """Size of the set."""
    small_of: Ints32
    """[full action]: the small action it belongs to, or -1 if the edition never has it."""
    first_of: Ints32
    """[small action]: the full action with the fewest locomotives that belongs to it."""

    @property
    def tables(self) -> npt.NDArray[Any]:
        """For kernels: an array of one CHOICES record."""
        return _choice_tables(self.edition, self.small)

    def members(self, small: int) -> list[int]:
        """All full actions that belong to a small one."""
        return np.flatnonzero(self.small_of == small).tolist()

    def parts(self) -> dict[str, Ints32]:
        """What each action is about, for networks that look at tracks and cards one by one; -1 where it is not.

        `track` that is claimed; `colour` that a claim is paid with; `draw`, the card drawn from those face up; `keep`,
        the places of the tickets kept as bits. Cards are numbered as in the observation's `hand`.
        """
        found = {name: np.full(self.count, NOT_THERE, np.int32) for name in ("track", "colour", "draw", "keep")}
        t = tables_of(self.edition)[0]
        full = self.first_of if self.small else np.arange(self.count)
        claims = (full >= lay.CLAIM) & (full < t.station_first)
        found["track"][claims] = t.claim_track[full[claims] - lay.CLAIM]
        found["colour"][claims] = t.claim_colour[full[claims] - lay.CLAIM]
        for name, first, count in (("draw", lay.DRAW_FACE_UP, lay.KINDS), ("keep", lay.KEEP, 1 << lay.MAX_OFFER)):
            these = (full >= first) & (full < first + count)
            found[name][these] = full[these] - first
        return found


def _fixed_actions(edition: Edition) -> list[int]:
    """Actions other than claims and stations that can occur in an edition, extra payments once."""
    t = tables_of(edition)[0]
    most = layout_of(edition).offers
    announced = max((deal.counts[0] for deal in edition.first_tickets if deal.announce), default=0)
    mixed = max(announced, edition.draw_count if t.mixed_draw else 0)
    fixed = [lay.PASS, lay.DRAW_BLIND, *range(lay.DRAW_FACE_UP, lay.DRAW_FACE_UP + lay.KINDS)]
    fixed += range(lay.DRAW_TICKETS, lay.DRAW_TICKETS + mixed + 1)
    fixed += range(lay.KEEP, lay.KEEP + (1 << most))
    if any(track.tunnel for track in edition.board.tracks):
        fixed += [lay.PAY_EXTRA, lay.GIVE_UP]
    if t.places:
        fixed += [lay.TAKE_PASSENGER + colour for colour in range(lay.PASSENGER_COLOURS) if t.bag[colour]]
        fixed.append(lay.TAKE_NONE)
    return fixed


@lru_cache(maxsize=EDITIONS_KEPT)
def _small_tables(edition: Edition) -> npt.NDArray[Any]:
    """The small set of an edition as a CHOICES record."""
    made = np.zeros(1, CHOICES)
    c, t = made[0], tables_of(edition)[0]
    c.small_of[:], c.claim_of[:], c.station_of[:] = NOT_THERE, NOT_THERE, NOT_THERE
    count = 0

    def add(*members: int) -> int:
        nonlocal count
        c.first_of[count] = members[0]
        c.small_of[list(members)] = count
        count += 1
        return count - 1

    for action in _fixed_actions(edition):
        add(*((action + locos for locos in range(lay.TURNED + 1)) if action == lay.PAY_EXTRA else (action,)))
    for offset in range(int(t.claims)):
        track, colour = int(t.claim_track[offset]), int(t.claim_colour[offset])
        if c.claim_of[track, colour] == NOT_THERE:
            c.claim_of[track, colour] = add(lay.CLAIM + offset)
        else:
            c.small_of[lay.CLAIM + offset] = c.claim_of[track, colour]
    for city in range(int(t.cities)) if t.stations else ():
        if int(t.station_cities) >> city & 1:
            first = int(t.station_first) + city * lay.STATION_PAYMENTS
            for colour in range(lay.COLOUR_COUNT):
                members = range(first + colour * lay.MAX_STATIONS, first + (colour + 1) * lay.MAX_STATIONS)
                c.station_of[city, colour] = add(*members)
            c.station_of[city, lay.LOCO] = add(first + lay.ALL_LOCO_STATION)
    _pay_with_any_locomotives(c, t)
    _claims_by_track(c, t)
    c.count, c.small = count, 1
    return made


def _pay_with_any_locomotives(c: ChoiceTables, t: Tables) -> None:
    """Tracks that a colour pays for with some number of locomotives, from those with an exact number."""
    size = lay.MAX_LENGTH + 1
    exact = t.payable.reshape(lay.COLOUR_COUNT, size, size, lay.WORDS)
    c.payable[:] = np.bitwise_or.accumulate(exact, axis=2)


def _claims_by_track(c: ChoiceTables, t: Tables) -> None:
    """What masks are made of: the claims of coloured tracks, and of gray ones by kinds that are paid alike."""
    kinds: dict[tuple[int, int], int] = {}
    for track in range(int(t.tracks)):
        colour, kind = int(t.colour[track]), (int(t.length[track]), int(t.ferry[track]))
        word, place = divmod(track, 64)
        c.loco_claim_of[track] = c.claim_of[track, lay.LOCO]
        if kind[1] == kind[0]:
            continue  # nothing but locomotives pays it
        if colour != lay.NONE:
            c.coloured[word] |= np.uint64(1 << place)
            c.coloured_claim_of[track] = c.claim_of[track, colour]
            continue
        group, c.gray_kind[track] = divmod(kinds.setdefault(kind, len(kinds)), GRAY_KINDS)
        c.gray_tracks[group, word] |= np.uint64(1 << place)
        pays = (c.payable[0, :, :, word] >> np.uint64(place)) & np.uint64(1)
        c.gray_payable[group] |= pays << np.uint64(c.gray_kind[track])
    c.gray_words = -(-len(kinds) // GRAY_KINDS)


@lru_cache(maxsize=EDITIONS_KEPT)
def _choice_tables(edition: Edition, small: bool) -> npt.NDArray[Any]:
    made = _small_tables(edition).copy()
    made[0].small = small
    made.flags.writeable = False
    return made


@lru_cache(maxsize=EDITIONS_KEPT)
def action_set(edition: Edition, small: bool = True) -> ActionSet:
    """The small or the full set of an edition, made once."""
    c, full = _choice_tables(edition, small)[0], int(tables_of(edition)[0].actions)
    count = int(c.count)
    return ActionSet(edition, small, count if small else full, c.small_of[:full].copy(), c.first_of[:count].copy())
