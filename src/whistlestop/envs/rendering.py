"""Games of environments as text and pictures, as everybody at the table sees them."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import numpy.typing as npt

from whistlestop.draw import draw_board, to_png
from whistlestop.envs.extras import needed
from whistlestop.notation import cards_text
from whistlestop.views import View

RENDER_MODES = ("human", "ansi", "rgb_array", "svg")
"""`human` prints what `ansi` returns."""
PICTURE_WIDTH = 800
"""Pixels of a picture."""

Picture = str | npt.NDArray[np.uint8] | None


def render(view: View, mode: str | None) -> Picture:
    """What everybody sees of a game, in one of RENDER_MODES. Nothing of the viewer's own is in it."""
    if mode == "svg":
        return svg_of(view)
    if mode == "rgb_array":
        return pixels_of(svg_of(view))
    if mode == "ansi":
        return text_of(view)
    if mode == "human":
        print(text_of(view))
    return None


def svg_of(view: View) -> str:
    """The board with everybody's pieces."""
    stations = {city: seat for seat, player in enumerate(view.players) for city in player.stations}
    caption = " · ".join(f"{player.name} {player.points}" for player in view.players)
    return draw_board(
        view.edition.board, owners=view.owners, stations=stations, passengers=view.passengers, names=view.names,
        title=view.edition.name, caption=caption,
    )  # fmt: skip


def pixels_of(svg: str) -> npt.NDArray[np.uint8]:
    """A drawing as rows of red, green and blue. Needs Pillow."""
    with needed("envs"):
        from PIL import Image
    return np.asarray(Image.open(BytesIO(to_png(svg, PICTURE_WIDTH))).convert("RGB"))


def text_of(view: View) -> str:
    """The table in some lines."""
    lines = [f"{view.edition.name}: {view.phase.replace('_', ' ')}"]
    up = cards_text((card, view.face_up.count(card)) for card in dict.fromkeys(card for card in view.face_up if card))
    lines.append(f"face up: {up or 'nothing'} · deck {view.deck}")
    for seat, player in enumerate(view.players):
        mark = ">" if seat in view.to_move else " "
        tracks = sum(owner == seat for owner in view.owners.values())
        lines.append(
            f"{mark} {player.name}: {player.points} points, {player.trains} trains, {tracks} tracks, "
            f"{player.cards} cards, {player.tickets} tickets"
        )
    return "\n".join(lines)
