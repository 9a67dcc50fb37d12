"""Actions in words: id ↔ text ↔ JSON, and what people type read kindly.

Texts are unique among the legal actions of a state, and the parser reads every text it writes. It also takes other
dashes, missing accents, the cities the other way round, other names of a city, and tickets by their number in the offer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from whistlestop.engine import layout as lay
from whistlestop.engine.tables import tables_of
from whistlestop.mapfile import COLOURS, GRAY, Edition, Ticket, Track

CARDS = (*COLOURS, "locomotive")
"""The nine kinds of card in the engine's order."""
_ORDINALS = ("1st", "2nd", "3rd")


class InvalidNotation(ValueError):  # noqa: N818  (named for what the reader sees)
    """A text that is no action; the message says what was not understood and what would be."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something a player can do: a number, its words, and its parts as data."""

    id: int
    kind: str
    text: str
    parts: tuple[tuple[str, Any], ...] = ()

    def json(self) -> dict[str, Any]:
        """The action as plain data: id, kind, text and the parts of its kind."""
        return {"id": self.id, "kind": self.kind, "text": self.text, **dict(self.parts)}

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Situation:
    """What the words of an action depend on besides its number."""

    phase: int
    offer: tuple[int, ...] = ()
    station_cost: int = 1
    colour: int = lay.NONE
    extra: int = 0
    place: str = ""


def fold(text: str) -> str:
    """A text without accents, capitals, fancy dashes and extra spaces: what two spellings of one thing share."""
    plain = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)).casefold()
    plain = plain.replace("ø", "o").replace("ß", "ss").replace("ı", "i").replace("ł", "l")
    return " ".join(re.sub(r"\s*[-‐‑‒–—―]+\s*", "-", plain).split())


def route_name(a: str, b: str) -> str:
    """Two ends as one name: Paris–Zürich."""
    return f"{a}–{b}"


def cards_text(counts: Iterable[tuple[str, int]]) -> str:
    """Cards in words: 2 purple, 1 locomotive."""
    return ", ".join(f"{n} {kind}{'s' if kind == 'locomotive' and n > 1 else ''}" for kind, n in counts if n)


class Notation:
    """The words of one edition."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        board = edition.board
        self.cities = tuple(city.name for city in board.cities)
        self.tickets: tuple[Ticket, ...] = tuple(ticket for deck in edition.decks for ticket in deck.tickets)
        self.passengers = tuple(board.passenger_colours)
        self.decks = tuple(deck.name for deck in edition.decks)
        self._tables = tables_of(edition)[0]
        self.station_first = int(self._tables.station_first)
        self.actions = int(self._tables.actions)
        self._twins = self._parallel()
        self._routes = self._route_keys()

    # -- names of things -------------------------------------------------------------------------------------------
    def _parallel(self) -> dict[int, list[int]]:
        """For each track the tracks between the same cities, itself included, in board order."""
        pairs: dict[frozenset[int], list[int]] = {}
        for i, track in enumerate(self.edition.board.tracks):
            pairs.setdefault(frozenset((track.a, track.b)), []).append(i)
        return {i: tracks for tracks in pairs.values() for i in tracks}

    def _route_keys(self) -> dict[str, list[int]]:
        """Every way to write a route, folded: its tracks."""
        keys: dict[str, list[int]] = {}
        cities = self.edition.board.cities
        for i, track in enumerate(self.edition.board.tracks):
            ends = [{fold(name) for name in (city.name, *city.aliases)} for city in (cities[track.a], cities[track.b])]
            for a in ends[0]:
                for b in ends[1]:
                    keys.setdefault(f"{a}-{b}", []).append(i)
                    keys.setdefault(f"{b}-{a}", []).append(i)
        return keys

    def qualifier(self, track: int) -> str:
        """What tells a track from its parallel ones: its colour, or its place among those of one colour; "" if it is alone."""
        twins = self._twins[track]
        if len(twins) == 1:
            return ""
        tracks = self.edition.board.tracks
        same = [i for i in twins if tracks[i].colour == tracks[track].colour]
        return tracks[track].colour if len(same) == 1 else _ORDINALS[same.index(track)]

    def track_name(self, track: int) -> str:
        """A track in words, told from its parallel ones."""
        line = self.edition.board.tracks[track]
        name = route_name(self.cities[line.a], self.cities[line.b])
        qualifier = self.qualifier(track)
        return f"{name} ({qualifier})" if qualifier else name

    def ticket_name(self, ticket: int) -> str:
        """A ticket in words, without its points."""
        return route_name(self.tickets[ticket].a, self.tickets[ticket].b)

    def claim(self, action: int) -> tuple[int, int, int]:
        """Track, colour and number of locomotives of a claim."""
        offset = action - lay.CLAIM
        t = self._tables
        return int(t.claim_track[offset]), int(t.claim_colour[offset]), int(t.claim_locos[offset])

    def claims(self, track: int) -> range:
        """All claims of a track."""
        return range(lay.CLAIM + int(self._tables.claim_first[track]), lay.CLAIM + int(self._tables.claim_first[track + 1]))

    # -- id → words ------------------------------------------------------------------------------------------------
    def action(self, action: int, situation: Situation) -> Action:
        """The action with this number, in the words of a situation."""
        if action >= self.station_first:
            return self._station(action, situation)
        if action >= lay.CLAIM:
            return self._claim(action)
        if action >= lay.TAKE_PASSENGER:
            return self._passenger(action, situation)
        if action >= lay.PAY_EXTRA:
            return self._extra(action, situation)
        if action >= lay.KEEP:
            return self._keep(action, situation)
        if action >= lay.DRAW_TICKETS:
            return self._mix(action, situation)
        if action >= lay.DRAW_FACE_UP:
            card = CARDS[action - lay.DRAW_FACE_UP]
            return Action(action, "draw_face_up", f"draw {card}", (("card", card),))
        if action == lay.DRAW_BLIND:
            return Action(action, "draw_blind", "draw blind")
        return Action(action, "pass", "pass")

    def _payment(self, colour: int, plain: int, locos: int) -> tuple[tuple[str, int], ...]:
        counts = ((CARDS[colour], plain),) if colour != lay.LOCO and plain else ()
        return (*counts, ("locomotive", locos)) if locos else counts

    def _claim(self, action: int) -> Action:
        track, colour, locos = self.claim(action)
        line: Track = self.edition.board.tracks[track]
        cards = self._payment(colour, line.length - locos, locos)
        parts = (("track", track), ("from", self.cities[line.a]), ("to", self.cities[line.b]), ("cards", dict(cards)))
        return Action(action, "claim", f"claim {self.track_name(track)} with {cards_text(cards)}", parts)

    def _station(self, action: int, situation: Situation) -> Action:
        city, payment = divmod(action - self.station_first, lay.STATION_PAYMENTS)
        n = situation.station_cost
        if payment == lay.ALL_LOCO_STATION:
            cards = self._payment(lay.LOCO, 0, n)
        else:
            colour, locos = divmod(payment, lay.MAX_STATIONS)
            cards = self._payment(colour, n - locos, locos)
        text = f"build station in {self.cities[city]} with {cards_text(cards)}"
        return Action(action, "station", text, (("city", self.cities[city]), ("cards", dict(cards))))

    def _passenger(self, action: int, situation: Situation) -> Action:
        if action == lay.TAKE_NONE:
            return Action(
                action, "take_passenger", f"take no passenger at {situation.place}", (("at", situation.place), ("passenger", None))
            )
        colour = self.passengers[action - lay.TAKE_PASSENGER]
        text = f"take {colour} passenger at {situation.place}"
        return Action(action, "take_passenger", text, (("at", situation.place), ("passenger", colour)))

    def _extra(self, action: int, situation: Situation) -> Action:
        if action == lay.GIVE_UP:
            return Action(action, "give_up", "give up")
        locos = action - lay.PAY_EXTRA
        cards = self._payment(situation.colour, situation.extra - locos, locos)
        return Action(action, "pay_extra", f"pay {cards_text(cards)}", (("cards", dict(cards)),))

    def _keep(self, action: int, situation: Situation) -> Action:
        kept = [i for i in range(len(situation.offer)) if (action - lay.KEEP) >> i & 1]
        names = [self.ticket_name(situation.offer[i]) for i in kept]
        return Action(action, "keep", f"keep {', '.join(names) or 'none'}", (("kept", tuple(kept)), ("tickets", tuple(names))))

    def _mix(self, action: int, situation: Situation) -> Action:
        second = action - lay.DRAW_TICKETS
        announcing = situation.phase == lay.ANNOUNCE
        if not announcing and not self._tables.mixed_draw:
            return Action(action, "draw_tickets", "draw tickets")
        total = int(self._tables.deal_counts[0, 0]) if announcing else situation.extra
        mix = {self.decks[1]: second, self.decks[0]: total - second}
        words = ", ".join(f"{n} {deck}" for deck, n in mix.items() if n)
        if announcing:
            return Action(action, "announce", f"announce {words}", (("mix", mix),))
        return Action(action, "draw_tickets", f"draw tickets: {words}", (("mix", mix),))

    # -- words → id ------------------------------------------------------------------------------------------------
    def parse_claim(self, text: str) -> list[int]:
        """All claims that a text can mean: one route, perhaps one of its tracks, perhaps one payment."""
        head, _, payment = fold(text).removeprefix("claim ").rpartition(" with ")
        if not head:
            head, payment = payment, ""
        tracks = self._tracks_named(head.strip())
        claims = [claim for track in tracks for claim in self.claims(track)]
        if not payment:
            return claims
        wanted = parse_cards(payment)
        return [claim for claim in claims if dict(self._claim(claim).parts)["cards"] == wanted]

    def _tracks_named(self, head: str) -> list[int]:
        if head in self._routes:
            return self._routes[head]
        match = re.fullmatch(r"(.+?) ?\(?\b(" + "|".join((*COLOURS, GRAY, *_ORDINALS)) + r")\)?", head)
        if match and match[1] in self._routes:
            return [i for i in self._routes[match[1]] if match[2] in (self.qualifier(i), self.edition.board.tracks[i].colour)]
        raise InvalidNotation(f"no route {head!r} on this board{self._nearest_route(head)}")

    def _nearest_route(self, head: str) -> str:
        from difflib import get_close_matches

        near = get_close_matches(head, self._routes, 1, 0.5)
        if not near:
            return ""
        track = self.edition.board.tracks[self._routes[near[0]][0]]
        return f"\nhint: did you mean {route_name(self.cities[track.a], self.cities[track.b])}?"


def parse_cards(text: str) -> dict[str, int]:
    """Cards in words as counts: "2 purple, 1 locomotive" or "purple purple loco"."""
    counts: dict[str, int] = {}
    for number, word in re.findall(r"(\d+)?\s*([a-z]+)", fold(text)):
        if word in ("and", "x"):
            continue
        card = "locomotive" if word in ("locomotive", "locomotives", "loco", "locos", "wild", "wilds") else word
        if card not in CARDS:
            raise InvalidNotation(f"{word!r} is no card\nhint: the cards are {', '.join(CARDS)}")
        counts[card] = counts.get(card, 0) + int(number or 1)
    return counts


@lru_cache(maxsize=64)
def notation_of(edition: Edition) -> Notation:
    """The edition's notation, made once."""
    return Notation(edition)


def match_text(text: str, legal: Sequence[Action]) -> Action | None:
    """The legal action of this text, however it is spelt; tickets may be given by their numbers in the offer."""
    wanted = fold(text)
    for action in legal:
        if fold(action.text) == wanted:
            return action
    if numbers := re.fullmatch(r"keep ((?:\d+[ ,]*)+)", wanted):
        kept = tuple(sorted({int(n) - 1 for n in re.findall(r"\d+", numbers[1])}))
        return next((a for a in legal if a.kind == "keep" and dict(a.parts)["kept"] == kept), None)
    if wanted.startswith("keep "):
        return _match_kept(wanted, legal)
    return None


def _match_kept(wanted: str, legal: Sequence[Action]) -> Action | None:
    """A choice of tickets named in any order."""
    names = sorted(name.strip() for name in wanted.removeprefix("keep ").split(","))
    for action in legal:
        if action.kind == "keep" and sorted(fold(name) for name in dict(action.parts)["tickets"]) == names:
            return action
    return None
