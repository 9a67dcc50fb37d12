"""A bot that learned by playing against itself: a small network, read from a file and asked with NumPy alone.

It plays wherever a bot's name does: whistlestop arena --bots examples/learned_bot.py:Learned,one-step,random
`learn_by_self_play.py` made the weights beside it, learned_usa.npz; LEARNED_BOT names another file.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from whistlestop import Action, Edition, Limit, View, WhistlestopError, load_edition, play
from whistlestop.envs import Encoding, action_set, layout_of

WEIGHTS = Path(os.environ.get("LEARNED_BOT", Path(__file__).with_name("learned_usa.npz")))
COLOURS, KINDS = 8, 9
"""Of cards; the last kind are locomotives."""
MOST = 255
FAR = 1 << 30
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
compiled: Any = partial(numba.njit, nogil=True, no_cfunc_wrapper=True)
inner: Any = partial(compiled, no_cpython_wrapper=True)
"""For functions that compiled ones call: without what Python would need they are compiled sooner."""


# ---- hints: what follows from an observation, found for the network -------------------------------------------------
@inner()  # type: ignore[untyped-decorator]
def connect(tracks: Any, costs: Any, planned: Any, here: Any, there: Any, used: Any, distance: Any, by: Any) -> Any:
    """Mark in `used` the cheapest way from one of the cities `here` to one of those `there`, given as bits; how many
    trains it takes, or FAR if there is none.

    Dijkstra's way, with the next city looked for among the few dozen that there are.
    """
    one, done = np.uint64(1), np.uint64(0)
    used[:], by[:] = 0, -1
    for city in range(len(distance)):
        distance[city] = 0 if (here >> np.uint64(city)) & one else FAR
    while True:
        nearest = -1
        for city in range(len(distance)):
            left = not (done >> np.uint64(city)) & one
            if left and distance[city] < (distance[nearest] if nearest >= 0 else FAR):
                nearest = city
        if nearest < 0:
            return FAR
        if (there >> np.uint64(nearest)) & one:
            break
        done |= one << np.uint64(nearest)
        for track in range(len(tracks)):
            a, b = tracks[track, 0], tracks[track, 1]
            if (a != nearest and b != nearest) or costs[track] >= FAR:
                continue
            other = b if a == nearest else a
            cost = distance[nearest] + (0 if planned[track] else costs[track])
            if cost < distance[other]:
                distance[other], by[other] = cost, track
    trains = 0
    while by[nearest] >= 0:
        track = by[nearest]
        used[track] = costs[track] > 0
        if used[track] and not planned[track]:
            trains += tracks[track, 2]
        nearest = tracks[track, 0] + tracks[track, 1] - nearest
    return trains


@inner()  # type: ignore[untyped-decorator]
def price(row: Any, tracks: Any, own: Any, open_to_me: Any, hand: Any, costs: Any) -> None:
    """What each track costs, in tenths of a train: long ones less for each train, and what can be paid already less."""
    most: Any = 0
    for colour in range(COLOURS):
        most = max(most, np.int64(row[hand + colour]))
    for track in range(len(tracks)):
        length, colour = tracks[track, 2], tracks[track, 3]
        cards = min(length, np.int64(row[hand + colour]) if colour >= 0 else most)
        costs[track] = 0 if row[own + track] else 10 * length + 15 - 5 * cards if row[open_to_me + track] else FAR


@inner()  # type: ignore[untyped-decorator]
def count_cards(row: Any, tracks: Any, planned: Any, hand: Any, out: Any) -> Any:
    """Into `out`, how many cards of each kind the plan lacks and how many are to spare; spaces of gray tracks in it."""
    need, gray, total = np.zeros(COLOURS, np.int64), 0, 0
    for track in range(len(tracks)):
        if planned[track] and tracks[track, 3] >= 0:
            need[tracks[track, 3]] += tracks[track, 2]
        elif planned[track]:
            gray += tracks[track, 2]
    for colour in range(COLOURS):
        lack = need[colour] - np.int64(row[hand + colour])
        out[colour] = min(max(lack, 0), MOST)
        out[KINDS + colour] = min(max(-lack, 0), MOST)
        total += max(lack, 0)
    out[COLOURS] = min(total, MOST)
    out[KINDS + COLOURS] = row[hand + COLOURS]
    return gray


@compiled()  # type: ignore[untyped-decorator]
def find_hints(
    rows: Any, places: Any, tracks: Any, ends: Any, points: Any, offers: Any, cities: Any, hints: Any
) -> None:
    """Into `hints`, for each observation: a plan for the tickets held, the cards it lacks, what an offer would add."""
    count, tickets = len(tracks), len(points)
    own, open_to_me, held, completed, offered, hand, trains_at = places
    costs, distance, by = np.zeros(count, np.int64), np.zeros(cities, np.int64), np.zeros(cities, np.int64)
    planned, trial, used = np.zeros(count, np.uint8), np.zeros(count, np.uint8), np.zeros(count, np.uint8)
    worth, order = np.zeros(count, np.int64), np.argsort(-points)
    for game in range(len(rows)):
        row, out = rows[game], hints[game]
        price(row, tracks, own, open_to_me, hand, costs)

        # Tickets of many points come first; each adds the cheapest way beside what is planned already.
        planned[:], worth[:] = 0, 0
        room = np.int64(row[trains_at])
        needed, unfinished, stake, lost = 0, 0, 0, 0
        for ticket in order:
            if not row[held + ticket] or row[completed + ticket]:
                continue
            more = connect(tracks, costs, planned, ends[0, ticket], ends[1, ticket], used, distance, by)
            if more > room:
                lost += points[ticket]
                continue
            room, needed, unfinished, stake = room - more, needed + more, unfinished + 1, stake + points[ticket]
            for track in range(count):
                planned[track] |= used[track]
                worth[track] += used[track] * points[ticket]
        for track in range(count):
            out[track], out[count + track] = planned[track], min(worth[track], MOST)
        at = 2 * count
        gray = count_cards(row, tracks, planned, hand, out[at : at + 2 * KINDS])
        at += 2 * KINDS

        # Each set of tickets on offer: the points it adds, the trains it takes, the points that are out of reach.
        on_offer: Any = 0
        for place in range(offers):
            on_offer |= np.int64(row[offered + place * tickets : offered + (place + 1) * tickets].any()) << place
        for subset in range(1, 1 << offers):
            if subset & ~on_offer:
                continue
            trial[:] = planned
            gain, cost, beyond = 0, 0, 0
            for ticket in order:
                for place in range(offers):
                    if not (subset >> place & 1 and row[offered + place * tickets + ticket]):
                        continue
                    more = connect(tracks, costs, trial, ends[0, ticket], ends[1, ticket], used, distance, by)
                    if more > room - cost:
                        beyond += points[ticket]
                        continue
                    gain, cost, trial[:] = gain + points[ticket], cost + more, trial | used
            for k, number in enumerate((gain, cost, beyond)):
                out[at + 3 * subset + k] = min(number, MOST)
        at += 3 << offers
        for k, number in enumerate((needed, room, 10 * unfinished, stake, lost, gray)):
            out[at + k] = min(number, MOST)


class Hints:
    """What a network could find out by itself, only not in half an hour: which tracks connect the tickets.

    Hints are made from an observation alone, by shortest ways. The network is shown them beside the observation; some
    it also weighs for each action by itself: see `bonus`.
    """

    def __init__(self, edition: Edition) -> None:
        layout = self.layout = layout_of(edition)
        board, at = layout.board(), layout.split(np.arange(layout.size))
        numbers = {part.name: part.names for part in layout.parts}
        plane, column = numbers["tracks"].index, numbers["players"].index
        self.places = np.array(
            [
                at["tracks"][plane("claimed_by_0"), 0], at["tracks"][plane("open_to_me"), 0], *at["tickets"][:3, 0],
                at["hand"][0], at["players"][0, column("trains")],
            ]
        )  # fmt: skip
        features = board["track_features"]
        colours = np.where(features[:, 4] > 0, -1, features[:, 5:].argmax(1))  # gray tracks have none
        self.tracks = np.stack([*board["edge_index"], features[:, 0], colours], axis=1).astype(np.int64)
        self.cities = board["ticket_ends"].shape[2]
        bits = np.uint64(1) << np.arange(self.cities, dtype=np.uint64)
        self.ends = (board["ticket_ends"] * bits).sum(2, dtype=np.uint64)
        self.points = board["ticket_points"]
        sizes = (len(self.tracks), len(self.tracks), KINDS, KINDS, 3 << layout.offers, 6)
        self.count = sum(sizes)
        self.cuts = np.cumsum([0, *sizes]).tolist()
        self.scale = np.repeat(np.array([1, 1 / 20, 1 / 10, 1 / 10, 1 / 20, 1 / 45], np.float32), sizes)
        self.lengths = (self.tracks[:, 2] / 6).astype(np.float32)
        self.bonus_places = self._bonus_places(edition)

    def of(self, rows: Bytes) -> Bytes:
        """Observations with their hints behind them."""
        hints = np.zeros((len(rows), self.count), np.uint8)
        offers, cities = self.layout.offers, self.cities
        find_hints(rows, self.places, self.tracks, self.ends, self.points, offers, cities, hints)
        return np.concatenate([rows, hints], axis=1)

    def _bonus_places(self, edition: Edition) -> Floats:
        """[bonus, action]: 1 where a bonus is for an action."""
        counts = {"track": len(self.tracks), "colour": KINDS, "draw": KINDS, "keep": 1 << self.layout.offers}
        parts = action_set(edition).parts()
        rows = [parts[name] == np.arange(count)[:, np.newaxis] for name, count in counts.items()]
        return np.concatenate(rows).astype(np.float32)

    def bonus(self, scaled: Any, weights: Any, lengths: Any, join: Callable[[list[Any]], Any]) -> Any:
        """A number for each track, colour to pay with, card to draw and set of tickets to keep, by weights that the
        network gives: BONUSES of them.

        The same for NumPy's arrays and PyTorch's tensors; `join` puts theirs side by side.
        """
        planned, worth, lacked, spare, keep, _ = (scaled[:, a:b] for a, b in pairwise(self.cuts))
        w = [weights[:, k : k + 1] for k in range(BONUSES)]
        return join(
            [
                planned * w[0] + worth * w[1] + lengths * w[2],
                lacked * w[3] + spare * w[4],
                lacked * w[5] + spare * w[6],
                keep[:, 0::3] * w[7] + keep[:, 1::3] * w[8] + keep[:, 2::3] * w[9],
            ]
        )


BONUSES = 10


# ---- the network and the bot ----------------------------------------------------------------------------------------
class Policy:
    """The trained network, in NumPy."""

    def __init__(self, file: Path) -> None:
        if not file.is_file():
            raise WhistlestopError(f"there is no file `{file}`", "examples/learn_by_self_play.py makes one")
        with np.load(file) as kept:
            self.edition = str(kept["edition"])
            self.weights = {name: kept[name].astype(np.float32) for name in kept.files if name != "edition"}

    def logits(self, hints: Hints, rows: Bytes) -> Floats:
        """How much it likes each action of the small set, legal or not."""
        seen = hints.of(rows) * np.concatenate([hints.layout.scale, hints.scale])
        hidden = np.maximum(self._layer("first", seen), 0)
        hidden += np.maximum(self._layer("second", hidden), 0)
        answer = self._layer("answer", hidden)
        bonus = hints.bonus(
            seen[:, hints.layout.size :], answer[:, -BONUSES:], hints.lengths, partial(np.concatenate, axis=1)
        )
        return np.asarray(answer[:, :-BONUSES] + bonus @ hints.bonus_places)

    def _layer(self, name: str, shown: Floats) -> Floats:
        return np.asarray(shown @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"])


@lru_cache(maxsize=1)
def policy() -> Policy:
    """The one in WEIGHTS, read once."""
    return Policy(WEIGHTS)


@lru_cache(maxsize=8)
def senses(edition: Edition) -> tuple[Encoding, Hints]:
    """What stands between views and the network, made once for an edition."""
    return Encoding(edition), Hints(edition)


class Learned:
    """Learned to play from nothing but games against itself."""

    def __init__(self) -> None:
        self.policy = policy()
        _, hints = senses(load_edition(self.policy.edition))
        hints.of(np.zeros((1, hints.layout.size), np.uint8))  # compiles it: no decision should have to wait for that

    def act(self, view: View, limit: Limit) -> Action:
        if view.edition.id != self.policy.edition:
            raise WhistlestopError(f"it has learned {self.policy.edition}, not {view.edition.id}")
        encoding, hints = senses(view.edition)
        logits = self.policy.logits(hints, encoding.observation(view)[np.newaxis])[0]
        return encoding.action(view, int(np.where(encoding.mask(view), logits, -np.inf).argmax()))


if __name__ == "__main__":
    print(play("usa", [Learned(), "random"], seed=1).result())
