"""The complete board of the format's page: small, so that much can be done with it in little time."""

from __future__ import annotations

import re

from whistlestop.mapfile import MAPS

found = re.search(r"```toml\n(id     = \"islands\".*?)```", (MAPS / "README.md").read_text("utf-8"), re.DOTALL)
assert found
ISLANDS = found[1]
"""Its map file."""
