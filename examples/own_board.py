"""A board of one's own, written as text, played at once. `whistlestop check-map` checks one in a file."""

import random

from whistlestop import Game, parse_board

LAKE = """
id = "lake"
name = "Round the Lake"
points = { 1 = 1, 2 = 2, 3 = 4 }
cities = [
  { name = "Abbey", lat = 1.0, lon = 0.0 }, { name = "Bridge", lat = 2.0, lon = 1.0 },
  { name = "Castle", lat = 1.0, lon = 2.0 }, { name = "Dyke", lat = 0.0, lon = 1.0 },
]
tracks = [
  { from = "Abbey", to = "Bridge", length = 2, colour = "red" },
  { from = "Bridge", to = "Castle", length = 3, colour = "blue" },
  { from = "Castle", to = "Dyke", length = 2, colour = "gray" },
  { from = "Dyke", to = "Abbey", length = 1, colour = "green", tunnel = true },
  { from = "Bridge", to = "Dyke", length = 3, colour = "gray", ferry = 1 },
]
tickets = [
  { from = "Abbey", to = "Castle", points = 4 }, { from = "Bridge", to = "Dyke", points = 3 },
  { from = "Abbey", to = "Bridge", points = 2 }, { from = "Castle", to = "Dyke", points = 2 },
]

[[edition]]
id = "lake"
name = "Round the Lake"
summary = "Four towns, five tracks, ten minutes."
decks = [{ name = "tickets" }]
first_tickets = [{ deal = 2, keep_least = 1, returned = "bottom" }]
players = [2, 2]
trains = 8
longest_path = 3
tie_breaks = ["tickets", "path"]
"""


def main() -> None:
    """Play one game and print it."""
    board = parse_board(LAKE, "lake")
    game = Game(board.editions[0], players=2, seed=3, names=["Ann", "Bob"])
    chance = random.Random(3)
    while not game.over:
        game.play(chance.choice(game.legal()))
    for move in game.history:
        print(f"{game.names[move.player]}: {move.text}")
    print(f"\n{game.result()}")


if __name__ == "__main__":
    main()
