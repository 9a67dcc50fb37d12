"""Editions that can be played on this server, and their boards as the client draws them; each is made once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import orjson

from whistlestop.draw.screen import board_data, picture
from whistlestop.mapfile import Edition, MapError, add_pack, editions, load_edition
from whistlestop.notation import nearest
from whistlestop.server.refusals import RequestError, split_hint


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
    for pack in packs:
        try:
            edition = add_pack(edition, pack)
        except MapError as error:
            raise RequestError("bad_pack", *split_hint(error), 422) from None
    return edition


def features(edition: Edition) -> list[str]:
    """What is special about an edition, for its badges."""
    tracks = edition.board.tracks
    found = {
        "tunnels": any(track.tunnel for track in tracks),
        "ferries": any(track.ferry for track in tracks),
        "stations": edition.stations > 0,
        "passengers": bool(edition.board.passenger_colours) and any(edition.passenger_points),
        "longest_path": edition.longest_path > 0,
        "globetrotter": edition.globetrotter > 0,
        "long_tickets": any(ticket.kind == "long" for deck in edition.decks for ticket in deck.tickets),
        "countries": bool(edition.board.countries),
    }
    return [name for name, there in found.items() if there]


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
            "features": features(edition),
        }
        for edition in editions()
    ]


@lru_cache(maxsize=32)
def board_json(edition: str) -> bytes:
    """Everything to draw an edition's board, as JSON."""
    return orjson.dumps(board_data(edition_of(edition)))


@lru_cache(maxsize=64)
def board_picture(edition: str, theme: str) -> str:
    """A small picture of an edition's board, as SVG."""
    return picture(edition_of(edition), theme)
