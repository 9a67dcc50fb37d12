"""Bots: programs that play from a player's view. `bot` makes one by name, `play` plays a whole game between some."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from random import Random
from typing import Protocol, runtime_checkable

from whistlestop.errors import WhistlestopError
from whistlestop.game import Game
from whistlestop.mapfile import Edition
from whistlestop.notation import Action
from whistlestop.spelling import nearest, shown
from whistlestop.views import View

GROUP = "whistlestop.bots"
"""Group of the entry points by which other packages add their bots."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a bot may think about one action; None leaves it to the bot. Bots that do not search ignore it."""

    seconds: float | None = None
    steps: int | None = None
    """Simulated games or search nodes."""


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


RANDOM = "random"
"""The bot that sits where no other is named."""
BUILT_IN = {
    RANDOM: "whistlestop.bots.random_bot:RandomBot",
    "casual": "whistlestop.bots.casual_bot:CasualBot",
}
"""The package's own bots, from weak to strong; a class tells its own title and summary (`bot_info`)."""


@lru_cache(maxsize=1)
def _registered() -> dict[str, EntryPoint]:
    """Every bot by name: the package's own first; other packages cannot replace them."""
    own = {name: EntryPoint(name, target, GROUP) for name, target in BUILT_IN.items()}
    others = {entry.name: entry for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name)}
    return own | {name: entry for name, entry in others.items() if name not in own}


def bot_names() -> tuple[str, ...]:
    """Names of all bots: the package's own from weak to strong, then those that other packages add."""
    return tuple(_registered())


def _maker(name: str) -> Callable[[int], Bot]:
    """What makes the bot of a name from a seed."""
    found = _registered().get(name)
    if found is None:
        near = nearest(name, bot_names())
        hint = f"did you mean {near}?" if near else f"the bots are {', '.join(bot_names())}"
        raise WhistlestopError(f"there is no bot {shown(name)}", hint)
    maker: Callable[[int], Bot] = found.load()
    return maker


def bot(name: str, seed: int = 0) -> Bot:
    """A bot by its name. The seed is its own: bots with the same name and seed play alike."""
    return _maker(name)(seed)


def bot_info(name: str) -> BotInfo:
    """What people are told about a bot: its class's `title`, else its name, and the first line of its docstring."""
    maker = _maker(name)
    summary = (maker.__doc__ or "").strip().partition("\n")[0]
    return BotInfo(name, getattr(maker, "title", name), summary)


# ---- whole games ----------------------------------------------------------------------------------------------------
def play(
    edition: str | Path | Edition = "usa",
    bots: Sequence[str | Bot] = ("casual", "casual"),
    seed: int | None = None,
    limit: Limit | None = None,
    names: Sequence[str] | None = None,
) -> Game:
    """Play a whole game between bots, given by name or as objects, a seat each. The same seed gives the same game."""
    if isinstance(bots, str):
        raise TypeError(f"bots are a list with one for each seat, such as [{bots!r}, {bots!r}]")
    game = Game(edition, len(bots), seed, names=seat_names(bots) if names is None else names)
    players = [bot(one, seat_seed(game.seed, seat)) if isinstance(one, str) else one for seat, one in enumerate(bots)]
    finish(game, players, limit)
    return game


def finish(game: Game, bots: Sequence[Bot], limit: Limit | None = None) -> None:
    """Let bots play a game to its end from where it stands."""
    limit = limit or Limit()
    while movers := game.to_move:
        player = movers[0]
        game.play(bots[player].act(game.view(player), limit), player)


def seat_seed(seed: int, seat: int) -> int:
    """The seed of the bot on a seat, made from the game's seed; its random numbers are not those of the game."""
    return Random(f"bot {seed} {seat}").getrandbits(63)


def seat_names(bots: Sequence[str | Bot]) -> list[str]:
    """A name for each seat: the bot's, numbered where there are several of one name."""
    plain = [b if isinstance(b, str) else type(b).__name__ for b in bots]
    return [
        name if plain.count(name) == 1 else f"{name} {plain[: seat + 1].count(name)}" for seat, name in enumerate(plain)
    ]
