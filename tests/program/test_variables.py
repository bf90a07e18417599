# SPDX-License-Identifier: Apache-2.0
"""`__device__` and `__constant__` variables from Python."""

from typing import Any

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
struct P { float x, y; unsigned char tag; };
__device__ int counter = 3;
__constant__ float table[2][3] = {{1, 2, 3}};
__device__ P particles[2];
__device__ float4 vector;
__device__ bool flag = true;
__device__ const char *text = "hello";
__device__ int unused = 5;
namespace inside { __device__ short small = -7; }
template <typename T> __global__ void count(T step) { atomicAdd(&counter, (int)step); }
template __global__ void count<int>(int);
__global__ void read_all(float *out) {
    out[0] = counter; out[1] = table[0][1]; out[2] = particles[1].y; out[3] = vector.z; out[4] = flag;
    out[5] = text[0]; out[6] = inside::small;
}
"""


@pytest.fixture
def module() -> lw.Module:
    """A module with values of its own."""
    return lw.compile(SOURCE, language="cuda")


def seen(module: lw.Module) -> list[float]:
    out = np.zeros(7, np.float32)
    module["read_all"][1, 1](out)
    return out.tolist()


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_initial_values(module: lw.Module, device: str):
    def read(name: str) -> Any:
        return module.variable(name, device).read().tolist()

    assert read("counter") == 3
    assert read("table") == [[1, 2, 3], [0, 0, 0]]
    assert read("particles") == [(0, 0, 0), (0, 0, 0)]
    assert read("vector") == (0, 0, 0, 0)
    assert read("flag") is True
    assert read("small") == -7


def test_dtypes_and_shapes(module: lw.Module):
    table = module.variable("table")
    assert (table.name, table.dtype, table.shape) == ("table", np.float32, (2, 3))
    assert repr(table) == "<variable table: float32 (2, 3)>"
    assert module.variable("particles").dtype.names == ("x", "y", "tag")


def test_kernels_see_what_is_written(module: lw.Module):
    assert seen(module) == [3, 2, 0, 0, 1, ord("h"), -7]
    module.variable("counter").write(41)
    module.variable("table").write(np.arange(6).reshape(2, 3))
    module.variable("particles").write(np.array([(1, 2, 3), (4, 5, 6)], module.variable("particles").dtype))
    module.variable("vector").write((1, 2, 8, 4))
    module.variable("flag").write(False)
    assert seen(module) == [41, 1, 5, 8, 0, ord("h"), -7]
    module["count<int>"][4, 4](2)
    assert module.variable("counter").read() == 73


def test_a_value_is_broadcast(module: lw.Module):
    module.variable("table").write(2.5)
    assert (module.variable("table").read() == 2.5).all()


def test_what_is_read_is_a_copy(module: lw.Module):
    module.variable("table").read()[:] = 9
    assert module.variable("table").read()[0, 0] == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("counter", [1, 2]),
        ("counter", 1.5),
        ("counter", 2**31),
        ("counter", "x"),
        ("counter", None),
        ("counter", -(2**70)),
        ("small", 40000),
        ("flag", 2),
        ("table", np.zeros((3, 2))),
        ("table", "abc"),
        ("table", 1j),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_changes(module: lw.Module, name: str, value: Any):
    variable = module.variable(name)
    before = variable.read()
    with pytest.raises(lw.LaunchError, match=f"variable {name} has dtype .* and shape .*; can't write "):
        variable.write(value)
    assert (variable.read() == before).all()


def test_a_missing_variable_is_named_with_those_there(module: lw.Module):
    with pytest.raises(
        lw.CompileError, match=r"no __device__ or __constant__ variable 'nope' .*it has: counter, table"
    ) as error:
        module.variable("nope")
    assert ".str" not in str(error.value)


def test_values_outlive_a_new_template_instance(module: lw.Module):
    counter = module.variable("counter")
    old = module["count<int>"]
    old[1, 8](1)
    assert counter.read() == 11
    new = module["count<short>"]
    assert counter.read() == module.variable("counter").read() == 11
    new[1, 8](2)
    old[1, 8](1)
    counter.write(counter.read() + 100)
    assert module.variable("counter").read() == 135


def test_pointers_between_variables_outlive_a_new_template_instance():
    module = lw.compile(
        """
        __device__ int data[2] = {1, 2};
        __device__ int *second = &data[1];
        template <typename T> __global__ void bump(T by) { *second += by; }
        template __global__ void bump<int>(int);
        """,
        language="cuda",
    )
    module["bump<int>"][1, 1](10)
    module["bump<short>"][1, 1](100)
    assert module.variable("data").read().tolist() == [1, 112]


def test_modules_have_variables_of_their_own(module: lw.Module):
    other = lw.compile(SOURCE, language="cuda")
    module.variable("counter").write(50)
    assert other.variable("counter").read() == 3


def test_devices_have_variables_of_their_own(module: lw.Module):
    module["count<int>"].launch(1, 4, (1,), device="reference")
    assert module.variable("counter", "reference").read() == 7
    assert module.variable("counter").read() == 3
