# SPDX-License-Identifier: Apache-2.0
"""What a kernel's declaration demands of its launches is held against each, on every device."""

from collections.abc import Callable

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
extern "C" __global__ void __launch_bounds__(96, 2) bounded(int *out) { out[threadIdx.x] = 1; }
template <int N> __global__ void __launch_bounds__(N) sized(int *out) { out[threadIdx.x] = N; }
template __global__ void sized<32>(int *);
extern "C" __global__ void unbounded(int *out) { out[threadIdx.x] = 1; }
"""

IR = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @exact(ptr %out) #0 {
  store i32 1, ptr %out
  ret void
}
define ptx_kernel void @clustered(ptr %out) "nvvm.cluster_dim"="2,3,1" {
  store i32 1, ptr %out
  ret void
}
define ptx_kernel void @most(ptr %out) "nvvm.maxntid"="8,4,2" {
  store i32 1, ptr %out
  ret void
}
attributes #0 = { nounwind "nvvm.reqntid"="8,2" }
"""

DEVICES = ("cpu", "reference")


@pytest.mark.parametrize("device", DEVICES)
def test_a_larger_block_is_refused(compile_cuda: Callable[[str], lw.Module], device: str):
    kernel = compile_cuda(SOURCE)["bounded"]
    out = np.zeros(128, np.int32)
    with pytest.raises(lw.LaunchError, match=r"^kernel bounded: block \(97, 1, 1\) has 97 threads, more than the 96 "
                       r"of the kernel's __launch_bounds__$"):  # fmt: skip
        kernel.launch(1, 97, (out,), device=device)
    with pytest.raises(lw.LaunchError, match="98 threads"):
        kernel.launch(1, [49, 2], (out,), device=device)
    assert not out.any()
    kernel.launch(1, 96, (out,), device=device)
    assert out.sum() == 96


def test_bounds_of_a_template_instance_and_of_none(compile_cuda: Callable[[str], lw.Module]):
    module, out = compile_cuda(SOURCE), np.zeros(1024, np.int32)
    with pytest.raises(lw.LaunchError, match="more than the 32 of"):
        module["sized<32>"][1, 33](out)
    module["unbounded"][1, 1024](out)
    assert out.all()


@pytest.mark.parametrize("device", DEVICES)
def test_bounds_that_the_ir_names(device: str):
    module, out = lw.compile(IR, language="ir"), np.zeros(1, np.int32)
    module["exact"].launch(1, (8, 2), (out,), device=device)
    for block in ((8, 1), (2, 8), 16):
        with pytest.raises(lw.LaunchError, match=r"is not \(8, 2, 1\), which the kernel's declaration requires"):
            module["exact"].launch(1, block, (out,), device=device)
    module["clustered"].launch((4, 3), 1, (out,), device=device)
    with pytest.raises(lw.LaunchError, match=r"grid \(4, 4, 1\) is not a multiple of .* cluster of \(2, 3, 1\) blocks"):
        module["clustered"].launch((4, 4), 1, (out,), device=device)
    module["most"].launch(1, 64, (out,), device=device)
    with pytest.raises(lw.LaunchError, match="65 threads, more than the 64"):
        module["most"].launch(1, 65, (out,), device=device)
