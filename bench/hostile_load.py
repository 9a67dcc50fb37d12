"""Honest tables while somebody does the worst: how long an action takes to reach everybody, attack by attack.

`uv run python bench/hostile_load.py` starts a server with its usual limits and lets 100 tables of two people play, each
from an address of its own. Beside them another process attacks from one address or, where the limits leave one address
too little, from five; it is nice to the others, for a real one would have a machine of its own. Latency is as in
`server_load.py`. Every attack has addresses of its own, so none pays for the one before. Addresses are those of the
loopback network: Linux has all of 127.0.0.0/8, other systems may not. `waited` is how long the server could have run
and had no core, as Linux tells it: where that is much, it is the machine that is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import date
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from server_load import Board, Load, client_from, connect_from, cpu_seconds, distribute, free_port, open_board, process
from whistlestop.cli.standings_text import processor

GOAL = 0.2
"""Seconds within which 99 of 100 honest actions should have reached everybody, whatever the others do."""
SOCKETS = 50
"""That an attacker opens; the usual limit is 60."""
SILENT = 1000
SLEEPER = """
import time

class Sleeper:
    def act(self, view, limit):
        time.sleep(1000)
"""
FAILURES = (OSError, ConnectionClosed, InvalidHandshake, httpx.HTTPError, KeyError, TimeoutError)
"""What an attacker gets when it is refused; it goes on."""


class Attacker:
    """Somebody at one address, with a table to make noise at."""

    def __init__(self, port: int, address: str) -> None:
        self.port, self.address = port, address
        self.http = client_from(address, port)

    async def opened(self, *seats: dict[str, str], **more: Any) -> dict[str, Any]:
        """A table that begins at once."""
        body = {"edition": "usa", "seats": [{"kind": "me"}, *seats], "pace": "instant", "start": True, **more}
        place: dict[str, Any] = (await self.http.post("/api/tables", json=body)).json()
        return place

    async def ask(self, place: dict[str, Any], method: str, path: str, **more: Any) -> Any:
        """A request with the key of a place."""
        headers = {"authorization": f"Bearer {place['key']}"}
        return (await self.http.request(method, f"/api/tables/{place['table']}{path}", headers=headers, **more)).json()

    async def socket(self, place: dict[str, Any], **more: Any) -> ClientConnection:
        """A socket at a table that has said hello."""
        line = await connect_from(self.address, f"ws://127.0.0.1:{self.port}/api/tables/{place['table']}/live", **more)
        await line.send(json.dumps({"t": "hello", "key": place["key"]}))
        return line

    async def shout(self, **message: Any) -> None:
        """One message without end over many sockets, which are opened again when they are closed."""
        place = await self.opened({"kind": "device"})
        text = json.dumps(message | {"key": place["key"]} if message["t"] == "hello" else message)

        async def one() -> None:
            line = await self.socket(place)
            reading = asyncio.create_task(read_all(line))
            try:
                while True:
                    await line.send(text)
                    await asyncio.sleep(0.01)  # fifty sockets: five thousand a second, if they were let
            finally:
                reading.cancel()

        await asyncio.gather(*(for_ever(one) for _ in range(SOCKETS)))


async def read_all(line: ClientConnection) -> None:
    """Read and forget."""
    with contextlib.suppress(ConnectionClosed):
        async for _ in line:
            pass


async def for_ever(job: Callable[[], Awaitable[None]], pause: float = 0.1) -> None:
    """Do something again whenever it ends or is refused."""
    while True:
        with contextlib.suppress(*FAILURES):
            await job()
        await asyncio.sleep(pause)


# ---- attacks --------------------------------------------------------------------------------------------------------
async def silent(attacker: Attacker) -> None:
    """A thousand connections that say nothing."""

    async def one() -> None:
        own = (attacker.address, 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", attacker.port, local_addr=own)
        await reader.read()
        writer.close()

    await asyncio.gather(*(for_ever(one) for _ in range(SILENT)))


async def hellos(attacker: Attacker) -> None:
    """Hello, again and again."""
    await attacker.shout(t="hello")


async def reactions(attacker: Attacker) -> None:
    """Reactions without end."""
    await attacker.shout(t="react", reaction="cheer")


async def chat(attacker: Attacker) -> None:
    """Chat without end."""
    await attacker.shout(t="say", text="x" * 200)


async def deaf(attacker: Attacker) -> None:
    """Sockets that never read, at a table with a lot of news."""
    place = await attacker.opened({"kind": "device"})

    async def one() -> None:
        line = await attacker.socket(place, max_queue=1)
        while True:
            await line.send(json.dumps({"t": "hello", "key": place["key"]}))
            await asyncio.sleep(1.0)

    await asyncio.gather(*(for_ever(one) for _ in range(SOCKETS)))


async def packs(attacker: Attacker) -> None:
    """Tables with packs of their own, each of which is an edition, looked at in turn."""
    places = []
    for points in range(1, 31):
        pack = {"name": "Mine", "tickets": [{"from": "Chicago", "to": "Miami", "points": points}]}
        with contextlib.suppress(*FAILURES):
            places.append(await attacker.opened({"kind": "device"}, packs=[pack]))

    async def look() -> None:
        for place in places:
            await attacker.ask(place, "GET", "/view")

    await for_ever(look, 0.0)


async def long_turns(attacker: Attacker) -> None:
    """As many tables as may be opened, with turns of a week."""

    async def one() -> None:
        await attacker.opened({"kind": "device"}, turn_seconds=7 * 24 * 3600)

    await for_ever(one, 0.0)


async def rematches(attacker: Attacker) -> None:
    """A game of bots, a rematch, and so on."""

    async def chain() -> None:
        place = await attacker.opened({"kind": "bot", "bot": "random"})
        while True:
            await attacker.ask(place, "POST", "/seats/0/leave")
            while (await attacker.ask(place, "GET", ""))["status"] != "over":
                await asyncio.sleep(0.1)
            place = await attacker.ask(place, "POST", "/rematch")

    await asyncio.gather(*(for_ever(chain) for _ in range(4)))


async def sleepers(attacker: Attacker) -> None:
    """Tables of bots that never answer."""
    bot = {"kind": "bot", "bot": "Sleeper"}

    async def one() -> None:
        place = await attacker.opened(bot, bot, bot)
        await attacker.ask(place, "POST", "/seats/0/leave")

    await for_ever(one)


ATTACKS: dict[str, tuple[int, Callable[[Attacker], Awaitable[None]]]] = {
    "1,000 silent connections": (1, silent),
    "hello without end": (1, hellos),
    "reactions without end": (1, reactions),
    "chat without end": (1, chat),
    "sockets that never read": (1, deaf),
    "tables with packs of their own": (5, packs),
    "turns of a week": (5, long_turns),
    "chains of rematches": (5, rematches),
    "bots that never answer": (5, sleepers),
}
"""From how many addresses, and what is done."""


async def attack(number: int, port: int) -> None:
    """One attack, until this process is ended."""
    addresses, job = list(ATTACKS.values())[number]
    attackers = [Attacker(port, f"127.0.{number + 10}.{i + 1}") for i in range(addresses)]
    await asyncio.gather(*(for_ever(lambda attacker=attacker: job(attacker)) for attacker in attackers))  # type: ignore[misc]


# ---- honest people --------------------------------------------------------------------------------------------------
async def honest_boards(port: int, tables: int) -> list[Board]:
    """Tables of two people, each from an address of its own."""
    found = []
    for i in range(tables):
        address = f"127.0.2.{i + 1}"
        async with client_from(address, port) as client:
            found.append(await open_board(client, 2, "europe"))
        found[-1].address = address
    return found


def waited_seconds(pid: int) -> float:
    """How long a process's first thread could have run and had no core, where the system tells it."""
    told = Path(f"/proc/{pid}/schedstat")
    return int(told.read_text().split()[1]) / 1e9 if told.exists() else 0.0


async def measure(port: int, pid: int, options: argparse.Namespace) -> list[tuple[str, dict[str, float]]]:
    """The honest tables in quiet, and beside each attack."""
    boards = await honest_boards(port, options.tables)
    distribute(boards, [port])
    load = Load(boards, real=True)
    await load.connect_all()
    while len(load.ready) < options.tables:
        await asyncio.sleep(0.05)
    await load.offer(options.rate, 2.0)  # warm
    rows = []
    for number, name in enumerate(["nobody", *ATTACKS, "nobody, afterwards"], -1):
        attacks = 0 <= number < len(ATTACKS)
        own = [sys.executable, __file__, "--attack", str(number), "--port", str(port)]
        attacker = subprocess.Popen(own) if attacks else None
        await asyncio.sleep(3.0)  # the attack begins, or what it left behind ends
        before, began = (cpu_seconds([pid]), waited_seconds(pid)), time.perf_counter()
        row = await load.offer(options.rate, options.seconds)
        wall = time.perf_counter() - began
        row["server_cpu"] = (cpu_seconds([pid]) - before[0]) / wall
        row["waited"] = (waited_seconds(pid) - before[1]) / wall
        rows.append((name, row))
        if attacker is not None:
            attacker.kill()
            attacker.wait()
    return rows


COLUMNS = ("attack", "done /s", "median ms", "p99 ms", "worst ms", "server CPU", "waited")


def show(rows: list[tuple[str, dict[str, float]]]) -> None:
    """The table, and whether the goal was met."""
    print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS))
    for name, row in rows:
        times = " | ".join(f"{row[one] * 1e3:.1f}" for one in ("median", "p99", "worst"))
        print(f"| {name} | {row['done']:.0f} | {times} | {row['server_cpu']:.0%} | {row['waited']:.0%} |")
    late = [name for name, row in rows if row["p99"] >= GOAL]
    print(f"\np99 under {GOAL * 1e3:.0f} ms: {'in every row' if not late else 'not with ' + ', '.join(late)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--rate", type=float, default=50.0, help="honest actions a second")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each attack")
    parser.add_argument("--attack", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.attack is not None:
        os.nice(19)
        asyncio.run(attack(options.attack, options.port))
        return
    with tempfile.TemporaryDirectory() as folder:
        port, bot = free_port(), Path(folder) / "sleeper.py"
        bot.write_text(SLEEPER)
        args = ["-m", "whistlestop", "serve", "--port", str(port), "--data-dir", folder, "--json-logs"]
        log = Path(folder) / "server.log"
        with process([*args, "--bot", f"{bot}:Sleeper"], port, log) as server:
            rows = asyncio.run(measure(port, server.pid, options))
            print(
                f"{date.today()}, {os.cpu_count()} cores of {processor()}, Python {platform.python_version()}, "
                f"{options.tables} honest tables, load average {os.getloadavg()[0]:.1f}\n"
            )
            show(rows)


if __name__ == "__main__":
    main()
