"""TICKET: drawing, keeping, returning and completing destination tickets, and who sees them."""

from __future__ import annotations

import pytest

from support.positions import EDITIONS, EUROPE_BOARDS, deal, final, position

USA = [
    "Boston–Miami",
    "Calgary–Phoenix",
    "Calgary–Salt Lake City",
    "Chicago–New Orleans",
    "Chicago–Santa Fe",
    "Dallas–New York",
]


# ---- drawing ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("TICKET-1", "TICKET-2")
@pytest.mark.parametrize(
    ("edition", "drawn"), [("usa", 3), ("europe", 3), ("europe-1912", 3), ("mega-europe", 3), ("big-cities", 4)]
)
def test_the_top_tickets_are_drawn_and_at_least_one_is_kept(edition: str, drawn: int) -> None:
    table = position(edition)
    deck = table.ticket_deck()
    assert table.legal("draw_tickets") == {"draw tickets"}
    table.play("draw tickets")
    assert table.offer(0) == deck[:drawn]
    assert table.ticket_deck() == deck[drawn:]
    kept = {action.kept for action in table.game.legal()}
    assert len(kept) == 2**drawn - 1
    assert () not in kept
    assert table.refuses("keep none")
    table.play("keep 2")
    assert (table.tickets(0), table.due) == ({deck[1]}, ("turn", 1))


@pytest.mark.rule("TICKET-3")
@pytest.mark.parametrize("longs", [0, 1, 2, 3, 4])
def test_germany_draws_four_in_a_mix_announced_beforehand(longs: int) -> None:
    table = position("germany")
    mixes = {
        n: "draw tickets: " + ", ".join(f"{k} {deck}" for k, deck in ((n, "long"), (4 - n, "short")) if k)
        for n in range(5)
    }
    assert table.legal("draw_tickets") == set(mixes.values())
    shorts, long = table.ticket_deck(0), table.ticket_deck(1)
    table.play(mixes[longs])
    assert sorted(table.offer(0)) == sorted(long[:longs] + shorts[: 4 - longs])
    assert (table.ticket_deck(0), table.ticket_deck(1)) == (shorts[4 - longs :], long[longs:])
    assert len(table.legal("keep")) == 15  # every choice but none at all


@pytest.mark.rule("TICKET-4")
@pytest.mark.parametrize("edition", ["usa", "europe", "europe-1912", "mega-europe", "big-cities"])
@pytest.mark.parametrize("left", [2, 1])
def test_with_fewer_tickets_left_those_are_drawn(edition: str, left: int) -> None:
    names = position(edition).ticket_deck()[:left]
    table = position(edition, ticket_decks={0: names}).play("draw tickets")
    assert (table.offer(0), table.ticket_deck()) == (names, [])
    assert len(table.legal("keep")) == 2**left - 1
    table.play("keep 1")
    assert table.ticket_deck() == names[1:]


@pytest.mark.rule("TICKET-4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_with_no_ticket_left_drawing_tickets_is_no_action(edition: str) -> None:
    table = position(edition, ticket_decks={0: (), 1: ()})
    assert table.kinds() == {"draw_blind", "draw_face_up"}
    assert table.refuses("draw tickets")


@pytest.mark.rule("TICKET-3", "TICKET-4")
@pytest.mark.parametrize(
    ("shorts", "longs", "mixes"),
    [
        (5, 0, {"4 short"}),
        (0, 4, {"4 long"}),
        (1, 5, {"3 long, 1 short", "4 long"}),
        (3, 2, {"1 long, 3 short", "2 long, 2 short"}),
        (2, 2, {"2 long, 2 short"}),
        (2, 1, {"1 long, 2 short"}),
        (1, 0, {"1 short"}),
        (0, 1, {"1 long"}),
    ],
)
def test_germany_near_the_end_offers_the_mixes_that_the_decks_still_hold(
    shorts: int, longs: int, mixes: set[str]
) -> None:
    decks = [position("germany").ticket_deck(d)[:n] for d, n in enumerate((shorts, longs))]
    table = position("germany", ticket_decks=dict(enumerate(decks)))
    assert table.legal("draw_tickets") == {f"draw tickets: {mix}" for mix in mixes}
    table.play(sorted(table.legal("draw_tickets"))[0])
    assert len(table.offer(0)) == min(4, shorts + longs)
    assert "keep none" not in table.legal()


# ---- returning -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("TICKET-5", "RULING-5")
def test_tickets_not_kept_go_to_the_bottom_in_the_order_they_were_drawn() -> None:
    table = position(ticket_decks={0: USA}).play("draw tickets").play("keep 2")
    assert table.ticket_deck() == [*USA[3:], USA[0], USA[2]]
    table.play("draw tickets").play("keep 3")
    assert table.ticket_deck() == [USA[0], USA[2], USA[3], USA[4]]
    table.play("draw tickets")
    assert table.offer(0) == [USA[0], USA[2], USA[3]]


@pytest.mark.rule("TICKET-5", "RULING-5")
def test_germany_returns_each_ticket_to_the_deck_it_came_from() -> None:
    table = position("germany")
    shorts, longs = table.ticket_deck(0), table.ticket_deck(1)
    table.play("draw tickets: 2 long, 2 short")
    assert table.offer(0) == [*longs[:2], *shorts[:2]]
    table.play("keep 2")
    assert table.ticket_deck(0) == shorts[2:] + shorts[:2]
    assert table.ticket_deck(1) == [*longs[2:], longs[0]]


@pytest.mark.rule("TICKET-5")
@pytest.mark.parametrize("edition", EUROPE_BOARDS)
def test_later_returns_stay_in_the_game_even_where_the_first_ones_left_it(edition: str) -> None:
    table = position(edition)
    deck = table.ticket_deck()
    table.play("draw tickets").play("keep 1")
    drawn = 4 if edition == "big-cities" else 3
    assert table.ticket_deck() == deck[drawn:] + deck[1:drawn]


@pytest.mark.rule("TICKET-6")
def test_kept_tickets_stay_and_there_is_no_limit_to_them() -> None:
    table = position(ticket_decks={0: USA[:3]}, turn=1)
    held = table.tickets(1)
    assert len(held) == 27
    table.play("draw tickets").play("keep 1 2 3")
    assert table.tickets(1) == held | set(USA[:3])
    assert len(table.tickets(1)) == 30
    assert table.view(None).players[1].tickets == 30


# ---- secrecy ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("TICKET-7", "RULING-10")
def test_tickets_held_are_seen_by_their_owner_only_until_the_game_is_over() -> None:
    one = position(tickets={0: ("Boston–Miami",)}, ticket_decks={0: USA[1:4]})
    two = position(tickets={0: ("Dallas–New York",)}, ticket_decks={0: USA[1:4]})
    assert one.seen(0) != two.seen(0)
    assert [t.text for t in one.view(0).tickets] == ["Boston–Miami (12)"]
    assert one.seen(None) == two.seen(None)
    assert one.view(1).players[0].tickets == 1
    assert not one.view(1).states["tickets"][0, 0].any()
    over = position(tickets={0: ("Boston–Miami",)}, over=True)
    assert over.view(1).states["tickets"][0, 0].any()
    assert over.view(None).states["tickets"][0, 0].any()
    assert [t.text for t in over.result().players[0].failed] == ["Boston–Miami (12)"]


@pytest.mark.rule("TICKET-7", "RULING-10")
def test_drawing_and_returning_tickets_shows_the_others_only_numbers() -> None:
    tables = [
        position(ticket_decks={0: order}).play("draw tickets") for order in (USA[:4], [USA[2], USA[1], USA[0], USA[3]])
    ]
    for viewer in (1, None):
        assert tables[0].seen(viewer) == tables[1].seen(viewer)
    assert tables[0].seen(0) != tables[1].seen(0)
    tables[0].play("keep 1")
    tables[1].play("keep 2")
    assert tables[0].seen(None) == tables[1].seen(None)
    assert tables[0].view(None).ticket_decks == {"tickets": 3}
    mine, theirs = (set(tables[0].view(p).states["ticket_order"][0].tolist()) for p in (0, 1))
    assert {ticket for ticket in mine if ticket >= 0} == {
        tables[0].ticket(name) for name in USA[1:3]
    }  # who put them there knows them …
    assert max(theirs) < 0  # … and nobody else


@pytest.mark.rule("TICKET-7")
def test_germany_shows_how_many_of_each_back_are_held_and_nothing_else() -> None:
    table = position("germany").play("draw tickets: 3 long, 1 short")
    table.play("keep 1 4")
    for viewer in (1, None):
        assert table.view(viewer).players[0].tickets_by_deck == {"short": 1, "long": 1}
    other = position("germany").play("draw tickets: 3 long, 1 short").play("keep 2 4")
    assert other.seen(None) == table.seen(None)


@pytest.mark.rule("TICKET-7")
def test_a_choice_of_first_tickets_stays_secret_in_play() -> None:
    table, other = deal("usa").play("keep 1 2", player=0), deal("usa").play("keep 2 3", player=0)
    for each in (table, other):
        each.play("keep 1 2 3", player=1).play("draw blind", "red").play("draw blind", "red").play("draw tickets").play(
            "keep 1"
        )
    assert table.seen(1) == other.seen(1)
    assert table.seen(0) != other.seen(0)


# ---- completing ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("TICKET-8", "END-2")
@pytest.mark.parametrize(
    ("mine", "yours", "done"),
    [
        (("Denver–Santa Fe", "El Paso–Santa Fe"), (), True),
        (("Denver–Phoenix", "Phoenix–Santa Fe", "El Paso–Santa Fe"), (), True),
        (("Denver–Santa Fe",), ("El Paso–Santa Fe",), False),
        (("Denver–Santa Fe", "El Paso–Phoenix"), (), False),
        ((), ("Denver–Santa Fe", "El Paso–Santa Fe"), False),
    ],
)
def test_a_ticket_is_completed_by_its_owners_connected_routes_only(
    mine: tuple[str, ...], yours: tuple[str, ...], done: bool
) -> None:
    row = final(tickets={0: ("Denver–El Paso",)}, owned={0: mine, 1: yours}).players[0]
    assert [t.text for t in (row.completed if done else row.failed)] == ["Denver–El Paso (4)"]
    assert (row.failed if done else row.completed) == ()
    assert row.tickets == (4 if done else -4)


@pytest.mark.rule("TICKET-9")
@pytest.mark.parametrize(
    "routes",
    [
        ("Freiburg–Karlsruhe", "Freiburg–Frankreich (Freiburg)"),
        ("Freiburg–Karlsruhe", "Karlsruhe–Frankreich (Karlsruhe)"),
        ("Freiburg–Karlsruhe", "Karlsruhe–Saarbrücken", "Saarbrücken–Frankreich (Saarbrücken)"),
    ],
)
def test_a_country_is_reached_by_any_of_its_border_spaces(routes: tuple[str, ...]) -> None:
    to_munich = ("Freiburg–Stuttgart", "Stuttgart–Ulm (1st)", "Augsburg–Ulm (1st)", "Augsburg–München (1st)")
    row = final("germany", tickets={0: ("Frankreich–München",)}, owned={0: routes + to_munich}).players[0]
    assert (len(row.completed), row.tickets) == (1, 8)
    row = final("germany", tickets={0: ("Frankreich–München",)}, owned={0: ("Freiburg–Karlsruhe", *to_munich)}).players[
        0
    ]
    assert (len(row.completed), row.tickets) == (0, -8)


@pytest.mark.rule("TICKET-9")
def test_border_spaces_of_one_country_do_not_connect_to_each_other() -> None:
    through = ("Konstanz–Schweiz (Konstanz)", "Lindau–Schweiz (Lindau)")
    east, west = ("Lindau–München",), ("Konstanz–Stuttgart",)
    row = final(
        "germany", tickets={0: ("München–Stuttgart", "München–Konstanz")}, owned={0: through + east + west}
    ).players[0]
    assert (len(row.completed), len(row.failed)) == (0, 2)
    row = final(
        "germany", tickets={0: ("München–Stuttgart", "München–Konstanz")}, owned={0: ("Konstanz–Lindau", *east, *west)}
    ).players[0]
    assert (len(row.completed), len(row.failed)) == (2, 0)


@pytest.mark.rule("TICKET-9")
def test_a_ticket_between_two_countries_needs_one_border_space_of_each_in_one_network() -> None:
    apart = ("Kiel–Dänemark (Kiel)", "Emden–Niederlande (Emden)")
    assert not final("germany", tickets={0: ("Dänemark–Niederlande",)}, owned={0: apart}).players[0].completed
    joined = (*apart, "Bremerhaven–Kiel", "Bremerhaven–Emden")
    assert final("germany", tickets={0: ("Dänemark–Niederlande",)}, owned={0: joined}).players[0].completed
