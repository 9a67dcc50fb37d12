"""Bots: players that see what a player may see, and act. `bot` makes one by name, `play` lets some play a whole game."""

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
from whistlestop.notation import Action, nearest, shown
from whistlestop.views import View

GROUP = "whistlestop.bots"
"""Group of the entry points by which other packages add their bots."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How much a bot may think about one action; None leaves it to the bot. Bots that do not search take no notice."""

    seconds: float | None = None
    steps: int | None = None
    """Games, nodes or whatever a search counts."""


@runtime_checkable
class Bot(Protocol):
    """A player: `act` is given what its seat may know and returns one of `view.legal()`."""

    def act(self, view: View, limit: Limit) -> Action:
        """The action to play now."""


@dataclass(frozen=True, slots=True)
class BotInfo:
    """What people are told about a bot."""

    name: str
    title: str
    summary: str


LEVELS = (
    BotInfo("random", "Random", "Chooses any legal action with equal chance."),
    BotInfo(
        "casual", "Casual", "Plans the cheapest way for its tickets, collects the cards for it and claims what it can."
    ),
)
"""The bots that come with the package, from weak to strong."""
_OURS = {"random": "whistlestop.bots.chance:Chance", "casual": "whistlestop.bots.casual:Casual"}


@lru_cache(maxsize=1)
def _registered() -> dict[str, EntryPoint]:
    """Every bot by name: ours first, and nobody can replace them."""
    ours = {info.name: EntryPoint(info.name, _OURS[info.name], GROUP) for info in LEVELS}
    others = {entry.name: entry for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name)}
    return ours | {name: entry for name, entry in others.items() if name not in ours}


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
    """What people are told about a bot; those of other packages tell it by `title` and the first line of their docstring."""
    maker = _maker(name)
    for info in LEVELS:
        if info.name == name:
            return info
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
    """A whole game between bots, given by name or as they are, a seat each. The same seed gives the same game."""
    if isinstance(bots, str):
        raise TypeError(f"bots are a list with one for each seat, such as [{bots!r}, {bots!r}]")
    game = Game(edition, len(bots), seed, names=seat_names(bots) if names is None else names)
    finish(
        game, [bot(b, seat_seed(game.seed, seat)) if isinstance(b, str) else b for seat, b in enumerate(bots)], limit
    )
    return game


def finish(game: Game, bots: Sequence[Bot], limit: Limit | None = None) -> None:
    """Let bots play a game to its end from where it stands."""
    limit = limit or Limit()
    while movers := game.to_move:
        player = movers[0]
        game.play(bots[player].act(game.view(player), limit), player)


def seat_seed(seed: int, seat: int) -> int:
    """The seed of the bot on a seat: its own chance, told by the game's seed but not the game's chance."""
    return Random(f"bot {seed} {seat}").getrandbits(63)


def seat_names(bots: Sequence[str | Bot]) -> list[str]:
    """A name for each seat: the bot's, numbered where there are several of one name."""
    plain = [b if isinstance(b, str) else type(b).__name__ for b in bots]
    return [
        name if plain.count(name) == 1 else f"{name} {plain[: seat + 1].count(name)}" for seat, name in enumerate(plain)
    ]
