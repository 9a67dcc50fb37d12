"""Names that look like others, and names of which nothing can be seen."""

from __future__ import annotations

import pytest

from whistlestop.names import is_blank, looks_like


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Anna", "anna"),
        ("Anna", "АnnA"),  # a Cyrillic A
        ("Anna", "Αnna"),  # a Greek Alpha
        ("Anna", "Ann\N{CYRILLIC SMALL LETTER A}"),
        ("Zoë", "Zoe"),
        ("Zoe\N{COMBINING DIAERESIS}", "Zoë"),
        ("Anna", "A\N{ZERO WIDTH JOINER}nna"),
        ("Anna", "Anna\N{HANGUL FILLER}"),
        ("Anna", "Anna "),
        ("Bill", "BiIl"),
        ("Bill", "Bi11"),
        ("Ida", "lda"),
        ("Player 1", "Player l"),
        ("Otto", "0tt0"),
        ("Otto", "Ｏｔｔｏ"),
        ("Straße", "STRASSE"),
        ("Łukasz", "Lukasz"),
        ("Chris", "Сhrіѕ"),
    ],
)
def test_names_that_look_alike(name: str, other: str) -> None:
    assert looks_like(name, other)
    assert looks_like(other, name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Anna", "Hanna"),
        ("Lia", "Ila"),
        ("Player 1", "Player 2"),
        ("Anna 2", "Anna 3"),
        ("Иван", "Ivan"),
        ("李", "王"),
        ("🚂", "🚃"),
        ("Jo", "Joe"),
    ],
)
def test_names_that_differ(name: str, other: str) -> None:
    assert not looks_like(name, other)


def test_what_shows_nothing() -> None:
    assert all(
        map(is_blank, (" ", "\u00a0", "\N{ZERO WIDTH JOINER}", "\u3164", "\u2800", "\u0301\u0308", "\u115f \u1160"))
    )
    assert not any(map(is_blank, ("a", "李", "🚂", "é", "!", "0")))
