# SPDX-License-Identifier: Apache-2.0
"""Cases of what loops leave in registers: lanes that leave in different iterations, memory that iterations change."""

from __future__ import annotations

from typing import Final

from ..case import Case

_CHANGES: Final = ".shared .align 4 .b32 sm;"
LOOPS: Final[dict[str, Case]] = {
    "iterations_of_flows_that_begin_apart": Case("""
    mov.u32 %r1, 0;
    mov.u32 %r2, 0;
    setp.lt.u32 %p1, %x, 16;
    @%p1 bra L;
    mov.u32 %r2, 2;
L:
    add.s32 %r1, %r1, 1;
    add.s32 %r2, %r2, 1;
    setp.lt.s32 %p3, %r2, %n;
    @%p3 bra L;
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    use %f1, %f2;
"""),
    "lanes_that_leave_by_themselves": Case("""
    mov.u32 %r1, 0;
    and.b32 %r2, %x, 3;
L:
    add.s32 %r1, %r1, 1;
    setp.lt.s32 %p3, %r1, %r2;
    @%p3 bra L;
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    use %f1, %f2;
"""),
    "rows_that_leave_by_themselves": Case("""
    mov.u32 %r1, 0;
L:
    add.s32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, %y;
    @%p1 bra L;
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];            // = 1
    use %f1, %f2;
"""),
    "all_leave_alike": Case("""
    mov.u32 %r1, 0;
L:
    add.s32 %r1, %r1, 1;
    setp.lt.s32 %p3, %r1, %n;
    @%p3 bra L;
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];            // = 1
    use %f1, %f2;
"""),
    "lanes_that_may_leave_where_others_do_not_come": Case("""
    mov.u32 %r1, 0;
    setp.lt.u32 %p1, %x, 16;
L:
    setp.ge.s32 %p3, %r1, %n;
    @%p3 bra E;
    @!%p1 bra M;
    setp.eq.s32 %p2, %r1, 3;
    @%p2 bra E;
M:
    add.s32 %r1, %r1, 1;
    bra L;
E:
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    use %f1, %f2;
"""),
    "lanes_that_leave_through_a_table": Case("""
    mov.u32 %r1, 0;
    and.b32 %r2, %x, 1;
L:
    add.s32 %r1, %r1, 1;
    setp.ge.s32 %p1, %r1, %n;
    @%p1 bra E;
T: .branchtargets L, E;
    brx.idx %r2, T;
E:
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    use %f1, %f2;
"""),
    "lanes_that_leave_with_what_memory_held": Case("""
    mov.u32 %r3, 0;
    setp.gt.u32 %p1, %t, 31;
    @%p1 bra Q;
    setp.ne.s32 %p1, %nx, 32;
    @%p1 bra Q;
L:
    setp.eq.u32 %p1, %x, 0;
    add.s32 %r3, %r3, 1;
    mul.lo.s32 %r4, %r3, 7;
    @%p1 st.shared.u32 [sm], %r4;
    mov.u32 %r6, -1;
    shl.b32 %r6, %r6, %r3;
    or.b32 %r6, %r6, 1;
    bar.warp.sync %r6;
    ld.shared.u32 %r5, [sm];
    bar.warp.sync %r6;
    add.s32 %r7, %x, 1;
    setp.eq.s32 %p2, %r7, %r3;
    setp.ne.and.s32 %p2, %x, 0, %p2;
    @%p2 bra E;
    setp.lt.s32 %p3, %r3, 32;
    @%p3 bra L;
E:
    bar.warp.sync -1;
    mul.wide.s32 %d1, %r5, 4;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    use %f1, %f2;
Q:
""", variables=_CHANGES),
    "a_step_that_memory_changes": Case("""
    mov.u32 %r1, 0;
    mov.u32 %r3, 0;
    setp.eq.u32 %p1, %t, 0;
L:
    bar.sync 0;
    @%p1 st.shared.u32 [sm], %r3;
    bar.sync 0;
    ld.shared.u32 %r2, [sm];
    mul.lo.s32 %r4, %r3, %r2;
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    mul.wide.s32 %d2, %r4, 4;
    add.s64 %d2, %d2, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d2];
    use %f1, %f2;
    add.s32 %r1, %r1, %r2;
    add.s32 %r3, %r3, 1;
    setp.lt.s32 %p2, %r3, %n;
    @%p2 bra L;
""", variables=_CHANGES),
    "a_step_that_is_each_lanes_own_behind_many_flows": Case("""
    setp.eq.s32 %p9, %n, 7;
    mov.u32 %r1, %n;
    mov.u32 %r3, 0;
    @!%p9 bra L;
    mov.u32 %r1, 7;
L:
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    use %f1, %f2;
    mov.u32 %r2, 0;
""" + "".join(f"""
    and.b32 %r5, %n, {1 << k};
    setp.eq.s32 %p{k + 1}, %r5, 0;
    @%p{k + 1} bra M{k};
    add.s32 %r2, %r2, {1 << k};
M{k}:
""" for k in range(5)) + """
    and.b32 %r2, %r2, 3;
    mul.lo.s32 %r2, %r2, %x;
    add.s32 %r1, %r1, %r2;
    add.s32 %r3, %r3, 1;
    setp.lt.s32 %p3, %r3, %n;
    @%p3 bra L;
"""),
    "labels_of_one_name_in_two_blocks": Case("""
    setp.lt.s32 %p1, %x, 16;
    mov.f32 %f1, 0f00000000;
    {
        @%p1 bra L;
        ld.global.f32 %f1, [%a];
    L:
    }
    {
        ld.global.f32 %f2, [%a+4];         // stays: but not in every flow that comes here
        @%p1 bra L;
        use %f1;
    L:
    }
    use %f2;
"""),
}  # fmt: skip
