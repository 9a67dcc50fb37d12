"""The game at a table: a replay of stored actions, and what is told of it. Actions get into it only by `apply`."""

from __future__ import annotations

from typing import Any

from whistlestop.bots.paths import cheapest_path
from whistlestop.errors import WhistlestopError
from whistlestop.game import Draft, Game, IllegalAction, InvalidNotation, Move, View
from whistlestop.obstacles import station_obstacle, track_obstacle
from whistlestop.server import narration
from whistlestop.server.frames import FrameWriter
from whistlestop.server.refusals import RequestError, illegal_action
from whistlestop.server.store import StoredAction
from whistlestop.views import SIMULTANEOUS_NAMES


def outcome_text(move: Move) -> str:
    """What chance gave to a move, as it is stored."""
    return " ".join(map(str, move.outcome))


class TableGame:
    """A game and the reports of its moves; what it shows is stored."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._frames = FrameWriter(game)
        self._reports: list[narration.MoveReport] = []
        self._choice_since = 0
        self._end: dict[str, Any] | None = None

    @property
    def n(self) -> int:
        """The number of actions so far."""
        return len(self._reports)

    @property
    def simultaneous(self) -> bool:
        """Whether all players choose at once."""
        return self.game.phase in SIMULTANEOUS_NAMES

    # -- acting ----------------------------------------------------------------------------------------------------
    def draft(self, seat: int, action: int | str, n: int) -> Draft:
        """Work out an action on the state after action `n`, without changing anything; a refusal says why not."""
        game = self.game
        least = self._choice_since if self.simultaneous else self.n
        if not least <= n <= self.n:
            message = f"the game has moved on: you saw action {n}, it is at {self.n}"
            raise RequestError("stale", message, "look at the table again")
        if seat not in game.to_move:
            who = ", ".join(game.names[p] for p in game.to_move)
            raise RequestError("not_your_turn", f"it is the turn of {who}, not of {game.names[seat]}")
        try:
            return game.draft(action, seat)
        except (IllegalAction, InvalidNotation) as error:
            raise illegal_action(error) from None

    def apply(self, stored: StoredAction, draft: Draft | None = None) -> Move:
        """Make a stored action part of the game: one that was drafted here, or one that the database tells of."""
        before = self._frames.view(stored.seat)
        move = self.game.commit(draft or self._replayed(stored))
        self._reports.append(narration.report_move(before, self.game, move, stored.at, stored.bot))
        if not self.simultaneous or len(self.game.to_move) == self.game.players:
            self._choice_since = self.n  # during a choice of all at once, the choices of others make no number stale
        return move

    def _replayed(self, stored: StoredAction) -> Draft:
        """A stored action worked out again; one that chance would now answer otherwise is an error."""
        draft = self.game.draft(stored.action, stored.seat)
        if stored.outcome is not None and stored.outcome != outcome_text(draft.move):
            raise WhistlestopError(f"action {draft.move.number} gives another outcome than the one that was stored")
        return draft

    def find_repeated(self, seat: int, action: int | str, n: int) -> int | None:
        """The number of the seat's next action after `n`, if it is this very one: a request that was sent twice."""
        if n >= self.n:
            return None
        move = next((move for move in self.game.history[n:] if move.player == seat), None)
        return move.number if move is not None and action in (move.action.id, move.action.text) else None

    @property
    def begins_turn(self) -> bool:
        """Whether the last action began somebody's turn, or a choice of all at once."""
        if self.simultaneous:
            return self._choice_since == self.n
        return self.game.phase == "turn" or self._reports[-1].seat not in self.game.to_move

    # -- what is shown ---------------------------------------------------------------------------------------------
    def frame(self, viewer: int | None, known: int, deadline: float | None) -> bytes:
        """The game as a seat or a spectator sees it, with the moves after number `known`; JSON."""
        return self._frames.frame(self._reports, viewer, min(known, self.n), deadline)

    def why(self, viewer: int | None, track: int | None, city: str | None, ref: int | None) -> dict[str, Any]:
        """Why a track or a station cannot be had."""
        view, board = self.game.view(viewer), self.game.edition.board
        if track is not None and 0 <= track < len(board.tracks):
            found = track_obstacle(view, track)
        elif city is not None and any(city == known.name for known in board.cities):
            found = station_obstacle(view, city)
        else:
            raise RequestError("no_such_place", "there is no such track or city", status=422)
        return {"t": "why", "ref": ref, "track": track, "city": city, "obstacle": found.json()}

    def way(self, viewer: int | None, a: str, b: str, ref: int | None) -> dict[str, Any]:
        """The viewer's cheapest way between two places."""
        view, board = self.game.view(viewer), self.game.edition.board
        known = {name for city in board.cities for name in (city.name, city.country) if name}
        if a not in known or b not in known:
            raise RequestError("no_such_place", "there is no such city", status=422)
        tracks = cheapest_path(view, a, b)
        mine = {track for track, owner in view.owners.items() if owner == viewer}
        missing = [track for track in tracks or () if track not in mine]
        trains = sum(board.tracks[track].length for track in missing)
        found = None if tracks is None else list(tracks)
        return {"t": "way", "ref": ref, "from": a, "to": b, "tracks": found, "missing": missing, "trains": trains}

    def view(self, seat: int) -> View:
        """What a seat may know now."""
        return self.game.view(seat)

    # -- the end ---------------------------------------------------------------------------------------------------
    def end(self) -> dict[str, Any]:
        """The result of a finished game, its course and its statistics."""
        if self._end is None:
            stats = narration.statistics(self.game, self._reports)
            self._end = {
                "result": self.game.result().json(),
                "timeline": narration.timeline(self.game),
                "stats": stats,
                "n": self.n,
                "turns": sum(seat["turns"] for seat in stats),
            }
        return self._end

    def replay(self, n: int, viewer: int | None) -> bytes:
        """The game after action `n`, as a seat or a spectator saw it."""
        if n > self.n or (viewer is not None and viewer >= self.game.players):
            message = f"the game has actions 0 to {self.n} and {self.game.players} players"
            raise RequestError("no_such_moment", message, status=404)
        return FrameWriter(self.game.at(n)).frame(self._reports[:n], viewer, 0, None)
