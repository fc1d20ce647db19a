"""Metrics for Prometheus: responses are counted when they start, all other values are read on each scrape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from .connection_limits import TransportLimits
    from .executors import WorkExecutors
    from .services import AppServices

PREFIX = "ropewalk"
APPEND_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
WAIT_BUCKETS = (0.001, 0.01, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class Metrics:
    """The metrics of an application, and their registry."""

    def __init__(self, services: AppServices, connections: TransportLimits) -> None:
        self.registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self.requests = Counter(f"{PREFIX}_http_requests", "Requests that were answered", labels, registry=self.registry)
        self.durations = Histogram(
            f"{PREFIX}_http_request_duration_seconds", "Time until a response starts", ("route",), registry=self.registry
        )
        self.websocket_connections = Gauge(
            f"{PREFIX}_websocket_connections", "Open WebSocket connections", registry=self.registry
        )
        self.append_durations = Histogram(
            f"{PREFIX}_append_duration_seconds",
            "Time from the request to store an event until it is stored",
            buckets=APPEND_BUCKETS,
            registry=self.registry,
        )
        self.engine_waits = Histogram(
            f"{PREFIX}_engine_wait_seconds",
            "Time that a job waits for an engine",
            buckets=WAIT_BUCKETS,
            registry=self.registry,
        )
        services.event_store.observe_duration = self.append_durations.observe
        services.engine_pool.observe_wait = self.engine_waits.observe
        self.registry.register(ServicesCollector(services))
        self.registry.register(LimitsCollector(services.executors, connections))
        ProcessCollector(registry=self.registry)

    def count_response(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a response by method, route and status."""
        self.requests.labels(method, route, str(status)).inc()
        self.durations.labels(route).observe(seconds)

    def render(self) -> bytes:
        """Return all metrics in the text format."""
        return generate_latest(self.registry)


class ServicesCollector(Collector):
    """Collects the values that the services count themselves."""

    def __init__(self, services: AppServices) -> None:
        self.services = services

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics with their current values."""
        store, pool = self.services.event_store, self.services.engine_pool
        yield CounterMetricFamily(f"{PREFIX}_events_appended", "Events that were stored", store.appended_count)
        yield CounterMetricFamily(f"{PREFIX}_append_batches", "Transactions that stored events", store.batch_count)
        yield GaugeMetricFamily(f"{PREFIX}_append_queue_length", "Events that wait to be stored", len(store.pending))
        yield GaugeMetricFamily(f"{PREFIX}_matches_loaded", "Matches in memory", len(self.services.registry.loaded))
        unreadable = len(self.services.registry.unreadable)
        yield GaugeMetricFamily(f"{PREFIX}_matches_unreadable", "Matches whose log is damaged", unreadable)
        yield GaugeMetricFamily(f"{PREFIX}_engine_workers", "Engine processes", len(pool.workers))
        remote = self.services.remote_engines
        yield GaugeMetricFamily(f"{PREFIX}_engine_remote_workers", "Remote engine workers", remote.count_connected())
        expired = "Leases of remote engine workers that have expired"
        yield CounterMetricFamily(f"{PREFIX}_engine_leases_expired", expired, remote.expired_count)
        memory = max((worker.memory_bytes for worker in pool.workers), default=0)
        yield GaugeMetricFamily(f"{PREFIX}_engine_worker_memory_bytes", "Memory of the largest engine process", memory)
        yield GaugeMetricFamily(f"{PREFIX}_engine_queue_length", "Jobs that wait for an engine", len(pool.queue))
        waited = "Time for which the oldest of these jobs has waited"
        yield GaugeMetricFamily(f"{PREFIX}_engine_queue_wait_seconds", waited, pool.queue.oldest_wait_seconds)
        yield GaugeMetricFamily(f"{PREFIX}_engine_jobs_running", "Jobs that an engine runs", len(pool.queue.running))
        preemptions = "Analyses that were interrupted for the move of a bot"
        yield CounterMetricFamily(f"{PREFIX}_engine_preemptions", preemptions, pool.preemption_count)
        yield CounterMetricFamily(f"{PREFIX}_engine_jobs", "Jobs that an engine has finished", pool.completed_count)
        restarts = "Engine processes that were lost and replaced"
        yield CounterMetricFamily(f"{PREFIX}_engine_worker_restarts", restarts, pool.restart_count)
        notices = CounterMetricFamily(f"{PREFIX}_notifications", "Messages about turns", labels=("channel", "outcome"))
        for labels, count in self.services.notifications.sent.items():
            notices.add_metric(labels, count)
        yield notices
        difference = self.services.clock.wall_difference_ms / 1000
        yield GaugeMetricFamily(f"{PREFIX}_clock_difference_seconds", "Wall clock minus reference", difference)
        yield GaugeMetricFamily(f"{PREFIX}_games_compiled", "Games whose kernels are compiled", len(pool.warm))


class LimitsCollector(Collector):
    """Collects what the limits of connections and of work have counted."""

    def __init__(self, executors: WorkExecutors, connections: TransportLimits) -> None:
        self.executors = executors
        self.connections = connections

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics with their current values."""
        yield GaugeMetricFamily(f"{PREFIX}_connections", "Open TCP connections", self.connections.open_count)
        help_text = "Connections that were refused or ended by a limit"
        ended = CounterMetricFamily(f"{PREFIX}_connections_ended", help_text, labels=["reason"])
        for reason, count in self.connections.ended.items():
            ended.add_metric([reason], count)
        jobs = GaugeMetricFamily(f"{PREFIX}_jobs", "Jobs that run or wait in a thread pool", labels=["pool"])
        refused = CounterMetricFamily(f"{PREFIX}_jobs_refused", "Jobs that a full thread pool has refused", labels=["pool"])
        for executor in self.executors:
            jobs.add_metric([executor.name], executor.job_count)
            refused.add_metric([executor.name], executor.refused_count)
        yield from (ended, jobs, refused)
