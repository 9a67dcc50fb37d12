"""Line-ups as people write them, `expert:500ms,casual,my_bot.py:MyBot`: a bot for each seat, how long it may think."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from whistlestop.bots import Bot, BotInfo, Limit, bot, bot_info, check_bot
from whistlestop.errors import WhistlestopError
from whistlestop.spelling import shown

_FILE = re.compile(r"(?P<name>.+\.py(?::[^:]*)?)(?::(?P<limits>.*))?")
_LIMIT = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?P<unit>ms|s|steps|cores)")

SECONDS = {"ms": 0.001, "s": 1.0}


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that takes part, and how long it may think about an action. `str` gives the text it was read from."""

    name: str
    """A bot's name, or a class in a file: `path/my_bot.py:MyBot`."""
    limit: Limit = field(default_factory=Limit)

    def __str__(self) -> str:
        return self.name + _limit_text(self.limit)

    @property
    def label(self) -> str:
        """The text without the folders and the file of somebody's own bot: what people are shown."""
        return self.name.rpartition(":")[2] + _limit_text(self.limit)

    def make(self, seed: int) -> Bot:
        """The bot itself; entrants with the same text and seed play alike."""
        return bot(self.name, seed)

    def info(self) -> BotInfo:
        """What people are told about the bot."""
        return bot_info(self.name)


def entrant(text: str) -> Entrant:
    """The entrant that a text names: `casual`, `expert:500ms`, `expert:256steps:2cores`, `my_bot.py:MyBot:2s`."""
    name, limits = _split(text.strip())
    if not name:
        raise WhistlestopError(f"{shown(text)} names no bot", "write for example casual, or my_bot.py:MyBot")
    limit = Limit()
    for part in limits:
        limit = _limited(text.strip(), limit, part)
    check_bot(name)
    return Entrant(name, limit)


def lineup(text: str) -> tuple[Entrant, ...]:
    """Entrants by commas, one for each seat."""
    return tuple(entrant(part) for part in text.split(","))


def _split(text: str) -> tuple[str, list[str]]:
    """A bot's name and its limits; a path may have colons, as on Windows."""
    if found := _FILE.fullmatch(text):
        return found["name"], [] if found["limits"] is None else found["limits"].split(":")
    name, *limits = text.split(":")
    return name, limits


def _limited(text: str, limit: Limit, part: str) -> Limit:
    """A limit with what a part of the text adds."""
    found = _LIMIT.fullmatch(part)
    hint = "write a time such as 500ms or 2s, steps such as 256steps, or 2cores"
    if found is None:
        raise WhistlestopError(f"{shown(text)}: {shown(part)} is no limit", hint)
    number, unit = float(found["number"]), found["unit"]
    if not number or (unit in ("steps", "cores") and "." in found["number"]):
        raise WhistlestopError(f"{shown(text)}: a bot cannot think for {part}", hint)
    kind = unit if unit in ("steps", "cores") else "seconds"
    if getattr(limit, kind) != getattr(Limit(), kind):
        raise WhistlestopError(
            f"{shown(text)} has two limits of one kind", "give one time, one number of steps, or both"
        )
    if kind == "steps":
        return replace(limit, steps=int(number))
    if kind == "cores":
        return replace(limit, cores=int(number))
    return replace(limit, seconds=round(number * SECONDS[unit], 9))


def _limit_text(limit: Limit) -> str:
    """The limit as it is written after a bot's name."""
    text = ""
    if limit.seconds is not None:
        text += f":{limit.seconds * 1000:.10g}ms" if limit.seconds < 1 else f":{limit.seconds:.10g}s"
    if limit.steps is not None:
        text += f":{limit.steps}steps"
    return text if limit.cores == 1 else f"{text}:{limit.cores}cores"
