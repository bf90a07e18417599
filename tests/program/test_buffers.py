# SPDX-License-Identifier: Apache-2.0
"""Buffers: parts and views of them, copies, and what other libraries see."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void add_one(float *p) { p[blockIdx.x] += 1; }
__global__ void read_at(const float *p, float *out, int i) { *out = p[i]; }
"""


@pytest.fixture
def module(compile_cuda: Callable[[str], lw.Module]) -> lw.Module:
    return compile_cuda(SOURCE)


@pytest.fixture
def buffer() -> lw.Buffer:
    return lw.to_device(np.arange(12, dtype=np.float32))


def test_a_buffer_is_a_copy():
    source = np.ones(3)
    buffer = lw.to_device(source)
    source[:] = 2
    assert (buffer.copy_to_host() == 1).all()


def test_parts_share_memory_and_kernels_write_to_them(module: lw.Module, buffer: lw.Buffer):
    module["add_one"][3, 1](buffer[4:7])
    expected = np.arange(12, dtype=np.float32)
    expected[4:7] += 1
    assert (buffer.copy_to_host() == expected).all()


@pytest.mark.parametrize("index", [3, -1, slice(2, 5), slice(None, None, 2), (1, slice(0, 2)), (..., 1), None, ()])
def test_indices_mean_what_numpy_means(index: Any):
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    part = lw.to_device(array)[0 if index == 3 else index]
    wanted = array[0 if index == 3 else index]
    assert part.shape == np.shape(wanted)
    assert (part.copy_to_host() == wanted).all()


def test_an_element_is_a_buffer_without_axes(module: lw.Module, buffer: lw.Buffer):
    module["add_one"][1, 1](buffer[3])
    assert buffer[3].shape == ()
    assert float(buffer[3].copy_to_host()) == 4


def test_writing_parts(buffer: lw.Buffer):
    buffer[2:4] = 7
    buffer[4:6] = buffer[2:4]
    buffer[0] = np.float64(9)
    assert buffer.copy_to_host()[:7].tolist() == [9, 1, 7, 7, 7, 7, 6]


def test_shapes_and_types_share_memory(buffer: lw.Buffer):
    buffer.reshape(3, -1)[1, 2] = 50
    assert buffer.copy_to_host()[6] == 50
    assert buffer.view(np.uint32).copy_to_host()[1] == 0x3F800000
    assert buffer.reshape(3, 4).strides == (16, 4)
    assert (len(buffer.reshape(3, 4)), buffer.reshape(3, 4).ndim, buffer.size) == (3, 2, 12)


def test_a_part_is_all_that_the_reference_device_lets_a_kernel_touch(module: lw.Module):
    buffer, out = lw.to_device(np.arange(12, dtype=np.float32), "reference"), lw.zeros(1, device="reference")
    with lw.on("reference"), pytest.raises(lw.LaunchError, match=r"past the end of argument 'p' \(12 bytes\)"):
        module["read_at"][1, 1](buffer[4:7], out, 3)


def test_strided_parts_are_refused_by_kernels(module: lw.Module, buffer: lw.Buffer):
    with pytest.raises(lw.LaunchError, match="not C-contiguous"):
        module["add_one"][3, 1](buffer[::2])


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (lambda b: b[[0, 1]], "a buffer is indexed by integers, slices, None and"),
        (lambda b: b[True], "a buffer is indexed by"),
        (lambda b: b.reshape(5, 5), "can't be reshaped to"),
        (lambda b: b.reshape(3, 4)[:, :2].reshape(6), "without a copy"),
        (lambda b: b[:3].view(np.float64), "can't be viewed as"),
        (lambda b: b.copy_from_host(np.ones(5)), "can't copy to <buffer float32"),
        (lambda b: b.copy_to_host(np.empty(12)), "out has shape"),
        (lambda b: lw.empty((2, -1)), "no buffer of shape"),
        (lambda b: lw.zeros(3, "nonsense"), "no buffer of shape 3 and dtype nonsense"),
        (lambda b: lw.to_device([[1, 2], [3]]), "no buffer of these values: .*inhomogeneous"),
        (lambda b: lw.to_device([1], cast(Any, 5)), "a device is a name or what"),
        (lambda b: lw.to_device(np.array([object()])), "a device holds no Python objects"),
        (lambda b: lw.zeros(1 << 60), "no buffer of shape"),
    ],
)
def test_mistakes(buffer: lw.Buffer, mistake: Callable[[lw.Buffer], object], message: str):
    with pytest.raises(lw.Error, match=message):
        mistake(buffer)


def test_copies_to_an_array_that_is_there(buffer: lw.Buffer):
    out = np.empty(12, np.float32)
    assert buffer.copy_to_host(out) is out
    assert (out == np.arange(12)).all()


def test_other_libraries_see_the_same_memory():
    buffer = lw.to_device(np.arange(12, dtype=np.float32), "cpu")
    for array in (np.asarray(buffer), np.from_dlpack(buffer)):  # pyright: ignore[reportArgumentType]
        array[5] += 10
    assert buffer.copy_to_host()[5] == 25
    assert np.array(buffer, copy=True).base is None


def test_buffers_begin_where_wide_vectors_may(buffer: lw.Buffer):
    for made in (buffer, lw.empty(3, "int8"), lw.zeros((2, 2), "float64")):
        assert made.address % 256 == 0
