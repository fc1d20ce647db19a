"""`ropewalk arena`: tournaments between bots, with scores, Elo and an Elo plot."""

from __future__ import annotations

import math
import sys
from argparse import ArgumentTypeError, Namespace
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import game as game_of
from ...console.formatting import format_json_object, format_table, wrap
from ...text import one_line, plural
from ..arguments import Parser, UsageError, add_json, add_spec, make_int_parser
from ..command import EXIT_INTERRUPTED, EXIT_OK, Command

if TYPE_CHECKING:
    from ...arena.game_record import ArenaGame
    from ...arena.record_file import RecordFile
    from ...arena.standings import PairingScore, Standings
    from ...arena.tournament import Tournament
    from ...games.game import Game
    from ...stats.elo import Estimate

DEFAULT_GAMES, MAX_GAMES = 100, 1_000_000
MAX_BOTS, MAX_CONCURRENCY, MAX_OPENING_PLIES = 64, 256, 100
MAX_SEED = 2**63 - 1
FORMATS = ("ladder", "gauntlet", "round-robin")  # those of arena.schedule, which is not imported here: it needs numba
MIN_REPORTED_OVERRUN_SECONDS = 0.1  # beyond the limit of a move

DESCRIPTION = (
    "Play a tournament between bots. Every opening, a few random moves, is played twice with the seats swapped; such a pair "
    "is one sample when errors are estimated. BOT is a level 1 to 8, uct (plain tree search), net (net search), guided "
    "(tree search guided by a net), random, flat-mc (flat Monte Carlo), ugi:COMMAND (a UGI engine; {spec} is replaced by "
    "the game's spec) or py:MODULE:FUNCTION (a Python function that makes a bot for a game), with @0.1s for seconds or "
    "@5000 for visits a move. A bot that plays an illegal move, crashes, or takes 3 seconds longer than its limit (600 "
    "seconds where visits are the limit) loses that game, and the tournament goes on. With -o, the same command resumes an "
    "interrupted tournament."
)

EXAMPLES = [
    ("ropewalk arena tether-5 3 flat-mc --games 20", "level 3 against flat Monte Carlo, ten openings, both seats"),
    ("ropewalk arena lariat-small flat-mc@200 flat-mc@0.01s random -o games.jsonl", "a round-robin with a results file"),
    ("ropewalk arena liger-6 'ugi:./engine {spec}@0.1s' flat-mc@0.1s --concurrency 2", "your own engine"),
    (
        "ropewalk arena liger-6 random flat-mc@100 flat-mc@1000 --format ladder --elo-plot ladder.svg",
        "a ladder, with a plot",
    ),
]


def add_arguments(parser: Parser) -> None:
    """Add the arguments of the command."""
    parser.usage = "ropewalk arena SPEC BOT BOT ..."  # the full list does not fit a narrow terminal
    add_spec(parser)
    parser.add_argument("bots", metavar="BOT", nargs="+", help=f"2 to {MAX_BOTS} bots")
    help_text = f"games of each pairing, an even number ({DEFAULT_GAMES})"
    parser.add_argument("--games", metavar="N", type=parse_game_count, default=DEFAULT_GAMES, help=help_text)
    help_text = "ladder (each bot meets the next), gauntlet (the first meets all others) or round-robin (the default)"
    parser.add_argument("--format", metavar="FORMAT", choices=FORMATS, default="round-robin", help=help_text)
    help_text = "select openings, with more moves where necessary, in which level 5 gives each seat at least 40 %%"
    parser.add_argument("--balanced-openings", action="store_true", help=help_text)
    help_text = "select balanced openings by the evaluation of another bot, such as net@200"
    parser.add_argument("--opening-judge", metavar="BOT", help=help_text)
    help_text = "random moves before the bots take over (the fewest that can be played in 5000 ways)"
    parser.add_argument("--opening-plies", metavar="N", type=make_int_parser(0, MAX_OPENING_PLIES), help=help_text)
    help_text = "seed of the openings and of the bots (0)"
    parser.add_argument("--seed", metavar="N", type=make_int_parser(0, MAX_SEED), default=0, help=help_text)
    help_text = "games played at the same time (1)"
    parser.add_argument("--concurrency", metavar="N", type=make_int_parser(1, MAX_CONCURRENCY), default=1, help=help_text)
    help_text = "results file, one line per game; a tournament is resumed from it"
    parser.add_argument("-o", "--results", metavar="FILE", type=Path, help=help_text)
    help_text = "append every game as a game record to a file .sgf or .json"
    parser.add_argument("--game-records", metavar="FILE", type=Path, help=help_text)
    add_json(parser)
    parser.add_argument("--elo-plot", metavar="FILE", type=Path, help="write a plot of the Elo of the bots as SVG")


def parse_game_count(text: str) -> int:
    """Parse an even number of games."""
    games = make_int_parser(2, MAX_GAMES)(text)
    if games % 2:
        raise ArgumentTypeError(f"{games} is odd; the number of games must be even, because every opening is played twice")
    return games


def run(arguments: Namespace) -> int:
    """Play the missing games, print the results, and write the plot if required; return the exit code."""
    game = game_of(arguments.spec)  # before numba is imported: an invalid spec fails at once
    if not 2 <= len(arguments.bots) <= MAX_BOTS:
        raise UsageError(f"expected 2 to {MAX_BOTS} bots, not {len(arguments.bots)}")
    if arguments.elo_plot and (arguments.elo_plot.is_dir() or not arguments.elo_plot.parent.is_dir()):
        raise UsageError(f"cannot write --elo-plot {arguments.elo_plot}; it must be a file in an existing folder")
    tournament = make_tournament(game, arguments)
    exit_code, standings = run_with_progress(tournament, arguments.results, make_record_file(game, arguments.game_records))
    print(
        format_json_object(results_to_json(tournament, standings))
        if arguments.json
        else format_results(tournament, standings)
    )
    if arguments.elo_plot:
        write_elo_plot(tournament, standings, arguments.elo_plot)
    return exit_code


def make_record_file(game: Game, path: Path | None) -> RecordFile | None:
    """Return the file of game records, None without a path. Raises UsageError if it cannot be written."""
    if path is None:
        return None
    from ...arena.record_file import RecordFile
    from ...records.files import FILE_SUFFIXES

    if path.suffix.lower() not in FILE_SUFFIXES or path.is_dir() or not path.parent.is_dir():
        raise UsageError(
            f"cannot write --game-records {path}; it must be a file in an existing folder, "
            f"and its name must end in {' or '.join(FILE_SUFFIXES)}"
        )
    return RecordFile(path, game)


def make_tournament(game: Game, arguments: Namespace) -> Tournament:
    """Return the tournament that the arguments describe. Raises BotError."""
    from ...arena.openings import choose_default_plies
    from ...arena.tournament import Tournament
    from ...bots.bot_spec import parse_bot_spec
    from ...jit.compile_progress import show_compile_progress
    from ...rules.generic import count_sequences

    bots = tuple(parse_bot_spec(text).text for text in arguments.bots)
    with show_compile_progress(game.name, game.rules, count_sequences):
        plies = choose_default_plies(game) if arguments.opening_plies is None else arguments.opening_plies
    return Tournament(
        game=game,
        bots=bots,
        format=arguments.format,
        games_per_pairing=arguments.games,
        opening_plies=plies,
        seed=arguments.seed,
        num_workers=arguments.concurrency,
        opening_judge=opening_judge(arguments),
    )


def opening_judge(arguments: Namespace) -> str:
    """Return the spec of the bot that selects balanced openings, "" for unjudged openings."""
    from ...arena.openings import DEFAULT_JUDGE
    from ...bots.bot_spec import parse_bot_spec

    if arguments.opening_judge:
        return parse_bot_spec(arguments.opening_judge).text
    return DEFAULT_JUDGE if arguments.balanced_openings else ""


def run_with_progress(tournament: Tournament, path: Path | None, record_file: RecordFile | None) -> tuple[int, Standings]:
    """Play with a progress bar; return the exit code and the standings.

    `path` is the results file. Ctrl-C ends the tournament early, with EXIT_INTERRUPTED and the standings so far.
    """
    from ...arena.tournament import run_tournament
    from ...progress import progress_bar

    total = tournament.games_per_pairing * len(tournament.pairings)
    records: list[ArenaGame] = []
    points = 0.0  # of the first bot
    exit_code = EXIT_OK
    try:
        with (
            progress_bar("starting the bots") as update_bar,
            closing(run_tournament(tournament, path, warn)) as finished_games,
        ):
            for record in finished_games:
                if record_file is not None:
                    record_file.add(record)
                records.append(record)
                points += record.points()
                update_bar(len(records), max(total, len(records)), format_progress(tournament, record, points, len(records)))
    except KeyboardInterrupt:
        exit_code = EXIT_INTERRUPTED
        resume_hint = "run the same command to resume" if path else "use -o FILE to be able to resume"
        warn(f"interrupted after {len(records)} of {total} games; {resume_hint}")
    return exit_code, tournament.compute_standings(records)


def warn(message: str) -> None:
    """Print a warning to stderr."""
    print(f"ropewalk: {one_line(message)}", file=sys.stderr)


def format_progress(tournament: Tournament, last: ArenaGame, points: float, games: int) -> str:
    """Return the score so far for two bots; for more, the pairing and the score of the last game."""
    first, second = (tournament.bots[bot][:20] for bot in last.pairing)
    if len(tournament.bots) > 2:
        return f"{first} {last.points():g} - {1 - last.points():g} {second}"
    return f"{first} {points:g} - {games - points:g} {second}"


def results_to_json(tournament: Tournament, standings: Standings) -> dict[str, Any]:
    """Return settings and standings as JSON data."""
    config = vars(tournament.config) | {"games": tournament.games_per_pairing}
    return {key: value for key, value in config.items() if key != "bots"} | standings.as_json()


def format_results(tournament: Tournament, standings: Standings) -> str:
    """Return the report: heading, table of bots (if more than two), table of pairings, notes."""
    parts = [wrap(format_headline(tournament))]
    if len(standings.bots) > 2:
        parts.append(
            format_table(("bot", "games", "score", "Elo"), [make_bot_row(standings, bot) for bot in rank_bots(standings)])
        )
    header = ("pairing", "games", "score", "95 %", "pairs by points", "Elo")
    parts.append(format_table(header, [make_pairing_row(standings, pairing) for pairing in standings.pairing_scores]))
    return "\n\n".join([*parts, *filter(None, ["\n".join(format_notes(standings))])])


def format_headline(tournament: Tournament) -> str:
    """Return the heading: game, format, openings, seed."""
    game = tournament.game
    plies = plural(tournament.opening_plies, "random move") + (
        f" (more if necessary), balanced according to {tournament.opening_judge}" if tournament.opening_judge else ""
    )
    return f"{game.name}, by {game.designer}: {game.spec}, {tournament.format}, openings of {plies}, seed {tournament.seed}"


def rank_bots(standings: Standings) -> list[int]:
    """Return the indices of the bots by descending Elo."""
    return sorted(range(len(standings.bots)), key=lambda bot: -standings.ratings[bot].value)


def make_bot_row(standings: Standings, bot: int) -> list[str]:
    """Return the table row of a bot; games and score are those of complete pairs."""
    games, points = standings.points(bot)
    rating = "0" if bot == 0 else format_elo(standings.ratings[bot])
    return [standings.bots[bot], f"{games}", format_percentage(points / games) if games else "", rating]


def make_pairing_row(standings: Standings, pairing: PairingScore) -> list[str]:
    """Return the table row of a pairing; the figures are empty before its first complete pair."""
    label = " - ".join(standings.bots[bot] for bot in pairing.pairing)
    if pairing.score is None or pairing.elo is None:
        return [label, f"{pairing.games}", "", "", "", ""]
    interval = f"{100 * pairing.score.low:.1f} to {100 * pairing.score.high:.1f}"
    pairs = " ".join(map(str, pairing.pairs))
    return [label, f"{pairing.games}", format_percentage(pairing.score.value), interval, pairs, format_elo(pairing.elo)]


def format_percentage(fraction: float) -> str:
    """Return a score in [0, 1] as a percentage."""
    return f"{100 * fraction:.1f} %"


def format_elo(elo: Estimate) -> str:
    """Return an Elo difference with its error, or the bound on the finite side, or "unknown"."""
    if elo.is_bounded:
        return f"{elo.value:+.0f} +- {(elo.high - elo.low) / 2:.0f}"
    if math.isfinite(elo.low):
        return f"> {elo.low:+.0f}"
    return f"< {elo.high:+.0f}" if math.isfinite(elo.high) else "unknown"


def format_notes(standings: Standings) -> list[str]:
    """Return explanations of the figures, and the faults and overruns of the bots."""
    from ...arena.game_record import FAULT_DESCRIPTIONS

    lines = ["Pairs by points of the first bot: 0, 0.5, 1, 1.5, 2. Intervals and errors: 95 % confidence, by pairs."]
    if len(standings.bots) > 2:
        lines.append(f"Elo ratings are relative to the first bot, {standings.bots[0]}.")
    for name, faults, message in zip(standings.bots, standings.faults, standings.first_fault_messages, strict=True):
        if faults:
            kinds = ", ".join(f"{count} by {FAULT_DESCRIPTIONS[reason]}" for reason, count in sorted(faults.items()))
            lines.append(f"{name} lost {plural(faults.total(), 'game')} by faults: {kinds}. The first: {message}")
    for name, overrun in zip(standings.bots, standings.max_overrun_seconds, strict=True):
        if overrun > MIN_REPORTED_OVERRUN_SECONDS:
            lines.append(f"{name} overran its limit by up to {overrun:.3g} s.")
    return [wrap(line) for line in lines]


def write_elo_plot(tournament: Tournament, standings: Standings, path: Path) -> None:
    """Write the Elo plot. Raises UsageError if the file cannot be written."""
    from ...arena.elo_plot import render_elo_plot

    game = tournament.game
    title = f"{game.name}, by {game.designer} ({game.year})"
    games = sum(pairing.games for pairing in standings.pairing_scores)
    try:
        path.write_text(
            render_elo_plot(standings, title, f"{game.spec}, {tournament.format}, {games:,} games"), encoding="utf-8"
        )
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


COMMANDS = {
    "arena": Command(DESCRIPTION, EXAMPLES, add_arguments, run),
}
