"""Boards of one's own on the command line: playtests, imports, and sheets for printing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from pypdf import PdfReader

from whistlestop.cli import run
from whistlestop.game import Game
from whistlestop.mapfile import digest, load_board

PAGE = Path(__file__).parents[2] / "src" / "whistlestop" / "maps" / "README.md"


@pytest.fixture
def islands(tmp_path: Path) -> str:
    """The map file of the maps page."""
    file = tmp_path / "islands.toml"
    text = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)[0]
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_playtest_writes_a_page_and_says_what_stands_out(
    islands: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "page.html")
    assert run(["playtest", islands, "--games", "20", "--jobs", "1", "--out", out]) == 0
    told = capsys.readouterr()
    assert "The Islands: 40 games of club, seed 1" in told.out
    assert "Turn order" in told.out
    assert f"{out}: the page" in told.err
    assert "<h2>What stands out</h2>" in Path(out).read_text(encoding="utf-8")


def test_playtest_gives_its_numbers_as_json_and_the_same_for_the_same_seed(
    islands: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for _ in range(2):
        assert run(["playtest", islands, islands, "-g", "10", "-p", "2", "-j", "1", "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1]
    first, second = found[0]
    assert first == second
    assert (first["games"], first["bots"], len(first["tickets"]), len(first["tracks"])) == (10, ["club"], 7, 8)
    assert {"value", "low", "high", "n"} == set(first["tickets"][0]["kept"])
    assert first["remarks"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--games", "0"], "--games must be between 1 and 100,000, not 0"),
        (["--players", "7"], "for 2 to 3 players, not 7"),
        (["--players", "two"], "--players takes whole numbers"),
        (["--bots", "clubb"], "there is no bot 'clubb'"),
        (["--out", "page.pdf"], "the page is HTML"),
        (["usa", "europe"], "at most two boards"),
    ],
)
def test_playtest_refuses_what_it_cannot_do(
    islands: str, options: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["playtest", islands, *options]) == 2
    assert reason in capsys.readouterr().err


MAP = {
    "kind": "map",
    "name": "Lake",
    "stops": [{"id": name, "name": name, "x": x, "y": x * x / 90} for name, x in (("A", 0), ("B", 90), ("C", 200))],
    "routes": [{"id": pair, "a": pair[0], "b": pair[1], "length": 2, "color": "red"} for pair in ("AB", "BC", "CA")],
    "rules": "no bathing",
}


def test_a_map_of_the_editor_becomes_a_map_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "lake.json", tmp_path / "lake.toml"
    source.write_text(json.dumps(MAP), encoding="utf-8")
    assert run(["import-map", str(source), "--out", str(target)]) == 0
    told = capsys.readouterr().err
    assert "note: left out: the map's own rules text" in told
    assert len(load_board(target).tracks) == 3
    assert run(["check-map", str(target), "--games", "20"]) == 0
    assert run(["import-map", str(source), "--out", str(target)]) == 2
    assert "there is a file" in capsys.readouterr().err
    assert run(["import-map", str(source), "--out", str(target), "--force"]) == 0
    assert run(["import-map", str(source)]) == 0
    assert capsys.readouterr().out == target.read_text(encoding="utf-8")


def test_an_incomplete_map_is_written_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "lake.json", tmp_path / "lake.toml"
    far = [*MAP["stops"], *({"id": name, "name": name, "x": 9, "y": 9} for name in "DE")]
    routes = [*MAP["routes"], {"id": "DE", "a": "D", "b": "E", "length": 1, "color": "blue"}]
    source.write_text(json.dumps(MAP | {"stops": far, "routes": routes}), encoding="utf-8")
    assert run(["import-map", str(source), "--out", str(target)]) == 1
    assert "it can't be played yet" in capsys.readouterr().err
    assert target.exists()
    source.write_text("{}", encoding="utf-8")
    assert run(["import-map", str(source), "--out", str(tmp_path / "none.toml")]) == 1
    assert "the map has 0 stops" in capsys.readouterr().err


def test_show_prints_in_real_size(islands: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "islands.pdf"
    assert run(["show", islands, "--print", str(target), "--paper", "letter", "--sheets", "tickets"]) == 0
    assert "print it at 100 %" in capsys.readouterr().err
    assert len(PdfReader(target).pages) == 1
    for wrong, reason in (
        (["--print", "board.png"], "sheets for printing are PDF"),
        (["--print", str(target), "--paper", "a0"], "there is no paper `a0`"),
        (["--print", str(target), "--sheets", "box"], "can't print `box`"),
        (["--print", str(target), "--theme", "neon"], "there is no theme"),
    ):
        assert run(["show", islands, *wrong]) == 2
        assert reason in capsys.readouterr().err
    assert run(["show", "game.txt", "--print", str(target)]) == 2
    assert "--print is for boards" in capsys.readouterr().err


def test_a_record_of_a_server_is_read_with_its_map_file(
    islands: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.txt"
    played = Game(islands, players=2, seed=3).record()
    assert f"edition: {islands}\n" in played
    record.write_text(played.replace(f"edition: {islands}", "edition: islands@0123"), encoding="utf-8")
    assert run(["replay", str(record)]) != 0
    assert "unknown edition" in capsys.readouterr().err
    assert run(["replay", str(record), "--map", islands]) == 0
    assert capsys.readouterr().out.startswith("The Islands, 2 players")


def test_simulate_and_records_name_a_board_that_no_other_machine_has(
    islands: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game(islands, players=2, seed=3)
    assert game.fingerprint == digest(game.edition)
    assert f"board: {game.fingerprint}\n" in game.record()
    assert run(["simulate", islands, "--games", "20"]) == 0
    assert f"The Islands, board {game.fingerprint}: 20 games" in capsys.readouterr().out
    assert run(["simulate", islands, "--games", "20", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["board"] == game.fingerprint
    assert run(["simulate", "usa", "--games", "20"]) == 0
    assert "USA: 20 games" in capsys.readouterr().out
