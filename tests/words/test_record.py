"""Records: written, read, damaged, outliving the generator; and the kept ones, replayed.

`python tests/words/test_record.py --write` writes the kept records and their results anew.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1]))  # for `python tests/words/test_record.py --write`

from support.games import ALL, DATA, EDITIONS, GOOD_NAMES, PACK, PLAYERS, VALLEY, check_result, choose, played, wander
from whistlestop import Game, RecordError, Result, load_edition
from whistlestop.engine import layout as lay
from whistlestop.engine.bits import QUICK
from whistlestop.engine.rules import RULES_VERSION
from whistlestop.mapfile import Edition, digest, parse_board

RECORDS = DATA / "records"
RESULTS = RECORDS / "results.json"
HAMLET = RECORDS / "hamlet.toml"
KEPT = {f"{edition}-{players}": (edition, players) for edition, players in ALL}
PASSED = "hamlet-2"
"""The record of a game that ends because all pass."""


def same(one: Game, two: Game) -> None:
    """Two games that are the same in everything that can be told of them."""
    assert two.state_bytes() == one.state_bytes()
    assert two.history == one.history
    assert (two.setup, two.names, two.seed, two.first_set, two.first) == (
        one.setup,
        one.names,
        one.seed,
        one.first_set,
        one.first,
    )
    assert two.edition == one.edition
    assert two.record() == one.record()


def but_chance(game: Game) -> bytes:
    """The state without the chance stream, which written outcomes leave where it is."""
    states = game._states.copy()
    states["rng"] = 0
    return states.tobytes()


def error(text: str | bytes, edition: str | Path | Edition | None = None) -> str:
    """Why a record is refused; it is always a RecordError that names a line."""
    with pytest.raises(RecordError) as caught:
        Game.from_record(text, edition)
    assert re.match(r"record line [0-9]+: .+", str(caught.value))
    hint = caught.value.hint
    return f"{caught.value}\nhint: {hint}" if hint else str(caught.value)


def foreign(text: str, name: str = "dice-1") -> str:
    """The same record, said to come from another generator."""
    return text.replace(f"generator: {QUICK}\n", f"generator: {name}\n")


# ---- there and back -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("edition", "players"), ALL)
def test_whole_games_come_back(edition: str, players: int) -> None:
    game = Game(edition, players, seed=21)
    phases: set[str] = set()
    for _ in wander(game, 21):
        if game.phase not in phases or len(game.history) % 50 == 0:  # also in progress, once in every phase
            phases.add(game.phase)
            same(game, Game.from_record(game.record()))
    assert phases >= {"first_tickets", "turn", "second_card", "tickets"}
    assert game.over
    same(game, Game.from_record(game.record()))
    assert Game.from_record(game.record()).result() == game.result()
    check_result(game)


@pytest.mark.parametrize("first", [None, 0, 2])
def test_first_player_and_names_come_back(first: int | None) -> None:
    for start in range(0, len(GOOD_NAMES) - 2, 3):
        game = played("usa", 3, 5, 20, first=first, names=GOOD_NAMES[start : start + 3])
        assert f"first: {game.first + 1} {'drawn' if first is None else 'set'}\n" in game.record()
        same(game, Game.from_record(game.record()))


@pytest.mark.rule("SETUP-14")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_record_keeps_who_has_chosen(edition: str) -> None:
    game = Game(edition, 4, seed=2)
    rng = random.Random(2)
    while game.phase in ("announce", "first_tickets"):
        player = rng.choice(game.to_move)
        game.play(choose(game.legal(player), rng), player)
        again = Game.from_record(game.record())
        assert again.to_move == game.to_move
        assert [p.chosen for p in again.view(None).players] == [p.chosen for p in game.view(None).players]
        same(game, again)


def test_packs_are_in_the_record(tmp_path: Path) -> None:
    pack = tmp_path / "pack.toml"
    pack.write_text(PACK, "utf-8")
    for edition in ("europe", "europe-1912"):
        game = played(edition, 3, 3, 60, packs=[pack])
        text = game.record()
        assert "Cadiz" in next(line for line in text.splitlines() if line.startswith("pack: "))
        again = Game.from_record(text)
        same(game, again)
        pack.rename(pack.with_suffix(".gone"))
        same(game, Game.from_record(text))
        same(game, Game.from_record(text, load_edition(edition, [pack.with_suffix(".gone")])))
        same(game, Game.from_record(text, edition=edition))
        pack.with_suffix(".gone").rename(pack)


def test_boards_by_path(tmp_path: Path) -> None:
    for name in (str(VALLEY), f"{VALLEY}:mixed"):
        for seed in range(4):
            game = played(name, 2, seed)
            same(game, Game.from_record(game.record()))
    moved = tmp_path / "moved.toml"
    moved.write_text(VALLEY.read_text("utf-8"), "utf-8")
    game = played(moved, 2, 3, 12)
    text = game.record()
    moved.rename(tmp_path / "elsewhere.toml")
    assert "Game.from_record(text, edition=…)" in error(text)
    again = Game.from_record(text, edition=tmp_path / "elsewhere.toml")
    assert again.state_bytes() == game.state_bytes()
    assert f"edition: {tmp_path / 'elsewhere.toml'}\n" in again.record()
    parsed = parse_board(VALLEY.read_text("utf-8")).editions[0]
    assert Game.from_record(text, edition=parsed).state_bytes() == game.state_bytes()
    assert Game(parsed, 2, 3).record().splitlines()[1] == "edition: valley"


def test_spelling_in_a_record_may_be_plain() -> None:
    game = played("europe", 3, 4, 60)
    plain = game.record().replace("–", "-").replace("ü", "u")
    plain = re.sub(r"\nmoves: .*", "", plain)
    same(game, Game.from_record(plain))
    same(game, Game.from_record("\ufeff" + game.record()))
    same(game, Game.from_record(game.record().replace("\n", "\r\n")))
    same(
        game, Game.from_record(re.sub(r"(?m)^(?!player )(.+)$", r"\1  ", game.record()))
    )  # a name keeps the spaces at its end
    same(game, Game.from_record(game.record() + "\n\n"))
    same(game, Game.from_record(game.record().encode()))
    nameless = "\n".join(line for line in game.record().splitlines() if not line.startswith("player "))
    same(game, Game.from_record(nameless))


def test_records_can_be_read_by_people() -> None:
    text = played("europe", 2, 7, names=["Ann", "Bob"]).record()
    head, _, moves = text.partition("\n\n")
    assert head.startswith("whistlestop record 1\nedition: europe\nboard: ")
    for line in (
        "players: 2",
        "player 1: Ann",
        "player 2: Bob",
        "seed: 7",
        f"rules: {RULES_VERSION}",
        f"generator: {QUICK}",
    ):
        assert line in head.splitlines()
    for number, line in enumerate(moves.splitlines(), 1):
        assert re.fullmatch(rf"{number}\. P[12]: [a-z].*", line)
    assert max(map(len, text.splitlines())) < 1000


# ---- other generators -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("edition", "players"), ALL)
def test_records_outlive_the_generator(edition: str, players: int) -> None:
    game = played(edition, players, 12)
    text = foreign(game.record())
    for altered in (text, re.sub(r"\nseed: .*", "\nseed: 999", text)):
        again = Game.from_record(altered)
        assert but_chance(again) == but_chance(game)
        assert again.history == game.history
        assert again.result() == game.result()
        assert again.record() == altered
        assert eval(repr(again)).record() == altered


def test_a_game_of_another_generator_can_be_continued() -> None:
    again = Game.from_record(foreign(played("europe", 3, 4, 30).record()))
    for _ in wander(again, 3):
        pass
    assert again.over
    third = Game.from_record(again.record())
    assert third.history == again.history
    assert but_chance(third) == but_chance(again)


def test_a_game_with_written_outcomes_is_recorded_as_such() -> None:
    game = played("usa", 2, 3, 5)
    while game.phase != "turn":
        game.play(game.legal()[0])
    kind = lay.LOCO if game.view(None).deck else 0
    game.play("draw blind", outcome=[kind])
    assert "generator: written\n" in game.record()
    assert but_chance(Game.from_record(game.record())) == but_chance(game)


def test_impossible_outcomes_of_another_generator_name_the_line() -> None:
    text = foreign(played("usa", 2, 3, 60).record())
    lines = text.splitlines()
    number, line = next((i, line) for i, line in enumerate(lines, 1) if "draw blind -> " in line)
    for outcome in ("", "red red red red red red red", "red " * 20):
        broken = [*lines[: number - 1], f"{line.partition(' -> ')[0]} -> {outcome}", *lines[number:]]
        assert error("\n".join(broken)).startswith(f"record line {number}: ")
    for key, value in (
        ("tickets", "0"),
        ("tickets", "99 " * 29),
        ("cards", "red"),
        ("cards", "red " * 13),
        ("first", "9 drawn"),
        ("cards", ""),
    ):
        error(re.sub(rf"\n{key}: .*", f"\n{key}: {value}", text))
    error(re.sub(r"\ntickets: \d+", f"\ntickets: {10**18}", text))
    error(re.sub(r"\ntickets: \d+", f"\ntickets: {10**15}", text))


# ---- damage ---------------------------------------------------------------------------------------------------------
@cache
def sample() -> str:
    """A short record with all kinds of header lines but packs."""
    game = played("germany", 3, 5, 70, names=["Ann", "Bob", "Cem"])
    return game.record()


def line_of(start: str) -> int:
    return next(i for i, line in enumerate(sample().splitlines(), 1) if line.startswith(start))


def changed(start: str, new: str | None) -> str:
    """The sample with the line that begins so replaced, or without it."""
    lines = sample().splitlines()
    lines[line_of(start) - 1 : line_of(start)] = [] if new is None else new.split("\n")
    return "\n".join(lines) + "\n"


HEADER = ("edition", "board", "players", "seed", "rules", "generator", "first", "tickets", "cards", "passengers")


@pytest.mark.parametrize("key", HEADER)
def test_a_missing_header_line_is_named(key: str) -> None:
    assert f"`{key}:`" in error(changed(f"{key}:", None))


@pytest.mark.parametrize("key", [*HEADER, "player 1", "moves"])
def test_a_doubled_header_line_is_named(key: str) -> None:
    line = sample().splitlines()[line_of(f"{key}:") - 1]
    found = error(changed(f"{key}:", f"{line}\n{line}"))
    assert found.startswith(f"record line {line_of(f'{key}:') + 1}: {key!r} stands here a second time")


@pytest.mark.parametrize(
    ("start", "new", "reason"),
    [
        (
            "whistlestop",
            "whistlestop record 2",
            "this is a 'whistlestop record 2', this version reads 'whistlestop record 1'",
        ),
        ("whistlestop", "a poem", "not a record: the first line must be 'whistlestop record 1'"),
        ("edition:", "edition: germny", "unknown edition"),
        ("edition:", "edition: /nowhere/x.toml", "cannot be read"),
        ("edition:", "edition: " + "x/" * 5000, "is no edition"),
        ("edition:", "edition: a\0b.toml", "cannot be read"),
        ("edition:", "edition: /", "cannot be read"),
        ("edition:", "edition:", "unknown edition"),
        ("edition:", "edition: usa", "played on another version of USA"),
        ("board:", "board: 0123456789abcdef", "played on another version of Germany"),
        ("players:", "players: 6", "Germany is for 2 to 5 players, not 6"),
        ("players:", "players: two", "'two' is not a whole number"),
        ("players:", "players: ٣", "'٣' is not a whole number"),
        ("players:", "players: 2", "there is no player 3: 2 play"),
        ("players:", "players: 4", "the header has no `player 4:`"),
        ("player 2:", None, "the header has no `player 2:`"),
        ("player 2:", "player 9: Bob", "there is no player 9: 3 play"),
        ("player 2:", "player two: Bob", "unknown key 'player two'"),
        ("player 2:", "player 2: " + "x" * 10**6, "a player's name is 1 to 80 characters on one line, not 'xxx"),
        ("player 2:", "player 2: ", "a player's name is"),
        ("seed:", "seed: 6", "this seed gives another setup than the one written here"),
        ("seed:", "seed: -1", "'-1' is not a whole number"),
        ("seed:", f"seed: {2**128}", "is not a whole number of a sensible size"),
        ("seed:", "seed: " + "9" * 10**6, "is not a whole number"),
        ("rules:", f"rules: {RULES_VERSION + 1}", f"played by version {RULES_VERSION + 1} of the rules"),
        ("first:", "first: 4 drawn", "'4 drawn' is no first player"),
        ("first:", "first: 0 drawn", "'0 drawn' is no first player"),
        ("first:", "first: 1", "'1' is no first player"),
        ("first:", "first: 1 chosen", "'1 chosen' is no first player"),
        ("tickets:", "tickets: 1 2 x", "'x' is not a whole number"),
        ("cards:", "cards: red mauve", "'mauve' is none of purple"),
        ("cards:", "cards: " + "red " * 10**5, "this seed gives another setup"),
        ("passengers:", "passengers: pink", "'pink' is none of"),
        ("moves:", "moves: 71", "the record ends after move 70, it says that it has 71"),
        ("moves:", "moves: x", "'x' is not a whole number"),
        ("moves:", "moves: 70\nmood: good", "unknown key 'mood'"),
        ("moves:", "moves: 70\njust words", "'just words' is no header line"),
        ("moves:", "moves: 70\npack: [", "the pack is not JSON"),
        ("moves:", "moves: 70\npack: " + "[" * 10**5, "the pack is not JSON"),
        ("moves:", "moves: 70\npack: []", "a pack is a JSON object"),
        ("moves:", "moves: 70\npack: {}", "pack"),
        ("moves:", 'moves: 70\npack: {"name": "x", "tickets": [{"from": "Berlin", "to": "Oz", "points": 3}]}', "Oz"),
        ("moves:", 'moves: 70\npack: {"name": "x", "tickets": 5}', "pack"),
        ("moves:", 'moves: 70\npack: {"name": 5, "tickets": []}', "pack"),
        ("12.", None, "move 13 stands where move 12 belongs"),
        ("12.", "12. P1: draw blind\n12. P1: draw blind", ""),
        ("12.", "13. P1: draw blind", "move 13 stands where move 12 belongs"),
        ("12.", "12. P4: draw blind", "there is no player P4, 3 play"),
        ("12.", "12. P0: draw blind", "there is no player P0, 3 play"),
        ("12.", "12. Ann: draw blind", "is no move"),
        ("12.", "12 P1: draw blind", "is no move"),
        ("12.", "what?", "'what?' is no move"),
        ("12.", "12. P1: fly to the moon", ""),
        ("12.", "12. P1: " + "x" * 10**6, ""),
        ("12.", "\0\x01\x02", "is no move"),
    ],
)
def test_damage_is_named_with_its_line(start: str, new: str | None, reason: str) -> None:
    began = time.perf_counter()
    found = error(changed(start, new))
    assert reason in found
    number = int(found.split(":")[0].removeprefix("record line "))
    if start not in ("moves:", "edition:", "players:", "player 2:", "12."):
        assert number == (line_of("seed:") if "this seed gives" in reason else line_of(start))
    if start == "12.":
        assert line_of(start) <= number <= line_of(start) + 1
    assert len(found) < 1500
    assert time.perf_counter() - began < 20


@pytest.mark.parametrize(
    "text", ["", "\n", "\n\n\n", "hello", "\0" * 1000, "whistlestop record 1", "whistlestop record 1\n\n1. P1: pass\n"]
)
def test_what_is_no_record(text: str) -> None:
    error(text)


def test_binary_files_are_refused() -> None:
    assert error(b"\x89PNG\r\n\x1a\n\0\0").startswith("record line 1: not UTF-8 text: byte 0x89")
    assert error(sample().encode()[:200] + b"\xff\xfe" + sample().encode()[200:]).startswith("record line ")
    rng = random.Random(1)
    for _ in range(50):
        error(rng.randbytes(300))
        error("".join(chr(rng.randrange(0x110000)) for _ in range(100)))
    wrong: Any = 5
    with pytest.raises(TypeError, match="a record is text, not int"):
        Game.from_record(wrong)


def test_any_changed_card_is_found() -> None:
    lines = sample().splitlines()
    tried = 0
    for i, line in enumerate(lines):
        head, arrow, outcome = line.partition(" -> ")
        words = outcome.split()
        if not arrow or words[0].isdigit():
            continue
        for new in (["red", *words[1:]] if words[0] != "red" else ["blue", *words[1:]], words[1:], [*words, "red"]):
            broken = [*lines[:i], f"{head} -> {' '.join(new)}".removesuffix(" -> "), *lines[i + 1 :]]
            assert error("\n".join(broken)).startswith(f"record line {i + 1}: chance gave ")
            tried += 1
    assert tried > 30


def test_any_changed_action_is_found_or_plays_another_game() -> None:
    lines = sample().splitlines()
    for i in range(line_of("1."), len(lines)):
        other = re.sub(r": .*", ": draw tickets: 2 long, 2 short", lines[i], count=1)
        if other.partition(" -> ")[0] != lines[i].partition(" -> ")[0]:
            number = int(
                error("\n".join([*lines[:i], other, *lines[i + 1 :]])).split(":")[0].removeprefix("record line ")
            )
            assert number >= i + 1


def test_a_cut_off_record_is_refused_wherever_it_is_cut() -> None:
    text = sample()
    for end in [*range(0, 400, 7), *range(400, len(text) - 1, 97), len(text) - 2]:
        error(text[:end])
    same(Game.from_record(text), Game.from_record(text[:-1]))


@settings(max_examples=400, deadline=None)
@given(
    where=st.floats(0, 1, exclude_max=True),
    how=st.sampled_from(("cut", "change", "add", "swap", "double")),
    new=st.one_of(st.characters(), st.sampled_from(" \n:;.->P0123456789abcdefghijklmnopqrstuvwxyz–")),
)
def test_one_wrong_character_is_found_or_harmless(where: float, how: str, new: str) -> None:
    text = short()
    i = int(where * len(text))
    pieces = {
        "cut": text[:i] + text[i + 1 :],
        "change": text[:i] + new + text[i + 1 :],
        "add": text[:i] + new + text[i:],
        "swap": text[:i] + text[i : i + 2][::-1] + text[i + 2 :],
        "double": text[:i] + text[i : i + 1] * 2 + text[i + 1 :],
    }
    try:
        again = Game.from_record(pieces[how])
    except RecordError as refused:
        found = str(refused)
        if not re.match(r"record line [0-9]+: .+", found):
            raise AssertionError(found) from refused
        return
    whole = Game.from_record(text)
    assert but_chance(again) == but_chance(whole)
    assert [(move.player, move.action, move.outcome) for move in again.history] == [
        (m.player, m.action, m.outcome) for m in whole.history
    ]


@cache
def short() -> str:
    return played("europe", 2, 6, 40, names=["Ann", "Bob"]).record()


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 200), st.sampled_from(("drop", "double", "move")), st.integers(0, 200)),
        min_size=1,
        max_size=3,
    )
)
def test_lines_in_disorder_are_found_or_harmless(steps: list[tuple[int, str, int]]) -> None:
    lines = short().splitlines()
    for i, how, j in steps:
        line = lines.pop(i % len(lines))
        if how != "drop":
            lines.insert(j % len(lines), line)
        if how == "double":
            lines.insert(i % len(lines), line)
    try:
        again = Game.from_record("\n".join(lines))
    except RecordError:
        return
    assert but_chance(again) == but_chance(Game.from_record(short()))


def test_nothing_is_half_loaded() -> None:
    game = played("usa", 2, 3, 20)
    before = game.record()
    error(before + "21. P1: fly\n")
    assert game.record() == before


# ---- kept records ---------------------------------------------------------------------------------------------------
def kept_game(name: str) -> Game:
    """The game whose record is kept under a name: random play from a fixed seed."""
    edition, players = KEPT.get(name, (HAMLET, 2))
    seed = 1912
    game = Game(edition, players, seed, names=["Ann", "Bob", "Cem", "Dee", "Eva"][:players])
    for _ in wander(game, seed):
        pass
    return game


def summary(result: Result) -> dict[str, Any]:
    """What of a result is kept."""
    data = result.json()
    for player in data["players"]:
        for part in ("completed", "failed"):
            player[part] = [f"{t['from']}–{t['to']} ({t['points']})" for t in player[part]]
    return data


def written(record: str) -> str:
    """A record without what differs between versions of the engine, and without the place of its map file."""
    return re.sub(r"(?m)^(engine|edition): .*\n", "", record)


def write_kept() -> None:
    """Write all kept records and results."""
    results = {}
    for name in (*KEPT, PASSED):
        game = kept_game(name)
        record = game.record().replace(str(HAMLET), HAMLET.name)
        (RECORDS / f"{name}.txt").write_text(record, "utf-8")
        results[name] = summary(game.result())
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")


@cache
def results() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RESULTS.read_text("utf-8"))
    return found


@pytest.mark.parametrize("name", [*KEPT, PASSED])
def test_kept_record_is_replayed(name: str) -> None:
    text = (RECORDS / f"{name}.txt").read_text("utf-8")
    game = Game.from_record(text, HAMLET if name == PASSED else None)
    assert game.over
    assert not game.status()
    assert summary(check_result(game)) == results()[name]
    assert written(game.record()) == written(text)
    assert text.splitlines()[2] == f"board: {digest(game.edition)}"
    if game.generator == QUICK:  # the same seed still gives the same game
        assert written(foreign(text)) == written(
            Game.from_record(foreign(text), HAMLET if name == PASSED else None).record()
        )


@pytest.mark.rule("RULING-1")
def test_when_all_have_passed_the_game_is_over() -> None:
    game = Game.from_record((RECORDS / f"{PASSED}.txt").read_text("utf-8"), HAMLET)
    assert [move.action.text for move in game.history[-2:]] == ["pass", "pass"]
    assert game.history[-1].player != game.history[-2].player
    assert game.result().ended_by == "all passed"
    game.undo()
    assert [action.text for action in game.legal()] == ["pass"]


def test_no_kept_record_is_missing_and_none_is_too_many() -> None:
    names = {path.stem for path in RECORDS.glob("*.txt")}
    assert names == {*KEPT, PASSED} == set(results())
    assert len(KEPT) == len(EDITIONS) * len(PLAYERS) == 24
    assert {result["ended_by"] for result in results().values()} == {"trains ran out", "all passed"}


def test_kept_records_use_every_kind_of_action() -> None:
    texts = "".join(path.read_text("utf-8") for path in RECORDS.glob("*.txt"))
    for words in (
        "claim",
        "build station",
        "draw blind",
        "draw locomotive",
        "draw tickets",
        "keep",
        "pay",
        "give up",
        "announce",
        "take no",
        "pass",
    ):
        assert re.search(rf"(?m)^\d+\. P\d: {words}", texts), words


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python tests/words/test_record.py --write")
    write_kept()
