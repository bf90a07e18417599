# SPDX-License-Identifier: Apache-2.0
"""Variables with parts in OpenCL C: see `tests/fuzz/aggregates.py`."""

from typing import Final

from ..aggregates import Aggregate
from .arithmetic import FLOAT, INT, LONG, SHORT, TYPES, UCHAR, UINT

_COPIES: Final = (
    "{n} = {m};", "{n} = {q} ? {m} : {n};",
    "__typeof__({n}) *taken = &{n}; if ({q}) taken = &{m}; __typeof__({n}) copy = *taken; {n} = copy;",
)  # fmt: skip


def _vector(name: str, values: str, *parts: tuple[str, str]) -> Aggregate:
    """`parts`: components, one or several at a time, and their type."""
    return Aggregate(
        f"{name} {{n}} = ({name})({values});",
        tuple((f"{{n}}.{part}", TYPES[type_]) for part, type_ in parts),
        (*_COPIES, "{n} = select({n}, {m}, {n} < {m});" if name[0] == "f" else "{n} = {m} ^ {n};"),
    )


AGGREGATES: Final = (
    Aggregate(
        "Pair {n} = {{item, 0.5f, 3, (float4)(1, 2, 3, n)}};",
        (
            ("{n}.a", UINT), ("{n}.f", FLOAT), ("{n}.s", SHORT), ("{n}.v", TYPES["float4"]), ("{n}.v.y", FLOAT),
            ("{n}.v.xw", TYPES["float2"]),
        ),
        (*_COPIES, "{n} = passed({m});", "exchange(&{n}, &{m});"),
    ),
    _vector("uint4", "item, 1, 2, in[3]", ("x", "uint"), ("s3", "uint"), ("lo", "uint2"), ("wy", "uint2")),
    _vector("float2", "1.5f, fin[item & 63]", ("x", "float"), ("y", "float"), ("yx", "float2")),
    _vector("float3", "1.5f, 2, n", ("x", "float"), ("yz", "float2"), ("zxy", "float3")),
    _vector("short8", "-1, n, 1, 2, 3, 4, (short)item, 7", ("s5", "short"), ("hi", "short4"), ("even", "short4")),
    _vector("uchar16", "(uchar)item", ("sb", "uchar"), ("odd", "uchar8"), ("s048c", "uchar4"), ("lo.s3", "uchar")),
    _vector("long3", "n, -1, m", ("x", "long"), ("z", "long"), ("xz", "long2")),
    Aggregate(
        "Word {n} = {{in[item & 63]}};",
        (
            ("{n}.u", UINT), ("{n}.i", INT), ("{n}.h[1]", TYPES["ushort"]), ("{n}.b[{i} & 3]", UCHAR),
            ("{n}.v", TYPES["uchar4"]), ("{n}.v.zx", TYPES["uchar2"]),
        ),
        _COPIES,
    ),
    Aggregate(
        "Nested {n} = {{{{0}}}};",
        (
            ("{n}.pair.f", FLOAT), ("{n}.v.y", UINT), ("{n}.list[1].l", LONG),
            ("{n}.list[{i} & 1].c", TYPES["char"]), ("{n}.pair.v", TYPES["float4"]),
        ),
        (*_COPIES, "{n}.list[1] = {m}.list[0];", "exchange(&{n}.pair, &{m}.pair);"),
    ),
    Aggregate(
        "float4 {n}[3] = {{(float4)(n), (float4)(1, 2, 3, 4)}};",
        (
            ("{n}[1]", TYPES["float4"]), ("{n}[{i} % 3]", TYPES["float4"]), ("{n}[{i} % 3].z", FLOAT),
            ("later({n}, {i} % 3)->w", FLOAT),
        ),
        ("{n}[0] = {m}[2];", "{n}[1] = {m}[{q}].wzyx;"),
    ),
    Aggregate(
        "int {n}[3][5] = {{{{n}}, {{1, m}}}};",
        (("{n}[1][{i} % 5]", INT), ("{n}[{i} % 3][2]", INT), ("(*({n} + {i} % 3))[{i} % 5]", INT)),
        ("{n}[2][4] ^= {m}[{q}][1];", "vstore3(vload3({q}, {m}[1]), 0, {n}[2]);"),
    ),
    Aggregate(
        "float {n}[9] = {{1.5f, fin[item & 63]}};",
        (("{n}[{i} % 9]", FLOAT), ("{n}[1]", FLOAT), ("{n}[item & 7]", FLOAT)),
        ("{n}[8] = {m}[{q}];", "vstore4(vload4({q}, {m}), 0, {n} + 3);"),
    ),
    Aggregate(
        "short {n}[12] = {{1, -2, (short)item}};",
        (("{n}[{i} % 12]", SHORT), ("{n}[item % 12]", SHORT)),
        ("{n}[3] = {m}[{q} + 4];",),
    ),
    Aggregate(
        "uint {n}[8] = {{1, 2, 3}};",
        (("{n}[{i} & 7]", UINT), ("{n}[5]", UINT)),
        ("vstore4(vload4({q}, {m}), 1, {n});", "vstore2(vload2({q} + 2, {m}).yx, {q}, {n});",
         "vstore8(rotate(vload8(0, {m}), vload8(0, {n})), 0, {n});"),
    ),
)  # fmt: skip
