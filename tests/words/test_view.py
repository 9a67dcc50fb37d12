"""Views: what a player may know, in words, and no more."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

from support.games import ALL, EDITIONS, choose, played, wander
from support.positions import position
from whistlestop import Game, View
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.hidden import SPECTATOR
from whistlestop.engine.tables import tables_of
from whistlestop.notation import notation_of
from whistlestop.views import bits

KEYS = {
    "edition",
    "player",
    "phase",
    "to_move",
    "last_round",
    "hand",
    "tickets",
    "offer",
    "face_up",
    "deck",
    "discard",
    "ticket_decks",
    "owners",
    "closed",
    "tunnel",
    "waiting",
    "players",
}


def seats(game: Game) -> list[int | None]:
    return [*range(game.players), None]


def ticket_texts(game: Game, player: int) -> set[str]:
    """How the tickets that a player holds or chooses from are written in JSON."""
    state, words = game._states[0], notation_of(game.edition)
    held = [*bits(state.tickets[player].tolist()), *state.offer[player][: int(state.offer_n[player])].tolist()]
    return {json.dumps({"from": words.tickets[t].a, "to": words.tickets[t].b})[1:-1] for t in held}


@pytest.mark.rule("TICKET-7", "RULING-10")
@pytest.mark.parametrize(("edition", "players"), ALL)
def test_views_in_whole_games(edition: str, players: int) -> None:
    game = Game(edition, players, seed=31)
    for _ in wander(game, 31):
        often = 25 if game.phase in ("turn", "second_card") else 5
        if len(game.history) % often == 0:
            check_views(game)
    check_views(game)


def check_views(game: Game) -> None:
    for player in seats(game):
        view = game.view(player)
        data = view.json()
        assert json.loads(json.dumps(data)) == data
        assert set(data) == KEYS
        check_own(game, view, player)
        check_others(game, view, player, json.dumps(data))
        check_public(game, view)
        if player is not None:
            assert view.legal() == game.legal(player)
        else:
            assert view.legal() == []


def check_own(game: Game, view: View, player: int | None) -> None:
    """The viewer's own things are all there."""
    state = game._states[0]
    if player is None:
        assert (view.hand, view.tickets, view.offer, view.player) == ({}, (), (), SPECTATOR)
        assert view.json()["player"] is None
        return
    assert sum(view.hand.values()) == int(state.cards[player]) == view.players[player].cards
    assert len(view.tickets) == view.players[player].tickets == len(bits(state.tickets[player].tolist()))
    assert len(view.offer) == int(state.offer_n[player])


def check_others(game: Game, view: View, player: int | None, text: str) -> None:
    """Nothing that only others know stands in the JSON, the words or the record behind them."""
    state = view.states[0]
    own = ticket_texts(game, player) if player is not None else set()
    for other in range(game.players):
        if other == player:
            continue
        known = view.players[other].known
        assert all(known[card] <= n for card, n in game.view(other).hand.items() if card in known)
        assert set(known) <= set(game.view(other).hand)
        assert state.hand[other].tolist() == state.known[other].tolist()
        if not game.over:
            assert view.players[other].revealed is None
            assert not any(ticket in text for ticket in ticket_texts(game, other) - own)
            assert not bits(state.tickets[other].tolist())
            assert all(ticket < 0 for ticket in state.offer[other].tolist())
            assert int(state.choice[other]) in (lay.NONE, lay.HIDDEN)
    assert int(state.rng) == 0
    assert not state.deck.any()
    if player is None:
        assert "hand" not in repr(view)


def check_public(game: Game, view: View) -> None:
    """What everybody sees is what is there."""
    state = game._states[0]
    assert view.owners == game.owners()
    assert {city: i for i, p in enumerate(view.players) for city in p.stations} == game.stations()
    assert view.passengers == game.passengers()
    assert (view.phase, view.to_move) == (game.phase, game.to_move)
    assert view.deck == int(state.deck_n) == int(state.deck.sum())
    assert sum(view.discard.values()) == int(state.discard_n)
    assert (view.tunnel is not None) == (game.phase == "tunnel")
    assert view.names == game.names == tuple(p.name for p in view.players)
    assert not set(view.closed) & set(view.owners)
    laid = sum(view.tunnel["laid"].values()) + len(view.tunnel["turned_up"]) if view.tunnel else 0
    face_up = sum(card is not None for card in view.face_up)
    assert view.deck + sum(view.discard.values()) + face_up + laid + sum(p.cards for p in view.players) == 110


@pytest.mark.rule("RULING-10")
@pytest.mark.parametrize("edition", EDITIONS)
def test_another_deal_of_what_is_hidden_looks_the_same(edition: str) -> None:
    game = Game(edition, 3, seed=3)
    tables, pool = tables_of(game.edition), np.zeros(lay.WORDS, np.uint64)
    for n, _ in enumerate(wander(game, 3)):
        if n % 11 and n > 6:
            continue
        for player in seats(game):
            view = game.view(player)
            other = view.states.copy()
            doors.determinize(other, 0, tables, view.player, np.uint64(n), pool)
            doors.redact(other, 0, tables, view.player)
            again = View(game.edition, other, view.player, game.names)
            assert (again.json(), repr(again), again.legal()) == (view.json(), repr(view), view.legal())


@pytest.mark.rule("SETUP-14")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_first_choice_tells_the_others_nothing(edition: str) -> None:
    game = Game(edition, 3, seed=5)
    seen: list[Any] = []
    for action in game.legal(1):
        game.play(action, 1)
        seen.append([game.view(player).json() for player in (0, 2, None)])
        assert [p.chosen for p in game.view(0).players] == [False, True, False]
        game.undo()
    assert len(seen) > 2
    assert all(views == seen[0] for views in seen)


@pytest.mark.rule("TICKET-7")
@pytest.mark.parametrize("edition", EDITIONS)
def test_at_the_end_all_tickets_lie_open(edition: str) -> None:
    game = played(edition, 3, 6)
    result = game.result()
    for player in seats(game):
        for public, final in zip(game.view(player).players, result.players, strict=True):
            assert public.revealed is not None
            assert {t.text for t in public.revealed} == {t.text for t in (*final.completed, *final.failed)}


def test_what_was_seen_stays_known() -> None:
    table = position("usa", 3, face_up="red red blue locomotive white")
    table.play("draw red", "green").play("draw blind", "yellow")
    for player in (1, 2, None):
        assert table.view(player).players[0].known == {"red": 1}
        assert table.view(player).players[0].cards == 2
    assert table.view(0).hand == {"yellow": 1, "red": 1}


def test_views_do_not_change_with_the_game() -> None:
    game = played("europe", 3, 4, 20)
    view = game.view(0)
    before = view.json()
    for _ in wander(game, 4):
        pass
    assert view.json() == before


def test_a_view_cannot_change_the_game() -> None:
    game = played("europe", 3, 4, 20)
    before = game.state_bytes()
    view = game.view(0)
    view.states[:] = np.zeros(1, lay.STATE)
    assert game.state_bytes() == before


def test_views_in_the_first_choices_are_for_each_player() -> None:
    game = Game("europe", 4, seed=9)
    rng = random.Random(9)
    offers = [game.view(player).offer for player in range(4)]
    assert len({ticket for offer in offers for ticket in offer}) == sum(map(len, offers)) == 16
    while len(game.to_move) > 1:
        player = rng.choice(game.to_move)
        game.play(choose(game.legal(player), rng), player)
        assert not game.view(player).legal()
        for waiting in game.to_move:
            assert game.view(waiting).legal() == game.legal(waiting) != []


def test_last_round_and_words() -> None:
    game = Game("usa", 3, seed=2)
    rounds = [game.view(None).last_round for _ in wander(game, 2)]
    assert list(dict.fromkeys(rounds)) == [None, 3, 2, 1]
    assert [game.view(player).last_round for player in (None, 0, 1, 2)] == [0, 0, 0, 0]
    assert repr(game.view(None)) == "<View of usa for a spectator: over>"
    assert repr(position("usa", hands={0: "2 red"}).view(0)) == "<View of usa for Player 1: turn, hand 2 red>"
    assert repr(position("usa").view(1)) == "<View of usa for Player 2: turn, hand empty>"


def test_a_tunnel_is_shown_to_all() -> None:
    table = position("europe", 3, hands={0: "3 purple, 1 locomotive"})
    table.play("claim Marseille–Zürich with 2 purple", "purple red locomotive")
    for player in (0, 1, 2, None):
        assert table.view(player).json()["tunnel"] == {
            "track": table.track("Marseille–Zürich"),
            "laid": {"purple": 2},
            "turned_up": ["purple", "red", "locomotive"],
            "hits": [True, False, True],
            "extra": 2,
        }


def test_tickets_say_which_kind_they_are() -> None:
    game = Game("europe", 2, seed=1)
    kinds = [ticket["kind"] for ticket in game.view(0).json()["offer"]]
    assert sorted(kinds) == ["long", "regular", "regular", "regular"]
    assert game.view(0).offer[kinds.index("long")].points == max(ticket.points for ticket in game.view(0).offer)
    game.play("keep 1 2 3 4", 0)
    game.play("keep 1 2 3 4", 1)
    assert sorted(ticket.kind for ticket in game.view(0).tickets) == sorted(kinds)
