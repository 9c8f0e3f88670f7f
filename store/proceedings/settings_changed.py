"""Changed settings are entries of the journal: which ones, never their values (C5)."""

from collections.abc import Mapping

from store.cases import MACHINE, Docket, act, board_facts
from store.rules.access import Deed
from store.rules.facts import SettingsChanged


def note_settings(docket: Docket, settings: Mapping[str, str]) -> tuple[str, ...]:
    """Record which settings differ from those that were in force before; nothing where none does.

    Args:
        docket: the record.
        settings: every setting that is set, name to value; of a value only its keyed HMAC is kept.

    Returns:
        The names of those that are new, changed or gone.
    """
    now = {name: docket.keyring.twin("setting", f"{name}={value}") for name, value in settings.items()}
    with docket.database.read() as session:
        facts = [one.fact for one in board_facts(docket, session, SettingsChanged)]
    before = dict(facts[-1].in_force) if facts and isinstance(facts[-1], SettingsChanged) else {}
    changed = tuple(sorted(name for name in now.keys() | before.keys() if now.get(name) != before.get(name)))
    if changed:
        with act(docket, MACHINE, Deed.ADOPT_SETTINGS) as step:
            step.record(SettingsChanged(changed, tuple(sorted(now.items()))))
    return changed
