"""`ropewalk train`: train a net by self-play."""

from __future__ import annotations

import os
import re
from argparse import ArgumentTypeError, Namespace
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import RopewalkError
from ...text import ellipsis
from ..arguments import Parser, UsageError, make_float_parser, make_int_parser
from ..command import EXIT_OK, Command

if TYPE_CHECKING:
    from ...training.config import RunSchedule, TrainingConfig
    from ...training.dashboard import TrainingConsole
    from ...training.selfplay.actors import GameSource

DESCRIPTION = (
    "Train a net by self-play (Gumbel AlphaZero): tree search on CPU threads, the net on a GPU if there is one. Several "
    "boards of one game share a net. To resume a run, start it again with the same folder."
)

EXAMPLES = [
    ("ropewalk train lariat-2x10 lariat-1x6 -o run --minutes 9", "train on two boards for nine minutes"),
    ("ropewalk train tether-5 -o run --parallel-games 64 --simulations 8 --minutes 5", "a short trial on a CPU"),
    (
        "ropewalk train tether-9 -o run --gating-minutes 2 --search-value-weight 0.3",
        "with gating, and value targets that are 30 % search value",
    ),
    (
        "ropewalk train laocoon -o run --teacher-visits 3000 --opening-moves 24 --replay-ratio 8",
        "learn from MCTS games with 3,000 visits per move",
    ),
    (
        "ropewalk train liger-8 -o run --ray-workers 16 --ray-address auto",
        "self-play on 16 actors of a Ray cluster",
    ),
    ("ropewalk train lariat -o new --init-from run/checkpoint.pt", "start from the checkpoint of another run"),
    ("ropewalk train lariat -o new --init-from lariat.onnx", "start from a net, such as one in src/ropewalk/nets/weights"),
]

MIN_TEACHER_VISITS = 32  # per move; with fewer, MCTS hardly expands the root

SELFPLAY_HELP = {  # by field of TrainingConfig
    "parallel_games": "number of concurrent self-play games, over all boards",
    "simulations": "search simulations per move",
    "max_considered": "maximum number of moves considered at the root (sequential halving)",
    "value_scale": "factor on search values before they are added to the policy logits",
    "opening_moves": "maximum number of random opening moves; about half of the games have none",
    "max_opening_value": "largest absolute net value of a random opening, 0 to 1; most openings above it are replaced",
    "max_moves": "maximum length of a game in moves; a longer game is a draw",
    "leaf_rollouts": "rollouts per evaluated leaf, averaged with the net's value; 0: none",
    "rollout_weight": "weight of the leaf rollouts against the net's value, 0 to 1",
    "teacher_visits": "MCTS visits per move of teachers in --threads processes whose games replace self-play; 0: self-play",
}
LEARNING_HELP = {  # by field of TrainingConfig
    "blocks": "residual blocks of the net",
    "channels": "channels of the net",
    "batch_size": "positions per training step",
    "replay_ratio": "average number of times that each position is sampled for training",
    "replay_size": "capacity of the replay buffers in positions, over all boards",
    "min_replay": "positions in the replay buffers before training starts",
    "learning_rate": "learning rate",
    "weight_decay": "weight decay",
    "ema_decay": "decay per step of the moving average of the weights, which is used for self-play",
    "ownership_weight": "weight of the ownership loss",
    "search_value_weight": "weight of the search value against the game's outcome in value targets, 0 to 1",
}
FRACTION_FIELDS = {"max_opening_value", "rollout_weight", "search_value_weight"}


def add_arguments(parser: Parser) -> None:
    """Add the arguments of `ropewalk train`."""
    parser.usage = "ropewalk train SPEC [SPEC ...] -o DIR [options]"
    parser.add_argument("specs", metavar="SPEC", nargs="+", help="a board; all boards must be of one game and share the net")
    add_run_arguments(parser)
    add_checkpoint_arguments(parser)
    add_evaluation_arguments(parser)
    add_config_arguments(parser, "self-play", SELFPLAY_HELP)
    add_config_arguments(parser, "net and learning", LEARNING_HELP)


def add_run_arguments(parser: Parser) -> None:
    """Add output folder, limits, seed and hardware."""
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="folder for checkpoints, curves and the net")
    parser.add_argument(
        "--minutes",
        metavar="M",
        type=make_float_parser(0.01, 1e6, "minutes"),
        help="stop after M minutes (default: no limit)",
    )
    help_text = "stop after N iterations, those of earlier runs in the folder included (default: no limit)"
    parser.add_argument("--iterations", metavar="N", type=make_int_parser(1, 10**9), help=help_text)
    help_text = "decay the learning rate linearly to a tenth over the last quarter of --minutes"
    parser.add_argument("--lr-decay", action="store_true", help=help_text)
    help_text = "checkpoint (.pt) or net (.onnx) to start from if the folder has no checkpoint (default: random weights)"
    parser.add_argument("--init-from", metavar="FILE", help=help_text)
    help_text = "random seed; a run on a CPU is reproducible (default: 0)"
    parser.add_argument("--seed", metavar="N", type=make_int_parser(0, 2**31), default=0, help=help_text)
    help_text = "device of the net: cpu, cuda, or auto for cuda if available (default: auto)"
    parser.add_argument("--device", metavar="DEVICE", choices=("auto", "cpu", "cuda"), default="auto", help=help_text)
    parser.add_argument("--threads", metavar="N", type=make_int_parser(1, 1024), help="CPU threads (default: all cores)")
    parser.add_argument("--no-compile", action="store_true", help="run the net without torch.compile")
    help_text = (
        "number of Ray actors that play instead of this process, each with its own --parallel-games and --threads; the run "
        "is not reproducible (default: none)"
    )
    parser.add_argument("--ray-workers", metavar="N", type=make_int_parser(1, 10_000), help=help_text)
    help_text = "address of the Ray cluster, such as auto or 10.0.0.1:6379 (default: a temporary one on this machine)"
    parser.add_argument("--ray-address", metavar="ADDRESS", help=help_text)


def add_checkpoint_arguments(parser: Parser) -> None:
    """Add the intervals of checkpoints and log lines."""
    group = parser.add_argument_group("checkpoints and log")
    help_text = "minutes between checkpoints (default: 3)"
    group.add_argument(
        "--checkpoint-minutes", metavar="M", type=make_float_parser(0.01, 1e6, "minutes"), default=3.0, help=help_text
    )
    help_text = "iterations between checkpoints, instead of --checkpoint-minutes"
    group.add_argument("--checkpoint-iterations", metavar="N", type=make_int_parser(1, 10**9), help=help_text)
    help_text = "save weights and optimiser only, without games in progress and replay buffers"
    group.add_argument("--weights-only", action="store_true", help=help_text)
    help_text = "seconds between log lines (default: 15)"
    group.add_argument(
        "--log-seconds", metavar="S", type=make_float_parser(0.1, 3600, "seconds"), default=15.0, help=help_text
    )


def add_evaluation_arguments(parser: Parser) -> None:
    """Add evaluation matches and gating."""
    group = parser.add_argument_group("evaluation")
    help_text = "bot to play at the end of the run, the last one also during it; may be repeated (default: none)"
    group.add_argument("--eval-opponent", metavar="BOT", action="append", default=[], help=help_text)
    help_text = "minutes between evaluation matches during the run (default: 4)"
    group.add_argument(
        "--eval-minutes", metavar="M", type=make_float_parser(0.1, 1e6, "minutes"), default=4.0, help=help_text
    )
    help_text = "pairs of games per evaluation or gating match (default: 32)"
    group.add_argument("--eval-pairs", metavar="N", type=make_int_parser(1, 512), default=32, help=help_text)
    help_text = (
        "minutes between gating matches: new weights are used for self-play and exported only after they score at least "
        "half of the points against the current ones (default: no gating)"
    )
    group.add_argument("--gating-minutes", metavar="M", type=make_float_parser(0.01, 1e6, "minutes"), help=help_text)


def add_config_arguments(parser: Parser, title: str, help_texts: Mapping[str, str]) -> None:
    """Add an option for each of these fields of `TrainingConfig`, with the field's default."""
    from ...training.config import TrainingConfig

    defaults = TrainingConfig(specs=())
    group = parser.add_argument_group(title)
    for name, help_text in help_texts.items():
        default = getattr(defaults, name)
        is_integer = isinstance(default, int)
        group.add_argument(
            f"--{name.replace('_', '-')}",
            metavar="N" if is_integer else "X",
            type=make_int_parser(0, 10**9) if is_integer else parse_fraction if name in FRACTION_FIELDS else float,
            default=default,
            help=f"{help_text} (default: {default})",
        )


def parse_fraction(text: str) -> float:
    """Parse a decimal number from 0 to 1; raises ArgumentTypeError for anything else."""
    if re.fullmatch(r"\d{0,9}(\.\d{1,9})?", text, re.ASCII) and text and float(text) <= 1:
        return float(text)
    raise ArgumentTypeError(f"{ellipsis(text)} is not a number from 0 to 1")


def run(arguments: Namespace) -> int:
    """Train, save, export and evaluate the net, then print the summary table."""
    try:
        import torch
    except ImportError as error:
        raise RopewalkError(f"training needs torch; install it with pip install 'ropewalk[train]': {error}") from None

    from ...training.dashboard import TrainingConsole
    from ...training.plots import write_training_chart
    from ...training.run import Run, resume
    from ...training.trainer import Trainer

    device = arguments.device
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cpu":
        torch.set_num_threads(1 if arguments.threads is None else arguments.threads)
    torch.backends.cuda.matmul.allow_tf32 = True
    console = TrainingConsole()
    schedule = make_schedule(arguments, console)
    schedule.output_dir.mkdir(parents=True, exist_ok=True)
    config = make_config(arguments)
    with make_game_source(arguments, config) as game_source:
        trainer = Trainer(
            config,
            device,
            compile_net=not arguments.no_compile,
            num_threads=arguments.threads,
            use_gating=schedule.gating_minutes is not None,
            game_source=game_source,
        )
        console.log(f"{schedule.elapsed_minutes:6.2f} min  ready on {device}")
        resume(trainer, schedule.output_dir, Path(arguments.init_from) if arguments.init_from else None, console.log)
        run = Run(trainer, schedule)
        with console.show_dashboard(run):
            run.run()
            run.export()
            if schedule.eval_opponents:
                run.evaluate(schedule.eval_opponents)
    write_training_chart(schedule.output_dir, run.title)
    console.log(f"the net is {run.export()}")
    console.log(run.summary_table())
    return EXIT_OK


def make_game_source(arguments: Namespace, config: TrainingConfig) -> AbstractContextManager[GameSource | None]:
    """Return teachers or Ray actors if the arguments ask for them, else None for self-play in this process."""
    check_flag_conflicts(arguments, config)
    if config.teacher_visits:
        return make_teacher_pool(arguments, config)
    return nullcontext() if arguments.ray_workers is None else make_ray_actor_pool(arguments, config)


def check_flag_conflicts(arguments: Namespace, config: TrainingConfig) -> None:
    """Raise UsageError for options that contradict each other."""
    if arguments.ray_address is not None and arguments.ray_workers is None:
        raise UsageError("--ray-address needs --ray-workers N")
    source = "--ray-workers" if arguments.ray_workers is not None else "--teacher-visits" if config.teacher_visits else ""
    if source and (arguments.iterations is not None or arguments.checkpoint_iterations is not None):
        raise UsageError(f"turns are not counted with {source}; use --minutes and --checkpoint-minutes")
    if arguments.ray_workers is not None and config.teacher_visits:
        raise UsageError("--teacher-visits and --ray-workers exclude each other")
    if 0 < config.teacher_visits < MIN_TEACHER_VISITS:
        raise UsageError(
            f"--teacher-visits must be at least {MIN_TEACHER_VISITS} visits per move, not {config.teacher_visits}"
        )


def make_teacher_pool(arguments: Namespace, config: TrainingConfig) -> AbstractContextManager[GameSource]:
    """Return the teacher processes, one per thread."""
    from ...training.selfplay.mcts_teacher import teacher_pool

    return teacher_pool(config, arguments.threads or os.cpu_count() or 1)


def make_ray_actor_pool(arguments: Namespace, config: TrainingConfig) -> AbstractContextManager[GameSource]:
    """Return the Ray actors; raises RopewalkError if Ray is not installed."""
    try:
        from ...training.selfplay.ray_actors import RayPoolConfig, ray_actor_pool
    except ImportError as error:
        raise RopewalkError(f"--ray-workers needs ray; install it with pip install 'ropewalk[cluster]': {error}") from None
    pool_config = RayPoolConfig(arguments.ray_workers, arguments.device, not arguments.no_compile, arguments.threads)
    return ray_actor_pool(config, pool_config, arguments.ray_address)


def make_schedule(arguments: Namespace, console: TrainingConsole) -> RunSchedule:
    """Return the schedule among the arguments.

    Full checkpoints need games in this process, so Ray actors and teachers exclude them.
    """
    from ...training.config import RunSchedule

    return RunSchedule(
        output_dir=Path(arguments.output),
        max_minutes=arguments.minutes,
        max_iterations=arguments.iterations,
        checkpoint_minutes=arguments.checkpoint_minutes,
        checkpoint_iterations=arguments.checkpoint_iterations,
        log_seconds=arguments.log_seconds,
        eval_minutes=arguments.eval_minutes,
        eval_opponents=tuple(arguments.eval_opponent),
        eval_pairs=arguments.eval_pairs,
        gating_minutes=arguments.gating_minutes,
        full_checkpoints=not arguments.weights_only and arguments.ray_workers is None and not arguments.teacher_visits,
        lr_decay=arguments.lr_decay,
        log=console.log,
        log_reports=not console.is_interactive,
    )


def make_config(arguments: Namespace) -> TrainingConfig:
    """Return the training configuration among the arguments; a game without ownership targets gets no ownership loss."""
    from dataclasses import fields

    from ...games.registry import game
    from ...training.config import TrainingConfig

    values = {
        config_field.name: getattr(arguments, config_field.name)
        for config_field in fields(TrainingConfig)
        if config_field.name != "specs"
    }
    boards = [game(spec) for spec in arguments.specs]
    if not boards[0].definition.has_ownership_target:
        values["ownership_weight"] = 0.0
    return TrainingConfig(specs=tuple(board.spec for board in boards), **values)


COMMANDS = {
    "train": Command(DESCRIPTION, EXAMPLES, add_arguments, run),
}
