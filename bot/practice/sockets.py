"""Socket Mode as the practice Slack speaks it: connections, envelopes, acknowledgements, redelivered events.

Source: Slack's pages on Socket Mode and on the Events API's retries; payload shapes as slack-sdk and bolt read them.
"""

import asyncio
import json
import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field

from aiohttp import WSMessage, WSMsgType, web

from bot.practice.blocks_check import Json
from bot.practice.carriage import Ack, Envelope, Failure
from bot.practice.faults import Faults
from bot.practice.requests import SignedRequests
from bot.practice.state import TEAM_ID, Workspace

TICKET_LIFE_S = 30.0


@dataclass(frozen=True, slots=True)
class Timing:
    """How long the workspace waits, in seconds.

    Attributes:
        ack_within_s: for an acknowledgement; Slack's is 3.
        retry_after_s: before each redelivery of an event; Slack's are at once, one minute, five minutes.
        ping_every_s: between the server's own pings.
        trigger_life_s: how long a trigger_id may be used; Slack's is 3.
    """

    ack_within_s: float = 3.0
    retry_after_s: tuple[float, ...] = (0.0, 60.0, 300.0)
    ping_every_s: float = 5.0
    trigger_life_s: float = 3.0


@dataclass(slots=True, eq=False)
class _Connection:
    socket: web.WebSocketResponse
    transport: asyncio.Transport | None
    waiting: dict[str, asyncio.Future[Ack | Failure]] = field(default_factory=dict)

    def settle(self, envelope_id: str, payload: Json) -> None:
        answer = self.waiting.get(envelope_id)
        if answer is not None and not answer.done():
            answer.set_result(Ack(payload))

    def lose(self) -> None:
        for answer in self.waiting.values():
            if not answer.done():
                answer.set_result(Failure.NO_CONNECTION)


class Sockets:
    """The app's Socket Mode connections, and delivery over them."""

    def __init__(
        self, workspace: Workspace, faults: Faults, *, timing: Timing, monotonic: Callable[[], float]
    ) -> None:
        """No connections yet; `monotonic` gives seconds."""
        self.workspace = workspace
        self.faults = faults
        self.timing = timing
        self._monotonic = monotonic
        self.requests = SignedRequests(workspace.app.signing_secret, timing.ack_within_s)
        self._tickets: dict[str, float] = {}
        self._connections: list[_Connection] = []
        self._turn = 0
        self._deliveries: set[asyncio.Task[None]] = set()

    @property
    def open(self) -> int:
        """How many connections are open."""
        return len(self._connections)

    @property
    def owed(self) -> int:
        """How many events the app has not yet acknowledged, nor been given up on."""
        return len(self._deliveries)

    def ticket(self) -> str:
        """A ticket for one connection, good for 30 seconds."""
        ticket = secrets.token_urlsafe(24)
        self._tickets[ticket] = self._monotonic() + TICKET_LIFE_S
        return ticket

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answer a WebSocket request: hello, then acknowledgements until it closes."""
        if self.faults.sockets_refused:
            return web.Response(status=503)
        if self._tickets.pop(request.query.get("ticket", ""), 0.0) < self._monotonic():
            return web.Response(status=403)
        socket = web.WebSocketResponse(autoping=False, timeout=1.0)
        await socket.prepare(request)
        connection = _Connection(socket, request.transport)
        self._connections.append(connection)
        self.workspace.note("socket_opened", connections=self.open)
        pinging = asyncio.create_task(self._ping(connection))
        try:
            await self._hello(connection)
            async for frame in socket:
                await self._take(connection, frame)
        finally:
            pinging.cancel()
            self._forget(connection)
        return socket

    def _forget(self, connection: _Connection) -> None:
        self._connections.remove(connection)
        connection.lose()
        self.workspace.note("socket_closed", connections=self.open)

    async def _hello(self, connection: _Connection) -> None:
        hello = {
            "type": "hello",
            "num_connections": self.open,
            "debug_info": {"host": "practice", "build_number": 1, "approximate_connection_time": 18060},
            "connection_info": {"app_id": self.workspace.app.app_id},
        }
        if not self.faults.silent:
            await connection.socket.send_json(hello)

    async def _take(self, connection: _Connection, frame: WSMessage) -> None:
        if self.faults.silent:
            return
        if frame.type is WSMsgType.PING:
            await connection.socket.pong(frame.data)
        elif frame.type is WSMsgType.TEXT:
            self._acknowledge(connection, frame.data)

    def _acknowledge(self, connection: _Connection, text: str) -> None:
        try:
            answer = json.loads(text)
        except ValueError:
            self.workspace.note("socket_nonsense")
            return
        if isinstance(answer, dict):
            connection.settle(str(answer.get("envelope_id")), answer.get("payload") or {})

    async def _ping(self, connection: _Connection) -> None:
        while True:
            await asyncio.sleep(self.timing.ping_every_s)
            if not self.faults.silent and not connection.socket.closed:
                await connection.socket.ping(b"Ping from practice")

    async def deliver(
        self, kind: Envelope, payload: Json, *, attempt: int = 0, reason: str = ""
    ) -> Ack | Failure:
        """Send one envelope over one connection and wait for its acknowledgement; over HTTP where that is set."""
        if self.requests.urls:
            return await self.requests.deliver(kind, payload, attempt=attempt, reason=reason)
        if not self._connections:
            return Failure.NO_CONNECTION
        self._turn += 1
        connection = self._connections[self._turn % self.open]
        envelope_id = str(uuid.uuid4())
        envelope: Json = {
            "envelope_id": envelope_id,
            "type": kind.value,
            "payload": payload,
            "accepts_response_payload": kind is not Envelope.EVENT,
        }
        if kind is Envelope.EVENT:
            envelope |= {"retry_attempt": attempt, "retry_reason": reason}
        answer: asyncio.Future[Ack | Failure] = asyncio.get_running_loop().create_future()
        connection.waiting[envelope_id] = answer
        try:
            if not self.faults.silent:
                await connection.socket.send_json(envelope)
            return await asyncio.wait_for(answer, self.timing.ack_within_s)
        except TimeoutError:
            return Failure.TIMEOUT
        except ConnectionError:
            return Failure.NO_CONNECTION
        finally:
            del connection.waiting[envelope_id]

    def event(self, event: Json) -> None:
        """Send an event to the app, again where it is not acknowledged. Not subscribed to: nothing is sent."""
        app = self.workspace.app
        if event["type"] not in app.events:
            return
        if self.faults.strikes("lost_events"):
            self.workspace.note("event_lost", type=event["type"])
            return
        wrapper = self._wrapper({**event, "event_ts": self.workspace.stamp()})
        for _ in range(2 if self.faults.strikes("repeated_events") else 1):
            delivery = asyncio.create_task(self._redeliver(wrapper))
            self._deliveries.add(delivery)
            delivery.add_done_callback(self._deliveries.discard)

    def _wrapper(self, event: Json) -> Json:
        app = self.workspace.app
        team = TEAM_ID
        return {
            "token": app.verification,
            "team_id": team,
            "context_team_id": team,
            "context_enterprise_id": None,
            "api_app_id": app.app_id,
            "event": event,
            "type": "event_callback",
            "event_id": self.workspace.mint("Ev"),
            "event_time": self.workspace.seconds(),
            "authorizations": [
                {
                    "enterprise_id": None,
                    "team_id": team,
                    "user_id": app.bot_user,
                    "is_bot": True,
                    "is_enterprise_install": False,
                }
            ],
            "is_ext_shared_channel": False,
        }

    async def _redeliver(self, wrapper: Json) -> None:
        seen = {"event_id": wrapper["event_id"], "type": wrapper["event"]["type"]}
        reason = ""
        for attempt, delay_s in enumerate((0.0, *self.timing.retry_after_s)):
            await asyncio.sleep(delay_s)
            outcome = await self.deliver(Envelope.EVENT, wrapper, attempt=attempt, reason=reason)
            if isinstance(outcome, Ack):
                self.workspace.note("event_acknowledged", attempt=attempt, **seen)
                return
            reason = outcome.value
            self.workspace.note("event_unacknowledged", attempt=attempt, reason=reason, **seen)
        self.workspace.note("event_given_up", **seen)

    async def disconnect(self, reason: str) -> None:
        """Announce a disconnection on every connection (`warning` leaves it open, the others close it)."""
        frame = {"type": "disconnect", "reason": reason, "debug_info": {"host": "practice"}}
        for connection in list(self._connections):
            await connection.socket.send_json(frame)
            if reason != "warning":
                await connection.socket.close()

    def drop(self) -> None:
        """Cut every connection without a word."""
        for connection in list(self._connections):
            if connection.transport is not None:
                connection.transport.abort()

    async def close(self) -> None:
        """End deliveries and connections."""
        for delivery in list(self._deliveries):
            delivery.cancel()
        await asyncio.gather(*self._deliveries, return_exceptions=True)
        for connection in list(self._connections):
            await connection.socket.close()
