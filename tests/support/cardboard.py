"""Games on cardboard: random games that are over, what lies in front of their players, and phones that enter it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import numpy as np

from support.clients import PATIENCE, Data, checked, refusal
from whistlestop import Holdings
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.tables import tables_of
from whistlestop.mapfile import Edition
from whistlestop.notation import notation_of
from whistlestop.server.score_messages import ChangedHoldings, RealTableData, RealTableKey
from whistlestop.views import bits


def finished(edition: Edition, games: int) -> Iterator[tuple[doors.Array, int]]:
    """The last states of random games with 2 to 5 players."""
    states, nets, borrowed = doors.scratch()
    sheets, steps = np.zeros((1, lay.MAX_PLAYERS, lay.SHEET), np.int64), np.zeros(1, np.int64)
    for seed in range(games):
        players = 2 + seed % 4
        doors.random_games(states, tables_of(edition), nets, players, np.uint64(seed), sheets, steps, borrowed)
        yield states, players


def entered(edition: Edition, states: doors.Array, player: int, in_words: bool = False) -> Holdings:
    """What lies in front of a player, by number or as people write it."""
    notation, state = notation_of(edition), states[0]
    tracks, tickets = bits(state.tracks[player].tolist()), bits(state.tickets[player].tolist())
    return Holdings(
        tracks=tuple(map(notation.track_name, tracks)) if in_words else tuple(tracks),
        stations=tuple(notation.cities[city] for city in bits([int(state.stations[player])])),
        tickets=tuple(map(notation.ticket_name, tickets)) if in_words else tuple(tickets),
        passengers={colour: int(n) for colour, n in zip(notation.passengers, state.collected[player], strict=False)},
    )


class Phone:
    """A phone at a real table, with its key."""

    def __init__(self, url: str, table: str, key: str | None = None) -> None:
        self.url, self.table, self.key = url, table, key

    @classmethod
    def opening(cls, url: str, edition: str, *names: str, **more: Any) -> Phone:
        """A phone that opens a table."""
        players = [{"name": name, "colour": colour} for colour, name in enumerate(names)]
        body = {"edition": edition, "players": players, **more}
        answer = httpx.post(f"{url}/api/real-tables", json=body, timeout=PATIENCE, trust_env=False, verify=False)
        assert answer.status_code == 201, answer.text
        found = checked(answer.content, RealTableKey)
        return cls(url, found["table"], found["key"])

    def other(self) -> Phone:
        """Another phone that only has the link."""
        return Phone(self.url, self.table)

    def ask(self, method: str, path: str = "", **more: Any) -> httpx.Response:
        """A request to the table, with the key if there is one."""
        headers = {"authorization": f"Bearer {self.key}"} if self.key else {}
        address = f"{self.url}/api/real-tables/{self.table}{path}"
        return httpx.request(method, address, headers=headers, timeout=PATIENCE, trust_env=False, verify=False, **more)

    def refused(self, method: str, path: str = "", **more: Any) -> tuple[int, str]:
        """Status and code of an answer that must be a refusal."""
        return refusal(self.ask(method, path, **more))

    def look(self, **query: Any) -> Data:
        """The table as this phone may know it."""
        return self._good(RealTableData, self.ask("GET", params=query))

    def enter(self, seat: int, version: int | None = None, **change: Any) -> Data:
        """Change what a player has, on its newest version; the table and what was refused."""
        known = self.look()["players"][seat]["version"] if version is None else version
        answer = self.ask("PATCH", f"/players/{seat}", json={"version": known, **change})
        return self._good(ChangedHoldings, answer)

    def change(self, **change: Any) -> Data:
        """Change the table itself, on its newest revision."""
        answer = self.ask("PATCH", json={"revision": self.look()["revision"], **change})
        return self._good(RealTableData, answer)

    def take(self, seat: int) -> None:
        """Enter a player on this phone from now on."""
        self.key = self._good(RealTableKey, self.ask("POST", f"/players/{seat}/take"))["key"]

    @staticmethod
    def _good(model: Any, answer: httpx.Response) -> Data:
        assert answer.status_code == 200, answer.text
        found: Data = checked(answer.content, model)
        return found
