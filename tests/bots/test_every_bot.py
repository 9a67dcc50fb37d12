"""What holds of every registered bot: its answer hangs on its view and seed alone, and it finishes games."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import whistlestop.bots
from support.games import VALLEY
from support.positions import EDITIONS, tiny
from support.scale import SCALE
from whistlestop.bots import BUILT_IN, RANDOM, Bot, Limit, bot, bot_names
from whistlestop.bots.referee import Failure, play
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.tables import tables_of
from whistlestop.game import Game
from whistlestop.notation import Action
from whistlestop.views import View

LIMIT = Limit(steps=8)
"""For bots that search: steps and no time, so that they answer the same on a slow machine."""
POSITIONS = 24
"""Of a game, spread over its length."""
WORLDS = 2
NAMES = bot_names()


# --- honesty ---------------------------------------------------------------------------------------------------------
@lru_cache(maxsize=64)
def positions(edition: str, players: int, seed: int) -> tuple[tuple[bytes, int], ...]:
    """States of a game of casual and random players, with a player who is to act, tunnels and passengers among them."""
    game = Game(edition, players, seed)
    seats = [bot("casual" if seat % 2 else RANDOM, seat) for seat in range(players)]
    every: list[tuple[bytes, int]] = []
    rare: list[tuple[bytes, int]] = []
    while movers := game.to_move:
        player = movers[len(game.history) % len(movers)]
        found = rare if game.phase in ("tunnel", "passenger", "tickets", "announce") else every
        found.append((game.state_bytes(), player))
        game.play(seats[player].act(game.view(player), LIMIT), player)
    return tuple(spread(every, POSITIONS - POSITIONS // 3) + spread(rare, POSITIONS // 3))


def spread(found: list[Any], n: int) -> list[Any]:
    """So many of a list, from its beginning to its end."""
    return found[:: max(1, len(found) // n)][:n]


def worlds(game: Game, player: int) -> Iterator[bytes]:
    """What may be behind a player's view: other cards in other hands, other tickets, another order of the decks."""
    tables = tables_of(game.edition)
    for seed in range(WORLDS):
        world = game.view(player).states.copy()
        doors.determinize(world, 0, tables, player, np.uint64(seed), np.zeros(lay.WORDS, np.uint64))
        yield world.tobytes()


def answers(game: Game, player: int, maker: Callable[[], Bot]) -> list[int]:
    """What a new bot answers in the true world and in others that look the same to it; each is the game's own state."""
    true, seen = game.state_bytes(), game.view(player).states.tobytes()
    found = []
    for world in (true, *worlds(game, player)):
        game._restore(world)
        view = game.view(player)
        assert view.states.tobytes() == seen, "a view holds nothing but what its player may know"
        found.append(maker().act(view, LIMIT).id)
        assert view.states.tobytes() == seen, "a bot leaves its view as it was"
    game._restore(true)
    return found


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", NAMES)
def test_the_answer_hangs_on_the_view_alone(name: str, edition: str) -> None:
    """On the same view with other hidden worlds behind it every answer is the same, to the id."""
    for seed in range(SCALE):
        players = 2 + (seed + len(name)) % 4
        game = Game(edition, players, seed)
        for state, player in positions(edition, players, seed):
            game._restore(state)
            found = answers(game, player, lambda: bot(name, 11))
            assert len(found) == WORLDS + 1
            assert len(set(found)) == 1, f"{name} answers {found} on one view"


class Peeks:
    """A cheat: looks at the game of whoever asks it."""

    def act(self, view: View, limit: Limit) -> Action:  # noqa: ARG002
        """One of the legal actions, by the cards that others hold."""
        legal, game = view.legal(), sys._getframe(1).f_locals["game"]
        return legal[int.from_bytes(game.state_bytes(), "little") % len(legal)]


def test_a_bot_that_peeks_is_noticed() -> None:
    game = Game("usa", 3, 1)
    found = []
    for state, player in positions("usa", 3, 1):
        game._restore(state)
        found.append(answers(game, player, Peeks))
    assert any(len(set(ids)) > 1 for ids in found)


def test_no_bot_can_reach_a_game() -> None:
    """Importing all bots loads no game, and none of their files imports one inside a function."""
    modules = sorted({target.partition(":")[0] for target in BUILT_IN.values()})
    code = f"import sys, {', '.join(modules)}; sys.exit('whistlestop.game' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    folder = Path(whistlestop.bots.__file__).parent
    files = [path for path in folder.rglob("*.py") if path.name not in ("referee.py", "readiness.py")]
    assert len(files) > len(modules)
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            for found in names:
                parts = found.split(".")
                ours = parts[0] == "whistlestop"
                assert not ours or (len(parts) > 1 and parts[1] not in ("game", "Game")), f"{path.name}: {found}"
                assert "referee" not in parts, f"{path.name}: {found}"


# --- the same seed, the same game ------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    for edition in ("usa", "germany"):
        first, second = (play(edition, [name, name, RANDOM], seed=5, limit=LIMIT) for _ in range(2))
        assert first.record() == second.record()


# --- whole games -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", NAMES)
def test_whole_games_without_failures(name: str, edition: str) -> None:
    for players in (2, 3, 4, 5):
        for seed in range(SCALE):
            failures: list[Failure] = []
            lineup = [name, RANDOM, name, "casual", name][:players]
            game = play(edition, lineup, seed=seed, limit=LIMIT, failures=failures)
            assert failures == []
            assert game.over
            assert game.status() == []


@pytest.mark.parametrize("name", NAMES)
def test_whole_games_on_boards_of_other_people(name: str) -> None:
    """One where everything runs out, and one with every rule."""
    for seed in range(10 * SCALE):
        failures: list[Failure] = []
        assert play(tiny(), [name, RANDOM, name], seed=seed, limit=LIMIT, failures=failures).over
        assert play(VALLEY, [name, name], seed=seed, limit=LIMIT, failures=failures).over
        assert failures == []
