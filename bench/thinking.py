"""How fast bots think: decisions of the planner, playouts of the expert from the middle of a game, on one core, and by
how much the expert overruns its time.

uv run python bench/thinking.py [edition …]

Times of thinking are of the processor, not of the clock, so that other programs count for less; the best of several
windows. Overruns are by the clock, over all decisions of a game.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from whistlestop.bots import Limit, bot
from whistlestop.bots.expert.expert_bot import ExpertBot, approach_for
from whistlestop.bots.expert.search import Search
from whistlestop.bots.planner.games import choose
from whistlestop.bots.planner.mind import MIND
from whistlestop.bots.planner.parameters import parameters_for
from whistlestop.engine.tables import tables_of
from whistlestop.game import Game
from whistlestop.mapfile import load_edition
from whistlestop.views import View

POSITIONS = 12
WINDOWS = 5
LIMIT_SECONDS = 0.1


def views_of_a_game(edition_id: str, players: int, seed: int) -> list[View]:
    """What the player to move saw, through a game of planners."""
    game, planner = Game(edition_id, players, seed), bot("planner")
    views = []
    while movers := game.to_move:
        views.append(game.view(movers[0]))
        game.play(planner.act(views[-1], Limit()), movers[0])
    return views


def microseconds_a_decision(edition_id: str, players: int) -> float:
    edition = load_edition(edition_id)
    tables, minds = tables_of(edition), np.zeros(1, MIND)
    tempers = parameters_for(edition, players)[np.newaxis]
    roots = [view.seated() for seed in range(3) for view in views_of_a_game(edition_id, players, seed)]
    best = float("inf")
    for _ in range(WINDOWS):
        began = time.thread_time()
        for root in roots:
            choose(root, tables, minds, tempers)
        best = min(best, time.thread_time() - began)
    return best / len(roots) * 1e6


def playouts_a_second(edition_id: str, players: int) -> float:
    edition = load_edition(edition_id)
    search = Search(edition, approach_for(edition, players))
    turns = [view for view in views_of_a_game(edition_id, players, 1) if view.phase == "turn"]
    middle = turns[len(turns) // 2 - POSITIONS // 2 :][:POSITIONS]
    best = 0.0
    for _ in range(WINDOWS):
        began, playouts = time.thread_time(), 0
        for number, view in enumerate(middle):
            playouts += search.think(view.seated(), Limit(steps=400), number).playouts
        best = max(best, playouts / (time.thread_time() - began))
    return best


def longest_overrun(edition_id: str, players: int) -> float:
    """The most milliseconds beyond a limit of 100, of all decisions of a game."""
    expert, longest = ExpertBot(1), 0.0
    for view in views_of_a_game(edition_id, players, 2):
        began = time.perf_counter()
        expert.act(view, Limit(seconds=LIMIT_SECONDS))
        longest = max(longest, 1000 * (time.perf_counter() - began - LIMIT_SECONDS))
    return longest


def main() -> None:
    print(f"{'edition':12} players  planner, µs a decision  expert, playouts a second  overrun, ms, at most")
    for edition_id in sys.argv[1:] or ["usa", "europe", "germany"]:
        for players in (2, 4):
            decision, playouts = microseconds_a_decision(edition_id, players), playouts_a_second(edition_id, players)
            late = longest_overrun(edition_id, players)
            print(f"{edition_id:12} {players:7}  {decision:23.1f}  {playouts:25,.0f}  {late:20.1f}", flush=True)


if __name__ == "__main__":
    main()
