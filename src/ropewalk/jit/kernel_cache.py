"""The cache of kernels' machine code: one directory per version of the kernel sources, safe for several writers.

The directory is named by a hash of the sources of this package and of installed game plugins, because numba checks only
the file of the kernel itself and would reuse code that inlines an older version of another file. Code that involves types
or functions of other modules (a notebook, a test) is compiled in each process and not cached: the hash does not cover its
sources, and a process without those modules could not read the index.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
import uuid
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, NullCache, _CacheLocator

from ..paths import cache_dir
from ..plugins import plugin_dirs

CACHE_MAX_AGE_DAYS = 30
KERNEL_SOURCE_MARKERS = (
    b"@kernel",
    b"@dispatch_by_rules",
    b"@intrinsic",
    b"def kernel",
)  # in every file that belongs to the hash
PACKAGE = __name__.partition(".")[0]


def source_hash() -> str:
    """Return 16 hex digits that identify the numba and Python versions and the text of all files with kernels.

    The files of game plugins count too: kernels of this package are compiled for their rules and inline their code.
    """
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for package_dir in (Path(__file__).parent.parent, *plugin_dirs()):
        for name in list_sources(str(package_dir)):
            with open(os.path.join(package_dir, name), "rb") as file:
                text = file.read()
            if any(marker in text for marker in KERNEL_SOURCE_MARKERS):
                digest.update(name.replace(os.sep, "/").encode() + b"\0" + text)
    return digest.hexdigest()[:16]


def list_sources(package_dir: str) -> list[str]:
    """Return the relative paths of all Python files of a package, sorted; plain strings, because every start needs them."""
    names = []
    for folder, _, files in os.walk(package_dir):
        relative = folder[len(package_dir) + 1 :]
        names += [os.path.join(relative, file) for file in files if file.endswith(".py")]
    return sorted(names)


def kernel_cache_dir() -> Path:
    """Return the cache directory for the current kernel sources. Creates it and removes directories long unused."""
    folder = cache_dir() / "kernels" / source_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        prune_old_caches(folder)
    except OSError:  # read-only home: numba uses another directory or compiles in each process
        pass
    return folder


def prune_old_caches(current: Path) -> None:
    """Remove the cache directories beside `current` that were last used over CACHE_MAX_AGE_DAYS ago."""
    cutoff = time.time() - CACHE_MAX_AGE_DAYS * 86400
    for folder in current.parent.iterdir():
        if folder != current and folder.stat().st_mtime < cutoff:
            shutil.rmtree(folder, ignore_errors=True)


CACHE_DIR = kernel_cache_dir()


@cache
def hashed_packages() -> frozenset[str]:
    """Return the names of the packages whose sources belong to the hash."""
    return frozenset([PACKAGE, *(folder.name for folder in plugin_dirs())])


def is_hashed(module: str) -> bool:
    """Return whether the sources of a module belong to the hash."""
    return module.partition(".")[0] in hashed_packages()


def is_cacheable(types: Iterable[Any]) -> bool:
    """Return whether all classes in numba types, nested ones included, are from hashed packages."""
    for each in types:
        instance_class = getattr(each, "instance_class", None)
        if instance_class is not None and not is_hashed(instance_class.__module__):
            return False
        if not is_cacheable(getattr(each, "types", ())):
            return False
    return True


class KernelIndexFile(IndexDataCacheFile):
    """Numba's index of one kernel's machine code.

    An index that cannot be read counts as empty. Every process names its data files by a token of its own: numba's
    numbers would let two processes write code of different types to one file.
    """

    def __init__(self, cache_path: str, filename_base: str, source_stamp: Any) -> None:
        super().__init__(cache_path, filename_base, source_stamp)
        self._data_name_pattern = f"{filename_base}.{uuid.uuid4().hex[:12]}.{{number:d}}.nbc"

    def _load_index(self) -> dict[Any, str]:
        try:
            index: dict[Any, str] = super()._load_index()
        except Exception:  # unpickling a damaged file can raise anything
            return {}
        return index


@cache
def is_writable(folder: Path) -> bool:
    """Return whether files can be written to a directory, which is created if necessary."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


class KernelCacheLocator(_CacheLocator):
    """Places the machine code of a kernel in CACHE_DIR.

    The directory's name is a hash of all sources, so that it holds one version of every kernel: equal checkouts share the
    code, wherever they are.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    @classmethod
    def from_function(cls, function: Callable[..., Any], source_file: str) -> KernelCacheLocator | None:
        """Return the locator of a kernel; None if CACHE_DIR cannot be written."""
        return cls(function) if is_writable(CACHE_DIR) else None

    def get_cache_path(self) -> str:
        """Return the directory."""
        return str(CACHE_DIR)

    def get_source_stamp(self) -> str:
        """Return the hash of the sources."""
        return CACHE_DIR.name

    def get_disambiguator(self) -> str:
        """Return module and line of the kernel, which tell apart kernels of one name."""
        return f"{self.function.__module__}-{self.function.__code__.co_firstlineno}"


class KernelCacheImpl(CompileResultCacheImpl):
    """Numba's serialisation of machine code, with our locator only."""

    _locator_classes = (KernelCacheLocator,)


class KernelCache(FunctionCache):
    """Numba's cache of one kernel, for types from hashed packages only."""

    _impl_class = KernelCacheImpl

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        numba_index: Any = vars(self)["_cache_file"]
        self._cache_file = KernelIndexFile(self._cache_path, self._impl.filename_base, numba_index._source_stamp)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save machine code, unless its argument types are from modules outside the hash."""
        if is_cacheable(getattr(sig, "args", sig)):
            with suppress(OSError):  # such as a full disk: the next process compiles again
                super().save_overload(sig, data)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load machine code; None if there is none, or if it cannot be read."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # unpickling a damaged file can raise anything
            return None

    def has_overload(self, signature: Any, target_context: Any) -> bool:
        """Return whether the index has machine code for the argument types; the file may still be damaged."""
        index: Any = self._cache_file
        return self._index_key(signature, target_context.codegen()) in index._load_index()


def open_cache(function: Callable[..., Any]) -> KernelCache | NullCache:
    """Return the cache of a kernel; one that keeps nothing where CACHE_DIR cannot be written."""
    return KernelCache(function) if is_writable(CACHE_DIR) else NullCache()
