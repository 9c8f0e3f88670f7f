"""A Board at work in the practice Slack: the real record, the real bolt app, the real Socket Mode connection."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from slack_bolt import App

from bot.app import build_app
from bot.connection import Connection, web_client
from bot.desk import Refile
from bot.members import Members
from bot.notifier import SlackNotifier
from bot.practice.client import Practice, ShownView, action_ids, message_text
from bot.practice.slack import PracticeSlack
from bot.practice.sockets import Timing
from bot.practice.state import TEAM_ID, Channel, Message
from store import outbox
from store.cases import MACHINE, act
from store.ports import Delivery
from store.proceedings import delivery
from store.proceedings.roster import link
from store.proceedings.screening import tell_entitled
from store.rules.access import Deed
from store.rules.facts import LinkKind
from tests.plain_words import shown_codes
from tests.proceedings.builders import Board

USERS = {
    "Clara Clerk": "U0CLARA",
    "Hanna Chair": "U0HANNA",
    "Mora Member": "U0MORA",
    "Milo Member": "W0MILO",
    "Maud Member": "U0MAUD",
    "Moritz Member": "U0MORITZ",
    "Alma Alternate": "U0ALMA",
    "Cyrus Manager": "U0CYRUS",
    "Cora Counsel": "U0CORA",
}
CLARA, HANNA, MORA, MILO, MAUD, MORITZ = list(USERS.values())[:6]
CYRUS = USERS["Cyrus Manager"]
# Slack waits three seconds; a loaded machine may need more, and what these tests ask is what is answered, not when.
QUICK = Timing(ack_within_s=30.0, retry_after_s=(0.0, 0.05, 0.05), ping_every_s=1.0, trigger_life_s=60.0)


@dataclass
class Office:
    """Everything that runs, and what tests do with it."""

    board: Board
    app: App
    slack: PracticeSlack
    practice: Practice
    notifier: SlackNotifier
    connection: Connection
    staff: str
    folder: Path
    dead: list[str] = field(default_factory=list)

    def deliver(self) -> list[Delivery]:
        """Show every ping that is due; what is to be tried later stays."""
        shown: list[Delivery] = []
        docket = self.board.docket
        while owed := delivery.claim(docket, outbox.Channel.SLACK):
            for one in owed:
                assert one.ping is not None
                shown.append(self.notifier.show(one.ping))
                delivery.settle(docket, one, shown[-1])
        return shown

    def card(self, user: str, number: str) -> Message:
        """The case card in a person's direct messages."""
        return next(
            one
            for one in reversed(self.practice.direct(user))
            if f"Case {number}" in message_text(one) and not one.only_for
        )

    def last(self, user: str) -> Message:
        """The newest message between a person and Docket."""
        return self.practice.direct(user)[-1]

    def said(self, user: str) -> str:
        """What the topmost modal says, or the newest message wherever he sees it."""
        modals = self.practice.modals(user)
        if modals:
            return modals[-1].text
        seen = [
            one
            for channel in self.practice.channels(user)
            for one in self.practice.messages(user, channel.id)
        ]
        return message_text(max(seen, key=lambda one: one.ts))

    def modal(self, user: str) -> ShownView:
        """The topmost modal."""
        return self.practice.modal(user)

    def press(self, user: str, surface: Message | ShownView, action: str) -> None:
        """Press the first button of an action on a message or view."""
        found = next(one for one in action_ids(surface) if one.partition(":")[0] == action)
        outcome = self.practice.click(user, surface, found)
        assert outcome.ok, outcome

    def offers(self, surface: Message | ShownView) -> set[str]:
        """The actions that a message or view offers."""
        return {one.partition(":")[0] for one in action_ids(surface)}

    def everything_shown(self) -> list[Message]:
        """Every message that anybody sees."""
        found = {}
        for person in self.practice.persons():
            if person.role in {"bot", "deactivated"}:
                continue
            for channel in self.practice.channels(person.id):
                for message in self.practice.messages(person.id, channel.id):
                    found[message.channel, message.ts] = message
        return list(found.values())

    def stop(self) -> None:
        """End the connection and the server; whatever was shown to anybody was words."""
        self.connection.stop()
        self.slack.stop()
        assert self._codes_shown() == []

    def _codes_shown(self) -> list[str]:
        """Give each code that stood in any message or view since the workspace was opened, edited ones included."""
        rows = map(json.loads, (self.folder / "state.jsonl").read_text().splitlines())
        seen = (one["row"] for one in rows if one["table"] in {"message", "view"})
        return [code for row in seen for code in shown_codes(row)]


def settle(office: Office) -> None:
    """Wait until the app is connected."""
    if office.practice.workspace()["sockets"] == 0:
        office.practice.wait("socket_opened")


def an_office(
    folder: Path,
    board: Board,
    *,
    timing: Timing = QUICK,
    rates: bool = False,
    refile: Refile | None = None,
    picture: Callable[[bytes, int | None], bytes] | None = None,
    linked: bool = False,
) -> Office:
    """Start a practice Slack with the Board's accounts, and connect the app to it.

    The accounts are put on the roster unless they are `linked` there already.
    """
    slack = PracticeSlack(folder / "slack", board.clock.now, timing=timing, rates=rates).start()
    practice = Practice.of(slack)
    for name, user in USERS.items():
        practice.add_person(name, person_id=user)
        if linked:
            continue
        link(board.docket, board.clerk, board.person(name), LinkKind.SLACK, f"{TEAM_ID}:{user}")
    staff = practice.add_channel("docket-staff", [CLARA, slack.app.bot_user]).id
    client = web_client(slack.app.bot_token, slack.api_url)
    members = Members(board.docket, client)
    dead: list[str] = []
    app = build_app(
        board.docket, client, members=members, refile=refile, picture=picture, on_dead_token=dead.append
    )
    connection = Connection(
        app, slack.app.app_token, slack.api_url, dead.append, ping_interval_s=0.5, silent_s=20.0
    )
    notifier = SlackNotifier(board.docket, client, members, staff, dead.append)
    connection.start()
    office = Office(board, app, slack, practice, notifier, connection, staff, folder / "slack", dead)
    settle(office)
    return office


def told(office: Office, *, proper: bool = True, screened: bool = True) -> str:
    """A case of which everybody who may was told in Slack."""
    number = office.board.case(proper=proper, screened=screened)
    with act(office.board.docket, MACHINE, Deed.SCREEN, case_id=office.board.key(number)) as step:
        tell_entitled(step)
    office.deliver()
    office.practice.all_heard()  # who joined is an event, and its answer may take somebody out again
    return number


def channel_of(office: Office, user: str) -> Channel | None:
    """The case channel that a person is in."""
    return next(
        (one for one in office.practice.channels(user) if not one.direct and one.id != office.staff), None
    )
