# SPDX-License-Identifier: Apache-2.0
"""Whole random kernels, each with its launch: a text that says all that there is to know of it."""

import re
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

import lanewise as lw
from lanewise.program.kernel import Kernel

from .aggregates import AGGREGATES
from .arithmetic import (
    BYTE,
    CHAR,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG,
    NUMBERS,
    SHORT,
    UNSIGNED,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    UNSIGNED_WIDE,
    WIDE,
    Number,
    converted,
)  # fmt: skip
from .choices import Choices
from .cuda import CUDA
from .dialect import Dialect
from .expressions import COUNTERS, INPUTS
from .functions import barrier_functions, plain_functions
from .prelude import PRELUDE
from .private_statements import MARKS, OWN_WORDS
from .scope import Array, Counters, Function, Scope, Variable, Whole
from .writer import Lines, Writer, indented

BLOCKS: Final = (
    (1,), (2,), (3,), (7,), (4, 2), (16,), (2, 3, 2), (5, 3), (33,), (32,), (8, 1, 3), (1, 9), (64,), (16, 4),
    (5, 3, 2), (7, 5), (31,), (1, 1, 6), (3, 7, 3), (48,), (100,), (8, 8, 2), (128,), (200,), (16, 16), (256,),
    (8, 8), (24, 3), (4, 4, 4), (40,), (4, 8), (2, 16), (12, 5), (8, 4), (16, 2), (96,), (32, 3), (65,),
)  # fmt: skip
LARGE_BLOCKS: Final = ((1024,), (32, 32), (257,), (8, 8, 8), (500,))
GRIDS: Final = ((1,), (2,), (3,), (1, 2), (1, 1, 2))
LARGE_GRIDS: Final = ((17,), (3, 5), (2, 3, 4), (64,))

_ADD: Final = "atomicAdd({p}, {v});"
_QUARTERS: Final = "atomicAdd({{p}}, ({0})((int)({{v}} > 0 ? 3 : -5)) * ({0})0.25);"
_COUNTERS: Final = (
    (_ADD, UNSIGNED), ("atomicXor({p}, {v});", UNSIGNED), ("atomicMax({p}, {v});", INT),
    ("atomicMin_block({p}, {v});", UNSIGNED), ("atomicOr({p}, {v});", UNSIGNED), (_ADD, UNSIGNED_LONG),
    ("atomicAnd({p}, {v});", INT), (_QUARTERS.format("float"), FLOAT), (_QUARTERS.format("double"), DOUBLE),
    ("atomicInc({p}, 5u + 0 * {v});", UNSIGNED), ("atomicDec({p}, 5u + 0 * {v});", UNSIGNED),
    ("atomicSub({p}, {v});", INT), ("atomicMax({p}, {v});", LONG), ("atomicMin({p}, {v});", UNSIGNED_LONG),
    ("atomicXor({p}, {v});", UNSIGNED_LONG), ("add_by_cas({p}, {v});", UNSIGNED), ("atomicAdd_block({p}, {v});", INT),
)  # fmt: skip
_UNIFORMS: Final = ("n", "m", "options.a", "(int)options.s", "(int)blockIdx.x", "(int)gridDim.x", "(int)blockDim.y")
_LINES: Final = (UNSIGNED, INT, BYTE, SHORT, UNSIGNED_LONG, CHAR, UNSIGNED_SHORT, LONG)
"""All that memory is compared of has to be determined; so no NaNs."""
_ORDERS: Final = (
    "place", "SIZE - 1 - place", "2 * place + 1", "(group * ITEMS + ITEMS - 1 - item)", "2 * place + ({i} & 1)",
    "(group * ITEMS + threadIdx.z + blockDim.z * (threadIdx.y + blockDim.y * threadIdx.x))",
    "(place & 1 ? SIZE + place / 2 : place / 2)", "SIZE - 1 - place + ({i} & 1) * SIZE",
)  # fmt: skip
"""Places of a work-item among two for each: nobody else's in any one of these orders."""
_OPTIONS: Final = np.dtype([("a", "i4"), ("f", "f4"), ("s", "i2"), ("l", "i8")], align=True)
_FIRST_LINE: Final = re.compile(r"// grid ([\d ]+), block ([\d ]+), data (\d+)\n")


@dataclass(frozen=True)
class RandomKernel:
    """The text of a kernel called `kernel`, without PRELUDE, and how to launch it."""

    language: ClassVar[str] = "cuda"
    suffix: ClassVar[str] = ".cu"
    name: ClassVar[str] = "kernel"

    body: str = field(repr=False)
    grid: tuple[int, ...]
    block: tuple[int, ...]
    data: int
    """Seed of the data that it works on."""
    prelude: str = field(default=PRELUDE, repr=False)

    @property
    def source(self) -> str:
        """All of it. The first line says how to launch it."""
        return f"{_first_line(self.grid, self.block, self.data)}{self.prelude}{self.body}"

    @property
    def items(self) -> int:
        return prod(self.block)

    def dynamic_shared(self) -> int:
        return 16 * self.items

    def arguments(self) -> list[Any]:
        """Fresh arguments."""
        return input_data(self.data, prod(self.grid) * self.items)

    def launch(self, program: Kernel, arguments: list[Any], device: lw.Device | str) -> None:
        program.launch(self.grid, self.block, arguments, shared=self.dynamic_shared(), device=device)


def input_data(seed: int, size: int) -> list[Any]:
    """Fresh arguments for so many work-items. Those that a kernel writes are not read by other work-items; those that
    all read have `INPUTS` elements and four more for each work-item."""
    rng = np.random.default_rng(seed)
    out = np.zeros(size * COUNTERS, np.uint64)
    totals = np.zeros(COUNTERS + MARKS, np.uint32)
    numbers, floats = _numbers(rng, INPUTS), _floats(rng, INPUTS)
    n, m = (int(i) for i in rng.integers(0, 5, 2))
    options = np.array((rng.integers(-3, 9), floats[0], rng.integers(-3, 4), -(1 << 40) + n), _OPTIONS)[()]
    words = rng.integers(0, 1 << 32, size * OWN_WORDS, np.uint32)
    lines = rng.integers(0, 1 << 63, 4 * size, np.uint64)
    wave = _floats(rng, 2 * size)
    numbers = np.concatenate((numbers, _numbers(rng, 4 * size)))
    floats = np.concatenate((floats, _floats(rng, 4 * size)))
    return [out, totals, numbers, floats, n, m, options, words, lines, wave]


def _numbers(rng: np.random.Generator, count: int) -> NDArray[np.uint32]:
    """Small and large ones."""
    small = rng.integers(0, 16, count, np.uint32)
    large = rng.integers(0, 1 << 32, count, np.uint32)
    return np.where(rng.random(count) < 0.5, small, large).astype(np.uint32)


def _floats(rng: np.random.Generator, count: int) -> NDArray[np.float32]:
    return np.round(rng.normal(0, 10, count), 2).astype(np.float32)


def parsed(text: str) -> RandomKernel:
    """The kernel of a text with its first line."""
    found = _FIRST_LINE.match(text)
    assert found, f"the first line must be as in: {_first_line((2,), (8, 4), 7)}"
    grid, block = (tuple(map(int, extents.split())) for extents in found.groups()[:2])
    return RandomKernel(text[found.end() :], grid, block, int(found[3]), prelude="")


def _first_line(grid: tuple[int, ...], block: tuple[int, ...], data: int) -> str:
    return f"// grid {' '.join(map(str, grid))}, block {' '.join(map(str, block))}, data {data}\n"


def random_kernel(choices: Choices, dialect: Dialect = CUDA) -> RandomKernel:
    """A kernel without data races, undefined behaviour, and barriers that only some live work-items reach."""
    large = choices.rarely(80)
    block = choices.pick(LARGE_BLOCKS if large else BLOCKS)
    grid = choices.pick(LARGE_GRIDS if prod(block) <= 8 and choices.rarely(4) else GRIDS[: 1 if large else None])
    data = choices.upto(9)
    most = 8 if large else 12 if prod(block) > 64 else 24 if prod(block) > 16 else 40
    fuel = choices.pick([f for f in (6, 10, 16, 24, 40) if f <= most] or [most])
    exchange = Array("swapped", choices.pick(NUMBERS))
    common = Scope(together=True, prints=choices.rarely(8), faults=choices.rarely(20))
    plain, plain_lines = plain_functions(choices, exchange)
    helpers, helper_lines = barrier_functions(choices, exchange, plain, common)
    lines = [
        f"constexpr unsigned ITEMS = {prod(block)}, SIZE = {prod(grid) * prod(block)};",
        f"__shared__ {exchange.number.name} swapped[2][ITEMS];",
        *plain_lines,
        *helper_lines,
        *_kernel(choices, dialect, block, plain, helpers, exchange, common, fuel),
    ]
    return RandomKernel("\n".join(lines) + "\n", grid, block, data)


def _kernel(
    choices: Choices,
    dialect: Dialect,
    block: tuple[int, ...],
    functions: tuple[Function, ...],
    helpers: tuple[Function, ...],
    exchange: Array,
    common: Scope,
    fuel: int,
) -> Lines:
    arrays, array_lines = _arrays(choices, block)
    counters, counter_lines = _counters(choices)
    scope = Scope(
        together=True,
        functions=functions,
        helpers=helpers,
        uniforms=(*_UNIFORMS, "u0", "u1"),
        assignable=("u0", "u1"),
        arrays=arrays,
        counters=counters,
        escapes=("return;", "goto tail;", "goto done;"),
        streams=("item", "place", "(blockIdx.x * blockDim.x + threadIdx.x)"),
        outputs=True,
        prints=common.prints,
        faults=common.faults,
    )
    scope, variable_lines = _variables(choices, scope)
    warp_lines: Lines = []
    if dialect.masks:
        scope, warp_lines = _warps(choices, dialect, scope, exchange)
    writer = Writer(choices, dialect, exchange, fuel)
    body = writer.block(scope)
    # Who jumps to the tail may do so while others read group memory, so nothing of it is touched from there on.
    tail = Scope(
        together=False,
        variables=scope.variables,
        wholes=scope.wholes,
        functions=functions,
        uniforms=scope.uniforms,
        escapes=("return;", "goto done;"),
        streams=scope.streams,
        outputs=True,
        depth=1,
    )
    tail_lines = [] if dialect.masks else ["tail:", *indented(writer.block(tail))]
    ends = [converted(v.name.replace("{i}", "item"), v.number, UNSIGNED_LONG) for v in scope.variables]
    return [
        "__global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in, const float *fin,",
        "                       int n, int m, Options options, unsigned *words, unsigned long long *lines,",
        "                       float *wave) {",
        *indented(array_lines + counter_lines),
        "    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);",
        "    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);",
        "    const unsigned place = group * ITEMS + item;",
        f"    unsigned long long *own = out + {COUNTERS} * place;",
        f"    words += {OWN_WORDS} * place;",
        "    int phase = 0, u0 = m, u1 = 1;",
        *indented([*variable_lines, *warp_lines]),
        "    swapped[0][item] = swapped[1][item] = 0;",
        *(f"    {a.at('item')} = ({a.number.name})in[item & {INPUTS - 1}];" for a in arrays),
        *(
            f"    for (int e = 0; item == 0 && e < {COUNTERS}; ++e) {c.name}[e] = ({c.number.name})(in[e] & 255);"
            for c in counters
        ),
        "    __syncthreads();",
        *indented(body),
        *tail_lines,
        "done:",
        *(f"    own[{place % COUNTERS}] += {end};" for place, end in enumerate(ends)),
        "    own[0] += phase + u0 + 2 * u1;",
        "}",
    ]


def _warps(choices: Choices, dialect: Dialect, scope: Scope, exchange: Array) -> tuple[Scope, Lines]:
    """What operations of a warp need. Nobody leaves them for a place from which lanes would not return at once."""
    lines = [
        "const unsigned lane = item % 32;",
        f"__shared__ {exchange.number.name} mail[ITEMS];",
        "volatile __shared__ unsigned old_mail[ITEMS];",
    ]
    mask = choices.pick(dialect.masks)
    if mask != dialect.masks[0]:
        lines.append(f"const unsigned live = {mask};")
        mask = "live"
    scope = replace(scope, members=mask, escapes=("return;", "goto done;"))
    return scope.knowing_constant("lane", UNSIGNED), lines


def _arrays(choices: Choices, block: tuple[int, ...]) -> tuple[tuple[Array, ...], Lines]:
    """Shared memory: static or dynamic, of one, two or three dimensions, of structs, and volatile at times."""
    arrays: list[Array] = []
    lines: Lines = []
    for place in range(choices.upto(2)):
        name, number = f"shared{place}", choices.pick(NUMBERS)
        volatile = "volatile " if choices.rarely(5) and number not in (WIDE, UNSIGNED_WIDE, HALF) else ""
        match choices.upto(5 if place else 6):
            case 0 | 1:
                lines.append(f"{volatile}__shared__ {number.name} {name}[ITEMS];")
                arrays.append(Array(name, number, is_volatile=bool(volatile)))
            case 2:
                columns, pad = choices.pick((1, 2, 4, 7, 16)), choices.upto(1)
                lines.append(f"__shared__ {number.name} {name}[(ITEMS - 1) / {columns} + 1][{columns + pad}];")
                arrays.append(Array(name, number, f"{name}[({{i}}) / {columns}][({{i}}) % {columns}]"))
            case 3:
                lines.append(f"struct Cell{place} {{ {number.name} a; Pair pair; }};")
                lines.append(f"__shared__ Cell{place} {name}[ITEMS];")
                arrays.append(Array(f"{name}.a", number, f"{name}[{{i}}].a"))
                arrays.append(Array(f"{name}.pair.s", SHORT, f"{name}[{{i}}].pair.s"))
            case 4:
                lines.append(f"__shared__ {number.name} {name}[ITEMS];")
                arrays.append(Array(name, number, f"{name}[ITEMS - 1 - ({{i}})]"))
            case 5:
                x, y, z = (*block, 1, 1)[:3]
                slot = f"{name}[({{i}}) / {x * y}][({{i}}) / {x} % {y}][({{i}}) % {x}]"
                lines.append(f"__shared__ {number.name} {name}[{z}][{y}][{x + choices.upto(1)}];")
                arrays.append(Array(name, number, slot, own=f"{name}[threadIdx.z][threadIdx.y][threadIdx.x]"))
            case _:
                lines.append(f"extern {volatile}__shared__ {number.name} {name}[];")
                arrays.append(Array(name, number, is_volatile=bool(volatile)))
    return tuple(arrays), lines


def _counters(choices: Choices) -> tuple[tuple[Counters, ...], Lines]:
    counters: list[Counters] = []
    for place in range(choices.upto(2)):
        operation, type_ = choices.pick(_COUNTERS)
        counters.append(Counters(f"counters{place}", type_, operation))
    return tuple(counters), [f"__shared__ {c.number.name} {c.name}[{COUNTERS}];" for c in counters]


def _variables(choices: Choices, scope: Scope) -> tuple[Scope, Lines]:
    """Private values that live through the whole kernel: scalars, what has parts, a parameter's members, and places in
    global memory that lie side by side, in some order."""
    scope = scope.knowing(Variable("a", UNSIGNED))
    lines = [f"unsigned a = in[place & {INPUTS - 1}];"]
    if choices.upto(1):
        scope = scope.knowing(Variable("f", FLOAT))
        lines.append(f"float f = fin[item & {INPUTS - 1}];")
    for name in "bc"[: choices.upto(2)]:
        number: Number = choices.pick(NUMBERS)
        scope = scope.knowing(Variable(name, number))
        lines.append(f"{number.name} {name} = ({number.name})item;")
    for place in range(choices.upto(2)):
        whole = Whole(f"kept{place}", choices.pick(AGGREGATES))
        scope = scope.knowing_whole(whole)
        lines.append(whole.type.declaration.format(n=whole.name))
    if choices.upto(1):
        scope = scope.knowing(Variable("options.f", FLOAT), Variable("options.l", LONG))
    for name in ("line0", "line1")[: choices.upto(2)]:
        number = choices.pick(_LINES)
        scope = scope.knowing(Variable(f"{name}[{choices.pick(_ORDERS)}]", number))
        lines.append(f"{number.name} *{name} = ({number.name} *)(lines + {name[-1]} * 2 * SIZE);")
    if choices.upto(1):
        scope = scope.knowing(Variable(f"wave[{choices.pick(_ORDERS)}]", FLOAT))
    return scope, lines
