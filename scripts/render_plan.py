"""Draw docs/boards/plan.png: a game in the middle, and what the planner whose turn it is means to claim.

uv run --with pillow python scripts/render_plan.py
"""

from __future__ import annotations

import numpy as np

from render_boards import save
from whistlestop import Game, Limit, View, bot
from whistlestop.bots.planner.games import choose
from whistlestop.bots.planner.mind import MIND
from whistlestop.bots.planner.parameters import parameters_for
from whistlestop.draw import draw_board
from whistlestop.engine.tables import tables_of
from whistlestop.views import bits

SEED, TURNS = 11, 60


def planned_tracks(view: View) -> list[int]:
    """The tracks that the planner means to claim."""
    minds = np.zeros(1, MIND)
    choose(view.seated(), tables_of(view.edition), minds, parameters_for(view.edition, len(view.names))[np.newaxis])
    return bits(minds["plan"][0, view.player].tolist())


def main() -> None:
    """Play some turns and draw the plan with the most tracks."""
    game, planner = Game("europe", 2, SEED, names=["Ada", "Bela"]), bot("planner")
    best: tuple[int, View] | None = None
    turns = 0
    while game.to_move and turns < TURNS:
        view = game.view(game.to_move[0])
        turns += view.phase == "turn"
        if view.phase == "turn" and len(view.owners) >= 5 and (best is None or len(planned_tracks(view)) > best[0]):
            best = len(planned_tracks(view)), view
        game.play(planner.act(view, Limit()), view.player)
    assert best is not None
    view = best[1]
    cities = {city for ticket in view.tickets if not ticket.completed for city in (ticket.a, ticket.b)}
    tickets = ", ".join(ticket.text for ticket in view.tickets)
    save(
        "plan",
        draw_board(
            view.edition.board,
            owners=view.owners,
            path=planned_tracks(view),
            cities=sorted(cities),
            names=view.names,
            caption=f"{view.names[view.player]} holds {tickets}; the traced tracks are the plan",
        ),
    )


if __name__ == "__main__":
    main()
