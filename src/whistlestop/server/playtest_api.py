"""Playtests of people's own boards over HTTP: asked for, followed, cancelled, and their pages."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from whistlestop.server.board_messages import PlaytestData
from whistlestop.server.http import REFUSALS, EditionPath, HallDep, JsonResponse, answers_with, client_of
from whistlestop.server.refusals import RequestError
from whistlestop.server.strange_boards import board_hash_in

PAGE_HEADERS = {
    # the page has no script, and names on it are a stranger's: it may do nothing but be looked at
    "content-security-policy": (
        "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'; sandbox"
    ),
    "cross-origin-opener-policy": "unsafe-none",  # browsers show no page in a sandbox with any other
    "cache-control": "private, no-store",
}

playtests = APIRouter(prefix="/api", responses=REFUSALS, tags=["boards"])
PlaytestIdPath = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{24}$", description="A playtest's id")]


@playtests.post("/editions/{edition}/playtest", response_model=PlaytestData, status_code=202)
async def start_playtest(hall: HallDep, edition: EditionPath, request: Request) -> Response:
    """Let bots play a board of somebody's own and measure the games. It takes its time: ask how far it is."""
    hall.check_boards_enabled()
    hall.playtests.check_enabled()
    client = client_of(request)
    found = (await hall.boards.edition(edition)).id
    if board_hash_in(found) is None:
        hint = f"`whistlestop playtest {found}` measures it on your own machine"
        raise RequestError("not_own_board", "only boards of people's own are measured here", hint, 422)
    if (known := hall.playtests.known(found, client)) is not None:
        return JsonResponse(known.data(), 202)
    if not request.app.state.playtesters.take(client):
        raise RequestError("rate", "you have let too many boards be measured", "try again later", 429)
    text = await hall.boards.text(found)
    return JsonResponse(hall.playtests.start(found, text, client).data(), 202)


@playtests.get("/playtests/{playtest}", response_model=PlaytestData)
async def get_playtest(hall: HallDep, playtest: PlaytestIdPath) -> Response:
    """How far a playtest is."""
    return JsonResponse(hall.playtests.get(playtest).data())


@playtests.delete("/playtests/{playtest}", status_code=204, response_class=Response)
async def cancel_playtest(hall: HallDep, playtest: PlaytestIdPath) -> Response:
    """End a playtest and forget it."""
    await hall.playtests.cancel(playtest)
    return Response(status_code=204)


@playtests.get("/playtests/{playtest}/page", response_class=Response, responses=answers_with("text/html"))
async def get_playtest_page(hall: HallDep, playtest: PlaytestIdPath) -> Response:
    """What came of a playtest, as a page that stands alone."""
    return Response(hall.playtests.page(playtest), media_type="text/html", headers=PAGE_HEADERS)
