"""A game told as data: its moves, and the end. What only its player may know of a move goes to that player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.game import Game, Move, View
from whistlestop.mapfile import CARDS

JsonObject = dict[str, Any]
_WILD_CARD = CARDS[lay.LOCO]


# ---- moves ----------------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class MoveReport:
    """A move as data: what everybody saw, and what only its player did."""

    seat: int
    public: JsonObject
    private: JsonObject = field(default_factory=dict)
    begins_turn: bool = False

    def for_viewer(self, viewer: int | None, announced: bool = False) -> JsonObject:
        """The move as a viewer saw it; announcements are public once all have announced (RULING-16)."""
        shown = viewer == self.seat or (announced and self.public["kind"] == "announce")
        return self.public | self.private if shown else self.public


def report_move(before: View, game: Game, move: Move, at: float, bot: bool) -> MoveReport:
    """What is told of a move; `before` is what its player saw, `game` stands after it."""
    seat, kind = move.player, move.action.kind
    report = MoveReport(seat, {"n": move.number, "seat": seat, "kind": kind, "at": round(at, 3), "bot": bot})
    report.begins_turn = before.phase == "turn"
    _REPORTERS.get(kind, _report_nothing)(report, game, move, before)
    return report


def _report_nothing(report: MoveReport, game: Game, move: Move, before: View) -> None:
    """A pass has nothing to tell."""


def _report_blind(report: MoveReport, _game: Game, move: Move, _before: View) -> None:
    report.private["card"] = CARDS[move.outcome[0]]


def _report_face_up(report: MoveReport, _game: Game, move: Move, _before: View) -> None:
    report.public["card"] = move.action.card


def _report_tickets(report: MoveReport, game: Game, move: Move, _before: View) -> None:
    """Where the backs of the decks differ everybody sees the mix, else only how many were drawn."""
    offered = int(sum(dict(move.action.mix).values())) or len(game.view(report.seat).offer)
    report.public["mix"] = dict(move.action.mix) or {"": offered}


def _report_announce(report: MoveReport, _game: Game, move: Move, _before: View) -> None:
    report.private["mix"] = dict(move.action.mix)


def _report_keep(report: MoveReport, _game: Game, move: Move, before: View) -> None:
    """The first choice is made in secret; later everybody sees how many tickets are kept."""
    kept = [before.offer[i].json() for i in move.action.kept]
    report.private["tickets"] = kept
    (report.private if before.phase == "first_tickets" else report.public)["kept"] = len(kept)


def _report_claim(report: MoveReport, game: Game, move: Move, before: View) -> None:
    number = move.action.track
    assert number is not None
    track = game.edition.board.tracks[number]
    report.public |= {"track": number, "cards": dict(move.action.cards)}
    tunnel = game.view(None).tunnel if game.phase == "tunnel" else None
    if track.tunnel:
        turned = doors.cards_turned_up(before.states, 0)
        report.public |= {
            "turned_up": [CARDS[kind] for kind in move.outcome[:turned]],
            "hits": tunnel["hits"] if tunnel else [False] * turned,
            "extra": tunnel["extra"] if tunnel else 0,
        }
    if tunnel is None:
        _report_claimed(report, game, number)


def _report_claimed(report: MoveReport, game: Game, track: int) -> None:
    report.public |= {"claimed": track, "points": game.edition.board.points[game.edition.board.tracks[track].length]}


def _report_extra(report: MoveReport, game: Game, move: Move, before: View) -> None:
    assert before.tunnel is not None
    report.public |= {"track": before.tunnel["track"], "cards": dict(move.action.cards)}
    _report_claimed(report, game, before.tunnel["track"])


def _report_give_up(report: MoveReport, _game: Game, _move: Move, before: View) -> None:
    assert before.tunnel is not None
    report.public["track"] = before.tunnel["track"]


def _report_station(report: MoveReport, _game: Game, move: Move, _before: View) -> None:
    report.public |= {"city": move.action.city, "cards": dict(move.action.cards)}


def _report_passenger(report: MoveReport, _game: Game, move: Move, _before: View) -> None:
    report.public |= {"passenger": move.action.passenger, "place": move.action.place}


_REPORTERS = {
    "draw_blind": _report_blind,
    "draw_face_up": _report_face_up,
    "draw_tickets": _report_tickets,
    "announce": _report_announce,
    "keep": _report_keep,
    "claim": _report_claim,
    "pay_extra": _report_extra,
    "give_up": _report_give_up,
    "station": _report_station,
    "take_passenger": _report_passenger,
}


# ---- the end --------------------------------------------------------------------------------------------------------
def moment(game: Game, seat: int) -> JsonObject:
    """Everybody's standing after a seat's turn."""
    players = game.view(None).players
    return {"n": len(game.history), "seat": seat} | {
        name: [getattr(player, name) for player in players] for name in ("points", "trains", "cards", "tickets")
    }


def timeline(game: Game) -> list[JsonObject]:
    """The standing after every turn of a finished game."""
    again = game.at(0)
    found = [moment(again, again.first)]
    for move in game.history:
        again.play(move.action.id, move.player)
        if again.phase in ("turn", "over"):
            found.append(moment(again, move.player))
    return found


def statistics(game: Game, reports: Sequence[MoveReport]) -> list[JsonObject]:
    """What each seat did in the whole game."""
    return [_seat_statistics(game, seat, reports) for seat in range(game.players)]


def _seat_statistics(game: Game, seat: int, reports: Sequence[MoveReport]) -> JsonObject:
    moves = [one.public | one.private for one in reports if one.seat == seat]
    kinds = [move["kind"] for move in moves]
    lengths = [game.edition.board.tracks[move["claimed"]].length for move in moves if "claimed" in move]
    tunnels = [move for move in moves if "turned_up" in move]
    return {
        "turns": sum(report.begins_turn for report in reports if report.seat == seat),
        "blind": kinds.count("draw_blind"),
        "face_up": kinds.count("draw_face_up"),
        "locomotives": sum(move["kind"] == "draw_face_up" and move["card"] == _WILD_CARD for move in moves),
        "claims": len(lengths),
        "mean_length": round(sum(lengths) / len(lengths), 2) if lengths else 0.0,
        "longest_track": max(lengths, default=0),
        "ticket_draws": kinds.count("draw_tickets"),
        "tickets_kept": sum(move.get("kept", 0) for move in moves),
        "tunnels": len(tunnels),
        "tunnels_dear": sum(move["extra"] > 0 for move in tunnels),
        "tunnels_lost": kinds.count("give_up"),
        "stations": kinds.count("station"),
        "seconds": round(_seconds(reports, seat), 1),
    }


def _seconds(reports: Sequence[MoveReport], seat: int) -> float:
    """Time from the action before to each of a seat's."""
    return float(
        sum(after.public["at"] - before.public["at"] for before, after in pairwise(reports) if after.seat == seat)
    )
