"""A bot that fails is named in the result and loses that turn to a random action, never the game."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import pytest

from support.failing_bots import Babbles, Cheats, Failing, Raises
from whistlestop import Entrant, Failure, IllegalAction, Limit, Statistics, WhistlestopError, play, simulate
from whistlestop.bots import Bot
from whistlestop.bots.referee import OVERRUN_GRACE, finish
from whistlestop.game import Game
from whistlestop.notation import Action
from whistlestop.views import View


class Sometimes(Failing):
    """Fails at its second action."""

    acted = 0

    def act(self, view: View, _limit: Limit) -> Action:
        self.acted += 1
        if self.acted == 2:
            raise RuntimeError("not\nnow")
        return view.legal()[0]


class Quits(Failing):
    def act(self, _view: View, _limit: Limit) -> Action:
        sys.exit("enough")


class Interrupted(Failing):
    def act(self, _view: View, _limit: Limit) -> Action:
        raise KeyboardInterrupt


class Unspeakable(Failing):
    """Raises an error that cannot be put into words."""

    def act(self, _view: View, _limit: Limit) -> Action:
        class Mute(Exception):  # noqa: N818
            def __str__(self) -> str:
                raise ValueError

        raise Mute


class Late(Failing):
    """Comes too late once, and at its limit once, which the grace allows."""

    waits = (OVERRUN_GRACE + 0.15, 0.0)

    def act(self, view: View, limit: Limit) -> Action:
        assert limit.seconds is not None
        if view.phase == "turn" and self.seed < len(self.waits):
            time.sleep(limit.seconds + self.waits[self.seed])
            self.seed += 1
        return view.legal()[0]


def failed(bots: list[Any], limit: Limit | None = None) -> tuple[Game, list[Failure]]:
    failures: list[Failure] = []
    game = play("usa", bots, seed=4, limit=limit, failures=failures)
    assert game.over
    assert game.status() == []
    return game, failures


@pytest.mark.parametrize(
    ("maker", "reason", "detail"),
    [
        (Raises, "error", "ZeroDivisionError: a bug"),
        (Quits, "error", "SystemExit: enough"),
        (Unspeakable, "error", "Mute"),
        (Babbles, "error", "an answer of type function, not an Action"),
        (Cheats, "illegal", "99999"),
    ],
)
def test_every_failure_is_named(maker: type[Failing], reason: str, detail: str) -> None:
    failing: Any = maker()
    game, failures = failed(["casual", failing])
    acted = [move.number for move in game.history if move.player == 1]
    assert [failure.action for failure in failures] == acted, "each of its actions"
    assert {(failure.seat, failure.reason) for failure in failures} == {(1, reason)}
    assert detail in failures[0].detail
    assert "\n" not in failures[0].detail


def test_the_rest_of_the_game_is_the_bots_own() -> None:
    game, failures = failed(["casual", Sometimes()])
    assert [(failure.seat, failure.reason, failure.detail) for failure in failures] == [
        (1, "error", "RuntimeError: not now")
    ]
    assert failures[0].json() == {
        "seat": 1,
        "action": failures[0].action,
        "reason": "error",
        "detail": failures[0].detail,
    }
    again, _ = failed(["casual", Sometimes()])
    assert again.record() == game.record(), "the action in its place is made from the game's seed"


def test_an_action_of_another_moment_is_illegal() -> None:
    class Repeats(Failing):
        first: Action | None = None

        def act(self, view: View, _limit: Limit) -> Action:
            self.first = self.first or view.legal()[0]
            return self.first

    _, failures = failed([Repeats(), "random"])
    assert failures
    assert {failure.reason for failure in failures} == {"illegal"}


def test_time_is_measured() -> None:
    _, failures = failed([Late(), "random"], Limit(seconds=0.3))
    assert [(failure.seat, failure.reason) for failure in failures] == [(0, "overrun")]
    assert failures[0].detail.endswith("s instead of 0.3 s")
    _, failures = failed([Late(seed=2), "random"], Limit(seconds=0.3))
    assert failures == []


def test_each_seat_has_its_own_limit() -> None:
    asked: list[tuple[int, Limit]] = []

    class Notes(Failing):
        def act(self, view: View, limit: Limit) -> Action:
            asked.append((view.player, limit))
            return view.legal()[0]

    game = Game("usa", 2, 1)
    finish(game, [Notes(), Notes()], [Limit(seconds=5), Limit(steps=9)])
    assert set(asked) == {(0, Limit(seconds=5)), (1, Limit(steps=9))}
    asked.clear()
    finish(Game("usa", 2, 1), [Notes(), Notes()], Limit(steps=3))
    assert set(asked) == {(0, Limit(steps=3)), (1, Limit(steps=3))}


SHY = """
class Shy:
    def act(self, view, limit):
        assert (limit.seconds, limit.steps) == (%s), limit
        return view.legal()[0]
"""


def test_a_limit_in_the_text_goes_before_the_common_one(tmp_path: Path) -> None:
    for name, limit in (("own", "3.0, 7"), ("other", "9.0, None")):
        (tmp_path / f"{name}.py").write_text(SHY % limit)
    play("usa", [f"{tmp_path}/own.py:Shy:3s:7steps", Entrant(f"{tmp_path}/other.py:Shy")], 1, Limit(seconds=9.0))


# --- without a list of failures --------------------------------------------------------------------------------------
def test_without_a_list_of_failures_errors_come_out() -> None:
    with pytest.raises(ZeroDivisionError, match="a bug"):
        play("usa", [Raises(), "random"], seed=1)
    with pytest.raises(IllegalAction):
        play("usa", [Cheats(), "random"], seed=1)
    babbling: Bot = Babbles()
    with pytest.raises(TypeError):
        play("usa", [babbling, "random"], seed=1)


def test_whoever_stops_a_game_is_no_failing_bot() -> None:
    with pytest.raises(KeyboardInterrupt):
        failed(["random", Interrupted()])


BROKEN = """
class Broken:
    def __init__(self, seed):
        raise KeyError("no net")

    def act(self, view, limit):
        return view.legal()[0]


class Raises:
    def act(self, view, limit):
        raise ZeroDivisionError("a bug")
"""


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.py"
    path.write_text(BROKEN)
    return path


def test_a_bot_that_cannot_be_made_fails_at_every_turn(broken: Path) -> None:
    game, failures = failed([f"{broken}:Broken", "casual"])
    assert len(failures) == sum(move.player == 0 for move in game.history)
    assert "cannot be made: KeyError: 'no net'" in failures[0].detail
    with pytest.raises(WhistlestopError, match="cannot be made"):
        play("usa", [f"{broken}:Broken", "casual"], seed=1)


# --- many games ------------------------------------------------------------------------------------------------------
def test_statistics_count_failures_and_name_the_first(broken: Path) -> None:
    failures: list[tuple[int, Failure]] = []
    rows = simulate("usa", ["random", f"{broken}:Raises"], games=2, seed=1, failures=failures)
    statistics = Statistics.of(rows)
    assert statistics.seats[0].failures == 0
    assert statistics.seats[1].failures == len(failures) == statistics.overall.failures > 20
    assert {game for game, _ in failures} == {0, 1}
    assert failures[0][1] == Failure(1, 2, "error", "ZeroDivisionError: a bug")
