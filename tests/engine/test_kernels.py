"""The kernels: how they are written, compiled and cached, the random numbers, and the log of their outcomes."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import whistlestop.bots
from support import lockstep
from whistlestop.arena.simulation import simulate
from whistlestop.engine import doors, jit
from whistlestop.engine import layout as lay
from whistlestop.engine.tables import tables_of
from whistlestop.mapfile import editions, load_edition

SOURCE = Path(jit.__file__).parent
TESTS = Path(__file__).parents[1]
BOTS = Path(whistlestop.bots.__file__).parent
FOLDERS = (SOURCE, BOTS / "planner", BOTS / "expert", BOTS.parent / "arena" / "traces")
"""Everywhere that there are kernels."""
DOORS = {"door", "planner_door", "expert_door", "tracing_door"}
DECORATORS = {"kernel", *DOORS}


# ---- how kernels are written -----------------------------------------------------------------------------------------
@cache
def module_trees() -> dict[str, ast.Module]:
    paths = [path for folder in FOLDERS for path in sorted(folder.glob("*.py")) if path.stem != "__init__"]
    return {path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def decorator_names(node: ast.FunctionDef) -> set[str]:
    plain = [d.func if isinstance(d, ast.Call) else d for d in node.decorator_list]
    return {d.id for d in plain if isinstance(d, ast.Name)}


@cache
def kernels() -> dict[tuple[str, str], ast.FunctionDef]:
    """Every kernel by module and name."""
    return {
        (module, node.name): node
        for module, tree in module_trees().items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and decorator_names(node) & DECORATORS
    }


def calls(node: ast.AST) -> Iterator[ast.Call]:
    return (child for child in ast.walk(node) if isinstance(child, ast.Call))


def called_name(call: ast.Call) -> str:
    """`np.zeros`, `range`, `scoring.score`."""
    return ast.unparse(call.func)


HOMES = ("whistlestop.engine", "whistlestop.bots.planner", "whistlestop.bots.expert", "whistlestop.arena.traces")


@cache
def names_in(module: str) -> dict[str, tuple[str, str]]:
    """The kernels that a module can call, by the name it uses: its own, imported ones, those of imported modules."""
    known = {name: (module, name) for home, name in kernels() if home == module}
    for node in ast.walk(module_trees()[module]):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(HOMES):
            home = (node.module or "").rpartition(".")[2]
            for alias in node.names:
                if home == "engine":
                    known |= {
                        f"{alias.asname or alias.name}.{name}": (at, name) for at, name in kernels() if at == alias.name
                    }
                else:
                    known[alias.asname or alias.name] = (home, alias.name)
    return known


def test_there_are_kernels_to_check() -> None:
    assert len(kernels()) > 100
    assert ("rules", "step") in kernels()
    assert ("doors", "list_legal") in kernels()
    assert ("policy", "take_turn") in kernels()
    assert ("playouts", "play_candidates") in kernels()


@pytest.mark.parametrize("module", sorted(module_trees()))
def test_kernels_raise_nothing_and_hold_no_python_objects(module: str) -> None:
    forbidden = (
        ast.Raise, ast.Try, ast.Assert, ast.With, ast.Lambda, ast.Yield, ast.YieldFrom, ast.Await, ast.Global,
        ast.Nonlocal, ast.Delete, ast.Import, ast.ImportFrom, ast.JoinedStr, ast.Dict, ast.Set, ast.DictComp,
        ast.SetComp, ast.GeneratorExp, ast.ClassDef,
    )  # fmt: skip
    for (home, name), node in kernels().items():
        if home == module:
            found = [type(child).__name__ for child in ast.walk(node) if isinstance(child, forbidden)]
            assert not found, f"{name} has {found}"
            inner = [child for child in ast.walk(node) if isinstance(child, ast.FunctionDef) and child is not node]
            assert not inner, f"{name} defines a function"


@pytest.mark.parametrize("module", sorted(module_trees()))
def test_kernels_print_nothing_and_contain_no_strings(module: str) -> None:
    """The docstring of a kernel is its only string."""
    for (home, name), node in kernels().items():
        if home == module:
            assert "print" not in {called_name(call) for call in calls(node)}
            body = node.body[1:] if ast.get_docstring(node) else node.body
            strings = [child.value for part in body for child in ast.walk(part) if isinstance(child, ast.Constant)]
            assert not [text for text in strings if isinstance(text, str | bytes)], name


def test_the_engine_knows_no_board_or_edition_by_name() -> None:
    """Only the warm-up names one: it needs a game to compile with."""
    names = (
        {edition.id for edition in editions()}
        | {edition.name for edition in editions()}
        | {edition.board.name for edition in editions()}
    )
    for module in sorted(path.stem for path in SOURCE.glob("*.py") if path.stem != "__init__"):
        tree = module_trees()[module]
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node.value in names:
                assert module == "warmup", f"{module}.py names {node.value}"
                home = [f.name for f in tree.body if isinstance(f, ast.FunctionDef) and node in set(ast.walk(f))]
                assert home == ["warm_up_jobs"]


@pytest.mark.parametrize("module", sorted(module_trees()))
def test_kernels_never_allocate_records(module: str) -> None:
    """Arrays that kernels allocate hold plain numbers; records are passed in."""
    plain = {"np.int64", "np.uint64", "np.bool_", "np.float64", "I", "U"}
    for (home, name), node in kernels().items():
        if home == module:
            for call in calls(node):
                if called_name(call) in ("np.zeros", "np.empty", "np.ones", "np.full", "np.array"):
                    kinds = [ast.unparse(arg) for arg in call.args[1:]] + [
                        ast.unparse(k.value) for k in call.keywords if k.arg == "dtype"
                    ]
                    assert {*kinds[-1:]} & plain, f"{name}: {ast.unparse(call)}"
                assert not called_name(call).endswith((".copy", ".view", ".astype", "_like", "recarray")), (
                    f"{name}: {ast.unparse(call)}"
                )


def test_kernels_never_recurse() -> None:
    graph = {
        (module, name): {
            names_in(module)[called_name(call)] for call in calls(node) if called_name(call) in names_in(module)
        }
        for (module, name), node in kernels().items()
    }
    done: set[tuple[str, str]] = set()
    left = {name: called & graph.keys() for name, called in graph.items()}
    assert sum(map(len, left.values())) > 200, "the calls are found"
    while left:
        ready = {name for name, called in left.items() if called <= done}
        assert ready, f"kernels call each other in a circle, among {sorted(left)}"
        done |= ready
        left = {name: called for name, called in left.items() if name not in ready}


def test_every_kernel_is_reached_from_a_door() -> None:
    """Python calls doors only, so a kernel that no door reaches is never run."""
    reached: set[tuple[str, str]] = set()
    fresh = {key for key, node in kernels().items() if decorator_names(node) & DOORS}
    while fresh:
        reached |= fresh
        called = {names_in(key[0]).get(called_name(call), key) for key in fresh for call in calls(kernels()[key])}
        fresh = (called & kernels().keys()) - reached
    assert not kernels().keys() - reached


# ---- compiled, bounds-checked and interpreted runs -------------------------------------------------------------------
GAMES = (
    ("usa", 2, 3, "balanced"),
    ("usa", 5, 0, "any"),
    ("europe", 3, 1, "stations"),
    ("mega-europe", 2, 5, "tunnels"),
    ("germany", 3, 2, "tickets"),
    ("tiny:3", 4, 3, "any"),
    ("tiny:8", 2, 8, "hoard"),
)


def run_python(code: str, environment: dict[str, str], path: Path = TESTS) -> str:
    """Output of a separate Python process that treats warnings as errors."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "WHISTLESTOP_", "PYTHON", "COV_"))}
    inherited |= {k: os.environ[k] for k in ("WHISTLESTOP_CACHE",) if k in os.environ}
    env = inherited | {"PYTHONPATH": str(path)} | environment
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, env=env, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.timeout(600)  # compiles the engine with bounds checks
@pytest.mark.parametrize("switch", ["NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT"])
def test_the_same_seed_gives_the_same_bytes_with_and_without_the_compiler(switch: str) -> None:
    code = f"from support import lockstep\nfor game in {GAMES!r}:\n    print(lockstep.digest(*game))"
    assert run_python(code, {switch: "1"}).split() == [lockstep.digest(*game) for game in GAMES]


def test_another_seed_gives_other_bytes() -> None:
    assert len({lockstep.digest("usa", 2, seed, "balanced") for seed in range(10)}) == 10


def test_whole_games_in_one_call_score_like_simulate_and_like_their_last_state() -> None:
    """The loop, the simulation on top of it, and the scoring of a single state give the same sheets."""
    tables = tables_of(load_edition("europe"))
    states, nets, borrowed = doors.scratch()
    sheets, steps = np.zeros((3, lay.MAX_PLAYERS, lay.SHEET), np.int64), np.zeros(3, np.int64)
    total = doors.random_games(states, tables, nets, 3, np.uint64(40), sheets, steps, borrowed)
    assert total == steps.sum() > 0
    rows = simulate("europe", 3, 3, seed=40)
    assert rows["total"].tolist() == sheets[:, :3, lay.TOTAL].reshape(-1).tolist()
    last = np.zeros((lay.MAX_PLAYERS, lay.SHEET), np.int64)
    doors.score(states, 0, tables, nets, last, borrowed)
    assert (last[:3] == sheets[2, :3]).all()


# ---- random numbers --------------------------------------------------------------------------------------------------
def opening(edition: str, players: int, seed: int, first: int = lay.NONE) -> tuple[Any, list[int]]:
    """A new game and the random outcomes of its setup."""
    states, log = np.zeros(1, lay.STATE), doors.new_log()
    doors.new_game(states, 0, tables_of(load_edition(edition)), players, first, doors.seed_words(seed), log)
    n = int(log[lay.LOG_COUNT])
    return states, log[lay.LOG_FIRST : lay.LOG_FIRST + n].tolist()


def chi_square(counts: Counter[int], shares: dict[int, float]) -> float:
    total = counts.total()
    assert counts.keys() <= shares.keys()
    return sum((counts[key] - total * share) ** 2 / (total * share) for key, share in shares.items())


ONE_IN_A_THOUSAND = {1: 10.8, 2: 13.8, 3: 16.3, 4: 18.5, 8: 26.1, 29: 58.3}
"""Critical value of chi-square by degrees of freedom."""


@pytest.mark.rule("SETUP-15")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_player_is_equally_likely_to_begin(players: int) -> None:
    first = Counter(int(opening("usa", players, seed)[0][0].first) for seed in range(4000))
    assert chi_square(first, dict.fromkeys(range(players), 1 / players)) < ONE_IN_A_THOUSAND[players - 1]


@pytest.mark.rule("SETUP-3")
def test_cards_and_tickets_are_dealt_uniformly() -> None:
    cards: Counter[int] = Counter()
    tickets: Counter[int] = Counter()
    for seed in range(4000):
        states, outcomes = opening("usa", 2, seed)
        cards[outcomes[30]] += 1  # after the first player and the 29 picks that shuffle thirty tickets
        tickets[int(states[0].offer[0, 0])] += 1
    assert chi_square(cards, dict.fromkeys(range(8), 12 / 110) | {lay.LOCO: 14 / 110}) < ONE_IN_A_THOUSAND[8]
    assert chi_square(tickets, dict.fromkeys(range(30), 1 / 30)) < ONE_IN_A_THOUSAND[29]


@pytest.mark.rule("SETUP-13")
def test_passengers_are_drawn_uniformly() -> None:
    spots: Counter[int] = Counter()
    for seed in range(3000):
        spots[int(opening("germany", 2, seed)[0][0].passengers[0])] += 1
    assert chi_square(spots, dict.fromkeys(range(6), 1 / 6)) < 20.5  # five degrees of freedom


@pytest.mark.parametrize("flip", [1, 2, 1 << 20, 1 << 32, 1 << 62])
def test_seeds_that_are_close_give_unrelated_games(flip: int) -> None:
    """Picks of the two ticket shuffles agree as often as independent ones: 1 in n for a pick below n."""
    agreed, expected, spread = 0, 0.0, 0.0
    for seed in range(500):
        ours, theirs = opening("usa", 2, seed)[1], opening("usa", 2, seed ^ flip)[1]
        for i in range(29):
            agreed += ours[1 + i] == theirs[1 + i]
            expected += 1 / (30 - i)
            spread += (1 - 1 / (30 - i)) / (30 - i)
    assert abs(agreed - expected) < 5 * spread**0.5


def test_extreme_seeds_give_sound_games() -> None:
    for seed in (0, 1, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1):
        states, outcomes = opening("europe", 5, seed)
        assert doors.status(states, 0, tables_of(load_edition("europe")), np.zeros(4000, np.int64)) == 0
        assert len(set(outcomes)) > 5, "the stream moves"


# ---- the log of outcomes ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("edition", ["usa", "mega-europe", "germany", "tiny:3"])
def test_a_game_replays_from_its_outcomes_alone(edition: str) -> None:
    game = lockstep.FastGame(edition, 3, 7, "balanced")
    for _ in game.walk():
        pass
    n = int(game.log[lay.LOG_COUNT])
    script = game.log.copy()
    script[lay.LOG_COUNT], script[lay.LOG_SCRIPTED] = 0, n + 1
    again = lockstep.FastGame(edition, 3, 7, "balanced")  # the same choices, with outcomes from the script
    again.log = script
    doors.new_game(again.states, 0, game.words.tables, 3, lay.NONE, doors.seed_words(123456), script)
    for _ in again.walk():
        pass
    assert same_but_rng(again.states, game.states)
    assert again.states[0].rng != game.states[0].rng
    assert script[lay.LOG_COUNT] == n
    assert script[lay.LOG_SCRIPTED] == n + 1, "the script was good"


def same_but_rng(one: Any, other: Any) -> bool:
    return all(one[name].tobytes() == other[name].tobytes() for name in lay.STATE.names or () if name != "rng")


def test_an_impossible_script_is_marked() -> None:
    tables = tables_of(load_edition("usa"))
    _, outcomes = opening("usa", 2, 5)
    for spoil, value in ((0, 2), (1, 30), (30, 9), (31, -1)):
        script = doors.new_log()
        script[lay.LOG_FIRST : lay.LOG_FIRST + len(outcomes)] = outcomes
        script[lay.LOG_SCRIPTED], script[lay.LOG_FIRST + spoil] = len(outcomes) + 1, value
        doors.new_game(np.zeros(1, lay.STATE), 0, tables, 2, lay.NONE, doors.seed_words(5), script)
        assert script[lay.LOG_SCRIPTED] == lay.BAD_SCRIPT, (spoil, value)
    short = doors.new_log()
    short[lay.LOG_FIRST : lay.LOG_FIRST + 10] = outcomes[:10]
    short[lay.LOG_SCRIPTED] = 11
    doors.new_game(np.zeros(1, lay.STATE), 0, tables, 2, lay.NONE, doors.seed_words(5), short)
    assert short[lay.LOG_SCRIPTED] == lay.BAD_SCRIPT


def test_the_log_holds_the_setup_and_then_the_cards_of_each_action() -> None:
    game = lockstep.FastGame("usa", 2, 3, "balanced")
    dealt = 1 + 29 + 2 * 4 + 5
    assert len(game.outcomes()) >= dealt - 1  # this seed sets the first player, so that one is not drawn
    for _ in game.walk():
        drawn = game.outcomes()
        assert all(0 <= kind < lay.KINDS for kind in drawn)


def test_a_full_log_goes_on_counting() -> None:
    small, large = doors.new_log(5), doors.new_log()
    tables = tables_of(load_edition("usa"))
    for log in (small, large):
        doors.new_game(np.zeros(1, lay.STATE), 0, tables, 2, lay.NONE, doors.seed_words(5), log)
    assert small[lay.LOG_COUNT] == large[lay.LOG_COUNT] > 5
    assert small[lay.LOG_FIRST :].tolist() == large[lay.LOG_FIRST : lay.LOG_FIRST + 5].tolist()


# ---- the compile cache -----------------------------------------------------------------------------------------------
def test_the_cache_key_changes_with_every_engine_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for part in ("engine", "mapfile"):
        shutil.copytree(SOURCE.parent / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(jit, "__file__", str(tmp_path / "engine" / "jit.py"))
    before = jit.source_digest()
    assert before == jit.source_digest()
    seen = {before}
    for path in sorted((tmp_path / "engine").glob("*.py")):
        path.write_text(path.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
        seen.add(jit.source_digest())
    (tmp_path / "engine" / "another.py").write_text("", encoding="utf-8")
    seen.add(jit.source_digest())
    assert len(seen) == len(list((tmp_path / "engine").glob("*.py"))) + 1


def test_the_cache_key_changes_with_bounds_checks_and_limits(tmp_path: Path) -> None:
    """The limits of the layout are compiled into kernels and defined outside the engine's folder."""
    shutil.copytree(SOURCE.parent, tmp_path / "whistlestop", ignore=shutil.ignore_patterns("__pycache__"))
    code = "import whistlestop.engine.jit as jit; print(jit.__file__, jit.source_digest())"
    keys = [run_python(code, {}, tmp_path), run_python(code, {"NUMBA_BOUNDSCHECK": "1"}, tmp_path)]
    assert all(key.startswith(str(tmp_path)) for key in keys)
    limits = next(
        path
        for path in (tmp_path / "whistlestop").rglob("*.py")
        if "\nMAX_TRAINS = " in path.read_text(encoding="utf-8")
    )
    text = limits.read_text(encoding="utf-8")
    assert text.count("\nMAX_LENGTH = 8\n") == 1
    limits.write_text(text.replace("\nMAX_LENGTH = 8\n", "\nMAX_LENGTH = 9\n"), encoding="utf-8")
    keys.append(run_python(code, {}, tmp_path))
    assert len(set(keys)) == 3


def test_another_copy_of_the_same_sources_is_not_taken_for_compiled(tmp_path: Path) -> None:
    """Numba keeps the kernels of each place apart: what is compiled here is of no use there."""
    code = "import whistlestop.engine.jit as jit; print(jit.__file__, jit.is_warm(), jit.source_digest())"
    cache = {"WHISTLESTOP_CACHE": str(tmp_path / "cache")}
    (tmp_path / "cache" / jit.source_digest()).mkdir(parents=True)
    (tmp_path / "cache" / jit.source_digest() / "warm").touch()
    assert run_python(code, cache).split() == [jit.__file__, "True", jit.source_digest()]
    shutil.copytree(SOURCE.parent, tmp_path / "copy" / "whistlestop", ignore=shutil.ignore_patterns("__pycache__"))
    file, warm, digest = run_python(code, cache, tmp_path / "copy").split()
    assert file.startswith(str(tmp_path))
    assert warm == "False"
    assert digest != jit.source_digest()


def test_kernels_run_without_a_writable_cache(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code = (
        "import numpy as np\nfrom whistlestop.engine import doors, jit, layout as lay\nassert jit.CACHE is None\n"
        "print(int(doors.take_seat(np.zeros(1, lay.STATE), 0, 0)), jit.is_warm())"
    )
    assert run_python(code, {"WHISTLESTOP_CACHE": str(tmp_path / "file" / "below")}).split() == ["0", "False"]
