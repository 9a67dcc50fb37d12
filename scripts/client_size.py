"""Measure the built client as browsers load it, and fail if it is too large: `uv run python scripts/client_size.py`."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

PAGE = Path(__file__).parents[1] / "src" / "whistlestop" / "server" / "page"
MOST = 250_000
"""Bytes of scripts and styles, gzipped, all pages together."""


def measured() -> dict[str, int]:
    """Scripts and styles by name, with their gzipped bytes."""
    files = [path for path in sorted((PAGE / "assets").iterdir()) if path.suffix in (".js", ".css")]
    return {path.name: len(gzip.compress(path.read_bytes(), 6)) for path in files}


def main() -> int:
    """Print the sizes; 1 if they are too large."""
    if not (PAGE / "assets").is_dir():
        print("error: the client is not built\nhint: run `uv sync`", file=sys.stderr)
        return 1
    sizes = measured()
    for name, size in sizes.items():
        print(f"{size:>8,}  {name}")
    print(f"{sum(sizes.values()):>8,}  bytes gzipped in all, of at most {MOST:,}")
    return int(sum(sizes.values()) > MOST)


if __name__ == "__main__":
    sys.exit(main())
