"""Play: every action reaches everybody once and in order, errors are told, and who comes back misses nothing."""

from __future__ import annotations

import threading
import time
from collections import Counter
from random import Random
from typing import Any

import pytest

from support.clients import (
    Client,
    Connection,
    Data,
    ServerThread,
    chosen,
    connections,
    ids,
    open_table,
    people,
    play_until,
    wait_until,
)
from whistlestop.mapfile import Edition, load_edition
from whistlestop.server import messages


def keep_all(frame: Data) -> int:
    found: int = max(frame["options"]["keep"], key=lambda keep: len(keep["kept"]))["id"]
    return found


def past_first_choice(clients: list[Client]) -> None:
    for client in clients:
        frame = client.view()
        if frame["view"]["phase"] == "first_tickets" and frame["options"]:
            client.act(frame["n"], keep_all(frame))


def mover(clients: list[Client]) -> tuple[Client, Client]:
    """Of two people whoever is on turn, and the other."""
    return (clients[0], clients[1]) if clients[0].view()["options"] else (clients[1], clients[0])


# ---- two at a table -------------------------------------------------------------------------------------------------
def test_each_action_gives_each_socket_one_frame_with_consecutive_numbers(server: ServerThread) -> None:
    clients = people(server.url, "usa", 2)
    rng = Random(5)
    with connections(*clients, clients[0].spectator()) as watching:
        frames = [line.frame() for line in watching]
        for n in range(1, 80):
            seat = next(i for i in (0, 1) if frames[i]["options"])
            answer = watching[seat].ask("act", n=n - 1, action=chosen(frames[seat], rng))
            assert answer == {"t": "ok", "ref": answer["ref"], "n": n}
            before = watching[seat].last_frame
            frames = [before if i == seat else line.frame() for i, line in enumerate(watching)]
            assert [(frame["t"], frame["n"], [move["n"] for move in frame["moves"]]) for frame in frames] == [
                ("frame", n, [n])
            ] * 3
            assert [frame["seat"] for frame in frames] == [0, 1, None]
            assert all(frame["moves"][0]["seat"] == seat and not frame["moves"][0]["bot"] for frame in frames)
            assert frames[0]["view"]["players"] == frames[1]["view"]["players"] == frames[2]["view"]["players"]


def test_the_first_choice_is_open_to_all_with_numbers_from_before_the_others_choices(server: ServerThread) -> None:
    clients = people(server.url, "europe", 3)
    frames = [client.view() for client in clients]
    assert [frame["n"] for frame in frames] == [0, 0, 0]
    assert [client.act(0, keep_all(frame)) for client, frame in zip(clients, frames, strict=True)] == [1, 2, 3]
    assert clients[0].view()["view"]["phase"] == "turn"


def test_what_is_wrong_is_said_and_changes_nothing(server: ServerThread) -> None:
    clients = people(server.url, "usa", 2)
    past_first_choice(clients)
    acting, other = mover(clients)
    frame = acting.view()
    n, blind = frame["n"], frame["options"]["draw_blind"]
    with connections(acting, other) as (a, b):
        wrong: list[tuple[Connection, Data, str]] = [
            (a, {"n": n - 1, "action": blind}, "stale"),
            (a, {"n": n + 1, "action": blind}, "stale"),
            (b, {"n": n, "action": blind}, "not_your_turn"),
            (a, {"n": n, "action": blind, "seat": other.seats[0]}, "not_your_seat"),
            (a, {"n": n, "action": 99_999}, "illegal"),
            (a, {"n": n, "action": "claim Seattle-Miami"}, "not_understood"),
            (a, {"n": n, "action": "keep 1"}, "illegal"),
            (a, {"n": n, "action": "dance"}, "not_understood"),
        ]
        for line, wish, code in wrong:
            answer = line.ask("act", **wish)
            assert (answer["t"], answer["code"]) == ("error", code), (wish, answer)
            assert answer["message"]
        same = {"n": n, "action": blind}
        for body, status, code in (({**same, "n": n - 1}, 409, "stale"), ({**same, "action": 99_999}, 422, "illegal")):
            assert acting.refused("POST", "/actions", json=body) == (status, code)
        assert other.refused("POST", "/actions", json=same) == (409, "not_your_turn")
        assert acting.view()["n"] == n
        a.got.clear()
        assert a.ask("act", **same)["n"] == n + 1
        assert [m["n"] for m in a.got if m["t"] == "frame"] == [n + 1], "nothing of the refused was shown"


def test_an_action_sent_again_is_harmless(server: ServerThread) -> None:
    clients = people(server.url, "usa", 2)
    past_first_choice(clients)
    acting, other = mover(clients)
    n, blind = acting.view()["n"], acting.view()["options"]["draw_blind"]
    with connections(acting, other) as (a, b):
        assert [a.ask("act", n=n, action=blind)["n"] for _ in range(3)] == [n + 1] * 3
        assert acting.act(n, blind) == n + 1
        assert acting.act(n, "draw blind") == n + 1
        assert acting.view()["n"] == n + 1
        assert acting.act(n + 1, "draw blind") == n + 2
        assert acting.act(n, blind) == n + 1, "late repeats too"
        assert len([m for m in [*b.got, *b.quiet()] if m["t"] == "frame"]) == 3


def test_of_different_actions_on_one_state_one_wins(server: ServerThread) -> None:
    clients = people(server.url, "usa", 2)
    past_first_choice(clients)
    for _ in range(5):
        acting, _ = mover(clients)
        frame = acting.view()
        actions = sorted({action for kind, action in ids(frame["options"]) if kind != "claims"})[:6]
        answers: list[Any] = []

        def send(acting: Client, n: int, action: int, answers: list[Any]) -> None:
            mine = Client(acting.url, acting.table, acting.key)
            answers.append(mine.ask("POST", "/actions", json={"n": n, "action": action}).json())

        threads = [threading.Thread(target=send, args=(acting, frame["n"], action, answers)) for action in actions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert Counter(answer.get("code", "ok") for answer in answers) == {"ok": 1, "stale": len(actions) - 1}
        assert acting.view()["n"] == frame["n"] + 1
        play_until(clients, lambda frame: frame["view"]["phase"] == "turn" and frame["options"], Random(3))


def test_actions_by_text(server: ServerThread) -> None:
    client = open_table(server.url, "usa", "device", "device", first=0)
    for seat in (0, 1):
        frame = client.view(seat=seat)
        client.act(frame["n"], "keep all" if seat else "keep 1 2 3", seat)
    n = client.view()["n"]
    assert client.act(n, "draw blind") == n + 1
    face_up = next(card for card in client.view()["view"]["face_up"] if card != "locomotive")
    assert client.act(n + 1, f"draw {face_up}") == n + 2
    assert [move["kind"] for move in client.view(known=n)["moves"]] == ["draw_blind", "draw_face_up"]


def test_nothing_is_played_after_the_end(server: ServerThread) -> None:
    client = open_table(server.url, "usa", "device", "device")
    over = play_until([client], lambda frame: frame["view"]["phase"] == "over", Random(4))
    assert client.refused("POST", "/actions", json={"n": over["n"], "action": 1}) == (409, "over")
    assert client.refused("POST", "/seats/0/leave") == (409, "over")
    assert over["options"] is None
    assert all(player["revealed"] is not None for player in over["view"]["players"])
    last = client.view(known=over["n"] - 1)["moves"][0]
    assert last["n"] == over["n"]
    began = time.monotonic()
    assert client.view(known=over["n"], wait=20)["n"] == over["n"]
    assert time.monotonic() - began < 10, "nothing comes after the end"


# ---- coming back ----------------------------------------------------------------------------------------------------
def with_mixes(frames: list[Data]) -> list[Data]:
    """All moves of some frames, announcements with the mixes that became public after the last one (RULING-16)."""
    announced = {
        seat: player["announced"]
        for frame in frames
        for seat, player in enumerate(frame["view"]["players"])
        if player["announced"]
    }
    moves = [move for frame in frames for move in frame["moves"]]
    return [
        {**move, "mix": announced[move["seat"]]} if move["kind"] == "announce" and "mix" not in move else move
        for move in moves
    ]


@pytest.mark.parametrize("edition", ["europe", "germany"])
def test_whoever_comes_back_gets_exactly_the_missing_moves(server: ServerThread, edition: str) -> None:
    clients = people(server.url, edition, 2, "casual")
    with connections(*clients, clients[0].spectator()) as stayed:
        for client in clients:
            client.good(messages.TableData, "POST", f"/seats/{client.seats[0]}/leave")
        stayed[0].until(lambda m: m["t"] == "table" and m["status"] == "over")
        n = clients[0].data()["n"]
        for line, client in zip(stayed, (*clients, clients[0].spectator()), strict=True):
            if line is not stayed[0]:
                line.until(lambda m: m["t"] == "table" and m["status"] == "over")
            seen = [m for m in line.got if m["t"] == "frame"]
            story = with_mixes(seen)
            assert [move["n"] for move in story] == list(range(1, n + 1))
            for known in (0, 1, n // 3, n - 1, n, n + 7):
                with client.connect(n=known) as late:
                    frame = late.frame()
                    assert frame["moves"] == story[known:]
                    assert {**frame, "moves": 0} == {**seen[-1], "moves": 0}
                    assert frame == client.view(known=known), "HTTP and sockets tell the same"


def test_a_client_that_hangs_up_in_the_middle_catches_up(server: ServerThread) -> None:
    client = open_table(server.url, "usa", "me", "casual", "casual")
    rng, story, known = Random(2), [], 0
    for _ in range(12):
        with client.connect(n=known) as line:
            frame = line.frame()
            for _ in range(3):
                while not frame["options"]:
                    frame = line.frame()
                line.ask("act", n=frame["n"], action=chosen(frame, rng))
                frame = next(m for m in reversed(line.got) if m["t"] == "frame")
            moves = [move for m in line.got if m["t"] == "frame" for move in m["moves"]]
            story += moves
            known = story[-1]["n"]
    assert [move["n"] for move in story] == list(range(1, known + 1))
    assert client.view()["moves"][:known] == story


def test_saying_hello_again_starts_over_from_the_number_given(server: ServerThread) -> None:
    client = open_table(server.url, "usa", "device", "device")
    past = [client.view(seat=seat) for seat in (0, 1)]
    for frame in past:
        client.act(client.view()["n"], keep_all(frame), frame["seat"])
    with client.connect() as line:
        assert len(line.frame()["moves"]) == 2
        line.send(t="hello", key=client.key, n=1, seat=1, ref=5)
        line.until(lambda m: m["t"] == "ok" and m["ref"] == 5)
        frame = next(m for m in reversed(line.got) if m["t"] == "frame")
        assert (frame["seat"], [move["n"] for move in frame["moves"]]) == (1, [2])


# ---- several seats on one device ------------------------------------------------------------------------------------
def test_one_device_looks_through_one_seat_at_a_time(server: ServerThread) -> None:
    client = open_table(server.url, "europe", "device", "device", "device")
    with client.connect(seat=2) as line:
        assert line.frame()["seat"] == 2
        offers = []
        for seat in (0, 1, 2):
            assert line.ask("sit", seat=seat)["t"] == "ok"
            frame = line.last_frame
            assert (frame["seat"], frame["view"]["player"]) == (seat, seat)
            offers.append(str(frame["view"]["offer"]))
            line.ask("act", n=frame["n"], action=keep_all(frame))
        assert len(set(offers)) == 3
        assert line.ask("act", n=0, action=1, seat=3)["code"] == "not_your_seat"
        assert line.ask("sit", seat=4)["code"] == "not_your_seat"


# ---- scripts over HTTP ----------------------------------------------------------------------------------------------
def test_a_script_plays_a_whole_game_over_http_with_wait(server: ServerThread) -> None:
    client = open_table(server.url, "germany", "me", "casual")
    rng, known, story = Random(6), 0, []
    while True:
        began = time.monotonic()
        frame = client.view(known=known, wait=20)
        assert time.monotonic() - began < 15, "there was news all the time"
        story += frame["moves"]
        known = frame["n"]
        if frame["view"]["phase"] == "over":
            break
        if frame["options"]:
            client.act(known, chosen(frame, rng))
    assert [move["n"] for move in story] == list(range(1, known + 1))
    assert {move["seat"] for move in story} == {0, 1}


def test_two_scripts_that_wait_for_each_other_and_for_the_start(server: ServerThread) -> None:
    host = open_table(server.url, "usa", "me", "open", start=False)
    guest = host.join("Bo")
    ends: list[Data] = []

    def script(client: Client, seed: int) -> None:
        rng, known = Random(seed), 0
        while True:
            frame = client.view(known=known, wait=25)
            known = frame["n"]
            if frame["view"]["phase"] == "over":
                ends.append(frame)
                return
            if frame["options"]:
                known = client.act(known, chosen(frame, rng))

    threads = [threading.Thread(target=script, args=(client, seed)) for seed, client in enumerate((host, guest))]
    for thread in threads:
        thread.start()
    time.sleep(0.2)
    began = time.monotonic()
    Client(server.url, host.table, host.key).good(messages.TableData, "POST", "/start", json={})
    wait_until(lambda: guest.data()["n"] > 2)
    assert time.monotonic() - began < 10, "the start woke them"
    for thread in threads:
        thread.join(60)
    assert len(ends) == 2


def test_waiting_ends_when_nothing_happens(server: ServerThread) -> None:
    clients = people(server.url, "usa", 2)
    past_first_choice(clients)
    acting, other = mover(clients)
    n = other.view()["n"]
    began = time.monotonic()
    frame = other.view(known=n, wait=0.5)
    assert (frame["n"], frame["moves"]) == (n, [])
    assert 0.4 < time.monotonic() - began < 5
    began = time.monotonic()
    assert acting.view(known=n, wait=20)["options"], "whoever may act need not wait"
    assert time.monotonic() - began < 10


# ---- why and way ----------------------------------------------------------------------------------------------------
def expected_track(edition: Edition, frame: Data, track: int) -> dict[str, Any]:
    """The obstacle of a track, from what a frame shows."""
    view, seat = frame["view"], frame["seat"]
    line, me = edition.board.tracks[track], view["players"][seat]
    parallel = [
        i for i, other in enumerate(edition.board.tracks) if {other.a, other.b} == {line.a, line.b} and i != track
    ]
    owner = view["owners"].get(str(track))
    if owner is not None:
        return {"code": "yours" if owner == seat else "owned", "owner": owner}
    if track in view["closed"]:
        return {"code": "closed"}
    if any(view["owners"].get(str(other)) == seat for other in parallel):
        return {"code": "parallel"}
    if line.length > me["trains"]:
        return {"code": "trains", "needs": line.length, "have": me["trains"]}
    if str(track) in frame["options"]["claims"]:
        return {"code": "none"}
    hand = view["hand"]
    locos = hand.get("locomotive", 0)
    plain = max((n for card, n in hand.items() if card != "locomotive"), default=0)
    have = plain if line.colour == "gray" else hand.get(line.colour, 0)
    return {
        "code": "cards",
        "needs": line.length,
        "have": have,
        "locomotives": locos,
        "ferry": line.ferry,
        "gray": line.colour == "gray",
    }


def expected_city(frame: Data, city: str) -> dict[str, Any]:
    view, me = frame["view"], frame["view"]["players"][frame["seat"]]
    if me["stations_left"] == 0:
        return {"code": "no_station"}
    owner = next((i for i, player in enumerate(view["players"]) if city in player["stations"]), None)
    if owner is not None:
        return {"code": "station_taken", "owner": owner}
    sites = frame["options"]["stations"]
    return (
        {"code": "none"} if sites and city in sites["cities"] else {"code": "cards", "needs": len(me["stations"]) + 1}
    )


def check_whys(line: Connection, edition: Edition, frame: Data, found: Counter[str]) -> None:
    for track in range(len(edition.board.tracks)):
        told, right = line.ask("why", track=track), expected_track(edition, frame, track)
        assert told["obstacle"] | right == told["obstacle"], (track, right, told)
        found[right["code"]] += 1
    for city in edition.board.cities:
        told, right = line.ask("why", city=city.name), expected_city(frame, city.name)
        assert told["obstacle"] | right == told["obstacle"], (city.name, right, told)
        found[right["code"]] += 1


def whole_game_of_whys(server: ServerThread, edition: str, players: int, *liked: str) -> Counter[str]:
    client = open_table(server.url, edition, *["device"] * players)
    rng, found, step, known = Random(7), Counter[str](), 0, 0
    with client.connect() as line:
        while (frame := client.view(known=known))["view"]["phase"] != "over":
            known, seat = frame["n"], frame["view"]["to_move"][0]
            line.ask("sit", seat=seat)
            frame = client.view(seat=seat, known=known)
            if frame["view"]["phase"] == "turn":
                step += 1
                if step % 60 == 0 or (frame["view"]["last_round"] and step % 3 == 0):
                    check_whys(line, load_edition(edition), frame, found)
            elif frame["view"]["phase"] == "second_card" and not found["not_now"]:
                tracks = range(len(load_edition(edition).board.tracks))
                found["not_now"] += any(line.ask("why", track=t)["obstacle"]["code"] == "not_now" for t in tracks)
            client.act(known, chosen(frame, rng, *(liked if step > 8 * players else ())), seat)
    return found


def test_why_names_every_obstacle(server: ServerThread) -> None:
    expected = {
        "yours",
        "owned",
        "closed",
        "parallel",
        "trains",
        "cards",
        "no_station",
        "station_taken",
        "not_now",
        "none",
    }
    found = whole_game_of_whys(server, "usa", 2)
    for _ in range(8):  # a server shuffles by chance: not every game has every obstacle
        if not expected <= found.keys():
            found += whole_game_of_whys(server, "europe", 4, "stations")
    assert expected <= found.keys(), f"{expected - found.keys()} did not come up"


def test_why_of_somebody_who_is_not_on_turn(server: ServerThread) -> None:
    clients = people(server.url, "usa", 2)
    past_first_choice(clients)
    acting, other = mover(clients)
    codes = {
        other.good(messages.WhyData, "GET", "/why", params={"track": track})["obstacle"]["code"] for track in range(100)
    }
    assert "none" not in codes
    assert "not_now" in codes, "with four cards there is always a track of one gray space to be had"
    assert acting.refused("GET", "/why") == (422, "no_such_place")
    assert acting.refused("GET", "/why", params={"track": 255}) == (422, "no_such_place")
    assert acting.refused("GET", "/why", params={"city": "Atlantis"}) == (422, "no_such_place")


def test_the_way_is_the_cheapest_and_own_tracks_are_free(server: ServerThread) -> None:
    edition = load_edition("usa")
    client = open_table(server.url, "usa", "device", "device")
    frame = play_until(
        [client], lambda f: len(f["view"]["owners"]) > 8 and f["view"]["phase"] == "turn", Random(3), "claims"
    )
    seat = frame["seat"]
    own = {int(t) for t, owner in frame["view"]["owners"].items() if owner == seat}
    blocked = {int(t) for t, owner in frame["view"]["owners"].items() if owner != seat} | set(frame["view"]["closed"])
    cities = [city.name for city in edition.board.cities]
    for a, b in (("Seattle", "Miami"), ("Los Angeles", "New York"), ("Vancouver", "Boston")):
        told = client.good(messages.WayData, "GET", "/way", params={"from": a, "to": b, "seat": seat})
        tracks = told["tracks"]
        assert tracks
        assert not set(tracks) & blocked
        assert told["missing"] == [t for t in tracks if t not in own]
        assert (
            told["trains"]
            == sum(edition.board.tracks[t].length for t in told["missing"])
            == cheapest(edition, cities, a, b, own, blocked)
        )
    assert client.refused("GET", "/way", params={"from": "Atlantis", "to": "Miami"}) == (422, "no_such_place")


def cheapest(edition: Edition, cities: list[str], a: str, b: str, own: set[int], blocked: set[int]) -> float:
    """The fewest trains that connect two cities, by trying again and again until nothing gets cheaper."""
    far = {city: float("inf") for city in range(len(cities))}
    far[cities.index(a)] = 0
    for _ in cities:
        for i, track in enumerate(edition.board.tracks):
            price = 0 if i in own else track.length
            if i not in blocked:
                far[track.a] = min(far[track.a], far[track.b] + price)
                far[track.b] = min(far[track.b], far[track.a] + price)
    return far[cities.index(b)]
