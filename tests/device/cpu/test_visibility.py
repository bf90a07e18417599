# SPDX-License-Identifier: Apache-2.0
"""Symbols of any visibility and linkage: within a kernel's code they say nothing."""

from __future__ import annotations

import numpy as np
import pytest

import lanewise as lw

ATTRIBUTES = ('visibility("hidden")', 'visibility("protected")', "weak", 'weak, visibility("hidden")')

SOURCE = """
#define AS __attribute__(({attributes}))
AS inline __device__ int inlined(int x) {{ return x + 1; }}
AS __device__ int called(int x) {{ return inlined(x) * 2; }}
AS __device__ __noinline__ int recursive(int x) {{ return x ? x + recursive(x - 1) : 0; }}
AS __device__ int pointed(int x) {{ return 3 * x; }}
template <class T> AS __device__ T instance(T x) {{ return 5 * x; }}
AS __device__ int variable = 7;
AS __constant__ int constant[2] = {{11, 13}};
struct AS Shape {{ AS __device__ virtual int area(int x) {{ return x; }} }};
struct AS Square : Shape {{ AS __device__ int area(int x) override {{ return x * x; }} }};
AS __global__ void k(int *p) {{
    Square square;
    Shape *shape = &square;
    int (*chosen)(int) = p[0] ? pointed : called;
    p[1] = called(1) + recursive(4) + chosen(2) + instance(1) + variable + constant[p[0]] + shape->area(p[0] + 3);
}}
"""


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("attributes", ATTRIBUTES)
def test_attributes_of_visibility_and_linkage(attributes: str, device: str) -> None:
    in_types = attributes.replace("weak, ", "").replace("weak", 'visibility("default")')
    source = SOURCE.replace("struct AS", f"struct __attribute__(({in_types}))").format(attributes=attributes)
    module = lw.compile(source, language="cuda")
    assert ".entry _Z1kPi" in module.ptx()
    result = np.array([1, 0], np.int32)
    module["k"].launch(1, 1, (result,), device=device)
    assert result[1] == 4 + 10 + 6 + 5 + 7 + 13 + 16
    module.variable("variable", device=device).write(8)
    module["k"].launch(1, 1, (result,), device=device)
    assert result[1] == 4 + 10 + 6 + 5 + 8 + 13 + 16
