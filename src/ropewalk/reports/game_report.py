"""A report about a game: all experiments, run with one seed, as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..atomic_file import atomic_write
from ..errors import RopewalkError
from ..games.registry import game as game_of
from ..progress import Progress
from .experiments import (
    Experiment,
    choose_boards,
    describe_first_moves,
    measure_random_play,
    plan_board,
    plan_budgets,
    plan_checks,
    plan_level,
)
from .first_moves import evaluate_first_moves
from .game_jobs import play_jobs
from .page import format_page
from .settings import ReportSettings

FORMAT_VERSION = 1
LEVEL_SEEDS, BUDGET_SEEDS, CHECK_SEEDS, BOARD_SEEDS = 0, 100, 200, 300  # numbers of experiments, for their seeds


class ReportError(RopewalkError):
    """A report that cannot be made or written."""


def build_report(settings: ReportSettings, num_processes: int, progress: Progress) -> dict[str, Any]:
    """Return the report of a game as JSON; it depends on the settings, the rules and the bots alone."""
    game = game_of(settings.spec)
    first_moves = evaluate_first_moves(game, settings.playouts, settings.seed)
    levels = [
        plan_level(settings, game, level, LEVEL_SEEDS + level, tracks_lead=level == max(settings.levels))
        for level in settings.levels
        if level <= len(game.definition.bots)
    ]
    budgets = plan_budgets(settings, game, BUDGET_SEEDS)
    checks = plan_checks(settings, first_moves, CHECK_SEEDS)
    boards = [plan_board(settings, spec, BOARD_SEEDS + number) for number, spec in enumerate(choose_boards(settings, game))]
    found = run_experiments([*levels, budgets, *checks, *boards], num_processes, progress)
    level_rows, found = found[: len(levels)], found[len(levels) :]
    ladder, found = found[0], found[1:]
    check_rows, board_rows = found[: len(checks)], found[len(checks) :]
    return {
        "format": FORMAT_VERSION,
        "spec": game.spec,
        "game": game.definition.key,
        "name": game.name,
        "designer": game.designer,
        "cells": len(game.board),
        "command": settings.format_command(),
        "seed": settings.seed,
        "random_play": measure_random_play(game, settings.random_games, settings.seed),
        "levels": level_rows,
        "first_moves": describe_first_moves(game, first_moves, check_rows),
        "budgets": ladder,
        "boards": board_rows,
    }


def run_experiments(experiments: list[Experiment], num_processes: int, progress: Progress) -> list[dict[str, Any]]:
    """Play the games of all experiments together, and return their summaries."""
    jobs = [job for experiment in experiments for job in experiment.jobs]
    games = play_jobs(jobs, num_processes, progress)
    summaries: list[dict[str, Any]] = []
    first = 0
    for experiment in experiments:
        following = first + len(experiment.jobs)
        summaries.append(experiment.summarise(games[first:following]))
        first = following
    return summaries


def write_report(report: dict[str, Any], folder: Path) -> list[Path]:
    """Write report.json and report.html into a folder, which is created; return both paths. Raises ReportError."""
    contents = {"report.json": format_report(report), "report.html": format_page(report)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            with atomic_write(folder / name) as beside:
                beside.write_text(content, encoding="utf-8", newline="\n")
    except OSError as error:
        raise ReportError(f"cannot write into {folder}: {error.strerror or error}") from None
    return [folder / name for name in contents]


def format_report(report: dict[str, Any]) -> str:
    """Return a report as text in JSON."""
    return json.dumps(report, indent=1, ensure_ascii=False) + "\n"
