"""Alembic's entry: migrate the engine that was handed in, in one transaction."""

from alembic import context
from sqlmodel import SQLModel

import store.tables  # noqa: F401  the tables register themselves
from store.database import take_write_lock

engine = context.config.attributes["engine"]

with engine.execution_options(docket_write=True).connect() as connection:
    # two copies that start together on an empty database: the second waits, and finds it done
    take_write_lock(connection)
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        transactional_ddl=True,
        render_as_batch=False,
    )
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
