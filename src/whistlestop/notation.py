"""Actions in words: id ↔ text ↔ JSON, and what people type read kindly.

Texts are unique among the legal actions of a state, and the parser reads every text it writes. It also takes other
dashes, missing accents, the cities the other way round, other names of a city, and tickets by their number.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from whistlestop.engine import layout as lay
from whistlestop.engine.tables import tables_of
from whistlestop.errors import IllegalAction, InvalidNotation
from whistlestop.mapfile import CARDS, EDITIONS_KEPT, GRAY, Edition, Ticket
from whistlestop.spelling import fold, loose, many, nearest, shown, spellings

LONGEST_TEXT = 1000
"""No action of any board has a longer text."""
Cards = tuple[tuple[str, int], ...]
"""Kinds of card and how many of each."""

_ORDINALS = ("1st", "2nd", "3rd")
_LOCOMOTIVE = ("locomotive", "locomotives", "loco", "locos", "wild", "wilds")
_CARDS_HINT = "cards are written like: 2 purple, 1 locomotive"


@dataclass(frozen=True, slots=True)
class Action:
    """Something a player can do: a number, its words, and what its kind says besides, as data."""

    id: int
    kind: str
    """claim, station, draw_face_up, draw_blind, draw_tickets, announce, keep, pay_extra, give_up, take_passenger or
    pass."""
    text: str
    track: int | None = field(default=None, repr=False)
    """The track of a claim, by its index in `board.tracks`."""
    ends: tuple[str, str] | None = field(default=None, repr=False)
    """The two cities of a claim."""
    city: str | None = field(default=None, repr=False)
    """Where a station is built."""
    cards: Cards = field(default=(), repr=False)
    """What a claim, a station or a tunnel is paid with."""
    card: str | None = field(default=None, repr=False)
    """The face-up card that is drawn."""
    mix: Cards = field(default=(), repr=False)
    """How many tickets come from each deck, by its name; empty where there is one deck to draw from."""
    kept: tuple[int, ...] = field(default=(), repr=False)
    """Tickets that are kept, by their place in the offer, from 0."""
    tickets: tuple[str, ...] = field(default=(), repr=False)
    """The same tickets in words."""
    place: str | None = field(default=None, repr=False)
    """Where a passenger is taken."""
    passenger: str | None = field(default=None, repr=False)
    """The colour of that passenger; None for nobody."""

    def json(self) -> dict[str, Any]:
        """The action as plain data: id, kind, text and what belongs to its kind."""
        plain: dict[str, Any] = {"id": self.id, "kind": self.kind, "text": self.text}
        if self.ends:
            plain |= {"track": self.track, "from": self.ends[0], "to": self.ends[1], "cards": dict(self.cards)}
        elif self.city is not None:
            plain |= {"city": self.city, "cards": dict(self.cards)}
        elif self.card is not None:
            plain["card"] = self.card
        elif self.mix:
            plain["mix"] = dict(self.mix)
        elif self.kind == "keep":
            plain |= {"kept": list(self.kept), "tickets": list(self.tickets)}
        elif self.kind == "pay_extra":
            plain["cards"] = dict(self.cards)
        elif self.kind == "take_passenger":
            plain |= {"at": self.place, "passenger": self.passenger}
        return plain

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Situation:
    """What the words of an action depend on besides its number."""

    phase: int = lay.TURN
    offer: tuple[int, ...] = ()
    station_cost: int = 1
    colour: int = lay.NONE
    """Colour played for a tunnel."""
    extra: int = 0
    """Cards a tunnel costs more; in other phases tickets that are drawn or announced together."""
    place: str = ""


_BLIND_DRAW = Action(lay.DRAW_BLIND, "draw_blind", "draw blind")
_FACE_UP_DRAWS = tuple(
    Action(lay.DRAW_FACE_UP + kind, "draw_face_up", f"draw {card}", card=card) for kind, card in enumerate(CARDS)
)
_TICKET_DRAW = Action(lay.DRAW_TICKETS, "draw_tickets", "draw tickets")
_GIVE_UP = Action(lay.GIVE_UP, "give_up", "give up")
_PASS = Action(lay.PASS, "pass", "pass")


# ---- names of things ----------------------------------------------------------------------------------------------
def route_name(a: str, b: str) -> str:
    """Two ends as one name: Paris–Zürich."""
    return f"{a}–{b}"


def cards_text(counts: Iterable[tuple[str, int]]) -> str:
    """Cards in words: 2 purple, 1 locomotive."""
    return ", ".join(many(n, kind) if kind == CARDS[lay.LOCO] else f"{n} {kind}" for kind, n in counts if n)


def payment(colour: int, plain: int, locos: int) -> Cards:
    """Cards of a colour and locomotives, without kinds of which there are none."""
    counts = ((CARDS[colour], plain),) if colour != lay.LOCO and plain else ()
    return (*counts, (CARDS[lay.LOCO], locos)) if locos else counts


def parse_cards(text: str) -> dict[str, int]:
    """Cards in words as counts: "2 purple, 1 locomotive" or "purple purple loco"."""
    counts: dict[str, int] = {}
    number: int | None = None
    for token in re.findall(r"\d+|[^\W\d]+|[^\w\s]", fold(text)):
        if token in (",", "+", "&", "×", "*", ";", "and", "x", "card", "cards"):
            continue
        if token.isdecimal():
            if number is not None:
                raise InvalidNotation(f"{shown(text)}: a number stands without its card", _CARDS_HINT)
            number = int(token[:4])
            continue
        card = card_named(token)
        counts[card] = counts.get(card, 0) + (1 if number is None else number)
        number = None
    if number is not None or not counts:
        raise InvalidNotation(f"{shown(text)}: which cards?", _CARDS_HINT)
    return {card: counts[card] for card in CARDS if counts.get(card)}


def card_named(word: str) -> str:
    """The card that a word means."""
    word = fold(word)
    card = CARDS[lay.LOCO] if word in _LOCOMOTIVE else "purple" if word == "pink" else word
    if card not in CARDS:
        near = nearest(word, (*CARDS, *_LOCOMOTIVE))
        hint = f"did you mean {near}?" if near else f"the cards are {', '.join(CARDS)}"
        raise InvalidNotation(f"{shown(word)} is no card", hint)
    return card


class Kept(dict[Any, Any]):
    """Things that can be made again, under what they are made of; when there are many, all are forgotten."""

    MOST = 4096

    def __setitem__(self, key: Any, value: Any) -> None:
        if len(self) >= self.MOST:
            self.clear()
        super().__setitem__(key, value)


class Notation:
    """The words of one edition."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        board = edition.board
        self.cities = tuple(city.name for city in board.cities)
        self.tickets: tuple[Ticket, ...] = tuple(ticket for deck in edition.decks for ticket in deck.tickets)
        self.passengers = tuple(board.passenger_colours)
        self.decks = tuple(deck.name for deck in edition.decks)
        tables = tables_of(edition)[0]
        self.station_first = int(tables.station_first)
        self.actions = int(tables.actions)
        self.mixed_draw = bool(tables.mixed_draw)
        n = int(tables.claims)
        self._claim_parts = list(
            zip(
                tables.claim_track[:n].tolist(),
                tables.claim_colour[:n].tolist(),
                tables.claim_locos[:n].tolist(),
                strict=True,
            )
        )
        self._claim_first: list[int] = tables.claim_first[: len(board.tracks) + 1].tolist()
        self._made: dict[int, tuple[Action, ...]] = {}
        self.made: dict[Any, Any] = {}
        """What others make of the edition's words once, to keep it as long as these."""
        self.kept = Kept()
        """What others make of the edition's words again and again."""
        self._twins = {track: tracks for tracks in board.routes().values() for track in tracks}
        """For each track all tracks of its route, itself included, in board order."""
        self._routes, self._loose_routes = self._route_keys()
        self._cities = self._city_keys()

    # -- names of things -------------------------------------------------------------------------------------------
    def _route_keys(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        """Every way to write a route, folded, and without punctuation: its tracks."""
        keys: dict[str, list[int]] = {}
        cities = self.edition.board.cities
        names = [spellings((city.name, *city.aliases)) for city in cities]
        for i, track in enumerate(self.edition.board.tracks):
            for a in names[track.a]:
                for b in names[track.b]:
                    for key in (f"{a}-{b}", f"{b}-{a}"):
                        if i not in keys.setdefault(key, []):
                            keys[key].append(i)
        plain: dict[str, list[int]] = {}
        for key, tracks in keys.items():
            plain.setdefault(loose(key), tracks)
        return keys, plain

    def _city_keys(self) -> dict[str, list[int]]:
        """Every way to write a city: its number; several cities where the spelling leaves it open."""
        keys: dict[str, list[int]] = {}
        for i, city in enumerate(self.edition.board.cities):
            for name in spellings((city.name, *city.aliases)):
                for key in dict.fromkeys((name, loose(name))):
                    keys.setdefault(key, []).append(i)
        return keys

    def qualifier(self, track: int) -> str:
        """What tells a track from parallel ones: its colour, or its place among those of one colour; "" if alone."""
        twins = self._twins[track]
        if len(twins) == 1:
            return ""
        tracks = self.edition.board.tracks
        same = [i for i in twins if tracks[i].colour == tracks[track].colour]
        return tracks[track].colour if len(same) == 1 else _ORDINALS[same.index(track)]

    def track_name(self, track: int) -> str:
        """A track in words, told from its parallel ones."""
        qualifier = self.qualifier(track)
        return f"{self.route_of(track)} ({qualifier})" if qualifier else self.route_of(track)

    def route_of(self, track: int) -> str:
        """The route of a track in words."""
        line = self.edition.board.tracks[track]
        return route_name(self.cities[line.a], self.cities[line.b])

    def ticket_name(self, ticket: int) -> str:
        """A ticket in words, without its points."""
        return route_name(self.tickets[ticket].a, self.tickets[ticket].b)

    def price(self, track: int) -> str:
        """What a track costs in words."""
        line = self.edition.board.tracks[track]
        kind = f"{line.colour} " if line.colour != GRAY else ""
        colour = " of one colour" if line.colour == GRAY and line.length - line.ferry > 1 else ""
        symbols = f", at least {many(line.ferry, 'locomotive')} among them" if line.ferry else ""
        return f"{many(line.length, kind + 'card')}{colour}{symbols} (locomotives stand in for any)"

    def claim(self, action: int) -> tuple[int, int, int]:
        """Track, colour and number of locomotives of a claim."""
        return self._claim_parts[action - lay.CLAIM]

    def claims(self, track: int) -> range:
        """All claims of a track."""
        return range(lay.CLAIM + self._claim_first[track], lay.CLAIM + self._claim_first[track + 1])

    def station(self, action: int, cost: int) -> tuple[int, Cards]:
        """City and cards of a station that costs so many cards."""
        city, way = divmod(action - self.station_first, lay.STATION_PAYMENTS)
        colour, locos = (lay.LOCO, cost) if way == lay.ALL_LOCO_STATION else divmod(way, lay.MAX_STATIONS)
        return city, payment(colour, cost - locos, locos)

    # -- id → words ------------------------------------------------------------------------------------------------
    def action(self, action: int, situation: Situation) -> Action:
        """The action with this number, in the words of a situation."""
        return self._simple(action, situation) if action < lay.CLAIM else self._large(situation)[action - lay.CLAIM]

    def in_words(self, actions: Iterable[int], situation: Situation) -> list[Action]:
        """Many actions at once, sorted by number; claims and stations, which are many, were made before."""
        numbers = sorted(actions)
        small = bisect_left(numbers, lay.CLAIM)
        large = self._large(situation) if small < len(numbers) else ()
        return [self._simple(a, situation) for a in numbers[:small]] + [large[a - lay.CLAIM] for a in numbers[small:]]

    def _large(self, situation: Situation) -> tuple[Action, ...]:
        """All claims and stations by number from CLAIM on, stations at their present cost; made once."""
        cost = situation.station_cost
        if cost not in self._made:
            claims = next(iter(self._made.values()), ())[: len(self._claim_parts)]
            claims = claims or tuple(self._claim(action) for action in range(lay.CLAIM, self.station_first))
            self._made[cost] = claims + tuple(
                self._station(action, cost) for action in range(self.station_first, self.actions)
            )
        return self._made[cost]

    def _simple(self, action: int, situation: Situation) -> Action:
        if action >= lay.TAKE_PASSENGER:
            return self._passenger(action, situation)
        if action >= lay.PAY_EXTRA:
            return self._extra(action, situation)
        if action >= lay.KEEP:
            return self._keep(action, situation)
        if action >= lay.DRAW_TICKETS:
            return self._mix(action, situation)
        if action >= lay.DRAW_FACE_UP:
            return _FACE_UP_DRAWS[action - lay.DRAW_FACE_UP]
        return _BLIND_DRAW if action == lay.DRAW_BLIND else _PASS

    def _claim(self, action: int) -> Action:
        track, colour, locos = self.claim(action)
        line = self.edition.board.tracks[track]
        cards = payment(colour, line.length - locos, locos)
        text = f"claim {self.track_name(track)} with {cards_text(cards)}"
        return Action(action, "claim", text, track, (self.cities[line.a], self.cities[line.b]), cards=cards)

    def _station(self, action: int, cost: int) -> Action:
        city, cards = self.station(action, cost)
        text = f"build station in {self.cities[city]} with {cards_text(cards)}"
        return Action(action, "station", text, city=self.cities[city], cards=cards)

    def _passenger(self, action: int, situation: Situation) -> Action:
        place = situation.place
        colours = dict(enumerate(self.passengers, lay.TAKE_PASSENGER))
        where = f" at {place}" if place else ""
        if action == lay.TAKE_NONE:
            return Action(action, "take_passenger", f"take no passenger{where}", place=place)
        colour = colours.get(action, f"unknown {action - lay.TAKE_PASSENGER + 1}")
        return Action(action, "take_passenger", f"take {colour} passenger{where}", place=place, passenger=colour)

    def _extra(self, action: int, situation: Situation) -> Action:
        if action == lay.GIVE_UP:
            return _GIVE_UP
        locos = action - lay.PAY_EXTRA
        cards = payment(situation.colour, max(situation.extra - locos, 0), locos)
        return Action(action, "pay_extra", f"pay {cards_text(cards) or 'nothing'}", cards=cards)

    def _keep(self, action: int, situation: Situation) -> Action:
        subset = action - lay.KEEP
        kept = tuple(i for i in range(len(situation.offer)) if subset >> i & 1)
        names = tuple(self.ticket_name(situation.offer[i]) for i in kept)
        return Action(action, "keep", f"keep {', '.join(names) or 'none'}", kept=kept, tickets=names)

    def _mix(self, action: int, situation: Situation) -> Action:
        second = action - lay.DRAW_TICKETS
        announcing = situation.phase == lay.ANNOUNCE
        if len(self.decks) < 2 or not (announcing or self.mixed_draw):
            return _TICKET_DRAW if second == 0 else Action(action, "draw_tickets", "draw tickets")
        mix = ((self.decks[1], second), (self.decks[0], max(situation.extra - second, 0)))
        words = ", ".join(f"{n} {deck}" for deck, n in mix if n)
        if announcing:
            return Action(action, "announce", f"announce {words}", mix=mix)
        return Action(action, "draw_tickets", f"draw tickets: {words}", mix=mix)

    # -- words → id ------------------------------------------------------------------------------------------------
    def meant(self, text: str, situation: Situation) -> list[int]:
        """All actions that a text can mean, legal or not: several where it leaves a payment, a track or a mix open.

        InvalidNotation if it is no action at all, IllegalAction if it contradicts what is asked for now.
        """
        if len(text) > LONGEST_TEXT:
            raise InvalidNotation(f"{shown(text)}: a text of {len(text)} characters is no action")
        plain = fold(text)
        verb, _, rest = plain.partition(" ")
        readers = {
            "claim": self._read_claim, "build": self._read_station, "station": self._read_station,
            "draw": self._read_draw, "keep": self._read_keep, "announce": self._read_announce, "pay": self._read_pay,
            "give": self._read_give_up, "take": self._read_passenger, "pass": self._read_pass,
        }  # fmt: skip
        if verb not in readers:
            near = nearest(verb, readers)
            hint = f"did you mean {near}?" if near else f"an action begins with {', '.join(readers)}"
            raise InvalidNotation(f"{shown(text)} is no action", hint)
        try:
            return readers[verb](rest, situation)
        except (InvalidNotation, IllegalAction) as error:
            raise type(error)(_as_typed(error.message, text), error.hint) from None

    def _read_pass(self, rest: str, _situation: Situation) -> list[int]:
        if rest:
            raise InvalidNotation(f"{shown(rest)}: nothing can stand after pass", "write: pass")
        return [lay.PASS]

    def _read_give_up(self, rest: str, _situation: Situation) -> list[int]:
        if rest != "up":
            raise InvalidNotation(f"{shown(f'give {rest}'.strip())} is no action", "did you mean: give up")
        return [lay.GIVE_UP]

    def _read_claim(self, rest: str, _situation: Situation) -> list[int]:
        head, _, cards = rest.rpartition(" with ")
        if not head:
            head, cards = rest, ""
        tracks = self.tracks_named(head.strip())
        if not cards:
            return [claim for track in tracks for claim in self.claims(track)]
        wanted = parse_cards(cards)
        found = [claim for track in tracks for claim in self.claims(track) if dict(self.claim_cards(claim)) == wanted]
        if not found:
            name = self.track_name(tracks[0]) if len(tracks) == 1 else self.route_of(tracks[0])
            prices = " or ".join(dict.fromkeys(self.price(track) for track in tracks))
            raise IllegalAction(f"cannot claim {name} with {cards_text(wanted.items())}: it takes {prices}")
        return found

    def claim_cards(self, claim: int) -> Cards:
        """What a claim is paid with."""
        track, colour, locos = self.claim(claim)
        return payment(colour, self.edition.board.tracks[track].length - locos, locos)

    def tracks_named(self, head: str) -> list[int]:
        """The tracks that a route means: several where it does not say which of parallel ones."""
        typed, head = head, fold(head)
        if not head:
            raise InvalidNotation("claim what?", f"write for example: {self._claim(lay.CLAIM).text}")
        for name in (head, head.replace(" to ", "-")):
            if found := self._routes.get(name) or self._loose_routes.get(loose(name)):
                return found
        words = head.replace("(", " ").replace(")", " ").split()
        if words and words[-1] in (*CARDS[: lay.LOCO], GRAY, *_ORDINALS):
            tracks = self.tracks_named(" ".join(words[:-1]))
            if found := [i for i in tracks if words[-1] in (self.qualifier(i), self.edition.board.tracks[i].colour)]:
                return found
            there = ", ".join(self.track_name(i) for i in tracks)
            raise InvalidNotation(f"{self.route_of(tracks[0])} has no {words[-1]} track", f"there is {there}")
        raise InvalidNotation(f"there is no route {shown(typed)} on this board", self._route_hint(head))

    def _route_hint(self, head: str) -> str:
        """Help for a route that is not there: where one can go from a city that is, or the nearest route."""
        ends = [
            self._cities.get(end.strip()) or self._cities.get(loose(end)) or [] for end in re.split(r"-| to ", head)
        ]
        known = [cities[0] for cities in ends if cities]
        near = nearest(head, self._routes)
        if near and len(known) < 2:
            return f"did you mean {self.route_of(self._routes[near][0])}?"
        if known:
            tracks = (i for i, track in enumerate(self.edition.board.tracks) if known[0] in (track.a, track.b))
            return f"there is {', '.join(dict.fromkeys(self.route_of(i) for i in tracks))}"
        return ""

    def city_named(self, name: str) -> int:
        """The city that a name means."""
        typed, name = name, fold(name)
        cities = self._cities.get(name) or self._cities.get(loose(name)) or []
        if len(cities) == 1:
            return cities[0]
        if cities:
            raise InvalidNotation(
                f"{shown(typed)} can be {' or '.join(self.cities[c] for c in cities)}", "write it as it stands here"
            )
        near = nearest(name, self._cities)
        hint = f"did you mean {self.cities[self._cities[near][0]]}?" if near else None
        raise InvalidNotation(f"there is no city {shown(typed)} on this board", hint)

    def _read_station(self, rest: str, situation: Situation) -> list[int]:
        match = re.fullmatch(r"(?:(?:a )?station(?: |$))?(?:(?:in|at) )?(.+?)(?: with (.+))?", rest)
        if not match:
            raise InvalidNotation(
                "build a station where?", f"write for example: build station in {self.cities[0]} with 1 red"
            )
        if not self.edition.stations:
            raise IllegalAction(f"cannot build a station: {self.edition.name} has none")
        city, cost = self.city_named(match[1]), situation.station_cost
        first = self.station_first + city * lay.STATION_PAYMENTS
        ways = [a for a in range(first, first + lay.STATION_PAYMENTS) if _payable(a - first, cost)]
        if not match[2]:
            return ways
        wanted = parse_cards(match[2])
        found = [a for a in ways if dict(self.station(a, cost)[1]) == wanted]
        if not found and cost <= lay.MAX_STATIONS:
            price = (
                f"your {_ORDINALS[cost - 1]} station costs {many(cost, 'card')}{' of one colour' if cost > 1 else ''}"
            )
            place = f"build station in {self.cities[city]} with {cards_text(wanted.items())}"
            raise IllegalAction(f"cannot {place}: {price} (locomotives stand in for any)")
        return found or [first]

    def _read_draw(self, rest: str, situation: Situation) -> list[int]:
        if match := re.fullmatch(r"(?:destination )?tickets?(?::? (.+))?", rest):
            return self._read_mix(match[1] or "", situation)
        if rest in (
            "blind",
            "blindly",
            "deck",
            "from deck",
            "from the deck",
            "a card from the deck",
            "card from deck",
            "face down",
        ):
            return [lay.DRAW_BLIND]
        if not rest:
            raise InvalidNotation("draw what?", "write draw blind, draw tickets, or a face-up card as in draw red")
        word = re.sub(r"^(?:an? |the |1 )?(?:face-up )?|(?: card)?$", "", rest)
        return [lay.DRAW_FACE_UP + CARDS.index(card_named(word))]

    def _read_announce(self, rest: str, situation: Situation) -> list[int]:
        if situation.phase != lay.ANNOUNCE:
            raise IllegalAction("cannot announce tickets: that is done once, before the first tickets are dealt")
        return self._read_mix(rest, situation)

    def _read_mix(self, rest: str, situation: Situation) -> list[int]:
        """How many tickets come from each deck; with one deck to draw from there is nothing to say."""
        mixed = len(self.decks) > 1 and (self.mixed_draw or situation.phase == lay.ANNOUNCE)
        ways = range(lay.DRAW_TICKETS, lay.DRAW_TICKETS + (situation.extra if mixed else 0) + 1)
        if not rest or not mixed:
            if rest and parse_count(rest) is None:
                raise InvalidNotation(
                    f"draw tickets {shown(rest)}: there is one deck to draw from", "write: draw tickets"
                )
            return list(ways)
        mix = self._parse_mix(rest)
        if sum(mix.values()) != situation.extra:
            raise IllegalAction(f"cannot draw {many(sum(mix.values()), 'ticket')}: it must be {situation.extra} in all")
        return [lay.DRAW_TICKETS + mix.get(self.decks[1], 0)]

    def _parse_mix(self, text: str) -> dict[str, int]:
        mix: dict[str, int] = {}
        for number, word in re.findall(r"(\d{1,3})? *([^\d\s,+&]+)", text):
            if word in ("and", "ticket", "tickets"):
                continue
            if word not in self.decks:
                decks = " and ".join(self.decks)
                raise InvalidNotation(
                    f"{shown(word)} is no ticket deck",
                    f"the decks are {decks}, as in: 2 {self.decks[1]}, 2 {self.decks[0]}",
                )
            mix[word] = mix.get(word, 0) + int(number or 1)
        if not mix:
            raise InvalidNotation(
                f"{shown(text)}: how many of which deck?", f"write for example 2 {self.decks[1]}, 2 {self.decks[0]}"
            )
        return mix

    def _read_keep(self, rest: str, situation: Situation) -> list[int]:
        """Tickets of the offer by number or by name, in any order."""
        if not situation.offer:
            raise IllegalAction("cannot keep tickets: none are in front of you to choose from", "draw tickets first")
        if rest in ("none", "nothing", "no tickets", "no ticket"):
            return [lay.KEEP]
        if rest in ("all", "all tickets", "everything"):
            return [lay.KEEP + (1 << len(situation.offer)) - 1]
        if re.fullmatch(r"(?:\d+[ ,&]*(?:and )?)+", rest):
            picks = [int(n) for n in re.findall(r"\d+", rest)]
        else:
            names = [name.strip() for name in re.split(r", ?(?:and )?| and ", rest)]
            picks = [self._offered(name, situation) for name in names if name]
        if not picks:
            raise InvalidNotation("keep what?", f"{self._offer_hint(situation)}")
        for pick in picks:
            if not 1 <= pick <= len(situation.offer):
                raise IllegalAction(
                    f"cannot keep ticket {str(pick)[:20]}: there are {len(situation.offer)}",
                    f"{self._offer_hint(situation)}",
                )
        return [lay.KEEP + sum(1 << (pick - 1) for pick in set(picks))]

    def _offered(self, name: str, situation: Situation) -> int:
        """Number in the offer, from 1, of a ticket named by its ends in either order."""
        for number, ticket in enumerate(situation.offer, 1):
            if self.is_ticket(ticket, name):
                return number
        raise IllegalAction(
            f"cannot keep {shown(name)}: that ticket is not in front of you", f"{self._offer_hint(situation)}"
        )

    def is_ticket(self, ticket: int, name: str) -> bool:
        """Whether a name means a ticket: its ends in either order, with or without its points."""
        key = loose(re.sub(r" ?\(\d+\)$", "", name).replace(" to ", "-"))
        ends = [self._end_names(end) for end in (self.tickets[ticket].a, self.tickets[ticket].b)]
        return any(key in (loose(f"{a}-{b}"), loose(f"{b}-{a}")) for a in ends[0] for b in ends[1])

    def _end_names(self, end: str) -> list[str]:
        aliases = next((city.aliases for city in self.edition.board.cities if city.name == end), ())
        return spellings((end, *aliases))

    def _offer_hint(self, situation: Situation) -> str:
        return "the tickets are " + ", ".join(f"{i} {self.ticket_name(t)}" for i, t in enumerate(situation.offer, 1))

    def _read_pay(self, rest: str, situation: Situation) -> list[int]:
        if situation.phase != lay.TUNNEL:
            raise IllegalAction("cannot pay: no tunnel asks for more cards")
        wanted = parse_cards(rest)
        locos = wanted.get(CARDS[lay.LOCO], 0)
        if locos <= situation.extra and wanted == dict(payment(situation.colour, situation.extra - locos, locos)):
            return [lay.PAY_EXTRA + locos]
        plain = "" if situation.colour == lay.LOCO else f"{CARDS[situation.colour]} or "
        raise IllegalAction(
            f"cannot pay {cards_text(wanted.items())}: the tunnel asks for {situation.extra} more, {plain}locomotives"
        )

    def _read_passenger(self, rest: str, situation: Situation) -> list[int]:
        if not self.passengers:
            raise IllegalAction(f"cannot take a passenger: {self.edition.name} has none")
        match = re.fullmatch(r"(?:an? |the )?(\w+)(?: passengers?)?(?: (?:at|from|in) (.+))?", rest)
        if not match or match[1] not in (*self.passengers, "no", "none", "nobody"):
            colours = ", ".join(self.passengers)
            raise InvalidNotation(
                f"{shown(f'take {rest}'.strip())} is no action", f"take a passenger: {colours}; or: take no passenger"
            )
        if match[2] and situation.place and loose(match[2]) != loose(situation.place):
            raise IllegalAction(
                f"cannot take a passenger at {shown(match[2])}: they are being picked at {situation.place}"
            )
        return [lay.TAKE_PASSENGER + self.passengers.index(match[1]) if match[1] in self.passengers else lay.TAKE_NONE]


def _as_typed(message: str, text: str) -> str:
    """A message about a folded text, with what it quotes written as it was typed."""
    words = text.split()
    spans = (" ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1))
    typed = {fold(span): span for span in spans} if len(words) < 50 else {}
    return re.sub(r"'([^']*)'", lambda quoted: repr(typed.get(quoted[1], quoted[1])), message)


def _payable(way: int, cost: int) -> bool:
    """Whether a way to pay is one for a station of this cost: with at least one card of the colour."""
    return way == lay.ALL_LOCO_STATION or way % lay.MAX_STATIONS < cost


def parse_count(text: str) -> int | None:
    """A small number written in digits, or None."""
    return int(text) if re.fullmatch(r"\d{1,3}", text) else None


@lru_cache(maxsize=EDITIONS_KEPT)
def notation_of(edition: Edition) -> Notation:
    """The edition's notation, made once."""
    return Notation(edition)


def match_text(text: str, legal: Sequence[Action]) -> Action | None:
    """The legal action of this very text, or of one that folds to the same."""
    for action in legal:
        if action.text == text:
            return action
    wanted = fold(text)
    found = [action for action in legal if fold(action.text) == wanted]
    return found[0] if len(found) == 1 else None
