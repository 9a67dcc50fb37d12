"""The expert: it thinks the same with the same seed and limit, in worlds that its player thinks possible."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from support.positions import EDITIONS
from whistlestop.bots import Limit, bot
from whistlestop.bots.expert.candidates import ROOM
from whistlestop.bots.expert.expert_bot import BlockerBot, BuilderBot, CollectorBot, ExpertBot, approach_for
from whistlestop.bots.expert.playouts import prepare
from whistlestop.bots.expert.search import Approach, PlayedWorlds, Search, Tally, Taste
from whistlestop.bots.planner.mind import MAX_TEMPERS, MIND
from whistlestop.engine import doors
from whistlestop.engine.layout import MAX_PLAYERS, MAX_TICKETS, MAX_TRACKS, STATE, WORDS
from whistlestop.engine.tables import tables_of
from whistlestop.game import Game
from whistlestop.mapfile import load_edition
from whistlestop.views import View


@lru_cache(maxsize=32)
def views(edition: str, players: int, seed: int = 3) -> tuple[View, ...]:
    """What the player to move saw, through a game of planners."""
    game, planner, found = Game(edition, players, seed), bot("planner"), []
    while movers := game.to_move:
        found.append(game.view(movers[0]))
        game.play(planner.act(found[-1], Limit()), movers[0])
    return tuple(found)


# --- the same thoughts -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_same_seed_and_limit_give_the_same_thought_on_any_number_of_cores(edition: str) -> None:
    for view in views(edition, 3)[::25]:
        one, two = ExpertBot(7), ExpertBot(7)
        assert one.act(view, Limit(steps=300)) == two.act(view, Limit(steps=300, cores=3))
        assert one.thought is not None
        assert two.thought is not None
        assert (one.thought.gains, one.thought.counts) == (two.thought.gains, two.thought.counts)


def test_what_was_thought_before_changes_nothing() -> None:
    seen = views("usa", 2)
    old = ExpertBot(1)
    for view in seen[10:14]:
        old.act(view, Limit(steps=100))
    assert old.act(seen[30], Limit(steps=200)) == ExpertBot(1).act(seen[30], Limit(steps=200))


def test_it_uses_its_playouts_and_says_so() -> None:
    expert = ExpertBot(2)
    expert.act(next(view for view in views("usa", 2)[20:] if view.phase == "turn"), Limit(steps=1000))
    thought = expert.thought
    assert thought is not None
    assert 900 <= thought.playouts == sum(thought.counts) <= 1000
    assert thought.counts[0] == max(thought.counts)
    assert thought.gains[0] == 0.0


def test_it_uses_its_time() -> None:
    """How little it overruns is measured in bench/thinking.py, where nothing else runs."""
    expert = ExpertBot(2)
    expert.act(next(view for view in views("usa", 2)[20:] if view.phase == "turn"), Limit(seconds=0.2))
    assert expert.thought is not None
    assert expert.thought.seconds >= 0.15
    assert expert.thought.playouts_a_second > 100


def test_of_two_limits_the_first_that_is_used_up_counts() -> None:
    expert, view = ExpertBot(2), next(view for view in views("usa", 2)[20:] if view.phase == "turn")
    expert.act(view, Limit(seconds=30.0, steps=200))
    assert expert.thought is not None
    assert expert.thought.playouts <= 200
    expert.act(view, Limit(seconds=0.1, steps=10**8))
    assert expert.thought.seconds < 5.0


# --- worlds ----------------------------------------------------------------------------------------------------------
def last_world(view: View, seed: int) -> tuple[doors.Array, np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """The last world of a survey, and the weights of tickets."""
    tables, approach = tables_of(view.edition), approach_for(view.edition, len(view.names))
    states, minds, weights = np.zeros(2, STATE), np.zeros(2 + MAX_TEMPERS, MIND), np.zeros((MAX_PLAYERS, MAX_TICKETS))
    prepare(
        view.seated(), tables, states, minds, approach.tempers, np.array(approach.own), np.array(approach.rivals),
        np.uint64(seed), 1, weights, np.zeros(MAX_TRACKS), np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int64),
        np.zeros(ROOM), np.zeros(WORDS, np.uint64),
    )  # fmt: skip
    return states[:1].copy(), weights


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 4])
def test_worlds_look_to_their_player_as_the_true_one_and_break_no_rule(edition: str, players: int) -> None:
    tables = tables_of(load_edition(edition))
    checked = 0
    for view in views(edition, players):
        if view.phase != "turn":
            continue
        for seed in range(3):
            world, _ = last_world(view, seed)
            world["remembers"] = 1
            assert doors.status(world, 0, tables, np.zeros(4000, np.int64)) == 0
            doors.redact(world, 0, tables, view.player)
            assert world.tobytes() == view.states.tobytes()
            checked += 1
    assert checked > 60


def test_tickets_that_explain_what_was_claimed_are_more_likely() -> None:
    """A rival whose tracks lead from Los Angeles towards Miami is taken to have such a ticket."""
    game = Game.position(
        "usa",
        tracks={1: ["Los Angeles–El Paso", "El Paso–Dallas", "Dallas–Little Rock", "Little Rock–Nashville"]},
        tickets={0: ["Denver–El Paso"], 1: ["Los Angeles–Miami", "Duluth–El Paso"]},
    )
    view = game.view(0)
    tickets = [f"{ticket.a}–{ticket.b}" for deck in view.edition.decks for ticket in deck.tickets]
    held = dict.fromkeys(tickets, 0)
    n = 300
    weights = last_world(view, 0)[1]
    for seed in range(n):
        world, _ = last_world(view, seed)
        for word in range(WORDS):
            for i in range(64):
                if int(world["tickets"][0, 1, word]) >> i & 1:
                    held[tickets[64 * word + i]] += 1
    likely, unlikely = tickets.index("Los Angeles–Miami"), tickets.index("Sault St. Marie–Oklahoma City")
    assert weights[1, likely] > 3 * weights[1, unlikely]
    assert held["Los Angeles–Miami"] > 2 * held["Sault St. Marie–Oklahoma City"]
    assert held["Denver–El Paso"] == 0


# --- characters ------------------------------------------------------------------------------------------------------
def test_a_taste_decides_only_between_what_wins_about_as_often() -> None:
    """With a liking that outweighs any victory a collector draws tickets whenever it may."""
    edition = load_edition("usa")
    view = next(view for view in views("usa", 2)[20:] if view.phase == "turn")
    approach = approach_for(edition, 2)
    greedy = Search(edition, replace(approach, taste=Taste(tickets=9.0)))
    action = view.action(greedy.think(view.seated(), Limit(steps=400), 1).action)
    assert action.kind == "draw_tickets"
    assert {maker.taste for maker in (ExpertBot, BuilderBot, CollectorBot, BlockerBot)} == {
        Taste(), Taste(spaces=0.01), Taste(tickets=0.05), Taste(blocks=0.08),
    }  # fmt: skip


def last_turn() -> Game:
    """Six spaces bring 15 points and lose, for the ticket fails; two spaces and the ticket win."""
    own = ["Chicago–Saint Louis (green)", "Saint Louis–Kansas City (blue)", "Kansas City–Denver (black)"]
    return Game.position(
        "usa",
        tickets={0: ["Chicago–Santa Fe"], 1: []},
        tracks={0: own, 1: ["Duluth–Toronto", "Winnipeg–Sault St. Marie"]},
        hands={0: "2 red, 6 orange"},
        last_round=1,
    )


def test_it_takes_the_win_in_the_last_turn() -> None:
    assert ExpertBot(1).act(last_turn().view(0), Limit(steps=200)).text.startswith("claim Denver–Santa Fe with 2 ")


# --- when enough is known --------------------------------------------------------------------------------------------
def test_a_clear_choice_ends_the_search_before_its_limit() -> None:
    expert = ExpertBot(1)
    action = expert.act(last_turn().view(0), Limit(steps=1_000_000))
    assert action.text.startswith("claim Denver–Santa Fe with 2 ")
    assert expert.thought is not None
    assert expert.thought.playouts < 20_000


def tally_of(actions: list[int], results: list[list[float]]) -> Tally:
    """What is known after each candidate's shares of victories, a list a candidate, in the same worlds."""
    tally = Tally(Approach(np.zeros((1, 1)), (0,), (0,), margin=0.0), np.array(actions), np.zeros(len(actions)))
    wins = np.array(results).T
    tally.add(np.arange(len(actions)), wins, np.zeros(wins.shape))
    return tally


@pytest.mark.parametrize(
    ("actions", "results", "settled"),
    [
        ([5, 6], [[1.0] * 200, [0.0] * 200], True),
        ([5, 6], [[0.0] * 200, [1.0] * 200], True),
        ([5, 6], [[1.0] * 50, [0.0] * 50], False),  # too few worlds
        ([5, 6], [[1.0, 0.0] * 100, [0.0, 1.0] * 100], False),  # nobody knows
        ([5, 5], [[1.0, 0.0] * 100, [0.0, 1.0] * 100], True),  # but it is one action
        ([5, 6, 7], [[0.0] * 200, [1.0] * 200, [1.0, 1.0, 0.0, 1.0] * 50], True),
        ([5, 6, 7], [[0.0] * 200, [1.0, 1.0, 0.0, 1.0] * 50, [1.0, 1.0, 1.0, 0.0] * 50], False),
        ([5, 6], [[1.0] * 1000, [0.0] + [1.0] * 999], True),  # a trifle
    ],
)
def test_a_search_is_settled_when_more_worlds_would_hardly_change_it(
    actions: list[int], results: list[list[float]], settled: bool
) -> None:
    assert tally_of(actions, results).settled(np.arange(len(actions))) is settled


# --- what it weighs --------------------------------------------------------------------------------------------------
def test_tracks_for_passengers_are_weighed() -> None:
    """Where tracks with passengers at both ends can be paid, one is a candidate, unless others bring better ones."""
    edition = load_edition("germany")
    search = Search(edition, approach_for(edition, 2))
    turns = weighed = 0
    for view in views("germany", 2):
        waits = [city.name in view.passengers for city in edition.board.cities]
        both = {
            action.id
            for action in view.legal()
            if action.track and all(waits[end] for end in edition.board.tracks[action.track - 1].ends)
        }
        if view.phase == "turn" and both:
            turns += 1
            weighed += bool(both & set(search.play_all(view.seated(), 1, 1).actions.tolist()))
    assert turns > 20
    assert weighed > 0.9 * turns


def test_more_playouts_choose_better_and_the_best_is_never_missed_when_all_worlds_are_alike() -> None:
    """A search made from worlds that were played takes what wins in them; with one playout it keeps to the first."""
    wins = np.zeros((400, 6))
    wins[:, 4] = 1.0
    margins = 50.0 * wins - 25.0
    played = PlayedWorlds(approach_for(load_edition("usa"), 2), np.arange(6), wins, margins)
    assert played.chosen_with(600, np.arange(400)) == 4
    luck = np.random.default_rng(1).random((400, 6))
    noisy = PlayedWorlds(played.approach, played.actions, (luck < 0.3 + 0.1 * (np.arange(6) == 4)) * 1.0, margins * 0)
    seen = [noisy.chosen_with(n, np.random.default_rng(i).permutation(400)) == 4 for n in (24, 2000) for i in range(40)]
    assert sum(seen[:40]) < sum(seen[40:])
