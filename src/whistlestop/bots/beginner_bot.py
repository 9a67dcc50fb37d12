"""The beginner: plays as somebody does who plays for the first time, and can be beaten by a child."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from random import Random

from whistlestop.bots import Limit
from whistlestop.bots.evaluation import Evaluation, claims_of
from whistlestop.bots.paths import IMPASSABLE, STEP, shortest_path
from whistlestop.engine import layout as lay
from whistlestop.mapfile import LOCOMOTIVE, Ticket
from whistlestop.notation import Action
from whistlestop.views import View

NICE_LENGTH = 4
"""Spaces of a track that looks nice enough to forget the way for it …"""
DISTRACTED = 0.3
"""… in so many turns in which one can be paid."""
FOND_OF_LOCOMOTIVES = 0.6
"""How often a face-up locomotive is taken just because it is one."""
MIN_TRAINS_FOR_MORE = 12
"""More tickets are drawn with at least so many trains, whatever the others have left."""
WANTS_MORE = 0.35
"""How often, in a turn without a ticket to work on."""


class BeginnerBot:
    """Works on one ticket at a time by the obvious way, claims as soon as it can pay, and is easily distracted.

    Its actions depend on its seed and the view alone.
    """

    title = "Beginner"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def act(self, view: View, limit: Limit) -> Action:  # noqa: ARG002  (needs no time)
        """The action to play now."""
        legal = view.legal()
        mood = Random(blake2b(view.states.tobytes(), digest_size=8, salt=self._seed.to_bytes(16)).digest())
        thinking = _Thinking(view, legal, mood)
        if view.phase in ("first_tickets", "tickets"):
            return thinking.kept()
        if view.phase == "announce":
            return min(legal, key=lambda action: action.id)  # short tickets look easier
        if view.phase == "passenger":
            return mood.choice(legal)
        if view.phase == "tunnel":
            return next((action for action in legal if action.kind == "pay_extra"), legal[0])
        return thinking.card() if view.phase == "second_card" else thinking.turn()


class _Thinking:
    """What a beginner sees in one view."""

    def __init__(self, view: View, legal: Sequence[Action], mood: Random) -> None:
        self._evaluation, self._legal, self._mood = Evaluation(view), legal, mood

    def kept(self) -> Action:
        """As few tickets as may be, and those with the fewest points."""
        offer = self._evaluation.offer
        return min(self._legal, key=lambda action: (sum(offer[i].points for i in action.kept), action.id))

    def turn(self) -> Action:
        """Claim on the way, or what looks nice; else take cards for the way, or more tickets when there is none."""
        claims = claims_of(self._legal)
        nice = [track for track in claims if self._evaluation.length(track) >= NICE_LENGTH]
        if nice and self._mood.random() < DISTRACTED:
            return self._paid(claims, self._mood.choice(nice))
        for track in self._way:
            if track in claims:
                return self._paid(claims, track)
        if not self._way and (found := self._without_a_way(claims)):
            return found
        return self.card()

    def _without_a_way(self, claims: Mapping[int, list[Action]]) -> Action | None:
        """More tickets now and then, else the longest track that can be paid."""
        tickets = [action for action in self._legal if action.kind == "draw_tickets"]
        if tickets and self._evaluation.trains >= MIN_TRAINS_FOR_MORE and self._mood.random() < WANTS_MORE:
            return tickets[0]
        longest = max(claims, key=lambda track: (self._evaluation.length(track), -track), default=None)
        return None if longest is None else self._paid(claims, longest)

    def card(self) -> Action:
        """A card for the next track of the way, a locomotive for its looks, else a blind card."""
        draws = {action.id: action for action in self._legal if action.kind in ("draw_face_up", "draw_blind")}
        if not draws:
            return self._anything()
        locomotive = draws.get(lay.DRAW_FACE_UP + lay.LOCO)
        if locomotive and self._mood.random() < FOND_OF_LOCOMOTIVES:
            return locomotive
        for track in self._way:
            wanted = draws.get(lay.DRAW_FACE_UP + self._colour_for(track))
            if wanted and self._evaluation.missing(track):
                return wanted
        return draws.get(lay.DRAW_BLIND) or draws[max(draws)]

    @cached_property
    def _way(self) -> tuple[int, ...]:
        """The tracks that the ticket in work still needs: of the tickets that can be completed the one with the fewest
        points, by the way with the fewest spaces.
        """
        for ticket in sorted(self._evaluation.tickets, key=lambda ticket: (ticket.points, ticket.a, ticket.b)):
            if way := self._missing_for(ticket):
                return way
        return ()

    def _missing_for(self, ticket: Ticket) -> tuple[int, ...]:
        """Tracks to claim for a ticket; none where it is completed, or cannot be with the trains left."""
        evaluation = self._evaluation
        own, usable, lengths = evaluation.own, evaluation.usable, evaluation.graph.lengths
        prices = [
            STEP if own >> i & 1 else length + STEP if usable >> i & 1 else IMPASSABLE
            for i, length in enumerate(lengths)
        ]
        places = evaluation.graph.places
        path = shortest_path(evaluation.graph, places[ticket.a], places[ticket.b], prices) or ()
        missing = tuple(track for track in path if not own >> track & 1)
        return missing if sum(lengths[track] for track in missing) <= evaluation.trains else ()

    def _colour_for(self, track: int) -> int:
        """The colour to collect for a track; for a gray one that of which most are held."""
        colour, hand = self._evaluation.colour(track), self._evaluation.hand
        return max(range(lay.LOCO), key=lambda kind: hand[kind]) if colour == lay.NONE else colour

    def _paid(self, claims: Mapping[int, list[Action]], track: int) -> Action:
        """The payment with the fewest locomotives."""
        return min(claims[track], key=lambda action: (dict(action.cards).get(LOCOMOTIVE, 0), action.id))

    def _anything(self) -> Action:
        """When there is no card to draw: any claim, else whatever is allowed."""
        claims = [action for action in self._legal if action.kind == "claim"]
        return self._mood.choice(claims or self._legal)
