"""The experiments of a report: which games they play, and what their results say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

import numpy as np

from ..arena.openings import choose_default_plies, generate_openings
from ..games.batch import Batch
from ..games.game import Game
from ..games.registry import game as game_of
from ..games.spec_parser import format_spec
from ..rules.interface import ONGOING
from ..stats.elo import estimate_ratings
from .estimates import describe_lengths, estimate_mean, estimate_share, estimate_to_json
from .first_moves import FirstMoves, has_pie_option
from .game_jobs import GameJob, PlayedGame
from .settings import CHEAP_LEVEL, DETERMINISTIC_PLIES, NUM_CHECKED, ReportSettings

MAX_RANDOM_STEPS = 5000
SEEDS_PER_EXPERIMENT = 1_000_000
SWAP_THRESHOLD = 0.5
Json = dict[str, Any]


@dataclass(frozen=True)
class Experiment:
    """Games to play, and the function that turns them into a part of the report."""

    jobs: Sequence[GameJob]
    summarise: Callable[[Sequence[PlayedGame]], Json]


def derive_seed(settings: ReportSettings, experiment: int, number: int) -> int:
    """Return the seed of a game, different for every game of a report."""
    return (settings.seed * 1000 + experiment) * SEEDS_PER_EXPERIMENT + number


def measure_random_play(game: Game, num_games: int, seed: int) -> Json:
    """Return length, branching factor, forced moves and results of random games."""
    batch = Batch(game, num_games, seed=seed)
    lengths, legal, forced = np.zeros(num_games, np.int64), np.zeros(num_games), np.zeros(num_games)
    for _ in range(MAX_RANDOM_STEPS):
        is_ongoing = batch.outcomes == ONGOING
        if not is_ongoing.any():
            break
        counts = batch.counts.copy()
        lengths += is_ongoing
        legal += np.where(is_ongoing, counts, 0)
        forced += is_ongoing & (counts == 1)
        batch.play_random()
    games = [
        PlayedGame(None if outcome not in (0, 1) else int(outcome), int(length), int(length), int(moves), int(single))
        for outcome, length, moves, single in zip(batch.outcomes, lengths, legal, forced, strict=True)
    ]
    return summarise_games(games)


def summarise_games(games: Sequence[PlayedGame]) -> Json:
    """Return what games say about length, choices and results."""
    count = len(games)
    branching = [game.legal_moves / game.choices for game in games if game.choices]
    forced = [game.forced_moves / game.choices for game in games if game.choices]
    return {
        "games": count,
        "length": describe_lengths([game.plies for game in games]),
        "branching_factor": estimate_to_json(estimate_mean(branching), 2),
        "forced_share": estimate_to_json(estimate_mean(forced)),
        "first_seat_score": estimate_to_json(estimate_share(sum(game.score() for game in games), count)),
        "draw_share": estimate_to_json(estimate_share(sum(game.winner is None for game in games), count)),
    }


def plan_level(settings: ReportSettings, game: Game, level: int, number: int, *, tracks_lead: bool = False) -> Experiment:
    """Return the games of a level against itself; bots without randomness begin after random moves."""
    is_random = game.definition.bots.is_random(level)
    count = settings.num_cheap_games if level <= CHEAP_LEVEL else settings.num_games
    plies = 0 if is_random else DETERMINISTIC_PLIES
    jobs = [
        GameJob(
            game.spec, (f"level-{level}", f"level-{level}"), derive_seed(settings, number, index), (), plies, tracks_lead
        )
        for index in range(count)
    ]

    def summarise(games: Sequence[PlayedGame]) -> Json:
        found: Json = {"level": level, "random_plies": plies} | summarise_games(games)
        if tracks_lead:
            changes, decided = [game.lead_changes for game in games], [game.decided_at for game in games]
            found["lead_changes"] = estimate_to_json(estimate_mean(changes), 2)
            found["decided_at"] = estimate_to_json(estimate_mean(decided))
        return found

    return Experiment(jobs, summarise)


def plan_budgets(settings: ReportSettings, game: Game, number: int) -> Experiment:
    """Return pairs of games between each budget and the next one, from random openings."""
    budgets, num_pairs = settings.budgets, max(1, settings.num_games // 2)
    plies = choose_default_plies(game)
    openings = list(islice(generate_openings(game, plies, derive_seed(settings, number, 0)), num_pairs))
    pairings = list(pairwise(range(len(budgets))))
    jobs = [
        GameJob(game.spec, (bots[exchanged], bots[1 - exchanged]), derive_seed(settings, number, index), opening)
        for stronger in range(len(pairings))
        for bots in [tuple(f"mcts-{budgets[bot]}" for bot in pairings[stronger])]
        for index, opening in enumerate(openings)
        for exchanged in (0, 1)
    ]

    def summarise(games: Sequence[PlayedGame]) -> Json:
        counts = np.zeros((len(pairings), 5))
        for index in range(0, len(games), 2):
            points = games[index].score() + 1 - games[index + 1].score()
            counts[index // (2 * num_pairs), round(2 * points)] += 1
        ratings = estimate_ratings(len(budgets), pairings, counts, settings.seed)
        ladder = [
            {"visits": visits, "elo": estimate_to_json(rating, 0)} for visits, rating in zip(budgets, ratings, strict=True)
        ]
        return {"pairs": num_pairs, "opening_plies": plies, "ladder": ladder}

    return Experiment(jobs, summarise)


def plan_checks(settings: ReportSettings, first_moves: FirstMoves, number: int) -> list[Experiment]:
    """Return games that begin with the best and with the worst first moves, one experiment for each."""
    moves = first_moves.moves
    checked = moves if len(moves) <= 2 * NUM_CHECKED else (*moves[:NUM_CHECKED], *moves[-NUM_CHECKED:])
    return [
        plan_check(settings, first_moves.spec, move.moves[0], move.value, number + index)
        for index, move in enumerate(checked)
    ]


def plan_check(settings: ReportSettings, spec: str, move: str, value: float, number: int) -> Experiment:
    """Return games that begin with a first move."""
    level = min(settings.check_level, len(game_of(spec).definition.bots))
    is_random = game_of(spec).definition.bots.is_random(level)
    plies = 0 if is_random else DETERMINISTIC_PLIES
    jobs = [
        GameJob(spec, (f"level-{level}", f"level-{level}"), derive_seed(settings, number, index), (move,), plies)
        for index in range(settings.num_games)
    ]

    def summarise(games: Sequence[PlayedGame]) -> Json:
        score = estimate_share(sum(game.score() for game in games), len(games))
        found = {"move": move, "value": value, "level": level, "games": len(games)}
        return found | {"score": estimate_to_json(score)}

    return Experiment(jobs, summarise)


def plan_board(settings: ReportSettings, spec: str, number: int) -> Experiment:
    """Return the games of a weak level on another board."""
    game = game_of(spec)
    planned = plan_level(settings, game, settings.size_level, number)
    jobs = planned.jobs[: settings.num_games]
    return Experiment(jobs, lambda games: {"spec": spec, "cells": len(game.board)} | planned.summarise(games))


def list_boards(game: Game) -> list[str]:
    """Return the specs of the game's named boards with the options of `game`, and its own, the smallest first."""
    definition = game.definition
    flags = {flag.name: game.options[flag.name] for flag in definition.flags}
    presets = [game_of(f"{definition.key}-{word}") for word in definition.board.presets.values()]
    specs = {format_spec(definition, {**preset.options, **flags}) for preset in presets} | {game.spec}
    return sorted(specs, key=lambda spec: (len(game_of(spec).board), spec))


def choose_boards(settings: ReportSettings, game: Game) -> list[str]:
    """Return the boards to compare: all named ones, or in a quick report the smallest one and that of the game."""
    boards = list_boards(game)
    return [spec for spec in boards if spec in (boards[0], game.spec)] if settings.quick else boards


def describe_first_moves(game: Game, first_moves: FirstMoves, checks: Sequence[Json]) -> Json:
    """Return the values of first moves; with the pie rule, also which of them the second player takes over."""
    rows = [{"moves": list(move.moves), "value": move.value} for move in first_moves.moves]
    swapped = [move.moves[0] for move in first_moves.moves if move.value > SWAP_THRESHOLD]
    pie = {"is_default": bool(game.options.get("pie")), "swapped": swapped} if has_pie_option(game) else None
    return {"spec": first_moves.spec, "source": first_moves.source, "moves": rows, "checks": list(checks), "pie": pie}
