"""The scripted styles do what is published of them."""

from __future__ import annotations

from typing import Any

import pytest

from support.positions import Table, deal, position, with_rules
from whistlestop.bots import Limit, bot
from whistlestop.bots.referee import play

STYLES = ("one-step", "long-route", "route-focused", "ticket-hungry")
EAST = ["New York–Washington (black)", "Raleigh–Washington (1st)", "Atlanta–Raleigh (1st)"]
"""Completes New York–Atlanta."""


def choice(name: str, table: Table, seed: int = 0) -> str:
    """What a style does for the player to move."""
    player = table.game.to_move[0]
    action = bot(name, seed).act(table.view(player), Limit())
    assert action in table.game.legal(player)
    return action.text


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("edition", ["usa", "europe", "germany"])
def test_every_style_beats_random(name: str, edition: str) -> None:
    for seed in range(3):
        seats = [name, "random"] if seed % 2 else ["random", name]
        result = play(edition, seats, seed=seed).result()
        assert result.players[result.winners[0]].name == name
        assert max(player.total for player in result.players) > 50


# --- tickets ---------------------------------------------------------------------------------------------------------
FAR = ["Seattle–New York", "New York–Atlanta", "Chicago–Santa Fe"]


def test_first_tickets() -> None:
    table = deal(with_rules("usa", trains=16), top={0: FAR})
    for name in ("one-step", "route-focused"):
        assert choice(name, table) == f"keep {', '.join(sorted(FAR, key=FAR.index))}", "all of them"
    assert choice("long-route", table) != choice("one-step", table)
    assert choice("ticket-hungry", table) == "keep New York–Atlanta, Chicago–Santa Fe", (
        "the others need too many trains"
    )


def test_tickets_are_drawn_by_those_who_want_more() -> None:
    done: dict[str, Any] = {"tickets": {0: ["New York–Atlanta"]}, "owned": {0: EAST}, "hands": {0: "1 red"}}
    assert choice("one-step", position("usa", **done)) == "draw tickets"
    assert choice("ticket-hungry", position("usa", **done)) == "draw tickets"
    assert choice("long-route", position("usa", **done)) != "draw tickets"
    assert choice("route-focused", position("usa", **done)) != "draw tickets"


def test_tickets_are_drawn_while_trains_are_left_over() -> None:
    wanting = position("usa", tickets={0: ["New York–Atlanta"]})
    assert choice("ticket-hungry", wanting) == "draw tickets", "its network takes few trains"
    assert choice("one-step", wanting) != "draw tickets", "one thing after another"
    busy = position("usa", tickets={0: ["Seattle–New York", "Los Angeles–Miami", "Boston–Miami"]})
    assert choice("ticket-hungry", busy) != "draw tickets"
    ending = position("usa", tickets={0: ["New York–Atlanta"]}, last_turns=2)
    assert choice("ticket-hungry", ending) != "draw tickets"


def test_no_tickets_are_drawn_near_the_end() -> None:
    far = ["Calgary–Winnipeg", "Helena–Winnipeg", "Helena–Seattle", "Duluth–Helena"]
    rival = [*far, "Sault St. Marie–Winnipeg", "Calgary–Vancouver", "Duluth–Toronto", "Portland–Salt Lake City"]
    table = position("usa", tickets={0: ["New York–Atlanta"]}, owned={0: EAST, 1: rival})
    assert choice("one-step", table) != "draw tickets", "the rival has fewer than eight trains"


# --- tracks ----------------------------------------------------------------------------------------------------------
def test_one_step_works_on_the_most_valuable_ticket() -> None:
    tickets = {0: ["New York–Atlanta", "Los Angeles–Miami"]}
    hands = {0: "2 black, 6 black, 1 locomotive"}
    text = choice("one-step", position("usa", tickets=tickets, hands=hands))
    assert text == "claim El Paso–Los Angeles with 6 black", "on the way to Miami, which is worth more than Atlanta"


def test_cards_for_the_next_track() -> None:
    where: dict[str, Any] = {"tickets": {0: ["Los Angeles–Miami"]}, "hands": {0: "1 black"}}
    for name in ("one-step", "long-route"):
        assert choice(name, position("usa", face_up="green red black white locomotive", **where)) == "draw black"
        assert choice(name, position("usa", face_up="green red white white locomotive", **where)) == "draw locomotive"
        assert choice(name, position("usa", face_up="green red white white orange", **where)) == "draw blind"
    text = choice("route-focused", position("usa", face_up="green orange white white locomotive", **where))
    assert text == "draw blind", "it takes no locomotives that lie open"


def test_a_ticket_for_which_the_trains_do_not_last_is_given_up() -> None:
    where: dict[str, Any] = {"tickets": {0: ["Los Angeles–New York", "New York–Atlanta"]}, "hands": {0: "2 green"}}
    assert (
        choice("one-step", position(with_rules("usa", trains=8), **where))
        == "claim New York–Pittsburgh (green) with 2 green"
    )
    assert choice("one-step", position("usa", **where)).startswith("draw"), "the long one comes first"


def test_of_parallel_tracks_the_easier_is_claimed() -> None:
    table = position("usa", tickets={0: ["New York–Atlanta"]}, hands={0: "2 white"})
    for name in ("one-step", "route-focused"):
        assert choice(name, table) == "claim New York–Pittsburgh (white) with 2 white"


def test_long_route_uses_no_short_tracks() -> None:
    table = position("usa", tickets={0: ["New York–Atlanta"]}, hands={0: "2 green, 2 black, 2 orange, 2 white"})
    assert choice("one-step", table) == "claim New York–Pittsburgh (green) with 2 green"
    assert not choice("long-route", table).startswith("claim")


def test_long_route_goes_for_the_longest_track_it_can_pay() -> None:
    table = position("usa", tickets={0: ["New York–Atlanta"]}, owned={0: EAST}, hands={0: "6 white, 5 green"})
    assert choice("long-route", table) == "claim Calgary–Winnipeg with 6 white"


def test_route_focused_claims_what_is_worth_most_of_what_it_can_pay() -> None:
    tickets = {0: ["New York–Atlanta", "Los Angeles–Miami"]}
    both = position("usa", tickets=tickets, hands={0: "2 green, 6 red"})
    assert choice("route-focused", both) == "claim Miami–New Orleans with 6 red", "Miami is worth more"
    one = position("usa", tickets=tickets, owned={0: ["Houston–New Orleans"]}, hands={0: "2 green, 1 red"})
    assert choice("route-focused", one).startswith("claim New York–"), "what it can pay, though it is worth less"
    none = position("usa", tickets={0: ["New York–Atlanta"]}, owned={0: EAST}, hands={0: "3 white"})
    assert choice("route-focused", none).startswith("claim"), "any track brings points"


def test_ticket_hungry_pays_gray_tracks_with_what_it_does_not_need() -> None:
    """Its network has a gray track of two spaces at Duluth, and no purple one."""
    where: dict[str, Any] = {"tickets": {0: ["Seattle–New York", "Los Angeles–Chicago", "Duluth–El Paso"]}}
    board = with_rules("usa", trains=40)
    purple, blue = (position(board, hands={0: f"2 {colour}"}, **where) for colour in ("purple", "blue"))
    assert choice("ticket-hungry", purple).endswith("with 2 purple")
    assert choice("ticket-hungry", blue).startswith("draw"), "Chicago–Omaha needs them"


def test_ticket_hungry_draws_what_its_network_needs_most() -> None:
    where: dict[str, Any] = {"tickets": {0: ["Seattle–New York", "Los Angeles–Chicago", "Duluth–El Paso"]}}
    board = with_rules("usa", trains=40)
    assert choice("ticket-hungry", position(board, face_up="blue red yellow red red", **where)) == "draw yellow"
    assert choice("ticket-hungry", position(board, face_up="blue red orange red blue", **where)) == "draw red"
    assert (
        choice("ticket-hungry", position(board, face_up="purple orange orange purple orange", **where)) == "draw blind"
    )


# --- what is not published -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", STYLES)
def test_stations_tunnels_passengers_and_announcements(name: str) -> None:
    cut_off = position(
        "europe",
        tickets={0: ["Paris–Edinburgh"]},
        hands={0: "1 red, 1 locomotive"},
        owned={
            0: ["Dieppe–London (1st)", "Dieppe–Paris"],
            1: ["Edinburgh–London (black)"],
        },
    )
    assert not choice(name, cut_off).startswith("build station")
    dearer = position("europe", hands={0: "4 purple, 1 locomotive"}, tickets={0: ["Frankfurt–Kobenhavn"]})
    dearer.play("claim Marseille–Zürich with 2 purple", "purple red red")
    assert choice(name, dearer) == "pay 1 purple", "without a locomotive"
    waiting = position(
        "germany",
        hands={0: "1 purple"},
        waiting={"Karlsruhe": "", "Stuttgart": "yellow blue"},
        collected={0: "blue", 1: "blue yellow yellow yellow"},
    )
    waiting.play("claim Karlsruhe–Stuttgart with 1 purple")
    assert choice(name, waiting) == "take blue passenger at Stuttgart"
    assert choice(name, deal("germany")) == "announce 2 long, 2 short"


@pytest.mark.parametrize("name", STYLES)
def test_the_seed_decides_between_equals(name: str) -> None:
    def records(game: int) -> set[str]:
        seats = [[bot(name, seed), bot("random", 1)] for seed in range(4)]
        return {play("usa", pair, game, names=["a", "b"]).record() for pair in seats}

    assert any(len(records(game)) > 1 for game in range(10))
