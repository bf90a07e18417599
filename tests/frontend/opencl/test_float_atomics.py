# SPDX-License-Identifier: Apache-2.0
"""Atomic operations on floating-point numbers (cl_ext_float_atomics), of each type and memory."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
#pragma OPENCL EXTENSION cl_ext_float_atomics : enable
#if !__opencl_c_ext_fpBITS_global_atomic_add || !__opencl_c_ext_fpBITS_local_atomic_min_max
#error "without the features"
#endif
kernel void k(global TYPE *out, global atomic_TYPE *sums) {
  local atomic_TYPE own[2];
  atomic_TYPE *any = sums;
  TYPE x = get_global_id(0) + 1;
  if (get_local_id(0) == 0) {
    atomic_init(&own[0], 0);
    atomic_init(&own[1], 0.5);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add(&sums[0], x);
  atomic_fetch_sub_explicit(any + 1, x, memory_order_relaxed);
  atomic_fetch_max_explicit(&sums[2], x, memory_order_relaxed, memory_scope_device);
  atomic_fetch_min(any + 3, -x);
  atomic_fetch_add_explicit(&own[0], x, memory_order_relaxed, memory_scope_work_group);
  atomic_fetch_max(&own[1], x);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    out[2 * get_group_id(0)] = atomic_load(&own[0]);
    out[2 * get_group_id(0) + 1] = atomic_fetch_min(&own[1], 3);
  }
}
"""


@pytest.mark.parametrize(("name", "bits"), [("float", 32), ("double", 64)])
def test_operations_of_each_memory(name: str, bits: int) -> None:
    text = SOURCE.replace("TYPE", name).replace("BITS", str(bits))
    module = lw.compile(text, language="opencl", options="-cl-std=CL3.0")
    assert not module.warnings
    for device in ("cpu", "reference", "simt"):
        out, sums = np.zeros(8, f"f{bits // 8}"), np.array([1, 0, 0, 0], f"f{bits // 8}")
        module["k"].ndrange(32, 8, device=device)(out, sums)
        assert sums.tolist() == [529, -528, 32, -32], device
        assert out.tolist() == [36, 8, 100, 16, 164, 24, 228, 32], device


def test_before_version_2_there_are_none() -> None:
    text = "#ifdef cl_ext_float_atomics\n#error there\n#endif\nkernel void k(global int *p) { p[0] = 1; }"
    assert lw.compile(text, language="opencl").kernels == ("k",)
