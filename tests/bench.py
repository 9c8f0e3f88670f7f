"""Speed, as ratios measured side by side: `python -m tests.bench [--quick] [--json FILE] [--only NAME ...]`.

Each row stands beside its goal; what is compared is measured in turns, in one run, and the median
counts. Nothing here fails: a figure says how fast this machine was today, not whether Docket is right.
"""

import argparse
import hashlib
import io
import json
import os
import shutil
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import sqlalchemy as sa
from imapclient import IMAPClient
from pypdf import PdfWriter
from pypdf.generic import StreamObject
from slack_bolt import App, BoltRequest
from slack_sdk.signature import SignatureVerifier

from bot import home
from bot.actions.file import case_card
from bot.app import UNUSED_SECRET
from bot.cli.serving import Service
from bot.clock import SystemClock
from bot.connection import web_client
from bot.desk import Desk as SlackDesk
from bot.http_connection import PATH, THREADS, HttpConnection
from bot.logs import configure_logs
from bot.members import Members
from bot.opening import opened
from bot.practice.papers import Complaint, typed
from bot.practice.state import TEAM_ID
from bot.settings import load_settings
from bot.web_server import WebServer
from intake.mail_login import Password
from intake.mail_urls import MailServer, Security
from intake.mailbox import Mailbox
from intake.pdf.finding import Encryption, Finding, Signature
from intake.pdf.judge import judge
from intake.pdf.sandbox import SHARED
from intake.pdf.trust import NO_ROOTS
from intake.poller import Mailroom
from intake.reading import Desk, JudgePdf
from store.cases import MACHINE, Act, Listing, case_ids, page_of, pending
from store.database import Database
from store.letters.letter import LetterKind
from store.letters.specimens import specimen
from store.printing import open_press
from store.proceedings.reminders import sweep
from store.rules.access import Deed
from store.rules.dates import Act as DateAct
from store.rules.dates import Dates, Unit, parse_instant, reckon, sentences
from store.rules.facts import (
    Basis,
    ComplaintReceived,
    ConflictFound,
    PartyNamed,
    PartyRole,
    ReceivedBy,
    Screened,
)
from store.tables import Due
from tests.bench_crowd import crowd
from tests.bench_peers import IN_PYTHON, Peer, PeerFailed, measured, peers
from tests.clocks import A_MONDAY_MORNING, ManualClock
from tests.contract.dovecot import ACCOUNT, SECRET, Dovecot, other_client
from tests.end_to_end.running import Running, a_complaint, surroundings, wait_until
from tests.proceedings.builders import Board, a_board
from tests.rules.time_builders import DEMO_CITY, DEMO_CITY_CENTRAL, VECTORS, closed, noon_of

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

INTAKE = "complaints@ethics.bramwell-ky.example"
RECEIVED = datetime(2026, 11, 2, 14, 0, tzinfo=UTC)
READ_FROM = datetime(2026, 11, 1, tzinfo=UTC)
_MIB = 1 << 20
_FILLING = 103_000
FASTEST_PYTHON_PEER = 79.0
"""Mails a second of django-mailbox on a quiet machine of two cores; counts where no peer is installed."""
_LOOKED_AT = Finding(
    Signature.TYPED,
    pages=1,
    encrypted=Encryption.NO,
    active_content=False,
    signers=("Person",),
    text="Complaint to the Board of Ethics",
    screened=True,
    signature_page=0,
)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table.

    Attributes:
        what: what was measured.
        goal: what it should be.
        measured: what it was, in words.
        met: whether the goal was reached; None where there is none.
        figures: the numbers behind it.
    """

    what: str
    goal: str
    measured: str
    met: bool | None
    figures: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: a quick look, or a figure to quote."""

    mails: int
    judged: int
    rounds: int
    posts: int
    acts: int
    recorded: int
    cases: int
    idle_s: float


QUICK = Size(mails=30, judged=6, rounds=1, posts=2, acts=30, recorded=50_000, cases=1_000, idle_s=5.0)
FULL = Size(
    mails=300, judged=60, rounds=3, posts=10, acts=300, recorded=1_000_000, cases=100_000, idle_s=60.0
)


# -- measuring --------------------------------------------------------------------------------------


def ms(work: Callable[[], object]) -> float:
    """Time one run, in milliseconds."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def in_turns(rounds: int, *works: Callable[[], object]) -> list[list[float]]:
    """Time several works in turns, so that whatever else the machine does meets them alike; milliseconds."""
    found: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for times, work in zip(found, works, strict=True):
            times.append(ms(work))
    return found


def at_share(times: Iterable[float], share: float) -> float:
    """Give the time under which a share of all lies."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@contextmanager
def a_folder() -> Iterator[Path]:
    """Give a folder on the disk that temporary files lie on, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="dkt-bench-") as name:
        yield Path(name)


# -- filing -----------------------------------------------------------------------------------------


def a_large_mail(number: int) -> bytes:
    """Make a complaint of some 160 kB with a PDF, of a sender of its own."""
    paper = typed(
        Complaint("City", f"Person Number{number}", "Some Official", "Streets", f"Matter {number}.")
    )
    writer = PdfWriter(clone_from=io.BytesIO(paper))
    filling = StreamObject()
    filling.set_data(os.urandom(_FILLING))
    writer._add_object(filling)
    pdf = io.BytesIO()
    writer.write(pdf)
    mail = EmailMessage(policy=SMTP)
    mail["From"] = f"Person {number} <person{number}@riverbend.example>"
    mail["To"] = INTAKE
    mail["Subject"] = "Complaint"
    mail["Message-ID"] = f"<complaint-{number}@riverbend.example>"
    mail.set_content("Please find my complaint attached.")
    mail.add_attachment(pdf.getvalue(), maintype="application", subtype="pdf", filename="complaint.pdf")
    return bytes(mail)


def bare_loop(port: int, folder: Path) -> int:
    """Fetch every mail one by one, hash it, write it, fsync it: what nothing in Python does with less."""
    kept = 0
    with IMAPClient("127.0.0.1", port=port, ssl=False) as client:
        client._imap.debug = 0
        client.login(ACCOUNT, SECRET)
        client.select_folder("INBOX", readonly=True)
        for uid in client.search():
            raw = client.fetch([uid], ["BODY.PEEK[]"])[uid][b"BODY[]"]
            with (folder / hashlib.sha256(raw).hexdigest()).open("wb") as file:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
            kept += 1
    return kept


@dataclass
class FilingTimes:
    """What filing took, a mail: milliseconds on the wall and of this process's processor."""

    keep: list[float] = field(default_factory=list)
    read: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)


def file_all(port: int, folder: Path, judge_pdf: JudgePdf, mails: int, times: FilingTimes) -> None:
    """File everything in the mailbox into a new record, as `docket run` does."""
    clock = ManualClock()
    clock.set_to(RECEIVED + timedelta(days=1))
    press = open_press()
    board = a_board(folder, clock, press)
    desk = Desk(board.docket, INTAKE, "mail.city.example", judge_pdf)
    server = MailServer("127.0.0.1", port, ACCOUNT, Security.PLAIN, ("INBOX",))
    room = Mailroom(desk, 50 * _MIB)
    with Mailbox(server, Password(SECRET)) as mailbox:
        processor = time.process_time()
        keep = ms(lambda: room.keep_new(mailbox, READ_FROM))
        read = ms(room.read_waiting)
        processor = time.process_time() - processor
    with board.docket.database.read() as session:
        filed = len(case_ids(session))
    if filed != mails:
        raise RuntimeError(f"{filed} cases of {mails} mails")
    times.keep.append(keep / mails)
    times.read.append(read / mails)
    times.whole.append((keep + read) / mails)
    times.processor.append(processor * 1000 / mails)
    board.docket.database.engine.dispose()
    press.close()


def _looked_at(_content: bytes, _moment: datetime) -> Finding:
    return _LOOKED_AT


def _really(content: bytes, moment: datetime) -> Finding:
    return judge(content, trust=NO_ROOTS, moment=moment)


def filing(size: Size) -> list[Row]:
    """File mails with PDFs from Dovecot, beside the bare loop; then with every PDF judged."""
    return [
        _filing(size.mails, size.rounds, _looked_at, judged=False),
        _filing(size.judged, size.rounds, _really, judged=True),
    ]


def _filing(mails: int, rounds: int, judge_pdf: JudgePdf, *, judged: bool) -> Row:
    times, bare = FilingTimes(), []
    there, absent = peers()
    beside: dict[str, list[float]] = {one.name: [] for one in there}
    raws = [a_large_mail(number) for number in range(mails)]
    with Dovecot() as server, a_folder() as folder:
        _deliver(server, raws)
        for number in range(rounds):
            for turn in ("before", "after"):
                place = folder / f"bare-{number}-{turn}"
                place.mkdir()
                bare.append(ms(partial(bare_loop, server.port, place)) / mails)
                shutil.rmtree(place)
                if turn == "before":
                    record = folder / f"record-{number}"
                    record.mkdir()
                    file_all(server.port, record, judge_pdf, mails, times)
            for peer in there:
                with _mailbox_for(peer, server, raws) as port:
                    try:
                        took = measured(peer, port, folder / f"{peer.name.split()[0]}-{number}", mails)
                    except PeerFailed as failed:
                        absent.append(f"{failed} in round {number + 1}")
                    else:
                        beside[peer.name].append(took)
    return _filed(mails, times, bare, judged=judged, beside=beside, absent=absent)


def _deliver(server: Dovecot, raws: Iterable[bytes]) -> None:
    for raw in raws:
        server.deliver(raw, at=RECEIVED)


@contextmanager
def _mailbox_for(peer: Peer, server: Dovecot, raws: Iterable[bytes]) -> Iterator[int]:
    """Give the port of the common mailbox; a peer that empties it gets one of its own."""
    if not peer.empties:
        yield server.port
        return
    with Dovecot() as own:
        _deliver(own, raws)
        yield own.port


def _filed(
    mails: int,
    times: FilingTimes,
    bare: list[float],
    *,
    judged: bool,
    beside: Mapping[str, list[float]],
    absent: list[str],
) -> Row:
    """Put filing beside the bare loop, and with every PDF judged beside the fastest peer in Python."""
    whole, loop = statistics.median(times.whole), statistics.median(bare)
    rates = {name: 1000 / statistics.median(each) for name, each in beside.items() if each}
    in_python = [rate for name, rate in rates.items() if name in IN_PYTHON]
    ratio, rate = loop / whole, 1000 / whole
    wanted = max(in_python, default=FASTEST_PYTHON_PEER)
    said = "; ".join((*(f"{name} {found:.0f}/s" for name, found in rates.items()), *absent))
    what = "filing until every PDF is judged" if judged else "filing, receipt queued"
    goal = ">= 1 x the fastest peer in Python" if judged else ">= 0.5 of the bare loop"
    return Row(
        f"{what}, {mails} mails of 160 kB",
        goal,
        f"{rate:.1f}/s; bare loop {1000 / loop:.0f}/s, ratio {ratio:.3f}; "
        f"against the fastest peer in Python ({wanted:.0f}/s) {rate / wanted:.2f}; {said}",
        rate >= wanted if judged else ratio >= 0.5,
        {
            "mails_per_s": rate,
            "bare_per_s": 1000 / loop,
            "ratio": ratio,
            "peers_per_s": rates,
            "keeping_ms": statistics.median(times.keep),
            "reading_and_filing_ms": statistics.median(times.read),
            "processor_ms": statistics.median(times.processor),
        },
    )


# -- Slack ------------------------------------------------------------------------------------------


@dataclass
class Stages:
    """Fault points as milestones: what was reached when."""

    reached: list[tuple[str, float]] = field(default_factory=list)

    def reach(self, name: str) -> None:
        """Note the instant."""
        self.reached.append((name, time.monotonic()))

    def since(self, began: float) -> list[str]:
        """Give each milestone reached since then, with its milliseconds."""
        return [f"{(at - began) * 1000:.0f} {name}" for name, at in self.reached if at >= began]


@contextmanager
def at_work(folder: Path, stages: Stages | None = None) -> Iterator[tuple[Running, Service]]:
    """Run everything of `docket run` in this process, between Dovecot, a relay and the practice Slack."""
    with surroundings(folder) as running:
        record = opened(load_settings(folder / ".env", {}), SystemClock(), faults=stages)
        configure_logs("ERROR", record.clock)
        service = Service(record)
        service.start()
        try:
            running.connected()
            yield running, service
        finally:
            service.stop()


def _heard(port: int, listening: threading.Event, at: list[float]) -> None:
    """Note when a bare IDLE hears of mail."""
    with other_client(port) as client:
        client.idle()
        listening.set()
        client.idle_check(timeout=30)
        at.append(time.monotonic())
        client.idle_done()


def posting(size: Size) -> list[Row]:
    """Time from a delivery into the Maildir to the first post in Slack, and what IDLE itself takes of it."""
    posted, heard, after = [], [], []
    stages = Stages()
    with a_folder() as folder, at_work(folder, stages) as (running, _service):
        running.imap.deliver(a_complaint("Person 0", "person0@riverbend.example"))
        wait_until(running.cases, "the first case")
        running.practice.wait("message_posted", timeout_s=30)
        for number in range(1, size.posts + 1):
            _let_it_settle(running)
            listening, at = threading.Event(), list[float]()
            listener = threading.Thread(target=_heard, args=(running.imap.port, listening, at))
            listener.start()
            listening.wait(30)
            seq = running.practice.last_seq()
            began, instant = time.monotonic(), SystemClock().now()
            running.imap.deliver(a_complaint(f"Person {number}", f"person{number}@riverbend.example"))
            seen = running.practice.wait("message_posted", seq, timeout_s=30)
            listener.join(30)
            posted.append((datetime.fromisoformat(seen.at) - instant).total_seconds() * 1000)
            heard.append((at[0] - began) * 1000)
            after.append(posted[-1] - heard[-1])
    lag = statistics.median(after)
    return [
        Row(
            "delivery to Slack post, after IDLE speaks",
            "<= 150 ms",
            f"{lag:.0f} ms (delivery to post {statistics.median(posted):.0f}, "
            f"delivery to a bare IDLE {statistics.median(heard):.0f})",
            lag <= 150,
            {"after_idle_ms": after, "posted_ms": posted, "heard_ms": heard, "last_one": stages.since(began)},
        )
    ]


def _let_it_settle(running: Running) -> None:
    """Wait until nothing more happens in Slack, so that the next post belongs to the next mail."""
    while True:
        seq = running.practice.last_seq()
        if not running.practice.events(seq, wait_s=2.0):
            return


def _command(text: str, user: str) -> dict[str, object]:
    return {
        "team_id": TEAM_ID,
        "channel_id": "D1",
        "user_id": user,
        "command": "/ethics",
        "text": text,
        "api_app_id": "A1",
        "is_enterprise_install": "false",
        "response_url": "http://127.0.0.1/",
        "trigger_id": "1.1",
    }


def _bare_app(running: Running) -> App:
    """Make a bolt app that does nothing but acknowledge."""
    app = App(
        client=web_client(running.slack.app.bot_token, running.slack.api_url),
        signing_secret="none",
        process_before_response=True,
        token_verification_enabled=False,
    )
    app.command("/ethics")(lambda ack: ack())
    return app


def acting(size: Size) -> list[Row]:
    """Time a Slack command from request to acknowledgement: over HTTP beside the least that any receiver does.

    Both answer behind the same web server; beside it bolt's own part, and the way over Socket Mode.
    """
    with a_folder() as folder, at_work(folder) as (running, service), ExitStack() as stack:
        running.imap.deliver(a_complaint("Person 0", "person0@riverbend.example"))
        wait_until(running.cases, "the first case")
        number = running.cases()[0][1]
        wait_until(lambda: running.shown("Ruth Alden", f"Case {number}"), "no card")
        _let_it_settle(running)
        user = running.users["Ruth Alden"]
        payload = _command("help", user)
        ours = HttpConnection(service.app, UNUSED_SECRET, "127.0.0.1", 0, lambda _error: None)
        ours.start()
        stack.callback(ours.stop)
        least = WebServer(_least_receiver(SignatureVerifier(UNUSED_SECRET)), "127.0.0.1", 0, THREADS)
        least.start()
        stack.callback(least.stop)
        bare = _bare_app(running)
        least_ms, help_ms, card_ms, alone, helped = in_turns(
            size.acts,
            _posted(stack, least.port, json.dumps(payload)),
            _posted(stack, ours.port, urlencode(payload)),
            _posted(stack, ours.port, urlencode(payload | {"text": f"case {number}"})),
            lambda: _dispatch(bare, payload),
            lambda: _dispatch(service.app, payload),
        )
        crowd_of_least, crowd_of_ours, crowd_of_cards = (
            _at_once(port, body, size.acts // 30)
            for port, body in (
                (least.port, json.dumps(payload)),
                (ours.port, urlencode(payload)),
                (ours.port, urlencode(payload | {"text": f"case {number}"})),
            )
        )
        socket = {
            text: _over_the_socket(running, user, text, size.acts // 3) for text in ("help", f"case {number}")
        }
    ours_ms, floor = statistics.median(help_ms), statistics.median(least_ms)
    ratio, slowest = ours_ms / floor, at_share(crowd_of_ours, 0.99)
    return [
        Row(
            "Slack act, request to ack",
            "median <= 2 x signature + JSON alone; p99 < 100 ms with 50 people at once",
            f"{ratio:.2f} x ({ours_ms:.2f} against {floor:.2f} ms over HTTP); 50 at once, "
            f"median {statistics.median(crowd_of_ours):.0f}, p99 {slowest:.0f} ms (signature + JSON alone: p99 "
            f"{at_share(crowd_of_least, 0.99):.0f}); "
            f"a case card, journaled, {statistics.median(card_ms):.1f} ms, 50 at once p99 "
            f"{at_share(crowd_of_cards, 0.99):.0f}; over Socket Mode "
            f"{statistics.median(socket['help']):.2f} and {statistics.median(socket[f'case {number}']):.1f} ms; "
            f"dispatch alone {statistics.median(helped):.2f}, of a bolt app that only acks "
            f"{statistics.median(alone):.2f} ms",
            ratio <= 2 and slowest < 100,
            {
                "ratio": ratio,
                "signature_and_json_ms": floor,
                "help_ms": ours_ms,
                "help_p99_ms": at_share(help_ms, 0.99),
                "fifty_at_once_p99_ms": slowest,
                "fifty_at_once_least_p99_ms": at_share(crowd_of_least, 0.99),
                "fifty_cards_at_once_p99_ms": at_share(crowd_of_cards, 0.99),
                "card_ms": statistics.median(card_ms),
                "card_p99_ms": at_share(card_ms, 0.99),
                "dispatch_ms": statistics.median(helped),
                "bare_bolt_ms": statistics.median(alone),
                "socket_help_ms": statistics.median(socket["help"]),
                "socket_help_p99_ms": at_share(socket["help"], 0.99),
                "socket_card_ms": statistics.median(socket[f"case {number}"]),
            },
        )
    ]


def _least_receiver(verifier: SignatureVerifier) -> "WSGIApplication":
    """Make what any receiver of Slack must do at least: check the signature, read the JSON, answer."""

    def answer(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])).decode()
        good = verifier.is_valid(
            body, environ["HTTP_X_SLACK_REQUEST_TIMESTAMP"], environ["HTTP_X_SLACK_SIGNATURE"]
        )
        assert good
        assert json.loads(body)
        start_response("200 OK", [("Content-Length", "0")])
        return [b""]

    return answer


def _signed(body: str) -> dict[str, str]:
    """Give the headers of a request as Slack signs it."""
    stamp = str(int(SystemClock().now().timestamp()))
    signature = SignatureVerifier(UNUSED_SECRET).generate_signature(timestamp=stamp, body=body) or ""
    return {
        "Content-Type": "application/x-www-form-urlencoded",
        "X-Slack-Request-Timestamp": stamp,
        "X-Slack-Signature": signature,
    }


def _posted(stack: ExitStack, port: int, body: str) -> Callable[[], None]:
    """Give a signed request over a connection that stays open."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    stack.callback(connection.close)
    headers = _signed(body)

    def post() -> None:
        connection.request("POST", PATH, body, headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200

    return post


def _at_once(port: int, body: str, times: int) -> list[float]:
    """Time the same request from fifty people at once, each many times."""
    return crowd(port, PATH, body, _signed(body), people=50, times=max(1, times))


def _dispatch(app: App, payload: Mapping[str, object]) -> None:
    answer = app.dispatch(BoltRequest(body=dict(payload), mode="socket_mode"))
    if answer.status != 200:
        raise RuntimeError(f"answered {answer.status}")


def _over_the_socket(running: Running, user: str, text: str, times: int) -> list[float]:
    """Run a command many times; from the envelope's sending to its acknowledgement, by the server's clock."""
    found = []
    for _ in range(times):
        seq = running.practice.last_seq()
        running.practice.command(user, "/ethics", text)
        at = {one.kind: datetime.fromisoformat(one.at) for one in running.practice.events(seq)}
        took = at["interaction_acknowledged"] - at["interaction_sent"]
        found.append(took.total_seconds() * 1000)
    return found


# -- law and letters --------------------------------------------------------------------------------


def dates(_size: Size) -> list[Row]:
    """Reckon every vector with its explanation, again and again for two seconds."""
    works = [_reckoning(vector) for vector in VECTORS["vectors"]]
    done, began, processor = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - began < 2.0:
        for work in works:
            sentences(work())
        done += len(works)
    rate = done / (time.process_time() - processor)
    on_the_wall = done / (time.perf_counter() - began)
    return [
        Row(
            "dates, explanation included",
            ">= 20,000/s",
            f"{rate:,.0f} a second of processor over {len(works)} vectors; {on_the_wall:,.0f} on the wall",
            rate >= 20_000,
            {"per_processor_s": rate, "per_s": on_the_wall},
        )
    ]


def _reckoning(vector: Mapping[str, Any]) -> Callable[[], Dates]:
    """Give the computation of one vector, its calendar made beforehand as a case's is."""
    calendar = {str(one.zone): one for one in (DEMO_CITY, DEMO_CITY_CENTRAL)}[vector["tz"]]
    start = str(vector["start"])
    received = parse_instant(start) if "T" in start else noon_of(date.fromisoformat(start), calendar.zone)
    return partial(
        reckon,
        received,
        int(vector["period"]),
        unit=Unit(vector["unit"]),
        act=DateAct(vector["act"]),
        calendar=calendar,
        extra_closures=closed(*vector["extra_closures"]),
    )


def letters(size: Size) -> list[Row]:
    """Set a specimen of each kind."""
    press = open_press()
    took = {}
    for kind in LetterKind:
        letter = specimen(kind)
        press.set(letter, RECEIVED)
        took[kind.value] = statistics.median(
            ms(partial(press.set, letter, RECEIVED + timedelta(seconds=turn)))
            for turn in range(3 * size.rounds)
        )
    press.close()
    middle, slowest = statistics.median(took.values()), max(took, key=lambda kind: took[kind])
    return [
        Row(
            "letter: PDF/A, tagged, and its text twin",
            "<= 20 ms",
            f"median of {len(took)} kinds {middle:.0f} ms; slowest {slowest} {took[slowest]:.0f} ms",
            middle <= 20,
            took,
        )
    ]


# -- large records ----------------------------------------------------------------------------------


def many_cases(board: Board, count: int, *, mixed: bool = False) -> None:
    """File cases without papers, two hundred a transaction.

    Args:
        board: the record.
        count: how many.
        mixed: some cannot be read by the machine, and some name a member.
    """
    docket = board.docket
    named = board.members[1].person or 0
    for start in range(0, count, 200):
        with docket.database.write() as session:
            for number in range(start, min(count, start + 200)):
                step = Act(docket, session, MACHINE, Deed.FILE_COMPLAINT, board.clock.now(), None)
                step.new_case(board.clock.now())
                step.record(ComplaintReceived(board.clock.now(), ReceivedBy.BOARD, Basis.MAIL_SERVER))
                party = PartyNamed(
                    PartyRole.COMPLAINANT, f"Person {number}", (f"person{number}@riverbend.example",)
                )
                step.record(party)
                step.record(Screened(by_machine=True, unreadable=mixed and number % 100 == 7))
                if mixed and number % 1000 == 5:
                    step.record(ConflictFound(named, "named in the complaint"))
                step.finish()


def _multiplied(database: Database, cases: int, to: int) -> None:
    """Make many cases of the few that were filed: each again under other ids, its facts sealed as they are."""
    with database.write() as session:
        connection = session.connection()
        facts = connection.execute(sa.text("SELECT max(id) FROM fact")).scalar_one()
        for turn in range(1, to // cases):
            for statement in _AGAIN:
                given = {"c": turn * cases, "f": turn * facts}
                asked = {name: value for name, value in given.items() if f":{name}" in statement}
                connection.execute(sa.text(statement), asked | ({"n": cases} if ":n" in statement else {}))


_AGAIN = (
    (
        "INSERT INTO docket_case SELECT id + :c, printf('EC-2026-%06d', seq + :c), year, seq + :c, received_at, "
        "filed_at, profile_hash, practice FROM docket_case WHERE id <= :n"
    ),
    (
        "INSERT INTO data_key (kind, owner, wrapped) SELECT kind, owner + :c, wrapped FROM data_key "
        "WHERE kind = 'case' AND owner <= :n"
    ),
    (
        "INSERT INTO fact SELECT id + :f, kind, case_id + :c, about + :f, supersedes + :f, recorded_at, recorded_by, "
        "entry, NULL, body FROM fact WHERE case_id <= :n"
    ),
    (
        "INSERT INTO due (case_id, step, duty, act_by, expected_last_day, keep_open_until, remind_on, provisional, "
        "settled, overdue_after) SELECT case_id + :c, step, duty, act_by, expected_last_day, keep_open_until, "
        "remind_on, provisional, settled, overdue_after FROM due WHERE case_id <= :n"
    ),
    (
        "INSERT INTO docket_line SELECT case_id + :c, stage, asides, screened, final, working, next_on, to_refer, "
        "failed_letters, to_screen, to_check_form FROM docket_line WHERE case_id <= :n"
    ),
    "INSERT INTO case_standing SELECT case_id + :c, person_id, how FROM case_standing WHERE case_id <= :n",
)


def _recorded_dates(database: Database, count: int) -> None:
    """Add dates of other steps: half of them done long ago, half of them open and years ahead."""
    past, ahead = date(2024, 2, 2), date(2031, 2, 3)
    with database.write() as session:
        for start in range(0, count, 50_000):
            rows = [
                {
                    "case_id": 1 + number % 50,
                    "step": f"other-{number}",
                    "duty": "other",
                    "act_by": day,
                    "expected_last_day": day,
                    "keep_open_until": day,
                    "remind_on": day,
                    "overdue_after": day,
                    "provisional": False,
                    "settled": day is past,
                }
                for number in range(start, min(count, start + 50_000))
                for day in [past if number % 2 else ahead]
            ]
            session.connection().execute(sa.insert(Due), rows)


def sweeping(size: Size) -> list[Row]:
    """Sweep a record with few and one with many recorded dates, fifty cases due in both."""
    with a_folder() as folder, ExitStack() as stack:
        press = open_press()
        stack.callback(press.close)
        boards = []
        for name, dates_there in (("few", 10_000), ("many", size.recorded)):
            board = a_board(folder / name, ManualClock(A_MONDAY_MORNING), press)
            stack.callback(board.docket.database.engine.dispose)
            many_cases(board, 50)
            _recorded_dates(board.docket.database, dates_there)
            board.clock.advance(timedelta(days=7))
            sweep(board.docket)
            boards.append(board)
        few, many = in_turns(7 * size.rounds, *(partial(sweep, one.docket) for one in boards))
    ratio = statistics.median(many) / statistics.median(few)
    return [
        Row(
            f"sweep with {size.recorded:,} recorded dates against 10,000, 50 cases due",
            "<= 1.5 x",
            f"{ratio:.2f} x ({statistics.median(many):.0f} against {statistics.median(few):.0f} ms)",
            ratio <= 1.5,
            {"ratio": ratio, "few_ms": few, "many_ms": many},
        )
    ]


def looking(size: Size) -> list[Row]:
    """Draw the docket, App Home and a case card in a record with many open cases, all of them overdue."""
    with a_folder() as folder:
        press = open_press()
        board = a_board(folder, ManualClock(A_MONDAY_MORNING), press)
        desk = SlackDesk(board.docket, *_no_slack(board.docket))
        few_cases = max(100, size.cases // 100)
        shown = {}
        many_cases(board, few_cases, mixed=True)
        board.clock.advance(timedelta(days=60))
        for count in (few_cases, size.cases):
            _multiplied(board.docket.database, few_cases, count)
            shown[count] = _looked(board, desk, count)
        board.docket.database.engine.dispose()
        press.close()
    few, many = shown[few_cases], shown[size.cases]
    told = "; ".join(
        f"{name} {wall:.0f} ms, {processor:.0f} of the processor (with {few_cases:,}: {few[name][0]:.0f}, "
        f"{few[name][1]:.0f})"
        for name, (wall, processor) in many.items()
    )
    return [
        Row(
            f"docket, Home and case card, p95 with {size.cases:,} open cases",
            "p95 < 100 ms",
            told,
            all(wall < 100 for wall, _processor in many.values()),
            {"few": few, "many": many},
        )
    ]


def _no_slack(docket: Any) -> tuple[Any, ...]:
    client = web_client("xoxb-1", "http://127.0.0.1:1/")
    return client, Members(docket, client), None, None, lambda _error: None, lambda _error, _body: None


def _looked(board: Board, desk: SlackDesk, count: int) -> dict[str, tuple[float, float]]:
    """Give p95 on the wall and in the middle of this process's processor, in milliseconds."""
    docket, clerk, member = board.docket, board.clerk, board.members[1]
    manager = board.actor("Cyrus Manager")
    with docket.database.read() as session:
        number = case_ids(session)[count // 2][1]
    works: dict[str, Callable[[], object]] = {
        "docket": lambda: home.docket_page(docket, clerk, 0),
        "docket, middle page": lambda: home.docket_page(docket, member, count // 40),
        "docket of the command line": lambda: pending(
            docket, page_of(docket, clerk, Listing.NOT_CLOSED, most=100).cases
        ),
        "Home of the clerk": lambda: home.home(docket, clerk),
        "Home of a member": lambda: home.home(docket, member),
        "Home of the City Manager": lambda: home.home(docket, manager),
        "case card": lambda: case_card(desk, clerk, number),
    }
    found = {}
    for name, work in works.items():
        walls, processors = [], []
        for _ in range(40):
            began = time.process_time()
            walls.append(ms(work))
            processors.append((time.process_time() - began) * 1000)
        found[name] = at_share(walls, 0.95), statistics.median(processors)
    return found


# -- the process ------------------------------------------------------------------------------------


def _resident_kb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def _descendants(pid: int) -> list[int]:
    found = [pid]
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in (thread / "children").read_text().split():
            found += _descendants(int(child))
    return found


def _processor_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def idling(size: Size) -> list[Row]:
    """Start `docket run`, let it file one complaint so that everything is loaded, and leave it alone."""
    with a_folder() as folder, surroundings(folder) as running:
        began = time.monotonic()
        running.start()
        running.connected()
        ready = time.monotonic() - began
        running.imap.deliver(a_complaint("Person 0", "person0@riverbend.example"))
        wait_until(running.cases, "the first case")
        _let_it_settle(running)
        assert running.process is not None
        pids = _descendants(running.process.pid)
        before = sum(_processor_s(pid) for pid in pids)
        threading.Event().wait(size.idle_s)
        share = (sum(_processor_s(pid) for pid in pids) - before) / size.idle_s
        resident = [_resident_kb(pid) / 1024 for pid in _descendants(running.process.pid)]
        running.stop(signal.SIGTERM)
    return [
        Row(
            "idle process, forkserver counted",
            "<= 220 MB resident, < 1 % CPU, ready in <= 3 s",
            f"{sum(resident):.0f} MB in {len(resident)} processes, {share:.2%} CPU, ready in {ready:.1f} s",
            sum(resident) <= 220 and share < 0.01 and ready <= 3,
            {"resident_mb": resident, "cpu_share": share, "ready_s": ready},
        )
    ]


def judging(size: Size) -> list[Row]:
    """Judge one PDF, each time in a fresh child, and watch the child's memory from outside."""
    pdf = typed(Complaint("City", "Ines Calloway", "Dale Whitlow", "Streets", "A matter of paving."))
    judge(pdf, trust=NO_ROOTS, moment=RECEIVED)
    took = [ms(lambda: judge(pdf, trust=NO_ROOTS, moment=RECEIVED)) for _ in range(10 * size.rounds)]
    peaks = [_peak_of_child(lambda: judge(pdf, trust=NO_ROOTS, moment=RECEIVED)) for _ in range(5)]
    middle = statistics.median(took)
    return [
        Row(
            "one PDF judged in a fresh child",
            "none set",
            f"{middle:.0f} ms; child at most {max(peaks):.0f} MB resident, the forkserver's pages counted",
            None,
            {"ms": took, "peak_mb": peaks},
        )
    ]


def _peak_of_child(work: Callable[[], object]) -> float:
    """Watch the children of the standing process while something is judged; megabytes at most."""
    over, most = threading.Event(), [0.0]

    def watch() -> None:
        children = Path(f"/proc/{SHARED.server_pid}/task/{SHARED.server_pid}/children")
        while not over.is_set():
            for pid in children.read_text().split():
                try:
                    most[0] = max(most[0], _resident_kb(int(pid)) / 1024)
                except (FileNotFoundError, ProcessLookupError):
                    continue
            over.wait(0.0005)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        work()
    finally:
        over.set()
        watcher.join()
    return most[0]


# -- the table --------------------------------------------------------------------------------------

PARTS: dict[str, Callable[[Size], list[Row]]] = {
    "dates": dates,
    "letters": letters,
    "judging": judging,
    "filing": filing,
    "sweeping": sweeping,
    "looking": looking,
    "posting": posting,
    "acting": acting,
    "idling": idling,
}


def _shown(row: Row) -> str:
    mark = {True: "met", False: "missed", None: ""}[row.met]
    return f"{row.what}\n    goal {row.goal}: {mark}\n    {row.measured}"


def main() -> int:
    """Measure, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a look in a minute or two; not to be quoted")
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    parser.add_argument("--only", nargs="*", choices=sorted(PARTS), help="some parts only")
    parser.add_argument("--mails", type=int, help="how many mails are filed")
    parser.add_argument("--cases", type=int, help="how many open cases are looked at")
    given = parser.parse_args()
    size = QUICK if given.quick else FULL
    size = Size(**asdict(size) | {k: v for k, v in {"mails": given.mails, "cases": given.cases}.items() if v})
    rows: list[Row] = []
    for name in given.only or PARTS:
        found = PARTS[name](size)
        rows += found
        for row in found:
            print(_shown(row), flush=True)
    if given.json is not None:
        load = os.getloadavg()
        text = {"cores": os.cpu_count(), "load": load, "rows": [asdict(row) for row in rows]}
        given.json.write_text(json.dumps(text, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
