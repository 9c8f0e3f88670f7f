"""Logs: JSON lines on standard error that cannot carry a name.

A line is an event id with keys. Numbers, days, instants, truths and our own enumerated words pass under every key;
free text passes under the keys of `TEXT_KEYS` only, and there in the shape of a number or an id. Everything else is
replaced, whoever wrote it. Libraries are held at warning, and of what they say only logger, level and the kind of
exception is kept, as their texts quote mail, addresses and payloads (product.md: C1).
"""

import contextlib
import json
import logging
import re
import secrets
import sys
import threading
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from itertools import islice
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, TextIO, cast
from uuid import UUID

import structlog

from bot.errors import StartFault
from store.ports import Clock

LIBRARIES = (
    *(
        "alembic",
        "aiohttp",
        "aiosmtpd",
        "apscheduler",
        "asyncio",
        "fontTools",
        "imapclient",
        "mail.log",
        "PIL",
    ),
    *(
        "psycopg",
        "pyhanko",
        "pyhanko_certvalidator",
        "pymap",
        "pypdf",
        "pypdfium2",
        "slack_bolt",
        "slack_sdk",
    ),
    *("sqlalchemy", "tnefparse", "urllib3"),
)
# It warns each time that a job still runs when it would begin again: each two seconds while the record is held.
_HELD_HIGHER = {"apscheduler": logging.ERROR}
TEXT_KEYS = frozenset(
    {
        "case",
        "clause",
        "event",
        "exception",
        "job",
        "kind",
        "letter",
        "level",
        "logger",
        "outcome",
        "profile",
        "reference",
    }
    | {"state", "timestamp", "version", "way"}
)
WITHHELD = "(withheld)"
UNNAMED = "log.unnamed"
_EVENT = re.compile(r"[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:()+/-]{0,79}")
_CODE_ROOT = Path(__file__).resolve().parent.parent


def configure_logs(level: str, clock: Clock, *, stream: TextIO | None = None) -> None:
    """Set up all logs of this process, and what is printed when an exception reaches the top.

    Args:
        level: `debug`, `info`, `warning` or `error`; holds for our own lines, libraries stay at warning.
        clock: gives each line its instant.
        stream: where lines go; None is standard error.
    """
    out = _Unfailing(sys.stderr if stream is None else stream)
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            _stamp(clock),
            _describe_exception,
            _withhold,
            _as_json,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, out)),
        cache_logger_on_first_use=False,
    )
    _hold_libraries(clock, cast(TextIO, out))
    _guard_the_top()


@dataclass(eq=False)
class _Unfailing:
    """Where lines go. A full disk or a reader that went away loses lines, and must not end what logs them."""

    stream: TextIO

    def write(self, text: str) -> int:
        """Write, or lose, a text."""
        with contextlib.suppress(OSError, ValueError):
            self.stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Bring out, or lose, what was written."""
        with contextlib.suppress(OSError, ValueError):
            self.stream.flush()


def log_unexpected(log: Any, error: BaseException, **keys: object) -> str:
    """Log an exception that nobody foresaw and give the reference number that people are told.

    Args:
        log: a structlog logger.
        error: the exception; its text and values are not logged, only kinds and places in the code.
        keys: further keys, as for any line.
    """
    reference = new_reference()
    log.error("unexpected", reference=reference, exc_info=error, **keys)
    return reference


def new_reference() -> str:
    """Give a reference number, such as `R-4F09-A1C7`: drawn at random, so it says nothing."""
    text = secrets.token_hex(4).upper()
    return f"R-{text[:4]}-{text[4:]}"


def kinds(error: BaseException) -> list[str]:
    """Name the exception's kind and those of its causes and companions, outermost first; no texts."""
    return [f"{type(one).__module__}.{type(one).__qualname__}" for one in _with_causes(error)]


def code_places(error: BaseException) -> list[str]:
    """Give the places in the code that the exception passed, outermost call first: `file:line function`."""
    return [place for one in _with_causes(error) for place in _places(one.__traceback__)]


def thread_places(most: int = 12) -> list[str]:
    """Say where each thread stands: its name, and up to so many places in the code, the innermost first; no values.

    Threads are named in our code and in libraries, never after a person; a name of another shape is left out.
    """
    frames = sys._current_frames()  # noqa: SLF001  the interpreter's documented way to see where threads are
    return _Places(
        f"{thread.name if _PLAIN.fullmatch(thread.name) else '?'}: "
        f"{' < '.join(islice(_standing(frames.get(thread.ident or 0)), most))}"
        for thread in threading.enumerate()
    )


def _standing(frame: FrameType | None) -> Iterator[str]:
    while frame is not None:
        yield f"{_short(Path(frame.f_code.co_filename))}:{frame.f_lineno} {frame.f_code.co_name}"
        frame = frame.f_back


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    waiting: list[BaseException] = [error]
    while waiting:
        one = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        if isinstance(one, BaseExceptionGroup):
            waiting.extend(one.exceptions)
        cause = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
        if cause is not None:
            waiting.append(cause)


def _places(traceback: TracebackType | None) -> Iterator[str]:
    while traceback is not None:
        code = traceback.tb_frame.f_code
        yield f"{_short(Path(code.co_filename))}:{traceback.tb_lineno} {code.co_name}"
        traceback = traceback.tb_next


def _short(file: Path) -> str:
    if file.is_relative_to(_CODE_ROOT) and "site-packages" not in file.parts:
        return file.relative_to(_CODE_ROOT).as_posix()
    return "/".join(file.parts[-2:])


def _stamp(clock: Clock) -> structlog.typing.Processor:
    def stamp(_: object, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        try:
            line["timestamp"] = clock.now()
        except StartFault:
            line["timestamp"] = None  # a practice clock that cannot be read: the line is still worth having
        return line

    return stamp


class _Places(list[str]):
    """Places in the code, made here and so let through."""


def _describe_exception(_: object, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    given = line.pop("exc_info", None)
    line.pop("stack_info", None)
    error = sys.exc_info()[1] if given is True else given[1] if isinstance(given, tuple) else given
    if isinstance(error, BaseException):
        line["exception"] = _Places(kinds(error))
        line["at"] = _Places(code_places(error))
    return line


def _withhold(_: object, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    event = line.get("event")
    if not (isinstance(event, str) and _EVENT.fullmatch(event)):
        line["event"] = UNNAMED
    return {key: _let_through(key, value) for key, value in line.items()}


def _let_through(key: str, value: object) -> object:
    match value:
        case Enum():
            return value.value if isinstance(value.value, int | str) else value.name
        case None | bool() | int() | float() | _Places():
            return value
        case datetime() | date():
            return value.isoformat()
        case UUID():
            return str(value)
        case str() if key in TEXT_KEYS and _PLAIN.fullmatch(value):
            return value
        case _:
            return WITHHELD


def _as_json(_: object, __: str, line: Mapping[str, Any]) -> str:
    return json.dumps(line, ensure_ascii=True)


class LibraryFormatter(logging.Formatter):
    """Of what a library logs: its logger, the level, the kind of exception. Never the message or its arguments."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def format(self, record: logging.LogRecord) -> str:
        """Give one JSON line."""
        line: dict[str, object] = {
            "event": "library.said",
            "logger": record.name,
            "level": record.levelname.lower(),
            "timestamp": self._clock.now().isoformat(),
            "line": f"{record.filename}:{record.lineno}",
        }
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            line |= {"exception": kinds(error), "at": code_places(error)}
        return json.dumps(line, ensure_ascii=True)


def _hold_libraries(clock: Clock, out: TextIO) -> None:
    handler = logging.StreamHandler(out)
    handler.setFormatter(LibraryFormatter(clock))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in _known_loggers():
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(_HELD_HIGHER.get(name, logging.WARNING) if name in LIBRARIES else logging.NOTSET)
    # A handler that fails would print the record with its arguments.
    logging.raiseExceptions = False
    logging.captureWarnings(capture=True)


def _known_loggers() -> list[str]:
    made = [
        name for name, logger in logging.root.manager.loggerDict.items() if isinstance(logger, logging.Logger)
    ]
    return [*LIBRARIES, *(name for name in made if name not in LIBRARIES)]


def _guard_the_top() -> None:
    """Print no exception text where Python itself would: main program, threads, finalizers."""
    log = structlog.get_logger()

    def at_top(kind: type[BaseException], error: BaseException, _: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            return
        reference = log_unexpected(log, error)
        _Unfailing(sys.stderr).write(
            f"docket: an unexpected error, reference {reference}. What was recorded before is safe. "
            "Give this number to whoever looks after Docket.\n"
        )

    def in_thread(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            log_unexpected(log, args.exc_value)

    def in_finalizer(args: Any) -> None:
        if args.exc_value is not None:
            log_unexpected(log, args.exc_value)

    sys.excepthook = at_top
    threading.excepthook = in_thread
    sys.unraisablehook = in_finalizer
