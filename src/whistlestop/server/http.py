"""The HTTP API: everything a bot or a script needs, and what the page asks once. OpenAPI describes it at /docs."""

from __future__ import annotations

import asyncio
import contextlib
from functools import lru_cache
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response, WebSocket
from fastapi.responses import PlainTextResponse

from whistlestop.bots import bot_info, bot_names
from whistlestop.draw.screen import board_data, picture
from whistlestop.mapfile import Edition, editions
from whistlestop.server import live, messages
from whistlestop.server.hall import Hall, edition_of
from whistlestop.server.store import Holder, hash_of
from whistlestop.server.table import Refused, Table

LONGEST_WAIT = 30.0
FOR_A_DAY = {"cache-control": "public, max-age=86400"}
REFUSALS: dict[int | str, dict[str, Any]] = {
    code: {"model": messages.Refusal, "description": text}
    for code, text in (
        (400, "Not understood"), (403, "Not yours"), (404, "Not there"), (409, "Not now"), (413, "Too large"), (422, "Not possible"),
        (429, "Too often"), (503, "Not yet ready, or full"),
    )
}  # fmt: skip

api = APIRouter(prefix="/api", responses=REFUSALS)


def answers_with(media_type: str) -> dict[int | str, dict[str, Any]]:
    """For the description: a good answer of this type, which is no JSON."""
    return {200: {"content": {media_type: {"schema": {"type": "string"}}}}}


class Json(Response):
    """Plain data as JSON, quickly."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Data to bytes."""
        return orjson.dumps(content)


def hall_of(request: Request) -> Hall:
    """All tables, once the server is ready."""
    hall: HallDep | None = request.app.state.hall
    if hall is None:
        raise Refused("warming", "the server is getting ready", "try again in a moment", 503)
    return hall


def key_of(
    authorization: Annotated[str | None, Header(description="Bearer and the key of a seat")] = None,
) -> str | None:
    """The key of a request, never in its address."""
    if authorization is None:
        return None
    kind, _, key = authorization.partition(" ")
    if kind.lower() != "bearer" or not 8 <= len(key) <= 64 or not key.isascii():
        raise Refused("wrong_key", "a key is sent as: Authorization: Bearer KEY", status=403)
    return key


HallDep = Annotated[Hall, Depends(hall_of)]
KeyHeader = Annotated[str | None, Depends(key_of)]
TableName = Annotated[str, Path(pattern=r"^[A-Za-z0-9]{6,20}$", description="A table's id")]


async def table_of(hall: HallDep, table: TableName) -> Table:
    """The table of an address."""
    return await hall.get(table)


At = Annotated[Table, Depends(table_of)]
EyesQuery = Annotated[int | None, Query(ge=0, le=4, description="Whose eyes: one of your seats")]


def seat_key(table: Table, key: str, holder: Holder) -> dict[str, Any]:
    """A place at a table, with its secret."""
    return {"table": table.id, "key": key, "seats": holder.seats, "host": holder.host, "watch": table.watch}


# ---- what can be played ---------------------------------------------------------------------------------------------
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


@api.get("/editions", response_model=list[messages.EditionData], tags=["boards"])
async def list_editions() -> Response:
    """What can be played."""
    return Json(_editions())


@lru_cache(maxsize=1)
def _editions() -> list[dict[str, Any]]:
    return [
        {
            "id": edition.id, "name": edition.name, "summary": edition.summary, "board": edition.board.id, "players": edition.players,
            "cities": sum(city.country is None for city in edition.board.cities), "tracks": len(edition.board.tracks),
            "tickets": sum(len(deck.tickets) for deck in edition.decks), "trains": edition.trains, "stations": edition.stations,
            "features": features(edition),
        }
        for edition in editions()
    ]  # fmt: skip


EditionName = Annotated[str, Path(max_length=40, description="An edition's id")]


@lru_cache(maxsize=32)
def board_of(edition: str) -> bytes:
    """Everything to draw an edition's board, made once."""
    return orjson.dumps(board_data(edition_of(edition)))


@api.get("/editions/{edition}/board", response_model=messages.BoardData, tags=["boards"])
async def get_board(edition: EditionName) -> Response:
    """Everything to draw an edition's board, in the units of its sheet."""
    data = await asyncio.to_thread(board_of, edition)
    return Response(data, media_type="application/json", headers=FOR_A_DAY)


@lru_cache(maxsize=64)
def _picture(edition: str, theme: str) -> str:
    return picture(edition_of(edition), theme)


@api.get(
    "/editions/{edition}/picture.svg", response_class=Response, responses=answers_with("image/svg+xml"), tags=["boards"]
)
async def get_picture(edition: EditionName, theme: Literal["light", "dark", "contrast"] = "light") -> Response:
    """A small picture of an edition's board."""
    return Response(await asyncio.to_thread(_picture, edition, theme), media_type="image/svg+xml", headers=FOR_A_DAY)


@api.get("/bots", response_model=list[messages.BotData], tags=["boards"])
async def list_bots() -> Response:
    """Bots that can take a seat, from weak to strong."""
    return Json(
        [{"name": info.name, "title": info.title, "summary": info.summary} for info in map(bot_info, bot_names())]
    )


# ---- tables ---------------------------------------------------------------------------------------------------------
@api.post("/tables", response_model=messages.SeatKey, status_code=201, tags=["tables"])
async def open_table(hall: HallDep, wish: messages.NewTable, request: Request) -> Response:
    """Open a table. The key that comes back is a secret: it holds your seats and makes you the host."""
    if not request.app.state.openers.take(client_of(request)):
        raise Refused("rate", "you have opened too many tables", "try again later", 429)
    table, key, holder = await hall.open(wish)
    return Json(seat_key(table, key, holder), 201)


@api.post("/mine", response_model=list[messages.Mine], tags=["tables"])
async def list_mine(hall: HallDep, wish: messages.MineWish) -> Response:
    """How the tables are whose keys you hold."""
    by_hash = {hash_of(key): key for key in wish.keys}
    found = []
    for holder in (await hall.store.holders(list(by_hash)))[:100]:
        table = await hall.get(holder.table)
        async with table.lock:  # what is being stored has not happened yet
            data = table.data()
        mine = [seat for seat in data["to_move"] if seat in holder.seats and not table.chairs[seat].by_bot]
        found.append(
            {
                "key": by_hash[holder.hash],
                "seats": holder.seats,
                "host": holder.host,
                "table": data,
                "my_turn": bool(mine),
            }
        )
    return Json(found)


@api.get("/tables/{table}", response_model=messages.TableData, tags=["tables"])
async def get_table(table: At) -> Response:
    """A table as everybody may see it."""
    async with table.lock:  # whoever holds it may be storing an action that has not happened yet
        return Json(table.data())


@api.post("/tables/{table}/join", response_model=messages.SeatKey, tags=["tables"])
async def join_table(hall: HallDep, table: At, wish: messages.Join, key: KeyHeader) -> Response:
    """Sit down at an open seat. With the key of a seat you have here, the new seat is on the same device."""
    own, holder = await hall.join(table, wish, key)
    return Json(seat_key(table, own, holder))


@api.patch("/tables/{table}/seats/{seat}", response_model=messages.TableData, tags=["tables"])
async def change_seat(
    hall: HallDep, table: At, seat: Annotated[int, Path(ge=0, le=4)], wish: messages.ChangeSeat, key: KeyHeader
) -> Response:
    """Change who sits somewhere (the host), or your own name and colour, while the table waits."""
    await hall.change(table, seat, wish, key)
    return Json(table.data())


@api.post("/tables/{table}/start", response_model=messages.TableData, tags=["tables"])
async def start_table(hall: HallDep, table: At, wish: messages.Start, key: KeyHeader) -> Response:
    """Begin the game (the host); open seats are filled by the bot named in `fill`."""
    hall.host(table, key)
    await hall.start(table, wish.fill)
    return Json(table.data())


@api.post("/tables/{table}/rematch", response_model=messages.SeatKey, tags=["tables"])
async def rematch(hall: HallDep, table: At, key: KeyHeader) -> Response:
    """Play again with the same people; your key opens the new table too."""
    again, holder = await hall.rematch(table, key)
    return Json(seat_key(again, key or "", holder))


# ---- play -----------------------------------------------------------------------------------------------------------
def eyes_of(hall: HallDep, table: Table, key: str | None, seat: int | None) -> int | None:
    """The seat a request looks through; None for the spectators' key."""
    if key is None:
        raise Refused("no_key", "this needs a key", "send it as: Authorization: Bearer KEY", 403)
    holder = hall.holder(table, key)
    if holder is None or not holder.seats:
        if seat is not None:
            raise Refused("not_your_seat", f"seat {seat + 1} is not yours", status=403)
        return None
    return table.seat_of(holder, seat)


@api.get("/tables/{table}/view", response_model=messages.Frame, tags=["play"])
async def get_view(
    hall: HallDep,
    table: At,
    key: KeyHeader,
    seat: EyesQuery = None,
    known: Annotated[int, Query(ge=0, le=100_000, description="The last action you know of")] = 0,
    wait: Annotated[float, Query(ge=0, le=LONGEST_WAIT, description="Seconds to wait for an action after `known`")] = 0,
) -> Response:
    """The game as your seat sees it, and what you may do. With `wait`, the answer comes when something has happened or you may act."""
    eyes = eyes_of(hall, table, key, seat)

    def has_news() -> bool:
        """A new action, something to do, the end; before the game begins there is none."""
        if table.game is None:
            return hall.closing
        return len(table.told) > known or eyes in table.game.to_move or table.status == "over" or hall.closing

    if wait and not has_news():
        with contextlib.suppress(TimeoutError):  # nothing happened: the answer says so by its number
            async with asyncio.timeout(wait), table.changed:
                await table.changed.wait_for(has_news)
    async with table.lock:
        return Json(table.frame(eyes_of(hall, table, key, seat), known))


@api.post("/tables/{table}/actions", response_model=messages.Ok, tags=["play"])
async def act(hall: HallDep, table: At, wish: messages.ActWish, key: KeyHeader) -> Response:
    """Play an action, by id or by text, on the state after action `n`. Sending it again is harmless."""
    seat = table.seat_of(hall.holder(table, key), wish.seat)
    return Json({"t": "ok", "ref": None, "n": await table.act(seat, wish.action, wish.n)})


@api.get("/tables/{table}/why", response_model=messages.WhyData, tags=["play"])
async def why(
    hall: HallDep,
    table: At,
    key: KeyHeader,
    track: Annotated[int | None, Query(ge=0, le=255)] = None,
    city: Annotated[str | None, Query(max_length=80)] = None,
    seat: EyesQuery = None,
) -> Response:
    """Why you cannot have a track, or a station in a city."""
    async with table.lock:
        return Json(table.why(eyes_of(hall, table, key, seat), track, city))


@api.get("/tables/{table}/way", response_model=messages.WayData, tags=["play"])
async def way(
    hall: HallDep,
    table: At,
    key: KeyHeader,
    a: Annotated[str, Query(alias="from", max_length=80)],
    b: Annotated[str, Query(alias="to", max_length=80)],
    seat: EyesQuery = None,
) -> Response:
    """Your cheapest way between two places."""
    async with table.lock:
        return Json(table.way(eyes_of(hall, table, key, seat), a, b))


@api.post("/tables/{table}/chat", response_model=messages.Ok, tags=["play"])
async def say(hall: HallDep, table: At, wish: messages.SayWish, key: KeyHeader) -> Response:
    """Say something at the table."""
    await table.say(table.seat_of(hall.holder(table, key), wish.seat), wish.text)
    return Json({"t": "ok", "ref": None, "n": None})


@api.get("/tables/{table}/chat", response_model=list[messages.ChatData], tags=["play"])
async def get_chat(hall: HallDep, table: At, key: KeyHeader) -> Response:
    """What was said at the table."""
    eyes_of(hall, table, key, None)
    return Json(table.chat)


@api.post("/tables/{table}/seats/{seat}/leave", response_model=messages.TableData, tags=["play"])
async def leave(hall: HallDep, table: At, seat: Annotated[int, Path(ge=0, le=4)], key: KeyHeader) -> Response:
    """Let a bot play for your seat."""
    await table.leave(table.seat_of(hall.holder(table, key), seat))
    return Json(table.data())


@api.post("/tables/{table}/seats/{seat}/back", response_model=messages.TableData, tags=["play"])
async def back(hall: HallDep, table: At, seat: Annotated[int, Path(ge=0, le=4)], key: KeyHeader) -> Response:
    """Take your seat back from the bot."""
    await table.back(table.seat_of(hall.holder(table, key), seat))
    return Json(table.data())


@api.post("/tables/{table}/seats/{seat}/vote", response_model=messages.TableData, tags=["play"])
async def vote(
    hall: HallDep, table: At, seat: Annotated[int, Path(ge=0, le=4)], key: KeyHeader, wanted: bool = True
) -> Response:
    """Vote for a bot to stand in for somebody who is gone or too slow."""
    await table.vote(table.seat_of(hall.holder(table, key), None), seat, wanted)
    return Json(table.data())


# ---- the end --------------------------------------------------------------------------------------------------------
@api.get("/tables/{table}/end", response_model=messages.EndData, tags=["end"])
async def get_end(table: At) -> Response:
    """All there is to tell of a finished game, with the seed that was kept secret."""
    return Json(table.end())


@api.get("/tables/{table}/replay/{n}", response_model=messages.Frame, tags=["end"])
async def get_replay(
    table: At,
    n: Annotated[int, Path(ge=0, le=100_000)],
    eyes: Annotated[int | None, Query(ge=0, le=4, description="Whose eyes; a spectator's without it")] = None,
) -> Response:
    """A finished game after action `n`, through anybody's eyes."""
    return Json(table.replay(n, eyes))


@api.get("/tables/{table}/record", response_class=Response, responses=answers_with("text/plain"), tags=["end"])
async def get_record(table: At) -> Response:
    """The record of a finished game, as text that people and programs can read."""
    text = table.finished().record()
    named = {"content-disposition": f'attachment; filename="whistlestop-{table.edition.id}-{table.id}.txt"'}
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
    if state.clients.open[client] >= state.settings.limits.sockets:
        await socket.accept()
        await socket.close(live.CLOSED_BUSY)
        return
    state.clients.open[client] += 1
    state.hall.metrics.sockets.inc()
    try:
        await live.serve(socket, state.hall, table)
    finally:
        state.hall.metrics.sockets.dec()
        state.clients.open[client] -= 1
        if not state.clients.open[client]:
            del state.clients.open[client]


def client_of(connection: Request | WebSocket) -> str:
    """Who asks: an address."""
    return connection.client.host if connection.client else "unknown"


def allowed_origin(connection: Request | WebSocket, others: tuple[str, ...]) -> bool:
    """Whether a page of this site asks, or no page at all."""
    origin = connection.headers.get("origin")
    return origin is None or origin in others or origin.partition("://")[2] == connection.headers.get("host")
