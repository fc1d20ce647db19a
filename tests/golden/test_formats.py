"""Files and protocols are written as they were: a sample of each format, byte for byte.

Wall-clock times, speeds and the package's version are replaced before the comparison; everything else is as written.
After an intended change, rewrite the samples and review the difference:

    python -m tests.golden.test_formats --write
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import onnxruntime
import pytest

import ropewalk
from ropewalk import Position
from ropewalk.arena.elo_plot import render_elo_plot
from ropewalk.arena.game_record import ArenaGame
from ropewalk.arena.record_file import RecordFile
from ropewalk.arena.tournament import Tournament, run_tournament
from ropewalk.diagrams import AnimationTiming, DiagramOptions, animate_svg, draw
from ropewalk.nets.config import ModelCard, make_net_config, model_card_path, write_model_card
from ropewalk.nets.onnx_evaluator import resolve_net_path
from ropewalk.proofs.solver import SolverLimits, choose_method, find_checker, find_solver
from ropewalk.training.config import TrainingConfig
from tests.support.command_runner import run_ropewalk

SAMPLES = Path(__file__).with_name("samples")
GZIP_MARK = b"\x1f\x8b"
CONTEST = Tournament(
    game=ropewalk.game("tether-5"),
    bots=("random", "greedy@20", "greedy@60"),
    format="round-robin",
    games_per_pairing=4,
    opening_plies=2,
    seed=3,
)
UGI_COMMANDS = """\
ugi
isready
setoption name Seed value 5
setoption name Sead value 5
uginewgame
position startpos moves c3 b2
query p1turn
query gameover
query result
go nodes 60
position fen rb2b/rbb1b/b1rrb/rr1r1/r1rrb red
setoption name MultiPV value 2
go nodes 100
position fen rb1rb/rbb1b/b1rrb/rr1r1/r1rrb blue
query gameover
query result
go
position startpos moves c3 c3
position startpos moves z9
position nowhere
query colour
fly
"""
QUERIES: list[Any] = [
    {"id": "start", "spec": "tether-5", "visits": 60, "lines": 2},
    {"id": "moves", "spec": "Tether-5", "moves": ["c3", "b2"], "visits": 50, "lines": 1},
    {"id": "proven", "spec": "tether-5", "position": "rb2b/rbb1b/b1rrb/rr1r1/r1rrb red", "visits": 200, "lines": 1},
    {"id": "over", "spec": "tether-5", "position": "rb1rb/rbb1b/b1rrb/rr1r1/r1rrb blue"},
    {"id": "illegal", "spec": "tether-5", "moves": ["c3", "c3"], "visits": 5},
    {"id": "no move", "spec": "tether-5", "moves": ["z9"], "visits": 5},
    {"id": "no game", "spec": "chess"},
    {"id": "other game", "spec": "liger-4"},
    {"id": "bad position", "spec": "tether-5", "position": "5/5 red"},
    {"id": "bad field", "vists": 3},
    {"id": "version", "action": "query_version"},
    {"id": "stop", "action": "terminate", "terminateId": "nothing"},
    {"id": "fly", "action": "fly"},
    {"spec": "tether-5"},
    [1, 2],
]
DIAGRAMS = {  # spec: steps of a random game
    "lariat-1x6": 16,
    "cube-lariat-2": 18,
    "tether-5": 9,
    "laocoon-weave": 40,
    "liger-8": 30,
}
PROOFS = {"tether-3": "strategy", "liger-4": "strategy", "lariat-1x1": "carrier", "cube-lariat-2": "carrier"}
PROOF_STARTS = {"cube-lariat-2": 12}  # moves before the position that is solved


def play_random_moves(spec: str, count: int) -> Position:
    """A position of a random game that is not over."""
    rng, position = random.Random(5), ropewalk.game(spec).start()
    for _ in range(count):
        after = position.play(rng.choice([move for move in position.moves() if move != "swap"]))
        if after.outcome is not None:
            break
        position = after
    return position


def neutral(text: str) -> str:
    """A text without the package's version."""
    return text.replace(ropewalk.__version__, "VERSION")


# The arena


def play_contest(path: Path) -> list[ArenaGame]:
    """The games of the contest; those that the file has are not played again."""
    return list(run_tournament(CONTEST, path, lambda warning: None))


def arena_results(folder: Path) -> str:
    play_contest(folder / "arena.jsonl")
    text = (folder / "arena.jsonl").read_text()
    return re.sub(r'"(seconds|overrun)": \[[^\]]*\]', r'"\1": [0.25, 0.5]', text)


def stored_records(folder: Path) -> list[ArenaGame]:
    """The games of the stored results, which must be complete."""
    shutil.copy(SAMPLES / "arena.jsonl", folder / "copy.jsonl")
    records = play_contest(folder / "copy.jsonl")
    assert (folder / "copy.jsonl").read_bytes() == (SAMPLES / "arena.jsonl").read_bytes(), "games were missing"
    return records


def rounded(value: Any) -> Any:
    """Floats with six digits: the last ones depend on the machine."""
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def arena_standings(folder: Path) -> str:
    return json.dumps(rounded(CONTEST.compute_standings(stored_records(folder)).as_json()), indent=1) + "\n"


def elo_plot(folder: Path) -> str:
    return render_elo_plot(CONTEST.compute_standings(stored_records(folder)), "Tether 5", "4 games of each pairing & <more>")


def arena_records(name: str, folder: Path) -> str:
    """The contest's games as a file of game records."""
    file = RecordFile(folder / name, CONTEST.game)
    for record in stored_records(folder)[:3]:
        file.add(record)
    return neutral((folder / name).read_text(encoding="utf-8"))


# Nets and training


def model_card(folder: Path) -> str:
    """The card of a file that stands in for a net."""
    net = folder / "net.onnx"
    net.write_bytes(b"not a net")
    game = ropewalk.game("tether-9")
    card = ModelCard(
        game="tether",
        specs=("tether-9", "tether-13"),
        design=make_net_config(game, 6, 64).as_json(),
        settings=TrainingConfig(specs=("tether-9", "tether-13"), seed=7).as_json(),
        counts={"games": 10, "positions": 200, "evaluations": 3000, "steps": 4},
        minutes=12.5,
        hardware="a machine",
        strength=[{"opponent": "level-3", "share": 0.5}],
        gates={"accepted": 2, "refused": 1},
    )
    write_model_card(card, net)
    return model_card_path(net).read_text(encoding="utf-8")


def onnx_signatures(folder: Path) -> str:
    """Names, types and shapes of the inputs and outputs of the shipped nets."""
    found: dict[str, Any] = {}
    for entry in ropewalk.games():
        session = onnxruntime.InferenceSession(
            resolve_net_path(ropewalk.game(entry.key)), providers=["CPUExecutionProvider"]
        )
        for kind, nodes in (("inputs", session.get_inputs()), ("outputs", session.get_outputs())):
            found[f"{entry.key} {kind}"] = [f"{node.name} {node.type} {node.shape}" for node in nodes]
    return json.dumps(found, indent=1) + "\n"


# Proofs


def proof(spec: str, folder: Path) -> str:
    """A proof file, unpacked: compressed bytes depend on the version of zlib."""
    path = folder / "proof"
    position = play_random_moves(spec, PROOF_STARTS.get(spec, 0))
    assert choose_method(position.game) == PROOFS[spec]
    find_solver(PROOFS[spec])(position, path, SolverLimits(memory_bytes=1 << 24), None)
    return unpacked(path.read_bytes())


def unpacked(content: bytes) -> str:
    return (gzip.decompress(content) if content.startswith(GZIP_MARK) else content).decode("ascii")


# Protocols


def answers_of(queries: Iterable[Any]) -> list[Any]:
    typed = "".join(json.dumps(query) + "\n" for query in queries)
    result = run_ropewalk("analysis", "tether-5", "--workers", "1", "--level", "4", typed=typed)
    assert (result.code, result.err) == (0, "")
    return [json.loads(line) for line in result.out.splitlines()]


def analysis_transcript(folder: Path) -> str:
    """The answers in the order of their ids; refusals are said at once, results when they are there."""
    responses = sorted(answers_of(QUERIES), key=lambda answer: (str(answer["id"]), json.dumps(answer)))
    lines = [json.dumps(answer | ({"seconds": 0.5} if "seconds" in answer else {})) for answer in responses]
    return neutral("\n".join(lines) + "\n")


def ugi_transcript(folder: Path) -> str:
    """All lines but the reports before the last of each search, whose number depends on the machine's speed."""
    result = run_ropewalk("ugi", "tether-5", "--level", "4", typed=UGI_COMMANDS)
    assert (result.code, result.err) == (0, "")
    kept: list[str] = []
    reports: dict[str, str] = {}
    for line in result.out.splitlines():
        if line.startswith("info depth"):
            found = re.search(r"multipv \d+", line)
            reports[found[0] if found else ""] = re.sub(r"nps \d+ time \d+", "nps 0 time 0", line)
        else:
            kept += [*reports.values(), line]
            reports = {}
    return neutral("\n".join(kept) + "\n")


# Pictures


def diagram_hashes(folder: Path) -> str:
    """SHA-256 of one position per game in every view and two themes, and of one animation."""
    found: dict[str, str] = {}
    for spec, steps in DIAGRAMS.items():
        position = play_random_moves(spec, steps)
        start, moves = position.game.start(), position.steps()
        for view in ("flat", "solid" if "lariat" in spec else "table"):
            for theme in ("light", "print"):
                style = DiagramOptions(view=view, theme=theme, coordinates="all", last_move=True)
                found[f"{spec} {view} {theme}"] = sha256(draw(start, style, moves))
    numbered = DiagramOptions(numbers_from=1, marks={"a1": "triangle", "b2": "x"}, territory=True)
    found["tether-5 numbered"] = sha256(draw(ropewalk.game("tether-5").start(), numbered, ["c3", "d3", "b4"]))
    found["tether-5 animated"] = sha256(
        animate_svg(
            ropewalk.game("tether-5").start(),
            ("c3", "d3", "b2"),
            DiagramOptions(size=200),
            AnimationTiming(seconds_per_move=0.5),
        )
    )
    return json.dumps(found, indent=1) + "\n"


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def small_diagram(folder: Path) -> str:
    """One whole picture, so that a difference can be looked at."""
    return draw(ropewalk.game("tether-3").start(), DiagramOptions(size=200), ["b2", "a1"])


MAKERS: dict[str, Callable[[Path], str]] = {  # by file; arena.jsonl first, because others are made of it
    "arena.jsonl": arena_results,
    "standings.json": arena_standings,
    "elo.svg": elo_plot,
    "games.sgf": partial(arena_records, "games.sgf"),
    "games.json": partial(arena_records, "games.json"),
    "card.json": model_card,
    "onnx.json": onnx_signatures,
    **{f"{spec}.proof": partial(proof, spec) for spec in PROOFS},
    "ugi.txt": ugi_transcript,
    "analysis.jsonl": analysis_transcript,
    "diagrams.json": diagram_hashes,
    "tether-3.svg": small_diagram,
}


@pytest.mark.parametrize("name", MAKERS)
def test_the_sample_is_written_again(name: str, tmp_path: Path) -> None:
    assert MAKERS[name](tmp_path).splitlines() == (SAMPLES / name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("spec", PROOFS)
def test_the_stored_proof_is_accepted(spec: str, tmp_path: Path) -> None:
    path = tmp_path / "proof"
    path.write_bytes(gzip.compress((SAMPLES / f"{spec}.proof").read_bytes()))
    solution = find_checker(path)(path, None)
    assert solution.value in (0, 1)
    assert solution.position == str(play_random_moves(spec, PROOF_STARTS.get(spec, 0)))


def test_every_sample_has_a_test() -> None:
    assert {path.name for path in SAMPLES.iterdir()} == set(MAKERS)


def write() -> None:
    SAMPLES.mkdir(exist_ok=True)
    for name, make in MAKERS.items():
        with tempfile.TemporaryDirectory() as folder:
            (SAMPLES / name).write_text(make(Path(folder)), encoding="utf-8", newline="\n")
        print(f"{(SAMPLES / name).stat().st_size:8} {name}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    write()
