"""What a host can set: how a server runs, and its limits for clients."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one client may do; a client is an IPv4 address or an IPv6 network of 64 bits."""

    tables_an_hour: int = 120
    listed_an_hour: int = 20
    """Tables that are opened for anybody to find."""
    sockets: int = 60
    messages_a_second: float = 40.0
    """Over all sockets of a client together."""
    requests_a_second: float = 40.0
    """Over plain HTTP."""
    largest_message: int = 16_384
    """Bytes."""
    tables: int = 20_000
    """In memory, of all clients together."""
    pack_tables: int = 500
    """Tables with ticket packs or boards of their own in memory, of all clients together: each is an edition of its
    own.
    """
    boards_an_hour: int = 60
    """Map files that are brought to be played."""
    playtests_an_hour: int = 30
    """Boards that bots are let measure."""
    hello_seconds: float = 15.0
    """In which a socket's first message must come."""
    queued_bytes: int = 1 << 20
    """That may wait for a slow client before it is disconnected; it comes back and catches up."""
    refused_in_a_row: int = 25
    """Messages that make no sense before a client is disconnected."""
    chat_a_second: float = 1.0
    """Lines of chat and reactions of one seat, ten at once."""
    chat_lines: int = 1000
    """Kept at a table; then there is no more room."""
    chat_shown: int = 200
    """Lines that a newcomer is sent, the last ones."""
    silent_connections: int = 100
    """That have not asked for anything yet."""
    first_request_seconds: float = 10.0
    """In which a connection must ask for something."""
    closing_seconds: float = 2.0
    """In which a client that is disconnected can take what still waits for it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server runs."""

    host: str = "127.0.0.1"
    port: int = 8765
    data_dir: Path = field(default_factory=Path)
    database: str | None = None
    """SQLAlchemy's address of a database; SQLite in `data_dir` otherwise."""
    root_path: str = ""
    """The path below which the site is, such as `/games`; the proxy may take it off requests or not."""
    origins: tuple[str, ...] = ()
    """Other sites whose pages may talk to this server."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies; the client is the last hop in X-Forwarded-For that is none of them."""
    metrics_address: str | None = None
    """Host and port at which metrics are, and nowhere else; on the main address, for this machine alone, if None."""
    admin_socket: Path | None = None
    """A Unix socket at which the server's host gives orders; without it and without a token nobody can."""
    admin_token: str | None = field(default=None, repr=False)
    """What the host sends with orders over HTTP."""
    keep: float | None = None
    """Seconds for which a table is kept after anything happened there; for ever if None."""
    keep_chat: float | None = None
    """The same for chat, and for the names of people at finished tables."""
    sweep_seconds: float = 3600.0
    """Between two looks for what is too old."""
    listing: bool = True
    """Whether people may let anybody on this server find their tables."""
    boards: bool = True
    """Whether people may play on boards of their own."""
    playtest_games: int = 200
    """With each number of players, when bots measure a board of somebody's own; none are measured with 0."""
    playtest_seconds: float = 120.0
    """That these games may take together; their process is killed if they take longer."""
    limits: Limits = field(default_factory=Limits)
    patience: float = 60.0
    """Seconds on turn after which the others may vote for a bot."""
    absence: float = 20.0
    """Seconds that a broken line has to come back before its player counts as gone."""
    stand_in_waits: float = 2.0
    """Seconds that a bot waits before each action for somebody who is away, so that they can come back in time."""
    idle: float = 900.0
    """Seconds after which a table that nobody looks at is dropped from memory; it is loaded again when needed."""
    bot_workers: int = 2
    """Processes in which bots think, at most; with none their thinking is left to `whistlestop worker`."""
    bot_seconds: float = 10.0
    """That a bot may think about one action; its process is killed if it takes longer."""
    prepare_bots: bool = True
    """Compile the bots of the stronger levels in the background where they were not compiled before."""
    bots: tuple[str, ...] = ()
    """Bots that the host offers besides those of the packages, as text: `my_bot.py:MyBot`, `expert:5s`."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes may use the same database."""
        return self.database_url.startswith("postgresql")

    @property
    def database_url(self) -> str:
        """Where everything is kept."""
        if self.database is None:
            return f"sqlite+aiosqlite:///{self.data_dir / 'whistlestop.db'}"
        for plain, driver in (
            ("postgresql://", "postgresql+asyncpg://"),
            ("postgres://", "postgresql+asyncpg://"),
            ("sqlite:///", "sqlite+aiosqlite:///"),
        ):
            if self.database.startswith(plain):
                return driver + self.database.removeprefix(plain)
        return self.database
