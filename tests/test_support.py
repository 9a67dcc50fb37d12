"""What the tests themselves stand on: the browser they get, and how much they do."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import chromium
from support.scale import read_scale


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without a browser; whatever is put into this folder is on its PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "none"))
    return tmp_path


def put(folder: Path, name: str, code: int = 0) -> str:
    """A program that does nothing but end."""
    path = folder / name
    path.write_text(f"#!/bin/sh\nexit {code}\n")
    path.chmod(0o755)
    return str(path)


def test_the_browser_on_the_path_is_taken_if_it_starts(machine: Path) -> None:
    assert chromium.find_chromium() is None
    put(machine, "chromium", code=127)  # a stub, or one whose libraries are missing
    assert chromium.find_chromium() is None
    path = put(machine, "google-chrome")
    assert chromium.find_chromium() == path
    assert chromium.ensure_chromium(pytest.fail) == path, "nothing is installed, and nothing said"


def test_playwrights_own_build_comes_first_then_the_package(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    tried: list[str] = []

    def download() -> tuple[bool, str]:
        tried.append("download")
        return False, "no network"

    def install_package() -> tuple[bool, str]:
        tried.append("package")
        put(machine, "chromium")
        return True, ""

    monkeypatch.setattr(chromium, "download", download)
    monkeypatch.setattr(chromium, "install_package", install_package)
    assert chromium.ensure_chromium(said.append) == str(machine / "chromium")
    assert tried == ["download", "package"]
    assert any("installing Playwright's own build" in line for line in said)
    assert any("no network" in line for line in said)


def test_a_machine_that_can_get_no_browser_says_why(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "download", lambda: (False, "no network"))
    assert chromium.install_package() == (False, "no apt-get on this machine")
    with pytest.raises(chromium.NoChromium, match=r"no network.*no apt-get"):
        chromium.ensure_chromium(lambda _: None)
    assert not list(machine.iterdir())


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "long", "", "٣"])
def test_the_scale_is_a_whole_number(text: str) -> None:
    assert read_scale("12") == 12
    with pytest.raises(ValueError, match="hint: WHISTLESTOP_SCALE=10"):
        read_scale(text)
