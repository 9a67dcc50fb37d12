"""What a host can watch, in Prometheus' format at /metrics."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from whistlestop.server.store import Store

_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)

BOT_FAILURES = ("overrun", "exit", "error", "illegal", "unavailable")
"""Why a bot's turn is played by the fallback."""


class StoreCollector(Collector):
    """What the database counts by itself."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def collect(self) -> Iterator[Metric]:
        """The counts of now."""
        writer = self._store.writer
        for name, text, count in (
            ("whistlestop_writes_failed", "Writes that the database did not take", writer.failed),
            ("whistlestop_group_commits", "Transactions that committed writes of all tables together", writer.groups),
            ("whistlestop_group_writes", "Writes in them", writer.writes),
        ):
            yield CounterMetricFamily(name, text, value=count)


class Metrics:
    """Counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        r = self.registry
        self.sockets = Gauge("whistlestop_sockets", "Open sockets", registry=r)
        self.tables = Gauge("whistlestop_tables", "Tables in memory", registry=r)
        self.opened = Counter("whistlestop_tables_opened", "Tables opened", registry=r)
        self.actions = Counter("whistlestop_actions", "Actions stored", ["by"], registry=r)
        self._actions_by = {by_bot: self.actions.labels("bot" if by_bot else "person") for by_bot in (False, True)}
        self.refused = Counter("whistlestop_refused", "Requests refused", ["code"], registry=r)
        self.action_seconds = Histogram(
            "whistlestop_action_seconds", "From a player's message to everybody's views", registry=r, buckets=_SECONDS
        )
        self.bot_seconds = Histogram(
            "whistlestop_bot_seconds", "Time a bot thought about an action", registry=r, buckets=_SECONDS
        )
        self.bot_failures = Counter(
            "whistlestop_bot_failures", "Actions that the fallback played for a bot that failed", ["reason"], registry=r
        )
        for reason in BOT_FAILURES:
            self.bot_failures.labels(reason)

        self.leases = Gauge("whistlestop_tables_run", "Tables whose clock and bots this process runs", registry=r)
        self.processes = Gauge("whistlestop_processes", "Servers on the same database, this one too", registry=r)
        self.news_lag = Gauge("whistlestop_news_lag_seconds", "From telling to hearing, by its own news", registry=r)
        self.bots_waiting = Gauge("whistlestop_bots_waiting", "Bots that wait for a free process", registry=r)

    def count_action(self, by_bot: bool) -> None:
        """An action was stored."""
        self._actions_by[by_bot].inc()

    def watch(self, store: Store, folder: Path | None) -> None:
        """Show what the database counts, and how much room is left in the folder of its file."""
        self.registry.register(StoreCollector(store))
        if folder is not None:
            free = Gauge("whistlestop_disk_free_bytes", "Room in the data folder", registry=self.registry)
            free.set_function(lambda: shutil.disk_usage(folder).free)

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)
