"""The two ways in, act by act: the command line, and Slack by clicks and forms. A case is written once for both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from bot import words
from bot.actions.ids import Do
from bot.practice.client import ShownView, action_ids, message_text
from bot.practice.state import Message
from store.rules.facts import Question
from tests.bot.cli.shell import Shell
from tests.bot.slack.office import USERS, Office
from tests.end_to_end.city import City

CLERK, CHAIR, MANAGER = "Clara Clerk", "Hanna Chair", "Cyrus Manager"


@dataclass(frozen=True, slots=True)
class Named:
    """A party as somebody names it."""

    name: str
    role: str = "respondent"
    office: str = ""
    email: str = ""
    postal: str = ""
    of: str = ""


class Way(Protocol):
    """What people do with a case, whichever way they come in. Each method is one act of one person."""

    city: City

    def say_form(self, number: str, reason: str) -> None:
        """The clerk finds the complaint proper."""

    def refer(self, number: str) -> None:
        """The City Manager refers it."""

    def acknowledge(self, number: str) -> None:
        """The clerk acknowledges it."""

    def name(self, number: str, party: Named) -> None:
        """The clerk names a party."""

    def notice(self, number: str, respondent: str, provisions: Sequence[str]) -> None:
        """The clerk writes the notice to a respondent."""

    def packet(self, number: str, party: str, letter: str) -> list[bytes]:
        """The clerk prints what is served on paper; gives the files in order."""

    def serve(
        self, number: str, party: str, letter: str, *, how: str, by: str, on: date, received_on: date
    ) -> None:
        """The clerk records a service on paper."""

    def answer(self, number: str, respondent: str, said: str) -> None:
        """The clerk records an answer that came now."""

    def silence(self, number: str, respondent: str, on: date) -> None:
        """The clerk records that the chance was not used."""

    def recuse(self, number: str, who: str) -> None:
        """A member steps back."""

    def meet(self, place: str, notice: str, present: Sequence[str]) -> None:
        """The chair opens a meeting."""

    def vote(
        self, number: str, respondent: str, question: Question, votes: Mapping[str, str], *, seats: str = ""
    ) -> str:
        """The chair opens a ballot, members vote, the chair closes it; gives what was printed.

        `seats` names an alternate who takes a seat and the member whose it is, as "A for B".
        """

    def adjourn(self) -> None:
        """The chair adjourns the meeting in session."""

    def inquiry(self, number: str, on: date) -> None:
        """The clerk records that the inquiry was concluded, in the meeting in session."""

    def determine(self, number: str, respondent: str, conclusion: str, findings: str) -> None:
        """The chair records the determination: outside, frivolous, no-basis or sufficient."""

    def tell_parties(self, number: str, *respondents: str) -> None:
        """The clerk sends what was concluded on these respondents."""

    def dispose(self, number: str, respondent: str, course: str, circumstances: Sequence[str] = ()) -> None:
        """The chair records what follows: reprimand, hearing, both or nothing."""

    def reprimand(self, number: str, respondent: str, text: str) -> None:
        """The clerk issues the reprimand."""

    def reprimand_received(self, number: str, respondent: str, by: str, evidence: str) -> None:
        """The clerk records a receipt of now."""

    def demand(self, number: str, respondent: str, said: str) -> str:
        """The clerk records a demand that came now; gives what was printed."""

    def commission_result(self, number: str, respondent: str, on: date, result: str) -> None:
        """The clerk records what the Commission decided."""

    def hearing(self, number: str, respondent: str, at: datetime, place: str, issue: str) -> None:
        """The chair sets the hearing and hands over the complaint."""

    def hearing_result(self, number: str, respondent: str, on: date, result: str) -> None:
        """The chair records the result of the hearing."""

    def plan(self, number: str, at: datetime, place: str) -> None:
        """The chair plans a meeting with the case on its agenda."""

    def notice_of_meeting(self, how: str, to: str) -> None:
        """The clerk records that notice of the planned meeting was given now."""

    def coming(self, who: str, answer: str) -> None:
        """A member says whether he comes to the planned meeting."""

    def forecast(self) -> str:
        """The chair looks at the quorum to expect."""

    def meet_as_planned(self, present: Sequence[str]) -> None:
        """The chair opens the meeting that was planned, with its place and its notice."""

    def write_minutes(self) -> None:
        """The clerk writes the minutes of the last meeting."""

    def approve_minutes(self, moved: str, seconded: str) -> None:
        """The clerk records, in the meeting in session, that the minutes of the one before are approved."""

    def ask_time(self, number: str, respondent: str, until: date, said: str) -> None:
        """The clerk records a request for more time that came now."""

    def give_time(self, number: str, reason: str) -> None:
        """The chair grants the request that waits."""

    def appear(self, number: str, party: str, counsel: str) -> None:
        """The chair records that a party appeared now, with counsel, and answered the complaint."""

    def swear(self, number: str, party: str, oath_by: str) -> None:
        """The chair records a statement under oath, taken now."""

    def offer(self, number: str, party: str, shows: str) -> None:
        """The chair records that a party offers the complaint's paper in evidence, and receives it."""

    def sitting(
        self, number: str, respondent: str, appeared: Sequence[str], how: str, again: datetime | None = None
    ) -> None:
        """The chair records that the hearing was held now, adjourned where it goes on another day."""

    def send_hearing_result(self, number: str, respondent: str) -> None:
        """The clerk sends the result to each party and counsel."""

    def close(self, number: str) -> None:
        """The clerk closes the file."""

    def sees(self, number: str, who: str) -> bool:
        """Somebody asks for the case; says whether he is shown it."""


# -- the command line ---------------------------------------------------------------------------------


@dataclass
class ByCommandLine:
    """Commands, typed by whoever acts."""

    city: City
    shell: Shell

    def _run(self, who: str, *words_: object, stdin: str = "") -> str:
        return self.shell.run(*words_, who=who, stdin=stdin).out

    def _respondent(self, number: str, name: str) -> tuple[str, int]:
        return "--respondent", self.city.party(number, name)

    def say_form(self, number: str, reason: str) -> None:
        """See `Way`."""
        self._run(CLERK, "form", number, "--proper", "--reason", "-", stdin=reason)

    def refer(self, number: str) -> None:
        """See `Way`."""
        self._run(MANAGER, "refer", number)

    def acknowledge(self, number: str) -> None:
        """See `Way`."""
        self._run(CLERK, "acknowledge", number)

    def name(self, number: str, party: Named) -> None:
        """See `Way`."""
        represents = ("--represents", self.city.party(number, party.of)) if party.of else ()
        email = ("--email", party.email) if party.email else ()
        self._run(
            CLERK,
            *("party", "add", number, party.role, "--name", party.name, "--office", party.office),
            *("--postal", "-", *email, *represents),
            stdin=party.postal,
        )

    def notice(self, number: str, respondent: str, provisions: Sequence[str]) -> None:
        """See `Way`."""
        chosen = [word for one in provisions for word in ("--provision", one)]
        self._run(CLERK, "notice", number, *self._respondent(number, respondent), *chosen)

    def packet(self, number: str, party: str, letter: str) -> list[bytes]:
        """See `Way`."""
        wanted = self.city.file(number).letters_to(letter, self.city.party(number, party))[-1].id
        folder = self.city.folder / f"packet-{wanted}"
        self._run(CLERK, "packet", number, wanted, "--out", folder)
        assert (folder / "packet.pdf").stat().st_size
        return [one.read_bytes() for one in sorted(folder.glob("[0-9]-*"))]

    def serve(
        self, number: str, party: str, letter: str, *, how: str, by: str, on: date, received_on: date
    ) -> None:
        """See `Way`."""
        self._run(
            CLERK,
            *("served", number, "--party", self.city.party(number, party), "--letter", letter),
            *("--how", how, "--by", by, "--on", on, "--received-on", received_on),
        )

    def answer(self, number: str, respondent: str, said: str) -> None:
        """See `Way`."""
        now = self.city.clock.now().isoformat()
        whose = self._respondent(number, respondent)
        self._run(CLERK, "response", "record", number, *whose, "--received", now, "--words", "-", stdin=said)

    def silence(self, number: str, respondent: str, on: date) -> None:
        """See `Way`."""
        self._run(CLERK, "response", "not-used", number, *self._respondent(number, respondent), "--on", on)

    def recuse(self, number: str, who: str) -> None:
        """See `Way`."""
        self._run(who, "recuse", number)

    def meet(self, place: str, notice: str, present: Sequence[str]) -> None:
        """See `Way`."""
        there = [word for one in present for word in ("--present", one)]
        self._run(CHAIR, "meeting", "open", place, "--notice", notice, *there)

    def vote(
        self, number: str, respondent: str, question: Question, votes: Mapping[str, str], *, seats: str = ""
    ) -> str:
        """See `Way`."""
        seated = ("--alternate", *seats.split(" for ")) if seats else ()
        whose = self._respondent(number, respondent)
        self._run(CHAIR, "ballot", "open", number, question.value, *whose, *seated)
        ballot = self.city.file(number).ballots[-1].id
        for who, choice in votes.items():
            self._run(who, "ballot", "vote", number, ballot, choice, "--reasons", "-", stdin="as shown")
        return self._run(CHAIR, "ballot", "close", number, ballot)

    def adjourn(self) -> None:
        """See `Way`."""
        self._run(CHAIR, "meeting", "close")

    def inquiry(self, number: str, on: date) -> None:
        """See `Way`."""
        ballots = self.city.file(number).ballots
        held = ("--meeting", ballots[-1].opened.meeting) if ballots else ()
        self._run(CLERK, "inquiry", number, "--on", on, "--concluded", *held)

    def determine(self, number: str, respondent: str, conclusion: str, findings: str) -> None:
        """See `Way`."""
        said = {
            "outside": ("--outside-jurisdiction",),
            "frivolous": ("--within-jurisdiction", "--frivolous"),
            "no-basis": ("--within-jurisdiction", "--no-basis"),
            "sufficient": ("--within-jurisdiction", "--basis"),
        }[conclusion]
        whose = self._respondent(number, respondent)
        self._run(CHAIR, "determine", number, *whose, *said, "--findings", "-", stdin=findings)

    def tell_parties(self, number: str, *respondents: str) -> None:
        """See `Way`."""
        for one in respondents:
            adverse = self.city.file(number).is_adverse(self.city.party(number, one))
            command = "terminate" if adverse else "notify"
            self._run(CLERK, command, number, *self._respondent(number, one))

    def dispose(self, number: str, respondent: str, course: str, circumstances: Sequence[str] = ()) -> None:
        """See `Way`."""
        said = {
            "reprimand": ("--reprimand",),
            "hearing": ("--hearing",),
            "both": ("--reprimand", "--hearing"),
            "nothing": ("--no-further-action",),
        }[course]
        why = [word for one in circumstances for word in ("--circumstance", one)]
        self._run(CHAIR, "dispose", number, *self._respondent(number, respondent), *said, *why)

    def reprimand(self, number: str, respondent: str, text: str) -> None:
        """See `Way`."""
        whose = self._respondent(number, respondent)
        self._run(CLERK, "reprimand", "issue", number, *whose, "--text", "-", stdin=text)

    def reprimand_received(self, number: str, respondent: str, by: str, evidence: str) -> None:
        """See `Way`."""
        now, whose = self.city.clock.now().isoformat(), self._respondent(number, respondent)
        self._run(
            CLERK,
            *("reprimand", "received", number, *whose, "--by", by, "--at", now, "--evidence", "-"),
            stdin=evidence,
        )

    def demand(self, number: str, respondent: str, said: str) -> str:
        """See `Way`."""
        now, whose = self.city.clock.now().isoformat(), self._respondent(number, respondent)
        return self._run(
            CLERK, "demand", "record", number, *whose, "--received", now, "--words", "-", stdin=said
        )

    def commission_result(self, number: str, respondent: str, on: date, result: str) -> None:
        """See `Way`."""
        whose = self._respondent(number, respondent)
        self._run(CLERK, "demand", "result", number, *whose, "--on", on, "--result", "-", stdin=result)

    def hearing(self, number: str, respondent: str, at: datetime, place: str, issue: str) -> None:
        """See `Way`."""
        whose = self._respondent(number, respondent)
        self._run(
            CHAIR,
            *("hearing", "open", number, *whose, "--at", at.isoformat(), "--place", place),
            *("--issue", "-", "--hand-over", 1),
            stdin=issue,
        )

    def hearing_result(self, number: str, respondent: str, on: date, result: str) -> None:
        """See `Way`."""
        whose = self._respondent(number, respondent)
        self._run(CHAIR, "hearing", "result", number, *whose, "--on", on, "--result", "-", stdin=result)

    def _now(self) -> str:
        return self.city.clock.now().isoformat()

    def plan(self, number: str, at: datetime, place: str) -> None:
        """See `Way`."""
        self._run(CHAIR, "meeting", "plan", place, "--at", at.isoformat(), "--case", number)

    def notice_of_meeting(self, how: str, to: str) -> None:
        """See `Way`."""
        plan = self.city.plan().id
        self._run(CLERK, "meeting", "notice", plan, "--given-at", self._now(), "--how", how, "--to", to)

    def coming(self, who: str, answer: str) -> None:
        """See `Way`."""
        self._run(who, "meeting", "coming", self.city.plan().id, answer)

    def forecast(self) -> str:
        """See `Way`."""
        return self._run(CHAIR, "meeting", "planned")

    def meet_as_planned(self, present: Sequence[str]) -> None:
        """See `Way`."""
        plan = self.city.plan()
        given = "\n".join(self.city.notice_lines())
        there = [word for one in present for word in ("--present", one)]
        self._run(
            CHAIR,
            *("meeting", "open", plan.planned.place, "--notice", "-", "--planned", plan.id, *there),
            stdin=given,
        )

    def write_minutes(self) -> None:
        """See `Way`."""
        held = self.city.meetings()[-1].id
        self._run(CLERK, "meeting", "minutes", held, "--out", self.city.folder / f"minutes-{held}.pdf")

    def approve_minutes(self, moved: str, seconded: str) -> None:
        """See `Way`."""
        before = self.city.meetings()[-2].id
        self._run(CLERK, "meeting", "approve-minutes", before, "--moved-by", moved, "--seconded-by", seconded)

    def ask_time(self, number: str, respondent: str, until: date, said: str) -> None:
        """See `Way`."""
        whose = self._respondent(number, respondent)
        self._run(
            CLERK,
            *("response", "ask-time", number, *whose, "--until", until, "--received", self._now()),
            *("--words", "-"),
            stdin=said,
        )

    def give_time(self, number: str, reason: str) -> None:
        """See `Way`."""
        request = self.city.file(number).asked_for_time()[-1].id
        self._run(CHAIR, "response", "rule-time", number, request, "--grant", "--reason", "-", stdin=reason)

    def appear(self, number: str, party: str, counsel: str) -> None:
        """See `Way`."""
        whose = ("--party", self.city.party(number, party), "--counsel", self.city.party(number, counsel))
        self._run(CHAIR, "appearance", number, *whose, "--at", self._now(), "--how", "in person", "--answer")

    def swear(self, number: str, party: str, oath_by: str) -> None:
        """See `Way`."""
        whose = ("--party", self.city.party(number, party))
        self._run(CHAIR, "statement", number, *whose, "--oath-by", oath_by, "--at", self._now())

    def offer(self, number: str, party: str, shows: str) -> None:
        """See `Way`."""
        whose = ("--party", self.city.party(number, party))
        self._run(
            CHAIR,
            *("exhibit", "offer", number, "--document", 1, *whose, "--at", self._now(), "--words", "-"),
            stdin=shows,
        )
        self._run(CHAIR, "exhibit", "rule", number, self.city.file(number).exhibits[-1].id, "--received")

    def sitting(
        self, number: str, respondent: str, appeared: Sequence[str], how: str, again: datetime | None = None
    ) -> None:
        """See `Way`."""
        there = [word for one in appeared for word in ("--appeared", self.city.party(number, one))]
        further = ("--adjourned", "--to", again.isoformat()) if again else ()
        self._run(
            CHAIR,
            *("hearing", "held", number, *self._respondent(number, respondent), "--at", self._now()),
            *(*there, *further, "--words", "-"),
            stdin=how,
        )

    def send_hearing_result(self, number: str, respondent: str) -> None:
        """See `Way`."""
        self._run(CLERK, "hearing", "send", number, *self._respondent(number, respondent))

    def close(self, number: str) -> None:
        """See `Way`."""
        self._run(CLERK, "close", number)

    def sees(self, number: str, who: str) -> bool:
        """See `Way`."""
        return self.shell.try_("case", number, who=who).status == 0


# -- Slack --------------------------------------------------------------------------------------------


@dataclass
class BySlack:
    """Buttons and forms, used by whoever acts in the practice workspace."""

    city: City
    office: Office

    # how a person reaches a button

    def _reach(self, who: str, number: str, action: Do) -> Message | ShownView:
        """Ask for the case's card; where the button is not on it, press More."""
        return self.reach_by(USERS[who], number, action)

    def reach_by(self, user: str, number: str, action: Do) -> Message | ShownView:
        """Give what has a button, as an account sees it now."""
        practice = self.office.practice
        before = max((one.ts for one in practice.direct(user)), default="")
        after = practice.last_seq()
        practice.command(user, "/ethics", f"case {number}" if number else "meeting")
        # other words may come in between: what is waited for is the answer that has the button
        while True:
            for card in reversed([one for one in practice.direct(user) if one.ts > before]):
                if action in self.office.offers(card):
                    return card
                if number and Do.MORE_ACTS in self.office.offers(card):
                    self.office.press(user, card, Do.MORE_ACTS)
                    return self.office.modal(user)
            after = practice.wait("ephemeral_posted", after).seq

    def _click(self, who: str, number: str, action: Do, *, answer: str = "ephemeral_posted") -> str:
        user, practice = USERS[who], self.office.practice
        surface, after = self._reach(who, number, action), practice.last_seq()
        self.office.press(user, surface, action)
        assert isinstance(surface, Message), "a click in a modal is answered in it"
        practice.wait(answer, after, channel=surface.channel)
        said = self.office.said(user)
        self.office.deliver()
        return said

    def _fill(self, who: str, number: str, action: Do, values: Mapping[str, object]) -> str:
        user = USERS[who]
        self.office.press(user, self._reach(who, number, action), action)
        return self._submit(user, values)

    def _submit(self, user: str, values: Mapping[str, object]) -> str:
        practice = self.office.practice
        outcome = practice.submit(user, values)  # type: ignore[arg-type]  # choices as the case spells them
        assert outcome.ok, self.office.said(user)
        seq = practice.last_seq()
        while words.RECORDING in self.office.said(user):
            seq = practice.wait("view_updated", seq - 1).seq + 1
        said = self.office.said(user)
        practice.close(user, clear=True)
        self.office.deliver()
        return said

    def _id(self, number: str, name: str) -> str:
        return str(self.city.party(number, name))

    # the acts

    def say_form(self, number: str, reason: str) -> None:
        """See `Way`."""
        self._fill(CLERK, number, Do.FORM_CHECK, {"proper": "yes", "signed": "yes", "reason": reason})

    def refer(self, number: str) -> None:
        """See `Way`."""
        user = USERS[MANAGER]
        self.office.deliver()
        asked = next(
            one
            for one in reversed(self.office.practice.direct(user))
            if Do.REFER in self.office.offers(one) and number in str(one.blocks)
        )
        self.office.press(user, asked, Do.REFER)
        self.office.deliver()

    def acknowledge(self, number: str) -> None:
        """See `Way`."""
        self._click(CLERK, number, Do.ACKNOWLEDGE)

    def name(self, number: str, party: Named) -> None:
        """See `Way`."""
        typed = {"name": party.name, "office": party.office, "email": party.email, "postal": party.postal}
        values: dict[str, object] = {"role": party.role, **{key: one for key, one in typed.items() if one}}
        if party.of:
            values["of"] = self._id(number, party.of)
        self._fill(CLERK, number, Do.NAME_RESPONDENTS, values)

    def notice(self, number: str, respondent: str, provisions: Sequence[str]) -> None:
        """See `Way`."""
        values = {"whom": self._id(number, respondent), "provisions": list(provisions)}
        self._fill(CLERK, number, Do.SEND_NOTICE, values)

    def packet(self, number: str, party: str, letter: str) -> list[bytes]:
        """See `Way`."""
        user, practice = USERS[CLERK], self.office.practice
        self._open_service(number, party, letter)
        after = practice.last_seq()
        self.office.press(user, self.office.modal(user), Do.PRINT_PACKET)
        for _sheet in ("label", "cover", "letter", "complaint"):
            after = practice.wait("file_shared", after).seq
        practice.close(user, clear=True)
        shown = [one for message in practice.direct(user) for one in message.files]
        return [practice.read_file(user, one) for one in shown]

    def serve(
        self, number: str, party: str, letter: str, *, how: str, by: str, on: date, received_on: date
    ) -> None:
        """See `Way`."""
        self._open_service(number, party, letter)
        typed = {"how": how, "by": by, "on": on.isoformat(), "received": received_on.isoformat()}
        self._submit(USERS[CLERK], typed)

    def _open_service(self, number: str, party: str, letter: str) -> None:
        user = USERS[CLERK]
        self.office.press(user, self._reach(CLERK, number, Do.TAKE_BACK), Do.TAKE_BACK)
        wanted = self.city.file(number).letters_to(letter, self.city.party(number, party))[-1].id
        self._press_about(user, Do.RECORD_SERVICE, wanted)

    def _press_about(self, user: str, action: Do, about: int) -> None:
        """Press the button that is about one thing, among several alike in a window."""
        view = self.office.modal(user)
        for block in view.body["blocks"]:
            button = block.get("accessory", {})
            if button.get("action_id", "").partition(":")[0] == action and str(about) in button["value"]:
                outcome = self.office.practice.click(
                    user, view, button["action_id"], block_id=block["block_id"]
                )
                assert outcome.ok
                return
        raise AssertionError(f"no button {action} about {about}")

    def answer(self, number: str, respondent: str, said: str) -> None:
        """See `Way`."""
        values = {"whom": self._id(number, respondent), "words": said}
        self._fill(CLERK, number, Do.RECORD_RESPONSE, values)

    def silence(self, number: str, respondent: str, on: date) -> None:
        """See `Way`."""
        values = {"whom": self._id(number, respondent), "on": on.isoformat()}
        self._fill(CLERK, number, Do.CHANCE_NOT_USED, values)

    def recuse(self, number: str, who: str) -> None:
        """See `Way`."""
        self._click(who, number, Do.RECUSE, answer="message_posted")

    def meet(self, place: str, notice: str, present: Sequence[str]) -> None:
        """See `Way`."""
        there = [str(self.city.board.person(one)) for one in present]
        self._fill(CHAIR, "", Do.OPEN_MEETING, {"place": place, "notice": notice, "present": there})

    def vote(
        self, number: str, respondent: str, question: Question, votes: Mapping[str, str], *, seats: str = ""
    ) -> str:
        """See `Way`."""
        values: dict[str, object] = {"track": self._id(number, respondent), "question": question.value}
        if seats:
            values["seated"] = [":".join(str(self.city.board.person(one)) for one in seats.split(" for "))]
        self._fill(CHAIR, number, Do.OPEN_BALLOT, values)
        ballot = self.city.file(number).ballots[-1].id
        for who, choice in votes.items():
            user = USERS[who]
            paper = self._ballot_paper(user, ballot)
            self.office.press(user, paper, Do.VOTE)
            self._submit(user, {"choice": choice, "reasons": "as shown"})
        return self._click(CHAIR, number, Do.CLOSE_BALLOT)

    def _ballot_paper(self, user: str, ballot: int) -> Message:
        return next(
            one
            for one in reversed(self.office.practice.direct(user))
            if any(each.partition(":")[0] == Do.VOTE for each in action_ids(one))
            and str(ballot) in str(one.blocks)
        )

    def adjourn(self) -> None:
        """See `Way`."""
        self._click(CHAIR, "", Do.CLOSE_MEETING)

    def inquiry(self, number: str, on: date) -> None:
        """See `Way`."""
        self._fill(CLERK, number, Do.HOLD_INQUIRY, {"on": on.isoformat(), "concluded": "yes"})

    def determine(self, number: str, respondent: str, conclusion: str, findings: str) -> None:
        """See `Way`."""
        values = {"track": self._id(number, respondent), "conclusion": conclusion, "findings": findings}
        self._fill(CHAIR, number, Do.DETERMINE, values)

    def tell_parties(self, number: str, *respondents: str) -> None:
        """See `Way`."""
        assert respondents
        self._click(CLERK, number, Do.SEND_DECISION)

    def dispose(self, number: str, respondent: str, course: str, circumstances: Sequence[str] = ()) -> None:
        """See `Way`."""
        values: dict[str, object] = {"track": self._id(number, respondent), "course": course}
        if circumstances:
            values["circumstances"] = list(circumstances)
        self._fill(CHAIR, number, Do.DISPOSE, values)

    def reprimand(self, number: str, respondent: str, text: str) -> None:
        """See `Way`."""
        self._fill(CLERK, number, Do.ISSUE_REPRIMAND, {"track": self._id(number, respondent), "text": text})

    def reprimand_received(self, number: str, respondent: str, by: str, evidence: str) -> None:
        """See `Way`."""
        values = {"track": self._id(number, respondent), "by": by, "evidence": evidence}
        self._fill(CLERK, number, Do.REPRIMAND_RECEIVED, values)

    def demand(self, number: str, respondent: str, said: str) -> str:
        """See `Way`."""
        values = {"track": self._id(number, respondent), "words": said}
        return self._fill(CLERK, number, Do.RECORD_DEMAND, values)

    def commission_result(self, number: str, respondent: str, on: date, result: str) -> None:
        """See `Way`."""
        values = {"track": self._id(number, respondent), "on": on.isoformat(), "result": result}
        self._fill(CLERK, number, Do.COMMISSION_RESULT, values)

    def hearing(self, number: str, respondent: str, at: datetime, place: str, issue: str) -> None:
        """See `Way`."""
        values: dict[str, object] = {
            "track": self._id(number, respondent),
            "on": f"{at:%Y-%m-%d}",
            "hour": f"{at:%H:%M}",
            "place": place,
            "issue": issue,
            "papers": ["1"],
        }
        self._fill(CHAIR, number, Do.OPEN_HEARING, values)

    def hearing_result(self, number: str, respondent: str, on: date, result: str) -> None:
        """See `Way`."""
        values = {"track": self._id(number, respondent), "on": on.isoformat(), "result": result}
        self._fill(CHAIR, number, Do.HEARING_RESULT, values)

    def plan(self, number: str, at: datetime, place: str) -> None:
        """See `Way`."""
        values = {"on": f"{at:%Y-%m-%d}", "hour": f"{at:%H:%M}", "place": place, "agenda": number}
        self._fill(CHAIR, "", Do.PLAN_MEETING, values)

    def notice_of_meeting(self, how: str, to: str) -> None:
        """See `Way`."""
        self._fill(CLERK, "", Do.NOTICE_GIVEN, {"how": how, "whom": to})

    def coming(self, who: str, answer: str) -> None:
        """See `Way`."""
        user, wanted = USERS[who], f"{Do.COMING}:{answer}"
        self.office.deliver()
        asked = next(one for one in reversed(self.office.practice.direct(user)) if wanted in action_ids(one))
        assert self.office.practice.click(user, asked, wanted).ok
        self.office.deliver()

    def forecast(self) -> str:
        """See `Way`."""
        return message_text(self._shown(CHAIR, Do.MOVE_MEETING))

    def _shown(self, who: str, action: str) -> Message:
        shown = self._reach(who, "", Do(action))
        assert isinstance(shown, Message)
        return shown

    def meet_as_planned(self, present: Sequence[str]) -> None:
        """See `Way`."""
        user, wanted = USERS[CHAIR], f"{Do.OPEN_MEETING}:{self.city.plan().id}"
        shown = self._shown(CHAIR, Do.MOVE_MEETING)
        assert self.office.practice.click(user, shown, wanted).ok
        self._submit(user, {"present": [str(self.city.board.person(one)) for one in present]})

    def write_minutes(self) -> None:
        """See `Way`."""
        self._click(CLERK, "", Do.WRITE_MINUTES)

    def approve_minutes(self, moved: str, seconded: str) -> None:
        """See `Way`."""
        person = self.city.board.person
        values = {"moved": str(person(moved)), "seconded": str(person(seconded))}
        self._fill(CLERK, "", Do.APPROVE_MINUTES, values)

    def ask_time(self, number: str, respondent: str, until: date, said: str) -> None:
        """See `Way`."""
        values = {"track": self._id(number, respondent), "until": until.isoformat(), "words": said}
        self._fill(CLERK, number, Do.ASK_TIME, values)

    def give_time(self, number: str, reason: str) -> None:
        """See `Way`."""
        self._fill(CHAIR, number, Do.RULE_TIME, {"granted": "yes", "reason": reason})

    def appear(self, number: str, party: str, counsel: str) -> None:
        """See `Way`."""
        values = {
            "party": self._id(number, party),
            "counsel": [self._id(number, counsel)],
            "answers": "yes",
        }
        self._fill(CHAIR, number, Do.APPEARANCE, values)

    def swear(self, number: str, party: str, oath_by: str) -> None:
        """See `Way`."""
        self._fill(CHAIR, number, Do.STATEMENT, {"party": self._id(number, party), "oath": oath_by})

    def offer(self, number: str, party: str, shows: str) -> None:
        """See `Way`."""
        values = {"paper": "1", "party": self._id(number, party), "words": shows}
        self._fill(CHAIR, number, Do.OFFER_EXHIBIT, values)
        self._fill(CHAIR, number, Do.RULE_EXHIBIT, {"received": "yes"})

    def sitting(
        self, number: str, respondent: str, appeared: Sequence[str], how: str, again: datetime | None = None
    ) -> None:
        """See `Way`."""
        values: dict[str, object] = {
            "track": self._id(number, respondent),
            "appeared": [self._id(number, one) for one in appeared],
            "how": how,
        }
        if again is not None:
            values |= {"ended": "adjourned", "again_on": f"{again:%Y-%m-%d}", "again_hour": f"{again:%H:%M}"}
        self._fill(CHAIR, number, Do.HEARING_SAT, values)

    def send_hearing_result(self, number: str, respondent: str) -> None:
        """See `Way`."""
        assert respondent
        self._click(CLERK, number, Do.SEND_RESULT)

    def close(self, number: str) -> None:
        """See `Way`."""
        self._fill(CLERK, number, Do.CLOSE_CASE, {})

    def sees(self, number: str, who: str) -> bool:
        """See `Way`."""
        self.office.practice.command(USERS[who], "/ethics", f"case {number}")
        return "no case of that number" not in self.office.said(USERS[who])
