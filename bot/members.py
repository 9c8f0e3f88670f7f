"""Slack accounts to roster persons, and back; nobody else gets more than one plain answer.

A link ``TEAM:USER`` of the roster says who somebody is (decisions 7); Slack says what he is in the
workspace: a guest, a deactivated account or a stranger has no right, whatever the roster says (C2).
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from store.cases import Actor, Docket, people_and_profile, standing_of
from store.rules.access import Membership, Via, is_outside
from store.rules.dates import local_date
from store.rules.facts import LinkKind

REMEMBERED_FOR_S = 60.0
_UNKNOWN = frozenset({"user_not_found", "user_not_visible", "users_not_found"})


@dataclass(frozen=True, slots=True)
class Account:
    """A Slack account: its own workspace, and what it is in ours."""

    team: str
    membership: Membership


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks in Slack.

    Attributes:
        actor: the roster person behind the account, or nobody.
        today: the day in the city when he was looked up.
        outside: whether he has no business with the Board today.
    """

    actor: Actor
    today: date
    outside: bool


@dataclass
class Members:
    """Looks accounts up, and remembers for a minute what Slack said.

    Attributes:
        docket: the record, whose roster holds the links.
        client: the Web API.
        monotonic: seconds, for how long an answer is remembered.
    """

    docket: Docket
    client: WebClient
    monotonic: Callable[[], float] = time.monotonic
    _team: str = ""
    _bot: str = ""
    _known: dict[str, tuple[float, Account]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def team(self) -> str:
        """The workspace that Docket is installed in."""
        self._introduce()
        return self._team

    @property
    def bot(self) -> str:
        """Docket's own account."""
        self._introduce()
        return self._bot

    def _introduce(self) -> None:
        if not self._team:
            answer = self.client.auth_test()
            self._bot, self._team = str(answer["user_id"]), str(answer["team_id"])

    def actor(self, user: str, team: str = "") -> Actor:
        """Say who an account is, now.

        Args:
            user: the account's id.
            team: the workspace that the request came from; another than ours has no rights.

        Returns:
            The roster person; nobody (``person`` None) where no link names the account today.

        Raises:
            SlackApiError: Slack does not say what the account is.
        """
        return self.asker(user, team).actor

    def asker(self, user: str, team: str = "") -> Asker:
        """Say who an account is, and where he stands today, in one look at the record; see `actor`."""
        account = self.account(user)
        membership = account.membership
        if team and team != self.team:
            membership = Membership.OTHER_TEAM
        people, profile = people_and_profile(self.docket)
        today = local_date(self.docket.clock.now(), profile.city.time_zone)
        person = people.by_link(LinkKind.SLACK, f"{account.team}:{user}", today)
        actor = Actor(person, Via.SLACK, membership=membership)
        return Asker(actor, today, outside=is_outside(standing_of(actor, people, today)))

    def account(self, user: str) -> Account:
        """Give what Slack says of an account, at most a minute old.

        Raises:
            SlackApiError: Slack does not answer.
        """
        now = self.monotonic()
        with self._lock:
            known = self._known.get(user)
        if known is not None and now - known[0] < REMEMBERED_FOR_S:
            return known[1]
        found = self._ask(user)
        with self._lock:
            self._known[user] = (now, found)
        return found

    def _ask(self, user: str) -> Account:
        if not user:
            return Account("", Membership.OTHER_TEAM)
        try:
            answer = self.client.users_info(user=user)
        except SlackApiError as error:
            if error.response.get("error") in _UNKNOWN:
                return Account("", Membership.OTHER_TEAM)
            raise
        return read_account(answer["user"], self.team)

    def forget(self, user: str) -> None:
        """Ask Slack anew about an account the next time."""
        with self._lock:
            self._known.pop(user, None)

    def user_of(self, person: int) -> str:
        """Give the account of a roster person in our workspace; empty where he has none that may be told.

        Raises:
            SlackApiError: Slack does not answer.
        """
        people, profile = people_and_profile(self.docket)
        today = local_date(self.docket.clock.now(), profile.city.time_zone)
        member = people.members.get(person)
        for link in member.linked(LinkKind.SLACK, today) if member else ():
            team, _, user = link.partition(":")
            if team == self.team and self.account(user).membership is Membership.MEMBER:
                return user
        return ""


def read_account(user: Mapping[str, Any], our_team: str) -> Account:
    """Read a user object of Slack's."""
    team = str(user.get("team_id") or "")
    teams = {team, *((user.get("enterprise_user") or {}).get("teams") or ())}
    if user.get("is_stranger") or our_team not in teams:
        return Account(team, Membership.OTHER_TEAM)
    if user.get("deleted"):
        return Account(our_team, Membership.DEACTIVATED)
    if user.get("is_restricted") or user.get("is_ultra_restricted") or user.get("is_bot"):
        return Account(our_team, Membership.GUEST)
    return Account(our_team, Membership.MEMBER)
