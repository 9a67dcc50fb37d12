"""The random bot: the baseline for every other one."""

from __future__ import annotations

from random import Random

from whistlestop.bots import Limit
from whistlestop.notation import Action
from whistlestop.views import View


class RandomBot:
    """Chooses any legal action with equal chance."""

    title = "Random"

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)

    def act(self, view: View, limit: Limit) -> Action:  # noqa: ARG002  (needs no time)
        """One of the legal actions."""
        return self._random.choice(view.legal())
