"""Every edition that can be played on a server, by its name: those of the package, and those of people's own boards."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from whistlestop.draw.screen import rules_data
from whistlestop.mapfile import MAPS, Edition
from whistlestop.server import catalog
from whistlestop.server.board_reader import BoardReader
from whistlestop.server.board_store import BoardStore
from whistlestop.server.lessons import lesson_edition
from whistlestop.server.refusals import RequestError
from whistlestop.server.store import Store
from whistlestop.server.strange_boards import ReadBoard, board_hash_in, hash_of_board, stored_edition

KEPT = 64
"""Boards of people's own in memory, the last ones used; others are read again when they are needed."""
KEPT_UNUSED = 3600.0
"""Seconds for which a board is kept that no table plays on: whoever brought it is about to open one."""
MOST_UNUSED = 500
"""Such boards; then nobody can bring another one until some are gone."""


@dataclass(frozen=True, slots=True)
class OwnBoard:
    """A board that somebody brought."""

    hash: str
    board: ReadBoard

    def data(self) -> dict[str, Any]:
        """What there is to choose from, and what its maker may want to change."""
        return {
            "hash": self.hash,
            "name": self.board.editions[0].board.name,
            "editions": [catalog.edition_data(edition, self.hash) for edition in self.board.editions],
            "remarks": list(self.board.remarks),
        }

    def edition(self, name: str) -> Edition:
        """One of its editions."""
        for edition in self.board.editions:
            if edition.id == name:
                return edition
        raise catalog.no_such_edition(name)


class Boards:
    """Editions by name, and what is shown of them."""

    def __init__(self, store: Store) -> None:
        self._store = BoardStore(store)
        self._reader = BoardReader()
        self._kept: OrderedDict[str, OwnBoard] = OrderedDict()

    async def close(self) -> None:
        """Stop reading."""
        await self._reader.close()

    # -- boards of people's own ------------------------------------------------------------------------------------
    async def add(self, text: bytes) -> OwnBoard:
        """Read, check and keep a map file; a refusal says what is wrong with it, and in which line."""
        found = await self._read(hash_of_board(text), text)
        if await self._store.unused() >= MOST_UNUSED:
            raise RequestError("full", "this server has no room for more boards", "try again in an hour", 503)
        await self._store.add(found.hash, found.board.editions[0].board.name, text)
        return found

    async def text(self, name: str) -> bytes:
        """The map file of an edition."""
        edition = await self.edition(name)  # the file may be there without an edition of that name
        board_hash = board_hash_in(name)
        if board_hash is not None:
            return await self._stored(name, board_hash)
        return await asyncio.to_thread((MAPS / f"{edition.board.id}.toml").read_bytes)

    async def _stored(self, name: str, board_hash: str) -> bytes:
        found = await self._store.text(board_hash)
        if found is None:
            raise catalog.no_such_edition(name)
        return found

    async def note_use(self, edition: Edition) -> None:
        """Somebody opens a table on a board; it must be there."""
        board_hash = board_hash_in(edition.id)
        if board_hash is not None and not await self._store.see(board_hash):
            raise catalog.no_such_edition(edition.id)

    async def delete_unused(self, now: float) -> int:
        """Delete the boards that no table plays on any more."""
        return await self._store.delete_unused(now - KEPT_UNUSED)

    async def _read(self, board_hash: str, text: bytes) -> OwnBoard:
        if (known := self._kept.get(board_hash)) is None:
            known = self._kept[board_hash] = OwnBoard(board_hash, await self._reader.read(text))
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(board_hash)
        return known

    async def _own(self, name: str) -> OwnBoard | None:
        """The board in an edition's name; None where it is one of the package."""
        board_hash = board_hash_in(name)
        if board_hash is None:
            return None
        if (known := self._kept.get(board_hash)) is not None:
            self._kept.move_to_end(board_hash)
            return known
        return await self._read(board_hash, await self._stored(name, board_hash))

    # -- all editions ----------------------------------------------------------------------------------------------
    async def edition(self, name: str) -> Edition:
        """The edition of that name."""
        own = await self._own(name)
        return catalog.edition_of(name) if own is None else own.edition(name)

    async def edition_of_table(self, row: Mapping[str, Any]) -> Edition:
        """The edition that a stored table plays, with its packs; its row has edition, board and options."""
        options = row["options"]
        if lesson := options.get("lesson"):
            return lesson_edition(lesson)
        return catalog.with_packs(await self.edition(stored_edition(row)), options["packs"])

    async def data(self, name: str) -> dict[str, Any]:
        """What is to be known of an edition."""
        return catalog.edition_data(await self.edition(name), board_hash_in(name))

    async def board_json(self, name: str) -> bytes:
        """Everything to draw an edition's board, as JSON."""
        own = await self._own(name)
        if own is None:
            return await asyncio.to_thread(catalog.board_json, name)
        return own.board.drawing[:-1] + b"," + orjson.dumps(rules_data(own.edition(name)))[1:]

    async def picture(self, name: str, theme: str) -> str:
        """A small picture of an edition's board, as SVG."""
        own = await self._own(name)
        if own is None:
            return await asyncio.to_thread(catalog.board_picture, name, theme)
        own.edition(name)  # it must be there, as everywhere else
        return own.board.pictures[theme]

    async def rules_json(self, name: str, language: str) -> bytes:
        """The rules of an edition in a language, and its numbers, as JSON."""
        return await asyncio.to_thread(catalog.rules_json, await self.edition(name), language)
