"""Train cards and tickets as SVG, for paper: the art of the browser's cards, 120 wide and 80 high.

Every colour has its sign in two corners and a kind of car of its own, so that cards can be told apart without colour.
"""

from __future__ import annotations

from whistlestop.draw.geometry import Geometry, lay_out
from whistlestop.draw.svg import BADGES, LOCOMOTIVE_SHAPE, escaped, num
from whistlestop.draw.themes import CARD_FILLS, THEMES, Theme, is_dark, mix
from whistlestop.draw.typeface import text_width
from whistlestop.mapfile import CARD_COLOURS, LOCOMOTIVE, Board, Ticket

CARD_WIDTH, CARD_HEIGHT = 120.0, 80.0
"""In the units of the art."""
CAR_BODIES = {
    "purple": "M20 34Q20 27 28 27H92Q100 27 100 34V55H20z",
    "blue": "M20 31H28V26H92V31H100V55H20z",
    "orange": "M20 29H100V55H20z",
    "white": "M20 31 24 26H96L100 31V55H20z",
    "green": "M20 33H44V25H70V33H100V55H20z",
    "yellow": "M18 36H102L96 55H24z",
    "black": "M20 31H100L92 55H72L66 44H54L48 55H28z",
    "red": "M28 28H92Q102 28 102 41.5T92 55H28Q18 55 18 41.5T28 28z",
}
"""The car of each colour, on rails at a height of 62."""
CAR_DETAILS = {
    "purple": "M27 33H37V42H27zM42 33H52V42H42zM57 33H67V42H57zM72 33H82V42H72zM87 33H94V42H87z",
    "blue": "M26 44V38Q31 32 36 38V44zM42 44V38Q47 32 52 38V44zM68 44V38Q73 32 78 38V44z"
    "M84 44V38Q89 32 94 38V44zM57 34H63V51H57z",
    "orange": "M48 29V55H50V29zM70 29V55H72V29zM50 41H70V43H50zM28 33V51H29.5V33zM37 33V51H38.5V33z"
    "M83 33V51H84.5V33zM92 33V51H93.5V33z",
    "white": "M26 36H46V50H26zM74 36H94V50H74zM52 33V52H53.5V33zM66.5 33V52H68V33zM53.5 42H66.5V43.5H53.5z",
    "green": "M26 38H38V46H26zM48 28.5H54V33H48zM60 28.5H66V33H60zM76 38H94V46H76zM48 40H66V51H48z",
    "yellow": "M30 40 32 51H33.5L31.5 40zM44 40 45 51H46.5L45.5 40zM59 40V51H61V40zM74.5 40 73.5 51H75L76 40z"
    "M88.5 40 86.5 51H88L90 40z",
    "black": "M28 35H92L91 38H29zM40 41 44 52H46L42 41zM78 41 74 52H76L80 41z",
    "red": "M58 23H66V28H58zM34 28V55H36V28zM84 28V55H86V28zM36 40.5H84V42.5H36z",
}
"""Windows, doors and boards of these cars."""
_SKIES = {"white": ("#cfdde0", "#e9ebe4", "#b9c3bf"), "black": ("#b9bcc4", "#8d9099", "#666972")}
"""Sky and hills where tints of the colour would not do."""
_RIM, _DARK, _PAPER = "#fdf8ea", "#26211c", "#fffdf6"
_STEAM = ((73, 30, 4), (67, 24, 5.5), (57, 19.5, 7), (44, 18, 8.5))
_MAP_BOX = (10.0, 25.0, 100.0, 44.0)
"""Of the little map on a ticket: left, top, width, height."""


def train_card(card: str, key: str) -> str:
    """A train card; `key` names the clip of its picture, which is shared by all cards of a sheet."""
    inside = _rainbow() if card == LOCOMOTIVE else _landscape(card)
    corners = "".join(f'<g transform="rotate({turn} 60 40)translate(17 17)">{_corner(card)}</g>' for turn in (0, 180))
    return (
        f'<rect width="120" height="80" fill="{_PAPER}"/><g clip-path="url(#{key})">{inside}</g>{_car(card)}{corners}'
        '<rect x="6" y="6" width="108" height="68" rx="5.5" fill="none" stroke="#2b2118" stroke-opacity=".4"/>'
    )


def card_clip(key: str) -> str:
    """The clip that `train_card` needs."""
    return f'<clipPath id="{key}"><rect x="6" y="6" width="108" height="68" rx="5.5"/></clipPath>'


def _landscape(card: str) -> str:
    fill = CARD_FILLS[card]
    sky, far, near = _SKIES.get(
        card, (mix("#fdf6e2", fill, 0.3), mix("#f1e4c4", fill, 0.55), mix("#7d6a4a", fill, 0.68))
    )
    return (
        f'<path d="M0 0H120V80H0z" fill="{sky}"/><circle cx="82" cy="30" r="19" fill="{mix("#fffdf4", fill, 0.12)}"/>'
        f'<path d="M0 46Q14 30 30 40T58 36 88 42 120 32V80H0z" fill="{far}"/>'
        f'<path d="M0 56Q30 44 60 54T120 50V80H0z" fill="{near}"/>'
        f'<path d="M0 61H120V80H0z" fill="{mix("#3a3027", fill, 0.26)}"/>'
    )


def _rainbow() -> str:
    bands = "".join(
        f'<path d="M{-2 + k * 16} 6H{14.5 + k * 16}L{2.5 + k * 16} 74H{-14 + k * 16}z" fill="{CARD_FILLS[colour]}"/>'
        for k, colour in enumerate(CARD_COLOURS)
    )
    steam = "".join(f'<circle cx="{x}" cy="{y}" r="{r}" fill="#fffdf6" fill-opacity=".9"/>' for x, y, r in _STEAM)
    return f'{bands}{steam}<path d="M6 63H114V74H6z" fill="#3a3027"/>'


def _car(card: str) -> str:
    rail = '<path d="M6 62.5H114" fill="none" stroke="#e9dcc0" stroke-width="1.4"/>'
    if card == LOCOMOTIVE:
        shape = LOCOMOTIVE_SHAPE.replace(
            "<path", f'<path transform="translate(59 49)scale(2.9)" fill="#201c19" {_outline(1.6)}', 1
        )
        return f'{rail}{shape}<path d="M46 47.5H73V49H46zM34.5 39H40V45H34.5z" fill="#e9b949"/>'
    fill = CARD_FILLS[card]
    panes = mix("#2b2118", fill, 0.4) if card in ("white", "yellow") else mix("#fff6d8", fill, 0.18)
    wheels = "".join(
        f'<circle cx="{x}" cy="58" r="4.2" fill="{_DARK}" stroke="#e9dcc0" stroke-width="1.3"/>'
        for x in (32, 44, 76, 88)
    )
    return (
        f'{rail}<path d="{CAR_BODIES[card]}" fill="{fill}" {_outline(4.5)}/>'
        f'<path d="{CAR_DETAILS[card]}" fill="{panes}" stroke="{mix("#1b1714", fill, 0.5)}" stroke-width=".7"/>'
        f'<path d="M15 54H105V57H15z" fill="{_DARK}"/>{wheels}'
    )


def _outline(width: float) -> str:
    return f'stroke="{_RIM}" stroke-width="{num(width)}" stroke-linejoin="round" paint-order="stroke"'


def _corner(card: str) -> str:
    if card == LOCOMOTIVE:
        sign = f'<g transform="scale(.72)" fill="#201c19">{LOCOMOTIVE_SHAPE}</g>'
        return f'<circle r="8.5" fill="{_RIM}" stroke="#2b2118"/>{sign}'
    fill = CARD_FILLS[card]
    rim = 'stroke="#8d8675" stroke-width="1.2"' if card == "white" else f'stroke="{_RIM}" stroke-width="2"'
    mark = mix("#ffffff", fill, 0.12) if is_dark(card) else mix("#2b2118", fill, 0.38)
    return f'<circle r="8.5" fill="{fill}" {rim}/><g transform="scale(1.22)" fill="{mark}">{BADGES[card]}</g>'


# --- tickets ---------------------------------------------------------------------------------------------------------
def ticket_card(board: Board, ticket: Ticket, theme: str = "light") -> str:
    """A ticket: its two ends, its points, and where they are on a little map of the board."""
    look = THEMES[theme]
    names = "".join(
        f'<text x="10" y="{y}" font-size="{num(_fitted(name, 84.0))}" fill="{look.ink}">{escaped(name)}</text>'
        for name, y in ((ticket.a, 15.0), (ticket.b, 24.5))
    )
    kind = f'<text x="104" y="32" font-size="6" text-anchor="middle" fill="{look.accent}">{escaped(ticket.kind)}</text>'
    return (
        f'<rect width="120" height="80" fill="{look.paper}"/>'
        f'<rect x="3" y="3" width="114" height="74" rx="4" fill="{look.land}" stroke="{look.accent}"/>'
        f"{names}{_little_map(lay_out(board), board, ticket, look)}"
        f'<circle cx="104" cy="16" r="9.5" fill="{look.accent}"/>'
        f'<text x="104" y="20.2" font-size="12" text-anchor="middle" fill="#fff">{ticket.points}</text>'
        f"{kind if ticket.kind != 'regular' else ''}"
    )


def _fitted(words: str, room: float) -> float:
    """Size of type at which words fit into some room."""
    return min(9.0, room / max(text_width(words, 1.0), 1e-6))


def _little_map(drawn: Geometry, board: Board, ticket: Ticket, look: Theme) -> str:
    """Routes as thin lines, cities as dots, the two ends as rings; a country has one at each of its border spaces."""
    left, top, wide, high = _MAP_BOX
    zoom = min(wide / drawn.width, high / drawn.height)
    dx, dy = left + (wide - drawn.width * zoom) / 2, top + 3 + (high - drawn.height * zoom) / 2
    spots = [(dx + city.x * zoom, dy + city.y * zoom) for city in drawn.cities]
    lines = "".join(
        f"M{spots[a][0]:.1f} {spots[a][1]:.1f}L{spots[b][0]:.1f} {spots[b][1]:.1f}" for a, b in board.routes()
    )
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r=".7"/>' for x, y in spots)
    rings = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.3" fill="{look.halo}" stroke="{look.accent}" stroke-width="1.4"/>'
        for (x, y), city in zip(spots, board.cities, strict=True)
        if {ticket.a, ticket.b} & {city.name, city.country}
    )
    ways = f'<path d="{lines}" fill="none" stroke="{look.bed}" stroke-width=".45"/>'
    return f'{ways}<g fill="{look.faint}">{dots}</g>{rings}'
