"""The bolt app: who asks, may he, one answer to every error, every action attached.

Listeners run before Slack is answered, so they are quick: commit, answer, and leave the rest to the
outbox. `_Errors` is one of the two places of the product that may catch everything.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta

import structlog
from slack_bolt import App, BoltContext, BoltResponse
from slack_bolt.error import BoltUnhandledRequestError
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackRequestError

from bot import blocks, commands, events, words
from bot.actions import ACTIONS
from bot.actions.ids import DEEDS, Do
from bot.blocks import Json
from bot.connection import DEAD_TOKEN
from bot.desk import OPENED, Desk, OnePrint, Refile, answer_view
from bot.logs import log_unexpected
from bot.members import Members
from bot.payloads import OddPayload, read_asked, read_command, read_target
from store.cases import Docket
from store.database import RecordUnavailable
from store.rules.access import Deed
from store.rules.errors import AlreadyDone, CaseFinal, NoSuchCase, NotNow, Refusal
from store.vault import DocumentMissing

log = structlog.get_logger()
_AT_ONCE = timedelta(days=1)
_ANSWERED = frozenset(
    {"view_submission", "block_actions", "block_suggestion", "command", "shortcut", "message_action"}
)
UNUSED_SECRET = "socket-mode-checks-no-signature"  # noqa: S105  bolt asks for one; what comes by Socket Mode is not signed
# what everybody does for himself: that another one did it is no reason, and who voted or stepped back not to be told
_EACH_HIS_OWN = frozenset({Deed.VOTE, Deed.RECUSE, Deed.ANSWER_COMING})
_SPENT_TRIGGER = frozenset(
    {
        "expired_trigger_id",
        "exchanged_trigger_id",
        "invalid_trigger_id",
        "trigger_expired",
        "trigger_exchanged",
    }
)


def build_app(
    docket: Docket,
    client: WebClient,
    *,
    members: Members | None = None,
    signing_secret: str = "",
    refile: Refile | None = None,
    picture: Callable[[bytes, int | None], bytes] | None = None,
    photos: Callable[[Sequence[bytes]], bytes] | None = None,
    one_print: OnePrint | None = None,
    on_dead_token: Callable[[str], None] = lambda _error: None,
) -> App:
    """Build the app that answers clicks, submissions, commands and events.

    Args:
        docket: the record.
        client: the Web API, with the bot's token and Slack's address (`bot.connection.web_client`).
        members: accounts to roster persons; shared with the notifier so that both forget together.
        signing_secret: for HTTP mode; Socket Mode needs none.
        refile: the mailroom's reading of a held message; None where no mailroom runs here.
        picture: makes a PNG of a PDF's page; None where pictures are not made.
        photos: makes one PDF of photos; None where that is not done.
        one_print: makes one PDF for the printer of several papers; None where that is not done.
        on_dead_token: told when Slack says that the tokens are void.

    Returns:
        The app; nothing was asked of Slack yet.
    """
    app = App(
        client=client,
        signing_secret=signing_secret or UNUSED_SECRET,
        process_before_response=True,
        raise_error_for_unhandled_request=True,
        token_verification_enabled=False,
        logger=logging.getLogger("slack_bolt.docket"),
    )
    errors = _Errors()
    desk = Desk(
        docket,
        client,
        members or Members(docket, client),
        refile,
        picture,
        photos,
        one_print,
        on_dead_token,
        errors.tell,
    )
    errors.desk = desk
    app.error(errors.answer)
    commands.attach(app, desk)  # bolt asks each listener in turn, and the command waits for its answer
    events.attach(app, desk)
    for action in ACTIONS:
        action.attach(app, desk)
    return app


class _Errors:
    """One answer to every error: a refusal in its own words, anything else with a number."""

    desk: Desk

    def tell(self, error: Exception, body: Json) -> None:
        """Answer the person where Slack itself was answered before."""
        self._tell(body, BoltContext({}), self._text(error, body))

    def answer(self, error: Exception, body: Json, context: BoltContext) -> BoltResponse:
        """Answer the person, and Slack; what failed as an event stays open for its redelivery."""
        if isinstance(error, BoltUnhandledRequestError):
            return self._unknown(body)
        text = self._text(error, body)
        if body.get("type") == "event_callback":
            return BoltResponse(status=500)
        if body.get("type") == "view_submission":
            shown = blocks.modal("Docket", [blocks.said(text)], close="Back")
            return _json({"response_action": "push", "view": shown})
        if body.get("command"):
            return _json({"response_type": "ephemeral", "text": text})
        if isinstance(error, NoSuchCase) and not context.get(OPENED) and not body.get("view"):
            # whoever may not see the case may lose its channel, and the answer with it, at any moment
            self.desk.write(read_asked(body).user, text)
        else:
            self._tell(body, context, text)
        return BoltResponse(status=200)

    def _text(self, error: Exception, body: Json) -> str:
        who = ""
        if isinstance(error, AlreadyDone):
            who = self._who(body)
        elif isinstance(error, NotNow | CaseFinal):
            # perhaps it is not the time any more because somebody else was first a moment ago
            who = self._who(body, within=_AT_ONCE)
        try:
            tried = self.desk.refused(read_asked(body), error) if isinstance(error, OddPayload) else error
        except (RecordUnavailable, SlackApiError, OSError) as also:
            tried = also
        return f"{self._says(tried)} {who}".strip()

    def _says(self, error: Exception) -> str:
        if isinstance(error, Refusal):
            return words.refusal(error, self.desk.profile())
        if isinstance(error, RecordUnavailable):
            # its own words say what is safe; an alarm would have to be written where nothing can be written
            log.warning("record.unavailable", exc_info=error)
            return str(error)
        if isinstance(error, SlackApiError):
            name = str(error.response.get("error", ""))
            if name in _SPENT_TRIGGER:
                return words.CLICK_AGAIN
            if name in DEAD_TOKEN:
                self.desk.on_dead_token(name)
        reference = log_unexpected(log, error)
        self._alert(reference)
        if isinstance(error, DocumentMissing):
            return f"{error} Number {reference}."
        return words.unexpected(reference)

    def _who(self, body: Json, *, within: timedelta | None = None) -> str:
        """Say who was first, where the record says so and the asker may know; long ago, only where it was the same."""
        try:
            asked = read_asked(body)
            deed, target = DEEDS.get(Do(asked.named.partition(":")[0])), read_target(asked.value)
            if deed is None or deed in _EACH_HIS_OWN:
                return ""
            actor = self.desk.members.actor(asked.user, asked.team)
            return self.desk.done_before(actor, target.number, deed, within=within)
        except (Refusal, RecordUnavailable, LookupError, ValueError, SlackApiError, OSError):
            return ""

    def _alert(self, reference: str) -> None:
        try:
            self.desk.alarm(words.alarm(reference))
        except Exception as error:  # noqa: BLE001  the alarm about an error must not hide the error
            log_unexpected(log, error)

    def _tell(self, body: Json, context: BoltContext, text: str) -> None:
        client = self.desk.client
        user = read_asked(body).user or str(body.get("user_id") or "")
        channel = str((body.get("channel") or {}).get("id") or body.get("channel_id") or "")
        trigger, shown = str(body.get("trigger_id") or ""), answer_view(text)
        try:
            if body.get("type") == "view_submission":
                client.views_update(view_id=str((body.get("view") or {}).get("id") or ""), view=shown)
            elif context.get(OPENED):
                client.views_update(view_id=context[OPENED], view=shown)
            elif (body.get("view") or {}).get("type") == "modal":
                client.views_push(trigger_id=trigger, view=shown)
            elif channel:
                client.chat_postEphemeral(
                    channel=channel, user=user, text=self.desk.today_notice(), blocks=[blocks.said(text)]
                )
            else:
                client.views_open(trigger_id=trigger, view=shown)
        except (SlackApiError, SlackRequestError, OSError) as error:
            self.desk.write(user, text, error)

    def _unknown(self, body: Json) -> BoltResponse:
        """Answer what nothing of ours takes: logged and told, never dropped; for an outsider an entry."""
        kind = str(body.get("type") or ("command" if body.get("command") else "unknown"))
        log.warning("slack.unknown", kind=kind if kind in _ANSWERED else "unknown")
        if kind not in _ANSWERED:
            return BoltResponse(status=200)
        text = self._unknown_to(body)
        if kind == "view_submission":
            return _json({"response_action": "push", "view": answer_view(text)})
        if kind == "command":
            return _json({"response_type": "ephemeral", "text": text})
        if kind == "block_suggestion":
            return _json({"options": []})
        self._tell(body, BoltContext({}), text)
        return BoltResponse(status=200)

    def _unknown_to(self, body: Json) -> str:
        """Say that Docket does not know it; to somebody who is not on the roster, that he is not."""
        asked = read_asked(body)
        try:
            actor = self.desk.members.actor(asked.user or read_command(body).user, asked.team)
            self.desk.admit(actor, Deed.SEE_DOCKET)
        except Refusal as refusal:
            return words.refusal(refusal, self.desk.profile())
        except (RecordUnavailable, SlackApiError, OSError) as error:
            log.warning("slack.asker-unknown", exc_info=error)
        return words.UNKNOWN_CLICK


def _json(answer: Json) -> BoltResponse:
    return BoltResponse(status=200, body=answer, headers={"content-type": ["application/json"]})
