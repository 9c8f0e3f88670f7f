"""The press with the supplied fonts and templates, and made-up letters to set with it."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from store.printing import PressRoom, open_press

ISSUED_AT = datetime(2026, 3, 16, 21, 0, tzinfo=UTC)


@pytest.fixture(scope="session")
def room() -> Iterator[PressRoom]:
    room = open_press()
    yield room
    room.close()
