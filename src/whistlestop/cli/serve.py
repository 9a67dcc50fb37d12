"""`whistlestop` and `whistlestop serve`: the server, for this machine or for others."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from whistlestop.cli.inputs import lineup_of, owners_secret, seconds_of, site_path, socket_path
from whistlestop.cli.terminal import CommandError, styled

if TYPE_CHECKING:
    from whistlestop.server.settings import Settings

DEFAULT_PORT = 8765


def data_folder() -> Path:
    """Where games are kept unless said otherwise."""
    from platformdirs import user_data_path

    return user_data_path("whistlestop")


def serve(
    host: str,
    port: int | None,
    database: str | None,
    data_dir: str | None,
    *,
    open_browser: bool,
    origins: list[str],
    bots: list[str],
    trusted_proxies: list[str],
    bot_processes: int,
    root_path: str,
    metrics: str | None = None,
    keep: str | None = None,
    keep_chat: str | None = None,
    listing: bool = True,
    boards: bool = True,
    admin_socket: str | None = None,
    admin_token_file: str | None = None,
    json_logs: bool,
    unlimited: bool,
    quiet: bool,
) -> None:
    """Serve until Ctrl+C."""
    from whistlestop.server.run import address, free_socket, run
    from whistlestop.server.settings import Limits, Settings

    offered = _offered(bots)
    folder = Path(data_dir).expanduser() if data_dir else data_folder()
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(
            f"can't use the folder `{folder}`: {error.strerror}", "choose another one with --data-dir"
        ) from None
    large = 10**9
    limits = (
        Limits(
            tables_an_hour=large,
            listed_an_hour=large,
            boards_an_hour=large,
            playtests_an_hour=large,
            sockets=large,
            messages_a_second=large,
            requests_a_second=large,
            chat_a_second=large,
        )
        if unlimited
        else Limits()
    )
    settings = Settings(
        host=host,
        data_dir=folder,
        database=database,
        origins=tuple(origins),
        bots=offered,
        bot_workers=bot_processes,
        trusted_proxies=tuple(trusted_proxies),
        root_path=site_path(root_path),
        metrics_address=metrics,
        keep=seconds_of("--keep", keep) if keep else None,
        keep_chat=seconds_of("--keep-chat", keep_chat) if keep_chat else None,
        listing=listing,
        boards=boards,
        admin_socket=socket_path(admin_socket) if admin_socket else None,
        admin_token=owners_secret(admin_token_file) if admin_token_file else None,
        limits=limits,
    )
    settings = replace(settings, stand_in_waits=0.0) if unlimited else settings
    if not bot_processes and not settings.is_shared:
        raise CommandError("workers need a PostgreSQL", "name it with --database, or let this process think for bots")
    _check_database(settings)
    try:  # last: a program that says why it ends leaves no port open
        listener = free_socket(host, DEFAULT_PORT if port is None else port, 20 if port is None else 1)
    except OSError as error:
        raise CommandError(
            f"can't listen at {host}, port {port or DEFAULT_PORT}: {error.strerror}", "choose another one with --port"
        ) from None
    settings = replace(settings, port=listener.getsockname()[1])
    _say_hello(address(host, settings.port), folder if database is None else None)
    run(settings, listener, open_browser=open_browser, json_logs=json_logs or None, quiet=quiet)


def work(database: str, processes: int, bots: list[str], json_logs: bool) -> None:
    """Think for the bots of servers until Ctrl+C."""
    from whistlestop.server.settings import Settings
    from whistlestop.server.worker import run

    settings = Settings(database=database, bots=_offered(bots), bot_workers=processes)
    if not settings.is_shared:
        raise CommandError("a worker needs the PostgreSQL of its servers", "on SQLite `whistlestop serve` does both")
    _check_database(settings)
    run(settings, json_logs=json_logs or None)


def _offered(bots: list[str]) -> tuple[str, ...]:
    """Bots of the host, checked."""
    from whistlestop.errors import WhistlestopError
    from whistlestop.server.bot_roster import BotRoster

    offered = tuple(str(found) for text in bots for found in lineup_of(text))
    try:
        BotRoster(offered)
    except WhistlestopError as error:
        raise CommandError(error.message, error.hint) from None
    return offered


def _check_database(settings: Settings) -> None:
    from whistlestop.errors import WhistlestopError
    from whistlestop.server.side_servers import check_addresses
    from whistlestop.server.store import check_database

    try:
        check_addresses(settings)
        asyncio.run(check_database(settings.database_url))
    except WhistlestopError as error:
        raise CommandError(error.message, error.hint) from None


def _say_hello(url: str, folder: Path | None) -> None:
    """Where to go, where games are kept, how to stop."""
    kept = f"Games are kept in {folder}. " if folder else ""
    if styled(sys.stdout):
        from whistlestop.cli.welcome import print_hello

        print_hello(url, f"{kept}Ctrl+C stops the server; nothing is lost.")
    else:
        print(f"Whistlestop is at {url}\n{kept}Ctrl+C stops the server; nothing is lost.", flush=True)
