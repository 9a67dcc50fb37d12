"""Rate limits per client: token buckets that fill with time and are emptied by requests."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter
from dataclasses import dataclass, field


def client_name(host: str) -> str:
    """What limits go by: an IPv4 address, or the network of an IPv6 address, for a household has 2**64 of those."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address) >> 64 << 64, 64)))


@dataclass(slots=True)
class Bucket:
    """A token bucket: lets so many a second through, with a burst of a few seconds' worth."""

    rate: float
    burst: float
    level: float = field(init=False)
    at: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.level = self.burst

    def take(self) -> bool:
        """Whether one more may pass."""
        now = time.monotonic()
        self.level = min(self.burst, self.level + (now - self.at) * self.rate)
        self.at = now
        if self.level < 1:
            return False
        self.level -= 1
        return True

    @property
    def full(self) -> bool:
        """Whether it would be full by now, so that it can be forgotten."""
        return self.level + (time.monotonic() - self.at) * self.rate >= self.burst


class Clients:
    """Buckets and counts by client address."""

    MOST = 10_000
    """Addresses remembered at a time."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._buckets: dict[str, Bucket] = {}
        self.open: Counter[str] = Counter()

    def take(self, client: str) -> bool:
        """Whether a client may do one more."""
        if len(self._buckets) >= self.MOST:
            self._buckets = {name: bucket for name, bucket in self._buckets.items() if not bucket.full}
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = self._buckets[client] = Bucket(self._rate, self._burst)
        return bucket.take()
