"""Connections as uvicorn serves them, and two things that it lacks: a limit for those that have not asked for anything
yet, and a short way out for the messages of sockets.
"""

from __future__ import annotations

import asyncio
import struct
from collections import Counter
from collections.abc import Sequence
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from whistlestop.server.rate_limits import client_name
from whistlestop.server.settings import Limits, Settings


class FirstRequestProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with a time limit for the first request, which uvicorn has not."""

    limits = Limits()
    silent: Counter[str]
    """Connections by address that have not asked for anything yet."""
    proxied = False
    """Whether all connections come from proxies."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects; whoever has too many silent connections is hung up on."""
        super().connection_made(transport)
        self._address: str | None = client_name(self.client[0] if self.client else "unknown")
        self.silent[self._address] += 1
        self._patience = asyncio.get_running_loop().call_later(self.limits.first_request_seconds, transport.close)
        if self.silent[self._address] > self.limits.silent_connections and not self.proxied:
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody has gone."""
        self._heard()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Something was read; from the first whole request on uvicorn's own limits hold."""
        super().handle_events()
        if self.cycle is not None:
            self._heard()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The connection becomes a socket, for which the time to say hello is limited."""
        self._heard()
        super().handle_websocket_upgrade(event)

    def _heard(self) -> None:
        if self._address is not None:
            self._patience.cancel()
            self.silent[self._address] -= 1
            if not self.silent[self._address]:
                del self.silent[self._address]
            self._address = None


WRITE_TEXTS = "whistlestop.write_texts"
"""Name of the ASGI extension by which a socket offers `LiveProtocol.write_texts`."""
_TEXT, _SHORT, _MEDIUM = 0x81, 126, 1 << 16


class LiveProtocol(WebSocketsSansIOProtocol):
    """Sockets as uvicorn speaks them. A message by way of ASGI passes ten functions and a task; most need not."""

    def handle_connect(self, event: Request) -> None:
        """Somebody comes; what serves them may use the short way."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"][WRITE_TEXTS] = self.write_texts  # type: ignore[assignment]

    def write_texts(self, texts: Sequence[bytes]) -> bool:
        """Send messages at once and whole, if the line is open and takes more; whether they were sent."""
        open_now = self.handshake_complete and not (self.close_sent or self.disconnected or self.transport.is_closing())
        if not (open_now and self.writable.is_set()):
            return False
        self.transport.write(b"".join([part for text in texts for part in (_header(len(text)), text)]))
        return True


def _header(size: int) -> bytes:
    """What stands before a text message of so many bytes (RFC 6455, 5.2)."""
    if size < _SHORT:
        return bytes((_TEXT, size))
    if size < _MEDIUM:
        return struct.pack(">BBH", _TEXT, 126, size)
    return struct.pack(">BBQ", _TEXT, 127, size)


def protocol_for(settings: Settings) -> Any:
    """The protocol of one server, with its limits and its own count."""
    own = {"limits": settings.limits, "silent": Counter(), "proxied": bool(settings.trusted_proxies)}
    return type("LimitedProtocol", (FirstRequestProtocol,), own)
