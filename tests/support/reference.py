"""The reference engine: a slow and simple implementation of the rules.

Written from the numbered rules alone, without a look at the fast engine, so that agreement between the two means
something. Every function names the rules it implements. Card piles are counts by colour; chance enters only through a
``Chance``.

A *spec* is what the engine knows of an edition, a plain dict:

``cities``, ``routes``, ``route_points``, ``countries``, ``passenger_colors``
    as in the files under ``facts`` (the last two may be missing);
``decks``
    one or two lists of tickets (dicts with a, b, points): deck 0 is the (regular or short) drawing deck, deck 1 the
    long one;
``cards``, ``hand``, ``trains``, ``stations``
    the train deck by colour, cards dealt to each player, trains and stations of each player;
``first_choices``
    the steps of the first choice of tickets, each a dict: ``deal`` (tickets from deck 0 and from deck 1) or
    ``announce`` (tickets in all, the player says how many are long), ``least`` and ``most`` to keep
    (``least_without_long`` for those without a long ticket), ``returned``: what happens to the others ("bottom",
    "gone", "shuffled" under the deck, "reshuffled" into the deck);
``long_leaves``
    whether the long tickets not dealt leave the game after the first choices;
``draw``
    tickets drawn in a turn;
``path_bonus``, ``globetrotter``, ``tie_breaks``
    bonuses, and the criteria after the points.
"""

from __future__ import annotations

import functools
import itertools
import json
import random
from pathlib import Path
from typing import Any, NamedTuple, Protocol

COLOURS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
LOCOMOTIVE = "locomotive"
CARDS = (*COLOURS, LOCOMOTIVE)
FACE_UP = 5
SOURCES = ("routes", "tickets", "stations", "path", "passengers", "globetrotter")
"""Where points come from: keys of a row of the result."""

Action = tuple[Any, ...]
Pile = dict[str, int]


class Chance(Protocol):
    """The source of everything random."""

    def card(self, pile: dict[str, int]) -> str:
        """Colour of the next card drawn from a pile with these counts."""

    def pick(self, n: int) -> int:
        """A number below n."""

    def shuffle(self, items: list[Any]) -> list[Any]:
        """A shuffled copy."""

    def passenger(self, bag: dict[str, int]) -> str:
        """Colour of the next passenger drawn from a bag with these counts."""


class RandomChance:
    """Chance from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def card(self, pile: dict[str, int]) -> str:
        return self.random.choices(list(pile), weights=list(pile.values()))[0]

    def pick(self, n: int) -> int:
        return self.random.randrange(n)

    def shuffle(self, items: list[Any]) -> list[Any]:
        return self.random.sample(items, len(items))

    def passenger(self, bag: dict[str, int]) -> str:
        return self.card(bag)


class Ticket(NamedTuple):
    """A destination ticket and the deck it belongs to."""

    a: str
    b: str
    points: int
    deck: int


class Track(NamedTuple):
    """One track: parallel tracks between two cities are several of these."""

    number: int
    a: str
    b: str
    length: int
    colour: str
    tunnel: bool
    ferry: int


# ----------------------------------------------------------------------------------------------------------------------
# Editions
# ----------------------------------------------------------------------------------------------------------------------


@functools.cache
def facts(board: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((Path(__file__).parent / "facts" / f"{board}.json").read_text(encoding="utf-8"))
    return loaded


# SETUP-2, SETUP-3, and what the boards have in common
COMMON: dict[str, Any] = {
    "cards": dict.fromkeys(COLOURS, 12) | {LOCOMOTIVE: 14},
    "hand": 4,
    "trains": 45,
    "stations": 0,
    "long_leaves": False,
    "draw": 3,
    "path_bonus": 0,
    "globetrotter": 0,
}


def usa_spec() -> dict[str, Any]:
    """SETUP-5, TICKET-1, END-3, END-5."""
    board = facts("usa")
    return {
        **COMMON,
        **board,
        "decks": [board["tickets"]],
        "first_choices": [{"deal": (3, 0), "least": 2, "returned": "bottom"}],
        "path_bonus": 10,
        "tie_breaks": ("tickets", "path"),
    }


def europe_board() -> dict[str, Any]:
    """SETUP-10, END-3, END-6: what the four Europe editions share."""
    return {**COMMON, **facts("europe"), "stations": 3, "path_bonus": 10, "tie_breaks": ("tickets", "stations", "path")}


def europe_tickets(sets: tuple[str, ...], kind: str) -> list[dict[str, Any]]:
    return [ticket for ticket in facts("europe")["tickets"] if ticket["set"] in sets and ticket["kind"] == kind]


def europe_spec(ticket_set: str) -> dict[str, Any]:
    """SETUP-6, SETUP-7, TICKET-1."""
    return {
        **europe_board(),
        "decks": [europe_tickets((ticket_set,), "regular"), europe_tickets((ticket_set,), "long")],
        "first_choices": [{"deal": (3, 1), "least": 2, "returned": "gone"}],
        "long_leaves": True,
    }


def mega_europe_spec() -> dict[str, Any]:
    """SETUP-8, TICKET-1."""
    return {
        **europe_board(),
        "decks": [europe_tickets(("base", "1912"), "regular"), europe_tickets(("base", "1912"), "long")],
        "first_choices": [
            {"deal": (0, 2), "least": 0, "most": 1, "returned": "gone"},
            {"deal": (5, 0), "least": 2, "least_without_long": 3, "returned": "shuffled"},
        ],
        "long_leaves": True,
    }


def big_cities_spec() -> dict[str, Any]:
    """SETUP-9, TICKET-2."""
    return {
        **europe_board(),
        "decks": [[ticket for ticket in europe_tickets(("base", "1912"), "regular") if ticket["big_city"]]],
        "first_choices": [{"deal": (5, 0), "least": 2, "returned": "shuffled"}],
        "draw": 4,
    }


def germany_spec() -> dict[str, Any]:
    """SETUP-12, SETUP-13, TICKET-3, END-4, END-7."""
    board = facts("germany")
    return {
        **COMMON,
        **board,
        "decks": [[ticket for ticket in board["tickets"] if ticket["kind"] == kind] for kind in ("short", "long")],
        "first_choices": [{"announce": 4, "least": 2, "returned": "reshuffled"}],
        "draw": 4,
        "globetrotter": 15,
        "tie_breaks": ("tickets", "passengers"),
    }


EDITIONS = ("usa", "europe", "europe-1912", "mega-europe", "big-cities", "germany")


def edition_spec(edition: str) -> dict[str, Any]:
    if edition == "usa":
        return usa_spec()
    if edition == "europe":
        return europe_spec("base")
    if edition == "europe-1912":
        return europe_spec("1912")
    if edition == "mega-europe":
        return mega_europe_spec()
    if edition == "big-cities":
        return big_cities_spec()
    if edition == "germany":
        return germany_spec()
    raise ValueError(f"there is no edition {edition!r}")


# ----------------------------------------------------------------------------------------------------------------------
# Small helpers
# ----------------------------------------------------------------------------------------------------------------------


def empty_pile() -> Pile:
    return dict.fromkeys(CARDS, 0)


def pour(source: Pile, target: Pile) -> None:
    """All cards of one pile go to another."""
    for colour in CARDS:
        target[colour] += source[colour]
        source[colour] = 0


def as_tuple(pile: Pile) -> tuple[int, ...]:
    return tuple(pile[colour] for colour in CARDS)


def payments(hand: Pile, count: int, colours: tuple[str, ...], least_locomotives: int = 0) -> list[tuple[str, int]]:
    """CLAIM-1, CLAIM-2, CLAIM-3, FERRY-1, STATION-2: payments of a set of cards, as (colour, number of locomotives)."""
    ways = [
        (colour, locomotives)
        for colour in colours
        for locomotives in range(least_locomotives, min(count - 1, hand[LOCOMOTIVE]) + 1)
        if hand[colour] >= count - locomotives
    ]
    if hand[LOCOMOTIVE] >= count:
        ways.append((LOCOMOTIVE, count))
    return ways


def take_set(hand: Pile, count: int, colour: str, locomotives: int) -> Pile:
    """Take a set of cards out of a hand."""
    taken = empty_pile()
    taken[LOCOMOTIVE] += locomotives
    taken[colour] += count - locomotives
    for card in CARDS:
        hand[card] -= taken[card]
    assert min(hand.values()) >= 0
    return taken


def longest_trail(tracks: list[Track]) -> int:
    """END-3: the longest path that uses no track twice, by trying every trail from every city.

    The continuation depends only on the city reached and the tracks used, so it is computed once for each of these.
    """
    around: dict[str, list[Track]] = {}
    for track in tracks:
        around.setdefault(track.a, []).append(track)
        around.setdefault(track.b, []).append(track)

    @functools.cache
    def further(city: str, used: frozenset[int]) -> int:
        best = 0
        for track in around[city]:
            if track.number not in used:
                there = track.b if track.a == city else track.a
                best = max(best, track.length + further(there, used | {track.number}))
        return best

    return max((further(city, frozenset()) for city in around), default=0)


# ----------------------------------------------------------------------------------------------------------------------
# The game
# ----------------------------------------------------------------------------------------------------------------------


class Reference:
    """One game, from the setup to the result."""

    def __init__(
        self,
        edition: str,
        players: int,
        chance: Chance,
        first: int | None = None,
        extra_tickets: list[dict[str, Any]] | None = None,
    ) -> None:
        self._set_up(edition_spec(edition), players, chance, first, extra_tickets)

    @classmethod
    def from_spec(
        cls,
        spec: dict[str, Any],
        players: int,
        chance: Chance,
        first: int | None = None,
        extra_tickets: list[dict[str, Any]] | None = None,
    ) -> Reference:
        """A game on a board of one's own: the keys of ``spec`` that are missing come from ``COMMON``."""
        game = cls.__new__(cls)
        game._set_up({**COMMON, "tie_breaks": ("tickets",), **spec}, players, chance, first, extra_tickets)
        return game

    # -- setup ---------------------------------------------------------------------------------------------------------

    def _set_up(
        self,
        spec: dict[str, Any],
        players: int,
        chance: Chance,
        first: int | None,
        extra_tickets: list[dict[str, Any]] | None,
    ) -> None:
        if not 2 <= players <= 5:  # SETUP-1
            raise ValueError("the game is for 2 to 5 players")
        if first is not None and not 0 <= first < players:
            raise ValueError("the first player must be one of the players")
        self.spec = spec
        self.players = players
        self.chance = chance
        self._read_board()
        self.first = chance.pick(players) if first is None else first  # SETUP-15
        self._shuffle_tickets(extra_tickets or [])
        self._start_players()
        self._deal_cards()
        self._place_passengers()
        self._start_first_choices()

    def _read_board(self) -> None:
        self.tracks = [
            Track(
                index,
                route["a"],
                route["b"],
                route["length"],
                route["color"],
                route.get("tunnel", False),
                route.get("ferry", 0),
            )
            for index, route in enumerate(self.spec["routes"])
        ]
        # CLAIM-10: the other tracks between the same two cities
        self.parallel = [
            [
                other.number
                for other in self.tracks
                if other.number != track.number and {other.a, other.b} == {track.a, track.b}
            ]
            for track in self.tracks
        ]
        self.route_points = {int(length): points for length, points in self.spec["route_points"].items()}
        self.country_of = {
            space: country["name"] for country in self.spec.get("countries", []) for space in country["endpoints"]
        }
        self.countries = {country["name"] for country in self.spec.get("countries", [])}
        self.cities = [city["name"] for city in self.spec["cities"] if city["name"] not in self.country_of]

    def _shuffle_tickets(self, extra_tickets: list[dict[str, Any]]) -> None:
        """SETUP-5 to SETUP-12. The top of a deck is its index 0."""
        decks = [list(deck) for deck in self.spec["decks"]]
        decks[0] += extra_tickets  # SETUP-11
        for ticket in extra_tickets:
            for end in (ticket["a"], ticket["b"]):
                if end not in self.cities and end not in self.countries:
                    raise ValueError(f"there is no {end!r} on this board")
        self.ticket_decks: list[list[Ticket]] = [
            self.chance.shuffle([Ticket(ticket["a"], ticket["b"], ticket["points"], number) for ticket in deck])
            for number, deck in enumerate(decks)
        ]

    def _start_players(self) -> None:
        """SETUP-2, SETUP-10."""
        everyone = range(self.players)
        self.hands = [empty_pile() for _ in everyone]
        self.trains = [self.spec["trains"] for _ in everyone]
        self.points = [0 for _ in everyone]
        self.stations: list[list[str]] = [[] for _ in everyone]
        self.tickets: list[list[Ticket]] = [[] for _ in everyone]
        self.offers: list[list[Ticket]] = [[] for _ in everyone]
        self.passengers_of: list[dict[str, int]] = [{} for _ in everyone]
        self.owner: list[int | None] = [None for _ in self.tracks]
        self.laid: Pile | None = None  # cards laid for a tunnel
        self.laid_for: tuple[Track, str] | None = None  # that tunnel, and the colour played
        self.turned: list[str] = []  # cards turned up for it
        self.extra = 0
        self.passenger_stops: list[str] = []  # places where the player to move may still take a passenger
        self.last_round: int | None = None
        self.passes = 0
        self.player: int | None = None
        self.legal_now: dict[int, set[Action]] = {}  # what legal() has found since the last change

    def _deal_cards(self) -> None:
        """SETUP-3, SETUP-4."""
        self.deck: Pile = empty_pile() | self.spec["cards"]
        self.discard = empty_pile()
        self.face_up: list[str | None] = [None] * FACE_UP
        for hand in self.hands:
            for _ in range(self.spec["hand"]):
                hand[self._draw_card()] += 1
        self._settle_face_up()

    def _place_passengers(self) -> None:
        """SETUP-13; RULING-14: a country has its passengers once, shared by its border spaces."""
        bag: dict[str, int] = dict(self.spec.get("passenger_colors", {}))
        self.passengers_at: dict[str, list[str]] = {}
        for place in [*self.spec["cities"], *self.spec.get("countries", [])]:
            for _ in range(place.get("passengers", 0)):
                colour = self.chance.passenger(dict(bag))
                assert bag[colour] > 0
                bag[colour] -= 1
                self.passengers_at.setdefault(place["name"], []).append(colour)

    # -- first choices of tickets --------------------------------------------------------------------------------------

    def _start_first_choices(self) -> None:
        self.steps: list[dict[str, Any]] = list(self.spec["first_choices"])
        self._start_step()

    def _start_step(self) -> None:
        """SETUP-14: in each step all players choose before anything is resolved."""
        self.choices: list[Action | None] = [None] * self.players
        if "announce" in self.steps[0]:
            self.phase = "announce"
        else:
            short, long = self.steps[0]["deal"]
            self._deal_tickets([(short, long)] * self.players)

    def _deal_tickets(self, numbers: list[tuple[int, int]]) -> None:
        for player, (short, long) in enumerate(numbers):
            self.offers[player] = self._take_tickets(1, long) + self._take_tickets(0, short)
        self.phase = "first_tickets"

    def _take_tickets(self, number: int, count: int) -> list[Ticket]:
        """Tickets from the top of a deck."""
        if count == 0:
            return []
        deck = self.ticket_decks[number]
        taken = deck[:count]
        del deck[:count]
        return taken

    def _choose(self, player: int, action: Action) -> None:
        """SETUP-14: a first choice is noted; the last one resolves them all."""
        self.choices[player] = action
        if None in self.choices:
            return
        if self.phase == "announce":
            self._resolve_announcements()
        else:
            self._resolve_first_tickets()

    def _resolve_announcements(self) -> None:
        """SETUP-12."""
        announced = [choice[1] for choice in self.choices if choice is not None]
        self.choices = [None] * self.players
        self._deal_tickets([(self.steps[0]["announce"] - long, long) for long in announced])

    def _resolve_first_tickets(self) -> None:
        returned: list[Ticket] = []
        for player, choice in enumerate(self.choices):
            assert choice is not None
            returned += self._keep_from_offer(player, choice[1])
        self._return_first_tickets(returned, self.steps.pop(0)["returned"])
        if self.steps:
            self._start_step()
        else:
            if self.spec["long_leaves"]:  # SETUP-6, SETUP-8
                self.ticket_decks[1] = []
            self._start_turn(self.first)

    def _return_first_tickets(self, returned: list[Ticket], how: str) -> None:
        if how == "bottom":  # SETUP-5, RULING-5
            self._put_under(returned)
        elif how == "shuffled":  # SETUP-8, SETUP-9
            self._put_under(self.chance.shuffle(returned))
        elif how == "reshuffled":  # SETUP-12
            self._put_under(returned)
            self.ticket_decks = [self.chance.shuffle(deck) for deck in self.ticket_decks]
        else:  # SETUP-6, SETUP-7, SETUP-8: they leave the game
            assert how == "gone"

    def _keep_from_offer(self, player: int, positions: tuple[int, ...]) -> list[Ticket]:
        """TICKET-6: the player keeps the chosen tickets of the offer. Returns the others, in the order drawn."""
        offer = self.offers[player]
        self.offers[player] = []
        self.tickets[player] += [offer[position] for position in positions]
        return [ticket for position, ticket in enumerate(offer) if position not in positions]

    def _put_under(self, tickets: list[Ticket]) -> None:
        """TICKET-5, RULING-5: under the deck each came from."""
        for ticket in tickets:
            self.ticket_decks[ticket.deck].append(ticket)

    # -- train cards ---------------------------------------------------------------------------------------------------

    def _draw_card(self) -> str:
        colour = self.chance.card(dict(self.deck))
        assert self.deck[colour] > 0
        self.deck[colour] -= 1
        self._renew_deck()
        return colour

    def _renew_deck(self) -> None:
        """DRAW-8, RULING-3: the discards become the deck as soon as it is empty."""
        if not any(self.deck.values()):
            pour(self.discard, self.deck)

    def _settle_face_up(self) -> None:
        """DRAW-2, DRAW-7, SETUP-4, RULING-2, RULING-3."""
        self._fill_gaps()
        while self._must_sweep():
            for slot, colour in enumerate(self.face_up):
                if colour is not None:
                    self.discard[colour] += 1
                self.face_up[slot] = None
            self._turn_up_after_sweep()
        self._renew_deck()

    def _fill_gaps(self) -> None:
        self._renew_deck()
        for slot, colour in enumerate(self.face_up):
            if colour is None and any(self.deck.values()):
                self.face_up[slot] = self._draw_card()

    def _turn_up_after_sweep(self) -> None:
        """RULING-2: the deck is renewed only when a card is needed and it has none, not as soon as it is empty."""
        for slot in range(FACE_UP):
            self._renew_deck()
            if any(self.deck.values()):
                colour = self.chance.card(dict(self.deck))
                assert self.deck[colour] > 0
                self.deck[colour] -= 1
                self.face_up[slot] = colour

    def _must_sweep(self) -> bool:
        """DRAW-7, unless fewer than three other cards are left (RULING-2)."""
        others = sum(colour not in (None, LOCOMOTIVE) for colour in self.face_up)
        others += sum(self.deck[colour] + self.discard[colour] for colour in COLOURS)
        return self.face_up.count(LOCOMOTIVE) >= 3 and others >= 3

    # -- turns ---------------------------------------------------------------------------------------------------------

    def _start_turn(self, player: int) -> None:
        self.player = player
        self.phase = "turn"

    def _end_turn(self) -> None:
        """TURN-2, END-1, RULING-1, RULING-8."""
        assert self.player is not None
        if self.last_round is not None:
            self.last_round -= 1
        elif self.trains[self.player] <= 2:
            self.last_round = self.players
        if self.last_round == 0 or self.passes == self.players:
            self.player = None
            self.phase = "over"
        else:
            self._start_turn((self.player + 1) % self.players)

    # -- legal actions -------------------------------------------------------------------------------------------------

    def to_act(self) -> set[int]:
        """Players who may act now; empty when the game is over."""
        if self.phase in ("announce", "first_tickets"):
            return {player for player, choice in enumerate(self.choices) if choice is None}
        return set() if self.player is None else {self.player}

    def legal(self, player: int) -> set[Action]:
        """The legal actions of a player; none for one who is not to act."""
        if player not in self.to_act():
            return set()
        if player not in self.legal_now:
            self.legal_now[player] = self._find_legal(player)
        return set(self.legal_now[player])

    def _find_legal(self, player: int) -> set[Action]:
        if self.phase == "announce":
            return {("announce", long) for long in range(self.steps[0]["announce"] + 1)}  # SETUP-12
        if self.phase == "first_tickets":
            return self._legal_first_keeps(player)
        if self.phase == "tickets":
            return self._keeps(player, 1, None)  # TICKET-1, TICKET-2, TICKET-3
        if self.phase == "second_card":
            return self._legal_second_cards()
        if self.phase == "tunnel":
            return self._legal_extras(player)
        if self.phase == "passenger":
            return self._legal_passengers()
        return self._legal_turns(player)

    def _legal_first_keeps(self, player: int) -> set[Action]:
        """SETUP-5 to SETUP-9, SETUP-12."""
        step = self.steps[0]
        least = step["least"]
        if "least_without_long" in step and all(ticket.deck != 1 for ticket in self.tickets[player]):
            least = step["least_without_long"]
        return self._keeps(player, least, step.get("most"))

    def _keeps(self, player: int, least: int, most: int | None) -> set[Action]:
        """TICKET-4: from a short offer no more need be kept than there are."""
        offered = len(self.offers[player])
        least = min(least, offered)
        most = offered if most is None else min(most, offered)
        return {
            ("keep", kept) for count in range(least, most + 1) for kept in itertools.combinations(range(offered), count)
        }

    def _legal_turns(self, player: int) -> set[Action]:
        """TURN-1, RULING-1."""
        actions = (
            self._legal_first_cards()
            | self._legal_ticket_draws()
            | self._legal_claims(player)
            | self._legal_stations(player)
        )
        return actions or {("pass",)}

    def _legal_first_cards(self) -> set[Action]:
        """DRAW-1, DRAW-9."""
        actions: set[Action] = {("draw_face_up", colour) for colour in self.face_up if colour is not None}
        if any(self.deck.values()):
            actions.add(("draw_blind",))
        return actions

    def _legal_second_cards(self) -> set[Action]:
        """DRAW-4."""
        return self._legal_first_cards() - {("draw_face_up", LOCOMOTIVE)}

    def _legal_ticket_draws(self) -> set[Action]:
        """TICKET-1 to TICKET-4."""
        left = [len(deck) for deck in self.ticket_decks]
        left_long = left[1] if len(left) > 1 else 0
        count = min(self.spec["draw"], sum(left))
        if count == 0:
            return set()
        return {("draw_tickets", long) for long in range(count + 1) if long <= left_long and count - long <= left[0]}

    def _legal_claims(self, player: int) -> set[Action]:
        """CLAIM-1 to CLAIM-6, FERRY-1."""
        hand = self.hands[player]
        actions: set[Action] = set()
        for track in self.tracks:
            if self._is_open(track.number, player) and track.length <= self.trains[player]:
                colours = COLOURS if track.colour == "gray" else (track.colour,)
                for colour, locomotives in payments(hand, track.length, colours, track.ferry):
                    actions.add(("claim", track.number, colour, locomotives))
        return actions

    def _is_open(self, track: int, player: int) -> bool:
        """CLAIM-6, CLAIM-8, CLAIM-9."""
        return (
            self.owner[track] is None
            and not self._is_closed(track)
            and all(self.owner[other] != player for other in self.parallel[track])
        )

    def _is_closed(self, track: int) -> bool:
        """CLAIM-9: unclaimed, and nobody can claim it any more."""
        return (
            self.players <= 3
            and self.owner[track] is None
            and any(self.owner[other] is not None for other in self.parallel[track])
        )

    def _legal_stations(self, player: int) -> set[Action]:
        """STATION-1, STATION-2, STATION-3."""
        built = len(self.stations[player])
        if built >= self.spec["stations"]:
            return set()
        ways = payments(self.hands[player], built + 1, COLOURS)
        occupied = {city for cities in self.stations for city in cities}
        return {
            ("station", city, colour, locomotives)
            for city in self.cities
            if city not in occupied
            for colour, locomotives in ways
        }

    def _legal_extras(self, player: int) -> set[Action]:
        """TUNNEL-2, TUNNEL-3, TUNNEL-4, RULING-11."""
        assert self.laid_for is not None
        colour = self.laid_for[1]
        colours = () if colour == LOCOMOTIVE else (colour,)
        actions: set[Action] = {
            ("pay_extra", locomotives) for _, locomotives in payments(self.hands[player], self.extra, colours)
        }
        actions.add(("give_up",))
        return actions

    def _legal_passengers(self) -> set[Action]:
        """PASSENGER-1, RULING-14."""
        actions: set[Action] = {("take_passenger", colour) for colour in self.passengers_at[self.passenger_stops[0]]}
        actions.add(("take_passenger", None))
        return actions

    # -- actions -------------------------------------------------------------------------------------------------------

    def apply(self, player: int, action: Action) -> None:
        """Play an action; ValueError, and nothing changed, if it isn't legal."""
        if not isinstance(action, tuple) or action not in self.legal(player):
            raise ValueError(f"{action!r} is not legal for player {player}")
        self.legal_now = {}
        kind = action[0]
        if self.phase in ("announce", "first_tickets"):
            self._choose(player, action)
            return
        self.passes = self.passes + 1 if kind == "pass" else 0  # RULING-1
        if kind == "pass":
            self._end_turn()
        elif kind == "draw_blind":
            self._draw_blind(player)
        elif kind == "draw_face_up":
            self._draw_face_up(player, action[1])
        elif kind == "draw_tickets":
            self._draw_tickets(player, action[1])
        elif kind == "keep":
            self._keep(player, action[1])
        elif kind == "claim":
            self._claim(player, self.tracks[action[1]], action[2], action[3])
        elif kind == "pay_extra":
            self._pay_extra(player, action[1])
        elif kind == "give_up":
            self._give_up(player)
        elif kind == "take_passenger":
            self._take_passenger(player, action[1])
        else:
            assert kind == "station"
            self._build_station(player, action[1], action[2], action[3])

    def _draw_blind(self, player: int) -> None:
        """DRAW-1, DRAW-5."""
        self.hands[player][self._draw_card()] += 1
        self._settle_face_up()
        self._after_card(self.phase == "second_card")

    def _draw_face_up(self, player: int, colour: str) -> None:
        """DRAW-1, DRAW-2, DRAW-3."""
        self.face_up[self.face_up.index(colour)] = None
        self.hands[player][colour] += 1
        self._settle_face_up()
        self._after_card(self.phase == "second_card" or colour == LOCOMOTIVE)

    def _after_card(self, was_last: bool) -> None:
        """RULING-4: no second card, if none may be drawn."""
        if was_last or not self._legal_second_cards():
            self._end_turn()
        else:
            self.phase = "second_card"

    def _draw_tickets(self, player: int, long: int) -> None:
        """TICKET-1 to TICKET-4."""
        count = min(self.spec["draw"], sum(len(deck) for deck in self.ticket_decks))
        self.offers[player] = self._take_tickets(1, long) + self._take_tickets(0, count - long)
        self.phase = "tickets"

    def _keep(self, player: int, positions: tuple[int, ...]) -> None:
        """TICKET-5, TICKET-6."""
        self._put_under(self._keep_from_offer(player, positions))
        self._end_turn()

    def _claim(self, player: int, track: Track, colour: str, locomotives: int) -> None:
        cards = take_set(self.hands[player], track.length, colour, locomotives)
        if track.tunnel:
            self._attempt_tunnel(player, track, colour, cards)
        else:
            pour(cards, self.discard)
            self._complete_claim(player, track)

    def _complete_claim(self, player: int, track: Track) -> None:
        """CLAIM-4, CLAIM-5, PASSENGER-1. The cards paid are in the discards already."""
        self.owner[track.number] = player
        self.trains[player] -= track.length
        self.points[player] += self.route_points[track.length]
        self._settle_face_up()
        self.passenger_stops = [self.country_of.get(end, end) for end in (track.a, track.b)]
        self._next_passenger_stop()

    def _attempt_tunnel(self, player: int, track: Track, colour: str, cards: Pile) -> None:
        """TUNNEL-1, TUNNEL-2, TUNNEL-3, TUNNEL-6, RULING-12: the laid and turned-up cards are in no pile."""
        self.laid = cards
        self.laid_for = (track, colour)
        while len(self.turned) < 3 and any(self.deck.values()):
            self.turned.append(self._draw_card())
        self.extra = sum(card in (colour, LOCOMOTIVE) for card in self.turned)
        if self.extra == 0:
            self._finish_tunnel(player)
        else:
            self.phase = "tunnel"

    def _pay_extra(self, player: int, locomotives: int) -> None:
        """TUNNEL-2, TUNNEL-3, RULING-13."""
        assert self.laid is not None
        assert self.laid_for is not None
        pour(take_set(self.hands[player], self.extra, self.laid_for[1], locomotives), self.laid)
        self._finish_tunnel(player)

    def _finish_tunnel(self, player: int) -> None:
        """TUNNEL-5, CLAIM-5."""
        assert self.laid_for is not None
        self._clear_tunnel(self.discard)
        track, _ = self.laid_for
        self.laid_for = None
        self._complete_claim(player, track)

    def _give_up(self, player: int) -> None:
        """TUNNEL-4, TUNNEL-5."""
        self._clear_tunnel(self.hands[player])
        self.laid_for = None
        self._settle_face_up()
        self._end_turn()

    def _clear_tunnel(self, where_laid_go: Pile) -> None:
        """TUNNEL-5: the turned-up cards are discarded, paid or not."""
        assert self.laid is not None
        pour(self.laid, where_laid_go)
        for colour in self.turned:
            self.discard[colour] += 1
        self.laid = None
        self.turned = []
        self.extra = 0

    def _next_passenger_stop(self) -> None:
        """PASSENGER-1: where nobody stands nobody is taken."""
        while self.passenger_stops and not self.passengers_at.get(self.passenger_stops[0]):
            self.passenger_stops.pop(0)
        if self.passenger_stops:
            self.phase = "passenger"
        else:
            self._end_turn()

    def _take_passenger(self, player: int, colour: str | None) -> None:
        """PASSENGER-1, RULING-14."""
        place = self.passenger_stops.pop(0)
        if colour is not None:
            self.passengers_at[place].remove(colour)
            self.passengers_of[player][colour] = self.passengers_of[player].get(colour, 0) + 1
        self._next_passenger_stop()

    def _build_station(self, player: int, city: str, colour: str, locomotives: int) -> None:
        """STATION-1, STATION-2."""
        cost = len(self.stations[player]) + 1
        pour(take_set(self.hands[player], cost, colour, locomotives), self.discard)
        self.stations[player].append(city)
        self._settle_face_up()
        self._end_turn()

    # -- what can be seen ----------------------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """The whole state, secrets too, as plain comparable values."""
        return {
            "phase": self.phase,
            "player": self.player,
            "first": self.first,
            "hands": [as_tuple(hand) for hand in self.hands],
            "deck": as_tuple(self.deck),
            "discard": as_tuple(self.discard),
            "face_up": list(self.face_up),
            "trains": list(self.trains),
            "stations": [sorted(cities) for cities in self.stations],
            "owner": list(self.owner),
            "closed": [track.number for track in self.tracks if self._is_closed(track.number)],
            "points": list(self.points),
            "tickets": [sorted(ticket[:3] for ticket in tickets) for tickets in self.tickets],
            "offers": [[ticket[:3] for ticket in offer] for offer in self.offers],
            "ticket_decks": [[ticket[:3] for ticket in deck] for deck in self.ticket_decks],
            "passengers_at": {
                place: tuple(sorted(standing)) for place, standing in self.passengers_at.items() if standing
            },
            "passengers_of": [dict(taken) for taken in self.passengers_of],
            "laid": None if self.laid is None else as_tuple(self.laid),
            "turned": tuple(sorted(self.turned)),
            "extra": self.extra,
            "last_round": self.last_round,
            "passes": self.passes,
        }

    # -- final scoring -------------------------------------------------------------------------------------------------

    def result(self) -> dict[str, Any]:
        """The final scores; only when the game is over."""
        if self.phase != "over":
            raise ValueError("the game isn't over")
        everyone = range(self.players)
        completed = [self.best_completions(player)[0] for player in everyone]
        path_lengths = [self._path_length(player) for player in everyone]
        passenger_points = self._passenger_points()
        rows: list[dict[str, Any]] = []
        for player in everyone:
            failed = list(self.tickets[player])
            for ticket in completed[player]:
                failed.remove(ticket)
            row = {
                "routes": self.points[player],
                "tickets": self._net(completed[player], failed),
                "completed": sorted(ticket[:3] for ticket in completed[player]),
                "failed": sorted(ticket[:3] for ticket in failed),
                "stations": 4 * (self.spec["stations"] - len(self.stations[player])),  # STATION-6
                "path": self._bonus(self.spec["path_bonus"], path_lengths, player),  # END-3
                "path_length": path_lengths[player],
                "passengers": passenger_points[player],
                "globetrotter": self._bonus(
                    self.spec["globetrotter"], [len(tickets) for tickets in completed], player
                ),  # END-4
            }
            row["total"] = sum(row[source] for source in SOURCES)
            rows.append(row)
        winners, decided_by = self._winners(rows)
        return {"players": rows, "winners": winners, "decided_by": decided_by}

    @staticmethod
    def _net(completed: list[Ticket], failed: list[Ticket]) -> int:
        """END-2."""
        return sum(ticket.points for ticket in completed) - sum(ticket.points for ticket in failed)

    @staticmethod
    def _bonus(points: int, values: list[int], player: int) -> int:
        """END-3, END-4, RULING-7: to all who have the most, if it is at least one."""
        return points if values[player] == max(values) > 0 else 0

    def _path_length(self, player: int) -> int:
        """END-3, STATION-5: own tracks only. 0 in editions that don't count the path."""
        if not self.spec["path_bonus"]:
            return 0
        return longest_trail([track for track in self.tracks if self.owner[track.number] == player])

    def best_completions(self, player: int) -> list[list[Ticket]]:
        """STATION-4, RULING-6: the completed tickets under the best choice of station routes.

        Choices that are equally good by points and by number of tickets may complete different tickets. The first of
        the list is the one that comes first when the stations are taken as built, each choosing no route, or else
        routes by ascending index.
        """
        components = self._components([track for track in self.tracks if self.owner[track.number] == player])
        best: list[list[Ticket]] = []
        best_value: tuple[int, int] | None = None
        for choice in itertools.product(
            *(self._station_options(player, city, components) for city in self.stations[player])
        ):
            joined = self._join(components, [track for track in choice if track is not None])
            completed = [ticket for ticket in self.tickets[player] if self._connects(joined, ticket)]
            value = (sum(ticket.points for ticket in completed), len(completed))
            if best_value is None or value > best_value:
                best, best_value = [], value
            if value == best_value and completed not in best:
                best.append(completed)
        return best

    def _station_options(self, player: int, city: str, components: dict[str, str]) -> list[Track | None]:
        """STATION-4, STATION-5: opponents' tracks into the city, or none. Tracks that join nothing new are left out."""
        options: list[Track | None] = [None]
        for track in self.tracks:
            if city in (track.a, track.b) and self.owner[track.number] not in (None, player):
                a, b = self._nodes(track)
                if components.get(a, a) != components.get(b, b):
                    options.append(track)
        return options

    def _nodes(self, track: Track) -> tuple[str, str]:
        """TICKET-9: every track into a country ends in a place of its own, a dead end."""
        a, b = (
            f"{self.country_of[end]}#{track.number}" if end in self.country_of else end for end in (track.a, track.b)
        )
        return a, b

    def _components(self, tracks: list[Track]) -> dict[str, str]:
        """TICKET-8: what is connected has the same label. A city without tracks has none, and stands for itself."""
        return self._join({}, tracks)

    def _join(self, components: dict[str, str], tracks: list[Track]) -> dict[str, str]:
        labels = dict(components)
        for track in tracks:
            a, b = self._nodes(track)
            kept, dropped = labels.setdefault(a, a), labels.setdefault(b, b)
            for node, label in labels.items():
                if label == dropped:
                    labels[node] = kept
        return labels

    def _connects(self, components: dict[str, str], ticket: Ticket) -> bool:
        """TICKET-8, TICKET-9: a country is reached by any of its border spaces."""
        return not self._reached(components, ticket.a).isdisjoint(self._reached(components, ticket.b))

    def _reached(self, components: dict[str, str], end: str) -> set[str]:
        """Labels of all networks that touch a ticket's end."""
        if end in self.countries:
            return {label for node, label in components.items() if node.startswith(f"{end}#")}
        return {components.get(end, end)}

    def _passenger_points(self) -> list[int]:
        """PASSENGER-3, RULING-7."""
        points = [0] * self.players
        for colour in self.spec.get("passenger_colors", {}):
            counts = [taken.get(colour, 0) for taken in self.passengers_of]
            most = max(counts)
            if most == 0:
                continue
            leaders = [player for player in range(self.players) if counts[player] == most]
            for player in leaders:
                points[player] += 20
            second = max((count for count in counts if count < most), default=0)
            if len(leaders) == 1 and second > 0:
                for player in range(self.players):
                    if counts[player] == second:
                        points[player] += 10
        return points

    def _winners(self, rows: list[dict[str, Any]]) -> tuple[list[int], str]:
        """END-5, END-6, END-7, RULING-9."""
        tied = list(range(self.players))
        for criterion in ("points", *self.spec["tie_breaks"]):
            values = {player: self._standing(rows[player], player, criterion) for player in tied}
            tied = [player for player in tied if values[player] == max(values.values())]
            if len(tied) == 1:
                return tied, criterion
        return tied, "shared"

    def _standing(self, row: dict[str, Any], player: int, criterion: str) -> int:
        """How a player stands in a criterion; more is better."""
        if criterion == "points":
            return int(row["total"])
        if criterion == "tickets":
            return len(row["completed"])
        if criterion == "stations":
            return -len(self.stations[player])
        if criterion == "path":
            return int(row["path"] > 0)
        assert criterion == "passengers"
        return sum(self.passengers_of[player].values())
