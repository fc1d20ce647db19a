"""The command `ropewalk analysis`: its JSON protocol over standard input and output."""

from __future__ import annotations

import json
import random
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import ropewalk
from ropewalk.engine.stdio import MAX_LINE_BYTES
from tests.support.command_runner import call_ropewalk as command
from tests.support.engine_process import EngineProcess, exit_after_broken_pipe

MAX_DELAY_SECONDS = 5.0  # on an idle machine it is a hundredth of a second
UNLIMITED_VISITS = 10**9
WINS_NEXT = "rb2b/rbb1b/b1rrb/rr1r1/r1rrb red"
LOSES_NEXT = "rb2b/rbb1b/2rrb/rr1r1/r1rrb blue"
WON = "rb1rb/rbb1b/b1rrb/rr1r1/r1rrb blue"


@pytest.fixture(scope="module")
def engine_process() -> Iterator[EngineProcess]:
    with EngineProcess("analysis", "tether-5", "liger-4", "--workers", "1", "--level", "4", "--queue", "5") as engine:
        yield engine


@pytest.fixture
def engine(engine_process: EngineProcess) -> EngineProcess:
    engine_process.send_query(id="before", action="terminate_all")
    while engine_process.read_response()["id"] != "before":
        pass
    engine_process.send_query(id="settled", spec="tether-5", visits=1)
    while engine_process.read_response()["id"] != "settled":
        pass
    return engine_process


def random_moves(spec: str, rng: random.Random) -> list[str]:
    position = ropewalk.game(spec).start()
    for _ in range(rng.randrange(7)):
        position = position.play(rng.choice(position.moves()))
    return position.steps()


def test_a_thousand_positions_are_each_answered_once_before_it_ends() -> None:
    rng = random.Random(1)
    queries = {}
    for number in range(1000):
        spec = "tether-5" if number % 4 else "lariat-1x2"
        queries[f"q{number}"] = {"spec": spec, "moves": random_moves(spec, rng), "visits": 40, "lines": 2}
    with EngineProcess("analysis", "tether-5", "lariat-1x2", "--workers", "3") as engine:
        engine.send(*(json.dumps({"id": name} | query) for name, query in queries.items()))
        responses = {response["id"]: response for response in map(json.loads, engine.close_input())}
        assert (engine.exit_code, engine.read_stderr()) == (0, "")
    assert responses.keys() == queries.keys()
    for name, query in queries.items():
        position = replay_query(query)
        response = responses[name]
        assert (response["isDuringSearch"], response["spec"], response["seat"]) == (False, query["spec"], position.seat)
        assert all(line["move"] in position.moves() for line in response["lines"])
        assert len(response["lines"]) <= 2
    same = Counter(json.dumps(query) for query in queries.values()).most_common(1)[0][0]
    equal_responses = [responses[name] for name, query in queries.items() if json.dumps(query) == same]
    assert len(equal_responses) > 1
    assert len({json.dumps(response["lines"]) for response in equal_responses}) == 1, (
        "equal queries must get equal responses"
    )


def replay_query(query: dict[str, Any]) -> ropewalk.Position:
    position = ropewalk.game(query["spec"]).start()
    for move in query["moves"]:
        position = position.play(move)
    return position


def test_an_answer_in_full(engine: EngineProcess) -> None:
    engine.send_query(id="a", spec="Tether-5", position="5/5/2r2/5/5 blue", moves=["d3"], visits=300)
    response = engine.read_response()
    assert response.keys() == {
        "id", "isDuringSearch", "spec", "seat", "colour", "value", "certainty", "visits", "seconds", "lines"
    }  # fmt: skip
    assert (response["spec"], response["seat"], response["colour"], response["visits"]) == ("tether-5", 0, "red", 300)
    assert response["certainty"] == "estimate"
    assert response["value"] == response["lines"][0]["value"]
    assert len(response["lines"]) == 5
    assert response["lines"][0].keys() == {"move", "value", "certainty", "visits", "moves"}
    assert response["lines"][0]["moves"][0] == response["lines"][0]["move"]


def test_a_value_is_the_movers_and_proven_when_it_is(engine: EngineProcess) -> None:
    for seat, text in enumerate([WINS_NEXT, LOSES_NEXT]):
        engine.send_query(id="p", spec="tether-5", position=text, visits=20_000, lines=1)
        response = engine.read_response()
        assert (response["seat"], response["certainty"], response["value"]) == (seat, "proven", 1 - seat), response


def test_several_positions_of_a_line_are_analysed_in_one_query(engine: EngineProcess) -> None:
    common = {"spec": "tether-5", "visits": 60, "lines": 20, "seed": 3}
    engine.send_query(id="all", moves=["c3", "b2", "d4"], analyse_moves=[3, 0], **common)
    response = engine.read_response()
    assert [entry["moveNumber"] for entry in response["positions"]] == [3, 0]
    for entry, moves in zip(response["positions"], (["c3", "b2", "d4"], []), strict=True):
        engine.send_query(id="one", moves=moves, **common)
        single = engine.read_response()
        assert all(entry[key] == single[key] for key in ("seat", "colour", "value", "visits", "lines"))
        assert len(entry["lines"]) == 20


def test_only_the_moves_that_are_allowed_and_not_avoided_are_searched(engine: EngineProcess) -> None:
    engine.send_query(id="a", spec="tether-5", visits=60, lines=20, allow_moves=["a1", "b2", "c3"], avoid_moves=["b2"])
    assert {line["move"] for line in engine.read_response()["lines"]} == {"a1", "c3"}
    engine.send_query(id="a", spec="tether-5", position=WINS_NEXT, visits=20_000)
    response = engine.read_response()
    winning = [line["move"] for line in response["lines"] if line["value"] == 1 and line["certainty"] == "proven"]
    assert (response["value"], response["certainty"]) == (1, "proven")
    engine.send_query(id="a", spec="tether-5", position=WINS_NEXT, visits=500, avoid_moves=winning)
    response = engine.read_response()
    assert not {line["move"] for line in response["lines"]} & set(winning)
    assert (response["value"], response["certainty"]) == (response["lines"][0]["value"], response["lines"][0]["certainty"])


def test_the_policy_and_the_ownership_of_the_net_are_included(engine: EngineProcess) -> None:
    engine.send_query(id="a", spec="tether-5", moves=["c3"], visits=20, include_policy=True, include_ownership=True)
    response = engine.read_response()
    position = ropewalk.game("tether-5").start().play("c3")
    assert list(response["policy"]) == position.moves()
    assert sum(response["policy"].values()) == pytest.approx(1, abs=0.01)
    assert list(response["ownership"]) == list(position.game.board.names)
    assert response["ownership"]["c3"] < 0, "the stone of the opponent"
    assert all(-1 <= owner <= 1 for owner in response["ownership"].values())


@pytest.mark.parametrize(
    ("line", "name", "code", "message"),
    [
        ("garbage", None, "not-json", "expected a JSON object on one line"),
        (b"\xff\xfe\x00", None, "not-json", "expected a JSON object"),
        ("[1, 2]", None, "not-json", "expected a JSON object"),
        ("[" * 100_000, None, "not-json", "expected a JSON object"),
        ('{"id": "a", "visits": NaN}', None, "not-json", "NaN is not valid JSON"),
        ('{"id": "a", "visits": 1' + "0" * 5000 + "}", None, "not-json", "expected a JSON object"),
        (b"x" * (MAX_LINE_BYTES + 1), None, "line-too-long", f"at most {MAX_LINE_BYTES} bytes"),
        ('{"spec": "tether-5"}', None, "bad-id", 'missing field "id"'),
        ('{"id": 7, "spec": "tether-5"}', None, "bad-id", "a string of 1 to 200 characters"),
        ('{"id": "a", "spec": "tether-5", "visit": 9}', "a", "unknown-field", "did you mean visits?"),
        ('{"id": "a", "spec": "tether-5", "visits": 0}', "a", "bad-field", "an integer from 1 to"),
        ('{"id": "a", "spec": "tether-5", "visits": true}', "a", "bad-field", "an integer from 1 to"),
        ('{"id": "a", "spec": "tether-5", "seconds": -1}', "a", "bad-field", "a number of seconds from"),
        ('{"id": "a", "spec": "tether-5", "lines": 21}', "a", "bad-field", "an integer from 0 to 20"),
        ('{"id": "a", "spec": "tether-5", "analyse_moves": []}', "a", "bad-field", "a list of 1 to 1000 integers"),
        ('{"id": "a", "spec": "tether-5", "analyse_moves": [1]}', "a", "bad-field", "the query has only 0 moves"),
        ('{"id": "a", "spec": "tether-5", "allow_moves": []}', "a", "bad-field", "a list of 1 to 10000 moves"),
        ('{"id": "a", "spec": "tether-5", "avoid_moves": "c3"}', "a", "bad-field", "a list of at most 10000 strings"),
        ('{"id": "a", "spec": "tether-5", "allow_moves": ["z9"]}', "a", "bad-move", "\"allow_moves\": 'z9' is not a move"),
        ('{"id": "a", "spec": "tether-5", "allow_moves": ["c3"], "avoid_moves": ["c3"]}', "a", "bad-field", "no move is"),
        ('{"id": "a", "spec": "tether-5", "moves": ["c3"], "avoid_moves": ["c3"]}', "a", "illegal-move", "c3 already has"),
        ('{"id": "a", "spec": "tether-5", "include_policy": 1}', "a", "bad-field", "true or false"),
        ('{"id": "a", "spec": "liger-4", "include_ownership": true}', "a", "bad-field", "Liger has no ownership"),
        ('{"id": "a", "spec": "tether-5", "moves": "c3"}', "a", "bad-field", "a list of at most 10000 strings"),
        ('{"id": "a", "spec": "tether-5", "moves": [1]}', "a", "bad-field", "a list of at most 10000 strings"),
        ('{"id": "a"}', "a", "bad-spec", 'missing field "spec", one of tether-5, liger-4'),
        ('{"id": "a", "spec": "tehter-5"}', "a", "bad-spec", "did you mean tether?"),
        ('{"id": "a", "spec": "tether-7"}', "a", "spec-not-served", "the served games are tether-5, liger-4"),
        ('{"id": "a", "spec": "tether-5", "position": "5/5 red"}', "a", "bad-position", "rows"),
        ('{"id": "a", "spec": "tether-5", "moves": ["c3", "z9"]}', "a", "bad-move", "move 2 (z9): 'z9' is not a move"),
        ('{"id": "a", "spec": "tether-5", "moves": ["c3", "c3"]}', "a", "illegal-move", "move 2 (c3): c3 already has"),
        (f'{{"id": "a", "spec": "tether-5", "position": "{WON}"}}', "a", "game-over", "the game is over: "),
        ('{"id": "a", "action": "terminat"}', "a", "unknown-action", "did you mean terminate"),
        ('{"id": "a", "action": []}', "a", "unknown-action", "unknown action '[]'"),
        ('{"id": "a", "action": "choose_move", "lines": 2}', "a", "unknown-field", "allowed are id, action, spec"),
        ('{"id": "a", "action": "warm_up", "moves": []}', "a", "unknown-field", "allowed are id, action, spec"),
        ('{"id": "a", "spec": "tether-5", "level": 0}', "a", "bad-field", "an integer from 1 to"),
        ('{"id": "a", "spec": "tether-5", "seed": -1}', "a", "bad-field", "an integer from 0 to 2147483647"),
        ('{"id": "a", "action": "terminate"}', "a", "bad-field", 'missing field "terminateId"'),
        ('{"id": "a", "action": "terminate_all", "visits": 3}', "a", "unknown-field", "allowed are id, action"),
    ],
)  # fmt: skip
def test_a_wrong_line_gets_a_code_and_the_next_is_heard(
    engine: EngineProcess, line: str | bytes, name: str | None, code: str, message: str
) -> None:
    engine.send(line)
    response = engine.read_response()
    assert (response["id"], response["code"]) == (name, code)
    assert message in response["error"]
    assert len(response["error"]) < 400
    engine.send("", '{"id": "v", "action": "query_version"}')
    assert engine.read_response()["id"] == "v"


def test_whatever_is_said_it_goes_on(engine: EngineProcess) -> None:
    rng = random.Random(0)
    names = ["spec", "position", "moves", "visits", "seconds", "lines", "priority", "action", "terminateId", "\u20ac"]
    names += ["level", "seed"]
    values: list[Any] = [None, True, 1, -1, 0.5, 1e300, "", "tether-5", "liger-4", "terminate", "choose_move", "c3"]
    values += [[], ["c3"], ["c3", 1], {}, {"a": []}]
    for number in range(300):
        query = {name: rng.choice(values) for name in rng.sample(names, k=rng.randrange(4))}
        line = json.dumps({"id": f"q{number}"} | query)
        cut = rng.randrange(len(line) + 1)
        engine.send(line, line[:cut] + line[cut + 1 :])
    engine.send_query(id="end", action="terminate_all")
    responses = [engine.read_response()]
    while responses[-1]["id"] != "end":
        responses.append(engine.read_response())
    assert {response.get("code") for response in responses} >= {None, "not-json", "bad-field", "bad-spec", "unknown-field"}
    assert "internal" not in {response.get("code") for response in responses}


def test_an_illegal_move_has_the_reason_of_the_rules(engine: EngineProcess) -> None:
    engine.send_query(id="a", spec="tether-5", moves=["c3", "c3"])
    response = engine.read_response()
    assert (response["field"], response["reason"]) == ("moves", "taken")


def test_the_version_and_what_is_served(engine: EngineProcess) -> None:
    engine.send_query(id="v", action="query_version")
    assert engine.read_response() == {
        "id": "v",
        "action": "query_version",
        "version": ropewalk.__version__,
        "specs": ["tether-5", "liger-4"],
        "level": 4,
        "workers": 1,
    }


def test_a_query_names_its_level_and_its_seed(engine: EngineProcess) -> None:
    for number, (level, seed) in enumerate([(5, 0), (5, 0), (5, 1), (1, 0)]):
        engine.send_query(id=f"q{number}", spec="tether-5", moves=["c3"], level=level, seed=seed, visits=200)
    first, again, other_seed, other_level = [engine.read_response()["lines"] for _ in range(4)]
    assert first == again
    assert other_seed != first != other_level
    engine.send_query(id="a", spec="liger-4", level=9, visits=5)
    response = engine.read_response()
    assert (response["code"], response["field"]) == ("bad-field", "level")
    assert response["error"] == "invalid level 9; Liger has levels 1 to 8"


def test_a_chosen_move_is_that_of_the_level(engine: EngineProcess) -> None:
    player = ropewalk.bot(ropewalk.game("tether-5"), 4)
    position = ropewalk.game("tether-5").start().play("c3")
    for seed in range(3):
        player.new_game(seed)
        engine.send_query(id="m", action="choose_move", spec="tether-5", moves=["c3"], level=4, seed=seed)
        assert engine.read_response() == {
            "id": "m",
            "action": "choose_move",
            "isDuringSearch": False,
            "spec": "tether-5",
            "seat": 1,
            "colour": "blue",
            "move": player.choose(position),
            "engine": {"version": ropewalk.__version__},
        }
    player.close()


def test_a_chosen_move_names_the_net_and_keeps_to_its_time(engine: EngineProcess) -> None:
    engine.send_query(id="m", action="choose_move", spec="liger-4", level=8, seconds=0.2)
    response = engine.read_response()
    assert response["move"] in ropewalk.game("liger-4").start().moves()
    assert len(response["engine"]["net"]) == 64
    assert "terminated" not in response, "a time limit is no cancellation"


def test_a_move_that_is_being_chosen_is_terminated(engine: EngineProcess) -> None:
    engine.send_query(id="m", action="choose_move", spec="tether-5", level=7)
    sent_at = engine.send_query(id="t", action="terminate", terminateId="m")
    assert read_final(engine, "t")["terminated"] == 1
    assert read_final(engine, "m")["terminated"]
    assert engine.received_at - sent_at < MAX_DELAY_SECONDS


def test_kernels_are_compiled_in_advance(engine: EngineProcess) -> None:
    engine.send_query(id="w", action="warm_up", spec="liger-4")
    response = engine.read_response()
    assert (response["action"], response["spec"]) == ("warm_up", "liger-4")
    assert tuple(response["levels"]) == ropewalk.game("liger-4").definition.bots.first_of_each_kind()


def test_reports_while_it_thinks(engine: EngineProcess) -> None:
    engine.send_query(id="a", spec="tether-5", seconds=1.5, reportDuringSearchEvery=0.2, lines=1)
    responses = [engine.read_response()]
    while responses[-1]["isDuringSearch"]:
        responses.append(engine.read_response())
    assert len(responses) > 1
    assert {response["id"] for response in responses} == {"a"}
    visits = [response["visits"] for response in responses]
    assert visits == sorted(visits)


def start_endless_query(engine: EngineProcess, spec: str = "tether-5") -> None:
    """Occupy the only worker with an endless search, and wait until it has started."""
    engine.send_query(id="endless", spec=spec, visits=UNLIMITED_VISITS, reportDuringSearchEvery=0.001, lines=0)
    assert engine.read_response()["isDuringSearch"]


def read_final(engine: EngineProcess, name: str) -> dict[str, Any]:
    """Return the next final response and assert its id; reports during a search are skipped."""
    while (response := engine.read_response()).get("isDuringSearch"):
        pass
    assert response["id"] == name, response
    return response


@pytest.mark.parametrize("spec", ["tether-5", "liger-4"])
def test_terminate_ends_a_search_soon_with_what_is_known(engine: EngineProcess, spec: str) -> None:
    start_endless_query(engine, spec)
    sent_at = engine.send_query(id="t", action="terminate", terminateId="endless")
    assert read_final(engine, "t") == {"id": "t", "action": "terminate", "terminateId": "endless", "terminated": 1}
    response = read_final(engine, "endless")
    assert engine.received_at - sent_at < MAX_DELAY_SECONDS
    assert response["terminated"]
    assert response["visits"] > 0


def test_terminate_of_what_only_waits_or_is_not_there(engine: EngineProcess) -> None:
    start_endless_query(engine)
    engine.send_query(id="waits", spec="tether-5", visits=5)
    engine.send_query(id="t", action="terminate", terminateId="waits")
    assert read_final(engine, "t")["terminated"] == 1
    assert read_final(engine, "waits") == {"id": "waits", "isDuringSearch": False, "noResults": True, "terminated": True}
    engine.send_query(id="u", action="terminate", terminateId="waits")
    assert read_final(engine, "u")["terminated"] == 0


def test_terminate_all(engine: EngineProcess) -> None:
    start_endless_query(engine)
    for name in "abc":
        engine.send_query(id=name, spec="tether-5", visits=5)
    engine.send_query(id="t", action="terminate_all")
    assert read_final(engine, "t")["terminated"] == 4
    ended: dict[str, Any] = {}
    while len(ended) < 4:
        response = engine.read_response()
        ended |= {} if response["isDuringSearch"] else {response["id"]: response}
    assert ended.keys() == {"a", "b", "c", "endless"}
    assert all(response["terminated"] for response in ended.values())
    assert [name for name in ended if ended[name].get("noResults")] == ["a", "b", "c"]


def test_the_urgent_come_first_and_equals_in_order(engine: EngineProcess) -> None:
    start_endless_query(engine)
    for name, priority in [("low", -1), ("first", 0), ("second", 0), ("high", 3)]:
        engine.send_query(id=name, spec="tether-5", visits=5, priority=priority)
    engine.send_query(id="t", action="terminate", terminateId="endless")
    read_final(engine, "t")
    read_final(engine, "endless")
    assert [engine.read_response()["id"] for _ in range(4)] == ["high", "first", "second", "low"]


def test_a_full_queue_says_how_much_it_holds(engine: EngineProcess) -> None:
    start_endless_query(engine)
    for number in range(6):
        engine.send_query(id=f"q{number}", spec="tether-5", visits=5)
    response = read_final(engine, "q5")
    assert response["code"] == "queue-full"
    assert response["error"].startswith("the queue is full (5 queries)")


def test_an_id_is_free_again_when_its_query_is_answered(engine: EngineProcess) -> None:
    start_endless_query(engine)
    engine.send_query(id="endless", spec="tether-5", visits=5)
    assert read_final(engine, "endless")["code"] == "duplicate-id"
    engine.send_query(id="t", action="terminate_all")
    read_final(engine, "t")
    read_final(engine, "endless")
    for _ in range(20):
        engine.send_query(id="again", spec="tether-5", visits=5)
        assert engine.read_response()["visits"] == 5


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals to send")
@pytest.mark.parametrize(
    ("number", "code", "message"), [(signal.SIGINT, 130, "ropewalk: interrupted"), (signal.SIGTERM, 143, "")]
)
def test_a_signal_has_everything_answered(number: signal.Signals, code: int, message: str) -> None:
    with EngineProcess("analysis", "tether-5", "--workers", "2") as engine:
        for name in "ab":
            engine.send_query(id=name, visits=UNLIMITED_VISITS, reportDuringSearchEvery=0.1, lines=0)
        while {response["id"] for response in (engine.read_response(), engine.read_response())} != {"a", "b"}:
            pass
        engine.send_query(id="c", visits=5)
        engine.send_query(id="v", action="query_version")
        while engine.read_response()["id"] != "v":
            pass
        engine.process.send_signal(number)
        responses = [json.loads(line) for line in engine.read_to_end()]
        assert sorted(response["id"] for response in responses if not response["isDuringSearch"]) == ["a", "b", "c"]
        assert (engine.exit_code, engine.read_stderr()) == (code, message)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close differently there")
def test_it_ends_when_nobody_listens() -> None:
    query = json.dumps({"id": "a", "visits": UNLIMITED_VISITS, "reportDuringSearchEvery": 0.001})
    assert exit_after_broken_pipe(query, "analysis", "tether-5", "--workers", "2") == (141, "")


@pytest.mark.parametrize(
    "argv", [[], ["tehter"], ["tether-5", "--workers", "0"], ["tether-5", "--queue", "0"], ["liger"] * 17]
)
def test_wrong_words_on_the_command_line(argv: list[str]) -> None:
    result = command("analysis", *argv)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
