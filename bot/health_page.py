"""`/healthz`, `/readyz` and `/metrics` on loopback, for whoever watches from outside; no content of any case (R5).

`/healthz` says whether the process works and should be started anew where it does not; a database that is away
is no reason for that. `/readyz` says whether it can be of use now: the record answers and Slack can be reached.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from prometheus_client.metrics_core import Metric

_TEXT = "text/plain; version=0.0.4; charset=utf-8"
_JSON = "application/json"
SLACK_WORKS = "connected"


@dataclass(frozen=True, slots=True)
class Vitals:
    """How one copy of Docket stands; counts and names of troubles only.

    Attributes:
        at: when this was looked up, UTC.
        stalled: names of threads that ended and should not have.
        record: whether the record answers.
        slack: where the connection to Slack stands.
        leads: whether this copy polls, sweeps and sends.
        waiting: what waits to go out: channel to count.
        oldest: since when the oldest of them waits, UTC; a channel without one is left out.
        beats: what was done last: name to instant, UTC.
        alarms: names of the troubles that stand.
    """

    at: datetime
    stalled: tuple[str, ...] = ()
    record: bool = True
    slack: str = SLACK_WORKS
    leads: bool = False
    waiting: Mapping[str, int] | None = None
    oldest: Mapping[str, datetime] | None = None
    beats: Mapping[str, datetime] | None = None
    alarms: tuple[str, ...] = ()

    @property
    def alive(self) -> bool:
        """Whether the process does its work."""
        return not self.stalled

    @property
    def ready(self) -> bool:
        """Whether people can use it now."""
        return self.alive and self.record and self.slack == SLACK_WORKS


@dataclass(frozen=True, slots=True)
class _Gauges(Collector):
    vitals: Callable[[], Vitals]

    def describe(self) -> "Iterable[Metric]":
        """Name no metric ahead, so that a registration asks the record nothing."""
        return ()

    def collect(self) -> "Iterable[Metric]":
        """Give the gauges of this moment."""
        now = self.vitals()
        for name, what, value in (
            ("docket_leader", "1 while this copy polls, sweeps and sends", now.leads),
            ("docket_record_up", "1 while the record answers", now.record),
            ("docket_slack_up", "1 while Slack can be reached", now.slack == SLACK_WORKS),
        ):
            yield GaugeMetricFamily(name, what, value=float(value))
        yield _by_name("docket_outbox_waiting", "letters and pings that wait", "channel", now.waiting or {})
        ages = {name: (now.at - since).total_seconds() for name, since in (now.oldest or {}).items()}
        yield _by_name("docket_outbox_oldest_seconds", "how long the oldest of them waits", "channel", ages)
        since = {name: (now.at - at).total_seconds() for name, at in (now.beats or {}).items()}
        yield _by_name("docket_beat_age_seconds", "how long ago it was done last", "what", since)
        alarms = dict.fromkeys(now.alarms, 1)
        yield _by_name("docket_alarm", "1 while a trouble stands", "trouble", alarms)


def _by_name(name: str, what: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, what, labels=[label])
    for key, value in sorted(values.items()):
        family.add_metric([key], float(value))
    return family


_GUARDS = (("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"))


def health_page(vitals: Callable[[], Vitals]) -> "WSGIApplication":
    """Make the WSGI application that answers the three addresses.

    Args:
        vitals: looks up how Docket stands now.
    """
    registry = CollectorRegistry()
    registry.register(_Gauges(vitals))
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        status, kind, body = _answer(str(environ.get("PATH_INFO", "")), vitals, registry)
        headers = [("Content-Type", kind), ("Content-Length", str(len(body))), *_GUARDS]
        start_response(f"{status.value} {status.phrase}", headers)
        return [body]

    return answer


def _answer(
    path: str, vitals: Callable[[], Vitals], registry: CollectorRegistry
) -> tuple[HTTPStatus, str, bytes]:
    if path == "/metrics":
        return HTTPStatus.OK, _TEXT, generate_latest(registry)
    if path not in {"/healthz", "/readyz"}:
        return HTTPStatus.NOT_FOUND, _JSON, b'{"error": "there is /healthz, /readyz and /metrics"}\n'
    now = vitals()
    good = now.alive if path == "/healthz" else now.ready
    said = {
        "ok": good,
        "stalled": list(now.stalled),
        "record": now.record,
        "slack": now.slack,
        "leader": now.leads,
        "trouble": list(now.alarms),
    }
    status = HTTPStatus.OK if good else HTTPStatus.SERVICE_UNAVAILABLE
    return status, _JSON, json.dumps(said).encode() + b"\n"
