"""Errors: one family, with the hint as a field of its own."""

from __future__ import annotations

import copy
import pickle
import re
import traceback
from pathlib import Path

import pytest

import whistlestop
from whistlestop import Game, WhistlestopError, errors

FAMILY = (
    errors.IllegalAction,
    errors.ImpossibleOutcome,
    errors.InvalidNotation,
    errors.MapError,
    errors.RecordError,
    errors.StaleDraft,
    errors.WhistlestopError,
)


@pytest.mark.parametrize("kind", FAMILY)
def test_message_and_hint_are_apart(kind: type[WhistlestopError]) -> None:
    error = kind("no such thing", "try another")
    assert isinstance(error, WhistlestopError)
    assert isinstance(error, ValueError)
    assert (str(error), error.message, error.hint) == ("no such thing", "no such thing", "try another")
    assert "hint: try another" in "".join(traceback.format_exception(error))
    plain = kind("no such thing", "")
    assert plain.hint is None
    assert "hint" not in "".join(traceback.format_exception(plain))
    assert getattr(whistlestop, kind.__name__) is kind


@pytest.mark.parametrize("kind", FAMILY)
@pytest.mark.parametrize("hint", [None, "try another"])
def test_errors_can_be_copied_and_pickled(kind: type[WhistlestopError], hint: str | None) -> None:
    error = kind("no such thing", hint)
    for twin in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert type(twin) is kind
        assert (str(twin), twin.message, twin.hint) == (str(error), error.message, hint)
        assert getattr(twin, "__notes__", []) == getattr(error, "__notes__", [])


def test_errors_of_a_game_have_hints() -> None:
    with pytest.raises(errors.InvalidNotation) as caught:
        Game("usa", seed=1).play("drow blind")
    assert (caught.value.message, caught.value.hint) == ("'drow blind' is no action", "did you mean draw?")
    with pytest.raises(errors.MapError) as unknown:
        Game("eurpe")
    assert unknown.value.message == "unknown edition `eurpe`"
    assert (unknown.value.hint or "").startswith("did you mean `europe`?")


def test_no_hint_is_written_into_a_message() -> None:
    package = Path(errors.__file__).parent
    sources = [path for path in package.rglob("*.py") if path.name != "errors.py"]
    joined = [path for path in sources if re.search(r"""(?:\\n|["'])hint: """, path.read_text("utf-8"))]
    assert len(sources) > 50
    assert not joined
