"""The fast engine and the slow reference side by side: same legal actions, same state, same result, at every step.

Run as a program for a long check: `PYTHONPATH=tests uv run python -m support.lockstep --games 20000 --jobs 2`.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from multiprocessing import get_context
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from support.networks import tiny
from support.reference import Reference
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.status import BROKEN
from whistlestop.engine.tables import places_of, tables_of
from whistlestop.mapfile import CARDS, Edition, load_edition

T = TypeVar("T")
Words_ = tuple[Any, ...]

EDITIONS = ("usa", "europe", "europe-1912", "mega-europe", "big-cities", "germany")
PLAYERS = (2, 3, 4, 5)
TINY = "tiny:"
"""`tiny:7` is the seventh board of networks.tiny, wherever an edition's name goes."""

STYLES: dict[str, dict[str, float]] = {
    # How much likelier an action of a kind is chosen; 1 where none is given. Each style leads into its own rare states.
    # Besides kinds: `locomotive` for a face-up locomotive, `each_kept` for every ticket kept,
    # `each_space` for every space claimed.
    "any": {},
    "balanced": {"station": 0.002, "draw_tickets": 0.3, "claim": 0.1},
    "hoard": {"draw_blind": 60, "draw_face_up": 60, "claim": 0.02, "station": 0.002, "draw_tickets": 0.02},
    "locomotives": {"locomotive": 400, "draw_blind": 20, "claim": 0.02, "station": 0.001, "draw_tickets": 0.05},
    "tickets": {"draw_tickets": 80, "station": 0.002, "claim": 0.1, "draw_blind": 2},
    "stations": {"station": 5, "claim": 0.5, "draw_tickets": 2},
    "build": {"claim": 200, "station": 0.001, "draw_tickets": 0.2},
    "tunnels": {"claim": 20, "give_up": 0.2, "station": 0.001, "draw_tickets": 0.2, "draw_blind": 3},
    # Everything is drawn that can be, tickets first; claims come when nothing else is left, the longest ones.
    "drain": {
        "draw_tickets": 500,
        "each_kept": 6,
        "draw_blind": 60,
        "draw_face_up": 60,
        "claim": 0.001,
        "each_space": 2,
        "station": 0.001,
    },
}


class Script:
    """Chance for the reference, read from the fast engine's log."""

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
    spec: dict[str, Any] | None = None
    """The reference's description of the edition; None where it knows it by name."""
    styles: dict[str, npt.NDArray[np.float64]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        t = self.tables = tables_of(self.edition)
        self.board = self.edition.board
        self.cities = [city.name for city in self.board.cities]
        self.tickets = [(x.a, x.b, x.points) for deck in self.edition.decks for x in deck.tickets]
        self.passengers = tuple(self.board.passenger_colours)
        self.actions = int(t[0].actions)
        self.station_first = int(t[0].station_first)
        self.claims = [
            ("claim", int(t[0].claim_track[i]), CARDS[int(t[0].claim_colour[i])], int(t[0].claim_locos[i]))
            for i in range(int(t[0].claims))
        ]
        self.places = places_of(self.board) if self.passengers else ()
        self.names = [
            [self.name(action, built) for action in range(self.actions)] for built in range(lay.MAX_STATIONS + 1)
        ]
        """[stations built][action]"""
        self.announcements = [("announce", action - lay.DRAW_TICKETS) for action in range(lay.KEEP)]

    def name(self, action: int, built: int) -> Words_:
        if action >= self.station_first:
            city, payment = divmod(action - self.station_first, lay.STATION_PAYMENTS)
            if payment == lay.ALL_LOCO_STATION:
                return ("station", self.cities[city], "locomotive", built + 1)
            return ("station", self.cities[city], CARDS[payment // lay.MAX_STATIONS], payment % lay.MAX_STATIONS)
        if action >= lay.CLAIM:
            return self.claims[action - lay.CLAIM]
        if action >= lay.TAKE_PASSENGER:
            known = action - lay.TAKE_PASSENGER < len(self.passengers)
            return ("take_passenger", self.passengers[action - lay.TAKE_PASSENGER] if known else None)
        if action == lay.GIVE_UP:
            return ("give_up",)
        if action >= lay.PAY_EXTRA:
            return ("pay_extra", action - lay.PAY_EXTRA)
        if action >= lay.KEEP:
            return ("keep", tuple(i for i in range(lay.MAX_OFFER) if (action - lay.KEEP) >> i & 1))
        if action >= lay.DRAW_TICKETS:
            return ("draw_tickets", action - lay.DRAW_TICKETS)
        if action >= lay.DRAW_FACE_UP:
            return ("draw_face_up", CARDS[action - lay.DRAW_FACE_UP])
        return ("draw_blind",) if action == lay.DRAW_BLIND else ("pass",)

    def weights(self, style: str) -> npt.NDArray[np.float64]:
        """How likely each action is in a style."""
        if style not in self.styles:
            self.styles[style] = np.array([self.weight(name, STYLES[style]) for name in self.names[0]])
        return self.styles[style]

    def weight(self, action: Words_, style: dict[str, float]) -> float:
        weight = style.get(action[0], 1.0)
        if action == ("draw_face_up", "locomotive"):
            return style.get("locomotive", weight)
        if action[0] == "keep":
            return weight * style.get("each_kept", 1.0) ** len(action[1])
        if action[0] == "claim":
            return weight * style.get("each_space", 1.0) ** self.board.tracks[action[1]].length
        return weight

    def views(self, states: doors.Array) -> dict[str, npt.NDArray[Any]]:
        """Every field of a game's state as an array that follows its changes."""
        return {name: states[name] if states[name].ndim == 1 else states[name][0] for name in lay.STATE.names or ()}

    def snapshot(self, views: dict[str, npt.NDArray[Any]]) -> dict[str, Any]:
        """The state in the words of Reference.snapshot."""
        s = {name: view.tolist() for name, view in views.items()}
        n, phase, player = s["players"][0], s["phase"][0], s["player"][0]
        owner: list[int | None] = [None] * len(self.board.tracks)
        for p in range(n):
            for track in bits(s["tracks"][p]):
                owner[track] = p
        open_tracks = set(bits(s["open"]))
        return {
            "phase": lay.PHASES[phase],
            "player": None if phase in (lay.ANNOUNCE, lay.FIRST_TICKETS, lay.OVER) else player,
            "first": s["first"][0],
            "hands": [tuple(hand) for hand in s["hand"][:n]],
            "deck": tuple(s["deck"]),
            "discard": tuple(s["discard"]),
            "face_up": [None if c == lay.NONE else CARDS[c] for c in s["face_up"]],
            "trains": s["trains"][:n],
            "stations": [sorted(self.cities[c] for c in bits([built])) for built in s["stations"][:n]],
            "owner": owner,
            "closed": [i for i, held in enumerate(owner) if held is None and i not in open_tracks],
            "points": s["points"][:n],
            "tickets": [sorted(self.tickets[t] for t in bits(words)) for words in s["tickets"][:n]],
            "offers": [[self.tickets[t] for t in s["offer"][p][: s["offer_n"][p]]] for p in range(n)],
            "ticket_decks": [self.deck(s, d) for d in range(len(self.edition.decks))],
            "passengers_at": self.waiting(s["passengers"]),
            "passengers_of": [
                {c: k for c, k in zip(self.passengers, row, strict=False) if k} for row in s["collected"][:n]
            ],
            "laid": tuple(s["laid"]) if phase == lay.TUNNEL else None,
            "turned": tuple(sorted(CARDS[c] for c in s["turned"] if c != lay.NONE)),
            "extra": s["extra"][0],
            "last_round": s["last_turns"][0] or None,
            "passes": s["passes"][0],
        }

    def waiting(self, spots: list[int]) -> dict[str, tuple[str, ...]]:
        waiting, spot = {}, 0
        for place, count in self.places:
            here = tuple(sorted(self.passengers[c] for c in spots[spot : spot + count] if c >= 0))
            if here:
                waiting[place] = here
            spot += count
        return waiting

    def deck(self, s: dict[str, Any], deck: int) -> list[tuple[str, str, int]]:
        first, size = int(self.tables[0].deck_first[deck]), int(self.tables[0].deck_size[deck])
        head, count = s["ticket_head"][deck], s["ticket_count"][deck]
        return [self.tickets[s["ticket_order"][first + (head + i) % size]] for i in range(count)]

    def result(self, states: doors.Array) -> dict[str, Any]:
        """The final count in the words of Reference.result, tickets apart."""
        _, nets, borrowed = doors.scratch()
        sheet = np.zeros((lay.MAX_PLAYERS, lay.SHEET), np.int64)
        needed = doors.score(states, 0, self.tables, nets, sheet, borrowed)
        n = int(states["players"][0])
        rows = [dict(zip(lay.SHEET_NAMES, row.tolist(), strict=True)) for row in sheet[:n]]
        return {
            "players": [{k: v for k, v in row.items() if k != "won"} for row in rows],
            "winners": [p for p, row in enumerate(rows) if row["won"]],
            "decided_by": "shared" if needed == lay.NONE else ("points", *self.edition.tie_breaks)[needed],
        }

    def reference(self, players: int, chance: Script, first: int | None) -> Reference:
        if self.spec is None:
            return Reference(self.edition.id, players, chance, first)
        return Reference.from_spec(self.spec, players, chance, first)


@lru_cache(64)
def words_of(edition: str) -> Words:
    if edition.startswith(TINY):
        made = tiny(int(edition.removeprefix(TINY)))
        return Words(made.edition, made.spec)
    return Words(load_edition(edition))


@lru_cache(1 << 16)  # a state's words change rarely
def bits_of(word: int) -> list[int]:
    return [i for i in range(64) if word >> i & 1]


def bits(words: Sequence[int]) -> list[int]:
    return [64 * w + i for w, word in enumerate(words) for i in bits_of(word)]


def compare_results(fast: dict[str, Any], slow: dict[str, Any]) -> None:
    """Compare two results; the fast sheet counts tickets that the reference lists."""
    for ours, theirs in zip(fast["players"], slow["players"], strict=True):
        assert ours == {**theirs, "completed": len(theirs["completed"]), "failed": len(theirs["failed"])}
    assert (fast["winners"], fast["decided_by"]) == (slow["winners"], slow["decided_by"])


class FastGame:
    """One game on the fast engine, steered by a style."""

    def __init__(self, edition: str, players: int, seed: int, style: str) -> None:
        self.words = words_of(edition)
        self.players = players
        self.rng = random.Random(f"{edition} {players} {seed} {style}")
        self.weights = self.words.weights(style)
        self.states, self.log = np.zeros(1, lay.STATE), doors.new_log(4096)
        self.views = self.words.views(self.states)
        self.first = None if seed % 3 else seed % players
        first = lay.NONE if self.first is None else self.first
        doors.new_game(self.states, 0, self.words.tables, players, first, doors.seed_words(seed), self.log)
        self.out = np.zeros(self.words.actions + 1, np.int64)
        self.steps = 0

    def outcomes(self) -> list[int]:
        """Outcomes logged since the last call."""
        n = int(self.log[lay.LOG_COUNT])
        assert n <= len(self.log) - lay.LOG_FIRST
        self.log[lay.LOG_COUNT] = 0
        found: list[int] = self.log[lay.LOG_FIRST : lay.LOG_FIRST + n].tolist()
        return found

    def phase(self) -> int:
        return int(self.views["phase"][0])

    def to_act(self) -> list[int]:
        """The players who may act now, by the rules of the phase."""
        if self.phase() <= lay.FIRST_TICKETS:
            return [p for p, choice in enumerate(self.views["choice"][: self.players].tolist()) if choice == lay.NONE]
        return [] if self.phase() == lay.OVER else [int(self.views["player"][0])]

    def check(self) -> None:
        broken = doors.status(self.states, 0, self.words.tables, self.out)
        assert broken == 0, [text for i, text in enumerate(BROKEN) if broken >> i & 1]

    def legal(self, player: int) -> npt.NDArray[np.int64]:
        """The legal actions of a player, in order."""
        assert doors.take_seat(self.states, 0, player), f"player {player} may not act"
        n = doors.list_legal(self.states, 0, self.words.tables, self.out)
        return np.sort(self.out[:n])

    def names(self, player: int) -> list[Words_]:
        """The words of each action number, now."""
        if self.phase() == lay.ANNOUNCE:
            return self.words.announcements
        return self.words.names[int(self.views["stations"][player]).bit_count()]

    def choose(self, actions: npt.NDArray[np.int64]) -> int:
        upto = np.cumsum(self.weights[actions])
        return int(actions[min(np.searchsorted(upto, self.rng.random() * upto[-1], "right"), len(actions) - 1)])

    def act(self, action: int) -> None:
        doors.step(self.states, 0, self.words.tables, action, self.log)
        self.steps += 1

    def walk(self) -> Iterator[int]:
        """Play to the end; yields each action after it was carried out."""
        while players := self.to_act():
            action = self.choose(self.legal(self.rng.choice(players)))
            self.act(action)
            yield action


class LockStep(FastGame):
    """One game on both engines."""

    def __init__(self, edition: str, players: int, seed: int, style: str, every: int = 1) -> None:
        super().__init__(edition, players, seed, style)
        self.every = every
        self.script = Script(self.outcomes(), self.words.passengers)
        self.slow = self.words.reference(players, self.script, self.first)

    def check_state(self) -> None:
        fast, slow = self.words.snapshot(self.views), self.slow.snapshot()
        slow["last_round"] = slow["last_round"] or None  # the fast engine does not keep a last round that is over
        if fast != slow:
            raise AssertionError(
                {k: (fast.get(k), slow.get(k)) for k in fast.keys() | slow.keys() if fast.get(k) != slow.get(k)}
            )

    def both_legal(self, player: int) -> npt.NDArray[np.int64]:
        """The legal actions of a player on both engines, which must be the same."""
        actions = self.legal(player)
        names = self.names(player)
        fast = {names[action] for action in actions.tolist()}
        assert len(fast) == len(actions), "an action is listed twice"
        slow = self.slow.legal(player)
        assert fast == slow, f"only fast: {sorted(map(str, fast - slow))}; only slow: {sorted(map(str, slow - fast))}"
        return actions

    def step(self, players: list[int]) -> None:
        player = self.rng.choice(players)
        action = self.choose(self.both_legal(player))
        words = self.names(player)[action]
        self.act(action)
        self.script.left.extend(self.outcomes())
        self.slow.apply(player, words)
        assert not self.script.left, "the fast engine asked chance for more than the reference"

    def play(self) -> None:
        """Play to the end; checks legal actions and invariants at every step, states at every `every`-th and last."""
        assert not self.script.left, "the fast engine asked chance for more than the reference"
        while players := self.to_act():
            assert set(players) == self.slow.to_act()
            self.check()
            if self.steps % self.every == 0:
                self.check_state()
            self.step(players)
        assert not self.slow.to_act()
        self.check()
        self.check_state()
        compare_results(self.words.result(self.states), self.slow.result())


def style_of(seed: int) -> str:
    """Each seed has its style, in rotation."""
    return tuple(STYLES)[seed % len(STYLES)]


def play(edition: str, players: int, seed: int, every: int = 1) -> int:
    """One game in lock-step; returns its number of steps."""
    game = None
    try:
        game = LockStep(edition, players, seed, style_of(seed), every)
        game.play()
    except (AssertionError, IndexError, ValueError) as error:
        step = game.steps if game else "setup"
        raise AssertionError(
            f"{edition}, {players} players, seed {seed}, style {style_of(seed)}, step {step}: {error!r}"
        ) from error
    return game.steps


def digest(edition: str, players: int, seed: int, style: str) -> str:
    """A digest of what the engine computes in a game: states, legal actions in order, views, redealt states, scores."""
    game = FastGame(edition, players, seed, style)
    tables, found = game.words.tables, hashlib.sha256(game.states.tobytes())
    other, pool = game.states.copy(), np.zeros(lay.WORDS, np.uint64)
    for action in game.walk():
        found.update(action.to_bytes(2, "little") + game.states.tobytes())
        n = doors.list_legal(game.states, 0, tables, game.out)
        found.update(game.out[:n].tobytes())
        if game.steps % 10 == 0:
            viewer = game.steps // 10 % (players + 1) - 1
            doors.copy_state(other, 0, game.states, 0)
            doors.redact(other, 0, tables, viewer)
            found.update(other.tobytes())
            doors.determinize(other, 0, tables, viewer, np.uint64(seed), pool)
            found.update(other.tobytes())
            found.update(int(doors.status(game.states, 0, tables, game.out)).to_bytes(4, "little"))
    _, nets, borrowed = doors.scratch()
    sheet = np.zeros((lay.MAX_PLAYERS, lay.SHEET), np.int64)
    needed = doors.score(game.states, 0, tables, nets, sheet, borrowed)
    found.update(sheet.tobytes() + borrowed.tobytes() + bytes(str(needed), "ascii") + game.log.tobytes())
    return found.hexdigest()


# ---- the long run ----------------------------------------------------------------------------------------------------
def play_chunk(job: tuple[int, int, int]) -> tuple[int, int, list[str]]:
    """Games first … last - 1 of the long run: games, steps, differences."""
    first, last, every = job
    steps, differences = 0, []
    for game in range(first, last):
        # Every edition and player count in turn, then a tiny board of its own number.
        kind, seed = game % 28, game // 28
        edition, players = (
            (EDITIONS[kind // 4], PLAYERS[kind % 4]) if kind < 24 else (f"{TINY}{seed}", PLAYERS[kind - 24])
        )
        try:
            steps += play(edition, players, seed, every)
        except AssertionError as error:
            differences.append(str(error))
    return last - first, steps, differences


def long_run(games: int, jobs: int, every: int, start_at: int = 0) -> int:
    """Play many games on several processes with a line of progress; returns the number of differences."""
    chunk = 28
    work = [(start_at + first, start_at + min(first + chunk, games), every) for first in range(0, games, chunk)]
    done, steps, start = 0, 0, time.perf_counter()
    differences: list[str] = []
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for n, more, found in pool.map(play_chunk, work):
            done, steps = done + n, steps + more
            for text in found:
                sys.stderr.write(f"\n{text}\n")
            differences += found
            spent = time.perf_counter() - start
            left = spent / done * (games - done)
            sys.stderr.write(
                f"\r{done}/{games} games, {steps} steps, {len(differences)} differences, "
                f"{spent:.0f} s, {left:.0f} s left   "
            )
    sys.stderr.write("\n")
    editions = Counter((start_at + game) % 28 // 4 for game in range(games))
    names = (*EDITIONS, "tiny boards")
    sys.stdout.write(", ".join(f"{names[i]} {n}" for i, n in sorted(editions.items())) + "\n")
    sys.stdout.write(
        f"{done} games, {steps} steps, {len(differences)} differences, {time.perf_counter() - start:.0f} s\n"
    )
    return len(differences)


def main() -> None:
    parser = argparse.ArgumentParser(description="Play many games on the fast engine and the reference in lock-step.")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--start-at", type=int, default=0, help="number of the first game, to go on where another run ended"
    )
    parser.add_argument("--every", type=int, default=1, help="compare whole states at every n-th step only")
    options = parser.parse_args()
    sys.exit(1 if long_run(options.games, options.jobs, options.every, options.start_at) else 0)


if __name__ == "__main__":
    main()
