"""Evaluation of a view for a bot that plans: what tracks cost and are worth, which cards they need, how to pay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from math import ceil, inf

from whistlestop.bots.paths import IMPASSABLE, STEP, Budget, Plan, graph_of, mask, plan_for, shortest_path, tracks_for
from whistlestop.engine import layout as lay
from whistlestop.mapfile import CARDS, GRAY, Board, Ticket
from whistlestop.notation import Action, notation_of
from whistlestop.views import StateReader, View, bits, passengers, snapshot

KIND = {card: kind for kind, card in enumerate(CARDS)}
TRAINS_A_TURN = 1.5
"""Trains that a player lays in a turn on average, turns of drawing included."""
LATE = 10.0
"""With fewer turns left than this, a plan must also be finished in time."""
POINTS_PER_PASSENGER = 2.5
"""Points that a passenger is worth on average."""
PRICE_OFF_PER_CARD = 0.4
"""What a card in hand takes off the price of a track that it can pay for."""
PRICE_OFF_FOR_FULL_HAND = 0.4
"""What it takes off more with twice a full hand: a path that can be paid now beats waiting for one colour."""
FULL_HAND = 12
MIN_PRICE = 0.2
"""No track to claim is cheaper, so that none is taken for an own one."""
PRICE_OF_STATION = 8.0
"""The points it would have paid, a card and a turn."""
PRICE_OF_BUILT_STATION = 1.5


class Evaluation:
    """The numbers that a bot plans with, read from one view."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.edition = view.edition
        self.board: Board = view.edition.board
        self.graph = graph_of(self.board)
        self.colours = colours_of(self.board)
        state = self.state = StateReader(view.states)
        player, players = view.player, int(state.players)
        self.hand: list[int] = state.hand[player].tolist()
        self.cards = sum(self.hand)
        self.own, self.usable = tracks_for(state, player)
        taken = [mask(words) for words in state.tracks.tolist()]
        self.foreign = sum(tracks for p, tracks in enumerate(taken) if p != player)
        trains: list[int] = state.trains[:players].tolist()
        self.trains = trains.pop(player)
        self.rival_trains = min(trains)
        stations: list[int] = state.stations[:players].tolist()
        self.stations = stations[player]
        self.stations_left = int(state.stations_left[player])
        self.station_cities = sum(stations)
        self.last = int(state.last_turns) > 0
        self.face_up: list[int] = [kind for kind in state.face_up.tolist() if kind != lay.NONE]

    @property
    def tickets(self) -> list[Ticket]:
        """The player's tickets."""
        notation = notation_of(self.edition)
        return [notation.tickets[ticket] for ticket in bits(self.state.tickets[self.view.player].tolist())]

    @property
    def offer(self) -> list[Ticket]:
        """Tickets to choose from."""
        notation, player = notation_of(self.edition), self.view.player
        return [
            notation.tickets[ticket] for ticket in self.state.offer[player][: int(self.state.offer_n[player])].tolist()
        ]

    @property
    def turns_left(self) -> float:
        """An estimate of the turns the player still has, by the trains of the rival who has fewest."""
        if self.last:
            return 1.0
        return max(self.rival_trains - self.edition.last_round_trains, 0) / TRAINS_A_TURN + 2

    @cached_property
    def waiting(self) -> dict[int, int]:
        """How many passengers wait at each city, border spaces by their country."""
        if not self.board.passenger_colours:
            return {}
        found = passengers(notation_of(self.edition), snapshot(self.state.states))
        return {city: len(colours) for name, colours in found.items() for city in self.graph.places[name]}

    # -- tracks ----------------------------------------------------------------------------------------------------
    def length(self, track: int) -> int:
        """Spaces of a track."""
        return self.graph.lengths[track]

    def crowd(self, track: int) -> int:
        """At how many ends of a track a passenger waits."""
        return sum(1 for city in self.graph.ends[track] if self.waiting.get(city))

    def prices(self, base: Sequence[float]) -> list[float]:
        """What each track costs the player in a plan, given what it costs on an empty board."""
        found = [STEP if self.own >> i & 1 else IMPASSABLE for i in range(len(base))]
        held = max(self.hand[: lay.LOCO])
        saved = PRICE_OFF_PER_CARD + PRICE_OFF_FOR_FULL_HAND * min(1.0, max(0, self.cards - FULL_HAND) / FULL_HAND)
        for track in bits([self.usable & (1 << 64) - 1, self.usable >> 64]):
            line, colour = self.board.tracks[track], self.colours[track]
            paid = min(line.length, held if colour == lay.NONE else self.hand[colour])
            found[track] = max(MIN_PRICE, base[track] - saved * paid - 0.4 * (self.crowd(track) if self.waiting else 0))
        if self.stations_left or self.stations:
            for track in bits([self.foreign & (1 << 64) - 1, self.foreign >> 64]):
                found[track] = self._borrowing(track)
        return found

    def _borrowing(self, track: int) -> float:
        """Price of using another player's track by a station."""
        if any(self.stations >> city & 1 for city in self.graph.ends[track]):
            return PRICE_OF_BUILT_STATION
        free = any(self.may_stand(city) for city in self.graph.ends[track])
        return PRICE_OF_STATION + 2 * self.stations.bit_count() if free and self.stations_left else IMPASSABLE

    def may_stand(self, city: int) -> bool:
        """Whether a station may be built in a city."""
        return not self.station_cities >> city & 1 and self.board.cities[city].country is None

    def budget(self) -> Budget:
        """What is left to plan with; time plays no part before the game is late."""
        late = self.turns_left < LATE
        return Budget(
            trains=self.trains,
            turns=self.turns_left + 1 if late else inf,
            cards=self.cards if late else 0,
            stations=self.stations_left,
            built=self.stations.bit_count(),
        )

    def plan(self, tickets: Iterable[Ticket], prices: Sequence[float], budget: Budget) -> Plan:
        """The better of two plans: the most profitable tickets first, or the longest first."""
        tickets = list(tickets)
        plans = [plan_for(self.graph, tickets, prices, self.own, self.foreign, budget)]
        if len(tickets) > 1:
            plans.append(plan_for(self.graph, tickets, prices, self.own, self.foreign, budget, longest_first=True))
        return max(plans, key=lambda plan: (plan.points, -plan.price))

    def danger(self, track: int, prices: Sequence[float], plan: Sequence[int]) -> float:
        """What losing a track would cost: the detour, counted fully only where rivals are near."""
        a, b = self.graph.ends[track]
        without = [STEP if i in plan else price for i, price in enumerate(prices)]
        for other, parallel in self.graph.neighbours[a]:
            if other == b:
                without[parallel] = IMPASSABLE
        path = shortest_path(self.graph, (a,), (b,), without)
        detour = 12.0 if path is None else min(12.0, max(0.0, sum(without[i] for i in path) - prices[track]))
        near = any(self.foreign >> i & 1 for city in (a, b) for _, i in self.graph.neighbours[city])
        return detour if near else detour / 3

    # -- cards -----------------------------------------------------------------------------------------------------
    def colour(self, track: int) -> int:
        """Kind of card that a track wants; for gray tracks NONE."""
        return self.colours[track]

    def missing(self, track: int) -> int:
        """Cards that the hand lacks for a track, locomotives used."""
        line, colour = self.board.tracks[track], self.colour(track)
        best = max(self.hand[: lay.LOCO]) if colour == lay.NONE else self.hand[colour]
        symbols = max(0, line.ferry - self.hand[lay.LOCO])
        locos = max(0, self.hand[lay.LOCO] - line.ferry)
        return symbols + max(0, line.length - line.ferry - best - locos)

    def needs(self, tracks: Iterable[int]) -> list[int]:
        """Cards of each kind that tracks want by their colour and symbols."""
        need = [0] * lay.KINDS
        for track in tracks:
            line, colour = self.board.tracks[track], self.colour(track)
            need[lay.LOCO] += line.ferry
            if colour != lay.NONE:
                need[colour] += line.length
        return need

    def wants(self, tracks: Iterable[int]) -> list[float]:
        """How much one more card of each kind would help to pay for tracks, those nearest to being paid first."""
        spare, want = self.hand.copy(), [0.0] * lay.KINDS
        coloured = self.needs(tracks)
        for track in sorted(tracks, key=lambda track: (self.colour(track) == lay.NONE, self.missing(track))):
            line, colour = self.board.tracks[track], self.colour(track)
            if colour == lay.NONE:
                colour = max(
                    range(lay.LOCO), key=lambda c: (spare[c] + 0.6 * self.face_up.count(c) - 0.1 * coloured[c], -c)
                )
            lacking = line.length + line.tunnel - line.ferry - spare[colour]  # a tunnel is entered with a card to spare
            spare[colour] = max(0, -lacking)
            if lacking > 0:
                want[colour] += 1 + 1 / lacking
            if line.ferry > spare[lay.LOCO]:
                want[lay.LOCO] += 2
            spare[lay.LOCO] = max(0, spare[lay.LOCO] - line.ferry)
        return want

    def waste(self, cards: Iterable[tuple[str, int]], need: Sequence[int], ferry: int = 0) -> float:
        """How much a payment wastes: locomotives beyond the symbols, and cards that other tracks need."""
        paid = {KIND[card]: n for card, n in cards}
        locos = paid.pop(lay.LOCO, 0)
        wasted = 1.2 * max(0, locos - ferry) + max(0, need[lay.LOCO] + locos - self.hand[lay.LOCO])
        for colour, n in paid.items():
            spare = max(0, self.hand[colour] - need[colour])
            wasted += 0.8 * max(0, n - spare) - 0.01 * spare
        return wasted

    def left_over(self, cards: Iterable[tuple[str, int]]) -> int:
        """Cards that could pay for a tunnel that becomes dearer, after a payment."""
        paid = dict(cards)
        kinds = {KIND[card] for card in paid} | {lay.LOCO}
        return sum(self.hand[kind] for kind in kinds) - sum(paid.values())

    # -- tracks without a plan ---------------------------------------------------------------------------------
    def worth(self, track: int) -> float:
        """Points that claiming a track brings, passengers included; a little more where it makes a path longer."""
        a, b = self.graph.ends[track]
        joined = any(self.own >> i & 1 for city in (a, b) for _, i in self.graph.neighbours[city])
        path = 0.15 * self.length(track) if joined and self.edition.longest_path else 0.0
        return self.board.points[self.length(track)] + POINTS_PER_PASSENGER * self.crowd(track) + path

    def targets(self) -> list[int]:
        """Tracks that can still be had, those that bring most points a turn first."""
        turns = self.turns_left
        rated: list[tuple[float, int]] = []
        for track in bits([self.usable & (1 << 64) - 1, self.usable >> 64]):
            needed = 1 + ceil(self.missing(track) / 2)
            if self.length(track) <= self.trains and needed <= turns:
                rated.append((-self.worth(track) / needed, track))
        return [track for _, track in sorted(rated)]


@lru_cache(maxsize=64)
def colours_of(board: Board) -> tuple[int, ...]:
    """Kind of card that each track wants; for gray tracks NONE."""
    return tuple(lay.NONE if track.colour == GRAY else KIND[track.colour] for track in board.tracks)


def base_prices(board: Board, preference: Sequence[float]) -> list[float]:
    """What tracks cost on an empty board: spaces and a turn, more for ferries and tunnels, less for gray tracks."""
    return [
        track.length + 1 + 0.8 * track.ferry + 0.6 * track.tunnel - 0.4 * (track.colour == GRAY) + 0.5 * liking
        for track, liking in zip(board.tracks, preference, strict=True)
    ]


def claims_of(legal: Iterable[Action]) -> dict[int, list[Action]]:
    """The claims among legal actions, by track."""
    found: dict[int, list[Action]] = {}
    for action in legal:
        if action.track is not None:
            found.setdefault(action.track, []).append(action)
    return found


def passenger_points(counts: Sequence[int], player: int, points: tuple[int, int]) -> int:
    """Points of a player for one colour of passengers, by what every player has of it (PASSENGER-3)."""
    mine, most = counts[player], max(counts)
    if not mine:
        return 0
    if mine == most:
        return points[0]
    second = max(n for n in counts if n < most)
    return points[1] if mine == second and counts.count(most) == 1 else 0


def best_passenger(evaluation: Evaluation, legal: Sequence[Action]) -> Action:
    """The passenger whose colour gains most points on the others."""
    colours = tuple(evaluation.board.passenger_colours)
    collected = evaluation.state.collected[: len(evaluation.view.names)].tolist()
    player, points = evaluation.view.player, evaluation.edition.passenger_points

    def standing(counts: Sequence[int]) -> float:
        """Own points, less those of the others on average."""
        won = [passenger_points(counts, p, points) for p in range(len(counts))]
        return won[player] - (sum(won) - won[player]) / (len(won) - 1)

    def value(action: Action) -> float:
        passenger = action.passenger
        if passenger is None:
            return -inf
        counts: list[int] = [row[colours.index(passenger)] for row in collected]
        now, lead = standing(counts), max(counts)
        counts[player] += 1
        return standing(counts) - now + 0.5 * counts[player] - max(0, lead - counts[player])

    return max(legal, key=value)
