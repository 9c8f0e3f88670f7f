"""Form check: a person decides whether the complaint is proper, with the judge's findings before him (A)."""

from slack_bolt import App

from bot import blocks, cards, words
from bot.actions import file
from bot.actions.ids import Do
from bot.blocks import Json
from bot.desk import Desk, asks, does, form, turns
from bot.payloads import Click, Submission, Target, read_submission
from store.cases import Actor, Look, Paper, papers_for
from store.proceedings.correction import words_for
from store.proceedings.enclosed import MANIFEST
from store.proceedings.form_check import FormView, decide_form, send_cure_notice
from store.proceedings.offices import LETTER
from store.rules import evidence
from store.rules.access import Deed
from store.rules.complaint import IN_WRITING, SIGNATURE
from store.rules.spoken import spoken

ACTION_ID = Do.FORM_CHECK
PROPER, SIGNED, LACKING, REASON, PAPER = "proper", "signed", "lacking", "reason", "paper"
_WORST_FIRST = (
    "crypto-broken",
    "unreadable",
    "none-found",
    "needs-human",
    "crypto-untrusted",
    "typed",
    "drawn",
)
_MOST_PAPERS = 5
"""So many papers stand on a page: with two buttons each they stay far below what a view holds."""
read = read_submission


def view(desk: Desk, actor: Actor, click: Click) -> Json:
    """Draw the decision: what was found in each paper, some on a page, and the questions of clause (A)."""
    seen = desk.look(actor, click.target.number, Deed.DECIDE_FORM)
    every = _in_order(seen, papers_for(desk.docket, seen))
    last = max(len(every) - 1, 0) // _MOST_PAPERS
    here = min(max(click.target.page, 0), last)
    shown = every[here * _MOST_PAPERS : (here + 1) * _MOST_PAPERS]
    choices = [(IN_WRITING, "In writing"), (SIGNATURE, "Signed by the complainant")]
    choices += [(one.id, one.text) for one in seen.profile.complaints.requirements]
    made = [
        blocks.section(f"*Case {seen.case.number}.* Docket finds; you decide."),
        *[blocks.said(part) for part in cards.chunks(_findings(seen, shown))],
        *_pages(seen, shown),
        *_turn(seen, len(every), here, last),
        blocks.radio(
            PROPER,
            "The complaint is",
            [("yes", "proper"), ("no", "not proper yet; ask for what is lacking")],
        ),
        *_which_paper(seen),
        blocks.radio(SIGNED, "Signed by the complainant?", [("yes", "Yes, as I see it"), ("no", "No")]),
        blocks.several(LACKING, "What is lacking", choices, hint="Leave empty where nothing is."),
        blocks.text_input(
            REASON,
            "Reason",
            lines=True,
            optional=True,
            hint="Needed where you decide against what was found.",
        ),
    ]
    return form(ACTION_ID, "Check the form", "Decide", click=click, of=made)


_Placed = tuple[int, Paper]


def _in_order(seen: Look, kept: list[Paper]) -> list[_Placed]:
    """Give every paper that came and that he may see, numbered: those on which the form is decided first, then the others."""
    came = [one for one in kept if not one.kind.startswith((LETTER, MANIFEST))]
    bears = [one for one in came if seen.case.bears_on_form(one.id, one.kind)]
    return list(enumerate((*bears, *(one for one in came if one not in bears)), start=1))


def _findings(seen: Look, shown: list[_Placed]) -> list[str]:
    """Say of each paper all that whoever decides should know; in a window to him alone, so with names."""
    complainants = [one.named.name for one in seen.case.complainants]
    lines = []
    for place, one in shown:
        found = evidence.from_json(one.finding)
        told = evidence.for_the_decision(found, complainants) if found else ("Nobody judged it: no PDF.",)
        beside = "" if seen.case.bears_on_form(one.id, one.kind) else ", not decided on here"
        lines += [
            f"Paper {place} ({spoken(one.kind)}{beside}): {told[0]}",
            *(f"• {line}" for line in told[1:]),
        ]
    return lines


def _turn(seen: Look, papers: int, here: int, last: int) -> list[Json]:
    """Say which papers are further ones, and give the buttons that show them; what was chosen below stays."""
    if not last:
        return []
    first, end = here * _MOST_PAPERS + 1, min((here + 1) * _MOST_PAPERS, papers)
    made = []
    if here:
        back = Target(seen.case.number, 0, here - 1).text()
        made.append(blocks.button("Earlier papers", f"{Do.TURN_FORM}:back", back))
    if here < last:
        on = Target(seen.case.number, 0, here + 1).text()
        made.append(blocks.button(f"Further papers: {end + 1} to {papers}", f"{Do.TURN_FORM}:on", on))
    return [blocks.small(f"Papers {first} to {end} of {papers}."), *blocks.actions(made)]


def _which_paper(seen: Look) -> list[Json]:
    """Give the choice of the receipt that makes it proper, where more than one can: the 30 days run from it."""
    could, zone = seen.case.mending, seen.profile.city.time_zone
    if len(could) < 2:  # noqa: PLR2004  nothing to choose
        return []
    choices = [
        (str(one.id), f"{words_for(seen.case, one)}, {words.instant(one.fact.received_at, zone)}")
        for one in could
    ]
    hint = "The 30 days of (B) run from its receipt. Left empty: the newest cure."
    return [blocks.select(PAPER, "Which paper makes it proper?", choices, optional=True, hint=hint)]


def _pages(seen: Look, shown: list[_Placed]) -> list[Json]:
    """Give buttons that send a picture of the page to judge, and the whole paper, to whoever decides."""
    made = []
    for place, one in shown:
        target = Target(seen.case.number, one.id).text()
        if one.media_type == "application/pdf":
            made.append(blocks.button(f"Pictures of paper {place}", f"{file.PAGE_PICTURE}:{one.id}", target))
        made.append(blocks.button(f"Paper {place}", f"{Do.SHOW_DOCUMENT}:{one.id}", target))
    return blocks.actions(made)


def handle(desk: Desk, actor: Actor, submission: Submission) -> str:
    """Record the decision; where it is not proper, the cure notice follows by its own button."""
    number = submission.target.number
    seen = desk.look(actor, number, Deed.DECIDE_FORM)
    kept = papers_for(desk.docket, seen)
    proper = submission.is_yes(PROPER)
    decided = FormView(
        proper=proper,
        signed=submission.is_yes(SIGNED),
        finding=_finding(seen, kept),
        lacking=submission.several(LACKING),
        reason=submission.text(REASON),
        paper=submission.id_or_none(PAPER) if proper else None,
    )
    decide_form(desk.docket, actor, number, decided)
    if proper:
        return f"Recorded: case {number} is proper. The 30 days of the inquiry run from that paper's receipt."
    return f"Recorded: case {number} is not proper yet. Send the cure notice with its button on the card."


def _finding(seen: Look, kept: list[Paper]) -> str:
    """Give the finding that asks for the most care among the complaint's papers."""
    found = {
        one.signature
        for paper in kept
        if seen.case.bears_on_form(paper.id, paper.kind) and (one := evidence.from_json(paper.finding))
    }
    return next((word for word in _WORST_FIRST if word in found), next(iter(sorted(found)), ""))


def cure_notice(desk: Desk, actor: Actor, click: Click) -> str:
    """Send the cure notice to each complainant."""
    letters = send_cure_notice(desk.docket, actor, click.target.number)
    return words.letters_wait(len(letters), click.target.number)


def attach(app: App, desk: Desk) -> None:
    """Attach the button, the decision and the cure notice."""
    asks(app, desk, ACTION_ID, "Check the form", view=view, handle=handle)
    turns(app, desk, Do.TURN_FORM, view)
    does(app, desk, Do.CURE_NOTICE, cure_notice)
