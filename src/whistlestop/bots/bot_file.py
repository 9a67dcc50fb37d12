"""A bot's class from a file of somebody's own, named as `path/my_bot.py:MyBot`."""

from __future__ import annotations

import inspect
import re
import sys
import traceback
from functools import lru_cache
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from whistlestop.errors import WhistlestopError, described
from whistlestop.spelling import nearest

_FILE_AND_CLASS = re.compile(r"(?P<path>.+\.py)(?::(?P<name>[^:]*))?")


def names_file(text: str) -> bool:
    """Whether somebody means a class in a file and not the name of a bot."""
    return _FILE_AND_CLASS.fullmatch(text) is not None


def class_in_file(text: str) -> type[Any]:
    """The class that `path/my_bot.py:MyBot` names; an error says what is wrong with the file or the class.

    A file is run once; it is run again when it was changed.
    """
    found = _FILE_AND_CLASS.fullmatch(text)
    path, name = (found["path"], found["name"]) if found else (text, None)
    if not name:
        raise WhistlestopError(f"`{text}` names no class", f"write {path}:MyBot with the name of the bot's class")
    made = getattr(_module(path), name, None)
    if not isinstance(made, type):
        raise WhistlestopError(f"`{path}` has no class `{name}`", _classes_hint(_module(path), name))
    _check_act(path, made)
    return made


def _module(path: str) -> ModuleType:
    file = Path(path)
    if not file.is_file():
        where = "" if file.is_absolute() else f" from {Path.cwd()}"
        raise WhistlestopError(f"there is no file `{path}`", f"give the path of a Python file{where}")
    return _run(path, file.resolve(), file.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _run(path: str, file: Path, changed: int) -> ModuleType:
    """Run a file as a module whose name no other file has, nor an earlier state of this one."""
    name = f"whistlestop_bot_{file.stem}_{sha256(f'{file} {changed}'.encode()).hexdigest()[:12]}"
    spec = spec_from_file_location(name, file)
    assert spec is not None, "its name ends in .py"
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickles look for it there
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise WhistlestopError(f"`{path}` cannot be loaded: {described(error)}", _remedy(path, file, error)) from error
    return module


def _remedy(path: str, file: Path, error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError):
        return f"install {error.name}, or put its folder into PYTHONPATH"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    return f"look at line {line} of {path}" if line else f"`python {path}` must run without an error"


def _classes_hint(module: ModuleType, name: str) -> str:
    own = [
        attribute
        for attribute, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__ and hasattr(value, "act")
    ]
    if near := nearest(name, own):
        return f"did you mean {near}?"
    return f"its bots are {', '.join(own)}" if own else "write a class with a method `act(self, view, limit)`"


def _check_act(path: str, made: type[Any]) -> None:
    """Refuse a class whose objects cannot be asked for an action."""
    act = getattr(made, "act", None)
    if not callable(act):
        raise WhistlestopError(
            f"`{made.__name__}` of `{path}` has no method `act`",
            "write `def act(self, view, limit)`, which returns one of `view.legal()`",
        )
    try:
        inspect.signature(act).bind("self", "view", "limit")
    except TypeError:
        raise WhistlestopError(
            f"`act` of `{made.__name__}` in `{path}` does not take a view and a limit",
            "write `def act(self, view, limit)`",
        ) from None
