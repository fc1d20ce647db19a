"""Structure census: counts over the source tree that show whether names, modules and imports are in order.

    python benchmarks/census.py [ROOT] [--details]

ROOT is a checkout (default: the one of this file), so that an older tree can be compared with today's:

    git archive 6d3e48e | tar x -C /tmp/before && python benchmarks/census.py /tmp/before

Only the syntax trees of `ROOT/src/ropewalk` are read; nothing of the package is imported. Modules named by strings
(`import_module`, entry points) are not seen. `tests/unit/test_layers.py` uses the import graph of this module.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

PACKAGE = "ropewalk"
GAME_KEYS = frozenset({"lariat", "cube-lariat", "tether", "laocoon", "liger"})
BLOCK_FIELDS = ("body", "orelse", "finalbody", "handlers", "cases")  # where a syntax node keeps its statements
MAX_FUNCTION_LINES = 60
MAX_SHORT_DOCSTRING_WORDS = 3

ADJECTIVE_WORDS = """
    alike alone apart asleep awake barred beaten begun bound bright broken built busy cheap chosen cold dead deaf done
    drawn dry due early empty equal even exact fair false fast fine first flat found frank free fresh full given gone
    good great grown heard held hidden high idle kept known laid large last late left light like long loose lost low
    made near new next old open own past plain proper pure quick quiet rare raw ready right said same seen sent shown
    shut slow small soft sound spent spun still strange strict strong stuck sure taken taught thin thought tight told
    true usual vacant void warm weak whole wide won worn worth written wrong young
"""
VERBS_AND_NOUNS = """
    again align assign begin bin bring chain children clean codegen column complain contain deepen down embed exceed
    explain fan fasten feed flatten gain happen in join json king learn lengthen lesson lifespan listen main margin mean
    min need obtain on origin pen pin ping plan proceed resign return ring run scan screen seed shorten sign sin spawn
    spin spring string succeed tan ten then token train turn twin union warn weigh win within
"""
ADJECTIVES = frozenset(ADJECTIVE_WORDS.split())
PARTICIPLE = re.compile(r"(ed|en|n|ing)$")
NOT_PARTICIPLES = frozenset(VERBS_AND_NOUNS.split())  # they only look like participles
NOUN_SUFFIXES = ("ion",)


@dataclass(frozen=True)
class Import:
    """One runtime import of a module of the package by another."""

    source: str
    target: str
    name: str  # imported name, empty for `import MODULE`
    line: int
    is_deferred: bool  # inside a function: executed on call, not at import time


@dataclass(frozen=True)
class Module:
    """One parsed source file."""

    name: str  # dotted, e.g. ropewalk.games.tether
    path: Path
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, str(self.path))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the syntax tree, in no useful order."""
        return tuple(ast.walk(self.tree))

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"

    @property
    def package(self) -> str:
        """Return the package that relative imports of this module start from."""
        return self.name if self.is_package else self.name.rpartition(".")[0]


Modules = dict[str, Module]


def load_modules(root: Path) -> Modules:
    """Read every module of the package below `root/src`, by dotted name."""
    source = root / "src"
    modules = {}
    for path in sorted((source / PACKAGE).rglob("*.py")):
        parts = path.relative_to(source).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        modules[name] = Module(name, path, path.read_text(encoding="utf-8"))
    return modules


def list_imports(module: Module, modules: Modules) -> list[Import]:
    """List the runtime imports of package modules; imports under `if TYPE_CHECKING` are left out."""
    return [
        found
        for node, is_deferred in _import_statements(module.tree)
        for found in _resolve(node, is_deferred, module, modules)
    ]


def _import_statements(tree: ast.Module) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Yield every import statement that can be executed, and whether it is inside a function."""
    stack: list[tuple[ast.AST, bool]] = [(tree, False)]
    while stack:
        node, is_deferred = stack.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, is_deferred
        is_type_checking = isinstance(node, ast.If) and _tests_type_checking(node.test)
        inside_function = is_deferred or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for field in ("orelse",) if is_type_checking else BLOCK_FIELDS:
            stack += [(child, inside_function) for child in getattr(node, field, ())]


def _tests_type_checking(test: ast.expr) -> bool:
    return ast.unparse(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def _resolve(node: ast.Import | ast.ImportFrom, is_deferred: bool, module: Module, modules: Modules) -> Iterator[Import]:
    """Yield the package modules that an import statement names: the submodule where the name is one, else its parent."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name in modules:
                yield Import(module.name, alias.name, "", node.lineno, is_deferred)
    else:
        base = _absolute_base(node, module)
        for alias in node.names:
            full_name = f"{base}.{alias.name}"
            if full_name in modules:
                yield Import(module.name, full_name, "", node.lineno, is_deferred)
            elif base in modules:
                yield Import(module.name, base, alias.name, node.lineno, is_deferred)


def _absolute_base(node: ast.ImportFrom, module: Module) -> str:
    if not node.level:
        return node.module or ""
    parents = module.package.split(".")
    return ".".join([*parents[: len(parents) - node.level + 1], *([node.module] if node.module else [])])


def find_cycles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Return the strongly connected components with more than one node (Tarjan 1972), each sorted."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    cycles: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in sorted(edges.get(node, ())):
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            start = stack.index(node)
            component = stack[start:]
            del stack[start:]
            if len(component) > 1:
                cycles.append(sorted(component))

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return sorted(cycles)


def module_edges(modules: Modules) -> dict[str, set[str]]:
    """Return the import-time graph between modules."""
    edges: dict[str, set[str]] = defaultdict(set)
    for module in modules.values():
        edges[module.name] |= {found.target for found in list_imports(module, modules) if not found.is_deferred}
    return edges


def package_edges(modules: Modules) -> dict[str, set[str]]:
    """Return the graph between top-level packages and modules, deferred imports included, the root package left out."""
    edges: dict[str, set[str]] = defaultdict(set)
    for module in modules.values():
        for found in list_imports(module, modules):
            source, target = top_level(found.source), top_level(found.target)
            if source and target and source != target:
                edges[source].add(target)
    return edges


def top_level(name: str) -> str:
    """Return the first component below the package: `games` for `ropewalk.games.tether`, empty for the root."""
    return name.split(".")[1] if "." in name else ""


Definition = ast.FunctionDef | ast.AsyncFunctionDef


def list_classes(module: Module) -> list[ast.ClassDef]:
    return [node for node in module.nodes if isinstance(node, ast.ClassDef)]


def list_functions(module: Module) -> list[Definition]:
    return [node for node in module.nodes if isinstance(node, Definition)]


def find_duplicate_classes(modules: Modules) -> dict[str, list[str]]:
    """Return the class names that are defined more than once, with the modules that define them."""
    places: dict[str, list[str]] = defaultdict(list)
    for module in modules.values():
        for node in list_classes(module):
            places[node.name].append(module.name)
    return {name: found for name, found in sorted(places.items()) if len(found) > 1}


def is_bare_participle(name: str) -> bool:
    """Return whether a function's name is one word that looks like a participle or an adjective."""
    word = name.strip("_").rstrip("0123456789")
    if not word or "_" in word or word != word.lower() or name.startswith("__"):
        return False
    if word in ADJECTIVES:
        return True
    return bool(PARTICIPLE.search(word)) and word not in NOT_PARTICIPLES and not word.endswith(NOUN_SUFFIXES)


def is_property(node: Definition) -> bool:
    return any(
        "property" in ast.unparse(decorator) or ".setter" in ast.unparse(decorator) for decorator in node.decorator_list
    )


def find_participles(modules: Modules) -> list[str]:
    return [
        f"{module.name}:{node.lineno} {node.name}"
        for module in modules.values()
        for node in list_functions(module)
        if is_bare_participle(node.name) and not is_property(node)
    ]


def find_short_docstrings(modules: Modules) -> list[str]:
    """List docstrings of at most `MAX_SHORT_DOCSTRING_WORDS` words."""
    found = []
    for module in modules.values():
        documented: list[ast.Module | ast.ClassDef | Definition] = [
            module.tree,
            *list_classes(module),
            *list_functions(module),
        ]
        for node in documented:
            docstring = ast.get_docstring(node)
            if docstring is not None and len(docstring.split()) <= MAX_SHORT_DOCSTRING_WORDS:
                found.append(f"{module.name}:{node.body[0].lineno} {docstring}")
    return found


def find_game_tables(modules: Modules) -> list[str]:
    """List dict displays keyed by two or more games outside the games' own declarations, `games/NAME/__init__.py`."""
    found = []
    for module in modules.values():
        if module.is_package and module.name.startswith(f"{PACKAGE}.games."):
            continue
        for node in module.nodes:
            if isinstance(node, ast.Dict):
                keys = {key.value for key in node.keys if isinstance(key, ast.Constant)}
                if len(keys & GAME_KEYS) > 1:
                    found.append(f"{module.name}:{node.lineno}")
    return found


def find_game_dependents(modules: Modules) -> list[str]:
    """List modules outside games and rules that name a built-in game, by its key as a string or by importing its modules."""
    game_modules = {key.replace("-", "_") for key in GAME_KEYS}
    found = []
    for module in modules.values():
        if top_level(module.name) in ("games", "rules"):
            continue
        strings = {node.value for node in module.nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        imported = {part for entry in list_imports(module, modules) for part in entry.target.split(".")}
        names = sorted((strings & GAME_KEYS) | (imported & game_modules))
        if names:
            found.append(f"{module.name}: {', '.join(names)}")
    return found


def find_long_functions(modules: Modules) -> list[str]:
    return [
        f"{module.name}:{node.lineno} {node.name} {count_lines(node)}"
        for module in modules.values()
        for node in list_functions(module)
        if count_lines(node) > MAX_FUNCTION_LINES
    ]


def count_lines(node: Definition) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def find_comments(modules: Modules, marker: str) -> list[str]:
    """List the comments that contain a marker such as `noqa`."""
    return [
        f"{module.name}:{token.start[0]} {token.string}"
        for module in modules.values()
        for token in tokenize.generate_tokens(io.StringIO(module.text).readline)
        if token.type == tokenize.COMMENT and marker in token.string
    ]


def median(values: Iterable[int]) -> int:
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def print_count(label: str, entries: list[str], details: bool) -> None:
    print(f"{label:<58}{len(entries):>7,}")
    if details:
        for entry in entries:
            print(f"    {entry}")


def report(root: Path, details: bool) -> None:
    """Print the census of one checkout."""
    modules = load_modules(root)
    lines = {module.name: len(module.text.splitlines()) for module in modules.values()}
    functions = [node for module in modules.values() for node in list_functions(module)]
    largest = max(lines, key=lambda name: lines[name])
    repeated = Counter(node.name for node in functions if not node.name.startswith("__"))
    print(f"{'files':<58}{len(modules):>7,}")
    print(f"{'files without __init__':<58}{sum(not module.is_package for module in modules.values()):>7,}")
    print(f"{'lines':<58}{sum(lines.values()):>7,}")
    print(f"{'largest file: ' + largest:<58}{lines[largest]:>7,}")
    print(f"{'classes':<58}{sum(len(list_classes(module)) for module in modules.values()):>7,}")
    print(f"{'functions':<58}{len(functions):>7,}")
    print(f"{'median lines of a function':<58}{median(map(count_lines, functions)):>7,}")
    print(f"{'most frequent function name: ' + repeated.most_common(1)[0][0]:<58}{repeated.most_common(1)[0][1]:>7,}")
    duplicates = [f"{name}: {', '.join(places)}" for name, places in find_duplicate_classes(modules).items()]
    print_count("class names defined more than once", duplicates, details)
    print_count("functions named by a bare participle or adjective", find_participles(modules), details)
    print_count(f"docstrings of {MAX_SHORT_DOCSTRING_WORDS} words or fewer", find_short_docstrings(modules), details)
    print_count(f"functions over {MAX_FUNCTION_LINES} lines", find_long_functions(modules), details)
    cycles = [" <-> ".join(cycle) for cycle in find_cycles(module_edges(modules))]
    print_count("import cycles between modules (import time)", cycles, details)
    cycles = [" <-> ".join(cycle) for cycle in find_cycles(package_edges(modules))]
    print_count("import cycles between packages (deferred imports included)", cycles, True)
    print_count("dicts keyed by two or more games outside games/NAME", find_game_tables(modules), details)
    print_count("modules outside games and rules that name a game", find_game_dependents(modules), details)
    print_count("comments: type: ignore", find_comments(modules, "type: ignore"), details)
    print_count("comments: noqa", find_comments(modules, "noqa"), details)


def main() -> None:
    parser = argparse.ArgumentParser(description="count what shows the structure of the source tree")
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parents[1], help="a checkout")
    parser.add_argument("--details", action="store_true", help="list every finding")
    arguments = parser.parse_args()
    report(arguments.root, arguments.details)


if __name__ == "__main__":
    main()
