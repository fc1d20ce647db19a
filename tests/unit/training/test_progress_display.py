"""Progress of a run: the dashboard, log lines, and the chart."""

import io
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.support.optional import import_optional

torch = import_optional("torch")

from rich.console import Console

from ropewalk.cli.main import main
from ropewalk.training.config import RunSchedule
from ropewalk.training.dashboard import Dashboard, render_sparkline
from ropewalk.training.evaluation import MatchScore
from ropewalk.training.plots import accumulate_minutes, separate_labels, write_training_chart
from ropewalk.training.run import Run
from tests.unit.training.test_training import make_trainer

SVG = "{http://www.w3.org/2000/svg}"
CURVE_HEADER = (
    "minutes,turns,games,positions,evaluations,steps,games/s,evaluations/s,loss,policy,value,ownership,policy_kl\n"
)
STRENGTH_HEADER = "minutes,games,spec,opponent,pairs,share,error\n"
TINY_OPTIONS = (
    "--parallel-games 16 --simulations 4 --max-considered 4 --opening-moves 2 --blocks 1 --channels 8 "
    "--batch-size 32 --min-replay 64 --threads 1"
)


def render_dashboard(run: Run) -> str:
    console = Console(file=io.StringIO(), width=100, record=True)
    console.print(Dashboard(run))
    return console.export_text()


def find_line(text: str, name: str) -> str:
    return next(line for line in text.splitlines() if name in line)


def test_the_dashboard_shows_losses_strength_and_checkpoint(tmp_path: Path) -> None:
    log: list[str] = []
    schedule = RunSchedule(
        output_dir=tmp_path, max_minutes=5, eval_opponents=("random",), eval_pairs=2, log=log.append, log_reports=False
    )
    run = Run(make_trainer(), schedule)
    assert find_line(render_dashboard(run), "against random").split()[3] == "-"
    assert "none yet" in find_line(render_dashboard(run), "checkpoint")
    for steps in (10, 20, 30):
        while run.trainer.counts["steps"] < steps:
            run.trainer.iterate()
        run.report_progress()
    run.save_checkpoints()
    run.record_score(MatchScore("random", "lariat-1x1", 2, 0.75, 0.1))
    panel = render_dashboard(run)
    assert not log  # the panel replaces log lines
    assert f"{run.metrics_history[-1]['loss']:.3f}" in find_line(panel, "loss")
    assert render_sparkline([metrics["loss"] for metrics in run.metrics_history]) in find_line(panel, "loss")
    assert "+191 ±" in find_line(panel, "against random")
    assert "0.0 min old" in find_line(panel, "checkpoint")
    assert "off" in find_line(panel, "gate")


def test_a_sparkline_is_scaled_from_minimum_to_maximum() -> None:
    assert render_sparkline([0, 7, 3]) == "▁█▄"
    assert render_sparkline([2, 2]) == "▁▁"
    assert len(render_sparkline(range(1000))) == 36


def test_without_a_terminal_a_run_logs_plain_lines_and_writes_the_chart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = f"train lariat-1x1 -o {tmp_path} {TINY_OPTIONS} --no-compile --device cpu --iterations 120 --weights-only"
    assert main(command.split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "ready on cpu" in lines[0]
    assert "evaluations/s" in lines[1]
    assert "ownership" in lines[1]
    assert "policy_kl" in lines[1]
    assert lines[2].startswith("the net is")
    root = ET.fromstring((tmp_path / "curve.svg").read_text(encoding="utf-8"))
    assert len([path for path in root.iter(f"{SVG}path") if "curve" in path.get("class", "")]) == 5


def test_the_chart_appends_runs_and_ignores_an_incomplete_row(tmp_path: Path) -> None:
    (tmp_path / "curve.csv").write_text(
        CURVE_HEADER + "1,1,10,1,1,1,1,1,3,2,1,0,.5\n3,1,30,1,1,3,1,1,2,1,1,0,.4\n2,1,50,1,1,5,1,1,1,.5,.5,0,.3\n4,1,9"
    )
    (tmp_path / "strength.csv").write_text(
        STRENGTH_HEADER
        + "3,30,lariat-1x1,uct@10,8,0.5,0.1\n2,50,lariat-1x1,uct@10,8,1.0,0.0\n2,50,lariat-1x1,the player,8,0.4,0.1\n"
    )
    assert write_training_chart(tmp_path, "a <title>") == tmp_path / "curve.svg"
    root = ET.fromstring((tmp_path / "curve.svg").read_text(encoding="utf-8"))
    texts = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert "a <title>" in texts
    assert "5.0 minutes, 50 games, 5 steps" in texts
    assert not any("ownership" in text for text in texts)  # always 0: not trained
    dots = [circle for circle in root.iter(f"{SVG}circle") if "spot" in circle.get("class", "")]
    error = [circle for circle in root.iter(f"{SVG}circle") if circle.get("class") == "refused"]
    assert float(dots[0].get("cx", 0)) < float(dots[1].get("cx", 0)) == float(error[0].get("cx", 0))


def test_a_run_without_reports_has_no_chart(tmp_path: Path) -> None:
    assert write_training_chart(tmp_path, "") is None


def test_minutes_of_several_runs_are_summed() -> None:
    assert accumulate_minutes([1, 3, 2, 5]) == [1, 3, 5, 8]


def test_labels_of_the_chart_do_not_overlap() -> None:
    assert separate_labels([50, 52, 200], 0, 200) == [50, 66, 200]
    assert separate_labels([199, 200], 0, 200) == [184, 200]
