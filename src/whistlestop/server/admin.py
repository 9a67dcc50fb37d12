"""What the host of a server can do while it runs, as requests: over a Unix socket, or with a token."""

from __future__ import annotations

import hmac
import time
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from whistlestop.server import log
from whistlestop.server.bans import Bans, network_of
from whistlestop.server.hall import Hall
from whistlestop.server.host_store import HostStore
from whistlestop.server.http import HallDep, JsonResponse, TableIdPath
from whistlestop.server.refusals import RequestError, closed_table, deleted_table
from whistlestop.server.settings import Settings
from whistlestop.server.store import new_key

ADMIN_PREFIX = "/api/admin"
MOST_LISTED = 1000
"""Tables in one answer."""

admin = APIRouter(prefix=ADMIN_PREFIX, include_in_schema=False)


def check_token(request: Request) -> None:
    """Refuse whoever does not send the host's token; never in an address, and compared in constant time."""
    settings: Settings = request.app.state.settings
    given = request.headers.get("authorization", "").encode("latin-1")
    if settings.admin_token is None or not hmac.compare_digest(given, f"Bearer {settings.admin_token}".encode()):
        log.event("admin refused", "warning")
        hint = "send it as: Authorization: Bearer TOKEN"
        raise RequestError("wrong_token", "this needs the token of the server's host", hint, 403)


def host_store(hall: HallDep) -> HostStore:
    """The database as the host looks at it."""
    return HostStore(hall.store)


def bans_of(request: Request) -> Bans:
    """Who is banned."""
    found: Bans = request.app.state.bans
    return found


StoreDep = Annotated[HostStore, Depends(host_store)]
BansDep = Annotated[Bans, Depends(bans_of)]


class BanRequest(BaseModel):
    """Whom to ban, and what the host wants to remember of it."""

    model_config = ConfigDict(extra="forbid")
    network: Annotated[str, Field(min_length=1, max_length=50)]
    note: Annotated[str, Field(max_length=200)] = ""


# ---- tables ---------------------------------------------------------------------------------------------------------
@admin.get("/tables")
async def list_tables(
    hall: HallDep,
    store: StoreDep,
    status: Literal["waiting", "playing", "over", "closed"] | None = None,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 50,
) -> Response:
    """Tables, the newest first."""
    return JsonResponse([_shown(hall, row) for row in await store.list_tables(status, limit)])


@admin.get("/tables/{table}")
async def show_table(hall: HallDep, store: StoreDep, table: TableIdPath) -> Response:
    """One table."""
    return JsonResponse(_shown(hall, await _row(store, table)))


@admin.post("/tables/{table}/close")
async def close_table(hall: HallDep, store: StoreDep, table: TableIdPath) -> Response:
    """End a table that waits or is played: its rows stay, and nobody can do anything there any more."""
    status = (await _row(store, table))["status"]
    if status in ("over", "closed"):
        what = "the game is over" if status == "over" else "the table is closed already"
        raise RequestError("not_open", what, "delete it, if it is to go", 409)
    await hall.dismiss(table, closed_table(), lambda: store.close_table(table))
    log.event("table closed by the host", table=table)
    return JsonResponse(_shown(hall, await _row(store, table)))


@admin.delete("/tables/{table}")
async def delete_table(hall: HallDep, store: StoreDep, table: TableIdPath) -> Response:
    """Delete a table with its actions, keys and chat."""
    await _row(store, table)
    await hall.dismiss(table, deleted_table(), lambda: store.delete_tables([table]))
    log.event("table deleted by the host", table=table)
    return JsonResponse({"deleted": table})


@admin.post("/tables/{table}/watch")
async def change_spectator_key(hall: HallDep, table: TableIdPath) -> Response:
    """Give the spectators of a table another link; the old one opens nothing any more."""
    key = new_key()
    await (await hall.get(table)).change_spectator_key(key)
    log.event("spectators' link changed by the host", table=table)
    return JsonResponse({"table": table, "watch": key})


async def _row(store: HostStore, table: str) -> dict[str, Any]:
    found = await store.table(table)
    if found is None:
        raise RequestError("no_such_table", f"there is no table {table}", "see the list of tables", 404)
    return found


def _shown(hall: Hall, row: dict[str, Any]) -> dict[str, Any]:
    """A table as the host is shown it."""
    table = hall.in_memory(row["id"])
    happened = [row[name] for name in ("created", "touched", "began", "ended", "acted") if row[name] is not None]
    return {
        **row,
        "seats": [{name: seat[name] for name in ("kind", "name", "bot", "stands_in")} for seat in row["seats"]],
        "last": max(happened),
        "in_memory": table is not None,
        "sockets": len(table.listeners) if table else 0,
    }


# ---- bans -----------------------------------------------------------------------------------------------------------
@admin.get("/bans")
async def list_bans(store: StoreDep) -> Response:
    """Who is banned, the newest first."""
    return JsonResponse(await store.bans())


@admin.post("/bans")
async def ban(store: StoreDep, bans: BansDep, body: BanRequest) -> Response:
    """Ban an address or a network, and hang up on who has it."""
    network = network_of(body.network)
    bans.check(network)
    await store.ban(str(network), body.note)
    bans.replace([row["network"] for row in await store.bans()])
    sockets = await bans.hang_up()
    log.event("banned", network=str(network), sockets=sockets)
    return JsonResponse({"network": str(network), "note": body.note, "sockets": sockets})


@admin.delete("/bans/{network:path}")
async def unban(store: StoreDep, bans: BansDep, network: str) -> Response:
    """Let an address or a network use the server again."""
    found = str(network_of(network))
    if not await store.unban(found):
        raise RequestError("no_such_ban", f"{found} is not banned", "see the list of bans", 404)
    bans.replace([row["network"] for row in await store.bans()])
    log.event("unbanned", network=found)
    return JsonResponse({"network": found})


# ---- numbers --------------------------------------------------------------------------------------------------------
@admin.get("/statistics")
async def statistics(request: Request, hall: HallDep, store: StoreDep) -> Response:
    """How much there is of everything, and how this server is."""
    return JsonResponse(
        {
            **await store.statistics(),
            "now": {
                "version": request.app.state.version,
                "up_seconds": round(time.time() - request.app.state.began),
                "tables_in_memory": hall.count,
                "sockets": sum(request.app.state.clients.open.values()),
                "bots_waiting": hall.bots_waiting,
                "failed_writes": hall.store.writer.failed,
                "group_commits": hall.store.writer.groups,
            },
        }
    )
