"""Writes the measured figures of README.md and docs/*.md from result files.

    python docs/figures.py            rewrite the texts (`make figures`)
    python docs/figures.py --check    list the texts that differ from their files, and exit with 1

A figure stands between two comments, which a reader of the page does not see:

    <!-- figure: server.paced -->1.3 ms<!-- /figure -->

A whole table has lines of its own between them. NAME is a function of this module (`FIGURES`) or a table of
docs/experiments/PAGE.json (`PAGE.TABLE`). The tables of docs/puzzles.md count the puzzles of the package. The files of
`GENERATED_PAGES` are written as a whole. Benchmarks write benchmarks/results/*.json, `make ladder`
docs/ladder/results.json, `make boards` docs/boards/results.json. The tables in docs/experiments are a log: each row was
copied from the output of a command when the experiment was made.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ropewalk.games.registry import game as game_of
from ropewalk.games.registry import games
from ropewalk.puzzles.library import load_library
from ropewalk.text import plural

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
RESULTS = ROOT / "benchmarks" / "results"
FIGURE = re.compile(r"(?P<start><!-- figure: (?P<name>[\w.-]+) -->)(?P<text>.*?)(?P<end><!-- /figure -->)", re.DOTALL)
MARKER = re.compile(r"<!-- /?figure")


def read_results(path: Path) -> Any:
    """Return the content of a result file."""
    return json.loads(path.read_text(encoding="utf-8"))


def import_generator(name: str) -> Any:
    """Import a script of this folder by its name."""
    if str(DOCS) not in sys.path:
        sys.path.insert(0, str(DOCS))
    return importlib.import_module(name)


def format_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table between empty lines."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(["", "", *(f"| {' | '.join(row)} |" for row in lines), "", ""])


# Tables of the research log


def list_experiments() -> dict[str, Callable[[], str]]:
    """Return a figure for each table of docs/experiments, by PAGE.TABLE."""
    found: dict[str, Callable[[], str]] = {}
    for path in sorted((DOCS / "experiments").glob("*.json")):
        for name, table in read_results(path).items():
            found[f"{path.stem}.{name}"] = partial(format_table, table["columns"], table["rows"])
    return found


# Figures of benchmarks


def format_server_moves() -> str:
    """Return the table of durable moves, a row for each database and number of sockets."""
    columns = ["database", "sockets", "moves a second", "p50", "p99", "processor time per move", "commits by SQLAlchemy"]
    rows = [
        [
            DATABASE_NAMES[name],
            f"{row['sockets']:,}",
            f"{row['moves_per_second']:,.0f}",
            format_ms(row["p50_ms"]),
            format_ms(row["p99_ms"]),
            f"{row['processor_ms']:.2f} ms",
            f"{row['commits_per_second']:,.0f}",
        ]
        for name, found in read_results(RESULTS / "server.json")["databases"].items()
        for row in found["rows"]
    ]
    return format_table(columns, rows)


DATABASE_NAMES = {"sqlite": "SQLite", "postgres": "PostgreSQL", "postgresql": "PostgreSQL"}


def format_ms(milliseconds: float) -> str:
    """Return a duration with three digits at most before the unit."""
    return f"{milliseconds:,.1f} ms" if milliseconds < 100 else f"{milliseconds:,.0f} ms"


def format_server_paced() -> str:
    """Return a sentence about players who move now and then."""
    databases = read_results(RESULTS / "server.json")["databases"]
    paced = {name: found["paced"] for name, found in databases.items()}
    one = next(iter(paced.values()))
    times = [
        f"{format_ms(row['p50_ms'])} (p99 {format_ms(row['p99_ms'])}) on {DATABASE_NAMES[name]}"
        for name, row in paced.items()
    ]
    sizes = [found["idle_socket_kb"] for found in databases.values()]
    rate = f"every {one['interval_seconds']:g} seconds make {one['moves_per_second']:.0f} moves a second"
    return (
        f"{one['players']:,} players who move {rate} in this run; a move takes {' and '.join(times)}. "
        f"An idle socket takes {min(sizes):.0f} to {max(sizes):.0f} kB."
    )


def format_exhaustion_table() -> str:
    """Return the table of attacks: what they get, and what a login and a move of somebody else take meanwhile."""
    rows = []
    for row in read_results(RESULTS / "exhaustion.json")["attacks"]:
        slowest = row["slowest_response_ms"]
        times = [row[name] for name in ("login_p50_ms", "login_max_ms", "move_p50_ms", "move_p99_ms")]
        counts = "" if slowest is None else f"{row['accepted']} / {row['refused']}"
        rows.append([row["attack"], counts, "" if slowest is None else format_ms(slowest), *map(format_ms, times)])
    columns = ["attack", "accepted / refused", "slowest response", "login p50", "login max", "move p50", "move p99"]
    return format_table(columns, rows)


def format_kills_table() -> str:
    """Return the table of kills, with the moves that were acknowledged; a run that loses a move has no result."""
    names = ("servers", "kills", "matches", "acknowledged", "unanswered")
    rows = [
        [DATABASE_NAMES[part["database"]], *(f"{part[name]:,}" for name in names)]
        for part in read_results(RESULTS / "kills.json")["parts"]
    ]
    return format_table(["database", "servers", "kills", "matches", "moves acknowledged", "unanswered"], rows)


def format_faults_table() -> str:
    """Return the table of an hour of faults on each database."""
    rows = []
    for database in ("sqlite", "postgresql"):
        run = read_results(RESULTS / f"faults-{database}.json")
        counts = (run["servers"], sum(run["faults"].values()), run["matches"], run["acknowledged"])
        memory = (", ".join(map(str, run[f"memory_{when}_mb"])) for when in ("before", "after"))
        rows.append([DATABASE_NAMES[database], *(f"{count:,}" for count in counts), *memory, f"{run['violations']}"])
    columns = [
        "database",
        "servers",
        "faults",
        "matches",
        "actions acknowledged",
        "MB at the start",
        "MB at the end",
        "violations",
    ]
    return format_table(columns, rows)


def format_solved_table() -> str:
    """Return the table of the nets on solved positions."""
    rows = [
        [
            spec,
            format_share(board["kept"], board["kept_error"]),
            format_share(board["random"], board["random_error"]),
            f"{board['mean_value_error']:.3f}",
        ]
        for spec, board in read_results(RESULTS / "solved.json")["boards"].items()
    ]
    return format_table(["board", "the net keeps the win", "a random move keeps it", "mean error of its value"], rows)


def format_int8_table() -> str:
    """Return the table of nets with 8-bit integers, in ratios to 32-bit floats."""
    figures = read_results(RESULTS / "int8-nets.json")["figures"]
    rows = []
    for compiled, int8, float32 in zip(*(iter(figures),) * 3, strict=True):
        ratios = [f"{each['to_float32'][batch]:.1f}" for each in (compiled, int8) for batch in ("1", "4")]
        sizes = f"{compiled['mib']:.2f} MiB instead of {float32['mib']:.2f}"
        differences = [f"{compiled['divergence']:.5f}", f"{100 * compiled['same_move']:.0f} %", f"{compiled['value']:.3f}"]
        rows.append([compiled["board"], sizes, *ratios, *differences])
    speeds = [f"{way}, {batch}" for way in ("compiled", "onnxruntime") for batch in ("single", "batch of 4")]
    return format_table(["board", "file", *speeds, "divergence", "same move", "value"], rows)


def format_share(share: float, error: float) -> str:
    """Return a share in percent with its error; a share of 100 % has none."""
    return f"{share:.1f} %" if share == 100 else f"{share:.1f} % ± {error:.1f}"


def describe_measurement(name: str) -> Callable[[], str]:
    """Return a figure: date and machine of a result file."""
    return lambda: str(read_results(RESULTS / f"{name}.json")["measured"])


# Speed of environments

BATCH_SIZES = (1, 64, 1024, 4096)
HEX = "hex-11"


def read_environment_rates() -> dict[tuple[str, str], dict[str, Any]]:
    """Return the measured figures of environments by what was measured and whose it is."""
    figures = read_results(RESULTS / "environments.json")["figures"]
    return {(figure["figure"], figure["name"]): figure for figure in figures}


def format_environment_table() -> str:
    """Return the table of steps per second, a row for each game and each peer."""
    found = read_environment_rates()
    kinds = ("single", *(f"batch-{size}" for size in BATCH_SIZES))
    names = list(dict.fromkeys(name for kind, name in found if kind in kinds))
    order = [*sorted(name for name in names if " " not in name), *sorted(name for name in names if " " in name)]
    rows = []
    for name in order:
        rates = [found[kind, name]["steps_per_second"] if (kind, name) in found else None for kind in kinds]
        rows.append([name, *("" if rate is None else f"{rate:,.0f}" for rate in rates)])
    return format_table(["steps per second", "single", *(f"batch of {size:,}" for size in BATCH_SIZES)], rows)


def format_environment_ratios() -> str:
    """Return a sentence about Hex beside pgx and OpenSpiel."""
    found = read_environment_rates()
    ratios = [f"{found[f'batch-{size}', HEX]['ratio']:.0f}" for size in BATCH_SIZES]
    return (
        f"Hex 11 x 11 makes {', '.join(ratios[:-1])} and {ratios[-1]} times the steps of pgx in batches of these sizes, and "
        f"{found['single', HEX]['ratio']:.1f} times those of OpenSpiel singly (medians of ratios within a round)."
    )


def format_thread_table() -> str:
    """Return the table of two threads beside one, and of two processes beside one."""
    measured = read_results(RESULTS / "threads.json")
    rows = [
        [spec, f"{found['threads']:.2f}", f"{found['processes']:.2f}", str(found["rounds"])]
        for spec, found in measured.items()
        if isinstance(found, dict)
    ]
    return format_table(["game", "two threads", "two processes", "rounds"], rows)


# Figures of the README


def format_readme_table() -> str:
    """Return the table of the README: what is measured, the figure, and where it comes from."""
    rows = [*list_speed_rows(), *list_strength_rows(), *list_proof_rows()]
    return format_table(["what", "figure", "how it is measured"], rows)


def list_speed_rows() -> Iterator[list[str]]:
    """Return the rows on speed."""
    playouts = read_results(RESULTS / "playouts.json")["figures"]
    stones = [row for row in playouts if row["figure"] == "stones" and "x" in row["game"]]
    yield [
        "random games of Lariat, one thread",
        f"{stones[0]['ratio']:.0f} times the stones per second of OpenSpiel's Hex 11 x 11 in the same run",
        "`python -m benchmarks.playouts`",
    ]
    uct = next(row for row in read_results(RESULTS / "search.json")["figures"] if row["figure"] == "uct")
    yield [
        "plain MCTS on Lariat, one thread",
        f"{uct['ratio']:.0f} times the simulations per second of OpenSpiel's MCTS on Hex in the same run",
        "`python -m benchmarks.search`",
    ]
    found = read_environment_rates()
    yield [
        "batches of 1,024 positions of Hex 11 x 11 with observations and masks, one core",
        f"{found['batch-1024', HEX]['ratio']:.0f} times the steps per second of pgx in the same run",
        "[Python interface](docs/python.md#speed)",
    ]
    rows = read_results(RESULTS / "server.json")["databases"]["sqlite"]["rows"]
    hundred = next(row for row in rows if row["sockets"] == 100)
    yield [
        "durable moves on a server with SQLite, 100 sockets, two cores",
        f"{hundred['moves_per_second']:,.0f} a second, p99 {format_ms(hundred['p99_ms'])}",
        "[server manual](docs/server.md#capacity)",
    ]


def list_strength_rows() -> Iterator[list[str]]:
    """Return the rows on strength: standard boards against OpenSpiel, all boards between the two highest levels."""
    table = read_results(DOCS / "experiments" / "training.json")["equal-time"]
    boards = [row[0].split()[0] for row in table["rows"]]
    scores = sorted({row[-1].split(" (")[0] for row in table["rows"]})
    yield [
        f"level 8 against OpenSpiel's MCTS, 0.3 s per move, {len(boards)} boards",
        f"wins {' or '.join(scores)} games on each",
        "[training log](docs/training.md#at-equal-time)",
    ]
    boards_page = import_generator("boards")
    results = read_results(DOCS / "boards" / "results.json")
    found = [boards_page.format_result(result) for name, result in sorted(results.items()) if name.endswith("8@0.3s 7@0.3s")]
    shares = sorted(float(cells[0].removesuffix(" %")) for cells in found)
    yield [
        f"level 8 (with a net) against level 7 (without), 0.3 s per move, {len(shares)} boards",
        f"{shares[0]:.1f} to {shares[-1]:.1f} %, above 50 % on {sum(share > 50 for share in shares)} of them",
        "[strength on every board](docs/boards.md)",
    ]


def list_proof_rows() -> Iterator[list[str]]:
    """Return the row on exact results."""
    known = read_results(ROOT / "src" / "ropewalk" / "games" / "known.json")
    claims = [claim["state"] for game in known.values() for claim in game["claims"]]
    counts = ", ".join(f"{claims.count(state)} {state}" for state in ("proven", "checked", "refuted", "open"))
    yield [
        f"the {len(claims)} claims of the rule sheets and ours",
        counts,
        "the page *What is known*, [solved boards](docs/search-experiments.md#solvers-and-proofs), "
        "[proof files](docs/proofs.md)",
    ]


# Puzzles


def format_puzzle_turns() -> str:
    """Return the table of the puzzles of the package by board and turns; standard boards are bold."""
    lengths = sorted({puzzle.turns for puzzle in load_library().values()})
    rows = []
    for definition in games():
        puzzles = [puzzle for puzzle in load_library().values() if puzzle.key == definition.key]
        counts = Counter((puzzle.spec, puzzle.turns) for puzzle in puzzles)
        for spec in sorted({puzzle.spec for puzzle in puzzles}, key=lambda spec: (len(game_of(spec).board), spec)):
            found = [counts[spec, turns] for turns in lengths]
            name = f"**{spec}**" if spec == definition.standard_spec else spec
            rows.append([name, *(str(count or "") for count in found), str(sum(found))])
        by_turns = Counter(puzzle.turns for puzzle in puzzles)
        rows.append([f"all of {definition.name}", *(str(by_turns[turns] or "") for turns in lengths), str(len(puzzles))])
    return format_table(["board", *(plural(turns, "turn") for turns in lengths), "all"], rows)


def format_puzzle_difficulties() -> str:
    """Return the table of the puzzles of the package by game, difficulty and theme."""
    difficulties = sorted({puzzle.difficulty for puzzle in load_library().values()})
    rows = []
    for definition in games():
        puzzles = [puzzle for puzzle in load_library().values() if puzzle.key == definition.key]
        counts = Counter(puzzle.difficulty for puzzle in puzzles)
        themes = Counter(puzzle.theme for puzzle in puzzles).most_common()
        words = ", ".join(f"{theme} {count}" for theme, count in themes)
        rows.append([definition.name, *(str(counts[difficulty] or "") for difficulty in difficulties), words])
    return format_table(["game", *(f"difficulty {difficulty}" for difficulty in difficulties), "themes"], rows)


FIGURES: dict[str, Callable[[], str]] = {
    "environments.measured": describe_measurement("environments"),
    "environments.ratios": format_environment_ratios,
    "environments.table": format_environment_table,
    "threads.measured": describe_measurement("threads"),
    "threads.table": format_thread_table,
    "puzzles.turns": format_puzzle_turns,
    "puzzles.difficulties": format_puzzle_difficulties,
    "readme.table": format_readme_table,
    "readme.measured": describe_measurement("playouts"),
    "server.exhaustion": format_exhaustion_table,
    "server.exhaustion-measured": describe_measurement("exhaustion"),
    "server.faults": format_faults_table,
    "server.faults-measured": describe_measurement("faults-sqlite"),
    "server.kills": format_kills_table,
    "server.measured": describe_measurement("server"),
    "server.moves": format_server_moves,
    "server.paced": format_server_paced,
    "solved.table": format_solved_table,
    "int8.table": format_int8_table,
    "int8.measured": describe_measurement("int8-nets"),
    **list_experiments(),
}


# Pages


def write_boards_page() -> str:
    """Return docs/boards.md."""
    judges = {spec: board["judge"] for spec, board in read_results(DOCS / "boards" / "openings.json").items()}
    return str(import_generator("boards").render_page(read_results(DOCS / "boards" / "results.json"), judges))


def write_ladder_page() -> str:
    """Return docs/ladder.md."""
    ladder = import_generator("ladder")
    results, tactics = (read_results(DOCS / "ladder" / f"{name}.json") for name in ("results", "tactics"))
    return str(ladder.render_page(results, ladder.compute_strengths(results, tactics)))


def write_capacity_page() -> str:
    """Return docs/capacity.md."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    return str(importlib.import_module("benchmarks.capacity_page").format_page(read_results(RESULTS / "capacity.json")))


def write_page_list() -> str:
    """Return docs/pages.md."""
    return str(import_generator("page_list").write_page_list())


def draw_imports(name: str) -> str:
    """Return a picture of imports, `draw_packages` or `draw_server`."""
    return str(getattr(import_generator("import_graph"), name)())


GENERATED_PAGES: dict[str, Callable[[], str]] = {
    "docs/boards.md": write_boards_page,
    "docs/capacity.md": write_capacity_page,
    "docs/imports.svg": partial(draw_imports, "draw_packages"),
    "docs/ladder.md": write_ladder_page,
    "docs/pages.md": write_page_list,
    "docs/server-imports.svg": partial(draw_imports, "draw_server"),
}


def list_pages() -> list[Path]:
    """Return README.md, the Markdown files of docs, and the other files that are written as a whole."""
    return [ROOT / "README.md", *sorted({*DOCS.rglob("*.md"), *(ROOT / name for name in GENERATED_PAGES)})]


def rewrite(path: Path) -> str:
    """Return the text of a page with the figures of the result files.

    Raises:
        ValueError: a marker without its counterpart, an unknown figure, or a marker within a line at its beginning, which
            Markdown takes for a block of HTML.
    """
    name = path.relative_to(ROOT).as_posix()
    if name in GENERATED_PAGES:
        return GENERATED_PAGES[name]()
    text = path.read_text(encoding="utf-8")
    if len(MARKER.findall(text)) != 2 * len(FIGURE.findall(text)):
        raise ValueError(f"{name}: a figure has no end, or an end has no figure")

    def replace(match: re.Match[str]) -> str:
        if match["name"] not in FIGURES:
            raise ValueError(f"{name}: unknown figure {match['name']!r}; known are {', '.join(sorted(FIGURES))}")
        figure = FIGURES[match["name"]]()
        if not figure.startswith("\n") and (match.start() == 0 or text[match.start() - 1] == "\n"):
            raise ValueError(f"{name}: the figure {match['name']} must not stand at the beginning of a line")
        return match["start"] + figure + match["end"]

    return FIGURE.sub(replace, text)


def main() -> int:
    """Rewrite or check all pages; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, list the pages that differ")
    arguments = parser.parse_args()
    changed = [path for path in list_pages() if rewrite(path) != path.read_text(encoding="utf-8")]
    for path in changed:
        print(path.relative_to(ROOT).as_posix())
        if not arguments.check:
            path.write_text(rewrite(path), encoding="utf-8")
    return int(arguments.check and bool(changed))


if __name__ == "__main__":
    sys.exit(main())
