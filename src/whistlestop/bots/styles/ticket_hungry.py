"""The ticket-hungry style: it draws tickets as long as its trains can serve them, and builds one network for all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from whistlestop.bots.evaluation import Evaluation, claims_of
from whistlestop.bots.paths import IMPASSABLE, STEP, shortest_path
from whistlestop.bots.styles.scripted import (
    ScriptedBot,
    blind_card,
    easiest_parallel,
    face_up_card,
    open_tickets,
    payment_for,
    ticket_draw,
    trains_for,
)
from whistlestop.engine import layout as lay
from whistlestop.mapfile import CARDS
from whistlestop.notation import Action
from whistlestop.views import TicketView

SPARE_TO_KEEP = 5
"""Tickets are kept that leave so many trains over, if there are some."""
SPARE_TO_DRAW = 8
"""Tickets are drawn while more trains than this are left over."""


class TicketHungryBot(ScriptedBot):
    """Draws tickets until its trains are planned for, then builds one network that connects all their cities.

    As published, under the name destination-hungry: tickets are drawn as long as the network for those it has leaves
    more than eight trains over. The network begins with the two cities farthest apart; the others join it one by one,
    by the shortest way in trains. Of offered tickets it keeps those with the most points, of tickets and tracks, for
    each train, if five trains are left over; else those that need the fewest trains; else those with the fewest points.
    It claims any track of the network that it can pay for, gray ones with colours that the network does not need, and
    takes the card that it needs most if it lies face up, else a useful face-up one, else a blind one. With the network
    built it claims the longest track it can pay for.

    Filled in: the network serves tickets that are not completed yet, begins with the ticket of the longest path, and
    leaves out tickets that cannot be connected or for which the trains do not last, those with the fewest points first;
    then, and in the last round, no more tickets are drawn.
    """

    title = "Ticket-hungry"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._planned: tuple[object, tuple[int, ...], bool] = (None, (), True)  # most actions leave it as it is

    def keep(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """The tickets with the most points for each train, if trains are left over."""
        held, offer = open_tickets(evaluation), evaluation.view.offer
        prices = prices_by_train(evaluation)

        def value(action: Action) -> tuple[int, float]:
            tickets = [*held, *(offer[i] for i in action.kept)]
            tracks = network(evaluation, tickets, prices)
            points = sum(ticket.points for ticket in tickets)
            trains = evaluation.trains if tracks is None else trains_for(evaluation, tracks)
            if tracks is None or trains > evaluation.trains:
                return 0, -points
            if trains > evaluation.trains - SPARE_TO_KEEP:
                return 1, -trains
            points += sum(evaluation.board.points[evaluation.length(track)] for track in tracks)
            return 2, points / max(trains, 1)

        return max(legal, key=lambda action: (value(action), -action.id))

    def turn(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """Tickets, a track of the network, another track when it is built, or a card."""
        tracks, complete = self._network(evaluation)
        hungry = complete and evaluation.trains - trains_for(evaluation, tracks) > SPARE_TO_DRAW
        if hungry and not evaluation.last and (found := ticket_draw(legal)):
            return found
        tracks = tuple(easiest_parallel(evaluation, track) for track in tracks)
        need = evaluation.needs(tracks)
        claim = self._claim(evaluation, legal, tracks, need) if tracks else self._longest_payable(evaluation, legal)
        return claim or self._draw(evaluation, legal, tracks, need) or self.anything(evaluation, legal)

    def _network(self, evaluation: Evaluation) -> tuple[tuple[int, ...], bool]:
        """The network for as many tickets as the trains last for, and whether these are all."""
        tickets = sorted(open_tickets(evaluation), key=lambda ticket: -ticket.points)
        key = evaluation.board.id, evaluation.own, evaluation.usable, evaluation.trains, tuple(tickets)
        if self._planned[0] != key:
            prices = prices_by_train(evaluation)
            served = [ticket for ticket in tickets if network(evaluation, [ticket], prices) is not None]
            while trains_for(evaluation, tracks := network(evaluation, served, prices) or ()) > evaluation.trains:
                served.pop()
            self._planned = key, tracks, served == tickets
        return self._planned[1:]

    def _claim(
        self, evaluation: Evaluation, legal: Sequence[Action], tracks: Iterable[int], need: Sequence[int]
    ) -> Action | None:
        """A track of the network, the longest that can be paid, gray ones with colours that are not needed."""
        order = self.order(evaluation)
        claims = claims_of(legal)
        for track in sorted(tracks, key=lambda track: (-evaluation.length(track), order[track])):
            gray = evaluation.colour(track) == lay.NONE
            allowed = [action for action in claims.get(track, ()) if not gray or not _pays_needed(action, need)]
            if found := payment_for(evaluation, allowed, track):
                return found
        return None

    def _longest_payable(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action | None:
        order = self.order(evaluation)
        claims = claims_of(legal)
        track = max(claims, key=lambda track: (evaluation.length(track), order[track]), default=None)
        return None if track is None else payment_for(evaluation, legal, track)

    @staticmethod
    def _draw(
        evaluation: Evaluation, legal: Sequence[Action], tracks: Iterable[int], need: Sequence[int]
    ) -> Action | None:
        """The card needed most, the commonest face-up card if it is needed or a gray track wants it, or a blind one."""
        missing = [max(0, n - held) for n, held in zip(need, evaluation.hand, strict=True)]
        gray = max((evaluation.length(track) for track in tracks if evaluation.colour(track) == lay.NONE), default=0)
        most = max(missing)
        faces = {kind: evaluation.face_up.count(kind) for kind in evaluation.face_up}
        commonest = max(faces, key=lambda kind: (faces[kind], missing[kind], -kind), default=lay.NONE)
        wanted = [kind for kind, n in enumerate(missing) if n and n == most]
        if commonest != lay.NONE and (missing[commonest] or (gray > most and faces[commonest] > 1)):
            wanted.append(commonest)
        found = (face_up_card(legal, {kind}) for kind in wanted)
        return next((action for action in found if action), None) or blind_card(legal)


def _pays_needed(action: Action, need: Sequence[int]) -> bool:
    """Whether a payment takes cards of a colour that the network needs."""
    return any(need[CARDS.index(card)] for card, _ in action.cards if card != CARDS[lay.LOCO])


def prices_by_train(evaluation: Evaluation) -> list[float]:
    """Prices by which the cheapest path needs the fewest trains."""
    return [
        STEP if evaluation.own >> track & 1 else length + STEP if evaluation.usable >> track & 1 else IMPASSABLE
        for track, length in enumerate(evaluation.graph.lengths)
    ]


def network(evaluation: Evaluation, tickets: Sequence[TicketView], prices: Sequence[float]) -> tuple[int, ...] | None:
    """Tracks to claim so that all cities of some tickets are connected; None if they cannot be."""
    graph = evaluation.graph
    ends = [(graph.places[ticket.a], graph.places[ticket.b]) for ticket in tickets]
    paths = [shortest_path(graph, a, b, prices) for a, b in ends]
    if any(path is None for path in paths):
        return None
    tracks = list(
        max((path or () for path in paths), key=lambda path: sum(prices[track] for track in path), default=())
    )
    waiting = [place for pair in ends for place in pair]
    while waiting := [place for place in waiting if not place & _cities(evaluation, tracks)]:
        more = shortest_path(graph, _cities(evaluation, tracks), frozenset().union(*waiting), prices)
        if more is None:
            return None
        tracks += more
    return tuple(dict.fromkeys(track for track in tracks if not evaluation.own >> track & 1))


def _cities(evaluation: Evaluation, tracks: Iterable[int]) -> set[int]:
    return {city for track in tracks for city in evaluation.graph.ends[track]}
