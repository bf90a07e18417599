# SPDX-License-Identifier: Apache-2.0
"""Variables of a module, read and written from Python between launches."""

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__constant__ float factors[3] = {1, 2, 4};
__device__ unsigned counter = 100;
__device__ int grid[2][3];

__global__ void scaled(float *out) { out[threadIdx.x] = threadIdx.x * factors[threadIdx.x % 3]; }
__global__ void count() { atomicAdd(&counter, 1u); }
__global__ void fill() { grid[threadIdx.y][threadIdx.x] += 10 * threadIdx.y + threadIdx.x; }
"""


@pytest.fixture
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


def test_constant_is_initialised_and_can_be_replaced(module: lw.Module):
    out = np.zeros(6, np.float32)
    module["scaled"][1, 6](out)
    assert out.tolist() == [0, 2, 8, 3, 8, 20]
    module.variable("factors").write(np.array([3, 5, 7], np.float32))
    module["scaled"][1, 6](out)
    assert out.tolist() == [0, 5, 14, 9, 20, 35]


def test_device_variable_keeps_its_value_between_launches(module: lw.Module):
    for _ in range(3):
        module["count"][5, 4]()
    assert module.variable("counter").read() == 160


def test_array_has_the_shape_of_its_declaration(module: lw.Module):
    grid = module.variable("grid")
    grid.write(np.full((2, 3), 1000))
    module["fill"][1, (3, 2)]()
    assert grid.read().tolist() == [[1000, 1001, 1002], [1010, 1011, 1012]]


def test_two_compilations_share_no_variables(module: lw.Module):
    other = lw.compile(SOURCE, language="cuda")
    module["count"][1, 1]()
    assert other.variable("counter").read() == 100


def test_unknown_variable_is_named(module: lw.Module):
    with pytest.raises(lw.Error, match="nothing"):
        module.variable("nothing")


def test_value_of_another_shape_is_refused(module: lw.Module):
    with pytest.raises(lw.Error, match="factors"):
        module.variable("factors").write(np.zeros(4, np.float32))
