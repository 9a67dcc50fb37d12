"""Boards of people's own: brought, checked at their lines, stored once, played by everybody, gone when nobody plays."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from support.clients import UNLIMITED, Client, Data, ServerThread, checked, open_table, people, play_until, wait_until
from support.islands import ISLANDS
from whistlestop.game import Game
from whistlestop.mapfile import MAPS, digest, load_edition
from whistlestop.server import messages
from whistlestop.server.board_messages import BoardData, BoardLimits, OwnBoardData
from whistlestop.server.own_boards import KEPT_UNUSED
from whistlestop.server.retention import Retention
from whistlestop.server.strange_boards import LARGEST_BOARD, hash_of_board


def bring(url: str, text: str | bytes) -> httpx.Response:
    raw = text.encode() if isinstance(text, str) else text
    return httpx.post(f"{url}/api/boards", content=raw, headers={"content-type": "application/toml"}, timeout=120)


def brought(url: str, text: str = ISLANDS) -> Data:
    answer = bring(url, text)
    assert answer.status_code == 201, answer.text
    data: Data = checked(answer.content, OwnBoardData)
    return data


def refused(url: str, text: str | bytes) -> Data:
    """Why a board is not taken."""
    answer = bring(url, text)
    data: Data = checked(answer.content, messages.Refusal)
    assert (answer.status_code, data["code"]) == (422, "bad_board"), answer.text
    return data


def get(url: str, path: str) -> httpx.Response:
    return httpx.get(f"{url}/api/editions/{path}", timeout=120)


def at(server: ServerThread, client: Client) -> Client:
    """The same key at a server that was started anew."""
    return Client(server.url, client.table, client.key, client.seats, client.watch)


def boards_in(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / "whistlestop.db", timeout=30)) as database:
        return [row[0] for row in database.execute("select hash from boards order by hash")]


def changed(before: str, after: str, text: str = ISLANDS) -> str:
    assert before in text
    return text.replace(before, after, 1)


# ---- bringing one ---------------------------------------------------------------------------------------------------
def test_a_map_file_becomes_editions_that_are_drawn_and_explained(server: ServerThread) -> None:
    board = brought(server.url)
    assert board["hash"] == hash_of_board(ISLANDS.encode())
    assert board["name"] == "The Islands"
    [edition] = board["editions"]
    assert edition["id"] == f"islands@{board['hash']}"
    assert edition["hash"] == board["hash"]
    assert checked(get(server.url, edition["id"]).content, messages.EditionData) == edition
    drawn = checked(get(server.url, f"{edition['id']}/board").content, BoardData)
    assert drawn["edition"] == edition["id"]
    assert {city["name"] for city in drawn["cities"]} >= {"Milltown", "Eastness"}
    assert drawn["trains"] == 12
    rules = checked(get(server.url, f"{edition['id']}/rules?language=de").content, messages.RulesData)
    assert rules["edition"] == edition["id"]
    assert rules["longest_path"] == 5
    for theme in ("light", "dark"):
        picture = get(server.url, f"{edition['id']}/picture.svg?theme={theme}")
        assert picture.headers["content-type"] == "image/svg+xml"
        assert picture.text.startswith("<svg")
    assert get(server.url, f"{edition['id']}/map.toml").text == ISLANDS


def test_map_files_of_the_package_can_be_had_too(server: ServerThread) -> None:
    assert get(server.url, "europe-1912/map.toml").content == (MAPS / "europe.toml").read_bytes()
    assert get(server.url, "germany").json()["hash"] is None
    assert get(server.url, "nowhere/map.toml").status_code == 404


def test_every_edition_of_a_file_can_be_played(server: ServerThread) -> None:
    longer = ISLANDS[ISLANDS.index("[[edition]]") :].replace('id            = "islands"', 'id = "long"')
    board = brought(server.url, f"{ISLANDS}\n{longer.replace('= 12', '= 20')}")
    assert [(one["id"].partition("@")[0], one["trains"]) for one in board["editions"]] == [
        ("islands", 12),
        ("long", 20),
    ]
    trains = [get(server.url, f"{one['id']}/board").json()["trains"] for one in board["editions"]]
    assert trains == [12, 20]


@pytest.mark.parametrize(
    ("before", "after", "said", "line"),
    [
        ('"Sandwick",    length = 3', '"Sandwitch",    length = 3', "unknown city `Sandwitch`", 19),
        ("points = 5", "points = 500", "`points` must be between 1 and 99, found 500", 26),
        ("trains        = 12", "trains        = 61", "`trains` must be between 1 and 60, found 61", 41),
        ("longest_path  = 5", "longest_path  =", "not valid TOML", 42),
        ('id     = "islands"', 'idd     = "islands"', "unknown key `idd`", 1),
        ('["tickets", "path"]', '["tickets", "pth"]', "unknown tie-break `pth`", 43),
        ('name   = "The Islands"\n', "", "missing key `name`", None),
    ],
)
def test_what_is_wrong_is_told_in_the_reader_s_words_at_its_line(
    server: ServerThread, before: str, after: str, said: str, line: int | None
) -> None:
    fault = refused(server.url, changed(before, after))
    assert said in fault["message"]
    assert fault.get("line") == line
    assert not fault["message"].startswith("map:")


def test_a_name_that_is_nearly_right_is_suggested(server: ServerThread) -> None:
    assert refused(server.url, changed('"Sandwick",    length = 3', '"Sandwik",    length = 3'))["hint"] == (
        "did you mean `Sandwick`?"
    )


def test_faults_of_the_drawing_are_told_at_their_line(server: ServerThread) -> None:
    text = changed("[[edition]]", '[drawing]\nland = "../../etc/passwd"\n\n[[edition]]')
    fault = refused(server.url, text)
    assert "unknown land" in fault["message"]
    assert fault["line"] == 35


def test_the_same_file_is_stored_once_and_another_one_beside_it(folder: Path) -> None:
    with ServerThread(folder) as server:
        first, again = brought(server.url), brought(server.url)
        other = brought(server.url, ISLANDS + "# a remark\n")
    assert first == again
    assert other["hash"] != first["hash"]
    assert boards_in(folder) == sorted([first["hash"], other["hash"]])


# ---- playing on one -------------------------------------------------------------------------------------------------
def finished_game(server: ServerThread, edition: str) -> Client:
    """A game of two people that is over."""
    pair = people(server.url, edition, 2)
    play_until(pair, lambda frame: frame["view"]["phase"] == "over", Random(5))
    return pair[0]


def test_a_game_is_played_to_its_end_and_told_like_any_other(server: ServerThread, tmp_path: Path) -> None:
    edition = brought(server.url)["editions"][0]["id"]
    client = finished_game(server, edition)
    table = client.data()
    assert table["edition"] == edition
    assert table["edition_name"] == "The Islands"
    assert table["board_hash"] == edition.partition("@")[2]
    end = client.ask("GET", "/end").json()
    assert len(end["result"]["players"]) == 2
    record = client.ask("GET", "/record").text
    file = tmp_path / "islands.toml"
    file.write_bytes(get(server.url, f"{edition}/map.toml").content)
    assert f"edition: {edition}\nboard: {digest(load_edition(file))}\n" in record
    assert Game.from_record(record, edition=file).result().json() == end["result"]
    assert client.ask("GET", "/replay/3").json()["view"]["edition"] == edition


def test_bots_play_on_it_in_their_processes(server: ServerThread) -> None:
    edition = brought(server.url)["editions"][0]["id"]
    client = open_table(server.url, edition, "casual", "beginner", start=True, pace="instant")
    wait_until(lambda: client.data()["status"] == "over")


def test_a_board_and_ticket_packs_go_together(server: ServerThread) -> None:
    edition = brought(server.url)["editions"][0]["id"]
    pack = {"name": "More", "tickets": [{"from": "Eastness", "to": "Sandwick", "points": 3}]}
    client = open_table(server.url, edition, "me", "random", packs=[pack], start=True)
    assert client.data()["packs"] == ["More"]


def test_a_table_outlives_a_restart_and_the_file(folder: Path) -> None:
    with ServerThread(folder) as server:
        edition = brought(server.url)["editions"][0]["id"]
        client = open_table(server.url, edition, "me", "open", start=False)
        pair = people(server.url, edition, 2)
        play_until(pair, lambda frame: frame["n"] >= 6, Random(2))
        before = pair[0].view()
    with ServerThread(folder) as server:
        assert at(server, client).data()["edition"] == edition
        pair = [at(server, one) for one in pair]
        assert pair[0].view()["view"] == before["view"]
        play_until(pair, lambda frame: frame["view"]["phase"] == "over", Random(4))


def test_a_rematch_is_on_the_same_board(server: ServerThread) -> None:
    edition = brought(server.url)["editions"][0]["id"]
    client = finished_game(server, edition)
    again = client.ask("POST", "/rematch").json()["table"]
    assert httpx.get(f"{server.url}/api/tables/{again}").json()["edition"] == edition


def test_strangers_find_its_tables_by_its_name(server: ServerThread) -> None:
    edition = brought(server.url, changed('"The Islands"\nsummary', '"A <b>Place</b>"\nsummary'))["editions"][0]["id"]
    client = open_table(server.url, edition, "me", "open", listed=True)
    with client.connect():

        def listed() -> list[Any]:
            tables = httpx.get(f"{server.url}/api/tables").json()["open"]["tables"]
            return [(one["edition"], one["edition_name"]) for one in tables if one["id"] == client.table]

        wait_until(listed)
        assert listed() == [(edition, "A <b>Place</b>")]


def test_nobody_plays_on_a_board_that_was_never_brought(server: ServerThread) -> None:
    known = brought(server.url)["hash"]
    for edition in (f"islands@{'0' * 32}", "islands@", "@", f"other@{known}", f"%0d%0ax@{known}", "islands@..%2fx"):
        for part in ("board", "map.toml", "rules", "picture.svg"):
            assert get(server.url, f"{edition}/{part}").status_code == 404
        wish = {"edition": edition, "seats": [{"kind": "me"}, {"kind": "open"}]}
        answer = httpx.post(f"{server.url}/api/tables", json=wish, timeout=120)
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_edition")


# ---- what is kept ---------------------------------------------------------------------------------------------------
def sweep(server: ServerThread, now: float) -> None:
    server.run(lambda: Retention(server.hall).sweep(now))


def test_a_board_goes_when_no_table_uses_it(folder: Path) -> None:
    with ServerThread(folder, keep=60.0) as server:
        used, unused = brought(server.url), brought(server.url, ISLANDS + "# other\n")
        table = open_table(server.url, used["editions"][0]["id"], "me", "open")
        sweep(server, time.time())
        assert len(boards_in(folder)) == 2  # whoever brought it may be about to open a table
        sweep(server, time.time() + 100)  # too soon for boards, and late enough for the table
        assert table.refused("GET", "") == (404, "no_such_table")
        assert len(boards_in(folder)) == 2
        sweep(server, time.time() + KEPT_UNUSED + 60)
        assert boards_in(folder) == []
        assert brought(server.url)["hash"] == used["hash"]
        assert unused["hash"] not in boards_in(folder)


def test_a_board_in_use_stays_however_old_it_is(folder: Path) -> None:
    with ServerThread(folder) as server:
        board = brought(server.url)
        open_table(server.url, board["editions"][0]["id"], "me", "open")
        sweep(server, time.time() + 100 * KEPT_UNUSED)
        assert boards_in(folder) == [board["hash"]]


# ---- what the host sets ---------------------------------------------------------------------------------------------
def test_a_host_can_want_no_boards(folder: Path) -> None:
    with ServerThread(folder) as server:
        assert checked(httpx.get(f"{server.url}/api/boards").content, BoardLimits)["enabled"]
        edition = brought(server.url)["editions"][0]["id"]
        pair = people(server.url, edition, 2)
    with ServerThread(folder, boards=False) as server:
        assert not httpx.get(f"{server.url}/api/boards").json()["enabled"]
        answer = bring(server.url, ISLANDS)
        assert (answer.status_code, answer.json()["code"]) == (403, "boards_off")
        wish = {"edition": edition, "seats": [{"kind": "me"}, {"kind": "open"}]}
        assert httpx.post(f"{server.url}/api/tables", json=wish, timeout=120).json()["code"] == "boards_off"
        assert at(server, pair[0]).view()["view"]["edition"] == edition  # games that go on are not taken from anybody


def test_one_address_brings_so_many_boards_and_no_more(folder: Path) -> None:
    with ServerThread(folder, limits=replace(UNLIMITED, boards_an_hour=1)) as server:
        codes = [bring(server.url, ISLANDS).status_code for _ in range(6)]
    assert codes == [201] * 5 + [429]


def test_a_file_that_is_too_large_is_not_even_read(server: ServerThread) -> None:
    answer = bring(server.url, ISLANDS + "#" * LARGEST_BOARD)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    room = LARGEST_BOARD - len(ISLANDS.encode())
    assert brought(server.url, ISLANDS + "#" * room)["name"] == "The Islands"
