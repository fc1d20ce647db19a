"""Liger, by Mark Steere (2009): bear off all your checkers, and always leave your opponent one that shows."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tests.reference.common import Outcome, square

RED, BLUE = COLOURS = ("red", "blue")
CHECKERS = {RED: "r", BLUE: "b"}
OPPONENT = {RED: BLUE, BLUE: RED}
OCCURRENCES_TO_DRAW = 3


class Position(NamedTuple):
    """What has to be the same for a position to occur again."""

    to_move: str
    stacks: frozenset[tuple[str, str]]  # the squares that are not empty, with their checkers from bottom to top


class LigerState(NamedTuple):
    """A position, and those before it."""

    position: Position
    earlier: tuple[Position, ...] = ()


class Board:
    """The dark squares of a checkerboard: where they lead to, and where either player bears off."""

    def __init__(self, size: int) -> None:
        self.size = size
        dark = [(file, rank) for rank in range(size) for file in range(size) if (file + rank) % 2 == 0]
        self.squares = tuple(square(file, rank) for file, rank in dark)
        up = {square(file, rank): self.beside(file, rank + 1) for file, rank in dark}
        down = {square(file, rank): self.beside(file, rank - 1) for file, rank in dark}
        self.forward = {RED: up, BLUE: down}
        self.backward = {RED: down, BLUE: up}
        self.farthest_row = {RED: self.row(size - 1), BLUE: self.row(0)}

    def beside(self, file: int, rank: int) -> tuple[str, ...]:
        """The squares of a rank, if there is such a rank, on the files next to `file`."""
        files = [near for near in (file - 1, file + 1) if 0 <= near < self.size]
        return tuple(square(near, rank) for near in files) if 0 <= rank < self.size else ()

    def row(self, rank: int) -> tuple[str, ...]:
        """The dark squares of a rank, counted from 0."""
        return tuple(name for name in self.squares if int(name[1:]) == rank + 1)


class Liger:
    """The game on a board of `size` x `size` squares, where each player starts with `rows` rows of checkers."""

    def __init__(self, spec: str, size: int, rows: int, repetition: bool) -> None:
        self.spec = spec
        self.rows = rows
        self.repetition = repetition
        self.board = Board(size)
        self.cells = self.board.squares

    def start(self) -> LigerState:
        size = self.board.size
        red = {name: CHECKERS[RED] for rank in range(self.rows) for name in self.board.row(rank)}
        blue = {name: CHECKERS[BLUE] for rank in range(size - self.rows, size) for name in self.board.row(rank)}
        return self.state_of(red | blue, {"to_move": RED})

    def state_of(self, contents: Mapping[str, str], extras: Mapping[str, object]) -> LigerState:
        return LigerState(Position(to_move=str(extras["to_move"]), stacks=frozenset(contents.items())))

    def seat(self, state: LigerState) -> int | None:
        return None if self.outcome(state) else COLOURS.index(state.position.to_move)

    def moves(self, state: LigerState) -> list[str]:
        if self.outcome(state):
            return []
        mover, stacks = state.position.to_move, dict(state.position.stacks)
        turns = (forward_moves, backward_moves, bearings_off)
        return sorted(move for moves in turns for move in moves(self.board, mover, stacks))

    def play(self, state: LigerState, move: str) -> LigerState:
        before = state.position
        after = Position(OPPONENT[before.to_move], frozenset(moved(dict(before.stacks), move).items()))
        return LigerState(after, earlier=(*state.earlier, before) if self.repetition else ())

    def outcome(self, state: LigerState) -> Outcome | None:
        """Judged after a turn of the mover, that is, of the opponent of whoever would be next."""
        following = state.position.to_move
        mover = OPPONENT[following]
        stacks = dict(state.position.stacks)
        if not any(CHECKERS[mover] in stack for stack in stacks.values()):
            return COLOURS.index(mover), "borne-off"
        if not showing(stacks, following):
            return COLOURS.index(following), "no-checker-left"
        if self.repetition and state.earlier.count(state.position) + 1 >= OCCURRENCES_TO_DRAW:
            return None, "repetition"
        return None

    def contents(self, state: LigerState) -> dict[str, str]:
        return dict(state.position.stacks)

    def extras(self, state: LigerState) -> dict[str, object]:
        return {"to_move": state.position.to_move}


def showing(stacks: Mapping[str, str], player: str) -> list[str]:
    """The squares whose top checker is the player's."""
    return [name for name, stack in stacks.items() if stack[-1] == CHECKERS[player]]


def forward_moves(board: Board, mover: str, stacks: Mapping[str, str]) -> Iterator[str]:
    """A showing checker, or it and the opponent's checker right beneath it, moves on to any square."""
    for origin in showing(stacks, mover):
        for target in board.forward[mover][origin]:
            yield f"{origin}-{target}"
            if stacks[origin][-2:-1] == CHECKERS[OPPONENT[mover]]:
                yield f"{origin}={target}"


def backward_moves(board: Board, mover: str, stacks: Mapping[str, str]) -> Iterator[str]:
    """Whoever shows fewer checkers may step back with a checker that is alone, onto one of the opponent's."""
    opposing = showing(stacks, OPPONENT[mover])
    own = showing(stacks, mover)
    if len(own) >= len(opposing):
        return
    for origin in own:
        for target in board.backward[mover][origin]:
            if len(stacks[origin]) == 1 and target in opposing:
                yield f"{origin}-{target}"


def bearings_off(board: Board, mover: str, stacks: Mapping[str, str]) -> Iterator[str]:
    """A showing checker on the mover's farthest row leaves the board."""
    for origin in showing(stacks, mover):
        if origin in board.farthest_row[mover]:
            yield f"{origin}-off"


def moved(stacks: Mapping[str, str], move: str) -> dict[str, str]:
    """The stacks after a move: its one or two checkers come off their stack, and go on top of another or off."""
    taken = 2 if "=" in move else 1
    origin, target = move.replace("=", "-").split("-")
    after = dict(stacks)
    after[origin], carried = stacks[origin][:-taken], stacks[origin][-taken:]
    if target != "off":
        after[target] = after.get(target, "") + carried
    return {name: stack for name, stack in after.items() if stack}
