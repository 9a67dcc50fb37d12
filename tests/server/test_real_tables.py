"""Real tables that are kept: phones enter them at the same time, nobody overwrites another, tickets stay hidden."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.cardboard import Phone, entered, finished
from support.clients import ServerThread, refusal, wait_until
from support.postgres import query
from support.scale import SCALE
from whistlestop.mapfile import editions, load_edition
from whistlestop.real_table import RealTable
from whistlestop.results import ALL_PASSED, count
from whistlestop.server.real_tables import last_turn
from whistlestop.server.retention import Retention
from whistlestop.server.settings import Limits

DAY = 86_400.0
GAMES = min(4 * SCALE, 100)
"""Finished games of each edition that are entered over HTTP; `words/test_real_table.py` counts many more."""
WORLD = load_edition("usa").board
SIX = [i for i, track in enumerate(WORLD.tracks) if track.length == 6]


@pytest.mark.parametrize("name", [edition.id for edition in editions()])
def test_finished_games_entered_by_phones_give_the_result_of_the_engine(server: ServerThread, name: str) -> None:
    edition = load_edition(name)
    for states, players in finished(edition, GAMES):
        names = "ABCDE"[:players]
        host = Phone.opening(server.url, name, *names)
        phones = [host, *(host.other() for _ in names[1:])]
        for seat, phone in enumerate(phones):
            if seat:
                phone.take(seat)
            held = entered(edition, states, seat)
            changed = phone.enter(
                seat, tracks=held.tracks, stations=held.stations, tickets=held.tickets, passengers=dict(held.passengers)
            )
            assert changed["refused"] == []
        truth = count(edition, states, tuple(names)).json()
        found = host.change(counted=True)["count"]
        if truth["ended_by"] == ALL_PASSED:  # nobody's trains tell that
            truth["ended_by"] = found["result"]["ended_by"]
        assert found["result"] == truth
        assert found["odd"] == []
        assert {phone.look()["count"] == found for phone in phones} == {True}


def test_points_and_trains_run_along_without_tickets(server: ServerThread) -> None:
    phone = Phone.opening(server.url, "usa", "Ada", "Ben")
    phone.enter(0, tracks=SIX[:2], tickets=[3, 4])
    found = phone.look()
    assert (found["count"]["trains"], found["count"]["result"]["players"][0]["routes"]) == ([33, 45], 30)
    assert found["count"]["result"]["players"][0]["failed"] == []
    assert (found["players"][0]["tickets"], found["players"][0]["ticket_count"]) == ([3, 4], 2)
    phone.enter(0, tracks=SIX[:1])
    assert phone.look()["count"]["trains"] == [39, 45]
    counted = phone.change(counted=True)
    assert len(counted["count"]["result"]["players"][0]["failed"]) == 2
    assert not phone.change(counted=False)["count"]["result"]["players"][0]["failed"]


def test_tickets_are_sent_to_the_phone_of_their_player_alone_until_the_count(server: ServerThread) -> None:
    host = Phone.opening(server.url, "europe", "Ada", "Ben", "Cleo")
    ben, looker = host.other(), host.other()
    ben.take(1)
    host.enter(0, tickets=[5])
    ben.enter(1, tickets=[7, 5])
    for phone, seen in ((host, [[5], None, []]), (ben, [None, [7, 5], None]), (looker, [None] * 3)):
        found = phone.look()
        assert [player["tickets"] for player in found["players"]] == seen
        assert [player["ticket_count"] for player in found["players"]] == [1, 2, 0]
        assert found["count"]["odd"] == []
    # nobody is told that a ticket of theirs lies in front of somebody else, too
    assert ben.enter(1, tickets=[5, 8])["refused"] == []
    host.change(counted=True)
    for phone in (host, ben, looker):
        found = phone.look()
        assert [player["tickets"] for player in found["players"]] == [[5], [5, 8], []]
        assert [odd["code"] for odd in found["count"]["odd"]] == ["ticket_taken"]


def test_what_is_odd_says_why_and_can_be_forced(server: ServerThread) -> None:
    phone = Phone.opening(server.url, "usa", "Ada", "Ben")
    phone.enter(1, tracks=[SIX[0]])
    refused = phone.enter(0, tracks=[SIX[0]])
    assert [(odd["code"], odd["track"]) for odd in refused["refused"]] == [("owned", SIX[0])]
    assert refused["table"]["players"][0]["tracks"] == []
    assert refused["table"] == phone.look()
    forced = phone.enter(0, tracks=[SIX[0]], force=True)
    assert [odd["code"] for odd in forced["table"]["count"]["odd"]] == ["owned"]
    # what is odd already holds up nothing else, what is odd anew does, and more of the same does not
    assert phone.enter(0, tracks=SIX[:3])["refused"] == []
    assert [odd["code"] for odd in phone.enter(0, tracks=SIX[:8])["refused"]] == ["trains"]
    assert phone.enter(0, tracks=SIX[:8], force=True)["refused"] == []
    assert phone.enter(0, tracks=SIX[:9])["refused"] == []


def test_a_change_to_an_old_version_is_refused(server: ServerThread) -> None:
    phone = Phone.opening(server.url, "usa", "Ada", "Ben")
    again = Phone(server.url, phone.table, phone.key)  # the same key on another device
    phone.enter(0, version=0, tracks=[1])
    assert again.refused("PATCH", "/players/0", json={"version": 0, "tracks": [2]}) == (409, "outdated")
    assert again.enter(1, version=0, tracks=[2])["table"]["players"][0]["tracks"] == [1]
    phone.change(running=True)
    assert again.refused("PATCH", json={"revision": 0, "turn": 1}) == (409, "outdated")


def test_phones_that_enter_at_once_lose_nothing(server: ServerThread) -> None:
    host = Phone.opening(server.url, "europe", *"ABCDE")
    phones = [host, *(host.other() for _ in range(4))]
    for seat, phone in enumerate(phones[1:], 1):
        phone.take(seat)

    def enter(seat: int) -> None:
        for n in range(1, 9):
            phones[seat].enter(seat, tracks=list(range(seat * 8, seat * 8 + n)), force=True)

    threads = [threading.Thread(target=enter, args=(seat,)) for seat in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = host.look()
    assert [player["tracks"] for player in found["players"]] == [list(range(8 * i, 8 * i + 8)) for i in range(5)]
    assert found["version"] == 4 + 40


@pytest.mark.parametrize(
    ("method", "path", "body", "code"),
    [
        ("PATCH", "/players/0", {"version": 0, "tracks": [1]}, (403, "not_your_player")),
        ("PATCH", "/players/4", {"version": 0, "tracks": [1]}, (404, "no_such_player")),
        ("PATCH", "", {"revision": 0, "counted": True}, (403, "no_player")),
        ("PATCH", "", {"revision": 0, "turn": 1}, (403, "no_player")),
        ("DELETE", "", None, (403, "no_player")),
        ("POST", "/players/7/take", None, (422, "malformed")),
    ],
)
def test_without_a_key_one_can_only_look(
    server: ServerThread, method: str, path: str, body: Any, code: tuple[int, str]
) -> None:
    looker = Phone.opening(server.url, "usa", "Ada", "Ben").other()
    assert looker.refused(method, path, json=body) == code
    looker.key = "x" * 24
    assert looker.refused(method, path, json=body) == code


def test_players_go_from_phone_to_phone(server: ServerThread) -> None:
    host = Phone.opening(server.url, "usa", "Ada", "Ben", "Cleo")
    guest, late = host.other(), host.other()
    guest.take(1)
    key = guest.key
    guest.take(1)
    guest.take(2)
    assert guest.key == key
    assert [(player["mine"], player["elsewhere"]) for player in guest.look()["players"]] == [
        (False, False), (True, True), (True, True),
    ]  # fmt: skip
    assert late.refused("POST", "/players/1/take") == (409, "player_taken")
    assert host.refused("PATCH", "/players/1", json={"version": 1, "tracks": [1]}) == (403, "not_your_player")
    assert guest.refused("PATCH", json={"revision": 0, "counted": True}) == (403, "not_host")
    assert guest.change(running=True, turn=1)["to_move"] == 1
    # tickets on the first phone are shown to nobody who only has the link
    host.enter(0, tickets=[2])
    assert late.refused("POST", "/players/0/take") == (409, "tickets_entered")
    # the opener can have a player back, but not what is hidden of it
    guest.enter(1, tickets=[3], tracks=[4])
    host.take(1)
    player = host.look()["players"][1]
    assert (player["mine"], player["tickets"], player["tracks"]) == (True, [], [4])
    host.change(counted=True)
    late.take(0)
    assert late.look()["players"][0]["tickets"] == [2]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"tracks": [1, 1]}, "bad_table"),
        ({"tracks": [255]}, "bad_table"),
        ({"tracks": [256]}, "malformed"),
        ({"tracks": list(range(90))}, "bad_table"),
        ({"stations": ["Denver"]}, "bad_table"),
        ({"tickets": [99]}, "bad_table"),
        ({"tickets": ["Denver–El Paso"]}, "malformed"),
        ({"passengers": {"red": 1}}, "bad_table"),
        ({"colour": 1}, "colour_taken"),
        ({"name": " "}, "malformed"),
        ({"name": "\u200b"}, "bad_name"),
        ({"name": "x" * 25}, "malformed"),
        ({"seed": 1}, "malformed"),
    ],
)
def test_what_cannot_be_entered_changes_nothing(server: ServerThread, change: dict[str, Any], code: str) -> None:
    phone = Phone.opening(server.url, "usa", "Ada", "Ben")
    before = phone.look()
    assert phone.refused("PATCH", "/players/0", json={"version": 0, "force": True, **change})[1] == code
    assert phone.look() == before


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"edition": "../etc"}, "no_such_edition"),
        ({"first": 2}, "wrong_first"),
        ({"players": [{"name": "A", "colour": 0}]}, "malformed"),
        ({"players": [{"name": "A", "colour": 0}, {"name": "B", "colour": 0}]}, "colour_taken"),
        ({"players": [{"name": "A", "colour": 0, "tracks": [250]}, {"name": "B", "colour": 1}]}, "bad_table"),
    ],
)
def test_what_cannot_be_opened_is_refused(server: ServerThread, change: dict[str, Any], code: str) -> None:
    body = {"edition": "usa", "players": [{"name": "A", "colour": 0}, {"name": "B", "colour": 1}]}
    answer = httpx.post(f"{server.url}/api/real-tables", json={**body, **change}, trust_env=False, verify=False)
    assert refusal(answer)[1] == code


def test_a_city_is_kept_by_its_own_name(server: ServerThread) -> None:
    phone = Phone.opening(server.url, "europe", "Ada", "Ben")
    assert phone.enter(0, stations=["rome"])["table"]["players"][0]["stations"] == ["Roma"]
    assert phone.refused("PATCH", "/players/0", json={"version": 1, "stations": ["Roma", "rome"]})[1] == "bad_table"


# ---- turns ----------------------------------------------------------------------------------------------------------
def test_the_last_round_is_told_by_trains_and_ends(server: ServerThread) -> None:
    phone = Phone.opening(server.url, "usa", "Ada", "Ben", "Cleo", running=True, first=1)
    assert (phone.look()["to_move"], phone.look()["turns_left"]) == (1, None)
    assert phone.change(turn=1)["to_move"] == 2
    lengths = [track.length for track in WORLD.tracks]
    almost = [*SIX[:7], lengths.index(1)]
    found = phone.enter(2, tracks=almost, force=True)["table"]
    assert (found["count"]["trains"][2], found["low"], found["turns_left"]) == (2, [2], None)
    assert [phone.change(turn=turn)["turns_left"] for turn in (2, 3, 4, 5)] == [3, 2, 1, 0]
    assert phone.look()["to_move"] == 0
    # a turn that was ended too early comes back, and so does a train that was a mistake
    assert [phone.change(turn=turn)["turns_left"] for turn in (4, 1, 2)] == [1, None, 3]
    phone.enter(2, tracks=SIX[:3])
    assert phone.change(turn=3)["turns_left"] is None


def test_the_last_turn() -> None:
    def row(turn: int, known: int | None) -> dict[str, Any]:
        return {"turn": turn, "last_turn": known}

    assert last_turn(row(4, None), 2, 5, low=True) == 6
    assert last_turn(row(5, 6), 2, 6, low=True) == 6
    assert last_turn(row(5, 6), 2, 4, low=True) is None
    assert last_turn(row(5, 6), 2, 6, low=False) is None


# ---- news -----------------------------------------------------------------------------------------------------------
def heard(phone: Phone, known: int, found: list[Any]) -> threading.Thread:
    """A phone that waits for another version."""
    thread = threading.Thread(target=lambda: found.append(phone.look(known=known, wait=30)))
    thread.start()
    return thread


def waits(server: ServerThread, table: str) -> bool:
    return table in server.hall.real_tables._waiting


def test_a_phone_that_waits_hears_of_a_change_at_once(server: ServerThread) -> None:
    host = Phone.opening(server.url, "usa", "Ada", "Ben")
    found: list[Any] = []
    thread = heard(host.other(), 0, found)
    wait_until(lambda: waits(server, host.table))
    began = time.monotonic()
    host.enter(0, tracks=[1])
    thread.join()
    assert time.monotonic() - began < 20
    assert found[0]["players"][0]["tracks"] == [1]
    assert not waits(server, host.table)
    # who knows an old version is not kept waiting, and who knows the newest is for as long as it asks
    assert host.look(known=0, wait=30)["version"] == 1
    assert host.look(known=1, wait=0.2)["version"] == 1


@pytest.fixture(scope="module")
def pair(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[ServerThread]]:
    """Two processes' worth of servers on one PostgreSQL."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                ServerThread(tmp_path_factory.mktemp("server"), database=postgres, keep=DAY, sweep_seconds=1e6)
            )
            for _ in range(2)
        ]


def test_phones_at_two_servers_see_each_other(pair: list[ServerThread]) -> None:
    host = Phone.opening(pair[0].url, "germany", "Ada", "Ben")
    guest = Phone(pair[1].url, host.table)
    guest.take(1)
    found: list[Any] = []
    thread = heard(guest, 1, found)
    wait_until(lambda: waits(pair[1], host.table))
    host.enter(0, passengers={"red": 2}, tickets=[1])
    thread.join()
    assert found[0]["players"][0]["passengers"] == {"red": 2}
    assert found[0]["players"][0]["tickets"] is None
    versions = [phone.look()["players"][1]["version"] for phone in (host, guest)]
    guest.enter(1, version=versions[0], tracks=[3])
    assert guest.refused("PATCH", "/players/1", json={"version": versions[0], "tracks": [4]}) == (409, "outdated")
    thread = heard(guest, guest.look()["version"], found)
    wait_until(lambda: waits(pair[1], host.table))
    host.ask("DELETE")
    wait_until(lambda: not waits(pair[1], host.table))
    thread.join()
    assert guest.refused("GET") == (404, "no_such_table")


def test_old_real_tables_go_on_postgres(pair: list[ServerThread], postgres: str) -> None:
    old, young = (Phone.opening(pair[0].url, "usa", "Ada", "Ben") for _ in range(2))
    text = f"update real_tables set touched = touched - {2 * DAY} where id = :t returning id"
    assert query(postgres, text, t=old.table)
    pair[0].run(lambda: Retention(pair[0].hall).sweep(time.time()))
    assert old.refused("GET") == (404, "no_such_table")
    assert young.look()["id"] == young.table


def test_whoever_waits_is_answered_when_the_server_stops(folder: Path) -> None:
    found: list[Any] = []
    with ServerThread(folder) as server:
        host = Phone.opening(server.url, "usa", "Ada", "Ben")
        thread = heard(host, 0, found)
        wait_until(lambda: waits(server, host.table))
        server.run(server.hall.begin_to_close)  # as the program does when it is told to stop
        thread.join(10)
        assert not thread.is_alive()
        assert found[0]["version"] == 0


# ---- keeping --------------------------------------------------------------------------------------------------------
def aged(folder: Path, table: str, days: float) -> None:
    with closing(sqlite3.connect(folder / "whistlestop.db", timeout=30)) as database, database:
        database.execute(f"update real_tables set touched = touched - {days * DAY} where id = ?", (table,))


def rows(folder: Path, table: str) -> list[int]:
    with closing(sqlite3.connect(folder / "whistlestop.db", timeout=30)) as database:
        pairs = (("real_tables", "id"), ("real_players", "table_id"))
        texts = [f"select count(*) from {name} where {key} = ?" for name, key in pairs]
        return [int(database.execute(text, (table,)).fetchone()[0]) for text in texts]


def test_a_table_outlives_a_restart(folder: Path) -> None:
    with ServerThread(folder) as server:
        phone = Phone.opening(server.url, "usa", "Ada", "Ben", running=True)
        phone.enter(0, tracks=[1, 2], tickets=[3])
        before = phone.change(turn=1)
    with ServerThread(folder) as server:
        phone.url = server.url
        assert phone.look() == before


def test_old_tables_go_and_young_ones_stay(folder: Path) -> None:
    with ServerThread(folder, keep=90 * DAY, sweep_seconds=1e6) as server:
        old, young, changed = (Phone.opening(server.url, "usa", "Ada", "Ben") for _ in range(3))
        for phone, days in ((old, 91), (young, 89), (changed, 91)):
            aged(folder, phone.table, days)
        changed.enter(0, tracks=[1])
        server.run(lambda: Retention(server.hall).sweep(time.time()))
        assert [rows(folder, phone.table) for phone in (old, young, changed)] == [[0, 0], [1, 2], [1, 2]]
        assert old.refused("GET") == (404, "no_such_table")


def test_names_go_with_the_chat_once_a_table_is_counted(folder: Path) -> None:
    with ServerThread(folder, keep_chat=7 * DAY, sweep_seconds=1e6) as server:
        old, young, going_on = (Phone.opening(server.url, "usa", "Ada", "Ben") for _ in range(3))
        for phone in (old, young):
            phone.change(counted=True)
        for phone in (old, going_on):
            aged(folder, phone.table, 8)
        server.run(lambda: Retention(server.hall).sweep(time.time()))
        names = [[player["name"] for player in phone.look()["players"]] for phone in (old, young, going_on)]
        assert names == [["Player 1", "Player 2"], ["Ada", "Ben"], ["Ada", "Ben"]]
        assert old.enter(0, tracks=[1])["refused"] == []


def test_whoever_opened_a_table_can_delete_it(folder: Path) -> None:
    with ServerThread(folder) as server:
        host = Phone.opening(server.url, "usa", "Ada", "Ben")
        guest = host.other()
        guest.take(1)
        assert guest.refused("DELETE") == (403, "not_host")
        assert host.ask("DELETE").status_code == 204
        assert rows(folder, host.table) == [0, 0]
        assert host.refused("PATCH", "/players/0", json={"version": 0, "tracks": [1]}) == (404, "no_such_table")


def test_neither_keys_nor_tickets_nor_names_are_logged(
    folder: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level("INFO")
    with ServerThread(folder) as server:
        phone = Phone.opening(server.url, "usa", "Wilhelmina", "Ben")
        phone.enter(0, tickets=[17])
        phone.change(counted=True)
        phone.ask("DELETE")
    told = " ".join((caplog.text, *(str(record.__dict__) for record in caplog.records), *capfd.readouterr()))
    assert "real table opened" in told
    assert str(phone.key) not in told
    assert "Wilhelmina" not in told
    stored = (folder / "whistlestop.db").read_bytes() + b"".join(p.read_bytes() for p in folder.glob("*-wal"))
    assert str(phone.key).encode() not in stored


def test_opening_is_limited(folder: Path) -> None:
    with ServerThread(folder, limits=Limits(tables_an_hour=1)) as server:
        for _ in range(10):
            Phone.opening(server.url, "usa", "Ada", "Ben")
        with pytest.raises(AssertionError, match="too many tables"):
            Phone.opening(server.url, "usa", "Ada", "Ben")


def test_an_edition_that_is_gone_makes_its_tables_unreadable(folder: Path) -> None:
    with ServerThread(folder) as server:
        phone = Phone.opening(server.url, "usa", "Ada", "Ben")
        with closing(sqlite3.connect(folder / "whistlestop.db", timeout=30)) as database, database:
            database.execute("""update real_players set holdings = replace(holdings, '[]', '[251]')""")
        assert phone.refused("GET") == (410, "unreadable")


def test_a_count_is_quick_enough_for_every_tap() -> None:
    edition = load_edition("germany")
    states, players = next(finished(edition, 1))
    table = RealTable(edition, tuple("ABCDE"[:players]), tuple(entered(edition, states, p) for p in range(players)))
    table.count()
    seconds = []
    for _ in range(5):
        began = time.perf_counter()
        table.count(force=True)
        seconds.append(time.perf_counter() - began)
    assert min(seconds) < 0.05
