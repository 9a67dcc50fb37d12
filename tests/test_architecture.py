"""Dependencies point one way, modules stay small and well named, and nobody's trade marks stand in the product."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "whistlestop"
MODULES = sorted(PACKAGE.rglob("*.py"))

LAYERS = (
    # from the bottom up: a module may import what stands below it, and what stands beside it on the same line
    {"errors", "spelling"},
    {"names"},
    {"mapfile"},
    {"engine"},
    {"notation"},
    {"views"},
    {"results", "obstacles", "outcomes", "positions"},
    {"explain"},
    {"record"},
    {"game"},
    {"bots"},
    {"simulation"},
    {"server"},
    {"cli"},
)
ON_BOARDS_ONLY = {"draw", "rulebook"}
"""Beside all of these: they import `mapfile` alone, and only the faces and the shop window import them."""
FACES = {"server", "cli"}
"""What people meet: they may draw boards and show rules."""
SHOP_WINDOW = ""
"""The package itself, which hands names on: nothing below the command line imports it."""
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "misc"}
MOST_LINES = 800
TRADE_MARKS = ("days of wonder", "ticket to ride", "zug um zug", "asmodee")


def part_of(module: Path) -> str:
    """The part of the package that a file belongs to."""
    first = module.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return {"__init__": SHOP_WINDOW, "__main__": "cli"}.get(first, first)


def imported(tree: ast.AST) -> Iterator[str]:
    """Parts of the package that a module imports, anywhere in it; annotations under TYPE_CHECKING count as well."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole package"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name == "whistlestop.__version__":
                continue
            parts = name.split(".")
            if parts[0] == "whistlestop":
                # `from whistlestop import Game` is the package itself; `from whistlestop import draw` is a part.
                known = len(parts) > 1 and ((PACKAGE / parts[1]).is_dir() or (PACKAGE / f"{parts[1]}.py").exists())
                yield parts[1] if known else ""


def allowed(part: str) -> set[str]:
    """What a part may import besides itself."""
    if part in ON_BOARDS_ONLY:
        return {"errors", "mapfile", "spelling"}
    if part == SHOP_WINDOW:
        return set().union(*LAYERS[:-1])
    level = next((i for i, layer in enumerate(LAYERS) if part in layer), None)
    assert level is not None, f"say in this test where {part} stands"
    below: set[str] = set().union(*LAYERS[: level + 1])
    if part in FACES:
        below |= ON_BOARDS_ONLY
    return below | {SHOP_WINDOW} if part in LAYERS[-1] else below


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_dependencies_point_one_way(module: Path) -> None:
    part = part_of(module)
    for other in imported(ast.parse(module.read_text(encoding="utf-8"))):
        assert other == part or other in allowed(part), (
            f"{module.name} imports {other or 'the package'}, which is not below it"
        )


def test_an_upward_import_is_noticed() -> None:
    lines = (
        "from whistlestop.game import Game",
        "import whistlestop.cli.main",
        "from whistlestop import Game, draw, __version__",
    )
    assert list(imported(ast.parse("\n".join(lines)))) == ["game", "cli", "", "draw"]
    assert "game" not in allowed("engine")
    assert "game" not in allowed("draw")
    assert "bots" not in allowed("game")
    assert {"bots", "draw", "rulebook"} < allowed("server")
    assert "cli" not in allowed("server")


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_modules_are_small_enough_to_read(module: Path) -> None:
    lines = len(module.read_text(encoding="utf-8").splitlines())
    assert lines <= MOST_LINES, f"{lines} lines: split it by concept"


def test_modules_are_named_for_what_they_do() -> None:
    names = {part.removesuffix(".py") for module in MODULES for part in module.relative_to(PACKAGE).parts}
    assert not names & FORBIDDEN_NAMES


def test_no_trade_marks_in_the_product() -> None:
    texts = [
        path
        for folder in ("src", "docs")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".toml", ".md", ".svg", ".json")
    ]
    assert texts
    found = [
        f"{path.relative_to(ROOT)}: {mark}"
        for path in texts
        for mark in TRADE_MARKS
        if mark in path.read_text(encoding="utf-8").casefold()
    ]
    assert not found


def test_the_kernels_know_no_game_in_words() -> None:
    """The engine's files import numbers and boards only: no drawing, no command line, no printing library."""
    for module in (PACKAGE / "engine").glob("*.py"):
        tree = ast.parse(module.read_text(encoding="utf-8"))
        names = {
            alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
        }
        names |= {(node.module or "").split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not names & {"rich", "typer", "resvg_py", "json", "random"}, module.name
