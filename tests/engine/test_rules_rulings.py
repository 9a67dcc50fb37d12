"""RULING: where the rulebooks are silent. Rulings on tickets, stations and the final count are tested with those."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.positions import EUROPE_BOARDS, pile, position, tiny, with_rules
from whistlestop.engine import layout as lay
from whistlestop.game import Game, ImpossibleOutcome
from whistlestop.mapfile import MAPS, MapError, editions, load_edition

ZURICH = "Marseille–Zürich"


# ---- RULING-1: passing -----------------------------------------------------------------------------------------------
ALL = ("Ash–Birch", "Birch–Cedar", "Ash–Cedar")


@pytest.mark.rule("RULING-1")
def test_a_player_who_can_do_something_cannot_pass() -> None:
    table = position()
    assert "pass" not in table.legal()
    assert table.refuses("pass")


@pytest.mark.rule("RULING-1")
def test_a_player_with_no_legal_action_passes_and_when_all_have_passed_the_game_is_over() -> None:
    table = position(tiny(), 3, face_up="", deck="", ticket_decks={0: ()}, owned={0: ALL})
    for player in range(3):
        assert (table.due, table.legal()) == (("turn", player), {"pass"})
        table.play("pass")
    assert (table.phase, table.game.to_move) == ("over", ())
    assert table.result().winners == (0,)


@pytest.mark.rule("RULING-1")
def test_passes_count_only_in_a_row() -> None:
    table = position(tiny(), 2, hands={0: "1 white"}, face_up="", deck="", ticket_decks={0: ()}, owned={0: ALL[1:]})
    assert table.legal() == {"pass"}
    table.play("pass").play("claim Ash–Birch with 1 red", "red")
    assert table.legal() == {"draw red"}  # the card paid is on the table again
    table.play("draw red").play("pass")
    assert table.due == ("turn", 0)
    table.play("pass")
    assert table.phase == "over"


@pytest.mark.rule("RULING-1", "END-1")
def test_a_pass_is_a_turn_of_the_last_round() -> None:
    table = position(tiny(), 3, face_up="", deck="", ticket_decks={0: ()}, owned={0: ALL}, last_turns=2).play("pass")
    assert (table.due, table.last_turns) == (("turn", 1), 1)
    assert table.play("pass").phase == "over"


# ---- RULING-2: sweeps that cannot help -------------------------------------------------------------------------------
@pytest.mark.rule("RULING-2", "DRAW-7")
def test_three_locomotives_stay_when_fewer_than_three_other_cards_are_left() -> None:
    table = position(face_up="blue locomotive locomotive red red", deck="3 locomotive").play("draw blue", "locomotive")
    assert (table.face_up, table.discard) == ("locomotive locomotive locomotive red red", {})
    assert (table.due, table.legal()) == (("second_card", 0), {"draw red", "draw blind"})


@pytest.mark.rule("RULING-2", "DRAW-7")
@pytest.mark.parametrize(("deck", "discard"), [("3 locomotive", "green"), ("3 locomotive, green", "")])
def test_a_third_other_card_in_deck_or_discards_makes_the_sweep_happen(deck: str, discard: str) -> None:
    table = position(face_up="blue locomotive locomotive red red", deck=deck, discard=discard)
    rest = "2 locomotive, red, red, green" if discard else "green, 2 locomotive, red, red"
    table.play("draw blue", f"locomotive, {rest}")
    assert sorted(table.face_up.split()) == ["green", "locomotive", "locomotive", "red", "red"]
    assert (table.deck, table.discard) == (pile("3 locomotive"), {})


@pytest.mark.rule("RULING-2", "DRAW-7")
def test_a_deck_of_five_and_the_face_up_five_are_shuffled_together_when_both_show_three_locomotives() -> None:
    """Two sweeps without a shuffle, then all ten cards in one: the discards are renewed only when a card is needed."""
    table = position(face_up="red locomotive locomotive blue white", deck="4 locomotive, 2 green")
    turned = "3 locomotive, 2 green", "2 locomotive, blue, white, green"
    table.play("draw red", f"locomotive, {turned[0]}, {turned[1]}")
    assert (table.face_up, table.deck) == ("locomotive locomotive blue white green", pile("4 locomotive, green"))
    assert (table.discard, table.due) == ({}, ("second_card", 0))


@pytest.mark.rule("RULING-2", "DRAW-7")
def test_the_face_up_five_cannot_come_back_before_the_deck_of_five_was_shown() -> None:
    table = position(face_up="red locomotive locomotive blue white", deck="4 locomotive, 2 green")
    with pytest.raises(ImpossibleOutcome):
        table.play("draw red", "locomotive, blue, white, 3 locomotive")


@pytest.mark.rule("RULING-2", "RULING-3")
def test_after_the_last_sweep_the_discards_are_the_deck_at_once() -> None:
    table = position(face_up="red locomotive locomotive blue white", deck="3 locomotive, 3 green")
    table.play("draw red", "locomotive, 2 locomotive, 3 green")
    assert (table.face_up, table.discard) == ("locomotive locomotive green green green", {})
    assert table.deck == pile("3 locomotive, blue, white")


@pytest.mark.rule("RULING-2", "DRAW-7")
@pytest.mark.parametrize("seed", range(200))
def test_sweeps_end_whatever_is_drawn(seed: int) -> None:
    """With three other cards among eleven most deals of five show three locomotives again; the sweeps go on."""
    table = position(face_up="red locomotive locomotive blue white", deck="6 locomotive, green")
    table.state.rng = 10**15 * (seed + 1)
    table.game.play("draw red")
    assert table.face_up.split().count("locomotive") < 3


@pytest.mark.rule("RULING-2", "DRAW-7")
def test_a_deck_of_five_beside_discards_is_swept() -> None:
    table = position(face_up="red locomotive locomotive blue white", deck="4 locomotive, 2 green", discard="black")
    table.play("draw red", "locomotive, 3 locomotive, 2 green, black, blue, white, 2 locomotive")
    assert table.face_up == "black blue white locomotive locomotive"


# ---- RULING-3: empty decks and gaps ----------------------------------------------------------------------------------
@pytest.mark.rule("RULING-3", "DRAW-8")
def test_cards_paid_while_the_deck_is_empty_become_the_deck_and_fill_the_gaps_at_once() -> None:
    table = position(hands={0: "4 blue"}, face_up="red", deck="").play("claim Denver–Santa Fe with 2 blue", "2 blue")
    assert (table.face_up, table.deck, table.discard) == ("red blue blue - -", {}, {})
    table = position(hands={0: "6 white"}, face_up="red", deck="").play(
        "claim Calgary–Winnipeg with 6 white", "4 white"
    )
    assert (table.face_up, table.deck, table.discard) == ("red white white white white", pile("2 white"), {})


@pytest.mark.rule("RULING-3")
def test_cards_paid_for_a_station_and_turned_up_for_a_tunnel_fill_gaps_too() -> None:
    table = position("europe", hands={0: "1 blue"}, face_up="red", deck="").play(
        "build station in Paris with 1 blue", "blue"
    )
    assert table.face_up == "red blue - - -"
    table = position("europe", hands={0: "2 purple"}, face_up="5 red", deck="purple").play(
        f"claim {ZURICH} with 2 purple", "purple"
    )
    assert (table.due, table.deck, table.discard) == (("tunnel", 0), {}, {})
    table.play("give up")
    assert (table.deck, table.discard) == (pile("purple"), {})


# ---- RULING-4: no second card ----------------------------------------------------------------------------------------
@pytest.mark.rule("RULING-4")
@pytest.mark.parametrize(
    ("face_up", "deck", "first", "chance"),
    [
        ("red", "", "draw red", ""),
        ("red, 2 locomotive", "", "draw red", ""),
        ("red, 4 locomotive", "locomotive", "draw red", "locomotive"),
        ("5 locomotive", "red", "draw blind", "red"),
    ],
)
def test_the_turn_ends_when_no_second_card_may_be_drawn(face_up: str, deck: str, first: str, chance: str) -> None:
    table = position(face_up=face_up, deck=deck).play(first, chance)
    assert (table.hand(0), table.due) == (pile("red"), ("turn", 1))


@pytest.mark.rule("RULING-4")
def test_the_turn_goes_on_when_a_second_card_is_left() -> None:
    assert position(face_up="red blue", deck="").play("draw red").due == ("second_card", 0)
    assert position(face_up="4 locomotive, blue", deck="green").play("draw blind", "green").due == ("second_card", 0)


# ---- RULING-5, RULING-6, RULING-7, RULING-9 are tested with tickets, stations and the end ----------------------------
# ---- RULING-8: one last round ----------------------------------------------------------------------------------------
@pytest.mark.rule("RULING-8", "END-1")
def test_a_second_player_running_out_of_trains_does_not_prolong_the_last_round() -> None:
    hands = {0: "3 red", 1: "3 black, 2 white", 2: "3 orange"}
    table = position(with_rules("usa", trains=5), 3, hands=hands).play("claim Chicago–Duluth with 3 red")
    table.play("claim Chicago–Pittsburgh (black) with 3 black")
    assert (table.trains(1), table.last_turns) == (2, 2)
    table.play("claim Las Vegas–Salt Lake City with 3 orange")
    assert (table.trains(2), table.last_turns, table.due) == (2, 1, ("turn", 0))
    table.play("draw tickets").play("keep 1")
    assert table.game.over


# ---- RULING-10: what everyone saw ------------------------------------------------------------------------------------
@pytest.mark.rule("RULING-10")
def test_hands_and_deck_are_hidden_but_for_their_sizes() -> None:
    one, two = position(hands={0: "3 red, 1 locomotive"}), position(hands={0: "2 blue, 2 green"})
    for viewer in (1, None):
        assert one.seen(viewer) == two.seen(viewer)
        assert one.view(viewer).players[0].cards == 4
        assert one.view(viewer).deck == 110 - 4 - 5
        assert not one.view(viewer).states["deck"].any()
        assert int(one.view(viewer).states["rng"][0]) == 0
    assert (one.view(0).hand, two.view(0).hand) == (pile("3 red, 1 locomotive"), pile("2 blue, 2 green"))
    assert (one.view(1).hand, one.view(None).hand) == ({}, {})


@pytest.mark.rule("RULING-10", "DRAW-1")
def test_a_card_taken_face_up_stays_known_and_one_drawn_blind_stays_hidden() -> None:
    one = position().play("draw green", "red").play("draw blind", "black")
    two = position().play("draw green", "red").play("draw blind", "locomotive")
    for viewer in (1, None):
        assert one.seen(viewer) == two.seen(viewer)
        player = one.view(viewer).players[0]
        assert (player.known, player.cards) == ({"green": 1}, 2)
    assert one.seen(0) != two.seen(0)


@pytest.mark.rule("RULING-10")
def test_known_cards_are_forgotten_as_they_are_played() -> None:
    table = position(hands={0: "4 red, 1 locomotive"}, known={0: "3 red, 1 locomotive"}).play(
        "claim Denver–Santa Fe with 2 red"
    )
    assert table.view(1).players[0].known == {"red": 1, "locomotive": 1}
    table = position(hands={0: "4 red"}, known={0: "1 red"}).play("claim Denver–Santa Fe with 2 red")
    assert table.view(1).players[0].known == {}
    table = position("europe", hands={0: "2 red"}, known={0: "2 red"}).play("build station in Paris with 1 red")
    assert table.view(1).players[0].known == {"red": 1}


@pytest.mark.rule("RULING-10", "TUNNEL-4")
def test_cards_laid_for_a_tunnel_are_seen_and_stay_known_when_taken_back() -> None:
    table = position("europe", hands={0: "3 purple, 1 red"}, known={0: "1 red"}).play(
        f"claim {ZURICH} with 2 purple", "purple, 2 red"
    )
    assert table.view(1).tunnel == {
        "track": table.track(ZURICH),
        "laid": {"purple": 2},
        "turned_up": ["purple", "red", "red"],
        "hits": [True, False, False],
        "extra": 1,
    }
    table.play("give up")
    assert table.view(1).players[0].known == {"purple": 2, "red": 1}
    assert table.view(None).discard == pile("purple, 2 red")


# ---- RULING-11 to RULING-13: tunnels ---------------------------------------------------------------------------------
@pytest.mark.rule("RULING-11", "TUNNEL-4")
def test_even_a_player_who_cannot_pay_is_asked_and_the_others_see_no_difference() -> None:
    poor = position("europe", hands={0: "2 purple, 2 red"}).play(f"claim {ZURICH} with 2 purple", "2 purple, green")
    rich = position("europe", hands={0: "4 purple"}).play(f"claim {ZURICH} with 2 purple", "2 purple, green")
    assert (poor.due, poor.legal()) == (("tunnel", 0), {"give up"})
    assert rich.legal() == {"pay 2 purple", "give up"}
    assert poor.seen(1) == rich.seen(1)
    assert poor.seen(None) == rich.seen(None)
    poor.play("give up")
    rich.play("give up")
    assert poor.seen(1) == rich.seen(1)


@pytest.mark.rule("RULING-12")
def test_a_reshuffle_during_the_reveal_leaves_laid_and_turned_cards_on_the_table() -> None:
    table = position("europe", hands={0: "3 purple"}, deck="2 red", discard="5 green")
    for impossible in ("red, red, purple", "red, red, red"):
        with pytest.raises(ImpossibleOutcome):
            table.play(f"claim {ZURICH} with 2 purple", impossible)
    table.play(f"claim {ZURICH} with 2 purple", "red, red, green")
    assert table.deck == pile("4 green")
    assert table.discard == pile("2 purple, 2 red, green")


@pytest.mark.rule("RULING-12", "TUNNEL-5")
def test_while_the_tunnel_is_being_asked_about_its_cards_are_in_no_pile() -> None:
    table = position("europe", hands={0: "3 purple"}, deck="2 red", discard="purple, green")
    table.play(f"claim {ZURICH} with 2 purple", "2 red, purple")
    assert (table.due, table.deck, table.discard, table.hand(0)) == (("tunnel", 0), pile("green"), {}, pile("purple"))
    table.play("give up")
    assert (table.deck, table.discard, table.hand(0)) == (pile("green"), pile("2 red, purple"), pile("3 purple"))


@pytest.mark.rule("RULING-13")
def test_extra_cards_cost_no_trains() -> None:
    table = position(with_rules("europe", trains=2), hands={0: "5 purple"}).play(
        f"claim {ZURICH} with 2 purple", "3 purple"
    )
    table.play("pay 3 purple")
    assert (table.owner(ZURICH), table.trains(0), table.points(0), table.hand(0)) == (0, 0, 2, {})


# ---- RULING-15: ticket packs -----------------------------------------------------------------------------------------
PACK = """
name  = "mine"
board = "europe"
tickets = [
  { from = "Lisboa", to = "Cadiz", points = 3 },
  { from = "Cadiz", to = "Sochi", points = 17, kind = "long" },
]
"""


@pytest.mark.rule("RULING-15", "SETUP-11")
def test_a_ticket_pack_is_a_small_file_whose_tickets_are_played_like_any_other(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(PACK)
    edition = load_edition("europe", packs=[file])
    assert [len(deck.tickets) for deck in edition.decks] == [41, 7]
    assert Game("europe", 2, seed=1, packs=[file]).edition == edition
    table = position(edition, owned={0: ("Cadiz–Lisboa",)}, ticket_decks={0: ("Lisboa–Cadiz",)})
    table.play("draw tickets").play("keep Lisboa–Cadiz")
    over = position(
        edition, owned={0: ("Cadiz–Lisboa",)}, tickets={0: ("Lisboa–Cadiz",), 1: ("Cadiz–Sochi",)}, over=True
    )
    assert [row.tickets for row in over.result().players] == [3, -17]


@pytest.mark.rule("RULING-15")
@pytest.mark.parametrize(
    ("old", "new", "edition", "reason"),
    [
        ("Lisboa", "Atlantis", "europe", "Atlantis"),
        ("", "", "usa", "for the board"),
        ('"Lisboa", to = "Cadiz"', '"Athina", to = "Angora"', "europe", "already"),
        ("", "", "big-cities", "no deck of long tickets"),
    ],
)
def test_a_pack_that_does_not_fit_is_refused(tmp_path: Path, old: str, new: str, edition: str, reason: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(PACK.replace(old, new))
    with pytest.raises(MapError, match=reason):
        load_edition(edition, packs=[file])


@pytest.mark.rule("RULING-15")
def test_no_invented_tickets_are_shipped() -> None:
    assert {path.name for path in MAPS.glob("*.toml")} == {"usa.toml", "europe.toml", "germany.toml"}
    sets = {ticket.set for edition in EUROPE_BOARDS for deck in load_edition(edition).decks for ticket in deck.tickets}
    assert sets == {"europe", "1912"}
    assert all(edition.packs == () for edition in editions())


# ---- RULING-17, RULING-18: drawing cards ---------------------------------------------------------------------------
@pytest.mark.rule("RULING-17", "DRAW-1")
@pytest.mark.parametrize("first", ["draw blind", "draw green"])
def test_who_drew_one_card_draws_the_second(first: str) -> None:
    table = position().play(first, "red")
    assert table.due == ("second_card", 0)
    assert table.legal()
    assert all(action.startswith("draw ") and action != "draw tickets" for action in table.legal())
    assert table.refuses("pass")


@pytest.mark.rule("RULING-18", "DRAW-9")
def test_face_up_cards_can_be_taken_when_deck_and_discards_are_empty() -> None:
    table = position(face_up="red blue locomotive", deck="")
    assert (table.deck, table.discard) == ({}, {})
    assert {"draw red", "draw blue", "draw locomotive"} <= table.legal()
    assert table.refuses("draw blind")
    assert table.play("draw red").legal() == {"draw blue"}
    assert table.play("draw blue").hand(0) == pile("red, blue")


# ---- RULING-16: announcements --------------------------------------------------------------------------------------
@pytest.mark.rule("RULING-16", "SETUP-12", "SETUP-14")
def test_announced_mixes_are_hidden_until_the_last_one_is_made_and_public_from_then_on() -> None:
    game = Game("germany", players=3, seed=1)
    hidden = {game.view(viewer).states.tobytes() for viewer in (1, None)}
    for other in range(5):
        game = Game("germany", players=3, seed=1)
        game.play(lay.DRAW_TICKETS + other, 0)
        hidden |= {game.view(1).states.tobytes()}
        assert [player.announced for player in game.view(1).players] == [None, None, None]
    assert len(hidden) == 3, "a view of player 1 before, one after, and a spectator's: whatever the mix"
    game = Game("germany", players=3, seed=1)
    for player, long in enumerate((3, 0, 4)):
        game.play(lay.DRAW_TICKETS + long, player)
    for viewer in (0, 1, 2, None):
        view = game.view(viewer)
        assert [player.announced for player in view.players] == [
            {"short": 1, "long": 3}, {"short": 4, "long": 0}, {"short": 0, "long": 4},
        ]  # fmt: skip
        assert [player.offered for player in view.players] == [4, 4, 4]
    for player in range(3):
        game.play("keep 1, 2", player)
    assert all((player.announced, player.offered) == (None, 0) for player in game.view(None).players)
    assert [player.tickets_by_deck for player in game.view(None).players] == [
        {"short": 0, "long": 2}, {"short": 2, "long": 0}, {"short": 0, "long": 2},
    ]  # fmt: skip


@pytest.mark.rule("RULING-10")
def test_everybody_sees_how_many_tickets_a_player_is_choosing_from() -> None:
    table = position("big-cities").play("draw tickets")
    for viewer in (0, 1, None):
        assert [player.offered for player in table.view(viewer).players] == [4, 0]
