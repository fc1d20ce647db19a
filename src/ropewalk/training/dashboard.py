"""Progress of a run on the console: a live panel on an interactive terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.live import Live
from rich.panel import Panel
from rich.table import Table

from .evaluation import SELFPLAY_NET, MatchScore
from .learner import LOSS_NAMES
from .run import Run

SPARKLINE_LEVELS = "▁▂▃▄▅▆▇█"
MAX_SPARKLINE_LENGTH = 36  # characters


class TrainingConsole:
    """Console output of a run."""

    def __init__(self) -> None:
        self.console = Console()
        self.is_interactive = (
            self.console.is_terminal and not self.console.is_dumb_terminal and self.console.encoding.startswith("utf")
        )

    def log(self, message: str) -> None:
        """Print a line, above the panel on an interactive terminal."""
        if self.is_interactive:
            self.console.print(message, markup=False, highlight=False)
        else:
            print(message, flush=True)

    @contextmanager
    def show_dashboard(self, run: Run) -> Iterator[None]:
        """Show the panel, refreshed once a second; does nothing without an interactive terminal."""
        if not self.is_interactive:
            yield
            return
        with Live(Dashboard(run), console=self.console, refresh_per_second=1):
            yield


class Dashboard:
    """Renders the state of a run as a panel; a row is (label, value, trend or details)."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def __rich__(self) -> Panel:
        """Return the panel for the current state."""
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column(justify="right", no_wrap=True)
        grid.add_column(style="cyan", no_wrap=True)
        sections = (
            [self.progress_row(), *self.rate_rows()],
            self.loss_rows(),
            [*self.strength_rows(), self.gating_row()],
            [self.checkpoint_row()],
        )
        for section in sections:
            for row in section:
                grid.add_row(*row)
            if section is not sections[-1]:
                grid.add_row()
        return Panel(grid, title=self.run.title, title_align="left", subtitle=self.run.activity, subtitle_align="right")

    def progress_row(self) -> tuple[str, str, str]:
        """Return the elapsed minutes and the total counts."""
        schedule, counts = self.run.schedule, self.run.trainer.counts
        limit = "" if schedule.max_minutes is None else f" of {schedule.max_minutes:g}"
        totals = f"{counts['games']:,} games  {counts['positions']:,} positions  {counts['steps']:,} steps"
        return "minutes", f"{schedule.elapsed_minutes:.1f}{limit}", totals

    def rate_rows(self) -> list[tuple[str, str, str]]:
        """Return games and evaluations per second."""
        return [self.metric_row(name, f"{{:,.{digits}f}}") for name, digits in (("games/s", 1), ("evaluations/s", 0))]

    def loss_rows(self) -> list[tuple[str, str, str]]:
        """Return the total loss and its components."""
        return [self.metric_row(loss_name, "{:.3f}") for loss_name in LOSS_NAMES]

    def metric_row(self, name: str, number_format: str) -> tuple[str, str, str]:
        """Return the latest value of a metric with its sparkline; zeros (no training step yet) are left out."""
        values = [metrics[name] for metrics in self.run.metrics_history if metrics[name] != 0]
        return name, number_format.format(values[-1]) if values else "-", render_sparkline(values)

    def strength_rows(self) -> list[tuple[str, str, str]]:
        """Return the latest Elo difference against each bot, with its sparkline."""
        scores_by_opponent: dict[str, list[tuple[float, MatchScore]]] = {
            opponent: [] for opponent in self.run.schedule.eval_opponents
        }
        for minutes, score in self.run.scores:
            scores_by_opponent.setdefault(score.opponent, []).append((minutes, score))
        scores_by_opponent.pop(SELFPLAY_NET, None)
        return [(f"against {opponent}", *format_strength(scores)) for opponent, scores in scores_by_opponent.items()]

    def gating_row(self) -> tuple[str, str, str]:
        """Return the numbers of accepted and refused candidates, and the last gating score."""
        if not self.run.trainer.use_gating:
            return "gate", "off", ""
        gating_counts = self.run.trainer.gating_counts
        gating_scores = [
            f"{score.share:.0%} at {minutes:.1f} min" for minutes, score in self.run.scores if score.opponent == SELFPLAY_NET
        ]
        return (
            "gates",
            f"{gating_counts['accepted']} accepted",
            "  ".join([f"{gating_counts['refused']} refused", *gating_scores[-1:]]),
        )

    def checkpoint_row(self) -> tuple[str, str, str]:
        """Return the age of checkpoint.pt, which may be of an earlier run."""
        path = self.run.schedule.output_dir / "checkpoint.pt"
        if not path.exists():
            return "checkpoint", "none yet", ""
        return "checkpoint", f"{max(time.time() - os.path.getmtime(path), 0) / 60:.1f} min old", ""


def format_strength(scores: Sequence[tuple[float, MatchScore]]) -> tuple[str, str]:
    """Return the latest Elo difference, and the score with the sparkline of Elo."""
    if not scores:
        return "-", ""
    minutes, score = scores[-1]
    return format_elo(score), f"{score.share:.1%} at {minutes:.1f} min  {render_sparkline([past.elo for _, past in scores])}"


def format_elo(score: MatchScore) -> str:
    """Format an Elo difference with its error; a score of 0 or 1 gives a bound only."""
    if score.share in (0, 1):
        return f"{'>' if score.share else '<'} {score.elo:+.0f} Elo"
    low, high = score.elo_bounds
    return f"{score.elo:+.0f} ± {(high - low) / 2:.0f} Elo"


def render_sparkline(values: Sequence[float]) -> str:
    """Return the latest values as block characters scaled from their minimum to their maximum; empty below two values."""
    recent = values[-MAX_SPARKLINE_LENGTH:]
    if len(recent) < 2:
        return ""
    low, high = min(recent), max(recent)
    return "".join(
        SPARKLINE_LEVELS[round((value - low) / ((high - low) or 1) * (len(SPARKLINE_LEVELS) - 1))] for value in recent
    )
