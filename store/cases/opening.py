"""Opening the record: schema, keys, and the ordinance profile in force."""

from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

from store import journal
from store.cases.acts import Act
from store.cases.record import IN_FORCE, MACHINE, Docket, hash_in_force
from store.cases.reindexing import fill
from store.copying import keep_before_migration
from store.database import (
    Database,
    RecordUnavailable,
    beat,
    connect,
    heartbeats,
    is_blank,
    look_again,
    migrate,
)
from store.ports import Clock, FaultPoints, NoFaults, Progress, Typesetter, untold
from store.rules.access import Deed
from store.rules.ordinance import parse_profile, profile_hash
from store.tables import (
    AdoptedProfile,
)
from store.vault import Keyring, Vault, city_keys

TEST_MARK = "test-mode"


def open_docket(
    url: str,
    *,
    data: Path,
    keys: tuple[str, ...],
    clock: Clock,
    typesetter: Typesetter,
    profile: str,
    mail_from: str,
    faults: FaultPoints | None = None,
    undo_for: timedelta = timedelta(minutes=5),
    practice: bool = False,
    alert_to: tuple[str, ...] = (),
    plus_addresses: bool = True,
    test: bool = False,
    told: Progress = untold,
) -> Docket:
    """Open the record: bring its schema up, prove the keys, adopt the profile when it is new.

    Args:
        url: the database.
        data: the folder that holds the vault.
        keys: the city's keys, newest first.
        clock: the present instant.
        typesetter: sets letters.
        profile: the text of the ordinance profile in force.
        mail_from: the Board's own address.
        faults: for kill tests.
        undo_for: how long a letter can be taken back.
        practice: a record for practice.
        alert_to: who is told by mail of alarms.
        plus_addresses: answers and bounces come to addresses with a token.
        test: the record of the test mode; a real one is not opened with it, nor the other way round.
        told: hears how far it is with an older record's migration.

    Raises:
        KeysFault: no key, or not the keys of this record.
        RecordUnavailable: the database does not answer.
        BadInput: the profile cannot be used.
    """
    parse_profile(profile)
    with ExitStack() as undo:
        database = connect(url, faults)
        undo.callback(database.engine.dispose)
        keyring = Keyring(city_keys(keys))
        _refuse_an_orphaned_vault(database, data)
        docket = Docket(
            database,
            Vault(data / "vault", keyring),
            clock,
            typesetter,
            mail_from,
            faults or NoFaults(),
            undo_for,
            practice,
            alert_to,
            plus_addresses,
            test,
        )
        migrate(
            database,
            before=lambda earlier: keep_before_migration(database, data, earlier, clock.now()),
            fill=lambda session: fill(docket, session, told),
        )
        with database.write() as session:
            keyring.prepare(session)
        _keep_apart(docket)
        _adopt_profile(docket, profile)
        undo.pop_all()
    return docket


def _refuse_an_orphaned_vault(database: Database, data: Path) -> None:
    """Begin no new record over the papers of another: its numbers would be given twice, and its dates lost (R4).

    Raises:
        RecordUnavailable: the vault holds sealed papers and the database holds no record; nothing was changed.
    """
    if is_blank(database) and any((data / "vault").glob("??/*")):
        raise RecordUnavailable(
            "The vault holds sealed papers, but the database is missing or empty: it was lost or moved, or a restore "
            "was broken off. Nothing was changed. Put the database back or correct DOCKET_DATABASE_URL; otherwise "
            "move the data folder away, whole, and restore a backup into an empty one."
        )


def _keep_apart(docket: Docket) -> None:
    """Mark the record of the test mode when it is new, and let neither kind be opened as the other (R8).

    Raises:
        RecordUnavailable: it is of the other kind; nothing was changed.
    """
    with docket.database.read() as session:
        marked, entries = TEST_MARK in heartbeats(session), journal.head(session)[0]
    if docket.test and not marked and not entries:
        with docket.database.write() as session:
            beat(session, TEST_MARK, docket.clock.now(), TEST_MARK)
    elif docket.test and not marked:
        raise RecordUnavailable(
            "This is a real record, and DOCKET_TEST_MODE is on. Nothing was changed. Turn it off, or name another "
            "database in DOCKET_TEST_DATABASE_URL."
        )
    elif marked and not docket.test:
        raise RecordUnavailable(
            "This record was made in test mode. Nothing was changed. Set DOCKET_TEST_MODE=true to go on with it, or "
            "name the real record's folder and database."
        )


def _adopt_profile(docket: Docket, text: str) -> None:
    """Store a version of the profile by its hash; the newest adopted is the one in force."""
    digest = profile_hash(text)
    with docket.database.read() as session:
        if hash_in_force(session) == digest:
            return
    with docket.database.write() as session:
        if hash_in_force(session) == digest:
            return
        now = docket.clock.now()
        row = session.get(AdoptedProfile, digest) or AdoptedProfile(hash=digest, text=text, adopted_at=now)
        row.adopted_at = now
        session.add(row)
        session.flush()
        look_again(session, IN_FORCE)
        act = Act(docket, session, MACHINE, Deed.ADOPT_SETTINGS, now, None)
        act.note["profile"] = digest
        act.finish()
