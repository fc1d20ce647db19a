"""`ropewalk arena`: bots against each other, and what that says of their strength."""

from __future__ import annotations

import math
import sys
from argparse import ArgumentTypeError, Namespace
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import game as game_of
from ..text import one_line, plural
from .parser import Parser, UsageError, add_json, add_spec, whole
from .printing import json_object, table, wrapped

if TYPE_CHECKING:
    from ..arena.game_record import ArenaGame
    from ..arena.record_file import RecordFile
    from ..arena.schedule import TournamentFormat
    from ..arena.standings import PairingScore, Standings
    from ..arena.tournament import Tournament
    from ..games.game import Game
    from ..stats.elo import Estimate

DEFAULT_GAMES, MAX_GAMES = 100, 1_000_000
MAX_BOTS, MAX_CONCURRENCY, MAX_OPENING_PLIES = 64, 256, 100
MAX_SEED = 2**63 - 1
EXIT_OK, EXIT_INTERRUPTED = 0, 130
MIN_REPORTED_OVERRUN_SECONDS = 0.1  # seconds beyond a limit

DESCRIPTION = (
    "Let bots play each other. Every opening, a few random steps, is played twice with seats exchanged; such a pair counts "
    "as one when errors are estimated. BOT is a level 1 to 8, uct (plain tree search), random, greedy, ugi:COMMAND (an "
    "engine that speaks UGI, {spec} stands for the game) or py:MODULE:FUNCTION (a Python function that makes a bot for a "
    "game), with @0.1s for seconds or @5000 for visits a move. A bot that plays an illegal move, crashes, or takes 3 "
    "seconds longer than its limit (600 seconds where visits are the limit) loses that game, and the arena goes on. With "
    "-o, a contest that was interrupted in any way goes on when the same command is given again."
)

EXAMPLES = [
    ("ropewalk arena tether-5 3 greedy --games 20", "level 3 and another, ten openings, both seats"),
    ("ropewalk arena lariat-small greedy@200 greedy@0.01s random -o games.jsonl", "each against each, every game kept"),
    ("ropewalk arena liger-6 'ugi:./engine {spec}@0.1s' greedy@0.1s --workers 2", "your own engine"),
    (
        "ropewalk arena liger-6 random greedy@100 greedy@1000 --ladder --plot ladder.svg",
        "a ladder, with a plot",
    ),
]


def define(parser: Parser) -> None:
    """A game, bots, how many games of what kind, and where the results go."""
    parser.usage = "ropewalk arena SPEC BOT BOT ..."  # the whole list would not fit a narrow terminal
    add_spec(parser)
    parser.add_argument("bots", metavar="BOT", nargs="+", help=f"2 to {MAX_BOTS} bots")
    help_text = f"games of every two that meet, an even number ({DEFAULT_GAMES})"
    parser.add_argument("--games", metavar="N", type=parse_game_count, default=DEFAULT_GAMES, help=help_text)
    parser.add_argument("--ladder", action="store_true", help="each bot meets only the next one")
    parser.add_argument("--gauntlet", action="store_true", help="the first bot meets all others, who meet nobody else")
    parser.add_argument(
        "--even", action="store_true", help="openings, with more steps where need be, in which level 5 gives each seat 40 %%"
    )
    parser.add_argument("--even-by", metavar="BOT", help="the same by the judgement of another bot, such as net@200")
    help_text = "random steps before the bots take over (as few as can be played in 5000 ways)"
    parser.add_argument("--opening-plies", metavar="N", type=whole(0, MAX_OPENING_PLIES), help=help_text)
    parser.add_argument("--seed", metavar="N", type=whole(0, MAX_SEED), default=0, help="chance begins here (0)")
    parser.add_argument("--workers", metavar="N", type=whole(1, MAX_CONCURRENCY), default=1, help="games at a time (1)")
    help_text = "keep every game here, one line each, and go on from there"
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help=help_text)
    help_text = "also keep every game as a record, in a file .sgf or .json that grows"
    parser.add_argument("--records", metavar="FILE", type=Path, help=help_text)
    add_json(parser)
    parser.add_argument("--plot", metavar="FILE", type=Path, help="draw the Elo of the bots as SVG")


def parse_game_count(text: str) -> int:
    """Reads a number of games."""
    games = whole(2, MAX_GAMES)(text)
    if games % 2:
        raise ArgumentTypeError(f"{games} is odd: every opening is played twice, so games come in pairs")
    return games


def act(arguments: Namespace) -> int:
    """Play what is missing, then print what all games say."""
    game = game_of(arguments.spec)  # first of all: to refuse a wrong spec takes no numba
    if not 2 <= len(arguments.bots) <= MAX_BOTS:
        raise UsageError(f"an arena takes 2 to {MAX_BOTS} bots, not {len(arguments.bots)}")
    if arguments.ladder and arguments.gauntlet:
        raise UsageError("--ladder and --gauntlet cannot both be: choose one")
    if arguments.plot and (arguments.plot.is_dir() or not arguments.plot.parent.is_dir()):
        raise UsageError(f"--plot {arguments.plot} is no file that can be written")
    tournament = make_tournament(game, arguments)
    exit_code, standings = run_with_progress(tournament, arguments.output, make_record_file(game, arguments.records))
    print(json_object(results_to_json(tournament, standings)) if arguments.json else format_results(tournament, standings))
    if arguments.plot:
        write_elo_plot(tournament, standings, arguments.plot)
    return exit_code


def make_record_file(game: Game, path: Path | None) -> RecordFile | None:
    """The file of records, if one is wanted; a name that cannot be is refused before anybody plays."""
    if path is None:
        return None
    from ..arena.record_file import RecordFile
    from ..records.files import ENDINGS

    if path.suffix.lower() not in ENDINGS or path.is_dir() or not path.parent.is_dir():
        raise UsageError(f"--records {path} is no file that can be written; its name ends in {' or '.join(ENDINGS)}")
    return RecordFile(path, game)


def make_tournament(game: Game, arguments: Namespace) -> Tournament:
    """What the command line asks for."""
    from ..arena.openings import choose_default_plies
    from ..arena.tournament import Tournament
    from ..bots.bot_spec import parse_bot_spec
    from ..jit.compile_progress import show_compile_progress
    from ..rules.generic import count_sequences

    bots = tuple(parse_bot_spec(text).text for text in arguments.bots)
    with show_compile_progress(game, count_sequences):
        plies = choose_default_plies(game) if arguments.opening_plies is None else arguments.opening_plies
    tournament_format: TournamentFormat = (
        "ladder" if arguments.ladder else "gauntlet" if arguments.gauntlet else "round-robin"
    )
    return Tournament(
        game, bots, tournament_format, arguments.games, plies, arguments.seed, arguments.workers, opening_judge(arguments)
    )


def opening_judge(arguments: Namespace) -> str:
    """The bot that says which openings are even, "" when nobody asks."""
    from ..arena.openings import DEFAULT_JUDGE
    from ..bots.bot_spec import parse_bot_spec

    if arguments.even_by:
        return parse_bot_spec(arguments.even_by).text
    return DEFAULT_JUDGE if arguments.even else ""


def run_with_progress(tournament: Tournament, path: Path | None, record_file: RecordFile | None) -> tuple[int, Standings]:
    """Play with a bar and the points so far, to the end or until somebody has had enough."""
    from ..arena.tournament import run_tournament
    from ..progress import progress_bar

    total = tournament.games_per_pairing * len(tournament.pairings)
    records: list[ArenaGame] = []
    points = 0.0  # of the first bot
    exit_code = EXIT_OK
    try:
        with progress_bar("getting ready") as update_bar, closing(run_tournament(tournament, path, warn)) as finished_games:
            for record in finished_games:
                if record_file is not None:
                    record_file.add(record)
                records.append(record)
                points += record.points()
                update_bar(len(records), max(total, len(records)), format_progress(tournament, record, points, len(records)))
    except KeyboardInterrupt:
        exit_code = EXIT_INTERRUPTED
        resume_hint = "the same command goes on from there" if path else "with -o FILE it could go on from there"
        warn(f"interrupted after {len(records)} of {total} games; {resume_hint}")
    return exit_code, tournament.compute_standings(records)


def warn(message: str) -> None:
    """A line beside the results."""
    print(f"ropewalk: {one_line(message)}", file=sys.stderr)


def format_progress(tournament: Tournament, last: ArenaGame, points: float, games: int) -> str:
    """The points of two bots so far; for more of them, who played last and how it ended."""
    first, second = (tournament.bots[bot][:20] for bot in last.pairing)
    if len(tournament.bots) > 2:
        return f"{first} {last.points():g} - {1 - last.points():g} {second}"
    return f"{first} {points:g} - {games - points:g} {second}"


def results_to_json(tournament: Tournament, standings: Standings) -> dict[str, Any]:
    """All of it for programs."""
    config = vars(tournament.config) | {"games": tournament.games_per_pairing}
    return {key: value for key, value in config.items() if key != "bots"} | standings.as_json()


def format_results(tournament: Tournament, standings: Standings) -> str:
    """A table of the pairings, before it one of the bots where there are more than two, then what is to be noted."""
    parts = [wrapped(format_headline(tournament))]
    if len(standings.bots) > 2:
        parts.append(table(("bot", "games", "score", "Elo"), [make_bot_row(standings, bot) for bot in rank_bots(standings)]))
    header = ("pairing", "games", "score", "95 %", "pairs by points", "Elo")
    parts.append(table(header, [make_pairing_row(standings, pairing) for pairing in standings.pairing_scores]))
    return "\n\n".join([*parts, *filter(None, ["\n".join(format_notes(standings))])])


def format_headline(tournament: Tournament) -> str:
    """What was played."""
    game = tournament.game
    plies = plural(tournament.opening_plies, "random step") + (
        f", and more where need be, that {tournament.opening_judge} finds even" if tournament.opening_judge else ""
    )
    return f"{game.name}, by {game.designer}: {game.spec}, {tournament.format}, openings of {plies}, seed {tournament.seed}"


def rank_bots(standings: Standings) -> list[int]:
    """The bots in order of their Elo."""
    return sorted(range(len(standings.bots)), key=lambda bot: -standings.ratings[bot].value)


def make_bot_row(standings: Standings, bot: int) -> list[str]:
    """A bot with its points from complete pairs and its Elo."""
    games, points = standings.points(bot)
    rating = "0" if bot == 0 else format_elo(standings.ratings[bot])
    return [standings.bots[bot], f"{games}", format_percentage(points / games) if games else "", rating]


def make_pairing_row(standings: Standings, pairing: PairingScore) -> list[str]:
    """A pairing with all its figures."""
    label = " - ".join(standings.bots[bot] for bot in pairing.pairing)
    if pairing.score is None or pairing.elo is None:
        return [label, f"{pairing.games}", "", "", "", ""]
    interval = f"{100 * pairing.score.low:.1f} to {100 * pairing.score.high:.1f}"
    pairs = " ".join(map(str, pairing.pairs))
    return [label, f"{pairing.games}", format_percentage(pairing.score.value), interval, pairs, format_elo(pairing.elo)]


def format_percentage(fraction: float) -> str:
    """A part of the points."""
    return f"{100 * fraction:.1f} %"


def format_elo(elo: Estimate) -> str:
    """A difference of Elo and its error, or the bound on one side that is known."""
    if elo.is_bounded:
        return f"{elo.value:+.0f} +- {(elo.high - elo.low) / 2:.0f}"
    if math.isfinite(elo.low):
        return f"> {elo.low:+.0f}"
    return f"< {elo.high:+.0f}" if math.isfinite(elo.high) else "unknown"


def format_notes(standings: Standings) -> list[str]:
    """How to read the figures, and what went wrong."""
    from ..arena.game_record import FAULT_DESCRIPTIONS

    lines = ["Pairs by points of the first bot: 0, 0.5, 1, 1.5, 2. Intervals and errors are of 95 %, by pairs."]
    if len(standings.bots) > 2:
        lines.append(f"The Elo of bots is counted from {standings.bots[0]}, the first.")
    for name, faults in zip(standings.bots, standings.faults, strict=True):
        if faults:
            kinds = ", ".join(f"{count} by {FAULT_DESCRIPTIONS[reason]}" for reason, count in sorted(faults.items()))
            lines.append(f"{name} lost {plural(faults.total(), 'game')} by faults: {kinds}.")
    for name, overrun in zip(standings.bots, standings.max_overrun_seconds, strict=True):
        if overrun > MIN_REPORTED_OVERRUN_SECONDS:
            lines.append(f"{name} overran its limit by up to {overrun:.3g} s.")
    return [wrapped(line) for line in lines]


def write_elo_plot(tournament: Tournament, standings: Standings, path: Path) -> None:
    """Write the plot."""
    from ..arena.elo_plot import render_elo_plot

    game = tournament.game
    title = f"{game.name}, by {game.designer} ({game.year})"
    games = sum(pairing.games for pairing in standings.pairing_scores)
    try:
        path.write_text(
            render_elo_plot(standings, title, f"{game.spec}, {tournament.format}, {games:,} games"), encoding="utf-8"
        )
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
