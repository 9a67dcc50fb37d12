"""Line-ups as people write them, and bots from files of their own."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from whistlestop import Entrant, WhistlestopError, entrant, lineup, play, simulate
from whistlestop.bots import Limit, bot, bot_info
from whistlestop.bots.casual_bot import CasualBot
from whistlestop.bots.referee import seat_names

SOURCE = '''
from dataclasses import dataclass


@dataclass
class Mine:
    """Takes the first action.

    Nothing more.
    """

    seed: int = 0

    def act(self, view, limit):
        return view.legal()[0]


class Plain(Mine):
    title = "Plainly"

    def __init__(self):
        self.seed = None


class Needs(Mine):
    def __init__(self, number):
        self.seed = number


class Depth(Mine):
    def __init__(self, depth=3):
        self.seed = depth


class KeywordOnly(Mine):
    def __init__(self, *, depth=3, seed=1):
        self.seed = seed


class DepthAndSeed(Mine):
    def __init__(self, depth=3, seed=1):
        self.seed = seed


class TooMuch(Mine):
    def __init__(self, depth, seed=0):
        self.seed = seed


class Breaks(Mine):
    def __init__(self, seed):
        raise KeyError("no net")


class Lazy:
    pass


class Short:
    def act(self, view):
        return view.legal()[0]


Constant = 3
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my_bot.py"
    path.write_text(SOURCE)
    return path


# --- text ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "limit", "canonical"),
    [
        ("casual", Limit(), "casual"),
        (" casual ", Limit(), "casual"),
        ("casual:500ms", Limit(seconds=0.5), "casual:500ms"),
        ("casual:0.5s", Limit(seconds=0.5), "casual:500ms"),
        ("casual:2s", Limit(seconds=2), "casual:2s"),
        ("casual:1500ms", Limit(seconds=1.5), "casual:1.5s"),
        ("casual:0.3ms", Limit(seconds=0.0003), "casual:0.3ms"),
        ("casual:256steps", Limit(steps=256), "casual:256steps"),
        ("casual:2cores:1s", Limit(seconds=1.0, cores=2), "casual:1s:2cores"),
        ("casual:256steps:333ms", Limit(seconds=0.333, steps=256), "casual:333ms:256steps"),
    ],
)
def test_text_and_limit(text: str, limit: Limit, canonical: str) -> None:
    found = entrant(text)
    assert (found.name, found.limit, str(found)) == ("casual", limit, canonical)
    assert entrant(canonical) == found
    assert pickle.loads(pickle.dumps(found)) == found
    assert isinstance(found.make(1), CasualBot)


def test_a_lineup_has_an_entrant_for_each_seat(file: Path) -> None:
    found = lineup(f"casual:500ms, random,{file}:Mine:2s")
    assert found == (
        Entrant("casual", Limit(seconds=0.5)),
        Entrant("random"),
        Entrant(f"{file}:Mine", Limit(seconds=2.0)),
    )
    assert [one.label for one in found] == ["casual:500ms", "random", "Mine:2s"]
    assert seat_names([*found, f"{file}:Mine:2s"]) == ["casual:500ms", "random", "Mine:2s 1", "Mine:2s 2"]


@pytest.mark.parametrize(
    ("text", "error", "hint"),
    [
        ("casul", "there is no bot 'casul'", "did you mean casual?"),
        ("", "'' names no bot", "casual"),
        ("casual,,random", "'' names no bot", "casual"),
        ("casual:fast", "'casual:fast': 'fast' is no limit", "500ms or 2s"),
        ("casual:", "'casual:': '' is no limit", "256steps"),
        ("casual:-1s", "'-1s' is no limit", "500ms"),
        ("casual:0ms", "a bot cannot think for 0ms", "500ms"),
        ("casual:1.5steps", "a bot cannot think for 1.5steps", "256steps"),
        ("casual:1s:2s", "two limits of one kind", "one time"),
        ("casual:2cores:3cores", "two limits of one kind", "one time"),
        ("casual:0cores", "a bot cannot think for 0cores", "2cores"),
        ("nowhere.py:Mine", "there is no file `nowhere.py`", "give the path of a Python file from"),
        ("nowhere.py", "`nowhere.py` names no class", "write nowhere.py:MyBot"),
    ],
)
def test_what_is_wrong_with_a_text(text: str, error: str, hint: str) -> None:
    with pytest.raises(WhistlestopError) as raised:
        lineup(text)
    assert error in raised.value.message
    assert hint in (raised.value.hint or "")


# --- files -----------------------------------------------------------------------------------------------------------
def made(text: str, seed: int) -> Any:
    return entrant(text).make(seed)


def test_a_class_is_made_with_a_seed_or_without(file: Path) -> None:
    assert made(f"{file}:Mine", 7).seed == 7
    assert made(f"{file}:Plain", 7).seed is None
    assert made(f"{file}:Needs", 7).seed == 7
    assert made(f"{file}:Depth", 7).seed == 3, "its number is not a seed"
    assert made(f"{file}:KeywordOnly", 7).seed == 7
    assert made(f"{file}:DepthAndSeed", 7).seed == 7
    assert bot_info(f"{file}:Mine").summary == "Takes the first action."
    assert bot_info(f"{file}:Plain").title == "Plainly"


@pytest.mark.parametrize(
    ("name", "error", "hint"),
    [
        ("", "names no class", ":MyBot"),
        ("Mien", "has no class `Mien`", "did you mean Mine?"),
        ("Xylophone", "has no class `Xylophone`", "its bots are Mine, Plain"),
        ("Constant", "has no class `Constant`", "Mine"),
        ("Lazy", "`Lazy` of", "def act(self, view, limit)"),
        ("Short", "does not take a view and a limit", "def act(self, view, limit)"),
        ("TooMuch", "it needs depth", "def __init__(self, seed=0)"),
    ],
)
def test_what_is_wrong_with_a_class(file: Path, name: str, error: str, hint: str) -> None:
    with pytest.raises(WhistlestopError) as raised:
        entrant(f"{file}:{name}")
    assert error in raised.value.message
    assert "\n" not in raised.value.message
    assert hint in (raised.value.hint or "")


def test_a_class_that_cannot_be_made_says_why(file: Path) -> None:
    with pytest.raises(WhistlestopError, match="cannot be made: KeyError: 'no net'"):
        bot(f"{file}:Breaks", 1)


@pytest.mark.parametrize(
    ("source", "error", "hint"),
    [
        ("x = 1\ny = 1 / 0\n", "ZeroDivisionError: division by zero", "look at line 2 of "),
        ("x = 1\n\ndef f(:\n", "SyntaxError", "look at line 3 of "),
        ("import a_module_that_is_not_there\n", "ModuleNotFoundError", "install a_module_that_is_not_there"),
        ("import sys\nsys.exit()\n", "SystemExit", "look at line 2 of "),
    ],
)
def test_a_file_that_raises_says_why_and_where(tmp_path: Path, source: str, error: str, hint: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(source)
    before = set(sys.modules)
    with pytest.raises(WhistlestopError) as raised:
        entrant(f"{path}:Mine")
    assert f"`{path}` cannot be loaded: {error}" in raised.value.message
    assert hint in (raised.value.hint or "")
    assert set(sys.modules) == before


def test_files_of_one_name_and_changed_files_are_told_apart(tmp_path: Path) -> None:
    paths = [tmp_path / folder / "same.py" for folder in "ab"]
    for number, path in enumerate(paths):
        path.parent.mkdir()
        path.write_text(f"class Same:\n    number = {number}\n    def act(self, view, limit): ...\n")
    first, second = (made(f"{path}:Same", 0) for path in paths)
    assert (first.number, second.number) == (0, 1)
    assert type(made(f"{paths[0]}:Same", 0)) is type(first), "a file is run once"
    paths[0].write_text("class Same:\n    number = 1234\n    def act(self, view, limit): ...\n")
    assert made(f"{paths[0]}:Same", 0).number == 1234
    assert "same" not in sys.modules


def test_an_own_bot_plays_wherever_a_name_does(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = play("usa", [f"{file}:Mine", "casual"], seed=2)
    assert game.names == ("Mine", "casual")
    monkeypatch.chdir(file.parent)
    assert play("usa", ["my_bot.py:Mine", "casual"], seed=2).record() == game.record()
    rows = simulate("usa", ["my_bot.py:Mine", "casual"], games=1, seed=2)
    assert rows["total"].tolist() == [player.total for player in game.result().players]
    code = f"from whistlestop import play; print(play('usa', [{f'{file}:Mine'!r}, 'casual'], seed=2).record())"
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert out.strip() == game.record().strip(), "in another process too"
