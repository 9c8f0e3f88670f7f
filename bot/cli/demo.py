"""`docket demo`: the practice story on loopback, with a progress display."""

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from types import FrameType

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from bot.cli.common import FILE, Unusable
from bot.cli.practice_page import PracticePage
from bot.cli.story import STAGES, Story, StoryStopped, World, world
from bot.cli.town import Town, differences, town
from bot.clock import SystemClock
from bot.errors import StartFault
from bot.logs import configure_logs
from bot.opening import PRACTICE_MARK
from store import journal
from store.cases import visible_cases
from store.scratch import scratch

_WIDTH = 118
_CTRL_C = 130
_STARTING = "Docket, practice: starting mail server, practice Slack and Docket itself on loopback ..."
_NEXT = "To act yourself, on a page in the browser: docket demo (.venv/bin/docket demo after make)."
Stage = tuple[str, Callable[[Story], None]]


@click.command("demo")
@click.option("--exit", "ends", is_flag=True, help="Play the whole story, checked, and end.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep DIR/.env and DIR/data, so that every other command can be run on it with --data DIR.",
)
@click.option("--profile", default="bramwell", help="A shipped profile's name, or your city's own TOML file.")
@click.option("--roster", type=FILE, help="Your city's own roster file: practise as your own people.")
@click.option("--closures", type=FILE, help="Your city's own closures file.")
def demo(*, ends: bool, data: Path | None, profile: str, roster: Path | None, closures: Path | None) -> None:
    """Practise the main job with invented people: mail server, practice Slack, SQLite, all on loopback.

    Three complaints arrive; then a page is served on which you are everybody: the people in Slack, the people who
    write by mail, and the city's clock. With --exit the whole story is played instead, and the status is 0 only
    if every stage of it was checked.
    """
    configure_logs("error", SystemClock())
    place = town(profile, roster, closures)
    wanted = place.missing() if ends else tuple(one for one in place.missing() if one == "clerk")
    if wanted:
        raise StartFault(
            "The roster leaves parts of the story without a person: "
            f"{', '.join(wanted)}. Nothing was started. Add a clerk, a chair, a city-manager and four members, or "
            "leave out --exit (a clerk is always needed)."
        )
    console = Console() if sys.stdout.isatty() else Console(width=_WIDTH)
    if data is not None:
        _refuse_a_taken(data)
    with nullcontext(data) if data else scratch("docket-demo-") as folder:
        try:
            _say_when_stopped(console)
            told = (_play if ends else _open)(console, folder, place)
        except KeyboardInterrupt:
            sys.exit(_CTRL_C)
    sys.exit(0 if told else 1)


def _refuse_a_taken(folder: Path) -> None:
    """Practise in no folder in which anything lies: it may be a real record, or the settings and keys of one."""
    if folder.is_dir() and any(folder.iterdir()):
        played = (folder / "data" / PRACTICE_MARK).exists()
        raise Unusable(
            f"{folder} holds a story that was played before. Name another folder; nothing was changed."
            if played
            else f"{folder} is not empty, and practice takes a folder of its own. Name a new one; nothing was changed."
        )


def _play(console: Console, folder: Path, place: Town) -> bool:
    console.print(_STARTING)
    with world(folder, place=place) as scene:
        story = Story(scene, lambda line: console.print(f"   {line}"))
        told = _stages(console, story, STAGES)
        _summary(console, scene)
        if told:
            console.print(
                f"[bold green]Every stage was checked[/]: {story.checked} checks in {len(STAGES)} stages."
            )
            console.print(_NEXT)
    return told


def _open(console: Console, folder: Path, place: Town) -> bool:
    """Let the complaints arrive, and serve the page until Ctrl-C."""
    console.print(_STARTING)
    page = PracticePage(place=place)
    with world(folder, token=page.token, routes=page.routes(), place=place) as scene:
        address = page.show(scene)
        told = _stages(console, Story(scene, lambda line: console.print(f"   {line}")), STAGES[:1])
        if told:
            with contextlib.suppress(KeyboardInterrupt):  # once the page is told, Ctrl-C is its usual end
                console.print(f"The practice workspace is open. The record is in {folder}. Ctrl-C ends it.")
                console.print(address, style="bold", soft_wrap=True)
                threading.Event().wait()
    return told


def _stages(console: Console, story: Story, stages: Sequence[Stage]) -> bool:
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("the story", total=len(stages))
        for name, play in stages:
            progress.update(task, description=name)
            console.print(f"[bold]{name}[/]")
            try:
                play(story)
            except (StoryStopped, TimeoutError) as stopped:
                console.print(f"[bold red]The story stopped[/] at '{name}': {stopped}", markup=True)
                return False
            progress.advance(task)
    return True


def _summary(console: Console, scene: World) -> None:
    """Print cases, dates, messages and journal, as they stand."""
    cases = Table(title="Cases and dates")
    for heading in ("case", "step", "state", "act by", "lawful until", "provisional"):
        cases.add_column(heading)
    for seen in reversed(visible_cases(scene.opened.docket, scene.actor("clerk"))):
        for step in seen.steps:
            dates = step.dates
            cases.add_row(
                seen.case.number,
                step.key.partition(":")[0],
                step.state.value,
                dates.act_by_in_words if dates else "",
                str(dates.expected_last_day) if dates else "",
                "yes" if step.provisional else "",
            )
    console.print(cases)
    _differences(console, scene.town)
    letters = Table(title="Letters that went out")
    for heading in ("at", "subject"):
        letters.add_column(heading)
    for one in scene.mail.letters:
        letters.add_row(f"{one.at:%Y-%m-%d %H:%M} UTC", one.subject)
    console.print(letters)
    entries = Table(title="The journal's last entries")
    for heading in ("no.", "at", "act", "case", "clause", "way in", "hash"):
        entries.add_column(heading)
    docket = scene.opened.docket
    with docket.database.read() as session:
        for entry in journal.newest(session, docket.keyring, 15):
            head = entry.header
            entries.add_row(
                str(entry.seq),
                f"{entry.at:%Y-%m-%d %H:%M}",
                str(head["act"]),
                str(head["case"]),
                str(head["clause"]),
                str(head["via"]),
                entry.hash[:12],
            )
    console.print(entries)


def _differences(console: Console, place: Town) -> None:
    """Print the periods in which this ordinance differs from the one that ships."""
    rows = differences(place.profile, town().profile)
    usual = town().profile.city.name
    if not rows:
        if place.profile.city.name != usual:
            console.print(f"Every period of {place.profile.city.name} is as in {usual}.")
        return
    table = Table(title=f"Where {place.profile.city.name} differs from {usual}")
    for heading in ("what", "here", "there"):
        table.add_column(heading)
    for row in rows:
        table.add_row(*row)
    console.print(table)


def _say_when_stopped(console: Console) -> None:
    """Let Ctrl-C be answered at once: the servers take some seconds to finish what they are at."""

    def stopping(_number: int, _frame: FrameType | None) -> None:
        console.print("\nStopping: mail server, practice Slack and Docket finish what they are at ...")
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stopping)
