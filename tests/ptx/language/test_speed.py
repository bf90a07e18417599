# SPDX-License-Identifier: Apache-2.0
"""10,000 lines are read in at most a second."""

from __future__ import annotations

import time

from lanewise.ptx.language.parser import parse

LINES = 10_000
_BODY = """	mad.lo.s32 	%r{0}, %r1, %r2, %r3;
	ld.global.nc.f32 	%f{0}, [%rd4+{0}];
	.loc	1 {0} 7, function_name $L__info_string0, inlined_at 1 4 5
	@%p1 st.shared.v4.f32 	[%rd5+-16], {{%f1, %f2, %f3, 0f3F800000}};
	setp.lt.s32 	%p{0}, %r{0}, -1;
$L__BB0_{0}:
	@!%p{0} bra 	$L__BB0_{0};
	fma.rn.f32 	%f{0}, %f1, %f2, 0fBF800000;
"""


def test_ten_thousand_lines_a_second() -> None:
    body = "".join(_BODY.format(i) for i in range(LINES // _BODY.count("\n")))
    text = f".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{{\n{body}}}\n"
    assert text.count("\n") >= LINES
    seconds = min(_seconds(text) for _ in range(3))
    assert seconds < 1.0


def _seconds(text: str) -> float:
    begin = time.process_time()
    parse(text)
    return time.process_time() - begin
