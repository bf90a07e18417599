# SPDX-License-Identifier: Apache-2.0
"""Pointers to any memory, and variables of a program in global memory (OpenCL C 3.0, 6.7)."""

import numpy as np
import pytest

import lanewise as lw

GENERIC = """
int read(const int *place) { return *place; }
kernel void k(global int *out, local int *given, int which) {
  local int fixed;
  int own = 1;
  fixed = 2;
  given[0] = 3;
  int *place = which == 0 ? (int *)&own : which == 1 ? (int *)&fixed : which == 2 ? (int *)given : (int *)out;
  float whole;
  out[1] = read(place) + (int)(4 * fract(2.25f, (float *)&whole)) + (int)whole;
  out[2] = (to_private(place) != 0) + 10 * (to_local(place) != 0) + 100 * (to_global(place) != 0);
  out[3] = get_fence(place);
}
"""

VARIABLES = """
global int counter = 5;
global int values[4] = {1, 2, 3};
global int *global first = values;
static global float scale = 0.5f;
kernel void step(global int *out) {
  static global int calls;
  out[0] = atomic_inc(&counter);
  out[1] = ++calls;
  out[2] = first[1]++ + values[3];
}
kernel void scaled(global float *out) { out[0] = scale * counter; }
"""


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_generic_pointers_lead_to_each_memory(device: str) -> None:
    kernel = lw.compile(GENERIC, language="opencl", options="-cl-std=CL3.0")["k"]
    for which, expected in enumerate(([4, 1, 0], [5, 10, 1], [6, 10, 1], [12, 100, 2])):
        out = np.full(4, 9, np.int32)
        kernel.ndrange(1, device=device)(out, lw.local(4), which)
        assert out[1:].tolist() == expected


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_variables_of_a_program_last(device: str) -> None:
    module = lw.compile(VARIABLES, language="opencl", options="-cl-std=CL3.0")
    for turn in range(3):
        out, shown = np.zeros(3, np.int32), np.zeros(1, np.float32)
        module["step"].ndrange(1, device=device)(out)
        module["scaled"].ndrange(1, device=device)(shown)
        assert out.tolist() == [5 + turn, 1 + turn, 2 + turn]
        assert shown[0] == (6 + turn) / 2


def test_version_1_2_has_neither() -> None:
    with pytest.raises(lw.CompileError, match="program scope variable must reside in constant address space"):
        lw.compile(VARIABLES, language="opencl")
    with pytest.raises(lw.CompileError, match="address space"):
        lw.compile(GENERIC, language="opencl", options="-cl-std=CL1.2")
    with pytest.raises(lw.CompileError, match=r"'atomic_load' is new in OpenCL C 2\.0: compile with the option"):
        lw.compile("kernel void k(global int *p) { p[0] = atomic_load(p); }", language="opencl")
