# SPDX-License-Identifier: Apache-2.0
"""Atomic functions (6.12.11 and cl_khr_int64_*_atomics), barriers and fences (6.12.8, 6.12.9)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from tests.frontend.opencl.running import DEVICES, DTYPES

import lanewise as lw

INT64 = """
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
"""
# What is left of 77 after one work-item for each of 0 .. 63 has come with its number plus 3.
OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "add": lambda old, v: old + v,
    "sub": lambda old, v: old - v,
    "min": min,
    "max": max,
    "and": lambda old, v: old & v,
    "or": lambda old, v: old | v,
    "xor": lambda old, v: old ^ v,
}


@pytest.mark.parametrize(("prefix", "type_"), [
    ("atomic", "int"), ("atomic", "uint"), ("atom", "int"), ("atom", "uint"), ("atom", "long"), ("atom", "ulong"),
])  # fmt: skip
@pytest.mark.parametrize("space", ["global", "local"])
def test_atomic_functions(prefix: str, type_: str, space: str):
    names = list(OPERATIONS)
    calls = "".join(f"{prefix}_{name}(places + {i}, ({type_})(item + 3));\n" for i, name in enumerate(names))
    local = f"local {type_} near[16];"
    text = f"""{INT64}kernel void k(global {type_} *out, global {type_} *seen) {{
      int item = get_local_id(0);
      {local if space == "local" else ""}
      volatile {space} {type_} *places = {"near" if space == "local" else "out"};
      if (item < 16) places[item] = item < 8 ? 77 : 0;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      {calls}
      seen[item] = {prefix}_inc(places + 8);
      seen[64 + item] = {prefix}_dec(places + 9);
      seen[128 + item] = {prefix}_xchg(places + 10, ({type_})(item + 1));
      {prefix}_cmpxchg(places + 11, ({type_})item, ({type_})(item + 1));
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (item < 16) out[item] = places[item];
    }}"""
    kernel = lw.compile(text, language="opencl")["k"]
    for device in DEVICES:
        out, seen = np.zeros(16, DTYPES[type_]), np.zeros((3, 64), DTYPES[type_])
        kernel.ndrange(64, 64, device=device)(out, seen)
        wanted = np.zeros(16, DTYPES[type_])
        low, high = int(np.iinfo(DTYPES[type_]).min), int(np.iinfo(DTYPES[type_]).max)
        for i, operation in enumerate(OPERATIONS.values()):
            value = 77
            for item in range(64):
                value = operation(value, item + 3)
            wanted[i] = (value - low) % (high - low + 1) + low
        np.testing.assert_array_equal(out[:7], wanted[:7], device)
        assert sorted(seen[0].tolist()) == list(range(64))
        assert sorted((-seen[1]).tolist()) == list(range(64))
        assert out[8] == 64
        assert out[9] == np.array(64, DTYPES[type_]) * DTYPES[type_](high if low == 0 else -1)
        assert sorted([*seen[2].tolist(), int(out[10])]) == list(range(65))
        assert out[11] in range(1, 65)


def test_exchange_of_floats():
    text = (
        "kernel void k(global float *p) { p[1 + get_global_id(0)] = atomic_xchg(p, (float)get_global_id(0) + 0.5f); }"
    )
    kernel = lw.compile(text, language="opencl")["k"]
    for device in DEVICES:
        p = np.zeros(65, np.float32)
        kernel.ndrange(64, device=device)(p)
        assert sorted(p.tolist()) == [0.0, *(i + 0.5 for i in range(64))]


def test_fences_are_fences():
    text = """kernel void k(global int *p) {
      p[0] = 1; mem_fence(CLK_GLOBAL_MEM_FENCE); p[1] = 2; read_mem_fence(CLK_LOCAL_MEM_FENCE); p[2] = 3;
      write_mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }"""
    ptx = lw.compile(text, language="opencl").ptx()
    assert ptx.count("membar.gl") + ptx.count("fence.acq_rel.gpu") >= 2
    assert "membar.cta" in ptx or "fence.acq_rel.cta" in ptx
