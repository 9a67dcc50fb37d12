"""Editions that come with the package, and their boards as the client draws them; each is made once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

import orjson

from whistlestop.draw.screen import board_data, picture
from whistlestop.mapfile import Edition, MapError, add_pack, editions, load_edition
from whistlestop.rulebook import chapters, rules_of
from whistlestop.server.refusals import RequestError
from whistlestop.spelling import nearest


@lru_cache(maxsize=64)
def edition_of(name: str) -> Edition:
    """An edition that comes with the package; nothing else, since a name could be any path."""
    if all(edition.id != name for edition in editions()):
        raise no_such_edition(name)
    return load_edition(name)


def no_such_edition(name: str) -> RequestError:
    """The refusal of an edition that is not there, or not any more."""
    near = nearest(name, [edition.id for edition in editions()])
    hint = f"did you mean {near}?" if near else None
    return RequestError("no_such_edition", f"there is no edition {name!r}", hint, 404)


def with_packs(edition: Edition, packs: Sequence[dict[str, Any]]) -> Edition:
    """An edition with ticket packs."""
    for number, pack in enumerate(packs):
        try:
            edition = add_pack(edition, pack)
        except MapError as error:
            fault = {"pack": number, "fault": error.fault, **error.words}
            raise RequestError("bad_pack", error.message, error.hint, 422, fault) from None
    return edition


@lru_cache(maxsize=1)
def list_editions() -> list[dict[str, Any]]:
    """Every edition as data."""
    return [edition_data(edition, None) for edition in editions()]


def edition_data(edition: Edition, board_hash: str | None) -> dict[str, Any]:
    """An edition as data; one of a board of somebody's own with the board's hash."""
    board = edition.board
    return {
        "id": edition.id,
        "name": edition.name,
        "summary": edition.summary,
        "board": board.id if board_hash is None else f"{board.id}@{board_hash}",
        "hash": board_hash,
        "players": edition.players,
        "cities": sum(city.country is None for city in board.cities),
        "tracks": len(board.tracks),
        "tickets": sum(len(deck.tickets) for deck in edition.decks),
        "trains": edition.trains,
        "stations": edition.stations,
        "features": list(edition.features),
    }


@lru_cache(maxsize=32)
def rules_json(edition: Edition, language: str) -> bytes:
    """The rules of an edition in a language, and its numbers, as JSON."""
    intros = chapters(language)
    numbers = (
        "trains", "hand", "last_round_trains", "parallel_from", "draw_count", "draw_keep_least", "stations",
        "station_points", "longest_path", "globetrotter", "passenger_points", "features",
    )  # fmt: skip
    return orjson.dumps(
        {
            "edition": edition.id,
            "points": sorted(edition.board.points.items()),
            **{name: getattr(edition, name) for name in numbers},
            "chapters": [
                {
                    "title": title,
                    "intro": intros.get(title, ""),
                    "rules": [{"id": r.id, "title": r.title, "text": r.text, "ours": r.ours} for r in rules],
                }
                for title, rules in groupby(rules_of(edition, language), key=lambda rule: rule.chapter)
            ],
        }
    )


@lru_cache(maxsize=32)
def board_json(edition: str) -> bytes:
    """Everything to draw an edition's board, as JSON."""
    return orjson.dumps(board_data(edition_of(edition)))


@lru_cache(maxsize=64)
def board_picture(edition: str, theme: str) -> str:
    """A small picture of an edition's board, as SVG."""
    return picture(edition_of(edition), theme)
