"""Packages import downwards only, without cycles; every class name is defined once; checkers import no solver.

Everything is read from syntax trees (`benchmarks/census.py`); the package is not imported. Imports inside functions count
for the order of the layers, because they are executed; imports under `if TYPE_CHECKING` do not. Modules that are named by a
string (`import_module` in the root package, the registry, the choice of a solver) are outside these tests.

`EXPECTED_VIOLATIONS` and `DUPLICATE_CLASSES` list what is still wrong. They may only shrink: an entry that is no longer true
fails, so that it is deleted.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from benchmarks.census import (
    PACKAGE,
    Import,
    find_cycles,
    find_duplicate_classes,
    list_imports,
    load_modules,
    module_edges,
    top_level,
)

ROOT = Path(__file__).resolve().parents[2]

MODULES = load_modules(ROOT)

# From the bottom to the top: a layer may import those before it, and itself.
LAYERS = (
    "errors",
    "text",
    "atomic_file",
    "paths",
    "bootstrap",
    "plugins",
    "progress",
    "jit",
    "stats",
    "boards",
    "rules",
    "games",
    "conformance",
    "records",
    "diagrams",
    "search",
    "nets",
    "proofs",
    "bots",
    "adapters",
    "console",
    "puzzles",
    "arena",
    "reports",
    "engine",
    "training",
    "server",
    "terminal",
    "cli",
    "__main__",
)

# The root package re-exports the public interface; what it defines itself may be imported from everywhere.
ROOT_CONSTANTS = {"__version__"}

# (importing module, imported module): upward imports that exist today.
EXPECTED_VIOLATIONS: set[tuple[str, str]] = set()

# Class names that are defined more than once today.
DUPLICATE_CLASSES: set[str] = set()

# Modules of proofs that a checker may use: shared result types, the symmetry-canonical hash, the traversal of a strategy.
CHECKER_PROOF_MODULES = {
    "ropewalk.proofs.canonical_hash",
    "ropewalk.proofs.carrier",
    "ropewalk.proofs.carrier.checker",
    "ropewalk.proofs.solver",
    "ropewalk.proofs.strategy",
    "ropewalk.proofs.strategy.checker",
    "ropewalk.proofs.strategy.traversal",
}
CHECKERS = ("ropewalk.proofs.carrier.checker", "ropewalk.proofs.strategy.checker")


def root_exports() -> dict[str, str]:
    """Return the modules in which the names that the root package imports are defined."""
    return {found.name: found.target for found in list_imports(MODULES[PACKAGE], MODULES)}


@cache
def runtime_imports() -> list[Import]:
    """List all runtime imports below the root, names re-exported by the root package traced to their modules."""
    exports = root_exports()
    imports = [found for module in MODULES.values() if module.name != PACKAGE for found in list_imports(module, MODULES)]
    return [
        Import(found.source, exports.get(found.name, found.target), found.name, found.line, found.is_deferred)
        if found.target == PACKAGE
        else found
        for found in imports
    ]


def reachable_from(module: str) -> set[str]:
    """Return the module and all that it imports, directly or not, deferred imports included."""
    reached: set[str] = set()
    stack = [module]
    while stack:
        name = stack.pop()
        if name not in reached:
            reached.add(name)
            stack += [found.target for found in runtime_imports() if found.source == name and found.target != PACKAGE]
    return reached


@cache
def duplicate_classes() -> dict[str, list[str]]:
    """Return the class names that are defined more than once, with their modules."""
    return find_duplicate_classes(MODULES)


def upward_imports() -> set[tuple[str, str]]:
    """Return the pairs of modules in which a layer imports one above it."""
    rank = {name: index for index, name in enumerate(LAYERS)}
    return {
        (found.source, found.target)
        for found in runtime_imports()
        if found.target != PACKAGE and rank[top_level(found.target)] > rank[top_level(found.source)]
    }


def test_every_package_has_a_layer() -> None:
    assert {top_level(name) for name in MODULES} - {""} == set(LAYERS)


def test_the_architecture_page_lists_the_layers_in_this_order() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.split("## Layers")[1].split("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)(?:\.py)?` \|", table, re.MULTILINE)
    assert (*listed, "__main__") == LAYERS


def test_layers_import_downwards_only() -> None:
    assert sorted(upward_imports() - EXPECTED_VIOLATIONS) == []


def test_every_expected_violation_still_exists() -> None:
    assert sorted(EXPECTED_VIOLATIONS - upward_imports()) == [], "no longer true: delete the entry"


def test_only_constants_are_imported_from_the_root_besides_its_exports() -> None:
    assert {found.name for found in runtime_imports() if found.target == PACKAGE} <= ROOT_CONSTANTS


def test_no_modules_import_each_other() -> None:
    assert find_cycles(module_edges(MODULES)) == []


def test_every_class_name_is_defined_once() -> None:
    assert {name: places for name, places in duplicate_classes().items() if name not in DUPLICATE_CLASSES} == {}


def test_every_listed_duplicate_still_exists() -> None:
    assert sorted(DUPLICATE_CLASSES - duplicate_classes().keys()) == [], "no longer true: delete the entry"


def test_the_checker_of_puzzles_uses_no_solver_and_no_search() -> None:
    used = reachable_from("ropewalk.puzzles.puzzle")
    assert {name for name in used if top_level(name) == "puzzles"} == {
        "ropewalk.puzzles.puzzle",
        "ropewalk.puzzles.strategy_tree",
    }
    assert {top_level(name) for name in used} <= set(LAYERS[: LAYERS.index("games") + 1]) | {"puzzles"}


@pytest.mark.parametrize("checker", CHECKERS)
def test_checkers_use_no_solver_and_no_search(checker: str) -> None:
    used = reachable_from(checker)
    assert checker in used
    assert {name for name in used if top_level(name) == "proofs"} <= CHECKER_PROOF_MODULES
    assert {top_level(name) for name in used} <= set(LAYERS[: LAYERS.index("games") + 1]) | {"proofs"}
