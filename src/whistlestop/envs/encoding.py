"""From a view to what a trained policy reads, and back from its choice to an action: for bots that learned."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from whistlestop.engine.layout import NETWORK
from whistlestop.engine.tables import tables_of
from whistlestop.envs.choices import action_set
from whistlestop.envs.kernels import stepping
from whistlestop.envs.kernels.choosing import NOT_THERE
from whistlestop.envs.kernels.episodes import EPISODE
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
        self._nets = np.zeros(1, NETWORK)

    def observation(self, view: View) -> npt.NDArray[np.uint8]:
        """What the viewer may know, as the environments show it."""
        row = np.zeros(self.layout.size, np.uint8)
        fresh = np.zeros(1, EPISODE)  # an empty one knows that no tickets are completed where there are no tracks
        stepping.observe_game(
            view.seated(), tables_of(self.edition), self._nets, fresh, view.player, self.layout.offers, row
        )
        return row

    def mask(self, view: View) -> npt.NDArray[np.bool_]:
        """What the viewer may choose now."""
        mask = np.zeros(self.actions.count, np.bool_)
        if view.player in view.to_move:
            stepping.mask_game(view.seated(), tables_of(self.edition), self.actions.tables, mask)
        return mask

    def action(self, view: View, choice: int) -> Action:
        """The action that a choice means now."""
        full = int(stepping.meant_action(view.seated(), tables_of(self.edition), self.actions.tables, choice))
        if full == NOT_THERE:
            raise IllegalAction(f"choice {choice} is not legal now", "choose where the mask is True")
        return view.action(full)

    def choice(self, action: Action) -> int:
        """The choice to which an action belongs."""
        return int(self.actions.small_of[action.id]) if self.actions.small else action.id
