"""Slack's Web API as the practice workspace answers it: one function a method, Slack's own error names.

Source: Slack's reference of the methods; what is refused is what the reference lists as errors.
"""

import asyncio
import json
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.practice.blocks_check import (
    MESSAGE_BLOCK_TEXT,
    Json,
    message_faults,
    text_together,
    with_ids,
)
from bot.practice.faults import Faults
from bot.practice.shapes import channel_payload, file_payload, message_payload, person_payload
from bot.practice.sockets import Sockets
from bot.practice.state import (
    TEAM_DOMAIN,
    TEAM_ID,
    App,
    Channel,
    Filed,
    Message,
    Person,
    Role,
    TokenState,
    Workspace,
)
from bot.practice.views import SlackRefusal, Views

CHANNEL_NAME = 80
MESSAGE_TEXT = 40_000
INVITED = 100
_NAME = re.compile(r"[a-z0-9_-]+")
_SENT_AS_JSON = ("blocks", "view", "attachments", "metadata", "files", "users")


@dataclass(frozen=True, slots=True)
class Call:
    """One call: its method and arguments, JSON strings already read."""

    method: str
    args: Json

    def text(self, name: str) -> str:
        """An argument as text; empty where it was not sent."""
        value = self.args.get(name)
        return "" if value is None else str(value)

    def need(self, name: str) -> str:
        """An argument that must be there."""
        value = self.text(name)
        if not value:
            messages = [f"[ERROR] missing required field: {name}"]
            raise SlackRefusal("invalid_arguments", response_metadata={"messages": messages})
        return value

    def flag(self, name: str, *, default: bool = False) -> bool:
        """An argument as yes or no, as JSON or as a form sends it."""
        value = self.text(name).lower()
        return default if not value else value in {"1", "true", "yes"}

    def names(self, name: str) -> list[str]:
        """A list, sent as such or parted by commas."""
        value = self.args.get(name)
        if isinstance(value, list):
            return [str(part) for part in value]
        return [part.strip() for part in self.text(name).split(",") if part.strip()]


def read_call(method: str, args: Mapping[str, Any]) -> Call:
    """A call from its form or JSON arguments.

    Raises:
        SlackRefusal: an argument that must be JSON is none.
    """
    read = dict(args)
    for name in _SENT_AS_JSON:
        value = read.get(name)
        if isinstance(value, str) and (name != "users" or value.startswith("[")):
            try:
                read[name] = json.loads(value)
            except ValueError:
                error = "invalid_blocks_format" if name == "blocks" else "invalid_arguments"
                raise SlackRefusal(error) from None
    return Call(method, read)


T = TypeVar("T")
Answer = Callable[["WebApi", Call], Json]


class WebApi:
    """Carries calls out on the workspace."""

    def __init__(
        self, workspace: Workspace, sockets: Sockets, views: Views, *, faults: Faults, base: Callable[[], str]
    ) -> None:
        """Args beyond the workspace's parts: `base` gives the server's address, without a slash at its end."""
        self.workspace = workspace
        self.sockets = sockets
        self.views = views
        self.faults = faults
        self.base = base
        self._uploads: dict[str, str] = {}

    # tokens, scopes

    def call(self, token: str, call: Call) -> Json:
        """Answer a call.

        Raises:
            SlackRefusal: with Slack's error name.
        """
        known = METHODS.get(call.method)
        if known is None:
            raise SlackRefusal("unknown_method", req_method=call.method)
        self._check_token(token, call.method)
        answer, scopes = known
        self._check_scopes(scopes(self, call))
        return {"ok": True, **answer(self, call)}

    @property
    def _app(self) -> App:
        return self.workspace.app

    def _check_token(self, token: str, method: str) -> None:
        if not token:
            raise SlackRefusal("not_authed")
        right, other = self._app.bot_token, self._app.app_token
        if method == "apps.connections.open":
            right, other = other, right
        if secrets.compare_digest(token, other) and method not in _ANY_TOKEN:
            raise SlackRefusal("not_allowed_token_type")
        if token not in {right, other}:
            raise SlackRefusal("invalid_auth")
        if self._app.state != TokenState.ACTIVE and token == self._app.bot_token:
            raise SlackRefusal(self._app.state)
        if self._app.state == TokenState.INACTIVE:
            raise SlackRefusal(self._app.state)

    def _check_scopes(self, needed: list[str]) -> None:
        for scope in needed:
            if scope not in self._app.scopes:
                raise SlackRefusal("missing_scope", needed=scope, provided=",".join(self._app.scopes))

    # finding things

    def _seen_channel(self, call: Call, name: str = "channel") -> Channel:
        """A channel the bot may know of: public, or one it is in."""
        channel = self.workspace.channels.get(call.need(name))
        if channel is None or (channel.private and self._app.bot_user not in channel.members):
            raise SlackRefusal("channel_not_found")
        return channel

    def _own_channel(self, call: Call, name: str = "channel") -> Channel:
        """A channel the bot is in."""
        channel = self._seen_channel(call, name)
        if self._app.bot_user not in channel.members:
            raise SlackRefusal("not_in_channel")
        return channel

    def _live_channel(self, call: Call, name: str = "channel") -> Channel:
        channel = self._own_channel(call, name)
        if channel.archived:
            raise SlackRefusal("is_archived")
        return channel

    def _named_channel(self, call: Call) -> Channel:
        channel = self._live_channel(call)
        if channel.direct:
            raise SlackRefusal("method_not_supported_for_channel_type")
        return channel

    def _person(self, person_id: str) -> Person:
        person = self.workspace.persons.get(person_id)
        if person is None:
            raise SlackRefusal("user_not_found")
        return person

    # auth and such

    def auth_test(self, _call: Call) -> Json:
        """auth.test."""
        app = self._app
        return {
            "url": f"{self.base()}/",
            "team": "Practice",
            "user": app.name,
            "team_id": TEAM_ID,
            "user_id": app.bot_user,
            "bot_id": app.bot_id,
            "is_enterprise_install": False,
        }

    def auth_revoke(self, call: Call) -> Json:
        """auth.revoke."""
        if not call.flag("test"):
            self.revoke(TokenState.REVOKED)
        return {"revoked": not call.flag("test")}

    def revoke(self, state: TokenState) -> None:
        """Make the bot token invalid (or valid again), and tell the app by the event Slack sends for it."""
        self._app.state = state.value
        self.workspace.apps.keep("app", self._app)
        self.workspace.note("token_state", state=state.value)
        if state is TokenState.REVOKED:
            self.sockets.event(
                {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [self._app.bot_user]}}
            )
        elif state is TokenState.INACTIVE:
            self.sockets.event({"type": "app_uninstalled"})

    def connections_open(self, _call: Call) -> Json:
        """apps.connections.open."""
        address = self.base().replace("http://", "ws://", 1)
        return {"url": f"{address}/socket?ticket={self.sockets.ticket()}&app_id={self._app.app_id}"}

    def team_info(self, _call: Call) -> Json:
        """team.info."""
        return {
            "team": {"id": TEAM_ID, "name": "Practice", "domain": TEAM_DOMAIN, "email_domain": "", "icon": {}}
        }

    def bots_info(self, call: Call) -> Json:
        """bots.info."""
        app = self._app
        if call.text("bot") not in {"", app.bot_id}:
            raise SlackRefusal("bot_not_found")
        bot = {
            "id": app.bot_id,
            "deleted": False,
            "name": app.name,
            "app_id": app.app_id,
            "user_id": app.bot_user,
        }
        return {"bot": bot}

    # persons

    def _shape(self, person: Person) -> Json:
        return person_payload(person, with_email="users:read.email" in self._app.scopes)

    def users_info(self, call: Call) -> Json:
        """users.info."""
        return {"user": self._shape(self._person(call.need("user")))}

    def users_list(self, call: Call) -> Json:
        """users.list."""
        members, following = _page(list(self.workspace.persons.values()), call)
        return {"members": [self._shape(person) for person in members], **following}

    def users_lookup(self, call: Call) -> Json:
        """users.lookupByEmail; deactivated people are not found."""
        wanted = call.need("email").lower()
        for person in self.workspace.persons.values():
            if person.email.lower() == wanted and person.role != Role.DEACTIVATED:
                return {"user": self._shape(person)}
        raise SlackRefusal("users_not_found")

    def users_presence(self, call: Call) -> Json:
        """users.getPresence."""
        self._person(call.need("user"))
        return {"presence": "active"}

    def users_conversations(self, call: Call) -> Json:
        """users.conversations."""
        whose = call.text("user") or self._app.bot_user
        found = [
            channel
            for channel in self.workspace.channels_of(self._person(whose).id)
            if not channel.private or self._app.bot_user in channel.members
        ]
        return self._listed(call, found)

    # messages

    def _checked_blocks(self, call: Call) -> list[Json]:
        blocks = call.args.get("blocks")
        if not blocks:
            return []
        faults = message_faults(blocks)
        if faults:
            messages = [f"[ERROR] {fault}" for fault in faults]
            raise SlackRefusal("invalid_blocks", errors=faults, response_metadata={"messages": messages})
        if text_together(blocks) >= MESSAGE_BLOCK_TEXT:
            raise SlackRefusal("msg_blocks_too_long")
        return with_ids(blocks, lambda: secrets.token_urlsafe(4))

    def _checked_text(self, call: Call, blocks: list[Json]) -> str:
        text = call.text("text")
        if not text and not blocks and not call.args.get("attachments"):
            raise SlackRefusal("no_text")
        if len(text) > MESSAGE_TEXT:
            raise SlackRefusal("msg_too_long")
        return text

    def _addressed(self, call: Call) -> Channel:
        """Where a message goes: a channel the bot is in, or a person's direct message."""
        where = call.need("channel")
        person = self.workspace.persons.get(where)
        if person is None:
            return self._live_channel(call)
        if person.role in {Role.DEACTIVATED, Role.BOT} or person.team != TEAM_ID:
            raise SlackRefusal("channel_not_found")
        return self.workspace.direct({person.id, self._app.bot_user})

    def post_message(self, call: Call) -> Json:
        """chat.postMessage."""
        channel = self._addressed(call)
        blocks = self._checked_blocks(call)
        text = self._checked_text(call, blocks)
        thread_ts = call.text("thread_ts")
        if thread_ts and self.workspace.message(channel.id, thread_ts) is None:
            raise SlackRefusal("thread_not_found")
        message = Message(
            channel=channel.id,
            ts=self.workspace.stamp(),
            author=self._app.bot_user,
            text=text,
            blocks=blocks,
            by_app=True,
            thread_ts=thread_ts,
            metadata=call.args.get("metadata") or {},
            unfurl_links=call.flag("unfurl_links", default=True),
            unfurl_media=call.flag("unfurl_media", default=True),
        )
        return self.posted(message)

    def posted(self, message: Message, kind: str = "message_posted") -> Json:
        """Store a message and answer as chat.postMessage does."""
        self.workspace.keep_message(message)
        self.workspace.note(kind, channel=message.channel, ts=message.ts, author=message.author)
        return {
            "channel": message.channel,
            "ts": message.ts,
            "message": message_payload(message, self.workspace, self.base()),
        }

    def _own_message(self, call: Call, refused: str) -> Message:
        channel = self._own_channel(call)
        message = self.workspace.message(channel.id, call.need("ts"))
        if message is None or message.only_for:
            raise SlackRefusal("message_not_found")
        if channel.archived:
            raise SlackRefusal("is_archived")
        if not message.by_app:
            raise SlackRefusal(refused)
        return message

    def update_message(self, call: Call) -> Json:
        """chat.update; blocks not sent stay only where no text is sent either."""
        message = self._own_message(call, "cant_update_message")
        blocks = self._checked_blocks(call)
        if blocks or "blocks" in call.args or "text" in call.args:
            message.text = self._checked_text(call, blocks)
            message.blocks = blocks
        message.metadata = call.args.get("metadata") or message.metadata
        message.edited = self.workspace.stamp()
        return {**self.posted(message, "message_updated"), "text": message.text}

    def delete_message(self, call: Call) -> Json:
        """chat.delete."""
        message = self._own_message(call, "cant_delete_message")
        self.workspace.drop_message(message)
        self.workspace.note("message_deleted", channel=message.channel, ts=message.ts)
        return {"channel": message.channel, "ts": message.ts}

    def post_ephemeral(self, call: Call) -> Json:
        """chat.postEphemeral."""
        channel = self._live_channel(call)
        person = self._person(call.need("user"))
        if person.id not in channel.members:
            raise SlackRefusal("user_not_in_channel")
        blocks = self._checked_blocks(call)
        text = self._checked_text(call, blocks)
        message = Message(
            channel=channel.id,
            ts=self.workspace.stamp(),
            author=self._app.bot_user,
            text=text,
            blocks=blocks,
            by_app=True,
            only_for=person.id,
        )
        self.posted(message, "ephemeral_posted")
        return {"message_ts": message.ts}

    def permalink(self, call: Call) -> Json:
        """chat.getPermalink."""
        channel = self._seen_channel(call)
        ts = call.need("message_ts")
        if self.workspace.message(channel.id, ts) is None:
            raise SlackRefusal("message_not_found")
        return {
            "channel": channel.id,
            "permalink": f"{self.base()}/archives/{channel.id}/p{ts.replace('.', '')}",
        }

    # channels

    def _free_name(self, name: str) -> str:
        if not name:
            raise SlackRefusal("invalid_name_required")
        if len(name) > CHANNEL_NAME:
            raise SlackRefusal("invalid_name_maxlength")
        if not _NAME.fullmatch(name):
            raise SlackRefusal("invalid_name_specials")
        if not name.strip("-_"):
            raise SlackRefusal("invalid_name_punctuation")
        if any(channel.name == name for channel in self.workspace.channels.values()):
            raise SlackRefusal("name_taken")
        return name

    def create(self, call: Call) -> Json:
        """conversations.create."""
        channel = Channel(
            id=self.workspace.mint("C"),
            name=self._free_name(call.text("name")),
            private=call.flag("is_private"),
            members=[self._app.bot_user],
            creator=self._app.bot_user,
            created=self.workspace.seconds(),
        )
        self.workspace.channels.keep(channel.id, channel)
        self.workspace.note("channel_created", channel=channel.id, private=channel.private)
        return self._channel(channel)

    def _channel(self, channel: Channel) -> Json:
        return {"channel": channel_payload(channel, bot_user=self._app.bot_user)}

    def _invite_fault(self, channel: Channel, person_id: str) -> str:
        person = self.workspace.persons.get(person_id)
        if person is None:
            return "user_not_found"
        if person.id == self._app.bot_user:
            return "cant_invite_self"
        if person.id in channel.members:
            return "already_in_channel"
        if person.role in {Role.GUEST, Role.RESTRICTED}:
            return "user_is_restricted"
        if person.role == Role.DEACTIVATED or person.team != TEAM_ID:
            return "cant_invite"
        return ""

    def invite(self, call: Call) -> Json:
        """conversations.invite; one that cannot be invited stops all, unless `force`."""
        channel = self._named_channel(call)
        wanted = call.names("users")
        if not wanted:
            raise SlackRefusal("no_user")
        if len(wanted) > INVITED:
            raise SlackRefusal("too_many_users")
        faults = {person: fault for person in wanted if (fault := self._invite_fault(channel, person))}
        errors = [{"user": person, "ok": False, "error": fault} for person, fault in faults.items()]
        invited = [person for person in wanted if person not in faults]
        if faults and not (call.flag("force") and invited):
            raise SlackRefusal(next(iter(faults.values())), errors=errors)
        for person in invited:
            self.admit(channel, person, inviter=self._app.bot_user)
        return self._channel(channel) | ({"errors": errors} if errors else {})

    def admit(self, channel: Channel, person: str, *, inviter: str = "") -> None:
        """Put a person into a channel; the app is told where it is in there too."""
        channel.members.append(person)
        self.workspace.channels.keep(channel.id, channel)
        self.workspace.note("member_added", channel=channel.id, person=person)
        event = {
            "type": "member_joined_channel",
            "user": person,
            "channel": channel.id,
            "channel_type": "G" if channel.private else "C",
            "team": TEAM_ID,
        }
        if self._app.bot_user in channel.members:
            self.sockets.event(event | ({"inviter": inviter} if inviter else {}))

    def dismiss(self, channel: Channel, person: str) -> None:
        """Take a person out of a channel."""
        channel.members.remove(person)
        self.workspace.channels.keep(channel.id, channel)
        self.workspace.note("member_removed", channel=channel.id, person=person)
        if self._app.bot_user in channel.members:
            self.sockets.event(
                {
                    "type": "member_left_channel",
                    "user": person,
                    "channel": channel.id,
                    "channel_type": "G" if channel.private else "C",
                    "team": TEAM_ID,
                }
            )

    def kick(self, call: Call) -> Json:
        """conversations.kick."""
        channel = self._named_channel(call)
        person = self._person(call.need("user"))
        if person.id == self._app.bot_user:
            raise SlackRefusal("cant_kick_self")
        if person.id not in channel.members:
            raise SlackRefusal("not_in_channel")
        self.dismiss(channel, person.id)
        return {"errors": {}}

    def archive(self, call: Call) -> Json:
        """conversations.archive; the bot is in it no more afterwards, as Slack has it."""
        channel = self._own_channel(call)
        if channel.direct:
            raise SlackRefusal("method_not_supported_for_channel_type")
        if channel.archived:
            raise SlackRefusal("already_archived")
        channel.archived = True
        self.workspace.channels.keep(channel.id, channel)
        self.workspace.note("channel_archived", channel=channel.id)
        return {}

    def unarchive(self, call: Call) -> Json:
        """conversations.unarchive; a bot may not, since archiving took it out of the channel."""
        channel = self._seen_channel(call)
        raise SlackRefusal("not_in_channel" if channel.archived else "not_archived")

    def rename(self, call: Call) -> Json:
        """conversations.rename."""
        channel = self._named_channel(call)
        if channel.name != call.text("name"):
            channel.name = self._free_name(call.text("name"))
        self.workspace.channels.keep(channel.id, channel)
        self.workspace.note("channel_renamed", channel=channel.id)
        return self._channel(channel)

    def set_topic(self, call: Call) -> Json:
        """conversations.setTopic."""
        channel = self._named_channel(call)
        channel.topic = _within(call.text("topic"), 250)
        self.workspace.channels.keep(channel.id, channel)
        return self._channel(channel)

    def set_purpose(self, call: Call) -> Json:
        """conversations.setPurpose."""
        channel = self._named_channel(call)
        channel.purpose = _within(call.text("purpose"), 250)
        self.workspace.channels.keep(channel.id, channel)
        return self._channel(channel) | {"purpose": channel.purpose}

    def join(self, call: Call) -> Json:
        """conversations.join; public channels only."""
        channel = self._seen_channel(call)
        if channel.private:
            raise SlackRefusal("method_not_supported_for_channel_type")
        if channel.archived:
            raise SlackRefusal("is_archived")
        if self._app.bot_user not in channel.members:
            channel.members.append(self._app.bot_user)
            self.workspace.channels.keep(channel.id, channel)
        return self._channel(channel)

    def leave(self, call: Call) -> Json:
        """conversations.leave."""
        channel = self._named_channel(call)
        self.dismiss(channel, self._app.bot_user)
        return {}

    def info(self, call: Call) -> Json:
        """conversations.info."""
        return self._channel(self._seen_channel(call))

    def members(self, call: Call) -> Json:
        """conversations.members."""
        channel = self._seen_channel(call)
        members, following = _page(channel.members, call)
        return {"members": members, **following}

    def open_direct(self, call: Call) -> Json:
        """conversations.open."""
        if call.text("channel"):
            return self._channel(self._own_channel(call))
        persons = [self._person(person) for person in call.names("users")]
        if not persons:
            raise SlackRefusal("users_list_not_supplied")
        for person in persons:
            if person.role == Role.DEACTIVATED:
                raise SlackRefusal("user_disabled")
            if person.team != TEAM_ID:
                raise SlackRefusal("user_not_visible")
        before = len(self.workspace.channels)
        channel = self.workspace.direct({person.id for person in persons} | {self._app.bot_user})
        return self._channel(channel) | {
            "no_op": before == len(self.workspace.channels),
            "already_open": before == len(self.workspace.channels),
        }

    def list_channels(self, call: Call) -> Json:
        """conversations.list."""
        bot = self._app.bot_user
        found = [c for c in self.workspace.channels.values() if not c.private or bot in c.members]
        return self._listed(call, found)

    def _listed(self, call: Call, found: list[Channel]) -> Json:
        kinds = set(call.names("types")) or {"public_channel"}
        hidden = call.flag("exclude_archived")
        wanted = [c for c in found if _kind(c) in kinds and not (hidden and c.archived)]
        channels, following = _page(wanted, call)
        shapes = [channel_payload(channel, bot_user=self._app.bot_user) for channel in channels]
        return {"channels": shapes, **following}

    def history(self, call: Call) -> Json:
        """conversations.history."""
        channel = self._own_channel(call)
        found = self.workspace.messages_for(self._app.bot_user, channel.id)
        shapes = [message_payload(message, self.workspace, self.base()) for message in reversed(found)]
        return {"messages": shapes, "has_more": False}

    # views

    def _opened(self, call: Call) -> str:
        return call.need("trigger_id")

    def views_open(self, call: Call) -> Json:
        """views.open."""
        return {"view": self.views.payload(self.views.open(self._opened(call), call.args.get("view")))}

    def views_push(self, call: Call) -> Json:
        """views.push."""
        return {"view": self.views.payload(self.views.push(self._opened(call), call.args.get("view")))}

    def views_update(self, call: Call) -> Json:
        """views.update."""
        view = self.views.find(call.text("view_id"), call.text("external_id"))
        if view.kind != "modal":
            raise SlackRefusal("not_found")
        fresh = self.views.update(view, call.args.get("view"), call.text("hash"))
        return {"view": self.views.payload(fresh)}

    def views_publish(self, call: Call) -> Json:
        """views.publish."""
        person = self._person(call.need("user_id"))
        if person.role == Role.DEACTIVATED or person.team != TEAM_ID:
            raise SlackRefusal("user_not_found")
        return {
            "view": self.views.payload(
                self.views.publish(person.id, call.args.get("view"), call.text("hash"))
            )
        }

    # files

    def upload_url(self, call: Call) -> Json:
        """files.getUploadURLExternal."""
        length = call.need("length")
        if not length.isdigit() or int(length) == 0:
            raise SlackRefusal("invalid_arguments")
        filed = Filed(
            id=self.workspace.mint("F"),
            name=call.need("filename"),
            title="",
            size=int(length),
            uploader=self._app.bot_user,
            created=self.workspace.seconds(),
        )
        self.workspace.files.keep(filed.id, filed)
        ticket = secrets.token_urlsafe(24)
        self._uploads[ticket] = filed.id
        return {"upload_url": f"{self.base()}/upload/v1/{ticket}", "file_id": filed.id}

    def upload(self, ticket: str, content: bytes) -> bool:
        """Take a file's bytes at its upload URL; False where the URL is unknown or the length is wrong."""
        filed = self.workspace.files.get(self._uploads.get(ticket, ""))
        if filed is None or filed.size != len(content):
            return False
        (self.workspace.files_folder / filed.id).write_bytes(content)
        return True

    def complete_upload(self, call: Call) -> Json:
        """files.completeUploadExternal; the file shows in its channel a little later."""
        wanted = [part for part in call.args.get("files") or [] if isinstance(part, dict)]
        files = [self._uploaded(part) for part in wanted]
        if not files:
            raise SlackRefusal("invalid_arguments")
        channels = [call.text("channel_id")] if call.text("channel_id") else call.names("channels")
        for name in channels:
            self._live_channel(Call(call.method, {"channel": name}))
        for filed, part in zip(files, wanted, strict=True):
            filed.title = str(part.get("title") or filed.name)
            filed.complete = True
            self.workspace.files.keep(filed.id, filed)
        for name in channels:
            asyncio.get_running_loop().call_later(self.faults.late_files_s, self._share, name, files, call)
        return {"files": [file_payload(filed, self.base()) for filed in files]}

    def _uploaded(self, part: Json) -> Filed:
        filed = self.workspace.files.get(str(part.get("id")))
        if filed is None or filed.complete or not (self.workspace.files_folder / filed.id).exists():
            raise SlackRefusal("file_not_found")
        return filed

    def _share(self, channel: str, files: list[Filed], call: Call) -> None:
        for filed in files:
            filed.channels.append(channel)
            self.workspace.files.keep(filed.id, filed)
        message = Message(
            channel=channel,
            ts=self.workspace.stamp(),
            author=self._app.bot_user,
            text=call.text("initial_comment"),
            by_app=True,
            thread_ts=call.text("thread_ts"),
            files=[filed.id for filed in files],
        )
        self.posted(message, "file_shared")

    def file_info(self, call: Call) -> Json:
        """files.info."""
        return {"file": file_payload(self._file(call), self.base())}

    def _file(self, call: Call) -> Filed:
        filed = self.workspace.files.get(call.need("file"))
        if filed is None:
            raise SlackRefusal("file_not_found")
        return filed

    def delete_file(self, call: Call) -> Json:
        """files.delete."""
        filed = self._file(call)
        if filed.uploader != self._app.bot_user:
            raise SlackRefusal("cant_delete_file")
        self.workspace.files.drop(filed.id)
        (self.workspace.files_folder / filed.id).unlink(missing_ok=True)
        self.workspace.note("file_deleted", file=filed.id)
        return {}


def _within(text: str, longest: int) -> str:
    if len(text) > longest:
        raise SlackRefusal("too_long")
    return text


def _kind(channel: Channel) -> str:
    if channel.direct:
        return "im" if len(channel.members) == 2 else "mpim"
    return "private_channel" if channel.private else "public_channel"


def _page(things: list[T], call: Call) -> tuple[list[T], Json]:
    """One page of a list, and the cursor to the next."""
    cursor, limit = call.text("cursor") or "0", call.text("limit") or "100"
    if not cursor.isdecimal():
        raise SlackRefusal("invalid_cursor")
    if not limit.isdecimal() or not 1 <= int(limit) <= 1000:
        raise SlackRefusal("invalid_limit")
    start = int(cursor)
    end = start + int(limit)
    following = str(end) if end < len(things) else ""
    return things[start:end], {"response_metadata": {"next_cursor": following}}


Scopes = Callable[[WebApi, Call], list[str]]
_READ = {
    "public_channel": "channels:read",
    "private_channel": "groups:read",
    "im": "im:read",
    "mpim": "mpim:read",
}
_WRITE = {
    "public_channel": "channels:manage",
    "private_channel": "groups:write",
    "im": "im:write",
    "mpim": "mpim:write",
}
_HISTORY = {
    "public_channel": "channels:history",
    "private_channel": "groups:history",
    "im": "im:history",
    "mpim": "mpim:history",
}


def _always(*scopes: str) -> Scopes:
    return lambda _api, _call: list(scopes)


def _by_channel(scopes: Mapping[str, str]) -> Scopes:
    def needed(api: WebApi, call: Call) -> list[str]:
        channel = api.workspace.channels.get(call.text("channel"))
        return [scopes[_kind(channel)]] if channel else []

    return needed


def _by_types(_api: WebApi, call: Call) -> list[str]:
    kinds = call.names("types") or ["public_channel"]
    return [_READ[kind] for kind in kinds if kind in _READ]


def _to_create(_api: WebApi, call: Call) -> list[str]:
    return ["groups:write" if call.flag("is_private") else "channels:manage"]


def _to_open(_api: WebApi, call: Call) -> list[str]:
    return ["mpim:write" if len(call.names("users")) > 1 else "im:write"]


_NONE = _always()
_ANY_TOKEN = frozenset({"auth.test", "auth.revoke"})
METHODS: Mapping[str, tuple[Answer, Scopes]] = {
    "api.test": (lambda _api, _call: {}, _NONE),
    "apps.connections.open": (WebApi.connections_open, _NONE),
    "auth.revoke": (WebApi.auth_revoke, _NONE),
    "auth.test": (WebApi.auth_test, _NONE),
    "bots.info": (WebApi.bots_info, _always("users:read")),
    "chat.delete": (WebApi.delete_message, _always("chat:write")),
    "chat.getPermalink": (WebApi.permalink, _NONE),
    "chat.postEphemeral": (WebApi.post_ephemeral, _always("chat:write")),
    "chat.postMessage": (WebApi.post_message, _always("chat:write")),
    "chat.update": (WebApi.update_message, _always("chat:write")),
    "conversations.archive": (WebApi.archive, _by_channel(_WRITE)),
    "conversations.create": (WebApi.create, _to_create),
    "conversations.history": (WebApi.history, _by_channel(_HISTORY)),
    "conversations.info": (WebApi.info, _by_channel(_READ)),
    "conversations.invite": (WebApi.invite, _by_channel(_WRITE)),
    "conversations.join": (WebApi.join, _always("channels:join")),
    "conversations.kick": (WebApi.kick, _by_channel(_WRITE)),
    "conversations.leave": (WebApi.leave, _by_channel(_WRITE)),
    "conversations.list": (WebApi.list_channels, _by_types),
    "conversations.members": (WebApi.members, _by_channel(_READ)),
    "conversations.open": (WebApi.open_direct, _to_open),
    "conversations.rename": (WebApi.rename, _by_channel(_WRITE)),
    "conversations.setPurpose": (WebApi.set_purpose, _by_channel(_WRITE)),
    "conversations.setTopic": (WebApi.set_topic, _by_channel(_WRITE)),
    "conversations.unarchive": (WebApi.unarchive, _by_channel(_WRITE)),
    "files.completeUploadExternal": (WebApi.complete_upload, _always("files:write")),
    "files.delete": (WebApi.delete_file, _always("files:write")),
    "files.getUploadURLExternal": (WebApi.upload_url, _always("files:write")),
    "files.info": (WebApi.file_info, _always("files:read")),
    "team.info": (WebApi.team_info, _always("team:read")),
    "users.conversations": (WebApi.users_conversations, _by_types),
    "users.getPresence": (WebApi.users_presence, _always("users:read")),
    "users.info": (WebApi.users_info, _always("users:read")),
    "users.list": (WebApi.users_list, _always("users:read")),
    "users.lookupByEmail": (WebApi.users_lookup, _always("users:read.email")),
    "views.open": (WebApi.views_open, _NONE),
    "views.publish": (WebApi.views_publish, _NONE),
    "views.push": (WebApi.views_push, _NONE),
    "views.update": (WebApi.views_update, _NONE),
}
"""What the practice workspace answers: the function, and the scopes the call needs."""
