# SPDX-License-Identifier: Apache-2.0
"""Whole random kernels in OpenCL C, each with its range."""

import re
from dataclasses import dataclass, field
from math import prod
from typing import Any, ClassVar, Final

import lanewise as lw
from lanewise.program.kernel import Kernel

from ..arithmetic import Number
from ..choices import Choices
from ..expressions import COUNTERS, INPUTS
from ..kernel import BLOCKS, LARGE_BLOCKS, input_data
from ..private_statements import OWN_WORDS
from ..scope import Array, Counters, Scope, Target, Variable, Whole
from ..writer import Lines, Writer, indented
from .aggregates import AGGREGATES
from .arithmetic import FLOAT, INT, LONG, NUMBERS, SHAPES, SHORT, TYPES, UINT, ULONG, converted
from .functions import barrier_functions, plain_functions
from .prelude import PRELUDE
from .statements import OPENCL

_COUNTERS: Final = (
    ("atomic_add({p}, {v});", UINT), ("atomic_xor({p}, {v});", UINT), ("atomic_max({p}, {v});", INT),
    ("atomic_min({p}, {v});", UINT), ("atomic_or({p}, {v});", UINT), ("atom_add({p}, {v});", ULONG),
    ("atomic_and({p}, {v});", INT), ("atomic_inc({p}), (void)({v});", UINT), ("atomic_sub({p}, {v});", INT),
    ("atom_max({p}, {v});", LONG), ("atom_min({p}, {v});", ULONG), ("atom_xor({p}, {v});", ULONG),
    ("add_by_cas({p}, {v});", UINT),
)  # fmt: skip
_UNIFORMS: Final = (
    "n", "m", "options.a", "(int)options.s", "(int)get_group_id(0)", "(int)get_num_groups(0)", "(int)get_local_size(1)",
    "(int)get_global_offset(0)", "(int)get_global_size(0)", "(int)ITEMS",
)  # fmt: skip
_LINES: Final = tuple(
    TYPES[name] for name in ("uint", "int", "uchar", "uint2", "short", "ulong", "char4", "ushort2", "long", "uchar8")
)
_ORDERS: Final = (
    "place", "SIZE - 1 - place", "2 * place + 1", "2 * place + ({i} & 1)",
    "(place & 1 ? SIZE + place / 2 : place / 2)", "SIZE - 1 - place + ({i} & 1) * SIZE",
)  # fmt: skip
"""As CUDA's, in `tests/fuzz/kernel.py`."""
_FIRST_LINE: Final = re.compile(r"// global ([\d ]+), local ([\d ]+), offset ([\d ]+), data (\d+)\n")
_LARGER_BLOCKS: Final = ((1025,), (36, 36), (5, 2, 130), (2, 600), (2048,), (1, 1, 1100), (3, 1, 400))
"""Beyond the limits of CUDA."""
_LARGEST: Final = 128
"""Bytes of a double16."""
_LARGEST_OF_MANY: Final = 32
"""Bytes of a double4: of what groups of more than 256 work-items have an element each of in local memory, lest that
is not enough."""
_LARGEST_OF_MOST: Final = 8
"""The same for more than 1,024."""


def _largest(local: tuple[int, ...]) -> int:
    items = prod(local)
    return _LARGEST if items <= 256 else _LARGEST_OF_MANY if items <= 1024 else _LARGEST_OF_MOST


@dataclass(frozen=True)
class OpenClKernel:
    """The text of a kernel called `run`, without PRELUDE, and its range."""

    language: ClassVar[str] = "opencl"
    suffix: ClassVar[str] = ".cl"
    name: ClassVar[str] = "run"

    body: str = field(repr=False)
    size: tuple[int, ...]
    local: tuple[int, ...]
    offset: tuple[int, ...]
    data: int
    """Seed of the data that it works on."""
    prelude: str = field(default=PRELUDE, repr=False)

    @property
    def source(self) -> str:
        """All of it. The first line says how to launch it."""
        range_ = ", ".join(
            f"{what} {' '.join(map(str, extents))}"
            for what, extents in (("global", self.size), ("local", self.local), ("offset", self.offset))
        )
        return f"// {range_}, data {self.data}\n{self.prelude}{self.body}"

    @property
    def block(self) -> tuple[int, ...]:
        return self.local

    @property
    def is_plain(self) -> bool:
        """Whether all groups are of one size and ids begin at 0."""
        return not any(self.offset) and not any(g % b for g, b in zip(self.size, self.local, strict=True))

    def arguments(self) -> list[Any]:
        """Fresh arguments, as CUDA's, then a vector and local memory."""
        quad = tuple(float(x) for x in range(1, 5))
        room = lw.local(_largest(self.local) * prod(self.local))
        return [*input_data(self.data, prod(self.size)), quad, room]

    def launch(self, program: Kernel, arguments: list[Any], device: lw.Device | str) -> None:
        """Of a program that is in the form for any range where that is needed."""
        if self.is_plain:
            program.ndrange(self.size, self.local, device=device)(*arguments)
            return
        groups = tuple(-(-size // local) for size, local in zip(self.size, self.local, strict=True))
        missing = (3 - len(self.size)) * (1,)
        range_ = *self.offset, *(0 for _ in missing), *self.size, *missing, len(self.size)
        program.launch(groups, self.local, (*arguments, *range_), device=device)


def parsed(text: str) -> OpenClKernel | None:
    """The kernel of a text with its first line."""
    found = _FIRST_LINE.match(text)
    if found is None:
        return None
    size, local, offset = (tuple(map(int, extents.split())) for extents in found.groups()[:3])
    return OpenClKernel(text[found.end() :], size, local, offset, int(found[4]), prelude="")


def random_kernel(choices: Choices) -> OpenClKernel:
    """A kernel without data races, undefined behaviour, and barriers that only some work-items reach."""
    large = choices.rarely(80)
    local = choices.pick((*LARGE_BLOCKS, *_LARGER_BLOCKS) if large else BLOCKS)
    size = tuple(_extent(choices, extent, choices.upto(0 if large else 1)) for extent in local)
    offset = tuple(choices.pick((0, 0, 1, 5, 100)) for _ in local)
    items = prod(local)
    most = 6 if items > 1024 else 8 if large else 12 if items > 64 else 20 if items > 16 else 30
    fuel = choices.pick([f for f in (6, 10, 16, 24, 30) if f <= most] or [most])
    data = choices.upto(9)
    exchange = Array("swapped", choices.pick(_numbers(local)))
    prints = choices.rarely(8)
    plain, plain_lines = plain_functions(choices, exchange)
    helpers, helper_lines = barrier_functions(choices, exchange, plain, prints=prints)
    common = Scope(together=True, functions=plain, helpers=helpers, prints=prints, outputs=True)
    body = _kernel(choices, local, common, exchange, fuel)
    lines = [f"#define CAPACITY {items}", f"#define SIZE {prod(size)}u", *plain_lines, *helper_lines, *body]
    return OpenClKernel("\n".join(lines) + "\n", size, local, offset, data)


def _extent(choices: Choices, local: int, more: int) -> int:
    """One or two groups, of which the last is not always whole."""
    missing = choices.upto(local - 1) if choices.upto(1) and (more or local > 1) else 0
    return local * (1 + more) - missing


def _kernel(choices: Choices, local: tuple[int, ...], common: Scope, exchange: Array, fuel: int) -> Lines:
    arrays, array_lines, room = _arrays(choices, local)
    counters, counter_lines = _counters(choices)
    scope = Scope(
        together=True,
        functions=common.functions,
        helpers=common.helpers,
        uniforms=(*_UNIFORMS, "u0", "u1"),
        assignable=("u0", "u1"),
        arrays=arrays,
        counters=counters,
        targets=(Target("return;", 0), Target("goto tail;", 0)),  # by all together, where barriers are ahead
        streams=("item", "place"),
        outputs=True,
        prints=common.prints,
    )
    scope, variable_lines = _variables(choices, scope)
    writer = Writer(choices, OPENCL, exchange, fuel)
    body = writer.block(scope)
    tail = Scope(
        together=False,
        variables=scope.variables,
        wholes=scope.wholes,
        functions=scope.functions,
        uniforms=scope.uniforms,
        escapes=("return;", "goto done;"),
        streams=scope.streams,
        outputs=True,
        depth=1,
    )
    tail_lines = writer.block(tail)
    ends = [converted(v.name.replace("{i}", "item"), v.number, ULONG) for v in scope.variables]
    return [
        "__kernel void run(__global ulong *out, __global uint *totals, __global const uint *in,",
        "                  __global const float *fin, int n, int m, Options options, __global uint *words,",
        "                  __global ulong *lines, __global float *wave,",
        f"                  float4 quad, __local {room.name} *given) {{",
        f"    __local {exchange.number.name} swapped[2][CAPACITY];",
        *indented(array_lines + counter_lines),
        "    const uint item = get_local_id(0) + get_local_size(0) *",
        "                      (get_local_id(1) + get_local_size(1) * get_local_id(2));",
        "    const uint group = get_group_id(0) + get_num_groups(0) *",
        "                       (get_group_id(1) + get_num_groups(1) * get_group_id(2));",
        "    const uint place = (get_global_id(0) - get_global_offset(0)) + get_global_size(0) *",
        "                       ((get_global_id(1) - get_global_offset(1)) + get_global_size(1) *",
        "                        (get_global_id(2) - get_global_offset(2)));",
        f"    __global ulong *own = out + {COUNTERS} * place;",
        f"    words += {OWN_WORDS} * place;",
        "    int phase = 0, u0 = m, u1 = 1;",
        *indented(variable_lines),
        f"    swapped[0][item] = swapped[1][item] = ({exchange.number.name})(0);",
        *(f"    {a.at('item')} = {converted(f'in[item & {INPUTS - 1}]', UINT, a.number)};" for a in arrays),
        *(
            f"    for (int e = 0; item == 0 && e < {COUNTERS}; ++e) {c.name}[e] = ({c.number.name})(in[e] & 255);"
            for c in counters
        ),
        f"    {OPENCL.barrier}",
        *indented(body),
        "tail:",
        *indented(tail_lines),
        "done:",
        *(f"    own[{place % COUNTERS}] += {end};" for place, end in enumerate(ends)),
        "    own[0] += phase + u0 + 2 * u1;",
        "}",
    ]


def _numbers(local: tuple[int, ...]) -> tuple[Number, ...]:
    """What local memory has room for an array of."""
    most = _largest(local)
    return tuple(n for n in NUMBERS if _bytes(n) <= most)


def _bytes(number: Number) -> int:
    element, width = SHAPES[number.name]
    return element.bits // 8 * (4 if width == 3 else width)


def _arrays(choices: Choices, local: tuple[int, ...]) -> tuple[tuple[Array, ...], Lines, Number]:
    """Local memory: arrays of one to three dimensions, of structs, volatile at times; and what a pointer argument
    points to, with its type."""
    arrays: list[Array] = []
    lines: Lines = []
    room = UINT
    for place in range(choices.upto(2)):
        name, number = f"shared{place}", choices.pick((UINT, FLOAT) if choices.rarely(3) else _numbers(local))
        match choices.upto(5 if place else 6):
            case 0 | 1:
                volatile = "volatile " if choices.rarely(5) and number.name in ("uint", "int", "float", "ulong") else ""
                lines.append(f"{volatile}__local {number.name} {name}[CAPACITY];")
                arrays.append(Array(name, number, is_volatile=bool(volatile)))
            case 2:
                columns, pad = choices.pick((1, 2, 4, 7, 16)), choices.upto(1)
                lines.append(f"__local {number.name} {name}[(CAPACITY - 1) / {columns} + 1][{columns + pad}];")
                arrays.append(Array(name, number, f"{name}[({{i}}) / {columns}][({{i}}) % {columns}]"))
            case 3:
                lines.append(f"struct Cell{place} {{ {number.name} a; Pair pair; }};")
                lines.append(f"__local struct Cell{place} {name}[CAPACITY];")
                arrays.append(Array(f"{name}.a", number, f"{name}[{{i}}].a"))
                arrays.append(Array(f"{name}.pair.s", SHORT, f"{name}[{{i}}].pair.s"))
            case 4:
                lines.append(f"__local {number.name} {name}[CAPACITY];")
                arrays.append(Array(name, number, f"{name}[CAPACITY - 1 - ({{i}})]"))
            case 5:
                x, y, z = (*local, 1, 1)[:3]
                slot = f"{name}[({{i}}) / {x * y}][({{i}}) / {x} % {y}][({{i}}) % {x}]"
                lines.append(f"__local {number.name} {name}[{z}][{y}][{x + choices.upto(1)}];")
                arrays.append(Array(name, number, slot))
            case _:
                room = number
                arrays.append(Array("given", number))
    return tuple(arrays), lines, room


def _counters(choices: Choices) -> tuple[tuple[Counters, ...], Lines]:
    counters: list[Counters] = []
    for place in range(choices.upto(2)):
        operation, number = choices.pick(_COUNTERS)
        counters.append(Counters(f"counters{place}", number, operation))
    return tuple(counters), [f"__local {c.number.name} {c.name}[{COUNTERS}];" for c in counters]


def _variables(choices: Choices, scope: Scope) -> tuple[Scope, Lines]:
    """Private values that live through the whole kernel: scalars, vectors, what has parts, a parameter's members, and
    places in global memory that lie side by side, in some order."""
    scope = scope.knowing(Variable("a", UINT))
    lines = [f"uint a = in[get_global_id(0) & {INPUTS - 1}];"]
    if choices.upto(1):
        scope = scope.knowing(Variable("f", FLOAT))
        lines.append(f"float f = fin[item & {INPUTS - 1}];")
    for name in "bcde"[: choices.upto(4)]:
        number = choices.pick(NUMBERS)
        scope = scope.knowing(Variable(name, number))
        lines.append(f"{number.name} {name} = {converted('item', UINT, number)};")
    for place in range(choices.upto(2)):
        whole = Whole(f"kept{place}", choices.pick(AGGREGATES))
        scope = scope.knowing_whole(whole)
        lines.append(whole.type.declaration.format(n=whole.name))
    if choices.upto(1):
        scope = scope.knowing(
            Variable("options.f", FLOAT), Variable("options.l", LONG), Variable("quad.z", FLOAT),
            Variable("quad.xw", TYPES["float2"]),
        )  # fmt: skip
    for name in ("line0", "line1")[: choices.upto(2)]:
        number = choices.pick(_LINES)
        scope = scope.knowing(Variable(f"{name}[{choices.pick(_ORDERS)}]", number))
        lines.append(f"__global {number.name} *{name} = (__global {number.name} *)(lines + {name[-1]} * 2 * SIZE);")
    if choices.upto(1):
        scope = scope.knowing(Variable(f"wave[{choices.pick(_ORDERS)}]", FLOAT))
    return scope, lines
