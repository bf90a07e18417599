# SPDX-License-Identifier: Apache-2.0
"""PTX with a place per instruction, and with rolled loops; sources with rolled loops."""

from __future__ import annotations

import re

import pytest
from bench.gpu.rolled import rolled
from bench.gpu.woven import entry_name, loop_depths, with_lines, with_rolled_loops, without_lines

import lanewise as lw
from lanewise.ptx.language.parser import parse

_PTX = """.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u32 k_param_0)
{
	.reg .pred 	%p<3>;
	.reg .b32 	%r<3>;
	ld.param.b32 	%r1, [k_param_0];
	mov.b32 	%r2, 0;
$L__1:
	add.s32 	%r2, %r2, 1;
	setp.lt.s32 	%p1, %r2, %r1;
	@%p1 bra 	$L__1;
	ret;
}
"""


def test_each_instruction_gets_a_place_of_its_own() -> None:
    woven = with_lines(_PTX)
    lines = woven.split("\n")
    places = [int(found[1]) for line in lines if (found := re.match(r"\s*\.loc 1 (\d+) 0", line))]
    assert places == [8, 9, 11, 12, 13, 14]
    for number, line in enumerate(lines):
        if found := re.match(r"\s*\.loc 1 (\d+)", line):
            assert lines[number + 1] == _PTX.split("\n")[int(found[1]) - 1]
    assert lines[3] == '.file 1 "kernel.ptx"'


def test_places_are_read_back() -> None:
    woven = with_lines(_PTX)
    module = parse(woven, "woven.ptx")
    (function,) = module.functions
    assert [module.program_line(each.start) for each in function.instructions()][2] == "kernel.ptx:11"


def test_two_instructions_in_a_line_are_refused() -> None:
    with pytest.raises(ValueError, match="share a line"):
        with_lines(_PTX.replace("0;\n$L__1:\n", "0; $L__1: "))


def test_loops_ask_to_stay_rolled_once() -> None:
    once = with_rolled_loops(_PTX)
    assert once.count('.pragma "nounroll"') == 1
    assert '$L__1:\n\t.pragma "nounroll";\n\tadd' in once
    assert with_rolled_loops(once) == once


def test_places_of_a_compiler_are_dropped() -> None:
    source = "__global__ void k(int *p) { p[threadIdx.x] = 1; }"
    own = with_lines(_PTX)
    assert without_lines(own).count(".loc") == without_lines(own).count(".file") == 0
    assert without_lines(text := lw.compile(source, language="cuda").ptx("sm_80")).count(";") == text.count(";")


def test_loops_around_lines() -> None:
    assert loop_depths(_PTX) == {8: 0, 9: 0, 11: 1, 12: 1, 13: 1, 14: 0}


def test_one_kernel_is_expected() -> None:
    assert entry_name(_PTX) == "k"
    other = _PTX.split("\n", 3)[3].replace("k", "other").replace("marother", "mark")
    with pytest.raises(ValueError, match="expected one kernel, and found k, other"):
        entry_name(_PTX + other)


def test_loops_of_sources_that_say_nothing_are_rolled() -> None:
    source = "    for (;;)\n        x();\n#pragma unroll 4\n    for (;;)\n        while (z)\n            y();\n"
    head = "#pragma unroll 1\n"
    assert rolled(source) == head + source.replace("        while", f"{head}        while")
    assert rolled(rolled(source)) == rolled(source)
