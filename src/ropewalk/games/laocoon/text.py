"""Texts of laoCoon: drawn board, refusals and explanations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ...boards import NO_CELL
from ...errors import IllegalMove
from ...jit.interpreted import interpret
from ...jit.intrinsics import bit_indices
from ...rules.generic import Row
from ...rules.laocoon import (
    BLACK,
    DECLINE_SWAP,
    DISC_PHASE,
    MOVE_PHASE,
    MOVE_RING,
    NO_DISC,
    NUM_SPACES,
    PLACE_DISC,
    PLACE_RING,
    RING_PHASE,
    SECOND_SWAP_PHASE,
    SWAP_DISC,
    SWAP_PHASE,
    WHITE,
    LaocoonState,
    disc_on,
)
from ...text import join_list
from ..grid import adjacent_square_name
from ..notation import append_outcome
from ..position import Outcome, Position, Symmetry
from ..text import GameText
from . import SPEC
from .layouts import DISC_LETTERS

if TYPE_CHECKING:
    from .game import Laocoon

COLOURS = SPEC.colours
DISC_NAMES = ("no disc", *(piece.colour for piece in SPEC.tokens.pieces.values()))
PHASE_NAMES = ("ring", "swap", "swap2", "move", "disc")
RING_PLACEMENT_CLAUSE = "Placing the rings"
RING_MOVE_CLAUSE = "Moving a ring"
DISC_CLAUSE = "Giving and placing discs"
RANDOM_SETUP_CLAUSE = "Random setup"
GAME_END_CLAUSE = "The end of the game"
REPETITION_CLAUSE = "Repetition (ruling)"


class LaocoonText(GameText):
    """Moves, refusals and outcomes of laoCoon in words."""

    game: Laocoon

    separator = ","

    column_width = 5

    def move_syntax(self) -> str:
        """Return the syntax of steps and turns."""
        return (
            "a move is d4 (place a ring), d4-e5 (move a ring), /b2 (place a disc), ~a1 (swap a disc) or keep; "
            "a turn is one or more moves, such as d4-e5/b2"
        )

    def phase(self, row: Row) -> str:
        """Return the phase: ring, swap, swap2, move or disc."""
        return PHASE_NAMES[self.game.state(row).phase]

    def hands(self, row: Row) -> Mapping[str, str]:
        """Return the disc in each player's hand."""
        return {
            COLOURS[player]: DISC_LETTERS[disc] for player, disc in enumerate(self.game.state(row).hands) if disc != NO_DISC
        }

    def colour_control(self, row: Row) -> Mapping[str, Sequence[str]]:
        """Return the players with a ring on each colour of discs."""
        state = self.game.state(row)
        return {
            DISC_LETTERS[disc]: [COLOURS[player] for player in (WHITE, BLACK) if state.rings[player] & state.upper[disc]]
            for disc in range(1, 5)
        }

    def transform_fields(self, fields: list[str], symmetry: Symmetry) -> list[str]:
        """Return the fields, with the first space of a swap transformed."""
        names = self.board.names
        return [
            f"picked:{names[symmetry.cells[names.index(field[7:])]]}" if field.startswith("picked:") else field
            for field in fields
        ]

    def line_labels(self) -> Sequence[str]:
        """Return the ranks from the top."""
        return [str(rank) for rank in range(8, 0, -1)]

    def legend(self) -> str:
        """Return how to read discs and rings."""
        discs = "b blue, p purple, o orange, y yellow; of two discs the right one is on top; a dot is a space without discs."
        return f"{discs} (b) is under a white ring, [b] under a black one; white:y is a disc in white's hand."

    def describe_empty_cell(self, position: Position, cell: int) -> str:
        """Return the description of a space without discs."""
        return "no disc left"

    def score_summary(self, position: Position, start: Position) -> str:
        """Return the colours that each player controls, and the discs in hand."""
        state = position.state
        parts = []
        for player, colour in enumerate(COLOURS):
            controlled = [
                self.letters[disc] for disc, holders in self.colour_control(position.row).items() if colour in holders
            ]
            hand = f", {DISC_NAMES[state.hands[player]]} in hand" if state.hands[player] != NO_DISC else ""
            parts.append(f"{colour} controls {' and '.join(controlled) or 'nothing yet'}{hand}")
        return "; ".join(parts)

    def header(self, column_width: int) -> str:
        """Return the file letters."""
        return "".join(file.ljust(column_width) for file in "abcdefgh").rstrip()

    def refusal(self, position: Position, move: int) -> IllegalMove:
        """Return whether the kind of step is wrong, or why its space is not allowed."""
        state = position.state
        kind, space = divmod(move, NUM_SPACES)
        expected_kind = {
            RING_PHASE: PLACE_RING,
            MOVE_PHASE: MOVE_RING,
            DISC_PHASE: PLACE_DISC,
            SWAP_PHASE: SWAP_DISC,
            SECOND_SWAP_PHASE: SWAP_DISC,
        }[state.phase]
        kind = MOVE_RING if MOVE_RING <= kind < PLACE_DISC else kind
        player = COLOURS[state.to_play]
        if kind != expected_kind:
            message, clause = self.describe_expected_step(state)
            return self.illegal_move(move, f"{player} {message}", reason="wrong-step", clause=clause)
        if kind == SWAP_DISC:
            message = f"{self.board.names[space]} is already selected; a swap needs two different spaces"
            return self.illegal_move(move, message, reason="same-space", clause=RANDOM_SETUP_CLAUSE, witness=[space])
        if kind == PLACE_DISC:
            return self.disc_refusal(state, move, space)
        if kind == PLACE_RING:
            return self.entry_refusal(state, move, space, RING_PLACEMENT_CLAUSE)
        return self.move_refusal(state, move, space)

    def describe_expected_step(self, state: LaocoonState) -> tuple[str, str]:
        """Return the step that the phase requires, and its clause."""
        disc = DISC_NAMES[state.hands[state.to_play]]
        return {
            RING_PHASE: ("must place a ring, such as d4", RING_PLACEMENT_CLAUSE),
            SWAP_PHASE: ("must swap two discs (~a1, then ~b2) or keep", RANDOM_SETUP_CLAUSE),
            SECOND_SWAP_PHASE: ("must select the second space of the swap, such as ~b2", RANDOM_SETUP_CLAUSE),
            MOVE_PHASE: ("must move a ring, such as d4-e5", RING_MOVE_CLAUSE),
            DISC_PHASE: (f"must place the {disc} disc in hand, such as /b2", DISC_CLAUSE),
        }[state.phase]

    def move_refusal(self, state: LaocoonState, move: int, space: int) -> IllegalMove:
        """Return why a ring cannot make this move: no ring, off the board, or a space that it cannot enter."""
        name, player = self.board.names[space], COLOURS[state.to_play]
        own_rings = bit_indices(state.rings[state.to_play])
        if space not in own_rings:
            message = f"{player} has no ring on {name}; {player}'s rings are on {join_list(self.cell_names(own_rings))}"
            return self.illegal_move(move, message, reason="no-ring", clause=RING_MOVE_CLAUSE, witness=own_rings)
        direction = move // NUM_SPACES - MOVE_RING
        target = int(self.board.neighbours[space, direction])
        if target == NO_CELL:
            message = f"{adjacent_square_name(self.board, space, direction)} is not on the board"
            return self.illegal_move(move, message, reason="off-board", clause=RING_MOVE_CLAUSE, witness=[space])
        return self.entry_refusal(state, move, target, RING_MOVE_CLAUSE)

    def entry_refusal(self, state: LaocoonState, move: int, space: int, clause: str) -> IllegalMove:
        """Return why no ring can enter a space: occupied, without discs, or of a colour that the opponent controls."""
        name = self.board.names[space]
        if has_ring(state, space):
            return self.illegal_move(move, f"{name} has a ring on it", reason="occupied", clause=clause, witness=[space])
        colour = interpret(disc_on)(state.upper, space)
        if colour == NO_DISC:
            return self.illegal_move(move, f"{name} has no disc left", reason="no-disc", clause=clause, witness=[space])
        other = 1 - state.to_play
        controlling_rings = bit_indices(state.rings[other] & state.upper[colour])
        colour_name, ring_names = DISC_NAMES[colour], join_list(self.cell_names(controlling_rings))
        message = f"{name} is {colour_name}, and {COLOURS[other]} controls {colour_name} with the ring on {ring_names}"
        return self.illegal_move(move, message, reason="not-free", clause=clause, witness=controlling_rings)

    def disc_refusal(self, state: LaocoonState, move: int, space: int) -> IllegalMove:
        """Return why the disc cannot be placed: the space has a ring, no disc, two discs, or the same colour."""
        name, disc = self.board.names[space], DISC_NAMES[state.hands[state.to_play]]
        if has_ring(state, space):
            message, reason = f"{name} has a ring on it", "occupied"
        elif state.upper[NO_DISC] >> space & 1:
            message, reason = f"{name} has no disc left; a disc must be placed on a space with exactly one disc", "no-disc"
        elif not state.lower[NO_DISC] >> space & 1:
            message, reason = f"{name} already has two discs", "two-discs"
        else:
            message, reason = f"{name} is {disc}; the {disc} disc must be placed on another colour", "same-colour"
        return self.illegal_move(move, message, reason=reason, clause=DISC_CLAUSE, witness=[space])

    def explanation(self, position: Position, move: int) -> str:
        """Return the effect of the move, and what happens to the disc in hand."""
        state, after = position.state, position.play_id(move)
        parts = [f"{COLOURS[state.to_play]} {self.describe_step(state, move)}"]
        if state.phase == MOVE_PHASE and state.hands[state.to_play] != NO_DISC:
            disc = DISC_NAMES[state.hands[state.to_play]]
            must_place_disc = after.state.phase == DISC_PHASE and after.state.to_play == state.to_play
            parts.append(f"and next places the {disc} disc in hand" if must_place_disc
                        else f"and the {disc} disc in hand leaves the game, because no space can take it")  # fmt: skip
        return append_outcome(", ".join(parts), after)

    def describe_step(self, state: LaocoonState, move: int) -> str:
        """Return a description of the step itself."""
        kind, space = divmod(move, NUM_SPACES)
        if move == DECLINE_SWAP:
            return "keeps the discs as they are"
        name, colour = self.board.names[space], space_colour_name(state, space)
        if kind == PLACE_RING:
            return f"places a ring on {name} and controls {colour}"
        if kind == PLACE_DISC:
            return f"places the {DISC_NAMES[state.hands[state.to_play]]} disc on {name}, which was {colour}"
        if state.phase == SECOND_SWAP_PHASE:
            other = self.board.names[state.swap_first]
            return f"swaps the {space_colour_name(state, state.swap_first)} disc on {other} with the {colour} one on {name}"
        if kind == SWAP_DISC:
            return f"picks the {colour} disc on {name} for the swap"
        target = int(self.board.neighbours[space, kind - MOVE_RING])
        disc_destination = (
            "which leaves the game" if self.game.rules.quick else f"which goes to {COLOURS[1 - state.to_play]}"
        )
        target_colour = space_colour_name(state, target)
        destination = f"{self.board.names[target]} ({target_colour})"
        return f"moves the ring from {name} to {destination} and takes up the {colour} disc, {disc_destination}"

    def winning_theme(self, line: Sequence[Position]) -> str:
        """Return colour control if only the winner's colours stop the last rings, else shut-in."""
        state = line[-1].state
        rings = bit_indices(state.rings[1 - line[-1].result])
        neighbours = {int(space) for ring in rings for space in self.board.neighbours[ring] if space != NO_CELL}
        has_disc = any(not has_ring(state, space) and not state.upper[NO_DISC] >> space & 1 for space in neighbours)
        return "colour control" if has_disc else "shut-in"

    def describe_outcome(self, position: Position, winner: int | None) -> Outcome:
        """Return the outcome: rings that cannot move, or the third occurrence."""
        if winner is None:
            return Outcome(None, "repetition", (), REPETITION_CLAUSE, "drawn: the same position for the third time")
        loser = 1 - winner
        rings = bit_indices(position.state.rings[loser])
        message = f"{COLOURS[loser]} can move neither ring ({join_list(self.cell_names(rings))}), so {COLOURS[winner]} wins"
        return Outcome(winner, "cannot-move", self.cell_names(rings), GAME_END_CLAUSE, message)


def has_ring(state: LaocoonState, space: int) -> bool:
    """Return whether a ring is on a space."""
    return bool((state.rings[WHITE] | state.rings[BLACK]) >> space & 1)


def space_colour_name(state: LaocoonState, space: int) -> str:
    """Return the colour of the top disc of a space, or "no disc"."""
    return DISC_NAMES[interpret(disc_on)(state.upper, space)]
