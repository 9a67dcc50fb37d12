"""The parts of an observation: names, shapes and places in the flat row, and the board as constants beside them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from whistlestop.engine.layout import DECKS, KINDS, MAX_PLAYERS, OVER, PASSENGER_COLOURS, PHASES
from whistlestop.engine.tables import tables_of
from whistlestop.envs.kernels.tensors import MOST_SHOWN
from whistlestop.mapfile import CARD_COLOURS, CARDS, EDITIONS_KEPT, GRAY, Edition

Bytes = npt.NDArray[np.uint8]
TRACK_PLANES = (*(f"claimed_by_{seat}" for seat in range(MAX_PLAYERS)), "open", "open_to_me", "asked_about")
CITY_PLANES = tuple(f"station_of_{seat}" for seat in range(MAX_PLAYERS))
PLAYER_COLUMNS = (
    "seated", "points", "trains", "stations_left", "cards", "tickets_deck_0", "tickets_deck_1", "tickets_mixed",
    "offered", "offered_deck_1", "chosen", "to_move", "first_player", *(f"known_{card}" for card in CARDS),
)  # fmt: skip
PHASE_NAMES = (*PHASES[: OVER - 2], "passenger_first_end", "passenger_second_end")
MOMENT_NUMBERS = ("deck", "tunnel_extra", "last_turns", "deal", *(f"tickets_left_{deck}" for deck in range(DECKS)))


@dataclass(frozen=True, slots=True)
class Part:
    """One named part of the row, with what its rows (or entries) are."""

    name: str
    shape: tuple[int, ...]
    names: tuple[str, ...]
    """What stands where along one axis: the first, but for `players` the second."""
    most: tuple[int, ...]
    """The greatest number that each of them can be: divide by it to get 0 to 1."""
    axis: int = 0

    @property
    def size(self) -> int:
        """Entries in the flat row."""
        return math.prod(self.shape)

    def greatest(self) -> npt.NDArray[np.float32]:
        """`most` for every entry of the part, flat."""
        most = np.array(self.most, np.float32)
        column = most if self.axis == len(self.shape) - 1 else most[:, np.newaxis]
        return np.broadcast_to(column, self.shape).reshape(-1)


@dataclass(frozen=True)
class ObservationLayout:
    """Where everything stands in the observations of an edition. The same whatever the number of players."""

    edition: Edition
    parts: tuple[Part, ...]
    size: int
    """Length of a flat observation."""
    offers: int
    """Tickets in the largest offer."""

    def split(self, flat: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """The parts of flat observations by name, without copying; leading axes stay as they are."""
        found, at = {}, 0
        for part in self.parts:
            found[part.name] = flat[..., at : at + part.size].reshape(*flat.shape[:-1], *part.shape)
            at += part.size
        return found

    def join(self, parts: Mapping[str, Bytes]) -> Bytes:
        """Parts as one flat observation again."""
        lead = {part.name: parts[part.name].ndim - len(part.shape) for part in self.parts}
        flat = [parts[name].reshape(*parts[name].shape[:axes], -1) for name, axes in lead.items()]
        return np.concatenate(flat, axis=-1)

    @property
    def scale(self) -> npt.NDArray[np.float32]:
        """What to multiply a flat observation by so that every entry is between 0 and 1."""
        return (1 / np.concatenate([part.greatest() for part in self.parts])).astype(np.float32)

    def board(self) -> dict[str, npt.NDArray[Any]]:
        """The board for graph networks: what never changes.

        `edge_index` (2, tracks): the cities of each track. `track_features` (tracks, 13): length, points, locomotive
        symbols, tunnel, gray, then each colour. `ticket_ends` (2, tickets, cities): which cities are an end of a
        ticket, several for a country. `ticket_points` (tickets). `city_place` (cities): the column of `places` of a
        city, or -1.
        """
        t, board = tables_of(self.edition)[0], self.edition.board
        cities, tickets = len(board.cities), int(t.tickets)
        colours = [[track.colour == colour for colour in (GRAY, *CARD_COLOURS)] for track in board.tracks]
        numbers = [
            [track.length, board.points[track.length], track.ferry, track.tunnel, *row]
            for track, row in zip(board.tracks, colours, strict=True)
        ]
        ends = np.stack([t.ticket_a[:tickets], t.ticket_b[:tickets]])
        city_bits = np.uint64(1) << np.arange(cities, dtype=np.uint64)
        return {
            "edge_index": np.array([[track.a for track in board.tracks], [track.b for track in board.tracks]]),
            "track_features": np.array(numbers, np.float32),
            "ticket_ends": (ends[:, :, np.newaxis] & city_bits != 0).astype(np.uint8),
            "ticket_points": np.array(t.ticket_points[:tickets], np.int64),
            "city_place": np.array(t.city_place[:cities], np.int64) if t.places else np.full(cities, -1),
        }


def _largest_offer(edition: Edition) -> int:
    return max(edition.draw_count, *(sum(deal.counts) for deal in edition.first_tickets))


def _player_most(edition: Edition) -> tuple[int, ...]:
    """The greatest number of each column of a player."""
    cards, tickets = sum(edition_cards(edition)), [len(deck.tickets) for deck in edition.decks]
    return (
        1, MOST_SHOWN, edition.trains, max(1, edition.stations), cards, tickets[0], max(1, *tickets[1:], 1),
        _largest_offer(edition), _largest_offer(edition), _largest_offer(edition), 1, 1, 1, *edition_cards(edition),
    )  # fmt: skip


def edition_cards(edition: Edition) -> tuple[int, ...]:
    """How many cards of each kind there are."""
    return tuple(map(int, tables_of(edition)[0].card_counts))


@lru_cache(maxsize=EDITIONS_KEPT)
def layout_of(edition: Edition) -> ObservationLayout:
    """The layout of an edition's observations, made once."""
    t, cards = tables_of(edition)[0], edition_cards(edition)
    tracks, cities, places, tickets = int(t.tracks), int(t.cities), int(t.places), int(t.tickets)
    offers = _largest_offer(edition)
    bag = tuple(max(1, int(n)) for n in t.bag)
    colours = tuple(f"passengers_{colour}" for colour in range(PASSENGER_COLOURS)) if places else ()
    parts = [Part("tracks", (len(TRACK_PLANES), tracks), TRACK_PLANES, (1,) * len(TRACK_PLANES))]
    if t.stations:
        parts.append(Part("cities", (len(CITY_PLANES), cities), CITY_PLANES, (1,) * len(CITY_PLANES)))
    if places:
        parts.append(Part("places", (PASSENGER_COLOURS, places), colours, bag))
    planes = ("held", "completed", *(f"offer_{place}" for place in range(offers)))
    columns, most = (*PLAYER_COLUMNS, *colours), (*_player_most(edition), *(bag if places else ()))
    parts += [
        Part("tickets", (len(planes), tickets), planes, (1,) * len(planes)),
        Part("players", (MAX_PLAYERS, len(columns)), columns, most, axis=1),
        Part("hand", (KINDS,), CARDS, cards),
        Part("face_up", (KINDS,), CARDS, (5,) * KINDS),
        Part("discard", (KINDS,), CARDS, cards),
        Part("laid", (KINDS,), CARDS, (8,) * KINDS),
        Part("turned", (KINDS,), CARDS, (3,) * KINDS),
        Part("phase", (OVER,), PHASE_NAMES, (1,) * OVER),
        Part("moment", (len(MOMENT_NUMBERS),), MOMENT_NUMBERS, (sum(cards), 3, MAX_PLAYERS, 1, tickets, tickets)),
    ]
    return ObservationLayout(edition, tuple(parts), sum(part.size for part in parts), offers)
