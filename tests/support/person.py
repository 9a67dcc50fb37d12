"""A person at the page: looks at what the page offers, and clicks, taps or types it."""

from __future__ import annotations

import random
import time
from typing import Any, Protocol

from playwright.sync_api import Locator, Page, expect

PLAY = '[data-screen="play"]'
PATIENCE = 60.0
"""Seconds that somebody waits for the others."""


class Api(Protocol):
    """What a player asks the server besides the page: the same view that the page has."""

    url: str

    def ask(self, method: str, path: str, key: str | None = None, **more: Any) -> Any:
        """An answer of the API."""


def act(name: str) -> str:
    """Selector of something that can be done."""
    return f'[data-act="{name}"]'


class Person:
    """Plays one seat of a table through a page. Chooses at random, long tracks more often, so that games end."""

    def __init__(
        self, page: Page, server: Api, table: str, key: str, seat: int = 0, seed: int = 0, touch: bool = False
    ) -> None:
        self.page, self.server, self.table, self.key, self.seat, self.touch = page, server, table, key, seat, touch
        self.random = random.Random(seed)
        self.done: list[str] = []
        """Kinds of what was done so far."""

    # -- looking ---------------------------------------------------------------------------------------------------
    @property
    def root(self) -> Locator:
        """The screen of the game."""
        return self.page.locator(PLAY)

    def frame(self, known: int = 100_000) -> dict[str, Any]:
        """What this seat may see and do, from the server."""
        path = f"/api/tables/{self.table}/view?seat={self.seat}&known={known}"
        found: dict[str, Any] = self.server.ask("GET", path, self.key)
        return found

    def wait_turn(self, timeout: float = 30_000) -> dict[str, Any]:
        """Wait until the page knows that it is this seat's turn, or that the game is over; the frame then."""
        frame = self.next_frame(self.frame())
        self.wait_until_shown(frame["n"], timeout)
        # somebody's tunnel lies over the board
        self.page.evaluate("document.querySelector('.tunnel [data-act=skip]')?.click()")
        self.page.locator(".tunnel [data-act=skip]").wait_for(state="detached")
        return frame

    def wait_until_shown(self, n: int, timeout: float = 30_000) -> None:
        """Wait until the page shows the game after action `n`, or a later one."""
        self.page.wait_for_function(
            "n => { const at = document.querySelector('[data-screen=play]'); return at && Number(at.dataset.n) >= n }",
            arg=n,
            timeout=timeout,
        )

    # -- doing -----------------------------------------------------------------------------------------------------
    def press(self, selector: str) -> None:
        """Click or tap."""
        found = self.page.locator(selector).first
        if self.touch:
            found.tap()
        else:
            found.click()

    def point(self, x: float, y: float) -> None:
        """Click or tap at a place."""
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def press_track(self, track: int) -> None:
        """Click or tap a track on the board, in the middle of one of its cars; small screens see only a part of it."""
        if self.touch:
            self.press(act("zoom-fit"))
            self.page.wait_for_timeout(150)
        box = self.page.locator(f'[data-track="{track}"] use').nth(0).bounding_box()
        assert box is not None
        self.point(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def claim(self, track: int, payment: int) -> None:
        """Claim a track. A fingertip on a small board may hit its neighbour: then cancel, and choose from the list."""
        self.press_track(track)
        if self.touch:
            self.page.wait_for_timeout(400)
        else:
            self.page.locator(act("confirm")).wait_for()
        if not self.page.locator(act(f"payment-{payment}")).count():
            if self.page.locator(act("cancel")).count():
                self.press(act("cancel"))
            self.press(act("list"))
            self.press(f'[data-track-row="{track}"]')
        self.press(act(f"payment-{payment}"))
        self.press(act("confirm"))

    def turn(self) -> bool:
        """Do one thing when it is this seat's turn; False once the game is over."""
        frame = self.wait_turn()
        if frame["options"] is None:
            return False
        self.do(frame, self.choose(frame))
        self.wait_until_shown(frame["n"] + 1)
        return True

    def choose(self, frame: dict[str, Any]) -> tuple[str, Any]:
        """What to do: its kind, and its details."""
        options = frame["options"]
        for kind in ("announce", "keep", "passengers"):
            if options[kind]:
                return kind, self.random.choice(options[kind])
        if options["pay_extra"] or options["give_up"] is not None:
            pay = options["pay_extra"] and self.random.random() < 0.8
            return ("pay_extra", self.random.choice(options["pay_extra"])) if pay else ("give_up", None)
        return self.choose_turn(frame)

    def choose_turn(self, frame: dict[str, Any]) -> tuple[str, Any]:
        """What to do in a turn: claim if possible, most of the time."""
        options, dice = frame["options"], self.random.random()
        if options["stations"] and dice < 0.04 and "station" not in self.done[-8:]:
            city = self.random.choice(list(options["stations"]["cities"]))
            return "station", (city, self.random.choice(options["stations"]["payments"])["id"])
        if options["draw_tickets"] and 0.04 < dice < 0.07:
            return "draw_tickets", self.random.choice(options["draw_tickets"])
        if options["claims"] and dice > 0.1:
            tracks = sorted(options["claims"], key=lambda track: -sum(options["claims"][track][0]["cards"].values()))
            track = self.random.choice(tracks[:3])
            return "claim", (int(track), self.random.choice(options["claims"][track]))
        if options["draw_face_up"] and dice < 0.6:
            return "draw_face_up", self.random.choice(list(options["draw_face_up"]))
        if options["draw_blind"] is not None:
            return "draw_blind", None
        if options["draw_face_up"]:
            return "draw_face_up", self.random.choice(list(options["draw_face_up"]))
        if options["claims"]:
            track = self.random.choice(list(options["claims"]))
            return "claim", (int(track), options["claims"][track][0])
        if options["draw_tickets"]:
            return "draw_tickets", options["draw_tickets"][0]
        return "pass", None

    def do(self, frame: dict[str, Any], choice: tuple[str, Any]) -> None:
        """Do it through the page."""
        kind, what = choice
        self.done.append(kind)
        match kind:
            case "announce":
                self.press(act(f"mix-{what['id']}"))
            case "draw_tickets":
                self.press(act("draw-tickets"))
                self.press(act(f"mix-{what['id']}"))
            case "keep":
                self.keep(frame, what["kept"])
            case "passengers":
                self.press(act(f"passenger-{what['passenger'] or 'none'}"))
            case "pay_extra":
                self.press(act(f"pay-{what['id']}"))
                self.press(act("confirm"))
            case "give_up":
                self.press(act("give-up"))
            case "station":
                city, payment = what
                self.press(act("station"))
                self.press(act(f"city-{city}"))
                self.press(act(f"payment-{payment}"))
                self.press(act("confirm"))
            case "claim":
                track, payment = what
                self.claim(track, payment["id"])
            case "draw_face_up":
                self.press(act(f"face-up-{frame['view']['face_up'].index(what)}"))
            case "draw_blind":
                self.press(act("draw-blind"))
            case "pass":
                self.press(act("pass"))

    def keep(self, frame: dict[str, Any], kept: list[int]) -> None:
        """Tick the tickets to keep, untick the others."""
        for i in range(len(frame["view"]["offer"])):
            if self.page.locator(f"{act(f'ticket-{i}')} input").is_checked() != (i in kept):
                self.press(act(f"ticket-{i}"))
        expect(self.page.locator(act("keep"))).to_be_enabled()
        self.press(act("keep"))

    def next_frame(self, frame: dict[str, Any]) -> dict[str, Any]:
        """The frame when this seat may act, or the game is over."""
        until = time.monotonic() + PATIENCE
        while frame["options"] is None and frame["view"]["phase"] != "over":
            view = frame["view"]
            assert time.monotonic() < until, f"seat {self.seat} waits in vain: {view['phase']} of {view['to_move']}"
            path = f"/api/tables/{self.table}/view?seat={self.seat}&known={frame['n']}&wait=20"
            frame = self.server.ask("GET", path, self.key)
        return frame

    def play_on(self, until: int = 10_000) -> None:
        """Play to the end, or for so many of one's own actions."""
        for _ in range(until):
            if not self.turn():
                return
