"""What a person does in the practice Slack, and the payloads that Slack sends to the app for it.

Only what the person can see can be acted upon. Payloads have the shape of Slack's `block_actions`, `view_submission`,
`view_closed`, `block_suggestion` and slash commands.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bot.practice.blocks_check import Json, elements, message_faults, with_ids
from bot.practice.carriage import Ack, Envelope, Failure
from bot.practice.shapes import (
    channel_in_payload,
    message_payload,
    person_in_payload,
    team_payload,
)
from bot.practice.sockets import Sockets
from bot.practice.state import (
    TEAM_DOMAIN,
    TEAM_ID,
    Channel,
    Filed,
    Held,
    Message,
    Person,
    Role,
    View,
    Workspace,
)
from bot.practice.values import Choice, NotOffered, chosen, lacking, state_values
from bot.practice.views import SlackRefusal, Views, held_key
from bot.practice.webapi import WebApi

HOOK_USES = 5
HOOK_LIFE_S = 1800.0


class CannotDo(Exception):
    """The person cannot do this: there is no such thing, or he does not see it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an act.

    Attributes:
        ok: the app acknowledged and, for a submission, had nothing to say against it.
        failure: `timeout`, `connection_failed` or `bad_answer`, empty otherwise; the person sees a warning sign.
        errors: complaints shown in the modal, by block_id.
        view_id: the modal on top afterwards; empty where none is open.
        options: what an external menu offers.
    """

    ok: bool
    failure: str = ""
    errors: dict[str, str] = field(default_factory=dict)
    view_id: str = ""
    options: list[Json] = field(default_factory=list)


@dataclass(slots=True)
class _Hook:
    person: str
    channel: str
    ts: str
    until: float
    uses: int = 0


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an element stands, as the person sees it."""

    blocks: list[Json]
    surface: str
    message: Message | None = None
    view: View | None = None


class Acts:
    """Persons acting."""

    def __init__(
        self,
        workspace: Workspace,
        sockets: Sockets,
        views: Views,
        *,
        webapi: WebApi,
        monotonic: Callable[[], float],
    ) -> None:
        """Work on the given parts; `monotonic` gives seconds."""
        self.workspace = workspace
        self.sockets = sockets
        self.views = views
        self.webapi = webapi
        self._monotonic = monotonic
        self._hooks: dict[str, _Hook] = {}
        self._suggested: dict[str, list[Json]] = {}

    # who and where

    def person(self, person_id: str) -> Person:
        """A person who can act."""
        person = self.workspace.persons.get(person_id)
        if person is None:
            raise CannotDo("There is no such person in the practice workspace.")
        if person.role in {Role.DEACTIVATED, Role.BOT}:
            raise CannotDo("This account cannot act: it is deactivated, or a bot.")
        return person

    def channel(self, person: Person, channel_id: str) -> Channel:
        """A channel the person is in."""
        channel = self.workspace.channels.get(channel_id)
        if channel is None or person.id not in channel.members:
            raise CannotDo("This person sees no such channel.")
        return channel

    def _message_place(self, person: Person, channel_id: str, ts: str) -> _Place:
        channel = self.channel(person, channel_id)
        message = self.workspace.message(channel.id, ts)
        if message is None or message.only_for not in {"", person.id}:
            raise CannotDo("This person sees no such message.")
        return _Place(message.blocks, f"{channel_id}/{ts}", message=message)

    def _view_place(self, person: Person, view_id: str) -> _Place:
        view = self.workspace.views.get(view_id)
        if view is None or view.person != person.id:
            raise CannotDo("This person has no such view open.")
        return _Place(view.body["blocks"], view.id, view=view)

    def place(self, person: Person, where: Mapping[str, str]) -> _Place:
        """A message (`channel`, `ts`) or a view (`view`)."""
        if where.get("view"):
            return self._view_place(person, where["view"])
        return self._message_place(person, where.get("channel", ""), where.get("ts", ""))

    def _element(self, place: _Place, action_id: str, block_id: str) -> tuple[Json, Json]:
        for block, element in elements(place.blocks):
            if element.get("action_id") == action_id and block_id in {"", block["block_id"]}:
                return block, element
        raise CannotDo(f"There is nothing to use called {action_id!r} there.")

    # typing and choosing

    def _hold(self, person: Person, place: _Place, block: Json, *, element: Json, value: Json) -> None:
        key = held_key(person.id, place.surface)
        held = self.workspace.held.get(key) or Held()
        held.values.setdefault(block["block_id"], {})[element["action_id"]] = value
        self.workspace.held.keep(key, held)

    def fill(
        self, person: Person, place: _Place, action_id: str, *, block_id: str = "", choice: Choice = None
    ) -> None:
        """Type into or choose in an input, without sending anything.

        Raises:
            CannotDo: there is no such element, or it does not offer that.
        """
        block, element = self._element(place, action_id, block_id)
        self._hold(person, place, block, element=element, value=self._chosen(element, choice))

    def _chosen(self, element: Json, choice: Choice) -> Json:
        try:
            value = chosen(element, choice, self._suggested.get(element["action_id"]))
        except NotOffered as refusal:
            raise CannotDo(str(refusal)) from refusal
        if element["type"] == "file_input":
            value["files"] = [self._file_shape(file_id) for file_id in value["files"]]
        return value

    def _file_shape(self, file_id: str) -> Json:
        filed = self.workspace.files.get(file_id)
        if filed is None:
            raise CannotDo("There is no such file.")
        return {"id": filed.id, "name": filed.name, "title": filed.title, "size": filed.size}

    async def use(
        self, person: Person, place: _Place, action_id: str, *, block_id: str = "", choice: Choice = None
    ) -> Outcome:
        """Click a button, or choose in a menu that reports at once."""
        block, element = self._element(place, action_id, block_id)
        action = self._action(block, element, choice)
        if element["type"] not in {"button", "overflow"}:
            value = {name: part for name, part in action.items() if name in {"type", *_reported(action)}}
            self._hold(person, place, block, element=element, value=value)
        if block["type"] == "input" and not block.get("dispatch_action"):
            return Outcome(ok=True, view_id=self._top(person))
        payload = self._action_payload(person, place)
        payload["actions"] = [action]
        answer = await self._send(Envelope.INTERACTION, payload)
        return self._outcome(person, answer)

    def _action(self, block: Json, element: Json, choice: Choice) -> Json:
        named = {"action_id": element["action_id"], "block_id": block["block_id"]}
        stamp = {"action_ts": self.workspace.stamp()}
        if element["type"] == "button":
            own: Json = {name: element[name] for name in ("text", "value", "style", "url") if name in element}
            return {**named, **own, "type": "button", **stamp}
        return {**named, **self._chosen(element, choice), **stamp}

    def _action_payload(self, person: Person, place: _Place) -> Json:
        payload = self._envelope("block_actions", person)
        held = self.workspace.held.get(held_key(person.id, place.surface))
        values = state_values(place.blocks, held.values if held else {}, untouched=True)
        if place.view is not None:
            view = self.views.payload(place.view)
            container = {"type": "view", "view_id": place.view.id}
            return {**payload, "container": container, "view": view}
        assert place.message is not None
        channel = self.workspace.channels[place.message.channel]
        ephemeral = bool(place.message.only_for)
        return {
            **payload,
            "container": {
                "type": "message",
                "message_ts": place.message.ts,
                "channel_id": channel.id,
                "is_ephemeral": ephemeral,
            },
            "channel": channel_in_payload(channel),
            "message": message_payload(place.message, self.workspace, self.webapi.base()),
            "state": {"values": values},
            "response_url": self._hook(person, channel.id, place.message.ts),
        }

    def _envelope(self, kind: str, person: Person) -> Json:
        app = self.workspace.app
        return {
            "type": kind,
            "user": person_in_payload(person),
            "api_app_id": app.app_id,
            "token": app.verification,
            "trigger_id": self.views.trigger(person),
            "team": team_payload(),
            "enterprise": None,
            "is_enterprise_install": False,
        }

    async def _send(self, kind: Envelope, payload: Json) -> Ack | Failure:
        sort = payload.get("type") or payload.get("command")
        person = payload["user"]["id"] if "user" in payload else payload["user_id"]
        self.workspace.note("interaction_sent", sort=sort, person=person)
        answer = await self.sockets.deliver(kind, payload)
        if isinstance(answer, Failure):
            self.workspace.note("interaction_failed", sort=sort, person=person, failure=answer.value)
        else:
            self.workspace.note("interaction_acknowledged", sort=sort, person=person)
        return answer

    def _top(self, person: Person) -> str:
        stack = self.workspace.stack_of(person.id)
        return stack[-1].id if stack else ""

    def _outcome(self, person: Person, answer: Ack | Failure) -> Outcome:
        failure = answer.value if isinstance(answer, Failure) else ""
        return Outcome(ok=not failure, failure=failure, view_id=self._top(person))

    async def suggest(
        self, person: Person, place: _Place, action_id: str, *, block_id: str = "", typed: str = ""
    ) -> Outcome:
        """Type into an external menu; the outcome carries what the app offers."""
        block, element = self._element(place, action_id, block_id)
        payload = {
            **self._action_payload(person, place),
            "type": "block_suggestion",
            "action_id": action_id,
            "block_id": block["block_id"],
            "value": typed,
        }
        del payload["trigger_id"]
        answer = await self._send(Envelope.INTERACTION, payload)
        if isinstance(answer, Failure):
            return self._outcome(person, answer)
        offered = list(answer.payload.get("options", []))
        for group in answer.payload.get("option_groups", []):
            offered.extend(group.get("options", []))
        if len(offered) > 100:
            return Outcome(ok=False, failure="bad_answer", view_id=self._top(person))
        self._suggested[element["action_id"]] = offered
        return Outcome(ok=True, view_id=self._top(person), options=offered)

    # modals

    async def submit(self, person: Person, view_id: str) -> Outcome:
        """Press the modal's submit button with what is typed."""
        place = self._view_place(person, view_id)
        view = place.view
        assert view is not None
        if view.kind != "modal" or view.id != self._top(person):
            raise CannotDo("Only the topmost modal can be submitted.")
        shape = self.views.payload(view)
        faults = lacking(view.body["blocks"], shape["state"]["values"])
        if faults:
            return Outcome(ok=False, errors=faults, view_id=view.id)
        payload = {**self._envelope("view_submission", person), "view": shape, "response_urls": []}
        answer = await self._send(Envelope.INTERACTION, payload)
        if isinstance(answer, Failure):
            return self._outcome(person, answer)
        return self._answered(person, view, answer.payload)

    def _answered(self, person: Person, view: View, answer: Json) -> Outcome:
        """Do with the modal what the answer to its submission says."""
        if view.id not in self.workspace.views:
            return Outcome(ok=True, view_id=self._top(person))
        try:
            errors = self._respond(view, answer)
        except SlackRefusal as refusal:
            self.workspace.note("bad_answer", view=view.id, error=refusal.error, more=refusal.more)
            return Outcome(ok=False, failure="bad_answer", view_id=self._top(person))
        return Outcome(ok=not errors, errors=errors, view_id=self._top(person))

    def _respond(self, view: View, answer: Json) -> dict[str, str]:
        match answer.get("response_action"):
            case None:
                if answer:
                    raise SlackRefusal("unknown_response_action")
                self.views.close(view)
            case "errors":
                return _shown_errors(view, answer.get("errors"))
            case "update":
                self.views.update(view, answer.get("view"))
            case "push":
                self.views.push_above(view, answer.get("view"))
            case "clear":
                self.views.clear(view.person)
            case _:
                raise SlackRefusal("unknown_response_action")
        return {}

    async def close(self, person: Person, view_id: str, *, clear: bool = False) -> Outcome:
        """Close a modal (`clear`: all of them), as by its cross; the app hears of it where it asked to."""
        view = self._view_place(person, view_id).view
        assert view is not None
        if view.kind != "modal":
            raise CannotDo("An App Home cannot be closed.")
        shape = self.views.payload(view)
        if clear or view.body.get("clear_on_close"):
            self.views.clear(person.id)
        else:
            self.views.close(view)
        if not view.body.get("notify_on_close"):
            return Outcome(ok=True, view_id=self._top(person))
        payload = {**self._envelope("view_closed", person), "view": shape, "is_cleared": clear}
        del payload["trigger_id"]
        return self._outcome(person, await self._send(Envelope.INTERACTION, payload))

    # commands, App Home, channels

    async def command(self, person: Person, command: str, *, text: str = "", channel: str = "") -> Outcome:
        """Run a slash command in a channel (his own direct message with the app where none is named)."""
        app = self.workspace.app
        place = self.channel(person, channel) if channel else self.workspace.direct({person.id, app.bot_user})
        payload: Json = {
            "token": app.verification,
            "team_id": TEAM_ID,
            "team_domain": TEAM_DOMAIN,
            "channel_id": place.id,
            "channel_name": channel_in_payload(place)["name"],
            "user_id": person.id,
            "user_name": person.handle,
            "command": command,
            "text": text,
            "api_app_id": app.app_id,
            "is_enterprise_install": "false",
            "response_url": self._hook(person, place.id, ""),
            "trigger_id": self.views.trigger(person),
        }
        answer = await self._send(Envelope.COMMAND, payload)
        if isinstance(answer, Ack) and answer.payload:
            self._reply(person.id, place.id, answer.payload)
        return self._outcome(person, answer)

    def open_home(self, person: Person, tab: str = "home") -> None:
        """Open the app's Home (or its messages tab); the app is sent `app_home_opened`."""
        app = self.workspace.app
        direct = self.workspace.direct({person.id, app.bot_user})
        event: Json = {"type": "app_home_opened", "user": person.id, "channel": direct.id, "tab": tab}
        home = self.workspace.home_of(person.id)
        if tab == "home" and home is not None:
            event["view"] = self.views.payload(home)
        self.workspace.note("home_opened", person=person.id, tab=tab)
        self.sockets.event(event)

    def say(self, person: Person, channel_id: str, text: str) -> Message:
        """Write a message."""
        channel = self.channel(person, channel_id)
        if channel.archived:
            raise CannotDo("The channel is archived.")
        message = Message(channel=channel.id, ts=self.workspace.stamp(), author=person.id, text=text)
        self.webapi.posted(message)
        return message

    def file(self, person: Person, name: str, content: bytes) -> Filed:
        """Upload a file, to be chosen in a `file_input`."""
        filed = Filed(
            id=self.workspace.mint("F"),
            name=name,
            title=name,
            size=len(content),
            uploader=person.id,
            created=self.workspace.seconds(),
            complete=True,
        )
        (self.workspace.files_folder / filed.id).write_bytes(content)
        return self.workspace.files.keep(filed.id, filed)

    def sees_file(self, person: Person, file_id: str) -> bool:
        """Whether a person may read a file: it is his, or shown in a channel he is in."""
        filed = self.workspace.files.get(file_id)
        if filed is None:
            return False
        return filed.uploader == person.id or any(
            person.id in self.workspace.channels[channel].members for channel in filed.channels
        )

    # response_url

    def _hook(self, person: Person, channel: str, ts: str) -> str:
        code = secrets.token_urlsafe(18)
        self._hooks[code] = _Hook(person.id, channel, ts, self._monotonic() + HOOK_LIFE_S)
        return f"{self.webapi.base()}/actions/{TEAM_ID}/{code}"

    def respond(self, code: str, body: Json) -> str:
        """Carry out a call to a response_url; hands back Slack's answer, `ok` or an error name."""
        hook = self._hooks.get(code)
        if hook is None or hook.uses >= HOOK_USES or self._monotonic() > hook.until:
            return "used_url" if hook is not None else "expired_url"
        hook.uses += 1
        faults = message_faults(body["blocks"]) if body.get("blocks") else []
        if faults:
            return "invalid_blocks"
        message = self.workspace.message(hook.channel, hook.ts)
        if body.get("delete_original") and message is not None:
            self.workspace.drop_message(message)
            self.workspace.note("message_deleted", channel=message.channel, ts=message.ts)
        elif body.get("replace_original") and message is not None:
            message.text = str(body.get("text") or "")
            message.blocks = with_ids(body.get("blocks") or [], lambda: secrets.token_urlsafe(4))
            message.edited = self.workspace.stamp()
            self.webapi.posted(message, "message_updated")
        else:
            self._reply(hook.person, hook.channel, body)
        return "ok"

    def _reply(self, person: str, channel: str, body: Json) -> None:
        blocks = body.get("blocks") or []
        if message_faults(blocks) or not (blocks or body.get("text")):
            self.workspace.note("bad_answer", channel=channel, error="invalid_blocks")
            return
        shown_to_all = body.get("response_type") == "in_channel"
        message = Message(
            channel=channel,
            ts=self.workspace.stamp(),
            author=self.workspace.app.bot_user,
            text=str(body.get("text") or ""),
            blocks=with_ids(blocks, lambda: secrets.token_urlsafe(4)),
            by_app=True,
            only_for="" if shown_to_all else person,
        )
        self.webapi.posted(message, "message_posted" if shown_to_all else "ephemeral_posted")


def _shown_errors(view: View, errors: object) -> dict[str, str]:
    """Complaints a modal can show: each belongs to one of its input blocks."""
    inputs = {block["block_id"] for block in view.body["blocks"] if block["type"] == "input"}
    if not isinstance(errors, dict) or not errors or not errors.keys() <= inputs:
        raise SlackRefusal("errors_without_input_block")
    return {str(block): str(complaint) for block, complaint in errors.items()}


def _reported(action: Json) -> set[str]:
    """The names under which an action reports its value."""
    return {name for name in action if name.startswith("selected_") or name in {"value", "rich_text_value"}}
