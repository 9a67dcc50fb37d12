"""The errors of the package: one family, each with a message and, where there is one, a hint."""

from __future__ import annotations


class WhistlestopError(ValueError):
    """Something that whoever asked for it can mend. `str` gives the message alone; tracebacks show the hint too."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        """What is wrong."""
        self.hint = hint or None
        """What would be right, or what to do, if there is something to suggest."""
        if self.hint:
            self.add_note(f"hint: {self.hint}")


class MapError(WhistlestopError):
    """A map file or ticket pack that cannot be used; the message gives file, place and reason.

    `fault` and `words` say the same to programs that have sentences of their own, in another language: what is wrong
    with a ticket pack, and the names and numbers in that sentence.
    """

    def __init__(
        self, message: str, hint: str | None = None, fault: str = "other", words: dict[str, str | int] | None = None
    ) -> None:
        super().__init__(message, hint)
        self.fault = fault
        self.words = words or {}
        self.line: int | None = None
        """Where in the file it is, from 1, if it is at one place of a map file."""


class InvalidNotation(WhistlestopError):  # noqa: N818  (named for what the reader sees)
    """A text that is no action; the message says what was not understood."""


class IllegalAction(WhistlestopError):  # noqa: N818  (named for what the reader sees)
    """An action that the rules do not allow now; the message says why. The game is unchanged."""


class ImpossibleOutcome(WhistlestopError):  # noqa: N818  (named for what the reader sees)
    """Written outcomes of chance that cannot have happened; the game is unchanged."""


class StaleDraft(WhistlestopError):  # noqa: N818  (named for what the reader sees)
    """A draft that no longer fits the game; the game is unchanged."""


class RecordError(WhistlestopError):
    """A record that cannot be played; the message names the line and the reason."""


def described(error: BaseException) -> str:
    """An error of somebody else's code in one line, whatever its class makes of `str`."""
    try:
        said = str(error)
    except Exception:
        said = ""
    kind = "" if isinstance(error, WhistlestopError) else f"{type(error).__name__}: "
    return " ".join(f"{kind}{said}".split())[:500].removesuffix(":")
