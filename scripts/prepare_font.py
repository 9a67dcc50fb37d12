"""Make the font files of `whistlestop.draw`: one subset of Cabin Condensed SemiBold, and the widths of its characters.

Needs fontTools and brotli, and the npm package @fontsource/cabin-condensed (SIL Open Font License 1.1):

    npm install --prefix /tmp/land @fontsource/cabin-condensed
    uv run --with fonttools --with brotli python scripts/prepare_font.py /tmp/land/node_modules
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from fontTools import merge, subset
from fontTools.ttLib import TTFont

TARGET = Path(__file__).parents[1] / "src/whistlestop/draw/font"
CHARACTERS = {*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2016), *map(ord, "‘’“”„†•…‰‹›€−×")}
FAMILY = "Cabin Condensed"


def merged(folder: Path) -> TTFont:
    """Join the Latin and the Latin-Extended file, which the package ships apart."""
    with tempfile.TemporaryDirectory() as scratch:
        parts = []
        for part in ("latin", "latin-ext"):
            font = TTFont(folder / f"cabin-condensed-{part}-600-normal.woff")
            font.flavor = None
            parts.append(str(Path(scratch) / f"{part}.ttf"))
            font.save(parts[-1])
        return merge.Merger().merge(parts)


def rename(font: TTFont) -> None:
    """Give the file the plain family name, weight 600, so that SVG finds it the same way everywhere."""
    for record in list(font["name"].names):
        if record.nameID in (1, 16):
            font["name"].setName(FAMILY, record.nameID, record.platformID, record.platEncID, record.langID)
        elif record.nameID in (2, 17):
            font["name"].setName("SemiBold", record.nameID, record.platformID, record.platEncID, record.langID)


def metrics(font: TTFont) -> dict[str, object]:
    """Advance width of each character and the heights that label boxes need, in thousandths of the font size."""
    scale = 1000 / font["head"].unitsPerEm
    table, widths = font.getBestCmap(), font["hmtx"]
    return {
        "family": FAMILY,
        "ascent": round(font["hhea"].ascent * scale),
        "descent": round(-font["hhea"].descent * scale),
        "cap": round(font["OS/2"].sCapHeight * scale),
        "widths": {chr(code): round(widths[table[code]][0] * scale) for code in sorted(table)},
    }


def main(modules: Path) -> None:
    """Write the TTF (for resvg), the WOFF2 (embedded in SVG), the metrics and the licence."""
    package = modules / "@fontsource/cabin-condensed"
    font = merged(package / "files")
    options = subset.Options(
        layout_features=["kern", "liga", "mark", "ccmp"], hinting=False, name_IDs=["*"], notdef_outline=True
    )
    worker = subset.Subsetter(options)
    worker.populate(unicodes=CHARACTERS)
    worker.subset(font)
    rename(font)
    TARGET.mkdir(parents=True, exist_ok=True)
    font.save(TARGET / "cabin-condensed.ttf")
    (TARGET / "metrics.json").write_text(
        json.dumps(metrics(font), ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8"
    )
    font.flavor = "woff2"
    font.save(TARGET / "cabin-condensed.woff2")
    shutil.copyfile(package / "LICENSE", TARGET / "OFL.txt")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
