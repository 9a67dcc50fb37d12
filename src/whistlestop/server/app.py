"""The server as an ASGI application: the API, the page, and what surrounds them."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import html
import json
import re
import time
from collections.abc import AsyncIterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import FileResponse, HTMLResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as AnyHTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from whistlestop.mapfile import editions
from whistlestop.server import log, messages
from whistlestop.server.admin import ADMIN_PREFIX, admin, check_token
from whistlestop.server.bans import Bans
from whistlestop.server.bot_preparation import BotPreparation
from whistlestop.server.catalog import board_json
from whistlestop.server.database_check import DatabaseCheck
from whistlestop.server.hall import Hall
from whistlestop.server.host_store import HostStore
from whistlestop.server.http import (
    BOARDS_PATH,
    JsonResponse,
    allowed_origin,
    answers_with,
    api,
    client_of,
    is_on_this_machine,
)
from whistlestop.server.metrics import Metrics
from whistlestop.server.news import Item
from whistlestop.server.playtest_api import playtests
from whistlestop.server.rate_limits import Clients
from whistlestop.server.refusals import RequestError, banned_client, internal_error
from whistlestop.server.retention import Retention
from whistlestop.server.scores import scores
from whistlestop.server.settings import Settings
from whistlestop.server.side_servers import SideServer, tcp_socket, unix_socket
from whistlestop.server.store import Store
from whistlestop.server.strange_boards import LARGEST_BOARD
from whistlestop.server.warming import WarmUpProgress, warm_up

GARBAGE_THRESHOLDS = (10_000, 20, 20)
"""Objects after which Python looks for garbage, and how often it looks further: an action makes hundreds that live for
a moment and are freed without it."""
BANS_READ_EVERY = 10.0
"""Seconds."""
PAGE = Path(__file__).parent / "page"
"""The built client."""
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
DOCS_POLICY = CONTENT_POLICY.replace("'self';", "'self' 'unsafe-inline';", 2)
"""The page at /docs is made by FastAPI, with a script in it."""
SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
DESCRIPTION = """Railway board games: open tables, play, watch, replay.

A bot or script opens a table (`POST /api/tables`) or joins one, keeps its key, asks for its view with `wait`, and plays
one of its options. Keys are sent as `Authorization: Bearer KEY`. The same goes over a socket at
`/api/tables/{table}/live`, where the first message is `{"t": "hello", "key": "…"}`."""


class RootPathMiddleware:
    """Takes the path below which the site is off requests, where the proxy has left it on."""

    def __init__(self, app: ASGIApp, root: str) -> None:
        self.app, self.root = app, root

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on as if the site were at the root."""
        if scope["type"] in ("http", "websocket"):
            path = scope["path"]
            if path == self.root or path.startswith(f"{self.root}/"):
                scope = {**scope, "path": path.removeprefix(self.root) or "/"}
        await self.app(scope, receive, send)


class SecurityMiddleware:
    """Security headers, bans, limits on requests, origins, and faults; plain ASGI, since every request passes it."""

    def __init__(self, app: ASGIApp, clients: Clients, bans: Bans, settings: Settings) -> None:
        self.app, self.clients, self.bans, self.settings = app, clients, bans, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, then pass it on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        policy = DOCS_POLICY if scope["path"] == "/docs" else CONTENT_POLICY
        headers = [
            (name.encode(), text.encode())
            for name, text in ({"content-security-policy": policy} | SECURITY_HEADERS).items()
        ]

        begun = False

        async def guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                own = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(one for one in headers if one[0] not in own)]
            await send(message)

        refused = self._refused(scope)
        if refused is not None:
            await error_response(refused)(scope, receive, guarded)
            return
        try:
            await self.app(scope, _limited(receive, self._largest(scope["path"])), guarded)
        except Exception:
            log.logger.exception("request failed", extra={"facts": {"path": scope["path"]}})
            if begun:
                raise
            await error_response(internal_error())(scope, receive, guarded)

    def _largest(self, path: str) -> int:
        """Bytes that a request to an address may have."""
        return LARGEST_BOARD if path == BOARDS_PATH else self.settings.limits.largest_message * 4

    def _refused(self, scope: Scope) -> RequestError | None:
        request = Request(scope)
        client = client_of(request)
        if self.bans.covers(client):
            return banned_client()
        if scope["path"].startswith("/api") and not self.clients.take(client):
            return RequestError("rate", "too many requests", "slow down", 429)
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and not allowed_origin(request, self.settings.origins):
            return RequestError("wrong_origin", "pages of other sites may not do this", status=403)
        return None


def _limited(receive: Receive, largest: int) -> Receive:
    """Bodies up to a size; more is refused."""
    read = 0

    async def limited() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > largest:
            # FastAPI lets no other error out of a body.
            raise HTTPException(413, f"a request has at most {largest} bytes")
        return message

    return limited


def error_response(refused: RequestError) -> Response:
    """A refusal as an HTTP answer."""
    return JsonResponse(refused.json(), refused.status)


def create_app(settings: Settings) -> FastAPI:
    """The application; it is warm and open some moments after it has started."""
    metrics = Metrics()
    progress = WarmUpProgress()
    preparation = BotPreparation()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        settings.data_dir.mkdir(0o700, parents=True, exist_ok=True)
        store = await Store.open(settings.database_url)
        tasks: list[asyncio.Task[Any]] = []
        try:
            await _read_bans(store, app.state.bans)
            app.state.database = DatabaseCheck(store)
            metrics.watch(store, settings.data_dir if settings.database is None else None)
            side_servers = _start_side_servers(app, settings)
        except BaseException:
            await store.close()
            raise
        tasks.append(asyncio.create_task(_keep_reading_bans(store, app.state.bans)))

        async def get_ready() -> None:
            try:
                await warm_up(progress)
            except Exception:
                log.logger.exception("not ready: the engine could not be compiled", extra={"facts": {}})
                raise
            gc.collect()
            gc.freeze()  # what is loaded by now stays: collecting it again would stop everybody for a tenth of a second
            gc.set_threshold(*GARBAGE_THRESHOLDS)
            await preparation.look()
            hall = Hall(store, settings, metrics, preparation)
            app.state.hall = hall
            _watch_hall(metrics, hall)
            log.event("ready", version=version("whistlestop"))
            await hall.leases.beat()
            listening = _listen(hall, app.state.bans)
            running = (hall.forget_idle_tables(), hall.run_with_others(), hall.keep_listed(), listening)
            tasks.extend(map(asyncio.create_task, running))
            tasks.append(asyncio.create_task(Retention(hall).run()))
            await hall.resume()
            for edition in editions():  # nobody should have to wait for a drawing
                await asyncio.to_thread(board_json, edition.id)
            hall.bots.start()  # last: where bots have to play before, their process is started for them
            tasks.append(asyncio.create_task(_prepare(preparation, settings)))

        tasks.append(asyncio.create_task(get_ready()))
        yield
        log.event("stopping")
        for side_server in side_servers:
            await side_server.stop()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if app.state.hall is not None:
            await app.state.hall.close()
        await store.close()
        log.event("stopped")

    app = FastAPI(
        title="Whistlestop",
        version=version("whistlestop"),
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        servers=[{"url": settings.root_path}] if settings.root_path else None,
    )
    app.state.hall = None
    app.state.settings = settings
    app.state.version, app.state.began = app.version, time.time()
    app.state.metrics = metrics
    app.state.warm_up = progress
    app.state.preparation = preparation
    limits = settings.limits
    app.state.clients = Clients(limits.requests_a_second, 10 * limits.requests_a_second)
    app.state.speakers = Clients(limits.messages_a_second, 5 * limits.messages_a_second)
    app.state.openers = Clients(limits.tables_an_hour / 3600, max(10.0, limits.tables_an_hour / 4))
    app.state.listers = Clients(limits.listed_an_hour / 3600, max(5.0, limits.listed_an_hour / 4))
    app.state.board_bringers = Clients(limits.boards_an_hour / 3600, max(5.0, limits.boards_an_hour / 4))
    app.state.playtesters = Clients(limits.playtests_an_hour / 3600, max(5.0, limits.playtests_an_hour / 4))
    app.state.bans = Bans(settings.trusted_proxies)
    app.include_router(api)
    app.include_router(scores)
    app.include_router(playtests)
    _add_admin(app, settings)
    _add_errors(app)
    _add_health(app, settings)
    _add_page(app, settings.root_path)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    app.add_middleware(SecurityMiddleware, clients=app.state.clients, bans=app.state.bans, settings=settings)
    if settings.origins:  # outside of all else, so that pages of those sites can read refusals too
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.origins),
            allow_methods=["GET", "POST", "PATCH"],
            allow_headers=["authorization", "content-type"],
        )
    if settings.root_path:
        app.add_middleware(RootPathMiddleware, root=settings.root_path)
    return app


def _watch_hall(metrics: Metrics, hall: Hall) -> None:
    """Show what the tables' hall knows of itself."""
    metrics.bots_waiting.set_function(lambda: hall.bots_waiting)
    metrics.leases.set_function(lambda: hall.tables_run)
    metrics.processes.set_function(lambda: len(hall.leases.others) + 1)
    metrics.news_lag.set_function(lambda: hall.leases.lag)


async def _listen(hall: Hall, bans: Bans) -> None:
    """Hear for ever what other processes tell: of bans, and of tables."""

    def hear(process: str, item: Item) -> None:
        if item.kind == "bans":
            bans.outdated.set()
        else:
            hall.hear(process, item)

    await hall.store.news.listen(hear, hall.missed_news)


async def _prepare(preparation: BotPreparation, settings: Settings) -> None:
    """Get the stronger bots ready here, unless others think for them or the host wants none."""
    if not settings.bot_workers:
        await preparation.leave_to_others()
    elif settings.prepare_bots:
        await preparation.run()
    else:
        await preparation.give_up()


async def _read_bans(store: Store, bans: Bans) -> None:
    bans.replace([row["network"] for row in await HostStore(store).bans()])


async def _keep_reading_bans(store: Store, bans: Bans) -> None:
    """Learn of bans that another server on the same database was told of: from its news, and now and then for news that
    were lost.
    """
    while True:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(bans.outdated.wait(), BANS_READ_EVERY)
        bans.outdated.clear()
        try:
            await _read_bans(store, bans)
            await bans.hang_up()
        except Exception:  # what is known already holds
            log.logger.exception("bans not read", extra={"facts": {}})


def _start_side_servers(app: FastAPI, settings: Settings) -> list[SideServer]:
    """What listens beside the main address."""
    found = []
    if settings.admin_socket is not None:
        orders = _side_app(app)
        orders.include_router(admin)
        found.append(SideServer(orders, unix_socket(settings.admin_socket)))
    if settings.metrics_address is not None:
        numbers = _side_app(app)
        numbers.add_route("/metrics", metrics_response)
        found.append(SideServer(numbers, tcp_socket(settings.metrics_address)))
    return found


def _side_app(app: FastAPI) -> FastAPI:
    """An application that knows what the main one knows, and has no addresses yet."""
    own = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    own.state = app.state
    _add_errors(own)
    return own


def _add_admin(app: FastAPI, settings: Settings) -> None:
    """The host's requests, if there is a token for them; otherwise there is nothing."""
    if settings.admin_token is not None:
        app.include_router(admin, dependencies=[Depends(check_token)])

    @app.api_route(ADMIN_PREFIX + "/{path:path}", methods=["GET", "POST", "DELETE"], include_in_schema=False)
    async def nothing(path: str) -> None:  # noqa: ARG001  (FastAPI wants it named)
        raise HTTPException(404, "there is nothing here")


def _add_errors(app: FastAPI) -> None:
    """Every error has the same shape: code, message, hint."""

    @app.exception_handler(RequestError)
    async def refused(request: Request, error: RequestError) -> Response:
        request.app.state.metrics.refused.labels(error.code).inc()
        return error_response(error)

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "body")
        return error_response(
            RequestError("malformed", f"{place + ': ' if place else ''}{first['msg']}", "see /docs", 422)
        )

    @app.exception_handler(AnyHTTPException)
    async def plain(_request: Request, error: AnyHTTPException) -> Response:
        code = {400: "malformed", 413: "too_large"}.get(error.status_code, f"http_{error.status_code}")
        answer = error_response(RequestError(code, str(error.detail), None, error.status_code))
        answer.headers.update(error.headers or {})
        return answer


def metrics_response(request: Request) -> Response:
    """Counters for Prometheus."""
    return Response(request.app.state.metrics.text(), media_type="text/plain; version=0.0.4")


def _add_health(app: FastAPI, settings: Settings) -> None:
    root = settings.root_path
    unwell: dict[int | str, dict[str, Any]] = {503: {"model": messages.Health, "description": "Not well"}}

    @app.get("/health", response_model=messages.Health, responses=unwell, tags=["host"])
    async def health(request: Request) -> Response:
        """Whether the server is ready and its database answers; while it warms up, how far it is."""
        state = request.app.state
        progress: WarmUpProgress = state.warm_up
        status = "warming" if state.hall is None else "stopping" if state.hall.closing else "ready"
        well = await state.database.answers()
        found = {
            "status": status if well else "database",
            "version": app.version,
            "done": progress.done,
            "total": progress.total,
            "what": progress.what if well else "the database does not answer",
        }
        return JsonResponse(found, 200 if well else 503)

    @app.get("/metrics", response_class=Response, responses=answers_with("text/plain"), tags=["host"])
    async def metrics(request: Request) -> Response:
        """Counters for Prometheus; for clients on the server's machine, unless they have an address of their own."""
        if settings.metrics_address is not None or not is_on_this_machine(request):
            raise HTTPException(404, "there is nothing here")
        return metrics_response(request)

    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return get_swagger_ui_html(
            openapi_url=f"{root}/openapi.json", title="Whistlestop API",
            swagger_js_url=f"{root}/swagger/swagger-ui-bundle.js",
            swagger_css_url=f"{root}/swagger/swagger-ui.css", swagger_favicon_url=f"{root}/icon.svg",
        )  # fmt: skip


def _add_page(app: FastAPI, root: str) -> None:
    """The client: its files, and one page for all its addresses."""
    from swagger_ui_bundle import swagger_ui_path

    app.mount("/swagger", StaticFiles(directory=swagger_ui_path), name="swagger")
    if not (PAGE / "index.html").exists():
        return
    for folder in ("assets", "fonts"):
        if (PAGE / folder).is_dir():
            app.mount(f"/{folder}", ImmutableStaticFiles(directory=PAGE / folder), name=folder)
    plain = {path.name: path for path in PAGE.iterdir() if path.is_file() and path.name != "index.html"}
    game = _preload_links("src/game/Play.svelte", root)
    index = page_at(root, (PAGE / "index.html").read_text("utf-8"))

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        if path in plain:
            return FileResponse(plain[path], headers={"cache-control": "public, max-age=3600"})
        if path.startswith(("api/", "swagger/", "assets/")):
            raise HTTPException(404, "there is nothing here")
        hall: Hall | None = request.app.state.hall
        table = hall and hall.in_memory(path.removeprefix("t/"))
        board = [f"<{root}/api/editions/{table.edition.id}/board>; rel=preload; as=fetch; crossorigin"] if table else []
        early = {"link": ", ".join(board + game)} if path.startswith("t/") else {}
        return HTMLResponse(index, headers={"cache-control": "no-cache", **early})


def page_at(root: str, text: str) -> str:
    """The page with addresses that hold from every path: it is built with relative ones, and without its base."""
    text = text.replace('<meta name="base" content="" />', f'<meta name="base" content="{html.escape(root)}" />')
    return re.sub(r'\b(href|src)="\.?/', rf'\g<1>="{html.escape(root)}/', text)


def _preload_links(entry: str, root: str) -> list[str]:
    """Links to the files of a part of the client, by which browsers fetch them beside the page instead of after it."""
    made = json.loads((PAGE / "parts.json").read_bytes())
    needed = [entry]
    for name in needed:
        needed += [other for other in made[name].get("imports", ()) if other not in needed]
    scripts = [f"<{root}/{made[name]['file']}>; rel=modulepreload" for name in needed]
    styles = {
        css: f"<{root}/{css}>; rel=preload; as=style; crossorigin"
        for name in needed
        for css in made[name].get("css", ())
    }
    return [*scripts, *styles.values()]


class ImmutableStaticFiles(StaticFiles):
    """Files whose names change with what is in them: browsers may keep them for ever."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """The file, with leave to keep it."""
        answer = super().file_response(*args, **kwargs)
        answer.headers["cache-control"] = "public, max-age=31536000, immutable"
        return answer
