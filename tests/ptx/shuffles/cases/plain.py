# SPDX-License-Identifier: Apache-2.0
"""Cases that Needs allow: distances, sizes, vectors, spaces, scopes, guards that are true."""

from __future__ import annotations

from typing import Final

from ..case import Case

_PAIR: Final = """
    ld.global.{first} %f1, [%a];
    ld.global.{second} %f2, [%a+4];    // {expected}
    use %f1, %f2;
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


PLAIN: Final[dict[str, Case]] = {
    "two_loads": Case(_PAIR.format(first="f32", second="f32", expected="= 1")),
    "of_two_types_of_one_size": Case(_PAIR.format(first="b32", second="f32", expected="= 1")),
    "the_lane_before": Case("""
    ld.global.f32 %f1, [%a];
    ld.global.f32 %f2, [%a+-4];    // = -1
    use %f1, %f2;
"""),
    "as_far_as_a_warp_is_long": Case("""
    ld.global.f32 %f1, [%a];
    ld.global.f32 %f2, [%a+124];   // = 31
    ld.global.f32 %f3, [%a+-124];  // = -31
    ld.global.f32 %f4, [%a+128];  // stays: has become a shuffle itself
    ld.global.f32 %f5, [%a+-128]; // stays: has become a shuffle itself
    use %f1, %f2, %f3, %f4, %f5;
"""),
    "the_nearest_of_three": Case("""
    ld.global.f32 %f1, [%a+-80];
    ld.global.f32 %f2, [%a+80];
    ld.global.f32 %f3, [%a+64];    // = -4
    use %f1, %f2, %f3;
"""),
    "the_lane_itself": Case("""
    ld.global.f32 %f1, [%a+4];
    add.s64 %d1, %a, 4;
    ld.global.f32 %f2, [%d1];      // = 0
    use %f1, %f2;
"""),
    "a_uniform_address": Case("""
    ld.global.f32 %f1, [%in];
    ld.global.f32 %f2, [%in];      // = 0
    ld.global.f32 %f3, [%in+4];
    use %f1, %f2, %f3;
"""),
    "two_elements_a_lane": Case("""
    add.s64 %d1, %a, %wide;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+8];    // = 1
    ld.global.f32 %f3, [%d1+4];
    use %f1, %f2, %f3;
"""),
    "the_lanes_the_other_way_round": Case("""
    sub.s64 %d1, %in, %wide;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+8];    // = -2
    use %f1, %f2;
"""),
    "of_8_bytes": Case("""
    add.s64 %d1, %in, %wide;
    add.s64 %d1, %d1, %wide;
    ld.global.u64 %d2, [%d1];
    ld.global.f64 %g1, [%d1+24];   // = 3
    ld.global.u64 %d3, [%d1+-8];   // = -1
    use %d2, %g1, %d3;
"""),
    "of_8_bytes_that_overlap": Case("""
    add.s64 %d1, %in, %wide;
    add.s64 %d1, %d1, %wide;
    ld.global.u64 %d2, [%d1];
    ld.global.u32 %r1, [%d1+8];
    use %d2, %r1;
"""),
    "two_at_once": Case("""
    add.s64 %d1, %in, %wide;
    add.s64 %d1, %d1, %wide;
    ld.global.v2.f32 {%f1, %f2}, [%d1];
    ld.global.v2.f32 {%f3, %f4}, [%d1+8];    // = 1 1
    ld.global.f32 %f5, [%d1+-4];             // = -1
    ld.global.f32 %f6, [%d1+4];              // = 0
    use %f1, %f2, %f3, %f4, %f5, %f6;
"""),
    "four_at_once": Case("""
    add.s64 %d1, %in, %wide;
    add.s64 %d1, %d1, %wide;
    add.s64 %d1, %d1, %wide;
    add.s64 %d1, %d1, %wide;
    ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%d1];
    ld.global.v4.f32 {%f5, %f6, %f7, %f8}, [%d1+-16];    // = -1 -1 -1 -1
    use %f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8;
"""),
    "two_from_two": Case("""
    ld.global.f32 %f1, [%a];
    ld.global.f32 %f2, [%a+68];
    use %f1, %f2;
    add.s64 %d1, %in, 0;
    ld.global.v2.u64 {%d2, %d3}, [%d1];
    ld.global.v2.u64 {%d4, %d5}, [%d1];                  // = 0 0
    use %d2, %d3, %d4, %d5;
""".replace("[%a+68];", "[%a+68];    // = 17")),
    "of_shared_memory": Case(_FILLED + """
    ld.shared.u32 %r2, [%d2];
    ld.shared.u32 %r3, [%d2+4];    // = 1
    use %r2, %r3;
""", variables=_SHARED),
    "of_shared_memory_in_32_bits": Case(_FILLED + """
    mov.u32 %r4, sm;
    shl.b32 %r5, %t, 2;
    add.s32 %r4, %r4, %r5;
    ld.shared.u32 %r2, [%r4+4];
    add.s32 %r4, %r4, 4;
    ld.shared.u32 %r3, [%r4+-4];   // = -1
    use %r2, %r3;
""", variables=_SHARED),
    "of_generic_addresses": Case("""
    ld.f32 %f1, [%a];
    ld.f32 %f2, [%a+4];            // = 1
    use %f1, %f2;
"""),
    "into_the_register_of_its_address": Case("""
    add.s64 %d1, %in, %wide;
    add.s64 %d1, %d1, %wide;
    ld.global.u64 %d2, [%d1];
    ld.global.u64 %d1, [%d1+8];    // = 1
    use %d1, %d2;
"""),
    "by_the_lanes_number": Case("""
    mov.u32 %r1, %laneid;
    mul.wide.u32 %d1, %r1, 4;
    add.s64 %d1, %d1, %in;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];    // = 1
    use %f1, %f2;
"""),
    "by_the_row": Case("""
    mul.wide.u32 %d1, %y, 4;
    add.s64 %d1, %d1, %in;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+4];
    ld.global.f32 %f3, [%d1];      // = 0
    use %f1, %f2, %f3;
"""),
    "by_the_plane_and_the_place": Case("""
    mad.lo.s32 %r1, %z, 100, %x;
    mul.wide.u32 %d1, %r1, 4;
    add.s64 %d1, %d1, %in;
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d1+8];    // = 2
    use %f1, %f2;
"""),
    "in_nested_blocks": Case("""
    ld.global.f32 %f1, [%a];
    {
        .reg .f32 %u<4>;
        .reg .b64 %d<4>;
        ld.global.f32 %u2, [%a+4];         // = 1
        add.s64 %d1, %a, 4;
        ld.global.f32 %u3, [%d1+4];        // = 2
        use %u2, %u3;
    }
    use %f1;
"""),
    "in_two_rows_of_a_scope": Case("""
    mov.f32 %f1, 0f00000000;
    {
        .reg .f32 %f1;
        ld.global.f32 %f1, [%a];
        use %f1;
    }
    ld.global.f32 %f2, [%a+4];             // stays: can't be proven
    use %f1, %f2;
"""),
    "behind_a_source_of_its_own": Case("""
    ld.global.f32 %f1, [%a];
    ld.global.f32 %f2, [%a+4];             // = 1
    ld.global.f32 %f3, [%a+8];             // = 2
    ld.global.f32 %f4, [%a+128];           // stays: has become a shuffle itself
    use %f1, %f2, %f3, %f4;
"""),
    "under_a_guard_that_is_true": Case("""
    setp.lt.u32 %p1, %x, 16;
    ld.global.f32 %f1, [%a];
    mov.f32 %f2, 0f00000000;
    @!%p1 bra E;
    @%p1 ld.global.f32 %f2, [%a+4];        // = 1
E:
    use %f1, %f2;
"""),
    "under_a_guard_that_is_constant": Case("""
    setp.eq.s32 %p1, 3, 3;
    ld.global.f32 %f1, [%a];
    @%p1 ld.global.f32 %f2, [%a+4];        // = 1
    use %f1, %f2;
"""),
    "all_on_one_line": Case("""
    { .reg .f32 %u, %v; ld.global.f32 %u, [%a]; ld.global.f32 %v, [%a+4]; use %u, %v; }   // = 1
""".replace(" use %u, %v;", "\nmov.b32 %r1, %u;\nmov.b32 %r2, %v;").replace("// = 1\n", "\n    use %r1, %r2;\n")
    .replace("[%a+4];", "[%a+4];   // = 1")),
    "of_pairs_of_halves": Case("""
    ld.global.b32 %u, [%a];
    ld.global.b32 %v, [%a+4];              // = 1
    mov.b32 %r1, %u;
    mov.b32 %r2, %v;
    use %r1, %r2;
""", variables=".reg .b32 %u, %v;"),
}  # fmt: skip
