"""Datasets: rows that tell the games as they were, files that survive interruptions, what the page says of reading."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from filelock import FileLock

from support.random_batches import EDITIONS
from whistlestop import Game
from whistlestop.bots import RANDOM
from whistlestop.cli.main import run
from whistlestop.envs import dataset, recording
from whistlestop.envs.dataset import Dataset, DatasetRequest, write_dataset
from whistlestop.envs.encoding import Encoding
from whistlestop.envs.recording import record
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import load_edition

PAGE = Path(__file__).parents[2] / "docs/envs/dataset.md"


def told_again(edition: str, told: recording.Recording, seeds: range, players: int) -> None:
    """Play what a recording has with `Game`: every row must say what the player saw, might do and got."""
    encoding, at = Encoding(load_edition(edition)), 0
    for seed in seeds:
        game, step, first = Game(edition, players=players, seed=seed), 0, at
        while not game.over:
            player = int(told.player[at])
            view = game.view(player)
            assert (told.game[at], told.step[at]) == (seed, step)
            assert told.observation[at].tobytes() == encoding.observation(view).tobytes()
            bits = np.unpackbits(told.mask[at], count=encoding.actions.count, bitorder="little")
            assert bits.astype(bool).tolist() == encoding.mask(view).tolist()
            action = view.action(int(told.full_action[at]))
            assert told.action[at] == encoding.choice(action)
            game.play(action, player)
            at, step = at + 1, step + 1
        result = game.result()
        totals = [player.total for player in result.players]
        for row in range(first, at):
            player = int(told.player[row])
            assert told.points[row] == totals[player]
            assert told.margin[row] == totals[player] - max(totals[:player] + totals[player + 1 :])
            assert told.won[row] == (player in result.winners)
            share = bool(told.won[row]) / len(result.winners)
            assert told.reward[row] == pytest.approx((share * players - 1) / (players - 1))
    assert at == len(told.game)


@pytest.mark.parametrize("edition", EDITIONS)
def test_rows_tell_the_games_as_they_were(edition: str) -> None:
    players = 2 + EDITIONS.index(edition) % 3
    seeds = range(40, 42)
    told_again(edition, record(load_edition(edition), [RANDOM] * players, seeds), seeds, players)


@pytest.mark.parametrize("bots", [("planner", RANDOM), ("casual", RANDOM, RANDOM)], ids=["compiled", "referee"])
def test_rows_of_bots_that_think(bots: tuple[str, ...]) -> None:
    told_again("usa", record(load_edition("usa"), bots, range(1)), range(1), len(bots))


def test_a_bot_that_fails_is_named_and_a_random_action_stands_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(
        "class Broken:\n    def act(self, view, limit):\n        raise ValueError('no')\n"
    )
    told = record(load_edition("usa"), [f"{tmp_path}/broken.py:Broken", RANDOM], range(1))
    told_again("usa", told, range(1), 2)
    assert {failure.seat for _, failure in told.failures} == {0}


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != ".lock"}


def test_an_interrupted_dataset_goes_on_and_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "GAMES_A_FILE", 2)
    plan = DatasetRequest(load_edition("usa"), (RANDOM, RANDOM), games=7, seed=3)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    told: list[int] = []
    written = write_dataset(plan, whole, jobs=2, progress=told.append)
    assert (written.games, told[0], told[-1]) == (7, 0, 7)
    assert len(contents(whole)) == 5

    def stop_at_the_third(table: object, path: Path) -> None:
        if "00000004" in path.name:
            path.write_bytes(b"half a file")
            raise KeyboardInterrupt
        write(table, path)

    write = dataset._write_table
    monkeypatch.setattr(dataset, "_write_table", stop_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        write_dataset(plan, broken, jobs=1)
    assert "games-00000004-00000005.parquet" not in contents(broken)
    monkeypatch.setattr(dataset, "_write_table", write)
    again = write_dataset(plan, broken, jobs=1)
    assert 0 < again.decisions < written.decisions
    assert contents(broken) == contents(whole)
    assert write_dataset(plan, broken).decisions == 0
    assert len(Dataset(broken)) == written.decisions


def test_another_plan_or_another_writer_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    plan = DatasetRequest(load_edition("usa"), (RANDOM, RANDOM), games=1, seed=3)
    write_dataset(plan, tmp_path, jobs=1)
    with pytest.raises(WhistlestopError, match="differs in seed"):
        write_dataset(DatasetRequest(plan.edition, plan.bots, 1, 4), tmp_path)
    with FileLock(tmp_path / ".lock"), pytest.raises(WhistlestopError, match="another program"):
        write_dataset(plan, tmp_path)


def test_batches_have_the_columns_in_their_shapes(tmp_path: Path) -> None:
    plan = DatasetRequest(load_edition("germany"), (RANDOM, RANDOM), games=2, seed=0, small=False)
    write_dataset(plan, tmp_path, jobs=1)
    told = record(plan.edition, plan.bots, range(2), small=False)
    found = list(Dataset(tmp_path).batches(100))
    assert all(len(batch["action"]) <= 100 for batch in found)
    assert np.concatenate([batch["observation"] for batch in found]).tobytes() == told.observation.tobytes()
    masks = np.concatenate([batch["mask"] for batch in found])
    assert np.packbits(masks, axis=1, bitorder="little").tobytes() == told.mask.tobytes()
    assert masks[np.arange(len(masks)), told.action].all()
    (batch, *_) = Dataset(tmp_path).batches(8, columns=["places", "won"])
    assert set(batch) == {"places", "won"}
    assert batch["places"].shape[0:2] == (8, 6)


def test_the_command_and_what_the_page_says_about_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["dataset", "--games", "3", "--out", "games", "--jobs", "1"]) == 0
    assert json.loads(Path("games/dataset.json").read_text())["seed"] == 2_000_000
    assert pl.read_parquet("games/*.parquet")["game"].n_unique() == 3
    for code in re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr


def test_a_missing_extra_is_named() -> None:
    code = "import sys\nsys.modules['pyarrow'] = None\nimport whistlestop.envs.dataset"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "WhistlestopError: this needs the package pyarrow" in done.stderr
    assert "whistlestop[parquet]" in done.stderr
