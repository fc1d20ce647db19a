"""Every search, solver and generator computes what it computed before: the signature of `benchmarks/signature.py`.

The stored hashes hold for one machine type and one numba version, because libm and compiled floating-point code differ
between others. After an intended change, rewrite them and say why in the commit:

    python -m tests.golden.test_signature --write
"""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path

import numba
import pytest

from benchmarks.signature import Part, all_parts, as_json, digest, overall_hash

STORED = Path(__file__).with_name("signature.json")
PARTS = all_parts()


def platform_key() -> str:
    """What the stored hashes depend on."""
    return f"{platform.machine()} numba {numba.__version__}"


def stored_hashes() -> dict[str, str]:
    """The hashes that were stored for this platform; skips the test where there are none."""
    stored: dict[str, dict[str, str]] = json.loads(STORED.read_text())
    if platform_key() not in stored:
        pytest.skip(f"the signature is stored for {', '.join(stored)}, not for {platform_key()}")
    return stored[platform_key()]


def compute(part: Part) -> str:
    return digest(as_json(part()))


@pytest.mark.parametrize("name", PARTS)
def test_the_part_has_its_stored_hash(name: str) -> None:
    assert stored_hashes().get(name) == compute(PARTS[name])


def test_every_stored_part_is_still_computed() -> None:
    assert set(stored_hashes()) == set(PARTS)


def write() -> None:
    """Store the hashes of this platform beside those of others."""
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    stored[platform_key()] = {name: compute(part) for name, part in PARTS.items()}
    STORED.write_text(json.dumps(stored, indent=1) + "\n")
    print(f"{overall_hash(stored[platform_key()])}  overall")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    write()
