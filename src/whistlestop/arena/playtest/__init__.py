"""Playtests: what many games of bots say about a board.

`traced_games.py` plays them, `measures.py` and `estimates.py` turn them into numbers, `verdicts.py` says what stands
out, `playtest_page.py` is the page with everything.
"""
