"""Structured logs: one JSON object a line on stderr, or plain text on a terminal. No keys, no seeds, no names, no chat.

Messages of errors are left out, since they quote what somebody sent or stored: PostgreSQL, for one, puts the whole row
into them. What is logged of an error is its kind and where it came from.
"""

from __future__ import annotations

import logging
import sys
import time
import traceback
from types import TracebackType
from typing import Any

import orjson

logger = logging.getLogger("whistlestop.server")


def event(what: str, level: str = "info", **facts: Any) -> None:
    """Log something that happened, with its facts."""
    logger.log(getattr(logging, level.upper()), what, extra={"facts": facts})


ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def _causes(error: BaseException) -> list[BaseException]:
    """An error and what led to it, the first cause first."""
    found = [error]
    while (cause := found[0].__cause__ or found[0].__context__) is not None and cause not in found:
        found.insert(0, cause)
    return found


class _DiscreetFormatter(logging.Formatter):
    """Tells of errors what they are and where they happened, never what they say."""

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802  (logging's name)
        """The calls that led to an error and to what caused it, and the kinds of both."""
        lines = []
        for error in _causes(ei[1]) if ei[1] is not None else ():
            calls = traceback.extract_tb(error.__traceback__)
            lines += [f"{call.filename}:{call.lineno} {call.name}" for call in calls]
            lines.append(f"{type(error).__module__}.{type(error).__qualname__}")
        return "\n".join(lines)


class JsonFormatter(_DiscreetFormatter):
    """For machines."""

    def format(self, record: logging.LogRecord) -> str:
        """One object a line."""
        facts = getattr(record, "facts", {})
        line = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **facts,
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return orjson.dumps(line, default=str).decode()


class TextFormatter(_DiscreetFormatter):
    """For people at a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, what, facts."""
        facts = " ".join(f"{name}={value}" for name, value in getattr(record, "facts", {}).items())
        line = f"{time.strftime('%H:%M:%S', time.localtime(record.created))} {record.getMessage()} {facts}".rstrip()
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def set_up(json_lines: bool | None = None, quiet: bool = False) -> None:
    """Send logs of the server to stderr."""
    as_json = not sys.stderr.isatty() if json_lines is None else json_lines
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if as_json else TextFormatter())
    for name in ("whistlestop.server", "uvicorn.error"):
        named = logging.getLogger(name)
        named.handlers, named.propagate = [handler], False
        named.setLevel(logging.WARNING if quiet or name == "uvicorn.error" else logging.INFO)
