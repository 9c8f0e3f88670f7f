"""`docket practice`: a practice Slack and its page for a folder that is set up, whose mailbox and relay are the city's own.

Docket itself runs beside it, as it will later: `docket doctor` and `docket run` reach the practice Slack by
`SLACK_API_URL`. Only in test mode, so that the real record is never touched and mail goes to named addresses alone (R8).
"""

import json
import secrets
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

import click
from aiohttp import web

from bot import words
from bot.cli.common import Caller, RecordCommand, data_option, say
from bot.cli.env_file import put_into_env, read_env
from bot.cli.record_view import RecordView
from bot.clock import SystemClock
from bot.errors import StartFault
from bot.logs import configure_logs
from bot.opening import Opened, opened_at
from bot.practice.client import Practice
from bot.practice.control import guarded
from bot.practice.mail_api import PREFIX as MAIL
from bot.practice.pages import page_routes, page_url
from bot.practice.slack import PracticeSlack
from bot.practice.state import TEAM_ID, Channel
from bot.settings import ENV_FILE, Settings, load_settings
from store.cases import MACHINE, Actor
from store.proceedings.roster import seed_roster
from store.rules.access import Via
from store.rules.facts import LinkKind, Role
from store.rules.roster import Member

FOLDER = "practice-slack"
"""Where the practice workspace is kept, beside `data`."""
STAFF = "docket-staff"
_OURS = (
    "SLACK_BOT_TOKEN",
    "SLACK_APP_TOKEN",
    "SLACK_SIGNING_SECRET",
    "SLACK_STAFF_CHANNEL",
    "SLACK_API_URL",
)
_ANYBODYS = (*_OURS, "SLACK_LISTEN")


@click.command("practice", cls=RecordCommand)
@data_option
def practice(data: Path | None) -> None:
    """Try your own mailbox without a Slack workspace: serve one on this machine, with its page, until Ctrl-C.

    Whoever has the page is everybody of the roster. Mailbox and relay are the ones of `docket init`. It works in test mode only: on a record of its own, everything
    marked TEST, mail to DOCKET_TEST_MAIL_TO alone. Meanwhile `.env` names this Slack, and `docket doctor` and
    `docket run`, in another window, work with it.
    """
    folder = (data or Path()).resolve()
    settings = load_settings(folder / ENV_FILE)
    port = refuse_what_is_real(folder, settings)
    configure_logs("error", SystemClock())
    record = opened_at(folder)
    try:
        people = _people(record)
        if not people:
            raise StartFault(
                "The test mode's record has no roster yet; nothing was started. Load it: "
                f"docket roster load {folder}/roster.toml --data {folder}"
            )
        with _told_to_stop() as told, workspace(folder, record, people, port=port) as address:
            _say(folder, settings, address)
            told.wait()
    finally:
        record.docket.database.engine.dispose()
        record.press.close()
    say(f"Stopped. {folder / ENV_FILE} names no Slack any more; the practice workspace is kept in {FOLDER}.")


def refuse_what_is_real(folder: Path, settings: Settings) -> int:
    """Serve no practice Slack to a real record, and put it in the place of no real workspace.

    Returns:
        The port at which it was served before, where it was not stopped in order; 0 for any.

    Raises:
        StartFault: the folder works on its real record, or with a workspace of its own.
    """
    env = folder / ENV_FILE
    if not settings.test_mode:
        raise StartFault(
            f"{folder} works on its real record, and practice takes test mode; nothing was started or changed. "
            f"Put DOCKET_TEST_MODE=true and DOCKET_TEST_MAIL_TO=YOUR-ADDRESS into {env}: a record of its own is used "
            "then, and only that address gets mail."
        )
    written = read_env(env)
    before = urlsplit(written.get("SLACK_API_URL", ""))
    if before.scheme == "http":  # only this machine can be named so
        return before.port or 0
    taken = [name for name in _ANYBODYS if written.get(name)]
    if taken:
        raise StartFault(
            f"{env} names a Slack workspace already ({', '.join(taken)}); nothing was started or changed. Keep those "
            "lines elsewhere while you practise, or set another folder up with docket init."
        )
    return 0


@contextmanager
def workspace(folder: Path, record: Opened, people: dict[int, Member], *, port: int = 0) -> Iterator[str]:
    """Serve the practice Slack and the page, named in the folder's settings meanwhile.

    Args:
        folder: holds `.env`; the workspace is kept in it.
        record: whose people get accounts.
        people: everybody with a role today, by id.
        port: where to listen, if it is free; 0 takes a free one.

    Yields:
        The page's address.
    """
    page = _Page(record, secrets.token_urlsafe(24))
    (folder / FOLDER).mkdir(mode=0o700, exist_ok=True)
    with _listening(folder / FOLDER, page, port) as slack:
        staff = _furnish(slack, record, people)
        app = slack.app
        given = (app.bot_token, app.app_token, app.signing_secret, staff.id, slack.api_url)
        put_into_env(folder / ENV_FILE, dict(zip(_OURS, given, strict=True)))
        try:
            yield page_url(slack.url, page.token)
        finally:
            put_into_env(folder / ENV_FILE, dict.fromkeys(_OURS, ""))


@contextmanager
def _listening(folder: Path, page: "_Page", port: int) -> Iterator[PracticeSlack]:
    """Start the server at the port of last time; where somebody else has it by now, at a free one."""

    def server(at: int) -> PracticeSlack:
        return PracticeSlack(
            folder,
            page.record.clock.now,
            port=at,
            control_token=page.token,
            routes=page.routes(),
            rates=False,
        )

    try:
        slack = server(port).start()
    except OSError:
        slack = server(0).start()
    try:
        yield slack
    finally:
        slack.stop()


def _people(record: Opened) -> dict[int, Member]:
    caller = Caller(record, Actor(None, Via.CLI))
    return {person: one for person, one in caller.people.members.items() if one.roles(caller.today)}


def _furnish(slack: PracticeSlack, record: Opened, people: dict[int, Member]) -> Channel:
    """Give everybody of the roster an account, by which the record knows him, and staff their channel."""
    client = Practice.of(slack)
    today = Caller(record, Actor(None, Via.CLI)).today
    there = {one.id for one in client.persons()}
    accounts: dict[int, str] = {}
    for person, one in people.items():
        linked = [value.partition(":") for value in one.linked(LinkKind.SLACK, today)]
        known = next((user for team, _colon, user in linked if team == TEAM_ID), "")
        title = ", ".join(sorted(words.ROLE_NAMES[role] for role in one.roles(today)))
        address = next(iter(one.linked(LinkKind.EMAIL, today)), "")
        accounts[person] = known
        if known not in there:
            accounts[person] = client.add_person(one.name, address, person_id=known, title=title).id
    seed_roster(record.docket, _linked(people, accounts), MACHINE)
    staff = next((one for one in client.all_channels() if one.name == STAFF), None)
    clerks = [accounts[person] for person, one in people.items() if Role.CLERK in one.roles(today)]
    return staff or client.add_channel(STAFF, [slack.app.bot_user, *clerks])


def _linked(people: dict[int, Member], accounts: dict[int, str]) -> str:
    """Write a roster file that says of everybody by which account he is recognised."""
    return "\n".join(
        f"[[person]]\nname = {_text(one.name)}\naliases = [{', '.join(map(_text, one.aliases))}]\n"
        f'slack = ["{TEAM_ID}:{accounts[person]}"]\n'
        for person, one in people.items()
    )


def _text(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


@dataclass(frozen=True)
class _Page:
    """The page's routes where mail people are the city's own: nobody's inbox is here, and the clock is the real one."""

    record: Opened
    token: str

    def routes(self) -> list[web.RouteDef]:
        view = RecordView(lambda: self.record.docket, token=self.token, letters=lambda: 0, moves=False)
        mail = web.get(f"{MAIL}/people", guarded(self.token, self._nobody))
        return [*page_routes(), *view.routes(), mail]

    async def _nobody(self, _request: web.Request) -> web.Response:
        board = self.record.settings.mail_from or ""
        return web.json_response({"board": board, "people": [], "samples": [], "own": True})


def _say(folder: Path, settings: Settings, address: str) -> None:
    say(
        "A practice Slack runs on this machine; nothing goes to slack.com. Open its page, where you are everybody:",
        f"  {address}",
        "In another window:",
        f"  docket doctor --data {folder}",
        f"  docket run --data {folder}",
        f"Then send a mail with a PDF to {settings.mail_from or 'the Board'} from an address that DOCKET_TEST_MAIL_TO "
        "lets through. Ctrl-C ends the practice Slack; stop docket run first.",
    )


@contextmanager
def _told_to_stop() -> Iterator[threading.Event]:
    """Hear of Ctrl-C and SIGTERM; either is answered in order, so that the settings are put back."""
    told = threading.Event()

    def stopping(_number: int, _frame: FrameType | None) -> None:
        told.set()

    before = {name: signal.signal(name, stopping) for name in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield told
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
