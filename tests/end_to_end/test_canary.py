"""Invented words planted wherever somebody can write, and looked for wherever they must not come out (C1, C6).

`docket run` works at DEBUG between a real Dovecot, a relay and the practice Slack; a case is played, things fail
on the way, and the process is killed once. Each planted word is then looked for in every place where no name, no
allegation and no file name may stand: in the clear, in base64 and in quoted-printable.
"""

import base64
import http.client
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest

from bot.actions.ids import Do
from bot.practice import papers
from bot.practice.client import message_text
from store.cases import roster_of
from store.rules.facts import Question
from tests.end_to_end.replicas import free_port
from tests.end_to_end.running import INTAKE, RECEIVED, ROOT, Running, surroundings, wait_until
from tests.end_to_end.sinks import Sinks, planted

pytestmark = [pytest.mark.end_to_end, pytest.mark.needs("dovecot")]

DOCKET = (sys.executable, "-c", "from bot.cli import main; main()")
SITES = (
    *(
        "sender",
        "address",
        "subject",
        "body",
        "filename",
        "message_id",
        "header",
        "respondent",
        "office",
        "allegation",
    ),
    *(
        "respondent_mail",
        "reason",
        "held",
        "held_subject",
        "held_file",
        "place",
        "vote",
        "finding",
        "cli",
        "broken",
    ),
    *("counsel", "postal", "unknown_person"),
)


def a_mail() -> bytes:
    """A complaint with a word in every part of it."""
    mail = EmailMessage(policy=SMTP)
    mail["From"] = f'"{planted("sender")}" <{planted("address")}@riverbend.example>'
    mail["To"] = INTAKE
    mail["Subject"] = f"About {planted('subject')}"
    mail["Message-ID"] = f"<{planted('message_id')}@riverbend.example>"
    mail["X-Office"] = planted("header")
    mail.set_content(f"See what is attached: {planted('body')}.")
    paper = papers.Complaint(
        "City of Bramwell", planted("sender"), planted("respondent"), planted("office"), planted("allegation")
    )
    mail.add_attachment(
        papers.typed(paper), maintype="application", subtype="pdf", filename=f"{planted('filename')}.pdf"
    )
    return bytes(mail)


def held_mails() -> Iterator[bytes]:
    """Mail for the holding pen, and a PDF that nobody can read."""
    mail = EmailMessage(policy=SMTP)
    mail["From"] = f"{planted('held')}@elsewhere.example"
    mail["To"] = INTAKE
    mail["Subject"] = planted("held_subject")
    mail["List-Id"] = f"<{planted('held')}.example>"
    mail.set_content(planted("held"))
    mail.add_attachment(
        b"PK\x03\x04", maintype="application", subtype="zip", filename=f"{planted('held_file')}.zip"
    )
    yield bytes(mail)
    broken = EmailMessage(policy=SMTP)
    broken["From"] = f"{planted('broken')}@elsewhere.example"
    broken["To"] = INTAKE
    broken["Subject"] = "Complaint"
    content = f"%PDF-1.7\n1 0 obj << /Title ({planted('broken')}) /OpenAction [".encode()
    broken.set_content("")
    broken.add_attachment(content, maintype="application", subtype="pdf", filename=f"{planted('broken')}.pdf")
    yield bytes(broken)


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with surroundings(tmp_path, DOCKET_LOG_LEVEL="debug", DOCKET_HEALTH_PORT=str(free_port())) as around:
        monkeypatch.setenv("TMPDIR", str(scratch))
        tempfile.tempdir = None
        yield around
        tempfile.tempdir = None


def test_no_planted_word_comes_out_where_nobody_may_be_named(running: Running, tmp_path: Path) -> None:
    sinks = Sinks()
    running.start()
    running.connected()
    number = _filed(running)
    _watch_processes(running, sinks, "process list, early")
    _to_a_determination(running, number)
    _let_things_fail(running, number, sinks)
    _watch_processes(running, sinks, "process list, late")
    _look_around(running, number, sinks, tmp_path)
    assert running.stop() in {0, 3}
    sinks.add("log", (running.folder / "log").read_bytes())
    assert sinks.leaks() == []
    print(f"{len(SITES)} planted words looked for in {len(sinks.found)} places")  # noqa: T201  the figure is asked for


def test_the_search_finds_a_word_in_each_form_it_may_take() -> None:
    word = planted("sender")
    for content in (word, word.upper(), f"a {word}, b"):
        assert looked(content) == ["sender in somewhere"]
    for coded in (base64.b64encode(f"{'ab '[shift:]}{word} cd".encode()) for shift in range(3)):
        assert looked(coded) == ["coded, in somewhere"]
    assert looked(word.encode("utf-16-le")) == ["coded, in somewhere"]
    assert looked(word.encode().hex()) == ["coded, in somewhere"]
    assert looked("a name that nobody planted") == []


def looked(content: bytes | str) -> list[str]:
    """What the search finds in one place."""
    sinks = Sinks()
    sinks.add("somewhere", content)
    return sinks.leaks()


def _filed(running: Running) -> str:
    running.imap.deliver(a_mail(), at=RECEIVED)
    for raw in held_mails():
        running.imap.deliver(raw, at=RECEIVED)
    receipt = running.relay.wait_for(f"{planted('address')}@riverbend.example", timeout_s=60.0)[0]
    return next(word.strip(":") for word in receipt.subject.split() if word.startswith("EC-"))


def _to_a_determination(running: Running, number: str) -> None:
    wait_until(lambda: running.shown("Ada Merrow", number), "the City Manager was not asked")
    referral = running.shown("Ada Merrow", number)
    assert referral is not None
    running.press("Ada Merrow", referral, Do.REFER)
    reason = planted("reason")
    running.form("Ruth Alden", number, Do.FORM_CHECK, {"proper": "yes", "signed": "yes", "reason": reason})
    named = {
        "name": planted("respondent"),
        "office": planted("office"),
        "email": f"{planted('respondent_mail')}@bramwell-ky.example",
    }
    running.form("Ruth Alden", number, Do.NAME_RESPONDENTS, named)
    running.press("Ruth Alden", running.asked("Ruth Alden", f"case {number}", Do.ACKNOWLEDGE), Do.ACKNOWLEDGE)
    running.form("Ruth Alden", number, Do.SEND_NOTICE, {"provisions": ["conflict-of-interest"]})
    board = ("Iris Falk", "Samuel Ortiz", "Nell Baird", "Otis Greer")
    with running.record() as record, record.docket.database.read() as session:
        people = roster_of(record.docket, session).members
    there = [str(person) for person, member in people.items() if member.name in board]
    chair = running.users["Iris Falk"]
    running.press("Iris Falk", running.asked("Iris Falk", "meeting", Do.OPEN_MEETING), Do.OPEN_MEETING)
    values = {"place": planted("place"), "notice": "posted", "present": there}
    assert running.practice.submit(chair, values).ok  # type: ignore[arg-type]  # choices as texts
    running.practice.close(chair, clear=True)
    running.form("Iris Falk", number, Do.OPEN_BALLOT, {"question": Question.JURISDICTION.value})
    for name in board:
        _vote(running, name)
    closing = running.asked("Iris Falk", f"case {number}", Do.CLOSE_BALLOT)
    running.press("Iris Falk", closing, Do.CLOSE_BALLOT)
    running.form("Iris Falk", number, Do.DETERMINE, {"conclusion": "outside", "findings": planted("finding")})


def _vote(running: Running, name: str) -> None:
    wait_until(lambda: running.shown(name, "Ballot"), "not asked to vote")
    asked = running.shown(name, "Ballot")
    assert asked is not None
    running.press(name, asked, Do.VOTE)
    user = running.users[name]
    assert running.practice.submit(user, {"choice": "no", "reasons": planted("vote")}).ok
    running.practice.close(user, clear=True)


def _let_things_fail(running: Running, number: str, sinks: Sinks) -> None:
    """Refusals, broken lines, a killed process, wrong words on the command line."""
    running.practice.faults(failing_calls=2, lost_answers=1)
    running.relay.faults.refused = 1
    running.practice.command(running.users["Samuel Ortiz"], "/ethics", f"case {planted('unknown_person')}")
    running.practice.command(running.users["Samuel Ortiz"], "/ethics", f"{planted('unknown_person')} now")
    running.practice.drop_sockets()
    running.stop(signal.SIGKILL)
    running.start()
    running.connected()
    cli, counsel, postal = planted("cli"), planted("counsel"), planted("postal")
    for words in (
        ("party", "add", number, "respondent", "--name", cli, "--email", f"{cli} at home"),
        ("party", "add", number, "respondent-counsel", "--name", counsel, "--postal", "-"),
        ("party", "add", "EC-2026-9999", "respondent", "--name", cli),
        ("case", cli),
        ("intake", f"/{cli}.pdf"),
        ("form", number, "--proper", "--reason", "-"),
    ):
        run = subprocess.run(
            [*DOCKET, *words, "--data", str(running.folder)],
            input=postal.encode(),
            capture_output=True,
            check=False,
            cwd=ROOT,
        )
        assert run.returncode != 0
        sinks.add(f"errors of docket {words[0]} {words[1][:3]}", _without(run.stderr, planted("cli")))


def _without(said: bytes, typed: str) -> bytes:
    """Leave out what the person typed a moment ago: it may be repeated to him, and to nobody else."""
    return said.replace(typed.encode(), b"")


def _watch_processes(running: Running, sinks: Sinks, name: str) -> None:
    assert running.process is not None
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"docket" in path.read_bytes() or str(path.parent.name) == str(running.process.pid):
                lines.append(path.read_bytes())
        except OSError:
            continue
    sinks.add(name, b"\n".join(lines))


def _look_around(running: Running, number: str, sinks: Sinks, tmp_path: Path) -> None:
    own = [one for one in running.relay.letters if INTAKE in str(one.message["From"])]
    assert own
    sinks.add("subjects", "\n".join(one.subject for one in own))
    sinks.add("who a letter is said to be from", "\n".join(str(one.message["From"]) for one in own))
    users = running.users.values()
    seen = [(user, channel) for user in users for channel in running.practice.channels(user)]
    sinks.add("channel names", "\n".join(channel.name for _user, channel in seen))
    messages = [one for user, channel in seen for one in running.practice.messages(user, channel.id)]
    assert any(number in message_text(one) for one in messages)
    sinks.add("notification texts", "\n".join(one.text for one in messages))
    sinks.add("cards and lists", "\n".join(message_text(one) for one in messages if not one.only_for))
    _add_health(running, sinks)
    for path in sorted(running.folder.glob("data/**/*")):
        if path.is_file():
            sinks.add(f"data/{path.relative_to(running.folder)}", path.read_bytes() + path.name.encode())
    for path in sorted((tmp_path / "scratch").glob("**/*")):
        sinks.add(
            f"temporary {path.name}", (path.read_bytes() if path.is_file() else b"") + path.name.encode()
        )
    assert any("docket.sqlite3" in name for name in sinks.found)
    assert any("-wal" in name for name in sinks.found)
    assert any("/vault/" in name for name in sinks.found)
    _add_backup(running, sinks, tmp_path)


def _add_health(running: Running, sinks: Sinks) -> None:
    for path in ("/healthz", "/readyz", "/metrics"):
        connection = http.client.HTTPConnection(
            "127.0.0.1", int(running.more["DOCKET_HEALTH_PORT"]), timeout=20
        )
        connection.request("GET", path)
        sinks.add(path, connection.getresponse().read())
        connection.close()


def _add_backup(running: Running, sinks: Sinks, tmp_path: Path) -> None:
    into = tmp_path / "backups"
    into.mkdir()
    environment: Mapping[str, str] = os.environ
    run = subprocess.run(
        [*DOCKET, "backup", str(into), "--data", str(running.folder)],
        capture_output=True,
        check=False,
        cwd=ROOT,
        env=environment,
    )
    kept = [one for one in into.iterdir() if one.is_file()]
    assert run.returncode == 0, run.stderr
    assert kept
    for one in kept:
        sinks.add(f"backup {one.suffix}", one.read_bytes())
        unpacked = tmp_path / "unpacked"
        shutil.unpack_archive(one, unpacked, format="tar")
        for path in unpacked.glob("**/*"):
            if path.is_file():
                sinks.add(f"backup {path.name[:12]}", path.read_bytes())
