"""Colours and layout of the arena's report: those of the browser client, light and dark as the system says."""

from __future__ import annotations

from importlib import resources

from whistlestop.draw.themes import CARD_FILLS, DEEP_FILLS, PLAYER_COLOURS, THEMES, WHITE, mix
from whistlestop.draw.typeface import font_face
from whistlestop.results import SOURCES

_BOT_FILLS = (
    *(fill for _, fill in PLAYER_COLOURS[:4]),
    DEEP_FILLS["purple"],
    CARD_FILLS["orange"],
    THEMES["light"].wave,
    THEMES["light"].beacon,
)
BOT_COLOURS = tuple(f"--bot{n}" for n in range(len(_BOT_FILLS)))
"""CSS variables for bots, the strongest first."""
REST_COLOUR = "--rest"
"""For bots after those."""
_SOURCE_FILLS = ("blue", "green", "orange", "yellow", "purple", "red")
SOURCE_COLOURS = {name: f"--source-{name}" for name in SOURCES}
"""CSS variables for sources of points."""


def _both(light: str, dark: str) -> str:
    return f"light-dark({light}, {dark})"


def _variables() -> str:
    light, dark = THEMES["light"], THEMES["dark"]
    found = {
        "sign": "'Cabin Condensed','Roboto Condensed','Arial Narrow',sans-serif",
        "text": "Inter,'Segoe UI',system-ui,-apple-system,'Noto Sans',sans-serif",
        "ground": _both(mix(light.paper, light.region, 0.28), mix(dark.paper, "#000000", 0.3)),
        "paper": _both(light.paper, dark.paper),
        "raised": _both("#fffdf6", "#202329"),
        "line": _both(light.region, dark.region),
        "ink": _both(light.ink, dark.ink),
        "faint": _both(mix(light.faint, light.ink, 0.3), mix(dark.faint, dark.ink, 0.25)),
        "accent": _both(light.accent, dark.accent),
        "bed": _both(light.bed, dark.bed),
        "good": _both("#2a6f3a", "#4e9c60"),
        "good-text": _both("#2a6f3a", "#7cc48b"),
        "bad": _both(light.accent, dark.accent),
        "even": _both(light.beacon, dark.beacon),
        "steps": _both(light.wave, dark.wave),
        "seat": _both(PLAYER_COLOURS[0].fill, mix(PLAYER_COLOURS[0].fill, WHITE, 0.12)),
        "rest": _both(light.faint, dark.faint),
    }
    found |= {f"bot{n}": _both(fill, mix(fill, WHITE, 0.3)) for n, fill in enumerate(_BOT_FILLS)}
    found |= {
        f"source-{name}": CARD_FILLS[fill] for name, fill in zip(SOURCES, _SOURCE_FILLS[: len(SOURCES)], strict=True)
    }
    return "".join(f"--{name}:{value};" for name, value in found.items())


def style() -> str:
    """All CSS of the page, with the font within."""
    layout = resources.files("whistlestop.arena").joinpath("report.css").read_text(encoding="utf-8")
    return f"{font_face()}:root{{color-scheme:light dark;{_variables()}}}{layout}"
