"""Connections that have not asked for anything yet: they have some seconds, and one address has only so many."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

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


def protocol_for(settings: Settings) -> Any:
    """The protocol of one server, with its limits and its own count."""
    own = {"limits": settings.limits, "silent": Counter(), "proxied": bool(settings.trusted_proxies)}
    return type("LimitedProtocol", (FirstRequestProtocol,), own)
