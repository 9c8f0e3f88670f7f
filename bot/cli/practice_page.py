"""What the practice page shows of Docket's record, and how it moves the city's clock: a small JSON API.

The page is a client of this, of the mail people's and of the practice Slack's API; all three stand on one
loopback address behind one token and the same Host and Origin checks. Read-only but for the clock.
"""

import asyncio
import secrets
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from datetime import time as hour
from zoneinfo import ZoneInfo

from aiohttp import web

from bot import words
from bot.cli.story import (
    DALE,
    DALE_MAIL,
    HAL,
    HAL_MAIL,
    INES,
    INES_MAIL,
    MARTA,
    MARTA_MAIL,
    World,
)
from bot.cli.town import Town, town
from bot.practice.acts import CannotDo
from bot.practice.blocks_check import Json
from bot.practice.control import LONGEST_WAIT_S, Handler, guarded
from bot.practice.mail_api import Correspondent, MailApi, Sample
from bot.practice.mailserver import PracticeMail
from bot.practice.pages import page_routes, page_url
from store import journal
from store.cases import Look, calendar_of, profile_in_force, visible_cases
from store.outbox import Waiting, waiting
from store.rules.access import Via
from store.rules.calendar import Calendar, next_open_day
from store.rules.dates import local_date
from store.rules.duties import Step

PREFIX = "/practice/docket"
MORNING = hour(9, 30)
_LOOK_EVERY_S = 0.3
_NEWEST = 80
_FEW_MINUTES = timedelta(minutes=6)
_WAYS = {Via.SLACK: "in Slack", Via.CLI: "on the command line"}


def _correspondents(place: Town) -> tuple[Correspondent, ...]:
    """Give everybody who writes and gets mail in this city."""
    official, host = place.official_mail, place.alert_to.rpartition("@")[2]
    commission = next(
        (one.emails[0] for one in place.profile.addresses if one.office == "commission" and one.emails),
        f"commission@{host}",
    )
    manager = next((one.name for one in place.cast if one.key == "manager"), place.profile.receipt.title)
    return (
        Correspondent(INES, INES_MAIL, "complainant"),
        Correspondent(HAL, HAL_MAIL, "complainant"),
        Correspondent(MARTA, MARTA_MAIL, "complainant"),
        Correspondent(DALE, DALE_MAIL, "respondent"),
        Correspondent("City Commission", commission, "receives findings"),
        *([Correspondent(manager, official, f"{place.profile.receipt.title}'s mail")] if official else []),
        Correspondent("City IT", place.alert_to, "receives alerts"),
    )


def _sample(place: Town) -> Sample:
    return Sample(
        place.profile.city.name,
        DALE,
        "Public Works Director",
        "On 14 October a paving contract was awarded to a firm in which the Director holds a share.",
    )


@dataclass
class PracticePage:
    """The page's routes. They are given to the practice Slack before it starts; `show` then gives them the world.

    Attributes:
        token: what callers must show.
        place: the city.
    """

    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    place: Town = field(default_factory=town)
    _scene: World | None = None
    _moving: asyncio.Lock = field(default_factory=asyncio.Lock)

    def show(self, scene: World) -> str:
        """Let the page show a world that runs; gives the address to open."""
        self._scene = scene
        return page_url(scene.slack.url, self.token)

    @property
    def scene(self) -> World:
        """The world that is shown.

        Raises:
            CannotDo: it does not run yet.
        """
        if self._scene is None:
            raise CannotDo("The practice world is still starting.")
        return self._scene

    def routes(self) -> list[web.RouteDef]:
        """Give the page, the mail people's API and the record's."""
        mail = MailApi(self._mail, _correspondents(self.place), sample=_sample(self.place), token=self.token)
        table: tuple[tuple[str, str, Handler], ...] = (
            ("GET", f"{PREFIX}/record", self._record),
            ("POST", f"{PREFIX}/clock/{{step}}", self._move_clock),
        )
        own = [web.route(method, path, guarded(self.token, handler)) for method, path, handler in table]
        return [*page_routes(), *mail.routes(), *own]

    def _mail(self) -> PracticeMail:
        return self.scene.mail

    # -- what is recorded ---------------------------------------------------------------------------

    async def _record(self, request: web.Request) -> web.Response:
        """Give journal, cases, outbox and clock; with `seen` and `wait_s`, as soon as they differ from that."""
        scene, seen = self.scene, request.query.get("seen", "")
        until = time.monotonic() + min(float(request.query.get("wait_s", "0")), LONGEST_WAIT_S)
        while (mark := await asyncio.to_thread(_mark, scene)) == seen and time.monotonic() < until:  # noqa: ASYNC110  the record tells nobody when it changes
            await asyncio.sleep(_LOOK_EVERY_S)
        if mark == seen:
            return web.json_response({"mark": mark, "clock": await asyncio.to_thread(_clock, scene)})
        return web.json_response({"mark": mark, **await asyncio.to_thread(_recorded, scene)})

    # -- the clock ----------------------------------------------------------------------------------

    async def _move_clock(self, request: web.Request) -> web.Response:
        scene, step = self.scene, request.match_info["step"]
        async with self._moving:
            await asyncio.to_thread(_move, scene, step)
        return web.json_response({"clock": await asyncio.to_thread(_clock, scene)})


def _move(scene: World, step: str) -> None:
    """Let time pass.

    Raises:
        CannotDo: no such step, or no date lies ahead.
    """
    zone, calendar = _city(scene)
    today = local_date(scene.clock.now(), zone)
    match step:
        case "next-morning":
            _mornings_until(scene, today + timedelta(days=1), zone)
        case "next-working-day":
            _mornings_until(scene, next_open_day(today, calendar), zone)
        case "next-date":
            ahead = sorted(day for day in _days_that_matter(scene) if day > today)
            if not ahead:
                raise CannotDo("No case has a date ahead. The clock was not moved.")
            _mornings_until(scene, ahead[0], zone)
        case "few-minutes":
            scene.clock.advance(_FEW_MINUTES)
            scene.service.timetable.sweep_once()
        case other:
            raise CannotDo(f"The clock knows no step called {other}.")
    scene.service.timetable.wake()


def _mornings_until(scene: World, day: date, zone: ZoneInfo) -> None:
    """Go on to half past nine of a day; every morning on the way is lived through, so that none is left out."""
    while (today := local_date(scene.clock.now(), zone)) < day:
        morning = datetime.combine(today + timedelta(days=1), MORNING, zone)
        scene.clock.set_to(morning.astimezone(UTC))
        scene.service.timetable.sweep_once()
        scene.service.timetable.drain_once()


def _days_that_matter(scene: World) -> Iterator[date]:
    """Give each open step's day to act by, its last lawful day, and the day on which it is overdue."""
    for seen in _cases(scene):
        for step in seen.steps:
            if step.is_open and step.dates is not None:
                if step.act_by is not None:
                    yield step.act_by
                yield step.dates.expected_last_day
                yield step.dates.expected_last_day + timedelta(days=1)


# -- reading the record -------------------------------------------------------------------------------


def _city(scene: World) -> tuple[ZoneInfo, Calendar]:
    with scene.opened.docket.database.read() as session:
        profile, _digest = profile_in_force(session)
        return profile.city.time_zone, calendar_of(session, profile)


def _cases(scene: World) -> list[Look]:
    return visible_cases(scene.opened.docket, scene.actor("clerk"))


def _mark(scene: World) -> str:
    """Give a short text that differs once anything shown differs, the clock's ticking left out."""
    zone, _calendar = _city(scene)
    with scene.opened.docket.database.read() as session:
        seq, _hash = journal.head(session)
        outbox = [(one.id, one.state.value, one.tries) for one in waiting(session)]
    today = local_date(scene.clock.now(), zone)
    return f"{seq}/{hash(tuple(outbox))}/{today}/{len(scene.mail.letters)}"


def _recorded(scene: World) -> Json:
    docket = scene.opened.docket
    names = {scene.persons[one.key]: one.name for one in scene.town.cast}
    with docket.database.read() as session:
        entries = journal.newest(session, docket.keyring, _NEWEST)
        outbox = waiting(session)
        clauses = {one.id: one.citation for one in profile_in_force(session)[0].clauses}
    cases = _cases(scene)
    numbers = {seen.case.key: seen.case.number for seen in cases}
    return {
        "clock": _clock(scene),
        "journal": [_entry(one, names, clauses) for one in entries],
        "cases": [_case(seen) for seen in cases],
        "outbox": [_owed(one, numbers) for one in outbox],
    }


def _clock(scene: World) -> Json:
    zone, calendar = _city(scene)
    now = scene.clock.now()
    local = now.astimezone(zone)
    return {
        "at": now.isoformat(),
        "zone": zone.key,
        "city": scene.town.profile.city.name,
        "in_words": f"{local:%A} {local.day} {local:%B %Y}, {local:%H:%M}",
        "open": calendar.is_open(local.date()),
    }


def _entry(entry: journal.Entry, names: Mapping[int, str], clauses: Mapping[str, str]) -> Json:
    """Give an entry's header, which names nobody; the acting person's name is the practice roster's."""
    head = entry.header
    actor = head["actor"]
    return {
        "seq": entry.seq,
        "at": entry.at.isoformat(),
        "act": str(head["act"]),
        "clause": clauses.get(str(head["clause"]), ""),
        "case": str(head["case"]),
        "via": _WAYS.get(Via(str(head["via"])), ""),
        "refused": bool(head["refused"]),
        "by": names.get(actor, "") if isinstance(actor, int) else "",
        "hash": entry.hash,
    }


def _case(seen: Look) -> Json:
    return {"number": seen.case.number, "steps": [_step(seen, step) for step in seen.steps]}


def _step(seen: Look, step: Step) -> Json:
    dates = step.dates
    return {
        "key": step.key,
        "what": step.duty.what,
        "clause": seen.profile.clause(step.duty.clause).citation,
        "state": step.state.value,
        "act_by": dates.act_by_in_words if dates else "",
        "last_day": words.day(dates.expected_last_day) if dates else "",
        "overdue": bool(step.is_open and dates and dates.expected_last_day < seen.today),
        "provisional": step.provisional,
    }


def _owed(one: Waiting, numbers: dict[int, str]) -> Json:
    return {
        "id": one.id,
        "channel": one.channel.value,
        "kind": one.kind,
        "state": one.state.value,
        "case": numbers.get(one.case_id, "") if one.case_id is not None else "",
        "tries": one.tries,
        "next_try_at": one.next_try_at.isoformat() if one.next_try_at else "",
    }
