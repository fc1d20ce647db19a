"""Clocks: no player ever gains time beyond the settings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ropewalk.server.domain import clocks
from ropewalk.server.domain.actions import Actor, AnswerTakeback, Move, NewEvent, RequestTakeback, decide, find_timeout
from ropewalk.server.domain.clocks import ByoYomi, Days, Fischer, NoClock
from ropewalk.server.domain.events import MatchEvent
from ropewalk.server.domain.match import MatchConfig, MatchState, apply_event, initial_state, replay_events
from ropewalk.server.errors import ApiError

CLOCKS = st.one_of(
    st.builds(Fischer, initial_seconds=st.integers(10, 600), increment_seconds=st.integers(0, 20)),
    st.builds(ByoYomi, main_seconds=st.integers(0, 120), periods=st.integers(1, 5), period_seconds=st.integers(5, 30)),
    st.builds(Days, days=st.integers(1, 3)),
)
PAUSES = st.one_of(st.integers(0, 5_000), st.integers(0, 90_000), st.integers(0, 2 * clocks.DAY_MS))
ACTIONS = st.lists(st.tuples(PAUSES, st.sampled_from(["move", "move", "move", "takeback", "look"])), max_size=25)


def start_state(clock: Any, at: int = 1000) -> MatchState:
    return apply_event(
        initial_state(MatchConfig("tether-5", clock)), MatchEvent(1, at, "match-started", data={"seats": ["a", "b"]})
    )


def build_event(state: MatchState, new: NewEvent, now: int) -> MatchEvent:
    return MatchEvent(state.seq + 1, now, new.type, new.seat, new.user_id, new.data)


def list_time_left(state: MatchState, now: int) -> list[int]:
    """Return the milliseconds until each seat runs out of time."""
    left = clocks.read_clocks(state.config.clock, state.clocks, now)
    return [clocks.time_until_timeout(state.config.clock, mine) or 0 for mine in left]


class TimedMatch:
    """A match that is played by actions at given times, and its log."""

    def __init__(self, clock: Any) -> None:
        self.now = 1000
        self.state = start_state(clock)
        self.log = [MatchEvent(1, 1000, "match-started", data={"seats": ["a", "b"]})]

    def append(self, new: NewEvent) -> None:
        self.log.append(build_event(self.state, new, self.now))
        self.state = apply_event(self.state, self.log[-1])

    def perform(self, user: str, action: Any) -> None:
        try:
            self.append(decide(self.state, Actor(user), action, self.now))
        except ApiError as error:
            assert error.code == "too-late"
            timeout = find_timeout(self.state, self.now)
            assert timeout is not None
            self.append(timeout)

    def play(self) -> None:
        assert self.state.seat is not None
        self.perform(
            "ab"[self.state.seat], Move(move=self.state.position.moves()[0], position_version=self.state.position_version)
        )

    def take_back(self) -> None:
        last = self.state.moves[-1]
        self.perform("ab"[last.seat], RequestTakeback(event_seq=last.seq))
        if self.state.status == "playing":
            self.perform("ab"[1 - last.seat], AnswerTakeback(event_seq=last.seq, accept=True))


@given(clock=CLOCKS, actions=ACTIONS)
def test_no_clock_ever_gains_time(clock: Any, actions: list[tuple[int, str]]) -> None:
    match = TimedMatch(clock)
    at_moment: dict[int, list[int]] = {}  # by step, the instant before it
    for pause, action in actions:
        before = list_time_left(match.state, match.now)
        mover = match.state.seat
        match.now += pause
        idle = list_time_left(match.state, match.now)
        assert all(later <= earlier for later, earlier in zip(idle, before, strict=True)), "time only runs out"
        if mover is not None and action == "move":
            match.play()
            at_moment[match.state.seq] = idle
            gained = list_time_left(match.state, match.now)[mover] - idle[mover]
            assert gained <= compute_max_gain(clock, idle[mover])
            assert list_time_left(match.state, match.now)[1 - mover] == idle[1 - mover], "the other's clock did not run"
        elif mover is not None and action == "takeback" and match.state.moves:
            undone = match.state.moves[-1].seq
            match.take_back()
            if match.state.status == "playing":
                assert list_time_left(match.state, match.now) == at_moment[undone], "the clocks of that moment"
        assert replay_events(match.state.config, match.log) == match.state, "a restart changes nothing"


def compute_max_gain(clock: Any, left: int) -> int:
    """Return the most that the end of a turn may add."""
    if isinstance(clock, Fischer):
        return clock.increment_seconds * 1000
    if isinstance(clock, ByoYomi):
        return clock.period_seconds * 1000
    return int(clock.days * clocks.DAY_MS - left)


@given(clock=CLOCKS, early=st.integers(1, 1000))
def test_a_timeout_is_due_exactly_when_the_time_is_up(clock: Any, early: int) -> None:
    state = start_state(clock)
    deadline = state.timeout_at()
    assert deadline is not None
    assert find_timeout(state, deadline - early) is None
    timeout = find_timeout(state, deadline)
    assert timeout is not None
    over = apply_event(state, build_event(state, timeout, deadline))
    assert over.result is not None
    assert (over.result.winner, over.result.reason) == (1, "time")


def test_a_period_that_is_not_used_up_begins_anew() -> None:
    clock = ByoYomi(main_seconds=10, periods=3, period_seconds=5)
    left = clocks.subtract_time(clock, clocks.full_time(clock), 10_000 + 5_000 + 4_000)
    assert left == clocks.TimeLeft(main_ms=0, periods=2, period_ms=1_000)
    assert clocks.add_increment(clock, left) == clocks.TimeLeft(main_ms=0, periods=2, period_ms=5_000)


def test_a_turn_of_two_moves_is_one_turn_for_the_clock() -> None:
    state = apply_event(
        initial_state(MatchConfig("laocoon-weave", Fischer(initial_seconds=100, increment_seconds=7))),
        MatchEvent(1, 0, "match-started", data={"seats": ["a", "b"]}),
    )
    for number, move in enumerate(["d4", "e6", "g2", "b8", "d4-e5", "e6-f6"], start=2):
        state = apply_event(state, MatchEvent(number, number * 1000, "move-played", state.seat, "a", {"move": move}))
    assert state.seat == 1, "black has moved a ring and places a disc yet"
    before = clocks.read_clocks(state.config.clock, state.clocks, 7000)
    state = apply_event(state, MatchEvent(8, 9000, "move-played", 1, "b", {"move": state.position.moves()[0]}))
    assert state.seat == 0
    assert state.clocks.time_left[1].main_ms == before[1].main_ms - 2000 + 7000


def test_without_a_clock_there_is_no_timeout() -> None:
    assert start_state(NoClock()).timeout_at() is None


@pytest.mark.parametrize(
    "wrong", [{"kind": "fischer", "initial_seconds": 9}, {"kind": "days", "days": 31}, {"kind": "hourglass"}]
)
def test_settings_outside_the_limits_are_rejected(wrong: Any) -> None:
    with pytest.raises(ValueError, match="validation error"):
        clocks.CLOCK_ADAPTER.validate_python(wrong)
