"""The examples that learn run in a short form, and what they compute is right.

They need PyTorch, sb3-contrib and matplotlib, which are no part of the test group: `.ci/run` installs them by pip
before it runs this file.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

WHY = "needs `pip install torch sb3-contrib matplotlib`, see docs/envs/learning.md"
torch = pytest.importorskip("torch", reason=WHY)
pytest.importorskip("sb3_contrib", reason=WHY)
pytest.importorskip("matplotlib", reason=WHY)

EXAMPLES = Path(__file__).parent.parent / "examples"
SHORT = ["--minutes", "0.002", "--games", "4", "--steps", "8", "--width", "16", "--threads", "1", "--trials", "2"]


def run(name: str, *arguments: str | Path) -> str:
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, *arguments], capture_output=True, text=True, check=False, timeout=170
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The self-play example as a module."""
    monkeypatch.syspath_prepend(EXAMPLES)
    import learn_by_self_play

    return learn_by_self_play


def test_self_play_writes_a_bot_and_its_curve(tmp_path: Path) -> None:
    weights, curve = tmp_path / "short.npz", tmp_path / "curve.png"
    out = run("learn_by_self_play.py", *SHORT, "--against", "random", "--out", weights, "--curve", curve)
    assert '"won": {"random": ' in out.splitlines()[-1]
    assert curve.read_bytes().startswith(b"\x89PNG")
    with np.load(weights) as kept:
        assert str(kept["edition"]) == "usa"
        assert kept["first.weight"].shape[0] == 16


def test_maskable_ppo_learns_and_draws_its_curve(tmp_path: Path) -> None:
    curve = tmp_path / "curve.png"
    out = run("learn_with_maskable_ppo.py", "--steps", "1024", "--games", "4", "--threads", "1", "--curve", curve)
    assert "points" in out
    assert curve.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("edition", ["usa", "germany"])
def test_the_bot_answers_as_the_network_that_was_kept(examples: Any, edition: str, tmp_path: Path) -> None:
    from learned_bot import Policy

    env = examples.BatchedEnv(edition, 8, players=2, threads=1, seed=4)
    hints = examples.Hints(env.edition)
    network = examples.Network(hints, 16)
    examples.save(network, edition, tmp_path / "kept.npz")
    random = np.random.default_rng(1)
    for _ in range(30):
        env.step(np.where(env.masks, random.random(env.masks.shape), -1).argmax(1))
        everything = torch.ones(env.masks.shape, dtype=torch.bool)
        with torch.no_grad():
            wanted, _ = network(torch.from_numpy(hints.of(env.observations)), everything)
        found = Policy(tmp_path / "kept.npz").logits(hints, env.observations)
        np.testing.assert_allclose(found, wanted.numpy(), atol=0.02)  # weights are kept at half precision


def test_what_follows_a_decision_is_credited_to_its_player(examples: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With lambda 1, what a value should have been is all that the player earns from there to the end of the game."""
    monkeypatch.setattr(examples, "LAMBDA", 1.0)
    env = examples.BatchedEnv("usa", 6, players=2, rewards="tickets", threads=1, seed=2)
    hints = examples.Hints(env.edition)
    network, rollout = examples.Network(hints, 16), examples.Rollout(env, hints, 400)
    rollout.play(network)
    assert rollout.ended.any(0).all()
    _, returns, told = rollout.advantages(network)
    for game in range(env.games):
        end = int(np.flatnonzero(rollout.ended[:, game])[0])
        assert rollout.rewards[: end + 1, game].sum(1) == pytest.approx(0, abs=1e-5)
        for t in range(end + 1):
            earned = rollout.rewards[t : end + 1, game, rollout.players[t, game]].sum()
            assert told[t, game]
            assert float(returns[t, game]) == pytest.approx(earned, abs=1e-3)
    assert not told[-2:].all(), "of the last decisions some cannot be told"


def test_a_lesson_makes_what_went_well_more_likely(examples: Any) -> None:
    torch.manual_seed(1)
    env = examples.BatchedEnv("usa", 8, players=2, rewards="tickets", threads=1, seed=2)
    hints = examples.Hints(env.edition)
    network, rollout = examples.Network(hints, 32), examples.Rollout(env, hints, 64)
    rollout.play(network)
    gains, _, told = rollout.advantages(network)
    adam = torch.optim.Adam(network.parameters(), lr=1e-3)
    examples.learn_from(rollout, network, adam, 0.0)
    with torch.no_grad():
        logits, _ = network(rollout.seen.flatten(0, 1), rollout.masks.flatten(0, 1))
    now = logits.log_softmax(1).gather(1, rollout.actions.flatten()[:, None]).squeeze(1).reshape(gains.shape)
    grown = (now - rollout.chances)[told]
    gain = gains[told]
    assert grown[gain > gain.mean()].mean() > grown[gain < gain.mean()].mean()
