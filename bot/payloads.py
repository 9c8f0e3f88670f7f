"""What Slack sends, read once into frozen values: clicks, submissions, commands, events.

Buttons and modals carry keys only (`Target`): a case number and ids, never content.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Any, TypeVar

from store.rules.calendar import FIRST_YEAR, LAST_YEAR
from store.rules.errors import BadInput

TYPED = 3000
_SEPARATOR = "|"
_LARGEST = 2**63 - 1
_DIGITS = len(str(_LARGEST))
_LONGEST_NUMBER = 40
_LONGEST_WORD = 320
Choices = TypeVar("Choices", bound=StrEnum)


class OddPayload(BadInput):
    """Slack sent what no form of ours sends: an old form, or one that somebody made up.

    Whoever answers the payload has the try journaled, since no act has seen it yet.
    """


def _odd(what: str) -> OddPayload:
    return OddPayload(
        f"{what} Nothing was changed.", mend="Open the form anew; it may be from another version of Docket."
    )


def _table(thing: object) -> Mapping[str, Any]:
    """Give an object of the payload; what is none has nothing in it."""
    return thing if isinstance(thing, Mapping) else {}


def _word(thing: object) -> str:
    """Give an id or a kind, as Slack writes them; nothing for what cannot be one."""
    return thing if isinstance(thing, str) and len(thing) <= _LONGEST_WORD else ""


def read_id(text: str) -> int:
    """Read the id of a fact, person, document or message.

    Raises:
        OddPayload: it is none.
    """
    if not (_is_count(text) and int(text) > 0):
        raise _odd("What was chosen is not in this form.")
    return int(text)


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
        OddPayload: it is none of ours, or of another version.
    """
    number, about, page = (*text.split(_SEPARATOR), "", "", "")[:3]
    whole = text.count(_SEPARATOR) == 2 and len(number) <= _LONGEST_NUMBER and number.isprintable()  # noqa: PLR2004  three parts
    if not (whole and _is_count(about) and _is_count(page)):
        raise OddPayload(
            "This button is from another version of Docket; nothing was changed.",
            mend="Open the case again with /ethics case NUMBER.",
        )
    return Target(number, int(about), int(page))


def _is_count(text: str) -> bool:
    return len(text) <= _DIGITS and text.isascii() and text.isdigit() and int(text) <= _LARGEST


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
        topmost: whether it is the third of its stack, on which Slack puts no further one.
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
    topmost: bool = False


def read_click(body: Mapping[str, Any]) -> Click:
    """Read a `block_actions` payload.

    Raises:
        OddPayload: its button is none of ours, or of another version.
    """
    asked = read_asked(body)
    view, container = _table(body.get("view")), _table(body.get("container"))
    return Click(
        team=asked.team,
        user=asked.user,
        action=asked.named,
        target=read_target(asked.value),
        trigger=_word(body.get("trigger_id")),
        channel=_word(_table(body.get("channel")).get("id")) or _word(container.get("channel_id")),
        ts=_word(container.get("message_ts")),
        view=_word(view.get("id")),
        in_modal=view.get("type") == "modal",
        topmost=is_topmost(view),
    )


def _value_of(action: Mapping[str, Any]) -> object:
    return action.get("value") or _table(action.get("selected_option")).get("value")


def is_topmost(view: Mapping[str, Any]) -> bool:
    """Say whether a modal is the third of its stack, on which Slack puts no further one."""
    before, root = view.get("previous_view_id"), view.get("root_view_id")
    return bool(before) and before != root


def _action(body: Mapping[str, Any]) -> Mapping[str, Any]:
    actions = body.get("actions")
    return _table(actions[0]) if isinstance(actions, list) and actions else {}


@dataclass(frozen=True, slots=True)
class Asked:
    """Who sent something, and which button or form: as much as can be read of any payload.

    Attributes:
        team: the workspace that it came from.
        user: who sent it.
        named: the button's action id, or the modal's callback id.
        value: what it is about, not yet read.
    """

    team: str
    user: str
    named: str
    value: str = field(repr=False)


def read_asked(body: Mapping[str, Any]) -> Asked:
    """Read who sent a click or a submission, and with which button or form; never raises."""
    user, view, action = _table(body.get("user")), _table(body.get("view")), _action(body)
    submitted = body.get("type") == "view_submission"
    return Asked(
        team=_word(_table(body.get("team")).get("id")) or _word(user.get("team_id")),
        user=_word(user.get("id")),
        named=_word(view.get("callback_id") if submitted else action.get("action_id")),
        value=str((view.get("private_metadata") if submitted else _value_of(action)) or ""),
    )


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

    def text(self, block: str, limit: int = TYPED) -> str:
        """Give what was typed; empty for nothing.

        Raises:
            OddPayload: it is longer than any field of ours takes.
        """
        typed = str(self._value(block).get("value") or "")
        if len(typed) > limit:
            raise _odd(f"A text is longer than its field takes ({limit:,} characters).")
        # a half of a surrogate pair or a NUL can be in no text that somebody typed, nor in every database
        return "".join(sign for sign in typed if sign != "\0" and not "\ud800" <= sign <= "\udfff").strip()

    def chosen(self, block: str) -> str:
        """Give the one choice; empty for none."""
        return _word(_table(self._value(block).get("selected_option")).get("value"))

    def several(self, block: str) -> tuple[str, ...]:
        """Give the choices, in order."""
        options = self._value(block).get("selected_options")
        listed = options if isinstance(options, list) else []
        return tuple(dict.fromkeys(_word(_table(one).get("value")) for one in listed))

    def one_of(self, block: str, among: type[Choices]) -> Choices:
        """Give the one choice among those that there are.

        Raises:
            OddPayload: none was made, or there is no such choice.
        """
        try:
            return among(self.chosen(block))
        except ValueError as error:
            raise _odd("A choice is missing, or is none of those in this form.") from error

    def among(self, block: str, words: Collection[str]) -> str:
        """Give the one choice among words of the form.

        Raises:
            OddPayload: none was made, or there is no such choice.
        """
        if self.chosen(block) not in words:
            raise _odd("A choice is missing, or is none of those in this form.")
        return self.chosen(block)

    def pairs(self, block: str) -> dict[int, int]:
        """Give the choices that stand for two ids each, as ``7:3``.

        Raises:
            OddPayload: one of them is no such pair, or the first of two are the same.
        """
        made: dict[int, int] = {}
        for one in self.several(block):
            first, parted, second = one.partition(":")
            if not parted or read_id(first) in made:
                raise _odd("What was chosen does not go together.")
            made[read_id(first)] = read_id(second)
        return made

    def is_yes(self, block: str) -> bool:
        """Give a choice between yes and no.

        Raises:
            OddPayload: neither was chosen.
        """
        if self.chosen(block) not in {"yes", "no"}:
            raise _odd("A choice between yes and no is missing.")
        return self.chosen(block) == "yes"

    def id(self, block: str) -> int:
        """Give the id that was chosen.

        Raises:
            OddPayload: none was.
        """
        return read_id(self.chosen(block))

    def id_or_none(self, block: str) -> int | None:
        """Give the id that was chosen where no choice need be made; None for none.

        Raises:
            OddPayload: it is no id.
        """
        chosen = self.chosen(block)
        return read_id(chosen) if chosen else None

    def id_or_nobody(self, block: str) -> int | None:
        """Give the id that was chosen; None where the choice for nobody (0) was made.

        Raises:
            OddPayload: it is no id, or no choice was made.
        """
        return None if self.chosen(block) == NOBODY else self.id(block)

    def ids(self, block: str) -> tuple[int, ...]:
        """Give the ids that were chosen, in order.

        Raises:
            OddPayload: one of them is none.
        """
        return tuple(read_id(one) for one in self.several(block))

    def ids_among(self, block: str, offered: Iterable[tuple[str, str]]) -> tuple[int, ...]:
        """Give the ids that were chosen among those that the form offers, each with its label.

        Raises:
            OddPayload: one of them is none, or was not offered.
        """
        known = {value for value, _label in offered}
        if not known.issuperset(self.several(block)):
            raise _odd("What was chosen is not in this form.")
        return self.ids(block)

    def account(self, block: str) -> str:
        """Give the account of the workspace that was picked; empty for none."""
        return _word(self._value(block).get("selected_user"))

    def day(self, block: str) -> date | None:
        """Give the day picked; None for none.

        Raises:
            OddPayload: it is no day.
        """
        picked = self._value(block).get("selected_date")
        if not picked:
            return None
        try:
            day = date.fromisoformat(str(picked))
        except ValueError as error:
            raise _odd("A day cannot be read.") from error
        if not FIRST_YEAR <= day.year <= LAST_YEAR:
            raise _odd("A day lies out of reach.")
        return day

    def _value(self, block: str) -> Mapping[str, Any]:
        return _table(_table(self.values.get(block)).get(block))


NOBODY = "0"


def read_submission(body: Mapping[str, Any]) -> Submission:
    """Read a `view_submission` payload.

    Raises:
        OddPayload: what it is about cannot be read.
    """
    asked, view = read_asked(body), _table(body.get("view"))
    return Submission(
        team=asked.team,
        user=asked.user,
        callback=asked.named,
        target=read_target(asked.value or Target().text()),
        view=_word(view.get("id")),
        mark=f"{_word(view.get('id'))}:{_word(view.get('hash'))}",
        values=_table(_table(view.get("state")).get("values")),
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
        team=_word(body.get("team_id")),
        user=_word(body.get("user_id")),
        channel=_word(body.get("channel_id")),
        words=tuple(str(body.get("text") or "").split()),
        trigger=_word(body.get("trigger_id")),
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
    event = _table(body.get("event"))
    user = event.get("user")
    return Event(
        id=_word(body.get("event_id")),
        kind=_word(event.get("type")),
        team=_word(body.get("team_id")),
        user=_word(user) or _word(_table(user).get("id")),
        channel=_word(event.get("channel")),
        tab=_word(event.get("tab")),
    )
