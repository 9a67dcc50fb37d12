"""Reads the board of a map file: cities, tracks and tickets, each checked on its own and against the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from whistlestop.mapfile.model import (
    CARD_COLOURS,
    GRAY,
    LABEL_SIDES,
    MAX_CITIES,
    MAX_FILE_TICKETS,
    MAX_LENGTH,
    MAX_PARALLEL,
    MAX_PASSENGER_COLOURS,
    MAX_PASSENGERS,
    MAX_POINTS,
    MAX_TRACKS,
    TICKET_KINDS,
    Board,
    City,
    Country,
    Ticket,
    Track,
)
from whistlestop.mapfile.tomltable import (
    CITY_KEYS,
    COUNTRY_KEYS,
    TICKET_KEYS,
    TRACK_KEYS,
    TomlTable,
    map_error,
    some_names,
    unknown_word,
)


class PlaceNames:
    """Every name and alias of a board's places, and what it stands for."""

    def __init__(self, cities: Sequence[City], countries: Sequence[Country]) -> None:
        self.index = {name: index for index, city in enumerate(cities) for name in (city.name, *city.aliases)}
        self.ends = {name: city.name for city in cities if city.country is None for name in (city.name, *city.aliases)}
        self.ends |= {country.name: country.name for country in countries}
        self.border = {city.name: city.country for city in cities if city.country is not None}

    def city(self, table: TomlTable, key: str) -> int:
        """The index of the city that a track names."""
        name = table.text(key)
        if name not in self.index:
            raise unknown_word(table.place, "city", name, self.index)
        return self.index[name]

    def end(self, table: TomlTable, key: str) -> str:
        """The name of the city or country that a ticket names."""
        name = table.text(key)
        if name in self.border:
            country = self.border[name]
            reason = f"`{name}` is a border space; a ticket leads to the whole country"
            hint = f"write `{country}`"
            raise map_error(table.place, reason, hint, "border_space", key=key, word=name, other=country)
        if name not in self.ends:
            raise unknown_word(table.place, "city or country", name, self.ends, "unknown_place", key=key)
        return self.ends[name]


def read_board(top: TomlTable, path: Path | None) -> Board:
    """The board of a map file, without its editions."""
    identity, name = top.slug("id"), top.text("name")
    points = _points(top)
    countries = tuple(
        Country(row.text("name"), row.whole("passengers", 0, MAX_PASSENGERS, 0))
        for row in top.rows("countries", "country", COUNTRY_KEYS, 0, MAX_CITIES)
    )
    cities = _cities(top, countries)
    _check_names(top.place, cities, countries)
    names = PlaceNames(cities, countries)
    tracks = _tracks(top, names, points)
    tickets, bag, drawing = _tickets(top, names), _bag(top), top.table("drawing")
    board = Board(identity, name, cities, countries, tracks, tickets, points, bag, path=path, drawing=drawing)
    _check_routes(board, top.place)
    _check_connected(board, top.place)
    _check_borders(board, top.place)
    _check_passengers(board, top.place)
    return board


def _points(top: TomlTable) -> dict[int, int]:
    top.need("points")
    points = {}
    table = TomlTable(f"{top.place}: points", top.table("points"), [str(length) for length in range(1, MAX_LENGTH + 1)])
    for length in table.values:
        points[int(length)] = table.whole(length, 1, MAX_POINTS)
    return points


def _bag(top: TomlTable) -> dict[str, int]:
    place = f"{top.place}: passenger_colours"
    table = top.table("passenger_colours")
    for colour in table:
        if colour not in CARD_COLOURS:
            raise unknown_word(place, "colour", colour, CARD_COLOURS)
    if len(table) > MAX_PASSENGER_COLOURS:
        raise map_error(place, f"{len(table)} colours, at most {MAX_PASSENGER_COLOURS} fit")
    bag = TomlTable(place, table, CARD_COLOURS)
    return {colour: bag.whole(colour, 1, MAX_PASSENGERS) for colour in table}


def _cities(top: TomlTable, countries: Sequence[Country]) -> tuple[City, ...]:
    known = [country.name for country in countries]
    return tuple(_city(row, known) for row in top.rows("cities", "city", CITY_KEYS, 2, MAX_CITIES))


def _city(row: TomlTable, countries: Sequence[str]) -> City:
    city = City(
        name=row.text("name"),
        lat=row.real("lat", 90),
        lon=row.real("lon", 180),
        country=row.choice("country", "country", countries) if "country" in row else None,
        passengers=row.whole("passengers", 0, MAX_PASSENGERS, 0),
        aliases=row.texts("aliases") if "aliases" in row else (),
        nudge=row.real_pair("nudge", 10_000) if "nudge" in row else (0.0, 0.0),
        label=row.choice("label", "side", LABEL_SIDES) if "label" in row else None,
    )
    if city.country is not None and city.passengers:
        hint = f"give them to the country `{city.country}`"
        raise map_error(row.place, "a border space has no passengers of its own", hint)
    return city


def _check_names(place: str, cities: Sequence[City], countries: Sequence[Country]) -> None:
    """Every name stands for one place, whatever its capitals; an alias for no place but its own."""
    owner: dict[str, str] = {}
    for what, names in (("country", [country.name for country in countries]), ("city", [city.name for city in cities])):
        for number, name in enumerate(names, 1):
            if name.casefold() in owner:
                raise map_error(f"{place}: {what} {number}", f"the name `{name}` is taken already")
            owner[name.casefold()] = name
    for number, city in enumerate(cities, 1):
        for alias in city.aliases:
            if owner.setdefault(alias.casefold(), city.name) != city.name:
                raise map_error(
                    f"{place}: city {number}",
                    f"the alias `{alias}` of `{city.name}` also means `{owner[alias.casefold()]}`",
                )


def _tracks(top: TomlTable, names: PlaceNames, points: dict[int, int]) -> tuple[Track, ...]:
    tracks = []
    for row in top.rows("tracks", "track", TRACK_KEYS, 1, MAX_TRACKS):
        track = Track(
            a=names.city(row, "from"),
            b=names.city(row, "to"),
            length=row.whole("length", 1, MAX_LENGTH),
            colour=row.choice("colour", "colour", (*CARD_COLOURS, GRAY)),
            tunnel=row.flag("tunnel"),
            ferry=row.whole("ferry", 0, MAX_LENGTH, 0),
            bend=row.real("bend", 10) if "bend" in row else 0.0,
        )
        _check_track(track, row, points)
        tracks.append(track)
    return tuple(tracks)


def _check_track(track: Track, row: TomlTable, points: dict[int, int]) -> None:
    if track.a == track.b:
        raise map_error(row.place, f"leads from `{row.text('from')}` to itself")
    if track.length not in points:
        raise map_error(row.place, f"length {track.length} has no points", f"add `{track.length} = …` to `points`")
    if track.ferry > track.length:
        raise map_error(row.place, f"`ferry` asks for {track.ferry} locomotives on {track.length} spaces")
    if track.ferry and track.colour != GRAY:
        raise map_error(row.place, f"a ferry is gray, found `{track.colour}`", 'write colour = "gray"')
    if track.ferry and track.tunnel:
        raise map_error(row.place, "a track is a tunnel or a ferry, not both")


def _tickets(top: TomlTable, names: PlaceNames) -> tuple[Ticket, ...]:
    rows = top.rows("tickets", "ticket", TICKET_KEYS, 1, MAX_FILE_TICKETS)
    return tuple(read_ticket(row, names, row.text("set") if "set" in row else "", row.flag("big_city")) for row in rows)


def read_ticket(row: TomlTable, names: PlaceNames, ticket_set: str, big_city: bool = False) -> Ticket:
    """One ticket of a board or pack."""
    kind = row.choice("kind", "ticket kind", TICKET_KINDS) if "kind" in row else TICKET_KINDS[0]
    ticket = Ticket(
        names.end(row, "from"), names.end(row, "to"), row.whole("points", 1, MAX_POINTS), kind, ticket_set, big_city
    )
    if ticket.a == ticket.b:
        raise map_error(row.place, f"leads from `{ticket.a}` to itself", fault="same_ends", key="to", word=ticket.a)
    return ticket


def _check_routes(board: Board, place: str) -> None:
    """Parallel tracks are equally long, and three at most."""
    for ends, (first, *others) in board.routes().items():
        for index in others:
            length, wanted = board.tracks[index].length, board.tracks[first].length
            if length != wanted:
                reason = f"length {length}, but its parallel track {first + 1} has {wanted}"
                raise map_error(f"{place}: track {index + 1}", reason)
        if len(others) >= MAX_PARALLEL:
            names = " and ".join(f"`{board.cities[end].name}`" for end in ends)
            raise map_error(place, f"{len(others) + 1} tracks between {names}, at most {MAX_PARALLEL} may be parallel")


def _check_connected(board: Board, place: str) -> None:
    parts: list[set[int]] = [{index} for index in range(len(board.cities))]
    for track in board.tracks:
        joined = [part for part in parts if track.a in part or track.b in part]
        parts = [part for part in parts if part not in joined] + [set().union(*joined)]
    if len(parts) > 1:
        parts.remove(max(parts, key=len))
        lost = [board.cities[index].name for index in sorted(set().union(*parts))]
        raise map_error(
            place, f"cut off from the rest of the board: {some_names(lost)}", "every city must be reachable by tracks"
        )


def _check_borders(board: Board, place: str) -> None:
    """Border spaces are dead ends (TICKET-9), and every country has one."""
    degree = Counter(end for ends in board.routes() for end in ends)
    for index, city in enumerate(board.cities):
        if city.country is not None and degree[index] != 1:
            reason = f"the border space `{city.name}` has {degree[index]} routes, it must have exactly one"
            raise map_error(
                f"{place}: city {index + 1}", reason, f"make one border space of `{city.country}` for each route"
            )
    reached = {city.country for city in board.cities}
    for number, country in enumerate(board.countries, 1):
        if country.name not in reached:
            hint = f'add a city with country = "{country.name}"'
            raise map_error(f"{place}: country {number}", f"`{country.name}` has no border space", hint)


def places_for_passengers(board: Board) -> int:
    """How many passengers the places of a board hold."""
    return sum(city.passengers for city in board.cities) + sum(country.passengers for country in board.countries)


def _check_passengers(board: Board, place: str) -> None:
    bag, places = sum(board.passenger_colours.values()), places_for_passengers(board)
    if bag != places:
        raise map_error(
            place, f"{bag} passengers in the bag (`passenger_colours`), but places for {places} on the board"
        )
    if bag > MAX_PASSENGERS:
        raise map_error(place, f"{bag} passengers, at most {MAX_PASSENGERS} fit")
