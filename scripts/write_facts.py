"""Write the constants of the game and of the server that the client needs: `uv run python scripts/write_facts.py`.

Each is defined once, in Python: limits in the message models, cards and phases in the engine, sources of points in the
results.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from whistlestop.draw.themes import BROWSER_THEMES
from whistlestop.engine import layout as lay
from whistlestop.mapfile import CARDS, FACE_UP
from whistlestop.results import SOURCES
from whistlestop.server import live, messages
from whistlestop.server.strange_boards import LARGEST_BOARD

TARGET = Path(__file__).parents[1] / "web" / "src" / "facts.ts"
HEAD = (
    "/** Facts that the server and the engine decide. "
    "Made by scripts/write_facts.py: change them where they are at home. */\n\n"
)


def field(model: type[BaseModel], name: str) -> dict[str, Any]:
    """The schema of a message's field; of a union that allows null the other part."""
    found: dict[str, Any] = model.model_json_schema()["properties"][name]
    return next((part for part in found["anyOf"] if part.get("type") != "null"), found) if "anyOf" in found else found


def facts() -> dict[str, tuple[str, Any]]:
    """Every constant with its comment."""
    seats, colour = field(messages.NewTable, "seats"), field(messages.Join, "colour")
    points, key = field(messages.PackTicket, "points"), field(messages.Hello, "key")
    return {
        "CARDS": ("Kinds of cards, in the order in which they are shown.", list(CARDS)),
        "LOCOMOTIVE": ("The kind of card that stands for every colour.", CARDS[lay.LOCO]),
        "FACE_UP": ("Cards that lie open.", FACE_UP),
        "TUNNEL_CARDS": ("Cards that a tunnel turns up.", lay.TURNED),
        "SOURCES": ("Where points come from, as a score sheet lists them.", list(SOURCES)),
        "TICKET_KINDS": ("Kinds of tickets.", field(messages.PackTicket, "kind")["enum"]),
        "PLAYER_COLOURS": ("Colours of players; texts and styles name them.", list(range(colour["exclusiveMaximum"]))),
        "SEAT_COUNTS": ("Seats that a table can have.", list(range(seats["minItems"], seats["maxItems"] + 1))),
        "PACES": ("How long bots wait before they act.", field(messages.NewTable, "pace")["enum"]),
        "REACTIONS": ("Quick reactions.", field(messages.React, "reaction")["enum"]),
        "THEMES": ("Looks for which the server draws pictures.", list(BROWSER_THEMES)),
        "LONGEST_NAME": ("Characters of a player's or a pack's name.", field(messages.Join, "name")["maxLength"]),
        "LONGEST_CHAT": ("Characters of a line of chat.", field(messages.Say, "text")["maxLength"]),
        "MOST_PACKS": ("Ticket packs at a table.", field(messages.NewTable, "packs")["maxItems"]),
        "LARGEST_BOARD": ("Bytes of a map file.", LARGEST_BOARD),
        "MOST_PACK_TICKETS": ("Tickets of a pack.", field(messages.Pack, "tickets")["maxItems"]),
        "LONGEST_CITY": ("Characters of a city's name.", field(messages.PackTicket, "to")["maxLength"]),
        "TICKET_POINTS": ("Least and most points of a pack's ticket.", [points["minimum"], points["maximum"]]),
        "KEY_LENGTHS": ("Shortest and longest key of a seat.", [key["minLength"], key["maxLength"]]),
        "FINAL_CLOSES": (
            "Codes with which a socket is closed for good: no such table, an unreadable one, wrong key, bad messages.",
            [live.CLOSED_UNKNOWN, live.CLOSED_UNREADABLE, live.CLOSED_FORBIDDEN, live.CLOSED_NONSENSE],
        ),
        "MOST_KEYS": ("Keys that are looked up at once.", field(messages.MineRequest, "keys")["maxItems"]),
    }


def typescript() -> str:
    """The facts as constants, laid out as prettier does."""
    lines = []
    for name, (comment, value) in facts().items():
        exact = " as const" if isinstance(value, list) else ""
        lines.append(f"/** {comment} */\nexport const {name} = {json.dumps(value)}{exact};\n")
    return HEAD + "".join(lines)


if __name__ == "__main__":
    TARGET.write_text(typescript(), encoding="utf-8")
    print(f"wrote {TARGET.name}")
