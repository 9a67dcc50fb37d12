"""Why an action is not legal now, in sentences for the player who tried it. The engine decides; this has the words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.errors import IllegalAction
from whistlestop.mapfile import CARDS, Edition
from whistlestop.notation import Action, cards_text, notation_of, payment
from whistlestop.obstacles import Obstacle, barrier, station_barrier
from whistlestop.spelling import many, shown
from whistlestop.views import StateReader, counts, legal_actions, seated, situation_of, snapshot, to_move

KINDS_ASKED = {
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
WHY_ASKED = {
    lay.ANNOUNCE: "the first tickets are being announced",
    lay.FIRST_TICKETS: "the first tickets are being chosen",
    lay.TURN: "nothing asks for it now",
    lay.SECOND_CARD: "one card is drawn, a second must follow",
    lay.TICKETS: "tickets are being chosen",
    lay.TUNNEL: "the tunnel wants an answer",
    lay.PASSENGER_A: "a passenger is being picked",
    lay.PASSENGER_B: "a passenger is being picked",
}
PHASE_TEXTS = {
    lay.ANNOUNCE: "announcing tickets",
    lay.FIRST_TICKETS: "choosing the first tickets",
    lay.TURN: "a turn",
    lay.SECOND_CARD: "the second card",
    lay.TICKETS: "choosing tickets",
    lay.TUNNEL: "answering a tunnel",
    lay.PASSENGER_A: "picking a passenger",
    lay.PASSENGER_B: "picking a passenger",
}


class Explainer:
    """Finds out why actions are refused in a state."""

    def __init__(self, edition: Edition, states: doors.Array, names: Sequence[str]) -> None:
        self.edition = edition
        self.names = names
        self._states = states
        self._state = StateReader(states)
        self._notation = notation_of(edition)

    def _legal(self, player: int) -> list[Action]:
        return legal_actions(self.edition, self._states, player) if player in to_move(snapshot(self._states)) else []

    def why_none(self, meant: list[int], player: int) -> IllegalAction:
        """Why none of the actions that a text can mean is legal; of parallel tracks, the one nearest to it tells."""
        if not all(lay.CLAIM <= action < self._notation.station_first for action in meant):
            return self.why_not(meant[0], player)
        free = [
            a
            for a in meant
            if int(self._state.phase) != lay.TURN or not self._barrier(self._notation.claim(a)[0], player)
        ]
        action = (free or meant)[0]
        tracks = {self._notation.claim(a)[0] for a in (free or meant)}
        if int(self._state.phase) == lay.TURN and free and len(meant) > len(tracks):  # no payment was named
            track = self._notation.claim(action)[0]
            hand = cards_text(counts(self._state.hand[player].tolist()).items()) or "no cards"
            route, price = self._notation.route_of(track), self._notation.price(track)
            return IllegalAction(f"cannot claim {route}: it takes {price}, you hold {hand}")
        return self.why_not(action, player)

    def why_not(self, action: int, player: int) -> IllegalAction:
        """An error that tells a player why an action with this number is not legal now."""
        if not 0 <= action < self._notation.actions:
            last = self._notation.actions - 1
            return IllegalAction(f"there is no action {number_text(action)}: this edition's are 0 to {last}")
        state = StateReader(seated(self._states, player))
        found = self._notation.action(action, situation_of(self.edition, state.states, player))
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
        if found.kind not in KINDS_ASKED[int(state.phase)]:
            asked = WHY_ASKED[int(state.phase)]
            return IllegalAction(f"cannot {_named_kind(found)}: {asked}", options(self._legal(player)))
        return IllegalAction(f"cannot {found.text}: {reasons[found.kind]()}")

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
            "closed": f"with {len(self.names)} players only one track of this route can be used, and it is taken",
            "parallel": "you own a parallel track of this route",
            "trains": f"needs {many(found.needs or 0, 'train')}, you have {found.have}",
            "no_station": "you have no station left",
            "station_taken": f"{who} a station there",
        }[found.code]

    def _why_no_claim(self, action: int, player: int) -> str:
        track, colour, locos = self._notation.claim(action)
        if barrier := self._barrier(track, player):
            return barrier
        return _lacking(self._state.hand[player], colour, self.edition.board.tracks[track].length - locos, locos)

    def _why_no_station(self, action: int, player: int) -> str:
        state = self._state
        city, cards = self._notation.station(action, doors.station_cost(state.states, 0, player))
        if found := station_barrier(self.edition, state, city, player):
            if found.code == "border":
                return f"{self._notation.cities[city]} is a border space, stations stand in cities"
            return "you have a station there" if found.owner == player else self._in_words(found)
        paid = dict(cards)
        locos = paid.pop(CARDS[lay.LOCO], 0)
        colour = CARDS.index(next(iter(paid))) if paid else lay.LOCO
        return _lacking(state.hand[player], colour, sum(paid.values()), locos)

    def _why_no_tickets(self, action: int) -> str:
        left = dict(zip(self._notation.decks, self._state.ticket_count.tolist(), strict=False))
        if not any(left.values()):
            return "no tickets are left"
        if not self._notation.mixed_draw:
            return f"there is one deck to draw from, and action {lay.DRAW_TICKETS} draws from it, not {action}"
        return f"the decks do not hold that mix: {', '.join(f'{n} {deck}' for deck, n in left.items())}"

    def _why_not_kept(self, state: StateReader, action: int, player: int) -> str:
        sizes = [len(found.kept) for found in self._legal(player)]
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


def _named_kind(action: Action) -> str:
    """The action in words; where its words depend on what is asked, only its kind."""
    vague = {
        "keep": "keep tickets",
        "pay_extra": "pay",
        "take_passenger": "take a passenger",
        "announce": "announce tickets",
    }
    return vague.get(action.kind, action.text)


def options(legal: Sequence[Action]) -> str:
    """The first few legal actions, as a hint."""
    return f"you can {'; '.join(action.text for action in legal[:4])}{' …' if len(legal) > 4 else ''}"


def _why_no_card(state: StateReader, kind: int) -> str:
    lying = [CARDS[k] for k in state.face_up.tolist() if k != lay.NONE]
    if CARDS[kind] in lying:  # only a locomotive can lie there and not be taken (DRAW-4)
        return "a face-up locomotive cannot be the second card"
    return f"no {CARDS[kind]} lies face up, there {'is' if len(lying) == 1 else 'are'} {', '.join(lying) or 'none'}"


def _lacking(hand: doors.Array, colour: int, plain: int, locos: int) -> str:
    """What a payment needs and what the hand holds of it."""
    held, wild = (0 if colour == lay.LOCO else int(hand[colour])), int(hand[lay.LOCO])
    needed = cards_text(payment(colour, plain, locos))
    if colour == lay.LOCO or not plain:
        return f"needs {needed}, you hold {wild}"
    if not locos:
        return f"needs {needed}, you hold {held} (+{many(wild, 'locomotive')})"
    return f"needs {needed}, you hold {held} {CARDS[colour]}, {many(wild, 'locomotive')}"


def action_text(action: Action | int | str) -> str:
    """An action as a message names it before it is known to be one."""
    if isinstance(action, Action):
        return action.text
    return f"play action {number_text(action)}" if not isinstance(action, str) else f"play {shown(action)}"


def number_text(number: int) -> str:
    """A number as messages write it; thousands of digits could not even be printed."""
    return str(number) if abs(int(number)) < 10**18 else "of so many digits"
