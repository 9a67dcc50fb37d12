"""Redealt states never contradict what their viewer knows, according to a diary of what the viewer saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from support import lockstep
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.status import BROKEN

Spot = tuple[Any, ...]
"""Where a ticket is: ("deck", number of the place), ("hand", player), ("offer", player) or ("gone",)."""


@dataclass
class Diary:
    """What one player can tell of the tickets that the player returned, from own offers and public events alone.

    Every place in a deck has a number of its own, which is never used again. A ticket that the player returned has a
    set of spots where it can be: one place until somebody draws it or the deck is shuffled.
    """

    viewer: int
    game: lockstep.FastGame
    decks: list[list[int]] = field(default_factory=list)
    """The places of each deck from the top down."""
    spots: dict[int, set[Spot]] = field(default_factory=dict)
    """Tickets that the player returned and has not seen since."""
    places: int = 0

    def __post_init__(self) -> None:
        t = self.game.words.tables[0]
        self.decks = [[self.new_place() for _ in range(int(t.deck_size[d]))] for d in range(int(t.decks))]
        self.before = self.watch()
        for player, offered in enumerate(self.before["offers"]):
            self.see_draw(player, offered)

    def new_place(self) -> int:
        self.places += 1
        return self.places

    def watch(self) -> dict[str, Any]:
        """What the viewer sees of the tickets now: numbers by deck, and the own offer."""
        s = self.game.states[0]
        first = int(self.game.words.tables[0].deck_first[1])
        offers = [[int(x) for x in s.offer[p][: int(s.offer_n[p])]] for p in range(self.game.players)]
        return {
            "phase": int(s.phase),
            "deal": int(s.deal),
            "counts": [int(n) for n in s.ticket_count[: len(self.decks)]],
            "offers": [Counter(int(x >= first) for x in offer) for offer in offers],
            "own": offers[self.viewer],
            "held": set(lockstep.bits(s.tickets[self.viewer].tolist())),
        }

    def notice(self) -> None:
        """Bring the diary up to date after an action."""
        now, before = self.watch(), self.before
        if now["phase"] == before["phase"] and now["deal"] == before["deal"] and now["phase"] != lay.TICKETS:
            self.before = now
            return
        if before["phase"] == lay.FIRST_TICKETS:
            self.see_first_choices(before, now)
        elif before["phase"] == lay.TICKETS:
            player = next(p for p, offer in enumerate(before["offers"]) if offer)
            self.see_return(player, before, now, now["counts"])
        if now["phase"] in (lay.FIRST_TICKETS, lay.TICKETS):
            for player, offered in enumerate(now["offers"]):
                self.see_draw(player, offered)
        self.before = now

    def see_draw(self, player: int, offered: Counter[int]) -> None:
        """A player draws tickets from the tops of the decks."""
        drawn = {("deck", self.decks[d].pop(0)) for d in (1, 0) for _ in range(offered[d])}
        own = self.watch()["own"] if player == self.viewer else []
        for ticket in own:
            self.spots.pop(ticket, None)
        for ticket, spots in self.spots.items():
            if spots & drawn:
                spots -= drawn
                if player != self.viewer:
                    spots.add(("offer", player))
            assert spots, f"ticket {ticket} is nowhere"

    def see_return(self, player: int, before: dict[str, Any], now: dict[str, Any], counts: list[int]) -> None:
        """A player keeps some of the offer and puts the others under their decks."""
        fresh: set[Spot] = set()
        for d, deck in enumerate(self.decks):
            added = [self.new_place() for _ in range(counts[d] - len(deck))]
            fresh |= {("deck", place) for place in added}
            deck += added
            if player == self.viewer:
                back = [x for x in before["own"] if self.deck_of(x) == d and x not in now["held"]]
                assert len(back) == len(added)
                for ticket, place in zip(back, added, strict=True):
                    self.spots[ticket] = {("deck", place)}
        for spots in self.spots.values():
            if ("offer", player) in spots:
                spots.remove(("offer", player))
                spots |= fresh
                if len(fresh) < before["offers"][player].total():
                    spots.add(("hand", player))

    def see_first_choices(self, before: dict[str, Any], now: dict[str, Any]) -> None:
        """All have chosen: tickets not kept leave the game or go back, in seat order or shuffled."""
        deal = self.game.words.edition.first_tickets[before["deal"]]
        back = [x for x in before["own"] if x not in now["held"]]
        if deal.returned == "box":
            self.spots |= {ticket: {("gone",)} for ticket in back}
        else:
            dealt = now["offers"] if now["phase"] == lay.FIRST_TICKETS else []
            for d, deck in enumerate(self.decks):
                more = now["counts"][d] + sum(offer[d] for offer in dealt) - len(deck)
                old, added = list(deck), [self.new_place() for _ in range(more)]
                if deal.returned == "bottom":
                    mine = self.own_share(before, d, added)
                    for ticket, place in zip([x for x in back if self.deck_of(x) == d], mine, strict=True):
                        self.spots[ticket] = {("deck", place)}
                elif deal.returned == "shuffled-bottom":
                    self.spots |= {x: {("deck", place) for place in added} for x in back if self.deck_of(x) == d}
                else:
                    old = [self.new_place() for _ in old]
                    self.spots |= {x: {("deck", place) for place in old + added} for x in back if self.deck_of(x) == d}
                self.decks[d] = old + added
        t = self.game.words.tables[0]
        if now["phase"] == lay.TURN:
            for d in range(len(self.decks)):
                if t.deck_leaves[d]:
                    gone = {("deck", place) for place in self.decks[d]}
                    for ticket, spots in self.spots.items():
                        self.spots[ticket] = (spots - gone) | {("gone",)} if spots & gone else spots
                    self.decks[d] = []

    def own_share(self, before: dict[str, Any], d: int, added: list[int]) -> list[int]:
        """The places that the viewer filled: how many each player returned is public."""
        s, start = self.game.states[0], 0
        for p in range(self.game.players):
            n = before["offers"][p][d] - self.kept(p, d)
            if p == self.viewer:
                return added[start : start + n]
            start += n
        raise AssertionError(s)

    def kept(self, player: int, d: int) -> int:
        return sum(self.deck_of(x) == d for x in lockstep.bits(self.game.states[0].tickets[player].tolist()))

    def deck_of(self, ticket: int) -> int:
        return int(ticket >= int(self.game.words.tables[0].deck_first[1]))

    def where(self, world: Any) -> dict[int, Spot]:
        """Where the tickets of the diary are in a world."""
        found: dict[int, Spot] = {}
        for d, deck in enumerate(self.decks):
            first, size = (int(self.game.words.tables[0][name][d]) for name in ("deck_first", "deck_size"))
            for i, place in enumerate(deck):
                found[int(world.ticket_order[first + (int(world.ticket_head[d]) + i) % size])] = ("deck", place)
        for p in range(self.game.players):
            found |= dict.fromkeys(lockstep.bits(world.tickets[p].tolist()), ("hand", p))
            found |= dict.fromkeys(world.offer[p][: int(world.offer_n[p])].tolist(), ("offer", p))
        return {ticket: found.get(ticket, ("gone",)) for ticket in self.spots}

    def contradictions(self, world: Any) -> list[str]:
        return [
            f"ticket {ticket} is at {spot}, not in {sorted(self.spots[ticket])}"
            for ticket, spot in self.where(world).items()
            if spot not in self.spots[ticket]
        ]


# ---- what is checked ------------------------------------------------------------------------------------------------
POOL = np.zeros(lay.WORDS, np.uint64)
SHUFFLED = ("mega-europe", "big-cities", "germany")
"""Editions that shuffle first tickets which were not kept."""


def followed(edition: str, players: int, seed: int, style: str) -> Iterator[tuple[lockstep.FastGame, list[Diary]]]:
    """A game with a diary of each player, stopped in the first choices, right after them, and sometimes later."""
    game = lockstep.FastGame(edition, players, seed, style)
    diaries = [Diary(viewer, game) for viewer in range(players)]
    yield game, diaries
    for _ in game.walk():
        for diary in diaries:
            diary.notice()
        if game.steps <= 3 * players or game.steps % 19 == 0 or game.phase() in (lay.TICKETS, lay.OVER):
            yield game, diaries


def redealt(game: lockstep.FastGame, viewer: int, seed: int, forget: bool = False) -> tuple[Any, Any]:
    """A view and a world dealt from it, on request without what the viewer remembers of tickets out of sight."""
    view = game.states.copy()
    doors.redact(view, 0, game.words.tables, viewer)
    world = view.copy()
    if forget:
        world["memory"][0][:, lay.TICKET] = lay.NONE
    doors.determinize(world, 0, game.words.tables, viewer, np.uint64(seed), POOL)
    return view, world


@pytest.mark.slow
@pytest.mark.rule("SETUP-14", "TICKET-5", "RULING-5", "RULING-10")
@pytest.mark.parametrize("players", lockstep.PLAYERS)
@pytest.mark.parametrize("edition", lockstep.EDITIONS)
def test_no_redeal_contradicts_what_its_player_knows(edition: str, players: int) -> None:
    worlds = 0
    for seed, style in enumerate(("any", "tickets", "balanced", "drain")):
        full = [False] * players
        for game, diaries in followed(edition, players, seed, style):
            for diary in diaries:
                full[diary.viewer] |= len(diary.spots) > lay.MEMORY // players
                assert not diary.contradictions(game.states[0]), (style, game.steps, "the diary itself is wrong")
                for k in range(2):
                    view, world = redealt(game, diary.viewer, 1000 * game.steps + k)
                    again = world.copy()
                    doors.redact(again, 0, game.words.tables, diary.viewer)
                    assert again.tobytes() == view.tobytes(), (style, game.steps, diary.viewer)
                    broken = doors.status(world, 0, game.words.tables, game.out)
                    assert not broken, [text for i, text in enumerate(BROKEN) if broken >> i & 1]
                    if not full[diary.viewer]:  # a full memory forgets its oldest ticket
                        assert not diary.contradictions(world[0]), (style, game.steps, diary.viewer)
                        worlds += 1
    assert worlds > 100 * players


@pytest.mark.rule("SETUP-8", "SETUP-9", "SETUP-12")
@pytest.mark.parametrize("edition", SHUFFLED)
def test_first_tickets_that_a_player_returned_stay_in_the_deck_until_somebody_draws_there(edition: str) -> None:
    dealt = 0
    for seed in range(6):
        game = lockstep.FastGame(edition, 3, seed, "any")
        diaries = [Diary(viewer, game) for viewer in range(3)]
        for _ in game.walk():
            for diary in diaries:
                diary.notice()
            if game.phase() == lay.TURN:
                break
        for diary in diaries:
            assert all(spot[0] != "hand" for spots in diary.spots.values() for spot in spots)
            for k in range(100):
                _, world = redealt(game, diary.viewer, k)
                others = {t for p in range(3) if p != diary.viewer for t in lockstep.bits(world[0].tickets[p].tolist())}
                assert not others & diary.spots.keys()
                dealt += len(diary.spots)
    assert dealt > 1000


@pytest.mark.parametrize("edition", SHUFFLED)
def test_the_diary_notices_a_redeal_that_forgets_what_was_returned(edition: str) -> None:
    """Without the viewer's memory, returned first tickets turn up in the hands of others."""
    found = 0
    for seed in range(3):
        for game, diaries in followed(edition, 3, seed, "any"):
            if game.phase() == lay.TURN:
                worlds = [redealt(game, diary.viewer, k, forget=True)[1] for diary in diaries for k in range(10)]
                found += sum(bool(diaries[i // 10].contradictions(world[0])) for i, world in enumerate(worlds))
                break
    assert found > 10


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["usa", "germany"])
def test_lost_tickets_are_dealt_uniformly_over_the_places_where_they_can_be(edition: str) -> None:
    """Germany: a returned first ticket is as likely in each place of the reshuffled deck. USA: each has its place."""
    game = lockstep.FastGame(edition, 2, 4, "any")
    diary = Diary(0, game)
    for _ in game.walk():
        diary.notice()
        if game.phase() == lay.TURN:
            break
    ticket = next(iter(diary.spots))
    counts: Counter[Spot] = Counter(diary.where(redealt(game, 0, k)[1][0])[ticket] for k in range(4000))
    assert counts.keys() == diary.spots[ticket]
    share = 4000 / len(counts)
    off = sum((n - share) ** 2 / share for n in counts.values())
    assert off < len(counts) + 4.5 * (2 * len(counts)) ** 0.5
