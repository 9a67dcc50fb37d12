"""The names by which `gymnasium.make` finds the environments."""

from __future__ import annotations

NAMESPACE = "whistlestop"
VERSION = 0
"""Of the environments' behaviour: goes up when the same actions in the same game give other numbers."""
GYMNASIUM_IDS = {
    "USA": "usa",
    "Europe": "europe",
    "Europe1912": "europe-1912",
    "MegaEurope": "mega-europe",
    "BigCities": "big-cities",
    "Germany": "germany",
}
"""Ids without namespace and version, and the editions they stand for."""


def register_all() -> None:
    """Register one id for each edition: `whistlestop/USA-v0`."""
    from gymnasium.envs.registration import register, registry

    for name, edition in GYMNASIUM_IDS.items():
        if (full := f"{NAMESPACE}/{name}-v{VERSION}") not in registry:
            register(full, entry_point="whistlestop.envs.single:SingleEnv", kwargs={"edition": edition})
