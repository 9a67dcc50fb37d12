"""The files for hosts: what they start exists, and the programs that read them accept them, where those are there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from whistlestop.cli.main import app

ROOT = Path(__file__).parents[1]
UNIT = ROOT / "deploy" / "whistlestop.service"
NGINX = ROOT / "deploy" / "nginx.conf"


def compose() -> dict[str, Any]:
    """The services as data."""
    found: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())
    return found


def starts() -> dict[str, list[str]]:
    """Words after `whistlestop serve`, by the file that has them."""
    unit = re.search(r"^ExecStart=\S+ serve (.*)$", UNIT.read_text(), re.M)
    image = re.search(r'^CMD \["serve", (.*)\]$', (ROOT / "Containerfile").read_text(), re.M)
    assert unit
    assert image
    return {
        "unit": unit[1].split(),
        "image": image[1].replace('"', "").split(", "),
        "compose": compose()["services"]["server-1"]["command"][1:],
    }


def test_servers_are_started_with_options_that_they_have() -> None:
    helped = CliRunner().invoke(app, ["serve", "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).output
    for name, words in starts().items():
        options = [word.partition("=")[0] for word in words if word.startswith("--")]
        assert options
        assert [option for option in options if option not in helped] == [], name


def test_compose_has_what_its_services_name() -> None:
    found = compose()
    for service in found["services"].values():
        for volume in service.get("volumes", ()):
            name = volume.partition(":")[0]
            assert name in found["volumes"] or (ROOT / "deploy" / name).exists()
    servers = re.findall(r"^\s+server (\S+):8765 ", NGINX.read_text(), re.M)
    assert servers == [name for name in found["services"] if name.startswith("server-")]
    network = found["networks"]["default"]["ipam"]["config"][0]["subnet"]
    assert f"--trusted-proxy={network}" in found["services"]["server-1"]["command"]


def test_the_unit_lets_the_engine_compile_and_nothing_else_out() -> None:
    settings = set(UNIT.read_text().splitlines())
    assert {"MemoryDenyWriteExecute=no", "ProtectSystem=strict", "NoNewPrivileges=yes"} <= settings
    assert {"CapabilityBoundingSet=", "StateDirectory=whistlestop", "CacheDirectory=whistlestop"} <= settings


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_reads_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("/opt/whistlestop/bin/whistlestop", "/bin/true").replace("User=", "#"))
    found = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    assert unit.name not in found.stderr


@pytest.mark.skipif(shutil.which("nginx") is None, reason="no nginx here")
def test_nginx_reads_its_file(tmp_path: Path) -> None:
    (tmp_path / NGINX.name).write_text(re.sub(r"server-\d:", "127.0.0.1:", NGINX.read_text()))
    command = [
        "nginx",
        "-t",
        "-e",
        str(tmp_path / "log"),
        "-g",
        f"pid {tmp_path}/pid;",
        "-c",
        str(tmp_path / NGINX.name),
    ]
    found = subprocess.run(command, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
