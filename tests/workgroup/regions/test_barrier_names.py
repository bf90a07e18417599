# SPDX-License-Identifier: Apache-2.0
"""Blocks after many barriers have short names: LLVM refuses those of more than 1024 characters."""

import re

import lanewise as lw


def test_two_hundred_barriers_in_a_row():
    steps = "\n".join(f"tile[t] += tile[t ^ {n % 63 + 1}] * {n}; __syncthreads();" for n in range(200))
    module = lw.compile(
        f"__global__ void k(int *p) {{ __shared__ int tile[64]; int t = threadIdx.x; tile[t] = p[t];"
        f"__syncthreads(); {steps} p[t] = tile[t]; }}",
        language="cuda",
        mapping="loop",
    )
    names = re.findall(r"^(\S+):$", module.ir("work-group", block=64), re.M)
    assert any(name.startswith("entry.after200") for name in names)
    assert max(map(len, names)) < 40
