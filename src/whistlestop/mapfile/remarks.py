"""Counts of a valid board, and remarks on what its maker may want to change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from whistlestop.mapfile.board import places_for_passengers
from whistlestop.mapfile.model import CARD_COLOURS, GRAY, Board


def facts(board: Board) -> dict[str, Any]:
    """The counts of a board, as data that `json.dumps` takes."""
    parallel = Counter(len(tracks) for tracks in board.routes().values())
    spaces = dict.fromkeys((*CARD_COLOURS, GRAY), 0)
    for track in board.tracks:
        spaces[track.colour] += track.length
    tickets: dict[str, dict[str, int]] = {}
    for ticket in board.tickets:
        kinds = tickets.setdefault(ticket.set, {})
        kinds[ticket.kind] = kinds.get(ticket.kind, 0) + 1
    return {
        "id": board.id,
        "name": board.name,
        "cities": len(board.cities),
        "border_spaces": sum(city.country is not None for city in board.cities),
        "countries": len(board.countries),
        "tracks": len(board.tracks),
        "routes": parallel.total(),
        "doubles": parallel[2],
        "triples": parallel[3],
        "spaces": sum(spaces.values()),
        "spaces_by_colour": spaces,
        "tracks_by_length": {str(length): n for length, n in sorted(Counter(t.length for t in board.tracks).items())},
        "tunnels": sum(track.tunnel for track in board.tracks),
        "ferries": sum(track.ferry > 0 for track in board.tracks),
        "ferry_symbols": sum(track.ferry for track in board.tracks),
        "tickets": len(board.tickets),
        "tickets_by_set": tickets,
        "big_city_tickets": sum(ticket.big_city for ticket in board.tickets),
        "passengers": places_for_passengers(board),
        "editions": {e.id: {deck.name: len(deck.tickets) for deck in e.decks} for e in board.editions},
    }


def check_board(board: Board) -> list[str]:
    """Remarks on a board that can be played but might be better; none for a board that is well made."""
    return [
        *_remarks_on_cities(board),
        *_remarks_on_colours(board),
        *_remarks_on_tickets(board),
        *_remarks_on_editions(board),
    ]


def _remarks_on_cities(board: Board) -> Iterator[str]:
    routes: dict[int, list[int]] = {index: [] for index in range(len(board.cities))}
    for a, b in board.routes():
        routes[a].append(b)
        routes[b].append(a)
    ends = {end for ticket in board.tickets for end in (ticket.a, ticket.b)}
    for index, city in enumerate(board.cities):
        if city.country is not None:
            continue
        if len(routes[index]) == 1:
            yield f"{city.name} has one route only, from {board.cities[routes[index][0]].name}: it is easily cut off"
        if city.name not in ends:
            yield f"no ticket leads to {city.name}"


def _remarks_on_colours(board: Board) -> Iterator[str]:
    spaces: dict[str, int] = {colour: facts(board)["spaces_by_colour"][colour] for colour in CARD_COLOURS}
    mean = sum(spaces.values()) / len(spaces)
    for colour, n in spaces.items():
        if abs(n - mean) > max(3.0, 0.15 * mean):
            yield f"{colour} has {n} spaces, a colour has {mean:.0f} on average: even colours make even games"
    pairs = Counter((t.ends, t.colour) for t in board.tracks if t.colour != GRAY)
    for (ends, colour), n in pairs.items():
        if n > 1:
            names = "–".join(board.cities[index].name for index in ends)
            yield f"{names} has {n} {colour} tracks: parallel tracks usually differ in colour, or are gray"


def _remarks_on_tickets(board: Board) -> Iterator[str]:
    found: dict[str, dict[str, int]] = {}
    for ticket in board.tickets:
        if ticket.a not in found:
            found[ticket.a] = distances(board, ticket.a)
        shortest = found[ticket.a][ticket.b]
        if abs(ticket.points - shortest) > max(3, shortest // 3):
            yield f"ticket {ticket.a}–{ticket.b} is worth {ticket.points}, its shortest path has {shortest} spaces"


def _remarks_on_editions(board: Board) -> Iterator[str]:
    spaces = sum(board.tracks[tracks[0]].length for tracks in board.routes().values())
    for edition in board.editions:
        longest = max(track.length for track in board.tracks)
        symbols = max(track.ferry for track in board.tracks)
        if longest > min(edition.trains, edition.cards_each + edition.locomotives):
            yield f"edition {edition.id}: nobody can ever claim a track of {longest} spaces"
        if symbols > edition.locomotives:
            yield f"edition {edition.id}: a ferry asks for {symbols} locomotives, the deck has {edition.locomotives}"
        crowd = min(edition.players[1], edition.parallel_from - 1)  # the most players who share one track a route
        if crowd >= edition.players[0] and spaces < crowd * edition.trains // 2:
            trains = crowd * edition.trains
            yield f"edition {edition.id}: {crowd} players have {trains} trains for {spaces} spaces, routes will run out"


def distances(board: Board, start: str, without: tuple[int, int] | None = None) -> dict[str, int]:
    """Spaces on the shortest path from the city or country `start` to every city and country that can be reached.

    `without` is a route that may not be used, by its two cities.
    """
    from heapq import heappop, heappush

    steps: dict[int, list[tuple[int, int]]] = {index: [] for index in range(len(board.cities))}
    for track in board.tracks:
        if track.ends != without:
            steps[track.a].append((track.length, track.b))
            steps[track.b].append((track.length, track.a))
    queue = [(0, index) for index, city in enumerate(board.cities) if start in (city.name, city.country)]
    found: dict[str, int] = {}
    done: set[int] = set()
    while queue:
        distance, here = heappop(queue)
        if here in done:
            continue
        done.add(here)
        city = board.cities[here]
        found.setdefault(city.country or city.name, distance)  # nearest first, so the first border space counts
        for length, there in steps[here]:
            heappush(queue, (distance + length, there))
    return found
