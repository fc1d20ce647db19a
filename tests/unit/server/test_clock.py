"""The time of a server: independent of the wall clock, and never going backwards."""

from __future__ import annotations

from ropewalk.server.clock import MAX_DIFFERENCE_MS, ClockSource, ServerClock


class ManualSource(ClockSource):
    """Clocks that the test sets."""

    def __init__(self) -> None:
        super().__init__()
        self.wall, self.monotonic = 1_000_000.0, 500.0

    def wall_ms(self) -> float:
        return self.wall

    def monotonic_ms(self) -> float:
        return self.monotonic

    def advance(self, milliseconds: float) -> None:
        self.wall += milliseconds
        self.monotonic += milliseconds


def test_a_wall_clock_that_jumps_changes_nothing_but_is_noticed() -> None:
    source = ManualSource()
    clock = ServerClock(source)
    assert clock.now_ms() == 1_000_000
    source.wall += 90_000
    source.advance(10)
    assert clock.now_ms() == 1_000_010
    clock.compare_wall_clock(clock.now_ms())
    assert (clock.wall_difference_ms, clock.is_wall_clock_wrong) == (90_000, True)


def test_the_databases_clock_is_approached_slowly_and_never_backwards() -> None:
    source = ManualSource()
    clock = ServerClock(source)
    before = clock.now_ms()
    clock.synchronise(before - 5_000, source.monotonic, source.monotonic)
    readings = []
    for _ in range(200):
        source.advance(1_000)
        readings.append(clock.now_ms())
    steps = [later - earlier for earlier, later in zip([before, *readings], readings, strict=False)]
    assert min(steps) == 950
    assert readings[-1] == before - 5_000 + 200_000
    assert clock.wall_difference_ms == 5_000 > MAX_DIFFERENCE_MS


def test_the_sample_with_the_shortest_round_trip_counts_and_is_half_a_round_trip_old() -> None:
    source = ManualSource()
    clock = ServerClock(source)
    clock.synchronise(2_000_000, 500, 900, at_once=True)
    assert clock.offset_ms == 2_000_000 - 700
    clock.synchronise(2_000_000, 600, 620, at_once=True)
    assert clock.offset_ms == 2_000_000 - 610
    clock.synchronise(2_000_000, 500, 800, at_once=True)
    assert clock.offset_ms == 2_000_000 - 610
