"""Running the server: an address that is free, a browser that opens, a stop that loses nothing."""

from __future__ import annotations

import contextlib
import errno
import socket
import webbrowser
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI

from whistlestop.server import log
from whistlestop.server.app import create_app
from whistlestop.server.connections import LiveProtocol, protocol_for
from whistlestop.server.settings import Settings
from whistlestop.server.side_servers import bind

MOST_FILES = 65_536
"""Open files, and so connections, that the server asks the system for."""
GRACEFUL_SECONDS = 10
"""Seconds that open connections have to end when the server stops."""


class ListeningServer(uvicorn.Server):
    """Uvicorn that tells when it listens."""

    def __init__(self, app: FastAPI, config: uvicorn.Config, listening: Callable[[], None]) -> None:
        super().__init__(config)
        self._app, self._listening = app, listening

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop in good order, and end as a program that did what it was asked."""
        super().handle_exit(sig, frame)
        self._captured_signals.clear()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then say so."""
        await super().startup(sockets)
        if self.started:
            self._listening()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer those who wait for news, then close."""
        if (hall := self._app.state.hall) is not None:
            await hall.begin_to_close()
        await super().shutdown(sockets)


def free_socket(host: str, port: int, tries: int = 20) -> socket.socket:
    """A socket at a port, or at one of the next ones if that is taken."""
    for offset in range(tries):
        try:
            return bind(host, port + offset)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or offset == tries - 1:
                raise
    raise AssertionError


def address(host: str, port: int) -> str:
    """Where a browser on this machine finds the server."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"


def uvicorn_config(app: FastAPI, settings: Settings, **more: Any) -> uvicorn.Config:
    """How the application is served."""
    usual = {
        "http": protocol_for(settings),
        "ws": LiveProtocol,
        "log_config": None,
        "access_log": False,
        "proxy_headers": bool(settings.trusted_proxies),
        "forwarded_allow_ips": list(settings.trusted_proxies),
        "ws_max_size": settings.limits.largest_message,
        "ws_ping_interval": 20,
        "ws_ping_timeout": 40,
        "ws_per_message_deflate": False,  # frames are small, and a compressor for each socket needs more memory
        "timeout_graceful_shutdown": GRACEFUL_SECONDS,
        "server_header": False,
    }
    return uvicorn.Config(app, **(usual | more))


def allow_many_connections() -> None:
    """Raise the limit of open files as far as the system grants it: 1,024, which is usual, are few connections."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows has no such limit; some systems say no
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
        if soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def run(
    settings: Settings, listener: socket.socket, *, open_browser: bool, json_logs: bool | None, quiet: bool
) -> None:
    """Serve until somebody stops it."""
    log.set_up(json_logs, quiet)
    allow_many_connections()
    port = listener.getsockname()[1]
    app = create_app(settings)
    config = uvicorn_config(app, settings)
    url = address(settings.host, port)

    def listening() -> None:
        log.event("listening", address=url)
        if open_browser:
            webbrowser.open(url)

    ListeningServer(app, config, listening).run(sockets=[listener])
