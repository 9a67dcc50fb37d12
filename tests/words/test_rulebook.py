"""The rules page: complete, sorted to editions, in our own words."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from whistlestop import rulebook
from whistlestop.mapfile import MAPS, editions, load_edition, parse_board

IDS = (
    *(f"SETUP-{n}" for n in range(1, 16)),
    *(f"TURN-{n}" for n in range(1, 3)),
    *(f"DRAW-{n}" for n in range(1, 10)),
    *(f"CLAIM-{n}" for n in range(1, 14)),
    "FERRY-1",
    *(f"TUNNEL-{n}" for n in range(1, 7)),
    *(f"TICKET-{n}" for n in range(1, 10)),
    *(f"STATION-{n}" for n in range(1, 7)),
    *(f"PASSENGER-{n}" for n in range(1, 4)),
    *(f"END-{n}" for n in range(1, 8)),
    *(f"RULING-{n}" for n in range(1, 19)),
)
EDITIONS = ("usa", "europe", "europe-1912", "mega-europe", "big-cities", "germany")
EUROPE_BOARDS = EDITIONS[1:5]
SOME = {
    "SETUP-5": ("usa",),
    "SETUP-6": ("europe",),
    "SETUP-7": ("europe-1912",),
    "SETUP-8": ("mega-europe",),
    "SETUP-9": ("big-cities",),
    "SETUP-10": EUROPE_BOARDS,
    "SETUP-11": EUROPE_BOARDS,
    "SETUP-12": ("germany",),
    "SETUP-13": ("germany",),
    "CLAIM-11": ("usa",),
    "CLAIM-12": EUROPE_BOARDS,
    "CLAIM-13": ("germany",),
    "FERRY-1": EUROPE_BOARDS,
    **{f"TUNNEL-{n}": EUROPE_BOARDS for n in range(1, 7)},
    "TICKET-1": ("usa", "europe", "europe-1912", "mega-europe"),
    "TICKET-2": ("big-cities",),
    "TICKET-3": ("germany",),
    "TICKET-9": ("germany",),
    **{f"STATION-{n}": EUROPE_BOARDS for n in range(1, 7)},
    **{f"PASSENGER-{n}": ("germany",) for n in range(1, 4)},
    "END-3": ("usa", *EUROPE_BOARDS),
    "END-4": ("germany",),
    "END-5": ("usa",),
    "END-6": EUROPE_BOARDS,
    "END-7": ("germany",),
    "RULING-6": EUROPE_BOARDS,
    "RULING-9": ("usa", *EUROPE_BOARDS),
    "RULING-11": EUROPE_BOARDS,
    "RULING-12": EUROPE_BOARDS,
    "RULING-13": EUROPE_BOARDS,
    "RULING-14": ("germany",),
    "RULING-15": EUROPE_BOARDS,
    "RULING-16": ("germany",),
}
"""The rules that don't belong to every edition."""
TRADE_MARKS = ("days of wonder", "ticket to ride", "alan r. moon", "asmodee", "meeple", "märklin", "european express")


def test_every_id_stands_once_in_order() -> None:
    assert rulebook.all_ids() == IDS


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_has_the_rules_that_apply_to_it(edition: str) -> None:
    expected = [rule_id for rule_id in IDS if edition in SOME.get(rule_id, EDITIONS)]
    assert [rule.id for rule in rulebook.rules(edition)] == expected


def test_rules_without_edition_are_all_rules() -> None:
    assert [rule.id for rule in rulebook.rules()] == list(IDS)


def test_known_editions_are_those_of_the_map_files() -> None:
    files = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(MAPS.glob("*.toml"))]
    assert sorted(rulebook.known_editions()) == sorted(row["id"] for file in files for row in file["edition"])
    assert rulebook.known_editions() == tuple(edition.id for edition in editions())


def test_what_rules_need_are_features_of_editions() -> None:
    known = {feature for edition in editions() for feature in edition.features} | {"packs"}
    needed = {rule.needs for rule in rulebook.rules() if rule.needs}
    assert needed
    assert needed <= known


def test_unknown_edition_is_refused() -> None:
    with pytest.raises(ValueError, match="no edition 'atlantis'"):
        rulebook.rules("atlantis")


def test_rulings_and_only_rulings_are_ours() -> None:
    assert {rule.id for rule in rulebook.rules() if rule.ours} == {
        rule_id for rule_id in IDS if rule_id.startswith("RULING-")
    }


def test_every_rule_has_words() -> None:
    for rule in rulebook.rules():
        assert rule.title
        assert rule.text.strip() == rule.text
        assert rule.text[-1] in ".?" or rule.id in ("CLAIM-11", "CLAIM-12", "CLAIM-13")
        assert len(rule.text) > 20
    titles = Counter(rule.title for rule in rulebook.rules())
    assert max(titles.values()) == 1


@pytest.mark.parametrize("language", rulebook.LANGUAGES[1:])
def test_every_rule_is_written_in_every_language(language: str) -> None:
    page = tomllib.loads(Path(rulebook.__file__).with_name(f"rules.{language}.toml").read_text("utf-8"))
    assert tuple(page["rule"]) == IDS
    assert tuple(page["chapter"]) == tuple(rulebook.chapters())
    for rule, original in zip(rulebook.rules(language=language), rulebook.rules(), strict=True):
        assert (rule.id, rule.editions, rule.needs, rule.ours) == (
            original.id, original.editions, original.needs, original.ours,
        )  # fmt: skip
        assert rule.text != original.text
        assert rule.text.strip() == rule.text
        # the numbers and the ids that a rule names are the same in every language
        assert sorted(re.findall(r"\d+", rule.text)) == sorted(re.findall(r"\d+", original.text)), rule.id
        assert re.findall(r"`[^`]+`", rule.text) == re.findall(r"`[^`]+`", original.text), rule.id
        assert rule.text.count("\n\n") == original.text.count("\n\n"), rule.id
    titles = Counter(rule.title for rule in rulebook.rules(language=language))
    assert max(titles.values()) == 1
    assert all(len(intro) > 20 for intro in rulebook.chapters(language).values())


def test_another_language_is_refused() -> None:
    with pytest.raises(ValueError, match="not in 'fr'"):
        rulebook.rules(language="fr")


def test_every_chapter_has_an_introduction_and_rules() -> None:
    used = {rule.chapter for rule in rulebook.rules()}
    assert set(rulebook.chapters()) == used
    assert all(len(intro) > 20 for intro in rulebook.chapters().values())


def test_references_lead_to_rules() -> None:
    for rule in rulebook.rules():
        assert set(re.findall(r"`([A-Z]+-\d+)`", rule.text)) <= set(IDS)


def test_no_trade_marks() -> None:
    text = "".join(path.read_text("utf-8") for path in Path(rulebook.__file__).parent.glob("rules*.toml")).lower()
    assert [mark for mark in TRADE_MARKS if mark in text] == []


@pytest.mark.parametrize(("edition", "numbers"), [("usa", "CLAIM-11"), ("europe", "CLAIM-12"), ("germany", "CLAIM-13")])
def test_points_on_the_page_are_those_of_the_board(edition: str, numbers: str) -> None:
    text = next(rule.text for rule in rulebook.rules() if rule.id == numbers)
    printed = {int(a): int(b) for a, b in re.findall(r"(\d+) spaces?: (\d+) points?", text)}
    assert printed == load_edition(edition).board.points


def test_numbers_on_the_page_are_those_of_the_editions() -> None:
    texts = {rule.id: rule.text for rule in rulebook.rules()}
    usa, germany, europe = load_edition("usa"), load_edition("germany"), load_edition("europe")
    assert f"{usa.trains} trains" in texts["SETUP-2"]
    assert f"{8 * usa.cards_each + usa.locomotives} cards" in texts["SETUP-3"]
    assert f"{len(usa.decks[0].tickets)} tickets" in texts["SETUP-5"]
    assert f"{usa.longest_path} points" in texts["END-3"]
    assert f"{germany.globetrotter} points" in texts["END-4"]
    assert f"{europe.station_points} points" in texts["STATION-6"]
    assert "{} points, the runner-up {}".format(*germany.passenger_points) in texts["PASSENGER-3"]


def test_rules_of_a_shipped_edition_are_its_own() -> None:
    assert rulebook.rules_of(load_edition("germany")) == rulebook.rules("germany")


def test_rules_of_somebody_elses_board_follow_from_what_it_has() -> None:
    text = (Path(rulebook.__file__).parent / "maps" / "germany.toml").read_text("utf-8")
    edition = parse_board(text).editions[0]
    ids = [rule.id for rule in rulebook.rules_of(edition)]
    assert {"DRAW-7", "PASSENGER-1", "TICKET-9", "END-4", "RULING-14", "BOARD-3"} <= set(ids)
    assert not {"STATION-1", "TUNNEL-1", "FERRY-1", "END-3", "SETUP-5", "SETUP-12", "CLAIM-13"} & set(ids)
    own = {rule.id: rule.text for rule in rulebook.rules_of(edition) if rule.id.startswith("BOARD-")}
    assert "7 spaces: 18 points" in own["BOARD-3"]
    assert "Globetrotter: 15 points" in own["BOARD-5"]
    assert "2 to 5 players, with 45 trains" in own["BOARD-1"]
    german = {rule.id: rule.text for rule in rulebook.rules_of(edition, "de") if rule.id.startswith("BOARD-")}
    assert set(german) == set(own)
    assert "7 Felder: 18 Punkte" in german["BOARD-3"]
    assert all(re.findall(r"\d+", german[rule_id]) == re.findall(r"\d+", text) for rule_id, text in own.items())


def test_a_rule_as_data() -> None:
    rule = rulebook.rules("usa")[0]
    assert rule.json() == {
        "id": "SETUP-1",
        "chapter": "Setting up",
        "title": rule.title,
        "text": rule.text,
        "editions": list(EDITIONS),
        "ours": False,
    }
