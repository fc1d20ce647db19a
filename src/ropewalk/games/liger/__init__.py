"""Liger, by Mark Steere (2009): the declaration of the game."""

from __future__ import annotations

from collections.abc import Mapping

from ..definition import (
    PROOF_NODES,
    REPETITION_OPTION,
    AlphaBetaLevel,
    BoardOption,
    BotLevels,
    GameSpec,
    IntOption,
    NetLevel,
    Piece,
    PolicyLevel,
    TokenSyntax,
)


def default_rows(values: Mapping[str, int]) -> int:
    """Return the rows of checkers on a board of this size: two empty rows are left in the middle."""
    return values["size"] // 2 - 1


SPEC = GameSpec(
    key="liger",
    name="Liger",
    designer="Mark Steere",
    year="2009",
    aim="walk your checkers across the board and off it, but always leave the other side a checker to move",
    implementation="ropewalk.games.liger.game:Liger",
    colours=("red", "blue"),
    board=BoardOption(
        label="squares along a side, and rows of checkers",
        presets={"small": "6", "standard": "8", "large": "10"},
        template="{size}x{rows}",
        parameters=(
            IntOption("size", min=4, max=10, default=8, step=2),
            IntOption(
                "rows",
                min=1,
                max=5,
                default=3,
                label="rows of checkers",
                max_share=("size", 2),
                default_from=default_rows,
            ),
        ),
        expected="a size {size.values}, or a size and rows of checkers such as 4x2",
        forms=("N (N {size.values})", "NxROWS (rows of checkers, {rows.min} to N/2)"),
    ),
    flags=(REPETITION_OPTION,),
    tokens=TokenSyntax({"r": Piece("checker", "red"), "b": Piece("checker", "blue")}, max_height=40),
    look="dark squares",
    bots=BotLevels(
        (
            PolicyLevel(temperature=5.0, lookahead_turns=0),
            PolicyLevel(temperature=3.8, lookahead_turns=1),
            PolicyLevel(temperature=2.8, lookahead_turns=2),
            AlphaBetaLevel(500),
            AlphaBetaLevel(3_000),
            AlphaBetaLevel(20_000, PROOF_NODES[6]),
            AlphaBetaLevel(120_000, PROOF_NODES[7]),
            NetLevel(evaluations=600, proof_nodes=PROOF_NODES[8]),
        )
    ),
    has_ownership_target=False,
    claims="ropewalk.games.liger.claims:claims",
    first_examples=("liger-4",),
    extra_examples=("liger-4x2-norepetition",),
)
