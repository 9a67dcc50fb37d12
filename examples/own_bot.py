"""A bot of your own: one game with it, then twenty, and how it did.

It plays wherever a bot's name does: whistlestop simulate usa --names examples/own_bot.py:Collector,casual
"""

from random import Random

from whistlestop import Action, Limit, Statistics, View, play, simulate


class Collector:
    """Collects the colour it has most of, and claims the longest track it can pay for."""

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(seed)  # a bot has its own chance, so that games can be played again

    def act(self, view: View, limit: Limit) -> Action:
        legal, tracks = view.legal(), view.edition.board.tracks
        claims = [action for action in legal if action.track is not None]
        if claims:
            return max(claims, key=lambda claim: tracks[claim.track or 0].length)
        if view.phase in ("first_tickets", "tickets"):
            return min(legal, key=lambda keep: sum(view.offer[i].points for i in keep.kept))
        hand = view.hand
        cards = [action for action in legal if action.kind in ("draw_face_up", "draw_blind")]
        return max(cards, key=lambda draw: hand.get(draw.card or "", 0), default=self.random.choice(legal))


if __name__ == "__main__":
    print(play("europe", [Collector(), "random"], seed=1).result())
    rows = simulate("usa", [f"{__file__}:Collector", "random"], games=20, seed=1)
    seat = Statistics.of(rows).seats[0]
    print(f"It wins {seat.win_rate:.0%} (± {seat.win_rate_margin:.0%}) with {seat.points.mean:.0f} points on average.")
