# SPDX-License-Identifier: Apache-2.0
"""Variables with parts: structs, unions, bit fields, vectors, arrays, and what is done with a whole one."""

from typing import Final, NamedTuple

from .arithmetic import BYTE, CHAR, DOUBLE, FLOAT, INT, LONG, SHORT, UNSIGNED, UNSIGNED_LONG, UNSIGNED_SHORT, Number


class Aggregate(NamedTuple):
    """A type; {n} is the variable's name, {i} an unsigned index."""

    declaration: str
    parts: tuple[tuple[str, Number], ...]
    """Each can be read and assigned."""
    whole: tuple[str, ...] = ()
    """Statements that change all of it; {m} is another variable of the type, or the same, {q} a condition."""


_COPIES: Final = (
    "{n} = {m};", "{n} = passed({m});", "{n} = either({q}, {n}, {m});", "exchange({n}, {m});",
    "auto *taken = &{n}; if ({q}) taken = &{m}; auto copy = *taken; {n} = copy;",
)  # fmt: skip


def _vector(name: str, values: str, number: Number, parts: str) -> Aggregate:
    return Aggregate(
        f"{name} {{n}} = make_{name}({values});", tuple((f"{{n}}.{part}", number) for part in parts), _COPIES
    )


AGGREGATES: Final = (
    Aggregate(
        "Pair {n} = {{item, 0.5f, 3, 0.25}};",
        (("{n}.a", UNSIGNED), ("{n}.f", FLOAT), ("{n}.s", SHORT), ("{n}.d", DOUBLE)),
        _COPIES,
    ),
    _vector("uint4", "item, 1, 2, in[3]", UNSIGNED, "xyzw"),
    _vector("float2", "1.5f, fin[item & 63]", FLOAT, "xy"),
    _vector("int3", "n, -1, m", INT, "xyz"),
    _vector("uchar4", "(unsigned char)item, 2, 3, 4", BYTE, "xyzw"),
    _vector("short2", "-1, (short)item", SHORT, "xy"),
    _vector("double2", "0.25, n", DOUBLE, "xy"),
    Aggregate(
        "Bits {n} = {{item & 31, -3, 5, 6}};",
        (
            ("{n}.a", UNSIGNED), ("{n}.b", INT), ("{n}.c", UNSIGNED_SHORT), ("{n}.d", UNSIGNED_LONG), ("{n}.e", CHAR),
        ),
        _COPIES,
    ),
    Aggregate(
        "Word {n} = {{in[item & 63]}};",
        (
            ("{n}.u", UNSIGNED), ("{n}.i", INT), ("{n}.h[1]", UNSIGNED_SHORT), ("{n}.b[2]", BYTE),
            ("{n}.b[{i} & 3]", BYTE),
        ),
        _COPIES,
    ),
    Aggregate(
        "Nested {n} = {{}};",
        (
            ("{n}.pair.f", FLOAT), ("{n}.v.y", UNSIGNED), ("{n}.i", INT), ("{n}.u", UNSIGNED),
            ("{n}.list[1].l", LONG), ("{n}.list[{i} & 1].c", CHAR),
        ),
        (*_COPIES, "{n}.list[1] = {m}.list[0];", "{n}.pair = {m}.pair;", "exchange({n}.list[0], {m}.list[{q}]);"),
    ),
    Aggregate(
        "Pair {n}[3] = {{{{item}}, {{1, 2.0f}}}};",
        (
            ("{n}[1].a", UNSIGNED), ("{n}[{i} % 3].f", FLOAT), ("{n}[{i} % 3].a", UNSIGNED),
            ("later({n}, {i} % 3)->s", SHORT),
        ),
        ("{n}[0] = {m}[2];", "{n}[1] = passed({m}[{q}]);", "exchange({n}[2], {m}[{q}]);"),
    ),
    Aggregate(
        "int {n}[3][5] = {{{{n}}, {{1, m}}}};",
        (("{n}[1][{i} % 5]", INT), ("{n}[{i} % 3][2]", INT), ("(*({n} + {i} % 3))[{i} % 5]", INT)),
        ("{n}[2][4] ^= folded<5>({m}[{q}], {n}[0][0]);", "exchange({n}[0], {m}[1]);"),
    ),
    Aggregate(
        "unsigned char {n}[8] = {{1, 2, 3}};",
        (("{n}[{i} & 7]", BYTE), ("{n}[5]", BYTE), ("*later({n}, {i} & 7)", BYTE)),
        ("{n}[0] = folded<8>({m}, {n}[1]);",),
    ),
    Aggregate(
        "unsigned {n}[16] = {{item, 1, in[3]}};",
        (("{n}[{i} & 15]", UNSIGNED), ("{n}[7]", UNSIGNED), ("{n}[item & 15]", UNSIGNED)),
        ("{n}[0] = folded<16>({m}, {n}[{q}]);", "exchange({n}, {m});"),
    ),
    Aggregate(
        "float {n}[9] = {{1.5f, fin[item & 63]}};",
        (("{n}[{i} % 9]", FLOAT), ("{n}[1]", FLOAT), ("*later({n}, {i} % 9)", FLOAT)),
        ("exchange({n}, {m});", "{n}[8] = {m}[{q}];"),
    ),
    Aggregate("double {n}[4] = {{0.25, n}};", (("{n}[{i} & 3]", DOUBLE), ("{n}[2]", DOUBLE)), ("exchange({n}, {m});",)),
    Aggregate(
        "short {n}[12] = {{1, -2, (short)item}};",
        (("{n}[{i} % 12]", SHORT), ("{n}[item % 12]", SHORT)),
        ("{n}[3] = {m}[{q} + 4];",),
    ),
    Aggregate("Box<unsigned> {n}(item);", (("{n}.value", UNSIGNED),), ("{n} = {n} + {m};", *_COPIES)),
    Aggregate("Box<long long> {n}(n);", (("{n}.value", LONG),), ("{n} = {m} + {n};", *_COPIES)),
)  # fmt: skip
