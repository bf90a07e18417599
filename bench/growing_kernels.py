# SPDX-License-Identifier: Apache-2.0
"""Kernels of one shape at any size: `source(shape, repeats)` is CUDA C++ whose code grows in proportion to `repeats`.

Each repetition differs from the others in a constant, so that none can be merged, and depends on the one before, so
that none can be left out. The kernel is `grow`; blocks have 64 threads along x.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final


def _rounds(number: int) -> str:
    """A round of a hash: straight-line arithmetic on eight words."""
    a, b, c, d, e, f, g, h = (f"w{(letter - number) % 8}" for letter in range(8))
    return (
        f"    {h} += (({e} << 26 | {e} >> 6) ^ ({e} << 21 | {e} >> 11)) + (({e} & {f}) ^ (~{e} & {g}))"
        f" + {_odd(number)}u + m{number % 16};\n"
        f"    {d} += {h};\n"
        f"    {h} += (({a} << 30 | {a} >> 2) ^ ({a} << 19 | {a} >> 13)) + (({a} & {b}) ^ ({a} & {c}) ^ ({b} & {c}));\n"
        f"    m{number % 16} += (m{(number + 1) % 16} >> 3) ^ m{(number + 9) % 16};\n"
    )


def _branches(number: int) -> str:
    """A branch that threads take differently, with code of its own on both sides."""
    a, b = f"w{number % 8}", f"w{(number + 3) % 8}"
    return (
        f"    if (({a} ^ {_odd(number)}u) & {1 << number % 20}u) {{ p[i] = {a}; {a} = {a} * {_odd(number)}u + {b}; "
        f"if ({a} > {b}) p[i + n] = {b} ^ {number}u; }}\n"
        f"    else {{ {b} ^= p[i + {number % 5}]; q[i] += {b}; }}\n"
    )


def _loops(number: int) -> str:
    """A loop that threads leave after different numbers of iterations."""
    a, b = f"w{number % 8}", f"w{(number + 3) % 8}"
    return (
        f"    for (unsigned k = {a} & 15; k < n + {number % 7}u; k++) "
        f"{{ {b} = {b} * {_odd(number)}u + p[i + k]; if ({b} == {a}) break; q[k] = {b} + k; }}\n"
    )


def _nested(number: int) -> str:
    """Code three levels deep: a branch in a loop in a branch."""
    a, b, c = (f"w{(number + step) % 8}" for step in (0, 3, 5))
    return (
        f"    if ({a} % {number + 3}u) {{\n"
        f"        for (unsigned k = 0; k < ({b} & 7); k++) {{\n"
        f"            if ({c} & (1u << k)) {{ {b} += q[k]; {c} ^= {_odd(number)}u; }} else {c} += k;\n"
        f"            p[i] ^= {c};\n"
        f"        }}\n"
        f"        {a} += {b};\n"
        f"    }} else {a} ^= {c} + {number}u;\n"
    )


def _arrays(number: int) -> str:
    """A private array whose index threads choose, so that it stays in memory."""
    a, b = f"w{number % 8}", f"w{(number + 3) % 8}"
    return (
        f"    unsigned a{number}[8];\n"
        f"    for (int k = 0; k < 8; k++) a{number}[k] = {a} >> k;\n"
        f"    a{number}[{b} & 7] = {_odd(number)}u;\n"
        f"    {a} += a{number}[({a} ^ n) & 7];\n"
    )


def _calls(number: int) -> str:
    """A function called twice, which calls one that all share."""
    a, b = f"w{number % 8}", f"w{(number + 3) % 8}"
    return f"    {a} = f{number}({a}, {b}, p + i); {b} = f{number}({b}, {a}, q + i);\n"


def _functions(number: int) -> str:
    return (
        f"__device__ unsigned f{number}(unsigned x, unsigned y, unsigned *p) {{\n"
        f"    if (x > {_odd(number)}u) return mix(x, y ^ {number}u) + *p;\n"
        f"    *p = y; return mix(y, x) * {number + 3}u;\n"
        f"}}\n"
    )


def _barriers(number: int) -> str:
    """An exchange through shared memory between two barriers, with values that live on."""
    a, b = f"w{number % 8}", f"w{(number + 3) % 8}"
    return (
        f"    tile[t] = {a};\n    __syncthreads();\n"
        f"    {b} = {b} * {_odd(number)}u + tile[t ^ {number % 63 + 1}];\n    __syncthreads();\n"
    )


def _odd(number: int) -> int:
    return (number * 2654435761 + 1) % 2**32 | 1


SHAPES: Final[dict[str, Callable[[int], str]]] = {
    "rounds": _rounds,
    "branches": _branches,
    "loops": _loops,
    "nested": _nested,
    "arrays": _arrays,
    "calls": _calls,
    "barriers": _barriers,
}


def source(shape: str, repeats: int) -> str:
    """A kernel `grow` with so many repetitions of a shape."""
    return "".join(_lines(shape, repeats))


def _lines(shape: str, repeats: int) -> Iterator[str]:
    if shape == "calls":
        yield "__device__ unsigned mix(unsigned x, unsigned y) { return (x << 7 | x >> 25) + (y ^ x >> 3); }\n"
        yield from map(_functions, range(repeats))
    yield 'extern "C" __global__ void grow(unsigned *p, unsigned *q, unsigned n) {\n'
    yield "    __shared__ unsigned tile[64];\n" if shape == "barriers" else ""
    yield "    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
    yield from (f"    unsigned w{word} = p[i + {word} * n];\n" for word in range(8))
    yield from (f"    unsigned m{word} = q[i + {word} * n];\n" for word in range(16 if shape == "rounds" else 0))
    yield from map(SHAPES[shape], range(repeats))
    yield from (f"    p[i + {word} * n] = w{word};\n" for word in range(8))
    yield "}\n"
