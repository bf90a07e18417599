# SPDX-License-Identifier: Apache-2.0
"""The barrier of a grid in PTX."""

from __future__ import annotations

import re

import pytest

from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.pipelines.gpu import compile_ptx

TEXT = """\
#include <cooperative_groups.h>
__global__ void k(int *p) {
    auto grid = cooperative_groups::this_grid();
    *p = grid.is_valid();
    grid.sync();
}
"""


@pytest.mark.parametrize("arch", ["sm_60", "sm_80", "sm_90"])
def test_it_is_a_barrier_in_global_memory(arch: str) -> None:
    text = compile_ptx(compile_cuda(Source(TEXT), CudaOptions(arch=arch)).text, arch)
    (body,) = re.findall(r"^\.func __lw_grid_sync\(?\)?\n\{.*?^\}", text, re.MULTILINE | re.DOTALL)
    assert re.search(r"^\.global \.align 4 \.u32 __lw_grid_arrivals", text, re.MULTILINE)
    assert len(re.findall(r"fence\.acq_rel\.gpu|membar\.gl", body)) == 2
    assert re.search(r"atom\.global\.add\.u32 .*__lw_grid_arrivals", body)
    assert re.search(r"ld\.(relaxed\.gpu|volatile)\.global\.b32 .*__lw_grid_arrivals", body)
    assert text.count("bar.sync") + text.count("barrier.sync") == 2


def test_modules_without_it_have_no_counter() -> None:
    text = "__global__ void k(int *p) { *p = 1; }"
    assert "__lw_grid" not in compile_ptx(compile_cuda(Source(text), CudaOptions()).text, "sm_80")
