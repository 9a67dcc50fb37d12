"""Opening tables, sitting down, changing seats, starting, talking, leaving, voting, playing again."""

from __future__ import annotations

import threading
import time
from random import Random
from typing import Any

import httpx
import pytest

from support.clients import (
    Client,
    Connection,
    Data,
    ServerThread,
    checked,
    client_from,
    connections,
    open_table,
    people,
    play_until,
    refusal,
    seats,
    wait_until,
)
from whistlestop import Game, editions
from whistlestop.server import messages
from whistlestop.server.end_messages import EndData
from whistlestop.server.table_state import commitment


def opened(server: ServerThread, **body: Any) -> httpx.Response:
    return httpx.post(
        f"{server.url}/api/tables",
        json={"edition": "europe", "seats": seats("me", "open"), **body},
        trust_env=False,
        verify=False,
    )


def asked(server: ServerThread, **body: Any) -> Client:
    answer = opened(server, **body)
    assert answer.status_code == 201, answer.text
    return client_from(server.url, checked(answer.content, messages.SeatKey))


def finished(client: Client) -> None:
    """Let bots play a table to its end."""
    for seat in client.seats:
        client.good(messages.TableData, "POST", f"/seats/{seat}/leave")
    wait_until(lambda: client.data()["status"] == "over")


# ---- opening --------------------------------------------------------------------------------------------------------
def test_a_table_has_the_seats_that_were_wished(server: ServerThread) -> None:
    wish = [
        {"kind": "me", "name": "Ann", "colour": 3},
        {"kind": "device"},
        {"kind": "bot", "bot": "random", "name": "Robby"},
        {"kind": "open"},
    ]
    client = asked(
        server, edition="usa", seats=[*wish, {"kind": "bot", "colour": 3}], first=2, turn_seconds=90, pace="calm"
    )
    data = client.data()
    assert client.seats == [0, 1]
    assert [seat["kind"] for seat in data["seats"]] == ["person", "person", "bot", "open", "bot"]
    assert [seat["bot"] for seat in data["seats"]] == [None, None, "random", None, "casual"]
    assert [seat["shared"] for seat in data["seats"]] == [True, True, False, False, False]
    assert [seat["name"] for seat in data["seats"]][:4] == ["Ann", "Player 2", "Robby", ""]
    assert data["seats"][4]["name"]
    assert [seat["colour"] for seat in data["seats"]] == [3, 0, 1, 2, 4], "whoever comes first has the colour"
    wished = {
        "edition": "usa",
        "status": "waiting",
        "first": 2,
        "turn_seconds": 90,
        "pace": "calm",
        "n": 0,
        "to_move": [],
        "rematch": None,
    }
    assert {name: data[name] for name in wished} == wished


def test_names_at_a_table_differ(server: ServerThread) -> None:
    client = asked(
        server,
        seats=[
            {"kind": "me", "name": "Ann"},
            {"kind": "device", "name": "Ann"},
            {"kind": "bot", "name": "Ann"},
            {"kind": "open"},
        ],
    )
    joined = client.join("Ann")
    names = [seat["name"] for seat in client.data()["seats"]]
    assert names == ["Ann", "Ann 2", "Ann 3", "Ann 4"]
    joined.good(messages.TableData, "PATCH", "/seats/3", json={"name": "Ann 2"})
    assert len({seat["name"] for seat in client.data()["seats"]}) == 4


@pytest.mark.parametrize("edition", [edition.id for edition in editions()])
def test_every_edition_starts_with_its_most_players_and_no_more(server: ServerThread, edition: str) -> None:
    most = next(one for one in editions() if one.id == edition).players[1]
    client = open_table(server.url, edition, "me", *["casual"] * (most - 1))
    assert len(client.view()["view"]["players"]) == most
    if most < 5:
        assert refusal(opened(server, edition=edition, seats=seats("me", *["open"] * most))) == (422, "wrong_seats")


@pytest.mark.parametrize(
    ("ticket", "fault"),
    [
        ({"from": "Pariss"}, {"fault": "unknown_place", "key": "from", "word": "Pariss", "other": "Paris"}),
        ({"to": "Xyzzy"}, {"fault": "unknown_place", "key": "to", "word": "Xyzzy"}),
        ({"to": "Paris"}, {"fault": "same_ends", "key": "to", "word": "Paris"}),
        ({"to": "Wien"}, {"fault": "ticket_twice", "word": "Paris", "other": "Wien"}),
        ({"from": " Paris"}, {"fault": "bad_value", "key": "from"}),
    ],
)
def test_what_is_wrong_with_a_pack_is_told_in_parts_of_a_sentence(
    server: ServerThread, ticket: Data, fault: Data
) -> None:
    good = {"name": "Good", "tickets": [{"from": "Paris", "to": "Roma", "points": 9}]}
    tickets = [{"from": "Madrid", "to": "Roma", "points": 9}, {"from": "Paris", "to": "Madrid", "points": 9, **ticket}]
    body = {"edition": "europe", "seats": seats("me", "casual"), "packs": [good, {"name": "Bad", "tickets": tickets}]}
    answer = httpx.post(f"{server.url}/api/tables", json=body, trust_env=False)
    assert refusal(answer) == (422, "bad_pack")
    assert answer.json()["pack"] == {"pack": 1, "ticket": 2, **fault}


def test_packs_are_shuffled_in(server: ServerThread) -> None:
    plain = asked(server, edition="usa", seats=seats("me", "casual"), start=True)
    pack = {"name": "Coasts", "tickets": [{"from": "Seattle", "to": "Miami", "points": 20}]}
    packed = asked(server, edition="usa", seats=seats("me", "casual"), packs=[pack], start=True)
    assert packed.data()["packs"] == ["Coasts"]
    counts = [sum(client.view()["view"]["ticket_decks"].values()) for client in (plain, packed)]
    assert counts[1] == counts[0] + 1


@pytest.mark.parametrize(
    ("body", "status", "code", "hint"),
    [
        ({"edition": "europa"}, 404, "no_such_edition", "europe"),
        ({"edition": "../../etc/passwd"}, 404, "no_such_edition", None),
        ({"seats": [{"kind": "bot", "bot": "casul"}, {"kind": "me"}]}, 422, "no_such_bot", "casual"),
        ({"seats": [{"kind": "bot", "bot": "zzzzzz"}, {"kind": "me"}]}, 422, "no_such_bot", "random"),
        ({"seats": seats("me")}, 422, "malformed", "/docs"),
        ({"seats": seats("me", "open", "open", "open", "open", "open")}, 422, "malformed", "/docs"),
        ({"seats": seats("me", "me")}, 422, "wrong_seats", "device"),
        ({"first": 2}, 422, "wrong_first", None),
        ({"start": True}, 422, "seats_open", "fill"),
        (
            {"packs": [{"name": "P", "tickets": [{"from": "Pariss", "to": "Roma", "points": 9}]}]},
            422,
            "bad_pack",
            "Paris",
        ),
        ({"turn_seconds": 5}, 422, "malformed", None),
        ({"pace": "hectic"}, 422, "malformed", None),
        ({"colour": "red"}, 422, "malformed", None),
    ],
)
def test_a_table_that_cannot_be_is_refused(
    server: ServerThread, body: dict[str, Any], status: int, code: str, hint: str | None
) -> None:
    answer = opened(server, **body)
    assert refusal(answer) == (status, code)
    assert hint is None or hint in answer.json()["hint"]


# ---- sitting down ---------------------------------------------------------------------------------------------------
def test_people_join_until_the_table_is_full(server: ServerThread) -> None:
    host = asked(server, seats=seats("me", "open", "casual", "open"))
    second = host.join("Bo", seat=3)
    assert (second.seats, second.key != host.key) == ([3], True)
    assert host.ask("POST", "/join", json={"name": "Cy", "seat": 3}).json()["code"] == "seat_taken"
    assert host.ask("POST", "/join", json={"name": "Cy", "seat": 4}).json()["code"] == "seat_taken"
    third = host.join("Cy")
    assert third.seats == [1]
    assert refusal(host.ask("POST", "/join", json={"name": "Di"})) == (409, "full")
    assert [seat["kind"] for seat in host.data()["seats"]] == ["person", "person", "bot", "person"]
    assert not any(seat["shared"] for seat in host.data()["seats"])


def test_a_second_seat_with_the_same_key_is_on_the_same_device(server: ServerThread) -> None:
    host = asked(server, seats=seats("me", "open", "open"))
    second = host.join("Bo")
    again = second.good(messages.SeatKey, "POST", "/join", json={"name": "Cy"})
    assert (again["key"], again["seats"], again["host"]) == (second.key, [1, 2], False)
    assert [seat["shared"] for seat in host.data()["seats"]] == [False, True, True]


def test_a_refused_joiner_leaves_the_seat_open(server: ServerThread) -> None:
    host = asked(server, seats=[{"kind": "me", "colour": 1}, {"kind": "open"}])
    before = host.data()
    assert refusal(host.ask("POST", "/join", json={"name": "Bo", "colour": 1})) == (409, "colour_taken")
    assert refusal(host.ask("POST", "/join", json={"name": "B\x07o"})) == (422, "bad_name")
    assert refusal(host.ask("POST", "/join", json={"name": "   "})) == (422, "malformed")
    assert refusal(host.ask("POST", "/join", json={"name": "x" * 25})) == (422, "malformed")
    assert refusal(
        host.ask("POST", "/join", json={"name": "Bo"}, headers={"authorization": "Bearer wrong-key-here"})
    ) == (403, "wrong_key")
    assert host.data() == before
    assert host.join("Bo", colour=0).seats == [1]


def test_the_joiner_gets_the_colour_of_an_open_or_bot_seat(server: ServerThread) -> None:
    host = asked(
        server, seats=[{"kind": "me", "colour": 0}, {"kind": "open", "colour": 1}, {"kind": "bot", "colour": 2}]
    )
    host.join("Bo", colour=2)
    assert [seat["colour"] for seat in host.data()["seats"]] == [0, 2, 1]


def test_the_host_changes_seats(server: ServerThread) -> None:
    host = asked(server, seats=seats("me", "open", "open"))
    guest = host.join("Bo")
    host.good(messages.TableData, "PATCH", "/seats/2", json={"kind": "bot", "bot": "random"})
    host.good(messages.TableData, "PATCH", "/seats/1", json={"kind": "open"})
    assert [seat["kind"] for seat in host.data()["seats"]] == ["person", "open", "bot"]
    assert guest.refused("PATCH", "/seats/1", json={"name": "Bo"}) == (403, "not_your_seat")
    host.good(messages.TableData, "PATCH", "/seats/2", json={"kind": "device", "name": "Cy", "colour": 4})
    seat = host.data()["seats"][2]
    assert (seat["kind"], seat["name"], seat["colour"], seat["shared"], seat["bot"]) == ("person", "Cy", 4, True, None)
    assert host.data()["seats"][0]["shared"]


def test_a_refused_change_changes_nothing(server: ServerThread) -> None:
    host = asked(server, seats=[{"kind": "me", "colour": 0}, {"kind": "open"}, {"kind": "bot"}])
    guest = host.join("Bo")
    before = host.data()
    for seat in (1, 2):
        assert host.refused("PATCH", f"/seats/{seat}", json={"kind": "bot", "bot": "genius"}) == (422, "no_such_bot")
        assert host.refused("PATCH", f"/seats/{seat}", json={"kind": "device", "name": "x\ny"}) == (422, "bad_name")
        assert host.refused("PATCH", f"/seats/{seat}", json={"kind": "device", "colour": 0}) == (409, "colour_taken")
    assert host.refused("PATCH", "/seats/3", json={"kind": "open"}) == (404, "no_such_seat")
    assert guest.refused("PATCH", "/seats/1", json={"kind": "bot"}) == (403, "not_host")
    assert guest.refused("PATCH", "/seats/0", json={"name": "Fool"}) == (403, "not_your_seat")
    assert guest.refused("PATCH", "/seats/1", json={"colour": 0}) == (409, "colour_taken")
    assert Client(server.url, host.table, None).refused("PATCH", "/seats/1", json={"name": "Fool"}) == (
        403,
        "not_your_seat",
    )
    assert host.spectator().refused("PATCH", "/seats/1", json={"name": "Fool"}) == (403, "not_your_seat")
    assert host.data() == before
    guest.good(messages.TableData, "PATCH", "/seats/1", json={"name": "Bea", "colour": 4})
    assert (host.data()["seats"][1]["name"], host.data()["seats"][1]["colour"]) == ("Bea", 4)


def test_a_bot_cannot_be_given_a_name_that_no_game_can_have(server: ServerThread) -> None:
    assert refusal(opened(server, seats=[{"kind": "me"}, {"kind": "bot", "name": "a\x00b"}], start=True)) == (
        422,
        "bad_name",
    )


def test_whoever_loses_a_seat_no_longer_looks_through_its_eyes(server: ServerThread) -> None:
    host = asked(server, seats=seats("me", "open"))
    guest = host.join("Bo")
    with connections(host, guest) as (own, other):
        host.good(messages.TableData, "PATCH", "/seats/1", json={"kind": "device", "name": "Cy"})
        host.good(messages.TableData, "POST", "/start", json={})
        frame = other.frame()
        assert (frame["seat"], frame["view"]["hand"], frame["view"]["offer"], frame["options"]) == (None, {}, [], None)
        assert other.ask("sit", seat=1)["code"] == "no_seat"
        assert own.ask("sit", seat=1)["t"] == "ok"
        assert [message["seat"] for message in own.got if message["t"] == "frame"] == [0, 1]
        assert own.last_frame["view"]["offer"], "the new holder sees the tickets"


def test_a_seat_taken_on_an_open_socket_counts_at_once(server: ServerThread) -> None:
    host = asked(server, seats=seats("open", "casual"))
    with host.connect() as line:
        assert line.got[0]["seat"] is None
        host.good(messages.SeatKey, "POST", "/join", json={"name": "Ann"})
        table = line.until(lambda m: m["t"] == "table" and m["seats"][0]["kind"] == "person")
        assert table["seats"][0]["connected"]
        host.good(messages.TableData, "POST", "/start", json={})
        assert line.frame()["seat"] == 0


# ---- starting -------------------------------------------------------------------------------------------------------
def test_starting_needs_the_host_and_every_seat(server: ServerThread) -> None:
    host = asked(server, seats=seats("me", "open", "open"))
    guest = host.join("Bo")
    assert guest.refused("POST", "/start", json={}) == (403, "not_host")
    assert host.refused("POST", "/start", json={}) == (409, "seats_open")
    assert host.refused("POST", "/start", json={"fill": "nobody"}) == (422, "no_such_bot")
    assert host.data()["status"] == "waiting"
    assert host.refused("GET", "/view") == (409, "not_started")
    data = host.good(messages.TableData, "POST", "/start", json={"fill": "random"})
    assert data["status"] == "playing"
    assert data["seats"][2]["bot"] == "random"
    assert host.refused("POST", "/start", json={}) == (409, "started")
    assert host.refused("POST", "/join", json={"name": "Late"}) == (409, "started")
    assert host.refused("PATCH", "/seats/0", json={"name": "Late"}) == (409, "started")


def test_the_first_player_is_the_one_the_host_chose(server: ServerThread) -> None:
    for first in range(3):
        client = open_table(server.url, "usa", "device", "device", "device", first=first)
        frame = play_until([client], lambda frame: frame["view"]["phase"] == "turn", Random(1))
        assert frame["view"]["to_move"] == [first]


# ---- spectators -----------------------------------------------------------------------------------------------------
def test_spectators_see_what_everybody_sees_and_do_nothing(server: ServerThread) -> None:
    host, guest = people(server.url, "europe", 2)
    watcher = host.spectator()
    with connections(host, watcher) as (own, line):
        assert (line.got[0]["seat"], line.got[0]["seats"], line.got[0]["host"], line.got[0]["watch"]) == (
            None,
            [],
            False,
            None,
        )
        assert own.until(lambda m: m["t"] == "table" and m["spectators"] == 1)
        for wish in ({"t": "act", "n": 0, "action": 0}, {"t": "say", "text": "x"}, {"t": "react", "reaction": "wow"},
                     {"t": "sit", "seat": 0},
                     {"t": "vote", "seat": 0}, {"t": "leave"}, {"t": "back"}):  # fmt: skip
            assert line.ask(**wish)["code"] == "no_seat", wish
        frame = next(m for m in line.got if m["t"] == "frame")
        assert (frame["view"]["hand"], frame["view"]["tickets"], frame["view"]["offer"], frame["options"]) == (
            {},
            [],
            [],
            None,
        )
        assert line.ask("why", track=0)["obstacle"]["code"] == "not_now"
    assert watcher.refused("GET", "/view", params={"seat": 0}) == (403, "not_your_seat")
    assert watcher.refused("POST", "/actions", json={"n": 0, "action": 1}) == (403, "no_seat")
    assert guest.refused("GET", "/view", params={"seat": 0}) == (403, "not_your_seat")
    assert Client(server.url, host.table, None).refused("GET", "/view") == (403, "no_key")
    wait_until(lambda: host.data()["spectators"] == 0)


# ---- playing again, and my tables -----------------------------------------------------------------------------------
def test_a_rematch_is_one_table_for_all_with_the_same_keys(server: ServerThread) -> None:
    host, guest = people(server.url, "usa", 2)
    assert host.refused("POST", "/rematch") == (403, "not_over")
    with host.connect() as line:
        for client in (host, guest):
            client.good(messages.TableData, "POST", f"/seats/{client.seats[0]}/leave")
        line.until(lambda m: m["t"] == "table" and m["status"] == "over")
        first = host.good(messages.SeatKey, "POST", "/rematch")
        assert line.until(lambda m: m["t"] == "table" and m["rematch"])["rematch"] == first["table"]
    again = guest.good(messages.SeatKey, "POST", "/rematch")
    assert first["table"] == again["table"] != host.table
    assert (first["key"], first["seats"], first["host"]) == (host.key, [0], True)
    assert (again["key"], again["seats"], again["host"]) == (guest.key, [1], False)
    assert host.spectator().refused("POST", "/rematch") == (403, "no_seat")
    new = Client(server.url, first["table"], host.key)
    assert new.data()["status"] == "playing"
    assert not any(seat["stands_in"] for seat in new.data()["seats"])
    assert new.data()["seed_hash"] != host.data()["seed_hash"]
    assert new.view()["seat"] == 0


def test_mine_lists_the_tables_of_keys(server: ServerThread) -> None:
    host, guest = people(server.url, "usa", 2)
    other = open_table(server.url, "europe", "me", "casual")
    answer = httpx.post(
        f"{server.url}/api/mine", json={"keys": [host.key, other.key, "never-heard-of"]}, trust_env=False, verify=False
    )
    mine = [checked(httpx.Response(200, json=one).content, messages.Mine) for one in answer.json()]
    assert [(one["key"], one["seats"], one["host"], one["table"]["id"]) for one in mine] == [
        (other.key, [0], True, other.table), (host.key, [0], True, host.table),
    ]  # fmt: skip
    assert all(one["my_turn"] for one in mine)
    host.good(messages.TableData, "POST", "/seats/0/leave")
    answer = httpx.post(f"{server.url}/api/mine", json={"keys": [host.key, guest.key]}, trust_env=False, verify=False)
    assert {one["key"]: one["my_turn"] for one in answer.json()} == {host.key: False, guest.key: True}


def test_the_end_tells_everything_and_the_seed_is_the_one_promised(server: ServerThread) -> None:
    client = open_table(server.url, "germany", "me", "casual", "random")
    for path in ("/end", "/replay/0", "/record"):
        assert client.refused("GET", path) == (403, "not_over")
    promised = client.data()["seed_hash"]
    finished(client)
    end = client.good(EndData, "GET", "/end")
    assert commitment(end["seed"], end["salt"]) == end["seed_hash"] == promised
    assert end["n"] == client.data()["n"]
    assert len(end["stats"]) == len(end["result"]["players"]) == 3
    assert end["timeline"][-1]["n"] == end["n"]
    assert sum(seat["claims"] for seat in end["stats"]) == len(client.view()["view"]["owners"])
    for n in (0, 1, end["n"] // 2, end["n"]):
        for eyes in (None, 0, 1, 2):
            frame = client.good(messages.Frame, "GET", f"/replay/{n}", params={} if eyes is None else {"eyes": eyes})
            assert (frame["n"], frame["seat"], len(frame["moves"])) == (n, eyes, n)
    assert client.refused("GET", f"/replay/{end['n'] + 1}") == (404, "no_such_moment")
    assert client.refused("GET", "/replay/0", params={"eyes": 3}) == (404, "no_such_moment")
    game = Game.from_record(client.ask("GET", "/record").text)
    assert (len(game.history), game.over, str(game.seed)) == (end["n"], True, end["seed"])


# ---- talking --------------------------------------------------------------------------------------------------------
def test_chat_reaches_everybody_in_order_and_is_kept(server: ServerThread) -> None:
    host, guest = people(server.url, "usa", 2)
    with connections(host, guest, host.spectator()) as (a, b, c):
        assert a.ask("say", text=" <b>hi</b> & 'bye' ")["t"] == "ok"
        guest.good(messages.Ok, "POST", "/chat", json={"text": "second"})
        for line in (a, b, c):
            wait = line.got if line is a else []
            said = [m for m in wait if m["t"] == "chat"]
            while len(said) < 2:
                said.append(line.until(lambda m: m["t"] == "chat"))
            assert [(m["n"], m["seat"], m["text"]) for m in said] == [(1, 0, "<b>hi</b> & 'bye'"), (2, 1, "second")]
        assert b.ask("react", reaction="cheer")["t"] == "ok"
        assert a.until(lambda m: m["t"] == "reaction") == {"t": "reaction", "seat": 1, "reaction": "cheer"}
        assert a.ask("react", reaction="spit")["code"] == "malformed"
        for text in ("", "   ", "x" * 501, 5, None):
            assert a.ask("say", text=text)["code"] == "malformed"
    kept = host.ask("GET", "/chat").json()
    assert [line["text"] for line in kept] == ["<b>hi</b> & 'bye'", "second"]
    with guest.connect() as later:
        assert later.got[0]["chat"] == kept
    assert Client(server.url, host.table, None).refused("GET", "/chat") == (403, "no_key")


def test_control_characters_are_refused_in_chat(server: ServerThread) -> None:
    host = open_table(server.url, "usa", "me", "casual")
    with host.connect() as line:
        for text in ("a\x00b", "a\x1b[31mred", "a\u202eb", "a\u2028b"):
            assert line.ask("say", text=text)["t"] == "error", text
            assert host.ask("POST", "/chat", json={"text": text}).status_code == 422
        assert line.ask("say", text="Привет, 東京 👩\u200d🚀 é")["t"] == "ok"
    assert len(host.ask("GET", "/chat").json()) == 1


def test_chat_is_for_those_at_the_table(server: ServerThread) -> None:
    host, _ = people(server.url, "usa", 2)
    host.good(messages.Ok, "POST", "/chat", json={"text": "before"})
    with Connection(server.url, host.table).hello(None) as stranger:
        assert stranger.got[0]["chat"] == []
        host.good(messages.Ok, "POST", "/chat", json={"text": "after"})
        assert {m["t"] for m in [*stranger.got, *stranger.quiet()]} <= {"welcome", "table"}


# ---- leaving, coming back, voting -----------------------------------------------------------------------------------
def test_a_bot_plays_for_whoever_leaves_until_they_are_back(server: ServerThread) -> None:
    host, guest = people(server.url, "usa", 2)
    with connections(host, guest) as (a, b):
        assert b.ask("leave")["t"] == "ok"
        seat = a.until(lambda m: m["t"] == "table" and m["seats"][1]["stands_in"])["seats"][1]
        assert (seat["kind"], seat["bot"]) == ("person", "casual")
        a.until(lambda m: m["t"] == "frame" and any(move["seat"] == 1 and move["bot"] for move in m["moves"]))
        n = host.view()["n"]
        assert guest.refused("POST", "/actions", json={"n": n, "action": 1}) == (409, "stands_in")
        assert b.ask("back")["t"] == "ok"
        play_until([host], lambda frame: frame["view"]["to_move"] == [1], Random(2))
        time.sleep(0.2)
        frame = guest.view()
        assert frame["view"]["to_move"] == [1]
        assert (
            guest.act(frame["n"], frame["options"]["draw_blind"] or frame["options"]["keep"][0]["id"]) == frame["n"] + 1
        )
    assert host.refused("POST", "/seats/1/leave") == (403, "not_your_seat")
    assert guest.data()["seats"][1]["stands_in"] is False


def test_leaving_before_the_game_is_refused(server: ServerThread) -> None:
    host = asked(server, seats=seats("me", "open"))
    assert host.refused("POST", "/seats/0/leave") == (409, "not_started")


def test_a_vote_replaces_whoever_is_gone_but_nobody_present(server: ServerThread) -> None:
    host, guest = people(server.url, "usa", 2)
    with host.connect() as a:
        with guest.connect():
            a.until(lambda m: m["t"] == "table" and m["seats"][1]["connected"])
            assert a.ask("vote", seat=1)["code"] == "not_gone"
            assert a.ask("vote", seat=0)["code"] == "no_vote"
            assert a.ask("vote", seat=4)["code"] == "no_vote"
        a.until(lambda m: m["t"] == "table" and not m["seats"][1]["connected"])
        assert a.ask("vote", seat=1)["t"] == "ok"
        assert any(m["t"] == "table" and m["seats"][1]["stands_in"] for m in a.got)
        assert a.ask("vote", seat=1)["code"] == "no_vote"


def test_more_than_half_of_the_others_must_vote(server: ServerThread) -> None:
    a, b, c, d = people(server.url, "usa", 4)
    gone = f"/seats/{d.seats[0]}/vote"
    assert a.good(messages.TableData, "POST", gone)["seats"][3]["votes"] == [0]
    assert a.good(messages.TableData, "POST", gone)["seats"][3]["votes"] == [0], "nobody has two votes"
    assert a.good(messages.TableData, "POST", gone, params={"wanted": False})["seats"][3]["votes"] == []
    assert b.good(messages.TableData, "POST", gone)["seats"][3]["stands_in"] is False
    found = c.good(messages.TableData, "POST", gone)["seats"][3]
    assert (found["stands_in"], found["votes"]) == (True, [])
    d.good(messages.TableData, "POST", "/seats/3/back")
    assert a.data()["seats"][3]["stands_in"] is False


def test_every_seat_of_a_shared_device_has_one_vote(server: ServerThread) -> None:
    device = open_table(server.url, "europe", "device", "device", "open", "open", "open", start=False)
    third, fourth, gone = (device.join(name) for name in ("Cy", "Di", "Ed"))
    device.good(messages.TableData, "POST", "/start", json={})
    vote = f"/seats/{gone.seats[0]}/vote"
    for asks in (device.ask, device.ask):  # over and over, whoever's turn it is
        assert asks("POST", vote).json()["seats"][4]["votes"] == [0, 1]
    with device.connect(seat=1) as line:
        line.ask("vote", seat=4)
        line.ask("vote", seat=4, wanted=False)
    assert device.data()["seats"][4]["votes"] == []
    assert device.ask("POST", vote).json()["seats"][4]["stands_in"] is False, "two of four are not more than half"
    assert device.refused("POST", "/seats/1/vote") == (409, "no_vote")
    found = third.good(messages.TableData, "POST", vote)["seats"]
    assert [seat["stands_in"] for seat in found] == [False, False, False, False, True]
    fourth.good(messages.TableData, "POST", f"/seats/{fourth.seats[0]}/leave")
    assert fourth.refused("POST", f"/seats/{third.seats[0]}/vote") == (409, "stands_in")


def test_a_shared_device_alone_can_replace_whoever_is_gone(server: ServerThread) -> None:
    device = open_table(server.url, "usa", "device", "device", "open", start=False)
    gone = device.join("Cy").seats[0]
    device.good(messages.TableData, "POST", "/start", json={})
    assert device.good(messages.TableData, "POST", f"/seats/{gone}/vote")["seats"][gone]["stands_in"]


def test_all_seats_of_a_device_are_here_when_one_acts_over_http(tmp_path: Any) -> None:
    with ServerThread(tmp_path, absence=60.0) as server:
        device = open_table(server.url, "usa", "device", "device", "open", start=False)
        device.join("Cy")
        device.good(messages.TableData, "POST", "/start", json={})
        device.act(0, "keep all", 0)
        assert [seat["connected"] for seat in device.data()["seats"]] == [True, True, False]


def test_whoever_is_here_but_too_slow_can_be_voted_on(tmp_path: Any) -> None:
    with ServerThread(tmp_path, patience=0.3) as quick:
        host, guest = people(quick.url, "usa", 2)
        with connections(host, guest) as (a, _):
            time.sleep(0.4)
            assert a.ask("vote", seat=1)["t"] == "ok"
            assert host.data()["seats"][1]["stands_in"]


def test_a_broken_line_has_time_to_come_back_before_it_can_be_voted_on(tmp_path: Any) -> None:
    with ServerThread(tmp_path, absence=1.0) as patient:
        host, guest = people(patient.url, "usa", 2)
        with host.connect() as a:
            with guest.connect():
                pass
            a.until(lambda m: m["t"] == "table" and not m["seats"][1]["connected"])
            assert a.ask("vote", seat=1)["code"] == "not_gone"
            time.sleep(1.1)
            assert a.ask("vote", seat=1)["t"] == "ok"


def test_after_a_restart_nobody_is_gone_at_once(tmp_path: Any) -> None:
    with ServerThread(tmp_path) as first:
        host, guest = people(first.url, "usa", 2)
    with ServerThread(tmp_path, absence=1.0) as patient:
        again = Client(patient.url, host.table, host.key)
        assert again.refused("POST", "/seats/1/vote") == (409, "not_gone")
        time.sleep(1.1)
        assert again.good(messages.TableData, "POST", "/seats/1/vote")["seats"][1]["stands_in"]
        assert guest.seats == [1]


def test_who_plays_over_http_is_here_while_they_ask(tmp_path: Any) -> None:
    with ServerThread(tmp_path, absence=0.5) as patient:
        host, guest = people(patient.url, "usa", 2)
        time.sleep(0.6)
        known = guest.view()["n"]
        assert [seat["connected"] for seat in host.data()["seats"]] == [False, True]
        for client in (host, guest):
            client.act(known, client.view()["options"]["keep"][0]["id"])
        waiting = next(client for client in (host, guest) if client.view()["options"] is None)
        asking = threading.Thread(target=lambda: waiting.view(known=known + 2, wait=2))
        asking.start()
        time.sleep(1.2)  # longer than the grace: the question itself counts
        seat, other = waiting.seats[0], host if waiting is guest else guest
        assert other.data()["seats"][seat]["connected"]
        assert other.refused("POST", f"/seats/{seat}/vote") == (409, "not_gone")
        asking.join()
        time.sleep(0.6)
        assert other.good(messages.TableData, "POST", f"/seats/{seat}/vote")["seats"][seat]["stands_in"]


# ---- time -----------------------------------------------------------------------------------------------------------
def hurried(server: ServerThread, table_id: str, seconds: int) -> None:
    """Let a turn begin anew that has fewer seconds: those that may be asked for would be a long wait."""
    table = server.hall._tables[table_id]
    table.clock._seconds = seconds

    async def hurry() -> None:
        table.clock.start_turn()

    server.run(hurry)


def test_when_the_time_is_up_a_bot_plays_this_turn_and_after_two_in_a_row_it_plays_on(server: ServerThread) -> None:
    own, other = past_the_first_choice(*people(server.url, "usa", 2, turn_seconds=600))
    mine = own.seats[0]

    def misses_a_turn(line: Connection) -> dict[str, Any]:
        """The seat while a bot plays its turn."""
        wait_until(lambda: own.view()["view"]["to_move"] == own.seats)
        hurried(server, own.table, 0)
        seat: dict[str, Any] = line.until(lambda m: m["t"] == "table" and m["seats"][mine]["stands_in"])["seats"][mine]
        hurried(server, own.table, 600)
        moved = line.until(lambda m: m["t"] == "frame" and any(move["seat"] == mine for move in m["moves"]))
        assert all(move["bot"] for move in moved["moves"] if move["seat"] == mine)
        wait_until(lambda: other.view()["view"]["to_move"] == other.seats)
        return seat

    def plays_a_turn(client: Client) -> None:
        play_until([client], lambda frame: frame["view"]["to_move"] != client.seats, Random(1))

    with own.connect() as line:
        missed = misses_a_turn(line)
        assert (missed["missed"], missed["for_one_turn"], missed["connected"]) == (1, True, True)
        given_back = own.data()["seats"][mine]
        assert (given_back["stands_in"], given_back["bot"], given_back["missed"]) == (False, None, 1)
        plays_a_turn(other)
        plays_a_turn(own)
        assert own.data()["seats"][mine]["missed"] == 0, "who plays a turn has missed none"
        plays_a_turn(other)
        assert misses_a_turn(line)["for_one_turn"]
        plays_a_turn(other)
        missed = misses_a_turn(line)
        assert (missed["missed"], missed["for_one_turn"]) == (2, False)
        assert own.data()["seats"][mine]["stands_in"], "after two in a row the bot plays on"
        assert line.ask("back")["t"] == "ok"
        assert (own.data()["seats"][mine]["stands_in"], own.data()["seats"][mine]["missed"]) == (False, 0)


def test_who_leaves_while_a_bot_ends_the_turn_stays_away(tmp_path: Any) -> None:
    with ServerThread(tmp_path, stand_in_waits=0.5) as server:
        own, other = past_the_first_choice(*people(server.url, "usa", 2, turn_seconds=600))
        hurried(server, own.table, 0)
        wait_until(lambda: own.data()["seats"][own.seats[0]]["for_one_turn"])
        own.good(messages.TableData, "POST", f"/seats/{own.seats[0]}/leave")
        wait_until(lambda: other.view()["view"]["to_move"] == other.seats)
        assert own.data()["seats"][own.seats[0]]["stands_in"]


def test_the_first_choice_has_twice_the_time(server: ServerThread) -> None:
    host, guest = people(server.url, "usa", 2, turn_seconds=600)
    assert host.view()["deadline"] == pytest.approx(time.time() + 1200, abs=5)
    past_the_first_choice(host, guest)
    assert host.view()["deadline"] == pytest.approx(time.time() + 600, abs=5)


def past_the_first_choice(host: Client, guest: Client) -> tuple[Client, Client]:
    """Two people whose first tickets are kept: who is on turn, and the other."""
    for client in (host, guest):
        frame = client.view()
        client.act(frame["n"], frame["options"]["keep"][0]["id"])
    (seat,) = host.view()["view"]["to_move"]
    return (host, guest) if seat in host.seats else (guest, host)


def test_leaving_and_coming_back_gives_no_new_time(tmp_path: Any) -> None:
    with ServerThread(tmp_path, stand_in_waits=3.0) as server:
        own, other = past_the_first_choice(*people(server.url, "usa", 2, turn_seconds=600))
        seat = f"/seats/{own.seats[0]}"
        deadline = other.view()["deadline"]
        time.sleep(0.5)
        own.good(messages.TableData, "POST", f"{seat}/leave")
        own.good(messages.TableData, "POST", f"{seat}/back")
        assert other.view()["deadline"] == pytest.approx(deadline, abs=0.1)
        hurried(server, own.table, 1)
        wait_until(lambda: other.data()["seats"][own.seats[0]]["stands_in"])
        assert own.refused("POST", f"{seat}/back") == (409, "time_up")
        wait_until(lambda: other.view()["n"] > 2)  # the bot ended what it was about
        wait_until(lambda: not other.data()["seats"][own.seats[0]]["stands_in"])


def test_a_long_turn_keeps_no_table_in_memory_and_gets_no_new_time(tmp_path: Any) -> None:
    with ServerThread(tmp_path, idle=0.3) as server:
        own, other = past_the_first_choice(*people(server.url, "usa", 2, turn_seconds=10))
        deadline, table = own.view()["deadline"], own.table
        wait_until(lambda: server.hall.in_memory(table) is None)
        assert own.view()["deadline"] == pytest.approx(deadline, abs=0.1)
        wait_until(lambda: server.hall.in_memory(table) is None)
        wait_until(lambda: server.hall.in_memory(table) is not None)  # nobody asks: its time is up
        assert time.time() == pytest.approx(deadline, abs=2.0)
        wait_until(lambda: other.data()["seats"][own.seats[0]]["missed"])


def test_in_the_first_choice_no_choice_gives_the_others_more_time(server: ServerThread) -> None:
    host, guest = people(server.url, "usa", 2, turn_seconds=600)
    deadline = guest.view()["deadline"]
    time.sleep(0.5)
    host.act(0, host.view()["options"]["keep"][0]["id"])
    assert guest.view()["deadline"] == pytest.approx(deadline, abs=0.1)
    guest.act(1, guest.view()["options"]["keep"][0]["id"])
    assert guest.view()["deadline"] == pytest.approx(time.time() + 600, abs=0.4), "a new turn has its own time"


def test_a_wall_clock_that_jumps_changes_nothing(server: ServerThread, monkeypatch: pytest.MonkeyPatch) -> None:
    host = people(server.url, "usa", 2, turn_seconds=600)[0]
    table, real = server.hall._tables[host.table], time.time
    for jump in (-7200.0, 7200.0):
        monkeypatch.setattr(time, "time", lambda jump=jump: real() + jump)
        assert not table.clock.is_up
        assert host.view()["deadline"] == pytest.approx(real() + jump + 1200, abs=60)
        assert table.clock.elapsed < 60


def test_no_deadline_without_turn_time_nor_after_the_end(server: ServerThread) -> None:
    free = open_table(server.url, "usa", "me", "casual")
    assert free.view()["deadline"] is None
    timed = open_table(server.url, "usa", "me", "casual", turn_seconds=600)
    assert timed.view()["deadline"] is not None
    finished(timed)
    assert timed.view()["deadline"] is None
