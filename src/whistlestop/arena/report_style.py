"""Frame, colours and layout of the arena's pages: those of the browser client, light and dark as the system says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources

from whistlestop.draw.themes import CARD_FILLS, DEEP_FILLS, PLAYER_COLOURS, THEMES, WHITE, mix
from whistlestop.draw.typeface import font_face
from whistlestop.results import SOURCES

_LOGO = """<svg viewBox="0 0 64 64" width="34" height="34" aria-hidden="true">
<clipPath id="logo"><rect width="64" height="64" rx="15"/></clipPath><g clip-path="url(#logo)">
<path fill="#a63d2a" d="M0 0h64v64H0z"/><path stroke="#fff" stroke-width="4" d="M-2 47 66 17"/>
<path stroke="#fff" stroke-opacity=".75" stroke-width="14" stroke-dasharray="3.4 6" d="M-2 47 66 17"/>
<circle cx="32" cy="32" r="15" fill="#fff" stroke="#2e2b28" stroke-width="4"/>
<circle cx="32" cy="32" r="7" fill="#a63d2a"/></g></svg>"""
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


def _style(more: Mapping[str, tuple[str, str]], layouts: Sequence[str]) -> str:
    """All CSS of a page, with the font within; `more` are variables with their light and dark colours."""
    folder = resources.files("whistlestop.arena")
    layout = "".join(folder.joinpath(name).read_text(encoding="utf-8") for name in layouts)
    own = "".join(f"--{name}:{_both(*colours)};" for name, colours in more.items())
    return f"{font_face()}:root{{color-scheme:light dark;{_variables()}{own}}}{layout}"


def whole_page(
    title: str,
    room: str,
    body: str,
    more: Mapping[str, tuple[str, str]] | None = None,
    layouts: Sequence[str] = ("report.css",),
) -> str:
    """A page that stands alone; `room` is shown at its top, `more` are colours besides those of all pages."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_style(more or {}, layouts)}</style></head>"
        f'<body><div class="top">{_LOGO}<b>Whistlestop</b><span>{escape(room)}</span></div><div class="rails"></div>'
        f"<main>{body}</main></body></html>\n"
    )


def command_words(source: str) -> str:
    """Text in which backticks mark a command."""
    parts = [escape(part) for part in source.split("`")]
    words = [" ".join(f"<span>{word}</span>" for word in part.split()) for part in parts]  # lines break between words
    return "".join(f"<code>{words[n]}</code>" if n % 2 else part for n, part in enumerate(parts))
