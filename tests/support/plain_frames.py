"""Frames made the plain way: every field read by its name from a redacted state, every option from its action.

The server makes them another way, since it makes many; both must say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from whistlestop import Game
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.hidden import SPECTATOR
from whistlestop.engine.tables import places_of, tables_of
from whistlestop.mapfile import CARDS, Edition
from whistlestop.notation import Action, notation_of
from whistlestop.server.narration import MoveReport

Data = dict[str, Any]
LOCOMOTIVE = CARDS[lay.LOCO]
AT_ONCE = (lay.ANNOUNCE, lay.FIRST_TICKETS)


def plain_frame(
    game: Game, reports: Sequence[MoveReport], viewer: int | None, known: int, deadline: float | None
) -> Data:
    """The game now as a viewer sees it, with the moves after number `known`."""
    states = np.frombuffer(bytearray(game.state_bytes()), lay.STATE)
    player = SPECTATOR if viewer is None else viewer
    doors.redact(states, 0, tables_of(game.edition), player)
    state = {name: states[name][0].tolist() for name in lay.STATE.names or ()}
    return {
        "t": "frame",
        "n": len(game.history),
        "seat": viewer,
        "view": {
            **_public(game, states, state),
            "player": viewer,
            "hand": {} if viewer is None else _counts(state["hand"][viewer]),
            "tickets": [] if viewer is None else _held(game.edition, states, viewer),
            "offer": [] if viewer is None else [_ticket(game.edition, t) for t in _offer(state, viewer)],
        },
        "options": None if viewer is None else _options(game, viewer, _counts(state["hand"][viewer])),
        "moves": [report.for_viewer(viewer, game.phase != "announce") for report in reports[known:]],
        "deadline": deadline,
    }


def _counts(kinds: Sequence[int]) -> Data:
    return {card: n for card, n in zip(CARDS, kinds, strict=True) if n}


def _bits(words: Sequence[int]) -> list[int]:
    return [64 * i + bit for i, word in enumerate(words) for bit in range(64) if word >> bit & 1]


def _offer(state: Data, player: int) -> list[int]:
    return list(state["offer"][player][: state["offer_n"][player]])


def _ticket(edition: Edition, number: int, completed: bool | None = None) -> Data:
    ticket = [ticket for deck in edition.decks for ticket in deck.tickets][number]
    plain = {"from": ticket.a, "to": ticket.b, "points": ticket.points, "kind": ticket.kind}
    return plain if completed is None else plain | {"completed": completed}


def _held(edition: Edition, states: doors.Array, player: int) -> list[Data]:
    done, nets = np.zeros(lay.WORDS, np.uint64), np.zeros(1, lay.NETWORK)
    doors.completed_tickets(states, 0, tables_of(edition), nets, player, np.zeros(lay.WORDS, np.uint64), done)
    completed = _bits(done.tolist())
    return [_ticket(edition, t, t in completed) for t in _bits(states["tickets"][0, player].tolist())]


def _public(game: Game, states: doors.Array, state: Data) -> Data:
    edition, phase = game.edition, state["phase"]
    owners = {track: player for player, words in enumerate(state["tracks"]) for track in _bits(words)}
    usable = {*owners, *_bits(state["open"])}
    choosing = [p for p in range(game.players) if state["choice"][p] == lay.NONE]
    return {
        "edition": edition.id,
        "phase": lay.PHASES[phase],
        "to_move": [] if phase == lay.OVER else choosing if phase in AT_ONCE else [state["player"]],
        "last_round": 0 if phase == lay.OVER else state["last_turns"] or None,
        "face_up": [None if kind == lay.NONE else CARDS[kind] for kind in state["face_up"]],
        "deck": state["deck_n"],
        "discard": _counts(state["discard"]),
        "ticket_decks": {deck.name: n for deck, n in zip(edition.decks, state["ticket_count"], strict=False)},
        "owners": {str(track): owners[track] for track in sorted(owners)},
        "closed": [track for track in range(len(edition.board.tracks)) if track not in usable],
        "tunnel": _tunnel(state) if phase == lay.TUNNEL else None,
        "waiting": _waiting(edition, state),
        "players": [_player(edition, states, state, p, name) for p, name in enumerate(game.names)],
    }


def _tunnel(state: Data) -> Data:
    turned = [kind for kind in state["turned"] if kind != lay.NONE]
    return {
        "track": state["track"],
        "laid": _counts(state["laid"]),
        "turned_up": [CARDS[kind] for kind in turned],
        "hits": [kind in (state["laid_colour"], lay.LOCO) for kind in turned],
        "extra": state["extra"],
    }


def _waiting(edition: Edition, state: Data) -> Data:
    found, spot = {}, 0
    colours = edition.board.passenger_colours
    for place, count in places_of(edition.board) if colours else ():
        here = [tuple(colours)[c] for c in state["passengers"][spot : spot + count] if c != lay.NONE]
        spot += count
        if here:
            found[place] = here
    return found


def _player(edition: Edition, states: doors.Array, state: Data, player: int, name: str) -> Data:
    sure, phase, decks = state["tickets_sure"][player], state["phase"], [deck.name for deck in edition.decks]
    announced = None
    if phase == lay.FIRST_TICKETS and edition.first_tickets[state["deal"]].announce:
        regular = len(edition.decks[0].tickets)
        long = sum(ticket >= regular or ticket == lay.HIDDEN - 1 for ticket in _offer(state, player))
        announced = {decks[0]: len(_offer(state, player)) - long, decks[1]: long}
    collected = zip(edition.board.passenger_colours, state["collected"][player], strict=False)
    return {
        "name": name,
        "points": state["points"][player],
        "trains": state["trains"][player],
        "stations_left": state["stations_left"][player],
        "stations": [edition.board.cities[c].name for c in _bits([state["stations"][player]])],
        "cards": state["cards"][player],
        "known": _counts(state["known"][player]),
        "tickets": sum(sure) + state["tickets_mixed"][player],
        "tickets_by_deck": dict(zip(decks, sure, strict=False)) if edition.ticket_backs_differ else None,
        "announced": announced,
        "offered": state["offer_n"][player],
        "passengers": {colour: n for colour, n in collected if n},
        "chosen": phase in AT_ONCE and state["choice"][player] != lay.NONE,
        "revealed": _held(edition, states, player) if phase == lay.OVER else None,
    }


# ---- options --------------------------------------------------------------------------------------------------------
def _options(game: Game, viewer: int, held: Data) -> Data | None:
    legal = game.legal(viewer)
    if not legal:
        return None

    def of(kind: str) -> list[Action]:
        return [action for action in legal if action.kind == kind]

    def only(kind: str) -> int | None:
        return next((action.id for action in of(kind)), None)

    def payments(actions: Sequence[Action]) -> list[Data]:
        """Few locomotives first, then the colour of which most is held."""
        paid = [{"id": action.id, "cards": dict(action.cards)} for action in actions]
        plain = {action.id: [held.get(c, 0) for c, _ in action.cards if c != LOCOMOTIVE] for action in actions}
        return sorted(paid, key=lambda one: (one["cards"].get(LOCOMOTIVE, 0), -max(plain[one["id"]], default=0)))

    tracks = list(dict.fromkeys(action.track for action in of("claim")))
    return {
        "draw_blind": only("draw_blind"),
        "draw_face_up": {action.card: action.id for action in of("draw_face_up")},
        "draw_tickets": [{"id": action.id, "mix": dict(action.mix)} for action in of("draw_tickets")],
        "announce": [{"id": action.id, "mix": dict(action.mix)} for action in of("announce")],
        "claims": {str(t): payments([action for action in of("claim") if action.track == t]) for t in tracks},
        "stations": _stations(game, payments(of("station")), of("station")),
        "keep": [{"id": action.id, "kept": list(action.kept)} for action in of("keep")],
        "pay_extra": payments(of("pay_extra")),
        "give_up": only("give_up"),
        "passengers": [
            {"id": action.id, "passenger": action.passenger, "at": action.place} for action in of("take_passenger")
        ],
        "pass": only("pass"),
    }


def _stations(game: Game, payments: Sequence[Data], actions: Sequence[Action]) -> Data | None:
    """Every station is the sum of a city's number and a payment's."""
    if not actions:
        return None
    origin = notation_of(game.edition).station_first
    cities = {action.city: action.id - (action.id - origin) % lay.STATION_PAYMENTS for action in actions}
    first = min(cities.values())
    ways = [one | {"id": one["id"] - first} for one in payments if one["id"] < first + lay.STATION_PAYMENTS]
    sums = sorted(number + way["id"] for number in cities.values() for way in ways)
    assert sums == [action.id for action in actions]
    return {"cities": cities, "payments": ways}
