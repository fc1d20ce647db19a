"""Draws the positions of the rules pages and writes the program's messages into them.

A recipe is a comment in a page. The fenced block below it contains the result and is rewritten in place:

    <!-- draw tether-5 c3 b3 -->
    ```text
    (the board)
    ```

A recipe consists of a verb, the spec of a game, an optional start position, and moves. Its words are separated by spaces and
line breaks; double quotes keep the words of a position together.

    draw SPEC MOVES...              the board after these moves
    text SPEC MOVES...              the same position in one line
    explain SPEC MOVES... MOVE      the effect of the last move
    refuse SPEC MOVES... MOVE       why the last move is illegal
    outcome SPEC MOVES...           how the game has ended
    replay SPEC MOVES...            every move with its effect
    names SPEC                      the empty board with the name of every cell
    touch SPEC CELL                 one cell (@) and its neighbours (o)

After SPEC, `--position TEXT` sets the start position, as a position text or a drawn board.

`python docs/draw.py` rewrites the pages, `python docs/draw.py --check` lists those that are outdated.
"""

from __future__ import annotations

import argparse
import itertools
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import ropewalk
from ropewalk import Game, Position
from ropewalk.games.notation import group_layout_lines, render_lines
from ropewalk.games.sequence import MoveSequence, explain_turn

PAGES = Path(__file__).parent / "rules"


class RecipeError(ValueError):
    """A recipe that is invalid."""


def draw(position: Position, moves: Sequence[str]) -> str:
    """Return the board after the moves."""
    return MoveSequence.play(position, moves).position.draw()


def text(position: Position, moves: Sequence[str]) -> str:
    """Return the position after the moves, in one line."""
    return str(MoveSequence.play(position, moves).position)


def explain(position: Position, moves: Sequence[str]) -> str:
    """Return the effect of the last move; a turn of several moves gets a line for each."""
    *before, last = moves
    return "\n".join(explain_turn(MoveSequence.play(position, before).position, last))


def refuse(position: Position, moves: Sequence[str]) -> str:
    """Return why the last move is illegal."""
    *before, last = moves
    refusal = MoveSequence.play(position, before).position.refusal(last)
    if refusal is None:
        raise RecipeError(f"{last} is legal")
    return f"{last} is illegal: {refusal}"


def outcome(position: Position, moves: Sequence[str]) -> str:
    """Return how the game has ended."""
    over = MoveSequence.play(position, moves).position.outcome
    if over is None:
        raise RecipeError("the game is not over")
    return over.words


def replay(position: Position, moves: Sequence[str]) -> str:
    """Return every move with its effect, numbered; the further moves of a turn are below the first."""
    lines = []
    margin = len(f"{len(moves)}. ")
    for number, (before, move) in enumerate(zip(MoveSequence.play(position, moves).positions, moves, strict=False), start=1):
        lines.append(f"{number}. ".rjust(margin) + ("\n" + " " * margin).join(explain_turn(before, move)))
    return "\n".join(lines)


def names(position: Position, moves: Sequence[str]) -> str:
    """Return the empty board with the name of every cell."""
    return charted(position.game, position.game.board.names)


def touch(position: Position, moves: Sequence[str]) -> str:
    """Return the empty board with one cell and its neighbours."""
    game = position.game
    (cell,) = (game.board.index[name] for name in moves)
    symbols = [game.text.empty_symbol(other) for other in range(len(game.board))]
    symbols[cell] = "@"
    for other in range(len(game.board)):
        if game.board.adjacent(cell, other):
            symbols[other] = "o"
    return charted(game, symbols)


RECIPES: dict[str, Callable[[Position, Sequence[str]], str]] = {
    recipe.__name__: recipe for recipe in (draw, text, explain, refuse, outcome, replay, names, touch)
}


def charted(game: Game, symbols: Sequence[str]) -> str:
    """Return the drawn board with a symbol on each cell; columns are as wide as the symbols need."""
    lines = group_layout_lines(game.board)
    gaps = [right - left for line in lines for (left, _), (right, _) in itertools.pairwise(line)]
    pitch = -(-(max(map(len, symbols)) + 1) // min(gaps))
    return "\n".join(render_lines(lines, symbols, game.text.line_labels(), pitch))


def made(recipe: str) -> str:
    """Return the result of a recipe."""
    verb, spec, *words = words_of(recipe)
    position = ropewalk.game(spec).start()
    if words[:1] == ["--position"]:
        position = position.game.position(words[1])
        words = words[2:]
    return RECIPES[verb](position, words)


def words_of(recipe: str) -> list[str]:
    """Return the words of a recipe; only double quotes quote, because names of cells contain apostrophes."""
    lexer = shlex.shlex(recipe, posix=True)
    lexer.whitespace_split = True
    lexer.commenters = lexer.escape = ""
    lexer.quotes = '"'
    return list(lexer)


COMMENT = re.compile(rf"(?P<comment><!-- (?P<recipe>(?:{'|'.join(RECIPES)}) .*?) -->\n)(?:```text\n.*?\n```\n)?", re.DOTALL)


def redrawn(page: Path) -> str:
    """Return the text of a page with the current result of every recipe."""

    def block(found: re.Match[str]) -> str:
        try:
            lines = made(found["recipe"]).splitlines()
        except (ValueError, KeyError) as error:
            raise RecipeError(f"{page.name}: {found['recipe']}: {error}") from error
        return "\n".join([f"{found['comment']}```text", *(line.rstrip() for line in lines), "```", ""])

    return COMMENT.sub(block, page.read_text(encoding="utf-8"))


def stale_pages() -> list[Path]:
    """Return the pages whose blocks differ from the results of their recipes."""
    return [page for page in sorted(PAGES.glob("*.md")) if redrawn(page) != page.read_text(encoding="utf-8")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Rewrite the pages, or with --check only list the outdated ones."""
    parser = argparse.ArgumentParser(description="Draw the positions of the rules pages anew.")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if a page is outdated")
    check = parser.parse_args(arguments).check
    stale = stale_pages()
    for page in stale:
        if check:
            print(f"{page.name} is outdated: run python docs/draw.py")
        else:
            page.write_text(redrawn(page), encoding="utf-8", newline="\n")
            print(f"{page.name} redrawn")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
