"""Servers beside the main one, in the same process: the host's Unix socket, and metrics at an address of their own."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from whistlestop.errors import WhistlestopError
from whistlestop.server.settings import Settings
from whistlestop.server.store import OWNER_ONLY

LARGEST_PORT = 65_535


class AddressUnusable(WhistlestopError):  # noqa: N818  (named for what the host learns)
    """Nothing can listen there; the message says why, the hint what to do."""


class SideServer(uvicorn.Server):
    """Uvicorn that leaves signals to the main server."""

    def __init__(self, app: ASGIApp, listener: socket.socket) -> None:
        config = uvicorn.Config(
            app, http="h11", ws="none", lifespan="off", log_config=None, access_log=False, server_header=False,
            proxy_headers=False, timeout_graceful_shutdown=1,
        )  # fmt: skip
        super().__init__(config)
        self._listener = listener
        self._running = asyncio.create_task(self.serve(sockets=[listener]))

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are for the main server, which stops this one."""
        yield

    async def stop(self) -> None:
        """Answer what was asked, then close; a socket's file goes."""
        name = self._listener.getsockname() if self._listener.family == socket.AF_UNIX else None
        self.should_exit = True
        await self._running
        self._listener.close()
        if isinstance(name, str):
            Path(name).unlink(missing_ok=True)


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens at an address; OSError if it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener


def check_addresses(settings: Settings) -> None:
    """Listen and stop at once: AddressUnusable if a server could not."""
    if settings.admin_socket is not None:
        unix_socket(settings.admin_socket).close()
        settings.admin_socket.unlink()
    if settings.metrics_address is not None:
        tcp_socket(settings.metrics_address).close()


def unix_socket(path: Path) -> socket.socket:
    """A socket in a file that only its owner may use; what a server that was killed left there is replaced."""
    if not hasattr(socket, "AF_UNIX"):
        raise AddressUnusable("this system has no Unix sockets", "use --admin-token-file")
    _remove_stale(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(str(path))
        path.chmod(OWNER_ONLY)  # nobody can connect before it listens
    except OSError as error:
        listener.close()
        raise AddressUnusable(
            f"can't listen at `{path}`: {error.strerror or error}", "give the path of a file in a folder of yours"
        ) from None
    return listener


def _remove_stale(path: Path) -> None:
    """Remove a socket on which nobody listens; anything else stays, and is refused."""
    if not path.exists():
        return
    if not stat.S_ISSOCK(path.stat().st_mode):
        raise AddressUnusable(f"`{path}` is there already, and is no socket", "choose another path")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            path.unlink()
            return
    raise AddressUnusable(f"another server listens at `{path}`", "stop that one first, or choose another path")


def host_and_port(text: str) -> tuple[str, int]:
    """An address such as 127.0.0.1:9100 or [::1]:9100."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or int(port) > LARGEST_PORT:
        raise AddressUnusable(f"`{text}` is no address", "for example 127.0.0.1:9100")
    return host.strip("[]"), int(port)


def tcp_socket(text: str) -> socket.socket:
    """A socket at an address with a port."""
    try:
        return bind(*host_and_port(text))
    except OSError as error:
        raise AddressUnusable(f"can't listen at {text}: {error.strerror or error}", "choose another port") from None
