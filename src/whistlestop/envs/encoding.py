"""From a view to what a trained policy reads, and back from its choice to an action: for bots that learned."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from whistlestop.engine.tables import tables_of
from whistlestop.envs.choices import action_set
from whistlestop.envs.kernels import stepping
from whistlestop.envs.kernels.choosing import NOT_THERE
from whistlestop.envs.kernels.episodes import fresh_episodes
from whistlestop.envs.parts import layout_of
from whistlestop.errors import IllegalAction
from whistlestop.mapfile import Edition
from whistlestop.notation import Action
from whistlestop.views import View


class Encoding:
    """Observations, masks and actions of one edition, by the view of a player alone."""

    def __init__(self, edition: Edition, *, small: bool = True) -> None:
        self.edition = edition
        self.layout = layout_of(edition)
        self.actions = action_set(edition, small)

    def observation(self, view: View) -> npt.NDArray[np.uint8]:
        """What the viewer may know, as the environments show it."""
        row = np.zeros((1, self.layout.size), np.uint8)
        stepping.observe_game(
            view.seated(), tables_of(self.edition), fresh_episodes(1), view.player, self.layout.offers, row
        )
        return row.reshape(-1)

    def mask(self, view: View) -> npt.NDArray[np.bool_]:
        """What the viewer may choose now."""
        mask = np.zeros((1, self.actions.count), np.bool_)
        if view.player in view.to_move:
            stepping.mask_game(view.seated(), tables_of(self.edition), self.actions.tables, mask)
        return mask.reshape(-1)

    def action(self, view: View, choice: int) -> Action:
        """The action that a choice means now."""
        return view.action(self.full(view.seated(), choice))

    def full(self, states: npt.NDArray[Any], choice: int) -> int:
        """The number of the action that a choice of the player to move means in a state, given as an array of one."""
        full = int(stepping.meant_action(states, tables_of(self.edition), self.actions.tables, choice))
        if full == NOT_THERE:
            raise IllegalAction(f"choice {choice} is not legal now", "choose where the mask is True")
        return full

    def choice(self, action: Action) -> int:
        """The choice to which an action belongs."""
        return int(self.actions.small_of[action.id]) if self.actions.small else action.id
