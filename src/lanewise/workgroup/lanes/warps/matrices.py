# SPDX-License-Identifier: Apache-2.0
"""Products of matrices that a warp holds, see `ir/matrix_products.py`.

Each shape becomes one function of the object, on vectors with an element of each lane. A kernel may have hundreds of
products, so their code isn't copied. In the function, every element of a row of A goes to the four lanes of its quad,
and every element of two columns of B to all lanes that need them. These moves have constant sources, so each is one
shuffle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import spelled
from lanewise.ir.matrix_products import QUAD, MatrixProduct
from lanewise.ir.types import Type
from lanewise.ir.values import Value, poison
from lanewise.workgroup.lanes.warps.warp import WARP_SIZE, Warp, words
from lanewise.workgroup.lowering.floats.builder import External

_LANES: Final = range(WARP_SIZE)


def product(shape: MatrixProduct) -> Callable[..., tuple[Value, ...]]:
    def expand(warp: Warp, mask: Value, *elements: Value) -> tuple[Value, ...]:
        del mask
        vectors = [each if each.type.is_vector else warp.splat(each) for each in elements]
        return warp.parts(warp.build.call_function(_function(shape, vectors[0].type, warp.external), vectors))

    return expand


def _function(shape: MatrixProduct, type_: Type, external: External) -> Function:
    """The function of a shape in the object at hand."""
    count = shape.a_count + shape.b_count + shape.sum_count
    result = ty.struct((type_,) * shape.sum_count)
    function = external(f"{shape.symbol}.of.warp", ty.function(result, (type_,) * count))
    if function.is_declaration:
        function.linkage, function.suffix = "internal", "noinline nounwind"
        build = Builder(function.add_block("entry"))
        sums = _sums(shape, build, function.arguments, external)
        whole: Value = poison(result)
        for index, each in enumerate(sums):
            whole = build.emit(Instruction("insertvalue", result, (whole, each), indices=(index,)))
        build.ret(whole)
    return function


def _sums(shape: MatrixProduct, build: Builder, elements: Sequence[Value], external: External) -> list[Value]:
    a, b = elements[: shape.a_count], elements[shape.a_count : -shape.sum_count]
    sums = list(elements[-shape.sum_count :])
    for group in range(shape.groups):
        for member in range(QUAD):
            for place in range(shape.together):
                rows = [
                    _moved(build, a[(group * shape.rows + row) * shape.together + place], _row_sources(member))
                    for row in range(shape.rows)
                ]
                columns = [
                    _moved(build, b[group * shape.together + place], _column_sources(member, column))
                    for column in range(2)
                ]
                sums = [
                    _added(build, shape, (rows[number // 2], columns[number % 2]), each, external)
                    for number, each in enumerate(sums)
                ]
    return sums


def _row_sources(member: int) -> list[int]:
    """For each lane, the lane of its quad that holds an element of the lane's row of A."""
    return [lane // QUAD * QUAD + member for lane in _LANES]


def _column_sources(member: int, column: int) -> list[int]:
    """For each lane, the lane that holds an element of one of the lane's two columns of B."""
    return [(2 * (lane % QUAD) + column) * QUAD + member for lane in _LANES]


def _moved(build: Builder, vector: Value, sources: list[int]) -> Value:
    return build.emit(Instruction("shufflevector", vector.type, (vector, poison(vector.type), words(sources))))


def _added(build: Builder, shape: MatrixProduct, factors: tuple[Value, Value], c: Value, external: External) -> Value:
    a, b = factors
    if shape.of_bits:
        ones = external(f"llvm.ctpop.{spelled(c.type)}", ty.function(c.type, (c.type,)))
        return build.binary("add", build.call_function(ones, (build.binary(shape.of_bits, a, b),)), c)
    if c.type.scalar.is_int:
        return build.binary("add", build.binary("mul", a, b), c)
    fma = external(f"llvm.fma.{spelled(c.type)}", ty.function(c.type, (c.type,) * 3))
    return build.call_function(fma, (a, b, c))
