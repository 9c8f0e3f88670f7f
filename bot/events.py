"""Events from Slack: hints only. Nothing that matters hangs on one; each is handled once, and a failed one again."""

from collections.abc import Callable, Mapping

import structlog
from slack_bolt import Ack, App

from bot import home
from bot.blocks import Json
from bot.channels import Channels
from bot.desk import Desk, once
from bot.payloads import Event, read_event
from store.cases import look
from store.rules.access import Membership
from store.rules.errors import AlreadyDone, Refusal

log = structlog.get_logger()

Handle = Callable[[Desk, Event], None]


def attach(app: App, desk: Desk) -> None:
    """Attach every event that the app subscribes to."""
    for kind, handle in HANDLERS.items():
        app.event(kind)(_listener(desk, handle))


def _listener(desk: Desk, handle: Handle) -> Callable[..., None]:
    def listen(ack: Ack, body: Json) -> None:
        event = read_event(body)
        try:
            once(desk, f"event:{event.id}", lambda: handle(desk, event))
        except AlreadyDone:
            log.info("slack.event-again", kind=event.kind)
        ack()

    return listen


def _home_opened(desk: Desk, event: Event) -> None:
    if event.tab == "home":
        home.publish(desk, event.user)


def _joined(desk: Desk, event: Event) -> None:
    """Take out whoever was put into a case's channel by hand and is not entitled."""
    channels = Channels(desk.docket, desk.client, desk.members)
    case_id = channels.case_of(event.channel)
    if case_id is None or event.user == desk.members.bot:
        return
    try:
        look(desk.docket, desk.members.actor(event.user), case_id)
    except Refusal:
        log.warning("slack.stranger-removed")
        channels.remove(case_id, event.channel, event.user)


def _changed(desk: Desk, event: Event) -> None:
    """Ask Slack anew about an account that changed; one that is no member any more leaves every case channel."""
    desk.members.forget(event.user)
    if desk.members.account(event.user).membership is Membership.MEMBER:
        return
    channels = Channels(desk.docket, desk.client, desk.members)
    for place in channels.every():
        if place.case_id is not None:
            channels.remove(place.case_id, place.channel, event.user)


def _revoked(desk: Desk, event: Event) -> None:
    desk.on_dead_token("token_revoked" if event.kind == "tokens_revoked" else "account_inactive")


HANDLERS: Mapping[str, Handle] = {
    "app_home_opened": _home_opened,
    "member_joined_channel": _joined,
    "user_change": _changed,
    "tokens_revoked": _revoked,
    "app_uninstalled": _revoked,
}
