"""What the server counts about itself, for Prometheus."""

import re

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from server.store.base import Outcome


class Metrics:
    """The counters of one server, in a registry of their own, so that two in one process do not mix."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.connections = Gauge("cellrace_connections", "Open connections.", registry=self._registry)
        self.races = Gauge("cellrace_live_races", "Races in memory.", registry=self._registry)
        self.messages = Counter(
            "cellrace_messages", "Messages from clients, by type.", ["type"], registry=self._registry
        )
        self.refusals = Counter("cellrace_refusals", "Refusals, by code.", ["code"], registry=self._registry)
        self.cut = Counter(
            "cellrace_cut", "Connections the server ended, by reason.", ["reason"], registry=self._registry
        )
        self._appends = Counter(
            "cellrace_appends",
            "Appends to logs of races, by what they came to.",
            ["outcome"],
            registry=self._registry,
        )
        self.answer_s = Histogram(
            "cellrace_answer_seconds",
            "From a numbered command's arrival to its answer.",
            buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
            registry=self._registry,
        )

    def count_append(self, outcome: Outcome) -> None:
        """The store has said what an append came to."""
        kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(outcome).__name__).lower()
        self._appends.labels(kind).inc()

    def text(self) -> bytes:
        """All of it in Prometheus' text format."""
        return generate_latest(self._registry)
