"""How soon a local table is seen: `uv run python bench/first_view.py`, with Chromium on the machine.

Opens a table on a fresh server, then loads its page several times in a new browser context each, from the address to the drawn board.
"""

from __future__ import annotations

import datetime
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import httpx
from playwright.sync_api import sync_playwright

LOADS = 7
BOARD = '[data-screen="play"] [data-track]'


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "whistlestop", "serve", "--port", "0", "--data-dir", folder, "--unlimited"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            try:
                print(table_of(measured(address_of(server))))
            finally:
                server.terminate()


def address_of(server: subprocess.Popen[str]) -> str:
    """Where the server is, once it is ready."""
    assert server.stdout is not None
    found = re.search(r"http://\S+", server.stdout.readline())
    assert found is not None
    url = found[0].rstrip("/")
    while True:
        try:
            if httpx.get(f"{url}/health").json()["status"] == "ready":
                return url
        except httpx.TransportError:
            pass
        time.sleep(0.1)


def measured(url: str) -> dict[str, list[float]]:
    """Seconds from the address to the board, by edition."""
    found: dict[str, list[float]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        for edition in ("usa", "europe", "germany"):
            wish = {"edition": edition, "seats": [{"kind": "me"}, {"kind": "bot"}], "start": True}
            opened = httpx.post(f"{url}/api/tables", json=wish).json()
            for _ in range(LOADS):
                context = browser.new_context(viewport={"width": 1440, "height": 900})
                page = context.new_page()
                began = time.perf_counter()
                page.goto(f"{url}/t/{opened['table']}#{opened['key']}", wait_until="commit")
                page.locator(BOARD).first.wait_for()
                found.setdefault(edition, []).append(time.perf_counter() - began)
                context.close()
        browser.close()
    return found


def table_of(found: dict[str, list[float]]) -> str:
    head = (
        f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}, {platform.machine()}, Python {platform.python_version()}; "
        f"{LOADS} loads each, nothing cached"
    )
    rows = [f"| {edition} | {statistics.median(times):.2f} | {max(times):.2f} |" for edition, times in found.items()]
    return "\n".join([head, "", "| edition | median s | worst s |", "|---|---|---|", *rows])


if __name__ == "__main__":
    main()
