"""Before a schema is changed the database is copied aside, and no change may lose a row (R4)."""

import sqlalchemy as sa

from store.copying import counts, keep_before_migration, lost_rows, opened_copy
from store.database import head_revision, revision
from tests.proceedings.builders import Board


def test_the_copy_before_a_migration_is_the_whole_database_for_its_owner_alone(either: Board) -> None:
    either.served_case()
    database, data = either.docket.database, either.docket.vault.root.parent
    copy = keep_before_migration(database, data, head_revision(), either.clock.now())
    with opened_copy(copy) as found, found.engine.connect() as there, database.engine.connect() as here:
        assert counts(there) == counts(here)
        assert revision(found) == head_revision()
        bodies = sa.text("SELECT id, kind, entry, body FROM fact ORDER BY id")
        assert [tuple(row) for row in there.execute(bodies)] == [
            (key, kind, entry, bytes(body)) for key, kind, entry, body in here.execute(bodies)
        ]
    assert copy.stat().st_mode & 0o077 == 0
    assert copy.parent.stat().st_mode & 0o077 == 0


def test_a_table_that_shrank_or_is_gone_is_named_and_new_ones_are_not() -> None:
    assert lost_rows({"fact": 3, "due": 2, "gone": 0}, {"fact": 2, "due": 2, "new": 1}) == ["fact"]
    assert lost_rows({"gone": 1}, {}) == ["gone"]
    assert lost_rows({"fact": 3}, {"fact": 3}) == []
