"""Many games at once: the same games as one by one, rewards, chance under control, opponents."""

from __future__ import annotations

import numpy as np
import pytest

from support.random_batches import EDITIONS, random_choices
from whistlestop import Game
from whistlestop.envs import BatchedEnv, Encoding
from whistlestop.errors import WhistlestopError


def played(env: BatchedEnv, steps: int, seed: int = 0) -> list[bytes]:
    """Play at random; everything that the arrays told on the way."""
    random, told = np.random.default_rng(seed), []
    for _ in range(steps):
        env.step(random_choices(env, random))
        arrays = (env.observations, env.masks, env.rewards, env.terminated, env.players, env.points)
        told.append(b"".join(array.tobytes() for array in arrays))
    return told


@pytest.mark.parametrize("edition", EDITIONS)
def test_games_are_those_of_the_package_with_the_same_seeds_and_results(edition: str) -> None:
    """Game i begins by seed + i, the next one by seed + games + i; points, winners and rewards are the referee's."""
    env = BatchedEnv(edition, 2, players=3, seed=100)
    encoding, random = Encoding(env.edition), np.random.default_rng(1)
    seeds = [100, 101]
    twins = [Game(edition, players=3, seed=seed) for seed in seeds]
    ended = 0
    while ended < 3:
        choices, movers = random_choices(env, random), env.players.tolist()
        actions = [encoding.action(env.view(i), int(choices[i])) for i in range(2)]
        env.step(choices)
        for i, twin in enumerate(twins):
            twin.play(actions[i], player=movers[i])
            assert bool(env.terminated[i]) == twin.over
            if not twin.over:
                assert not env.rewards[i].any()
            else:
                result = twin.result()
                winners = np.array([player in result.winners for player in range(3)])
                assert env.points[i].tolist() == [player.total for player in result.players]
                assert env.won[i].tolist() == winners.tolist()
                assert env.rewards[i] == pytest.approx((3 * winners / winners.sum() - 1) / 2)
                ended += 1
                seeds[i] += 2
                twins[i] = Game(edition, players=3, seed=seeds[i])
            assert env.true_states(i).tobytes() == twins[i].state_bytes()


def test_rewards_by_margin_and_points_and_tickets_add_up_to_the_final_count() -> None:
    sums = {}
    for kind in ("margin", "points", "tickets"):
        env = BatchedEnv("europe", 1, players=2, rewards=kind, seed=8)
        random, total, nonzero = np.random.default_rng(3), np.zeros(2), 0
        while True:
            env.step(random_choices(env, random))
            total += env.rewards[0]
            nonzero += bool(env.rewards.any())
            if env.terminated[0]:
                break
        sums[kind] = total
        assert (nonzero == 1) == (kind == "margin")
        points = env.points[0] / 100
    assert sums["points"] == pytest.approx(points, abs=1e-5)
    assert sums["tickets"] == pytest.approx(points, abs=1e-5)
    assert sums["margin"] == pytest.approx([points[0] - points[1], points[1] - points[0]], abs=1e-5)


def test_threads_change_nothing() -> None:
    one, two = BatchedEnv("usa", 128, threads=1, seed=5), BatchedEnv("usa", 128, threads=2, seed=5)
    assert (one.threads, two.threads) == (1, 2)
    assert played(one, 40) == played(two, 40)
    two.close()


def test_restore_clone_and_seed_give_the_same_games_again() -> None:
    env = BatchedEnv("germany", 3, players=3, seed=9)
    played(env, 30)
    kept = env.snapshot()
    first = played(env, 200)
    env.restore(kept)
    assert played(env.clone(), 200) == first
    assert played(env, 200) == first
    again = BatchedEnv("germany", 3, players=3)
    again.reset(9)
    played(again, 30)
    assert played(again, 200) == first


def test_redealt_games_look_the_same_and_go_on_otherwise() -> None:
    env = BatchedEnv("europe", 4, players=2, seed=2)
    played(env, 80)
    other = env.clone()
    other.determinize(77)
    assert other.observations.tobytes() == env.observations.tobytes()
    assert other.masks.tobytes() == env.masks.tobytes()
    assert other.true_states(0).tobytes() != env.true_states(0).tobytes()
    assert played(other, 60) != played(env, 60)


def test_opponents_in_the_compiled_loop_leave_the_learner_its_own_decisions() -> None:
    env = BatchedEnv("usa", 8, opponents=["random", "random"], seed=1)
    random, wins, games = np.random.default_rng(1), 0.0, 0
    while games < 30:
        env.step(random_choices(env, random))
        assert not env.players.any()
        games += int(env.terminated.sum())
        wins += float((env.won[:, 0] & env.terminated).sum())
    assert 1 <= wins <= 25


@pytest.mark.parametrize("opponent", ["planner", "beginner"])
def test_stronger_opponents_beat_a_learner_that_plays_at_random(opponent: str) -> None:
    env = BatchedEnv("usa", 4, opponents=[opponent], seed=1)
    random, lost, games = np.random.default_rng(1), 0, 0
    while games < 6:
        env.step(random_choices(env, random))
        lost += int((env.rewards[:, 0] < 0).sum())
        games += int(env.terminated.sum())
    assert lost == games


def test_games_of_planners_can_be_restored() -> None:
    env = BatchedEnv("usa", 2, opponents=["planner"], seed=1)
    played(env, 10)
    kept = env.snapshot()
    first = played(env, 60)
    env.restore(kept)
    assert played(env, 60) == first


def test_games_are_cut_off_and_begun_anew() -> None:
    env = BatchedEnv("usa", 2, max_steps=10)
    played(env, 10)
    assert env.truncated.all()
    assert not env.terminated.any()
    assert (env.layout.split(env.observations)["phase"][:, 1] == 1).all(), "first tickets are chosen again"


def test_a_game_that_has_ended_stays_as_it_is_and_is_rewarded_once() -> None:
    env = BatchedEnv("usa", 1, auto_reset=False, seed=3)
    random = np.random.default_rng(3)
    while not env.terminated[0]:
        env.step(random_choices(env, random))
    before = env.true_states(0).tobytes()
    assert env.rewards.any()
    assert not env.masks.any()
    env.step([0])
    assert env.terminated[0]
    assert not env.rewards.any()
    assert env.true_states(0).tobytes() == before


def test_arrays_of_the_caller_are_written_into() -> None:
    env = BatchedEnv("usa", 3)
    mine, rewards = np.zeros_like(env.observations), np.zeros_like(env.rewards)
    env.use(observations=mine, rewards=rewards)
    played(env, 5)
    assert mine.tobytes() == env.clone().observations.tobytes()
    with pytest.raises(WhistlestopError, match="contiguous array of uint8"):
        env.use(observations=np.zeros((3, 5), np.uint8))
    with pytest.raises(WhistlestopError, match="no array"):
        env.use(nonsense=mine)


def test_what_cannot_be_is_told() -> None:
    with pytest.raises(WhistlestopError, match="no kind of reward"):
        BatchedEnv("usa", 1, rewards="gold")
    with pytest.raises(WhistlestopError, match="no set of actions"):
        BatchedEnv("usa", 1, actions="tiny")
    with pytest.raises(WhistlestopError, match="there is no bot"):
        BatchedEnv("usa", 1, opponents=["plannr"])
    with pytest.raises(WhistlestopError, match="one action for each"):
        BatchedEnv("usa", 2).step([0])
