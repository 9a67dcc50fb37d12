"""Play a whole game between random players and print how it ended."""

import random

from whistlestop import Game

game = Game("europe", players=3, seed=7)
chance = random.Random(7)
while not game.over:
    game.play(chance.choice(game.legal()))
print(game.result())
