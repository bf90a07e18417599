# SPDX-License-Identifier: Apache-2.0
"""Reductions, scans, broadcasts and votes of a work-group (OpenCL C 3.0, 6.15.16)."""

from typing import Any

import numpy as np
import pytest

import lanewise as lw

TYPES = {
    "int": np.int32, "uint": np.uint32, "long": np.int64, "ulong": np.uint64, "float": np.float32,
    "double": np.float64, "half": np.float16,
}  # fmt: skip
FUNCTIONS = {"add": np.add, "min": np.minimum, "max": np.maximum}
CASES = [
    ("int", "add"), ("uint", "min"), ("long", "max"), ("ulong", "add"), ("float", "max"), ("double", "add"),
    ("half", "min"),
]  # fmt: skip

ARITHMETIC = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel ATTRIBUTE void k(global T *out, global const T *in) {
  size_t i = get_global_linear_id();
  out[3 * i] = work_group_reduce_NAME(in[i]);
  out[3 * i + 1] = work_group_scan_inclusive_NAME(in[i]);
  out[3 * i + 2] = work_group_scan_exclusive_NAME(in[i]);
}
"""
OTHERS = """
kernel void k(global int *out, global const int *in, int z) {
  size_t i = get_global_linear_id();
  int found = z ? work_group_broadcast(in[i], 3, 1, 0) : work_group_broadcast(in[i], 2, 1);
  out[i] = found + 100 * work_group_any(in[i] == 3) + 1000 * work_group_all(in[i] < 50);
}
"""


def arithmetic(type_: str, name: str, attribute: str = "") -> Any:
    text = ARITHMETIC.replace("T *", f"{type_} *").replace("NAME", name).replace("ATTRIBUTE", attribute)
    return lw.compile(text, language="opencl", options="-cl-std=CL3.0")["k"]


def expected(type_: str, name: str, values: Any) -> Any:
    """A row for each work-item of a group, in linear order."""
    dtype = np.dtype(TYPES[type_])
    of_integers = np.iinfo(dtype) if dtype.kind != "f" else None
    least, most = (of_integers.min, of_integers.max) if of_integers is not None else (-np.inf, np.inf)
    scan = FUNCTIONS[name].accumulate(values.ravel())
    before = np.concatenate([np.array([{"add": 0, "min": most, "max": least}[name]], dtype), scan[:-1]])
    return np.stack([np.full_like(scan, scan[-1]), scan, before], 1)


def check(type_: str, name: str, size: tuple[int, int], local: tuple[int, int], device: str, function: Any) -> None:
    values = np.random.default_rng(1).integers(0, 60, size[::-1]).astype(TYPES[type_])
    out = np.zeros((*size[::-1], 3), TYPES[type_])
    function.ndrange(size, local, device=device)(out, values)
    for y in range(0, size[1], local[1]):
        for x in range(0, size[0], local[0]):
            place = slice(y, y + local[1]), slice(x, x + local[0])
            assert np.array_equal(out[place].reshape(-1, 3), expected(type_, name, values[place])), (device, size)


@pytest.mark.parametrize(("type_", "name"), CASES)
def test_a_work_group_agrees(type_: str, name: str) -> None:
    function = arithmetic(type_, name)
    for device in ("cpu", "reference"):
        check(type_, name, (16, 6), (8, 6), device, function)


def test_a_work_group_that_is_cut_off_agrees() -> None:
    function = arithmetic("int", "add")
    for device in ("cpu", "reference"):
        check("int", "add", (13, 13), (9, 11), device, function)


@pytest.mark.parametrize("width", [8, 64])
def test_sub_groups_of_other_sizes_agree_too(width: int) -> None:
    function = arithmetic("int", "add", f"__attribute__((intel_reqd_sub_group_size({width})))")
    for device in ("cpu", "reference"):
        check("int", "add", (16, 5), (16, 5), device, function)


def test_the_largest_work_group_agrees() -> None:
    check("int", "add", (4096, 2), (4096, 2), "cpu", arithmetic("int", "add"))


def test_one_value_and_votes_reach_all() -> None:
    function = lw.compile(OTHERS, language="opencl", options="-cl-std=CL3.0")["k"]
    rng = np.random.default_rng(2)
    for device in ("cpu", "reference"):
        for z, least, most in ((0, 0, 40), (1, 4, 60), (0, 30, 90)):
            values, out = rng.integers(least, most, (3, 7)).astype(np.int32), np.zeros((3, 7), np.int32)
            function.ndrange((7, 3), (7, 3), device=device)(out, values, z)
            votes = 100 * int((values == 3).any()) + 1000 * int((values < 50).all())
            assert (out == values[1, 3 if z else 2] + votes).all()
