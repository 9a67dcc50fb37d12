"""The game for OpenSpiel: importing this module registers `python_whistlestop`.

Everything that a state is made of are the bytes of the engine's state, so clones and pickles are cheap. What chance
gives is a node of its own: after the deal and after each action that draws something. There are more ways than could be
listed, so that a node lists OUTCOMES of them, each as likely, as branches of the game's chance stream.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.hidden import SPECTATOR
from whistlestop.engine.tables import tables_of
from whistlestop.envs.batched import ACTION_SETS, MAX_STEPS, REWARDS, position_in
from whistlestop.envs.encoding import Encoding
from whistlestop.envs.extras import needed
from whistlestop.envs.kernels import stepping
from whistlestop.envs.kernels.episodes import fresh_episodes
from whistlestop.envs.rendering import text_of
from whistlestop.mapfile import Edition, load_edition
from whistlestop.views import View, state_of

with needed("openspiel"):
    import pyspiel

OUTCOMES = 256
"""Of a chance node."""
DEAL_NODES = 3
"""Chance nodes of the deal: each gives one digit of its seed."""

DEFAULTS: dict[str, Any] = {"edition": "usa", "players": 2, "actions": "small"}
"""What can be chosen when the game is loaded."""

GAME_TYPE = pyspiel.GameType(
    short_name="python_whistlestop",
    long_name="Whistlestop",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=lay.MAX_PLAYERS,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


class WhistlestopGame(pyspiel.Game):  # type: ignore[misc]
    """One edition for a number of players: `pyspiel.load_game("python_whistlestop(edition=europe,players=3)")`."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = DEFAULTS | dict(params or {})
        self.edition: Edition = load_edition(given["edition"])
        self.edition.check_players(given["players"])
        self.encoding = Encoding(self.edition, small=position_in(ACTION_SETS, given["actions"], "set of actions") == 0)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.actions.count,
            max_chance_outcomes=OUTCOMES,
            num_players=given["players"],
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAX_STEPS,
        )
        super().__init__(GAME_TYPE, info, given)

    def new_initial_state(self) -> WhistlestopState:
        """Before the deal, which chance makes."""
        return WhistlestopState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The deal's, and one for every action."""
        return DEAL_NODES + MAX_STEPS

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What a player may know of a state; nothing is to be set about it."""
        if params:
            raise ValueError(f"observations take no parameters: {params}")
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            raise ValueError("an observation is what can be known now, without what was seen before")
        return Observer(self)


class WhistlestopState(pyspiel.State):  # type: ignore[misc]
    """A game that stands somewhere. What is not in its attributes is in `game`, which all states share."""

    def __init__(self, game: WhistlestopGame) -> None:
        super().__init__(game)
        self._digits: list[int] = []
        """Outcomes of the deal's chance nodes so far."""
        self._state = b""
        """The engine's state; nothing before the deal."""
        self._waiting = lay.NONE
        """An action that waits for what chance gives, or NONE."""
        self._steps = 0

    # ---- OpenSpiel's own --------------------------------------------------------------------------------------------
    def current_player(self) -> int:
        """Who is to move: a player, chance, or nobody at the end."""
        if not self._state or self._waiting != lay.NONE:
            return int(pyspiel.PlayerId.CHANCE)
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(self.states()["player"][0])

    def is_terminal(self) -> bool:
        """Whether the game is over or was cut off."""
        return bool(self._state) and (self._steps >= MAX_STEPS or self.states()["phase"][0] == lay.OVER)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """All outcomes of a chance node, each as likely."""
        return _EVEN

    def returns(self) -> list[float]:
        """What each player has won at the end: the reward `win` of docs/envs/README.md."""
        players = self.num_players()
        rewards, points = np.zeros((1, players), np.float32), np.zeros((1, players), np.int64)
        if not self.is_terminal() or self._waiting != lay.NONE:
            return [0.0] * players
        flags, won = np.zeros((2, 1), np.bool_), np.zeros((1, players), np.bool_)
        stepping.settle_games(
            0, 1, self.states(), self._tables(), np.zeros(1, lay.NETWORK), fresh_episodes(1), REWARDS.index("win"),
            MAX_STEPS, rewards, flags[0], flags[1], points, won,
        )  # fmt: skip
        if not rewards.any():  # cut off, or won by all
            return [0.0] * players
        share = won[0] / won.sum()  # in 64 bits: a third of 32 bits would not sum to 0
        return [(players * float(part) - 1) / (players - 1) for part in share]

    def _legal_actions(self, player: int) -> list[int]:
        encoding = self.get_game().encoding
        if player != self.current_player():
            return []
        mask = np.zeros((1, encoding.actions.count), np.bool_)
        stepping.mask_game(self.states(), self._tables(), encoding.actions.tables, mask)
        return [int(action) for action in np.flatnonzero(mask[0])]

    def _apply_action(self, action: int) -> None:
        if not self._state:
            self._digits = [*self._digits, action]
            if len(self._digits) == DEAL_NODES:
                self._deal()
        elif self._waiting != lay.NONE:
            states = self.states()
            states["rng"] = _branch(int(states["rng"][0]), action)
            self._play(states, self._waiting)
        else:
            encoding, states = self.get_game().encoding, self.states()
            full = encoding.full(states, action)
            before = self._state
            if self._play(states, full):
                self._state, self._waiting, self._steps = before, full, self._steps - 1

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        game = self.get_game()
        if player != self.current_player() or action not in self._legal_actions(player):
            return f"action {action}"
        return str(game.encoding.action(_view(game.edition, self._state, player), action))

    def __str__(self) -> str:
        if not self._state:
            return f"deal {self._digits}"
        digest = hashlib.blake2b(self._state, digest_size=8).hexdigest()
        text = text_of(_view(self.get_game().edition, self._state, SPECTATOR))
        return f"{text}\n{digest} {self._waiting} {self._steps}"

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> WhistlestopState:
        """A state that a player, who has to act, thinks possible: what is hidden from that player is dealt anew."""
        if self._waiting != lay.NONE or not self._state:
            raise ValueError("a world can be dealt where a player is to move, not where chance is")
        world, states = self.clone(), self.states()
        doors.redact(states, 0, self._tables(), player)
        doors.determinize(
            states, 0, self._tables(), player, np.uint64(int(sampler() * 2**53)), np.zeros(lay.WORDS, np.uint64)
        )
        world._state = states.tobytes()
        return world  # type: ignore[no-any-return]

    # ---- the engine's -----------------------------------------------------------------------------------------------
    def states(self) -> npt.NDArray[Any]:
        """The engine's state as an array of one, to be read and changed; all secrets are in it."""
        return state_of(self._state)

    def view(self, player: int) -> View:
        """What a player may know, in words."""
        return _view(self.get_game().edition, self._state, player)

    def observation(self, player: int) -> npt.NDArray[np.uint8]:
        """What a player may know, as the other environments show it; zeros before the deal."""
        encoding = self.get_game().encoding
        row = np.zeros((1, encoding.layout.size), np.uint8)
        if self._state:
            stepping.observe_game(self.states(), self._tables(), fresh_episodes(1), player, encoding.layout.offers, row)
        return row.reshape(-1)

    def _tables(self) -> Any:
        return tables_of(self.get_game().edition)

    def _deal(self) -> None:
        seed = sum(digit * OUTCOMES**place for place, digit in enumerate(self._digits))
        states = np.zeros(1, lay.STATE)
        doors.new_game(states, 0, self._tables(), self.num_players(), lay.NONE, doors.seed_words(seed), doors.new_log())
        self._state = states.tobytes()

    def _play(self, states: npt.NDArray[Any], full: int) -> bool:
        """Play an action; whether chance had a hand in it."""
        log = doors.new_log()
        doors.step(states, 0, self._tables(), full, log)
        self._state, self._waiting, self._steps = states.tobytes(), lay.NONE, self._steps + 1
        return bool(log[lay.LOG_COUNT])


class Observer:
    """Observations as numbers from 0 to 1, whole (`tensor`) and by parts (`dict`), and as text."""

    def __init__(self, game: WhistlestopGame) -> None:
        self._layout = game.encoding.layout
        self._scale = self._layout.scale
        self.tensor = np.zeros(self._layout.size, np.float32)
        self.dict = self._layout.split(self.tensor)

    def set_from(self, state: WhistlestopState, player: int) -> None:
        """Show what a player may know of a state."""
        np.multiply(state.observation(player), self._scale, out=self.tensor)

    def string_from(self, state: WhistlestopState, player: int) -> str:
        """The same as text: the entries of each part that are not 0."""
        parts = self._layout.split(state.observation(player))
        return "\n".join(
            f"{name}: " + " ".join(f"{place}={part.flat[place]}" for place in np.flatnonzero(part))
            for name, part in parts.items()
        )


_EVEN = [(outcome, 1 / OUTCOMES) for outcome in range(OUTCOMES)]


def _branch(stream: int, outcome: int) -> int:
    """Where the chance stream goes on after an outcome."""
    digest = hashlib.blake2b(stream.to_bytes(8, "little") + outcome.to_bytes(2, "little"), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1 | 1  # as in `seeded` of engine/bits.py: away from the fixed points


@lru_cache(maxsize=16)
def _view(edition: Edition, state: bytes, player: int) -> View:
    """What a player may know; kept for a moment, since OpenSpiel asks for one action's words after another."""
    states = state_of(state)
    names = [f"Player {i + 1}" for i in range(int(states["players"][0]))]
    doors.redact(states, 0, tables_of(edition), player)
    return View(edition, states, player, names)


pyspiel.register_game(GAME_TYPE, WhistlestopGame)
