"""DRAW: train cards, face up and blind, sweeps and reshuffles."""

from __future__ import annotations

import pytest

from support.positions import EDITIONS, pile, position


# ---- two cards -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("DRAW-1")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("first", "second", "gets"),
    [
        (("draw blind", "black"), ("draw blind", "red"), "black, red"),
        (("draw blind", "black"), ("draw blue", "red"), "black, blue"),
        (("draw blue", "red"), ("draw blind", "black"), "blue, black"),
        (("draw blue", "red"), ("draw red", "black"), "blue, red"),
    ],
)
def test_two_cards_are_drawn_face_up_or_blind_in_any_mix(
    edition: str, first: tuple[str, str], second: tuple[str, str], gets: str
) -> None:
    table = position(edition).play(*first)
    assert table.due == ("second_card", 0)
    table.play(*second)
    assert table.hand(0) == pile(gets)
    assert table.due == ("turn", 1)


@pytest.mark.rule("DRAW-1", "DRAW-3")
def test_what_can_be_drawn_is_the_deck_and_every_kind_of_card_face_up() -> None:
    table = position(face_up="red red locomotive blue locomotive")
    assert table.legal("draw_face_up") | table.legal("draw_blind") == {
        "draw red",
        "draw blue",
        "draw locomotive",
        "draw blind",
    }
    assert table.refuses("draw green")


@pytest.mark.rule("DRAW-2")
def test_a_face_up_card_is_replaced_before_the_second_draw_and_may_be_drawn_itself() -> None:
    table = position(face_up="red blue blue white green").play("draw blue", "black")
    assert table.face_up == "red black blue white green"
    assert "draw black" in table.legal()
    table.play("draw black", "yellow")
    assert table.face_up == "red yellow blue white green"
    assert table.hand(0) == pile("blue, black")


@pytest.mark.rule("DRAW-2")
def test_a_blind_draw_leaves_the_face_up_cards_alone() -> None:
    table = position(deck="4 red").play("draw blind", "red").play("draw blind", "red")
    assert (table.face_up, table.deck) == ("purple blue orange white green", pile("2 red"))


# ---- locomotives -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("DRAW-3")
def test_a_face_up_locomotive_is_the_only_card_of_the_turn() -> None:
    table = position(face_up="red locomotive blue white green").play("draw locomotive", "black")
    assert (table.hand(0), table.face_up) == (pile("locomotive"), "red black blue white green")
    assert table.due == ("turn", 1)


@pytest.mark.rule("DRAW-4")
@pytest.mark.parametrize(("face_up", "first", "chance"), [
    ("red locomotive locomotive white green", "draw red", "black"),
    ("red blue orange white green", "draw red", "locomotive"),
    ("red locomotive orange white green", "draw blind", "black"),
])  # fmt: skip
def test_a_face_up_locomotive_cannot_be_the_second_card_wherever_it_came_from(
    face_up: str, first: str, chance: str
) -> None:
    table = position(face_up=face_up).play(first, chance)
    assert "locomotive" in table.face_up
    assert table.due == ("second_card", 0)
    assert "draw locomotive" not in table.legal()
    assert {"draw white", "draw green", "draw blind"} <= table.legal()
    assert table.refuses("draw locomotive")


@pytest.mark.rule("DRAW-5")
def test_a_locomotive_drawn_blind_counts_as_one_card_first_or_second() -> None:
    table = position().play("draw blind", "locomotive")
    assert table.due == ("second_card", 0)
    table.play("draw blind", "locomotive")
    assert (table.hand(0), table.due) == (pile("2 locomotive"), ("turn", 1))
    table.play("draw green", "red").play("draw blind", "locomotive")
    assert (table.hand(1), table.due) == (pile("green, locomotive"), ("turn", 0))


@pytest.mark.rule("DRAW-6")
def test_a_hand_has_no_limit() -> None:
    table = position(deck="3 red, yellow", turn=1)
    assert sum(table.hand(1).values()) == 110 - 5 - 4
    assert "draw blind" in table.legal()
    table.play("draw blind", "red").play("draw blind", "red")
    assert sum(table.hand(1).values()) == 110 - 5 - 2


# ---- three locomotives -----------------------------------------------------------------------------------------------
@pytest.mark.rule("DRAW-7")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_third_face_up_locomotive_sweeps_all_five_away_before_the_second_draw(edition: str) -> None:
    table = position(edition, face_up="red locomotive blue white locomotive")
    table.play("draw red", "locomotive, black, black, yellow, locomotive, green")
    assert table.face_up == "black black yellow locomotive green"
    assert table.discard == pile("3 locomotive, blue, white")
    assert table.due == ("second_card", 0)
    assert table.legal() == {"draw blind", "draw black", "draw yellow", "draw green"}


@pytest.mark.rule("DRAW-7")
def test_a_sweep_that_shows_three_locomotives_again_is_swept_again() -> None:
    table = position(face_up="red locomotive blue white locomotive")
    table.play("draw red", "locomotive, 4 locomotive, black, 3 locomotive, 2 black, 5 green")
    assert table.face_up == "green green green green green"
    assert table.discard == pile("10 locomotive, blue, white, 3 black")


@pytest.mark.rule("DRAW-7")
def test_two_locomotives_are_not_swept() -> None:
    table = position(face_up="red locomotive blue white green").play("draw red", "locomotive")
    assert (table.face_up, table.discard) == ("locomotive locomotive blue white green", {})


@pytest.mark.rule("DRAW-7", "DRAW-3")
def test_a_locomotive_taken_and_replaced_by_another_leaves_two_and_no_sweep() -> None:
    table = position(face_up="red locomotive locomotive white green").play("draw locomotive", "locomotive")
    assert (table.face_up, table.discard, table.due) == ("red locomotive locomotive white green", {}, ("turn", 1))


@pytest.mark.rule("DRAW-7", "DRAW-8", "RULING-3")
def test_swept_cards_are_shuffled_in_when_the_deck_runs_out_in_the_middle_of_the_sweep() -> None:
    table = position(face_up="red locomotive blue white locomotive", deck="locomotive, 2 green")
    table.play("draw red", "locomotive, 2 green, blue, white, locomotive")
    assert table.face_up == "green green blue white locomotive"
    assert (table.deck, table.discard) == (pile("2 locomotive"), {})


# ---- an empty deck ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("DRAW-8", "RULING-3")
def test_the_last_card_of_the_deck_turns_the_discards_into_the_new_deck() -> None:
    table = position(deck="2 red", discard="3 black, locomotive").play("draw blind", "red")
    assert (table.deck, table.discard) == (pile("red"), pile("3 black, locomotive"))
    table.play("draw blind", "red")
    assert (table.deck, table.discard) == (pile("3 black, locomotive"), {})


@pytest.mark.rule("DRAW-8", "RULING-3")
def test_the_second_card_can_come_from_the_reshuffled_discards() -> None:
    table = position(deck="red", discard="black, white").play("draw green", "red").play("draw blind", "white")
    assert (table.hand(0), table.deck, table.discard) == (pile("green, white"), pile("black"), {})


@pytest.mark.rule("DRAW-9")
def test_without_deck_and_discards_only_face_up_cards_can_be_drawn_and_leave_gaps() -> None:
    table = position(face_up="red blue white locomotive black", deck="")
    assert table.legal("draw_blind") == set()
    assert table.legal("draw_face_up") == {"draw red", "draw blue", "draw white", "draw locomotive", "draw black"}
    table.play("draw blue")
    assert (table.face_up, table.legal()) == ("red - white locomotive black", {"draw red", "draw white", "draw black"})
    assert table.refuses("draw blind")


@pytest.mark.rule("DRAW-9")
@pytest.mark.parametrize("edition", EDITIONS)
def test_without_any_card_to_draw_drawing_is_no_action(edition: str) -> None:
    table = position(edition, face_up="", deck="")
    assert table.kinds() == {"draw_tickets"}
    table = position(edition, face_up="", deck="", turn=1)
    assert {"claim", "draw_tickets"} <= table.kinds()
    assert not {"draw_blind", "draw_face_up"} & table.kinds()
