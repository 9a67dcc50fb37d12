"""Environments for learning: PettingZoo, Gymnasium, batches of games in compiled code, OpenSpiel.

kernels        compiled code: observations, masks, many games at once, opponents that plan
parts          what stands where in an observation
choices        the small and the full set of actions
batched        `BatchedEnv`, on which all others stand
encoding       views to observations and choices to actions, for bots that learned
aec, single    PettingZoo and Gymnasium; gymnasium_ids registers names
openspiel      the game for OpenSpiel
recording      games of bots, decision by decision; dataset writes and reads them as Parquet
preparing      compiles all of it beforehand
rendering      games as text and pictures
extras         what to install where something is missing
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from whistlestop.envs.gymnasium_ids import register_all

if TYPE_CHECKING:
    from whistlestop.envs.aec import env, raw_env
    from whistlestop.envs.batched import BatchedEnv
    from whistlestop.envs.choices import ActionSet, action_set
    from whistlestop.envs.dataset import Dataset
    from whistlestop.envs.encoding import Encoding
    from whistlestop.envs.parts import ObservationLayout, layout_of
    from whistlestop.envs.single import SingleEnv

__all__ = [
    "ActionSet", "BatchedEnv", "Dataset", "Encoding", "ObservationLayout", "SingleEnv", "action_set", "env",
    "layout_of", "raw_env",
]  # fmt: skip

_PLACES = {
    "aec": ("env", "raw_env"),
    "batched": ("BatchedEnv",),
    "choices": ("ActionSet", "action_set"),
    "dataset": ("Dataset",),
    "encoding": ("Encoding",),
    "parts": ("ObservationLayout", "layout_of"),
    "single": ("SingleEnv",),
}

if find_spec("gymnasium") is not None:  # importing this module is how `gymnasium.make` comes to know the names
    register_all()


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: only PettingZoo's and Gymnasium's own need the extra."""
    place = next((module for module, names in _PLACES.items() if name in names), None)
    if place is None:
        raise AttributeError(f"module 'whistlestop.envs' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"whistlestop.envs.{place}"), name)
