"""The PostgreSQL that other tests stand on."""

import psycopg
import pytest

from tests.contract.postgres import PostgresServer

pytestmark = [pytest.mark.contract, pytest.mark.needs("postgresql")]


def _connect(url: str) -> psycopg.Connection:
    return psycopg.connect(url.replace("postgresql+psycopg:", "postgresql:"))


def test_each_test_has_an_empty_database_of_a_version_that_we_support(postgres_url: str) -> None:
    with _connect(postgres_url) as connection:
        version = connection.info.server_version
        tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    assert version >= 150000
    assert tables == (0,)


def test_what_one_database_holds_another_does_not_see(
    postgres_server: PostgresServer, postgres_url: str
) -> None:
    other = postgres_server.new_database()
    with _connect(postgres_url) as connection:
        connection.execute("CREATE TABLE paper (id int)")
    with _connect(other) as connection, pytest.raises(psycopg.errors.UndefinedTable):
        connection.execute("SELECT * FROM paper")
    postgres_server.drop_database(other)


def test_a_database_is_dropped_though_somebody_is_still_connected(postgres_server: PostgresServer) -> None:
    url = postgres_server.new_database()
    with _connect(url) as connection:
        connection.execute("SELECT 1")
        postgres_server.drop_database(url)
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
