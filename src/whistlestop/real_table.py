"""A real table as it lies: who has which tracks, stations, tickets and passengers. The engine counts it.

It is put into a `Game` that is over, so the count is the one of every other game. What the count does not need,
such as cards in hands, is left out and named as a gap. What no game comes to is refused with the reason, or taken all
the same and marked as odd: real boards are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from whistlestop.errors import WhistlestopError
from whistlestop.game import Game
from whistlestop.mapfile import MAX_PASSENGERS, Edition, load_edition
from whistlestop.names import check_name
from whistlestop.notation import Notation, notation_of
from whistlestop.positions import Oddity, tickets_named
from whistlestop.results import AS_IT_LIES, Result
from whistlestop.spelling import did_you_mean, many, shown

HOLDINGS = ("tracks", "stations", "tickets", "passengers")
"""What is entered for each player."""
FORCE_HINT = "if the board really lies so, it can be counted all the same: force=True, or --force"


class OddTable(WhistlestopError):  # noqa: N818  (named for what the reader sees)
    """A real table that no game comes to; it can be forced."""

    def __init__(self, texts: Sequence[str]) -> None:
        super().__init__("; ".join(texts), FORCE_HINT)
        self.texts = tuple(texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """What one player has at a real table; tracks and tickets in words or by number."""

    tracks: tuple[str | int, ...] = ()
    stations: tuple[str, ...] = ()
    """Cities."""
    tickets: tuple[str | int, ...] = ()
    passengers: Mapping[str, int] = field(default_factory=dict)
    """By colour."""


@dataclass(frozen=True, slots=True)
class Gap:
    """What a real table does not say; `code` names the kind."""

    code: str
    """cards: hands, piles and who was on turn; unfinished: nobody is out of trains; no_tickets: a player has none."""
    player: int | None = None

    def json(self) -> dict[str, Any]:
        """The gap as plain data."""
        return {"code": self.code, "player": self.player}


@dataclass(frozen=True, slots=True)
class Count:
    """The count of a real table; `print` it for a table of points."""

    game: Game
    """The table as a game that is over."""
    result: Result
    odd: tuple[Oddity, ...]
    gaps: tuple[Gap, ...]

    @property
    def odd_texts(self) -> tuple[str, ...]:
        """What is odd, in sentences."""
        return tuple(odd_text(self.game.edition, self.game.names, oddity) for oddity in self.odd)

    @property
    def gap_texts(self) -> tuple[str, ...]:
        """The gaps, in sentences."""
        return tuple(_gap_text(self.game, gap) for gap in self.gaps)

    def json(self) -> dict[str, Any]:
        """The count as plain data: the result as every game has it, and what to know about it."""
        return {
            "edition": self.game.edition.id,
            "result": self.result.json(),
            "odd": [{**one.json(), "text": text} for one, text in zip(self.odd, self.odd_texts, strict=True)],
            "gaps": [{**one.json(), "text": text} for one, text in zip(self.gaps, self.gap_texts, strict=True)],
        }

    def drawing(self, colours: Sequence[int]) -> dict[str, Any]:
        """What stands on the board, for `draw_board`: its pieces by the players' colours instead of their seats."""
        names = dict(zip(colours, self.game.names, strict=True))
        return {
            "owners": {track: colours[player] for track, player in self.game.owners().items()},
            "stations": {city: colours[player] for city, player in self.game.stations().items()},
            "path": [track for player in self.result.players if player.path for track in player.path_tracks],
            "names": [names.get(colour, "") for colour in range(max(colours) + 1)],
            "title": self.game.edition.name,
            "caption": " · ".join(f"{player.name} {player.total}" for player in self.result.players),
        }

    def __str__(self) -> str:
        notes = [*(f"odd: {text}" for text in self.odd_texts), *(f"note: {text}" for text in self.gap_texts)]
        return "\n".join([str(self.result), "", *notes])


@dataclass(frozen=True, slots=True)
class RealTable:
    """A real table: an edition, and the players with what they have."""

    edition: Edition
    names: tuple[str, ...]
    holdings: tuple[Holdings, ...]

    @classmethod
    def of(cls, edition: str | Path | Edition, players: Mapping[str, Holdings | Mapping[str, Any]]) -> RealTable:
        """A real table from an edition and what each player, by name, has."""
        found = edition if isinstance(edition, Edition) else load_edition(edition)
        held = [_holdings(name, given) for name, given in players.items()]
        table = cls(found, tuple(players), tuple(held))
        table.check()
        return table

    def check(self) -> None:
        """Refuse names and words that mean nothing here; the message says whose and which."""
        self.edition.check_players(len(self.names))
        for name in self.names:
            check_name(name)
        for name, held in zip(self.names, self.holdings, strict=True):
            for key in HOLDINGS:
                for word in getattr(held, key):
                    try:
                        check_word(self.edition, key, word, held.passengers.get(str(word), 0))
                    except WhistlestopError as error:
                        raise WhistlestopError(f"{name}: {key}: {error.message}", error.hint) from error

    def game(self) -> Game:
        """The table as a game that is over, with what is odd about it in its `oddities`."""
        try:
            return Game.position(
                self.edition,
                len(self.names),
                names=self.names,
                tracks=self._each("tracks"),
                stations=self._each("stations"),
                tickets=self._each("tickets"),
                collected={p: ", ".join(f"{n} {c}" for c, n in h.items()) for p, h in self._each("passengers").items()},
                over=True,
                odd=True,
            )
        except WhistlestopError as error:
            raise WhistlestopError(self._named(error.message), error.hint) from error

    def _each(self, key: str) -> dict[int, Any]:
        return {p: getattr(held, key) for p, held in enumerate(self.holdings) if getattr(held, key)}

    def _named(self, message: str) -> str:
        """A message about a position, with the name of the player it begins with."""
        return re.sub(r"^player (\d)(?= )", lambda match: self.names[int(match[1])], message)

    def count(self, *, force: bool = False) -> Count:
        """The engine's count; OddTable for what no game comes to, unless it is forced."""
        game = self.game()
        counted = Count(game, game.result(), game.oddities, ())
        if game.oddities and not force:
            raise OddTable(counted.odd_texts)
        if not game.oddities and (broken := game.status()):  # the engine's own check has the last word
            raise WhistlestopError(f"this table cannot be: {'; '.join(broken)}")
        return Count(game, counted.result, game.oddities, tuple(self._gaps(counted.result)))

    def _gaps(self, result: Result) -> Iterator[Gap]:
        yield Gap("cards")
        if result.ended_by == AS_IT_LIES:
            yield Gap("unfinished")
        for player, held in enumerate(self.holdings):
            if not held.tickets:
                yield Gap("no_tickets", player)


def score(
    edition: str | Path | Edition, players: Mapping[str, Holdings | Mapping[str, Any]], *, force: bool = False
) -> Count:
    """Count a real table: what each player, by name, has, as in

    `score("europe", {"Ada": {"tracks": ["Paris–Zürich"], "stations": ["Roma"], "tickets": ["Paris–Wien"]}, "Ben": {}})`

    Passengers are given by colour, `{"red": 2}`. Tracks and tickets can also be numbers. What no game comes to, such as
    one track of two players, raises `OddTable` and says why; with `force` it is counted as it lies and marked in `odd`.
    """
    return RealTable.of(edition, players).count(force=force)


# ---- words ----------------------------------------------------------------------------------------------------------
def _holdings(name: str, given: Holdings | Mapping[str, Any]) -> Holdings:
    if isinstance(given, Holdings):
        return given
    for key in given:
        if key not in HOLDINGS:
            hint = did_you_mean(key, HOLDINGS) or f"a player has {', '.join(HOLDINGS)}"
            raise WhistlestopError(f"{name}: unknown key `{key}`", hint)
    lists = {key: tuple(given.get(key, ())) for key in HOLDINGS[:-1]}
    return Holdings(**lists, passengers=dict(given.get("passengers", {})))


def check_word(edition: Edition, key: str, word: str | int, n: int = 0) -> None:
    """Refuse a word that names nothing of the edition; `n` is how many passengers of a colour are given."""
    notation = notation_of(edition)
    if key == "passengers":
        _check_passengers(notation, str(word), n)
    elif key == "stations":
        if not edition.stations:
            raise WhistlestopError(f"{edition.name} has no stations")
        notation.city_named(str(word))
    elif key == "tickets":
        tickets_named(notation, word)
    elif isinstance(word, str):
        notation.tracks_named(word)


def _check_passengers(notation: Notation, colour: str, n: int) -> None:
    if not notation.passengers:
        raise WhistlestopError(f"{notation.edition.name} has no passengers")
    if colour not in notation.passengers:
        raise WhistlestopError(f"{shown(colour)} is no passenger", f"they are {', '.join(notation.passengers)}")
    if not 0 <= n <= MAX_PASSENGERS:
        raise WhistlestopError(f"{n} {colour} passengers: give a number from 0 to {MAX_PASSENGERS}")


def odd_text(edition: Edition, names: Sequence[str], odd: Oddity) -> str:
    """An oddity in a sentence."""
    notation = notation_of(edition)
    who = "" if odd.player is None else names[odd.player]
    other = "" if odd.other is None else names[odd.other]
    track = "" if odd.track is None else notation.track_name(odd.track)
    ticket = "" if odd.ticket is None else notation.ticket_name(odd.ticket)
    return {
        "owned": f"{track} is {who}'s and {other}'s",
        "closed": f"{who} has {track}, but with {len(names)} players only one track of this route is used",
        "parallel": f"{who} has {track} and a parallel track of the same route",
        "trains": f"{who} has {many(odd.have or 0, 'train')} on the board, a player has {odd.most}",
        "station_taken": f"{odd.city} has stations of {other} and {who}",
        "ticket_taken": f"the ticket {ticket} is {other}'s and {who}'s",
        "passengers": f"{odd.have} {odd.colour} passengers were collected, the game has {odd.most}",
    }[odd.code]


def _gap_text(game: Game, gap: Gap) -> str:
    least = many(game.edition.last_round_trains, "train")
    return {
        "cards": "cards in hands, decks and discards are not known; the count needs none of them",
        "unfinished": f"nobody is down to {least} or fewer: counted as it lies",
        "no_tickets": f"{'' if gap.player is None else game.names[gap.player]} has no tickets",
    }[gap.code]
