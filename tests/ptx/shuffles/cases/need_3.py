# SPDX-License-Identifier: Apache-2.0
"""Cases for Need 3 of `shuffles/candidates.py`: the source is the same N lanes on in all flows."""

from __future__ import annotations

from typing import Final

from ..case import Case

_UNPROVEN: Final = "can't be proven"
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


NEED_3: Final[dict[str, Case]] = {
    "two_distances_of_two_flows": Case(_DIAMOND.format(
        at=20, first="mov.u64 %d1, %a;", second="add.s64 %d1, %a, 4;",
        behind=f"""ld.global.f32 %f1, [%a];
    ld.global.f32 %f2, [%d1+4];            // stays: {_UNPROVEN}
    use %f1, %f2;""",
    )),
    "two_distances_of_two_sources": Case(_DIAMOND.format(
        at=20, first="mov.u64 %d1, %a;", second="add.s64 %d1, %a, 4;",
        behind=f"""ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%a+4];             // stays: {_UNPROVEN}
    use %f1, %f2;""",
    )),
    "one_distance_and_two_offsets": Case(_DIAMOND.format(
        at=20, first="mov.u64 %d1, %a;", second="add.s64 %d1, %a, 512;",
        behind=f"""ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];            // stays: {_UNPROVEN}
    use %f1, %f2;""",
    )),
    "one_distance_and_two_offsets_that_exclude_one_another": Case("""
    setp.lt.s32 %p1, %n, 3;
    mov.u32 %r1, %n;
    @%p1 bra L;
    mov.u32 %r1, 3;
    min.s32 %r1, %r1, %n;
L:
    mul.wide.s32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];            // = 1
    use %f1, %f2;
"""),
    "one_distance_of_two_strides": Case(_DIAMOND.format(
        at=20, first="mov.u64 %d1, %a;", second="add.s64 %d1, %a, %wide;",
        behind="""ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+8];            // stays
    use %f1, %f2;""".replace("// stays", f"// stays: {_UNPROVEN}"),
    )),
    "offsets_that_are_chosen": Case("""
    setp.lt.u32 %p1, %x, 20;
    selp.u64 %d1, 0, 512, %p1;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    use %f1, %f2;
"""),
    "a_remainder_of_the_place": Case("""
    rem.u32 %r1, %x, 24;
    mul.wide.u32 %d1, %r1, 4;
    add.s64 %d1, %d1, %in;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    use %f1, %f2;
"""),
    "low_bits_of_the_place": Case("""
    and.b32 %r1, %x, 15;
    mul.wide.u32 %d1, %r1, 4;
    add.s64 %d1, %d1, %in;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    use %f1, %f2;
"""),
    "a_product_of_the_place": Case("""
    mul.lo.s32 %r1, %x, %x;
    and.b32 %r1, %r1, 1023;
    mul.wide.u32 %d1, %r1, 4;
    add.s64 %d1, %d1, %in;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    use %f1, %f2;
"""),
    "a_square_of_the_place": Case("""
    mul.wide.u32 %d1, %x, %x;
    and.b64 %d1, %d1, 1020;
    mul.wide.u32 %d2, %x, %x;
    shl.b64 %d2, %d2, 2;
    rem.u64 %d2, %d2, 4096;
    add.s64 %d2, %d2, %in;
    ld.global.f32 %f1, [%d2];
    ld.global.f32 %f2, [%d2+4];
    ld.global.f32 %f3, [%d2+12];
    use %f1, %f2, %f3;
"""),
    "an_index_from_memory": Case("""
    ld.global.u32 %r1, [%a];
    and.b32 %r1, %r1, 63;
    mul.wide.u32 %d1, %r1, 4;
    add.s64 %d1, %d1, %in;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    use %f1, %f2;
"""),
    "an_index_from_one_place_of_memory": Case("""
    ld.global.u32 %r1, [%other];
    and.b32 %r1, %r1, 63;
    mul.wide.u32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];            // = 1
    use %f1, %f2;
"""),
    "an_index_from_a_clock": Case("""
    mov.u32 %r1, %clock;
    and.b32 %r1, %r1, 0;
    mul.wide.u32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];            // = 1
    use %f1, %f2;
"""),
    "an_index_from_an_atomic": Case("""
    atom.global.or.b32 %r1, [%other], 0;
    and.b32 %r1, %r1, 63;
    mul.wide.u32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    use %f1, %f2;
"""),
    "an_index_from_a_neighbour": Case("""
    activemask.b32 %r2;
    shfl.sync.idx.b32 %r1, %x, 3, 31, %r2;
    and.b32 %r1, %r1, 63;
    mul.wide.u32 %d1, %r1, 4;
    add.s64 %d1, %d1, %a;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    use %f1, %f2;
"""),
}  # fmt: skip
