"""Real tables over HTTP: counted and drawn as they lie, kept by whoever asks. The engine counts."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from whistlestop.draw import draw_board
from whistlestop.errors import WhistlestopError
from whistlestop.notation import notation_of
from whistlestop.real_table import Count, Holdings, OddTable, RealTable
from whistlestop.server import catalog
from whistlestop.server.http import CACHED_FOR_A_DAY as FOR_A_DAY
from whistlestop.server.http import REFUSALS, EditionPath, HallDep, JsonResponse, PictureTheme, answers_with
from whistlestop.server.messages import TicketData
from whistlestop.server.refusals import RequestError
from whistlestop.server.score_messages import CountData, RealTableRequest
from whistlestop.views import ticket_view

scores = APIRouter(prefix="/api", responses=REFUSALS, tags=["real tables"])


@scores.get("/editions/{edition}/tickets", response_model=list[TicketData])
async def list_tickets(edition: EditionPath) -> Response:
    """All tickets of an edition; a ticket's number is its place here."""
    notation = notation_of(catalog.edition_of(edition))
    found = [ticket_view(notation, ticket).json() for ticket in range(len(notation.tickets))]
    return JsonResponse(found, headers=FOR_A_DAY)


@scores.post("/score", response_model=CountData)
async def count_table(_hall: HallDep, body: RealTableRequest) -> Response:
    """Count a real table. What no game comes to is refused with the reason, unless it is forced; nothing is kept."""
    return JsonResponse(await asyncio.to_thread(_count_data, body))


@scores.post("/score/picture.svg", response_class=Response, responses=answers_with("image/svg+xml"))
async def draw_table(
    _hall: HallDep, body: RealTableRequest, theme: Annotated[PictureTheme, Query()] = "light"
) -> Response:
    """A real table drawn as it lies, with its points."""
    return Response(await asyncio.to_thread(_picture, body, theme), media_type="image/svg+xml")


def _counted(body: RealTableRequest) -> Count:
    edition = catalog.edition_of(body.edition)
    if len({player.colour for player in body.players}) < len(body.players):
        raise RequestError("colour_taken", "two players have one colour", "give each its own", 422)
    held = tuple(
        Holdings(
            tracks=tuple(player.tracks),
            stations=tuple(player.stations),
            tickets=tuple(player.tickets),
            passengers=player.passengers,
        )
        for player in body.players
    )
    table = RealTable(edition, tuple(player.name for player in body.players), held)
    try:
        table.check()
        return table.count(force=body.force)
    except OddTable as error:
        raise RequestError("odd_table", error.message, "send `force` if the board really lies so", 422) from None
    except WhistlestopError as error:
        raise RequestError("bad_table", error.message, error.hint, 422) from None


def _count_data(body: RealTableRequest) -> dict[str, Any]:
    count = _counted(body)
    return {**count.json(), "trains": [player.trains for player in count.game.view(None).players]}


def _picture(body: RealTableRequest, theme: str) -> str:
    count = _counted(body)
    return draw_board(
        count.game.edition.board, theme=theme, **count.drawing([player.colour for player in body.players])
    )
