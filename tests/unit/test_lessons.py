"""The lessons of the page: every task can be solved as its text says, and every forced win is one of a proven puzzle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ropewalk
from ropewalk.games.position import Position
from ropewalk.games.registry import games
from ropewalk.games.sequence import MoveSequence
from ropewalk.puzzles.library import load_library

FOLDER = Path(__file__).parents[2] / "web" / "src" / "content" / "lessons"
COURSES = [json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))]
STEPS = [
    pytest.param(lesson, step, id=f"{course['key']}-{lesson['id']}-{number}")
    for course in COURSES
    for lesson in course["lessons"]
    for number, step in enumerate(lesson["steps"], start=1)
]
TASKS = [param for param in STEPS if "task" in param.values[1]]  # type: ignore[operator]


def find_position(lesson: dict[str, Any], step: dict[str, Any]) -> Position:
    game = ropewalk.game(step.get("spec", lesson["spec"]))
    return MoveSequence.parse(game, step.get("position"), step["moves"]).position


def test_every_game_has_a_lesson_on_its_rules_on_tactics_and_on_strategy() -> None:
    assert {course["key"] for course in COURSES} == {entry.key for entry in games() if not entry.key.startswith("hex")}
    for course in COURSES:
        assert [lesson["id"] for lesson in course["lessons"]] == ["basics", "tactics", "strategy"]
        themes = {puzzle.theme for puzzle in load_library().values() if puzzle.spec.startswith(course["key"])}
        assert all(lesson["theme"] in {None, *themes} for lesson in course["lessons"]), "puzzles follow"
        assert all(lesson["steps"][-1].get("task") for lesson in course["lessons"]), "a lesson ends with a task"


@pytest.mark.parametrize(("lesson", "step"), STEPS)
def test_every_step_has_a_position_and_texts_in_both_languages(lesson: dict[str, Any], step: dict[str, Any]) -> None:
    assert find_position(lesson, step).outcome is None
    texts = [step["say"], step["task"]["hint"]] if "task" in step else [step["say"]]
    for text in texts:
        assert text.keys() == {"en", "de"}
        assert all(text.values())


@pytest.mark.parametrize(("lesson", "step"), TASKS)
def test_every_task_can_be_solved(lesson: dict[str, Any], step: dict[str, Any]) -> None:
    position, task = find_position(lesson, step), step["task"]
    solution = task["solution"]
    if task["kind"] == "refused":
        refusal = position.refusal(solution)
        assert refusal is not None
        assert refusal.reason == task["reason"]
        return
    after = position.play(solution)
    if task["kind"] in ("move", "force"):
        assert solution in task["moves"]
        assert set(task["moves"]) <= set(position.moves())
    if task["kind"] == "win":
        assert after.outcome is not None
        assert after.outcome.winner == position.seat


@pytest.mark.parametrize(("lesson", "step"), [param for param in TASKS if param.values[1]["task"]["kind"] == "force"])  # type: ignore[index]
def test_a_forced_win_is_that_of_a_puzzle_with_all_its_winning_moves(lesson: dict[str, Any], step: dict[str, Any]) -> None:
    task = step["task"]
    puzzle = load_library()[task["puzzle"]]
    assert (puzzle.spec, puzzle.position_text) == (step.get("spec", lesson["spec"]), step["position"])
    assert (list(puzzle.winning_moves), puzzle.turns) == (task["moves"], task["turns"])


@pytest.mark.parametrize("course", COURSES, ids=[course["key"] for course in COURSES])
def test_the_plan_of_answering_opposite_keeps_the_board_symmetric(course: dict[str, Any]) -> None:
    """In the lesson on the strategy of Lariat, black answers with the cell that a half turn moves the white stone to."""
    steps = [step for step in course["lessons"][2]["steps"] if len(step["moves"]) >= 2]
    for step in steps:
        game = ropewalk.game(course["lessons"][2]["spec"])
        cells = {name: index for index, name in enumerate(game.board.names)}
        half_turns = [
            symmetry.cells
            for symmetry in game.symmetries
            if all(symmetry.cells[symmetry.cells[cell]] == cell != symmetry.cells[cell] for cell in range(1, len(cells)))
        ]
        white, black = cells[step["moves"][-1]], cells[step["task"]["solution"]]
        assert any(half_turn[white] == black for half_turn in half_turns)
