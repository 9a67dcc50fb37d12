"""The expert as a bot."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from whistlestop.bots import Limit
from whistlestop.bots.expert.search import Approach, Search, Taste, Thought
from whistlestop.bots.planner.parameters import parameters_for
from whistlestop.bots.planner.tempers import TEMPERS
from whistlestop.mapfile import Edition
from whistlestop.notation import Action
from whistlestop.views import View


class ExpertBot:
    """Plays its candidates to the end in many worlds it thinks possible, and takes the one that wins most."""

    title = "Expert"
    kernels = (Path(__file__).parents[1] / "planner", Path(__file__).parent)
    taste = Taste()

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._search: tuple[tuple[Edition, int], Search] | None = None
        self.thought: Thought | None = None
        """What the last search found."""

    def act(self, view: View, limit: Limit) -> Action:
        """The action to play now."""
        key = (view.edition, len(view.names))
        if self._search is None or self._search[0] != key:
            self._search = key, Search(view.edition, approach_for(view.edition, len(view.names), self.taste))
        roots = view.seated()
        self.thought = self._search[1].think(roots, limit, self._seed_for(roots.tobytes()))
        return view.action(self.thought.action)

    def _seed_for(self, state: bytes) -> int:
        """The same view and seed give the same worlds, whatever was thought about before."""
        return int.from_bytes(hashlib.blake2b(state, digest_size=8, salt=self._seed.to_bytes(16)).digest()) >> 1


class BuilderBot(ExpertBot):
    """An expert that likes long tracks: of two ways to win it takes the one with more trains on the board."""

    title = "Builder"
    taste = Taste(spaces=0.01)


class CollectorBot(ExpertBot):
    """An expert that likes tickets: of two ways to win it takes the one with more of them."""

    title = "Collector"
    taste = Taste(tickets=0.05)


class BlockerBot(ExpertBot):
    """An expert that likes to stand in the way: of two ways to win it takes the one that costs a rival more."""

    title = "Blocker"
    taste = Taste(blocks=0.08)


def approach_for(edition: Edition, players: int, taste: Taste | None = None) -> Approach:
    """The planner's values for the edition, and other tempers to go on in."""
    tempers = np.vstack([parameters_for(edition, players), *TEMPERS.values()])
    return Approach(tempers, own=tuple(range(len(tempers))), rivals=(0,), taste=taste or Taste())
