"""laoCoon, by Alain Couchot and Bernard Klein (1997): move your rings between colours until the others cannot move."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from ..bits import bit_count, bit_indices, to_signed64
from ..boards import NO_CELL, make_square_board
from ..errors import IllegalMove, PositionError
from ..rules import history, laocoon_playouts
from ..rules.laocoon import (
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
from ..rules.questions import DRAW, ONGOING
from ..rules.stepping import Row
from ..twins import interpreted
from .claims import Claim
from .game import Game, Outcome, Position, Symmetry
from .grid import beyond_name, direction_moves, turned_moves
from .layouts import LAYOUTS, LETTERS, random_layout, require_layout
from .notation import one_of
from .specs import LARGEST_SEED, Spec, in_range
from .words import listed, with_ending

COLOURS = ("white", "black")
DISCS = ("no disc", "blue", "purple", "orange", "yellow")
SYMBOL_COLOURS = dict(zip("bpoy()[]", (*DISCS[1:], "white", "white", "black", "black"), strict=True))
PHASES = ("ring", "swap", "swap2", "move", "disc")
CYCLE = (  # rings step to and fro, every disc goes back where it came from
    "(o),y,1,p,[o],y,b,p/b,p,o,y,b,p,o,y/o,y,b,p,[py],1,b,p/b,p,o,y,b,p,o,y/"
    "o,y,b,p,o,y,b,p/b,op,o,y,b,1,o,y/o,(pb),b,p,o,y,b,p/b,1,o,y,b,p,o,y white move white:y",
    "b2-b3/e5 e6-e5/b2 b3-b2/e6 e5-e6/b3",
)
BEGINNING = "Placing the rings"
MOVING = "Moving a ring"
GIVING = "Giving and placing discs"
VARIANTS = "Random setup"
LOSING = "The end of the game"
REPETITION = "Repetition (ruling)"

laocoon_playouts.register_rollout()


class Laocoon(Game):
    """laoCoon with one of its setups and variants."""

    name = "laoCoon"
    designer = "Alain Couchot and Bernard Klein"
    year = "1997"
    colours = ("white", "black")
    letters = SYMBOL_COLOURS
    separator = ","
    pitch = 5
    planes = (
        *("board", "own ring", "other ring", "enterable", "enterable for the other"),
        *(f"{where} colour {place}" for where in ("top", "under", "own hand", "other hand") for place in range(1, 5)),
        *("placing", "swapping", "second swap", "disc", "picked", "repetitions", "quick", "with swap"),
    )
    global_moves = 1
    keeps_cells = False
    rules: LaocoonRules
    most_moves = NUM_SPACES + 1

    def __init__(self, setup: str, layout: str, *, variant: str = "", repetition: bool = True) -> None:
        self.board = make_square_board()
        self.options = {"setup": setup, "layout": layout, "variant": variant, "repetition": repetition}
        words = [word for word in ("laocoon", variant, setup) if word]
        self.spec = "-".join(words) + ("" if repetition or variant == "quick" else "-norepetition")
        self.rules = make_laocoon_rules(self.board, variant, repetition)

    def start_row(self) -> Row:
        """One disc on each space, no rings, white to place."""
        return self.row_of(list(self.options["layout"]), ["white", "ring"])

    def all_texts(self) -> Sequence[str]:
        """d4 places a ring, d4-e5 moves it, /b2 places a disc, ~a1 picks a space of the swap."""
        names = self.board.names
        discs = [f"/{name}" for name in names]
        return [*names, *direction_moves(self.board, "-"), *discs, *(f"~{name}" for name in names), "keep"]

    def move_help(self) -> str:
        """The kinds of steps."""
        return (
            "a step is d4 (place a ring), d4-e5 (move one), /b2 (place a disc), ~a1 (swap a disc) or keep; a turn d4-e5/b2"
        )

    def steps(self, turn: str) -> list[str]:
        """d4-e5/b2 is d4-e5 and /b2; ~a1~b2 is ~a1 and ~b2."""
        return [step for step in re.split(r"(?=[/~])", turn) if step] or [turn]

    def all_symmetries(self) -> Sequence[Symmetry]:
        """The eight of the square."""
        kinds = [False, True, False, False]
        return [
            Symmetry(cells=cells, moves=turned_moves(self.board, cells, kinds, 1), exchanges=False)
            for cells in self.board.symmetries
        ]

    def claims(self) -> Sequence[Claim]:
        """A space for every ring, discs that do not come from nowhere, and play that can go round for ever."""
        from . import endless_claims

        words = "each turn of quick takes one disc out of the game" if self.rules.quick else "no disc comes from nowhere"
        found = [
            *endless_claims.claims(self, "whoever does not lose has a step, at every point of a turn"),
            endless_claims.per_game(self.wrong_discs, words, self),
        ]
        if self.rules.quick:
            return found
        note = "the sheet names no draw; answered by the ruling on repetition: the third occurrence is a draw"
        return [*found, endless_claims.cycle_claim("a position never comes again", self, *CYCLE, note)]

    def wrong_discs(self, step: tuple[Position, Position]) -> int:
        """1 if a step makes discs, or loses any that the rules keep."""
        before, after = (self.discs_in_game(position.state) for position in step)
        lost = before - after
        if self.rules.quick:
            return int(lost != (1 if step[0].state.phase == MOVE_PHASE else 0))
        return int(lost not in (0, 1))

    @staticmethod
    def discs_in_game(state: LaocoonState) -> int:
        """Discs on the board and in hand."""
        on_board = sum(bit_count(layer[disc]) for layer in (state.lower, state.upper) for disc in range(1, 5))
        return on_board + int((state.hands != NO_DISC).sum())

    # Texts

    def tokens(self, row: Row) -> list[str]:
        """Discs from bottom to top, in round brackets under a white ring, in square ones under a black ring."""
        state = self.state(row)
        tokens = [""] * NUM_SPACES
        for layer in (state.lower, state.upper):
            for disc in range(1, 5):
                for space in bit_indices(layer[disc]):
                    tokens[space] += LETTERS[disc]
        for player, brackets in enumerate(("()", "[]")):
            for space in bit_indices(state.rings[player]):
                tokens[space] = brackets[0] + tokens[space] + brackets[1]
        return tokens

    def fields(self, row: Row) -> list[str]:
        """The player, the phase, the discs in hand, the first space of a swap, `drawn`."""
        state = self.state(row)
        hands = [f"{colour}:{disc}" for colour, disc in self.hands(row).items()]
        picked = [f"picked:{self.board.names[state.swap_first]}"] if state.phase == SECOND_SWAP_PHASE else []
        drawn = ["drawn"] if state.result == DRAW else []
        return [COLOURS[state.to_play], PHASES[state.phase], *hands, *picked, *drawn]

    def phase(self, row: Row) -> str:
        """Which step of a turn comes next."""
        return PHASES[self.state(row).phase]

    def hands(self, row: Row) -> Mapping[str, str]:
        """The disc that each player was given."""
        return {COLOURS[player]: LETTERS[disc] for player, disc in enumerate(self.state(row).hands) if disc != NO_DISC}

    def held(self, row: Row) -> Mapping[str, Sequence[str]]:
        """Of each colour of discs, whose rings are on it."""
        state = self.state(row)
        return {
            LETTERS[disc]: [COLOURS[player] for player in (WHITE, BLACK) if state.rings[player] & state.upper[disc]]
            for disc in range(1, 5)
        }

    def mirrored_fields(self, fields: list[str], symmetry: Symmetry) -> list[str]:
        """The first space of a swap moves with the board."""
        names = self.board.names
        return [
            f"picked:{names[symmetry.cells[names.index(field[7:])]]}" if field.startswith("picked:") else field
            for field in fields
        ]

    def is_token(self, token: str) -> bool:
        """One or two discs, perhaps with a ring."""
        return re.fullmatch(r"[bpoy]{1,2}|\([bpoy]{1,2}\)|\[[bpoy]{1,2}\]", token) is not None

    def line_labels(self) -> Sequence[str]:
        """Ranks from the top."""
        return [str(rank) for rank in range(8, 0, -1)]

    def legend(self) -> str:
        """Discs and rings."""
        discs = "b blue, p purple, o orange, y yellow; of two discs the right one lies on top, and a dot is no disc."
        return f"{discs} (b) is under a white ring, [b] under a black one; white:y is a disc in white's hand."

    def showing(self, token: str) -> tuple[str, ...]:
        """The top disc, and a ring."""
        ring = [COLOURS["([".index(token[0])]] if token[0] in "([" else []
        return (self.letters[token.strip("()[]")[-1]], *ring)

    def token_words(self, token: str) -> str:
        """Discs, and a ring."""
        *beneath, top = (self.letters[disc] for disc in token.strip("()[]"))
        under = f" on a {beneath[0]} one" if beneath else ""
        ring = f" under a {self.showing(token)[1]} ring" if token[0] in "([" else ""
        return f"a {top} disc{under}{ring}"

    def empty_words(self, position: Position, cell: int) -> str:
        """A space without discs."""
        return "no disc left"

    def counts(self, position: Position, start: Position) -> str:
        """The colours that each player controls, and discs in hand."""
        state = position.state
        said = []
        for player, colour in enumerate(COLOURS):
            held = [self.letters[disc] for disc, holders in self.held(position.row).items() if colour in holders]
            hand = f", {DISCS[state.hands[player]]} in hand" if state.hands[player] != NO_DISC else ""
            said.append(f"{colour} controls {' and '.join(held) or 'nothing yet'}{hand}")
        return "; ".join(said)

    def header(self, pitch: int) -> str:
        """File letters."""
        return "".join(file.ljust(pitch) for file in "abcdefgh").rstrip()

    def row_of(self, tokens: Sequence[str], fields: Sequence[str]) -> Row:
        """Check discs, rings and hands against each other and against the phase."""
        words = list(fields) if len(fields) > 1 else [*(fields or ["white"]), "move" if "(" in "".join(tokens) else "ring"]
        player = COLOURS.index(one_of(words[0], COLOURS, "a player to move"))
        phase = PHASES.index(one_of(words[1], PHASES, "a phase"))
        row = np.zeros(HEADER_WORDS + history.INITIAL_CAPACITY, np.int64)
        state = self.state(row)
        self.set_spaces(state, tokens)
        picked, drawn = self.set_fields(state, words[2:])
        self.require_phase(state, player, phase, picked)
        self.require_discs(state)
        state = state._replace(to_play=player, phase=phase, swap_first=picked, result=ONGOING)
        interpreted(store_laocoon_state)(self.rules, self.judged(state, drawn), row)
        return row

    def set_spaces(self, state: LaocoonState, tokens: Sequence[str]) -> None:
        """Put discs and rings on the board."""
        upper, lower, rings = [0] * 5, [0] * 5, [0] * 2
        for space, token in enumerate(tokens):
            discs = token.strip("()[]")
            lower[LETTERS.index(discs[0]) if len(discs) == 2 else NO_DISC] |= 1 << space
            upper[LETTERS.index(discs[-1]) if discs else NO_DISC] |= 1 << space
            if token != discs:
                rings[WHITE if token[0] == "(" else BLACK] |= 1 << space
        for player in (WHITE, BLACK):
            if rings[player].bit_count() > 2:
                names = self.named(bit_indices(rings[player]))
                raise PositionError(f"{COLOURS[player]} has two rings, not {len(names)} ({listed(names)})")
        state.upper[:] = list(map(to_signed64, upper))
        state.lower[:] = list(map(to_signed64, lower))
        state.rings[:] = list(map(to_signed64, rings))

    def set_fields(self, state: LaocoonState, fields: Sequence[str]) -> tuple[int, bool]:
        """Put discs into hands; the first space of a swap (or NO_CELL), and whether the game was drawn."""
        picked, drawn = NO_CELL, False
        for field in fields:
            key, _, value = field.partition(":")
            if key in COLOURS and len(value) == 1 and value in LETTERS[1:]:
                state.hands[COLOURS.index(key)] = LETTERS.index(value)
            elif key == "picked" and value in self.board.index:
                picked = self.board.index[value]
            elif field == "drawn" and self.rules.draw_by_repetition:
                drawn = True
            else:
                raise PositionError(f"{field!r} is not a field of {self.spec}: white:y, black:o, picked:a1 or drawn")
        return picked, drawn

    def require_phase(self, state: LaocoonState, player: int, phase: int, picked: int) -> None:
        """Refuse a phase that the rings and hands on the board do not fit."""
        white, black = (bit_count(rings) for rings in state.rings)
        if phase == RING_PHASE and (white, black, player) not in ((0, 0, 0), (1, 0, 1), (1, 1, 0), (2, 1, 1)):
            raise PositionError(f"rings are placed in turn, white first: with {white} white and {black} black rings on "
                                f"the board it is not {COLOURS[player]}'s turn to place one")  # fmt: skip
        if phase != RING_PHASE and (white, black) != (2, 2):
            raise PositionError(f"phase {PHASES[phase]} needs two rings of each player, not {white} white and {black} black")
        if phase in (SWAP_PHASE, SECOND_SWAP_PHASE) and (not self.rules.swap or player != BLACK):
            raise PositionError("only black swaps discs, and only with a random setup")
        if (phase == SECOND_SWAP_PHASE) != (picked != NO_CELL):
            raise PositionError("phase swap2 and no other names the space picked first, such as picked:a1")
        if phase == DISC_PHASE and state.hands[player] == NO_DISC:
            raise PositionError(f"phase disc needs a disc in {COLOURS[player]}'s hand, such as {COLOURS[player]}:y")
        if phase != DISC_PHASE and ((phase != MOVE_PHASE and state.hands.any()) or state.hands[1 - player] != NO_DISC):
            raise PositionError("a disc is in hand only between an opponent's turn and the end of one's own")

    def require_discs(self, state: LaocoonState) -> None:
        """Sixteen of each colour, and one under each ring."""
        for disc in range(1, 5):
            on_board = bit_count(state.lower[disc]) + bit_count(state.upper[disc])
            if (count := on_board + int((state.hands == disc).sum())) > 16:
                raise PositionError(f"there are 16 {DISCS[disc]} discs, not {count}")

    def judged(self, state: LaocoonState, drawn: bool) -> LaocoonState:
        """The state with hash, first occurrence, and the result if a turn has just begun."""
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

    def grown(self, row: Row) -> Row:
        """More room for past positions."""
        return history.with_doubled_capacity(row, len(row) - HEADER_WORDS)

    @property
    def can_repeat(self) -> bool:
        """Only the quick variant loses a disc every turn."""
        return self.rules.quick == 0

    def has_repeated(self, row: Row) -> bool:
        """Whether the next occurrence of some position is its third."""
        return history.has_repetition(self.state(row))

    def without_past(self, row: Row) -> tuple[LaocoonRules, Row]:
        """No draws, and no past positions in the row."""
        return self.rules._replace(draw_by_repetition=0), row[:HEADER_WORDS]

    # Words

    def refusal(self, position: Position, move: int) -> IllegalMove:
        """The wrong kind of step, or a space that is not available, not free, or not fit for the disc."""
        state = position.state
        kind, space = divmod(move, NUM_SPACES)
        wanted = {
            RING_PHASE: PLACE_RING,
            MOVE_PHASE: MOVE_RING,
            DISC_PHASE: PLACE_DISC,
            SWAP_PHASE: SWAP_DISC,
            SECOND_SWAP_PHASE: SWAP_DISC,
        }[state.phase]
        kind = MOVE_RING if MOVE_RING <= kind < PLACE_DISC else kind
        player = COLOURS[state.to_play]
        if kind != wanted:
            words, clause = self.due(state)
            return self.refuse(move, f"{player} {words}", reason="wrong-step", clause=clause)
        if kind == SWAP_DISC:
            words = f"{self.board.names[space]} is picked already: a swap needs two different spaces"
            return self.refuse(move, words, reason="same-space", clause=VARIANTS, witness=[space])
        if kind == PLACE_DISC:
            return self.disc_refusal(state, move, space)
        if kind == PLACE_RING:
            return self.entry_refusal(state, move, space, BEGINNING)
        return self.move_refusal(state, move, space)

    def due(self, state: LaocoonState) -> tuple[str, str]:
        """What the turn asks for now, and the clause."""
        disc = DISCS[state.hands[state.to_play]]
        return {
            RING_PHASE: ("is to place a ring, such as d4", BEGINNING),
            SWAP_PHASE: ("may swap two discs, ~a1 then ~b2, or keep", VARIANTS),
            SECOND_SWAP_PHASE: ("is to pick the second space of the swap, such as ~b2", VARIANTS),
            MOVE_PHASE: ("is to move a ring, such as d4-e5", MOVING),
            DISC_PHASE: (f"is to place the {disc} disc in hand, such as /b2", GIVING),
        }[state.phase]

    def move_refusal(self, state: LaocoonState, move: int, space: int) -> IllegalMove:
        """No ring of the mover there, or no way."""
        name, player = self.board.names[space], COLOURS[state.to_play]
        mine = bit_indices(state.rings[state.to_play])
        if space not in mine:
            words = f"{player} has no ring on {name}; {player}'s rings are on {listed(self.named(mine))}"
            return self.refuse(move, words, reason="no-ring", clause=MOVING, witness=mine)
        direction = move // NUM_SPACES - MOVE_RING
        target = int(self.board.neighbours[space, direction])
        if target == NO_CELL:
            words = f"{beyond_name(self.board, space, direction)} is not on the board"
            return self.refuse(move, words, reason="off-board", clause=MOVING, witness=[space])
        return self.entry_refusal(state, move, target, MOVING)

    def entry_refusal(self, state: LaocoonState, move: int, space: int, clause: str) -> IllegalMove:
        """Occupied, without discs, or of a colour that the opponent controls."""
        name = self.board.names[space]
        if ringed(state, space):
            return self.refuse(move, f"{name} has a ring on it", reason="occupied", clause=clause, witness=[space])
        colour = interpreted(disc_on)(state.upper, space)
        if colour == NO_DISC:
            return self.refuse(move, f"{name} has no disc left", reason="no-disc", clause=clause, witness=[space])
        other = 1 - state.to_play
        holders = bit_indices(state.rings[other] & state.upper[colour])
        hue, rings = DISCS[colour], listed(self.named(holders))
        words = f"{name} is {hue}, and {COLOURS[other]} controls {hue} with the ring on {rings}"
        return self.refuse(move, words, reason="not-free", clause=clause, witness=holders)

    def disc_refusal(self, state: LaocoonState, move: int, space: int) -> IllegalMove:
        """The space is taken, empty, full, or has the disc's own colour."""
        name, disc = self.board.names[space], DISCS[state.hands[state.to_play]]
        if ringed(state, space):
            words, reason = f"{name} has a ring on it", "occupied"
        elif state.upper[NO_DISC] >> space & 1:
            words, reason = f"{name} has no disc left: a disc goes on a space with exactly one", "no-disc"
        elif not state.lower[NO_DISC] >> space & 1:
            words, reason = f"{name} has two discs already", "two-discs"
        else:
            words, reason = f"{name} is {disc} already: the {disc} disc goes on another colour", "same-colour"
        return self.refuse(move, words, reason=reason, clause=GIVING, witness=[space])

    def explanation(self, position: Position, move: int) -> str:
        """Which colours change hands, and what becomes of the turn."""
        state, after = position.state, position.play_id(move)
        said = [f"{COLOURS[state.to_play]} {self.deed(state, move)}"]
        if state.phase == MOVE_PHASE and state.hands[state.to_play] != NO_DISC:
            disc = DISCS[state.hands[state.to_play]]
            placing = after.state.phase == DISC_PHASE and after.state.to_play == state.to_play
            said.append(f"and next places the {disc} disc in hand" if placing
                        else f"and the {disc} disc in hand leaves the game, for no space can take it")  # fmt: skip
        return with_ending(", ".join(said), after)

    def deed(self, state: LaocoonState, move: int) -> str:
        """The step itself."""
        kind, space = divmod(move, NUM_SPACES)
        if move == DECLINE_SWAP:
            return "keeps the discs as they are"
        name, colour = self.board.names[space], colour_of(state, space)
        if kind == PLACE_RING:
            return f"places a ring on {name} and controls {colour}"
        if kind == PLACE_DISC:
            return f"places the {DISCS[state.hands[state.to_play]]} disc on {name}, which was {colour}"
        if state.phase == SECOND_SWAP_PHASE:
            other = self.board.names[state.swap_first]
            return f"swaps the {colour_of(state, state.swap_first)} disc on {other} with the {colour} one on {name}"
        if kind == SWAP_DISC:
            return f"picks the {colour} disc on {name} for the swap"
        target = int(self.board.neighbours[space, kind - MOVE_RING])
        fate = "which leaves the game" if self.rules.quick else f"which goes to {COLOURS[1 - state.to_play]}"
        new = colour_of(state, target)
        return f"moves the ring from {name} to {self.board.names[target]} ({new}) and takes up the {colour} disc, {fate}"

    def verdict(self, position: Position, winner: int | None) -> Outcome:
        """Rings that cannot move, or the third occurrence."""
        if winner is None:
            return Outcome(None, "repetition", (), REPETITION, "drawn: the same position for the third time")
        loser = 1 - winner
        rings = bit_indices(position.state.rings[loser])
        words = f"{COLOURS[loser]} can move neither ring ({listed(self.named(rings))}), so {COLOURS[winner]} wins"
        return Outcome(winner, "cannot-move", self.named(rings), LOSING, words)


def ringed(state: LaocoonState, space: int) -> bool:
    """Whether any ring is on a space."""
    return bool((state.rings[WHITE] | state.rings[BLACK]) >> space & 1)


def colour_of(state: LaocoonState, space: int) -> str:
    """The colour of a space in words."""
    return DISCS[interpreted(disc_on)(state.upper, space)]


def from_spec(spec: Spec) -> Laocoon:
    """laocoon-weave, -blocks or -LAYOUT; -random- or -quick- with a seed or a layout; -norepetition."""
    wanted = "weave, blocks, random, quick, or a layout of 64 letters b p o y"
    setup = spec.word(r"[a-z]+", wanted)
    variant = setup if setup in ("random", "quick") else ""
    if variant:
        setup = spec.word(r"\d+|[a-z]+", f"a seed 0 to {LARGEST_SEED} or a layout of 64 letters b p o y")
    if setup.isdigit():
        in_range(spec, int(setup), 0, LARGEST_SEED, "seed")
        setup, layout = str(int(setup)), random_layout(int(setup))
    elif setup in LAYOUTS and not variant:
        layout = LAYOUTS[setup]
    else:
        layout = require_layout(spec, setup, wanted)
        named = {text: name for name, text in LAYOUTS.items()}
        setup = setup if variant else named.get(layout, setup)
    spec.ends(["norepetition"])
    return Laocoon(setup, layout, variant=variant, repetition=not spec.flag("norepetition"))
