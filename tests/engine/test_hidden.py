"""Hidden information: a view holds only what its viewer may know, and states redealt from it are sound."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from support import lockstep
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.hidden import SPECTATOR
from whistlestop.engine.status import BROKEN

HIDING = ("RULING-10", "TICKET-7", "SETUP-14")
POOL = np.zeros(lay.WORDS, np.uint64)


def moments(edition: str, players: int, seed: int, every: int, style: str = "any") -> Iterator[lockstep.FastGame]:
    """A game stopped at its first steps, at every `every`-th one, and at its end."""
    game = lockstep.FastGame(edition, players, seed, style)
    yield game
    for _ in game.walk():
        if game.steps <= 2 * players or game.steps % every == 0 or game.phase() in (lay.OVER, lay.TUNNEL):
            yield game


def redacted(states: Any, tables: Any, viewer: int) -> Any:
    view = states.copy()
    doors.redact(view, 0, tables, viewer)
    return view


def redealt(view: Any, tables: Any, viewer: int, seed: int) -> Any:
    world = view.copy()
    doors.determinize(world, 0, tables, viewer, np.uint64(seed), POOL)
    return world


def viewers(game: lockstep.FastGame) -> list[int]:
    return [*range(game.players), SPECTATOR]


def complaints(states: Any, tables: Any) -> list[str]:
    out = np.zeros(int(tables[0].actions) + 1, np.int64)
    broken = doors.status(states, 0, tables, out)
    return [text for i, text in enumerate(BROKEN) if broken >> i & 1]


def play_out(states: Any, tables: Any, rng: random.Random) -> int:
    """Play a state to its end at random; returns the number of steps."""
    out, log, steps = np.zeros(int(tables[0].actions) + 1, np.int64), doors.new_log(0), 0
    while n := doors.list_legal(states, 0, tables, out):
        doors.step(states, 0, tables, int(out[rng.randrange(n)]), log)
        steps += 1
        assert steps < 5000
    return steps


# ---- redealing -------------------------------------------------------------------------------------------------------
@pytest.mark.rule(*HIDING)
@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("edition", lockstep.EDITIONS)
def test_redealing_what_a_player_cannot_see_leaves_the_view_unchanged(edition: str, players: int) -> None:
    for seed, style in enumerate(("any", "hoard", "tickets", "locomotives")):
        for game in moments(edition, players, seed, 17, style):
            tables = game.words.tables
            for viewer in viewers(game):
                view = redacted(game.states, tables, viewer)
                assert redacted(view, tables, viewer).tobytes() == view.tobytes(), "redacting twice is redacting once"
                for k in range(3):
                    world = redealt(view, tables, viewer, 1000 * game.steps + k)
                    assert not complaints(world, tables), (seed, style, game.steps, viewer)
                    assert redacted(world, tables, viewer).tobytes() == view.tobytes(), (
                        seed,
                        style,
                        game.steps,
                        viewer,
                    )


@pytest.mark.parametrize("edition", [*lockstep.EDITIONS, *(f"{lockstep.TINY}{i}" for i in range(12))])
def test_redealt_worlds_can_be_played_to_the_end(edition: str) -> None:
    rng = random.Random(edition)
    for game in moments(edition, 3, 4, 60):
        for viewer in viewers(game):
            world = redealt(redacted(game.states, game.words.tables, viewer), game.words.tables, viewer, game.steps)
            play_out(world, game.words.tables, rng)
            assert world[0].phase == lay.OVER
            assert not complaints(world, game.words.tables)


def test_redealing_on_random_boards() -> None:
    for board in range(40):
        for game in moments(f"{lockstep.TINY}{board}", lockstep.PLAYERS[board % 4], board, 7):
            tables = game.words.tables
            for viewer in viewers(game):
                view = redacted(game.states, tables, viewer)
                world = redealt(view, tables, viewer, board)
                assert not complaints(world, tables), (board, game.steps, viewer)
                assert redacted(world, tables, viewer).tobytes() == view.tobytes(), (board, game.steps, viewer)


@pytest.mark.rule("RULING-2", "RULING-10")
def test_redealt_worlds_agree_with_a_sweep_that_did_not_happen() -> None:
    """Three locomotives stay face up only under RULING-2, which limits what the deck can hold."""
    for game in moments("europe", 3, 1, 1, "hoard"):
        if game.states[0].face_up.tolist().count(lay.LOCO) >= 3 and game.phase() == lay.TURN:
            view = redacted(game.states, game.words.tables, 0)
            for seed in range(20):
                assert not complaints(redealt(view, game.words.tables, 0, seed), game.words.tables), (game.steps, seed)


def test_redealt_worlds_split_a_first_deal_of_both_decks_by_the_sizes_of_the_decks() -> None:
    """Tickets that went back into decks of known sizes tell how many of each deck were kept."""
    shape = ((2, 1), "reshuffle")
    deals = {i: lockstep.words_of(f"{lockstep.TINY}{i}").edition.first_tickets[0] for i in range(60)}
    boards = [i for i, deal in deals.items() if (deal.counts, deal.returned) == shape]
    assert boards
    for board in boards[:4]:
        game = lockstep.FastGame(f"{lockstep.TINY}{board}", 3, board, "any")
        while game.phase() <= lay.FIRST_TICKETS:
            next(game.walk())
        view = redacted(game.states, game.words.tables, 0)
        for seed in range(20):
            world = redealt(view, game.words.tables, 0, seed)
            assert not complaints(world, game.words.tables), (board, seed)
            assert redacted(world, game.words.tables, 0).tobytes() == view.tobytes(), (board, seed)


def test_the_same_seed_deals_the_same_world_and_others_deal_others() -> None:
    game = lockstep.FastGame("europe", 3, 1, "any")
    view = redacted(game.states, game.words.tables, 0)
    worlds = [redealt(view, game.words.tables, 0, seed).tobytes() for seed in (1, 1, 2, 3)]
    assert worlds[0] == worlds[1]
    assert len(set(worlds)) == 3


# ---- what a view must not show ---------------------------------------------------------------------------------------
def swap_unseen_card(states: Any, viewer: int, rng: random.Random) -> bool:
    """Swap a card of the deck with one that an opponent holds unseen, where there are two to swap."""
    s = states[0]
    deck = [kind for kind in range(lay.KINDS) if s.deck[kind] > 0]
    unseen = [
        (p, kind)
        for p in range(s.players)
        if p != viewer
        for kind in range(lay.KINDS)
        if s.hand[p, kind] > s.known[p, kind]
    ]
    if not deck or not unseen:
        return False
    (player, out), into = rng.choice(unseen), rng.choice(deck)
    s.hand[player, out] -= 1
    s.hand[player, into] += 1
    s.deck[into] -= 1
    s.deck[out] += 1
    return out != into


def remembered(s: Any, viewer: int) -> set[int]:
    """Tickets that the viewer returned and has not seen since."""
    quota = lay.MEMORY // int(s.players)
    entries = s.memory[quota * viewer : quota * (viewer + 1)] if viewer >= 0 else s.memory[:0]
    return {int(ticket) for ticket in entries[:, lay.TICKET] if ticket != lay.NONE}


def unknown_places(s: Any, deck_tickets: range, viewer: int) -> list[int]:
    """Places in a ticket deck whose ticket the viewer did not put there."""
    known = remembered(s, viewer)
    return [i for i in deck_tickets if s.ticket_order[i] >= 0 and int(s.ticket_order[i]) not in known]


def swap_unseen_tickets(states: Any, tables: Any, viewer: int, rng: random.Random) -> bool:
    """Swap two tickets of a deck whose places the viewer does not know: in the deck, or with an opponent."""
    s, t = states[0], tables[0]
    deck = rng.randrange(int(t.decks))
    deck_tickets = range(int(t.deck_first[deck]), int(t.deck_first[deck]) + int(t.deck_size[deck]))
    places = unknown_places(s, deck_tickets, viewer)
    others = [p for p in range(s.players) if p != viewer]
    own = set(deck_tickets) - remembered(s, viewer)
    held = [(p, ticket) for p in others for ticket in lockstep.bits(s.tickets[p].tolist()) if ticket in own]
    if not places or not held:
        return False
    place, (player, ticket) = rng.choice(places), rng.choice(held)
    other = int(s.ticket_order[place])
    s.tickets[player][ticket >> 6] ^= np.uint64(1 << (ticket & 63))
    s.tickets[player][other >> 6] ^= np.uint64(1 << (other & 63))
    s.ticket_order[place] = ticket
    return True


def swap_order(states: Any, tables: Any, viewer: int, rng: random.Random) -> bool:
    """Swap two tickets inside a deck that the viewer did not put there."""
    s, t = states[0], tables[0]
    deck = rng.randrange(int(t.decks))
    deck_tickets = range(int(t.deck_first[deck]), int(t.deck_first[deck]) + int(t.deck_size[deck]))
    places = unknown_places(s, deck_tickets, viewer)
    if len(places) < 2:
        return False
    i, j = rng.sample(places, 2)
    s.ticket_order[i], s.ticket_order[j] = s.ticket_order[j], s.ticket_order[i]
    return True


@pytest.mark.rule(*HIDING)
@pytest.mark.parametrize("edition", lockstep.EDITIONS)
def test_a_view_does_not_depend_on_what_is_hidden(edition: str) -> None:
    rng = random.Random(f"swaps {edition}")
    swapped: Counter[str] = Counter()
    for seed, style in enumerate(("any", "hoard", "tickets")):
        for game in moments(edition, 3, seed, 11, style):
            tables = game.words.tables
            for viewer in viewers(game):
                view = redacted(game.states, tables, viewer).tobytes()
                other = game.states.copy()
                other[0].rng, other[0].key = rng.getrandbits(63), rng.getrandbits(63)
                swapped["card"] += swap_unseen_card(other, viewer, rng)
                if game.phase() != lay.OVER:  # then tickets lie open
                    swapped["ticket"] += swap_unseen_tickets(other, tables, viewer, rng)
                swapped["order"] += swap_order(other, tables, viewer, rng)
                assert redacted(other, tables, viewer).tobytes() == view, (seed, style, game.steps, viewer)
    assert min(swapped["card"], swapped["ticket"], swapped["order"]) > 20, swapped


@pytest.mark.rule("SETUP-14")
@pytest.mark.parametrize("edition", lockstep.EDITIONS)
def test_a_secret_first_choice_looks_like_any_other(edition: str) -> None:
    """Whichever tickets a player chooses before the others have, the others' views stay the same."""
    game = lockstep.FastGame(edition, 3, 7, "any")
    tables = game.words.tables
    while game.phase() == lay.ANNOUNCE:
        game.act(int(game.legal(game.to_act()[0])[0]))
    views: dict[int, set[bytes]] = {0: set(), 1: set(), 2: set(), SPECTATOR: set()}
    for action in game.legal(1).tolist():
        states = game.states.copy()
        doors.step(states, 0, tables, action, game.log)
        for viewer, seen in views.items():
            seen.add(redacted(states, tables, viewer).tobytes())
    assert [len(views[viewer]) for viewer in (0, 2, SPECTATOR)] == [1, 1, 1]
    assert len(views[1]) == len(game.legal(1))


@pytest.mark.rule("RULING-10", "TICKET-7")
@pytest.mark.parametrize("edition", lockstep.EDITIONS)
def test_no_secret_number_stands_in_a_view(edition: str) -> None:
    for game in moments(edition, 4, 2, 13):
        s, tables = game.states[0], game.words.tables
        for viewer in viewers(game):
            view = redacted(game.states, tables, viewer)[0]
            assert view.rng == 0
            assert not view.deck.any()
            order = [ticket for ticket in view.ticket_order.tolist() if ticket >= 0]
            assert set(order) <= remembered(s, viewer)
            assert not any(remembered(view, other) for other in range(4) if other != viewer), (
                "what others know is secret"
            )
            for other in range(4):
                if other != viewer:
                    assert (view.hand[other] == s.known[other]).all()
                    assert game.phase() == lay.OVER or not view.tickets[other].any()
                    assert all(ticket < 0 for ticket in view.offer[other].tolist())
                    assert view.choice[other] in (lay.NONE, lay.HIDDEN)


@pytest.mark.rule("RULING-10")
@pytest.mark.parametrize("edition", lockstep.EDITIONS)
def test_a_view_keeps_everything_the_viewer_may_know(edition: str) -> None:
    public = (
        "open", "tracks", "barred", "stations", "points", "known", "cards", "trains", "stations_left",
        "discard", "deck_n", "discard_n", "face_up", "laid", "laid_colour", "turned", "extra", "track",
        "ticket_head", "ticket_count", "tickets_sure", "tickets_mixed", "tickets_late", "offer_n", "remembers",
        "passengers", "collected", "players", "first", "player", "phase", "deal", "last_turns", "passes",
    )  # fmt: skip
    chance = {"rng", "key"}
    hidden = {"tickets", "hand", "deck", "ticket_order", "memory", "lost_offers", "offer", "choice", "padding"} | chance
    assert set(public) | hidden == set(lay.STATE.names or ()) | {"padding"}, "a new field must be public or hidden"
    for game in moments(edition, 3, 6, 13):
        for viewer in viewers(game):
            view = redacted(game.states, game.words.tables, viewer)
            assert all(view[name].tobytes() == game.states[name].tobytes() for name in public)
            if viewer >= 0:
                for name in ("hand", "tickets", "offer", "choice"):
                    assert view[name][0][viewer].tobytes() == game.states[name][0][viewer].tobytes()


@pytest.mark.parametrize("edition", lockstep.EDITIONS)
def test_a_view_offers_its_viewer_the_true_legal_actions(edition: str) -> None:
    out = np.zeros(lockstep.words_of(edition).actions + 1, np.int64)
    for style in ("any", "hoard", "tickets"):
        for game in moments(edition, 3, 9, 5, style):
            for player in game.to_act():
                expected = game.legal(player).tolist()
                view = redacted(game.states, game.words.tables, player)
                n = doors.list_legal(view, 0, game.words.tables, out)
                assert sorted(out[:n].tolist()) == expected


# ---- redealing is uniform --------------------------------------------------------------------------------------------
def chi_square(counts: list[int], shares: list[float]) -> float:
    total = sum(counts)
    return sum((n - total * share) ** 2 / (total * share) for n, share in zip(counts, shares, strict=True))


@pytest.mark.rule("RULING-10")
@pytest.mark.parametrize("edition", ["usa", "germany"])
def test_unseen_cards_are_dealt_uniformly(edition: str) -> None:
    """Each unseen card is as likely in an opponent's hand as any: nine kinds, eight degrees of freedom."""
    game = lockstep.FastGame(edition, 3, 8, "any")
    for _ in game.walk():
        s = game.states[0]
        if game.steps > 30 and game.phase() == lay.TURN and min(s.cards[p] - s.known[p].sum() for p in (1, 2)) > 1:
            break
    s, tables = game.states[0], game.words.tables
    view = redacted(game.states, tables, 0)
    unseen = s.deck.astype(int) + sum(s.hand[p].astype(int) - s.known[p] for p in (1, 2))
    for player in (1, 2):
        dealt = np.zeros(lay.KINDS, int)
        for seed in range(3000):
            dealt += redealt(view, tables, 0, seed)[0].hand[player] - s.known[player]
        shares = (unseen / unseen.sum()).tolist()
        assert (
            chi_square(dealt[unseen > 0].tolist(), [share for share in shares if share > 0]) < 26.1
        )  # one in a thousand


@pytest.mark.rule("TICKET-7")
def test_unseen_tickets_are_dealt_uniformly() -> None:
    game = lockstep.FastGame("usa", 2, 3, "any")
    for _ in game.walk():
        if game.phase() == lay.TURN:
            break
    tables = game.words.tables
    view = redacted(game.states, tables, 0)
    counts: Counter[int] = Counter()
    first: Counter[int] = Counter()
    for seed in range(4000):
        world = redealt(view, tables, 0, seed)[0]
        counts.update(lockstep.bits(world.tickets[1].tolist()))
        first[int(world.ticket_order[int(world.ticket_head[0])])] += 1
    known = set(lockstep.bits(game.states[0].tickets[0].tolist())) | remembered(game.states[0], 0)
    pool = set(range(30)) - known
    for found in (counts, first):
        assert found.keys() == pool
        n = len(pool)
        assert (
            chi_square([found[i] for i in sorted(pool)], [1 / n] * n) < 56.9
        )  # 28 degrees of freedom or fewer, one in a thousand
