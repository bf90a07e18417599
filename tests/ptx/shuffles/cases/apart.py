# SPDX-License-Identifier: Apache-2.0
"""Cases of one address that lanes of a warp read at different times, so that what they find differs, and of barriers
at which all lanes are together, so that it doesn't.

In most of them a warp of 32 lanes in a row is needed, for which the others leave."""

from __future__ import annotations

from typing import Final

from ..case import Case

_SHARED: Final = ".shared .align 4 .b32 sm;\n.shared .align 4 .b32 turn;\n.shared .align 16 .b8 flags[256];"
_FULL_WARPS: Final = """
    setp.ne.u32 %p9, %nx, 32;
    @%p9 bra Q;
    setp.gt.u32 %p9, %t, 31;
    @%p9 bra Q;
    setp.eq.u32 %p8, %x, 0;
    @%p8 st.shared.u32 [sm], %n;
    @%p8 st.shared.u32 [turn], 0;
    mov.u32 %r20, flags;
    shl.b32 %r21, %x, 2;
    add.s32 %r21, %r20, %r21;
    selp.u32 %r22, 1, 0, %p8;
    st.shared.u32 [%r21], %r22;
    bar.warp.sync -1;
"""
_LOADS: Final = """
V:
    add.s32 %r5, %r3, %x;
    mul.wide.u32 %d4, %r5, 4;
    add.s64 %d5, %in, %d4;
    ld.global.f32 %f1, [%d5];
    ld.global.f32 %f2, [%d5+4];
    use %f1, %f2;
Q:
"""
_NEIGHBOURS: Final = _LOADS.replace("[%d5+4];", "[%d5+4];    // = 1")


def _turns(wait: str, read: str, pass_on: str, behind: str = "") -> Case:
    """Each lane waits for its turn, reads a cell and adds to it: it finds %n + 3 * %x."""
    return Case(_FULL_WARPS + f"""
W:
    {wait}
    @!%p1 bra W;
    {read}
    add.s32 %r4, %r3, 3;
    st.shared.u32 [sm], %r4;
    {pass_on}
    {behind}
""" + _LOADS, variables=_SHARED)  # fmt: skip


_READ: Final = "ld.shared.u32 %r3, [sm];"
_TURN: Final = "add.s32 %r6, %x, 1;\n    membar.cta;\n    st.volatile.shared.u32 [turn], %r6;"
_IS_TURN: Final = "setp.eq.s32 %p1, %r1, %x;"


def _handed_over(before: str, after: str, last: str) -> Case:
    """Lanes from 16 on wait behind a barrier of the warp until one of them has changed what the others have read."""
    return Case(_FULL_WARPS + f"""
    setp.ge.u32 %p1, %x, 16;
    setp.eq.s32 %p2, %x, 16;
    @%p1 bra X;
J:
    {before}
    ld.shared.u32 %r3, [sm];
    {after}
    @%p1 bra Y;
    bar.warp.sync -1;
Y:
    bar.warp.sync -1;
    bra Z;
X:
    bar.warp.sync -1;
    mov.u32 %r7, 100;
    @%p2 st.shared.u32 [sm], %r7;
    {last}
    bra J;
Z:
""" + _LOADS, variables=_SHARED)  # fmt: skip


APART: Final[dict[str, Case]] = {
    "handed_over_by_a_barrier_of_the_warp": _handed_over("", "", "bar.warp.sync 0xffff0000;"),
    "handed_over_with_a_fence": _handed_over("membar.cta;", "", "bar.warp.sync 0xffff0000;"),
    "a_lock_by_turns_in_volatile_loads": _turns(
        f"ld.volatile.shared.u32 %r1, [turn];\n    {_IS_TURN}", _READ, _TURN, "bar.warp.sync -1;"),
    "a_lock_by_turns_in_relaxed_loads_and_fences": _turns(
        f"ld.relaxed.cta.shared.u32 %r1, [turn];\n    fence.acq_rel.cta;\n    {_IS_TURN}", _READ, _TURN,
        "bar.warp.sync -1;"),
    "a_lock_by_turns_in_acquiring_loads": _turns(
        f"ld.acquire.cta.shared.u32 %r1, [turn];\n    {_IS_TURN}", _READ,
        "add.s32 %r6, %x, 1;\n    st.release.cta.shared.u32 [turn], %r6;"),
    "a_lock_by_turns_in_atomics": _turns(
        f"atom.shared.add.u32 %r1, [turn], 0;\n    {_IS_TURN}", _READ,
        "membar.cta;\n    red.shared.add.u32 [turn], 1;"),
    "a_flag_of_ones_own": _turns(
        "ld.volatile.shared.u32 %r1, [%r21];\n    setp.eq.s32 %p1, %r1, 1;", _READ,
        "membar.cta;\n    mov.u32 %r6, 1;\n    setp.ne.s32 %p2, %x, 31;\n"
        "    @%p2 st.volatile.shared.u32 [%r21+4], %r6;", "bar.warp.sync -1;"),
    "a_ticket_in_a_function": Case(_FULL_WARPS + """
    {
    .param .b32 q0;
    st.param.b32 [q0], %x;
    .param .b32 v0;
    call.uni (v0), ticket, (q0);
    }
    ld.shared.u32 %r3, [sm];
    add.s32 %r4, %r3, 3;
    st.shared.u32 [sm], %r4;
""" + _TURN + _LOADS, variables="", module=f"""
{_SHARED}
.func (.param .b32 r0) ticket(.param .b32 a0)
{{
    .reg .b32 %r<4>;
    .reg .pred %p<2>;
    ld.param.b32 %r1, [a0];
W:
    ld.volatile.shared.u32 %r2, [turn];
    setp.ne.s32 %p1, %r1, %r2;
    @%p1 bra W;
    st.param.b32 [r0], %r2;
    ret;
}}
"""),
    "what_one_lane_has_stored_behind_a_barrier_of_the_block": Case("""
    setp.eq.u32 %p1, %t, 0;
    @!%p1 bra M;
    atom.global.add.u32 %r1, [%o], 3;
    st.shared.u32 [sm], %r1;
M:
    bar.sync 0;
    ld.shared.u32 %r3, [sm];
    bar.sync 0;
""" + _NEIGHBOURS, variables=_SHARED),
    "a_barrier_that_not_all_come_to": Case(_FULL_WARPS + """
    barrier.sync 1, 32;
    ld.shared.u32 %r3, [sm];
""" + _LOADS, variables=_SHARED),
    "constant_memory_at_any_time": Case(_FULL_WARPS + """
    membar.cta;
    ld.global.nc.u32 %r3, [%in];
    and.b32 %r3, %r3, 255;
""" + _NEIGHBOURS, variables=_SHARED),
    "one_lanes_two_loads_behind_a_fence": Case("""
    membar.cta;
    ld.global.u32 %r3, [%a];
    and.b32 %r5, %r3, 255;
    ld.global.u32 %r4, [%a];               // = 0
    and.b32 %r6, %r4, 255;
    mul.wide.u32 %d4, %r5, 4;
    add.s64 %d4, %d4, %in;
    mul.wide.u32 %d5, %r6, 4;
    add.s64 %d5, %d5, %in;
    ld.global.f32 %f1, [%d4];
    ld.global.f32 %f2, [%d5];              // = 0
    use %f1, %f2;
"""),
}  # fmt: skip
