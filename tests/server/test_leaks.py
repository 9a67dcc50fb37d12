"""Secrets: nothing that a seat or a spectator is sent depends on what they may not know.

A whole game is played while every seat and a spectator listen and ask whatever can be asked. Then the stored actions
are replayed to know the truth, all that a viewer cannot see is dealt anew, and each message must come out byte for byte
the same from that other world.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from random import Random
from typing import Any

import httpx
import orjson
import pytest

from support.clients import Client, Connection, Data, ServerThread, chosen, people
from support.truth import Truth, redealt, stored
from whistlestop import editions
from whistlestop.bots.paths import cheapest_path
from whistlestop.game import Game, Move, View
from whistlestop.mapfile import CARDS
from whistlestop.obstacles import station_obstacle, track_obstacle
from whistlestop.server import messages, narration
from whistlestop.server.frames import FrameWriter
from whistlestop.server.table import Table

BASE = {"n", "seat", "kind", "at", "bot"}
PUBLIC = {
    "announce": BASE,
    "keep": BASE | {"kept"},
    "draw_blind": BASE,
    "draw_face_up": BASE | {"card"},
    "draw_tickets": BASE | {"mix"},
    "claim": BASE | {"track", "cards", "turned_up", "hits", "extra", "claimed", "points"},
    "station": BASE | {"city", "cards"},
    "pay_extra": BASE | {"track", "cards", "claimed", "points"},
    "give_up": BASE | {"track"},
    "take_passenger": BASE | {"passenger", "place"},
    "pass": BASE,
}
"""What everybody may be told of each kind of action."""
PRIVATE = {"draw_blind": {"card"}, "keep": {"tickets", "kept"}, "announce": {"mix"}}
"""What only its player may be told besides."""
EVERY = 6
"""Every so many turns of the first player everything is asked that can be asked."""


class Witness:
    """Somebody at the table who writes down all that is said to them."""

    def __init__(self, client: Client, seat: int | None) -> None:
        self.client, self.seat = client, seat
        self.answers: list[tuple[str, int, Data, Any]] = []
        """What was asked, at which number, with what, and the answer."""
        self.line: Connection = client.connect()

    def frames(self) -> Iterator[tuple[str, Data]]:
        """Every frame over the socket, as it came and as data."""
        yield from ((raw, data) for raw, data in zip(self.line.raw, self.line.got, strict=True) if data["t"] == "frame")

    def everything(self) -> list[str]:
        """All texts that came before the end was told."""
        return [*self.line.raw, *self.client.heard]

    def ask_everything(self, n: int, rng: Random, edition: Any) -> None:
        """Ask what can be asked over HTTP now."""
        known = rng.randrange(n + 1)
        query: Data = {} if self.seat is None else {"seat": self.seat}
        self.answers.append(("view", n, {"known": known}, self.client.view(known=known, **query)))
        for track in rng.sample(range(len(edition.board.tracks)), 6):
            self.answers.append(
                (
                    "track",
                    n,
                    {"track": track},
                    self.client.good(messages.WhyData, "GET", "/why", params={"track": track, **query}),
                )
            )
        a, b = rng.sample([city.name for city in edition.board.cities if not city.country], 2)
        self.answers.append(
            ("city", n, {"city": a}, self.client.good(messages.WhyData, "GET", "/why", params={"city": a, **query}))
        )
        self.answers.append(
            (
                "way",
                n,
                {"from": a, "to": b},
                self.client.good(messages.WayData, "GET", "/way", params={"from": a, "to": b, **query}),
            )
        )
        self.client.data()
        self.client.ask("GET", "/chat")
        mine = httpx.post(
            f"{self.client.url}/api/mine", json={"keys": [self.client.key]}, trust_env=False, verify=False
        )
        self.client.heard.append(mine.text)


def witnessed(server: ServerThread, edition: str, seed: int, most: int = 10_000) -> tuple[list[Witness], Truth]:
    """A whole game, or its first actions, with witnesses: three seats, of which bots play two, and a spectator."""
    rng = Random(f"{edition} {seed}")
    with ExitStack() as closing:
        clients = people(server.url, edition, 3)
        witnesses = [
            Witness(client, seat)
            for client, seat in zip((*clients, clients[0].spectator()), (0, 1, 2, None), strict=True)
        ]
        for witness in witnesses:
            closing.callback(witness.line.close)
        for seat in (1, 2):
            clients[seat].good(messages.TableData, "POST", f"/seats/{seat}/leave")
        own, turns = witnesses[0].line, 0
        board = server.hall._tables[clients[0].table].edition
        while (frame := own.frame())["view"]["phase"] != "over" and frame["n"] < most:
            if not frame["options"]:
                continue
            turns += 1
            if frame["view"]["to_move"] == [0] and (turns % EVERY == 0 or frame["view"]["phase"] == "tunnel"):
                for witness in witnesses:
                    witness.ask_everything(frame["n"], rng, board)
            own.send(t="act", n=frame["n"], action=chosen(frame, rng, *(("draw_tickets",) if turns % 9 == 0 else ())))
        for witness in witnesses:
            if witness.seat != 0:
                witness.line.frame(frame["n"])
        return witnesses, stored(server.settings.data_dir, clients[0].table)


# ---- the oracle -----------------------------------------------------------------------------------------------------
def right_move(move: Move, seen: Data, viewer: int | None, first_choice: bool, offer: Any, announced: bool) -> None:
    """A move as told must say what happened, and to others nothing that only its player knows."""
    kind, mine = move.action.kind, viewer == move.player
    allowed = PUBLIC[kind] | (PRIVATE.get(kind, set()) if mine else set())
    if kind == "keep" and first_choice and not mine:
        allowed = BASE
    if kind == "announce" and announced:  # public once all have announced (RULING-16)
        allowed = PUBLIC[kind] | PRIVATE[kind]
        assert seen["mix"] == dict(move.action.mix)
    assert seen.keys() <= allowed, f"{viewer} was told {seen.keys() - allowed} of a {kind}"
    assert (seen["n"], seen["seat"], seen["kind"]) == (move.number, move.player, kind)
    if "turned_up" in seen:  # every hit costs one card more (TUNNEL-2)
        assert (len(seen["hits"]), sum(seen["hits"])) == (len(seen["turned_up"]), seen["extra"])
    if kind == "draw_blind" and mine:
        assert seen["card"] == CARDS[move.outcome[0]]
    if kind == "keep" and mine:
        places = move.action.kept
        assert [(t["from"], t["to"]) for t in seen["tickets"]] == [(offer[i].a, offer[i].b) for i in places]


def rebuilt(world: Game, viewer: int | None, frame: Data) -> bytes:
    """The frame as the server would send it from another world, with the moves that were checked one by one."""
    made = orjson.loads(FrameWriter(world).frame([], viewer, 0, frame["deadline"]))
    return orjson.dumps({name: frame["moves"] if name == "moves" else value for name, value in made.items()})


def asked_again(view: View, what: str, wish: Data) -> Any:
    """The part of an answer that could depend on secrets, from another world."""
    if what == "track":
        return track_obstacle(view, wish["track"]).json()
    if what == "city":
        return station_obstacle(view, wish["city"]).json()
    tracks = cheapest_path(view, wish["from"], wish["to"])
    return None if tracks is None else list(tracks)


def check(witnesses: list[Witness], truth: Truth) -> int:
    """Fail if anything that was said tells what its listener may not know; how many frames were compared."""
    whole = truth.game()
    games = [whole.at(n) for n in range(len(whole.history) + 1)]
    compared = 0
    for witness in witnesses:
        eyes = witness.seat
        compared += check_frames(games, witness, [(raw, frame) for raw, frame in witness.frames()])
        for what, n, wish, answer in witness.answers:
            if what == "view":
                compared += check_frames(games, witness, [(orjson.dumps(answer).decode(), answer)])
                assert [move["n"] for move in answer["moves"]] == list(range(wish["known"] + 1, n + 1))
            else:
                told = answer["tracks"] if what == "way" else answer["obstacle"]
                for seed in (1, 2):
                    assert told == asked_again(redealt(games[n], eyes, seed).view(eyes), what, wish)
        check_texts(witness, witnesses, truth)
    return compared


def check_frames(games: list[Game], witness: Witness, frames: list[tuple[str, Data]]) -> int:
    for raw, frame in frames:
        eyes, n = witness.seat, frame["n"]
        assert frame["seat"] == eyes
        for told in frame["moves"]:
            before = games[told["n"] - 1]
            move = games[-1].history[told["n"] - 1]
            first_choice, announced = before.phase == "first_tickets", games[n].phase != "announce"
            right_move(move, told, eyes, first_choice, before.view(move.player).offer, announced)
        for seed in (n, n + 1000):
            world = redealt(games[n], eyes, seed)
            assert rebuilt(world, eyes, frame) == raw.encode(), (
                f"{eyes} was shown something at {n} that they cannot know"
            )
    return len(frames)


def check_texts(witness: Witness, witnesses: list[Witness], truth: Truth) -> None:
    """Seed, salt and other people's keys stand in no message; the spectators' key is for players to share."""
    row = truth.row
    secrets = [row["seed"], row["salt"], *(w.client.key for w in witnesses if w is not witness and w.seat is not None)]
    if witness.seat is None:
        assert not any(
            str(key) in text for key in [w.client.key for w in witnesses[:3]] for text in witness.everything()
        )
    for text in witness.everything():
        assert not any(secret in text for secret in secrets), "a secret stands in a message"


# ---- the tests ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("edition", [edition.id for edition in editions()])
def test_no_message_tells_what_its_listener_may_not_know(server: ServerThread, edition: str) -> None:
    witnesses, truth = witnessed(server, edition, 1)
    assert truth.row["status"] in ("playing", "over")
    assert check(witnesses, truth) >= 4 * len(truth.actions), "every action was shown to everybody"
    seen = {frame["view"]["phase"] for witness in witnesses for _, frame in witness.frames()}
    assert {"first_tickets", "turn", "second_card", "over"} <= seen
    kinds = {what for witness in witnesses for what, *_ in witness.answers}
    assert kinds == {"view", "track", "city", "way"}


def tell_all(self: narration.MoveReport, _viewer: int | None, _announced: bool = False) -> Data:
    return self.public | self.private


def frame_with_true_hands(self: FrameWriter, *rest: Any) -> bytes:
    made = orjson.loads(HONEST_FRAME(self, *rest))
    for seat, player in enumerate(made["view"]["players"]):
        player["known"] = self._game.view(seat).hand
    return orjson.dumps(made)


def frame_with_order(self: FrameWriter, *rest: Any) -> bytes:
    made = orjson.loads(HONEST_FRAME(self, *rest))
    made["view"]["face_up"] = [*made["view"]["face_up"][:4], CARDS[int(self._game._states["deck"][0].argmax())]]
    return orjson.dumps(made)


def data_with_seed(self: Table) -> Data:
    return HONEST_DATA(self) | {"edition_name": f"{self.edition.name} {self._seed}"}


HONEST_FRAME, HONEST_DATA = FrameWriter.frame, Table.data
LEAKS: dict[str, tuple[Any, str, Callable[..., Any], str]] = {
    "private parts of moves": (narration.MoveReport, "for_viewer", tell_all, "was told"),
    "hands": (FrameWriter, "frame", frame_with_true_hands, "cannot know"),
    "the deck": (FrameWriter, "frame", frame_with_order, "cannot know"),
    "the seed": (Table, "data", data_with_seed, "a secret stands"),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_server_that_leaks_is_found_out(server: ServerThread, monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    """The test above can fail, and for the right reason: the leaky server also makes the other worlds' messages."""
    where, name, leaky, complaint = LEAKS[leak]
    monkeypatch.setattr(where, name, leaky)
    witnesses, truth = witnessed(server, "usa", 2, most=70)
    with pytest.raises(AssertionError, match=complaint):
        check(witnesses, truth)


def test_choices_made_at_once_stay_secret_until_all_have_chosen(server: ServerThread) -> None:
    """Whatever two players keep, the third and a spectator see the same."""
    seen = []
    for kept in (0, -1):
        clients = people(server.url, "europe", 3, first=0)
        with clients[2].connect() as third, clients[0].spectator().connect() as watcher:
            for client in clients[:2]:
                client.act(0, client.view()["options"]["keep"][kept]["id"])
            frames = [third.frame(2), watcher.frame(2)]
            shown = [m for line in (third, watcher) for m in line.got if m["t"] == "frame"]
            moves = [{k: v for k, v in move.items() if k != "at"} for frame in shown for move in frame["moves"]]
            players = [player for frame in frames for player in frame["view"]["players"]]
            counts = [json.dumps([player["tickets"], player["chosen"], player["cards"]]) for player in players]
            assert len(moves) == 4, "both saw both choices"
            seen.append([moves, counts, [frame["view"]["ticket_decks"] for frame in frames]])
    assert seen[0] == seen[1]
