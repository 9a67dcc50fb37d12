"""How soon a local table is seen: `uv run --group test python bench/first_view.py`.

Opens a table on a fresh server, then loads its page several times, each in a new browser context: first with nothing
cached, then once more with the page cached. The time is from the address to the board. Chromium is headless, without a
graphics card.
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
from playwright.sync_api import Page, sync_playwright

from whistlestop.cli.standings_text import processor

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


def measured(url: str) -> dict[str, list[tuple[float, float]]]:
    """Seconds from the address to the board, by edition: with nothing cached, and again."""
    found: dict[str, list[tuple[float, float]]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for edition in ("usa", "europe", "germany"):
            wish = {"edition": edition, "seats": [{"kind": "me"}, {"kind": "bot"}], "start": True}
            opened = httpx.post(f"{url}/api/tables", json=wish).json()
            for _ in range(LOADS):
                context = browser.new_context(viewport={"width": 1440, "height": 900})
                page = context.new_page()
                address = f"{url}/t/{opened['table']}#{opened['key']}"
                found.setdefault(edition, []).append((seconds(page, address), seconds(page, address)))
                context.close()
        browser.close()
    return found


def seconds(page: Page, address: str) -> float:
    """How long it takes from an address to the board."""
    page.goto("about:blank")
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.locator(BOARD).first.wait_for()
    return time.perf_counter() - began


def table_of(found: dict[str, list[tuple[float, float]]]) -> str:
    today = f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}"
    head = f"{today}, {processor()}, Python {platform.python_version()}; {LOADS} loads each"
    rows = []
    for edition, times in found.items():
        first, again = zip(*times, strict=True)
        numbers = (statistics.median(first), max(first), statistics.median(again), max(again))
        rows.append(f"| {edition} | {' | '.join(f'{number:.2f}' for number in numbers)} |")
    return "\n".join(
        [head, "", "| edition | first: median s | worst | again: median s | worst |", "|---|---|---|---|---|", *rows]
    )


if __name__ == "__main__":
    main()
