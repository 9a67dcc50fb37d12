"""Requests that are refused: a code for programs, a sentence and a hint for people."""

from __future__ import annotations

from typing import Any

from whistlestop.game import IllegalAction


class RequestError(Exception):
    """A request that is refused; nothing changed."""

    def __init__(self, code: str, message: str, hint: str | None = None, status: int = 409) -> None:
        super().__init__(message)
        self.code, self.message, self.hint, self.status = code, message, hint, status

    def json(self, ref: int | None = None) -> dict[str, Any]:
        """The refusal as a message."""
        return {"t": "error", "ref": ref, "code": self.code, "message": self.message, "hint": self.hint}


def split_hint(error: ValueError) -> tuple[str, str | None]:
    """The message of an error and its hint."""
    message, _, hint = str(error).partition("\nhint: ")
    return message, getattr(error, "hint", None) or hint or None


def illegal_action(error: ValueError) -> RequestError:
    """The refusal of an action that the game does not accept."""
    code = "illegal" if isinstance(error, IllegalAction) else "not_understood"
    return RequestError(code, *split_hint(error), 422)


def internal_error() -> RequestError:
    """The refusal of a request on which the server failed."""
    return RequestError("fault", "the server made a mistake; nothing was changed", "try again", 500)
