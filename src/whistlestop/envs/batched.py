"""Many games of one edition at once, for learners: NumPy arrays in, NumPy arrays out, nothing copied."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from whistlestop.bots import RANDOM, Bot, Limit, bot, check_bot
from whistlestop.bots.planner.mind import MIND
from whistlestop.bots.planner.parameters import parameters_for
from whistlestop.engine import doors
from whistlestop.engine.layout import NETWORK, NONE, OVER, STATE
from whistlestop.engine.tables import tables_of
from whistlestop.envs.choices import ActionSet, action_set
from whistlestop.envs.kernels import stepping
from whistlestop.envs.kernels.episodes import fresh_episodes
from whistlestop.envs.parts import ObservationLayout, layout_of
from whistlestop.errors import IllegalAction, WhistlestopError
from whistlestop.mapfile import Edition, load_edition
from whistlestop.views import View

REWARDS = ("win", "margin", "points", "tickets")
"""What a reward is made of, as docs/envs/README.md tells it."""
REWARDS_AT_END = REWARDS[:2]
"""Those of them that come when a game is over and are 0 before."""
ACTION_SETS = ("small", "full")
SEATS = {RANDOM: stepping.RANDOM_SEAT, "planner": stepping.PLANNER_SEAT}
"""Opponents that play inside the compiled loop."""
MAX_STEPS = 5000
"""Actions of all players after which a game is cut off: ten times as many as long games have."""
GAMES_A_THREAD = 1024
"""With fewer, another thread costs more than it brings; whoever asks for it gets it."""


@dataclass(frozen=True)
class BatchSnapshot:
    """All games of a batched environment at one moment."""

    states: npt.NDArray[Any]
    episodes: npt.NDArray[Any]
    minds: npt.NDArray[Any]
    points: npt.NDArray[np.int64]
    won: npt.NDArray[np.bool_]
    seed: int


def position_in(names: Sequence[str], name: str, what: str) -> int:
    """The place of a word in a list of words; says which there are if it is none of them."""
    if name not in names:
        raise WhistlestopError(f"{name!r} is no {what}", f"it is one of {', '.join(names)}")
    return tuple(names).index(name)


class BatchedEnv:
    """`games` games of one edition, stepped together in compiled code over several threads.

    After `reset` and `step` the arrays `observations`, `masks`, `rewards`, `terminated`, `truncated` and `players` tell
    about every game; they are the same arrays all the time. Without opponents each step is a decision of the player in
    `players`; with opponents the caller has seat 0 and sees that player's decisions only. `random` and `planner` play
    inside the compiled loop; any other bot plays too, at its own pace.
    """

    def __init__(
        self,
        edition: str | Edition,
        games: int,
        *,
        players: int | None = None,
        opponents: Sequence[str] = (),
        actions: str = "small",
        rewards: str = "win",
        seed: int = 0,
        threads: int | None = None,
        auto_reset: bool = True,
        max_steps: int = MAX_STEPS,
    ) -> None:
        self.edition = load_edition(edition) if isinstance(edition, str) else edition
        self.player_count = players if players is not None else len(opponents) + 1 if opponents else 2
        self.edition.check_players(self.player_count)
        if opponents and len(opponents) != self.player_count - 1:
            raise WhistlestopError(f"{self.player_count} players need {self.player_count - 1} opponents")
        if games < 1:
            raise WhistlestopError(f"there must be at least one game, not {games}")
        self.opponents = tuple(opponents)
        self.layout: ObservationLayout = layout_of(self.edition)
        self.actions: ActionSet = action_set(self.edition, position_in(ACTION_SETS, actions, "set of actions") == 0)
        self.auto_reset, self.max_steps = auto_reset, max_steps
        wanted = threads if threads is not None else min(os.cpu_count() or 1, games // GAMES_A_THREAD)
        self.threads = max(1, min(wanted, games))
        self._reward_kind = position_in(REWARDS, rewards, "kind of reward")
        self._tables, self._choices = tables_of(self.edition), self.actions.tables
        self._seats = np.array([stepping.LEARNER, *(_seat(name) for name in opponents)], np.int64)
        if not opponents:
            self._seats = np.zeros(self.player_count, np.int64)
        self._states, self._episodes = np.zeros(games, STATE), fresh_episodes(games)
        self._nets = np.zeros(self.threads, NETWORK)
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None
        self._in_parts = any(name != RANDOM for name in opponents)
        self._compiled = all(name in SEATS for name in opponents)
        self._minds = np.zeros(games if self._in_parts and self._compiled else 0, MIND)
        self._bots: dict[tuple[int, int, int], Bot] = {}
        self._all, self._meant = np.ones(games, np.bool_), np.zeros(games, np.int64)
        self._seed = np.uint64(0)
        self.observations = np.zeros((games, self.layout.size), np.uint8)
        """[game]: what the player to move may know; `layout` tells the parts."""
        self.masks = np.zeros((games, self.actions.count), np.bool_)
        """[game, action]: whether the player to move may do this."""
        self.rewards = np.zeros((games, self.player_count), np.float32)
        """[game, player]: what the last step brought."""
        self.terminated = np.zeros(games, np.bool_)
        """[game]: whether the last step ended it."""
        self.truncated = np.zeros(games, np.bool_)
        """[game]: whether it was cut off after `max_steps`."""
        self.players = np.zeros(games, np.int64)
        """[game]: the player to move."""
        self.points = np.zeros((games, self.player_count), np.int64)
        """[game, player]: the final points of the last game that ended here."""
        self.won = np.zeros((games, self.player_count), np.bool_)
        """[game, player]: who won it."""
        self.reset(seed)

    @property
    def games(self) -> int:
        """How many games are played at once."""
        return len(self._states)

    # ---- arrays of the caller -------------------------------------------------------------------------------------
    def use(self, **arrays: npt.NDArray[Any]) -> None:
        """Write into arrays of the caller from now on, by name: `env.use(observations=mine, rewards=mine_too)`."""
        for name, array in arrays.items():
            own = getattr(self, name, None)
            if name.startswith("_") or not isinstance(own, np.ndarray):
                raise WhistlestopError(f"there is no array {name!r}", "observations, masks, rewards, terminated, …")
            if array.shape != own.shape or array.dtype != own.dtype or not array.flags.c_contiguous:
                raise WhistlestopError(f"{name} must be a contiguous array of {own.dtype} with shape {own.shape}")
            array[...] = own
            setattr(self, name, array)

    # ---- playing --------------------------------------------------------------------------------------------------
    def reset(self, seed: int | None = None) -> npt.NDArray[np.uint8]:
        """New games everywhere. Game i begins by the seed `seed + i`, the next one in its place by `seed + games + i`.

        Without a seed, the games go on from those before.
        """
        if seed is not None:
            self._seed = np.uint64(seed)
            self._episodes["number"] = np.arange(self.games)
        else:
            self._episodes["number"] += np.uint64(self.games)
        self._begin(self._all)
        self.rewards[:], self.terminated[:], self.truncated[:] = 0, False, False
        self._show()
        return self.observations

    def step(self, actions: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        """Play one action in every game; the arrays tell what came of it. If any is not legal nothing is changed."""
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.games,):
            raise WhistlestopError(f"there must be one action for each of {self.games} games, not {chosen.shape}")
        if self._in_parts or self._pool is not None:  # no game may go on before all are checked
            self._refuse(chosen, self._spread_out(partial(self._check, chosen)))
        if self._in_parts:
            self._step_in_parts()
        else:
            self._refuse(chosen, self._spread_out(partial(self._step, chosen)))
        return self.observations

    def _refuse(self, chosen: npt.NDArray[np.int64], found: Sequence[int]) -> None:
        """Raise for the first game with an illegal action, if there is one."""
        for game in found:
            if game != NONE:
                raise IllegalAction(
                    f"action {chosen[game]} is not legal in game {game}", "choose where `masks` of the game is True"
                )

    def _check(self, chosen: npt.NDArray[np.int64], begin: int, end: int, _nets: npt.NDArray[Any]) -> int:
        return int(stepping.check_games(begin, end, self._states, self._tables, self._choices, chosen, self._meant))

    def _step(self, chosen: npt.NDArray[np.int64], begin: int, end: int, nets: npt.NDArray[Any]) -> int:
        wrong = stepping.step_games(
            begin, end, self._states, self._tables, nets, self._choices, self._episodes, self._seats, self._seed,
            self._reward_kind, self.max_steps, self.auto_reset, self.layout.offers, self._pool is None, chosen,
            self._meant, self.observations, self.masks, self.rewards, self.terminated, self.truncated, self.players,
            self.points, self.won,
        )  # fmt: skip
        return int(wrong)

    def _step_in_parts(self) -> None:
        self._spread_out(
            lambda begin, end, _nets: stepping.act_in_games(
                begin, end, self._states, self._tables, self._episodes, self._meant
            )
        )
        self._answer(self._all)
        self._spread_out(
            lambda begin, end, nets: stepping.settle_games(
                begin, end, self._states, self._tables, nets, self._episodes, self._reward_kind, self.max_steps,
                self.rewards, self.terminated, self.truncated, self.points, self.won,
            )
        )  # fmt: skip
        ended = self.terminated | self.truncated
        if self.auto_reset and ended.any():
            self._episodes["number"][ended] += np.uint64(self.games)
            self._begin(ended)
        self._show()

    def _begin(self, which: npt.NDArray[np.bool_]) -> None:
        seats = np.zeros_like(self._seats) if self._in_parts else self._seats  # in parts, all seats answer below
        stepping.begin_games(which, self._states, self._tables, self._episodes, seats, self._seed)
        if self._in_parts:
            self._answer(which)

    def _answer(self, which: npt.NDArray[np.bool_]) -> None:
        """Let the opponents act where it is their turn."""
        if not self._compiled:
            for game in np.flatnonzero(which):
                self._answer_in_python(int(game))
            return
        from whistlestop.envs.kernels.planner_seats import answer_games

        tempers = parameters_for(self.edition, self.player_count)[np.newaxis]
        self._spread_out(
            lambda begin, end, _nets: answer_games(
                begin, end, which, self._states, self._tables, self._minds, tempers, self._episodes, self._seats,
                self._meant, True,
            )
        )  # fmt: skip

    def _answer_in_python(self, game: int) -> None:
        """The same by bots as they are at a table: any bot, at its own pace."""
        state, episode = self._states[game : game + 1], self._episodes[game]
        while state["phase"][0] != OVER and (player := int(state["player"][0])):
            key = (game, player, int(episode["number"]))
            if key not in self._bots:
                self._bots = {kept: one for kept, one in self._bots.items() if kept[:2] != key[:2]}
                self._bots[key] = bot(self.opponents[player - 1], int(self._seed) + key[2])
            action = self._bots[key].act(self.view_of(game, player), Limit())
            doors.step(state, 0, self._tables, action.id, doors.new_log())
            episode["steps"] += 1

    def _show(self) -> None:
        self._spread_out(
            lambda begin, end, _nets: stepping.show_games(
                begin, end, self._states, self._tables, self._choices, self._episodes, self.layout.offers,
                self.observations, self.masks, self.players,
            )
        )  # fmt: skip

    def _spread_out(self, job: Callable[[int, int, npt.NDArray[Any]], Any]) -> list[Any]:
        """Do a job for all games, a share of them on each thread, the first on this one; what each came to."""
        if self._pool is None:
            return [job(0, self.games, self._nets)]
        shares = [self.games * k // self.threads for k in range(self.threads + 1)]
        running = [
            self._pool.submit(job, shares[k], shares[k + 1], self._nets[k : k + 1]) for k in range(1, self.threads)
        ]
        first = job(0, shares[1], self._nets[:1])
        return [first, *(one.result() for one in running)]

    # ---- chance and copies ----------------------------------------------------------------------------------------
    def snapshot(self) -> BatchSnapshot:
        """All games as they are now, to come back to."""
        return BatchSnapshot(
            self._states.copy(), self._episodes.copy(), self._minds.copy(), self.points.copy(), self.won.copy(),
            int(self._seed),
        )  # fmt: skip

    def restore(self, snapshot: BatchSnapshot) -> npt.NDArray[np.uint8]:
        """Go back to a snapshot, also of another environment of the same kind. The same actions then do the same."""
        if snapshot.states.shape != self._states.shape or snapshot.minds.shape != self._minds.shape:
            raise WhistlestopError("the snapshot is of another kind of environment")
        self._states[:], self._episodes[:], self._minds[:] = snapshot.states, snapshot.episodes, snapshot.minds
        self.points[:], self.won[:], self._seed = snapshot.points, snapshot.won, np.uint64(snapshot.seed)
        self.rewards[:], self.terminated[:], self.truncated[:] = 0, False, False
        self._show()
        return self.observations

    def clone(self) -> BatchedEnv:
        """Another environment with the same games, which goes its own way from here."""
        copy = BatchedEnv(
            self.edition, self.games, players=self.player_count, opponents=self.opponents,
            actions=ACTION_SETS[0 if self.actions.small else 1], rewards=REWARDS[self._reward_kind],
            threads=self.threads, auto_reset=self.auto_reset, max_steps=self.max_steps,
        )  # fmt: skip
        copy.restore(self.snapshot())
        return copy

    def determinize(self, seed: int) -> None:
        """Each game becomes a world that its player to move thinks possible, with chance of its own: for searches.

        Observations and masks stay as they are.
        """
        stepping.redeal_games(self._states, self._tables, np.uint64(seed))
        if len(self._minds):
            from whistlestop.envs.kernels.planner_seats import forget_plans

            forget_plans(self._minds)
        self._show()

    def view(self, game: int) -> View:
        """What the player to move in a game may know, in words."""
        return self.view_of(game, int(self.players[game]))

    def observe(self, game: int, player: int) -> npt.NDArray[np.uint8]:
        """What any player may know of a game, as a row of bytes of its own."""
        row = np.zeros((1, self.layout.size), np.uint8)
        one = slice(game, game + 1)
        stepping.observe_game(self._states[one], self._tables, self._episodes[one], player, self.layout.offers, row)
        return row.reshape(-1)

    def view_of(self, game: int, player: int) -> View:
        """What any player may know of a game, in words."""
        states = self._states[game : game + 1].copy()
        doors.redact(states, 0, self._tables, player)
        return View(self.edition, states, player, [f"Player {i + 1}" for i in range(self.player_count)])

    def true_states(self, game: int) -> npt.NDArray[Any]:
        """The whole state of a game, secrets and all: for referees and tests, never for a player."""
        return self._states[game : game + 1].copy()

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __repr__(self) -> str:
        return f"BatchedEnv({self.edition.id!r}, {self.games}, players={self.player_count}, opponents={self.opponents})"


def _seat(name: str) -> int:
    check_bot(name)
    return SEATS.get(name, stepping.OTHER_SEAT)
