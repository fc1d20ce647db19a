"""Clocks: whatever happens, nobody gains time that the settings do not give."""

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


def begun(clock: Any, at: int = 1000) -> MatchState:
    return apply_event(
        initial_state(MatchConfig("tether-5", clock)), MatchEvent(1, at, "match-started", data={"seats": ["a", "b"]})
    )


def written(state: MatchState, draft: NewEvent, now: int) -> MatchEvent:
    return MatchEvent(state.seq + 1, now, draft.type, draft.seat, draft.user_id, draft.data)


def allowances(state: MatchState, now: int) -> list[int]:
    """How long each seat may still think, at this moment."""
    left = clocks.read_clocks(state.config.clock, state.clocks, now)
    return [clocks.time_until_timeout(state.config.clock, mine) or 0 for mine in left]


class Table:
    """A match that is played by actions, and its log."""

    def __init__(self, clock: Any) -> None:
        self.now = 1000
        self.state = begun(clock)
        self.log = [MatchEvent(1, 1000, "match-started", data={"seats": ["a", "b"]})]

    def write(self, draft: NewEvent) -> None:
        self.log.append(written(self.state, draft, self.now))
        self.state = apply_event(self.state, self.log[-1])

    def do(self, user: str, action: Any) -> None:
        try:
            self.write(decide(self.state, Actor(user), action, self.now))
        except ApiError as refusal:
            assert refusal.code == "too-late"
            fallen = find_timeout(self.state, self.now)
            assert fallen is not None
            self.write(fallen)

    def move(self) -> None:
        assert self.state.seat is not None
        self.do(
            "ab"[self.state.seat], Move(move=self.state.position.moves()[0], position_version=self.state.position_version)
        )

    def take_back(self) -> None:
        last = self.state.moves[-1]
        self.do("ab"[last.seat], RequestTakeback(event_seq=last.seq))
        if self.state.status == "playing":
            self.do("ab"[1 - last.seat], AnswerTakeback(event_seq=last.seq, accept=True))


@given(clock=CLOCKS, actions=ACTIONS)
def test_no_clock_ever_gains_time(clock: Any, actions: list[tuple[int, str]]) -> None:
    table = Table(clock)
    at_moment: dict[int, list[int]] = {}  # by step, the instant before it
    for pause, action in actions:
        before = allowances(table.state, table.now)
        mover = table.state.seat
        table.now += pause
        idle = allowances(table.state, table.now)
        assert all(later <= earlier for later, earlier in zip(idle, before, strict=True)), "time only runs out"
        if mover is not None and action == "move":
            table.move()
            at_moment[table.state.seq] = idle
            gained = allowances(table.state, table.now)[mover] - idle[mover]
            assert gained <= most_gained(clock, idle[mover])
            assert allowances(table.state, table.now)[1 - mover] == idle[1 - mover], "the other's clock did not run"
        elif mover is not None and action == "takeback" and table.state.moves:
            undone = table.state.moves[-1].seq
            table.take_back()
            if table.state.status == "playing":
                assert allowances(table.state, table.now) == at_moment[undone], "the clocks of that moment"
        assert replay_events(table.state.config, table.log) == table.state, "a restart changes nothing"


def most_gained(clock: Any, left: int) -> int:
    """What a turn's end may give."""
    if isinstance(clock, Fischer):
        return clock.increment_seconds * 1000
    if isinstance(clock, ByoYomi):
        return clock.period_seconds * 1000
    return int(clock.days * clocks.DAY_MS - left)


@given(clock=CLOCKS, early=st.integers(1, 1000))
def test_the_flag_falls_exactly_when_time_is_up(clock: Any, early: int) -> None:
    state = begun(clock)
    falls = state.timeout_at()
    assert falls is not None
    assert find_timeout(state, falls - early) is None
    fallen = find_timeout(state, falls)
    assert fallen is not None
    over = apply_event(state, written(state, fallen, falls))
    assert over.result is not None
    assert (over.result.winner, over.result.reason) == (1, "time")


def test_a_period_that_is_not_used_up_begins_anew() -> None:
    clock = ByoYomi(main_seconds=10, periods=3, period_seconds=5)
    left = clocks.subtract_time(clock, clocks.full_time(clock), 10_000 + 5_000 + 4_000)
    assert left == clocks.TimeLeft(main_ms=0, periods=2, period_ms=1_000)
    assert clocks.add_increment(clock, left) == clocks.TimeLeft(main_ms=0, periods=2, period_ms=5_000)


def test_a_turn_of_two_steps_is_one_turn_for_the_clock() -> None:
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


def test_without_a_clock_no_flag_falls() -> None:
    assert begun(NoClock()).timeout_at() is None


@pytest.mark.parametrize(
    "wrong", [{"kind": "fischer", "initial_seconds": 9}, {"kind": "days", "days": 31}, {"kind": "hourglass"}]
)
def test_settings_outside_the_limits_are_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="validation error"):
        clocks.CLOCK_ADAPTER.validate_python(wrong)
