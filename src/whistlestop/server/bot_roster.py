"""The bots that can take a seat at this server's tables: the levels, those of other packages, those of the host.

A guest names a bot by its name here and nothing else; only the host says which file a name stands for.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from whistlestop.bots import RANDOM, bot_names
from whistlestop.bots.levels import LEVELS, Level, level_entrants, ratings_of
from whistlestop.bots.lineup import Entrant, entrant
from whistlestop.errors import WhistlestopError
from whistlestop.server import log
from whistlestop.server.bot_preparation import BotPreparation
from whistlestop.server.messages import LONGEST_BOT_NAME
from whistlestop.server.refusals import RequestError
from whistlestop.spelling import nearest

REFUSED = {
    "preparing": ("is getting ready on this server", "try again in a minute, or choose casual"),
    "failed": ("could not be made ready on this server", "choose casual, or let the host look at the server's log"),
}
"""Why a bot cannot take a seat, and what to do."""


class BotRoster:
    """Bots by the names that guests give: levels, which stand for the package's stronger bots, then the others."""

    def __init__(self, own: Iterable[str] = (), preparation: BotPreparation | None = None) -> None:
        self._preparation = preparation or BotPreparation()
        self._entrants = level_entrants()
        of_levels = {found.name for found in self._entrants.values()}
        self._entrants |= {name: Entrant(name) for name in bot_names() if name not in of_levels | set(self._entrants)}
        for text in own:
            found = entrant(text)
            if found.label in self._entrants or len(found.label) > LONGEST_BOT_NAME:
                raise WhistlestopError(
                    f"a bot cannot be offered as `{found.label}`",
                    f"rename the class: no other bot's name, at most {LONGEST_BOT_NAME} letters",
                )
            self._entrants[found.label] = found

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all bots: levels from weak to strong, then the others."""
        return tuple(self._entrants)

    def check(self, name: str) -> None:
        """Refuse a name that no bot of this server has."""
        if name not in self._entrants:
            near = nearest(name, self.names)
            hint = f"did you mean {near}?" if near else f"the bots are {', '.join(self.names)}"
            raise RequestError("no_such_bot", f"there is no bot {name!r}", hint, 422)
        state = self._preparation.readiness(self._entrants[name].name)
        if state != "ready":
            why, hint = REFUSED[state]
            raise RequestError("bot_not_ready", f"the bot {name!r} {why}", hint, 503)

    async def ready_entrant(self, name: str) -> Entrant | None:
        """What a name stands for, once it can play; None for a bot that this server had once and offers no more."""
        found = self._entrants.get(name)
        return found if found and await self._preparation.wait_for(found.name) else None

    def data(self) -> list[dict[str, Any]]:
        """What guests are told about each bot: levels first; one that cannot be loaded is left out."""
        of_levels = level_entrants()
        told = [self._level_data(level) for level in LEVELS]
        for name, found in self._entrants.items():
            if name in of_levels:
                continue
            try:
                info = found.info()
            except WhistlestopError as error:
                log.event("bot left out", "error", bot=name, error=error.message)
                continue
            title = name if info.title == info.name else info.title
            kind = "fallback" if name == RANDOM else "other"
            told.append(self._data(name, title, info.summary, kind, found))
        return told

    def _level_data(self, level: Level) -> dict[str, Any]:
        characters = [
            {"name": one.name, "title": one.title, "summary": one.summary, "bot": level.seat_name(one)}
            for one in level.characters
        ]
        return self._data(level.name, level.title, level.summary, "level", level.entrant) | {"characters": characters}

    def _data(self, name: str, title: str, summary: str, kind: str, found: Entrant) -> dict[str, Any]:
        return {
            "name": name,
            "title": title,
            "summary": summary,
            "kind": kind,
            "readiness": self._preparation.readiness(found.name),
            "characters": [],
            "ratings": ratings_of(name, found),
        }
