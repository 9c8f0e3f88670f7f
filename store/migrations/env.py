"""Alembic's entry: migrate the engine that was handed in, in one transaction."""

from alembic import context
from sqlmodel import SQLModel

import store.tables  # noqa: F401  the tables register themselves

engine = context.config.attributes["engine"]

with engine.execution_options(docket_write=True).connect() as connection:
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        transactional_ddl=True,
        render_as_batch=False,
    )
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
