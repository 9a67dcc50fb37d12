"""The longest path and the connections of a network against brute force."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import networks, reference
from support.networks import Edge
from whistlestop.engine import doors, graph
from whistlestop.engine import layout as lay
from whistlestop.engine.bits import ONE, I, lowest
from whistlestop.engine.jit import door
from whistlestop.engine.tables import tables_of
from whistlestop.mapfile import load_edition

BOARDS = ("usa", "europe", "germany")
NETS = np.zeros(1, lay.NETWORK)


# ---- doors to the two algorithms -------------------------------------------------------------------------------------
@door
def by_walking(tables: Any, nets: Any, words: Any) -> Any:
    """The longest path by enumerating the paths of every component."""
    graph.build_network(nets[0], tables[0], words[0], words[1])
    best = graph.measure_components(nets[0])
    left = nets[0].roots
    while left:
        best = graph.walk_component(nets[0], lowest(left), best)
        left &= left - ONE
    return best


@door
def by_leaving_out(tables: Any, nets: Any, words: Any) -> Any:
    """The longest path by searching the tracks to leave out of every component."""
    graph.build_network(nets[0], tables[0], words[0], words[1])
    best = graph.measure_components(nets[0])
    left = nets[0].roots
    while left:
        best = graph.search_component(nets[0], lowest(left), best)
        left &= left - ONE
    return best


@door
def reached(tables: Any, nets: Any, words: Any, city: Any) -> Any:
    """The cities connected with a city."""
    graph.build_network(nets[0], tables[0], words[0], words[1])
    return graph.group_of(nets[0], I(city))


def lengths(edges: list[Edge]) -> set[int]:
    """The longest path of a small network: by the engine's choice and by either of its algorithms."""
    tables, words = networks.tables_of_edges(edges), networks.words_of_tracks(range(len(edges)))
    return {int(by(tables, NETS, words)) for by in (doors.longest_path, by_walking, by_leaving_out)}


def memo_trail(edges: list[Edge], tracks: list[int]) -> int:
    """The reference's answer, for networks too big for brute force."""
    return reference.longest_trail(
        [reference.Track(i, str(edges[i][0]), str(edges[i][1]), edges[i][2], "", False, 0) for i in tracks]
    )


# ---- longest path ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("END-3")
@pytest.mark.parametrize("cities", [3, 4, 5, 6, 8])
def test_the_longest_path_is_that_of_brute_force(cities: int) -> None:
    rng = random.Random(f"paths {cities}")
    for _ in range(500):
        most = min(3 * cities * (cities - 1) // 2, {3: 7, 4: 8, 5: 9}.get(cities, 10))
        edges = networks.random_edges(rng, rng.randint(1, most), cities, rng.choice((1, 2, 8)))
        assert lengths(edges) == {networks.longest_trail(edges)}, edges


@st.composite
def small_networks(draw: st.DrawFn) -> list[Edge]:
    cities = draw(st.integers(2, 7))
    track = st.tuples(st.integers(0, cities - 1), st.integers(0, cities - 1), st.integers(1, 8)).filter(
        lambda t: t[0] != t[1]
    )
    return draw(st.lists(track, min_size=1, max_size=8))


@pytest.mark.rule("END-3")
@given(edges=small_networks())
@settings(max_examples=300, deadline=None, derandomize=True)
def test_the_longest_path_of_any_small_network(edges: list[Edge]) -> None:
    assert lengths(edges) == {networks.longest_trail(edges)}


@pytest.mark.rule("END-3")
@pytest.mark.parametrize("board", BOARDS)
def test_the_longest_path_of_few_tracks_anywhere_on_a_board(board: str) -> None:
    edition = load_edition(board)
    edges, tables = networks.edges_of(edition.board), tables_of(edition)
    rng = random.Random(f"few {board}")
    for _ in range(300):
        chosen = rng.sample(range(len(edges)), 5) + networks.random_cluster(rng, edges, rng.randint(4, 14))[:6]
        expected = networks.longest_trail([edges[i] for i in set(chosen)])
        assert doors.longest_path(tables, NETS, networks.words_of_tracks(chosen)) == expected, sorted(set(chosen))


@pytest.mark.rule("END-3")
@pytest.mark.parametrize("board", BOARDS)
def test_the_longest_path_of_networks_of_45_trains(board: str) -> None:
    edition = load_edition(board)
    edges, tables = networks.edges_of(edition.board), tables_of(edition)
    rng = random.Random(f"45 {board}")
    compared = 0
    while compared < 60:
        chosen = networks.random_cluster(rng, edges, 45, rng.random())
        if len(chosen) <= 17:  # the reference memoises sets of tracks: too many beyond
            compared += 1
            assert doors.longest_path(tables, NETS, networks.words_of_tracks(chosen)) == memo_trail(edges, chosen), (
                chosen
            )


@pytest.mark.parametrize("board", BOARDS)
def test_both_algorithms_agree_on_big_networks(board: str) -> None:
    edition = load_edition(board)
    edges, tables = networks.edges_of(edition.board), tables_of(edition)
    rng = random.Random(f"big {board}")
    for _ in range(150):
        words = networks.words_of_tracks(networks.random_cluster(rng, edges, rng.randint(20, 45), 0.8 * rng.random()))
        found = {int(by(tables, NETS, words)) for by in (doors.longest_path, by_walking, by_leaving_out)}
        assert len(found) == 1, words


@pytest.mark.rule("END-3")
def test_the_longest_path_of_figures_with_a_known_answer() -> None:
    ring = [(i, (i + 1) % 9, 2) for i in range(9)]
    star = [(0, i, i) for i in range(1, 8)]
    eight = [(0, 1, 1), (1, 2, 1), (2, 0, 1), (0, 3, 1), (3, 4, 1), (4, 0, 1)]
    line = [(i, i + 1, 1) for i in range(60)]
    apart = [(0, 1, 8), (2, 3, 1), (3, 4, 2), (4, 5, 4)]
    for edges, expected in (
        (ring, 18),
        (star, 13),
        (eight, 6),
        (line, 60),
        (apart, 8),
        ([(0, 1, 1), (0, 1, 2), (0, 1, 3)], 6),
    ):
        assert (
            doors.longest_path(networks.tables_of_edges(edges), NETS, networks.words_of_tracks(range(len(edges))))
            == expected
        )


def test_the_longest_path_of_no_tracks_is_zero() -> None:
    assert doors.longest_path(networks.tables_of_edges([(0, 1, 1)]), NETS, networks.words_of_tracks([])) == 0


def test_earlier_networks_do_not_change_the_answer() -> None:
    """The scratch space is reused without being cleared."""
    rng = random.Random("scratch")
    for _ in range(200):
        edges = networks.random_edges(rng, rng.randint(4, 9), rng.randint(4, 12))
        tables, words = networks.tables_of_edges(edges), networks.words_of_tracks(range(len(edges)))
        assert doors.longest_path(tables, NETS, words) == doors.longest_path(tables, np.zeros(1, lay.NETWORK), words)


# ---- connections -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("TICKET-8")
@pytest.mark.parametrize("board", BOARDS)
def test_connected_cities_are_those_of_a_plain_search(board: str) -> None:
    edition = load_edition(board)
    edges, tables = networks.edges_of(edition.board), tables_of(edition)
    rng = random.Random(f"connected {board}")
    for _ in range(100):
        chosen = rng.sample(range(len(edges)), rng.randint(0, 40))
        words = networks.words_of_tracks(chosen)
        for city in rng.sample(range(len(edition.board.cities)), 8):
            group = int(reached(tables, NETS, words, city))
            assert {i for i in range(64) if group >> i & 1} == networks.connected_cities(
                [edges[i] for i in chosen], city
            )
