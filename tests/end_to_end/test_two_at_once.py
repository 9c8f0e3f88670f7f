"""Two people at once, old buttons, closed cases: whole cases are played by two clerks who do everything at the same time.

Each form is open before both and each button in front of both when the first acts. The second changes nothing and is
told who was first and when. When the case is closed every old button is pressed once more: a plain refusal.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest

from bot import words
from bot.actions.ids import DEEDS, Do
from bot.practice.client import ShownView, action_ids, message_text
from bot.practice.state import TEAM_ID, Message
from store import journal
from store.proceedings.roster import add_person, link, take_role
from store.rules import access
from store.rules.facts import LinkKind, Role
from tests.bot.slack.office import USERS
from tests.end_to_end.city import READING
from tests.end_to_end.conftest import GiveWay
from tests.end_to_end.test_whole_cases import (
    dismissed_as_frivolous,
    heard_with_counsel,
    reprimanded_with_a_demand_on_the_last_day,
    round_the_city_manager,
)
from tests.end_to_end.ways import BySlack, Way

pytestmark = pytest.mark.end_to_end
COLIN = "U0COLIN"
# minutes are written again for whoever asks, with what was recorded since
WRITTEN_ANEW = frozenset({Do.WRITE_MINUTES})
# the Board's business goes on when a case is closed, and what still comes from a party is recorded
GOES_ON = frozenset({Do.OPEN_MEETING, Do.RECORD_RESPONSE})


@dataclass
class Twice(BySlack):
    """The practice workspace, where everything is done by two at once."""

    kept: list[tuple[str, Message, Do, Mapping[str, object] | None]] = field(default_factory=list)
    tried: set[Do] = field(default_factory=set)

    def appoint(self) -> None:
        """Give the city a second clerk."""
        board = self.city.board
        colin = add_person(board.docket, board.clerk, "Colin Clerk")
        take_role(board.docket, board.clerk, colin, Role.CLERK)
        link(board.docket, board.clerk, colin, LinkKind.SLACK, f"{TEAM_ID}:{COLIN}")
        self.office.practice.add_person("Colin Clerk", person_id=COLIN)

    # -- what is recorded, what is said -------------------------------------------------------------

    def acts(self) -> int:
        """Count the acts of people that recorded something."""
        docket = self.city.board.docket
        with docket.database.read() as session:
            found = list(journal.entries(session, docket.keyring))
        done = [one for one in found if one.header["actor"] is not None and not one.header["refused"]]
        changed = [one for one in done if one.header["act"] not in READING]
        return sum(1 for one in changed if one.content and one.content.get("facts"))

    def answered(self, user: str, before: set[tuple[str, str]]) -> str:
        """Give what a person was answered: the topmost modal, else the messages that are new."""
        modals = self.office.practice.modals(user)
        if modals:
            return modals[-1].text
        new = [one for one in self._seen(user) if (one.channel, one.ts) not in before]
        return "\n".join(map(message_text, new))

    def _seen(self, user: str) -> list[Message]:
        practice = self.office.practice
        return [one for channel in practice.channels(user) for one in practice.messages(user, channel.id)]

    # -- acting twice -------------------------------------------------------------------------------

    def second(self, who: str, action: Do) -> str:
        """Give who does the same at the same time: the other clerk, or the same person where it is his alone."""
        shared = Role.CLERK in access.TABLE[DEEDS[action]].roles
        return COLIN if shared else USERS[who]

    def _fill(self, who: str, number: str, action: Do, values: Mapping[str, object]) -> str:
        user, other = USERS[who], self.second(who, action)
        surface = self._reach(who, number, action)
        self.office.press(user, surface, action)
        beside = self.reach_by(other, number, action) if other == COLIN else surface
        if other == COLIN:
            self.office.press(other, beside, action)
        said = self._submit(user, values)
        self.keep(who, surface, action, values)
        if other == COLIN:
            self.check_second(action, self.submit_late(other, values))
        elif isinstance(surface, Message):
            self.check_second(action, self.once_more(other, surface, action, values))
        return said

    def _click(self, who: str, number: str, action: Do, *, answer: str = "ephemeral_posted") -> str:
        user, other = USERS[who], self.second(who, action)
        beside = self.reach_by(other, number, action) if other == COLIN else None
        surface, after = self._reach(who, number, action), self.office.practice.last_seq()
        self.office.press(user, surface, action)
        assert isinstance(surface, Message)
        self.office.practice.wait(answer, after, channel=surface.channel)
        said = self.office.said(user)
        self.office.deliver()
        self.keep(who, surface, action, None)
        if action is not Do.RECUSE:
            late = beside if isinstance(beside, Message) else surface
            self.check_second(action, self.once_more(other, late, action, None))
        return said

    def keep(
        self, who: str, surface: Message | ShownView, action: Do, values: Mapping[str, object] | None
    ) -> None:
        """Keep a button for the day on which the case is closed."""
        if isinstance(surface, Message):
            self.kept.append((USERS[who], surface, action, values))

    def submit_late(self, user: str, values: Mapping[str, object]) -> str:
        """Submit the form that was open before the other's was submitted; give the answer."""
        practice, before = self.office.practice, self.acts()
        practice.submit(user, values)  # type: ignore[arg-type]  # choices as the case spells them
        seq = practice.last_seq()
        while words.RECORDING in self.office.said(user):
            seq = practice.wait("view_updated", seq - 1).seq + 1
        said = practice.modals(user)[-1].text
        practice.close(user, clear=True)
        assert self.acts() == before, said
        return said

    def once_more(self, user: str, surface: Message, action: Do, values: Mapping[str, object] | None) -> str:
        """Press an old button, and submit what it opens where it opens a form; give the answer."""
        practice, before = self.office.practice, self.acts()
        seen, seq = {(one.channel, one.ts) for one in self._seen(user)}, practice.last_seq()
        button = next(one for one in action_ids(surface) if one.partition(":")[0] == action)
        assert practice.click(user, surface, button).ok
        modals = practice.modals(user)
        if modals and modals[-1].body.get("submit"):
            practice.close(user, clear=True)
            assert self.acts() == before
            return "a form" if values is None else self._fill_old(user, surface, button, values)
        while not (said := self.answered(user, seen)):  # some acts are answered after Slack was
            seq = practice.events(seq, wait_s=20.0)[-1].seq
        if modals:
            practice.close(user, clear=True)
        assert action in WRITTEN_ANEW or self.acts() == before, said
        return said

    def _fill_old(self, user: str, surface: Message, button: str, values: Mapping[str, object]) -> str:
        practice = self.office.practice
        practice.click(user, surface, button)
        offered = str(practice.modals(user)[-1].body["blocks"])
        if not all(str(one) in offered for one in values.values() if str(one).isdigit()):
            practice.close(user, clear=True)
            return "not offered any more"
        return self.submit_late(user, values)

    def check_second(self, action: Do, said: str) -> None:
        """Hold the answer of the second against the rule: who, when, nothing changed."""
        self.tried.add(action)
        if action in WRITTEN_ANEW or said == "not offered any more":
            return
        assert "Nothing was changed." in said, (action, said)
        assert "one by " in said, (action, said)
        assert " EST." in said or " EDT." in said, (action, said)


CASES = [
    dismissed_as_frivolous,
    reprimanded_with_a_demand_on_the_last_day,
    heard_with_counsel,
    round_the_city_manager,
]


@pytest.mark.parametrize("case", CASES, ids=lambda one: one.__name__)
def test_the_second_of_two_is_told_who_was_first_and_old_buttons_of_a_closed_case_refuse(
    ways: GiveWay, case: Callable[[Way], str]
) -> None:
    made = ways("slack")
    assert isinstance(made, BySlack)
    way = Twice(made.city, made.office)
    way.appoint()
    number = case(way)
    assert way.city.file(number).closed
    assert len(way.tried) > 12
    for user, surface, action, values in way.kept:
        if action in GOES_ON | WRITTEN_ANEW:
            continue
        said = way.once_more(user, surface, action, values)
        assert "Nothing was changed." in said, (action, said)
        assert "number R-" not in said
        assert words.CLICK_AGAIN not in said
