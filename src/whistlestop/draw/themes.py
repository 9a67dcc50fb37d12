"""Colours of cards, players and themes: a new theme is one entry of THEMES, a new player one of PLAYER_COLOURS.

`web/src/styles/tokens.css` has the same colours for the browser; a test compares them. Colour is never the only sign:
see `MARKS` in `svg.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Paint(NamedTuple):
    """Fill, outline and the colour of the mark on it."""

    fill: str
    edge: str
    mark: str


@dataclass(frozen=True, slots=True)
class Theme:
    """One look."""

    paper: str
    """Margin and legend."""
    sea: str
    shore: str
    """Lines along the coast."""
    land: str
    abroad: str
    """Land around the country a board is about."""
    coast: str
    river: str
    region: str
    border: str
    grid: str
    ink: str
    """Text and frames."""
    faint: str
    """Second text."""
    halo: str
    """Behind labels."""
    bed: str
    """Rails under the cars."""
    wave: str
    """The wavy line under a ferry."""
    accent: str
    """Middle of a city's disc."""
    glow: str
    """Longest path, last move."""
    beacon: str
    """Ring around cities that are pointed out."""
    spaces: dict[str, Paint] = field(default_factory=dict)
    """By track colour, and "gray"."""
    players: tuple[Paint, ...] = ()
    figures: dict[str, Paint] = field(default_factory=dict)
    """Passengers by colour, and "gray"."""
    free: float = 1.0
    """Strength of free tracks once some track is claimed: below 1 they are paler than the trains."""
    browser_name: str | None = None
    """What the browser calls this theme; None for one that is only for paper."""


def mix(first: str, second: str, share: float) -> str:
    """Blend two #rrggbb colours; 0 gives the first."""
    pairs = zip(bytes.fromhex(first[1:]), bytes.fromhex(second[1:]), strict=True)
    return "#" + bytes(round(a + (b - a) * share) for a, b in pairs).hex()


CARD_FILLS = {
    "purple": "#a06bb4",
    "blue": "#3f86c2",
    "orange": "#e58a3a",
    "white": "#fdfcf7",
    "green": "#6aa84a",
    "yellow": "#f3cf45",
    "black": "#3b3d42",
    "red": "#cf4b46",
    "gray": "#cfcabd",
}
"""The eight card colours and the neutral one, as in the light theme."""


class PlayerColour(NamedTuple):
    """The colour of a player's trains, with the name that terminals know."""

    name: str
    fill: str


PLAYER_COLOURS = (
    PlayerColour("blue", "#1d5fae"),
    PlayerColour("red", "#c42b31"),
    PlayerColour("green", "#2d8a44"),
    PlayerColour("yellow", "#f4b400"),
    PlayerColour("black", "#26272b"),
)
"""By seat, one for each of MAX_PLAYERS."""

WHITE, BLACK = "#ffffff", "#1c1b1a"


def is_dark(name: str) -> bool:
    """Whether marks and letters on a card colour are light."""
    return name in ("black", "blue", "purple", "red", "green")


def _spaces(ink: str, shade: float, tone: float) -> dict[str, Paint]:
    """Cars in full colour, outlined and marked in a shade of their own."""
    paints = {}
    for name, fill in CARD_FILLS.items():
        mark = mix(fill, WHITE, tone) if is_dark(name) else mix(fill, ink, 0.62)
        paints[name] = Paint(fill, mix(fill, ink, shade), mark)
    return paints


def _outlined() -> dict[str, Paint]:
    """Cars that save ink: a tint, with outline and mark in a strong shade."""
    strong = {name: mix(fill, BLACK, 0.25) for name, fill in CARD_FILLS.items()} | {
        "white": "#6b6b6b",
        "gray": "#9a9a9a",
        "yellow": "#a98600",
    }
    tint = {name: mix(fill, WHITE, 0.72) for name, fill in CARD_FILLS.items()} | {
        "white": WHITE,
        "gray": "#f4f4f4",
        "black": "#c9c9cc",
    }
    return {name: Paint(tint[name], strong[name], strong[name]) for name in CARD_FILLS}


HIGH_CONTRAST_FILLS = {
    "purple": "#8e3fae",
    "blue": "#0b5cad",
    "orange": "#ff8a1f",
    "white": "#ffffff",
    "green": "#2f8f2f",
    "yellow": "#ffdd00",
    "black": "#000000",
    "red": "#c8102e",
    "gray": "#cfcfcf",
}
"""The same in strong tones."""


def _high_contrast() -> dict[str, Paint]:
    """Cars in strong colours with black outlines and large contrast of the marks."""
    return {
        name: Paint(fill, "#000000", WHITE if is_dark(name) else "#000000")
        for name, fill in HIGH_CONTRAST_FILLS.items()
    }


def _players(edge: str, rim: str) -> tuple[Paint, ...]:
    return tuple(Paint(fill, edge, rim) for _, fill in PLAYER_COLOURS)


DEEP_FILLS = CARD_FILLS | {
    "blue": "#2f6fb0",
    "green": "#3f8a35",
    "red": "#c23a36",
    "purple": "#8c52a3",
    "black": "#26272b",
}
"""Card colours with deeper dark tones, for what has a small white mark or letters on it."""


def _figures(edge: str, tones: dict[str, str] | None = None) -> dict[str, Paint]:
    """Passengers in full colour in every theme, with the mark in black or white."""
    return {name: Paint(fill, edge, WHITE if is_dark(name) else BLACK) for name, fill in (tones or DEEP_FILLS).items()}


DARK_SPACES = {"black": Paint("#0e0f11", "#7d8087", "#a9acb3"), "gray": Paint("#98938a", "#4a4843", "#4a4843")}
"""The two spaces that need other tones on dark land."""

THEMES = {
    "light": Theme(
        paper="#fbf7ec",
        sea="#cfe0e1",
        shore="#b4cfd2",
        land="#f6efdd",
        abroad="#ebe2cd",
        coast="#86a9ad",
        river="#b3d0d3",
        region="#ddcfb2",
        border="#c0a988",
        grid="#bdd3d5",
        ink="#2e2b28",
        faint="#7b7164",
        halo="#fbf6e9",
        bed="#a3977f",
        wave="#5e93a0",
        accent="#a63d2a",
        glow="#f0a800",
        beacon="#c2185b",
        spaces=_spaces("#2b2118", 0.38, 0.78),
        players=_players("#16130f", "#ffffff"),
        figures=_figures("#16130f"),
        free=0.68,
        browser_name="light",
    ),
    "dark": Theme(
        paper="#17191d",
        sea="#1c262d",
        shore="#263640",
        land="#303338",
        abroad="#282b2f",
        coast="#4d6672",
        river="#33505d",
        region="#3c4046",
        border="#565a5e",
        grid="#25323a",
        ink="#ece6d8",
        faint="#9a958a",
        halo="#1f2226",
        bed="#6c675d",
        wave="#5b93a8",
        accent="#e0765c",
        glow="#ffc642",
        beacon="#ff6fa5",
        spaces=_spaces("#0d0d0e", 0.45, 0.75) | DARK_SPACES,
        players=_players("#0b0b0c", "#f5f1e6"),
        figures=_figures("#0b0b0c"),
        free=0.6,
        browser_name="dark",
    ),
    "print": Theme(
        paper="#ffffff",
        sea="#ffffff",
        shore="#eef2f3",
        land="#ffffff",
        abroad="#ffffff",
        coast="#8b9799",
        river="#d3dfe1",
        region="#e4e1da",
        border="#c2bcb0",
        grid="#f1f3f3",
        ink="#1c1b1a",
        faint="#6c6862",
        halo="#ffffff",
        bed="#b9b4aa",
        wave="#8aa6ad",
        accent="#8c3a2b",
        glow="#f3b53a",
        beacon="#b3134f",
        spaces=_outlined(),
        players=_players("#1c1b1a", "#ffffff"),
        figures=_figures("#1c1b1a"),
    ),
    "high_contrast": Theme(
        paper="#ffffff",
        sea="#dbeaf3",
        shore="#c4dbe8",
        land="#ffffff",
        abroad="#ececec",
        coast="#3d5f70",
        river="#b9d4e2",
        region="#d9d9d9",
        border="#8a8a8a",
        grid="#cfe0ea",
        ink="#000000",
        faint="#333333",
        halo="#ffffff",
        bed="#555555",
        wave="#005f87",
        accent="#000000",
        glow="#ff9d00",
        beacon="#d0006f",
        spaces=_high_contrast(),
        players=_players("#000000", "#ffffff"),
        figures=_figures("#000000", HIGH_CONTRAST_FILLS),
        free=0.75,
        browser_name="contrast",
    ),
}
"""By name: what `draw_board` takes as `theme`."""

BROWSER_THEMES = {theme.browser_name: name for name, theme in THEMES.items() if theme.browser_name}
"""The browser's themes, and what they are called here."""
