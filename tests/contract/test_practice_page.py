"""The practice page in a real browser: mouse, keyboard, two sizes, and who is kept out."""

import http.client
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PIL import Image

from bot import cards, words
from bot.cli.practice_page import PracticePage
from bot.cli.story import World, world
from bot.practice import papers
from bot.practice.pages import PAGE
from store.rules.facts import Question
from tests import practice_picture
from tests.browser import Page, chromium

pytestmark = [pytest.mark.contract, pytest.mark.needs("chromium")]
LOG = "#log"
MODAL = ".modal"
TALLY = re.compile(r"\b(yes|no) [0-9]|carried", re.IGNORECASE)


@dataclass
class Desk:
    """A practice world, its page in a browser, and what a person does there."""

    scene: World
    tab: Page
    url: str
    folder: Path

    def as_person(self, name: str) -> None:
        self.tab.press(name, "#slack-people")
        self.tab.shows(name.split(maxsplit=1)[0], ".place")

    def command(self, text: str) -> None:
        self.tab.fill("Write a message or a command", text)
        self.tab.key("Enter")

    def submit(self, button: str) -> str:
        """Submit the window; wait until what is recorded is said, give that, and close."""
        self.tab.press(button, f"{MODAL} footer")
        self.tab.until(
            "!document.querySelector('.modal [type=submit]') && "
            f"!found.text('{MODAL}').includes({json.dumps(words.RECORDING)})"
        )
        said = self.tab.text(MODAL) if self.tab.run("Boolean(document.querySelector('.modal'))") else ""
        self.close()
        return said

    def close(self) -> None:
        """Close windows until none is open."""
        while self.tab.run("Boolean(document.querySelector('.modal'))"):
            self.tab.run("document.querySelector('.modal').dataset.seen = 'yes'")
            self.tab.key("Escape")
            self.tab.until("!document.querySelector('.modal[data-seen]')")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("practice")
    page = PracticePage()
    with (
        world(folder / "world", token=page.token, routes=page.routes()) as scene,
        chromium() as tab,
    ):
        url = page.show(scene)
        tab.start(url)
        tab.shows("Ruth Alden", "#people")
        yield Desk(scene, tab, url, folder)


@pytest.fixture(scope="module")
def filed(desk: Desk) -> Desk:
    """A complaint sent by the composer, received and filed."""
    tab = desk.tab
    tab.press("Ines Calloway")
    tab.press("Write a message")
    tab.choose("Attached paper", "Complaint, signed by pen")
    tab.press("Send", ".compose")
    tab.shows("Sent.", "#reading")
    tab.shows("your complaint was received", "#letters")
    tab.press("your complaint was received", "#letters")
    tab.shows("EC-2026-0001", "#reading")
    return desk


def test_what_to_try_can_be_read_again_after_a_person_was_chosen(filed: Desk) -> None:
    filed.as_person("Iris Falk")
    filed.tab.press("What to try", "#people")
    filed.tab.shows("refers it to the Board in one click", ".welcome")
    filed.as_person("Nell Baird")
    filed.tab.until("!document.querySelector('.welcome') && !document.querySelector('#guide[aria-current]')")


def test_the_guide_leads_to_the_people_it_speaks_of_and_comes_first_on_a_phone(filed: Desk) -> None:
    tab = filed.tab
    tab.resize(390, 844, phone=True)
    try:
        tab.reload()
        tab.shows("The main job, step by step", ".welcome")
        tab.press("Iris Falk", ".welcome")
        tab.shows("You are Iris Falk, chair", ".place")
        tab.press("People", ".tabs")
        tab.press("What to try", "#people")
        tab.press("Dale Whitlow", ".welcome")
        tab.shows("d.whitlow@bramwell-ky.example", ".place")
    finally:
        tab.resize(1440, 900)


def test_the_record_names_each_clause_and_way_in_as_people_do(filed: Desk) -> None:
    """And no date or case number is broken over two lines, at any width."""
    tab = filed.tab
    filed.as_person("Ruth Alden")
    tab.press("Home", "#slack-people")
    tab.shows("EC-2026-0001", "#home")
    tab.shows("Ruth Alden, in Slack", "#journal")
    said = tab.text("#journal")
    assert "clause (A)" in said
    assert not re.search(r"[A-Z]-[a-z]|machine|[a-z]_[a-z]", said)
    for width in (1440, 700, 390):
        tab.resize(width, 844)
        broken = (
            "[...document.querySelectorAll('.whole')].filter((one) => one.getClientRects().length > 1).length"
        )
        assert tab.run("document.querySelectorAll('.whole').length > 5")
        assert tab.run(broken) == 0
    tab.resize(1440, 900)


@pytest.fixture(scope="module")
def proper(filed: Desk) -> Desk:
    """The clerk has looked at the scan and found the complaint proper; the City Manager referred it."""
    tab = filed.tab
    filed.as_person("Ruth Alden")
    tab.press("Say who is named", LOG)
    filed.submit("Say so")
    filed.as_person("Ada Merrow")
    tab.press("Refer it to the Board", LOG)
    tab.shows("refer", "#journal")
    filed.as_person("Ruth Alden")
    tab.press("Check the form", LOG)
    tab.choose("The complaint is", "proper", MODAL)
    tab.choose("Signed by the complainant?", "Yes", MODAL)
    tab.fill("Reason", "ink on the page", MODAL)
    filed.submit("Decide")
    tab.shows("decide form", "#journal")
    return filed


@pytest.fixture(scope="module")
def named(proper: Desk) -> Desk:
    """The clerk has named the respondent."""
    proper.tab.press("Name a respondent", LOG)
    proper.tab.fill("Name", "Dale Whitlow", MODAL)
    proper.tab.fill("E-mail address", "d.whitlow@bramwell-ky.example", MODAL)
    proper.submit("Name")
    proper.tab.shows("name party", "#journal")
    return proper


@pytest.fixture(scope="module")
def balloting(named: Desk) -> Desk:
    """The chair has opened a meeting with all five there, and a ballot in it."""
    tab = named.tab
    named.as_person("Iris Falk")
    named.command("/ethics case EC-2026-0001")
    tab.press("Open a meeting", LOG)
    tab.fill("Place or video link", "City Hall, Room 2", MODAL)
    tab.fill("How and when was notice given?", "posted and mailed on Monday", MODAL)
    for name in VOTERS:
        tab.choose("Present", name, MODAL)
    named.submit("Open")
    tab.shows("open meeting", "#journal")
    named.command("/ethics case EC-2026-0001")
    tab.press("Open a ballot", LOG)
    tab.choose("The question", "Is the complaint within", MODAL)
    tab.fill("Only the chair", "the respondent asked for it", MODAL)
    named.submit("Open")
    tab.shows("open ballot", "#journal")
    return named


VOTERS = ("Iris Falk", "Samuel Ortiz", "Nell Baird", "Otis Greer", "Lena Cho")


def test_a_barrier_put_into_the_page_is_found(desk: Desk) -> None:
    """And the page as it opens has none; this keeps the checks below able to fail."""
    tab = desk.tab
    assert tab.barriers() == []
    tab.run("document.body.append(Object.assign(document.createElement('button'), {id: 'planted'}))")
    assert any(one.startswith("critical button-name") for one in tab.barriers())
    tab.run("document.querySelector('#planted').remove()")
    assert tab.barriers() == []


def test_a_complaint_sent_by_the_composer_is_filed_and_its_receipt_read_in_the_inbox(filed: Desk) -> None:
    filed.tab.shows("EC-2026-0001", "#dates")
    assert "Refer the complaint" in filed.tab.text("#dates")


def test_a_window_takes_the_focus_and_escape_closes_it_and_gives_the_focus_back(filed: Desk) -> None:
    tab = filed.tab
    filed.as_person("Ruth Alden")
    tab.press("Why this date?", LOG)
    tab.until("document.querySelector('.modal')?.contains(document.activeElement)")
    assert tab.run("document.querySelector('#scene').inert")
    tab.key("Escape")
    tab.until("!document.querySelector('.modal')")
    tab.until("document.activeElement.innerText === 'Why this date?'")


def test_the_clerk_marks_a_complaint_proper(proper: Desk) -> None:
    proper.tab.shows("✓ Found proper", LOG)


def test_a_form_lacking_an_answer_is_not_sent_and_says_what_is_lacking(proper: Desk) -> None:
    tab = proper.tab
    proper.as_person("Ruth Alden")
    tab.press("Name a respondent", LOG)
    tab.press("Name", f"{MODAL} footer")
    tab.shows("Please complete this required field.", MODAL)
    assert tab.run("document.activeElement.closest('[data-block]').innerText.startsWith('Name')")
    assert tab.run("document.activeElement.getAttribute('aria-invalid') === 'true'")
    proper.close()


def test_the_respondent_named_by_the_clerk_stands_on_the_card(named: Desk) -> None:
    named.tab.shows("✓ Respondents named", LOG)


def _counted(name: str) -> str:
    """Give the condition that something unread is counted at a person's name in Slack."""
    return (
        f"[...document.querySelectorAll('#slack-people > li')].some((one) => "
        f"one.innerText.includes({json.dumps(name)}) && one.querySelector('.badge'))"
    )


def test_what_a_person_has_not_read_is_counted_at_his_name_also_when_the_page_is_opened_anew(
    named: Desk,
) -> None:
    tab = named.tab
    tab.reload()
    tab.until(_counted("Nell Baird"))
    assert not tab.run(_counted("Ada Merrow"))
    named.as_person("Nell Baird")
    tab.press("ec-2026-0001", "#slack-people")
    tab.shows("Case EC-2026-0001", LOG)
    named.as_person("Ada Merrow")
    tab.until(f"!{_counted('Nell Baird')}")
    tab.reload()
    tab.until(_counted("Otis Greer"))
    assert not tab.run(_counted("Nell Baird"))


@dataclass(frozen=True)
class Counted:
    """A ballot in which five people voted.

    Attributes:
        desk: where.
        answers: what each voter was told.
        shown: what each voter saw of the ballot after voting, while it was open.
        closed: what the chair saw once it was closed.
    """

    desk: Desk
    answers: list[str]
    shown: list[str]
    closed: str


def _count(desk: Desk, question: Question, votes: tuple[str, ...]) -> Counted:
    """Let all five vote on a question, and the chair close the ballot."""
    tab = desk.tab
    answers, shown = [], []
    for name, vote in zip(VOTERS, votes, strict=True):
        desk.as_person(name)
        tab.shows(f"the respondent: {words.QUESTIONS[question]}", LOG)
        tab.press("Vote", LOG)
        tab.choose("Your vote", vote, MODAL)
        tab.fill("Reasons", "as the papers show", MODAL)
        answers.append(desk.submit("Vote"))
        shown.append(tab.text(LOG))
    desk.as_person("Iris Falk")
    desk.command("/ethics case EC-2026-0001")
    tab.press(f"Close: {cards.SHORT_QUESTIONS[question]}", LOG)
    result = f"Yes {votes.count('Yes')}, no {votes.count('No')}"
    tab.until(f"(found.text('{MODAL}') + found.text('{LOG}')).includes({json.dumps(result)})")
    closed = tab.text(MODAL) + tab.text(LOG)
    desk.close()
    return Counted(desk, answers, shown, closed)


@pytest.fixture(scope="module")
def jurisdiction(balloting: Desk) -> Counted:
    """Three of five find the complaint within the Board's jurisdiction."""
    return _count(balloting, Question.JURISDICTION, ("Yes", "Yes", "Yes", "No", "No"))


@pytest.fixture(scope="module")
def decided(jurisdiction: Counted) -> Desk:
    """The Board found no factual basis; the chair recorded it, the clerk sent the decision."""
    desk = jurisdiction.desk
    tab = desk.tab
    desk.command("/ethics case EC-2026-0001")
    tab.press("Open a ballot", LOG)
    tab.choose("The question", "Does it allege a minimal factual basis", MODAL)
    tab.fill("Only the chair", "the respondent asked for it", MODAL)
    desk.submit("Open")
    _count(desk, Question.FACTUAL_BASIS, ("No", "No", "No", "Yes", "No"))
    desk.command("/ethics case EC-2026-0001")
    tab.press("Record the determination", LOG)
    tab.choose("The Board's conclusion", "Without factual basis", MODAL)
    tab.fill("Findings", "The papers show no share held.", MODAL)
    desk.submit("Record")
    tab.shows("determine", "#journal")
    desk.as_person("Ruth Alden")
    desk.command("/ethics case EC-2026-0001")
    tab.press("Send the decision", LOG)
    tab.shows("decision of termination", "#outbox")
    return desk


def _guide(desk: Desk) -> None:
    desk.tab.press("What to try", "#people")
    desk.tab.shows("step by step", ".welcome")


def _messages(desk: Desk) -> None:
    desk.as_person("Ruth Alden")
    desk.tab.shows("Case EC-2026-0001", LOG)


def _home(desk: Desk) -> None:
    desk.as_person("Ruth Alden")
    desk.tab.press("Home", "#slack-people")
    desk.tab.shows("EC-2026-0001", "#home")


def _channel(desk: Desk) -> None:
    desk.as_person("Ruth Alden")
    desk.tab.press("ec-2026-0001", "#slack-people")
    desk.tab.shows("Case EC-2026-0001", LOG)


def _window(desk: Desk) -> None:
    _messages(desk)
    desk.tab.press("Name a respondent", LOG)
    desk.tab.press("Name", f"{MODAL} footer")
    desk.tab.shows("Please complete this required field.", MODAL)


def _window_of_boxes(desk: Desk) -> None:
    _messages(desk)
    desk.tab.press("Inquiry held", LOG)
    desk.tab.until("document.querySelector('.modal')")


def _letter(desk: Desk) -> None:
    desk.tab.press("Ines Calloway", "#mail-people")
    desk.tab.press("your complaint was received", "#letters")
    desk.tab.shows("EC-2026-0001", "#reading")


def _composer(desk: Desk) -> None:
    desk.tab.press("Ines Calloway", "#mail-people")
    desk.tab.press("Write a message", "#scene")
    desk.tab.shows("Attached paper", ".compose")


SURFACES = {
    "what to try": _guide,
    "messages in Slack": _messages,
    "App Home": _home,
    "a case's channel": _channel,
    "a form that lacks an answer": _window,
    "a form with choices": _window_of_boxes,
    "an inbox with a letter open": _letter,
    "the composer": _composer,
}
_NO_LONGER = (
    "document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight"
    " && document.body.scrollHeight <= innerHeight"
)
_CUT = (
    "[...document.querySelectorAll('body *')].filter((one) => one.getClientRects().length && one.clientWidth > 2 "
    "&& one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')"
    ".map((one) => one.outerHTML.slice(0, 120))"
)


def _barriers(tab: Page) -> list[str]:
    """Give the barriers of what is shown, in the light and in the dark scheme."""
    found = []
    for dark in (True, False):
        tab.scheme(dark=dark)
        found += [f"{'dark' if dark else 'light'}: {one}" for one in tab.barriers()]
    return found


@pytest.mark.parametrize("surface", SURFACES)
def test_no_surface_has_a_barrier_or_runs_over_at_desk_and_phone_width(named: Desk, surface: str) -> None:
    """axe-core finds nothing serious or critical; nothing is wider than its place."""
    tab = named.tab
    tab.resize(1280, 800)
    try:
        SURFACES[surface](named)
        assert _barriers(tab) == []
        assert tab.run(_NO_LONGER)
        assert tab.run(_CUT) == []
        tab.resize(390, 844, phone=True)
        for panel in ("People", "Record", "Screen"):
            tab.press(panel, ".tabs")
            assert _barriers(tab) == []
            assert tab.run(_NO_LONGER)
            assert tab.run(_CUT) == []
    finally:
        tab.resize(1440, 900)
        named.close()


def test_five_people_vote_and_no_count_is_shown_before_the_ballot_closes(jurisdiction: Counted) -> None:
    assert len(jurisdiction.answers) == len(VOTERS)
    assert all("recorded" in one for one in jurisdiction.answers)
    assert [one for one in jurisdiction.shown if TALLY.search(one)] == []
    assert re.search("yes 3", jurisdiction.closed, re.IGNORECASE)


def test_the_decision_is_read_in_the_complainants_inbox(decided: Desk) -> None:
    tab = decided.tab
    tab.press("+6 minutes", ".clock")
    tab.press("Ines Calloway", "#mail-people")
    tab.press("decision", "#letters")
    tab.shows("EC-2026-0001", "#reading")
    assert "PDF" in tab.text("#reading .attachments") or ".pdf" in tab.text("#reading .attachments")


def test_a_clock_moved_on_brings_a_reminder(named: Desk) -> None:
    tab = named.tab
    named.as_person("Ruth Alden")
    before = tab.text("#now")
    tab.until("found.text('#dates').includes('open')")
    for _morning in range(12):
        tab.press("To the next date", ".clock")
        tab.until("!document.querySelector('[data-step]').disabled")
        if "What waits for you" in tab.text(LOG):
            break
    tab.shows("What waits for you", LOG)
    assert tab.text("#now") != before


def test_the_page_fits_a_phone_and_shows_one_panel_at_a_time(filed: Desk) -> None:
    tab = filed.tab
    tab.resize(390, 844, phone=True)
    try:
        for panel in ("People", "Screen", "Record"):
            tab.press(panel, ".tabs")
            assert tab.run("document.documentElement.scrollWidth") <= 390
            shown = "[...document.querySelectorAll('.panels > *')].filter((one) => one.offsetParent).length"
            assert tab.run(shown) == 1
    finally:
        tab.resize(1440, 900)


def test_the_readmes_picture_is_taken_by_its_command_and_is_small(named: Desk) -> None:
    taken = named.folder / "page.png"
    try:
        practice_picture.take(named.tab, taken)
    finally:
        named.tab.resize(1440, 900)
    for path in (taken, practice_picture.PICTURE):
        with Image.open(path) as shown:
            assert shown.size == practice_picture.SIZE
        assert path.stat().st_size < practice_picture.MOST_BYTES


def test_every_button_and_field_has_a_name(filed: Desk) -> None:
    """What a screen reader would say of each is not empty."""
    filed.tab.press("Ines Calloway", "#mail-people")
    filed.tab.press("Write a message", "#scene")
    nameless = filed.tab.run(
        "[...document.querySelectorAll('button, input, select, textarea')].filter((one) => "
        "!(one.getAttribute('aria-label') || one.innerText?.trim() || one.labels?.length))"
        ".map((one) => one.outerHTML.slice(0, 120))"
    )
    assert nameless == []


def test_the_page_asks_no_other_host_breaks_no_policy_and_leaves_the_token_out_of_its_address(
    filed: Desk,
) -> None:
    assert filed.tab.asked_elsewhere(filed.url) == []
    assert filed.tab.faults == []
    assert filed.scene.slack.control_token not in filed.tab.run("location.href")
    assert all(filed.scene.slack.control_token not in one for one in filed.tab.asked[1:])


APIS = ("/practice/api/workspace", "/practice/mail/people", "/practice/docket/record")


@pytest.mark.parametrize("path", APIS)
def test_without_the_token_nothing_is_told(desk: Desk, path: str) -> None:
    assert _status(desk, path, {}) == 403
    assert _status(desk, path, {"X-Practice-Token": "a guess"}) == 403
    assert _status(desk, path, {"X-Practice-Token": desk.scene.slack.control_token}) == 200


@pytest.mark.parametrize("path", [*APIS, PAGE])
@pytest.mark.parametrize(
    "strange",
    [{"Origin": "http://elsewhere.example"}, {"Origin": "null"}, {"Host": "elsewhere.example"}],
    ids=["another site", "no origin to speak of", "a name that leads here"],
)
def test_a_page_of_another_site_is_refused_even_with_the_token(
    desk: Desk, path: str, strange: dict[str, str]
) -> None:
    assert _status(desk, path, {"X-Practice-Token": desk.scene.slack.control_token, **strange}) == 403


def test_the_clock_is_not_moved_without_the_token(desk: Desk) -> None:
    before = desk.scene.clock.now().date()
    assert _status(desk, "/practice/docket/clock/next-morning", {}, "POST") == 403
    assert desk.scene.clock.now().date() == before


def test_a_step_the_clock_does_not_know_is_refused(desk: Desk) -> None:
    token = {"X-Practice-Token": desk.scene.slack.control_token}
    assert _status(desk, "/practice/docket/clock/back", token, "POST") == 404


def _status(desk: Desk, path: str, headers: dict[str, str], method: str = "GET") -> int:
    with closing(http.client.HTTPConnection("127.0.0.1", desk.scene.slack.port, timeout=30)) as line:
        line.request(method, path, headers=headers)
        return line.getresponse().status


def test_the_command_prints_the_pages_address_and_ends_at_ctrl_c(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-c",
        "from bot.cli import main; main()",
        "demo",
        "--data",
        str(tmp_path / "practice"),
    ]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = next(line for line in process.stdout if line.startswith("http://127.0.0.1:"))
        served = urlsplit(address.strip())
        with closing(http.client.HTTPConnection("127.0.0.1", served.port or 0, timeout=30)) as line:
            line.request("GET", served.path)
            assert b"Practice workspace" in line.getresponse().read()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_a_pdf_of_ones_own_is_sent_as_it_is(filed: Desk) -> None:
    """What is uploaded in the composer arrives in the other's inbox byte for byte."""
    tab, paper = filed.tab, papers.unsigned(papers.Complaint("Bramwell", "Hal", "Dale", "Streets", "Paving."))
    tab.press("Hal Doyle", "#mail-people")
    tab.press("Write a message", "#scene")
    tab.fill("To", "ines.calloway@riverbend.example", ".compose")
    tab.fill("Copy to", "", ".compose")
    tab.choose("Attached paper", "A PDF of your own", ".compose")
    tab.upload("#mail-file", filed.folder / "own.pdf", paper)
    tab.press("Send", ".compose")
    tab.shows("Sent.", "#reading")
    letter = filed.scene.mail.inbox("ines.calloway@riverbend.example")[-1]
    (attached,) = letter.message.iter_attachments()
    assert attached.get_payload(decode=True) == paper
    assert attached.get_filename() == "own.pdf"


def test_a_person_stays_under_the_finger_while_others_get_letters(filed: Desk) -> None:
    """A button drawn anew between the press and the release of a finger would lose the click."""
    tab = filed.tab
    tab.press("Hal Doyle", "#mail-people")
    tab.press("Write a message", "#scene")
    tab.fill("To", "dale.whitlow@riverbend.example", ".compose")
    tab.fill("Copy to", "", ".compose")
    rows = "[...document.querySelectorAll('#people .person')]"
    reached = f"{rows}.find((one) => one.innerText.includes('dale.'))"
    tab.run(
        f"(window.stood = {rows}.map((one) => [one, one.outerHTML]), window.reached = {reached}?.innerText, true)"
    )
    tab.press("Send", ".compose")
    tab.shows("Sent.", "#reading")
    tab.until(f"{reached} && {reached}.innerText !== window.reached")
    same = f"window.stood.filter(([_one, drawn]) => {rows}.some((now) => now.outerHTML === drawn))"
    assert tab.run(f"{same}.length") > 3
    assert tab.run(f"{same}.every(([one]) => one.isConnected)")
