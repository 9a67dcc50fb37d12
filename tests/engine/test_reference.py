"""The reference engine on its own: invariants in random games, and single rules in hand-made positions."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from support.reference import (
    CARDS,
    COLOURS,
    EDITIONS,
    LOCOMOTIVE,
    SOURCES,
    Action,
    RandomChance,
    Reference,
    Ticket,
    Track,
    empty_pile,
    longest_trail,
)

SEATS = range(2, 6)


class Scripted(RandomChance):
    """Chance that draws the wanted cards and passengers first, and doesn't shuffle."""

    def __init__(self, *cards: str, passengers: tuple[str, ...] = ()) -> None:
        super().__init__(0)
        self.cards = list(cards)
        self.passengers = list(passengers)

    def card(self, pile: dict[str, int]) -> str:
        return self.cards.pop(0) if self.cards else super().card(pile)

    def shuffle(self, items: list[Any]) -> list[Any]:
        return list(items)

    def passenger(self, bag: dict[str, int]) -> str:
        return self.passengers.pop(0) if self.passengers else super().passenger(bag)


def small_spec(*routes: tuple[Any, ...], **more: Any) -> dict[str, Any]:
    """A board from (a, b, length, colour[, tunnel[, ferry]])."""
    return {
        "cities": [{"name": name} for name in sorted({end for route in routes for end in route[:2]})],
        "routes": [
            dict(zip(("a", "b", "length", "color", "tunnel", "ferry"), route, strict=False)) for route in routes
        ],
        "route_points": {"1": 1, "2": 2, "3": 4, "4": 7, "5": 10, "6": 15},
        "decks": [[]],
        "first_choices": [{"deal": (0, 0), "least": 0, "returned": "gone"}],
        "tie_breaks": ("tickets", "path"),
        **more,
    }


LINE = (("A", "B", 2, "blue"), ("B", "C", 2, "gray"), ("C", "D", 3, "red"), ("D", "E", 1, "gray"))


def start(spec: dict[str, Any], players: int = 2, *cards: str, chance: Scripted | None = None) -> Reference:
    """A game in which player 0 is to take the first turn, with these cards to be drawn next."""
    chance = chance or Scripted(*["red", "blue", "green", "white"] * players, "red", "blue", "green", "white", "black")
    game = Reference.from_spec(spec, players, chance, first=0)
    for player in range(players):
        game.apply(player, ("keep", ()))
    chance.cards = list(cards)
    return game


def give(game: Reference, player: int, **cards: int) -> None:
    game.hands[player] = empty_pile() | cards
    game.legal_now = {}


def table(game: Reference, face_up: list[str | None], deck: dict[str, int], discard: dict[str, int]) -> None:
    game.face_up = list(face_up)
    game.deck = empty_pile() | deck
    game.discard = empty_pile() | discard
    game.legal_now = {}


def tickets(game: Reference, player: int, *named: tuple[str, str, int]) -> None:
    game.tickets[player] = [Ticket(*ticket, 0) for ticket in named]


def own(game: Reference, player: int, *tracks: int) -> None:
    for track in tracks:
        game.owner[track] = player
    game.legal_now = {}


def score(game: Reference) -> dict[str, Any]:
    game.phase, game.player = "over", None
    return game.result()


def actions(game: Reference, player: int, kind: str) -> set[Action]:
    return {action for action in game.legal(player) if action[0] == kind}


def play_random(game: Reference, rng: random.Random, by_kind: bool = True) -> None:
    player = rng.choice(sorted(game.to_act()))
    choices = sorted(game.legal(player), key=repr)
    if by_kind:
        kind = rng.choice(sorted({action[0] for action in choices}))
        choices = [action for action in choices if action[0] == kind]
    game.apply(player, rng.choice(choices))


def play_first_choices(game: Reference) -> None:
    while game.phase in ("announce", "first_tickets"):
        for player in sorted(game.to_act()):
            game.apply(player, max(game.legal(player), key=repr))


# ----------------------------------------------------------------------------------------------------------------------
# Random games
# ----------------------------------------------------------------------------------------------------------------------


class Invariants:
    """What must hold at every step of a game."""

    def __init__(self, game: Reference) -> None:
        self.all_tickets = Counter(
            (ticket["a"], ticket["b"], ticket["points"]) for deck in game.spec["decks"] for ticket in deck
        )
        self.gone: Counter[tuple[str, str, int]] = Counter()

    def check(self, game: Reference) -> None:
        state = game.snapshot()
        self.check_cards(state)
        self.check_tickets(game, state)
        self.check_board(game, state)

    def check_cards(self, state: dict[str, Any]) -> None:
        piles = [*state["hands"], state["deck"], state["discard"]] + ([state["laid"]] if state["laid"] else [])
        loose = Counter(card for card in [*state["face_up"], *state["turned"]] if card)
        counts = [sum(pile[i] for pile in piles) + loose[card] for i, card in enumerate(CARDS)]
        assert counts == [12] * 8 + [14]  # SETUP-3
        assert all(count >= 0 for pile in piles for count in pile)
        assert any(state["deck"]) or not any(state["discard"])  # RULING-3
        assert None not in state["face_up"] or not any(state["deck"])
        assert (state["laid"] is not None) == (state["phase"] == "tunnel")
        assert (state["extra"] in (1, 2, 3)) == (state["phase"] == "tunnel")
        if state["face_up"].count(LOCOMOTIVE) >= 3 and state["phase"] != "tunnel":  # DRAW-7, RULING-2
            ordinary = (
                sum(state["deck"][:8]) + sum(state["discard"][:8]) + sum(card in COLOURS for card in state["face_up"])
            )
            assert ordinary < 3 or (sum(state["deck"]) == 5 and state["deck"][8] >= 3)

    def check_tickets(self, game: Reference, state: dict[str, Any]) -> None:
        found = Counter(itertools.chain(*state["tickets"], *state["offers"], *state["ticket_decks"]))
        assert not found - self.all_tickets  # none is in two places
        missing = self.all_tickets - found
        assert not self.gone - missing  # what has left the game does not come back
        self.gone = missing
        if not game.spec["long_leaves"]:
            assert not missing
        elif state["phase"] != "first_tickets":
            assert state["ticket_decks"][1] == []

    def check_board(self, game: Reference, state: dict[str, Any]) -> None:
        for player in range(game.players):
            mine = [track for track in game.tracks if state["owner"][track.number] == player]
            assert state["trains"][player] == 45 - sum(track.length for track in mine) >= 0
            assert state["points"][player] == sum(game.route_points[track.length] for track in mine)
            assert len({frozenset((track.a, track.b)) for track in mine}) == len(mine)  # CLAIM-8
        if game.players <= 3:
            used = [frozenset(track[1:3]) for track in game.tracks if state["owner"][track.number] is not None]
            assert len(set(used)) == len(used)  # CLAIM-9
        else:
            assert state["closed"] == []
        stations = [city for cities in state["stations"] for city in cities]
        assert len(set(stations)) == len(stations)
        assert all(len(cities) <= game.spec["stations"] for cities in state["stations"])
        people = Counter(colour for standing in state["passengers_at"].values() for colour in standing)
        for taken in state["passengers_of"]:
            people.update(taken)
        assert people == Counter(game.spec.get("passenger_colors", {}))  # SETUP-13


@pytest.mark.rule(
    "SETUP-2", "SETUP-3", "SETUP-13", "CLAIM-4", "CLAIM-5", "CLAIM-8", "CLAIM-9", "RULING-3", "DRAW-7", "RULING-2"
)
@pytest.mark.parametrize("players", SEATS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_invariants_in_random_games(edition: str, players: int) -> None:
    rng = random.Random(f"{edition} {players}")
    game = Reference(edition, players, RandomChance(players))
    invariants = Invariants(game)
    invariants.check(game)
    while game.to_act():
        for player in range(players):
            assert bool(game.legal(player)) == (player in game.to_act())
        play_random(game, rng, by_kind=rng.random() < 0.5)
        invariants.check(game)
    assert game.snapshot()["phase"] == "over"
    assert game.snapshot()["player"] is None
    result = game.result()
    for player, row in enumerate(result["players"]):
        assert row["total"] == sum(row[source] for source in SOURCES)
        assert sorted(row["completed"] + row["failed"]) == game.snapshot()["tickets"][player]
    best = max(row["total"] for row in result["players"])
    assert all(result["players"][winner]["total"] == best for winner in result["winners"])
    assert (len(result["winners"]) > 1) == (result["decided_by"] == "shared")


@pytest.mark.rule("DRAW-6", "DRAW-8", "DRAW-9", "RULING-2", "RULING-3")
@pytest.mark.parametrize("seed", range(6))
def test_hoarding_games_come_to_an_end(seed: int) -> None:
    rng = random.Random(seed)
    game = Reference(EDITIONS[seed], 3 + seed % 3, RandomChance(seed))
    invariants = Invariants(game)
    emptied = False
    for step in range(2000):
        if not game.to_act():
            break
        player = rng.choice(sorted(game.to_act()))
        choices = sorted(game.legal(player), key=repr)
        if step < 800:
            choices = [
                action for action in choices if action[0] in ("announce", "keep", "draw_blind", "draw_face_up")
            ] or choices
        game.apply(player, rng.choice(choices))
        invariants.check(game)
        emptied |= not any(game.deck.values())
    assert emptied


def test_illegal_actions_change_nothing() -> None:
    rng = random.Random(5)
    game = Reference("europe", 3, RandomChance(5))
    for _ in range(120):
        before = game.snapshot()
        player = rng.randrange(3)
        for action in [
            ("pass",),
            ("claim", 0, "pink", 0),
            ("keep", (1, 0)),
            ("take_passenger", None),
            ("nonsense",),
            (),
            ("announce", 0),
        ]:
            if action not in game.legal(player):
                with pytest.raises(ValueError, match="not legal"):
                    game.apply(player, action)
        for other in set(range(3)) - game.to_act():
            assert game.legal(other) == set()
        assert game.snapshot() == before
        play_random(game, rng)


def test_same_chance_same_game() -> None:
    games = [Reference("germany", 4, RandomChance(3)) for _ in range(2)]
    for game in games:
        rng = random.Random(8)
        while game.to_act():
            play_random(game, rng)
    assert games[0].snapshot() == games[1].snapshot()
    assert games[0].result() == games[1].result()


# ----------------------------------------------------------------------------------------------------------------------
# Setup
# ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SETUP-1")
def test_players() -> None:
    for players in (0, 1, 6):
        with pytest.raises(ValueError, match="2 to 5"):
            Reference("usa", players, RandomChance(0))
    with pytest.raises(ValueError, match="edition"):
        Reference("atlantis", 2, RandomChance(0))


@pytest.mark.rule("SETUP-15")
def test_first_player() -> None:
    assert {Reference("usa", 3, RandomChance(seed)).first for seed in range(30)} == {0, 1, 2}
    game = Reference("usa", 3, RandomChance(0), first=2)
    play_first_choices(game)
    assert game.to_act() == {2}
    with pytest.raises(ValueError, match="first player"):
        Reference("usa", 3, RandomChance(0), first=3)


SIZES = {
    "usa": ([30], (3, 0)),
    "europe": ([40, 6], (3, 1)),
    "europe-1912": ([49, 6], (3, 1)),
    "mega-europe": ([89, 12], (0, 2)),
    "big-cities": ([45], (5, 0)),
    "germany": ([55, 34], (0, 0)),
}


@pytest.mark.rule("SETUP-2", "SETUP-3", "SETUP-5", "SETUP-6", "SETUP-7", "SETUP-8", "SETUP-9", "SETUP-10", "SETUP-12")
@pytest.mark.parametrize("edition", EDITIONS)
def test_setup(edition: str) -> None:
    sizes, dealt = SIZES[edition]
    state = Reference(edition, 4, RandomChance(1)).snapshot()
    assert [sum(hand) for hand in state["hands"]] == [4] * 4
    assert None not in state["face_up"]
    assert sum(state["deck"]) + sum(state["discard"]) == 110 - 16 - 5
    assert state["trains"] == [45] * 4
    assert [len(deck) for deck in state["ticket_decks"]] == [
        size - 4 * count for size, count in zip(sizes, dealt, strict=False)
    ]
    assert [len(offer) for offer in state["offers"]] == [sum(dealt)] * 4
    assert state["phase"] == ("announce" if edition == "germany" else "first_tickets")


@pytest.mark.rule("SETUP-4")
def test_setup_sweeps() -> None:
    hands = ["red"] * 8
    game = Reference("usa", 2, Scripted(*hands, LOCOMOTIVE, LOCOMOTIVE, LOCOMOTIVE, "blue", "blue", *["green"] * 5))
    assert game.face_up == ["green"] * 5
    assert game.discard == empty_pile() | {LOCOMOTIVE: 3, "blue": 2}


@pytest.mark.rule("SETUP-5", "RULING-5")
def test_usa_first_tickets() -> None:
    game = Reference("usa", 2, Scripted(), first=0)
    offers = game.snapshot()["offers"]
    assert {len(action[1]) for action in game.legal(0)} == {2, 3}
    game.apply(1, ("keep", (1, 2)))
    assert game.to_act() == {0}
    assert game.snapshot()["offers"] == offers  # nothing happens before all have chosen
    assert game.snapshot()["tickets"] == [[], []]
    game.apply(0, ("keep", (0, 2)))
    assert game.snapshot()["tickets"] == [sorted([offers[0][0], offers[0][2]]), sorted(offers[1][1:])]
    assert game.snapshot()["ticket_decks"][0][-2:] == [offers[0][1], offers[1][0]]
    assert game.snapshot()["offers"] == [[], []]


@pytest.mark.rule("SETUP-6", "SETUP-7")
@pytest.mark.parametrize("edition", ["europe", "europe-1912"])
def test_europe_first_tickets(edition: str) -> None:
    game = Reference(edition, 2, Scripted(), first=0)
    assert [ticket.deck for ticket in game.offers[0]] == [1, 0, 0, 0]
    assert {len(action[1]) for action in game.legal(0)} == {2, 3, 4}
    left = game.snapshot()["ticket_decks"][0]
    game.apply(0, ("keep", (1, 2)))
    game.apply(1, ("keep", (0, 3)))
    assert game.snapshot()["ticket_decks"] == [left, []]
    assert game.legal(0) >= {("draw_tickets", 0)}
    assert ("draw_tickets", 1) not in game.legal(0)


@pytest.mark.rule("SETUP-8")
def test_mega_minimums() -> None:
    game = Reference("mega-europe", 3, Scripted(), first=0)
    assert game.legal(0) == {("keep", ()), ("keep", (0,)), ("keep", (1,))}
    game.apply(0, ("keep", ()))
    game.apply(2, ("keep", (1,)))
    assert [len(offer) for offer in game.offers] == [2, 2, 2]
    game.apply(1, ("keep", (0,)))
    assert game.phase == "first_tickets"
    assert [len(held) for held in game.tickets] == [0, 1, 1]
    assert [len(offer) for offer in game.offers] == [5, 5, 5]
    assert {len(action[1]) for action in game.legal(0)} == {3, 4, 5}
    assert {len(action[1]) for action in game.legal(1)} == {2, 3, 4, 5}
    offers = game.snapshot()["offers"]
    game.apply(0, ("keep", (0, 1, 2)))
    game.apply(1, ("keep", (0, 1)))
    game.apply(2, ("keep", (3, 4)))
    deck, long = game.snapshot()["ticket_decks"]
    assert long == []
    assert deck[-8:] == offers[0][3:] + offers[1][2:] + offers[2][:3]
    assert len(deck) == 89 - 7


@pytest.mark.rule("SETUP-9")
def test_big_cities_first_tickets() -> None:
    big = {"London", "Berlin", "Moskva", "Paris", "Wien", "Madrid", "Roma", "Athina", "Angora"}
    game = Reference("big-cities", 2, Scripted())
    for ticket in game.ticket_decks[0]:
        assert big & {ticket.a, ticket.b}
    assert {len(action[1]) for action in game.legal(0)} == {2, 3, 4, 5}


@pytest.mark.rule("SETUP-11", "RULING-15")
@pytest.mark.parametrize("edition", EDITIONS[1:5])
def test_extra_tickets(edition: str) -> None:
    game = Reference(edition, 2, Scripted(), extra_tickets=[{"a": "Paris", "b": "Angora", "points": 9}])
    assert game.snapshot()["ticket_decks"][0][-1] == ("Paris", "Angora", 9)
    with pytest.raises(ValueError, match="Atlantis"):
        Reference(edition, 2, Scripted(), extra_tickets=[{"a": "Paris", "b": "Atlantis", "points": 9}])


@pytest.mark.rule("SETUP-12", "SETUP-14")
def test_germany_announcements() -> None:
    game = Reference("germany", 2, Scripted(), first=0)
    assert game.legal(1) == {("announce", long) for long in range(5)}
    game.apply(1, ("announce", 1))
    assert game.snapshot()["offers"] == [[], []]
    game.apply(0, ("announce", 3))
    assert [[ticket.deck for ticket in offer] for offer in game.offers] == [[1, 1, 1, 0], [1, 0, 0, 0]]
    assert {len(action[1]) for action in game.legal(0)} == {2, 3, 4}
    game.apply(0, ("keep", (0, 1)))
    game.apply(1, ("keep", (0, 1)))
    assert [len(deck) for deck in game.ticket_decks] == [55 - 1, 34 - 3]
    assert all(ticket.deck == number for number, deck in enumerate(game.ticket_decks) for ticket in deck)


@pytest.mark.rule("SETUP-13")
def test_germany_passengers() -> None:
    state = Reference("germany", 2, RandomChance(4)).snapshot()
    assert len(state["passengers_at"]) == 35 + 5
    assert sum(map(len, state["passengers_at"].values())) == 60
    assert len(state["passengers_at"]["Berlin"]) == 5


@pytest.mark.rule("SETUP-14")
@pytest.mark.parametrize("edition", EDITIONS)
def test_order_of_first_choices_does_not_matter(edition: str) -> None:
    ends = []
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        game = Reference(edition, 3, RandomChance(9))
        while game.phase in ("announce", "first_tickets"):
            for player in order:
                game.apply(player, sorted(game.legal(player), key=repr)[player % 2 + 1])
        ends.append(game.snapshot())
    assert ends[0] == ends[1] == ends[2]


# ----------------------------------------------------------------------------------------------------------------------
# Drawing cards
# ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("TURN-1", "TURN-2", "DRAW-1", "DRAW-2")
def test_two_cards_and_the_next_player() -> None:
    game = start(small_spec(*LINE), 2, "purple", "orange")
    game.apply(0, ("draw_face_up", "blue"))
    assert game.face_up == ["red", "purple", "green", "white", "black"]
    assert (game.phase, game.player) == ("second_card", 0)
    assert {action[0] for action in game.legal(0)} == {"draw_blind", "draw_face_up"}
    game.apply(0, ("draw_blind",))
    assert (game.phase, game.player) == ("turn", 1)
    assert game.hands[0]["blue"] == 2
    assert game.hands[0]["orange"] == 1


@pytest.mark.rule("DRAW-2")
def test_lowest_slot_is_taken() -> None:
    game = start(small_spec(*LINE), 2, "yellow")
    table(game, ["red", "blue", "blue", "green", "blue"], {"yellow": 9}, {})
    game.apply(0, ("draw_face_up", "blue"))
    assert game.face_up == ["red", "yellow", "blue", "green", "blue"]


@pytest.mark.rule("DRAW-3", "DRAW-4", "DRAW-5")
def test_locomotives() -> None:
    game = start(small_spec(*LINE), 3, LOCOMOTIVE, "red", LOCOMOTIVE, LOCOMOTIVE, "blue")
    game.apply(0, ("draw_face_up", "red"))  # its replacement is a locomotive
    assert game.face_up[0] == LOCOMOTIVE
    assert ("draw_face_up", LOCOMOTIVE) not in game.legal(0)
    game.apply(0, ("draw_face_up", "blue"))
    assert ("draw_face_up", LOCOMOTIVE) in game.legal(1)
    game.apply(1, ("draw_face_up", LOCOMOTIVE))  # the only card of the turn
    assert game.player == 2
    game.apply(2, ("draw_blind",))  # a locomotive, but blind
    assert game.phase == "second_card"
    game.apply(2, ("draw_blind",))
    assert game.hands[2][LOCOMOTIVE] == 1
    assert game.player == 0


@pytest.mark.rule("DRAW-7")
def test_sweep_and_sweep_again() -> None:
    game = start(small_spec(*LINE), 2, LOCOMOTIVE, LOCOMOTIVE, LOCOMOTIVE, LOCOMOTIVE, "red", "red", *["green"] * 5)
    table(game, ["red", LOCOMOTIVE, LOCOMOTIVE, "blue", "blue"], dict.fromkeys(CARDS, 9), {})
    game.apply(0, ("draw_face_up", "red"))
    assert game.face_up == ["green"] * 5
    assert game.discard == empty_pile() | {LOCOMOTIVE: 6, "blue": 2, "red": 2}
    assert game.phase == "second_card"


@pytest.mark.rule("DRAW-7", "RULING-2")
def test_sweep_stops_when_it_cannot_help() -> None:
    game = start(small_spec(*LINE), 2, LOCOMOTIVE)
    table(game, ["red", LOCOMOTIVE, LOCOMOTIVE, "blue", LOCOMOTIVE], {LOCOMOTIVE: 5, "red": 1}, {})
    game.apply(0, ("draw_face_up", "red"))
    assert game.face_up == [LOCOMOTIVE, LOCOMOTIVE, LOCOMOTIVE, "blue", LOCOMOTIVE]
    give(game, 0, red=1, blue=2)
    game.phase = "turn"
    game.apply(0, ("claim", 0, "blue", 0))  # two more ordinary cards come back: now it helps
    assert game.face_up.count(LOCOMOTIVE) <= 2


@pytest.mark.rule("RULING-2")
def test_two_fives_are_swept_one_after_the_other_and_then_shuffled_together() -> None:
    first, second = [LOCOMOTIVE] * 3 + ["green"] * 2, ["red", "yellow", "green", LOCOMOTIVE, LOCOMOTIVE]
    game = start(small_spec(*LINE), 2, "yellow", *first, *second)
    table(game, [LOCOMOTIVE, LOCOMOTIVE, LOCOMOTIVE, "red", "blue"], {LOCOMOTIVE: 3, "green": 2, "yellow": 1}, {})
    game.apply(0, ("draw_face_up", "blue"))
    assert game.face_up == second
    assert game.discard == empty_pile()
    assert sum(game.deck.values()) == 5


@pytest.mark.rule("DRAW-8", "RULING-3")
def test_discards_become_the_deck_at_once() -> None:
    game = start(small_spec(*LINE), 2)
    table(game, ["red"] * 5, {"blue": 1}, {"green": 4})
    game.apply(0, ("draw_blind",))
    assert game.deck == empty_pile() | {"green": 4}
    assert not any(game.discard.values())


@pytest.mark.rule("RULING-3")
def test_gaps_are_filled_as_soon_as_there_is_a_card() -> None:
    game = start(small_spec(*LINE), 2)
    table(game, [None, "red", None, None, "green"], {}, {})
    give(game, 0, blue=2)
    game.apply(0, ("claim", 0, "blue", 0))
    assert game.face_up == ["blue", "red", "blue", None, "green"]


@pytest.mark.rule("DRAW-9", "RULING-4")
def test_no_second_card() -> None:
    game = start(small_spec(*LINE), 2)
    table(game, [None, "red", None, LOCOMOTIVE, None], {}, {})
    give(game, 0)
    assert game.legal(0) == {("draw_face_up", "red"), ("draw_face_up", LOCOMOTIVE)}
    game.apply(0, ("draw_face_up", "red"))
    assert (game.phase, game.player) == ("turn", 1)


@pytest.mark.rule("RULING-1", "DRAW-9", "TICKET-4")
def test_passing() -> None:
    game = start(small_spec(*LINE), 3)
    table(game, [None] * 5, {}, {})
    for player in range(3):
        give(game, player)
    give(game, 2, blue=1)
    assert game.legal(0) == {("pass",)}
    game.apply(0, ("pass",))
    game.apply(1, ("pass",))
    assert game.snapshot()["passes"] == 2
    assert ("pass",) not in game.legal(2)
    game.apply(2, ("claim", 3, "blue", 0))
    assert game.snapshot()["passes"] == 0
    table(game, [None] * 5, {}, {})
    for player in range(3):
        game.apply(player, ("pass",))
    assert game.to_act() == set()
    assert game.result()["winners"] == [2]


# ----------------------------------------------------------------------------------------------------------------------
# Claiming
# ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("CLAIM-1", "CLAIM-2", "CLAIM-3", "CLAIM-6")
def test_payments() -> None:
    game = start(small_spec(*LINE))
    give(game, 0, blue=2, red=1, locomotive=2)
    assert actions(game, 0, "claim") == {
        ("claim", 0, "blue", 0),
        ("claim", 0, "blue", 1),
        ("claim", 0, LOCOMOTIVE, 2),
        ("claim", 1, "blue", 0),
        ("claim", 1, "blue", 1),
        ("claim", 1, "red", 1),
        ("claim", 1, LOCOMOTIVE, 2),
        ("claim", 2, "red", 2),
        ("claim", 3, "blue", 0),
        ("claim", 3, "red", 0),
        ("claim", 3, LOCOMOTIVE, 1),
    }


@pytest.mark.rule("CLAIM-4", "CLAIM-5", "CLAIM-7")
def test_claim() -> None:
    game = start(small_spec(*LINE))
    give(game, 0, red=3, locomotive=1)
    game.apply(0, ("claim", 2, "red", 1))
    assert game.owner == [None, None, 0, None]
    assert game.points == [4, 0]
    assert game.trains == [42, 45]
    assert game.hands[0] == empty_pile() | {"red": 1}
    assert game.discard["red"] == 2
    assert game.discard[LOCOMOTIVE] == 1
    assert game.player == 1
    game.trains[1] = 1
    give(game, 1, blue=9, red=9)
    assert {action[1] for action in actions(game, 1, "claim")} == {3}


@pytest.mark.rule("FERRY-1")
def test_ferries() -> None:
    game = start(small_spec(("A", "B", 3, "gray", False, 2), ("B", "C", 1, "gray", False, 1)))
    give(game, 0, red=5, blue=1, locomotive=3)
    assert actions(game, 0, "claim") == {
        ("claim", 0, "red", 2),
        ("claim", 0, "blue", 2),
        ("claim", 0, LOCOMOTIVE, 3),
        ("claim", 1, LOCOMOTIVE, 1),
    }
    give(game, 0, red=5, locomotive=1)
    assert actions(game, 0, "claim") == {("claim", 1, LOCOMOTIVE, 1)}


TRIPLE = (("A", "B", 1, "gray"), ("B", "A", 1, "red"), ("A", "B", 1, "blue"), ("B", "C", 1, "gray"))


@pytest.mark.rule("CLAIM-9", "CLAIM-10")
@pytest.mark.parametrize("players", [2, 3])
def test_parallel_tracks_close(players: int) -> None:
    game = start(small_spec(*TRIPLE), players)
    for player in range(players):
        give(game, player, red=9, blue=9)
    game.apply(0, ("claim", 1, "red", 0))
    assert game.snapshot()["closed"] == [0, 2]
    for player in range(1, players):
        assert {action[1] for action in actions(game, player, "claim")} == {3}
        game.apply(player, ("draw_blind",))
        game.apply(player, ("draw_blind",))


@pytest.mark.rule("CLAIM-8")
@pytest.mark.parametrize("players", [4, 5])
def test_parallel_tracks_for_different_players(players: int) -> None:
    game = start(small_spec(*TRIPLE), players)
    for player in range(players):
        give(game, player, red=9, blue=9)
    for player in range(3):
        assert {action[1] for action in actions(game, player, "claim")} == {*range(player, 3), 3}
        game.apply(player, ("claim", player, "blue" if player == 2 else "red", 0))
    assert game.snapshot()["closed"] == []
    for player in range(3, players):
        assert {action[1] for action in actions(game, player, "claim")} == {3}
        game.apply(player, ("draw_blind",))
        game.apply(player, ("draw_blind",))
    assert {action[1] for action in actions(game, 0, "claim")} == {3}


@pytest.mark.rule("CLAIM-11", "CLAIM-12", "CLAIM-13")
def test_route_points() -> None:
    usa = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}
    assert Reference("usa", 2, RandomChance(0)).route_points == usa
    assert Reference("europe", 2, RandomChance(0)).route_points == {1: 1, 2: 2, 3: 4, 4: 7, 6: 15, 8: 21}
    assert Reference("germany", 2, RandomChance(0)).route_points == usa | {7: 18}


# ----------------------------------------------------------------------------------------------------------------------
# Tunnels
# ----------------------------------------------------------------------------------------------------------------------

TUNNEL = small_spec(("A", "B", 2, "gray", True), ("B", "C", 1, "red"))


@pytest.mark.rule("TUNNEL-1", "TUNNEL-2", "TUNNEL-5", "RULING-12", "RULING-13")
def test_tunnel_paid() -> None:
    game = start(TUNNEL, 2, "blue", LOCOMOTIVE, "red")
    give(game, 0, blue=3, locomotive=3)
    game.apply(0, ("claim", 0, "blue", 1))
    state = game.snapshot()
    assert (state["phase"], state["player"], state["extra"]) == ("tunnel", 0, 2)
    assert state["turned"] == ("blue", LOCOMOTIVE, "red")
    assert state["laid"] == (0, 1, 0, 0, 0, 0, 0, 0, 1)
    assert state["hands"][0] == (0, 2, 0, 0, 0, 0, 0, 0, 2)
    assert state["discard"] == (0,) * 9
    assert game.legal(0) == {("pay_extra", 0), ("pay_extra", 1), ("pay_extra", 2), ("give_up",)}
    game.apply(0, ("pay_extra", 1))
    state = game.snapshot()
    assert state["owner"][0] == 0
    assert state["trains"][0] == 43
    assert state["hands"][0] == (0, 1, 0, 0, 0, 0, 0, 0, 1)
    assert state["discard"] == (0, 3, 0, 0, 0, 0, 0, 1, 3)
    assert (state["laid"], state["turned"], state["extra"], state["player"]) == (None, (), 0, 1)


@pytest.mark.rule("TUNNEL-4", "TUNNEL-5", "RULING-11")
def test_tunnel_given_up() -> None:
    game = start(TUNNEL, 2, "blue", "blue", "blue")
    give(game, 0, blue=3, locomotive=1)
    game.apply(0, ("claim", 0, "blue", 0))
    assert game.legal(0) == {("give_up",)}  # RULING-11: asked all the same
    game.apply(0, ("give_up",))
    assert game.hands[0] == empty_pile() | {"blue": 3, LOCOMOTIVE: 1}
    assert game.owner[0] is None
    assert game.discard == empty_pile() | {"blue": 3}
    assert game.player == 1


@pytest.mark.rule("TUNNEL-3")
def test_tunnel_with_locomotives_only() -> None:
    game = start(TUNNEL, 2, "blue", "red", LOCOMOTIVE)
    give(game, 0, blue=3, locomotive=3)
    game.apply(0, ("claim", 0, LOCOMOTIVE, 2))
    assert game.extra == 1
    assert game.legal(0) == {("pay_extra", 1), ("give_up",)}
    game.apply(0, ("pay_extra", 1))
    assert game.hands[0] == empty_pile() | {"blue": 3}


@pytest.mark.rule("TUNNEL-2")
def test_tunnel_without_extra() -> None:
    game = start(TUNNEL, 2, "red", "red", "green")
    give(game, 0, blue=2)
    game.apply(0, ("claim", 0, "blue", 0))
    assert game.owner[0] == 0
    assert game.player == 1


@pytest.mark.rule("TUNNEL-6", "RULING-12")
def test_laid_cards_are_not_turned_up() -> None:
    game = start(TUNNEL, 2, "red")
    table(game, ["green"] * 5, {"red": 1}, {"yellow": 1})
    give(game, 0, blue=2)
    game.apply(
        0, ("claim", 0, "blue", 0)
    )  # turns up red, then (the discards) yellow; the laid blue ones are in no pile
    assert game.owner[0] == 0
    assert game.deck == empty_pile() | {"red": 1, "yellow": 1, "blue": 2}


@pytest.mark.rule("TUNNEL-6", "RULING-12", "RULING-3")
def test_tunnel_while_nothing_is_left() -> None:
    game = start(TUNNEL, 2)
    table(game, ["green"] * 5, {"blue": 1}, {})
    give(game, 0, blue=3)
    game.apply(0, ("claim", 0, "blue", 0))
    assert game.snapshot()["turned"] == ("blue",)
    assert not any(game.deck.values())
    assert game.legal(0) == {("pay_extra", 0), ("give_up",)}
    game.apply(0, ("give_up",))
    table(game, [None] * 5, {}, {})
    give(game, 1, blue=2)
    game.apply(1, ("claim", 0, "blue", 0))
    assert game.owner[0] == 1
    assert game.face_up == ["blue", "blue", None, None, None]


# ----------------------------------------------------------------------------------------------------------------------
# Tickets
# ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("TICKET-1", "TICKET-4", "TICKET-5", "TICKET-6", "RULING-5")
def test_drawing_tickets() -> None:
    deck = [{"a": "A", "b": "BCDE"[n % 4], "points": n} for n in range(4)]
    game = start(small_spec(*LINE, decks=[deck]))
    game.apply(0, ("draw_tickets", 0))
    assert game.snapshot()["offers"] == [[("A", "B", 0), ("A", "C", 1), ("A", "D", 2)], []]
    assert {len(action[1]) for action in game.legal(0)} == {1, 2, 3}
    game.apply(0, ("keep", (1,)))
    assert game.snapshot()["ticket_decks"] == [[("A", "E", 3), ("A", "B", 0), ("A", "D", 2)]]
    assert game.snapshot()["tickets"] == [[("A", "C", 1)], []]
    game.apply(1, ("draw_tickets", 0))
    game.apply(1, ("keep", (0, 1)))
    game.apply(0, ("draw_tickets", 0))  # the last one
    assert game.legal(0) == {("keep", (0,))}
    game.apply(0, ("keep", (0,)))
    assert actions(game, 1, "draw_tickets") == set()


@pytest.mark.rule("TICKET-2")
def test_big_cities_draws_four() -> None:
    game = Reference("big-cities", 2, RandomChance(0), first=0)
    play_first_choices(game)
    game.apply(0, ("draw_tickets", 0))
    assert len(game.offers[0]) == 4
    assert {len(action[1]) for action in game.legal(0)} == {1, 2, 3, 4}


@pytest.mark.rule("TICKET-3", "TICKET-4", "TICKET-5")
def test_germany_mixes() -> None:
    game = Reference("germany", 2, Scripted(), first=0)
    play_first_choices(game)
    assert actions(game, 0, "draw_tickets") == {("draw_tickets", long) for long in range(5)}
    game.ticket_decks[0] = game.ticket_decks[0][:2]
    game.legal_now = {}
    assert actions(game, 0, "draw_tickets") == {("draw_tickets", long) for long in (2, 3, 4)}
    game.ticket_decks[1] = game.ticket_decks[1][:1]
    game.legal_now = {}
    assert actions(game, 0, "draw_tickets") == {("draw_tickets", 1)}
    before = game.snapshot()["ticket_decks"]
    game.apply(0, ("draw_tickets", 1))
    assert game.snapshot()["offers"][0] == before[1] + before[0]
    game.apply(0, ("keep", (1,)))
    assert game.snapshot()["ticket_decks"] == [before[0][1:], before[1]]


@pytest.mark.rule("TICKET-8", "END-2")
def test_completed_and_failed_tickets() -> None:
    game = start(small_spec(*LINE))
    own(game, 0, 0, 1, 3)
    tickets(game, 0, ("A", "C", 5), ("A", "D", 8), ("E", "D", 3))
    row = score(game)["players"][0]
    assert row["tickets"] == 5 + 3 - 8
    assert row["completed"] == [("A", "C", 5), ("E", "D", 3)]
    assert row["failed"] == [("A", "D", 8)]


COUNTRY = small_spec(
    ("A", "X1", 1, "gray"),
    ("X2", "B", 1, "gray"),
    ("B", "C", 1, "gray"),
    ("C", "Y1", 1, "gray"),
    countries=[
        {"name": "X", "passengers": 1, "endpoints": ["X1", "X2"]},
        {"name": "Y", "passengers": 0, "endpoints": ["Y1"]},
    ],
    passenger_colors={"red": 1},
)


@pytest.mark.rule("TICKET-9")
def test_countries() -> None:
    game = start(COUNTRY)
    own(game, 0, 0, 1, 2, 3)
    tickets(game, 0, ("A", "B", 9), ("X", "C", 4), ("A", "X", 3), ("X", "Y", 5), ("A", "Y", 6))
    row = score(game)["players"][0]
    assert row["completed"] == [("A", "X", 3), ("X", "C", 4), ("X", "Y", 5)]
    assert row["failed"] == [("A", "B", 9), ("A", "Y", 6)]


# ----------------------------------------------------------------------------------------------------------------------
# Stations
# ----------------------------------------------------------------------------------------------------------------------

CROSS = (
    ("A", "B", 1, "gray"),
    ("B", "C", 1, "gray"),
    ("B", "D", 1, "gray"),
    ("D", "E", 1, "gray"),
    ("C", "E", 1, "gray"),
)


@pytest.mark.rule("STATION-1", "STATION-2", "STATION-3", "STATION-6")
def test_building_stations() -> None:
    game = start(small_spec(*CROSS, stations=3))
    give(game, 0, red=3, blue=2, locomotive=1)
    assert {action[2:] for action in actions(game, 0, "station")} == {("red", 0), ("blue", 0), (LOCOMOTIVE, 1)}
    assert {action[1] for action in actions(game, 0, "station")} == set("ABCDE")
    game.apply(0, ("station", "B", "blue", 0))
    give(game, 1)
    assert actions(game, 1, "station") == set()
    give(game, 1, green=1)
    assert {action[1] for action in actions(game, 1, "station")} == set("ACDE")
    game.player = 0
    game.legal_now = {}
    assert {action[2:] for action in actions(game, 0, "station")} == {("red", 0), ("red", 1), ("blue", 1)}
    game.apply(0, ("station", "A", "blue", 1))
    game.player = 0
    assert {action[2:] for action in actions(game, 0, "station")} == {("red", 0)}
    game.apply(0, ("station", "C", "red", 0))
    give(game, 0, red=9)
    game.player = 0
    assert actions(game, 0, "station") == set()
    assert game.snapshot()["stations"] == [["A", "B", "C"], []]
    assert [row["stations"] for row in score(game)["players"]] == [0, 12]


@pytest.mark.rule("STATION-4", "RULING-6")
def test_a_station_route_is_the_same_for_all_tickets() -> None:
    game = start(small_spec(*CROSS, stations=3))
    own(game, 0, 0)
    own(game, 1, 1, 2)
    game.stations[0] = ["B"]
    tickets(game, 0, ("A", "C", 5), ("A", "D", 7))
    row = score(game)["players"][0]
    assert row["completed"] == [("A", "D", 7)]
    assert row["tickets"] == 2
    game.stations[0] = ["B", "C"]
    assert score(game)["players"][0]["tickets"] == 12


@pytest.mark.rule("RULING-6")
def test_more_tickets_break_a_tie_of_points() -> None:
    game = start(
        small_spec(
            ("A", "B", 1, "gray"), ("B", "C", 1, "gray"), ("B", "D", 1, "gray"), ("D", "E", 1, "gray"), stations=3
        )
    )
    own(game, 0, 0, 3)
    own(game, 1, 1, 2)
    game.stations[0] = ["B"]
    tickets(game, 0, ("A", "C", 6), ("A", "D", 4), ("B", "E", 2))
    row = score(game)["players"][0]
    assert row["completed"] == [("A", "D", 4), ("B", "E", 2)]
    tickets(game, 0, ("A", "C", 6), ("A", "D", 6))
    assert len(game.best_completions(0)) == 2


@pytest.mark.rule("STATION-4")
def test_stations_use_claimed_tracks_of_opponents_into_their_city_only() -> None:
    game = start(small_spec(*CROSS, stations=3))
    own(game, 0, 0)
    own(game, 1, 3)
    game.stations[0] = ["B", "C"]
    tickets(game, 0, ("A", "C", 5), ("D", "E", 4))
    assert score(game)["players"][0]["completed"] == []
    game.stations[0] = ["B", "E"]
    assert score(game)["players"][0]["completed"] == [("D", "E", 4)]


@pytest.mark.rule("STATION-5", "END-3")
def test_borrowed_routes_may_be_shared_and_do_not_lengthen_the_path() -> None:
    game = start(small_spec(*CROSS, stations=3, path_bonus=10), 3)
    own(game, 0, 0)
    own(game, 1, 4)
    own(game, 2, 1, 2)
    game.stations[0], game.stations[1] = ["B"], ["C"]
    tickets(game, 0, ("A", "C", 5))
    tickets(game, 1, ("B", "E", 5))
    rows = score(game)["players"]
    assert [row["tickets"] for row in rows] == [5, 5, 0]
    assert [row["path_length"] for row in rows] == [1, 1, 2]
    assert [row["path"] for row in rows] == [0, 0, 10]


# ----------------------------------------------------------------------------------------------------------------------
# Passengers
# ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PASSENGER-1", "PASSENGER-2", "RULING-14")
def test_taking_passengers() -> None:
    cities = [{"name": "A", "passengers": 2}, {"name": "B", "passengers": 1}, {"name": "C", "passengers": 0}]
    spec = small_spec(
        ("A", "B", 1, "gray"),
        ("B", "A", 1, "gray"),
        ("B", "C", 1, "gray"),
        cities=cities,
        passenger_colors={"red": 2, "blue": 2},
    )
    game = start(spec, 4, chance=Scripted(passengers=("red", "blue", "red")))
    for player in range(4):
        give(game, player, red=3)
    assert game.snapshot()["passengers_at"] == {"A": ("blue", "red"), "B": ("red",)}
    game.apply(0, ("claim", 0, "red", 0))
    assert game.phase == "passenger"
    assert game.legal(0) == {("take_passenger", "red"), ("take_passenger", "blue"), ("take_passenger", None)}
    game.apply(0, ("take_passenger", "red"))
    assert game.legal(0) == {("take_passenger", "red"), ("take_passenger", None)}
    game.apply(0, ("take_passenger", None))
    assert game.snapshot()["passengers_of"][0] == {"red": 1}
    game.apply(1, ("claim", 2, "red", 0))
    game.apply(1, ("take_passenger", "red"))
    assert game.player == 2  # nobody stands in C
    game.apply(2, ("claim", 1, "red", 0))
    assert game.legal(2) == {("take_passenger", "blue"), ("take_passenger", None)}
    game.apply(2, ("take_passenger", "blue"))
    assert game.player == 3
    assert game.snapshot()["passengers_at"] == {}


@pytest.mark.rule("RULING-14", "PASSENGER-1")
def test_a_country_has_one_passenger() -> None:
    game = start(COUNTRY, 2, chance=Scripted(passengers=("red",)))
    give(game, 0, red=1)
    give(game, 1, red=1)
    game.apply(0, ("claim", 0, "red", 0))
    game.apply(0, ("take_passenger", "red"))
    game.apply(1, ("claim", 1, "red", 0))
    assert (game.phase, game.player) == ("turn", 0)


@pytest.mark.rule("PASSENGER-3", "RULING-7")
def test_passenger_prizes() -> None:
    game = start(
        small_spec(*LINE, passenger_colors=dict.fromkeys(("black", "blue", "green", "red", "white", "yellow"), 10)), 4
    )
    game.passengers_of = [
        {"black": 3, "blue": 2, "green": 1, "red": 4},
        {"black": 2, "blue": 2, "red": 2},
        {"black": 1, "blue": 1, "red": 2},
        {"red": 1},
    ]
    # black 20/10; blue 20/20 and no second; green 20 and nobody second; red 20/10/10; white and yellow nobody
    assert [row["passengers"] for row in score(game)["players"]] == [80, 10 + 20 + 10, 10, 0]


# ----------------------------------------------------------------------------------------------------------------------
# End and score
# ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("END-1", "RULING-8")
@pytest.mark.parametrize("players", SEATS)
def test_last_round(players: int) -> None:
    game = start(small_spec(*LINE), players)
    game.trains = [3] * players
    for player in range(players):
        give(game, player, green=1, blue=2)
    game.apply(0, ("claim", 3, "green", 0))
    assert game.snapshot()["last_round"] == players
    game.apply(1, ("claim", 0, "blue", 0))  # down to 1 as well: changes nothing
    assert game.snapshot()["last_round"] == players - 1
    for player in [*range(2, players), 0]:
        assert game.to_act() == {player}
        with pytest.raises(ValueError, match="over"):
            game.result()
        game.apply(player, ("draw_blind",))
        game.apply(player, ("draw_blind",))
    assert game.to_act() == set()
    assert game.snapshot()["phase"] == "over"


@pytest.mark.rule("END-1")
def test_three_trains_are_enough_to_go_on() -> None:
    game = start(small_spec(*LINE))
    game.trains = [5, 5]
    give(game, 0, blue=2)
    game.apply(0, ("claim", 0, "blue", 0))
    assert game.trains[0] == 3
    assert game.last_round is None


def trails_by_hand(tracks: list[Track]) -> int:
    """Every order of every subset, walked from either end of its first track."""
    best = 0
    for count in range(1, len(tracks) + 1):
        for order in itertools.permutations(tracks, count):
            for begin in (order[0].a, order[0].b):
                here: str | None = begin
                for track in order:
                    here = track.b if here == track.a else track.a if here == track.b else None
                    if here is None:
                        break
                if here is not None:
                    best = max(best, sum(track.length for track in order))
    return best


@pytest.mark.rule("END-3")
def test_longest_trail() -> None:
    rng = random.Random(1)
    for _ in range(60):
        ends = [rng.sample("ABCDE", 2) for _ in range(rng.randint(1, 6))]
        tracks = [Track(index, a, b, rng.randint(1, 6), "gray", False, 0) for index, (a, b) in enumerate(ends)]
        assert longest_trail(tracks) == trails_by_hand(tracks)
    loop = [Track(i, a, b, 2, "gray", False, 0) for i, (a, b) in enumerate(zip("ABCCDEA", "BCADECF", strict=True))]
    assert longest_trail(loop) == 14  # a figure of eight with a tail
    assert longest_trail([]) == 0


@pytest.mark.rule("END-3", "RULING-7")
def test_path_bonus() -> None:
    game = start(small_spec(*LINE, path_bonus=10), 3)
    assert [row["path"] for row in score(game)["players"]] == [0, 0, 0]
    own(game, 0, 0)
    own(game, 1, 1)
    assert [row["path"] for row in score(game)["players"]] == [10, 10, 0]


@pytest.mark.rule("END-4", "RULING-7")
def test_globetrotter() -> None:
    game = start(small_spec(*LINE, globetrotter=15), 3)
    tickets(game, 0, ("A", "E", 1))
    assert [row["globetrotter"] for row in score(game)["players"]] == [0, 0, 0]
    own(game, 0, 0, 1)
    own(game, 1, 3)
    tickets(game, 0, ("A", "C", 5), ("A", "E", 1), ("B", "E", 1))
    tickets(game, 1, ("D", "E", 2))
    rows = score(game)["players"]
    assert [row["globetrotter"] for row in rows] == [15, 15, 0]
    assert [row["path"] for row in rows] == [0, 0, 0]


def decided(game: Reference) -> tuple[list[int], str]:
    result = score(game)
    return result["winners"], result["decided_by"]


@pytest.mark.rule("END-5", "RULING-9")
def test_usa_tie_breaks() -> None:
    game = start(small_spec(*LINE, ("E", "F", 2, "gray"), path_bonus=10), 4)
    assert decided(game) == ([0, 1, 2, 3], "shared")
    own(game, 1, 0, 1)
    game.points = [10, 0, 10, 0]
    assert decided(game) == ([1], "path")  # 10 points each, one of them the bonus
    own(game, 2, 3)
    game.points = [10, 0, 5, 0]
    tickets(game, 2, ("D", "E", 5))
    assert decided(game) == ([2], "tickets")
    game.points[3] = 11
    assert decided(game) == ([3], "points")


@pytest.mark.rule("END-5", "END-6")
def test_path_tie_break_is_for_the_tied() -> None:
    game = start(small_spec(*LINE, path_bonus=10), 3)
    own(game, 0, 2)
    game.points = [0, 20, 20]
    assert decided(game) == ([1, 2], "shared")  # the bonus is with somebody else
    own(game, 1, 0)
    own(game, 2, 1)
    game.owner[2] = None
    game.points = [20, 10, 10]
    assert decided(game) == ([1, 2], "shared")  # both hold it; player 0 drops out


@pytest.mark.rule("END-6")
def test_europe_tie_breaks() -> None:
    game = start(small_spec(*LINE, path_bonus=10, stations=3, tie_breaks=("tickets", "stations", "path")), 3)
    game.stations = [["A"], ["B", "C"], []]
    game.points = [4, 8, 0]
    assert decided(game) == ([2], "stations")
    game.stations = [["A"], ["B"], []]
    own(game, 1, 0)
    game.points = [14, 4, 0]
    assert decided(game) == ([1], "path")
    assert Reference("europe", 2, RandomChance(0)).spec["tie_breaks"] == ("tickets", "stations", "path")
    assert Reference("usa", 2, RandomChance(0)).spec["tie_breaks"] == ("tickets", "path")


@pytest.mark.rule("END-7")
def test_germany_tie_breaks() -> None:
    game = Reference("germany", 3, RandomChance(0))
    play_first_choices(game)
    game.tickets = [[], [], []]
    game.passengers_of = [{"red": 1, "blue": 1}, {"red": 1, "green": 2}, {}]
    game.points = [0, 0, 40]  # red 20 each, blue 20, green 20
    assert decided(game) == ([1], "passengers")
    game.passengers_of = [{"red": 1}, {"red": 1}, {}]
    game.points = [0, 0, 0]
    assert decided(game) == ([0, 1], "shared")
    game.owner[0] = 0
    game.tickets[0] = [Ticket(game.tracks[0].a, game.tracks[0].b, 2, 0)]
    game.points = [0, 17, 0]
    assert decided(game) == ([0], "tickets")
