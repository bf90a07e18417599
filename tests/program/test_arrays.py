# SPDX-License-Identifier: Apache-2.0
"""Arrays as arguments: what may stand for a pointer, and what may not."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void twice(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
__global__ void is_null(int *p, int *out) { *out = p == nullptr; }
__global__ void touch(void *memory, int (*rows)[4], const int &reference, int *out) {
    ((unsigned char *)memory)[1] = 7; rows[1][2] = 9; *out = reference;
}
__global__ void bytes(char *c, signed char *s, unsigned char *u, bool *b) { *c = 1; *s = 2; *u = 3; *b = true; }
"""


class WithInterface:
    """An array of another library, by NumPy's protocol."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.__array_interface__ = array.__array_interface__


class WithDlpack:
    """An array of another library, by DLPack."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


class OnAnotherDevice(WithDlpack):
    def __dlpack_device__(self) -> Any:
        return 2, 0  # CUDA

    def __dlpack__(self, **options: Any) -> Any:
        raise BufferError("not on the host")


@pytest.fixture
def module(compile_cuda: Callable[[str], lw.Module]) -> lw.Module:
    return compile_cuda(SOURCE)


@pytest.fixture
def x() -> np.ndarray:
    return np.arange(8, dtype=np.float32)


def read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("wrap", [np.asarray, WithInterface, WithDlpack])
def test_arrays_of_any_library_are_used_in_place(module: lw.Module, x: np.ndarray, wrap: Callable[[Any], Any]):
    y = np.zeros(8, np.float32)
    module["twice"][1, 8](wrap(y), wrap(x), 8)
    assert (y == 2 * x).all()


def test_buffers_are_copies(module: lw.Module, x: np.ndarray):
    y = np.zeros(8, np.float32)
    buffer = lw.to_device(y)
    module["twice"][1, 8](buffer, lw.to_device(x, "cpu"), 8)
    assert (buffer.copy_to_host() == 2 * x).all()
    assert not y.any()
    assert (buffer.shape, buffer.dtype, buffer.nbytes) == ((8,), np.float32, 32)
    buffer.copy_from_host(np.ones(8))
    assert buffer.copy_to_host().sum() == 8


@pytest.mark.parametrize(
    ("y", "said"),
    [
        (np.zeros(8), r"float \* needs an array of dtype float32, not float64"),
        (np.zeros(8, ">f4"), r"needs an array of dtype float32, not >f4"),
        (np.zeros(8, np.int32), r"needs an array of dtype float32, not int32"),
        (np.zeros(16, np.float32)[::2], r"not C-contiguous \(strides \(8,\)\); pass np\.ascontiguousarray"),
        (np.zeros((2, 4), np.float32, order="F"), r"not C-contiguous"),
        (read_only(np.zeros(8, np.float32)), r"read-only, but the kernel may write through float \*"),
        (read_only(np.zeros(8, np.float32)).data, r"expected an array for float \*, not memoryview"),
        ([0.0] * 8, r"expected an array for float \*, not list"),
        (1.0, r"expected an array for float \*, not float 1\.0"),
        (np.float32(1), r"expected an array for float \*, not float32"),
        ("y", r"expected an array for float \*, not str 'y'"),
        (
            OnAnotherDevice(np.zeros(8, np.float32)),
            r"is in the memory of a GPU, which this device can't reach",
        ),
    ],
)
def test_what_no_kernel_may_write_to(module: lw.Module, x: np.ndarray, y: Any, said: str):
    with pytest.raises(lw.LaunchError, match=f"kernel twice: argument 'y': .*{said}"):
        module["twice"][1, 8](y, x, 8)


def test_a_read_only_array_may_be_read(module: lw.Module, x: np.ndarray):
    y = np.zeros(8, np.float32)
    module["twice"][1, 8](y, read_only(x.copy()), 8)
    assert (y == 2 * x).all()


def test_arrays_of_any_shape(module: lw.Module):
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    y = np.zeros_like(x)
    module["twice"][1, 24](y, x, 24)
    assert (y == 2 * x).all()


def test_arrays_without_elements(module: lw.Module):
    module["twice"][1, 8](np.zeros(0, np.float32), np.zeros((3, 0), np.float32), 0)


def test_none_is_the_null_pointer(module: lw.Module):
    out = np.full(1, 5, np.int32)
    module["is_null"][1, 1](None, out)
    assert out[0] == 1
    module["is_null"][1, 1](out, out)
    assert out[0] == 0


def test_void_pointers_take_anything_references_and_rows_too(module: lw.Module):
    memory, rows, out = np.zeros(3), np.zeros((2, 4), np.int32), np.zeros(1, np.int32)
    module["touch"][1, 1](memory, rows, np.array([5], np.int32), out)
    assert memory.view(np.uint8)[1] == 7
    assert rows[1, 2] == 9
    assert out[0] == 5


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.bool_, "S1"])
def test_bytes_are_bytes(module: lw.Module, dtype: Any):
    arrays = [np.zeros(1, dtype) for _ in range(4)]
    module["bytes"][1, 1](*arrays)
    assert [array.view(np.uint8)[0] for array in arrays] == [1, 2, 3, 1]
