"""Real tables over HTTP: counted and drawn as they lie, or kept and entered by several phones. The engine counts."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from whistlestop.draw import draw_board
from whistlestop.errors import WhistlestopError
from whistlestop.notation import notation_of
from whistlestop.real_table import Count, Holdings, OddTable, RealTable
from whistlestop.server import catalog
from whistlestop.server.http import CACHED_FOR_A_DAY as FOR_A_DAY
from whistlestop.server.http import (
    REFUSALS,
    EditionPath,
    HallDep,
    JsonResponse,
    KeyHeader,
    PictureTheme,
    SeatPath,
    TableIdPath,
    answers_with,
    check_opener,
)
from whistlestop.server.messages import LONGEST_WAIT, Number, TicketData
from whistlestop.server.refusals import RequestError
from whistlestop.server.score_messages import (
    ChangedHoldings,
    ChangeHoldings,
    ChangeRealTable,
    CountData,
    NewRealTable,
    RealTableData,
    RealTableKey,
    RealTableRequest,
)
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


# ---- real tables that are kept --------------------------------------------------------------------------------------
@scores.post("/real-tables", response_model=RealTableKey, status_code=201)
async def open_real_table(hall: HallDep, body: NewRealTable, request: Request) -> Response:
    """Keep a real table. The key is a secret: with it come changes, and the tickets of the players that it holds."""
    check_opener(request)
    table, key = await hall.real_tables.open(body)
    return JsonResponse({"table": table, "key": key}, 201)


@scores.get("/real-tables/{table}", response_model=RealTableData)
async def get_real_table(
    hall: HallDep,
    table: TableIdPath,
    key: KeyHeader,
    known: Annotated[Number | None, Query(description="The version you know")] = None,
    wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT, description="Seconds to wait for another version")] = 0,
) -> Response:
    """A real table as your key may know it: points and trains as one goes; tickets of others once it is counted."""
    return JsonResponse(await hall.real_tables.look(table, key, known, wait))


@scores.patch("/real-tables/{table}", response_model=RealTableData)
async def change_real_table(hall: HallDep, table: TableIdPath, body: ChangeRealTable, key: KeyHeader) -> Response:
    """Say whose turn it is, or show everybody the count."""
    return JsonResponse(await hall.real_tables.change(table, body, key))


@scores.delete("/real-tables/{table}", status_code=204, response_class=Response)
async def delete_real_table(hall: HallDep, table: TableIdPath, key: KeyHeader) -> Response:
    """Delete a real table that you have opened."""
    await hall.real_tables.delete(table, key)
    return Response(status_code=204)


@scores.patch("/real-tables/{table}/players/{seat}", response_model=ChangedHoldings)
async def change_real_player(
    hall: HallDep, table: TableIdPath, seat: SeatPath, body: ChangeHoldings, key: KeyHeader
) -> Response:
    """Change what a player of yours has. What would be odd is said and not done, unless it is forced."""
    refused, found = await hall.real_tables.change_player(table, seat, body, key)
    return JsonResponse({"refused": refused, "table": found})


@scores.post("/real-tables/{table}/players/{seat}/take", response_model=RealTableKey)
async def take_real_player(hall: HallDep, table: TableIdPath, seat: SeatPath, key: KeyHeader) -> Response:
    """Enter a player on your phone from now on; a phone that has no key yet gets one."""
    return JsonResponse({"table": table, "key": await hall.real_tables.take(table, seat, key)})


@scores.get("/real-tables/{table}/picture.svg", response_class=Response, responses=answers_with("image/svg+xml"))
async def draw_real_table(
    hall: HallDep, table: TableIdPath, theme: Annotated[PictureTheme, Query()] = "light"
) -> Response:
    """A counted real table drawn as it lies, with its points."""
    drawn = await hall.real_tables.draw(table, theme)
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "private, max-age=60"})
