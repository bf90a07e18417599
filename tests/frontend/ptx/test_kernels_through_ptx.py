# SPDX-License-Identifier: Apache-2.0
"""The test kernels of CUDA C++ on devices that take PTX: they do what NumPy expects.

One in twenty-four is run; all with LANEWISE_TEST_ALL_SHAPES=1, and on a GPU.
"""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import lanewise as lw

from ...device.cuda.standin import the_driver
from ...kernels.barriers import cases as barriers
from ...kernels.case import Case, Launch
from ...kernels.language import cases as language
from ...kernels.running import check, run
from ...sampling import EVERY_SHAPE

LEFT_OUT = {
    "arrays",  # LLVM takes any malloc to succeed whose memory nobody uses
    "wide_conversions",  # no PTX: it has no instruction
    "by_value",  # a structure as a tuple: PTX has no members
}
CASES = [case for case in (*barriers.CASES, *language.CASES) if case.name not in LEFT_OUT]


@cache
def compiled(path: Path, defines: tuple[tuple[str, Any], ...], options: tuple[str, ...]) -> lw.Module:
    return lw.compile(path, defines=dict(defines), options=options)


@cache
def translated(path: Path, kernel: str, defines: tuple[tuple[str, Any], ...], options: tuple[str, ...]) -> lw.Module:
    source = compiled(path, defines, options)
    made = lw.compile(source.ptx(kernel=kernel), language="ptx")
    assert source[kernel].symbol in {made[name].symbol for name in made.kernels}
    return made


class OneKernel:
    """A module of which one kernel is asked for."""

    def __init__(self, module: lw.Module, symbol: str) -> None:
        self._kernel = module[symbol]

    def __getitem__(self, name: str) -> lw.Kernel:
        return self._kernel


@pytest.mark.parametrize("case", CASES if EVERY_SHAPE else CASES[::24], ids=lambda case: case.name)
def test_a_kernel_by_way_of_ptx(case: Case):
    module = translated(case.path, case.kernel, case.defines, case.options)
    symbol = compiled(case.path, case.defines, case.options)[case.kernel].symbol
    launch = case.launches[0] if case.launches else Launch((3,), (64,))
    check(case, launch, run(case, launch, lw.device("simt"), OneKernel(module, symbol)))  # type: ignore[arg-type]


@pytest.mark.parametrize("case", CASES if EVERY_SHAPE or the_driver() is None else CASES[12::24], ids=lambda c: c.name)
def test_a_kernel_on_a_gpu(case: Case, cuda: lw.Device):
    module = compiled(case.path, case.defines, case.options)
    launch = case.launches[0] if case.launches else Launch((3,), (64,))
    check(case, launch, run(case, launch, cuda, module))
