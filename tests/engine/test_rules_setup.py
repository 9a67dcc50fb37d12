"""SETUP and TURN: the setup of every edition, and whose turn is next."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from support.positions import EDITIONS, EUROPE_BOARDS, Table, deal, pile, position, shuffled
from whistlestop.game import Game, IllegalAction
from whistlestop.mapfile import add_pack, load_edition

BIG = {"London", "Berlin", "Moskva", "Paris", "Wien", "Madrid", "Roma", "Athina", "Angora"}


# ---- players, trains, stations -------------------------------------------------------------------------------------
@pytest.mark.rule("SETUP-1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_two_to_five_can_play_and_no_other_number(edition: str) -> None:
    for players in (2, 3, 4, 5):
        assert Game(edition, players, seed=1).players == players
    for players in (-1, 0, 1, 6, True):
        with pytest.raises(ValueError, match="2 to 5 players"):
            Game(edition, players, seed=1)


@pytest.mark.rule("SETUP-2")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 5])
def test_everybody_starts_with_45_trains_and_no_points(edition: str, players: int) -> None:
    table = deal(edition, players)
    assert [(table.trains(p), table.points(p)) for p in range(players)] == [(45, 0)] * players


@pytest.mark.rule("SETUP-10")
@pytest.mark.parametrize("edition", EDITIONS)
def test_three_stations_each_on_the_europe_boards_and_none_elsewhere(edition: str) -> None:
    stations = 3 if edition in EUROPE_BOARDS else 0
    assert [player.stations_left for player in deal(edition, 5).view(None).players] == [stations] * 5


# ---- train cards ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("SETUP-3")
@pytest.mark.parametrize("edition", EDITIONS)
def test_110_cards_four_to_each_player_then_five_face_up(edition: str) -> None:
    hands = "4 red, 3 blue, locomotive, purple, 2 white, black"
    table = deal(edition, 3, cards_dealt=f"{hands}, yellow, 2 green, 2 orange")
    assert [table.hand(p) for p in range(3)] == [
        pile("4 red"),
        pile("3 blue, locomotive"),
        pile("purple, 2 white, black"),
    ]
    assert table.face_up == "yellow green green orange orange"
    assert (table.discard, table.phase) == ({}, "announce" if edition == "germany" else "first_tickets")
    whole = Counter(table.deck) + Counter(pile(f"{hands}, yellow, 2 green, 2 orange"))
    assert whole == dict.fromkeys(("purple", "blue", "orange", "white", "green", "yellow", "black", "red"), 12) | {
        "locomotive": 14
    }
    assert sum(whole.values()) == 110


@pytest.mark.rule("SETUP-3")
def test_the_cards_are_shuffled() -> None:
    hands = [tuple(map(tuple, Game("usa", 2, seed=seed)._states["hand"][0])) for seed in range(20)]
    assert len(set(hands)) == 20


@pytest.mark.rule("SETUP-4", "DRAW-7")
def test_three_locomotives_in_the_first_five_are_swept_away_again_and_again() -> None:
    first, second = "3 locomotive, red, blue", "4 locomotive, black"
    table = deal("usa", 2, cards_dealt=f"8 white, {first}, {second}, 2 locomotive, 3 green")
    assert table.face_up == "locomotive locomotive green green green"
    assert table.discard == pile(f"{first}, {second}")
    assert sum(table.deck.values()) == 110 - 8 - 15


@pytest.mark.rule("SETUP-4")
def test_two_locomotives_in_the_first_five_stay() -> None:
    table = deal("usa", 2, cards_dealt="8 white, 2 locomotive, red, blue, green")
    assert (table.face_up, table.discard) == ("locomotive locomotive red blue green", {})


# ---- first tickets -------------------------------------------------------------------------------------------------
def kept_sizes(table: Table, player: int) -> Counter[int]:
    """How many choices keep so many tickets."""
    return Counter(len(action.kept) for action in table.game.legal(player))


@pytest.mark.rule("SETUP-5", "RULING-5")
def test_usa_deals_three_and_takes_back_one_at_most_under_the_deck() -> None:
    mine, yours = (
        ["Boston–Miami", "Denver–El Paso", "Seattle–New York"],
        ["Dallas–New York", "Duluth–Houston", "Helena–Los Angeles"],
    )
    table = deal("usa", 2, top={0: mine + yours})
    assert (table.offer(0), table.offer(1)) == (mine, yours)
    assert kept_sizes(table, 0) == kept_sizes(table, 1) == {2: 3, 3: 1}
    below = table.ticket_deck()
    assert len(set(below)) == 30 - 6
    table.play("keep Boston–Miami, Seattle–New York", player=0).play(
        "keep Dallas–New York, Helena–Los Angeles", player=1
    )
    assert table.ticket_deck() == [*below, "Denver–El Paso", "Duluth–Houston"]
    assert table.tickets(0) == {"Boston–Miami", "Seattle–New York"}
    assert table.due == ("turn", 0)


@pytest.mark.rule("SETUP-6", "SETUP-7")
@pytest.mark.parametrize(("edition", "regular"), [("europe", 40), ("europe-1912", 49)])
@pytest.mark.parametrize("players", [2, 5])
def test_europe_deals_one_long_and_three_regular_and_the_rest_leaves_the_game(
    edition: str, regular: int, players: int
) -> None:
    table = deal(edition, players)
    assert (len(table.ticket_deck(0)), len(table.ticket_deck(1))) == (regular - 3 * players, 6 - players)
    long = {f"{t.a}–{t.b}" for t in load_edition(edition).decks[1].tickets}
    for player in range(players):
        assert [name in long for name in table.offer(player)] == [True, False, False, False]
        assert kept_sizes(table, player) == {2: 6, 3: 4, 4: 1}
    below, offers = table.ticket_deck(), [table.offer(p) for p in range(players)]
    table.play("keep 1 2", player=0).play("keep 2 3", player=1)
    for player in range(2, players):
        table.play("keep 1 2 3 4", player=player)
    assert table.ticket_deck(0) == below  # neither under the deck …
    assert table.ticket_deck(1) == []  # … nor left for later
    assert (table.tickets(0), table.tickets(1)) == (set(offers[0][:2]), set(offers[1][1:3]))


@pytest.mark.rule("SETUP-6", "SETUP-7", "SETUP-8")
def test_the_two_sets_of_europe_tickets_are_different_and_mega_has_both() -> None:
    classic, later, mega = (load_edition(e).decks for e in ("europe", "europe-1912", "mega-europe"))
    for deck, sizes in ((0, (40, 49, 89)), (1, (6, 6, 12))):
        assert tuple(len(set(d[deck].tickets)) for d in (classic, later, mega)) == sizes
        assert set(classic[deck].tickets) | set(later[deck].tickets) == set(mega[deck].tickets)
    assert {t.kind for t in mega[1].tickets} == {"long"}


@pytest.mark.rule("SETUP-8")
def test_mega_first_offers_two_long_tickets_of_which_one_or_none_is_kept() -> None:
    table = deal("mega-europe", 2)
    longs = [table.offer(0), table.offer(1)]
    assert (len(table.ticket_deck(0)), len(table.ticket_deck(1))) == (89, 12 - 4)
    assert table.legal(player=0) == {"keep none", f"keep {longs[0][0]}", f"keep {longs[0][1]}"}
    table.play("keep 1", player=0)
    assert (table.phase, table.offer(0)) == ("first_tickets", longs[0])  # the second step waits for all
    table.play("keep none", player=1)
    assert [len(table.offer(p)) for p in (0, 1)] == [5, 5]
    assert table.tickets(0) == {longs[0][0]}
    assert table.tickets(1) == set()


@pytest.mark.rule("SETUP-8")
def test_mega_then_asks_two_regular_tickets_of_who_kept_a_long_one_and_three_of_who_did_not() -> None:
    table = deal("mega-europe", 2).play("keep 2", player=0).play("keep none", player=1)
    assert kept_sizes(table, 0) == {2: 10, 3: 10, 4: 5, 5: 1}
    assert kept_sizes(table, 1) == {3: 10, 4: 5, 5: 1}


@pytest.mark.rule("SETUP-8")
def test_mega_shuffles_regular_returns_under_the_deck_and_boxes_the_long_ones() -> None:
    table = deal("mega-europe", 2).play("keep 1", player=0).play("keep none", player=1)
    below, offers = table.ticket_deck(), [table.offer(0), table.offer(1)]
    table.play("keep 1 2", player=0)
    table.play("keep 1 2 3", shuffled(range(5), [4, 0, 3, 1, 2]), player=1)
    returned = offers[0][2:] + offers[1][3:]
    assert table.ticket_deck(0) == below + [returned[i] for i in (4, 0, 3, 1, 2)]
    assert table.ticket_deck(1) == []
    assert (len(table.tickets(0)), len(table.tickets(1))) == (3, 3)
    assert table.due == ("turn", 0)


@pytest.mark.rule("SETUP-9")
def test_big_cities_uses_exactly_the_marked_tickets_and_no_long_ones() -> None:
    edition = load_edition("big-cities")
    assert len(edition.decks) == 1
    tickets = edition.decks[0].tickets
    assert len(set(tickets)) == 45
    assert all(BIG & {t.a, t.b} and t.kind == "regular" and t.big_city for t in tickets)


@pytest.mark.rule("SETUP-9")
def test_big_cities_deals_five_keeps_two_or_more_and_shuffles_returns_under_the_deck() -> None:
    table = deal("big-cities", 3)
    assert [kept_sizes(table, p) for p in range(3)] == [{2: 10, 3: 10, 4: 5, 5: 1}] * 3
    below, offers = table.ticket_deck(), [table.offer(p) for p in range(3)]
    assert len(below) == 45 - 15
    table.play("keep 1 2 3 4 5", player=2).play("keep 4 5", player=1)
    table.play("keep 1 2 3", shuffled(range(5), [3, 1, 4, 0, 2]), player=0)
    returned = offers[0][3:] + offers[1][:3]
    assert table.ticket_deck() == below + [returned[i] for i in (3, 1, 4, 0, 2)]


@pytest.mark.rule("SETUP-11", "RULING-15")
@pytest.mark.parametrize("edition", EUROPE_BOARDS)
def test_bonus_tickets_join_any_europe_variant_each_set_on_its_own(edition: str) -> None:
    pairs = ("Cadiz Petrograd", "Cadiz Sochi", "Cadiz Rostov", "Lisboa Sochi", "Lisboa Rostov", "Lisboa Petrograd")
    six = [{"from": a, "to": b, "points": 9} for a, b in map(str.split, pairs)]
    express: dict[str, Any] = {"name": "six", "board": "europe", "tickets": six}
    single: dict[str, Any] = {"name": "one", "tickets": [{"from": "Edinburgh", "to": "Palermo", "points": 5}]}
    plain = load_edition(edition)
    before = {f"{t.a}–{t.b}" for t in plain.decks[0].tickets}
    for packs, more in (((express,), 6), ((single,), 1), ((express, single), 7)):
        added = plain
        for pack in packs:
            added = add_pack(added, pack)
        table = position(added)
        assert len(table.ticket_deck()) == len(before) + more
        assert set(table.ticket_deck()) - before == {
            f"{t['from']}–{t['to']}" for pack in packs for t in pack["tickets"]
        }
    assert {f"{t.a}–{t.b}" for t in load_edition(edition).decks[0].tickets} == before


@pytest.mark.rule("SETUP-12")
def test_germany_announces_a_mix_of_four_and_is_dealt_it() -> None:
    table = deal("germany", 2)
    assert (len(table.ticket_deck(0)), len(table.ticket_deck(1))) == (55, 34)
    mixes = {
        "announce 4 short",
        "announce 1 long, 3 short",
        "announce 2 long, 2 short",
        "announce 3 long, 1 short",
        "announce 4 long",
    }
    assert table.legal(player=0) == table.legal(player=1) == mixes
    shorts, longs = table.ticket_deck(0), table.ticket_deck(1)
    table.play("announce 4 long", player=1)
    assert (table.phase, table.offer(1)) == ("announce", [])
    table.play("announce 1 long, 3 short", player=0)
    assert (table.offer(0), table.offer(1)) == ([longs[0], *shorts[:3]], longs[1:5])
    assert kept_sizes(table, 0) == kept_sizes(table, 1) == {2: 6, 3: 4, 4: 1}


@pytest.mark.rule("SETUP-12")
def test_germany_shuffles_returned_tickets_into_their_own_whole_decks() -> None:
    table = deal("germany", 2).play("announce 2 long, 2 short", player=0).play("announce 4 short", player=1)
    shorts, longs, offers = table.ticket_deck(0), table.ticket_deck(1), [table.offer(0), table.offer(1)]
    table.play("keep 1 2", player=0)  # both long ones; the two short ones go back
    backwards = [shuffled(range(n), range(n)[::-1]) for n in (len(shorts) + 4, len(longs))]
    table.play("keep 1 4", backwards[0] + backwards[1], player=1)
    assert table.ticket_deck(0) == [*shorts, *offers[0][2:], *offers[1][1:3]][::-1]
    assert table.ticket_deck(1) == longs[::-1]


@pytest.mark.rule("SETUP-13")
def test_germany_puts_60_passengers_from_the_bag_on_the_board_as_the_diagram_says() -> None:
    edition = load_edition("germany")
    assert edition.board.passenger_colours == dict.fromkeys(("black", "blue", "green", "red", "white", "yellow"), 10)
    diagram = {c.name: c.passengers for c in edition.board.cities if c.passengers} | {
        c.name: 1 for c in edition.board.countries
    }
    assert sum(diagram.values()) == 60
    assert {place: n for place, n in diagram.items() if n > 1} == {
        "Berlin": 5, "Frankfurt": 4, "Hamburg": 4, "Köln": 4, "München": 4, "Leipzig": 3, "Stuttgart": 3,
    }  # fmt: skip
    bag = [colour for _ in range(10) for colour in ("red", "white", "blue", "black", "green", "yellow")]
    table = deal("germany", 2, bag=bag)
    placed = table.game.passengers()
    assert {place: len(colours) for place, colours in placed.items()} == diagram
    assert [colour for colours in placed.values() for colour in colours] == bag


@pytest.mark.rule("SETUP-13")
def test_passengers_are_drawn_at_random() -> None:
    assert len({str(Game("germany", 2, seed=seed).passengers()) for seed in range(10)}) == 10


# ---- secrecy and the first player ------------------------------------------------------------------------------------
@pytest.mark.rule("SETUP-14")
@pytest.mark.parametrize("edition", EDITIONS)
def test_all_choose_before_the_first_turn_and_nobody_twice(edition: str) -> None:
    table = deal(edition, 3, first=1)
    while table.phase != "turn":
        assert table.phase in ("announce", "first_tickets")
        for left in ((0, 1, 2), (0, 1), (0,)):
            assert table.game.to_move == left
            table.game.play(table.game.legal(left[-1])[-1], player=left[-1])
            if len(left) > 1:
                with pytest.raises(IllegalAction, match="chosen already"):
                    table.game.play(table.game.legal(left[0])[0], player=left[-1])
    assert table.due == ("turn", 1)


@pytest.mark.rule("SETUP-14", "RULING-10")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_choice_being_made_shows_nothing_but_that_it_is_made(edition: str) -> None:
    tables = [deal(edition, 2) for _ in range(len(deal(edition, 2).game.legal(0)))]
    for i, table in enumerate(tables):
        table.game.play(table.game.legal(0)[i], player=0)
    for viewer in (1, None):
        assert len({table.seen(viewer) for table in tables}) == 1
    assert len({table.seen(0) for table in tables}) == len(tables)
    assert [player.chosen for player in tables[0].view(1).players] == [True, False]


@pytest.mark.rule("SETUP-14")
@pytest.mark.parametrize("edition", ["europe", "europe-1912"])
def test_after_the_choices_only_the_number_kept_is_known_not_even_whether_the_long_one_is_among_them(
    edition: str,
) -> None:
    tables = [
        deal(edition, 2).play(choice, player=0).play("keep 1 2", player=1)
        for choice in ("keep 1 2", "keep 2 3", "keep 3 4")
    ]
    for viewer in (1, None):
        assert len({table.seen(viewer) for table in tables}) == 1
        assert [player.tickets for player in tables[0].view(viewer).players] == [2, 2]
        assert tables[0].view(viewer).players[0].tickets_by_deck is None
    more = deal(edition, 2).play("keep 1 2 3", player=0).play("keep 1 2", player=1)
    assert more.view(1).players[0].tickets == 3


@pytest.mark.rule("SETUP-14")
def test_the_offer_is_seen_by_its_player_only() -> None:
    table = deal("usa", 2)
    assert [t.text.rpartition(" ")[0] for t in table.view(0).offer] == table.offer(0)
    other = deal("usa", 2, top={0: ("Seattle–New York", "Portland–Phoenix", "Calgary–Phoenix", *table.offer(1))})
    assert other.offer(1) == table.offer(1)
    assert other.offer(0) != table.offer(0)
    assert other.seen(1) == table.seen(1)
    assert other.seen(None) == table.seen(None)
    assert table.view(None).offer == ()


@pytest.mark.rule("SETUP-14", "RULING-5")
@pytest.mark.parametrize("edition", ["usa", "mega-europe", "germany"])
def test_the_order_of_choosing_changes_nothing(edition: str) -> None:
    def ends(order: tuple[int, ...]) -> bytes:
        table = deal(edition, 3)
        while table.phase != "turn":
            for player in order:
                legal = table.game.legal(player)
                table.game.play(legal[player % len(legal)], player=player)
        return table.game._states.tobytes()

    assert len({ends(order) for order in permutations(range(3))}) == 1


@pytest.mark.rule("SETUP-15")
def test_the_first_player_is_drawn_from_the_seed() -> None:
    drawn = [Game("usa", 3, seed=seed).first for seed in range(40)]
    assert drawn == [Game("usa", 3, seed=seed).first for seed in range(40)]
    assert set(drawn) == {0, 1, 2}


@pytest.mark.rule("SETUP-15", "TURN-2")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_host_may_set_the_first_player_and_play_goes_clockwise(first: int) -> None:
    table = deal("usa", 3, first=first)
    for player in range(3):
        table.play("keep 1 2 3", player=player)
    order = []
    for _ in range(6):
        order.append(table.player)
        table.play("draw blind", "red" if table.deck["red"] > 1 else "blue").play(
            "draw blind", "black" if table.deck["black"] else "blue"
        )
    assert order == [(first + i) % 3 for i in range(6)]
    with pytest.raises(ValueError, match="first player"):
        Game("usa", 3, first=3)


# ---- turns -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("TURN-1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_turn_is_a_draw_a_claim_tickets_or_on_europe_boards_a_station(edition: str) -> None:
    table = position(edition, hands={0: "4 red, 4 locomotive"})
    three = {"draw_blind", "draw_face_up", "claim", "draw_tickets"}
    assert table.kinds() == (three | {"station"} if edition in EUROPE_BOARDS else three)


@pytest.mark.rule("TURN-1", "TURN-2", "CLAIM-7", "STATION-3")
@pytest.mark.parametrize(
    ("plays", "chance"),
    [
        (("claim Budapest–Wien (red) with 1 red",), ("",)),
        (("build station in Paris with 1 red",), ("",)),
        (("draw tickets", "keep 1"), ("", "")),
        (("draw blind", "draw green"), ("black", "black")),
    ],
)
def test_after_one_action_it_is_the_next_players_turn(plays: tuple[str, ...], chance: tuple[str, ...]) -> None:
    table = position("europe", 3, hands=dict.fromkeys(range(3), "4 red"), turn=2)
    for text, outcome in zip(plays, chance, strict=True):
        assert table.player == 2
        table.play(text, outcome)
    assert table.due == ("turn", 0)
    assert table.refuses("draw blind", player=2)


@pytest.mark.rule("TURN-1")
def test_an_action_once_begun_is_finished_before_anything_else() -> None:
    table = position("europe", hands={0: "4 red"}).play("draw blind", "red")
    assert (table.phase, table.kinds()) == ("second_card", {"draw_blind", "draw_face_up"})
    table = position("europe", hands={0: "4 red"}).play("draw tickets")
    assert (table.phase, table.kinds()) == ("tickets", {"keep"})
    assert table.refuses("claim Budapest–Wien (red) with 1 red")
