"""Play a whole game against a bot over HTTP: `uv run python examples/play_over_http.py http://127.0.0.1:8765`."""

import json
import random
import sys
from typing import Any
from urllib.request import Request, urlopen

server = sys.argv[1].rstrip("/") if len(sys.argv) > 1 else "http://127.0.0.1:8765"
headers = {"content-type": "application/json"}


def ask(path: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{server}/api/tables{path}", data, headers)) as answer:
        return json.load(answer)


def choices(options: dict[str, Any]) -> list[int]:
    """Some of what we may do: claim if we can, else keep tickets, answer a tunnel, take passengers, draw cards."""
    claims = [payments[0]["id"] for payments in options["claims"].values()]
    listed = [one["id"] for name in ("keep", "announce", "pay_extra", "passengers") for one in options[name]]
    single = [options[name] for name in ("draw_blind", "give_up", "pass") if options[name] is not None]
    return (
        claims
        or listed + single
        or list(options["draw_face_up"].values())
        or [one["id"] for one in options["draw_tickets"]]
    )


place = ask(
    "",
    {
        "edition": "europe",
        "seats": [{"kind": "me", "name": "Script"}, {"kind": "bot"}],
        "pace": "instant",
        "start": True,
    },
)
headers["authorization"] = f"Bearer {place['key']}"
known = 0
while True:
    frame = ask(f"/{place['table']}/view?known={known}&wait=30")
    known = frame["n"]
    if frame["view"]["phase"] == "over":
        break
    if frame["options"]:
        ask(f"/{place['table']}/actions", {"n": known, "action": random.choice(choices(frame["options"]))})
for player in ask(f"/{place['table']}/end")["result"]["players"]:
    print(f"{player['name']}: {player['total']} points")
