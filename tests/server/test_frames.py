"""Frames: what the server makes quickly says the same as what is made plainly."""

from __future__ import annotations

import time
from random import Random

import orjson
import pytest

from support.games import EDITIONS, choose
from support.plain_frames import plain_frame
from support.scale import SCALE
from whistlestop import Game
from whistlestop.server.store import StoredAction
from whistlestop.server.table_game import TableGame


@pytest.mark.parametrize("edition", EDITIONS)
def test_quick_frames_are_the_plain_ones_to_the_byte(edition: str) -> None:
    for seed in range(SCALE):
        rng, players = Random(f"{edition} {seed}"), (3, 2, 5, 4)[seed % 4]
        table = TableGame(Game(edition, players, (1 << 100) + seed))
        game, known = table.game, 0
        while True:
            for viewer in (*range(players), None):
                made = table.frame(viewer, known, 1.5)
                assert made == orjson.dumps(plain_frame(game, table._reports, viewer, known, 1.5))
            if game.over:
                break
            seat, known = rng.choice(game.to_move), table.n
            draft = table.draft(seat, choose(game.legal(seat), rng).id, known)
            table.apply(StoredAction(seat, draft.move.action.id, False, time.time()), draft)
