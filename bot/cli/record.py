"""`docket verify`, `reindex` and `show-anew`: the record is the one that was written, and all else shows it (C5, C7)."""

import click

from bot import words
from bot.cli.common import Caller, RecordCommand, Told, on_record, say
from bot.cli.mailroom import roots_of
from bot.cli.progress import Shown
from bot.stamps import check_token
from store import journal
from store.cases import Pass, case_ids, reindex, verify
from store.proceedings.showing import show_anew
from store.proceedings.stamping import imprint, stamps
from store.rules.counted import counted
from store.rules.errors import BadInput

_HASH_SIGNS, _DIGITS = 64, 18


@click.command("verify", cls=RecordCommand)
@click.option(
    "--anchor",
    "--head",
    "anchor",
    metavar="ENTRY:HASH",
    help="A head of the journal as it was mailed out, or HASH@ENTRY; shows a tail that was cut.",
)
@on_record
def verify_record(caller: Caller, *, anchor: str | None) -> None:
    """Check the journal's chain, its contents, and every fact and document against it.

    Ends with status 0 when all is well, and with 1 and the first wrong entry when it is not.
    """
    with caller.docket.database.read() as session:
        number, digest = journal.head(session)
        cases = len(case_ids(session))
    shown = Shown()
    fault = verify(
        caller.docket,
        caller.actor,
        anchor=_anchor(anchor),
        came_to=lambda one, at: shown(
            f"checking the {one.value}", at, cases if one is Pass.LINES else number
        ),
    )
    if fault is not None:
        raise Told(fault.in_words)
    stamped = _stamped(caller)
    say(f"All is well: {counted(number, 'entry', 'entries')}. Head {number}:{digest}", *stamped)


def _stamped(caller: Caller) -> list[str]:
    """Check every time stamp of the journal's head; say how many there are, and what the newest one proves.

    Raises:
        Told: a stamp is not intact, or the journal has another hash at its entry.
    """
    roots, newest = roots_of(caller.opened.settings), ""
    found = list(stamps(caller.docket))
    for one in found:
        checked = check_token(one.token, imprint(one.seq, one.hash), roots.anchors, roots.intermediates)
        if checked is None or not checked.intact or not one.stands:
            raise Told(
                f"Entry {one.seq} of the journal is not the one that was time-stamped, or its stamp was altered. "
                "Stop Docket, keep everything as it is, and compare with the last backup."
            )
        traced = "" if checked.trusted else "; its signer is traced to no trusted root"
        newest = f"the newest of entry {one.seq}, {words.instant(checked.at, caller.zone)}{traced}"
    return [f"Time stamps: {len(found)}, {newest}"] if found else []


def _anchor(text: str | None) -> tuple[int, str] | None:
    if text is None:
        return None
    number, _, digest = text.strip().partition(":")
    if "@" in text:
        digest, _, number = text.strip().partition("@")
    if not number.isdecimal() or len(number) > _DIGITS or len(digest) != _HASH_SIGNS:
        raise BadInput("The anchor cannot be read.", mend="Write it as ENTRY:HASH, as it was mailed out.")
    return int(number), digest.lower()


@click.command("reindex", cls=RecordCommand)
@on_record
def reindex_it(caller: Caller) -> None:
    """Write what the lists and the sweep are read from anew, from each case's facts.

    It changes nothing of the record. For when `docket verify` says that a line of the docket is not what the facts tell.
    """
    count = reindex(caller.docket, caller.actor, Shown())
    say(
        f"{counted(count, 'case was given its line and its', 'cases were given their lines and their')} dates anew."
    )


@click.command("show-anew", cls=RecordCommand)
@on_record
def show_it_anew(caller: Caller) -> None:
    """Forget where Slack showed things, and show every case that is not final anew.

    For an empty workspace, or one whose channels were lost. Link the accounts in the roster first. `docket run` makes
    the channels and posts the cards, as fast as Slack lets it.
    """
    count = show_anew(caller.docket, caller.actor)
    say(
        f"{counted(count, 'case is', 'cases are')} shown anew. Channels and cards come as fast as Slack takes them."
    )
