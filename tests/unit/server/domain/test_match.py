"""The state of a match: what every type of event changes."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

import pytest

from ropewalk.errors import PositionError, SpecError
from ropewalk.server.domain.actions import AnswerTakeback, NewEvent, RequestTakeback
from ropewalk.server.domain.clocks import Clocks, Fischer, NoClock
from ropewalk.server.domain.events import BOARD_EVENTS, EventType
from ropewalk.server.domain.match import EVENT_HANDLERS, MatchConfig, MatchState, initial_state, replay_events
from tests.support.match_log import FIRST, SECOND, START_MS, MatchLog

CLOCK = Fischer(initial_seconds=100, increment_seconds=7)
ALWAYS = {"seq", "timestamp_ms"}


def changed_fields(before: MatchState, after: MatchState) -> set[str]:
    """Return the names of the fields in which two states differ."""
    return {field.name for field in fields(before) if getattr(before, field.name) != getattr(after, field.name)}


def test_every_type_of_event_but_chat_has_a_handler() -> None:
    assert {*EVENT_HANDLERS, "chat-posted"} == set(get_args(EventType))
    assert set(BOARD_EVENTS) <= set(EVENT_HANDLERS)


def test_before_its_first_event_a_match_waits() -> None:
    state = initial_state(MatchConfig("tether-5", CLOCK))
    assert (state.status, state.has_begun, state.seat, state.timeout_at()) == ("waiting", False, None, None)
    assert state.seats_of(FIRST) == state.seats_of(None) == ()


def test_the_start_seats_both_players_and_starts_the_first_clock() -> None:
    state = MatchLog("tether-5", CLOCK).state
    assert (state.status, state.seats, state.seat) == ("playing", (FIRST, SECOND), 0)
    assert (state.clocks.seat, state.clocks.since_ms) == (0, START_MS)
    assert state.timeout_at() == START_MS + 100_000
    assert (state.seats_of(FIRST), state.seats_of(SECOND), state.seats_of("eve")) == ((0,), (1,), ())
    assert MatchLog(seats=(FIRST, FIRST)).state.seats_of(FIRST) == (0, 1)


def test_a_move_changes_the_board_and_the_clocks() -> None:
    match = MatchLog("tether-5", CLOCK)
    match.now += 30_000
    match.play("c3")
    (move,) = match.state.moves
    assert (move.seq, move.seat, move.move, move.timestamp_ms) == (2, 0, "c3", match.now)
    assert [left.main_ms for left in move.clocks_before.time_left] == [70_000, 100_000]
    assert [left.main_ms for left in match.state.clocks.time_left] == [77_000, 100_000]
    assert (match.state.clocks.seat, match.state.clocks.since_ms) == (1, match.now)
    assert match.state.find_move(2) == move
    assert match.state.find_move(1) is None


@pytest.mark.parametrize(
    ("new", "changed"),
    [
        (NewEvent("chat-posted", 0, FIRST, {"text": "hello"}), set()),
        (NewEvent("rematch-created", None, FIRST, {"match_id": "next"}), {"rematch_id"}),
        (NewEvent("draw-offered", 1, SECOND), {"draw_offered_by"}),
        (NewEvent("draw-declined", 0, FIRST), set()),
        (NewEvent("takeback-requested", 0, FIRST, {"event_seq": 2}), {"takeback"}),
        (NewEvent("takeback-declined", 1, SECOND, {"event_seq": 2}), set()),
        (
            NewEvent("takeback-accepted", 1, SECOND, {"event_seq": 2}),
            {"position", "clocks", "moves", "position_version"},
        ),
        (NewEvent("draw-accepted", 1, SECOND), {"result", "clocks"}),
        (NewEvent("resigned", 1, SECOND), {"result", "clocks"}),
        (NewEvent("timed-out", 1), {"result", "clocks"}),
        (
            NewEvent("outage-compensated", 1, None, {"started_ms": 2100, "ended_ms": 2600, "milliseconds": 500}),
            {"clocks", "compensated_until_ms"},
        ),
        (NewEvent("aborted", None, FIRST), {"result", "clocks"}),
        (NewEvent("imported", None, FIRST, {"winner": 0, "reason": "majority"}), {"result", "clocks"}),
    ],
    ids=lambda value: value.type if isinstance(value, NewEvent) else "",
)
def test_an_event_changes_only_its_own_fields(new: NewEvent, changed: set[str]) -> None:
    match = MatchLog("liger-4", CLOCK)
    match.now += 1000
    match.play(match.state.position.moves()[0])
    before = match.state
    match.now += 1000
    match.append(new)
    assert changed_fields(before, match.state) == changed | ALWAYS


@pytest.mark.parametrize(
    ("new", "winner", "reason"),
    [
        (NewEvent("draw-accepted", 1, SECOND), None, "agreement"),
        (NewEvent("resigned", 1, SECOND), 0, "resign"),
        (NewEvent("timed-out", 0), 1, "time"),
        (NewEvent("aborted", None, FIRST), None, "abandoned"),
        (NewEvent("imported", None, FIRST, {"winner": 1, "reason": "unknown"}), 1, "unknown"),
    ],
    ids=lambda value: value.type if isinstance(value, NewEvent) else "",
)
def test_an_event_ends_the_match_with_a_result(new: NewEvent, winner: int | None, reason: str) -> None:
    match = MatchLog("liger-4", CLOCK)
    match.append(NewEvent("draw-offered", 0, FIRST))
    match.now += 4000
    event = match.append(new)
    result = match.state.result
    assert result is not None
    assert (result.winner, result.reason, result.seq) == (winner, reason, event.seq)
    assert (match.state.status, match.state.seat, match.state.draw_offered_by) == ("over", None, None)
    assert match.state.clocks.seat is None
    assert match.state.clocks.time_left[0].main_ms == 96_000
    assert match.state.timeout_at() is None


def test_the_last_move_of_a_game_ends_the_match_by_the_rules() -> None:
    match = MatchLog("tether-3")
    while match.state.status == "playing":
        match.play(match.state.position.moves()[0])
    outcome = match.state.position.outcome
    assert outcome is not None
    assert match.state.result is not None
    assert (match.state.result.winner, match.state.result.reason) == (outcome.winner, outcome.reason)


def test_a_takeback_restores_the_clocks_of_the_instant_before_the_move() -> None:
    match = MatchLog("tether-5", CLOCK)
    match.now += 10_000
    match.play("c3")
    match.now += 20_000
    match.play("b2")
    match.now += 5_000
    match.perform(FIRST, RequestTakeback(event_seq=2))
    match.now += 1_000
    match.perform(SECOND, AnswerTakeback(event_seq=2, accept=True))
    restored = match.events and match.state.clocks
    assert isinstance(restored, Clocks)
    assert [left.main_ms for left in restored.time_left] == [90_000, 100_000]
    assert (restored.seat, restored.since_ms) == (0, match.now)


def test_a_swap_exchanges_colours_but_not_seats() -> None:
    match = MatchLog("cube-lariat-2")
    colours = match.state.position.colours
    match.play("UF1", "swap")
    assert match.state.position.colours == colours[::-1]
    assert (match.state.seats, match.state.seat) == ((FIRST, SECOND), 0)


def test_a_match_starts_from_its_initial_position() -> None:
    later = MatchLog()
    later.play("c3")
    match = MatchLog(initial_position=str(later.state.position))
    assert match.state.seat == 1
    match.play("b2")
    match.append(NewEvent("takeback-accepted", 0, FIRST, {"event_seq": 2}))
    assert match.state.position == later.state.position


@pytest.mark.parametrize(("spec", "position", "error"), [("tether-2", None, SpecError), ("tether-3", "xyz", PositionError)])
def test_settings_that_name_no_position_are_rejected(spec: str, position: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        initial_state(MatchConfig(spec, NoClock(), initial_position=position))


def test_the_state_is_derived_from_the_events_alone() -> None:
    match = MatchLog("laocoon-weave", CLOCK)
    match.play("d4", "e6", "g2", "b8", "d4-e5", "e6-f6")
    assert replay_events(match.state.config, match.events) == match.state
    for count in range(len(match.events)):
        part = replay_events(match.state.config, match.events[:count])
        assert part.seq == count
        assert replay_events(match.state.config, match.events) == match.state


def test_a_takeback_at_any_distance_restores_the_position() -> None:
    match = MatchLog("lariat-2x10")
    positions = []
    for _ in range(40):
        position = match.state.position
        positions.append(position)
        match.play(next(move for move in position.moves() if position.play(move).seat is not None))
    for index in (39, 32, 17, 16, 15, 0):
        seq = match.state.moves[index].seq
        match.append(NewEvent("takeback-accepted", 0, FIRST, {"event_seq": seq}))
        assert (match.state.position, len(match.state.moves)) == (positions[index], index)
