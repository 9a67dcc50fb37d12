"""What the fixtures of the browser tests give."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

NewPage = Callable[..., Page]
"""Opens a page in a context of its own: a desktop or a phone, light or dark."""
Checked = Callable[[Page, str], None]
"""Writes a picture of a page and checks it for accessibility."""
Shot = Callable[[Page, str], None]
"""Writes a picture of a page."""
