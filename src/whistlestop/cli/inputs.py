"""What people type for an edition, a record or a lineup, turned into the thing itself or a helpful error."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from whistlestop.cli.terminal import fail, ready_engine
from whistlestop.spelling import nearest

if TYPE_CHECKING:
    from whistlestop.bots.lineup import Entrant
    from whistlestop.game import Game
    from whistlestop.mapfile import Edition

SHORTEST_SECRET = 32
"""Characters of a host's token."""
_UNITS = {"min": 60, "h": 3600, "d": 86_400, "y": 365 * 86_400}


def is_map_file(text: str) -> bool:
    """Whether somebody means a map file (`my.toml`, `my.toml:long-game`) and not the name of an edition."""
    return text.endswith(".toml") or ".toml:" in text


def edition_of(name: str, packs: Sequence[str] = ()) -> Edition:
    """The edition of that name, or one of a map file (the first, or `file.toml:name`), with ticket packs added."""
    from whistlestop.mapfile import MapError, load_edition

    if is_map_file(name):
        check_file(name.partition(".toml:")[0] + ".toml" if ".toml:" in name else name, "map file")
    for pack in packs:
        check_file(pack, "ticket pack")
    try:
        return load_edition(name, tuple(packs))
    except MapError as error:
        fail(error.message, error.hint)


def check_file(path: str, what: str) -> None:
    """Refuse a path where there is no file, and say what was expected."""
    if Path(path).is_dir():
        fail(f"`{path}` is a folder", f"give the path of a {what}")
    if not Path(path).exists():
        fail(f"there is no file `{path}`", _neighbours(path) or f"give the path of a {what}")


def text_of(path: str, what: str) -> str:
    """The text of a file, or an error that says what was expected there."""
    check_file(path, what)
    try:
        return Path(path).read_text("utf-8")
    except UnicodeDecodeError:
        fail(f"`{path}` isn't a text file", f"give the path of a {what}")
    except OSError as error:
        fail(f"can't read `{path}`: {error.strerror or error}")


def seconds_of(option: str, text: str) -> float:
    """A time that people write with its unit: `90d`, `12h`, `30min`."""
    found = re.fullmatch(r"([1-9][0-9]{0,8})([a-z]+)", text)
    if found is None or found[2] not in _UNITS:
        fail(f"{option} takes a time such as 90d, not `{text}`", "units are min, h, d and y: 30min, 12h, 90d, 1y")
    return float(int(found[1]) * _UNITS[found[2]])


def site_path(text: str) -> str:
    """The path below which a site is: `/games`, or nothing."""
    path = text.rstrip("/")
    if path and not re.fullmatch(r"(/[A-Za-z0-9._~-]+)+", path):
        fail(f"--root-path takes a path such as /games, not `{text}`", "it begins with / and has letters, digits and -")
    return path


def owners_secret(path: str) -> str:
    """A secret from a file that only its owner may read."""
    text = text_of(path, "file with a token").strip()
    if os.name == "posix" and Path(path).stat().st_mode & 0o077:
        fail(f"others can read `{path}`", f"make it yours alone: chmod 600 {path}")
    if len(text) < SHORTEST_SECRET or not text.isascii() or len(text.split()) != 1:
        hint = f"make one: openssl rand -hex 32 > {path}"
        fail(f"`{path}` must hold one word of {SHORTEST_SECRET} characters or more", hint)
    return text


def socket_path(path: str) -> Path:
    """The path of a Unix socket as the system takes it, which is short."""
    found = Path(path).expanduser().absolute()
    if len(bytes(found)) > 100:
        fail(f"the path of a socket has at most 100 bytes: {found}", "choose a shorter one")
    return found


def _neighbours(path: str) -> str | None:
    folder = Path(path).parent
    files = [entry for entry in folder.iterdir() if entry.is_file()] if folder.is_dir() else []
    names = {file.stem: file for file in files if file.suffix == Path(path).suffix}
    close = nearest(Path(path).stem, names)
    return f"did you mean `{names[close]}`?" if close else None


def game_of(path: str, board: str | None = None) -> Game:
    """The game that a record file tells; `board` is the map file that it was played on, if that has another place."""
    text = text_of(path, "record")
    edition = None if board is None else edition_of(board)
    ready_engine()
    from whistlestop import Game, RecordError

    try:
        return Game.from_record(text, edition)
    except RecordError as error:
        fail(f"{path}: {error}", error.hint or "a record is the text that `game.record()` gives")


def resolve_players(names: str | None, players: int | None, edition: Edition) -> list[str]:
    """The bot of each seat as text; one fills every seat. Checks the number against the edition."""
    from whistlestop.bots import RANDOM

    bots = lineup_of(names or RANDOM)
    seats = players if players is not None else len(bots) if len(bots) > 1 else edition.players[0]
    if len(bots) == 1:
        bots *= seats
    if len(bots) != seats:
        fail(
            f"--names has {len(bots)} names, but --players is {seats}",
            "leave out --players, or give one name for all seats",
        )
    check_players(seats, edition)
    return [str(one) for one in bots]


def lineup_of(text: str) -> tuple[Entrant, ...]:
    """Bots by commas, each a name or a class in a file, and how long it may think: `casual,my_bot.py:MyBot:500ms`."""
    from whistlestop.bots.lineup import lineup
    from whistlestop.errors import WhistlestopError

    try:
        return lineup(text)
    except WhistlestopError as error:
        fail(error.message, error.hint)


def check_players(seats: int, edition: Edition) -> None:
    """Refuse a number of players that the edition doesn't allow."""
    least, most = edition.players
    if not least <= seats <= most:
        fail(
            f"{edition.name} is for {least} to {most} players, not {seats}",
            f"choose --players between {least} and {most}",
        )


def player_counts(players: str) -> list[int]:
    """Numbers of players by commas: `2,4`."""
    try:
        return sorted({int(part) for part in players.split(",")})
    except ValueError:
        fail(f"--players takes whole numbers by commas, not `{players}`", "for example --players 2,4")
