"""`whistlestop import-map`: maps of the public map editor as map files."""

from __future__ import annotations

import sys
from pathlib import Path

from whistlestop.cli.inputs import check_file
from whistlestop.cli.terminal import fail, say


def write_imported(file: str, out: str | None, force: bool) -> None:
    """Write the map file, say what is not as it was, and check that it can be played; exit code 1 if not."""
    check_file(file, "JSON file of the map editor")
    target = _target(file, out, force)
    from whistlestop.mapfile import MapError, parse_board
    from whistlestop.mapfile.editor_import import MAX_EDITOR_BYTES, import_editor_map
    from whistlestop.mapfile.tomltable import read_text

    try:
        found = import_editor_map(read_text(file, MAX_EDITOR_BYTES), Path(file).name)
    except MapError as error:
        fail(error.message, error.hint, code=1)
    if target is None:
        print(found.toml, end="")
    else:
        target.write_text(found.toml, encoding="utf-8")
        say(f"Wrote {target}")
    for note in found.notes:
        say(f"note: {note}")
    try:
        parse_board(found.toml, str(target or "the map"))
    except MapError as error:
        fail(f"it can't be played yet: {error.message}", error.hint or "mend it in the editor or in the file", code=1)


def _target(file: str, out: str | None, force: bool) -> Path | None:
    """Where the map file goes; None is stdout."""
    if out is None and not sys.stdout.isatty():
        return None
    target = Path(out) if out else Path(f"{Path(file).stem}.toml")
    if target.suffix.lower() != ".toml":
        fail(f"a map file is TOML, which `{target}` does not say", "end the name in .toml")
    if not target.parent.is_dir():
        fail(f"there is no folder `{target.parent}`", "make it first, or choose another place")
    if target.exists() and not force:
        fail(f"there is a file `{target}` already", "choose another name, or write over it with --force")
    return target
