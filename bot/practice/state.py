"""What stands in the practice workspace: its people, channels, messages, views and files, and what happened in it.

Kept in a folder of its own as JSON lines, so that a practice run can be stopped and taken up again. Nothing here
knows Docket's record.
"""

import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from bot.practice.blocks_check import Json

TEAM_ID = "T0PRACTICE"
TEAM_DOMAIN = "practice"
DEFAULT_SCOPES = (
    "chat:write",
    "commands",
    "groups:write",
    "groups:read",
    "im:write",
    "users:read",
    "users:read.email",
    "files:write",
)
DEFAULT_EVENTS = (
    "app_home_opened",
    "tokens_revoked",
    "app_uninstalled",
    "member_joined_channel",
    "user_change",
)


class Role(StrEnum):
    """What a person is in the workspace."""

    MEMBER = "member"
    GUEST = "guest"
    """A guest of several channels: `is_restricted`."""
    RESTRICTED = "restricted"
    """A guest of one channel: `is_ultra_restricted`."""
    DEACTIVATED = "deactivated"
    BOT = "bot"


class TokenState(StrEnum):
    """Whether the app's tokens still work, by Slack's own error names."""

    ACTIVE = "active"
    REVOKED = "token_revoked"
    INACTIVE = "account_inactive"


@dataclass(slots=True)
class App:
    """The installed app: its ids, tokens, scopes and the events it subscribed to."""

    app_id: str = "A0PRACTICE"
    bot_id: str = "B0PRACTICE"
    bot_user: str = "U0DOCKETBOT"
    name: str = "docket"
    bot_token: str = ""
    app_token: str = ""
    signing_secret: str = ""
    verification: str = ""
    scopes: list[str] = field(default_factory=lambda: list(DEFAULT_SCOPES))
    events: list[str] = field(default_factory=lambda: list(DEFAULT_EVENTS))
    state: str = TokenState.ACTIVE


@dataclass(slots=True)
class Person:
    """Somebody in the workspace, or a stranger from another one (other `team`)."""

    id: str
    name: str
    handle: str
    email: str
    role: str = Role.MEMBER
    team: str = TEAM_ID
    zone: str = "America/New_York"
    title: str = ""


@dataclass(slots=True)
class Channel:
    """A channel or a direct message; `members` are ids of persons."""

    id: str
    name: str
    private: bool
    direct: bool = False
    members: list[str] = field(default_factory=list)
    archived: bool = False
    topic: str = ""
    purpose: str = ""
    creator: str = ""
    created: int = 0


@dataclass(slots=True)
class Message:
    """A message; `only_for` is set where it is shown to one person only (ephemeral)."""

    channel: str
    ts: str
    author: str
    text: str
    blocks: list[Json] = field(default_factory=list)
    by_app: bool = False
    thread_ts: str = ""
    edited: str = ""
    only_for: str = ""
    files: list[str] = field(default_factory=list)
    metadata: Json = field(default_factory=dict)
    unfurl_links: bool = True
    unfurl_media: bool = True


@dataclass(slots=True)
class View:
    """A modal or an App Home as one person has it; `body` is what the app sent, ids filled in."""

    id: str
    person: str
    kind: str
    body: Json
    root: str
    previous: str = ""
    hash: str = ""


@dataclass(slots=True)
class Filed:
    """A file uploaded; its bytes lie under `files/` by its id."""

    id: str
    name: str
    title: str
    size: int
    uploader: str
    created: int
    complete: bool = False
    channels: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Held:
    """What a person has typed or chosen on a message or view and not (or already) sent: block -> action -> value."""

    values: dict[str, dict[str, Json]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One thing that happened. `at` is an ISO instant in UTC by the workspace's clock."""

    seq: int
    at: str
    kind: str
    detail: Json


R = TypeVar("R", bound=App | Person | Channel | Message | View | Filed | Held)


class Table(dict[str, R]):
    """Rows of one kind by key; every `keep` and `drop` is written through."""

    def __init__(self, name: str, kind: Callable[..., R], write: Callable[[Json], None]) -> None:
        """Start empty; `kind` builds a row from its JSON, `write` appends a line."""
        super().__init__()
        self.name = name
        self.kind = kind
        self._write = write

    def keep(self, key: str, row: R) -> R:
        """Store a row, new or changed."""
        self[key] = row
        self._write(self.line(key))
        return row

    def drop(self, key: str) -> None:
        """Forget a row."""
        del self[key]
        self._write({"table": self.name, "key": key, "row": None})

    def line(self, key: str) -> Json:
        """A row as it is written."""
        return {"table": self.name, "key": key, "row": asdict(self[key])}

    def replay(self, key: str, row: Json | None) -> None:
        """Take in a line read back."""
        if row is None:
            self.pop(key, None)
        else:
            self[key] = self.kind(**row)


def _lines(path: Path) -> Iterator[Json]:
    """Whole JSON lines of a file; a last line cut by a crash is left out."""
    if not path.exists():
        return
    for line in path.read_bytes().split(b"\n")[:-1]:
        yield json.loads(line)


class Workspace:
    """The workspace's whole state. Used from one thread only: that of the server's event loop."""

    def __init__(self, folder: Path, clock: Callable[[], datetime]) -> None:
        """Open (or begin) the workspace kept in `folder`.

        Args:
            folder: made where it is missing.
            clock: gives aware UTC instants; message timestamps and the event log follow it.
        """
        self.folder = folder
        self.clock = clock
        self.files_folder = folder / "files"
        self.files_folder.mkdir(parents=True, exist_ok=True)
        self.apps = Table("app", App, self._write)
        self.persons = Table("person", Person, self._write)
        self.channels = Table("channel", Channel, self._write)
        self.messages = Table("message", Message, self._write)
        self.views = Table("view", View, self._write)
        self.files = Table("file", Filed, self._write)
        self.held = Table("held", Held, self._write)
        self._tables: tuple[Table[Any], ...] = (
            self.apps,
            self.persons,
            self.channels,
            self.messages,
            self.views,
            self.files,
            self.held,
        )
        self._counter = 0
        self._last_micros = 0
        self.log: list[Occurrence] = []
        self.on_occurrence: Callable[[], None] = lambda: None
        self._replay()
        self._state = (folder / "state.jsonl").open("a", encoding="utf-8")
        self._events = (folder / "events.jsonl").open("a", encoding="utf-8")
        if not self.apps:
            self._found()

    def _replay(self) -> None:
        path = self.folder / "state.jsonl"
        tables = {table.name: table for table in self._tables}
        for line in _lines(path):
            if line["table"] == "counter":
                self._counter = max(self._counter, line["row"])
            else:
                tables[line["table"]].replay(line["key"], line["row"])
        self._compact(path)
        events = self.folder / "events.jsonl"
        self.log.extend(Occurrence(**line) for line in _lines(events))
        _rewrite(events, (asdict(occurrence) for occurrence in self.log))
        stamps = [_micros(message.ts) for message in self.messages.values()]
        self._last_micros = max(stamps, default=0)

    def _compact(self, path: Path) -> None:
        kept: list[Json] = [{"table": "counter", "key": "", "row": self._counter}]
        kept += [table.line(key) for table in self._tables for key in table]
        _rewrite(path, kept)

    def _found(self) -> None:
        app = App(
            bot_token=f"xoxb-practice-{secrets.token_hex(12)}",
            app_token=f"xapp-practice-{secrets.token_hex(12)}",
            signing_secret=secrets.token_hex(16),
            verification=secrets.token_hex(12),
        )
        self.apps.keep("app", app)
        bot = Person(id=app.bot_user, name="Docket", handle=app.name, email="", role=Role.BOT)
        self.persons.keep(bot.id, bot)

    def _write(self, line: Json) -> None:
        self._state.write(json.dumps(line) + "\n")
        self._state.flush()

    def close(self) -> None:
        """Close the files; the workspace is used no more."""
        self._state.close()
        self._events.close()

    @property
    def app(self) -> App:
        """The one app installed."""
        return self.apps["app"]

    def note(self, kind: str, **detail: Any) -> None:
        """Log an occurrence under the next sequence number."""
        at = self.clock().astimezone(UTC).isoformat()
        occurrence = Occurrence(seq=len(self.log) + 1, at=at, kind=kind, detail=detail)
        self.log.append(occurrence)
        self._events.write(json.dumps(asdict(occurrence)) + "\n")
        self._events.flush()
        self.on_occurrence()

    def mint(self, prefix: str) -> str:
        """A fresh id in Slack's manner."""
        self._counter += 1
        self._write({"table": "counter", "key": "", "row": self._counter})
        return f"{prefix}0{_base36(self._counter):0>9}"

    def seconds(self) -> int:
        """The clock as whole seconds since 1970."""
        return int(self.clock().timestamp())

    def stamp(self) -> str:
        """A message timestamp: the clock to the microsecond, never the same twice, never going back."""
        self._last_micros = max(int(self.clock().timestamp() * 1_000_000), self._last_micros + 1)
        return f"{self._last_micros // 1_000_000}.{self._last_micros % 1_000_000:06d}"

    def message(self, channel: str, ts: str) -> Message | None:
        """A message by where and when."""
        return self.messages.get(f"{channel}/{ts}")

    def keep_message(self, message: Message) -> Message:
        """Store a message, new or changed."""
        return self.messages.keep(f"{message.channel}/{message.ts}", message)

    def drop_message(self, message: Message) -> None:
        """Take a message away."""
        self.messages.drop(f"{message.channel}/{message.ts}")

    def messages_for(self, person: str, channel: str) -> list[Message]:
        """The messages of a channel that this person sees, oldest first; none where he is no member."""
        if person not in self.channels[channel].members:
            return []
        found = [
            message
            for message in self.messages.values()
            if message.channel == channel and message.only_for in {"", person}
        ]
        return sorted(found, key=lambda message: message.ts)

    def channels_of(self, person: str) -> list[Channel]:
        """The channels and direct messages a person is in."""
        return [channel for channel in self.channels.values() if person in channel.members]

    def direct(self, persons: set[str]) -> Channel:
        """The direct message among these persons, opened where there is none."""
        for channel in self.channels.values():
            if channel.direct and set(channel.members) == persons:
                return channel
        opened = Channel(
            id=self.mint("D"),
            name="directmessage",
            private=True,
            direct=True,
            members=sorted(persons),
            created=self.seconds(),
        )
        return self.channels.keep(opened.id, opened)

    def home_of(self, person: str) -> View | None:
        """What the app last published to a person's App Home."""
        return next((v for v in self.views.values() if v.person == person and v.kind == "home"), None)

    def stack_of(self, person: str) -> list[View]:
        """The modals a person has open, the lowest first."""
        return [v for v in self.views.values() if v.person == person and v.kind == "modal"]


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, rest = divmod(number, 36)
        digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[rest] + digits
    return digits or "0"


def _micros(ts: str) -> int:
    seconds, micros = ts.split(".")
    return int(seconds) * 1_000_000 + int(micros)


def _rewrite(path: Path, lines: Any) -> None:
    fresh = path.with_suffix(".new")
    with fresh.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(line) + "\n" for line in lines)
    fresh.replace(path)
