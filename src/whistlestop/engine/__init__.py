"""The compiled engine: numbers only. Words live in `game.py` and `notation.py`, boards in `mapfile.py`.

layout   the records: one game, one edition's tables, scratch space
tables   Edition → TABLES
bits     chance and bit tricks
rules    new games, legal actions, steps
graph    longest path and connected cities
scoring  the final count
hidden   the one gate for secrets
status   invariants
batch    whole games in compiled loops
jit      how kernels are compiled, cached and warmed up
"""
