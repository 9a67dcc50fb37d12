"""Servers for the tests: one for each worker that anybody may open tables on, and some of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.clients import House, Place


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server without limits that the tests of a worker share: each opens tables of its own."""
    with House(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.fixture(autouse=True)
def _hang_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close every client of a test when it ends."""
    opened: list[Place] = []
    begin = Place.__init__

    def remembered(self: Place, *args: object, **more: object) -> None:
        begin(self, *args, **more)  # type: ignore[arg-type]
        opened.append(self)

    monkeypatch.setattr(Place, "__init__", remembered)
    yield
    for place in opened:
        place.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a server of one's own keeps its games."""
    return tmp_path / "data"
