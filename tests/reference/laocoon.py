"""laoCoon, by Alain Couchot and Bernard Klein: step from colour to colour until your opponent cannot."""

from collections.abc import Mapping
from itertools import product
from typing import NamedTuple, TypeVar

from tests.reference.common import Cells, Outcome, square

T = TypeVar("T")

SIDE = 8
DISCS = "bpoy"  # blue, purple, orange, yellow
WHITE, BLACK = SEATS = (0, 1)
COLOURS = ("white", "black")
RING_MARKS = (("(", ")"), ("[", "]"))
RINGS_IN_ALL = 4
OCCURRENCES_TO_DRAW = 3

SPACES = tuple(square(file, rank) for rank in range(SIDE) for file in range(SIDE))
STEPS = {
    square(file, rank): tuple(
        square(file + across, rank + up)
        for up, across in product((-1, 0, 1), repeat=2)
        if (across or up) and 0 <= file + across < SIDE and 0 <= rank + up < SIDE
    )
    for rank in range(SIDE)
    for file in range(SIDE)
}
LAYOUTS = {
    "weave": "".join(DISCS[(file + 2 * rank) % 4] for rank in range(SIDE) for file in range(SIDE)),
    "blocks": "".join(DISCS[2 * (rank % 2) + file % 2] for rank in range(SIDE) for file in range(SIDE)),
}


class Position(NamedTuple):
    """What has to be the same for a position to occur again. Pairs are white's and black's."""

    to_move: int
    hands: tuple[str, str]  # the disc that each was given and has not placed, or ""
    rings: tuple[Cells, Cells]
    stacks: frozenset[tuple[str, str]]  # the spaces that have discs, with these from bottom to top

    def colours(self) -> dict[str, str]:
        """The colour of every space that has a disc: that of its top disc."""
        return {space: discs[-1] for space, discs in self.stacks}

    def ringed(self) -> Cells:
        """All spaces with a ring."""
        return self.rings[WHITE] | self.rings[BLACK]


class LaocoonState(NamedTuple):
    """A position within a turn, and the positions at the starts of the turns before."""

    position: Position
    phase: str  # "ring", "swap", "swap2", "move" or "disc"
    picked: str = ""  # the first space of black's swap
    earlier: tuple[Position, ...] = ()


class Laocoon:
    """The game from a layout of discs, with black's swap, discs that leave the game, and draws as chosen."""

    def __init__(self, spec: str, layout: str, swap: bool, quick: bool, repetition: bool) -> None:
        self.spec = spec
        self.cells = SPACES
        self.layout = layout
        self.swap = swap
        self.quick = quick
        self.repetition = repetition

    def start(self) -> LaocoonState:
        stacks = frozenset(zip(SPACES, self.layout, strict=True))
        rings: tuple[Cells, Cells] = (frozenset(), frozenset())
        return LaocoonState(Position(to_move=WHITE, hands=("", ""), rings=rings, stacks=stacks), phase="ring")

    def state_of(self, contents: Mapping[str, str], extras: Mapping[str, object]) -> LaocoonState:
        hands = extras["hands"]
        assert isinstance(hands, Mapping)
        white, black = (frozenset(space for space, token in contents.items() if token[0] == mark[0]) for mark in RING_MARKS)
        position = Position(
            to_move=COLOURS.index(str(extras["to_move"])),
            hands=(str(hands["white"]), str(hands["black"])),
            rings=(white, black),
            stacks=frozenset((space, token.strip("()[]")) for space, token in contents.items()),
        )
        return LaocoonState(position, phase=str(extras["phase"]), picked=str(extras.get("picked", "")))

    def seat(self, state: LaocoonState) -> int | None:
        return None if self.outcome(state) else state.position.to_move

    def moves(self, state: LaocoonState) -> list[str]:
        if self.outcome(state):
            return []
        if state.phase == "ring":
            return sorted(open_spaces(state.position))
        if state.phase == "swap":
            return ["keep", *(f"~{space}" for space in SPACES)]
        if state.phase == "swap2":
            return [f"~{space}" for space in SPACES if space != state.picked]
        if state.phase == "move":
            return ring_moves(state.position)
        return [f"/{space}" for space in disc_spaces(state.position)]

    def play(self, state: LaocoonState, move: str) -> LaocoonState:
        if state.phase == "ring":
            return self.place_ring(state.position, move)
        if move == "keep":
            return start_turn(state.position, WHITE, earlier=())
        if state.phase == "swap":
            return state._replace(phase="swap2", picked=move.removeprefix("~"))
        if state.phase == "swap2":
            swapped = swap_discs(state.position, state.picked, move.removeprefix("~"))
            return start_turn(swapped, WHITE, earlier=())
        if state.phase == "move":
            origin, target = move.split("-")
            return self.move_ring(state, origin, target)
        placed = place_disc(state.position, move.removeprefix("/"))
        return start_turn(placed, other(placed.to_move), state.earlier)

    def place_ring(self, position: Position, space: str) -> LaocoonState:
        """Put a ring on a space. After the fourth, black may swap two discs where that is played."""
        mover = position.to_move
        ringed = position._replace(rings=replaced(position.rings, mover, position.rings[mover] | {space}))
        if len(ringed.ringed()) < RINGS_IN_ALL:
            return LaocoonState(ringed._replace(to_move=other(mover)), phase="ring")
        if self.swap:
            return LaocoonState(ringed, phase="swap")
        return start_turn(ringed, WHITE, earlier=())

    def move_ring(self, state: LaocoonState, origin: str, target: str) -> LaocoonState:
        """Steps 1 and 2, and on to step 3 if there is a disc in hand and a space for it."""
        before = state.position
        mover, opponent = before.to_move, other(before.to_move)
        stacks = dict(before.stacks)
        left = stacks.pop(origin)
        if left[:-1]:
            stacks[origin] = left[:-1]
        position = before._replace(
            rings=replaced(before.rings, mover, before.rings[mover] - {origin} | {target}),
            stacks=frozenset(stacks.items()),
        )
        if not self.quick:
            position = position._replace(hands=replaced(position.hands, opponent, left[-1]))
        earlier = (*state.earlier, before) if self.repetition else ()
        if position.hands[mover] and disc_spaces(position):
            return LaocoonState(position, phase="disc", earlier=earlier)
        without_disc = position._replace(hands=replaced(position.hands, mover, ""))
        return start_turn(without_disc, opponent, earlier)

    def outcome(self, state: LaocoonState) -> Outcome | None:
        """Judged at the start of a turn: whoever can move neither ring loses; a third occurrence is a draw."""
        if state.phase != "move":
            return None
        if not ring_moves(state.position):
            return other(state.position.to_move), "cannot-move"
        if self.repetition and state.earlier.count(state.position) + 1 >= OCCURRENCES_TO_DRAW:
            return None, "repetition"
        return None

    def contents(self, state: LaocoonState) -> dict[str, str]:
        marked = dict(state.position.stacks)
        for (left, right), rings in zip(RING_MARKS, state.position.rings, strict=True):
            for space in rings:
                marked[space] = f"{left}{marked[space]}{right}"
        return marked

    def extras(self, state: LaocoonState) -> dict[str, object]:
        extras: dict[str, object] = {
            "to_move": COLOURS[state.position.to_move],
            "hands": dict(zip(COLOURS, state.position.hands, strict=True)),
            "phase": state.phase,
        }
        return extras | {"picked": state.picked} if state.phase == "swap2" else extras


def start_turn(position: Position, player: int, earlier: tuple[Position, ...]) -> LaocoonState:
    """The start of a player's turn in the moving phase."""
    return LaocoonState(position._replace(to_move=player), phase="move", earlier=earlier)


def open_spaces(position: Position) -> Cells:
    """The available spaces of a colour that is free for the player to move."""
    colours = position.colours()
    controlled = {colours[space] for space in position.rings[other(position.to_move)]}
    ringed = position.ringed()
    return frozenset(space for space, colour in colours.items() if space not in ringed and colour not in controlled)


def ring_moves(position: Position) -> list[str]:
    """The steps that the player to move can make with a ring."""
    targets = open_spaces(position)
    rings = sorted(position.rings[position.to_move])
    return [f"{ring}-{space}" for ring in rings for space in STEPS[ring] if space in targets]


def disc_spaces(position: Position) -> list[str]:
    """The available spaces that have exactly one disc, of another colour than the one in the mover's hand."""
    in_hand = position.hands[position.to_move]
    ringed = position.ringed()
    return sorted(space for space, discs in position.stacks if len(discs) == 1 and discs != in_hand and space not in ringed)


def place_disc(position: Position, space: str) -> Position:
    """The disc in the mover's hand goes on top of a space."""
    mover = position.to_move
    stacks = dict(position.stacks)
    stacks[space] += position.hands[mover]
    return position._replace(stacks=frozenset(stacks.items()), hands=replaced(position.hands, mover, ""))


def swap_discs(position: Position, one: str, another: str) -> Position:
    """The top discs of two spaces change places."""
    stacks = dict(position.stacks)
    first, second = stacks[one], stacks[another]
    stacks[one] = first[:-1] + second[-1]
    stacks[another] = second[:-1] + first[-1]
    return position._replace(stacks=frozenset(stacks.items()))


def other(player: int) -> int:
    return BLACK if player == WHITE else WHITE


def replaced(pair: tuple[T, T], player: int, value: T) -> tuple[T, T]:
    """A pair with the player's half replaced."""
    return (value, pair[BLACK]) if player == WHITE else (pair[WHITE], value)
