"""laoCoon on an 8 x 8 board of discs: board, rows and move texts."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ...boards import NO_CELL, make_square_board
from ...errors import PositionError
from ...jit.interpreted import interpret
from ...jit.intrinsics import bit_count, bit_indices, to_signed64
from ...rules import (
    laocoon_heuristics,  # noqa: F401 (registers outcome, rollout, evaluation and planes)
    repetition,
)
from ...rules.generic import Row
from ...rules.interface import DRAW, ONGOING
from ...rules.laocoon import (
    BLACK,
    DISC_PHASE,
    HEADER_WORDS,
    MOVE_PHASE,
    NO_DISC,
    NUM_SPACES,
    RING_PHASE,
    SECOND_SWAP_PHASE,
    SWAP_PHASE,
    WHITE,
    LaocoonRules,
    LaocoonState,
    compute_laocoon_hash,
    disc_targets,
    make_laocoon_rules,
    start_turn,
    store_laocoon_state,
)
from ...text import join_list
from ..encoding import BOARD_PLANE, ObservationPlane
from ..game import Game
from ..grid import list_direction_moves, symmetry_move_ids
from ..notation import require_one_of
from ..position import Symmetry
from ..spec_parser import format_spec
from . import SPEC
from .layouts import DISC_LETTERS
from .text import DISC_NAMES, PHASE_NAMES, LaocoonText

COLOURS = SPEC.colours


DISC_PLANES = {
    "top": "1 where the topmost disc has colour {}",
    "under": "1 where the disc beneath the topmost one has colour {}",
    "own hand": "1 on every space if the own disc in hand has colour {}",
    "other hand": "1 on every space if the other's disc in hand has colour {}",
}  # colours are numbered from the view of the seat to move, see `colour_rank`


class Laocoon(Game):
    """laoCoon with a layout of discs and a variant ("", random or quick)."""

    definition = SPEC
    text_class = LaocoonText
    observation_planes = (
        BOARD_PLANE,
        ObservationPlane("own ring", "1 on own rings"),
        ObservationPlane("other ring", "1 on the other's rings"),
        ObservationPlane("enterable", "1 on spaces that the own rings may enter"),
        ObservationPlane("enterable for the other", "1 on spaces that the other's rings may enter"),
        *(
            ObservationPlane(f"{where} colour {place}", meaning.format(place))
            for where, meaning in DISC_PLANES.items()
            for place in range(1, 5)
        ),
        ObservationPlane("placing", "1 on every space while rings are placed"),
        ObservationPlane("swapping", "1 on every space while discs may be swapped"),
        ObservationPlane("second swap", "1 on every space while the second disc of a swap is chosen"),
        ObservationPlane("disc", "1 on every space while a disc is to be placed"),
        ObservationPlane("picked", "1 on the first space of a swap"),
        ObservationPlane(
            "repetitions", "how often the position has occurred at the start of a turn, 0 to 2, on every space"
        ),
        ObservationPlane("quick", "1 on every space in the quick variant"),
        ObservationPlane("with swap", "1 on every space if discs are swapped in the setup"),
    )
    global_moves = 1
    rules: LaocoonRules
    max_legal_moves = NUM_SPACES + 1

    def __init__(self, setup: str, layout: str, *, variant: str = "", repetition: bool = True) -> None:
        self.board = make_square_board()
        self.options = {"setup": setup, "layout": layout, "variant": variant, "repetition": repetition}
        self.spec = format_spec(SPEC, self.options)
        self.rules = make_laocoon_rules(self.board, variant, repetition)

    @property
    def max_game_length(self) -> int | None:
        """In the quick variant each of 64 discs leaves the game once, after four rings and two steps of a swap."""
        return NUM_SPACES + 6 if self.rules.quick else None

    def start_row(self) -> Row:
        """Return the start row: one disc on each space, no rings, white to place."""
        return self.row_from_tokens(list(self.options["layout"]), ["white", "ring"])

    def list_move_texts(self) -> Sequence[str]:
        """Return the texts: d4 places a ring, d4-e5 moves it, /b2 places a disc, ~a1 picks a space of the swap."""
        names = self.board.names
        discs = [f"/{name}" for name in names]
        return [*names, *list_direction_moves(self.board, "-"), *discs, *(f"~{name}" for name in names), "keep"]

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
        hands = [f"{colour}:{disc}" for colour, disc in self.text.hands(row).items()]
        picked = [f"picked:{self.board.names[state.swap_first]}"] if state.phase == SECOND_SWAP_PHASE else []
        drawn = ["drawn"] if state.result == DRAW else []
        return [COLOURS[state.to_play], PHASE_NAMES[state.phase], *hands, *picked, *drawn]

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
        interpret(store_laocoon_state)(self.rules, self.with_hash_and_result(state, drawn), row)
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
                names = self.text.cell_names(bit_indices(rings[player]))
                raise PositionError(
                    f"{COLOURS[player]} has {len(names)} rings ({join_list(names)}), but at most 2 are allowed"
                )
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
                raise PositionError(
                    f"unknown field {field!r} of {self.spec}; allowed are fields such as white:y, black:o, "
                    "picked:a1 and drawn"
                )
        return picked, drawn

    def require_phase(self, state: LaocoonState, player: int, phase: int, picked: int) -> None:
        """Raise a PositionError if the phase does not fit the rings and hands."""
        white, black = (bit_count(rings) for rings in state.rings)
        if phase == RING_PHASE and (white, black, player) not in ((0, 0, 0), (1, 0, 1), (1, 1, 0), (2, 1, 1)):
            raise PositionError(f"players place rings alternately, white first: with {white} white and {black} black rings "
                                f"on the board it is not {COLOURS[player]}'s turn to place one")  # fmt: skip
        if phase != RING_PHASE and (white, black) != (2, 2):
            raise PositionError(
                f"phase {PHASE_NAMES[phase]} needs two rings of each player, not {white} white and {black} black"
            )
        if phase in (SWAP_PHASE, SECOND_SWAP_PHASE) and (not self.rules.swap or player != BLACK):
            raise PositionError("only black can swap discs, and only with a random setup")
        if (phase == SECOND_SWAP_PHASE) != (picked != NO_CELL):
            raise PositionError("phase swap2 needs a field such as picked:a1; no other phase may have it")
        if phase == DISC_PHASE and state.hands[player] == NO_DISC:
            raise PositionError(f"phase disc needs a disc in {COLOURS[player]}'s hand, such as {COLOURS[player]}:y")
        if phase != DISC_PHASE and ((phase != MOVE_PHASE and state.hands.any()) or state.hands[1 - player] != NO_DISC):
            raise PositionError("a player can have a disc in hand only in the phases move and disc of their own turn")

    def require_discs(self, state: LaocoonState) -> None:
        """Raise a PositionError above sixteen discs of a colour."""
        for disc in range(1, 5):
            on_board = bit_count(state.lower[disc]) + bit_count(state.upper[disc])
            if (count := on_board + int((state.hands == disc).sum())) > 16:
                raise PositionError(f"the position has {count} {DISC_NAMES[disc]} discs, but at most 16 are allowed")

    def with_hash_and_result(self, state: LaocoonState, drawn: bool) -> LaocoonState:
        """Return the state with hash and, at the start of a turn, the first history entry and the result."""
        if state.phase in (RING_PHASE, SWAP_PHASE, SECOND_SWAP_PHASE):
            return state
        hashed = int(interpret(compute_laocoon_hash)(self.rules, state)) ^ self.rules.black_to_play_key * state.to_play
        if state.phase == DISC_PHASE:
            if interpret(disc_targets)(state, state.hands[state.to_play]) == 0:
                raise PositionError("no space can take the disc in hand, so phase disc is impossible")
            return state._replace(position_hash=hashed)
        result, remembered = interpret(start_turn)(self.rules, state, state.to_play, MOVE_PHASE, hashed, False)
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
