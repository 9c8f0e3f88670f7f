"""`docket deadline`: all dates of one period, without a case, with the reason for each day."""

import json
from datetime import date
from pathlib import Path
from typing import IO, Any, Final

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text
from typing_extensions import override

from bot.cli.given import read_given
from bot.errors import clipped
from store.rules import dates
from store.rules.calendar import Calendar, Closure, city_zone, parse_calendar, parse_day
from store.rules.errors import BadInput, Refusal

_GREATEST: Final = 2**31 - 1  # the greatest number that every database takes for an id
CLOSED_BY_OPTION: Final = "named on the command line"


class BadUse(click.ClickException):
    """What was typed cannot be used: one plain line, exit status 2."""

    exit_code = 2

    @override
    def show(self, file: IO[Any] | None = None) -> None:
        """Print the line, under the name that every line of `docket` has."""
        click.echo(f"docket: {clipped(self.message)}", file=file, err=True)


class OneLineCommand(click.Command):
    """A command whose every refusal is one plain line."""

    @override
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options; what click would explain in several lines becomes one."""
        try:
            left = super().parse_args(ctx, args)
        except click.UsageError as error:
            says = " ".join(error.format_message().split())
            raise BadUse(f"{says} See: {ctx.command_path} --help") from error
        for name, value in ctx.params.items():
            _check_readable(name, value)
        return left

    @override
    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a refusal becomes one line with exit status 2."""
        try:
            return super().invoke(ctx)
        except Refusal as refusal:
            raise BadUse(" ".join(str(refusal).split())) from refusal


def _check_readable(name: str, value: object) -> None:
    """Refuse what no record can hold: numbers beyond it, and words that are no text, kept as lone surrogates.

    File names are paths, not text, and may hold any bytes.
    """
    for one in value if isinstance(value, tuple) else (value,):
        if isinstance(one, tuple):
            _check_readable(name, one)
        elif isinstance(one, int) and abs(one) > _GREATEST:
            raise BadUse(
                f"The number for {name.replace('_', ' ')} is larger than any there is; nothing was changed."
            )
        elif isinstance(one, str) and not one.isascii() and any("\ud800" <= sign <= "\udfff" for sign in one):
            raise BadUse(
                f"What was typed for {name.replace('_', ' ')} is no UTF-8 text; nothing was changed."
            )


@click.command(cls=OneLineCommand)
@click.option(
    "--received", required=True, metavar="INSTANT", help="Receipt, with offset: 2026-03-02T10:00:00-05:00."
)
@click.option("--period", required=True, type=click.IntRange(0, dates.LONGEST_PERIOD), help="How many days.")
@click.option(
    "--unit",
    required=True,
    type=click.Choice([unit.value for unit in dates.Unit]),
    help="Days of which kind.",
)
@click.option(
    "--act", required=True, type=click.Choice([act.value for act in dates.Act]), help="What must be done."
)
@click.option("--zone", required=True, metavar="ZONE", help="The city's zone, such as America/New_York.")
@click.option("--closures", metavar="FILE", help="TOML: adopted_years, [[closure]] date, reason, closes_at.")
@click.option(
    "--close", multiple=True, metavar="DATE", help="One more closed day; may be given several times."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def deadline(
    *,
    received: str,
    period: int,
    unit: str,
    act: str,
    zone: str,
    closures: str | None,
    close: tuple[str, ...],
    as_json: bool,
) -> None:
    """Compute the dates of one period by KRS 446.030.

    Without a closures file no year counts as adopted, so that the dates are provisional.
    """
    found = dates.reckon(
        dates.parse_instant(received),
        period,
        unit=dates.Unit(unit),
        act=dates.Act(act),
        calendar=_calendar(zone, closures),
        extra_closures=[Closure(parse_day(day), CLOSED_BY_OPTION) for day in close],
    )
    if as_json:
        click.echo(json.dumps(as_object(found), indent=2))
    else:
        show(found)


def _calendar(zone: str, closures: str | None) -> Calendar:
    """Give the city's calendar, from its closures file if there is one."""
    if closures is None:
        return Calendar(city_zone(zone))
    try:
        text = read_given(Path(closures)).decode()
    except UnicodeDecodeError as error:
        raise BadInput(f"The closures file {closures!r} cannot be read: it is not UTF-8 text.") from error
    return parse_calendar(text, city_zone(zone))


def as_object(found: dates.Dates) -> dict[str, object]:
    """Give the dates as one JSON object: days as ``2026-03-16``, the end of the period with the zone's offset."""
    hour = found.act_by_closes_at
    return {
        "start_on": found.start_on.isoformat(),
        "expected_last_day": found.expected_last_day.isoformat(),
        "alt_last_day": _iso(found.alt_last_day),
        "act_by": _iso(found.act_by),
        "act_by_closes_at": None if hour is None else hour.isoformat(),
        "keep_open_until": _iso(found.keep_open_until),
        "period_ends_before": found.period_ends_before.astimezone(found.zone).isoformat(),
        "provisional": found.provisional,
        "provisional_years": list(found.provisional_years),
        "days": [_day_object(day) for day in found.days],
        "explanation": list(dates.sentences(found)),
        "sources": list(found.sources),
        "calendar_version": found.calendar_version,
    }


def _iso(day: date | None) -> str | None:
    """Give a day as JSON holds it."""
    return None if day is None else day.isoformat()


def _day_object(day: dates.ExplainedDay) -> dict[str, object]:
    """Give one explained day as JSON holds it."""
    return {
        "date": day.on.isoformat(),
        "weekday": day.weekday,
        "counted": day.counted,
        "reason": day.reason,
        "kind": day.kind.value,
    }


def show(found: dates.Dates) -> None:
    """Print the dates for a person to read."""
    console = Console(markup=False, highlight=False)
    for sentence in dates.sentences(found):
        console.print(sentence, soft_wrap=True)
    ends = found.period_ends_before.astimezone(found.zone)
    console.print(f"The period is over at {ends:%Y-%m-%d %H:%M %Z}.", soft_wrap=True)
    console.print(_table(found))
    console.print("Sources: " + "; ".join(found.sources) + ".", soft_wrap=True)
    console.print(f"Calendar version {found.calendar_version}.", soft_wrap=True)


def _table(found: dates.Dates) -> Table:
    """Lay out the counted and skipped days, the counted ones numbered."""
    table = Table("Date", "Day", "Count", "Reason")
    number = 0
    for day in found.days:
        number += day.counted
        count = str(number) if day.counted else "-"
        table.add_row(day.on.isoformat(), day.weekday, count, Text(day.reason))
    return table
