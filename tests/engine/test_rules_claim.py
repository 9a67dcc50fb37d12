"""CLAIM, FERRY and TUNNEL: what a route costs, who may have it, what it earns."""

from __future__ import annotations

from collections import defaultdict

import pytest

from support.positions import EDITIONS, EUROPE_BOARDS, bits, pile, position, with_rules
from whistlestop.engine.tables import tables_of
from whistlestop.mapfile import load_edition


# ---- paying ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("CLAIM-1")
def test_a_coloured_route_takes_as_many_cards_of_its_colour_as_it_has_spaces() -> None:
    assert position(hands={0: "4 blue, 5 red, 5 white"}).payments("Chicago–Omaha") == {"4 blue"}
    assert position(hands={0: "11 blue"}).payments("Chicago–Omaha") == {"4 blue"}
    few = position(hands={0: "3 blue, 5 red, 5 white"})
    assert few.payments("Chicago–Omaha") == set()
    assert few.refuses("claim Chicago–Omaha with 4 red")
    assert few.refuses("claim Chicago–Omaha with 3 blue")


@pytest.mark.rule("CLAIM-2")
def test_a_gray_route_takes_a_set_of_any_one_colour_and_never_a_mix() -> None:
    table = position(hands={0: "4 red, 5 blue, 3 green"})
    assert table.payments("Calgary–Helena") == {"4 red", "4 blue"}
    mixed = position(hands={0: "3 red, 3 blue, 3 green"})
    assert mixed.payments("Calgary–Helena") == set()
    assert mixed.refuses("claim Calgary–Helena with 3 red, 1 blue")
    colours = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
    every = position(hands={0: ", ".join(f"2 {colour}" for colour in colours)})
    assert every.payments("Denver–Santa Fe") == {f"2 {colour}" for colour in colours}


@pytest.mark.rule("CLAIM-3")
def test_locomotives_stand_in_for_any_of_the_cards_up_to_all_of_them() -> None:
    mixes = {"3 blue, 1 locomotive", "2 blue, 2 locomotives", "1 blue, 3 locomotives", "4 locomotives"}
    assert position(hands={0: "3 blue, 4 locomotive, 1 red"}).payments("Chicago–Omaha") == mixes
    assert position(hands={0: "3 blue, 1 locomotive"}).payments("Chicago–Omaha") == {"3 blue, 1 locomotive"}
    assert position(hands={0: "2 blue, 1 locomotive"}).payments("Chicago–Omaha") == set()
    assert position(hands={0: "3 locomotive"}).payments("Chicago–Omaha") == set()
    gray = position(hands={0: "1 red, 1 blue, 1 locomotive"})
    assert gray.payments("Denver–Santa Fe") == {"1 red, 1 locomotive", "1 blue, 1 locomotive"}


@pytest.mark.rule("CLAIM-3", "CLAIM-5")
def test_the_player_decides_how_many_locomotives_to_play() -> None:
    table = position(hands={0: "4 blue, 4 locomotive"}).play("claim Chicago–Omaha with 1 blue, 3 locomotives")
    assert table.hand(0) == pile("3 blue, 1 locomotive")
    assert table.discard == pile("1 blue, 3 locomotive")
    assert (table.points(0), table.points(1)) == (7, 0), "the value of four spaces, at once"


@pytest.mark.rule("CLAIM-4")
def test_a_route_longer_than_the_trains_left_cannot_be_claimed() -> None:
    table = position(with_rules("usa", trains=5), hands={0: "6 white, 6 blue"})
    assert table.payments("Atlanta–Miami") == {"5 blue"}
    assert table.payments("Denver–Phoenix") == {"5 white"}
    assert table.payments("Calgary–Winnipeg") == set()
    assert table.refuses("claim Calgary–Winnipeg with 6 white")
    assert position(with_rules("usa", trains=6), hands={0: "6 white"}).payments("Calgary–Winnipeg") == {"6 white"}


@pytest.mark.rule("CLAIM-4", "CLAIM-5", "CLAIM-7")
def test_a_claim_puts_a_train_on_each_space_discards_the_cards_and_scores_at_once() -> None:
    table = position(hands={0: "6 white, 1 red"}, owned={0: ("Atlanta–Miami",)}).play(
        "claim Calgary–Winnipeg with 6 white"
    )
    assert (table.trains(0), table.trains(1)) == (45 - 5 - 6, 45)
    assert (table.points(0), table.points(1)) == (10 + 15, 0)
    assert (table.hand(0), table.discard) == (pile("1 red"), pile("6 white"))
    assert (table.owner("Calgary–Winnipeg"), table.due) == (0, ("turn", 1))


@pytest.mark.rule("CLAIM-6")
def test_any_open_route_may_be_claimed_wherever_the_players_others_are() -> None:
    routes = load_edition("usa").board.tracks
    for turn in (0, 1):
        table = position(
            hands={turn: "8 locomotive"}, owned={0: ("Atlanta–Miami",), 1: ("Denver–Santa Fe",)}, turn=turn
        )
        claimed = {action.track for action in table.game.legal() if action.kind == "claim"}
        assert claimed == set(range(len(routes))) - {table.track("Atlanta–Miami"), table.track("Denver–Santa Fe")}


@pytest.mark.rule("CLAIM-7")
def test_a_route_is_claimed_whole_or_not_at_all() -> None:
    table = position(with_rules("usa", trains=4), hands={0: "3 blue, 4 red"})
    assert table.refuses("claim Chicago–Omaha with 3 blue")
    for action in [action for action in table.game.legal() if action.kind == "claim"]:
        assert sum(dict(action.cards).values()) == table.tables.length[action.track]


# ---- parallel tracks -------------------------------------------------------------------------------------------------
@pytest.mark.rule("CLAIM-8", "CLAIM-9")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_second_track_of_a_double_closes_for_all_below_four_players_and_for_its_owner_above(
    edition: str, players: int
) -> None:
    taken, other = {
        "usa": ("Boston–New York (red)", "Boston–New York (yellow)"),
        "germany": ("Hamburg–Kiel (black)", "Hamburg–Kiel (purple)"),
    }.get(edition, ("Bruxelles–Paris (red)", "Bruxelles–Paris (yellow)"))
    table = position(
        edition, players, hands=dict.fromkeys(range(players), "2 locomotive"), waiting={"Hamburg": "", "Kiel": ""}
    )
    assert table.payments(other) == {"2 locomotives"}
    table.play(f"claim {taken} with 2 locomotives")
    for player in range(1, players):
        assert table.player == player
        assert table.payments(taken) == set()
        assert table.payments(other) == ({"2 locomotives"} if players >= 4 else set())
        table.play("draw blind", "red").play("draw blind", "red")
    assert table.player == 0
    again = position(edition, players, hands={0: "2 locomotive"}, owned={0: (taken,)})
    assert again.payments(other) == set()
    assert again.refuses(f"claim {other} with 2 locomotives")


@pytest.mark.rule("CLAIM-8", "CLAIM-9")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_triple_route_has_one_user_below_four_players_and_three_different_ones_above(players: int) -> None:
    first, second, third = (f"Düsseldorf–Köln ({n})" for n in ("1st", "2nd", "3rd"))
    for turn in range(players):
        table = position("germany", players, hands={turn: "1 red"}, owned={0: (second,)}, turn=turn)
        may = turn != 0 and players >= 4
        assert [table.payments(t) for t in (first, second, third)] == [
            {"1 red"} if may else set(),
            set(),
            {"1 red"} if may else set(),
        ]
    if players >= 4:
        for turn in range(players):
            table = position("germany", players, hands={turn: "1 red"}, owned={0: (second,), 1: (first,)}, turn=turn)
            assert table.payments(third) == (set() if turn < 2 else {"1 red"})


@pytest.mark.rule("CLAIM-10")
@pytest.mark.parametrize("edition", ["usa", "europe", "germany"])
def test_tracks_are_double_exactly_when_they_join_the_same_two_cities(edition: str) -> None:
    board, tables = load_edition(edition).board, tables_of(load_edition(edition))[0]
    joining = defaultdict(set)
    for i, track in enumerate(board.tracks):
        joining[frozenset((track.a, track.b))].add(i)
    for i, track in enumerate(board.tracks):
        assert set(bits(tables.twins[i])) == joining[frozenset((track.a, track.b))] - {i}
    assert sum(len(tracks) > 1 for tracks in joining.values()) == {"usa": 22, "europe": 11, "germany": 23}[edition]


@pytest.mark.rule("CLAIM-10")
def test_a_track_that_runs_beside_another_for_a_while_stays_open() -> None:
    table = position(hands={0: "6 black, 3 red", 1: "6 locomotive"}, owned={1: ("Los Angeles–Phoenix",)})
    assert table.payments("El Paso–Los Angeles") == {"6 black"}
    table = position(hands={0: "6 black, 3 red"}, owned={0: ("El Paso–Los Angeles",)})
    assert table.payments("Los Angeles–Phoenix") == {"3 red", "3 black"}


# ---- points ----------------------------------------------------------------------------------------------------------
USA_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}
EUROPE_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 6: 15, 8: 21}
GERMANY_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18}


@pytest.mark.rule("CLAIM-11", "CLAIM-12", "CLAIM-13")
@pytest.mark.parametrize(
    ("edition", "points"),
    [("usa", USA_POINTS), *((e, EUROPE_POINTS) for e in EUROPE_BOARDS), ("germany", GERMANY_POINTS)],
)
def test_points_grow_with_length(edition: str, points: dict[int, int]) -> None:
    lengths = defaultdict(list)
    for i, track in enumerate(load_edition(edition).board.tracks):
        lengths[track.length].append((track.tunnel, i))
    assert lengths.keys() == points.keys()
    for length, tracks in lengths.items():
        tunnel, i = min(tracks)
        table = position(edition, hands={0: f"{length} locomotive"}, face_up="5 red")
        name = table.words.track_name(i)
        table.play(f"claim {name} with {length} locomotive{'s' if length > 1 else ''}", "3 green" if tunnel else "")
        assert (table.points(0), table.trains(0), table.owner(name)) == (points[length], 45 - length, 0)


# ---- ferries ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("FERRY-1")
@pytest.mark.parametrize("edition", EUROPE_BOARDS)
def test_a_ferry_asks_a_locomotive_for_each_symbol_and_one_colour_for_the_rest(edition: str) -> None:
    def pays(hand: str, ferry: str) -> set[str]:
        return position(edition, hands={0: hand}).payments(ferry)

    assert pays("12 red", "Athina–Brindisi") == set()
    assert pays("4 red, 1 locomotive", "Athina–Brindisi") == {"3 red, 1 locomotive"}
    assert pays("2 red, 1 blue, 1 locomotive", "Athina–Brindisi") == set()
    assert pays("6 red, 3 blue, 1 locomotive", "Palermo–Smyrna") == set()
    assert pays("4 red, 4 blue, 2 locomotive", "Palermo–Smyrna") == {"4 red, 2 locomotives", "4 blue, 2 locomotives"}
    assert pays("2 red, 2 locomotive", "Amsterdam–London") == {"2 locomotives"}


@pytest.mark.rule("FERRY-1")
def test_on_a_ferry_more_locomotives_than_symbols_may_stand_in_for_the_colour() -> None:
    table = position("europe", hands={0: "3 red, 4 locomotive"})
    assert table.payments("Athina–Brindisi") == {
        "3 red, 1 locomotive",
        "2 red, 2 locomotives",
        "1 red, 3 locomotives",
        "4 locomotives",
    }
    table.play("claim Athina–Brindisi with 1 red, 3 locomotives")
    assert (table.hand(0), table.discard) == (pile("2 red, 1 locomotive"), pile("1 red, 3 locomotive"))
    assert table.refuses("claim Athina–Brindisi with 4 red", player=1)


# ---- tunnels ---------------------------------------------------------------------------------------------------------
ZURICH = "Marseille–Zürich"


@pytest.mark.rule("TUNNEL-1", "TUNNEL-2", "TUNNEL-5")
@pytest.mark.parametrize("edition", EUROPE_BOARDS)
def test_three_cards_without_a_match_let_the_tunnel_through_at_once(edition: str) -> None:
    table = position(edition, hands={0: "4 purple"}).play(f"claim {ZURICH} with 2 purple", "red, blue, red")
    assert (table.owner(ZURICH), table.points(0), table.trains(0)) == (0, 2, 43)
    assert (table.hand(0), table.discard) == (pile("2 purple"), pile("2 purple, 2 red, blue"))
    assert table.due == ("turn", 1)


@pytest.mark.rule("TUNNEL-1")
@pytest.mark.parametrize(
    "route", ["Marseille–Zürich", "Paris–Zürich", "Marseille–Roma", "Budapest–Kyiv", "Petrograd–Stockholm"]
)
def test_three_cards_are_turned_up_whatever_the_length(route: str) -> None:
    table = position("europe", hands={0: "11 purple"})
    length = int(table.tables.length[table.track(route)])
    table.play(f"claim {route} with {length} purple", "red, green, blue")
    assert sum(table.discard.values()) == length + 3
    assert table.owner(route) == 0


@pytest.mark.rule("TUNNEL-2")
@pytest.mark.parametrize(
    ("turned", "answers"),
    [
        ("purple, red, red", {"pay 1 purple", "pay 1 locomotive"}),
        ("red, locomotive, blue", {"pay 1 purple", "pay 1 locomotive"}),
        ("purple, red, purple", {"pay 2 purple", "pay 1 purple, 1 locomotive", "pay 2 locomotives"}),
        ("locomotive, red, purple", {"pay 2 purple", "pay 1 purple, 1 locomotive", "pay 2 locomotives"}),
        (
            "3 purple",
            {"pay 3 purple", "pay 2 purple, 1 locomotive", "pay 1 purple, 2 locomotives", "pay 3 locomotives"},
        ),
        (
            "3 locomotive",
            {"pay 3 purple", "pay 2 purple, 1 locomotive", "pay 1 purple, 2 locomotives", "pay 3 locomotives"},
        ),
    ],
)
def test_each_match_and_each_locomotive_turned_up_costs_one_more(turned: str, answers: set[str]) -> None:
    table = position("europe", hands={0: "5 purple, 3 locomotive, 4 red"}).play(f"claim {ZURICH} with 2 purple", turned)
    assert table.due == ("tunnel", 0)
    assert table.legal() == answers | {"give up"}
    assert table.owner(ZURICH) is None


@pytest.mark.rule("TUNNEL-2")
def test_what_counts_in_a_gray_tunnel_is_the_colour_played() -> None:
    table = position("europe", hands={0: "4 red, 4 blue, 1 locomotive"}).play(
        "claim Paris–Zürich with 3 blue", "2 red, blue"
    )
    assert table.legal() == {"pay 1 blue", "pay 1 locomotive", "give up"}
    table = position("europe", hands={0: "4 red, 4 blue, 2 locomotive"})
    table.play(
        "claim Paris–Zürich with 2 blue, 1 locomotive", "2 red, locomotive"
    )  # a locomotive among them changes nothing
    assert table.legal() == {"pay 1 blue", "pay 1 locomotive", "give up"}


@pytest.mark.rule("TUNNEL-2", "TUNNEL-5")
def test_a_dearer_tunnel_is_claimed_by_paying_the_extra_cards() -> None:
    table = position("europe", hands={0: "3 purple, 2 locomotive"}).play(
        f"claim {ZURICH} with 2 purple", "purple, locomotive, red"
    )
    assert table.hand(0) == pile("1 purple, 2 locomotive")
    table.play("pay 1 purple, 1 locomotive")
    assert (table.owner(ZURICH), table.hand(0)) == (0, pile("1 locomotive"))
    assert table.discard == pile("3 purple, 1 locomotive, purple, locomotive, red")
    assert table.due == ("turn", 1)


@pytest.mark.rule("TUNNEL-3")
def test_a_tunnel_of_locomotives_only_is_made_dearer_by_locomotives_only() -> None:
    table = position("europe", hands={0: "3 purple, 4 locomotive"}).play(
        f"claim {ZURICH} with 2 locomotives", "3 purple"
    )
    assert (table.owner(ZURICH), table.due) == (0, ("turn", 1))
    table = position("europe", hands={0: "3 purple, 4 locomotive"}).play(
        f"claim {ZURICH} with 2 locomotives", "purple, locomotive, purple"
    )
    assert table.legal() == {"pay 1 locomotive", "give up"}
    assert table.view(None).tunnel is not None
    assert table.view(None).json()["tunnel"]["hits"] == [False, True, False]
    table = position("europe", hands={0: "3 purple, 3 locomotive"}).play(
        f"claim {ZURICH} with 2 locomotives", "2 locomotive, purple"
    )
    assert table.legal() == {"give up"}


@pytest.mark.rule("TUNNEL-4", "TUNNEL-5")
def test_giving_up_takes_the_cards_back_and_ends_the_turn_with_nothing_claimed() -> None:
    table = position("europe", 3, hands={0: "3 purple, 2 locomotive"})
    table.play("claim Paris–Zürich with 2 purple, 1 locomotive", "purple, red, red").play("give up")
    assert table.hand(0) == pile("3 purple, 2 locomotive")
    assert table.discard == pile("purple, 2 red")
    assert (table.owner("Paris–Zürich"), table.points(0), table.trains(0)) == (None, 0, 45)
    assert table.due == ("turn", 1)
    table.play("draw blind", "red").play("draw blind", "red").play("draw blind", "red").play("draw blind", "red")
    assert table.payments("Paris–Zürich") == {"3 purple", "2 purple, 1 locomotive", "1 purple, 2 locomotives"}


@pytest.mark.rule("TUNNEL-4")
def test_an_attempt_at_one_track_of_a_double_closes_nothing_if_it_is_given_up() -> None:
    table = position("europe", hands={0: "3 black", 1: "3 white"}).play(
        "claim Madrid–Pamplona (black) with 3 black", "black, 2 red"
    )
    table.play("give up")
    assert table.payments("Madrid–Pamplona (white)") == {"3 white"}
    assert table.view(None).closed == ()


@pytest.mark.rule("TUNNEL-6")
@pytest.mark.parametrize(
    ("deck", "turned", "extra"), [("purple", "purple", 1), ("red, purple", "red, purple", 1), ("red", "red", 0)]
)
def test_with_fewer_than_three_cards_left_only_those_are_turned_up(deck: str, turned: str, extra: int) -> None:
    table = position("europe", hands={0: "4 purple"}, deck=deck)
    if extra:
        table.play(f"claim {ZURICH} with 2 purple", turned)
        assert table.legal() == {"pay 1 purple", "give up"}
        table.play("pay 1 purple")
    else:
        table.play(f"claim {ZURICH} with 2 purple", turned)
    assert table.owner(ZURICH) == 0
    assert (table.deck, table.discard) == (pile(f"{turned}, {2 + extra} purple"), {})


@pytest.mark.rule("TUNNEL-6")
def test_with_no_card_left_the_tunnel_costs_no_extra_and_its_cards_become_the_deck() -> None:
    table = position("europe", hands={0: "4 purple"}, deck="").play(f"claim {ZURICH} with 2 purple")
    assert (table.owner(ZURICH), table.hand(0), table.due) == (0, pile("2 purple"), ("turn", 1))
    assert table.deck == pile("2 purple")


@pytest.mark.rule("TUNNEL-1", "TUNNEL-6", "DRAW-8")
def test_discards_are_shuffled_in_to_make_up_the_three() -> None:
    table = position("europe", hands={0: "4 purple"}, deck="red", discard="2 purple, green")
    table.play(f"claim {ZURICH} with 2 purple", "red, purple, green")
    tunnel = table.view(None).tunnel
    assert tunnel is not None
    assert (tunnel["turned_up"], tunnel["extra"]) == (["red", "purple", "green"], 1)
    assert (table.deck, table.discard) == (pile("purple"), {})
