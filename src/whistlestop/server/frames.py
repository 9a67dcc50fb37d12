"""Frames as JSON: one writer a game. What viewers share is written once, and what did not change is not written again.

Frames are what a server makes most, so their JSON is put together from parts, each kept under the very numbers that it
is made of. What a viewer may not know is never in it: all is read from redacted states, and private parts of moves go
to their player only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import orjson

from whistlestop import views
from whistlestop.engine import layout as lay
from whistlestop.game import Game, View
from whistlestop.mapfile import CARDS
from whistlestop.notation import notation_of
from whistlestop.server.narration import MoveReport
from whistlestop.server.options import write_options
from whistlestop.views import Snapshot

_NULL, _TRUE, _FALSE = b"null", b"true", b"false"
_PLAYER = (
    b'{"name":%b,"points":%d,"trains":%d,"stations_left":%d,"stations":%b,"cards":%d,"known":%b,"tickets":%d,'
    b'"tickets_by_deck":%b,"announced":%b,"offered":%d,"passengers":%b,"chosen":%b,"revealed":%b}'
)
_PUBLIC = (
    b'{"edition":%b,"phase":"%b","to_move":%b,"last_round":%b,"face_up":%b,"deck":%d,"discard":%b,"ticket_decks":%b,'
    b'"owners":%b,"closed":%b,"tunnel":%b,"waiting":%b,"players":[%b]'
)
_FRAME = b'{"t":"frame","n":%d,"seat":%b,"view":%b,%b},"options":%b,"moves":%b,"deadline":%b}'
_SPECTATOR = b'"player":null,"hand":{},"tickets":[],"offer":[]'
_PHASES = tuple(phase.encode() for phase in lay.PHASES)


def _own_bytes(name: str, player: int) -> slice:
    """Where a player's row of a field stands in the bytes of a state."""
    kind, first = lay.STATE.fields[name][:2]  # type: ignore[index]
    row = kind.itemsize // lay.MAX_PLAYERS
    return slice(first + row * player, first + row * (player + 1))


_OWN = tuple(
    tuple(_own_bytes(name, player) for name in ("hand", "tickets", "tracks", "offer", "offer_n"))
    for player in range(lay.MAX_PLAYERS)
)
"""Where that stands of which a player's own part of a frame is made."""


class FrameWriter:
    """Writes the frames of one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._notation = notation_of(game.edition)
        self._names = [orjson.dumps(name) for name in game.names]
        self._edition = orjson.dumps(game.edition.id)
        self._state = b""
        """What the game's state was when something was last made of it."""
        self._views: dict[int | None, View] = {}
        self._public = b""
        self._own: dict[int, tuple[bytes, bytes]] = {}
        """For each player the bytes that their part was made of, and the part."""

    def view(self, viewer: int | None) -> View:
        """What a viewer may know now; to be read, not changed, for it is kept until the game goes on."""
        self._look()
        found = self._views.get(viewer)
        if found is None:
            found = self._views[viewer] = self._game.view(viewer)
        return found

    def frame(self, reports: Sequence[MoveReport], viewer: int | None, known: int, deadline: float | None) -> bytes:
        """The game now as a viewer sees it, with the moves after number `known`."""
        self._look()
        game = self._game
        announced, to_move = game.phase != "announce", game.to_move
        if not self._public:
            # any view will do, and that of whoever has to act is needed anyway
            self._public = self._write_public(self.view(to_move[0] if to_move else None))
        return _FRAME % (
            len(game.history),
            _NULL if viewer is None else b"%d" % viewer,
            self._public,
            _SPECTATOR if viewer is None else self._own_part(viewer),
            write_options(self.view(viewer)) if viewer in to_move else _NULL,
            orjson.dumps([report.for_viewer(viewer, announced) for report in reports[known:]]),
            orjson.dumps(deadline),
        )

    def _look(self) -> None:
        """Forget what was made of an earlier state."""
        state = self._game.state_bytes()
        if state != self._state:
            self._state, self._public = state, b""
            self._views.clear()

    # -- what a player alone may know ------------------------------------------------------------------------------
    def _own_part(self, player: int) -> bytes:
        """Hand, tickets and offer, which most actions of others leave as they are."""
        state = self._state
        now = b"".join([state[place] for place in _OWN[player]])
        kept = self._own.get(player)
        if kept is not None and kept[0] == now:
            return kept[1]
        view = self.view(player)
        made = b'"player":%d,"hand":%b,"tickets":%b,"offer":%b' % (
            player,
            _cards(view.snapshot[views.HAND[player]]),
            orjson.dumps([ticket.json() for ticket in view.tickets]),
            orjson.dumps([ticket.json() for ticket in view.offer]),
        )
        self._own[player] = now, made
        return made

    # -- what all may know -----------------------------------------------------------------------------------------
    def _write_public(self, view: View) -> bytes:
        """What all views of a state have in common, as the beginning of an object."""
        state, notation = view.snapshot, self._notation
        phase = state[views.PHASE]
        players = [self._write_player(view, state, player) for player in range(len(self._names))]
        return _PUBLIC % (
            self._edition,
            _PHASES[phase],
            orjson.dumps(views.to_move(state)),
            b"0" if phase == lay.OVER else b"%d" % last if (last := state[views.LAST_TURNS]) else _NULL,
            _face_up(state[views.FACE_UP]),
            state[views.DECK_N],
            _cards(state[views.DISCARD]),
            _named(notation.decks, state[views.TICKET_COUNT]),
            _owners(state[views.TRACKS]),
            _numbers(views.closed(state, len(self._game.edition.board.tracks))),
            orjson.dumps(view.tunnel) if phase == lay.TUNNEL else _NULL,
            orjson.dumps(views.passengers(notation, state)) if notation.passengers else b"{}",
            b",".join(players),
        )

    def _write_player(self, view: View, state: Snapshot, player: int) -> bytes:
        """What everybody knows of a player."""
        notation, phase = self._notation, state[views.PHASE]
        edition, sure = notation.edition, state[views.TICKETS_SURE[player]]
        choosing = phase in views.SIMULTANEOUS
        return _PLAYER % (
            self._names[player],
            state[views.POINTS.start + player],
            state[views.TRAINS.start + player],
            state[views.STATIONS_LEFT.start + player],
            _stations(notation.cities, word) if (word := state[views.STATIONS.start + player]) else b"[]",
            state[views.CARDS_HELD.start + player],
            _cards(state[views.KNOWN[player]]),
            sum(sure) + state[views.TICKETS_MIXED.start + player],
            _named(notation.decks, sure) if edition.ticket_backs_differ else _NULL,
            orjson.dumps(views.announced(notation, state, player)) if phase == lay.FIRST_TICKETS else _NULL,
            state[views.OFFER_N.start + player],
            _some(notation.passengers, state[views.COLLECTED[player]]) if notation.passengers else b"{}",
            _TRUE if choosing and state[views.CHOICE.start + player] != lay.NONE else _FALSE,
            _revealed(view, player) if phase == lay.OVER else _NULL,
        )


def _revealed(view: View, player: int) -> bytes:
    """The tickets of a player, which lie open when the game is over."""
    held = views.tickets_held(notation_of(view.edition), view.states, player)
    return orjson.dumps([ticket.json() for ticket in held])


@lru_cache(maxsize=8192)
def _cards(kinds: tuple[int, ...]) -> bytes:
    """Cards by name, without kinds of which there are none."""
    return orjson.dumps(views.counts(kinds))


@lru_cache(maxsize=4096)
def _face_up(kinds: tuple[int, ...]) -> bytes:
    return orjson.dumps([None if kind == lay.NONE else CARDS[kind] for kind in kinds])


@lru_cache(maxsize=4096)
def _owners(words: tuple[int, ...]) -> bytes:
    return orjson.dumps({str(track): player for track, player in views.owned(words)})


@lru_cache(maxsize=4096)
def _numbers(numbers: tuple[int, ...]) -> bytes:
    return orjson.dumps(numbers)


@lru_cache(maxsize=4096)
def _stations(cities: tuple[str, ...], word: int) -> bytes:
    return orjson.dumps([cities[city] for city in views.bits([word])])


@lru_cache(maxsize=4096)
def _named(names: tuple[str, ...], numbers: tuple[int, ...]) -> bytes:
    """Numbers by name."""
    return orjson.dumps(dict(zip(names, numbers, strict=False)))


@lru_cache(maxsize=4096)
def _some(names: tuple[str, ...], numbers: tuple[int, ...]) -> bytes:
    """Numbers by name, without those that are 0."""
    return orjson.dumps({name: n for name, n in zip(names, numbers, strict=False) if n})
