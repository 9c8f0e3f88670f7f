"""Case channels follow the roster: private, named by the case's number alone, with just the entitled in it.

People are invited and removed one at a time, so that one account which Slack refuses stops nobody
else. A channel is a view of the record: a lost one is made anew (C3, C7).
"""

from dataclasses import dataclass

import structlog
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.members import Members
from store.cases import Docket, Look, Shown, entitled, forget_shown, note_shown, shown
from store.proceedings.showing import note_taken_out

log = structlog.get_logger()
KIND = "channel"
GONE = frozenset(
    {"is_archived", "channel_not_found", "not_in_channel", "message_not_found", "cant_update_message"}
)
_TRIES = 20
_NOT_INVITED = frozenset(
    {
        "already_in_channel",
        "cant_invite",
        "cant_invite_self",
        "user_not_found",
        "user_is_restricted",
        "ura_max_channels",
        "user_team_not_in_channel",
        "failed_for_some_users",
    }
)
_NOT_REMOVED = frozenset({"not_in_channel", "user_not_found", "cant_kick_self", "user_not_in_channel"})


def error_name(error: SlackApiError) -> str:
    """Give Slack's name of an error; empty where the answer was none of Slack's."""
    response = error.response
    return str(response.get("error") or "") if hasattr(response, "get") else ""


@dataclass(frozen=True)
class Channels:
    """Makes case channels and keeps their people right."""

    docket: Docket
    client: WebClient
    members: Members

    def known(self, case_id: int) -> Shown | None:
        """Give the channel that is noted for a case; it may be gone."""
        with self.docket.database.read() as session:
            found = shown(session, KIND, case_id=case_id)
        return found[-1] if found else None

    def ensure(self, look: Look) -> str:
        """Give the id of a case's channel, made and peopled now if there is none.

        Raises:
            SlackApiError: Slack refuses to make it.
        """
        place = self.known(look.case.key)
        return place.channel if place else self.make(look)

    def make(self, look: Look) -> str:
        """Make a case's channel anew and put the entitled in."""
        channel = self._create(look.case.number.lower())
        note_shown(self.docket, KIND, channel=channel, case_id=look.case.key)
        self.people(look, channel)
        return channel

    def _create(self, name: str) -> str:
        for number in range(1, _TRIES):
            wanted = name if number == 1 else f"{name}-{number}"
            try:
                answer = self.client.conversations_create(name=wanted, is_private=True)
            except SlackApiError as error:
                if error_name(error) != "name_taken" or number == _TRIES - 1:
                    raise
                continue
            return str(answer["channel"]["id"])
        raise AssertionError

    def align(self, look: Look) -> str:
        """Give a case's channel with just the entitled in it; a lost one is made anew.

        Raises:
            SlackApiError: Slack refuses for another reason than that the channel is gone.
        """
        place = self.known(look.case.key)
        if place is None:
            return self.make(look)
        try:
            self.people(look, place.channel)
        except SlackApiError as error:
            if error_name(error) not in GONE:
                raise
            forget_shown(self.docket, place.id)
            return self.make(look)
        return place.channel

    def people(self, look: Look, channel: str) -> None:
        """Invite who is entitled and missing, and remove everybody else but Docket, one at a time."""
        there = self._there(channel)
        wanted = {user for person in entitled(look) if (user := self.members.user_of(person))}
        for user in sorted(there - wanted - {self.members.bot}):
            self.remove(look.case.key, channel, user)
        for user in sorted(wanted - there):
            self._invite(channel, user)

    def _there(self, channel: str) -> set[str]:
        found: set[str] = set()
        cursor = ""
        while True:
            answer = self.client.conversations_members(channel=channel, limit=200, cursor=cursor)
            found.update(answer["members"])
            cursor = (answer.get("response_metadata") or {}).get("next_cursor") or ""
            if not cursor:
                return found

    def _invite(self, channel: str, user: str) -> None:
        try:
            self.client.conversations_invite(channel=channel, users=user)
        except SlackApiError as error:
            if error_name(error) not in _NOT_INVITED:
                raise
            log.info("slack.not-invited", kind=error_name(error))
            self.members.forget(user)

    def empty(self, case_id: int, channel: str) -> None:
        """Take everybody but Docket out of the channel of a case that nobody may know of any more."""
        for user in sorted(self._there(channel) - {self.members.bot}):
            self.remove(case_id, channel, user)

    def remove(self, case_id: int, channel: str, user: str) -> None:
        """Take an account out of a case's channel and enter that; one that is not in it is none to take out."""
        try:
            self.client.conversations_kick(channel=channel, user=user)
        except SlackApiError as error:
            if error_name(error) not in _NOT_REMOVED:
                raise
            return
        note_taken_out(self.docket, case_id, account=user, channel=channel, person=self._person_behind(user))

    def _person_behind(self, user: str) -> int | None:
        """Give whose account it is; what was done is entered even where Slack does not say."""
        try:
            return self.members.actor(user).person
        except SlackApiError:
            return None

    def every(self) -> tuple[Shown, ...]:
        """Give every case channel that is noted."""
        with self.docket.database.read() as session:
            return tuple(shown(session, KIND))

    def case_of(self, channel: str) -> int | None:
        """Give the case whose channel this is; None for any other channel."""
        with self.docket.database.read() as session:
            found = [one.case_id for one in shown(session, KIND) if one.channel == channel]
        return found[-1] if found else None
