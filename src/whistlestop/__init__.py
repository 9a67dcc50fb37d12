"""Whistlestop: railway board games to play, host, study and build."""
