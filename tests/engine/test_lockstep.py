"""The fast engine agrees with the independent reference in whole games, also in rare states.

WHISTLESTOP_SCALE multiplies the number of games of every edition and player count; `support/lockstep.py`, run as a
program, plays any number.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support import lockstep
from support.scale import SCALE
from whistlestop.engine import doors
from whistlestop.engine import layout as lay

GAMES = 12 * SCALE
CHUNK = 25
EVERY = 5


def chunks(games: int) -> list[range]:
    return [range(first, min(first + CHUNK, games)) for first in range(0, games, CHUNK)]


@pytest.mark.parametrize("seeds", chunks(GAMES), ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}")
@pytest.mark.parametrize("players", lockstep.PLAYERS)
@pytest.mark.parametrize("edition", lockstep.EDITIONS)
def test_both_engines_play_the_same_game(edition: str, players: int, seeds: range) -> None:
    for seed in seeds:
        assert lockstep.play(edition, players, seed, EVERY) > 0


@pytest.mark.parametrize("boards", chunks(4 * GAMES), ids=lambda boards: f"{boards[0]}-{boards[-1]}")
def test_both_engines_play_the_same_game_on_random_boards(boards: range) -> None:
    for board in boards:
        assert lockstep.play(f"{lockstep.TINY}{board}", lockstep.PLAYERS[board % 4], board) > 0


# ---- the rare states -------------------------------------------------------------------------------------------------
def rare(edition: str, players: int, seed: int, style: str) -> Iterator[str]:
    """Names of the rare states that a game of the fast engine reaches."""
    game = lockstep.FastGame(edition, players, seed, style)
    edition_draws = game.words.edition.draw_count
    game.outcomes()
    before = 5
    for action in game.walk():
        s, phase, outcomes = game.states[0], game.phase(), game.outcomes()
        face_up = s.face_up.tolist()
        if s.deck_n == 0 and s.discard_n == 0:
            yield "deck and discards empty"
        if lay.NONE in face_up and phase != lay.TUNNEL:
            yield "gap face up"
        if action == lay.PASS:
            yield "pass"
        if phase == lay.TICKETS and s.offer_n[s.player] < edition_draws:
            yield "short offer"
        if phase == lay.TURN and s.ticket_count.sum() == 0:
            yield "no tickets left"
        if game.words.edition.stations and not s.stations_left[:players].any():
            yield "every station built"
        if phase == lay.TUNNEL and lay.NONE in s.turned.tolist():
            yield "fewer than three turned up"
        if action == lay.GIVE_UP:
            yield "tunnel given up"
        if lay.DRAW_FACE_UP <= action < lay.DRAW_TICKETS and before == 5 and len(outcomes) > 5:
            yield "sweep"
        if face_up.count(lay.LOCO) >= 3 and phase != lay.TUNNEL:
            yield "sweep stopped by RULING-2"
        before = 5 - face_up.count(lay.NONE)
    if game.states[0].passes == players and game.states[0].last_turns == 0:
        yield "ended by passes"
    yield "over"


EMPTY = {"deck and discards empty", "gap face up", "sweep stopped by RULING-2"}
REACHED = {
    # (edition, players, style): what the first eight games must reach
    ("usa", 2, "hoard"): EMPTY | {"sweep"},
    ("usa", 3, "any"): {"pass", "ended by passes"},
    ("usa", 5, "drain"): EMPTY | {"no tickets left", "short offer"},
    ("europe", 3, "stations"): {"every station built", "no tickets left", "short offer"},
    ("europe", 3, "locomotives"): EMPTY | {"fewer than three turned up", "tunnel given up"},
    ("europe-1912", 4, "tunnels"): {"tunnel given up"},
    ("mega-europe", 5, "tickets"): {"fewer than three turned up", "no tickets left", "short offer"},
    ("big-cities", 4, "any"): {"every station built", "sweep"},
    ("germany", 5, "tickets"): EMPTY | {"no tickets left", "short offer"},
    ("germany", 3, "drain"): EMPTY | {"pass"},
}


@pytest.mark.parametrize(("edition", "players", "style"), REACHED)
def test_the_styles_reach_their_rare_states(edition: str, players: int, style: str) -> None:
    seen: set[str] = set()
    for seed in range(8):
        seen |= set(rare(edition, players, seed, style))
    assert seen >= REACHED[edition, players, style] | {"over"}


def test_the_first_choices_can_be_made_in_any_order() -> None:
    game = lockstep.FastGame("germany", 4, 5, "any")
    assert game.to_act() == [0, 1, 2, 3]
    assert doors.take_seat(game.states, 0, 2)
    game.act(lay.DRAW_TICKETS + 1)
    assert game.to_act() == [0, 1, 3]


def test_random_boards_reach_every_rare_state() -> None:
    seen = {
        name
        for board in range(40)
        for name in rare(f"{lockstep.TINY}{board}", lockstep.PLAYERS[board % 4], board, "any")
    }
    assert seen == EMPTY | {
        "pass", "ended by passes", "short offer", "no tickets left", "every station built",
        "fewer than three turned up", "tunnel given up", "sweep", "over",
    }  # fmt: skip
