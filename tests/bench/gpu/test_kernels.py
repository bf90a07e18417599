# SPDX-License-Identifier: Apache-2.0
"""The kernels of bench/gpu: PTX on the simulated GPU gives what the source does on the CPU, to the bit."""

from __future__ import annotations

import numpy as np
import pytest
from bench.gpu.counted import counted
from bench.gpu.suite import HELD_OUT, SUITE, kernel
from tests.sampling import EVERY_SHAPE, day

import lanewise as lw

_NAMES = [each.name for each in (*SUITE, *HELD_OUT)]
_PARTS = 5
"""Runs take every fifth kernel, others each day, and of these a sample as of all tests: a kernel takes a second."""


def _chosen() -> list[str]:
    return _NAMES if EVERY_SHAPE else _NAMES[day() % _PARTS :: _PARTS]


def test_there_are_enough_kernels_with_names_of_their_own() -> None:
    assert len(SUITE) >= 60
    assert len(HELD_OUT) == 20
    assert len(set(_NAMES)) == len(_NAMES)


@pytest.mark.parametrize("name", _chosen())
def test_ptx_on_the_simulated_gpu_computes_what_the_cpu_does(name: str) -> None:
    chosen = kernel(name)
    launch = chosen.launch()
    module = lw.compile(chosen.source(), language="cuda", arch="sm_80", math="same-bits")
    arguments = launch.fresh()
    module[name].launch(launch.grid, launch.block, tuple(arguments), shared=launch.shared, device="cpu")
    arrays = [each for each in arguments if isinstance(each, np.ndarray)]
    given = [each for each in launch.arguments if isinstance(each, np.ndarray)]
    assert any(a.tobytes() != b.tobytes() for a, b in zip(arrays, given, strict=True)), "the kernel writes nothing"
    found = counted(module.ptx("sm_80"), launch)
    assert [each.tobytes() for each in found.arrays] == [each.tobytes() for each in arrays]
    assert found.counters["warp_instructions"] > 0


def test_ptx_is_counted_on_a_gpu_of_its_target() -> None:
    chosen = kernel("submatrix")
    launch = chosen.launch()
    ptx = lw.compile(chosen.source(), language="cuda").ptx("sm_90")
    assert ".target sm_90" in ptx
    assert counted(ptx, launch).counters["warp_instructions"] > 0
