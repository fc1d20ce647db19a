"""Analysis trees as records and back."""

from __future__ import annotations

import pytest

import ropewalk
from ropewalk.records import find_first_mismatch, read
from ropewalk.server.domain.analysis_tree import AnalysisNode, AnalysisTree
from ropewalk.server.errors import ApiError
from ropewalk.server.study.tree_records import build_record, build_tree

SGF = """(;GM[Tether]SPEC[tether-5]C[start]
;B[c3]CR[c3]TR[a1][b1]
(;W[b2]C[close by]
;B[d4])
(;W[d2]))"""


def make_tree(spec: str, *nodes: tuple[int, int, str]) -> AnalysisTree:
    """Return a tree without comments: parent, seat and move of every node."""
    made = [AnalysisNode(parent=parent, seat=seat, move=move) for parent, seat, move in nodes]
    return AnalysisTree(spec=spec, nodes=[AnalysisNode(), *made])


def test_a_record_becomes_a_tree_with_variations_comments_and_marks() -> None:
    tree = build_tree(read(SGF), ropewalk.game("tether-5"))
    assert [(node.parent, node.seat, node.move) for node in tree.nodes] == [
        (None, None, ""), (0, 0, "c3"), (1, 1, "b2"), (2, 0, "d4"), (1, 1, "d2"),
    ]  # fmt: skip
    assert [tree.nodes[index].comment for index in (0, 2)] == ["start", "close by"]
    assert tree.nodes[1].marks == {"c3": "circle", "a1": "triangle", "b1": "triangle"}


def test_a_tree_written_as_record_reads_back() -> None:
    game = ropewalk.game("tether-5")
    tree = build_tree(read(SGF), game)
    record = build_record(tree, game, "My analysis")
    assert record.root.get("GN") == "My analysis"
    assert find_first_mismatch(record) is None
    assert build_tree(read(record.to_sgf()), game) == tree


def test_moves_of_one_turn_are_one_node_of_the_record() -> None:
    game = ropewalk.game("laocoon-weave")
    start = [(0, 0, "a1"), (1, 1, "h8"), (2, 0, "d1"), (3, 1, "e8")]
    position = game.start()
    for _, _, move in start:
        position = position.play(move)
    first = position.moves()[0]
    after = position.play(first)
    reply = after.moves()[0]
    discs = after.play(reply).moves()[:2]
    tree = make_tree("laocoon-weave", *start, (4, 0, first), (5, 1, reply), (6, 1, discs[0]), (6, 1, discs[1]))
    tree.nodes[6].comment = "in the middle"
    record = build_record(tree, game, "")
    assert find_first_mismatch(record) is None
    turns = [node.turn for node in record.nodes()]
    assert turns[-2:] == [reply + discs[0], reply + discs[1]]
    assert record.main_line()[-1].comment == "in the middle"
    again = build_tree(record, game)
    assert [(node.parent, node.move) for node in again.nodes] == [(node.parent, node.move) for node in tree.nodes]


def test_the_first_child_stays_the_main_line_where_a_turn_is_incomplete() -> None:
    game = ropewalk.game("laocoon-weave")
    start = [(0, 0, "a1"), (1, 1, "h8"), (2, 0, "d1"), (3, 1, "e8")]
    position = game.start()
    for _, _, move in start:
        position = position.play(move)
    first = position.moves()[0]
    after = position.play(first)
    one, other = after.moves()[:2]
    disc = after.play(one).moves()[0]
    tree = make_tree("laocoon-weave", *start, (4, 0, first), (5, 1, one), (6, 1, disc), (5, 1, other))
    record = build_record(tree, game, "")
    assert record.end.turn == one + disc
    assert [child.turn for child in record.end.parent.children] == [one + disc, other]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("(;SPEC[tether-5];B[c3];W[c3])", "already has"),
        ("(;SPEC[tether-5];W[c3])", "not that of the seat"),
        ("(;SPEC[tether-5]POS[x];B[c3])", "x"),
        (f"(;SPEC[tether-5];B[c3]C[{'x' * 4001}])", "at most 4000 characters; that of turn 1"),
    ],
)
def test_a_record_that_cannot_be_played_is_refused(record: str, message: str) -> None:
    with pytest.raises(ApiError, match=message) as failure:
        build_tree(read(record), ropewalk.game("tether-5"))
    assert failure.value.code == "bad-record"


def test_nodes_must_form_a_tree() -> None:
    for parent in (None, 1, 7):
        with pytest.raises(ValueError, match="node 1 must name an earlier node"):
            AnalysisTree(spec="tether-5", nodes=[AnalysisNode(), AnalysisNode(parent=parent, seat=0, move="c3")])
