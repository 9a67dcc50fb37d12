"""The long-route style: it lives on long tracks and leaves short ones to others."""

from __future__ import annotations

from collections.abc import Sequence

from whistlestop.bots.evaluation import Evaluation
from whistlestop.bots.styles.one_step import OneStepBot
from whistlestop.notation import Action


class LongRouteBot(OneStepBot):
    """Uses tracks of three spaces and more only, and goes for the longest one when its tickets are done.

    As published: like the one-step style, one track at a time; but paths for tickets use no track shorter than three
    spaces as long as the trains last, first tickets are kept by points for each train, and it never draws new ones:
    with no ticket left that it can complete, it claims the longest track it has trains for, one it can pay first.

    Filled in: what `OneStepBot` fills in. Where nothing but tickets can be drawn, it draws them.
    """

    title = "Long route"
    shortest = 3

    def keep_first(self, evaluation: Evaluation, legal: Sequence[Action]) -> Action:
        """Those with the most points for each train."""
        return self.keep(evaluation, legal)

    def wants_tickets(self, evaluation: Evaluation) -> bool:
        """Never."""
        del evaluation
        return False
