# SPDX-License-Identifier: Apache-2.0
"""Rodinia 3.1: CUDA programs that nobody here wrote, on the CPU and smaller on the reference device, against NumPy.

They need a checkout of the suite, whose path is in LANEWISE_RODINIA:

    git clone https://github.com/yuhc/gpu-rodinia
    LANEWISE_RODINIA=gpu-rodinia pytest tests/rodinia
"""

import os
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

from . import graphs_and_trees, grids, matrices, textured  # noqa: F401 : each adds its programs
from .driving import PROGRAMS, Bench, Program

CHECKOUT = os.environ.get("LANEWISE_RODINIA", "")

pytestmark = pytest.mark.skipif(not CHECKOUT, reason="LANEWISE_RODINIA, the path of a checkout of Rodinia, is not set")

TOLERANCE = 1e-4  # relative to an array's largest value: float32 against double


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)
def test_program(program: Program, device: str):
    suite = Path(CHECKOUT) / "cuda"
    module = lw.compile(
        suite / program.source,
        include_dirs=[suite / folder for folder in ("util", *program.include_dirs)],
        options=["-w"],
    )
    if program.reads_outside and device == "reference":
        with pytest.raises(lw.LaunchError, match=program.reads_outside):
            program.driver(Bench(module, device))
        return
    for name, (found, expected) in program.driver(Bench(module, device)).items():
        error = np.abs(found.astype(np.float64) - expected).max() / max(np.abs(expected).max(), 1)
        assert error < TOLERANCE, f"{program.name}: {name} is off by {error:.1e} of its largest value"
