"""Play: every action reaches everybody once and in order, errors are told, and who comes back misses nothing."""

from __future__ import annotations

import threading
import time
from collections import Counter
from random import Random
from typing import Any

import pytest

from support.clients import Data, House, Line, Place, chosen, ids, lines, open_table, people, play_until, wait_until
from whistlestop.mapfile import Edition, load_edition
from whistlestop.server import messages


def keep_all(frame: Data) -> int:
    found: int = max(frame["options"]["keep"], key=lambda keep: len(keep["kept"]))["id"]
    return found


def past_first_choice(places: list[Place]) -> None:
    for place in places:
        frame = place.view()
        if frame["view"]["phase"] == "first_tickets" and frame["options"]:
            place.act(frame["n"], keep_all(frame))


def mover(places: list[Place]) -> tuple[Place, Place]:
    """Of two people whoever is on turn, and the other."""
    return (places[0], places[1]) if places[0].view()["options"] else (places[1], places[0])


# ---- two at a table -------------------------------------------------------------------------------------------------
def test_each_action_gives_each_socket_one_frame_with_consecutive_numbers(house: House) -> None:
    places = people(house.url, "usa", 2)
    rng = Random(5)
    with lines(*places, places[0].spectator()) as watching:
        frames = [line.frame() for line in watching]
        for n in range(1, 80):
            seat = next(i for i in (0, 1) if frames[i]["options"])
            answer = watching[seat].ask("act", n=n - 1, action=chosen(frames[seat], rng))
            assert answer == {"t": "ok", "ref": answer["ref"], "n": n}
            before = watching[seat].got[-2]
            frames = [before if i == seat else line.frame() for i, line in enumerate(watching)]
            assert [(frame["t"], frame["n"], [move["n"] for move in frame["moves"]]) for frame in frames] == [
                ("frame", n, [n])
            ] * 3
            assert [frame["seat"] for frame in frames] == [0, 1, None]
            assert all(frame["moves"][0]["seat"] == seat and not frame["moves"][0]["bot"] for frame in frames)
            assert frames[0]["view"]["players"] == frames[1]["view"]["players"] == frames[2]["view"]["players"]


def test_the_first_choice_is_open_to_all_with_numbers_from_before_the_others_choices(house: House) -> None:
    places = people(house.url, "europe", 3)
    frames = [place.view() for place in places]
    assert [frame["n"] for frame in frames] == [0, 0, 0]
    assert [place.act(0, keep_all(frame)) for place, frame in zip(places, frames, strict=True)] == [1, 2, 3]
    assert places[0].view()["view"]["phase"] == "turn"


def test_what_is_wrong_is_said_and_changes_nothing(house: House) -> None:
    places = people(house.url, "usa", 2)
    past_first_choice(places)
    acting, other = mover(places)
    frame = acting.view()
    n, blind = frame["n"], frame["options"]["draw_blind"]
    with lines(acting, other) as (a, b):
        wrong: list[tuple[Line, Data, str]] = [
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


def test_an_action_sent_again_is_harmless(house: House) -> None:
    places = people(house.url, "usa", 2)
    past_first_choice(places)
    acting, other = mover(places)
    n, blind = acting.view()["n"], acting.view()["options"]["draw_blind"]
    with lines(acting, other) as (a, b):
        assert [a.ask("act", n=n, action=blind)["n"] for _ in range(3)] == [n + 1] * 3
        assert acting.act(n, blind) == n + 1
        assert acting.act(n, "draw blind") == n + 1
        assert acting.view()["n"] == n + 1
        assert acting.act(n + 1, "draw blind") == n + 2
        assert acting.act(n, blind) == n + 1, "late repeats too"
        assert len([m for m in [*b.got, *b.quiet()] if m["t"] == "frame"]) == 3


def test_of_different_actions_on_one_state_one_wins(house: House) -> None:
    places = people(house.url, "usa", 2)
    past_first_choice(places)
    for _ in range(5):
        acting, _ = mover(places)
        frame = acting.view()
        actions = sorted({action for kind, action in ids(frame["options"]) if kind != "claims"})[:6]
        answers: list[Any] = []

        def send(acting: Place, n: int, action: int, answers: list[Any]) -> None:
            mine = Place(acting.url, acting.table, acting.key)
            answers.append(mine.ask("POST", "/actions", json={"n": n, "action": action}).json())

        threads = [threading.Thread(target=send, args=(acting, frame["n"], action, answers)) for action in actions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert Counter(answer.get("code", "ok") for answer in answers) == {"ok": 1, "stale": len(actions) - 1}
        assert acting.view()["n"] == frame["n"] + 1
        play_until(places, lambda frame: frame["view"]["phase"] == "turn" and frame["options"], Random(3))


def test_actions_by_text(house: House) -> None:
    place = open_table(house.url, "usa", "device", "device", first=0)
    for seat in (0, 1):
        frame = place.view(seat=seat)
        place.act(frame["n"], "keep all" if seat else "keep 1 2 3", seat)
    n = place.view()["n"]
    assert place.act(n, "draw blind") == n + 1
    face_up = next(card for card in place.view()["view"]["face_up"] if card != "locomotive")
    assert place.act(n + 1, f"draw {face_up}") == n + 2
    assert [move["kind"] for move in place.view(known=n)["moves"]] == ["draw_blind", "draw_face_up"]


def test_nothing_is_played_after_the_end(house: House) -> None:
    place = open_table(house.url, "usa", "device", "device")
    over = play_until([place], lambda frame: frame["view"]["phase"] == "over", Random(4))
    assert place.refused("POST", "/actions", json={"n": over["n"], "action": 1}) == (409, "over")
    assert place.refused("POST", "/seats/0/leave") == (409, "over")
    assert over["options"] is None
    assert all(player["revealed"] is not None for player in over["view"]["players"])
    last = place.view(known=over["n"] - 1)["moves"][0]
    assert last["n"] == over["n"]
    began = time.monotonic()
    assert place.view(known=over["n"], wait=20)["n"] == over["n"]
    assert time.monotonic() - began < 10, "nothing comes after the end"


# ---- coming back ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("edition", ["europe", "germany"])
def test_whoever_comes_back_gets_exactly_the_missing_moves(house: House, edition: str) -> None:
    places = people(house.url, edition, 2, "casual")
    with lines(*places, places[0].spectator()) as stayed:
        for place in places:
            place.good(messages.TableData, "POST", f"/seats/{place.seats[0]}/leave")
        stayed[0].until(lambda m: m["t"] == "table" and m["status"] == "over")
        n = places[0].data()["n"]
        for line, place in zip(stayed, (*places, places[0].spectator()), strict=True):
            if line is not stayed[0]:
                line.until(lambda m: m["t"] == "table" and m["status"] == "over")
            seen = [m for m in line.got if m["t"] == "frame"]
            story = [move for frame in seen for move in frame["moves"]]
            assert [move["n"] for move in story] == list(range(1, n + 1))
            for known in (0, 1, n // 3, n - 1, n, n + 7):
                with place.line(n=known) as late:
                    frame = late.frame()
                    assert frame["moves"] == story[known:]
                    assert {**frame, "moves": 0} == {**seen[-1], "moves": 0}
                    assert frame == place.view(known=known), "HTTP and sockets tell the same"


def test_a_client_that_hangs_up_in_the_middle_catches_up(house: House) -> None:
    place = open_table(house.url, "usa", "me", "casual", "casual")
    rng, story, known = Random(2), [], 0
    for _ in range(12):
        with place.line(n=known) as line:
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
    assert place.view()["moves"][:known] == story


def test_saying_hello_again_starts_over_from_the_number_given(house: House) -> None:
    place = open_table(house.url, "usa", "device", "device")
    past = [place.view(seat=seat) for seat in (0, 1)]
    for frame in past:
        place.act(place.view()["n"], keep_all(frame), frame["seat"])
    with place.line() as line:
        assert len(line.frame()["moves"]) == 2
        line.send(t="hello", key=place.key, n=1, seat=1, ref=5)
        line.until(lambda m: m["t"] == "ok" and m["ref"] == 5)
        frame = next(m for m in reversed(line.got) if m["t"] == "frame")
        assert (frame["seat"], [move["n"] for move in frame["moves"]]) == (1, [2])


# ---- several seats on one device ------------------------------------------------------------------------------------
def test_one_device_looks_through_one_seat_at_a_time(house: House) -> None:
    place = open_table(house.url, "europe", "device", "device", "device")
    with place.line(seat=2) as line:
        assert line.frame()["seat"] == 2
        offers = []
        for seat in (0, 1, 2):
            assert line.ask("sit", seat=seat)["t"] == "ok"
            frame = line.got[-2]
            assert (frame["seat"], frame["view"]["player"]) == (seat, seat)
            offers.append(str(frame["view"]["offer"]))
            line.ask("act", n=frame["n"], action=keep_all(frame))
        assert len(set(offers)) == 3
        assert line.ask("act", n=0, action=1, seat=3)["code"] == "not_your_seat"
        assert line.ask("sit", seat=4)["code"] == "not_your_seat"


# ---- scripts over HTTP ----------------------------------------------------------------------------------------------
def test_a_script_plays_a_whole_game_over_http_with_wait(house: House) -> None:
    place = open_table(house.url, "germany", "me", "casual")
    rng, known, story = Random(6), 0, []
    while True:
        began = time.monotonic()
        frame = place.view(known=known, wait=20)
        assert time.monotonic() - began < 15, "there was news all the time"
        story += frame["moves"]
        known = frame["n"]
        if frame["view"]["phase"] == "over":
            break
        if frame["options"]:
            place.act(known, chosen(frame, rng))
    assert [move["n"] for move in story] == list(range(1, known + 1))
    assert {move["seat"] for move in story} == {0, 1}


def test_two_scripts_that_wait_for_each_other_and_for_the_start(house: House) -> None:
    host = open_table(house.url, "usa", "me", "open", start=False)
    guest = host.join("Bo")
    ends: list[Data] = []

    def script(place: Place, seed: int) -> None:
        rng, known = Random(seed), 0
        while True:
            frame = place.view(known=known, wait=25)
            known = frame["n"]
            if frame["view"]["phase"] == "over":
                ends.append(frame)
                return
            if frame["options"]:
                known = place.act(known, chosen(frame, rng))

    threads = [threading.Thread(target=script, args=(place, seed)) for seed, place in enumerate((host, guest))]
    for thread in threads:
        thread.start()
    time.sleep(0.2)
    began = time.monotonic()
    Place(house.url, host.table, host.key).good(messages.TableData, "POST", "/start", json={})
    wait_until(lambda: guest.data()["n"] > 2)
    assert time.monotonic() - began < 10, "the start woke them"
    for thread in threads:
        thread.join(60)
    assert len(ends) == 2


def test_waiting_ends_when_nothing_happens(house: House) -> None:
    places = people(house.url, "usa", 2)
    past_first_choice(places)
    acting, other = mover(places)
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


def check_whys(line: Line, edition: Edition, frame: Data, found: Counter[str]) -> None:
    for track in range(len(edition.board.tracks)):
        told, right = line.ask("why", track=track), expected_track(edition, frame, track)
        assert told["obstacle"] | right == told["obstacle"], (track, right, told)
        found[right["code"]] += 1
    for city in edition.board.cities:
        told, right = line.ask("why", city=city.name), expected_city(frame, city.name)
        assert told["obstacle"] | right == told["obstacle"], (city.name, right, told)
        found[right["code"]] += 1


def whole_game_of_whys(house: House, edition: str, players: int, *liked: str) -> Counter[str]:
    place = open_table(house.url, edition, *["device"] * players)
    rng, found, step, known = Random(7), Counter[str](), 0, 0
    with place.line() as line:
        while (frame := place.view(known=known))["view"]["phase"] != "over":
            known, seat = frame["n"], frame["view"]["to_move"][0]
            line.ask("sit", seat=seat)
            frame = place.view(seat=seat, known=known)
            if frame["view"]["phase"] == "turn":
                step += 1
                if step % 60 == 0 or (frame["view"]["last_round"] and step % 3 == 0):
                    check_whys(line, load_edition(edition), frame, found)
            elif frame["view"]["phase"] == "second_card" and not found["not_now"]:
                tracks = range(len(load_edition(edition).board.tracks))
                found["not_now"] += any(line.ask("why", track=t)["obstacle"]["code"] == "not_now" for t in tracks)
            place.act(known, chosen(frame, rng, *(liked if step > 8 * players else ())), seat)
    return found


def test_why_names_every_obstacle(house: House) -> None:
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
    found = whole_game_of_whys(house, "usa", 2)
    for _ in range(8):  # a server shuffles by chance: not every game has every obstacle
        if not expected <= found.keys():
            found += whole_game_of_whys(house, "europe", 4, "stations")
    assert expected <= found.keys(), f"{expected - found.keys()} did not come up"


def test_why_of_somebody_who_is_not_on_turn(house: House) -> None:
    places = people(house.url, "usa", 2)
    past_first_choice(places)
    acting, other = mover(places)
    codes = {
        other.good(messages.WhyData, "GET", "/why", params={"track": track})["obstacle"]["code"] for track in range(100)
    }
    assert "none" not in codes
    assert "not_now" in codes, "with four cards there is always a track of one gray space to be had"
    assert acting.refused("GET", "/why") == (422, "no_such_place")
    assert acting.refused("GET", "/why", params={"track": 255}) == (422, "no_such_place")
    assert acting.refused("GET", "/why", params={"city": "Atlantis"}) == (422, "no_such_place")


def test_the_way_is_the_cheapest_and_own_tracks_are_free(house: House) -> None:
    edition = load_edition("usa")
    place = open_table(house.url, "usa", "device", "device")
    frame = play_until(
        [place], lambda f: len(f["view"]["owners"]) > 8 and f["view"]["phase"] == "turn", Random(3), "claims"
    )
    seat = frame["seat"]
    own = {int(t) for t, owner in frame["view"]["owners"].items() if owner == seat}
    blocked = {int(t) for t, owner in frame["view"]["owners"].items() if owner != seat} | set(frame["view"]["closed"])
    cities = [city.name for city in edition.board.cities]
    for a, b in (("Seattle", "Miami"), ("Los Angeles", "New York"), ("Vancouver", "Boston")):
        told = place.good(messages.WayData, "GET", "/way", params={"from": a, "to": b, "seat": seat})
        tracks = told["tracks"]
        assert tracks
        assert not set(tracks) & blocked
        assert told["missing"] == [t for t in tracks if t not in own]
        assert (
            told["trains"]
            == sum(edition.board.tracks[t].length for t in told["missing"])
            == cheapest(edition, cities, a, b, own, blocked)
        )
    assert place.refused("GET", "/way", params={"from": "Atlantis", "to": "Miami"}) == (422, "no_such_place")


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
