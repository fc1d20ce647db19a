"""Declaration of a game as plain data: `GameSpec` and its parts.

A game is declared once, as `SPEC` in `games/NAME/__init__.py`. Spec parsing, option forms, bot levels, search
parameters, token handling and diagrams are derived from it. This module and the modules that hold a `SPEC` import
neither numpy nor numba, so that `ropewalk.games()` is fast; heavier code is named as "module:attribute" and imported
on first use by `import_attribute`. No part is a dataclass: each takes about a millisecond to create, and the module
`dataclasses` takes eight to import, which every command would wait for.
"""

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

# Options of a spec


class IntOption(NamedTuple):
    """An integer parameter of a board: a value from `min` to `max` in steps of `step`."""

    name: str
    min: int
    max: int
    default: int | None = None  # None: any value; a form may choose at random
    step: int = 1
    label: str = ""  # in error messages; default: the name
    why: str = ""  # reason for the step, in the error message of a value between two steps
    max_share: tuple[str, int] | None = None  # (name, divisor): also at most the value of parameter `name` // divisor
    default_from: Callable[[Mapping[str, int]], int] | None = None  # default by the values of the parameters before it

    @property
    def values(self) -> str:
        """All values as text, such as "4, 6, 8 or 10"."""
        *values, last = map(str, range(self.min, self.max + 1, self.step))
        return f"{', '.join(values)} or {last}" if values else last

    def max_for(self, values: Mapping[str, int]) -> int:
        """Return the largest value, given the values of the parameters before it."""
        if self.max_share is None:
            return self.max
        name, divisor = self.max_share
        return min(self.max, values[name] // divisor)

    def find_error(self, value: int, values: Mapping[str, int]) -> str:
        """Return why `value` is not allowed beside the values of earlier parameters, "" if it is."""
        label, maximum = self.label or self.name, self.max_for(values)
        in_range, on_step = self.min <= value <= maximum, (value - self.min) % self.step == 0
        if in_range and on_step:
            return ""
        if self.step > 1 and not self.why:
            return f"{label} {value} is not {self.values}"
        if not in_range:
            return f"{label} {value} is outside {self.min} to {maximum}"
        kind = ("odd" if value % 2 else "even") if self.step == 2 else f"not {self.values}"
        return f"{label} {value} is {kind}; {self.why}"


class OptionChoice(NamedTuple):
    """One choice of a form: a part of the spec with `{name}` for the value of each parameter."""

    name: str
    template: str
    parameters: tuple[IntOption, ...] = ()

    def format(self, values: Mapping[str, int]) -> str:
        """Return the template with the parameters' values filled in."""
        return self.template.format(**values)


class BoardOption(NamedTuple):
    """The board or setup that a spec names after the game's key.

    `template` describes custom boards, such as "{cap}x{wall}". Parameters with `default_from` may be left out of a
    spec, together with the text before them. `expected` and `forms` may use the limits of parameters: "{size.min}",
    "{size.max}", "{size.values}". A game whose boards do not fit a template names a `parser` and a `formatter`.
    """

    label: str
    presets: Mapping[str, str]  # part of the spec by name, such as small: 9
    template: str = ""
    parameters: tuple[IntOption, ...] = ()
    expected: str = ""  # what the first word of a spec must be, for error messages
    forms: tuple[str, ...] = ()  # descriptions of the spec without the key; default: the template
    name: str = "board"
    default: str = "standard"  # the preset that a bare key means
    variants: tuple[OptionChoice, ...] = ()  # further choices of a form
    parser: str = ""  # "module:function": from a SpecReader to the options of the board
    formatter: str = ""  # "module:function": from all options to the canonical spec without the key

    @property
    def choices(self) -> tuple[OptionChoice, ...]:
        """The choices of a form: presets, a custom board, variants."""
        presets = (OptionChoice(name, word) for name, word in self.presets.items())
        custom = (OptionChoice("own", self.template, self.parameters),) if self.template else ()
        return (*presets, *custom, *self.variants)

    def fill_limits(self, text: str) -> str:
        """Return a text with the limits of the parameters filled in."""
        return text.format(**{option.name: option for option in self.parameters})

    @property
    def expected_text(self) -> str:
        """What the first word of a spec must be, for error messages."""
        limits = (f"{option.label or option.name} {option.min} to {option.max}" for option in self.parameters)
        return self.fill_limits(self.expected) or f"{self.presets[self.default]} or another board ({', '.join(limits)})"

    @property
    def form_texts(self) -> tuple[str, ...]:
        """Descriptions of the spec without the key."""
        if self.forms:
            return tuple(map(self.fill_limits, self.forms))
        symbols = {option.name: option.name.upper() for option in self.parameters}
        limits = (
            f"{symbols[option.name]} {option.values if option.step > 1 else f'{option.min} to {option.max}'}"
            for option in self.parameters
        )
        return (f"{self.template.format(**symbols)} ({', '.join(limits)})",) if self.parameters else ()


class BoolOption(NamedTuple):
    """A rule that is on or off; a spec contains `spec_word` when it is not as by default."""

    name: str
    label: str
    default: bool
    spec_word: str


REPETITION_OPTION = BoolOption("repetition", "a position's third occurrence is a draw", True, "norepetition")


class GameOptions(NamedTuple):
    """Everything that a spec says after the game's key."""

    board: BoardOption
    flags: tuple[BoolOption, ...] = ()


# Tokens: the text of the pieces on a cell


class Piece(NamedTuple):
    """One piece: its kind (stone, checker, disc or ring, which diagrams know how to draw) and its colour."""

    kind: str
    colour: str
    theme_colour: str = ""  # colour in diagram themes, where it is not `colour`
    letter: str = ""  # engraved on it

    @property
    def paint(self) -> str:
        """The colour in diagram themes."""
        return self.theme_colour or self.colour


class TokenSyntax:
    """What the tokens of a game look like: letters of pieces from bottom to top, perhaps in brackets."""

    def __init__(
        self, pieces: Mapping[str, Piece], max_height: int = 1, brackets: Mapping[str, Piece] = MappingProxyType({})
    ) -> None:
        """Take the pieces by letter, and the piece on top that a pair of brackets means."""
        self.pieces = pieces
        self.max_height = max_height
        self.brackets = brackets

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        stack = f"[{re.escape(''.join(self.pieces))}]{{1,{self.max_height}}}"
        bracketed = (f"{re.escape(pair[0])}{stack}{re.escape(pair[1])}" for pair in self.brackets)
        return re.compile("|".join([stack, *bracketed]))

    @cached_property
    def _swap_tables(self) -> dict[tuple[str, str], dict[int, str]]:
        return {}

    @cached_property
    def letters(self) -> dict[str, str]:
        """The colour of each letter and bracket."""
        brackets = {bracket: piece.colour for pair, piece in self.brackets.items() for bracket in pair}
        return {letter: piece.colour for letter, piece in self.pieces.items()} | brackets

    def is_token(self, text: str) -> bool:
        """Return whether a text is a token; the empty text is not."""
        return self._pattern.fullmatch(text) is not None

    def pieces_of(self, token: str) -> list[Piece]:
        """Return the pieces of a token from bottom to top."""
        top = [piece for pair, piece in self.brackets.items() if token[0] == pair[0]]
        return [self.pieces[letter] for letter in (token[1:-1] if top else token)] + top

    def swap_colours(self, token: str, colours: tuple[str, str]) -> str:
        """Return a token with two colours exchanged."""
        if colours not in self._swap_tables:
            self._swap_tables[colours] = self._make_swap_table(colours)
        return token.translate(self._swap_tables[colours])

    def _make_swap_table(self, colours: tuple[str, str]) -> dict[int, str]:
        opposite = dict(zip(colours, colours[::-1], strict=True))
        images: dict[int, str] = {}
        for texts in (self.pieces, self.brackets):
            for text, piece in texts.items():
                wanted = piece.kind, opposite.get(piece.colour, piece.colour)
                image = next((other for other, its in texts.items() if (its.kind, its.colour) == wanted), text)
                images |= dict(zip(map(ord, text), image, strict=True))
        return images

    def visible_colours(self, token: str) -> tuple[str, ...]:
        """Return the colour of the topmost letter, then that of the brackets if there are any."""
        pieces = self.pieces_of(token)
        num_visible = 2 if token[0] not in self.pieces else 1
        return tuple(piece.colour for piece in pieces[-num_visible:])

    def describe(self, token: str) -> str:
        """Return a token in words: "a red stone", "a blue disc on a yellow one under a white ring"."""
        pieces = self.pieces_of(token)
        above = "" if token[0] in self.pieces else f" under a {pieces[-1].colour} {pieces.pop().kind}"
        *beneath, top = pieces
        if beneath and self.max_height > 2:
            colours = ", ".join(piece.colour for piece in pieces)
            return f"a stack of {len(pieces)} {top.kind}s from bottom to top: {colours}{above}"
        return f"a {top.colour} {top.kind}{f' on a {beneath[0].colour} one' if beneath else ''}{above}"


# Search parameters and bot levels


class MctsParams(NamedTuple):
    """Parameters of UCT with RAVE and first-play urgency."""

    exploration: float  # weight of the upper confidence bound
    first_play_urgency: float  # initial value of an unvisited move
    rave_equivalence: float  # visits at which a move's own mean and its AMAF mean weigh the same; 0: no RAVE
    expansion_threshold: int  # visits before a leaf is expanded
    heavy_rollout: int  # 0: uniform rollouts; else heavy ones (replies to threats), or truncated after this many steps


class GuidanceParams(NamedTuple):
    """Parameters of MCTS guided by a net."""

    eval_threshold: int  # visits before a node is evaluated by the net
    prior_weight: float  # weight of the net's policy in selection
    exploration: float  # weight of the upper confidence bound at evaluated nodes
    value_weight: int  # playouts that the net's value counts as


DEFAULT_MCTS = MctsParams(
    exploration=0.7, first_play_urgency=0.5, rave_equivalence=0.0, expansion_threshold=2, heavy_rollout=0
)
DEFAULT_GUIDANCE = GuidanceParams(eval_threshold=30, prior_weight=1.0, exploration=0.1, value_weight=20)
DEFAULT_VALUE_SCALE = 0.1


class PolicyLevel(NamedTuple):
    """A weak bot level that samples plausible moves from the policy of the game's net."""

    temperature: float  # the higher, the weaker
    lookahead_turns: int  # 0: none; 1: it sees wins in one turn; 2: also threats of the opponent


class MctsLevel(NamedTuple):
    """A bot level that searches with MCTS and random rollouts, perhaps after looking for a proof."""

    visits: int
    params: MctsParams
    softmax_temperature: float = 0.0  # above 0: moves are sampled by their values
    proof_nodes: int = 0


class AlphaBetaLevel(NamedTuple):
    """A bot level that searches with alpha-beta and a static evaluation, perhaps after looking for a proof."""

    nodes: int
    proof_nodes: int = 0


class NetLevel(NamedTuple):
    """A bot level that looks for a proof first, then searches with a net that evaluates every leaf."""

    evaluations: int
    proof_nodes: int


class GuidedLevel(NamedTuple):
    """A bot level that looks for a proof first, then searches with MCTS guided by a net."""

    visits: int
    proof_nodes: int


LevelSpec = PolicyLevel | MctsLevel | AlphaBetaLevel | NetLevel | GuidedLevel

PROOF_NODES = {6: 5_000, 7: 20_000, 8: 50_000}  # positions in which the strong levels look for a proof, by level


class BotLevels:
    """The levels of a game, from 1, the weakest."""

    def __init__(self, levels: tuple[LevelSpec, ...]) -> None:
        self.levels = levels

    def __len__(self) -> int:
        return len(self.levels)

    @classmethod
    def standard(
        cls,
        params: MctsParams,
        visits: tuple[int, ...],
        top: LevelSpec | None = None,
        policy_temperatures: tuple[float, float, float] | None = None,
    ) -> "BotLevels":
        """Return three weak levels that sample moves, one MCTS level for each number of visits, and the top level.

        The weak levels sample from the policy of the game's net at the given temperatures, or without them from the values
        of short MCTS searches.
        """
        weak_params = params._replace(expansion_threshold=1)
        weak_levels: tuple[LevelSpec, ...] = (
            MctsLevel(30, weak_params, softmax_temperature=0.1),
            MctsLevel(50, weak_params, softmax_temperature=0.05),
            MctsLevel(80, weak_params, softmax_temperature=0.025),
        )
        if policy_temperatures is not None:
            weak_levels = tuple(PolicyLevel(each, turns) for turns, each in enumerate(policy_temperatures))
        mcts_levels = (
            MctsLevel(count, params, proof_nodes=PROOF_NODES.get(level, 0))
            for level, count in enumerate(visits, len(weak_levels) + 1)
        )
        return cls((*weak_levels, *mcts_levels, *([top] if top else [])))

    def is_random(self, level: int) -> bool:
        """Return whether the games of a level depend on its seed."""
        return isinstance(self.levels[level - 1], PolicyLevel | MctsLevel)

    def first_of_each_kind(self) -> tuple[int, ...]:
        """Return the number of the first level of each kind of search."""
        kinds = [type(level) for level in self.levels]
        return tuple(sorted(kinds.index(kind) + 1 for kind in set(kinds)))


DEFAULT_LEVELS = BotLevels.standard(DEFAULT_MCTS, (300, 1_000, 4_000, 16_000, 64_000))


class ProofMethod(NamedTuple):
    """A solver that `proofs` has, and the largest board that it takes (None: any)."""

    name: str
    max_cells: int | None = None


CARRIER_PROOF = ProofMethod("carrier", max_cells=64)  # carriers are sets of cells in one 64-bit word
STRATEGY_PROOF = ProofMethod("strategy")


# The declaration


class RuleText(NamedTuple):
    """One paragraph of the rules of a game in short, in English."""

    heading: str
    text: str


class GameSpec(NamedTuple):
    """The declaration of a game, made with keywords; `implementation` is called with the options of a spec as keywords."""

    key: str  # first words of its specs
    name: str
    designer: str
    year: str
    aim: str
    implementation: str  # "module:Class", a subclass of Game
    colours: tuple[str, str]  # of seats 0 and 1, before any swap
    board: BoardOption
    tokens: TokenSyntax
    look: str  # key of the board's geometry in `diagrams.looks`
    flags: tuple[BoolOption, ...] = ()
    mcts: MctsParams = DEFAULT_MCTS
    guidance: GuidanceParams = DEFAULT_GUIDANCE
    value_scale: float = DEFAULT_VALUE_SCALE  # of the search with a net: see `GumbelParams`
    bots: BotLevels = DEFAULT_LEVELS
    proof_methods: tuple[ProofMethod, ...] = (STRATEGY_PROOF,)  # the first that takes the board is used
    carrier_rules: str = ""  # "module:function": from the game to its CarrierRules, for the proof method carrier
    has_ownership_target: bool = True  # whether cells won mostly stay won, so that a net can predict their owners
    claims: str = ""  # "module:function": from the game to its RuleClaims
    rules: tuple[RuleText, ...] = ()  # the rules in short, for interfaces that have no text of their own
    first_examples: tuple[str, ...] = ()  # specs for quick checks, before and after the presets
    extra_examples: tuple[str, ...] = ()

    @property
    def options(self) -> GameOptions:
        """The options as a form needs them."""
        return GameOptions(self.board, self.flags)

    @property
    def standard(self) -> str:
        """The spec of the standard board without the key."""
        return self.board.presets[self.board.default]

    @property
    def standard_spec(self) -> str:
        """The spec that the bare key means."""
        return f"{self.key}-{self.standard}"

    @property
    def presets(self) -> dict[str, str]:
        """Aliases of boards in specs, such as small; the standard board has none."""
        named = self.board.presets.items()
        return {name: word for name, word in named if name not in (self.board.default, word)}

    @property
    def spec_flags(self) -> tuple[BoolOption, ...]:
        """The flags in the order of canonical specs: by their words."""
        return tuple(sorted(self.flags, key=lambda flag: flag.spec_word))

    @property
    def forms(self) -> tuple[str, ...]:
        """Descriptions of the specs, then of the flags."""
        boards = (f"{self.key}-{form}" for form in self.board.form_texts)
        return (*boards, *(f"-{flag.spec_word}" for flag in self.spec_flags))

    @property
    def examples(self) -> tuple[str, ...]:
        """One spec of every kind, small enough for a quick check."""
        boards = (f"{self.key}-{word}" for word in self.board.presets.values())
        return (*self.first_examples, *boards, *self.extra_examples)


def import_attribute(path: str) -> Any:
    """Return the object that "module:name" names; the module is imported if necessary."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)
