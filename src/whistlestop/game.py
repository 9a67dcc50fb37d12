"""A game in words: checks, history, views, results, records. The rules are the engine's; nothing here decides one."""

from __future__ import annotations

import operator
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from whistlestop import rich_display
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.bits import QUICK_SEED_BITS, SEED_BITS, generator_of
from whistlestop.engine.hidden import SPECTATOR
from whistlestop.engine.status import BROKEN
from whistlestop.engine.tables import tables_of
from whistlestop.errors import (
    IllegalAction,
    ImpossibleOutcome,
    InvalidNotation,
    MapError,
    RecordError,
    StaleDraft,
    WhistlestopError,
)
from whistlestop.explain import PHASE_TEXTS, Explainer, action_text, number_text, options
from whistlestop.mapfile import CARDS, MAPS, Edition, add_pack, digest, load_edition
from whistlestop.names import check_name
from whistlestop.notation import Action, match_text, notation_of
from whistlestop.outcomes import Outcomes, parse_outcomes, run
from whistlestop.positions import Oddity, Position, put_position
from whistlestop.record import (
    ARROW,
    Record,
    RecordedMove,
    outcome_named,
    outcome_numbered,
    parse_record,
    record_error,
    record_text,
)
from whistlestop.results import Borrowed, PlayerResult, Result, count
from whistlestop.spelling import many, shown
from whistlestop.views import (
    PlayerView,
    TicketView,
    View,
    copied,
    legal_actions,
    movers,
    owners,
    passengers,
    player_view,
    seated,
    situation_of,
    snapshot,
    stations,
)

__all__ = [
    "Action", "Borrowed", "Draft", "Game", "IllegalAction", "ImpossibleOutcome", "InvalidNotation", "Move",
    "PlayerResult", "PlayerView", "Result", "StaleDraft", "TicketView", "View",
]  # fmt: skip

_PHASE, _PLAYER, _CHOICE = (lay.STATE.fields[name][1] for name in ("phase", "player", "choice"))  # type: ignore[index]
"""Where these bytes stand in a state."""
WRITTEN = "written"
"""Name of the chance of a game that goes by written outcomes, as those of a real table."""


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
        return f"{self.action.text}{ARROW}{' '.join(self.words)}" if self.outcome else self.action.text


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
        self.edition.check_players(players)
        self.players = players
        self.seed = secrets.randbits(63) if seed is None else _checked_seed(seed)
        self.first_set = _checked_first(first, players)
        self.names = _checked_names(names, players)
        self.generator = generator_of(self.seed)
        """Name of the chance stream that the outcomes come from."""
        self._by_hand = False
        self.oddities: tuple[Oddity, ...] = ()
        """What no game comes to in a position that was set up by hand all the same; such a game can only be counted."""
        self.history: list[Move] = []
        """Every action played so far."""
        self._before: list[tuple[bytes, str]] = []
        """State and generator before each action of the history."""
        self._states = doors.scratch()[0]
        self._prepare()
        states, self.setup = run(self._begin, self.state_bytes())
        """Raw outcomes of the setup: first player if drawn, ticket shuffles, cards, passengers."""
        self._restore(states.tobytes())
        if record is not None:
            self._replay(record)

    def _prepare(self) -> None:
        """What every game of the edition shares."""
        self._tables = tables_of(self.edition)
        self._notation = notation_of(self.edition)
        self._bytes = memoryview(self._states.view(np.uint8))  # type: ignore[arg-type]
        self._now = self._bytes.cast("b")
        """The same bytes with their signs: the quickest way to read one of them."""

    def _begin(self, states: doors.Array, log: doors.Array) -> None:
        first = lay.NONE if self.first_set is None else self.first_set
        doors.new_game(states, 0, self._tables, self.players, first, doors.seed_words(self.seed), log)

    @classmethod
    def position(
        cls,
        edition: str | Path | Edition = "usa",
        players: int = 2,
        *,
        names: Sequence[str] | None = None,
        seed: int = 0,
        **what: Any,
    ) -> Game:
        """A game in the middle of play, set up by hand: the fields of `Position` say what lies where, in words.

        What is not given is put where it disturbs least, so that every card, ticket and passenger is there once:
        `Game.position("europe", hands={0: "3 purple"}, tracks={1: ["Paris–Zürich"]}, to_move=0)`. Such a game can be
        played, shown and drawn, but not recorded.
        """
        unknown = set(what) - {entry.name for entry in fields(Position)}
        if unknown:
            known = ", ".join(entry.name for entry in fields(Position))
            raise TypeError(f"a position has no {', '.join(sorted(unknown))}; it has {known}")
        game = cls(edition, players, seed, first=0, names=names)
        states = copied(game._states)
        game.oddities = put_position(states, game.edition, Position(**what))
        game._restore(states.tobytes())
        game._by_hand = True
        if not what.get("odd") and (broken := game.status()):
            raise WhistlestopError(
                f"this position cannot be: {'; '.join(broken)}", "see `Position` for what goes where"
            )
        return game

    def set_up(self, outcomes: Sequence[int], generator: str = WRITTEN) -> None:
        """Set the game up anew from written outcomes instead of the seed's, before anything is played."""
        if self.history:
            raise IllegalAction("cannot set up: the game is under way")
        if self._by_hand:
            raise IllegalAction("cannot set up: the position was set up by hand")
        states, self.setup = run(self._begin, self.state_bytes(), parse_outcomes(outcomes, ()))
        self._restore(states.tobytes())
        self.generator = generator

    @property
    def _by_seed(self) -> bool:
        """Whether all outcomes came from the seed's own stream, so that it gives them again."""
        return self.generator == generator_of(self.seed)

    def _replay(self, record: str) -> None:
        """Play the moves that `repr` writes."""
        for number, text in enumerate(filter(None, re.split(r"\s*;\s*(?=P\d+: )|;?\s*$", record)), 1):
            match = re.fullmatch(r"\s*P(\d): (.*)", text, re.DOTALL)
            if not match:
                raise RecordError(
                    f"record move {number}: {shown(text)} is no move", "a move looks like: P2: draw blind"
                )
            try:
                self.play(match[2], player=int(match[1]) - 1)
            except WhistlestopError as error:
                raise RecordError(f"record move {number}: {error.message}", error.hint) from error

    def _restore(self, state: bytes) -> None:
        self._bytes[:] = state

    # -- what is going on ------------------------------------------------------------------------------------------
    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._now[_PHASE] == lay.OVER

    @property
    def phase(self) -> str:
        """What is to be done now: announce, first_tickets, turn, second_card, tickets, tunnel, passenger or over."""
        return lay.PHASES[self._now[_PHASE]]

    @property
    def to_move(self) -> tuple[int, ...]:
        """Players who may act now: several during the first choices, none at the end."""
        now = self._now
        return movers(now[_PHASE], now[_PLAYER], now[_CHOICE : _CHOICE + self.players])

    @property
    def first(self) -> int:
        """The player who has the first turn."""
        return int(self._states["first"][0])

    def owners(self) -> dict[int, int]:
        """Claimed tracks and who has them."""
        return owners(snapshot(self._states))

    def stations(self) -> dict[str, int]:
        """Cities with a station, and whose it is."""
        return stations(self._notation, snapshot(self._states))

    def passengers(self) -> dict[str, tuple[str, ...]]:
        """Passengers waiting at each place."""
        return passengers(self._notation, snapshot(self._states))

    def status(self) -> list[str]:
        """Broken invariants; an empty list for a sound game."""
        broken = doors.status(self._states, 0, self._tables, np.zeros(self._notation.actions, np.int64))
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

    def play(self, action: Action | int | str, player: int | None = None, outcome: Outcomes | None = None) -> Move:
        """Play an action given as an `Action`, its id or its text; an illegal one raises and changes nothing.

        `outcome` gives what chance made of it, as at a real table: cards by name or number, in order, or the picks of a
        shuffle. The game then goes by written outcomes.
        """
        return self.commit(self.draft(action, player, outcome))

    def draft(self, action: Action | int | str, player: int | None = None, outcome: Outcomes | None = None) -> Draft:
        """Check an action and work out what comes of it, as `play` would; the game does not change.

        What the action and chance bring about is in the draft. `commit` makes it part of the game.
        """
        before, number = self._states.tobytes(), len(self.history) + 1
        acting = self._acting(player, action)
        found = self._find(action, acting)

        def act(states: doors.Array, log: doors.Array) -> None:
            doors.take_seat(states, 0, acting)
            doors.step(states, 0, self._tables, found.id, log)

        names = () if found.kind == "keep" else CARDS
        script = None if outcome is None else parse_outcomes(outcome, names)
        states, drawn = run(act, before, script, names)
        move = Move(number, acting, found, drawn)
        return Draft(move, states.tobytes(), before, self.edition, bool(script))

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
        if draft.written and self._by_seed:
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
            raise WhistlestopError(
                f"there is no action {number_text(number)}: {many(len(self.history), 'action')} played"
            )
        copy = self.__copy__()
        if number < len(self.history):
            before, copy.generator = self._before[number]
            copy._restore(before)
            del copy.history[number:], copy._before[number:]
        return copy

    def find(self, action: Action | int | str, player: int | None = None) -> Action:
        """The legal action that an id or a text means, or an error that says why it is none."""
        return self._find(action, self._acting(player, action))

    def _find(self, action: Action | int | str, acting: int) -> Action:
        if isinstance(action, str):
            return self._find_text(action, acting)
        number = action.id if isinstance(action, Action) else int(action)
        states = seated(self._states, acting)
        if not doors.is_legal(states, 0, self._tables, max(-1, min(number, self._notation.actions))):
            raise self._explainer().why_not(number, acting)
        found = self._notation.action(number, situation_of(self.edition, states, acting))
        if isinstance(action, Action) and action.text != found.text:
            raise IllegalAction(
                f"cannot {action.text}: it comes from another moment or another game", "take actions from game.legal()"
            )
        return found

    def _seat(self, player: int) -> int:
        """A player's number, checked."""
        try:
            seat = operator.index(player)
        except TypeError:
            raise TypeError(f"a player is a number from 0 to {self.players - 1}, not {type(player).__name__}") from None
        if not 0 <= seat < self.players:
            raise WhistlestopError(f"there is no player {number_text(seat)}: the players are 0 to {self.players - 1}")
        return seat

    def _acting(self, player: int | None, action: Action | int | str) -> int:
        """The player who acts: the one given, or the first who may; an error says why there is none."""
        if isinstance(action, bool | np.bool_) or not isinstance(action, Action | int | str | np.integer):
            raise TypeError(f"an action is an Action, an id or a text, not {type(action).__name__}")
        movers = self.to_move
        seat = None if player is None else self._seat(player)
        if movers and (seat is None or seat in movers):
            return movers[0] if seat is None else seat
        cannot = f"cannot {action_text(action)}"
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
            raise InvalidNotation(f"{shown(text)} can be done in {len(ways)} ways", f"say which, as in: {texts}")
        raise self._explainer().why_none(sorted(meant), player)

    def _explainer(self) -> Explainer:
        return Explainer(self.edition, self._states, self.names)

    def _meant(self, text: str, player: int, legal: list[Action]) -> set[int]:
        """Actions that a text can mean; where nothing was understood, the hint is something possible now."""
        try:
            return set(self._notation.meant(text, situation_of(self.edition, self._states, player)))
        except InvalidNotation as error:
            if error.hint or not legal:
                raise
            raise InvalidNotation(str(error), f"an action now is, for example: {legal[0].text}") from None
        except IllegalAction as error:
            if error.hint or self.phase == "turn":
                raise
            raise IllegalAction(str(error), options(legal)) from None

    # -- what players may know -------------------------------------------------------------------------------------
    def view(self, player: int | None) -> View:
        """What a player may know, and no more; None for a spectator."""
        viewer = SPECTATOR if player is None else self._seat(player)
        states = copied(self._states)
        doors.redact(states, 0, self._tables, viewer)
        return View(self.edition, states, viewer, self.names)

    def _repr_svg_(self) -> str:
        """For notebooks: the board as everybody sees it."""
        return rich_display.svg_of(self.view(None))

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

    @property
    def fingerprint(self) -> str:
        """What tells the edition from all others by what matters for play; the `board:` line of its records."""
        return digest(self.edition)

    def record(self) -> str:
        """The game so far as text that people can read and `Game.from_record` plays again."""
        if self._by_hand:
            raise WhistlestopError(
                "a game that was set up by hand cannot be recorded", "keep the arguments of `Game.position` instead"
            )
        return record_text(
            Record(
                source=self.source,
                edition=self.edition,
                packs=packs_of(self.edition),
                players=self.players,
                names=self.names,
                seed=self.seed,
                generator=self.generator,
                first=self.first,
                drawn=self.first_set is None,
                setup=self.setup,
                moves=tuple(RecordedMove(move.player, move.text) for move in self.history),
            )
        )

    @classmethod
    def from_record(cls, text: str | bytes, edition: str | Path | Edition | None = None) -> Game:
        """The game of a record. `edition` replaces the one named in it, where a map file has moved."""
        record = parse_record(text, edition)
        first = None if record.drawn else record.first
        given, packs = (record.source if edition is None else edition), record.packs
        if isinstance(edition, Edition):
            given, packs = record.edition, ()
        game = cls(given, record.players, record.seed, first, packs, record.names)
        game._set_up_as(record)
        for move in record.moves:
            game._play_recorded(move)
        return game

    def _set_up_as(self, record: Record) -> None:
        """Check the setup against a record of the same chance stream, or take it from one of another."""
        if record.generator == self.generator:
            if record.setup != self.setup:
                reason = "this seed gives another setup than the one written here: seed or setup has been changed"
                raise record_error(record.lines["seed"], reason)
            return
        try:
            self.set_up(record.setup, record.generator)
        except ImpossibleOutcome as error:
            reason = f"the setup (first, tickets, cards, passengers) cannot be: {error}"
            raise record_error(record.lines["tickets"], reason, error.hint) from error

    def _play_recorded(self, recorded: RecordedMove) -> None:
        """Play a line of a record and check its outcome."""
        line = recorded.line
        try:
            found, outcome = self._split(recorded)
            if found.kind == "keep":
                script = [outcome_numbered(line, word) for word in outcome.split()]
            else:
                script = [outcome_named(line, word, CARDS) for word in outcome.split()]
            draft = self.draft(found, recorded.player, None if self._by_seed else script)
        except (IllegalAction, InvalidNotation, ImpossibleOutcome) as error:
            raise record_error(line, error.message, error.hint) from error
        if list(draft.move.outcome) != script:
            drawn = " ".join(draft.move.words) or "nothing"
            said = shown(outcome) if outcome else "nothing"
            raise record_error(line, f"chance gave {drawn} here, the record says {said}: it has been changed")
        self.commit(draft)

    def _split(self, recorded: RecordedMove) -> tuple[Action, str]:
        """The action of a line and its outcome; an arrow may also stand in a city's name."""
        text = recorded.text
        for action in self.legal(recorded.player):
            if text == action.text or text.startswith(action.text + ARROW):
                return action, text[len(action.text) + len(ARROW) :]
        what, _, outcome = text.partition(ARROW)
        return self.find(what, recorded.player), outcome

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
        return {
            name: value
            for name, value in self.__dict__.items()
            if name not in ("_tables", "_notation", "_bytes", "_now")
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()

    def __repr__(self) -> str:
        if self._by_hand:
            played = many(len(self.history), "action")
            return f"<Game of {self.edition.name}, set up by hand: {self.players} players, {played} played>"
        if not self._rebuildable():
            played = many(len(self.history), "action")
            return f"<Game of {self.edition.name}: {self.players} players, seed {self.seed}, {played} played>"
        if not self._by_seed:
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
        players = [player_view(self._notation, self._states, i, name) for i, name in enumerate(self.names)]
        width = max(len(name) for name in self.names)
        doing = (
            "the game is over"
            if self.over
            else f"{self._named(self.to_move)} to move ({PHASE_TEXTS[int(self._states['phase'][0])]})"
        )
        lines = [f"{self.edition.name}, {self.players} players, {many(len(self.history), 'action')} played: {doing}"]
        for p in players:
            built = f", {many(len(p.stations), 'station')}" if p.stations else ""
            picked = f", {many(sum(p.passengers.values()), 'passenger')}" if p.passengers else ""
            held = f"{many(p.trains, 'train')}, {many(p.cards, 'card')}, {many(p.tickets, 'ticket')}"
            lines.append(f"  {p.name.ljust(width)}  {many(p.points, 'point')}, {held}{built}{picked}")
        return "\n".join(lines)


def _way(action: Action) -> tuple[object, ...]:
    """What tells an action from others that a text can mean: everything but which of parallel tracks it takes."""
    return action.kind, frozenset(action.ends or ()), action.city, action.cards, action.mix


# ---- what a game is made from ---------------------------------------------------------------------------------------
Pack = str | Path | Mapping[str, Any]
"""A ticket pack: its file, or what stands in it."""


def _loaded(edition: str | Path | Edition, packs: Sequence[Pack]) -> Edition:
    if isinstance(edition, Edition):
        if packs:
            raise WhistlestopError("packs are added when an edition is loaded: load_edition(name, packs)")
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


def strong_seed() -> int:
    """A seed that nobody can guess, of the strong chance stream: for games among people who do not see each other."""
    least = 1 << QUICK_SEED_BITS
    return least + secrets.randbelow((1 << SEED_BITS) - least)


def _checked_seed(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**SEED_BITS:
        raise WhistlestopError(f"a seed is a whole number from 0 to 2**{SEED_BITS} - 1, not {_value(seed)}")
    return int(seed)


def _checked_first(first: int | None, players: int) -> int | None:
    if first is None:
        return None
    if isinstance(first, bool) or not isinstance(first, int | np.integer) or not 0 <= first < players:
        raise WhistlestopError(f"the first player is one of 0 to {players - 1}, not {_value(first)}")
    return int(first)


def _value(value: object) -> str:
    return f"a number {number_text(value)}" if isinstance(value, int) and abs(value) >= 10**18 else repr(value)


def _checked_names(names: Sequence[str] | None, players: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"Player {i + 1}" for i in range(players))
    if isinstance(names, str) or len(names) != players:
        raise WhistlestopError(f"{players} players need {players} names, not {names!r}")
    for name in names:
        check_name(name)
    return tuple(names)
