"""A game as it is told to one viewer: frames, options, moves, and the end. Nothing here leaves the server that the viewer may not know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from whistlestop.engine import layout as lay
from whistlestop.game import Action, Game, Move, View
from whistlestop.notation import CARDS, notation_of

Json = dict[str, Any]
LOCOMOTIVE = CARDS[lay.LOCO]


# ---- options --------------------------------------------------------------------------------------------------------
def options(view: View) -> Json | None:
    """What the viewer may do now, grouped for a screen; None if nothing."""
    legal = view.legal()
    if not legal:
        return None
    held = view.hand
    found: Json = {"draw_blind": None, "draw_face_up": {}, "draw_tickets": [], "announce": [], "claims": {}, "stations": None,
                   "keep": [], "pay_extra": [], "give_up": None, "passengers": [], "pass": None}  # fmt: skip
    sites: list[Action] = []
    claims: dict[int, list[Json]] = {}
    for action in legal:
        parts = dict(action.parts)
        kind = action.kind
        if kind == "claim":
            claims.setdefault(parts["track"], []).append({"id": action.id, "cards": dict(parts["cards"])})
        elif kind == "station":
            sites.append(action)
        elif kind in ("draw_blind", "give_up", "pass"):
            found[kind] = action.id
        elif kind == "draw_face_up":
            found["draw_face_up"][parts["card"]] = action.id
        elif kind in ("draw_tickets", "announce"):
            found[kind].append({"id": action.id, "mix": dict(parts.get("mix", ()))})
        elif kind == "keep":
            found["keep"].append({"id": action.id, "kept": _places(action.id)})
        elif kind == "pay_extra":
            found["pay_extra"].append({"id": action.id, "cards": dict(parts["cards"])})
        elif kind == "take_passenger":
            found["passengers"].append({"id": action.id, "passenger": parts["passenger"], "at": parts["at"]})
    for payments in (*claims.values(), found["pay_extra"]):
        if len(payments) > 1:
            payments.sort(key=lambda payment: sensible(payment["cards"], held))
    found["claims"] = {str(track): payments for track, payments in claims.items()}
    if sites:
        found["stations"] = _sites(view, sites, held)
    return found


def _places(keep: int) -> list[int]:
    """Which tickets of the offer an action keeps."""
    return [i for i in range(lay.MAX_OFFER) if (keep - lay.KEEP) >> i & 1]


def sensible(cards: Json, held: Json) -> tuple[int, int]:
    """Sorts payments: few locomotives first, then the colour of which most is held."""
    most = 0
    for card in cards:
        if card != LOCOMOTIVE and held.get(card, 0) > most:
            most = held[card]
    return cards.get(LOCOMOTIVE, 0), -most


def _sites(view: View, sites: Sequence[Action], held: Json) -> Json:
    """Stations as cities × payments: every free city takes the same payments, so each is sent once."""
    first = sites[0].id - (sites[0].id - notation_of(view.edition).station_first) % lay.STATION_PAYMENTS
    payments: list[Json] = [
        {"id": a.id - first, "cards": dict(dict(a.parts)["cards"])}
        for a in sites
        if a.id < first + lay.STATION_PAYMENTS
    ]
    payments.sort(key=lambda payment: sensible(payment["cards"], held))
    offset = payments[0]["id"]
    cities = {dict(a.parts)["city"]: a.id - offset for a in sites if (a.id - first) % lay.STATION_PAYMENTS == offset}
    return {"cities": cities, "payments": payments}


# ---- moves ----------------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Told:
    """A move as data: what everybody saw, and what only its player did."""

    seat: int
    public: Json
    private: Json = field(default_factory=dict)
    begins_turn: bool = False

    def to(self, viewer: int | None, announced: bool = False) -> Json:
        """The move as a viewer saw it; announcements are public once all have announced (RULING-16)."""
        open_now = announced and self.public["kind"] == "announce"
        return self.public | self.private if viewer == self.seat or open_now else self.public


def play(game: Game, action: Action | int | str, seat: int, at: float, bot: bool) -> tuple[Move, Told]:
    """Play an action and tell it."""
    before = game.view(seat)
    move = game.play(action, seat)
    told = Told(seat, {"n": move.number, "seat": seat, "kind": move.action.kind, "at": round(at, 3), "bot": bot})
    told.begins_turn = before.phase == "turn"
    parts = dict(move.action.parts)
    _TELL.get(move.action.kind, _tell_nothing)(told, game, move, parts, before)
    return move, told


def _tell_nothing(told: Told, game: Game, move: Move, parts: Json, before: View) -> None:
    """A pass has nothing to tell."""


def _tell_blind(told: Told, _game: Game, move: Move, _parts: Json, _before: View) -> None:
    told.private["card"] = CARDS[move.outcome[0]]


def _tell_face_up(told: Told, _game: Game, _move: Move, parts: Json, _before: View) -> None:
    told.public["card"] = parts["card"]


def _tell_tickets(told: Told, game: Game, _move: Move, parts: Json, _before: View) -> None:
    """Where the backs of the decks differ everybody sees the mix, else only how many were drawn."""
    offered = int(sum(dict(parts.get("mix", ())).values())) or len(game.view(told.seat).offer)
    told.public["mix"] = dict(parts.get("mix", ())) or {"": offered}


def _tell_announce(told: Told, _game: Game, _move: Move, parts: Json, _before: View) -> None:
    told.private["mix"] = dict(parts.get("mix", ()))


def _tell_keep(told: Told, _game: Game, move: Move, _parts: Json, before: View) -> None:
    """The first choice is made in secret; later everybody sees how many tickets are kept."""
    kept = [before.offer[i].json() for i in _places(move.action.id)]
    told.private["tickets"] = kept
    (told.private if before.phase == "first_tickets" else told.public)["kept"] = len(kept)


def _tell_claim(told: Told, game: Game, move: Move, parts: Json, before: View) -> None:
    track = game.edition.board.tracks[parts["track"]]
    told.public |= {"track": parts["track"], "cards": dict(parts["cards"])}
    tunnel = game.view(None).tunnel if game.phase == "tunnel" else None
    if track.tunnel:
        turned = min(lay.TURNED, before.deck + sum(before.discard.values()))
        told.public |= {
            "turned_up": [CARDS[kind] for kind in move.outcome[:turned]],
            "extra": tunnel["extra"] if tunnel else 0,
        }
    if tunnel is None:
        _tell_claimed(told, game, parts["track"])


def _tell_claimed(told: Told, game: Game, track: int) -> None:
    told.public |= {"claimed": track, "points": game.edition.board.points[game.edition.board.tracks[track].length]}


def _tell_extra(told: Told, game: Game, _move: Move, parts: Json, before: View) -> None:
    assert before.tunnel is not None
    told.public |= {"track": before.tunnel["track"], "cards": dict(parts["cards"])}
    _tell_claimed(told, game, before.tunnel["track"])


def _tell_give_up(told: Told, _game: Game, _move: Move, _parts: Json, before: View) -> None:
    assert before.tunnel is not None
    told.public["track"] = before.tunnel["track"]


def _tell_station(told: Told, _game: Game, _move: Move, parts: Json, _before: View) -> None:
    told.public |= {"city": parts["city"], "cards": dict(parts["cards"])}


def _tell_passenger(told: Told, _game: Game, _move: Move, parts: Json, _before: View) -> None:
    told.public |= {"passenger": parts["passenger"], "place": parts["at"]}


_TELL = {
    "draw_blind": _tell_blind, "draw_face_up": _tell_face_up, "draw_tickets": _tell_tickets, "announce": _tell_announce, "keep": _tell_keep,
    "claim": _tell_claim, "pay_extra": _tell_extra, "give_up": _tell_give_up, "station": _tell_station, "take_passenger": _tell_passenger,
}  # fmt: skip


# ---- frames ---------------------------------------------------------------------------------------------------------
def frame(
    game: Game, told: Sequence[Told], viewer: int | None, known: int, deadline: float | None, public: Json | None = None
) -> Json:
    """The game now as a viewer sees it, with the moves since the number that it knows; `public` is what all views have in common."""
    view = game.view(viewer)
    return {
        "t": "frame",
        "n": len(game.history),
        "seat": viewer,
        "view": view.json(public),
        "options": None if viewer is None else options(view),
        "moves": [one.to(viewer, game.phase != "announce") for one in told[known:]],
        "deadline": deadline,
    }


# ---- the end --------------------------------------------------------------------------------------------------------
def moment(game: Game, seat: int) -> Json:
    """Everybody's standing after a seat's turn."""
    players = game.view(None).players
    return {"n": len(game.history), "seat": seat} | {
        name: [getattr(player, name) for player in players] for name in ("points", "trains", "cards", "tickets")
    }


def timeline(game: Game) -> list[Json]:
    """The standing after every turn of a finished game."""
    again = Game(game.edition, game.players, game.seed, game.first_set, names=game.names)
    found = [moment(again, again.first)]
    for move in game.history:
        again.play(move.action.id, move.player)
        if again.phase in ("turn", "over"):
            found.append(moment(again, move.player))
    return found


def statistics(game: Game, told: Sequence[Told]) -> list[Json]:
    """What each seat did in the whole game."""
    return [_seat_statistics(game, seat, told) for seat in range(game.players)]


def _seat_statistics(game: Game, seat: int, told: Sequence[Told]) -> Json:
    moves = [one.public | one.private for one in told if one.seat == seat]
    kinds = [move["kind"] for move in moves]
    lengths = [game.edition.board.tracks[move["claimed"]].length for move in moves if "claimed" in move]
    tunnels = [move for move in moves if "turned_up" in move]
    return {
        "turns": sum(one.begins_turn for one in told if one.seat == seat),
        "blind": kinds.count("draw_blind"),
        "face_up": kinds.count("draw_face_up"),
        "locomotives": sum(move["kind"] == "draw_face_up" and move["card"] == LOCOMOTIVE for move in moves),
        "claims": len(lengths),
        "mean_length": round(sum(lengths) / len(lengths), 2) if lengths else 0.0,
        "longest_track": max(lengths, default=0),
        "ticket_draws": kinds.count("draw_tickets"),
        "tickets_kept": sum(move.get("kept", 0) for move in moves),
        "tunnels": len(tunnels),
        "tunnels_dear": sum(move["extra"] > 0 for move in tunnels),
        "tunnels_lost": kinds.count("give_up"),
        "stations": kinds.count("station"),
        "seconds": round(_seconds(told, seat), 1),
    }


def _seconds(told: Sequence[Told], seat: int) -> float:
    """Time from the action before to each of a seat's."""
    return float(
        sum(after.public["at"] - before.public["at"] for before, after in pairwise(told) if after.seat == seat)
    )
