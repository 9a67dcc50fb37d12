"""Observations show what a view shows: all of it where they say so, and nothing that is hidden."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.random_batches import EDITIONS, random_choices, some_moments
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.tables import tables_of
from whistlestop.envs import BatchedEnv, Encoding
from whistlestop.mapfile import CARDS
from whistlestop.views import View

WORLDS = 3


def world_of(view: View, seed: int) -> View:
    """A world that the viewer thinks possible, looked at by the same viewer as if nothing were hidden."""
    states = view.states.copy()
    doors.determinize(states, 0, tables_of(view.edition), view.player, np.uint64(seed), np.zeros(lay.WORDS, np.uint64))
    return View(view.edition, states, view.player, view.names)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 4])
def test_redealing_what_a_player_cannot_see_leaves_the_observation_equal(edition: str, players: int) -> None:
    """The true state, the redacted one and worlds dealt from it; for whoever is to move also the mask."""
    seen, others_differ = 0, 0
    for env, game in some_moments(edition, players):
        encoding = Encoding(env.edition)
        for player in range(players):
            view = env.view_of(game, player)
            true = env.observe(game, player).tobytes()
            assert encoding.observation(view).tobytes() == true
            for seed in range(WORLDS):
                world = world_of(view, seed)
                assert encoding.observation(world).tobytes() == true
                assert encoding.mask(world).tobytes() == encoding.mask(view).tobytes()
                hands, others = world.states["hand"][0], env.true_states(game)["hand"][0]
                others_differ += hands.tobytes() != others.tobytes()
                seen += 1
    assert others_differ > seen / 2, "the worlds hardly differ: nothing was proven"


def test_the_proof_notices_a_row_with_a_secret_in_it() -> None:
    """Cards of the next player in the row, and the same comparison fails."""
    for env, game in some_moments("usa", 2):
        view = env.view_of(game, 0)
        if view.players[1].cards > sum(view.players[1].known.values()):
            rows = {world_of(view, seed).states["hand"][0, 1].tobytes() for seed in range(20)}
            assert len(rows) > 1
            return
    pytest.fail("no moment with hidden cards")


# ---- every part against the words of the view -----------------------------------------------------------------------
def expected(view: View) -> dict[str, Any]:
    """Parts of an observation, made from a view in plain Python."""
    board, players = view.edition.board, view.players
    seats = [(view.player + k) % len(players) for k in range(len(players))]
    tracks = np.zeros((lay.MAX_PLAYERS, len(board.tracks)), int)
    for track, owner in view.owners.items():
        tracks[seats.index(owner), track] = 1
    open_tracks = [t not in view.owners and t not in view.closed for t in range(len(board.tracks))]
    stations = np.zeros((lay.MAX_PLAYERS, len(board.cities)), int)
    for row, seat in enumerate(seats):
        for city in players[seat].stations:
            stations[row, [c.name for c in board.cities].index(city)] = 1
    return {
        "owners": tracks.tolist(),
        "open": open_tracks,
        "stations": stations.tolist(),
        "held": sorted((ticket.a, ticket.b, ticket.points, ticket.completed) for ticket in view.tickets),
        "points": [players[seat].points for seat in seats],
        "trains": [players[seat].trains for seat in seats],
        "cards": [players[seat].cards for seat in seats],
        "known": [[players[seat].known.get(card, 0) for card in CARDS] for seat in seats],
        "tickets": [players[seat].tickets for seat in seats],
        "offered": [players[seat].offered for seat in seats],
        "to_move": [seat in view.to_move for seat in seats],
        "chosen": [players[seat].chosen for seat in seats],
        "hand": [view.hand.get(card, 0) for card in CARDS],
        "face_up": [view.face_up.count(card) for card in CARDS],
        "discard": [view.discard.get(card, 0) for card in CARDS],
        "waiting": sorted(map(len, filter(None, view.passengers.values()))),
        "deck": view.deck,
        "last": view.last_round or 0,
        "phase": view.phase.partition("_")[0],
    }


def read(env: BatchedEnv, row: np.ndarray[Any, np.dtype[np.uint8]], players: int) -> dict[str, Any]:
    """The same from an observation."""
    parts = env.layout.split(row)
    table = parts["players"][:players].astype(int)
    names = {part.name: part.names for part in env.layout.parts}
    column = {name: table[:, i].tolist() for i, name in enumerate(names["players"])}
    cities = parts.get("cities", np.zeros((lay.MAX_PLAYERS, len(env.edition.board.cities)), np.uint8))
    waiting = parts["places"].sum(0) if "places" in parts else np.zeros(0, int)
    deck = [ticket for deck in env.edition.decks for ticket in deck.tickets]
    held, done = parts["tickets"][:2]
    assert not (done & ~held).any()
    tickets = [column[f"tickets_{kind}"] for kind in ("deck_0", "deck_1", "mixed")]
    phase = [name for name, flag in zip(names["phase"], parts["phase"], strict=True) if flag]
    return {
        "owners": parts["tracks"][: lay.MAX_PLAYERS].tolist(),
        "open": parts["tracks"][lay.MAX_PLAYERS].astype(bool).tolist(),
        "stations": cities.tolist(),
        "held": sorted((deck[n].a, deck[n].b, deck[n].points, bool(done[n])) for n in np.flatnonzero(held)),
        "points": column["points"],
        "trains": column["trains"],
        "cards": column["cards"],
        "known": [list(row) for row in zip(*(column[f"known_{card}"] for card in CARDS), strict=True)],
        "tickets": [sum(numbers) for numbers in zip(*tickets, strict=True)],
        "offered": column["offered"],
        "to_move": [bool(n) for n in column["to_move"]],
        "chosen": [bool(n) for n in column["chosen"]],
        "hand": parts["hand"].tolist(),
        "face_up": parts["face_up"].tolist(),
        "discard": parts["discard"].tolist(),
        "waiting": sorted(int(n) for n in waiting if n),
        "deck": int(parts["moment"][0]),
        "last": int(parts["moment"][2]),
        "phase": phase[0].partition("_")[0],
    }


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_part_says_what_the_view_says(edition: str) -> None:
    for env, game in some_moments(edition, 3):
        for player in range(3):
            assert read(env, env.observe(game, player), 3) == expected(env.view_of(game, player))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_offer_stands_place_by_place_as_the_actions_count_it(edition: str) -> None:
    found = 0
    env = BatchedEnv(edition, 4, players=2, seed=3)
    for _ in range(12):
        for game in range(4):
            view = env.view(game)
            planes = env.layout.split(env.observations[game])["tickets"][2:]
            assert planes.sum() == len(view.offer)
            for place, ticket in enumerate(view.offer):
                number = int(np.flatnonzero(planes[place])[0])
                assert env.layout.board()["ticket_points"][number] == ticket.points
                found += 1
        env.step(random_choices(env, np.random.default_rng(1)))
    assert found > 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_scaled_observations_are_between_0_and_1_and_the_size_is_the_same_for_all_player_counts(edition: str) -> None:
    sizes = set()
    for players in (2, 5):
        for env, game in some_moments(edition, players):
            scaled = env.observations[game] * env.layout.scale
            assert scaled.min() >= 0
            assert scaled.max() <= 1
            parts = env.layout.split(env.observations[game])
            assert env.layout.join(parts).tobytes() == env.observations[game].tobytes()
            sizes.add(env.layout.size)
    assert len(sizes) == 1


def test_the_board_for_graph_networks_fits_the_map() -> None:
    env = BatchedEnv("germany", 1)
    board, cities = env.layout.board(), [city.name for city in env.edition.board.cities]
    ticket = env.edition.decks[0].tickets[0]
    ends = [{cities[i] for i in np.flatnonzero(side[0])} for side in board["ticket_ends"]]
    countries = {city.name for city in env.edition.board.cities if city.country == ticket.b} or {ticket.b}
    assert ends[0] == {ticket.a}
    assert ends[1] == countries
    track = env.edition.board.tracks[5]
    assert board["edge_index"][:, 5].tolist() == [track.a, track.b]
    assert board["track_features"][5, 0] == track.length
    assert board["track_features"].shape == (len(env.edition.board.tracks), 13)
