"""How well the expert guesses what others hold: tickets that rivals have, told from others by their weights.

uv run python bench/beliefs.py [edition …]

AUC: how often a ticket that a rival holds weighs more than one that nobody at the table has shown and the rival does
not hold, at several stages of games between planners and between casual bots. 0.5 is no better than chance.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from whistlestop.bots import Limit, bot
from whistlestop.bots.expert.expert_bot import approach_for
from whistlestop.bots.expert.search import Search
from whistlestop.engine.tables import tables_of
from whistlestop.game import Game
from whistlestop.mapfile import load_edition
from whistlestop.views import View, bits

GAMES = 40
STAGES = (1, 12, 24, 36)
"""Trains that the rival has laid at least."""


def held(view: View) -> set[int]:
    """Numbers of the tickets of a view's own player."""
    return set(bits(view.states[0]["tickets"][view.player]))


def comparisons(edition_id: str, name: str) -> Iterator[tuple[int, float]]:
    """For every turn of the first player: the stage of the rival, and the AUC of its tickets."""
    edition = load_edition(edition_id)
    search = Search(edition, approach_for(edition, 2))
    for seed in range(GAMES):
        game, bots = Game(edition_id, 2, seed), [bot(name, seed), bot(name, seed + 1)]
        while movers := game.to_move:
            view = game.view(movers[0])
            if view.phase == "turn" and movers[0] == 0:
                laid = edition.trains - int(view.states[0]["trains"][1])
                rival, own = held(game.view(1)), held(view)
                others = set(range(int(tables_of(edition)[0]["tickets"]))) - rival - own
                weights = search.beliefs(view.seated(), 1)[1]
                if rival and laid >= STAGES[0]:
                    pairs = weights[sorted(rival)][:, None] - weights[sorted(others)][None]
                    stage = max(one for one in STAGES if laid >= one)
                    yield stage, float(((pairs > 0) + 0.5 * (pairs == 0)).mean())
            game.play(bots[movers[0]].act(view, Limit()), movers[0])


def main() -> None:
    print(f"{'edition':12} {'games of':10} " + " ".join(f"{f'from {stage} trains':>15}" for stage in STAGES))
    for edition_id in sys.argv[1:] or ["usa", "europe", "germany"]:
        for name in ("planner", "casual"):
            found = defaultdict(list)
            for stage, auc in comparisons(edition_id, name):
                found[stage].append(auc)
            print(f"{edition_id:12} {name:10} " + " ".join(f"{np.mean(found[stage]):15.2f}" for stage in STAGES))


if __name__ == "__main__":
    main()
