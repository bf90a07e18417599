# SPDX-License-Identifier: Apache-2.0
"""printf with vectors (6.12.13), and formats that don't fit."""

from __future__ import annotations

import pytest
from tests.frontend.opencl.running import DEVICES

import lanewise as lw


def _printed(statement: str, capfd: pytest.CaptureFixture[str]) -> set[str]:
    text = f"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(int n) {{ {statement} }}"
    kernel = lw.compile(text, language="opencl")["k"]
    found: set[str] = set()
    for device in DEVICES:
        kernel.ndrange(1, device=device)(7)
        found.add(capfd.readouterr().out)
    return found


@pytest.mark.parametrize(("arguments", "wanted"), [
    ('"%v4hlf|%2.1v2hlf", (float4)(1, 2.5f, -3, 4), (float2)(n)', "1.000000,2.500000,-3.000000,4.000000|7.0,7.0"),
    ('"%v2lg %v3hlg", (double2)(0.1, 1e100), (float3)(1, 2, 3)', "0.1,1e+100 1,2,3"),
    ('"%v4hhd %v4hhu", (char4)(1, -2, 3, 4), (uchar4)(255)', "1,-2,3,4 255,255,255,255"),
    ('"%#v2hx %v2hd", (ushort2)(0xffff, 1), (short2)(-1, n)', "0xffff,0x1 -1,7"),
    ('"%v8hld %v2ld %v2lu", (int8)(-n), (long2)(-1, 1L << 40), (ulong2)(~0UL)',
     "-7,-7,-7,-7,-7,-7,-7,-7 -1,1099511627776 18446744073709551615,18446744073709551615"),
    ('"%v2f %v2d", (float2)(1.5f), (long2)(3)', "1.500000,1.500000 3,3"),
    ('"%v16hld", (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)',
     "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"),
    ('"%v2hf", (half2)(0.5h, n)', "0.500000,7.000000"),
    ('"%d %5.2f %s %c %% %ld %x", n, 1.5f, "text\\n", 65, 1L << 33, -1', "7  1.50 text\n A % 8589934592 ffffffff"),
    ('"%*d|%-*.*f|", 4, n, 8, 2, 2.0', "   7|2.00    |"),
    ('"plain"', "plain"),
    ('"%lu %zu", get_global_size(0), get_local_id(0)', "1 0"),
])  # fmt: skip
def test_output(arguments: str, wanted: str, capfd: pytest.CaptureFixture[str]):
    assert _printed(f"printf({arguments});", capfd) == {wanted}


def test_the_result_is_zero(capfd: pytest.CaptureFixture[str]):
    assert _printed('int a = printf("%d %d ", n, n); printf("%d", a);', capfd) == {"7 7 0"}


@pytest.mark.parametrize(("arguments", "message"), [
    ('"%d", 1.0f', "'%d' of printf's format takes an integer, not double"),
    ('"%f", n', "'%f' of printf's format takes a float or double, not int"),
    ('"%v4hlf", (float2)1', "'%v4hlf' of printf's format takes float4, not float2"),
    ('"%v4hld", (float4)1', "'%v4hld' of printf's format takes int4, not float4"),
    ('"%v4hhd", (int4)1', "'%v4hhd' of printf's format takes char4, not int4"),
    ('"%f", (float4)1', "'%f' of printf's format takes a float or double, not float4"),
    ('"%v2hlf", 1.0f', "'%v2hlf' of printf's format takes float2, not double"),
    ('"%s", n', "'%s' of printf's format takes a string, not int"),
    ('"%d %d", n', "printf's format has no argument for '%d'"),
    ('"%y", n', "printf's format has no valid conversion at '%y'"),
    ('"100%"', "printf's format has no valid conversion at '%'"),
    ('"%v5hld", n', "printf's format has no valid conversion at '%v5hld'"),
    ("f, n", "the format of printf must be a string literal"),
    ('"%f", s', "printf takes numbers, vectors, pointers and strings, no struct or array"),
])  # fmt: skip
def test_formats_that_do_not_fit(arguments: str, message: str):
    text = f"kernel void k(int n, constant char *f, struct {{ float v[5]; }} s) {{\n  printf({arguments});\n}}"
    with pytest.raises(lw.CompileError) as caught:
        lw.compile(text, language="opencl")
    assert f"<source>:2:3: error: {message}" in str(caught.value)
