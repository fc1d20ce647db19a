"""Cube Lariat, by Mark Steere (2024): the declaration of the game."""

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

MCTS = MctsParams(exploration=0.05, first_play_urgency=0.5, rave_equivalence=1000.0, expansion_threshold=10, heavy_rollout=1)

SPEC = GameSpec(
    key="cube-lariat",
    name="Cube Lariat",
    designer="Mark Steere",
    year="2024",
    aim="with a single group, part three cells of a cube's surface from each other",
    implementation="ropewalk.games.cube_lariat.game:CubeLariat",
    colours=("black", "white"),
    board=BoardOption(
        label="octagons along an edge",
        presets={"small": "2", "standard": "4", "large": "6"},
        template="{size}",
        parameters=(
            IntOption(
                "size",
                min=2,
                max=8,
                default=4,
                step=2,
                why="a nuclear cell needs the middle of an edge, so sizes are 2, 4, 6 or 8",
            ),
        ),
        expected="an even size {size.min} to {size.max}",
        forms=("N (N {size.values})",),
    ),
    flags=(
        BoolOption("pie", "with the pie rule", default=True, spec_word="nopie"),
        BoolOption("corners", "corner cells may be claimed", default=True, spec_word="nocorners"),
    ),
    tokens=TokenSyntax({"b": Piece("stone", "black"), "w": Piece("stone", "white")}),
    look="cube",
    mcts=MCTS,
    # measured in docs/search-experiments.md
    guidance=GuidanceParams(eval_threshold=30, prior_weight=0.5, exploration=0.05, value_weight=100),
    value_scale=0.4,  # measured in docs/training.md
    bots=BotLevels.standard(
        MCTS,
        (300, 1_000, 4_000, 16_000),
        top=NetLevel(evaluations=400, proof_nodes=PROOF_NODES[8]),
        policy_temperatures=(2.4, 1.8, 1.35),
    ),
    proof_methods=(CARRIER_PROOF, STRATEGY_PROOF),
    carrier_rules="ropewalk.games.lariat_carriers:cube_lariat_carrier_rules",
    claims="ropewalk.games.lariat_claims:cube_lariat_claims",
    extra_examples=("cube-lariat-2-nocorners-nopie",),
)
