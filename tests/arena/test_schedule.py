"""Which games a tournament has: line-ups, seatings, seeds; each once and fair to all."""

from __future__ import annotations

from collections import Counter

import pytest

from support.positions import tiny
from support.tournaments import small
from whistlestop.arena.matches import SEEDS
from whistlestop.arena.schedule import Schedule, round_robin, seatings
from whistlestop.bots.lineup import lineup
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import load_edition


def test_a_round_robin_of_two_players_has_every_pair_once() -> None:
    assert round_robin(lineup("random,casual,casual:5steps"), 2) == (
        ("random", "casual"),
        ("random", "casual:5steps"),
        ("casual", "casual:5steps"),
    )


def test_with_more_players_each_of_a_pair_is_alone_against_the_other() -> None:
    assert round_robin(lineup("random,casual"), 4) == (
        ("random", "casual", "casual", "casual"),
        ("casual", "random", "random", "random"),
    )


@pytest.mark.parametrize(
    ("line_up", "number"), [("ab", 2), ("abb", 3), ("abbb", 4), ("aabb", 6), ("abc", 6), ("abcc", 12), ("aaa", 1)]
)
def test_every_seating_that_differs_is_there_once(line_up: str, number: int) -> None:
    found = seatings(tuple(line_up))
    assert len(found) == len(set(found)) == number
    assert all(sorted(seating) == sorted(line_up) for seating in found)
    for bot in set(line_up):
        seats = Counter(seat for seating in found for seat, name in enumerate(seating) if name == bot)
        assert len(set(seats.values())) == 1, "every bot sits on every seat as often"
        assert len(seats) == len(line_up)


def test_all_line_ups_play_the_same_seeds_in_every_seating() -> None:
    schedule = Schedule(
        (load_edition("usa"), tiny()), (*round_robin(lineup("random,casual"), 3), ("casual", "random")), range(5, 8)
    )
    matches = list(schedule.matches())
    assert len(matches) == len(set(matches)) == len(schedule) == 2 * 3 * (3 + 3 + 2)
    assert str(schedule) == "3 seeds of 16 games each"
    seeds: dict[tuple[str, ...], list[int]] = {match.seating: [] for match in matches}
    for match in matches:
        seeds[match.seating].append(match.seed)
    assert all(sorted(found) == [5, 5, 6, 6, 7, 7] for found in seeds.values())
    assert [match.seed for match in matches] == sorted(match.seed for match in matches), "seed by seed"
    for edition in schedule.by_digest:
        block = schedule.block(edition, 3, 6)
        assert block == [m for m in matches if (m.edition, m.seed, len(m.seating)) == (edition, 6, 3)]


@pytest.mark.parametrize(
    ("bots", "players", "seeds", "message"),
    [
        ("random", 2, 1, "a round robin needs at least 2 bots"),
        ("random,casual,random", 2, 1, "the bot random is there twice"),
        ("random,casual", 2, 0, "at least 1 seed"),
        ("random,casual", 7, 1, "is for 2 to 5 players, not 7"),
    ],
)
def test_impossible_tournaments_are_refused(bots: str, players: int, seeds: int, message: str) -> None:
    with pytest.raises(WhistlestopError, match=message):
        small(bots, players, seeds, load_edition("usa"))


def test_seeds_and_editions_have_limits() -> None:
    line_ups = (("random", "casual"),)
    with pytest.raises(WhistlestopError, match="seeds are from 0"):
        Schedule((tiny(),), line_ups, range(SEEDS - 1, SEEDS + 1))
    with pytest.raises(WhistlestopError, match="an edition is there twice"):
        Schedule((tiny(), tiny()), line_ups, range(1))
