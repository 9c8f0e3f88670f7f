"""Alembic's entry: migrate the engine that was handed in, in one transaction."""

from alembic import context
from sqlmodel import Session, SQLModel

import store.tables  # noqa: F401  the tables register themselves
from store.copying import counts, lost_rows
from store.database import RecordUnavailable, take_write_lock

engine = context.config.attributes["engine"]

with engine.execution_options(docket_write=True).connect() as connection:
    # two copies that start together on an empty database: the second waits, and finds it done
    take_write_lock(connection)
    before = counts(connection)
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        transactional_ddl=True,
        render_as_batch=False,
    )
    with context.begin_transaction():
        context.run_migrations()
        fill = context.config.attributes.get("fill")
        if fill is not None:
            with Session(bind=connection, expire_on_commit=False) as session:
                fill(session)
                session.flush()
    lost = lost_rows(before, counts(connection))
    if lost:
        connection.rollback()
        raise RecordUnavailable(
            f"The new schema would hold fewer rows of {', '.join(lost)} than the old one. Nothing was changed; "
            "go on with the version that you had, and report this."
        )
    connection.commit()
