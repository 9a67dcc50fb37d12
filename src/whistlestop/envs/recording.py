"""Games of bots, decision by decision: what each player saw, might do and did, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from whistlestop.bots import Bot, Limit
from whistlestop.bots.lineup import Entrant, entrant
from whistlestop.bots.planner.mind import MIND
from whistlestop.bots.planner.parameters import parameters_for
from whistlestop.bots.referee import Failure, finish, seat_seed
from whistlestop.engine.doors import Array
from whistlestop.engine.layout import NETWORK, OVER, STATE
from whistlestop.engine.tables import tables_of
from whistlestop.envs.batched import MAX_STEPS, SEATS
from whistlestop.envs.choices import ActionSet, action_set
from whistlestop.envs.encoding import Encoding
from whistlestop.envs.kernels import stepping
from whistlestop.envs.kernels.episodes import fresh_episodes
from whistlestop.envs.parts import layout_of
from whistlestop.game import Game
from whistlestop.mapfile import Edition
from whistlestop.notation import Action
from whistlestop.views import View


@dataclass(frozen=True)
class Recording:
    """Decisions of some games, game after game; all arrays have a row for each decision."""

    game: Array
    """The seed of the game."""
    step: Array
    """How many actions came before in the game, of all players."""
    player: Array
    observation: Array
    """Flat: `layout_of(edition).split` gives the parts."""
    mask: Array
    """Packed to bits, the lowest first: `np.unpackbits(mask, axis=1, count=…, bitorder="little")`."""
    action: Array
    """What was chosen, in the set of actions."""
    full_action: Array
    """The engine's number of what was played."""
    points: Array
    """What the player had in the end."""
    margin: Array
    """Points ahead of the best of the others, in the end."""
    won: Array
    reward: Array
    """The reward `win` at the end of the game."""
    failures: tuple[tuple[int, Failure], ...] = ()
    """Seeds of games with what bots failed to do there; a random action stands in that place."""


def record(edition: Edition, bots: Sequence[str], seeds: range, *, small: bool = True) -> Recording:
    """Play a game for each seed between bots, a text for each seat. `random` and `planner` play in compiled code."""
    edition.check_players(len(bots))
    actions = action_set(edition, small)
    if all(text in SEATS for text in bots):
        return _compiled(edition, bots, seeds, actions)
    return _by_referee(edition, [entrant(text) for text in bots], seeds, actions)


def packed(masks: Array) -> Array:
    """Masks as bits, the lowest first."""
    return np.packbits(masks, axis=-1, bitorder="little")


# ---- bots with kernels ----------------------------------------------------------------------------------------------
def _compiled(edition: Edition, bots: Sequence[str], seeds: range, actions: ActionSet) -> Recording:
    """All games at once, an action in each, until the last one is over."""
    games, players, layout, tables = len(seeds), len(bots), layout_of(edition), tables_of(edition)
    states, episodes = np.zeros(games, STATE), fresh_episodes(games)
    episodes["number"] = np.arange(games)
    running = np.ones(games, np.bool_)
    stepping.begin_games(running, states, tables, episodes, np.zeros(players, np.int64), np.uint64(seeds.start))
    observations, masks = np.zeros((games, layout.size), np.uint8), np.zeros((games, actions.count), np.bool_)
    movers, chosen = np.zeros(games, np.int64), np.zeros(games, np.int64)
    decide = _decider(edition, bots, states, episodes, chosen)
    seen: list[tuple[Array, ...]] = []
    while len(which := np.flatnonzero(running)):
        stepping.show_games(
            0, games, states, tables, actions.tables, episodes, layout.offers, observations, masks, movers
        )
        decide(running)
        played = chosen[which]
        seen.append((which, movers[which], observations[which], packed(masks[which]), played))
        stepping.act_in_games(0, games, states, tables, episodes, chosen)
        running = states["phase"] != OVER
    rewards, points = np.zeros((games, players), np.float32), np.zeros((games, players), np.int64)
    ended, won = np.zeros((2, games), np.bool_), np.zeros((games, players), np.bool_)
    stepping.settle_games(
        0, games, states, tables, np.zeros(1, NETWORK), episodes, stepping.BY_WIN, MAX_STEPS, rewards, ended[0],
        ended[1], points, won,
    )  # fmt: skip
    steps = np.concatenate([np.full(len(which), step) for step, (which, *_) in enumerate(seen)])
    columns = [np.concatenate(column) for column in zip(*seen, strict=True)]
    order = np.argsort(columns[0], kind="stable")
    which, mover, rows, bits, full = (column[order] for column in columns)
    return _recording(seeds, steps[order], which, mover, rows, bits, full, actions, points, won, rewards)


def _decider(edition: Edition, bots: Sequence[str], states: Array, episodes: Array, chosen: Array) -> Any:
    """What puts the next action of every game into `chosen`."""
    games, tables = len(states), tables_of(edition)
    if all(SEATS[text] == stepping.RANDOM_SEAT for text in bots):
        return lambda _running: stepping.decide_at_random(0, games, states, tables, episodes, chosen)
    from whistlestop.envs.kernels.planner_seats import answer_games

    minds, tempers = np.zeros(games, MIND), parameters_for(edition, len(bots))[np.newaxis]
    seats = np.array([SEATS[text] for text in bots], np.int64)
    return lambda running: answer_games(
        0, games, running, states, tables, minds, tempers, episodes, seats, chosen, False
    )


# ---- any bots -------------------------------------------------------------------------------------------------------
class _Watched:
    """A bot of which is noted what it is shown."""

    def __init__(self, asked: Bot, encoding: Encoding, seen: list[tuple[int, Array, Array]]) -> None:
        self._asked, self._encoding, self._seen = asked, encoding, seen

    def act(self, view: View, limit: Limit) -> Action:
        """The bot's own answer."""
        self._seen.append((view.player, self._encoding.observation(view), packed(self._encoding.mask(view))))
        return self._asked.act(view, limit)


def _by_referee(edition: Edition, bots: Sequence[Entrant], seeds: range, actions: ActionSet) -> Recording:
    """Game after game by the referee, who asks bots in Python and puts up with their failures."""
    encoding, players = Encoding(edition, small=actions.small), len(bots)
    seen: list[tuple[int, Array, Array]] = []
    steps: list[int] = []
    numbers: list[int] = []
    full: list[int] = []
    failures: list[tuple[int, Failure]] = []
    points, won = np.zeros((len(seeds), players), np.int64), np.zeros((len(seeds), players), np.bool_)
    rewards = np.zeros((len(seeds), players), np.float32)
    for number, seed in enumerate(seeds):
        game, found = Game(edition, players, seed), list[Failure]()
        seated = [_Watched(one.make(seat_seed(seed, seat)), encoding, seen) for seat, one in enumerate(bots)]
        finish(game, seated, [one.limit for one in bots], found)
        failures += [(seed, failure) for failure in found]
        steps += range(len(game.history))
        numbers += [number] * len(game.history)
        full += [move.action.id for move in game.history]
        result = game.result()
        points[number] = [player.total for player in result.players]
        won[number] = [player in result.winners for player in range(players)]
        rewards[number] = (won[number] / won[number].sum() * players - 1) / (players - 1)
    mover, rows, bits = (np.array(column) for column in zip(*seen, strict=True))
    which = np.array(numbers)
    return _recording(
        seeds, np.array(steps), which, mover, rows, bits, np.array(full), actions, points, won, rewards, tuple(failures)
    )


# ---- both -----------------------------------------------------------------------------------------------------------
def _recording(
    seeds: range,
    steps: Array,
    which: Array,
    mover: Array,
    rows: Array,
    bits: Array,
    full: Array,
    actions: ActionSet,
    points: Array,
    won: Array,
    rewards: Array,
    failures: tuple[tuple[int, Failure], ...] = (),
) -> Recording:
    """Decisions with the end of their games."""
    others = np.where(np.eye(points.shape[1], dtype=bool), np.iinfo(np.int64).min, points[:, np.newaxis]).max(2)
    return Recording(
        game=(which + seeds.start).astype(np.int64),
        step=steps.astype(np.int32),
        player=mover.astype(np.int8),
        observation=rows,
        mask=bits,
        action=(actions.small_of[full] if actions.small else full).astype(np.int16),
        full_action=full.astype(np.int16),
        points=points[which, mover].astype(np.int16),
        margin=(points - others)[which, mover].astype(np.int16),
        won=won[which, mover],
        reward=rewards[which, mover],
        failures=failures,
    )
