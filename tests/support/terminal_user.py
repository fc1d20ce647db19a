"""A user of the terminal application: finds the keys that play a move."""

from __future__ import annotations

import random
from collections import deque

from ropewalk.games.notation import list_cell_names
from ropewalk.games.position import Position
from ropewalk.terminal.cursor import DOWN, LEFT, RIGHT, UP, Cursor
from ropewalk.terminal.move_selection import MoveSelection

SHORT_GAMES = ["lariat-1x2", "cube-lariat-2", "tether-3", "laocoon", "liger-4"]
STANDARD_GAMES = ["lariat", "cube-lariat", "tether-9", "laocoon", "liger"]


def find_arrows(cursor: Cursor, cell: int) -> list[str]:
    """Return the fewest arrow keys from a cursor to a cell, and move the cursor there."""
    waiting: deque[tuple[int, int, list[str]]] = deque([(cursor.index, cursor.target_column, [])])
    seen = {(cursor.index, cursor.target_column)}
    while waiting:
        index, goal, keys = waiting.popleft()
        cursor.index, cursor.target_column = index, goal
        if cursor.cell == cell:
            return keys
        for way in (RIGHT, LEFT, UP, DOWN):
            cursor.index, cursor.target_column = index, goal
            cursor.step(way)
            if (cursor.index, cursor.target_column) not in seen:
                seen.add((cursor.index, cursor.target_column))
                waiting.append((cursor.index, cursor.target_column, [*keys, way]))
    raise AssertionError(f"no arrows lead to {cursor.board.names[cell]}")


class TerminalUser:
    """Tracks the cursor of the application."""

    def __init__(self, position: Position) -> None:
        self.cursor = Cursor(position.game.board, position.build_text_diagram())

    def find_keys(self, position: Position, move: str) -> list[str]:
        """Return the arrows, Enter and Tab that play a move in a position; `s` for a move without a cell."""
        self.cursor.set_drawing(position.build_text_diagram())
        names = list_cell_names(position.game.board, move)
        if not names:
            return ["s"]
        index = position.game.board.index
        choice = MoveSelection(position)
        keys = [*find_arrows(self.cursor, index[names[0]]), "enter"]
        if choice.needs_target(names[0]):
            choice.select_source(names[0])
            self.cursor.go_to(index[choice.list_targets()[0]])
            keys += [*find_arrows(self.cursor, index[names[-1]])]
            keys += ["tab"] * choice.list_moves(names[-1]).index(move) + ["enter"]
        return keys


def play_random_game(position: Position, seed: int) -> list[str]:
    """Return the moves of a random game."""
    rng, moves = random.Random(seed), list[str]()
    while position.seat is not None:
        moves.append(rng.choice(position.moves()))
        position = position.play(moves[-1])
    return moves


def find_short_game(position: Position) -> list[str]:
    """Return the shortest of 40 random games."""
    return min((play_random_game(position, seed) for seed in range(40)), key=len)
