"""What the environments need beside the package: says which extra to install where something is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from whistlestop.errors import WhistlestopError


@contextmanager
def needed(extra: str) -> Iterator[None]:
    """Around an import of somebody else's package: if it is not there, tell how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise WhistlestopError(
            f"this needs the package {error.name}", f"install it: pip install 'whistlestop[{extra}]'"
        ) from error
