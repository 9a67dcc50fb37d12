"""A person without a pointer: plays by keyboard alone."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from support.person import Person, act

MOST_TABS = 200


class KeyboardPerson(Person):
    """Plays one seat of a table through a page by keyboard alone."""

    def tab_to(self, selector: str) -> None:
        """Press Tab until something is in focus."""
        reached = "selector => document.activeElement !== document.body && document.activeElement.matches(selector)"
        self.page.locator(selector).first.wait_for(state="attached")
        for _ in range(MOST_TABS):
            if self.page.evaluate(reached, selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no way to {selector} by Tab")

    def press(self, selector: str) -> None:
        """Go there by Tab, and press Enter."""
        self.tab_to(selector)
        self.page.keyboard.press("Enter")

    def point(self, x: float, y: float) -> None:  # noqa: ARG002
        """There is no pointer."""
        raise AssertionError("a keyboard has no pointer")

    def pay(self, name: str, payments: list[dict[str, Any]], wanted: int) -> None:
        """Choose a payment by its number or the arrow keys, and confirm."""
        self.page.locator(act(f"{name}-{wanted}")).wait_for()
        place = [payment["id"] for payment in payments].index(wanted)
        if place < 9 and len(payments) > 1:
            self.page.keyboard.press(str(place + 1))
        else:
            for _ in range(place):
                self.page.keyboard.press("ArrowDown")
        expect(self.page.locator(f"{act(f'{name}-{wanted}')} input")).to_be_checked()
        self.page.keyboard.press("Enter")

    def keep(self, frame: dict[str, Any], kept: list[int]) -> None:
        """Tick with the space bar."""
        for i in range(len(frame["view"]["offer"])):
            box = f"{act(f'ticket-{i}')} input"
            if self.page.locator(box).is_checked() != (i in kept):
                self.tab_to(box)
                self.page.keyboard.press("Space")
        self.press(act("keep"))

    def do(self, frame: dict[str, Any], choice: tuple[str, Any]) -> None:
        """Do it by keys."""
        kind, what = choice
        self.done.append(kind)
        keyboard, options = self.page.keyboard, frame["options"]
        if kind == "draw_blind":
            keyboard.press("d")
        elif kind == "draw_face_up":
            keyboard.press(str(frame["view"]["face_up"].index(what) + 1))
        elif kind == "claim":
            keyboard.press("c")
            self.press(f'[data-track-row="{what[0]}"]')
            self.pay("payment", options["claims"][str(what[0])], what[1]["id"])
        elif kind == "station":
            keyboard.press("s")
            self.press(act(f"city-{what[0]}"))
            self.pay("payment", options["stations"]["payments"], what[1])
        elif kind == "pay_extra":
            self.pay("pay", options["pay_extra"], what["id"])
        elif kind == "draw_tickets":
            keyboard.press("t")
            self.press(act(f"mix-{what['id']}"))
        else:
            super().do(frame, choice)
            self.done.pop()
