"""Hostile map files: a clear error within a second, nothing read from the disk, and nobody else notices."""

from __future__ import annotations

import random
import re
import threading
import time
from pathlib import Path

import httpx
import pytest

from support.clients import ServerThread, open_table
from whistlestop.mapfile import MAPS, editions, parse_board
from whistlestop.server import board_reader
from whistlestop.server.strange_boards import (
    LARGEST_BOARD,
    MOST_TRACKS_OF_A_PLAYER,
    BoardFault,
    ReadBoard,
    most_tracks,
    read_strange_board,
)

found = re.search(r"```toml\n(id     = \"islands\".*?)```", (MAPS / "README.md").read_text("utf-8"), re.DOTALL)
assert found
ISLANDS = found[1]
ROOM = LARGEST_BOARD - 20
HEAD, _, TAIL = ISLANDS.partition("[[edition]]")


def fault_of(text: bytes) -> BoardFault:
    """Why a file is refused; within a second of the processor's time."""
    assert len(text) <= LARGEST_BOARD
    began = time.process_time()
    answer = read_strange_board(text)
    assert time.process_time() - began < 1.0
    assert isinstance(answer, BoardFault)
    assert 0 < len(answer.message) < 500
    return answer


def drawn(text: str) -> ReadBoard:
    answer = read_strange_board(text.encode())
    assert isinstance(answer, ReadBoard), answer
    return answer


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "missing key `id`"),
        (b"\0" * ROOM, "not valid TOML"),
        (bytes(range(256)) * (ROOM // 256), "not UTF-8 text: byte 0x80 in line 2"),
        (ISLANDS.encode("utf-16"), "not UTF-8 text"),
        (ISLANDS.replace("Northport", "N\u00f6rdport").encode("latin-1"), "not UTF-8 text: byte 0xf6 in line 6"),
        (b"a = " + b"[" * ROOM, "nested too deeply"),
        (b"a = " + b"[" * (ROOM // 2) + b"]" * (ROOM // 2), "nested too deeply"),
        (b"a = " + b"{a=" * (ROOM // 3), "nested too deeply"),
        (b"a." * (ROOM // 2) + b"b = 1", ""),
        (b"[" + b"a." * (ROOM // 2) + b"b]", ""),
        (b"".join(b"a." * 90 + b"b%d = 1\n" % i for i in range(ROOM // 200)), "unknown key `a`"),
        (b"".join(b"[a%d.b.c.d.e.f.g]\n" % i for i in range(ROOM // 25)), ""),
        (b"[[a.b.c.d.e.f.g.h.i]]\n" * (ROOM // 22), "unknown key `a`"),
        (b"".join(b"k%d = 1\n" % i for i in range(ROOM // 12)), "unknown key `k0`"),
        (b"k" * (ROOM - 10) + b" = 1", "unknown key"),
        (b"id = " + b"9" * (ROOM - 10), "not valid TOML"),
        (b"id = 0x" + b"f" * (ROOM - 10), "found a huge number"),
        (b'id = "' + b"a" * (ROOM - 10) + b'"', "found a text of"),
        (b'id = """' + b'"\\' * (ROOM // 2 - 10), "not valid TOML"),
        (b"a = [" + b"," * (ROOM - 10) + b"]", "not valid TOML"),
        (f"{HEAD}[drawing]\ncompass = [{'9' * 4000}, nan]\n[[edition]]{TAIL}".encode(), "`compass` must be two"),
        (f"{HEAD}[drawing]\ncar = inf\n[[edition]]{TAIL}".encode(), "`car` must be a number"),
        (ISLANDS.replace("lat = 58.2", "nudge = [nan, inf], lat = 58.2").encode(), "`nudge` must be"),
        (ISLANDS.replace("tickets = [", f"tickets = [{'{ from = 1 },' * 1001}", 1).encode(), "1 to 1000 entries"),
    ],
    ids=lambda value: repr(value[:20])[2:-1] if isinstance(value, bytes) else "",
)  # fmt: skip
def test_a_hostile_file_is_refused_within_a_second(text: bytes, said: str) -> None:
    assert said in fault_of(text).message


def test_a_hundred_editions_are_too_many_for_a_server() -> None:
    many = "".join(f"[[edition]]{TAIL}".replace(' "islands"', f' "e{i}"', 1) for i in range(100))
    fault = fault_of((HEAD + many).encode())
    assert "100 editions, a server takes 12" in fault.message
    assert fault.line == (HEAD + many).partition('"e12"')[0].count("\n")


@pytest.mark.parametrize("land", ['"../../../etc/passwd"', '"/etc/passwd"', '["usa"]', '"world"'])
def test_nothing_that_a_file_says_is_read_from_the_disk(land: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn(ISLANDS)  # what a drawing needs of the package is there now
    opened: list[Path] = []
    monkeypatch.setattr(Path, "open", lambda self, *_args, **_more: opened.append(self))
    fault = fault_of(f"{HEAD}[drawing]\nland = {land}\n[[edition]]{TAIL}".encode())
    assert "unknown land" in fault.message
    assert not opened


def test_script_in_names_is_text() -> None:
    name = "<script>alert(1)</script>"
    board = drawn(ISLANDS.replace('"The Islands"', f'"{name}"').replace("Milltown", "<img src=x onerror=alert(1)>"))
    for picture in board.pictures.values():
        assert "<script" not in picture
        assert "<img" not in picture
    assert "&lt;script&gt;" in board.pictures["light"]
    assert b"<img src=x onerror=alert(1)>" in board.drawing  # JSON: the page shows it as text


# ---- tangled graphs -------------------------------------------------------------------------------------------------
def tangled(cities: int, tracks: int, trains: int, longest_path: int) -> str:
    """A board of tracks of one space between any cities."""
    rng = random.Random(1)
    pairs = [(i, i + 1) for i in range(cities - 1)]
    while len(pairs) < tracks:
        a, b = sorted(rng.sample(range(cities), 2))
        if pairs.count((a, b)) < 3:
            pairs.append((a, b))
    places = (f'{{ name = "C{i}", lat = {rng.uniform(-60, 60)}, lon = {rng.uniform(-99, 99)} }}' for i in range(cities))
    lines = (f'{{ from = "C{a}", to = "C{b}", length = 1, colour = "gray" }}' for a, b in pairs)
    tickets = (f'{{ from = "C0", to = "C{i}", points = 3 }}' for i in range(1, cities))
    head = f'id = "t"\nname = "T"\npoints = {{ 1 = 1 }}\ncities = [{", ".join(places)}]\n'
    return f"""{head}tracks = [{", ".join(lines)}]\ntickets = [{", ".join(tickets)}]\n[[edition]]
id = "t"\nname = "T"\nsummary = "Tangled."\ndecks = [{{ name = "t" }}]\ntrains = {trains}\nlongest_path = {longest_path}
first_tickets = [{{ deal = 3, keep_least = 2, returned = "bottom" }}]\n"""


def test_a_board_made_to_stall_the_search_for_the_longest_path_is_refused() -> None:
    fault = fault_of(tangled(40, 120, 60, 10).encode())
    assert "a player could have 60 tracks" in fault.message
    assert fault.line is not None


def test_it_may_be_played_with_fewer_trains_or_without_that_bonus() -> None:
    assert drawn(tangled(40, 120, MOST_TRACKS_OF_A_PLAYER, 10)).editions[0].trains == MOST_TRACKS_OF_A_PLAYER
    assert drawn(tangled(40, 120, 60, 0)).editions[0].trains == 60


def test_no_board_of_the_package_comes_near_that_limit() -> None:
    assert {edition.id: most_tracks(edition) for edition in editions() if edition.longest_path} == {
        "usa": 27, "europe": 24, "europe-1912": 24, "mega-europe": 24, "big-cities": 24,
    }  # fmt: skip


def test_most_tracks_is_no_less_than_a_player_can_have() -> None:
    edition = parse_board(ISLANDS).editions[0]  # of 12 trains: five tracks of 2 are 10, and none of 3 fits any more
    assert most_tracks(edition) == 5


def test_a_drawing_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whistlestop.server.strange_boards.DRAW_SECONDS", 0.02)
    assert "too long to draw" in fault_of(tangled(64, 128, 30, 0).encode()).message


# ---- the server -----------------------------------------------------------------------------------------------------
def bring(url: str, text: bytes) -> httpx.Response:
    return httpx.post(f"{url}/api/boards", content=text, timeout=120)


def test_other_tables_notice_nothing(server: ServerThread) -> None:
    client = open_table(server.url, "usa", "me", "random")
    client.view()
    hostile = b"a." * (ROOM // 2) + b"b = 1"
    answers: list[int] = []
    crowd = [threading.Thread(target=lambda: answers.append(bring(server.url, hostile).status_code)) for _ in range(8)]
    for thread in crowd:
        thread.start()
    took = []
    while any(thread.is_alive() for thread in crowd):
        began = time.monotonic()
        client.view()
        took.append(time.monotonic() - began)
    assert answers == [422] * 8
    assert sorted(took)[len(took) // 2] < 0.25  # the median: on a busy machine any single answer may wait


def test_a_process_that_does_not_answer_is_killed_and_the_next_one_does(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ServerThread(folder) as server:
        monkeypatch.setattr(board_reader, "READ_WITHIN", 0.0)
        monkeypatch.setattr(board_reader, "STARTED_WITHIN", 0.0)
        answer = bring(server.url, ISLANDS.encode())
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_board")
        monkeypatch.undo()
        assert bring(server.url, ISLANDS.encode()).status_code == 201


def test_so_many_files_wait_and_no_more(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ServerThread(folder) as server:
        monkeypatch.setattr(board_reader, "FILES_WAITING", 0)
        answer = bring(server.url, ISLANDS.encode())
        assert (answer.status_code, answer.json()["code"]) == (503, "busy")
