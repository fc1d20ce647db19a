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
from ..chance import Rng, below, random_bit
from ..kernels import answers, kernel, question, whole
from . import questions
from .borders import winner_of_full_board
from .stepping import list_empty, try_ids

EMPTY, BLACK, WHITE, BARRED = range(4)  # BARRED: a cell that nobody may claim, part of the rest of the board

Cells: TypeAlias = NDArray[np.int16]  # [cells]
NUMBERS = 4  # to_play, winner, swapped, claimed
ARRAYS = 3
MARKS = 3  # bits of a group's deeds that say what it holds; those above say what it parts


class RopeState(NamedTuple):
    """A position. `claim` writes into the arrays."""

    stones: Cells  # EMPTY, BLACK, WHITE or BARRED
    parent: Cells  # towards the root of the group
    knows: Cells  # at a root: the group's deeds; elsewhere: the cuts that the way to the parent crosses, a bit each
    to_play: int  # BLACK or WHITE
    winner: int  # EMPTY while the game goes on
    swapped: int  # 1 when seat 0 plays white
    claimed: int  # stones on the board


@question
def has_won(rules: Any, holds: Any, parts: Any) -> Any:
    """Whether a group wins that holds these marks and parts these pairs."""


@kernel
def opponent(colour: int) -> int:
    """The other colour."""
    return 3 - colour


@kernel
def load_ropes(rules: Any, row: Cells) -> RopeState:
    """The state in a row: three arrays, then four numbers."""
    cells = rules.cells
    numbers = row[ARRAYS * cells :]
    return RopeState(
        stones=row[:cells],
        parent=row[cells : 2 * cells],
        knows=row[2 * cells : 3 * cells],
        to_play=whole(numbers[0]),
        winner=whole(numbers[1]),
        swapped=whole(numbers[2]),
        claimed=whole(numbers[3]),
    )


@kernel
def save_ropes(rules: Any, state: RopeState, row: Cells) -> None:
    """Store the four numbers behind the arrays."""
    numbers = row[ARRAYS * rules.cells :]
    numbers[0] = state.to_play
    numbers[1] = state.winner
    numbers[2] = state.swapped
    numbers[3] = state.claimed


@kernel
def may_swap(rules: Any, state: RopeState) -> bool:
    """Pie rule: seat 1 may answer the first stone by exchanging colours."""
    return rules.pie == 1 and state.claimed == 1 and state.swapped == 0


@kernel
def unclaimed_cells(rules: Any, state: RopeState, moves: Cells) -> int:
    """Every unclaimed cell, and the swap where the pie rule offers it."""
    count = list_empty(state.stones, rules.cells, moves)
    if may_swap(rules, state):
        moves[count] = rules.cells
        count += 1
    return count


@kernel
def may_claim(rules: Any, state: RopeState, move: int) -> bool:
    """An unclaimed cell, or the swap where the pie rule offers it."""
    if 0 <= move < rules.cells:
        return state.stones[move] == EMPTY
    return move == rules.cells and may_swap(rules, state)


@kernel
def random_claim(rules: Any, state: RopeState, moves: Cells, rng: Rng) -> int:
    """A cell, or the swap, by trying: most cells are unclaimed most of the time."""
    return try_ids(rules, state, rules.cells + rules.pie, moves, rng)


@kernel
def claim(rules: Any, state: RopeState, move: int) -> RopeState:
    """The mover claims a cell, and wins at once if its group now does; or swaps colours."""
    if move == rules.cells:
        return exchange_colours(state)
    root = tie(rules, state, move, state.to_play)
    winner = state.to_play if wins(rules, state, root) else EMPTY
    return changed(state, opponent(state.to_play), winner, state.swapped, state.claimed + 1)


@kernel
def exchange_colours(state: RopeState) -> RopeState:
    """The stone stays black; seat 0, now white, moves next."""
    return changed(state, state.to_play, state.winner, 1, state.claimed)


@kernel
def changed(state: RopeState, to_play: int, winner: int, swapped: int, claimed: int) -> RopeState:
    """The state with other numbers; its arrays are the same."""
    return RopeState(
        stones=state.stones,
        parent=state.parent,
        knows=state.knows,
        to_play=to_play,
        winner=winner,
        swapped=swapped,
        claimed=claimed,
    )


@kernel
def tie(rules: Any, state: RopeState, cell: int, colour: int) -> int:
    """Put a stone on the board, tie it to its neighbours of the same colour, return the group's root."""
    state.stones[cell] = colour
    state.parent[cell] = cell
    state.knows[cell] = rules.marks[cell]
    root = cell
    crossed = 0
    for slot in range(rules.degrees[cell]):
        neighbour = rules.neighbours[cell, slot]
        if state.stones[neighbour] == colour:
            other, way = root_of(state, neighbour)
            way ^= rules.crossings[cell, slot] ^ crossed
            if other == root:
                state.knows[root] |= way << MARKS
            else:
                state.parent[root] = other
                state.knows[other] |= state.knows[root]
                state.knows[root] = way
                root = other
                crossed ^= way
    return root


@kernel
def root_of(state: RopeState, cell: int) -> tuple[int, int]:
    """The root of a cell's group, and the cuts that the way there crosses. Halves the way for the next time."""
    crossed = 0
    while state.parent[cell] != cell:
        parent = state.parent[cell]
        beyond = state.parent[parent]
        if beyond != parent:
            state.knows[cell] ^= state.knows[parent]
            state.parent[cell] = beyond
        crossed ^= state.knows[cell]
        cell = beyond
    return cell, crossed


@kernel
def wins(rules: Any, state: RopeState, root: int) -> bool:
    """Whether the group of a root wins."""
    deeds = state.knows[root]
    return has_won(rules, deeds & ((1 << MARKS) - 1), deeds >> MARKS)


@kernel
def winning_seat(rules: Any, state: RopeState) -> int:
    """The outcome: the seat whose colour has won, or ONGOING (-1)."""
    return -1 if state.winner == EMPTY else (state.winner - BLACK) ^ state.swapped


@kernel
def seat_of_mover(rules: Any, state: RopeState) -> int:
    """Black is seat 0 until the seats have swapped colours."""
    return (state.to_play - BLACK) ^ state.swapped


@kernel
def stones_and_mover(rules: Any, state: RopeState, codes: Any) -> None:
    """The stones, the colour to play, and whether the seats have swapped."""
    for cell in range(rules.cells):
        codes[cell] = state.stones[cell]
    codes[rules.cells] = state.to_play + 2 * state.swapped


@kernel
def always_room(rules: Any, state: Any) -> bool:
    """These games remember nothing but the board."""
    return True


@kernel
def fill_and_judge(rules: Any, state: RopeState, moves: Cells, rng: Rng) -> int:
    """A random game: fill the board at random and judge it once, for a full board has exactly one winner."""
    if state.winner == EMPTY:
        fill_at_random(rules, state, moves, rng)
        winner = winner_of_full_board(rules.borders, state.stones)
    else:
        winner = state.winner
    return (winner - BLACK) ^ state.swapped


@kernel
def fill_at_random(rules: Any, state: RopeState, moves: Cells, rng: Rng) -> None:
    """Deal all empty cells in turns: the mover has every one but a random half that the opponent takes."""
    count = 0
    for cell in range(rules.cells):
        if state.stones[cell] == EMPTY:
            moves[count] = cell
            count += 1
            state.stones[cell] = state.to_play
    for dealt in range(count // 2):
        pick = dealt + below(rng, count - dealt)
        state.stones[moves[pick]] = opponent(state.to_play)
        moves[pick] = moves[dealt]


@kernel
def rollout_ropes(rules: Any, state: RopeState, moves: Cells, rng: Rng, played: Any, sensible: int) -> float:
    """A playout whose owners of cells are noted; a sensible one keeps bridges whole."""
    if sensible == 0 or state.winner != EMPTY:
        winner = fill_and_judge(rules, state, moves, rng)
    else:
        fill_with_replies(rules, state, moves, rng)
        winner = (winner_of_full_board(rules.borders, state.stones) - BLACK) ^ state.swapped
    for cell in range(rules.cells):
        played[state.swapped, cell] = 1 if state.stones[cell] == BLACK else 0
        played[1 - state.swapped, cell] = 1 if state.stones[cell] == WHITE else 0
    return questions.worth(winner)


@kernel
def fill_with_replies(rules: Any, state: RopeState, moves: Cells, rng: Rng) -> None:
    """Deal all empty cells in random order, but answer a stone that breaks into a bridge."""
    count = list_empty(state.stones, rules.cells, moves)
    colour = state.to_play
    cell = NO_CELL
    while True:
        while cell == NO_CELL and count > 0:
            pick = below(rng, count)
            count -= 1
            cell = moves[pick]
            moves[pick] = moves[count]
            if state.stones[cell] != EMPTY:
                cell = NO_CELL
        if cell == NO_CELL:
            return
        state.stones[cell] = colour
        colour = opponent(colour)
        cell = broken_bridge(rules, state.stones, cell, colour, rng)


@kernel
def broken_bridge(rules: Any, stones: Cells, cell: int, colour: int, rng: Rng) -> int:
    """The cell that ties two stones of a colour again, after a stone between them; NO_CELL when none does.

    Around a cell, neighbours in a row touch: mine, empty, mine is a bridge just broken. The board's edge ties like a stone.
    """
    slots = rules.degrees[cell]
    mine = 0
    empty = 0
    for slot in range(slots):
        stone = stones[rules.neighbours[cell, slot]]
        mine |= (1 if stone == colour else 0) << slot
        empty |= (1 if stone == EMPTY else 0) << slot
    if rules.marks[cell] & rules.edge != 0:
        mine |= 1 << slots
        slots += 1
    ties = empty & (mine << 1 | mine >> (slots - 1)) & (mine >> 1 | mine << (slots - 1))
    if ties == 0:
        return NO_CELL
    return rules.neighbours[cell, random_bit(rng, ties)]


@kernel
def tie_all(rules: Any, state: RopeState, colours: Cells, winning: Any) -> None:
    """Put stones of these colours on an empty board, and count each colour's winning groups."""
    for cell in range(rules.cells):
        if colours[cell] != EMPTY:
            tie(rules, state, cell, colours[cell])
    count_winning_groups(rules, state, winning)


@kernel
def count_winning_groups(rules: Any, state: RopeState, winning: Any) -> None:
    """For each colour, how many groups on the board win by the definition; into winning[colour]."""
    winning[:] = 0
    for cell in range(rules.cells):
        is_root = BLACK <= state.stones[cell] <= WHITE and state.parent[cell] == cell
        if is_root and wins(rules, state, cell):
            winning[state.stones[cell]] += 1


@kernel
def rope_planes(rules: Any, state: RopeState, planes: Any) -> None:
    """Stones, open and marked cells; what each stone's group holds and parts; whether the mover may swap."""
    swap = 1 if may_swap(rules, state) else 0
    for cell in range(rules.cells):
        stone, mark = state.stones[cell], rules.marks[cell]
        holds, parts = 0, 0
        if BLACK <= stone <= WHITE:
            deeds = state.knows[root_of(state, cell)[0]]
            holds, parts = deeds & ((1 << MARKS) - 1), deeds >> MARKS
            parts &= ~(pairs_held(holds) if rules.edge == 0 else 0)
        planes[cell, 0] = 1
        planes[cell, 1] = 1 if stone == state.to_play else 0
        planes[cell, 2] = 1 if stone == opponent(state.to_play) else 0
        planes[cell, 3] = 1 if stone == EMPTY else 0
        planes[cell, 4] = 1 if mark & ~rules.edge != 0 else 0
        planes[cell, 5] = 1 if mark & rules.edge != 0 else 0
        planes[cell, 6] = few_bits(holds & ~rules.edge)
        planes[cell, 7] = 1 if holds & rules.edge != 0 else 0
        planes[cell, 8] = few_bits(parts)
        planes[cell, 9] = swap


@kernel
def pairs_held(holds: int) -> int:
    """Of the three pairs of nuclear cells, those of which a group holds one; what it parts of these means nothing."""
    return (0b011 if holds & 1 else 0) | (0b101 if holds & 2 else 0) | (0b110 if holds & 4 else 0)


@kernel
def few_bits(mask: int) -> int:
    """How many of three bits are set."""
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1)


def register(rules: type) -> None:
    """Answer the questions for one type of rules with the shared kernels."""
    answers(questions.load, rules)(load_ropes)
    answers(questions.save, rules)(save_ropes)
    answers(questions.legal_moves, rules)(unclaimed_cells)
    answers(questions.is_legal, rules)(may_claim)
    answers(questions.random_move, rules)(random_claim)
    answers(questions.play, rules)(claim)
    answers(questions.outcome, rules)(winning_seat)
    answers(questions.seat_to_move, rules)(seat_of_mover)
    answers(questions.contents, rules)(stones_and_mover)
    answers(questions.has_room, rules)(always_room)
    answers(questions.playout, rules)(fill_and_judge)
    answers(questions.rollout, rules)(rollout_ropes)
    answers(questions.features, rules)(rope_planes)


def cut_between(board: Board, first: set[int], second: set[int], *, leaves_board: bool = False) -> set[frozenset[int]]:
    """The pairs of neighbours whose border a line from the first cells to the second ones crosses.

    The line runs through corner points where three cells meet; one that leaves the board crosses the
    border between two of the last cells too.
    """
    corners = corner_points(board)
    touching: dict[frozenset[int], list[frozenset[int]]] = {}
    for corner in corners:
        for cell in corner:
            touching.setdefault(corner - {cell}, []).append(corner)
    queue = [corner for corner in corners if corner & first]
    came_from: dict[frozenset[int], frozenset[int] | None] = dict.fromkeys(queue)
    for corner in queue:
        last = corner & second
        if last and (len(last) == 2 or not leaves_board):
            exit_border = {last} if leaves_board else set()
            return exit_border | borders_crossed(came_from, corner)
        for cell in sorted(corner):
            for beyond in touching[corner - {cell}]:
                if beyond not in came_from:
                    came_from[beyond] = corner
                    queue.append(beyond)
    raise AssertionError("the board is connected")


def borders_crossed(came_from: dict[frozenset[int], frozenset[int] | None], corner: frozenset[int]) -> set[frozenset[int]]:
    """The borders between the corner points on the way back to the start."""
    crossed = set()
    while (before := came_from[corner]) is not None:
        crossed.add(before & corner)
        corner = before
    return crossed


def corner_points(board: Board) -> list[frozenset[int]]:
    """Every point where three cells meet, as the set of the three, in a fixed order."""
    points: dict[frozenset[int], None] = {}
    for cell, slots in enumerate(board.neighbours.tolist()):
        around = [neighbour for neighbour in slots if neighbour != NO_CELL]
        for left, right in zip(around, around[1:] + around[:1], strict=True):
            if board.adjacent(left, right):
                points[frozenset((cell, left, right))] = None
    return list(points)


def crossings(board: Board, cuts: list[set[frozenset[int]]]) -> NDArray[np.int16]:
    """[cells, slots]: which cuts the step to each neighbour crosses, a bit a cut."""
    bits = np.zeros(board.neighbours.shape, np.int16)
    for (cell, slot), neighbour in np.ndenumerate(board.neighbours):
        for bit, cut in enumerate(cuts):
            if frozenset((cell, int(neighbour))) in cut:
                bits[cell, slot] |= 1 << bit
    return bits
