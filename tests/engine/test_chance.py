"""The two chance streams: the quick one, and the strong one that nobody can compute from what it gave."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from support.positions import EDITIONS
from whistlestop import Game
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.bits import QUICK, STRONG, below, generator_of
from whistlestop.engine.jit import door
from whistlestop.engine.siphash import siphash
from whistlestop.engine.types import Int, Ints, Rng, States
from whistlestop.game import strong_seed

KEY = bytes(range(16))
"""The key of the published test vectors."""


@door
def hashed(low: Rng, high: Rng, word: Rng) -> Rng:
    """A door to the kernel."""
    return siphash(low, high, word)


@door
def drawn(states: States, n: Int, out: Ints) -> None:
    """Numbers below n from a state's stream."""
    for i in range(len(out)):
        out[i] = below(states[0], n)


def plain_siphash(key: bytes, message: bytes) -> int:
    """SipHash-2-4 of any message, from its definition, on Python's integers."""
    mask = 2**64 - 1
    low, high = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    v = [low ^ 0x736F6D6570736575, high ^ 0x646F72616E646F6D, low ^ 0x6C7967656E657261, high ^ 0x7465646279746573]

    def turn(x: int, by: int) -> int:
        return (x << by | x >> (64 - by)) & mask

    def rounds(n: int) -> None:
        for _ in range(n):
            v[0] = (v[0] + v[1]) & mask
            v[1] = turn(v[1], 13) ^ v[0]
            v[0] = turn(v[0], 32)
            v[2] = (v[2] + v[3]) & mask
            v[3] = turn(v[3], 16) ^ v[2]
            v[0] = (v[0] + v[3]) & mask
            v[3] = turn(v[3], 21) ^ v[0]
            v[2] = (v[2] + v[1]) & mask
            v[1] = turn(v[1], 17) ^ v[2]
            v[2] = turn(v[2], 32)

    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) % 256])
    for start in range(0, len(padded), 8):
        word = int.from_bytes(padded[start : start + 8], "little")
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def test_the_definition_gives_the_published_vectors() -> None:
    """Of the authors' reference code and paper: messages 00, 01, 02 … of 0, 1, 8 and 15 bytes."""
    vectors = {0: "310e0edd47db6f72", 1: "fd67dc93c539f874", 8: "6224939a79f5f593", 15: "e545be4961ca29a1"}
    for length, expected in vectors.items():
        assert plain_siphash(KEY, bytes(range(length))).to_bytes(8, "little").hex() == expected


def test_the_kernel_gives_the_published_vector_of_eight_bytes() -> None:
    low, high = (np.uint64(int.from_bytes(half, "little")) for half in (KEY[:8], KEY[8:]))
    word = np.uint64(int.from_bytes(bytes(range(8)), "little"))
    assert int(hashed(low, high, word)).to_bytes(8, "little").hex() == "6224939a79f5f593"


@pytest.mark.parametrize("seed", range(40))
def test_the_kernel_is_the_definition_on_other_words(seed: int) -> None:
    chance = np.random.default_rng(seed)
    low, high, word = (np.uint64(chance.integers(0, 2**64, dtype=np.uint64)) for _ in range(3))
    key = int(low).to_bytes(8, "little") + int(high).to_bytes(8, "little")
    assert int(hashed(low, high, word)) == plain_siphash(key, int(word).to_bytes(8, "little"))


def state_with(seed: int) -> doors.Array:
    """A state whose stream has given nothing yet."""
    states = np.zeros(1, lay.STATE)
    words = doors.seed_words(seed)
    states["key"][0] = words
    return states


def test_the_strong_stream_is_the_hash_of_a_counter_under_the_seed() -> None:
    seed = 0x0123456789ABCDEF_FEDCBA9876543210
    out = np.zeros(50, np.int64)
    drawn(state_with(seed), 1 << 30, out)
    words = [plain_siphash(seed.to_bytes(16, "little"), i.to_bytes(8, "little")) for i in range(50)]
    assert out.tolist() == [((word & 0xFFFFFFFF ^ word >> 32) << 30) >> 32 for word in words]


@pytest.mark.parametrize("seed", [5, 2**64 + 5])
def test_both_streams_are_even(seed: int) -> None:
    states, out = np.zeros(1, lay.STATE), np.zeros(70_000, np.int64)
    game = Game("usa", 2, seed)
    states[0] = np.frombuffer(game.state_bytes(), lay.STATE)[0]
    drawn(states, 7, out)
    counts = Counter(out.tolist())
    assert set(counts) == set(range(7))
    assert sum((n - 10_000) ** 2 / 10_000 for n in counts.values()) < 30  # chi-squared of 6 degrees: 1 in 25,000


def test_seeds_of_more_than_64_bits_start_the_strong_stream() -> None:
    assert [generator_of(seed) for seed in (0, 2**64 - 1, 2**64, 2**128 - 1)] == [QUICK, QUICK, STRONG, STRONG]
    assert Game("usa", 2, 7).generator == QUICK
    assert Game("usa", 2, 2**64 + 7).generator == STRONG
    assert {generator_of(strong_seed()) for _ in range(100)} == {STRONG}
    assert len({strong_seed() for _ in range(100)}) == 100


def test_every_bit_of_a_strong_seed_counts() -> None:
    base = 1 << 127 | 1 << 64
    setups = {Game("usa", 2, base ^ 1 << i if i not in (64, 127) else base | 1 << 65).setup for i in range(0, 128, 5)}
    assert len(setups) == 26


@pytest.mark.parametrize("edition", EDITIONS)
def test_views_hold_nothing_of_the_strong_stream(edition: str) -> None:
    """Games that differ in their streams alone look the same to everybody."""
    game = Game(edition, 3, strong_seed())
    other = Game(edition, 3, strong_seed())
    state = np.frombuffer(game.state_bytes(), lay.STATE).copy()
    state["key"], state["rng"] = np.frombuffer(other.state_bytes(), lay.STATE)["key"], 99
    other._restore(state.tobytes())
    for viewer in (None, 0, 1, 2):
        assert game.view(viewer).states.tobytes() == other.view(viewer).states.tobytes()
        assert not game.view(viewer).states["key"].any()


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_of_the_strong_stream_is_played_again_from_its_record(edition: str) -> None:
    game = Game(edition, 2, strong_seed())
    for _ in range(60):
        game.play(game.legal()[0])
    again = Game.from_record(game.record())
    assert again.state_bytes() == game.state_bytes()
    assert again.generator == STRONG
    assert f"seed: {game.seed}\n" in game.record()
    assert eval(repr(game)).state_bytes() == game.state_bytes()
