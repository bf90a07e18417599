# SPDX-License-Identifier: Apache-2.0
"""The built-in functions of OpenCL C 1.2 but for images, with all their overloads, as the specification's tables list
them (6.2.3, 6.12.1 to 6.12.12; extensions 9.3, 9.4, 9.5), those with half of cl_khr_fp16, and those of the extensions
for sub-groups."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

WIDTHS = (1, 2, 3, 4, 8, 16)
VECTORS = WIDTHS[1:]
SIGNED = ("char", "short", "int", "long")
UNSIGNED = ("uchar", "ushort", "uint", "ulong")
INTEGERS = (*SIGNED, *UNSIGNED)
FLOATS = ("float", "double", "half")
TYPES = (*INTEGERS, *FLOATS)
AS_SIGNED = {**dict(zip(UNSIGNED, SIGNED, strict=True)), "float": "int", "double": "long", "half": "short"}
AS_SIGNED |= {t: t for t in SIGNED}
AS_UNSIGNED = {t: f"u{AS_SIGNED[t]}" for t in TYPES}
WRITABLE = ("private", "global", "local")

ONE_NUMBER = (
    "acos", "acosh", "acospi", "asin", "asinh", "asinpi", "atan", "atanh", "atanpi", "cbrt", "ceil", "cos",
    "cosh", "cospi", "erfc", "erf", "exp", "exp2", "exp10", "expm1", "fabs", "floor", "log", "log2", "log10",
    "log1p", "logb", "rint", "round", "rsqrt", "sin", "sinh", "sinpi", "sqrt", "tan", "tanh", "tanpi", "tgamma",
    "trunc", "lgamma",
)  # fmt: skip
TWO_NUMBERS = (
    "atan2", "atan2pi", "copysign", "fdim", "fmod", "hypot", "maxmag", "minmag", "nextafter", "pow", "powr",
    "remainder", "fmax", "fmin",
)  # fmt: skip
FAST_ONE = (
    "cos", "exp", "exp2", "exp10", "log", "log2", "log10", "recip", "rsqrt", "sin", "sqrt", "tan",
)  # fmt: skip
RELATIONS = (
    "isequal", "isnotequal", "isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isordered",
    "isunordered",
)  # fmt: skip
CLASSES = (
    "isfinite", "isinf", "isnan", "isnormal", "signbit",
)  # fmt: skip


class BuiltIn(NamedTuple):
    name: str
    result: str
    parameters: tuple[str, ...]


def vector(type_: str, width: int) -> str:
    return type_ if width == 1 else f"{type_}{width}"


def all_built_ins() -> Iterator[BuiltIn]:
    yield from conversions()
    yield from work_items()
    yield from math()
    yield from integer()
    yield from common()
    yield from geometric()
    yield from relational()
    yield from vector_data()
    yield from synchronisation()
    yield from async_copies()
    yield from atomics()
    yield from shuffles()
    yield from sub_groups()


def conversions() -> Iterator[BuiltIn]:
    for to in TYPES:
        for sat in ("",) if to in FLOATS else ("", "_sat"):
            for mode in ("", "_rte", "_rtn", "_rtp", "_rtz"):
                for from_ in TYPES:
                    for n in WIDTHS:
                        yield BuiltIn(f"convert_{vector(to, n)}{sat}{mode}", vector(to, n), (vector(from_, n),))


def work_items() -> Iterator[BuiltIn]:
    yield BuiltIn("get_work_dim", "uint", ())
    for what in ("global_size", "global_id", "local_size", "local_id", "num_groups", "group_id", "global_offset"):
        yield BuiltIn(f"get_{what}", "size_t", ("uint",))


def math() -> Iterator[BuiltIn]:
    for scalar in FLOATS:
        for n in WIDTHS:
            t, i = vector(scalar, n), vector("int", n)
            yield from (BuiltIn(name, t, (t,)) for name in ONE_NUMBER)
            yield from (BuiltIn(name, t, (t, t)) for name in TWO_NUMBERS)
            yield from (BuiltIn(name, t, (t, t, t)) for name in ("fma", "mad"))
            yield from (BuiltIn(name, t, (t, i)) for name in ("ldexp", "pown", "rootn"))
            yield BuiltIn("ilogb", i, (t,))
            yield BuiltIn("nan", t, (vector(AS_UNSIGNED[scalar], n),))
            if n > 1:
                yield from (BuiltIn(name, t, (t, scalar)) for name in ("fmax", "fmin"))
                yield BuiltIn("ldexp", t, (t, "int"))
            for space in WRITABLE:
                yield from (BuiltIn(name, t, (t, f"{space} {t} *")) for name in ("fract", "modf", "sincos"))
                yield from (BuiltIn(name, t, (t, f"{space} {i} *")) for name in ("frexp", "lgamma_r"))
                yield BuiltIn("remquo", t, (t, t, f"{space} {i} *"))
    for n in WIDTHS:
        t = vector("float", n)
        for kind in ("half", "native"):
            yield from (BuiltIn(f"{kind}_{name}", t, (t,)) for name in FAST_ONE)
            yield from (BuiltIn(f"{kind}_{name}", t, (t, t)) for name in ("divide", "powr"))


def integer() -> Iterator[BuiltIn]:
    for scalar in INTEGERS:
        for n in WIDTHS:
            t, u = vector(scalar, n), vector(AS_UNSIGNED[scalar], n)
            yield BuiltIn("abs", u, (t,))
            yield BuiltIn("abs_diff", u, (t, t))
            yield from (BuiltIn(name, t, (t,)) for name in ("clz", "popcount"))
            for name in ("add_sat", "hadd", "rhadd", "mul_hi", "rotate", "sub_sat", "max", "min"):
                yield BuiltIn(name, t, (t, t))
            yield from (BuiltIn(name, t, (t, t, t)) for name in ("clamp", "mad_hi", "mad_sat"))
            if n > 1:
                yield from (BuiltIn(name, t, (t, scalar)) for name in ("max", "min"))
                yield BuiltIn("clamp", t, (t, scalar, scalar))
            if scalar in ("int", "uint"):
                yield BuiltIn("mul24", t, (t, t))
                yield BuiltIn("mad24", t, (t, t, t))
    for family in (SIGNED, UNSIGNED):
        for narrow, wide in itertools.pairwise(family):
            for n in WIDTHS:
                low = vector(AS_UNSIGNED[narrow], n)
                yield BuiltIn("upsample", vector(wide, n), (vector(narrow, n), low))


def common() -> Iterator[BuiltIn]:
    for s in FLOATS:
        for n in WIDTHS:
            t = vector(s, n)
            yield from (BuiltIn(name, t, (t,)) for name in ("degrees", "radians", "sign"))
            yield from (BuiltIn(name, t, (t, t)) for name in ("max", "min", "step"))
            yield from (BuiltIn(name, t, (t, t, t)) for name in ("clamp", "mix", "smoothstep"))
            if n > 1:
                yield from (BuiltIn(name, t, (t, s)) for name in ("max", "min"))
                yield BuiltIn("clamp", t, (t, s, s))
                yield BuiltIn("mix", t, (t, t, s))
                yield BuiltIn("step", t, (s, t))
                yield BuiltIn("smoothstep", t, (s, s, t))


def geometric() -> Iterator[BuiltIn]:
    for s in FLOATS:
        for n in (1, 2, 3, 4):
            t = vector(s, n)
            yield BuiltIn("length", s, (t,))
            yield BuiltIn("normalize", t, (t,))
            yield from (BuiltIn(name, s, (t, t)) for name in ("dot", "distance"))
            if n > 2:
                yield BuiltIn("cross", t, (t, t))
            if s == "float":
                yield BuiltIn("fast_length", s, (t,))
                yield BuiltIn("fast_normalize", t, (t,))
                yield BuiltIn("fast_distance", s, (t, t))


def relational() -> Iterator[BuiltIn]:
    for s in FLOATS:
        for n in WIDTHS:
            t, r = vector(s, n), "int" if n == 1 else vector(AS_SIGNED[s], n)
            yield from (BuiltIn(name, r, (t,)) for name in CLASSES)
            yield from (BuiltIn(name, r, (t, t)) for name in RELATIONS)
    for s in SIGNED:
        yield from (BuiltIn(name, "int", (vector(s, n),)) for n in WIDTHS for name in ("any", "all"))
    for s in TYPES:
        for n in WIDTHS:
            t = vector(s, n)
            yield BuiltIn("bitselect", t, (t, t, t))
            yield from (BuiltIn("select", t, (t, t, vector(c, n))) for c in (AS_SIGNED[s], AS_UNSIGNED[s]))


def vector_data() -> Iterator[BuiltIn]:
    for space in (*WRITABLE, "constant"):
        for n in VECTORS:
            yield from (BuiltIn(f"vload{n}", f"{s}{n}", ("size_t", f"const {space} {s} *")) for s in TYPES)
        for n in WIDTHS:
            for name in ("vload_half", "vloada_half")[: min(n, 2)]:
                yield BuiltIn(vector(name, n), vector("float", n), ("size_t", f"const {space} half *"))
    for space in WRITABLE:
        for n in VECTORS:
            yield from (BuiltIn(f"vstore{n}", "void", (f"{s}{n}", "size_t", f"{space} {s} *")) for s in TYPES)
        for n in WIDTHS:
            for s in ("float", "double"):
                for name in ("vstore_half", "vstorea_half")[: min(n, 2)]:
                    for mode in ("", "_rte", "_rtz", "_rtp", "_rtn"):
                        yield BuiltIn(f"{vector(name, n)}{mode}", "void", (vector(s, n), "size_t", f"{space} half *"))


def synchronisation() -> Iterator[BuiltIn]:
    for name in ("barrier", "mem_fence", "read_mem_fence", "write_mem_fence"):
        yield BuiltIn(name, "void", ("cl_mem_fence_flags",))
    yield BuiltIn("wait_group_events", "void", ("int", "event_t *"))


def async_copies() -> Iterator[BuiltIn]:
    for t in (vector(s, n) for s in TYPES for n in WIDTHS):
        for to, from_ in (("local", "global"), ("global", "local")):
            pointers = (f"{to} {t} *", f"const {from_} {t} *")
            yield BuiltIn("async_work_group_copy", "event_t", (*pointers, "size_t", "event_t"))
            yield BuiltIn("async_work_group_strided_copy", "event_t", (*pointers, "size_t", "size_t", "event_t"))
        yield BuiltIn("prefetch", "void", (f"const global {t} *", "size_t"))


def atomics() -> Iterator[BuiltIn]:
    for space in ("global", "local"):
        yield BuiltIn("atomic_xchg", "float", (f"volatile {space} float *", "float"))
        for prefix, types in (("atomic", ("int", "uint")), ("atom", ("int", "uint", "long", "ulong"))):
            for t in types:
                place = f"volatile {space} {t} *"
                for name in ("add", "sub", "xchg", "min", "max", "and", "or", "xor"):
                    yield BuiltIn(f"{prefix}_{name}", t, (place, t))
                yield from (BuiltIn(f"{prefix}_{name}", t, (place,)) for name in ("inc", "dec"))
                yield BuiltIn(f"{prefix}_cmpxchg", t, (place, t, t))


def shuffles() -> Iterator[BuiltIn]:
    for s in TYPES:
        for m in (2, 4, 8, 16):
            for n in (2, 4, 8, 16):
                mask = f"{AS_UNSIGNED[s]}{m}"
                yield BuiltIn("shuffle", f"{s}{m}", (f"{s}{n}", mask))
                yield BuiltIn("shuffle2", f"{s}{m}", (f"{s}{n}", f"{s}{n}", mask))


def sub_groups() -> Iterator[BuiltIn]:
    for what in ("size", "id", "local_id"):
        yield BuiltIn(f"get_sub_group_{what}", "uint", ())
    yield from (BuiltIn(f"get_{what}", "uint", ()) for what in ("max_sub_group_size", "num_sub_groups"))
    yield BuiltIn("sub_group_barrier", "void", ("cl_mem_fence_flags",))
    for what in ("all", "any", "non_uniform_all", "non_uniform_any"):
        yield BuiltIn(f"sub_group_{what}", "int", ("int",))
    yield BuiltIn("sub_group_elect", "int", ())
    yield BuiltIn("sub_group_ballot", "uint4", ("int",))
    yield BuiltIn("sub_group_inverse_ballot", "int", ("uint4",))
    yield BuiltIn("sub_group_ballot_bit_extract", "int", ("uint4", "uint"))
    for what in ("bit_count", "inclusive_scan", "exclusive_scan", "find_lsb", "find_msb"):
        yield BuiltIn(f"sub_group_ballot_{what}", "uint", ("uint4",))
    yield from (BuiltIn(f"get_sub_group_{mask}_mask", "uint4", ()) for mask in ("eq", "ge", "gt", "le", "lt"))
    for s in TYPES:
        names = ("add", "mul", "min", "max", *(() if s in FLOATS else ("and", "or", "xor")))
        yield from sub_group_arithmetic(s, names, uniform=("add", "min", "max"))
        for n in WIDTHS:
            t = vector(s, n)
            yield from (BuiltIn(f"sub_group_{name}", t, (t, "uint")) for name in ("broadcast", "non_uniform_broadcast"))
        yield BuiltIn("sub_group_broadcast_first", s, (s,))
        yield BuiltIn("sub_group_non_uniform_all_equal", "int", (s,))
        for name in ("shuffle", "shuffle_xor", "shuffle_up", "shuffle_down"):
            yield BuiltIn(f"sub_group_{name}", s, (s, "uint"))
        yield BuiltIn("sub_group_rotate", s, (s, "int"))
        yield BuiltIn("sub_group_clustered_rotate", s, (s, "int", "uint"))
    yield from sub_group_arithmetic("int", ("logical_and", "logical_or", "logical_xor"), uniform=())


def sub_group_arithmetic(type_: str, names: tuple[str, ...], uniform: tuple[str, ...]) -> Iterator[BuiltIn]:
    for name in names:
        for kind in ("reduce", "scan_inclusive", "scan_exclusive"):
            if name in uniform:
                yield BuiltIn(f"sub_group_{kind}_{name}", type_, (type_,))
            yield BuiltIn(f"sub_group_non_uniform_{kind}_{name}", type_, (type_,))
        yield BuiltIn(f"sub_group_clustered_reduce_{name}", type_, (type_, "uint"))
