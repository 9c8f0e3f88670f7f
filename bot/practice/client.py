"""`Practice`: the practice workspace as the page, the demo and the tests handle it, over its JSON control API."""

import http.client
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from bot.practice.acts import Outcome
from bot.practice.blocks_check import Json, elements
from bot.practice.control import PREFIX, TOKEN_HEADER
from bot.practice.slack import PracticeSlack
from bot.practice.state import Channel, Filed, Message, Occurrence, Person, Role, TokenState
from bot.practice.values import Choice

R = TypeVar("R")
_WAIT_S = 25.0


class PracticeRefusal(Exception):
    """The practice workspace did not do it; `status` is 403, 404 (not there, or not seen) or 400 (not understood)."""

    def __init__(self, status: int, reason: str) -> None:
        """Keep both."""
        super().__init__(reason)
        self.status = status


class NothingHappened(TimeoutError):
    """What was waited for did not happen in time."""


@dataclass(frozen=True, slots=True)
class ShownView:
    """A modal or App Home as a person sees it.

    Attributes:
        body: title, blocks and so on, as the app sent it, ids filled in.
        values: what is typed and chosen in it, as `state.values`.
    """

    id: str
    person: str
    kind: str
    body: Json
    root: str
    previous: str = ""
    hash: str = ""
    values: dict[str, dict[str, Json]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Everything that can be read in it, one piece a line."""
        return "\n".join(texts({**self.body, "private_metadata": "", "callback_id": ""}))


Surface = Message | ShownView


def texts(thing: Any) -> Iterator[str]:
    """Every text a reader sees in blocks, in order."""
    if isinstance(thing, dict):
        own = thing.get("text")
        if isinstance(own, str):
            yield own
        for value in thing.values():
            yield from texts(value)
    elif isinstance(thing, list):
        for value in thing:
            yield from texts(value)


def message_text(message: Message) -> str:
    """Everything that can be read in a message opened in its channel: its blocks, or its text where it has none."""
    return "\n".join(texts(message.blocks)) if message.blocks else message.text


def action_ids(surface: Surface) -> list[str]:
    """The action_ids of everything that can be used on a message or view."""
    blocks = surface.blocks if isinstance(surface, Message) else surface.body["blocks"]
    return [element.get("action_id", "") for _, element in elements(blocks)]


def _read(kind: Callable[..., R], row: Json) -> R:
    return kind(**row)


class Practice:
    """A client of the control API. Persons and channels are named by their ids."""

    def __init__(self, url: str, token: str, *, timeout_s: float = 40.0) -> None:
        """Talk to the practice workspace at `url` (`http://127.0.0.1:PORT`) with its control token."""
        parts = urlsplit(url)
        assert parts.hostname is not None
        self._host = parts.hostname
        self._port = parts.port or 80
        self._token = token
        self._timeout_s = timeout_s

    @classmethod
    def of(cls, server: PracticeSlack) -> "Practice":
        """A client of a server in this process."""
        return cls(server.url, server.control_token)

    def _request(
        self,
        method: str,
        path: str,
        body: Json | bytes | None = None,
        query: Mapping[str, object] | None = None,
    ) -> bytes:
        address = PREFIX + path + (f"?{urlencode(query)}" if query else "")
        content = body if isinstance(body, bytes) else json.dumps(body or {}).encode()
        headers = {TOKEN_HEADER: self._token, "Content-Type": "application/json"}
        if isinstance(body, bytes):
            headers["Content-Type"] = "application/octet-stream"
        with closing(http.client.HTTPConnection(self._host, self._port, timeout=self._timeout_s)) as line:
            line.request(method, address, body=None if method == "GET" else content, headers=headers)
            answer = line.getresponse()
            read = answer.read()
        if answer.status != 200:
            raise PracticeRefusal(answer.status, _reason(read))
        return read

    def _json(self, method: str, path: str, body: Json | None = None, **query: object) -> Any:
        return json.loads(self._request(method, path, body, query))

    def _as(self, person: str, path: str) -> str:
        return f"/persons/{quote(person)}/{path}"

    # the workspace

    def workspace(self) -> Json:
        """Team, bot, token state, open connections, the clock, all persons and channels."""
        shape: Json = self._json("GET", "/workspace")
        return shape

    def persons(self) -> list[Person]:
        """Everybody, the bot included."""
        return [_read(Person, row) for row in self.workspace()["persons"]]

    def all_channels(self) -> list[Channel]:
        """Every channel and direct message, whoever is in it."""
        return [_read(Channel, row) for row in self.workspace()["channels"]]

    def add_person(
        self,
        name: str,
        email: str = "",
        *,
        role: Role = Role.MEMBER,
        team: str = "",
        handle: str = "",
        person_id: str = "",
        title: str = "",
    ) -> Person:
        """Make a person; another `team` makes a stranger, `person_id` (`U...`, `W...`) is made up where empty."""
        body = {"name": name, "email": email, "role": role.value, "team": team, "id": person_id}
        return _read(Person, self._json("POST", "/persons", body | {"handle": handle, "title": title}))

    def change_person(self, person: str, **changes: object) -> Person:
        """Change `role`, `name`, `email`, `handle`, `title`, `zone` or `team`; the app is sent `user_change`."""
        return _read(Person, self._json("PATCH", f"/persons/{quote(person)}", dict(changes)))

    def add_channel(self, name: str, members: list[str], *, private: bool = True) -> Channel:
        """Make a channel that the app did not make (the staff channel); add the bot's id to let it in."""
        return _read(
            Channel,
            self._json("POST", "/channels", {"name": name, "members": members, "private": private}),
        )

    # what a person sees

    def channels(self, person: str) -> list[Channel]:
        """The channels and direct messages a person is in."""
        return [_read(Channel, row) for row in self._json("GET", self._as(person, "channels"))]

    def messages(self, person: str, channel: str, *, newest: int = 0) -> list[Message]:
        """The messages of a channel as the person sees them, oldest first; with `newest`, that many of the last.

        Raises:
            PracticeRefusal: status 404, the person is not in it.
        """
        path = self._as(person, f"channels/{quote(channel)}/messages")
        return [_read(Message, row) for row in self._json("GET", path, newest=newest)]

    def direct(self, person: str) -> list[Message]:
        """The messages between the person and the app, oldest first; empty where there never was one."""
        bot = self.workspace()["bot_user"]
        for channel in self.channels(person):
            if channel.direct and set(channel.members) == {person, bot}:
                return self.messages(person, channel.id)
        return []

    def home(self, person: str) -> ShownView | None:
        """The person's App Home; None before the app published one."""
        row = self._json("GET", self._as(person, "home"))
        return _read(ShownView, row) if row else None

    def modals(self, person: str) -> list[ShownView]:
        """The modals a person has open, the topmost last."""
        return [_read(ShownView, row) for row in self._json("GET", self._as(person, "views"))]

    def modal(self, person: str) -> ShownView:
        """The topmost modal.

        Raises:
            PracticeRefusal: none is open.
        """
        found = self.modals(person)
        if not found:
            raise PracticeRefusal(404, "This person has no modal open.")
        return found[-1]

    def read_file(self, person: str, file_id: str) -> bytes:
        """A file's bytes, for a person who sees it."""
        return self._request("GET", self._as(person, f"files/{quote(file_id)}"))

    # what a person does

    def click(
        self, person: str, surface: Surface, action_id: str, choice: Choice = None, *, block_id: str = ""
    ) -> Outcome:
        """Click a button, or choose in a menu (`choice`: an option's value, an id, a date), and await the answer."""
        body = {**_place(surface), "action_id": action_id, "block_id": block_id, "choice": choice}
        return _read(Outcome, self._json("POST", self._as(person, "use"), body))

    def fill(
        self, person: str, surface: Surface, action_id: str, choice: Choice, *, block_id: str = ""
    ) -> None:
        """Type into an input or choose in it; nothing is sent to the app."""
        body = {**_place(surface), "action_id": action_id, "block_id": block_id, "choice": choice}
        self._json("POST", self._as(person, "fill"), body)

    def suggest(
        self, person: str, surface: Surface, action_id: str, typed: str, *, block_id: str = ""
    ) -> Outcome:
        """Type into an external menu; `options` of the outcome are what the app offers."""
        body = {**_place(surface), "action_id": action_id, "block_id": block_id, "typed": typed}
        return _read(Outcome, self._json("POST", self._as(person, "suggest"), body))

    def submit(self, person: str, values: Mapping[str, Choice] | None = None) -> Outcome:
        """Fill the topmost modal (action_id to choice) and press its submit button."""
        view = self.modal(person)
        for action_id, choice in (values or {}).items():
            self.fill(person, view, action_id, choice)
        return _read(Outcome, self._json("POST", self._as(person, "submit"), {"view": view.id}))

    def close(self, person: str, *, clear: bool = False) -> Outcome:
        """Close the topmost modal, or with `clear` all of them."""
        view = self.modal(person)
        body = {"view": view.id, "clear": clear}
        return _read(Outcome, self._json("POST", self._as(person, "close"), body))

    def command(self, person: str, command: str, text: str = "", *, channel: str = "") -> Outcome:
        """Run a slash command, in the person's messages with the app where no channel is named."""
        body = {"command": command, "text": text, "channel": channel}
        return _read(Outcome, self._json("POST", self._as(person, "command"), body))

    def open_home(self, person: str, tab: str = "home") -> None:
        """Open the app's Home; the app is sent `app_home_opened`."""
        self._json("POST", self._as(person, "home"), {"tab": tab})

    def say(self, person: str, channel: str, text: str) -> Message:
        """Write a message into a channel."""
        return _read(Message, self._json("POST", self._as(person, "say"), {"channel": channel, "text": text}))

    def add_file(self, person: str, name: str, content: bytes) -> Filed:
        """Upload a file, to be chosen by its id in a file input."""
        path = self._as(person, "files")
        return _read(Filed, json.loads(self._request("POST", path, content, {"name": name})))

    def join(self, person: str, channel: str, *, added: bool = False) -> Channel:
        """Join a public channel; with `added`, somebody else puts the person in, into a private one too."""
        body = {"channel": channel, "added": added}
        return _read(Channel, self._json("POST", self._as(person, "join"), body))

    def leave(self, person: str, channel: str) -> Channel:
        """Leave a channel."""
        return _read(Channel, self._json("POST", self._as(person, "leave"), {"channel": channel}))

    def archive(self, person: str, channel: str, *, archived: bool = True) -> Channel:
        """Archive a channel by hand, or take it out of the archive."""
        body = {"channel": channel, "archived": archived}
        return _read(Channel, self._json("POST", self._as(person, "archive"), body))

    # what happened

    def events(self, after: int = 0, *, wait_s: float = 0.0) -> list[Occurrence]:
        """What happened after a sequence number; waits up to `wait_s` (at most 30) for the first."""
        return [_read(Occurrence, row) for row in self._json("GET", "/events", after=after, wait_s=wait_s)]

    def last_seq(self) -> int:
        """The sequence number of what happened last."""
        last: int = self.workspace()["last_seq"]
        return last

    def wait(self, kind: str, after: int = 0, *, timeout_s: float = _WAIT_S, **detail: object) -> Occurrence:
        """Await the first occurrence of a kind, with these details, after a sequence number.

        Raises:
            NothingHappened: it did not come in time.
        """
        until = time.monotonic() + timeout_s
        while (left := until - time.monotonic()) > 0:
            for occurrence in self.events(after, wait_s=left):
                after = occurrence.seq
                if occurrence.kind == kind and detail.items() <= occurrence.detail.items():
                    return occurrence
        raise NothingHappened(f"No {kind} with {detail} within {timeout_s} s.")

    def all_heard(self, *, timeout_s: float = _WAIT_S) -> None:
        """Await that the app acknowledged every event it was sent, whatever it did about it.

        Raises:
            NothingHappened: it did not come in time.
        """
        until = time.monotonic() + timeout_s
        while self.workspace()["events_owed"]:
            if time.monotonic() > until:
                raise NothingHappened(f"Events are owed after {timeout_s} s.")
            time.sleep(0.02)

    # faults

    def faults(self, **switches: object) -> Json:
        """Set fault switches (see `bot.practice.faults.Faults`) and read them all."""
        shape: Json = self._json("PUT", "/faults", dict(switches))
        return shape

    def drop_sockets(self) -> None:
        """Cut every Socket Mode connection without a word."""
        self._json("POST", "/faults/drop")

    def disconnect(self, reason: str = "refresh_requested") -> None:
        """Send a disconnect frame: `warning`, `refresh_requested` or `link_disabled`."""
        self._json("POST", "/faults/disconnect", {"reason": reason})

    def set_token(self, state: TokenState) -> None:
        """Revoke or deactivate the app's token, or make it good again."""
        self._json("POST", "/faults/token", {"state": state.value})

    def set_scopes(self, scopes: list[str]) -> None:
        """Grant the app these scopes and no others."""
        self._json("POST", "/faults/scopes", {"scopes": scopes})

    def set_subscriptions(self, events: list[str]) -> None:
        """Subscribe the app to these events and no others."""
        self._json("POST", "/faults/subscriptions", {"events": events})


def _place(surface: Surface) -> dict[str, str]:
    if isinstance(surface, Message):
        return {"channel": surface.channel, "ts": surface.ts}
    return {"view": surface.id}


def _reason(body: bytes) -> str:
    try:
        return str(json.loads(body)["error"])
    except (ValueError, KeyError, TypeError):
        return "The practice workspace refused."


__all__ = [
    "NothingHappened",
    "Practice",
    "PracticeRefusal",
    "ShownView",
    "action_ids",
    "message_text",
    "texts",
]
