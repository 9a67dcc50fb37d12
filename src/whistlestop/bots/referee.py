"""Whole games between bots. A bot that fails is named and loses that turn to a random action, never the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from whistlestop.bots import RANDOM, Bot, Limit, bot, thinking_time
from whistlestop.bots.lineup import Entrant, entrant
from whistlestop.errors import WhistlestopError, described
from whistlestop.game import Game
from whistlestop.mapfile import Edition
from whistlestop.notation import Action
from whistlestop.views import View

OVERRUN_GRACE = 0.25
"""Seconds after its limit in which a bot's answer still counts."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An action that a bot failed to give; the random bot chose in its place."""

    seat: int
    action: int
    """Number of the action in the game, from 1, as in `game.history`."""
    reason: str
    """error: it raised, or answered with no action; illegal: the rules forbid its action; overrun: it came too late."""
    detail: str

    def json(self) -> dict[str, object]:
        """The failure as plain data."""
        return {"seat": self.seat, "action": self.action, "reason": self.reason, "detail": self.detail}


def play(
    edition: str | Path | Edition = "usa",
    bots: Sequence[str | Entrant | Bot] = ("casual", "casual"),
    seed: int | None = None,
    limit: Limit | None = None,
    names: Sequence[str] | None = None,
    failures: list[Failure] | None = None,
) -> Game:
    """Play a whole game between bots, given as text or as objects, a seat each. The same seed gives the same game.

    Text is a bot's name, a class in a file, and how long it may think: `casual`, `my_bot.py:MyBot`, `expert:500ms`;
    `limit` is for the others. With a list of `failures` the game goes on when a bot fails: see `finish`.
    """
    if isinstance(bots, str):
        raise TypeError(f"bots are a list with one for each seat, such as [{bots!r}, {bots!r}]")
    seats = [entrant(one) if isinstance(one, str) else one for one in bots]
    game = Game(edition, len(seats), seed, names=seat_names(seats) if names is None else names)
    players = [_seated(one, seat_seed(game.seed, seat), failures is None) for seat, one in enumerate(seats)]
    limits = [one.limit if isinstance(one, Entrant) and one.limit != Limit() else limit or Limit() for one in seats]
    finish(game, players, limits, failures)
    return game


def finish(
    game: Game,
    bots: Sequence[Bot],
    limit: Limit | Sequence[Limit] | None = None,
    failures: list[Failure] | None = None,
) -> None:
    """Let bots play a game to its end from where it stands, with one limit for all or one for each seat.

    What a bot raises comes out, and an illegal action raises, as is best for whoever writes one. With a list of
    `failures` every failure is added to it, a random action is played in that place, and the game goes on. Then time is
    measured too: an answer that comes OVERRUN_GRACE after the limit is a failure. A bot that never answers holds up the
    game for ever, since it thinks in this process; only a process of its own could be ended.
    """
    limits = [limit or Limit()] * len(bots) if limit is None or isinstance(limit, Limit) else limit
    while movers := game.to_move:
        player = movers[0]
        if failures is None:
            game.play(bots[player].act(game.view(player), limits[player]), player)
            continue
        answer = _answer(game, player, bots[player], limits[player])
        if isinstance(answer, Failure):
            failures.append(answer)
            answer = _fallback(game, player)
        game.play(answer, player)


def _answer(game: Game, player: int, asked: Bot, limit: Limit) -> Action | Failure:
    """A legal action that a bot gave in time, or its failure."""
    number, view, began = len(game.history) + 1, game.view(player), thinking_time()
    try:
        answer = asked.act(view, limit)
    except (Exception, SystemExit) as error:  # SystemExit too: whatever a bot does, the game goes on
        return Failure(player, number, "error", described(error))
    seconds = thinking_time() - began
    if not isinstance(answer, Action):
        return Failure(player, number, "error", f"an answer of type {type(answer).__name__}, not an Action")
    try:
        game.find(answer, player)
    except (ValueError, TypeError) as error:
        return Failure(player, number, "illegal", str(error))
    if limit.seconds is not None and seconds > limit.seconds + OVERRUN_GRACE:
        return Failure(player, number, "overrun", f"{seconds:.2f} s instead of {limit.seconds:g} s")
    return answer


def _fallback(game: Game, player: int) -> Action:
    """A random action, made from the game's seed: the same failures give the same game."""
    seed = Random(f"fallback {game.seed} {player} {len(game.history)}").getrandbits(63)
    return bot(RANDOM, seed).act(game.view(player), Limit())


def _seated(one: Entrant | Bot, seed: int, strict: bool) -> Bot:
    """The bot of a seat; where failures are reported, one that cannot be made fails at every turn."""
    if not isinstance(one, Entrant):
        return one
    try:
        return one.make(seed)
    except WhistlestopError as error:
        if strict:
            raise
        return _Unmade(error)


class _Unmade:
    """Sits where a bot should: its error is the answer to everything."""

    def __init__(self, error: WhistlestopError) -> None:
        self._error = error

    def act(self, view: View, limit: Limit) -> Action:  # noqa: ARG002
        """Say why there is no bot."""
        raise self._error


def seat_seed(seed: int, seat: int) -> int:
    """The seed of the bot on a seat, made from the game's seed; its random numbers are not those of the game."""
    return Random(f"bot {seed} {seat}").getrandbits(63)


def seat_names(bots: Sequence[str | Entrant | Bot]) -> list[str]:
    """A name for each seat: the bot's, numbered where there are several of one name."""
    plain = [_label(one) for one in bots]
    return [
        name if plain.count(name) == 1 else f"{name} {plain[: seat + 1].count(name)}" for seat, name in enumerate(plain)
    ]


def _label(one: str | Entrant | Bot) -> str:
    one = entrant(one) if isinstance(one, str) else one
    return one.label if isinstance(one, Entrant) else type(one).__name__
