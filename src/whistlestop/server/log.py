"""Structured logs: one JSON object a line on stderr, or plain text on a terminal. No keys, no names, no chat."""

from __future__ import annotations

import logging
import sys
import time
from typing import Any

import orjson

logger = logging.getLogger("whistlestop.server")


def event(what: str, level: str = "info", **facts: Any) -> None:
    """Log something that happened, with its facts."""
    logger.log(getattr(logging, level.upper()), what, extra={"facts": facts})


class JsonFormatter(logging.Formatter):
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


class TextFormatter(logging.Formatter):
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
