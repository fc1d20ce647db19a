"""`ropewalk train`: learn a game by self-play."""

from __future__ import annotations

import os
import re
from argparse import ArgumentTypeError, Namespace
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import RopewalkError
from ..text import ellipsis
from .parser import Parser, UsageError, seconds, whole

if TYPE_CHECKING:
    from ..training.config import RunSchedule, TrainingConfig
    from ..training.dashboard import TrainingConsole
    from ..training.selfplay.actors import GameSource

DESCRIPTION = (
    "Learn a game by self-play (Gumbel AlphaZero): forests of search trees on all CPU threads, the net on a GPU where there "
    "is one. Several boards of one game share a net. Run again with the same folder to go on."
)

EXAMPLES = [
    ("ropewalk train lariat-2x10 lariat-1x6 -o run --minutes 9", "nine minutes on two boards"),
    ("ropewalk train tether-5 -o run --parallel-games 64 --simulations 8 --minutes 5", "a trial on a CPU"),
    (
        "ropewalk train tether-9 -o run --gating-minutes 2 --search-value-weight 0.3",
        "new weights play once they win half; values partly from search",
    ),
    (
        "ropewalk train laocoon -o run --teacher-visits 3000 --opening-moves 24 --replay-ratio 8",
        "from games by 3,000 playouts a move",
    ),
    (
        "ropewalk train liger-8 -o run --ray-workers 16 --ray-address auto",
        "sixteen workers on a Ray cluster play",
    ),
    ("ropewalk train lariat -o new --init-from run/checkpoint.pt", "begin with the weights of another run"),
    ("ropewalk train lariat -o new --init-from lariat.onnx", "begin with a net, such as one in src/ropewalk/nets/weights"),
]

MIN_TEACHER_VISITS = 32  # of lessons: searches look at no move before they have some

CONFIG_HELP = {  # of the settings
    "parallel_games": "games at a time, over all boards",
    "simulations": "looks ahead for a move",
    "max_considered": "moves compared at the root",
    "opening_moves": "random moves before every other game, at most",
    "max_moves": "steps after which a game is drawn",
    "blocks": "of the net",
    "channels": "of the net",
    "batch_size": "positions in a step of learning",
    "replay_size": "positions remembered",
    "min_replay": "positions before learning begins",
    "value_scale": "weight of values beside the net's policy",
    "replay_ratio": "how often a position is learnt from",
    "learning_rate": "of learning",
    "weight_decay": "of weights",
    "ema_decay": "how slowly the weights that play follow",
    "ownership_weight": "weight of the guess who will have each cell",
    "leaf_rollouts": "from each position that the net is asked about, as a second opinion",
    "teacher_visits": "MCTS visits a move of a teacher in --threads processes whose games replace self-play (0: self-play)",
}


def define(parser: Parser) -> None:
    """Boards, a folder, limits, and how to play and learn."""
    from ..training.config import TrainingConfig

    defaults = TrainingConfig(specs=())
    parser.add_argument("specs", metavar="SPEC", nargs="+", help="a board; more boards of the same game share the net")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="where checkpoints, curve and net go")
    parser.add_argument("--minutes", metavar="M", type=seconds(0.01, 1e6), help="stop after so long")
    parser.add_argument("--iterations", metavar="N", type=whole(1, 10**9), help="stop after so many turns in all")
    parser.add_argument("--init-from", metavar="FILE", help="begin with the weights of this checkpoint or net")
    device_help = "where the net runs: cpu, cuda, or auto for the better of them (auto)"
    parser.add_argument("--device", metavar="WHERE", choices=("auto", "cpu", "cuda"), default="auto", help=device_help)
    parser.add_argument("--threads", metavar="N", type=whole(1, 1024), help="CPU threads (all)")
    workers_help = (
        "number of Ray actors that play, each with --parallel-games and --threads of its own; the run is not repeatable then"
    )
    parser.add_argument("--ray-workers", metavar="N", type=whole(1, 10_000), help=workers_help)
    cluster_help = "a Ray cluster for the workers, such as auto or 10.0.0.1:6379 (one on this machine, for this run)"
    parser.add_argument("--ray-address", metavar="WHERE", help=cluster_help)
    parser.add_argument("--no-compile", action="store_true", help="do not compile the net")
    parser.add_argument(
        "--weights-only", action="store_true", help="save weights only, not the games in flight and positions"
    )
    parser.add_argument("--lr-decay", action="store_true", help="let the learning rate fall in the last quarter")
    parser.add_argument(
        "--checkpoint-minutes", metavar="M", type=seconds(0.01, 1e6), default=3.0, help="between checkpoints (3)"
    )
    parser.add_argument("--checkpoint-iterations", metavar="N", type=whole(1, 10**9), help="save by turns instead")
    parser.add_argument(
        "--log-seconds", metavar="S", type=seconds(0.1, 3600), default=15.0, help="seconds between lines (15)"
    )
    parser.add_argument(
        "--eval-opponent",
        metavar="BOT",
        action="append",
        default=[],
        help="a bot to play now and then and at the end; repeat",
    )
    eval_help = "minutes between such matches (4)"
    parser.add_argument("--eval-minutes", metavar="M", type=seconds(0.1, 1e6), default=4.0, help=eval_help)
    parser.add_argument("--eval-pairs", metavar="N", type=whole(1, 512), default=32, help="pairs of games a match (32)")
    gating_help = (
        "minutes between challenges: new weights play, and are exported, once they get half the points of --eval-pairs (off)"
    )
    parser.add_argument("--gating-minutes", metavar="M", type=seconds(0.01, 1e6), help=gating_help)
    for name, help_text in CONFIG_HELP.items():
        default = getattr(defaults, name)
        parse_value = whole(0, 10**9) if isinstance(default, int) else float
        parser.add_argument(
            f"--{name.replace('_', '-')}", metavar="N", type=parse_value, default=default, help=f"{help_text} ({default})"
        )
    search_value_help = (
        f"how much the search's value counts beside the game's result, 0 to 1 ({defaults.search_value_weight})"
    )
    parser.add_argument(
        "--search-value-weight",
        metavar="N",
        type=parse_fraction,
        default=defaults.search_value_weight,
        help=search_value_help,
    )
    opening_value_help = (
        f"random openings whose net value exceeds this, 0 to 1, are mostly drawn again ({defaults.max_opening_value})"
    )
    parser.add_argument(
        "--max-opening-value", metavar="N", type=parse_fraction, default=defaults.max_opening_value, help=opening_value_help
    )
    rollout_weight_help = f"how much playouts count beside the net, 0 to 1 ({defaults.rollout_weight})"
    parser.add_argument(
        "--rollout-weight", metavar="N", type=parse_fraction, default=defaults.rollout_weight, help=rollout_weight_help
    )
    parser.add_argument(
        "--seed", metavar="N", type=whole(0, 2**31), default=0, help="the same seed, the same run on a CPU (0)"
    )


def parse_fraction(text: str) -> float:
    """Reads a part of one."""
    if re.fullmatch(r"\d{0,9}(\.\d{1,9})?", text, re.ASCII) and text and float(text) <= 1:
        return float(text)
    raise ArgumentTypeError(f"{ellipsis(text)} is not a number from 0 to 1")


def act(arguments: Namespace) -> int:
    """Train, save, examine, print the table."""
    try:
        import torch
    except ImportError as error:
        raise RopewalkError(f"training needs torch, as in pip install 'ropewalk[train]': {error}") from None

    from ..training.dashboard import TrainingConsole
    from ..training.plots import write_training_chart
    from ..training.run import Run, resume
    from ..training.trainer import Trainer

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
    return 0


def make_game_source(arguments: Namespace, config: TrainingConfig) -> AbstractContextManager[GameSource | None]:
    """Those who play in the place of this process, where some are wanted."""
    check_flag_conflicts(arguments, config)
    if config.teacher_visits:
        return make_teacher_pool(arguments, config)
    return nullcontext() if arguments.ray_workers is None else make_ray_actor_pool(arguments, config)


def check_flag_conflicts(arguments: Namespace, config: TrainingConfig) -> None:
    """Say what cannot be had together."""
    if arguments.ray_address is not None and arguments.ray_workers is None:
        raise UsageError("--ray-address says where workers play: say how many with --ray-workers N")
    source = "workers" if arguments.ray_workers is not None else "lessons" if config.teacher_visits else ""
    if source and (arguments.iterations is not None or arguments.checkpoint_iterations is not None):
        raise UsageError(f"{source} do not count turns: use --minutes and --checkpoint-minutes")
    if arguments.ray_workers is not None and config.teacher_visits:
        raise UsageError("--teacher-visits are games of playouts, --ray-workers those of nets: choose one")
    if 0 < config.teacher_visits < MIN_TEACHER_VISITS:
        raise UsageError(
            f"--teacher-visits {config.teacher_visits} is too few to learn from: at least {MIN_TEACHER_VISITS} visits a move"
        )


def make_teacher_pool(arguments: Namespace, config: TrainingConfig) -> AbstractContextManager[GameSource]:
    """Processes that play by playouts."""
    from ..training.selfplay.mcts_teacher import teacher_pool

    return teacher_pool(config, arguments.threads or os.cpu_count() or 1)


def make_ray_actor_pool(arguments: Namespace, config: TrainingConfig) -> AbstractContextManager[GameSource]:
    """Actors of Ray that play with nets of their own."""
    try:
        from ..training.selfplay.ray_actors import RayPoolConfig, ray_actor_pool
    except ImportError as error:
        raise RopewalkError(f"workers need ray, as in pip install 'ropewalk[cluster]': {error}") from None
    pool_config = RayPoolConfig(arguments.ray_workers, arguments.device, not arguments.no_compile, arguments.threads)
    return ray_actor_pool(config, pool_config, arguments.ray_address)


def make_schedule(arguments: Namespace, console: TrainingConsole) -> RunSchedule:
    """When to stop, save, report and examine."""
    from ..training.config import RunSchedule

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
    """The settings among the arguments."""
    from dataclasses import fields

    from ..games.registry import game
    from ..training.config import TrainingConfig

    values = {
        config_field.name: getattr(arguments, config_field.name)
        for config_field in fields(TrainingConfig)
        if config_field.name != "specs"
    }
    boards = [game(spec) for spec in arguments.specs]
    if not boards[0].has_ownership_target:
        values["ownership_weight"] = 0.0
    return TrainingConfig(specs=tuple(board.spec for board in boards), **values)
