"""What Lariat and Cube Lariat share: players claim cells, and a single group must part the marked cells.

A group is a tree of cells (union-find). Its root knows which marked cells the group *holds* and which
pairs of marked places its loops *part*, its *deeds*. Each pair has a cut, a line drawn from one place to the other;
a loop parts the pair exactly when it crosses the cut an odd number of times. So each cell remembers which
cuts the way to its parent crosses, and a stone that closes a loop tells at once what the loop parts.
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

EMPTY, BLACK, WHITE, BLOCKED = range(4)  # BARRED: a cell that nobody may claim, part of the rest of the board

Cells: TypeAlias = NDArray[np.int16]  # [cells]
NUM_SCALARS = 4  # to_play, winner, swapped, claimed
NUM_ARRAYS = 3
MARK_BITS = 3  # bits of a group's deeds that say what it holds; those above say what it parts


class LariatState(NamedTuple):
    """A position. `play_claim` writes into the arrays."""

    stones: Cells  # EMPTY, BLACK, WHITE or BARRED
    parent: Cells  # towards the root of the group
    parity: Cells  # at a root: the group's deeds; elsewhere: the cuts that the way to the parent crosses, a bit each
    to_play: int  # BLACK or WHITE
    winner: int  # EMPTY while the game goes on
    swapped: int  # 1 when seat 0 plays white
    num_stones: int  # stones on the board


@dispatched
def is_winning_group(rules: Any, held_marks: Any, separated_pairs: Any) -> Any:
    """Whether a group wins that holds these marks and parts these pairs."""


@kernel
def opponent(colour: int) -> int:
    """The other colour."""
    return 3 - colour


@kernel
def load_lariat_state(rules: Any, row: Cells) -> LariatState:
    """The state in a row: three arrays, then four numbers."""
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
    """Store the four numbers behind the arrays."""
    scalars = row[NUM_ARRAYS * rules.num_cells :]
    scalars[0] = state.to_play
    scalars[1] = state.winner
    scalars[2] = state.swapped
    scalars[3] = state.num_stones


@kernel
def can_swap(rules: Any, state: LariatState) -> bool:
    """Pie rule: seat 1 may answer the first stone by exchanging colours."""
    return rules.pie == 1 and state.num_stones == 1 and state.swapped == 0


@kernel
def list_claims(rules: Any, state: LariatState, moves: Cells) -> int:
    """Every unclaimed cell, and the swap where the pie rule offers it."""
    count = list_empty_cells(state.stones, rules.num_cells, moves)
    if can_swap(rules, state):
        moves[count] = rules.num_cells
        count += 1
    return count


@kernel
def is_legal_claim(rules: Any, state: LariatState, move: int) -> bool:
    """An unclaimed cell, or the swap where the pie rule offers it."""
    if 0 <= move < rules.num_cells:
        return state.stones[move] == EMPTY
    return move == rules.num_cells and can_swap(rules, state)


@kernel
def random_claim(rules: Any, state: LariatState, moves: Cells, rng: Rng) -> int:
    """A cell, or the swap, by trying: most cells are unclaimed most of the time."""
    return random_move_by_rejection(rules, state, rules.num_cells + rules.pie, moves, rng)


@kernel
def play_claim(rules: Any, state: LariatState, move: int) -> LariatState:
    """The mover claims a cell, and wins at once if its group now does; or swaps colours."""
    if move == rules.num_cells:
        return swap_colours(state)
    root = place_stone(rules, state, move, state.to_play)
    winner = state.to_play if group_wins(rules, state, root) else EMPTY
    return with_scalars(state, opponent(state.to_play), winner, state.swapped, state.num_stones + 1)


@kernel
def swap_colours(state: LariatState) -> LariatState:
    """The stone stays black; seat 0, now white, moves next."""
    return with_scalars(state, state.to_play, state.winner, 1, state.num_stones)


@kernel
def with_scalars(state: LariatState, to_play: int, winner: int, swapped: int, num_stones: int) -> LariatState:
    """The state with other numbers; its arrays are the same."""
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
    """Put a stone on the board, tie it to its neighbours of the same colour, return the group's root."""
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
    """The root of a cell's group, and the cuts that the way there crosses. Halves the way for the next time."""
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
    """Whether the group of a root wins."""
    group_flags = state.parity[root]
    return is_winning_group(rules, group_flags & ((1 << MARK_BITS) - 1), group_flags >> MARK_BITS)


@kernel
def winning_seat(rules: Any, state: LariatState) -> int:
    """The outcome: the seat whose colour has won, or ONGOING (-1)."""
    return -1 if state.winner == EMPTY else (state.winner - BLACK) ^ state.swapped


@kernel
def get_lariat_seat_to_move(rules: Any, state: LariatState) -> int:
    """Black is seat 0 until the seats have swapped colours."""
    return (state.to_play - BLACK) ^ state.swapped


@kernel
def write_lariat_codes(rules: Any, state: LariatState, codes: Any) -> None:
    """The stones, the colour to play, and whether the seats have swapped."""
    for cell in range(rules.num_cells):
        codes[cell] = state.stones[cell]
    codes[rules.num_cells] = state.to_play + 2 * state.swapped


@kernel
def has_unlimited_capacity(rules: Any, state: Any) -> bool:
    """These games remember nothing but the board."""
    return True


@kernel
def playout_by_random_fill(rules: Any, state: LariatState, moves: Cells, rng: Rng) -> int:
    """A random game: fill the board at random and judge it once, for a full board has exactly one winner."""
    if state.winner == EMPTY:
        random_fill(rules, state, moves, rng)
        winner = full_board_winner(rules.boundary, state.stones)
    else:
        winner = state.winner
    return (winner - BLACK) ^ state.swapped


@kernel
def random_fill(rules: Any, state: LariatState, moves: Cells, rng: Rng) -> None:
    """Deal all empty cells in turns: the mover has every one but a random half that the opponent takes."""
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
    """A playout whose owners of cells are noted; a sensible one keeps bridges whole."""
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
    """Deal all empty cells in random order, but answer a stone that breaks into a bridge."""
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
    """The cell that ties two stones of a colour again, after a stone between them; NO_CELL when none does.

    Around a cell, neighbours in a row touch: mine, empty, mine is a bridge just broken. The board's edge ties like a stone.
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
    """Put stones of these colours on an empty board, and count each colour's winning groups."""
    for cell in range(rules.num_cells):
        if colours[cell] != EMPTY:
            place_stone(rules, state, cell, colours[cell])
    count_winning_groups(rules, state, winning_counts)


@kernel
def count_winning_groups(rules: Any, state: LariatState, winning_counts: Any) -> None:
    """For each colour, how many groups on the board win by the definition; into winning[colour]."""
    winning_counts[:] = 0
    for cell in range(rules.num_cells):
        is_root = BLACK <= state.stones[cell] <= WHITE and state.parent[cell] == cell
        if is_root and group_wins(rules, state, cell):
            winning_counts[state.stones[cell]] += 1


@kernel
def encode_lariat_planes(rules: Any, state: LariatState, planes: Any) -> None:
    """Stones, open and marked cells; what each stone's group holds and parts; whether the mover may swap."""
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
    """Of the three pairs of nuclear cells, those of which a group holds one; what it parts of these means nothing."""
    return (0b011 if held_marks & 1 else 0) | (0b101 if held_marks & 2 else 0) | (0b110 if held_marks & 4 else 0)


@kernel
def popcount3(mask: int) -> int:
    """How many of three bits are set."""
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1)


def register(rules_type: type) -> None:
    """Answer the questions for one type of rules with the shared kernels."""
    implements(interface.load_state, rules_type)(load_lariat_state)
    implements(interface.store_state, rules_type)(store_lariat_state)
    implements(interface.legal_moves, rules_type)(list_claims)
    implements(interface.is_legal, rules_type)(is_legal_claim)
    implements(interface.random_move, rules_type)(random_claim)
    implements(interface.apply_move, rules_type)(play_claim)
    implements(interface.outcome, rules_type)(winning_seat)
    implements(interface.seat_to_move, rules_type)(get_lariat_seat_to_move)
    implements(interface.position_codes, rules_type)(write_lariat_codes)
    implements(interface.has_history_capacity, rules_type)(has_unlimited_capacity)
    implements(interface.playout, rules_type)(playout_by_random_fill)
    implements(interface.rollout, rules_type)(rollout_by_random_fill)
    implements(interface.encode_planes, rules_type)(encode_lariat_planes)


def dual_path(board: Board, sources: set[int], targets: set[int], *, leaves_board: bool = False) -> set[frozenset[int]]:
    """The pairs of neighbours whose border a line from the first cells to the second ones crosses.

    The line runs through corner points where three cells meet; one that leaves the board crosses the
    border between two of the last cells too.
    """
    corners = list_corner_points(board)
    corners_by_border: dict[frozenset[int], list[frozenset[int]]] = {}
    for corner in corners:
        for cell in corner:
            corners_by_border.setdefault(corner - {cell}, []).append(corner)
    queue = [corner for corner in corners if corner & sources]
    predecessors: dict[frozenset[int], frozenset[int] | None] = dict.fromkeys(queue)
    for corner in queue:
        reached_targets = corner & targets
        if reached_targets and (len(reached_targets) == 2 or not leaves_board):
            exit_border = {reached_targets} if leaves_board else set()
            return exit_border | trace_crossed_borders(predecessors, corner)
        for cell in sorted(corner):
            for next_corner in corners_by_border[corner - {cell}]:
                if next_corner not in predecessors:
                    predecessors[next_corner] = corner
                    queue.append(next_corner)
    raise AssertionError("the board is connected")


def trace_crossed_borders(
    predecessors: dict[frozenset[int], frozenset[int] | None], corner: frozenset[int]
) -> set[frozenset[int]]:
    """The borders between the corner points on the way back to the start."""
    crossed = set()
    while (previous := predecessors[corner]) is not None:
        crossed.add(previous & corner)
        corner = previous
    return crossed


def list_corner_points(board: Board) -> list[frozenset[int]]:
    """Every point where three cells meet, as the set of the three, in a fixed order."""
    points: dict[frozenset[int], None] = {}
    for cell, slots in enumerate(board.neighbours.tolist()):
        neighbours = [neighbour for neighbour in slots if neighbour != NO_CELL]
        for left, right in zip(neighbours, neighbours[1:] + neighbours[:1], strict=True):
            if board.adjacent(left, right):
                points[frozenset((cell, left, right))] = None
    return list(points)


def cut_parity_masks(board: Board, cuts: list[set[frozenset[int]]]) -> NDArray[np.int16]:
    """[cells, slots]: which cuts the step to each neighbour crosses, a bit a cut."""
    masks = np.zeros(board.neighbours.shape, np.int16)
    for (cell, slot), neighbour in np.ndenumerate(board.neighbours):
        for cut_index, cut in enumerate(cuts):
            if frozenset((cell, int(neighbour))) in cut:
                masks[cell, slot] |= 1 << cut_index
    return masks
