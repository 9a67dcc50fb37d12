"""Outcomes of chance: an action run on the game's own chance or on a script, and what is wrong with a script."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.errors import ImpossibleOutcome
from whistlestop.notation import card_named
from whistlestop.spelling import many
from whistlestop.views import state_of

Act = Callable[[doors.Array, doors.Array], object]
"""Something that changes a state and asks chance: `act(states, log)`."""
Outcomes = Iterable[int | str]
"""Outcomes as people write them: cards by name, or raw numbers."""
_ROOM = 512


def parse_outcomes(outcomes: Outcomes, names: Sequence[str]) -> list[int]:
    """Written outcomes as numbers; `names` are the cards, or nothing where chance shuffles tickets."""
    if isinstance(outcomes, str) or not isinstance(outcomes, Iterable):
        example = [names[0]] if names else [0]
        raise TypeError(f"outcomes are a list, such as {example}, not {outcomes!r}")
    return [_parse(place, outcome, names) for place, outcome in enumerate(outcomes, 1)]


def _parse(place: int, outcome: object, names: Sequence[str]) -> int:
    if isinstance(outcome, str) and names:
        return names.index(card_named(outcome))
    if isinstance(outcome, bool | np.bool_) or not isinstance(outcome, int | np.integer):
        wanted = "a card by name or a number" if names else "a number, the place in what is left of the shuffle"
        raise TypeError(f"outcome {place} is {wanted}, not {outcome!r}")
    return int(outcome)


def run(act: Act, before: bytes, script: Sequence[int] | None = None, names: Sequence[str] = ()) -> tuple[
    doors.Array, tuple[int, ...]
]:  # fmt: skip
    """Run an act on a copy of a state, by the state's own chance or by a script: the new state and the outcomes."""
    if script is None:
        return _drawn(act, before)
    states, log = _scripted(act, before, script)
    if log[lay.LOG_SCRIPTED] == lay.BAD_SCRIPT or log[lay.LOG_COUNT] != len(script):
        raise _impossible(act, before, script, names, log)
    return states, tuple(script)


def _drawn(act: Act, before: bytes, room: int = _ROOM) -> tuple[doors.Array, tuple[int, ...]]:
    states, log = state_of(before), doors.new_log(room)
    act(states, log)
    n = int(log[lay.LOG_COUNT])
    if n > room:  # once more, with room enough
        return _drawn(act, before, n)
    return states, tuple(log[lay.LOG_FIRST : lay.LOG_FIRST + n].tolist())


def _scripted(act: Act, before: bytes, script: Sequence[int]) -> tuple[doors.Array, doors.Array]:
    states, log = state_of(before), doors.new_log(len(script) + 1)
    log[lay.LOG_SCRIPTED] = len(script) + 1
    log[lay.LOG_FIRST : lay.LOG_FIRST + len(script)] = [min(max(outcome, -1), lay.MAX_TICKETS) for outcome in script]
    act(states, log)
    return states, log


def _impossible(
    act: Act, before: bytes, script: Sequence[int], names: Sequence[str], log: doors.Array
) -> ImpossibleOutcome:
    """Which outcome of a script is impossible and what is possible in its place, or how many there should be."""
    if log[lay.LOG_SCRIPTED] != lay.BAD_SCRIPT:
        needed = int(log[lay.LOG_COUNT])
        return ImpossibleOutcome(f"{many(len(script), 'outcome')} given, {needed or 'none'} needed")
    # The engine puts an outcome of its own in the place of the first one that it cannot use.
    used = log[lay.LOG_FIRST : lay.LOG_FIRST + len(script)].tolist()
    place = next((i for i, outcome in enumerate(script) if used[i] != outcome), len(script))
    hint = f"outcome {place + 1} can be {_options(_possible(act, before, script[:place]), names)}"
    if place == len(script):
        return ImpossibleOutcome(f"{many(len(script), 'outcome')} given, more are needed", hint)
    return ImpossibleOutcome(f"outcome {place + 1}, {_named(script[place], names)}, is impossible here", hint)


def _possible(act: Act, before: bytes, first: Sequence[int]) -> list[int]:
    """The outcomes that can follow the first ones of a script."""
    found = []
    for outcome in range(lay.MAX_TICKETS):
        _, log = _scripted(act, before, [*first, outcome])
        if log[lay.LOG_FIRST + len(first)] == outcome:
            found.append(outcome)
    return found


def _named(outcome: int, names: Sequence[str]) -> str:
    return names[outcome] if 0 <= outcome < len(names) else str(outcome)[:20]


def _options(possible: Sequence[int], names: Sequence[str]) -> str:
    if names:
        return ", ".join(_named(outcome, names) for outcome in possible)
    return f"{possible[0]} to {possible[-1]}" if len(possible) > 1 else str(possible[0])
