"""What the practice page shows of Docket's record, and how it moves the city's clock: a small JSON API.

The page is a client of this, of the mail people's and of the practice Slack's API; all three stand on one
loopback address behind one token and the same Host and Origin checks. Read-only but for the clock.
"""

import asyncio
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from datetime import time as hour
from zoneinfo import ZoneInfo

from aiohttp import web

from bot.cli.record_view import PREFIX, RecordView, cases_of, city_of, clock_shown
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
from bot.practice.control import guarded
from bot.practice.mail_api import Correspondent, MailApi, Sample
from bot.practice.mailserver import PracticeMail
from bot.practice.pages import page_routes, page_url
from store.rules.calendar import next_open_day
from store.rules.dates import local_date

MORNING = hour(9, 30)
_FEW_MINUTES = timedelta(minutes=6)


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
        record = RecordView(
            lambda: self.scene.opened.docket,
            token=self.token,
            letters=lambda: len(self.scene.mail.letters),
            moves=True,
        )
        clock = web.post(f"{PREFIX}/clock/{{step}}", guarded(self.token, self._move_clock))
        return [*page_routes(), *mail.routes(), *record.routes(), clock]

    def _mail(self) -> PracticeMail:
        return self.scene.mail

    # -- the clock ----------------------------------------------------------------------------------

    async def _move_clock(self, request: web.Request) -> web.Response:
        scene, step = self.scene, request.match_info["step"]
        async with self._moving:
            await asyncio.to_thread(_move, scene, step)
        return web.json_response({"clock": await asyncio.to_thread(clock_shown, scene.opened.docket)})


def _move(scene: World, step: str) -> None:
    """Let time pass.

    Raises:
        CannotDo: no such step, or no date lies ahead.
    """
    zone, calendar = city_of(scene.opened.docket)
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
    for seen in cases_of(scene.opened.docket):
        for step in seen.steps:
            if step.is_open and step.dates is not None:
                if step.act_by is not None:
                    yield step.act_by
                yield step.dates.expected_last_day
                yield step.dates.expected_last_day + timedelta(days=1)
