"""Live play over a socket: one session is one client at one table. It says hello first; every request is answered."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any

import orjson
from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from whistlestop.server import log
from whistlestop.server.connections import WRITE_TEXTS
from whistlestop.server.hall import Hall
from whistlestop.server.messages import Act, Back, FromClient, Hello, Leave, React, Say, Sit, Vote, Way, Why
from whistlestop.server.refusals import RequestError, internal_error
from whistlestop.server.store import KeyHolder
from whistlestop.server.table import Table

CLOSED_UNKNOWN = 4404
CLOSED_FORBIDDEN = 4403
CLOSED_UNREADABLE = 4410
CLOSED_BUSY = 4429
CLOSED_SLOW = 4408
CLOSED_AGAIN = 1012
CLOSED_NONSENSE = 1008
MOST_GATHERED = 1 << 16
"""Bytes that wait for the end of a moment to be sent together."""
_CLOSED_BY_STATUS = {404: CLOSED_UNKNOWN, 403: CLOSED_FORBIDDEN, 410: CLOSED_UNREADABLE, 429: CLOSED_BUSY}

_request_reader: TypeAdapter[Any] = TypeAdapter(FromClient)


class Session:
    """A socket at a table: what it may see, and what waits to be sent."""

    def __init__(
        self,
        hall: Hall,
        table: Table,
        holder: KeyHolder | None,
        write_now: Callable[[Sequence[bytes]], bool] | None = None,
    ) -> None:
        self.hall, self.table = hall, table
        self._write_now = write_now or (lambda _messages: False)
        self._loop = asyncio.get_running_loop()
        self._gathered: list[bytes] = []
        self._gathered_bytes = 0
        self._waiting_bytes = 0
        self.limits = hall.settings.limits
        self._key_hash = holder.hash if holder else None
        self._wanted: int | None = None
        self.known = 0
        self.game_shown = False
        self.waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.slow = False
        self.code: int | None = None
        """What the socket is closed with."""

    @property
    def holder(self) -> KeyHolder | None:
        """What the key opens now; None for a spectator."""
        return None if self._key_hash is None else self.table.seating.holders[self._key_hash]

    @property
    def seats(self) -> frozenset[int]:
        """Seats that the key holds now."""
        holder = self.holder
        return frozenset(holder.seats if holder else ())

    @property
    def viewer(self) -> int | None:
        """The seat looked through: the one asked for while the key holds it, else its first; None for a spectator."""
        holder = self.holder
        seats = holder.seats if holder else ()
        return self._wanted if self._wanted in seats else seats[0] if seats else None

    @property
    def by_link(self) -> bool:
        """Whether it came by the spectators' link."""
        return self.game_shown and self.holder is None

    def send(self, message: bytes) -> None:
        """Send a message soon: what is told in one moment, as a frame and the answer to its action, goes together."""
        if self.slow:
            return
        if not self._gathered:
            self._loop.call_soon(self._send_gathered)
        self._gathered.append(message)
        self._gathered_bytes += len(message)
        if self._gathered_bytes > MOST_GATHERED:
            self._send_gathered()

    def _send_gathered(self) -> None:
        """Send what was gathered, or put it into the queue where one waits; who does not read is disconnected."""
        messages, self._gathered = self._gathered, []
        size, self._gathered_bytes = self._gathered_bytes, 0
        if not messages or (not self._waiting_bytes and self.code is None and self._write_now(messages)):
            return
        self._waiting_bytes += size
        self.slow = self.slow or self._waiting_bytes > self.limits.queued_bytes
        if self.slow:
            self.disconnect(CLOSED_SLOW)
        else:
            for message in messages:
                self.waiting.put_nowait(message)

    def sent(self, message: bytes) -> None:
        """A message of the queue is on its way."""
        self._waiting_bytes -= len(message)

    def disconnect(self, code: int = CLOSED_AGAIN) -> None:
        """Close the socket after what waits; by default because the table has left the memory and must be loaded."""
        self._send_gathered()
        if self.code is None:  # the first reason is the one that the client learns
            self.code = code
            self.waiting.put_nowait(None)

    def dismiss(self, refused: RequestError) -> None:
        """Say why, then close the socket for good."""
        self.tell(refused.json())
        self.disconnect(close_code(refused))

    def tell(self, message: dict[str, Any]) -> None:
        """Send plain data."""
        self.send(orjson.dumps(message))

    # -- requests ----------------------------------------------------------------------------------------------------
    def welcome(self, hello: Hello) -> None:
        """Say who the client is here, and show the game."""
        table = self.table
        if hello.seat is not None and hello.seat in self.seats:
            self._wanted = hello.seat
        elif self.seats:
            self._wanted = table.seat_of(self.holder, None)
        self.game_shown = self.holder is not None or hello.key is not None
        self.tell(
            {
                "t": "welcome",
                "seats": sorted(self.seats),
                "seat": self.viewer,
                "host": bool(self.holder and self.holder.host),
                "watch": table.seating.spectator_key if self.holder else None,
                "table": table.data(),
                "chat": table.chat.latest if self.game_shown else [],
                "now": round(time.time(), 3),
            }
        )
        self.show(hello.n or 0)

    def show(self, known: int = 0) -> None:
        """Show the game with the moves after number `known`."""
        if self.game_shown and self.table.has_begun:
            self.send(self.table.frame(self.viewer, known))
        self.known = self.table.n

    async def answer(self, request: Any) -> dict[str, Any]:
        """Do what a request asks for; the answer."""
        ok = {"t": "ok", "ref": request.ref, "n": None}
        table = self.table
        match request:
            case Act():
                return ok | {"n": await self.act(request)}
            case Why():
                return table.begun.why(self.viewer, request.track, request.city, request.ref)
            case Way():
                return table.begun.way(self.viewer, request.from_, request.to, request.ref)
            case Sit():
                self._wanted = table.seat_of(self.holder, request.seat)
                self.show()
            case Say():
                await table.say(self.mine(request.seat), request.text)
            case React():
                table.react(self.mine(request.seat), request.reaction)
            case Vote():
                await table.vote(table.seats_of(self.holder), request.seat, request.wanted)
            case Leave():
                await table.leave(self.mine(request.seat))
            case Back():
                await table.come_back(self.mine(request.seat))
            case Hello():
                holder = table.seating.holder(request.key)
                self._key_hash = holder.hash if holder else None
                self.welcome(request)
                table.show_presence()
            case _:
                return {"t": "pong", "ref": request.ref, "now": round(time.time(), 3)}
        return ok

    def mine(self, seat: int | None) -> int:
        """The seat that a request is for: the one named, or the one looked through."""
        return self.table.seat_of(self.holder, self.viewer if seat is None else seat)

    async def act(self, request: Act) -> int:
        """Play an action; its number."""
        began = time.perf_counter()
        number = await self.table.act(self.mine(request.seat), request.action, request.n)
        self.hall.metrics.action_seconds.observe(time.perf_counter() - began)
        return number


async def serve(socket: WebSocket, hall: Hall, table_id: str, may_speak: Callable[[], bool]) -> None:
    """Serve a socket from hello to its end; `may_speak` takes one message from what its client may send."""
    await socket.accept()
    try:
        greeting = _greet(socket, hall, table_id, may_speak)
        session, hello = await asyncio.wait_for(greeting, hall.settings.limits.hello_seconds)
    except (RequestError, TimeoutError) as error:
        refused = error if isinstance(error, RequestError) else _no_hello()
        hall.metrics.refused.labels(refused.code).inc()
        await refuse(socket, refused)
        return
    except (WebSocketDisconnect, RuntimeError):  # gone before it said anything
        return
    writer = asyncio.create_task(_write(socket, session))
    try:
        session.welcome(hello)
        session.table.add(session)
        await _read(socket, session, may_speak)
        if session.code is not None:
            await asyncio.wait([writer], timeout=session.limits.closing_seconds)
    finally:
        session.table.remove(session)
        writer.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await writer


async def _greet(socket: WebSocket, hall: Hall, table_id: str, may_speak: Callable[[], bool]) -> tuple[Session, Hello]:
    """The first message: it says who comes."""
    request = _admitted(await _receive(socket), may_speak, hall.settings.limits.largest_message)
    if not isinstance(request, Hello):
        raise _no_hello()
    table = await hall.get_for(table_id, request.key)
    write_now = socket.scope.get("extensions", {}).get(WRITE_TEXTS)
    return Session(hall, table, table.seating.holder(request.key), write_now), request


def _no_hello() -> RequestError:
    return RequestError("no_hello", "say hello first", '{"t": "hello", "key": …}')


async def _receive(socket: WebSocket) -> str:
    """The next message; what is no text is no message."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    return message.get("text") or ""


def close_code(refused: RequestError) -> int:
    """What a socket is closed with after a refusal."""
    return _CLOSED_BY_STATUS.get(refused.status, CLOSED_NONSENSE)


async def refuse(socket: WebSocket, refused: RequestError) -> None:
    """Say why on a socket that is open, and close it."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.send_text(orjson.dumps(refused.json()).decode())
        await socket.close(close_code(refused))


def _parsed(text: str, largest: int) -> Any:
    """A message, checked; a refusal says what is wrong with it."""
    if len(text) > largest:
        raise RequestError("too_large", f"a message has at most {largest} characters", status=413)
    try:
        return _request_reader.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise RequestError("malformed", f"{place + ': ' if place else ''}{first['msg']}", status=422) from None


def _admitted(text: str, may_speak: Callable[[], bool], largest: int) -> Any:
    """A message that comes not too soon and can be read."""
    if not may_speak():
        raise RequestError("rate", "too many messages", "slow down", 429)
    return _parsed(text, largest)


def _ref_of(text: str) -> int | None:
    """The reference of a message that could not be read, if there is one, so that the sender knows which it was."""
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    ref = found.get("ref") if isinstance(found, dict) else None
    return ref if isinstance(ref, int) and not isinstance(ref, bool) and 0 <= ref <= 2**31 else None


async def _read(socket: WebSocket, session: Session, may_speak: Callable[[], bool]) -> None:
    """Answer requests one after the other until the client goes."""
    limits = session.limits
    bad = 0
    while True:
        try:
            text = await _receive(socket)
        except (WebSocketDisconnect, RuntimeError):
            return
        ref = None
        try:
            request = _admitted(text, may_speak, limits.largest_message)
            ref = request.ref
            answer = await session.answer(request)
            bad = 0
        except RequestError as refused:
            session.hall.metrics.refused.labels(refused.code).inc()
            bad += refused.status in (413, 422, 429)
            answer = refused.json(ref if ref is not None else _ref_of(text[: limits.largest_message]))
        except Exception:  # a fault of ours: the sender learns of it, the table lives on
            log.logger.exception("request failed", extra={"facts": {"table": session.table.id}})
            answer = internal_error().json(ref)
        session.tell(answer)
        if bad >= limits.refused_in_a_row:
            session.disconnect(CLOSED_NONSENSE)
            return


async def _write(socket: WebSocket, session: Session) -> None:
    """Send what waits, in order."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # the reader notices that the client has gone
        while (message := await session.waiting.get()) is not None:
            await socket.send_text(message.decode())
            session.sent(message)
        await socket.close(session.code or CLOSED_AGAIN)
