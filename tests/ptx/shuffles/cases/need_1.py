# SPDX-License-Identifier: Apache-2.0
"""Cases for Need 1 of `shuffles/candidates.py`: both loads are plain."""

from __future__ import annotations

from typing import Final

from ..case import Case

_PAIR: Final = """
    ld.global.{first} %f1, [%a];
    ld.global.{second} %f2, [%a+4];    // {expected}
    use %f1, %f2;
"""
_NOT_PLAIN: Final = "loads its value, but is volatile or atomic, under a guard, or not of 4 or 8 bytes"
_NOT_SHUFFLED: Final = "it is volatile or atomic, under a guard, or not of 4 or 8 bytes"
_STORE: Final = "the store in line"


NEED_1: Final[dict[str, Case]] = {
    f"{position}_{how}": Case(_PAIR.format(
        first=f"{modifier}.f32" if position == "source" else "f32",
        second=f"{modifier}.f32" if position == "destination" else "f32",
        expected=f"stays: {_NOT_PLAIN if position == 'source' else _NOT_SHUFFLED}"
        if modifier != "nc" else "= 1",
    ).replace("ld.global.volatile", "ld.volatile.global").replace("ld.global.relaxed.gpu", "ld.relaxed.gpu.global")
     .replace("ld.global.acquire.gpu", "ld.acquire.gpu.global"))
    for position in ("source", "destination")
    for how, modifier in (
        ("volatile", "volatile"), ("relaxed", "relaxed.gpu"), ("acquire", "acquire.gpu"), ("uncached", "cv"),
        ("constant", "nc"),
    )
} | {
    "source_under_a_guard": Case(f"""
    setp.lt.u32 %p1, %x, 20;
    mov.f32 %f1, 0f00000000;
    @%p1 ld.global.f32 %f1, [%a];
    ld.global.f32 %f2, [%a+4];             // stays: {_NOT_PLAIN}
    use %f1, %f2;
"""),
    "destination_under_a_guard": Case(f"""
    setp.lt.u32 %p1, %x, 20;
    ld.global.f32 %f1, [%a];
    mov.f32 %f2, 0f00000000;
    @%p1 ld.global.f32 %f2, [%a+4];        // stays: {_NOT_SHUFFLED}
    use %f1, %f2;
"""),
    "of_16_bits": Case(f"""
    add.s64 %d1, %in, %i2;
    ld.global.u16 %h1, [%d1];
    ld.global.u16 %h2, [%d1+2];            // stays: {_NOT_SHUFFLED}
    use %h1, %h2;
""".replace("add.s64 %d1, %in, %i2;", "mul.wide.u32 %d1, %i, 2;\n    add.s64 %d1, %d1, %in;")),
    "of_8_bits": Case(f"""
    cvt.u64.u32 %d1, %i;
    add.s64 %d1, %d1, %in;
    ld.global.u8 %h1, [%d1];
    ld.global.u8 %h2, [%d1+1];             // stays: {_NOT_SHUFFLED}
    use %h1, %h2;
"""),
    "into_a_wider_register": Case(f"""
    ld.global.s32 %d1, [%a];
    ld.global.s32 %d2, [%a+4];             // stays: {_NOT_SHUFFLED}
    use %d1, %d2;
"""),
    "a_source_in_a_wider_register": Case(f"""
    ld.global.s32 %d1, [%a];
    ld.global.s32 %r2, [%a+4];             // stays: {_NOT_PLAIN}
    use %d1, %r2;
"""),
    "generic_addresses_that_may_be_of_local_memory": Case("""
    mov.u64 %d1, depot;
    cvta.local.u64 %d1, %d1;
    add.s64 %d2, %d1, %wide;
    mul.lo.s32 %r1, %t, 77;
    st.u32 [%d2], %t;
    st.u32 [%d2+4], %r1;
    ld.u32 %r2, [%d2];
    ld.u32 %r3, [%d2+4];                   // stays
    use %r2, %r3;
""", variables=".local .align 8 .b8 depot[65536];"),
    "of_local_memory": Case("""
    mov.u64 %d1, depot;
    add.s64 %d2, %d1, %wide;
    mul.lo.s32 %r1, %t, 77;
    st.local.u32 [%d2], %t;
    st.local.u32 [%d2+4], %r1;
    ld.local.u32 %r2, [%d2];
    ld.local.u32 %r3, [%d2+4];             // stays
    use %r2, %r3;
""", variables=".local .align 8 .b8 depot[65536];"),
    "registers_of_four_elements": Case(f"""
    mov.f32 %f9, 0f3F800000;
    ld.global.v4.f32 %v, [%in];
    st.global.f32 [%in+8], %f9;
    ld.global.v4.f32 %w, [%in];            // stays: {_STORE}
""", variables=".reg .v4 .f32 %v, %w;"),
}  # fmt: skip
