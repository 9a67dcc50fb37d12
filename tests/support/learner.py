"""Somebody at a lesson: reads what the guide says, and does it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from support.person import act

BUBBLE = "[data-bubble]"
TRACKS = {
    "learn.step.usa.claim": ("Chicago", "Saint Louis", "green"),
    "learn.step.usa.gray": ("Little Rock", "Saint Louis", "gray"),
    "learn.step.usa.joker": ("Little Rock", "New Orleans", "green"),
    "learn.step.usa.blue": ("Kansas City", "Saint Louis", "blue"),
    "learn.step.usa.alone": ("Houston", "New Orleans", "gray"),
    "learn.step.europe.ferry": ("Dieppe", "London", "gray"),
    "learn.step.europe.tunnel": ("München", "Zürich", "yellow"),
    "learn.step.germany.claim": ("Hamburg", "Hannover", "red"),
    "learn.step.germany.second": ("Hannover", "Kassel", "gray"),
}
"""Steps that ask for a track."""
PRESSES = {
    "learn.step.usa.draw": '[data-fly^="face-"][data-card="purple"]',
    "learn.step.usa.second": act("draw-blind"),
    "learn.step.usa.locomotive": '[data-fly^="face-"][data-card="locomotive"]',
    "learn.step.usa.more_tickets": act("draw-tickets"),
    "learn.step.usa.last_turn": act("draw-blind"),
    "learn.step.europe.dearer": act("confirm"),
    "learn.step.europe.station": act("station"),
    "learn.step.germany.welcome": act("draw-tickets"),
    "learn.step.germany.passenger": '[data-act^="passenger-"]',
    "learn.step.germany.company": '[data-act^="passenger-"]',
    "learn.step.germany.last_turn": act("draw-blind"),
    "learn.ask.pay": act("confirm"),
    "learn.ask.tickets": "[data-usual]",
    "learn.ask.mix": "[data-usual]",
    "learn.ask.place": act("city-München"),
    "learn.ask.collect": f"{act('draw-blind')}:not(:disabled)",
}
"""What to press at the others."""


KEPT = {"learn.step.usa.keep": "Houston", "learn.step.germany.keep": "Kassel"}
"""The ticket that fits: one of its cities."""


class Learner:
    """Goes through a lesson by what its bubbles say; remembers them in order."""

    def __init__(self, page: Page, looked: Callable[[str], None] = lambda _: None, *, touch: bool = False) -> None:
        self.page, self.looked, self.touch = page, looked, touch
        self.said: list[str] = []

    def go_through(self) -> None:
        """Do what the guide says until the game is over and the result is shown."""
        while not self.said or not self.said[-1].endswith(".over"):
            self._wait()
            self._do(self.said[-1])
        self.page.locator('[data-screen="end"]').wait_for()

    def _wait(self) -> None:
        """Wait for the next bubble, past the ones that were said: another text, or the same at another action."""
        found = self.page.wait_for_function(
            """before => {
                const play = document.querySelector('[data-screen=play]');
                const bubble = document.querySelector('[data-bubble].ready');
                const now = bubble && `${bubble.dataset.bubble} ${play?.dataset.n}`;
                return now && now !== before ? now : null;
            }""",
            arg=getattr(self, "_last", ""),
            timeout=60_000,
        ).json_value()
        self._last = found
        name = found.rpartition(" ")[0]
        if not self.said or self.said[-1] != name:
            self.said.append(name)
            self.page.wait_for_timeout(250)  # the bubble has found its place
            self.looked(name)

    def _do(self, name: str) -> None:
        page = self.page
        if page.locator(act("lesson-next")).count():
            self._press(act("lesson-next"))
        elif name in TRACKS:
            self._press_track(*TRACKS[name])
        elif name in PRESSES:
            self._press(PRESSES[name])
        elif name.endswith(".keep"):
            self._press(f'[data-act^="ticket-"]:has-text("{KEPT[name]}")')
            self._press(act("keep"))
        elif name.endswith(".over"):
            self._press(act("result"))
        else:
            raise AssertionError(f"nobody knows what to do at {name}")

    def _press(self, selector: str) -> None:
        found = self.page.locator(selector).first
        if self.touch:
            found.tap()
        else:
            found.click()

    def _press_track(self, a: str, b: str, colour: str) -> None:
        """Click a track on the board; fingers may miss it on a small one, so they take it from the list."""
        where = f"/api/editions/{self._edition()}/board"
        tracks = self.page.evaluate("async where => (await (await fetch(where)).json()).tracks", where)
        track = next(one["track"] for one in tracks if {one["from"], one["to"]} == {a, b} and one["colour"] == colour)
        if self.touch:
            self._press(act("list"))
            self._press(f'[data-track-row="{track}"]')
            return
        box = self.page.locator(f'[data-track="{track}"] use').nth(0).bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def _edition(self) -> str:
        return self.said[-1].split(".")[2]
