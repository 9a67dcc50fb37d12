"""Break the engine by hand, one rule at a time, and see that the tests notice.

    uv run python scripts/break_engine.py [--jobs 2] [--only NAME …] [--check]

Each breakage is a small change to a copy of the sources. The rule tests that should notice it run against the copy, and
the lock-step check against the reference on random boards; both without compiling, which is quicker here. Prints a
table of which test noticed what, and exits with 1 if a breakage survives. With --check it runs no test: it only checks
that every breakage still applies to the sources and names existing tests.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from breakages import ROOT, Breakage, broken_text, check, choose

ENGINE = ROOT / "src" / "whistlestop" / "engine"
LOCKSTEP = """
import sys
from support import lockstep
for board in range(60):
    try:
        lockstep.play(f"tiny:{board}", lockstep.PLAYERS[board % 4], board)
    except Exception as error:
        sys.exit(f"DIFFERENCE in game {board + 1}: {error}")
"""


BREAKAGES = (
    Breakage(
        "a face-up card is replaced only after the turn", "rules.py",
        "    state.known[player, kind] += 1\n    fill_face_up(state, log)\n",
        "    state.known[player, kind] += 1\n    if state.phase == SECOND_CARD:\n        fill_face_up(state, log)\n",
        "test_rules_draw.py replaced",
    ),
    Breakage(
        "double routes stay open at three players", "rules.py",
        "if state.players < tables.parallel_from:", "if state.players + 1 < tables.parallel_from:",
        "test_rules_claim.py below_four_players and (3 or triple)",
    ),
    Breakage(
        "tie-breaks in the wrong order", "tables.py",
        "for i, name in enumerate(edition.tie_breaks):", "for i, name in enumerate(reversed(edition.tie_breaks)):",
        "test_rules_end.py tickets_come_before or before_fewest",
    ),
    Breakage(
        "a face-up locomotive as the second card", "legal.py",
        "if kind != NONE and not (kind == LOCO and state.phase == SECOND_CARD):", "if kind != NONE:",
        "test_rules_draw.py second_card",
    ),
    Breakage(
        "locomotives turned up cost a tunnel nothing", "rules.py",
        "return kind == LOCO or kind == colour", "return kind == colour",
        "test_rules_claim.py each_match",
    ),
    Breakage(
        "returned tickets go on top of the deck", "tickets.py",
        "    place = ring(state, tables, deck, I(state.ticket_count[deck]))\n",
        "    size = tables.deck_size[deck]\n"
        "    state.ticket_head[deck] = (I(state.ticket_head[deck]) + size - 1) % size\n"
        "    place = ring(state, tables, deck, I(0))\n",
        "test_rules_tickets.py bottom",
    ),
    Breakage(
        "the last round is a turn short", "rules.py",
        "state.last_turns = state.players\n", "state.last_turns = state.players - 1\n",
        "test_rules_end.py last_turn",
    ),
    Breakage(
        "every station costs one card", "legal.py",
        "return popcount(state.stations[player]) + 1", "return 1",
        "test_rules_stations.py cost_one_two_and_three",
    ),
    Breakage(
        "a second prize for passengers beside a shared first", "scoring.py",
        "elif n > 0 and n == second and ahead == 1:", "elif n > 0 and n == second:",
        "test_rules_passengers.py earns_twenty",
    ),
    Breakage(
        "a reshuffle takes the cards laid for a tunnel", "cards.py",
        "            state.deck[kind] = state.discard[kind]\n",
        "            state.deck[kind] = state.discard[kind] + state.laid[kind]\n"
        "            state.discard_n += state.laid[kind]\n            state.laid[kind] = 0\n",
        "test_rules_rulings.py reshuffle",
    ),
    Breakage(
        "the longest path looks at one network only", "graph.py",
        "        left &= left - ONE\n        if net.bound[root] > best:",
        "        left = ZERO\n        if net.bound[root] > best:",
        "test_graph.py known_answer or anywhere_on_a_board",
    ),
    Breakage(
        "tangled paths count every track twice", "graph.py",
        "best = max(best, weight // 2)", "best = max(best, weight)",
        "test_graph.py brute_force",
    ),
    Breakage(
        "tickets completed by stations count twice", "scoring.py",
        "completed += value & 255", "completed += 2 * (value & 255)",
        "test_scoring.py brute_force",
    ),
    Breakage(
        "Mega asks no more of who kept no long ticket", "tickets.py",
        "min(tables.deal_least_otherwise[deal], I(state.offer_n[player]))",
        "min(tables.deal_least[deal], I(state.offer_n[player]))",
        "test_rules_setup.py mega_then",
    ),
    Breakage(
        "passing never ends the game", "rules.py",
        "if state.passes == state.players:", "if state.passes > state.players:",
        "test_rules_rulings.py all_have_passed",
    ),
    Breakage(
        "three face-up locomotives stay", "cards.py",
        "while face_up_locos(state) >= 3 and sweep_helps(state):",
        "while face_up_locos(state) >= 4 and sweep_helps(state):",
        "test_rules_draw.py sweeps_all_five",
    ),
    Breakage(
        "ferries ask for no locomotive", "tables.py",
        "for locos in range(track.ferry, track.length):", "for locos in range(track.length):",
        "test_rules_claim.py ferry",
    ),
    Breakage(
        "opponents' hands stand in a view", "hidden.py",
        "state.hand[other, kind] = state.known[other, kind]", "state.hand[other, kind] = state.hand[other, kind]",
        "test_hidden.py no_secret_number and usa",
    ),
    Breakage(
        "sweeps stop beside a deck of five", "cards.py",
        "    return plain >= 3\n", "    return plain >= 3 and state.deck_n != FACE_UP\n",
        "test_rules_rulings.py shuffled_together",
    ),
    Breakage(
        "a sweep renews the deck as soon as it is empty", "cards.py",
        "            state.face_up[slot] = top_card(state, log)\n",
        "            state.face_up[slot] = draw_card(state, log)\n",
        "test_rules_rulings.py shuffled_together or cannot_come_back",
    ),
    Breakage(
        "a returned first ticket is dealt to an opponent", "hidden.py",
        "        if viewer != SPECTATOR:\n            deal_lost(", "        if False:\n            deal_lost(",
        "test_redeal.py stay_in_the_deck and germany",
    ),
    Breakage(
        "who drew a returned ticket is not seen", "memory.py",
        "            if kept > 0:\n", "            if kept > 9:\n",
        "test_redeal.py no_redeal_contradicts and usa-3",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Verdict:
    """What noticed a breakage; empty where nothing did."""

    breakage: Breakage
    rule_test: str
    lockstep: str


def broken_copy(breakage: Breakage, folder: Path) -> Path:
    """The sources with one change."""
    source = folder / "src"
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
    (source / "whistlestop" / "engine" / breakage.file).write_text(broken_text(breakage, ENGINE), encoding="utf-8")
    return source


def run(arguments: list[str], source: Path) -> subprocess.CompletedProcess[str]:
    """A Python that imports the broken copy instead of the package, and compiles nothing."""
    path = os.pathsep.join((str(source), str(ROOT / "tests")))
    env = os.environ | {"PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=env, cwd=ROOT, check=False)


def examine(breakage: Breakage) -> Verdict:
    """Run the tests against a broken copy."""
    with tempfile.TemporaryDirectory(prefix="broken-") as folder:
        source = broken_copy(breakage, Path(folder))
        where = run(["-c", "import whistlestop; print(whistlestop.__file__)"], source).stdout
        if not where.startswith(str(source)):
            raise SystemExit(f"the broken copy is not the one imported, but {where}")
        file, _, expression = breakage.tests.partition(" ")
        rules = run(
            ["-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider", f"tests/engine/{file}", "-k", expression],
            source,
        )
        if rules.returncode not in (0, 1):
            raise SystemExit(f"{breakage.name}: pytest could not run\n{rules.stdout}{rules.stderr}")
        failed = re.search(r"^FAILED tests/engine/(\S+)", rules.stdout, re.MULTILINE)
        lockstep = run(["-c", LOCKSTEP], source)
        difference = re.search(r"DIFFERENCE in (game \d+)", lockstep.stderr)
        if lockstep.returncode and not difference:
            raise SystemExit(f"{breakage.name}: lock-step could not run\n{lockstep.stderr}")
        return Verdict(breakage, failed[1] if failed else "", difference[1] if difference else "")


def main() -> None:
    """Examine the breakages and print the table."""
    chosen, options = choose(BREAKAGES, "engine")
    check(chosen, ENGINE, ROOT / "tests" / "engine")
    if options.check:
        return
    verdicts: dict[str, Verdict] = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        for done in as_completed([pool.submit(examine, breakage) for breakage in chosen]):
            verdict = done.result()
            verdicts[verdict.breakage.name] = verdict
            noticed = (
                " and ".join(filter(None, (verdict.rule_test, verdict.lockstep and f"lock-step, {verdict.lockstep}")))
                or "NOTHING"
            )
            sys.stderr.write(f"{len(verdicts)}/{len(chosen)} {verdict.breakage.name}: noticed by {noticed}\n")
    sys.stdout.write("| breakage | rule test that fails | lock-step on random boards differs in |\n|---|---|---|\n")
    for breakage in chosen:
        verdict = verdicts[breakage.name]
        sys.stdout.write(f"| {breakage.name} | {verdict.rule_test or '–'} | {verdict.lockstep or '–'} |\n")
    survivors = [name for name, verdict in verdicts.items() if not verdict.rule_test and not verdict.lockstep]
    sys.stdout.write(f"{len(chosen) - len(survivors)} of {len(chosen)} caught\n")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
