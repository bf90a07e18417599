# SPDX-License-Identifier: Apache-2.0
"""Products of matrices that a warp holds, D = A B + C: the matrices are put together, and D is computed element by
element. See `ir/matrix_products.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import product
from typing import Any, Final

from lanewise.device.reference.arithmetic import intrinsics
from lanewise.device.reference.arithmetic.indeterminate import Value, poison
from lanewise.device.reference.arithmetic.integers import wrapped
from lanewise.ir import types as ty
from lanewise.ir.matrix_products import QUAD, MatrixProduct

_WARP: Final = 32
_FLOATS: Final = {"f32": ty.FLOAT, "f64": ty.DOUBLE}


def matrix_product(shape: MatrixProduct) -> Callable[[Mapping[int, tuple[Value, ...]]], dict[int, Value]]:
    """The function of the operands of each lane, without the mask, to the elements of D of each lane."""

    def run(lanes: Mapping[int, tuple[Value, ...]]) -> dict[int, Value]:
        if len(lanes) < _WARP:
            nothing = poison("a product of matrices in which not all lanes of the warp take part")
            return dict.fromkeys(lanes, (nothing,) * shape.sum_count)
        a, b = _matrices(shape, lanes)
        add = partial(_ones_step, shape.of_bits) if shape.of_bits else _multiply_and_add(shape.type)
        return {lane: _sums(shape, lane, operands, a, b, add) for lane, operands in lanes.items()}

    return run


_Matrix = dict[tuple[int, int], Value]


def _matrices(shape: MatrixProduct, lanes: Mapping[int, tuple[Value, ...]]) -> tuple[_Matrix, _Matrix]:
    """A and B by row and column."""
    a: _Matrix = {}
    b: _Matrix = {}
    for lane, operands in lanes.items():
        given = iter(operands)
        for group, row, place in product(range(shape.groups), range(shape.rows), range(shape.together)):
            a[lane // QUAD + 8 * row, _depth(shape, group, lane, place)] = next(given)
        for group, place in product(range(shape.groups), range(shape.together)):
            b[_depth(shape, group, lane, place), lane // QUAD] = next(given)
    return a, b


def _depth(shape: MatrixProduct, group: int, lane: int, place: int) -> int:
    """The column of A, and the row of B, of an element that a lane holds."""
    return (group * QUAD + lane % QUAD) * shape.together + place


def _sums(
    shape: MatrixProduct, lane: int, operands: tuple[Value, ...], a: _Matrix, b: _Matrix, add: Callable[..., Any]
) -> tuple[Value, ...]:
    sums = list(operands[-shape.sum_count :])
    for number in range(shape.sum_count):
        row, column = lane // QUAD + 8 * (number // 2), 2 * (lane % QUAD) + number % 2
        for k in range(QUAD * shape.groups * shape.together):
            sums[number] = add(a[row, k], b[k, column], sums[number])
    return tuple(sums)


@cache
def _multiply_and_add(word: str) -> Callable[..., Any]:
    """a b + c with one rounding, or modulo a power of two."""
    if word in _FLOATS:
        return intrinsics.function("fma", _FLOATS[word], (_FLOATS[word],) * 3)
    return partial(_integer_step, int(word[1:]))


def _integer_step(bits: int, a: int, b: int, c: int) -> int:
    return wrapped(a * b + c, bits)


def _ones_step(of_bits: str, a: int, b: int, c: int) -> int:
    both = a ^ b if of_bits == "xor" else a & b
    return wrapped((both & 0xFFFFFFFF).bit_count() + c, 32)
