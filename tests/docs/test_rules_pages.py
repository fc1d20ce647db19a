"""The rules pages say what the program does, name whose games they are, and copy nobody."""

import hashlib
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ropewalk
from docs import draw
from ropewalk import Position
from ropewalk.games.definition import GameSpec
from ropewalk.games.sequence import MoveSequence

ROOT = Path(__file__).parents[2]
# Hashes of all runs of words in the rule sheets, whose texts are not ours to publish; see `hash_windows`.
SHEET_HASHES = Path(__file__).with_name("rule_sheet_hashes.txt")
COPIED = 8  # so many words in a row are a copy

CLAUSES = {
    "lariat": {"Placing stones", "The pie rule", "The object of the game"},
    "cube-lariat": {"Placing stones", "The pie rule", "The object of the game", "The corner cells"},
    "tether": {"Placing stones", "Territory and the object of the game"},
    "laocoon": {
        "Placing the rings",
        "Moving a ring",
        "Giving and placing discs",
        "Random setup",
        "The end of the game",
        "Repetition (ruling)",
    },
    "liger": {
        "Stacks",
        "Forward moves",
        "Backward moves",
        "Bearing off",
        "The object of the game",
        "Leave your opponent a checker",
        "Repetition (ruling)",
    },
}

SMALL_GAMES = {
    "lariat": ["lariat-1x2", "lariat-1x2-pie"],
    "cube-lariat": ["cube-lariat-2", "cube-lariat-2-nocorners"],
    "tether": ["tether-5"],
    "laocoon": ["laocoon-weave", "laocoon-random-7", "laocoon-quick-7"],
    "liger": ["liger-4", "liger-4x2"],
}

CYCLES = {  # a spec, a position, and moves that lead back to it
    "laocoon": (
        "laocoon-weave",
        "[y],7/6,[oy],1/6,o,1/8/8/1,ob,6/1,(ob),6/7,(b) white move white:y",
        "b2-b3/g6 g7-g6/b2 b3-b2/g7 g6-g7/b3",
    ),
    "liger": ("liger-4", "2/b,rbr/2/2 red", "c3=b4 a3-b4 c3-d4 b4=c3 d4-c3 b4-a3"),
}

each_game = pytest.mark.parametrize("entry", ropewalk.games(), ids=lambda entry: entry.key)
each_page = pytest.mark.parametrize("path", sorted(draw.PAGES.glob("*.md")), ids=lambda path: path.stem)


def page(entry: GameSpec) -> str:
    return (draw.PAGES / f"{entry.key}.md").read_text(encoding="utf-8")


def headings(text: str) -> list[str]:
    return re.findall(r"^#+ (.+)$", text, re.MULTILINE)


def without_results(text: str) -> str:
    """A page without its fenced blocks and its recipes."""
    return re.sub(r"^```.*?^```$|<!--.*?-->", "", text, flags=re.MULTILINE | re.DOTALL)


# What the program draws and says


def test_no_page_is_stale(capsys: pytest.CaptureFixture[str]) -> None:
    assert draw.main(["--check"]) == 0, capsys.readouterr().out


@each_page
def test_every_block_has_a_recipe(path: Path) -> None:
    fences = re.findall(r"(.*)\n```text$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert all(line.endswith("-->") for line in fences)


def test_a_stale_page_is_found_and_redrawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Before.\n\n<!-- refuse tether-3 b2 b2 -->\n```text\nold\n```\n\n<!-- outcome lariat-1x1 a1 c1 b1 c2 c6 -->\n"
    stale = tmp_path / "page.md"
    stale.write_text(text, encoding="utf-8")
    monkeypatch.setattr(draw, "PAGES", tmp_path)
    assert draw.main(["--check"]) == 1
    assert stale.read_text(encoding="utf-8") == text
    assert draw.main([]) == 0
    assert "```text\nb2 is illegal: b2 already has a red stone\n```\n\n<!-- outcome" in stale.read_text(encoding="utf-8")
    assert stale.read_text(encoding="utf-8").endswith("with a group of 3 stones\n```\n")
    assert draw.main(["--check"]) == 0


@pytest.mark.parametrize(
    "recipe", ["draw tether-5 c3 c3", "refuse tether-5 c3", "outcome tether-5 c3", "touch tether-5 z9", "draw chess e4"]
)
def test_a_recipe_that_cannot_be_followed_is_named(recipe: str, tmp_path: Path) -> None:
    wrong = tmp_path / "page.md"
    wrong.write_text(f"<!-- {recipe} -->\n", encoding="utf-8")
    with pytest.raises(draw.RecipeError, match=re.escape(f"page.md: {recipe}: ")):
        draw.redrawn(wrong)


# Clauses


def clauses_met(spec: str, seed: int) -> Iterator[str]:
    """The clauses of refusals and of the ending in a random game, with random illegal moves tried at each step."""
    game = ropewalk.game(spec)
    rng = random.Random(f"{spec} {seed}")
    position = game.start()
    while True:
        refusals = map(position.refusal, rng.sample(game.move_texts, min(30, game.num_actions)))
        yield from (refusal.clause for refusal in refusals if refusal is not None)
        if position.outcome is not None:
            yield position.outcome.clause
            return
        position = position.play(rng.choice(position.moves()))


def twice_round(spec: str, text: str, moves: str) -> Position:
    """The position for the third time."""
    position = ropewalk.game(spec).position(text)
    return MoveSequence.play(position, 2 * moves.split()).position


@each_game
def test_every_clause_of_the_program_is_a_heading(entry: GameSpec) -> None:
    found = {clause for spec in SMALL_GAMES[entry.key] for seed in range(12) for clause in clauses_met(spec, seed)}
    if entry.key in CYCLES:
        over = twice_round(*CYCLES[entry.key]).outcome
        assert over is not None
        found.add(over.clause)
    assert found == CLAUSES[entry.key]
    assert found <= set(headings(page(entry)))


# Whose games they are, and what is ours


@each_game
def test_every_page_names_the_designer_and_the_year(entry: GameSpec) -> None:
    title, line = page(entry).split("\n\n")[:2]
    assert title == f"# {entry.name}"
    assert line == f"*by {entry.designer}, {entry.year}*"
    if entry.designer == "Mark Steere":
        assert "https://marksteeregames.com" in page(entry)


@each_game
def test_the_index_names_every_game(entry: GameSpec) -> None:
    index = (draw.PAGES / "README.md").read_text(encoding="utf-8")
    assert (
        f"| [{entry.name}]({entry.key}.md) | {entry.designer}, {entry.year} | {entry.aim[0].upper()}{entry.aim[1:]}. |"
        in index
    )


@each_game
def test_every_ruling_is_marked_and_listed(entry: GameSpec) -> None:
    rules, ours = page(entry).split("\n## What is ours\n")
    marked = re.findall(r"(?<!\*)\*Ruling: ([^*]+)\.\*(?!\*)", rules)
    listed = re.findall(r"^- \*\*Ruling: ([^*]+)\.\*\*", ours, re.MULTILINE)
    assert marked
    assert sorted(marked) == sorted(listed)
    assert rules.count("*Ruling:") == len(marked)


def windows(text: str) -> set[str]:
    """All runs of consecutive words, without case and punctuation."""
    words = re.findall(r"\w+", text.lower().replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", ""))
    return {" ".join(words[first : first + COPIED]) for first in range(len(words) - COPIED + 1)}


def hash_windows(text: str) -> set[str]:
    """Return a short hash of each run of words; those of a sheet tell whether it was copied, but not what it says."""
    return {hashlib.sha256(window.encode()).hexdigest()[:12] for window in windows(text)}


@each_page
def test_no_sentence_of_the_sheets_is_copied(path: Path) -> None:
    sheets = set(SHEET_HASHES.read_text(encoding="utf-8").split())
    assert len(sheets) > 1000
    assert not hash_windows(without_results(path.read_text(encoding="utf-8"))) & sheets


# Links and specs


@each_page
def test_every_link_leads_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\((?!https:)([^)]+)\)", path.read_text(encoding="utf-8")):
        name, _, anchor = target.partition("#")
        linked = (draw.PAGES / name if name else path).read_text(encoding="utf-8")
        anchors = [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings(linked)]
        assert not anchor or anchor in anchors, target


@each_page
def test_every_spec_is_understood(path: Path) -> None:
    text = without_results(path.read_text(encoding="utf-8"))
    specs = re.findall(r"`((?:lariat|cube-lariat|tether|laocoon|liger)(?:-[0-9a-z-]+)?)`", text)
    assert specs
    for spec in specs:
        ropewalk.game(spec)


@each_game
def test_the_aliases_mean_what_the_page_says(entry: GameSpec) -> None:
    text = page(entry)
    for alias in entry.presets:
        assert f"`{entry.key}-{alias}`" in text
        assert f"`{ropewalk.game(f'{entry.key}-{alias}').spec}`" in text
    assert f"`{ropewalk.game(entry.key).spec}`" in text
