"""The one-step style: one goal at a time, the next track for the ticket that is worth most."""

from __future__ import annotations

from collections.abc import Sequence

from whistlestop.bots.evaluation import Evaluation
from whistlestop.bots.styles.scripted import (
    ScriptedBot,
    all_kept,
    blind_card,
    face_up_card,
    missing_tracks,
    open_tickets,
    payment_for,
    prices_by_track,
    ticket_draw,
    trains_for,
    wanted_colour,
)
from whistlestop.engine import layout as lay
from whistlestop.notation import Action

TRAINS_TO_DRAW_TICKETS = 8
"""New tickets are drawn as long as every player has so many trains."""


class OneStepBot(ScriptedBot):
    """Thinks of one track at a time: the next one for its best ticket, else new tickets, else the longest track.

    As published: it keeps all its first tickets. Its goal is the first track that is missing on the shortest path for
    the most valuable ticket it has not completed; it claims that track if it can, else takes a face-up card of its
    colour, a face-up locomotive, or a blind card. With all tickets completed it draws new ones while everybody has
    eight trains; after that it goes for the longest track. Of new tickets it means to keep those with the most points
    for each train (an error makes the program keep the cheapest).

    Filled in: a ticket whose path needs more trains than are left is given up. The shortest path is that with the
    fewest tracks to claim; own ones are free.
    """

    title = "One step"
    shortest = 0
    """Tracks shorter than this are no part of a path."""

    def keep_first(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """All of them."""
        del evaluation
        return all_kept(legal)

    def keep(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """The tickets with the most points for each train, if there are trains for them, else the fewest points."""
        prices, offer = prices_by_track(evaluation, self.least_length(evaluation)), evaluation.view.offer
        paths = [missing_tracks(evaluation, ticket, prices) for ticket in offer]

        def value(action: Action) -> tuple[bool, float]:
            points = sum(offer[i].points for i in action.kept)
            found = [path for i in action.kept if (path := paths[i]) is not None]
            trains = sum(trains_for(evaluation, path) for path in found)
            fits = len(found) == len(action.kept) and trains <= evaluation.trains
            return fits, points / max(trains, 1) if fits else -points

        return max(legal, key=lambda action: (value(action), -action.id))

    def turn(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """Work on the next track of the best ticket, else draw tickets, else work on the longest track."""
        track = self._next_track(evaluation)
        if track is None and self.wants_tickets(evaluation) and (found := ticket_draw(legal)):
            return found
        track = self.longest(evaluation) if track is None else track
        if track is None:
            return self.anything(evaluation, legal)
        return (
            payment_for(evaluation, legal, track)
            or face_up_card(legal, {wanted_colour(evaluation, track)})
            or face_up_card(legal, {lay.LOCO})
            or blind_card(legal)
            or self.anything(evaluation, legal)
        )

    def wants_tickets(self, evaluation: Evaluation) -> bool:
        """Whether there is time for new tickets."""
        return min(evaluation.trains, evaluation.rival_trains) >= TRAINS_TO_DRAW_TICKETS

    def least_length(self, evaluation: Evaluation) -> int:
        """Spaces of the shortest track that may be part of a path."""
        return min(self.shortest, evaluation.trains)

    def _next_track(self, evaluation: Evaluation) -> int | None:
        """The first missing track for the most valuable ticket that can still be completed."""
        prices = prices_by_track(evaluation, self.least_length(evaluation))
        for ticket in sorted(open_tickets(evaluation), key=lambda ticket: -ticket.points):
            path = missing_tracks(evaluation, ticket, prices)
            if path and trains_for(evaluation, path) <= evaluation.trains:
                return path[0]
        return None
