# SPDX-License-Identifier: Apache-2.0
"""Who runs next: calls, lanes that wait for one another, and lanes that are held until all have come."""

from __future__ import annotations

import numpy as np
import pytest

from lanewise.ptx.language.parser import parse

from . import machine
from .memory import Undefined
from .operands import Unsupported
from .program import Program

_HEAD = """.version 8.0
.target sm_80
.address_size 64
{functions}
.visible .entry k(.param .u64 a)
{{
    .reg .pred %p<9>; .reg .b32 %r<19>; .reg .b64 %rd<9>; .reg .b64 %out;
    ld.param.u64 %rd1, [a]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd2, %r0, 4; add.s64 %out, %rd1, %rd2;
    {body}
}}
"""


def _results(body: str, functions: str = "", seed: int = 1, random_order: bool = False, words: int = 32) -> list[int]:
    """What 32 threads store at %out each, in an array of so many words that are 0."""
    program = Program(parse(_HEAD.format(functions=functions, body=body)), "k")
    out = np.zeros(words, np.uint32)
    program.run(1, 32, [out], seed, random_order=random_order)
    return out.tolist()


_SQUARE = """
.func (.param .b32 r0) square(.param .b32 a0)
{
    .reg .b32 %r<4>; .reg .pred %p<2>;
    ld.param.b32 %r0, [a0]; setp.lt.u32 %p1, %r0, 16; @%p1 bra SMALL;
    mov.u32 %r0, 0; st.param.b32 [r0], %r0; ret;
SMALL:
    mul.lo.s32 %r0, %r0, %r0; st.param.b32 [r0], %r0; ret;
}
"""


def _called(name: str, of: str, into: str) -> str:
    return f"""{{ .param .b32 q; .param .b32 v; st.param.b32 [q], {of}; call.uni (v), {name}, (q);
        ld.param.b32 {into}, [v]; }}"""


@pytest.mark.parametrize("random_order", [False, True])
def test_a_call_has_parameters_of_each_lane(random_order: bool) -> None:
    body = _called("square", "%r0", "%r1") + _called("square", "%r1", "%r2") + "st.global.u32 [%out], %r2; ret;"
    expected = [i**4 if i < 4 else 0 for i in range(32)]
    assert all(_results(body, _SQUARE, seed, random_order) == expected for seed in range(3))


@pytest.mark.parametrize("body", [_called("missing", "%r0", "%r1"), "setp.eq.s32 %p1, %r0, 1; @%p1 call f;"])
def test_other_calls_are_not_known(body: str) -> None:
    with pytest.raises(Unsupported, match="a function that is not known"):
        _results(body, ".func f() { ret; }")


def test_a_function_that_calls_itself_is_not_known() -> None:
    with pytest.raises(Unsupported, match="a function that is not known"):
        _results("call f;", ".func f() { call f; ret; }")


@pytest.mark.parametrize("random_order", [False, True])
def test_lanes_take_turns(random_order: bool) -> None:
    """The first lanes of the text wait for the last ones."""
    body = """
        mov.u32 %r3, 31; sub.s32 %r3, %r3, %r0;
        W: ld.volatile.global.u32 %r4, [%rd1+128]; setp.ne.s32 %p1, %r4, %r3; @%p1 bra W;
        st.global.u32 [%out], %r4; add.s32 %r4, %r4, 1; st.volatile.global.u32 [%rd1+128], %r4; ret;"""
    for seed in range(4):
        assert _results(body, "", seed, random_order, words=33)[:32] == list(range(31, -1, -1))


def test_lanes_that_wait_for_nobody_never_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_MOST_STEPS", 1000)
    with pytest.raises(Undefined, match="no end"):
        _results("W: ld.volatile.global.u32 %r4, [%rd1]; setp.eq.s32 %p1, %r4, 0; @%p1 bra W; ret;")


def test_barriers_of_a_warp_meet_at_several_places() -> None:
    """Half of the lanes wait at one, the other half at another one."""
    body = """
        setp.lt.u32 %p1, %r0, 16; @%p1 bra LOW;
        bar.warp.sync -1; mov.u32 %r3, 7; bra OUT;
        LOW: bar.warp.sync -1; mov.u32 %r3, 8;
        OUT: st.global.u32 [%out], %r3; ret;"""
    for random_order in (False, True):
        assert _results(body, random_order=random_order) == [8] * 16 + [7] * 16


def test_lanes_of_different_iterations_are_brought_together() -> None:
    """Each half leaves out the other one's iterations. All 32 are active there in some order, in no one iteration."""
    body = """
        mov.u32 %r3, 0; shr.u32 %r4, %r0, 4; mov.u32 %r7, 0;
        L: add.s32 %r5, %r3, %r4; and.b32 %r5, %r5, 1; setp.eq.s32 %p1, %r5, 0; @%p1 bra NEXT;
        activemask.b32 %r6; setp.eq.s32 %p2, %r6, -1; @%p2 mov.u32 %r7, 1;
        NEXT: add.s32 %r3, %r3, 1; setp.lt.s32 %p3, %r3, 4; @%p3 bra L;
        st.global.u32 [%out], %r7; ret;"""
    assert _results(body) == [0] * 32
    assert [1] * 32 in [_results(body, seed=seed, random_order=True) for seed in range(40)]
