# SPDX-License-Identifier: Apache-2.0
"""A few programs of Csmith; `python -m tests.fuzz.csmith 500` runs many."""

import shutil

import pytest
from tests.fuzz.csmith.compare import compared


@pytest.mark.skipif(not shutil.which("csmith") or not shutil.which("g++"), reason="needs csmith and g++")
@pytest.mark.parametrize(("seed", "mapping"), [(2, "auto"), (3, "loop")])
def test_threads_compute_what_gcc_computes(seed: int, mapping: str):
    assert compared(seed, mapping)[1] == ""
