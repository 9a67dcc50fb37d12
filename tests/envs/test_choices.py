"""The small set of actions, the full one, the mapping both ways, and masks."""

from __future__ import annotations

import numpy as np
import pytest

from support.random_batches import EDITIONS, random_choices, some_moments
from whistlestop.engine import layout as lay
from whistlestop.engine.tables import tables_of
from whistlestop.envs import BatchedEnv, Encoding, action_set
from whistlestop.errors import IllegalAction
from whistlestop.mapfile import CARDS, load_edition
from whistlestop.views import View


def locomotives(view: View, full: int) -> int:
    """How many locomotives an action pays with."""
    tables = tables_of(view.edition)[0]
    if full >= tables.station_first:
        payment = (full - int(tables.station_first)) % lay.STATION_PAYMENTS
        return 0 if payment == lay.ALL_LOCO_STATION else payment % lay.MAX_STATIONS
    if full >= lay.CLAIM:
        return int(tables.claim_locos[full - lay.CLAIM])
    return full - lay.PAY_EXTRA if lay.PAY_EXTRA <= full < lay.GIVE_UP else 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_small_action_is_the_legal_payment_with_the_fewest_locomotives(edition: str) -> None:
    """By force, from the list of all legal actions: the mask is exact, and each choice means the right action."""
    for env, game in some_moments(edition, 3, moments=16):
        view, encoding = env.view(game), Encoding(env.edition)
        by_choice: dict[int, list[int]] = {}
        for full in view.legal_numbers():
            by_choice.setdefault(int(encoding.actions.small_of[full]), []).append(full)
        assert np.flatnonzero(env.masks[game]).tolist() == sorted(by_choice)
        for choice, members in by_choice.items():
            meant = encoding.action(view, choice)
            assert meant.id == min(members, key=lambda full: locomotives(view, full))
            assert encoding.choice(meant) == choice


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_small_action_has_members_and_they_are_its_own(edition: str) -> None:
    small = action_set(load_edition(edition))
    full = action_set(load_edition(edition), small=False)
    assert small.count < full.count / 2
    for choice in range(small.count):
        members = small.members(choice)
        assert members[0] == small.first_of[choice]
        assert all(small.small_of[member] == choice for member in members)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("small", [True, False])
def test_parts_say_what_an_action_is_about(edition: str, small: bool) -> None:
    parts = action_set(load_edition(edition), small).parts()
    seen = set()
    for env, game in some_moments(edition, 2, moments=16):
        encoding = Encoding(env.edition, small=small)
        view = env.view(game)
        for action in view.legal():
            choice = encoding.choice(action)
            seen.add(action.kind)
            track, colour, draw, keep = (int(parts[name][choice]) for name in ("track", "colour", "draw", "keep"))
            assert track == (-1 if action.track is None else action.track)
            assert draw == (CARDS.index(action.card) if action.card else -1)
            assert keep == (sum(1 << place for place in action.kept) if action.kind == "keep" else -1)
            paid = [card for card, _ in action.cards] if action.kind == "claim" else []
            assert colour == min(map(CARDS.index, paid), default=-1)
    assert {"claim", "draw_face_up", "keep"} <= seen


@pytest.mark.parametrize("edition", ["europe", "germany"])
def test_games_with_the_full_set_have_exact_masks_to_the_end(edition: str) -> None:
    env = BatchedEnv(edition, 2, players=2, actions="full", seed=4)
    random, ended = np.random.default_rng(2), 0
    while ended < 2:
        assert np.flatnonzero(env.masks[0]).tolist() == env.view(0).legal_numbers().tolist()
        env.step(random_choices(env, random))
        ended += int(env.terminated.sum())


@pytest.mark.parametrize("edition", EDITIONS)
def test_whatever_is_not_in_the_mask_is_refused_and_changes_nothing(edition: str) -> None:
    for env, game in some_moments(edition, 2, moments=6):
        before, legal = env.true_states(game).tobytes(), random_choices(env, np.random.default_rng(0))
        for choice in (*np.flatnonzero(~env.masks[game])[::9], -1, env.actions.count, 10**9):
            wrong = legal.copy()
            wrong[game] = choice
            with pytest.raises(IllegalAction, match=f"in game {game}"):
                env.step(wrong)
            assert env.true_states(game).tobytes() == before
