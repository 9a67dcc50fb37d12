"""Servers for the tests: one for each worker that anybody may open tables on, and some of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.clients import Client, ServerThread
from support.postgres import postgres_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    """A server without limits that the tests of a worker share: each opens tables of its own."""
    with ServerThread(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(autouse=True)
def _hang_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close every client of a test when it ends."""
    opened: list[Client] = []
    begin = Client.__init__

    def remembered(self: Client, *args: object, **more: object) -> None:
        begin(self, *args, **more)  # type: ignore[arg-type]
        opened.append(self)

    monkeypatch.setattr(Client, "__init__", remembered)
    yield
    for client in opened:
        client.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a server of one's own keeps its games."""
    return tmp_path / "data"


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The address of an empty database."""
    with postgres_server() as running:
        yield running.get_uri()
