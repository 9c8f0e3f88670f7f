"""An end within a bounded time: a process that was told to stop ends, whatever one of its threads still waits for.

Ending hard is what a kill is: every act is one transaction, and what was not finished is done again, or is told
as uncertain, after the next start. A service manager would kill the process as well, but later and without saying
which thread held it up.
"""

import faulthandler
import os
import sys
import threading
from collections.abc import Callable

import structlog

from bot.logs import thread_places

log = structlog.get_logger()
END_S = 25.0
"""How long a clean end may take, from the signal on."""
LAST_WORDS_S = 2.0
"""How long the log may take for its last line: whoever reads it may be what is stuck."""
STATUS_TROUBLED = 3


def end_within(seconds: float = END_S, leave: Callable[[int], None] = os._exit) -> None:
    """Let this process end within so many seconds from now, cleanly or else hard; returns at once.

    The first watch is a thread that names what is stuck and leaves with status 3. The second needs no
    interpreter, for the case that something holds it: it writes places in the code to stderr and leaves with status 1.

    Args:
        seconds: how long the clean end may take.
        leave: ends the process with a status, without waiting for anything.
    """
    faulthandler.dump_traceback_later(seconds + 2 * LAST_WORDS_S, exit=True, file=sys.__stderr__ or 2)
    watch = threading.Thread(target=_watch, args=(seconds, leave), name="end-watch", daemon=True)
    watch.start()


def _watch(seconds: float, leave: Callable[[int], None]) -> None:
    threading.Event().wait(seconds)
    words = threading.Thread(target=_say_who_is_stuck, name="end-words", daemon=True)
    words.start()
    words.join(LAST_WORDS_S)
    leave(STATUS_TROUBLED)


def _say_who_is_stuck() -> None:
    log.error("docket.ended-hard", threads=thread_places())
