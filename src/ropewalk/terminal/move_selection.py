"""Selection of a move by cells: one cell, or a source and then a target; several moves of a cell are alternatives."""

from __future__ import annotations

from functools import lru_cache

from ..errors import IllegalMove
from ..games.game import Game
from ..games.notation import list_cell_names
from ..games.position import Position

WRONG_STEP = "wrong-step"  # the reason of a refusal that has nothing to do with the cell


class MoveSelection:
    """The selected source, if any, and the moves that remain to choose from."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.source: str | None = None
        self.alternative = 0  # which of several moves
        self.by_cells = [(move, list_cell_names(position.game.board, move)) for move in position.moves()]

    def list_moves(self, cell: str) -> list[str]:
        """Return the moves that are possible with the cursor on a cell."""
        if self.source is None:
            return [move for move, cells in self.by_cells if cells[:1] == (cell,)]
        return [move for move, cells in self.by_cells if cells[:1] == (self.source,) and cells[-1] == cell]

    def get_move(self, cell: str) -> str | None:
        """Return the move that Enter plays with the cursor on a cell; None if there is none."""
        moves = self.list_moves(cell)
        return moves[self.alternative % len(moves)] if moves else None

    def needs_target(self, cell: str) -> bool:
        """Return whether the moves of a cell lead to another, so that Enter selects it as the source."""
        return self.source is None and any(len(cells) > 1 for _, cells in self.by_cells if cells[:1] == (cell,))

    def select_source(self, cell: str | None) -> None:
        """Select a cell as the source; None deselects."""
        self.source, self.alternative = cell, 0

    def list_targets(self) -> list[str]:
        """Return the cells that the source can move to; the source itself if it can leave the board."""
        return list(dict.fromkeys(cells[-1] for _, cells in self.by_cells if cells[:1] == (self.source,)))

    def list_sources(self) -> set[str]:
        """Return the cells from which something can move."""
        return {cells[0] for _, cells in self.by_cells if len(cells) > 1}

    def list_moves_without_cell(self) -> list[str]:
        """Return the moves that name no cell, such as swap and keep."""
        return [move for move, cells in self.by_cells if not cells]

    def select_next(self, cell: str, offset: int) -> str:
        """Select another of the moves at a cell, another target, or another source; return the cell of the new choice."""
        move_count = len(self.list_moves(cell))
        sources = self.list_sources() if self.source is None else set()
        if not sources and move_count > 1 and (self.alternative + offset) % move_count != 0:
            self.alternative += offset
            return cell
        names = self.list_targets() if not sources else [name for name in self.position.game.board.names if name in sources]
        if not names:
            return cell
        self.alternative = 0
        return names[(names.index(cell) + offset if cell in names else 0) % len(names)]

    def describe(self, cell: str) -> str:
        """Return the effect of the move at a cell, or why there is none."""
        move = self.get_move(cell)
        if move is None and self.source is not None:
            return f"{self.source} can go to {' '.join(self.list_targets())}, not to {cell}; Esc cancels the selection"
        if move is None:
            refusal = self.find_refusal(cell)
            return format_refusal(cell, refusal) if refusal else f"{cell}: there is no move on this cell"
        if self.needs_target(cell):
            return f"{cell}: press Enter to select this cell, Tab to go to the next one with moves"
        others = len(self.list_moves(cell)) - 1
        more = f"  [Tab: {others} more]" if others else ""
        return f"{move}: {self.position.explain(move)}{more}"

    def find_refusal(self, cell: str) -> IllegalMove | None:
        """Return why no move at a cell is legal, with the most specific reason; None if no move refers to the cell."""
        position = self.position
        refusals = [position.refusal(move) for move in self.list_candidates(cell)]
        refused = [refusal for refusal in refusals if refusal is not None]
        return min(refused, key=lambda refusal: refusal.reason == WRONG_STEP, default=None)

    def list_candidates(self, cell: str) -> list[str]:
        """Return all moves of the game, legal or not, whose first cell is this one."""
        return group_moves_by_source(self.position.game).get(cell, [])


def format_refusal(cell: str, refusal: IllegalMove) -> str:
    """Return the message of an illegal move, preceded by the cell unless it starts with that."""
    return str(refusal) if str(refusal).startswith(f"{cell} ") else f"{cell}: {refusal}"


@lru_cache(maxsize=8)
def group_moves_by_source(game: Game) -> dict[str, list[str]]:
    """Return all moves of a game by the first cell that they name."""
    moves: dict[str, list[str]] = {}
    for move in game.move_texts:
        for cell in list_cell_names(game.board, move)[:1]:
            moves.setdefault(cell, []).append(move)
    return moves
