"""Traces: what of a game a playtest keeps, noted in compiled code while the game is played or replayed."""
