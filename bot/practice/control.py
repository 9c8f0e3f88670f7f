"""The practice workspace's own JSON API: people, what they see, what they do, the event log, the fault switches.

The page, the demo and the tests are its clients. Every call carries the token given at the start; another site's
pages are kept out by the Host and Origin headers.
"""

import asyncio
import contextlib
import hmac
import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from bot.practice.acts import Acts, CannotDo, Outcome
from bot.practice.blocks_check import Json
from bot.practice.faults import Faults
from bot.practice.shapes import person_payload
from bot.practice.sockets import Sockets
from bot.practice.state import TEAM_DOMAIN, TEAM_ID, Channel, Person, Role, TokenState, View, Workspace
from bot.practice.webapi import WebApi

TOKEN_HEADER = "X-Practice-Token"  # noqa: S105  a header's name
PREFIX = "/practice/api"
LONGEST_WAIT_S = 30.0
_LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def is_local(request: web.Request) -> bool:
    """Whether a request names this machine in Host, and in Origin where it has one."""
    if urlsplit(f"//{request.headers.get('Host', '')}").hostname not in _LOCAL:
        return False
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    return urlsplit(origin).netloc == request.headers["Host"] and origin.startswith("http://")


def guarded(token: str, handler: Handler) -> Handler:
    """Put the check of the token before a handler, and give its refusals as JSON with 403, 404 or 400.

    A picture's or file's address may carry the token as `token`; everything else sends it as a header.
    """

    async def answered(request: web.Request) -> web.StreamResponse:
        given = request.headers.get(TOKEN_HEADER) or request.query.get("token", "")
        if not hmac.compare_digest(given.encode(), token.encode()):
            return web.json_response({"error": "The practice token is missing or wrong."}, status=403)
        try:
            return await handler(request)
        except CannotDo as refusal:
            return web.json_response({"error": str(refusal)}, status=404)
        except (KeyError, TypeError, ValueError) as fault:
            return web.json_response({"error": f"Not understood: {fault}"}, status=400)

    return answered


class Control:
    """The API's routes."""

    def __init__(
        self,
        workspace: Workspace,
        acts: Acts,
        sockets: Sockets,
        *,
        webapi: WebApi,
        faults: Faults,
        token: str,
    ) -> None:
        """Serve the given parts to callers with the token."""
        self.workspace = workspace
        self.acts = acts
        self.sockets = sockets
        self.webapi = webapi
        self.faults = faults
        self._token = token
        self._news = asyncio.Event()
        workspace.on_occurrence = self._wake

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    def routes(self) -> list[web.RouteDef]:
        """All routes, behind the check of the token."""
        one = f"{PREFIX}/persons/{{person}}"
        table: tuple[tuple[str, str, Handler], ...] = (
            ("GET", f"{PREFIX}/workspace", self._workspace),
            ("GET", f"{PREFIX}/events", self._events),
            ("GET", f"{PREFIX}/faults", self._faults),
            ("PUT", f"{PREFIX}/faults", self._set_faults),
            ("POST", f"{PREFIX}/faults/{{act}}", self._fault_act),
            ("POST", f"{PREFIX}/channels", self._add_channel),
            ("POST", f"{PREFIX}/persons", self._add_person),
            ("PATCH", one, self._change_person),
            ("GET", f"{one}/channels", self._channels),
            ("GET", f"{one}/channels/{{channel}}/messages", self._messages),
            ("GET", f"{one}/home", self._home),
            ("GET", f"{one}/views", self._views),
            ("GET", f"{one}/files/{{file}}", self._read_file),
            ("GET", f"{one}/files/{{file}}/facts", self._file_facts),
            ("POST", f"{one}/files", self._add_file),
            ("POST", f"{one}/home", self._open_home),
            ("POST", f"{one}/use", self._use),
            ("POST", f"{one}/fill", self._fill),
            ("POST", f"{one}/suggest", self._suggest),
            ("POST", f"{one}/submit", self._submit),
            ("POST", f"{one}/close", self._close),
            ("POST", f"{one}/command", self._command),
            ("POST", f"{one}/say", self._say),
            ("POST", f"{one}/join", self._join),
            ("POST", f"{one}/leave", self._leave),
            ("POST", f"{one}/archive", self._archive),
        )
        return [web.route(method, path, guarded(self._token, handler)) for method, path, handler in table]

    # the workspace

    async def _workspace(self, _request: web.Request) -> web.Response:
        app = self.workspace.app
        return web.json_response(
            {
                "team": TEAM_ID,
                "domain": TEAM_DOMAIN,
                "bot_user": app.bot_user,
                "app_id": app.app_id,
                "app_name": app.name,
                "token_state": app.state,
                "sockets": self.sockets.open,
                "events_owed": self.sockets.owed,
                "now": self.workspace.clock().isoformat(),
                "last_seq": len(self.workspace.log),
                "persons": [asdict(person) for person in self.workspace.persons.values()],
                "channels": [asdict(channel) for channel in self.workspace.channels.values()],
            }
        )

    async def _events(self, request: web.Request) -> web.Response:
        after = int(request.query.get("after", "0"))
        wait_s = min(float(request.query.get("wait_s", "0")), LONGEST_WAIT_S)
        if len(self.workspace.log) <= after and wait_s > 0:
            with contextlib.suppress(TimeoutError):  # nothing happened: the answer is an empty list
                await asyncio.wait_for(self._news.wait(), wait_s)
        return web.json_response([asdict(occurrence) for occurrence in self.workspace.log[after:]])

    async def _faults(self, _request: web.Request) -> web.Response:
        return web.json_response(asdict(self.faults))

    async def _set_faults(self, request: web.Request) -> web.Response:
        self.faults.change(await body_of(request))
        self.workspace.note("faults_changed", **asdict(self.faults))
        return web.json_response(asdict(self.faults))

    async def _fault_act(self, request: web.Request) -> web.Response:
        body = await body_of(request)
        match request.match_info["act"]:
            case "drop":
                self.sockets.drop()
            case "disconnect":
                await self.sockets.disconnect(body.get("reason", "refresh_requested"))
            case "token":
                self.webapi.revoke(TokenState(body["state"]))
            case "scopes":
                self.workspace.app.scopes = [str(scope) for scope in body["scopes"]]
                self.workspace.apps.keep("app", self.workspace.app)
            case "subscriptions":
                self.workspace.app.events = [str(event) for event in body["events"]]
                self.workspace.apps.keep("app", self.workspace.app)
            case other:
                raise CannotDo(f"There is no fault called {other}.")
        return web.json_response({})

    async def _add_person(self, request: web.Request) -> web.Response:
        body = await body_of(request)
        person = Person(
            id=body.get("id") or self.workspace.mint("U"),
            name=body["name"],
            handle=body.get("handle") or body["name"].lower().replace(" ", "."),
            email=body.get("email", ""),
            role=Role(body.get("role", Role.MEMBER)),
            team=body.get("team") or TEAM_ID,
            title=body.get("title", ""),
        )
        if person.id in self.workspace.persons:
            raise ValueError("there is a person with this id already")
        self.workspace.persons.keep(person.id, person)
        self.workspace.note("person_added", person=person.id)
        return web.json_response(asdict(person))

    async def _change_person(self, request: web.Request) -> web.Response:
        person = self.workspace.persons.get(request.match_info["person"])
        if person is None:
            raise CannotDo("There is no such person in the practice workspace.")
        body = await body_of(request)
        if "role" in body:
            body["role"] = Role(body["role"])
        changed = replace(person, **body, id=person.id)
        self.workspace.persons.keep(person.id, changed)
        self.workspace.note("person_changed", person=person.id)
        user = person_payload(changed, with_email="users:read.email" in self.workspace.app.scopes)
        self.sockets.event({"type": "user_change", "user": user, "cache_ts": self.workspace.seconds()})
        return web.json_response(asdict(changed))

    async def _add_channel(self, request: web.Request) -> web.Response:
        body = await body_of(request)
        channel = Channel(
            id=self.workspace.mint("C"),
            name=body["name"],
            private=bool(body.get("private", True)),
            members=[str(member) for member in body.get("members", [])],
            created=self.workspace.seconds(),
        )
        self.workspace.channels.keep(channel.id, channel)
        self.workspace.note("channel_created", channel=channel.id, private=channel.private)
        return web.json_response(asdict(channel))

    # what a person sees

    def _person(self, request: web.Request) -> Person:
        return self.acts.person(request.match_info["person"])

    async def _channels(self, request: web.Request) -> web.Response:
        found = self.workspace.channels_of(self._person(request).id)
        return web.json_response([asdict(channel) for channel in found])

    async def _messages(self, request: web.Request) -> web.Response:
        person = self._person(request)
        channel = self.acts.channel(person, request.match_info["channel"])
        newest = int(request.query.get("newest", "0"))
        found = self.workspace.messages_for(person.id, channel.id)[-newest:]  # -0: all of them
        return web.json_response([asdict(message) for message in found])

    def _view(self, view: View) -> Json:
        return {**asdict(view), "values": self.acts.views.payload(view)["state"]["values"]}

    async def _home(self, request: web.Request) -> web.Response:
        home = self.workspace.home_of(self._person(request).id)
        return web.json_response(self._view(home) if home else None)

    async def _views(self, request: web.Request) -> web.Response:
        stack = self.workspace.stack_of(self._person(request).id)
        return web.json_response([self._view(view) for view in stack])

    async def _read_file(self, request: web.Request) -> web.Response:
        file_id = request.match_info["file"]
        if not self.acts.sees_file(self._person(request), file_id):
            raise CannotDo("This person sees no such file.")
        content = (self.workspace.files_folder / file_id).read_bytes()
        filed = self.workspace.files[file_id]
        kind = "application/pdf" if filed.name.lower().endswith(".pdf") else "application/octet-stream"
        return web.Response(body=content, content_type=kind, headers={"X-Content-Type-Options": "nosniff"})

    async def _file_facts(self, request: web.Request) -> web.Response:
        file_id = request.match_info["file"]
        if not self.acts.sees_file(self._person(request), file_id):
            raise CannotDo("This person sees no such file.")
        return web.json_response(asdict(self.workspace.files[file_id]))

    # what a person does

    async def _add_file(self, request: web.Request) -> web.Response:
        filed = self.acts.file(self._person(request), request.query["name"], await request.read())
        return web.json_response(asdict(filed))

    async def _open_home(self, request: web.Request) -> web.Response:
        body = await body_of(request)
        self.acts.open_home(self._person(request), body.get("tab", "home"))
        return web.json_response({})

    async def _use(self, request: web.Request) -> web.Response:
        person, body = self._person(request), await body_of(request)
        place = self.acts.place(person, body)
        outcome = await self.acts.use(
            person, place, body["action_id"], block_id=body.get("block_id", ""), choice=body.get("choice")
        )
        return _outcome(outcome)

    async def _fill(self, request: web.Request) -> web.Response:
        person, body = self._person(request), await body_of(request)
        self.acts.fill(
            person,
            self.acts.place(person, body),
            body["action_id"],
            block_id=body.get("block_id", ""),
            choice=body.get("choice"),
        )
        return web.json_response({})

    async def _suggest(self, request: web.Request) -> web.Response:
        person, body = self._person(request), await body_of(request)
        outcome = await self.acts.suggest(
            person,
            self.acts.place(person, body),
            body["action_id"],
            block_id=body.get("block_id", ""),
            typed=body.get("typed", ""),
        )
        return _outcome(outcome)

    async def _submit(self, request: web.Request) -> web.Response:
        body = await body_of(request)
        return _outcome(await self.acts.submit(self._person(request), body["view"]))

    async def _close(self, request: web.Request) -> web.Response:
        body = await body_of(request)
        clear = bool(body.get("clear", False))
        return _outcome(await self.acts.close(self._person(request), body["view"], clear=clear))

    async def _command(self, request: web.Request) -> web.Response:
        person, body = self._person(request), await body_of(request)
        return _outcome(
            await self.acts.command(
                person, body["command"], text=body.get("text", ""), channel=body.get("channel", "")
            )
        )

    async def _say(self, request: web.Request) -> web.Response:
        body = await body_of(request)
        return web.json_response(asdict(self.acts.say(self._person(request), body["channel"], body["text"])))

    async def _join(self, request: web.Request) -> web.Response:
        """Join a public channel, or (with `added`) be put into any channel by somebody else."""
        person, body = self._person(request), await body_of(request)
        channel = self.workspace.channels.get(body["channel"])
        if channel is None or (channel.private and not body.get("added")):
            raise CannotDo("This person can join no such channel.")
        if person.id not in channel.members:
            self.webapi.admit(channel, person.id)
        return web.json_response(asdict(channel))

    async def _leave(self, request: web.Request) -> web.Response:
        person, body = self._person(request), await body_of(request)
        channel = self.acts.channel(person, body["channel"])
        self.webapi.dismiss(channel, person.id)
        return web.json_response(asdict(channel))

    async def _archive(self, request: web.Request) -> web.Response:
        person, body = self._person(request), await body_of(request)
        channel = self.acts.channel(person, body["channel"])
        channel.archived = bool(body.get("archived", True))
        self.workspace.channels.keep(channel.id, channel)
        self.workspace.note("channel_archived", channel=channel.id, archived=channel.archived)
        return web.json_response(asdict(channel))


async def body_of(request: web.Request) -> dict[str, Any]:
    """Read a request's JSON object; an absent body is an empty one.

    Raises:
        TypeError: it is JSON, but no object.
        ValueError: it is not JSON.
    """
    text = await request.text()
    body = json.loads(text) if text else {}
    if not isinstance(body, dict):
        raise TypeError("a JSON object is expected")
    return body


def _outcome(outcome: Outcome) -> web.Response:
    return web.json_response(asdict(outcome))
