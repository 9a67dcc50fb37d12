"""Addresses and networks that may not use the server, and the open sockets of every client."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from starlette.websockets import WebSocket

from whistlestop.server import live
from whistlestop.server.rate_limits import client_name
from whistlestop.server.refusals import RequestError, banned_client

BannedNetwork: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

CLOSE_WITHIN = 2.0
"""Seconds in which a banned client can take the reason; then it is hung up on."""


def network_of(text: str) -> BannedNetwork:
    """The network that a ban means: an IPv4 address, the first 64 bits of an IPv6 address, or a network as written."""
    try:
        if "/" not in text:
            return ipaddress.ip_network(client_name(str(ipaddress.ip_address(text.strip()))))
        found = ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        hint = "for example 203.0.113.7, 203.0.113.0/24 or 2001:db8::/48"
        raise RequestError("bad_network", f"`{text[:50]}` is no address and no network", hint, 422) from None
    return found.supernet(new_prefix=64) if found.version == 6 and found.prefixlen > 64 else found


@lru_cache(maxsize=10_000)
def _numbered(client: str) -> tuple[int, int]:
    """The version and the number of a client's address, from the name that limits go by; zeros for others."""
    try:
        found = ipaddress.ip_network(client)
    except ValueError:
        return 0, 0
    return found.version, int(found.network_address)


class Bans:
    """The banned networks in memory, as the database has them; whom they cover is asked for every request."""

    def __init__(self, unbannable: Iterable[str] = ()) -> None:
        own = ("127.0.0.0/8", "::1/128", *(host for host in unbannable if _is_network(host)))
        self._unbannable = [ipaddress.ip_network(host, strict=False) for host in own]
        self._networks: dict[tuple[int, int], set[int]] = {}
        self._sockets: defaultdict[str, set[WebSocket]] = defaultdict(set)
        self.outdated = asyncio.Event()
        """Set when another process has changed what the database has."""

    def check(self, network: BannedNetwork) -> None:
        """Refuse to ban this machine or a trusted proxy: that would be everybody."""
        if any(network.version == own.version and network.overlaps(own) for own in self._unbannable):
            hint = "ban the addresses of clients; behind a proxy the server learns them with --behind-proxy"
            raise RequestError("unbannable", f"{network} is this machine or its proxy", hint, 422)

    def replace(self, networks: Iterable[str]) -> None:
        """Take over what the database has."""
        found: dict[tuple[int, int], set[int]] = {}
        for network in map(ipaddress.ip_network, networks):
            shift = network.max_prefixlen - network.prefixlen
            found.setdefault((network.version, shift), set()).add(int(network.network_address) >> shift)
        self._networks = found

    def covers(self, client: str) -> bool:
        """Whether a client, by the name that limits go by, is banned."""
        if not self._networks:
            return False
        version, number = _numbered(client)
        return any(
            version == banned_version and number >> shift in numbers
            for (banned_version, shift), numbers in self._networks.items()
        )

    @contextlib.contextmanager
    def connected(self, client: str, socket: WebSocket) -> Iterator[None]:
        """Remember the socket of a client while it is open."""
        self._sockets[client].add(socket)
        try:
            yield
        finally:
            self._sockets[client].discard(socket)
            if not self._sockets[client]:
                del self._sockets[client]

    async def hang_up(self) -> int:
        """Close the open sockets of banned clients; how many there were."""
        sockets = [socket for client, own in self._sockets.items() if self.covers(client) for socket in own]
        await asyncio.gather(*map(_hang_up_on, sockets))
        return len(sockets)


async def _hang_up_on(socket: WebSocket) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(live.refuse(socket, banned_client()), CLOSE_WITHIN)


def _is_network(text: str) -> bool:
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False
    return True
