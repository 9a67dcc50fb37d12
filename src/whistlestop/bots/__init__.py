"""Bots: programs that play from a player's view. `bot` makes one by its name, or from a file.

Nothing here or in the bots knows `Game`: `referee` shows them views of it.
"""

from __future__ import annotations

import inspect
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol, runtime_checkable

from whistlestop.bots.bot_file import class_in_file, names_file
from whistlestop.errors import WhistlestopError, described
from whistlestop.notation import Action
from whistlestop.spelling import nearest, shown
from whistlestop.views import View

GROUP = "whistlestop.bots"
"""Group of the entry points by which other packages add their bots."""


CLOCK = "WHISTLESTOP_CLOCK"
"""The environment variable that says by which clock limits go: `wall`, or `processor` for bots on one core each, so
that other programs on the machine take no time from them: ratings should not depend on those.
"""
thinking_time = time.process_time if os.environ.get(CLOCK) == "processor" else time.perf_counter
"""Seconds by that clock."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a bot may think about one action; None leaves it to the bot. Bots that do not search ignore it."""

    seconds: float | None = None
    steps: int | None = None
    """Simulated games or search nodes."""
    cores: int = 1
    """Processor cores that a search may use at once."""


@runtime_checkable
class Bot(Protocol):
    """A player: `act` gets what its seat may know and returns one of `view.legal()`."""

    def act(self, view: View, limit: Limit) -> Action:
        """The action to play now."""


@dataclass(frozen=True, slots=True)
class BotInfo:
    """What people are told about a bot."""

    name: str
    title: str
    summary: str


VARIABLE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
"""Parameters that take any number of arguments, none as well."""
RANDOM = "random"
"""The bot that sits where no other is named."""
BUILT_IN = {
    RANDOM: "whistlestop.bots.random_bot:RandomBot",
    "beginner": "whistlestop.bots.beginner_bot:BeginnerBot",
    "one-step": "whistlestop.bots.styles.one_step:OneStepBot",
    "long-route": "whistlestop.bots.styles.long_route:LongRouteBot",
    "route-focused": "whistlestop.bots.styles.route_focused:RouteFocusedBot",
    "ticket-hungry": "whistlestop.bots.styles.ticket_hungry:TicketHungryBot",
    "casual": "whistlestop.bots.casual_bot:CasualBot",
    "planner": "whistlestop.bots.planner.planner_bot:PlannerBot",
    "expert": "whistlestop.bots.expert.expert_bot:ExpertBot",
    "expert-builder": "whistlestop.bots.expert.expert_bot:BuilderBot",
    "expert-collector": "whistlestop.bots.expert.expert_bot:CollectorBot",
    "expert-blocker": "whistlestop.bots.expert.expert_bot:BlockerBot",
}
"""The package's own bots, from weak to strong, though which style is better hangs on the board. A class tells its own
title and summary (`bot_info`)."""


@lru_cache(maxsize=1)
def _registered() -> dict[str, EntryPoint]:
    """Every bot by name: the package's own first; other packages cannot replace them."""
    own = {name: EntryPoint(name, target, GROUP) for name, target in BUILT_IN.items()}
    others = {entry.name: entry for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name)}
    return own | {name: entry for name, entry in others.items() if name not in own}


def bot_names() -> tuple[str, ...]:
    """Names of all bots: the package's own from weak to strong, then those that other packages add."""
    return tuple(_registered())


def _registration(name: str) -> EntryPoint:
    """Where the bot of a name comes from."""
    found = _registered().get(name)
    if found is None:
        near = nearest(name, bot_names())
        hint = f"did you mean {near}?" if near else f"the bots are {', '.join(bot_names())}"
        raise WhistlestopError(f"there is no bot {shown(name)}", hint)
    return found


def _maker(name: str) -> Callable[..., Bot]:
    """What makes the bot of a name, or the class in a file that `path/my_bot.py:MyBot` names."""
    if names_file(name):
        return class_in_file(name)
    found = _registration(name)
    try:
        maker: Callable[..., Bot] = found.load()
    except (Exception, SystemExit) as error:
        raise WhistlestopError(
            f"the bot {shown(name)} cannot be loaded: {described(error)}",
            f"mend or uninstall the package that gives `{found.value}`",
        ) from error
    return maker


def check_bot(name: str) -> None:
    """Refuse a name that no bot has, and a file without such a class; loads a file, but no bot of a package."""
    if names_file(name):
        _seed_arguments(name, class_in_file(name), 0)
    else:
        _registration(name)


def bot(name: str, seed: int = 0) -> Bot:
    """A bot by its name, or by the file and class of somebody's own (`my_bot.py:MyBot`).

    The seed is its own: bots with the same name and seed play alike. A class that takes no seed is made without one.
    """
    maker = _maker(name)
    given = _seed_arguments(name, maker, seed)
    try:
        return maker(*given.args, **given.kwargs)
    except (Exception, SystemExit) as error:
        raise WhistlestopError(
            f"the bot {shown(name)} cannot be made: {described(error)}",
            f"see what it does when it is made with the seed {seed}",
        ) from error


def _seed_arguments(name: str, maker: Callable[..., Bot], seed: int) -> inspect.BoundArguments:
    """What a bot is made with: the seed, if it has a parameter called so or one that must be given, else nothing."""
    signature = inspect.signature(maker)
    parameters = signature.parameters.values()
    needed = [one.name for one in parameters if one.default is one.empty and one.kind not in VARIABLE]
    taken = "seed" if "seed" in signature.parameters else next(iter(needed), None)
    if set(needed) - {taken}:
        raise WhistlestopError(
            f"the bot {shown(name)} cannot be made: it needs {', '.join(needed)}",
            "let it take a seed or nothing: `def __init__(self, seed=0)`",
        )
    bound = signature.bind_partial()
    if taken is not None:
        bound.arguments[taken] = seed
    return bound


def bot_info(name: str) -> BotInfo:
    """What people are told about a bot: its class's `title`, else its name, and the first line of its docstring."""
    maker = _maker(name)
    summary = (maker.__doc__ or "").strip().partition("\n")[0]
    return BotInfo(name, getattr(maker, "title", name), summary)
