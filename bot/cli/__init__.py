"""`docket`: the command line. One module a group of commands; each is imported when it is asked for."""

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

import click
from typing_extensions import override

from bot.errors import StartFault, clipped
from bot.house import check_house
from store.rules.errors import Refusal


@dataclass(frozen=True, slots=True)
class Row:
    """One command: where it lies, as "module:attribute", and what it does, in a line for `--help`."""

    target: str
    does: str


COMMANDS: Mapping[str, Row] = {
    "acknowledge": Row("bot.cli.staff:acknowledge_it", "Write the acknowledgement to each complainant."),
    "amend": Row("bot.cli.correcting:amend_it", "Record an amended complaint."),
    "backup": Row("bot.cli.backup:backup", "Write the record into one file, while everything goes on."),
    "appearance": Row("bot.cli.heard:appearance", "Record that a party appeared before the Board."),
    "ballot": Row("bot.cli.ballot:ballot", "Open, vote in, close, void or show ballots."),
    "breach": Row("bot.cli.keeping:breach", "Record a breach, who was told of it, and its end."),
    "calendar": Row("bot.cli.calendar:calendar", "Show or change the city's closures."),
    "case": Row("bot.cli.case:case", "Show one case."),
    "close": Row("bot.cli.closing:close_it", "Close the file of a case in which nothing is open."),
    "correct": Row("bot.cli.correcting:correct", "Correct when something was received; list receipts."),
    "cure": Row("bot.cli.intake:cure", "File a paper brought in that mends what was lacking."),
    "cure-notice": Row("bot.cli.staff:cure_notice", "Ask the complainant for what is lacking."),
    "dates": Row(
        "bot.cli.calendar_files:dates", "Write the open dates as an .ics file, by case number only."
    ),
    "deadline": Row("bot.cli.deadline:deadline", "Compute the dates of one period, without a case."),
    "demand": Row("bot.cli.after:demand", "Record a demand for a public hearing, and its result."),
    "demo": Row("bot.cli.demo:demo", "Play the whole story on this machine."),
    "determine": Row("bot.cli.ballot:determine_it", "Record the Board's determination on a respondent."),
    "disclosure": Row("bot.cli.exits:disclosure", "Record a party's disclosure; confirm; release."),
    "disposal": Row("bot.cli.keeping:disposal", "Dispose of closed files by an approved list."),
    "dispose": Row("bot.cli.after:dispose_it", "Record what follows a sufficient basis."),
    "docket": Row("bot.cli.case:docket_list", "List the cases with what is due."),
    "doctor": Row("bot.cli.doctor:doctor", "Try each thing Docket stands on, and say the mend."),
    "document": Row("bot.cli.case:document", "Save one document of a case to a file."),
    "evidence": Row("bot.cli.exits:evidence", "Turn evidence over to a prosecutor; record his receipt."),
    "exhibit": Row("bot.cli.heard:exhibit", "Offer exhibits, and rule on them."),
    "explain": Row("bot.cli.case:explain", "Show how the dates of a case came about, day by day."),
    "export": Row("bot.cli.exporting:export", "Write a case as a bundle that proves itself."),
    "flag": Row("bot.cli.exits:flag", "Record the Board's flag of a perhaps false complaint (F)."),
    "form": Row("bot.cli.staff:form", "Decide whether a complaint is proper."),
    "grants": Row("bot.cli.grants:grants", "Print the rights of the lesser role on PostgreSQL."),
    "hearing": Row("bot.cli.after:hearing", "Set the hearing; record how it went; send its result."),
    "held": Row("bot.cli.held:held", "Look at held mail and decide about it."),
    "history": Row("bot.cli.case:history", "Show what was recorded in a case, when and by whom."),
    "hold": Row("bot.cli.closing:hold", "Place or lift a hold that stops disposal."),
    "init": Row("bot.cli.init:init", "Write settings, keys and the Slack app's manifest."),
    "inquiry": Row("bot.cli.ballot:inquiry", "Record that the preliminary inquiry was held."),
    "inspect": Row("bot.cli.inspect:inspect_pdf", "Judge a PDF: pages, encryption, signature evidence."),
    "intake": Row("bot.cli.intake:intake", "File papers or mail by hand."),
    "keys": Row("bot.cli.keys:keys", "Change the keys that open the record."),
    "lift": Row("bot.cli.staff:lift", "Record that a walled-off person is not concerned."),
    "manager-receipt": Row("bot.cli.staff:manager_receipt", "Record when the City Manager had it."),
    "meeting": Row(
        "bot.cli.calendar_files:meeting", "Open, lead, close or list meetings; minutes; invitation."
    ),
    "merge": Row("bot.cli.correcting:merge_it", "Record that a case duplicates another."),
    "named": Row("bot.cli.staff:named", "Say who of the roster is named in papers nobody could search."),
    "notice": Row("bot.cli.party:notice", "Write the notice to a respondent."),
    "notify": Row("bot.cli.ballot:notify", "Tell a respondent that a minimal factual basis was found."),
    "outbox": Row("bot.cli.status:outbox_list", "List the letters that wait or whose fate is uncertain."),
    "packet": Row("bot.cli.packet:packet", "Save what is served on paper: cover, label, letter, papers."),
    "party": Row("bot.cli.party:party", "Add, correct or remove parties of a case."),
    "photos": Row("bot.cli.looking:photos", "Save the photos of a case as one PDF."),
    "pictures": Row("bot.cli.looking:pictures", "Save pictures of a PDF's pages, with what was found."),
    "practice": Row("bot.cli.practising:practice", "Serve a practice Slack for your own mailbox; test mode."),
    "privilege": Row("bot.cli.exporting:privilege", "Mark a paper as privileged; exports leave it out."),
    "recuse": Row("bot.cli.staff:recuse_me", "Step back from a case."),
    "refer": Row("bot.cli.staff:refer_it", "Refer a complaint to the Board, or record that it was."),
    "reopen": Row("bot.cli.correcting:reopen_it", "Let a final case go on, with a reason."),
    "reindex": Row("bot.cli.record:reindex_it", "Write what the lists are read from anew, from the facts."),
    "report": Row("bot.cli.report:report", "A year in numbers: CSV, JSON, and a PDF with charts."),
    "reprimand": Row("bot.cli.after:reprimand", "Issue the reprimand; record when it was received."),
    "response": Row("bot.cli.heard:response", "Record a respondent's answer, more time, or silence."),
    "restore": Row("bot.cli.backup:restore", "Bring a backup back into an empty place, and verify it."),
    "roster": Row("bot.cli.roster:roster", "Show or change who sits on the Board and works for it."),
    "run": Row("bot.cli.run:run", "Read the mailbox, answer Slack, sweep the dates, send the letters."),
    "served": Row("bot.cli.party:served", "Record that a letter was served on paper."),
    "schema": Row("bot.cli.grants:schema", "Bring the database's schema up to this version."),
    "show-anew": Row("bot.cli.record:show_it_anew", "Build Slack's channels and cards anew from the record."),
    "sign-in": Row("bot.cli.sign_in:sign_in", "Let the mail account consent, and keep its refresh token."),
    "statement": Row("bot.cli.heard:statement", "Record a statement under oath."),
    "settings": Row("bot.cli.keys:settings", "Show how Docket is set up; no secret."),
    "status": Row("bot.cli.status:status", "Say whether Docket works; no content of any case."),
    "take-back": Row("bot.cli.staff:take_it_back", "Take back a letter that did not go out yet."),
    "terminate": Row("bot.cli.ballot:terminate", "Send the decision of termination to each party."),
    "timeline": Row("bot.cli.exporting:timeline", "Show a case in time, in words or as a picture."),
    "triage": Row("bot.cli.triage:triage_mail", "Say what would happen to mail; nothing happens."),
    "verify": Row("bot.cli.record:verify_record", "Check the journal's chain and every fact against it."),
    "withdraw": Row("bot.cli.correcting:withdraw_it", "Record that the complainant withdrew."),
}


class _Plain(click.ClickException):
    """One plain line on standard error, under the name that every line of `docket` has."""

    exit_code = 2

    def __init__(self, says: str) -> None:
        super().__init__(" ".join(says.split()))

    @override
    def show(self, file: IO[Any] | None = None) -> None:
        """Print the line."""
        click.echo(f"docket: {clipped(self.message)}", file=file, err=True)


class _Stopped(_Plain):
    """Somebody pressed Ctrl-C."""

    exit_code = 130


@contextmanager
def _one_line() -> Iterator[None]:
    """Turn what click words in several lines, and an end by Ctrl-C, into one line."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx is not None else "docket"
        raise _Plain(f"{error.format_message()}{_its_place(error)} See: {path} --help") from error
    except KeyboardInterrupt as error:
        raise _Stopped("Stopped by Ctrl-C. What was recorded is safe.") from error
    except click.Abort as error:  # click's prompt raises it for Ctrl-C and where no more can be typed
        raise _Stopped("Stopped before the question was answered. What was recorded is safe.") from error


def _its_place(error: click.UsageError) -> str:
    """Say where an option goes that stands before the command to which it belongs."""
    group = error.ctx.command if error.ctx is not None else None
    if not isinstance(error, click.NoSuchOption) or error.ctx is None or not isinstance(group, click.Group):
        return ""
    word, _, _value = error.option_name.partition("=")
    under = [
        command for name in group.list_commands(error.ctx) if (command := group.get_command(error.ctx, name))
    ]
    takers = [one for one in under if any(word in part.opts for part in one.params)]
    nested = [more for one in under if isinstance(one, click.Group) for more in one.commands.values()]
    if not takers and not any(word in part.opts for one in nested for part in one.params):
        return ""
    return f" It goes behind the command, as in: {error.ctx.command_path} COMMAND ... {word}."


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one only when it runs."""

    @override
    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the words; what cannot be used is told in one line."""
        with _one_line():
            return super().make_context(info_name, args, parent, **extra)

    @override
    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what cannot be used is told in one line."""
        with _one_line():
            return super().invoke(ctx)

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the names of all commands, sorted."""
        return sorted(COMMANDS)

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and give one command; None where there is none of that name."""
        row = COMMANDS.get(cmd_name)
        if row is None:
            return None
        module, _, attribute = row.target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    @override
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with what each does, from the table; nothing is imported for it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name].does) for name in self.list_commands(ctx)])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ethics-docket", prog_name="docket")
@click.pass_obj
def docket(prepare: Callable[[], None] | None) -> None:
    """Docket, the clerk of the Board of Ethics."""
    if prepare is not None:
        prepare()


def _guard_this_process() -> None:
    """Let no exception's text reach the terminal: it may bear a name (C1)."""
    from bot.clock import SystemClock
    from bot.logs import configure_logs

    configure_logs("warning", SystemClock())


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line; a refusal is one plain line, what must be mended first one line each; exit status 1.

    Args:
        argv: the words after `docket`; None takes those of the process, whose logs are then set up too.
    """
    try:
        check_house()
        docket.main(
            args=None if argv is None else list(argv),
            prog_name="docket",
            standalone_mode=True,
            obj=_guard_this_process if argv is None else None,
        )
    except Refusal as refusal:
        click.echo(f"docket: {clipped(str(refusal))}", err=True)
        sys.exit(1)
    except StartFault as fault:
        for line in fault.lines:
            click.echo(f"docket: {clipped(line)}", err=True)
        sys.exit(1)
