"""Names at a table: the same are numbered, look-alikes and unseen ones are refused."""

from __future__ import annotations

import pytest

from support.clients import ServerThread, open_table, refusal
from whistlestop.server.seats import BOT_NAMES, Seat, Seats


def test_the_same_name_is_numbered_and_a_look_alike_is_refused(server: ServerThread) -> None:
    host = open_table(server.url, "europe", "me", "open", "open", "open", start=False)
    host.ask("PATCH", "/seats/0", json={"name": "Anna"})
    host.join("Anna")
    assert [seat["name"] for seat in host.data()["seats"]] == ["Anna", "Anna 2", "", ""]
    for name in ("anna", "Аnna", "Ann\N{LATIN SMALL LETTER A WITH ACUTE}", "Anna\N{HANGUL FILLER}"):
        assert host.refused("POST", "/join", json={"name": name}) == (409, "name_taken")
    answer = host.ask("POST", "/join", json={"name": "ANNA"})
    assert answer.json()["message"] == "that name looks like Anna's"
    other = host.join("Bert")
    assert other.refused("PATCH", "/seats/2", json={"name": "anna 2"}) == (409, "name_taken")
    assert host.ask("PATCH", "/seats/0", json={"name": "ANNA"}).status_code == 200  # it is her own name


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u2800", "\u0301", "\N{ZERO WIDTH JOINER}"])
def test_a_name_without_anything_to_see_is_refused(server: ServerThread, name: str) -> None:
    host = open_table(server.url, "europe", "me", "open", start=False)
    assert host.refused("POST", "/join", json={"name": name}) == (422, "bad_name")
    assert refusal(host.ask("PATCH", "/seats/0", json={"name": name})) == (422, "bad_name")


def test_bots_are_not_called_what_a_person_is_called() -> None:
    class Roster:
        def check(self, bot: str) -> None:
            pass

    people = Seats((*(Seat("person", name.lower(), 0) for name in BOT_NAMES[:-1]), Seat("open", "", 1)))
    assert people.with_bot(len(people) - 1, "casual", Roster())[-1].name == BOT_NAMES[-1]  # type: ignore[arg-type]
