"""`whistlestop admin`: orders to a server that runs, over its Unix socket or over HTTP with the host's token."""

from __future__ import annotations

import http.client
import json
import socket
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from whistlestop.cli.inputs import owners_secret
from whistlestop.cli.terminal import fail, heading, print_json, table
from whistlestop.spelling import did_you_mean

_PREFIX = "/api/admin"
_STATUSES = ("waiting", "playing", "over", "closed")
_ANSWER_WITHIN = 30.0
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Server:
    """Where the server is that gets the orders."""

    socket: str | None
    url: str | None
    token_file: str | None

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """The server's answer; its refusal is told as an error."""
        headers = {"content-type": "application/json"} if body is not None else {}
        connection, base = self._connection(headers)
        try:
            connection.request(
                method, f"{base}{_PREFIX}{path}", json.dumps(body) if body is not None else None, headers
            )
            answer = connection.getresponse()
            status, text = answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "strerror", None) or type(error).__name__
            fail(f"no server answers at {self.socket or self.url}: {reason}", "see that it runs", 1)
        finally:
            connection.close()
        return _told(status, text)

    def _connection(self, headers: dict[str, str]) -> tuple[http.client.HTTPConnection, str]:
        """A connection, the path of the site there, and the token among the headers if there is one."""
        if (self.socket is None) == (self.url is None):
            hint = "for example `whistlestop admin --socket /run/whistlestop/admin.sock stats`"
            fail("say which server: --socket PATH, or --server URL with --token-file FILE", hint)
        if self.socket is not None:
            return UnixConnection(self.socket), ""
        if self.token_file is None:
            fail("orders over HTTP need --token-file FILE", "the file that the server was started with")
        headers["authorization"] = f"Bearer {owners_secret(self.token_file)}"
        parts = urlsplit(self.url or "")
        kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
        if parts.scheme not in kinds or not parts.hostname:
            fail(f"`{self.url}` is no address of a server", "for example https://play.example.org")
        return kinds[parts.scheme](parts.hostname, parts.port, timeout=_ANSWER_WITHIN), parts.path.rstrip("/")


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=_ANSWER_WITHIN)
        self._path = path

    def connect(self) -> None:
        """Connect to the file."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def _told(status: int, text: bytes) -> Any:
    """The data of an answer; an error for a refusal."""
    try:
        data = json.loads(text)
    except ValueError:
        fail(f"the server answers with status {status} and something that is no JSON", "is it a Whistlestop server?", 1)
    if status == http.client.NOT_FOUND and data.get("code") == "http_404":
        fail("this server takes no orders over HTTP", "start it with --admin-token-file, or use its --admin-socket", 1)
    if status >= http.client.BAD_REQUEST:
        fail(str(data.get("message", f"status {status}")), data.get("hint"), 1)
    return data


# ---- tables ---------------------------------------------------------------------------------------------------------
def print_tables(server: Server, status: str | None, limit: int, as_json: bool) -> None:
    """The tables, the newest first."""
    if status is not None and status not in _STATUSES:
        fail(f"--status is one of {', '.join(_STATUSES)}, not `{status}`", did_you_mean(status, _STATUSES))
    if not 1 <= limit <= 1000:
        fail(f"--limit is 1 to 1000, not {limit}")
    found = server.ask("GET", f"/tables?limit={limit}" + (f"&status={status}" if status else ""))
    if as_json:
        print_json(found)
        return
    now = time.time()
    table(
        ("table", "status", "edition", "seats", "actions>", "opened>", "last>", "sockets>"),
        [
            [
                row["id"],
                row["status"],
                row["edition"],
                _seats(row["seats"]),
                str(row["actions"]),
                ago(now - row["created"]),
                ago(now - row["last"]),
                str(row["sockets"]),
            ]
            for row in found
        ],
    )


def print_table(server: Server, table_id: str, as_json: bool) -> None:
    """One table with all that a host may know of it."""
    row = server.ask("GET", f"/tables/{quote(table_id, safe='')}")
    if as_json:
        print_json(row)
        return
    now = time.time()
    heading(f"Table {row['id']}: {row['edition']}, {row['status']}")
    _facts(
        {
            "opened": ago(now - row["created"]) + " ago",
            "last action": ago(now - row["last"]) + " ago",
            "actions": str(row["actions"]),
            "lines of chat": str(row["chat"]),
            "keys": str(row["keys"]),
            "open sockets": str(row["sockets"]),
            "listed": "yes, anybody may find it" if row["listed"] else "no",
            "rules": f"version {row['rules']}, opened by Whistlestop {row['engine']}",
        }
    )
    print()
    seats = [[str(i), seat["kind"], seat["name"], seat["bot"] or ""] for i, seat in enumerate(row["seats"], 1)]
    table(("seat>", "who", "name", "bot"), seats)


def close_table(server: Server, table_id: str, as_json: bool) -> None:
    """End a table."""
    row = server.ask("POST", f"/tables/{quote(table_id, safe='')}/close")
    _done(row, f"Table {row['id']} is closed: nobody can act there any more, and who looks at it is told so.", as_json)


def delete_table(server: Server, table_id: str, yes: bool, as_json: bool) -> None:
    """Delete a table, after asking."""
    if not yes and not _confirmed(f"Delete table {table_id} with its actions, keys and chat, for good?"):
        fail("nothing was deleted", "say --yes if you mean it")
    row = server.ask("DELETE", f"/tables/{quote(table_id, safe='')}")
    _done(row, f"Table {row['deleted']} is deleted.", as_json)


def change_link(server: Server, table_id: str, as_json: bool) -> None:
    """Give the spectators of a table another link."""
    row = server.ask("POST", f"/tables/{quote(table_id, safe='')}/watch")
    _done(
        row,
        f"The old link opens nothing any more. The new one ends with\n/watch/{row['table']}#{row['watch']}",
        as_json,
    )


def _confirmed(question: str) -> bool:
    if not sys.stdin.isatty():
        return False
    import typer

    return typer.confirm(question, err=True)


# ---- bans -----------------------------------------------------------------------------------------------------------
def print_bans(server: Server, as_json: bool) -> None:
    """Who is banned."""
    found = server.ask("GET", "/bans")
    if as_json:
        print_json(found)
        return
    now = time.time()
    table(("network", "since>", "note"), [[row["network"], ago(now - row["since"]), row["note"]] for row in found])


def ban(server: Server, network: str, note: str, as_json: bool) -> None:
    """Ban an address or a network."""
    row = server.ask("POST", "/bans", {"network": network, "note": note})
    hung_up = f"; {row['sockets']} open sockets were closed" if row["sockets"] else ""
    _done(row, f"{row['network']} is banned{hung_up}.", as_json)


def unban(server: Server, network: str, as_json: bool) -> None:
    """Let an address or a network come back."""
    row = server.ask("DELETE", f"/bans/{quote(network, safe=':/')}")
    _done(row, f"{row['network']} may use the server again.", as_json)


# ---- numbers --------------------------------------------------------------------------------------------------------
def print_statistics(server: Server, as_json: bool) -> None:
    """How much there is of everything."""
    found = server.ask("GET", "/statistics")
    if as_json:
        print_json(found)
        return
    now = found["now"]
    heading(f"Whistlestop {now['version']}, up for {ago(now['up_seconds'])}")
    _facts(
        {
            **{f"tables {status}": str(n) for status, n in found["tables"].items()},
            **{f"games of {edition}": str(n) for edition, n in found["editions"].items()},
            "actions by people": str(found["actions"]["people"]),
            "actions by bots": str(found["actions"]["bots"]),
            "lines of chat": str(found["chat"]),
            "bans": str(found["bans"]),
            "database": size(found["database_bytes"]),
            "tables in memory": str(now["tables_in_memory"]),
            "open sockets": str(now["sockets"]),
            "bots that wait": str(now["bots_waiting"]),
            "failed writes": str(now["failed_writes"]),
        }
    )


# ---- words ----------------------------------------------------------------------------------------------------------
def _facts(facts: Mapping[str, str]) -> None:
    width = max(map(len, facts))
    for name, value in facts.items():
        print(f"{name.ljust(width)}  {value}")


def _done(data: object, text: str, as_json: bool) -> None:
    if as_json:
        print_json(data)
    else:
        print(text)


def _seats(seats: list[dict[str, Any]]) -> str:
    """How many of whom: `2 people, 1 bot`."""
    kinds = [seat["kind"] for seat in seats]
    named = (("person", "person", "people"), ("bot", "bot", "bots"), ("open", "open", "open"))
    counts = [(kinds.count(kind), one, many) for kind, one, many in named]
    return ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in counts if n)


def ago(seconds: float) -> str:
    """A time span in one unit: `12 s`, `5 min`, `3 h`, `90 d`."""
    for unit, length, most in (("s", 1, 120), ("min", 60, 120), ("h", 3600, 48)):
        if seconds < length * most:
            return f"{max(0, int(seconds // length))} {unit}"
    return f"{int(seconds // 86400)} d"


def size(n: int) -> str:
    """Bytes in a unit that can be read: `1.4 MB`."""
    amount = float(n)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000 or unit == "GB":
            break
        amount /= 1000
    return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
