"""`whistlestop serve` in a process of its own, and what the fixtures of the browser tests are called."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Page

NewPage = Callable[..., Page]
Shot = Callable[[Page, str], None]


class Server:
    """`whistlestop serve` as people run it, with a folder that outlives it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self, port: int = 0) -> None:
        """Start, and wait until it is ready."""
        command = [
            sys.executable,
            "-m",
            "whistlestop",
            "serve",
            "--port",
            str(port),
            "--data-dir",
            str(self.folder),
            "--unlimited",
        ]
        with (self.folder / "server.log").open("a") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        found = re.search(r"http://\S+", first)
        assert found, f"no address in {first!r}: {(self.folder / 'server.log').read_text()[-2000:]}"
        self.url = found[0].rstrip("/")
        self.wait()

    def wait(self) -> None:
        """Wait until the engine is compiled and tables can be opened."""
        until = time.monotonic() + 240
        while time.monotonic() < until:
            try:
                if httpx.get(f"{self.url}/health").json()["status"] == "ready":
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        raise AssertionError("the server did not get ready")

    def stop(self, how: int = signal.SIGTERM) -> int:
        """Stop it; the exit code."""
        assert self.process is not None
        self.process.send_signal(how)
        code = self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def restart(self, how: int = signal.SIGTERM) -> None:
        """Stop and start again at the same address."""
        port = int(self.url.rpartition(":")[2])
        self.stop(how)
        self.start(port)

    def ask(self, method: str, path: str, key: str | None = None, **more: Any) -> Any:
        """An answer of the API."""
        headers = {"authorization": f"Bearer {key}"} if key else {}
        answer = httpx.request(method, f"{self.url}{path}", headers=headers, timeout=30, **more)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text[:300]}"
        return answer.json()
