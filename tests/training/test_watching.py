"""A run can be watched: on a terminal, in plain lines, and afterwards as a picture."""

import io
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from rich.console import Console

from ropewalk.cli.main import main
from ropewalk.training.config import RunSchedule
from ropewalk.training.dashboard import Dashboard, render_sparkline
from ropewalk.training.evaluation import MatchScore
from ropewalk.training.plots import accumulate_minutes, separate_labels, write_training_chart
from ropewalk.training.run import Run
from tests.training.test_training import trainer

SVG = "{http://www.w3.org/2000/svg}"
CURVE = "minutes,turns,games,positions,evaluations,steps,games/s,evaluations/s,loss,policy,value,owners,surprise\n"
STRENGTH = "minutes,games,spec,opponent,pairs,share,error\n"
TINY = (
    "--parallel-games 16 --simulations 4 --max-considered 4 --opening-moves 2 --blocks 1 --channels 8 "
    "--batch-size 32 --min-replay 64 --threads 1"
)


def shown(run: Run) -> str:
    console = Console(file=io.StringIO(), width=100, record=True)
    console.print(Dashboard(run))
    return console.export_text()


def line_of(picture: str, name: str) -> str:
    return next(line for line in picture.splitlines() if name in line)


def test_the_dashboard_shows_what_was_reached(tmp_path: Path) -> None:
    told: list[str] = []
    plan = RunSchedule(
        output_dir=tmp_path, max_minutes=5, eval_opponents=("random",), eval_pairs=2, log=told.append, log_reports=False
    )
    run = Run(trainer(), plan)
    assert line_of(shown(run), "against random").split()[3] == "-"
    assert "none yet" in line_of(shown(run), "checkpoint")
    for steps in (10, 20, 30):
        while run.trainer.counts["steps"] < steps:
            run.trainer.iterate()
        run.report_progress()
    run.save_checkpoints()
    run.record_score(MatchScore("random", "lariat-1x1", 2, 0.75, 0.1))
    picture = shown(run)
    assert not told  # the panel takes the place of lines
    assert f"{run.metrics_history[-1]['loss']:.3f}" in line_of(picture, "loss")
    assert render_sparkline([reported["loss"] for reported in run.metrics_history]) in line_of(picture, "loss")
    assert "+191 ±" in line_of(picture, "against random")
    assert "0.0 min old" in line_of(picture, "checkpoint")
    assert "off" in line_of(picture, "gate")


def test_a_trend_goes_from_the_lowest_to_the_highest() -> None:
    assert render_sparkline([0, 7, 3]) == "▁█▄"
    assert render_sparkline([2, 2]) == "▁▁"
    assert len(render_sparkline(range(1000))) == 36


def test_without_a_terminal_there_are_plain_lines_and_then_the_curve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"train lariat-1x1 -o {tmp_path} {TINY} --no-compile --device cpu --iterations 120 --weights-only"
    assert main(words.split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "ready on cpu" in lines[0]
    assert "evaluations/s" in lines[1]
    assert "surprise" in lines[1]
    assert lines[2].startswith("the net is")
    root = ET.fromstring((tmp_path / "curve.svg").read_text(encoding="utf-8"))
    assert len([path for path in root.iter(f"{SVG}path") if "curve" in path.get("class", "")]) == 5


def test_the_picture_puts_runs_one_after_the_other_and_leaves_out_half_a_line(tmp_path: Path) -> None:
    (tmp_path / "curve.csv").write_text(
        CURVE + "1,1,10,1,1,1,1,1,3,2,1,0,.5\n3,1,30,1,1,3,1,1,2,1,1,0,.4\n2,1,50,1,1,5,1,1,1,.5,.5,0,.3\n4,1,9"
    )
    (tmp_path / "strength.csv").write_text(
        STRENGTH
        + "3,30,lariat-1x1,uct@10,8,0.5,0.1\n2,50,lariat-1x1,uct@10,8,1.0,0.0\n2,50,lariat-1x1,the player,8,0.4,0.1\n"
    )
    assert write_training_chart(tmp_path, "a <title>") == tmp_path / "curve.svg"
    root = ET.fromstring((tmp_path / "curve.svg").read_text(encoding="utf-8"))
    texts = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert "a <title>" in texts
    assert "5.0 minutes, 50 games, 5 steps" in texts
    assert not any("owners" in text for text in texts)  # always 0: not learnt
    spots = [spot for spot in root.iter(f"{SVG}circle") if "spot" in spot.get("class", "")]
    refused = [spot for spot in root.iter(f"{SVG}circle") if spot.get("class") == "refused"]
    assert float(spots[0].get("cx", 0)) < float(spots[1].get("cx", 0)) == float(refused[0].get("cx", 0))


def test_a_run_without_lines_has_no_picture(tmp_path: Path) -> None:
    assert write_training_chart(tmp_path, "") is None


def test_minutes_of_several_runs_add_up() -> None:
    assert accumulate_minutes([1, 3, 2, 5]) == [1, 3, 5, 8]


def test_names_on_the_picture_do_not_overlap() -> None:
    assert separate_labels([50, 52, 200], 0, 200) == [50, 66, 200]
    assert separate_labels([199, 200], 0, 200) == [184, 200]
