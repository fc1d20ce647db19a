"""Actions: which event each leads to, and when it is not allowed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from ropewalk.errors import IllegalMove, MoveError
from ropewalk.server.domain import actions
from ropewalk.server.domain.actions import (
    ACTION_ADAPTER,
    DECISIONS,
    MAX_CHAT_LENGTH,
    Abort,
    Action,
    AnswerDraw,
    AnswerTakeback,
    AnyAction,
    Chat,
    Move,
    NewEvent,
    OfferDraw,
    Publish,
    RequestTakeback,
    Resign,
    find_timeout,
    is_event_of,
    require_playing,
)
from ropewalk.server.domain.clocks import Fischer
from ropewalk.server.domain.events import BOARD_EVENTS, EventType, MatchEvent
from ropewalk.server.domain.match import MatchConfig, TakebackRequest, initial_state, replay_events
from ropewalk.server.errors import ApiError
from tests.support.match_log import FIRST, SECOND, START_MS, MatchLog, expect_error

SPECTATOR = "eve"
CLOCK = Fischer(initial_seconds=10, increment_seconds=0)
EVERY_ACTION: list[Action] = [
    Move(move="c3", position_version=1, request_id="id"),
    RequestTakeback(event_seq=2, request_id="id"),
    AnswerTakeback(event_seq=2, accept=True, request_id="id"),
    OfferDraw(request_id="id"),
    AnswerDraw(accept=True, request_id="id"),
    Resign(request_id="id"),
    Abort(request_id="id"),
    Chat(text="hello", request_id="id"),
    Publish(request_id="id"),
]
EVERY_CODE = {
    "already-public",
    "bad-request",
    "no-draws",
    "no-such-offer",
    "no-takebacks",
    "not-playing",
    "not-your-match",
    "not-your-turn",
    "not-yours",
    "stale",
    "too-late",
}


def name_type(action: Action) -> str:
    """Return the type of an action as an id of a test."""
    return type(action).__name__


def test_the_list_of_actions_is_complete() -> None:
    union, _ = get_args(AnyAction)
    assert set(map(type, EVERY_ACTION)) == set(DECISIONS) == set(get_args(union))


def test_the_list_of_error_codes_is_complete() -> None:
    source = Path(actions.__file__).read_text(encoding="utf-8")
    assert set(re.findall(r'ApiError\(\s*"([a-z-]+)"', source)) == EVERY_CODE


@pytest.mark.parametrize("action", EVERY_ACTION, ids=name_type)
def test_a_spectator_can_do_nothing(action: Action) -> None:
    match = MatchLog()
    match.play("c3")
    with expect_error("not-your-match"):
        match.decide(SPECTATOR, action)


@pytest.mark.parametrize(
    "action", [action for action in EVERY_ACTION if not isinstance(action, Chat | Publish)], ids=name_type
)
def test_nothing_but_chat_and_publication_is_allowed_when_the_match_is_over(action: Action) -> None:
    match = MatchLog("liger-4")
    match.perform(FIRST, Resign())
    with expect_error("not-playing"):
        match.decide(SECOND, action)
    assert match.perform(SECOND, Chat(text="thank you")).type == "chat-posted"
    assert match.perform(SECOND, Publish()).type == "match-published"
    assert match.state.is_public
    with expect_error("already-public"):
        match.decide(FIRST, Publish())


def test_a_match_without_both_players_is_not_played() -> None:
    with expect_error("not-playing"):
        require_playing(initial_state(MatchConfig("tether-3", CLOCK)))


@pytest.mark.parametrize(
    "action", [action for action in EVERY_ACTION if not isinstance(action, Chat | Abort | Publish)], ids=name_type
)
def test_an_action_after_the_time_is_up_is_too_late(action: Action) -> None:
    match = MatchLog("tether-5", CLOCK)
    match.now = START_MS + 10_000
    with expect_error("too-late"):
        match.decide(FIRST, action)
    timeout = find_timeout(match.state, match.now)
    assert timeout is not None
    assert (timeout.type, timeout.seat) == ("timed-out", 0)
    match.now -= 1
    assert find_timeout(match.state, match.now) is None


def test_every_event_keeps_the_request_id_and_the_user() -> None:
    match = MatchLog("liger-4")
    first_move, second_move = match.state.position.moves()[0], None
    version = match.state.position_version
    result = [match.perform(FIRST, Move(move=first_move, position_version=version, request_id="move"))]
    second_move = match.state.position.moves()[0]
    match.play(second_move)
    result.append(match.perform(FIRST, RequestTakeback(event_seq=2, request_id="ask")))
    result.append(match.perform(SECOND, AnswerTakeback(event_seq=2, accept=False, request_id="answer")))
    result.append(match.perform(FIRST, OfferDraw(request_id="offer")))
    result.append(match.perform(SECOND, AnswerDraw(accept=False, request_id="decline")))
    result.append(match.perform(FIRST, Chat(text="hello", request_id="chat")))
    result.append(match.perform(SECOND, Resign(request_id="resign")))
    assert [(event.type, event.user_id, event.seat, event.request_id) for event in result] == [
        ("move-played", FIRST, 0, "move"),
        ("takeback-requested", FIRST, 0, "ask"),
        ("takeback-declined", SECOND, 1, "answer"),
        ("draw-offered", FIRST, 0, "offer"),
        ("draw-declined", SECOND, 1, "decline"),
        ("chat-posted", FIRST, 0, "chat"),
        ("resigned", SECOND, 1, "resign"),
    ]
    aborted = MatchLog().perform(SECOND, Abort(request_id="abort"))
    assert (aborted.type, aborted.user_id, aborted.seat, aborted.request_id) == ("aborted", SECOND, None, "abort")


def build_requests(number: int) -> list[Action]:
    """Return actions whose events are all different, also for different numbers."""
    return [
        Move(move=("c3", "b2")[number], position_version=1),
        RequestTakeback(event_seq=2 + number),
        AnswerTakeback(event_seq=2 + number, accept=False),
        OfferDraw(),
        AnswerDraw(accept=number == 0),
        Resign(),
        Abort(),
        Chat(text=f" {number}\n"),
    ]


EVENTS_OF_REQUESTS: list[tuple[EventType, dict[str, Any]]] = [
    ("move-played", {"move": "c3", "engine": {"version": "1"}}),
    ("takeback-requested", {"event_seq": 2}),
    ("takeback-declined", {"event_seq": 2}),
    ("draw-offered", {}),
    ("draw-accepted", {}),
    ("resigned", {}),
    ("aborted", {}),
    ("chat-posted", {"text": "0"}),
]


@pytest.mark.parametrize("index", range(len(EVENTS_OF_REQUESTS)), ids=[type_ for type_, _ in EVENTS_OF_REQUESTS])
def test_an_event_belongs_to_its_own_action_only(index: int) -> None:
    type_, data = EVENTS_OF_REQUESTS[index]
    event = MatchEvent(2, 0, type_, 0, FIRST, data)
    assert [is_event_of(event, action) for action in build_requests(0)] == [other == index for other in range(8)]
    is_same = type_ in ("draw-offered", "resigned", "aborted")
    assert [is_event_of(event, action) for action in build_requests(1)] == [is_same and other == index for other in range(8)]


def test_a_takeback_that_is_accepted_at_once_belongs_to_its_request_and_to_its_answer() -> None:
    event = MatchEvent(3, 0, "takeback-accepted", 0, FIRST, {"event_seq": 2})
    assert is_event_of(event, RequestTakeback(event_seq=2))
    assert is_event_of(event, AnswerTakeback(event_seq=2, accept=True))
    assert not is_event_of(event, AnswerTakeback(event_seq=2, accept=False))


# Moves


@pytest.mark.parametrize("version", [0, 1, 3])
def test_a_move_names_the_current_position(version: int) -> None:
    match = MatchLog()
    match.play("c3")
    with expect_error("stale"):
        match.decide(SECOND, Move(move="b2", position_version=version))
    assert match.decide(SECOND, Move(move="b2", position_version=2)).data == {"move": "b2"}


def test_events_that_leave_the_board_alone_make_no_move_stale() -> None:
    match = MatchLog()
    match.perform(SECOND, Chat(text="good luck"))
    assert match.state.position_version == 1
    match.perform(FIRST, Move(move="c3", position_version=1))
    assert match.state.position_version == 3


def test_only_the_user_to_move_moves() -> None:
    match = MatchLog()
    with expect_error("not-your-turn"):
        match.decide(SECOND, Move(move="c3", position_version=1))


def test_a_text_that_is_no_move_of_the_game_is_rejected_by_the_decision_and_an_illegal_move_by_the_rules() -> None:
    match = MatchLog()
    match.play("c3")
    with pytest.raises(MoveError):
        match.decide(SECOND, Move(move="z99", position_version=2))
    new = match.decide(SECOND, Move(move="c3", position_version=2))
    before = match.state
    with pytest.raises(IllegalMove) as illegal:
        match.append(new)
    assert illegal.value.reason == "taken"
    assert match.state is before


def test_the_move_of_a_built_in_bot_names_its_engine() -> None:
    match = MatchLog(seats=("level-1", SECOND))
    event = match.perform("level-1", Move(move="c3", position_version=1), engine_info={"version": "1"})
    assert event.data == {"move": "c3", "engine": {"version": "1"}}
    assert match.state.moves[0].engine_info == {"version": "1"}


# Takebacks


def test_a_takeback_is_requested_and_accepted() -> None:
    match = MatchLog()
    match.play("c3", "b2", "d4")
    match.perform(SECOND, RequestTakeback(event_seq=3))
    assert match.state.takeback == TakebackRequest(seat=1, event_seq=3)
    match.perform(FIRST, AnswerTakeback(event_seq=3, accept=True))
    assert [move.move for move in match.state.moves] == ["c3"]
    after = match.state
    assert (after.seat, after.takeback, after.position_version) == (1, None, after.seq)


def test_a_takeback_that_is_declined_changes_nothing_else() -> None:
    match = MatchLog()
    match.play("c3", "b2")
    before = match.state
    match.perform(FIRST, RequestTakeback(event_seq=2))
    match.perform(SECOND, AnswerTakeback(event_seq=2, accept=False))
    after = match.state
    assert (after.moves, after.position, after.takeback) == (before.moves, before.position, None)
    assert after.position_version == before.position_version


@pytest.mark.parametrize("seq", [1, 3, 9], ids=["start", "taken-back", "future"])
def test_only_moves_that_stand_can_be_taken_back(seq: int) -> None:
    match = MatchLog()
    match.play("c3", "b2")
    match.perform(SECOND, RequestTakeback(event_seq=3))
    match.perform(FIRST, AnswerTakeback(event_seq=3, accept=True))
    for user_id in (FIRST, SECOND):
        with expect_error("no-such-offer"):
            match.decide(user_id, RequestTakeback(event_seq=seq))


def test_moves_of_the_opponent_are_not_taken_back() -> None:
    match = MatchLog()
    match.play("c3", "b2")
    with expect_error("not-yours"):
        match.decide(FIRST, RequestTakeback(event_seq=3))


def test_an_answer_names_the_open_request_and_comes_from_the_opponent() -> None:
    match = MatchLog()
    match.play("c3", "b2")
    with expect_error("no-such-offer"):
        match.decide(SECOND, AnswerTakeback(event_seq=2, accept=True))
    match.perform(FIRST, RequestTakeback(event_seq=2))
    with expect_error("no-such-offer"):
        match.decide(SECOND, AnswerTakeback(event_seq=3, accept=True))
    with expect_error("not-yours"):
        match.decide(FIRST, AnswerTakeback(event_seq=2, accept=True))


def test_without_a_human_opponent_a_takeback_is_accepted_at_once() -> None:
    alone = MatchLog(seats=(FIRST, FIRST))
    alone.play("c3", "b2")
    assert alone.perform(FIRST, RequestTakeback(event_seq=3)).type == "takeback-accepted"
    assert [move.move for move in alone.state.moves] == ["c3"]
    against_bot = MatchLog(seats=(FIRST, "level-3"))
    against_bot.play("c3", "b2")
    event = against_bot.perform(FIRST, RequestTakeback(event_seq=2), opponent_is_bot=True)
    assert (event.type, against_bot.state.moves) == ("takeback-accepted", ())


@pytest.mark.parametrize("bot", ["level-3", SECOND])
def test_a_rated_match_with_a_bot_has_no_takebacks(bot: str) -> None:
    match = MatchLog(seats=(FIRST, bot), is_rated=True)
    match.play("c3", "b2")
    with expect_error("no-takebacks"):
        match.decide(FIRST, RequestTakeback(event_seq=2), opponent_is_bot=bot != SECOND, has_bot_in_match=True)
    with expect_error("no-takebacks"):
        match.decide(bot, RequestTakeback(event_seq=3), has_bot_in_match=True)
    assert match.decide(FIRST, RequestTakeback(event_seq=2)).type == "takeback-requested", "between people"


# Draws, resignation, abort


def test_a_game_without_draws_has_no_draw_offers() -> None:
    with expect_error("no-draws"):
        MatchLog("tether-5").decide(FIRST, OfferDraw())


def test_a_draw_is_offered_once_and_answered_by_the_opponent() -> None:
    match = MatchLog("liger-4")
    with expect_error("no-such-offer"):
        match.decide(SECOND, AnswerDraw(accept=True))
    match.perform(FIRST, OfferDraw())
    for user_id in (FIRST, SECOND):
        with expect_error("no-such-offer"):
            match.decide(user_id, OfferDraw())
    with expect_error("not-yours"):
        match.decide(FIRST, AnswerDraw(accept=True))
    match.perform(SECOND, AnswerDraw(accept=False))
    assert (match.state.draw_offered_by, match.state.status) == (None, "playing")
    match.perform(SECOND, OfferDraw())
    assert match.state.draw_offered_by == 1
    match.perform(FIRST, AnswerDraw(accept=True))
    assert match.state.result is not None
    assert (match.state.result.winner, match.state.result.reason) == (None, "agreement")


def test_a_draw_offer_lapses_when_the_opponent_moves() -> None:
    match = MatchLog("liger-4")
    match.perform(FIRST, OfferDraw())
    match.play(match.state.position.moves()[0])
    assert match.state.draw_offered_by == 0, "it stands after a move of the player who offered"
    match.play(match.state.position.moves()[0])
    assert match.state.draw_offered_by is None


@pytest.mark.parametrize(("user_id", "winner"), [(FIRST, 1), (SECOND, 0)])
def test_a_player_who_resigns_loses_also_when_the_opponent_is_to_move(user_id: str, winner: int) -> None:
    match = MatchLog()
    match.perform(user_id, Resign())
    assert match.state.result is not None
    assert (match.state.result.winner, match.state.result.reason) == (winner, "resign")


def test_a_player_of_both_seats_resigns_for_the_seat_to_move() -> None:
    match = MatchLog(seats=(FIRST, FIRST))
    match.play("c3")
    assert match.perform(FIRST, Resign()).seat == 1


def test_a_match_can_be_aborted_until_both_have_moved() -> None:
    match = MatchLog()
    match.play("c3")
    assert match.decide(FIRST, Abort()).type == "aborted"
    match.play("b2")
    with expect_error("too-late") as caught:
        match.decide(FIRST, Abort())
    assert caught.value.details == {"limit": 2}


# Chat and the form of actions


def test_chat_has_no_control_characters() -> None:
    match = MatchLog()
    assert match.decide(FIRST, Chat(text="\x07 one\ntwo ")).data == {"text": "one two"}
    with expect_error("bad-request"):
        match.decide(FIRST, Chat(text="\n\x00"))


@pytest.mark.parametrize("action", EVERY_ACTION, ids=name_type)
def test_an_action_is_read_from_its_json(action: Action) -> None:
    assert ACTION_ADAPTER.validate_json(action.model_dump_json()) == action


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "dance"},
        {"type": "move", "move": "c3"},
        {"type": "move", "move": "", "position_version": 1},
        {"type": "move", "move": "c" * 41, "position_version": 1},
        {"type": "move", "move": "c3", "position_version": -1},
        {"type": "request-takeback", "event_seq": 0},
        {"type": "answer-draw"},
        {"type": "chat", "text": "x" * (MAX_CHAT_LENGTH + 1)},
        {"type": "resign", "request_id": ""},
        {"type": "resign", "request_id": "x" * 65},
        {"type": "resign", "extra": 1},
    ],
    ids=str,
)
def test_an_action_with_wrong_fields_is_rejected(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ACTION_ADAPTER.validate_python(wrong)


# Sequences

STEPS = st.lists(
    st.tuples(
        st.sampled_from([FIRST, SECOND, SPECTATOR]),
        st.sampled_from(["move"] * 5 + ["ask", "answer", "offer", "reply", "chat", "resign", "abort", "wait"]),
        st.integers(0, 12),
    ),
    max_size=30,
)


def build_action(match: MatchLog, kind: str, number: int) -> Action | None:
    """Return an action that is often allowed; None lets only time pass."""
    moves = match.state.position.moves() or ["a1"]
    version = match.state.position_version - (number == 0)
    requested = match.state.takeback.event_seq if match.state.takeback is not None else number + 1
    built: dict[str, Action] = {
        "move": Move(move=moves[number % len(moves)], position_version=max(0, version)),
        "ask": RequestTakeback(event_seq=number + 1),
        "answer": AnswerTakeback(event_seq=requested, accept=number % 2 == 0),
        "offer": OfferDraw(),
        "reply": AnswerDraw(accept=number > 9),
        "chat": Chat(text="hello"),
        "resign": Resign(),
        "abort": Abort(),
    }
    return built.get(kind)


def perform_or_reject(match: MatchLog, user_id: str, action: Action) -> None:
    """Perform an action; a rejected one must have a known code, and a timeout is appended as the service does."""
    try:
        match.perform(user_id, action)
    except ApiError as error:
        assert error.code in EVERY_CODE
        timeout = find_timeout(match.state, match.now)
        if error.code == "too-late" and timeout is not None:
            match.append(timeout)


@given(spec=st.sampled_from(["liger-4", "tether-3", "lariat-1x2-pie"]), steps=STEPS)
def test_the_state_after_any_actions_is_that_of_its_events(spec: str, steps: list[tuple[str, str, int]]) -> None:
    match = MatchLog(spec, CLOCK)
    for user_id, kind, number in steps:
        match.now += 100 * number
        action = build_action(match, kind, number)
        if action is not None and not (kind in ("resign", "abort") and number < 10):
            perform_or_reject(match, user_id, action)
        state = match.state
        assert replay_events(state.config, match.events) == state
        assert [event.seq for event in match.events] == list(range(1, state.seq + 1))
        assert state.position.steps() == [move.move for move in state.moves]
        assert (state.status == "over") == (state.result is not None)
        assert (state.clocks.seat is None) == (state.status == "over"), "the clock of the seat to move runs"
        assert state.clocks.seat == state.seat
        assert not (state.status == "over" and (state.takeback or state.draw_offered_by is not None))
        assert state.position_version in [event.seq for event in match.events if event.type in BOARD_EVENTS]


def test_an_event_of_a_decision_has_no_seq_or_time() -> None:
    assert MatchLog().decide(FIRST, Resign()) == NewEvent("resigned", 0, FIRST, {}, None)
