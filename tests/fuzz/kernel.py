# SPDX-License-Identifier: Apache-2.0
"""Whole random kernels, each with its launch: a text that says all that there is to know of it."""

import re
from dataclasses import dataclass, field
from math import prod
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from .arithmetic import DOUBLE, FLOAT, INT, LONG, NUMBERS, PRELUDE, SHORT, UNSIGNED, UNSIGNED_LONG, Number, converted
from .expressions import COUNTERS, INPUTS
from .scope import Array, Counters, Scope, Variable
from .statements import Lines, Statements, indented

BLOCKS: Final = (
    (1,), (2,), (3,), (8,), (4, 2), (16,), (2, 3, 2), (33,), (32,), (8, 1, 3), (1, 9), (64,), (16, 4), (5, 3, 2),
    (100,), (8, 8, 2), (128,), (200,), (16, 16), (256,),
)  # fmt: skip
GRIDS: Final = ((1,), (2,), (3,), (1, 2), (1, 1, 2))
_COUNTERS: Final = (
    ("atomicAdd", UNSIGNED), ("atomicXor", UNSIGNED), ("atomicMax", INT), ("atomicMin", UNSIGNED),
    ("atomicOr", UNSIGNED), ("atomicAdd", UNSIGNED_LONG), ("atomicAnd", INT),
)  # fmt: skip
_UNIFORMS: Final = ("n", "m", "options.a", "options.s", "(int)blockIdx.x", "(int)gridDim.x")
_HELPER_PARAMETERS: Final = (
    "const unsigned *in, const float *fin, int n, int m, unsigned item, int &phase, unsigned long long *own, "
    "unsigned *totals"
)
_OPTIONS: Final = np.dtype([("a", "i4"), ("f", "f4"), ("s", "i2"), ("l", "i8")], align=True)
_FIRST_LINE: Final = re.compile(r"// grid ([\d ]+), block ([\d ]+), data (\d+)\n")


@dataclass(frozen=True)
class RandomKernel:
    """A source whose one kernel is called `kernel`. Its first line holds the rest."""

    source: str = field(repr=False)
    grid: tuple[int, ...]
    block: tuple[int, ...]
    data: int
    """Seed of the data that it works on."""

    @property
    def items(self) -> int:
        return prod(self.block)

    def dynamic_shared(self) -> int:
        return 8 * self.items

    def arguments(self) -> list[Any]:
        """Fresh arguments; the first two are written."""
        rng = np.random.default_rng(self.data)
        out = np.zeros(prod(self.grid) * self.items * COUNTERS, np.uint64)
        totals = np.zeros(COUNTERS, np.uint32)
        small = rng.integers(0, 16, INPUTS, np.uint32)
        large = rng.integers(0, 1 << 32, INPUTS, np.uint32)
        numbers = np.where(rng.random(INPUTS) < 0.5, small, large).astype(np.uint32)
        floats = np.round(rng.normal(0, 10, INPUTS), 2).astype(np.float32)
        n, m = (int(i) for i in rng.integers(0, 5, 2))
        options = np.array((rng.integers(-3, 9), floats[0], rng.integers(-3, 4), -(1 << 40) + n), _OPTIONS)[()]
        return [out, totals, numbers, floats, n, m, options]


def parsed(text: str) -> RandomKernel:
    """The kernel of a text with its first line."""
    found = _FIRST_LINE.match(text)
    assert found, f"the first line must be as in: {_first_line((2,), (8, 4), 7)}"
    grid, block = (tuple(map(int, extents.split())) for extents in found.groups()[:2])
    return RandomKernel(text, grid, block, int(found[3]))


def _first_line(grid: tuple[int, ...], block: tuple[int, ...], data: int) -> str:
    return f"// grid {' '.join(map(str, grid))}, block {' '.join(map(str, block))}, data {data}\n"


@st.composite
def random_kernels(draw: st.DrawFn) -> RandomKernel:
    """Kernels without data races, undefined behaviour, and barriers that only some live work-items reach."""
    block = draw(st.sampled_from(BLOCKS))
    grid = draw(st.sampled_from(GRIDS))
    data = draw(st.integers(0, 9))
    fuel = 40 if prod(block) <= 64 else 20
    exchange = Array("swapped", draw(st.sampled_from(NUMBERS)))
    helpers, helper_lines = _helpers(draw, exchange)
    lines = [
        f"#define ITEMS {prod(block)}u",
        *PRELUDE.splitlines(),
        f"__shared__ {exchange.number.name} swapped[2][ITEMS];",
        *helper_lines,
        *_kernel(draw, helpers, exchange, fuel),
    ]
    return RandomKernel(_first_line(grid, block, data) + "\n".join(lines) + "\n", grid, block, data)


def _helpers(draw: st.DrawFn, exchange: Array) -> tuple[tuple[Variable, ...], Lines]:
    """Functions with barriers in them, inlined or not."""
    helpers: list[Variable] = []
    lines: Lines = []
    for number in range(draw(st.integers(0, 2))):
        type_ = draw(st.sampled_from(NUMBERS))
        inlined = draw(st.sampled_from(("__forceinline__", "__noinline__", "inline")))
        helper = Variable(f"helper{number}", type_)
        scope = Scope(
            together=True,
            variables=(Variable("x", type_),),
            uniforms=("n", "m", "u"),
            assignable=("u",),
            depth=1,
        )
        body = Statements(draw, tuple(helpers), exchange, 8).block(scope)
        lines += [
            f"__device__ {inlined} {type_.name} {helper.name}({type_.name} x, int u, {_HELPER_PARAMETERS}) {{",
            *indented([*body, "return x;"]),
            "}",
        ]
        helpers.append(helper)
    return tuple(helpers), lines


def _kernel(draw: st.DrawFn, helpers: tuple[Variable, ...], exchange: Array, fuel: int) -> Lines:
    arrays, array_lines = _arrays(draw)
    counters, counter_lines = _counters(draw)
    variables, variable_lines = _variables(draw)
    statements = Statements(draw, helpers, exchange, fuel)
    scope = Scope(
        together=True,
        variables=variables,
        uniforms=(*_UNIFORMS, "u0", "u1"),
        assignable=("u0", "u1"),
        arrays=arrays,
        counters=counters,
        escapes=("return;", "goto tail;", "goto done;"),
    )
    body = statements.block(scope)
    # Who jumps to the tail may do so while others read group memory, so nothing of it is touched from there on.
    tail = Scope(
        together=False, variables=variables, uniforms=scope.uniforms, escapes=("return;", "goto done;"), depth=1
    )
    ends = [converted(v.name, v.number, UNSIGNED_LONG) for v in variables]
    return [
        'extern "C" __global__ void kernel(unsigned long long *out, unsigned *totals, const unsigned *in,',
        "                                  const float *fin, int n, int m, Options options) {",
        *indented(array_lines + counter_lines),
        "    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);",
        "    const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);",
        f"    unsigned long long *own = out + {COUNTERS} * (group * ITEMS + item);",
        "    int phase = 0, u0 = m, u1 = 1;",
        *indented(variable_lines),
        "    swapped[0][item] = swapped[1][item] = 0;",
        *(f"    {a.name}[item] = ({a.number.name})in[item & {INPUTS - 1}];" for a in arrays),
        *(
            f"    for (int e = 0; item == 0 && e < {COUNTERS}; ++e) {c.name}[e] = ({c.number.name})in[e];"
            for c in counters
        ),
        "    __syncthreads();",
        *indented(body),
        "tail:",
        *indented(statements.block(tail)),
        "done:",
        *(f"    own[{place % COUNTERS}] += {end};" for place, end in enumerate(ends)),
        "    own[0] += phase + u0 + 2 * u1;",
        "}",
    ]


def _arrays(draw: st.DrawFn) -> tuple[tuple[Array, ...], Lines]:
    """Shared memory, static or dynamic, and volatile at times."""
    arrays: list[Array] = []
    lines: Lines = []
    for number in range(draw(st.integers(0, 2))):
        array = Array(f"shared{number}", draw(st.sampled_from(NUMBERS)))
        dynamic = number == 0 and draw(st.booleans())
        volatile = "volatile " if draw(st.integers(0, 4)) == 4 else ""
        linkage, extent = ("extern ", "") if dynamic else ("", "ITEMS")
        lines.append(f"{linkage}{volatile}__shared__ {array.number.name} {array.name}[{extent}];")
        arrays.append(array)
    return tuple(arrays), lines


def _counters(draw: st.DrawFn) -> tuple[tuple[Counters, ...], Lines]:
    counters: list[Counters] = []
    for number in range(draw(st.integers(0, 2))):
        function, type_ = draw(st.sampled_from(_COUNTERS))
        counters.append(Counters(f"counters{number}", type_, function))
    return tuple(counters), [f"__shared__ {c.number.name} {c.name}[{COUNTERS}];" for c in counters]


def _variables(draw: st.DrawFn) -> tuple[tuple[Variable, ...], Lines]:
    """Private values that live through the whole kernel: scalars, a struct, an array, and a parameter's members."""
    variables = [Variable("a", UNSIGNED)]
    lines = [f"unsigned a = in[(group * ITEMS + item) & {INPUTS - 1}];"]
    if draw(st.booleans()):
        variables.append(Variable("f", FLOAT))
        lines.append(f"float f = fin[item & {INPUTS - 1}];")
    for name in ("b", "c"):
        number: Number = draw(st.sampled_from(NUMBERS))
        variables.append(Variable(name, number))
        lines.append(f"{number.name} {name} = ({number.name})item;")
    if draw(st.booleans()):
        lines.append("Pair pair = {item, 0.5f, 3, 0.25};")
        members = (("a", UNSIGNED), ("f", FLOAT), ("s", SHORT), ("d", DOUBLE))
        variables += [Variable(f"pair.{name}", number) for name, number in members]
    if draw(st.booleans()):
        number = draw(st.sampled_from(NUMBERS))
        lines.append(f"{number.name} list[4] = {{}};")
        variables += [Variable("list[a & 3]", number), Variable("list[2]", number)]
    if draw(st.booleans()):
        variables += [Variable("options.f", FLOAT), Variable("options.l", LONG)]
    return tuple(variables), lines
