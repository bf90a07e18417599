# SPDX-License-Identifier: Apache-2.0
"""Failures and remarks name lines of the program that PTX was made of, or the PTX's own."""

import re

import pytest

import lanewise as lw

from .computing import DEVICES, HEADER

STORE = """
.visible .entry store(.param .u64 p, .param .u64 i)
{
    .reg .b64 %a, %i; .reg .b32 %t;
    {LOC} 4 9
    ld.param.u64 %a, [p]; ld.param.u64 %i, [i];
    mov.u32 %t, %tid.x;
    mad.lo.s64 %a, %i, 4, %a; {INLINED}
    mad.wide.u32 %a, %t, 4, %a;
    st.global.u32 [%a], %t;
    {END}
    ret;
}
"""
FILES = """.file 1 "dir/a.cu"
.file 0x2 "a.h"
.file 4 "/usr/local/cuda-13.0/bin/../targets/x86_64-linux/include/cuda_fp16.hpp"
"""
HEADER_IN_HEADER = """.loc 4 138 62, function_name $L__a, inlined_at 1 15 5
    .loc 4 708 1, function_name $L__b, inlined_at 4 138 62
"""


def text(loc: str = "//", inlined: str = "", end: str = "") -> str:
    return HEADER + STORE.replace("{LOC}", loc).replace("{INLINED}", inlined).replace("{END}", end) + FILES


def failure(made: lw.Module, device: str) -> str:
    with pytest.raises(lw.LaunchError) as error:
        made["store"].launch(1, 32, (None, 3), device=device)
    return str(error.value)


def line(told: str) -> str:
    """The place that a message tells: at its beginning or after "at"."""
    found = re.search(r"^(\S+:\d+): kernel|, at ([^;\s]+:\d+)", told)
    assert found is not None, told
    return found[1] or found[2]


@pytest.mark.parametrize(
    ("ptx", "place"),
    [
        (text(), "<source>:13"),
        (text(".loc 1"), "dir/a.cu:4"),
        (text(".loc 1", "/* here */ .loc 2 07 3, function_name $L__info, inlined_at 1 5 3"), "a.h:7"),
        (text(".loc 1", end=".loc 1 99 1"), "dir/a.cu:4"),
        (text(".loc 1", HEADER_IN_HEADER), "dir/a.cu:15"),
        (text(".loc 1", ".loc 1 0 0"), "<source>:13"),
        (text(".loc 3"), "<source>:13"),
        (text(".loc 1", "{ .loc 1 6 1").replace("[%a], %t;", "[%a], %t; }"), "dir/a.cu:6"),
    ],
    ids=["none", "loc", "inlined", "the last before it", "CUDA's headers", "line 0", "no such file", "a block"],
)
def test_the_line_of_a_fault(ptx: str, place: str):
    assert line(failure(lw.compile(ptx), "reference")) == place


def test_options_for_debugging_tell_the_thread():
    for made in (
        lw.compile(text(".loc 1"), options=["-g"]),
        lw.compile(text(".loc 1").replace("sm_90", "sm_90, debug")),
    ):
        assert re.search(r"thread \(\d+, 0, 0\), at dir/a.cu:4 \(store\)$", failure(made, "cpu"))


def test_the_line_of_a_fault_on_the_cpu():
    assert line(failure(lw.compile(text()), "cpu")) == "<source>:13"
    assert line(failure(lw.compile(text(".loc 1", "{ .loc 2 6 1").replace("%t;\n    \n", "%t; }\n")), "cpu")) == "a.h:6"


@pytest.mark.parametrize("device", DEVICES)
def test_the_line_in_a_function_that_is_called(device: str):
    function = """.func _Z3putPi(.param .b64 p) { .reg .b64 %a; ld.param.u64 %a, [p];
    .loc 1 3 1
    st.u32 [%a], 1; ret; }\n"""
    call = "{ .param .b64 x; st.param.b64 [x], %a; call _Z3putPi, (x); }"
    ptx = text(".loc 1").replace("st.global.u32 [%a], %t;", call).replace(".visible", function + ".visible")
    assert line(failure(lw.compile(ptx), device)) == "dir/a.cu:3"


def test_lines_of_our_own_ptx():
    source = "__global__ void store(int *p, long long i) {\n  int t = threadIdx.x;\n  p[i + t] = t;\n}\n"
    made = lw.compile(source, options=["-lineinfo"])
    again = lw.compile(made.ptx(), options=["-lineinfo"])
    assert line(failure(again, "reference")) == "<source>:3"
    assert re.search(r"\.loc\s+\d+ 3 ", again.ptx()) is not None
    assert ".loc" not in lw.compile(made.ptx()).ptx()


def test_remarks_name_lines():
    ptx = text(".loc 1").replace("mad.wide.u32 %a, %t, 4, %a;", "mad.wide.u32 %a, %t, 12, %a;")
    (told,) = [each for each in lw.compile(ptx)["store"].remarks(block=64) if "strided" in each]
    assert "(dir/a.cu:4)" in told
