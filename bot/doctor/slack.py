"""Slack, asked live: tokens, scopes by name, the connection, the staff channel, every person of the roster."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any
from zoneinfo import ZoneInfo

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackRequestError
from slack_sdk.web import SlackResponse

from bot import blocks
from bot.connection import web_client
from bot.doctor.checks import Check, fail, ok, warn
from bot.manifest import SCOPES
from bot.network_words import network_fault
from bot.opening import Opened
from store.cases import profile_in_force, roster_of
from store.ports import Clock
from store.rules.calendar import city_zone
from store.rules.dates import local_date
from store.rules.errors import Refusal
from store.rules.facts import LinkKind
from store.rules.roster import Roster

_FAULTS = (SlackApiError, SlackRequestError, OSError)
_SKEW_WARN, _SKEW_FAIL = timedelta(seconds=60), timedelta(minutes=5)
_WORDS: Mapping[str, tuple[str, str]] = {
    "invalid_auth": (
        "Slack does not know this token",
        "Copy it again from the app's settings; it must be this workspace's.",
    ),
    "not_authed": ("no token came with the call", "Set the token in .env."),
    "token_revoked": (
        "the token was revoked",
        "Install the app again (OAuth & Permissions), and copy the new token into .env.",
    ),
    "token_expired": (
        "the token has ended",
        "Turn token rotation off in the app's settings; install it again.",
    ),
    "account_inactive": (
        "the app was taken out of the workspace, or its account was deactivated",
        "Install the app again, and copy the new token into .env.",
    ),
    "app_uninstalled": ("the app is not installed", "Install it again, and copy the new token into .env."),
    "not_allowed_token_type": (
        "it is a token of another kind",
        "The bot token begins with xoxb-, the app-level token with xapp-; see which one stands where.",
    ),
    "channel_not_found": (
        "there is no such channel, or it is private and the bot is not in it",
        "Copy the channel's id (About, at the bottom) into SLACK_STAFF_CHANNEL, and invite the bot there.",
    ),
    "user_not_found": (
        "Slack knows no such account",
        "Correct the account in the roster file; load it again.",
    ),
    "user_not_visible": (
        "the account belongs to another workspace",
        "Correct the account in the roster file; load it again.",
    ),
    "ratelimited": ("Slack asks to be called less often", "Run the doctor again in a minute."),
}

_PRIVATE = "Make it private, or name a private channel in SLACK_STAFF_CHANNEL, and invite the bot."


@dataclass(frozen=True, slots=True)
class _Office:
    """The Board as it stands today."""

    people: Roster
    zone: ZoneInfo
    today: Any


def look_at_slack(opened: Opened, machine: Clock) -> Iterator[Check]:
    """Look at tokens, scopes, the connection, the staff channel, and whether each person can be reached.

    Args:
        opened: the record with its settings.
        machine: the machine's own clock, which is held against Slack's.
    """
    settings = opened.settings
    if settings.slack_bot_token is None:
        yield fail("Slack: bot token", "it is not set", "Set SLACK_BOT_TOKEN in .env.")
        return
    yield from _address(opened)
    client = web_client(settings.slack_bot_token.get_secret_value(), settings.slack_api_url)
    try:
        answer = client.auth_test()
    except _FAULTS as error:
        yield _failed("Slack: bot token", error)
        return
    yield _bot_token(answer)
    yield _scopes(answer)
    yield from _skew(answer, machine.now())
    yield _way_in(opened)
    yield _staff_channel(client, settings.slack_staff_channel or "")
    yield _validated(client)
    yield from _people(client, _office(opened), str(answer.get("team_id", "")))


def _address(opened: Opened) -> Iterator[Check]:
    """Say where the Slack that is named is none of Slack's own: a practice Slack on this machine."""
    if not opened.settings.slack_api_url.startswith("http://"):
        return
    name, said = "Slack: address", "it is a practice Slack on this machine"
    mend = "End it with Ctrl-C; where it does not run any more, take the SLACK_ lines out of .env."
    if opened.settings.test_mode or opened.docket.practice:
        yield warn(name, said, mend)
    else:
        yield fail(name, f"{said}, and this record is a real one", mend)


def _office(opened: Opened) -> _Office:
    with opened.docket.database.read() as session:
        people = roster_of(opened.docket, session)
        profile, _digest = profile_in_force(session)
    zone = profile.city.time_zone
    return _Office(people, zone, local_date(opened.clock.now(), zone))


def _failed(name: str, error: Exception) -> Check:
    """Word what Slack or the network answered, without a token."""
    if not isinstance(error, SlackApiError):
        said, mend = network_fault(error, "Slack")
        return fail(name, said, mend)
    told = str(error.response.get("error", "an error"))
    if told == "missing_scope":
        needed = str(error.response.get("needed", "a scope"))
        return fail(
            name,
            f"the app lacks the scope {needed}",
            f"Add {needed} under OAuth & Permissions, and install the app again.",
        )
    said, mend = _WORDS.get(told, (f"Slack says {told}", "Look that word up in Slack's documentation."))
    return fail(name, said, mend)


# -- tokens and scopes -----------------------------------------------------------------------------------


def _bot_token(answer: SlackResponse) -> Check:
    if not answer.get("bot_id"):
        return fail(
            "Slack: bot token",
            "it is a person's token, not the app's",
            "Copy the Bot User OAuth Token (xoxb-) into SLACK_BOT_TOKEN.",
        )
    return ok("Slack: bot token", "Slack takes it")


def _scopes(answer: SlackResponse) -> Check:
    granted = {one.strip() for one in str(answer.headers.get("x-oauth-scopes", "")).split(",") if one.strip()}
    missing = [scope for scope in SCOPES if scope not in granted]
    if missing:
        return fail(
            "Slack: scopes",
            f"missing: {', '.join(missing)}",
            "Add them under OAuth & Permissions, and install the app again.",
        )
    more = sorted(granted - set(SCOPES))
    if more:
        return warn(
            "Slack: scopes",
            f"more than Docket uses: {', '.join(more)}",
            "Take them away: a stolen token should open as little as can be.",
        )
    return ok("Slack: scopes", f"just the {len(SCOPES)} that are used")


def _way_in(opened: Opened) -> Check:
    settings = opened.settings
    if settings.slack_listen:
        if settings.slack_signing_secret is None:
            return fail("Slack: signing secret", "it is not set", "Set SLACK_SIGNING_SECRET in .env.")
        return ok("Slack: signing secret", "set; Slack calls Docket over HTTP")
    if settings.slack_app_token is None:
        return fail("Slack: app token", "it is not set", "Set SLACK_APP_TOKEN in .env.")
    token = settings.slack_app_token.get_secret_value()
    client = web_client(token, settings.slack_api_url)
    try:
        client.apps_connections_open(app_token=token)
    except _FAULTS as error:
        found = _failed("Slack: app token", error)
        mend = "Make an app-level token with connections:write (Basic Information), and turn on Socket Mode."
        return fail(found.check, found.detail, mend) if isinstance(error, SlackApiError) else found
    return ok("Slack: app token", "a connection was opened with it")


def _skew(answer: SlackResponse, now: datetime) -> Iterator[Check]:
    """Hold the machine's clock against the time that Slack's answer bears."""
    try:
        theirs = parsedate_to_datetime(str(answer.headers.get("Date", answer.headers.get("date", ""))))
    except ValueError:
        return
    off = abs(now - theirs.astimezone(UTC))
    name, said = "clock: against Slack", f"{int(off.total_seconds())} seconds off"
    mend = "Turn on time synchronisation: timedatectl set-ntp true."
    if off > _SKEW_FAIL:
        yield fail(name, said, mend)
    else:
        yield warn(name, said, mend) if off > _SKEW_WARN else ok(name, said)


# -- where it posts --------------------------------------------------------------------------------------


def _staff_channel(client: WebClient, channel: str) -> Check:
    name = "Slack: staff channel"
    if not channel:
        return fail(name, "it is not set", "Set SLACK_STAFF_CHANNEL to the channel's id.")
    try:
        found = client.conversations_info(channel=channel)["channel"]
    except _FAULTS as error:
        if isinstance(error, SlackApiError) and error.response.get("needed") == "channels:read":
            return fail(name, "it is public, and Docket looks into private channels only", _PRIVATE)
        return _failed(name, error)
    if found.get("is_archived"):
        return fail(name, "it is archived", "Name another channel in SLACK_STAFF_CHANNEL.")
    if not found.get("is_member"):
        return fail(name, "the bot is not in it", "Invite the bot into the channel: /invite @Docket.")
    return ok(name, "private, and the bot is in it")


def _validated(client: WebClient) -> Check:
    """Have Slack itself look at our blocks, where the workspace offers that."""
    name = "Slack: message form"
    sample = [blocks.section("*A card*"), *blocks.actions([blocks.button("Open", "doctor", "1")])]
    try:
        client.api_call("blocks.validate", json={"blocks": sample})
    except SlackApiError as error:
        told = str(error.response.get("error", ""))
        if told in {"invalid_blocks", "invalid_blocks_format"}:
            return fail(name, "Slack refuses the form of our messages", "Run the newest version of Docket.")
        return ok(name, "this workspace offers no check of it")
    except (SlackRequestError, OSError) as error:
        return _failed(name, error)
    return ok(name, "Slack takes the form of our messages")


# -- people ----------------------------------------------------------------------------------------------


def _people(client: WebClient, office: _Office, team: str) -> Iterator[Check]:
    zones: list[str] = []
    for person, member in sorted(office.people.members.items()):
        roles = member.roles(office.today)
        if roles:
            name = f"Slack: person {person} ({', '.join(sorted(one.value for one in roles))})"
            users = _accounts(member.linked(LinkKind.SLACK, office.today), team)
            if users:
                yield _account(client, name, users[0], zones.append)
            else:
                yield _unlinked(client, name, list(member.linked(LinkKind.EMAIL, office.today)), team)
    yield from _zones(zones, office)


def _accounts(linked: Any, team: str) -> list[str]:
    return [user for where, _sep, user in (one.partition(":") for one in linked) if where == team]


def _unlinked(client: WebClient, name: str, addresses: list[str], team: str) -> Check:
    """Say that somebody has no account on the roster; a match by address is proposed, a person decides."""
    proposed = f"{team}:MEMBER"
    for address in addresses:
        try:
            found = client.users_lookupByEmail(email=address)["user"]
        except _FAULTS:
            continue
        proposed = f"{team}:{found['id']}"
    where = (
        ""
        if proposed.endswith(":MEMBER")
        else " (the account with this person's address: check that it is his)"
    )
    return warn(
        name,
        "no account of this workspace on the roster: Docket cannot ask or remind this person in Slack",
        f'Add slack = ["{proposed}"] to the roster file{where}; `docket roster load FILE`.',
    )


def _account(client: WebClient, name: str, user: str, zone: Callable[[str], None]) -> Check:
    try:
        found = client.users_info(user=user)["user"]
    except _FAULTS as error:
        return _failed(name, error)
    if found.get("deleted"):
        return fail(
            name,
            "the account is deactivated",
            "Record that the person left (docket roster leave --help), or link another account.",
        )
    if found.get("is_restricted") or found.get("is_ultra_restricted"):
        return fail(
            name, "the account is a guest's", "Make it a full member's: guests get nothing from Docket."
        )
    if found.get("tz"):
        zone(str(found["tz"]))
    return ok(name, "can be reached")


def _zones(zones: list[str], office: _Office) -> Iterator[Check]:
    """Hold the profile's zone against where the people's own accounts are: a wrong zone shifts dates by a day."""
    if not zones:
        return
    noon = datetime.combine(office.today, datetime.min.time(), tzinfo=UTC) + timedelta(hours=17)
    usual, count = Counter(zones).most_common(1)[0]
    try:
        theirs = city_zone(usual)
    except Refusal:
        return
    same = noon.astimezone(theirs).utcoffset() == noon.astimezone(office.zone).utcoffset()
    if same or 2 * count <= len(zones):
        yield ok("zone: of the people", f"{count} of {len(zones)} accounts agree with the city's")
        return
    yield warn(
        "zone: of the people",
        f"{count} of {len(zones)} Slack accounts are in {usual}, the profile says {office.zone.key}",
        "See which is right; the zone stands under [city] in the profile, and every date follows it.",
    )
