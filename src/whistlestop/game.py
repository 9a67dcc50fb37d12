"""A game in words: checks, history, views, results, records. The rules are the engine's; nothing here decides one."""

from __future__ import annotations

import operator
import re
import secrets
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.bits import GENERATOR
from whistlestop.engine.hidden import SPECTATOR
from whistlestop.engine.status import BROKEN
from whistlestop.engine.tables import tables_of
from whistlestop.mapfile import MAPS, Edition, MapError, add_pack, load_edition
from whistlestop.notation import (
    CARDS,
    Action,
    IllegalAction,
    InvalidNotation,
    cards_text,
    many,
    match_text,
    notation_of,
    payment,
    shown,
)
from whistlestop.obstacles import Obstacle, barrier, station_barrier
from whistlestop.results import Borrowed, PlayerResult, Result, count
from whistlestop.views import (
    PlayerView,
    StateReader,
    TicketView,
    View,
    copied,
    counts,
    legal_actions,
    owners,
    passengers,
    player_view,
    seated,
    situation_of,
    stations,
    to_move,
)

__all__ = [
    "Action", "Borrowed", "Draft", "Game", "IllegalAction", "ImpossibleOutcome", "InvalidNotation", "Move",
    "PlayerResult", "PlayerView", "Result", "StaleDraft", "TicketView", "View",
]  # fmt: skip

WRITTEN = "written"
"""Name of the chance of a game that goes by written outcomes, as those of a real table."""
_LONGEST_NAME = 80


class ImpossibleOutcome(ValueError):  # noqa: N818  (named for what the reader sees)
    """Written outcomes of chance that cannot have happened; the game is unchanged."""


class StaleDraft(ValueError):  # noqa: N818  (named for what the reader sees)
    """A draft that no longer fits the game; the game is unchanged."""


@dataclass(frozen=True, slots=True)
class Move:
    """An action that was played, and what chance made of it."""

    number: int
    player: int
    action: Action
    outcome: tuple[int, ...] = ()
    """Raw outcomes of chance in order: kinds of cards, or picks of a shuffle."""

    @property
    def shuffles(self) -> bool:
        """Whether the outcome is a shuffle of tickets; otherwise it is cards."""
        return self.action.kind == "keep"

    @property
    def words(self) -> tuple[str, ...]:
        """The outcome in words: cards by name, picks as numbers."""
        return tuple(str(n) if self.shuffles else CARDS[n] for n in self.outcome)

    @property
    def text(self) -> str:
        """The action with its outcome, as records write it."""
        return f"{self.action.text} -> {' '.join(self.words)}" if self.outcome else self.action.text


@dataclass(frozen=True, slots=True)
class Draft:
    """An action that was checked and worked out, but is not part of its game until `Game.commit`."""

    move: Move
    state: bytes = field(repr=False)
    """The whole state after the action, as `Game.state_bytes` gives it."""
    before: bytes = field(repr=False)
    """The whole state that it was drafted on."""
    edition: Edition = field(repr=False)
    written: bool = False
    """Whether the outcome was given by the caller rather than by the game's own chance."""


class Game:
    """A game of an edition: `legal`, `play`, `view`, `result`, `record`, `undo`.

    `edition` is an edition's id, the path of a map file, or an Edition; `packs` are ticket packs, as files or as data.
    `record` is a list of actions to play, as `repr` writes it. Games with the same arguments are the same game.
    """

    def __init__(
        self,
        edition: str | Path | Edition = "usa",
        players: int = 2,
        seed: int | None = None,
        first: int | None = None,
        packs: Sequence[Pack] = (),
        names: Sequence[str] | None = None,
        record: str | None = None,
    ) -> None:
        self._given = edition
        self._packs = (packs,) if isinstance(packs, str | Path | Mapping) else tuple(packs)
        self.edition = _loaded(edition, self._packs)
        doors.check_players(self.edition, players)
        self.players = players
        self.seed = secrets.randbits(63) if seed is None else _checked_seed(seed)
        self.first_set = _checked_first(first, players)
        self.names = _checked_names(names, players)
        self.generator = GENERATOR
        """Name of the chance stream that the outcomes come from."""
        self.history: list[Move] = []
        """Every action played so far."""
        self._before: list[tuple[bytes, str]] = []
        """State and generator before each action of the history."""
        self._states = doors.scratch()[0]
        self._prepare()
        states, self.setup = self._chance(self._begin)
        """Raw outcomes of the setup: first player if drawn, ticket shuffles, cards, passengers."""
        self._restore(states.tobytes())
        if record is not None:
            self._replay(record)

    def _prepare(self) -> None:
        """What every game of the edition shares."""
        self._tables = tables_of(self.edition)
        self._words = notation_of(self.edition)
        self._state = StateReader(self._states)

    def _begin(self, states: doors.Array, log: doors.Array) -> None:
        first = lay.NONE if self.first_set is None else self.first_set
        doors.new_game(states, 0, self._tables, self.players, first, np.uint64(self.seed), log)

    def set_up(self, outcomes: Sequence[int], generator: str = WRITTEN) -> None:
        """Set the game up anew from written outcomes instead of the seed's, before anything is played."""
        if self.history:
            raise IllegalAction("cannot set up: the game is under way")
        states, self.setup = self._chance(self._begin, outcomes)
        self._restore(states.tobytes())
        self.generator = generator

    def _replay(self, record: str) -> None:
        """Play the moves that `repr` writes."""
        from whistlestop.record import RecordError

        for number, text in enumerate(filter(None, re.split(r"\s*;\s*(?=P\d+: )|;?\s*$", record)), 1):
            match = re.fullmatch(r"\s*P(\d): (.*)", text, re.DOTALL)
            if not match:
                raise RecordError(
                    f"record move {number}: {shown(text)} is no move\nhint: a move looks like: P2: draw blind"
                )
            try:
                self.play(match[2], player=int(match[1]) - 1)
            except ValueError as error:
                raise RecordError(f"record move {number}: {error}") from error

    def _chance(
        self, act: Callable[[doors.Array, doors.Array], object], script: Sequence[int] | None = None
    ) -> tuple[doors.Array, tuple[int, ...]]:
        """Run `act(states, log)` on a copy of the state, by the game's own chance or a script; the copy and the outcomes."""
        if script is not None and not all(0 <= outcome < lay.MAX_TICKETS for outcome in script):
            raise ImpossibleOutcome("no outcome of chance is such a number")
        size = 512 if script is None else len(script) + 1
        while True:
            states, log = copied(self._states), doors.new_log(size)
            if script is not None:
                log[lay.LOG_SCRIPTED] = len(script) + 1
                log[lay.LOG_FIRST : lay.LOG_FIRST + len(script)] = script
            act(states, log)
            n = int(log[lay.LOG_COUNT])
            if script is not None and (log[lay.LOG_SCRIPTED] == lay.BAD_SCRIPT or n != len(script)):
                raise ImpossibleOutcome("these outcomes of chance are impossible here, or not all there")
            if n <= size:
                return states, tuple(log[lay.LOG_FIRST : lay.LOG_FIRST + n].tolist())
            size = n  # the log was too short: once more, with room enough

    def _restore(self, state: bytes) -> None:
        self._states.view(np.uint8)[:] = np.frombuffer(state, np.uint8)

    # -- what is going on ------------------------------------------------------------------------------------------
    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return int(self._states["phase"][0]) == lay.OVER

    @property
    def phase(self) -> str:
        """What is to be done now: announce, first_tickets, turn, second_card, tickets, tunnel, passenger or over."""
        return lay.PHASES[int(self._states["phase"][0])]

    @property
    def to_move(self) -> tuple[int, ...]:
        """Players who may act now: several during the first choices, none at the end."""
        return to_move(self._state)

    @property
    def first(self) -> int:
        """The player who has the first turn."""
        return int(self._states["first"][0])

    def owners(self) -> dict[int, int]:
        """Claimed tracks and who has them."""
        return owners(self._state)

    def stations(self) -> dict[str, int]:
        """Cities with a station, and whose it is."""
        return stations(self._words, self._state)

    def passengers(self) -> dict[str, tuple[str, ...]]:
        """Passengers waiting at each place."""
        return passengers(self._words, self._state)

    def status(self) -> list[str]:
        """Broken invariants; an empty list for a sound game."""
        broken = doors.status(self._states, 0, self._tables, np.zeros(self._words.actions, np.int64))
        return [text for i, text in enumerate(BROKEN) if broken >> i & 1]

    def state_bytes(self) -> bytes:
        """The whole state, secrets and chance stream included, to compare, hash or keep for an undo."""
        return self._states.tobytes()

    # -- acting ----------------------------------------------------------------------------------------------------
    def legal(self, player: int | None = None) -> list[Action]:
        """The actions open to the player to move, or to `player`; none for a player who may not act now."""
        movers = self.to_move
        acting = self._seat(player) if player is not None else movers[0] if movers else None
        return legal_actions(self.edition, self._states, acting) if acting in movers and acting is not None else []

    def play(self, action: Action | int | str, player: int | None = None, outcome: Sequence[int] | None = None) -> Move:
        """Play an action given as an `Action`, its id or its text. An illegal one raises IllegalAction and changes nothing.

        `outcome` gives what chance made of it, as at a real table; the game then goes by written outcomes.
        """
        return self.commit(self.draft(action, player, outcome))

    def draft(
        self, action: Action | int | str, player: int | None = None, outcome: Sequence[int] | None = None
    ) -> Draft:
        """Check an action and work out what comes of it, as `play` would; the game does not change.

        What the action and chance bring about is in the draft. `commit` makes it part of the game.
        """
        acting = self._acting(player, action)
        found = self.find(action, acting)

        def act(states: doors.Array, log: doors.Array) -> None:
            doors.take_seat(states, 0, acting)
            doors.step(states, 0, self._tables, found.id, log)

        before = self._states.tobytes()
        states, drawn = self._chance(act, outcome)
        move = Move(len(self.history) + 1, acting, found, drawn)
        return Draft(move, states.tobytes(), before, self.edition, bool(outcome))

    def commit(self, draft: Draft) -> Move:
        """Make a draft part of the game; one of another game or of an earlier position raises StaleDraft."""
        if not isinstance(draft, Draft):
            raise TypeError(f"only a draft can be committed, not {type(draft).__name__}")
        move = draft.move
        if draft.edition is not self.edition and draft.edition != self.edition:
            raise StaleDraft(f"cannot {move.action.text}: it was drafted in another game")
        if move.number != len(self.history) + 1 or draft.before != self._states.tobytes():
            raise StaleDraft(f"cannot {move.action.text}: the game is no longer where it was drafted")
        self._before.append((draft.before, self.generator))
        self.history.append(move)
        if draft.written and self.generator == GENERATOR:
            self.generator = WRITTEN
        self._restore(draft.state)
        return move

    def undo(self) -> Move:
        """Take the last action back, chance included, and return it: for analysis at home, not for a table."""
        if not self.history:
            raise IllegalAction("cannot undo: nothing has been played")
        before, self.generator = self._before.pop()
        self._restore(before)
        return self.history.pop()

    def at(self, number: int) -> Game:
        """The game as it was after so many actions: a copy, to look at or to go on from."""
        if not 0 <= number <= len(self.history):
            raise ValueError(f"there is no action {_number(number)}: {many(len(self.history), 'action')} played")
        copy = self.__copy__()
        if number < len(self.history):
            before, copy.generator = self._before[number]
            copy._restore(before)
            del copy.history[number:], copy._before[number:]
        return copy

    def find(self, action: Action | int | str, player: int | None = None) -> Action:
        """The legal action that an id or a text means, or an error that says why it is none."""
        acting = self._acting(player, action)
        if isinstance(action, str):
            return self._find_text(action, acting)
        number = action.id if isinstance(action, Action) else int(action)
        states = seated(self._states, acting)
        if not doors.is_legal(states, 0, self._tables, max(-1, min(number, self._words.actions))):
            raise IllegalAction(self._why_not(number, acting))
        found = self._words.action(number, situation_of(self.edition, StateReader(states), acting))
        if isinstance(action, Action) and action.text != found.text:
            raise IllegalAction(
                f"cannot {action.text}: it comes from another moment or another game\nhint: take actions from game.legal()"
            )
        return found

    def _seat(self, player: int) -> int:
        """A player's number, checked."""
        try:
            seat = operator.index(player)
        except TypeError:
            raise TypeError(f"a player is a number from 0 to {self.players - 1}, not {type(player).__name__}") from None
        if not 0 <= seat < self.players:
            raise ValueError(f"there is no player {_number(seat)}: the players are 0 to {self.players - 1}")
        return seat

    def _acting(self, player: int | None, action: Action | int | str) -> int:
        """The player who acts: the one given, or the first who may; an error says why there is none."""
        if isinstance(action, bool | np.bool_) or not isinstance(action, Action | int | str | np.integer):
            raise TypeError(f"an action is an Action, an id or a text, not {type(action).__name__}")
        movers = self.to_move
        seat = None if player is None else self._seat(player)
        if movers and (seat is None or seat in movers):
            return movers[0] if seat is None else seat
        cannot = f"cannot {_what(action)}"
        if not movers:
            raise IllegalAction(f"{cannot}: the game is over")
        assert seat is not None
        if self.phase in ("announce", "first_tickets"):
            raise IllegalAction(
                f"{cannot}: {self.names[seat]} has chosen already; {self._named(movers)} still to choose"
            )
        raise IllegalAction(f"{cannot}: it is the turn of {self._named(movers)}, not of {self.names[seat]}")

    def _named(self, players: Sequence[int]) -> str:
        return ", ".join(self.names[p] for p in players)

    def _find_text(self, text: str, player: int) -> Action:
        """The legal action of a text; parallel tracks of one price are as good as each other, so the first is taken."""
        legal = legal_actions(self.edition, self._states, player)
        few = [action for action in legal if action.kind not in ("claim", "station")]
        if found := next((action for action in legal if action.text == text), None) or (
            len(text) < 1000 and match_text(text, few)
        ):
            return found
        meant = self._meant(text, player, legal)
        possible = [action for action in legal if action.id in meant]
        ways = {_way(action) for action in possible}
        if len(ways) == 1:
            return possible[0]
        if ways:
            texts = "; ".join(action.text for action in possible[:6])
            raise InvalidNotation(f"{shown(text)} can be done in {len(ways)} ways\nhint: say which, as in: {texts}")
        raise IllegalAction(self._why_none(sorted(meant), player))

    def _meant(self, text: str, player: int, legal: list[Action]) -> set[int]:
        """Actions that a text can mean; to what was not understood at all, something possible now is added as a hint."""
        try:
            return set(self._words.meant(text, situation_of(self.edition, self._state, player)))
        except InvalidNotation as error:
            if "hint:" in str(error) or not legal:
                raise
            raise InvalidNotation(f"{error}\nhint: an action now is, for example: {legal[0].text}") from None
        except IllegalAction as error:
            if "hint:" in str(error) or self.phase == "turn":
                raise
            raise IllegalAction(f"{error}\nhint: {_options(legal)}") from None

    # -- why not ---------------------------------------------------------------------------------------------------
    def _why_none(self, meant: list[int], player: int) -> str:
        """Why none of the actions that a text can mean is legal: of parallel tracks, the one nearest to being possible tells."""
        if not all(lay.CLAIM <= action < self._words.station_first for action in meant):
            return self._why_not(meant[0], player)
        free = [a for a in meant if self.phase != "turn" or not self._barrier(self._words.claim(a)[0], player)]
        action = (free or meant)[0]
        tracks = {self._words.claim(a)[0] for a in (free or meant)}
        if self.phase == "turn" and free and len(meant) > len(tracks):  # no payment was named
            track = self._words.claim(action)[0]
            hand = cards_text(counts(self._state.hand[player]).items()) or "no cards"
            return f"cannot claim {self._words.route_of(track)}: it takes {self._words.price(track)}, you hold {hand}"
        return self._why_not(action, player)

    def _why_not(self, action: int, player: int) -> str:
        """A sentence for a player: why an action with this number is not legal now."""
        if not 0 <= action < self._words.actions:
            return f"there is no action {_number(action)}: this edition's are 0 to {self._words.actions - 1}"
        state = StateReader(seated(self._states, player))
        found = self._words.action(action, situation_of(self.edition, state, player))
        reasons: dict[str, Callable[[], str]] = {
            "claim": lambda: self._why_no_claim(action, player),
            "station": lambda: self._why_no_station(action, player),
            "draw_face_up": lambda: _why_no_card(state, action - lay.DRAW_FACE_UP),
            "draw_blind": lambda: "no card is left in the deck or the discards",
            "draw_tickets": lambda: self._why_no_tickets(action),
            "announce": lambda: "the decks do not hold that mix",
            "keep": lambda: self._why_not_kept(state, action, player),
            "pay_extra": lambda: self._why_no_extra(state, action, player),
            "take_passenger": lambda: "no such passenger waits there",
            "pass": lambda: "there is something else you can do",
        }
        if found.kind not in _KINDS[int(state.phase)]:
            return f"cannot {_named_kind(found)}: {_ASKED[int(state.phase)]}\nhint: {_options(self.legal(player))}"
        return f"cannot {found.text}: {reasons[found.kind]()}"

    def _barrier(self, track: int, player: int) -> str | None:
        """Why a player cannot have a track whatever cards are paid, or None."""
        found = barrier(self.edition, self._state, track, player)
        return None if found is None else self._in_words(found)

    def _in_words(self, found: Obstacle) -> str:
        """An obstacle of a track or a station as the end of a sentence."""
        who = "" if found.owner is None else self.names[found.owner] + " has"
        return {
            "yours": "you have claimed that track",
            "owned": f"{who} claimed that track",
            "closed": f"with {self.players} players only one track of this route can be used, and it is taken",
            "parallel": "you own a parallel track of this route",
            "trains": f"needs {many(found.needs or 0, 'train')}, you have {found.have}",
            "no_station": "you have no station left",
            "station_taken": f"{who} a station there",
        }[found.code]

    def _why_no_claim(self, action: int, player: int) -> str:
        track, colour, locos = self._words.claim(action)
        if barrier := self._barrier(track, player):
            return barrier
        return _lacking(self._state.hand[player], colour, self.edition.board.tracks[track].length - locos, locos)

    def _why_no_station(self, action: int, player: int) -> str:
        state = self._state
        city, cards = self._words.station(action, int(state.stations[player]).bit_count() + 1)
        if found := station_barrier(self.edition, state, city, player):
            if found.code == "border":
                return f"{self._words.cities[city]} is a border space, stations stand in cities"
            return "you have a station there" if found.owner == player else self._in_words(found)
        paid = dict(cards)
        locos = paid.pop(CARDS[lay.LOCO], 0)
        colour = CARDS.index(next(iter(paid))) if paid else lay.LOCO
        return _lacking(state.hand[player], colour, sum(paid.values()), locos)

    def _why_no_tickets(self, action: int) -> str:
        left = dict(zip(self._words.decks, self._state.ticket_count.tolist(), strict=False))
        if not any(left.values()):
            return "no tickets are left"
        if not self._words.mixed_draw:
            return f"there is one deck to draw from, and action {lay.DRAW_TICKETS} draws from it, not {action}"
        return f"the decks do not hold that mix: {', '.join(f'{n} {deck}' for deck, n in left.items())}"

    def _why_not_kept(self, state: StateReader, action: int, player: int) -> str:
        sizes = [len(dict(found.parts)["kept"]) for found in self.legal(player)]
        least, most, offered = min(sizes), max(sizes), int(state.offer_n[player])
        if (action - lay.KEEP) >> offered:
            return f"there are only {offered} to choose from"
        return (
            f"keep at least {least} of the {offered}" if most == offered else f"keep {least} to {most} of the {offered}"
        )

    def _why_no_extra(self, state: StateReader, action: int, player: int) -> str:
        locos = action - lay.PAY_EXTRA
        if locos > int(state.extra):
            return f"the tunnel asks for {many(int(state.extra), 'card')} more"
        return _lacking(state.hand[player], int(state.laid_colour), int(state.extra) - locos, locos)

    # -- what players may know -------------------------------------------------------------------------------------
    def view(self, player: int | None) -> View:
        """What a player may know, and no more; None for a spectator."""
        viewer = SPECTATOR if player is None else self._seat(player)
        states = copied(self._states)
        doors.redact(states, 0, self._tables, viewer)
        return View(self.edition, states, viewer, self.names)

    # -- the end ---------------------------------------------------------------------------------------------------
    def result(self) -> Result:
        """Points by source for each player and who wins; only when the game is over."""
        if not self.over:
            raise IllegalAction(f"there is no result: the game is not over, {self._named(self.to_move)} to move")
        return count(self.edition, self._states, self.names)

    # -- records, copies, words ------------------------------------------------------------------------------------
    @property
    def source(self) -> str:
        """What the edition is loaded by: its id, or its map file and id."""
        if not isinstance(self._given, Edition):
            return str(self._given)
        board = self._given.board
        shipped = board.path is None or board.path.parent == MAPS
        return self._given.id if shipped else f"{board.path}:{self._given.id}"

    def record(self) -> str:
        """The game so far as text that people can read and `Game.from_record` plays again."""
        from whistlestop.record import write

        return write(self)

    @classmethod
    def from_record(cls, text: str | bytes, edition: str | Path | Edition | None = None) -> Game:
        """The game of a record. `edition` replaces the one named in it, where a map file has moved."""
        from whistlestop.record import read

        return read(text, edition)

    def __copy__(self) -> Game:
        copy = object.__new__(Game)
        copy.__dict__.update(self.__dict__)
        copy._states = copied(self._states)
        copy.history, copy._before = self.history.copy(), self._before.copy()
        copy._prepare()
        return copy

    def __deepcopy__(self, _memo: dict[int, Any]) -> Game:
        return self.__copy__()  # everything that is shared cannot be changed

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_tables", "_words", "_state")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()

    def __repr__(self) -> str:
        if not self._rebuildable():
            return f"<Game of {self.edition.name}: {self.players} players, seed {self.seed}, {many(len(self.history), 'action')} played>"
        if self.generator != GENERATOR:
            return f"Game.from_record({self.record()!r})"
        packs = tuple(
            dict(pack) if isinstance(pack, Mapping) else str(pack) for pack in self._packs or packs_of(self.edition)
        )
        moves = "; ".join(f"P{move.player + 1}: {move.action.text}" for move in self.history)
        parts = [repr(self.source), f"players={self.players}", f"seed={self.seed}"]
        parts += [f"first={self.first_set}"] if self.first_set is not None else []
        parts += [f"packs={packs!r}"] if packs else []
        parts += [f"names={self.names!r}"] if self.names != _checked_names(None, self.players) else []
        parts += [f"record={moves!r}"] if moves else []
        return f"Game({', '.join(parts)})"

    def _rebuildable(self) -> bool:
        """Whether the edition can be loaded again by name."""
        if not isinstance(self._given, Edition):
            return True
        try:
            return _loaded(self.source, packs_of(self._given)) == self._given
        except MapError:
            return False

    def __str__(self) -> str:
        players = [player_view(self._words, self._state, i, name) for i, name in enumerate(self.names)]
        width = max(len(name) for name in self.names)
        doing = (
            "the game is over"
            if self.over
            else f"{self._named(self.to_move)} to move ({_DOING[int(self._states['phase'][0])]})"
        )
        lines = [f"{self.edition.name}, {self.players} players, {many(len(self.history), 'action')} played: {doing}"]
        for p in players:
            built = f", {many(len(p.stations), 'station')}" if p.stations else ""
            picked = f", {many(sum(p.passengers.values()), 'passenger')}" if p.passengers else ""
            held = f"{many(p.trains, 'train')}, {many(p.cards, 'card')}, {many(p.tickets, 'ticket')}"
            lines.append(f"  {p.name.ljust(width)}  {many(p.points, 'point')}, {held}{built}{picked}")
        return "\n".join(lines)


# ---- phases in words ------------------------------------------------------------------------------------------------
_KINDS = {
    lay.ANNOUNCE: ("announce",),
    lay.FIRST_TICKETS: ("keep",),
    lay.TURN: ("claim", "station", "draw_face_up", "draw_blind", "draw_tickets", "pass"),
    lay.SECOND_CARD: ("draw_face_up", "draw_blind"),
    lay.TICKETS: ("keep",),
    lay.TUNNEL: ("pay_extra", "give_up"),
    lay.PASSENGER_A: ("take_passenger",),
    lay.PASSENGER_B: ("take_passenger",),
}
"""Kinds of action that each phase asks for."""
_ASKED = {
    lay.ANNOUNCE: "the first tickets are being announced",
    lay.FIRST_TICKETS: "the first tickets are being chosen",
    lay.TURN: "nothing asks for it now",
    lay.SECOND_CARD: "one card is drawn, a second must follow",
    lay.TICKETS: "tickets are being chosen",
    lay.TUNNEL: "the tunnel wants an answer",
    lay.PASSENGER_A: "a passenger is being picked",
    lay.PASSENGER_B: "a passenger is being picked",
}
_DOING = {
    lay.ANNOUNCE: "announcing tickets",
    lay.FIRST_TICKETS: "choosing the first tickets",
    lay.TURN: "a turn",
    lay.SECOND_CARD: "the second card",
    lay.TICKETS: "choosing tickets",
    lay.TUNNEL: "answering a tunnel",
    lay.PASSENGER_A: "picking a passenger",
    lay.PASSENGER_B: "picking a passenger",
}


def _way(action: Action) -> tuple[object, ...]:
    """What tells an action from others that a text can mean: everything but which of parallel tracks it takes."""
    parts = dict(action.parts)
    return (
        action.kind,
        frozenset((parts.get("from"), parts.get("to"))),
        parts.get("city"),
        parts.get("cards"),
        parts.get("mix"),
    )


def _named_kind(action: Action) -> str:
    """The action in words; where its words depend on what is asked, only its kind."""
    vague = {
        "keep": "keep tickets",
        "pay_extra": "pay",
        "take_passenger": "take a passenger",
        "announce": "announce tickets",
    }
    return vague.get(action.kind, action.text)


def _options(legal: Sequence[Action]) -> str:
    return f"you can {'; '.join(action.text for action in legal[:4])}{' …' if len(legal) > 4 else ''}"


def _why_no_card(state: StateReader, kind: int) -> str:
    lying = [CARDS[k] for k in state.face_up.tolist() if k != lay.NONE]
    if CARDS[kind] in lying:  # only a locomotive can lie there and not be taken (DRAW-4)
        return "a face-up locomotive cannot be the second card"
    return f"no {CARDS[kind]} lies face up, there {'is' if len(lying) == 1 else 'are'} {', '.join(lying) or 'none'}"


def _lacking(hand: Any, colour: int, plain: int, locos: int) -> str:
    """What a payment needs and what the hand holds of it."""
    held, wild = (0 if colour == lay.LOCO else int(hand[colour])), int(hand[lay.LOCO])
    needed = cards_text(payment(colour, plain, locos))
    if colour == lay.LOCO or not plain:
        return f"needs {needed}, you hold {wild}"
    if not locos:
        return f"needs {needed}, you hold {held} (+{many(wild, 'locomotive')})"
    return f"needs {needed}, you hold {held} {CARDS[colour]}, {many(wild, 'locomotive')}"


def _what(action: Action | int | str) -> str:
    """An action as a message names it before it is known to be one."""
    if isinstance(action, Action):
        return action.text
    return f"play action {_number(action)}" if not isinstance(action, str) else f"play {shown(action)}"


def _number(number: int) -> str:
    return str(number) if abs(int(number)) < 10**18 else "of so many digits"


# ---- what a game is made from ---------------------------------------------------------------------------------------
Pack = str | Path | Mapping[str, Any]
"""A ticket pack: its file, or what stands in it."""


def _loaded(edition: str | Path | Edition, packs: Sequence[Pack]) -> Edition:
    if isinstance(edition, Edition):
        if packs:
            raise ValueError("packs are added when an edition is loaded: load_edition(name, packs)")
        return edition
    if not isinstance(edition, str | Path):
        raise TypeError(f"an edition is an id, the path of a map file or an Edition, not {type(edition).__name__}")
    found = load_edition(edition, [pack for pack in packs if not isinstance(pack, Mapping)])
    for pack in packs:
        if isinstance(pack, Mapping):
            found = add_pack(found, dict(pack))
    return found


def packs_of(edition: Edition) -> tuple[dict[str, Any], ...]:
    """The packs that were added to an edition as data, with all their tickets."""
    added = [ticket for deck in edition.decks for ticket in deck.tickets if ticket not in edition.board.tickets]
    return tuple(
        {
            "name": pack,
            "tickets": [{"from": t.a, "to": t.b, "points": t.points, "kind": t.kind} for t in added if t.set == pack],
        }
        for pack in edition.packs
    )


def _checked_seed(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**64:
        raise ValueError(f"a seed is a whole number from 0 to 2**64 - 1, not {_value(seed)}")
    return int(seed)


def _checked_first(first: int | None, players: int) -> int | None:
    if first is None:
        return None
    if isinstance(first, bool) or not isinstance(first, int | np.integer) or not 0 <= first < players:
        raise ValueError(f"the first player is one of 0 to {players - 1}, not {_value(first)}")
    return int(first)


def _value(value: object) -> str:
    return f"a number {_number(value)}" if isinstance(value, int) and abs(value) >= 10**18 else repr(value)


def _checked_names(names: Sequence[str] | None, players: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"Player {i + 1}" for i in range(players))
    if isinstance(names, str) or len(names) != players:
        raise ValueError(f"{players} players need {players} names, not {names!r}")
    for name in names:
        check_name(name)
    return tuple(names)


def check_name(name: str) -> None:
    """Refuse what cannot be a player's name."""
    if not isinstance(name, str):
        raise TypeError(f"a player's name is text, not {type(name).__name__}")
    if not name.strip() or len(name) > _LONGEST_NAME or not all(map(is_writable, name)):
        raise ValueError(f"a player's name is 1 to {_LONGEST_NAME} characters on one line, not {shown(name)}")


def is_writable(character: str) -> bool:
    """Whether a character may stand in a name or in chat: no control characters, line ends or half characters; emoji may be joined."""
    return (
        unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp")
        or character == "\N{ZERO WIDTH JOINER}"
    )
