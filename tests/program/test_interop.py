# SPDX-License-Identifier: Apache-2.0
"""Arrays of other libraries as arguments: PyTorch's tensors, and what looks like CuPy's arrays."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.program.arguments.foreign_arrays import ForeignArrayError, as_array

SOURCE = """
__global__ void twice(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
__global__ void flip(unsigned short *bits) { bits[threadIdx.x] ^= 0x8000; }
"""


@pytest.fixture
def module(compile_cuda: Callable[[str], lw.Module]) -> lw.Module:
    return compile_cuda(SOURCE)


class LikeCupy:
    """An array in a GPU's memory, as CuPy and Numba show theirs."""

    __cuda_array_interface__ = {  # noqa: RUF012 : the protocol's form
        "shape": (4,),
        "typestr": "<f4",
        "data": (0x7F0000000000, False),
        "version": 3,
    }


def test_memory_of_a_gpu_is_refused(module: lw.Module):
    with pytest.raises(lw.LaunchError, match="argument 'y': LikeCupy is in the memory of a GPU, which this device"):
        module["twice"][1, 4](LikeCupy(), np.ones(4, np.float32), 4)


def test_what_is_no_array_is_none():
    assert as_array([1, 2]) is None
    assert as_array("text") is None


def test_memory_lives_as_long_as_the_array():
    class Owner:
        def __init__(self) -> None:
            self.array = np.arange(1000.0)

        def __dlpack__(self, **options: Any) -> Any:
            return self.array.__dlpack__(**options)

    array = as_array(Owner())
    assert array is not None
    filler = [np.full(1000, -1.0) for _ in range(50)]
    assert (array == np.arange(1000.0)).all(), filler


@pytest.fixture(scope="module")
def torch() -> Any:
    return pytest.importorskip("torch", reason="PyTorch is not installed")


def test_tensors_are_used_in_place(module: lw.Module, torch: Any):
    x, y = torch.arange(6, dtype=torch.float32), torch.zeros(6)
    module["twice"][1, 8](y, x, 6)
    assert y.tolist() == [0, 2, 4, 6, 8, 10]


def test_buffers_are_tensors_too(module: lw.Module, torch: Any):
    buffer = lw.to_device(np.ones(6, np.float32))
    tensor = torch.from_dlpack(buffer)
    module["twice"][1, 8](buffer, tensor, 6)
    assert tensor.tolist() == [2] * 6


def test_bfloat16_comes_as_its_bits(module: lw.Module, torch: Any):
    tensor = torch.tensor([1.0, -2.0, 0.5], dtype=torch.bfloat16)
    module["flip"][1, 3](tensor)
    assert tensor.tolist() == [-1, 2, -0.5]
    view = as_array(torch.ones(3, 4, dtype=torch.bfloat16).T)
    assert view is not None
    assert (view.shape, view.strides, view.dtype) == ((4, 3), (2, 8), np.uint16)


def test_tensors_that_offer_no_memory(module: lw.Module, torch: Any):
    with pytest.raises(lw.LaunchError, match=r"argument 'y': Tensor offers no memory .*detach"):
        module["twice"][1, 8](torch.ones(6, requires_grad=True), torch.ones(6), 6)
    with pytest.raises(lw.LaunchError, match="not C-contiguous"):
        module["twice"][1, 8](torch.ones(6, 2)[:, 0], torch.ones(6), 6)
    with pytest.raises(ForeignArrayError, match=r"meta|DLPack"):
        as_array(torch.ones(3, device="meta"))
