"""What a practice page shows of Docket's record: journal, dates, outbox and clock, as JSON. Read-only."""

import asyncio
import time
from collections.abc import Callable, Mapping
from zoneinfo import ZoneInfo

from aiohttp import web

from bot import words
from bot.practice.acts import CannotDo
from bot.practice.blocks_check import Json
from bot.practice.control import LONGEST_WAIT_S, guarded
from store import journal
from store.cases import Actor, Docket, Look, calendar_of, profile_in_force, roster_of, visible_cases
from store.outbox import Waiting, waiting
from store.rules.access import Via
from store.rules.calendar import Calendar
from store.rules.dates import local_date
from store.rules.duties import Step
from store.rules.facts import Role

PREFIX = "/practice/docket"
_LOOK_EVERY_S = 0.3
_NEWEST = 80
_WAYS = {Via.SLACK: "in Slack", Via.CLI: "on the command line"}


class RecordView:
    """The route under which a page asks for the record, and waits until it changes.

    Args:
        docket: gives the record once it is open; it may refuse with `CannotDo` until then.
        token: what callers must show.
        letters: how many letters have arrived in inboxes that the page shows.
        moves: whether the page may move the city's clock.
    """

    def __init__(
        self, docket: Callable[[], Docket], *, token: str, letters: Callable[[], int], moves: bool
    ) -> None:
        """Prepare; nothing is asked of the record yet."""
        self._docket = docket
        self._token = token
        self._letters = letters
        self._moves = moves

    def routes(self) -> list[web.RouteDef]:
        """Give the one route, behind the check of the token."""
        return [web.get(f"{PREFIX}/record", guarded(self._token, self._record))]

    async def _record(self, request: web.Request) -> web.Response:
        """Give journal, cases, outbox and clock; with `seen` and `wait_s`, as soon as they differ from that."""
        docket, seen = self._docket(), request.query.get("seen", "")
        until = time.monotonic() + min(float(request.query.get("wait_s", "0")), LONGEST_WAIT_S)
        while (mark := await asyncio.to_thread(self._mark, docket)) == seen and time.monotonic() < until:  # noqa: ASYNC110  the record tells nobody when it changes
            await asyncio.sleep(_LOOK_EVERY_S)
        shown = {
            "mark": mark,
            "clock": {**await asyncio.to_thread(clock_shown, docket), "moves": self._moves},
        }
        more = await asyncio.to_thread(_recorded, docket) if mark != seen else {}
        return web.json_response({**shown, **more})

    def _mark(self, docket: Docket) -> str:
        """Give a short text that differs once anything shown differs, the clock's ticking left out."""
        zone, _calendar = city_of(docket)
        with docket.database.read() as session:
            seq, _hash = journal.head(session)
            outbox = [(one.id, one.state.value, one.tries) for one in waiting(session)]
        today = local_date(docket.clock.now(), zone)
        return f"{seq}/{hash(tuple(outbox))}/{today}/{self._letters()}"


def city_of(docket: Docket) -> tuple[ZoneInfo, Calendar]:
    """Give the city's zone and calendar."""
    with docket.database.read() as session:
        profile, _digest = profile_in_force(session)
        return profile.city.time_zone, calendar_of(session, profile)


def cases_of(docket: Docket) -> list[Look]:
    """Give the cases as the clerk sees them.

    Raises:
        CannotDo: nobody is clerk.
    """
    zone, _calendar = city_of(docket)
    with docket.database.read() as session:
        clerks = roster_of(docket, session).with_role(Role.CLERK, local_date(docket.clock.now(), zone))
    if not clerks:
        raise CannotDo("Nobody is clerk today, so no case can be shown. See: docket roster.")
    return visible_cases(docket, Actor(clerks[0], Via.SLACK))


def clock_shown(docket: Docket) -> Json:
    """Give the city's clock as the page shows it."""
    zone, calendar = city_of(docket)
    with docket.database.read() as session:
        city = profile_in_force(session)[0].city.name
    now = docket.clock.now()
    local = now.astimezone(zone)
    return {
        "at": now.isoformat(),
        "zone": zone.key,
        "city": city,
        "in_words": f"{local:%A} {local.day} {local:%B %Y}, {local:%H:%M}",
        "open": calendar.is_open(local.date()),
    }


def _recorded(docket: Docket) -> Json:
    with docket.database.read() as session:
        entries = journal.newest(session, docket.keyring, _NEWEST)
        outbox = waiting(session)
        names = {person: one.name for person, one in roster_of(docket, session).members.items()}
        clauses = {one.id: one.citation for one in profile_in_force(session)[0].clauses}
    cases = cases_of(docket)
    numbers = {seen.case.key: seen.case.number for seen in cases}
    return {
        "journal": [_entry(one, names, clauses) for one in entries],
        "cases": [_case(seen) for seen in cases],
        "outbox": [_owed(one, numbers) for one in outbox],
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
