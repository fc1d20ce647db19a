"""`ropewalk check`: what a game's contract and its rule sheet claim, tried on random games."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict
from typing import TYPE_CHECKING

from ... import game as game_of
from ...console.formatting import format_json_list, format_table, wrap
from ..arguments import Parser, add_json, add_spec, whole

if TYPE_CHECKING:
    from ...conformance import CheckResult

USUAL_GAMES, MOST_GAMES = 20, 10_000_000
LARGEST_SEED = 2**63 - 1
FINE, VIOLATED = 0, 1

DESCRIPTION = (
    "Try on random games what every game promises (texts read back, refusals have a reason, symmetries hold) and what the "
    "game's rule sheet claims. The exit code is 1 if a claim fails that no ruling answers."
)

EXAMPLES = [
    ("ropewalk check tether-9", f"{USUAL_GAMES} random games"),
    ("ropewalk check lariat --games 10000 --seed 7", "more of them, and others"),
    ("ropewalk check liger-4 --json", "for programs"),
]


def define(parser: Parser) -> None:
    """A game, how many games, and a seed."""
    add_spec(parser)
    limits = whole(1, MOST_GAMES)
    parser.add_argument("--games", metavar="N", type=limits, default=USUAL_GAMES, help=f"how many games ({USUAL_GAMES})")
    parser.add_argument("--seed", metavar="N", type=whole(0, LARGEST_SEED), default=0, help="chance begins here (0)")
    add_json(parser)


def act(arguments: Namespace) -> int:
    """Check, then print a line a claim."""
    game = game_of(arguments.spec)  # first of all: to refuse a wrong spec takes no numba

    from ...conformance import check
    from ...games.batch import Batch
    from ...jit.compile_progress import show_compile_progress
    from ...progress import progress_bar
    from ...rules.generic import (
        find_first_illegal,
        inspect_row,
        legal_moves_batch,
        random_moves_batch,
        reset_finished,
        step,
        step_batch,
    )

    with show_compile_progress(
        game.name,
        game.rules,
        inspect_row,
        step,
        random_moves_batch,
        find_first_illegal,
        step_batch,
        legal_moves_batch,
        reset_finished,
    ):
        batch = Batch(game, 1)
        batch.play(batch.moves[:, 0])
        batch.play(batch.choose())
        batch.restart()
        game.start().play(game.start().moves()[0])
    with progress_bar(f"checking {game.spec}") as report:
        findings = check(game, games=arguments.games, seed=arguments.seed, progress=report)
    print(format_json_list(map(asdict, findings)) if arguments.json else told(findings))
    return VIOLATED if any(finding.violations and not finding.expected for finding in findings) else FINE


def told(findings: list[CheckResult]) -> str:
    """A line a claim, then what speaks against some of them."""
    rows = [
        [found.claim, *(f"{count:,}" for count in (found.cases, found.violations)), str(found.seed)] for found in findings
    ]
    against = [violation(found) for found in findings if found.violations]
    return "\n\n".join([format_table(("claim", "cases", "violations", "seed"), rows), *against])


def violation(found: CheckResult) -> str:
    """One claim that does not hold, with an example."""
    verdict = "known, and answered by a ruling" if found.expected else "NOT EXPECTED"
    lines = [wrap(f"{found.claim}: violated ({verdict})")]
    lines += [wrap(words, f"  {label}: ") for label, words in (("example", found.example), ("note", found.note)) if words]
    return "\n".join(lines)
