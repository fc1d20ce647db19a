"""How kernels are compiled and kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

import ropewalk
from ropewalk.jit import intrinsics, kernel, kernel_cache
from ropewalk.jit.prng import make_rng, rand_below
from ropewalk.rules import repetition

GAMES = """
import warnings, random, numpy as np
warnings.simplefilter("error")
import ropewalk
from ropewalk.jit.prng import make_rng
from ropewalk.rules.generic import run_playouts
for spec in "lariat-1x2-pie cube-lariat-2 tether-5 laocoon-random-3 laocoon-quick-2 laocoon liger-4x2 liger-6".split():
    game, chance = ropewalk.game(spec), random.Random(1)
    position = game.start()
    while position.seat is not None:
        position = position.play(chance.choice(position.moves()))
    results = np.zeros(3, np.int64)
    row, moves = game.start_row(), np.empty(game.max_legal_moves, np.int16)
    run_playouts(game.rules, game.start_row(), row, moves, make_rng(1), 4, results)
    print(position, position.outcome.words, results)
"""


def run(code: str, **environment: str) -> str:
    """What a program prints."""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, **environment}
    )
    return result.stdout


def test_without_compiling_the_same_seed_gives_the_same_bytes() -> None:
    assert run(GAMES, NUMBA_DISABLE_JIT="1") == run(GAMES)


def test_machine_code_lies_in_a_folder_named_by_the_text_of_all_kernels() -> None:
    assert kernel_cache.CACHE_DIR.name == kernel_cache.source_hash()
    assert kernel_cache.CACHE_DIR.parent.name == "kernels"


def test_the_folder_depends_on_no_setting_of_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")  # as another thread may set it at any moment
    opened = kernel_cache.open_cache(rand_below.py_func)  # type: ignore[attr-defined]
    assert opened.cache_path == str(kernel_cache.CACHE_DIR)


def test_other_users_of_numba_keep_their_cache() -> None:
    before = numba.config.CACHE_DIR
    kernel.kernel(lambda number: number)
    assert before == numba.config.CACHE_DIR


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    code = "import ropewalk; print(ropewalk.game('lariat-1x1').spec)"
    assert run(code, ROPEWALK_CACHE_DIR=str(blocked / "below"), NUMBA_CACHE_DIR=str(tmp_path)) == "lariat-1x1\n"


def test_long_unused_folders_are_pruned(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    new.mkdir()
    os.utime(old, (0, 0))
    kernel_cache.prune_old_caches(new)
    assert not old.exists()
    assert new.exists()


@pytest.mark.parametrize("mask", [1, 2, 5, 2**62, 2**63, 2**64 - 1, 0b1011000])
def test_bits_count_the_same_compiled_or_not(mask: int) -> None:
    number: Any = np.int64(intrinsics.to_signed64(mask))
    for function in (intrinsics.bit_count, intrinsics.lowest_bit, intrinsics.highest_bit, intrinsics.clear_lowest_bit):
        compiled = numba.njit(eval("lambda mask: function(mask)", {"function": function}))
        assert compiled(number) == function(number)


def test_random_numbers_below_a_bound_are_fair() -> None:
    rng = make_rng(3)
    counts = np.bincount([int(rand_below(rng, 7)) for _ in range(70_000)], minlength=7)
    assert abs(counts - 10_000).max() < 500


def test_streams_of_one_seed_differ() -> None:
    assert [rand_below(make_rng(1, stream), 10**6) for stream in range(5)] == [
        rand_below(make_rng(1, stream), 10**6) for stream in range(5)
    ]
    assert len({int(rand_below(make_rng(1, stream), 10**6)) for stream in range(5)}) == 5


def test_a_history_counts_occurrences_and_grows_without_forgetting() -> None:
    row = np.zeros(3 + 4, np.int64)
    count = 0
    for hashed in (5, 13, 5, 21):
        count = repetition.push_hash(row[3:], count, hashed)
    assert [repetition.count_occurrences(row[3:], count, hashed) for hashed in (5, 13, 21, 29)] == [2, 1, 1, 0]
    assert repetition.push_hash(row[3:], count, 29) == count, "the list is full"
    longer = repetition.with_doubled_capacity(row, 4)
    count = repetition.push_hash(longer[3:], count, 29)
    assert [repetition.count_occurrences(longer[3:], count, hashed) for hashed in (5, 13, 21, 29)] == [2, 1, 1, 1]
    assert repetition.count_occurrences(longer[3:], 1, 13) == 0, "what lies behind the end of the list is forgotten"


def test_the_source_hash_covers_the_kernels_of_all_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "ropewalk"
    shutil.copytree(
        Path(kernel_cache.__file__).parent.parent, package, ignore=shutil.ignore_patterns("*.onnx", "page", "__pycache__")
    )
    monkeypatch.setattr(kernel_cache, "__file__", str(package / "jit" / "kernel_cache.py"))
    before = kernel_cache.source_hash()
    assert before == kernel_cache.CACHE_DIR.name, "a copy of the sources has the same hash"
    edited = package / "rules" / "tether.py"
    edited.write_text(edited.read_text() + "\n# edited\n")
    assert kernel_cache.source_hash() != before


class ForeignRules(NamedTuple):
    """Rules of a module that the source hash does not cover."""

    answer: int


def test_code_for_types_outside_the_hash_is_not_cached() -> None:
    own = numba.typeof(make_rng(1)), numba.typeof(ropewalk.game("tether-3").rules)
    foreign = numba.typeof(ForeignRules(1))
    assert kernel_cache.is_cacheable(own)
    assert not kernel_cache.is_cacheable((*own, foreign))
    assert not kernel_cache.is_cacheable([numba.typeof((1, (ForeignRules(1), 2.0)))])


def test_kernels_outside_the_hash_are_compiled_but_not_cached() -> None:
    double: Any = kernel.kernel(lambda number: 2 * number)
    assert double(21) == 42
    assert not isinstance(double._cache, kernel_cache.KernelCache)


def test_two_processes_never_write_machine_code_to_the_same_file(tmp_path: Path) -> None:
    first, second = (kernel_cache.KernelIndexFile(str(tmp_path), "step", "stamp") for _ in range(2))
    first.save("int64", "code of the first")
    stale_index = second._load_index
    second._load_index = dict  # type: ignore[method-assign]  # read before the first had written
    second.save("float64", "code of the second")
    second._load_index = stale_index  # type: ignore[method-assign]
    assert second.load("float64") == "code of the second"
    assert len(list(tmp_path.glob("*.nbc"))) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limits on files")
def test_a_cache_without_space_left_is_no_error(tmp_path: Path) -> None:
    code = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # writing to any file raises an OSError
from ropewalk.jit.prng import make_rng, rand_below
print(rand_below(make_rng(1), 1000))
"""
    assert run(code, ROPEWALK_CACHE_DIR=str(tmp_path)).strip().isdigit()
    assert list(tmp_path.rglob("*.nbi")) == []


def test_a_damaged_cache_is_compiled_anew(tmp_path: Path) -> None:
    code = "from ropewalk.jit.prng import make_rng, rand_below; print(rand_below(make_rng(1), 1000))"
    expected = run(code, ROPEWALK_CACHE_DIR=str(tmp_path))
    damaged = [*tmp_path.rglob("*.nbi"), *tmp_path.rglob("*.nbc")]
    assert len({path.suffix for path in damaged}) == 2
    for path in tmp_path.rglob("*.nbc"):
        path.write_bytes(b"garbage")
    assert run(code, ROPEWALK_CACHE_DIR=str(tmp_path)) == expected
    for path in tmp_path.rglob("*.nbi"):
        path.write_bytes(path.read_bytes()[:-20])
    assert run(code, ROPEWALK_CACHE_DIR=str(tmp_path)) == expected
