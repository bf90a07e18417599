# SPDX-License-Identifier: Apache-2.0
"""What every random kernel in OpenCL C begins with."""

from typing import Final

from .arithmetic import ELEMENTS, WIDTHS, name_of


def _for_all(macro: str, kinds: str, widths: tuple[int, ...]) -> str:
    """Uses of a macro for all types of some kinds and widths; each gets the type, its component's, and the width."""
    return "".join(
        f"{macro}({name_of(element.name, width)}, {element.name}, {width})\n"
        for element in ELEMENTS.values()
        for width in widths
        if element.kind in kinds
    )


PRELUDE: Final = f"""\
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define OVERLOADED static __attribute__((overloadable))
#define ORDERED(T, E, N) OVERLOADED T ordered(T x) {{ return x == x ? x : (T)(0); }}
{_for_all("ORDERED", "f", (1, *WIDTHS))}
#define BOUNDED(T, E, N) OVERLOADED int bounded(T x) {{ return x > (T)-1e4f && x < (T)1e4f ? (int)x : 0; }}
{_for_all("BOUNDED", "f", (1,))}
#define DIVIDED(T, E, N) \\
    OVERLOADED T divided(T a, T b) {{ return b != 0 && !((T)-1 < (T)0 && b == (T)-1) ? a / b : a; }}
{_for_all("DIVIDED", "iu", (1,))}
#define WORD(T, E, N) OVERLOADED ulong word(T x) {{ return (ulong)x; }}
{_for_all("WORD", "iu", (1,))}
OVERLOADED ulong word(half x) {{ return as_ushort(ordered(x)); }}
OVERLOADED ulong word(float x) {{ return as_uint(ordered(x)); }}
OVERLOADED ulong word(double x) {{ return as_ulong(ordered(x)); }}
#define FOLDED(T, E, N) OVERLOADED ulong folded(T x) {{ \\
    E parts[N]; \\
    ulong sum = 7; \\
    vstore##N(x, 0, parts); \\
    for (int i = 0; i < N; ++i) sum = sum * 0x9e3779b97f4a7c15ul + word(parts[i]); \\
    return sum; \\
}}
{_for_all("FOLDED", "iuf", WIDTHS)}
#define TWO_RESULTS(T, E, N) \\
    OVERLOADED T sine_and_cosine(T x) {{ T other, sine = sincos(x, &other); return sine - other; }} \\
    OVERLOADED T parts(T x) {{ T whole, part = modf(x, &whole); return part + fract(whole, &part) + part; }}
{_for_all("TWO_RESULTS", "f", (1, 2, 3, 4)).replace("TWO_RESULTS(half", "//")}
typedef struct {{ uint a; float f; short s; float4 v; }} Pair;
typedef struct {{ int a; float f; short s; long l; }} Options;
typedef union {{ uint u; int i; ushort h[2]; uchar b[4]; uchar4 v; }} Word;
typedef struct {{ Pair pair; uint2 v; struct {{ char c; long l; }} list[2]; }} Nested;
static Pair passed(Pair x) {{ return x; }}
static __attribute__((noinline)) void exchange(Pair *x, Pair *y) {{ Pair z = *x; *x = *y; *y = z; }}
static float4 *later(float4 *first, uint steps) {{
    for (; steps > 0; --steps) ++first;
    return first;
}}
OVERLOADED void add_by_cas(__global uint *place, uint x) {{
    for (uint seen = *place, old; (old = atomic_cmpxchg(place, seen, seen + x)) != seen; seen = old) {{}}
}}
OVERLOADED void add_by_cas(__local uint *place, uint x) {{
    for (uint seen = *place, old; (old = atomic_cmpxchg(place, seen, seen + x)) != seen; seen = old) {{}}
}}
__constant uint table[16] = {{7, 0, 1, 0x80000000u, 3, ~0u, 100, 5, 2, 9, 0xdeadbeefu, 64, 31, 8, 1, 12345}};
#define ITEMS ((uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))
"""
"""`bounded` and `ordered` keep conversions to integers defined, also of NaNs. ITEMS is smaller in last groups."""
