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
from whistlestop.server.messages import (
    CityName,
    ClientMessage,
    Colour,
    Data,
    EditionName,
    Key,
    Name,
    Number,
    SeatNumber,
    TableId,
    TrackNumber,
)

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


# ---- real tables that are kept --------------------------------------------------------------------------------------
class NewRealPlayer(ClientMessage):
    """One player of a real table, with what is entered already; tracks and tickets by number."""

    name: Name
    colour: Colour
    tracks: Annotated[list[TrackNumber], Field(default_factory=list, max_length=MAX_TRACKS)]
    stations: Annotated[list[CityName], Field(default_factory=list, max_length=MAX_STATIONS)]
    tickets: Annotated[list[TicketNumber], Field(default_factory=list, max_length=MAX_TICKETS)]
    passengers: Annotated[
        dict[PassengerColour, PassengerNumber], Field(default_factory=dict, max_length=MAX_PASSENGER_COLOURS)
    ]


class NewRealTable(ClientMessage):
    """A wish to keep a real table on this server."""

    edition: EditionName
    players: Annotated[list[NewRealPlayer], Field(min_length=MIN_PLAYERS, max_length=MAX_PLAYERS)]
    running: bool = False
    """It is entered from the first turn on, so that the server says whose turn it is."""
    first: SeatNumber = 0
    """Who has the first turn."""


class ChangeHoldings(ClientMessage):
    """What a player of a real table has now, as far as it has changed."""

    version: Number
    """The version of the player that the change is made to; another phone may have made the next one."""
    name: Name | None = None
    colour: Colour | None = None
    tracks: Annotated[list[TrackNumber] | None, Field(max_length=MAX_TRACKS)] = None
    stations: Annotated[list[CityName] | None, Field(max_length=MAX_STATIONS)] = None
    tickets: Annotated[list[TicketNumber] | None, Field(max_length=MAX_TICKETS)] = None
    passengers: Annotated[dict[PassengerColour, PassengerNumber] | None, Field(max_length=MAX_PASSENGER_COLOURS)] = None
    force: bool = False
    """Take what no game comes to as well, and mark it as odd."""


class ChangeRealTable(ClientMessage):
    """A change of the table itself."""

    revision: Number
    """The table's revision that the change is made to."""
    running: bool | None = None
    turn: Number | None = None
    """The turn that begins; one that was ended too early can come back."""
    counted: bool | None = None
    """Show everybody the count, and all tickets (the phone that opened the table)."""


class RealPlayerData(Data):
    """One player of a real table, as a phone may know it."""

    name: str
    colour: Colour
    version: int
    mine: bool
    """This phone enters it."""
    elsewhere: bool
    """Another phone than the one that opened the table enters it."""
    tracks: list[int]
    stations: list[str]
    passengers: dict[str, int]
    ticket_count: int
    tickets: list[int] | None
    """By number; hidden from other phones until the table is counted."""


class RealTableData(Data):
    """A real table, as a phone may know it."""

    id: str
    edition: str
    edition_name: str
    created: float
    version: int
    """Counts all changes."""
    revision: int
    """Counts the changes of the table itself."""
    host: bool
    """This phone has opened the table."""
    counted: bool
    running: bool
    turn: int
    """Turns that are over."""
    to_move: int
    turns_left: int | None
    """In the last round; null before it."""
    low: list[int]
    """Players with so few trains that the last round begins."""
    players: list[RealPlayerData]
    count: CountData
    """The table as it lies; without tickets until it is counted."""


class RealTableKey(Data):
    """The secret of a phone at a real table: with it come changes, and the tickets of its players."""

    table: TableId
    key: Key


class ChangedHoldings(Data):
    """The table after a change of what a player has."""

    refused: list[OddityData]
    """Why nothing was changed: what would be odd. With `force` it is done all the same."""
    table: RealTableData
