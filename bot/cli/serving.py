"""Docket at work: record, mailroom, Slack and timetable joined. `docket run` and the practice story use it alike."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import structlog
from pydantic import SecretStr
from slack_bolt import App
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackRequestError

from bot.app import build_app
from bot.cli.doctor_mail import NEARLY_FULL
from bot.cli.health import RECORD_AWAY, HealthFile, sweep_up_halves
from bot.cli.mail_servers import mail_servers
from bot.cli.mailroom import desk_of
from bot.connection import Connection, ConnectionState, web_client
from bot.emergency import Emergency
from bot.health_page import Vitals, health_page
from bot.http_connection import HttpConnection
from bot.members import Members
from bot.notifier import SlackNotifier
from bot.opening import Opened
from bot.reach import CONNECTION
from bot.schedule import Timetable
from bot.stamps import HttpAuthority
from bot.upkeep import upkeep_of
from bot.web_server import WebServer
from intake.pdf.one_print import as_one_print
from intake.pdf.photos import PhotosUnreadable, as_one_pdf
from intake.pdf.picture import PictureUnavailable, picture
from intake.pdf.sandbox import SandboxUnavailable
from intake.poller import Mailroom, Poll
from intake.posting import PostOffice
from intake.reading import Arrival, read
from intake.watch import READ_AGAIN, Alarm, Recovery
from store.cases import profile_in_force
from store.database import beat
from store.outbox import Channel, Owed
from store.ports import Delivery, DeliveryState
from store.proceedings.mail import item_of
from store.proceedings.receipt import Filing
from store.proceedings.reminders import clear_alarm, raise_alarm
from store.proceedings.stamping import stamp_head, stamping_ended
from store.rules.counted import counted

log = structlog.get_logger()
MEBIBYTE = 1 << 20
LOOPBACK = "127.0.0.1"
HEALTH_EVERY_S = 10.0
WATCH_EVERY_S = 60.0
STAMP_EVERY_S = 300.0
ROOMY_AGAIN = 0.85
LAST_WAIT_S = 2.0
"""How long, once told to stop, anybody still waits for the record while another program holds it."""


@dataclass
class Service:
    """One process at work.

    Attributes:
        opened: the record with its settings.
        poll: reads the mailbox; belongs to a thread of its own.
    """

    opened: Opened
    app: App = field(init=False)
    connection: Connection | HttpConnection = field(init=False)
    health_page: WebServer | None = field(init=False)
    timetable: Timetable = field(init=False)
    poll: Poll = field(init=False)
    _threads: list[threading.Thread] = field(default_factory=list)
    _stopped: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        settings, docket = self.opened.settings, self.opened.docket
        assert settings.slack_bot_token is not None
        client = web_client(
            settings.slack_bot_token.get_secret_value(), settings.slack_api_url, test=settings.test_mode
        )
        members = Members(docket, client)
        notifier = SlackNotifier(
            docket, client, members, settings.slack_staff_channel or "", self._slack_is_dead
        )
        self.desk = desk_of(self.opened)
        self._servers = mail_servers(settings)
        self.app = build_app(
            docket,
            client,
            members=members,
            refile=self.refile,
            picture=_page_picture,
            photos=_photos,
            one_print=_one_print,
            on_dead_token=self._slack_is_dead,
            signing_secret=_shown_secret(settings.slack_signing_secret),
        )
        self.connection = self._connection()
        self.timetable = Timetable(
            docket,
            show_ping=lambda owed: _shown(notifier, owed),
            send_letter=self._post_office().deliver,
            extra={
                **self._stamping(),
                **upkeep_of(notifier, self._leads),
                "health": (HEALTH_EVERY_S, self.write_health),
                "mailbox-watch": (WATCH_EVERY_S, self._watch_mailbox),
                "slack-watch": (WATCH_EVERY_S, self.watch_slack),
            },
            emergency=Emergency(self._ways_past_the_outbox(client)),
        )
        if self._health().owes_the_end():
            self.timetable.emergency.recall()
        self.poll = self._poll()
        self.health_page = self._health_page()

    def _leads(self) -> bool:
        return self.timetable.is_leader()

    def _stamping(self) -> dict[str, tuple[float, Callable[[], None]]]:
        """Have the journal's head stamped where an authority is set; the leader alone asks."""
        if self.opened.settings.tsa_url is None:
            stamping_ended(self.opened.docket)
            return {}
        authority = HttpAuthority(self.opened.settings.tsa_url)

        def stamp() -> None:
            if self.timetable.is_leader():
                stamp_head(self.opened.docket, authority)

        return {"time-stamp": (STAMP_EVERY_S, stamp)}

    def _connection(self) -> Connection | HttpConnection:
        settings = self.opened.settings
        if settings.slack_listen is not None:
            where = settings.slack_listen
            secret = _shown_secret(settings.slack_signing_secret)
            return HttpConnection(self.app, secret, where.host, where.port, self._slack_is_dead)
        assert settings.slack_app_token is not None
        return Connection(
            self.app, settings.slack_app_token.get_secret_value(), settings.slack_api_url, self._slack_is_dead
        )

    def _health_page(self) -> WebServer | None:
        port = self.opened.settings.health_port
        return WebServer(health_page(self.vitals), LOOPBACK, port) if port is not None else None

    def _ways_past_the_outbox(self, client: WebClient) -> dict[str, Callable[[str], bool]]:
        settings, post = self.opened.settings, self._post_office()
        ways: dict[str, Callable[[str], bool]] = {}
        if settings.slack_staff_channel:
            ways["slack"] = partial(_post_plainly, client, settings.slack_staff_channel)
        for number, address in enumerate(settings.alert_to):
            ways[f"mail-{number}"] = partial(post.tell, address, "Docket: a person must look")
        return ways

    def _post_office(self) -> PostOffice:
        settings, docket = self.opened.settings, self.opened.docket
        postman = self._servers.postman()
        assert postman is not None
        with docket.database.read() as session:
            profile, _digest = profile_in_force(session)
        return PostOffice(docket, postman, profile.city.board, settings.may_mail)

    def _poll(self) -> Poll:
        settings, docket = self.opened.settings, self.opened.docket
        mailbox = self._servers.mailbox()
        assert mailbox is not None
        with docket.database.read() as session:
            profile, _digest = profile_in_force(session)
        read_from = settings.reads_mail_from(profile.city.time_zone)
        assert read_from is not None
        mailroom = Mailroom(
            self.desk, settings.max_mail_mb * MEBIBYTE, self.timetable.guard, progress=_reading_goes_on
        )
        return Poll(
            mailroom,
            mailbox,
            read_from,
            self._mailbox_notice,
            self.timetable.is_leader,
            woke=self.timetable.wake,
            synced=self._poll_worked,
            filled=self._mailbox_filled,
        )

    # -- running ------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin everything; returns at once.

        Raises:
            StartFault: an address that requests are taken at cannot be used; nothing goes on.
        """
        if self.health_page is not None:
            self.health_page.start()
        self._sweep_up()
        self.timetable.start()
        self.connection.start()
        thread = threading.Thread(target=self._read_mail, name="mailroom", daemon=True)
        thread.start()
        self._threads.append(thread)
        log.info("docket.started")

    def _sweep_up(self) -> None:
        """Remove what an earlier process, killed in the middle of writing, left half written."""
        left = sweep_up_halves(self.opened.settings.data_dir) + self.opened.docket.vault.sweep_up()
        if left:
            log.info("docket.halves-removed", count=left)

    def _read_mail(self) -> None:
        while not self._stopped.is_set():
            if self.timetable.guard(self.poll.run, "mailroom") is not None:
                self._stopped.wait(5.0)

    def hurry(self) -> None:
        """Say that the end is near: whoever waits for the record's lock waits no longer than a few seconds.

        What is not recorded then is done again after the next start, as after a kill; waiting on would only
        have the system end the process in the middle of something.
        """
        self.poll.stop()
        self.opened.docket.database.patience.end_in(LAST_WAIT_S)

    def stop(self) -> None:
        """End everything: what is being done is finished, the lease is given up, connections are closed."""
        self._stopped.set()
        self.hurry()
        # the connection takes some seconds to end its own threads; the timetable need not wait for that
        connection = threading.Thread(target=self.connection.stop, name="slack-stop", daemon=True)
        connection.start()
        if self.health_page is not None:
            self.health_page.stop()
        self.timetable.stop()
        connection.join(timeout=30)
        for thread in self._threads:
            thread.join(timeout=90)
        self.opened.docket.database.engine.dispose()
        self.opened.press.close()
        log.info("docket.stopped")

    def refile(self, item: int, raw: bytes) -> Filing:
        """Read a held message again, for the person who decides where it goes."""
        held = item_of(self.opened.docket, item)
        arrival = Arrival(
            raw, held.received_at, held.taken_at, held.offset_minutes, item, held.folder or "INBOX"
        )
        return read(self.desk, arrival).filing

    # -- what people are told -------------------------------------------------------------------------

    def _watch_mailbox(self) -> None:
        self.poll.tick()

    def watch_slack(self) -> None:
        """Look whether the connection to Slack stands; told by the copy that leads, after two looks."""
        state = self.connection.state
        if self.timetable.is_leader() and state in {ConnectionState.CONNECTED, ConnectionState.CONNECTING}:
            up = state is ConnectionState.CONNECTED
            self.timetable.reach[Channel.SLACK].note(reached=up, by=CONNECTION)

    def _mailbox_filled(self, share: float) -> None:
        docket = self.opened.docket
        if share >= NEARLY_FULL:
            raise_alarm(
                docket,
                "mailbox-full",
                f"The Board's mailbox is {share:.0%} full. When it is full, the mail server turns complaints away and "
                "their senders get them back. What Docket has filed is safe in the record, and Docket never deletes mail. "
                "Have the mail server's keeper raise the quota, or move old mail to an archive there.",
            )
        elif share < ROOMY_AGAIN:
            clear_alarm(docket, "mailbox-full", "The Board's mailbox has room again.")

    def _poll_worked(self, unread: int) -> None:
        docket = self.opened.docket
        with docket.database.write() as session:
            beat(session, "poll", docket.clock.now())
        # who told of it may have ended since: a mended setting takes a restart, and a copy that died is replaced
        if clear_alarm(docket, "mailbox", READ_AGAIN):
            self.timetable.wake()
        if unread:
            raise_alarm(
                docket,
                "mail-not-handed-out",
                f"{counted(unread, 'message stands', 'messages stand')} in the mailbox's list, but moved away or not handed out whole. They "
                "are tried again at each reading. Look into the mailbox; move back what was moved.",
            )
        else:
            clear_alarm(
                docket,
                "mail-not-handed-out",
                "Every message that stands in the mailbox now was read. What was moved away before that is not: look for it by hand.",
            )

    def _mailbox_notice(self, notice: Alarm | Recovery) -> None:
        docket = self.opened.docket
        if isinstance(notice, Alarm):
            raise_alarm(docket, "mailbox", str(notice))
        else:
            clear_alarm(docket, "mailbox", str(notice))
        self.timetable.wake()

    def _slack_is_dead(self, error: str) -> None:
        self.connection.dead(error)
        self.timetable.reach[Channel.SLACK].already_told()
        raise_alarm(
            self.opened.docket,
            "slack",
            f"Slack refuses Docket's tokens ({error}). Mail and dates go on; what is owed to Slack waits in the "
            "record. Install the app again, set the new tokens, and start Docket anew.",
        )

    def in_trouble(self) -> bool:
        """Say whether an alarm stands: the mailbox, the relay, Slack or the record itself does not work."""
        return self._health().in_trouble()

    def write_health(self) -> None:
        """Write the health file; see `HealthFile.write`."""
        self._health().write()

    def vitals(self) -> Vitals:
        """Look up how this copy stands, for the health page."""
        stalled = self.timetable.stalled()
        if not self._stopped.is_set():
            stalled += tuple(thread.name for thread in self._threads if not thread.is_alive())
        if self.timetable.emergency.lasts:  # it may be read all the same, or never answer who asks
            now, slack = self.opened.docket.clock.now(), self.connection.state.value
            return Vitals(now, stalled, record=False, slack=slack, alarms=(RECORD_AWAY,))
        return self._health().vitals(stalled)

    def _health(self) -> HealthFile:
        folder, holder = self.opened.settings.data_dir, self.timetable.holder
        return HealthFile(
            self.opened.docket,
            folder,
            holder,
            lambda: self.connection.state.value,
            lambda: self.timetable.emergency.told,
        )


def _reading_goes_on(kept: int, old: int) -> None:
    log.info("mailroom.reading", kept=kept, left_alone=old)


def _shown(notifier: SlackNotifier, owed: Owed) -> Delivery:
    if owed.ping is None:
        return Delivery(DeliveryState.REFUSED_FOR_GOOD, "not a ping")
    return notifier.show(owed.ping)


def _shown_secret(secret: SecretStr | None) -> str:
    return secret.get_secret_value() if secret is not None else ""


def _post_plainly(client: WebClient, channel: str, text: str) -> bool:
    """Post to the staff channel now; True if Slack took it."""
    try:
        client.chat_postMessage(channel=channel, text=text, unfurl_links=False)
    except (SlackApiError, SlackRequestError, OSError):
        return False
    return True


def _page_picture(content: bytes, page: int | None) -> bytes:
    try:
        return picture(content, page if page is not None else 0)
    except (PictureUnavailable, SandboxUnavailable):
        return b""


def _photos(photos: Sequence[bytes]) -> bytes:
    try:
        return as_one_pdf(photos)
    except (PhotosUnreadable, SandboxUnavailable):
        return b""


def _one_print(papers: Sequence[bytes]) -> tuple[bytes, tuple[int, ...]]:
    try:
        made = as_one_print(papers)
    except SandboxUnavailable:
        return b"", tuple(range(len(papers)))
    return made.pdf, made.left_out
