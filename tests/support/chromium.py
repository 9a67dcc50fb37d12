"""A Chromium for the browser tests: the machine's, else Playwright's own, else the system's package."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DOWNLOAD_SECONDS = 180
"""Time for Playwright to download its own build, about 110 MB."""
CONNECT_MILLISECONDS = "5000"
"""Time for each connection of that download: a network that is closed must not hold the tests up."""
PACKAGE_SECONDS = 600
HINT = "hint: install Chromium by hand, or run the tests without the browser: pytest -m 'not slow'"

Say = Callable[[str], object]


class NoChromium(Exception):  # noqa: N818  (named for what the reader learns)
    """No Chromium was found and none could be installed."""


def find_chromium() -> str | None:
    """Path of a Chromium that starts, from the PATH or among Playwright's own."""
    on_path = (shutil.which(name) for name in NAMES)
    candidates = [*filter(None, on_path), *map(str, own_builds())]
    return next((path for path in candidates if starts(path)), None)


def own_builds() -> list[Path]:
    """Playwright's own builds on this machine, newest first."""
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache" / "ms-playwright"))
    names = ("chromium-*/chrome-linux*/chrome", "chromium_headless_shell-*/*/*headless*shell")
    return sorted((path for name in names for path in folder.glob(name)), reverse=True)


def starts(path: str) -> bool:
    """Whether a browser starts: one without its libraries, or a stub that asks for a snap, does not."""
    return run([path, "--version"], seconds=60)[0]


def run(command: Sequence[str], seconds: float, **environment: str) -> tuple[bool, str]:
    """Whether a command succeeded in time, and the last error that it told of."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=seconds, check=False, env=os.environ | environment
        )
    except subprocess.TimeoutExpired:
        return False, f"no answer within {seconds:g} seconds"
    except OSError as error:
        return False, str(error)
    lines = f"{done.stdout}\n{done.stderr}".strip().splitlines()
    errors = [line.strip() for line in lines if re.match(r"E:|.*[Ee]rror\b", line)]
    return done.returncode == 0, (errors or lines or [f"exit code {done.returncode}"])[-1]


def download() -> tuple[bool, str]:
    """Playwright's own build, where the network allows it."""
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    return run(command, DOWNLOAD_SECONDS, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT=CONNECT_MILLISECONDS)


def install_package() -> tuple[bool, str]:
    """The system's package, as root or where sudo asks for no password."""
    if shutil.which("apt-get") is None:
        return False, "no apt-get on this machine"
    rights = [] if os.geteuid() == 0 else ["sudo", "-n"]
    updated, said = run([*rights, "apt-get", "update", "-qq"], PACKAGE_SECONDS)
    if not updated:
        return False, said
    command = [*rights, "apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"]
    return run(command, PACKAGE_SECONDS, DEBIAN_FRONTEND="noninteractive")


def ensure_chromium(say: Say) -> str:
    """Path of a Chromium, installed first where there is none; `say` is told what happens."""
    if found := find_chromium():
        return found
    failures: list[str] = []
    for name, install in (("Playwright's own build", download), ("the system's package", install_package)):
        say(f"no Chromium found for the browser tests: installing {name} …\n")
        _, said = install()
        if found := find_chromium():
            say(f"installed {found}\n")
            return found
        failures.append(f"{name}: {said}")
        say(f"that did not work: {said}\n")
    raise NoChromium("the browser tests need Chromium, and it could not be installed: " + "; ".join(failures))
