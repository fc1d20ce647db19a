"""A run from the first turn to the last table: reports, checkpoints, examinations, and what is carried home."""

from __future__ import annotations

import csv
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any

from ..games.registry import spec_of
from ..nets.card import ModelCard, write_model_card
from ..nets.onnx_file import read_weights, write_onnx
from . import checkpoint
from .evaluating import Evaluator
from .matches import ENOUGH, Examiner, Score
from .trainer import Trainer

FLOOR_SECONDS = 1.0
GENTLE = 0.25  # the last part of a run, in which the learning rate falls
GENTLEST = 0.1  # what it falls to
COLUMNS = ("minutes", "turns", "games", "positions", "evaluations", "steps")


@dataclass
class Plan:
    """When to stop, save, report and examine."""

    folder: Path
    minutes: float | None = None
    turns: int | None = None
    save_minutes: float = 3.0
    save_turns: int | None = None  # instead of by time: for runs that must come out the same
    report_seconds: float = 15.0
    examine_minutes: float = 4.0
    opponents: tuple[str, ...] = ()
    pairs: int = 32
    simulations: int = 64  # of the net in examinations
    gate_minutes: float | None = None  # between challenges; without, the mean of the weights plays at once
    whole: bool = True  # whether to save games and positions too
    anneals: bool = False
    tell: Callable[[str], None] = print
    tells_reports: bool = True  # a dashboard shows them in another way
    began: float = field(default_factory=time.monotonic)

    @property
    def elapsed(self) -> float:
        """Minutes since the beginning."""
        return (time.monotonic() - self.began) / 60

    def is_over(self, turns: int) -> bool:
        """Whether a limit is reached."""
        return (self.minutes is not None and self.elapsed >= self.minutes) or (
            self.turns is not None and turns >= self.turns
        )

    def gentleness(self) -> float:
        """What part of the learning rate to use now."""
        if self.minutes is None or not self.anneals:
            return 1.0
        left = 1 - self.elapsed / self.minutes
        return min(1.0, GENTLEST + (1 - GENTLEST) * max(left, 0) / GENTLE)


class Run:
    """One run of a trainer by a plan."""

    def __init__(self, trainer: Trainer, plan: Plan) -> None:
        self.trainer = trainer
        self.plan = plan
        self.scores: list[tuple[float, Score]] = []
        self.before = trainer.counts.copy()  # of earlier runs
        self.reported = self.saved = self.examined = self.gated = time.monotonic()
        self.reported_counts = trainer.counts.copy()
        self.played = 0.0  # seconds of turns
        self.history: list[dict[str, float]] = []  # rates and losses, as reported
        self.doing = "playing and learning"

    @property
    def title(self) -> str:
        """What is learnt."""
        return f"ropewalk train {' '.join(self.trainer.settings.specs)}"

    def go(self) -> None:
        """Turn after turn until the end, or until somebody interrupts; what was reached is kept."""
        try:
            while not self.plan.is_over(self.trainer.counts["turns"]):
                self.trainer.rate = self.trainer.settings.rate * self.plan.gentleness()
                began = time.monotonic()
                self.trainer.turn()
                self.played += time.monotonic() - began
                self.look_around()
        except KeyboardInterrupt:
            self.plan.tell("interrupted: saving")
        self.report()
        if self.plan.gate_minutes is not None:
            self.gate()
        self.save()

    def look_around(self) -> None:
        """Do what is due."""
        now = time.monotonic()
        if now - self.reported >= self.plan.report_seconds:
            self.report()
        if self.is_time_to_save(now):
            self.save()
            self.saved = time.monotonic()
        if self.plan.gate_minutes is not None and now - self.gated >= 60 * self.plan.gate_minutes:
            self.gate()
            self.gated = self.reported = time.monotonic()
            self.reported_counts = self.trainer.counts.copy()
        if self.plan.opponents and now - self.examined >= 60 * self.plan.examine_minutes:
            self.examine(self.plan.opponents[-1:])
            self.examined = self.reported = time.monotonic()
            self.reported_counts = self.trainer.counts.copy()

    def is_time_to_save(self, now: float) -> bool:
        """By turns where the plan says so, else by time."""
        if self.plan.save_turns is not None:
            return self.trainer.counts["turns"] % self.plan.save_turns == 0
        return now - self.saved >= 60 * self.plan.save_minutes

    def save(self) -> None:
        """Write the checkpoint."""
        self.trainer.save(self.plan.folder, whole=self.plan.whole)

    def report(self) -> None:
        """One line on the screen, one in the curve."""
        counts, span = self.trainer.counts, time.monotonic() - self.reported
        rates = {name: (counts[name] - self.reported_counts[name]) / max(span, 1e-9) for name in ("games", "evaluations")}
        losses = self.trainer.learner.losses()
        parts = "  ".join(f"{name} {value:.3f}" for name, value in losses.items())
        if self.plan.tells_reports:
            self.plan.tell(
                f"{self.plan.elapsed:6.2f} min  {rates['evaluations']:9,.0f} evaluations/s  {rates['games']:7.1f} games/s  "
                f"{counts['games']:,} games  {counts['steps']:,} steps  {parts}"
            )
        self.history.append({f"{name}/s": rate for name, rate in rates.items()} | losses)
        self.note_curve(self.history[-1])
        self.reported, self.reported_counts = time.monotonic(), counts.copy()

    def note_curve(self, figures: dict[str, Any]) -> None:
        """Add a line to curve.csv."""
        line = {"minutes": round(self.plan.elapsed, 3)} | {name: self.trainer.counts[name] for name in COLUMNS[1:]}
        line |= {name: round(value, 5) for name, value in figures.items()}
        append_csv(self.plan.folder / "curve.csv", line)

    # Strength

    @contextmanager
    def busy(self, what: str) -> Iterator[None]:
        """Games of another kind, for which self-play stops; the time they take is counted apart."""
        before, self.doing = self.doing, what
        with self.trainer.stopwatch(what):
            self.trainer.wait()
            yield
        self.doing = before

    def examine(self, opponents: tuple[str, ...]) -> None:
        """Games against others, on the first board."""
        with self.busy("examinations"):
            for opponent in opponents:
                score = self.examiner.examine(opponent, seed=1)
                self.plan.tell(f"{self.plan.elapsed:6.2f} min  {score}  Elo {score.elo:+.0f}")
                self.note_score(score)

    def gate(self) -> None:
        """The mean of the weights challenges those that play, and takes their place unless it gets less than half."""
        trainer = self.trainer
        with self.busy("gates"):
            self.challenger.evaluator.refresh(trainer.learner.mean)
            score = self.challenger.challenge(self.examiner, seed=2 + trainer.gates.total())
            accepted = score.share >= ENOUGH
            if accepted:
                trainer.promote()
        verdict = "accepted" if accepted else "refused"
        trainer.gates[verdict] += 1
        self.plan.tell(f"{self.plan.elapsed:6.2f} min  {score}  {verdict}")
        self.note_score(score)

    @cached_property
    def examiner(self) -> Examiner:
        """Has the weights that play."""
        return self.examiner_of(self.trainer.evaluator)

    @cached_property
    def challenger(self) -> Examiner:
        """Has weights that would like to play."""
        trainer = self.trainer
        return self.examiner_of(Evaluator(trainer.learner.mean, trainer.device, compiles=False))

    def examiner_of(self, evaluator: Evaluator) -> Examiner:
        """One for the first board."""
        trainer, plan = self.trainer, self.plan
        return Examiner(trainer.games[0], evaluator, plan.pairs, plan.simulations, trainer.threads)

    def note_score(self, score: Score) -> None:
        """Keep a score, and add a line to strength.csv."""
        self.scores.append((self.plan.elapsed, score))
        line = {"minutes": round(self.plan.elapsed, 3), "games": self.trainer.counts["games"], "spec": score.spec}
        line |= {"opponent": score.opponent, "pairs": score.pairs, "share": score.share, "error": score.error}
        append_csv(self.plan.folder / "strength.csv", line)

    # The end

    def export(self) -> Path:
        """Write the net as ONNX, with its card, ready for bots."""
        trainer = self.trainer
        key = spec_of(trainer.games[0].spec).key
        path = self.plan.folder / f"{key}.onnx"
        write_onnx(trainer.player, path)
        card = ModelCard(
            game=key,
            specs=trainer.settings.specs,
            design=trainer.learner.net.config.as_json(),
            settings=trainer.settings.as_json(),
            counts=dict(trainer.counts),
            minutes=round(self.plan.elapsed, 2),
            hardware=trainer.hardware(),
            strength=[vars(score) | {"minutes": round(minutes, 2)} for minutes, score in self.scores],
            gates=dict(trainer.gates),
        )
        write_model_card(card, path)
        return path

    def table(self) -> str:
        """Where the time went, beside the net alone in the same run."""
        trainer = self.trainer
        made = {name: trainer.counts[name] - self.before[name] for name in ("games", "evaluations", "steps", "positions")}
        rate = made["evaluations"] / max(self.played, 1e-9)
        rows = [
            ("boards", " ".join(trainer.settings.specs)),
            ("turns played for", f"{self.played:.1f} s"),
            ("evaluations/s", f"{rate:,.0f}"),
            *self.beside_the_net_alone(rate),
            ("games/s", f"{made['games'] / max(self.played, 1e-9):,.1f}"),
            ("positions/s", f"{made['positions'] / max(self.played, 1e-9):,.0f}"),
            ("steps of learning", f"{made['steps']:,}, {made['steps'] / max(self.played, 1e-9):.1f}/s"),
        ]
        rows += [
            (f"time {what}", f"{spent:.1f} s")
            for what, spent in sorted(trainer.stopwatch.seconds.items(), key=itemgetter(1), reverse=True)
        ]
        rows += [(f"at {minutes:.1f} min", str(score)) for minutes, score in self.scores]
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:{width}}  {figure}" for name, figure in rows)

    def beside_the_net_alone(self, rate: float) -> list[tuple[str, str]]:
        """What the net could answer if it never waited; unknown where others play."""
        lines = self.trainer.play.lines[: len(self.trainer.games)]
        if not lines:
            return []
        floor = mean([line.floor(FLOOR_SECONDS) for line in lines])
        return [("the net alone, evaluations/s", f"{floor:,.0f}"), ("share of the net alone", f"{rate / floor:.1%}")]


def mean(figures: list[float]) -> float:
    """The harmonic mean: groves take turns, so slow ones count for more."""
    return len(figures) / sum(1 / figure for figure in figures)


def append_csv(path: Path, line: dict[str, Any]) -> None:
    """Add a line, below a heading where the file is new."""
    fresh = not path.exists() or os.path.getsize(path) == 0
    with open(path, "a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(line))
        if fresh:
            writer.writeheader()
        writer.writerow(line)


def stands_alone(path: Path) -> bool:
    """Whether the weights were last saved without games and positions, so that a file with those is older."""
    try:
        found = checkpoint.latest(path)
    except checkpoint.CheckpointError:
        return False
    return found is not None and bool(found[0].get("alone", False))


def resume(trainer: Trainer, folder: Path, first: Path | None, tell: Callable[[str], None]) -> None:
    """Go on from the run's own checkpoint, the exact one unless it is out of date; else begin from another's weights."""
    for name in ("checkpoint.pt", "whole.pt") if stands_alone(folder / "checkpoint.pt") else ("whole.pt", "checkpoint.pt"):
        found = checkpoint.latest(folder / name)
        if found is not None:
            state, refused = found
            if refused:
                tell(refused)
            trainer.restore(state)
            tell(f"going on from {folder / name}: {trainer.counts['games']:,} games, {trainer.counts['steps']:,} steps")
            return
    if first is not None and first.suffix == ".onnx":
        trainer.begin_with(read_weights(first))
        tell(f"beginning with the weights of {first}")
    elif first is not None:
        trainer.restore(checkpoint.read(first))
        tell(f"beginning from {first}: {trainer.counts['games']:,} games, {trainer.counts['steps']:,} steps")
