"""The command line: `whistlestop …`. `main.py` has the commands and their help; each command's work is in a module of its own."""

from whistlestop.cli.main import app, main, run

__all__ = ["app", "main", "run"]
