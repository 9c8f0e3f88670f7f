"""What a test changes by setting up the logs of its process, and how it is put back."""

import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from bot.logs import LIBRARIES


@contextmanager
def logs_put_back() -> Iterator[None]:
    """Let logs be set up within, and put back handlers, levels and hooks as they were."""
    root = logging.getLogger()
    before = root.handlers[:], root.level, logging.raiseExceptions
    levels = {name: logging.getLogger(name).level for name in LIBRARIES}
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    kept = structlog.get_config()
    try:
        yield
    finally:
        logging.captureWarnings(capture=False)
        root.handlers[:], root.level, logging.raiseExceptions = before
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
        sys.excepthook, threading.excepthook, sys.unraisablehook = hooks
        structlog.configure(**kept)
