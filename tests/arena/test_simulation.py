"""Many games at once: rows for each game and player, and their statistics."""

from __future__ import annotations

import json
import statistics

import numpy as np
import pytest

import whistlestop
from whistlestop import Statistics, editions, play, simulate
from whistlestop.arena.matches import RESULT_ROW, SEEDS, Rows
from whistlestop.results import SOURCES


@pytest.mark.parametrize("edition", editions(), ids=lambda edition: edition.id)
def test_a_row_for_each_game_and_player(edition: whistlestop.mapfile.Edition) -> None:
    rows = simulate(edition, 3, games=20, seed=5)
    assert rows.dtype == RESULT_ROW
    assert rows["game"].tolist() == [game for game in range(20) for _ in range(3)]
    assert rows["player"].tolist() == [0, 1, 2] * 20
    assert np.array_equal(sum(rows[source] for source in SOURCES), rows["total"])
    for game in range(20):
        of_game = rows[rows["game"] == game]
        assert of_game["won"].any()
        assert of_game["total"][of_game["won"] == 1].min() == of_game["total"].max()
        assert len(set(of_game["steps"].tolist())) == 1


def test_game_n_has_the_seed_plus_n() -> None:
    whole, part = simulate("usa", 2, games=6, seed=10), simulate("usa", 2, games=4, seed=12)
    names = [name for name in RESULT_ROW.names or () if name != "game"]
    assert whole[names][4:].tolist() == part[names].tolist()
    assert simulate("usa", 2, games=1, seed=SEEDS - 1).tolist() == simulate("usa", 2, games=1, seed=-1).tolist()


def test_progress_tells_the_games_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whistlestop.arena.simulation.GAMES_PER_CALL", 4)
    told: list[int] = []
    rows = simulate("usa", 2, games=10, seed=1, progress=told.append)
    assert told == [4, 8, 10]
    monkeypatch.undo()
    assert simulate("usa", 2, games=10, seed=1).tolist() == rows.tolist()


def test_rows_of_bots_are_those_of_their_games() -> None:
    rows = simulate("germany", ["casual", "random"], games=2, seed=3)
    for number in range(2):
        game = play("germany", ["casual", "random"], seed=3 + number)
        for seat, player in enumerate(game.result().players):
            row = rows[2 * number + seat]
            assert row["total"] == player.total
            assert row["won"] == (seat in game.result().winners)
            assert row["completed"] == len(player.completed)
            assert row["steps"] == len(game.history)


@pytest.mark.parametrize(
    ("players", "games", "error", "message"),
    [
        (6, 1, ValueError, "USA is for 2 to 5 players, not 6"),
        (-1, 1, ValueError, "USA is for 2 to 5 players, not -1"),
        (["random"], 1, ValueError, "USA is for 2 to 5 players, not 1"),
        (2, 0, ValueError, "at least 1 game must be played, not 0"),
        ("casual", 1, TypeError, "one for each seat"),
        (["casual", "csual"], 1, ValueError, "there is no bot 'csual'"),
    ],
)
def test_impossible_requests_are_refused(
    players: int | list[str], games: int, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        simulate("usa", players, games)


def made_up(games: list[list[tuple[int, bool]]]) -> Rows:
    """Rows of games given as total and victory of each seat; all points are from routes."""
    rows = np.zeros(sum(map(len, games)), RESULT_ROW)
    flat = [(game, seat, *player) for game, players in enumerate(games) for seat, player in enumerate(players)]
    for row, (game, seat, total, won) in zip(rows, flat, strict=True):
        row["game"], row["player"], row["total"], row["routes"], row["won"] = game, seat, total, total, won
        row["steps"] = 100 + game
    return rows


def test_statistics_are_those_of_the_standard_library() -> None:
    totals = [[(10, False), (30, True)], [(50, True), (50, True)], [(20, True), (15, False)], [(5, False), (70, True)]]
    found = Statistics.of(made_up(totals))
    assert (found.games, found.shared_wins) == (4, 1)
    assert (found.actions.mean, found.actions.min, found.actions.max) == (101.5, 100, 103)
    for seat, player in enumerate(found.seats):
        points = [game[seat][0] for game in totals]
        assert player.points.mean == statistics.mean(points)
        assert player.points.median == statistics.median(points)
        assert player.points.sd == pytest.approx(statistics.stdev(points))
        assert player.sources["routes"] == player.points.mean
    assert [seat.win_rate for seat in found.seats] == [0.5, 0.75]
    assert found.seats[0].win_rate_margin == pytest.approx(1.96 * (0.5 * 0.5 / 4) ** 0.5)
    assert found.overall.points.mean == statistics.mean(total for game in totals for total, _ in game)


def test_statistics_of_one_game_have_no_deviation() -> None:
    assert Statistics.of(made_up([[(10, False), (30, True)]])).seats[0].points.sd == 0.0


def test_statistics_are_plain_data() -> None:
    data = Statistics.of(simulate("europe", 2, games=5)).json()
    assert json.loads(json.dumps(data))["seats"][1]["points"].keys() == {"mean", "median", "sd", "min", "max"}
