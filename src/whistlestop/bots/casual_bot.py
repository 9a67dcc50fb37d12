"""The casual bot: plans a path for its tickets, collects cards for it and claims what it can, by rules of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from whistlestop.bots import Limit
from whistlestop.bots.evaluation import Evaluation, base_prices, best_passenger, claims_of
from whistlestop.bots.paths import IMPASSABLE, Plan
from whistlestop.engine import layout as lay
from whistlestop.mapfile import GRAY, Board
from whistlestop.notation import Action
from whistlestop.views import View

MIN_TRAINS_FOR_TICKETS = 9
"""New tickets are drawn with at least so many trains …"""
MIN_TURNS_FOR_TICKETS = 8.0
"""… and so many turns left."""
MIN_TRAINS_FOR_LONG_TICKETS = 30
"""Long tickets are asked for with at least so many trains, where there is a choice."""
TUNNEL_RISK = 4.0
"""Cost of entering a tunnel with no card left for its extra price: two of five times the turn is lost."""
LARGE_HAND = 18
"""With so many cards in hand, those that the plan does not need are spent on long tracks."""
LONG_TRACK = 5
"""Spaces of a track that is worth claiming without a plan."""
FACE_UP_LOCOMOTIVE = 1.1
"""Value of a face-up locomotive, in useful cards."""
POINTS_PER_PRICE = 0.5
"""Points that each unit of a plan's price takes off when tickets are chosen."""
TRAINS_TO_PLAN_WITH = 0.85
"""Share of the trains that a choice of tickets may need; the rest is for detours."""


class CasualBot:
    """Plans the cheapest path for its tickets, collects the cards for it and claims what it can.

    Its actions depend on its seed and the view alone. The seed makes some tracks a little cheaper to it than others.
    """

    title = "Casual"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._base: tuple[Board, list[float]] | None = None
        self._plan: tuple[object, Plan, list[float]] | None = None  # kept because most actions leave the plan as it is

    def act(self, view: View, limit: Limit) -> Action:  # noqa: ARG002  (needs no time)
        """The action to play now."""
        legal = view.legal()
        if len(legal) == 1:
            return legal[0]
        answers = {
            "announce": self._mix, "first_tickets": self._keep, "tickets": self._keep, "turn": self._turn,
            "second_card": self._second_card, "tunnel": self._tunnel, "passenger": best_passenger,
        }  # fmt: skip
        return answers[view.phase](Evaluation(view), legal)

    # -- plans -----------------------------------------------------------------------------------------------------
    def _prices(self, evaluation: Evaluation) -> list[float]:
        board = evaluation.board
        if self._base is None or self._base[0] is not board:
            random = Random(self._seed)
            self._base = board, base_prices(board, [random.random() for _ in board.tracks])
        return evaluation.prices(self._base[1])

    def _planned(self, evaluation: Evaluation) -> tuple[Plan, list[float]]:
        """The plan for the tickets held, and the prices it goes by."""
        tickets, budget = evaluation.tickets, evaluation.budget()
        taken = (
            evaluation.own,
            evaluation.usable,
            evaluation.foreign,
            evaluation.station_cities,
            tuple(evaluation.waiting.items()),
        )
        key = (evaluation.board.id, taken, tuple(evaluation.hand), tuple(tickets), budget)
        if self._plan is None or self._plan[0] != key:
            prices = self._prices(evaluation)
            self._plan = key, evaluation.plan(tickets, prices, budget), prices
        return self._plan[1], self._plan[2]

    # -- tickets ---------------------------------------------------------------------------------------------------
    def _keep(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """The tickets with the best plan: points, less a part of its price."""
        held, offer, prices = evaluation.tickets, evaluation.offer, self._prices(evaluation)
        budget = replace(
            evaluation.budget(),
            trains=int(TRAINS_TO_PLAN_WITH * evaluation.trains),
            turns=evaluation.turns_left,
            cards=evaluation.cards,
            stations=0,
        )

        def value(action: Action) -> float:
            kept = [offer[i] for i in action.kept]
            plan = evaluation.plan([*held, *kept], prices, budget)
            return plan.points - POINTS_PER_PRICE * plan.price

        return max(legal, key=value)

    def _mix(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """One long ticket while there are trains for it, else short ones only."""
        long = 1 if evaluation.trains >= MIN_TRAINS_FOR_LONG_TICKETS else 0
        return min(legal, key=lambda action: abs(action.id - lay.DRAW_TICKETS - long))

    def _wants_tickets(self, evaluation: Evaluation) -> bool:
        return evaluation.trains >= MIN_TRAINS_FOR_TICKETS and evaluation.turns_left >= MIN_TURNS_FOR_TICKETS

    # -- a turn ----------------------------------------------------------------------------------------------------
    def _turn(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        if evaluation.last:
            return self._last_turn(evaluation, legal)
        plan, prices = self._planned(evaluation)
        if found := self._claim(evaluation, legal, plan, prices):
            return found
        if not plan.tracks:
            if found := self._station(evaluation, legal, plan):
                return found
            tickets = [action for action in legal if action.kind == "draw_tickets"]
            if tickets and self._wants_tickets(evaluation):
                return self._mix(evaluation, tickets)
        if found := self._grab(evaluation, legal, plan):
            return found
        return self._draw(evaluation, legal, plan.tracks or evaluation.targets()[:1]) or self._anything(
            evaluation, legal
        )

    def _claim(
        self, evaluation: Evaluation, legal: Sequence[Action], plan: Plan, prices: Sequence[float]
    ) -> Action | None:
        """The planned track to claim now: tracks in danger first, then long ones, unless the payment costs too much."""
        claims = claims_of(legal)
        best: tuple[float, Action] | None = None
        patience = 1.5 + max(0.0, (evaluation.cards - 12) / 4) + max(0.0, 8 - evaluation.turns_left)
        for track in plan.tracks:
            if track not in claims:
                continue
            payment, waste = self._payment(evaluation, claims[track], track, plan.tracks)
            danger = evaluation.danger(track, prices, plan.tracks)
            rank = danger + 0.5 * evaluation.length(track) - waste
            if waste <= patience + danger / 4 and (best is None or rank > best[0]):
                best = rank, payment
        return best[1] if best else None

    def _payment(
        self, evaluation: Evaluation, claims: Sequence[Action], track: int, plan: Sequence[int]
    ) -> tuple[Action, float]:
        """The payment for a track that wastes least, and how much it wastes."""
        line = evaluation.board.tracks[track]
        need = evaluation.needs(other for other in plan if other != track)
        if line.colour != GRAY:
            need[evaluation.colour(track)] = 0  # they may as well be spent here
        rated = [(evaluation.waste(action.cards, need, line.ferry), action.id, action) for action in claims]
        waste, _, action = min(rated)  # no two actions have the same number
        if line.tunnel and not evaluation.left_over(action.cards):
            waste += TUNNEL_RISK
        return action, waste

    def _grab(self, evaluation: Evaluation, legal: Sequence[Action], plan: Plan) -> Action | None:
        """A track for its own points: without a plan the best one, else a long one from cards and trains to spare."""
        claims = claims_of(legal)
        if not plan.tracks:
            target = next(iter(evaluation.targets()), None)
            if target is None or target not in claims:
                return None
            return self._payment(evaluation, claims[target], target, ())[0]
        spare = evaluation.trains - sum(evaluation.length(track) for track in plan.tracks) - 2
        if evaluation.cards < LARGE_HAND:
            return None
        long = [
            track for track in claims if LONG_TRACK <= evaluation.length(track) <= spare and track not in plan.tracks
        ]
        rated = [
            (-evaluation.worth(track), *self._payment(evaluation, claims[track], track, plan.tracks)) for track in long
        ]
        cheap = [(worth, action.id, action) for worth, action, waste in rated if waste < 0.5]
        return min(cheap)[2] if cheap else None

    def _anything(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """When there is nothing to draw: the claim that brings most points, else any action."""
        claims = claims_of(legal)
        if claims:
            track = max(claims, key=lambda track: (evaluation.worth(track), -track))
            return self._payment(evaluation, claims[track], track, ())[0]
        ranks = {"draw_blind": 0, "draw_face_up": 1, "draw_tickets": 4 if evaluation.last else 2, "station": 3}
        return min(legal, key=lambda action: (ranks.get(action.kind, 5), action.id))

    def _last_turn(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """What brings most points at once: a ticket completed by a track or a station, or the track worth most."""
        claims = claims_of(legal)
        there = evaluation.own | evaluation.foreign
        prices = [
            price if there >> i & 1 or i in claims else IMPASSABLE for i, price in enumerate(self._prices(evaluation))
        ]
        before, plan = (
            evaluation.plan(evaluation.tickets, prices, replace(evaluation.budget(), turns=turns, cards=1000))
            for turns in (0.0, 1.0)
        )
        gain = plan.points - before.points
        track = max(claims, key=lambda track: (evaluation.worth(track), -track), default=None)
        best = 0.0 if track is None else evaluation.worth(track)
        if gain and plan.tracks and gain + evaluation.worth(plan.tracks[0]) >= best:
            track = plan.tracks[0]
        elif gain > evaluation.edition.station_points + best and (found := self._station(evaluation, legal, plan)):
            return found
        return (
            self._anything(evaluation, legal)
            if track is None
            else self._payment(evaluation, claims[track], track, ())[0]
        )

    # -- stations and tunnels -----------------------------------------------------------------------------
    def _station(self, evaluation: Evaluation, legal: Sequence[Action], plan: Plan) -> Action | None:
        """A station that lets the plan borrow a track, paid with the cards that are needed least."""
        cities = evaluation.board.cities
        for track in plan.borrowed:
            ends = evaluation.graph.ends[track]
            if any(evaluation.stations >> city & 1 for city in ends):
                continue
            names = {cities[city].name for city in ends if evaluation.may_stand(city)}
            options = [action for action in legal if action.kind == "station" and action.city in names]
            if options:
                return min(
                    options,
                    key=lambda action: (evaluation.waste(action.cards, [0] * lay.KINDS), action.id),
                )
        return None

    def _tunnel(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """Pay if possible, unless that takes several locomotives and there is time to try again."""
        paying = [action for action in legal if action.kind == "pay_extra"]
        if not paying:
            return legal[0]
        need = [0] * lay.KINDS
        waste, _, best = min((evaluation.waste(action.cards, need), action.id, action) for action in paying)
        giving_up = next(action for action in legal if action.kind == "give_up")
        return giving_up if waste > 2.5 and evaluation.turns_left > 6 else best

    # -- cards -----------------------------------------------------------------------------------------------------
    def _draw(self, evaluation: Evaluation, legal: Sequence[Action], tracks: Sequence[int]) -> Action | None:
        """The first card: a wanted face-up one, a face-up locomotive that completes a track, else a blind one."""
        draws = {action.id: action for action in legal if action.kind in ("draw_face_up", "draw_blind")}
        if not draws:
            return None
        want = evaluation.wants(tracks)
        locomotive = draws.get(lay.DRAW_FACE_UP + lay.LOCO)
        return (
            locomotive
            if locomotive and self._prefers_locomotive(evaluation, tracks, want)
            else self._best_card(draws, want, evaluation)
        )

    @staticmethod
    def _prefers_locomotive(evaluation: Evaluation, tracks: Sequence[int], want: Sequence[float]) -> bool:
        """Whether a face-up locomotive helps more than two other cards, face up where useful, else blind."""
        useful = min(2, sum(1 for kind in evaluation.face_up if kind != lay.LOCO and want[kind] > 0))
        luck = (1 + sum(1 for weight in want[: lay.LOCO] if weight > 0)) / lay.KINDS
        settles = any(evaluation.missing(track) == 1 and evaluation.length(track) > 2 for track in tracks)
        value = FACE_UP_LOCOMOTIVE + 0.3 * settles + 0.6 * (want[lay.LOCO] > 0)
        return any(want) and value > useful + (2 - useful) * luck

    def _second_card(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        plan, _ = self._planned(evaluation)
        tracks = plan.tracks or evaluation.targets()[:1]
        return self._best_card({action.id: action for action in legal}, evaluation.wants(tracks), evaluation)

    @staticmethod
    def _best_card(draws: dict[int, Action], want: Sequence[float], evaluation: Evaluation) -> Action:
        """The face-up card that is wanted most, else a blind one, else a locomotive."""
        colours = [kind for kind in range(lay.LOCO) if lay.DRAW_FACE_UP + kind in draws]
        best = max(colours, key=lambda kind: (want[kind], evaluation.hand[kind]), default=lay.LOCO)
        if lay.DRAW_BLIND in draws and (best == lay.LOCO or want[best] <= 0):
            return draws[lay.DRAW_BLIND]
        return draws[lay.DRAW_FACE_UP + best]
