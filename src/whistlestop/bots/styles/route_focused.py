"""The route-focused style: every track of every path has its worth, and the best that can be claimed is claimed."""

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
    tracks_left,
    wanted_colour,
)
from whistlestop.notation import Action


class RouteFocusedBot(ScriptedBot):
    """Claims the track that is worth most for its paths, points and tickets together, whenever it can pay for one.

    As published: it keeps all its tickets and never draws new ones. Every missing track on the shortest path of each
    ticket is worth its own points and twice those of the ticket; the best one that can be claimed is claimed, else a
    card of the best one's colour is taken if it lies face up, else a blind one. With no such track left, all tracks are
    worth their own points.

    Filled in: the shortest path is that with the fewest tracks to claim, own ones free. Of all tracks we take those
    with the most points first, as on paths; the program takes those with the fewest.
    """

    title = "Route-focused"

    def keep(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """All of them."""
        del evaluation
        return all_kept(legal)

    def turn(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """Claim the best track that can be claimed, else collect cards for the best one."""
        worth = self._ticket_tracks(evaluation) or self._all_tracks(evaluation)
        order = self.order(evaluation)
        goals = sorted(worth, key=lambda track: (-worth[track], order[track]))
        for track in goals:
            if found := payment_for(evaluation, legal, track):
                return found
        colours = {wanted_colour(evaluation, track) for track in goals[:1]}
        return face_up_card(legal, colours) or blind_card(legal) or self.anything(evaluation, legal)

    @staticmethod
    def _ticket_tracks(evaluation: Evaluation) -> dict[int, int]:
        """Missing tracks of the tickets' paths, each with what it is worth for the best of them."""
        prices, points = prices_by_track(evaluation), evaluation.board.points
        worth: dict[int, int] = {}
        for ticket in open_tickets(evaluation):
            for track in missing_tracks(evaluation, ticket, prices) or ():
                length = evaluation.length(track)
                if length <= evaluation.trains:
                    worth[track] = max(worth.get(track, 0), points[length] + 2 * ticket.points)
        return worth

    @staticmethod
    def _all_tracks(evaluation: Evaluation) -> dict[int, int]:
        points = evaluation.board.points
        return {
            track: points[evaluation.length(track)]
            for track in tracks_left(evaluation)
            if evaluation.length(track) <= evaluation.trains
        }
