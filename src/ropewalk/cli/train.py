"""`ropewalk train`: learn a game by self-play."""

from __future__ import annotations

import os
import re
from argparse import ArgumentTypeError, Namespace
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import RopewalkError, ellipsis
from .parser import Parser, UsageError, seconds, whole

if TYPE_CHECKING:
    from ..training.dashboard import Screen
    from ..training.run import Plan
    from ..training.selfplay import Play
    from ..training.settings import Settings

DESCRIPTION = (
    "Learn a game by self-play (Gumbel AlphaZero): forests of search trees on all CPU threads, the net on a GPU where there "
    "is one. Several boards of one game share a net. Run again with the same folder to go on."
)

EXAMPLES = [
    ("ropewalk train lariat-2x10 lariat-1x6 -o run --minutes 9", "nine minutes on two boards"),
    ("ropewalk train tether-5 -o run --trees 64 --simulations 8 --minutes 5", "a trial on a CPU"),
    ("ropewalk train tether-9 -o run --gate 2 --mix 0.3", "new weights play once they win half; values partly from search"),
    ("ropewalk train laocoon -o run --lessons 3000 --opening 24 --samples 8", "from games by 3,000 playouts a move"),
    (
        "ropewalk train liger-8 -o run --workers 16 --cluster auto",
        "sixteen workers on a Ray cluster play",
    ),
    ("ropewalk train lariat -o new --from run/checkpoint.pt", "begin with the weights of another run"),
    ("ropewalk train lariat -o new --from lariat.onnx", "begin with a net, such as one in src/ropewalk/nets/weights"),
]

LEAST_VISITS = 32  # of lessons: searches look at no move before they have some

NUMBERS = {  # of the settings
    "trees": "games at a time, over all boards",
    "simulations": "looks ahead for a move",
    "considered": "moves compared at the root",
    "opening": "random moves before every other game, at most",
    "longest": "steps after which a game is drawn",
    "blocks": "of the net",
    "channels": "of the net",
    "batch": "positions in a step of learning",
    "buffer": "positions remembered",
    "least": "positions before learning begins",
    "scale": "weight of values beside the net's policy",
    "samples": "how often a position is learnt from",
    "rate": "of learning",
    "decay": "of weights",
    "average": "how slowly the weights that play follow",
    "owners": "weight of the guess who will have each cell",
    "playouts": "from each position that the net is asked about, as a second opinion",
    "lessons": "visits a move: learn from games by playouts, of --threads processes, instead of by the net; 0: do not",
}


def define(parser: Parser) -> None:
    """Boards, a folder, limits, and how to play and learn."""
    from ..training.settings import Settings

    usual = Settings(specs=())
    parser.add_argument("specs", metavar="SPEC", nargs="+", help="a board; more boards of the same game share the net")
    parser.add_argument("-o", "--out", metavar="DIR", required=True, help="where checkpoints, curve and net go")
    parser.add_argument("--minutes", metavar="M", type=seconds(0.01, 1e6), help="stop after so long")
    parser.add_argument("--turns", metavar="N", type=whole(1, 10**9), help="stop after so many turns in all")
    parser.add_argument("--from", dest="first", metavar="FILE", help="begin with the weights of this checkpoint or net")
    where = "where the net runs: cpu, cuda, or auto for the better of them (auto)"
    parser.add_argument("--device", metavar="WHERE", choices=("auto", "cpu", "cuda"), default="auto", help=where)
    parser.add_argument("--threads", metavar="N", type=whole(1, 1024), help="CPU threads (all)")
    workers = "have so many others play, through Ray, each with --trees and --threads of its own; nothing is repeatable then"
    parser.add_argument("--workers", metavar="N", type=whole(1, 10_000), help=workers)
    cluster = "a Ray cluster for the workers, such as auto or 10.0.0.1:6379 (one on this machine, for this run)"
    parser.add_argument("--cluster", metavar="WHERE", help=cluster)
    parser.add_argument("--eager", action="store_true", help="do not compile the net")
    parser.add_argument("--light", action="store_true", help="save weights only, not the games in flight and positions")
    parser.add_argument("--anneal", action="store_true", help="let the learning rate fall in the last quarter")
    parser.add_argument("--save-minutes", metavar="M", type=seconds(0.01, 1e6), default=3.0, help="between checkpoints (3)")
    parser.add_argument("--save-turns", metavar="N", type=whole(1, 10**9), help="save by turns instead")
    parser.add_argument("--report", metavar="S", type=seconds(0.1, 3600), default=15.0, help="seconds between lines (15)")
    parser.add_argument(
        "--against", metavar="BOT", action="append", default=[], help="a bot to play now and then and at the end; repeat"
    )
    between = "minutes between such matches (4)"
    parser.add_argument("--examine", dest="examine_minutes", metavar="M", type=seconds(0.1, 1e6), default=4.0, help=between)
    parser.add_argument("--pairs", metavar="N", type=whole(1, 512), default=32, help="pairs of games a match (32)")
    gate = "minutes between challenges: new weights play, and are exported, once they get half the points of --pairs (off)"
    parser.add_argument("--gate", dest="gate_minutes", metavar="M", type=seconds(0.01, 1e6), help=gate)
    for name, words in NUMBERS.items():
        default = getattr(usual, name)
        kind = whole(0, 10**9) if isinstance(default, int) else float
        parser.add_argument(f"--{name}", metavar="N", type=kind, default=default, help=f"{words} ({default})")
    beside = f"how much the search's value counts beside the game's result, 0 to 1 ({usual.mix})"
    parser.add_argument("--mix", metavar="N", type=share, default=usual.mix, help=beside)
    even = f"random openings that the net finds more lopsided than this, 0 to 1, are mostly drawn anew ({usual.even})"
    parser.add_argument("--even", metavar="N", type=share, default=usual.even, help=even)
    trust = f"how much playouts count beside the net, 0 to 1 ({usual.trust})"
    parser.add_argument("--trust", metavar="N", type=share, default=usual.trust, help=trust)
    parser.add_argument(
        "--seed", metavar="N", type=whole(0, 2**31), default=0, help="the same seed, the same run on a CPU (0)"
    )


def share(text: str) -> float:
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

    from ..training.curve import write_curve
    from ..training.dashboard import Screen
    from ..training.run import Run, resume
    from ..training.trainer import Trainer

    device = arguments.device
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cpu":
        torch.set_num_threads(1 if arguments.threads is None else arguments.threads)
    torch.backends.cuda.matmul.allow_tf32 = True
    screen = Screen()
    plan = plan_of(arguments, screen)
    plan.folder.mkdir(parents=True, exist_ok=True)
    settings = settings_of(arguments)
    with others(arguments, settings) as workers:
        trainer = Trainer(
            settings,
            device,
            compiles=not arguments.eager,
            threads=arguments.threads,
            gated=plan.gate_minutes is not None,
            workers=workers,
        )
        screen.tell(f"{plan.elapsed:6.2f} min  ready on {device}")
        resume(trainer, plan.folder, Path(arguments.first) if arguments.first else None, screen.tell)
        run = Run(trainer, plan)
        with screen.watching(run):
            run.go()
            run.export()
            if plan.opponents:
                run.examine(plan.opponents)
    write_curve(plan.folder, run.title)
    screen.tell(f"the net is {run.export()}")
    screen.tell(run.table())
    return 0


def others(arguments: Namespace, settings: Settings) -> AbstractContextManager[Play | None]:
    """Those who play in the place of this process, where some are wanted."""
    refuse_contradictions(arguments, settings)
    if settings.lessons:
        return teachers(arguments, settings)
    return nullcontext() if arguments.workers is None else ray_workers(arguments, settings)


def refuse_contradictions(arguments: Namespace, settings: Settings) -> None:
    """Say what cannot be had together."""
    if arguments.cluster is not None and arguments.workers is None:
        raise UsageError("--cluster says where workers play: say how many with --workers N")
    who = "workers" if arguments.workers is not None else "lessons" if settings.lessons else ""
    if who and (arguments.turns is not None or arguments.save_turns is not None):
        raise UsageError(f"{who} do not count turns: use --minutes and --save-minutes")
    if arguments.workers is not None and settings.lessons:
        raise UsageError("--lessons are games of playouts, --workers those of nets: choose one")
    if 0 < settings.lessons < LEAST_VISITS:
        raise UsageError(f"--lessons {settings.lessons} is too few to learn from: at least {LEAST_VISITS} visits a move")


def teachers(arguments: Namespace, settings: Settings) -> AbstractContextManager[Play]:
    """Processes that play by playouts."""
    from ..training.lessons import teaching

    return teaching(settings, arguments.threads or os.cpu_count() or 1)


def ray_workers(arguments: Namespace, settings: Settings) -> AbstractContextManager[Play]:
    """Actors of Ray that play with nets of their own."""
    try:
        from ..training.workers import Crew, working
    except ImportError as error:
        raise RopewalkError(f"workers need ray, as in pip install 'ropewalk[cluster]': {error}") from None
    crew = Crew(arguments.workers, arguments.device, not arguments.eager, arguments.threads)
    return working(settings, crew, arguments.cluster)


def plan_of(arguments: Namespace, screen: Screen) -> Plan:
    """When to stop, save, report and examine."""
    from ..training.run import Plan

    return Plan(
        folder=Path(arguments.out),
        minutes=arguments.minutes,
        turns=arguments.turns,
        save_minutes=arguments.save_minutes,
        save_turns=arguments.save_turns,
        report_seconds=arguments.report,
        examine_minutes=arguments.examine_minutes,
        opponents=tuple(arguments.against),
        pairs=arguments.pairs,
        gate_minutes=arguments.gate_minutes,
        whole=not arguments.light and arguments.workers is None and not arguments.lessons,
        anneals=arguments.anneal,
        tell=screen.tell,
        tells_reports=not screen.draws,
    )


def settings_of(arguments: Namespace) -> Settings:
    """The settings among the arguments."""
    from dataclasses import fields

    from ..games.registry import game
    from ..training.settings import Settings

    chosen = {part.name: getattr(arguments, part.name) for part in fields(Settings) if part.name != "specs"}
    boards = [game(spec) for spec in arguments.specs]
    if not boards[0].has_ownership_target:
        chosen["owners"] = 0.0
    return Settings(specs=tuple(board.spec for board in boards), **chosen)
