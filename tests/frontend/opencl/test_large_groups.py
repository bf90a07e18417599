# SPDX-License-Identifier: Apache-2.0
"""Work-groups and ranges beyond CUDA's limits, which LLVM knows and would fold comparisons by."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from tests.frontend.opencl.running import DEVICES

import lanewise as lw

SUMS = """
__kernel void sums(__global uint *out, __global const uint *in, __local uint *tile) {
  size_t own = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
  size_t size = get_local_size(0) * get_local_size(1) * get_local_size(2);
  size_t at = get_group_id(0) * size + own;
  tile[own] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t step = size / 2; step > 0; step >>= 1) {
    if (own < step) tile[own] += tile[own + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = tile[0] + (own < 1024) + 2 * (get_local_id(2) < 64) + 4 * (size < 1025);
}
"""
PLACES = """
__kernel void places(__global uint *out) {
  out[get_global_id(1)] = (get_group_id(1) < 65535) + 2 * (get_num_groups(1) < 65537);
}
__kernel void alone(__global uint *out) { if (get_group_id(1) >= 65535) out[0] = 1; }
"""


def check_sums(module: lw.Module, local: int | tuple[int, ...], device: str) -> None:
    x, y, z = (*((local,) if isinstance(local, int) else local), 1, 1)[:3]
    size = x * y * z
    values = np.arange(2 * size, dtype=np.uint32)
    own = np.arange(2 * size) % size
    wanted = values.reshape(2, size).sum(1).repeat(size) + (own < 1024) + 2 * (own // (x * y) < 64) + 4 * (size < 1025)
    out = np.zeros_like(values)
    module["sums"].ndrange((2 * x, y, z), (x, y, z), device=device)(out, values, lw.local(4 * size))
    np.testing.assert_array_equal(out, wanted, f"{local} on {device}")


@pytest.mark.parametrize("mapping", ["auto", "loop", "lanes:8x4"])
@pytest.mark.parametrize("local", [2048, 8192, (64, 64), (4, 2, 256)])
def test_sizes_on_the_cpu(local: int | tuple[int, ...], mapping: str):
    check_sums(lw.compile(SUMS, mapping=mapping), local, "cpu")


@pytest.mark.parametrize("local", [2048, (4, 2, 128)])
def test_sizes_on_the_reference_device(local: int | tuple[int, ...]):
    check_sums(lw.compile(SUMS), local, "reference")


def test_saved_modules(tmp_path: Path):
    lw.compile(SUMS).save(tmp_path / "sums.lwo", blocks={"sums": [4096]})
    for local in (4096, 2048):
        check_sums(lw.load(tmp_path / "sums.lwo"), local, "cpu")


def test_more_groups_along_y_than_cuda_has(tmp_path: Path):
    module = lw.compile(PLACES)
    module.save(tmp_path / "places.lwo")
    for launched, devices in ((module, DEVICES), (lw.load(tmp_path / "places.lwo"), ("cpu",))):
        for device in devices:
            out, one = np.zeros(65540, np.uint32), np.zeros(1, np.uint32)
            launched["places"].ndrange((1, 65540), (1, 1), device=device)(out)
            assert out.tolist() == [1] * 65535 + [0] * 5
            launched["places"].ndrange((1, 5), (1, 1), device=device)(out)
            assert out[:6].tolist() == [3] * 5 + [1]
            launched["alone"].ndrange((1, 5), (1, 1), device=device)(one)
            assert one[0] == 0
            launched["alone"].ndrange((1, 65540), (1, 1), device=device)(one)
            assert one[0] == 1


@pytest.mark.parametrize(
    ("local", "said"),
    [
        (8193, r"local size \(8193\): x must be 1 to 8192, not 8193"),
        ((2, 4097), r"local size \(2, 4097, 1\) has 8194 work-items; a work-group has at most 8192"),
    ],
)
def test_the_limit(local: int | tuple[int, ...], said: str):
    kernel = lw.compile(PLACES)["places"]
    with pytest.raises(lw.LaunchError, match=said):
        kernel.ndrange(local, local)
    assert kernel.remarks(8192)


def test_blocks_of_cuda_keep_its_limit():
    kernel = lw.compile("__global__ void k(int *p) { *p = 1; }")["k"]
    for launch in (lambda: kernel.ndrange(2048, 2048), lambda: kernel[1, 2048], lambda: kernel.remarks(2048)):
        with pytest.raises(lw.LaunchError, match="x must be 1 to 1024, not 2048"):
            cast(Any, launch())(np.zeros(1, np.int32))
