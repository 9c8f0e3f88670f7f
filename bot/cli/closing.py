"""`docket close` and `docket hold`."""

import click

from bot.cli.common import WORDS, Caller, Commands, RecordCommand, on_record, say
from store.proceedings.closing import close_case, lift_hold, place_hold

reason_option = click.option("--reason", required=True, type=WORDS, help="Why; - reads it.")


@click.command("close", cls=RecordCommand)
@click.argument("number")
@click.option(
    "--words", type=WORDS, default="", help="Why, where the Board determined on nobody; - reads it."
)
@on_record
def close_it(caller: Caller, number: str, *, words: str) -> None:
    """Close the file of case NUMBER, in which nothing is open."""
    close_case(caller.docket, caller.actor, number, words)
    say("Recorded: closed. It can be reopened, with a reason.")


@click.group(cls=Commands)
def hold() -> None:
    """Place or lift a hold that stops the disposal of a file."""


@hold.command("place")
@click.argument("number")
@reason_option
@on_record
def place(caller: Caller, number: str, *, reason: str) -> None:
    """Place a hold on case NUMBER."""
    place_hold(caller.docket, caller.actor, number, reason=reason)
    say("Recorded: on hold.")


@hold.command("lift")
@click.argument("number")
@reason_option
@on_record
def lift(caller: Caller, number: str, *, reason: str) -> None:
    """Lift the hold on case NUMBER."""
    lift_hold(caller.docket, caller.actor, number, reason=reason)
    say("Recorded: the hold is lifted.")
