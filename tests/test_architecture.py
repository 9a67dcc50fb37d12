"""Dependencies point one way, modules are small, no name means two things, and no trade marks are in the product."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "whistlestop"
MODULES = sorted(PACKAGE.rglob("*.py"))

LAYERS = (
    # from the bottom up: a module may import what stands below it, and what stands beside it on the same line
    {"errors", "spelling", "rich_display"},
    {"names"},
    {"mapfile"},
    {"engine"},
    {"notation"},
    {"views"},
    {"results", "obstacles", "outcomes", "positions"},
    {"explain"},
    {"record"},
    {"game"},
    {"real_table"},
    {"real_table_file"},
    {"bots"},
    {"arena", "envs"},
    {"server"},
    {"cli"},
)
ON_BOARDS_ONLY = {"draw", "rulebook"}
"""Beside all of these: they import `mapfile` and below, and only FACES and the package itself import them."""
FACES = {"arena", "envs", "server", "cli"}
"""What people look at, reports of the arena and pictures of environments too: they may draw boards, use their colours
and show rules.
"""
PACKAGE_ITSELF = ""
"""`whistlestop/__init__.py`, which exports names: nothing below the command line imports it."""
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "misc"}
MOST_LINES = 800
TRADE_MARKS = ("days of wonder", "ticket to ride", "zug um zug", "asmodee")


def part_of(module: Path) -> str:
    """The part of the package that a file belongs to."""
    first = module.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return {"__init__": PACKAGE_ITSELF, "__main__": "cli"}.get(first, first)


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
    if part == PACKAGE_ITSELF:
        return set().union(*LAYERS[:-1])
    level = next((i for i, layer in enumerate(LAYERS) if part in layer), None)
    assert level is not None, f"say in this test where {part} stands"
    below: set[str] = set().union(*LAYERS[: level + 1])
    if part in FACES:
        below |= ON_BOARDS_ONLY
    return below | {PACKAGE_ITSELF} if part in LAYERS[-1] else below


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


# ---- cycles ---------------------------------------------------------------------------------------------------------
def name_of(module: Path) -> str:
    """The dotted name of a file of the package."""
    return ".".join(("whistlestop", *module.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


def imported_modules(tree: ast.AST, known: Collection[str]) -> set[str]:
    """Modules of the package that a module imports anywhere in it, lazily and for annotations as well."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in known else str(node.module) for name in names}
    return found & set(known)


def cycles(graph: Mapping[str, set[str]]) -> set[frozenset[str]]:
    """Groups of modules that reach each other by imports."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        waiting = [start]
        while waiting:
            new = graph[waiting.pop()] - found
            found |= new
            waiting += new
        return found

    reach = {module: reached(module) for module in graph}
    return {frozenset(b for b in reach[a] if a in reach[b]) for a in graph if a in reach[a]}


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Not even where a late import or TYPE_CHECKING hides it."""
    known = {name_of(module) for module in MODULES}
    graph = {
        name_of(module): imported_modules(ast.parse(module.read_text(encoding="utf-8")), known) for module in MODULES
    }
    assert [sorted(group) for group in cycles(graph)] == []


def test_a_circle_is_noticed() -> None:
    known = {"whistlestop.a", "whistlestop.b", "whistlestop.b.c"}
    lazy = ast.parse("def f():\n    from whistlestop.b import c\nif TYPE_CHECKING:\n    import whistlestop.a")
    assert imported_modules(lazy, known) == {"whistlestop.b.c", "whistlestop.a"}
    assert imported_modules(ast.parse("from whistlestop.b import d"), known) == {"whistlestop.b"}
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == {frozenset("bc")}
    assert cycles({"a": {"a"}}) == {frozenset("a")}


# ---- size and names -------------------------------------------------------------------------------------------------
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


TESTS = ROOT / "tests"


def test_no_test_imports_another_test() -> None:
    """What tests share is in `tests/support/`, which imports no test either."""
    modules = sorted(path for path in TESTS.rglob("*.py") if "__pycache__" not in path.parts)
    private = {path.stem for path in modules if path.name.startswith(("test_", "conftest"))}
    folders = {path.name for path in TESTS.iterdir() if path.is_dir()} - {"support"}
    assert {"test_architecture", "conftest"} <= private
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
            for name in names:
                parts = name.split(".")
                assert parts[0] not in folders | {"tests"}, f"{path.name} imports {name}"
                assert not private & set(parts), f"{path.name} imports {name}"


# --- one name for one thing ------------------------------------------------------------------------------------------
KINDS = ("modules", "classes", "constants")
SCRIPTS_OF_A_LIBRARY = "migrations"
"""Alembic decides how these files and their functions are called."""


def defined(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Public names that a module defines, as (kind, name); `X = other.X` hands a name on and defines nothing."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield "classes", node.name
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            if isinstance(target, ast.Name) and not target.id.startswith("_"):
                value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
                if not (isinstance(value, ast.Attribute) and value.attr == target.id):
                    yield "constants", target.id


def doubles() -> dict[str, dict[str, list[str]]]:
    """Names of modules, classes and constants that the package has more than once, with their files."""
    places: dict[str, dict[str, list[str]]] = {kind: {} for kind in KINDS}
    for module in MODULES:
        path = module.relative_to(PACKAGE).as_posix()
        if SCRIPTS_OF_A_LIBRARY in module.parts:
            continue
        if not module.stem.startswith("__"):
            places["modules"].setdefault(module.stem, []).append(path)
        for kind, name in defined(ast.parse(module.read_text(encoding="utf-8"))):
            places[kind].setdefault(name, []).append(path)
    return {kind: {name: found for name, found in names.items() if len(found) > 1} for kind, names in places.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_no_name_means_two_things(kind: str) -> None:
    assert not doubles()[kind]


def test_no_module_is_named_as_a_folder_of_data() -> None:
    folders = {path.name for path in PACKAGE.rglob("*") if path.is_dir() and not path.name.startswith("__")}
    assert not folders & {module.stem for module in MODULES}


def test_doubles_are_noticed() -> None:
    tree = ast.parse("import b\nA = 1\nB = b.B\n_C = 2\nD: int = 3\nclass E: ...")
    assert list(defined(tree)) == [("constants", "A"), ("constants", "D"), ("classes", "E")]


# --- public names ----------------------------------------------------------------------------------------------------
BELOW_THE_SURFACE = {"docs/engine.md"}
"""This page teaches the engine's own functions."""


def taught_code() -> dict[str, str]:
    """The Python of examples and pages, by file."""
    code = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in ROOT.glob("examples/*.py")}
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")):
        blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
        code[page.relative_to(ROOT).as_posix()] = "\n".join(blocks)
    return {name: text for name, text in code.items() if name not in BELOW_THE_SURFACE}


def test_examples_and_pages_import_public_names_only() -> None:
    """Of the package itself, or of the environments, which are a room of their own."""
    import whistlestop
    import whistlestop.envs

    public = {"whistlestop": set(whistlestop.__all__), "whistlestop.envs": set(whistlestop.envs.__all__)}
    public["whistlestop.envs.openspiel"] = set()  # is imported to register the game
    used: set[str] = set()
    for name, text in taught_code().items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "whistlestop":
                assert node.module in public, f"{name} imports from {node.module}"
                assert {alias.name for alias in node.names} <= public[node.module], f"{name}: {node.module}"
                used |= {alias.name for alias in node.names}
            if isinstance(node, ast.Import):
                parts = [alias.name for alias in node.names if alias.name.startswith("whistlestop.")]
                parts = [part for part in parts if part not in public]
                assert not parts, f"{name} imports {parts}"
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "whistlestop":
                assert node.attr in {*whistlestop.__all__, "envs"}, f"{name}: whistlestop.{node.attr}"
                used.add(node.attr)
    assert used


def test_every_public_name_can_be_imported() -> None:
    import whistlestop

    assert whistlestop.__all__ == sorted(whistlestop.__all__)
    for name in whistlestop.__all__:
        assert getattr(whistlestop, name).__module__.startswith("whistlestop"), name
