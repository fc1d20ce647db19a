"""A run on the screen: a panel that stays in place on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.live import Live
from rich.panel import Panel
from rich.table import Table

from .learner import PARTS
from .matches import PLAYER, Score
from .run import Run

STEPS = "▁▂▃▄▅▆▇█"
WIDEST = 36  # steps of a trend


class Screen:
    """Where a run is told of."""

    def __init__(self) -> None:
        self.console = Console()
        self.draws = (
            self.console.is_terminal and not self.console.is_dumb_terminal and self.console.encoding.startswith("utf")
        )

    def tell(self, line: str) -> None:
        """Print a line, above the panel where there is one."""
        if self.draws:
            self.console.print(line, markup=False, highlight=False)
        else:
            print(line, flush=True)

    @contextmanager
    def watching(self, run: Run) -> Iterator[None]:
        """Keep the panel up to date, once a second."""
        if not self.draws:
            yield
            return
        with Live(Dashboard(run), console=self.console, refresh_per_second=1):
            yield


class Dashboard:
    """Draws what a run has reached."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def __rich__(self) -> Panel:
        """The panel as it is now."""
        rows = Table.grid(padding=(0, 2))
        rows.add_column(style="dim", no_wrap=True)
        rows.add_column(justify="right", no_wrap=True)
        rows.add_column(style="cyan", no_wrap=True)
        parts = [self.progress(), *self.rates()], self.losses(), [*self.strength(), self.gates()], [self.saved()]
        for part in parts:
            for row in part:
                rows.add_row(*row)
            if part is not parts[-1]:
                rows.add_row()
        return Panel(rows, title=self.run.title, title_align="left", subtitle=self.run.doing, subtitle_align="right")

    def progress(self) -> tuple[str, str, str]:
        """Time, and how much was played and learnt."""
        plan, counts = self.run.plan, self.run.trainer.counts
        limit = "" if plan.minutes is None else f" of {plan.minutes:g}"
        reached = f"{counts['games']:,} games  {counts['positions']:,} positions  {counts['steps']:,} steps"
        return "minutes", f"{plan.elapsed:.1f}{limit}", reached

    def rates(self) -> list[tuple[str, str, str]]:
        """Games and evaluations a second."""
        return [self.line(name, f"{{:,.{digits}f}}") for name, digits in (("games/s", 1), ("evaluations/s", 0))]

    def losses(self) -> list[tuple[str, str, str]]:
        """The loss and its parts."""
        return [self.line(part, "{:.3f}") for part in PARTS]

    def line(self, name: str, form: str) -> tuple[str, str, str]:
        """A figure with its trend; losses are 0 where nothing was learnt from."""
        figures = [reported[name] for reported in self.run.history if reported[name] != 0]
        return name, form.format(figures[-1]) if figures else "-", trend(figures)

    def strength(self) -> list[tuple[str, str, str]]:
        """The latest Elo against each bot, with its trend."""
        met: dict[str, list[tuple[float, Score]]] = {opponent: [] for opponent in self.run.plan.opponents}
        for minutes, score in self.run.scores:
            met.setdefault(score.opponent, []).append((minutes, score))
        met.pop(PLAYER, None)
        return [(f"against {opponent}", *strength(scores)) for opponent, scores in met.items()]

    def gates(self) -> tuple[str, str, str]:
        """How often new weights were accepted and refused, and what they got last."""
        if not self.run.trainer.gated:
            return "gate", "off", ""
        gates = self.run.trainer.gates
        last = [f"{score.share:.0%} at {minutes:.1f} min" for minutes, score in self.run.scores if score.opponent == PLAYER]
        return "gates", f"{gates['accepted']} accepted", "  ".join([f"{gates['refused']} refused", *last[-1:]])

    def saved(self) -> tuple[str, str, str]:
        """How old the checkpoint is, one of an earlier run too."""
        path = self.run.plan.folder / "checkpoint.pt"
        if not path.exists():
            return "checkpoint", "none yet", ""
        return "checkpoint", f"{max(time.time() - os.path.getmtime(path), 0) / 60:.1f} min old", ""


def strength(scores: Sequence[tuple[float, Score]]) -> tuple[str, str]:
    """The latest score in Elo and in points, then the trend."""
    if not scores:
        return "-", ""
    minutes, score = scores[-1]
    return elo_words(score), f"{score.share:.1%} at {minutes:.1f} min  {trend([each.elo for _, each in scores])}"


def elo_words(score: Score) -> str:
    """An Elo with its error; all or nothing gives a bound only."""
    if score.share in (0, 1):
        return f"{'>' if score.share else '<'} {score.elo:+.0f} Elo"
    low, high = score.elo_bounds
    return f"{score.elo:+.0f} ± {(high - low) / 2:.0f} Elo"


def trend(figures: Sequence[float]) -> str:
    """The latest figures as steps between the lowest and the highest of them."""
    latest = figures[-WIDEST:]
    if len(latest) < 2:
        return ""
    low, high = min(latest), max(latest)
    return "".join(STEPS[round((figure - low) / ((high - low) or 1) * (len(STEPS) - 1))] for figure in latest)
