"""A playtest: games of bots on a board, and what they say of its seats, tracks, tickets, cities and colours.

found = playtest("my-island.toml", games=500)
print(found.tickets[0].suggested)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from whistlestop.arena.matches import shares_of
from whistlestop.arena.playtest.estimates import Measured, Z, mean_of, share_of
from whistlestop.arena.playtest.traced_play import TracedGames, bots_of, play_traced
from whistlestop.arena.worker_pool import cores
from whistlestop.engine.layout import COMPLETED, NONE, SHEET_NAMES, TOTAL, WON
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import CARDS, LOCOMOTIVE, Edition, digest, distances, load_edition
from whistlestop.results import SOURCES

USUAL_BOT = "club"
"""The level that plays unless told: strong, and thousands of its games take seconds."""
USUAL_GAMES = 1000
"""With each number of players."""
ENOUGH_HOLDERS = 60
"""Players who must have chosen a ticket before its value is doubted."""
LARGEST_CHANGE = 1 / 3
"""Of a ticket's points in one suggestion: bots would play other tickets if more were changed."""
LEAST_LEVER = 0.4
"""What one point more on a ticket is taken to bring at least: tickets that are seldom completed say little."""

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TableMeasures:
    """Games with one number of players."""

    players: int
    games: int
    wins: tuple[Measured, ...]
    """Share of games won by turn order, from whoever has the first turn; a shared win counts in part."""
    shared_wins: int
    turns: Measured
    """Turns of one player."""
    turn_counts: npt.NDArray[np.int64] = field(repr=False)
    """Turns of all players in each game."""
    points: Measured
    totals: npt.NDArray[np.int64] = field(repr=False)
    """Points of every player."""
    winning: Measured
    """Points of the winner."""
    lead: Measured
    """Of the winner over the best of the others."""
    sources: dict[str, float]
    """Mean points of a player by source."""
    tickets_completed: Measured
    """By one player."""


@dataclass(frozen=True, slots=True)
class TrackMeasures:
    """One track."""

    track: int
    name: str
    length: int
    colour: str
    claimed: Measured
    """Share of games in which somebody claims it."""
    by_players: dict[int, Measured]
    """The same for each number of players."""
    when: tuple[float, float, float] | None
    """Quartiles of the share of the game that is over when it is claimed."""
    winners: Measured
    """How often its owner wins, in multiples of an even chance."""


@dataclass(frozen=True, slots=True)
class RouteMeasures:
    """The connection of two cities: all its tracks together."""

    name: str
    tracks: tuple[int, ...]
    taken: Measured
    """Share of games in which somebody has one of its tracks."""
    full: Measured
    """Share of games in which nobody else could claim any of it in the end."""
    when: float | None
    """Median share of the game that is over when its first track is claimed."""
    detour: int | None
    """Spaces that the best way around costs more; None if there is no way around."""


@dataclass(frozen=True, slots=True)
class TicketMeasures:
    """One ticket."""

    ticket: int
    name: str
    points: int
    deck: str
    spaces: int
    """On its shortest way."""
    kept: Measured
    """Share of the offers in which it is kept."""
    completed: Measured
    """Share of the games with a holder in which it is completed."""
    margin: Measured
    """Points ahead of the mean of the others, of who kept it in the first choice."""
    wins: Measured
    """How often those win, in multiples of an even chance."""
    wins_without: float
    """The same for everybody else."""
    dealt_margin: Measured
    """Points ahead of who was dealt it in the first choice, kept or not: the luck of the deal, free of all choices."""
    suggested: int
    """Points with which it would be worth as much as the other tickets of its deck; its own where nothing speaks
    against them."""
    suggested_range: tuple[float, float] | None
    """The 95% interval of that value; None where too few players chose the ticket."""


@dataclass(frozen=True, slots=True)
class CityMeasures:
    """One city or border space."""

    name: str
    tickets: int
    """That end here, of all decks."""
    reached: Measured
    """Share of games in which somebody has a track here."""
    stations: Measured
    """Share of games in which somebody has a station here."""


@dataclass(frozen=True, slots=True)
class ColourMeasures:
    """One kind of card."""

    name: str
    deck: int
    """Cards in the deck."""
    spaces: int
    """Of tracks in this colour; 0 for locomotives."""
    spent: Measured
    """Cards of it that a player pays in a game."""
    demand: float
    """Its share of all cards paid against its share of the deck: above 1 it is wanted more than others."""


@dataclass(frozen=True, slots=True)
class Playtest:
    """Everything that a playtest measured."""

    edition: Edition = field(repr=False)
    bots: tuple[str, ...]
    games: int
    """With each number of players."""
    seed: int
    tables: tuple[TableMeasures, ...]
    tracks: tuple[TrackMeasures, ...] = field(repr=False)
    routes: tuple[RouteMeasures, ...] = field(repr=False)
    tickets: tuple[TicketMeasures, ...] = field(repr=False)
    cities: tuple[CityMeasures, ...] = field(repr=False)
    colours: tuple[ColourMeasures, ...] = field(repr=False)

    @property
    def all_games(self) -> int:
        """Games with all numbers of players."""
        return self.games * len(self.tables)

    def json(self) -> dict[str, Any]:
        """All numbers as plain data; intervals are at 95%."""
        heads = {
            "edition": self.edition.id,
            "name": self.edition.name,
            "board": self.edition.board.id,
            "digest": digest(self.edition),
            "bots": list(self.bots),
            "games_per_table": self.games,
            "games": self.all_games,
            "seed": self.seed,
        }
        parts = ("tables", "tracks", "routes", "tickets", "cities", "colours")
        return heads | {part: [_plain(one) for one in getattr(self, part)] for part in parts}


def _plain(value: Any) -> Any:
    """Measures as data that JSON knows; arrays of single games are left out."""
    if isinstance(value, Measured):
        return value.json()
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if isinstance(value, float):
        return round(value, 4)
    if not hasattr(value, "__dataclass_fields__"):
        return value
    found = {one.name: getattr(value, one.name) for one in fields(value)}
    return {name: _plain(one) for name, one in found.items() if not isinstance(one, np.ndarray)}


# --- playing ---------------------------------------------------------------------------------------------------------
def playtest(
    edition: str | Path | Edition,
    games: int = USUAL_GAMES,
    players: Sequence[int] | None = None,
    bots: Sequence[str] = (USUAL_BOT,),
    seed: int = 1,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Playtest:
    """Let bots play an edition or a map file, and measure the games.

    `games` are played with each number of `players`, all that the edition allows unless given. `bots` are levels
    (`club`) or bots as line-ups write them (`expert:500ms`); with several, they take turns on the seats. The same seed
    gives the same numbers. `progress` is called with the number of games done, of all together.
    """
    edition = edition if isinstance(edition, Edition) else load_edition(edition)
    counts = list(players) if players is not None else list(range(edition.players[0], edition.players[1] + 1))
    for count in counts:
        edition.check_players(count)
    if games < 1 or not counts:
        raise WhistlestopError("a playtest needs at least one game and one number of players")
    names, told = tuple(bots), progress or (lambda _done: None)
    entrants = bots_of(names)
    played = []
    for number, count in enumerate(sorted(set(counts))):
        before = number * games

        def tell(done: int, before: int = before) -> None:
            told(before + done)

        start = (seed * len(SHEET_NAMES) + count) << 32  # no two numbers of players share a seed
        played.append(play_traced(edition, count, entrants, games, start, jobs or cores(), tell))
    return measure(edition, names, games, seed, played)


def measure(edition: Edition, bots: tuple[str, ...], games: int, seed: int, played: Sequence[TracedGames]) -> Playtest:
    """Measure games that were played."""
    tables = tuple(_table(part) for part in played)
    ledger = _Ledger(edition, played)
    return Playtest(
        edition,
        bots,
        games,
        seed,
        tables,
        tuple(ledger.track(track) for track in range(len(edition.board.tracks))),
        tuple(ledger.route(ends, tracks) for ends, tracks in edition.board.routes().items()),
        ledger.tickets(),
        tuple(ledger.city(city) for city in range(len(edition.board.cities))),
        ledger.colours(),
    )


def _table(part: TracedGames) -> TableMeasures:
    totals = part.sheets[:, :, TOTAL]
    shares = shares_of(part.sheets[:, :, WON])
    order = (np.arange(part.players)[None, :] + part.traces["first"][:, None]) % part.players
    by_order = np.take_along_axis(shares, order, 1)
    ranked = np.sort(totals, axis=1)
    return TableMeasures(
        players=part.players,
        games=len(totals),
        wins=tuple(mean_of(by_order[:, place]) for place in range(part.players)),
        shared_wins=int((part.sheets[:, :, WON].sum(1) > 1).sum()),
        turns=mean_of(part.traces["turns"] / part.players),
        turn_counts=part.traces["turns"].copy(),
        points=mean_of(totals.mean(1)),
        totals=totals.reshape(-1),
        winning=mean_of(ranked[:, -1]),
        lead=mean_of(ranked[:, -1] - ranked[:, -2]),
        sources={name: float(part.sheets[:, :, n].mean()) for n, name in enumerate(SHEET_NAMES) if name in SOURCES},
        tickets_completed=mean_of(part.sheets[:, :, COMPLETED].mean(1)),
    )


# --- all games together ----------------------------------------------------------------------------------------------
class _Ledger:
    """All games in long columns, one entry a game, whatever the number of players."""

    def __init__(self, edition: Edition, played: Sequence[TracedGames]) -> None:
        self._edition, self._board = edition, edition.board
        self._names = [city.name for city in self._board.cities]
        self._players = np.concatenate([np.full(len(part.traces), part.players) for part in played])
        self._traces = np.concatenate([part.traces for part in played])
        most = max(part.players for part in played)
        self._wins = np.concatenate([_padded(_even_wins(part), most) for part in played])
        self._margins = np.concatenate([_padded(_margins(part), most) for part in played])
        self._games = len(self._traces)
        self._owned = self._traces["owner"] != NONE
        self._when = self._traces["claimed_at"] / np.maximum(self._traces["turns"], 1)[:, None]

    # --- tracks ---
    def track(self, track: int) -> TrackMeasures:
        """One track."""
        found, owned = self._board.tracks[track], self._owned[:, track]
        when = self._when[owned, track]
        return TrackMeasures(
            track,
            self._between(found.a, found.b),
            found.length,
            found.colour,
            self._share(owned),
            {count: self._share(owned[self._players == count]) for count in self._counts()},
            _quartiles(when),
            mean_of(self._of_players(self._wins, self._traces["owner"][:, track], owned)),
        )

    def route(self, ends: tuple[int, int], tracks: Sequence[int]) -> RouteMeasures:
        """One route."""
        owned, edition = self._owned[:, tracks], self._edition
        taken = owned.any(axis=1)
        first = np.where(owned, self._when[:, tracks], np.inf).min(axis=1)[taken]
        single = self._players < edition.parallel_from
        around = distances(self._board, self._place(ends[0]), ends).get(self._place(ends[1]))
        length = self._board.tracks[tracks[0]].length
        return RouteMeasures(
            self._between(*ends),
            tuple(tracks),
            self._share(taken),
            self._share(np.where(single, taken, owned.all(axis=1))),
            float(np.median(first)) if len(first) else None,
            None if around is None else max(0, around - length),
        )

    # --- tickets ---
    def tickets(self) -> tuple[TicketMeasures, ...]:
        """All tickets, in the order of the decks."""
        found, number = [], 0
        for deck in self._edition.decks:
            rows = []
            for ticket in deck.tickets:
                rows.append(self._ticket(number, deck.name, ticket.a, ticket.b, ticket.points))
                number += 1
            found += _with_suggestions(rows)
        return tuple(found)

    def _ticket(self, number: int, deck: str, a: str, b: str, points: int) -> TicketMeasures:
        traces = self._traces
        holder, late = traces["holder"][:, number], traces["late"][:, number] > 0
        held, dealt = holder != NONE, traces["dealt"][:, number] != NONE
        chosen = held & ~late
        with_it = self._of_players(self._wins, holder, chosen)
        seats = int(self._players.sum())
        without = seats - len(with_it)
        rest = (seats - float(with_it.sum())) / without  # multiples of an even chance add up to one a seat
        return TicketMeasures(
            ticket=number,
            name=f"{a}–{b}",
            points=points,
            deck=deck,
            spaces=distances(self._board, a)[b],
            kept=share_of(int(held.sum()), int(traces["offers"][:, number].sum())),
            completed=self._share(traces["done"][held, number] > 0),
            margin=mean_of(self._of_players(self._margins, holder, chosen)),
            wins=mean_of(with_it),
            wins_without=rest,
            dealt_margin=mean_of(self._of_players(self._margins, traces["dealt"][:, number], dealt)),
            suggested=points,
            suggested_range=None,
        )

    # --- cities and colours ---
    def city(self, city: int) -> CityMeasures:
        """One city or border space."""
        found = self._board.cities[city]
        tracks = [n for n, track in enumerate(self._board.tracks) if city in (track.a, track.b)]
        ends = {found.name, found.country} - {None}
        tickets = [ticket for deck in self._edition.decks for ticket in deck.tickets]
        built = (self._traces["stations"] >> np.uint64(city)) & np.uint64(1)
        return CityMeasures(
            found.name,
            sum(ticket.a in ends or ticket.b in ends for ticket in tickets),
            self._share(self._owned[:, tracks].any(axis=1)),
            self._share(built > 0),
        )

    def colours(self) -> tuple[ColourMeasures, ...]:
        """All kinds of cards."""
        edition, spent = self._edition, self._traces["spent"] / self._players[:, None]
        decks = [edition.locomotives if name == LOCOMOTIVE else edition.cards_each for name in CARDS]
        total, paid = sum(decks), float(spent.mean(0).sum()) or 1.0
        return tuple(
            ColourMeasures(
                name,
                deck,
                sum(track.length for track in self._board.tracks if track.colour == name),
                mean_of(spent[:, kind]),
                float(spent[:, kind].mean()) / paid / (deck / total) if deck else 0.0,
            )
            for kind, (name, deck) in enumerate(zip(CARDS, decks, strict=True))
        )

    # --- parts of these ---
    def _counts(self) -> list[int]:
        return [int(count) for count in np.unique(self._players)]

    def _share(self, hits: npt.NDArray[np.bool_]) -> Measured:
        return share_of(int(hits.sum()), len(hits))

    def _of_players(self, values: _Floats, who: npt.NDArray[np.int8], games: npt.NDArray[np.bool_]) -> _Floats:
        """Values of the player that `who` names in each of some games."""
        rows = np.flatnonzero(games)
        return values[rows, who[rows]]

    def _place(self, city: int) -> str:
        found = self._board.cities[city]
        return found.country or found.name

    def _between(self, a: int, b: int) -> str:
        return f"{self._names[a]}–{self._names[b]}"


def _even_wins(part: TracedGames) -> _Floats:
    """Wins in multiples of an even chance: their mean over all seats is 1 with any number of players."""
    return shares_of(part.sheets[:, :, WON]) * part.players


def _margins(part: TracedGames) -> _Floats:
    """Points ahead of the mean of the others: their mean over all seats is 0."""
    totals = part.sheets[:, :, TOTAL].astype(np.float64)
    return np.asarray((totals - totals.mean(1, keepdims=True)) * part.players / (part.players - 1))


def _padded(values: _Floats, width: int) -> _Floats:
    """Values with empty seats up to some number of players."""
    return np.pad(values, ((0, 0), (0, width - values.shape[1])), constant_values=np.nan)


def _quartiles(values: _Floats) -> tuple[float, float, float] | None:
    if not len(values):
        return None
    low, middle, high = np.quantile(values, [0.25, 0.5, 0.75])
    return float(low), float(middle), float(high)


def _with_suggestions(tickets: Sequence[TicketMeasures]) -> list[TicketMeasures]:
    """Tickets of one deck with the points that would make each worth as much as the others.

    One point more brings its holder a point where it is completed, and costs one where it is not. So the points that
    a holder is ahead of holders of other tickets, divided by that, are the points that the ticket has too many. Margins
    are drawn to their mean by as much as chance spreads them (empirical Bayes): else the luckiest ticket of thirty
    would look mispriced.
    """
    chosen = [one for one in tickets if one.margin.n >= ENOUGH_HOLDERS and one.margin.half is not None]
    if len(chosen) < 2:
        return list(tickets)
    margins = np.array([one.margin.value for one in chosen])
    errors = np.array([(one.margin.half or 0.0) / Z for one in chosen])
    usual = float(margins.mean())  # of tickets, not of holders: so the deck keeps its points as a whole
    spread = max(0.0, float(np.mean((margins - usual) ** 2 - errors**2)))
    found = {}
    for one, margin, error in zip(chosen, margins, errors, strict=True):
        trust = spread / (spread + error**2) if spread else 0.0
        ahead, half = (margin - usual) * trust, Z * error * trust**0.5
        found[one.ticket] = _revalued(one, float(ahead), float(half))
    return [found.get(one.ticket, one) for one in tickets]


def _revalued(one: TicketMeasures, ahead: float, half: float) -> TicketMeasures:
    """A ticket with its suggestion, from the points that its holders are ahead of others."""
    lever = max(LEAST_LEVER, 2 * (one.completed.value or 0.0) - 1)
    middle, reach = one.points - ahead / lever, half / lever
    low, high = middle - reach, middle + reach
    limit = max(1, round(one.points * LARGEST_CHANGE))
    fits = low - 0.5 <= one.points <= high + 0.5
    value = one.points if fits else round(min(max(middle, one.points - limit), one.points + limit))
    return replace(one, suggested=max(1, value), suggested_range=(low, high))
