# SPDX-License-Identifier: Apache-2.0
"""Reductions, scans, broadcasts and votes of a work-group, of each type (OpenCL C 3.0, 6.15.16)."""

from typing import Any

import numpy as np
import pytest

import lanewise as lw

TYPES = {
    "int": np.int32, "uint": np.uint32, "long": np.int64, "ulong": np.uint64, "float": np.float32,
    "double": np.float64, "half": np.float16,
}  # fmt: skip
SOURCE = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define NEXT(name) out[n++] = work_group_reduce_##name(x); out[n++] = work_group_scan_inclusive_##name(x); \
  out[n++] = work_group_scan_exclusive_##name(x);
kernel ATTRIBUTE void k(global T *all, global const T *in) {
  T x = in[get_global_linear_id()];
  global T *out = all + 11 * get_global_linear_id();
  int n = 0;
  NEXT(add) NEXT(min) NEXT(max)
  out[n++] = work_group_broadcast(x, 3, 1);
  out[n++] = work_group_any(x == 3) + 2 * work_group_all(x < 50);
}
"""
LEAST: dict[str, Any] = {"half": -np.inf, "float": -np.inf, "double": -np.inf}
MOST: dict[str, Any] = {"half": np.inf, "float": np.inf, "double": np.inf}


def kernel(name: str, attribute: str = "") -> Any:
    text = SOURCE.replace("T x", f"{name} x").replace("T *", f"{name} *").replace("const T", f"const {name}")
    return lw.compile(text.replace("ATTRIBUTE", attribute), language="opencl", options="-cl-std=CL3.0")["k"]


def expected(name: str, values: Any, broadcast: Any) -> Any:
    """A row for each work-item of a group, in linear order."""
    type_ = TYPES[name]
    count = len(values)
    limits = (None, None) if name in LEAST else (np.iinfo(type_).max, np.iinfo(type_).min)
    columns: list[Any] = []
    for function, first in (
        (np.add, 0),
        (np.minimum, MOST.get(name, limits[0])),
        (np.maximum, LEAST.get(name, limits[1])),
    ):
        scan = function.accumulate(values)
        columns += [np.full(count, scan[-1]), scan, np.concatenate([np.array([first], type_), scan[:-1]])]
    vote = int((values == 3).any()) + 2 * int((values < 50).all())
    columns += [np.full(count, broadcast), np.full(count, vote)]
    return np.array([column.astype(type_) for column in columns], type_).T


@pytest.mark.parametrize("name", TYPES)
def test_a_work_group_agrees(name: str) -> None:
    function = kernel(name)
    rng = np.random.default_rng(1)
    for device, size, local in (
        ("cpu", (8, 12), (8, 6)),
        ("reference", (8, 12), (8, 6)),
        ("cpu", (16, 5), (8, 5)),
        ("reference", (5, 7), (5, 4)),
        ("cpu", (5, 7), (5, 4)),
    ):
        items = size[0] * size[1]
        values = rng.integers(0, 60, items).astype(TYPES[name]).reshape(size[1], size[0])
        out = np.zeros((size[1], size[0], 11), TYPES[name])
        function.ndrange(size, local, device=device)(out, values)
        for y in range(0, size[1], local[1]):
            for x in range(0, size[0], local[0]):
                group = values[y : y + local[1], x : x + local[0]]
                found = out[y : y + local[1], x : x + local[0]].reshape(-1, 11)
                assert np.array_equal(found, expected(name, group.ravel(), group[1, 3])), (device, size, local)


def test_small_sub_groups_agree_too() -> None:
    function = kernel("int", "__attribute__((intel_reqd_sub_group_size(8)))")
    for device in ("cpu", "reference"):
        values = np.arange(80, dtype=np.int32).reshape(5, 16)
        out = np.zeros((5, 16, 11), np.int32)
        function.ndrange((16, 5), (16, 5), device=device)(out, values)
        assert np.array_equal(out.reshape(-1, 11), expected("int", values.ravel(), values[1, 3]))


def test_the_largest_work_group_agrees() -> None:
    values, out = np.ones((2, 4096), np.int32), np.zeros((2, 4096, 11), np.int32)
    kernel("int").ndrange((4096, 2), (4096, 2))(out, values)
    assert np.array_equal(out.reshape(-1, 11), expected("int", values.ravel(), 1))
