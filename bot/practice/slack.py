"""A Slack on loopback: Web API, Socket Mode and the workspace's control API, in a thread of its own.

Deliveries go over Socket Mode, or as signed requests to the addresses that are set; everything above them (payloads,
retries, outcomes) does not depend on the way.
"""

import asyncio
import json
import queue
import secrets
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from aiohttp import web

from bot.practice.acts import Acts
from bot.practice.control import Control, is_local
from bot.practice.faults import POSTING, RATES, Faults, Meter
from bot.practice.sockets import Sockets, Timing
from bot.practice.state import App, Workspace
from bot.practice.views import SlackRefusal, Views
from bot.practice.webapi import Call, WebApi, read_call

LARGEST_UPLOAD = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Parts:
    workspace: Workspace
    sockets: Sockets
    webapi: WebApi
    acts: Acts
    control: Control
    meter: Meter


class PracticeSlack:
    """The server. `start()` it, give its `api_url` and tokens to the app, `stop()` it."""

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], datetime],
        *,
        port: int = 0,
        control_token: str | None = None,
        timing: Timing | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        routes: Iterable[web.RouteDef] = (),
        rates: bool = True,
    ) -> None:
        """Prepare; nothing is opened yet.

        Args:
            folder: where the workspace is kept; taken up again where it is there already.
            clock: gives aware UTC instants.
            port: on 127.0.0.1; 0 takes a free one.
            control_token: for the control API; made up where none is given.
            timing: delays; Slack's own by default.
            monotonic: seconds for rates and triggers.
            routes: further routes on the same address (the page).
            rates: whether Slack's rates are kept from the start.
        """
        self._folder = folder
        self._clock = clock
        self._timing = timing or Timing()
        self._monotonic = monotonic
        self._routes = tuple(routes)
        self.faults = Faults(rates=rates)
        self.port = port
        self.control_token = control_token or secrets.token_urlsafe(24)
        self._parts: _Parts | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending: asyncio.Event | None = None
        self._thread: threading.Thread | None = None

    # life

    def start(self) -> Self:
        """Listen; returns when connections are taken.

        Raises:
            OSError: the port is taken, or the folder cannot be written.
        """
        parts = self._build()
        self._parts = parts
        started: queue.SimpleQueue[OSError | None] = queue.SimpleQueue()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(parts, started.put)), name="practice-slack"
        )
        self._thread.start()
        fault = started.get()
        if fault is not None:
            self._thread.join()
            self._thread = None
            raise fault
        return self

    def stop(self) -> None:
        """End all connections and the thread; the state stays in its folder. Safe to call twice."""
        if self._thread is None or self._loop is None or self._ending is None:
            return
        self._loop.call_soon_threadsafe(self._ending.set)
        self._thread.join()
        self._thread = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """The server's address, without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def api_url(self) -> str:
        """What `SLACK_API_URL` is set to."""
        return f"{self.url}/api/"

    @property
    def app(self) -> App:
        """The app's ids and tokens (`bot_token`, `app_token`, `signing_secret`); known once started."""
        assert self._parts is not None, "start() comes first"
        return self._parts.workspace.app

    def send_requests_to(self, urls: Iterable[str]) -> None:
        """Send what happens over HTTP to these addresses in turn; none means Socket Mode again."""
        assert self._parts is not None, "start() comes first"
        self._parts.sockets.requests.urls = list(urls)

    async def _serve(self, parts: _Parts, report: Callable[[OSError | None], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._ending = asyncio.Event()
        runner = web.AppRunner(self._application(parts), access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        try:
            site = web.TCPSite(runner, "127.0.0.1", self.port, reuse_address=True)
            try:
                await site.start()
            except OSError as fault:
                report(fault)
                return
            self.port = runner.addresses[0][1]
            report(None)
            await self._ending.wait()
            await parts.sockets.close()
        finally:
            await runner.cleanup()
            parts.workspace.close()

    def _build(self) -> _Parts:
        workspace = Workspace(self._folder, self._clock)
        sockets = Sockets(workspace, self.faults, timing=self._timing, monotonic=self._monotonic)
        views = Views(workspace, monotonic=self._monotonic, trigger_life_s=self._timing.trigger_life_s)
        webapi = WebApi(workspace, sockets, views, faults=self.faults, base=lambda: self.url)
        acts = Acts(workspace, sockets, views, webapi=webapi, monotonic=self._monotonic)
        control = Control(
            workspace, acts, sockets, webapi=webapi, faults=self.faults, token=self.control_token
        )
        return _Parts(workspace, sockets, webapi, acts, control, Meter(self._monotonic))

    def _application(self, parts: _Parts) -> web.Application:
        application = web.Application(client_max_size=LARGEST_UPLOAD, middlewares=[_only_local])
        application.add_routes(
            [
                web.route("*", "/api/{method}", self._call),
                web.get("/socket", parts.sockets.serve),
                web.post("/upload/v1/{ticket}", self._upload),
                web.post("/actions/{team}/{code}", self._respond),
                web.get("/files-pri/{file}", self._read_file),
                *parts.control.routes(),
                *self._routes,
            ]
        )
        return application

    # Web API

    async def _call(self, request: web.Request) -> web.StreamResponse:
        assert self._parts is not None
        method = request.match_info["method"]
        try:
            token, args = await _arguments(request)
        except ValueError:
            return web.json_response({"ok": False, "error": "invalid_json"})
        if self.faults.slow_s:
            await asyncio.sleep(self.faults.slow_s)
        if self.faults.strikes("failing_calls", method):
            return web.Response(status=self.faults.failing_status, text="Service Unavailable")
        if method == "apps.connections.open" and self.faults.sockets_refused:
            self._parts.workspace.note("line_refused")
            return web.Response(status=503, text="Service Unavailable")
        if self.faults.strikes("throttled_calls", method):
            return _throttled(self.faults.retry_after_s)
        response = self._answer(token, method, args)
        if self.faults.strikes("lost_answers", method) and request.transport is not None:
            request.transport.abort()
        return response

    def _answer(self, token: str, method: str, args: dict[str, Any]) -> web.Response:
        assert self._parts is not None
        wait_s = self._wait_s(method, args)
        if wait_s:
            self._parts.workspace.note("call_throttled", method=method, retry_after_s=wait_s)
            return _throttled(wait_s)
        try:
            body = self._parts.webapi.call(token, read_call(method, args))
        except SlackRefusal as refusal:
            self._parts.workspace.note("call_refused", method=method, error=refusal.error)
            body = {"ok": False, "error": refusal.error, **refusal.more}
        scopes = ",".join(self._parts.workspace.app.scopes)
        return web.json_response(body, headers={"x-oauth-scopes": scopes})

    def _wait_s(self, method: str, args: dict[str, Any]) -> int:
        assert self._parts is not None
        if not self.faults.rates:
            return 0
        if method == "chat.postMessage":
            return self._parts.meter.wait_for(f"post {args.get('channel')}", POSTING)
        if method in RATES:
            return self._parts.meter.wait_for(method, RATES[method])
        return 0

    # files and response addresses

    async def _upload(self, request: web.Request) -> web.Response:
        assert self._parts is not None
        content = await _uploaded(request)
        if self._parts.webapi.upload(request.match_info["ticket"], content):
            return web.Response(text=f"OK - {len(content)}")
        return web.Response(status=400, text="The upload address or the length is wrong.")

    async def _respond(self, request: web.Request) -> web.Response:
        assert self._parts is not None
        try:
            body = await request.json()
        except ValueError:
            body = None
        if not isinstance(body, dict):
            return web.Response(status=400, text="invalid_payload")
        answer = self._parts.acts.respond(request.match_info["code"], body)
        return web.Response(status=200 if answer == "ok" else 404, text=answer)

    async def _read_file(self, request: web.Request) -> web.Response:
        assert self._parts is not None
        call = Call("files.info", {"file": request.match_info["file"]})
        try:
            self._parts.webapi.call(_bearer(request), call)
        except SlackRefusal:
            return web.Response(status=403)
        path = self._parts.workspace.files_folder / request.match_info["file"]
        return web.Response(body=path.read_bytes(), content_type="application/octet-stream")


@web.middleware
async def _only_local(request: web.Request, handler: Any) -> web.StreamResponse:
    if not is_local(request):
        return web.Response(status=403, text="Only this machine may call the practice workspace.")
    response: web.StreamResponse = await handler(request)
    return response


def _throttled(retry_after_s: int) -> web.Response:
    return web.json_response(
        {"ok": False, "error": "ratelimited"}, status=429, headers={"Retry-After": str(retry_after_s)}
    )


def _bearer(request: web.Request) -> str:
    return request.headers.get("Authorization", "").removeprefix("Bearer ").strip()


async def _arguments(request: web.Request) -> tuple[str, dict[str, Any]]:
    """The token and the arguments of a call, from query, form or JSON."""
    args: dict[str, Any] = dict(request.query)
    if request.content_type == "application/json":
        body = json.loads(await request.text() or "{}")
        args |= body if isinstance(body, dict) else {}
    else:
        args |= dict(await request.post())
    token = _bearer(request) or str(args.get("token") or "")
    args.pop("token", None)
    return token, args


async def _uploaded(request: web.Request) -> bytes:
    """A file's bytes, sent bare or as the first file of a form."""
    if not request.content_type.startswith("multipart/"):
        return await request.read()
    form = await request.post()
    part = next((value for value in form.values() if isinstance(value, web.FileField)), None)
    return part.file.read() if part is not None else b""
