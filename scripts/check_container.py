"""Check the steps of the Containerfile where no container can be built: each is done in a folder instead.

    uv run python scripts/check_container.py [--keep]

COPY copies into the folder of its stage, RUN runs there with a Python of its own in front of the PATH and every path of
the image moved under the folder; WORKDIR and ENV hold for what follows. FROM makes a fresh Python; USER and `useradd`
are left out. At the end the image's command is started on a free port, and its own HEALTHCHECK must succeed. What this
does not show is the base image; `podman build .` does.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOVED = ("/source", "/wheels", "/var/lib/whistlestop", "/var/cache/whistlestop")
"""Folders of the image that the steps name."""
PORT = "8765"
SECONDS = 180.0
"""In which the server must be healthy."""


@dataclass
class Stage:
    """What FROM begins: a folder with a Python of its own."""

    folder: Path
    work: Path
    env: dict[str, str] = field(default_factory=dict)

    def moved(self, text: str) -> str:
        """A step with the image's folders moved into ours."""
        return re.sub("|".join(MOVED), lambda found: f"{self.folder}{found[0]}", text)

    def environment(self) -> dict[str, str]:
        """The machine's own, with this Python in front."""
        path = os.pathsep.join((str(self.folder / "python" / "bin"), os.environ["PATH"]))
        return {**os.environ, "PATH": path, **self.env}


def steps(text: str) -> Iterator[tuple[str, str]]:
    """Instructions and what they are given; comments are left out, lines that go on are joined."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for line in lines.replace("\\\n", " ").splitlines():
        if line.strip():
            word, _, rest = line.strip().partition(" ")
            yield word, rest.strip()


def begin(folder: Path) -> Stage:
    """A fresh stage."""
    venv.create(folder / "python", with_pip=True)
    for path in MOVED:
        (folder / path[1:]).parent.mkdir(parents=True, exist_ok=True)
    (folder / "var/lib/whistlestop").mkdir(parents=True)
    return Stage(folder, folder)


def copy(stages: dict[str, Stage], stage: Stage, given: str) -> None:
    """COPY, from the sources or from another stage."""
    options = [word for word in given.split() if word.startswith("--from=")]
    *sources, target = [word for word in given.split() if not word.startswith("--")]
    other = stages[options[0].removeprefix("--from=")] if options else None
    goal = Path(stage.moved(target)) if target.startswith("/") else stage.work / target
    for source in sources:
        path = Path(other.moved(source)) if other else ROOT / source
        if path.is_dir():
            ignore = shutil.ignore_patterns("node_modules", "__pycache__", "page", ".venv")
            shutil.copytree(path, goal, ignore=ignore, dirs_exist_ok=True)
        else:
            shutil.copy(path, goal)


def run(stage: Stage, given: str) -> None:
    """RUN, without what only a system's own user could do."""
    command = stage.moved(given)
    command = re.sub(r"useradd [^&]*&&", "", command)
    command = re.sub(r"&& chown [^&]*", "", command)
    subprocess.run(["sh", "-ec", command], cwd=stage.work, env=stage.environment(), check=True)


def build(folder: Path) -> tuple[Stage, list[str], list[str]]:
    """Do every step; the last stage, its command, and its health check."""
    stages: dict[str, Stage] = {}
    stage: Stage | None = None
    words: dict[str, list[str]] = {}
    for word, given in steps((ROOT / "Containerfile").read_text()):
        print(f"{word} {given}", file=sys.stderr)
        if word == "FROM":
            name = given.rpartition(" AS ")[2]
            stage = stages[name] = begin(folder / str(len(stages)))
            continue
        assert stage is not None, "a Containerfile begins with FROM"
        if word == "WORKDIR":
            stage.work = Path(stage.moved(given))
            stage.work.mkdir(parents=True)
        elif word == "ENV":
            stage.env |= dict(pair.split("=", 1) for pair in shlex.split(stage.moved(given)))
        elif word == "COPY":
            copy(stages, stage, given)
        elif word == "RUN":
            run(stage, given)
        elif word in ("ENTRYPOINT", "CMD"):
            words[word] = json.loads(stage.moved(given))
        elif word == "HEALTHCHECK":
            words[word] = json.loads(given.partition("CMD ")[2])
        elif word not in ("USER", "VOLUME", "EXPOSE"):
            raise SystemExit(f"no way to check {word}")
    assert stage is not None
    return stage, words["ENTRYPOINT"] + words["CMD"], words["HEALTHCHECK"]


def check_start(stage: Stage, command: list[str], health: list[str]) -> None:
    """Start the image's command; its own health check must succeed within a time."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    own = stage.environment()
    bins = stage.folder / "python" / "bin"
    command = [str(bins / command[0]), *command[1:], "--port", port]
    health = [str(bins / health[0]), *(word.replace(PORT, port) for word in health[1:])]
    with subprocess.Popen(command, env=own, cwd=stage.folder) as server:
        try:
            end = time.monotonic() + SECONDS
            while subprocess.run(health, env=own, stderr=subprocess.DEVNULL).returncode:
                if server.poll() is not None or time.monotonic() > end:
                    raise SystemExit("the server is not healthy")
                time.sleep(1)
        finally:
            server.terminate()
    if server.returncode or not (stage.folder / "var/lib/whistlestop/whistlestop.db").exists():
        raise SystemExit(f"the server ended with {server.returncode}, or kept no games in its volume")


def main() -> None:
    """Do the steps, start the server, and clean up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", action="store_true", help="leave the folder there")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="container"))
    try:
        check_start(*build(folder))
    finally:
        if not options.keep:
            shutil.rmtree(folder)
    print("every step of the Containerfile works, and the server is healthy")


if __name__ == "__main__":
    main()
