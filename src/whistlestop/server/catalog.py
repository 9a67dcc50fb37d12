"""Editions that can be played on this server, and their boards as the client draws them; each is made once."""

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
    known = {edition.id: edition for edition in editions()}
    if name not in known:
        near = nearest(name, known)
        hint = f"did you mean {near}?" if near else None
        raise RequestError("no_such_edition", f"there is no edition {name!r}", hint, 404)
    return load_edition(name)


def edition_with_packs(name: str, packs: Sequence[dict[str, Any]]) -> Edition:
    """An edition with ticket packs."""
    edition = edition_of(name)
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
    return [
        {
            "id": edition.id,
            "name": edition.name,
            "summary": edition.summary,
            "board": edition.board.id,
            "players": edition.players,
            "cities": sum(city.country is None for city in edition.board.cities),
            "tracks": len(edition.board.tracks),
            "tickets": sum(len(deck.tickets) for deck in edition.decks),
            "trains": edition.trains,
            "stations": edition.stations,
            "features": list(edition.features),
        }
        for edition in editions()
    ]


@lru_cache(maxsize=32)
def rules_json(edition: str, language: str) -> bytes:
    """The rules of an edition in a language, and its numbers, as JSON."""
    found = edition_of(edition)
    intros = chapters(language)
    numbers = (
        "trains", "hand", "last_round_trains", "parallel_from", "draw_count", "draw_keep_least", "stations",
        "station_points", "longest_path", "globetrotter", "passenger_points", "features",
    )  # fmt: skip
    return orjson.dumps(
        {
            "edition": edition,
            "points": sorted(found.board.points.items()),
            **{name: getattr(found, name) for name in numbers},
            "chapters": [
                {
                    "title": title,
                    "intro": intros.get(title, ""),
                    "rules": [{"id": r.id, "title": r.title, "text": r.text, "ours": r.ours} for r in rules],
                }
                for title, rules in groupby(rules_of(found, language), key=lambda rule: rule.chapter)
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
