"""The checkers are independent of the solvers: importing one loads no module that searches or writes proofs."""

from __future__ import annotations

import subprocess
import sys

import pytest

SHARED_MODULES = {"ropewalk.proofs", "ropewalk.proofs.solver", "ropewalk.proofs.canonical_hash"}  # results, limits, hashes
OWN_MODULES = {
    "strategy": {"ropewalk.proofs.strategy", "ropewalk.proofs.strategy.checker", "ropewalk.proofs.strategy.traversal"},
    "carrier": {"ropewalk.proofs.carrier", "ropewalk.proofs.carrier.checker"},
}


@pytest.mark.parametrize("method", OWN_MODULES)
def test_a_checker_imports_no_solver(method: str) -> None:
    script = f"import sys, ropewalk.proofs.{method}.checker; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = {
        name for name in result.stdout.split() if name.startswith(("ropewalk.proofs", "ropewalk.search", "ropewalk.bots"))
    }
    assert loaded <= SHARED_MODULES | OWN_MODULES[method]
