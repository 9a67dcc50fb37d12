"""The message that tells the end of a game: its result, its course and its secrets."""

from __future__ import annotations

from typing import Literal

from whistlestop.server.messages import Data, TableData, TicketData


class BorrowedData(Data):
    """A station at the end: the track it borrowed and its route in words, None if it was not needed."""

    city: str
    track: int | None
    route: str | None


class PlayerEnd(Data):
    """A player's points by source, and what they came from."""

    name: str
    routes: int
    tickets: int
    stations: int
    path: int
    passengers: int
    globetrotter: int
    total: int
    completed: list[TicketData]
    failed: list[TicketData]
    path_length: int
    path_tracks: list[int]
    path_cities: list[str]
    borrowed: list[BorrowedData]
    collected: dict[str, int]
    passenger_points: dict[str, int]
    """What the collected passengers of each colour brought."""


class ResultData(Data):
    """The final count."""

    players: list[PlayerEnd]
    winners: list[int]
    decided_by: Literal["points", "tickets", "stations", "path", "passengers", "shared"]
    ended_by: Literal["trains ran out", "all passed", "counted as it lies"]


class Moment(Data):
    """Everybody's standing after a turn, for charts."""

    n: int
    seat: int
    points: list[int]
    trains: list[int]
    cards: list[int]
    tickets: list[int]


class SeatStats(Data):
    """What a seat did in the whole game."""

    turns: int
    blind: int
    face_up: int
    locomotives: int
    """Taken face up."""
    claims: int
    mean_length: float
    longest_track: int
    ticket_draws: int
    tickets_kept: int
    tunnels: int
    tunnels_dear: int
    tunnels_lost: int
    stations: int
    seconds: float
    """Spent on its turns."""


class EndData(Data):
    """The result of a finished game, its course and its secrets."""

    table: TableData
    result: ResultData
    seed: str
    salt: str
    seed_hash: str
    timeline: list[Moment]
    stats: list[SeatStats]
    n: int
    turns: int
    began: float
    ended: float
