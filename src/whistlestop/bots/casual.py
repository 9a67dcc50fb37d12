"""The casual player: plans a way for its tickets, collects the cards for it, claims what it can. Everything by plain rules of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from random import Random

from whistlestop.bots import Limit
from whistlestop.bots.outlook import Outlook, base_prices, claims_of, passenger_points
from whistlestop.bots.ways import IMPASSABLE, Plan
from whistlestop.engine import layout as lay
from whistlestop.mapfile import GRAY, Board
from whistlestop.notation import Action
from whistlestop.views import View

TICKETS_TRAINS = 9
"""Fewest trains with which new tickets are drawn."""
TICKETS_TURNS = 8.0
"""Fewest turns left with which new tickets are drawn."""
LONG_TICKETS_TRAINS = 30
"""With so many trains long tickets are asked for, where there is a choice."""
TUNNEL_RISK = 4.0
"""How much it hurts to enter a tunnel with nothing left to pay if it becomes dearer: two of five times the turn is lost."""
HOARD = 18
"""With so many cards in hand, those that the plan does not want are spent on long tracks."""
LONG = 5
"""Spaces of a track that is worth claiming for its own sake."""
LOCOMOTIVE = 1.1
"""Worth of a face-up locomotive in cards that help."""
UPKEEP = 0.5
"""Points of a ticket that each unit of its price takes away when tickets are chosen."""
SAFETY = 0.85
"""Share of the trains that a choice of tickets may need: some detour is always forced."""


class Casual:
    """Plans the cheapest way for its tickets, collects the cards for it and claims what it can.

    What it does is told by its seed and the view alone. The seed gives it a taste: tracks it likes a little better than others.
    """

    title = "Casual"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._base: tuple[Board, list[float]] | None = None
        self._plan: tuple[object, Plan, list[float]] | None = None  # kept because most actions leave the plan as it is

    def act(self, view: View, limit: Limit) -> Action:  # noqa: ARG002  (rules of thumb need no time)
        """The action to play now."""
        legal = view.legal()
        if len(legal) == 1:
            return legal[0]
        answers = {
            "announce": self._mix, "first_tickets": self._keep, "tickets": self._keep, "turn": self._turn,
            "second_card": self._second_card, "tunnel": self._tunnel, "passenger": self._passenger,
        }  # fmt: skip
        return answers[view.phase](Outlook(view), legal)

    # -- plans -----------------------------------------------------------------------------------------------------
    def _prices(self, outlook: Outlook) -> list[float]:
        board = outlook.board
        if self._base is None or self._base[0] is not board:
            random = Random(self._seed)
            self._base = board, base_prices(board, [random.random() for _ in board.tracks])
        return outlook.prices(self._base[1])

    def _planned(self, outlook: Outlook) -> tuple[Plan, list[float]]:
        """The plan for the tickets held, and the prices it goes by."""
        tickets, budget = outlook.tickets, outlook.budget()
        taken = (outlook.own, outlook.usable, outlook.foreign, outlook.station_cities, tuple(outlook.waiting.items()))
        key = (outlook.board.id, taken, tuple(outlook.hand), tuple(tickets), budget)
        if self._plan is None or self._plan[0] != key:
            prices = self._prices(outlook)
            self._plan = key, outlook.plan(tickets, prices, budget), prices
        return self._plan[1], self._plan[2]

    # -- tickets ---------------------------------------------------------------------------------------------------
    def _keep(self, outlook: Outlook, legal: Sequence[Action]) -> Action:
        """The choice that promises most, after what it costs to build."""
        held, offer, prices = outlook.tickets, outlook.offer, self._prices(outlook)
        budget = replace(
            outlook.budget(),
            trains=int(SAFETY * outlook.trains),
            turns=outlook.turns_left,
            cards=outlook.cards,
            stations=0,
        )

        def promise(action: Action) -> float:
            kept = [offer[i] for i in dict(action.parts)["kept"]]
            plan = outlook.plan([*held, *kept], prices, budget)
            return plan.points - UPKEEP * plan.price

        return max(legal, key=promise)

    def _mix(self, outlook: Outlook, legal: Sequence[Action]) -> Action:
        """Some long tickets while there are trains for them, else short ones."""
        long = 1 if outlook.trains >= LONG_TICKETS_TRAINS else 0
        return min(legal, key=lambda action: abs(action.id - lay.DRAW_TICKETS - long))

    def _wants_tickets(self, outlook: Outlook) -> bool:
        return outlook.trains >= TICKETS_TRAINS and outlook.turns_left >= TICKETS_TURNS

    # -- a turn ----------------------------------------------------------------------------------------------------
    def _turn(self, outlook: Outlook, legal: Sequence[Action]) -> Action:
        if outlook.last:
            return self._last_turn(outlook, legal)
        plan, prices = self._planned(outlook)
        if found := self._claim(outlook, legal, plan, prices):
            return found
        if not plan.tracks:
            if found := self._station(outlook, legal, plan):
                return found
            tickets = [action for action in legal if action.kind == "draw_tickets"]
            if tickets and self._wants_tickets(outlook):
                return self._mix(outlook, tickets)
        if found := self._grab(outlook, legal, plan):
            return found
        return self._draw(outlook, legal, plan.tracks or outlook.targets()[:1]) or self._anything(outlook, legal)

    def _claim(self, outlook: Outlook, legal: Sequence[Action], plan: Plan, prices: Sequence[float]) -> Action | None:
        """The planned track to claim now: what is in danger first, then long ones; not at a price that hurts more than it helps."""
        claims = claims_of(legal)
        best: tuple[float, Action] | None = None
        patience = 1.5 + max(0.0, (outlook.cards - 12) / 4) + max(0.0, 8 - outlook.turns_left)
        for track in plan.tracks:
            if track not in claims:
                continue
            payment, waste = self._payment(outlook, claims[track], track, plan.tracks)
            danger = outlook.danger(track, prices, plan.tracks)
            rank = danger + 0.5 * outlook.length(track) - waste
            if waste <= patience + danger / 4 and (best is None or rank > best[0]):
                best = rank, payment
        return best[1] if best else None

    def _payment(
        self, outlook: Outlook, claims: Sequence[Action], track: int, plan: Sequence[int]
    ) -> tuple[Action, float]:
        """The way to pay for a track that hurts least, and how much it does."""
        line = outlook.board.tracks[track]
        need = outlook.needs(other for other in plan if other != track)
        if line.colour != GRAY:
            need[outlook.colour(track)] = 0  # they may as well be spent here
        rated = [(outlook.waste(dict(action.parts)["cards"], need, line.ferry), action.id, action) for action in claims]
        waste, _, action = min(rated)  # no two actions have the same number
        if line.tunnel and not outlook.left_over(dict(action.parts)["cards"]):
            waste += TUNNEL_RISK
        return action, waste

    def _grab(self, outlook: Outlook, legal: Sequence[Action], plan: Plan) -> Action | None:
        """A track for its own sake: the best one without a plan; beside a plan a long one, of cards and trains that it leaves over."""
        claims = claims_of(legal)
        if not plan.tracks:
            target = next(iter(outlook.targets()), None)
            return (
                self._payment(outlook, claims[target], target, ())[0]
                if target in claims and target is not None
                else None
            )
        spare = outlook.trains - sum(outlook.length(track) for track in plan.tracks) - 2
        if outlook.cards < HOARD:
            return None
        long = [track for track in claims if LONG <= outlook.length(track) <= spare and track not in plan.tracks]
        rated = [(-outlook.worth(track), *self._payment(outlook, claims[track], track, plan.tracks)) for track in long]
        cheap = [(worth, action.id, action) for worth, action, waste in rated if waste < 0.5]
        return min(cheap)[2] if cheap else None

    def _anything(self, outlook: Outlook, legal: Sequence[Action]) -> Action:
        """When there is nothing to draw: any claim that brings points, else whatever is left to do."""
        claims = claims_of(legal)
        if claims:
            track = max(claims, key=lambda track: (outlook.worth(track), -track))
            return self._payment(outlook, claims[track], track, ())[0]
        ranks = {"draw_blind": 0, "draw_face_up": 1, "draw_tickets": 4 if outlook.last else 2, "station": 3}
        return min(legal, key=lambda action: (ranks.get(action.kind, 5), action.id))

    def _last_turn(self, outlook: Outlook, legal: Sequence[Action]) -> Action:
        """What brings most points at once: a ticket completed by a track or a station, or the dearest track."""
        claims = claims_of(legal)
        there = outlook.own | outlook.foreign
        prices = [
            price if there >> i & 1 or i in claims else IMPASSABLE for i, price in enumerate(self._prices(outlook))
        ]
        before, plan = (
            outlook.plan(outlook.tickets, prices, replace(outlook.budget(), turns=turns, cards=1000))
            for turns in (0.0, 1.0)
        )
        gain = plan.points - before.points
        track = max(claims, key=lambda track: (outlook.worth(track), -track), default=None)
        best = 0.0 if track is None else outlook.worth(track)
        if gain and plan.tracks and gain + outlook.worth(plan.tracks[0]) >= best:
            track = plan.tracks[0]
        elif gain > outlook.edition.station_points + best and (found := self._station(outlook, legal, plan)):
            return found
        return self._anything(outlook, legal) if track is None else self._payment(outlook, claims[track], track, ())[0]

    # -- stations, tunnels, passengers -----------------------------------------------------------------------------
    def _station(self, outlook: Outlook, legal: Sequence[Action], plan: Plan) -> Action | None:
        """A station that lets the plan borrow a track, paid with what is needed least."""
        cities = outlook.board.cities
        for track in plan.borrowed:
            ends = outlook.network.ends[track]
            if any(outlook.stations >> city & 1 for city in ends):
                continue
            names = {cities[city].name for city in ends if outlook.may_stand(city)}
            options = [action for action in legal if action.kind == "station" and action.parts[0][1] in names]
            if options:
                return min(
                    options, key=lambda action: (outlook.waste(dict(action.parts)["cards"], [0] * lay.KINDS), action.id)
                )
        return None

    def _tunnel(self, outlook: Outlook, legal: Sequence[Action]) -> Action:
        """Pay if it can be paid, unless it takes several locomotives and there is time to try again."""
        paying = [action for action in legal if action.kind == "pay_extra"]
        if not paying:
            return legal[0]
        need = [0] * lay.KINDS
        waste, _, best = min((outlook.waste(dict(action.parts)["cards"], need), action.id, action) for action in paying)
        giving_up = next(action for action in legal if action.kind == "give_up")
        return giving_up if waste > 2.5 and outlook.turns_left > 6 else best

    def _passenger(self, outlook: Outlook, legal: Sequence[Action]) -> Action:
        """The passenger whose colour gains most on the others."""
        colours = tuple(outlook.board.passenger_colours)
        collected = outlook.state.collected[: len(outlook.view.names)].tolist()
        player, points = outlook.view.player, outlook.edition.passenger_points

        def standing(counts: Sequence[int]) -> float:
            """Own points, less those of the others on average."""
            won = [passenger_points(counts, p, points) for p in range(len(counts))]
            return won[player] - (sum(won) - won[player]) / (len(won) - 1)

        def value(action: Action) -> float:
            passenger = dict(action.parts)["passenger"]
            if passenger is None:
                return -inf
            counts: list[int] = [row[colours.index(passenger)] for row in collected]
            now, lead = standing(counts), max(counts)
            counts[player] += 1
            return standing(counts) - now + 0.5 * counts[player] - max(0, lead - counts[player])

        return max(legal, key=value)

    # -- cards -----------------------------------------------------------------------------------------------------
    def _draw(self, outlook: Outlook, legal: Sequence[Action], tracks: Sequence[int]) -> Action | None:
        """The first card: a face-up one that is wanted, a face-up locomotive where it settles a track, else a blind one."""
        draws = {action.id: action for action in legal if action.kind in ("draw_face_up", "draw_blind")}
        if not draws:
            return None
        want = outlook.wants(tracks)
        locomotive = draws.get(lay.DRAW_FACE_UP + lay.LOCO)
        return (
            locomotive
            if locomotive and self._prefers_locomotive(outlook, tracks, want)
            else self._best_card(draws, want, outlook)
        )

    @staticmethod
    def _prefers_locomotive(outlook: Outlook, tracks: Sequence[int], want: Sequence[float]) -> bool:
        """Whether a face-up locomotive helps more than two other cards: the useful ones that lie there, and luck for the rest."""
        useful = min(2, sum(1 for kind in outlook.face_up if kind != lay.LOCO and want[kind] > 0))
        luck = (1 + sum(1 for weight in want[: lay.LOCO] if weight > 0)) / lay.KINDS
        settles = any(outlook.missing(track) == 1 and outlook.length(track) > 2 for track in tracks)
        value = LOCOMOTIVE + 0.3 * settles + 0.6 * (want[lay.LOCO] > 0)
        return any(want) and value > useful + (2 - useful) * luck

    def _second_card(self, outlook: Outlook, legal: Sequence[Action]) -> Action:
        plan, _ = self._planned(outlook)
        tracks = plan.tracks or outlook.targets()[:1]
        return self._best_card({action.id: action for action in legal}, outlook.wants(tracks), outlook)

    @staticmethod
    def _best_card(draws: dict[int, Action], want: Sequence[float], outlook: Outlook) -> Action:
        """The face-up card that is wanted most; a blind one if none is wanted; a locomotive only if there is nothing else."""
        colours = [kind for kind in range(lay.LOCO) if lay.DRAW_FACE_UP + kind in draws]
        best = max(colours, key=lambda kind: (want[kind], outlook.hand[kind]), default=lay.LOCO)
        if lay.DRAW_BLIND in draws and (best == lay.LOCO or want[best] <= 0):
            return draws[lay.DRAW_BLIND]
        return draws[lay.DRAW_FACE_UP + best]
