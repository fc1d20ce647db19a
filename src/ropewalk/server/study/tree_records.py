"""Analysis trees as game records and back. A node of a tree has one move, a node of a record one turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...errors import RopewalkError
from ...games.game import Game
from ...games.position import Position
from ...games.sequence import parse_position
from ..domain.analysis_tree import MAX_COMMENT_LENGTH, MAX_NODES, AnalysisNode, AnalysisTree, MarkShape, list_children
from ..errors import ApiError

if TYPE_CHECKING:
    from ...records import Node, Record

SHAPES: tuple[MarkShape, ...] = ("circle", "square", "triangle", "cross")


class AnalysisTreeBuilder:
    """Collects the nodes of a tree with their positions; a move that a node has already is not added twice."""

    def __init__(self, start: Position) -> None:
        self.nodes = [AnalysisNode()]
        self.positions = [start]
        self.children: dict[tuple[int, str], int] = {}

    def add_step(self, parent: int, move: str) -> int:
        """Return the node of a move after another one. Raises RopewalkError if it is illegal or one too many."""
        if (parent, move) in self.children:
            return self.children[parent, move]
        if len(self.nodes) == MAX_NODES:
            raise ApiError(
                "bad-record", f"an analysis may have at most {MAX_NODES} moves; this record has more", limit=MAX_NODES
            )
        before = self.positions[parent]
        self.positions.append(before.play(move))
        self.nodes.append(AnalysisNode(parent=parent, seat=before.seat, move=move))
        self.children[parent, move] = len(self.nodes) - 1
        return len(self.nodes) - 1

    def annotate(self, index: int, source: Node) -> None:
        """Add the comment and the marks of a record's node. Raises ApiError `bad-record` if the comment is too long."""
        node = self.nodes[index]
        node.comment = join_comments(node.comment, source.comment)
        if len(node.comment) > MAX_COMMENT_LENGTH:
            message = f"a comment may have at most {MAX_COMMENT_LENGTH} characters; that of turn {source.number} is longer"
            raise ApiError("bad-record", message, limit=MAX_COMMENT_LENGTH)
        names = set(self.positions[0].game.board.names)
        marks: dict[str, MarkShape] = {
            cell: shape for shape in SHAPES for cell in source.marks.get(shape, ()) if cell in names
        }
        node.marks = node.marks | marks


def build_tree(record: Record, game: Game) -> AnalysisTree:
    """Return the tree of a record.

    Raises:
        ApiError: `bad-record`: a turn cannot be played, or the record has too many moves.
    """
    from ...records.replay import split_steps

    try:
        start = parse_position(game, record.root.get("POS"))
        builder = AnalysisTreeBuilder(start)
        indices: dict[Node, int] = {}
        for node in record.nodes():
            index = 0 if node.parent is None else indices[node.parent]
            if node.turn is not None:
                require_seat(builder.positions[index], node)
                for step in split_steps(game, node.turn):
                    index = builder.add_step(index, step)
            builder.annotate(index, node)
            indices[node] = index
    except ApiError:
        raise
    except RopewalkError as error:
        raise ApiError("bad-record", str(error)) from None
    position = None if start == game.start() else str(start)
    return AnalysisTree(spec=game.spec, position=position, nodes=builder.nodes)


def require_seat(position: Position, node: Node) -> None:
    """Raise ApiError `bad-record` if a turn is not that of the seat to move."""
    if position.seat is not None and node.seat != position.seat:
        raise ApiError("bad-record", f"turn {node.number} is not that of the seat to move")


class WrittenTurn(NamedTuple):
    """How far a line of a tree is written: the record's node, then the steps and the comment of an incomplete turn."""

    node: Node
    position: Position
    steps: tuple[str, ...]
    comment: str


def build_record(tree: AnalysisTree, game: Game, name: str) -> Record:
    """Return the record of a tree. Comments in the middle of a turn come to its end.

    Raises:
        RopewalkError: A move is illegal.
    """
    from ...records import Record

    start = parse_position(game, tree.position)
    record, children = Record.create(game.spec, start), list_children(tree.nodes)
    if name:
        record.root.set("GN", name)
    write_notes(record.root, tree.nodes[0], "")
    root = WrittenTurn(record.root, start, (), "")
    pending = [(root, child) for child in reversed(children[0])]
    while pending:
        above, index = pending.pop()
        written = write_child(above, tree.nodes[index], is_leaf=not children[index])
        pending += [(written, child) for child in reversed(children[index])]
    return record


def write_child(above: WrittenTurn, node: AnalysisNode, *, is_leaf: bool) -> WrittenTurn:
    """Play the move of a node; write its turn if that ends with it or the tree does. Returns where to go on."""
    from ...records.replay import join_steps

    before = above.position
    after, steps = before.play(node.move), (*above.steps, node.move)
    if after.seat == before.seat and not is_leaf:
        comment = join_comments(above.comment, node.comment)
        return WrittenTurn(above.node, after, steps, comment)
    assert before.seat is not None, "play raises for moves after the end"
    written = above.node.add_unchecked(before.seat, join_steps(before.game, list(steps)))
    write_notes(written, node, above.comment)
    return WrittenTurn(written, after, (), "")


def write_notes(target: Node, node: AnalysisNode, earlier_comment: str) -> None:
    """Write comment and marks of a node into a record's node."""
    target.comment = join_comments(earlier_comment, node.comment)
    target.marks = {shape: [cell for cell, its in node.marks.items() if its == shape] for shape in SHAPES}


def join_comments(first: str, second: str) -> str:
    """Return two comments as one, each on lines of its own."""
    return "\n".join(text for text in (first, second) if text)
