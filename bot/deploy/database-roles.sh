#!/bin/sh
# Run once by the database's container when its folder is new: makes the role that Docket works under.
set -eu
psql -v ON_ERROR_STOP=1 -v word="$(cat /run/secrets/docket_password)" \
    --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE docket LOGIN PASSWORD :'word' NOSUPERUSER NOCREATEDB NOCREATEROLE;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
SQL
