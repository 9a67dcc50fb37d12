"""Break the server on purpose, one way after another, and see which tests notice.

    uv run --group test python scripts/break_server.py [--jobs 2] [--only WORD …] [--check]

Each breakage changes one place of a copy of `server/`; the rest of the package is the real one. The tests named with it
run against the copy and must fail. `--check` runs no test: it only checks that every breakage still applies.
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

SERVER = ROOT / "src" / "whistlestop" / "server"
SITE = """
import whistlestop
whistlestop.__path__.insert(0, {folder!r})  # the broken server is found before the real one, in every process
"""


_STORE = """\
        await self._services.store.append(self.id, draft.move.number, stored)
"""
BREAKAGES = (
    Breakage(
        "everybody sees the hand of whoever is on turn", "frames.py",
        "_cards(view.snapshot[views.HAND[player]]),",
        "orjson.dumps(self._game.view((*self._game.to_move, player)[0]).hand),",
        "test_leaks.py may_not_know and usa",
    ),
    Breakage(
        "spectators see what seat 1 sees", "frames.py",
        "_SPECTATOR if viewer is None else self._own_part(viewer),", "self._own_part(viewer or 0),",
        "test_tables.py spectators_see",
    ),
    Breakage(
        "blind draws are told to the others", "narration.py",
        'report.private["card"] = CARDS', 'report.public["card"] = CARDS',
        "test_leaks.py may_not_know and usa",
    ),
    Breakage(
        "first choices are told at once", "narration.py",
        '(report.private if before.phase == "first_tickets" else report.public)["kept"]', 'report.public["kept"]',
        "test_leaks.py choices_made_at_once",
    ),
    Breakage(
        "an action is shown before it is stored", "table.py",
        _STORE + "        game.apply(stored, draft)\n",
        "        game.apply(stored, draft)\n        self._show_game()\n" + _STORE,
        "test_stored_first.py never_seen",
    ),
    Breakage(
        "the key of another seat is accepted", "table_state.py",
        "if wanted not in held:", "if wanted >= len(self.seats):",
        "test_play.py what_is_wrong",
    ),
    Breakage(
        "a table that nobody listed is shown to strangers", "listing.py",
        "shown = tables.c.listed_at >= now - GONE_AFTER", "shown = tables.c.touched >= now - GONE_AFTER",
        "test_listing.py unless_its_host",
    ),
    Breakage(
        "the spectators' key of a listed table is given out before there is a game", "listing.py",
        'row["watch"] if row["status"] == "playing" else None', 'row["watch"]',
        "test_listing.py no_secret",
    ),
    Breakage(
        "a device with several seats has one vote", "table.py",
        "if not (voters := self.seats.voters(held)):", "if not (voters := self.seats.voters(held[:1])):",
        "test_tables.py one_vote",
    ),
    Breakage(
        "a stale number is accepted", "table_game.py",
        "if not least <= n <= self.n:", "if n > self.n:",
        "test_play.py what_is_wrong or one_wins",
    ),
    Breakage(
        "an action that is sent again is played again", "table_game.py",
        "        least = self._choice_since if self.simultaneous else self.n\n",
        "        n = self.n\n        least = self._choice_since if self.simultaneous else self.n\n",
        "test_play.py one_wins or what_is_wrong",
    ),
    Breakage(
        "a repeated action is refused", "table_game.py",
        "action in (move.action.id, move.action.text) else None", "action == move.action.text else None",
        "test_play.py sent_again",
    ),
    Breakage(
        "the seed is told before the end", "table_state.py",
        '"spectators": self.presence.spectators,\n            "seed_hash": self.seed_hash,',
        '"spectators": self.presence.spectators,\n            "seed_hash": self._seed,',
        "test_tables.py seed_is_the_one_promised",
    ),
    Breakage(
        "replays are open before the end", "table_state.py",
        'if self._game is None or self.status != "over":', "if self._game is None:",
        "test_tables.py end_tells_everything",
    ),
    Breakage(
        "chat takes control characters", "chat.py",
        "if not all(map(is_writable, text)):", "if not text:",
        "test_tables.py control_characters",
    ),
    Breakage(
        "no limit on messages and requests", "rate_limits.py",
        "if self.level < 1:", "if self.level < -1_000_000:",
        "test_bad_input.py too_many",
    ),
    Breakage(
        "a restart loses the last action", "table_state.py",
        "        for action in actions:\n            self._game.apply",
        "        for action in actions[:-1]:\n            self._game.apply",
        "test_crashes.py goes_on_where_it_was",
    ),
    Breakage(
        "the stand-in plays on after its player is back", "table.py",
        "self.seats.without_stand_in(seat)", "self.seats",
        "test_tables.py until_they_are_back",
    ),
    Breakage(
        "keys are stored as they are", "store.py",
        "return hashlib.sha256(key.encode()).hexdigest()", "return key",
        "test_store.py only_hashes",
    ),
    Breakage(
        "commits do not outlive the machine", "store.py",
        "synchronous=FULL", "synchronous=OFF",
        "test_store.py outlive",
    ),
    Breakage(
        "writers give a lock up one after another", "group_writer.py",
        "if len(writes) > 1 and _is_fault_of_one(error):", "if len(writes) > 1:",
        "test_store.py give_a_lock_up",
    ),
    Breakage(
        "pages of other sites may act", "app.py",
        "not allowed_origin(request, self.settings.origins)", "not request",
        "test_bad_input.py other_sites",
    ),
    Breakage(
        "seeds can be computed from what is seen", "hall.py",
        "LESSONS[lesson].seed if lesson else strong_seed()", "LESSONS[lesson].seed if lesson else secrets.randbits(63)",
        "test_versions.py strong_seed",
    ),
    Breakage(
        "a replay that goes another way is not noticed", "table_game.py",
        "if stored.outcome is not None and stored.outcome != outcome_text(draft.move):", "if stored.seat < 0:",
        "test_versions.py rows_are_broken",
    ),
    Breakage(
        "logs quote errors", "log.py",
        'lines.append(f"{type(error).__module__}.{type(error).__qualname__}")', 'lines.append(repr(error))',
        "test_failed_writes.py not_logged",
    ),
    Breakage(
        "coming back gives new time", "table.py",
        "await self._change_seats(self.seats.without_stand_in(seat))",
        "await self._change_seats(self.seats.without_stand_in(seat)); self._start_turn()",
        "test_tables.py no_new_time",
    ),
    Breakage(
        "a broken line can be voted on at once", "presence.py",
        "self._left.get(seat, self._since) >= self._grace", "self._left.get(seat, self._since) >= 0",
        "test_tables.py broken_line",
    ),
    Breakage(
        "a seat is given to whoever comes last", "store.py",
        "where = sa.and_(tables.c.id == table, tables.c.version == version)",
        "where = tables.c.id == table",
        "test_processes.py given_twice",
    ),
    Breakage(
        "other processes are not told", "group_writer.py",
        "await self._news.tell(connection, [write.news for write in writes if write.news])", "pass",
        "test_processes.py seen_at_the_other",
    ),
    Breakage(
        "nobody runs the tables of a dead process", "leases.py",
        "return runner not in self._alive", "return runner is None",
        "test_processes.py clock_runs_out",
    ),
    Breakage(
        "every socket has a limit of its own", "http.py",
        "lambda: state.speakers.take(client)", "lambda: state.speakers.take(str(id(socket)))",
        "test_hostile.py share_one_limit",
    ),
    Breakage(
        "an action whose player is cancelled is not shown", "shared_table.py",
        "                table.left_midway()\n", "",
        "test_cancelled.py cancelled and act",
    ),
    Breakage(
        "what was left midway is read before it is stored", "shared_table.py",
        "                await self._services.store.settle()\n", "",
        "test_cancelled.py cancelled and act",
    ),
    Breakage(
        "the host's addresses are open without a token", "app.py",
        "app.include_router(admin, dependencies=[Depends(check_token)])\n",
        "pass\n    app.include_router(admin)\n",
        "test_admin.py there_is_nothing",
    ),
    Breakage(
        "any token gives orders", "admin.py",
        "not hmac.compare_digest(given, f\"Bearer {settings.admin_token}\".encode()):", "not given:",
        "test_admin.py wrong_token",
    ),
    Breakage(
        "a table that the host has closed is played on", "table.py",
        "        self.dismissed = refused\n", "",
        "test_admin.py takes_no_action or waits_for_nobody",
    ),
    Breakage(
        "deleting a table leaves its chat", "host_store.py",
        "for part in (chat, keys, actions, jobs):", "for part in (keys, actions, jobs):",
        "test_admin.py leaves_nothing",
    ),
    Breakage(
        "an old link for spectators stays good", "table.py",
        "        self.seating.spectator_key = key\n", "",
        "test_admin.py closes_the_old_one",
    ),
    Breakage(
        "open sockets of a banned address stay", "bans.py",
        "if self.covers(client) for socket in own]", "if not client for socket in own]",
        "test_admin.py until_unbanned",
    ),
    Breakage(
        "a ban is forgotten with the process", "app.py",
        "            await _read_bans(store, app.state.bans)\n            app", "            app",
        "test_admin.py outlive",
    ),
    Breakage(
        "young tables are deleted with the old", "retention.py",
        "now - self._settings.keep, self._delete", "now, self._delete",
        "test_retention.py young_ones_stay",
    ),
    Breakage(
        "a table at which somebody sits is given up", "retention.py",
        "return table is not None and bool(table.listeners)", "return False",
        "test_retention.py young_ones_stay",
    ),
    Breakage(
        "sitting down does not keep a table", "seating.py",
        "seats=seats.rows(), touched=time.time())", "seats=seats.rows())",
        "test_retention.py young_ones_stay",
    ),
    Breakage(
        "names of people stay after their time", "retention.py",
        "_without_names if status in FINISHED else None", "None",
        "test_retention.py names_go",
    ),
    Breakage(
        "tickets of a real table are sent to every phone", "real_tables.py",
        '"tickets": held["tickets"] if mine or row["counted"] else None,', '"tickets": held["tickets"],',
        "test_real_tables.py tickets_are_sent",
    ),
    Breakage(
        "a real table that goes on is counted with hidden tickets", "real_tables.py",
        'known_tickets=range(len(found.players)) if row["counted"] else ()', "known_tickets=range(len(found.players))",
        "test_real_tables.py tickets_are_sent",
    ),
    Breakage(
        "a phone overwrites what another one at a real table has entered", "real_tables.py",
        'if before["version"] != request.version:', "if False:",
        "test_real_tables.py old_version",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Verdict:
    """The test that noticed a breakage; empty where none did."""

    breakage: Breakage
    test: str


def examine(breakage: Breakage) -> Verdict:
    """Run the tests of a breakage against a broken copy."""
    with tempfile.TemporaryDirectory(prefix="broken-") as name:
        folder = Path(name)
        package = folder / "package"
        shutil.copytree(SERVER, package / "server", ignore=shutil.ignore_patterns("__pycache__", "page", "page.new"))
        (package / "server" / breakage.file).write_text(broken_text(breakage, SERVER), encoding="utf-8")
        (folder / "sitecustomize.py").write_text(SITE.format(folder=str(package)), encoding="utf-8")
        where = run(["-c", "import whistlestop.server; print(whistlestop.server.__file__)"], folder).stdout
        if not where.startswith(str(package)):
            raise SystemExit(f"error: the broken copy is not the one imported, but {where}")
        file, _, expression = breakage.tests.partition(" ")
        options = ["-q", "-x", "-n0", "-p", "no:cacheprovider", "-k", expression]
        done = run(["-m", "pytest", *options, f"tests/server/{file}"], folder)
        if done.returncode not in (0, 1):
            raise SystemExit(f"error: {breakage.name}: pytest could not run\n{done.stdout}{done.stderr}")
        failed = re.search(r"^(?:FAILED|ERROR) tests/server/(\S+)", done.stdout, re.MULTILINE)
        return Verdict(breakage, failed[1] if failed else "")


def run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A Python that finds the broken server."""
    path = os.pathsep.join(map(str, (folder, ROOT / "src", ROOT / "tests")))
    env = os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=env, cwd=ROOT, check=False)


def main() -> None:
    """Examine the breakages and print the table."""
    chosen, options = choose(BREAKAGES, "server")
    check(chosen, SERVER, ROOT / "tests" / "server")
    if options.check:
        return
    verdicts: dict[str, str] = {}
    with ThreadPoolExecutor(options.jobs) as pool:
        for done in as_completed([pool.submit(examine, breakage) for breakage in chosen]):
            verdict = done.result()
            verdicts[verdict.breakage.name] = verdict.test
            noticed = verdict.test or "NOTHING"
            sys.stderr.write(f"{len(verdicts)}/{len(chosen)} {verdict.breakage.name}: noticed by {noticed}\n")
    sys.stdout.write("| breakage | test that fails |\n|---|---|\n")
    for breakage in chosen:
        sys.stdout.write(f"| {breakage.name} | {verdicts[breakage.name] or '–'} |\n")
    survivors = [name for name, test in verdicts.items() if not test]
    sys.stdout.write(f"{len(chosen) - len(survivors)} of {len(chosen)} caught\n")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
