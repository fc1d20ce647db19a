"""Trees of an analysis board: a start position, moves with variations, comments and marks on cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ...games.registry import MAX_SPEC_LENGTH
from .actions import MAX_MOVE_LENGTH, MAX_POSITION_LENGTH, PRINTABLE

MAX_NODES = 2000  # of a tree, with its root
MAX_COMMENT_LENGTH = 4000
MAX_MARKS = 400  # of a node
MAX_CELL_LENGTH = 12
MarkShape = Literal["circle", "square", "triangle", "cross"]
CellName = Annotated[str, Field(min_length=1, max_length=MAX_CELL_LENGTH, pattern=PRINTABLE)]


class AnalysisNode(BaseModel):
    """A move with what was noted after it; the root has none and stands for the start position."""

    model_config = ConfigDict(extra="forbid")
    parent: int | None = Field(default=None, ge=0, description="the index of an earlier node; null for the root alone")
    seat: int | None = Field(default=None, ge=0, le=1, description="of the move; null for the root")
    move: str = Field(default="", max_length=MAX_MOVE_LENGTH, pattern=PRINTABLE)
    comment: str = Field(default="", max_length=MAX_COMMENT_LENGTH)
    marks: dict[CellName, MarkShape] = Field(default={}, max_length=MAX_MARKS)


class AnalysisTree(BaseModel):
    """Moves from the start of a game or from a position's text. The first child of a node continues the main line."""

    model_config = ConfigDict(extra="forbid")
    spec: str = Field(min_length=1, max_length=MAX_SPEC_LENGTH, pattern=PRINTABLE, examples=["tether-5"])
    position: str | None = Field(default=None, max_length=MAX_POSITION_LENGTH)
    nodes: list[AnalysisNode] = Field(min_length=1, max_length=MAX_NODES)

    @model_validator(mode="after")
    def require_tree(self) -> AnalysisTree:
        """Raise ValueError unless the first node is the root and every other one has an earlier parent and a move."""
        root, *others = self.nodes
        if root.parent is not None or root.move:
            raise ValueError("the first node is the root: it has no parent and no move")
        for index, node in enumerate(others, start=1):
            if node.parent is None or node.parent >= index:
                raise ValueError(f"node {index} must name an earlier node as its parent")
            if not node.move or node.seat is None:
                raise ValueError(f"node {index} must have a move and its seat")
        return self


def list_children(nodes: Sequence[AnalysisNode]) -> list[list[int]]:
    """Return the indices of the children of every node, the main line first."""
    children: list[list[int]] = [[] for _ in nodes]
    for index, node in enumerate(nodes):
        if node.parent is not None:
            children[node.parent].append(index)
    return children
