"""END: the last round, the final count, and who wins."""

from __future__ import annotations

from typing import Any

import pytest

from support.positions import EDITIONS, EUROPE_BOARDS, Table, final, position, with_rules

LENGTHS = {
    2: ("Denver–Santa Fe", "2 red"),
    3: ("Chicago–Duluth", "3 red"),
    4: ("Dallas–El Paso", "4 red"),
    5: ("Helena–Omaha", "5 red"),
}


def draw_two(table: Table) -> Table:
    """A turn that draws two cards blind."""
    for _ in range(2):
        table.play("draw blind", next(iter(table.deck)))
    return table


# ---- the last round --------------------------------------------------------------------------------------------------
@pytest.mark.rule("END-1")
@pytest.mark.parametrize(("length", "begins"), [(2, False), (3, True), (4, True), (5, True)])
def test_a_turn_that_ends_with_two_or_fewer_trains_begins_the_last_round(length: int, begins: bool) -> None:
    route, cost = LENGTHS[length]
    table = position(with_rules("usa", trains=5), 3, hands={0: cost}).play(f"claim {route} with {cost}")
    assert table.trains(0) == 5 - length
    assert table.last_turns == (3 if begins else 0)
    assert table.view(None).last_round == (3 if begins else None)


@pytest.mark.rule("END-1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("starter", [0, 1])
def test_then_everybody_has_one_last_turn_the_starter_too_and_the_game_is_over(players: int, starter: int) -> None:
    table = position(with_rules("usa", trains=5), players, hands={starter: "3 red"}, turn=starter).play(
        "claim Chicago–Duluth with 3 red"
    )
    turns = []
    while not table.game.over:
        turns.append(table.player)
        draw_two(table)
    assert turns == [(starter + i) % players for i in range(1, players + 1)]
    assert table.game.legal() == []
    assert table.game.to_move == ()


@pytest.mark.rule("END-1")
def test_in_germany_the_turn_ends_after_the_passengers() -> None:
    edition = with_rules("germany", trains=5)
    table = position(edition, hands={0: "3 red"}, waiting={"Berlin": "red", "Magdeburg": ""}).play(
        "claim Berlin–Magdeburg with 3 red"
    )
    assert (table.phase, table.last_turns) == ("passenger", 0)
    table.play("take red passenger at Berlin")
    assert (table.due, table.last_turns) == (("turn", 1), 2)


@pytest.mark.rule("END-1", "TUNNEL-4")
def test_a_tunnel_given_up_does_not_begin_the_last_round() -> None:
    table = position(with_rules("europe", trains=4), hands={0: "2 purple"}).play(
        "claim Marseille–Zürich with 2 purple", "purple, 2 red"
    )
    table.play("give up")
    assert (table.trains(0), table.last_turns, table.due) == (4, 0, ("turn", 1))


@pytest.mark.rule("END-1")
def test_trains_still_limit_the_claims_of_the_last_turn() -> None:
    table = position(with_rules("usa", trains=5), hands={0: "6 red"}, owned={0: ("Chicago–Duluth",)}, last_turns=1)
    assert table.payments("Denver–Santa Fe") == {"2 red"}
    assert table.payments("Dallas–El Paso") == set()
    assert table.play("claim Denver–Santa Fe with 2 red").game.over


# ---- tickets and bonuses ---------------------------------------------------------------------------------------------
@pytest.mark.rule("END-2")
def test_completed_tickets_add_their_value_and_the_others_subtract_it() -> None:
    result = final(
        tickets={0: ("Denver–El Paso", "Kansas City–Houston", "Seattle–New York"), 1: ("Dallas–New York",)},
        owned={0: ("Denver–Santa Fe", "El Paso–Santa Fe")},
    )
    assert [row.tickets for row in result.players] == [4 - 5 - 22, -11]
    assert [row.total for row in result.players] == [2 + 2 + 10 + 4 - 5 - 22, -11]
    assert [(len(row.completed), len(row.failed)) for row in result.players] == [(1, 2), (0, 1)]


@pytest.mark.rule("END-3")
@pytest.mark.parametrize(
    ("routes", "length"),
    [
        (("Calgary–Winnipeg",), 6),
        (("Denver–Santa Fe", "El Paso–Santa Fe", "El Paso–Houston"), 10),  # a line
        (("Denver–Santa Fe", "El Paso–Houston", "Houston–New Orleans"), 8),  # two parts: the longer
        (("Denver–Santa Fe", "El Paso–Santa Fe", "Phoenix–Santa Fe"), 5),  # a fork: two arms of three
        (("El Paso–Santa Fe", "Phoenix–Santa Fe", "El Paso–Phoenix"), 8),  # a loop is walked whole
        # a loop and a tail: Santa Fe twice
        (("El Paso–Santa Fe", "Phoenix–Santa Fe", "El Paso–Phoenix", "Denver–Santa Fe"), 10),
        # a loop and two tails
        (("El Paso–Santa Fe", "Phoenix–Santa Fe", "El Paso–Phoenix", "Denver–Santa Fe", "Los Angeles–Phoenix"), 11),
        (
            (
                "Dallas–Houston (1st)", "Houston–New Orleans", "Little Rock–New Orleans", "Dallas–Little Rock",
                "Dallas–Oklahoma City (1st)", "El Paso–Oklahoma City", "Dallas–El Paso",
            ),
            19,
        ),  # a figure of eight through Dallas
    ],
)  # fmt: skip
def test_the_longest_path_may_pass_a_city_again_but_no_train_twice(routes: tuple[str, ...], length: int) -> None:
    table = position(owned={1: routes}, over=True)
    row = table.result().players[1]
    assert (row.path_length, row.path) == (length, 10)
    assert sum(int(table.tables.length[i]) for i in row.path_tracks) == length
    assert len(set(row.path_tracks)) == len(row.path_tracks)


@pytest.mark.rule("END-3")
@pytest.mark.parametrize("edition", ["usa", *EUROPE_BOARDS])
def test_all_who_tie_for_the_longest_path_get_ten_points(edition: str) -> None:
    three, four, also_four = (
        ("Chicago–Duluth", "Calgary–Helena", "Dallas–El Paso")
        if edition == "usa"
        else ("Amsterdam–Essen", "Marseille–Paris", "Kyiv–Warszawa")
    )
    result = final(edition, 4, owned={0: (three,), 1: (four,), 3: (also_four,)})
    assert [(row.path_length, row.path) for row in result.players] == [(3, 0), (4, 10), (0, 0), (4, 10)]


@pytest.mark.rule("END-3")
def test_only_the_players_own_routes_make_the_path() -> None:
    result = final(owned={0: ("Denver–Santa Fe", "El Paso–Houston"), 1: ("El Paso–Santa Fe",)})
    assert [row.path_length for row in result.players] == [6, 2]


@pytest.mark.rule("END-4")
@pytest.mark.parametrize(
    ("done", "bonus"),
    [((1, 0, 0), (15, 0, 0)), ((1, 2, 1), (0, 15, 0)), ((2, 2, 1), (15, 15, 0)), ((1, 1, 1), (15, 15, 15))],
)
def test_most_completed_tickets_earn_the_globetrotters_fifteen(done: tuple[int, ...], bonus: tuple[int, ...]) -> None:
    ways = (  # two tickets for each player, with the route that completes them
        {"Mannheim–Stuttgart": "Mannheim–Stuttgart (1st)", "Köln–Frankfurt": "Frankfurt–Köln (1st)"},
        {"Berlin–Leipzig": "Berlin–Leipzig", "Hamburg–Berlin": "Berlin–Hamburg (blue)"},
        {"Köln–Saarbrücken": "Koblenz–Köln (1st)", "München–Stuttgart": ""},
    )
    owned = {p: tuple(ways[p].values())[: done[p]] for p in (0, 1)} | {
        2: ("Koblenz–Köln (1st)", "Koblenz–Saarbrücken") if done[2] else ()
    }
    result = final("germany", 3, tickets={p: tuple(ways[p]) for p in range(3)}, owned=owned)
    assert tuple(len(row.completed) for row in result.players) == done
    assert tuple(row.globetrotter for row in result.players) == bonus


@pytest.mark.rule("END-4")
def test_failed_tickets_do_not_matter_for_the_globetrotter_and_paths_earn_nothing_in_germany() -> None:
    owned = {0: ("Mannheim–Stuttgart (1st)",), 1: ("Berlin–Hamburg (blue)", "Berlin–Hannover")}
    result = final(
        "germany",
        tickets={0: ("Mannheim–Stuttgart", "Hamburg–München", "Rostock–Konstanz"), 1: ("Kiel–Schweiz",)},
        owned=owned,
    )
    assert [(row.globetrotter, row.path) for row in result.players] == [(15, 0), (0, 0)]
    assert [row.total for row in result.players] == [2 + 15 + 2 - 18 - 22, 18 + 18 - 20]


# ---- no bonus for nothing --------------------------------------------------------------------------------------------
@pytest.mark.rule("RULING-7", "END-3", "END-4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_bonus_for_the_most_needs_at_least_one(edition: str) -> None:
    result = final(edition, 3)
    stations = 12 if edition in EUROPE_BOARDS else 0
    assert [(row.path, row.globetrotter, row.passengers, row.total) for row in result.players] == [
        (0, 0, 0, stations)
    ] * 3


@pytest.mark.rule("RULING-7")
def test_failed_tickets_alone_make_no_globetrotter() -> None:
    result = final("germany", tickets={0: ("Mannheim–Stuttgart",), 1: ("Mainz–Stuttgart",)})
    assert [(row.globetrotter, row.total) for row in result.players] == [(0, -2), (0, -3)]


# ---- who wins --------------------------------------------------------------------------------------------------------
def ranking(edition: str, totals: list[int], players: int = 2, **where: Any) -> tuple[tuple[int, ...], str]:
    """Winners and what decided, after making sure of everybody's total."""
    result = final(edition, players, **where)
    assert [row.total for row in result.players] == totals
    return result.winners, result.decided_by


@pytest.mark.rule("END-5", "END-6", "END-7")
@pytest.mark.parametrize("edition", EDITIONS)
def test_most_points_win_whatever_else(edition: str) -> None:
    more, fewer = {"usa": ("Calgary–Winnipeg", "Calgary–Helena"), "germany": ("Berlin–Hannover", "Berlin–Leipzig")}.get(
        edition, ("Palermo–Smyrna", "Athina–Sarajevo")
    )
    result = final(edition, 3, owned={0: (fewer,), 2: (more,)})
    assert (result.winners, result.decided_by) == ((2,), "points")


ROUTES_5 = ("Duluth–Omaha (1st)", "Kansas City–Omaha (1st)", "Kansas City–Saint Louis (blue)")
"""A path of 5 that is worth 5 points."""


@pytest.mark.rule("END-5")
def test_usa_a_tie_goes_to_most_completed_tickets() -> None:
    owned = {0: ("Calgary–Helena", "Portland–Seattle (1st)"), 1: ("Denver–Santa Fe", "El Paso–Santa Fe")}
    assert ranking("usa", [18, 18], tickets={1: ("Denver–El Paso",)}, owned=owned) == ((1,), "tickets")


@pytest.mark.rule("END-5")
def test_usa_then_to_who_has_the_longest_path() -> None:
    owned = {0: ("Calgary–Helena", "Atlanta–New Orleans (orange)", "Portland–Seattle (1st)"), 1: ROUTES_5}
    assert ranking("usa", [15, 15], owned=owned) == ((1,), "path")


@pytest.mark.rule("END-5")
def test_usa_tickets_come_before_the_path() -> None:
    owned = {0: ("Denver–Santa Fe", "El Paso–Santa Fe", "Calgary–Helena"), 1: ROUTES_5}
    assert ranking("usa", [15, 15], tickets={0: ("Denver–El Paso",)}, owned=owned) == ((0,), "tickets")


@pytest.mark.rule("RULING-9", "END-5")
def test_usa_with_everything_equal_the_victory_is_shared() -> None:
    assert ranking("usa", [0, 0, -4], 3, tickets={2: ("Denver–El Paso",)}) == ((0, 1), "shared")
    assert ranking("usa", [17, 17], owned={0: ("Calgary–Helena",), 1: ("Dallas–El Paso",)}) == ((0, 1), "shared")


@pytest.mark.rule("RULING-9", "END-5")
def test_the_path_of_a_player_who_is_not_tied_decides_nothing() -> None:
    threes = ("Calgary–Vancouver", "El Paso–Phoenix", "Little Rock–Nashville", "Boston–New York (red)")
    owned = {0: ("Calgary–Helena", "Atlanta–New Orleans (orange)"), 1: threes, 2: ROUTES_5}  # paths of 4, 3 and 5
    assert ranking("usa", [14, 14, -7], 3, tickets={2: ("Seattle–New York",)}, owned=owned) == ((0, 1), "shared")


@pytest.mark.rule("END-6")
@pytest.mark.parametrize("edition", EUROPE_BOARDS)
def test_europe_a_tie_goes_to_most_completed_tickets_before_fewest_stations(edition: str) -> None:
    if edition == "europe":
        ticket, total = "Sofia–Smyrna", 8 + 4 + 2 + 5 + 10
        owned = {
            0: ("Amsterdam–Essen", "Amsterdam–Frankfurt", "Dieppe–Paris"),
            1: ("Constantinople–Sofia", "Constantinople–Smyrna"),
        }
    else:
        ticket, total = "Berlin–Wien", 8 + 4 + 3 + 10
        owned = {0: ("Amsterdam–Bruxelles", "Amsterdam–Frankfurt"), 1: ("Berlin–Wien",)}
    assert ranking(edition, [total, total], tickets={1: (ticket,)}, owned=owned, stations={1: ("Riga",)}) == (
        (1,),
        "tickets",
    )


@pytest.mark.rule("END-6")
@pytest.mark.parametrize("edition", EUROPE_BOARDS)
def test_europe_then_fewest_stations_win_before_the_european_express(edition: str) -> None:
    owned = {
        0: ("Amsterdam–Bruxelles", "Amsterdam–Frankfurt", "Frankfurt–München"),
        1: ("Angora–Erzurum", "Athina–Sofia", "Dieppe–Paris", "Danzig–Warszawa"),
    }
    assert ranking(edition, [23, 23], owned=owned, stations={0: ("Riga",)}) == ((1,), "stations")
    owned = {0: ("Angora–Erzurum", "Athina–Sofia"), 1: ("Amsterdam–Essen",)}
    assert ranking(edition, [26, 26], owned=owned, stations={0: ("Riga",)}) == ((1,), "stations")


@pytest.mark.rule("END-6")
@pytest.mark.parametrize("edition", EUROPE_BOARDS)
def test_europe_then_the_european_express_wins(edition: str) -> None:
    owned = {
        0: ("Amsterdam–Essen", "Angora–Erzurum", "Athina–Sofia", "Danzig–Warszawa"),
        1: ("Frankfurt–München", "Bruxelles–Frankfurt"),
    }
    assert ranking(edition, [26, 26], owned=owned) == ((1,), "path")


@pytest.mark.rule("RULING-9", "END-6")
@pytest.mark.parametrize("edition", EUROPE_BOARDS)
def test_europe_with_everything_equal_the_victory_is_shared(edition: str) -> None:
    assert ranking(edition, [12, 12]) == ((0, 1), "shared")
    assert ranking(edition, [26, 26], owned={0: ("Amsterdam–Essen",), 1: ("Athina–Sofia",)}) == ((0, 1), "shared")
    tied = {0: ("Amsterdam–Essen",), 1: ("Athina–Sofia",), 2: ("Frankfurt–München", "Bruxelles–Frankfurt")}
    assert ranking(edition, [16, 16, 14], 3, owned=tied, stations={2: ("Riga", "Kyiv", "Wilno")}) == ((0, 1), "shared")


@pytest.mark.rule("END-7")
def test_germany_a_tie_goes_to_most_completed_tickets_before_passengers() -> None:
    owned = {1: ("Mannheim–Stuttgart (1st)", "Bremen–Bremerhaven")}
    assert ranking("germany", [20, 20], tickets={1: ("Mannheim–Stuttgart",)}, owned=owned, collected={0: "1 red"}) == (
        (1,),
        "tickets",
    )


@pytest.mark.rule("END-7")
def test_germany_then_most_passengers_win() -> None:
    owned = {0: ("Berlin–Dresden",)}
    assert ranking("germany", [20, 20], owned=owned, collected={0: "1 red", 1: "2 red"}) == ((1,), "passengers")


@pytest.mark.rule("END-7")
def test_germany_then_the_victory_is_shared() -> None:
    assert ranking("germany", [20, 20, 0], 3, collected={0: "2 red", 1: "2 blue"}) == ((0, 1), "shared")
