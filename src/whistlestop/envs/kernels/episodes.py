"""What an environment keeps of one game beside its state."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from whistlestop.engine.layout import MAX_CITIES, MAX_PLAYERS, WORDS

Episode: TypeAlias = Any
"""One EPISODE record."""
Episodes: TypeAlias = Any
"""An array of EPISODE records."""

EPISODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # Tickets that each player has completed, and for which tracks and tickets that was found out.
                ("completed", np.uint64, (MAX_PLAYERS, WORDS)),
                ("of_tracks", np.uint64, (MAX_PLAYERS, WORDS)),
                ("of_tickets", np.uint64, (MAX_PLAYERS, WORDS)),
                ("rng", np.uint64),  # chance of opponents that play at random: never the game's own
                ("number", np.uint64),  # the game's number: its seed is that of the environment plus this
                ("steps", np.int64),  # actions of all players so far
                ("settled", np.int64),  # 1: its end was rewarded
                ("rewarded", np.int64, (MAX_PLAYERS,)),  # points that were given as reward so far
                ("group", np.int8, (MAX_PLAYERS, MAX_CITIES)),  # cities that a player's tracks connect have one number
            ]
        ),
    )
)


def fresh_episodes(games: int) -> npt.NDArray[Any]:
    """Episodes in which nothing is connected yet."""
    episodes = np.zeros(games, EPISODE)
    episodes["group"] = np.arange(MAX_CITIES)
    return episodes
