"""What the scripted styles share: paths, payments and draws, and what is published leaves open."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from random import Random
from zlib import crc32

from whistlestop.bots import Limit
from whistlestop.bots.evaluation import Evaluation, best_passenger, claims_of
from whistlestop.bots.paths import IMPASSABLE, STEP, shortest_path
from whistlestop.engine import layout as lay
from whistlestop.mapfile import CARDS
from whistlestop.notation import Action
from whistlestop.views import TicketView, View

TRAIN = 1 / 1024
"""What a train adds to the price of a track: of paths with as few tracks, the one with the fewest trains wins."""


class ScriptedBot(ABC):
    """A style: it says which tickets to keep and what to do on a turn. Its actions depend on seed and view alone.

    Filled in by us, the same for every style: no stations are built, since each one kept brings points; a tunnel that
    becomes dearer is paid for if possible; of two decks of tickets half comes from each; the passenger is taken that
    gains most points; ferries are paid with as few locomotives as they ask for. What is equally good is decided by the
    seed.
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def act(self, view: View, limit: Limit) -> Action:  # noqa: ARG002  (needs no time)
        """The action to play now."""
        legal = view.legal()
        if len(legal) == 1:
            return legal[0]
        match view.phase:
            case "announce":
                return half_of_each(legal)
            case "first_tickets":
                return self.keep_first(Evaluation(view), legal)
            case "tickets":
                return self.keep(Evaluation(view), legal)
            case "tunnel":
                return paid_extra(legal)
            case "passenger":
                return best_passenger(Evaluation(view), legal)
        return self.turn(Evaluation(view), legal)

    # -- what a style decides --------------------------------------------------------------------------------------
    def keep_first(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """The first choice of tickets; like the later ones unless a style says otherwise."""
        return self.keep(evaluation, legal)

    @abstractmethod
    def keep(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """Which of the offered tickets to keep."""

    @abstractmethod
    def turn(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """A claim, a card or tickets; where only a second card may be drawn, that card."""

    # -- what styles decide with -----------------------------------------------------------------------------------
    def order(self, evaluation: Evaluation) -> Sequence[int]:
        """A number for each track, by the seed, to decide between tracks that are equally good."""
        return seeded_order(self._seed, len(evaluation.graph.lengths))

    def longest(self, evaluation: Evaluation) -> int | None:
        """The longest track that the player has trains for, of several the one nearest to being paid."""
        order = self.order(evaluation)
        tracks = [track for track in tracks_left(evaluation) if evaluation.length(track) <= evaluation.trains]
        return max(
            tracks,
            key=lambda track: (evaluation.length(track), -evaluation.missing(track), order[track]),
            default=None,
        )

    def anything(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """A card by chance, else a claim, else whatever can be done; the seed and the view decide."""
        random = Random(f"{self._seed} {crc32(evaluation.view.states.tobytes())}")
        cards = [action for action in legal if action.kind in ("draw_face_up", "draw_blind")]
        claims = [action for action in legal if action.kind == "claim"]
        return random.choice(cards or claims or legal)


@lru_cache(maxsize=256)
def seeded_order(seed: int, tracks: int) -> tuple[int, ...]:
    """The numbers of the tracks in an order of the seed's."""
    return tuple(Random(seed).sample(range(tracks), tracks))


# ---- tracks and paths -----------------------------------------------------------------------------------------------
def tracks_left(evaluation: Evaluation) -> list[int]:
    """Tracks that the player may still claim."""
    return [track for track in range(len(evaluation.graph.lengths)) if evaluation.usable >> track & 1]


def prices_by_track(evaluation: Evaluation, least: int = 0) -> list[float]:
    """Prices by which the cheapest path has the fewest tracks to claim, none of them shorter than `least`."""
    return [
        STEP * TRAIN
        if evaluation.own >> track & 1
        else 1 + length * TRAIN
        if evaluation.usable >> track & 1 and length >= least
        else IMPASSABLE
        for track, length in enumerate(evaluation.graph.lengths)
    ]


def easiest_parallel(evaluation: Evaluation, track: int) -> int:
    """Of a track and those beside it that are as long, the one nearest to being paid."""
    a, b = evaluation.graph.ends[track]
    beside = [
        other
        for city, other in evaluation.graph.neighbours[a]
        if city == b and evaluation.usable >> other & 1 and evaluation.length(other) == evaluation.length(track)
    ]
    return min(beside, key=lambda other: (evaluation.missing(other), other != track, other))


def missing_tracks(evaluation: Evaluation, ticket: TicketView, prices: Sequence[float]) -> list[int] | None:
    """Tracks to claim on the cheapest path of a ticket, in order, or None where there is no path.

    Of parallel tracks it is the one nearest to being paid.
    """
    graph = evaluation.graph
    path = shortest_path(graph, graph.places[ticket.a], graph.places[ticket.b], prices)
    if path is None:
        return None
    return [easiest_parallel(evaluation, track) for track in path if not evaluation.own >> track & 1]


def trains_for(evaluation: Evaluation, tracks: Iterable[int]) -> int:
    """Trains that claiming tracks takes."""
    return sum(evaluation.length(track) for track in tracks)


def open_tickets(evaluation: Evaluation) -> list[TicketView]:
    """The player's tickets that are not completed."""
    return [ticket for ticket in evaluation.view.tickets if not ticket.completed]


# ---- actions --------------------------------------------------------------------------------------------------------
def payment_for(evaluation: Evaluation, legal: Sequence[Action], track: int) -> Action | None:
    """A claim of a track, paid with few locomotives and the colour that is held most; None if it cannot be paid."""

    def cost(action: Action) -> tuple[int, int, int]:
        paid = dict(action.cards)
        colour = next((CARDS.index(card) for card in paid if card != CARDS[lay.LOCO]), lay.LOCO)
        return paid.get(CARDS[lay.LOCO], 0), -evaluation.hand[colour], action.id

    return min(claims_of(legal).get(track, ()), key=cost, default=None)


def face_up_card(legal: Sequence[Action], kinds: Collection[int]) -> Action | None:
    """A draw of a face-up card of some kind."""
    return next((action for action in legal if action.id - lay.DRAW_FACE_UP in kinds and action.card), None)


def blind_card(legal: Sequence[Action]) -> Action | None:
    """A draw from the deck."""
    return next((action for action in legal if action.kind == "draw_blind"), None)


def most_held(evaluation: Evaluation) -> int:
    """The colour of which the player holds most cards."""
    return max(range(lay.LOCO), key=lambda kind: (evaluation.hand[kind], -kind))


def wanted_colour(evaluation: Evaluation, track: int) -> int:
    """The colour to collect for a track: its own; for a gray one what is held most."""
    colour = evaluation.colour(track)
    return most_held(evaluation) if colour == lay.NONE else colour


def all_kept(legal: Sequence[Action]) -> Action:
    """The choice of tickets that keeps the most."""
    return max(legal, key=lambda action: (len(action.kept), -action.id))


def ticket_draw(legal: Sequence[Action]) -> Action | None:
    """A draw of tickets, half from each deck where there are two; None if there is none to draw."""
    draws = [action for action in legal if action.kind == "draw_tickets"]
    return half_of_each(draws) if draws else None


def half_of_each(legal: Sequence[Action]) -> Action:
    """The mix of two decks that is nearest to half of each."""
    return min(legal, key=lambda action: (_unevenness(action), action.id))


def _unevenness(action: Action) -> int:
    counts = [n for _, n in action.mix]
    return abs(2 * counts[0] - sum(counts)) if counts else 0


def paid_extra(legal: Sequence[Action]) -> Action:
    """Pay what a tunnel costs more, with few locomotives; give up if it cannot be paid."""

    def cost(action: Action) -> tuple[bool, int, int]:
        return action.kind != "pay_extra", dict(action.cards).get(CARDS[lay.LOCO], 0), action.id

    return min(legal, key=cost)
