"""The planner as a bot."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from whistlestop.bots import Limit
from whistlestop.bots.planner.games import choose
from whistlestop.bots.planner.mind import MIND
from whistlestop.bots.planner.parameters import Vector, parameters_for
from whistlestop.engine.tables import tables_of
from whistlestop.notation import Action
from whistlestop.views import View


class PlannerBot:
    """Plans one network for all its tickets, pays with what it needs least, and minds the clock."""

    title = "Club"
    kernels = (Path(__file__).parent,)

    def __init__(self, seed: int = 0, values: Vector | None = None) -> None:  # noqa: ARG002  (every seed plays alike)
        self._minds = np.zeros(1, MIND)
        self._values = values
        """Parameters to play by; those tuned for the edition unless given."""

    def act(self, view: View, limit: Limit) -> Action:  # noqa: ARG002  (needs no time)
        """The action to play now."""
        values = parameters_for(view.edition, len(view.names)) if self._values is None else self._values
        tempers = values[np.newaxis]
        return view.action(int(choose(view.seated(), tables_of(view.edition), self._minds, tempers)))
