"""Messages of real tables: who has what on cardboard, and its count."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from whistlestop.mapfile import (
    MAX_PASSENGER_COLOURS,
    MAX_PASSENGERS,
    MAX_PLAYERS,
    MAX_STATIONS,
    MAX_TICKETS,
    MAX_TRACKS,
    MIN_PLAYERS,
)
from whistlestop.server.end_messages import ResultData
from whistlestop.server.messages import CityName, ClientMessage, Colour, Data, EditionName, Name, TrackNumber

GivenName = Annotated[str, StringConstraints(min_length=1, max_length=160)]
TicketNumber = Annotated[int, Field(ge=0, lt=MAX_TICKETS)]
PassengerColour = Annotated[str, StringConstraints(max_length=40)]
PassengerNumber = Annotated[int, Field(ge=0, le=MAX_PASSENGERS)]


class PlayerHoldings(ClientMessage):
    """What one player has at a real table; tracks and tickets by number or in words."""

    name: Name
    colour: Colour
    tracks: Annotated[list[TrackNumber | GivenName], Field(default_factory=list, max_length=MAX_TRACKS)]
    stations: Annotated[list[CityName], Field(default_factory=list, max_length=MAX_STATIONS)]
    tickets: Annotated[list[TicketNumber | GivenName], Field(default_factory=list, max_length=MAX_TICKETS)]
    passengers: Annotated[
        dict[PassengerColour, PassengerNumber], Field(default_factory=dict, max_length=MAX_PASSENGER_COLOURS)
    ]


class RealTableRequest(ClientMessage):
    """A real table as it lies."""

    edition: EditionName
    players: Annotated[list[PlayerHoldings], Field(min_length=MIN_PLAYERS, max_length=MAX_PLAYERS)]
    force: bool = False
    """Count what no game comes to as well, and mark it as odd."""


class OddityData(Data):
    """What no game comes to, and its sentence."""

    code: Literal["owned", "closed", "parallel", "trains", "station_taken", "ticket_taken", "passengers"]
    player: int | None
    other: int | None
    track: int | None
    city: str | None
    ticket: int | None
    colour: str | None
    have: int | None
    most: int | None
    text: str


class GapData(Data):
    """What was not said, and its sentence."""

    code: Literal["cards", "unfinished", "no_tickets"]
    player: int | None
    text: str


class CountData(Data):
    """The count of a real table."""

    edition: str
    result: ResultData
    trains: list[int]
    """Left by player; below none where a table is forced."""
    odd: list[OddityData]
    gaps: list[GapData]
