"""Documents given on request in Slack: where each one went is kept, so that it can be taken away again (C3).

Taken away is what somebody got who may not know of the case any more, what was given before the case
was closed, and what was given after that, a day later. A person who made a copy has it all the same.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import structlog
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.channels import error_name
from store.cases import Actor, Docket, Look, Shown, forget_shown, look, note_shown, shown
from store.proceedings.showing import FILE, is_held, note_file_gone
from store.rules.access import Via
from store.rules.errors import Refusal
from store.rules.facts import CaseClosed

log = structlog.get_logger()
KEPT_AFTER_CLOSING = timedelta(days=1)
_GONE = frozenset({"file_not_found", "file_deleted"})
_NOT_OURS_TO_DELETE = frozenset({"cant_delete_file", "not_authed", "method_not_supported_for_channel_type"})


@dataclass(frozen=True)
class Files:
    """Delivers documents and takes them away.

    Attributes:
        docket: the record.
        client: the Web API.
    """

    docket: Docket
    client: WebClient

    def give(
        self,
        content: bytes,
        name: str,
        *,
        user: str,
        case_id: int | None,
        person: int | None,
        document: int | None = None,
    ) -> None:
        """Send a file to a person's direct messages, under a name that says nothing, and note where it is.

        Raises:
            SlackApiError: Slack does not take it.
        """
        direct = str(self.client.conversations_open(users=user)["channel"]["id"])
        self.show(content, name, channel=direct, alt="", case_id=case_id, person=person, document=document)

    def show(
        self,
        content: bytes,
        name: str,
        *,
        channel: str,
        alt: str,
        case_id: int | None,
        person: int | None = None,
        document: int | None = None,
    ) -> None:
        """Put a file into a channel, and note where it is.

        Args:
            content: the bytes.
            name: a name that says nothing of the case.
            channel: the channel or the direct messages.
            alt: the picture in words; empty for what is no picture.
            case_id: the case; None for a held message.
            person: whom it is for; None for all in the channel.
            document: the document, or the held message.
        """
        answer = self.client.files_upload_v2(
            channel=channel, content=content, filename=name, title=name, alt_txt=alt or None
        )
        given_at = int(self.docket.clock.now().timestamp())
        for filed in answer.get("files") or ():
            mark = f"{filed['id']}:{given_at}"
            note_shown(
                self.docket, FILE, channel=channel, ts=mark, case_id=case_id, person=person, about=document
            )

    def sweep(self) -> int:
        """Take away what must not stay; give how many files were looked at.

        Raises:
            SlackApiError: Slack is busy or away; what is left is taken away the next time.
        """
        with self.docket.database.read() as session:
            given = shown(session, FILE)
        for one in given:
            why = self._cause(one)
            if why:
                self._take_away(one, why)
        return len(given)

    def _cause(self, one: Shown) -> str:
        """Say why a file must not stay; empty where it may."""
        if one.case_id is None:
            return "" if one.about is not None and is_held(self.docket, one.about) else "no longer held"
        if one.person is None:
            return ""
        try:
            seen = look(self.docket, Actor(one.person, Via.SLACK), one.case_id)
        except Refusal:
            return "may not know of the case"
        if one.about is not None and not seen.sees(one.about):
            return "may not see the paper"
        return _of_closed(seen, read_mark(one.ts)[1])

    def _take_away(self, one: Shown, why: str) -> None:
        file_id, _given_at = read_mark(one.ts)
        try:
            self.client.files_delete(file=file_id)
            outcome = "deleted"
        except SlackApiError as error:
            outcome = error_name(error)
            if outcome in _GONE:
                outcome = "gone already"
            elif outcome not in _NOT_OURS_TO_DELETE:
                raise
            else:
                log.warning("slack.file-left", outcome=outcome)
        note_file_gone(
            self.docket, one.case_id, person=one.person, document=one.about, why=why, outcome=outcome
        )
        forget_shown(self.docket, one.id)


def _of_closed(seen: Look, given_at: datetime) -> str:
    closed = seen.case.last(CaseClosed)
    if not seen.case.closed or closed is None:
        return ""
    before = given_at < closed.fact.at
    return "the case was closed" if before or seen.now - given_at >= KEPT_AFTER_CLOSING else ""


def read_mark(mark: str) -> tuple[str, datetime]:
    """Read where a file is: Slack's id of it and the instant, UTC, at which it was given."""
    file_id, _, given = mark.partition(":")
    return file_id, datetime.fromtimestamp(int(given), UTC)
