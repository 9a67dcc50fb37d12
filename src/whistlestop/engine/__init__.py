"""The compiled engine: numbers only. Words live in `game.py` and `notation.py`, boards in `mapfile/`.

layout   the records: one game, one edition's tables, scratch space
types    names for what kernels take and give
tables   Edition → TABLES
jit      how kernels are compiled and cached
bits     chance and bit tricks
cards    card piles, face-up cards, what goes into and out of hands
memory   what players remember of tickets they returned
tickets  ticket decks, offers, first choices
legal    legal actions: listed, counted, checked, picked at random
rules    new games and steps
graph    longest path and connected cities
scoring  the final count
hidden   the one gate for secrets: redact and determinize
status   invariants
doors    what Python calls, and whole games in compiled loops
warmup   compiling before the first game
speed    how fast random play is
"""
