"""Rules that Lariat and Cube Lariat share: players place stones, and one group must separate the marked cells.

Groups are a disjoint-set forest (union-find) with parities. For each pair of marked cells (in Lariat: the centre and
the open edge) there is a *cut*, a fixed line from one to the other along sides of cells. A loop of stones separates the
pair exactly if it crosses the cut an odd number of times. Each stone stores which cuts the path to its parent crosses,
modulo 2, so that a stone that closes a loop gives the parity of the loop at once. The root of a group stores its *group
flags*: the marks that the group contains (`held_marks`, the low MARK_BITS bits) and the pairs that its loops separate
(`separated_pairs`).

A row of int16 is the three arrays of `LariatState`, then its four scalars. Move ids are cells, then the swap. A full
board always has exactly one winner, so that playouts fill the board and determine the winner once (`boundary`).
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..boards import NO_CELL, Board
from ..jit.kernel import dispatched, implements, kernel, to_int64
from ..jit.prng import Rng, rand_below, random_set_bit
from . import interface
from .boundary import full_board_winner
from .generic import list_empty_cells, random_move_by_rejection

EMPTY, BLACK, WHITE, BLOCKED = range(4)  # BLOCKED: no stone may be placed (corners in a Cube Lariat option)

Cells: TypeAlias = NDArray[np.int16]  # [cells]
NUM_SCALARS = 4  # to_play, winner, swapped, num_stones
NUM_ARRAYS = 3
MARK_BITS = 3  # low bits of group flags: held marks; separated pairs are above them


class LariatState(NamedTuple):
    """A position. `play_claim` writes into the arrays."""

    stones: Cells  # [cells]: EMPTY, BLACK, WHITE or BLOCKED
    parent: Cells  # [cells]: parent in the disjoint-set forest; a root is its own parent
    parity: Cells  # [cells]: at a root the group flags, elsewhere the cuts that the path to the parent crosses
    to_play: int  # BLACK or WHITE
    winner: int  # EMPTY while the game is ongoing
    swapped: int  # 1 if seat 0 plays white
    num_stones: int  # on the board


@dispatched
def is_winning_group(rules: Any, held_marks: Any, separated_pairs: Any) -> Any:
    """Return whether a group that contains these marks and separates these pairs wins (bit masks)."""


@kernel
def opponent(colour: int) -> int:
    """Return the other colour, BLACK or WHITE."""
    return 3 - colour


@kernel
def load_lariat_state(rules: Any, row: Cells) -> LariatState:
    """Implement `interface.load_state`."""
    num_cells = rules.num_cells
    scalars = row[NUM_ARRAYS * num_cells :]
    return LariatState(
        stones=row[:num_cells],
        parent=row[num_cells : 2 * num_cells],
        parity=row[2 * num_cells : 3 * num_cells],
        to_play=to_int64(scalars[0]),
        winner=to_int64(scalars[1]),
        swapped=to_int64(scalars[2]),
        num_stones=to_int64(scalars[3]),
    )


@kernel
def store_lariat_state(rules: Any, state: LariatState, row: Cells) -> None:
    """Implement `interface.store_state`."""
    scalars = row[NUM_ARRAYS * rules.num_cells :]
    scalars[0] = state.to_play
    scalars[1] = state.winner
    scalars[2] = state.swapped
    scalars[3] = state.num_stones


@kernel
def can_swap(rules: Any, state: LariatState) -> bool:
    """Return whether seat 1 may swap colours now (pie rule): the first stone is the only one."""
    return rules.pie == 1 and state.num_stones == 1 and state.swapped == 0


@kernel
def list_claims(rules: Any, state: LariatState, moves: Cells) -> int:
    """Write all empty cells, then the swap if it is legal; return their number."""
    count = list_empty_cells(state.stones, rules.num_cells, moves)
    if can_swap(rules, state):
        moves[count] = rules.num_cells
        count += 1
    return count


@kernel
def is_legal_claim(rules: Any, state: LariatState, move: int) -> bool:
    """Return whether `move` (any integer) is an empty cell, or the swap if it is legal."""
    if 0 <= move < rules.num_cells:
        return state.stones[move] == EMPTY
    return move == rules.num_cells and can_swap(rules, state)


@kernel
def random_claim(rules: Any, state: LariatState, moves: Cells, rng: Rng) -> int:
    """Return a random legal move by rejection sampling."""
    return random_move_by_rejection(rules, state, rules.num_cells + rules.pie, moves, rng)


@kernel
def play_claim(rules: Any, state: LariatState, move: int) -> LariatState:
    """Place a stone of the mover, who wins if its group wins now; or swap colours. Writes into the arrays of `state`."""
    if move == rules.num_cells:
        return swap_colours(state)
    root = place_stone(rules, state, move, state.to_play)
    winner = state.to_play if group_wins(rules, state, root) else EMPTY
    return with_scalars(state, opponent(state.to_play), winner, state.swapped, state.num_stones + 1)


@kernel
def swap_colours(state: LariatState) -> LariatState:
    """Return the state after a swap: the stone stays black; seat 0 is white now and moves next."""
    return with_scalars(state, state.to_play, state.winner, 1, state.num_stones)


@kernel
def with_scalars(state: LariatState, to_play: int, winner: int, swapped: int, num_stones: int) -> LariatState:
    """Return a state with other scalars over the same arrays."""
    return LariatState(
        stones=state.stones,
        parent=state.parent,
        parity=state.parity,
        to_play=to_play,
        winner=winner,
        swapped=swapped,
        num_stones=num_stones,
    )


@kernel
def place_stone(rules: Any, state: LariatState, cell: int, colour: int) -> int:
    """Put a stone on an empty cell, unite it with the neighbouring groups of its colour, and return the group's root.

    `cell_parity` is the parity of the path from the new stone to the current root.
    """
    state.stones[cell] = colour
    state.parent[cell] = cell
    state.parity[cell] = rules.marks[cell]
    root = cell
    cell_parity = 0
    for slot in range(rules.degrees[cell]):
        neighbour = rules.neighbours[cell, slot]
        if state.stones[neighbour] == colour:
            other_root, parity = find_with_parity(state, neighbour)
            parity ^= rules.cut_parity_masks[cell, slot] ^ cell_parity
            if other_root == root:
                state.parity[root] |= parity << MARK_BITS
            else:
                state.parent[root] = other_root
                state.parity[other_root] |= state.parity[root]
                state.parity[root] = parity
                root = other_root
                cell_parity ^= parity
    return root


@kernel
def find_with_parity(state: LariatState, cell: int) -> tuple[int, int]:
    """Return the root of a stone's group and the cuts that the path to it crosses, modulo 2. Halves the path."""
    parity = 0
    while state.parent[cell] != cell:
        parent = state.parent[cell]
        grandparent = state.parent[parent]
        if grandparent != parent:
            state.parity[cell] ^= state.parity[parent]
            state.parent[cell] = grandparent
        parity ^= state.parity[cell]
        cell = grandparent
    return cell, parity


@kernel
def group_wins(rules: Any, state: LariatState, root: int) -> bool:
    """Return whether the group of a root wins, by its group flags."""
    group_flags = state.parity[root]
    return is_winning_group(rules, group_flags & ((1 << MARK_BITS) - 1), group_flags >> MARK_BITS)


@kernel
def winning_seat(rules: Any, state: LariatState) -> int:
    """Implement `interface.outcome`: the seat whose colour has won, or ONGOING (-1)."""
    return -1 if state.winner == EMPTY else (state.winner - BLACK) ^ state.swapped


@kernel
def get_lariat_seat_to_move(rules: Any, state: LariatState) -> int:
    """Implement `interface.seat_to_move`: black is seat 0 until the seats have swapped colours."""
    return (state.to_play - BLACK) ^ state.swapped


@kernel
def write_lariat_codes(rules: Any, state: LariatState, codes: Any) -> None:
    """Write the stones, then the colour to play and whether the seats have swapped, as position codes."""
    for cell in range(rules.num_cells):
        codes[cell] = state.stones[cell]
    codes[rules.num_cells] = state.to_play + 2 * state.swapped


@kernel
def playout_by_random_fill(rules: Any, state: LariatState, moves: Cells, rng: Rng) -> int:
    """Implement `interface.playout`: fill the board at random and return the seat that wins the full board."""
    if state.winner == EMPTY:
        random_fill(rules, state, moves, rng)
        winner = full_board_winner(rules.boundary, state.stones)
    else:
        winner = state.winner
    return (winner - BLACK) ^ state.swapped


@kernel
def random_fill(rules: Any, state: LariatState, moves: Cells, rng: Rng) -> None:
    """Fill all empty cells as random play in turn would: a random half, rounded down, with stones of the opponent."""
    count = 0
    for cell in range(rules.num_cells):
        if state.stones[cell] == EMPTY:
            moves[count] = cell
            count += 1
            state.stones[cell] = state.to_play
    for taken in range(count // 2):
        index = taken + rand_below(rng, count - taken)
        state.stones[moves[index]] = opponent(state.to_play)
        moves[index] = moves[taken]


@kernel
def rollout_by_random_fill(rules: Any, state: LariatState, moves: Cells, rng: Rng, amaf_moves: Any, heavy: int) -> float:
    """Implement `interface.rollout` by random fill, with bridge replies if `heavy`. AMAF moves are the final stones."""
    if heavy == 0 or state.winner != EMPTY:
        result = playout_by_random_fill(rules, state, moves, rng)
    else:
        random_fill_with_bridge_replies(rules, state, moves, rng)
        result = (full_board_winner(rules.boundary, state.stones) - BLACK) ^ state.swapped
    for cell in range(rules.num_cells):
        amaf_moves[state.swapped, cell] = 1 if state.stones[cell] == BLACK else 0
        amaf_moves[1 - state.swapped, cell] = 1 if state.stones[cell] == WHITE else 0
    return interface.outcome_value(result)


@kernel
def random_fill_with_bridge_replies(rules: Any, state: LariatState, moves: Cells, rng: Rng) -> None:
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
def place_all(rules: Any, state: LariatState, colours: Cells, winning_counts: Any) -> None:
    """Place stones of colours [cells] on an empty board; write the number of winning groups to winning_counts[colour]."""
    for cell in range(rules.num_cells):
        if colours[cell] != EMPTY:
            place_stone(rules, state, cell, colours[cell])
    count_winning_groups(rules, state, winning_counts)


@kernel
def count_winning_groups(rules: Any, state: LariatState, winning_counts: Any) -> None:
    """Write the number of groups of each colour that win by the definition to winning_counts[colour]."""
    winning_counts[:] = 0
    for cell in range(rules.num_cells):
        is_root = BLACK <= state.stones[cell] <= WHITE and state.parent[cell] == cell
        if is_root and group_wins(rules, state, cell):
            winning_counts[state.stones[cell]] += 1


@kernel
def encode_lariat_planes(rules: Any, state: LariatState, planes: Any) -> None:
    """Write planes: stones, empty and marked cells, marks held and pairs separated by each stone's group, swap allowed."""
    swap_allowed = 1 if can_swap(rules, state) else 0
    for cell in range(rules.num_cells):
        stone, mark = state.stones[cell], rules.marks[cell]
        held_marks, separated_pairs = 0, 0
        if BLACK <= stone <= WHITE:
            group_flags = state.parity[find_with_parity(state, cell)[0]]
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


def register(rules_type: type) -> None:
    """Register the shared kernels for one type of rules; `is_winning_group` is implemented by each game."""
    implements(interface.load_state, rules_type)(load_lariat_state)
    implements(interface.store_state, rules_type)(store_lariat_state)
    implements(interface.legal_moves, rules_type)(list_claims)
    implements(interface.is_legal, rules_type)(is_legal_claim)
    implements(interface.random_move, rules_type)(random_claim)
    implements(interface.apply_move, rules_type)(play_claim)
    implements(interface.outcome, rules_type)(winning_seat)
    implements(interface.seat_to_move, rules_type)(get_lariat_seat_to_move)
    implements(interface.position_codes, rules_type)(write_lariat_codes)
    implements(interface.playout, rules_type)(playout_by_random_fill)
    implements(interface.rollout, rules_type)(rollout_by_random_fill)
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
