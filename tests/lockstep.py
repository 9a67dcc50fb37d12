"""The fast engine and the slow reference side by side: same legal actions, same state, same result, at every step.

Run as a program for a long check: `uv run python tests/lockstep.py --games 20000`.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import numpy as np

from reference import Reference
from whistlestop.engine import batch
from whistlestop.engine import layout as lay
from whistlestop.engine.tables import places_of, tables_of
from whistlestop.mapfile import Edition, load_edition
from whistlestop.notation import CARDS

T = TypeVar("T")

EDITIONS = ("usa", "europe", "europe-1912", "mega-europe", "big-cities", "germany")
PLAYERS = (2, 3, 4, 5)

STYLES: dict[str, dict[str, float]] = {
    # How much likelier an action of a kind is chosen; 1 where none is given. Each style leads into its own rare states.
    "any": {},
    "balanced": {"station": 0.002, "draw_tickets": 0.3, "claim": 0.1},
    "hoard": {"draw_blind": 60, "draw_face_up": 60, "claim": 0.02, "station": 0.002, "draw_tickets": 0.02},
    "locomotives": {"locomotive": 400, "draw_blind": 20, "claim": 0.02, "station": 0.001, "draw_tickets": 0.05},
    "tickets": {"draw_tickets": 80, "station": 0.002, "claim": 0.1, "draw_blind": 2},
    "stations": {"station": 5, "claim": 0.5, "draw_tickets": 2},
    "build": {"claim": 200, "station": 0.001, "draw_tickets": 0.2},
    "tunnels": {"claim": 20, "give_up": 0.2, "station": 0.001, "draw_tickets": 0.2, "draw_blind": 3},
}


class Script:
    """Chance for the reference, read from what the fast engine's chance gave."""

    def __init__(self, outcomes: Sequence[int], passengers: Sequence[str]) -> None:
        self.left = deque(outcomes)
        self.passengers = passengers

    def pick(self, n: int) -> int:
        outcome = self.left.popleft()
        assert 0 <= outcome < n
        return outcome

    def card(self, pile: dict[str, int]) -> str:
        card = CARDS[self.left.popleft()]
        assert pile.get(card, 0) > 0, f"{card} drawn from {pile}"
        return card

    def passenger(self, bag: dict[str, int]) -> str:
        colour = self.passengers[self.left.popleft()]
        assert bag.get(colour, 0) > 0
        return colour

    def shuffle(self, items: list[T]) -> list[T]:
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.pick(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


@dataclass
class Words:
    """An edition's numbers as the reference's words."""

    edition: Edition

    def __post_init__(self) -> None:
        t = self.tables = tables_of(self.edition)
        self.board = self.edition.board
        self.cities = [city.name for city in self.board.cities]
        self.tickets = [(x.a, x.b, x.points) for deck in self.edition.decks for x in deck.tickets]
        self.passengers = tuple(self.board.passenger_colours)
        self.station_first = int(t[0].station_first)
        self.claims = [
            ("claim", int(t[0].claim_track[i]), CARDS[int(t[0].claim_colour[i])], int(t[0].claim_locos[i])) for i in range(int(t[0].claims))
        ]
        self.places = places_of(self.board) if self.passengers else ()

    def action(self, action: int, state: Any) -> tuple[Any, ...]:
        if action >= self.station_first:
            city, payment = divmod(action - self.station_first, lay.STATION_PAYMENTS)
            if payment == lay.ALL_LOCO_STATION:
                return ("station", self.cities[city], "locomotive", int(state.stations[state.player]).bit_count() + 1)
            return ("station", self.cities[city], CARDS[payment // lay.MAX_STATIONS], payment % lay.MAX_STATIONS)
        if action >= lay.CLAIM:
            return self.claims[action - lay.CLAIM]
        if action >= lay.TAKE_PASSENGER:
            return ("take_passenger", None if action == lay.TAKE_NONE else self.passengers[action - lay.TAKE_PASSENGER])
        if action == lay.GIVE_UP:
            return ("give_up",)
        if action >= lay.PAY_EXTRA:
            return ("pay_extra", action - lay.PAY_EXTRA)
        if action >= lay.KEEP:
            return ("keep", tuple(i for i in range(lay.MAX_OFFER) if (action - lay.KEEP) >> i & 1))
        if action >= lay.DRAW_TICKETS:
            return ("announce" if int(state.phase) == lay.ANNOUNCE else "draw_tickets", action - lay.DRAW_TICKETS)
        if action >= lay.DRAW_FACE_UP:
            return ("draw_face_up", CARDS[action - lay.DRAW_FACE_UP])
        return ("draw_blind",) if action == lay.DRAW_BLIND else ("pass",)

    def snapshot(self, states: batch.Array) -> dict[str, Any]:
        """The state in the words of Reference.snapshot."""
        s = {name: states[name][0] for name in lay.STATE.names or ()}
        n, phase = int(s["players"]), int(s["phase"])
        owner: list[int | None] = [None] * len(self.board.tracks)
        for p in range(n):
            for track in bits(s["tracks"][p]):
                owner[track] = p
        open_tracks = set(bits(s["open"]))
        waiting, spot = {}, 0
        for place, count in self.places:
            here = tuple(sorted(self.passengers[c] for c in s["passengers"][spot : spot + count] if c >= 0))
            if here:
                waiting[place] = here
            spot += count
        return {
            "phase": lay.PHASES[phase],
            "player": None if phase in (lay.ANNOUNCE, lay.FIRST_TICKETS, lay.OVER) else int(s["player"]),
            "first": int(s["first"]),
            "hands": [tuple(hand) for hand in s["hand"][:n].tolist()],
            "deck": tuple(s["deck"].tolist()),
            "discard": tuple(s["discard"].tolist()),
            "face_up": [None if c == lay.NONE else CARDS[c] for c in s["face_up"].tolist()],
            "trains": s["trains"][:n].tolist(),
            "stations": [sorted(self.cities[c] for c in bits([s["stations"][p]])) for p in range(n)],
            "owner": owner,
            "closed": [i for i in range(len(owner)) if owner[i] is None and i not in open_tracks],
            "points": s["points"][:n].tolist(),
            "tickets": [sorted(self.tickets[t] for t in bits(s["tickets"][p])) for p in range(n)],
            "offers": [[self.tickets[t] for t in s["offer"][p][: s["offer_n"][p]]] for p in range(n)],
            "ticket_decks": [self.deck(s, d) for d in range(len(self.edition.decks))],
            "passengers_at": waiting,
            "passengers_of": [{c: k for c, k in zip(self.passengers, row.tolist(), strict=False) if k} for row in s["collected"][:n]],
            "laid": tuple(s["laid"].tolist()) if phase == lay.TUNNEL else None,
            "turned": tuple(sorted(CARDS[c] for c in s["turned"].tolist() if c != lay.NONE)),
            "extra": int(s["extra"]),
            "last_round": int(s["last_turns"]) or None,
            "passes": int(s["passes"]),
        }

    def deck(self, s: dict[str, Any], deck: int) -> list[tuple[str, str, int]]:
        first, size = int(self.tables[0].deck_first[deck]), int(self.tables[0].deck_size[deck])
        head, count = int(s["ticket_head"][deck]), int(s["ticket_count"][deck])
        return [self.tickets[s["ticket_order"][first + (head + i) % size]] for i in range(count)]

    def result(self, states: batch.Array) -> dict[str, Any]:
        """The final count in the words of Reference.result, tickets apart."""
        _, nets, borrowed = batch.scratch()
        sheet = np.zeros((lay.MAX_PLAYERS, lay.SHEET), np.int64)
        needed = batch.count(states, 0, self.tables, nets, sheet, borrowed)
        n = int(states["players"][0])
        rows = [dict(zip(lay.SHEET_NAMES, row.tolist(), strict=True)) for row in sheet[:n]]
        return {
            "players": [{k: v for k, v in row.items() if k != "won"} for row in rows],
            "winners": [p for p, row in enumerate(rows) if row["won"]],
            "decided_by": "shared" if needed == lay.NONE else ("points", *self.edition.tie_breaks)[needed],
        }


@cache
def words_of(edition: str) -> Words:
    return Words(load_edition(edition))


def bits(words: Any) -> list[int]:
    found = []
    for w, word in enumerate(words):
        left = int(word)
        while left:
            low = left & -left
            found.append(64 * w + low.bit_length() - 1)
            left ^= low
    return found


def weight(action: tuple[Any, ...], style: dict[str, float]) -> float:
    if "locomotive" in style and action == ("draw_face_up", "locomotive"):
        return style["locomotive"]
    return style.get(action[0], 1.0)


def compare_results(fast: dict[str, Any], slow: dict[str, Any], longest_path: bool) -> None:
    """Equal but for the form: the fast sheet counts tickets that the reference lists; paths count where they earn a bonus."""
    for ours, theirs in zip(fast["players"], slow["players"], strict=True):
        expected = {**theirs, "completed": len(theirs["completed"]), "failed": len(theirs["failed"])}
        if not longest_path:
            expected["path_length"] = 0
        assert ours == expected
    assert (fast["winners"], fast["decided_by"]) == (slow["winners"], slow["decided_by"])


class LockStep:
    """One game on both engines."""

    def __init__(self, edition: str, players: int, seed: int, style: str, every: int = 1) -> None:
        self.words = words_of(edition)
        self.rng = random.Random(f"{edition} {players} {seed} {style}")
        self.style = STYLES[style]
        self.every = every
        self.states, self.log = np.zeros(1, lay.STATE), batch.new_log(4096)
        first = None if seed % 3 else seed % players
        batch.new(self.states, 0, self.words.tables, players, lay.NONE if first is None else first, np.uint64(seed), self.log)
        self.script = Script(self.outcomes(), self.words.passengers)
        self.slow = Reference(edition, players, self.script, first)
        self.out = np.zeros(int(self.words.tables[0].actions), np.int64)
        self.steps = 0

    def outcomes(self) -> list[int]:
        n = int(self.log[lay.LOG_COUNT])
        assert n <= len(self.log) - lay.LOG_FIRST
        self.log[lay.LOG_COUNT] = 0
        return [int(x) for x in self.log[lay.LOG_FIRST : lay.LOG_FIRST + n]]

    def check_state(self) -> None:
        assert not self.script.left, "the fast engine asked chance for more than the reference"
        assert batch.broken(self.states, 0, self.words.tables, self.out) == 0
        fast, slow = self.words.snapshot(self.states), self.slow.snapshot()
        slow["last_round"] = slow["last_round"] or None  # the fast engine has no word for a last round that is over
        if fast != slow:
            raise AssertionError({k: (fast.get(k), slow.get(k)) for k in fast.keys() | slow.keys() if fast.get(k) != slow.get(k)})

    def legal(self, player: int) -> dict[tuple[Any, ...], int]:
        """The legal actions of a player on both engines, which must be the same."""
        assert batch.seat(self.states, 0, player)
        n = batch.legal(self.states, 0, self.words.tables, self.out)
        state = self.states[0]
        fast = {self.words.action(int(a), state): int(a) for a in self.out[:n]}
        assert len(fast) == n, "an action is listed twice"
        slow = self.slow.legal(player)
        assert fast.keys() == slow, (sorted(map(str, fast.keys() - slow)), sorted(map(str, slow - fast.keys())))
        return fast

    def step(self, players: set[int]) -> None:
        player = self.rng.choice(sorted(players))
        legal = self.legal(player)
        actions = sorted(legal, key=lambda a: legal[a])
        action = self.rng.choices(actions, [weight(a, self.style) for a in actions])[0]
        batch.play(self.states, 0, self.words.tables, legal[action], self.log)
        self.script.left.extend(self.outcomes())
        self.slow.apply(player, action)
        self.steps += 1

    def play(self) -> None:
        """Play to the end, comparing everything at every `every`-th step and at the end."""
        while players := self.slow.to_act():
            if self.steps % self.every == 0:
                self.check_state()
            self.step(players)
        self.check_state()
        compare_results(self.words.result(self.states), self.slow.result(), self.words.edition.longest_path > 0)


def play(edition: str, players: int, seed: int, every: int = 1) -> int:
    """One game in lock-step; the style goes round with the seed. Returns its number of steps."""
    style = tuple(STYLES)[seed % len(STYLES)]
    game = LockStep(edition, players, seed, style, every)
    try:
        game.play()
    except AssertionError as error:
        raise AssertionError(f"{edition}, {players} players, seed {seed}, style {style}, step {game.steps}: {error}") from error
    return game.steps
