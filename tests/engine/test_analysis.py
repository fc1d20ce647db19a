"""`ropewalk analysis` as other programs use it."""

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

from ..cli.commands import ropewalk as command
from .talking import Talk, ended_unheard

SOON = 5.0  # seconds, where a quiet machine needs a hundredth of one
LONG = 10**9  # visits
WINS_NEXT = "rb2b/rbb1b/b1rrb/rr1r1/r1rrb red"
LOSES_NEXT = "rb2b/rbb1b/2rrb/rr1r1/r1rrb blue"
WON = "rb1rb/rbb1b/b1rrb/rr1r1/r1rrb blue"


@pytest.fixture(scope="module")
def running() -> Iterator[Talk]:
    with Talk("analysis", "tether-5", "liger-4", "--workers", "1", "--level", "3", "--queue", "5") as talk:
        yield talk


@pytest.fixture
def talk(running: Talk) -> Talk:
    running.ask(id="before", action="terminate_all")
    while running.answer()["id"] != "before":
        pass
    running.ask(id="settled", spec="tether-5", visits=1)
    while running.answer()["id"] != "settled":
        pass
    return running


def random_moves(spec: str, chance: random.Random) -> list[str]:
    position = ropewalk.game(spec).start()
    for _ in range(chance.randrange(7)):
        position = position.play(chance.choice(position.moves()))
    return position.steps()


def test_a_thousand_positions_are_each_answered_once_before_it_ends() -> None:
    chance = random.Random(1)
    queries = {}
    for number in range(1000):
        spec = "tether-5" if number % 4 else "lariat-1x2"
        queries[f"q{number}"] = {"spec": spec, "moves": random_moves(spec, chance), "visits": 40, "lines": 2}
    with Talk("analysis", "tether-5", "lariat-1x2", "--workers", "3") as talk:
        talk.say(*(json.dumps({"id": name} | query) for name, query in queries.items()))
        answers = {answer["id"]: answer for answer in map(json.loads, talk.end())}
        assert (talk.code, talk.complaints()) == (0, "")
    assert answers.keys() == queries.keys()
    for name, query in queries.items():
        position = after(query)
        answer = answers[name]
        assert (answer["isDuringSearch"], answer["spec"], answer["seat"]) == (False, query["spec"], position.seat)
        assert all(line["move"] in position.moves() for line in answer["lines"])
        assert len(answer["lines"]) <= 2
    same = Counter(json.dumps(query) for query in queries.values()).most_common(1)[0][0]
    twins = [answers[name] for name, query in queries.items() if json.dumps(query) == same]
    assert len(twins) > 1
    assert len({json.dumps(twin["lines"]) for twin in twins}) == 1, "the same question has the same answer"


def after(query: dict[str, Any]) -> ropewalk.Position:
    position = ropewalk.game(query["spec"]).start()
    for move in query["moves"]:
        position = position.play(move)
    return position


def test_an_answer_in_full(talk: Talk) -> None:
    talk.ask(id="a", spec="Tether-5", position="5/5/2r2/5/5 blue", moves=["d3"], visits=300)
    answer = talk.answer()
    assert answer.keys() == {
        "id", "isDuringSearch", "spec", "seat", "colour", "value", "kind", "visits", "seconds", "lines"
    }  # fmt: skip
    assert (answer["spec"], answer["seat"], answer["colour"], answer["visits"]) == ("tether-5", 0, "red", 300)
    assert answer["kind"] == "estimate"
    assert answer["value"] == answer["lines"][0]["value"]
    assert len(answer["lines"]) == 5
    assert answer["lines"][0].keys() == {"move", "value", "kind", "visits", "moves"}
    assert answer["lines"][0]["moves"][0] == answer["lines"][0]["move"]


def test_a_value_is_the_movers_and_proven_when_it_is(talk: Talk) -> None:
    for seat, text in enumerate([WINS_NEXT, LOSES_NEXT]):
        talk.ask(id="p", spec="tether-5", position=text, visits=20_000, lines=1)
        answer = talk.answer()
        assert (answer["seat"], answer["kind"], answer["value"]) == (seat, "proven", 1 - seat), answer


@pytest.mark.parametrize(
    ("line", "name", "code", "words"),
    [
        ("garbage", None, "not-json", "a query is a JSON object in one line"),
        (b"\xff\xfe\x00", None, "not-json", "a query is a JSON object"),
        ("[1, 2]", None, "not-json", "a query is a JSON object"),
        ("[" * 100_000, None, "not-json", "a query is a JSON object"),
        ('{"id": "a", "visits": NaN}', None, "not-json", "NaN is not JSON"),
        ('{"id": "a", "visits": 1' + "0" * 5000 + "}", None, "not-json", "a query is a JSON object"),
        (b"x" * (MAX_LINE_BYTES + 1), None, "line-too-long", f"at most {MAX_LINE_BYTES} bytes"),
        ('{"spec": "tether-5"}', None, "bad-id", 'needs an "id"'),
        ('{"id": 7, "spec": "tether-5"}', None, "bad-id", "a text of 1 to 200 characters"),
        ('{"id": "a", "spec": "tether-5", "visit": 9}', "a", "unknown-field", "did you mean visits?"),
        ('{"id": "a", "spec": "tether-5", "visits": 0}', "a", "bad-field", "a whole number from 1 to"),
        ('{"id": "a", "spec": "tether-5", "visits": true}', "a", "bad-field", "a whole number from 1 to"),
        ('{"id": "a", "spec": "tether-5", "seconds": -1}', "a", "bad-field", "a number of seconds from"),
        ('{"id": "a", "spec": "tether-5", "lines": 6}', "a", "bad-field", "a whole number from 0 to 5"),
        ('{"id": "a", "spec": "tether-5", "moves": "c3"}', "a", "bad-field", "a list of at most 10000 texts"),
        ('{"id": "a", "spec": "tether-5", "moves": [1]}', "a", "bad-field", "a list of at most 10000 texts"),
        ('{"id": "a"}', "a", "bad-spec", 'needs a "spec", one of tether-5, liger-4'),
        ('{"id": "a", "spec": "tehter-5"}', "a", "bad-spec", "did you mean tether?"),
        ('{"id": "a", "spec": "tether-7"}', "a", "spec-not-served", "'tether-7' is not served here: tether-5, liger-4"),
        ('{"id": "a", "spec": "tether-5", "position": "5/5 red"}', "a", "bad-position", "rows"),
        ('{"id": "a", "spec": "tether-5", "moves": ["c3", "z9"]}', "a", "bad-move", "move 2 (z9): 'z9' is not a move"),
        ('{"id": "a", "spec": "tether-5", "moves": ["c3", "c3"]}', "a", "illegal-move", "move 2 (c3): c3 already has"),
        (f'{{"id": "a", "spec": "tether-5", "position": "{WON}"}}', "a", "game-over", "the game is over: "),
        ('{"id": "a", "action": "terminat"}', "a", "unknown-action", "did you mean terminate"),
        ('{"id": "a", "action": []}', "a", "unknown-action", "is no action"),
        ('{"id": "a", "action": "terminate"}', "a", "bad-field", 'needs the "terminateId"'),
        ('{"id": "a", "action": "terminate_all", "visits": 3}', "a", "unknown-field", "is no field here: id, action"),
    ],
)  # fmt: skip
def test_a_wrong_line_gets_a_code_and_the_next_is_heard(
    talk: Talk, line: str | bytes, name: str | None, code: str, words: str
) -> None:
    talk.say(line)
    answer = talk.answer()
    assert (answer["id"], answer["code"]) == (name, code)
    assert words in answer["error"]
    assert len(answer["error"]) < 400
    talk.say("", '{"id": "v", "action": "query_version"}')
    assert talk.answer()["id"] == "v"


def test_whatever_is_said_it_goes_on(talk: Talk) -> None:
    chance = random.Random(0)
    names = ["spec", "position", "moves", "visits", "seconds", "lines", "priority", "action", "terminateId", "\u20ac"]
    values: list[Any] = [None, True, 1, -1, 0.5, 1e300, "", "tether-5", "liger-4", "terminate", "c3"]
    values += [[], ["c3"], ["c3", 1], {}, {"a": []}]
    for number in range(300):
        query = {name: chance.choice(values) for name in chance.sample(names, k=chance.randrange(4))}
        line = json.dumps({"id": f"q{number}"} | query)
        cut = chance.randrange(len(line) + 1)
        talk.say(line, line[:cut] + line[cut + 1 :])
    talk.ask(id="end", action="terminate_all")
    answers = [talk.answer()]
    while answers[-1]["id"] != "end":
        answers.append(talk.answer())
    assert {answer.get("code") for answer in answers} >= {None, "not-json", "bad-field", "bad-spec", "unknown-field"}
    assert "internal" not in {answer.get("code") for answer in answers}


def test_an_illegal_move_has_the_reason_of_the_rules(talk: Talk) -> None:
    talk.ask(id="a", spec="tether-5", moves=["c3", "c3"])
    answer = talk.answer()
    assert (answer["field"], answer["reason"]) == ("moves", "taken")


def test_the_version_and_what_is_served(talk: Talk) -> None:
    talk.ask(id="v", action="query_version")
    assert talk.answer() == {
        "id": "v",
        "action": "query_version",
        "version": ropewalk.__version__,
        "specs": ["tether-5", "liger-4"],
        "level": 3,
        "workers": 1,
    }


def test_reports_while_it_thinks(talk: Talk) -> None:
    talk.ask(id="a", spec="tether-5", seconds=1.5, reportDuringSearchEvery=0.2, lines=1)
    answers = [talk.answer()]
    while answers[-1]["isDuringSearch"]:
        answers.append(talk.answer())
    assert len(answers) > 1
    assert {answer["id"] for answer in answers} == {"a"}
    visits = [answer["visits"] for answer in answers]
    assert visits == sorted(visits)


def begin_endless(talk: Talk, spec: str = "tether-5") -> None:
    """Have the one worker think for ever, and be sure that it does."""
    talk.ask(id="endless", spec=spec, visits=LONG, reportDuringSearchEvery=0.001, lines=0)
    assert talk.answer()["isDuringSearch"]


def final(talk: Talk, name: str) -> dict[str, Any]:
    """The next line that is not a report on the endless search, which should be a certain one."""
    while (answer := talk.answer()).get("isDuringSearch"):
        pass
    assert answer["id"] == name, answer
    return answer


@pytest.mark.parametrize("spec", ["tether-5", "liger-4"])
def test_terminate_ends_a_search_soon_with_what_is_known(talk: Talk, spec: str) -> None:
    begin_endless(talk, spec)
    said = talk.ask(id="t", action="terminate", terminateId="endless")
    assert final(talk, "t") == {"id": "t", "action": "terminate", "terminateId": "endless", "terminated": 1}
    answer = final(talk, "endless")
    assert talk.at - said < SOON
    assert answer["terminated"]
    assert answer["visits"] > 0


def test_terminate_of_what_only_waits_or_is_not_there(talk: Talk) -> None:
    begin_endless(talk)
    talk.ask(id="waits", spec="tether-5", visits=5)
    talk.ask(id="t", action="terminate", terminateId="waits")
    assert final(talk, "t")["terminated"] == 1
    assert final(talk, "waits") == {"id": "waits", "isDuringSearch": False, "noResults": True, "terminated": True}
    talk.ask(id="u", action="terminate", terminateId="waits")
    assert final(talk, "u")["terminated"] == 0


def test_terminate_all(talk: Talk) -> None:
    begin_endless(talk)
    for name in "abc":
        talk.ask(id=name, spec="tether-5", visits=5)
    talk.ask(id="t", action="terminate_all")
    assert final(talk, "t")["terminated"] == 4
    ended: dict[str, Any] = {}
    while len(ended) < 4:
        answer = talk.answer()
        ended |= {} if answer["isDuringSearch"] else {answer["id"]: answer}
    assert ended.keys() == {"a", "b", "c", "endless"}
    assert all(answer["terminated"] for answer in ended.values())
    assert [name for name in ended if ended[name].get("noResults")] == ["a", "b", "c"]


def test_the_urgent_come_first_and_equals_in_order(talk: Talk) -> None:
    begin_endless(talk)
    for name, priority in [("low", -1), ("first", 0), ("second", 0), ("high", 3)]:
        talk.ask(id=name, spec="tether-5", visits=5, priority=priority)
    talk.ask(id="t", action="terminate", terminateId="endless")
    final(talk, "t")
    final(talk, "endless")
    assert [talk.answer()["id"] for _ in range(4)] == ["high", "first", "second", "low"]


def test_a_full_queue_says_how_much_it_holds(talk: Talk) -> None:
    begin_endless(talk)
    for number in range(6):
        talk.ask(id=f"q{number}", spec="tether-5", visits=5)
    answer = final(talk, "q5")
    assert answer["code"] == "queue-full"
    assert answer["error"].startswith("5 queries wait already")


def test_an_id_is_free_again_when_its_query_is_answered(talk: Talk) -> None:
    begin_endless(talk)
    talk.ask(id="endless", spec="tether-5", visits=5)
    assert final(talk, "endless")["code"] == "duplicate-id"
    talk.ask(id="t", action="terminate_all")
    final(talk, "t")
    final(talk, "endless")
    for _ in range(20):
        talk.ask(id="again", spec="tether-5", visits=5)
        assert talk.answer()["visits"] == 5


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals to send")
@pytest.mark.parametrize(
    ("number", "code", "words"), [(signal.SIGINT, 130, "ropewalk: interrupted"), (signal.SIGTERM, 143, "")]
)
def test_a_signal_has_everything_answered(number: signal.Signals, code: int, words: str) -> None:
    with Talk("analysis", "tether-5", "--workers", "2") as talk:
        for name in "ab":
            talk.ask(id=name, visits=LONG, reportDuringSearchEvery=0.1, lines=0)
        while {answer["id"] for answer in (talk.answer(), talk.answer())} != {"a", "b"}:
            pass
        talk.ask(id="c", visits=5)
        talk.ask(id="v", action="query_version")
        while talk.answer()["id"] != "v":
            pass
        talk.process.send_signal(number)
        answers = [json.loads(line) for line in talk.rest()]
        assert sorted(answer["id"] for answer in answers if not answer["isDuringSearch"]) == ["a", "b", "c"]
        assert (talk.code, talk.complaints()) == (code, words)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close differently there")
def test_it_ends_when_nobody_listens() -> None:
    query = json.dumps({"id": "a", "visits": LONG, "reportDuringSearchEvery": 0.001})
    assert ended_unheard(query, "analysis", "tether-5", "--workers", "2") == (141, "")


@pytest.mark.parametrize(
    "argv", [[], ["tehter"], ["tether-5", "--workers", "0"], ["tether-5", "--queue", "0"], ["liger"] * 17]
)
def test_wrong_words_on_the_command_line(argv: list[str]) -> None:
    done = command("analysis", *argv)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
