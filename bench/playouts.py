"""What more playouts are worth: how much better the expert's choice is with so many of them, and what is left to gain.

uv run python bench/playouts.py [edition/players …]

Positions come from games of planners. Every candidate of a position is played in the same worlds; searches with fewer
playouts are made from one half of them, and what they choose is weighed in the other half, which they have not seen.
The gain is in shares of a victory for one decision, over what the planner would do. It tells what a search can find of
what its playouts can show: rivals in them are planners, and those at the table may not be.
"""

from __future__ import annotations

import sys

import numpy as np

from whistlestop.bots import Limit, bot
from whistlestop.bots.expert.expert_bot import approach_for
from whistlestop.bots.expert.search import PlayedWorlds, Search
from whistlestop.game import Game
from whistlestop.mapfile import load_edition
from whistlestop.views import View

BUDGETS = (64, 256, 1024, 4096)
POSITIONS = 60
WORLDS = 2400
SPLITS = 8
"""How often the worlds of a position are cut into halves, to even out luck."""


def positions(edition_id: str, players: int) -> list[View]:
    """Turns from games of planners, one in seven."""
    found: list[View] = []
    for seed in range(1, 1000):
        game, planner, turns = Game(edition_id, players, seed), bot("planner"), 0
        while movers := game.to_move:
            view = game.view(movers[0])
            turns += view.phase == "turn"
            if view.phase == "turn" and turns % 7 == 0:
                found.append(view)
            game.play(planner.act(view, Limit()), movers[0])
        if len(found) >= POSITIONS:
            break
    return found[:POSITIONS]


def gains(played: PlayedWorlds, halves: np.ndarray) -> list[float]:
    """What the choice of each budget wins more often than the planner's action, and what the best candidate would."""
    seen, fresh = np.split(halves, 2)
    share = played.wins[fresh].mean(0) - played.wins[fresh, 0].mean()
    return [*(float(share[played.chosen_with(budget, seen)]) for budget in BUDGETS), float(share.max())]


def main() -> None:
    print(f"{'':14}" + "".join(f"{budget:>9,}" for budget in BUDGETS) + "     best  playouts")
    rng = np.random.default_rng(1)
    for name in sys.argv[1:] or ["usa/2", "europe/2", "germany/2", "usa/4"]:
        edition_id, players = name.split("/")
        edition = load_edition(edition_id)
        search = Search(edition, approach_for(edition, int(players)))
        found = []
        for number, view in enumerate(positions(edition_id, int(players)), 1):
            print(f"\r{name}: position {number} of {POSITIONS}", end="", file=sys.stderr, flush=True)
            played = search.play_all(view.seated(), WORLDS, number)
            found.append(np.mean([gains(played, rng.permutation(WORLDS)) for _ in range(SPLITS)], axis=0))
        means, errors = np.mean(found, axis=0), 1.96 * np.std(found, axis=0) / np.sqrt(len(found))
        print("\r", end="", file=sys.stderr)
        print(f"{name:14}" + "".join(f"{mean:9.4f}" for mean in means))
        print(f"{'   ±':14}" + "".join(f"{error:9.4f}" for error in errors))


if __name__ == "__main__":
    main()
