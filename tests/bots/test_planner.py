"""The planner: what it does in positions that leave no doubt, and that it needs no more than a view."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from support.positions import EDITIONS
from support.scale import SCALE
from whistlestop.bots import Limit, bot
from whistlestop.bots.planner import parameters
from whistlestop.bots.planner.games import choose
from whistlestop.bots.planner.match import PlannerMatch
from whistlestop.bots.planner.mind import MAX_TEMPERS, MIND
from whistlestop.bots.planner.parameters import parameters_for, tuned, vector
from whistlestop.bots.planner.tempers import TEMPERS
from whistlestop.engine.layout import COMPLETED, FAILED, TOTAL, WON
from whistlestop.engine.tables import tables_of
from whistlestop.game import Game
from whistlestop.mapfile import load_edition
from whistlestop.notation import Action
from whistlestop.views import bits


def answer(game: Game) -> Action:
    """What the planner does for the player to move."""
    player = game.to_move[0]
    return bot("planner").act(game.view(player), Limit())


# --- positions -------------------------------------------------------------------------------------------------------
GAP: dict[str, Any] = {"tickets": {0: ["Chicago–Santa Fe"]}, "tracks": {0: [
    "Chicago–Saint Louis (green)", "Saint Louis–Kansas City (blue)", "Kansas City–Denver (black)",
]}}  # fmt: skip
"""Of a ticket for 9 points all but Denver–Santa Fe, two gray spaces, is there."""


def test_a_plan_is_what_the_tickets_lack() -> None:
    """Own tracks cost nothing, so the last gap is planned and nothing else."""
    game = Game.position("usa", hands={0: "2 red, 6 orange"}, **GAP)
    edition, minds = game.edition, np.zeros(1, MIND)
    choose(game.view(0).seated(), tables_of(edition), minds, parameters_for(edition, 2)[np.newaxis])
    board = edition.board
    planned = [board.tracks[i] for i in bits(minds["plan"][0, 0].tolist())]
    assert [{board.cities[track.a].name, board.cities[track.b].name} for track in planned] == [{"Denver", "Santa Fe"}]


def test_a_gray_track_is_paid_with_what_the_plan_does_not_need() -> None:
    """Kansas City–Denver waits for one more orange card; Denver–Santa Fe is paid with others meanwhile."""
    tracks = {0: ["Chicago–Saint Louis (green)", "Saint Louis–Kansas City (blue)"]}
    game = Game.position("usa", tickets=GAP["tickets"], tracks=tracks, hands={0: "3 orange, 12 yellow, 12 white"})
    action = answer(game)
    assert action.text in {f"claim Denver–Santa Fe with 2 {colour}" for colour in ("yellow", "white")}


def test_the_last_turn_completes_a_ticket_rather_than_take_a_longer_track() -> None:
    game = Game.position("usa", hands={0: "2 red, 6 orange"}, last_round=1, **GAP)
    assert answer(game).text.startswith("claim Denver–Santa Fe with 2 ")


def test_the_last_turn_takes_the_longest_track_when_no_ticket_can_be_saved() -> None:
    game = Game.position("usa", tickets={0: []}, hands={0: "2 red, 6 orange"}, last_round=1)
    action = answer(game)
    assert action.kind == "claim"
    assert action.track is not None
    assert game.edition.board.tracks[action.track].length == 6


def test_the_last_turn_builds_a_station_that_completes_a_ticket() -> None:
    """Paris–Wien is cut off but for München–Wien, which a rival has; every way round is out of reach."""
    game = Game.position(
        "europe",
        tickets={0: ["Paris–Wien"]},
        tracks={0: ["Paris–Frankfurt (white)", "Frankfurt–München"], 1: ["München–Wien"]},
        hands={0: "1 red"},
        last_round=1,
    )
    action = answer(game)
    assert action.kind == "station"
    assert action.city in {"München", "Wien"}


def test_a_tunnel_that_always_costs_more_is_not_tried_for_ever() -> None:
    """Three locomotives are all that can be turned up: each attempt would cost three cards more, and be given up."""
    ticket, tracks = {0: ["Zürich–Brindisi"]}, {0: ["Venezia–Roma", "Roma–Brindisi"]}
    few = Game.position(
        "europe", tickets=ticket, tracks=tracks, hands={0: "2 green"}, deck="3 locomotives", last_round=1
    )
    assert "Venezia–Zürich with 2 green" in {action.text.removeprefix("claim ") for action in few.view(0).legal()}
    assert not answer(few).text.startswith("claim Venezia–Zürich")
    many = Game.position("europe", tickets=ticket, tracks=tracks, hands={0: "2 green"}, last_round=1)
    assert answer(many).text == "claim Venezia–Zürich with 2 green"


def test_it_keeps_tickets_that_share_a_way() -> None:
    """Of three tickets it keeps those that its network serves, not the one across the board."""
    edition = load_edition("usa")
    for seed in range(20):
        game = Game(edition, 2, seed)
        action = answer(game)
        kept = [game.view(0).offer[i] for i in action.kept]
        assert len(kept) >= 2
        assert sum(ticket.points for ticket in kept) <= 43


# --- honesty ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("edition_id", EDITIONS)
def test_the_true_state_gives_the_same_action_as_the_view(edition_id: str) -> None:
    """So compiled games of planners, which are not redacted, are games that the bots would play."""
    edition = load_edition(edition_id)
    tables, minds = tables_of(edition), np.zeros(1, MIND)
    checked = 0
    for players in (2, 5):
        tempers = parameters_for(edition, players)[np.newaxis]
        for seed in range(2 * SCALE):
            game = Game(edition, players, seed)
            while movers := game.to_move:
                view = game.view(movers[-1])
                seen = int(choose(view.seated(), tables, minds, tempers))
                true = np.frombuffer(bytearray(game.state_bytes()), view.states.dtype)
                if view.phase not in {"announce", "first_tickets"}:
                    assert int(choose(true, tables, minds, tempers)) == seen
                game.play(view.action(seen), movers[-1])
                checked += 1
    assert checked > 300


# --- parameters ------------------------------------------------------------------------------------------------------
def test_every_tuned_value_is_a_parameter_and_every_edition_has_some() -> None:
    for key, values in tuned().items():
        edition, players = key.split("/")
        assert edition in {*EDITIONS, "general"}
        assert 2 <= int(players) <= 5
        assert set(values) <= set(parameters.NAMES)
    assert {key.partition("/")[0] for key in tuned()} >= set(EDITIONS)


def test_names_and_columns_of_parameters_agree() -> None:
    columns = [getattr(parameters, name) for name in ("TURN_PRICE", "BUDGET", "NEAR", "JOIN", "LOCO_VALUE", "BLIND")]
    assert [parameters.NAMES[column] for column in columns] == ["turn", "budget", "near", "join", "loco", "blind"]
    assert json.loads(json.dumps(list(parameters.NAMES))) == list(parameters.PARAMETERS)


def test_an_unknown_parameter_is_refused() -> None:
    with pytest.raises(ValueError, match="there are no parameters patiense"):
        vector({"patiense": 1.0})


def test_a_board_without_tuned_values_uses_general_ones() -> None:
    from support.positions import tiny

    for players in (2, 4):
        assert parameters_for(tiny(), players).tolist() == vector(tuned()[f"general/{players}"]).tolist()


def test_a_number_of_players_without_tuned_values_uses_those_of_the_nearest_the_larger_of_two() -> None:
    edition, known = load_edition("germany"), tuned()
    assert not known.keys() & {"germany/3", "germany/5"}
    for players in (3, 5):
        assert parameters_for(edition, players).tolist() == vector(known["germany/4"]).tolist()


# --- matches ---------------------------------------------------------------------------------------------------------
def test_a_match_is_even_between_equals_and_the_tuned_beat_the_hoarder() -> None:
    edition = load_edition("usa")
    match, values = PlannerMatch(edition, 2), parameters_for(edition, 2)
    wins, margin = match.play(values, values, 200, 1)
    assert (wins, margin) == (0.5, 0.0)
    assert match.play(values, TEMPERS["hoarder"], 200, 1)[0] > 0.6


def test_games_of_planners_are_counted_like_any_other() -> None:
    edition = load_edition("germany")
    sheets = PlannerMatch(edition, 3).sheets(np.tile(parameters_for(edition, 3), (3, 1)), 20, 5)
    assert (sheets[:, :, WON].sum(1) >= 1).all()
    assert (sheets[:, :, TOTAL].max(1) > 100).all()
    assert sheets[:, :, COMPLETED].sum() > 3 * sheets[:, :, FAILED].sum()
    assert len(TEMPERS) < MAX_TEMPERS


# --- without the compiler ---------------------------------------------------------------------------------------------
DIGEST = """
import hashlib
import numpy as np
from whistlestop.bots.planner.match import PlannerMatch
from whistlestop.bots.planner.tempers import TEMPERS
from whistlestop.mapfile import load_edition

tempers = np.array(list(TEMPERS.values()))
for edition, players in (("usa", 2), ("europe", 3), ("germany", 5)):
    sheets = PlannerMatch(load_edition(edition), players).sheets(tempers, 2, 3)
    print(hashlib.sha256(np.ascontiguousarray(sheets).tobytes()).hexdigest())
"""


def test_planners_play_the_same_with_and_without_the_compiler() -> None:
    """What overflows or rounds otherwise in compiled code would give other games."""
    found = [
        subprocess.run(
            [sys.executable, "-c", DIGEST], capture_output=True, text=True, check=True, env=os.environ | switches
        ).stdout
        for switches in ({}, {"NUMBA_DISABLE_JIT": "1"})
    ]
    assert found[0] == found[1]
    assert len(set(found[0].split())) == 3
