"""The command line `whistlestop`: `main.py` has the commands and their help, other modules do the work."""

from whistlestop.cli.main import app, main, run

__all__ = ["app", "main", "run"]
