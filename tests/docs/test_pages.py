"""Every page is listed with who it is for, and the commands and codes of the new pages are those of the program."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from types import ModuleType

import pytest

from docs import import_graph, page_list
from ropewalk.cli.arguments import Parser
from ropewalk.cli.main import load_command
from tests.support.docs_script import load_docs_script

DOCS = Path(__file__).parents[2] / "docs"
READERS = {"players", "students", "researchers", "operators", "developers", "everybody"}
PAGES = [*(DOCS / "tutorials").glob("*.md"), *(DOCS / "concepts").glob("*.md")]
LINES = [
    (path.stem, line.strip())
    for path in sorted(PAGES)
    for line in path.read_text(encoding="utf-8").splitlines()
    if line.strip().startswith("ropewalk ")
]


def test_every_page_is_listed_with_its_readers() -> None:
    pages = page_list.read_pages()
    assert set(pages) == {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")}
    assert {reader for readers, _ in pages.values() for reader in readers.split(", ")} == READERS


def test_the_list_has_the_order_of_the_navigation() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    entries = [
        line for tree in re.findall(r"```\{toctree\}(.*?)```", index, re.DOTALL) for line in tree.split() if ":" not in line
    ]
    listed = [name for name in page_list.read_pages() if name in entries]
    assert sorted(listed, key=entries.index) == [*listed[1:], "pages"]  # the list itself comes first there


@pytest.mark.parametrize(("page", "line"), LINES)
def test_the_commands_of_tutorials_and_concepts_are_understood(page: str, line: str) -> None:
    _, name, *arguments = shlex.split(line)
    parser = Parser(f"ropewalk {name}", "", {})
    load_command(name).add_arguments(parser)
    parser.parse_args(arguments)


def test_arrows_lead_downwards_and_leave_out_what_others_imply() -> None:
    edges = {"cli": {"games", "rules"}, "games": {"rules", "boards"}, "rules": set(), "boards": {"games"}}
    joined = import_graph.join_cycles(edges)
    assert ("boards", "games") in joined
    reduced = import_graph.reduce_edges(joined)
    assert reduced[("cli",)] == {("boards", "games")}
    assert import_graph.rank_boxes(reduced) == [[("cli",)], [("boards", "games")], [("rules",)]]


def test_the_picture_shows_the_packages_of_the_program() -> None:
    picture = (DOCS / "imports.svg").read_text(encoding="utf-8")
    assert all(f">{name}</text>" in picture for name in ("cli", "server", "games", "rules", "jit"))


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    """docs/generated_pages.py, which needs Sphinx."""
    pytest.importorskip("sphinx")
    return load_docs_script("generated_pages")


def test_every_error_code_has_a_meaning(generator: ModuleType) -> None:
    codes = generator.list_error_codes()
    assert len(codes) > 40
    assert [code for code, (_, meaning) in codes.items() if not meaning] == []
