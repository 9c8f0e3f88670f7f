"""Modals and App Homes of the practice Slack: triggers, the stack of three, hashes."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from bot.practice.blocks_check import Json, view_faults, view_too_large, with_ids
from bot.practice.state import TEAM_ID, Person, View, Workspace
from bot.practice.values import state_values

STACK = 3


class SlackRefusal(Exception):
    """A call the workspace refuses: Slack's error name, and what Slack adds to it."""

    def __init__(self, error: str, **more: object) -> None:
        """Keep both."""
        super().__init__(error)
        self.error = error
        self.more = more


@dataclass(slots=True)
class _Trigger:
    person: str
    until: float
    used: bool = False


def checked_view(body: object, kinds: tuple[str, ...]) -> Json:
    """A view that Slack would take, or its refusal."""
    faults = view_faults(body)
    if not faults and isinstance(body, dict) and body["type"] not in kinds:
        faults = [f"must be one of: {', '.join(kinds)} [json-pointer:/view/type]"]
    if faults:
        messages = [f"[ERROR] {fault}" for fault in faults]
        raise SlackRefusal("invalid_arguments", response_metadata={"messages": messages})
    assert isinstance(body, dict)
    if view_too_large(body):
        raise SlackRefusal("view_too_large")
    return {**body, "blocks": with_ids(body["blocks"], lambda: secrets.token_urlsafe(4))}


class Views:
    """The views of all persons."""

    def __init__(
        self, workspace: Workspace, *, monotonic: Callable[[], float], trigger_life_s: float
    ) -> None:
        """Nothing triggered yet; `monotonic` gives seconds."""
        self.workspace = workspace
        self._monotonic = monotonic
        self._trigger_life_s = trigger_life_s
        self._triggers: dict[str, _Trigger] = {}

    def trigger(self, person: Person) -> str:
        """A trigger for one view, from what this person just did."""
        trigger_id = f"{self.workspace.seconds()}.{secrets.randbelow(10**12)}.{secrets.token_hex(16)}"
        self._triggers[trigger_id] = _Trigger(person.id, self._monotonic() + self._trigger_life_s)
        return trigger_id

    def _spend(self, trigger_id: str) -> str:
        trigger = self._triggers.get(trigger_id)
        if trigger is None:
            raise SlackRefusal("invalid_trigger_id")
        if trigger.used:
            raise SlackRefusal("exchanged_trigger_id")
        if self._monotonic() >= trigger.until:
            raise SlackRefusal("expired_trigger_id")
        trigger.used = True
        return trigger.person

    def open(self, trigger_id: str, body: object) -> View:
        """views.open: a modal in place of what was open."""
        view = checked_view(body, ("modal",))
        self._external_id_free(view, "")
        person = self._spend(trigger_id)
        self.clear(person)
        return self._add(person, view, below=None)

    def push(self, trigger_id: str, body: object) -> View:
        """views.push: a modal above the one that is open."""
        view = checked_view(body, ("modal",))
        self._external_id_free(view, "")
        stack = self.workspace.stack_of(self._peek(trigger_id))
        if not stack:
            raise SlackRefusal("invalid_trigger_id")
        if len(stack) >= STACK:
            raise SlackRefusal("push_limit_reached")
        return self._add(self._spend(trigger_id), view, below=stack[-1])

    def _peek(self, trigger_id: str) -> str:
        trigger = self._triggers.get(trigger_id)
        return trigger.person if trigger else ""

    def push_above(self, below: View, body: object) -> View:
        """A modal pushed by the answer to a submission."""
        view = checked_view(body, ("modal",))
        if len(self.workspace.stack_of(below.person)) >= STACK:
            raise SlackRefusal("push_limit_reached")
        return self._add(below.person, view, below=below)

    def _add(self, person: str, body: Json, *, below: View | None) -> View:
        view_id = self.workspace.mint("V")
        view = View(
            id=view_id,
            person=person,
            kind=body["type"],
            body=body,
            root=below.root if below else view_id,
            previous=below.id if below else "",
            hash=self._hash(),
        )
        self.workspace.views.keep(view_id, view)
        self.workspace.note("view_pushed" if below else "view_opened", view=view_id, person=person)
        return view

    def _hash(self) -> str:
        return f"{self.workspace.seconds()}.{secrets.token_urlsafe(6)}"

    def find(self, view_id: str, external_id: str) -> View:
        """A view by either of its ids."""
        for view in self.workspace.views.values():
            if view.id == view_id or (external_id and view.body.get("external_id") == external_id):
                return view
        raise SlackRefusal("not_found")

    def update(self, view: View, body: object, given_hash: str = "") -> View:
        """Replace what a modal shows; refused where `given_hash` is no longer its hash."""
        fresh = checked_view(body, (view.kind,))
        self._external_id_free(fresh, view.id)
        if given_hash and given_hash != view.hash:
            raise SlackRefusal("hash_conflict")
        view.body = fresh
        view.hash = self._hash()
        self.workspace.views.keep(view.id, view)
        self.workspace.note(
            "view_updated" if view.kind == "modal" else "home_published", view=view.id, person=view.person
        )
        return view

    def publish(self, person: str, body: object, given_hash: str = "") -> View:
        """views.publish: a person's App Home."""
        home = self.workspace.home_of(person)
        if home is not None:
            return self.update(home, body, given_hash)
        if given_hash:
            raise SlackRefusal("hash_conflict")
        fresh = checked_view(body, ("home",))
        self._external_id_free(fresh, "")
        view_id = self.workspace.mint("V")
        view = View(id=view_id, person=person, kind="home", body=fresh, root=view_id, hash=self._hash())
        self.workspace.views.keep(view_id, view)
        self.workspace.note("home_published", view=view_id, person=person)
        return view

    def _external_id_free(self, body: Json, own: str) -> None:
        wanted = body.get("external_id")
        taken = (view.body.get("external_id") for view in self.workspace.views.values() if view.id != own)
        if wanted and wanted in taken:
            raise SlackRefusal("duplicate_external_id")

    def close(self, view: View) -> None:
        """Take one modal away, with what was typed into it."""
        self.workspace.views.drop(view.id)
        key = held_key(view.person, view.id)
        if key in self.workspace.held:
            self.workspace.held.drop(key)
        self.workspace.note("view_closed", view=view.id, person=view.person)

    def clear(self, person: str) -> None:
        """Take all modals of a person away, the topmost first."""
        for view in reversed(self.workspace.stack_of(person)):
            self.close(view)

    def payload(self, view: View) -> Json:
        """A view as Slack hands it out, with its state."""
        app = self.workspace.app
        held = self.workspace.held.get(held_key(view.person, view.id))
        body = view.body
        return {
            "id": view.id,
            "team_id": TEAM_ID,
            "type": view.kind,
            "blocks": body["blocks"],
            "private_metadata": body.get("private_metadata", ""),
            "callback_id": body.get("callback_id", ""),
            "state": {"values": state_values(body["blocks"], held.values if held else {}, untouched=True)},
            "hash": view.hash,
            "title": body.get("title", {"type": "plain_text", "text": "View Title", "emoji": True}),
            "clear_on_close": body.get("clear_on_close", False),
            "notify_on_close": body.get("notify_on_close", False),
            "close": body.get("close"),
            "submit": body.get("submit"),
            "previous_view_id": view.previous or None,
            "root_view_id": view.root,
            "app_id": app.app_id,
            "external_id": body.get("external_id", ""),
            "app_installed_team_id": TEAM_ID,
            "bot_id": app.bot_id,
        }


def held_key(person: str, surface: str) -> str:
    """Where the workspace keeps what a person typed on a view (its id) or a message (`channel/ts`)."""
    return f"{person}:{surface}"
