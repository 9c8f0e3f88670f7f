"""A record of each earlier schema is brought to this one: kept aside, in one transaction, nothing lost (R4)."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlmodel import SQLModel

from store.cases import MACHINE, Listing, open_docket, page_of, verify
from store.copying import counts, opened_copy
from store.database import Database, RecordUnavailable, connect, head_revision, migrate, revision
from store.ports import Progress, untold
from store.printing import PressRoom
from store.proceedings import recusal
from store.vault import KeysFault
from tests.proceedings.builders import KEY, PROFILE, Board
from tests.store.earlier_schemas import EARLIER, take_back

OTHER_KEY = "1" * 43 + "="


def _shape(database: Database) -> Mapping[str, object]:
    """Give every table with its columns and indexes."""
    with database.engine.connect() as connection:
        asked = sa.inspect(connection)
        return {
            table: (
                [(one["name"], str(one["type"]), one["nullable"]) for one in asked.get_columns(table)],
                sorted((str(one["name"]), tuple(one["column_names"])) for one in asked.get_indexes(table)),
                sorted(str(one["name"]) for one in asked.get_foreign_keys(table)),
            )
            for table in sorted(asked.get_table_names())
        }


def _held(database: Database) -> dict[str, int]:
    with database.engine.connect() as connection:
        return counts(connection)


@pytest.fixture(params=EARLIER)
def schema(request: pytest.FixtureRequest) -> str:
    """Each schema that an earlier Docket wrote."""
    return str(request.param)


@pytest.fixture
def earlier(either: Board, tmp_path: Path, schema: str) -> Board:
    """A record of an earlier schema, with cases at several stages and somebody who stepped back."""
    number, track = either.served_case()
    either.ballot(number, track, either.meeting())
    recusal.recuse(either.docket, either.members[1], either.case())
    either.case(proper=False, screened=False)
    take_back(either.docket.database, schema)
    if either.docket.database.is_sqlite:
        made_so = connect(f"sqlite:///{tmp_path}/made-so.sqlite3")
        migrate(made_so, to=schema)
        assert _shape(made_so) == _shape(either.docket.database)
        made_so.engine.dispose()
    return either


def _open(board: Board, press: PressRoom, *, key: str = KEY, told: Progress = untold) -> Board:
    docket = open_docket(
        board.docket.database.engine.url.render_as_string(hide_password=False),
        data=board.docket.vault.root.parent,
        keys=(key,),
        clock=board.clock,
        typesetter=press,
        profile=PROFILE,
        mail_from="board@bramwell-ky.example",
        told=told,
    )
    return Board(docket, board.clock)


def test_a_record_of_an_earlier_schema_gets_its_lines_from_its_facts_and_loses_nothing(
    earlier: Board, press: PressRoom
) -> None:
    before, heard = _held(earlier.docket.database), list[tuple[str, int, int]]()
    again = _open(earlier, press, told=lambda *one: heard.append(one))
    assert revision(again.docket.database) == head_revision()
    after = _held(again.docket.database)
    assert {name: after[name] for name in before} == before
    assert after["docket_line"] == 3
    assert heard[-1] == ("docket lines", 3, 3)
    assert page_of(again.docket, again.clerk, Listing.WORKING).total == 3
    assert page_of(again.docket, again.members[1], Listing.WORKING).total == 1
    assert page_of(again.docket, again.clerk, Listing.TO_SCREEN).total == 1
    assert verify(again.docket, MACHINE) is None
    again.case()
    assert verify(again.docket, MACHINE) is None
    again.docket.database.engine.dispose()


def test_the_record_lies_aside_as_it_was_before_its_schema_changed(
    earlier: Board, press: PressRoom, schema: str
) -> None:
    before = _held(earlier.docket.database)
    _open(earlier, press).docket.database.engine.dispose()
    (copy,) = (earlier.docket.vault.root.parent / "before-migration").iterdir()
    with opened_copy(copy) as found:
        assert revision(found) == schema
        assert _held(found) == before


def test_a_migration_that_breaks_off_or_has_the_wrong_keys_changes_nothing(
    earlier: Board, press: PressRoom, schema: str
) -> None:
    database = earlier.docket.database
    before, shape = _held(database), _shape(database)

    def break_off(_what: str, done: int, _total: int) -> None:
        if done == 2:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        _open(earlier, press, told=break_off)
    with pytest.raises(KeysFault):
        _open(earlier, press, key=OTHER_KEY)
    assert (revision(database), _held(database), _shape(database)) == (schema, before, shape)
    again = _open(earlier, press)
    assert verify(again.docket, MACHINE) is None
    again.docket.database.engine.dispose()


def test_a_migration_that_is_begun_again_finds_its_own_copy_and_lays_no_second_one_beside_it(
    earlier: Board, press: PressRoom, schema: str
) -> None:
    folder = earlier.docket.vault.root.parent / "before-migration"
    for _try in range(3):
        with pytest.raises(KeysFault):
            _open(earlier, press, key=OTHER_KEY)
        earlier.clock.advance(timedelta(hours=1))
    (first,) = folder.iterdir()
    with earlier.docket.database.engine.begin() as connection:
        connection.execute(sa.text("UPDATE outbox SET tries = tries + 1"))
    _open(earlier, press).docket.database.engine.dispose()
    assert len(list(folder.iterdir())) == 2
    with opened_copy(first) as found:
        assert revision(found) == schema


def test_a_copy_that_was_opened_before_another_version_changed_the_schema_writes_nothing_more(
    either: Board,
) -> None:
    """It does not know what the other version keeps beside the facts, and would leave that out."""
    number = either.case()
    facts = either.file(number).facts
    _pretend(either, "9999")
    with pytest.raises(RecordUnavailable, match=r"Another version of Docket.*this act was not done"):
        either.respondent(number)
    _pretend(either, head_revision())
    assert either.file(number).facts == facts
    either.respondent(number)
    assert verify(either.docket, MACHINE) is None


def _pretend(board: Board, version: str) -> None:
    with board.docket.database.engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = :one"), {"one": version})


def test_a_new_record_has_the_tables_that_the_code_knows(either: Board) -> None:
    known = {
        name: (
            sorted((one.name, one.nullable) for one in table.columns),
            sorted(str(one.name) for one in table.indexes),
        )
        for name, table in SQLModel.metadata.tables.items()
    }
    with either.docket.database.engine.connect() as connection:
        asked = sa.inspect(connection)
        made = {
            name: (
                sorted((one["name"], one["nullable"]) for one in asked.get_columns(name)),
                sorted(
                    str(one["name"])
                    for one in asked.get_indexes(name)
                    if not one.get("duplicates_constraint")
                ),
            )
            for name in asked.get_table_names()
            if name != "alembic_version"
        }
    assert made == known
