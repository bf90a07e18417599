# SPDX-License-Identifier: Apache-2.0
"""The command line with files in OpenCL C."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[[str], Any]

REVERSE = """\
__kernel void reverse_each(__global float *out, __global const float *in, __local float *tile) {
    size_t own = get_local_id(0), size = get_local_size(0);
    tile[own] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[size - 1 - own];
}
"""


@pytest.fixture
def source(folder: Path) -> Path:
    path = folder / "reverse.cl"
    path.write_text(REVERSE)
    return path


def test_run_with_local_memory(run: Run, source: Path):
    arguments = "--grid 2 --block 4 -a out=zeros[8] -a in=arange[8] -a tile=local:16"
    for line in (f"run {source} {arguments}", f"run {source} {arguments} --option=-cl-mad-enable --device reference"):
        done = run(line)
        assert done.code == 0, done.err
        assert "min 0, max 7  first 3 2 1 0 7 ..." in done.out


@pytest.mark.parametrize("value", ["zeros[4]", "zeros:f32[4]", "local:f32[4]", "local", "64", "null", "@tile.npy"])
def test_what_stands_for_local_memory(run: Run, source: Path, value: str):
    done = run(f"run {source} -a out=zeros[8] -a in=arange[8] -a tile={value}")
    assert done.code == 2
    assert "expected bytes of local memory, such as local:256 (the parameter is __local float *tile)" in done.err


def test_help_names_the_language(run: Run):
    assert "OpenCL C (.cl)" in run("run --help").out
    assert "local:256" in run("run --help").out


def test_a_file_without_kernels(run: Run, source: Path):
    source.write_text("float twice(float x) { return 2 * x; }")
    done = run(f"run {source}")
    assert done.code == 1
    assert "__kernel in OpenCL C" in done.err
