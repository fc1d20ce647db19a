"""Tether, by Mark Steere (2009): the declaration of the game."""

from __future__ import annotations

from ..definition import (
    PROOF_NODES,
    BoardOption,
    BotLevels,
    GameSpec,
    GuidanceParams,
    IntOption,
    MctsParams,
    NetLevel,
    Piece,
    TokenSyntax,
)

MCTS = MctsParams(exploration=0.1, first_play_urgency=0.5, rave_equivalence=3000.0, expansion_threshold=10, heavy_rollout=1)

SPEC = GameSpec(
    key="tether",
    name="Tether",
    designer="Mark Steere",
    year="2009",
    aim="surround more than half of a rhombus with stones tied to your sides",
    implementation="ropewalk.games.tether.game:Tether",
    colours=("red", "blue"),
    board=BoardOption(
        label="cells along a side",
        presets={"small": "9", "standard": "13", "large": "17"},
        template="{size}",
        parameters=(IntOption("size", min=3, max=19, default=13, step=2, why="Tether is played on odd sizes 3 to 19"),),
        expected="an odd size {size.min} to {size.max}",
        forms=("N (N odd, {size.min} to {size.max})",),
    ),
    tokens=TokenSyntax({"r": Piece("stone", "red"), "b": Piece("stone", "blue")}),
    look="rhombus",
    mcts=MCTS,
    guidance=GuidanceParams(eval_threshold=30, prior_weight=0.5, exploration=0.1, value_weight=100),  # Cube Lariat's
    bots=BotLevels.standard(
        MCTS,
        (120, 400, 1_500, 6_000),
        top=NetLevel(evaluations=400, proof_nodes=PROOF_NODES[8]),
        policy_temperatures=(3.2, 2.5, 1.9),
    ),
    claims="ropewalk.games.tether.claims:claims",
    extra_examples=("tether-5",),
)
