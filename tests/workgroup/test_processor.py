# SPDX-License-Identifier: Apache-2.0
"""What decides how work-groups are mapped: where the system says something of it, and what follows."""

from pathlib import Path

import pytest

from lanewise.llvm import Machine
from lanewise.pipelines import kernel_compilation
from lanewise.pipelines.target import CpuTarget
from lanewise.program.source.compilation import compile_source
from lanewise.workgroup.processor import Processor, first_cache_ways

from .parts import session


@pytest.mark.parametrize(("told", "expected"), [("12\n", 12), ("8\n", 8), ("", 8), (None, 8)])
def test_ways(tmp_path: Path, told: str | None, expected: int):
    if told is not None:
        (tmp_path / "ways_of_associativity").write_text(told)
    assert first_cache_ways(tmp_path) == expected


@pytest.mark.parametrize("rows", [8, 16])
def test_lanes_that_walk_along_rows(monkeypatch: pytest.MonkeyPatch, rows: int):
    target = CpuTarget(Machine.host(), Processor(lanes=16, rows=rows))
    monkeypatch.setattr(kernel_compilation, "host_target", lambda: target)
    source = """
    __global__ void sums(float *out, const float *in, const float *by, int n) {
        int row = blockIdx.x * blockDim.x + threadIdx.x;
        float sum = 0;
        for (int k = 0; k < n; ++k) sum += in[row * n + k] * by[k];
        out[row] = sum;
    }
    """
    remark, *_ = compile_source(session(), source, language="cuda")["sums"].remarks(64)
    assert f"{rows} lanes" in remark
    assert ("narrow" in remark) == (rows < 16)
