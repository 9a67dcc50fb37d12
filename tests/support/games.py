"""Games for tests: every edition and number of players, games after random moves, what must hold of every result."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from whistlestop import Action, Game, Result, editions
from whistlestop.mapfile import Edition
from whistlestop.results import SOURCES

DATA = Path(__file__).parent
ROOT = DATA.parents[1]
"""The repository."""
EDITIONS = tuple(edition.id for edition in editions())
PLAYERS = (2, 3, 4, 5)
ALL = [(edition, players) for edition in EDITIONS for players in PLAYERS]
VALLEY = DATA / "mapfiles" / "valley.toml"
PACK = """
name = "Pack; of: “two”"
tickets = [
  { from = "Cadiz", to = "Moscow", points = 23 },
  { from = "Lisboa", to = "Kyiv", points = 19, kind = "long" },
]
"""
GOOD_NAMES = (
    "Ann",
    " Bob ",
    "Zoë: P1",
    "a; b",
    "👩‍🚀 Ada",
    "Ω→-> x",
    "李雷",
    "P2: pass",
    "'quoted\" \\n",
    "player 1: me",
    "x" * 80,
)


def choose(legal: list[Action], rng: random.Random) -> Action:
    """Any kind of action as likely as another half of the time, so that rare ones come too."""
    if rng.random() < 0.5:
        return rng.choice(legal)
    kind = rng.choice(sorted({action.kind for action in legal}))
    return rng.choice([action for action in legal if action.kind == kind])


def wander(game: Game, seed: int = 1, moves: int = 10_000) -> Iterator[int]:
    """Play at random to the end; yields a player who may act before each action, at random where several may."""
    rng = random.Random(seed)
    while not game.over and moves:
        player = rng.choice(game.to_move)
        yield player
        game.play(choose(game.legal(player), rng), player)
        moves -= 1


def played(
    edition: str | Edition | Path = "usa", players: int = 2, seed: int = 1, moves: int = 10_000, **more: Any
) -> Game:
    """A game after some random moves."""
    game = Game(edition, players, seed, **more)
    for _ in wander(game, seed, moves):
        pass
    return game


def check_result(game: Game) -> Result:
    """Everything a result says about a game, checked against the state and the board."""
    result = game.result()
    state, board = game._states[0], game.edition.board
    owners, stations = game.owners(), game.stations()
    for seat, player in enumerate(result.players):
        assert player.total == sum(getattr(player, source) for source in SOURCES)
        own = {track for track, owner in owners.items() if owner == seat}
        assert player.routes == sum(board.points[board.tracks[track].length] for track in own)
        tickets = (*player.completed, *player.failed)
        assert sum(int(word).bit_count() for word in state.tickets[seat]) == len(tickets) == len(set(tickets))
        assert player.tickets == sum(t.points for t in player.completed) - sum(t.points for t in player.failed)
        assert all(t.completed for t in player.completed)
        assert not any(t.completed for t in player.failed)
        check_path(game, own, player.path_tracks, player.path_cities, player.path_length)
        assert [use.city for use in player.borrowed] == [c.name for c in board.cities if stations.get(c.name) == seat]
        for use in player.borrowed:
            if use.track is not None:
                line = board.tracks[use.track]
                assert owners[use.track] != seat
                assert use.city in (board.cities[line.a].name, board.cities[line.b].name)
                assert use.route is not None
        assert player.stations == game.edition.station_points * (game.edition.stations - len(player.borrowed))
        assert player.collected == game.view(None).players[seat].passengers
    best = max(player.total for player in result.players)
    assert result.winners
    assert all(result.players[winner].total == best for winner in result.winners)
    assert (len(result.winners) > 1) == (result.decided_by == "shared")
    if sum(player.total == best for player in result.players) == 1:
        assert result.decided_by == "points"
    return result


def check_path(game: Game, own: set[int], tracks: tuple[int, ...], cities: tuple[str, ...], length: int) -> None:
    """The path is a real one: own tracks, each once, one after another."""
    board = game.edition.board
    assert len(set(tracks)) == len(tracks)
    assert set(tracks) <= own
    assert sum(board.tracks[track].length for track in tracks) == length
    assert bool(own) == bool(tracks) or not game.edition.longest_path
    assert len(cities) == (len(tracks) + 1 if tracks else 0)
    for i, track in enumerate(tracks):
        ends = {board.cities[board.tracks[track].a].name, board.cities[board.tracks[track].b].name}
        assert {cities[i], cities[i + 1]} == ends
