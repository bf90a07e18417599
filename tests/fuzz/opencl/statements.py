# SPDX-License-Identifier: Apache-2.0
"""The dialect of random kernels in OpenCL C, with the statements that are its own."""

from typing import Final

from ..dialect import Dialect
from ..expressions import COUNTERS, INPUTS
from ..prelude import TABLE
from ..private_statements import OWN_WORDS, assign
from ..scope import Scope
from ..statements import KINDS, anywhere
from ..writer import Kind, Lines, Writer
from .aggregates import AGGREGATES
from .arithmetic import DOUBLE, FLOAT, INT, LONG, NUMBERS, OPERANDS, SHORT, TYPES, UCHAR, UINT, ULONG, converted

_STREAMS: Final = (
    ("in[{p}]", UINT), ("in[{p} + 1]", UINT), ("(in + 7)[(int){p} - 5]", UINT), ("fin[{p}]", FLOAT),
    ("in[2 * {p} + 1]", UINT), ("fin[2 * {p}]", FLOAT), ("in[3 * {p}]", UINT), ("fin[4 * {p} + 2]", FLOAT),
    ("in[SIZE + 3 - {p}]", UINT), ("fin[2 * SIZE - 2 * {p}]", FLOAT), ("in[{p} / 2]", UINT), ("in[{p} % 8]", UINT),
    ("in[{p} ^ 1]", UINT), ("in[{p} & ~3u]", UINT), ("((__global const uchar *)in)[{p}]", UCHAR),
    ("((__global const short *)in)[{p} + 1]", SHORT), ("((__global const ulong *)in)[{p}]", ULONG),
    ("((__global const long *)in)[SIZE - {p}]", LONG), ("vload4({p}, in)", TYPES["uint4"]),
    ("vload3({p}, fin)", TYPES["float3"]), ("((__global const float2 *)fin)[{p}]", TYPES["float2"]),
    ("((__global const double *)fin)[{p}]", DOUBLE), ("vload4(SIZE - {p}, fin)", TYPES["float4"]),
    ("in[get_local_id(0) + {p} % 2]", UINT), ("fin[get_local_id(1)]", FLOAT),
    ("fin[(get_local_id(0) + 64 - get_local_id(1)) & 63]", FLOAT),
)  # fmt: skip
_PLACES: Final = (
    "item", "(uint)get_local_id(0)", "(uint)get_local_id(1)", "(uint)get_local_id(2)", "(item % 32)", "(item / 32)",
)  # fmt: skip
_SIDES: Final = (
    "item & 1", "get_local_id(0) < 3", "get_local_id(1) & 1", "get_local_id(1) == 0",
    "get_local_id(0) == get_local_size(0) - 1", "get_local_id(1) > 2", "item % 32 < 16",
    "get_local_id(0) >= get_local_id(1)", "get_local_id(2) == 0", "item < ITEMS / 2", "item % 3 == 0", "item == 0",
    "get_group_id(0) & 1", "get_local_id(0) / 8 == 0",
)  # fmt: skip

_OWN_ATOMICS: Final = (
    "atomic_add({p}, {v})", "atomic_sub({p}, {v})", "atomic_xchg({p}, {v})", "atomic_min({p}, {v})",
    "atomic_max({p}, {v})", "atomic_inc({p})", "atomic_dec({p})", "atomic_and({p}, {v})", "atomic_or({p}, {v})",
    "atomic_xor({p}, {v})", "atomic_cmpxchg({p}, {v}, {w})", "(uint)atomic_max((volatile __global int *){p}, (int){v})",
    "(uint)atom_add((__global ulong *)({p} - {i} % 2), {v} * 0x100000001ul)",
    "(uint)(atom_cmpxchg((__global ulong *)({p} - {i} % 2), {v}, {w}) >> 32)",
    "as_uint(atomic_xchg((volatile __global float *){p}, as_float({v} & 0x7fffffu)))",
)  # fmt: skip
"""As CUDA's, in `private_statements.py`."""


def exchange(writer: Writer, scope: Scope) -> Lines:
    """Two variables, or one of two by pointer."""
    make = writer.make
    plain = [v for v in scope.variables if v.is_plain]
    if not plain:
        return assign(writer, scope)
    one = make.pick(plain)
    other = make.pick([v for v in plain if v.number is one.number])
    type_, name = one.number.name, writer.name("p")
    if make.upto(1):
        return [f"{{ {type_} {name} = {one.name}; {one.name} = {other.name}; {other.name} = {name}; }}"]
    condition, value = make.condition(scope), make.value(scope, one.number, 1)
    return [f"{{ {type_} *{name} = {condition} ? &{one.name} : &{other.name}; *{name} = {value}; }}"]


def output(writer: Writer, scope: Scope) -> Lines:
    make = writer.make
    number = make.number()
    value = converted(make.value(scope, number, 1), number, ULONG)
    place = make.index(scope, COUNTERS, 0)
    template = make.pick(
        (
            "own[{i}] = {v};",
            "own[{i}] ^= {v};",
            "atomic_add(&totals[0], (uint){v});",
            "atomic_xor(&totals[1], (uint){v});",
            "atomic_max((volatile __global int *)&totals[2], (int){v});",
            "add_by_cas(&totals[3], (uint){v});",
        )
    )
    return [template.format(i=place, v=value)]


def own_words(writer: Writer, scope: Scope) -> Lines:
    """Vectors into memory that is not aligned as they are."""
    make = writer.make
    width = make.pick((4, 2, 3))
    number = TYPES[f"uint{width}"]
    offset = make.upto(OWN_WORDS - width)
    if make.upto(1):
        return [f"vstore{width}({make.value(scope, number)}, 0, words + {offset});"]
    variable = make.pick(scope.variables)
    loaded = converted(f"vload{width}(0, words + {offset})", number, variable.number)
    return [f"{make.place(scope, variable)} = {loaded};"]


def own_atomic(writer: Writer, scope: Scope) -> Lines:
    make = writer.make
    variable = make.pick(scope.variables)
    place = make.upto(OWN_WORDS - 1)
    value, other = (make.value(scope, UINT, 1) for _ in range(2))
    result = make.pick(_OWN_ATOMICS).format(p=f"(words + {place})", i=place, v=value, w=other)
    return [f"{make.place(scope, variable)} = {converted(result, UINT, variable.number)};"]


def print_values(writer: Writer, scope: Scope) -> Lines:
    make = writer.make
    values = [
        ("%d", make.value(scope, INT, 1)),
        ("%08x", make.value(scope, UINT, 1)),
        ("%lu", make.value(scope, ULONG, 1)),
        ("%g", f"ordered({make.value(scope, FLOAT, 0)})"),
        ("%v4hld", make.value(scope, TYPES["int4"], 0)),
        ("%.3v2hle", f"ordered({make.value(scope, TYPES['float2'], 0)})"),
    ]
    chosen = [make.pick(values) for _ in range(make.upto(2) + 1)]
    form, listed = " ".join(f for f, _ in chosen), ", ".join(v for _, v in chosen)
    return [f'printf("%u/%u: {form}\\n", group, item, {listed});']


def copy(writer: Writer, scope: Scope) -> Lines:
    """The group copies from global memory to an array, which nobody may be reading."""
    memory = {"uint": "in", "float": "fin"}
    free = [
        a
        for a in scope.arrays
        if a.name not in scope.reading and a.number.name in memory and not (a.slot or a.is_volatile)
    ]
    if not free:
        return [writer.dialect.barrier]
    array, event = writer.make.pick(free), writer.name("e")
    source, count = memory[array.number.name], f"min(ITEMS, {INPUTS}u)"
    how = writer.make.pick(
        ("async_work_group_copy({a}, {s}, {n}, 0)", "async_work_group_strided_copy({a}, {s}, {n} / 3, 3, 0)")
    )
    return [
        writer.dialect.barrier,
        f"event_t {event} = {how.format(a=array.name, s=source, n=count)};",
        f"wait_group_events(1, &{event});",
        writer.dialect.barrier,
    ]


def _prints(scope: Scope) -> bool:
    return scope.outputs and scope.prints and scope.weight == 1


OPENCL: Final = Dialect(
    numbers=NUMBERS,
    unsigned=UINT,
    int=INT,
    operands=OPERANDS,
    converted=converted,
    memory=(("in", UINT, INPUTS), ("fin", FLOAT, INPUTS), ("table", UINT, TABLE)),
    streams=_STREAMS,
    places=_PLACES,
    sides=_SIDES,
    aggregates=AGGREGATES,
    kinds=(
        *KINDS,
        Kind(exchange, anywhere, 1),
        Kind(output, lambda scope: scope.outputs, 2),
        Kind(own_words, lambda scope: scope.outputs, 1),
        Kind(own_atomic, lambda scope: scope.outputs, 1),
        Kind(print_values, _prints, 1),
        Kind(copy, lambda scope: scope.together and bool(scope.arrays), 2),
    ),
    barrier="barrier(CLK_LOCAL_MEM_FENCE);",
)
