"""What a host can watch, in Prometheus' format at /metrics."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

FAST = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


class Metrics:
    """Counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        r = self.registry
        self.sockets = Gauge("whistlestop_sockets", "Open sockets", registry=r)
        self.tables = Gauge("whistlestop_tables", "Hall in memory", registry=r)
        self.opened = Counter("whistlestop_tables_opened", "Hall opened", registry=r)
        self.actions = Counter("whistlestop_actions", "Actions stored", ["by"], registry=r)
        self.refused = Counter("whistlestop_refused", "Wishes refused", ["code"], registry=r)
        self.action_seconds = Histogram(
            "whistlestop_action_seconds", "From a player's message to everybody's views", registry=r, buckets=FAST
        )
        self.bot_seconds = Histogram(
            "whistlestop_bot_seconds", "Time a bot thought about an action", registry=r, buckets=FAST
        )
        self.bot_failures = Counter("whistlestop_bot_failures", "Bots that failed to choose", registry=r)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)
