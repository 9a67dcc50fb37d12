"""The command line: `whistlestop …`. `app.py` has the commands and their help; each command's work is in a module of its own."""

from whistlestop.cli.app import app, main, run

__all__ = ["app", "main", "run"]
