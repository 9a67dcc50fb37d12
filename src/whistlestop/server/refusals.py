"""Requests that are refused: a code for programs, a sentence and a hint for people."""

from __future__ import annotations

from typing import Any

from whistlestop.errors import IllegalAction, WhistlestopError


class RequestError(Exception):
    """A request that is refused; nothing changed."""

    def __init__(
        self,
        code: str,
        message: str,
        hint: str | None = None,
        status: int = 409,
        pack: dict[str, Any] | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.hint, self.status = code, message, hint, status
        self.pack = pack
        """What is wrong with a ticket pack, for clients that say it in their own words."""
        self.line = line
        """Where in a map file it is."""

    def json(self, ref: int | None = None) -> dict[str, Any]:
        """The refusal as a message."""
        said = {"t": "error", "ref": ref, "code": self.code, "message": self.message, "hint": self.hint}
        more = {"pack": self.pack, "line": self.line}
        return said | {name: value for name, value in more.items() if value is not None}


def illegal_action(error: WhistlestopError) -> RequestError:
    """The refusal of an action that the game does not accept."""
    code = "illegal" if isinstance(error, IllegalAction) else "not_understood"
    return RequestError(code, error.message, error.hint, 422)


def no_such_table(table: str) -> RequestError:
    """The refusal of a table that is not there, or not any more."""
    return RequestError("no_such_table", f"there is no table {table}", "ask for the link again", 404)


def unreadable_table() -> RequestError:
    """The refusal of a table whose rows cannot be read."""
    return RequestError("unreadable", "this table can't be read any more", "its host finds the reason in the log", 410)


def closed_table() -> RequestError:
    """The refusal of a table that the server's host has closed."""
    return RequestError("closed", "whoever runs this server has closed this table", "open another one", 410)


def deleted_table() -> RequestError:
    """The refusal of a table that the server's host has deleted."""
    return RequestError("no_such_table", "whoever runs this server has deleted this table", "open another one", 404)


def outdated_table() -> RequestError:
    """The refusal of a table that was kept for as long as the server's host wants to."""
    return RequestError("no_such_table", "this server keeps tables only for a time, and this one is too old", None, 404)


def banned_client() -> RequestError:
    """The refusal of a client that the server's host has banned."""
    return RequestError("banned", "this address may not use this server", "ask whoever runs it", 403)


def internal_error() -> RequestError:
    """The refusal of a request on which the server failed."""
    return RequestError("fault", "the server made a mistake; nothing was changed", "try again", 500)
