# SPDX-License-Identifier: Apache-2.0
"""Functions of a random kernel in OpenCL C: of one work-item, and with barriers in them."""

from typing import Final

from ..choices import Choices
from ..scope import Array, Function, Scope, Target, Variable
from ..writer import Lines, Writer, indented
from .arithmetic import NUMBERS, converted
from .statements import OPENCL

_INLINED: Final = (
    "static",
    "static __attribute__((noinline))",
    "static inline",
    "static __attribute__((always_inline))",
)
_GIVEN: Final = "__global const uint *in, __global const float *fin, int n, int m, uint item"
_GIVEN_ARGUMENTS: Final = ", in, fin, n, m, item"
_GROUP_ARGUMENTS: Final = f"{_GIVEN_ARGUMENTS}, group, swapped, &phase, own, totals, words"


def _group(exchange: Array) -> str:
    """Parameters of functions with barriers: local memory belongs to the kernel, so they are handed it."""
    return (
        f"{_GIVEN}, uint group, __local {exchange.number.name} (*swapped)[CAPACITY], int *shared_phase, "
        "__global ulong *own, __global uint *totals, __global uint *words"
    )


def plain_functions(choices: Choices, exchange: Array) -> tuple[tuple[Function, ...], Lines]:
    """Up to two functions with loops and early returns; the second may call the first."""
    functions: tuple[Function, ...] = ()
    lines: Lines = []
    for place in range(choices.upto(2)):
        with choices.span():
            result, other = choices.pick(NUMBERS), choices.pick(NUMBERS)
            scope = Scope(
                together=False,
                variables=(Variable("x", result), Variable("y", other)),
                uniforms=("n", "m"),
                functions=functions,
                streams=("item",),
                escapes=("return x;",),
                depth=2,
                weight=9,
            )
            body = Writer(choices, OPENCL, exchange, 5).block(scope)
        name = f"plain{place}"
        lines += [
            f"{choices.pick(_INLINED)} {result.name} {name}({result.name} x, {other.name} y, {_GIVEN}) {{",
            *indented([*body, f"return {converted('y', other, result)};"]),
            "}",
        ]
        functions = (*functions, Function(name, result, (result, other), _GIVEN_ARGUMENTS))
    return functions, lines


def barrier_functions(
    choices: Choices, exchange: Array, known: tuple[Function, ...], *, prints: bool
) -> tuple[tuple[Function, ...], Lines]:
    """Up to two functions with barriers in them; the second may call the first. All leave them together."""
    helpers: tuple[Function, ...] = ()
    lines: Lines = []
    leave = "*shared_phase = phase;"
    for place in range(choices.upto(2)):
        number = choices.pick(NUMBERS)
        inside = Scope(
            together=True,
            variables=(Variable("x", number),),
            functions=known,
            helpers=helpers,
            uniforms=("n", "m", "u"),
            assignable=("u",),
            targets=(Target(f"{leave} return x;", 0),),
            streams=("item",),
            outputs=True,
            prints=prints,
            depth=1,
        )
        with choices.span():
            body = Writer(choices, OPENCL, exchange, 8).block(inside)
        helper = Function(f"helper{place}", number, (number,), _GROUP_ARGUMENTS)
        lines += [
            f"{choices.pick(_INLINED)} {number.name} {helper.name}({number.name} x, int u, {_group(exchange)}) {{",
            *indented(["int phase = *shared_phase;", *body, leave, "return x;"]),
            "}",
        ]
        helpers = (*helpers, helper)
    return helpers, lines
