"""laoCoon on an 8 x 8 board of discs: board, rules and texts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from ...boards import NO_CELL, make_square_board
from ...errors import IllegalMove, PositionError
from ...jit.interpreted import interpreted
from ...jit.intrinsics import bit_count, bit_indices, to_signed64
from ...rules import (
    laocoon_heuristics,  # noqa: F401 (registers outcome, rollout, evaluation and planes)
    repetition,
)
from ...rules.generic import Row
from ...rules.interface import DRAW, ONGOING
from ...rules.laocoon import (
    BLACK,
    DECLINE_SWAP,
    DISC_PHASE,
    HEADER_WORDS,
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
    LaocoonRules,
    LaocoonState,
    compute_laocoon_hash,
    disc_on,
    disc_targets,
    make_laocoon_rules,
    start_turn,
    store_laocoon_state,
)
from ...text import join_list
from ..game import Game
from ..grid import adjacent_square_name, list_direction_moves, symmetry_move_ids
from ..notation import append_outcome, require_one_of
from ..position import Outcome, Position, Symmetry
from ..spec_parser import format_spec
from . import SPEC
from .layouts import DISC_LETTERS

COLOURS = SPEC.colours
DISC_NAMES = ("no disc", *(piece.colour for piece in SPEC.tokens.pieces.values()))
PHASE_NAMES = ("ring", "swap", "swap2", "move", "disc")
CYCLE = (  # rings step to and fro, every disc goes back where it came from
    "(o),y,1,p,[o],y,b,p/b,p,o,y,b,p,o,y/o,y,b,p,[py],1,b,p/b,p,o,y,b,p,o,y/"
    "o,y,b,p,o,y,b,p/b,op,o,y,b,1,o,y/o,(pb),b,p,o,y,b,p/b,1,o,y,b,p,o,y white move white:y",
    "b2-b3/e5 e6-e5/b2 b3-b2/e6 e5-e6/b3",
)
RING_PLACEMENT_CLAUSE = "Placing the rings"
RING_MOVE_CLAUSE = "Moving a ring"
DISC_CLAUSE = "Giving and placing discs"
RANDOM_SETUP_CLAUSE = "Random setup"
GAME_END_CLAUSE = "The end of the game"
REPETITION_CLAUSE = "Repetition (ruling)"


class Laocoon(Game):
    """laoCoon with a layout of discs and a variant ("", random or quick)."""

    definition = SPEC
    separator = ","
    column_width = 5
    planes = (
        *("board", "own ring", "other ring", "enterable", "enterable for the other"),
        *(f"{where} colour {place}" for where in ("top", "under", "own hand", "other hand") for place in range(1, 5)),
        *("placing", "swapping", "second swap", "disc", "picked", "repetitions", "quick", "with swap"),
    )
    global_moves = 1
    rules: LaocoonRules
    max_legal_moves = NUM_SPACES + 1

    def __init__(self, setup: str, layout: str, *, variant: str = "", repetition: bool = True) -> None:
        self.board = make_square_board()
        self.options = {"setup": setup, "layout": layout, "variant": variant, "repetition": repetition}
        self.spec = format_spec(SPEC, self.options)
        self.rules = make_laocoon_rules(self.board, variant, repetition)

    def start_row(self) -> Row:
        """Return the start row: one disc on each space, no rings, white to place."""
        return self.row_from_tokens(list(self.options["layout"]), ["white", "ring"])

    def list_move_texts(self) -> Sequence[str]:
        """Return the texts: d4 places a ring, d4-e5 moves it, /b2 places a disc, ~a1 picks a space of the swap."""
        names = self.board.names
        discs = [f"/{name}" for name in names]
        return [*names, *list_direction_moves(self.board, "-"), *discs, *(f"~{name}" for name in names), "keep"]

    def move_syntax(self) -> str:
        """Return the syntax of steps and turns."""
        return (
            "a step is d4 (place a ring), d4-e5 (move one), /b2 (place a disc), ~a1 (swap a disc) or keep; a turn d4-e5/b2"
        )

    def split_turn(self, turn: str) -> list[str]:
        """Split d4-e5/b2 into d4-e5 and /b2, ~a1~b2 into ~a1 and ~b2."""
        return [step for step in re.split(r"(?=[/~])", turn) if step] or [turn]

    def list_symmetries(self) -> Sequence[Symmetry]:
        """Return the eight symmetries of the square."""
        directed_kinds = [False, True, False, False]
        return [
            Symmetry(cells=cells, moves=symmetry_move_ids(self.board, cells, directed_kinds, 1), swaps_colours=False)
            for cells in self.board.symmetries
        ]

    # Texts

    def tokens(self, row: Row) -> list[str]:
        """Return discs from bottom to top, in round brackets under a white ring, in square ones under a black ring."""
        state = self.state(row)
        tokens = [""] * NUM_SPACES
        for layer in (state.lower, state.upper):
            for disc in range(1, 5):
                for space in bit_indices(layer[disc]):
                    tokens[space] += DISC_LETTERS[disc]
        for player, brackets in enumerate(("()", "[]")):
            for space in bit_indices(state.rings[player]):
                tokens[space] = brackets[0] + tokens[space] + brackets[1]
        return tokens

    def fields(self, row: Row) -> list[str]:
        """Return the player, the phase, the discs in hand, the first space of a swap, and `drawn`."""
        state = self.state(row)
        hands = [f"{colour}:{disc}" for colour, disc in self.hands(row).items()]
        picked = [f"picked:{self.board.names[state.swap_first]}"] if state.phase == SECOND_SWAP_PHASE else []
        drawn = ["drawn"] if state.result == DRAW else []
        return [COLOURS[state.to_play], PHASE_NAMES[state.phase], *hands, *picked, *drawn]

    def phase(self, row: Row) -> str:
        """Return the phase: ring, swap, swap2, move or disc."""
        return PHASE_NAMES[self.state(row).phase]

    def hands(self, row: Row) -> Mapping[str, str]:
        """Return the disc in each player's hand."""
        return {COLOURS[player]: DISC_LETTERS[disc] for player, disc in enumerate(self.state(row).hands) if disc != NO_DISC}

    def colour_control(self, row: Row) -> Mapping[str, Sequence[str]]:
        """Return the players with a ring on each colour of discs."""
        state = self.state(row)
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
        discs = "b blue, p purple, o orange, y yellow; of two discs the right one lies on top, and a dot is no disc."
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

    def row_from_tokens(self, tokens: Sequence[str], fields: Sequence[str]) -> Row:
        """Return the row; raise a PositionError if discs, rings, hands and phase contradict each other."""
        field_words = (
            list(fields) if len(fields) > 1 else [*(fields or ["white"]), "move" if "(" in "".join(tokens) else "ring"]
        )
        player = COLOURS.index(require_one_of(field_words[0], COLOURS, "a player to move"))
        phase = PHASE_NAMES.index(require_one_of(field_words[1], PHASE_NAMES, "a phase"))
        row = np.zeros(HEADER_WORDS + repetition.INITIAL_CAPACITY, np.int64)
        state = self.state(row)
        self.set_spaces(state, tokens)
        picked, drawn = self.set_fields(state, field_words[2:])
        self.require_phase(state, player, phase, picked)
        self.require_discs(state)
        state = state._replace(to_play=player, phase=phase, swap_first=picked, result=ONGOING)
        interpreted(store_laocoon_state)(self.rules, self.with_hash_and_result(state, drawn), row)
        return row

    def set_spaces(self, state: LaocoonState, tokens: Sequence[str]) -> None:
        """Write discs and rings into `state`; raise a PositionError above two rings of a player."""
        upper, lower, rings = [0] * 5, [0] * 5, [0] * 2
        for space, token in enumerate(tokens):
            discs = token.strip("()[]")
            lower[DISC_LETTERS.index(discs[0]) if len(discs) == 2 else NO_DISC] |= 1 << space
            upper[DISC_LETTERS.index(discs[-1]) if discs else NO_DISC] |= 1 << space
            if token != discs:
                rings[WHITE if token[0] == "(" else BLACK] |= 1 << space
        for player in (WHITE, BLACK):
            if rings[player].bit_count() > 2:
                names = self.cell_names(bit_indices(rings[player]))
                raise PositionError(f"{COLOURS[player]} has two rings, not {len(names)} ({join_list(names)})")
        state.upper[:] = list(map(to_signed64, upper))
        state.lower[:] = list(map(to_signed64, lower))
        state.rings[:] = list(map(to_signed64, rings))

    def set_fields(self, state: LaocoonState, fields: Sequence[str]) -> tuple[int, bool]:
        """Write hands into `state`; return the first space of a swap (or NO_CELL) and whether the game was drawn."""
        picked, drawn = NO_CELL, False
        for field in fields:
            key, _, value = field.partition(":")
            if key in COLOURS and len(value) == 1 and value in DISC_LETTERS[1:]:
                state.hands[COLOURS.index(key)] = DISC_LETTERS.index(value)
            elif key == "picked" and value in self.board.index:
                picked = self.board.index[value]
            elif field == "drawn" and self.rules.draw_by_repetition:
                drawn = True
            else:
                raise PositionError(f"{field!r} is not a field of {self.spec}: white:y, black:o, picked:a1 or drawn")
        return picked, drawn

    def require_phase(self, state: LaocoonState, player: int, phase: int, picked: int) -> None:
        """Raise a PositionError if the phase does not fit the rings and hands."""
        white, black = (bit_count(rings) for rings in state.rings)
        if phase == RING_PHASE and (white, black, player) not in ((0, 0, 0), (1, 0, 1), (1, 1, 0), (2, 1, 1)):
            raise PositionError(f"rings are placed in turn, white first: with {white} white and {black} black rings on "
                                f"the board it is not {COLOURS[player]}'s turn to place one")  # fmt: skip
        if phase != RING_PHASE and (white, black) != (2, 2):
            raise PositionError(
                f"phase {PHASE_NAMES[phase]} needs two rings of each player, not {white} white and {black} black"
            )
        if phase in (SWAP_PHASE, SECOND_SWAP_PHASE) and (not self.rules.swap or player != BLACK):
            raise PositionError("only black swaps discs, and only with a random setup")
        if (phase == SECOND_SWAP_PHASE) != (picked != NO_CELL):
            raise PositionError("phase swap2 and no other names the space picked first, such as picked:a1")
        if phase == DISC_PHASE and state.hands[player] == NO_DISC:
            raise PositionError(f"phase disc needs a disc in {COLOURS[player]}'s hand, such as {COLOURS[player]}:y")
        if phase != DISC_PHASE and ((phase != MOVE_PHASE and state.hands.any()) or state.hands[1 - player] != NO_DISC):
            raise PositionError("a disc is in hand only between an opponent's turn and the end of one's own")

    def require_discs(self, state: LaocoonState) -> None:
        """Raise a PositionError above sixteen discs of a colour."""
        for disc in range(1, 5):
            on_board = bit_count(state.lower[disc]) + bit_count(state.upper[disc])
            if (count := on_board + int((state.hands == disc).sum())) > 16:
                raise PositionError(f"there are 16 {DISC_NAMES[disc]} discs, not {count}")

    def with_hash_and_result(self, state: LaocoonState, drawn: bool) -> LaocoonState:
        """Return the state with hash and, at the start of a turn, the first history entry and the result."""
        if state.phase in (RING_PHASE, SWAP_PHASE, SECOND_SWAP_PHASE):
            return state
        hashed = int(interpreted(compute_laocoon_hash)(self.rules, state)) ^ self.rules.black_to_play_key * state.to_play
        if state.phase == DISC_PHASE:
            if interpreted(disc_targets)(state, state.hands[state.to_play]) == 0:
                raise PositionError("no space can take the disc in hand, so it would have left the game")
            return state._replace(position_hash=hashed)
        result, remembered = interpreted(start_turn)(self.rules, state, state.to_play, MOVE_PHASE, hashed, False)
        result = DRAW if drawn and result == ONGOING else result
        return state._replace(position_hash=hashed, result=result, history_length=remembered)

    def grow_history(self, row: Row) -> Row:
        """Return a copy of the row with twice the history capacity."""
        return repetition.with_doubled_capacity(row, len(row) - HEADER_WORDS)

    @property
    def can_repeat(self) -> bool:
        """Positions can repeat except in the quick variant, which loses a disc every turn."""
        return self.rules.quick == 0

    def has_repetition(self, row: Row) -> bool:
        """Return whether the next occurrence of some position is its third."""
        return repetition.has_repetition(self.state(row))

    def without_history(self, row: Row) -> tuple[LaocoonRules, Row]:
        """Return rules without draws, and the row without past positions."""
        return self.rules._replace(draw_by_repetition=0), row[:HEADER_WORDS]

    # Explanations

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
            message = f"{self.board.names[space]} is picked already: a swap needs two different spaces"
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
            RING_PHASE: ("is to place a ring, such as d4", RING_PLACEMENT_CLAUSE),
            SWAP_PHASE: ("may swap two discs, ~a1 then ~b2, or keep", RANDOM_SETUP_CLAUSE),
            SECOND_SWAP_PHASE: ("is to pick the second space of the swap, such as ~b2", RANDOM_SETUP_CLAUSE),
            MOVE_PHASE: ("is to move a ring, such as d4-e5", RING_MOVE_CLAUSE),
            DISC_PHASE: (f"is to place the {disc} disc in hand, such as /b2", DISC_CLAUSE),
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
        colour = interpreted(disc_on)(state.upper, space)
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
            message, reason = f"{name} has no disc left: a disc goes on a space with exactly one", "no-disc"
        elif not state.lower[NO_DISC] >> space & 1:
            message, reason = f"{name} has two discs already", "two-discs"
        else:
            message, reason = f"{name} is {disc} already: the {disc} disc goes on another colour", "same-colour"
        return self.illegal_move(move, message, reason=reason, clause=DISC_CLAUSE, witness=[space])

    def explanation(self, position: Position, move: int) -> str:
        """Return what the step does, and what becomes of the disc in hand."""
        state, after = position.state, position.play_id(move)
        parts = [f"{COLOURS[state.to_play]} {self.describe_step(state, move)}"]
        if state.phase == MOVE_PHASE and state.hands[state.to_play] != NO_DISC:
            disc = DISC_NAMES[state.hands[state.to_play]]
            must_place_disc = after.state.phase == DISC_PHASE and after.state.to_play == state.to_play
            parts.append(f"and next places the {disc} disc in hand" if must_place_disc
                        else f"and the {disc} disc in hand leaves the game, for no space can take it")  # fmt: skip
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
        disc_destination = "which leaves the game" if self.rules.quick else f"which goes to {COLOURS[1 - state.to_play]}"
        target_colour = space_colour_name(state, target)
        destination = f"{self.board.names[target]} ({target_colour})"
        return f"moves the ring from {name} to {destination} and takes up the {colour} disc, {disc_destination}"

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
    return DISC_NAMES[interpreted(disc_on)(state.upper, space)]
