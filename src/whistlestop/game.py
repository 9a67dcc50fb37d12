"""A game in words: checks, history, views, results, records. The rules are the engine's; nothing here decides one."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from whistlestop.engine import batch
from whistlestop.engine import layout as lay
from whistlestop.engine.hidden import SPECTATOR
from whistlestop.engine.status import BROKEN
from whistlestop.engine.tables import places_of, tables_of
from whistlestop.mapfile import GRAY, Edition, load_edition
from whistlestop.notation import CARDS, Action, InvalidNotation, Notation, Situation, cards_text, fold, match_text, notation_of, route_name

SIMULTANEOUS = (lay.ANNOUNCE, lay.FIRST_TICKETS)


class IllegalAction(ValueError):  # noqa: N818  (named for what the reader sees)
    """An action that the rules do not allow now; the message says why. The game is unchanged."""


class ImpossibleOutcome(ValueError):  # noqa: N818  (named for what the reader sees)
    """Written outcomes of chance that cannot have happened; the game is unchanged."""


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
class TicketView:
    """A ticket as people see it."""

    a: str
    b: str
    points: int
    completed: bool | None = None

    @property
    def text(self) -> str:
        """The ticket in words: Paris–Wien (8)."""
        return f"{route_name(self.a, self.b)} ({self.points})"

    def json(self) -> dict[str, Any]:
        """The ticket as plain data."""
        return {"from": self.a, "to": self.b, "points": self.points} | ({} if self.completed is None else {"completed": self.completed})


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What everybody knows of a player."""

    name: str
    points: int
    trains: int
    stations_left: int
    stations: tuple[str, ...]
    cards: int
    known: dict[str, int]
    """Cards that everybody saw the player take and that must still be in the hand."""
    tickets: int
    tickets_by_deck: dict[str, int] | None
    """Where the backs tell the decks apart."""
    passengers: dict[str, int]
    chosen: bool
    """Has made the secret first choice that is going on."""

    def json(self) -> dict[str, Any]:
        """The player as plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


class View:
    """What one player (or a spectator) may know: a redacted state and the words for it. Bots are given nothing else."""

    def __init__(self, edition: Edition, states: batch.Array, player: int, names: Sequence[str]) -> None:
        self.edition = edition
        self.player = player
        self.names = tuple(names)
        self.states = states
        """Array of one redacted STATE record."""
        self._state = states[0]
        self._words = notation_of(edition)

    @property
    def phase(self) -> str:
        """What is to be done now."""
        return lay.PHASES[int(self._state.phase)]

    @property
    def to_move(self) -> tuple[int, ...]:
        """Players who may act now."""
        return to_move(self._state)

    @property
    def hand(self) -> dict[str, int]:
        """The viewer's own cards; empty for a spectator."""
        return {} if self.player == SPECTATOR else _counts(self._state.hand[self.player])

    @property
    def tickets(self) -> tuple[TicketView, ...]:
        """The viewer's own tickets, each with whether the viewer's own tracks complete it."""
        return () if self.player == SPECTATOR else _tickets(self._words, self._state, self.player)

    @property
    def offer(self) -> tuple[TicketView, ...]:
        """Tickets the viewer is choosing from."""
        if self.player == SPECTATOR:
            return ()
        offered = self._state.offer[self.player][: int(self._state.offer_n[self.player])]
        return tuple(_ticket_view(self._words, int(ticket)) for ticket in offered)

    @property
    def face_up(self) -> tuple[str | None, ...]:
        """The five face-up cards, None where a slot is empty."""
        return tuple(None if kind == lay.NONE else CARDS[kind] for kind in self._state.face_up)

    @property
    def deck(self) -> int:
        """Cards in the deck."""
        return int(self._state.deck_n)

    @property
    def discard(self) -> dict[str, int]:
        """The discarded cards."""
        return _counts(self._state.discard)

    @property
    def ticket_decks(self) -> dict[str, int]:
        """Tickets left in each deck."""
        return {deck: int(n) for deck, n in zip(self._words.decks, self._state.ticket_count, strict=False)}

    @property
    def owners(self) -> dict[int, int]:
        """Claimed tracks and who has them."""
        return owners(self._state, len(self.edition.board.tracks))

    @property
    def closed(self) -> tuple[int, ...]:
        """Unclaimed tracks that nobody can use any more."""
        return closed(self._state, len(self.edition.board.tracks))

    @property
    def players(self) -> tuple[PlayerView, ...]:
        """What everybody knows of each player."""
        return tuple(_player_view(self._words, self._state, i, name) for i, name in enumerate(self.names))

    @property
    def passengers(self) -> dict[str, tuple[str, ...]]:
        """Passengers still waiting, by place."""
        return passengers(self._words, self._state)

    @property
    def tunnel(self) -> dict[str, Any] | None:
        """A tunnel that is being asked about: track, cards laid, cards turned up, extra cards it costs."""
        state = self._state
        if int(state.phase) != lay.TUNNEL:
            return None
        turned = [CARDS[kind] for kind in state.turned if kind != lay.NONE]
        return {"track": int(state.track), "laid": _counts(state.laid), "turned_up": turned, "extra": int(state.extra)}

    @property
    def last_round(self) -> int | None:
        """Turns left in the last round, None before it."""
        return int(self._state.last_turns) or None

    def legal(self) -> list[Action]:
        """What the viewer may do now."""
        return legal_actions(self.edition, self.states, self.player) if self.player in self.to_move else []

    def json(self) -> dict[str, Any]:
        """The view as plain data."""
        return {
            "edition": self.edition.id,
            "player": None if self.player == SPECTATOR else self.player,
            "phase": self.phase,
            "to_move": list(self.to_move),
            "last_round": self.last_round,
            "hand": self.hand,
            "tickets": [ticket.json() for ticket in self.tickets],
            "offer": [ticket.json() for ticket in self.offer],
            "face_up": list(self.face_up),
            "deck": self.deck,
            "discard": self.discard,
            "ticket_decks": self.ticket_decks,
            "owners": {str(track): player for track, player in self.owners.items()},
            "closed": list(self.closed),
            "tunnel": self.tunnel,
            "waiting": {place: list(colours) for place, colours in self.passengers.items()},
            "players": [player.json() for player in self.players],
        }

    def __repr__(self) -> str:
        who = "a spectator" if self.player == SPECTATOR else self.names[self.player]
        return f"<View of {self.edition.id} for {who}: {self.phase}, hand {cards_text(self.hand.items()) or 'empty'}>"


@dataclass(frozen=True, slots=True)
class Borrowed:
    """What a station was used for at the end."""

    city: str
    track: int | None
    route: str | None


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
    borrowed: tuple[Borrowed, ...]
    collected: dict[str, int]

    def json(self) -> dict[str, Any]:
        """The result as plain data."""
        plain = {name: getattr(self, name) for name in self.__slots__}
        plain["completed"] = [ticket.json() for ticket in self.completed]
        plain["failed"] = [ticket.json() for ticket in self.failed]
        plain["path_tracks"] = list(self.path_tracks)
        plain["borrowed"] = [{"city": b.city, "track": b.track, "route": b.route} for b in self.borrowed]
        return plain


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a game."""

    players: tuple[PlayerResult, ...]
    winners: tuple[int, ...]
    decided_by: str
    """"points", the tie-break that decided, or "shared"."""

    def json(self) -> dict[str, Any]:
        """The result as plain data."""
        return {"players": [player.json() for player in self.players], "winners": list(self.winners), "decided_by": self.decided_by}


# ---- reading a state ------------------------------------------------------------------------------------------------
def _counts(kinds: Any) -> dict[str, int]:
    return {card: int(n) for card, n in zip(CARDS, kinds, strict=True) if n}


def _bits(words: Any) -> list[int]:
    return [64 * w + i for w, word in enumerate(words) for i in range(64) if int(word) >> i & 1]


def to_move(state: Any) -> tuple[int, ...]:
    """Players who may act in a state."""
    phase = int(state.phase)
    if phase == lay.OVER:
        return ()
    if phase in SIMULTANEOUS:
        return tuple(p for p in range(int(state.players)) if state.choice[p] == lay.NONE)
    return (int(state.player),)


def owners(state: Any, tracks: int) -> dict[int, int]:
    """Claimed tracks and their owners, in track order."""
    found = {track: player for player in range(int(state.players)) for track in _bits(state.tracks[player]) if track < tracks}
    return dict(sorted(found.items()))


def closed(state: Any, tracks: int) -> tuple[int, ...]:
    """Unclaimed tracks closed to everybody (CLAIM-9)."""
    usable = set(_bits(state.open)) | set(owners(state, tracks))
    return tuple(track for track in range(tracks) if track not in usable)


def passengers(words: Notation, state: Any) -> dict[str, tuple[str, ...]]:
    """Passengers waiting at each place."""
    found: dict[str, tuple[str, ...]] = {}
    spot = 0
    for place, count in places_of(words.edition.board) if words.passengers else ():
        here = tuple(words.passengers[c] for c in state.passengers[spot : spot + count] if c != lay.NONE)
        if here:
            found[place] = here
        spot += count
    return found


def _ticket_view(words: Notation, ticket: int, completed: bool | None = None) -> TicketView:
    found = words.tickets[ticket]
    return TicketView(found.a, found.b, found.points, completed)


def _tickets(words: Notation, state: Any, player: int) -> tuple[TicketView, ...]:
    reach = _components(words.edition, state.tracks[player])
    return tuple(_ticket_view(words, t, _joins(words, reach, t)) for t in _bits(state.tickets[player]))


def _components(edition: Edition, tracks: Any) -> list[set[str]]:
    """Groups of connected places; a border space also stands for its country (TICKET-9)."""
    groups: list[set[int]] = []
    for i in _bits(tracks):
        track = edition.board.tracks[i]
        joined = {track.a, track.b}
        for group in [g for g in groups if g & joined]:
            joined |= group
            groups.remove(group)
        groups.append(joined)
    cities = edition.board.cities
    return [{name for c in group for name in (cities[c].name, cities[c].country) if name} for group in groups]


def _joins(words: Notation, groups: list[set[str]], ticket: int) -> bool:
    found = words.tickets[ticket]
    return any(found.a in group and found.b in group for group in groups)


def _player_view(words: Notation, state: Any, player: int, name: str) -> PlayerView:
    sure = [int(n) for n in state.tickets_sure[player]]
    return PlayerView(
        name=name,
        points=int(state.points[player]),
        trains=int(state.trains[player]),
        stations_left=int(state.stations_left[player]),
        stations=tuple(words.cities[c] for c in _bits([state.stations[player]])),
        cards=int(state.cards[player]),
        known=_counts(state.known[player]),
        tickets=sum(sure) + int(state.tickets_mixed[player]),
        tickets_by_deck=dict(zip(words.decks, sure, strict=False)) if words.edition.ticket_backs_differ else None,
        passengers={colour: int(n) for colour, n in zip(words.passengers, state.collected[player], strict=False) if n},
        chosen=int(state.phase) in SIMULTANEOUS and state.choice[player] != lay.NONE,
    )


def situation_of(edition: Edition, state: Any, player: int) -> Situation:
    """What the words of a player's actions depend on in a state."""
    phase = int(state.phase)
    offer = tuple(int(t) for t in state.offer[player][: int(state.offer_n[player])])
    place, extra = "", int(state.extra)
    if phase in (lay.PASSENGER_A, lay.PASSENGER_B):
        track = edition.board.tracks[int(state.track)]
        city = edition.board.cities[track.a if phase == lay.PASSENGER_A else track.b]
        place = city.country or city.name
    if phase == lay.TURN:
        extra = min(edition.draw_count, int(state.ticket_count[0]) + int(state.ticket_count[1]))
    return Situation(phase, offer, int(state.stations[player]).bit_count() + 1, int(state.laid_colour), extra, place)


def legal_actions(edition: Edition, states: batch.Array, player: int) -> list[Action]:
    """The legal actions of a player in words, by rising number; works on true and on redacted states."""
    tables, words = tables_of(edition), notation_of(edition)
    seated = states.copy()
    batch.seat(seated, 0, player)
    out = np.zeros(words.actions, np.int64)
    n = batch.legal(seated, 0, tables, out)
    situation = situation_of(edition, seated[0], player)
    return [words.action(int(action), situation) for action in sorted(out[:n])]


# ---- the game --------------------------------------------------------------------------------------------------------
class Game:
    """A game of an edition: `legal`, `play`, `view`, `result`, `record`, `undo`.

    `edition` is an edition's id, the path of a map file, or an Edition. Games with the same arguments are the same game.
    """

    def __init__(
        self,
        edition: str | Path | Edition = "usa",
        players: int = 2,
        seed: int | None = None,
        first: int | None = None,
        packs: Sequence[str | Path] = (),
        names: Sequence[str] | None = None,
        record: str | None = None,
    ) -> None:
        if isinstance(edition, Edition):
            if packs:
                raise ValueError("packs are added when an edition is loaded: load_edition(name, packs)")
            self.edition, self._source = edition, edition.id
        else:
            self.edition, self._source = load_edition(edition, packs), str(edition)
        self._packs = tuple(str(pack) for pack in packs)
        batch.check_players(self.edition, players)
        self.players = players
        self.seed = secrets.randbits(63) if seed is None else _checked_seed(seed)
        self.first_set = _checked_first(first, players)
        self.names = _checked_names(names, players)
        self._tables = tables_of(self.edition)
        self._words = notation_of(self.edition)
        self._states, self._nets, self._borrowed = batch.scratch()
        self.history: list[Move] = []
        """Every action played so far."""
        self._before: list[bytes] = []
        self.setup = self._chance(self._begin)
        """Raw outcomes of the setup: first player if drawn, ticket shuffles, cards, passengers."""
        if record is not None:
            self._replay(record)

    def _begin(self, log: batch.Array) -> None:
        first = lay.NONE if self.first_set is None else self.first_set
        batch.new(self._states, 0, self._tables, self.players, first, np.uint64(self.seed), log)

    def _replay(self, record: str) -> None:
        for text in filter(None, (part.strip() for part in record.split(";"))):
            who, _, what = text.partition(": ")
            self.play(what.partition(" -> ")[0], player=int(who.removeprefix("P")) - 1)

    def _chance(self, act: Callable[[batch.Array], object], script: Sequence[int] | None = None) -> tuple[int, ...]:
        """Run `act(log)` and return what chance gave, or play the outcomes of a script; the state is unchanged if they are impossible."""
        size = 512 if script is None else len(script) + 1
        before = self._states.tobytes()
        while True:
            log = batch.new_log(size)
            if script is not None:
                log[lay.LOG_SCRIPTED] = len(script) + 1
                log[lay.LOG_FIRST : lay.LOG_FIRST + len(script)] = script
            act(log)
            n = int(log[lay.LOG_COUNT])
            if script is not None and (log[lay.LOG_SCRIPTED] == lay.BAD_SCRIPT or n != len(script)):
                self._restore(before)
                raise ImpossibleOutcome("these outcomes of chance are impossible here, or not all there")
            if n <= size:
                return tuple(int(x) for x in log[lay.LOG_FIRST : lay.LOG_FIRST + n])
            self._restore(before)  # a log too short: once more from the same state, with room enough
            size = n

    def _restore(self, state: bytes) -> None:
        self._states[:] = np.frombuffer(state, lay.STATE)

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
        return to_move(self._states[0])

    @property
    def first(self) -> int:
        """The player who has the first turn."""
        return int(self._states["first"][0])

    def owners(self) -> dict[int, int]:
        """Claimed tracks and who has them."""
        return owners(self._states[0], len(self.edition.board.tracks))

    def stations(self) -> dict[str, int]:
        """Cities with a station, and whose it is."""
        state = self._states[0]
        return {self._words.cities[c]: p for p in range(self.players) for c in _bits([state.stations[p]])}

    def passengers(self) -> dict[str, tuple[str, ...]]:
        """Passengers waiting at each place."""
        return passengers(self._words, self._states[0])

    def status(self) -> list[str]:
        """Broken invariants; an empty list for a sound game."""
        bits = batch.broken(self._states, 0, self._tables, np.zeros(self._words.actions, np.int64))
        return [text for i, text in enumerate(BROKEN) if bits >> i & 1]

    # -- acting ----------------------------------------------------------------------------------------------------
    def legal(self, player: int | None = None) -> list[Action]:
        """The actions open to the player to move, or to `player`; none for a player who may not act now."""
        acting = self._acting(player, None)
        return [] if acting is None else legal_actions(self.edition, self._states, acting)

    def _acting(self, player: int | None, what: str | None) -> int | None:
        """The player who acts: the one given, or the first who may. With `what`, a reason why not is raised instead of None."""
        movers = self.to_move
        if player is None:
            if not movers and what is not None:
                raise IllegalAction(f"cannot {what}: the game is over")
            return movers[0] if movers else None
        if not 0 <= player < self.players:
            raise ValueError(f"there is no player {player}: the players are 0 to {self.players - 1}")
        if player in movers:
            return player
        if what is None:
            return None
        if not movers:
            raise IllegalAction(f"cannot {what}: the game is over")
        if self.phase in ("announce", "first_tickets"):
            raise IllegalAction(f"cannot {what}: {self.names[player]} has chosen already; {self._named(movers)} still to choose")
        raise IllegalAction(f"cannot {what}: it is the turn of {self._named(movers)}, not of {self.names[player]}")

    def _named(self, players: Sequence[int]) -> str:
        return ", ".join(self.names[p] for p in players)

    def play(self, action: Action | int | str, player: int | None = None) -> Move:
        """Play an action given as an `Action`, its id or its text. An illegal one raises IllegalAction and changes nothing."""
        what = action.text if isinstance(action, Action) else f"play action {action}" if isinstance(action, int) else action
        acting = self._acting(player, what)
        assert acting is not None
        found = self._find(action, acting)
        return self._play(found, acting)

    def _play(self, action: Action, player: int, script: Sequence[int] | None = None) -> Move:
        """Play a legal action, on the game's own chance or on written outcomes."""
        before = self._states.tobytes()
        batch.seat(self._states, 0, player)
        outcome = self._chance(lambda log: batch.play(self._states, 0, self._tables, action.id, log), script)
        self._before.append(before)
        move = Move(len(self.history) + 1, player, action, outcome)
        self.history.append(move)
        return move

    def undo(self) -> Move:
        """Take the last action back, chance included, and return it: for analysis at home, not for a table."""
        if not self.history:
            raise IllegalAction("cannot undo: nothing has been played")
        self._restore(self._before.pop())
        return self.history.pop()

    def _find(self, action: Action | int | str, player: int) -> Action:
        """The legal action meant, or an error that says why it is none."""
        if isinstance(action, bool) or not isinstance(action, Action | int | str | np.integer):
            raise TypeError(f"an action is an Action, an id or a text, not {type(action).__name__}")
        legal = legal_actions(self.edition, self._states, player)
        if isinstance(action, str):
            return self._find_text(action, player, legal)
        number = action.id if isinstance(action, Action) else int(action)
        for found in legal:
            if found.id == number:
                return found
        raise IllegalAction(self._why_not(number, player, legal))

    def _find_text(self, text: str, player: int, legal: list[Action]) -> Action:
        found = match_text(text, legal)
        if found:
            return found
        if fold(text).startswith("claim "):
            return self._find_claim(text, player, legal)
        known = {fold(self._words.action(i, Situation(lay.TURN)).text): i for i in range(lay.DRAW_TICKETS + 1)}
        if fold(text) in known:
            raise IllegalAction(self._why_not(known[fold(text)], player, legal))
        raise InvalidNotation(_not_understood(text, legal)) if not _looks_known(text) else IllegalAction(_not_now(text, self.phase, legal))

    def _find_claim(self, text: str, player: int, legal: list[Action]) -> Action:
        meant = self._words.parse_claim(text)
        by_id = {action.id: action for action in legal}
        open_ones = [claim for claim in meant if claim in by_id]
        payments = {tuple(dict(by_id[claim].parts)["cards"].items()) for claim in open_ones}
        if len(payments) == 1:
            return by_id[open_ones[0]]  # parallel tracks of one price: any of them will do
        if payments:
            texts = "; ".join(by_id[claim].text for claim in open_ones[:6])
            raise InvalidNotation(f"{text!r} can be paid in {len(payments)} ways\nhint: say which, as in: {texts}")
        if not meant:
            raise IllegalAction(f"cannot {text}: these cards do not pay for that route\nhint: {self._price(text)}")
        raise IllegalAction(self._why_not(meant[0], player, legal))

    def _price(self, text: str) -> str:
        claims = self._words.parse_claim(text.partition(" with ")[0])
        track = self.edition.board.tracks[self._words.claim(claims[0])[0]]
        colour = "of any one colour" if track.colour == GRAY else track.colour
        symbols = f", at least {track.ferry} of them locomotives" if track.ferry else ""
        return f"it takes {track.length} cards {colour}, locomotives standing in for any{symbols}"

    # -- why not ---------------------------------------------------------------------------------------------------
    def _why_not(self, action: int, player: int, legal: list[Action]) -> str:
        """A sentence for a player: why an action with this number is not legal now."""
        if not 0 <= action < self._words.actions:
            return f"there is no action {action}: this edition's are 0 to {self._words.actions - 1}"
        state = self._states[0]
        text = self._words.action(action, situation_of(self.edition, state, player)).text
        if self.phase != "turn":
            return _not_now(text, self.phase, legal)
        if action >= self._words.station_first:
            return f"cannot {text}: {self._why_no_station(action, player)}"
        if action >= lay.CLAIM:
            return f"cannot {text}: {self._why_no_claim(action, player)}"
        if action == lay.PASS:
            return "cannot pass: there is something you can do"
        if action == lay.DRAW_BLIND:
            return "cannot draw blind: no card is left in the deck or the discards"
        if lay.DRAW_FACE_UP <= action < lay.DRAW_TICKETS:
            return f"cannot {text}: no such card lies face up"
        if lay.DRAW_TICKETS <= action < lay.KEEP:
            left = int(state.ticket_count[0]) + int(state.ticket_count[1])
            return f"cannot {text}: " + ("the decks do not hold that mix" if left else "no tickets are left")
        return _not_now(text, self.phase, legal)

    def _why_no_claim(self, action: int, player: int) -> str:
        state = self._states[0]
        track, colour, locos = self._words.claim(action)
        line = self.edition.board.tracks[track]
        owner = self.owners().get(track)
        if owner is not None:
            return f"{'you have' if owner == player else self.names[owner] + ' has'} claimed that track"
        if track in closed(state, len(self.edition.board.tracks)):
            return f"with {self.players} players only one track of this route can be used, and it is taken"
        if track in _bits(state.barred[player]):
            return "you own a parallel track of this route"
        if line.length > state.trains[player]:
            return f"it needs {line.length} trains, you have {int(state.trains[player])}"
        held, wild = (0 if colour == lay.LOCO else int(state.hand[player, colour])), int(state.hand[player, lay.LOCO])
        needed = cards_text(self._words._payment(colour, line.length - locos, locos))
        has = f"{wild} locomotives" if colour == lay.LOCO else f"{held} {CARDS[colour]} (+{wild} locomotives)"
        return f"needs {needed}, you hold {has}"

    def _why_no_station(self, action: int, player: int) -> str:
        state = self._states[0]
        city = self._words.cities[(action - self._words.station_first) // lay.STATION_PAYMENTS]
        if state.stations_left[player] == 0:
            return "you have no station left"
        if city in self.stations():
            return f"{self.names[self.stations()[city]]} has a station in {city}"
        return f"you do not hold these cards: {cards_text(_counts(state.hand[player]).items()) or 'your hand is empty'}"

    # -- what players may know -------------------------------------------------------------------------------------
    def view(self, player: int | None) -> View:
        """What a player may know, and no more; None for a spectator."""
        viewer = SPECTATOR if player is None else player
        if player is not None and not 0 <= player < self.players:
            raise ValueError(f"there is no player {player}: the players are 0 to {self.players - 1}")
        states = self._states.copy()
        batch.hide(states, 0, self._tables, viewer)
        return View(self.edition, states, viewer, self.names)

    # -- the end ---------------------------------------------------------------------------------------------------
    def result(self) -> Result:
        """Points by source for each player and who wins; only when the game is over."""
        if not self.over:
            raise IllegalAction(f"the game is not over: {self._named(self.to_move)} to move")
        sheet = np.zeros((lay.MAX_PLAYERS, lay.SHEET), np.int64)
        needed = batch.count(self._states, 0, self._tables, self._nets, sheet, self._borrowed)
        players = tuple(self._player_result(p, sheet[p]) for p in range(self.players))
        decided = "shared" if needed == lay.NONE else ("points", *self.edition.tie_breaks)[needed]
        return Result(players, tuple(p for p in range(self.players) if sheet[p, lay.WON]), decided)

    def _player_result(self, player: int, row: Any) -> PlayerResult:
        state = self._states[0]
        borrowed = self._borrowed_by(player)
        tracks = state.tracks[player].copy()
        for use in borrowed:
            if use.track is not None:
                tracks[use.track >> 6] |= np.uint64(1 << (use.track & 63))
        reach = _components(self.edition, tracks)
        tickets = [_ticket_view(self._words, t, _joins(self._words, reach, t)) for t in _bits(state.tickets[player])]
        points: Mapping[str, int] = dict(zip(lay.SHEET_NAMES, map(int, row), strict=True))
        return PlayerResult(
            name=self.names[player],
            completed=tuple(t for t in tickets if t.completed),
            failed=tuple(t for t in tickets if not t.completed),
            path_tracks=self._path_tracks(state.tracks[player], points["path_length"]),
            borrowed=borrowed,
            collected={c: int(n) for c, n in zip(self._words.passengers, state.collected[player], strict=False) if n},
            **{name: points[name] for name in lay.SHEET_NAMES[:7]},
            path_length=points["path_length"],
        )

    def _borrowed_by(self, player: int) -> tuple[Borrowed, ...]:
        cities = [self._words.cities[c] for c in _bits([self._states[0].stations[player]])]
        tracks = [int(t) for t in self._borrowed[player][: len(cities)]]
        return tuple(
            Borrowed(city, None, None) if track == lay.NONE else Borrowed(city, track, self._words.track_name(track))
            for city, track in zip(cities, tracks, strict=True)
        )

    def _path_tracks(self, words: Any, length: int) -> tuple[int, ...]:
        """Tracks of a longest path in walking order: drop every track it can do without, then walk what is left."""
        if length == 0:
            return ()
        left = words.copy()
        for track in _bits(words):
            tried = left.copy()
            tried[track >> 6] &= ~np.uint64(1 << (track & 63))
            if batch.path_length(self._tables, self._nets, tried) == length:
                left = tried
        return _walk(self.edition, _bits(left))

    # -- records ---------------------------------------------------------------------------------------------------
    def record(self) -> str:
        """The game so far as text that people can read and `Game.from_record` plays again."""
        from whistlestop.record import write

        return write(self)

    @classmethod
    def from_record(cls, text: str, edition: str | Path | Edition | None = None) -> Game:
        """The game of a record. `edition` replaces the one named in it, where a map file has moved."""
        from whistlestop.record import read

        return read(text, edition)

    def __repr__(self) -> str:
        moves = "; ".join(f"P{move.player + 1}: {move.action.text}" for move in self.history)
        first = "" if self.first_set is None else f", first={self.first_set}"
        names = "" if self.names == _checked_names(None, self.players) else f", names={self.names!r}"
        packs = f", packs={self._packs!r}" if self._packs else ""
        record = f", record={moves!r}" if moves else ""
        return f"Game({self._source!r}, players={self.players}, seed={self.seed}{first}{packs}{names}{record})"


def _walk(edition: Edition, tracks: list[int]) -> tuple[int, ...]:
    """An order in which connected tracks with at most two odd cities can be walked in one go (Hierholzer)."""
    at: dict[int, list[int]] = {}
    for i in tracks:
        for city in (edition.board.tracks[i].a, edition.board.tracks[i].b):
            at.setdefault(city, []).append(i)
    if not at:
        return ()
    start = min((c for c in at if len(at[c]) % 2), default=min(at))
    stack: list[tuple[int, int | None]] = [(start, None)]
    used: set[int] = set()
    walked: list[int] = []
    while stack:
        city, came_by = stack[-1]
        free = next((i for i in at[city] if i not in used), None)
        if free is None:
            stack.pop()
            if came_by is not None:
                walked.append(came_by)
        else:
            used.add(free)
            track = edition.board.tracks[free]
            stack.append((track.b if city == track.a else track.a, free))
    return tuple(reversed(walked))


def _checked_seed(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise ValueError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed!r}")
    return seed


def _checked_first(first: int | None, players: int) -> int | None:
    if first is not None and (isinstance(first, bool) or not isinstance(first, int) or not 0 <= first < players):
        raise ValueError(f"the first player is one of 0 to {players - 1}, not {first!r}")
    return first


def _checked_names(names: Sequence[str] | None, players: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"Player {i + 1}" for i in range(players))
    if isinstance(names, str) or len(names) != players:
        raise ValueError(f"{players} players need {players} names, not {names!r}")
    for name in names:
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            raise ValueError(f"a player's name is printable text on one line, not {name!r}")
    return tuple(names)


def _looks_known(text: str) -> bool:
    return fold(text).split(" ")[0] in ("draw", "keep", "claim", "build", "pay", "give", "take", "announce", "pass")


def _not_understood(text: str, legal: list[Action]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(fold(text), [fold(action.text) for action in legal], 1, 0.4)
    example = next((action.text for action in legal if near and fold(action.text) == near[0]), legal[0].text if legal else "")
    return f"{text!r} is no action" + (f"\nhint: did you mean: {example}" if near else f"\nhint: an action now is, for example: {example}")


def _not_now(text: str, phase: str, legal: list[Action]) -> str:
    asked = {
        "announce": "tickets are being announced", "first_tickets": "the first tickets are being chosen", "second_card": "a second card must be drawn",
        "tickets": "tickets are being chosen", "tunnel": "the tunnel wants an answer", "passenger": "a passenger is being picked",
    }  # fmt: skip
    reason = asked.get(phase, "it is not among the legal actions")
    some = "; ".join(action.text for action in legal[:4])
    return f"cannot {text}: {reason}\nhint: you can {some}{' …' if len(legal) > 4 else ''}"
