"""What holds for all tests: rule marks and their list, slow folders, what is got ready before the workers start.

A test names the rules it proves, and `pytest --rules` lists every rule with its tests.
"""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression

from support.scale import SCALE

TESTS = Path(__file__).parent
BROWSER = TESTS / "browser"
ENVS = TESTS / "envs"
WITH_ENVS = ("test_docs.py", "test_examples.py", "test_learned_bot.py", "test_learners.py")
"""Files whose tests use the environments."""
WITH_BOTS = (TESTS / "bots", TESTS / "server", BROWSER)
"""Folders whose slow tests play with bots that are compiled."""
SLOW = (
    "arena/test_ray.py",
    "arena/test_tournament.py",
    "arena/test_worker_pool.py",
    "bots/test_every_bot.py",
    "bots/test_level_bots.py",
    "browser",
    "engine/test_graph.py",
    "engine/test_hidden.py",
    "engine/test_kernels.py",
    "engine/test_lockstep.py",
    "engine/test_scoring.py",
    "envs",
    "server/test_api.py",
    "server/test_bad_input.py",
    "server/test_bot_processes.py",
    "server/test_crashes.py",
    "server/test_host.py",
    "server/test_leaks.py",
    "server/test_levels.py",
    "server/test_own_bots.py",
    "server/test_play.py",
    "server/test_postgres.py",
    "server/test_server_docs.py",
    "server/test_sick_databases.py",
    "test_docs.py",
    "test_examples.py",
    "test_learned_bot.py",
    "test_learners.py",
    "words/test_record.py",
    "words/test_view.py",
)
"""Folders and files that are marked slow: they play many games, start processes, fuzz, or try every case by force."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rules",
        action="store_true",
        help="list every rule id with the tests that prove it, run nothing; fails on a rule without one",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("timeout", None) is None:  # the plugin reads the option before its setting
        config.option.timeout = SCALE * float(config.getini("timeout"))
    if config.getoption("--rules"):
        config.option.dist, config.option.tx = "no", []  # the listing needs all tests in one process
    elif not hasattr(config, "workerinput") and not config.option.collectonly:
        _compile_once()
        if _selects(config, ENVS, *(TESTS / name for name in WITH_ENVS)):
            _compile_environments()
        if _selects(config, *WITH_BOTS):
            _compile_bots()
        if _selects(config, BROWSER):
            _get_chromium()


def _selects(config: pytest.Config, *folders: Path) -> bool:
    """Whether slow tests of some folders may run: those named on the command line, unless -m leaves slow ones out."""
    if not _selects_slow(config):
        return False
    named = [(config.invocation_params.dir / argument.partition("::")[0]).resolve() for argument in config.args]
    return any(folder.is_relative_to(path) or path.is_relative_to(folder) for path in named for folder in folders)


def _selects_slow(config: pytest.Config) -> bool:
    """Whether -m may let tests run that are marked slow, with or without other marks."""
    if not (expression := config.getoption("-m")):
        return True
    chosen = Expression.compile(expression)
    return chosen.evaluate(_is_slow) or chosen.evaluate(_is_any)


def _is_slow(mark: str, /, **_: object) -> bool:
    return mark == "slow"


def _is_any(_mark: str, /, **_: object) -> bool:
    return True


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import what is left out: the libraries of the slow tests take seconds."""
    left_out = not _selects_slow(config) and any(collection_path == TESTS / name for name in SLOW)
    return True if left_out else None


def _get_chromium() -> None:
    """Find or install a browser before the workers start, where its progress can be read."""
    from support.chromium import HINT, NoChromium, ensure_chromium

    try:
        ensure_chromium(sys.stderr.write)
    except NoChromium as error:
        raise pytest.UsageError(f"{error}\n{HINT}") from None


def _compile_once() -> None:
    """Compile the engine before the workers start, so that they load it instead of all compiling the same."""
    from whistlestop.engine.jit import is_warm
    from whistlestop.engine.warmup import warm_up

    if not is_warm():
        sys.stderr.write("compiling the engine, once for all tests …\n")
        warm_up()


def _compile_environments() -> None:
    """The same for the environments."""
    from whistlestop.envs.preparing import are_prepared

    if not are_prepared():
        sys.stderr.write("compiling the environments, once for all tests …\n")
        subprocess.run([sys.executable, "-m", "whistlestop.envs.preparing"], check=True)


COMPILE = """
import sys
from whistlestop.bots.readiness import make_ready

make_ready(sys.argv[1])
if sys.argv[1] == "planner":  # several tests play matches of planners, which have a door of their own
    from whistlestop.bots.planner.match import PlannerMatch
    from whistlestop.bots.planner.parameters import parameters_for
    from whistlestop.mapfile import load_edition

    values = parameters_for(load_edition("usa"), 2)
    PlannerMatch(load_edition("usa"), 2).play(values, values, 1, 1)
"""


def _compile_bots() -> None:
    """The same for the bots that have kernels of their own: those of different kernels side by side."""
    from whistlestop.bots import bot
    from whistlestop.bots.levels import level_entrants
    from whistlestop.bots.readiness import is_ready, kernel_folders

    named = [entrant.name for entrant in level_entrants().values() if not is_ready(entrant.name)]
    first = {kernel_folders(bot(name)): name for name in reversed(named)}  # characters share the kernels of their bot
    running = {}
    for name in first.values():
        sys.stderr.write(f"compiling the bot {name}, once for all tests …\n")
        running[name] = subprocess.Popen([sys.executable, "-c", COMPILE, name])
    if failed := [name for name, process in running.items() if process.wait()]:
        raise pytest.UsageError(f"these bots could not be compiled, see above: {', '.join(failed)}")


def _proofs(items: list[pytest.Item]) -> dict[str, list[str]]:
    """Each rule id with the names of its tests, parametrised ones once.

    Tests of the reference prove nothing of the engine.
    """
    proofs: dict[str, dict[str, None]] = defaultdict(dict)
    for item in items:
        if item.path.name == "test_reference.py":
            continue
        for mark in item.iter_markers("rule"):
            for rule in mark.args:
                proofs[rule][item.nodeid.partition("[")[0]] = None
    return {rule: list(tests) for rule, tests in proofs.items()}


@pytest.hookimpl(tryfirst=True)  # the marks are there before -m chooses
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    from whistlestop.rulebook import all_ids

    slow = [TESTS / name for name in SLOW]
    for item in items:
        if any(item.path.is_relative_to(path) for path in slow):
            item.add_marker("slow")
    proofs = _proofs(items)
    if unknown := proofs.keys() - set(all_ids()):
        raise pytest.UsageError(f"tests name rules that do not exist: {', '.join(sorted(unknown))}")
    config.stash[_PROOFS] = proofs
    if config.getoption("--rules"):
        items.clear()


_PROOFS = pytest.StashKey[dict[str, list[str]]]()


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not session.config.getoption("--rules"):
        return
    from whistlestop.rulebook import all_ids

    proofs = session.config.stash.get(_PROOFS, {})
    lines = []
    for rule in all_ids():
        tests = proofs.get(rule, [])
        lines.append(f"{rule}  {len(tests) or 'NO'} test{'' if len(tests) == 1 else 's'}")
        lines += [f"    {test}" for test in tests]
    missing = [rule for rule in all_ids() if rule not in proofs]
    lines.append(f"{len(all_ids())} rules, {len(missing)} without a test{': ' + ', '.join(missing) if missing else ''}")
    sys.stdout.write("\n" + "\n".join(lines) + "\n")
    failed = missing or session.testsfailed  # of the latter there are only files that cannot be read
    session.exitstatus = pytest.ExitCode.TESTS_FAILED if failed else pytest.ExitCode.OK
