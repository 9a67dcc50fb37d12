"""Live play over a socket: one session is one browser at one table. It says hello, then wishes; every wish is answered."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Any

import orjson
from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from whistlestop.server import log
from whistlestop.server.limits import Bucket
from whistlestop.server.messages import Act, Back, FromClient, Hello, Leave, React, Say, Sit, Vote, Way, Why
from whistlestop.server.table import Refused, Table

if TYPE_CHECKING:
    from whistlestop.server.hall import Hall
    from whistlestop.server.store import Holder

HELLO_WITHIN = 15.0
"""Seconds in which a client must say hello."""
MOST_WAITING = 256
"""Messages that may wait for a slow client before it is let go; it comes back and catches up."""
LAST_WORDS = 2.0
"""Seconds in which a client that is let go can take what still waits for it."""
MOST_BAD = 25
"""Refused messages in a row after which a client is let go."""
CLOSED_UNKNOWN, CLOSED_FORBIDDEN, CLOSED_BUSY, CLOSED_SLOW, CLOSED_AGAIN, CLOSED_NONSENSE = (
    4404,
    4403,
    4429,
    4408,
    1012,
    1008,
)

_reader: TypeAdapter[Any] = TypeAdapter(FromClient)


class Session:
    """A socket at a table: what it may see, and what waits to be sent."""

    def __init__(self, hall: Hall, table: Table, holder: Holder | None) -> None:
        self.hall, self.table, self.holder = hall, table, holder
        self._wanted: int | None = None
        self.known = 0
        self.game_shown = False
        self.waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.slow = False
        self.code: int | None = None
        """What the socket is closed with once it is let go."""

    @property
    def seats(self) -> frozenset[int]:
        """Seats that the key holds now."""
        return frozenset(self.holder.seats if self.holder else ())

    @property
    def eyes(self) -> int | None:
        """The seat looked through: the one asked for as long as the key holds it, else the first of its seats, else a spectator's."""
        seats = self.holder.seats if self.holder else []
        return self._wanted if self._wanted in seats else seats[0] if seats else None

    def send(self, message: bytes) -> None:
        """Put a message into the queue; a client that does not read is let go."""
        if self.slow:
            return
        self.slow = self.waiting.qsize() >= MOST_WAITING
        if self.slow:
            self.let_go(CLOSED_SLOW)
        else:
            self.waiting.put_nowait(message)

    def let_go(self, code: int = CLOSED_AGAIN) -> None:
        """Hang up after what waits; without another reason because the table has left the memory: whoever comes back finds it anew."""
        self.code = code
        self.waiting.put_nowait(None)

    def tell(self, message: dict[str, Any]) -> None:
        """Send plain data."""
        self.send(orjson.dumps(message))

    # -- wishes ----------------------------------------------------------------------------------------------------
    def welcome(self, hello: Hello) -> None:
        """Say who the client is here, and show the game."""
        table = self.table
        if hello.seat is not None and hello.seat in self.seats:
            self._wanted = hello.seat
        elif self.seats:
            self._wanted = table.seat_of(self.holder, None)
        self.game_shown = self.holder is not None or hello.key is not None
        self.tell({
            "t": "welcome", "seats": sorted(self.seats), "seat": self.eyes, "host": bool(self.holder and self.holder.host),
            "watch": table.watch if self.holder else None, "table": table.data(),
            "chat": table.chat if self.game_shown else [], "now": round(time.time(), 3),
        })  # fmt: skip
        self.show(hello.n or 0)

    def show(self, known: int = 0) -> None:
        """Show the game from a number on, as the eyes see it."""
        if self.game_shown and self.table.game is not None:
            self.tell(self.table.frame(self.eyes, known))
        self.known = len(self.table.told)

    async def grant(self, wish: Any) -> dict[str, Any] | None:
        """Do what is wished; the answer."""
        ok = {"t": "ok", "ref": wish.ref, "n": None}
        table = self.table
        match wish:
            case Act():
                return ok | {"n": await self.act(wish)}
            case Why():
                async with table.lock:
                    return table.why(self.eyes, wish.track, wish.city, wish.ref)
            case Way():
                async with table.lock:
                    return table.way(self.eyes, wish.from_, wish.to, wish.ref)
            case Sit():
                async with table.lock:  # whoever holds it may be storing an action that has not happened yet
                    self._wanted = table.seat_of(self.holder, wish.seat)
                    self.show()
            case Say():
                await table.say(self.mine(wish.seat), wish.text)
            case React():
                table.react(self.mine(wish.seat), wish.reaction)
            case Vote():
                await table.vote(self.mine(None), wish.seat, wish.wanted)
            case Leave():
                await table.leave(self.mine(wish.seat))
            case Back():
                await table.back(self.mine(wish.seat))
            case Hello():
                async with table.lock:
                    self.holder = self.hall.holder(table, wish.key)
                    self.welcome(wish)
                    table.show_table()
            case _:
                return {"t": "pong", "ref": wish.ref, "now": round(time.time(), 3)}
        return ok

    def mine(self, seat: int | None) -> int:
        """The seat that a wish is for: the one named, or the one looked through."""
        return self.table.seat_of(self.holder, self.eyes if seat is None else seat)

    async def act(self, wish: Act) -> int:
        """Play an action; its number."""
        began = time.perf_counter()
        number = await self.table.act(self.mine(wish.seat), wish.action, wish.n)
        self.hall.metrics.action_seconds.observe(time.perf_counter() - began)
        return number


async def serve(socket: WebSocket, hall: Hall, table_id: str) -> None:
    """A socket from hello to goodbye."""
    await socket.accept()
    try:
        session, hello = await asyncio.wait_for(_greet(socket, hall, table_id), HELLO_WITHIN)
    except (Refused, TimeoutError) as error:
        refused = (
            error if isinstance(error, Refused) else Refused("no_hello", "say hello first", '{"t": "hello", "key": …}')
        )
        hall.metrics.refused.labels(refused.code).inc()
        await _goodbye(socket, refused)
        return
    except (WebSocketDisconnect, RuntimeError):  # gone before it said anything
        return
    writer = asyncio.create_task(_write(socket, session))
    try:
        async with session.table.lock:
            session.welcome(hello)
            session.table.add(session)
        await _read(socket, session)
        if session.code is not None:
            await asyncio.wait([writer], timeout=LAST_WORDS)
    finally:
        session.table.remove(session)
        writer.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await writer


async def _greet(socket: WebSocket, hall: Hall, table_id: str) -> tuple[Session, Hello]:
    """The first message: it says who comes."""
    wish = _parsed(await _heard(socket), hall.settings.limits.largest_message)
    if not isinstance(wish, Hello):
        raise Refused("no_hello", "say hello first", '{"t": "hello", "key": …}')
    table = await hall.get(table_id)
    return Session(hall, table, hall.holder(table, wish.key)), wish


async def _heard(socket: WebSocket) -> str:
    """The next message; what is no text is no message."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    return message.get("text") or ""


async def _goodbye(socket: WebSocket, refused: Refused) -> None:
    code = {404: CLOSED_UNKNOWN, 403: CLOSED_FORBIDDEN}.get(refused.status, CLOSED_NONSENSE)
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.send_text(orjson.dumps(refused.json()).decode())
        await socket.close(code)


def _parsed(text: str, largest: int) -> Any:
    """A message, checked; a refusal says what is wrong with it."""
    if len(text) > largest:
        raise Refused("too_large", f"a message has at most {largest} characters", status=413)
    try:
        return _reader.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise Refused("malformed", f"{place + ': ' if place else ''}{first['msg']}", status=422) from None


def _admitted(text: str, bucket: Bucket, largest: int) -> Any:
    """A message that comes not too soon and can be read."""
    if not bucket.take():
        raise Refused("rate", "too many messages", "slow down", 429)
    return _parsed(text, largest)


def _ref_of(text: str) -> int | None:
    """The reference of a message that could not be read, if there is one, so that the sender knows which it was."""
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    ref = found.get("ref") if isinstance(found, dict) else None
    return ref if isinstance(ref, int) and not isinstance(ref, bool) and 0 <= ref <= 2**31 else None


async def _read(socket: WebSocket, session: Session) -> None:
    """Grant wishes one after the other until the client goes."""
    limits = session.hall.settings.limits
    bucket = Bucket(limits.messages_a_second, 3 * limits.messages_a_second)
    bad = 0
    while True:
        try:
            text = await _heard(socket)
        except (WebSocketDisconnect, RuntimeError):
            return
        ref = None
        try:
            wish = _admitted(text, bucket, limits.largest_message)
            ref = wish.ref
            answer = await session.grant(wish)
            bad = 0
        except Refused as refused:
            session.hall.metrics.refused.labels(refused.code).inc()
            bad += refused.status in (413, 422, 429)
            answer = refused.json(ref if ref is not None else _ref_of(text[: limits.largest_message]))
        except Exception:  # a fault of ours: the sender learns of it, the table lives on
            log.logger.exception("wish failed", extra={"facts": {"table": session.table.id}})
            answer = Refused("fault", "the server made a mistake; nothing was changed", "try again", 500).json(ref)
        if answer is not None:
            session.tell(answer)
        if bad >= MOST_BAD:
            session.let_go(CLOSED_NONSENSE)
            return


async def _write(socket: WebSocket, session: Session) -> None:
    """Send what waits, in order."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # the reader notices that the client has gone
        while (message := await session.waiting.get()) is not None:
            await socket.send_text(message.decode())
        await socket.close(session.code or CLOSED_AGAIN)
