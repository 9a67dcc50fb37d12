"""The example of a bot that learned: its hints are right, and it plays as well as its page says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.random_batches import random_choices
from whistlestop import WhistlestopError, play
from whistlestop.envs import BatchedEnv

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(EXAMPLES)
    import learned_bot

    return learned_bot


def connected(hints: Any, tracks: Any, ticket: int) -> bool:
    """Whether some of these tracks lead from one end of a ticket to the other, by walking."""
    reached = {city for city in range(hints.cities) if int(hints.ends[0, ticket]) >> city & 1}
    grown = True
    while grown:
        ends = [hints.tracks[track, :2].tolist() for track in tracks]
        new = {city for pair in ends if reached & set(pair) for city in pair} - reached
        reached |= new
        grown = bool(new)
    return any(int(hints.ends[1, ticket]) >> city & 1 for city in reached)


@pytest.mark.parametrize("edition", ["usa", "europe", "germany"])
def test_hints_plan_a_way_for_every_ticket_that_can_be_completed(example: Any, edition: str) -> None:
    env = BatchedEnv(edition, 6, players=2, threads=1, seed=3)
    hints, random, checked = example.Hints(env.edition), np.random.default_rng(2), 0
    for step in range(120):
        env.step(random_choices(env, random))
        if step % 6:
            continue
        rows = hints.of(env.observations)
        assert (rows[:, : env.layout.size] == env.observations).all()
        for row in rows:
            seen, count = env.layout.split(row[: env.layout.size]), len(hints.tracks)
            planned = np.flatnonzero(row[env.layout.size :][:count])
            numbers = row[-6:]
            assert seen["tracks"][6][planned].all(), "all of them are open to the player"
            assert numbers[0] == hints.tracks[planned, 2].sum()
            assert int(numbers[0]) + numbers[1] == seen["players"][0, 2]
            own = np.flatnonzero(seen["tracks"][0])
            wanted = np.flatnonzero((seen["tickets"][0] > 0) & (seen["tickets"][1] == 0))
            ready = [ticket for ticket in wanted if connected(hints, [*planned, *own], int(ticket))]
            assert numbers[3] == min(255, hints.points[ready].sum())
            assert numbers[4] == min(255, hints.points[wanted].sum() - hints.points[ready].sum())
            checked += len(ready)
    assert checked > 20


def test_it_beats_random(example: Any) -> None:
    wins = 0
    for seed in range(20):
        seats = [example.Learned(), "random"] if seed % 2 else ["random", example.Learned()]
        result = play("usa", seats, seed=seed).result()
        wins += result.winners == (1 - seed % 2,)
    assert wins >= 19


def test_it_says_what_it_cannot_play_and_what_is_missing(example: Any, tmp_path: Path) -> None:
    with pytest.raises(WhistlestopError, match="it has learned usa, not europe"):
        play("europe", [example.Learned(), "random"], seed=1)
    with pytest.raises(WhistlestopError, match="there is no file"):
        example.Policy(tmp_path / "absent.npz")
