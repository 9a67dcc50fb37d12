"""`whistlestop editions` and `whistlestop check-map`: boards, ours and other people's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from whistlestop.cli.inputs import check_file
from whistlestop.cli.terminal import fail, heading, print_json, ready_engine, table

if TYPE_CHECKING:
    from whistlestop.mapfile import Board, Edition, MapError


def print_editions(as_json: bool) -> None:
    """What can be played."""
    from whistlestop.mapfile import editions

    found = [_facts_of(edition) for edition in editions()]
    if as_json:
        print_json(found)
        return
    table(
        ("edition", "name", "players>", "cities>", "tracks>", "tickets>", "what is special"),
        [
            [
                row["id"],
                row["name"],
                _range(row["players"]),
                *(str(row[key]) for key in ("cities", "tracks", "tickets")),
                row["special"],
            ]
            for row in found
        ],
    )


def _range(players: list[int]) -> str:
    return f"{players[0]}–{players[1]}"


def _facts_of(edition: Edition) -> dict[str, Any]:
    return {
        "id": edition.id,
        "name": edition.name,
        "players": list(edition.players),
        "cities": len(edition.board.cities),
        "tracks": len(edition.board.tracks),
        "tickets": sum(len(deck.tickets) for deck in edition.decks),
        "board": edition.board.id,
        "special": edition.summary,
    }


def print_check(file: str, games: int, as_json: bool) -> None:
    """Read, measure and play a map file; exit code 1 if it can't be used or its games don't end."""
    if games < 1:
        fail(f"--games must be at least 1, not {games}", "for example --games 200")
    check_file(file, "map file")
    from whistlestop.mapfile import MapError, check_board, facts, load_board

    try:
        board = load_board(file)
    except MapError as error:
        _refuse(file, error, as_json)
    remarks = check_board(board)
    ready_engine()
    played = [_played(edition, games) for edition in board.editions]
    report = {"file": file, "ok": all(row["ended"] == row["games"] for row in played)}
    report |= {"facts": facts(board), "remarks": remarks, "editions": played}
    if as_json:
        print_json(report)
    else:
        _print_check(board, report)
    if not report["ok"]:
        fail(
            "some random games didn't end", "please report this with the map file: it is a fault of the engine", code=1
        )


def _refuse(file: str, error: MapError, as_json: bool) -> NoReturn:
    """Say why a map file can't be used, as data too if asked."""
    if as_json:
        print_json({"file": file, "ok": False, "error": error.message, "hint": error.hint})
    fail(error.message, error.hint, code=1)


def _played(edition: Edition, games: int) -> dict[str, Any]:
    """Random games of one edition, shared out among the numbers of players it allows, summed up."""
    import numpy as np

    from whistlestop.bots import RANDOM
    from whistlestop.cli.simulate import timed_games

    least, most = edition.players
    counts = range(least, most + 1)
    points: list[np.ndarray] = []
    total = ended = 0
    for number, players in enumerate(counts):
        share = games // len(counts) + (number < games % len(counts))
        if share:
            rows, _ = timed_games(edition, [RANDOM] * players, share, seed=1)
            total += share
            ended += len(rows) // players
            points.append(rows["total"])
    return {
        "id": edition.id,
        "name": edition.name,
        "players": [least, most],
        "games": total,
        "ended": ended,
        "points_mean": round(float(np.concatenate(points).mean()), 1),
    }


def _print_check(board: Board, report: dict[str, Any]) -> None:
    heading(f"{board.name}: {report['file']} can be played")
    table(("fact", "value"), _fact_rows(report["facts"]))
    print()
    heading("Remarks" if report["remarks"] else "No remarks: well made")
    for remark in report["remarks"]:
        print(f"- {remark}")
    print()
    heading("Random games")
    table(
        ("edition", "name", "players>", "games>", "ended>", "mean points>"),
        [
            [
                row["id"],
                row["name"],
                _range(row["players"]),
                *(str(row[key]) for key in ("games", "ended", "points_mean")),
            ]
            for row in report["editions"]
        ],
    )


def _fact_rows(facts: dict[str, Any]) -> list[list[str]]:
    """Facts as rows of words; a table inside becomes one line, zeros are left out."""
    return [[name.replace("_", " "), _in_words(value)] for name, value in facts.items() if value]


def _in_words(value: object) -> str:
    if not isinstance(value, dict):
        return str(value)
    parts = []
    for key, inner in value.items():
        words = _in_words(inner)
        if isinstance(inner, dict) and key:
            words = f"{key} ({words})"
        elif inner and not isinstance(inner, dict):
            words = f"{key} {words}" if not str(key).isdecimal() else f"{words} of {key}"
        if inner:
            parts.append(words)
    return ", ".join(parts)
