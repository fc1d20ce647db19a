"""A training run: iterations, progress reports, checkpoints, evaluation matches, gating, export and summary.

Files in the output folder: checkpoint.pt, full_checkpoint.pt, curve.csv (a row per report), strength.csv (a row per match),
GAME.onnx with its model card GAME.json.
"""

from __future__ import annotations

import csv
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any

from ..games.registry import spec_of
from ..nets.config import ModelCard, write_model_card
from ..nets.onnx_export import read_weights, write_onnx
from . import checkpoint
from .config import RunSchedule
from .evaluation import GATING_THRESHOLD, EvaluationMatch, MatchScore
from .inference import TorchEvaluator
from .trainer import Trainer

THROUGHPUT_SECONDS = 1.0  # for each throughput measurement
CURVE_COLUMNS = ("minutes", "turns", "games", "positions", "evaluations", "steps")


class Run:
    """Runs a trainer by a schedule."""

    def __init__(self, trainer: Trainer, schedule: RunSchedule) -> None:
        self.trainer = trainer
        self.schedule = schedule
        self.scores: list[tuple[float, MatchScore]] = []
        self.initial_counts = trainer.counts.copy()  # at the start of this run: those of earlier runs
        self.last_report_at = self.last_checkpoint_at = self.last_evaluation_at = self.last_gating_at = time.monotonic()
        self.last_report_counts = trainer.counts.copy()
        self.iteration_seconds = 0.0  # spent in iterations
        self.metrics_history: list[dict[str, float]] = []  # rates and losses, as reported
        self.activity = "playing and learning"

    @property
    def title(self) -> str:
        """Title of the dashboard and the chart."""
        return f"ropewalk train {' '.join(self.trainer.config.specs)}"

    def run(self) -> None:
        """Iterate until a limit is reached or the run is interrupted (SIGINT); then report, run gating and save."""
        try:
            while not self.schedule.is_finished(self.trainer.counts["turns"]):
                self.trainer.learning_rate = self.trainer.config.learning_rate * self.schedule.learning_rate_factor()
                started_at = time.monotonic()
                self.trainer.iterate()
                self.iteration_seconds += time.monotonic() - started_at
                self.run_due_tasks()
        except KeyboardInterrupt:
            self.schedule.log("interrupted; saving a checkpoint")
        self.report_progress()
        if self.schedule.gating_minutes is not None:
            self.run_gating()
        self.save_checkpoints()

    def run_due_tasks(self) -> None:
        """Report, save, run gating and evaluate, each if its interval has passed.

        Interim evaluation is against the last opponent of the schedule only.
        """
        now = time.monotonic()
        if now - self.last_report_at >= self.schedule.log_seconds:
            self.report_progress()
        if self.is_checkpoint_due(now):
            self.save_checkpoints()
            self.last_checkpoint_at = time.monotonic()
        if self.schedule.gating_minutes is not None and now - self.last_gating_at >= 60 * self.schedule.gating_minutes:
            self.run_gating()
            self.last_gating_at = self.last_report_at = time.monotonic()
            self.last_report_counts = self.trainer.counts.copy()
        if self.schedule.eval_opponents and now - self.last_evaluation_at >= 60 * self.schedule.eval_minutes:
            self.evaluate(self.schedule.eval_opponents[-1:])
            self.last_evaluation_at = self.last_report_at = time.monotonic()
            self.last_report_counts = self.trainer.counts.copy()

    def is_checkpoint_due(self, now: float) -> bool:
        """Return whether to save now: by iterations if the schedule sets them, else by time."""
        if self.schedule.checkpoint_iterations is not None:
            return self.trainer.counts["turns"] % self.schedule.checkpoint_iterations == 0
        return now - self.last_checkpoint_at >= 60 * self.schedule.checkpoint_minutes

    def save_checkpoints(self) -> None:
        """Write the checkpoints into the output folder."""
        self.trainer.save_checkpoints(self.schedule.output_dir, full=self.schedule.full_checkpoints)

    def report_progress(self) -> None:
        """Log rates and mean losses since the last report, and append them to `metrics_history` and curve.csv."""
        counts, elapsed_seconds = self.trainer.counts, time.monotonic() - self.last_report_at
        rates = {
            name: (counts[name] - self.last_report_counts[name]) / max(elapsed_seconds, 1e-9)
            for name in ("games", "evaluations")
        }
        losses = self.trainer.learner.pop_mean_losses()
        loss_text = "  ".join(f"{name} {value:.3f}" for name, value in losses.items())
        if self.schedule.log_reports:
            self.schedule.log(
                f"{self.schedule.elapsed_minutes:6.2f} min  {rates['evaluations']:9,.0f} evaluations/s  "
                f"{rates['games']:7.1f} games/s  "
                f"{counts['games']:,} games  {counts['steps']:,} steps  {loss_text}"
            )
        self.metrics_history.append({f"{name}/s": rate for name, rate in rates.items()} | losses)
        self.append_curve_row(self.metrics_history[-1])
        self.last_report_at, self.last_report_counts = time.monotonic(), counts.copy()

    def append_curve_row(self, metrics: dict[str, Any]) -> None:
        """Append the counts and a report's metrics to curve.csv."""
        row = {"minutes": round(self.schedule.elapsed_minutes, 3)} | {
            name: self.trainer.counts[name] for name in CURVE_COLUMNS[1:]
        }
        row |= {name: round(value, 5) for name, value in metrics.items()}
        append_csv_row(self.schedule.output_dir / "curve.csv", row)

    # Strength

    @contextmanager
    def paused_for(self, activity: str) -> Iterator[None]:
        """Pause self-play for matches; their time is counted under `activity`."""
        previous_activity, self.activity = self.activity, activity
        with self.trainer.timer(activity):
            self.trainer.wait_for_queues()
            yield
        self.activity = previous_activity

    def evaluate(self, opponents: tuple[str, ...]) -> None:
        """Play matches of the self-play weights against bots, on the first board."""
        with self.paused_for("examinations"):
            for opponent in opponents:
                score = self.selfplay_match.play_bot(opponent, seed=1)
                self.schedule.log(f"{self.schedule.elapsed_minutes:6.2f} min  {score}  Elo {score.elo:+.0f}")
                self.record_score(score)

    def run_gating(self) -> None:
        """Play the EMA weights against the self-play weights; promote them if they score GATING_THRESHOLD or more."""
        trainer = self.trainer
        with self.paused_for("gates"):
            self.candidate_match.evaluator.load_weights(trainer.learner.ema)
            score = self.candidate_match.play_net(self.selfplay_match, seed=2 + trainer.gating_counts.total())
            accepted = score.share >= GATING_THRESHOLD
            if accepted:
                trainer.accept_candidate()
        verdict = "accepted" if accepted else "refused"
        trainer.gating_counts[verdict] += 1
        self.schedule.log(f"{self.schedule.elapsed_minutes:6.2f} min  {score}  {verdict}")
        self.record_score(score)

    @cached_property
    def selfplay_match(self) -> EvaluationMatch:
        """Match player with the self-play weights."""
        return self.make_match(self.trainer.evaluator)

    @cached_property
    def candidate_match(self) -> EvaluationMatch:
        """Match player with the EMA weights, the candidate in gating."""
        trainer = self.trainer
        return self.make_match(TorchEvaluator(trainer.learner.ema, trainer.device, compile_net=False))

    def make_match(self, evaluator: TorchEvaluator) -> EvaluationMatch:
        """Return a match player on the first board."""
        trainer, schedule = self.trainer, self.schedule
        return EvaluationMatch(
            trainer.games[0], evaluator, schedule.eval_pairs, schedule.eval_simulations, trainer.num_threads
        )

    def record_score(self, score: MatchScore) -> None:
        """Append a score to `scores` and strength.csv."""
        self.scores.append((self.schedule.elapsed_minutes, score))
        row = {"minutes": round(self.schedule.elapsed_minutes, 3), "games": self.trainer.counts["games"], "spec": score.spec}
        row |= {"opponent": score.opponent, "pairs": score.pairs, "share": score.share, "error": score.error}
        append_csv_row(self.schedule.output_dir / "strength.csv", row)

    # Export and summary

    def export(self) -> Path:
        """Write the self-play net as GAME.onnx with its model card; return its path."""
        trainer = self.trainer
        key = spec_of(trainer.games[0].spec).key
        path = self.schedule.output_dir / f"{key}.onnx"
        write_onnx(trainer.selfplay_net, path)
        card = ModelCard(
            game=key,
            specs=trainer.config.specs,
            design=trainer.learner.net.config.as_json(),
            settings=trainer.config.as_json(),
            counts=dict(trainer.counts),
            minutes=round(self.schedule.elapsed_minutes, 2),
            hardware=trainer.describe_hardware(),
            strength=[vars(score) | {"minutes": round(minutes, 2)} for minutes, score in self.scores],
            gates=dict(trainer.gating_counts),
        )
        write_model_card(card, path)
        return path

    def summary_table(self) -> str:
        """Return a table of rates, time per phase and match scores of this run."""
        trainer = self.trainer
        totals = {
            name: trainer.counts[name] - self.initial_counts[name] for name in ("games", "evaluations", "steps", "positions")
        }
        rate = totals["evaluations"] / max(self.iteration_seconds, 1e-9)
        rows = [
            ("boards", " ".join(trainer.config.specs)),
            ("turns played for", f"{self.iteration_seconds:.1f} s"),
            ("evaluations/s", f"{rate:,.0f}"),
            *self.throughput_rows(rate),
            ("games/s", f"{totals['games'] / max(self.iteration_seconds, 1e-9):,.1f}"),
            ("positions/s", f"{totals['positions'] / max(self.iteration_seconds, 1e-9):,.0f}"),
            ("steps of learning", f"{totals['steps']:,}, {totals['steps'] / max(self.iteration_seconds, 1e-9):.1f}/s"),
        ]
        rows += [
            (f"time {phase}", f"{seconds:.1f} s")
            for phase, seconds in sorted(trainer.timer.seconds.items(), key=itemgetter(1), reverse=True)
        ]
        rows += [(f"at {minutes:.1f} min", str(score)) for minutes, score in self.scores]
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:{width}}  {value}" for name, value in rows)

    def throughput_rows(self, rate: float) -> list[tuple[str, str]]:
        """Return the rows on the throughput of the net alone; none if games are played elsewhere."""
        queues = self.trainer.game_source.queues[: len(self.trainer.games)]
        if not queues:
            return []
        net_throughput = harmonic_mean([queue.measure_throughput(THROUGHPUT_SECONDS) for queue in queues])
        return [
            ("the net alone, evaluations/s", f"{net_throughput:,.0f}"),
            ("share of the net alone", f"{rate / net_throughput:.1%}"),
        ]


def harmonic_mean(values: list[float]) -> float:
    """Return the harmonic mean: the rate over equal numbers of evaluations at each of the rates."""
    return len(values) / sum(1 / value for value in values)


def append_csv_row(path: Path, row: dict[str, Any]) -> None:
    """Append a row to a CSV file; a new or empty file gets a header first."""
    is_new = not path.exists() or os.path.getsize(path) == 0
    with open(path, "a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(row))
        if is_new:
            writer.writeheader()
        writer.writerow(row)


def is_weights_only(path: Path) -> bool:
    """Return whether a checkpoint was saved alone, so that any full checkpoint beside it is older."""
    try:
        latest = checkpoint.read_latest(path)
    except checkpoint.CheckpointError:
        return False
    return latest is not None and bool(latest[0].get("weights_only", False))


def resume(trainer: Trainer, output_dir: Path, init_from: Path | None, log: Callable[[str], None]) -> None:
    """Restore the checkpoint of the output folder, the full one unless it is older; else load `init_from`, if given.

    Raises CheckpointError, NetError or TrainingError if the file cannot be used.
    """
    file_names = ["full_checkpoint.pt", "checkpoint.pt"]
    if is_weights_only(output_dir / "checkpoint.pt"):
        file_names.reverse()
    for file_name in file_names:
        latest = checkpoint.read_latest(output_dir / file_name)
        if latest is not None:
            state, warning = latest
            if warning:
                log(warning)
            trainer.load_state_dict(state)
            log(
                f"resuming from {output_dir / file_name}: "
                f"{trainer.counts['games']:,} games, {trainer.counts['steps']:,} steps"
            )
            return
    if init_from is not None and init_from.suffix == ".onnx":
        trainer.load_net_weights(read_weights(init_from))
        log(f"starting with the weights of {init_from}")
    elif init_from is not None:
        trainer.load_state_dict(checkpoint.read(init_from))
        log(f"starting from {init_from}: {trainer.counts['games']:,} games, {trainer.counts['steps']:,} steps")
