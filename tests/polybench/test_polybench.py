# SPDX-License-Identifier: Apache-2.0
"""PolyBench-ACC's 21 CUDA programs compile and give what NumPy expects, on the CPU and on the reference device.

They need a checkout of the suite, whose path is in LANEWISE_POLYBENCH:

    git clone https://github.com/cavazos-lab/PolyBench-ACC
    LANEWISE_POLYBENCH=PolyBench-ACC pytest tests/polybench
"""

import os
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

from .programs import PROGRAMS, Bench, Program

CHECKOUT = os.environ.get("LANEWISE_POLYBENCH", "")

pytestmark = pytest.mark.skipif(
    not CHECKOUT, reason="LANEWISE_POLYBENCH, the path of a checkout of PolyBench-ACC, is not set"
)

TOLERANCE = 1e-4  # relative to an array's largest value: float32 against double
STEPS = {"TSTEPS", "TMAX"}

# The reference device interprets, so it gets smaller problems.
REFERENCE_DIVIDES_BY = 6
LEAST = 5


def run(program: Program, device: lw.Device, sizes: dict[str, int]) -> None:
    suite = Path(CHECKOUT) / "CUDA"
    module = lw.compile(suite / program.source, defines=sizes, include_dirs=[suite / "utilities"])
    for name, (found, expected) in program.driver(Bench(module, device, sizes)).items():
        error = np.abs(found - expected).max() / np.abs(expected).max()
        assert error < TOLERANCE, f"{program.name}: {name} is off by {error:.1e} of its largest value"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_cpu(program: Program):
    run(program, lw.device("cpu"), dict(program.sizes))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_reference(program: Program):
    sizes = {
        name: size if name in STEPS else max(size // REFERENCE_DIVIDES_BY, LEAST)
        for name, size in program.sizes.items()
    }
    run(program, lw.device("reference"), sizes)


def test_there_is_a_driver_for_each_cuda_program():
    sources = {str(path.relative_to(Path(CHECKOUT) / "CUDA")) for path in Path(CHECKOUT).rglob("CUDA/**/*.cu")}
    assert sources == {program.source for program in PROGRAMS}
