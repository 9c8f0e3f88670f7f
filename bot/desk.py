"""The desk that every Slack action works at: who asks, how he is answered, what counts once.

An action is written as three small functions and attached by one of `opens`, `does`, `submits`:
the modal is opened first and filled afterwards; an act is saved first and then acknowledged; and the
right is looked up at the click and again at the submission, by the gate, each time.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Protocol

import structlog
from slack_bolt import Ack, App, BoltContext
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackRequestError

from bot import blocks, words
from bot.actions.ids import DEEDS, Do
from bot.blocks import Json
from bot.members import Asker, Members
from bot.payloads import (
    Asked,
    Click,
    OddPayload,
    Submission,
    Target,
    read_click,
    read_submission,
    read_target,
)
from store import journal
from store.cases import (
    MACHINE,
    Actor,
    Docket,
    Look,
    act,
    case_by_number,
    claim_event,
    is_claimed,
    look,
    profile_in_force,
    release_event,
    roster_of,
    standing_of,
)
from store.database import RecordUnavailable
from store.ports import PingKind
from store.proceedings.receipt import Filing
from store.rules import access
from store.rules.access import Deed, Scope
from store.rules.dates import local_date
from store.rules.errors import AlreadyDone, NoSuchCase, Refusal
from store.rules.ordinance import Profile
from store.rules.roster import Roster

log = structlog.get_logger()
OPENED = "docket_opened_view"
_NEWEST = 300

View = Callable[["Desk", Actor, Click], Json]
Handle = Callable[["Desk", Actor, Click], str]
Submit = Callable[["Desk", Actor, Submission], "str | Json"]


class Refile(Protocol):
    """Reads a held message anew, as the mailroom does, so that a person can place it."""

    def __call__(self, item: int, raw: bytes) -> Filing:
        """Give what the mailroom reads in a held message.

        Args:
            item: the message's id.
            raw: its bytes.
        """
        ...


OnePrint = Callable[[Sequence[bytes]], tuple[bytes, tuple[int, ...]]]
"""Makes one PDF of several, and says by place which are not in it."""


@dataclass(frozen=True)
class Desk:
    """What actions work with.

    Attributes:
        docket: the record.
        client: the Web API.
        members: accounts to roster persons.
        refile: the mailroom's reading of a held message; None where the mailroom does not run here.
        picture: makes a PNG of a PDF's page (None: of the page most likely signed); empty where it cannot.
        photos: makes one PDF of photos; empty where it cannot. None where that is not done here.
        one_print: makes one PDF for the printer of several papers, and says by place which are not in it; empty
            where it cannot. None where that is not done here.
        on_dead_token: told the error's name when Slack says that the tokens are void.
        on_error: the one answer to errors, for work that goes on after Slack was answered.
    """

    docket: Docket
    client: WebClient
    members: Members
    refile: Refile | None = None
    picture: Callable[[bytes, int | None], bytes] | None = None
    photos: Callable[[Sequence[bytes]], bytes] | None = None
    one_print: OnePrint | None = None
    on_dead_token: Callable[[str], None] = lambda _error: None
    on_error: Callable[[Exception, Json], None] = lambda _error, _body: None

    def profile(self) -> Profile:
        """The profile in force."""
        with self.docket.database.read() as session:
            return profile_in_force(session)[0]

    def roster(self) -> Roster:
        """The roster as it stands."""
        with self.docket.database.read() as session:
            return roster_of(self.docket, session)

    def today(self) -> date:
        """The day in the city."""
        return local_date(self.docket.clock.now(), self.profile().city.time_zone)

    def may(self, actor: Actor, deed: Deed) -> bool:
        """Say whether somebody may do some business of the Board now; for lists and buttons."""
        return access.may(deed, standing_of(actor, self.roster(), self.today()))

    def look(self, actor: Actor, number: str, deed: Deed = Deed.SEE_CASE) -> Look:
        """Look into a case by its number, with the right checked now; a refusal is an entry of the journal.

        Raises:
            NoSuchCase: there is none that he may know of.
            NotAllowed: he may know of it, but not this.
        """
        try:
            with self.docket.database.read() as session:
                key = case_by_number(session, number)
            if key is None:
                raise NoSuchCase
            return look(self.docket, actor, key, deed=deed)
        except Refusal:
            with act(self.docket, actor, deed, number=number):
                raise

    def knows(self, actor: Actor, number: str) -> bool:
        """Say whether somebody may know of a case; for lists, which leave out what he may not."""
        with self.docket.database.read() as session:
            key = case_by_number(session, number)
        try:
            return key is not None and bool(look(self.docket, actor, key))
        except Refusal:
            return False

    def done_before(self, actor: Actor, number: str, deed: Deed, *, within: timedelta | None = None) -> str:
        """Say who did something last, and when; empty where nobody did, or the asker may not know of it.

        Args:
            actor: who asks.
            number: the case; empty for the Board's business, of which the newest entries only are looked through.
            deed: what was done.
            within: how long ago it may have been; None for however long.
        """
        try:
            case_id = self.look(actor, number).case.key if number else None
        except Refusal:
            return ""
        with self.docket.database.read() as session:
            keyring = self.docket.keyring
            looked = (
                journal.entries(session, keyring, case_id=case_id)
                if case_id is not None
                else journal.newest(session, keyring, _NEWEST)
            )
            done = [
                one
                for one in looked
                if one.header["act"] == deed.value
                and not one.header["refused"]
                and bool(one.header["case"]) == bool(number)
            ]
        if not done or (within is not None and done[-1].at < self.docket.clock.now() - within):
            return ""
        by = done[-1].header["actor"]
        name = self.roster().name(int(str(by)) if by is not None else None)
        said = "Done" if within is None else "Last done"
        return f"{said} by {blocks.name(name)}, {words.instant(done[-1].at, self.profile().city.time_zone)}."

    def check(self, actor: Actor, deed: Deed) -> None:
        """Refuse a form for business of the Board that the person may not submit; a refusal is an entry.

        Raises:
            NotAllowed: he may not.
        """
        if not self.may(actor, deed):
            with act(self.docket, actor, deed):
                return

    def refused(self, asked: Asked, error: OddPayload) -> Refusal:
        """Journal that somebody tried an act with a payload that cannot be read, which no act has seen yet.

        Returns:
            What he is told; whoever may not do it is refused for that.
        """
        named = asked.named.partition(":")[0]
        deed = DEEDS.get(Do(named)) if named in set(Do) else None
        if deed is None:
            return error
        try:
            number = read_target(asked.value).number
        except OddPayload:
            number = ""
        on_case = access.TABLE[deed].scope is Scope.CASE
        try:
            actor = self.members.actor(asked.user, asked.team)
            with act(self.docket, actor, deed, number=number if on_case else None):
                raise error
        except Refusal as refusal:
            return refusal if number or not on_case else error

    def clicker(self, click: Click) -> Actor:
        """Say who clicked; see `asker`."""
        return self.asker(click.user, click.team, click.action, click.target)

    def submitter(self, submission: Submission) -> Actor:
        """Say who submitted; see `asker`."""
        return self.asker(submission.user, submission.team, submission.callback, submission.target)

    def asker(self, user: str, team: str, named: str, target: Target) -> Actor:
        """Say who asks; somebody who is not on the roster today gets no further, whatever he clicked or submitted.

        Args:
            user: his account.
            team: the workspace that it came from.
            named: the button or form.
            target: what it is about.

        Raises:
            NoSuchCase: he is an outsider, a guest, of another workspace, deactivated, or holds no role today, and
                asked about a case; the refusal is an entry.
            NotAllowed: the same, about the Board's business.
        """
        word = named.partition(":")[0]
        deed = DEEDS.get(Do(word)) if word in set(Do) else None
        wanted = deed or (Deed.SEE_CASE if target.number else Deed.SEE_DOCKET)
        return self.welcome(user, team, wanted, target.number).actor

    def welcome(self, user: str, team: str, deed: Deed, number: str = "") -> Asker:
        """Say who an account is; somebody who is not on the roster today is refused, as by `admit`.

        Args:
            user: his account.
            team: the workspace that it came from.
            deed: what he tries.
            number: the case that it is about; empty for the Board's business.

        Raises:
            NoSuchCase: he tried something about a case.
            NotAllowed: he tried some business of the Board.
        """
        asker = self.members.asker(user, team)
        if asker.outside:
            self.admit(asker.actor, deed, number)
        return asker

    def admit(self, actor: Actor, deed: Deed, number: str = "") -> None:
        """Refuse somebody who is not on the roster today, with an entry of what he tried.

        Raises:
            NoSuchCase: he tried something about a case.
            NotAllowed: he tried some business of the Board.
        """
        with self.docket.database.read() as session:
            people = roster_of(self.docket, session)
            profile, _hash = profile_in_force(session)
        today = local_date(self.docket.clock.now(), profile.city.time_zone)
        if access.is_outside(standing_of(actor, people, today)):
            with act(self.docket, actor, deed, number=number or None):
                return

    def today_notice(self) -> str:
        """Give the text that lock screens may show where it is about no case; it needs no record that answers."""
        try:
            zone = self.profile().city.time_zone
        except RecordUnavailable:
            return words.NOTICE
        return words.notice(local_date(self.docket.clock.now(), zone))

    def alarm(self, text: str) -> None:
        """Owe the staff channel a sentence without content."""
        with act(self.docket, MACHINE, Deed.SWEEP) as step:
            step.ping(PingKind.ALARM, text=text, board=True)

    # -- answering ----------------------------------------------------------------------------------

    def tell(self, click: Click, text: str, *, opened: str = "") -> None:
        """Answer a click with a sentence that only he sees; where Slack does not take it, by direct message."""
        try:
            self._tell(click, text, opened)
        except (SlackApiError, SlackRequestError, OSError) as error:
            self.write(click.user, text, error)

    def write(self, user: str, text: str, first: Exception | None = None) -> None:
        """Answer by direct message; what fails too is logged, since the act stands.

        Args:
            user: the account.
            text: what is said.
            first: why the nearer way failed, where one was tried.
        """
        if not user:
            log.warning("slack.nobody-to-answer")
            return
        try:
            self.client.chat_postMessage(
                channel=user, text=self.today_notice(), blocks=[blocks.said(text)], unfurl_links=False
            )
        except (SlackApiError, SlackRequestError, OSError) as error:
            log.warning("slack.answer-lost", exc_info=first or error)

    def _tell(self, click: Click, text: str, opened: str) -> None:
        shown = answer_view(text)
        if opened:
            self.client.views_update(view_id=opened, view=shown)
        elif click.in_modal:
            self.client.views_push(trigger_id=click.trigger, view=shown)
        elif click.channel:
            self.client.chat_postEphemeral(
                channel=click.channel, user=click.user, text=self.today_notice(), blocks=[blocks.said(text)]
            )
        else:
            self.client.views_open(trigger_id=click.trigger, view=shown)

    def open(self, click: Click, title: str) -> str:
        """Open a modal that says it is loading, on the third of a stack in its place; give its id.

        Raises:
            SlackApiError: among others ``expired_trigger_id``.
        """
        loading = blocks.modal(title, [blocks.section(words.LOADING)])
        if click.topmost:
            return str(self.client.views_update(view_id=click.view, view=loading)["view"]["id"])
        put = self.client.views_push if click.in_modal else self.client.views_open
        return str(put(trigger_id=click.trigger, view=loading)["view"]["id"])


def answer_view(text: str, title: str = "Docket") -> Json:
    """A modal that says one thing."""
    return blocks.modal(title, [blocks.said(text)])


def form(do: Do, title: str, submit: str, *, click: Click, of: Sequence[Json]) -> Json:
    """A modal that submits an act about what was clicked.

    Args:
        do: the act.
        title: at most 24 characters.
        submit: what stands on its button.
        click: the click that opened it.
        of: its blocks.
    """
    return blocks.modal(title, of, callback=do, submit=submit, metadata=click.target.text())


def asks(app: App, desk: Desk, do: Do, title: str, *, view: View, handle: Submit) -> None:
    """Attach a button that opens a form, and the form's submission."""
    opens(app, desk, do, title, view)
    submits(app, desk, do, handle)


def opens(app: App, desk: Desk, action: str, title: str, view: View) -> None:
    """Attach a button that opens a modal: opened first, filled when the record has been read."""

    def listen(ack: Ack, body: Json, context: BoltContext) -> None:
        ack()
        click = read_click(body)
        try:
            opened = desk.open(click, title)
        except SlackApiError:
            desk.clicker(click)  # for an outsider the refusal is the answer, and an entry
            raise
        context[OPENED] = opened
        actor = desk.clicker(click)
        filled = view(desk, actor, click)
        desk.client.views_update(view_id=opened, view=filled)

    app.action(named(action))(listen)


def turns(app: App, desk: Desk, action: str, view: View) -> None:
    """Attach a button inside a modal that shows another page in the same modal."""

    def listen(ack: Ack, body: Json) -> None:
        ack()
        click = read_click(body)
        if not click.in_modal:
            raise OddPayload(words.UNKNOWN_CLICK)
        actor = desk.clicker(click)
        desk.client.views_update(view_id=click.view, view=view(desk, actor, click))

    app.action(named(action))(listen)


def does(app: App, desk: Desk, action: str, handle: Handle, *, leaves: bool = False) -> None:
    """Attach a button that acts at once; what the handler gives is said to the person.

    Where the person `leaves` the case by it, it is said by direct message: its channel is about to close for him.
    """

    def listen(ack: Ack, body: Json) -> None:
        click = read_click(body)
        actor = desk.clicker(click)
        answer = handle(desk, actor, click)
        ack()
        if leaves and click.channel and not click.in_modal:
            desk.write(click.user, answer)
        else:
            desk.tell(click, answer)

    app.action(named(action))(listen)


def later(app: App, desk: Desk, action: str, handle: Handle) -> None:
    """Attach a button whose work may take longer than Slack waits: acknowledged, done, then answered."""

    def first(ack: Ack) -> None:
        ack()

    def then(body: Json) -> None:
        click = read_click(body)
        actor = desk.clicker(click)
        desk.tell(click, handle(desk, actor, click))

    app.action(named(action))(ack=first, lazy=[_afterwards(desk, then)])


def _afterwards(desk: Desk, work: Callable[[Json], None]) -> Callable[..., None]:
    """Wrap what is done once Slack was answered, where bolt has no answer to errors of its own."""

    def then(body: Json) -> None:
        try:
            work(body)
        except Exception as error:  # noqa: BLE001  handed on to the one place that answers errors
            desk.on_error(error, body)

    return then


def submits(app: App, desk: Desk, callback: str, handle: Submit, *, counted_by_record: bool = False) -> None:
    """Attach a modal's submission: saved first, then acknowledged, and counted once.

    Args:
        app: the bolt app.
        desk: what actions work with.
        callback: the modal's callback id.
        handle: does it; gives a sentence, or a view to show in the modal's place.
        counted_by_record: the record itself counts a submission once, and answers the second alike.
    """

    def listen(ack: Ack, body: Json) -> None:
        submission = read_submission(body)
        actor = desk.submitter(submission)
        if counted_by_record:
            answer = handle(desk, actor, submission)
        else:
            answer = once(desk, f"submission:{submission.mark}", lambda: handle(desk, actor, submission))
        shown = answer_view(answer) if isinstance(answer, str) else answer
        ack(response_action="update", view=shown)

    app.view(callback)(listen)


def named(action: str) -> re.Pattern[str]:
    """Match an action id, alone or with what tells two buttons of one row apart."""
    return re.compile(rf"^{re.escape(action)}(:.*)?$")


def submits_slowly(app: App, desk: Desk, callback: str, handle: Submit) -> None:
    """Attach a submission that writes many letters: acknowledged as being recorded, done, then answered.

    It is never shown as done before it is; what fails is answered in the same modal.
    """

    def first(ack: Ack) -> None:
        ack(response_action="update", view=answer_view(words.RECORDING))

    def then(body: Json) -> None:
        submission = read_submission(body)
        actor = desk.submitter(submission)
        answer = once(desk, f"submission:{submission.mark}", lambda: handle(desk, actor, submission))
        shown = answer_view(answer) if isinstance(answer, str) else answer
        desk.client.views_update(view_id=submission.view, view=shown)

    app.view(callback)(ack=first, lazy=[_afterwards(desk, then)])


def once(desk: Desk, mark: str, run: Callable[[], Any]) -> Any:
    """Run something once for a mark, whoever delivers it how often; if it fails, it may come again.

    What was begun is told from what was finished: a process that died in between, or a record that did not
    answer, must not be taken for a thing that was done.

    Raises:
        AlreadyDone: it ran before, runs now, or was begun and broken off; the text says which.
    """
    if not claim_event(desk.docket, mark):
        raise AlreadyDone(words.ALREADY_TAKEN if is_claimed(desk.docket, _finished(mark)) else words.BEGUN)
    try:
        done = run()
    except BaseException:
        release_event(desk.docket, mark)
        raise
    claim_event(desk.docket, _finished(mark))
    return done


def _finished(mark: str) -> str:
    return f"done:{mark}"
