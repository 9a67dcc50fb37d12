"""Every invariant can fail: a sound game is changed in one way, and `status` reports what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from support import lockstep
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.status import BROKEN


def complaints(states: Any, tables: Any) -> set[str]:
    out = np.zeros(int(tables[0].actions) + 1, np.int64)
    broken = doors.status(states, 0, tables, out)
    return {text for i, text in enumerate(BROKEN) if broken >> i & 1}


def game_at(
    edition: str, players: int, phase: int, least_steps: int = 0, style: str = "any", seed: int = 0
) -> lockstep.FastGame:
    """A game stopped in a phase."""
    for number in range(seed, seed + 50):
        game = lockstep.FastGame(edition, players, number, style)
        for _ in game.walk():
            if game.phase() == phase and game.steps >= least_steps:
                return game
    raise AssertionError("this phase is never reached")


def middle(edition: str = "europe", players: int = 4) -> lockstep.FastGame:
    """A game where everybody has claimed something and has cards and tickets."""
    for seed in range(100):
        game = lockstep.FastGame(edition, players, seed, "balanced")
        for _ in game.walk():
            s = game.states[0]
            busy = (
                s.tracks[:players].any(axis=1).all()
                and s.cards[:players].min() > 3
                and s.discard_n > 8
                and s.deck_n > 20
            )
            if game.phase() == lay.TURN and busy:
                return game
    raise AssertionError("no such game")


def bit(i: int) -> np.uint64:
    return np.uint64(1 << (i & 63))


def first_track(s: Any, player: int) -> int:
    return lockstep.bits(s.tracks[player].tolist())[0]


def in_hand(s: Any, player: int) -> int:
    return int(np.argmax(s.hand[player]))


# ---- ways to spoil a game: each takes the state and the tables -------------------------------------------------------
def lose_a_card(s: Any, _t: Any) -> None:
    kind = in_hand(s, 0)
    s.hand[0, kind] -= 1
    s.cards[0] -= 1
    s.known[0, kind] = 0


def find_a_card(s: Any, _t: Any) -> None:
    s.deck[2] += 1
    s.deck_n += 1


def owe_a_card(s: Any, _t: Any) -> None:
    kind = int(np.argmin(s.deck))
    s.deck[(kind + 1) % lay.KINDS] += s.deck[kind] + 1
    s.deck[kind] = -1


def owe_from_the_hand(s: Any, _t: Any) -> None:
    s.hand[0, 0], s.deck[0] = -1, s.deck[0] + s.hand[0, 0] + 1


def miscount_a_hand(s: Any, _t: Any) -> None:
    s.cards[1] += 1


def miscount_the_deck(s: Any, _t: Any) -> None:
    s.deck_n -= 1


def miscount_the_discards(s: Any, _t: Any) -> None:
    s.discard_n += 1


def know_too_much(s: Any, _t: Any) -> None:
    s.known[2, 3] = s.hand[2, 3] + 1


def leave_the_deck_empty(s: Any, _t: Any) -> None:
    s.discard[:] += s.deck
    s.discard_n += s.deck_n
    s.deck[:] = 0
    s.deck_n = 0


def leave_a_gap(s: Any, _t: Any) -> None:
    s.deck[s.face_up[0]] += 1
    s.deck_n += 1
    s.face_up[0] = lay.NONE


def leave_three_locomotives(s: Any, _t: Any) -> None:
    for slot in range(3):
        if s.face_up[slot] != lay.LOCO:
            source = s.deck if s.deck[lay.LOCO] > 0 else s.discard
            source[lay.LOCO] -= 1
            source[s.face_up[slot]] += 1
            s.face_up[slot] = lay.LOCO


def find_a_train(s: Any, _t: Any) -> None:
    s.trains[3] += 1


def find_a_point(s: Any, _t: Any) -> None:
    s.points[0] += 1


def own_together(s: Any, t: Any) -> None:
    track = first_track(s, 0)
    s.tracks[1, track >> 6] |= bit(track)
    s.trains[1] -= t.length[track]
    s.points[1] += t.track_points[track]


def open_an_owned_one(s: Any, _t: Any) -> None:
    track = first_track(s, 0)
    s.open[track >> 6] |= bit(track)


def open_a_closed_one(s: Any, t: Any) -> None:
    """Among two or three players the other tracks of a claimed route are closed."""
    for player in range(s.players):
        for track in lockstep.bits(s.tracks[player].tolist()):
            if t.twins[track].any():
                s.open |= t.twins[track]
                return
    raise AssertionError("nobody has a double route")


def own_a_track_off_the_board(s: Any, t: Any) -> None:
    s.tracks[0, 1] |= bit(127)
    assert t.length[127] == 0


def own_both(s: Any, t: Any) -> None:
    doubles = [
        i for i in range(t.tracks) if t.twins[i].any() and s.open[i >> 6] & bit(i) and (s.open & t.twins[i]).any()
    ]
    track = doubles[0]
    twin = lockstep.bits((s.open & t.twins[track]).tolist())[0]
    for i in (track, twin):
        s.tracks[0, i >> 6] |= bit(i)
        s.open[i >> 6] &= ~bit(i)
        s.trains[0] -= t.length[i]
        s.points[0] += t.track_points[i]


def build_without_a_station(s: Any, _t: Any) -> None:
    s.stations[0] ^= bit(5)


def share_a_city(s: Any, _t: Any) -> None:
    s.stations[:2] |= bit(40)
    s.stations_left[:2] -= 1


def keep_a_ticket_of_the_deck(s: Any, t: Any) -> None:
    ticket = int(s.ticket_order[t.deck_first[0] + s.ticket_head[0]])
    s.tickets[0, ticket >> 6] |= bit(ticket)
    s.tickets_sure[0, 0] += 1


def put_a_ticket_into_the_other_deck(s: Any, t: Any) -> None:
    one, two = t.deck_first[0] + s.ticket_head[0], t.deck_first[1] + s.ticket_head[1]
    s.ticket_order[one], s.ticket_order[two] = s.ticket_order[two], s.ticket_order[one]


def miscount_tickets(s: Any, _t: Any) -> None:
    s.tickets_sure[0, 0] += 1


def remember_a_held_ticket(s: Any, _t: Any) -> None:
    held = next(i for i in range(128) if s.tickets[0][i >> 6] & bit(i))
    s.memory[0] = (held, 0, 1, 0)


def lose_a_ticket(s: Any, t: Any) -> None:
    s.ticket_order[t.deck_first[0] + s.ticket_head[0]] = lay.NONE


def lose_a_passenger(s: Any, _t: Any) -> None:
    s.passengers[int(np.argmax(s.passengers >= 0))] = lay.NONE


def find_a_passenger(s: Any, _t: Any) -> None:
    s.collected[1, 4] += 1


def lay_cards_without_a_tunnel(s: Any, _t: Any) -> None:
    kind = in_hand(s, 0)
    s.hand[0, kind] -= 1
    s.cards[0] -= 1
    s.known[0, kind] = 0
    s.laid[kind] = 1


def ask_extra_without_a_tunnel(s: Any, _t: Any) -> None:
    s.extra = 1


def speak_of_a_track(s: Any, _t: Any) -> None:
    s.track = 3


def forget_the_tunnel(s: Any, _t: Any) -> None:
    s.track = lay.NONE


def offer_out_of_turn(s: Any, t: Any) -> None:
    top = int(t.deck_first[0] + s.ticket_head[0])
    s.offer[0, 0], s.offer_n[0], s.ticket_order[top] = s.ticket_order[top], 1, lay.NONE
    s.ticket_head[0] = (s.ticket_head[0] + 1) % t.deck_size[0]
    s.ticket_count[0] -= 1


def choose_out_of_turn(s: Any, _t: Any) -> None:
    s.choice[1] = 3


def let_a_stranger_move(s: Any, _t: Any) -> None:
    s.player = s.players


def let_nobody_move(s: Any, _t: Any) -> None:
    s.player = -1


def reach_no_phase(s: Any, _t: Any) -> None:
    s.phase = lay.OVER + 1


def leave_no_second_card(s: Any, _t: Any) -> None:
    """Second card, but deck, discards and face-up cards are all in one hand."""
    s.hand[0] += s.deck + s.discard
    s.deck[:] = s.discard[:] = 0
    s.deck_n = s.discard_n = 0
    for slot in range(lay.FACE_UP):
        s.hand[0, s.face_up[slot]] += 1
        s.face_up[slot] = lay.NONE
    s.cards[0] = s.hand[0].sum()


Spoiler = Callable[[Any, Any], None]
SPOILERS: list[tuple[str, str, int, Spoiler]] = [
    # the only complaint, the edition, the phase of the sound game (TURN: its middle), and how it is spoilt
    ("cards: the kinds do not add up to the whole deck", "europe", lay.TURN, lose_a_card),
    ("cards: the kinds do not add up to the whole deck", "usa", lay.TURN, find_a_card),
    ("cards: the size of a hand or pile is wrong", "europe", lay.TURN, miscount_a_hand),
    ("cards: the size of a hand or pile is wrong", "europe", lay.TURN, miscount_the_deck),
    ("cards: the size of a hand or pile is wrong", "germany", lay.TURN, miscount_the_discards),
    ("cards: the table knows of more cards than a hand holds", "europe", lay.TURN, know_too_much),
    ("cards: the deck is empty beside discards, or a face-up gap beside a deck", "usa", lay.TURN, leave_the_deck_empty),
    ("cards: the deck is empty beside discards, or a face-up gap beside a deck", "usa", lay.TURN, leave_a_gap),
    ("cards: three face-up locomotives were left lying", "usa", lay.TURN, leave_three_locomotives),
    ("trains: they do not match the tracks claimed", "europe", lay.TURN, find_a_train),
    ("points: they do not match the tracks claimed", "europe", lay.TURN, find_a_point),
    ("tracks: two players own one, or an owned or closed one is open", "europe", lay.TURN, own_together),
    ("tracks: two players own one, or an owned or closed one is open", "germany", lay.TURN, open_an_owned_one),
    ("tracks: two players own one, or an owned or closed one is open", "europe", lay.TURN, own_a_track_off_the_board),
    ("tracks: a player owns two parallel ones", "usa", lay.TURN, own_both),
    ("stations: wrong number, or two in one city", "europe", lay.TURN, build_without_a_station),
    ("stations: wrong number, or two in one city", "europe", lay.TURN, share_a_city),
    ("tickets: one is in two places or in the wrong deck", "usa", lay.TURN, keep_a_ticket_of_the_deck),
    ("tickets: one is in two places or in the wrong deck", "germany", lay.TURN, put_a_ticket_into_the_other_deck),
    ("tickets: the number held is wrong", "europe", lay.TURN, miscount_tickets),
    ("tickets: one left the game though no rule says so", "usa", lay.TURN, lose_a_ticket),
    (
        "tickets: one that a player returned is where that player knows it is not",
        "usa",
        lay.TURN,
        remember_a_held_ticket,
    ),
    ("passengers: they do not add up", "germany", lay.TURN, lose_a_passenger),
    ("passengers: they do not add up", "germany", lay.TURN, find_a_passenger),
    ("phase: it does not fit what lies on the table", "europe", lay.TURN, lay_cards_without_a_tunnel),
    ("phase: it does not fit what lies on the table", "europe", lay.TURN, ask_extra_without_a_tunnel),
    ("phase: it does not fit what lies on the table", "europe", lay.TURN, speak_of_a_track),
    ("phase: it does not fit what lies on the table", "europe", lay.TUNNEL, forget_the_tunnel),
    ("phase: it does not fit what lies on the table", "europe", lay.TURN, offer_out_of_turn),
    ("phase: it does not fit what lies on the table", "europe", lay.TURN, choose_out_of_turn),
    ("turn: no such player, or no legal action", "usa", lay.TURN, let_a_stranger_move),
    ("turn: no such player, or no legal action", "usa", lay.TURN, let_nobody_move),
    ("turn: no such player, or no legal action", "usa", lay.TURN, reach_no_phase),
    ("turn: no such player, or no legal action", "usa", lay.SECOND_CARD, leave_no_second_card),
]
ALSO: list[tuple[str, str, Spoiler]] = [
    # a negative count always comes with other complaints
    ("cards: a pile or hand holds fewer than none", "usa", owe_a_card),
    ("cards: a pile or hand holds fewer than none", "usa", owe_from_the_hand),
]


@pytest.mark.parametrize(
    ("complaint", "edition", "phase", "spoil"), SPOILERS, ids=[spoiler[3].__name__ for spoiler in SPOILERS]
)
def test_a_spoilt_game_is_reported(complaint: str, edition: str, phase: int, spoil: Spoiler) -> None:
    game = middle(edition) if phase == lay.TURN else game_at(edition, 4, phase)
    assert complaints(game.states, game.words.tables) == set()
    spoil(game.states[0], game.words.tables[0])
    assert complaints(game.states, game.words.tables) == {complaint}


@pytest.mark.parametrize(("complaint", "edition", "spoil"), ALSO, ids=[spoiler[2].__name__ for spoiler in ALSO])
def test_a_negative_count_is_reported(complaint: str, edition: str, spoil: Spoiler) -> None:
    game = middle(edition)
    spoil(game.states[0], game.words.tables[0])
    assert complaint in complaints(game.states, game.words.tables)


@pytest.mark.rule("CLAIM-9")
@pytest.mark.parametrize("players", [2, 3])
def test_an_open_track_beside_a_claimed_one_is_reported(players: int) -> None:
    game = middle("usa", players)
    while not any(
        game.words.tables[0].twins[i].any()
        for p in range(players)
        for i in lockstep.bits(game.states[0].tracks[p].tolist())
    ):
        next(game.walk())
    assert complaints(game.states, game.words.tables) == set()
    open_a_closed_one(game.states[0], game.words.tables[0])
    assert complaints(game.states, game.words.tables) == {
        "tracks: two players own one, or an owned or closed one is open"
    }


def test_every_invariant_has_a_game_that_breaks_it() -> None:
    assert {spoiler[0] for spoiler in SPOILERS} | {spoiler[0] for spoiler in ALSO} == set(BROKEN)


@pytest.mark.parametrize("style", lockstep.STYLES)
@pytest.mark.parametrize("edition", lockstep.EDITIONS)
def test_sound_games_break_nothing(edition: str, style: str) -> None:
    for players in lockstep.PLAYERS:
        game = lockstep.FastGame(edition, players, players, style)
        game.check()
        for _ in game.walk():
            game.check()
