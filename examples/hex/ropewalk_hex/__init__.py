"""Hex (Piet Hein 1942, John Nash 1948) as a plugin of Ropewalk."""

from ropewalk.games.definition import (
    STRATEGY_PROOF,
    BoardOption,
    BoolOption,
    GameSpec,
    IntOption,
    Piece,
    ProofMethod,
    RuleText,
    TokenSyntax,
)

SPEC = GameSpec(
    key="hex",
    name="Hex",
    designer="Piet Hein and John Nash",
    year="1942",
    aim="connect your two sides of a rhombus with a chain of stones",
    implementation="ropewalk_hex.game:Hex",
    colours=("red", "blue"),
    board=BoardOption(
        label="cells along a side",
        presets={"small": "7", "standard": "11", "large": "14"},
        template="{size}",
        parameters=(IntOption("size", min=2, max=19, default=11),),
        expected="a size {size.min} to {size.max}",
    ),
    flags=(BoolOption("swap", "the second player may take over the first stone", default=False, spec_word="swap"),),
    tokens=TokenSyntax({"r": Piece("stone", "red"), "b": Piece("stone", "blue")}),
    look="rhombus",
    proof_methods=(ProofMethod("carrier", max_cells=60), STRATEGY_PROOF),  # a mask has 64 bits, four of them for the sides
    carrier_rules="ropewalk_hex.carriers:carrier_rules",
    extra_examples=("hex-3", "hex-4-swap"),
    rules=(
        RuleText("A turn", "Red begins. Place a stone of your colour on an empty cell. Stones never move."),
        RuleText(
            "Winning", "Red connects the first and the last row with a chain of stones, blue the first and the last column."
        ),
        RuleText("Swap", "With this option the second player may take over the first stone and its colour."),
    ),
)
