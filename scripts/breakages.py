"""What the scripts that break the sources on purpose share: a breakage, its text, and whether it still applies."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Breakage:
    """A change of one place in one file, and the tests that should notice it."""

    name: str
    file: str
    old: str
    new: str
    tests: str
    """A test file, and after a blank the expression for pytest's -k."""


def broken_text(breakage: Breakage, sources: Path) -> str:
    """A file of a folder with one change; the text to change must stand there exactly once."""
    path = sources / breakage.file
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if text.count(breakage.old) != 1:
        count = f"{text.count(breakage.old)} times in {breakage.file}, not once"
        raise SystemExit(f"error: {breakage.name}: the text to change stands {count}")
    return text.replace(breakage.old, breakage.new)


def check(breakages: Sequence[Breakage], sources: Path, tests: Path) -> None:
    """Make sure that every breakage applies, leaves a file that Python can read, and names tests that are there."""
    for breakage in breakages:
        compile(broken_text(breakage, sources), breakage.file, "exec")
        file, _, expression = breakage.tests.partition(" ")
        text = (tests / file).read_text(encoding="utf-8")
        words = [word for word in re.findall(r"\w+", expression) if "_" in word]
        if missing := [word for word in words if word not in text]:
            raise SystemExit(f"error: {breakage.name}: {file} has no test {', '.join(missing)}")
    sys.stdout.write(f"{len(breakages)} breakages of {sources.name} apply\n")


def choose(breakages: Sequence[Breakage], what: str) -> tuple[list[Breakage], argparse.Namespace]:
    """The breakages that the command line asks for, and its options."""
    parser = argparse.ArgumentParser(description=f"Break the {what} in many ways and see which tests notice.")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=[], help="words in the names of the breakages to examine")
    parser.add_argument("--check", action="store_true", help="only see whether every breakage still applies")
    options = parser.parse_args()
    return [b for b in breakages if not options.only or any(word in b.name for word in options.only)], options
