"""The planner's parameters: what each means, where it starts, and the tuned values for editions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from whistlestop.mapfile import Edition

Vector = npt.NDArray[np.float64]


class Parameter(NamedTuple):
    """One number of the planner: its value without tuning, a step in which tuning tries it, and the least it may be."""

    value: float
    step: float
    least: float = -np.inf


PARAMETERS: dict[str, Parameter] = {
    # The price of a track in a plan.
    "turn": Parameter(2.4, 0.5),  # for the turn that a claim takes
    "card": Parameter(1.0, 0.25),  # for each space
    "track_points": Parameter(0.2, 0.1),  # off for each point
    "gray": Parameter(-0.4, 0.4),
    "ferry": Parameter(0.8, 0.4),  # for each locomotive asked for
    "tunnel": Parameter(0.6, 0.4),
    "held": Parameter(0.4, 0.15),  # off for each card of it in hand
    "plenty": Parameter(0.4, 0.2),  # off besides for each with a large hand
    "least": Parameter(0.2, 0.1, 0.05),  # no track costs less
    "borrow": Parameter(8.0, 2.0, 0.5),  # for another's track by a station
    "crowd": Parameter(0.4, 0.3),  # off for each end where passengers wait
    "contested": Parameter(0.0, 0.3),  # for each end where a rival has tracks
    # Tickets.
    "budget": Parameter(0.8, 0.08, 0.3),  # share of the trains that a choice of tickets may plan with
    "upkeep": Parameter(1.05, 0.15),  # points that one unit of price must bring
    "reach": Parameter(1.0, 0.4),  # how soon a ticket is too dear to be pursued
    "rate": Parameter(1.8, 0.2, 0.8),  # trains that a rival lays in a turn
    "late": Parameter(10.0, 3.0),  # with fewer turns left, plans must fit into them
    "draw_trains": Parameter(9.0, 4.0),  # trains at least to draw tickets with
    "draw_turns": Parameter(8.0, 3.0),  # turns at least
    "draw_early": Parameter(0.0, 2.0),  # spaces of the plan at most
    "draw_lead": Parameter(0.0, 3.0),  # trains more that a player far ahead must have to draw tickets
    "long_trains": Parameter(30.0, 5.0),  # trains at least to ask for a long ticket
    "first_long": Parameter(2.0, 0.7),  # long tickets in the first announcement
    # Claims.
    "near": Parameter(0.6, 0.6),  # for each end where a rival has tracks
    "length": Parameter(0.5, 0.3),
    "patience": Parameter(1.5, 0.7),  # waste at which a claim waits for better cards
    "loco_waste": Parameter(1.5, 0.4),
    "need_waste": Parameter(0.8, 0.3),
    "risk": Parameter(2.4, 0.8),  # of a tunnel without a card to spare
    "give_up": Parameter(6.0, 3.0),  # with fewer turns left, a tunnel is paid with locomotives too
    "wait_cards": Parameter(0.0, 4.0),  # with fewer cards and …
    "wait_turns": Parameter(12.0, 3.0),  # … more turns left than this, claims out of danger wait
    "hoard": Parameter(20.0, 4.0),  # cards in hand that allow claims beside the plan …
    "long": Parameter(5.0, 1.0),  # … of so many spaces …
    "grab": Parameter(0.5, 0.5),  # … with less waste than this
    "block": Parameter(0.0, 0.3),  # points for each space of a track that a rival may need
    # Tracks for their own sake.
    "join": Parameter(0.15, 0.2),  # points for each space that touches own tracks
    "extend": Parameter(0.3, 0.2),  # points for each space, where the longest path may go on
    "passenger": Parameter(2.5, 1.0),  # points for each end where passengers wait
    "target_turn": Parameter(1.0, 0.3, 0.2),  # turns besides those for the cards
    "target_train": Parameter(0.0, 0.3),  # points off for each train
    "rush": Parameter(0.0, 0.3),  # points for each train when far ahead, off when far behind
    # Cards.
    "loco": Parameter(1.3, 0.4),
    "off_plan": Parameter(0.15, 0.1),
    "close": Parameter(0.5, 0.3),
    "extra": Parameter(0.4, 0.2),
    "blind": Parameter(0.0, 0.1),
}
NAMES = tuple(PARAMETERS)
N = len(NAMES)
STARTS: Vector = np.array([one.value for one in PARAMETERS.values()])
STEPS: Vector = np.array([one.step for one in PARAMETERS.values()])
LEAST: Vector = np.array([one.least for one in PARAMETERS.values()])

(
    TURN_PRICE, CARD_PRICE, POINTS_OFF, GRAY_PRICE, FERRY_PRICE, TUNNEL_PRICE, HELD_OFF, PLENTY_OFF, LEAST_PRICE,
    BORROW_PRICE, CROWD_OFF, CONTESTED,
    BUDGET, UPKEEP, REACH, RATE, LATE, DRAW_TRAINS, DRAW_TURNS, DRAW_EARLY, DRAW_LEAD, LONG_TRAINS, FIRST_LONG,
    NEAR, LENGTH_RANK, PATIENCE, LOCO_WASTE, NEED_WASTE, RISK, GIVE_UP_TURNS, WAIT_CARDS, WAIT_TURNS, HOARD,
    LONG_TRACK, GRAB, BLOCK, JOIN, EXTEND, PASSENGER_VALUE, TARGET_TURN, TARGET_TRAIN, RUSH,
    LOCO_VALUE, OFF_PLAN, CLOSE, EXTRA, BLIND,
) = range(N)  # fmt: skip


def vector(values: Mapping[str, float]) -> Vector:
    """Parameters as the kernels want them; those not named have their value without tuning."""
    unknown = set(values) - set(NAMES)
    if unknown:
        raise ValueError(f"there are no parameters {', '.join(sorted(unknown))}")
    return np.array([values.get(name, one.value) for name, one in PARAMETERS.items()])


@lru_cache(maxsize=1)
def tuned() -> dict[str, dict[str, float]]:
    """Tuned values by key: `usa/2` for an edition and number of players, `general/2` for any edition."""
    text = files("whistlestop.bots.planner").joinpath("parameters.json").read_text("utf-8")
    values: dict[str, dict[str, float]] = json.loads(text)["values"]
    return values


@lru_cache(maxsize=64)
def parameters_for(edition: Edition, players: int) -> Vector:
    """The values for an edition and a number of players: its own, those of a near number, or general ones.

    Of two near numbers the larger: at a table of three, values for four do better than values for two.
    """
    known = tuned()
    near = sorted(range(2, 6), key=lambda n: (abs(n - players), -n))
    for key in (*(f"{edition.id}/{n}" for n in near), *(f"general/{n}" for n in near)):
        if key in known:
            return vector(known[key])
    return STARTS.copy()
