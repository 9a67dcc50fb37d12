"""Bots see what a player may see, play every edition to its end, and the casual one plays sensibly."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import whistlestop
from support.positions import EDITIONS, Table, deal, position, tiny, with_rules
from whistlestop import WhistlestopError, bots
from whistlestop.bots import BUILT_IN, RANDOM, Bot, BotInfo, Limit, bot, bot_info, bot_names
from whistlestop.bots.casual_bot import CasualBot
from whistlestop.bots.evaluation import passenger_points
from whistlestop.bots.paths import Budget, Plan, cheapest_path, graph_of, plan_for
from whistlestop.bots.referee import finish, play, seat_names
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.tables import tables_of
from whistlestop.game import Game
from whistlestop.mapfile import Edition, parse_board
from whistlestop.notation import Action
from whistlestop.server.bot_roster import BotRoster
from whistlestop.views import View

LIMIT = Limit()


def choice(table: Table, seed: int = 0) -> str:
    """What the casual bot does for the player to move."""
    player = table.game.to_move[0]
    action = CasualBot(seed).act(table.view(player), LIMIT)
    assert action in table.game.legal(player)
    return action.text


# --- whole games -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("edition", EDITIONS)
def test_casual_players_finish_every_game(edition: str, players: int) -> None:
    game = play(edition, ["casual"] * players, seed=players)
    assert game.over
    assert game.status() == []
    assert sum(player.total for player in game.result().players) > 60 * players


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS)
def test_casual_has_an_action_in_every_position_of_random_play(edition: str) -> None:
    """Random play leads where a sensible player never comes; `Game.play` would refuse an illegal answer."""
    game, chance, casual = Game(edition, 3, seed=5), bot("random", 1), CasualBot(2)
    while movers := game.to_move:
        for player in movers:
            game.find(casual.act(game.view(player), LIMIT), player)
        game.play(chance.act(game.view(movers[0]), LIMIT), movers[0])
    assert game.over


def test_casual_finishes_on_a_board_where_everything_runs_out() -> None:
    for seed in range(30):
        game = play(tiny(), ["casual", "random", "casual"], seed=seed)
        assert game.status() == []


@pytest.mark.parametrize(("edition", "least"), [("usa", 75), ("europe", 75), ("germany", 120)])
def test_casual_beats_random(edition: str, least: int) -> None:
    results = [
        play(edition, ["casual", "random"] if seed % 2 else ["random", "casual"], seed=seed).result()
        for seed in range(8)
    ]
    casual = [next(player for player in result.players if player.name == "casual") for result in results]
    assert all(result.players[result.winners[0]].name == "casual" for result in results)
    assert sum(player.total for player in casual) / len(casual) > least
    assert sum(len(player.completed) for player in casual) > 8 * sum(len(player.failed) for player in casual)


def test_the_package_plays_a_game() -> None:
    game = whistlestop.play("usa", ["casual", "random"], seed=7)
    assert game.names == ("casual", "random")
    assert game.result().verdict == "casual wins"
    assert Game.from_record(game.record()).result() == game.result()
    with pytest.raises(TypeError, match="one for each seat"):
        play("usa", "casual")
    with pytest.raises(ValueError, match="2 to 5 players, not 1"):
        play("usa", ["casual"])


def test_the_same_seed_gives_the_same_game_and_another_seed_another_game() -> None:
    first, second = (play("europe", ["casual", "random", "casual"], seed=3) for _ in range(2))
    assert first.record() == second.record()
    assert first.record() != play("europe", ["casual", "random", "casual"], seed=4).record()
    games = [Game("usa", 2, seed=1) for _ in range(2)]
    for game, seed in zip(games, (1, 2), strict=True):
        finish(game, [CasualBot(seed), CasualBot(seed)])
    assert games[0].state_bytes() != games[1].state_bytes()


# --- what bots know --------------------------------------------------------------------------------------------------
def moments(edition: str, players: int, every: int = 7) -> Iterator[tuple[Game, int]]:
    """A game of casual players, stopped now and then, with a player who is to act."""
    game, seats = Game(edition, players, seed=11), [CasualBot(seat) for seat in range(players)]
    while movers := game.to_move:
        if len(game.history) % every == 0 or game.phase == "tunnel":
            yield game, movers[0]
        game.play(seats[movers[0]].act(game.view(movers[0]), LIMIT), movers[0])


@pytest.mark.parametrize("edition", ["usa", "europe", "germany"])
def test_a_redeal_of_what_a_bot_cannot_see_leaves_its_action(edition: str) -> None:
    """Hands, decks and tickets of others are dealt anew; the bot does the same, for it is shown the same."""
    for game, player in moments(edition, 3):
        view = game.view(player)
        action = CasualBot(4).act(view, LIMIT)
        for seed in range(2):
            world = view.states.copy()
            doors.determinize(
                world, 0, tables_of(game.edition), player, np.uint64(seed), np.zeros(lay.WORDS, np.uint64)
            )
            assert world.tobytes() != view.states.tobytes()
            doors.redact(world, 0, tables_of(game.edition), player)
            assert CasualBot(4).act(View(game.edition, world, player, game.names), LIMIT) == action


def test_a_bot_needs_the_view_alone() -> None:
    """A view that went through bytes holds on to no game, and a bot's answer hangs on nothing it has met before."""
    old = CasualBot(9)
    for game, player in moments("europe", 2):
        view: View = pickle.loads(pickle.dumps(game.view(player)))
        assert not any(isinstance(held, Game) for held in vars(view).values())
        assert old.act(view, LIMIT) == CasualBot(9).act(view, LIMIT)


# --- names -----------------------------------------------------------------------------------------------------------
def test_bots_have_names_titles_and_summaries() -> None:
    assert bot_names()[: len(BUILT_IN)] == tuple(BUILT_IN)
    assert bot_names()[0] == RANDOM
    assert bot_info("random") == BotInfo("random", "Random", "Chooses any legal action with equal chance.")
    for name in BUILT_IN:
        assert isinstance(bot(name, 1), Bot)
        info = bot_info(name)
        assert info.title != name
        assert info.summary.endswith(".")


@pytest.mark.parametrize(("name", "hint"), [("casul", "did you mean casual?"), ("zed", "the bots are random, ")])
def test_an_unknown_bot_is_refused(name: str, hint: str) -> None:
    with pytest.raises(WhistlestopError, match=f"there is no bot '{name}'") as error:
        bot(name)
    assert (error.value.hint or "").startswith(hint)


class First:
    """Takes the first legal action.

    Nothing more.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def act(self, view: View, limit: Limit) -> Action:  # noqa: ARG002  (no time needed)
        return view.legal()[0]


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another package's bots; one wants to pass for ours."""
    found = [EntryPoint("first", "test_bots:First", bots.GROUP), EntryPoint("casual", "test_bots:First", bots.GROUP)]
    monkeypatch.setattr(bots, "entry_points", lambda group: found if group == bots.GROUP else [])
    bots._registered.cache_clear()
    yield
    bots._registered.cache_clear()


@pytest.mark.usefixtures("plugged")
def test_entry_points_of_other_packages_add_bots() -> None:
    assert bot_names() == (*BUILT_IN, "first")
    assert isinstance(bot("casual"), CasualBot)
    assert bot_info("first") == BotInfo("first", "first", "Takes the first legal action.")
    assert type(bot("first", 3)).__name__ == "First"
    assert play("usa", ["first", "casual"], seed=1).over


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another package's bot that cannot be imported."""
    found = [EntryPoint("broken", "no_such_package_anywhere:Bot", bots.GROUP)]
    monkeypatch.setattr(bots, "entry_points", lambda group: found if group == bots.GROUP else [])
    bots._registered.cache_clear()
    yield
    bots._registered.cache_clear()


@pytest.mark.usefixtures("broken")
def test_a_bot_of_another_package_that_cannot_be_loaded_says_so() -> None:
    for ask in (bot, bot_info):
        with pytest.raises(WhistlestopError, match="'broken' cannot be loaded: ModuleNotFoundError") as error:
            ask("broken")
        assert error.value.hint == "mend or uninstall the package that gives `no_such_package_anywhere:Bot`"
    assert "broken" in bot_names()
    offered = [info["name"] for info in BotRoster().data()]
    assert RANDOM in offered
    assert "broken" not in offered, "a server does not offer it"


def test_seats_are_named_after_their_bots() -> None:
    assert seat_names(["casual", "random", "casual"]) == ["casual 1", "random", "casual 2"]
    assert seat_names([First(), "random"]) == ["First", "random"]


# --- paths -----------------------------------------------------------------------------------------------------------
VILLAGE = """
id     = "village"
name   = "Village"
points = { 1 = 1, 2 = 2, 3 = 4, 4 = 7 }
cities = [
  { name = "Ash",   lat = 1, lon = 1 },
  { name = "Birch", lat = 2, lon = 1 },
  { name = "Cedar", lat = 1, lon = 2 },
  { name = "Elm",   lat = 2, lon = 2 },
  { name = "Fir",   lat = 3, lon = 2 },
  { name = "Moor (Ash)", lat = 0, lon = 1, country = "Moor" },
  { name = "Moor (Fir)", lat = 4, lon = 2, country = "Moor" },
]
countries = [{ name = "Moor" }]
tracks = [
  { from = "Ash",   to = "Birch", length = 1, colour = "red" },
  { from = "Ash",   to = "Birch", length = 1, colour = "blue" },
  { from = "Birch", to = "Cedar", length = 2, colour = "gray" },
  { from = "Ash",   to = "Cedar", length = 4, colour = "blue" },
  { from = "Cedar", to = "Elm",   length = 1, colour = "green" },
  { from = "Birch", to = "Elm",   length = 2, colour = "white" },
  { from = "Elm",   to = "Fir",   length = 3, colour = "gray" },
  { from = "Cedar", to = "Fir",   length = 3, colour = "red" },
  { from = "Ash",   to = "Moor (Ash)", length = 2, colour = "gray" },
  { from = "Fir",   to = "Moor (Fir)", length = 1, colour = "gray" },
]
tickets = [
  { from = "Ash",   to = "Fir",   points = 5 },
  { from = "Birch", to = "Cedar", points = 2 },
  { from = "Ash",   to = "Elm",   points = 3 },
  { from = "Birch", to = "Moor",  points = 4 },
  { from = "Cedar", to = "Moor",  points = 4 },
]
[[edition]]
id            = "village"
name          = "Village"
summary       = "Five cities and a neighbour."
decks         = [{ name = "tickets" }]
first_tickets = [{ deal = 1, keep_least = 1, returned = "bottom" }]
players       = [2, 4]
trains        = 8
hand          = 2
cards_each    = 4
locomotives   = 2
"""


def village() -> Edition:
    return parse_board(VILLAGE).editions[0]


def least_price(view: View, a: str, b: str, player: int | None) -> int | None:
    """Trains that the cheapest connection needs, by trying every set of tracks the player has or may have."""
    edition, owners = view.edition, view.owners
    twins = {
        i: {j for j, other in enumerate(edition.board.tracks) if {other.a, other.b} == {t.a, t.b}}
        for i, t in enumerate(edition.board.tracks)
    }
    own = {track for track, owner in owners.items() if owner == player}
    free = [i for i in twins if i not in owners and i not in view.closed and not twins[i] & own]
    for price, some in sorted(
        (sum(edition.board.tracks[i].length for i in s), s) for n in range(len(free) + 1) for s in combinations(free, n)
    ):
        if joined(edition, {*own, *some}, a, b):
            return price
    return None


def joined(edition: Edition, tracks: set[int], a: str, b: str) -> bool:
    """Whether tracks connect two places."""
    cities = edition.board.cities
    reached = {i for i, city in enumerate(cities) if a in (city.name, city.country)}
    for _ in tracks:
        reached |= {
            end for i in tracks for t in [edition.board.tracks[i]] if {t.a, t.b} & reached for end in (t.a, t.b)
        }
    return any(b in (cities[i].name, cities[i].country) for i in reached)


@pytest.mark.parametrize("players", [2, 4])
def test_no_path_is_cheaper_than_the_cheapest_path(players: int) -> None:
    edition, chance = village(), bot("random", players)
    places = [*(city.name for city in edition.board.cities[:5]), "Moor"]
    game, impossible = Game(edition, players, seed=players), 0
    while not game.over:
        game.play(chance.act(game.view(game.to_move[0]), LIMIT), game.to_move[0])
        if game.history[-1].action.kind != "claim":
            continue
        for view, player in [(game.view(0), None), (game.view(None), None), (game.view(1), 0)]:
            owner = view.player if player is None else player
            for a, b in combinations(places, 2):
                way = cheapest_path(view, a, b, player)
                assert (way is None) == ((least := least_price(view, a, b, owner)) is None)
                impossible += way is None
                if way is not None:
                    assert joined(edition, set(way), a, b)
                    assert sum(edition.board.tracks[i].length for i in way if view.owners.get(i) != owner) == least
                    assert all(view.owners.get(i, owner) == owner and i not in view.closed for i in way)
    assert impossible, "no way was ever cut off"


def names(table: Table, way: tuple[int, ...] | None) -> list[str] | None:
    return None if way is None else [table.words.track_name(track) for track in way]


def test_cheapest_path_takes_names_of_cities_and_countries() -> None:
    table = position("europe", 2, owned={0: ["Dieppe–London (1st)"], 1: ["Edinburgh–London (black)"]})
    mine, theirs, nobody = table.view(0), table.view(1), table.view(None)
    assert names(table, cheapest_path(mine, "London", "Paris")) == ["Dieppe–London (1st)", "Dieppe–Paris"]
    assert names(table, cheapest_path(mine, "Paris", "London")) == ["Dieppe–Paris", "Dieppe–London (1st)"]
    assert names(table, cheapest_path(mine, "London", "Dieppe")) == ["Dieppe–London (1st)"], (
        "a completed ticket shows its own tracks"
    )
    assert cheapest_path(mine, "Edinburgh", "Paris") is None
    assert names(table, cheapest_path(theirs, "Edinburgh", "Amsterdam")) == [
        "Edinburgh–London (black)",
        "Amsterdam–London",
    ]
    assert names(table, cheapest_path(mine, "Edinburgh", "Amsterdam", player=1)) == [
        "Edinburgh–London (black)",
        "Amsterdam–London",
    ]
    assert names(table, cheapest_path(nobody, "Paris", "Dieppe")) == ["Dieppe–Paris"]
    with pytest.raises(ValueError, match="no place 'Pari' on this board\nhint: did you mean Paris"):
        cheapest_path(mine, "Pari", "London")


def test_a_country_is_reached_by_the_nearest_border_space() -> None:
    table = position("germany", 2)
    assert names(table, cheapest_path(table.view(0), "München", "Österreich")) == ["München–Österreich (München)"]
    assert names(table, cheapest_path(table.view(0), "Dänemark", "Kiel")) == ["Kiel–Dänemark (Kiel)"]


def test_a_plan_uses_tracks_for_several_tickets_and_keeps_to_its_budget() -> None:
    board = village().board
    graph, prices = graph_of(board), [float(track.length) for track in board.tracks]
    ash_fir, birch_cedar, ash_elm, *_ = board.tickets
    plan = plan_for(graph, [birch_cedar, ash_fir, ash_elm], prices, 0, 0, Budget(trains=8))
    assert set(plan.kept) == {ash_fir, birch_cedar, ash_elm}
    assert sum(graph.lengths[i] for i in plan.tracks) <= 8
    assert len(set(plan.tracks)) == len(plan.tracks)
    short = plan_for(graph, [ash_fir, ash_elm], prices, 0, 0, Budget(trains=3))
    assert (short.kept, short.abandoned, short.points) == ((ash_elm,), (ash_fir,), -2)
    assert plan_for(graph, [ash_elm], prices, 0, 0, Budget(trains=8, turns=1)) == Plan(abandoned=(ash_elm,))


# --- the casual player's decisions -----------------------------------------------------------------------------------
def test_it_claims_what_completes_its_ticket() -> None:
    table = position(
        "usa",
        hands={0: "4 blue, 6 white"},
        tickets={0: ["Chicago–Santa Fe"]},
        owned={0: ["Denver–Santa Fe", "Denver–Omaha"]},
    )
    assert choice(table) == "claim Chicago–Omaha with 4 blue"


def test_it_pays_gray_tracks_with_what_it_needs_least_and_saves_locomotives() -> None:
    table = position(
        "usa",
        hands={0: "2 blue, 2 yellow, 2 locomotives"},
        tickets={0: ["Chicago–Santa Fe"]},
        owned={0: ["Denver–Omaha"], 1: ["Calgary–Helena"]},
    )
    assert choice(table) == "claim Denver–Santa Fe with 2 yellow"


def test_it_draws_what_its_plan_needs() -> None:
    where: dict[str, Any] = {
        "hands": {0: "2 blue"},
        "tickets": {0: ["Chicago–Santa Fe"]},
        "owned": {0: ["Denver–Santa Fe", "Denver–Omaha"]},
    }
    assert choice(position("usa", face_up="green red blue white locomotive", **where)) == "draw blue"
    assert choice(position("usa", face_up="green red yellow white black", **where)) == "draw blind"
    where["hands"] = {0: "3 blue"}
    assert choice(position("usa", face_up="green red yellow white locomotive", **where)) == "draw locomotive", (
        "it pays for the last space"
    )


def test_it_takes_no_face_up_locomotive_that_helps_little() -> None:
    table = position(
        "usa", hands={0: "1 green"}, face_up="green green red white locomotive", tickets={0: ["Portland–Phoenix"]}
    )
    assert choice(table) != "draw locomotive"


def test_first_tickets_fit_together() -> None:
    offer = ["Boston–Miami", "New York–Atlanta", "Seattle–Los Angeles"]
    table = deal(with_rules("usa", trains=22), top={0: offer})
    assert choice(table) == "keep Boston–Miami, New York–Atlanta"


def test_abandoned_tickets_are_not_kept() -> None:
    table = deal(with_rules("usa", trains=12), top={0: ["Seattle–New York", "New York–Atlanta", "Chicago–Santa Fe"]})
    assert "Seattle–New York" not in choice(table)


def test_new_tickets_are_drawn_when_the_own_ones_are_done_and_there_is_time() -> None:
    done: dict[str, Any] = {"tickets": {0: ["New York–Atlanta"]}}
    own = ["New York–Washington (black)", "Raleigh–Washington (1st)", "Atlanta–Raleigh (1st)"]
    assert choice(position("usa", owned={0: own}, **done)) == "draw tickets"
    far = ["Calgary–Winnipeg", "Helena–Winnipeg", "Helena–Seattle", "Duluth–Helena"]
    rival = [*far, "Sault St. Marie–Winnipeg", "Calgary–Vancouver", "Duluth–Toronto", "Portland–Salt Lake City"]
    assert choice(position("usa", owned={0: own, 1: rival}, **done)) != "draw tickets", (
        "the rival is about to end the game"
    )


def test_the_extra_price_of_a_tunnel_is_paid_unless_it_takes_locomotives() -> None:
    where: dict[str, Any] = {"tickets": {0: ["Frankfurt–Kobenhavn"]}}
    table = position("europe", hands={0: "4 purple"}, **where).play(
        "claim Marseille–Zürich with 2 purple", "purple red red"
    )
    assert choice(table) == "pay 1 purple"
    table = position("europe", hands={0: "2 purple, 3 locomotives"}, **where)
    assert choice(table.play("claim Marseille–Zürich with 2 purple", "purple purple purple")) == "give up", (
        "three locomotives are too many"
    )
    table = position("europe", hands={0: "2 purple, 3 locomotives"}, last_turns=2, **where)
    last = table.play("claim Marseille–Zürich with 2 purple", "purple purple purple")
    assert choice(last) == "pay 3 locomotives", "nothing can be done with them any more"
    table = position("europe", hands={0: "2 purple"}, **where).play(
        "claim Marseille–Zürich with 2 purple", "purple red red"
    )
    assert choice(table) == "give up"


def test_no_tunnel_is_entered_without_a_card_to_spare() -> None:
    own = ["Paris–Zürich", "Barcelona–Marseille"]
    where: dict[str, Any] = {"tickets": {0: ["Barcelona–München"]}, "owned": {0: [*own, "München–Zürich"]}}
    assert choice(position("europe", hands={0: "2 purple"}, **where)).startswith("draw")
    assert choice(position("europe", hands={0: "3 purple"}, **where)) == "claim Marseille–Zürich with 2 purple"


def test_a_station_is_built_for_a_ticket_that_rivals_cut_off() -> None:
    where: dict[str, Any] = {"tickets": {0: ["Paris–Edinburgh"]}, "hands": {0: "1 red, 1 locomotive"}}
    owned = {0: ["Dieppe–London (1st)", "Dieppe–Paris"], 1: ["Edinburgh–London (black)"]}
    text = choice(position("europe", owned=owned, **where))
    assert text in ("build station in Edinburgh with 1 red", "build station in London with 1 red")
    built = choice(position("europe", owned=owned, stations={0: ["London"]}, **where))
    assert not built.startswith("build station"), "one is enough"
    assert choice(position("europe", owned={0: owned[0], 1: []}, **where)).startswith("draw"), "the way is still free"


def test_the_last_turn_goes_for_the_most_points() -> None:
    own = ["Denver–Santa Fe", "Denver–Omaha"]
    where: dict[str, Any] = {"hands": {0: "4 blue, 6 white"}, "last_turns": 2}
    table = position("usa", tickets={0: ["Chicago–Santa Fe"]}, owned={0: own}, **where)
    assert choice(table) == "claim Chicago–Omaha with 4 blue"
    table = position("usa", tickets={0: ["Boston–Miami"]}, owned={0: own}, **where)
    assert choice(table) == "claim Calgary–Winnipeg with 6 white", "no ticket can be saved, so the dearest track it is"


def test_passengers_are_taken_where_they_win_most_points() -> None:
    table = position(
        "germany",
        hands={0: "1 purple"},
        waiting={"Karlsruhe": "", "Stuttgart": "yellow blue"},
        collected={0: "blue", 1: "blue yellow yellow yellow"},
    )
    table.play("claim Karlsruhe–Stuttgart with 1 purple")
    assert choice(table) == "take blue passenger at Stuttgart", "it takes the lead in blue; yellow is far behind"


def test_points_for_passengers() -> None:
    cases = {
        (3, 1, 0): (20, 10, 0),
        (2, 2, 1): (20, 20, 0),
        (3, 1, 1): (20, 10, 10),
        (0, 0, 0): (0, 0, 0),
        (1, 0, 0): (20, 0, 0),
    }
    for counts, points in cases.items():
        assert tuple(passenger_points(counts, player, (20, 10)) for player in range(3)) == points


def test_a_mix_of_tickets_is_announced() -> None:
    assert choice(deal("germany")) == "announce 1 long, 3 short"
