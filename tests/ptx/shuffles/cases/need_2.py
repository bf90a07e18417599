# SPDX-License-Identifier: Apache-2.0
"""Cases for Need 2 of `shuffles/candidates.py`: the source was loaded in every flow, in the same iteration, and its
value is still at hand. Where several flows lead to a load, they are told apart by %x, so that one
warp has lanes in each."""

from __future__ import annotations

from typing import Final

from ..case import Case

_FLOWS: Final = "but not in every flow that comes here"
_ITERATION: Final = "but in another iteration of a loop, or outside of it"
_OVERWRITTEN: Final = "overwrites its register"
_STORE: Final = "the store in line"
_BETWEEN: Final = "stands between, and other threads may change what it has read"
_DIAMOND: Final = """
    setp.lt.u32 %p1, %x, {at};
    @%p1 bra L;
    {first}
    bra.uni M;
L:
    {second}
M:
    {behind}
"""
_SHARED: Final = ".shared .align 16 .b8 sm[8192];"
_FILLED: Final = """
    mul.wide.u32 %d1, %t, 4;
    mov.u64 %d2, sm;
    add.s64 %d2, %d2, %d1;
    ld.global.u32 %r1, [%a];
    st.shared.u32 [%d2], %r1;
    mul.lo.s32 %r2, %nx, %ny;
    mul.lo.s32 %r2, %r2, %nz;
    mul.wide.u32 %d3, %r2, 4;
    add.s64 %d3, %d3, %d2;
    st.shared.u32 [%d3], %r1;
    bar.sync 0;
"""


def _between(what: str, expected: str, variables: str = "", load: str = "ld.global.f32", target: str = "sm_80") -> Case:
    """Two loads with something between them."""
    return Case(
        f"""
    {load} %f1, [%a];
    {what}
    {load} %f2, [%a+4];    // {expected}
    use %f1, %f2;
""",
        variables=variables,
        target=target,
    )


NEED_2: Final[dict[str, Case]] = {
    "a_load_in_one_of_two_flows": Case(f"""
    setp.lt.u32 %p1, %x, 20;
    mov.f32 %f1, 0f00000000;
    @%p1 bra M;
    ld.global.f32 %f1, [%a];
M:
    ld.global.f32 %f2, [%a+4];             // stays: {_FLOWS}
    use %f1, %f2;
"""),
    "two_loads_in_two_flows": Case(_DIAMOND.format(
        at=20, first="ld.global.f32 %f1, [%a];", second=f"ld.global.f32 %f1, [%a];  // stays: {_FLOWS}",
        behind=f"ld.global.f32 %f2, [%a+4];  // stays: {_FLOWS}\n    use %f1, %f2;",
    )),
    "both_in_one_flow": Case(_DIAMOND.format(
        at=20, first="ld.global.f32 %f1, [%a];\n    ld.global.f32 %f2, [%a+4];  // = 1",
        second="mov.f32 %f1, 0f00000000;\n    mov.f32 %f2, %f1;", behind="use %f1, %f2;",
    )),
    "a_source_before_two_flows": Case("    ld.global.f32 %f1, [%a];" + _DIAMOND.format(
        at=20, first="ld.global.f32 %f2, [%a+4];  // = 1", second="ld.global.f32 %f2, [%a+-8];  // = -2",
        behind="ld.global.f32 %f3, [%a+12];  // = 3\n    use %f1, %f2, %f3;",
    )),
    "branches_that_agree": Case("""
    setp.lt.u32 %p1, %x, 40;
    mov.f32 %f1, 0f00000000;
    mov.f32 %f2, %f1;
    @!%p1 bra M;
    ld.global.f32 %f1, [%a];
M:
    mul.lo.s32 %r1, %x, 3;
    setp.gt.u32 %p2, %r1, 117;
    @%p2 bra E;
    ld.global.f32 %f2, [%a+4];             // = 1
E:
    use %f1, %f2;
"""),
    "branches_that_do_not_agree": Case(f"""
    setp.lt.u32 %p1, %x, 40;
    mov.f32 %f1, 0f00000000;
    mov.f32 %f2, %f1;
    @!%p1 bra M;
    ld.global.f32 %f1, [%a];
M:
    mul.lo.s32 %r1, %x, 3;
    setp.gt.u32 %p2, %r1, 120;
    @%p2 bra E;
    ld.global.f32 %f2, [%a+4];             // stays: {_FLOWS}
E:
    use %f1, %f2;
"""),
    "threads_that_end": Case("""
    setp.gt.u32 %p1, %x, 40;
    ld.global.f32 %f1, [%a];
    @%p1 bra E;
    ld.global.f32 %f2, [%a+4];             // = 1
    use %f1, %f2;
    setp.gt.u32 %p1, %x, 12;
    @%p1 exit;
    ld.global.f32 %f3, [%a+8];             // = 2
    use %f3;
E:
"""),
    "the_next_iteration": Case("""
    mov.u32 %r1, 0;
    ld.global.f32 %f2, [%a];
L:
    add.s32 %r1, %r1, 1;
    use %f2;
    add.s64 %a, %a, 4;
    ld.global.f32 %f2, [%a];               // stays
    setp.lt.s32 %p1, %r1, %n;
    @%p1 bra L;
"""),
    "another_iteration_through_moves": Case("""
    mov.u32 %r1, 0;
    ld.global.f32 %f1, [%a+-4];
    ld.global.f32 %f2, [%a];               // = 1
L:
    ld.global.f32 %f3, [%a+4];             // stays
    use %f1, %f2, %f3;
    mov.f32 %f1, %f2;
    mov.f32 %f2, %f3;
    add.s64 %a, %a, 4;
    add.s32 %r1, %r1, 1;
    setp.lt.s32 %p1, %r1, %n;
    @%p1 bra L;
"""),
    "an_address_of_the_last_iteration": Case("""
    mov.u32 %r1, 0;
    mov.u64 %d1, %a;
L:
    ld.global.f32 %f1, [%a];
    ld.global.f32 %f2, [%d1+4];            // stays
    use %f1, %f2;
    mov.u64 %d1, %a;
    add.s64 %a, %a, 4;
    add.s32 %r1, %r1, 1;
    setp.lt.s32 %p1, %r1, %n;
    @%p1 bra L;
"""),
    "the_same_iteration": Case("""
    mov.u32 %r1, 0;
L:
    ld.global.f32 %f1, [%a];
    ld.global.f32 %f2, [%a+4];             // = 1
    use %f1, %f2;
    add.s64 %a, %a, 268;
    add.s32 %r1, %r1, 1;
    setp.lt.s32 %p1, %r1, %n;
    @%p1 bra L;
"""),
    "before_a_loop": Case(f"""
    mov.u32 %r1, 0;
    ld.global.f32 %f1, [%a];
L:
    ld.global.f32 %f2, [%a+4];             // stays: {_ITERATION}
    use %f1, %f2;
    add.s32 %r1, %r1, 1;
    setp.lt.s32 %p1, %r1, %n;
    @%p1 bra L;
"""),
    "behind_a_loop": Case(f"""
    mov.u32 %r1, 0;
L:
    ld.global.f32 %f1, [%a];
    add.s32 %r1, %r1, 1;
    setp.lt.s32 %p1, %r1, %n;
    @%p1 bra L;
    ld.global.f32 %f2, [%a+4];             // stays: {_ITERATION}
    use %f1, %f2;
"""),
    "the_register_is_overwritten": _between("use %f1;\n    mov.f32 %f1, 0f3F800000;", f"stays: {_OVERWRITTEN}"),
    "the_register_is_overwritten_under_a_guard": _between(
        "setp.eq.s32 %p1, %x, 3;\n    use %f1;\n    @%p1 mov.f32 %f1, 0f3F800000;", f"stays: {_OVERWRITTEN}"
    ),
    "the_register_is_overwritten_by_its_load": Case(f"""
    ld.global.f32 %f1, [%a];
    use %f1;
    ld.global.f32 %f1, [%a+4];             // stays: {_OVERWRITTEN}
    use %f1;
"""),
    "the_register_is_unpacked_into": _between(
        "use %f1;\n    mov.b64 {%f1, %f3}, %wide;\n    use %f3;", f"stays: {_OVERWRITTEN}"
    ),
    "a_store_that_may_touch_it": _between("st.global.u32 [%other], %n;", f"stays: {_STORE}"),
    "a_store_under_a_guard": _between(
        "setp.eq.s32 %p1, %t, 3;\n    @%p1 st.global.u32 [%other], %n;", f"stays: {_STORE}"
    ),
    "a_store_of_a_generic_address": _between("st.u32 [%other], %n;", f"stays: {_STORE}"),
    "a_store_to_the_neighbours_place": _between(
        "add.s64 %d1, %a, 0;\n    sub.s64 %d1, %o, %a;\n    add.s64 %d1, %d1, %a;\n    st.global.u32 [%d1], %n;",
        f"stays: {_STORE}",
    ),
    "a_store_to_shared_memory": _between(
        "mov.u64 %d1, sm;\n    add.s64 %d1, %d1, %wide;\n    and.b64 %d1, %d1, 4092;\n    st.shared.u32 [sm], %n;",
        "= 1", ".shared .align 16 .b8 sm[8192];",
    ),
    "a_store_of_a_generic_address_between_shared_loads": Case(_FILLED + f"""
    ld.shared.u32 %r2, [%d2];
    st.u32 [%o], %n;
    ld.shared.u32 %r3, [%d2+4];            // stays: {_STORE}
    use %r2, %r3;
""", variables=_SHARED),
    "a_store_to_other_residues": Case("""
    add.s64 %d1, %in, %wide;
    add.s64 %d1, %d1, %wide;
    mul.wide.u32 %d2, %b, 16;
    add.s64 %d2, %d2, %in;
    ld.global.f32 %f1, [%d1];
    st.global.u32 [%d2+4], %n;
    ld.global.f32 %f2, [%d1+8];            // = 1
    use %f1, %f2;
"""),
    "a_store_that_reaches_over": Case(f"""
    add.s64 %d1, %in, %wide;
    add.s64 %d1, %d1, %wide;
    ld.global.f32 %f1, [%d1];
    mov.u64 %d2, 7;
    setp.eq.s32 %p1, %b, 0;
    @%p1 st.global.u64 [%in+8000], %d2;
    ld.global.f32 %f2, [%d1+8];            // stays: {_STORE}
    use %f1, %f2;
"""),
    "a_store_of_a_constant_distance": Case("""
    mul.wide.u32 %d1, %b, 128;
    add.s64 %d1, %d1, %other;
    ld.global.f32 %f1, [%d1];
    st.global.u32 [%d1+4], %n;
    ld.global.f32 %f2, [%d1];              // = 0
    st.global.v2.u32 [%d1+-8], {%n, %n};
    ld.global.f32 %f3, [%d1];              // = 0
    use %f1, %f2, %f3;
"""),
    "a_store_over_a_constant_distance": Case(f"""
    mul.wide.u32 %d1, %b, 128;
    add.s64 %d1, %d1, %other;
    ld.global.f32 %f1, [%d1];
    st.global.v2.u32 [%d1+-8], {{%n, %n}};
    ld.global.f32 %f2, [%d1];              // = 0
    st.global.v4.u32 [%d1+-32], {{%n, %n, %n, %n}};
    ld.global.f32 %f3, [%d1];              // = 0
    st.global.v4.u32 [%d1+-16], {{%n, %n, %n, %n}};
    ld.global.f32 %f4, [%d1];              // = 0
    st.global.v4.u32 [%d1], {{%n, %n, %n, %n}};
    ld.global.f32 %f5, [%d1];              // stays: {_STORE}
    use %f2, %f3, %f4, %f5;
"""),
    "a_store_between_constants": Case("""
    ld.global.nc.f32 %f1, [%a];
    st.global.u32 [%o], %n;
    ld.global.nc.f32 %f2, [%a+4];          // = 1
    use %f1, %f2;
"""),
    "an_atomic": _between("atom.global.add.u32 %r1, [%other], 1;", f"stays: {_BETWEEN}"),
    "a_reduction": _between("red.global.add.u32 [%other], 1;", f"stays: {_BETWEEN}"),
    "a_barrier": _between("bar.sync 0;", f"stays: {_BETWEEN}"),
    "a_barrier_of_the_warp": _between("activemask.b32 %r1;\n    bar.warp.sync %r1;", f"stays: {_BETWEEN}"),
    "a_fence": _between("membar.gl;", f"stays: {_BETWEEN}"),
    "a_barrier_between_constants": _between("bar.sync 0;", f"stays: {_BETWEEN}", load="ld.global.nc.f32"),
    "an_acquiring_load": _between("ld.acquire.gpu.global.u32 %r1, [%other];\n    use %r1;", f"stays: {_BETWEEN}"),
    "a_volatile_load": _between("ld.volatile.global.u32 %r1, [%other];\n    use %r1;", f"stays: {_BETWEEN}"),
    "an_asynchronous_copy": _between(
        "cp.async.ca.shared.global [sm], [%other], 4;", f"stays: {_BETWEEN}", ".shared .align 16 .b8 sm[64];"
    ),
    "a_shuffle": _between("activemask.b32 %r1;\n    shfl.sync.idx.b32 %r2, %t, 0, 31, %r1;", "= 1"),
    "a_store_of_tiles": _between(
        "mov.f32 %f9, 0f00000000;\n    wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%in], "
        "{%f9, %f9, %f9, %f9, %f9, %f9, %f9, %f9}, %n;", f"stays: {_BETWEEN}",
    ),
}  # fmt: skip
