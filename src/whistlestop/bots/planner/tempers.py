"""Tempers: planners of different taste, as opponents for tuning and in the search's playouts, and as characters."""

from __future__ import annotations

from whistlestop.bots.planner.parameters import Vector, vector

TEMPERS: dict[str, Vector] = {
    # Tickets first, one network, little waste.
    "builder": vector(
        {
            "turn": 2.351,
            "card": 0.776,
            "track_points": 0.205,
            "gray": 0.254,
            "held": 0.441,
            "least": 0.196,
            "budget": 0.769,
            "upkeep": 1.053,
            "rate": 1.5,
            "late": 10.0,
            "near": 0.344,
            "length": 0.468,
            "patience": 0.729,
            "loco_waste": 1.569,
            "need_waste": 0.812,
            "hoard": 16.306,
            "long": 5.114,
            "draw_trains": 11.143,
            "draw_turns": 8.0,
            "loco": 0.98,
            "off_plan": 0.15,
            "close": 0.5,
            "join": 0.204,
            "extra": 0.407,
            "plenty": 0.4,
            "draw_early": 0.0,
            "grab": 0.324,
            "target_turn": 1.031,
            "target_train": -0.038,
            "reach": 0.86,
            "blind": 0.119,
            "wait_turns": 8.0,
            "wait_cards": 0.0,
        }
    ),
    # Few tickets, long tracks: ends the game while others still build.
    "rusher": vector(
        {
            "turn": 5.018,
            "card": 1.379,
            "track_points": 0.652,
            "gray": -0.16,
            "held": -0.058,
            "least": 0.426,
            "budget": 0.88,
            "upkeep": 1.257,
            "rate": 2.804,
            "late": 15.094,
            "near": 2.041,
            "length": 0.502,
            "patience": -3.398,
            "loco_waste": 0.482,
            "need_waste": 0.203,
            "hoard": 27.307,
            "long": 10.166,
            "draw_trains": 26.885,
            "draw_turns": 2.529,
            "loco": 0.577,
            "off_plan": 0.254,
            "close": -0.275,
            "join": 0.479,
            "extra": 0.037,
            "plenty": 0.574,
            "draw_early": -20.874,
            "grab": -1.164,
            "target_turn": 0.282,
            "target_train": -0.131,
            "reach": 0.605,
            "blind": 0.372,
            "wait_turns": 14.92,
            "wait_cards": -2.487,
        }
    ),
    # Many tickets, early and late.
    "collector": vector(
        {"upkeep": 0.7, "budget": 0.95, "draw_trains": 6.0, "draw_turns": 4.0, "draw_early": 4.0, "turn": 1.5}
    ),
    # Claims where rivals are near, and what they may need.
    "blocker": vector(
        {"near": 3.0, "block": 1.5, "contested": -0.3, "hoard": 12.0, "long": 2.0, "grab": 1.5, "patience": 2.5}
    ),
    # Keeps cards until a network can be laid at once.
    "hoarder": vector({"wait_cards": 20.0, "wait_turns": 9.0, "patience": 0.5, "hoard": 28.0}),
}
