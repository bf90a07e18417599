# SPDX-License-Identifier: Apache-2.0
"""Cases of lanes in different iterations of a loop that execute together all the same: shuffles between them need a
test at run time, and what they leave a loop with is each lane's own."""

from __future__ import annotations

from typing import Final

from ..case import Case

_WARPS: Final = """
    setp.ne.u32 %p9, %nx, 32;
    @%p9 bra Q;
    setp.gt.u32 %p9, %t, 31;
    @%p9 bra Q;
"""
_ADDRESS: Final = """
    mul.wide.u32 %d1, %r1, 8;
    add.s64 %d1, %d1, %a;
"""
_LOADS: Final = """
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];            // = 1
    use %f1, %f2;
"""
_AGAIN: Final = """
    add.s32 %r1, %r1, 1;
    setp.lt.s32 %p3, %r1, 4;
    @%p3 bra L;
"""
_CALLED: Final = """
.func half(.param .b32 a0, .param .b32 a1)
{
    .reg .b32 %r<4>;
    .reg .pred %p<3>;
    bar.warp.sync -1;
    ld.param.b32 %r1, [a0];
    ld.param.b32 %r2, [a1];
    setp.lt.u32 %p1, %r1, 16;
    @%p1 bra E;
    setp.ne.s32 %p2, %r2, 1;
    @%p2 bra E;
    bar.warp.sync -1;
E:
    ret;
}
"""
_CALL: Final = """
    {
    .param .b32 q0;
    .param .b32 q1;
    st.param.b32 [q0], %x;
    st.param.b32 [q1], %r1;
    call half, (q0, q1);
    }
"""


def _skipped(around: str = "") -> str:
    """Code of a loop that one half of the lanes leaves out in even iterations, the other half in odd ones."""
    return f"""
    shr.u32 %r2, %x, 4;
    add.s32 %r2, %r1, %r2;
    and.b32 %r2, %r2, 1;
    setp.eq.s32 %p1, %r2, 0;
    @%p1 bra M;
    {around}
M:
"""


STEPS: Final[dict[str, Case]] = {
    "a_call_with_barriers_of_the_warp": Case(
        _WARPS + "    mov.u32 %r1, 0;\nL:" + _CALL + _ADDRESS + _LOADS + _AGAIN
        + "    setp.lt.u32 %p1, %x, 16;\n    @!%p1 bra Q;\n    bar.warp.sync -1;\nQ:\n", module=_CALLED),
    "a_call_of_a_function_without_branches": Case("""
    mov.u32 %r1, 0;
L:
    {
    .param .b32 q0;
    st.param.b32 [q0], %x;
    .param .b32 v0;
    call.uni (v0), same, (q0);
    ld.param.b32 %r9, [v0];
    }
""" + _ADDRESS + _LOADS + _AGAIN, module="""
.func (.param .b32 r0) same(.param .b32 a0)
{
    .reg .b32 %r<4>;
    ld.param.b32 %r1, [a0];
    st.param.b32 [r0], %r1;
    ret;
}
"""),
    "half_barriers_of_the_warp": Case(_WARPS + """
    mov.u32 %r1, 0;
    setp.lt.u32 %p1, %x, 16;
    selp.b32 %r3, 0xffff, 0xffff0000, %p1;
L:
    bar.warp.sync %r3;
""" + _ADDRESS + _LOADS + _AGAIN + "Q:\n"),
    "lanes_that_part_within_a_loop": Case(
        "    mov.u32 %r1, 0;\n    mov.f32 %f3, 0f00000000;\nL:" + _skipped("ld.global.f32 %f3, [%o];") + _ADDRESS
        + _LOADS + "    use %f3;" + _AGAIN),
    "lanes_that_part_before_a_loop": Case("""
    mov.u32 %r1, 0;
    mov.f32 %f3, 0f00000000;
    setp.lt.u32 %p1, %x, 16;
    @%p1 bra L;
    ld.global.f32 %f3, [%o];
L:
""" + _ADDRESS + _LOADS + _AGAIN + "    use %f3;"),
    "a_body_for_some_lanes": Case(
        "    mov.u32 %r1, 0;\nL:" + _skipped(_ADDRESS + _LOADS) + _AGAIN),
    "a_guarded_body_in_a_nest_of_loops": Case("""
    mov.u32 %r10, 0;
K:
    mov.u32 %r9, 0;
J:
    mov.u32 %r1, %r9;
L:
    add.s32 %r2, %r1, %x;
    setp.gt.u32 %p1, %r2, 37;
    @%p1 bra M;
    mad.lo.s32 %r3, %r10, 100, %r2;
    mul.wide.u32 %d1, %r3, 4;
    add.s64 %d1, %d1, %in;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+8];            // = 2
    use %f1, %f2;
M:
    add.s32 %r1, %r1, %nx;
    setp.lt.s32 %p2, %r1, 40;
    @%p2 bra L;
    add.s32 %r9, %r9, 1;
    setp.lt.s32 %p3, %r9, 3;
    @%p3 bra J;
    add.s32 %r10, %r10, 1;
    setp.lt.s32 %p4, %r10, %n;
    @%p4 bra K;
"""),
    "a_pointer_in_a_nest_of_loops": Case("""
    mov.u32 %r10, 0;
    mov.u64 %d2, %a;
K:
    mov.u32 %r1, 0;
    mov.u64 %d1, %d2;
L:
""" + _skipped("ld.global.f32 %f1, [%d1];\n    ld.global.f32 %f2, [%d1+8];            // = 2\n    use %f1, %f2;") + """
    add.s64 %d1, %d1, 128;
    add.s32 %r1, %r1, 1;
    setp.lt.s32 %p2, %r1, 3;
    @%p2 bra L;
    add.s64 %d2, %d2, 1024;
    add.s32 %r10, %r10, 1;
    setp.lt.s32 %p4, %r10, %n;
    @%p4 bra K;
"""),
    "for_pascal": Case("""
    mov.u32 %r10, 0;
    mov.u64 %d2, %a;
K:
    mov.u32 %r1, %r10;
L:
""" + _skipped("""
    mul.wide.u32 %d1, %r1, 8;
    add.s64 %d1, %d1, %d2;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];            // = 1
    use %f1, %f2;
""") + """
    add.s32 %r1, %r1, 1;
    setp.lt.s32 %p2, %r1, 3;
    @%p2 bra L;
    add.s64 %d2, %d2, 1024;
    add.s32 %r10, %r10, 1;
    setp.lt.s32 %p4, %r10, %n;
    @%p4 bra K;
""", target="sm_60"),
    "an_inner_loop_of_each_lanes_own_length": Case("""
    mov.u32 %r10, 0;
K:
    mov.u32 %r1, 0;
    shr.u32 %r3, %x, 4;
    add.s32 %r3, %r3, %r10;
    and.b32 %r3, %r3, 1;
L:
    mad.lo.s32 %r4, %r10, 16, %r1;
    mul.wide.u32 %d1, %r4, 8;
    add.s64 %d1, %d1, %a;
""" + _LOADS + """
    add.s32 %r1, %r1, 1;
    setp.le.s32 %p2, %r1, %r3;
    @%p2 bra L;
    add.s32 %r10, %r10, 1;
    setp.lt.s32 %p4, %r10, %n;
    @%p4 bra K;
"""),
    "the_lane_itself_in_any_iteration": Case("    mov.u32 %r1, 0;\nL:" + _skipped("""
    mul.lo.s32 %r3, %r1, %x;
    mul.wide.u32 %d1, %r3, 4;
    add.s64 %d1, %d1, %in;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1];              // = 0
    use %f1, %f2;
""") + _AGAIN),
    "iterations_that_others_leave_with": Case("    mov.u32 %r1, 0;\nL:" + _skipped() + _AGAIN + _ADDRESS + """
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    use %f1, %f2;
"""),
    "an_inner_loop_of_the_last_iteration_of_each_lane": Case("""
    and.b32 %r3, %x, 3;
    mov.u32 %r9, 0;
J:
    mov.u32 %r1, 0;
L:
    add.s32 %r1, %r1, 1;
    setp.le.s32 %p1, %r1, %r9;
    @%p1 bra L;
    add.s32 %r9, %r9, 1;
    setp.le.s32 %p2, %r9, %r3;
    @%p2 bra J;
""" + _ADDRESS + """
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+8];
    use %f1, %f2;
"""),
}  # fmt: skip
