"""Games in a file: each once, whole, with everything that tells them apart; and what the file says of other games."""

from __future__ import annotations

import csv
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from support.positions import tiny
from support.tournaments import FAILING, HerePlayers, small
from whistlestop.arena import game_store
from whistlestop.arena.export import REAL_COLUMNS, TEXT_COLUMNS, write_csv
from whistlestop.arena.game_store import GameStore, bot_id, key_of
from whistlestop.arena.matches import play_match
from whistlestop.arena.schedule import Schedule, round_robin
from whistlestop.arena.tournament import run
from whistlestop.bots.lineup import lineup
from whistlestop.bots.referee import play
from whistlestop.engine.layout import SHEET_NAMES
from whistlestop.engine.rules import RULES_VERSION
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import digest


@pytest.fixture
def filled(tmp_path: Path) -> GameStore:
    """A store with the games of a small tournament."""
    schedule = small("random,casual:7steps", 3)
    store = GameStore(tmp_path / "arena.sqlite")
    run(schedule, store, HerePlayers(schedule))
    return store


def test_rows_are_those_of_the_games(filled: GameStore) -> None:
    (cell,) = filled.cells()
    assert (cell.edition, cell.digest, cell.players) == (tiny().id, digest(tiny()), 3)
    bots, rows = filled.rows(cell)
    assert set(bots) == {"random", "casual:7steps"}
    assert len(rows) == 4 * 6 * 3
    for game in np.unique(rows["game"]):
        of_game = rows[rows["game"] == game]
        seats = [bots[number] for number in of_game["bot"]]
        again = play(tiny(), seats, seed=int(of_game["seed"][0]))
        result = again.result()
        assert of_game["total"].tolist() == [player.total for player in result.players]
        assert of_game["completed"].tolist() == [len(player.completed) for player in result.players]
        assert np.flatnonzero(of_game["won"]).tolist() == list(result.winners)
        assert of_game["share"].sum() == pytest.approx(1)
        assert set(of_game["steps"].tolist()) == {len(again.history)}


def test_a_game_that_is_there_is_not_stored_again(tmp_path: Path) -> None:
    schedule = small()
    match = next(schedule.matches())
    played = play_match(match, tiny())
    store = GameStore(tmp_path / "arena.sqlite")
    for _ in range(2):
        store.add([played, played], schedule.by_digest)
    other = GameStore(tmp_path / "arena.sqlite")
    other.add([played], schedule.by_digest)
    assert list(store.shares()) == [key_of(match)]
    assert sum(1 for _ in store.results()[1]) == 2


def test_every_line_tells_how_its_game_was_played(filled: GameStore) -> None:
    names, lines = filled.results()
    line = dict(zip(names, next(iter(lines)), strict=True))
    assert line["rules"] == RULES_VERSION
    assert line["version"] == "0.1.0"
    assert line["seating"].count(",") == 2
    assert {name for name in names if name in SHEET_NAMES} == set(SHEET_NAMES)
    limits = {(line[names.index("bot")], line[names.index("limit_steps")]) for line in filled.results()[1]}
    assert limits == {("random", None), ("casual:7steps", 7)}
    assert line["seconds"] > 0


def test_a_bot_in_a_changed_file_is_another_bot(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    code = "class Mine:\n    def act(self, view, limit):\n        return view.legal()[{}]\n"
    file.write_text(code.format(0))
    first = bot_id(f"{file}:Mine")
    assert first.startswith(f"{file}:Mine@")
    file.write_text(code.format(-1))
    bot_id.cache_clear()
    assert bot_id(f"{file}:Mine") != first
    assert bot_id("casual:2s") == "casual:2s"


def test_games_by_other_rules_are_left_out_and_told(filled: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    assert filled.notes() == []
    monkeypatch.setattr(game_store, "RULES_VERSION", RULES_VERSION + 1)
    assert filled.cells() == []
    assert filled.shares() == {}
    assert filled.notes() == ["24 games by another version of the rules are left out"]
    schedule = small("random,casual:7steps", 3)
    run(schedule, filled, HerePlayers(schedule))
    assert len(filled.shares()) == 24, "they are played again, and the old ones stay"
    assert filled.notes() == ["24 games by another version of the rules are left out"]


def test_games_of_several_versions_are_told(filled: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_store, "__version__", "0.2.0")
    schedule = small("random,casual:7steps", 3, seeds=5)
    run(schedule, filled, HerePlayers(schedule))
    (note,) = filled.notes()
    assert "versions 0.1.0, 0.2.0 are together" in note


def test_failures_are_named(tmp_path: Path) -> None:
    schedule = small(f"random,{FAILING}:Cheats,{FAILING}:Raises", seeds=1)
    store = GameStore(tmp_path / "arena.sqlite")
    live = run(schedule, store, HerePlayers(schedule))
    found = {failure.reason: failure for failure in store.failures()}
    assert set(found) == {"illegal", "error"}
    assert ":Cheats@" in found["illegal"].bot
    assert "there is no action 99999" in found["illegal"].detail
    assert "ZeroDivisionError: a bug" in found["error"].detail
    assert found["error"].games == 4
    assert live.failures == found["illegal"].count + found["error"].count
    rows = store.rows(store.cells()[0])[1]
    assert rows["failures"].sum() == live.failures


def test_files_that_are_no_store_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    sqlite3.connect(other).execute("CREATE TABLE things (id INTEGER)").connection.commit()
    text = tmp_path / "notes.txt"
    text.write_text("no database, but long enough to look like a file of something else" * 20)
    (tmp_path / "empty").touch()
    for path, message in (
        (other, "it is a database of something else"),
        (text, "file is not a database"),
        (tmp_path / "missing" / "arena.sqlite", "unable to open database file"),
    ):
        with pytest.raises(WhistlestopError, match=message):
            GameStore(path)
    with pytest.raises(WhistlestopError, match="there is no file"):
        GameStore(tmp_path / "arena.sqlite", read_only=True)
    with pytest.raises(WhistlestopError, match="it is empty"):
        GameStore(tmp_path / "empty", read_only=True)
    future = GameStore(tmp_path / "future.sqlite")
    future.close()
    with sqlite3.connect(tmp_path / "future.sqlite") as database:
        database.execute("UPDATE arena SET value = '9'")
    with pytest.raises(WhistlestopError, match="its format is 9"):
        GameStore(tmp_path / "future.sqlite")


def test_a_reader_changes_nothing(filled: GameStore, tmp_path: Path) -> None:
    reader = GameStore(tmp_path / "arena.sqlite", read_only=True)
    assert reader.shares() == filled.shares()
    schedule = small(seeds=1)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.add([play_match(next(schedule.matches()), tiny())], schedule.by_digest)


def test_editions_and_numbers_of_players_are_kept_apart(tmp_path: Path) -> None:
    line_ups = (*round_robin(lineup("random,casual"), 2), *round_robin(lineup("random,casual"), 3))
    schedule = Schedule((tiny(),), line_ups, range(2))
    store = GameStore(tmp_path / "arena.sqlite")
    run(schedule, store, HerePlayers(schedule))
    assert [(cell.players, len(store.rows(cell)[1])) for cell in store.cells()] == [(2, 2 * 2 * 2), (3, 2 * 6 * 3)]


# --- exports ---------------------------------------------------------------------------------------------------------
def test_csv_gives_back_what_was_stored(filled: GameStore, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    names, lines = filled.results()
    stored = [tuple(line) for line in lines]
    assert write_csv(filled, path) == len(stored) == 72

    def value(name: str, text: str) -> object:
        if text == "":
            return None
        return text if name in TEXT_COLUMNS else float(text) if name in REAL_COLUMNS else int(text)

    with path.open(newline="", encoding="utf-8") as file:
        head, *rest = csv.reader(file)
    assert head == names
    assert [tuple(value(name, text) for name, text in zip(names, line, strict=True)) for line in rest] == stored


def test_parquet_without_its_package_says_what_to_install() -> None:
    code = (
        "import sys\nsys.modules['pyarrow'] = None\nfrom whistlestop.arena.export import write_parquet\n"
        "from whistlestop.arena.game_store import GameStore\nwrite_parquet(GameStore(), 'games.parquet')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "WhistlestopError: Parquet files need the package pyarrow" in done.stderr
    assert "pip install 'whistlestop[parquet]'" in done.stderr
