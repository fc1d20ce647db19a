"""Rules that Lariat and Cube Lariat share: players place stones, and one group must separate the marked cells.

Groups are a disjoint-set forest (union-find) with parities. For each pair of marked cells (in Lariat: the centre and
the open edge) there is a *cut*, a fixed line from one to the other along sides of cells. A loop of stones separates the
pair exactly if it crosses the cut an odd number of times. Each stone stores which cuts the path to its parent crosses,
modulo 2, so that a stone that closes a loop gives the parity of the loop at once. The root of a group stores its *group
flags*: the marks that the group contains (`held_marks`, the low MARK_BITS bits) and the pairs that its loops separate
(`separated_pairs`).

Group flags and parities are the `labels` of `PlacementState`: at a root the group flags, elsewhere the cuts that the path
to the parent crosses. `boundary` finds the winner of a full board.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..boards import NO_CELL, Board
from ..jit.kernel import dispatch_by_rules, implements, kernel
from ..jit.prng import Rng, rand_below, random_set_bit
from . import interface, placement
from .boundary import full_board_winner
from .generic import list_empty_cells
from .placement import EMPTY, FIRST, SECOND, Cells, PlacementState, can_swap, mark_stones, opponent, playout_by_random_fill

BLACK, WHITE = FIRST, SECOND
BLOCKED = 3  # a cell where no stone may be placed (corners in a Cube Lariat option)
MARK_BITS = 3  # low bits of group flags: held marks; separated pairs are above them


@dispatch_by_rules
def is_winning_group(rules: Any, held_marks: Any, separated_pairs: Any) -> Any:
    """Return whether a group that contains these marks and separates these pairs wins (bit masks)."""


@kernel
def place_stone(rules: Any, state: PlacementState, cell: int, colour: int) -> int:
    """Put a stone on an empty cell, unite it with the neighbouring groups of its colour, and return the group's root.

    `cell_parity` is the parity of the path from the new stone to the current root.
    """
    state.stones[cell] = colour
    state.parent[cell] = cell
    state.labels[cell] = rules.marks[cell]
    root = cell
    cell_parity = 0
    for slot in range(rules.degrees[cell]):
        neighbour = rules.neighbours[cell, slot]
        if state.stones[neighbour] == colour:
            other_root, parity = find_with_parity(state, neighbour)
            parity ^= rules.cut_parity_masks[cell, slot] ^ cell_parity
            if other_root == root:
                state.labels[root] |= parity << MARK_BITS
            else:
                state.parent[root] = other_root
                state.labels[other_root] |= state.labels[root]
                state.labels[root] = parity
                root = other_root
                cell_parity ^= parity
    return root


@kernel
def find_with_parity(state: PlacementState, cell: int) -> tuple[int, int]:
    """Return the root of a stone's group and the cuts that the path to it crosses, modulo 2. Halves the path."""
    parity = 0
    while state.parent[cell] != cell:
        parent = state.parent[cell]
        grandparent = state.parent[parent]
        if grandparent != parent:
            state.labels[cell] ^= state.labels[parent]
            state.parent[cell] = grandparent
        parity ^= state.labels[cell]
        cell = grandparent
    return cell, parity


@kernel
def group_wins(rules: Any, state: PlacementState, root: int) -> bool:
    """Return whether the group of a root wins, by its group flags."""
    group_flags = state.labels[root]
    return is_winning_group(rules, group_flags & ((1 << MARK_BITS) - 1), group_flags >> MARK_BITS)


@kernel
def lariat_rollout(rules: Any, state: PlacementState, moves: Cells, rng: Rng, amaf_moves: Any, heavy: int) -> float:
    """Implement `interface.rollout` by random fill, with bridge replies if `heavy`. AMAF moves are the final stones."""
    if heavy == 0 or state.winner != EMPTY:
        result = playout_by_random_fill(rules, state, moves, rng)
    else:
        random_fill_with_bridge_replies(rules, state, moves, rng)
        result = (full_board_winner(rules.boundary, state.stones) - BLACK) ^ state.swapped
    mark_stones(rules, state, amaf_moves)
    return interface.outcome_value(result)


@kernel
def random_fill_with_bridge_replies(rules: Any, state: PlacementState, moves: Cells, rng: Rng) -> None:
    """Fill all empty cells in random order, colours in turn, but reply to a stone that intrudes into a bridge."""
    count = list_empty_cells(state.stones, rules.num_cells, moves)
    colour = state.to_play
    cell = NO_CELL
    while True:
        while cell == NO_CELL and count > 0:
            index = rand_below(rng, count)
            count -= 1
            cell = moves[index]
            moves[index] = moves[count]
            if state.stones[cell] != EMPTY:
                cell = NO_CELL
        if cell == NO_CELL:
            return
        state.stones[cell] = colour
        colour = opponent(colour)
        cell = bridge_reply(rules, state.stones, cell, colour, rng)


@kernel
def bridge_reply(rules: Any, stones: Cells, cell: int, colour: int, rng: Rng) -> int:
    """Return a random cell that restores a bridge of `colour` into which the stone on `cell` intruded, or NO_CELL.

    Consecutive neighbours of a cell touch, so an empty one between two of `colour` restores their connection. The
    board's edge counts as a neighbour of `colour`.
    """
    num_slots = rules.degrees[cell]
    own_slots = 0
    empty_slots = 0
    for slot in range(num_slots):
        stone = stones[rules.neighbours[cell, slot]]
        own_slots |= (1 if stone == colour else 0) << slot
        empty_slots |= (1 if stone == EMPTY else 0) << slot
    if rules.marks[cell] & rules.edge_mark != 0:
        own_slots |= 1 << num_slots
        num_slots += 1
    reply_slots = (
        empty_slots & (own_slots << 1 | own_slots >> (num_slots - 1)) & (own_slots >> 1 | own_slots << (num_slots - 1))
    )
    if reply_slots == 0:
        return NO_CELL
    return rules.neighbours[cell, random_set_bit(rng, reply_slots)]


@kernel
def place_all(rules: Any, state: PlacementState, colours: Cells, winning_counts: Any) -> None:
    """Place stones of colours [cells] on an empty board; write the number of winning groups to winning_counts[colour]."""
    for cell in range(rules.num_cells):
        if colours[cell] != EMPTY:
            place_stone(rules, state, cell, colours[cell])
    count_winning_groups(rules, state, winning_counts)


@kernel
def count_winning_groups(rules: Any, state: PlacementState, winning_counts: Any) -> None:
    """Write the number of groups of each colour that win by the definition to winning_counts[colour]."""
    winning_counts[:] = 0
    for cell in range(rules.num_cells):
        is_root = BLACK <= state.stones[cell] <= WHITE and state.parent[cell] == cell
        if is_root and group_wins(rules, state, cell):
            winning_counts[state.stones[cell]] += 1


@kernel
def encode_lariat_planes(rules: Any, state: PlacementState, planes: Any) -> None:
    """Write planes: stones, empty and marked cells, marks held and pairs separated by each stone's group, swap allowed."""
    swap_allowed = 1 if can_swap(rules, state) else 0
    for cell in range(rules.num_cells):
        stone, mark = state.stones[cell], rules.marks[cell]
        held_marks, separated_pairs = 0, 0
        if BLACK <= stone <= WHITE:
            group_flags = state.labels[find_with_parity(state, cell)[0]]
            held_marks, separated_pairs = group_flags & ((1 << MARK_BITS) - 1), group_flags >> MARK_BITS
            separated_pairs &= ~(pairs_with_held_mark(held_marks) if rules.edge_mark == 0 else 0)
        planes[cell, 0] = 1
        planes[cell, 1] = 1 if stone == state.to_play else 0
        planes[cell, 2] = 1 if stone == opponent(state.to_play) else 0
        planes[cell, 3] = 1 if stone == EMPTY else 0
        planes[cell, 4] = 1 if mark & ~rules.edge_mark != 0 else 0
        planes[cell, 5] = 1 if mark & rules.edge_mark != 0 else 0
        planes[cell, 6] = popcount3(held_marks & ~rules.edge_mark)
        planes[cell, 7] = 1 if held_marks & rules.edge_mark != 0 else 0
        planes[cell, 8] = popcount3(separated_pairs)
        planes[cell, 9] = swap_allowed


@kernel
def pairs_with_held_mark(held_marks: int) -> int:
    """Return the pairs of nuclear cells, as bits, of which a group contains at least one; it need not separate those."""
    return (0b011 if held_marks & 1 else 0) | (0b101 if held_marks & 2 else 0) | (0b110 if held_marks & 4 else 0)


@kernel
def popcount3(mask: int) -> int:
    """Return the number of set bits among the lowest three."""
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1)


@kernel
def place_and_test(rules: Any, state: PlacementState, cell: int, colour: int) -> bool:
    """Implement `placement.place_stone`."""
    return group_wins(rules, state, place_stone(rules, state, cell, colour))


@kernel
def trace_winner(rules: Any, state: PlacementState, scratch: Cells) -> int:
    """Implement `placement.full_board_winner`."""
    return full_board_winner(rules.boundary, state.stones)


def register(rules_type: type) -> None:
    """Register the shared kernels for one type of rules; `is_winning_group` is implemented by each game."""
    placement.register(rules_type)
    implements(placement.place_stone, rules_type)(place_and_test)
    implements(placement.full_board_winner, rules_type)(trace_winner)
    implements(interface.rollout, rules_type)(lariat_rollout)
    implements(interface.encode_planes, rules_type)(encode_lariat_planes)


def dual_path(board: Board, sources: set[int], targets: set[int], *, leaves_board: bool = False) -> set[frozenset[int]]:
    """Return a cut from `sources` to `targets`: the pairs of neighbours whose common side lies on the line.

    The line is a shortest path in the dual of the adjacency graph: from vertex to vertex (where three cells meet) along
    sides of cells. With `leaves_board` it goes on along the side between two targets, which leads off the board.
    """
    vertices = list_vertices(board)
    vertices_by_side: dict[frozenset[int], list[frozenset[int]]] = {}
    for vertex in vertices:
        for cell in vertex:
            vertices_by_side.setdefault(vertex - {cell}, []).append(vertex)
    queue = [vertex for vertex in vertices if vertex & sources]
    predecessors: dict[frozenset[int], frozenset[int] | None] = dict.fromkeys(queue)
    for vertex in queue:
        reached_targets = vertex & targets
        if reached_targets and (len(reached_targets) == 2 or not leaves_board):
            exit_side = {reached_targets} if leaves_board else set()
            return exit_side | trace_sides(predecessors, vertex)
        for cell in sorted(vertex):
            for next_vertex in vertices_by_side[vertex - {cell}]:
                if next_vertex not in predecessors:
                    predecessors[next_vertex] = vertex
                    queue.append(next_vertex)
    raise AssertionError("the board is connected")


def trace_sides(predecessors: dict[frozenset[int], frozenset[int] | None], vertex: frozenset[int]) -> set[frozenset[int]]:
    """Return the sides between consecutive vertices on the path back to the start."""
    sides = set()
    while (previous := predecessors[vertex]) is not None:
        sides.add(previous & vertex)
        vertex = previous
    return sides


def list_vertices(board: Board) -> list[frozenset[int]]:
    """Return every vertex where three cells meet, as the set of the three, in a fixed order."""
    vertices: dict[frozenset[int], None] = {}
    for cell, columns in enumerate(board.neighbours.tolist()):
        neighbours = [neighbour for neighbour in columns if neighbour != NO_CELL]
        for left, right in zip(neighbours, neighbours[1:] + neighbours[:1], strict=True):
            if board.adjacent(left, right):
                vertices[frozenset((cell, left, right))] = None
    return list(vertices)


def cut_parity_masks(board: Board, cuts: list[set[frozenset[int]]]) -> NDArray[np.int16]:
    """Return [cells, columns]: the cuts that the step to each neighbour crosses, one bit per cut."""
    masks = np.zeros(board.neighbours.shape, np.int16)
    for (cell, slot), neighbour in np.ndenumerate(board.neighbours):
        for cut_index, cut in enumerate(cuts):
            if frozenset((cell, int(neighbour))) in cut:
                masks[cell, slot] |= 1 << cut_index
    return masks
