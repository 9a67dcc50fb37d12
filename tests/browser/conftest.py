"""A real server in its own process, and a Chromium."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from support.browser_pages import Checked, NewPage, Shot
from support.chromium import HINT, find_chromium
from support.clients import ServerProcess

SHOTS = Path(__file__).parents[2] / "out" / "screenshots"
"""Where pictures of every important moment are written."""
PATIENCE = 20_000
"""Milliseconds that a page may take for anything: machines are busy."""
KNOWS_EVERYTHING = "try { localStorage['whistlestop.understood'] = '[\"*\"]' } catch { /* an empty page has none */ }"
"""People who know the game are explained nothing; a newcomer is."""
RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]},
    # a player's row shows icons with numbers, its name says them in words: this experimental rule sees a mismatch
    "rules": {"label-content-name-mismatch": {"enabled": False}},
}
WEB = Path(__file__).parents[2] / "web"
DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = find_chromium()
    if found is None:
        pytest.fail(f"no Chromium on this machine\n{HINT}")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--mute-audio"]
        browser = playwright.chromium.launch(executable_path=found, args=arguments)
        yield browser
        browser.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Remember whether the test failed, so that its pages can be pictured."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed  # type: ignore[attr-defined]
    return report


FAILED = pytest.StashKey[bool]()


@pytest.fixture
def new_page(browser: Browser, server: ServerProcess, request: pytest.FixtureRequest) -> Iterator[NewPage]:
    """Makes pages, each in a context of its own; a console error or a failed script fails the test."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def heard(message: ConsoleMessage, refused: int | None) -> None:
        # the server was stopped by the test
        lost = "net::ERR_CONNECTION" in message.text or "WebSocket connection" in message.text
        expected = refused is not None and f"status of {refused}" in message.text
        if message.type == "error" and not lost and not expected:
            errors.append(f"{message.type}: {message.text}")

    def make(
        phone: bool = False,
        dark: bool = False,
        language: str = "en-GB",
        still: bool = True,
        newcomer: bool = False,
        refused: int | None = None,
    ) -> Page:
        """A page; where a test is about a refusal, its status is no error."""
        context = browser.new_context(
            viewport=PHONE if phone else DESKTOP,  # type: ignore[arg-type]
            has_touch=phone,
            is_mobile=phone,
            device_scale_factor=2 if phone else 1,
            color_scheme="dark" if dark else "light",
            locale=language,
            reduced_motion="reduce" if still else "no-preference",
            base_url=server.url,
        )
        contexts.append(context)
        if not newcomer:
            context.add_init_script(KNOWS_EVERYTHING)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: heard(message, refused))
        page.on("pageerror", lambda error: errors.append(f"page error: {error}"))
        return page

    yield make
    for i, context in enumerate(contexts):
        if request.node.stash.get(FAILED, False) and context.pages:
            SHOTS.mkdir(parents=True, exist_ok=True)
            context.pages[0].screenshot(path=SHOTS / f"failed-{request.node.name}-{i}.png")
        context.close()
    assert not errors, "\n".join(errors[:10])


@pytest.fixture
def shot() -> Callable[[Page, str], None]:
    """Writes a picture of a page."""

    def write(page: Page, name: str) -> None:
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SHOTS / f"{name}.png")

    return write


@pytest.fixture(scope="session")
def axe() -> str:
    """The accessibility checker axe-core, as a script."""
    script = WEB / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        subprocess.run(["npm", "install", "--no-package-lock"], cwd=WEB, check=True, capture_output=True)
    return script.read_text(encoding="utf-8")


@pytest.fixture
def checked(axe: str, shot: Shot) -> Iterator[Checked]:
    """Writes a picture of a page and runs the checker; what it found in all of them is told at the end."""
    told: list[str] = []

    def look(page: Page, name: str) -> None:
        page.wait_for_timeout(300)  # what moves comes to rest
        shot(page, name)
        page.evaluate(axe)
        found = page.evaluate("rules => axe.run(document, rules).then(found => found.violations)", RULES)
        told.extend(
            f"{name}: {one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes'][:3]]}" for one in found
        )

    yield look
    assert not told, "\n".join(told)
