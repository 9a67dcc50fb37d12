"""Ratings recover known strengths, their intervals cover, and blocks are what is resampled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from whistlestop.arena.ratings import Floats, Rating, WinRate, fit, rate, standing_elo, wins_by_block
from whistlestop.arena.sequential import (
    BETTER,
    LEAST_BLOCKS,
    OPEN,
    WORSE,
    SequentialRun,
    SequentialState,
    SequentialTest,
    expected_share,
)
from whistlestop.errors import WhistlestopError

STRENGTHS = {"random": 0.0, "weak": 100.0, "good": 250.0, "best": 420.0}
BOTS = tuple(STRENGTHS)


def winners(chance: np.random.Generator, bots: np.ndarray, elo: dict[str, float]) -> np.ndarray:
    """Winners of games whose players win with a chance in proportion to their strength."""
    strength = 10 ** (np.array([elo[bot] for bot in BOTS]) / 400)
    odds = strength[bots]
    drawn = chance.exponential(size=odds.shape) / odds  # the first of exponential clocks wins by Luce's rule
    return np.asarray(drawn == drawn.min(axis=1, keepdims=True))


def round_robin(seed: int, blocks: int, players: int, elo: dict[str, float] = STRENGTHS) -> Floats:
    """Wins of all pairs of bots, each bot alone against the other on every seat, once in a block."""
    tables = [
        [a if seat == place else b for seat in range(players)]
        for a in range(len(BOTS))
        for b in range(len(BOTS))
        if a != b
        for place in range(players)
    ]
    bots = np.array(tables * blocks)
    won = winners(np.random.default_rng(seed), bots, elo)
    return wins_by_block(np.repeat(np.arange(blocks), len(tables)), bots, won)


def numbers(rating: Rating) -> tuple[float, float, float]:
    """A rating with the ends of its interval."""
    assert rating.elo is not None
    assert rating.low is not None
    assert rating.high is not None
    return rating.elo, rating.low, rating.high


@pytest.mark.parametrize("players", [2, 3, 5])
def test_known_strengths_are_recovered_from_games_of_any_number_of_players(players: int) -> None:
    ratings = rate(round_robin(1, 800, players), BOTS, "random", resamples=200)
    for rating in ratings:
        elo, low, high = numbers(rating)
        assert elo == pytest.approx(STRENGTHS[rating.bot], abs=25)
        assert low <= elo <= high < low + 50
    assert numbers(ratings[0]) == (0, 0, 0)


def test_intervals_cover_the_true_rating_as_often_as_they_say() -> None:
    covered = total = 0
    for seed in range(80):
        for rating in rate(round_robin(seed, 60, 2), BOTS, "random", seed, resamples=200)[1:]:
            _, low, high = numbers(rating)
            covered += low <= STRENGTHS[rating.bot] <= high
            total += 1
    assert 0.88 <= covered / total <= 0.995


def test_games_of_one_block_are_not_counted_as_independent() -> None:
    """The same games ten times over in each block tell nothing new: the interval stays as wide."""
    wins = round_robin(3, 100, 2)

    def width(wins: Floats) -> float:
        _, low, high = numbers(rate(wins, BOTS, "random", resamples=400)[3])
        return high - low

    assert width(wins * 10) == pytest.approx(width(wins), rel=0.1)
    assert width(np.concatenate([wins] * 10)) < 0.5 * width(wins), "as blocks of their own they would count"


def test_a_lead_over_the_next_bot_is_surer_than_the_distance_from_a_far_anchor() -> None:
    strengths = STRENGTHS | {"random": -2000.0}
    ratings = rate(round_robin(5, 150, 2, strengths), BOTS, "random", resamples=300)
    assert ratings[0].lead is None, "nobody is weaker"
    best, good = ratings[3], ratings[2]
    assert best.lead is not None
    lead, low, high = best.lead
    assert lead == pytest.approx(numbers(best)[0] - numbers(good)[0])
    assert low < 170 < high
    assert high - low < 0.3 * (numbers(best)[2] - numbers(best)[1])


def test_a_bot_that_always_wins_has_a_finite_rating_with_a_wide_interval() -> None:
    wins = np.zeros((100, 2, 2))
    wins[:, 1, 0] = 2
    elo, low, high = numbers(rate(wins, ("random", "best"), "random")[1])
    assert elo == pytest.approx(400 * np.log10(200.5 / 0.5))
    assert 700 < low < elo - 100
    assert elo + 300 < high < 3000
    assert numbers(rate(wins[:10], ("random", "best"), "random")[1])[0] < elo, "fewer games prove less"


def test_bots_that_no_game_connects_with_the_anchor_have_no_rating() -> None:
    wins = np.zeros((5, 4, 4))
    wins[:, 0, 1] = wins[:, 2, 3] = wins[:, 3, 2] = 1
    ratings = rate(wins, BOTS, "random", resamples=50)
    assert [rating.elo is None for rating in ratings] == [False, False, True, True]
    assert numbers(ratings[1])[0] < 0
    assert standing_elo(wins.sum(axis=0), 2)[:2] == [None, None]
    assert rate(wins, BOTS, "good", resamples=50)[3].elo == pytest.approx(0)


def test_quick_ratings_are_the_same_without_intervals() -> None:
    wins = round_robin(2, 50, 2)
    assert standing_elo(wins.sum(axis=0), 0) == pytest.approx([r.elo for r in rate(wins, BOTS, "random", resamples=10)])


def test_the_fit_of_two_bots_is_the_log_of_their_odds() -> None:
    elo = fit(np.array([[0.0, 30.0], [10.0, 0.0]]))
    assert elo[0] - elo[1] == pytest.approx(400 * np.log10(3))
    far = fit(np.array([[0.0, 1e9], [0.5, 0.0]]))
    assert far[0] - far[1] == pytest.approx(400 * np.log10(2e9))


def test_a_game_is_reduced_to_pairs() -> None:
    """The winner beats each of the others; losers are not compared; a shared win is shared; twins are left out."""
    bots = [[0, 1, 2], [0, 1, 2], [0, 0, 1]]
    won = [[1, 0, 0], [0, 1, 1], [1, 0, 0]]
    wins = wins_by_block([0, 1, 2], bots, won)
    assert wins[0].tolist() == [[0, 1, 1], [0, 0, 0], [0, 0, 0]]
    assert wins[1].tolist() == [[0, 0, 0], [0.5, 0, 0.5], [0.5, 0.5, 0]]
    assert wins[2].tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]
    assert wins_by_block([0], [[0, 1]], [[1, 1]])[0].tolist() == [[0, 0.5], [0.5, 0]]


# --- win rates -------------------------------------------------------------------------------------------------------
def test_the_interval_of_a_win_rate_goes_by_blocks() -> None:
    chance = np.random.default_rng(1)
    games = chance.random(400) < 0.7
    alone = WinRate.of(games)
    assert alone.rate == games.mean()
    assert alone.high - alone.low == pytest.approx(2 * 1.96 * (0.7 * 0.3 / 400) ** 0.5, rel=0.05)
    paired = WinRate.of((games + 1 - games) / 2)
    assert paired == WinRate.of([0.5] * 400)
    always = WinRate.of([1.0] * 100)
    assert always.rate == 1
    assert always.high == pytest.approx(1)
    assert 0.95 < always.low < 0.98
    assert WinRate.of([1.0]).low < 0.3


# --- sequential test -------------------------------------------------------------------------------------------------
def played(seed: int, elo: float, blocks: int) -> list[float]:
    """Mean shares of a bot in blocks of two games against an equal field."""
    return list(np.random.default_rng(seed).binomial(2, expected_share(elo, [(1, 2)]), blocks) / 2)


def decided(test: SequentialTest, shares: Sequence[float]) -> SequentialState:
    """What a test says that is told all blocks of two games, one after another."""
    run = SequentialRun(test, [(1, 2)])
    for share in shares:
        run.add(share)
    return run.state


@pytest.mark.parametrize(("elo", "verdict"), [(0.0, WORSE), (50.0, BETTER)])
def test_the_sequential_test_errs_as_seldom_as_it_says(elo: float, verdict: str) -> None:
    test = SequentialTest(0, 50)
    found = [decided(test, played(seed, elo, 1500)) for seed in range(60)]
    assert sum(state.verdict == verdict for state in found) >= 54
    assert all(state.verdict != OPEN for state in found)
    assert np.mean([state.blocks for state in found]) < 500


def test_the_sequential_test_decides_early_and_never_at_once() -> None:
    test = SequentialTest(0, 20)
    assert test.state([1.0] * (LEAST_BLOCKS - 1), [(1, 2)]).verdict == OPEN
    assert decided(test, [1.0] * 400).verdict == BETTER
    assert decided(test, [1.0] * 400).blocks < 60
    assert decided(test, [0.5] * 400).verdict == WORSE
    with pytest.raises(WhistlestopError, match="the lower first, not 20,0"):
        SequentialTest(20, 0)


def test_even_shares_of_a_line_up() -> None:
    assert expected_share(0, [(1, 4)]) == 0.25
    assert expected_share(0, [(1, 4), (3, 4)]) == 0.5
    assert expected_share(400, [(1, 2)]) == pytest.approx(10 / 11)
