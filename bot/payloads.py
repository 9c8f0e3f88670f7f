"""What Slack sends, read once into frozen values: clicks, submissions, commands, events.

Buttons and modals carry keys only (`Target`): a case number and ids, never content.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from store.rules.errors import BadInput

_SEPARATOR = "|"


@dataclass(frozen=True, slots=True)
class Target:
    """What a button or modal is about.

    Attributes:
        number: the case's number; empty for the Board's own business.
        about: id of a fact, document or message; 0 for none.
        page: the page of a list, from 0.
    """

    number: str = ""
    about: int = 0
    page: int = 0

    def text(self) -> str:
        """Give it as the value of a button or a modal's private metadata."""
        return _SEPARATOR.join((self.number, str(self.about), str(self.page)))

    def at(self, page: int) -> "Target":
        """Give the same with another page."""
        return replace(self, page=page)


def read_target(text: str) -> Target:
    """Read a button's value.

    Raises:
        BadInput: it is none of ours, or of another version.
    """
    parts = text.split(_SEPARATOR)
    try:
        number, about, page = parts
        return Target(number, int(about), int(page))
    except ValueError as error:
        raise BadInput(
            "This button is from another version of Docket; nothing was changed.",
            mend="Open the case again with /ethics case NUMBER.",
        ) from error


@dataclass(frozen=True, slots=True)
class Click:
    """A click on a button, or a choice in a menu that reports at once.

    Attributes:
        team: the workspace that the click came from.
        user: who clicked, as Slack names him.
        action: the element's action id.
        target: what it is about.
        trigger: opens one modal within three seconds.
        channel: the channel of its message; empty in a modal or App Home.
        ts: the message's timestamp.
        view: the view it stands in; empty in a message.
        in_modal: whether that view is a modal.
    """

    team: str
    user: str
    action: str
    target: Target
    trigger: str
    channel: str = ""
    ts: str = ""
    view: str = ""
    in_modal: bool = False


def read_click(body: Mapping[str, Any]) -> Click:
    """Read a `block_actions` payload."""
    action = body["actions"][0]
    chosen = action.get("selected_option") or {}
    view = body.get("view") or {}
    container = body.get("container") or {}
    return Click(
        team=_team(body),
        user=str(body["user"]["id"]),
        action=str(action["action_id"]),
        target=read_target(str(action.get("value") or chosen.get("value") or "")),
        trigger=str(body.get("trigger_id", "")),
        channel=str((body.get("channel") or {}).get("id") or container.get("channel_id") or ""),
        ts=str(container.get("message_ts") or ""),
        view=str(view.get("id") or ""),
        in_modal=view.get("type") == "modal",
    )


def _team(body: Mapping[str, Any]) -> str:
    return str((body.get("team") or {}).get("id") or body["user"].get("team_id") or "")


@dataclass(frozen=True, slots=True)
class Submission:
    """A submitted modal.

    Attributes:
        team: the workspace that it came from.
        user: who submitted.
        callback: the modal's callback id.
        target: what it is about.
        view: the modal's id.
        mark: the same for each delivery of this submission.
        values: what was typed and chosen, by block.
    """

    team: str
    user: str
    callback: str
    target: Target
    view: str
    mark: str
    values: Mapping[str, Any] = field(repr=False)

    def text(self, block: str) -> str:
        """Give what was typed; empty for nothing."""
        return str(self._value(block).get("value") or "").strip()

    def chosen(self, block: str) -> str:
        """Give the one choice; empty for none."""
        return str((self._value(block).get("selected_option") or {}).get("value") or "")

    def several(self, block: str) -> tuple[str, ...]:
        """Give the choices, in order."""
        return tuple(str(one["value"]) for one in self._value(block).get("selected_options") or ())

    def day(self, block: str) -> date | None:
        """Give the day picked; None for none."""
        picked = self._value(block).get("selected_date")
        return date.fromisoformat(picked) if picked else None

    def _value(self, block: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.values.get(block, {}).get(block, {})
        return found


def read_submission(body: Mapping[str, Any]) -> Submission:
    """Read a `view_submission` payload."""
    view = body["view"]
    return Submission(
        team=_team(body),
        user=str(body["user"]["id"]),
        callback=str(view.get("callback_id", "")),
        target=read_target(str(view.get("private_metadata", ""))),
        view=str(view["id"]),
        mark=f"{view['id']}:{view.get('hash', '')}",
        values=view.get("state", {}).get("values", {}),
    )


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command."""

    team: str
    user: str
    channel: str
    words: tuple[str, ...]
    trigger: str


def read_command(body: Mapping[str, Any]) -> Command:
    """Read a slash command's payload."""
    return Command(
        team=str(body.get("team_id", "")),
        user=str(body["user_id"]),
        channel=str(body.get("channel_id", "")),
        words=tuple(str(body.get("text") or "").split()),
        trigger=str(body.get("trigger_id", "")),
    )


@dataclass(frozen=True, slots=True)
class Event:
    """An event: its id is the same for each delivery."""

    id: str
    kind: str
    team: str
    user: str
    channel: str = ""
    tab: str = ""


def read_event(body: Mapping[str, Any]) -> Event:
    """Read an `event_callback` payload; `user` is an id, or an object where a person changed."""
    event = body["event"]
    user = event.get("user") or ""
    return Event(
        id=str(body.get("event_id", "")),
        kind=str(event.get("type", "")),
        team=str(body.get("team_id", "")),
        user=str(user.get("id", "") if isinstance(user, dict) else user),
        channel=str(event.get("channel") or ""),
        tab=str(event.get("tab") or ""),
    )
