"""Reads the editions of a map file (decks, deals, rules), and adds ticket packs to them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from whistlestop.errors import MapError
from whistlestop.mapfile.board import PlaceNames, read_ticket
from whistlestop.mapfile.model import (
    CARD_COLOURS,
    FACE_UP,
    MAX_CARDS,
    MAX_FILE_EDITIONS,
    MAX_OFFER,
    MAX_PLAYERS,
    MAX_POINTS,
    MAX_SUMMARY_LENGTH,
    MAX_TICKETS,
    MIN_PLAYERS,
    RETURNED,
    TIE_BREAKS,
    Board,
    Deal,
    Deck,
    Edition,
    Ticket,
)
from whistlestop.mapfile.tomltable import (
    DEAL_KEYS,
    DECK_KEYS,
    EDITION_KEYS,
    PACK_KEYS,
    PACK_TICKET_KEYS,
    RULE_RANGES,
    TomlTable,
    map_error,
    unknown_word,
)


def read_editions(top: TomlTable, board: Board) -> tuple[Edition, ...]:
    """All editions of a map file."""
    if "edition" not in top:
        raise map_error(top.place, "has no edition, so it can't be played", "add an [[edition]] table at the end")
    found: dict[str, Edition] = {}
    for row in top.rows("edition", "edition", EDITION_KEYS, 1, MAX_FILE_EDITIONS):
        identity = row.slug("id")
        if identity in found:
            raise map_error(row.place, f"the id `{identity}` is taken already")
        row.place = f"{top.place}: edition `{identity}`"
        found[identity] = _edition(row, board)
    return tuple(found.values())


def _edition(row: TomlTable, board: Board) -> Edition:
    rules: dict[str, Any] = {key: row.whole(key, *limits) for key, limits in RULE_RANGES.items() if key in row}
    if "players" in row:
        rules["players"] = row.whole_pair("players", MIN_PLAYERS, MAX_PLAYERS)
    if "passenger_points" in row:
        rules["passenger_points"] = row.whole_pair("passenger_points", 0, MAX_POINTS)
    if "tie_breaks" in row:
        rules["tie_breaks"] = row.texts("tie_breaks")
    decks = _decks(row, board)
    edition = Edition(
        id=row.slug("id"),
        name=row.text("name"),
        summary=row.text("summary", MAX_SUMMARY_LENGTH),
        board=board,
        decks=decks,
        first_tickets=_deals(row, decks),
        ticket_backs_differ=row.flag("ticket_backs_differ"),
        **rules,
    )
    _check_decks(edition, row.place)
    _check_deals(edition, row.place)
    _check_rules(edition, row.place)
    _check_tie_breaks(edition, row.place)
    return edition


def _decks(row: TomlTable, board: Board) -> tuple[Deck, ...]:
    decks = []
    for deck in row.rows("decks", "deck", DECK_KEYS, 1, 2):
        kinds = _filter(deck, "kind", "ticket kind", {ticket.kind for ticket in board.tickets})
        sets = _filter(deck, "set", "ticket set", {ticket.set for ticket in board.tickets})
        marks = {deck.flag("big_city")} if "big_city" in deck else {True, False}
        tickets = tuple(t for t in board.tickets if t.kind in kinds and t.set in sets and t.big_city in marks)
        if not tickets:
            raise map_error(deck.place, "no ticket of the board fits this deck")
        decks.append(Deck(deck.slug("name"), tickets, deck.flag("leaves")))
    if len({deck.name for deck in decks}) < len(decks):  # before the deals, which name the decks
        raise map_error(row.place, f"both decks are called `{decks[0].name}`")
    return tuple(decks)


def _filter(deck: TomlTable, key: str, what: str, known: set[str]) -> set[str]:
    """The wanted values of a ticket's `key`; all of them where the deck does not say."""
    if key not in deck:
        return known
    wanted = set(deck.texts(key))
    for word in sorted(wanted - known):
        raise unknown_word(deck.place, what, word, sorted(known))
    return wanted


def _check_decks(edition: Edition, place: str) -> None:
    first = edition.decks[0]
    if first.leaves:
        raise map_error(
            place,
            f"the first deck, `{first.name}`, can't leave the game: it is the one that is drawn from",
            "put it second",
        )
    if edition.ticket_backs_differ and len(edition.decks) < 2:
        raise map_error(place, "`ticket_backs_differ` needs two decks")
    _check_tickets(edition, place)


def _check_tickets(edition: Edition, place: str) -> None:
    """No ticket is twice in the decks, and all of them fit."""
    seen = set()
    for deck in edition.decks:
        for ticket in deck.tickets:
            ends = frozenset((ticket.a, ticket.b))
            if ends in seen:
                raise map_error(place, f"the ticket `{ticket.a}`–`{ticket.b}` is in the decks twice")
            seen.add(ends)
    if len(seen) > MAX_TICKETS:
        raise map_error(place, f"{len(seen)} tickets in the decks, at most {MAX_TICKETS} fit")


def _deals(row: TomlTable, decks: Sequence[Deck]) -> tuple[Deal, ...]:
    rows = row.rows("first_tickets", "first_tickets", DEAL_KEYS, 1, 2)
    return tuple(_deal(deal, decks, first=deal is rows[0]) for deal in rows)


def _deal(row: TomlTable, decks: Sequence[Deck], *, first: bool) -> Deal:
    counts = _counts(row, decks)
    total = sum(counts)
    announce = row.flag("announce")
    if not 1 <= total <= MAX_OFFER:
        raise map_error(row.place, f"deals {total} tickets, it must be 1 to {MAX_OFFER}")
    if announce and (len(decks) < 2 or decks[1].leaves):
        raise map_error(row.place, "`announce` needs two decks that stay in the game")
    if announce and isinstance(row.need("deal"), dict):
        raise map_error(row.place, "with `announce` the player chooses the mix, so `deal` is one number: the total")
    if first and "keep_least_otherwise" in row:
        raise map_error(row.place, "`keep_least_otherwise` looks back at the step before, and the first step has none")
    most = row.whole("keep_most", 0, total, total)
    least = _keep(row, "keep_least", most)
    otherwise = _keep(row, "keep_least_otherwise", most) if "keep_least_otherwise" in row else least
    return Deal(
        counts, least, most, otherwise, row.choice("returned", "place for returned tickets", RETURNED), announce
    )


def _keep(row: TomlTable, key: str, most: int) -> int:
    least = row.whole(key, 0, MAX_OFFER)
    if least > most:
        raise map_error(row.place, f"`{key}` is {least}, but at most {most} can be kept")
    return least


def _counts(row: TomlTable, decks: Sequence[Deck]) -> tuple[int, int]:
    """`deal = 3` is three from the first deck; `deal = { regular = 3, long = 1 }` names the decks."""
    if not isinstance(row.need("deal"), dict):
        return row.whole("deal", 1, MAX_OFFER), 0
    names = [deck.name for deck in decks]
    table = row.table("deal")
    for name in table:
        if name not in names:
            raise unknown_word(row.place, "deck", name, names)
    deal = TomlTable(f"{row.place}: deal", table, names)
    counts = [deal.whole(name, 0, MAX_OFFER, 0) for name in names]
    return counts[0], counts[1] if len(counts) > 1 else 0


def _check_deals(edition: Edition, place: str) -> None:
    """Every deck has enough for the setup of a full table, whatever mix is announced."""
    players = edition.players[1]
    for index, deck in enumerate(edition.decks):
        each = sum(deal.counts[0] if deal.announce else deal.counts[index] for deal in edition.first_tickets)
        if each * players > len(deck.tickets):
            reason = f"deck `{deck.name}` has {len(deck.tickets)} tickets, {players} players are dealt {each} each"
            raise map_error(place, reason, f"deal fewer, or set players = [{edition.players[0]}, …]")


def _check_rules(edition: Edition, place: str) -> None:
    low, high = edition.players
    if low > high:
        raise map_error(place, f"`players` goes from {low} down to {high}")
    if edition.draw_keep_least > edition.draw_count:
        raise map_error(
            place, f"`draw_keep_least` is {edition.draw_keep_least}, but only {edition.draw_count} tickets are drawn"
        )
    if edition.last_round_trains >= edition.trains:
        raise map_error(
            place,
            f"`last_round_trains` is {edition.last_round_trains}, it must be less than the {edition.trains} trains",
        )
    cards = len(CARD_COLOURS) * edition.cards_each + edition.locomotives
    need = high * edition.hand + FACE_UP
    if not need <= cards <= MAX_CARDS:
        reason = f"{cards} cards ({len(CARD_COLOURS)} × {edition.cards_each} and {edition.locomotives} locomotives)"
        raise map_error(place, f"{reason}, it must be between {need} (hands and face-up cards) and {MAX_CARDS}")
    if any(edition.passenger_points) and not edition.board.passenger_colours:
        raise map_error(
            place, "`passenger_points` without passengers on the board", "add `passenger_colours` to the board"
        )


def _check_tie_breaks(edition: Edition, place: str) -> None:
    needs = {
        "stations": edition.stations,
        "path": edition.longest_path,
        "passengers": len(edition.board.passenger_colours),
    }
    for number, word in enumerate(edition.tie_breaks):
        if word not in TIE_BREAKS:
            raise unknown_word(place, "tie-break", word, TIE_BREAKS)
        if word in edition.tie_breaks[:number]:
            raise map_error(place, f"tie-break `{word}` is listed twice")
        if not needs.get(word, 1):
            key = {"path": "longest_path", "passengers": "passenger_colours"}.get(word, word)
            raise map_error(place, f"tie-break `{word}` can decide nothing here: `{key}` is not set")


# --- ticket packs ----------------------------------------------------------------------------------------------------


def add_pack(edition: Edition, pack: dict[str, object], place: str = "pack") -> Edition:
    """The edition with the tickets of one pack, as its file reads, at the end of its decks (SETUP-11, RULING-15)."""
    top = TomlTable(place, pack, PACK_KEYS)
    name, board = top.text("name"), edition.board
    if "board" in top and top.slug("board") != board.id:
        raise map_error(place, f"this pack is for the board `{top.slug('board')}`, not for `{board.id}`")
    if name in edition.packs:
        raise map_error(place, f"the pack `{name}` is added already", fault="pack_twice", word=name)
    names = PlaceNames(board.cities, board.countries)
    decks = list(edition.decks)
    taken = {frozenset((ticket.a, ticket.b)) for deck in decks for ticket in deck.tickets}
    for number, row in enumerate(top.rows("tickets", "ticket", PACK_TICKET_KEYS, 1, MAX_TICKETS), 1):
        try:
            ticket = read_ticket(row, names, name)
            _check_new(ticket, taken, edition, row.place)
            index = _pack_deck(ticket, edition, row.place)
        except MapError as error:
            error.words["ticket"] = number
            raise
        taken.add(frozenset((ticket.a, ticket.b)))
        decks[index] = replace(decks[index], tickets=(*decks[index].tickets, ticket))
    if len(taken) > MAX_TICKETS:
        reason = f"with this pack the decks have {len(taken)} tickets, at most {MAX_TICKETS} fit"
        raise map_error(place, reason, fault="too_many", most=MAX_TICKETS, found=len(taken))
    return replace(edition, decks=tuple(decks), packs=(*edition.packs, name))


def _check_new(ticket: Ticket, taken: Collection[frozenset[str]], edition: Edition, place: str) -> None:
    if frozenset((ticket.a, ticket.b)) in taken:
        reason = f"the ticket `{ticket.a}`–`{ticket.b}` is in the edition `{edition.id}` already"
        raise map_error(place, reason, fault="ticket_twice", word=ticket.a, other=ticket.b)


def _pack_deck(ticket: Ticket, edition: Edition, place: str) -> int:
    if ticket.kind != "long":
        return 0
    if len(edition.decks) < 2:
        raise map_error(
            place,
            f"the edition `{edition.id}` has no deck of long tickets",
            "leave out kind, or choose another edition",
            "no_long_deck",
            key="kind",
        )
    return 1
