"""`ropewalk puzzles`: list, show, play, check, generate and pack puzzles."""

from __future__ import annotations

import random
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ... import game as game_of
from ...console.formatting import format_json_list, format_json_object, format_table, wrap
from ...text import did_you_mean, ellipsis, plural
from ..arguments import Parser, UsageError, add_json, make_int_parser
from ..command import EXIT_INTERRUPTED, EXIT_NEGATIVE, EXIT_OK, Command

if TYPE_CHECKING:
    from ...puzzles.generator import PuzzleGenerator
    from ...puzzles.puzzle import Puzzle

MAX_COUNT, MAX_SEED, MAX_TURNS, MAX_GAMES = 100_000, 2**63 - 1, 20, 10_000_000
DEFAULT_COUNT, DEFAULT_TURNS = 50, 6
DEFAULT_RANDOM_MOVES, MAX_RANDOM_MOVES = 6, 500
MIN_NODES, DEFAULT_NODES, MAX_NODES = 100, 20_000, 1_000_000_000

DESCRIPTION = (
    "Puzzles with a proven win: the seat to move wins by force, and only by a few moves. ACTION is list, show ID, play [ID] "
    "(a random puzzle without ID), check [FILE ...], generate SPEC or pack FILE ... The check follows the proof of each "
    "puzzle through every defence, without a solver; without a FILE it checks the puzzles of the package. generate finds "
    "puzzles in games of bots and writes them to a file as it goes; after Ctrl-C the same command resumes. pack writes "
    "files of puzzles into one compressed file. An ID may be shortened to its first letters and digits."
)

EXAMPLES = [
    ("ropewalk puzzles list --game tether --json", "the puzzles of a game"),
    ("ropewalk puzzles list --theme capture", "those with a theme"),
    ("ropewalk puzzles show tether-63b5ad36", "one puzzle"),
    ("ropewalk puzzles play --game lariat", "a random puzzle of a game"),
    ("ropewalk puzzles check --game liger", "check the proofs of a game's puzzles"),
    ("ropewalk puzzles list --game liger --sgf liger.sgf", "write puzzles as SGF"),
    ("ropewalk puzzles generate tether-5 -o tether-5.jsonl --count 20", "find new puzzles"),
]


def add_arguments(parser: Parser) -> None:
    """Add the action, its arguments and the options."""
    parser.usage = "ropewalk puzzles ACTION ..."  # the full list does not fit a narrow terminal
    parser.add_argument("action", metavar="ACTION", help=", ".join(ACTIONS))
    parser.add_argument("arguments", metavar="ARGUMENT", nargs="*", default=[], help="an ID, a SPEC or files")
    parser.add_argument("--game", metavar="GAME", help="only puzzles of this game, such as tether")
    parser.add_argument("--board", metavar="SPEC", help="only puzzles of this board, such as tether-13")
    parser.add_argument("--theme", metavar="THEME", help="only puzzles with this theme, such as capture")
    parser.add_argument("--turns", metavar="N", type=make_int_parser(1, MAX_TURNS), help="only puzzles of N turns")
    parser.add_argument("--sgf", metavar="FILE", type=Path, help="write the puzzles with their solutions as SGF")
    help_text = f"generate: number of puzzles ({DEFAULT_COUNT})"
    parser.add_argument("--count", metavar="N", type=make_int_parser(1, MAX_COUNT), default=DEFAULT_COUNT, help=help_text)
    help_text, parse_turns = "generate: the fewest turns to win (1)", make_int_parser(1, MAX_TURNS)
    parser.add_argument("--min-turns", metavar="N", type=parse_turns, default=1, help=help_text)
    help_text = f"generate: the most turns to win ({DEFAULT_TURNS})"
    parser.add_argument("--max-turns", metavar="N", type=parse_turns, default=DEFAULT_TURNS, help=help_text)
    help_text = f"generate: positions that a search of the solver may visit ({DEFAULT_NODES})"
    parse_nodes = make_int_parser(MIN_NODES, MAX_NODES)
    parser.add_argument("--nodes", metavar="N", type=parse_nodes, default=DEFAULT_NODES, help=help_text)
    help_text = "generate: the most puzzles, in percent of those of more than one turn, that level 1 may solve (0)"
    parser.add_argument("--obvious", metavar="N", type=make_int_parser(0, 100), default=0, help=help_text)
    help_text = f"generate: the most random moves at the start of a game ({DEFAULT_RANDOM_MOVES})"
    parse_random_moves = make_int_parser(0, MAX_RANDOM_MOVES)
    parser.add_argument("--random-moves", metavar="N", type=parse_random_moves, default=DEFAULT_RANDOM_MOVES, help=help_text)
    help_text = "generate: instead of games of bots, random games as long as neither seat wins within N turns"
    parser.add_argument("--late", metavar="N", type=parse_turns, default=0, help=help_text)
    help_text = "generate: the most games to play (no limit)"
    parser.add_argument("--max-games", metavar="N", type=make_int_parser(1, MAX_GAMES), help=help_text)
    help_text = "generate: the seed of the games; play: the seed of the choice"
    parser.add_argument("--seed", metavar="N", type=make_int_parser(0, MAX_SEED), help=help_text)
    help_text = "generate and pack: the file to write, or to resume"
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help=help_text)
    parser.add_argument("--no-colour", action="store_true", help="play: use no colours, as with NO_COLOR")
    add_json(parser)


def run(arguments: Namespace) -> int:
    """Run the action; return the exit code."""
    action = ACTIONS.get(arguments.action)
    if action is None:
        hint = did_you_mean(arguments.action, ACTIONS)
        raise UsageError(f"unknown action {ellipsis(arguments.action)}; allowed are {', '.join(ACTIONS)}{hint}")
    return action(arguments)


# Choosing puzzles


def select_puzzles(arguments: Namespace) -> list[Puzzle]:
    """Return the puzzles of the library that --game, --board, --theme and --turns leave. Raises UsageError."""
    from ...puzzles.library import load_library

    puzzles = list(load_library().values())
    key = None if arguments.game is None else resolve_key(arguments.game)
    spec = None if arguments.board is None else game_of(arguments.board).spec
    themes = sorted({puzzle.theme for puzzle in puzzles})
    if arguments.theme is not None and arguments.theme not in themes:
        raise UsageError(f"unknown theme {ellipsis(arguments.theme)}; allowed are {', '.join(themes)}")
    selected = [
        puzzle
        for puzzle in puzzles
        if key in (None, puzzle.key)
        and spec in (None, puzzle.spec)
        and arguments.theme in (None, puzzle.theme)
        and arguments.turns in (None, puzzle.turns)
    ]
    if not selected:
        raise UsageError("no puzzle fits --game, --board, --theme and --turns; ropewalk puzzles list shows all")
    return selected


def resolve_key(text: str) -> str:
    """Return the key of a game from its key or a spec. Raises SpecError."""
    return game_of(text).definition.key


def take_arguments(arguments: Namespace, minimum: int, maximum: int | None, expected: str) -> Sequence[str]:
    """Return the arguments after the action. Raises UsageError if they are too few or too many."""
    given: list[str] = arguments.arguments
    if len(given) < minimum or (maximum is not None and len(given) > maximum):
        raise UsageError(f"expected ropewalk puzzles {arguments.action} {expected}; see ropewalk puzzles --help")
    return given


def export_sgf(arguments: Namespace, puzzles: Sequence[Puzzle]) -> bool:
    """Write the puzzles as SGF if --sgf is given; return whether it is."""
    if arguments.sgf is None:
        return False
    from ...puzzles.export import make_records
    from ...records import save

    if arguments.sgf.suffix != ".sgf":
        raise UsageError(f"--sgf needs a file name that ends in .sgf, not {ellipsis(str(arguments.sgf))}")
    save(make_records(puzzles), arguments.sgf)
    print(f"{arguments.sgf}: {plural(len(puzzles), 'puzzle')}")
    return True


# Actions


def run_list(arguments: Namespace) -> int:
    """Print a table of puzzles, or JSON, or write SGF."""
    take_arguments(arguments, 0, 0, "[--game GAME] [--theme THEME]")
    puzzles = select_puzzles(arguments)
    if export_sgf(arguments, puzzles):
        return EXIT_OK
    if arguments.json:
        print(format_json_list(puzzle.summarise() for puzzle in puzzles))
        return EXIT_OK
    rows = [[f"{puzzle.id}  {puzzle.spec}, {puzzle.theme}", str(puzzle.turns), str(puzzle.difficulty)] for puzzle in puzzles]
    print(format_table(["puzzle", "turns", "difficulty"], rows))
    return EXIT_OK


def run_show(arguments: Namespace) -> int:
    """Print one puzzle with its board; JSON and SGF contain the solution too."""
    from ...console.position_text import format_title
    from ...puzzles.export import describe_task
    from ...puzzles.library import find_puzzle

    puzzle = find_puzzle(take_arguments(arguments, 1, 1, "ID")[0])
    if export_sgf(arguments, [puzzle]):
        return EXIT_OK
    if arguments.json:
        print(format_json_object(puzzle.to_json()))
        return EXIT_OK
    task = f"puzzle {puzzle.id}, difficulty {puzzle.difficulty}, theme {puzzle.theme}: {describe_task(puzzle)}"
    hint = f"Solve it with ropewalk puzzles play {puzzle.id}"
    print("\n".join([format_title(puzzle.game), wrap(task), "", puzzle.position.draw(), "", puzzle.position_text, hint]))
    return EXIT_OK


def run_play(arguments: Namespace) -> int:
    """Play a puzzle in line mode: the named one, or a random one that fits the options."""
    from ...jit.compile_progress import show_compile_progress
    from ...puzzles.library import find_puzzle
    from ...puzzles.session import PuzzleSession
    from ...rules.generic import inspect_row, step
    from ...terminal.line_mode import draw_position_in_colour
    from ...terminal.puzzle_mode import PuzzleInterpreter, run_puzzle_mode
    from ...terminal.theme import is_colour_wanted

    named = take_arguments(arguments, 0, 1, "[ID]")
    puzzle = find_puzzle(named[0]) if named else random.Random(arguments.seed).choice(select_puzzles(arguments))
    with show_compile_progress(puzzle.game.name, puzzle.game.rules, inspect_row, step):
        session = PuzzleSession(puzzle)
    run_puzzle_mode(PuzzleInterpreter(session, draw_position_in_colour if is_colour_wanted(arguments.no_colour) else None))
    return EXIT_OK


def run_check(arguments: Namespace) -> int:
    """Check the proofs of files or of the library; the exit code is 1 if one fails."""
    from ...progress import progress_bar
    from ...puzzles.library import read_puzzles
    from ...puzzles.puzzle import PuzzleError, check_puzzle

    names = take_arguments(arguments, 0, None, "[FILE ...]")
    puzzles = [puzzle for name in names for puzzle in read_puzzles(Path(name))] if names else select_puzzles(arguments)
    failures, num_positions = [], 0
    with progress_bar("checking") as report:
        for number, puzzle in enumerate(puzzles, start=1):
            try:
                num_positions += check_puzzle(puzzle)
            except PuzzleError as error:
                failures.append(str(error))
            report(number, len(puzzles))
    result = {"puzzles": len(puzzles), "positions": num_positions, "failures": failures}
    text = f"{plural(len(puzzles), 'puzzle')}, {num_positions:,} positions visited, {plural(len(failures), 'failure')}"
    print(format_json_object(result) if arguments.json else "\n".join([*failures, text]))
    return EXIT_NEGATIVE if failures else EXIT_OK


def run_generate(arguments: Namespace) -> int:
    """Find puzzles until the file has enough of them; Ctrl-C leaves it whole."""
    game = game_of(take_arguments(arguments, 1, 1, "SPEC -o FILE")[0])
    if arguments.output is None:
        raise UsageError("generate needs -o FILE, the file to write or to resume")
    if arguments.min_turns > arguments.max_turns:
        raise UsageError(f"--min-turns {arguments.min_turns} is more than --max-turns {arguments.max_turns}")
    from ...progress import progress_bar
    from ...puzzles.generator import GeneratorOptions, PuzzleGenerator, generate_file

    options = GeneratorOptions(
        count=arguments.count,
        seed=arguments.seed or 0,
        min_turns=arguments.min_turns,
        max_turns=arguments.max_turns,
        max_obvious_share=arguments.obvious / 100,
        random_moves=arguments.random_moves,
        late_turns=arguments.late,
        solver_nodes=arguments.nodes,
    )
    generator = PuzzleGenerator(game, options)
    code = EXIT_OK
    try:
        with progress_bar(f"puzzles of {game.spec}") as report:

            def show(generator: PuzzleGenerator) -> None:
                description = f"puzzles of {game.spec}, {plural(generator.num_games, 'game')}"
                report(len(generator.puzzles), options.count, description)

            generate_file(generator, arguments.output, show, arguments.max_games)
    except KeyboardInterrupt:
        print("ropewalk: interrupted; the same command resumes", file=sys.stderr)
        code = EXIT_INTERRUPTED
    finally:
        generator.close()
    turns = Counter(puzzle.turns for puzzle in generator.puzzles.values())
    lengths = ", ".join(f"{count} of {plural(length, 'turn')}" for length, count in sorted(turns.items()))
    found, games = plural(len(generator.puzzles), "puzzle"), plural(generator.num_games, "game")
    print(f"{arguments.output}: {found} from {games}{f' ({lengths})' if lengths else ''}")
    return code


def run_pack(arguments: Namespace) -> int:
    """Write files of puzzles into one compressed file, each puzzle once."""
    from ...puzzles.library import read_puzzles, write_puzzles

    names = take_arguments(arguments, 1, None, "FILE ... -o FILE")
    if arguments.output is None or arguments.output.suffix != ".gz":
        raise UsageError("pack needs -o FILE, with a name that ends in .jsonl.gz")
    puzzles = {puzzle.id: puzzle for name in names for puzzle in read_puzzles(Path(name))}
    write_puzzles(arguments.output, puzzles.values())
    print(f"{arguments.output}: {plural(len(puzzles), 'puzzle')}, {arguments.output.stat().st_size:,} bytes")
    return EXIT_OK


ACTIONS: dict[str, Callable[[Namespace], int]] = {
    "list": run_list,
    "show": run_show,
    "play": run_play,
    "check": run_check,
    "generate": run_generate,
    "pack": run_pack,
}

COMMANDS = {
    "puzzles": Command(DESCRIPTION, EXAMPLES, add_arguments, run),
}
