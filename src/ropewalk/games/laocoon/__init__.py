"""laoCoon, by Alain Couchot and Bernard Klein (1997): the declaration of the game."""

from __future__ import annotations

from ..definition import (
    PROOF_NODES,
    REPETITION_OPTION,
    BoardOption,
    BotLevels,
    GameSpec,
    GuidanceParams,
    GuidedLevel,
    IntOption,
    MctsParams,
    OptionChoice,
    Piece,
    TokenSyntax,
)

MCTS = MctsParams(exploration=0.4, first_play_urgency=0.5, rave_equivalence=0.0, expansion_threshold=2, heavy_rollout=16)

SEED = IntOption("seed", min=0, max=999_999)  # a form offers short seeds; specs take any below 2**63

SPEC = GameSpec(
    key="laocoon",
    name="laoCoon",
    designer="Alain Couchot and Bernard Klein",
    year="1997",
    aim="move your rings between colours until the other rings cannot move",
    implementation="ropewalk.games.laocoon.game:Laocoon",
    colours=("white", "black"),
    board=BoardOption(
        name="setup",
        label="how the discs lie at the start",
        presets={"weave": "weave", "blocks": "blocks"},
        default="weave",
        variants=(OptionChoice("random", "random-{seed}", (SEED,)), OptionChoice("quick", "quick-{seed}", (SEED,))),
        forms=(
            "weave",
            "blocks",
            "LAYOUT (64 letters, 16 each of b p o y, from a1, b1 to h8)",
            "random-SEED or -random-LAYOUT",
            "quick-SEED or -quick-LAYOUT",
        ),
        parser="ropewalk.games.laocoon.layouts:parse_setup",
        formatter="ropewalk.games.laocoon.layouts:format_setup",
    ),
    flags=(REPETITION_OPTION,),
    tokens=TokenSyntax(
        {
            "b": Piece("disc", "blue", theme_colour="blue disc", letter="b"),
            "p": Piece("disc", "purple", theme_colour="purple disc", letter="p"),
            "o": Piece("disc", "orange", theme_colour="orange disc", letter="o"),
            "y": Piece("disc", "yellow", theme_colour="yellow disc", letter="y"),
        },
        max_height=2,
        brackets={"()": Piece("ring", "white"), "[]": Piece("ring", "black")},
    ),
    look="squares",
    mcts=MCTS,
    # measured in docs/search-experiments.md
    guidance=GuidanceParams(eval_threshold=300, prior_weight=1.0, exploration=0.1, value_weight=300),
    bots=BotLevels.standard(
        MCTS,
        (300, 1_000, 4_000, 16_000),
        top=GuidedLevel(visits=64_000, proof_nodes=PROOF_NODES[8]),
        policy_temperatures=(1.2, 0.9, 0.5),
    ),
    has_ownership_target=False,
    claims="ropewalk.games.laocoon.claims:claims",
    extra_examples=("laocoon-random-7", "laocoon-quick-7", "laocoon-weave-norepetition"),
)
