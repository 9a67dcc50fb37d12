"""Servers to test and clients to test them with: every message that a client gets is checked against its model."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, TypeVar

import httpx
import uvicorn
from pydantic import BaseModel
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from whistlestop.server import messages
from whistlestop.server.app import create_app
from whistlestop.server.hall import Hall
from whistlestop.server.run import uvicorn_config
from whistlestop.server.settings import Limits, Settings

T = TypeVar("T")
Data = dict[str, Any]
LARGE = 10**9
UNLIMITED = Limits(
    tables_an_hour=LARGE, listed_an_hour=LARGE, sockets=LARGE, messages_a_second=LARGE, requests_a_second=LARGE,
    chat_a_second=LARGE, silent_connections=LARGE, boards_an_hour=LARGE, playtests_an_hour=LARGE,
)  # fmt: skip
PATIENCE = 120.0
"""Seconds after which a test gives up: machines are busy."""

BY_TYPE: dict[str, type[BaseModel]] = {
    "welcome": messages.Welcome, "table": messages.TableData, "frame": messages.Frame, "chat": messages.ChatData,
    "reaction": messages.ReactionData, "why": messages.WhyData, "way": messages.WayData, "ok": messages.Ok,
    "error": messages.Refusal, "pong": messages.Pong,
}  # fmt: skip


# ---- messages -------------------------------------------------------------------------------------------------------
def unknown_fields(data: Any, dumped: Any, path: str = "") -> list[str]:
    """Fields of a message that its model does not know."""
    if isinstance(data, dict) and isinstance(dumped, dict):
        here = [f"{path}.{key}" for key in data.keys() - dumped.keys()]
        return here + [
            found
            for key in data.keys() & dumped.keys()
            for found in unknown_fields(data[key], dumped[key], f"{path}.{key}")
        ]
    if isinstance(data, list) and isinstance(dumped, list | tuple):
        return [
            found
            for i, (a, b) in enumerate(zip(data, dumped, strict=True))
            for found in unknown_fields(a, b, f"{path}[{i}]")
        ]
    return []


def checked(raw: str | bytes, model: type[BaseModel] | None = None) -> Any:
    """A message as data, after making sure that its model allows it and knows every field of it."""
    data = json.loads(raw)
    model = BY_TYPE[data["t"]] if model is None else model
    found = model.model_validate_json(raw, strict=True)
    assert not unknown_fields(data, found.model_dump(by_alias=True))
    return data


# ---- a server in this process ---------------------------------------------------------------------------------------
class ServerThread:
    """A real server on a free port, in a thread of this process."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        usual = Settings(data_dir=folder, limits=UNLIMITED, stand_in_waits=0.0, absence=0.0, prepare_bots=False)
        self.settings = replace(usual, **settings)
        self.app = create_app(self.settings)
        self.port = free_port()
        config = uvicorn_config(self.app, self.settings, port=self.port, timeout_graceful_shutdown=5)
        self.server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self.server.run, name="server", daemon=True)

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def hall(self) -> Hall:
        """Its tables."""
        found: Hall = self.app.state.hall
        return found

    def start(self, ready: bool = True) -> ServerThread:
        """Start, and wait until it is ready to play."""
        self._thread.start()
        wait_until(lambda: self.server.started and (not ready or self.app.state.hall is not None))
        return self

    def run(self, job: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run something on the server's own loop."""
        loop = self.server.servers[0].get_loop()
        return asyncio.run_coroutine_threadsafe(job(), loop).result(PATIENCE)

    def stop(self) -> None:
        """Stop in good order."""
        self.server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def __enter__(self) -> ServerThread:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until(done: Callable[[], Any], seconds: float = PATIENCE) -> None:
    """Wait for something to be so."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)


# ---- a server in a process of its own -------------------------------------------------------------------------------
class ServerProcess:
    """The server as people start it, to stop, to kill and to start again; its folder outlives it."""

    def __init__(self, folder: Path, port: int | None = None, *options: str) -> None:
        self.folder, self._options = folder, options
        self.port = free_port() if port is None else port
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "log.txt"
        self.process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        self.folder.mkdir(parents=True, exist_ok=True)
        where = ["--port", str(self.port), "--data-dir", str(self.folder)]
        command = [sys.executable, "-m", "whistlestop", "serve", *where, "--json-logs", "--unlimited", *self._options]
        with self.log.open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, env=dict(os.environ))

    def ready(self) -> ServerProcess:
        """Wait until it is ready to play."""
        wait_until(self._is_ready)
        return self

    def _is_ready(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        try:
            return bool(httpx.get(f"{self.url}/health").json()["status"] == "ready")
        except httpx.HTTPError:
            return False

    def stop(self, how: signal.Signals) -> int:
        """Send it a signal and wait for its end; its exit code."""
        self.process.send_signal(how)
        return self.process.wait(PATIENCE)

    def terminate(self) -> int:
        """Ask it to stop, and wait for it; its exit code."""
        return self.stop(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once, in the middle of whatever it does."""
        self.stop(signal.SIGKILL)

    def restart(self, how: signal.Signals) -> None:
        """Stop it by a signal and start it again at the same address."""
        self.stop(how)
        self.process = self._started()
        self.ready()

    def ask(self, method: str, path: str, key: str | None = None, **more: Any) -> Any:
        """A good answer of the API."""
        headers = {"authorization": f"Bearer {key}"} if key else {}
        answer = httpx.request(method, f"{self.url}{path}", headers=headers, timeout=30, **more)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text[:300]}"
        return answer.json()

    def __enter__(self) -> ServerProcess:
        return self.ready()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.kill()


# ---- clients --------------------------------------------------------------------------------------------------------
class Client:
    """A key at a table: everything its holder can do there over HTTP, and lines to it."""

    def __init__(self, url: str, table: str, key: str | None, seats: Sequence[int] = (), watch: str = "") -> None:
        self.url, self.table, self.key, self.seats, self.watch = url, table, key, list(seats), watch
        self.heard: list[str] = []
        """Every answer to it, as it came."""
        self._http = httpx.Client(base_url=url, timeout=PATIENCE, trust_env=False, verify=False)

    def close(self) -> None:
        """Hang up."""
        self._http.close()

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """A request to the table, with the key."""
        headers = {"authorization": f"Bearer {self.key}"} if self.key else {}
        answer = self._http.request(
            method, f"/api/tables/{self.table}{path}", headers=headers | more.pop("headers", {}), **more
        )
        self.heard.append(answer.text)
        return answer

    def good(self, model: type[BaseModel], method: str, path: str, **more: Any) -> Data:
        """An answer that must be as wished, checked against its model."""
        answer = self.ask(method, path, **more)
        assert answer.status_code < 300, answer.text
        found: Data = checked(answer.content, model)
        return found

    def refused(self, method: str, path: str, **more: Any) -> tuple[int, str]:
        """Status and code of an answer that must be a refusal."""
        return refusal(self.ask(method, path, **more))

    def data(self) -> Data:
        """The table."""
        return self.good(messages.TableData, "GET", "")

    def view(self, **query: Any) -> Data:
        """The game as the key sees it."""
        return self.good(messages.Frame, "GET", "/view", params=query)

    def act(self, n: int, action: int | str, seat: int | None = None) -> int:
        """Play an action; its number."""
        found = self.good(messages.Ok, "POST", "/actions", json={"n": n, "action": action, "seat": seat})["n"]
        assert isinstance(found, int)
        return found

    def join(self, name: str, **more: Any) -> Client:
        """Somebody new sits down at this table."""
        return client_from(
            self.url,
            checked(httpx_post(f"{self.url}/api/tables/{self.table}/join", {"name": name, **more}), messages.SeatKey),
        )

    def connect(self, **hello: Any) -> Connection:
        """A socket to the table that has said hello."""
        return Connection(self.url, self.table).hello(self.key, **hello)

    def spectator(self) -> Client:
        """Somebody who holds the spectators' key."""
        return Client(self.url, self.table, self.watch)


def refusal(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of a refusal, whose shape is checked."""
    found = checked(answer.content, messages.Refusal)
    assert found["message"]
    return answer.status_code, found["code"]


def httpx_post(url: str, body: Any, status: Sequence[int] = (200, 201)) -> bytes:
    """The body of an answer that must be good."""
    answer = httpx.post(url, json=body, timeout=PATIENCE, trust_env=False, verify=False)
    assert answer.status_code in status, answer.text
    return answer.content


def client_from(url: str, data: Data) -> Client:
    """A client from what the server says of it."""
    return Client(url, data["table"], data["key"], data["seats"], data["watch"])


def seats(*kinds: str) -> list[Data]:
    """Seats in short: "me", "device", "open", or the name of a bot."""
    return [{"kind": kind} if kind in ("me", "device", "open") else {"kind": "bot", "bot": kind} for kind in kinds]


def open_table(url: str, edition: str = "europe", *kinds: str, **more: Any) -> Client:
    """A table that is opened and, unless seats are open, started."""
    kinds = kinds or ("me", "casual")
    body = {"edition": edition, "seats": seats(*kinds), "pace": "instant", "start": "open" not in kinds, **more}
    return client_from(url, checked(httpx_post(f"{url}/api/tables", body), messages.SeatKey))


def people(url: str, edition: str, n: int, *bots: str, start: bool = True, **more: Any) -> list[Client]:
    """A table with so many people, each with a key of their own, and some bots."""
    host = open_table(url, edition, "me", *["open"] * (n - 1), *bots, start=False, **more)
    all_of_them = [host] + [host.join(f"Player {i + 1}") for i in range(1, n)]
    if start:
        host.good(messages.TableData, "POST", "/start", json={})
    return all_of_them


class Connection:
    """A socket at a table."""

    def __init__(
        self, url: str, table: str, origin: str | None = None, size: int | None = None, queue: int | None = None
    ) -> None:
        address = f"{url.replace('http', 'ws', 1)}/api/tables/{table}/live"
        named = None if origin is None else Origin(origin)
        self._connection = connect(
            address,
            origin=named,
            proxy=None,
            compression=None,
            max_size=size,
            max_queue=queue,
            close_timeout=5,
            ping_interval=None,
        )
        self.socket: ClientConnection = self._connection.__enter__()
        self.raw: list[str] = []
        """Every message as it came."""
        self.got: list[Data] = []
        """The same, as data."""
        self._ref = 0

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        self._connection.__exit__(None, None, None)

    def send(self, **message: Any) -> None:
        """Say something."""
        self.socket.send(json.dumps(message))

    def receive(self, seconds: float = PATIENCE) -> Data:
        """The next message."""
        raw = self.socket.recv(seconds)
        assert isinstance(raw, str), "the server speaks text"
        found: Data = checked(raw)
        self.raw.append(raw)
        self.got.append(found)
        return found

    def until(self, wanted: Callable[[Data], Any]) -> Data:
        """The first message from now on that is wanted."""
        while not wanted(message := self.receive()):
            pass
        return message

    def ask(self, t: str, **message: Any) -> Data:
        """Say something and get its answer; what comes before it is kept in `got`."""
        self._ref += 1
        ref = self._ref
        self.send(t=t, ref=ref, **message)
        return self.until(lambda m: m.get("ref") == ref)

    def hello(self, key: str | None, **more: Any) -> Connection:
        """Say hello and wait for the welcome."""
        self.send(t="hello", key=key, **more)
        self.until(lambda m: m["t"] == "welcome")
        return self

    def frame(self, n: int | None = None) -> Data:
        """The next frame, or the one after action `n`."""
        return self.until(lambda m: m["t"] == "frame" and (n is None or m["n"] >= n))

    @property
    def last_frame(self) -> Data:
        """The newest frame that came so far; other messages may have come after it."""
        return next(message for message in reversed(self.got) if message["t"] == "frame")

    def quiet(self, seconds: float = 0.3) -> list[Data]:
        """What comes within a short time."""
        found = []
        while True:
            try:
                found.append(self.receive(seconds))
            except TimeoutError:
                return found

    def closed(self) -> int:
        """Wait until the server hangs up; its code."""
        try:
            while True:
                self.receive()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006


# ---- playing --------------------------------------------------------------------------------------------------------
def ids(options: Data) -> Iterator[tuple[str, int]]:
    """Every action that options offer, with its kind: the one place where the tests read them as a client does."""
    for kind in ("draw_blind", "give_up", "pass"):
        if options[kind] is not None:
            yield kind, options[kind]
    yield from (("draw_face_up", action) for action in options["draw_face_up"].values())
    for kind in ("draw_tickets", "announce", "keep", "pay_extra", "passengers"):
        yield from ((kind, one["id"]) for one in options[kind])
    yield from (("claims", payment["id"]) for payments in options["claims"].values() for payment in payments)
    if options["stations"]:
        sites = options["stations"]
        yield from (
            ("stations", city + payment["id"]) for city in sites["cities"].values() for payment in sites["payments"]
        )


def chosen(frame: Data, rng: Random, *liked: str) -> int:
    """An action out of a frame's options: of a kind that is liked, else any; claims before draws before the rest."""
    found: dict[str, list[int]] = {}
    for kind, action in ids(frame["options"]):
        found.setdefault(kind, []).append(action)
    for kind in (*liked, "claims"):
        if kind in found:
            return rng.choice(found[kind])
    few = [kind for kind in found if kind not in ("stations", "draw_tickets")] or list(found)
    return rng.choice(found[rng.choice(few)])


def play_until(
    clients: Sequence[Client], wanted: Callable[[Data], Any], rng: Random, *liked: str, most: int = 3000
) -> Data:
    """Let clients play over HTTP, each its first seat, until a frame of whoever acts is wanted; that frame."""
    known = [0] * len(clients)
    for _ in range(most):
        for i, client in enumerate(clients):
            frame = client.view(known=known[i])
            known[i] = frame["n"]
            if wanted(frame):
                return frame
            if frame["options"]:
                client.act(frame["n"], chosen(frame, rng, *liked), frame["seat"])
        time.sleep(0)
    raise AssertionError("it never came")


@contextmanager
def connections(*clients: Client, **hello: Any) -> Iterator[list[Connection]]:
    """A socket for each client."""
    opened: list[Connection] = []
    try:
        opened.extend(client.connect(**hello) for client in clients)
        yield opened
    finally:
        for line in opened:
            line.close()
