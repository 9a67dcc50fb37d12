"""The HTTP API: everything a bot or a script needs, and what the page asks once. OpenAPI describes it at /docs."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import ipaddress
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response, WebSocket
from fastapi.responses import PlainTextResponse
from pydantic import AfterValidator

from whistlestop.draw.themes import BROWSER_THEMES
from whistlestop.mapfile import MAX_PLAYERS
from whistlestop.server import catalog, live, messages
from whistlestop.server.board_messages import BoardData, BoardLimits, OwnBoardData
from whistlestop.server.bot_roster import BotRoster
from whistlestop.server.end_messages import EndData
from whistlestop.server.hall import Hall
from whistlestop.server.rate_limits import client_name
from whistlestop.server.refusals import RequestError, banned_client
from whistlestop.server.settings import Settings
from whistlestop.server.store import KeyHolder, hash_of
from whistlestop.server.strange_boards import LARGEST_BOARD
from whistlestop.server.table import Table

BOARDS_PATH = "/api/boards"
"""Where map files are brought."""
CACHED_FOR_A_DAY = {"cache-control": "public, max-age=86400"}
ASKED_AGAIN = {"cache-control": "no-cache"}
"""Kept by browsers, which ask whether it still holds: an answer that does costs no bytes."""
REFUSALS: dict[int | str, dict[str, Any]] = {
    code: {"model": messages.Refusal, "description": text}
    for code, text in (
        (400, "Not understood"),
        (403, "Not yours"),
        (404, "Not there"),
        (409, "Not now"),
        (413, "Too large"),
        (422, "Not possible"),
        (429, "Too often"),
        (503, "Not yet ready, or full"),
    )
}

api = APIRouter(prefix="/api", responses=REFUSALS)


def answers_with(media_type: str) -> dict[int | str, dict[str, Any]]:
    """For the description: a good answer of this type, which is no JSON."""
    return {200: {"content": {media_type: {"schema": {"type": "string"}}}}}


class JsonResponse(Response):
    """Plain data as JSON, by orjson; what is JSON already goes as it is."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Data to bytes."""
        return content if isinstance(content, bytes) else orjson.dumps(content)


def hall_of(request: Request) -> Hall:
    """All tables, once the server is ready."""
    hall: Hall | None = request.app.state.hall
    if hall is None:
        raise RequestError("warming", "the server is getting ready", "try again in a moment", 503)
    return hall


def key_of(
    authorization: Annotated[str | None, Header(description="Bearer and the key of a seat")] = None,
) -> str | None:
    """The key of a request, never in its address."""
    if authorization is None:
        return None
    kind, _, key = authorization.partition(" ")
    if kind.lower() != "bearer" or not 8 <= len(key) <= 64 or not key.isascii():
        raise RequestError("wrong_key", "a key is sent as: Authorization: Bearer KEY", status=403)
    return key


HallDep = Annotated[Hall, Depends(hall_of)]
KeyHeader = Annotated[str | None, Depends(key_of)]
TableIdPath = Annotated[messages.TableId, Path(description="A table's id")]
SeatPath = Annotated[int, Path(ge=0, lt=MAX_PLAYERS)]


async def table_of(hall: HallDep, table: TableIdPath, key: KeyHeader) -> Table:
    """The table of an address."""
    return await hall.get_for(table, key)


TableDep = Annotated[Table, Depends(table_of)]
PageQuery = Annotated[int, Query(ge=0, le=1000, description="Which page, from 0")]
SeatQuery = Annotated[int | None, Query(ge=0, lt=MAX_PLAYERS, description="The seat to look through: one of yours")]


def seat_key(table: Table, key: str, holder: KeyHolder) -> dict[str, Any]:
    """A place at a table, with its secret."""
    return {
        "table": table.id,
        "key": key,
        "seats": holder.seats,
        "host": holder.host,
        "watch": table.seating.spectator_key,
    }


# ---- what can be played ---------------------------------------------------------------------------------------------
@api.get("/editions", response_model=list[messages.EditionData], tags=["boards"])
async def list_editions() -> Response:
    """What can be played."""
    return JsonResponse(catalog.list_editions())


def browser_theme(theme: str) -> str:
    """Check that a theme is one of the browser's."""
    if theme not in BROWSER_THEMES:
        raise ValueError(f"must be one of {', '.join(BROWSER_THEMES)}")
    return theme


EditionPath = Annotated[messages.EditionName, Path(description="An edition's id")]
PictureTheme = Annotated[str, AfterValidator(browser_theme), Query(json_schema_extra={"enum": list(BROWSER_THEMES)})]


@api.get("/editions/{edition}", response_model=messages.EditionData, tags=["boards"])
async def get_edition(hall: HallDep, edition: EditionPath) -> Response:
    """One edition, of a board of somebody's own too."""
    return JsonResponse(await hall.boards.data(edition))


@api.get(
    "/editions/{edition}/map.toml", response_class=Response, responses=answers_with("application/toml"), tags=["boards"]
)
async def get_map_file(hall: HallDep, edition: EditionPath) -> Response:
    """The map file that an edition stands in, as it was brought: records are read with it elsewhere."""
    text = await hall.boards.text(edition)
    name = f'attachment; filename="{edition.partition("@")[0]}.toml"'
    return Response(text, media_type="application/toml", headers=CACHED_FOR_A_DAY | {"content-disposition": name})


@api.get("/editions/{edition}/board", response_model=BoardData, tags=["boards"])
async def get_board(hall: HallDep, edition: EditionPath) -> Response:
    """Everything to draw an edition's board, in the units of its sheet."""
    data = await hall.boards.board_json(edition)
    return Response(data, media_type="application/json", headers=CACHED_FOR_A_DAY)


@api.get(
    "/editions/{edition}/picture.svg", response_class=Response, responses=answers_with("image/svg+xml"), tags=["boards"]
)
async def get_picture(hall: HallDep, edition: EditionPath, theme: PictureTheme = "light") -> Response:
    """A small picture of an edition's board."""
    drawn = await hall.boards.picture(edition, theme)
    return Response(drawn, media_type="image/svg+xml", headers=CACHED_FOR_A_DAY)


@api.get("/editions/{edition}/rules", response_model=messages.RulesData, tags=["boards"])
async def get_rules(hall: HallDep, edition: EditionPath, language: messages.RulesLanguage = "en") -> Response:
    """The rules of an edition in our own words, and its numbers."""
    data = await hall.boards.rules_json(edition, language)
    return Response(data, media_type="application/json", headers=CACHED_FOR_A_DAY)


@api.get("/boards", response_model=BoardLimits, tags=["boards"])
async def get_board_limits(request: Request) -> Response:
    """Whether boards of one's own can be played here, how large a map file may be, and whether bots measure them."""
    settings: Settings = request.app.state.settings
    games = settings.playtest_games if settings.boards else 0
    return JsonResponse({"enabled": settings.boards, "largest": LARGEST_BOARD, "playtest_games": games})


@api.post(
    "/boards", response_model=OwnBoardData, status_code=201, tags=["boards"], openapi_extra={
        "requestBody": {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}}
    },
)  # fmt: skip
async def bring_board(hall: HallDep, request: Request) -> Response:
    """Bring a map file, as it is, to open tables with its editions. What is wrong with it is refused with its line."""
    hall.check_boards_enabled()
    if not request.app.state.board_bringers.take(client_of(request)):
        raise RequestError("rate", "you have brought too many boards", "try again later", 429)
    brought = await hall.boards.add(await request.body())
    return JsonResponse(brought.data(), 201)


@api.get("/bots", response_model=list[messages.BotData], tags=["boards"])
async def list_bots(request: Request) -> Response:
    """Bots that can take a seat: the levels, from weak to strong, then other bots of the packages and the host."""
    state = request.app.state
    return JsonResponse(await asyncio.to_thread(BotRoster(state.settings.bots, state.preparation).data))


def check_opener(request: Request) -> None:
    """Refuse who opens too many tables."""
    if not request.app.state.openers.take(client_of(request)):
        raise RequestError("rate", "you have opened too many tables", "try again later", 429)


def check_lister(request: Request, hall: Hall) -> None:
    """Refuse who lets too many tables be found."""
    hall.listing.check_enabled()
    if not request.app.state.listers.take(client_of(request)):
        raise RequestError("rate", "you have listed too many tables", "try again later", 429)


# ---- tables ---------------------------------------------------------------------------------------------------------
@api.get("/tables", response_model=messages.ListedTables, tags=["tables"])
async def list_tables(hall: HallDep, request: Request, open: PageQuery = 0, watch: PageQuery = 0) -> Response:  # noqa: A002  (the query's name)
    """Tables that anybody on this server may join or watch, a page of each. The answer holds for some seconds."""
    answer = JsonResponse(await hall.listing.pages(open, watch), headers=ASKED_AGAIN)
    answer.headers["etag"] = tag = f'W/"{hashlib.blake2b(bytes(answer.body), digest_size=12).hexdigest()}"'
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"etag": tag, **ASKED_AGAIN})
    return answer


@api.post("/tables", response_model=messages.SeatKey, status_code=201, tags=["tables"])
async def open_table(hall: HallDep, body: messages.NewTable, request: Request) -> Response:
    """Open a table. The key that comes back is a secret: it holds your seats and makes you the host."""
    check_opener(request)
    if body.listed:
        check_lister(request, hall)
    table, key, holder = await hall.open(body)
    return JsonResponse(seat_key(table, key, holder), 201)


@api.post("/lessons/{lesson}", response_model=messages.SeatKey, status_code=201, tags=["tables"])
async def open_lesson(
    hall: HallDep, lesson: messages.LessonName, body: messages.OpenLesson, request: Request
) -> Response:
    """Open the table of a lesson: a short game against a gentle bot, from a position laid by hand."""
    check_opener(request)
    table, key, holder = await hall.open_lesson(lesson, body)
    return JsonResponse(seat_key(table, key, holder), 201)


@api.post("/mine", response_model=list[messages.Mine], tags=["tables"])
async def list_mine(hall: HallDep, body: messages.MineRequest) -> Response:
    """How the tables are whose keys you hold."""
    by_hash = {hash_of(key): key for key in body.keys}
    found = []
    for holder in (await hall.store.holders(list(by_hash)))[:100]:
        try:
            table = await hall.get(holder.table)
        except RequestError as refused:
            if refused.status != 410:
                raise
            continue  # it cannot be read; that keeps nobody from the others
        data = table.data()
        mine = [seat for seat in table.to_move if seat in holder.seats and not table.seats[seat].by_bot]
        found.append(
            {
                "key": by_hash[holder.hash],
                "seats": holder.seats,
                "host": holder.host,
                "table": data,
                "my_turn": bool(mine),
            }
        )
    return JsonResponse(found)


@api.get("/tables/{table}", response_model=messages.TableData, tags=["tables"])
async def get_table(table: TableDep) -> Response:
    """A table as everybody may see it."""
    return JsonResponse(table.data())


@api.patch("/tables/{table}", response_model=messages.TableData, tags=["tables"])
async def change_table(
    hall: HallDep, table: TableDep, body: messages.ChangeTable, key: KeyHeader, request: Request
) -> Response:
    """Let anybody on this server find the table, or no longer (the host), while it waits."""
    table.seating.host(key)
    if body.listed and not table.listed:
        check_lister(request, hall)
    await table.change_listing(body.listed)
    return JsonResponse(table.data())


@api.post("/tables/{table}/join", response_model=messages.SeatKey, tags=["tables"])
async def join_table(table: TableDep, body: messages.Join, key: KeyHeader) -> Response:
    """Sit down at an open seat. With the key of a seat you have here, the new seat is on the same device."""
    own, holder = await table.join(body, key)
    return JsonResponse(seat_key(table, own, holder))


@api.patch("/tables/{table}/seats/{seat}", response_model=messages.TableData, tags=["tables"])
async def change_seat(table: TableDep, seat: SeatPath, body: messages.ChangeSeat, key: KeyHeader) -> Response:
    """Change who sits somewhere (the host), or your own name and colour, while the table waits."""
    await table.change_seat(seat, body, key)
    return JsonResponse(table.data())


@api.post("/tables/{table}/start", response_model=messages.TableData, tags=["tables"])
async def start_table(table: TableDep, body: messages.Start, key: KeyHeader) -> Response:
    """Begin the game (the host); open seats are filled by the bot named in `fill`."""
    table.seating.host(key)
    await table.start(body.fill)
    return JsonResponse(table.data())


@api.post("/tables/{table}/rematch", response_model=messages.SeatKey, tags=["tables"])
async def rematch(hall: HallDep, table: TableDep, key: KeyHeader, request: Request) -> Response:
    """Play again with the same people; your key opens the new table too."""
    if table.rematch is None:
        check_opener(request)
    again, holder = await hall.rematch(table, key)
    return JsonResponse(seat_key(again, key or "", holder))


# ---- play -----------------------------------------------------------------------------------------------------------
def viewer_of(table: Table, key: str | None, seat: int | None) -> int | None:
    """The seat a request looks through; None for the spectators' key."""
    if key is None:
        raise RequestError("no_key", "this needs a key", "send it as: Authorization: Bearer KEY", 403)
    holder = table.seating.holder(key)
    if holder is None or not holder.seats:
        if seat is not None:
            raise RequestError("not_your_seat", f"seat {seat + 1} is not yours", status=403)
        return None
    return table.seat_of(holder, seat)


@api.get("/tables/{table}/view", response_model=messages.Frame, tags=["play"])
async def get_view(
    hall: HallDep,
    table: TableDep,
    key: KeyHeader,
    seat: SeatQuery = None,
    known: Annotated[messages.Number, Query(description="The last action you know of")] = 0,
    wait: Annotated[
        float, Query(ge=0, le=messages.LONGEST_WAIT, description="Seconds to wait for an action after `known`")
    ] = 0,
) -> Response:
    """The game as your seat sees it, and what you may do. With `wait`, when something has happened or you may act."""
    viewer = viewer_of(table, key, seat)
    holder = table.seating.holder(key)

    def has_news() -> bool:
        """A new action, something to do, the end; before the game begins there is none."""
        if table.dismissed is not None:
            return True
        if not table.has_begun:
            return hall.closing
        return table.n > known or viewer in table.to_move or table.status == "over" or hall.closing

    with table.presence.asking(holder.seats if holder else ()):
        if wait and not has_news():
            with contextlib.suppress(TimeoutError):  # nothing happened: the answer says so by its number
                async with asyncio.timeout(wait):
                    while not has_news():
                        await table.news()
    return JsonResponse(table.frame(viewer_of(table, key, seat), known))


@api.post("/tables/{table}/actions", response_model=messages.Ok, tags=["play"])
async def act(table: TableDep, body: messages.ActionRequest, key: KeyHeader) -> Response:
    """Play an action, by id or by text, on the state after action `n`. Sending it again is harmless."""
    holder = table.seating.holder(key)
    seat = table.seat_of(holder, body.seat)
    with table.presence.asking(table.seats_of(holder)):
        return JsonResponse({"t": "ok", "ref": None, "n": await table.act(seat, body.action, body.n)})


@api.get("/tables/{table}/why", response_model=messages.WhyData, tags=["play"])
async def why(
    table: TableDep,
    key: KeyHeader,
    track: Annotated[messages.TrackNumber | None, Query()] = None,
    city: Annotated[messages.CityName | None, Query()] = None,
    seat: SeatQuery = None,
) -> Response:
    """Why you cannot have a track, or a station in a city."""
    return JsonResponse(table.begun.why(viewer_of(table, key, seat), track, city, None))


@api.get("/tables/{table}/way", response_model=messages.WayData, tags=["play"])
async def way(
    table: TableDep,
    key: KeyHeader,
    a: Annotated[messages.CityName, Query(alias="from")],
    b: Annotated[messages.CityName, Query(alias="to")],
    seat: SeatQuery = None,
) -> Response:
    """Your cheapest way between two places."""
    return JsonResponse(table.begun.way(viewer_of(table, key, seat), a, b, None))


@api.post("/tables/{table}/chat", response_model=messages.Ok, tags=["play"])
async def say(table: TableDep, body: messages.ChatRequest, key: KeyHeader) -> Response:
    """Say something at the table."""
    await table.say(table.seat_of(table.seating.holder(key), body.seat), body.text)
    return JsonResponse({"t": "ok", "ref": None, "n": None})


@api.get("/tables/{table}/chat", response_model=list[messages.ChatData], tags=["play"])
async def get_chat(table: TableDep, key: KeyHeader) -> Response:
    """What was said at the table."""
    viewer_of(table, key, None)
    return JsonResponse(table.chat.messages)


@api.post("/tables/{table}/seats/{seat}/leave", response_model=messages.TableData, tags=["play"])
async def leave(table: TableDep, seat: SeatPath, key: KeyHeader) -> Response:
    """Let a bot play for your seat."""
    await table.leave(table.seat_of(table.seating.holder(key), seat))
    return JsonResponse(table.data())


@api.post("/tables/{table}/seats/{seat}/back", response_model=messages.TableData, tags=["play"])
async def back(table: TableDep, seat: SeatPath, key: KeyHeader) -> Response:
    """Take your seat back from the bot."""
    await table.come_back(table.seat_of(table.seating.holder(key), seat))
    return JsonResponse(table.data())


@api.post("/tables/{table}/seats/{seat}/vote", response_model=messages.TableData, tags=["play"])
async def vote(table: TableDep, seat: SeatPath, key: KeyHeader, wanted: bool = True) -> Response:
    """Vote for a bot to stand in for somebody who is gone or too slow; every seat of your key has one vote."""
    await table.vote(table.seats_of(table.seating.holder(key)), seat, wanted)
    return JsonResponse(table.data())


# ---- the end --------------------------------------------------------------------------------------------------------
@api.get("/tables/{table}/end", response_model=EndData, tags=["end"])
async def get_end(table: TableDep) -> Response:
    """All there is to tell of a finished game, with the seed that was kept secret."""
    return JsonResponse(await table.tell_end())


@api.get("/tables/{table}/replay/{n}", response_model=messages.Frame, tags=["end"])
async def get_replay(
    table: TableDep,
    n: Annotated[messages.Number, Path()],
    eyes: Annotated[
        int | None, Query(ge=0, lt=MAX_PLAYERS, description="The seat to look through; a spectator's view without it")
    ] = None,
) -> Response:
    """A finished game after action `n`, as any seat saw it."""
    return JsonResponse(table.finished.replay(n, eyes))


@api.get("/tables/{table}/record", response_class=Response, responses=answers_with("text/plain"), tags=["end"])
async def get_record(table: TableDep) -> Response:
    """The record of a finished game, as text that people and programs can read."""
    game = table.finished.game
    if table.lesson is not None:
        raise RequestError("no_record", "a lesson begins in the middle of a game, so it has no record", status=404)
    text = game.record()
    edition = table.edition.id.partition("@")[0]
    named = {"content-disposition": f'attachment; filename="whistlestop-{edition}-{table.id}.txt"'}
    return PlainTextResponse(text, headers=named)


# ---- live -----------------------------------------------------------------------------------------------------------
@api.websocket("/tables/{table}/live")
async def play_live(socket: WebSocket, table: str) -> None:
    """Live play: see server/messages.py for what is said."""
    state = socket.app.state
    client = client_of(socket)
    if state.hall is None or not allowed_origin(socket, state.settings.origins):
        await socket.close(1013 if state.hall is None else live.CLOSED_FORBIDDEN)
        return
    if state.bans.covers(client):
        await socket.accept()
        await live.refuse(socket, banned_client())
        return
    if state.clients.open[client] >= state.settings.limits.sockets or not state.clients.take(client):
        await socket.accept()
        await socket.close(live.CLOSED_BUSY)
        return
    state.clients.open[client] += 1
    state.hall.metrics.sockets.inc()
    try:
        with state.bans.connected(client, socket):
            await live.serve(socket, state.hall, table, lambda: state.speakers.take(client))
    finally:
        state.hall.metrics.sockets.dec()
        state.clients.open[client] -= 1
        if not state.clients.open[client]:
            del state.clients.open[client]


def client_of(connection: Request | WebSocket) -> str:
    """Who asks: an address, or the network of one."""
    return client_name(connection.client.host if connection.client else "unknown")


def is_on_this_machine(request: Request) -> bool:
    """Whether somebody on the server's own machine asks."""
    try:
        found = ipaddress.ip_address(request.client.host if request.client else "")
    except ValueError:
        return False
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback


def allowed_origin(connection: Request | WebSocket, others: tuple[str, ...]) -> bool:
    """Whether a page of this site asks, or no page at all."""
    origin = connection.headers.get("origin")
    return origin is None or origin in others or origin.partition("://")[2] == connection.headers.get("host")
