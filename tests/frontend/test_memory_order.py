# SPDX-License-Identifier: Apache-2.0
"""Kernels whose neighbours in memory are work-items along y, and the local sizes that they get."""

from __future__ import annotations

import numpy as np
import pytest

import lanewise as lw
from lanewise.frontend.launch_bounds import launch_bounds
from lanewise.frontend.memory_order import goes_along_y
from lanewise.ir.reader import read_module

IDS = "int x = get_global_id(0), y = get_global_id(1);"
ALONG_Y = {
    "rows_by_x": f"{IDS} a[x * n + y] += b[x * n] * b[y];",
    "by_pointers": f"{IDS} global float *row = a + x * n; row[y + 3] = 1;",
    "in_a_loop": f"{IDS} for (int k = 0; k < n; ++k) a[x * n + y] += b[k];",
    "from_the_end": f"{IDS} a[x * n - y] = sqrt(b[n]);",
    "multiplied_from_the_right": f"{IDS} a[x * n + (y * 2 - y)] = 1;",
    "multiplied_from_the_left": f"{IDS} a[x * n + (2 * y - y)] = 1;",
    "four_bytes_apart": f"{IDS} a[(x * n << 2) + y] = 1;",
}
OTHERS = {
    "rows_by_y": f"{IDS} a[y * n + x] = b[y * n + x];",
    "transposes": f"{IDS} a[x * n + y] = b[y * n + x];",
    "gathers": f"{IDS} a[x * n + y] = b[(int)b[y]];",
    "along_x_only": "a[get_global_id(0)] = 1;",
    "far_apart": f"{IDS} a[x * n + 2 * y] = 1;",
    "in_one_place": f"{IDS} if (x == 0 && y == 0) a[n] = 1;",
    "by_a_function_of_its_own": f"{IDS} set(a, x * n + y);",
    "hands_a_pointer_on": f"{IDS} vstore4((float4)(x), x * n + y, a); a[x * n + y] = 1;",
}
FUNCTION = "void set(global float *a, int place) { a[place] = 1; }\n"


def _goes_along_y(body: str) -> bool:
    text = f"{FUNCTION}kernel void k(global float *a, global const float *b, int n) {{ {body} }}"
    module = read_module(lw.compile(text, language="opencl").ir())
    return launch_bounds(module, next(iter(module.kernels))).goes_along_y


@pytest.mark.parametrize("name", [*ALONG_Y, *OTHERS])
def test_who_goes_along_y(name: str):
    assert _goes_along_y((ALONG_Y | OTHERS)[name]) is (name in ALONG_Y)


SHIFTED = """
define spir_kernel void @k(ptr addrspace(1) %a) {{
  %x = call i32 @_Z13get_global_idj(i32 0)
  %y = call i32 @_Z13get_global_idj(i32 1)
  %shifted = shl i32 %y, {}
  %wide = sext i32 %x to i64
  %place = getelementptr float, ptr addrspace(1) %a, i64 %wide
  store float 1.0, ptr addrspace(1) %place
  ret void
}}
declare i32 @_Z13get_global_idj(i32)
"""


@pytest.mark.parametrize("by", [3, 31, 32, -1])
def test_shifts_without_meaning_are_no_steps(by: int):
    module = read_module(SHIFTED.format(by))
    assert not goes_along_y(module, next(function for function in module.functions if function.blocks))


SIZES = """
kernel void k(global int *a, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    a[x * n + y] = 1000 * get_local_size(0) + get_local_size(1);
}
kernel void other(global int *a, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    a[y * n + x] = 1000 * get_local_size(0) + get_local_size(1);
}
"""


@pytest.mark.parametrize(
    ("kernel", "size", "local"),
    [("k", (64, 512), 1256), ("k", (64, 128), 2128), ("k", (64, 8), 64004), ("other", (512, 64), 256001)],
)
def test_a_local_size_that_nobody_names_is_long_along_y(kernel: str, size: tuple[int, int], local: int):
    a = np.zeros(size if kernel == "k" else size[::-1], np.int32)
    lw.compile(SIZES, language="opencl")[kernel].ndrange(size)(a, a.shape[1])
    assert (a == local).all()
