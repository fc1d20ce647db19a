"""Lariat, by Mark Steere (2008): the declaration of the game."""

from __future__ import annotations

from ..definition import (
    CARRIER_PROOF,
    PROOF_NODES,
    STRATEGY_PROOF,
    BoardOption,
    BoolOption,
    BotLevels,
    GameSpec,
    GuidanceParams,
    IntOption,
    MctsParams,
    NetLevel,
    Piece,
    TokenSyntax,
)

MCTS = MctsParams(exploration=0.05, first_play_urgency=0.5, rave_equivalence=300.0, expansion_threshold=10, heavy_rollout=1)

SPEC = GameSpec(
    key="lariat",
    name="Lariat",
    designer="Mark Steere",
    year="2008",
    aim="tie the centre of a cylinder to its edge, or rope it off from there",
    implementation="ropewalk.games.lariat.game:Lariat",
    colours=("black", "white"),
    board=BoardOption(
        label="cap radius and wall height",
        presets={"small": "1x6", "standard": "2x10", "large": "3x12"},
        template="{cap}x{wall}",
        parameters=(
            IntOption("cap", min=1, max=6, default=2, label="cap radius"),
            IntOption("wall", min=1, max=24, default=10, label="wall height"),
        ),
        expected="a size RxH such as 2x10 (cap radius {cap.min} to {cap.max}, wall height {wall.min} to {wall.max})",
        forms=("RxH (cap radius R {cap.min} to {cap.max}, wall height H {wall.min} to {wall.max})",),
    ),
    flags=(BoolOption("pie", "with the pie rule", default=False, spec_word="pie"),),
    tokens=TokenSyntax({"b": Piece("stone", "black"), "w": Piece("stone", "white")}),
    look="cylinder",
    mcts=MCTS,
    guidance=GuidanceParams(eval_threshold=30, prior_weight=0.5, exploration=0.05, value_weight=100),  # Cube Lariat's
    bots=BotLevels.standard(
        MCTS,
        (120, 600, 3_500, 25_000),
        top=NetLevel(evaluations=400, proof_nodes=PROOF_NODES[8]),
        policy_temperatures=(2.6, 2.1, 1.65),
    ),
    proof_methods=(CARRIER_PROOF, STRATEGY_PROOF),
    carrier_rules="ropewalk.games.lariat_carriers:lariat_carrier_rules",
    claims="ropewalk.games.lariat_claims:lariat_claims",
    extra_examples=("lariat-1x2-pie",),
)
