"""Hand-made positions for the rule tests: cards, tickets, tracks and passengers where a test wants them, and chance as it says.

`position` puts a game in the middle of play, `deal` sets one up from written chance. What a test does not mention is put
where it disturbs least, so that every position keeps the invariants. Nothing is left to luck: an action that asks
chance for more or less than the test wrote down is an error.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.tables import places_of, tables_of
from whistlestop.game import Game, Result, View
from whistlestop.mapfile import Edition, load_edition, parse_board
from whistlestop.notation import CARDS, Action, Notation, notation_of

EUROPE_BOARDS = ("europe", "europe-1912", "mega-europe", "big-cities")
EDITIONS = ("usa", *EUROPE_BOARDS, "germany")
FACE_UP = "purple blue orange white green"
"""Face-up cards where a test does not care."""

TINY = """
id     = "tiny"
name   = "Tiny"
points = { 1 = 1, 2 = 2, 3 = 4 }
cities = [
  { name = "Ash",   lat = 1, lon = 1 },
  { name = "Birch", lat = 2, lon = 1 },
  { name = "Cedar", lat = 1, lon = 2 },
]
tracks = [
  { from = "Ash",   to = "Birch", length = 1, colour = "red" },
  { from = "Birch", to = "Cedar", length = 2, colour = "gray" },
  { from = "Ash",   to = "Cedar", length = 3, colour = "blue" },
]
tickets = [
  { from = "Ash",   to = "Birch", points = 1 },
  { from = "Birch", to = "Cedar", points = 2 },
  { from = "Ash",   to = "Cedar", points = 3 },
]
[[edition]]
id            = "tiny"
name          = "Tiny"
summary       = "Three cities."
decks         = [{ name = "tickets" }]
first_tickets = [{ deal = 1, keep_least = 1, returned = "bottom" }]
players       = [2, 3]
trains        = 10
hand          = 1
cards_each    = 3
locomotives   = 2
longest_path  = 10
tie_breaks    = ["tickets", "path"]
"""


def tiny() -> Edition:
    """Three cities, three routes, three tickets, 26 cards: small enough to run out of everything."""
    return parse_board(TINY).editions[0]


def with_rules(edition: str, **changes: Any) -> Edition:
    """A shipped edition with some of its numbers changed, such as few trains."""
    return replace(load_edition(edition), **changes)


def cards(text: str) -> list[int]:
    """Cards in words, in order: "3 red, locomotive" or "red blue blue"."""
    found = re.findall(r"(\d+)?\s*([a-z]+)", text)
    return [
        CARDS.index(word.removesuffix("s") if word != "locomotives" else "locomotive")
        for n, word in found
        for _ in range(int(n or 1))
    ]


def counts(kinds: Iterable[int]) -> dict[str, int]:
    """How many of each kind of card, by name."""
    tally = Counter(kinds)
    return {CARDS[kind]: tally[kind] for kind in sorted(tally)}


def pile(text: str) -> dict[str, int]:
    """Cards in words as counts by name: what `Table.hand` and its like are compared with."""
    return counts(cards(text))


class Table:
    """A game with everything on it readable in words, played on written chance."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.words: Notation = notation_of(game.edition)
        self.tables = tables_of(game.edition)[0]

    @property
    def state(self) -> Any:
        """The true record."""
        return self.game._states[0]

    # -- acting --------------------------------------------------------------------------------------------------------
    def play(self, text: str, chance: str | Sequence[int] = (), player: int | None = None) -> Table:
        """Play an action; `chance` is everything that chance gives meanwhile: cards in words, or picks of a shuffle."""
        acting = self.game.to_move[0] if player is None else player
        script = cards(chance) if isinstance(chance, str) else chance
        self.game.play(self.action(text, acting), acting, list(script))
        return self.sound()

    def action(self, text: str, player: int) -> Action:
        """The legal action of exactly this text, or of this choice of tickets by their numbers, as in "keep 1 3"."""
        kept = tuple(int(n) - 1 for n in re.findall(r"\d+", text)) if re.fullmatch(r"keep [\d ]+", text) else None
        for action in self.game.legal(player):
            if action.text == text or (kept is not None and dict(action.parts)["kept"] == kept):
                return action
        raise AssertionError(f"{text!r} is not legal; legal are {sorted(self.legal(player=player))}")

    def refuses(self, text: str, player: int | None = None) -> bool:
        """Whether an action is neither listed nor played nor anything changed by trying."""
        before = self.game._states.tobytes()
        try:
            self.game.play(text, player)
        except ValueError:
            return text not in self.legal(player=player) and self.game._states.tobytes() == before
        return False

    def sound(self) -> Table:
        """This table, after making sure that all invariants hold."""
        broken = self.game.status()
        assert not broken, broken
        return self

    def legal(self, kind: str | None = None, player: int | None = None) -> set[str]:
        """Texts of the legal actions, all or those of one kind; the engine's two ways to know them must agree."""
        actions = self.game.legal(player)
        listed = {action.id for action in actions}
        seated = self.game._states.copy()
        if actions and doors.take_seat(seated, 0, self.game.to_move[0] if player is None else player):
            some = listed | set(range(lay.CLAIM)) | set(range(lay.CLAIM, self.words.actions, 13))
            assert {a for a in some if doors.is_legal(seated, 0, tables_of(self.game.edition), a)} == listed
        return {action.text for action in actions if kind in (None, action.kind)}

    def kinds(self) -> set[str]:
        """Kinds of the legal actions."""
        return {action.kind for action in self.game.legal()}

    def payments(self, route: str) -> set[str]:
        """Ways to pay for a track, in words; empty where it cannot be claimed."""
        head = f"claim {self.words.track_name(self.track(route))} with "
        return {text.removeprefix(head) for text in self.legal("claim") if text.startswith(head)}

    def station_payments(self, city: str) -> set[str]:
        """Ways to pay for a station in a city, in words."""
        head = f"build station in {city} with "
        return {text.removeprefix(head) for text in self.legal("station") if text.startswith(head)}

    def extras(self) -> set[str]:
        """Answers to a tunnel that became dearer."""
        return self.legal() if self.phase == "tunnel" else set()

    # -- cards ---------------------------------------------------------------------------------------------------------
    def hand(self, player: int) -> dict[str, int]:
        """A player's cards."""
        return self._pile(self.state.hand[player])

    def known(self, player: int) -> dict[str, int]:
        """Cards everybody knows a player to hold."""
        return self._pile(self.state.known[player])

    @property
    def deck(self) -> dict[str, int]:
        """Cards in the deck."""
        return self._pile(self.state.deck)

    @property
    def discard(self) -> dict[str, int]:
        """Discarded cards."""
        return self._pile(self.state.discard)

    @property
    def face_up(self) -> str:
        """The face-up cards in the order they lie, - for a gap."""
        return " ".join("-" if kind == lay.NONE else CARDS[kind] for kind in self.state.face_up)

    @staticmethod
    def _pile(kinds: Any) -> dict[str, int]:
        return {card: int(n) for card, n in zip(CARDS, kinds, strict=True) if n}

    # -- everything else -----------------------------------------------------------------------------------------------
    @property
    def phase(self) -> str:
        """What is to be done."""
        return self.game.phase

    @property
    def player(self) -> int:
        """Whose turn it is."""
        return int(self.state.player)

    @property
    def due(self) -> tuple[str, int]:
        """Phase and player: what is asked of whom."""
        return self.phase, self.player

    @property
    def last_turns(self) -> int:
        """Turns left in the last round, 0 before it."""
        return int(self.state.last_turns)

    def trains(self, player: int) -> int:
        """Trains a player has left."""
        return int(self.state.trains[player])

    def points(self, player: int) -> int:
        """A player's points so far."""
        return int(self.state.points[player])

    def owner(self, route: str) -> int | None:
        """Who has claimed a track."""
        return self.game.owners().get(self.track(route))

    def tickets(self, player: int) -> set[str]:
        """Names of the tickets a player has kept."""
        return {self.words.ticket_name(t) for t in bits(self.state.tickets[player])}

    def offer(self, player: int) -> list[str]:
        """Names of the tickets a player chooses from."""
        return [self.words.ticket_name(int(t)) for t in self.state.offer[player][: int(self.state.offer_n[player])]]

    def ticket_deck(self, deck: int = 0) -> list[str]:
        """Names of the tickets in a deck, from the top."""
        first, size, head = (
            int(self.tables.deck_first[deck]),
            int(self.tables.deck_size[deck]),
            int(self.state.ticket_head[deck]),
        )
        order = [
            int(self.state.ticket_order[first + (head + i) % size]) for i in range(int(self.state.ticket_count[deck]))
        ]
        return [self.words.ticket_name(ticket) for ticket in order]

    def collected(self, player: int) -> dict[str, int]:
        """Passengers of a player."""
        return {
            colour: int(n) for colour, n in zip(self.words.passengers, self.state.collected[player], strict=False) if n
        }

    def track(self, route: str) -> int:
        """Number of a track, given as "Paris–Zürich", or "Frankfurt–Paris (white)" where several are parallel."""
        return [self.words.track_name(i) for i in range(len(self.game.edition.board.tracks))].index(route)

    def ticket(self, name: str) -> int:
        """Number of a ticket."""
        return [self.words.ticket_name(i) for i in range(len(self.words.tickets))].index(name)

    def view(self, player: int | None) -> View:
        """What a player sees; None for a spectator."""
        return self.game.view(player)

    def seen(self, player: int | None) -> bytes:
        """All that a player can know, as bytes: equal where two tables look the same to the player."""
        return self.view(player).states.tobytes()

    def result(self) -> Result:
        """The final count."""
        return self.game.result()


def bits(words: Any) -> list[int]:
    """Numbers of the bits set in some words."""
    return [64 * w + i for w, word in enumerate(words) for i in range(64) if int(word) >> i & 1]


# ---- in the middle of play -----------------------------------------------------------------------------------------
def position(
    edition: str | Edition = "usa",
    players: int = 2,
    *,
    hands: Mapping[int, str] | None = None,
    known: Mapping[int, str] | None = None,
    face_up: str = FACE_UP,
    deck: str | None = None,
    discard: str = "",
    owned: Mapping[int, Sequence[str]] | None = None,
    stations: Mapping[int, Sequence[str]] | None = None,
    tickets: Mapping[int, Sequence[str]] | None = None,
    ticket_decks: Mapping[int, Sequence[str]] | None = None,
    waiting: Mapping[str, str] | None = None,
    collected: Mapping[int, str] | None = None,
    turn: int = 0,
    last_turns: int = 0,
    over: bool = False,
) -> Table:
    """A game with these things in these places, `turn` to play.

    Cards not named are in the deck, or with the last player where `deck` says what is in it; so with tickets and
    `ticket_decks`. Passengers not named stand on the places not named.
    """
    table = Table(Game(edition, players, seed=1, first=0))
    state = table.state
    for p in range(players):
        state.choice[p] = lay.NONE
        state.offer[p] = lay.NONE
        state.offer_n[p] = 0
    _put_cards(table, hands or {}, known or {}, face_up, deck, discard)
    _put_tracks(table, owned or {}, stations or {})
    _put_tickets(table, tickets or {}, ticket_decks or {})
    _put_passengers(table, waiting or {}, collected or {})
    state.player, state.last_turns, state.deal = turn, last_turns, int(table.tables.deals) - 1
    state.phase = lay.OVER if over else lay.TURN
    return table.sound()


def final(edition: str | Edition = "usa", players: int = 2, **where: Any) -> Result:
    """The final count of a game that is over with these things in these places."""
    return position(edition, players, over=True, **where).result()


def _put_cards(
    table: Table, hands: Mapping[int, str], known: Mapping[int, str], face_up: str, deck: str | None, discard: str
) -> None:
    state, players = table.state, table.game.players
    left = np.array(table.tables.card_counts, np.int64)
    shown = cards(face_up)
    state.face_up[:] = (shown + [lay.NONE] * lay.FACE_UP)[: lay.FACE_UP]
    np.subtract.at(left, shown, 1)
    for p in range(players):
        state.hand[p] = _tally(hands.get(p, ""))
        state.known[p] = _tally(known.get(p, ""))
        left -= state.hand[p]
    state.discard[:] = _tally(discard)
    left -= state.discard
    if deck is None:
        state.deck[:] = left
    else:
        state.deck[:] = _tally(deck)
        state.hand[players - 1] += (left - state.deck).astype(np.int8)
    state.deck_n, state.discard_n = state.deck.sum(), state.discard.sum()
    state.cards[:players] = state.hand[:players].sum(axis=1)


def _tally(text: str) -> Any:
    return np.bincount(cards(text), minlength=lay.KINDS).astype(np.int8)


def _put_tracks(table: Table, owned: Mapping[int, Sequence[str]], stations: Mapping[int, Sequence[str]]) -> None:
    state, tables = table.state, table.tables
    for player, routes in owned.items():
        for track in map(table.track, routes):
            assert track in bits(state.open), f"{table.words.track_name(track)} is not open"
            state.tracks[player, track >> 6] |= np.uint64(1 << (track & 63))
            state.open[track >> 6] &= ~np.uint64(1 << (track & 63))
            state.trains[player] -= tables.length[track]
            state.points[player] += tables.track_points[track]
            if table.game.players < tables.parallel_from:
                state.open &= ~tables.twins[track]
            else:
                state.barred[player] |= tables.twins[track]
    for player, cities in stations.items():
        for city in cities:
            state.stations[player] |= np.uint64(1 << table.words.cities.index(city))
            state.stations_left[player] -= 1


def _put_tickets(table: Table, held: Mapping[int, Sequence[str]], decks: Mapping[int, Sequence[str]]) -> None:
    state, tables = table.state, table.tables
    state.knows[:] = 0
    state.tickets[:] = 0
    holder = {table.ticket(name): player for player, names in held.items() for name in names}
    for d in range(int(tables.decks)):
        first, size = int(tables.deck_first[d]), int(tables.deck_size[d])
        rest = [t for t in range(first, first + size) if t not in holder]
        if d in decks:
            order = [table.ticket(name) for name in decks[d]]
            holder |= dict.fromkeys(set(rest) - set(order), table.game.players - 1)
        else:
            order = [] if tables.deck_leaves[d] else rest
        state.ticket_order[first : first + size] = order + [lay.NONE] * (size - len(order))
        state.ticket_head[d], state.ticket_count[d] = 0, len(order)
    for ticket, player in holder.items():
        state.tickets[player, ticket >> 6] |= np.uint64(1 << (ticket & 63))
        state.tickets_sure[player, int(ticket >= tables.deck_first[1])] += 1


def _put_passengers(table: Table, waiting: Mapping[str, str], collected: Mapping[int, str]) -> None:
    if not table.words.passengers:
        return
    state, colours = table.state, table.words.passengers
    bag = Counter(dict(zip(colours, map(int, table.tables.bag), strict=False)))
    for player, text in collected.items():
        for kind in cards(text):
            state.collected[player, colours.index(CARDS[kind])] += 1
            bag[CARDS[kind]] -= 1
    for text in waiting.values():
        bag.subtract(CARDS[kind] for kind in cards(text))
    assert min(bag.values()) >= 0
    rest = [colours.index(colour) for colour in bag.elements()]
    spots: list[int] = []
    for place, room in places_of(table.game.edition.board):
        named = [colours.index(CARDS[kind]) for kind in cards(waiting.get(place, ""))]
        here = named if place in waiting else [rest.pop() for _ in range(min(room, len(rest)))]
        assert len(here) <= room
        spots += here + [lay.NONE] * (room - len(here))
    state.passengers[: len(spots)] = spots
    for colour in rest:
        state.collected[table.game.players - 1, colour] += 1


# ---- from the start ------------------------------------------------------------------------------------------------
def shuffled(before: Sequence[int], after: Sequence[int]) -> list[int]:
    """The picks of a shuffle that turn one order into another."""
    order, picks = list(before), []
    for i in range(len(order) - 1, 0, -1):
        j = order.index(after[i])
        order[i], order[j] = order[j], order[i]
        picks.append(j)
    return picks


def deal(
    edition: str | Edition = "usa",
    players: int = 2,
    *,
    first: int = 0,
    top: Mapping[int, Sequence[str]] | None = None,
    cards_dealt: str | None = None,
    bag: Sequence[str] | None = None,
) -> Table:
    """A game at its first choices: `top` are the uppermost tickets of each deck, the others follow in the order of the file.

    `cards_dealt` are the cards in the order they come off the deck: hands, then face-up cards; `bag` the passengers.
    """
    table = Table(Game(edition, players, seed=1, first=first))
    tables, script = table.tables, []
    for d in range(int(tables.decks)):
        begin, size = int(tables.deck_first[d]), int(tables.deck_size[d])
        start = list(range(begin, begin + size))
        chosen = [table.ticket(name) for name in (top or {}).get(d, ())]
        script += shuffled(start, chosen + [t for t in start if t not in chosen])
    dealt = "red blue white green " * players + FACE_UP if cards_dealt is None else cards_dealt
    script += cards(dealt)
    colours = table.words.passengers
    script += (
        [colours.index(c) for c in bag]
        if bag
        else [i for i, c in enumerate(colours) for _ in range(int(tables.bag[i]))]
    )
    table.game.set_up(script)
    return table.sound()
