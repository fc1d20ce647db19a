"""Solving a puzzle line by line in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress

from ..console import position_text
from ..console.formatting import format_pairs, wrap
from ..errors import RopewalkError
from ..games.position import Position
from ..puzzles.export import describe_task
from ..puzzles.judgement import Attempt
from ..puzzles.session import PuzzleSession
from ..puzzles.solver import UndecidedError
from ..text import one_line

PUZZLE_COMMANDS = [
    ("MOVE", "play a move or a turn"),
    ("hint", "show where to move; the second hint shows the move"),
    ("moves", "list the legal moves"),
    ("explain MOVE", "explain what a move does"),
    ("board", "draw the board again"),
    ("restart", "start the puzzle again"),
    ("solution", "show the solution"),
    ("quit", "quit, as do Ctrl-D and Ctrl-C"),
]


class PuzzleInterpreter:
    """Executes typed lines on a puzzle. `draw` returns the text of the board."""

    def __init__(self, session: PuzzleSession, draw: Callable[[Position], str] | None = None) -> None:
        self.session = session
        self.draw = draw or (lambda position: position.draw())
        self.has_quit = False
        self.replies: dict[str, Callable[[list[str]], str]] = {
            line.split()[0]: getattr(self, f"reply_{line.split()[0]}") for line, _ in PUZZLE_COMMANDS[1:]
        } | {"help": self.reply_help}

    def introduce(self) -> str:
        """Return the puzzle: game, task, legend and board."""
        puzzle = self.session.puzzle
        lines = [
            position_text.format_title(puzzle.game),
            wrap(f"puzzle {puzzle.id}, difficulty {puzzle.difficulty}: {describe_task(puzzle)}"),
            wrap(puzzle.game.text.legend()),
            "Type 'help' for a list of commands.",
            "",
            self.draw(puzzle.position),
        ]
        return "\n".join(lines)

    def format_prompt(self) -> str:
        """Return the prompt: the colour to move."""
        position = self.session.position
        return position.colours[self.session.puzzle.seat]

    def execute(self, line: str) -> str:
        """Execute a line, which is a command or a move; return the text to print. Errors become texts."""
        words = line.split()
        if not words:
            return ""
        reply = self.replies.get(words[0].lower())
        try:
            return self.play(words[0]) if reply is None else reply(words[1:])
        except UndecidedError:
            return "the solver cannot tell within its limits; try another move"
        except RopewalkError as error:
            return wrap(one_line(str(error)))

    def play(self, turn: str) -> str:
        """Try a move or a turn; return what came of it."""
        before = self.session.position
        parts = []
        for attempt in self.session.play(turn):
            parts.append(self.describe_attempt(before, attempt))
            before = self.session.position
        if self.session.is_over:
            self.has_quit = True
            parts.append(self.explain_end())
        return "\n".join(parts)

    def describe_attempt(self, before: Position, attempt: Attempt) -> str:
        """Return what came of one move: a refusal with its refutation, or the defence and the board."""
        if attempt.is_undecided:
            return f"{attempt.move}: the solver cannot tell within its limits whether this wins; try another move"
        if not attempt.is_winning:
            answer = f" {' '.join(attempt.answers)} refutes it." if attempt.answers else ""
            return wrap(f"{attempt.move} does not win.{answer} Try again, or type hint.")
        lines = [wrap(f"{attempt.move}: {before.explain(attempt.move)}", indent="  ")]
        after = before.play(attempt.move)
        for answer in attempt.answers:
            lines.append(wrap(f"{answer}: {after.explain(answer)}", indent="  "))
            after = after.play(answer)
        return "\n".join([*lines, "", self.draw(self.session.position)])

    def explain_end(self) -> str:
        """Return the result with its witness, and how many mistakes were made."""
        session = self.session
        outcome = session.position.outcome
        assert outcome is not None
        mistakes = "without a mistake" if not session.num_mistakes else f"mistakes: {session.num_mistakes}"
        verdict = f"Solved, {mistakes}." if session.is_solved else "Not solved."
        return f"\n{verdict} Why it is over:\n{position_text.format_outcome(session.position, outcome)}"

    # Commands

    def reply_hint(self, arguments: list[str]) -> str:
        """Show the region first, then the move."""
        return wrap(self.session.give_hint())

    def reply_moves(self, arguments: list[str]) -> str:
        """List the legal moves."""
        return position_text.format_legal_moves(self.session.position)

    def reply_explain(self, moves: list[str]) -> str:
        """Explain what a move would do."""
        if not moves:
            return "missing move: explain MOVE"
        return wrap(f"{moves[0]}: {self.session.position.explain(moves[0])}", indent="  ")

    def reply_board(self, arguments: list[str]) -> str:
        """Draw the board again."""
        return self.draw(self.session.position)

    def reply_restart(self, arguments: list[str]) -> str:
        """Return to the first position."""
        self.session = PuzzleSession(self.session.puzzle, self.session.solver)
        return self.draw(self.session.position)

    def reply_solution(self, arguments: list[str]) -> str:
        """Show all winning moves and the main line."""
        puzzle = self.session.puzzle
        winning, line = " ".join(puzzle.winning_moves), " ".join(puzzle.main_line)
        return f"{wrap(winning, 'winning moves: ')}\n{wrap(line, 'main line: ')}"

    def reply_help(self, arguments: list[str]) -> str:
        """List all commands and the syntax of moves."""
        return f"{format_pairs(PUZZLE_COMMANDS)}\n{wrap(self.session.puzzle.game.text.move_syntax(), '  ')}"

    def reply_quit(self, arguments: list[str]) -> str:
        """End the loop."""
        self.has_quit = True
        return ""


def run_puzzle_mode(interpreter: PuzzleInterpreter) -> None:
    """Execute line after line until the puzzle is solved, or a command, the end of input or Ctrl-C ends the loop."""
    is_typed_by_hand = sys.stdin is not None and sys.stdin.isatty()
    if is_typed_by_hand:
        with suppress(ImportError):  # Windows has none, and needs none
            import readline  # noqa: F401 -- makes the line editable
    print(interpreter.introduce())
    while not interpreter.has_quit:
        print()
        try:
            line = input(f"{interpreter.format_prompt()}> ")
        except (EOFError, KeyboardInterrupt):
            print()
            return
        if not is_typed_by_hand:
            print(line)  # a terminal echoes its input; the transcript of a pipe should contain it too
        if answer := interpreter.execute(line):
            print(answer)
