# SPDX-License-Identifier: Apache-2.0
"""Half precision and bfloat16 as arguments, and what they become in PTX."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
#include <cuda_bf16.h>
#include <cuda_fp16.h>
struct Mixed { __nv_bfloat16 a; __half b; __bf16 c[2]; };
__global__ void add(float *out, __bf16 x, __half h, Mixed m, __nv_bfloat162 pair) {
  out[threadIdx.x] = (float)x + (float)h + (float)m.a + (float)m.b + (float)m.c[1] + (float)pair.y;
}
__global__ void scale(__nv_bfloat16 *data, __nv_bfloat16 by) { data[threadIdx.x] *= by; }
__global__ void between(__half *h, __nv_bfloat16 *b, volatile __half *v) {
  h[0] = static_cast<__half>(b[0]); b[1] = static_cast<__nv_bfloat16>(h[1]); h[2] = v[0]; h[3] = (half)b[2];
}
__global__ void pairs(__half2 *out, const __half2 *a) { out[0] = __hfma2(a[0], a[1], __hadd2(a[2], a[3])); }
"""


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_numbers_by_value_are_rounded_to_their_type(module: lw.Module, device: str):
    out = np.zeros(2, np.float32)
    third = 1 / 3  # 0.333984375 as bfloat16
    module["add"].launch(
        1, 2, (out, third, np.float16(1.5), (1.0, 2.0, (3.0, 4.0)), (5.0, 6.0)), device=lw.device(device)
    )
    assert out.tolist() == [0.333984375 + 14.5] * 2


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_each_type_converts_to_the_other_rounded_once(module: lw.Module, device: str):
    h, b = np.array([0, 1 + 2**-8 + 2**-10, 0, 0], np.float16), np.array([0x4049, 0, 0x4780], np.uint16)
    module["between"].launch(1, 1, (h, b, np.array([-2.5], np.float16)), device=lw.device(device))
    assert h[0] == 3.140625  # 0x4049, exactly
    assert b[1] == 0x3F81  # 1 + 2^-7, the nearest
    assert h[2] == -2.5
    assert h[3] == np.inf  # 65536 is beyond half's range


def test_pointers_to_bfloat16_take_its_bits(module: lw.Module):
    bits = np.array([0x3F80, 0x4040, 0x8001], np.uint16)
    module["scale"][1, 3](bits, -2)
    assert bits.tolist() == [0xC000, 0xC0C0, 0x0002]
    with pytest.raises(lw.LaunchError, match="needs an array of dtype"):
        module["scale"][1, 3](bits.astype(np.int16), 2)
    with pytest.raises(lw.LaunchError, match="__nv_bfloat16"):
        module["scale"][1, 3](bits, "2")


@pytest.mark.parametrize("arch", ["sm_75", "sm_80", "sm_90"])
def test_ptx_has_the_packed_instructions(arch: str, tmp_path: Path):
    ptx = lw.compile(SOURCE, language="cuda", arch=arch).ptx(arch=arch)
    assert re.search(r"fma\.rn\.f16x2\s", ptx)
    assert re.search(r"add\.rn\.f16x2\s", ptx)
    assembler = shutil.which("ptxas")
    if assembler is None:
        pytest.skip("no ptxas to assemble with")
    file = tmp_path / "k.ptx"
    file.write_text(ptx)
    subprocess.run([assembler, f"-arch={arch}", "-o", tmp_path / "k.cubin", file], check=True)
