"""Lists of cases, read from their lines: just what a person may see, counted and by the page (B2, C2).

Who may see a line is asked of the access table itself, for each way in which a case can stand to him; what
comes of it is the condition of the query. So a list shows what `look` would let him see, and counts no more.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import combinations, product
from typing import Any, assert_never

import sqlalchemy as sa
from sqlmodel import Session

from store.cases.lines import LINES, STANDING
from store.cases.record import Actor, Docket, calendar_of, profile_in_force, profile_of, roster_of
from store.cases.rights import standing_of
from store.database import RecordUnavailable
from store.rules import access
from store.rules.access import Deed, Situation, Standing
from store.rules.calendar import Calendar
from store.rules.dates import local_date
from store.rules.docket_line import How
from store.rules.duties import DueList, list_on
from store.rules.facts import Role
from store.rules.spoken import spoken
from store.rules.stages import Aside, Stage
from store.tables import CaseRow, Due

_CASES: sa.Table = CaseRow.__table__  # type: ignore[attr-defined]  # set by SQLModel for each table
_DUE: sa.Table = Due.__table__  # type: ignore[attr-defined]
_SOON = 7
_AT_ONCE = 500
_FEW = 200
_BY_URGENCY = (DueList.OVERDUE, DueList.PAST_SAFE_DAY, DueList.DUE_TODAY, DueList.DUE_SOON)
_ORDER = (*_BY_URGENCY, DueList.LATER)
_OF_RIGHTS = (How.WALLED, How.RECUSED, How.SEATED, How.CLEARED)

Condition = sa.ColumnElement[bool]


class Listing(StrEnum):
    """Which cases a list is of."""

    ALL = "all"
    NOT_CLOSED = "not closed"
    WORKING = "with an open step"
    TO_REFER = "waits to be referred"
    TO_SCREEN = "waits for somebody to say who is named"
    TO_CHECK_FORM = "waits for its form to be decided, or decided anew"
    FAILED_LETTERS = "with a letter that failed"
    TO_VOTE = "waits for the person's vote"


class Order(StrEnum):
    """In which order a list is."""

    NEWEST = "newest first"
    NEXT_DATE = "by the next date"


@dataclass(frozen=True, slots=True)
class Pending:
    """The most urgent open step of a case: its key, what it is in words, its list today, and its two days."""

    step: str
    what: str
    list: DueList
    act_by: date | None
    last_day: date | None


@dataclass(frozen=True, slots=True)
class Listed:
    """A case in a list.

    Attributes:
        key: its internal key.
        number: its number.
        received_at: the instant by which it was numbered, UTC.
        profile_hash: the profile that it is pinned to.
        stage: where it stands.
        asides: what else is true of it.
    """

    key: int
    number: str
    received_at: datetime
    profile_hash: str
    stage: Stage
    asides: tuple[Aside, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a list.

    Attributes:
        cases: the cases of this page.
        total: how many the whole list has.
        number: which page it is, from 0; one that was asked for beyond the last is the last.
        pages: how many there are; at least one.
    """

    cases: tuple[Listed, ...]
    total: int
    number: int
    pages: int


def page_of(
    docket: Docket,
    actor: Actor,
    listing: Listing,
    *,
    deed: Deed = Deed.SEE_CASE,
    order: Order = Order.NEWEST,
    page: int = 0,
    most: int = 20,
) -> Page:
    """Give one page of a list of the cases that somebody may see, or do something with.

    Args:
        docket: the record.
        actor: who asks.
        listing: which cases.
        deed: what he must be allowed to do with them.
        order: in which order.
        page: which page, from 0.
        most: how many cases a page.
    """
    with docket.database.read() as session:
        listed, sight = _listed(listing, actor), _sight(docket, session, actor, deed)
        total = _count(session, listed, sight)
        pages = max(1, -(-total // most))
        number = max(0, min(page, pages - 1))
        wanted = sa.and_(listed, sight.condition)
        cases = _rows(session, wanted, order, skip=number * most, most=most) if total else ()
    return Page(cases, total, number, pages)


def visible_keys(docket: Docket, actor: Actor, listing: Listing = Listing.ALL) -> list[int]:
    """Give the internal keys of all cases of a list that somebody may see, newest first."""
    with docket.database.read() as session:
        sight = _sight(docket, session, actor, Deed.SEE_CASE)
        return _keys(session, sa.and_(_listed(listing, actor), sight.condition))


def _keys(session: Session, wanted: Condition, most: int | None = None) -> list[int]:
    statement = sa.select(LINES.c.case_id).where(wanted).order_by(LINES.c.case_id.desc()).limit(most)
    return list(session.connection().execute(statement).scalars())


def _count(session: Session, listed: Condition, sight: "_Sight") -> int:
    """Count the lines of a list that are seen: all that anybody of that standing sees, with his own taken out."""

    def count(*wanted: Condition) -> int:
        statement = sa.select(sa.func.count()).select_from(LINES).where(*wanted)
        return int(session.connection().execute(statement).scalar_one())

    total = 0
    for held, states in sight.terms.items():
        if held:
            total += count(listed, sight.term(held))
            continue
        total += count(listed, _as_states(states))
        if sight.counting:
            # his own cases are few: they are found by him, and no index on lists is to be taken for them
            inside = sa.case((sa.and_(listed, _as_states(states)), 1), else_=0) == 1
            total -= count(sight.own, inside)
    return total


def _rows(session: Session, wanted: Condition, order: Order, *, skip: int, most: int) -> tuple[Listed, ...]:
    by = (LINES.c.case_id.desc(),) if order is Order.NEWEST else (LINES.c.next_on, LINES.c.case_id)
    # the page is found in the lines alone, and only its cases are read
    keys = sa.select(LINES.c.case_id).where(wanted).order_by(*by).limit(most).offset(skip).subquery()
    statement = (
        sa.select(_CASES.c.id, _CASES.c.number, _CASES.c.received_at, _CASES.c.profile_hash)
        .add_columns(LINES.c.stage, LINES.c.asides)
        .select_from(keys.join(LINES, LINES.c.case_id == keys.c.case_id))
        .join(_CASES, _CASES.c.id == LINES.c.case_id)
        .order_by(*by)
    )
    return tuple(_parse(row) for row in session.connection().execute(statement))


def _parse(row: Sequence[Any]) -> Listed:
    key, number, received_at, profile_hash, stage, asides = row
    try:
        told = Stage(stage), tuple(Aside(one) for one in asides.split(",") if one)
    except ValueError as error:
        raise RecordUnavailable(
            "A line of the docket was damaged. The record is safe, the list cannot be shown. "
            "Run docket reindex, which writes the lines anew."
        ) from error
    return Listed(key, number, received_at, profile_hash, *told)


def _listed(listing: Listing, actor: Actor) -> Condition:  # noqa: PLR0911  one arm a list
    match listing:
        case Listing.ALL:
            return sa.true()
        case Listing.NOT_CLOSED:
            return LINES.c.stage != Stage.CLOSED.value
        case Listing.WORKING:
            return LINES.c.working.is_(sa.true())
        case Listing.TO_REFER:
            return LINES.c.to_refer.is_(sa.true())
        case Listing.TO_SCREEN:
            return LINES.c.to_screen.is_(sa.true())
        case Listing.TO_CHECK_FORM:
            return LINES.c.to_check_form.is_(sa.true())
        case Listing.FAILED_LETTERS:
            return LINES.c.failed_letters > 0
        case Listing.TO_VOTE:
            return _stands(How.TO_VOTE, {actor.person})
        case _:
            assert_never(listing)


# -- what is due --------------------------------------------------------------------------------------


def most_urgent(docket: Docket, actor: Actor, most: int) -> list[int]:
    """Give the cases that somebody may see and that have a step due soon or past, the most urgent first.

    Whoever shows the steps that are most urgent finds the first `most` of them in these cases.

    Args:
        docket: the record.
        actor: who asks.
        most: how many cases at most.
    """
    found: dict[int, None] = {}
    with docket.database.read() as session:
        today, calendar = _today(docket, session)
        listed, sight = _listed(Listing.WORKING, actor), _sight(docket, session, actor, Deed.SEE_CASE)
        keys = _keys(session, sa.and_(listed, sight.condition), most=max(most, _FEW) + 1)
        if len(keys) <= max(most, _FEW):
            # who sees few is not looked for among the dates of all
            return _urgent_of(_open_dates(session, keys, today), today, calendar)[:most]
        seen = sa.exists().where(LINES.c.case_id == _DUE.c.case_id, sight.condition)
        for due in _BY_URGENCY:
            _take(session, due, sa.and_(*_in_list(due, today, calendar), seen), found, most)
    return list(found)[:most]


def _take(session: Session, due: DueList, wanted: Condition, found: dict[int, None], most: int) -> None:
    """Add the cases of the rows that are wanted until there are enough: the longest overdue, or the next, first."""
    day = _DUE.c.overdue_after if due is DueList.OVERDUE else _DUE.c.remind_on
    statement = sa.select(_DUE.c.case_id).where(wanted).order_by(day, _DUE.c.case_id)
    skip = 0
    while len(found) < most:
        page = list(session.connection().execute(statement.limit(_AT_ONCE).offset(skip)).scalars())
        found.update(dict.fromkeys(page))
        skip += _AT_ONCE
        if len(page) < _AT_ONCE:
            return


def _urgent_of(rows: Iterable[sa.RowMapping], today: date, calendar: Calendar) -> list[int]:
    """Give the cases of some open dates that are due soon or past, in the order of `_take`."""
    ranked = []
    for row in rows:
        due = list_on(row["remind_on"], row["overdue_after"], today, calendar)
        if due in _BY_URGENCY:
            day = row["overdue_after"] if due is DueList.OVERDUE else row["remind_on"]
            ranked.append((_BY_URGENCY.index(due), day, row["case_id"]))
    return list(dict.fromkeys(key for _due, _day, key in sorted(ranked)))


def _open_dates(session: Session, keys: Iterable[int], today: date) -> list[sa.RowMapping]:
    """Give the dates of the open steps of some cases, in the order in which they came to be."""
    statement = sa.select(_DUE).where(_DUE.c.case_id.in_(list(keys))).order_by(_DUE.c.id)
    return [
        row
        for row in session.connection().execute(statement).mappings()
        if not row["settled"] and (row["keep_open_until"] is None or row["keep_open_until"] >= today)
    ]


def _in_list(due: DueList, today: date, calendar: Calendar) -> tuple[Condition, ...]:
    """Give the condition that a step stands in a list today; `list_on` says the same of one step."""
    settled, act_by, last = _DUE.c.settled, _DUE.c.remind_on, _DUE.c.overdue_after
    still_open = settled.is_(sa.false())
    not_lapsed = sa.or_(_DUE.c.keep_open_until.is_(None), _DUE.c.keep_open_until >= today)
    match due:
        case DueList.OVERDUE:
            return still_open, last < today, not_lapsed
        case DueList.PAST_SAFE_DAY:
            return still_open, act_by < today, last >= today, not_lapsed
        case DueList.DUE_TODAY:
            return still_open, act_by == today, not_lapsed
        case DueList.DUE_SOON:
            return still_open, act_by > today, act_by <= _soon_until(today, calendar), not_lapsed
        case DueList.LATER:
            return still_open, sa.or_(act_by.is_(None), act_by > _soon_until(today, calendar)), not_lapsed
        case _:
            assert_never(due)


def _soon_until(today: date, calendar: Calendar) -> date:
    """Give the last day that counts as soon: up to the eve of the eighth working day."""
    day, left = today, _SOON
    while True:
        day += timedelta(days=1)
        if calendar.is_open(day):
            left -= 1
        if left < 0:
            return day - timedelta(days=1)


def pending(docket: Docket, cases: Iterable[Listed]) -> Mapping[int, Pending]:
    """Give the most urgent open step of each case that has one; the cases are those of a list."""
    hashes = {one.key: one.profile_hash for one in cases}
    with docket.database.read() as session:
        today, calendar = _today(docket, session)
        places = {
            digest: {
                duty.id: (place, duty.what) for place, duty in enumerate(profile_of(session, digest).duties)
            }
            for digest in set(hashes.values())
        }
        rows = _open_dates(session, hashes, today)
    best: dict[int, tuple[tuple[int, date, int], Pending]] = {}
    for row in rows:
        due = list_on(row["remind_on"], row["overdue_after"], today, calendar)
        place, what = places[hashes[row["case_id"]]].get(row["duty"], (len(rows), spoken(row["duty"])))
        rank = (_ORDER.index(due), row["remind_on"] or date.max, place)
        if row["case_id"] not in best or rank < best[row["case_id"]][0]:
            step = Pending(row["step"], what, due, row["remind_on"], row["expected_last_day"])
            best[row["case_id"]] = rank, step
    return {key: step for key, (_rank, step) in best.items()}


def _today(docket: Docket, session: Session) -> tuple[date, Calendar]:
    profile, _digest = profile_in_force(session)
    return local_date(docket.clock.now(), profile.city.time_zone), calendar_of(session, profile)


# -- who may see --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Sight:
    """Which lines somebody sees.

    Attributes:
        terms: for each way in which a case can stand to him, the (screened, final) in which he sees it.
        counting: the ways that occur in his cases and make a difference to him.
        persons: by whose id a case stands so to him.
    """

    terms: Mapping[frozenset[How], frozenset[tuple[bool, bool]]]
    counting: tuple[How, ...]
    persons: Mapping[How, set[int | None]]

    @property
    def condition(self) -> Condition:
        """The condition that he sees a line."""
        return sa.or_(sa.false(), *(self.term(held) for held in self.terms))

    def term(self, held: frozenset[How]) -> Condition:
        """The condition that a case stands just so to him, and that he sees it."""
        ways = (_stands(how, self.persons[how], yes=how in held) for how in self.counting)
        return sa.and_(_as_states(self.terms[held]), *ways)

    @property
    def own(self) -> Condition:
        """The condition that a case stands in any of these ways to him."""
        ways = (sa.and_(*_of(how, self.persons[how])) for how in self.counting)
        return LINES.c.case_id.in_(sa.select(STANDING.c.case_id).where(sa.or_(*ways)))


def _sight(docket: Docket, session: Session, actor: Actor, deed: Deed) -> _Sight:
    """Work out with which cases somebody may do something."""
    today, _calendar = _today(docket, session)
    standing = standing_of(actor, roster_of(docket, session), today)
    persons = {how: _persons(actor, how) for how in _OF_RIGHTS}
    counting = tuple(
        how for how in _OF_RIGHTS if _hangs_on(deed, standing, how) and _is_ever(session, how, persons[how])
    )
    terms = {held: states for held in _subsets(counting) if (states := _states(deed, standing, held))}
    return _Sight(terms, counting, persons)


def _persons(actor: Actor, how: How) -> set[int | None]:
    """Give by whose id a case stands so to somebody: a deputy is walled off for himself and for whom he acts."""
    acts_as = actor.acting_for if actor.acting_for is not None else actor.person
    return {acts_as} if how is How.CLEARED else {actor.person, actor.acting_for}


def _subsets(of: Sequence[How]) -> list[frozenset[How]]:
    return [frozenset(some) for size in range(len(of) + 1) for some in combinations(of, size)]


@lru_cache(maxsize=1024)
def _states(deed: Deed, standing: Standing, held: frozenset[How]) -> frozenset[tuple[bool, bool]]:
    """Give (screened, final) of the cases that the access table opens to somebody to whom they stand so."""
    return frozenset(
        (screened, final)
        for screened, final in product((False, True), repeat=2)
        if access.may(
            deed,
            standing,
            Situation(
                screened=screened,
                walled=How.WALLED in held,
                recused=How.RECUSED in held,
                final=final,
                seated=How.SEATED in held,
                intake_cleared=Role.CLERK in standing.roles or How.CLEARED in held,
            ),
        )
    )


def _hangs_on(deed: Deed, standing: Standing, how: How) -> bool:
    """Say whether it makes any difference to somebody's right."""
    return any(
        _states(deed, standing, held) != _states(deed, standing, held | {how})
        for held in _subsets(_OF_RIGHTS)
    )


def _is_ever(session: Session, how: How, persons: set[int | None]) -> bool:
    """Say whether any case stands so to somebody: most people are walled off from none."""
    found = sa.select(STANDING.c.case_id).where(*_of(how, persons)).limit(1)
    return session.connection().execute(found).first() is not None


def _stands(how: How, persons: set[int | None], *, yes: bool = True) -> Condition:
    keys = sa.select(STANDING.c.case_id).where(*_of(how, persons))
    return LINES.c.case_id.in_(keys) if yes else LINES.c.case_id.not_in(keys)


def _of(how: How, persons: set[int | None]) -> tuple[Condition, ...]:
    known = sorted(person for person in persons if person is not None)
    return STANDING.c.person_id.in_(known), STANDING.c.how == how.value


def _as_states(states: frozenset[tuple[bool, bool]]) -> Condition:
    """Give the condition that a line is in one of some states, in the fewest words."""
    if len(states) == 4:  # noqa: PLR2004  both, whatever they are
        return sa.true()
    for column, place in ((LINES.c.screened, 0), (LINES.c.final, 1)):
        for wanted in (True, False):
            if states == {one for one in product((False, True), repeat=2) if one[place] is wanted}:
                return column.is_(sa.true() if wanted else sa.false())
    return sa.or_(
        *(
            sa.and_(
                LINES.c.screened.is_(sa.true() if screened else sa.false()),
                LINES.c.final.is_(sa.true() if final else sa.false()),
            )
            for screened, final in sorted(states)
        )
    )
