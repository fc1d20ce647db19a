"""Random records: trees with arbitrary properties, and games with legal moves."""

from __future__ import annotations

import random
import re

from hypothesis import strategies as st

import ropewalk
from ropewalk import Position
from ropewalk.records import (
    Clock,
    Evaluation,
    EvaluationLine,
    Node,
    Player,
    PlayerIdentity,
    Property,
    Record,
    RecordedResult,
)
from ropewalk.records.properties import PROPERTY_DEFS

EVERY_GAME = ["lariat-1x6", "lariat-1x2-pie", "cube-lariat-2", "tether-5", "laocoon-weave", "laocoon-random-7",
              "laocoon-quick-7", "liger-4", "liger-6"]  # fmt: skip

texts = st.text(max_size=20) | st.text("ab]\\[:;() \n\r\t\u2028\ufeff\x00é", max_size=20)
words = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=6)
values = st.floats(0, 1).map(lambda value: round(value, 9))
kinds = st.sampled_from(["proven", "table", "estimate"])
lines = st.builds(EvaluationLine, st.lists(words, min_size=1, max_size=3).map(tuple), st.integers(0, 10**9), values, kinds)
evaluations = st.builds(
    Evaluation, st.integers(0, 1), values, kinds, st.integers(0, 10**9), st.lists(lines, max_size=3).map(tuple)
)
clocks = st.builds(
    Clock,
    st.none() | st.floats(0, 1e6).map(lambda seconds: round(seconds, 3)) | st.integers(0, 10**6).map(float),
    st.none() | st.integers(0, 99),
)
cells = st.lists(words, max_size=3)
shapes = st.dictionaries(st.sampled_from(["cross", "triangle", "circle", "square"]), cells, max_size=3)
identities = st.builds(PlayerIdentity, st.sampled_from(["", "user", "bot"]), texts, texts, texts, texts)
players = st.builds(Player, texts, identities)
results = st.none() | st.builds(
    RecordedResult, st.none() | st.integers(0, 1), st.sampled_from(["", "resign", "majority"]) | texts
)

raw_values = st.text("ab]\\[:; \n\ré", max_size=8).map(lambda text: re.sub(r"([\\\]])", r"\\\1", text)) | st.sampled_from(
    ["soft\\\nbreak", "soft\\\r\nbreak", "needless \\escape", "a:b\\:c", "\r\n", ""]
)
several = st.lists(raw_values, min_size=1, max_size=3)
unknown = st.builds(Property, st.sampled_from(["XY", "KM", "HA", "AB", "Mixed", "LONGNAME"]), several)
properties = unknown | st.builds(Property, st.sampled_from(list(PROPERTY_DEFS)), several)
lines_of_text = [
    name for name, field in PROPERTY_DEFS.items() if field.json_path[-1] in ("event", "round", "place", "name", "about")
]


@st.composite
def trees(draw: st.DrawFn) -> Record:
    """Generate a record with arbitrary properties and moves, most of which no game allows."""
    record = Record.create("tether-5")
    record.players = draw(st.tuples(players, players))
    record.result = draw(results)
    record.date = draw(texts)
    nodes = [record.root]
    for _ in range(draw(st.integers(0, 7))):
        nodes.append(draw(st.sampled_from(nodes)).add_unchecked(draw(st.integers(0, 1)), draw(texts)))
    for node in nodes:
        annotate(draw, node)
    return record


def annotate(draw: st.DrawFn, node: Node) -> None:
    """Add arbitrary properties to a node, in random order."""
    node.comment = draw(texts)
    node.marks = draw(shapes)
    node.labels = draw(st.dictionaries(words, texts, max_size=2))
    node.evaluation = draw(st.none() | evaluations)
    for seat in (0, 1):
        node.set_clock(seat, draw(clocks))
    for name in draw(st.lists(st.sampled_from(lines_of_text), max_size=2)):
        node.set(name, draw(texts))
    node.properties += draw(st.lists(unknown, max_size=2))
    node.properties = draw(st.permutations(node.properties))


def play_random_game(spec: str, seed: int) -> Position:
    """Return the final position of a random game."""
    rng = random.Random(f"{spec} {seed}")
    position = ropewalk.game(spec).start()
    while position.seat is not None:
        position = position.play(rng.choice(position.moves()))
    return position


def build_annotated_game(spec: str, seed: int) -> Record:
    """Return the record of a random game with legal variations, comments, marks, clocks and evaluations."""
    rng = random.Random(f"{spec} {seed} annotated")
    record = Record.from_position(play_random_game(spec, seed))
    record.players = (Player("Ann"), Player("level 3", PlayerIdentity("bot", "0.1.0", "3", "", "120 visits")))
    for node in rng.sample(record.main_line(), 6):
        before = node.position
        if before.seat is None:
            continue
        variation = node.add(choose_turn(before, rng))
        variation.comment = rng.choice(["why not?", "two\nlines", "a ] and a \\", "Ünïcode: ±"])
        variation.set_clock(before.seat, Clock(rng.randrange(10_000) / 10, rng.randrange(9)))
        board = before.game.board.names
        variation.marks = {"triangle": rng.sample(board, 2), "cross": [rng.choice(board)]}
        variation.labels = {rng.choice(board): "A:1"}
        moves = before.moves()[:2]
        lines = tuple(EvaluationLine((move,), rng.randrange(99), 0.5, "estimate") for move in moves)
        node.evaluation = Evaluation(before.seat, rng.randrange(1000) / 1000, "estimate", 200, lines)
    return record


def choose_turn(position: Position, chance: random.Random) -> str:
    """Return a random turn as the text of its moves."""
    seat, steps = position.seat, list[str]()
    while position.seat == seat:
        steps.append(chance.choice(position.moves()))
        position = position.play(steps[-1])
    return " ".join(steps)
